"""Everything that a game may give, declared once: what it means, and what stands in for it; then what a
game gives, checked and completed.

A rule's name, signature and meaning are those of its function in `damier.core.rules`. The
parameters and attributes of `Game` and the table in docs/add_a_game.md are checked against this
table (tests/core/test_hooks.py); `scripts/hooks` writes the latter.

To add a rule: its function in `rules.py`, its check in `checks.py`, a line here, a parameter and an attribute
of `Game`; then `scripts/hooks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from types import ModuleType
from typing import Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from damier.core import codes, keys, rules
from damier.core.bits import position_of
from damier.core.encoding import planes_of_fields
from damier.core.errors import BadGame
from damier.core.keys import Bits, default_bits, flat, widths
from damier.core.moves import by_number, index_of, listing, numbered, turned_by_number
from damier.core.rules import NOT_ZERO_SUM, ONGOING, AnyPast, Field, Moves, Rule, State, loss_in, win_in
from damier.core.words import message

S = TypeVar("S", bound=State)
Stages: TypeAlias = "Sequence[Sequence[Slice]]"


class Slice(NamedTuple):
    """Positions with the same pieces.

    Attributes:
        number: what `slice_of` answers for them, from 0
        name: for people and files: KQ-K
        places: how many places they have, some of which may hold no position
    """

    number: int
    name: str
    places: int


@dataclass(frozen=True)
class Endgames(Generic[S]):
    """Functions that a game gives so that tables can be made of its endings: functions of its states,
    compiled like its rules, but for `stages`.

    Attributes:
        stages: stages(n): all slices with up to n pieces, in the order in which they can be solved. A move
            leads to a slice of an earlier stage, or stays in its own. stages(n) begins with stages(n - 1)
        slice_of: slice_of(s): the number of its slice; negative where no slice holds it
        place_of: place_of(s): its place there; negative where it holds no such position. Positions of equal
            value, such as images of each other, may share a place
        state_at: state_at(slice, place): the position at a place. Where there is none: any state that has
            another slice or place, or none
        unmoves: unmoves(s, found): the moves that may have led to `s` within its slice, each an int as a move
            of a list is. Every such move once, whichever of the images of a position it comes from; a way
            back to what is no position is passed over. Without it tables are made by forward passes, which
            takes longer the longer the wins are
        unplay: unplay(s, unmove): the position before it; given together with `unmoves`
        most_pieces: the most pieces that can be asked for
    """

    stages: Callable[[int], Stages]
    slice_of: Callable[[S], int]
    place_of: Callable[[S], int]
    state_at: Callable[[int, int], S]
    unmoves: Callable[[S, list[int]], None] | None = None
    unplay: Callable[[S, int], S] | None = None
    most_pieces: int = 5


# Rules that a game leaves out, made from those that it gives.

Anything = TypeVar("Anything")


class StateWithMover(State, Protocol):
    """A state that says whose turn it is."""

    @property
    def mover(self) -> int: ...


def over_by_outcome(outcome: Callable[[State], int]) -> Callable[[State], bool]:
    """`over` of a game that gives `outcome`."""

    def over(s: State) -> bool:
        return outcome(s) != ONGOING

    return over


def payoff_by_outcome(
    outcome: Callable[[State], int], mover: Callable[[State], int]
) -> Callable[[State, int], int]:
    """`payoff` of a zero-sum game of two players."""

    def payoff(s: State, player: int) -> int:
        value = outcome(s)
        return value if player == mover(s) else -value

    return payoff


def outcome_by_payoff(
    over: Callable[[State], bool], payoff: Callable[[State, int], int], mover: Callable[[State], int]
) -> Callable[[State], int]:
    """`outcome`, for games of two players."""

    def outcome(s: State) -> int:
        if not over(s):
            return ONGOING
        value = payoff(s, mover(s))
        return value if payoff(s, 1 - mover(s)) == -value else NOT_ZERO_SUM

    return outcome


def maker(make: Callable[..., State]) -> Callable[[tuple[Field, ...]], State]:
    """`as_state`."""

    def as_state(fields: tuple[Field, ...]) -> State:
        return make(*fields)

    return as_state


def mover_field(s: StateWithMover) -> int:
    """`mover`, of a state that says it."""
    return s.mover


def unturned(of: Anything, symmetry: int) -> Anything:
    """`turn` and `turn_move` of a game without symmetries."""
    return of


def unchanged(s: State) -> State:
    """`canonical` and `seen_as` of a game that gives none."""
    return s


def even(s: State, move: int) -> float:
    """`chance` of a fair die."""
    return 1.0


def nothing(s: State, move: int) -> int:
    """`reward` and `move_score` of a game that gives none."""
    return 0


def quiet(s: State) -> bool:
    """`threatened` of a game that gives none."""
    return False


def no_noisy_moves(s: State) -> int:
    """`noisy_moves` of a game that gives none, where moves are a set."""
    return 0


def none_listed(s: State, found: list[int]) -> None:
    """Add no move, where moves are listed."""


def nothing_yet(s: State) -> int:
    """`ply` of a game that does not count them, and `plies_left` of one that cannot tell."""
    return 0


def whatever_was(s: State, past: AnyPast) -> State:
    """`with_past` of a game whose past does not matter."""
    return s


def reversible(s: State, move: int) -> bool:
    """`irreversible` of a game that gives none."""
    return False


def action_by_bit(s: State, move: int) -> int:
    """`action` of a game whose moves are bits."""
    return position_of(move)


def action_by_number(s: State, move: int) -> int:
    """`action` of a game whose moves are numbers of bits."""
    return move - 1


def action_by_place(moves: Callable[[State], Moves]) -> Callable[[State, int], int]:
    """`action` of a game that lists its moves: the place in the list."""

    def action(s: State, move: int) -> int:
        return index_of(moves(s), move)

    return action


def constant(n: int) -> Callable[[], int]:
    """`symmetries`."""
    return lambda: n


def anything(s: State) -> tuple[int, int]:
    """`bounds` of a game that gives none: any move may end it, for better or for worse."""
    return loss_in(1), win_in(1)


class Given(NamedTuple):
    """The material of defaults: the rules that the game gives, by name, and what it says of
    its states.
    """

    rules: Mapping[str, Rule]
    make: Callable[..., State]
    bits: Bits
    symmetries: int
    most_moves: int
    moves_are_bits: bool
    moves_are_listed: bool

    @property
    def packing(self) -> ModuleType:
        """Return what makes keys of such states."""
        return keys if codes.words_needed(self.bits) == 1 else codes

    def mover(self) -> Rule:
        return self.rules.get("mover", mover_field)

    def action(self) -> Rule:
        """Return the rule `action` of a game that gives none."""
        if self.moves_are_listed:
            return action_by_place(self.rules["moves"])
        return action_by_bit if self.moves_are_bits else action_by_number


class Hook(NamedTuple):
    """Something that a game gives, or leaves out.

    Attributes:
        says: its function in `rules`; of what is no rule, its signature and its meaning
        otherwise: what holds where it is left out, in words
        used_by: who asks for it
        default: of a rule: makes the one that is left out; None where it cannot be left out
    """

    name: str
    says: Rule | tuple[str, str]
    otherwise: str
    used_by: str
    default: Callable[[Given], Rule] | None = None


REQUIRED = "required"
EVERYTHING, SOLVERS, SEARCHES, LEARNERS, NETWORKS, PEOPLE = (
    "everything",
    "solving, counting",
    "searches",
    "learners",
    "environments",
    "people",
)

HOOKS: Final = (
    Hook("name", ("text", "The game's own name."), REQUIRED, PEOPLE),
    Hook("start", ("a state", "The first state."), REQUIRED, EVERYTHING),
    Hook(
        "moves",
        rules.moves,
        REQUIRED,
        EVERYTHING,
    ),
    Hook(
        "play",
        rules.play,
        REQUIRED,
        EVERYTHING,
    ),
    Hook(
        "outcome",
        rules.outcome,
        "from `over` and `payoff`",
        "solving, counting, searches",
        default=lambda g: outcome_by_payoff(g.rules["over"], g.rules["payoff"], g.mover()),
    ),
    Hook(
        "over",
        rules.over,
        "from `outcome`",
        EVERYTHING,
        default=lambda g: over_by_outcome(g.rules["outcome"]),
    ),
    Hook(
        "payoff",
        rules.payoff,
        "from `outcome`, zero-sum",
        EVERYTHING,
        default=lambda g: payoff_by_outcome(g.rules["outcome"], g.mover()),
    ),
    Hook(
        "mover",
        rules.mover,
        "the field `mover`",
        EVERYTHING,
        default=Given.mover,
    ),
    Hook("players", ("int", "How many there are."), "2", EVERYTHING),
    Hook(
        "chance",
        rules.chance,
        "no chance nodes",
        "playing, searches",
        default=lambda g: even,
    ),
    Hook("reward", rules.reward, "0", LEARNERS, default=lambda g: nothing),
    Hook(
        "imperfect_information",
        ("bool", "Whether a player cannot see all of the state."),
        "`False`: perfect information",
        EVERYTHING,
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
        default=lambda g: nothing_yet,
    ),
    Hook(
        "plies_left",
        rules.plies_left,
        "0: not known",
        SEARCHES,
        default=lambda g: nothing_yet,
    ),
    Hook("states", ("int", "An upper bound on the number of positions."), "no bound", SOLVERS),
    Hook(
        "key",
        rules.key,
        "from `bits`",
        "solving, searches, learners",
        default=lambda g: g.packing.packer(g.bits),
    ),
    Hook("unkey", rules.unkey, "from `bits`", SOLVERS, default=lambda g: g.packing.unpacker(g.bits, g.make)),
    Hook("symmetries", ("int", "How many there are, the identity included."), "1", "counting, learners"),
    Hook(
        "turn",
        rules.turn,
        "required if `symmetries` > 1",
        "counting, learners",
        default=lambda g: unturned,
    ),
    Hook(
        "turn_move",
        rules.turn_move,
        "required if `symmetries` > 1",
        LEARNERS,
        default=lambda g: unturned,
    ),
    Hook("move_score", rules.move_score, "0", SEARCHES, default=lambda g: nothing),
    Hook(
        "non_losing_moves",
        rules.non_losing_moves,
        "all legal moves",
        SEARCHES,
        default=lambda g: g.rules["moves"],
    ),
    Hook(
        "bounds",
        rules.bounds,
        "the next move may win or lose",
        SEARCHES,
        default=lambda g: anything,
    ),
    Hook(
        "noisy_moves",
        rules.noisy_moves,
        "none",
        SEARCHES,
        default=lambda g: no_noisy_moves if g.moves_are_bits else listing(none_listed),
    ),
    Hook(
        "null_move",
        rules.null_move,
        "`s` itself: nobody passes",
        SEARCHES,
        default=lambda g: unchanged,
    ),
    Hook(
        "threatened",
        rules.threatened,
        "`False`",
        SEARCHES,
        default=lambda g: quiet,
    ),
    Hook(
        "canonical",
        rules.canonical,
        "`s` itself",
        LEARNERS,
        default=lambda g: unchanged,
    ),
    Hook(
        "planes",
        rules.planes,
        "every int of the state, bit by bit",
        NETWORKS,
        default=lambda g: planes_of_fields(g.bits, g.rules.get("canonical", unchanged), g.mover()),
    ),
    Hook(
        "plane_layout",
        ("a PlaneLayout", "The rows and columns of the planes, what each holds, and which bit each cell is."),
        "one row, as long as the widest int of the state",
        NETWORKS,
    ),
    Hook(
        "action",
        rules.action,
        "the bit of a move, or its place in the list of moves",
        NETWORKS,
        default=Given.action,
    ),
    Hook("actions", ("int", "How many actions there are."), "`most_moves`", NETWORKS),
    Hook("seen_as", rules.seen_as, "`s` itself", SEARCHES, default=lambda g: unchanged),
    Hook(
        "with_past",
        rules.with_past,
        "positions before do not matter",
        "playing, searches",
        default=lambda g: whatever_was,
    ),
    Hook(
        "irreversible",
        rules.irreversible,
        "`False`: every position may come back",
        "playing, searches",
        default=lambda g: reversible,
    ),
    Hook(
        "features",
        (
            "{name: (s) -> number}",
            "What a search may judge a position by, from the side of player 0: `evaluate=2*name`.",
        ),
        "no evaluation",
        SEARCHES,
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
    ),
    Hook(
        "say_move",
        ("(s, move) -> str", "A move as people write it, where that is not its name: `Nf3`."),
        "its name",
        PEOPLE,
    ),
    Hook(
        "grid",
        ("(s) -> board", "The board as data: a Grid, Hexagons, Points or NumberBoard."),
        "no picture of a board",
        PEOPLE,
    ),
    Hook(
        "show",
        ("(s) -> str", "The board as text."),
        "the grid, or the fields",
        PEOPLE,
    ),
    Hook(
        "place",
        ("(s, move) -> tuple", "The places of the board that a move belongs to."),
        "moves are listed beside the board",
        PEOPLE,
    ),
    Hook(
        "ways",
        (
            "(s, move) -> tuple of tuples",
            "All ways to point at a move, place by place, of which that of `place` is the one that is drawn.",
        ),
        "what `place` says",
        PEOPLE,
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
    ),
    Hook(
        "sides", ("texts", "What people call each player by: White, Black."), "players are numbered", PEOPLE
    ),
    Hook("title", ("text", "What people call the game."), "the name", PEOPLE),
    Hook("summary", ("text", "One line about the game."), "empty", PEOPLE),
    Hook("description", ("text", "How it is played, in a few sentences."), "empty", PEOPLE),
)
"""In the order of docs/add_a_game.md."""


WIDEST = 4096
"""The most bits of a field, or of a set of moves, and the most moves of a list."""
OF_MOVES = ("moves", "non_losing_moves", "noisy_moves")
"""The rules that answer moves."""
OF_A_MOVE = ("play", "chance", "reward", "move_score", "irreversible", "action")
"""The rules of a state and a move."""
MOST_ACTIONS = 1 << 16
LISTED = 1000
"""The most moves of a position of a game that lists them, if it says nothing else."""


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


def checked_number(name: str, parameter: str, given: int | None, usual: int, most: int) -> int:
    """A number that a game gives, or the usual one. Raises BadGame for one that is not from 1 to `most`."""
    if given is None:
        return usual
    if type(given) is not int or not 0 < given <= most:
        raise BadGame(
            message(
                "{name}: {parameter}={n}; it is a whole number from 1 to {most}",
                name=name,
                parameter=parameter,
                n=given,
                most=most,
            )
        )
    return given


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
                "{name}: players={players}, states={states}; there is at least one player, and both are whole"
                " numbers",
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
    """Return whether a rule `moves` takes a list to which it appends."""
    try:
        parameters = signature(moves).parameters.values()
    except (TypeError, ValueError):
        return False
    by_place = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len([p for p in by_place if p.default is p.empty]) == 2
