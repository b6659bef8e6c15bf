"""Everything that a game may give, declared once: what it means, what stands in for it, how a trial
run checks it.

A rule's name, signature and meaning are those of its function in `damier.core.rules`. The
parameters and attributes of `Game` and the table in docs/add_a_game.md are checked against this
table (tests/core/test_hooks.py); `scripts/hooks` writes the latter.

To add a rule: its function in `rules.py`, a line here, a parameter and an attribute of `Game`; then
`scripts/hooks`.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Mapping
from inspect import signature
from types import ModuleType
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypedDict, TypeVar

from damier.core import checks, codes, defaults, keys, rules
from damier.core.checks import TrialState
from damier.core.defaults import Rule, constant, maker
from damier.core.errors import BadGame
from damier.core.keys import Bits, default_bits, flat, widths
from damier.core.moves import MOVES, by_number, listing, numbered, turned_by_number
from damier.core.rules import State
from damier.core.words import message

# What a hook is: something that a game gives, or leaves out; `damier.core.hooks` lists them all.

Trial: TypeAlias = Callable[[TrialState], None]


class When(enum.Enum):
    """In which states of a trial run a hook is tried."""

    EVERYWHERE = enum.auto()
    ON_THE_WAY = enum.auto()  # where the game is not over
    AT_THE_END = enum.auto()
    IN_A_FEW_GAMES = enum.auto()  # on the way, of the first games only: what is slow, or for people


class Given(NamedTuple):
    """What the defaults are made from: the rules that the game gives, by name, and what it says of
    its states.
    """

    rules: Mapping[str, Rule]
    make: Callable[..., State]
    bits: Bits
    symmetries: int
    most_moves: int
    moves_are_bits: bool

    @property
    def packing(self) -> ModuleType:
        """What makes keys of such states."""
        return keys if codes.words_needed(self.bits) == 1 else codes

    def mover(self) -> Rule:
        return self.rules.get("mover", defaults.mover_field)


class Hook(NamedTuple):
    """Something that a game gives, or leaves out.

    says       its function in `rules`; of what is no rule, its signature and its meaning
    otherwise  what holds where it is left out, in words
    used_by    who asks for it
    trial      what a trial run checks of it, and `when`; `always`: also where it is left out, since
               it then follows from the rest
    default    of a rule: makes the one that is left out; None where it cannot be left out
    former     the name that files of users may still give it
    """

    name: str
    says: Rule | tuple[str, str]
    otherwise: str
    used_by: str
    trial: Trial | None = None
    when: When = When.ON_THE_WAY
    always: bool = False
    default: Callable[[Given], Rule] | None = None
    former: str = ""

    @property
    def signature(self) -> str:
        """What it takes and answers, as in `(s, move) -> int`."""
        return self.says[0] if isinstance(self.says, tuple) else signature_of(self.says)

    @property
    def meaning(self) -> str:
        return self.says[1] if isinstance(self.says, tuple) else " ".join((self.says.__doc__ or "").split())


def signature_of(stub: Rule) -> str:
    """The signature of a rule for people.

    >>> from damier.core import rules
    >>> signature_of(rules.play), signature_of(rules.payoff), signature_of(rules.bounds)
    ('(s, move) -> state', '(s, player) -> int', '(s) -> tuple[int, int]')
    """
    signature = inspect.signature(stub)
    return (
        f"({', '.join(signature.parameters)}) -> {str(signature.return_annotation).replace('State', 'state')}"
    )


REQUIRED = "required"
EVERYTHING, SOLVERS, SEARCHES, LEARNERS, PEOPLE = (
    "everything",
    "solving, counting",
    "searches",
    "learners",
    "people",
)

HOOKS: Final = (
    Hook("name", ("text", "The game's own name."), REQUIRED, PEOPLE),
    Hook("start", ("a state", "The first state."), REQUIRED, EVERYTHING),
    Hook("moves", rules.moves, REQUIRED, EVERYTHING, checks.moves, always=True),
    Hook("play", rules.play, REQUIRED, EVERYTHING, checks.play, always=True),
    Hook(
        "outcome",
        rules.outcome,
        "from `over` and `payoff`",
        "solving, counting, searches",
        checks.outcome,
        When.EVERYWHERE,
        default=lambda g: defaults.outcome_by_payoff(g.rules["over"], g.rules["payoff"], g.mover()),
    ),
    Hook(
        "over",
        rules.over,
        "from `outcome`",
        EVERYTHING,
        checks.over,
        When.EVERYWHERE,
        always=True,
        default=lambda g: defaults.over_by_outcome(g.rules["outcome"]),
    ),
    Hook(
        "payoff",
        rules.payoff,
        "from `outcome`, zero-sum",
        EVERYTHING,
        checks.payoff,
        When.AT_THE_END,
        always=True,
        default=lambda g: defaults.payoff_by_outcome(g.rules["outcome"], g.mover()),
    ),
    Hook(
        "mover",
        rules.mover,
        "the field `mover`",
        EVERYTHING,
        checks.mover,
        When.EVERYWHERE,
        always=True,
        default=Given.mover,
    ),
    Hook("players", ("int", "How many there are."), "2", EVERYTHING),
    Hook(
        "chance",
        rules.chance,
        "no chance nodes",
        "playing, searches",
        checks.chance,
        default=lambda g: defaults.even,
    ),
    Hook("reward", rules.reward, "0", LEARNERS, checks.reward, default=lambda g: defaults.nothing),
    Hook(
        "imperfect_information",
        ("bool", "Whether a player cannot see all of the state."),
        "`False`: perfect information",
        EVERYTHING,
        former="hidden",
    ),
    Hook(
        "acyclic",
        ("bool", "Whether no position can come back, where a `ply` cannot say so: with passes, say."),
        "only with `ply`",
        SEARCHES,
    ),
    Hook(
        "bits",
        ("tuple", "The bits of each field; a tuple of them for a field that is a tuple."),
        "an equal share of 62",
        SOLVERS,
    ),
    Hook(
        "most_moves",
        (
            "int",
            "The most moves that a position can have; where they are a set, how many bits it has.",
        ),
        "62, or the widest field; 1,000 where they are listed",
        EVERYTHING,
    ),
    Hook(
        "ply",
        rules.ply,
        "positions may come back",
        "solving, searches",
        checks.ply,
        default=lambda g: defaults.nothing_yet,
    ),
    Hook(
        "plies_left",
        rules.plies_left,
        "0: not known",
        SEARCHES,
        checks.plies_left,
        default=lambda g: defaults.nothing_yet,
    ),
    Hook("states", ("int", "An upper bound on the number of positions."), "no bound", SOLVERS),
    Hook(
        "key",
        rules.key,
        "from `bits`",
        "solving, searches, learners",
        checks.key,
        default=lambda g: g.packing.packer(g.bits),
    ),
    Hook("unkey", rules.unkey, "from `bits`", SOLVERS, default=lambda g: g.packing.unpacker(g.bits, g.make)),
    Hook("symmetries", ("int", "How many there are, the identity included."), "1", "counting, learners"),
    Hook(
        "turn",
        rules.turn,
        "required if `symmetries` > 1",
        "counting, learners",
        checks.turn,
        When.IN_A_FEW_GAMES,
        default=lambda g: defaults.unturned,
    ),
    Hook(
        "turn_move",
        rules.turn_move,
        "required if `symmetries` > 1",
        LEARNERS,
        default=lambda g: defaults.unturned,
    ),
    Hook(
        "move_score", rules.move_score, "0", SEARCHES, checks.move_score, default=lambda g: defaults.nothing
    ),
    Hook(
        "non_losing_moves",
        rules.non_losing_moves,
        "all legal moves",
        SEARCHES,
        checks.non_losing_moves,
        default=lambda g: g.rules["moves"],
        former="candidates",
    ),
    Hook(
        "bounds",
        rules.bounds,
        "the next move may win or lose",
        SEARCHES,
        checks.bounds,
        default=lambda g: defaults.anything,
    ),
    Hook(
        "noisy_moves",
        rules.noisy_moves,
        "none",
        SEARCHES,
        checks.noisy_moves,
        default=lambda g: defaults.no_noisy_moves if g.moves_are_bits else listing(defaults.none_listed),
    ),
    Hook(
        "null_move",
        rules.null_move,
        "`s` itself: nobody passes",
        SEARCHES,
        checks.null_move,
        default=lambda g: defaults.unchanged,
    ),
    Hook(
        "threatened",
        rules.threatened,
        "`False`",
        SEARCHES,
        checks.threatened,
        When.EVERYWHERE,
        default=lambda g: defaults.quiet,
    ),
    Hook(
        "canonical",
        rules.canonical,
        "`s` itself",
        LEARNERS,
        checks.canonical,
        When.IN_A_FEW_GAMES,
        default=lambda g: defaults.unchanged,
        former="view",
    ),
    Hook(
        "seen_as", rules.seen_as, "`s` itself", SEARCHES, checks.seen_as, default=lambda g: defaults.unchanged
    ),
    Hook(
        "with_past",
        rules.with_past,
        "positions before do not matter",
        "playing, searches",
        checks.with_past,
        default=lambda g: defaults.whatever_was,
    ),
    Hook(
        "irreversible",
        rules.irreversible,
        "`False`: every position may come back",
        "playing, searches",
        checks.irreversible,
        default=lambda g: defaults.reversible,
    ),
    Hook(
        "features",
        (
            "{name: (s) -> number}",
            "What a search may judge a position by, from the side of player 0: `evaluate=2*name`.",
        ),
        "no evaluation",
        SEARCHES,
        checks.features,
    ),
    Hook(
        "evaluation",
        ("text", "What `selective` judges positions by if it is told nothing else: `features` with weights."),
        "every position is worth 0",
        SEARCHES,
    ),
    Hook(
        "explanations",
        ("{name: text}", "What each feature sees, in a sentence."),
        "its name says it",
        PEOPLE,
    ),
    Hook(
        "name_move",
        ("(s, move) -> str", "A move in words."),
        "the number of its bit",
        PEOPLE,
        checks.name_move,
        When.IN_A_FEW_GAMES,
        always=True,
    ),
    Hook(
        "grid",
        ("(s) -> board", "The board as data: a Grid, Hexagons, Points or NumberBoard."),
        "no picture of a board",
        PEOPLE,
        checks.grid,
        When.IN_A_FEW_GAMES,
    ),
    Hook(
        "show",
        ("(s) -> str", "The board as text."),
        "the grid, or the fields",
        PEOPLE,
        checks.show,
        When.IN_A_FEW_GAMES,
        always=True,
    ),
    Hook(
        "place",
        ("(s, move) -> tuple", "The places of the board that a move belongs to."),
        "moves are listed beside the board",
        PEOPLE,
        checks.place,
        When.IN_A_FEW_GAMES,
    ),
    Hook(
        "ways",
        (
            "(s, move) -> tuple of tuples",
            "All ways to point at a move, place by place, of which that of `place` is the one that is drawn.",
        ),
        "what `place` says",
        PEOPLE,
        checks.ways,
        When.IN_A_FEW_GAMES,
    ),
    Hook(
        "id",
        ("(s) -> int, or a list", "The number that a document gives to a position, one per view."),
        "none",
        PEOPLE,
    ),
    Hook(
        "write_position",
        ("(s) -> str", "A position in the notation of the game's field, on one line."),
        "none",
        PEOPLE,
    ),
    Hook(
        "read_position",
        (
            "(text) -> state",
            "The position that is written so; whatever is accepted is a legal state. Raises BadInput, with a"
            " sentence that says what is wrong and where.",
        ),
        "none",
        PEOPLE,
    ),
    Hook(
        "write_clocks",
        (
            "(s, reversible, plies) -> str",
            "What `write_position` writes, with how many positions before it may come back, and how many"
            " plies were played.",
        ),
        "what `write_position` writes",
        PEOPLE,
    ),
    Hook(
        "read_clocks",
        (
            "(text) -> (states, plies)",
            "What is written there of the game before: the positions that may come back (of those that are"
            " not known, as many states that are none), and the plies played.",
        ),
        "nothing was before",
        PEOPLE,
    ),
    Hook(
        "endgames",
        (
            "an Endgames",
            "How its positions with few pieces are divided into slices and numbered, for endgame tables"
            " ([endgames.md](endgames.md)).",
        ),
        "no endgame tables",
        "`damier tables`",
        checks.endgames,
        When.EVERYWHERE,
    ),
    Hook("title", ("text", "What people call the game."), "the name", PEOPLE),
    Hook("summary", ("text", "One line about the game."), "empty", PEOPLE),
    Hook("description", ("text", "How it is played, in a few sentences."), "empty", PEOPLE),
)
"""In the order of docs/add_a_game.md."""


def as_table() -> str:
    """All hooks as a table in Markdown, for docs/add_a_game.md."""
    lines = ["| hook | signature | what it says | without it | asked by |", "|---|---|---|---|---|"]
    for hook in HOOKS:
        signature = f"`{hook.signature}`" if "->" in hook.signature else hook.signature
        lines.append(f"| `{hook.name}` | {signature} | {hook.meaning} | {hook.otherwise} | {hook.used_by} |")
    return "\n".join(lines)


# What a game gives, checked and completed: a rule that it leaves out has a default.

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
