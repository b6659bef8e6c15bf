"""A training put together, of a learner that damier brings or of an agent of one's own: a plan, a learner,
its opponent, what grades it, the file that keeps it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from math import ceil
from pathlib import Path
from typing import Literal, TypeAlias

from damier.agents.own import OwnPlayer
from damier.agents.process import ProcessPlayer
from damier.core.analysis import PERFECT_INFORMATION, TWO_PLAYERS, note_no_winner, require
from damier.core.bits import Rng, mix64, random_below, seeded
from damier.core.compile import instantiate
from damier.core.display import Displayed
from damier.core.errors import AgentFault, BadFile, BadInput, LimitReached, Unsuitable, at_most_one
from damier.core.files import keep_as_previous, read_text
from damier.core.game import Game, option_text, read_position
from damier.core.grade import Grade
from damier.core.json_types import JsonObject
from damier.core.loop import MatchSetup
from damier.core.player import Learner, Player, Policy, RandomPlayer, drawn_move
from damier.core.rules import CHANCE, State
from damier.core.words import _, grouped, message
from damier.lab import agent_file
from damier.lab.agent_file import data_of, learning_player, load_into
from damier.lab.agents import AGENTS, agent, is_own, is_program
from damier.lab.games import Lab
from damier.lab.grading import decisions, fixed_choices
from damier.lab.learners import preset_of, refusal_of_seat_tables
from damier.lab.options import read_options
from damier.learn import store
from damier.learn.parameters import SWAPS, USUAL_GAMES, SeatName, as_written
from damier.learn.player import ALGORITHMS, LearningPlayer, SeatedPlayer
from damier.learn.store import stages_of
from damier.learn.training import Training
from damier.solve.grade import Grader
from damier.solve.reach import plies_of_random_game

AgentMaker: TypeAlias = Callable[[Lab, str], Player]
"""What makes an agent of its text."""
FREE_POSITIONS = 50_000
"""A game whose grade costs no more positions is graded after every block: forty of it take two seconds."""
PLIES_A_POSITION = 30
"""Plies of training that take ten times as long as one position of a grade."""
GRADED_BYTES = 1 << 30
"""Memory that grading may take while a learner trains: a larger game trains without grades."""


@dataclass
class Plan:
    """Plan of a training, as its file says it.

    Attributes:
        learner: as text, such as q:preset=hexapion; opponent and seat: the preset's own, or against random at
            seat 1, unless given
        grade_every: games between two grades, rounded up to a power of 2; 0: never; None: as often as takes
            little of the time. Its file does not say it
        starts: where its games begin, other than at the start of the game
    """

    learner: str
    opponent: str | None = None
    seat: SeatName | None = None
    seed: int = 0
    max_plies: int = 1000
    grade_every: int | None = None
    starts: Starts | None = None


@dataclass
class Trainer(Displayed, ABC):
    """One training, ready to run or to go on.

    Attributes:
        against: whom the learner is graded against: its opponent where that never changes, else the random
            player
        grades: what grades it, from the start of the game wherever its games begin
        stages: where games of earlier runs began, by its file: after how many in all, as it was written
    """

    lab: Lab
    plan: Plan
    training: Training
    learner: Learner
    opponent: Player
    against: str
    usual_games: int = USUAL_GAMES
    grades: Grades = field(init=False)
    stages: list[tuple[int, str]] = field(default_factory=list, kw_only=True)

    @abstractmethod
    def policy(self) -> Policy | None:
        """Return what is graded, as it plays now; None where that cannot be done exactly."""

    @abstractmethod
    def save(self, path: Path) -> None:
        """Writes all that is needed to go on."""

    @abstractmethod
    def resume(self, path: Path) -> None:
        """Goes on from a file, which must be of the same training. Raises BadFile, BadInput."""

    @property
    def facts(self) -> JsonObject:
        """Return how it trains, as its file says it."""
        plan = self.plan
        return {
            "opponent": plan.opponent,
            "seat": plan.seat,
            "seed": plan.seed,
            "max_plies": plan.max_plies,
            "against": self.against,
        }

    @property
    def facts_of_file(self) -> JsonObject:
        """Return how it trained, as its file says it: with where its games began, stage by stage, after how
        many in all and as it was written. Where all began at the start of the game nothing is said of that.
        """
        played, written = self.training.episodes, self.plan.starts.written if self.plan.starts else ""
        stages = [*self.stages]
        if not stages or played > stages[-1][0]:
            stages[-1:] = [stage for stage in stages[-1:] if stage[1] != written]
            stages.append((played, written))
        if not any(text for _games, text in stages):
            return self.facts
        return self.facts | {"starts": [[games, text] for games, text in stages]}

    def go_on_from(self, found: store.TrainedAgent) -> None:
        """Go on after the games that a file tells of."""
        self.training.episodes, self.training.curve = found.games, found.curve
        self.stages = stages_of(found.training) or [(found.games, "")]

    def save_to(self, path: Path, *, keep_previous: bool = False) -> None:
        """Keeps `path` up to date while it runs; what was there before its first writing is kept
        beside it, if asked for.
        """
        earlier = [path] if keep_previous else []

        def save(_training: Training) -> None:
            while earlier:
                keep_as_previous(earlier[0])
                earlier.pop()
            self.save(path)

        self.training.saved = save

    def grade_by(self, grades: Grades) -> None:
        """Has the learner graded, as often as its plan says."""
        every, self.grades = self.plan.grade_every, grades
        self.training.grade = lambda _learner: grades.grade(self.policy)
        self.training.grade_every = grades.affordable if every is None else lambda: power_of_two(every or 0)


def require_same(path: Path, theirs: JsonObject, ours: JsonObject) -> None:
    """Raises BadInput where a file is of another training; its games may have begun elsewhere."""
    for name, value in ours.items():
        if theirs.get(name) != value:
            raise BadInput(
                message(
                    "{path} was trained with {name}={theirs}, not {ours}",
                    path=path,
                    name=name,
                    theirs=option_text(theirs.get(name)),
                    ours=value,
                )
            )


def require_two(lab: Lab) -> None:
    """Raises Unsuitable for a game that learners cannot handle."""
    require(lab.game, _("training"), TWO_PLAYERS, PERFECT_INFORMATION)


def table_of(lab: Lab, plan: Plan, learner: Learner, opponent: Player, seat: SeatName) -> MatchSetup:
    """The table at which a learner plays its opponent."""
    starts = plan.starts.of(lab.game, plan.seed) if plan.starts else None
    return MatchSetup(lab.game, (learner, opponent), plan.seed, SWAPS[seat], plan.max_plies, starts=starts)


class Grades:
    """Exact grader of a learner, made when it is first needed; where the game is too large or
    goes round, or has more than `most` positions, nothing, and a note says why.
    """

    def __init__(self, lab: Lab, against: Policy, most: int | None = None) -> None:
        self._lab, self._against, self._most = lab, against, most

    @cached_property
    def _grader(self) -> Grader | None:
        job = self._lab.job
        job = replace(job, memory=min(job.memory, GRADED_BYTES))
        try:
            grader = Grader(self._lab.game, self._against, job)
        except (Unsuitable, LimitReached) as error:
            job.note(_("the learner is not graded: {error}", error=error))
            return None
        if self._most is not None and grader.positions > self._most:
            job.note(
                _(
                    "the learner is not graded while it learns: it would be asked in {n} positions; damier"
                    " grade does that",
                    n=grouped(grader.positions),
                )
            )
            return None
        return grader

    def grade(self, policy_of: Callable[[], Policy | None]) -> Grade | None:
        """The exact grade of a policy, which is asked for only where it can be graded: to find it may
        take a question in every position.
        """
        if self._grader is None:
            return None
        policy = policy_of()
        return self._grader.grade(policy) if policy else None

    def affordable(self) -> int:
        """Games between two grades, a power of 2: every block of a small game; of a larger one so
        many that grading takes a tenth of the time.

        It follows from the game alone, not from a clock: the same training has the same curve on
        every machine (docs/decisions/0015).
        """
        if self._grader is None or self._grader.cost <= FREE_POSITIONS:
            return 1
        return power_of_two(PLIES_A_POSITION * self._grader.cost / mean_plies(self._lab.game))


def power_of_two(n: float) -> int:
    """The smallest power of 2 that is not less than `n`; 0 for 0.

    >>> power_of_two(0), power_of_two(1), power_of_two(4.5)
    (0, 1, 8)
    """
    return 1 << max(0, ceil(n) - 1).bit_length() if n else 0


RANDOM_GAMES = 16


def mean_plies(game: Game) -> float:
    """Return how long a few random games are, always the same ones."""
    plies = sum(plies_of_random_game(game, game.start, number) for number in range(RANDOM_GAMES))
    return max(1.0, plies / RANDOM_GAMES)


def trainer(lab: Lab, plan: Plan, make: AgentMaker = agent) -> Trainer:
    """A training as planned; `make` makes its agents.

    Raises UnknownName, BadInput, Unsuitable, LimitReached, and AgentFault for what is wrong in an
    agent of one's own.
    """
    note_no_winner(lab.game, lab.job)
    own = is_own(plan.learner) or is_program(plan.learner)
    return (own_trainer if own else table_trainer)(lab, plan, make)


# The training of a learner with a table: presets, self-play, the file with its tables.


def self_play(
    table: Literal["shared", "separate"] = "shared", learn: Literal["both", "one"] = "both"
) -> tuple[str, str]:
    """The options of the opponent `self`."""
    return table, learn


@dataclass
class TableTrainer(Trainer):
    """The training of a learner with a table, or with one for each seat.

    Attributes:
        saved_opponent: the opponent, where it has a table of its own that changes
    """

    learner: LearningPlayer
    saved_opponent: LearningPlayer | None = None

    @property
    def both_seats(self) -> bool:
        """Return whether the learner has a table for each seat."""
        return (
            self.opponent is self.saved_opponent
            and self.plan.opponent is not None
            and self.plan.opponent.startswith("self")
        )

    def policy(self) -> LearningPlayer | SeatedPlayer:
        """Return what is graded: the learner, with each seat's own table where it has two, as from its
        file.
        """
        if not self.both_seats or self.saved_opponent is None:
            return self.learner
        pair = (self.learner, self.saved_opponent)
        return SeatedPlayer(*(pair if self.plan.seat == "1" else pair[::-1]))

    def agent(self) -> store.Agent:
        """All that its file says."""
        memories = [self.learner.memory]
        opponent = None
        if self.both_seats and self.saved_opponent:
            memories.insert(1 if self.plan.seat == "1" else 0, self.saved_opponent.memory)
        elif self.saved_opponent:
            opponent = (self.saved_opponent.name, self.saved_opponent.parameters, self.saved_opponent.memory)
        learner, facts = self.learner, self.facts_of_file
        return store.Agent(
            self.lab.game,
            learner.name,
            facts,
            learner.parameters,
            memories,
            opponent,
            curve=self.training.curve,
        )

    def save(self, path: Path) -> None:
        store.save(self.agent(), path)

    def resume(self, path: Path) -> None:
        """Goes on from a file, which must be of the same training. Raises BadFile, BadInput."""
        found, mine = store.load(path, self.lab.game), self.agent()
        if found.note:
            self.lab.job.note(found.note)
        ours = {"learner": mine.learner, **as_written(mine.parameters), **self.facts}
        require_same(path, {"learner": found.learner, **as_written(found.parameters), **found.training}, ours)
        if len(found.memories) != len(mine.memories) or (found.opponent is None) != (mine.opponent is None):
            raise BadFile(message("{path} does not hold the tables of this training", path=path))
        own = self.learner.memory
        for memory, loaded in zip(
            [memory for _n, _p, memory in mine.tables],
            [memory for _n, _p, memory in found.tables],
            strict=True,
        ):
            target = self.learner if memory is own else self.saved_opponent
            assert target is not None
            target.memory = loaded
        if (
            self.opponent is not self.saved_opponent
            and isinstance(self.opponent, LearningPlayer)
            and self.opponent.memory is own
        ):
            self.opponent.memory = self.learner.memory
        self.go_on_from(found)


def table_trainer(lab: Lab, plan: Plan, make: AgentMaker = agent) -> TableTrainer:
    """The training of a learner with a table, as planned; `make` makes an opponent that is not itself.

    Raises UnknownName, BadInput, Unsuitable, LimitReached.
    """
    require_two(lab)
    name, _colon, written = plan.learner.partition(":")
    learner = make(lab, plan.learner)
    if isinstance(learner, SeatedPlayer):
        raise refusal_of_seat_tables(plan.learner)
    if not isinstance(learner, LearningPlayer):
        raise BadInput(
            message(
                "{name} does not learn; learners are {names}",
                name=name,
                names=" ".join([*learner_names(), "zero"]),
            )
        )
    learner.learns = True
    options = read_options(name, written, AGENTS[name].factory, given=["lab"])
    preset = preset_of(learner.name, options, "hexapion" if name == "menace" else "")
    seat = plan.seat or (preset.seat if preset else "1")
    opponent, text, saved = opponent_of(
        lab, learner, plan.opponent, preset.opponent if preset else "random", seat, make
    )
    full = replace(plan, opponent=text, seat=seat)
    changes = opponent.learns or (isinstance(opponent, LearningPlayer) and opponent.memory is learner.memory)
    against = opponent if isinstance(opponent, Policy) and not changes else RandomPlayer()
    training = Training(table_of(lab, full, learner, opponent, seat), learner)
    games = preset.games if preset else USUAL_GAMES
    made = TableTrainer(lab, full, training, learner, opponent, against.text, games, saved)
    made.grade_by(Grades(lab, against))
    return made


def learner_names() -> list[str]:
    return [name for name in AGENTS if name in ALGORITHMS or name == "menace"]


def opponent_of(
    lab: Lab,
    learner: LearningPlayer,
    text: str | None,
    usual: str,
    seat: SeatName,
    make: AgentMaker,
) -> tuple[Player, str, LearningPlayer | None]:
    """The opponent, how it is written, and, where it has a table of its own that changes, the same
    again.
    """
    name, _colon, options = (usual if text is None else text).partition(":")
    if name != "self":
        opponent = make(lab, usual if text is None else text)
        return (
            opponent,
            usual if text is None else text,
            opponent if isinstance(opponent, LearningPlayer) and opponent.learns else None,
        )
    given = read_options("self", usual.partition(":")[2], self_play) if usual.startswith("self") else {}
    if text is not None:  # a plain `self` is one table; who learns is part of a preset's method (row A-46)
        given.pop("table", None)
    table, learn = self_play(**(given | read_options("self", options, self_play)))
    written = f"self:table={table},learn={learn}"
    if table == "shared":
        return learner.beside(learns=learn == "both"), written, None
    if seat == "alternate":
        raise BadInput(
            message(
                "self:table=separate has a table for each seat, so --seat is 1 or 2, the one whose results"
                " are told"
            )
        )
    if learn == "one":
        raise BadInput(
            message(
                "self:table=separate,learn=one: a table that nobody learns is the random player or one from a"
                " file"
            )
        )
    other = LearningPlayer(lab.game, learner.name, learner.parameters)
    return other, written, other


# The training of an agent of one's own.

MOST_ASKED = 200_000
"""Positions in which an agent of one's own is asked for a grade while it learns: some seconds of plain
Python.
"""
GAMES_OF_ITS_OWN = ("begin", "end")
"""Methods by which an agent keeps a game in mind: it cannot be in the middle of two."""


@dataclass
class OwnTrainer(Trainer):
    """The training of an agent of one's own.

    Attributes:
        varies: why it is not graded: it says no probabilities and does not always choose alike
    """

    learner: OwnPlayer
    varies: str = ""
    _fixed: bool = False

    def policy(self) -> Policy | None:
        """Return what it plays without learning: asked of a copy, so that grading changes nothing."""
        found = self.learner.frozen()
        if isinstance(found, Policy):
            return found
        if self._decisions is None:
            return None
        decided = fixed_choices(self.lab.game, found, self._decisions, known=self._fixed)
        if decided.varies:
            if not self.varies:
                self.lab.job.note(_("the learner is not graded exactly: {why}", why=decided.varies))
            self.varies = decided.varies
            return None
        self._fixed = True
        return decided

    @cached_property
    def _decisions(self) -> list[State] | None:
        """Return where it is asked; None, with a note, where that is too much to keep."""
        try:
            return decisions(self.lab.game, self.lab.job)
        except LimitReached as error:
            self.lab.job.note(_("the learner is not graded: {error}", error=error))
            return None

    def save(self, path: Path) -> None:
        data = data_of(self.learner)
        if why := agent_file.why_not_kept(data):
            raise AgentFault(message("{file}: save(): {why}", file=self.learner.source.name, why=why))
        game, curve = self.lab.game, self.training.curve
        found = agent_file.OwnAgent(game, self.plan.learner, self.facts_of_file, data, curve=curve)
        agent_file.save(found, path)

    def resume(self, path: Path) -> None:
        found = agent_file.load(path, self.lab.game)
        ours = {"learner": self.plan.learner, **self.facts}
        require_same(path, {"learner": found.learner, **found.training}, ours)
        load_into(self.learner, found.data)
        self.go_on_from(found)


def own_trainer(lab: Lab, plan: Plan, make: AgentMaker = agent) -> OwnTrainer:
    """The training of an agent of one's own, as planned; `make` makes it, and its opponent.

    Raises BadInput, Unsuitable, LimitReached, and AgentFault for what is wrong in the file.
    """
    require_two(lab)
    lab.seed = plan.seed
    learner = make(lab, plan.learner)
    if isinstance(learner, ProcessPlayer):
        learner = learning_player(learner)
    assert isinstance(learner, OwnPlayer)
    if not learner.can_learn:
        raise BadInput(
            message(
                "{agent} does not learn: it has none of the methods learn, update and end",
                agent=plan.learner,
            )
        )
    learner.learns = True
    seat: SeatName = plan.seat or "1"
    text = plan.opponent or "random"
    opponent = beside(learner) if text == "self" else make(lab, text)
    full = replace(plan, opponent=text, seat=seat)
    against = opponent if isinstance(opponent, Policy) and not opponent.learns else RandomPlayer()
    training = Training(table_of(lab, full, learner, opponent, seat), learner)
    made = OwnTrainer(lab, full, training, learner, opponent, against.text)
    made.grade_by(Grades(lab, against, MOST_ASKED))
    return made


def beside(learner: OwnPlayer) -> Player:
    """The learner as its own opponent: one agent, told of the decisions of both seats.

    Raises BadInput for one that keeps the game in mind itself.
    """
    kept = [name for name in GAMES_OF_ITS_OWN if hasattr(learner.agent, name)]
    if kept:
        raise BadInput(
            message(
                "{agent} cannot sit at both seats: {method}() is about one game of its own; what learn() is"
                " told of is enough to play itself",
                agent=learner.text,
                method=kept[0],
            )
        )
    return learner.beside(learns=True)


def practise(
    lab: Lab, agents: tuple[Player, Player], games: int, trainer: Callable[[], Player] | None, seed: int
) -> Iterator[Training]:
    """Train every agent that learns at the seat where it will play, and yield its training; once all have,
    none explores and learns any more. Two without a trainer train each other, in the same games.
    """
    learners = {
        seat: player
        for seat, player in enumerate(agents)
        if isinstance(player, (LearningPlayer, OwnPlayer)) and player.learns
    }
    for seat, learner in learners.items():
        opponent = trainer() if trainer else agents[1 - seat]
        table = MatchSetup(lab.game, (learner, opponent), mix64(2 * seed + 1 + seat), 2 * seat)
        training = Training(table, learner)
        training.run(games, lab.job)
        yield training
        if opponent in learners.values():
            break
    for learner in learners.values():
        learner.learns = False


# Positions in which games of a training begin: one, those of a file, or after random moves.


APART = 0x5374617274
"""Beside a seed, so that where games begin is drawn from other numbers than the games themselves."""
TRIALS = 200
"""Walks of random moves that may end before a game begins."""
LOOKED_AT = 50_000
"""Positions that are looked at for one where a game can begin, after as many walks have ended before."""
LARGEST = 1 << 20
"""Bytes of a file of positions."""
MOST_PLIES, USUAL_PLIES = 1000, 4
MOST_TYPED = 4000
"""Characters of positions that are typed into a form."""
BETWEEN = " / "
"""Between positions that are written on one line."""


@dataclass(frozen=True)
class Starts:
    """Positions in which games begin.

    Attributes:
        written: as a person wrote it
        positions: in turn, game after game; none where each game begins after
        plies: so many random moves from the start of the game
    """

    written: str
    positions: tuple[State, ...] = ()
    plies: int = 0

    def of(self, game: Game, seed: int) -> Callable[[int], State]:
        """Return where game number n begins: for a seed always the same."""
        if self.positions:
            return lambda number: self.positions[number % len(self.positions)]
        return lru_cache(maxsize=2)(partial(wander, game, self.plies, mix64(seed ^ APART)))


def wander(game: Game, most: int, seed: int, number: int) -> State:
    """Return where a walk of so many random moves from the start of a game ends, with the game going on; each
    has a stream of the seed of its own. Raises Unsuitable.
    """
    rng = seeded(seed, number)
    draw = instantiate(drawn_move, game, jit=False)
    for _trial in range(TRIALS):
        s, plies = game.start, 0
        while plies < most and not game.over(s):
            plies += game.mover(s) != CHANCE
            s = game.play(s, draw(s, game.moves(s), rng))
        if not game.over(s):
            return s
    rare = looked_for(game, most, rng)
    if rare is None:
        raise Unsuitable(message("{game}: no game goes on after {n} random moves", game=game.text, n=most))
    return rare


def looked_for(game: Game, most: int, rng: Rng) -> State | None:
    """Return a position after so many moves with the game going on, where few of all games come so far: the
    first that is found as moves are tried in random order; None where none is.
    """
    waiting = [(game.start, 0)]
    met = {*waiting}
    while waiting and len(met) <= LOOKED_AT:
        s, plies = waiting.pop()
        if game.over(s):
            continue
        if plies == most:
            return s
        plies += game.mover(s) != CHANCE
        following = list[tuple[State, int]]()
        for move in game.legal(s):
            following.insert(random_below(rng, len(following) + 1), (game.play(s, move), plies))
        waiting += [each for each in following if each not in met]
        met.update(following)
    return None


def random_starts(plies: int = USUAL_PLIES) -> int:
    """Return how many random moves a game begins after. Raises BadInput."""
    if not 1 <= plies <= MOST_PLIES:
        raise BadInput(message("random:plies={n}: it must be between 1 and {most}", n=plies, most=MOST_PLIES))
    return plies


def read_starts(game: Game, position: str | None, positions: str | None) -> Starts | None:
    """Return where games begin: in one position, in those of a file, one a line, or after `random:plies=N`;
    None where nothing is given.

    Raises BadInput, BadFile, Unsuitable.
    """
    at_most_one(position=position, positions=positions)
    if position is not None:
        return Starts(position.strip(), (going_on(game, position),))
    if positions is None:
        return None
    if after := after_random_moves(game, positions):
        return after
    path = Path(positions)
    lines = [
        (number, line.strip())
        for number, line in enumerate(read_text(path, LARGEST).splitlines(), 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise BadFile(message("{path} has no position; write one a line", path=path))
    states = tuple(of_line(game, path, number, line) for number, line in lines)
    return Starts(BETWEEN.join(line for _number, line in lines), states)


def typed_starts(game: Game, text: str) -> Starts | None:
    """Return where games begin as a form says it: after `random:plies=N`, or in positions, one a line or
    with ` / ` between them, as a `Starts` is written; None where nothing is said. No file is read.

    Raises BadInput, Unsuitable.
    """
    if after := after_random_moves(game, text.strip()):
        return after
    lines = [line.strip() for line in re.split(f"{BETWEEN}|\n", text) if line.strip()]
    states = []
    for number, line in enumerate(lines, 1):
        try:
            states.append(going_on(game, line))
        except BadInput as error:
            raise BadInput(message("position {n}: {error}", n=number, error=error)) from None
    return Starts(BETWEEN.join(lines), tuple(states)) if lines else None


def after_random_moves(game: Game, text: str) -> Starts | None:
    """Return what `random:plies=N` means; None for another text. Raises BadInput, Unsuitable."""
    name, _colon, options = text.partition(":")
    if name != "random":
        return None
    given = read_options(name, options, random_starts)
    found = Starts(text, plies=random_starts(**given))
    found.of(game, 0)(0)
    return found


def of_line(game: Game, path: Path, number: int, text: str) -> State:
    """Return the position in a line of a file. Raises BadFile."""
    try:
        return going_on(game, text)
    except BadInput as error:
        raise BadFile(message("{path}, line {n}: {error}", path=path, n=number, error=error)) from None


def going_on(game: Game, text: str) -> State:
    """Return the position that is written so, in which the game is not over. Raises BadInput."""
    state = read_position(game, text).state
    if game.over(state):
        raise BadInput(message("{position}: there the game is over", position=text))
    return state
