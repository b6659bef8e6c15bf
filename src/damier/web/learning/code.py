"""The code by which an algorithm chooses and learns, as it stands in this program (document S3 shows its
own so).
"""

from __future__ import annotations

import inspect

from damier.learn.player import ALGORITHMS


def code_of(algorithm: str) -> str:
    """How it chooses a move while it learns, and what it learns from a finished game."""
    module = ALGORITHMS[algorithm]
    return "\n\n".join(inspect.getsource(function).rstrip() for function in (module.choose, module.learn))
