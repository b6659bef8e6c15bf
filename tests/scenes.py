"""Scenes: asynchronous tests, played in a thread of their own, since a browser of another test may
have a loop in this one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def acted(scene: Coroutine[Any, Any, Any]) -> Any:
    """Plays a scene to its end; returns what it returns."""
    with ThreadPoolExecutor(1) as stage:
        return stage.submit(asyncio.run, scene).result()
