"""`damier games` and `damier agents`: what there is. What packages of others bring is listed from their
metadata; its code runs only for who names it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from cyclopts import Parameter

from damier.cli.command import Json, report, table
from damier.core.game import Game, Option, option_text
from damier.core.words import _
from damier.lab.plugins import Package


def games(
    *names: Annotated[str, Parameter(help=_("these games alone, also of packages (default: all)"))],
    json: Json = False,
) -> None:
    from damier.lab.games import COLLECTIONS, GAMES, load
    from damier.lab.options import default_of, parameters

    packages = GAMES.of_packages()
    loaded = {name: load(name) for name in wanted(names, GAMES.names(), packages)}
    # what a game worked out, then what only some of its variants have; of a file or a
    # name with options, those that have no value: None
    options = {
        name: (
            game.options
            | dict.fromkeys(game.unset)
            | {
                o: default_of(p)
                for o, p in (parameters(GAMES[name]) if name in GAMES else {}).items()
                if o not in game.options
            }
        )
        for name, game in loaded.items()
    }
    rows = {
        name: (
            ", ".join(f"{o}={'' if v is None else option_text(v)}" for o, v in options[name].items()),
            described(game),
        )
        for name, game in loaded.items()
    }
    if not names:
        for collection in COLLECTIONS.names():
            rows[f"{collection}:…"] = (
                "",
                _("its games: docs/{page}.md", page=collection),
            )
    show(rows, options, packages, names, _("game"), json)


def described(game: Game) -> str:
    """Return what a game is and, where it is known, what best play comes to."""
    from damier.lab.games import known_result

    known = known_result(game)
    return (
        _("{summary}; best play: {result}", summary=_(game.summary), result=known.best_play)
        if known
        else _(game.summary)
    )


def agents(
    *names: Annotated[str, Parameter(help=_("these agents alone, also of packages (default: all)"))],
    json: Json = False,
) -> None:
    from damier.lab.agents import AGENTS
    from damier.lab.options import default_of, defaults_text, parameters, unknown

    packages = AGENTS.of_packages()
    kinds = {}
    for name in wanted(names, AGENTS.names(), packages):
        if name not in AGENTS:
            raise unknown(_("agent"), name, AGENTS.names())
        kinds[name] = AGENTS[name]
    options = {
        name: {o: default_of(p) for o, p in parameters(kind.factory, ["lab"]).items()}
        for name, kind in kinds.items()
    }
    rows = {
        name: (defaults_text(kind.factory, ["lab"]).replace(",", ", "), _(kind.summary))
        for name, kind in kinds.items()
    }
    show(rows, options, packages, names, _("agent"), json)


def wanted(names: Sequence[str], known: Sequence[str], packages: Mapping[str, Package]) -> list[str]:
    """Return what is loaded: those that were named, or all that no package of others brings."""
    return list(dict.fromkeys(names)) or [name for name in known if name not in packages]


def show(
    rows: Mapping[str, tuple[str, str]],
    options: Mapping[str, Mapping[str, Option]],
    packages: Mapping[str, Package],
    names: Sequence[str],
    head: str,
    json: bool,
) -> None:
    """Report things by their names, with what packages bring, which may not be loaded."""
    brought = {name: package for name, package in packages.items() if not names or name in names}
    data = {
        "names": sorted({*options, *brought}),
        "options": options,
        "summaries": {name: rows[name][1] for name in options},
        "packages": {name: package._asdict() for name, package in brought.items()},
    }
    lines = [
        (name, *rows.get(name, ("", "")), str(brought.get(name, ""))) for name in sorted({*rows, *brought})
    ]
    if brought:
        report(data, json, lambda: table((head, _("options"), "", _("package")), lines))
    else:
        report(data, json, lambda: table((head, _("options"), ""), [line[:3] for line in lines]))
