"""An agent of one's own learns: curve, exact grades, a file to go on from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Captured, beginning
from lasting import shortly
from own_agents import LEARNER, own, written

from damier import BadInput, Job, load
from damier.core.errors import AgentFault, BadFile
from damier.core.job import Notes, no_note
from damier.core.player import RandomPlayer
from damier.lab import training as lab_training
from damier.lab.agents import Lab
from damier.lab.grading import decisions, fixed_choices
from damier.lab.training import Plan, Trainer, trainer
from damier.solve.grade import grade

call, data = beginning()

STATELESS = """
class Counts:
    '''Plays the move that won most often; ties to the first.'''
    def __init__(self):
        self.wins = {}
    def play(self, position):
        return max(position.moves, key=lambda move: self.wins.get(position.board + move, 0))
    def learn(self, payoff, history):
        for position, move, reward in history:
            self.wins[position.board + move] = self.wins.get(position.board + move, 0) + payoff
    def save(self):
        return self.wins
    def load(self, data):
        self.wins = data
"""


def made(
    path: Path,
    opponent: str = "random",
    *,
    seed: int = 3,
    game: str = "hexapawn",
    note: Callable[[str], None] = no_note,
) -> Trainer:
    plan = Plan(str(path), opponent, "alternate" if opponent == "random" else "1", seed)
    return trainer(Lab(load(game), Job(jit=False, note=note)), plan)


@pytest.mark.parametrize("code", [LEARNER, STATELESS])
def test_it_learns_and_every_block_is_graded_exactly(tmp_path: Path, code: str) -> None:
    training = made(written(tmp_path, code))
    training.training.run(600, Job(jit=False))
    grades = [block.grade for block in training.training.curve.blocks]
    assert all(grades)
    first, last = grades[0], grades[-1]
    assert first is not None
    assert last is not None
    assert sum(seat.payoff for seat in last.seats) > sum(seat.payoff for seat in first.seats)
    policy = training.policy()
    assert policy is not None
    assert last == grade(training.lab.game, policy, RandomPlayer(), Job(jit=False))


@pytest.mark.parametrize("opponent", shortly(["random", "self"], "self"))
def test_it_goes_on_from_its_file_as_if_it_had_never_stopped(tmp_path: Path, opponent: str) -> None:
    path = written(tmp_path, LEARNER)
    whole = made(path, opponent)
    whole.training.run(300, Job(jit=False))
    whole.save(tmp_path / "whole.json")
    first = made(path, opponent)
    first.training.run(130, Job(jit=False))
    first.save(tmp_path / "first.json")
    second = made(path, opponent)
    second.resume(tmp_path / "first.json")
    second.training.run(300, Job(jit=False))
    second.save(tmp_path / "second.json")
    assert (tmp_path / "whole.json").read_bytes() == (tmp_path / "second.json").read_bytes()
    assert own(path, "hexapawn", f":file={tmp_path / 'whole.json'}").agent.values  # type: ignore[attr-defined]


def test_in_a_large_game_it_is_not_graded_while_it_learns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab_training, "MOST_ASKED", 100)
    for game, said in (
        ("connect_four", "the learner is not graded: "),
        ("hexapawn", "the learner is not graded while it learns: it would be asked in "),
    ):
        notes = Notes()
        training = made(written(tmp_path, LEARNER), game=game, note=notes)
        training.training.run(3, training.lab.job)
        assert training.training.curve.blocks[-1].grade is None
        (note,) = notes
        assert note.startswith(said)


def test_grading_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, LEARNER)
    training = made(path)
    training.training.run(50, Job(jit=False))
    before = json.dumps(training.learner.agent.save())  # type: ignore[attr-defined]
    policy = training.policy()
    assert policy is not None
    grade(training.lab.game, policy, RandomPlayer(), Job(jit=False))
    assert json.dumps(training.learner.agent.save()) == before  # type: ignore[attr-defined]


def test_another_training_is_not_gone_on_with(tmp_path: Path) -> None:
    path = written(tmp_path, LEARNER)
    first = made(path)
    first.training.run(20, Job(jit=False))
    first.save(tmp_path / "first.json")
    with pytest.raises(BadInput, match="seed=3, not 4"):
        made(path, seed=4).resume(tmp_path / "first.json")
    with pytest.raises(BadFile, match="for hexapawn"):
        made(path, game="tictactoe").resume(tmp_path / "first.json")
    data = json.loads((tmp_path / "first.json").read_text())
    data["games"] = 21
    del data["sha256"]
    (tmp_path / "edited.json").write_text(json.dumps(data))
    with pytest.raises(BadFile, match="counts 20 games, not 21"):
        made(path).resume(tmp_path / "edited.json")


@pytest.mark.parametrize(
    ("code", "opponent", "said"),
    [
        ("def play(position):\n    return position.moves[0]", "random", "does not learn"),
        (LEARNER + "\n    def end(self, payoff):\n        pass", "self", "cannot sit at both seats: end"),
    ],
)
def test_what_cannot_be_trained(tmp_path: Path, code: str, opponent: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        made(written(tmp_path, code), opponent)


@pytest.mark.parametrize(
    ("saved", "said"),
    [
        ("{(1, 2): 3}", r"a key is \(1, 2\)"),
        ("{1: 3}", "a key is 1"),
        ("{1, 2}", "set is no data of JSON"),
        ("float('nan')", "JSON compliant"),
        ("['\\ud800']", "half a character"),
        ("{'\\ud800': 1}", "half a character"),
        (f"{'[' * 40}1{']' * 40}", "more than 39 deep"),
        ("__import__('functools').reduce(lambda inner, _: [inner], range(5000), 1)", "more than 39 deep"),
        ("10**5000", "digits"),
        ("1 / 0", "mine.py:.*ZeroDivisionError"),
    ],
)
def test_what_cannot_be_kept(tmp_path: Path, saved: str, said: str) -> None:
    code = LEARNER.replace("return self.values\n\n    def load", f"return {saved}\n\n    def load")
    training = made(written(tmp_path, code))
    with pytest.raises(AgentFault, match=said):
        training.save(tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()


def test_what_is_as_deep_as_a_file_may_be_is_read_back(tmp_path: Path) -> None:
    deepest = f"{'[' * 39}1{']' * 39}"
    path = written(
        tmp_path, LEARNER.replace("return self.values\n\n    def load", f"return {deepest}\n\n    def load")
    )
    made(path).save(tmp_path / "out.json")
    made(path).resume(tmp_path / "out.json")


def test_what_varies_is_not_graded_exactly_and_a_note_says_why(tmp_path: Path) -> None:
    code = """
    import random
    class Coin:
        def play(self, position):
            return random.choice(position.moves)
        def end(self, payoff):
            pass
    """
    notes = Notes()
    training = made(written(tmp_path, code), note=notes)
    training.training.run(20, Job(jit=False))
    assert all(block.grade is None for block in training.training.curve.blocks)
    assert [note for note in notes if "not graded exactly: it draws random numbers" in note]


def test_where_a_game_is_too_large_to_grade_nothing_is_asked_everywhere(tmp_path: Path) -> None:
    code = """
    class First:
        def play(self, position):
            return position.moves[0]
        def end(self, payoff):
            pass
    """
    notes = Notes()
    training = made(written(tmp_path, code), game="connect_four", note=notes)
    training.training.run(4, Job(jit=False))
    assert training.training.episodes == 4
    assert any("not graded" in note for note in notes)


def test_who_remembers_how_often_it_was_asked_varies(tmp_path: Path) -> None:
    code = """
    class Turn:
        asked = 0
        def play(self, position):
            self.asked += 1
            return position.moves[self.asked % len(position.moves)]
    """
    game = load("hexapawn")
    found = fixed_choices(game, own(written(tmp_path, code), "hexapawn"), decisions(game, Job()))
    assert "asked twice" in found.varies


def test_a_fault_ends_a_training_and_what_was_learnt_is_saved(tmp_path: Path) -> None:
    code = LEARNER.replace("later = ", "assert len(self.values) < 12\n        later = ")
    training = made(written(tmp_path, code))
    training.save_to(tmp_path / "out.json")
    with pytest.raises(AgentFault, match=r"mine.py:\d+: AssertionError"):
        training.training.run(1000, Job(jit=False))
    assert json.loads((tmp_path / "out.json").read_text())["games"] == training.training.episodes


def test_its_file_is_shown_without_running_any_code(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path, LEARNER)
    training = made(path)
    training.training.run(40, Job(jit=False))
    training.save(tmp_path / "mine.json")
    path.write_text("1 / 0")
    code, out, _err = call(capsys, "show", str(tmp_path / "mine.json"), "-o", str(tmp_path / "curve.svg"))
    assert code == 0
    assert "40 games against random" in out
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")
    assert data(capsys, "show", str(tmp_path / "mine.json"))["games"] == 40
