"""Learners with several values for some of their options: `q:alpha=0.1,0.3,0.5,epsilon=0.1,0.2`.

A part without `=`, which the text of no agent can have, is one more value of the option before it.
`0.1..0.5..0.1` is short for the values from 0.1 to 0.5 in steps of 0.1 (docs/decisions/0064).

>>> [setting.text for setting in swept("q:alpha=0.1,0.3,ties=first")]
['q:alpha=0.1,ties=first', 'q:alpha=0.3,ties=first']
>>> [setting.text for setting in swept("menace")]
['menace']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import product
from typing import NamedTuple

from damier.core.errors import BadInput
from damier.core.words import FormattedNumber, message

MOST_VALUES = 1000
"""Values of one option."""
MOST_SETTINGS = 100_000
NUMBER = r"[+-]?[0-9]{1,30}(?:\.[0-9]{1,30})?"
RANGE = re.compile(rf"({NUMBER})\.\.({NUMBER})(?:\.\.({NUMBER}))?")


class SweepSetting(NamedTuple):
    """A learner with one value for each of its options.

    text    as an agent is written
    varied  the options that have several values in the sweep, and their values here
    given   the text that it comes from
    """

    text: str
    varied: tuple[tuple[str, str], ...]
    given: str


def settings_of(learners: Sequence[str]) -> list[SweepSetting]:
    """The settings of several learners, in order. Raises BadInput."""
    found = [setting for learner in learners for setting in swept(learner)]
    texts = set[str]()
    for setting in found:
        if setting.text in texts:
            raise BadInput(message("--learner: {learner} is given twice", learner=setting.text))
        texts.add(setting.text)
    return found


def swept(learner: str) -> list[SweepSetting]:
    """Every combination of the values of its options, the last option changing first.

    Raises BadInput.
    """
    name, colon, written = learner.rpartition(":")
    if not colon or "=" not in written:
        name, written = learner, ""
    options = values_by_option(learner, written)
    count = 1
    for values in options.values():
        count *= len(values)
    if count > MOST_SETTINGS:
        raise BadInput(
            message(
                "--learner {learner}: {n} combinations of values; at most {most}",
                learner=learner,
                n=FormattedNumber(count, ","),
                most=FormattedNumber(MOST_SETTINGS, ","),
            )
        )
    return [
        SweepSetting(
            ":".join(filter(None, (name, ",".join(map("=".join, zip(options, values, strict=True)))))),
            tuple(
                (option, value)
                for option, value in zip(options, values, strict=True)
                if len(options[option]) > 1
            ),
            learner,
        )
        for values in product(*options.values())
    ]


def values_by_option(learner: str, written: str) -> dict[str, list[str]]:
    """The values of each option as texts, in order. Raises BadInput."""
    options: dict[str, list[str]] = {}
    current = ""
    for part in written.split(",") if written else ():
        option, equals, value = part.partition("=")
        if equals:
            if option in options:
                raise BadInput(
                    message("--learner {learner}: {option} is given twice", learner=learner, option=option)
                )
            current, options[option] = option, []
        else:
            value = part
        if not current:
            raise BadInput(
                message("--learner {learner}: {value} is the value of no option", learner=learner, value=part)
            )
        options[current] += ranged(learner, current, value)
    for option, values in options.items():
        if "" in values[1:] or values[:1] == [""] != values:
            raise BadInput(message("--learner {learner}: a value is missing beside a comma", learner=learner))
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            raise BadInput(
                message(
                    "--learner {learner}: {option} has the value {value} twice",
                    learner=learner,
                    option=option,
                    value=twice,
                )
            )
    return options


def ranged(learner: str, option: str, value: str) -> list[str]:
    """The values that `A..B..STEP` or, of whole numbers, `A..B` stands for; of anything else, itself.

    >>> ranged("q", "alpha", "0.1..0.5..0.2"), ranged("q", "decay_after", "1..3"), ranged("q", "file", "../x")
    (['0.1', '0.3', '0.5'], ['1', '2', '3'], ['../x'])

    Raises BadInput.
    """
    found = RANGE.fullmatch(value)
    if found is None:
        return [value]
    first, last = Decimal(found[1]), Decimal(found[2])
    if found[3] is None and (first % 1 or last % 1):
        raise BadInput(
            message(
                "--learner {learner}: {option}={value} needs its step: {value}..STEP",
                learner=learner,
                option=option,
                value=value,
            )
        )
    step = Decimal(found[3] or 1)
    if step <= 0 or last < first:
        raise BadInput(
            message(
                "--learner {learner}: {option}={value} has no values; write FROM..TO..STEP, upwards",
                learner=learner,
                option=option,
                value=value,
            )
        )
    count = int((last - first) / step) + 1
    if count > MOST_VALUES:
        raise BadInput(
            message(
                "--learner {learner}: {option}={value} has {n} values; at most {most}",
                learner=learner,
                option=option,
                value=value,
                n=FormattedNumber(count, ","),
                most=FormattedNumber(MOST_VALUES, ","),
            )
        )
    return [f"{first + number * step:f}" for number in range(count)]
