"""What a game gives, checked and completed: a rule that it leaves out has a default."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, Generic, TypedDict, TypeVar

from damier.core.defaults import Rule, constant, maker
from damier.core.errors import BadGame
from damier.core.hooks import HOOKS, Given
from damier.core.keys import Bits, default_bits, flat, widths
from damier.core.moves import MOVES, by_number, listing, numbered, turned_by_number
from damier.core.rules import State
from damier.core.words import message

S = TypeVar("S", bound=State)

WIDEST = 4096
"""The most bits of a field, or of a set of moves, and the most moves of a list."""
OF_MOVES = ("moves", "non_losing_moves", "noisy_moves")
"""The rules that answer moves."""
OF_A_MOVE = ("play", "chance", "reward", "move_score", "irreversible")
"""The rules of a state and a move."""
LISTED = 1000
"""The most moves of a position of a game that lists them, if it says nothing else."""


class FormerNames(TypedDict, Generic[S], total=False):
    """What files of users may still call some hooks."""

    hidden: bool
    candidates: Callable[[S], int]
    view: Callable[[S], S]


def by_present_names(parameters: dict[str, Any], former: Mapping[str, object]) -> dict[str, Any]:
    """Parameters of a game by the names of hooks, those that were given by a former name included.

    Raises TypeError for any other name.
    """
    present = {hook.former: hook.name for hook in HOOKS if hook.former}
    for name, value in former.items():
        if name not in present:
            raise TypeError(f"Game() got an unexpected keyword argument {name!r}")
        parameters[present[name]] = value
    return parameters


def checked_bits(name: str, start: object, bits: Bits | None) -> Bits:
    """The width of every field of a state, said or by default. Raises BadGame."""
    if not isinstance(start, tuple) or not hasattr(start, "_fields"):
        raise BadGame(
            message(
                "{name}: start is {start}; it must be a NamedTuple of ints",
                name=name,
                start=repr(start),
            )
        )
    chosen = default_bits(start) if bits is None else bits
    if not isinstance(chosen, tuple) or not all(type(width) is int for width in widths(chosen)):
        raise BadGame(
            message(
                "{name}: bits={bits}; it must be a tuple with the width of every field, like (9, 1)",
                name=name,
                bits=bits,
            )
        )
    if [isinstance(b, tuple) for b in chosen] != [isinstance(f, tuple) for f in start] or len(
        widths(chosen)
    ) != len(flat(start)):
        raise BadGame(
            message(
                "{name}: bits={bits} does not match the fields of {start}",
                name=name,
                bits=chosen,
                start=start,
            )
        )
    for width in widths(chosen):
        if not 0 < width <= WIDEST:
            raise BadGame(
                message(
                    "{name}: a field of {width} bits; a field has from 1 to {most} bits",
                    name=name,
                    width=width,
                    most=WIDEST,
                )
            )
    return chosen


def checked_most_moves(name: str, most: int | None, bits: Bits, *, listed: bool) -> int:
    """The most moves of a position, said or by default. Raises BadGame."""
    if most is None:
        return LISTED if listed else max(MOVES, *widths(bits))
    if type(most) is not int or not 0 < most <= WIDEST:
        raise BadGame(
            message(
                "{name}: most_moves={most}; it is a whole number from 1 to {widest}",
                name=name,
                most=most,
                widest=WIDEST,
            )
        )
    return most


def require_rules(name: str, start: State, given: Mapping[str, Rule], symmetries: int) -> None:
    """Raises BadGame where a rule is missing that has no default."""
    if symmetries > 1 and not ("turn" in given and "turn_move" in given):
        raise BadGame(message("{name}: symmetries={n} needs turn= and turn_move=", name=name, n=symmetries))
    if "outcome" not in given and not ("over" in given and "payoff" in given):
        raise BadGame(message("{name}: a game gives outcome, or over and payoff", name=name))
    if "mover" not in given and "mover" not in start._fields:
        raise BadGame(message("{name}: a game gives mover, or its state has a field of that name", name=name))
    if ("key" in given) != ("unkey" in given):
        raise BadGame(message("{name}: key and unkey are given together", name=name))


def require_counts(name: str, players: int, states: int | None) -> None:
    """Raises BadGame for a number of players, or of positions, that is none."""
    if type(players) is not int or players < 1 or not (states is None or type(states) is int):
        raise BadGame(
            message(
                "{name}: players={players}, states={states}; both are whole numbers",
                name=name,
                players=players,
                states=states,
            )
        )


def completed(given: Given, *, listed: bool) -> dict[str, Rule]:
    """Every rule of `damier.core.rules` by name: those that the game gives, in the one form in which
    engines ask for moves (`damier.core.moves`), and defaults for the others.
    """
    given = given._replace(rules=_in_one_form(given, listed))
    made: dict[str, Rule] = {
        "as_state": maker(given.make),
        "symmetries": constant(given.symmetries),
        "most_moves": constant(given.most_moves),
    }
    for hook in HOOKS:
        if hook.name in given.rules:
            made[hook.name] = given.rules[hook.name]
        elif hook.default:
            made[hook.name] = hook.default(given)
    return made


def _in_one_form(given: Given, listed: bool) -> dict[str, Rule]:
    """The rules that a game gives, as engines ask them: lists are returned, and moves of wide sets are
    numbers.
    """
    rules = dict(given.rules)
    if listed:
        rules |= {rule: listing(rules[rule]) for rule in OF_MOVES if rule in rules}
    elif not given.moves_are_bits:
        rules |= {rule: numbered(rules[rule]) for rule in OF_MOVES if rule in rules}
        rules |= {rule: by_number(rules[rule]) for rule in OF_A_MOVE if rule in rules}
        if "turn_move" in rules:
            rules["turn_move"] = turned_by_number(rules["turn_move"])
    return rules


def takes_list(moves: Callable[..., object]) -> bool:
    """Whether a rule `moves` takes a list to which it appends."""
    try:
        parameters = signature(moves).parameters.values()
    except (TypeError, ValueError):
        return False
    by_place = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len([p for p in by_place if p.default is p.empty]) == 2
