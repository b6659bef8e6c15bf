"""What damier uses of the objects that Ray makes, as types; Ray's own are not looked at."""

from __future__ import annotations

from typing import Protocol


class ObjectRef(Protocol):
    """Something that an actor will have answered; Ray knows where it lies."""

    def hex(self) -> str:
        """Its name in the cluster."""
        ...


class RemoteMethod(Protocol):
    """A method of an actor."""

    def remote(self, *given: object) -> ObjectRef:
        """Asks for an answer, which is not waited for."""
        ...

    def options(self, *, num_returns: int) -> RemoteParts:
        """The same for an answer in several parts, each an object of its own."""
        ...


class RemoteParts(Protocol):
    """A method of an actor that answers in at least two parts."""

    def remote(self, *given: object) -> list[ObjectRef]: ...
