"""What matchboxes.md says of MENACE and of Gardner's hexapawn machine (rows A-26 to A-32)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from statistics import mean

from damier.core.loop import LOSSES
from damier.draw.curve import curve_svg
from damier.lab.training import Plan, trainer
from damier.learn.training import ungraded
from measured.french import said
from measured.training import SEEDS, curve, graded, lab, trained
from measured.writing import holds, quartiles, spread, table

MENACES = {
    "Michie: 4-3-2-1 beads, a bead out of every box": "michie",
    "Scroggs: 8-4-2-1 beads, a bead out of every box": "scroggs",
    "document S0: 4-3-2-1, only the last box, back while empty": "hexapion",
}
LENGTHS = (200, 1_000, 10_000, 100_000)
HER_SEEDS = range(100)
MOST_GAMES = 5_000


def losses(preset: str, games: int, opponent: str) -> list[float]:
    """How often a machine loses to the opponent that it was trained against, exactly, one a seed."""
    machines = [
        trained("tictactoe", f"beads:preset={preset}", games, seed, opponent, "1").learner for seed in SEEDS
    ]
    return [graded("tictactoe", machine, opponent).seats[0].loss for machine in machines]


def menace_against(opponent: str) -> str:
    rows = []
    for name, preset in MENACES.items():
        found = [losses(preset, games, opponent) for games in LENGTHS]
        dead = sum(loss == 1 for loss in found[-1])
        rows.append((name, *(spread(one, ".3f") for one in found), f"{dead} of {len(SEEDS)}"))
    return table(
        (f"MENACE loses to {opponent}", *(f"{games:,} games" for games in LENGTHS), "gave up for good"), rows
    )


def does_menace_learn() -> str:
    """Whether it learns not to lose."""
    cascade, random = (
        losses("hexapion", 100_000, "perfect"),
        [losses(preset, 100_000, "random") for preset in MENACES.values()],
    )
    dead = [sum(loss == 1 for loss in losses(preset, 100_000, "perfect")) for preset in ("michie", "scroggs")]
    return holds(
        max(cascade) < 0.001 and dead[0] > dead[1] and min(map(mean, random)) > 0.01,
        "**Against perfect play: yes, if it survives.** At first it loses often, and every loss costs beads."
        f" With a bead out of every box, {dead[0]} of {len(SEEDS)} machines with Michie's beads emptied their"
        f" first box, and resign for ever; with Scroggs's eight beads there, {dead[1]} of {len(SEEDS)}. The"
        " document's rule takes a bead from the last box only: no machine dies, and after 100,000 games the"
        f" worst loses {max(cascade):.4f} of its games. **Against random: not quite.** It wins so often that"
        f" bad moves are rewarded too: after 100,000 games it still loses {min(map(mean, random)):.3f} to"
        f" {max(map(mean, random)):.3f} of them, by the preset.",
    )


@cache
def her_games(blocked: str, opponent: str) -> list[tuple[int, int]]:
    """Games and lost games until nobody can win against the hexapawn machine any more, one pair a
    seed.
    """
    game = f"hexapawn:blocked={blocked}"
    found = []
    for seed in HER_SEEDS:
        made = trainer(lab(game), Plan("beads:preset=her", opponent, "2", seed))
        made.training.grade = ungraded
        games = lost = 0
        beatable = True
        while beatable and games < MOST_GAMES:
            ends = made.training.table.play(games, games + 1, jit=False).tallies
            games += 1
            if ends[3 + LOSSES]:  # only a loss changes the beads
                lost += 1
                beatable = graded(game, made.learner).best_response[0].win > 1e-12
        found.append((games, lost))
    return found


def her() -> str:
    rows = []
    for blocked in ("loss", "draw"):
        for opponent in ("random", "perfect"):
            found = her_games(blocked, opponent)
            perfect = f"{sum(games < MOST_GAMES for games, _lost in found)} of {len(HER_SEEDS)}"
            name = f"`blocked={blocked}`, against {opponent}"
            rows.append(
                (
                    name,
                    perfect,
                    quartiles([games for games, _lost in found]),
                    quartiles([lost for _games, lost in found]),
                )
            )
    return table(
        (
            "hexapawn",
            "machines that cannot be beaten any more",
            "after games: median (range)",
            "of them lost",
        ),
        rows,
    )


def picture() -> str:
    presets = ("scroggs", "hexapion", "michie")
    drawn = [
        curve(
            f"beads:preset={preset}", "tictactoe", f"beads:preset={preset}", 4_000, "perfect", "1", "perfect"
        )
        for preset in presets
    ]
    return curve_svg(drawn, said("MENACE against perfect play: mean of 20 machines"))


BLOCKS: dict[str, Callable[[], str]] = {
    "menace-perfect": lambda: menace_against("perfect"),
    "menace-random": lambda: menace_against("random"),
    "menace-answer": does_menace_learn,
    "her": her,
}
PICTURES: dict[str, Callable[[], str]] = {"matchboxes.svg": picture}
