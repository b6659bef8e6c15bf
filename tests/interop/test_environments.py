"""PettingZoo's and Gymnasium's own tests of environments, of every game; and what they do not look at."""

from __future__ import annotations

import copy
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from lasting import shortly
from pettingzoo.test import api_test, max_cycles_test, seed_test
from pettingzoo.utils.conversions import aec_to_parallel_wrapper

from damier import BadInput, IllegalMove, load
from damier.core.errors import Unsuitable
from damier.interop.gymnasium import SeatEnv, SeatVectorEnv
from damier.interop.observations import Observer, pixels
from damier.interop.pettingzoo import GameAECEnv, env, raw_env
from damier.lab.games import GAMES as LISTED
from tests.conformance.test_every_game import BUILT_IN, EXAMPLES, OF_USERS, shown
from tests.docs_tables import planes_as_table

FEW = ("tictactoe", "connect_four:width=4,height=4", "pig:target=6", "hexapawn")
SECRETS = [str(path) for path in EXAMPLES if path.stem == "kuhn_poker"]
OVER = ("pawns:width=1,height=2", "pig:target=1")
"""Games in which nobody ever decides anything."""
GAMES = [text for text in (*BUILT_IN, *OF_USERS) if text not in (*SECRETS, *OVER)]
every_game = pytest.mark.parametrize("text", shortly(GAMES, *FEW), ids=shown)


@pytest.fixture(autouse=True)
def _no_warnings() -> Any:
    """An observation that is all 0, as of an empty board, is nothing to warn of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@every_game
def test_pettingzoo_accepts_every_game(text: str) -> None:
    api_test(env(text), num_cycles=20)
    seed_test(lambda: env(text), num_cycles=20)


@every_game
def test_gymnasium_accepts_one_seat_of_every_game(text: str) -> None:
    try:
        SeatEnv(text).reset(seed=1)
    except Unsuitable:  # whoever is second never gets to move, as a test of `VectorGames` says
        return
    check_env(SeatEnv(text), skip_render_check=True)


def test_who_never_gets_to_move_is_told() -> None:
    with pytest.raises(Unsuitable, match="never gets to move"):
        SeatEnv("nim:matches=1", opponent="random", seat=1).reset(seed=1)


class OnlyLegal(GameAECEnv):
    """An environment that takes the first legal action for an illegal one, of a game that nobody can win
    within the moves that are asked for, whatever is drawn.
    """

    metadata: dict[str, Any]

    def __init__(self, max_cycles: int) -> None:
        super().__init__("mnk:width=5,height=5,in_a_row=5", max_cycles=max_cycles)
        self.metadata["is_parallelizable"] = True

    def step(self, action: int | None) -> None:
        legal = np.flatnonzero(self.observe(self.agent_selection)["action_mask"])
        super().step(action if action is None or action in legal else int(legal[0]))


def test_a_game_is_broken_off_after_so_many_moves_of_each_agent() -> None:
    class Module:
        env = OnlyLegal

        @staticmethod
        def parallel_env(max_cycles: int) -> Any:
            return aec_to_parallel_wrapper(OnlyLegal(max_cycles))

    max_cycles_test(Module)


def test_a_game_in_which_nobody_decides_is_refused_by_name() -> None:
    with pytest.raises(Unsuitable, match="over before it begins"):
        env(OVER[0])
    with pytest.raises(Unsuitable, match="nobody ever decides"):
        env(OVER[1]).reset(seed=1)


@pytest.mark.parametrize("text", SECRETS)
def test_a_game_with_secrets_is_refused_by_name(text: str) -> None:
    for make in (env, SeatEnv, lambda text: SeatVectorEnv(text, 2)):
        with pytest.raises(Unsuitable, match=r"kuhn_poker.*cannot see all"):
            make(text)


def test_an_agent_sees_the_board_from_its_side_whoever_is_to_move() -> None:
    environment = env("tictactoe")
    environment.reset()
    environment.step(4)
    first, second = (environment.observe(agent) for agent in environment.possible_agents)
    assert first["observation"][0, 1, 1] == second["observation"][1, 1, 1] == 1
    assert first["observation"].sum() == second["observation"].sum() == 1
    assert not first["action_mask"].any()
    assert second["action_mask"].sum() == 8


def test_an_illegal_action_loses_or_is_named() -> None:
    environment = env("tictactoe")
    environment.reset()
    for action in (4, 4):
        environment.step(action)
    assert environment.terminations == {"player_0": True, "player_1": True}
    assert environment.rewards == {"player_0": 0, "player_1": -1}
    assert environment.infos["player_1"] == {"illegal_action": 4}
    strict = raw_env("tictactoe")
    with pytest.raises(BadInput, match="reset"):
        strict.step(0)
    strict.reset()
    strict.step(4)
    for action in (4, 9, -1, None, 0.5, "0"):
        with pytest.raises(IllegalMove, match="legal are 0 1 2 3 5 6 7 8"):
            strict.step(action)
    seat = SeatEnv("tictactoe", seat=0)
    seat.reset(seed=1)
    with pytest.raises(IllegalMove, match=r"action 0\.5 is not legal"):
        seat.step(0.5)  # type: ignore[arg-type]


def test_before_the_first_game_there_is_nothing_to_see() -> None:
    seat, agents = SeatEnv("tictactoe", render_mode="ansi"), env("tictactoe", render_mode="ansi")
    for look in (seat.action_masks, seat.render, agents.last, agents.render, lambda: agents.step(4)):
        with pytest.raises(BadInput, match="the game has not begun: call reset first"):
            look()
    agents.reset(seed=np.int64(3))  # type: ignore[arg-type]  # as a library may draw it
    assert agents.render()
    with pytest.raises(BadInput, match="seat=None needs an opponent"):
        SeatEnv("tictactoe", opponent=None)  # type: ignore[arg-type]


def test_boards_are_drawn_as_text_and_as_pixels(capsys: pytest.CaptureFixture[str]) -> None:
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray), ("human", type(None))):
        one, other = env("tictactoe", render_mode=mode), SeatEnv("tictactoe", seat=0, render_mode=mode)
        one.reset(seed=1)
        other.reset(seed=1)
        for environment in (one, other):
            environment.step(4)
            assert isinstance(environment.render(), kind)
    assert "X" in capsys.readouterr().out
    drawn = env("tictactoe", render_mode="rgb_array")
    drawn.reset()
    empty = drawn.render()
    drawn.step(0)
    changed = np.argwhere((drawn.render() != empty).any(axis=2))
    assert empty.shape == (216, 216, 3)
    assert changed.max() < 76  # the cell at the top left
    with pytest.raises(BadInput, match="render_mode=svg: it is one of ansi human rgb_array"):
        env("tictactoe", render_mode="svg")


def test_a_picture_of_every_kind_of_row_is_read() -> None:
    import struct
    import zlib

    rng = np.random.default_rng(1)
    image = rng.integers(0, 256, (5, 4, 3)).astype(np.uint8)
    padded = np.zeros((6, 5, 3), np.int64)
    padded[1:, 1:] = image
    rows = b""
    for row, kind in enumerate(range(5), 1):
        left, above, corner = padded[row, :-1], padded[row - 1, 1:], padded[row - 1, :-1]
        far = left + above - corner
        near = np.stack([abs(far - left), abs(far - above), abs(far - corner)]).argmin(axis=0)
        guess = (0 * left, left, above, (left + above) // 2, np.choose(near, [left, above, corner]))[kind]
        rows += bytes([kind]) + ((padded[row, 1:] - guess) & 255).astype(np.uint8).tobytes()

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + b"\0\0\0\0"

    head = struct.pack(">IIBBBBB", 4, 5, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows))
    assert (pixels(png) == image).all()


def test_an_environment_is_copied_by_what_it_was_made_of() -> None:
    environment = copy.deepcopy(env("tictactoe", max_cycles=3))
    assert environment.game.text == "tictactoe:misere=false"


def test_every_game_has_a_name_in_gymnasium() -> None:
    made = gymnasium.make("damier.interop.gymnasium:damier/hexapawn-v0", opponent="perfect", seat=0)
    made.reset(seed=1)
    assert made.unwrapped.opponent.text.startswith("perfect")
    other = gymnasium.make("damier/connect_four-v0", game="connect_four:width=5,height=5")
    assert other.action_space.n == 5
    for wrong, sentence in (
        ({"opponent": "perfct"}, "perfct"),
        ({"seat": 2}, "seats 0 to 1"),
        ({"opponent": "q"}, "learns"),
        ({"game": "hexapawn:wdth=4"}, "wdth"),
    ):
        with pytest.raises(BadInput, match=sentence):
            gymnasium.make("damier/hexapawn-v0", **wrong)


def test_an_opponent_without_compiled_code_plays_one_seat() -> None:
    environment = SeatEnv("tictactoe", opponent="alphabeta:plies=2", seat=1)
    seen, facts = environment.reset(seed=3)
    assert facts == {"seat": 1}
    assert seen["observation"][1].sum() == 1
    assert seen["action_mask"].sum() == 8


def test_many_games_tell_gymnasium_how_they_ended() -> None:
    many = gymnasium.make_vec(
        "damier.interop.gymnasium:damier/tictactoe-v0",
        num_envs=8,
        vectorization_mode="vector_entry_point",
        opponent=None,
    )
    seen, _infos = many.reset(seed=1)
    assert many.observation_space.contains(seen)
    ended = 0
    games = many.unwrapped.games
    for _step in range(12):
        before, moved = games.states(), games.turn.copy()
        actions = games.random_actions()
        seen, rewards, terminated, truncated, infos = many.step(actions)
        assert many.observation_space.contains(seen)
        assert not truncated.any()
        assert terminated.any() == ("final_obs" in infos)
        for number in np.flatnonzero(terminated):
            game = games.game
            last = game.play(before[number], 1 << int(actions[number]))
            assert rewards[number] == game.payoff(last, int(moved[number]))
            found = infos["final_obs"][number]["observation"]
            assert (found == Observer(game).observe(last, 1 - int(moved[number]))).all()
            ended += 1
    assert ended > 4


def test_the_page_tells_what_is_seen_of_every_game() -> None:
    page = Path(__file__).parents[2] / "docs" / "environments.md"
    assert f"\n{planes_as_table(LISTED)}\n" in page.read_text(encoding="utf-8"), "run scripts/hooks"


def test_what_observations_mean_is_in_the_metadata() -> None:
    for text, numbers in (("tictactoe", "bit"), ("chess", "game"), ("isola", "place"), ("othello", "number")):
        metadata = env(text).metadata
        assert metadata["action_numbers"] == numbers
        assert len(metadata["planes"]) == load(text).plane_layout.shape[0]
