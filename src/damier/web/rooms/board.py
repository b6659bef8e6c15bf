"""The board: a position is its list of moves, so that there is nothing to lose but the address of the page.
Beside it the editor, in which a position is set up.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, reduce
from pathlib import Path
from typing import TypeAlias

from markupsafe import Markup

from damier.core.board import Board, Grid, Hexagons, NumberBoard, Points
from damier.core.errors import (
    AgentFault,
    BadFile,
    BadInput,
    IllegalMove,
)
from damier.core.game import Game, Position, line, read_position, written_position
from damier.core.json_data import to_json
from damier.core.moves import holds
from damier.core.player import Player, follow
from damier.core.rules import State
from damier.core.solution import word_of
from damier.core.words import Message, _, error_text, message, percent
from damier.draw.board import Touch, board_svg, grid_svg, has_sides, piece_name
from damier.draw.history import WORDS
from damier.draw.text import grid_of, player_in_words
from damier.games import chess_pgn, draughts, go
from damier.games.mnk import MnkState as Stones, stones
from damier.lab.agents import brought
from damier.lab.games import GAMES, Lab, game_in_words, known_result
from damier.lab.levels import GRADED, NAMES, Meaning, against_random, is_small
from damier.lab.puzzles import has_puzzles, is_searched
from damier.lab.user_file import read_source
from damier.solve import solve
from damier.web import pages
from damier.web.board_parts import (
    answer,
    caption_of,
    is_light,
    is_steered,
    is_veiled,
    marks_of,
    names_part,
)
from damier.web.board_position import columns_of_board, is_of, on_field
from damier.web.board_session import (
    DIE,
    HUMAN,
    LEARNER,
    LONGEST_NAME,
    LONGEST_POSITION,
    GameSession,
    check,
    choices,
    fault,
    in_groups,
    is_chance,
    levels_of,
    player_in_title,
    preferences,
    preferences_of,
    session_in,
    without_files,
)
from damier.web.board_truth import LARGEST, explained, is_too_large, known, known_here
from damier.web.messages import (
    BoardAnswer,
    BoardReply,
    GuessAnswer,
    Judged,
    NoAnswer,
    Params,
    PartsAnswer,
    PossibleAnswer,
    own_named,
)
from damier.web.pages import Row, for_page
from damier.web.registry import Registry
from damier.web.rooms.gallery import own_words

# A position that a person sets up, piece by piece or in the game's own notation: accepted where it is
# legal, and told why where it is not.


@dataclass(frozen=True)
class SetUp:
    """A position in the making.

    Attributes:
        first: the board of the game's first position
        rows: its board, as it is drawn
        rest: what the notation says beside it, who moves first
    """

    game: Game
    notation: Notation
    first: Grid | Hexagons | Points
    rows: tuple[str, ...]
    rest: str

    @property
    def text(self) -> str:
        """The notation."""
        return self.notation.write(self.rows, self.rest)

    @property
    def movers(self) -> dict[str, int]:
        """Return how the notation says who moves, as the first position does and as the next one, and which
        player that is.
        """
        first = Position(self.game, self.game.start)
        both = (first, first.play(first.moves[0]))
        found = {position.mover: self.notation.read(written_position(position)) for position in both}
        return {made[1].split()[0]: player for player, made in found.items() if made}

    @property
    def mover(self) -> str:
        return self.rest.split()[0]

    def piece(self, place: int) -> str:
        """The character on a place; `UNUSED` where nothing can stand, or there is no such place."""
        where = self._where(place)
        return self.rows[where[0]][where[1]] if where else UNUSED

    def put(self, place: int, piece: str) -> SetUp:
        """With a piece on a place, or nothing where that stood there already."""
        return self.changed({place: FREE if self.piece(place) == piece else piece})

    def moved(self, start: int, end: int) -> SetUp:
        """With what stands on one place on another instead."""
        piece = self.piece(start)
        if piece not in self.first.looks or self.piece(end) == UNUSED:
            return self
        return self.changed({start: FREE, end: piece})

    def cleared(self) -> SetUp:
        """With nothing on the board."""
        return self.changed(dict.fromkeys(range(self.board().places), FREE))

    def changed(self, places: Mapping[int, str]) -> SetUp:
        """With other pieces on some places, as far as they can stand there."""
        allowed = (*self.first.looks, FREE)
        rows = [[*row] for row in self.rows]
        for place, piece in places.items():
            where = self._where(place)
            if where and piece in allowed and rows[where[0]][where[1]] != UNUSED:
                rows[where[0]][where[1]] = piece
        made = replace(self, rows=tuple(map("".join, rows)))
        return set_up(self.game, made.with_what_still_holds().text) or self

    def _where(self, place: int) -> tuple[int, int] | None:
        """Return the row of a place, and its column there."""
        for number, places in enumerate(self.first.by_rows):
            if place in places:
                return number, places.index(place)
        return None

    def with_what_still_holds(self) -> SetUp:
        """Without the rights of castling whose king or rook is not at home, and without a pawn that was just
        passed, which no other board has.
        """
        words = self.rest.split()
        if self.game.name != "chess" or len(words) < 3:
            return self
        board = "".join(self.rows)
        rights = (letter for letter in words[1] if all(board[c] == man for c, man in HOMES.get(letter, ())))
        return replace(self, rest=" ".join([words[0], "".join(rights) or "-", "-", *words[3:]]))

    def moved_by(self, mover: str) -> SetUp:
        """With somebody else to move."""
        if mover not in self.movers or mover == self.mover:
            return self
        return replace(self, rest=" ".join([mover, *self.rest.split()[1:]])).with_what_still_holds()

    def tidied(self) -> SetUp:
        """With the other to move, or other men in hand, where only that is legal, or where it is wrong for
        another reason: these mostly follow from what stands on the board, and it is the other reason that
        helps.
        """
        why = fault_of_board(self.game, self.text)
        if not why:
            return self
        others = [other for other in self.beside() if other != self]
        faults = {other.text: fault_of_board(self.game, other.text) for other in others}
        legal = (other for other in others if not faults[other.text])
        return next(legal, next((other for other in others if faults[other.text] != why), self))

    def beside(self) -> Iterator[SetUp]:
        """Yield the same board with whatever else may be said beside it: who moves and, where that is
        a number, how many men are in hand, from the nearest on.
        """
        words = self.rest.split()
        hands = [""]
        if len(words) == 2 and words[1].isdecimal():
            hand, most = int(words[1]), int(set_up_at_first(self.game).rest.split()[1])
            hands = [str(n) for n in sorted(range(most + 1), key=lambda n: abs(n - hand))]
        for hand_said in hands:
            for mover in (self.mover, *(mover for mover in self.movers if mover != self.mover)):
                rest = f"{mover} {hand_said}" if hand_said else self.moved_by(mover).rest
                yield replace(self, rest=rest)

    def board(self) -> Board:
        """As a board, whether it is legal or not."""
        board = self.first
        if isinstance(board, Points):
            marks = {
                place: piece
                for places, row in zip(board.by_rows, self.rows, strict=True)
                for place, piece in zip(places, row, strict=True)
            }
            drawing = "".join(marks[place] for place in range(board.places))
            return replace(board, marks=drawing, caption="")
        return replace(board, rows=self.rows, caption="")


def board_of(game: Game) -> Board | None:
    """The board of the first position."""
    return game.grid(game.start) if game.grid else None


def tray(made: SetUp) -> list[list[Row]]:
    """The pieces beside a board, to be taken from there: those of each side, and what belongs to none.

    Of each `piece`, a character, which is its key as well: its `look`, its `name` in words, and how it is
    `drawn` on a field.
    """
    board = made.first
    rows = [[piece for piece, look in board.looks.items() if is_of(look, side)] for side in made.game.sides]
    rows.append([piece for piece in board.looks if not any(piece in row for row in rows)])
    return [
        [
            {
                "piece": piece,
                "look": board.looks[piece],
                "name": piece_name(board, piece),
                "drawn": on_field(board.looks[piece], board),
            }
            for piece in row
        ]
        for row in rows
        if row
    ]


def set_up(game: Game, text: str) -> SetUp | None:
    """A position in the making; None where the notation says no board of the game's, or is not written
    as it should be: nothing that somebody typed is mended in silence.
    """
    board = board_of(game)
    if board is None or isinstance(board, NumberBoard) or not (notation := notation_of(game, board)):
        return None  # no notation says it by rows
    found = notation.read(text)
    if found and notation.write(*found) != " ".join(text.split()):
        as_written = legal(game, text)  # perhaps in another order
        found = notation.read(written_position(as_written)) if as_written else None
    if found is None or [len(row) for row in found[0]] != [len(row) for row in board.rows]:
        return None
    return SetUp(game, notation, board, *found)


def set_up_at_first(game: Game) -> SetUp:
    """The first position, of a game that has others in the making."""
    made = set_up(game, written_position(Position(game, game.start)))
    assert made is not None
    return made


def legal(game: Game, text: str) -> Position | None:
    """The position that is written so, if it is one."""
    try:
        return read_position(game, text)
    except BadInput:
        return None


LONGEST_RECORD = 20_000
"""Characters of a game that is pasted."""
RECORDED = {"chess": r"\[\w+ \"|1\s*\.", "draughts": r"\[\w+ \"|1\s*\.", "go": r"\(\s*;"}
"""How a whole game begins, as PGN, PDN or SGF."""
RESULT = re.compile(r"(\*|[012](/2)?-[012](/2)?)\s*$")
"""How it ends; what is pasted often lacks that."""


def pasted(game: Game, text: str) -> str:
    """A position as it is written or, where a whole game is pasted (PGN, PDN, SGF), that at its end.

    Raises BadInput, with the move that is wrong.
    """
    if game.source is not None or not re.match(RECORDED.get(game.name, "(?!)"), text.strip()):
        return text
    try:
        found = _end_of_record(game, text if game.name == "go" or RESULT.search(text) else f"{text} *")
    except BadFile as error:
        raise BadInput(str(error)) from None
    if found is None or legal(game, written_position(found)) is None:
        raise BadInput(message("this is no game of {game}", game=game.text))
    return written_position(found)


def _end_of_record(game: Game, text: str) -> Position | None:
    """The last position of the first game in a text."""
    if game.name == "chess":
        chess = next(chess_pgn.read_pgn(text), None)
        return reduce(Position.after, chess.moves, Position(game, chess.start.state)) if chess else None
    if game.name == "go":
        return go.read_sgf(text).end
    games = draughts.read_pdn(text, "english" if game.options["variant"] == "english" else "international")
    return games[0].end if games else None


def fault_of_board(game: Game, text: str) -> str:
    """Return why a position is none, without repeating it; nothing where it is legal."""
    try:
        if has_impossible_boards(game) and (found := set_up(game, text)):
            moves_to(game, "".join(found.rows))
        read_position(game, text)
    except (BadInput, IllegalMove) as error:
        sentence = error_text(error)
        return str(sentence.values.get("reason", sentence) if isinstance(sentence, Message) else sentence)
    return ""


# Boards of noughts and crosses written cell by cell: whether one can come up, by which moves, and
# if not, why (rows ).

IMPOSSIBLE = "XXX...OOO"
"""An example: two rows are full, and the game was over with the first."""


def has_impossible_boards(game: Game) -> bool:
    """Return whether a page asks which boards are possible."""
    return game.name == "tictactoe"


def read_board(game: Game, text: str) -> Stones:
    """The state of nine characters `X`, `O` and `.`, row by row. Raises BadInput."""
    if not has_impossible_boards(game):
        raise BadInput(message("board= belongs to tictactoe; of {game}, give moves=", game=game.text))
    board = tidy(text)
    if not board:
        raise BadInput(
            message(
                "{board} is not a board; write nine characters, X, O and . for a free cell, row by row",
                board=text,
            )
        )
    crosses, rings = board.count("X"), board.count("O")
    if crosses - rings not in (0, 1):
        sentence = _(
            "impossible: {crosses} X and {rings} O; X begins and they take turns, so there are as many X as"
            " O, or one more"
        )
        raise BadInput(sentence.format(crosses=crosses, rings=rings))
    board_state = game.read_state(list(stones(board)))
    assert isinstance(board_state, Stones)
    return board_state


def tidy(text: str) -> str:
    """A board as nine characters; nothing where it is none."""
    board = re.sub("[ _-]", ".", text.upper())
    return board if re.fullmatch("[XO.]{9}", board) else ""


def moves_to(game: Game, text: str) -> list[str]:
    """Moves that lead to a board. Raises BadInput, with the reason, where there are none."""
    wanted = read_board(game, text)
    found = way(game, game.start, wanted)
    if found is None:
        raise BadInput(reason(game, wanted))
    return found


def way(game: Game, s: State, wanted: Stones) -> list[str] | None:
    """The moves from one position to another: only stones that stand there are put down."""
    if s == wanted:
        return []
    for move in game.legal(s):
        child = game.play(s, move)
        assert isinstance(child, Stones)
        mine, theirs = (
            (wanted.mine, wanted.theirs)
            if game.mover(child) == game.mover(wanted)
            else (wanted.theirs, wanted.mine)
        )
        if child.mine & ~mine or child.theirs & ~theirs:
            continue
        rest = way(game, child, wanted)
        if rest is not None:
            return [game.name_move(s, move), *rest]
    return None


def reason(game: Game, s: Stones) -> str:
    """Return why a board with the right number of stones cannot come up: it goes on after a line of three."""
    mine, theirs = (
        game.over(Stones(*side)) and game.outcome(Stones(*side)) != 0
        for side in ((s.theirs, s.mine), (s.mine, s.theirs))
    )
    if mine and theirs:
        return _("impossible: both have three in a row; the game was over with the first")
    return _("impossible: who has three in a row won with it, and the other has moved since")


@cache
def positions() -> int:
    """Return how many boards can come up."""
    from damier.lab.games import load

    return len(solve(load("tictactoe")))


# How the notations of positions say what stands on a board: each is read into the rows of the board as
# it is drawn, and written from there, whether the position is legal or not. What a notation says beside the
# board comes with these rows; it begins with who moves. What is not written so is read as None.

FREE, UNUSED = ".", " "
MATCH = "|"
HOMES = {
    "K": ((60, "K"), (63, "R")),
    "Q": ((60, "K"), (56, "R")),
    "k": ((4, "k"), (7, "r")),
    "q": ((4, "k"), (0, "r")),
}
"""Where king and rook of a right of castling are at home."""

Rows = tuple[str, ...]


@dataclass(frozen=True)
class RowsNotation:
    """`XX./.../... O`: the rows joined by `/`; where they are `compressed`, as in chess, numbers stand for
    free cells.
    """

    compressed: bool

    def read(self, text: str) -> tuple[Rows, str] | None:
        board, _space, rest = text.strip().partition(" ")
        rows = [re.sub("[0-9]{1,2}", lambda found: FREE * int(found[0]), row) for row in board.split("/")]
        return (tuple(rows), rest) if rest else None

    def write(self, rows: Rows, rest: str) -> str:
        if self.compressed:
            rows = tuple(re.sub(r"\.+", lambda found: str(len(found[0])), row) for row in rows)
        return f"{'/'.join(rows)} {rest}"


@dataclass(frozen=True)
class HeapsNotation:
    """`3/4/5 first`: how many matches lie in every heap; `largest` are those of the first position."""

    largest: tuple[int, ...]

    def read(self, text: str) -> tuple[Rows, str] | None:
        heaps, _space, rest = text.strip().partition(" ")
        if not re.fullmatch("[0-9]{1,2}(/[0-9]{1,2})*", heaps) or not rest:
            return None
        return tuple((MATCH * int(n)).ljust(max(self.largest), FREE) for n in heaps.split("/")), rest

    def write(self, rows: Rows, rest: str) -> str:
        counts = (min(row.count(MATCH), most) for row, most in zip(rows, self.largest, strict=True))
        return f"{'/'.join(map(str, counts))} {rest}"


@dataclass(frozen=True)
class SquaresNotation:
    """`B:W18,24,K10:B12,16`: who moves, and the numbers of the squares of each side, `K` before those of
    kings; capitals are kings on the board. `numbers` are those of all cells, "" for one that is not used.
    """

    numbers: tuple[str, ...]
    width: int

    def read(self, text: str) -> tuple[Rows, str] | None:
        found = re.fullmatch("([BW]):([BW])([K0-9,]*):([BW])([K0-9,]*)", text.strip())
        if not found or found[2] == found[4]:
            return None
        cells = [FREE if number else UNUSED for number in self.numbers]
        for colour, squares in ((found[2], found[3]), (found[4], found[5])):
            for king, number in re.findall("(K?)([0-9]+)", squares):
                if number not in self.numbers:
                    return None
                cells[self.numbers.index(number)] = colour if king else colour.lower()
        board = "".join(cells)
        return tuple(board[i : i + self.width] for i in range(0, len(board), self.width)), found[1]

    def write(self, rows: Rows, rest: str) -> str:
        pieces = [(piece, self.numbers[cell]) for cell, piece in enumerate("".join(rows))]
        sides = (
            colour
            + ",".join(
                "K" * (piece == colour) + number for piece, number in pieces if piece.upper() == colour
            )
            for colour in "WB"
        )
        return ":".join((rest, *sides))


Notation: TypeAlias = RowsNotation | HeapsNotation | SquaresNotation
"""One way to write a position."""


def notation_of(game: Game, board: Board) -> Notation | None:
    """The one in which the first position of a game says its board; None where it is none of these."""
    first, rows = written_position(Position(game, game.start)), tuple(board.rows)
    for kind in _kinds(board):
        found = kind.read(first)
        if found and found[0] == rows and kind.write(*found) == first:
            return kind
    return None


def _kinds(board: Board) -> Iterator[Notation]:
    """Those that a board may have."""
    yield from (RowsNotation(compressed=False), RowsNotation(compressed=True))
    if isinstance(board, Grid):
        yield HeapsNotation(tuple(row.count(MATCH) for row in board.rows))
        if board.numbers:
            yield SquaresNotation(board.numbers, board.width)


# The address of a table as a code that a phone reads (QR, ISO/IEC 18004), drawn by segno
# (docs/decisions/0013).


def code_picture(link: str) -> Markup:
    """The code as SVG: dark on light in every theme, with the quiet edge that readers need."""
    import segno  # many modules, which nothing but this code needs

    code = segno.make(link, micro=False)
    drawn: str = code.svg_inline(
        scale=4,
        border=4,
        dark="#000",
        light="#fff",
        svgclass="code",
        lineclass=None,
        omitsize=True,
        title=_("The address of this table as a QR code"),
    )
    return Markup(drawn.replace("<svg ", '<svg role="img" ', 1))


MOST_REPLIES = 64
"""Moves that one question may ask for."""
CHOSEN = 3
"""Seats for which a page lets an agent be chosen."""


def page(registry: Registry, params: Params) -> str:
    """The page of a position; with `board`, of a board that can come up.

    Raises BadInput, with the reason, for one that cannot.
    """
    if board := params.text("board"):
        params = Params({**params.values, "moves": moves_to(registry.game(params.text("game")), board)})
    return page_of(registry, session_in(registry, params), params)


def page_of(registry: Registry, session: GameSession, params: Params) -> str:
    """The page of a game."""
    found = seated(registry, session)
    game = session.game
    edits = game.read_position is not None
    own = session.name.partition(":")[0] in registry.settings.games
    title = game_in_words(session.name.partition(":")[0], session.game)
    return pages.page(
        "board.html",
        "/games",
        title,
        session=session,
        state=to_json(found["state"]),
        parts=found["parts"],
        boards=has_impossible_boards(session.game),
        edits=edits,
        edit=pages.address(f"/{session.name}", **session.query(), edit="1"),
        editor=editor_of_page(registry, params, found["state"]["written"]) if edits else "",
        steered=is_steered(session),
        turns=has_sides(grid_of(session.position)),
        puzzles=has_puzzles(game) and (is_searched(game) or not is_too_large(game)),
        own=own,
        about=about(title, session.game) or (own_words(session.game) if own else ""),
        table=params.text("table"),
        known=known_result(session.game),
    )


def editor_of_page(registry: Registry, params: Params, showing: str) -> str:
    """The editor of a page that is asked to `edit` a position, or the one that is `showing`; nothing where it
    is asked for none.
    """
    text = params.text("edit", longest=LONGEST_RECORD)
    if not text:
        return ""
    values = {
        **params.values,
        "position": showing if text == "1" else text,
        "begin": params.text("position", longest=LONGEST_POSITION),
    }
    return boards_edit(registry, Params(values))["parts"]["editor"]


def about(title: str, game: Game) -> str:
    """Return what a game is about, in a sentence; beside its title, that is not said again."""
    sentence = _(game.summary) if game.summary else ""
    name, colon, rest = sentence.partition(":")
    rest = rest.strip()
    return rest[:1].upper() + rest[1:] if colon and name.strip() == title else sentence


def show(registry: Registry, params: Params) -> BoardAnswer:
    """A position: the parts of its page, and what a program must know of it."""
    return answer(session_in(registry, params))


def move(registry: Registry, params: Params) -> BoardAnswer:
    """The position after one more `move` by whoever is to move. Raises IllegalMove."""
    session = session_in(registry, params)
    session.position.read(params.text("move"))
    return answer(replace(session.then(params.text("move")), guessed=False))


def reply(registry: Registry, params: Params) -> BoardReply:
    """The position after the die has fallen, or the agent to move has played: the same agent, seed
    and moves give the same reply.

    `agent` is who plays, else who sits there; up to `most` moves are played, as long as no person
    is to move. What was taken back is forgotten.
    """
    session = replace(session_in(registry, params), guessed=False)
    agent, resigned = params.text("agent"), None
    for _number in range(params.whole("most", 1, 1, MOST_REPLIES)):
        player = session.position.mover
        text = agent or (session.seats[player] if player >= 0 else "")
        if session.position.over or text == HUMAN:
            break
        if is_chance(session.position):
            session = session.then(DIE)
            continue
        played = chosen(registry, session, text)
        if not played:
            resigned = player
            break
        session = session.then(session.game.name_move(session.position.state, played))
    if resigned is not None and agent:
        raise BadInput(message("{agent} gives up", agent=agent))
    last = session.moves[-1] if session.moves else ""
    return {**answer(session, resigned=resigned), "move": last}


def soon(registry: Registry, params: Params) -> BoardReply:
    """One reply of a die, or of an agent that need not think: it does not wait behind those who do.

    Raises BadInput for one that thinks.
    """
    session = session_in(registry, params)
    if not is_light(session) or session.position.over:
        raise BadInput(message("this agent has to think; ask board.reply"))
    return reply(registry, Params({**params.values, "agent": "", "most": 1}))


def chosen(registry: Registry, session: GameSession, text: str) -> int:
    """The move of an agent, as a set of one; 0 where it gives up."""
    player = agent_of(registry, session, text)
    follow(player, session.position)
    return player.choose(registry.game(session.name), session.position.state, session.random(session.at))


def agent_of(registry: Registry, session: GameSession, text: str) -> Player:
    """An agent; a perfect one knows all that can follow where the game began, also elsewhere than usual."""
    if not session.begin or text.partition(":")[0] != "perfect":
        return registry.agent(session.name, text)
    lab = Lab(session.game, session.lab.job, loads_files=False)
    lab.known = known(session, LARGEST).solution
    return brought(lab, text)


def seats(registry: Registry, params: Params) -> BoardAnswer:
    """Return who sits where: the part of the page, when that has changed.

    Raises BadInput, UnknownName for an agent that cannot sit there.
    """
    return seated(registry, session_in(registry, params))


def seated(registry: Registry, session: GameSession) -> BoardAnswer:
    """A position, with who sits where. Raises BadInput, UnknownName."""
    for text in dict.fromkeys(session.seats):
        check(registry, session.name, text)
    found = answer(session)
    # from the fourth on, the players play as the third does
    rows = [seat_row(registry, session, player) for player in range(min(len(session.seats), CHOSEN))]
    more = len(session.seats) - len(rows)
    seats = pages.part("board_seats.html", rows=rows, more=more, seed=session.seed)
    found["parts"] |= {"seats": seats, "names": names_part(session)}
    return found


def table(registry: Registry, params: Params) -> PartsAnswer:
    """Return who sits at a table of several people: `taken` says of each seat whether it is, `mine` is
    that of who asks, `link` the address of the table as that browser knows it, `trouble` why its
    agent does not play.
    """
    session = session_in(registry, params)
    taken, mine = params.text("taken"), params.whole("mine", 0)
    rows = [
        {
            "player": player + 1,
            "side": player_in_title(session.game, player),
            "agent": agent,
            "taken": taken[player : player + 1] == "1",
            "mine": player + 1 == mine,
            "name": session.names[player],
            "moves": player == session.position.mover and not session.position.over,
        }
        for player, agent in enumerate(session.seats)
    ]
    written, trouble = params.text("link", longest=5_000), params.text("trouble", longest=1_000)
    try:
        link = registry.settings.for_others(written)
    except ValueError:
        raise BadInput(message("{link} is no address", link=written)) from None
    part = pages.part(
        "board_table.html",
        rows=rows,
        mine=mine,
        link=link,
        code=code_picture(link),
        longest=LONGEST_NAME,
        alone=registry.settings.is_local,
        trouble=trouble,
        gone=params.flag("gone"),
    )
    return {"parts": {"table": part}}


def seat_row(registry: Registry, session: GameSession, player: int) -> pages.Row:
    """Return who may sit at a seat, by `groups`, and who does, with the options as they were written; what is
    wrong in the file of one of the user's own (`fault`); the player's name, alone and in a sentence (`said`).
    """
    text = session.seats[player]
    name, _colon, options = text.partition(":")
    if text.startswith(LEARNER):
        name, options = text, ""
    found = choices(registry, session.name, player)
    own, own_options = registry.settings.own_and_options(text)
    wrong = fault(registry, session.name, text) if own_named(text, registry.settings) else ""
    if own:
        name, options = own, own_options
    choice = next((choice for choice in found if choice.name == name), None)
    if own and choice and not wrong:
        choice = replace(choice, options=without_files(registry.own.options(own)))
    return {
        "player": player + 1,
        "chosen": name,
        "options": options,
        "choice": choice,
        "groups": list(in_groups(found)),
        "fault": wrong,
        "name": player_in_title(session.game, player),
        "said": player_in_words(session.game, player),
    }


# Is this board possible? A position that is set up by hand.
#
# Noughts and crosses typed in, an illustration of one that is not (row A-71); and the rules of a game
# as a program.


LONGEST_SOURCE = 200_000


def boards_possible(registry: Registry, params: Params) -> PossibleAnswer:
    """Return whether a board can come up: its picture, its number, the moves that lead to it or why
    there are none. Raises BadInput.
    """
    game = registry.game(params.text("game"))
    if not has_impossible_boards(game):
        raise BadInput(
            message("only of tictactoe is it asked which boards are possible, not of {game}", game=game.text)
        )
    text = params.text("board") or IMPOSSIBLE
    moves, why = None, ""
    try:
        moves = moves_to(game, text)
    except BadInput as error:
        why = for_page(str(error))
    picture, number = "", None
    if board := tidy(text):
        drawn = Position(game, stones(board))
        picture, number = pages.picture(board_svg(drawn, size=40)), drawn.id
    part = pages.part(
        "board_possible.html",
        board=text,
        moves=moves,
        why=why,
        picture=picture,
        number=number,
        all=3**9,
        possible=positions(),
        game=params.text("game"),
    )
    return {"parts": {"possible": part}, "possible": moves is not None}


def boards_edit(registry: Registry, params: Params) -> PartsAnswer:
    """A position that is being set up (`position`, in the game's notation): its picture, and the way to play
    it or why it is none.

    What becomes of it is said by a `piece` in a `cell`, or `from` another one; `do`, one of `clear` and
    `start`; or another `mover`. `last` is what was written before: its board stays while that of `position`
    cannot be read. Raises BadInput for a game that reads no positions.
    """
    game = registry.game(params.text("game"))
    if game.read_position is None:
        raise BadInput(message("{game} reads no positions; play to the one you want", game=game.text))
    first = written_position(Position(game, game.start))
    text, why = params.text("position", longest=LONGEST_RECORD) or first, ""
    try:
        text = pasted(game, text)
    except BadInput as error:
        why = str(error)
    read_well = set_up(game, text)
    made = read_well or set_up(game, params.text("last", longest=LONGEST_RECORD)) or set_up(game, first)
    if made:
        changed = as_asked(made, params, text)
        text, made = (changed.text, changed) if read_well or changed != made else (text, made)
    why = why or fault_of_board(game, text)
    position = None if why else read_position(game, text)
    begin, named = params.text("begin", longest=LONGEST_POSITION), range(1, game.players + 1)
    seats = {str(seat): agent for seat in named if (agent := params.text(str(seat)))}
    people = {str(player + 1): HUMAN for player in range(game.players)}
    page_of_game = f"/{params.text('game')}"
    part = pages.part(
        "board_editor.html",
        game=page_of_game,
        play=pages.address(page_of_game, position=text, **seats),
        worth=pages.address(page_of_game, position=text, show="truth", **people),
        back=pages.address(page_of_game, moves=",".join(params.moves()), position=begin, **seats),
        hidden=seats | {"moves": ",".join(params.moves()), "position": begin},
        text=text,
        why=why,
        position=position,
        last=made.text if made else "",
        caption="" if made or position is None else caption_of(position),
        picture=editor_picture(made, position, flip=params.flag("flip")),
        made=made,
        player=player_in_title,
        longest=LONGEST_RECORD,
        tray=tray(made) if made else [],
        eraser=on_field(None, made.first) if made else Markup(),
        records=FORMATS.get(game.name, ""),
        columns=columns_of_board(board_of(game)),
    )
    return {"parts": {"editor": part}}


def as_asked(made: SetUp, params: Params, text: str) -> SetUp:
    """A position with what a question says becomes of it."""
    done = params.text("do")
    if done:
        return made.cleared().tidied() if done == "clear" else set_up_at_first(made.game)
    if params.text("from"):
        made = made.moved(params.whole("from", 0), params.whole("cell", 0)).tidied()
    elif piece := params.text("piece"):
        made = made.put(params.whole("cell", 0), piece).tidied()
    # a form without a script sends who is to move along with what is written, which counts where it is new
    return made.moved_by(params.text("mover")) if params.text("last") in ("", text) else made


def editor_picture(made: SetUp | None, position: Position | None, *, flip: bool) -> str:
    """The board of a position that is set up; of a game whose positions are more than pieces on a board, that
    of the position that is written, if it is one.
    """
    if made:
        touch = Touch(flipped=flip, walls=True)
        return pages.picture(grid_svg(made.board(), _("The position as it is set up"), touch))
    return pages.picture(board_svg(position, touch=Touch())) if position else ""


FORMATS = {"chess": "PGN", "draughts": "PDN", "go": "SGF"}
"""In which a whole game is written."""


def boards_code(registry: Registry, params: Params) -> PartsAnswer:
    """The program that a game is, as it stands in its file; no path is told, only the name of the
    file.
    """
    game = registry.game(params.text("game"))
    file = game.source or Path(inspect.getfile(inspect.unwrap(GAMES[params.text("game").partition(":")[0]])))
    try:
        source = read_source(file)[:LONGEST_SOURCE]
    except BadFile:
        source = ""
    return {"parts": {"code": pages.part("board_code.html", file=file.name, source=source)}}


# What the agents at a board think of its position, beside the truth.


MOST_MINDS = 3


def mind_show(registry: Registry, params: Params) -> PartsAnswer:
    """A table: every legal move, what each agent thinks of it, and what it leads to where that is
    known and asked for.
    """
    session = session_in(registry, params)
    position = session.position
    agents = [text for text in dict.fromkeys(session.seats) if text != HUMAN][:MOST_MINDS]
    hidden = not agents or position.over or is_chance(position) or is_veiled(session)
    reveals = "truth" in session.shows and ("predict" not in session.shows or session.guessed)
    part = pages.part(
        "board_mind.html",
        preferences=[] if hidden else [thoughts(registry, session, text) for text in agents],
        marks=[] if hidden else marks_of(session, known(session) if reveals else None),
        why="" if agents else _("No agent sits at this board."),
        sides=[player_in_words(session.game, player) for player in (0, 1)],
    )
    return {"parts": {"mind": part}}


def thoughts(registry: Registry, session: GameSession, text: str) -> pages.Row:
    """Return what one agent thinks; of the user's own, what is wrong in its file."""
    try:
        player = registry.agent(session.name, text)
    except AgentFault as error:
        return preferences(text, str(error))
    follow(player, session.position)
    return preferences_of(player, text, registry.game(session.name), session.position.state, session.seed)


# What positions on a board are worth, where that takes longer than a person should wait for the
# board; and guesses at it.


GUESSES = ("win", "draw", "loss")


def truth_show(registry: Registry, params: Params) -> BoardAnswer:
    """The position with its exact values, or with the reason why they are not known."""
    return answer(session_in(registry, params), known_here)


def truth_guess(registry: Registry, params: Params) -> GuessAnswer:
    """Return whether a person's word for a position is right (`guess`), or keeps its value (`move`, a
    move that was picked instead); then its exact values.
    """
    session = replace(session_in(registry, params), guessed=True)
    values = known_here(session)
    found, solution = answer(session, lambda session: values), values.solution
    if solution is None:
        return {**found, "right": None, "said": ""}
    position = session.position
    value, player = word_of(solution.value(position.state)), player_in_words(session.game, position.mover)
    if picked := params.text("move"):
        move = position.read(picked)
        right = holds(solution.best_moves(position.state), move)
        said_move = session.game.say_move(position.state, move)
        sentence = (
            _("{move} keeps the value.", move=said_move)
            if right
            else _("{move} does not keep the value.", move=said_move)
        )
        truth = _("Before it, the position was {value} for {player}.", player=player, value=_(WORDS[value]))
    else:
        right = params.choice("guess", GUESSES) == value
        sentence = _("Right.") if right else _("Wrong.")
        truth = _("For {player} it is {value}.", player=player, value=_(WORDS[value]))
    return {**found, "right": right, "said": f"{sentence} {truth}"}


def truth_why(registry: Registry, params: Params) -> BoardAnswer:
    """The line that shows why the position is worth what it is, or why a `move` is: in the place of the moves
    that followed.

    Raises BadInput where none is found.
    """
    return answer(explained(session_in(registry, params), params.text("move")))


def truth_line(registry: Registry, params: Params) -> str:
    """The page of such a line."""
    return page_of(registry, explained(session_in(registry, params), params.text("move")), params)


# The judge of a table at which several people play: what the moves so far come to, and whether one
# more is legal.


def table_judge(registry: Registry, params: Params) -> Judged:
    """The moves in the game's own words, one more `move` with them where it is given, who made
    each, whose turn it is now, and whether it is over.

    movers and mover count players from 0; chance is -1. Raises IllegalMove, and BadInput for a game
    of imperfect information: a table shows every move to everybody.
    """
    game = registry.game(params.text("game"))
    if game.imperfect_information:
        raise BadInput(
            message(
                "{game} has secrets, which a table would show to everybody; play it on one page",
                game=game.name,
            )
        )
    positions = line(game, params.moves())
    if move := params.text("move"):
        positions.append(positions[-1].play(move))
    played = [
        game.name_move(before.state, before.read(text))
        for before, text in zip(positions[:-1], [*params.moves(), move], strict=False)
    ]
    last = positions[-1]
    return {
        "moves": played,
        "movers": [each.mover for each in positions[:-1]],
        "mover": last.mover,
        "over": last.over,
        "players": game.players,
    }


def table_agents(registry: Registry, params: Params) -> NoAnswer:
    """Return whether the agents of a table can play its game at their seats.

    Raises what building one raises.
    """
    for text in params.moves("agents"):
        registry.agent(params.text("game"), text)
    return {}


# How good the levels of a game are: what each one is, and what it is worth against random play.


def levels_show(registry: Registry, params: Params) -> PartsAnswer:
    """The levels of a `game`."""
    lab = registry.lab(params.text("game"))
    found, missing = levels_of(lab)
    rows = [level_row(lab, level, is_there) for level, is_there in found.items()]
    part = pages.part("board_levels.html", rows=rows, percent=percent, missing=missing, most=GRADED)
    return {"parts": {"levels": part}}


def level_row(lab: Lab, level: str, found: Meaning) -> pages.Row:
    """A level, what it does, the agent that it is, and its grade against random play where that is known: no
    clock has a say in it.
    """
    grade = against_random(lab, brought(lab, level)) if is_small(lab.game, GRADED) else None
    return {"name": _(NAMES[level]), "words": found.words, "agent": found.agent, "grade": grade}
