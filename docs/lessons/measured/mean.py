"""What mean.md says: mean scores at tic-tac-toe, document S4 (rows A-77 to A-81)."""

from __future__ import annotations

from collections.abc import Callable

from damier.core.grade import Chances, Grade
from damier.core.moves import each
from damier.draw.curve import curve_svg
from damier.learn.parameters import SeatName
from measured.french import said
from measured.training import SEEDS, curve, graded, lab, level, trained
from measured.writing import holds, spread, table

GAME, RL, AI = "tictactoe", "mean:preset=morpion", "perfect:prefer=value,ties=first"
GAMES = 100_000
TRAINERS = {"random": "random", "ai": AI, "rl": RL}
SEATS: tuple[SeatName, SeatName] = ("1", "2")


def grades(trainer: str, seat: int, against: str) -> list[Grade]:
    """Of rl after its training at a seat, one a seed."""
    return [
        graded(GAME, trained(GAME, RL, GAMES, seed, TRAINERS[trainer], SEATS[seat]).learner, against)
        for seed in SEEDS
    ]


def payoffs(trainer: str, seat: int, against: str = "random") -> list[float]:
    return [grade.seats[seat].payoff for grade in grades(trainer, seat, against)]


def ai(seat: int) -> Chances:
    return graded(GAME, AI).seats[seat]


def against_random() -> str:
    """All players against the random one, at both seats."""
    rows: list[tuple[str, ...]] = []
    for name, agent in (("random", "random"), ("ai", AI)):
        first, second = graded(GAME, agent).seats
        versus_ai = graded(GAME, agent, AI).seats[1].payoff
        rows.append(
            (
                name,
                f"{first.payoff:+.4f}",
                f"{second.win:.4f}",
                f"{second.draw:.4f}",
                f"{second.loss:.4f}",
                f"{second.payoff:+.4f}",
                f"{versus_ai:+.4f}",
            )
        )
    for trainer in TRAINERS:
        seconds = [grade.seats[1] for grade in grades(trainer, 1, "random")]
        ends = [
            spread([getattr(chances, end) for chances in seconds], ".3f") for end in ("win", "draw", "loss")
        ]
        worth = [
            spread(payoffs(trainer, seat, against), "+.3f")
            for seat, against in ((0, "random"), (1, "random"), (1, AI))
        ]
        rows.append((f"rl trained against {trainer}", worth[0], *ends, *worth[1:]))
    first, second = graded(GAME, "random").best_against
    rows.append(
        (
            "**the ceiling**",
            f"{first.payoff:+.4f}",
            f"{second.win:.4f}",
            f"{second.draw:.4f}",
            f"{second.loss:.4f}",
            f"{second.payoff:+.4f}",
            "0",
        )
    )
    return table(("player", "as X: payoff", "as O: win", "draw", "loss", "payoff", "as O against ai"), rows)


def does_rl_beat_ai() -> str:
    """The document's first question."""
    as_o, as_x = payoffs("random", 1), payoffs("random", 0)
    better = sum(payoff > ai(1).payoff for payoff in as_o)
    ceiling = graded(GAME, "random").best_against[0].payoff
    return holds(
        better == len(SEEDS) and abs(ai(0).payoff - ceiling) < 1e-12 and max(as_x) <= ceiling + 1e-12,
        f"**Yes, as O**, the seat of the sample command: in {better} of {len(SEEDS)} trainings rl is worth"
        f" more than ai's {ai(1).payoff:+.4f}, {spread(as_o)}. ai expects a perfect opponent, so that all"
        " drawn moves look the same to it and it takes the first; rl has learnt which of them random spoils"
        " most often. **No, as X**: there ai's first move, the corner, happens to reach the ceiling,"
        f" {ceiling:+.4f}, and nobody can beat that; rl comes to {spread(as_x)}.",
    )


def does_it_transfer() -> str:
    """The document's second question."""
    taught, random = payoffs("ai", 1), graded(GAME, "random").seats[1].payoff
    met = [len(trained(GAME, RL, GAMES, seed, AI, "2").learner.memory) for seed in SEEDS]
    drawn = all(payoff > -1e-12 for payoff in payoffs("ai", 1, AI))
    return holds(
        drawn and max(taught) < ai(1).payoff and max(met) < 40,
        f"**No.** Trained as O against ai, rl never loses to ai any more, in {len(SEEDS)} of {len(SEEDS)}"
        f" trainings. But ai always answers alike, so that {GAMES:,} games show rl only {min(met)} positions."
        " Everywhere else its means are still 0 and it plays at random: against random it is worth"
        f" {spread(taught)}, hardly more than the random player itself, {random:+.4f}.",
    )


def wrong_turns() -> str:
    """How often the footnote's rule names the wrong player."""
    game = lab(GAME).game
    reached, layer = 0, {game.start}
    wrong = 0
    while layer:
        moving = {s for s in layer if not game.over(s)}
        for s in moving:
            crosses = (s.mine if game.mover(s) == 0 else s.theirs).bit_count()
            wrong += (crosses % 2 == 0) != (game.mover(s) == 0)
        reached += len(moving)
        layer = {game.play(s, move) for s in moving for move in each(game.moves(s))}
    return (
        f"It names the wrong player in {wrong:,} of the {reached:,} positions in which somebody is to move."
    )


def picture() -> str:
    games = 20_000
    return curve_svg(
        [
            curve(said("rl, trained against random"), GAME, RL, games, "random", "2", "random"),
            curve(said("rl, trained against rl"), GAME, RL, games, RL, "2", "random"),
            level(said("ai, which does not learn"), ai(1).payoff, games, "random"),
            curve(said("rl, trained against ai"), GAME, RL, games, AI, "2", "random"),
        ],
        said("Mean scores at tic-tac-toe, as O: mean of 20 trainings"),
    )


BLOCKS: dict[str, Callable[[], str]] = {
    "mean-table": against_random,
    "mean-beats-ai": does_rl_beat_ai,
    "mean-transfer": does_it_transfer,
    "mean-footnote": wrong_turns,
}
PICTURES: dict[str, Callable[[], str]] = {"mean.svg": picture}
