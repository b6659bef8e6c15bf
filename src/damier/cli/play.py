"""`damier play`: one game of any number of players, its boards shown; a person types moves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.agents.own import OwnPlayer
from damier.agents.process import ProcessPlayer
from damier.arena.match import record
from damier.arena.records import GameRecord
from damier.cli.command import (
    AgentName,
    AnySeed,
    Begin,
    GameName,
    Isolated,
    Json,
    MaxPlies,
    Moves,
    Report,
    Work,
    checked_seed,
    clear_bar,
    report,
    result,
    say,
    split_moves,
)
from damier.core.bits import Rng
from damier.core.errors import BadFile, BadInput, IllegalMove, at_most_one
from damier.core.files import reason
from damier.core.game import Game, Position, line, written_position
from damier.core.loop import MatchSetup
from damier.core.player import AnyKernel, FollowsLine, Player
from damier.core.rules import AnyPast, State
from damier.core.solution import AnySolution, as_data
from damier.core.words import _, message, ngettext
from damier.draw import board_text, move_marks
from damier.lab.agents import agent
from damier.lab.games import Lab, load

Tell = Callable[[str], None]


def play(
    game: GameName,
    /,
    *agents: AgentName,
    hints: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("show what every move is worth"))
    ] = False,
    max_plies: MaxPlies = 10_000,
    isolated: Isolated = False,
    seed: AnySeed = None,
    work: Work | None = None,
    json: Json = False,
) -> None:
    job, notes = (work or Work()).job()
    tell: Tell = to_stderr if json else say
    chosen = checked_seed(seed)
    lab = Lab(load(game), job, lambda prompt: ask(prompt, tell), tell, chosen, isolated)
    players = [agent(lab, text) for text in checked_agents(lab.game, agents)]
    played = play_step_by_step(lab, players, chosen, max_plies, hints, tell)
    report(played.as_json(), json, lambda: None, notes=notes)


def checked_agents(game: Game, agents: Sequence[str]) -> Sequence[str]:
    """The agents, if they can sit down: one a player or, from three players on, fewer.

    Raises BadInput.
    """
    if not min(2, game.players) <= len(agents) <= game.players:
        players = ngettext("{n} player", "{n} players", game.players)
        several = (
            _("; the last agent named also plays all the seats that are left") if game.players > 2 else ""
        )
        raise BadInput(
            _("{game} has {players}: name an agent for each", game=game.text, players=players) + several
        )
    return agents


def play_step_by_step(
    lab: Lab,
    agents: Sequence[Player],
    seed: int,
    max_plies: int,
    hints: bool,
    tell: Tell,
    names: Sequence[str] = (),
) -> GameRecord:
    """Plays game 0 of a seed, every board shown before its move and at the end.

    The last agent plays all the seats that are left. They are called by `names`, else by their texts.
    """
    solution = lab.solution(_("--hints needs the game solved")) if hints else None
    seats = tuple(agents) + (agents[-1],) * (lab.game.players - len(agents))
    apart = [player for player in agents if isinstance(player, OwnPlayer)] if len(seats) != 2 else []
    for own in apart:
        own.begin_game()
    everybody = Shown(seats, tell, solution, 0, names), Shown(seats, tell, solution, 1, names)
    table = MatchSetup(lab.game, everybody, seed, limit=max_plies, record=True)
    played = replace(
        record(table, 0, table.play(0, 1, jit=False).lines[0]), players=tuple(player.text for player in seats)
    )
    for player, payoff in zip(agents, played.payoffs, strict=False):
        if isinstance(player, ProcessPlayer) or player in apart:
            player.over(payoff)
    tell(
        str(line(lab.game, played.moves)[-1])
        + "\n\n"
        + result_in_words(replace(played, players=tuple(names)) if names else played)
        + " "
        + _("Seed {seed}.", seed=seed)
    )
    return played


class Shown:
    """Players, one a seat, whose boards and moves are told. Of two, it is that of seat `at` that hears how
    the game goes on beside its turns.
    """

    def __init__(
        self,
        seats: Sequence[Player],
        tell: Tell,
        solution: AnySolution | None,
        at: int = 0,
        names: Sequence[str] = (),
    ) -> None:
        self.seats, self.tell, self.solution, self.at = seats, tell, solution, at
        self.names = names or [player.text for player in seats]

    compiles, learns = False, False

    @property
    def text(self) -> str:
        return " ".join(dict.fromkeys(player.text for player in self.seats))

    def follow(self, past: AnyPast | None) -> None:
        """Tells the players, too."""
        for player in self.seats:
            if isinstance(player, FollowsLine):
                player.follow(past)

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        clear_bar()
        position = Position(game, s)
        player = self.seats[position.mover]
        # where something is hidden, a person does not look at what another player sees
        hidden = game.imperfect_information and player.text != "human"
        if not hidden or all(other.text != "human" for other in self.seats):
            self.tell(board(position, self.solution) + "\n")
        move = player.choose(game, s, rng)
        self.tell(
            _(
                "Player {n} ({agent}) plays {move}",
                n=position.mover + 1,
                agent=self.names[position.mover],
                move=game.name_move(s, move),
            )
            + "\n"
        )
        return move

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        """Return what one's own agent, or a program, hears of the loop beside its turns: that a game begins,
        what moves gain, how the game ends. Where not just two play, `play_step_by_step` says the first and
        the last.
        """
        player = self.seats[self.at] if len(self.seats) == 2 else None
        if jit or not isinstance(player, (OwnPlayer, ProcessPlayer)):
            return None
        heard, game = player.kernel(jit=False), player.game
        assert heard is not None
        return heard._replace(choose=lambda s, arrays, rng: self.choose(game, s, rng))


def shown(player: Player, tell: Tell) -> Player:
    """A person among many games sees the boards; others play unseen."""
    return Shown((player, player), tell, None) if player.text == "human" else player


def board(position: Position, solution: AnySolution | None) -> str:
    """The board as text, with the exact value of each move where there is a solution."""
    return board_text(
        position,
        move_marks(position.game, position.state, solution.explain(position.state)) if solution else None,
    )


def result_in_words(played: GameRecord) -> str:
    """Return how a game ended, in words."""
    if not played.finished:
        return ngettext(
            "Stopped after {n} ply: it counts as a draw.",
            "Stopped after {n} plies: it counts as a draw.",
            len(played.moves),
        )
    if len(played.payoffs) != 2 or not set(played.payoffs) <= {-1, 0, 1}:
        return _(
            "The end. Payoffs: {payoffs}.", payoffs=" ".join(f"{payoff:+d}" for payoff in played.payoffs)
        )
    winners = [player for player, payoff in enumerate(played.payoffs) if payoff == max(played.payoffs)]
    if played.outcome == "draw":
        return _("A draw.")
    return _("Player {n} ({agent}) wins.", n=winners[0] + 1, agent=played.players[winners[0]])


def ask(prompt: str, tell: Tell) -> str:
    """A line from the keyboard. Raises EOFError at the end of the input."""
    if sys.stdin.isatty() and tell is say:
        return input(prompt)
    tell(prompt)
    answer = sys.stdin.readline()
    if not answer:
        raise EOFError
    return answer


def to_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


# `damier replay`: every state of a game that is given by its moves; with `--batch`, of many games.

LONGEST = 1 << 26
"""Characters of a line: a game of millions of plies."""


def replay(
    game: GameName,
    /,
    *,
    moves: Moves = "",
    begin: Begin = None,
    hints: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("show what every move is worth"))
    ] = False,
    batch: Annotated[
        Path | None, Parameter(help=_("a file with one game a line; one JSON object a line comes back"))
    ] = None,
    json: Json = False,
) -> None:
    loaded = load(game)
    if batch is None:
        positions = line(loaded, split_moves(moves), begin)
        solution = Lab(loaded).solution(_("--hints needs the game solved")) if hints else None
        report(replay_facts(loaded, positions, solution), json, lambda: show(positions, solution))
        return
    at_most_one(moves=moves or None, batch=batch)
    at_most_one(hints=hints, batch=batch)
    try:
        with open(batch, encoding="utf-8-sig") as stream:
            for number, moves_of_line in enumerate(iter(lambda: stream.readline(LONGEST + 1), ""), 1):
                if len(moves_of_line) > LONGEST:
                    raise BadFile(
                        message("{where}: the line is longer than any game", where=f"{batch}:{number}")
                    )
                try:
                    result(replay_facts(loaded, line(loaded, split_moves(moves_of_line)), None))
                except IllegalMove as error:
                    raise IllegalMove(
                        message("{path}:{number}: {error}", path=batch, number=number, error=error)
                    ) from None
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        why = reason(error) if isinstance(error, OSError) else _("it is not text")
        raise BadFile(message("{path} cannot be read: {error}", path=batch, error=why)) from error


def replay_facts(game: Game, positions: list[Position], solution: AnySolution | None) -> Report:
    """Return what is reported of a game; with a solution also what every move is worth to who moves."""
    return {"game": game.text, "states": [state_facts(position, solution) for position in positions]}


def state_facts(position: Position, solution: AnySolution | None) -> Report:
    """Report a state; `moves` is what each is worth, by name: value and plies to the end."""
    found: dict[str, object] = {
        "mover": position.mover,
        "legal": list(position.moves),
        "terminal": position.over,
        "payoffs": list(position.payoffs) if position.payoffs is not None else None,
        "position": written_position(position),
        "board": position.game.show(position.state),
        "id": position.id,
    }
    if solution is not None:
        explained = {} if position.over else solution.explain(position.state)
        found["moves"] = {
            position.game.name_move(position.state, move): {"value": as_data(value), "distance": distance}
            for move, (value, distance) in explained.items()
        }
    return found


def show(positions: list[Position], solution: AnySolution | None) -> None:
    """The boards, one after the other."""
    for ply, position in enumerate(positions):
        if position.payoffs is not None:
            what = _(
                "the end, payoffs {payoffs}", payoffs=" ".join(f"{payoff:+d}" for payoff in position.payoffs)
            )
        else:
            what = _("player {n} to move: {moves}", n=position.mover + 1, moves=" ".join(position.moves))
        say(_("ply {ply}: {what}", ply=ply, what=what))
        say((str(position) if solution is None or position.over else board(position, solution)) + "\n")
