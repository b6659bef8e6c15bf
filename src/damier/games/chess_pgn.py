"""Games of chess in portable game notation, PGN (S. J. Edwards, 1994 [Edwards94]): a stream of games
is read one by one, whatever its length; a game is written as the standard exports it.

Comments, variations and numeric annotations are skipped; numbers of moves are not needed, nor
believed. A game is read whole and right, or refused with its number, the line and the move.

>>> game = next(read_pgn(['[White "Ada"]', "1. e4 {best by test} e5 2. Nf3 (2. f4) 2... Nc6 $1 *"]))
>>> game.tags["White"], len(game.moves), game.result
('Ada', 4, '*')
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from damier.core.bits import bit
from damier.core.errors import BadFile, BadInput, IllegalMove
from damier.core.rules import ONGOING
from damier.core.words import _, message, printable
from damier.games.chess import (
    PROMOTED,
    FenPosition,
    castling_side,
    cell_name,
    cells_of_move,
    legal_moves,
    piece_letter,
    read_fen,
    san,
    to_fen,
    uci,
)
from damier.games.chess_rules import START, ChessState, outcome, play

ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
"""The seven tags that every game has, and what stands where nothing is known."""
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
MOST_TAGS, LONGEST_TAG, LONGEST_LINE = 100, 4_000, 1 << 20
MOST_PLIES = 127 * 150
"""No game is longer: pieces are taken 30 times and pawns move 96 times at most, and the rule of 75
moves ends a game after 150 plies without either.
"""
COLUMNS = 79
VARIANTS = ("standard", "chess", "fromposition")
"""Words of the tag Variant as others write them, in lower case and without spaces, where it is this game."""

TAG = re.compile(r'\[\s*([A-Za-z0-9_]{1,255})\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
ESCAPED = re.compile(r"\\(.)")
TOKEN = re.compile(
    r"(?P<space>\s+|\$\d{1,3}|[!?]{1,2}|e\.p\.)"
    r"|(?P<comment>\{)|(?P<rest>;)|(?P<open>\()|(?P<close>\))"
    r"|(?P<result>(?:1-0|0-1|1/2-1/2|\*)(?![\w/-]))"
    r"|(?P<number>\d+\.+|\d+(?=\s|$)|\.+)"
    r"|(?P<move>[A-Za-z0][\w=+#:/-]{1,19}[!?]{0,2}|--)"
)


@dataclass(frozen=True)
class PgnGame:
    """One game: its tags by name, its moves as the rules know them, and how it ended."""

    tags: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[int, ...] = ()
    result: str = "*"

    @property
    def start(self) -> FenPosition:
        """Return where it begins: the position of its tag FEN, or that of every game."""
        return read_fen(self.tags["FEN"]) if "FEN" in self.tags else FenPosition(START, 0, 1)

    @property
    def states(self) -> list[ChessState]:
        """Every position from the first to the last."""
        states = [self.start.state]
        for move in self.moves:
            states.append(play(states[-1], move))
        return states


class PgnToken(NamedTuple):
    kind: str  # tag, move, result, open, close
    text: str
    line: int


def read_pgn_file(path: Path) -> Iterator[PgnGame]:
    """The games of a file, one by one. Raises BadFile, with the path, the game, the line and the
    move.
    """
    try:
        with path.open("rb") as stream:
            yield from read_pgn(decoded_lines(stream))
    except OSError as error:
        raise BadFile(message("{path} cannot be read: {error}", path=path, error=error.strerror)) from None
    except BadFile as error:
        raise BadFile(message("{path}: {error}", path=path, error=error)) from None


def decoded_lines(stream: BinaryIO) -> Iterator[str]:
    """The lines of a file, each UTF-8 or, as the standard has it, Latin-1; none longer than is read."""
    while line := stream.readline(LONGEST_LINE + 1):
        try:
            yield line.decode("utf-8-sig")
        except UnicodeDecodeError:
            yield line.decode("latin-1")


def read_pgn(lines: str | Iterable[str]) -> Iterator[PgnGame]:
    """The games in a text, or in its lines, one by one. Raises BadFile, with the game, the line and the
    move.
    """
    reader = PgnReader()
    for token in pgn_tokens(lines.splitlines() if isinstance(lines, str) else lines, reader):
        game = reader.take(token)
        if game:
            yield game
    reader.close()


class PgnReader:
    """Builds games from tokens; knows where it is, for what it says of an error."""

    def __init__(self) -> None:
        self.number, self.line = 1, 1
        self.begin()

    def begin(self) -> None:
        self.tags: dict[str, str] = {}
        self.moves: list[int] = []
        self.state, self.depth = START, 0
        self.started = False  # movetext has begun

    def take(self, token: PgnToken) -> PgnGame | None:
        """Adds a token; the game, when it was the last of one. Raises BadFile."""
        self.line = token.line
        if token.kind == "tag":
            self.add_tag(token.text)
        elif token.kind == "open":
            self.depth += 1
        elif token.kind == "close":
            if self.depth == 0:
                raise self.error(_("a variation ends that has not begun"))
            self.depth -= 1
        elif self.depth == 0 and token.kind == "move":
            self.add_move(token.text)
        elif self.depth == 0 and token.kind == "result":
            return self.finished(token.text)
        return None

    def add_tag(self, line: str) -> None:
        if self.started or self.depth:
            raise self.error(_("the game before this tag has no result: 1-0, 0-1, 1/2-1/2 or *"))
        name, value = line.split(" ", 1)
        if name in self.tags:
            raise self.error(_("the tag {name} comes twice", name=name))
        if len(self.tags) == MOST_TAGS or len(value) > LONGEST_TAG:
            raise self.error(_("a game has at most {n} tags of {m} characters", n=MOST_TAGS, m=LONGEST_TAG))
        self.tags[name] = value
        if name == "FEN":
            try:
                self.state = read_fen(value).state
            except BadInput as error:
                raise self.error(str(error)) from None
        if name == "Variant" and value.casefold().replace(" ", "") not in VARIANTS:
            raise self.error(_("{variant} is another game than chess", variant=value))

    def add_move(self, text: str) -> None:
        self.started = True
        if len(self.moves) == MOST_PLIES:
            raise self.error(_("no game of chess has more than {n} plies", n=MOST_PLIES))
        try:
            move = read_san(self.state, text)
        except IllegalMove as error:
            ply = len(self.moves) + 1
            raise self.error(_("ply {ply}: {error}", ply=ply, error=error)) from None
        self.moves.append(move)
        self.state = play(self.state, move)

    def finished(self, result: str) -> PgnGame:
        claimed = self.tags.get("Result", result)
        if claimed != result:
            raise self.error(
                _(
                    "the tag Result says {claimed}, the moves end with {result}",
                    claimed=claimed,
                    result=result,
                )
            )
        game = PgnGame(self.tags, tuple(self.moves), result)
        self.begin()
        self.number += 1
        return game

    def close(self) -> None:
        """Raises BadFile where the text ends within a game."""
        if self.tags or self.started or self.depth:
            raise self.error(_("the text ends, and the game has no result: 1-0, 0-1, 1/2-1/2 or *"))

    def error(self, reason: str) -> BadFile:
        return BadFile(
            message("game {game}, line {line}: {reason}", game=self.number, line=self.line, reason=reason)
        )


def pgn_tokens(lines: Iterable[str], reader: PgnReader) -> Iterator[PgnToken]:
    """Return what stands in a text, without spaces, comments, numbers and annotations. Raises BadFile."""
    opened = 0  # the line where a comment began that is not closed
    number = 0
    for number, line in enumerate(lines, 1):
        reader.line = number
        if len(line) > LONGEST_LINE:
            raise reader.error(_("a line of more than {n} characters", n=LONGEST_LINE))
        if line.startswith("%") and not opened:
            continue
        place = 0
        if number == 1:
            line = line.removeprefix("\ufeff")
        for tag in tags_at(line, reader) if not opened else ():
            place, value = tag.end(), ESCAPED.sub(r"\1", tag[2])
            yield PgnToken("tag", f"{tag[1]} {value}", number)
        while place < len(line):
            if opened:
                end = line.find("}", place)
                place, opened = (len(line), opened) if end < 0 else (end + 1, 0)
                continue
            token = TOKEN.match(line, place)
            if token is None and reader.depth:
                place += 1  # within a variation, which is skipped
                continue
            if token is None:
                word = line[place : place + 40].split()[0]
                raise reader.error(_("{text} is neither a move nor a result", text=word))
            place, kind = token.end(), token.lastgroup or ""
            if kind == "rest":
                break
            if kind == "comment":
                opened = number
            elif kind not in ("space", "number"):
                yield PgnToken(kind, token[0], number)
    if opened:
        reader.line = opened
        raise reader.error(_("a comment begins here that never ends"))
    reader.line = max(number, 1)


def tags_at(line: str, reader: PgnReader) -> Iterator[re.Match[str]]:
    """The tags at the head of a line. Raises BadFile."""
    place = len(line) - len(line.lstrip())
    while line.startswith("[", place):
        tag = TAG.match(line, place)
        if tag is None:
            fragment = printable(line[place:].strip(), 80)
            raise reader.error(_('{text} is no tag; a tag is like [White "Ada"]', text=fragment))
        yield tag
        place = tag.end()


def write_pgn(game: PgnGame) -> str:
    """A game as the standard exports it: the seven tags, the others as they come, and the moves in
    lines of at most 79 characters.
    """
    set_up = {"SetUp": "1"} if "FEN" in game.tags else {}
    tags = {**ROSTER, **set_up, **game.tags, "Result": game.result}
    header = "".join(f'[{name} "{quoted(value)}"]\n' for name, value in tags.items())
    text = " ".join([*numbered_moves(game), game.result])
    return f"{header}\n{textwrap.fill(text, COLUMNS, break_long_words=False, break_on_hyphens=False)}\n"


def quoted(value: str) -> str:
    """The value of a tag as it is written: on one line."""
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def numbered_moves(game: PgnGame) -> Iterator[str]:
    """The moves with their numbers: `1.`, `e4`, `e5`, `2.` …; `1...` where Black begins."""
    s, _clock, number = game.start
    for ply, move in enumerate(game.moves):
        if s.mover == 0:
            yield f"{number}."
        elif ply == 0:
            yield f"{number}..."
        yield san(s, move)
        number += s.mover
        s = play(s, move)


def game_from(
    first: ChessState | FenPosition, moves: Iterable[int], result: str = "*", **tags: str
) -> PgnGame:
    """A game from any position, for writing; with the clocks of a FEN, or from move 1."""
    begin = first if isinstance(first, FenPosition) else FenPosition(first, 0, 1)
    fen = {} if begin == FenPosition(START, 0, 1) else {"FEN": to_fen(*begin)}
    return PgnGame({**tags, **fen}, tuple(moves), result)


# Moves of chess as people write them, SAN, read more freely than `chess.san` writes: `0-0` for `O-O`,
# with or without `x`, `=`, `+`, `#` and marks such as `!?`, with more of the start than is needed
# (`e2-e4`), and in the form of UCI (`g1f3`).
#
# >>> from damier.games.chess_rules import START
# >>> san(START, read_san(START, "g1f3"))
# 'Nf3'

MOVE = re.compile(r"([KQRBNP]?)([a-h]?)([1-8]?)([x:-]?)([a-h][1-8])=?([QRBNqrbn]?)(?: ?e\.p\.)?")
CASTLING = re.compile(r"([O0])-\1(-\1)?")
END = re.compile(r"[+#]{0,2}[!?]{0,2}$")
LONGEST = 20


def read_san(s: ChessState, text: str) -> int:
    """The legal move that is written `text`. Raises IllegalMove."""
    wanted = text.strip()
    fitting = fitting_moves(s, END.sub("", wanted) if len(wanted) <= LONGEST else "")
    if len(fitting) == 1:
        return fitting[0]
    if outcome(s) != ONGOING:
        raise IllegalMove(message("{move}: the game is over, there is nothing left to play", move=wanted))
    if len(fitting) > 1:
        choices = " ".join(sorted(san(s, move) for move in fitting))
        raise IllegalMove(
            message("{move} can be read as several moves here: {moves}", move=wanted, moves=choices)
        )
    legal = " ".join(sorted(san(s, move) for move in legal_moves(s)))
    raise IllegalMove(message("{move} is not a legal move here; legal: {moves}", move=wanted, moves=legal))


def fitting_moves(s: ChessState, text: str) -> list[int]:
    """The legal moves that `text`, without marks at its end, can mean."""
    castles = CASTLING.fullmatch(text)
    if castles:
        side = "O-O-O" if castles[2] else "O-O"
        return [move for move in legal_moves(s) if castling_side(s, move) == side]
    parts = MOVE.fullmatch(text)
    if not parts:
        return []
    letter, column, row, takes, goal, kind = parts.groups()
    to_goal = [move for move in legal_moves(s) if cell_name(cells_of_move(s, move)[1]) == goal]
    named = [move for move in to_goal if uci(s, move) == text]
    if named:
        return named
    if not letter and not column:
        if takes in ("x", ":"):
            return []
        column = goal[0]  # a pawn that takes says from where

    def fits(move: int) -> bool:
        start = cell_name(cells_of_move(s, move)[0])
        return (
            column in ("", start[0])
            and row in ("", start[1])
            and PROMOTED.get(move >> 12, "") == kind.lower()
            and piece_letter(s, bit(move & 63)) == (letter or "P")
        )

    return [move for move in to_goal if fits(move)]
