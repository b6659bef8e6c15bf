"""A tree written as one line, as people write it at a blackboard: brackets are nodes, numbers are
leaves.

((3 12 8) (2 4 6) (14 5 2))                     MAX at the top, then MIN, in turn
max(min(3 12) p3(5 1))                          who moves, where it is not in turn: max min chance
                                                p1 p2 …
max(chance(1/4:8 3/4:20) chance(12 16))         how likely: all alike where nothing is said
p1(p2([3 1 5] [4 2 0]) p2([2 6 1] [0 0 9]))     one number for each player
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from pathlib import Path

from damier.core.errors import BadFile, BadInput
from damier.core.json_data import read_json, require_keys, whole_number, write_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.rules import CHANCE
from damier.core.tree import TERMINAL, Move, Node, Number, Payoffs, Tree
from damier.core.words import FormattedNumber, _, decimal, message, printable

MOST_PLAYERS = 9
NUMBER = r"[-−]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
TOKEN = re.compile(
    rf"(?P<space>\s+)|(?P<comma>,)|(?P<mover>max|min|chance|p[1-9])?\s*(?P<open>\()|(?P<close>\))"
    rf"|(?P<share>{NUMBER}(?:/[0-9]+)?)\s*:|(?P<leaf>{NUMBER}|\[[^\[\]()]*\])"
)
LONGEST_NUMBER = 15
MOVERS = {"max": 0, "min": 1, "chance": CHANCE}


@dataclass
class Written:
    """A node as it is written: where, how likely, who moves, what is below; of a leaf, its numbers."""

    place: int = 0
    share: float | None = None
    mover: int | None = None
    below: list[Written] = field(default_factory=list)
    numbers: tuple[Number, ...] = ()


def parse(text: str) -> Tree:
    """The tree that is written; its nodes are A, B, C … ply by ply, its moves a, b, c …. Raises
    BadInput, with the place in the text.
    """
    root = Written()
    path, share = [root], None
    place, before = 0, ""  # the kind of the token before, spaces left out
    while place < len(text):
        token = TOKEN.match(text, place)
        if token is None:
            raise wrong(_("{sign} has no meaning in a tree", sign=text[place]), place)
        if len(path) == 1 and root.below and not token["space"]:
            raise wrong(_("the tree has ended before"), place)
        if token["comma"] and (before not in ("leaf", "close") or len(path) == 1):
            raise wrong(_("a leaf without a value: nothing stands before this comma"), place)
        if token["close"] and before == "comma":
            raise wrong(_("a leaf without a value: nothing stands after the comma"), place)
        number_again = (token["leaf"] or token["share"] or "[").lstrip()[0] != "["
        if number_again and before == "leaf" and text[place - 1] not in "]" and not text[place - 1].isspace():
            raise wrong(_("a space or a comma is missing between two leaves"), place)
        if token["close"]:
            close(path, share, place)
        elif token["share"]:
            share = probability(token["share"], share, place)
        elif not (token["space"] or token["comma"]):
            made = Written(
                place,
                share,
                None if token["open"] else 0,
                numbers=numbers(token["leaf"], place) if token["leaf"] else (),
            )
            share = None
            path[-1].below.append(made)
            if token["open"]:
                word = token["mover"]
                made.mover = (
                    None if word is None else MOVERS.get(word, int(word[1]) - 1 if word[0] == "p" else 0)
                )
                path.append(made)
        before = before if token["space"] else token.lastgroup or ""
        place = token.end()
    if len(path) > 1 or not root.below or root.below[0].numbers:
        raise wrong(
            _("a ) is missing") if len(path) > 1 else _("a tree is written like ((3 12 8) (2 4 6) (14 5 2))"),
            place,
        )
    return built(root.below[0])


def wrong(sentence: str, place: int) -> BadInput:
    return BadInput(message("character {n} of the tree: {sentence}", n=place + 1, sentence=sentence))


def close(path: list[Written], share: float | None, place: int) -> None:
    """A node is complete. Raises BadInput."""
    if len(path) == 1:
        raise wrong(_("there is no ( for this )"), place)
    node = path.pop()
    if not node.below or share is not None:
        raise wrong(_("a node needs something below it"), place)
    shares = [child.share for child in node.below]
    if node.mover != CHANCE and any(each is not None for each in shares):
        raise wrong(_("probabilities stand below chance only: chance(1/2:3 1/2:5)"), place)
    given = [each for each in shares if each is not None]
    if given and (len(given) < len(shares) or abs(sum(given) - 1) > 1e-6):
        raise wrong(
            _(
                "the probabilities sum to {total}; they must be given for all moves and sum to 1",
                total=decimal(sum(given)),
            ),
            place,
        )


def probability(text: str, before: float | None, place: int) -> float:
    """A probability, written 0.25 or 1/4. Raises BadInput."""
    above, _slash, below = text.partition("/")
    found = float(number(above, place)) / (float(number(below, place)) or float("nan") if below else 1)
    if before is not None or not 0 <= found <= 1:
        raise wrong(_("{text} is no probability: one number from 0 to 1 for each move", text=text), place)
    return found


def numbers(text: str, place: int) -> tuple[Number, ...]:
    """The numbers of a leaf: one, or one for each player in [ ]. Raises BadInput."""
    parts = text.strip("[]").split(",")
    words = [word for part in parts for word in part.split()]
    if (
        not all(map(str.strip, parts))
        or not all(re.fullmatch(NUMBER, word) for word in words)
        or len(words) > MOST_PLAYERS
    ):
        raise wrong(
            _(
                "{text}: a leaf is one number, or one for each player in [ ], {most} at most",
                text=text,
                most=MOST_PLAYERS,
            ),
            place,
        )
    return tuple(number(word, place) for word in words)


def number(text: str, place: int) -> Number:
    if len(text) > LONGEST_NUMBER:
        raise wrong(_("{text} is too long for a number", text=text), place)
    text = text.replace("−", "-")
    return int(text) if text.lstrip("-").isdigit() else float(text)


def built(root: Written) -> Tree:
    """The tree, its nodes numbered and named ply by ply.

    Raises BadInput where leaves differ in how many players they know.
    """
    order = [(root, 0, "")]  # with the ply, and the name of a leaf; grows while it is read
    first: list[int] = []
    names = inner_names()
    named = []
    for node, ply, leaf_name in order:
        first.append(len(order))
        name = leaf_name if node.numbers else next(names)
        named.append(name)
        order += [
            (child, ply + 1, f"{name},{move}") for child, move in zip(node.below, move_names(), strict=False)
        ]
    players = players_of([node for node, _ply, _name in order])
    nodes = []
    for number, (node, ply, _name) in enumerate(order):
        if node.numbers:
            nodes.append(Node(named[number], TERMINAL, (), payoffs(node.numbers, players), None))
            continue
        n = len(node.below)
        moves = zip(
            move_names(),
            range(first[number], first[number] + n),
            (child.share for child in node.below),
            strict=False,
        )
        mover = ply % players if node.mover is None else node.mover
        nodes.append(
            Node(
                named[number],
                mover,
                tuple(Move(name, child, 1 / n if share is None else share) for name, child, share in moves),
                None,
                None,
            )
        )
    return Tree(tuple(nodes), 0, players)


def players_of(nodes: Sequence[Written]) -> int:
    """Return how many players a tree is for. Raises BadInput."""
    several = {len(node.numbers) for node in nodes} - {0, 1}
    players = max([2, *several, *(node.mover + 1 for node in nodes if node.mover is not None)])
    # one number is player 0's, where no leaf has more, or there is one other, who loses it
    enough = {0, players} if several and players > 2 else {0, 1, players}
    for node in nodes:
        if len(node.numbers) not in enough:
            sentence = _(
                "a leaf with {n} of {players} numbers; there is one for each player",
                n=len(node.numbers),
                players=players,
            )
            raise wrong(sentence, node.place)
    return players


def payoffs(numbers: tuple[Number, ...], players: int) -> Payoffs:
    return (numbers[0], -numbers[0]) if len(numbers) == 1 and players == 2 else numbers


def inner_names() -> Iterator[str]:
    """A to Z, then A1 to Z1, and so on."""
    return (f"{letter}{turn or ''}" for turn in count() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def move_names() -> Iterator[str]:
    return (name.lower() for name in inner_names())


def written(tree: Tree) -> str:
    """A tree as one line; what `parse` makes a tree like it of.

    A node that two moves lead to is written twice: the caller knows its size.

    >>> written(parse("((3 12 8) (2 4 6) p1(14 5 2))"))
    '((3 12 8) (2 4 6) max(14 5 2))'
    """
    has_vectors = any(len(node.value or ()) > 2 for node in tree.nodes)
    parts: list[str] = []
    todo: list[tuple[str, int, int]] = [("", tree.root, 0)]  # a text, or a node with its ply after it
    while todo:
        text, number, ply = todo.pop()
        parts.append(text)
        if number < 0:
            continue
        node = tree.nodes[number]
        if node.player == TERMINAL:
            parts.append(leaf_text(node.value or node.evaluation or (0,)))
            continue
        parts.append(mover_text(tree, number, ply, has_vectors) + "(")
        todo.append((")", -1, 0))
        for place, move in reversed(list(enumerate(node.moves))):
            share = f"{share_text(move.probability)}:" if node.player == CHANCE else ""
            todo.append((" " * (place > 0) + share, move.child, ply + 1))
    return "".join(parts)


def mover_text(tree: Tree, number: int, ply: int, has_vectors: bool) -> str:
    """Return who moves, where that is not whose turn it is; from the third player on also where it is,
    unless the leaves have `has_vectors` how many players there are.
    """
    mover = tree.mover(number, ply)
    if mover == ply % tree.players and (mover < 2 or has_vectors):
        return ""
    return {0: "max", 1: "min", CHANCE: "chance"}.get(mover, f"p{mover + 1}")


def share_text(share: float) -> str:
    """A probability as it is read.

    >>> share_text(0.25), share_text(1 / 3), share_text(0.1234567890123456)
    ('0.25', '1/3', '0.12345678901')
    """
    near = Fraction(share).limit_denominator(1000)
    exact = float(number_text(share)) == share or float(near) != share
    return number_text(share) if exact else f"{near.numerator}/{near.denominator}"


def leaf_text(payoffs: Payoffs) -> str:
    single = len(payoffs) == 1 or (len(payoffs) == 2 and payoffs[1] == -payoffs[0])
    return number_text(payoffs[0]) if single else "[" + " ".join(map(number_text, payoffs)) + "]"


def number_text(number: Number) -> str:
    """A number in at most `LONGEST_NUMBER` signs, as it is read.

    >>> number_text(-3.0), number_text(0.1 + 0.2), number_text(1e-5), number_text(123456789012345)
    ('-3', '0.3', '0.00001', '123456789012345')
    """
    if number == int(number):
        return str(int(number))
    decimals = max(0, LONGEST_NUMBER - 3 - len(str(int(abs(number)))))
    return f"{number:.{decimals}f}".rstrip("0").rstrip(".")


# The file of an explicit tree: read, checked as a whole, and written.

FORMAT = "damier-tree/1"
MOST_IN_FILE = 1000
KEYS = ("format", "players", "turn", "root", "nodes", "evaluation")


def load(path: Path) -> Tree:
    """The tree in a file. Raises BadFile, with what is wrong and where."""
    try:
        return tree_of(read_json(path, FORMAT))
    except BadFile as error:
        raise (
            error if str(path) in str(error) else BadFile(message("{path}: {error}", path=path, error=error))
        ) from None


def save(tree: Tree, path: Path) -> None:
    """Writes a tree, in one step. Raises BadInput if the place cannot be written."""
    write_json(path, facts(tree))


def tree_of(data: Mapping[str, JsonValue]) -> Tree:
    """The tree that plain data describes. Raises BadFile."""
    require_keys(data, KEYS, _("the tree"))
    players, written, evaluation = (
        whole_number(data.get("players", 2)),
        data.get("nodes"),
        data.get("evaluation", {}),
    )
    if players is None or not 1 <= players <= MOST_IN_FILE:
        raise BadFile(
            message(
                "players is {players}; it must be a whole number from 1 to {most}",
                players=data["players"],
                most=MOST_IN_FILE,
            )
        )
    if not isinstance(written, dict) or not written or not isinstance(evaluation, dict):
        raise BadFile(
            message("nodes, and evaluation where it is given, are objects with a value for each name")
        )
    if data.get("turn", "node") not in ("node", "cycle"):
        raise BadFile(message("turn is {turn}; it must be cycle, or be left out", turn=data["turn"]))
    cycle = data.get("turn") == "cycle"
    numbers = {name: number for number, name in enumerate(written)}
    if not isinstance(data.get("root"), str):
        raise BadFile(message("root is missing; it is the name of the first node"))
    if unknown := [name for name in (data["root"], *evaluation) if name not in numbers]:
        raise BadFile(message("there is no node {name}", name=unknown[0]))
    nodes = tuple(
        node_of(name, node, players, cycle, numbers, evaluation.get(name)) for name, node in written.items()
    )
    tree = Tree(nodes, numbers[data["root"]], players, cycle)
    refuse_cycles(tree)
    return tree


def node_of(
    name: str, data: JsonValue, players: int, cycle: bool, numbers: Mapping[str, int], evaluation: JsonValue
) -> Node:
    """One node. Raises BadFile."""
    if not isinstance(data, dict):
        raise BadFile(message("node {name} is not an object", name=name))
    require_keys(data, ("player", "terminal", "value", "moves"), _("node {name}", name=name))
    known = payoffs_from(name, evaluation, players)
    if type(data.get("terminal", False)) is not bool:
        raise BadFile(
            message(
                "node {name}: terminal is {terminal}; it must be true or false",
                name=name,
                terminal=data["terminal"],
            )
        )
    if data.get("terminal", "moves" not in data):
        if data.get("moves"):
            raise BadFile(message("node {name} is an end, and has moves", name=name))
        if data.get("value") is None and evaluation is None:
            raise BadFile(message("node {name} is an end without a value, and has no evaluation", name=name))
        return Node(name, TERMINAL, (), payoffs_from(name, data.get("value"), players), known)
    player = data.get("player", 0 if cycle else None)
    number = CHANCE if player == "chance" else whole_number(player)
    if number is None or not (player == "chance" or 0 <= number < players):
        raise BadFile(
            message(
                "node {name}: player is {player}; it must be from 0 to {last}, or chance",
                name=name,
                player=player,
                last=players - 1,
            )
        )
    moves = moves_of(name, data.get("moves"), numbers, chance=player == "chance")
    return Node(name, number, moves, payoffs_from(name, data.get("value"), players), known)


def moves_of(name: str, data: JsonValue, numbers: Mapping[str, int], *, chance: bool) -> tuple[Move, ...]:
    """The moves of a node, in their order. Raises BadFile."""
    if not isinstance(data, list) or not data:
        raise BadFile(message("node {name} has no moves, and is no end (terminal: true)", name=name))
    moves = []
    for move in data:
        if (
            not isinstance(move, list)
            or len(move) not in (2, 3)
            or not all(isinstance(word, str) for word in move[:2])
        ):
            raise BadFile(
                message(
                    'node {name}: a move is ["name", "child"], with a probability where chance moves',
                    name=name,
                )
            )
        if move[1] not in numbers:
            raise BadFile(
                message(
                    "node {name}: move {move} leads to {child}, which is no node",
                    name=name,
                    move=move[0],
                    child=move[1],
                )
            )
        if len(move) == 3 and not chance:
            raise BadFile(
                message(
                    "node {name}: move {move} has a probability, and no chance moves there",
                    name=name,
                    move=move[0],
                )
            )
        if len(move) == 3 and (type(move[2]) not in (int, float) or not 0 <= move[2] <= 1):
            raise BadFile(
                message(
                    "node {name}: the probability of {move} is {p}; it is from 0 to 1",
                    name=name,
                    move=move[0],
                    p=move[2],
                )
            )
        moves.append(Move(move[0], numbers[move[1]], move[2] if len(move) == 3 else 1 / len(data)))
    if len({move.name for move in moves}) < len(moves):
        raise BadFile(message("node {name} has two moves of the same name", name=name))
    given = {len(move) for move in data}
    if chance and (len(given) > 1 or abs(sum(move.probability for move in moves) - 1) > 1e-6):
        total = sum(move.probability for move in moves)
        raise BadFile(
            message(
                "node {name}: the probabilities sum to {total}; they must be given for all moves and sum"
                " to 1",
                name=name,
                total=FormattedNumber(total),
            )
        )
    return tuple(moves)


def payoffs_from(name: str, data: JsonValue, players: int) -> Payoffs | None:
    """Return what a node is worth to each player; one number is player 0's, and a second player loses what
    the first wins. Raises BadFile.
    """
    if data is None:
        return None
    written = data if isinstance(data, list) else [data]
    numbers = [
        number for number in written if isinstance(number, (int, float)) and not isinstance(number, bool)
    ]
    if not all(abs(number) < 1e300 for number in numbers):
        said = message(
            "node {name}: {value} is no number from -1e300 to 1e300", name=name, value=printable(data, 60)
        )
        raise BadFile(said)
    if len(numbers) < len(written):
        raise BadFile(message("node {name}: {value} is no number", name=name, value=printable(data, 60)))
    if isinstance(data, list):
        if len(data) != players:
            raise BadFile(
                message(
                    "node {name}: {n} numbers for {players} players", name=name, n=len(data), players=players
                )
            )
        return tuple(numbers)
    return (numbers[0], -numbers[0]) if players == 2 else (numbers[0],)


def refuse_cycles(tree: Tree) -> None:
    """Raises BadFile where a node can follow itself."""
    state = bytearray(len(tree.nodes))  # 0 new, 1 on the path, 2 done
    for start in range(len(tree.nodes)):
        path = [(start, iter(tree.nodes[start].moves))] if not state[start] else []
        if path:
            state[start] = 1
        while path:
            number, moves = path[-1]
            move = next(moves, None)
            if move is None:
                state[number] = 2
                path.pop()
            elif state[move.child] == 1:
                raise BadFile(
                    message(
                        "node {name} can follow itself; a tree has no way back",
                        name=tree.nodes[move.child].name,
                    )
                )
            elif state[move.child] == 0:
                state[move.child] = 1
                path.append((move.child, iter(tree.nodes[move.child].moves)))


def facts(tree: Tree) -> JsonObject:
    """A tree as plain data."""

    def short(numbers: Payoffs) -> JsonValue:
        return (
            numbers[0]
            if len(numbers) == 1 or (len(numbers) == 2 and numbers[1] == -numbers[0])
            else list(numbers)
        )

    nodes: JsonObject = {}
    for node in tree.nodes:
        data: JsonObject = (
            {"terminal": True}
            if node.player == TERMINAL
            else {"player": "chance" if node.player == CHANCE else node.player}
        )
        if node.value is not None:
            data["value"] = short(node.value)
        if node.moves:
            chance: list[list[JsonValue]] = [
                [move.name, tree.nodes[move.child].name, move.probability] for move in node.moves
            ]
            data["moves"] = chance if node.player == CHANCE else [move[:2] for move in chance]
        nodes[node.name] = data
    found: JsonObject = {
        "format": FORMAT,
        "players": tree.players,
        "root": tree.nodes[tree.root].name,
        "nodes": nodes,
    }
    if tree.cycle:
        found["turn"] = "cycle"
    if evaluation := {
        node.name: short(node.evaluation) for node in tree.nodes if node.evaluation is not None
    }:
        found["evaluation"] = evaluation
    return found
