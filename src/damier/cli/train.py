"""`damier train`: a learner learns from games; its curve, every block graded exactly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from damier.cli.options import GameName, Json, Seed, Work, checked_count, checked_seed, whole
from damier.cli.output import percent, remark, remarks, report, say, table
from damier.core.errors import BadInput
from damier.core.files import require_place
from damier.core.grade import grade_facts
from damier.core.words import _

if TYPE_CHECKING:
    from damier.core.curve import Block
    from damier.lab.training import Trainer


def train(
    game: GameName,
    learner: Annotated[str, Parameter(help=_("q, v, mean, beads, menace, q:preset=hexapion … (damier agents)"))],
    /,
    *,
    games: Annotated[int, Parameter(converter=whole, help=_("how many games in all"))] = 100_000,
    opponent: Annotated[str | None, Parameter(help=_("random, perfect, self, self:table=separate, any agent (default: the preset's own, or random)"))] = None,
    seat: Annotated[Literal["1", "2", "alternate"] | None, Parameter(help=_("where the learner sits (default: the preset's own, or 1)"))] = None,
    out: Annotated[Path | None, Parameter(help=_("the file of the agent, kept up to date"))] = None,
    resume: Annotated[bool, Parameter(negative=(), show_default=False, help=_("go on from the file of --out, if it is there"))] = False,
    checkpoint_every: Annotated[int | None, Parameter(converter=whole, help=_("games between savings (default: a few seconds)"))] = None,
    max_plies: Annotated[int, Parameter(converter=whole, help=_("a longer game is stopped, and counts as a draw"))] = 1000,
    seed: Seed = 0,
    work: Work | None = None,
    json: Json = False,
) -> None:
    from damier.lab.agents import Lab
    from damier.lab.games import load
    from damier.lab.training import Plan, trainer

    checked_count("--games", games)
    checked_count("--max-plies", max_plies, high=1_000_000)
    if checkpoint_every is not None:
        checked_count("--checkpoint-every", checkpoint_every)
    if out is not None:
        require_place(out)
    elif resume or checkpoint_every is not None:
        raise BadInput(_("--resume and --checkpoint-every need --out FILE, the file to go on from or to write"))
    job = (work or Work()).job()
    made = trainer(Lab(load(game), job), Plan(learner, opponent, seat, checked_seed(seed), max_plies))
    made.training.save_every = checkpoint_every
    if out is not None:
        if resume and out.exists():
            made.resume(out)
        made.save_to(out)
    interrupted = False
    try:
        made.training.run(games, job)
    except KeyboardInterrupt:  # what was learnt is saved
        interrupted = True
    remarks(job.notes)
    report(facts(made), json, lambda: show(made, out))
    if interrupted:
        if out is not None:
            remark(_("stopped after {n} games; saved in {path}: --resume goes on", n=f"{made.training.games:,}", path=out))
        raise KeyboardInterrupt


def facts(made: Trainer) -> dict[str, Any]:
    """What is reported of a training."""
    training = made.training
    blocks = training.curve.blocks
    last = blocks[-1].grade if blocks else None
    return {
        "game": made.lab.game.text,
        "learner": made.learner.text,
        "opponent": made.plan.opponent,
        "seat": made.plan.seat,
        "seed": made.plan.seed,
        "games": training.games,
        "against": made.against,
        "curve": [block_facts(block) for block in blocks],
        "grade": grade_facts(last) if last else None,
        "games_per_second": round(training.games_per_second, 1),
    }


def block_facts(block: Block) -> dict[str, Any]:
    """A block as plain data."""
    return {**vars(block), "grade": grade_facts(block.grade) if block.grade else None}


def show(made: Trainer, out: Path | None) -> None:
    """The curve as a table."""
    rows, done = [], 0
    seats = {"1": (0,), "2": (1,), "alternate": (0, 1)}[made.plan.seat or "1"]
    for block in made.training.curve.blocks:
        done += block.games
        graded = [percent_of(block, seats), ceiling(block, seats)] if block.grade else ["", ""]
        rates = [percent(n / block.games) for n in (block.wins, block.draws, block.losses)]
        rows.append((f"{done:,}", *rates, f"{block.epsilon:.3f}", *graded))
    title = _("{game}: {learner} against {opponent}", game=made.lab.game.text, learner=made.learner.text, opponent=made.plan.opponent)
    table((_("games"), _("win"), _("draw"), _("loss"), "ε", _("grade"), _("ceiling")), rows, title, numbers=range(7))
    say(_("grade: exact mean payoff against {against}, without exploration; ceiling: the most that any policy gets", against=made.against))
    if out is not None:
        say(_("written to {path}", path=out))


def percent_of(block: Block, seats: tuple[int, ...]) -> str:
    assert block.grade is not None
    return f"{sum(block.grade.seats[seat].payoff for seat in seats) / len(seats):+.4f}"


def ceiling(block: Block, seats: tuple[int, ...]) -> str:
    assert block.grade is not None
    return f"{sum(block.grade.best_against[seat].payoff for seat in seats) / len(seats):+.4f}"
