"""`damier train GAME zero`: self-play, generation by generation, graded exactly while it learns; and
`damier show FOLDER`.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from damier.cli.command import (
    Report,
    percent,
    remark,
    report,
    say,
    table,
)
from damier.cli.train import PluginTraining, require_place
from damier.core.errors import BadInput
from damier.core.files import previous, write_bytes
from damier.core.game import written, written_game
from damier.core.job import TimeIsUp, time_limit
from damier.core.json_types import JsonObject, JsonValue
from damier.core.runtime import ONE_THREAD
from damier.core.words import _, decimal, grouped, labelled, message
from damier.draw.picture_files import require_picture, write_picture

if TYPE_CHECKING:
    from damier.plugins.zero.proven_moves import ZeroGrade, ZeroGrader
    from damier.plugins.zero.training import Generation, ZeroTraining

SECONDS = 60.0
"""How long a training takes where nobody said."""
SAVED_EVERY = 5.0
"""Seconds between two savings; at the end it is saved in any case."""


def train_zero(order: PluginTraining) -> None:
    """Train a network by self-play, as ordered on the command line. Raises BadInput, BadFile, Unsuitable."""
    if order.options:
        raise BadInput(
            message("zero learns from games against itself: it has no {option}", option=order.options[0])
        )
    if "numpy" not in sys.modules:
        os.environ.update(ONE_THREAD)
    from damier.lab.games import Lab, load
    from damier.lab.options import read_options
    from damier.lab.workers import hired
    from damier.plugins.zero.proven_moves import ZeroGrader
    from damier.plugins.zero.training import ZeroSettings, ZeroTraining

    require_place(order.out, resume=order.resume, overwrite=order.overwrite)
    if order.curve is not None:
        if order.every == 0:
            raise BadInput(message("there is no curve: the training was not graded"))
        require_picture(order.curve)
    job, notes = order.work.job()
    lab = Lab(load(order.game), job, seed=order.seed)
    options = read_options("zero", order.learner.partition(":")[2], ZeroSettings)
    training = ZeroTraining(lab, ZeroSettings(**options), order.seed)
    session = Session(training, ZeroGrader(lab, compiled=training.engines.jit), order)
    session.open()
    interrupted = False
    try:
        with hired(order.cluster, job) as hire, time_limit(session.seconds):
            training.run(session.goes_on, session.after, hire, session.tell)
    except KeyboardInterrupt:
        interrupted = True
    except TimeIsUp:
        pass
    session.close(interrupted)
    report(session.facts(), order.json, session.show, order.out, order.curve, notes=notes)
    if interrupted:
        if order.out is not None:
            done = grouped(training.learnt.games)
            remark(_("stopped after {n} games; saved in {path}: --resume goes on", n=done, path=order.out))
        raise KeyboardInterrupt


@dataclass
class Session:
    """One run of a training: its limits, its grades, its folder.

    Attributes:
        curve: the generations that were graded, as data
        last: the grade of what was learnt at the end
    """

    training: ZeroTraining
    grader: ZeroGrader
    order: PluginTraining
    curve: list[JsonValue] = field(default_factory=list)
    last: ZeroGrade | None = None
    played: float = 0.0

    def __post_init__(self) -> None:
        limited = self.order.seconds is not None or self.order.games is not None
        self.seconds = self.order.seconds if limited else SECONDS
        self._begun = self._saved = time.monotonic()
        self._first = self._told = 0
        self._every = 0
        self._what = _("games of self-play")

    def open(self) -> None:
        """Begins, or goes on from the folder. Raises BadInput, BadFile."""
        from damier.plugins.zero.files import is_folder

        out = self.order.out
        if out is not None and out.exists():
            if not is_folder(out):
                raise BadInput(message("{path} is there, and is no folder of an agent zero", path=out))
            if self.order.overwrite:
                kept = previous(out)
                if is_folder(kept):
                    shutil.rmtree(kept)
                if kept.exists():
                    raise BadInput(message("{path} is there, and is no folder of an agent zero", path=kept))
                out.rename(kept)
            else:
                self._resume(out)
        if self.order.every != 0:
            settings, plies = self.training.settings, self.training.sizes.plies
            usual = self.grader.generations_between(settings.games, plies, settings.simulations)
            self._every = usual if self.order.every is None else max(1, self.order.every // settings.games)
        self._remark_whole_generations()
        self.training.prepare()
        self._begun = time.monotonic()  # compiling, and finding the truth, is no training
        self.tell(self._first)

    def _remark_whole_generations(self) -> None:
        """Say before they are played how many games will be, where so many are no whole generations."""
        wanted, each = self.order.games, self.training.settings.games
        still = (wanted or 0) - self._first
        if wanted is not None and still > 0 and still % each:
            remark(
                _(
                    "--games {n}: zero plays whole generations of {each} games, {all} in all;"
                    " zero:games= makes them shorter",
                    n=grouped(wanted),
                    each=grouped(each),
                    all=grouped(self._first + -(-still // each) * each),
                )
            )

    def _resume(self, out: Path) -> None:
        from damier.lab.training import require_same
        from damier.learn.store import require_same_game
        from damier.plugins.zero.files import naming, open_folder
        from damier.plugins.zero.training import comparable

        found = open_folder(out)
        with naming(out):
            require_same_game(found.facts, self.training.lab.game)
        ours: JsonObject = {"seed": self.training.seed, **comparable(self.training.settings.as_json())}
        settings: Any = found.facts.get("settings")
        theirs: JsonObject = {"seed": found.facts.get("seed"), **comparable(settings)}
        require_same(out, theirs, ours)
        self.training.restore(out, *found.learner())
        curve = found.facts.get("curve")
        self.curve = curve if isinstance(curve, list) else []
        self._first = self.training.learnt.games

    def goes_on(self) -> bool:
        """Return whether there is time, and games, for another generation."""
        games = self.order.games
        if games is not None and self.training.learnt.games >= games:
            return False
        return self.seconds is None or time.monotonic() - self._begun < self.seconds

    def after(self, found: Generation) -> None:
        """Grades and saves what was learnt, as often as it is time to, and tells how far it is."""
        if self._every and (found.number % self._every == 0 or found.number & (found.number - 1) == 0):
            self.last = self._graded()
            self.curve.append(row_of(found, self.last))
        if time.monotonic() - self._saved > SAVED_EVERY:
            self.save()
        self._what = _(
            "games of self-play; value off by {error}", error=decimal(found.losses.value**0.5, ".3f")
        )
        if self.last:
            self._what = _(
                "games of self-play; exactly best {alone}, with {n} simulations {searched}",
                alone=percent(self.last.alone.share),
                n=self.last.simulations,
                searched=percent(self.last.searched.share),
            )
        self.tell(found.games)

    def tell(self, games: int) -> None:
        """Tell how many games have been played: those of the next generation before this one is learnt."""
        self._told = max(self._told, games)
        self.training.lab.job.progress(self._told, self.order.games, self._what)

    def _graded(self) -> ZeroGrade | None:
        from damier.plugins.zero.agent import ZeroPlayer
        from damier.plugins.zero.lockstep import SearchSettings

        search = self.training.settings.search()._replace(noise=0.0)
        if search.simulations == 1:
            search = search._replace(simulations=SearchSettings().simulations)
        player = ZeroPlayer("zero", self.training.engines, self.training.network(), search)
        return self.grader.grade(player)

    def save(self) -> None:
        """Writes the folder, if there is one."""
        from damier.plugins.zero.files import save

        self._saved = time.monotonic()
        if self.order.out is not None:
            training = self.training
            game = training.lab.game
            save(self.order.out, game, training.network(), training.arrays(), training.facts(self.curve))

    def close(self, interrupted: bool) -> None:
        """Saves and, where nobody waits for the end, grades what was learnt."""
        self.played = time.monotonic() - self._begun
        self.save()
        if not interrupted and self.order.every != 0:
            self.last = self._graded()
        if self.order.curve is not None and not (interrupted and not self.curve):
            write_picture(curve_svg(self.curve, self.training.lab.game.text), self.order.curve)

    def facts(self) -> Report:
        """Return what is reported of a training."""
        training = self.training
        new = training.learnt.games - self._first
        return {
            "game": training.lab.game.text,
            "learner": written("zero", {**training.settings.as_json()}),
            "seed": training.seed,
            "generations": training.learnt.generations,
            "games": training.learnt.games,
            "network": network_facts(training.lab.game, training.network()),
            "curve": self.curve,
            "grade": self.last.as_json() if self.last else None,
            "games_per_second": round(new / self.played, 1) if self.played else 0.0,
        }

    def show(self) -> None:
        """The curve as a table, and what was reached."""
        game = self.training.lab.game
        show_curve(self.curve, _("{game}: zero learns from games against itself", game=game.text))
        learnt, wanted = self.training.learnt.games, self.order.games
        if learnt == self._first and (wanted is None or learnt < wanted):
            say(
                _(
                    "nothing was learnt: no generation, of {n} games, came to its end; zero:games=64 makes"
                    " them shorter",
                    n=grouped(self.training.settings.games),
                )
            )
        if self.last:
            for sentence in in_words(self.last):
                say(sentence)


def network_facts(game: Any, network: Any) -> JsonObject:
    """Return what a network sees and how large it is."""
    from damier.plugins.zero.encoding import blocks

    return {
        "sees": [{"name": block.name, "numbers": block.count} for block in blocks(game)],
        "layers": network.layers,
        "answers": network.slots,
        "parameters": network.parameters,
    }


def row_of(found: Generation, grade: ZeroGrade | None) -> JsonValue:
    """A generation that was graded, as data."""
    return {
        "generation": found.number,
        "games": found.games,
        "losses": {"policy": round(found.losses.policy, 6), "value": round(found.losses.value, 6)},
        **(grade.as_json() if grade else {}),
    }


def show_curve(curve: Iterable[Any], title: str) -> None:
    """The generations that were graded, as a table."""
    rows = [cells(row) for row in curve if "alone" in row]
    if not rows:
        return
    simulations = next(row["simulations"] for row in curve if "alone" in row)
    table(
        (
            _("games"),
            _("exactly best"),
            _("with {n} simulations", n=simulations),
            _("gives away"),
            _("against random"),
            _("its best opponent gets"),
        ),
        rows,
        title,
        numbers=range(6),
    )


def cells(row: Any) -> list[str]:
    """A generation as a line of the table."""
    grade = row["grade_searched"] or row["grade"]
    return [
        grouped(row["games"]),
        percent(row["alone"]["share"]),
        percent(row["searched"]["share"]),
        decimal(row["alone"]["loss"], ".4f"),
        decimal(fmean(float(seat["payoff"]) for seat in grade["seats"]), "+.4f") if grade else "",
        " ".join(decimal(seat["payoff"], "+.3f") for seat in reversed(grade["best_response"]))
        if grade
        else "",
    ]


def in_words(grade: ZeroGrade) -> list[str]:
    """Return what a network is worth, in sentences."""
    found = [
        _(
            "exactly best in {alone} of {n} positions by the network alone; with {simulations} simulations in"
            " {searched} of {m}",
            alone=percent(grade.alone.share),
            n=grouped(grade.alone.positions),
            simulations=grade.simulations,
            searched=percent(grade.searched.share),
            m=grouped(grade.searched.positions),
        )
    ]
    if grade.searched.is_sample:
        found.append(
            _(
                "a sample: the 95 % interval with simulations is {low} to {high}",
                low=percent(grade.searched.low),
                high=percent(grade.searched.high),
            )
        )
    for who, exact in ((_("the network alone"), grade.exact), (_("with its search"), grade.exact_searched)):
        if exact is not None:
            first, second = (exact.best_response[1].payoff, exact.best_response[0].payoff)
            found.append(
                _(
                    "{who}: the best opponent gets {first} against it at seat 1, {second} at seat 2",
                    who=who,
                    first=decimal(first, "+.3f"),
                    second=decimal(second, "+.3f"),
                )
            )
    return found


def curve_svg(curve: Iterable[Any], game: str) -> str:
    """The shares of positions in which the choice is exactly best, under the ceiling of all."""
    from damier.draw.line_charts import IntervalLine, IntervalPoint, MultiplePanel, multiples_svg

    rows = [row for row in curve if "alone" in row]
    if not rows:
        raise BadInput(message("there is no curve: the training was not graded"))

    def line(name: str, kind: str) -> IntervalLine:
        return IntervalLine(
            name,
            tuple(
                IntervalPoint(
                    row["games"],
                    row[kind]["share"],
                    *((row[kind]["low"], row[kind]["high"]) if row[kind]["low"] < row[kind]["high"] else ()),
                )
                for row in rows
            ),
        )

    searched = _("with {n} simulations", n=rows[0]["simulations"])
    panel = MultiplePanel(
        "",
        (line(_("the network alone"), "alone"), line(searched, "searched")),
        _("games of self-play"),
        ceilings=((1.0, _("perfect play")),),
    )
    return multiples_svg(
        [panel],
        _("{game}: zero learns from games against itself", game=game),
        _("share of positions in which the choice is exactly best"),
        percent,
    )


def show_folder(folder: Path, out: Path | None, json: bool) -> None:
    """Show the facts of an agent: its game, what its network sees, its curve. Its curve is also written as a
    picture, or its network as ONNX.
    """
    from damier.lab.games import load
    from damier.plugins.zero.files import ONNX, open_folder

    found = open_folder(folder)
    game = load(written_game(found.facts))
    if out is not None and out.suffix != ONNX:
        require_picture(out)
    network = found.network(game)
    curve: Any = found.facts.get("curve")
    if out is not None and out.suffix == ONNX:
        write_bytes(out, network.as_onnx())
    elif out is not None:
        write_picture(curve_svg(curve, game.text), out)
    settings: Any = found.facts.get("settings")
    data: Report = {
        "format": found.facts["format"],
        "game": game.text,
        "learner": written("zero", settings),
        "seed": found.facts.get("seed"),
        "generations": found.facts.get("generations"),
        "games": found.facts.get("games"),
        "network": network_facts(game, network),
        "curve": curve,
    }

    def show() -> None:
        network: Any = data["network"]
        table(
            (_("the network sees"), _("numbers")),
            [(block["name"], block["numbers"]) for block in network["sees"]],
            labelled(game.text, data["learner"]),
            numbers=[1],
        )
        say(
            _(
                "{n} numbers in {layers} layers, {answers} moves; {games} games of self-play",
                n=grouped(network["parameters"]),
                layers=len(network["layers"]),
                answers=grouped(network["answers"]),
                games=grouped(int(str(data["games"]))),
            )
        )
        show_curve(curve, "")

    report(data, json, show, out)
