"""How a process of the lab is ended: at once, and without a wait for what may never come."""

from __future__ import annotations

import asyncio


async def end_process(process: asyncio.subprocess.Process) -> None:
    """Kills a process that runs, and waits until it is no more.

    For asyncio a process has ended when its pipes have, too. It reads none that is full, and one
    that another process holds open (a child of a user's game) goes on: so they are closed here, and
    who reads from them or writes to them is told so.
    """
    if process.stdin is not None and not process.stdin.is_closing():
        process.stdin.transport.abort()
    # kills it; nothing that asyncio declares closes the pipe that is read
    process._transport.close()  # type: ignore[attr-defined]
    await process.wait()
