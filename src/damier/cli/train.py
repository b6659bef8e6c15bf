"""`damier train`: a learner learns from games; its curve, every block graded exactly."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from damier.cli.command import (
    Begin,
    ClusterAddress,
    GameName,
    GradeEvery,
    Json,
    MaxPlies,
    Report,
    Seed,
    SharedWork,
    checked_seed,
    percent,
    remark,
    report,
    say,
    table,
    within,
)
from damier.cli.live import watching
from damier.cli.play import ask, shown, to_stderr
from damier.core.data_files import SUFFIXES as TABLES
from damier.core.errors import BadInput, at_most_one
from damier.core.files import make_place, previous
from damier.core.grade import block_facts, grade_facts
from damier.core.words import _, decimal, grouped, message
from damier.draw.curve import Point, Series, curve_text, signs_for
from damier.draw.picture_files import require_picture
from damier.lab import curves
from damier.lab.agents import AGENTS_OF_DAMIER
from damier.lab.curves import rates_in_words, title_of
from damier.lab.games import Lab, load
from damier.lab.plugins import PluginRegistry, function_of
from damier.lab.training import Plan, Trainer, read_starts, trainer
from damier.learn.store import stages_of


@dataclass(frozen=True)
class PluginTraining:
    """An order to train a learner that a plug-in brings and trains by itself.

    Attributes:
        game, learner: as they were written
        games: how many in all; None: no limit; seconds: the time that it may take
        every: games between two grades; 0: never; None: as often as takes little of the time
        options: those of `damier train` that were given and that only other learners have
    """

    game: str
    learner: str
    games: int | None
    seconds: float | None
    out: Path | None
    curve: Path | None
    resume: bool
    overwrite: bool
    every: int | None
    seed: int
    cluster: str | None
    work: SharedWork
    json: bool
    options: tuple[str, ...]


TRAINERS: PluginRegistry[Callable[[PluginTraining], None]] = PluginRegistry(
    "damier.trainers", {}, function_of
)
"""What trains the learners of plug-ins that have a training of their own, by their names."""


def train(
    game: GameName,
    learner: Annotated[
        str, Parameter(help=_("q, v, mean, beads, menace, q:preset=hexapion … (damier agents)"))
    ],
    /,
    *,
    games: Annotated[
        int | None,
        Parameter(converter=within(), help=_("how many games in all (default: the preset's own, or 100000)")),
    ] = None,
    seconds: Annotated[
        float | None,
        Parameter(help=_("of zero: how long it may train (default: 60, if --games is not given)")),
    ] = None,
    opponent: Annotated[
        str | None,
        Parameter(
            help=_(
                "random, perfect, self, self:table=separate, any agent (default: the preset's own, or random)"
            )
        ),
    ] = None,
    seat: Annotated[
        Literal["1", "2", "alternate"] | None,
        Parameter(help=_("where the learner sits (default: the preset's own, or 1)")),
    ] = None,
    out: Annotated[
        Path | None, Parameter(name=("--out", "-o"), help=_("the file of the agent, kept up to date"))
    ] = None,
    curve: Annotated[
        Path | None,
        Parameter(
            help=_("draw the learning curve to a .svg, .png or .pdf file, or write it as .csv or .parquet")
        ),
    ] = None,
    resume: Annotated[
        bool,
        Parameter(negative=(), show_default=False, help=_("go on from the file of --out, if it is there")),
    ] = False,
    overwrite: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help=_("begin anew where the file of --out is there; what it was is kept as NAME.previous.json"),
        ),
    ] = False,
    checkpoint_every: Annotated[
        int | None, Parameter(converter=within(), help=_("games between savings (default: a few seconds)"))
    ] = None,
    grade_every: GradeEvery = "",
    position: Begin = None,
    positions: Annotated[
        str | None,
        Parameter(
            help=_(
                "games begin in these positions: a file with one a line, taken in turn; or random:plies=N,"
                " each after N random moves"
            )
        ),
    ] = None,
    max_plies: Annotated[MaxPlies, Parameter(converter=within(1, 1_000_000))] = 1000,
    seed: Seed = 0,
    cluster: ClusterAddress = None,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    if seconds is not None and not 0 < seconds <= 1e9:
        raise BadInput(message("--seconds {n}: it must be a number of seconds above 0", n=seconds))
    name = learner.partition(":")[0]
    if name not in AGENTS_OF_DAMIER and name.isidentifier() and name in TRAINERS:  # a plug-in trains it
        others = {
            "--opponent": opponent,
            "--seat": seat,
            "--checkpoint-every": checkpoint_every,
            "--position": position,
            "--positions": positions,
            "--max-plies": max_plies if max_plies != 1000 else None,
        }
        order = PluginTraining(
            game,
            learner,
            games,
            seconds,
            out,
            curve,
            resume,
            overwrite,
            grades_between(grade_every),
            checked_seed(seed),
            cluster,
            work or SharedWork(),
            json,
            tuple(option for option, value in others.items() if value is not None),
        )
        TRAINERS[name](order)
        return
    if seconds is not None or cluster is not None:
        raise BadInput(
            message(
                "{option}: {learner} has no such option; zero has",
                option="--cluster" if seconds is None else "--seconds",
                learner=learner,
            )
        )
    if out is not None and out.suffix == ".txt":
        raise BadInput(
            message(
                "--out {path}: .txt is the Hexapawn lab's; write NAME.json, and then damier show NAME.json -o"
                " {path}",
                path=out,
            )
        )
    if out is not None:
        make_place(out)
    require_place(out, resume=resume, overwrite=overwrite, saves=checkpoint_every is not None)
    if curve is not None:
        require_picture(curve, *TABLES)
    job, notes = (work or SharedWork()).job()
    tell = to_stderr if json else say
    lab = Lab(load(game), job, lambda prompt: ask(prompt, tell), tell)
    starts = read_starts(lab.game, position, positions)
    every = grades_between(grade_every)
    made = trainer(lab, Plan(learner, opponent, seat, checked_seed(seed), max_plies, every, starts))
    made.training.table.agents = (made.learner, shown(made.opponent, tell))
    made.training.save_every = checkpoint_every
    games = games or made.usual_games
    if out is not None:
        if resume and out.exists():
            made.resume(out)
        made.save_to(out, keep_previous=overwrite and out.exists())
    interrupted = False
    try:
        with (
            contextlib.nullcontext()
            if json or (work and work.quiet) or made.opponent.text == "human"
            else watching(made, games)
        ):
            made.training.run(games, made.lab.job)
    except KeyboardInterrupt:  # what was learnt is saved
        interrupted = True
    if curve is not None:
        curves.write_curve(curves.learnt_so_far(made), curve, curves.title_of(made))
    report(facts(made), json, lambda: show(made, curves.of_training(made)), out, curve, notes=notes)
    if interrupted:
        if out is not None:
            remark(
                _(
                    "stopped after {n} games; saved in {path}: --resume goes on",
                    n=grouped(made.training.episodes),
                    path=out,
                )
            )
        raise KeyboardInterrupt


def require_place(out: Path | None, *, resume: bool, overwrite: bool, saves: bool = False) -> None:
    """Raises BadInput where a training cannot go on from `out`, or begin there."""
    if out is None:
        if resume or overwrite or saves:
            raise BadInput(
                message(
                    "--resume, --overwrite and --checkpoint-every need --out FILE, the file to go on from or"
                    " to write"
                )
            )
        return
    if not out.is_dir():
        make_place(out)
    at_most_one(resume=resume, overwrite=overwrite)
    if out.exists() and not (resume or overwrite):
        raise BadInput(
            message(
                "{path} is there: --resume goes on from it, --overwrite begins anew and keeps it as"
                " {previous}",
                path=out,
                previous=previous(out),
            )
        )


def grades_between(text: str) -> int | None:
    """Return what --grade-every says: games, 0 for never, None where it is not given. Raises BadInput."""
    if not text:
        return None
    if text == "never":
        return 0
    if not (text.isascii() and text.isdigit() and len(text) <= 13 and 0 < int(text) <= 1 << 40):
        raise BadInput(
            message("--grade-every {text}: it must be a whole number of games above 0, or never", text=text)
        )
    return int(text)


def facts(made: Trainer) -> Report:
    """Return what is reported of a training."""
    training = made.training
    blocks = training.curve.blocks
    last = blocks[-1].grade if blocks else None
    return {
        "game": made.lab.game.text,
        "learner": made.learner.text,
        "opponent": made.plan.opponent,
        "seat": made.plan.seat,
        "seed": made.plan.seed,
        **({"starts": made.facts_of_file["starts"]} if "starts" in made.facts_of_file else {}),
        "games": training.episodes,
        "against": made.against,
        "curve": [block_facts(block) for block in blocks],
        "grade": grade_facts(last) if last else None,
        "games_per_second": round(training.games_per_second, 1),
    }


def show(made: Trainer, learnt: Series) -> None:
    """The curve as a table and as a plot."""
    if made.learner.text != made.plan.learner:
        say(_("{learner} is {full}", learner=made.plan.learner, full=made.learner.text))
    table(
        (_("games"), _("win"), _("draw"), _("loss"), "ε", _("grade"), _("ceiling")),
        map(row_of, learnt.points),
        title_of(made),
        numbers=range(7),
    )
    if learnt.points:
        say(curve_text(learnt, signs=signs_for(sys.stdout.encoding)))
        say()
        say(_("the last block, with 95 % intervals:"))
        say("  " + rates_in_words(learnt.points[-1]))
    if learnt.ceilings:
        say(
            _(
                "grade: exact mean payoff against {against}, without exploration; ceiling: the most that any"
                " policy gets",
                against=made.against,
            )
        )
    for games, begun in stages_of(made.facts_of_file):
        before = begun or _("the start of the game")
        say(_("up to game {n}, games began here: {position}", n=grouped(games), position=before))
    if "starts" in made.facts_of_file and learnt.ceilings:
        say(_("grades are of games from the start, all the same"))


def row_of(point: Point) -> tuple[str, ...]:
    """A block as a line of the table."""
    graded = ["" if payoff is None else decimal(payoff, "+.4f") for payoff in (point.payoff, point.ceiling)]
    return (
        grouped(point.games),
        *(percent(rate.rate) for rate in point.rates),
        decimal(point.epsilon, ".3f"),
        *graded,
    )
