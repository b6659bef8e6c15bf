"""A job: whoever asks for it owns what is noted; the request stays as it was."""

from __future__ import annotations

import gallery

from damier.core.job import Job, Notes
from damier.lab.graphs import DiagramPlan, diagram


def test_each_note_is_kept_once_in_its_order() -> None:
    notes = Notes()
    job = Job(note=notes)
    for sentence in ("it goes round", "it is large", "it goes round"):
        job.note(sentence)
    assert notes == ["it goes round", "it is large"]


def test_a_run_writes_nothing_into_its_job() -> None:
    """Two runs with one job: what each notes reaches whoever listens, and no list is shared."""
    game, told = gallery.three_players(), []
    job, silent = Job(1 << 30, note=told.append), Job(1 << 30)
    before = vars(silent).copy()
    for each in (job, job, silent):
        diagram(DiagramPlan(game, game.start, "merged", 2), each)
    assert vars(silent) == before
    assert silent == Job(1 << 30)
    assert len(told) == 2
    assert len(set(told)) == 1
