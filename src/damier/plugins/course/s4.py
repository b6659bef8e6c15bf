"""The questions of document [S4]: two agents for tic-tac-toe, one by minimax, one by mean scores."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from damier.arena.match import Score, match
from damier.core.errors import BadInput
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import Player
from damier.core.solution import payoff_of
from damier.core.words import _, grouped, message, printable
from damier.draw.text import board_text
from damier.lab.agents import AGENTS_OF_S4, LEARNER_OF_S4, agent
from damier.lab.games import Lab, load
from damier.lab.training import practise
from damier.learn.player import LearningPlayer
from damier.plugins.course import question
from damier.solve import count, solve

# The agents of document [S4] by its names (rows ).


# The command of document [S4], typed as it prints it: `./tictactoe -t 1000 random rl` (rows A-78 to
# A-81), played here where that takes seconds, shown in its room where it takes longer.

PROGRAMS = ("./tictactoe", "tictactoe", "tictactoe.exe", "./tictactoe.exe")
UNDERSTOOD = (
    "./tictactoe -t 1000 random rl  ./tictactoe -s human ai  ./tictactoe -t 1000 random rl -p 10000 ai"
)
MOST_GAMES, MOST_TRAINED = 5_000, 100_000
"""Games that are counted here, and games of training before them."""
MOST_WRITTEN = 10**9
SEED = 0


@dataclass(frozen=True)
class MorpionCommand:
    """kind: -s, one game, or -t, many; practice: the games of -p, None without it."""

    kind: Literal["-s", "-t"]
    games: int
    agents: tuple[str, str]
    practice: int | None = None
    trainer: str | None = None

    @property
    def text(self) -> str:
        """The command, written in one way."""
        words = ["./tictactoe", self.kind, *([str(self.games)] if self.kind == "-t" else []), *self.agents]
        words += [] if self.practice is None else ["-p", str(self.practice)]
        return " ".join([*words, *([self.trainer] if self.trainer else [])])


def typed_morpion(text: str, before: Sequence[str] = ()) -> question.TypedAnswer:
    """Return what a command comes to. Raises BadInput."""
    command = parsed(text)
    if "human" in command.agents:
        return question.TypedAnswer(
            command.text, (_("A person plays: on the board."),), tuple(links(command))
        )
    trained = command.practice or 0
    if command.games > MOST_GAMES or trained > MOST_TRAINED:
        line = _(
            "Up to {games} games, and {trained} of training, are played here; more of them in the room of"
            " learning, or in a terminal: {command}",
            games=grouped(MOST_GAMES),
            trained=grouped(MOST_TRAINED),
            command=command.text.removeprefix("./"),
        )
        return question.TypedAnswer(command.text, (line,), tuple(links(command)))
    return question.TypedAnswer(command.text, tuple(played(command)), tuple(links(command)))


def parsed(text: str) -> MorpionCommand:
    """The command that a text is. Raises BadInput."""
    if text.split() == ["make", "run"]:
        return MorpionCommand("-s", 1, ("human", "human"))
    try:
        words = shlex.split(text)
    except ValueError:
        raise question.refused(text, UNDERSTOOD) from None
    if len(words) < 4 or words[0] not in PROGRAMS:
        raise question.refused(text, UNDERSTOOD)
    kind, words = words[1], words[2:]
    if kind not in ("-s", "-t"):
        raise question.refused(text, UNDERSTOOD)
    games = 1
    if kind == "-t":
        games, words = whole("-t", words[0], 1), words[1:]
    if len(words) < 2:
        raise BadInput(
            message("{option} needs two agents: {names}", option=kind, names=" ".join(AGENTS_OF_S4))
        )
    agents, rest = (named(words[0]), named(words[1])), words[2:]
    practice = trainer = None
    if rest:
        if rest[0] != "-p" or len(rest) not in (2, 3):
            raise question.refused(text, UNDERSTOOD)
        practice = whole("-p", rest[1], 0)
        trainer = named(rest[2]) if len(rest) == 3 else None
        refuse_practice(agents, trainer)
    return MorpionCommand("-s" if kind == "-s" else "-t", games, agents, practice, trainer)


def refuse_practice(agents: tuple[str, str], trainer: str | None) -> None:
    """Raises BadInput where nobody could train, or only a person could be the trainer."""
    if LEARNER_OF_S4 not in agents:
        raise BadInput(message("-p trains rl; here is none"))
    if trainer == "human" or (trainer is None and "human" in agents):
        raise BadInput(
            message("-p: a person cannot be the trainer; write ai, random or rl behind the number")
        )


def named(name: str) -> str:
    """An agent of the document. Raises BadInput."""
    if name not in AGENTS_OF_S4:
        raise BadInput(
            message(
                "no agent is called {name}; there are: {names}",
                name=printable(name, 30),
                names=" ".join(AGENTS_OF_S4),
            )
        )
    return name


def whole(option: str, text: str, low: int) -> int:
    """A number of games. Raises BadInput."""
    if not (text.isascii() and text.isdecimal()) or not low <= int(text[:12]) <= MOST_WRITTEN:
        raise BadInput(
            message("{option} {text}: it must be a number of games", option=option, text=printable(text, 30))
        )
    return int(text)


def played(command: MorpionCommand) -> list[str]:
    """The games, and the training before them."""
    lab = Lab(load("tictactoe"), Job(), seed=SEED)
    players = (agent(lab, AGENTS_OF_S4[command.agents[0]]), agent(lab, AGENTS_OF_S4[command.agents[1]]))
    lines = practised(lab, players, command) if command.practice is not None else []
    if command.kind == "-s":
        return [*lines, *one_game(lab, players, command.agents)]
    score = Score()
    match(MatchSetup(lab.game, players, SEED, strict=False), command.games, lab.job, score=score)
    ends = (score.wins, score.losses, score.draws)
    lines.append(
        _(
            "{x} (X) won {wins}, {o} (O) won {losses}, drawn {draws}, of {games} games",
            x=command.agents[0],
            o=command.agents[1],
            wins=grouped(ends[0]),
            losses=grouped(ends[1]),
            draws=grouped(ends[2]),
            games=grouped(command.games),
        )
    )
    if LEARNER_OF_S4 in command.agents and command.practice is None:
        lines.append(_("rl has learnt while it played: the later games are not like the first."))
    return lines


def one_game(lab: Lab, players: tuple[Player, Player], names: tuple[str, str]) -> list[str]:
    """Return a game as the option -s shows it: every grid and every move, by the names of the document."""
    table = MatchSetup(lab.game, players, SEED, record=True)
    position = lab.game.position()
    lines = [*board_text(position, []).splitlines(), ""]
    for move in table.play(0, 1, jit=False).lines[0]:
        seat, name = position.mover, lab.game.name_move(position.state, move)
        position = position.play(name)
        lines += [_("Player {n} ({agent}) plays {move}", n=seat + 1, agent=names[seat], move=name), ""]
        lines += [*board_text(position, []).splitlines(), ""]
    payoffs = position.payoffs
    assert payoffs is not None
    if payoffs[0] == payoffs[1]:
        return [*lines, _("A draw.")]
    winner = payoffs.index(max(payoffs))
    return [*lines, _("Player {n} ({agent}) wins.", n=winner + 1, agent=names[winner])]


def practised(lab: Lab, players: tuple[Player, Player], command: MorpionCommand) -> list[str]:
    """Trains every rl at its seat, after which it learns no more."""
    lines, games = [], command.practice or 0
    trainer = partial(agent, lab, AGENTS_OF_S4[command.trainer]) if command.trainer else None
    for training in practise(lab, players, games, trainer, SEED):
        met = [
            grouped(len(each.memory)) for each in training.table.agents if isinstance(each, LearningPlayer)
        ]
        if len(met) == 2 and trainer is None:
            line = _(
                "the two rl trained each other, in the same {games} games; they have met {one} and {two}"
                " positions",
                games=grouped(games),
                one=met[0],
                two=met[1],
            )
        else:
            line = _(
                "rl trained {games} games against {trainer}; it has met {positions} positions",
                games=grouped(games),
                trainer=command.trainer or command.agents[1 - players.index(training.learner)],
                positions=met[0],
            )
        lines.append(line)
    return lines


def links(command: MorpionCommand) -> list[question.RoomLink]:
    """Return a link to where it is shown: a board for a person, the room of learning for rl."""
    found = []
    if LEARNER_OF_S4 in command.agents:
        seat = command.agents.index(LEARNER_OF_S4)
        other = command.trainer or command.agents[1 - seat]
        opponent = "random" if other == "human" else "self" if other == LEARNER_OF_S4 else AGENTS_OF_S4[other]
        games = command.practice or (command.games if command.kind == "-t" else 10_000)
        found.append(
            question.RoomLink(
                _("Watch rl learn"),
                f"/learning?game=tictactoe&learner={AGENTS_OF_S4[LEARNER_OF_S4]}&opponent={opponent}"
                f"&seat={seat + 1}&games={games}&pace=0",
            )
        )
    if LEARNER_OF_S4 not in command.agents or ("human" in command.agents and command.practice is None):
        one, other = (AGENTS_OF_S4[name] for name in command.agents)
        found.append(question.RoomLink(_("On the board"), f"/tictactoe?1={one}&2={other}"))
    return found


EPSILON, MOVES = 0.25, 4


def score_after(*cells: str) -> int:
    """S(b), from the side of who is to move, after some moves."""
    game = load("tictactoe")
    position = game.position()
    for cell in cells:
        position = position.play(cell)
    return int(payoff_of(solve(game).value(position.state)))


def mean(*scores: int) -> float:
    """Ŝ after some games: at first 0, counted once (row A-77)."""
    return sum(scores) / (len(scores) + 1)


PARTS = (
    question.CoursePart(
        "board",
        (
            question.numeric("cell", 8, slips={"nine": 9}, link="/tictactoe"),
            question.choice("turn", "2", "error"),
        ),
    ),
    question.CoursePart(
        "minimax",
        (
            question.numeric("end", -1, slips={"won": 1, "draw": 0}),
            question.numeric(
                "empty",
                lambda: score_after(),
                slips={"first": 1},
                link="/tictactoe?1=human&2=perfect&show=truth",
            ),
            question.numeric(
                "edge",
                lambda: score_after("0", "1"),
                slips={"draw": 0, "loss": -1},
                link="/tictactoe?1=human&2=perfect&moves=0,1&show=truth",
            ),
            question.numeric(
                "table",
                lambda: count(load("tictactoe"), job=Job()).states,
                slips={"tree": lambda: question.tree_nodes("tictactoe"), "theory": 3**9},
            ),
            question.CourseQuestion("match", "command", command="./tictactoe -t 1000 random ai"),
            question.numeric("wins", 0, slips={"some": 1}),
        ),
    ),
    question.CoursePart(
        "means",
        (
            question.numeric("one", lambda: mean(1), tolerance=0.001, slips={"plain": 1}),
            question.numeric("two", lambda: mean(1, 1), tolerance=0.005, slips={"plain": 1, "half": 0.5}),
            question.numeric(
                "greedy",
                1 - EPSILON + EPSILON / MOVES,
                tolerance=0.001,
                slips={"only": 1 - EPSILON},
            ),
            question.choice("when", "3", "error"),
            question.CourseQuestion("train", "command", command="./tictactoe -t 1000 random rl -p 100000"),
            question.choice(
                "transfer",
                "narrow",
                link="/learning?game=tictactoe&learner=mean:preset=morpion&opponent=perfect:prefer=value,ties=first&games=10000&pace=0",
            ),
        ),
    ),
)
