"""All the boxes of a machine (rows A-26 to A-32, A-39): how many there are, what is in them,
against naive rules and the counts of spec C.
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import pytest
from lasting import later

from damier import load
from damier.core.errors import BadFile, BadInput, LimitReached
from damier.lab.agents import Lab
from damier.lab.matchboxes import Machine, instructions, machine, machine_of_file, new_machine
from damier.learn import store
from damier.learn.player import LearningPlayer
from tests.learn.scripted import learner, play
from tests.oracles import Mnk, Pawns, Rules

Board = tuple[str, ...]


def built(text: str, name: str = "", seat: Any = None) -> Machine:
    return new_machine(Lab(load(text)), name, seat)


def by_stage(found: Machine) -> list[int]:
    return [len(boxes) for _stage, boxes in found.stages]


@pytest.mark.parametrize(
    ("game", "name", "seat", "stages", "beads"),
    [
        ("tictactoe", "", None, [1, 12, 108, 183], 1720),
        ("tictactoe", "beads:preset=michie", None, [1, 12, 108, 183], 1720),
        ("tictactoe", "beads:preset=scroggs", None, [1, 12, 108, 183], 1798),
        ("tictactoe", "", "2", [3, 38, 153, 95], None),
        ("tictactoe", "beads:forced=true,beads=1", None, [1, 12, 108, 183, 34], None),
        ("hexapawn", "", None, [2, 10, 7], None),
        ("hexapawn:blocked=loss", "", None, [2, 10, 7], None),
        ("nim", "", None, [4, 6, 6], 45),  # 16 lists of 3, but for those of 2 matches and of 1
        ("nim", "beads:preset=ia01-last", None, [4, 6, 6], 45),
    ],
)
def test_boxes_of_the_machines_that_were_built(
    game: str, name: str, seat: Any, stages: list[int], beads: int | None
) -> None:
    found = built(game, name, seat)
    assert by_stage(found) == stages
    assert beads is None or found.beads == beads
    assert [box.number for box in found.boxes] == list(range(1, len(found.boxes) + 1))
    assert [box.stage for box in found.boxes] == sorted(box.stage for box in found.boxes)


def images(board: Board, square: bool) -> set[Board]:
    """A board mirrored and, where it is `square`, turned."""
    found = {board, tuple(row[::-1] for row in board)}
    for _turn in range(3 if square else 0):
        found |= {tuple("".join(row) for row in zip(*image[::-1], strict=True)) for image in found}
    return found


def decisions(rules: Rules, seat: int, square: bool, choices: int) -> set[Board]:
    """All boards, each as the first of its images, on which the player at `seat` has so many moves
    or more.
    """
    seen, queue, found = {rules.start}, deque([rules.start]), set()
    while queue:
        s = queue.popleft()
        if rules.result(s) is not None:
            continue
        names = rules.moves(s)
        if rules.mover(s) == seat and len(names) >= choices:
            found.add(min(images(tuple(rules.rows(s)), square)))
        for following in (rules.play(s, name) for name in names):
            if following not in seen:
                seen.add(following)
                queue.append(following)
    return found


@pytest.mark.parametrize(
    ("game", "rules", "seat", "square", "choices", "boxes"),
    [
        ("tictactoe", Mnk(), "1", True, 2, 304),
        later(("tictactoe", Mnk(), "2", True, 2, 289)),
        ("mnk:width=3,height=2", Mnk(3, 2), "1", True, 2, None),
        ("hexapawn", Pawns(), "2", False, 1, 19),
        ("hexapawn", Pawns(), "1", False, 1, None),
    ],
)
def test_one_box_for_every_board_up_to_symmetry(
    game: str, rules: Rules, seat: Any, square: bool, choices: int, boxes: int | None
) -> None:
    expected = decisions(rules, int(seat) - 1, square, choices)
    found = built(game, seat=seat)
    boards = [
        min(images(tuple(box.position.game.grid(box.position.state).rows), square)) for box in found.boxes
    ]  # type: ignore[misc]
    assert len(boards) == len(set(boards)) == len(expected) == (boxes or len(expected))
    assert set(boards) == expected


def test_the_first_box_of_menace_has_a_colour_for_corners_edges_and_the_middle() -> None:
    first = built("tictactoe").boxes[0]
    game = first.position.game
    assert {game.name_move(first.position.state, move): beads for move, beads in first.beads.items()} == {
        "0": 4,
        "1": 4,
        "4": 4,
    }
    unmerged = built("tictactoe", "menace:merged=false").boxes[0]
    assert list(unmerged.beads.values()) == [4] * 9


def test_without_symmetry_every_position_has_its_box() -> None:
    found = built("tictactoe", "menace:symmetric=false")
    # all 1 72 756 1520 positions that X meets, but for the 148 that O has won after six plies
    assert by_stage(found) == [1, 72, 756, 1372]


def test_beads_after_games_stay_where_they_are() -> None:
    game = load("tictactoe")
    x = learner(game, "beads", "hexapion")
    play(x, None, "4 0 2 1 6", "4 0 2 6 1 3")
    opened = {row.state: dict(zip(row.moves, row.counts, strict=True)) for row in x.memory.rows()}
    found = machine(Lab(game), x, "1")
    assert by_stage(found) == [1, 12, 108, 183]
    assert {box.position.state: box.beads for box in found.boxes if box.position.state in opened} == opened
    assert found.boxes[0].beads == {1 << 0: 4, 1 << 1: 4, 1 << 4: 7}
    assert found.beads == 1720 + 3 * 3 - 1  # three boxes won three beads, the last one of the game lost one
    assert found.games == 2


def saved(
    path: Path, player: LearningPlayer, seat: str = "1", opponent: str = "random", *others: LearningPlayer
) -> Path:
    training = {"opponent": opponent, "seat": seat, "seed": 0, "max_plies": 1000, "against": "random"}
    memories = [player.memory, *(other.memory for other in others)]
    store.save(store.Agent(player.game, player.name, training, player.parameters, memories), path)
    return path


def test_a_machine_from_its_file(tmp_path: Path) -> None:
    game = load("tictactoe")
    x = learner(game, "beads", "scroggs")
    play(x, None, "4 0 2 1 6")
    path = saved(tmp_path / "menace.json", x)
    before = path.read_bytes()
    found = machine_of_file(Lab(load("tictactoe")), path)
    assert (found.seat, len(found.boxes), found.beads) == ("1", 304, 1798 + 9)
    assert path.read_bytes() == before
    assert by_stage(machine_of_file(Lab(load("tictactoe")), path, "2")) == [3, 38, 153, 95]


def test_a_machine_that_played_itself_has_the_boxes_of_both_seats(tmp_path: Path) -> None:
    lists = learner(load("nim"), "beads", "ia01")
    found = machine_of_file(
        Lab(load("nim")), saved(tmp_path / "lists.json", lists, opponent="self:table=shared,learn=one")
    )
    assert (found.seat, len(found.boxes), found.beads) == ("alternate", 16, 45)


def test_a_file_with_a_machine_for_each_seat(tmp_path: Path) -> None:
    game = load("hexapawn")
    first, second = learner(game, "beads"), learner(game, "beads")
    play(first, second, "a1a2 b3a2 b1b2 c3c2 b2b3")
    path = saved(tmp_path / "both.json", first, "1", "self:table=separate,learn=both", second)
    one, two = (machine_of_file(Lab(load("hexapawn")), path, seat) for seat in ("1", "2"))  # type: ignore[arg-type]
    assert (one.boxes[0].total, two.boxes[0].position.mover) == (2 * 4 + 3, 1)
    with pytest.raises(BadInput, match="--seat 1 or --seat 2"):
        machine_of_file(Lab(load("hexapawn")), path, "alternate")


def test_what_has_no_boxes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="q has no matchboxes"):
        built("tictactoe", "q")
    with pytest.raises(BadInput, match="--agent FILE"):
        built("tictactoe", "menace:file=menace.json")
    with pytest.raises(BadFile, match="holds a mean"):
        machine_of_file(
            Lab(load("tictactoe")), saved(tmp_path / "mean.json", learner(load("tictactoe"), "mean"))
        )
    with pytest.raises(BadFile, match="its training is not one"):
        machine_of_file(
            Lab(load("tictactoe")),
            saved(tmp_path / "lost.json", learner(load("tictactoe"), "beads"), seat="3"),
        )
    with pytest.raises(BadInput, match="never a choice"):
        built("nim:matches=1", seat="2")


def test_a_large_game_stops_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.lab.matchboxes.POSITIONS", 500)
    with pytest.raises(LimitReached, match="too many positions") as caught:
        built("connect_four:width=4,height=4")
    assert 500 < caught.value.reached["positions"] < 510  # type: ignore[operator]
    assert caught.value.reached["boxes"] > 0  # type: ignore[operator]


@pytest.mark.parametrize(
    ("name", "said", "not_said"),
    [
        (
            "menace",
            [
                "moves first",
                "turned or mirrored",
                "3 more",
                "1 more",
                "drawn last",
                "before it",
                "only one move",
                "gives up",
            ],
            ["put in the beads"],
        ),
        ("beads:preset=michie", ["keep all the beads"], ["before it", "drawn last"]),
        (
            "beads:preset=her,empty=restock",
            ["you move first", "put every bead back into its box.", "put in the beads"],
            ["gives up", "only one move", "more"],
        ),
        ("beads:preset=ia01-last", ["one box serves both"], ["turned or mirrored"]),
        (
            "beads:loss=-3,punish=last,reinforce=last,win=2",
            ["2 more of the colour of the last one", "Take 2 more"],
            ["before it"],
        ),
    ],
)
def test_the_instructions_follow_from_the_parameters(name: str, said: list[str], not_said: list[str]) -> None:
    text = " ".join(
        paragraph
        for _heading, paragraphs in instructions(built("tictactoe", name))
        for paragraph in paragraphs
    )
    assert [words for words in said if words not in text] == []
    assert [words for words in not_said if words in text] == []
