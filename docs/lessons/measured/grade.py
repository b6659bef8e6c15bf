"""What grade.md says: exact grades, and perfect players against imperfect ones (row A-63)."""

from __future__ import annotations

from collections.abc import Callable

from damier.core.grade import Grade
from damier.draw.curve import curve_svg
from measured.french import said
from measured.training import SEEDS, curve, graded, level, mean, trained
from measured.writing import holds, spread, table

GAMES = ("tictactoe", "hexapawn", "hexapawn:blocked=loss", "nim")
PERFECT = (
    "perfect:ties=first",
    "perfect:ties=last",
    "perfect:ties=random",
    "perfect:prefer=fastest,ties=first",
    "perfect:prefer=fastest",
)
GAME, LEARNER = "tictactoe", "q:alpha=0.05,epsilon=1"
LENGTHS = (1_000, 10_000, 100_000, 400_000)


def ties() -> str:
    """Perfect players against the random one, at both seats of several games."""
    rows = [(f"`{agent}`", *(pair(game, agent) for game in GAMES)) for agent in PERFECT]
    ceilings = [
        f"{first.payoff:+.4f} / {second.payoff:+.4f}"
        for first, second in (graded(game, "random").best_against for game in GAMES)
    ]
    return table(
        ("against random, seat 1 / seat 2", *(f"`{game}`" for game in GAMES)),
        [*rows, ("**best response**: the ceiling", *ceilings)],
    )


def pair(game: str, agent: str) -> str:
    first, second = graded(game, agent).seats
    return f"{first.payoff:+.4f} / {second.payoff:+.4f}"


def learnt(games: int) -> list[Grade]:
    """Grades of learners that played X and O in turn against random, one a seed."""
    return [
        graded(GAME, trained(GAME, LEARNER, games, seed, "random", "alternate").learner) for seed in SEEDS
    ]


def shares() -> str:
    """A learner against random: its payoff climbs to the ceiling, its optimal share stays below 1."""
    rows = [(f"{games:,} games", *cells(learnt(games))) for games in LENGTHS]
    rows.append(("`perfect:ties=first`", *cells([graded(GAME, "perfect:ties=first")])))
    first, second = graded(GAME, "random").best_against
    rows.append(("**the ceiling**", f"{first.payoff:+.3f}", f"{second.payoff:+.3f}", "", ""))
    return table(
        (
            "against random",
            "payoff as X",
            "payoff as O",
            "optimal share, reached",
            "the most that anybody, as X, gets against it",
        ),
        rows,
    )


def cells(grades: list[Grade]) -> list[str]:
    payoffs = [spread([grade.seats[seat].payoff for grade in grades], "+.3f") for seat in (0, 1)]
    share, response = (
        [grade.optimal_share_reached for grade in grades],
        [grade.best_response[0].payoff for grade in grades],
    )
    return [*payoffs, spread(share, ".3f"), spread(response, "+.3f")]


def why() -> str:
    """Why the optimal share stays below 1."""
    grades, perfect = learnt(LENGTHS[-1]), graded(GAME, "perfect:ties=first")
    payoff = mean([grade.seats[1].payoff for grade in grades])
    beaten = sum(grade.best_response[0].payoff > 0.999 for grade in grades)
    return holds(
        payoff > perfect.seats[1].payoff and beaten > len(SEEDS) / 2 and perfect.best_response[0].win == 0,
        f"As O the learner gains {payoff:+.3f} from random, more than perfect play does,"
        f" {perfect.seats[1].payoff:+.3f}. It gets that with moves that a good opponent punishes and random"
        f" rarely does. Whoever knows its table, and plays X, beats {beaten} of the {len(SEEDS)} learners"
        " every time; nobody beats a perfect player once.",
    )


def picture() -> str:
    games = 200_000
    drawn = [curve(LEARNER, GAME, LEARNER, games, "random", "alternate", "random")]
    seats = graded(GAME, "perfect:ties=first").seats
    drawn.append(
        level(
            said("`perfect:ties=first`, which does not learn").replace("`", ""),
            mean([chances.payoff for chances in seats]),
            games,
            "random",
        )
    )
    return curve_svg(drawn, said("Tic-tac-toe, X and O in turn, against random: mean of 20 trainings"))


BLOCKS: dict[str, Callable[[], str]] = {"grade-ties": ties, "grade-shares": shares, "grade-why": why}
PICTURES: dict[str, Callable[[], str]] = {"grade.svg": picture}
