"""The learning room: trainings that are begun and watched here, and the learners that came of them."""

from __future__ import annotations

from damier.core.errors import BadInput
from damier.core.words import N_, _, message
from damier.lab.agent_file import OwnAgent
from damier.lab.agents import AGENTS, agent_in_words
from damier.lab.games import game_in_words
from damier.lab.learners import preset_in
from damier.lab.training import MOST_TYPED, learner_names
from damier.learn.parameters import PRESETS, USUAL_GAMES, Preset
from damier.learn.player import ALGORITHMS
from damier.web import learners, pages
from damier.web.messages import (
    Download,
    ListedTraining,
    Params,
    PartsAnswer,
    StateAnswer,
    TrainingFacts,
    TrainingState,
    is_listed,
    is_told,
)
from damier.web.registry import Registry
from damier.web.rooms import ROOMS
from damier.web.snapshot import code_of, compared, number_parts, of_agent, picture_parts, table_text
from damier.web.trainings import ORDERS, SEATS

PACES = {
    "1": N_("1 game a second"),
    "5": N_("5 games a second"),
    "20": N_("20 games a second"),
    "100": N_("100 games a second"),
    "0": N_("as fast as it can"),
}
OPPONENTS = {
    "self": N_("itself, one table"),
    "self:table=separate": N_("itself, two tables"),
    "random": N_("random moves"),
    "beginner": N_("a beginner"),
    "medium": N_("a medium player"),
    "strong": N_("a strong player"),
    "perfect": N_("the perfect player"),
    "perfect:ties=first": N_("perfect, its first best move"),
    "mcts:simulations=100": N_("Monte Carlo, 100 simulations"),
}
"""Whom a learner may meet, in words; any other agent is written as text."""
WRITTEN = "?"
"""Chosen where the text of a game or an agent is none of those that are offered."""
STANDARD = {
    "game": "hexapawn",
    "learner": "q",
    "opponent": "self",
    "seat": "alternate",
    "seed": "0",
    "games": "400",
    "pace": "20",
    "positions": "",
}
"""A training that shows it all in half a minute: nobody teaches it, it meets its ceiling, and
nobody can beat it any more.
"""


def page(registry: Registry, params: Params) -> str:
    """The room; `name` is the learner that is looked at, the other values are those of the form."""
    values = {name: params.text(name, default) for name, default in STANDARD.items()}
    if params.values.keys().isdisjoint(STANDARD.keys() - {"game", "seed", "games", "pace", "positions"}):
        asked_for = values
    else:  # what an address leaves out is the preset's own, as on the command line
        asked_for = values | {name: params.text(name) for name in ("opponent", "seat")}
        if preset := preset_in(asked_for["learner"])[0]:
            asked_for["games"] = params.text("games", games_of(preset))
    chosen, parameters = split(registry, asked_for["learner"])
    name = params.text("name")
    return pages.page(
        "learning.html",
        "/learning",
        _("Learning"),
        values=asked_for,
        chosen=chosen,
        parameters=parameters,
        learners=learner_groups(registry),
        games={name: game_in_words(name) for name in registry.names},
        opponents=opponent_choices(registry),
        written=WRITTEN,
        seats=SEATS,
        paces=PACES,
        most_typed=MOST_TYPED,
        name=name,
        codes={algorithm: code_of(algorithm) for algorithm in ALGORITHMS},
        listed=listing(registry, []),
    )


def split(registry: Registry, learner: str) -> tuple[str, str]:
    """The learner as the form offers it, an algorithm with its preset or an agent of one's own, and the
    other parameters.

    >>> from damier.web.settings import Settings
    >>> split(Registry(Settings()), "q:alpha=0.3,preset=hexapion")
    ('q:preset=hexapion', 'alpha=0.3')
    """
    own, options_of_own = registry.settings.own_and_options(learner)
    if own:
        return own, options_of_own
    name, _colon, written = learner.partition(":")
    options = [option for option in written.split(",") if option]
    preset = [option for option in options if option.startswith("preset=")][:1]
    return ":".join([name, *preset]), ",".join(option for option in options if option not in preset)


def learner_groups(registry: Registry) -> dict[str, list[pages.Row]]:
    """Return what may learn: the user's own agents that have a method for it, then each algorithm with
    its presets. Of each its title, what it does in words, and the training that suits it; parameters follow
    its text after `joint`.
    """
    usual = {key: STANDARD[key] for key in ("opponent", "seat", "games")} | {"joint": ":"}
    files = {name: registry.own.as_in_file(name) for name in registry.own.learners()}
    own: list[pages.Row] = [
        {
            **usual,
            "text": name,
            "title": file,
            "words": _("your own: {file}", file=file),
            "opponent": "random",
        }
        for name, file in files.items()
    ]
    brought: dict[str, list[pages.Row]] = {
        name: [
            {**usual, "text": name, "title": agent_in_words(name), "words": _(AGENTS[name].summary)},
            *(
                dict[str, object](
                    text=f"{name}:preset={preset}",
                    title=_(made.title),
                    words=_(made.summary),
                    opponent=made.opponent,
                    seat=made.seat,
                    games=games_of(made),
                    joint=",",
                )
                for preset, made in PRESETS.get(name, {}).items()
            ),
        ]
        for name in learner_names()
    }
    return ({_("your agents"): own} if own else {}) | brought


def opponent_choices(registry: Registry) -> dict[str, dict[str, str]]:
    """Return whom a learner may meet, in groups, each in words; nobody named is whom its preset says."""
    own = {name: _("your own: {file}", file=file) for name, file in registry.own.in_files().items()}
    brought = {"": _("whom its preset says")} | {name: _(words) for name, words in OPPONENTS.items()}
    return ({_("your agents"): own} if own else {}) | {_("players"): brought}


def games_of(preset: Preset) -> str:
    """Return how many games a form offers: those of the document, where that says so."""
    return str(preset.games) if preset.games != USUAL_GAMES else STANDARD["games"]


def listing(registry: Registry, trainings: list[ListedTraining]) -> str:
    """All learners: those that learn now, then those that lie in files."""
    active = {training["name"] for training in trainings}
    saved = [
        {"name": name, "state": "saved", **registry.learner_header(name)}
        for name in learners.names(registry.settings.folder)
        if name not in active
    ]
    found = [*trainings, *saved]
    places = {one["name"]: ROOMS.address_of(str(one["learner"]), str(one["game"])) for one in found}
    return pages.part("learning_list.html", learners=found, places=places)


def listed(registry: Registry, params: Params) -> PartsAnswer:
    """The list while trainings run: the hub asks, which knows them."""
    trainings = params.values["trainings"]
    assert is_listed(trainings)
    return {"parts": {"list": listing(registry, trainings)}}


def numbers(registry: Registry, params: Params) -> StateAnswer[TrainingState]:
    """Return how far a training is: the hub asks, which was told of it."""
    return how_far(training_view_in(params))


def drawn(registry: Registry, params: Params) -> PartsAnswer:
    """The picture of a training: the hub asks, which was told of it."""
    return {"parts": picture_parts(registry, training_view_in(params))}


def training_view_in(params: Params) -> TrainingFacts:
    """Return what the hub was told of a training."""
    assert is_told(params.values)
    return params.values


def how_far(facts: TrainingFacts) -> StateAnswer[TrainingState]:
    """The numbers of a learner, without its picture."""
    return {
        "parts": number_parts(facts),
        "state": {
            "name": facts["name"],
            "state": facts["state"],
            "tables": facts.get("tables", 0),
            "algorithm": facts.get("algorithm", ""),
            "games": facts["games"],
            "of": facts["of"],
            "game": facts["game"],
            "pace": facts["pace"],
            "starts": facts.get("starts", ""),
        },
    }


def show(registry: Registry, params: Params) -> StateAnswer[TrainingState]:
    """A learner as its file has it. Raises BadInput, BadFile."""
    name, order = params.text("name"), params.choice("order", ORDERS)
    game = registry.page_game(registry.written_game(name))
    facts: TrainingFacts = {
        **of_agent(registry.kept_agent(game, name), game),
        "name": name,
        "order": order,
        "drawing": None,
        "error": "",
        "stage": "",
        "rate": 0,
        "pace": 0,
        "notes": [],
    }
    part = how_far(facts)
    return {**part, "parts": part["parts"] | picture_parts(registry, facts)}


def download(registry: Registry, params: Params) -> Download:
    """The table of one seat of a learner as text, as document S0 keeps it. Raises BadInput, BadFile."""
    name = params.text("name")
    game = registry.page_game(registry.written_game(name))
    agent = registry.kept_agent(game, name)
    seat = params.whole("seat", 1, 1, 2)
    if isinstance(agent, OwnAgent) or seat > len(agent.memories):
        raise BadInput(message("{name} has no such table", name=name))
    text = table_text(agent.game, agent.memories[seat - 1], beads=agent.learner == "beads")
    return Download("text/plain", text.encode())


def compare(registry: Registry, params: Params) -> PartsAnswer:
    """Two learners side by side. Raises BadInput, BadFile."""
    one, other = params.text("one"), params.text("other")
    if one == other:
        raise BadInput(message("choose two different learners"))
    return {"parts": {"comparison": compared(registry, one, other)}}
