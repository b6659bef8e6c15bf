"""The help of a command in the language in force: cyclopts lays it out, and its own words go
through our catalogue.

What only help needs is imported when help is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from damier.core.words import N_, _

if TYPE_CHECKING:
    from cyclopts.help import ColumnSpec, HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.text import Text

ITS_WORDS = {
    N_("Commands"),
    N_("Arguments"),
    N_("Parameters"),
    N_("Display this message and exit."),
    N_("Display application version."),
}


@runtime_checkable
class Appendable(Protocol):
    """What cyclopts makes of a description, though its type does not say so: one can add to it."""

    def append(self, text: Text) -> object: ...


class Help:
    """A formatter of cyclopts that speaks our words."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        from cyclopts.help import DefaultFormatter
        from cyclopts.help.specs import get_default_command_columns, get_default_parameter_columns

        columns = get_default_command_columns if panel.format == "command" else get_default_parameter_columns
        specs = tuple(described(column) for column in columns(console, options, panel.entries))
        DefaultFormatter(column_specs=specs)(console, options, panel.copy(title=translated(str(panel.title))))

    def render_usage(self, console: Console, options: ConsoleOptions, usage: object) -> None:
        # the names of options and arguments are no words
        placeholders = {"COMMAND": _("COMMAND"), "[OPTIONS]": _("[OPTIONS]")}
        console.print(
            _("Usage:"),
            *(placeholders.get(part, part) for part in str(usage).split()),
            markup=False,
            highlight=False,
        )
        console.print()


def described(column: ColumnSpec) -> ColumnSpec:
    """The column as it is, or that of the descriptions in our words."""
    from cyclopts.help.specs import DescriptionRenderer

    return column.copy(renderer=description) if isinstance(column.renderer, DescriptionRenderer) else column


def description(entry: HelpEntry) -> RenderableType:
    """What an option does, the values it can have, its default, and whether it must be given."""
    from cyclopts.help.specs import DescriptionRenderer
    from rich.text import Text

    what = getattr(entry.description, "primary_renderable", entry.description)
    plain = entry.copy(description=translated(str(what or "")), choices=(), default=None, required=False)
    told = DescriptionRenderer()(plain)
    assert isinstance(told, Appendable)
    if entry.choices:
        told.append(Text(_("[choices: {choices}]", choices=", ".join(entry.choices)), "cyclopts.choices"))
    if entry.default is not None:
        told.append(Text(_("[default: {default}]", default=entry.default), "cyclopts.default"))
    if entry.required:
        told.append(Text(_("[required]"), "cyclopts.required"))
    return told


def translated(text: str) -> str:
    """The translation of a text that cyclopts brings; ours are translated already."""
    return _(text) if text in ITS_WORDS else text
