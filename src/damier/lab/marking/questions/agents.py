"""What an agent of a student's file is asked, and told."""

from __future__ import annotations

import json

from damier.agents.methods import chooser
from damier.agents.own import OwnPlayer
from damier.core.bits import position_of, reseed
from damier.core.errors import AgentFault
from damier.core.json_types import JsonValue
from damier.core.loop import MatchSetup
from damier.core.moves import each
from damier.core.player import RandomPlayer
from damier.core.position import Position
from damier.core.words import message
from damier.lab.agent_file import agents_in, data_of, load_into
from damier.lab.marking.student_file import ONE_CALL, Question, StudentFile, number


def names(file: StudentFile, asked: Question) -> list[str]:
    """The names of the agents of the file."""
    return list(agents_in(file.module))


def agent(file: StudentFile, asked: Question) -> int:
    """Makes an agent of a class or factory of the file; the number by which it is asked."""
    return file.kept(file.made(asked.name, asked.seed))


def moves(file: StudentFile, asked: Question) -> list[int]:
    """What an agent plays in some positions, each as in a game that begins there: the number of the
    move's bit.
    """
    player = file.player(asked)
    begin = player.kernel(jit=False)
    assert begin is not None
    found = []
    for index, state in enumerate(asked.states):
        rng = [0]
        reseed(rng, asked.seed, index)
        begin.begin((), 0)
        found.append(position_of(player.choose(file.game, file.state(state), rng)))
    return found


def train(file: StudentFile, asked: Question) -> list[list[int]]:
    """Lets an agent play games number `first` to `stop` against random moves, at seat 1 or 2, or in
    turn at both (seat 0); the numbers of the bits that were played in each.
    """
    swap = {0: 1, 1: 0, 2: 2}[asked.seat]
    table = MatchSetup(file.game, (file.player(asked), RandomPlayer()), asked.seed, swap=swap, record=True)
    lines = table.play(asked.first, asked.stop, jit=False).lines
    return [[position_of(move) for move in line] for line in lines]


class DictatedAgent:
    """An agent that is asked for every move, so that it can take note, and plays another: `dictated`."""

    def __init__(self, agent: object) -> None:
        self._agent = agent
        self._chooses = chooser(agent)
        self.dictated = ""

    def __getattr__(self, name: str) -> object:
        """All its other methods."""
        return getattr(self._agent, name)

    @property
    def learning(self) -> bool:
        return bool(getattr(self._agent, "learning", False))

    @learning.setter
    def learning(self, learns: bool) -> None:
        setattr(self._agent, "learning", learns)  # noqa: B010  any object, not one that declares it

    def play(self, position: Position) -> str:
        if self._chooses is not None:
            self._chooses(position)
        return self.dictated


def replay(file: StudentFile, asked: Question) -> int:
    """Tells an agent of games that are given, as if it had played them at this seat; how many."""
    player, game, seat = file.player(asked), file.game, asked.seat - 1
    dictated = DictatedAgent(player.agent)
    told = OwnPlayer(game, dictated, player.rng, player.text, file.path, ONE_CALL)
    told.learns = True
    kernel = told.kernel(jit=False)
    assert kernel is not None
    for number_, line in enumerate(asked.lines):
        rng = [0]
        reseed(rng, asked.seed, number_)
        kernel.begin((), len(line))
        s = game.start
        for cell in line:
            move, mover = 1 << cell, game.mover(s)
            if mover == seat:
                dictated.dictated = game.name_move(s, move)
                kernel.choose(s, (), rng)
            gained = game.reward(s, move)
            if gained:
                kernel.observe_reward(gained if mover == seat else -gained, mover, ())
            s = game.play(s, move)
        kernel.learn(game.payoff(s, seat), seat, ())
    return len(asked.lines)


def scores(file: StudentFile, asked: Question) -> list[JsonValue]:
    """What `move_score(position, move)` of an agent says of every legal move of some positions, one
    position after the other.
    """
    player = file.player(asked)
    score = file.method(player, "move_score", "position", "move")
    found: list[JsonValue] = []
    for state in asked.states:
        position = file.position(state)
        for move in each(file.game.moves(position.state)):
            name = file.game.name_move(position.state, move)
            found.append(number(player.call(score, position, name)))
    return found


def policies(file: StudentFile, asked: Question) -> list[JsonValue] | None:
    """How likely an agent's `policy` makes every legal move of some positions; None where it has none."""
    player = file.player(asked)
    if not callable(getattr(player.agent, "policy", None)):
        return None
    found: list[JsonValue] = []
    for state in asked.states:
        position = file.position(state)
        weights = player.weights(position)
        found += [weights.get(move, 0.0) for move in each(file.game.moves(position.state))]
    return found


def epsilon(file: StudentFile, asked: Question) -> JsonValue:
    """The attribute `epsilon` of an agent."""
    player = file.player(asked)
    if not hasattr(player.agent, "epsilon"):
        raise AgentFault(message("{file}: the agent has no {method}", file=file.path.name, method="epsilon"))
    return number(player.agent.epsilon)


def saved(file: StudentFile, asked: Question) -> int:
    """A new agent of the class, with what another has saved, through JSON as in a file."""
    player = file.player(asked)
    what = data_of(player)
    try:
        written = json.dumps(what)
    except (TypeError, ValueError) as error:
        raise AgentFault(
            message("{file}: save() must return data of JSON: {error}", file=file.path.name, error=error)
        ) from None
    other = file.made(player.text, asked.seed)
    load_into(other, json.loads(written))
    return file.kept(other)
