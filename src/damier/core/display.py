"""Values that show themselves in a notebook."""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes time to import
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, Protocol

    class TextPrinter(Protocol):
        """The printer that IPython hands to `_repr_pretty_`."""

        def text(self, text: str) -> None: ...


DENSITY = 2
"""Pixels of a PNG for one of the page: sharp on any screen."""
WIDTH_AND_HEIGHT = (16, 20)
"""The bytes of a PNG at which these begin."""


class Displayed:
    """A value that shows itself in a notebook: as a picture in SVG and, where the extra `plot` is installed,
    in PNG beside it, which a notebook that is not trusted shows too; in a terminal, or where it is too
    large to be drawn, in words.

    Attributes:
        represent: finds damier's function of that public name; the package puts it here, since no room that
            `core` knows draws all of it
    """

    represent: ClassVar[Callable[[str], Any]]

    def __init_subclass__(cls) -> None:
        """Has each class say itself how it is printed: IPython prefers a `__repr__` of its own to what is
        inherited.
        """
        super().__init_subclass__()
        type.__setattr__(cls, "_repr_pretty_", Displayed._repr_pretty_)

    def _repr_svg_(self) -> str | None:
        found = self._represented("picture")
        return None if isinstance(found, bytes) else found

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
        found = self._represented("png")
        if not isinstance(found, bytes):
            return None
        return found, display_size(found)

    def _repr_pretty_(self, printer: TextPrinter, cycle: bool) -> None:
        printer.text(str(self._represented("in_words")))

    def _represented(self, kind: str) -> str | bytes | None:
        """Return the value in one of these ways; None where it is too large, or an extra is missing."""
        from damier.core.errors import DamierError

        try:
            found: str | bytes = Displayed.represent(kind)(self)
        except DamierError:
            return None
        return found


def display_size(png: bytes) -> dict[str, int]:
    """Return the width and the height at which a page shows a PNG, as notebooks keep them."""
    width, height = (int.from_bytes(png[at : at + 4]) // DENSITY for at in WIDTH_AND_HEIGHT)
    return {"width": width, "height": height}
