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
from types import ModuleType
from typing import Final, NamedTuple, TypeAlias

from damier.core import checks, defaults, key_words, keys, rules
from damier.core.checks import TrialState
from damier.core.defaults import Rule
from damier.core.keys import Bits
from damier.core.moves import listing
from damier.core.rules import State

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
        return keys if key_words.words_needed(self.bits) == 1 else key_words

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
