"""The file of an explicit tree (spec D, "Tree file"): read, checked as a whole, and written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from damier.core.errors import BadFile
from damier.core.json_data import read_json, require_keys, whole_number, write_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.rules import CHANCE
from damier.core.tree import TERMINAL, Move, Node, Payoffs, Tree
from damier.core.words import FormattedNumber, _, message, printable

FORMAT = "damier-tree/1"
MOST_PLAYERS = 1000
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
    if players is None or not 1 <= players <= MOST_PLAYERS:
        raise BadFile(
            message(
                "players is {players}; it must be a whole number from 1 to {most}",
                players=data["players"],
                most=MOST_PLAYERS,
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
    known = payoffs(name, evaluation, players)
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
        return Node(name, TERMINAL, (), payoffs(name, data.get("value"), players), known)
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
    return Node(name, number, moves, payoffs(name, data.get("value"), players), known)


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


def payoffs(name: str, data: JsonValue, players: int) -> Payoffs | None:
    """What a node is worth to each player; one number is player 0's, and a second player loses what
    the first wins. Raises BadFile.
    """
    if data is None:
        return None
    written = data if isinstance(data, list) else [data]
    numbers = [
        number for number in written if isinstance(number, (int, float)) and not isinstance(number, bool)
    ]
    if len(numbers) < len(written) or not all(abs(number) < 1e300 for number in numbers):
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
