"""Starter kits filled in as the documents have it, line by line, get all points; as they are written, their
first stage is named; and each typical mistake, one replacement in the filled kit, loses what is meant for it
and nothing else.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import Captured, beginning
from lasting import later, long, shortly
from marked import FILLED, failed, filled

from damier.cli.main import build, run
from damier.core.errors import BadFile
from damier.core.words import NO_BREAK, speaking
from damier.lab.kits import ENDING, kit
from damier.plugins.classroom.marking.reports import write_reports
from damier.plugins.classroom.marking.sheet import (
    BROUGHT,
    MarkingSheet,
    StudentMarks,
    marks_of,
    sheet,
    stages_of,
)
from damier.plugins.classroom.marking.submission import ExactTruth, Submission

DOCUMENTS = ["s0", "s1", "s3", "s4"]

call, data = beginning("check")


class Mistake(NamedTuple):
    """One replacement in a file of a filled kit, and the items that it loses."""

    document: str
    file: str
    right: str
    wrong: str
    caught: set[str]


WRONG = {
    "the sign of a reward is forgotten": Mistake(
        "s0", "main.py", "self.reward2 += -10  # add", "self.reward2 += 10  # add", {"rewards"}
    ),
    "a reward is not reset": Mistake("s0", "main.py", "self.reward1 = 0  # reset reward", "", {"rewards"}),
    "the loser is not told of the end": Mistake(
        "s0",
        "main.py",
        "self.player2.learn(self.board.getStatePlayer2(), -100)",
        "pass",
        {"ends"},
    ),
    "an agent learns at every move": Mistake(
        "s0",
        "main.py",
        "                # detect end of game by victory\n                if self.board.player2Wins",
        "                self.player1.learn(self.board.getStatePlayer1(), self.reward1)\n"
        "                if self.board.player2Wins",
        {"ends"},
    ),
    "forward order of updates": Mistake(
        "s0",
        "agent.py",
        "range(len(self.actionSequence) - 1, -1, -1)",
        "range(len(self.actionSequence))",
        {"q-updates", "curve"},
    ),
    "the maximum takes illegal actions in": Mistake(
        "s0", "agent.py", "maxQ = -1000", "maxQ = 0", {"q-updates"}
    ),
    "gamma is forgotten": Mistake("s0", "agent.py", "self.gamma * maxQ", "maxQ", {"q-updates"}),
    "the reward of the same step": Mistake(
        "s0",
        "agent.py",
        "reward_next = self.rewardSequence[i]",
        "reward_next = self.rewardSequence[i - 1]",
        {"q-updates"},
    ),
    "epsilon is inverted": Mistake(
        "s0",
        "agent.py",
        "if rand < self.epsilon",
        "if rand > self.epsilon",
        {"exploring", "greedy", "softmax", "curve"},
    ),
    "epsilon falls too late": Mistake(
        "s0", "agent.py", "self.nbStep > 5000", "self.nbStep > 6000", {"schedule"}
    ),
    "the smallest value": Mistake(
        "s0", "agent.py", "row[i] > maxval", "-row[i] > maxval", {"greedy", "curve"}
    ),
    "softmax without exp": Mistake("s0", "agent.py", "math.exp(row[i])", "1000 + row[i]", {"softmax"}),
    "an index is not reset": Mistake(
        "s0",
        "agent.py",
        "    def initialize(self):\n        self.stateIndex = -1\n",
        "    def initialize(self):\n",
        {"initialize"},
    ),
    "the human does not help": Mistake(
        "s1", "resolution1.py", "joueur == HUMAIN)", "joueur == IA)", {"explore"}
    ),
    "the human helps in the mixed search": Mistake(
        "s1", "resolution1.py", "all(gagne", "any(gagne", {"mixed"}
    ),
    "states are worked out again": Mistake(
        "s1", "resolution1.py", "if (n, j) not in traites:", "if True:", {"visited"}
    ),
    "a closed formula": Mistake(
        "s1",
        "resolution1.py",
        "    traites = {}\n",
        "    return (allumettes - 1) % 4 or None\n",
        {"mixed", "visited"},
    ),
    "the state after the move is reinforced": Mistake(
        "s1",
        "resolution2.py",
        "renforcement(allumettes, action_IA, ACTIONS)\n        return actions\n    return explore_renf(",
        "renforcement(reste, action_IA, ACTIONS)\n        return actions\n    return explore_renf(",
        {"last-move"},
    ),
    "only the last move is reinforced": Mistake(
        "s1",
        "resolution2.py",
        "ACTIONS):\n        ACTIONS = renforcement(allumettes, action_IA, ACTIONS)\n",
        "ACTIONS):\n",
        {"every-move", "state-15"},
    ),
    "whatever is typed is taken": Mistake(
        "s1", "resolution2.py", " and int(coup) in succ", "", {"jeu-joueur"}
    ),
    "the board is read from the other end": Mistake(
        "s3", "state.py", "range(len(board) - 1, -1, -1)", "range(len(board))", {"state"}
    ),
    "a diagonal is forgotten": Mistake("s3", "env.py", ", [2, 4, 6]]", "]", {"game-over"}),
    "the first cell of equals": Mistake(
        "s3",
        "agent.py",
        "range(len(freeCell_indexes) - 1, -1, -1)",
        "range(len(freeCell_indexes))",
        {"last-of-equals"},
    ),
    "forward order of V": Mistake(
        "s3",
        "agent.py",
        "range(len(self.history) - 1, -1, -1)",
        "range(len(self.history))",
        {"v-updates"},
    ),
    "it learns where it is not trained": Mistake(
        "s3", "agent.py", "if self.is_train is False", "if False", {"only-while-training"}
    ),
    "a draw is worth the same to both": Mistake(
        "s3",
        "vfunction.py",
        "env.agent1.update_estimations(0.1)",
        "env.agent1.update_estimations(0.5)",
        {"rewards"},
    ),
    "epsilon stays": Mistake("s3", "vfunction.py", "agent2.epsilon * 0.996", "agent2.epsilon", {"epsilon"}),
    "no table": Mistake("s4", "aiagent.py", "if b in table:", "if False:", {"table"}),
    "what is best for the other": Mistake(
        "s4", "aiagent.py", "key=lambda m: -get", "key=lambda m: get", {"best-moves", "never-loses"}
    ),
    "counts from 0": Mistake("s4", "rlagent.py", "[0.0, 1]", "[0.0, 0]", {"means"}),
    "the first of equals": Mistake(
        "s4",
        "rlagent.py",
        "random.choice([m for m, (mean, count) in moves.items() if mean == best])",
        "next(m for m, (mean, count) in moves.items() if mean == best)",
        {"ties"},
    ),
    "it explores too little": Mistake("s4", "rlagent.py", "EPSILON = 0.25", "EPSILON = 0.1", {"epsilon"}),
    "the table is global": Mistake(
        "s4",
        "rlagent.py",
        '"scores": {}',
        '"scores": globals().setdefault("SCORES", {})',
        {"apart", "ties", "only-while-learning"},
    ),
}


@cache
def asked(document: str) -> tuple[MarkingSheet, ExactTruth]:
    """The sheet of a document, and what is known of its game."""
    found = sheet(document)
    return found, ExactTruth(found.game)


def marked_folder(document: str, folder: Path) -> StudentMarks:
    found, truth = asked(document)
    return marks_of(found, Submission(folder, found.game), "student", truth)


@pytest.mark.parametrize("document", shortly(DOCUMENTS, "s0", "s1", "s3"))  # s4: test_s4.py
def test_a_filled_kit_gets_all_points(document: str, tmp_path: Path) -> None:
    found = marked_folder(document, filled(document, tmp_path / "new"))
    assert failed(found) == set()
    assert found.points == asked(document)[0].points == 20
    assert all(stage.done and not stage.current for stage in stages_of(asked(document)[0], found))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_filled_kit_is_one_that_was_written(document: str) -> None:
    files = kit(document, "python").files
    for path in (FILLED / document).iterdir():
        first = files[path.name.removesuffix(ENDING)].splitlines()
        own = set(path.read_text().splitlines())
        kept = [line for line in first if line in own]
        assert len(kept) > len(first) / 2, path


@pytest.mark.parametrize(
    ("document", "stage"),
    [
        ("s0", "Rewards"),
        later(("s1", "The search tree")),
        later(("s3", "The state")),
        later(("s4", "minimax: S(b)")),
    ],
)
def test_the_first_stage_of_a_kit_is_named_as_it_is_written(
    document: str, stage: str, tmp_path: Path, capsys: Captured
) -> None:
    folder = tmp_path / "new"
    kit(document, "python").write(folder)
    code, out, _err = call(capsys, document, str(folder))
    assert code == 0
    lines = out.splitlines()
    (line,) = [line for line in lines if "to be written now" in line]
    assert stage in line
    assert sum("not yet begun" in line for line in lines) == len(asked(document)[0].stages) - (
        1 + (document == "s4")
    )
    assert sum(line.startswith("To be written: ") for line in lines) == 1
    last = asked(document)[0].items[-1]
    assert str(last.text) not in out


@pytest.mark.parametrize(
    "mistake",
    shortly(WRONG, "the sign of a reward is forgotten"),
)
def test_a_mistake_loses_what_is_meant_for_it_and_nothing_else(mistake: str, tmp_path: Path) -> None:
    document, file, right, wrong, caught = WRONG[mistake]
    folder = filled(document, tmp_path / "new")
    code = (folder / file).read_text()
    assert right in code
    (folder / file).write_text(code.replace(right, wrong, 1))
    found = marked_folder(document, folder)
    assert failed(found) == caught
    for mark in found.marks:
        if mark.finding.wrong is not None:
            assert mark.finding.wrong.expected != mark.finding.wrong.got
        elif mark.item.name in caught:  # it broke off, in a line of the student's
            assert f"{file}:" in str(mark.finding.sentence)


@pytest.mark.parametrize("document", shortly(DOCUMENTS, "s1"))
def test_the_commands_of_a_readme_run_with_the_filled_kit(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(filled(document, tmp_path / "new"))
    text = Path("README.md").read_text()
    lines = [
        line.split()
        for line in text.splitlines()
        if line.startswith(("    damier train", "    damier grade"))
    ]
    assert [line[1] for line in lines] == ["train", "grade"]
    for _damier, *arguments in lines:
        shorter = ["4" if word.isdigit() else word for word in arguments]
        assert run(build(), shorter) == 0, capsys.readouterr().err
        out = capsys.readouterr().out
        assert out


@pytest.mark.parametrize("spoken", shortly(["en", "fr"], "fr"))
def test_the_page_has_the_first_stage_whole_the_later_ones_named_and_the_rules(
    spoken: str, tmp_path: Path
) -> None:
    folder = tmp_path / "new"
    with speaking(spoken):
        kit("s0", "python").write(folder)
        asked_for = asked("s0")[0]
        found = marked_folder("s0", folder)
        write_reports(tmp_path / "marks", asked_for, [found])
        stages = [stage.text.by_language[spoken] for stage in asked_for.stages]
        first, last = asked_for.items[1], asked_for.items[-1]
        rules = kit("s0", "python").files["README.md"].partition("\n## ")[2].splitlines()[-1]
    for name in ("page.html", "page.md"):
        page = (tmp_path / "marks" / "student" / name).read_text().replace(NO_BREAK, " ")
        assert all(stage.replace("'", "&#x27;") in page or stage in page for stage in stages)
        assert str(first.text.by_language[spoken]) in page
        assert str(last.text.by_language[spoken]) not in page.replace("&#x27;", "'")
        assert rules in page.replace("<code>", "`").replace("</code>", "`")
        assert "n_8 n_7 n_6" in page


def test_stages_stand_in_the_data_too(tmp_path: Path, capsys: Captured) -> None:
    found = data(capsys, "s0", str(filled("s0", tmp_path / "mine")))["students"][0]
    assert found["name"] == "mine"
    assert [stage["done"] for stage in found["stages"]] == [True] * 7
    assert sum(stage["points"] for stage in found["stages"]) == found["points"] == 20


@long
def test_a_file_of_the_agents_alone_is_marked_as_s4_hands_in(tmp_path: Path) -> None:
    parts = filled("s4", tmp_path / "kit")
    names = ("board.py", "agent.py", "aiagent.py", "rlagent.py")
    code = "\n".join((parts / name).read_text() for name in names[:2])
    code = re.sub(r"def create(Ai|Rl)Agent\(\):\n    from .*\n\n    return create\(\)\n", "", code)
    for name in names[2:]:
        code += "\n" + re.sub(r"\bplay\b", f"play_{name[:2]}", (parts / name).read_text())
    lines = [line for line in code.splitlines() if not line.startswith(("from agent ", "from board "))]
    (tmp_path / "student.py").write_text("\n".join(lines) + "\n")
    found = marked_folder("s4", tmp_path / "student.py")
    assert [str(mark.finding.sentence) for mark in found.marks if not mark.finding.passed] == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'stage = "rewards"\npoints = 1',
            'stage = "reward"\npoints = 1',
            "imports: stage must be: rewards table",
        ),
        ('name = "table"\ntext', "text", "stage 2: name must be"),
        ("[stage.write]", "[stage.wrote]", "stage 1: wrote is not known here"),
        ('lists = "table"', 'lists = "tables"', "table: lists must be: table|sequences|initialize"),
    ],
)
def test_what_is_wrong_with_stages_is_said(old: str, new: str, said: str, tmp_path: Path) -> None:
    text = (BROUGHT / "s0.toml").read_text()
    assert old in text
    (tmp_path / "sheet.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(BadFile, match=re.escape(said)):
        sheet(str(tmp_path / "sheet.toml"))


def test_what_a_function_is_given_must_be_known(tmp_path: Path) -> None:
    (tmp_path / "sheet.toml").write_text((BROUGHT / "s3.toml").read_text().replace('["marks"]', '["cells"]'))
    with pytest.raises(BadFile, match="state: takes must be: position board marks"):
        sheet(str(tmp_path / "sheet.toml"))
