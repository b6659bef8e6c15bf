"""`damier games` and `damier agents`: what there is."""

from __future__ import annotations

from damier.cli.options import Json
from damier.cli.output import report, table
from damier.core.option_text import option_text
from damier.core.words import _


def games(*, json: Json = False) -> None:
    from damier.lab.games import GAMES, load
    from damier.lab.options import default_of, parameters

    loaded = {name: load(name) for name in GAMES}
    options = {  # what a game worked out, then what only some of its variants have
        name: (
            game.options
            | {o: default_of(p) for o, p in parameters(GAMES[name]).items() if o not in game.options}
        )
        for name, game in loaded.items()
    }
    data = {
        "names": list(loaded),
        "options": {name: options[name] for name in loaded},
        "summaries": {name: _(game.summary) for name, game in loaded.items()},
    }
    rows = [
        (name, ", ".join(f"{o}={option_text(v)}" for o, v in options[name].items()), _(game.summary))
        for name, game in loaded.items()
    ]
    report(data, json, lambda: table((_("game"), _("options"), ""), rows))


def agents(*, json: Json = False) -> None:
    from damier.lab.agents import AGENTS
    from damier.lab.options import default_of, defaults_text, parameters

    options = {
        name: {o: default_of(p) for o, p in parameters(kind.factory, ["lab"]).items()}
        for name, kind in AGENTS.items()
    }
    data = {
        "names": list(AGENTS),
        "options": options,
        "summaries": {name: _(kind.summary) for name, kind in AGENTS.items()},
    }
    rows = [
        (name, defaults_text(kind.factory, ["lab"]).replace(",", ", "), _(kind.summary))
        for name, kind in AGENTS.items()
    ]
    report(data, json, lambda: table((_("agent"), _("options"), ""), rows))
