"""OpenSpiel [OpenSpiel19], both ways: games of damier as Python games of pyspiel, and those of pyspiel here
(docs/openspiel.md).

    register()                                pyspiel then knows damier_hexapawn(blocked=loss), and all others
    load("openspiel:connect_four(rows=4)")    a game of OpenSpiel, in every command

A state of OpenSpiel is an object that says what follows and prints itself. Here it is one number, a digest of
what it prints and of who is to move, so that it is the same in every process and file. Where two states print
alike and are not, which their futures show, the digest is of all moves that led there.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from random import Random
from typing import Any, NamedTuple

import numpy as np

from damier.core.errors import BadInput, LimitReached, Unsuitable
from damier.core.game import Game, Option, written
from damier.core.past import NOTHING, Before, after
from damier.core.rules import CHANCE, State
from damier.core.runtime import needing
from damier.core.words import N_, FormattedNumber, message
from damier.interop.observations import Observer
from damier.lab.games import GAMES, load
from damier.lab.options import parameters

with needing("openspiel", N_("games of OpenSpiel need one more package: {command}")):
    import pyspiel

# Games of damier as Python games of pyspiel.


LONGEST = 1_000
"""Plies after which a game is drawn in OpenSpiel, whose games have ends."""
SAMPLED = 20
"""Games that are played at random to see how much is won."""
LARGEST = 10_000.0
"""The bound of payoffs where an end may be worth more than a win."""


class DamierGame(pyspiel.Game):  # type: ignore[misc]
    """Game of damier, with the options that it is given as parameters."""

    damier_name: str
    kind: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {option: value for option, value in (params or {}).items() if value != ""}
        self.game = load(written(self.damier_name, given))
        self.observer = Observer(self.game)
        most = largest_payoff(self.game)
        super().__init__(
            self.kind,
            pyspiel.GameInfo(
                num_distinct_actions=self.game.actions,
                max_chance_outcomes=self.game.actions if self.game.stochastic else 0,
                num_players=self.game.players,
                min_utility=-most,
                max_utility=most,
                utility_sum=0.0 if self.game.zero_sum and self.game.players == 2 else None,
                max_game_length=LONGEST,
            ),
            params or {},
        )
        # OpenSpiel clones a state by copying its __dict__: what states share stands in their class
        shared = {"game": self.game, "observer": self.observer}
        self._states = type(f"State_of_{self.damier_name}", (DamierState,), shared)

    def new_initial_state(self) -> DamierState:
        return self._states(self)  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[object, ...]:
        return loaded_again, (self.damier_name, self.get_parameters())

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> PlaneObserver:
        return PlaneObserver(self.observer)


def loaded_again(name: str, params: dict[str, object]) -> DamierGame:
    """Return the game that another process has sent, which may not be registered here."""
    register([name])
    return pyspiel.load_game(PREFIX + name, params)  # type: ignore[no-any-return]


def played_again(spiel: DamierGame, history: list[int]) -> DamierState:
    """Return the state that another process has sent."""
    state = spiel.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


def largest_payoff(game: Game) -> float:
    """Return a bound of what an end is worth: 1 where ends are won, drawn or lost."""
    random = Random(1)
    for _game in range(SAMPLED):
        s, before = game.start, NOTHING
        for _ply in range(LONGEST):
            if game.over(s):
                break
            s, before = after(game, s, random.choice(game.legal(s)), before)
        if game.over(s) and any(abs(game.payoff(s, player)) > 1 for player in range(game.players)):
            return LARGEST
    return 1.0


class DamierState(pyspiel.State):  # type: ignore[misc]
    """Position of a game of damier, with those before it that may come back."""

    game: Game
    observer: Observer

    def __init__(self, spiel: DamierGame) -> None:
        super().__init__(spiel)
        self.position: State = self.game.start
        self.before: Before = ()
        self.plies = 0
        self._legal: dict[int, int] | None = None

    def is_terminal(self) -> bool:
        return self.plies >= LONGEST or bool(self.game.over(self.position))

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        mover = self.game.mover(self.position)
        return int(pyspiel.PlayerId.CHANCE if mover == CHANCE else mover)

    def _moves(self) -> dict[int, int]:
        """Return the legal moves by their actions, in order."""
        if self._legal is None:
            s, game = self.position, self.game
            by_action = self.observer.legal(s) or dict(enumerate(game.legal(s)))
            self._legal = dict(sorted(by_action.items()))
        return self._legal

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._moves())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = {action: self.game.chance(self.position, move) for action, move in self._moves().items()}
        total = sum(weights.values())
        return [(action, weight / total) for action, weight in weights.items() if weight]

    def _apply_action(self, action: int) -> None:
        self.position, self.before = after(self.game, self.position, self._moves()[action], self.before)
        self.plies += 1
        self._legal = None

    def _action_to_string(self, player: int, action: int) -> str:
        move = self._moves().get(action)
        return str(action) if move is None else self.game.name_move(self.position, move)

    def returns(self) -> list[float]:
        game, s = self.game, self.position
        if not game.over(s):
            return [0.0] * game.players
        return [float(game.payoff(s, player)) for player in range(game.players)]

    def __reduce__(self) -> tuple[object, ...]:
        return played_again, (self.get_game(), self.history())

    def __str__(self) -> str:
        """Return the board and, since that may not say all, the fields of the state."""
        return f"{self.game.show(self.position)}\n{tuple(self.position)}"

    def information_state_string(self, player: int | None = None) -> str:
        return str(tuple(self.position))

    def observation_string(self, player: int | None = None) -> str:
        return str(self)


class PlaneObserver:
    """Observer of pyspiel: the planes of a position from the side of a player."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self.tensor = np.zeros(int(np.prod(observer.shape)), np.float32)
        self.dict = {"planes": self.tensor.reshape(observer.shape)}

    def set_from(self, state: DamierState, player: int) -> None:
        self.dict["planes"][:] = self._observer.observe(state.position, player)

    def string_from(self, state: DamierState, player: int) -> str:
        return state.observation_string(player)


# ---- OpenSpiel's games here

NAME = "openspiel"
DIGEST_BITS, MOVER_BITS = 59, 3
TERMINAL, FIRST = 0, 2
"""What a state says instead of a mover: over, and player 0; chance is between them."""
MOST_LISTED = 4096
"""The most moves that a list of damier holds; no position of OpenSpiel's games has as many."""
PROBED_PLIES, PROBED_GAMES = 3_000, 100
"""How much is played at random when a game is loaded, to see whether what is printed tells states apart."""
COMPARED = 2_000
"""Pairs of states that print alike and are played on to their ends; later only one in COMPARED_RARELY."""
COMPARED_RARELY = 32
SOUGHT = 300_000
"""Positions that are looked through for one that somebody else has met: of a file, or another process."""


class SpielNode(NamedTuple):
    """A state of OpenSpiel: its digest, and who is to move."""

    digest: int
    mover: int


class PrintAlike(Unsuitable):
    """Two states print alike and are not."""


def spiel_game(text: str) -> Game:
    """Return the game that is written `openspiel:TEXT`: `connect_four(rows=4)`, or
    `game=connect_four,rows=4`; `:history=true` tells its states apart by all moves before them.

    Raises BadInput, and Unsuitable for one of imperfect information, whose players move at once, or of more
    than two.
    """
    text, history = _as_spiel_writes(text)
    try:
        with silent():
            spiel = pyspiel.load_game(text)
    except (pyspiel.SpielError, RuntimeError, ValueError) as error:
        raise BadInput(
            message("OpenSpiel does not load {game}: {error}", game=text, error=_one_line(str(error)))
        ) from None
    refuse_unsuitable(spiel, text)
    name = f"{NAME}:{str(spiel).removesuffix('()')}"
    if not history:
        states = SpielStates(spiel, name, by_history=False)
        try:
            states.probe()
        except PrintAlike:
            history = True
    states = SpielStates(spiel, name, by_history=history)
    game = states.as_game()
    if history:
        game.options = {"history": True}
    return game


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Keep what C++ writes to standard error from it: what is wrong is told in one line of ours."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    sys.stderr.flush()
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _as_spiel_writes(text: str) -> tuple[str, bool]:
    """Return a game as OpenSpiel writes it, and whether its states are told apart by their history.

    >>> _as_spiel_writes("game=hex,board_size=3"), _as_spiel_writes("go(board_size=3):history=true")
    (('hex(board_size=3)', False), ('go(board_size=3)', True))
    """
    text, _colon, options = text.partition(":")
    if options not in ("", "history=true", "history=false"):
        raise BadInput(
            message("{game}: behind the colon stands history=true, not {options}", game=text, options=options)
        )
    if named := re.fullmatch(r"game=([a-z0-9_]+)(?:,(.*))?", text):
        text = f"{named[1]}({named[2]})" if named[2] else named[1]
    if not text.strip():
        raise BadInput(
            message("openspiel:NAME needs the name of one of OpenSpiel's games, such as openspiel:hex")
        )
    return text, options == "history=true"


def _one_line(text: str) -> str:
    """Return the first sentence of an error of OpenSpiel, without the list of all its games."""
    return " ".join(text.partition("Available games")[0].partition("\n\n")[0].split())[:300]


def refuse_unsuitable(spiel: Any, text: str) -> None:
    """Raise Unsuitable for what is no game of perfect information of at most two players in turn."""
    kind = spiel.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise Unsuitable(message("{game}: its players move at once; damier's move in turn", game=text))
    if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        raise Unsuitable(message("{game} is a game of imperfect information", game=text))
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise Unsuitable(message("{game} does not say how likely its chance outcomes are", game=text))
    if spiel.num_players() > 2:
        raise Unsuitable(
            message(
                "{game} is for {n} players; games of OpenSpiel are taken for one or two",
                game=text,
                n=spiel.num_players(),
            )
        )


class SpielStates:
    """States of a game of OpenSpiel that were met, by their digests, and the rules of the game on them."""

    def __init__(self, spiel: Any, name: str, *, by_history: bool) -> None:
        self._spiel, self._name, self._by_history = spiel, name, by_history
        self.known_states: dict[SpielNode, Any] = {}
        self._texts: dict[SpielNode, str] = {}  # of a digest, to see that no other text has it
        self._children: dict[tuple[SpielNode, int], SpielNode] = {}
        self._random, self._alike = Random(1), 0
        self._sought: Iterator[SpielNode] | None = None
        self.start = self._meet(spiel.new_initial_state())

    def probe(self) -> None:
        """Play at random. Raises PrintAlike where what is printed does not tell states apart."""
        plies = 0
        for _game in range(PROBED_GAMES):
            s = self.start
            while not self.over(s) and plies < PROBED_PLIES:
                found: list[int] = []
                self.moves(s, found)
                s, plies = self.play(s, self._random.choice(found)), plies + 1

    def _meet(self, state: Any) -> SpielNode:
        """Return the number of a state; those that print alike, with the same player to move, are one."""
        mover = state.current_player()
        if mover == pyspiel.PlayerId.TERMINAL:
            who = TERMINAL
        else:
            who = TERMINAL + 1 if mover == pyspiel.PlayerId.CHANCE else FIRST + mover
        text = str(state.history()) if self._by_history else str(state)
        node = SpielNode(digest_of(text, who), who)
        known = self.known_states.get(node)
        if known is None:
            self.known_states[node], self._texts[node] = state, text
        elif self._texts[node] != text:
            raise LimitReached(message("{game}: two states have one digest", game=self._name))
        elif not self._by_history and not self._futures_agree(known, state):
            raise PrintAlike(
                message(
                    "{game}: two states print alike and are not; {game}:history=true tells them apart",
                    game=self._name,
                )
            )
        return node

    def _futures_agree(self, one: Any, other: Any) -> bool:
        """Return whether two states that print alike can do the same and are worth the same, as far as a
        game that is drawn at random from there shows.
        """
        if not agree(one, other):
            return False
        self._alike += 1
        if self._alike > COMPARED and self._alike % COMPARED_RARELY:
            return True
        one, other = one.clone(), other.clone()
        while not one.is_terminal():
            actions = one.legal_actions()
            # what ends a game is seen whatever is drawn
            if not all(agree(one.child(action), other.child(action)) for action in actions):
                return False
            action = self._random.choice(actions)
            one.apply_action(action)
            other.apply_action(action)
        return True

    def _state(self, node: SpielNode) -> Any:
        """Return the state of a number: one that was not met yet is sought from the start on."""
        found = self.known_states.get(node)
        if found is not None:
            return found
        if self._sought is None:
            self._sought = self._reachable()
        for met in self._sought:
            if met == node:
                return self.known_states[node]
            if len(self.known_states) > SOUGHT:
                break
        raise LimitReached(
            message(
                "{game}: a position that was met elsewhere is not among the first {n}",
                game=self._name,
                n=FormattedNumber(SOUGHT, ","),
            )
        )

    def _reachable(self) -> Iterator[SpielNode]:
        """Yield the positions, breadth first."""
        queue, visited = deque([self.start]), {self.start}
        while queue:
            s = queue.popleft()
            yield s
            for move in [] if self.over(s) else self._legal(s):
                if (child := self.play(s, move)) not in visited:
                    visited.add(child)
                    queue.append(child)

    def _legal(self, s: SpielNode) -> list[int]:
        found: list[int] = []
        self.moves(s, found)
        return found

    # the rules of damier; a move is the number of an action, from 1

    def moves(self, s: SpielNode, found: list[int]) -> None:
        found.extend(action + 1 for action in self._state(s).legal_actions())

    def play(self, s: SpielNode, move: int) -> SpielNode:
        child = self._children.get((s, move))
        if child is None:
            child = self._children[s, move] = self._meet(self._state(s).child(move - 1))
        return child

    def over(self, s: SpielNode) -> bool:
        return s.mover == TERMINAL

    def payoff(self, s: SpielNode, player: int) -> int:
        payoff = self._state(s).returns()[player]
        if payoff != int(payoff):
            raise Unsuitable(message("{game}: a payoff of {n} is no whole number", game=self._name, n=payoff))
        return int(payoff)

    def mover(self, s: SpielNode) -> int:
        return CHANCE if s.mover == TERMINAL + 1 else max(s.mover - FIRST, 0)

    def chance(self, s: SpielNode, move: int) -> float:
        return float(dict(self._state(s).chance_outcomes())[move - 1])

    def show(self, s: SpielNode) -> str:
        return str(self._state(s))

    def name_move(self, s: SpielNode, move: int) -> str:
        return self._names(s).get(move, str(move - 1))

    def _names(self, s: SpielNode) -> dict[int, str]:
        """Return the names of the legal moves, without spaces and commas; numbers where two are alike."""
        state, actions = self._state(s), self._legal(s)
        player = state.current_player()
        try:
            names = {move: word_of_move(state.action_to_string(player, move - 1)) for move in actions}
        except UnicodeDecodeError:  # a column beyond z
            names = {}
        if len(set(names.values())) < len(actions):
            return {move: str(move - 1) for move in actions}
        return names

    def action(self, s: SpielNode, move: int) -> int:
        return move - 1

    def as_game(self) -> Game:
        """Return the game."""
        spiel, kind = self._spiel, self._spiel.get_type()
        random = kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
        actions = max(spiel.num_distinct_actions(), spiel.max_chance_outcomes(), 2)
        return Game(
            self._name,
            self.start,
            self.moves,
            self.play,
            over=self.over,
            payoff=self.payoff,
            mover=self.mover,
            chance=self.chance if random else None,
            bits=(DIGEST_BITS, MOVER_BITS),
            most_moves=min(actions, MOST_LISTED),
            action=self.action,
            actions=actions,
            acyclic=self._by_history,
            players=spiel.num_players(),
            name_move=self.name_move,
            show=self.show,
            title=kind.long_name,
        )


def agree(one: Any, other: Any) -> bool:
    """Return whether two states print alike, allow the same actions, and are worth the same at an end."""
    if one.current_player() != other.current_player() or str(one) != str(other):
        return False
    if one.is_terminal():
        return bool(one.returns() == other.returns())
    if one.is_chance_node():
        return bool(one.chance_outcomes() == other.chance_outcomes())
    return bool(one.legal_actions() == other.legal_actions())


def digest_of(text: str, who: int) -> int:
    """Return the number of a state: the same in every process."""
    digest = blake2b(f"{who}\n{text}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") & ((1 << DIGEST_BITS) - 1)


def word_of_move(name: str) -> str:
    """Return the name of a move as one word, which may stand in a list between commas.

    >>> word_of_move("x(0,1)"), word_of_move("Place wall at a1, b2")
    ('x(0+1)', 'Place_wall_at_a1+_b2')
    """
    return re.sub(r"\s+", "_", name.strip()).replace(",", "+")


# ---- damier's games in OpenSpiel

PREFIX = "damier_"


def register(names: Iterable[str] | None = None) -> list[str]:
    """Make games of damier known to pyspiel, each as `damier_NAME` with its options as parameters: all that
    are for at most two players who see everything. Return the new names.

    Raises UnknownName where there is no such game.
    """
    known, done = set(pyspiel.registered_names()), []
    for name in GAMES if names is None else names:
        game = load(name)
        if game.players > 2 or game.imperfect_information or PREFIX + name in known:
            continue
        kind = game_type(game, name)
        named = type(f"Damier_{name}", (DamierGame,), {"damier_name": name, "kind": kind})
        pyspiel.register_game(kind, named)
        done.append(PREFIX + name)
    return done


def game_type(game: Game, name: str) -> Any:
    """Return what pyspiel is told of a game before it is made; an option that may be left out is a text."""
    kind = pyspiel.GameType
    usual: dict[str, Option] = {
        option: "" if p.default is None else p.default for option, p in parameters(GAMES[name]).items()
    }
    return kind(
        short_name=PREFIX + name,
        long_name=f"damier: {game.title or name}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if game.stochastic else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if game.zero_sum and game.players == 2 else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=usual,
    )
