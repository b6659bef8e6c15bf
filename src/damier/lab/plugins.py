"""Things by name, each imported when it is first asked for: those of the house by a table, those of
plug-ins, damier's own and other packages', by their entry points (docs/plugins.md).

An entry point names a module, or something in it, as a file of one's own is named on the command line:

    [project.entry-points."damier.games"]
    chomp = "damier_chomp:chomp"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from damier.core.errors import BadInput, DamierError
from damier.core.job import exception_in_words, note_of_process, words_of
from damier.core.words import _, message

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from damier.core.player import Player

# What the entry points of damier's own plug-ins name: what they bring is imported when it is used.


@dataclass(frozen=True)
class AgentKind:
    """Kind of agent: what makes it, and what people call it.

    Attributes:
        place: where the function is that makes it, `module:name`, or the function itself
        title: its name in words; nothing for one of another package, which is called as it is written
        summary: what it does, in a line
        program: whether it starts a program that the user names
    """

    place: str | Callable[..., Player]
    title: str
    summary: str
    program: bool = False

    @cached_property
    def factory(self) -> Callable[..., Player]:
        made: Callable[..., Player] = resolved(self.place) if isinstance(self.place, str) else self.place
        return made


class Command(NamedTuple):
    """A command: where its function is, `module:name`, imported when it is run, and what it does, in a
    line.
    """

    place: str
    help: str


class Package(NamedTuple):
    """A package that is installed, as its metadata names it."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}".rstrip()


Entry = TypeVar("Entry")
OWN_PLUGINS = ("damier.plugins.", "damier.interop.")
"""The beginnings of the modules of damier's own plug-ins, and of its links to others."""


class PluginRegistry(Mapping[str, Entry]):
    """The things of one kind, in the order of their names: those of the house, and of plug-ins that load.

    What does not load, or takes a name of damier's, is left out with a note; entry points are read only
    where a name is none of the house, or all are listed.

    Attributes:
        group: the name of the entry points of this kind
        own: each thing of the house by its name, or where it is, `module:name`
        of_others: makes an entry of what another package's entry point names; damier's own name entries
    """

    def __init__(
        self,
        group: str,
        own: Mapping[str, Entry | str],
        of_others: Callable[[EntryPoint], Entry],
    ) -> None:
        self.group, self.own = group, own
        self._of_others = of_others
        self._loaded: dict[str, Entry | None] = {}

    @cached_property
    def _points(self) -> dict[str, EntryPoint]:
        """The entry points whose names are free, by name."""
        from importlib.metadata import entry_points  # takes time to import

        found: dict[str, EntryPoint] = {}
        for point in sorted(entry_points(group=self.group), key=place_in_order):
            if point.name in self.own or point.name in found:
                owner = "damier" if point.name in self.own else package_of(found[point.name])
                leave_out(point, _("{package} has that name already", package=owner))
            elif not re.fullmatch(r"[a-z][a-z0-9_]*", point.name):
                leave_out(point, _("a name has small letters, digits and _ alone"))
            else:
                found[point.name] = point
        return found

    def __getitem__(self, name: str) -> Entry:
        if name not in self._loaded:
            if name in self.own:
                thing = self.own[name]
                self._loaded[name] = resolved(thing) if isinstance(thing, str) else thing
            else:
                point = self._points[name]
                self._loaded[name] = point.load() if is_of_damier(point) else self._plugged(point)
        found = self._loaded[name]
        if found is None:
            raise KeyError(name)
        return found

    def _plugged(self, point: EntryPoint) -> Entry | None:
        """The thing of an entry point; None, with a note, where it does not load."""
        try:
            return self._of_others(point)
        except DamierError as error:
            leave_out(point, str(error))
            return None
        except (Exception, SystemExit) as error:
            leave_out(point, str(exception_in_words(error, _(str(words_of(error))))))
            return None

    def __contains__(self, name: object) -> bool:
        return name in self.own or super().__contains__(name)

    def __iter__(self) -> Iterator[str]:
        yield from sorted({*self.own, *self.plugged()})

    def names(self) -> list[str]:
        """Return all names, in order, without loading anything, but for those that were tried and did not
        load.
        """
        failed = {name for name, entry in self._loaded.items() if entry is None}
        return sorted({*self.own, *self._points} - failed)

    def of_packages(self) -> dict[str, Package]:
        """Return the packages of others that bring something, by the names of what they bring: nothing of
        theirs is loaded.
        """
        return {
            name: Package(package_of(point), point.dist.version if point.dist else "")
            for name, point in self._points.items()
            if not is_of_damier(point)
        }

    def plugged(self) -> Iterator[str]:
        """Yield the names of what plug-ins bring, damier's own first."""
        yield from (name for name in self._points if name in self)

    def __len__(self) -> int:
        return sum(1 for _name in self)


def instance_of(kind: type[Entry]) -> Callable[[EntryPoint], Entry]:
    """Return what loads an entry point that must name a thing of this kind; it raises BadInput for others."""

    def load(point: EntryPoint) -> Entry:
        found: object = point.load()
        if not isinstance(found, kind):
            raise BadInput(message("{place} is no {kind}", place=point.value, kind=kind.__name__))
        return found

    return load


def function_of(point: EntryPoint) -> Callable[..., Any]:
    """Return the function that an entry point names. Raises BadInput for what is none."""
    found: object = getattr(import_module(point.module), point.attr, None)
    if not callable(found):
        raise BadInput(message("{place} is not a function", place=point.value))
    return found


def is_of_damier(point: EntryPoint) -> bool:
    """Return whether an entry point is one of damier's own plug-ins."""
    return point.module.startswith(OWN_PLUGINS)


def resolved(reference: str) -> Any:
    """Return what is written `module:name`."""
    module, _colon, name = reference.partition(":")
    return getattr(import_module(module), name)


def module_of(point: EntryPoint) -> tuple[ModuleType, Path]:
    """Return the module that an entry point names, imported, and its file."""
    module = import_module(point.module)
    return module, Path(str(module.__file__))


def package_of(point: EntryPoint) -> str:
    """Return the name of the package that an entry point is of."""
    return point.dist.name if point.dist else point.module


def place_in_order(point: EntryPoint) -> tuple[bool, str, str]:
    """Return what entry points are sorted by: damier's own first. Only of others the package is asked for,
    since reading its metadata takes time.
    """
    own = is_of_damier(point)
    return not own, point.name, "" if own else package_of(point)


def leave_out(point: EntryPoint, why: str) -> None:
    """Note that something of a plug-in is left out."""
    note_of_process(
        _("plug-in {package}: {name} is left out: {why}", package=package_of(point), name=point.name, why=why)
    )
