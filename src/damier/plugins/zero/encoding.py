"""Encoding of a game for a network: what it sees of a position and what it answers, which follow from the
game's own state.

It sees the position as its mover does (`canonical`), field by field: a board as its bits, an int of a tuple
also as one number from 0 to 1; then whether player 0 is to move, and the game's features from the mover's
side. It answers with one number for every move, by the move's bit or number; moves that are listed are
spread over slots by a hash.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import lru_cache

from damier.core.bits import mix64, position_of, reseed
from damier.core.codes import Reader, places, reader_of
from damier.core.compile import Bindings, instantiate
from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.json_types import JsonObject
from damier.core.past import Line
from damier.core.player import drawn_move
from damier.core.rules import CHANCE, State, mover
from damier.core.wide import as_word
from damier.core.words import message
from damier.plugins.zero.lockstep import Column, encode, slot_of

LOOKED_AT = 64
"""Random games from which the sizes of a network follow, at most."""
ENOUGH = 4_000
"""Plies of them after which no other game is begun: chess played at random takes 350."""
LONGEST = 2_000
"""Plies after which such a game is given up."""
MOST_SLOTS = 4096
"""Answers of a network for moves that are listed, at most."""

Encoder = Callable[[State, Column], None]


@dataclass(frozen=True)
class NetworkSizes:
    """NetworkSizes of a game, as some random games show them: all else follows from these.

    Attributes:
        slots: answers of the network for moves
        moves: the most moves of a position, and half as many more
        plies: the mean length of a game
        longest: the longest one's
        scale: the payoff that counts as a whole win
        features: the largest size of each feature
    """

    slots: int
    moves: int
    plies: int
    longest: int
    scale: float
    features: tuple[float, ...] = ()

    def as_json(self) -> JsonObject:
        """The sizes as plain data."""
        return {**asdict(self), "features": list(self.features)}

    @classmethod
    def read(cls, data: JsonObject) -> NetworkSizes:
        """The sizes of a file. Raises BadFile."""
        whole = ("slots", "moves", "plies", "longest")
        features = data.get("features")
        if (
            set(data) != {field.name for field in fields(cls)}
            or not all(type(data[name]) is int and 0 < int(str(data[name])) <= 1 << 20 for name in whole)
            or not isinstance(features, list)
            or not all(is_size(number) for number in [data["scale"], *features])
        ):
            raise BadFile(message("the sizes of a network are wrong"))
        numbers = {name: int(str(data[name])) for name in whole}
        return cls(**numbers, scale=float(str(data["scale"])), features=tuple(float(n) for n in features))


def is_size(value: object) -> bool:
    """Return whether a value of a file is a number above 0 and below 10^12."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < 1e12


@lru_cache(maxsize=16)
def sizes_of(game: Game) -> NetworkSizes:
    """Look at some random games, always the same ones."""
    most, slot, scale, lengths, rng = 1, 1, 0.0, list[int](), [0]
    found, draw = set[int](), instantiate(drawn_move, game, jit=False)
    features = [1e-9] * len(game.features)
    for number in range(LOOKED_AT):
        if sum(lengths) >= ENOUGH:
            break
        reseed(rng, 0, number)
        line = Line(game, game.start)
        for ply in range(LONGEST):
            s = line.state
            for place, feature in enumerate(game.features.values()):
                features[place] = max(features[place], abs(float(feature(s))))
            if game.over(s):
                scale = max(scale, abs(game.payoff(s, 0)))
                lengths.append(ply)
                break
            if game.mover(s) != CHANCE:
                legal = game.legal(s)
                most = max(most, len(legal))
                found.update(legal)
            line.play(draw(s, game.moves(s), rng))
        else:
            lengths.append(LONGEST)
    if game.moves_are_bits:
        slot = max(position_of(move) for move in found) + 1
    elif game.moves_are_listed:
        slot = min(MOST_SLOTS, 1 << (4 * len(found)).bit_length())
    else:
        slot = max(found) + 1
    usual = max(1, round(sum(lengths) / len(lengths)))
    most = min(game.most_moves(), most + most // 2)  # other positions may have more
    return NetworkSizes(slot, most, usual, max(lengths), 1.5 * scale if scale > 1 else 1.0, tuple(features))


@dataclass(frozen=True)
class InputBlock:
    """Numbers that a network sees side by side: what they are, and how many."""

    name: str
    count: int


def blocks(game: Game) -> list[InputBlock]:
    """Return what the network of a game sees, in order."""
    found = []
    for name, field, width in zip(game.start._fields, game.start, game.bits, strict=True):
        if isinstance(width, tuple) and isinstance(field, tuple):
            found.append(InputBlock(name, sum(width) + len(width)))
        else:
            found.append(InputBlock(name, int(str(width))))
    return [*found, InputBlock("mover", 1), *(InputBlock(name, 1) for name in game.features)]


def input_count(game: Game) -> int:
    """Return how many numbers the network of a game sees."""
    return sum(block.count for block in blocks(game))


def bindings(game: Game, sizes: NetworkSizes) -> Bindings:
    """Return what engines bind for the encoding of a game."""
    made: Encoder = _nothing
    at = 0
    for place in places(game.bits):
        read = reader_of(place)
        for part in place.parts:
            made = _with_bits(made, read, part.above, part.mask, part.bits, at + part.above)
        at += place.bits
        if place.element is not None:
            made = _with_share(made, read, float((1 << place.bits) - 1), at)
            at += 1
    made, at = _with_mover(made, at), at + 1
    for feature, size in zip(game.features.values(), sizes.features, strict=True):
        made, at = _with_feature(made, feature, size, at), at + 1
    if game.moves_are_bits:
        slot = by_bit(sizes.slots)
    else:
        slot = by_hash(sizes.slots) if game.moves_are_listed else by_number(sizes.slots)
    return {encode: made, slot_of: slot}


def by_bit(slots: int) -> Callable[[int], int]:
    """Slots of moves that are bits; those that no random game showed share the last."""

    def slot(move: int) -> int:
        return min(position_of(move), slots - 1)

    return slot


def by_number(slots: int) -> Callable[[int], int]:
    """Slots of moves that are numbers."""

    def slot(move: int) -> int:
        return min(move, slots - 1)

    return slot


def by_hash(slots: int) -> Callable[[int], int]:
    """Slots of moves that are listed; `slots` is a power of 2."""

    def slot(move: int) -> int:
        return mix64(move) & (slots - 1)

    return slot


# One closure for every number that is seen, so that the compiler unrolls them.


def _nothing(s: State, row: Column) -> None:
    return None


def _with_bits(before: Encoder, read: Reader, above: int, mask: int, bits: int, at: int) -> Encoder:
    def write(s: State, row: Column) -> None:
        before(s, row)
        value = as_word(read(s) >> above & mask)
        for number in range(bits):
            row[at + number] = value >> number & 1

    return write


def _with_share(before: Encoder, read: Reader, most: float, at: int) -> Encoder:
    def write(s: State, row: Column) -> None:
        before(s, row)
        row[at] = read(s) / most

    return write


def _with_mover(before: Encoder, at: int) -> Encoder:
    def write(s: State, row: Column) -> None:
        before(s, row)
        row[at] = 1.0 if mover(s) == 0 else 0.0

    return write


def _with_feature(before: Encoder, feature: Callable[[State], float], size: float, at: int) -> Encoder:
    def write(s: State, row: Column) -> None:
        before(s, row)
        row[at] = (feature(s) if mover(s) == 0 else -feature(s)) / size

    return write
