"""The calls of document [S3], typed as it prints them: the number of a board, training and test
(rows A-64 to A-70).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from damier.core.errors import BadInput
from damier.core.words import _, grouped
from damier.lab.typed.said import RoomLink, TypedAnswer, refused

UNDERSTOOD = "state.get_state([1, -1, 0, 0, 1, 0, 0, 0, 0])  demo.train(10000)  3**9"
LONGEST = 300
STATE = re.compile(r"(?:\w+\.)*get_state\(\s*\[([^\]]*)\]\s*\)")
TRAIN = re.compile(r"(?:(?:var|let|const)\s+\w+\s*=\s*)?\w+\.train\(\s*(\d{1,9})\s*\)")
TEST = re.compile(r"\w+\.test\(\s*[\w\[\]]+\s*,\s*[\w\[\]]+\s*,\s*(\d{1,9})\s*\)")
POWER = re.compile(r"(\d{1,3})\s*\*\*\s*(\d{1,3})")
CELLS = 9
SYMBOLS = {"0": 0, "1": 1, "2": 2, "-1": 2, "x": 1, "o": 2, "libre": 0, "free": 0}
"""What a cell may be called, and the digit that it has: the symbol -1 is stored as 2."""


def typed_vfunction(text: str, before: Sequence[str] = ()) -> TypedAnswer:
    """What a call comes to. Raises BadInput."""
    if len(text) > LONGEST:
        raise BadInput(_("a command has at most {n} characters", n=LONGEST))
    line = text.strip().rstrip(";").strip()
    if found := STATE.fullmatch(line):
        return number_of(found[1])
    if found := TRAIN.fullmatch(line):
        return trained(int(found[1]))
    if found := TEST.fullmatch(line):
        return tested(int(found[1]))
    if found := POWER.fullmatch(line):
        base, power = int(found[1]), int(found[2])
        return TypedAnswer(
            f"{base}**{power}",
            (grouped(base**power) if base**power < 10**30 else f"{float(base) ** min(power, 100):.3g}",),
        )
    raise refused(text, UNDERSTOOD)


def number_of(written: str) -> TypedAnswer:
    """The number of a board, as the sum that it is. Raises BadInput."""
    words = [word.strip().strip("'\"").lower() for word in written.split(",")]
    if len(words) != CELLS or any(word not in SYMBOLS for word in words):
        raise BadInput(_("a board is a list of {n} cells, each 0 (free), 1 (X), -1 or 2 (O)", n=CELLS))
    digits = [SYMBOLS[word] for word in words]
    terms = [digit * 3 ** (CELLS - 1 - cell) for cell, digit in enumerate(digits)]
    total = sum(terms)
    lines = [
        " + ".join(f"{digit}×{3 ** (CELLS - 1 - cell)}" for cell, digit in enumerate(digits) if digit) or "0",
        _("state {n}", n=total),
    ]
    crosses, noughts = digits.count(1), digits.count(2)
    if crosses - noughts not in (0, 1):
        lines.append(_("No game comes here: {x} crosses, {o} noughts, and X begins.", x=crosses, o=noughts))
    return TypedAnswer(f"get_state({digits})", tuple(lines))


def trained(games: int) -> TypedAnswer:
    """The training of the document, in its room."""
    address = f"/learning?game=tictactoe&learner=v:preset=vfunction&games={games}&pace=0"
    line = _("Two tables learn from the same {n} games: open the room, and begin.", n=grouped(games))
    return TypedAnswer(
        f"demo.train({games})", (line,), (RoomLink(_("Train in the room of learning"), address),)
    )


def tested(games: int) -> TypedAnswer:
    """The test of the document: a random player begins against the table."""
    line = _(
        "Agent 1 plays at random, agent 2 the largest value, {n} games. In the room of learning the same"
        " is computed exactly, without a game.",
        n=grouped(games),
    )
    address = "/learning?game=tictactoe&learner=v:preset=vfunction&games=10000&pace=0"
    return TypedAnswer(
        f"demo.test(trained_agents[0], trained_agents[1], {games})",
        (line,),
        (RoomLink(_("Train in the room of learning"), address),),
    )
