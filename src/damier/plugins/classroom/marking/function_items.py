"""Items about the functions of a submission: that they agree with the exact answer in every position, and how
they come to it; and what a file imports.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import BYTECODE_SUFFIXES, EXTENSION_SUFFIXES
from pathlib import Path
from typing import Literal

from damier.agents.document_interfaces import marks_of, state_of_board
from damier.agents.languages import Sources, sources_of
from damier.core.errors import AgentFault, BadInput, Unsuitable
from damier.core.game import Game, Position
from damier.core.json_types import JsonValue
from damier.core.moves import holds
from damier.core.rules import State
from damier.core.tree import Tree, to_player
from damier.core.words import FormattedNumber, Message, Text, message
from damier.lab.exercises.tree_drills import TreeDrill, TreeShape
from damier.lab.user_file import not_python, read_source
from damier.plugins.classroom.marking.agent_items import near, score_in_words
from damier.plugins.classroom.marking.answerer import NOTHING_TYPED
from damier.plugins.classroom.marking.submission import (
    OF_A_POSITION,
    ExactTruth,
    Finding,
    Given,
    Positive,
    Submission,
    WrongAnswer,
    following,
    listed,
)
from damier.trees.explicit import TreeAnalysis, search
from damier.trees.replay import Replay

AnswerName = Literal[
    "base-3",
    "complete-tree",
    "legal-moves",
    "optimistic-move",
    "state-index",
    "truncated-tree",
    "winner",
    "winning-move",
]


def check_function(
    submission: Submission,
    truth: ExactTruth,
    *,
    function: str,
    answer: AnswerName,
    takes: tuple[str, ...] = OF_A_POSITION,
) -> Finding:
    """Item of a sheet: a function, asked in positions.

    Args:
        function: its name, or names ("a|b", "State.get_state"): the first of them that there is
        answer: what it must answer: a key of ANSWERS
        takes: what it is given of a position: keys of GIVEN, or NAME() for what that returns
    """
    kind = ANSWERS[answer]
    states = truth.states if kind.ended else truth.decisions
    answers = submission.answers(function, [kind.given(truth.game, s) for s in states], takes)
    wrong = [
        index
        for index, (s, found) in enumerate(zip(states, answers, strict=True))
        if not right(kind.read(found), kind.right(truth, s))
    ]

    def expected(index: int) -> Text:
        return in_words(kind.right(truth, states[index]))

    def got(index: int) -> Text:
        said = in_words([kind.read(answers[index])])
        return repr(answers[index]) if said == expected(index) else said  # '1' is no 1

    return found_in_positions(truth, states, wrong[::-1] if kind.recursive else wrong, expected, got)


def found_in_positions(
    truth: ExactTruth,
    states: Sequence[State],
    wrong: Sequence[int],
    expected: Callable[[int], Text],
    got: Callable[[int], Text],
) -> Finding:
    """Return what came of positions of which some, by their numbers, were answered wrong: the first of these
    is shown.
    """
    if not wrong:
        return Finding(True, message("right in all {n} positions", n=FormattedNumber(len(states), ",")))
    return Finding(
        False,
        message(
            "wrong in {n} of {all} positions",
            n=FormattedNumber(len(wrong), ","),
            all=FormattedNumber(len(states), ","),
        ),
        WrongAnswer(Position(truth.game, states[wrong[0]]), expected(wrong[0]), got(wrong[0])),
    )


def require_given(truth: ExactTruth, *, answer: AnswerName, **_others: object) -> None:
    """Raises Unsuitable for a game whose positions cannot be given in this way."""
    ANSWERS[answer].given(truth.game, truth.game.start)


def right(answer: JsonValue, answers: Sequence[JsonValue]) -> bool:
    """Return whether an answer is among those that are right; True is no 1."""
    return any(answer == each and isinstance(answer, bool) == isinstance(each, bool) for each in answers)


def in_words(answers: Sequence[JsonValue]) -> Text:
    """An answer as people read it, or all that are right."""
    texts = [" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in answers]
    return texts[0] if len(texts) == 1 else message("one of: {answers}", answers=", ".join(texts))


# What a function of a position can be asked for, and the right answers, worked out from the rules.


def as_move(answer: JsonValue) -> JsonValue:
    """A move by its name, also where a number was said."""
    return str(answer) if isinstance(answer, int) and not isinstance(answer, bool) else answer


def as_moves(answer: JsonValue) -> JsonValue:
    """Moves by name, in whatever order."""
    return sorted(str(as_move(move)) for move in answer) if isinstance(answer, list) else answer


@dataclass(frozen=True)
class ExactAnswer:
    """Answers that are right in a position, and how they are asked for.

    Attributes:
        right: the answers that are right in a position
        ended: whether positions are asked in which the game has ended
        read: how an answer is understood
        given: what the function is given of a position
        recursive: whether a mistake goes on to the positions before: the last wrong one tells most
    """

    right: Callable[[ExactTruth, State], Sequence[JsonValue]]
    ended: bool = True
    read: Callable[[JsonValue], JsonValue] = lambda answer: answer
    given: Callable[[Game, State], Given] = lambda game, s: ("position", s)
    recursive: bool = False


def winner(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """The player who has won, from 0; None where nobody has."""
    game = truth.game
    won = [player for player in range(game.players) if game.over(s) and game.payoff(s, player) > 0]
    return won or [None]


def legal_moves(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """The names of all legal moves."""
    return [sorted(truth.game.name_move(s, move) for move in truth.game.legal(s))]


def winning_move(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """Any move that wins whatever the other does; None where there is none."""
    return [*truth.game.name_moves(s, truth.best_moves[s])] if truth.values_to_movers[s] == 1 else [None]


def optimistic_move(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """Any first move of a way on which player 0 wins in the end, the other helping; None where there is
    no such way.
    """
    game = truth.game
    ways = [
        move
        for move in game.legal(s)
        if any(game.over(end) and game.payoff(end, 0) > 0 for end in following(game, game.play(s, move)))
    ]
    return [*game.name_moves(s, game.gathered(ways))] or [None]


def complete_tree(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """Return how many nodes the tree of all games from here has, this one included."""
    game = truth.game

    @cache
    def nodes(at: State) -> int:
        return 1 + sum(nodes(game.play(at, move)) for move in game.legal(at))

    return [nodes(s)]


def truncated_tree(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """Return how many nodes that tree has where a position that stands in it already is one node without any
    below it: the first position, and one node a move of each.
    """
    return [1 + sum(len(truth.game.legal(found)) for found in following(truth.game, s))]


def cells_of(game: Game, s: State) -> list[int]:
    """The cells as document [S0] numbers them: n_0, the last one in reading order, first; 1 for the first
    player, -1 for the second, 0 where it is empty. Raises Unsuitable for a game that is no board of cells.
    """
    if game.grid is None:
        raise Unsuitable(message("{game} is not played on a board of cells", game=game.text))
    grid = game.grid(s)
    signs = dict(zip(grid.looks, (1, -1), strict=False))
    return [signs.get(cell, 0) for row in reversed(grid.rows) for cell in reversed(row)]


def base_3(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """The number of a board in base 3, row A-4: the sum of (n_i + 1) 3^i."""
    return [sum((cell + 1) * 3**place for place, cell in enumerate(cells_of(truth.game, s)))]


def state_index(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """The number of a board of X and O in base 3, row A-64 [S3]."""
    return [state_of_board(marks_of(Position(truth.game, s)))]


ANSWERS: dict[str, ExactAnswer] = {
    "base-3": ExactAnswer(base_3, given=lambda game, s: ("numbers", cells_of(game, s))),
    "complete-tree": ExactAnswer(complete_tree, recursive=True),
    "legal-moves": ExactAnswer(legal_moves, read=as_moves),
    "optimistic-move": ExactAnswer(optimistic_move, ended=False, read=as_move, recursive=True),
    "state-index": ExactAnswer(state_index),
    "truncated-tree": ExactAnswer(truncated_tree, recursive=True),
    "winner": ExactAnswer(winner),
    "winning-move": ExactAnswer(winning_move, ended=False, read=as_move, recursive=True),
}


# A function says the exact value of every position: 1, 0 or -1 for the player to move.


def check_values(
    submission: Submission,
    truth: ExactTruth,
    *,
    function: str,
    ended: bool,
    takes: tuple[str, ...] = OF_A_POSITION,
) -> Finding:
    """Item of a sheet: a function that gives values of positions.

    Args:
        function: its name
        ended: whether it is asked in positions in which the game has ended, or in those alone
        takes: what it is given of a position
    """
    states = [s for s in truth.states if ended == bool(truth.game.over(s))]
    right = [truth.values_to_movers[s] for s in states]
    answers = submission.answers(function, [("position", s) for s in states], takes)
    wrong = [index for index, answer in enumerate(answers) if answer != right[index]]
    return found_in_positions(
        truth,
        states,
        wrong[::-1],  # nearest to the end first: a mistake goes on to the positions before
        lambda index: str(right[index]),
        lambda index: str(answers[index]),
    )


# An agent plays a move of the best value in every position.


def check_best_moves(submission: Submission, truth: ExactTruth, *, agent: str) -> Finding:
    """Item of a sheet: an agent that plays a best move everywhere.

    Args:
        agent: the name of its class
    """
    game, states = truth.game, truth.decisions
    played = submission.decisions(agent, states)
    return found_in_positions(
        truth,
        states,
        [index for index, s in enumerate(states) if not holds(truth.best_moves[s], played[index])],
        lambda index: " ".join(game.name_moves(states[index], truth.best_moves[states[index]])),
        lambda index: game.name_move(states[index], played[index]),
    )


# A function answers with so many calls: at most, where it looks up what it has found or leaves out
# what it need not see; exactly, where it visits every node of a tree.


def check_calls(
    submission: Submission,
    truth: ExactTruth,
    *,
    function: str,
    most: int,
    least: int = 0,
    counted: str = "",
    moves: tuple[str, ...] = (),
    takes: tuple[str, ...] = OF_A_POSITION,
) -> Finding:
    """Item of a sheet: how many calls an answer takes.

    Args:
        function: its name
        most: calls of functions of the file, that one among them
        least: the same; as many as `most` for exactly so many
        counted: the name of a function whose calls alone are counted; empty: those of all
        moves: that lead to the position in which it is asked; none: the first one
        takes: what it is given of that
    """
    position = truth.game.position().play(*moves)
    submission.end()  # what it has looked up before must not help it
    _answer, found = submission.calls(function, position.state, most, counted, takes)
    if least <= found <= most:
        return Finding(True, message("{n} calls for one position", n=FormattedNumber(found, ",")))
    sentence = (
        message("fewer than {least} calls for one position", least=FormattedNumber(least, ","))
        if found < least
        else message(
            "more than {most} calls for one position: too much is worked out, or again and again",
            most=FormattedNumber(most, ","),
        )
    )
    return Finding(False, sentence, wrong_count(position, found, most, least))


def wrong_count(position: Position, found: int, most: int, least: int) -> WrongAnswer:
    highest = FormattedNumber(most, ",")
    expected: Text = (
        highest
        if least == most
        else message("at most {n}", n=highest)
        if not least
        else message("{least} to {most}", least=FormattedNumber(least, ","), most=highest)
    )
    got: Text = message("more than {n}", n=highest) if found > most else FormattedNumber(found, ",")
    return WrongAnswer(position, expected, got)


def require_moves(truth: ExactTruth, *, moves: tuple[str, ...], **_others: object) -> None:
    """Raises BadInput for moves that are not legal."""
    try:
        truth.game.position().play(*moves)
    except BadInput as error:
        raise BadInput(message("the moves of an item: {error}", error=error)) from None


# A function asks a person for a move, with `input`, until what is typed is legal; row A-41 [S1].

NO_MOVES = ("", "?", "0", "99", "-1", "1.5")
"""What a person may type that is no move."""


def check_typed(
    submission: Submission, truth: ExactTruth, *, function: str, takes: tuple[str, ...] = OF_A_POSITION
) -> Finding:
    """Item of a sheet: a function that answers as its document prints it.

    Args:
        function: its name
        takes: what it is given of a position
    """
    game, states = truth.game, truth.decisions
    lines = [typed_at(game, s, number) for number, s in enumerate(states)]
    answers = submission.ask("typed", name=function, states=states, lines=lines, takes=takes)
    for s, typed, found in zip(states, lines, listed(submission, answers, len(states)), strict=True):
        answer, read = listed(submission, found, 2)
        if as_move(answer) != typed[-1] or read != len(typed):
            return Finding(
                False,
                message("typed, line by line: {lines}", lines=" · ".join(repr(line) for line in typed)),
                WrongAnswer(Position(game, s), typed[-1], got(answer, read)),
            )
    return Finding(True, message("it asks again until what is typed is legal"))


def typed_at(game: Game, s: State, number: int) -> list[str]:
    """Return what somebody types: nothing wrong, or a few wrong lines, and then a legal move."""
    legal = [game.name_move(s, move) for move in game.legal(s)]
    wrong = [line for line in NO_MOVES if line not in legal]
    return [*wrong[: number % (len(wrong) + 1)], legal[number % len(legal)]]


def got(answer: JsonValue, read: JsonValue) -> Message:
    """Return what a function returned, in words."""
    if answer == NOTHING_TYPED:
        return message("after {n} lines it reads on", n=read)
    return message("{answer}, after {n} lines", answer=answer, n=read)


# A function searches trees: the value is right, and it reads the ends that the algorithm reads, exactly
# these or at most so many.
#
# What it is given is a node with `player` (0 maximises, 1 minimises), `children`, and at an end
# `value`; an end whose value was read counts.


def check_tree_search(
    submission: Submission,
    truth: ExactTruth,
    *,
    function: str,
    trees: Positive,
    branching: Positive,
    plies: Positive,
    seed: int,
    algorithm: Literal["minimax", "alphabeta-weak", "alphabeta-strict"],
    exactly: bool,
) -> Finding:
    """Item of a sheet: a function that searches random trees.

    Args:
        function: its name
        trees: how many
        branching: moves of a node, at most
        plies: of a tree
        seed: of the trees
        algorithm: minimax; or alpha-beta that cuts at equal values (weak) or not (strict)
        exactly: whether it must read the same ends, or may read fewer
    """
    shape = TreeShape(branching, plies)
    for number in range(trees):
        tree = TreeDrill.of("alphabeta", seed + number, shape).tree
        found = searched(tree, algorithm)
        answers = submission.ask("tree", name=function, root=tree.root, nodes=nodes_of(tree))
        value, read = listed(submission, answers, 2)
        answers = listed(submission, read, None)
        if not near(value, float(to_player(found.value, 0))):
            return wrong(
                message("the value of a tree is wrong"),
                found,
                score_in_words(found.value),
                score_in_words(value),
            )
        if len(answers) > len(found.evaluated) or (exactly and answers != sorted(found.evaluated)):
            return wrong(
                message("the value is right, but other ends of the tree are read than should be"),
                found,
                names_of(tree, sorted(found.evaluated)),
                names_of(tree, [end for end in answers if isinstance(end, int)]),
            )
    return Finding(True, message("right in {n} trees, and no end read in vain", n=trees))


def searched(tree: Tree, algorithm: Literal["minimax", "alphabeta-weak", "alphabeta-strict"]) -> TreeAnalysis:
    if algorithm == "minimax":
        return search(tree, "minimax", trace=True)
    prune: Literal["weak", "strict"] = "weak" if algorithm == "alphabeta-weak" else "strict"
    return search(tree, "alphabeta", prune=prune, trace=True)


def nodes_of(tree: Tree) -> list[tuple[int, list[int], float | None]]:
    """The nodes as they are asked: who moves, the nodes below, the value of an end."""
    return [
        (
            max(node.player, 0),
            [move.child for move in node.moves],
            None if node.value is None else float(to_player(node.value, 0)),
        )
        for node in tree.nodes
    ]


def names_of(tree: Tree, ends: list[int]) -> str:
    """Ends of a tree by name, those that there are."""
    return " ".join(tree.nodes[end].name for end in ends if 0 <= end < len(tree.nodes))


def wrong(sentence: Message, found: TreeAnalysis, expected: Text, got: Text) -> Finding:
    return Finding(False, sentence, WrongAnswer(None, expected, got, Replay(found).scene()))


# A function names the box of a position: the same for two positions if, and only if, they are alike but
# turned or mirrored.


def check_boxes(submission: Submission, truth: ExactTruth, *, function: str) -> Finding:
    """Item of a sheet: a function that names the box of a position.

    Args:
        function: its name; what it returns may be any number, text or list of these
    """
    game, states = truth.game, truth.decisions
    answers = submission.answers(function, [("position", s) for s in states])
    answer_of: dict[State, tuple[State, str]] = {}
    box_of: dict[str, State] = {}
    for s, answer in zip(states, answers, strict=True):
        box = min((game.turn(s, symmetry) for symmetry in range(game.symmetries())), key=tuple)
        name = repr(answer)
        other, before = answer_of.setdefault(box, (s, name))
        if name != before:
            board = " / ".join(game.show(other).splitlines())
            return wrong_box(
                truth, s, message("{answer}, as for {board}", answer=before, board=board), answer
            )
        if box_of.setdefault(name, box) != box:
            return wrong_box(truth, s, message("a box of its own"), answer)
    return Finding(True, message("{n} boxes, as it must be", n=FormattedNumber(len(answer_of), ",")))


def wrong_box(truth: ExactTruth, s: State, expected: Message, answer: JsonValue) -> Finding:
    return Finding(
        False, message("the wrong box"), WrongAnswer(Position(truth.game, s), expected, repr(answer))
    )


# Nothing is imported that a sheet does not allow; read from the source, which does not run for it.

PYTHON = ".py"
COMPILED = (*BYTECODE_SUFFIXES, *EXTENSION_SUFFIXES)
"""Files that could be imported and that nobody can read."""
HIDDEN_DOORS = {"__import__", "__builtins__", "__globals__", "__loader__", "__subclasses__"}
BACK_DOORS = {"eval", "exec", "compile", "open"} | HIDDEN_DOORS
"""Names by which a file could import what it does not say; the hidden ones as attributes too. There are
others: this is a sign for honest people, what holds the others is the sandbox.
"""


def check_imports(submission: Submission, truth: ExactTruth, *, allowed: tuple[str, ...]) -> Finding:
    """Item of a sheet: which modules are imported.

    Args:
        allowed: the modules that may be imported; their parts may be too
    """
    if submission.language is not None:
        return included(sources_of(submission.path))
    files = submission.files()
    own = {Path(place).parts[0].removesuffix(PYTHON) for place in files}
    for place, path in (files or {submission.main.name: submission.main}).items():
        if place.endswith(COMPILED):
            return refusal(place, 1, place, allowed)
        if not place.endswith(PYTHON) and path != submission.main:  # which is asked, whatever it is called
            continue
        if path.name == "__init__.py" and not path.read_bytes().strip():  # of a package, as they often are
            continue
        if found := forbidden(read_source(path), place, own, allowed):
            return found
    return Finding(True, message("only what is allowed is imported"))


def included(sources: Sources) -> Finding:
    """Mark the includes of files in another language, which has what is allowed in a list of its own."""
    allowed, own = sources.language.allowed, {Path(name).stem for name in sources.files}
    own |= {path.stem for path in sources.language.runtime.iterdir()}
    for place, content in sources.files.items():
        for line, text in enumerate(content.decode(errors="replace").splitlines(), 1):
            for found in re.finditer(sources.language.imports, text):
                name = found[1]
                if Path(name).stem not in own and not any(name.startswith(each) for each in allowed):
                    return refusal(place, line, name, allowed)
    return Finding(True, message("only what is allowed is imported"))


def forbidden(source: str, place: str, own: set[str], allowed: tuple[str, ...]) -> Finding | None:
    """The first thing in a source that is not allowed. `own`: the modules of the same folder."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        raise AgentFault(not_python(place, error)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        kind = type(error).__name__
        raise AgentFault(message("{file}: Python cannot read it ({kind})", file=place, kind=kind)) from None
    for node in ast.walk(tree):
        for name in named(node):
            if name in BACK_DOORS or not (is_own(name, place, own) or allows(name, allowed)):
                return refusal(place, getattr(node, "lineno", 1), name, allowed)
    return None


def is_own(name: str, place: str, own: set[str]) -> bool:
    """Return whether a module is of the same folder: by its name, or by dots from within a package there."""
    dots = len(name) - len(name.lstrip("."))
    return 0 < dots < len(Path(place).parts) or name.split(".")[0] in own


def refusal(place: str, line: int, name: str, allowed: tuple[str, ...]) -> Finding:
    sentence = message(
        "{file}:{line}: {name} is not allowed here; allowed: {names}",
        file=place,
        line=line,
        name=name,
        names=" ".join(allowed),
    )
    return Finding(False, sentence)


def allows(name: str, allowed: tuple[str, ...]) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in allowed)


def named(node: ast.AST) -> list[str]:
    """The modules that a node imports, and the back doors that it names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return ["." * node.level + (node.module or "")]
    if isinstance(node, ast.Name) and node.id in BACK_DOORS:
        return [node.id]
    if isinstance(node, ast.Attribute) and node.attr in HIDDEN_DOORS:
        return [node.attr]
    return []
