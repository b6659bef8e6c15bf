"""Learners by name: `q`, `q:preset=hexapion,alpha=0.05`, `mean:file=agent.json`, `menace`.

The options of a learner are `file`, `learn` and `preset`, then the parameters of its algorithm.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from damier.core.errors import BadFile, BadInput
from damier.core.game import Game, option_text
from damier.core.player import Player
from damier.core.words import message
from damier.lab.games import Lab
from damier.lab.options import signed, word
from damier.learn.parameters import (
    BACKUPS,
    PRESETS,
    WRITTEN,
    Preset,
    TableParameters,
    Value,
    fields_of,
    option_of,
)
from damier.learn.player import ALGORITHMS, LearningPlayer, SeatedPlayer

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from damier.learn.store import Agent

P = TypeVar("P", bound="DataclassInstance")
Factory: TypeAlias = Callable[..., Player]
Note: TypeAlias = Callable[[str], None]
"""Takes what a person should know of a file."""


def learner_factory(name: str, standard: str = "") -> Factory:
    """The function that makes learners of one algorithm; `standard` is the preset of those that
    name none.
    """

    def make(lab: Lab, **options: Value) -> Player:
        return learner(lab.game, name, options, standard, lab.job.note)

    hints: dict[str, object] = {"file": str, "learn": bool, "preset": Literal[tuple(PRESETS[name])]}
    defaults: dict[str, object] = {"file": "", "learn": False, "preset": standard or None}
    kind = ALGORITHMS[name].Parameters
    plain = with_preset(name, standard)
    defaults |= {option_of(field.name): getattr(plain, field.name) for field in fields(kind)}
    hints |= {option_of(field): hint for field, hint in typing.get_type_hints(kind).items()}
    keyword = inspect.Parameter.KEYWORD_ONLY
    signed(
        make,
        {
            option: inspect.Parameter(word(option), keyword, default=default, annotation=hints[option])
            for option, default in defaults.items()
        },
    )
    make.present = present_option  # type: ignore[attr-defined]
    return make


def present_option(option: str, value: str) -> tuple[str, str]:
    """An option, as it may be written in a file or an address of earlier times, by its present
    name.

    >>> present_option("backup", "taken"), present_option("trace", "0.9"), present_option("alpha", "0.1")
    (('on_policy', 'true'), ('lambda', '0.9'), ('alpha', '0.1'))
    """
    if option == "backup" and value in BACKUPS:
        value = option_text(BACKUPS[value])
    return {written: option_of(field) for field, written in WRITTEN.items()}.get(option, option), value


def with_preset(name: str, preset: str) -> DataclassInstance:
    """The parameters of an algorithm with those of a preset."""
    made: DataclassInstance = ALGORITHMS[name].Parameters(
        **(PRESETS[name][preset].parameters if preset else {})
    )
    return made


def preset_of(name: str, options: Mapping[str, Value], standard: str = "") -> Preset | None:
    """The preset that the options name."""
    return PRESETS[name].get(str(options.get("preset") or standard))


def preset_in(text: str) -> tuple[Preset | None, str]:
    """Return the preset of a learner as it is written, and its other options."""
    name, _colon, options = text.partition(":")
    listed = options.split(",") if options else []
    for preset, made in PRESETS.get(name, {}).items():
        if f"preset={preset}" in listed:
            return made, ",".join(option for option in listed if option != f"preset={preset}")
    return None, options


def learner(
    game: Game, name: str, options: Mapping[str, Value], standard: str, note: Note
) -> LearningPlayer | SeatedPlayer:
    """A learner as its options say: new, it learns; from a file, it plays what that knows, unless
    it is to go on learning.
    """
    options = dict(options)
    file, preset = (str(options.pop(option, None) or "") for option in ("file", "preset"))
    learns = options.pop("learn", None)
    if not file:
        if learns is False:
            raise BadInput(message("{name}: learn=false plays what a file knows; give file=FILE", name=name))
        chosen = preset or standard
        return LearningPlayer(game, name, with_parameters(name, with_preset(name, chosen), options))
    if preset:
        raise BadInput(
            message(
                "{name}: preset={preset} and file exclude each other; a file has its parameters",
                name=name,
                preset=preset,
            )
        )
    return from_file(game, name, Path(file), options, note, learns=bool(learns))


def with_parameters(name: str, parameters: P, changed: Mapping[str, Value]) -> P:
    """Parameters with some of them changed. Raises BadInput where one is out of range."""
    try:
        return replace(parameters, **fields_of(changed))
    except BadInput as error:
        raise BadInput(message("{name}: {error}", name=name, error=error)) from None


def from_file(
    game: Game, name: str, path: Path, changed: Mapping[str, Value], note: Note, *, learns: bool
) -> LearningPlayer | SeatedPlayer:
    """The learner that a file holds. Raises BadFile."""
    agent = agent_of_file(path, game)
    if agent.note:
        note(agent.note)
    if agent.learner != name:
        raise BadFile(
            message(
                "{path} holds a {found}, not a {name}: write {found}:file={path}",
                path=path,
                found=agent.learner,
                name=name,
            )
        )
    parameters = with_parameters(name, agent.parameters, changed)
    if "epsilon" in changed and isinstance(parameters, TableParameters):
        for memory in agent.memories:
            memory.rates[:] = [parameters.epsilon] * len(memory.rates)
    players = [LearningPlayer(game, name, parameters, memory, learns=learns) for memory in agent.memories]
    if len(players) == 1:
        return players[0]
    if learns:
        raise refusal_of_seat_tables(path)
    return SeatedPlayer(players[0], players[1])


def refusal_of_seat_tables(path: Path | str) -> BadInput:
    """Return the refusal of a file with a table for each seat where one learner is wanted."""
    return BadInput(
        message("{path} holds a table for each seat; to go on learning, train it with --resume", path=path)
    )


def agent_of_file(path: Path, game: Game) -> Agent:
    """The agent in a file of damier, or in one of the Hexapawn lab. Raises BadFile."""
    from damier.learn.store import SUFFIX, Agent, load, load_hexapion  # for files alone

    if path.suffix != SUFFIX:
        return load(path, game)
    return Agent(game, "q", {}, with_preset("q", "hexapion"), [load_hexapion(path, game)])


beads, mean, q, v = map(learner_factory, ("beads", "mean", "q", "v"))
menace = learner_factory("beads", "hexapion")
