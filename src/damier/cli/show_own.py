"""What `damier show` says of the file of an agent of one's own."""

from __future__ import annotations

from pathlib import Path

from damier.cli.output import Report, say, table
from damier.cli.train import row_of
from damier.core.grade import block_facts
from damier.core.words import _, grouped
from damier.draw.curve import Series
from damier.lab import curves
from damier.lab.own_file import FORMAT, OwnAgent


def facts(found: OwnAgent) -> Report:
    """All that the file says, as plain data."""
    return {
        "format": FORMAT,
        "game": found.game.text,
        "agent": found.agent,
        **found.training,
        "games": found.games,
        "curve": [block_facts(block) for block in found.curve.blocks],
        "data": found.data,
    }


def curve_of(found: OwnAgent) -> Series:
    """Its curve, ready to be drawn."""
    training = found.training
    return curves.series(
        found.agent, found.curve, str(training.get("seat", "1")), str(training.get("against", ""))
    )


def show(found: OwnAgent) -> None:
    """The same for people; what it has learnt is its own affair."""
    training = found.training
    trained = _(
        "{games} games against {opponent}, seat {seat}, seed {seed}",
        games=grouped(found.games),
        opponent=training.get("opponent"),
        seat=training.get("seat"),
        seed=training.get("seed"),
    )
    say(trained if found.games else _("never trained"))
    columns = (_("games"), _("win"), _("draw"), _("loss"), "ε", _("grade"), _("ceiling"))
    title = _("{game}: {learner}", game=found.game.text, learner=found.agent)
    table(columns, map(row_of, curve_of(found).points), title, numbers=range(7))


def export(found: OwnAgent, path: Path) -> None:
    """Draws the curve. Raises BadInput."""
    curves.write_curve(
        [curve_of(found)], path, _("{game}: {learner}", game=found.game.text, learner=found.agent)
    )
