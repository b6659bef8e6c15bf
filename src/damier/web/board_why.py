"""Lines of best play that show why a position, or a move, is worth what it is, played out on the board.

A line is found when it is asked for. On the page it stands in the place of the moves that followed: an
address of the game like any other, whose `why` says from which ply on its moves are the line.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from damier.core.errors import BadInput
from damier.core.game import Position
from damier.core.moves import first_move
from damier.core.rules import State
from damier.core.solution import AnySolution
from damier.core.words import _, grouped, message, ngettext
from damier.draw.annotations import MoveMark
from damier.draw.history import HistoricMoment
from damier.draw.text import player_in_words
from damier.search.proof import PROOF_NEEDS
from damier.web import pages
from damier.web.board_session import GameSession
from damier.web.board_truth import (
    LARGEST,
    SEARCHING,
    SLICE,
    is_proven_in_slices,
    known_here,
    known_whole,
    proof_so_far,
)

LONGEST = 200
"""Plies of a line."""
SECONDS = 2 * SEARCHING
"""Seconds for a line, beside what it takes to know the position that it begins in."""


# The links by which a line is asked for.


def has_lines(session: GameSession) -> bool:
    """Return whether a line can show anything of a game: nobody draws, and nothing is hidden; at a table
    nobody leaves the game that is played there.
    """
    return session.me is None and all(need.is_met(session.game) for need in PROOF_NEEDS)


def why_links(session: GameSession, marks: list[MoveMark]) -> dict[str, pages.Row]:
    """By the names of moves that give something away, or lose, the line that shows it."""
    known = any(mark.best for mark in marks)
    worse = [mark for mark in marks if mark.value == "loss" or (mark.value and known and not mark.best)]
    return {mark.name: link for mark in worse if (link := link_of(session, mark))}


def proof_links(session: GameSession, marks: list[MoveMark]) -> dict[str, pages.Row]:
    """By moves that win or lose, as people write them, the line that shows it."""
    decided = [mark for mark in marks if mark.value and mark.value != "draw"]
    return {mark.said: link for mark in decided if (link := link_of(session, mark))}


def link_of(session: GameSession, mark: MoveMark) -> pages.Row | None:
    """The link to the line after a move: its address, the move that it explains, and what it is to explain,
    in words; None where there is none, or nothing follows.
    """
    game = session.game
    if not has_lines(session) or game.over(game.play(session.position.state, mark.move)):
        return None
    return {"address": address_of(session, mark.name), "move": mark.name, "words": mark.words}


def why_here(session: GameSession, here: HistoricMoment | None) -> pages.Row | None:
    """The link to the line that shows why a position is won or lost, or what the last move gave away; None
    where it is neither.
    """
    if here is None or (here.value == "draw" and here.lost is None):
        return None
    if not has_lines(session) or session.position.over:
        return None
    return {"address": address_of(session), "move": "", "words": here.words(session.at)}


def address_of(session: GameSession, move: str = "") -> str:
    """The address of a line from the position that is shown, or from after a move."""
    return pages.address(f"/why/{session.name}", **{**session.query(), "why": "", "move": move})


# The line.


def explained(session: GameSession, move: str) -> GameSession:
    """Return the same game with the line in the place of what followed, at its first position.

    Raises BadInput where nothing is known of that.
    """
    if move:  # as its name has it, however it was written
        move = session.game.name_move(session.position.state, session.position.read(move))
    if not has_lines(session) or session.position.over:
        raise BadInput(message("no line shows that here"))
    begun = replace(session, asked=tuple(session.moves[: session.at]), why=-1, guessed=True)
    begun = begun.then(move) if move else begun
    moves = (*begun.moves, *line_from(session, begun, move))
    if len(moves) == len(begun.moves):
        raise BadInput(message("no line is found here in the time that a page has"))
    return replace(begun, asked=moves, at=len(begun.moves), why=len(begun.moves))


def line_from(asked: GameSession, begun: GameSession, move: str) -> Iterator[str]:
    """Yield best play of a game that has `begun`, by a proof of the position that is `asked` of where there
    is one.
    """
    game, s = begun.game, begun.position.state
    proven = proven_line(asked, move)
    for each in proven:
        yield game.name_move(s, each)
        s = game.play(s, each)
    if not proven:
        yield from known_line(begun)


def proven_line(session: GameSession, move: str) -> list[int]:
    """Return best play from the position, or from after a move, as far as a search that proves it finds it in
    time; nothing where it proves nothing.
    """
    if not is_proven_in_slices(session) or not known_whole(session, LARGEST).hopeful:
        return []
    proof, deadline = proof_so_far(session), time.perf_counter() + SECONDS
    first = session.position.named_moves[move] if move else None
    while not (proof.own if first is None else proof.bounds[first]).exact:
        if time.perf_counter() > deadline:
            return []
        proof.advance(SLICE)
    return proof.line(SECONDS, first)


def known_line(session: GameSession) -> Iterator[str]:
    """Yield best play as solutions know it: the one of the position as far as it goes, then those of the
    positions that follow. It ends where a position comes back.
    """
    game, deadline = session.game, time.perf_counter() + SECONDS
    solution: AnySolution | None = None
    seen = set[State]()
    while not session.position.over and len(seen) < LONGEST and time.perf_counter() < deadline:
        s = session.position.state
        if s in seen:
            return
        seen.add(s)
        best = best_of(solution, s) or best_of(known_here(replace(session, slice=0)).solution, s)
        if best is None:
            return
        yield (name := game.name_move(s, best[0]))
        solution, session = best[1], session.then(name)


def best_of(solution: AnySolution | None, s: State) -> tuple[int, AnySolution] | None:
    """Return the first of the best moves as a solution knows them, and the solution; None where it does
    not.
    """
    try:
        found = solution.fastest_moves(s) if solution else 0
    except BadInput:  # it is of one position and its moves only
        return None
    return (first_move(found), solution) if found and solution else None


# How it is told.


def why_part(session: GameSession) -> str:
    """The line that a page shows: what it comes to, its moves, and the ways along it and back."""
    if session.why < 0:
        return ""
    first = max(0, session.why - 1)
    return pages.part(
        "board_why.html",
        said=line_in_words(session),
        steps=[
            {"ply": ply, "said": session.said[ply - 1], "address": at_ply(session, ply)}
            for ply in range(first + 1, len(session.moves) + 1)
        ],
        at=session.at,
        before=at_ply(session, session.at - 1) if session.at > first else "",
        after=at_ply(session, session.at + 1) if session.at < len(session.moves) else "",
        back=at_ply(replace(session, asked=tuple(session.moves[: session.why]), why=-1), first),
    )


def at_ply(session: GameSession, ply: int) -> str:
    """The address of the same game at another ply."""
    return pages.address(f"/{session.name}", **replace(session, at=ply).query())


def line_in_words(session: GameSession) -> str:
    """Return what a line comes to: who wins, and in how many plies."""
    ends = end_in_plies(session, session.positions[-1], len(session.moves) - session.why)
    if not session.why:
        return _("From the first position: {ends}.", ends=ends)
    return _("After {move}: {ends}.", move=session.said[session.why - 1], ends=ends)


def end_in_plies(session: GameSession, last: Position, plies: int) -> str:
    """Return how a game ends, so many plies on."""
    if last.payoffs is None:
        if any(last.state == before.state for before in session.positions[session.why : -1]):
            return _("the same positions come back, and nobody can force more")
        return ngettext("best play is found {n} ply far", "best play is found {n} plies far", plies)
    if not any(last.payoffs):
        return ngettext("a draw in {n} ply", "a draw in {n} plies", plies)
    most = max(last.payoffs)
    player = player_in_words(session.game, last.payoffs.index(most))
    if most == 1:
        return ngettext("{player} wins in {n} ply", "{player} wins in {n} plies", plies, player=player)
    return ngettext(
        "{player} wins by {margin} in {n} ply",
        "{player} wins by {margin} in {n} plies",
        plies,
        player=player,
        margin=grouped(most),
    )
