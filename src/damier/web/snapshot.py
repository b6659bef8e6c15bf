"""A learner at one moment, as plain data: what it is, how it came to that, and the part of its
table that a page can show.

Trainings tell it while they run; of a learner that only lies in its file, it is made from that. Below:
two learners compared, and the parts of the page of one.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest
from typing import TypeAlias

from damier.arena.match import match, wilson
from damier.core.errors import BadInput, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.grade import Block, Chances, Curve, Grade, block_facts
from damier.core.job import Job
from damier.core.json_types import JsonValue
from damier.core.loop import MatchSetup
from damier.core.player import Learner, Player, RandomPlayer
from damier.core.rules import State
from damier.core.solution import SIGNED, AnyValue, PayoffValue, payoff_of
from damier.core.words import N_, _, decimal, message, ngettext, percent
from damier.draw.curve import Series, curve_svg
from damier.draw.text import position_name
from damier.lab.agent_file import OwnAgent
from damier.lab.agents import agent_in_words
from damier.lab.curves import series
from damier.lab.games import Lab
from damier.lab.grading import as_policy
from damier.lab.solving import Truth, exact_of, truth
from damier.lab.training import TableTrainer, Trainer
from damier.learn.action_values import Memory, Row, read_move, written_move
from damier.learn.parameters import SEATS, as_written
from damier.learn.player import ALGORITHMS, LearningPlayer
from damier.learn.store import Agent, plain, read_block, read_grade, stages_of
from damier.solve.grade import Grader
from damier.web import pages
from damier.web.limits import LRU
from damier.web.messages import (
    OWN,
    BlockEnds,
    Parts,
    Progress,
    TrainingAbout,
    TrainingFacts,
    TrainingPicture,
    TrainingTable,
)
from damier.web.pages import for_page
from damier.web.registry import Registry, without_folders

# What a learner knows, as a table for a page (row A-23): a row a position, a column a move, what
# is true beside what was learnt.


MOST_SHOWN = 60

Exact: TypeAlias = "tuple[AnyValue, int | None] | None"


@dataclass(frozen=True)
class Cell:
    """One move of a position: what was learnt, what is true, and whether the learner would play it
    rather than another.
    """

    learnt: str
    exact: str
    words: str
    chosen: bool
    name: str


@dataclass(frozen=True)
class LineOfTable:
    """One position; `cells` by column, `lost` what its choice gives away of the exact value, None
    where that is not known.
    """

    number: int
    name: str
    board: str
    visits: int
    lost: float | None
    cells: dict[int, Cell]
    met: bool


@dataclass
class ExactAnswers:
    """The exact values of one game, looked up once for every position and its moves: where boxes are up
    to symmetry, the same position has fewer.
    """

    game: Game
    truth: Truth | None
    rows: LRU[tuple[str, State, tuple[int, ...]], list[Exact]] = field(default_factory=lambda: LRU(50_000))

    def of(self, algorithm: str, row: Row) -> list[Exact]:
        if (known := self.truth) is None:
            return [None] * len(row.values)
        question = (algorithm, row.state, row.moves)
        return self.rows.find(question, lambda: list(exact_of(self.game, algorithm, row, known)))


_answers = LRU[str, ExactAnswers](8)


def answers(registry: Registry, name: str) -> ExactAnswers:
    """Return what is exactly known of a game."""
    lab = registry.lab(name)
    return _answers.find(name, lambda: ExactAnswers(lab.game, truth(lab)), lambda kept: kept.game is lab.game)


def table_of(registry: Registry, facts: TrainingFacts) -> str:
    """The table as a part of the page: the rows that come first in the order that is asked for."""
    exact = answers(registry, facts["game"])
    lines = in_order([line_of(exact, facts, *row) for row in facts["rows"]], facts["order"])[:MOST_SHOWN]
    return pages.part(
        "learning_table.html",
        lines=lines,
        columns=headings(line.cells for line in lines),
        known=facts["known"],
        told=len(facts["rows"]),
        numbered=exact.game.id is not None,
        is_exact=exact.truth is not None,
        afterstates=facts["algorithm"] == "v",
        beads=facts["algorithm"] == "beads",
    )


def in_order(lines: list[LineOfTable], order: str) -> list[LineOfTable]:
    """By visits, by what is given away, or as they were discovered."""
    if order == "visits":
        return sorted(lines, key=lambda line: -line.visits)
    if order == "error":
        return sorted(lines, key=lambda line: (-(line.lost or 0.0), -line.visits))
    return sorted(lines, key=lambda line: line.number)


def line_of(
    exact: ExactAnswers,
    facts: TrainingFacts,
    number: int,
    state: list[int | list[int]],
    moves: list[int | None],
    values: Sequence[float],
    counts: Sequence[int],
) -> LineOfTable:
    """A row as it is shown."""
    game, algorithm = exact.game, facts["algorithm"]
    s = game.read_state(state)
    row = Row(
        s,
        tuple(0 if number is None else read_move(game, number) for number in moves),
        tuple(values),
        tuple(counts),
    )
    true = exact.of(algorithm, row)
    probabilities = action_probabilities(algorithm, row)
    cells = {}
    for column, move, value, count, found, probability in zip(
        moves, row.moves, values, counts, true, probabilities, strict=True
    ):
        learnt = str(count) if algorithm == "beads" else number_text(value, ".2f")
        cells[-1 if column is None else column] = Cell(
            learnt,
            sign(found),
            in_words(found),
            0 < probability == max(probabilities),
            game.name_move(s, move) if move else "",
        )
    lost = lost_by(algorithm, facts["parameters"], row, true, probabilities)
    return LineOfTable(
        number,
        position_name(game, s),
        board_in_line(game, s),
        sum(counts),
        lost,
        cells,
        number == facts["last"],
    )


def action_probabilities(algorithm: str, row: Row) -> list[float]:
    """Return how likely each move is when the learner plays what it knows: by beads, or the best alike."""
    if algorithm == "v":
        return [0.0]
    if algorithm == "beads":
        return [count / max(1, sum(row.counts)) for count in row.counts]
    best = [value == max(row.values) for value in row.values]
    return [is_best / sum(best) for is_best in best]


def lost_by(
    algorithm: str,
    parameters: Mapping[str, JsonValue],
    row: Row,
    true: Sequence[Exact],
    probabilities: Sequence[float],
) -> float | None:
    """Return what the choice of the learner gives away on average: 1 is a win for a draw, 2 a win for
    a loss. Of an afterstate, how far off its value is.
    """
    values = [found[0] for found in true if found is not None]
    payoffs = [payoff_of(value) for value in values]
    if len(payoffs) < len(row.values):
        return None
    if algorithm == "v":
        rewards = (parameters["win"], parameters["loss"])
        largest = max(abs(reward) for reward in rewards if isinstance(reward, (int, float)))
        return abs(row.values[0] / (largest or 1.0) - payoffs[0])
    best = max(payoffs)
    return sum(
        probability * (best - payoff) for probability, payoff in zip(probabilities, payoffs, strict=True)
    )


def sign(found: Exact) -> str:
    return "" if found is None else str(found[0]) if isinstance(found[0], PayoffValue) else SIGNED[found[0]]


def in_words(found: Exact) -> str:
    """An exact value in words, for who points at it."""
    if found is None:
        return ""
    value, distance = found
    if isinstance(value, PayoffValue):
        return _("exact: {value}", value=value.words)
    if value == "draw" or distance is None:
        return _("exact: a draw") if value == "draw" else _("exact: {value}", value=_(value))
    return (
        ngettext("exact: a win in {n} ply", "exact: a win in {n} plies", distance)
        if value == "win"
        else ngettext("exact: a loss in {n} ply", "exact: a loss in {n} plies", distance)
    )


def number_text(value: float, form: str = ".6g") -> str:
    """A number in a format of Python, with a minus sign.

    >>> number_text(-1.5), number_text(2 / 3), number_text(100), number_text(-0.25, ".2f")
    ('−1.5', '0.666667', '100', '−0.25')
    """
    return decimal(value, form).replace("-", "−")


def headings(rows: Iterable[Mapping[int, Cell]]) -> dict[int, str]:
    """The head of every column: the names of the moves, if each has one name in all rows; else
    their numbers (row A-23).
    """
    names: dict[int, set[str]] = {}
    for cells in rows:
        for column, cell in cells.items():
            names.setdefault(column, set()).add(cell.name)
    alike = all(len(found) == 1 for found in names.values())
    return {
        column: "V" if column < 0 else found.pop() if alike else str(column)
        for column, found in sorted(names.items())
    }


# A table as text, as document S0 keeps it (row A-24), and the code of an algorithm.


def table_text(game: Game, memory: Memory, *, beads: bool) -> str:
    """A line `decisions epsilon`, then three lines a position, in order of discovery: its number, as
    its mover sees it where the game has numbers, else its board; its actions, `V` where it is a position
    after a move; their values as 32-bit floats are printed, or beads.
    """
    lines = [f"{memory.decisions} {memory.epsilon:.9g}"]
    for row in memory.rows():
        lines += [
            position_name(game, row.state) if game.id is not None else board_in_line(game, row.state),
            " ".join(str(move.bit_length() - 1 if game.moves_are_bits else move) for move in row.moves)
            if any(row.moves)
            else "V",
            " ".join(map(str, row.counts) if beads else (f"{value:.9g}" for value in row.values)),
        ]
    return "\n".join(lines) + "\n"


def board_in_line(game: Game, s: State) -> str:
    """A board as text, its rows in one line."""
    return "/".join(row.strip() for row in game.show(s).splitlines())


# The code by which an algorithm chooses and learns, as it stands in this program (document S3 shows its
# own so).


def code_of(algorithm: str) -> str:
    """Return how it chooses a move while it learns, and what it learns from a finished game."""
    module = ALGORITHMS[algorithm]
    return "\n\n".join(inspect.getsource(function).rstrip() for function in (module.choose, module.learn))


MOST_ROWS = 300
"""Positions of a table that are told: those learnt from most often."""


def about_training(made: Trainer, game: str) -> TrainingAbout:
    """Return what does not change of a training: who learns what from whom. `game` as pages name it."""
    plan = made.plan
    return {
        **about(made.learner, game, 2 if other_of(made) else 1),
        "learner": without_folders(plan.learner),
        "opponent": without_folders(plan.opponent or ""),
        "seat": plan.seat,
        "seed": plan.seed,
        "starts": plan.starts.written if plan.starts else "",
        "against": without_folders(made.against),
    }


def other_of(made: Trainer) -> LearningPlayer | None:
    """The learner with the table of the other seat, where there is one."""
    return made.saved_opponent if isinstance(made, TableTrainer) and made.both_seats else None


def about(learner: Learner, game: str, tables: int = 1) -> TrainingAbout:
    if not isinstance(learner, LearningPlayer):
        return about_own(learner.text, game)
    return {
        "game": game,
        "learner": learner.text,
        "algorithm": learner.name,
        "parameters": as_written(learner.parameters),
        "tables": tables,
    }


def about_own(text: str, game: str) -> TrainingAbout:
    """Return the same of an agent of one's own: nobody knows how it learns."""
    return {"game": game, "learner": without_folders(text), "algorithm": OWN, "parameters": {}, "tables": 0}


def numbers(made: Trainer) -> Progress:
    """Return what changes and is quickly told: how far it is, and how the games of the last block ended."""
    training, learner = made.training, made.learner
    last = block_ends(training.curve.blocks[-1]) if training.curve.blocks else None
    memory = learner.memory if isinstance(learner, LearningPlayer) else None
    return {
        "games": training.episodes,
        "known": len(memory) if memory else 0,
        "decisions": memory.decisions if memory else 0,
        "epsilon": learner.memory.epsilon,
        "ends": last,
        "total": block_ends(training.curve.total),
    }


def block_ends(block: Block) -> BlockEnds:
    """Return how the games of a block ended."""
    return {"games": block.games, "wins": block.wins, "draws": block.draws, "losses": block.losses}


def moment(made: Trainer) -> TrainingPicture:
    """Return what changes: the curve, its last block graded even if it is not full, and what is known."""
    training, learner = made.training, made.learner
    blocks = training.curve.blocks
    if blocks and blocks[-1].grade is None:
        blocks = [*blocks[:-1], replace(blocks[-1], grade=training.grade(learner))]
    facts_of_blocks = [block_facts(block) for block in blocks]
    if not isinstance(learner, LearningPlayer):
        return {"blocks": facts_of_blocks}
    last = learner.last_row if training.episodes else None
    other = other_of(made)
    table = other_table(other.memory, other.last_row if training.episodes else None) if other else None
    return {"blocks": facts_of_blocks, "last": last, "other": table, **rows_of(learner.memory)}


def other_table(memory: Memory, last: int | None) -> TrainingTable:
    """The table of the other seat."""
    return {"last": last, "known": len(memory), **rows_of(memory)}


def of_agent(agent: Agent | OwnAgent, game: str) -> TrainingFacts:
    """A learner as its file has it; of two tables, the one of the seat whose results are told."""
    if isinstance(agent, OwnAgent):
        return {
            **about_own(agent.learner, game),
            **trained(agent),
            "last": None,
            "known": 0,
            "decisions": 0,
            "epsilon": 0.0,
            "other": None,
            "rows": [],
        }
    second = len(agent.memories) > 1 and agent.training.get("seat") == "2"
    memory = agent.memories[1 if second else 0]
    other = agent.memories[0 if second else 1] if len(agent.memories) > 1 else None
    tables = len(agent.memories)
    return {
        **about(LearningPlayer(agent.game, agent.learner, agent.parameters), game, tables),
        **trained(agent),
        "last": None,
        "known": len(memory),
        "decisions": memory.decisions,
        "epsilon": memory.epsilon,
        "other": other_table(other, None) if other else None,
        **rows_of(memory),
    }


def trained(agent: Agent | OwnAgent) -> TrainingFacts:
    """Return how a learner came to what it is, as its file says it."""
    blocks = agent.curve.blocks
    return {
        "opponent": without_folders(str(agent.training.get("opponent", ""))),
        "seat": str(agent.training.get("seat", "")),
        "seed": int(agent.training.get("seed", 0)),
        "starts": next((written for _games, written in reversed(stages_of(agent.training))), ""),
        "against": without_folders(str(agent.training.get("against", ""))),
        "state": "saved",
        "games": agent.games,
        "of": agent.games,
        "blocks": [block_facts(block) for block in blocks],
        "ends": block_ends(blocks[-1]) if blocks else None,
        "total": block_ends(agent.curve.total),
    }


def rows_of(memory: Memory) -> TrainingTable:
    """The rows of a table that are told."""
    return {
        "rows": [
            (
                number,
                plain(row.state),
                [written_move(memory.game, move) if move else None for move in row.moves],
                row.values,
                row.counts,
            )
            for number, row in memory.selected(most_visited(memory, MOST_ROWS))
        ]
    }


def most_visited(memory: Memory, most: int, always: Collection[int] = ()) -> list[int]:
    """The numbers of the rows that were learnt from most often, beside those that are `always` among them, in
    order of discovery; all of a small table.
    """
    if len(memory) <= most:
        return list(range(len(memory)))
    visits, others = memory.visits(), (number for number in range(len(memory)) if number not in always)
    return sorted([*always, *nlargest(most - len(always), others, key=visits.__getitem__)])


# Two learners side by side: their curves in one picture, their exact grades, and a match between
# them.

GAMES, OWN_GAMES = 1000, 200
"""Of a match; the second where an agent of one's own plays, which may take its time."""
MOST_PLIES = 1000
GRADED_BYTES = 200 << 20
"""Memory that grading may take for a page."""


def compared(registry: Registry, one: str, other: str) -> str:
    """The comparison as a part of the page.

    Raises BadInput where the two have not learnt the same game.
    """
    games = [registry.page_game(registry.written_game(name)) for name in (one, other)]
    if games[0] != games[1]:
        facts = {"one": one, "game": games[0], "other": other, "game2": games[1]}
        raise BadInput(
            message(
                "{one} has learnt {game}, {other} has learnt {game2}: only learners of one game can be"
                " compared",
                **facts,
            )
        )
    agents = [registry.kept_agent(games[0], name) for name in (one, other)]
    curves = [
        series(
            name,
            agent.curve,
            agent.training.get("seat", "1"),
            agent_in_words(agent.training.get("against", "")),
        )
        for name, agent in zip((one, other), agents, strict=True)
    ]
    players = [registry.agent(games[0], f"learner:{name}") for name in (one, other)]
    lab = registry.lab(games[0])
    job = Job(memory=min(lab.job.memory, GRADED_BYTES))
    number = OWN_GAMES if any(isinstance(agent, OwnAgent) for agent in agents) else GAMES
    score = match(MatchSetup(lab.game, (players[0], players[1]), 0, True, MOST_PLIES), number, job)
    grades, why = graded(lab, players, job)
    return pages.part(
        "learning_compare.html",
        one=one,
        other=other,
        game=games[0],
        curve=pages.picture(curve_svg(curves)),
        grades=grades,
        percent=percent,
        why=why,
        rates=end_rates(
            {
                _("won by the first"): score.wins,
                _("drawn"): score.draws,
                _("won by the second"): score.losses,
            }
        ),
        games=score.games,
    )


def graded(lab: Lab, players: list[Player], job: Job) -> tuple[list[Grade], str]:
    """The exact grades of both against the random player; or none, and why."""
    try:
        grader = Grader(lab.game, RandomPlayer(), job)
        grades: list[Grade] = []
        for player in players:
            policy, why = as_policy(lab, player)
            if policy is None:
                return [], why
            grades.append(grader.grade(policy))
        return grades, ""
    except (Unsuitable, LimitReached) as error:
        return [], for_page(str(error))


# A learner at one moment as parts of its page: how far it is, its curve, its numbers, its table.

STATES = {
    "preparing": N_("getting ready"),
    "running": N_("learning"),
    "paused": N_("paused"),
    "finished": N_("has finished"),
    "stopped": N_("was stopped"),
    "saved": N_("saved; it does not learn now"),
    "failed": N_("has ended with an error"),
}
LESSONS = {"q": "q", "v": "v", "mean": "mean", "beads": "matchboxes"}

TWO = 2
"""Tables of a learner that has one for each seat."""
NEVER = 1e-9
"""A payoff that is no more than this is none: grades are floats."""


@dataclass(frozen=True)
class SeatGrade:
    """The exact grade of a learner at one seat, or over both.

    Attributes:
        payoff: against its opponent
        best_response_value: the most that anybody gets there: its ceiling, as pages say
        worst_case: against whoever plays best against it, at the same seats
        optimal_share: of its moves that keep the value of the game
    """

    payoff: float
    best_response_value: float
    worst_case: float
    optimal_share: float

    @property
    def unbeatable(self) -> bool:
        return self.worst_case >= -NEVER


def number_parts(facts: TrainingFacts) -> Parts:
    """Return how far it is, and how its last games ended."""
    head = pages.part(
        "learning_head.html",
        facts=facts,
        state=STATES[facts["state"]],
        opponent=opponent_in_words(facts["opponent"] or ""),
    )
    if "ends" not in facts:
        return {"head": head}
    ends = facts["ends"]
    rates = pages.part(
        "learning_rates.html",
        facts=facts,
        lesson=LESSONS.get(facts["algorithm"], ""),
        own=facts["algorithm"] == OWN,
        rates=end_rates({_("won"): ends["wins"], _("drawn"): ends["draws"], _("lost"): ends["losses"]})
        if ends
        else [],
        block=ends["games"] if ends else 0,
    )
    return {"head": head, "rates": rates}


def picture_parts(registry: Registry, facts: TrainingFacts) -> Parts:
    """Its curve, what it is worth, what it knows. A training that gets ready has nothing to show."""
    if "blocks" not in facts:
        return {}
    return {
        "numbers": grade_part(facts),
        "curve": pages.picture(curve_svg(curves_of(facts), games=facts["of"])),
        "table": tables_of(registry, facts),
    }


def grade_part(facts: TrainingFacts) -> str:
    """Return what it is worth: at the seats where it learns, and at each of the two."""
    grade = read_grade(facts["blocks"][-1]["grade"]) if facts["blocks"] else None
    if grade is None:
        return pages.part("learning_numbers.html", grade=None)
    return pages.part(
        "learning_numbers.html",
        grade=grade_at(grade, SEATS[graded_seats(facts)]),
        by_seat=[grade_at(grade, (seat,)) for seat in (0, 1)],
        seat=graded_seats(facts),
        opponent=opponent_in_words(facts.get("against", "")),
    )


def tables_of(registry: Registry, facts: TrainingFacts) -> str:
    """Return what it knows: where each seat has a table of its own, both."""
    if facts["algorithm"] == OWN:
        return pages.part("learning_own.html")
    own, other = table_of(registry, facts), facts.get("other")
    if other is None:
        return own
    pair = [own, table_of(registry, {**facts, **other})]
    return pages.part("learning_tables.html", tables=pair if facts["seat"] != "2" else pair[::-1])


def opponent_in_words(text: str) -> str:
    return agent_in_words(text.partition(":")[0] if text.startswith("self") else text)


def curves_of(facts: TrainingFacts) -> list[Series]:
    """The learning curve, ready to be drawn; of two tables, that of each at its seat."""
    curve = Curve(1, list(map(read_block, facts["blocks"])))
    against = opponent_in_words(facts.get("against", ""))
    if facts.get("tables") != TWO:
        return [series(facts["name"], curve, facts["seat"] or "1", against)]
    first, second = (curve, mirrored(curve)) if facts["seat"] != "2" else (mirrored(curve), curve)
    return [
        series(_("agent {n}", n=seat), own, str(seat), against) for seat, own in enumerate((first, second), 1)
    ]


def mirrored(curve: Curve) -> Curve:
    """Return the same games as the other seat counts them."""
    return Curve(curve.size, [replace(block, wins=block.losses, losses=block.wins) for block in curve.blocks])


def end_rates(counted: Mapping[str, int]) -> list[pages.Row]:
    """Return how games ended, counted by the words for each way: the share of each, in percent, with 95 %."""
    of = sum(counted.values())
    intervals = {end: wilson(games, of) for end, games in counted.items()}
    return [
        {
            "end": end,
            "games": games,
            "rate": 100 * games / max(1, of),
            "low": 100 * intervals[end][0],
            "high": 100 * intervals[end][1],
        }
        for end, games in counted.items()
    ]


def graded_seats(facts: TrainingFacts) -> str:
    """The seats that are told of, as --seat says them: both where each has a table of its own."""
    return "alternate" if facts.get("tables") == TWO else facts["seat"] or "1"


def grade_at(grade: Grade, seats: tuple[int, ...]) -> SeatGrade:
    def mean(pair: tuple[Chances, Chances]) -> float:
        return sum(pair[seat].payoff for seat in seats) / len(seats)

    worst = min(-grade.best_response[1 - seat].payoff for seat in seats)
    # no −0
    return SeatGrade(
        mean(grade.seats), mean(grade.best_against), round(worst, 9) + 0.0, grade.optimal_share_reached
    )
