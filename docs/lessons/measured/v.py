"""What v.md says: the V-function at tic-tac-toe, document S3 (rows A-64 to A-72)."""

from __future__ import annotations

from collections.abc import Callable

from damier.arena.match import wilson
from damier.core.grade import Chances
from damier.draw.curve import curve_svg
from damier.lab.training import Trainer
from measured.french import said
from measured.training import SEEDS, curve, graded, mean, trained
from measured.writing import holds, spread, table

GAME, AGENT, GAMES = "tictactoe", "v:preset=vfunction", 10_000
ALPHAS, LENGTHS = ("0.5", "0.1", "0.01"), (1_000, 10_000, 100_000)


def second(made: Trainer) -> Chances:
    """What agent 2 is worth against random, exactly: what the document's `test` estimates."""
    assert made.saved_opponent is not None
    return graded(GAME, made.saved_opponent).seats[1]


def won(made: Trainer) -> float:
    """Share of its training games that agent 1 won."""
    return sum(block.wins for block in made.training.curve.blocks) / made.training.games


def in_training() -> str:
    """What the document prints after training, and why it says little."""
    runs = [trained(GAME, AGENT, GAMES, seed) for seed in SEEDS]
    random, wins = graded(GAME, "random").seats[0].win, [won(made) for made in runs]
    epsilon = {round(made.learner.memory.epsilon, 4) for made in runs}
    return holds(
        abs(mean(wins) - 0.585) < 0.02 and epsilon == {0.6698},
        f"Over {len(SEEDS)} seeds agent 1 wins {spread(wins, '.3f')} of its {GAMES:,} training games. Two"
        f" random players would give {random:.3f}: the figure says next to nothing about what was learnt."
        f" After 100 decays ε is 0.996¹⁰⁰ = {epsilon.pop()}, so that two moves of three are still random when"
        " training ends.",
    )


def in_test() -> str:
    """What the document's test of 100 games measures, exactly."""
    wins = [second(trained(GAME, AGENT, GAMES, seed)).win for seed in SEEDS]
    low, high = wilson(round(100 * mean(wins)), 100)
    return (
        f"Agent 2, greedy, wins {spread(wins, '.3f')} against random over {len(SEEDS)} seeds, exactly. A test"
        f" of 100 games that shows {round(100 * mean(wins))} wins could come from anything between {low:.2f}"
        f" and {high:.2f} (95 % interval), which is wider than all that the seeds differ by. The exact grade"
        " needs no game."
    )


def rates() -> str:
    """Row A-72: the learning rate against the length of the training."""
    rows = []
    for alpha in ALPHAS:
        learnt = [
            [second(trained(GAME, alpha_agent(alpha, games), games, seed)).payoff for seed in SEEDS]
            for games in LENGTHS
        ]
        rows.append((f"α = {alpha}", *(spread(payoffs, "+.3f") for payoffs in learnt)))
    return table(("agent 2 against random", *(f"{games:,} games" for games in LENGTHS)), rows)


def alpha_agent(alpha: str, games: int) -> str:
    """The document's agent at another learning rate; epsilon decays a hundred times in a training,
    as there.
    """
    return f"{AGENT},alpha={alpha},decay_every={games // 100}"


def lesson() -> str:
    """What the table says about the document's sentence."""
    learnt = {
        (a, n): mean([second(trained(GAME, alpha_agent(a, n), n, seed)).payoff for seed in SEEDS])
        for a in ALPHAS
        for n in LENGTHS
    }
    short = learnt["0.5", 1_000] > learnt["0.01", 1_000] and learnt["0.1", 10_000] > learnt["0.01", 10_000]
    ranges = {
        a: [second(trained(GAME, alpha_agent(a, 100_000), 100_000, seed)).payoff for seed in SEEDS]
        for a in ALPHAS
    }
    narrow = min(ALPHAS, key=lambda a: max(ranges[a]) - min(ranges[a])) == "0.01"
    long = min(learnt["0.1", 100_000], learnt["0.01", 100_000]) > learnt["0.5", 100_000]
    return holds(
        short and long and narrow,
        "The sentence is right. α = 0.5 leads after 1,000 games and then hardly improves: it forgets as fast"
        " as it learns, so that a value says how the last few games went. α = 0.01 is behind after 10,000"
        " games and has caught up after 100,000, with the smallest range.",
    )


def exploration() -> str:
    """The document's schedule beside one that decays."""
    rows = []
    for name, agent in (
        ("the document: 0.996, ends at 0.67", AGENT),
        ("`decay=0.96`, ends at 0.1", f"{AGENT},decay=0.96"),
        ("no decay: ε = 1", f"{AGENT},decay=1"),
    ):
        runs = [trained(GAME, agent, GAMES, seed) for seed in SEEDS]
        first = [graded(GAME, made.learner).seats[0].payoff for made in runs]
        rows.append(
            (
                name,
                spread([won(made) for made in runs], ".3f"),
                spread(first, "+.3f"),
                spread([second(made).payoff for made in runs], "+.3f"),
            )
        )
    return table(("ε", "agent 1 wins in training", "agent 1 against random", "agent 2 against random"), rows)


def picture() -> str:
    games = 100_000
    agents = [(f"α = {alpha}", f"v:alpha={alpha},epsilon=1") for alpha in ALPHAS]
    drawn = [curve(said(name), GAME, agent, games, "random", "2", "random") for name, agent in agents]
    return curve_svg(drawn, said("The V-function at tic-tac-toe, as O against random: mean of 20 trainings"))


BLOCKS: dict[str, Callable[[], str]] = {
    "v-training": in_training,
    "v-test": in_test,
    "v-alpha": rates,
    "v-lesson": lesson,
    "v-exploration": exploration,
}
PICTURES: dict[str, Callable[[], str]] = {"v.svg": picture}
