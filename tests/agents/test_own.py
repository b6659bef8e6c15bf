"""An agent in a file: how it is found, what its methods are given, what is wrong in it."""

from __future__ import annotations

import random
import re
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import Captured, beginning, ctrl_c
from lasting import long
from own_agents import LEARNER, centre, own, written

from damier import BadInput, Job, load
from damier.agents import own as own_module
from damier.agents.isolation import AgentLimits
from damier.agents.own import WORDS, Overtime, OwnPolicy
from damier.agents.process import PositionMessage, new_game
from damier.arena.match import match
from damier.cli.play import play_step_by_step
from damier.core.errors import AgentFault, BadFile, UnknownName, Unsuitable
from damier.core.job import Notes
from damier.core.loop import MatchSetup
from damier.core.player import Policy, RandomPlayer
from damier.core.words import unpacked
from damier.lab.agents import Lab, agent
from damier.lab.host import Host

__all__ = ["centre", "ctrl_c"]  # fixtures
call, _data = beginning()
BAD_WORDS = "class E(BaseException):\n    def __str__(self)"
CATCHES = (
    "def play(p):\n    while True:\n        try:\n            p = 1\n        except BaseException: p = 2"
)
PRESSED = """
import os, signal
def play(position):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        for n in range(1000): pass
    except BaseException:
        {then}
    return position.moves[0]
"""
GALLERY = Path(__file__).parent.parent / "gallery.py"


def played(player: Any, games: int = 1, *, game: str = "tictactoe", **setup: Any) -> MatchSetup:
    table = MatchSetup(player.game, (player, RandomPlayer()), 3, record=True, **setup)
    table.play(0, games, jit=False)
    return table


def test_a_function_plays(centre: Path) -> None:
    table = MatchSetup(load("tictactoe"), (own(centre), RandomPlayer()), 1, record=True)
    lines = table.play(0, 20, jit=False).lines
    assert {line[0] for line in lines} == {1 << 4}


@pytest.mark.parametrize(
    ("code", "options", "move"),
    [
        ("def play(position, cell: int = 3):\n    return cell", "", 3),
        ("def play(position, cell: int = 3):\n    return str(cell)", ":cell=5", 5),
        ("def play(grid):\n    return len(grid.moves) - 9", "", 3),
        ("def play(p, cell: int = 3):\n    return cell if p.moves else None", ":cell=5", 5),
        ("class A:\n    def choose(self, position):\n        return 2", "", 2),
        (
            "class A:\n    def __init__(self, game, seed, cell: int = 2):\n        self.cell = cell + seed\n"
            "    def play(self, position):\n        return self.cell",
            ":cell=4",
            11,
        ),
        (
            "class A:\n    def play(self, position): return 1\n"
            "class B(A):\n    def play(self, position): return 6",
            ":B",
            6,
        ),
        ("class A:\n    def play(self, position): return 1\nclass Mine(A):\n    pass", "", 1),
        (
            "class A:\n    def __init__(self, cell): self.cell = cell\n    def play(self, position):\n"
            "        return self.cell\ndef strong(cell: int = 8) -> A:\n    return A(cell)",
            ":strong",
            8,
        ),
        ("def policy(position):\n    return {}\ndef play(position):\n    return '7'", "", 7),
    ],
)
def test_what_is_an_agent(tmp_path: Path, code: str, options: str, move: int) -> None:
    game = load("mnk:width=4,height=3")
    player = own(written(tmp_path, code), game, options, seed=7)
    assert player.choose(game, game.start, [1]) == 1 << move


@pytest.mark.parametrize(
    "head",
    [
        "class A:\n    __slots__ = ('x',)",
        "import dataclasses\n@dataclasses.dataclass(frozen=True)\nclass A:\n",
    ],
)
def test_one_that_takes_no_attribute_plays_and_is_not_trained(tmp_path: Path, head: str) -> None:
    code = "\n    def play(self, position):\n        return 3\n    def end(self, payoff):\n        pass"
    player = own(written(tmp_path, head + code))
    assert player.choose(player.game, player.game.start, [1]) == 1 << 3
    with pytest.raises(AgentFault, match=r"mine\.py: A cannot be told whether it learns"):
        player.learns = True


def test_a_whole_number_is_a_name_where_moves_are_named_by_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, "def play(position):\n    return 4")
    assert own(path).choose(load("tictactoe"), load("tictactoe").start, [1]) == 1 << 4
    game = load("hexapawn")
    first = game.legal(game.start)[0]
    path = written(tmp_path, f"def play(position):\n    return {first}")
    assert own(path, game).choose(game, game.start, [1]) == first


TRACE = """
class Trace:
    def __init__(self):
        self.said = []

    def begin(self):
        self.said.append(("begin",))

    def choose(self, position):
        return position.moves[0]

    def update(self, position, move, reward, next_position, next_move):
        then = next_position and next_position.board
        self.said.append(("update", position.board, move, reward, then, next_move))

    def learn(self, payoff, history):
        self.said.append(("learn", payoff, [step.move for step in history]))

    def end(self, payoff):
        self.said.append(("end", payoff))
"""


@pytest.mark.parametrize("learns", [True, False])
def test_what_the_methods_are_told_and_when(tmp_path: Path, learns: bool) -> None:
    player = own(written(tmp_path, TRACE))
    player.learns = learns
    last = own(written(tmp_path, "def play(position):\n    return position.moves[-1]", "last.py"))
    MatchSetup(player.game, (player, last), 3).play(0, 1, jit=False)  # 0 8 1 7 2: three in a row
    updates = [
        ("update", "         ", "0", 0.0, "X       O", "1"),
        ("update", "X       O", "1", 0.0, "XX     OO", "2"),
        ("update", "XX     OO", "2", 1.0, None, None),
        ("learn", 1, ["0", "1", "2"]),
    ]
    assert player.agent.said == [("begin",), *(updates if learns else []), ("end", 1)]  # type: ignore[attr-defined]


def test_rewards_of_both_players_are_told(tmp_path: Path) -> None:
    """Hexapawn: a pawn taken gains one, a pawn lost costs one, until the next own turn."""
    code = """
    class A:
        said = []
        def choose(self, position):
            takes = [move for move in position.moves if move[0] != move[2]]
            return (takes or position.moves)[0]
        def learn(self, position, move, reward, next_position):
            self.said.append((move, reward, next_position is None))
    """
    player = own(written(tmp_path, code), "hexapawn")
    player.learns = True
    other = own(written(tmp_path, code, "other.py"), "hexapawn")
    MatchSetup(player.game, (player, other), 3).play(0, 1, jit=False)
    gains = [reward for _move, reward, _over in player.agent.said[:-1]]  # type: ignore[attr-defined]
    assert any(gains)
    assert player.agent.said[-1][2]  # type: ignore[attr-defined]


def test_random_numbers_are_those_of_the_game(tmp_path: Path) -> None:
    code = """
    class A:
        def __init__(self, rng):
            self.rng = rng
        def play(self, position):
            self.rng.seed(5)
            assert 0 <= self.rng.getrandbits(70) < 1 << 70
            return self.rng.choice(self.rng.sample(position.moves, 1))
    """
    one, other = (own(written(tmp_path, code)) for _ in range(2))
    whole = MatchSetup(one.game, (one, RandomPlayer()), 5, record=True).play(0, 12, jit=False).lines
    late = MatchSetup(other.game, (other, RandomPlayer()), 5, record=True).play(9, 12, jit=False).lines
    assert whole[9:] == late
    assert len({tuple(line) for line in whole}) > 6


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        ("def play(position):\n    return 'e4'", 1, "e4 is not a legal move here; legal: 0 1 2 3"),
        ("def play(position):\n    return 12", 1, "12 is not a legal move here"),
        ("def play(position):\n    return None", 1, "None is not a legal move here"),
        ("def play(position):\n    return position", 1, "is not a legal move here"),
        ("def play(position):\n    x = 1\n    return x / 0", 3, "ZeroDivisionError: division by zero"),
        ("import sys\ndef play(position):\n    sys.exit(3)", 3, "SystemExit: 3"),
        ("def play(position):\n    return play(position)", 2, "RecursionError"),
        ("def play(position):\n    return position.play('99')", 2, "99 is not a legal move here"),
        ("class A:\n    def play(self, position):\n        return self.missing", 3, "AttributeError"),
        ("def policy(position):\n    return [1]", 1, "it must return {move: probability}"),
        ("def policy(position):\n    return {'0': 0.5}", 1, "sum to 0.5, not to 1"),
        ("def policy(position):\n    return {'0': -1, '1': 2}", 1, "must be from 0 to 1"),
        ("class R:\n    def __repr__(self): 1 / 0\ndef play(position):\n    return R()", 3, "<R: Zero"),
        ("def play(position):\n    raise KeyboardInterrupt", 2, "KeyboardInterrupt"),
        ("def play(position):\n    raise GeneratorExit", 2, "GeneratorExit"),
        ("from asyncio import *\ndef play(position):\n    raise CancelledError('x')", 3, "CancelledError: x"),
        ("def play(position):\n    raise BaseExceptionGroup('x', [KeyboardInterrupt()])", 2, "x (1 sub-"),
        (f"{BAD_WORDS}: 1 / 0\ndef play(position): raise E", 3, "mine.py:3: E"),
        (f"{BAD_WORDS}: raise KeyboardInterrupt\ndef play(position): raise E", 3, "mine.py:3: E"),
        (f"{BAD_WORDS}: return 'x' * 9_999_999\ndef play(position): raise E", 3, "E: xxx"),
        (
            "class R:\n    def __repr__(self): raise SystemExit\ndef play(position):\n    return R()",
            3,
            "<R: Sys",
        ),
        (
            "class M(dict):\n    def items(self): raise KeyError\ndef policy(position):\n    return M()",
            2,
            "KeyE",
        ),
        ("def play(position):\n    '''\x1b[2J'''\n    raise ValueError('\x1b[2J' * 500)", 3, "x1b[2J"),
    ],
)
@pytest.mark.usefixtures("ctrl_c")
def test_what_is_wrong_is_one_line_with_file_and_line(
    tmp_path: Path, code: str, line: int, said: str
) -> None:
    player = own(written(tmp_path, code))
    with pytest.raises(AgentFault) as caught:
        player.choose(player.game, player.game.start, [1])
    text = str(caught.value)
    assert text.startswith(f"mine.py:{line}: ")
    assert said in text
    assert "\n" not in text
    assert "\x1b" not in text
    assert len(text) < 400
    table = played(player, 4, strict=False)
    assert list(table.faults.of_game) == [0, 1, 2, 3]


HELPERS = {
    "helper.py": "def chosen(position):\n    return position.moves[99]\n",
    "tools/__init__.py": "",
    "tools/last.py": "def chosen(position):\n    while True:\n        pass\n",
}


@pytest.mark.parametrize(
    ("module", "said"), [("helper", "helper.py:2: IndexError"), ("tools.last", "tools/last.py:")]
)
def test_the_file_of_a_folder_is_named_in_which_it_went_wrong(tmp_path: Path, module: str, said: str) -> None:
    for name, text in HELPERS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    code = f"from {module} import chosen\n\ndef play(position):\n    return chosen(position)\n"
    player = own(written(tmp_path, code), options=":seconds=0.3")
    with pytest.raises(AgentFault, match=said):
        player.choose(player.game, player.game.start, [1])


def test_a_call_that_is_ended_is_told_the_shorter_limit_outside(tmp_path: Path) -> None:
    player = own(written(tmp_path, "def play(position):\n    while True: pass\n"), options=":seconds=0.3")
    game = player.game
    host = Host(game, player)
    asked: PositionMessage = {
        "type": "position",
        "moves": [],
        "state": list(game.start),
        "player": 0,
        "legal": ["0"],
        "board": "",
        "seconds_left": 1.0,
    }
    for seconds, said in (
        (0.2, "mine.py:2: it took more than its 0.2 s for a move"),
        (5, "within 0.3 seconds"),
    ):
        host.hear(new_game(game, game.start, 1, AgentLimits(seconds)))
        answer = host.hear(asked)
        assert answer
        assert said in str(unpacked(answer["fault"]))


def test_a_helper_may_say_what_it_returns_in_any_way(tmp_path: Path) -> None:
    code = """
        def moves_of(position) -> [str]:
            return list(position.moves)
        def counts_of(position) -> {str: int}:
            return dict.fromkeys(position.moves, 0)
        def play(position):
            return moves_of(position)[-1]
    """
    player = own(written(tmp_path, code))
    assert player.choose(player.game, player.game.start, [1]) == 1 << 8


def test_an_agent_takes_the_packages_of_its_own_folder(tmp_path: Path) -> None:
    code = "from tools.last import chosen\n\ndef play(position):\n    return chosen(position)\n"
    for name, number in (("anna", 0), ("bob", -1)):
        (tmp_path / name / "tools").mkdir(parents=True)
        (tmp_path / name / "tools" / "__init__.py").touch()
        text = f"def chosen(position):\n    return position.moves[{number}]\n"
        (tmp_path / name / "tools" / "last.py").write_text(text)
    players = [own(written(tmp_path / name, code)) for name in ("anna", "bob")]
    game = load("tictactoe")
    assert [player.choose(game, game.start, [1]) for player in players] == [1, 1 << 8]


@pytest.mark.parametrize(
    ("code", "error", "said"),
    [
        ("def play(position):\n  return (", AgentFault, r"mine.py:2: "),
        ("1 / 0\ndef play(position): pass", AgentFault, r"mine.py:1: ZeroDivisionError"),
        (
            "def play(position): pass\nraise EOFError('EOF when reading a line')",  # as `input` does
            AgentFault,
            "mine.py:2: it asks for something to be typed while the file is still being read",
        ),
        ("def other(position): pass", AgentFault, "has no agent; write a function play"),
        ("from damier.core.player import RandomPlayer as Mine", AgentFault, "has no agent"),
        ("from os import getcwd as play", AgentFault, "has no agent"),
        ("def play(): pass", AgentFault, "takes one parameter, the position"),
        ("def play(position, depth): pass", BadInput, "depth must be given"),
        ("def play(position, depth: list = []): pass", BadInput, ""),
        (
            "class A:\n  def play(self, p): pass\nclass B:\n  def play(self, p): pass",
            BadInput,
            "several agents: write .*A B",
        ),
        (
            "class A:\n  def __init__(self): self.x = y\n  def play(self, p): pass",
            AgentFault,
            "mine.py:2: NameError",
        ),
        (
            "class A:\n  def play(self, p): pass\n  def learn(self, quality): pass",
            BadInput,
            "asks for quality; .*reward",
        ),
        ("class A:\n  def play(self, p): pass\n  learn = 3", BadInput, "is not a function"),
    ],
)
def test_a_file_that_is_no_agent(tmp_path: Path, code: str, error: type[Exception], said: str) -> None:
    path = written(tmp_path, code)
    if said:
        with pytest.raises(error, match=said):
            own(path)
    else:
        own(path)


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        ("async def play(position):\n    return 1", 1, "play is .* `async`"),
        ("class A:\n    def choose(self, position):\n        yield 1", 2, "choose is .* `yield`"),
        ("async def policy(position):\n    yield 1", 1, "policy is .* `yield`"),
        ("def play(position): return 1\nasync def update(move): pass", 2, "update is .* `async`"),
        ("def play(position): return 1\nasync def values(position): pass", 2, "values is .* `async`"),
        ("def play(position): return 1\nasync def save(): pass", 2, "save is .* `async`"),
        ("class A:\n    def play(self, position): pass\nasync def a() -> A: pass", 3, "a is .* `async`"),
        (
            "class F:\n    async def __call__(self, position): pass\nclass A:\n    play = F()",
            0,
            "F is .* `async",
        ),
    ],
)
def test_what_does_not_answer_when_it_is_called_is_refused(
    tmp_path: Path, code: str, line: int, said: str
) -> None:
    path = written(tmp_path, code)
    with pytest.raises(AgentFault, match=rf"^mine.py{f':{line}' if line else ''}: {said}"):
        own(path, options=":a" if "def a(" in code else "")


def test_names_and_options_are_looked_up(tmp_path: Path, centre: Path) -> None:
    for text, said in (
        (":Nobody", "has no agent Nobody"),
        (":depth=3", "no option depth"),
        (":seconds=x", "seconds=x"),
    ):
        with pytest.raises(BadInput, match=said):
            own(centre, options=text)
    with pytest.raises(BadFile, match="is not a file"):
        own(tmp_path / "nothing.py")
    with pytest.raises(BadFile, match=r"nothing\.json"):
        own(written(tmp_path, LEARNER), options=f":file={tmp_path / 'nothing.json'}")


def test_a_file_without_its_ending_is_told_how_it_is_written(
    centre: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(centre.parent)
    with pytest.raises(UnknownName, match=r"is written centre\.py:Agent:n=1"):
        agent(Lab(load("tictactoe"), Job()), "centre:Agent:n=1")


def test_no_clock_is_added_while_all_are_gone_through(monkeypatch: pytest.MonkeyPatch) -> None:
    class Guarded(weakref.WeakSet[Overtime]):
        def add(self, item: Overtime) -> None:
            assert own_module.clocks_lock.locked()
            super().add(item)

        def __iter__(self) -> Iterator[Overtime]:
            assert own_module.clocks_lock.locked()
            return super().__iter__()

    monkeypatch.setattr(own_module, "clocks", Guarded())
    clock = Overtime(9.0)
    assert own_module.watched() == [clock]


def test_an_endless_loop_is_ended(tmp_path: Path) -> None:
    player = own(
        written(tmp_path, "def play(position):\n    while True:\n        pass"), options=":seconds=0.2"
    )
    with pytest.raises(AgentFault, match=r"mine.py:[123]: no answer within 0.2 seconds"):
        player.choose(player.game, player.game.start, [1])


@pytest.mark.parametrize("code", [CATCHES, f"{BAD_WORDS}:\n        while True: pass\ndef play(p): raise E"])
def test_what_catches_everything_is_ended(tmp_path: Path, code: str) -> None:
    player = own(written(tmp_path, code), options=":seconds=0.2")
    with pytest.raises(AgentFault, match=r"mine.py:\d: (no answer within 0.2 seconds|E$)"):
        player.choose(player.game, player.game.start, [1])


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("then", ["pass", "raise", "1 / 0", "raise SystemExit", "raise KeyboardInterrupt"])
def test_ctrl_c_in_an_agent_is_ctrl_c_whatever_the_agent_makes_of_it(tmp_path: Path, then: str) -> None:
    player = own(written(tmp_path, PRESSED.format(then=then)))
    with pytest.raises(KeyboardInterrupt):
        player.choose(player.game, player.game.start, [1])


@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("grade", "nim", "{agent}"), 2, "mine.py:2: KeyboardInterrupt"),
        (("play", "nim", "{agent}", "random"), 2, "mine.py:2: KeyboardInterrupt"),
        (("match", "nim", "{agent}", "random", "--games", "3"), 0, ""),
        (
            ("match", "nim", "{agent}", "random", "--games", "3", "--strict"),
            2,
            "mine.py:2: KeyboardInterrupt",
        ),
    ],
)
def test_an_agent_that_says_it_was_interrupted_was_not(
    tmp_path: Path, capsys: Captured, arguments: tuple[str, ...], code: int, said: str
) -> None:
    agent = written(tmp_path, "def play(position):\n    raise KeyboardInterrupt")
    found, out, err = call(capsys, *(argument.format(agent=agent) for argument in arguments))
    assert (found, "interrupted" in err) == (code, False)
    assert said in err
    assert code or "3 games" in out or "3" in out


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("def play(position):\n    print('here')\n    return position.moves[0]", 2),
        ("print('here')\ndef play(position):\n    return position.moves[0]", 1),
    ],
)
def test_what_it_prints_goes_to_standard_error_and_is_told_once(
    tmp_path: Path, code: str, line: int, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = Notes()
    lab = Lab(load("tictactoe"), Job(jit=False, note=notes))
    player = agent(lab, str(written(tmp_path, code)))
    for _time in range(2):
        player.choose(lab.game, lab.game.start, [1])
    out, err = capsys.readouterr()
    assert (out, set(err.splitlines())) == ("", {"here"})
    assert notes == [f"mine.py:{line} prints; what it prints goes to standard error"]


def test_the_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    code = """
    import numpy as np
    def play(position):
        return np.int64(4)
    """
    player = own(written(tmp_path, code))
    assert player.choose(player.game, player.game.start, [1]) == 1 << 4
    code = """
    import numpy as np
    def policy(position):
        shares = np.full(len(position.moves), 1 / len(position.moves), np.float32)
        return dict(zip(position.moves, shares))
    """
    player = own(written(tmp_path, code))
    assert isinstance(player, OwnPolicy)
    assert sum(player.probabilities(player.game, player.game.start).values()) == pytest.approx(1)


def test_two_agents_of_one_file_share_nothing(tmp_path: Path) -> None:
    path = written(
        tmp_path, "seen = []\ndef play(position):\n    seen.append(1)\n    return str(len(seen) - 1)"
    )
    game = load("tictactoe")
    one, other = own(path, game), own(path, game)
    assert one.choose(game, game.start, [1]) == other.choose(game, game.start, [1]) == 1


def test_a_policy_is_a_policy(tmp_path: Path) -> None:
    path = written(
        tmp_path, "def policy(position):\n    return {position.moves[0]: 0.25, position.moves[1]: 0.75}"
    )
    player = own(path)
    assert isinstance(player, OwnPolicy)
    assert isinstance(player, Policy)
    game = player.game
    assert [player.probabilities(game, game.start)[1 << cell] for cell in range(3)] == [0.25, 0.75, 0.0]
    firsts = [
        line[0]
        for line in MatchSetup(game, (player, RandomPlayer()), 2, limit=1, record=True)
        .play(0, 400, jit=False)
        .lines
    ]
    assert 60 < firsts.count(1) < 140


def test_what_is_hidden_is_not_shown(centre: Path) -> None:
    with pytest.raises(Unsuitable, match="something hidden"):
        own(centre, load(f"{GALLERY}:secret"))


@long
def test_a_kernel_of_its_own_is_compiled(tmp_path: Path) -> None:
    code = """
    from damier.core.bits import lowest
    from damier.core.player import Kernel
    from damier.core.rules import moves

    def lowest_move(s, arrays, rng):
        return lowest(moves(s))

    class Lowest:
        def play(self, position):
            return position.moves[0]

        def kernel(self, *, jit):
            return Kernel(lowest_move, None, ())
    """
    player = own(written(tmp_path, code))
    assert player.compiles
    counted = []
    for jit in (False, True):
        table = MatchSetup(load("tictactoe"), (player, RandomPlayer()), 3)
        score = match(table, 300, Job(jit=jit))
        counted.append((score.wins, score.draws, score.losses))
    assert counted[0] == counted[1]


def test_python_own_random_numbers_are_not_touched(centre: Path) -> None:
    before = random.getstate()
    played(own(centre), 3)
    assert random.getstate() == before


def test_the_words_are_documented() -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "write_an_agent.md"
    if page.is_file():
        text = page.read_text()
        for word in WORDS:
            assert re.search(rf"`{word}`", text), word


def test_an_unknown_name_is_no_file() -> None:
    with pytest.raises(BadInput, match="no agent is called"):
        agent(Lab(load("tictactoe")), "centre")


@pytest.mark.parametrize("command", ["match", "play"])
def test_an_agent_that_asks_for_the_seed_is_given_that_of_the_command(
    tmp_path: Path, command: str, capsys: Captured
) -> None:
    source = "def play(position, seed):\n    assert seed == 7, seed\n    return position.moves[0]"
    path = written(tmp_path, source)
    code, out, err = call(capsys, command, "tictactoe", str(path), "random", "--seed", "7")
    assert (code, "AssertionError" in out + err) == (0, False)


def test_in_a_game_that_is_shown_it_hears_of_beginning_gains_and_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(
        tmp_path,
        """
        class Mine:
            def begin(self):
                self.moves = 0

            def play(self, position):
                self.moves += 1
                return position.moves[0]

            def end(self, payoff, history):
                print(self.moves, payoff, [int(step.reward) for step in history])
        """,
    )
    game = load("hexapawn")
    for seed in range(3):
        players = [own(path, "hexapawn"), RandomPlayer()]
        played = play_step_by_step(Lab(game), players, seed, 100, False, str)
        own_moves, position = played.moves[::2], game.position()
        gains = [0] * len(own_moves)
        for number, name in enumerate(played.moves):
            gains[number // 2] += (-1) ** number * game.reward(position.state, position.named_moves[name])
            position = position.play(name)
        assert capsys.readouterr().err == f"{len(own_moves)} {played.payoffs[0]} {gains}\n"
