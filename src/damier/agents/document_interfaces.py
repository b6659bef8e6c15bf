"""Agents of one's own whose methods are those of a document: its states, its numbers of actions, its
rewards, its board.

    s0   update(state, reward, possible_actions) -> action, learn(state, reward), initialize()
         [S0], rows A-4 to A-11: states as each player sees them, actions from 0, rewards 10, 100, -100
    s1   coup(matches) -> matches taken, explore_renf(matches, moves, begins), the list `actions` [S1]
    s3   choose_action(board, get_freeCellIndex, get_state) -> cell, update_estimations(reward) [S3]
    s4   play(board, player) -> cell, end(board, winner), or as functions that begin with the agent, which
         stand alone or are given to the agent that createAiAgent() makes [S4]

Each is put behind the methods of `damier.agents.own`, so that nothing else knows of it. Where such an
agent only plays what it knows, its `epsilon` is 0 (s0, s3), or its `training` false (s4).

What `learn` and `end` are given of the last board: who has not made the last move is not told which it was,
so that it is one that can have ended the game so.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from numbers import Integral
from random import Random
from types import FunctionType, ModuleType
from typing import ClassVar

from damier.agents.languages import attributes_of
from damier.agents.own import required_names, shortened
from damier.core.errors import AgentFault, Unsuitable
from damier.core.game import Game, Position
from damier.core.json_types import JsonValue
from damier.core.words import message


class DocumentAgent:
    """An agent of a document, as damier asks it.

    Attributes:
        written: the object that the file has made
        learning: whether it learns; if not, it plays what it knows
    """

    document: ClassVar[str]
    played: ClassVar[str] = "tictactoe"
    """The game of the document."""
    chooser: ClassVar[str]
    """The name of its method that chooses a move."""
    shape: ClassVar[Mapping[str, int]]
    """Methods by which a class of the document is known, and how many parameters each must be given."""
    given: ClassVar[tuple[object, ...]] = ()
    """What its constructor is given, in this order."""

    def __init__(self, written: object, game: Game, rng: Random) -> None:
        """`rng` is the game's own. Raises Unsuitable for a game that is not the document's."""
        self.written, self.game, self.rng = written, game, rng
        self.require_game()
        self._learns, self._epsilon, self._begins = True, 0.0, False
        self._last: tuple[Position, str] | None = None

    def require_game(self) -> None:
        """Raises Unsuitable for a game whose board is not cells that are marked by X and O."""
        start = self.game.position()
        if not (self.game.grid and all(name.isdecimal() for name in start.moves)):
            raise self.unsuitable()

    def unsuitable(self) -> Unsuitable:
        return Unsuitable(
            message(
                "the agent's methods are those of document {document}, which do not fit {game}",
                document=self.document,
                game=self.game.text,
            )
        )

    @property
    def chooses(self) -> Callable[..., object]:
        """The method of the file that chooses a move."""
        return self.method(self.chooser)

    def method(self, *names: str) -> Callable[..., object]:
        """The first of these methods that the agent has. Raises AgentFault where it has none."""
        found = self.optional_method(*names)
        if found is None:
            raise AgentFault(message("the agent has no {method}", method=names[0]))
        return found

    def optional_method(self, *names: str) -> Callable[..., object] | None:
        """The first of these methods that the agent has; None where it has none."""
        return method_of(self.written, *names)

    @property
    def learning(self) -> bool:
        return self._learns

    @learning.setter
    def learning(self, learns: bool) -> None:
        if learns == self._learns:
            return
        if not learns:
            self._epsilon = self.epsilon
        self._learns = learns
        set_number(self.written, "epsilon", self._epsilon if learns else 0.0)

    @property
    def epsilon(self) -> float:
        """The rate of exploration while it learns; 0 where it has none."""
        return number_of(self.written, "epsilon") if self._learns else self._epsilon

    @epsilon.setter
    def epsilon(self, epsilon: float) -> None:
        if self._learns:
            set_number(self.written, "epsilon", epsilon)
        else:
            self._epsilon = epsilon

    def begin(self) -> None:
        self._last = None
        self._begins = True

    def _seed_python(self) -> None:
        """Has Python's own random numbers, which the documents' agents draw, follow from the game's, so that
        the same seed gives the same games.
        """
        if self._begins:
            self._begins = False
            random.seed(self.rng.getrandbits(64))

    def save(self) -> JsonValue:
        """Return what its attributes hold, as far as that is data."""
        kept = {name: value for name, value in attributes_of(self.written).items() if is_data(value)}
        if "epsilon" in kept:
            kept["epsilon"] = self.epsilon
        return to_data(kept)

    def load(self, data: JsonValue) -> None:
        found = from_data(data)
        if not isinstance(found, dict):
            raise AgentFault(message("what was saved is not that of an agent of a document"))
        for name, value in found.items():
            known = getattr(type(self.written), str(name), None)
            if isinstance(name, str) and not name.startswith("__") and not callable(known):
                setattr(self.written, name, value)
        self._epsilon = number_of(self.written, "epsilon")
        if not self._learns:
            set_number(self.written, "epsilon", 0.0)

    def _takes_note(self, position: Position, answer: object) -> bool:
        """Keeps a decision, the number of a cell; whether it is one."""
        if not isinstance(answer, (Integral, str)) or str(answer) not in position.moves:
            return False
        self._last = position, str(answer)
        return True

    def last_position(self, payoff: int) -> Position | None:
        """The end of a game that was worth `payoff`; None for one in which it had no turn."""
        if self._last is None:
            return None
        before, move = self._last
        after = before.play(move)
        if after.over:
            return after
        ends = (end for reply in after.moves if (end := after.play(reply)).over)
        seat = before.mover
        return next((end for end in ends if self.game.payoff(end.state, seat) == payoff), after)


class AgentOfS0(DocumentAgent):
    """The class `Agent` of the Hexapawn lab, a `Player`. What its turn is told of rewards is what was taken
    and lost since its last one.
    """

    document, chooser, shape = "S0", "update", {"update": 3, "learn": 2}
    played = "hexapawn"
    given = ("AgentA", 1, None)
    """Its name, its number and the main program."""

    def require_game(self) -> None:
        views = self.game.id(self.game.start) if self.game.id else None
        if not isinstance(views, list) or not self.game.moves_are_bits or "pawns" not in self.game.features:
            raise self.unsuitable()

    def __init__(self, written: object, game: Game, rng: Random) -> None:
        super().__init__(written, game, rng)
        self._pawns = self._pawns_ahead(game.start)
        if all(isinstance(getattr(written, name, None), list) for name in ("states", "actions", "Qtable")):
            self.values = self.row  # only a table can be shown

    def begin(self) -> None:
        super().begin()
        self._pawns = self._pawns_ahead(self.game.start)
        if initialize := method_of(self.written, "initialize"):
            initialize()

    def play(self, position: Position) -> str:
        return self.replay(position, None)

    def replay(self, position: Position, dictated: str | None) -> str:
        """Its move, or takes note of one that was dictated to it."""
        self._seed_python()
        set_number(self.written, "id", position.mover + 1)
        actions = {action_of(position, name): name for name in position.moves}
        ahead = self._pawns_ahead(position.state)
        reward = 10 * (ahead - self._pawns) * (1 - 2 * position.mover)
        self._pawns = ahead
        numbers = sorted(actions)
        answer = self.chooses(self._number(position), reward, list(numbers))
        if not isinstance(answer, Integral) or int(answer) not in actions:
            raise AgentFault(
                message(
                    "update returned {answer}; possible_actions are {actions}",
                    answer=shortened(answer),
                    actions=" ".join(map(str, numbers)),
                )
            )
        name = actions[int(answer)]
        if dictated is not None and dictated != name:
            name = dictated
            self._correct(numbers.index(action_of(position, dictated)))
        self._last = position, name
        return name

    def _correct(self, index: int) -> None:
        """Writes another index of an action where the document's lists hold the chosen one."""
        sequence = getattr(self.written, "actionSequence", None)
        if not isinstance(sequence, list) or not sequence:
            raise AgentFault(message("the agent has no list {name}", name="actionSequence"))
        sequence[-1] = index
        self.written.actionSequence = sequence  # type: ignore[attr-defined]  # one elsewhere was copied
        set_number(self.written, "actionIndex", index)

    def learn(self, payoff: int) -> None:
        if self._last is None:
            return
        end = self.last_position(payoff)
        assert end is not None
        reward = 100 * payoff if payoff else 10
        self.method("learn")(self._number(end, self._last[0].mover), reward)

    def move_score(self, position: Position, move: str) -> float:
        """Its Q-value of a move, from the document's lists `states`, `actions` and `Qtable`; 0 in a state
        that it has not met.
        """
        return self.row(position).get(move, 0.0)

    def row(self, position: Position) -> dict[str, float]:
        """The line of the document's table for a position, by move; empty for one that it has not met."""
        states, actions, table = (
            getattr(self.written, name, None) for name in ("states", "actions", "Qtable")
        )
        if not (isinstance(states, list) and isinstance(actions, list) and isinstance(table, list)):
            raise AgentFault(message("the agent has no list {name}", name="Qtable"))
        number = self._number(position)
        if number not in states:
            return {}
        names = {action_of(position, name): name for name in position.moves}
        index = states.index(number)
        return {
            names[action]: float(value)
            for action, value in zip(actions[index], table[index], strict=False)
            if action in names
        }

    def _number(self, position: Position, player: int | None = None) -> int:
        """The number of the board as a player sees it; as its mover, where none is named."""
        assert self.game.id is not None
        views = self.game.id(position.state)
        assert isinstance(views, list)
        return views[position.mover if player is None else player]

    def _pawns_ahead(self, s: object) -> int:
        """White pawns less black ones: what has changed of it since the last turn is the reward."""
        return int(self.game.features["pawns"](s))


class AgentOfS1(DocumentAgent):
    """The list of actions of the report on Nim: what `coup` chooses is drawn from it, and `explore_renf` has
    the function of the report play a game again, in which these moves are made, and reinforce what it does.
    """

    document, chooser, shape = "S1", "coup", {"coup": 1, "explore_renf": 3}
    played = "nim"

    def __init__(self, written: object, game: Game, rng: Random) -> None:
        super().__init__(written, game, rng)
        self._moves: list[int] = []
        self._matches = matches_of(game.position())

    def require_game(self) -> None:
        if set(self.game.position().board) != {MATCH}:
            raise self.unsuitable()

    def begin(self) -> None:
        super().begin()
        self._moves = []

    def play(self, position: Position) -> object:
        self._seed_python()
        answer = self.chooses(matches_of(position))
        if isinstance(answer, Integral) and str(answer) in position.moves:
            self.replay(position, str(answer))
        return answer

    def replay(self, position: Position, move: str) -> None:
        """Takes note of a decision, and of what the other has taken before."""
        others = self._matches - sum(self._moves) - matches_of(position)
        self._moves += [others] * (others > 0) + [int(move)]
        self._takes_note(position, int(move))

    def learn(self, payoff: int) -> None:
        if self._last is None:
            return
        left = self._matches - sum(self._moves)
        moves = [*self._moves, left] if left else self._moves
        self.method("explore_renf")(self._matches, moves, self._last[0].mover == 0)

    def move_score(self, position: Position, move: str) -> float:
        """Return how often a move stands in its list."""
        return self.values(position).get(move, 0.0)

    def values(self, position: Position) -> dict[str, float]:
        """Return how often each move stands in the list of a number of matches."""
        lists = getattr(self.written, "actions", None)
        if not isinstance(lists, list):
            raise AgentFault(message("the agent has no list {name}", name="actions"))
        left = matches_of(position)
        line: list[object] = next((found[1:] for found in lists if found and found[0] == left), [])
        return {move: float(line.count(int(move))) for move in position.moves if int(move) in line}


class AgentOfS3(DocumentAgent):
    """The class `Agent` of the page on the V-function, with what its `Env` does for it: the history of its
    states, the rewards, and ε after every hundredth game, as in the document's 10,000.
    """

    document, chooser, shape = "S3", "choose_action", {"choose_action": 3}
    given = (1, 1.0, 0.1, True, 3**9)
    """Its symbol, ε, α, whether it is trained, and how many states there are."""

    _games = 0

    def play(self, position: Position) -> object:
        self._seed_python()
        symbol = 1 - 2 * position.mover
        set_number(self.written, "symbol", symbol)
        if hasattr(self.written, "is_train"):
            self.written.is_train = self._learns
        board = marks_of(position)

        def free_cells() -> list[int]:
            return [cell for cell, mark in enumerate(board) if mark == 0]

        answer = self.chooses(board, free_cells, state_of_board)
        self.replay(position, answer)
        return answer

    def replay(self, position: Position, answer: object) -> None:
        """Takes note of a decision, whoever made it."""
        if self._takes_note(position, answer):
            board = marks_of(position.play(str(answer)))
            if isinstance(history := getattr(self.written, "history", None), list):
                history.append(state_of_board(board))

    def learn(self, payoff: int) -> None:
        if self._last is None:
            return
        seat = self._last[0].mover
        self._update(payoff if payoff else (0.1, 0.5)[seat])
        if self._games % 100 == 0:
            self.epsilon = max(self.epsilon * 0.996, 0.1)
        self._games += 1

    def end(self, payoff: int) -> None:
        if not self._learns:
            self._update(payoff)

    def _update(self, reward: float) -> None:
        """Tells it the end of a game: where it does not learn, it only forgets its history."""
        update = self.method("update_estimations")
        update(*(reward, None)[: parameters_of(update)])

    def move_score(self, position: Position, move: str) -> float:
        """Its estimate of the state after a move."""
        estimates = getattr(self.written, "estimations", None)
        if not isinstance(estimates, list):
            raise AgentFault(message("the agent has no list {name}", name="estimations"))
        return float(estimates[state_of_board(marks_of(position.play(move)))])


class AgentOfS4(DocumentAgent):
    """An agent of the project in C, `play` and `end`; `player` is "X" or "O", `winner` "E" in a draw."""

    document, chooser, shape = "S4", "play", {"play": 2}

    def optional_method(self, *names: str) -> Callable[..., object] | None:
        """One of a created agent is a function that is given the agent first: of its own, as `play` is, or
        of the file in which that stands.
        """
        plays = vars(self.written).get(self.chooser) if hasattr(self.written, "__dict__") else None
        if not isinstance(plays, FunctionType):
            return super().optional_method(*names)
        found = method_of(self.written, *names) or next(
            (call for name in names if callable(call := plays.__globals__.get(name))), None
        )
        return partial(found, self.written) if found else None

    @property
    def learning(self) -> bool:
        return self._learns

    @learning.setter
    def learning(self, learns: bool) -> None:
        self._learns = learns
        if mode := self.optional_method("set_training_mode", "setTrainingMode", "setTrainingModeRlAgent"):
            mode(learns)
        else:
            setattr(self.written, "training", learns)  # noqa: B010  any object, not one that declares it

    @property
    def epsilon(self) -> float:
        return number_of(self.written, "epsilon")

    @epsilon.setter
    def epsilon(self, epsilon: float) -> None:
        set_number(self.written, "epsilon", epsilon)

    def play(self, position: Position) -> object:
        self._seed_python()
        player = "XO"[position.mover]
        if isinstance(getattr(self.written, "player", None), str):
            self.written.player = player  # type: ignore[attr-defined]  # as agentSetPlayer does
        answer = self.chooses(position.board, player)
        self._takes_note(position, answer)
        return answer

    def end(self, payoff: int) -> None:
        if self._last is None or (ended := self.optional_method("end")) is None:
            return
        position = self.last_position(payoff)
        assert position is not None
        seat = self._last[0].mover
        ended(position.board, "E" if not payoff else "XO"[seat if payoff > 0 else 1 - seat])

    def move_score(self, position: Position, move: str) -> object:
        """Return what it says of a move itself."""
        score = self.method("get_move_score", "getMoveScore", "getMoveScoreRlAgent")
        return score(position.board, int(move))


CREATOR, HUMAN = re.compile(r"create\w*Agent"), "createHumanAgent"


class FunctionsOfS4:
    """The agent of a file of functions: each is given it first, as in C.

    Attributes:
        data: what the functions keep
        player: the one that it is in this game: X or O
    """

    NAMES = ("play", "end", "setTrainingModeRlAgent", "getMoveScoreRlAgent")

    def __init__(self, functions: Mapping[str, Callable[..., object]]) -> None:
        self.name, self.data, self.training, self.player = "agent", None, False, "X"
        self._functions = dict(functions)

    def __getattr__(self, name: str) -> object:
        functions = vars(self).get("_functions", {})
        if name not in functions:
            raise AttributeError(name)
        return partial(functions[name], self)


INTERFACES: dict[str, type[DocumentAgent]] = {
    "s0": AgentOfS0,
    "s1": AgentOfS1,
    "s3": AgentOfS3,
    "s4": AgentOfS4,
}


def interface_of(found: type) -> type[DocumentAgent] | None:
    """Return what asks the agents of a class of the shape of a document's; None for damier's own methods."""

    def takes(name: str) -> int:
        return parameters_of(getattr(found, name, None), bound=False)

    if any(takes(name) == 1 for name in ("play", "choose", "policy")):
        return None
    shaped = (kind for kind in INTERFACES.values() if all(takes(name) == n for name, n in kind.shape.items()))
    return next(shaped, None)


def creators_of_s4(
    module: ModuleType, own: Callable[[ModuleType, str], object]
) -> dict[str, Callable[[], object]]:
    """The functions of a file that make an agent of S4, such as createAiAgent(), but for the document's
    own human; `own` finds functions that it defines.
    """
    names = (name for name in vars(module) if CREATOR.fullmatch(name) and name != HUMAN)
    found = {name: own(module, name) for name in names}
    return {name: call for name, call in found.items() if callable(call) and parameters_of(call) == 0}


def functions_of_s4(
    module: ModuleType, own: Callable[[ModuleType, str], object]
) -> Callable[[], FunctionsOfS4] | None:
    """Return what makes an agent of a file whose function `play` is that of S4; `own` finds functions that it
    defines.
    """
    functions = {name: found for name in FunctionsOfS4.NAMES if callable(found := own(module, name))}
    return (lambda: FunctionsOfS4(functions)) if parameters_of(functions.get("play")) == 3 else None


def parameters_of(call: object, *, bound: bool = True) -> int:
    """Return how many parameters a function must be given; of a method of a class (not `bound`), without
    itself. -1 for what is no function.
    """
    if not callable(call):
        return -1
    try:
        return len(required_names(call)) - (not bound)
    except (TypeError, ValueError):
        return -1


def method_of(written: object, *names: str) -> Callable[..., object] | None:
    """The first of these methods that an object has."""
    return next((found for name in names if callable(found := getattr(written, name, None))), None)


def number_of(written: object, name: str) -> float:
    """A number that an object has as an attribute; 0 where it has none."""
    found = getattr(written, name, 0.0)
    return float(found) if isinstance(found, (int, float)) and not isinstance(found, bool) else 0.0


def set_number(written: object, name: str, number: float) -> None:
    """Gives a number to an object that has one of this name."""
    found = getattr(written, name, None)
    if isinstance(found, (int, float)) and not isinstance(found, bool) and found != number:
        setattr(written, name, number)


def action_of(position: Position, name: str) -> int:
    """The number of a move, as its mover counts."""
    return position.named_moves[name].bit_length() - 1


MATCH = "|"


def matches_of(position: Position) -> int:
    """Return how many matches are left."""
    return position.board.count(MATCH)


def marks_of(position: Position) -> list[int]:
    """The cells of a board: 1 for the first player's mark, -1 for the second's, 0 for a free one [S3]."""
    return [{"X": 1, "O": -1}.get(cell, 0) for cell in position.board]


def state_of_board(board: Iterable[int]) -> int:
    """The number of a board [S3]: base 3, the first cell most significant, the second player's marks 2."""
    state = 0
    for mark in board:
        state = 3 * state + (2 if mark == -1 else mark)
    return state


# What the attributes of an object hold, as data of JSON: a dictionary as the list of its pairs, since its
# keys may be boards or numbers.


def is_data(value: object) -> bool:
    """Return whether something can be kept."""
    if isinstance(value, dict):
        return all(is_data(key) and is_data(each) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(is_data, value))
    return value is None or isinstance(value, (bool, int, float, str))


def to_data(value: object) -> JsonValue:
    if isinstance(value, dict):
        return {"pairs": [[to_data(key), to_data(each)] for key, each in value.items()]}
    if isinstance(value, tuple):
        return {"tuple": [to_data(each) for each in value]}
    if isinstance(value, list):
        return [to_data(each) for each in value]
    assert value is None or isinstance(value, (bool, int, float, str))
    return value


def from_data(data: JsonValue) -> object:
    """The reverse of `to_data`. Raises AgentFault."""
    if isinstance(data, list):
        return [from_data(each) for each in data]
    if not isinstance(data, dict):
        return data
    match data:
        case {"pairs": list(pairs), **rest} if not rest and all(
            isinstance(pair, list) and len(pair) == 2 for pair in pairs
        ):
            return {from_data(key): from_data(value) for key, value in pairs}
        case {"tuple": list(items), **rest} if not rest:
            return tuple(map(from_data, items))
    raise AgentFault(message("what was saved is not that of an agent of a document"))
