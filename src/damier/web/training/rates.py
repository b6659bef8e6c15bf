"""The numbers by which an agent learns, changed between two of its games."""

from __future__ import annotations

from math import isfinite

from damier.core.errors import BadInput
from damier.core.words import message
from damier.lab.followed_own import FollowedOwn
from damier.learn.parameters import fields_of
from damier.web.training.log import RatesChanged


def with_rates(seat: FollowedOwn, event: RatesChanged) -> FollowedOwn:
    """An agent of one's own that goes on with other numbers in attributes of these names.

    Raises BadInput, AgentFault.
    """
    found, rates = seat.copied(), seat.rates()
    for name, value in event.options:
        if name not in rates:
            raise BadInput(message("agent {n} has no {name}", n=event.seat + 1, name=name))
        number = number_in(name, value)
        if number < 0 or (number > 1 and name != "temperature"):
            raise BadInput(message("{name}={value}; it must be from 0 to 1", name=name, value=value))
        found.call(setattr, found.agent, name, number)
    return found


def options_of(event: RatesChanged, parameters: object) -> dict[str, str | float]:
    """The parameters that an event changes, as numbers. Raises BadInput."""
    found: dict[str, str | float] = {}
    for name, value in event.options:
        (of,) = fields_of({name: value})
        if not hasattr(parameters, of):
            raise BadInput(message("agent {n} has no {name}", n=event.seat + 1, name=name))
        if name == "policy":
            if value not in ("greedy", "softmax"):
                raise BadInput(
                    message("{name} must be one of: {choices}", name=name, choices="greedy softmax")
                )
            found[name] = value
        else:
            found[name] = number_in(name, value)
    return found


def number_in(name: str, value: str) -> float:
    """A number that somebody typed. Raises BadInput."""
    try:
        number = float(value.replace(",", "."))
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        raise BadInput(message("{name}={value}: that is no number", name=name, value=value[:20]))
    return number
