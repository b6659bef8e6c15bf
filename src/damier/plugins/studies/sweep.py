"""A sweep carried out: the trainings that its file lacks, shared among processes or machines, each kept
as it ends.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import IO, Literal, NamedTuple, TypeAlias, TypedDict, cast

from damier.arena.match import mean_interval
from damier.core.data_files import OF_GAME, Cell, Columns, DataTable, joined_columns, of_written_game
from damier.core.errors import BadFile, BadInput, DamierError, LimitReached, Unsuitable
from damier.core.files import make_place, opened, require_alone, unwritten, writing_to
from damier.core.game import option_text
from damier.core.job import Job, uninterrupted
from damier.core.json_data import JsonBounds, parse_json, to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import FormattedNumber, _, decimal, grouped, message, ngettext, percent
from damier.draw.line_charts import IntervalLine, IntervalPoint, MultiplePanel, multiples_svg
from damier.lab.agent_file import digest, digest_of_text
from damier.lab.curves import series
from damier.lab.games import Lab
from damier.lab.training import Grades, Plan, Trainer, trainer
from damier.lab.workers import Hiring, Listener, PieceWork, TellPart, shared
from damier.learn.parameters import SeatName

# Learners with several values for some of their options: `q:alpha=0.1,0.3,0.5,epsilon=0.1,0.2`.
#
# A part without `=`, which the text of no agent can have, is one more value of the option before it.
# `0.1..0.5..0.1` is short for the values from 0.1 to 0.5 in steps of 0.1 (docs/decisions/0063).

MOST_VALUES = 1000
"""Values of one option."""
MOST_SETTINGS = 100_000
NUMBER_PATTERN = r"[+-]?[0-9]{1,12}(?:\.[0-9]{1,12})?"  # exact in Decimal, also when they are added
RANGE = re.compile(rf"({NUMBER_PATTERN})\.\.({NUMBER_PATTERN})(?:\.\.({NUMBER_PATTERN}))?")


class SweepSetting(NamedTuple):
    """A learner with one value for each of its options.

    Attributes:
        text: as an agent is written
        varied: the options that have several values in the sweep, and their values here
        given: the text that it comes from
    """

    text: str
    varied: tuple[tuple[str, str], ...]
    given: str


def settings_of(learners: Sequence[str]) -> list[SweepSetting]:
    """The settings of several learners, in order. Raises BadInput."""
    found = [setting for learner in learners for setting in swept(learner)]
    texts = set[str]()
    for setting in found:
        if setting.text in texts:
            raise BadInput(message("--learner: {learner} is given twice", learner=setting.text))
        texts.add(setting.text)
    return found


def swept(learner: str) -> list[SweepSetting]:
    """Every combination of the values of its options, the last option changing first.

    Raises BadInput.

    >>> [setting.text for setting in swept("q:alpha=0.1,0.3,ties=first")]
    ['q:alpha=0.1,ties=first', 'q:alpha=0.3,ties=first']
    >>> [setting.text for setting in swept("menace")]
    ['menace']
    """
    name, colon, written = learner.rpartition(":")
    if not colon or "=" not in written:
        name, written = learner, ""
    options = values_by_option(learner, written)
    count = 1
    for values in options.values():
        count *= len(values)
    if count > MOST_SETTINGS:
        raise BadInput(
            message(
                "--learner {learner}: {n} combinations of values; at most {most}",
                learner=learner,
                n=FormattedNumber(count, ","),
                most=FormattedNumber(MOST_SETTINGS, ","),
            )
        )
    return [
        SweepSetting(
            ":".join(filter(None, (name, ",".join(map("=".join, zip(options, values, strict=True)))))),
            tuple(
                (option, value)
                for option, value in zip(options, values, strict=True)
                if len(options[option]) > 1
            ),
            learner,
        )
        for values in product(*options.values())
    ]


def values_by_option(learner: str, written: str) -> dict[str, list[str]]:
    """The values of each option as texts, in order. Raises BadInput."""
    options: dict[str, list[str]] = {}
    current = ""
    for part in written.split(",") if written else ():
        option, equals, value = part.partition("=")
        if equals:
            if option in options:
                raise BadInput(
                    message("--learner {learner}: {option} is given twice", learner=learner, option=option)
                )
            current, options[option] = option, []
        else:
            value = part
        if not current:
            raise BadInput(
                message("--learner {learner}: {value} is the value of no option", learner=learner, value=part)
            )
        options[current] += ranged(learner, current, value)
    for option, values in options.items():
        if "" in values[1:] or values[:1] == [""] != values:
            raise BadInput(message("--learner {learner}: a value is missing beside a comma", learner=learner))
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            raise BadInput(
                message(
                    "--learner {learner}: {option} has the value {value} twice",
                    learner=learner,
                    option=option,
                    value=twice,
                )
            )
    return options


def ranged(learner: str, option: str, value: str) -> list[str]:
    """The values that `A..B..STEP` or, of whole numbers, `A..B` stands for; of anything else, itself.

    >>> ranged("q", "alpha", "0.1..0.5..0.2"), ranged("q", "decay_after", "1..3"), ranged("q", "file", "../x")
    (['0.1', '0.3', '0.5'], ['1', '2', '3'], ['../x'])

    Raises BadInput.
    """
    found = RANGE.fullmatch(value)
    if found is None:
        return [value]
    first, last = Decimal(found[1]), Decimal(found[2])
    if found[3] is None and (first % 1 or last % 1):
        raise BadInput(
            message(
                "--learner {learner}: {option}={value} needs its step: {value}..STEP",
                learner=learner,
                option=option,
                value=value,
            )
        )
    step = Decimal(found[3] or 1)
    if step <= 0 or last < first:
        raise BadInput(
            message(
                "--learner {learner}: {option}={value} has no values; write FROM..TO..STEP, upwards",
                learner=learner,
                option=option,
                value=value,
            )
        )
    count = int((last - first) / step) + 1
    if count > MOST_VALUES:
        raise BadInput(
            message(
                "--learner {learner}: {option}={value} has {n} values; at most {most}",
                learner=learner,
                option=option,
                value=value,
                n=FormattedNumber(count, ","),
                most=FormattedNumber(MOST_VALUES, ","),
            )
        )
    return [f"{first + number * step:f}" for number in range(count)]


# What a sweep trains: settings and seeds, and how each training goes.


class TrainingOrder(TypedDict):
    """One training: a learner, its seed, how many games."""

    learner: str
    seed: int
    games: int


@dataclass(frozen=True)
class SweepPlan:
    """A sweep: every setting with every seed.

    Attributes:
        games, opponent, seat: None: as the preset of the learner says, or as in `train`
        grade_every: as in `Plan`
    """

    settings: tuple[SweepSetting, ...]
    seeds: range
    games: int | None = None
    opponent: str | None = None
    seat: SeatName | None = None
    max_plies: int = 1000
    grade_every: int | None = None

    def training(self, learner: str, seed: int) -> Plan:
        """One of its trainings."""
        return Plan(learner, self.opponent, self.seat, seed, self.max_plies, self.grade_every)

    @property
    def given(self) -> JsonObject:
        """The common part of all its trainings, as data."""
        return {
            "opponent": self.opponent,
            "seat": self.seat,
            "max_plies": self.max_plies,
            "grade_every": self.grade_every,
        }


def orders_of(plan: SweepPlan, lab: Lab) -> list[TrainingOrder]:
    """All trainings: setting after setting, each with every seed. Every learner is made once, so that
    what is wrong with one is told before the first game.

    Raises BadInput, Unsuitable, LimitReached, AgentFault, as a training does.
    """
    usual = {setting.text: _tried(plan, lab, setting).usual_games for setting in plan.settings}
    return [
        {"learner": setting.text, "seed": seed, "games": plan.games or usual[setting.text]}
        for setting in plan.settings
        for seed in plan.seeds
    ]


def _tried(plan: SweepPlan, lab: Lab, setting: SweepSetting) -> Trainer:
    made = trainer(lab, plan.training(setting.text, plan.seeds.start))
    if made.opponent.text == "human":
        raise Unsuitable(message("human does not play by itself; a sweep is between programs"))
    return made


# What came of one training, as data: a line of a sweep's file.


class TrainingResult(TypedDict):
    """A training that has ended.

    Attributes:
        against: whom it was graded against
        won: how many of the games of the last block it has won
        payoff: what it is worth at its seat, exactly; None, as the two below, where it was not graded
        ceiling: the most that any policy is worth there
        optimal: how likely it keeps the value of a position that it reaches
        points: games and payoff, block by block, as far as they were graded
    """

    learner: str
    seed: int
    games: int
    seat: str
    against: str
    won: float
    payoff: float | None
    ceiling: float | None
    optimal: float | None
    points: list[tuple[int, float]]


class SweepDoer:
    """Trains learners; those that are graded against the same policy share what grades them."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._lab, self._grades = lab, dict[tuple[type, str], Grades]()
        self._plan = SweepPlan(
            (),
            range(0),
            opponent=cast("str | None", given["opponent"]),
            seat=cast("SeatName | None", given["seat"]),
            max_plies=cast("int", given["max_plies"]),
            grade_every=cast("int | None", given["grade_every"]),
        )

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        training_order = cast("TrainingOrder", order)
        made = trainer(self._lab, self._plan.training(training_order["learner"], training_order["seed"]))
        made.grade_by(self._grades.setdefault((type(made), made.against), made.grades))
        made.training.run(training_order["games"], self._lab.job)
        return cast("JsonObject", result_of(made, training_order))


def result_of(made: Trainer, training_order: TrainingOrder) -> TrainingResult:
    """Return what a training has come to."""
    seat = made.plan.seat or "1"
    learnt, last = series("", made.training.curve, seat), made.training.curve.blocks[-1]
    end = learnt.points[-1]
    return {
        "learner": training_order["learner"],
        "seed": training_order["seed"],
        "games": made.training.episodes,
        "seat": seat,
        "against": made.against,
        "won": end.rates[0].rate,
        "payoff": end.payoff,
        "ceiling": end.ceiling,
        "optimal": last.grade.optimal_share_reached if last.grade else None,
        "points": [(point.games, point.payoff) for point in learnt.points if point.payoff is not None],
    }


# The file of a sweep: JSON Lines, so that a sweep that was broken off anywhere goes on.
#
#    {"format": "damier-sweep/1", "game": …, "source": …, "opponent": …, "seat": …, …}   the first line
#    {"digest": …, "learner": …, "seed": …, "games": …, "payoff": …, …}                  one for each training
#
# A line is written when its training has ended. What a kill cut off in the middle of a line is taken away
# when the file is next opened. `digest` is that of the files which the text of the learner names: where one
# has changed, its trainings are done again.

FORMAT = "damier-sweep/1"
LINE = JsonBounds(1 << 20, 1000, 10_000)
"""A training: its curve has forty points."""
LARGEST = 1 << 30
"""Bytes of a file that is shown: a million trainings."""
SMALLEST = 1e-100
"""A number is 0, or at least this and at most 1 by this, so that quotients and squares stay numbers."""
NUMBER_TYPES: tuple[type, ...] = (int, float)
PERHAPS: tuple[type, ...] = (int, float, type(None))
KINDS: dict[str, tuple[type, ...]] = {
    "digest": (str,),
    "learner": (str,),
    "seed": (int,),
    "games": (int,),
    "seat": (str,),
    "against": (str,),
    "won": NUMBER_TYPES,
    "payoff": PERHAPS,
    "ceiling": PERHAPS,
    "optimal": PERHAPS,
    "points": (list,),
}
"""What a line of a training holds."""


class SweepFile:
    """The trainings that have ended, by learner, seed and games; in a file where there is one, open until
    `closed`.
    """

    def __init__(self, path: Path | None, header: JsonObject, digests: Mapping[str, str]) -> None:
        """Raises BadFile for a file of anything else, or of a sweep that trains otherwise, and BadInput
        where it cannot be written.
        """
        self.path, self._digests = path, digests
        self.results: dict[tuple[str, int, int], TrainingResult] = {}
        self._stream: IO[bytes] | None = None
        if path is not None:
            make_place(path)
            try:
                with writing_to(path):
                    self._stream = open(path, "a+b")  # noqa: SIM115  for as long as it trains
                    taken = _("{path}: another sweep is writing it", path=path)
                    require_alone(self._stream.fileno(), path, taken)
                    self._read(path, {"format": FORMAT, **header})
            except DamierError:
                self.close()
                raise

    def result(self, order: TrainingOrder) -> TrainingResult | None:
        """Return what came of a training, if it is known."""
        return self.results.get((order["learner"], order["seed"], order["games"]))

    def keep(self, result: TrainingResult) -> None:
        """Keeps what came of a training. Raises LimitReached on a full disk."""
        with uninterrupted():
            self._write({"digest": self._digests[result["learner"]], **result})
            self.results[result["learner"], result["seed"], result["games"]] = result

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()

    def _write(self, data: Mapping[str, object]) -> None:
        if self._stream is None or self.path is None:
            return
        size = self._stream.seek(0, os.SEEK_END)
        try:
            self._stream.write(to_json(data).encode() + b"\n")
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._stream.truncate(size)
            raise unwritten(self.path, error) from error

    def _read(self, path: Path, header: JsonObject) -> None:
        """Takes over what is there, or begins the file. What is cut off is taken away only where this
        sweep can have begun to write it: else it is somebody's file of something else.
        """
        assert self._stream is not None
        self._stream.seek(0)
        whole, begun = 0, False
        for number, line in enumerate(lines_of(self._stream, path), 1):
            if begun:
                self._take(training_in(line, f"{path}:{number}"))
            else:
                require_same(parsed(line, f"{path}:{number}"), header, path)
            whole, begun = whole + len(line), True
        if not begun:
            self._stream.seek(0)
            if not to_json(header).encode().startswith(self._stream.read(LINE.size)):
                raise no_sweep(path)
        self._stream.truncate(whole)
        if not begun:
            self._write(header)

    def _take(self, data: JsonObject) -> None:
        digest = data.pop("digest")
        result = cast("TrainingResult", data)
        if self._digests.get(result["learner"], digest) == digest:
            self.results[result["learner"], result["seed"], result["games"]] = result


def trainings_in(path: Path) -> tuple[str, str | None, list[TrainingResult]]:
    """Game and opponent of the file of a sweep, and its trainings in the order of learners; of one that was
    done again the latest, of several numbers of games the highest. Raises BadFile.
    """
    found: dict[tuple[str, int], TrainingResult] = {}
    with opened(path, LARGEST) as stream:
        lines = lines_of(stream, path)
        first = parsed(next(lines, b"{}"), f"{path}:1")
        game, opponent = first.get("game"), first.get("opponent")
        named = isinstance(game, str) and isinstance(opponent, (str, type(None)))
        if first.get("format") != FORMAT or not named:
            raise no_sweep(path)
        for number, line in enumerate(lines, 2):
            result = cast("TrainingResult", training_in(line, f"{path}:{number}"))
            key = result["learner"], result["seed"]
            if key not in found or found[key]["games"] <= result["games"]:
                found[key] = result
    most: dict[str, int] = {}
    for result in found.values():
        most[result["learner"]] = max(result["games"], most.get(result["learner"], 0))
    kept = [result for result in found.values() if result["games"] == most[result["learner"]]]
    return str(game), cast("str | None", opponent), kept


def lines_of(stream: IO[bytes], path: Path) -> Iterator[bytes]:
    """The lines that were written to their ends. Raises BadFile for one that is longer than any."""
    while (line := stream.readline(LINE.size + 1)).endswith(b"\n"):
        yield line
    if len(line) > LINE.size:
        raise no_sweep(path)


def no_sweep(path: Path) -> BadFile:
    return BadFile(message("{path} is not the file of a sweep", path=path))


def training_in(line: bytes, where: str) -> JsonObject:
    """Return what the line of a training says. Raises BadFile for any other."""
    data = parsed(line, where)
    whole = set(data) == set(KINDS) and all(is_of(data[name], kind) for name, kind in KINDS.items())
    points = data.get("points")
    if not whole or not isinstance(points, list) or not all(is_point(point) for point in points):
        raise BadFile(message("{where}: not a training of a sweep", where=where))
    return data


def is_of(value: JsonValue, kinds: tuple[type, ...]) -> bool:
    """Return whether it is of one of these kinds; of numbers, one that a mean can be made of."""
    if isinstance(value, (int, float)) and value != 0 and not SMALLEST <= abs(value) <= 1 / SMALLEST:
        return False
    return isinstance(value, kinds) and not isinstance(value, bool)


def is_point(value: JsonValue) -> bool:
    """Return whether it is a number of games and a payoff."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and is_of(value[0], (int,))
        and is_of(value[1], NUMBER_TYPES)
    )


def parsed(line: bytes, where: str) -> JsonObject:
    """A line as data. Raises BadFile."""
    try:
        data = parse_json(line.decode(), where, LINE)
    except UnicodeDecodeError:
        data = None
    if not isinstance(data, dict):
        raise BadFile(message("{where}: not a training of a sweep", where=where))
    return data


def require_same(found: JsonObject, wanted: JsonObject, path: Path) -> None:
    """Raises BadFile where a file is of no sweep, or of one that trains otherwise."""
    if found.get("format") != FORMAT:
        raise no_sweep(path)
    for name, value in wanted.items():
        if found.get(name) != value:
            raise BadFile(
                message(
                    "{path} is of a sweep with {name}={theirs}, not {ours}; give another file",
                    path=path,
                    name=name,
                    theirs=option_text(cast("str | None", found.get(name))),
                    ours=option_text(cast("str | None", value)),
                )
            )


@dataclass
class Sweep:
    """A plan, its trainings in order, and what is known of them.

    Raises what `orders_of` and `SweepFile` raise.
    """

    lab: Lab
    plan: SweepPlan
    path: Path | None = None
    orders: list[TrainingOrder] = field(init=False)
    kept: SweepFile = field(init=False)

    def __post_init__(self) -> None:
        self.orders = orders_of(self.plan, self.lab)
        game = self.lab.game
        header: JsonObject = {
            "game": game.text,
            "source": digest(game.source) if game.source else "",
            **self.plan.given,
            "opponent_digest": digest_of_text(self.plan.opponent or ""),
        }
        digests = {setting.text: digest_of_text(setting.text) for setting in self.plan.settings}
        self.kept = SweepFile(self.path, header, digests)

    @property
    def results(self) -> list[TrainingResult]:
        """The trainings that have ended, in the order of the plan."""
        return [found for order in self.orders if (found := self.kept.result(order)) is not None]

    def run(self, hire: Hiring | None = None) -> None:
        """Trains what is missing. Raises BadInput or LimitReached, with the learner, as a training
        does; what has ended is kept.
        """
        missing = [order for order in self.orders if self.kept.result(order) is None]
        known = sum(order["games"] for order in self.orders) - sum(order["games"] for order in missing)
        progress = SweepProgress(self.lab.job, missing, known)
        work = PieceWork(SweepDoer, self.lab, self.plan.given)
        for piece in shared(work, [cast("JsonObject", order) for order in missing], progress, hire=hire):
            if piece.error is not None:
                raise blamed(missing[piece.number], piece.error)
            self.kept.keep(cast("TrainingResult", piece.answer))
            progress.progress(piece.number, missing[piece.number]["games"], None, "")


def blamed(order: TrainingOrder, error: DamierError) -> DamierError:
    """The error of a training, which it names."""
    sentence = _("{learner}, seed {seed}: {error}", learner=order["learner"], seed=order["seed"], error=error)
    return LimitReached(sentence, error.reached) if isinstance(error, LimitReached) else BadInput(sentence)


class SweepProgress(Listener):
    """The games of all trainings, counted together; `known` were played before."""

    def __init__(self, job: Job, orders: list[TrainingOrder], known: int) -> None:
        self._tell: Callable[[int, int | None, str], None] = job.progress
        self._total = known + sum(order["games"] for order in orders)
        self._games, self._played = [0] * len(orders), known

    def progress(self, number: int, done: int, total: int | None, what: str) -> None:
        """Takes how many games of a training are played."""
        if what in ("", _("games")):
            self._played += done - self._games[number]
            self._games[number] = done
            self._tell(self._played, self._total, _("games"))


# The outcome of a sweep, as data: a row a setting, every figure the mean over its seeds with its
# interval.

SweepMeasure: TypeAlias = Literal["share", "payoff", "won"]
"""What a sweep is drawn by: payoff as a part of the ceiling, payoff, or games won in the last block."""


class MeanOverSeeds(TypedDict):
    """A mean, and the 95 % interval of what it estimates; None where there is only one seed."""

    mean: float
    interval: list[float] | None


class SweepRow(TypedDict):
    """A setting. What is graded is None where any of its trainings was not.

    Attributes:
        seeds: trainings that have ended
        ceiling: the most that any policy is worth at its seat against `against`
        share: the payoff as a part of the ceiling, where that is above 0
    """

    learner: str
    options: dict[str, str]
    seeds: int
    seat: str
    against: str
    payoff: MeanOverSeeds | None
    ceiling: float | None
    share: MeanOverSeeds | None
    optimal: MeanOverSeeds | None
    won: MeanOverSeeds


class SweepReport(TypedDict):
    """The report of a sweep; `games` and `opponent` None: as each learner's preset says."""

    game: str
    games: int | None
    opponent: str | None
    seed: int
    seeds: int
    trained: int
    of: int
    rows: list[SweepRow]


def sweep_report(game: str, plan: SweepPlan, results: Sequence[TrainingResult]) -> SweepReport:
    """A sweep so far."""
    by_learner = dict[str, list[TrainingResult]]()
    for result in results:
        by_learner.setdefault(result["learner"], []).append(result)
    return {
        "game": game,
        "games": plan.games,
        "opponent": plan.opponent,
        "seed": plan.seeds.start,
        "seeds": len(plan.seeds),
        "trained": len(results),
        "of": len(plan.settings) * len(plan.seeds),
        "rows": [
            row_of(setting, found) for setting in plan.settings if (found := by_learner.get(setting.text))
        ],
    }


def row_of(setting: SweepSetting, results: Sequence[TrainingResult]) -> SweepRow:
    """A setting from its trainings, at least one."""
    ceilings = [result["ceiling"] for result in results if result["ceiling"] is not None]
    ceiling = ceilings[0] if len(ceilings) == len(results) else None

    def mean_of(figure: Callable[[TrainingResult], float | None], most: float) -> MeanOverSeeds | None:
        figures = [found for result in results if (found := figure(result)) is not None]
        return mean_over(figures, most) if len(figures) == len(results) else None

    won = mean_over([result["won"] for result in results], 1.0)
    return {
        "learner": setting.text,
        "options": dict(setting.varied),
        "seeds": len(results),
        "seat": results[0]["seat"],
        "against": results[0]["against"],
        "payoff": None if ceiling is None else mean_of(lambda result: result["payoff"], ceiling),
        "ceiling": ceiling,
        "share": mean_of(share, 1.0),
        "optimal": mean_of(lambda result: result["optimal"], 1.0),
        "won": won,
    }


def share(result: TrainingResult) -> float | None:
    """The payoff of a training as a part of the ceiling."""
    payoff, ceiling = result["payoff"], result["ceiling"]
    return payoff / ceiling if payoff is not None and ceiling is not None and ceiling > 0 else None


def mean_over(figures: Sequence[float], most: float) -> MeanOverSeeds:
    """A mean with its interval, cut off at the `most` that there can be."""
    interval = mean_interval(figures)
    return {"mean": fmean(figures), "interval": [interval[0], min(interval[1], most)] if interval else None}


def measure_of(rows: Sequence[SweepRow]) -> SweepMeasure:
    """Return what all rows have, the first of share, payoff and games won."""
    if all(row["share"] is not None for row in rows):
        return "share"
    return "payoff" if all(row["payoff"] is not None for row in rows) else "won"


SWEEP_COLUMNS: Columns = {
    **OF_GAME,
    "seed": int,
    "learner": str,
    "seeds": int,
    "seat": str,
    "against": str,
    **{
        f"{name}{end}": float
        for name in ("payoff", "share", "optimal", "won")
        for end in ("", "_low", "_high")
    },
    "ceiling": float,
}
"""The columns of a sweep, which those of the options that vary follow (docs/data.md)."""


def sweep_data(data: SweepReport) -> DataTable:
    """Return the rows for data frames: a column an option that varies."""
    options = list(dict.fromkeys(option for row in data["rows"] for option in row["options"]))
    given = (*of_written_game(data["game"]), data["seed"])
    rows = []
    for row in data["rows"]:
        cells: list[Cell] = [*given, row["learner"], row["seeds"], row["seat"], row["against"]]
        for mean in (row["payoff"], row["share"], row["optimal"], row["won"]):
            cells += [None] * 3 if mean is None else [mean["mean"], *(mean["interval"] or (None, None))]
        rows.append([*cells, row["ceiling"], *map(row["options"].get, options)])
    return DataTable(joined_columns(SWEEP_COLUMNS, options), rows)


# A sweep as a picture: a panel for each learner over the option that it varies most, and one over games
# for those that vary none; every point the mean over seeds in its 95 % interval, under the exact ceiling.


def sweep_svg(game: str, plan: SweepPlan, results: Sequence[TrainingResult]) -> str:
    """The picture of a sweep of which some trainings have ended, as SVG text."""
    data = sweep_report(game, plan, results)
    measure = measure_of(data["rows"])
    given = {setting.text: setting.given for setting in plan.settings}
    panels = []
    for learner in dict.fromkeys(given[row["learner"]] for row in data["rows"]):
        rows = [row for row in data["rows"] if given[row["learner"]] == learner]
        if rows[0]["options"]:
            panels.append(panel_over_option(learner, rows, measure))
    constant = [row for row in data["rows"] if not row["options"]]
    if constant:
        panels.append(panel_over_games(constant, results, measure))
    return multiples_svg(
        panels, title_of(data), measured_in_words(data), lambda value: written(value, measure)
    )


def title_of(data: SweepReport) -> str:
    opponent, trained = data["opponent"], data["trained"]
    if opponent is None:
        return ngettext(
            "{game}: a sweep of one training",
            "{game}: a sweep of {n} trainings",
            trained,
            game=data["game"],
            n=grouped(trained),
        )
    return ngettext(
        "{game}: a sweep of one training against {opponent}",
        "{game}: a sweep of {n} trainings against {opponent}",
        trained,
        game=data["game"],
        n=grouped(trained),
        opponent=opponent,
    )


def measured_in_words(data: SweepReport) -> str:
    """Return what the numbers of a sweep are."""
    what = {
        "share": _("exact mean payoff as a share of the ceiling"),
        "payoff": _("exact mean payoff"),
        "won": _("games won in the last block (not graded)"),
    }[measure_of(data["rows"])]
    return ngettext(
        "{what}: mean of {n} seed, 95 % interval of the mean (Student's t)",
        "{what}: mean of {n} seeds, 95 % interval of the mean (Student's t)",
        data["seeds"],
        what=what,
    )


def written(value: float, measure: SweepMeasure) -> str:
    return decimal(value, "+.3f") if measure == "payoff" else percent(value, ".1f")


def measured(row: SweepRow, measure: SweepMeasure) -> MeanOverSeeds:
    """Return what a row is drawn by."""
    found = {"share": row["share"], "payoff": row["payoff"], "won": row["won"]}[measure]
    assert found is not None
    return found


def panel_over_option(learner: str, rows: Sequence[SweepRow], measure: SweepMeasure) -> MultiplePanel:
    """The option with the most values across, the first of equals; a line for each combination of the
    others.
    """
    values: dict[str, list[str]] = {}
    for row in rows:
        for option, value in row["options"].items():
            if value not in values.setdefault(option, []):
                values[option].append(value)
    across = max(values, key=lambda option: len(values[option]))
    lines: dict[str, list[IntervalPoint]] = {}
    for row in rows:
        name = ",".join(f"{option}={value}" for option, value in row["options"].items() if option != across)
        place = values[across].index(row["options"][across])
        lines.setdefault(name, []).append(point(place, measured(row, measure)))
    return MultiplePanel(
        learner,
        tuple(IntervalLine(name, tuple(points)) for name, points in lines.items()),
        across,
        tuple(values[across]),
        ceilings_of(rows, measure),
    )


def panel_over_games(
    rows: Sequence[SweepRow], results: Sequence[TrainingResult], measure: SweepMeasure
) -> MultiplePanel:
    """The curves of settings, a line each, block by block."""
    lines = []
    for row in rows:
        found = [result for result in results if result["learner"] == row["learner"]]
        ceiling = (row["ceiling"] or 1.0) if measure == "share" else 1.0
        points = []
        if measure == "won":
            points = [point(found[0]["games"], row["won"])]
        else:
            for block in zip(*(result["points"] for result in found), strict=False):  # as far as all come
                payoffs = [payoff / ceiling for _games, payoff in block]
                points.append(point(block[0][0], mean_over(payoffs, (row["ceiling"] or 0.0) / ceiling)))
        lines.append(IntervalLine(row["learner"], tuple(points)))
    title = lines[0].name if len(lines) == 1 else _("over the games played")
    return MultiplePanel(title, tuple(lines), "", ceilings=ceilings_of(rows, measure))


def point(x: float, mean: MeanOverSeeds) -> IntervalPoint:
    low, high = mean["interval"] or (None, None)
    return IntervalPoint(x, mean["mean"], low, high)


def ceilings_of(rows: Sequence[SweepRow], measure: SweepMeasure) -> tuple[tuple[float, str], ...]:
    """The ceilings of these rows, and what is written beside each."""
    found = sorted({row["ceiling"] for row in rows if row["ceiling"] is not None})
    if measure == "won" or not found:
        return ()
    names = [_("ceiling {payoff}", payoff=decimal(ceiling, "+.4f")) for ceiling in found]
    if measure == "payoff":
        return tuple(zip(found, names, strict=True))
    return ((1.0, " / ".join(names)),)
