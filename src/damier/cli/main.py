"""`damier`: the commands put together, and every way in which one can end.

Exit 0 done; 2 bad input, one line; 3 a limit stopped it, what was reached is reported; 130 after
Ctrl-C. Never a traceback.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal, NoReturn, Protocol, get_args, get_origin, runtime_checkable

from cyclopts import (
    App,
    CoercionError,
    CycloptsError,
    MissingArgumentError,
    RepeatArgumentError,
    UnknownCommandError,
    UnknownOptionError,
    UnusedCliTokensError,
)

import damier
from damier.cli import interrupt
from damier.cli.command import (
    clear_bar,
    keep_together,
    only_results,
    prepare_streams,
    remark,
    remarks,
    result,
    unread,
)
from damier.cli.own_game import add_own, guard, is_deep, limit_in_words, place_of, recurs, release
from damier.core import runtime
from damier.core.errors import DamierError, Interrupted, LimitReached
from damier.core.files import reason
from damier.core.job import (
    TimeIsUp,
    exception_in_words,
    from_outside,
    presses,
    take_notes_of_process,
    words_of,
)
from damier.core.words import N_, _, languages
from damier.lab.plugins import Command, PluginRegistry, function_of, module_of

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from cyclopts.help import ColumnSpec, HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.text import Text


EXAMPLES = {
    "damier play hexapawn human perfect --hints": N_("play; see what each move is worth"),
    "damier solve tictactoe --moves 4,0": N_("the exact value of a position"),
    "damier solve path/to/game.py": N_("your own game: docs/add_a_game.md"),
    "damier match nim my_agent.py random": N_("your agent: docs/write_an_agent.md"),
}


COMMANDS = {
    "games": Command("damier.cli.listing:games", N_("the games there are, with their options")),
    "agents": Command("damier.cli.listing:agents", N_("the agents there are, with their options")),
    "play": Command("damier.cli.play:play", N_("one game, boards shown")),
    "match": Command("damier.cli.match:match", N_("many games, counted")),
    "tournament": Command("damier.cli.tournament:tournament", N_("agents play each other; their standings")),
    "train": Command("damier.cli.train:train", N_("a learner learns from games; its curve, graded exactly")),
    "grade": Command("damier.cli.grade:grade", N_("what an agent is worth, exactly")),
    "card": Command("damier.cli.grade:card", N_("what an agent is, how it learnt, and its exact grade")),
    "start": Command("damier.cli.exercise:start", N_("the starter kit of a document, to be filled in")),
    "matchboxes": Command(
        "damier.cli.matchboxes:matchboxes", N_("the boxes and beads of a machine that learns")
    ),
    "search": Command("damier.cli.search:search", N_("one decision of an agent that looks ahead, explained")),
    "solve": Command("damier.cli.solve:solve", N_("the exact value of a position, and its best moves")),
    "count": Command("damier.cli.count:count", N_("how many positions a game has")),
    "perft": Command("damier.cli.count:perft", N_("how many lines of play of each length")),
    "graph": Command("damier.cli.graph:graph", N_("the tree or graph of a game: its size, and a picture")),
    "replay": Command("damier.cli.play:replay", N_("every state of a game given by its moves")),
    "tree": Command("damier.cli.tree:tree", N_("a tree of moves, searched and explained step by step")),
    "explore": Command("damier.cli.tree:explore", N_("a way to a win, searched step by step")),
    "exercise": Command("damier.cli.exercise:exercise", N_("a tree to work out by hand, and its key")),
    "serve": Command("damier.cli.serve:serve", N_("the web lab: play, see the truth, watch it learn")),
    "show": Command("damier.cli.show:show", N_("what is in a file that damier wrote")),
}


def plugged(point: EntryPoint) -> Callable[..., object]:
    """Return the command of a plug-in, a function; what goes wrong in it is its fault."""
    command = function_of(point)
    add_own(module_of(point)[1])
    return command


REGISTRY = PluginRegistry[Command | Callable[..., object]]("damier.commands", COMMANDS, plugged)


def build(arguments: Sequence[str] = ()) -> App:
    """Return the command line: every command with its name and its line of help. Plug-ins are asked for
    theirs unless the arguments begin with one of damier's.
    """
    app = App(
        "damier",
        help=_("The laboratory for two-player games of perfect information: no secrets.")
        + "\n\n"
        + examples(),
        help_format="plaintext",
        help_formatter=Help(),
        help_epilogue=_("Every command takes --lang {languages}.", languages="|".join(languages())),
        version=damier.__version__,
        print_error=False,
        exit_on_error=False,
        suppress_keyboard_interrupt=False,
        result_action="return_value",
    )
    names = [*COMMANDS, *(() if set(arguments[:1]) & COMMANDS.keys() else REGISTRY.plugged())]
    for name in names:
        command = REGISTRY[name]
        if isinstance(command, Command):
            app.command(command.place, name=name, help=_(command.help))
        else:
            app.command(command, name=name)
    app.register_install_completion_command(help=_("install completion for your shell"))
    return app


def examples() -> str:
    """Some command lines, and what each does."""
    width = max(map(len, EXAMPLES))
    return "\n".join(f"{line:<{width}}   {_(what)}" for line, what in EXAMPLES.items())


def run(app: Callable[[list[str]], object], arguments: Sequence[str]) -> int:
    """Runs a command line; returns the exit code."""
    json = interrupt.wants_json(list(arguments))
    interrupt.begin()
    before = presses()
    try:
        with only_results() if json else contextlib.nullcontext():
            app(list(arguments))
        sys.stdout.flush()
        return 0
    except LimitReached as error:
        remark(f"damier: {error}")
        if json:
            result({"error": str(error), **error.reached})
        return error.exit_code
    except DamierError as error:
        remark(f"damier: {error}")
        return error.exit_code
    except CycloptsError as error:
        remark(f"damier: {refusal(error)}")
        return 2
    except KeyboardInterrupt as error:
        if not from_outside(error, before):
            return _fault(error)
        remark(interrupt.sentence())
        if json and not interrupt.told():
            result(interrupt.ANSWER | (error.reached if isinstance(error, Interrupted) else {}))
        return interrupt.CODE
    except BrokenPipeError:
        unread(sys.__stdout__, sys.__stderr__)
        return 0
    except (MemoryError, RecursionError, TimeIsUp) as error:
        if isinstance(error, RecursionError) and not is_deep(error):
            return _fault(error)
        release()
        sentence = limit_in_words(error)
        remark(f"damier: {sentence}")
        if recurs(error):
            return 2
        if json:
            result({"error": sentence})
        return 3
    except SystemExit as error:  # how Rich ends where the reader of its output has gone
        return _fault(error) if place_of(error.__traceback__) else 0
    except OSError as error:
        why, path = reason(error), error.filename
        remark(_("damier: {error}", error=_("{path}: {error}", path=path, error=why) if path else why))
        return 3
    except BaseException as error:
        if "DAMIER_DEBUG" in os.environ:
            raise
        return _fault(error)
    finally:
        clear_bar()
        remarks(take_notes_of_process())


def _fault(error: BaseException) -> int:
    """A fault in the file of a user, since words for people are not tried out in every position; or else
    one of damier.
    """
    said = exception_in_words(error, _(str(words_of(error))))
    if place := place_of(error.__traceback__).rpartition(":")[0]:
        remark(_("damier: {error}", error=_("{place}: {error}", place=place, error=said)))
        return 2
    remark(_("damier: a fault of damier itself: {error} (DAMIER_DEBUG=1 shows where)", error=said))
    return 1


def main(arguments: Sequence[str]) -> NoReturn:
    """Runs a command line, and ends this process as it ends."""
    finish(build(arguments), arguments)


def finish(app: Callable[[list[str]], object], arguments: Sequence[str]) -> NoReturn:
    """Runs a command line of `app`, and ends this process as it ends; from here on Ctrl-C is an
    exception (before, see `entry`).
    """
    prepare_streams()
    runtime.guard = guard
    try:
        interrupt.listen()
        code = run(app, arguments)
    except KeyboardInterrupt:  # while the end of the command was told
        interrupt.leave()
    interrupt.end(code)


# What is wrong with a command line that cannot be read: one sentence of ours for each error of cyclopts that
# damier's commands can meet.

KINDS: dict[object, str] = {float: N_("a number"), int: N_("a whole number"), bool: N_("true or false")}


def refusal(error: CycloptsError) -> str:
    """The error as one line for a person."""
    match error:
        case UnknownCommandError():
            from damier.lab.options import unknown

            wanted, names = (error.unused_tokens or [""])[0], error.app or ()
            return str(unknown(_("command"), wanted, [name for name in names if not name.startswith("-")]))
        case UnknownOptionError():
            return unknown_option(error)
        case MissingArgumentError():
            return missing(error)
        case RepeatArgumentError():
            return _("{option} is given twice", option=error.token.keyword)
        case UnusedCliTokensError():
            return _(
                "nothing is known to do with {words}; --help lists what the command takes",
                words=" ".join(error.unused_tokens or ()),
            )
        case CoercionError(msg=None):
            return no_value(error)
    return _("the command line cannot be read: {error}", error=" ".join(str(error).split()))


def unknown_option(error: UnknownOptionError) -> str:
    word = error.token.keyword or error.token.value
    near = get_close_matches(
        word, [name for argument in error.argument_collection for name in argument.names], 1
    )
    hint = _("did you mean {near}?", near=near[0]) if near else ""
    return _(
        "no option is called {word}; {hint} --help lists those of the command", word=word, hint=hint
    ).replace("  ", " ")


def missing(error: MissingArgumentError) -> str:
    if error.keyword:
        return _("{name} needs a value", name=error.keyword)
    name = error.argument.name if error.argument else ""
    near = get_close_matches(name, error.unused_tokens or (), 1)
    hint = _("did you mean it by {word}?", word=near[0]) if near else ""
    return _("{name} is missing; {hint} --help lists what the command takes", name=name, hint=hint).replace(
        "  ", " "
    )


def no_value(error: CoercionError) -> str:
    """A value that is none of those there are, or cannot be read as a number."""
    token, argument = error.token, error.argument
    name = (token.keyword if token else None) or (argument.name if argument else "")
    expected = (
        _("one of {choices}", choices=" ".join(map(str, choices(error.target_type))))
        if choices(error.target_type)
        else kind(error.target_type)
    )
    return _(
        "{name} {value}: it must be {expected}",
        name=name,
        value=token.value if token else "",
        expected=expected,
    )


def choices(hint: object) -> tuple[object, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


def kind(hint: object) -> str:
    """A type, in words."""
    return _(KINDS[hint]) if hint in KINDS else str(getattr(hint, "__name__", hint))


# The help of a command in the language in force: cyclopts lays it out, and its own words go
# through our catalogue.
#
# What only help needs is imported when help is shown.

ITS_WORDS = {
    N_("Commands"),
    N_("Arguments"),
    N_("Parameters"),
    N_("Display this message and exit."),
    N_("Display application version."),
}


@runtime_checkable
class Appendable(Protocol):
    """Description as cyclopts makes it, though its type does not say so: one can add to it."""

    def append(self, text: Text) -> object: ...


class Help:
    """A formatter of cyclopts that speaks our words."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        keep_together()
        from cyclopts.help import DefaultFormatter
        from cyclopts.help.specs import get_default_command_columns, get_default_parameter_columns

        columns = get_default_command_columns if panel.format == "command" else get_default_parameter_columns
        specs = tuple(described(column, panel.entries) for column in columns(console, options, panel.entries))
        DefaultFormatter(column_specs=specs)(console, options, panel.copy(title=translated(str(panel.title))))

    def render_usage(self, console: Console, options: ConsoleOptions, usage: object) -> None:
        keep_together()
        # the names of options and arguments are no words
        placeholders = {"COMMAND": _("COMMAND"), "[OPTIONS]": _("[OPTIONS]")}
        console.print(
            _("Usage:"),
            *(placeholders.get(part, part) for part in str(usage).split()),
            markup=False,
            highlight=False,
        )
        console.print()


def described(column: ColumnSpec, entries: Sequence[HelpEntry]) -> ColumnSpec:
    """The column as it is, that of the descriptions in our words, or that of the names, as wide as its
    longest name.
    """
    from cyclopts.help.specs import DescriptionRenderer, NameRenderer

    if isinstance(column.renderer, DescriptionRenderer):
        return column.copy(renderer=description)
    if isinstance(column.renderer, NameRenderer):
        longest = max(len(name) for entry in entries for name in ("", *entry.names, *entry.shorts))
        width = max(column.max_width or 0, longest)
        return column.copy(renderer=NameRenderer(width), no_wrap=True, max_width=width)
    return column


def description(entry: HelpEntry) -> RenderableType:
    """Return what an option does, the values it can have, its default, and whether it must be given."""
    from cyclopts.help.specs import DescriptionRenderer
    from rich.text import Text

    what = getattr(entry.description, "primary_renderable", entry.description)
    plain = entry.copy(description=translated(str(what or "")), choices=(), default=None, required=False)
    rendered = DescriptionRenderer()(plain)
    assert isinstance(rendered, Appendable)
    if entry.choices:
        rendered.append(Text(_("[choices: {choices}]", choices=", ".join(entry.choices)), "cyclopts.choices"))
    if entry.default is not None:
        rendered.append(Text(_("[default: {default}]", default=entry.default), "cyclopts.default"))
    if entry.required:
        rendered.append(Text(_("[required]"), "cyclopts.required"))
    return rendered


def translated(text: str) -> str:
    """The translation of a text that cyclopts brings; ours are translated already."""
    return _(text) if text in ITS_WORDS else text


if __name__ == "__main__":
    main(sys.argv[1:])
