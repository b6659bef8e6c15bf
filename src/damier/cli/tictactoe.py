"""`tictactoe`: the command of document S4 (rows A-77 to A-81), on the same games and agents.

    tictactoe -s A1 A2                 one game, shown
    tictactoe -t N A1 A2               N games, the wins of each; rl learns from them
    … -p M [TRAINER]                   rl first trains M games, then only plays what it knows
    tictactoe -t N my_agent.py ai      an agent of one's own, at any of these places
    tictactoe --report FILE            the results of the document's commands, for rapport.txt

Its options take one or two values, as the document writes them, which is why it is read by
argparse.
"""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

from damier.agents.own import OwnPlayer
from damier.arena.match import Score, match
from damier.cli import play
from damier.cli.command import Report, bar, checked_count, checked_seed, percent, remarks, report, say
from damier.cli.language import lend_to_argparse
from damier.cli.main import finish
from damier.cli.match import facts, show
from damier.core.errors import BadInput
from damier.core.files import make_place, write_text
from damier.core.job import Job, Notes
from damier.core.loop import MatchSetup
from damier.core.player import Learner, Player
from damier.core.words import _, grouped, languages, message
from damier.lab.agents import AGENTS_OF_S4 as AGENTS, LEARNER_OF_S4 as LEARNER, agent, is_brought
from damier.lab.games import Lab, load
from damier.lab.options import unknown
from damier.lab.training import practise
from damier.learn.player import LearningPlayer
from damier.learn.training import Training


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(message)


def parser() -> Parser:
    """The options of the document, and those of every command of damier."""
    parser = Parser(
        "tictactoe",
        description=_(
            "Tic-tac-toe between two agents: {names}, or a file of your own.", names=" ".join(AGENTS)
        ),
        allow_abbrev=False,
    )
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("-s", nargs=2, metavar=("A1", "A2"), help=_("one game, shown; A1 is X and starts"))
    kind.add_argument(
        "-t",
        nargs=3,
        metavar=("N", "A1", "A2"),
        help=_("N games: prints the wins of each; rl, or a file that learns, learns unless -p is given"),
    )
    kind.add_argument(
        "--report",
        metavar="FILE",
        help=_("writes the results of the document's commands that need no person (rapport.txt)"),
    )
    parser.add_argument(
        "-p",
        nargs="+",
        metavar=("M", "TRAINER"),
        help=_(
            "it first trains M games against TRAINER (default: its opponent; two rl train each other, in the"
            " same games), then only plays"
        ),
    )
    parser.add_argument("--seed", type=int, help=_("the same seed gives the same games"))
    parser.add_argument("--json", action="store_true", help=_("one JSON object on standard output"))
    # read, and taken away, before all others
    parser.add_argument("--lang", choices=languages(), help=_("the language of damier"))
    return parser


@dataclass(frozen=True)
class Practice:
    """Practice of who learns: so many games against a trainer, or against its coming opponent where
    none is named.
    """

    games: int
    trainer: str | None


def command(arguments: list[str]) -> None:
    """Runs the command. Raises BadInput."""
    options = parser().parse_args(arguments)
    seed = checked_seed(options.seed)
    if options.report:
        report_to(Path(options.report), options.p, seed, options.json)
        return
    names = options.s or options.t[1:]
    for name in [*names, *(options.p or [])[1:]]:
        if name not in AGENTS and not is_brought(name):
            raise unknown(_("agent"), name, AGENTS)
    practice = checked_practice(options.p, names) if options.p else None
    games = checked_count("-t", whole("-t", options.t[0])) if options.t else 1

    tell = play.to_stderr if options.json else say
    notes = Notes()
    job = Job(progress=bar, note=notes)
    lab = Lab(load("tictactoe"), job, lambda prompt: play.ask(prompt, tell), tell, seed)
    agents = (named(lab, names[0]), named(lab, names[1]))
    learning = [isinstance(player, Learner) and player.learns for player in agents]
    if practice and not any(learning):
        raise BadInput(message("-p trains rl, or a file that learns; here is neither"))
    extra: Report = {}
    if practice:
        each_other = all(learning) and practice.trainer is None
        trained = practised(lab, agents, practice, seed)
        remarks(notes)
        if not options.json:
            for each in trained:
                show_practice(each, agents.index(each.learner), each_other)
        extra = {
            "training": [facts_of_practice(each, agents.index(each.learner), each_other) for each in trained]
        }
    if options.s:
        # a learner that has not trained knows nothing yet: it plays at random, as while it learns
        played = play.play_step_by_step(lab, agents, seed, 9, False, lab.tell, names)
        report({**played.as_json(), **extra}, options.json, lambda: None)
    else:
        many_games(lab, notes, agents, names, games, seed, options.json, extra)


def named(lab: Lab, name: str) -> Player:
    """One of the document's agents, or one of somebody's own, which learns from the start if it can, as
    the document's learner does.

    Raises BadInput, AgentFault.
    """
    player = agent(lab, AGENTS.get(name, name))
    if isinstance(player, OwnPlayer):
        player.learns = player.can_learn
    return player


def checked_practice(given: Sequence[str], names: Sequence[str]) -> Practice:
    """Return what -p asks for.

    Raises BadInput where nobody could train, or only a person could be the trainer.
    """
    if len(given) > 2:
        raise BadInput(message("-p M [TRAINER]: one trainer at most, not {names}", names=" ".join(given[1:])))
    games = checked_count("-p", whole("-p", given[0]), low=0)
    trainer = given[1] if len(given) == 2 else None
    if trainer == "human" or (trainer is None and "human" in names):
        others = " ".join(name for name in AGENTS if name != "human")
        raise BadInput(
            message(
                "-p {games}: a person cannot be the trainer; write -p {games} TRAINER, one of {names}",
                games=games,
                names=others,
            )
        )
    return Practice(games, trainer)


def whole(option: str, text: str) -> int:
    """A number of games."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 12:
        raise BadInput(message("{option} {text}: it must be a number of games", option=option, text=text))
    return int(text)


def practised(lab: Lab, agents: tuple[Player, Player], practice: Practice, seed: int) -> list[Training]:
    """Trains every learner (`practise`)."""
    trainer = partial(named, lab, practice.trainer) if practice.trainer else None
    return list(practise(lab, agents, practice.games, trainer, seed))


def facts_of_practice(training: Training, seat: int, each_other: bool) -> Report:
    """Report of a training: the seat of the learner, from 0; how many positions it has met, where that is
    known: not of a file; whether its trainer learnt from the same games, the opponent that it meets then.
    """
    learner, opponent, ends = training.learner, training.table.agents[1], training.curve.total
    return {
        "player": seat,
        "learner": learner.text,
        "trainer": opponent.text,
        "games": training.episodes,
        "wins": ends.wins,
        "draws": ends.draws,
        "losses": ends.losses,
        "games_per_second": round(training.games_per_second, 1),
        **({"positions": len(learner.memory)} if isinstance(learner, LearningPlayer) else {}),
        **({"each_other": True} if each_other else {}),
    }


def document_name(text: str) -> str:
    """Return what the document calls an agent, of the text that damier knows it by; others are called so.

    >>> document_name("perfect:prefer=value,ties=first"), document_name("mean"), document_name("mine.py")
    ('ai', 'rl', 'mine.py')
    """
    learner = AGENTS[LEARNER].partition(":")[0]
    return {written: name for name, written in AGENTS.items()}.get(text, LEARNER if text == learner else text)


def show_practice(training: Training, seat: int, each_other: bool) -> None:
    """A training in one line."""
    games, total, met = training.episodes, training.curve.total, training.learner
    learner, known = met.text, ""
    if isinstance(met, LearningPlayer):
        learner = LEARNER
        known = _("; it has met {positions} positions", positions=grouped(len(met.memory)))
    won, drawn, lost = (percent(n / games) if games else "–" for n in (total.wins, total.draws, total.losses))
    trainer = document_name(training.table.agents[1].text)
    if each_other:
        say(
            _(
                "{learner} at seat 1 and {trainer} at seat 2 trained each other, in the same {games} games:"
                " {won} won by the first, {drawn} drawn, {lost} won by the second",
                learner=learner,
                games=grouped(games),
                trainer=trainer,
                won=won,
                drawn=drawn,
                lost=lost,
            )
        )
        return
    say(
        _(
            "{learner} at seat {seat} trained {games} games against {trainer}: {won} won, {drawn} drawn,"
            " {lost} lost",
            learner=learner,
            seat=seat + 1,
            games=grouped(games),
            trainer=trainer,
            won=won,
            drawn=drawn,
            lost=lost,
        )
        + known
    )


def many_games(
    lab: Lab,
    notes: Notes,
    agents: tuple[Player, Player],
    names: Sequence[str],
    games: int,
    seed: int,
    json: bool,
    extra: Report,
) -> None:
    """Counts games; interrupted, those that were played."""
    players = (play.shown(agents[0], lab.tell), play.shown(agents[1], lab.tell))
    table = MatchSetup(lab.game, players, seed, strict=False)
    score, interrupted = Score(), False
    try:
        match(table, games, lab.job, score=score)
    except KeyboardInterrupt:  # what was played counts
        interrupted = True
    report({**facts(table, score), **extra}, json, lambda: show(table, score, names), notes=notes)
    if interrupted:
        raise KeyboardInterrupt


def main(arguments: Sequence[str]) -> NoReturn:
    """Runs a command line, and ends this process as it ends."""
    lend_to_argparse()
    finish(command, arguments)


# `tictactoe --report rapport.txt`: what document S4 wants in a report, the results of its commands
# (section 3.5, row A-81); those that need no person.

COMMANDS = (
    "-t 1000 random ai",
    "-t 1000 random rl -p 100000",
    "-t 1000 random rl -p 100000 ai",
)


def report_to(path: Path, practice: Sequence[str] | None, seed: int, json: bool) -> None:
    """Runs the commands, all with one seed, and writes what they say. Raises LimitReached, and BadInput, also
    for -p, which they have themselves.
    """
    if practice:
        raise BadInput(message("--report takes no -p: its commands have their own"))
    make_place(path)
    parts = [_("The commands of the project and their results (seed {seed})", seed=seed)]
    for words in COMMANDS:
        with contextlib.redirect_stdout(io.StringIO()) as output:
            command([*words.split(), "--seed", str(seed)])
        lines = [line.rstrip() for line in output.getvalue().strip().splitlines()]
        parts.append("\n".join([f"$ ./tictactoe {words}", "", *lines]))
    write_text(path, "\n\n".join(parts) + "\n")
    report({"report": str(path), "seed": seed}, json, lambda: None, path)
