"""The lines of a machine of matchboxes, beside a naive walk over every game, and beside its grade."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from lasting import shortly

from damier import load
from damier.core.errors import Unsuitable
from damier.core.game import Position
from damier.core.job import Job
from damier.core.player import RandomPlayer
from damier.lab.agents import Lab
from damier.lab.matchboxes import MachineLines, PossibleGames, new_machine, title_of
from damier.solve.grade import grade
from damier.web.rooms.home import played_on
from damier.web.rooms.matchboxes import BoxSet, Bulk, after

RULES = ["hexapawn", "hexapawn:blocked=loss"]


def box_set_of(game: str, agent: str = "beads:preset=her", seat: Any = "2") -> BoxSet:
    lab = Lab(load(game), Job(jit=False))
    return BoxSet(lab, new_machine(lab, agent, seat))


def walked(player: Any, position: Position, seat: int) -> PossibleGames:
    """Every game one after the other, with the probabilities that the player itself tells, on the board
    as it stands.
    """
    if position.payoffs is not None:
        payoff = position.payoffs[seat]
        return PossibleGames(1, payoff < 0, payoff == 0, Fraction(int(payoff < 0)))
    likely = {move: Fraction(1) for move in position.game.legal(position.state)}
    if position.mover == seat:
        found = player.probabilities(position.game, position.state)
        likely = {move: Fraction(p).limit_denominator(1000) for move, p in found.items() if p > 0}
        if not likely:
            return PossibleGames(1, 1, 0, Fraction(1))
    each = [
        (share, walked(player, position.play(position.game.name_move(position.state, move)), seat))
        for move, share in likely.items()
    ]
    beaten = [share * lines.beaten for share, lines in each]
    return PossibleGames(
        sum(lines.total for _share, lines in each),
        sum(lines.lost for _share, lines in each),
        sum(lines.drawn for _share, lines in each),
        sum(beaten, Fraction(0)) if position.mover == seat else max(beaten),
    )


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    ("agent", "seat"), [("beads:preset=her", "2"), ("beads:preset=her", "1"), ("beads:preset=michie", "2")]
)
def test_the_lines_are_those_of_a_naive_walk(rule: str, agent: str, seat: str) -> None:
    box_set, number = box_set_of(rule, agent, seat), int(seat) - 1
    start = box_set.lab.game.position()
    for games in (0, 7, 40):
        memory = after(box_set, 3, [Bulk(games, "random")] if games else []).memory
        player = box_set.learner(memory)
        assert MachineLines(box_set, memory, number).of(start) == walked(player, start, number)


@pytest.mark.parametrize("games", [0, 10, 60])
def test_who_knows_the_boxes_wins_as_often_as_the_grade_says(games: int) -> None:
    box_set = box_set_of("hexapawn:blocked=loss")
    memory = after(box_set, 2, [Bulk(games, "random")] if games else []).memory
    found = MachineLines(box_set, memory, 1).of(box_set.lab.game.position())
    best = grade(box_set.lab.game, box_set.learner(memory), RandomPlayer()).best_response[0]
    assert float(found.beaten) == pytest.approx(best.win, abs=1e-12)
    assert found.drawn == 0


def test_a_machine_before_its_first_game() -> None:
    box_set = box_set_of("hexapawn")
    memory = after(box_set, 1, []).memory
    assert MachineLines(box_set, memory, 1).of(box_set.lab.game.position()) == (101, 47, 11, Fraction(2, 3))


@pytest.mark.parametrize("seed", shortly([1, 2, 3], 1))
def test_who_knows_the_boxes_teaches_until_nobody_can_beat_the_machine(seed: int) -> None:
    box_set = box_set_of("hexapawn")
    played = played_on(box_set, seed, [], 40)
    assert played[:10] == played_on(box_set_of("hexapawn"), seed, [], 10)
    known = after(box_set, seed, played)
    found = MachineLines(box_set, known.memory, 1).of(box_set.lab.game.position())
    assert found.lost == found.beaten == 0
    best = grade(box_set.lab.game, box_set.learner(known.memory), RandomPlayer()).best_response[0]
    assert best.win == 0
    assert sum(result.losses for result in known.results) <= 20


def test_a_game_with_dice_is_refused() -> None:
    box_set = box_set_of("pig:target=4", "beads", "1")
    with pytest.raises(Unsuitable, match="chance"):
        MachineLines(box_set, after(box_set, 1, []).memory, 0)


@pytest.mark.parametrize(
    ("game", "title"),
    [("hexapawn", "Hexapawn: "), ("hexapawn:blocked=loss", "Hexapawn (width=3, height=3, blocked=loss): ")],
)
def test_its_sheets_call_the_game_as_people_do(game: str, title: str) -> None:
    assert title_of(new_machine(Lab(load(game), Job()), "beads:preset=her", "2")).startswith(title)
