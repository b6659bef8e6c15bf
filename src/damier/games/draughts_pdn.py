"""Games of draughts as PDN text, written and read (Adrian Millett, "Portable Draughts Notation"
[MillettPdn]): tags in brackets, numbered moves, a result.

A capture may be written with every square on which the piece lands, `22x15x8`, with some of them,
or with start and goal alone where no other capture has the same: `22x8`. Comments, variations and
glyphs are read over; a `*` behind a move marks it, one by itself is the result.

>>> game = read_pdn('[Event "a lesson"] 1. 11-15 22-18 2. 15x22 25x18 *')[0]
>>> game.variant, game.moves, game.result
('english', ('11-15', '22-18', '15x22', '25x18'), '*')
>>> print(write_pdn(game))
[Event "a lesson"]
[GameType "21"]
[Result "*"]
<BLANKLINE>
1. 11-15 22-18 2. 15x22 25x18 *
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from damier.core.errors import BadFile, BadInput
from damier.core.game import Game, Position
from damier.core.words import message, printable
from damier.games.draughts import draughts
from damier.games.draughts_rules import SQUARES, DraughtsState, Variant, paths

LONGEST_TEXT, MOST_MOVES = 2_000_000, 2_000
"""Bounds of a file: characters in all, and moves in each game."""

MOST_PATHS = 1_000
"""Number of ways of one move that are compared with one that is written."""

GAME_TYPES: dict[Variant, str] = {"english": "21", "international": "20"}
TOKEN = re.compile(
    r"""\s+ | \{[^}]*\} | ;[^\n]* | \$[0-9]+ | [0-9]+\.+ | (?P<open>\() | (?P<close>\))
    | \[ \s* (?P<tag>\w+) \s* "(?P<value>(?:[^"\\\n]|\\.)*)" \s* \]
    | (?P<result> 1/2-1/2 | [012]-[012](?![0-9]) | \* )
    | (?P<move> [0-9]{1,2} (?:[-x:][0-9]{1,2})+ ) [!?+\#*]*""",
    re.VERBOSE,
)
ESCAPED = re.compile(r"\\(.)")
RESULTS = {"1-0": "1-0", "2-0": "1-0", "0-1": "0-1", "0-2": "0-1", "1-1": "1/2-1/2", "0-0": "1/2-1/2"}


@dataclass(frozen=True)
class PdnGame:
    """A game of a file: `tags` as they stand there, moves in damier's own words, and the result:
    `1-0` (White has won), `0-1`, `1/2-1/2`, or `*` where it is open.
    """

    variant: Variant = "english"
    tags: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    result: str = "*"

    @property
    def start(self) -> Position:
        """The position before the first move. Raises BadInput for an impossible one."""
        game = _game_of(self.variant)
        fen = self.tags.get("FEN")
        return (
            Position(game, game.read_position(fen))
            if fen is not None and game.read_position
            else game.position()
        )

    @property
    def end(self) -> Position:
        return self.start.play(*self.moves)


@cache
def _game_of(variant: Variant) -> Game:
    """The rules of a variant."""
    return draughts(variant)


def write_pdn(game: PdnGame) -> str:
    """A game as PDN; what its moves and its variant say overrides its tags."""
    tags = {**game.tags, "GameType": GAME_TYPES[game.variant], "Result": game.result}
    lines = [f'[{name} "{_quotable(value)}"]' for name, value in tags.items()]
    second = _second_begins(game)
    words = [
        f"{(ply + 1 + second) // 2}. {move}" if (ply + second) % 2 else f"{move}"
        for ply, move in enumerate(game.moves, 1)
    ]
    if second and words:
        words[0] = f"1... {game.moves[0]}"
    movetext = textwrap.fill(
        " ".join([*words, game.result]), 79, break_on_hyphens=False, break_long_words=False
    )
    return "\n".join([*lines, "", movetext])


def read_pdn(text: str, variant: Variant = "english") -> list[PdnGame]:
    """The games of a text, every move checked; `variant` is that of games that do not say theirs.

    Raises BadFile, which says in which game, and at which move, something is wrong.
    """
    if len(text) > LONGEST_TEXT:
        raise BadFile(message("a PDN file of {n} characters; at most {most}", n=len(text), most=LONGEST_TEXT))
    games = []
    for number, (tags, moves, result) in enumerate(_parts(text), 1):
        try:
            games.append(_checked(tags, moves, result, variant))
        except BadInput as error:
            raise BadFile(message("game {n}: {error}", n=number, error=error)) from None
    return games


def read_move(position: Position, text: str) -> str:
    """The full name of a legal move that is written short, or with a path of its own.

    Raises IllegalMove, or BadInput where several captures fit.

    >>> from damier import load
    >>> read_move(load("draughts").position(), "11-15")
    '11-15'
    """
    squares = re.split("[-x:]", text)
    fitting = [
        name
        for name, move in position.named_moves.items()
        if any(_goes_through(way, squares) for way in _ways(position, move))
    ]
    if len(fitting) > 1:
        raise BadInput(message("{move} may be any of {moves}", move=text, moves=" ".join(fitting)))
    return fitting[0] if fitting else _refused(position, text)


def _refused(position: Position, text: str) -> str:
    position.read(text)
    return text


def _ways(position: Position, move: int) -> Iterator[list[str]]:
    """The paths of a move, as the numbers of squares."""
    squares = next(squares for squares in SQUARES.values() if squares.bits == position.game.bits[0])
    s = DraughtsState(*position.state)
    for way in islice(paths(squares, s, move), MOST_PATHS):
        yield [str(squares.number_of(place)) for place in way]


def _goes_through(way: Sequence[str], squares: Sequence[str]) -> bool:
    """Return whether `squares` are the start of a path, some of its landing squares in order, its goal."""
    if (way[0], way[-1]) != (squares[0], squares[-1]):
        return False
    rest = iter(way[1:-1])
    return all(square in rest for square in squares[1:-1])


def _parts(text: str) -> Iterator[tuple[dict[str, str], list[str], str]]:
    """Tags, moves and result of each game, unchecked."""
    tags: dict[str, str] = {}
    moves: list[str] = []
    depth, at = 0, len(text) - len(text.removeprefix("\ufeff"))
    while at < len(text):
        token = TOKEN.match(text, at)
        if not token:
            line = text.count("\n", 0, at) + 1
            raise BadFile(
                message("line {n}: {text} is no PDN", n=line, text=printable(text[at : at + 20], 40))
            )
        at = token.end()
        depth += bool(token["open"]) - bool(token["close"])
        if depth < 0:
            raise BadFile(
                message("line {n}: a variation ends that has not begun", n=text.count("\n", 0, at) + 1)
            )
        if depth > 0:
            continue
        if token["tag"]:
            if moves:
                yield tags, moves, "*"
                tags, moves = {}, []
            tags[token["tag"]] = ESCAPED.sub(r"\1", token["value"])
        elif token["move"]:
            moves.append(token["move"])
        elif token["result"]:
            yield tags, moves, RESULTS.get(token["result"], token["result"])
            tags, moves = {}, []
    if depth:
        raise BadFile(message("a variation begins that never ends"))
    if tags or moves:
        yield tags, moves, "*"


def _checked(tags: dict[str, str], moves: Sequence[str], result: str, variant: Variant) -> PdnGame:
    """A game with its moves in full. Raises BadInput."""
    type_ = tags.get("GameType", GAME_TYPES[variant]).split(",")[0].strip()
    known = {number: name for name, number in GAME_TYPES.items()}
    if type_ not in known:
        raise BadInput(message("GameType {type}; damier plays 20 and 21", type=printable(type_, 20)))
    if len(moves) > MOST_MOVES:
        raise BadInput(message("{n} moves; at most {most}", n=len(moves), most=MOST_MOVES))
    game = PdnGame(known[type_], tags, (), result)
    position = game.start
    names: list[str] = []
    for number, written in enumerate(moves, 1):
        try:
            names.append(read_move(position, written))
        except BadInput as error:
            raise BadInput(message("move {number}: {error}", number=number, error=error)) from None
        position = position.play(names[-1])
    return PdnGame(game.variant, tags, tuple(names), result)


def _second_begins(game: PdnGame) -> bool:
    """Return whether the first move is that of the player who moves second from the start."""
    return game.start.mover == 1


def _quotable(value: str) -> str:
    """The value of a tag on one line, so that it is read back."""
    return printable(" ".join(value.split()), 200).replace("\\", "\\\\").replace('"', "'")
