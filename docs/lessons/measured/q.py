"""What q.md says: Q-learning at hexapawn, document S0 (rows A-7 to A-24)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from statistics import median

from damier.core.grade import Chances
from damier.core.job import Job
from damier.draw.curve import curve_svg
from damier.learn.parameters import SeatName
from damier.solve import solve
from damier.solve.grade import Grader
from measured.french import said
from measured.training import SEEDS, curve, graded, lab, trained
from measured.writing import holds, spread, table

GAME, AGENT, GAMES = "hexapawn", "q:preset=hexapion", 100_000
VARIANTS = {
    "the document: backward, fresh maxima": AGENT,
    "one-step Q-learning (`backward_updates=false`)": f"{AGENT},backward_updates=false",
    "SARSA (`backward_updates=false,on_policy=true`)": f"{AGENT},backward_updates=false,on_policy=true",
    "Q(0.9) (`backward_updates=false,lambda=0.9`)": f"{AGENT},backward_updates=false,lambda=0.9",
    "softmax (`policy=softmax`)": f"{AGENT},policy=softmax",
    "softmax, `temperature=10`": f"{AGENT},policy=softmax,temperature=10",
    "no rewards for pawns (`event=0`)": f"{AGENT},event=0",
}


def payoffs(learner: str, games: int, seat: SeatName) -> list[float]:
    """Exact, against random, one a seed."""
    return [
        graded(GAME, trained(GAME, learner, games, seed, "random", seat).learner).seats[int(seat) - 1].payoff
        for seed in SEEDS
    ]


def ceiling(seat: int) -> float:
    return graded(GAME, "random").best_against[seat - 1].payoff


def matchups() -> str:
    """All that row A-14 asks for, exactly, for White and Black."""
    random = graded(GAME, "random").seats[0]
    white = [
        graded(GAME, trained(GAME, AGENT, GAMES, seed, "random", "1").learner).seats[0] for seed in SEEDS
    ]
    black = [
        turned(graded(GAME, trained(GAME, AGENT, GAMES, seed, "random", "2").learner).seats[1])
        for seed in SEEDS
    ]
    perfect = graded(GAME, "perfect", "perfect").seats[0]
    rows = [row("random / random", [random]), row("agent / random", white), row("random / agent", black)]
    rows += [
        row("agent / agent", [between_agents(seed) for seed in SEEDS]),
        row("perfect / perfect", [perfect]),
    ]
    return table(("White / Black", "White wins", "draw", "Black wins", "White's payoff"), rows)


def turned(chances: Chances) -> Chances:
    """As the other player sees it."""
    return Chances(chances.loss, chances.draw, chances.win)


def row(name: str, chances: list[Chances]) -> tuple[str, ...]:
    return (
        name,
        *(spread([getattr(c, end) for c in chances], ".3f") for end in ("win", "draw", "loss")),
        spread([c.payoff for c in chances], "+.3f"),
    )


def between_agents(seed: int) -> Chances:
    """Two agents that learnt from each other, White's side."""
    made = trained(GAME, AGENT, GAMES, seed, "self:table=separate", "1")
    assert made.saved_opponent is not None
    return Grader(lab(GAME).game, made.saved_opponent, Job(jit=False)).grade(made.learner).seats[0]


def observed() -> str:
    """What one sees in them."""
    ends = Counter(
        "White wins" if c.win == 1 else "draw" if c.draw == 1 else "Black wins"
        for c in map(between_agents, SEEDS)
    )
    assert solve(lab(GAME).game).value(lab(GAME).game.start) == "draw"
    first, second = payoffs(AGENT, GAMES, "1"), payoffs(AGENT, GAMES, "2")
    reached = [
        sum(abs(p - ceiling(seat)) < 1e-9 for p in learnt) for seat, learnt in ((1, first), (2, second))
    ]
    return holds(
        max(first) <= ceiling(1) + 1e-9 and max(second) <= ceiling(2) + 1e-9,
        "Between random players White, who starts, wins more often. An agent turns either seat into an"
        f" advantage: after {GAMES:,} games {reached[0]} of {len(SEEDS)} agents play White exactly at the"
        f" ceiling, {ceiling(1):+.4f}, and {reached[1]} of {len(SEEDS)} play Black there, {ceiling(2):+.4f}."
        " Two agents that learn from each other end in"
        f" {' and '.join(f'a {name} ({n} of {len(SEEDS)})' for name, n in ends.most_common())}, which is what"
        " hexapawn is worth.",
    )


def variants() -> str:
    """How the other updates do with the same constants."""
    checkpoints = (200, 1_000, 5_000, 20_000)
    rows = [
        (name, *(spread(payoffs(learner, games, "1"), "+.3f") for games in checkpoints))
        for name, learner in VARIANTS.items()
    ]
    return table(
        (
            "White, against random; ceiling " + f"{ceiling(1):+.3f}",
            *(f"{games:,} games" for games in checkpoints),
        ),
        rows,
    )


def captures() -> str:
    """The error of the skeleton: the captures of player 2 are never told."""
    rows = []
    for name, learner in (
        ("both players' captures are told", AGENT),
        ("only player 1's (`events=first`)", f"{AGENT},events=first"),
    ):
        cells = []
        for seat in ("1", "2"):
            learnt = payoffs(learner, GAMES, seat)
            at = sum(abs(payoff - ceiling(int(seat))) < 1e-9 for payoff in learnt)
            cells += [spread(learnt, "+.3f"), f"{at} of {len(SEEDS)}"]
        rows.append((name, *cells))
    return table(("", "as White", "at the ceiling", "as Black", "at the ceiling"), rows)


def states() -> str:
    """How many positions there are, and how many a White agent meets."""
    met = [len(trained(GAME, AGENT, GAMES, seed, "random", "1").learner.memory) for seed in SEEDS]
    counted = len(solve(lab(GAME).game))
    return (
        f"`damier count hexapawn` finds {counted}, finished ones included; the table of an agent that plays"
        f" White has {median(met):.0f} rows."
    )


def picture() -> str:
    return curve_svg(
        [curve("q:preset=hexapion", GAME, AGENT, 20_000, "random", "1", "random")],
        said("Q-learning at hexapawn, White against random: 20 trainings"),
    )


BLOCKS: dict[str, Callable[[], str]] = {
    "q-matchups": matchups,
    "q-observed": observed,
    "q-variants": variants,
    "q-captures": captures,
    "q-states": states,
}
PICTURES: dict[str, Callable[[], str]] = {"q.svg": picture}
