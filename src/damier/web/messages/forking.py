"""What the hub and the fork server say to each other."""

WARM, FORK = b"warm", b"fork"
"""Orders, of which the second is followed by how far the worker stands back; the first is answered by
itself, the second by the number of the process and a handle of it, or by NO_ROOM.
"""
NO_ROOM = b"0"
LONGEST = 100
"""Bytes of an order, and of an answer."""
