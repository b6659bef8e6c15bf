"""The parts of a board page: what is drawn and said of a position, and what the program of the page
must know of it. Last what follows from the position alone, whoever sits there: the sides beside the board,
with their pieces, what was taken and what is counted; what a board of chess shows of its kings; and what
pointing at the places of a board means.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import hypot
from typing import NamedTuple, TypeAlias

from markupsafe import Markup

from damier.core.board import Board, Grid, Hexagons, Look, NumberBoard
from damier.core.game import Game, Position, written_position
from damier.core.moves import each, move_in_words
from damier.core.rules import CHANCE, State
from damier.core.words import _, decimal, grouped, ngettext, printable
from damier.draw.background import material
from damier.draw.board import NAMES, Touch, board_svg, has_sides
from damier.draw.history import HistoricMoment, history_svg
from damier.draw.pieces import SHAPES
from damier.draw.svg import tag
from damier.draw.text import MoveMark, grid_of, is_free, legend, move_marks, player_in_words
from damier.lab.agents import agent_in_words
from damier.web import pages
from damier.web.board_session import (
    DIE,
    HUMAN,
    LONGEST_NAME,
    GameSession,
    is_chance,
    looked_at,
    player_in_title,
)
from damier.web.board_truth import (
    KnownTruth,
    history,
    judges,
    known,
    known_at_once,
    known_values,
    proof_links,
    proven_moves,
    why_here,
    why_links,
    why_part,
)
from damier.web.messages import BoardAnswer, BoardState

MOST_ARROWS = 12
"""Of more moves than that from one place to another, arrows hide the board: where a piece may go is
seen once it is pointed at.
"""


def answer(
    session: GameSession,
    values: Callable[[GameSession], KnownTruth] = known_at_once,
    resigned: int | None = None,
) -> BoardAnswer:
    """State and parts of a position, with its exact values where these are asked for and `values`
    finds them.
    """
    found = values(session) if wants_values(session) else None
    marks = marks_of(session, found)
    moments = moments_of(session, found)
    state = state_of(session, marks, resigned, found, moments)
    parts = {
        "board": board_part(session, marks),
        "sides": pages.part("board_sides.html", sides=sides_of(session)),
        "beside": pages.part("board_beside.html", marks=off_board(marks) if is_person(session) else []),
        "status": pages.part(
            "board_status.html",
            said=status_text(session, resigned),
            caption=caption(session),
            last=last_move(session),
            session=session,
            state=state,
        ),
        "moves": moves_part(session, marks, resigned),
        "why": why_part(session),
        "line": line_part(session, moments, tree=tree_address(session), mistakes=state["mistakes"]),
        "truth": truth_part(session, found, marks, moments),
    }
    return {"state": state, "parts": parts}


def state_of(
    session: GameSession,
    marks: list[MoveMark],
    resigned: int | None,
    found: KnownTruth | None,
    moments: dict[int, HistoricMoment],
) -> BoardState:
    """Return what the program of the page must know."""
    position = session.position
    grid = grid_of(position)
    # of a game that does not tell where moves happen that takes a look at each of them
    pointed = not is_veiled(session) and (session.game.place is not None or is_person(session))
    taps, routes = pointing(position, marks) if pointed else Pointing({}, [])
    return {
        "game": session.name,
        "moves": session.moves,
        "at": session.at,
        "query": session.query(),
        "seats": list(session.seats),
        "mover": position.mover,
        "over": position.over,
        "person": is_person(session),
        "plays": session.plays and bool(session.people),
        "decided": [
            ply for ply, position in enumerate(session.positions) if position.mover in session.people
        ],
        "stopped": resigned is not None,
        "light": is_light(session),
        "moving": session.game.stochastic or len(session.people) < session.game.players,
        "legal": [mark.name for mark in marks] if is_person(session) else [],
        "taps": taps,
        "routes": routes,
        "said": {mark.name: mark.text for mark in marks if mark.text != mark.name},
        "asked": {mark.name: name for mark in marks if (name := move_in_words(mark.name)) != mark.name},
        "columns": columns_of_board(grid),
        "flipped": is_flipped(session),
        "show": sorted(session.shows),
        "truth": truth_state(session, found),
        "mistakes": [ply for ply, moment in moments.items() if moment.lost],
        "steered": is_steered(session),
        "written": written_position(position)
        if session.game.read_position and not is_veiled(session)
        else "",
    }


def moments_of(session: GameSession, found: KnownTruth | None) -> dict[int, HistoricMoment]:
    """Return what the positions of the game were worth; without distances where only who wins is asked
    for.
    """
    moments = {
        ply: replace(
            moment,
            move_text=session.move_texts[ply - 1] if ply else "",
            sides=tuple(map(session.game.name_side, range(len(session.game.sides)))),
        )
        for ply, moment in (history(found, session) if found else {}).items()
    }
    if "outcome" in session.shows:
        return {ply: replace(moment, distance=None) for ply, moment in moments.items()}
    return moments


def tree_address(session: GameSession) -> str:
    """The tree of what can follow; nothing where that cannot be shown."""
    if session.game.imperfect_information or session.position.over or session.begin:
        return ""
    return pages.address("/tree", game=session.name, moves=",".join(session.moves[: session.at]), plies=2)


def moves_part(session: GameSession, marks: list[MoveMark], resigned: int | None) -> str:
    """The moves as buttons for a person, as words for others; nothing where the game is over."""
    if session.position.over:
        return ""
    may_move = not is_chance(session.position) and resigned is None and not is_veiled(session)
    return pages.part(
        "board_moves.html",
        marks=marks if may_move else [],
        whys=why_links(session, marks),
        person=is_person(session),
        apart=off_board(marks),
    )


def sides_of(session: GameSession) -> list[pages.Row]:
    """Return who sits beside the board; where that is hidden, nobody."""
    if is_veiled(session):
        return []
    who = [player_words(session, player) for player in range(session.game.players)]
    return sides(session.position, session.positions[: session.at + 1], who)


def is_flipped(session: GameSession) -> bool:
    """Return whether the board is seen from the second seat: by who sits there, or as somebody wanted it."""
    return has_sides(grid_of(session.position)) and (session.you == 1) != session.flip


def names_part(session: GameSession) -> str:
    """Return where the people at this page say what they are called."""
    rows = [
        (player, session.names[player], player_in_words(session.game, player)) for player in session.people
    ]
    return pages.part("board_names.html", rows=rows, longest=LONGEST_NAME)


def marks_of(session: GameSession, found: KnownTruth | None) -> list[MoveMark]:
    """The legal moves, with what they lead to where that may be seen."""
    position = session.position
    if is_veiled(session):
        return []
    proof, solution = (found.proof, found.solution) if found else (None, None)
    explained = known_values(proof) if proof else solution.explain(position.state) if solution else None
    marks = move_marks(session.game, position.state, explained)
    if proof:  # of moves that are not known yet one may be better
        marks = [replace(mark, best=mark.value == "win") for mark in marks]
    return (
        [replace(mark, distance=None, payoff=None) for mark in marks] if "outcome" in session.shows else marks
    )


def board_part(session: GameSession, marks: list[MoveMark]) -> str:
    """The picture.

    Moves that are not valued are drawn only for a person, and where a cell to point at does not say
    enough.
    """
    if is_veiled(session):
        return pages.part(
            "board_veil.html",
            player=player_in_words(session.game, session.position.mover),
            mine=session.me is None and is_person(session),
        )
    position = session.position
    grid = grid_of(position)
    going = sum(len(mark.cells) > 1 for mark in marks)
    arrows = going <= MOST_ARROWS and not session.game.ways  # an arrow would show one way of many
    drawn = [
        mark
        for mark in marks
        if grid
        and (
            mark.value
            or (
                is_person(session)
                and (len(mark.cells) > 1 and arrows if going else not says_itself(grid, mark))
            )
        )
    ]
    picture = pages.picture(
        board_svg(
            position,
            drawn,
            touch=Touch(
                last_cells(session),
                winning_line(session),
                thrown(session),
                in_check(position),
                is_flipped(session),
            ),
        )
    )
    return picture if grid else pages.part("board_text.html", picture=picture)


def caption(session: GameSession) -> str:
    """Return what the board does not show, such as a score; where a game of Go has ended, the areas
    that decided.
    """
    if session.game.name == "go" and session.position.over:
        return areas(session)
    return "" if is_veiled(session) else caption_of(session.position)


def caption_of(position: Position) -> str:
    """Return what a board does not show of a position, such as a score."""
    grid = grid_of(position)
    return printable(grid.caption) if grid else ""


def last_move(session: GameSession) -> str:
    """Return what was played last, for who cannot see it on the board; nothing where a die fell that
    nobody must see.
    """
    played = session.move_texts[session.at - 1] if session.at else ""
    return "" if played == DIE else played


def last_cells(session: GameSession) -> tuple[int, ...]:
    """Return where the last move happened."""
    before, played = session.positions[max(0, session.at - 1)], session.moves[: session.at]
    return cells_of_move(before, played[-1]) if played and not is_chance(before) else ()


def thrown(session: GameSession) -> int:
    """Return what a die showed last; 0 where none has been thrown, or where it shows no number."""
    before = zip(session.moves[: session.at], session.positions, strict=False)
    faces = [move for move, position in before if is_chance(position)]
    return int(faces[-1]) if faces and faces[-1].isdecimal() else 0


def truth_part(
    session: GameSession,
    found: KnownTruth | None,
    marks: list[MoveMark],
    moments: dict[int, HistoricMoment],
) -> str:
    """The exact values in words, the question before a guess, or why there are none."""
    proof = found.proof if found else None
    return pages.part(
        "board_truth.html",
        state=truth_state(session, found),
        here=moments[session.at].words(session.at) if session.at in moments else "",
        why_here=why_here(session, moments.get(session.at)),
        whys=proof_links(session, marks) if proof else {},
        why=found.why if found else "",
        blunders=sum(moment.lost is not None for moment in moments.values()),
        mover=player_in_words(session.game, session.position.mover),
        proof=proof,
        proven=proven_moves(session, proof) if proof else [],
        looked_at=looked_at,
        judged=bool(judges(session.game)),
        outcome="outcome" in session.shows,
        tables=found.tables if found else "",
        legend="" if found and found.ended else legend(marks),
    )


def line_part(
    session: GameSession, moments: dict[int, HistoricMoment], *, tree: str = "", mistakes: Sequence[int] = ()
) -> str:
    """The moves of the game, and above them what is known of its positions, a cell each, where anything is;
    with the address of its `tree`, and a button to its `mistakes`.
    """
    return pages.part(
        "board_line.html",
        session=session,
        moments=moments,
        picture=pages.picture(history_svg(moments, len(session.moves), session.at)) if moments else "",
        blunders=any(moment.lost for moment in moments.values()),
        player=player_in_words,
        die=DIE,
        tree=tree,
        mistakes=mistakes,
    )


# Whose turn it is at a board, and how a game ended, to whom reads it.


def status_text(session: GameSession, resigned: int | None) -> str:
    """Return whose turn it is, or how it ended."""
    position = session.position
    if resigned is not None:
        return _("{player} gives up.", player=player_words(session, resigned))
    if position.payoffs is not None:
        return f"{end_in_words(position)} {result(session, position.payoffs)}".lstrip()
    if position.mover == CHANCE:
        return _("Chance is to move.")
    alarm = _("Check.") if in_check(position) else ""
    turn = (
        _("Your move ({player}).", player=player_in_words(session.game, position.mover))
        if position.mover == session.you
        else _("{player} is to move.", player=player_words(session, position.mover))
    )
    return f"{alarm} {turn}".lstrip()


def result(session: GameSession, payoffs: tuple[int, ...]) -> str:
    """Return how a game ended, to whom reads it."""
    if sorted(payoffs) == [-1, 1]:
        winner = payoffs.index(1)
        if winner == session.you:
            return _("You have won.")
        return _("{player} has won.", player=player_words(session, winner))
    if not any(payoffs):
        return _("A draw.")
    # not where payoffs are what was collected on the way, as Pacman's are, and no lead at the end
    if len(payoffs) == 2 and not sum(payoffs) and "reward" not in session.game.given:
        winner = payoffs.index(max(payoffs))
        if winner == session.you:
            return _("You have won by {n}.", n=grouped(max(payoffs)))
        return _("{player} has won by {n}.", player=player_words(session, winner), n=grouped(max(payoffs)))
    listed = " · ".join(
        _("{player} {payoff}", player=player_words(session, player), payoff=signed(payoff))
        for player, payoff in enumerate(payoffs)
    )
    return _("The end. Payoffs: {payoffs}.", payoffs=listed)


def areas(session: GameSession) -> str:
    """Return what a game of Go was counted by, in points."""
    lead, komi = session.game.features["area"](session.position.state), session.game.options["komi"]
    assert isinstance(komi, int | float)
    return _(
        "Area of Black less that of White: {lead}; komi for White: {komi}",
        lead=signed(int(lead)),
        komi=decimal(komi),
    )


def signed(payoff: int) -> str:
    """A payoff as it is printed: with a sign, and a minus that is as long as a plus is wide."""
    return f"{'−' if payoff < 0 else '+' if payoff else ''}{grouped(abs(payoff))}"


def player_words(session: GameSession, player: int) -> str:
    """A player and who it is."""
    name = player_in_title(session.game, player)
    if session.seats[player] == HUMAN:
        name = (session.names[player] if player < len(session.names) else "") or name
        return _("{name} (you)", name=name) if player == session.you else name
    agent = session.seats[player].partition(":")[0]
    return _("{player} ({agent})", player=name, agent=agent_in_words(agent))


# What a game was won by, where that is a line on the board.

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def winning_line(session: GameSession) -> tuple[int, ...]:
    """The cells of the line through the last stone that ended the game, or of the chain from edge to edge;
    none where nothing was won, or not by a line.
    """
    position = session.position
    board, length = grid_of(position), line_length(session)
    if not (position.over and position.payoffs and any(position.payoffs)):
        return ()
    if isinstance(board, Hexagons) and board.edges:
        return min(filter(None, (chain(board, side) for side in (0, 1))), key=len, default=())
    if not (length and session.at):
        return ()
    before, name = session.positions[session.at - 1], session.moves[session.at - 1]
    if not isinstance(board, Grid) or session.game.place is None:
        return ()
    last = session.game.place(before.state, before.read(name))[-1]
    runs = (run_through(board, last, *direction) for direction in DIRECTIONS)
    return next((run for run in runs if len(run) >= length), ())


def line_length(session: GameSession) -> int:
    """Return how many in a row end a game; 0 where nothing does."""
    if session.game.name == "tictactoe":
        return 3
    length = session.game.options.get("in_a_row", 0)
    return length if isinstance(length, int) else 0


def run_through(board: Grid, cell: int, down: int, right: int) -> tuple[int, ...]:
    """The longest row of pieces like that of `cell`, both ways, in order."""
    piece = board.piece(cell)

    def along(sign: int) -> list[int]:
        row, column = divmod(cell, board.width)
        found: list[int] = []
        while True:
            row, column = row + sign * down, column + sign * right
            inside = 0 <= row < board.height and 0 <= column < board.width
            if not inside or board.piece(row * board.width + column) != piece:
                return found
            found.append(row * board.width + column)

    return (*reversed(along(-1)), cell, *along(1))


def chain(board: Hexagons, side: int) -> tuple[int, ...]:
    """The shortest chain of pieces that joins the two edges of their own: side 0 is that of top and bottom,
    side 1 that of left and right; none where they are not joined.
    """
    piece = board.edges[side]
    lines = board.by_rows if side == 0 else tuple(zip(*board.by_rows, strict=True))
    came_from = {cell: cell for cell in lines[0] if board.piece(cell) == piece}
    waiting = deque(came_from)
    while waiting:
        cell = waiting.popleft()
        if cell in lines[-1]:
            found = [cell]
            while came_from[found[-1]] != found[-1]:
                found.append(came_from[found[-1]])
            return tuple(found)
        for other in beside(board, cell):
            if board.piece(other) == piece and other not in came_from:
                came_from[other] = cell
                waiting.append(other)
    return ()


def beside(board: Hexagons, cell: int) -> tuple[int, ...]:
    """The cells that touch one: those whose middles are one width away."""
    x, y = board.centre(cell)
    return tuple(
        other for other, (to_x, to_y) in enumerate(board.centres) if 0.9 < hypot(x - to_x, y - to_y) < 1.1
    )


# Who is to move at a board page, and what of the game may be seen there.

LIGHT = ("chase", "random")
"""Agents that reply at once."""


def is_steered(session: GameSession) -> bool:
    """Return whether a person steers by directions, as Pacman is."""
    return bool(session.people) and session.game.name == "pacman"


def wants_values(session: GameSession) -> bool:
    """Return whether the exact values are to be seen: with `predict`, only after a guess."""
    return "truth" in session.shows and not must_guess(session) and not is_veiled(session)


def must_guess(session: GameSession) -> bool:
    """Return whether a person must say first what the position is worth."""
    asks = "predict" in session.shows and session.why < 0  # a line tells all
    return asks and not session.guessed and not session.position.over


def truth_state(session: GameSession, found: KnownTruth | None) -> str:
    """Return how far the exact values are known, in the words of `BoardState.truth`."""
    if found is None:
        asks = "truth" in session.shows and must_guess(session)
        return "off" if not asks else "guess" if is_person(session) or not session.people else "later"
    if found.proof:
        return "search" if found.hopeful else "stopped"
    return "here" if found.solution or found.ended else "wait" if found.hopeful else "none"


def is_person(session: GameSession) -> bool:
    """Return whether a person at this page is to move."""
    position = session.position
    return not position.over and position.mover in session.people and session.me in (None, position.mover)


def is_light(session: GameSession) -> bool:
    """Return whether a reply here takes no time to think about: a die, or an agent that looks not ahead."""
    player = session.position.mover
    if session.position.over or player == CHANCE:
        return True
    agent = session.seats[player].partition(":")[0]
    return agent in LIGHT or (agent == "perfect" and known(session).solution is not None)


def is_veiled(session: GameSession) -> bool:
    """Return whether the board is to be hidden from who looks at it: in a game of imperfect
    information it shows what only the player to move may see.
    """
    position = session.position
    if (
        not session.game.imperfect_information
        or position.over
        or position.mover == CHANCE
        or not session.people
    ):
        return False
    if session.me is not None:
        return session.me != position.mover
    return position.mover not in session.people or (len(session.people) > 1 and session.look != session.at)


# The players beside the board, with their pieces, what was taken and what is counted.

COLOURS: dict[str, tuple[str, ...]] = {
    "White": ("light", "white"),
    "Black": ("dark", "black"),
    "Red": ("red",),
    "Yellow": ("yellow",),
    "X": ("cross",),
    "O": ("ring",),
}
"""How the looks of the pieces of a side begin."""
MATERIAL = {"king": 0, "queen": 9, "rook": 5, "bishop": 3, "knight": 3, "pawn": 1}
"""What a chessman is worth, as beginners count, the heaviest first."""
MEN: tuple[Look, Look] = ("light", "dark")
"""The looks of pieces that lie in places of numbers."""


Taken: TypeAlias = tuple[str, str, tuple[tuple[Markup, int], ...]]
"""How far ahead a player is, what he has taken in words, and the same drawn."""


@lru_cache(maxsize=4096)
def census(game: Game, s: State) -> Counter[Look]:
    """Count of the pieces of each look that stand on a board."""
    board = game.grid(s) if game.grid else None
    if board is None or isinstance(board, NumberBoard):
        return Counter()
    return Counter(board.looks[piece] for row in board.rows for piece in row if piece in board.looks)


def is_of(look: Look, side: str) -> bool:
    """Return whether a look is that of a side, by the name that a game gives it."""
    return look.startswith(COLOURS.get(side, ("?",)))


def taken_by(game: Game, player: int, positions: Iterable[Position]) -> Counter[Look]:
    """Return what a player took: pieces of others that are fewer after his moves."""
    found: Counter[Look] = Counter()
    before: Position | None = None
    for after in positions:
        if before is not None and before.mover == player:
            gone = census(game, before.state) - census(game, after.state)
            found += Counter({look: n for look, n in gone.items() if not is_of(look, game.sides[player])})
        before = after
    return found


def sides(position: Position, line: list[Position], who: list[str]) -> list[dict[str, object]]:
    """The players beside the board, where the game has names for them; `line` are the positions of the
    game so far, `who` is what each is called.

    Of each: `who` that is; `sign`, one of his pieces, drawn; whether he `moves` now; `count`, what is counted
    on the board, or was taken, as text, and `words`, the same for who does not see it; `taken`, the pieces of
    others that he has taken, drawn, and how many of each.
    """
    game, board = position.game, grid_of(position)
    if board is None or len(game.sides) != game.players:
        return []
    made, found = material(board), list[dict[str, object]]()
    for player, name in enumerate(game.sides):
        own = next((look for look in (*board.looks.values(), *MEN) if is_of(look, name)), None)
        sign = drawn(own, made) if own else Markup()
        moves = not position.over and position.mover == player
        if made == "m-felt":  # what lies on felt is counted
            n = sum(number for look, number in census(game, position.state).items() if is_of(look, name))
            counted: Taken = grouped(n), ngettext("{n} disc", "{n} discs", n), ()
        elif "white_stone" in board.looks.values():
            n = taken_by(game, player, line).total()
            sentence = ngettext("{n} stone taken", "{n} stones taken", n) if n else ""
            counted = sentence, sentence, ()
        else:
            counted = taken_in_words(game, player, line, made)
        count, words, taken = counted
        found.append(
            {"who": who[player], "sign": sign, "moves": moves, "count": count, "words": words, "taken": taken}
        )
    return found


def taken_in_words(game: Game, player: int, line: list[Position], made: str | None) -> Taken:
    """Return what a player has taken, the heaviest first; of chess, how much more that is worth than what he
    lost.
    """
    taken, lost = taken_by(game, player, line), taken_by(game, 1 - player, line)
    if not taken:
        return "", "", ()
    ahead = sum(value_of_man(look) * n for look, n in taken.items()) - sum(
        value_of_man(look) * n for look, n in lost.items()
    )
    in_order = sorted(taken, key=rank)
    pieces = ", ".join(f"{taken[look]} × {_(NAMES[look])}" for look in in_order)
    return (
        f"+{grouped(ahead)}" if ahead > 0 else "",
        _("taken: {pieces}", pieces=pieces),
        tuple((drawn(look, made), taken[look]) for look in in_order),
    )


def value_of_man(look: Look) -> int:
    """Return what a chessman is worth; 0 for anything else."""
    return MATERIAL.get(look.partition("_")[2], 0) if look.startswith(("white_", "black_")) else 0


def rank(look: Look) -> int:
    """The place of a look in a row of taken pieces."""
    kind, order = look.partition("_")[2], [*MATERIAL]
    return order.index(kind) if kind in MATERIAL else len(order)


def drawn(look: Look, made: str | None) -> Markup:
    """A piece alone, small, of what the board is made of."""
    shape = tag("g", SHAPES[look](10, 10, 20), class_=made)
    return Markup(tag("svg", shape, viewBox="0 0 20 20", class_="damier", aria_hidden="true"))


ERASER = (
    '<g transform="rotate(-40 20 20)"><rect class="d-light" x="9" y="14" width="22" height="12" rx="2.5"'
    ' stroke-width="1.2"/><path class="d-head" d="M11.5 14H19V26H11.5Q9 26 9 23.5V16.5Q9 14 11.5 14Z"/></g>'
)
"""A rubber, in forty units."""


def on_field(look: Look | None, board: Board) -> Markup:
    """A piece on a field of its board, or the rubber that takes one away: alone, small."""
    made = material(board)
    field = "d-panel" if made == "m-rack" else "d-square" if made else "d-cell"
    ground = tag("rect", class_=field, x=1, y=1, width=38, height=38, rx=5)
    if made == "m-rack":
        ground += tag("circle", class_="d-hole", cx=20, cy=20, r=16)
    piece = SHAPES[look](20, 20, 40) if look else ERASER
    shape = tag("g", ground, tag("g", piece, class_="tray-piece"), class_=made)
    return Markup(tag("svg", shape, viewBox="0 0 40 40", class_="damier", aria_hidden="true"))


def off_board(marks: Iterable[MoveMark]) -> list[MoveMark]:
    """The moves that happen nowhere on a board on which others do: a pass."""
    found = list(marks)
    return [mark for mark in found if not mark.cells] if any(mark.cells for mark in found) else []


# Chess: a king in check, and what such a game ended by.


def in_check(position: Position) -> tuple[int, ...]:
    """The place of the king of who is to move, where it is in check; none on a board without kings."""
    board = grid_of(position)
    king = ("white_king", "black_king")[position.mover] if position.mover in (0, 1) else ""
    if board is None or king not in board.looks.values() or not position.game.threatened(position.state):
        return ()
    return tuple(place for place in range(board.places) if board.looks.get(board.piece(place)) == king)


def end_in_words(position: Position) -> str:
    """Return by what a game of chess ended, where its board shows it: mate, stalemate."""
    board, game = grid_of(position), position.game
    if not position.over or board is None or "white_king" not in board.looks.values():
        return ""
    if any(position.payoffs or ()):
        return _("Checkmate.")
    stuck = not list(each(game.moves(position.state))) and not game.threatened(position.state)
    return _("Stalemate.") if stuck else ""


# Pointing at the places of a board: the move that a place means, the places that a move passes.

MOST_COMPARED = 512
"""Moves whose boards are compared with the one before them, at most."""
GONE = 3
"""Places that a move changes at most whose piece goes from one to another, and takes what it jumps over."""


def says_itself(grid: Board, mark: MoveMark) -> bool:
    """A stone put on a free cell, or a place that says itself that it can be pressed."""
    return len(mark.cells) == 1 and (isinstance(grid, NumberBoard) or is_free(grid.piece(mark.cells[0])))


def cells_of_move(before: Position, name: str) -> tuple[int, ...]:
    """Return where a move begins and ends; nothing in a game that does not say where moves happen."""
    place = before.game.place
    cells = tuple(place(before.state, before.read(name))) if place else ()
    return (cells[0], cells[-1]) if cells else ()


def columns_of_board(board: Board | None) -> int:
    """Return how many places there are in each row, 0 where rows are not of one length or not numbered
    one after the other.
    """
    rows = board.by_rows if board else ()
    length = len(rows[0]) if rows else 0
    numbered = [place for row in rows for place in row] == list(range(length * len(rows)))
    return length if numbered and all(len(row) == length for row in rows) else 0


class Pointing(NamedTuple):
    """Meaning of pointing at places of a board.

    Attributes:
        taps: by place, the move that it means by itself
        routes: the places of a move one after the other, and the move, where one place does not say it
    """

    taps: dict[int, str]
    routes: list[tuple[tuple[int, ...], str]]


def pointing(position: Position, marks: list[MoveMark]) -> Pointing:
    """Return what pointing at the places of a position means; of games that do not tell where a move
    happens too.

    Where moves are named as the columns are, all of a column means its move.
    """
    grid = grid_of(position)
    if grid is None:
        return Pointing({}, [])
    if position.game.place is None:
        found = by_comparison(position, grid, marks)
        return Pointing(in_columns(grid, found.taps), found.routes)
    return Pointing(in_columns(grid, taps(marks)), routes(position, marks))


def taps(marks: list[MoveMark]) -> dict[int, str]:
    """By place, the only move that happens there and nowhere else."""
    alone = [mark for mark in marks if len(mark.cells) == 1]
    shared = Counter(mark.cells for mark in alone)
    return {mark.cells[0]: mark.name for mark in alone if shared[mark.cells] == 1}


def in_columns(grid: Board, found: dict[int, str]) -> dict[int, str]:
    """Return the same, with all cells of a column where each move is called as its column is."""
    if not isinstance(grid, Grid) or not all(
        cell < grid.places and grid.columns[cell % grid.width : cell % grid.width + 1] == (name,)
        for cell, name in found.items()
    ):
        return found
    return {
        row * grid.width + cell % grid.width: name
        for cell, name in found.items()
        for row in range(grid.height)
    }


def by_comparison(position: Position, grid: Board, marks: list[MoveMark]) -> Pointing:
    """Return what places mean in a game that tells of no move where it happens: a place means the move
    that is called as it is, else the moves that change what is there. Where those are several, the
    other places that each changes tell them apart, or else their names.
    """
    names = {mark.name for mark in marks}
    found = {place: name for place in range(grid.places) if (name := grid.name_of(place)) in names}
    meant: dict[int, list[tuple[str, tuple[int, ...]]]] = {}
    for mark in marks if len(marks) <= MOST_COMPARED and not position.game.imperfect_information else ():
        places = changed(grid, grid_of(position.after(mark.move)))
        for place in places:
            if place not in found:
                meant.setdefault(place, []).append((mark.name, places))
    ways: list[tuple[tuple[int, ...], str]] = []
    for place, moves in meant.items():
        if len(moves) == 1:
            found[place] = moves[0][0]
            continue
        ways += [((place,), name) for name, _places in moves]
        if all(1 < len(places) <= GONE for _name, places in moves):
            ways += [((place, other), name) for name, places in moves for other in places if other != place]
    return Pointing(found, ways)


def changed(before: Board, after: Board | None) -> tuple[int, ...]:
    """The places of a board at which another shows something else; none where it is another board."""
    if after is None or type(after) is not type(before) or after.places != before.places:
        return ()
    return tuple(place for place in range(before.places) if before.piece(place) != after.piece(place))


def routes(position: Position, marks: list[MoveMark]) -> list[tuple[tuple[int, ...], str]]:
    """The places that moves pass, one after the other: where a move has several, or shares its only
    one with others. There may be many ways to one move.
    """
    game, s = position.game, position.state
    if game.ways:
        named = position.named_moves
        return [(way, mark.name) for mark in marks for way in game.ways(s, named[mark.name])]
    shared = Counter(mark.cells for mark in marks)
    return [
        (mark.cells, mark.name)
        for mark in marks
        if len(mark.cells) > 1 or (mark.cells and shared[mark.cells] > 1)
    ]
