"""An agent as the mind of an engine: it decides within what it is given, can be told to stop, and tells
what it found on the way.

An agent that searches takes the limits that it is given in place of its own; any other decides as it
always does.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import damier
from damier.agents.isolation import MEBIBYTE, AgentLimits, Launch
from damier.agents.process import ProcessPlayer
from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, Analysis, evaluation, require
from damier.core.bits import Rng, random_word
from damier.core.errors import BadInput, DamierError, IllegalMove, LimitReached
from damier.core.game import Game, Option, Position, line, read_position, written_position
from damier.core.moves import each, random_move
from damier.core.player import TIES, Kernel, Ties, chosen, follow
from damier.core.rules import State
from damier.core.tree import to_player
from damier.core.words import _, message
from damier.lab.agent_file import Sandbox, launched, program_text
from damier.lab.agents import AGENTS, Explaining, agent
from damier.lab.games import Lab
from damier.lab.options import parameters
from damier.plugins.engines.gtp import COLOURS, GAME_COMMAND, GO, POSITION_COMMAND, RESIGN, VERSION, GtpTalk
from damier.plugins.engines.uci import CHESS, GAME_OPTION, SearchInfo, UciPlayer, UciTalk, written_info
from damier.search.running import DEPTH, SearchPlayer

# How long an engine thinks about a move that has a clock.

MOVES_TO_GO = 30
"""Moves for which the time must last, where nobody says."""
OF_INCREMENT = 0.8
MOST = 0.5
"""How much of its time it spends at most on one move that is not the last before more comes."""
DELAY, LEAST = 0.05, 0.01
"""Seconds that are kept for the way to the clock; that it takes at least."""


def seconds_for_move(left: float, increment: float = 0.0, moves_to_go: int | None = None) -> float:
    """Seconds to think, of those that are `left` for so many moves.

    >>> seconds_for_move(300.0), seconds_for_move(60.0, 1.0), seconds_for_move(0.02)
    (10.0, 2.8, 0.01)
    """
    share = left / (moves_to_go or MOVES_TO_GO) + OF_INCREMENT * increment
    return max(LEAST, min(share, MOST * left if moves_to_go != 1 else left, left - DELAY))


DEFAULT_AGENT = "selective:seconds=1"
"""Who plays as an engine if nobody else is named, where the game says how to judge a position."""
ELSEWHERE = "mcts:seconds=1"
"""Who plays the other games."""
LIMITS = ("plies", "rounds", "nodes", "seconds", "simulations")
MOST_PLIES = 10_000
"""That a game is said to have; nobody here knows its limit."""


def usual_agent(game: Game) -> str:
    """Return who plays a game as an engine if nobody else is named."""
    return DEFAULT_AGENT if game.evaluation else ELSEWHERE


class SearchBounds(NamedTuple):
    """The bounds of a search; nothing set: as far as it always does.

    Attributes:
        endless: until it is stopped
        among: the only moves to choose from; none: all
    """

    plies: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    endless: bool = False
    among: Sequence[int] = ()

    @property
    def options(self) -> dict[str, float]:
        """As options of an agent."""
        given = {"plies": self.plies, "nodes": self.nodes, "seconds": self.seconds}
        return {name: value for name, value in given.items() if value is not None}


class ChosenMove(NamedTuple):
    """A move, 0 where the agent resigns; whether the agent had no time to choose it."""

    move: int
    at_random: bool = False


@dataclass
class Thinker:
    """The agent that is written `text`, at the game of a lab.

    Attributes:
        stopping: whether a KeyboardInterrupt means: answer now

    Raises what `agent` raises.
    """

    lab: Lab
    text: str
    rng: Rng
    stopping: Callable[[], bool] = lambda: False
    _best: int = field(default=0, init=False)
    _at: State | None = field(default=None, init=False)  # where that is the best move so far

    def __post_init__(self) -> None:
        self.player = agent(self.lab, self.text)
        game, player = self.lab.game, self.player
        self._kernel = player.kernel(jit=False) or Kernel(
            lambda s, arrays, rng: player.choose(game, s, rng), None, ()
        )
        self.new_game()

    def new_game(self) -> None:
        self._kernel.begin(self._kernel.arrays, MOST_PLIES)

    def think(self, at: Position, bounds: SearchBounds, tell: Callable[[Analysis], None]) -> ChosenMove:
        """The move that the agent chooses in a position that is not over; `tell` hears what it found.

        Raises AgentFault, KeyboardInterrupt.
        """
        s = at.state
        if not self.stopping() or self._at != s:
            self._best, self._at = 0, s
        resigns = False
        try:
            if self.stopping():
                raise KeyboardInterrupt
            if isinstance(self.player, SearchPlayer):
                self._search(at, bounds, tell)
            elif isinstance(self.player, Explaining) and not isinstance(self.player, UciPlayer):
                follow(self.player, at)
                found = self.player.analyse(s)
                self._take(found, "first", bounds.among)
                tell(found)
            else:
                follow(self.player, at)
                self._best = self._kernel.choose(s, self._kernel.arrays, self.rng)
                resigns = self._best == 0
        except LimitReached:  # before a single move was known
            pass
        except KeyboardInterrupt:
            if not self.stopping():
                raise
        if resigns and not bounds.among:
            return ChosenMove(0)
        if self._best and (not bounds.among or self._best in bounds.among):
            return ChosenMove(self._best)
        return ChosenMove(
            bounds.among[0] if bounds.among else random_move(self.rng, self.lab.game.moves(s)), True
        )

    def _search(self, at: Position, bounds: SearchBounds, tell: Callable[[Analysis], None]) -> None:
        """Searches ever deeper where no clock runs; else once, as long as there is time."""
        for text, explain in self._searches(bounds):
            player = agent(self.lab, text)
            assert isinstance(player, SearchPlayer)
            explained = explain or bool(bounds.among)
            found = player.decide(
                at.state, at.before, random_word(self.rng) if player.draws else 0, explained
            )
            if explain and found.interrupted and self._best:  # it has seen some of the moves only
                raise KeyboardInterrupt
            self._take(found, player.ties, bounds.among)
            tell(found)
            if found.interrupted:
                raise KeyboardInterrupt
            if found.exact:
                return

    def _searches(self, bounds: SearchBounds) -> Iterator[tuple[str, bool]]:
        """The searches of a decision one after the other, as agents, and whether they are explained."""
        options = [name for name in bounds.options if name in self._known]
        deepens = "plies" in self._known and "seconds" not in options and "nodes" not in options
        if not deepens:
            if options and "plies" in self._known:
                yield self._within({"plies": 1}), False  # a move is known whenever it has to stop
            yield (self.text if not options else self._within(bounds.options)), False
            return
        own = dict(part.split("=", 1) for part in self.text.partition(":")[2].split(",") if "=" in part)
        if not bounds.endless and not options and not ("plies" in own and own["plies"].isdigit()):
            yield self.text, True  # limited by something else
            return
        last = DEPTH if bounds.endless else int(bounds.plies or own["plies"])
        for plies in range(1, last + 1):
            yield self._within({"plies": plies}), True

    @property
    def _known(self) -> list[str]:
        """The options of the agent; none of one that is not damier's own."""
        name = self.text.partition(":")[0]
        return [*parameters(AGENTS[name].factory, ["lab"])] if name in AGENTS else []

    def _within(self, limits: dict[str, float]) -> str:
        """The agent with these limits in place of its own."""
        name, _colon, options = self.text.partition(":")
        kept = [part for part in options.split(",") if part and part.split("=")[0] not in LIMITS]
        given = [f"{limit}={value}" for limit, value in limits.items() if limit in self._known]
        return ":".join(filter(None, (name, ",".join([*given, *kept]))))

    def _take(self, found: Analysis, ties: Ties, among: Sequence[int]) -> None:
        """Remembers the best move so far."""
        best = [move for move in each(found.best) if not among or move in among]
        if best:
            self._best = chosen(self.lab.game.gathered(best), TIES[ties], self.rng)
        elif among:
            self._best = best_known(found, among) or self._best


def unit_of(lab: Lab, text: str) -> float:
    """Return what a pawn is worth in the values of a search, where its evaluation says so; else 1."""
    options = dict(part.split("=", 1) for part in text.partition(":")[2].split(",") if "=" in part)
    pawns = lab.game.features.get("pawns")
    if pawns is None or not options.get("evaluate") or "/" in options["evaluate"]:
        return 1.0
    judged = evaluation(lab.game, options["evaluate"])
    weights = dict(zip(judged.features, judged.weights, strict=True))
    return abs(weights.get(pawns, 0.0)) or 1.0


# An agent of damier as a UCI engine [Uci00]: for chess as it is, for other games in the dialect of
# docs/engines.md.
#
# What is here knows nothing of threads: it hears one line after the other, and what it is asked in the
# middle of a search its owner has to answer (`damier.plugins.engines.commands`).

AGENT_OPTION, THREADS_OPTION = "Agent", "Threads"
MOST_THREADS = 256
NO_MOVE = "(none)"
NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate")
MARKS = ("infinite", "ponder")
LONGEST_MATE = 400
"""Moves."""


class GoOrder(NamedTuple):
    """The words after `go`: numbers (of milliseconds, moves, plies, nodes), marks, and moves to choose
    from.
    """

    numbers: dict[str, int]
    marks: tuple[str, ...]
    moves: tuple[str, ...]

    @property
    def waits(self) -> bool:
        """True where the answer may come only once it is asked for."""
        return bool(self.marks)


def read_go(text: str) -> GoOrder:
    """Return what is ordered; words that mean nothing here are passed over.

    >>> read_go("go wtime 1000 btime 2000 infinite searchmoves e2e4 d2d4")
    GoOrder(numbers={'wtime': 1000, 'btime': 2000}, marks=('infinite',), moves=('e2e4', 'd2d4'))
    """
    numbers: dict[str, int] = {}
    marks: list[str] = []
    moves: list[str] = []
    at = ""
    for word in text.split()[1:]:
        if word in NUMBERS or word in MARKS or word == "searchmoves":
            at = word
            marks += [word] if word in MARKS else []
        elif at in NUMBERS and at not in numbers and re.fullmatch(r"-?[0-9]{1,15}", word):
            numbers[at] = int(word)
        elif at == "searchmoves":
            moves.append(word)
    return GoOrder(numbers, tuple(marks), tuple(moves))


class UciEngine:
    """Answers the lines of UCI; `send` gets each line of an answer.

    Attributes:
        make: the mind of an agent by its text, of this game. Raises BadInput, LimitReached, AgentFault.
    """

    def __init__(self, thinker: Thinker, make: Callable[[str], Thinker], send: Callable[[str], None]) -> None:
        self.thinker, self.make, self.send = thinker, make, send
        self.game = thinker.lab.game
        self.line: list[Position] | None = [self.game.position()]  # None after one that is none
        self.commands: dict[str, Callable[[str], None]] = {
            "uci": lambda text: self._introduce(),
            "isready": lambda text: self.send("readyok"),
            "ucinewgame": lambda text: self.thinker.new_game(),
            "position": self._set_position,
            "setoption": self._set_option,
        }

    def hear(self, text: str) -> None:
        """Answers a line that starts no search; what is unknown is ignored, as the protocol wants it."""
        obey = self.commands.get(text.split()[0]) if text.strip() else None
        if obey:
            obey(text)

    def go(self, order: GoOrder) -> str:
        """Searches, and returns the line that answers `go`. Raises AgentFault, KeyboardInterrupt."""
        if self.line is None or self.line[-1].over:
            return f"bestmove {NO_MOVE}"
        position, begun = self.line[-1], time.perf_counter()
        unit = unit_of(self.thinker.lab, self.thinker.text)
        bounds = self._bounds(order, position)

        def tell(found: Analysis) -> None:
            info = search_info(found_among(found, bounds.among), unit)
            self.send(written_info(info, time.perf_counter() - begun))

        decision = self.thinker.think(position, bounds, tell)
        if decision.move == 0:
            self.send("info string " + _("it resigns"))
            return f"bestmove {NO_MOVE}"
        if decision.at_random:
            self.send("info string " + _("it had no time to choose: any legal move"))
        return f"bestmove {self.game.name_move(position.state, decision.move)}"

    def _introduce(self) -> None:
        played = f"option name {GAME_OPTION} type string default {self.game.text}"
        for answer in (
            f"id name damier {damier.__version__} {self.thinker.text.partition(':')[0]}",
            "id author damier",
            f"option name {AGENT_OPTION} type string default {self.thinker.text}",
            f"option name {THREADS_OPTION} type spin default 1 min 1 max {MOST_THREADS}",
            *([played] if self.game.name != CHESS else []),
            "uciok",
        ):
            self.send(answer)

    def _set_position(self, text: str) -> None:
        """The line of positions; where it cannot be read there is none, and why is told."""
        at, _word, moves = " ".join(text.split()).removeprefix("position").partition(" moves")
        begin = re.sub(r"^(startpos$|fen )", "", at.strip()).strip()
        try:
            self.line = line(self.game, moves.split(), begin or None)
        except BadInput as error:
            self.line = None
            self.send(f"info string {error}")

    def _set_option(self, text: str) -> None:
        match = re.fullmatch(r"setoption\s+name\s+(\S.*?)(?:\s+value\s+(.*))?", text.strip())
        if not match:
            return
        name, value = match[1].casefold(), match[2] or ""
        if name == AGENT_OPTION.casefold():
            self._change(value)
        elif name == THREADS_OPTION.casefold() and re.fullmatch("[0-9]{1,3}", value):
            lab = self.thinker.lab
            lab.job = replace(lab.job, jobs=max(1, min(int(value), MOST_THREADS)))
            self._change(self.thinker.text)

    def _change(self, agent: str) -> None:
        """Another agent thinks; where it cannot (no such name, a game too large), the present one."""
        try:
            self.thinker = self.make(agent)
        except DamierError as error:
            self.send(f"info string {error}")

    def _bounds(self, order: GoOrder, position: Position) -> SearchBounds:
        """Return how far the agent may look. Moves that are not legal are no moves to choose from."""
        numbers = order.numbers
        mate = numbers.get("mate")
        plies = numbers.get("depth", 2 * min(mate, LONGEST_MATE) - 1 if mate else None)
        return SearchBounds(
            max(1, plies) if plies is not None else None,
            max(1, numbers["nodes"]) if "nodes" in numbers else None,
            None if order.waits else _seconds(order, position.mover),
            order.waits,
            [position.named_moves[name] for name in order.moves if name in position.named_moves],
        )


def _seconds(order: GoOrder, mover: int) -> float | None:
    """Return what the clock leaves for this move; None where there is none."""
    numbers = order.numbers
    if "movetime" in numbers:
        return max(1, numbers["movetime"]) / 1000
    left, increment = (("wtime", "winc"), ("btime", "binc"))[mover]
    if left not in numbers:
        return None
    return seconds_for_move(
        numbers[left] / 1000, max(0, numbers.get(increment, 0)) / 1000, numbers.get("movestogo")
    )


def found_among(found: Analysis, moves: Sequence[int]) -> Analysis:
    """Return what a search of all moves found, told of the best of these alone; of none: of all."""
    best = best_known(found, moves)
    if not best or (found.pv and found.pv[0] in moves):
        return found
    return replace(found, value=found.values[best], pv=(best,), distance=None)


def best_known(found: Analysis, moves: Sequence[int]) -> int:
    """Return the best of some moves by what a search says of each; 0 where it says nothing of them."""
    mover = found.game.mover(found.state)
    known = [move for move in moves if move in found.values]
    return max(known, key=lambda move: to_player(found.values[move], mover), default=0)


def search_info(found: Analysis, unit: float) -> SearchInfo:
    """Return what a search found, as an engine says it, where `unit` is worth a pawn."""
    value = to_player(found.value, found.game.mover(found.state))
    names = found.pv_names or found.names(found.best)[:1]
    plies, end = found.distance, found.states[-1]
    if (
        plies is None
        and found.game.over(end)
        and found.game.payoff(end, found.game.mover(found.state)) == value
    ):
        plies = len(found.pv)  # the end that the value is of: not one that a mean of many has met
    if plies is None or value == 0:
        return SearchInfo(found.plies, round(100 * value / unit), None, found.nodes, tuple(names))
    mate = (plies + 1) // 2 if value > 0 else -(plies // 2)
    return SearchInfo(found.plies, None, mate, found.nodes, tuple(names))


# An agent of damier as a GTP engine [Farneback02]: for Go as it is, for other games in the dialect of
# docs/engines.md.

MOVES_COMMAND = "damier-moves"
LINE_ID = re.compile(r"(?:([0-9]{1,18})(?:\s+|$))?(\S*)\s*(.*)")


class GtpError(Exception):
    """An answer after `?`: in English, as the specification words it."""


class GtpLine(NamedTuple):
    """A line: its number, if it has one, the command, and what follows."""

    number: str
    command: str
    rest: str


class Clock(NamedTuple):
    """Seconds that a player has left, for so many moves; None: for all of them."""

    left: float
    moves: int | None


def parsed(raw: str) -> GtpLine | None:
    """Return what a line asks for; None for an empty one. Tabs are spaces, other control characters are
    nothing, from # on it is a comment.

    >>> parsed("12 play black D4 # the centre"), parsed("# nothing")
    (GtpLine(number='12', command='play', rest='black D4'), None)
    """
    text = "".join(mark for mark in raw.replace("\t", " ") if mark >= " " and mark != "\x7f")
    match = LINE_ID.fullmatch(text.partition("#")[0].strip())
    if match is None or not (match[1] or match[2]):
        return None
    return GtpLine(match[1] or "", match[2], match[3].strip())


class GtpEngine:
    """Answers the commands of GTP.

    Attributes:
        make: the mind of an agent at a game. Raises BadInput.
        load: a game by its text. Raises BadInput.
    """

    def __init__(self, game: Game, make: Callable[[Game], Thinker], load: Callable[[str], Game]) -> None:
        self.make, self.load = make, load
        self.thinker = make(game)
        self.line = [game.position()]
        self.clocks: dict[str, Clock] = {}
        self.settings: tuple[float, float, int] = (0.0, 0.0, 0)  # main time, byo yomi time, its stones
        self.ended = False
        self.commands: dict[str, Callable[[str], str | None]] = {
            "protocol_version": lambda rest: VERSION,
            "name": lambda rest: "damier",
            "version": lambda rest: damier.__version__,
            "known_command": lambda rest: "true" if rest in self.commands else "false",
            "list_commands": lambda rest: "\n".join(self.commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "undo": self._undo,
            "final_score": self._final_score,
            "showboard": lambda rest: f"\n{self.position}",
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            GAME_COMMAND: lambda rest: self.game.text,
            POSITION_COMMAND: self._set_position,
            MOVES_COMMAND: lambda rest: " ".join(self.position.moves),
        }
        if game.name != GO:
            del self.commands["komi"]

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def position(self) -> Position:
        return self.line[-1]

    def hear(self, raw: str) -> str:
        """The whole answer to a line, nothing to one that asks for nothing."""
        line = parsed(raw)
        if line is None:
            return ""
        sign = "="
        try:
            if line.command not in self.commands:
                raise GtpError("unknown command")
            answer = self.commands[line.command](line.rest) or ""
        except (GtpError, DamierError) as error:
            sign, answer = "?", str(error)
        kept = "\n".join(text for text in answer.splitlines() if text.strip())
        lead = "\n" if answer.startswith("\n") else ""
        return f"{sign}{line.number} {lead}{kept}".rstrip() + "\n\n"

    def _quit(self, rest: str) -> None:
        self.ended = True

    def _boardsize(self, rest: str) -> None:
        """Another board, empty. Of other games than Go the board is as it was chosen."""
        size = _number(rest, int)
        if self.game.name == GO:
            self._change(f"{GO}:size={int(size)},komi={self.game.options['komi']}", "unacceptable size")
        elif {value for name, value in self.game.options.items() if name in ("size", "width", "height")} - {
            int(size)
        }:
            raise GtpError("unacceptable size")

    def _komi(self, rest: str) -> None:
        """Another komi: the stones stay."""
        at, size = written_position(self.position), self.game.options["size"]
        self._change(f"{GO}:size={size},komi={_number(rest, float)}", "unacceptable komi")
        self.line = [read_position(self.game, at)]

    def _change(self, text: str, refusal: str) -> None:
        try:
            game = self.load(text)
        except BadInput:
            raise GtpError(refusal) from None
        if game.text != self.game.text:
            self.thinker = self.make(game)
        self.line = [game.position()]

    def _clear_board(self, rest: str) -> None:
        self.line = [self.game.position()]
        self.clocks = {}
        self.thinker.new_game()

    def _play(self, rest: str) -> None:
        colour, _space, move = rest.partition(" ")
        try:
            self.line.append(self._turned_to(_colour(colour)).play(move.strip()))
        except IllegalMove:
            raise GtpError("illegal move") from None

    def _genmove(self, rest: str) -> str:
        colour = _colour(rest)
        position = self._turned_to(colour)
        if position.over:
            raise GtpError("the game is over")
        decision = self.thinker.think(
            position, SearchBounds(seconds=self.seconds_of_move(colour)), lambda found: None
        )
        if decision.move == 0:
            return RESIGN
        name = self.game.name_move(position.state, decision.move)
        self.line.append(position.play(name))
        return name

    def _turned_to(self, colour: int) -> Position:
        """The present position with that player to move: in Go either may play, also after two passes.

        Raises GtpError.
        """
        position = self.position
        if self.game.name == GO and (position.over or position.mover != colour):
            rows = written_position(position).split(" ")[0]
            return read_position(self.game, f"{rows} {COLOURS[colour]}")
        if not position.over and position.mover != colour:
            raise GtpError(f"illegal move: it is the turn of {COLOURS[position.mover]}")
        return position

    def _undo(self, rest: str) -> None:
        if len(self.line) < 2:
            raise GtpError("cannot undo")
        del self.line[-1]

    def _final_score(self, rest: str) -> str:
        """In Go, all stones on the board count as alive."""
        if self.game.name == GO:
            lead = self.game.features["area"](self.position.state) - float(self.game.options["komi"] or 0)
        elif self.position.payoffs is None:
            raise GtpError("cannot score")
        else:
            lead = self.position.payoffs[0]
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"

    def _set_position(self, rest: str) -> None:
        self.line = [read_position(self.game, rest)]

    def _time_settings(self, rest: str) -> None:
        words = rest.split()
        if len(words) != 3:
            raise GtpError("syntax error")
        self.settings = (_number(words[0], int), _number(words[1], int), int(_number(words[2], int)))
        self.clocks = {}

    def _time_left(self, rest: str) -> None:
        colour, *numbers = rest.split() or [""]
        if len(numbers) != 2:
            raise GtpError("syntax error")
        left, stones = (_number(number, int) for number in numbers)
        self.clocks[COLOURS[_colour(colour)]] = Clock(left, int(stones) or None)

    def seconds_of_move(self, colour: int) -> float | None:
        """For a move; None where no clock runs, which GTP says as byo yomi without stones."""
        main, byo_yomi, stones = self.settings
        clock = self.clocks.get(COLOURS[colour])
        if clock is None:
            if byo_yomi > 0 and stones == 0:
                return None
            clock = Clock(main, None) if main > 0 else Clock(byo_yomi, stones or None)
            if clock.left == 0:
                return None
        return seconds_for_move(clock.left, moves_to_go=clock.moves)


def _colour(text: str) -> int:
    """The player of a colour. Raises GtpError."""
    found = {"b": 0, "black": 0, "w": 1, "white": 1}.get(text.strip().casefold())
    if found is None:
        raise GtpError("syntax error")
    return found


def _number(text: str, kind: type[int] | type[float]) -> float:
    """Raises GtpError for what is no number."""
    pattern = r"[0-9]{1,9}" if kind is int else r"[+-]?[0-9]{1,9}(\.[0-9]{0,9})?"
    if not re.fullmatch(pattern, text.strip()):
        raise GtpError("syntax error")
    return kind(text)


# Engines that others wrote, as agents: `uci:run=stockfish,elo=1800` and `gtp:run=gnugo,level=5`.


ARGUMENTS = {"gnugo": "--mode gtp --chinese-rules --positional-superko"}
"""What a program of that name alone is run with: so it speaks GTP, and counts as damier does."""
THINKING = 1.0
"""Seconds for a move where nothing else limits an engine."""
LONG = 3600.0
"""Seconds for a move that nodes or plies limit, and for all moves of a game."""
SLOW = 60.0
"""Seconds for a move of an engine that is told of no time."""
SLACK = 2.0
"""Seconds that an engine may answer later than it was told."""
SETTING = "set."


def uci(
    lab: Lab,
    run: str,
    seconds: float | None = None,
    nodes: int | None = None,
    plies: int | None = None,
    elo: int | None = None,
    threads: int = 1,
    hash: int | None = None,
    game_seconds: float = LONG,
    memory: int = 512,
    folder: bool = False,
    isolated: bool | None = None,
    **set: str,
) -> UciPlayer:
    """The UCI engine that `run` starts, as in a shell.

    Args:
        seconds, nodes, plies: how far it searches for a move: by default one second
        elo: the strength to which it is limited
        threads, hash: its processors, and MiB of its table, which come to `memory`

    set.NAME               its option of that name

    Raises BadInput, Unsuitable; AgentFault where it does not begin.
    """
    go = _go(seconds, nodes, plies)
    wanted: dict[str, str] = {name.removeprefix(SETTING): value for name, value in set.items()}
    wanted |= {"Threads": str(threads)} if threads != 1 else {}
    wanted |= {"Hash": str(hash)} if hash is not None else {}
    wanted |= {"UCI_LimitStrength": "true", "UCI_Elo": str(elo)} if elo is not None else {}
    thinking = (THINKING if seconds is None else seconds) + SLACK
    if seconds is None and (nodes is not None or plies is not None):
        thinking = LONG
    limits = AgentLimits(
        thinking, game_seconds, memory=(memory + (hash or 0)) * MEBIBYTE, share=max(2.0, threads + 1.0)
    )
    started = _launched(lab, "uci", run, limits, folder, isolated)
    given: dict[str, Option] = {
        "seconds": seconds,
        "nodes": nodes,
        "plies": plies,
        "elo": elo,
        "threads": threads,
    }
    given |= {"hash": hash, **Sandbox(game_seconds, memory, folder, isolated)._asdict(), **set}
    player = UciPlayer(lab.game, started, program_text(uci, run, given), UciTalk(lab.game, wanted, go))
    player.start()
    return player


def gtp(
    lab: Lab,
    run: str,
    seconds: float | None = None,
    level: int | None = None,
    game_seconds: float = LONG,
    memory: int = 512,
    folder: bool = False,
    isolated: bool | None = None,
) -> ProcessPlayer:
    """The GTP engine that `run` starts, as in a shell.

    Args:
        seconds: for a move: told to an engine that knows about time; else it takes what it takes
        level: its strength, where it knows the command `level`, as GNU Go does

    Raises BadInput, Unsuitable; AgentFault where it does not begin.
    """
    longest = SLOW if seconds is None else seconds + SLACK
    limits = AgentLimits(longest, game_seconds, memory=memory * MEBIBYTE)
    started = _launched(lab, "gtp", run, limits, folder, isolated)
    given: dict[str, Option] = {"seconds": seconds, "level": level}
    given |= Sandbox(game_seconds, memory, folder, isolated)._asdict()
    talk = GtpTalk(lab.game, [f"level {level}"] if level is not None else [], seconds)
    player = ProcessPlayer(lab.game, started, program_text(gtp, run, given), talk)
    player.start()
    return player


def _go(seconds: float | None, nodes: int | None, plies: int | None) -> str:
    """Return how far an engine searches, as UCI says it. Raises BadInput."""
    for name, value in (("seconds", seconds), ("nodes", nodes), ("plies", plies)):
        if value is not None and value <= 0:
            raise BadInput(message("{name}={n}; it must be above 0", name=name, n=value))
    if nodes is None and plies is None and seconds is None:
        seconds = THINKING
    limits = {
        "movetime": None if seconds is None else max(1, round(seconds * 1000)),
        "nodes": nodes,
        "depth": plies,
    }
    return " ".join(f"{word} {value}" for word, value in limits.items() if value is not None)


def _launched(
    lab: Lab, name: str, run: str, limits: AgentLimits, folder: bool, isolated: bool | None
) -> Launch:
    """Return how an engine is started. Raises BadInput; Unsuitable, also for a game of another kind."""
    require(lab.game, name, TWO_PLAYERS, PERFECT_INFORMATION, NO_CHANCE)
    command = f"{run} {ARGUMENTS[run]}" if run in ARGUMENTS else run
    return launched(lab, name, command, limits, folder, isolated)
