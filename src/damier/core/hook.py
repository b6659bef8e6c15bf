"""What a hook is: something that a game gives, or leaves out; `damier.core.hooks` lists them all."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import NamedTuple, TypeAlias

from damier.core import defaults, key_words, keys
from damier.core.defaults import Rule
from damier.core.keys import Bits
from damier.core.rules import State
from damier.core.trial_state import TrialState

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
