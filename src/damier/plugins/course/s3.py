"""The questions of document [S3]: the V-function, learnt for tic-tac-toe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import prod

from damier.arena.match import Score, match
from damier.core.errors import BadInput
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.words import _, decimal, grouped, labelled, message
from damier.lab.games import Lab, load
from damier.lab.training import Plan, TableTrainer, Trainer, trainer
from damier.learn.player import LearningPlayer
from damier.plugins.course import question
from damier.solve import count
from damier.solve.reach import pure_layers

# The calls of document [S3], typed as it prints them: the number of a board, training and test
# (rows ).

UNDERSTOOD = "var demo = new Vfunction();  demo.train(10000);  get_state([1, 2, 0, 0, 1, 0, 0, 0, 0])  3**9"
AGENT, SEED, USUAL = "v:preset=vfunction", 0, 10_000
"""The agents of the document, and how many games it has them train."""
MOST_TRAINED, MOST_TESTED = 100_000, 10_000
STATE = re.compile(r"(?:\w+\.)*get_state\(\s*\[([^\]]*)\]\s*\)")
TRAIN = re.compile(r"(?:(?:var|let|const)\s+\w+\s*=\s*)?\w+\.train\(\s*([1-9]\d{0,8})\s*\)")
TEST = re.compile(r"\w+\.test\(\s*[\w\[\]]+\s*,\s*[\w\[\]]+\s*,\s*([1-9]\d{0,8})\s*\)")
POWER = re.compile(r"(\d{1,3})\s*\*\*\s*(\d{1,3})")
NEW = re.compile(r"(?:(?:var|let|const)\s+)?(\w{1,30})\s*=\s*new\s+Vfunction\s*\(\s*\)")
# a space fits in one place: where it fits in two, what is no sum is looked at for ever
FACTOR = r"(?:\(\s*)?\d{1,6}(?:\s*\*\*\s*\d{1,2})?(?:\s*\))?"
SUM = re.compile(rf"{FACTOR}(?:\s*[*+]\s*{FACTOR}){{1,40}}\s*\.?")
CELLS = 9
SYMBOLS = {"0": 0, "1": 1, "2": 2, "-1": 2, "x": 1, "o": 2, "libre": 0, "free": 0}
"""What a cell may be called, and the digit that it has: the symbol -1 is stored as 2."""


def typed_vfunction(text: str, before: Sequence[str] = ()) -> question.TypedAnswer:
    """Return what a call comes to. Raises BadInput."""
    line = text.strip().rstrip(";").strip()
    if found := STATE.fullmatch(line):
        return number_of(found[1])
    if found := trains(line):
        return trained(int(found[1]))
    if found := TEST.fullmatch(line):
        return tested(int(found[1]), before)
    if found := NEW.fullmatch(line):
        sentence = _("{n} cells, {states} states: it can train and test", n=CELLS, states=grouped(3**CELLS))
        return question.TypedAnswer(f"var {found[1]} = new Vfunction()", (labelled(found[1], sentence),))
    if SUM.fullmatch(line) and line.count("(") == line.count(")"):
        return question.TypedAnswer(" ".join(line.rstrip(".").split()), (grouped(sum_of(line)),))
    if found := POWER.fullmatch(line):
        base, power = int(found[1]), int(found[2])
        return question.TypedAnswer(
            f"{base}**{power}",
            (
                grouped(base**power)
                if base**power < 10**30
                else decimal(float(base) ** min(power, 100), ".3g"),
            ),
        )
    raise question.refused(text, UNDERSTOOD)


def sum_of(written: str) -> int:
    """Return a sum of products of numbers and powers, as the document writes the number of a board."""
    terms = re.sub(r"[()\s.]", "", written).replace("**", "^").split("+")
    powers = [[factor.partition("^") for factor in term.split("*")] for term in terms]
    return sum(prod(int(base) ** int(power or 1) for base, _sign, power in term) for term in powers)


def number_of(written: str) -> question.TypedAnswer:
    """The number of a board, as the sum that it is. Raises BadInput."""
    words = [word.strip().strip("'\"").lower() for word in written.split(",")]
    if len(words) != CELLS or any(word not in SYMBOLS for word in words):
        raise BadInput(message("a board is a list of {n} cells, each 0 (free), 1 (X), -1 or 2 (O)", n=CELLS))
    digits = [SYMBOLS[word] for word in words]
    total = sum(digit * 3 ** (CELLS - 1 - cell) for cell, digit in enumerate(digits))
    lines = [
        " + ".join(f"{digit}×{3 ** (CELLS - 1 - cell)}" for cell, digit in enumerate(digits) if digit) or "0",
        _("state {n}", n=total),
    ]
    crosses, noughts = digits.count(1), digits.count(2)
    if crosses - noughts not in (0, 1):
        lines.append(_("No game comes here: {x} crosses, {o} noughts, and X begins.", x=crosses, o=noughts))
    return question.TypedAnswer(f"get_state({digits})", tuple(lines))


def trained(games: int) -> question.TypedAnswer:
    """The training of the document: both agents learn, and how often each has won is printed, rounded."""
    command = f"demo.train({games})"
    links = (room_of(games),)
    if games > MOST_TRAINED:
        line = _("Up to {n} games are played here; more of them in the room.", n=grouped(MOST_TRAINED))
        return question.TypedAnswer(command, (line,), links)
    blocks = training_of(games).training.curve.blocks
    wins, losses = (sum(getattr(block, end) for block in blocks) for end in ("wins", "losses"))
    printed = ("Entrainement:", won("Agent1", wins, games), won("Agent2", losses, games))
    exploring = _(
        "Both still explore with ε = {epsilon}: the test without exploration says more.",
        epsilon=decimal(training_of(games).learner.memory.epsilon, ".2f"),
    )
    return question.TypedAnswer(command, (*printed, "", exploring), links)


def tested(games: int, before: Sequence[str]) -> question.TypedAnswer:
    """The test of the document: agent 1 moves at random, agent 2 by what it has learnt in the last
    training that was typed, or else in the document's own.
    """
    practice = next((int(found[1]) for line in reversed(before) if (found := trains(line))), USUAL)
    command = f"demo.test(trained_agents[0], trained_agents[1], {games})"
    if games > MOST_TESTED or practice > MOST_TRAINED:
        line = _(
            "Up to {games} games are played here, after {trained} of training.",
            games=grouped(MOST_TESTED),
            trained=grouped(MOST_TRAINED),
        )
        return question.TypedAnswer(command, (line,), (room_of(practice),))
    made = training_of(practice)
    assert isinstance(made, TableTrainer)
    assert made.saved_opponent is not None
    greedy = LearningPlayer(
        made.lab.game, made.saved_opponent.name, made.saved_opponent.parameters, made.saved_opponent.memory
    )
    greedy.learns = False
    score = Score()
    players = (RandomPlayer(), greedy)
    match(MatchSetup(made.lab.game, players, SEED, strict=False), games, made.lab.job, score=score)
    lines = (
        "-" * 32,
        "Test:",
        won("Agent1 aléatoire", score.wins, games),
        won("Agent2 entrainé", score.losses, games),
        "",
        _("Agent 1 plays at random, agent 2 what it has learnt in {n} games.", n=grouped(practice)),
    )
    return question.TypedAnswer(command, lines, (room_of(practice),))


def trains(text: str) -> re.Match[str] | None:
    """A training, as it may be typed."""
    return TRAIN.fullmatch(text.strip().rstrip(";").strip())


@lru_cache(maxsize=4)
def training_of(games: int) -> Trainer:
    """Both agents after so many games, the same each time."""
    made = trainer(Lab(load("tictactoe"), Job(), seed=SEED), Plan(AGENT, seed=SEED))
    made.training.run(games, made.lab.job)
    return made


def won(agent: str, wins: int, games: int) -> str:
    """Return the line that the document prints of an agent, rounded as its program rounds."""
    return f"{agent}: {(200 * wins + games) // (2 * games)}% de victoire"


def room_of(games: int) -> question.RoomLink:
    """Return the link to the same training, watched."""
    address = f"/learning?game=tictactoe&learner={AGENT}&games={games}&pace=0"
    return question.RoomLink(_("Watch it in the room of learning"), address)


ALPHA = 0.1
DECAY, DECAYS, FLOOR = 0.996, 100, 0.1
BOARDS = {
    "three": "XO..X....",
    "noughts": "OO.......",
    "both": "XXXOOO...",
    "empty": ".........",
}
"""Boards, row by row; which of them can come up is computed."""


def board_number(board: str, *, backwards: bool = False) -> int:
    """The number of a board (row A-64)."""
    digits = [".XO".index(cell) for cell in (reversed(board) if backwards else board)]
    return sum(digit * 3 ** (8 - place) for place, digit in enumerate(digits))


def impossible() -> frozenset[str]:
    """The boards that no game comes to."""
    game = load("tictactoe")
    assert game.id is not None
    numbers = {game.id(s) for layer in pure_layers(game, game.start, Job()) for s in layer}
    return frozenset(name for name, board in BOARDS.items() if board_number(board) not in numbers)


PARTS = (
    question.CoursePart(
        "states",
        (
            question.numeric("theory", 3**9, slips={"two": 2**9}),
            question.numeric("met", lambda: count(load("tictactoe")).states, slips={"theory": 3**9}),
            question.choice("impossible", impossible, "several", link="/tictactoe"),
            question.numeric(
                "index",
                lambda: board_number("....X...O"),
                slips={
                    "backwards": lambda: board_number("....X...O", backwards=True),
                    "minus": 80,
                },
            ),
            question.CourseQuestion("call", "command", command="get_state([1, 2, 0, 0, 1, 0, 0, 0, 0])"),
        ),
    ),
    question.CoursePart(
        "choosing",
        (
            question.numeric("tie", 8, slips={"first": 4, "order": 0}),
            question.numeric(
                "epsilon",
                lambda: max(DECAY**DECAYS, FLOOR),
                tolerance=0.001,
                slips={"floor": FLOOR},
            ),
        ),
    ),
    question.CoursePart(
        "learning",
        (
            question.numeric("last", ALPHA, tolerance=0.0005, slips={"rate": 1}),
            question.numeric("before", ALPHA * ALPHA, tolerance=0.0005, slips={"same": ALPHA, "old": 0}),
            question.numeric("draw", 0.5, slips={"first": 0.1, "zero": 0}),
            question.choice("alpha", "precise", link="/lessons/v"),
        ),
    ),
    question.CoursePart(
        "training",
        (
            question.CourseQuestion(
                "train",
                "command",
                command="demo.train(10000)",
                link="/learning?game=tictactoe&learner=v:preset=vfunction&games=10000&pace=0",
            ),
            question.choice("history", "4", "error"),
        ),
    ),
)
