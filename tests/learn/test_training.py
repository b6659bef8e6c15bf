"""The training loop: the same bytes from the same seed, whoever plays, wherever it was stopped, and
in whichever of the two worlds it ran.
"""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import processes
import pytest
from lasting import later, long, shortly

from damier import Job, load
from damier.core.errors import DamierError
from damier.core.loop import MatchSetup, Played
from damier.lab.agents import Lab
from damier.lab.training import Plan, Trainer, trainer
from damier.learn import store as agents

TRAIN = """
import sys
from pathlib import Path
from damier import Job, load
from damier.lab.agents import Lab
from damier.lab.training import Plan, trainer
game, learner, opponent, seat, seed, games, out, jit = sys.argv[1:]
job = Job(jit={"pure": False, "compiled": True, "either": None}[jit])
made = trainer(Lab(load(game), job), Plan(learner, opponent, seat, int(seed)))
made.save_to(Path(out))
if learner != "q:preset=hexapion":
    made.training.grade_every = lambda: 0
made.training.run(int(games), job)
"""


GRADED = "q:preset=hexapion"


def train(
    plan: Plan,
    out: Path,
    games: int,
    *,
    game: str = "tictactoe",
    jit: bool | None = False,
    every: int | None = None,
    resume: bool = True,
) -> Trainer:
    """Trains up to so many games, from the file if it is there; the one learner that is graded
    costs enough.
    """
    job = Job(jit=jit)
    made = trainer(Lab(load(game), job), plan)
    if plan.learner != GRADED:
        made.training.grade_every = lambda: 0  # no grader is made
    made.training.save_every = every
    if resume and out.exists():
        made.resume(out)
    made.save_to(out)
    made.training.run(games, job)
    return made


CASES = {
    "q, random": ("hexapawn", Plan(GRADED, "random", "1", 1)),
    "q, perfect, seat 2": ("hexapawn", Plan("q", "perfect", "2", 2)),
    "q, self shared, alternate": ("hexapawn", Plan("q:alike=true", "self", "alternate", 3)),
    "q, self separate": ("hexapawn", Plan("q:policy=softmax", "self:table=separate", "2", 4)),
    "v, its own opponent": ("tictactoe", Plan("v:preset=vfunction", None, None, 5)),
    "v, mean": ("tictactoe", Plan("v", "mean", "1", 6)),
    "mean, random, alternate": ("tictactoe", Plan("mean", "random", "alternate", 7)),
    "beads, random": ("tictactoe", Plan("menace", "random", "1", 8)),
    "beads, q, seat 2": ("tictactoe", Plan("beads:preset=michie", "q:ties=random", "2", 9)),
    "lists": ("nim", Plan("beads:preset=ia01", None, None, 10)),
    "the hexapawn machine": ("hexapawn", Plan("beads:preset=her", None, None, 11)),
}
EVERY_CASE = pytest.mark.parametrize("case", shortly(CASES, "q, random", "lists"))


@pytest.mark.parametrize(
    "case",
    shortly(
        [
            "q, random",
            "q, self shared, alternate",
            "v, its own opponent",
            "mean, random, alternate",
            "beads, random",
            "lists",
        ],
        "q, random",
    ),
)
def test_plain_and_compiled_give_the_same_bytes(case: str, tmp_path: Path) -> None:
    game, plan = CASES[case]
    plain, compiled, both = (tmp_path / name for name in ("plain", "compiled", "both"))
    train(plan, plain, 300, game=game, jit=False)
    train(plan, compiled, 300, game=game, jit=True)
    assert plain.read_bytes() == compiled.read_bytes()
    for games, jit in ((37, False), (150, True), (151, False), (300, True)):
        train(plan, both, games, game=game, jit=jit)
    assert both.read_bytes() == plain.read_bytes()
    other = tmp_path / "other"
    train(Plan(plan.learner, plan.opponent, plan.seat, 12345), other, 300, game=game, jit=False)
    tables = [agents.read(path)[0]["tables"] for path in (plain, other)]
    assert tables[0] != tables[1]


@pytest.mark.parametrize("case", shortly(CASES, "lists"))
def test_resuming_is_as_if_never_stopped(case: str, tmp_path: Path) -> None:
    """Stopped anywhere, with any checkpoints, on the way to other totals: the same bytes."""
    game, plan = CASES[case]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    train(plan, whole, 250, game=game)
    dice = random.Random(case)
    for _run in range(2):
        stops = sorted(dice.sample(range(1, 250), 4)) + [250]
        for games in stops:
            train(
                plan,
                parts,
                games,
                game=game,
                every=dice.choice([None, 1 if game != "tictactoe" else 50, 7, 100, 1000]),
            )
            assert agents.load(parts, load(game)).games == games
        assert parts.read_bytes() == whole.read_bytes(), stops
        parts.unlink()
    assert list(tmp_path.iterdir()) == [whole]


@pytest.mark.parametrize(
    ("case", "tiers"),
    [
        ("q, random", ("pure", "either")),
        later(("q, random", ("compiled",))),
        later(("v, its own opponent", ("pure", "compiled", "either"))),
        later(("lists", ("pure", "compiled", "either"))),
    ],
)
def test_another_process_gives_the_same_bytes(case: str, tiers: tuple[str, ...], tmp_path: Path) -> None:
    """Also one in which strings hash otherwise, and one that starts plain and goes over to compiled
    code.
    """
    game, plan = CASES[case]
    here = tmp_path / "here"
    made = train(plan, here, 300, game=game)
    full = made.plan
    cache = processes.os.environ["DAMIER_CACHE"]
    found = []
    for number, jit in enumerate(tiers):
        out = tmp_path / jit
        words = (game, plan.learner, str(full.opponent), str(full.seat), str(plan.seed), "300", str(out), jit)
        found.append((out, processes.start(TRAIN, cache, *words, PYTHONHASHSEED=str(number))))
    for out, process in found:
        processes.answer(process)
        assert out.read_bytes() == here.read_bytes()


@long
@pytest.mark.parametrize("case", ["q, random", "lists"])
def test_a_long_training_goes_over_to_compiled_code_by_itself(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, plan = CASES[case]
    alone, plain = tmp_path / "alone", tmp_path / "plain"
    train(plan, tmp_path / "first", 10, game=game, jit=True)  # from here on nobody waits for the compiler
    worlds, play = [], MatchSetup.play

    def watched(table: MatchSetup, first: int, stop: int, *, jit: bool) -> Played:
        worlds.append(jit)
        return play(table, first, stop, jit=jit)

    monkeypatch.setattr(MatchSetup, "play", watched)
    train(plan, alone, 20_000, game=game, jit=None)
    assert not worlds[0]
    assert worlds[-1]
    train(plan, plain, 20_000, game=game, jit=False)
    assert alone.read_bytes() == plain.read_bytes()


@EVERY_CASE
def test_the_curve_counts_every_game(case: str, tmp_path: Path) -> None:
    game, plan = CASES[case]
    made = train(plan, tmp_path / "file", 333, game=game)
    curve = made.training.curve
    assert 20 <= len(curve.blocks) <= 40
    assert curve.games == made.training.episodes == 333
    assert all(block.games == curve.size for block in curve.blocks[:-1])
    assert all((block.grade is None) == (plan.learner != GRADED) for block in curve.blocks)
    ends = [sum(getattr(block, end) for block in curve.blocks) for end in ("wins", "draws", "losses")]
    assert sum(ends) == 333
    assert made.learner.memory.games == 333


def test_the_results_are_the_learners(tmp_path: Path) -> None:
    """Who takes the only match loses."""
    for seat, end in (("1", "losses"), ("2", "wins")):
        made = train(Plan("mean", "random", seat, 1), tmp_path / seat, 64, game="nim:matches=1")
        assert sum(getattr(block, end) for block in made.training.curve.blocks) == 64
    made = train(Plan("mean", "random", "alternate", 1), tmp_path / "alternate", 64, game="nim:matches=1")
    assert [
        sum(getattr(block, end) for block in made.training.curve.blocks) for end in ("wins", "losses")
    ] == [32, 32]


def test_an_opponent_that_learns_is_saved_too(tmp_path: Path) -> None:
    path = tmp_path / "file"
    made = train(Plan("v", "mean:epsilon=0.5", "1", 6), path, 200)
    found = agents.load(path, load("tictactoe"))
    assert found.learner == "v"
    assert len(found.memories) == 1
    assert found.opponent is not None
    name, parameters, memory = found.opponent
    assert (name, parameters.epsilon, memory.games) == ("mean", 0.5, 200)
    assert made.saved_opponent is not None
    assert list(memory.rows()) == list(made.saved_opponent.memory.rows())


@pytest.mark.parametrize("seat", ["1", "2"])
def test_two_tables_are_in_the_order_of_the_seats(seat: str, tmp_path: Path) -> None:
    """The rows of the first table are positions in which the first player moves, whichever of the
    two was told as the learner.
    """
    path = tmp_path / "file"
    train(Plan("q", "self:table=separate", seat, 4), path, 100)
    found = agents.load(path, load("tictactoe"))
    movers = [{found.game.mover(row.state) for row in memory.rows()} for memory in found.memories]
    assert movers == [{0}, {1}]
    assert found.opponent is None


def test_one_table_for_both_seats_counts_its_games_once(tmp_path: Path) -> None:
    path = tmp_path / "file"
    made = train(Plan("q", "self", "1", 4), path, 100)
    assert (made.learner.memory.games, len(agents.load(path, load("tictactoe")).memories)) == (100, 1)
    assert {made.lab.game.mover(row.state) for row in made.learner.memory.rows()} == {0, 1}


def test_games_already_played_are_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    plan = Plan("q", "random", "1", 1)
    train(plan, path, 200)
    before = path.read_bytes()
    made = train(plan, path, 100)
    assert (made.training.episodes, made.training.played) == (200, 0)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (Plan("q:alpha=0.5", "random", "1", 1), "alpha=0.1, not 0.5"),
        (Plan("mean", "random", "1", 1), "learner=q, not mean"),
        (Plan("q", "perfect", "1", 1), "opponent=random, not perfect"),
        (Plan("q", "random", "2", 1), "seat=1, not 2"),
        (Plan("q", "random", "1", 2), "seed=1, not 2"),
        (Plan("q", "self", "1", 1), "opponent=random"),
        (Plan("q", "random", "1", 1, max_plies=50), "max_plies=1000, not 50"),
        (Plan("q:preset=hexapion", "random", "1", 1), "not"),
    ],
)
def test_a_file_of_another_training_is_not_gone_on_with(other: Plan, says: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    train(Plan("q", "random", "1", 1), path, 50)
    before = path.read_bytes()
    with pytest.raises(DamierError) as raised:
        train(other, path, 100)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)
    assert path.read_bytes() == before


def test_a_shared_table_is_not_gone_on_with_as_two(tmp_path: Path) -> None:
    path = tmp_path / "file"
    train(Plan("q", "self", "1", 1), path, 50)
    with pytest.raises(DamierError, match="table"):
        train(Plan("q", "self:table=separate", "1", 1), path, 100)


def test_a_file_of_two_tables_is_not_one_learner_that_does_not_learn(tmp_path: Path) -> None:
    path = tmp_path / "file"
    train(Plan("q", "self:table=separate", "1", 1), path, 20)
    with pytest.raises(DamierError, match="a table for each seat; to go on learning, train it with --resume"):
        train(Plan(f"q:file={path}", "random", "1", 1), tmp_path / "other", 20)


def test_a_checkpoint_is_there_from_the_first_on(tmp_path: Path) -> None:
    path = tmp_path / "file"
    job = Job(jit=False)
    made = trainer(Lab(load("nim"), job), Plan("mean", "random", "1", 1))
    made.training.save_every = 10
    made.save_to(path)
    save = made.training.saved
    seen: list[int] = []

    def saved(training: object) -> None:
        save(made.training)
        seen.append(agents.load(path, made.lab.game).games)

    made.training.saved = saved
    made.training.run(95, job)
    assert seen == [*range(10, 100, 10), 95]


def test_by_default_there_are_twenty_checkpoints_at_least(tmp_path: Path) -> None:
    job = Job(jit=False)
    made = trainer(Lab(load("nim"), job), Plan("mean", "random", "1", 1))
    seen: list[int] = []
    made.training.saved = lambda training: seen.append(training.episodes)
    made.training.run(1000, job)
    assert len(seen) >= 20
    assert seen[-1] == 1000
    assert all(one < two for one, two in pairwise(seen))


def test_who_cannot_learn_is_refused() -> None:
    lab = Lab(load("tictactoe"))
    for plan, says in (
        (Plan("random"), "does not learn"),
        (Plan("nobody"), "nobody"),
        (Plan("q", "self:table=separate", "alternate"), "separate"),
        (Plan("q", "self:table=separate,learn=one"), "learn=one"),
        (Plan("q:learn=false"), "file"),
        (Plan("q:preset=nothing"), "preset"),
    ):
        with pytest.raises(DamierError, match=says):
            trainer(lab, plan)
