"""Who steers a training."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from damier.web.gate import OWNER

if TYPE_CHECKING:
    from damier.web.learning.process import TrainingProcess
    from damier.web.params import Asked


def may_steer(address: str, training: TrainingProcess, asked: Asked) -> bool:
    """Whether the key is known there, or it is the owner who asks."""
    return is_owner(address) or secrets.compare_digest(asked.text("key").encode(), training.key.encode())


def is_owner(address: str) -> bool:
    """Whether a client has shown the owner's key.

    The address of a machine gives no right: a proxy on this one brings the whole world.
    """
    return address == OWNER
