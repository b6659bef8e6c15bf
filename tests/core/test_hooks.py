"""A hook is declared once: rules, defaults, the trial run, `Game` and the guide all agree with the
one table.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from damier import ONGOING, Game, load
from damier.core import rules
from damier.core.checks import TRIALS
from damier.core.hooks import HOOKS, Hook
from tests.docs_tables import hooks_as_table

GUIDE = Path(__file__).parents[2] / "docs" / "add_a_game.md"
BY_NAME = {hook.name: hook for hook in HOOKS}
RULES = [hook for hook in HOOKS if not isinstance(hook.says, tuple)]
PARAMETERS = {name: p for name, p in inspect.signature(Game.__init__).parameters.items() if name != "self"}


class State(NamedTuple):
    left: int
    mover: int


def small(**hooks: object) -> Game:
    """Take one or two of five."""
    parameters: dict[str, object] = {
        "moves": lambda s: 3 if s.left > 1 else 1,
        "play": lambda s, move: State(s.left - move, 1 - s.mover),
        "outcome": lambda s: ONGOING if s.left else -1,
    }
    return Game("small", State(5, 0), **(parameters | hooks))  # type: ignore[arg-type]


def test_no_hook_is_declared_twice() -> None:
    assert len(BY_NAME) == len(HOOKS)


def test_every_trial_is_that_of_a_hook() -> None:
    assert set(BY_NAME) > set(TRIALS)


def test_every_rule_is_a_hook_and_every_hook_of_rules_is_a_rule() -> None:
    assert {hook.name for hook in RULES} == set(rules.NAMES) - {"as_state", "symmetries", "most_moves"}
    assert all(hook.says is getattr(rules, hook.name) for hook in RULES)


def test_the_parameters_of_a_game_are_the_hooks() -> None:
    assert set(PARAMETERS) == set(BY_NAME)
    assert {name for name, p in PARAMETERS.items() if p.default is p.empty} == {
        hook.name for hook in HOOKS if hook.otherwise == "required"
    }


def annotated(name: str, state: str) -> str:
    """The type of a rule as its function says, with `state` for its states."""
    signature = inspect.signature(getattr(rules, name))
    parameters = ", ".join(p.annotation for p in signature.parameters.values())
    parameters = parameters.replace("AnyPast", "AnyPast" if state == "State" else f"Past[{state}]")
    return re.sub(r"\bState\b", state, f"Callable[[{parameters}], {signature.return_annotation}]")


@pytest.mark.parametrize("name", rules.NAMES)
def test_an_attribute_of_a_game_has_the_type_of_its_rule(name: str) -> None:
    assert Game.__annotations__[name] == annotated(name, "State")


@pytest.mark.parametrize("hook", RULES, ids=lambda hook: hook.name)
def test_a_parameter_of_a_game_has_the_type_of_its_rule(hook: Hook) -> None:
    annotation = PARAMETERS[hook.name].annotation
    if hook.name in ("moves", "noisy_moves"):  # the rules that may be given in two forms
        two_forms = "Callable[[S], int] | Callable[[S, list[int]], None]"
        assert annotation.removesuffix(" | None") == two_forms
        return
    wanted = annotated(hook.name, "S")
    # a key that a game gives is one word
    assert annotation.removesuffix(" | None") == re.sub(r"\bKey\b", "int", wanted)


@pytest.mark.parametrize("hook", RULES, ids=lambda hook: hook.name)
def test_a_rule_that_is_given_is_the_one_that_is_asked(hook: Hook) -> None:
    def given(*arguments: object) -> int:
        return 1

    partners = {"key": {"unkey": given}, "unkey": {"key": given}}
    game = small(**{hook.name: given}, **partners.get(hook.name, {}))
    assert getattr(game, hook.name) is given
    assert game.rules[hook.name] is given
    assert game.given[hook.name] is given


@pytest.mark.parametrize("hook", RULES, ids=lambda hook: hook.name)
def test_a_rule_that_is_left_out_has_a_default_or_is_required(hook: Hook) -> None:
    assert (hook.default is None) == (hook.otherwise == "required")
    assert callable(getattr(small(), hook.name))


@pytest.mark.parametrize(
    "hook", [hook for hook in RULES if hook.name not in ("unkey", "turn_move")], ids=lambda hook: hook.name
)
def test_a_trial_run_refuses_a_wrong_answer_of_every_rule(hook: Hook, tmp_path: Path) -> None:
    """`unkey` and `turn_move` are tried with `key` and `turn`."""
    assert hook.name in TRIALS
    arguments = ", ".join(inspect.signature(hook.says).parameters)  # type: ignore[arg-type]
    more = {
        "key": "unkey=lambda k: START",
        "turn": "symmetries=2, turn_move=lambda m, g: m",
        "chance": "mover=lambda s: CHANCE",
    }.get(hook.name, "")
    given = {
        "moves": "lambda s: 1",
        "play": "lambda s, move: State(s.left - 1, 1 - s.mover)",
        "over": "lambda s: s.left == 0",
        "payoff": "lambda s, player: 0",
    } | {hook.name: f"lambda {arguments}: 'wrong'"}
    written = ", ".join(f"{name}={text}" for name, text in given.items())
    path = tmp_path / "wrong.py"
    path.write_text(
        "from typing import NamedTuple\nfrom damier import CHANCE, Game\nclass State(NamedTuple):\n    left:"
        " int\n    mover: int\nSTART = State(5, 0)\ndef wrong() -> Game:\n    return Game('wrong', START,"
        f" {written}, {more})\n"
    )
    with pytest.raises(Exception, match=hook.name) as refusal:
        load(str(path))
    assert "'wrong'" in str(refusal.value)


def test_no_misspelt_rule_is_an_attribute() -> None:
    with pytest.raises(AttributeError, match="moovs"):
        small().moovs  # type: ignore[attr-defined]  # noqa: B018


def test_a_rule_is_replaced_in_one_place() -> None:
    game = small()
    with pytest.raises(TypeError):
        game.rules["moves"] = game.moves  # type: ignore[index]
    game.moves = lambda s: 1
    assert game.rules["moves"] is game.moves


def test_the_guide_holds_the_table() -> None:
    assert f"\n{hooks_as_table()}\n" in GUIDE.read_text(encoding="utf-8"), "run scripts/hooks"
