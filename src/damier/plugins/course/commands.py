"""`damier type`: commands as the five documents print them, one after the other; without any, a session at a
prompt, which remembers what was typed before. `damier figure`: a figure of the documents, as text and as a
picture.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import Annotated, Literal
from xml.etree import ElementTree

from cyclopts import Parameter

from damier.cli import interrupt
from damier.cli.command import (
    Json,
    Outcome,
    Report,
    Seed,
    checked_count,
    checked_seed,
    clear_bar,
    remark,
    report,
    say,
    table,
    whole,
)
from damier.core.errors import BadInput, DamierError
from damier.core.files import make_place, write_text
from damier.core.job import presses
from damier.core.words import _, decimal, message
from damier.draw.picture_files import require_picture, write_picture
from damier.draw.tables import NumbersPanel, numbers_svg
from damier.lab.games import load
from damier.learn.action_values import Row
from damier.learn.q import softmax
from damier.learn.store import number_of_view
from damier.plugins.course.figures import FIGURES, softmax_svg
from damier.plugins.course.question import TypedAnswer
from damier.plugins.course.s0 import DECISIONS, learnt_by_games, random_policy_table
from damier.plugins.course.sheet import typed_anywhere

PROMPT, MORE = "> ", "… "
ENDS = ("quit", "exit", "(quit)", "(exit)", "quitter", ":q")
MOST_LINES = 100
"""Lines that a command may go on over."""
SETTLED = 0.1
"""Seconds after which the thread that watches Ctrl-C has seen that one was answered."""


def typed(
    *commands: Annotated[
        str,
        Parameter(
            help=_(
                'in quotation marks, such as "(explore 7 actions \'IA 0)" or'
                " './tictactoe -t 1000 random ai'; several in order; without any, a session at a prompt"
            )
        ),
    ],
    out: Annotated[
        Path | None,
        Parameter(name=("--out", "-o"), help=_("write what the last one comes to, whole, to a text file")),
    ] = None,
    json: Json = False,
) -> None:
    if not commands:
        if json or out is not None:
            raise BadInput(message("--json and --out need a COMMAND"))
        session()
        return
    if out is not None:
        make_place(out)
    sitting = CommandSession()
    answers = [sitting.answer(command) for command in commands]
    if len(answers) == 1 and not json and out is None and played_here(*answers[0]):
        return
    if out is not None:
        last = answers[-1][1]
        write_text(out, "\n".join(last.whole or last.lines) + "\n")
    facts = [
        {"document": document, "command": found.command, "lines": list(found.lines)}
        for document, found in answers
    ]
    whole = facts[0] if len(facts) == 1 else {"commands": facts}
    report(whole, json, lambda: show(answers), out)


def show(answers: list[tuple[str, TypedAnswer]]) -> None:
    """The answers, one after the other."""
    for number, (_document, found) in enumerate(answers):
        if len(answers) > 1:
            say(("\n" if number else "") + PROMPT + found.command)
        say("\n".join(found.lines))


def played_here(document: str, found: TypedAnswer) -> bool:
    """Return whether a command is a game with a person, which is played at this terminal."""
    words = found.command.split()
    if document != "s4" or "human" not in words:
        return False
    from damier.cli.tictactoe import command

    command(words[1:])
    return True


class CommandSession:
    """The commands that were understood so far; later ones build on them."""

    def __init__(self) -> None:
        self.before: list[str] = []
        self.document = "s3"

    def answer(self, command: str) -> tuple[str, TypedAnswer]:
        """Return what a command comes to, and the document that writes it so.

        Raises BadInput, LimitReached.
        """
        self.document, found = typed_anywhere(command, self.before, self.document)
        self.before.append(command)
        return self.document, found


def session() -> None:
    """Answer commands until the input ends. At a terminal Ctrl-C leaves a command, not the session."""
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    sitting = CommandSession()
    if at_terminal:
        with contextlib.suppress(ImportError):  # not on every system: then lines are typed without history
            import readline  # noqa: F401
        say(_("Type commands as a document prints them; arrow up: those before; quit or Ctrl-D: the end."))
    while True:
        pressed = presses()
        try:
            command = read_command(at_terminal)
            if command is None or command.strip().lower() in ENDS:
                return
            if command.strip():
                answered(sitting, command)
        except KeyboardInterrupt:
            if not at_terminal or presses() == pressed:
                raise
            clear_bar()
            say()
            time.sleep(SETTLED)
            interrupt.begin()


def answered(sitting: CommandSession, command: str) -> None:
    """Print what a command comes to, or why it is refused: the session goes on."""
    try:
        document, found = sitting.answer(command)
        if not played_here(document, found):
            say("\n".join(found.lines))
    except DamierError as error:
        remark(f"damier: {error}")


def read_command(at_terminal: bool) -> str | None:
    """Return the next command, lines until its brackets are closed; None at the end of the input."""
    text = ""
    for number in range(MOST_LINES):
        try:
            line = input(MORE if number else PROMPT) if at_terminal else sys.stdin.readline()
        except EOFError:  # Ctrl-D
            say()
            return text if number else None
        if not line and not at_terminal:
            return text if number else None
        text = f"{text} {line.strip()}" if number else line.strip()
        if not line.strip() or text.count("(") <= text.count(")"):
            break
    return text


# Figures.

USUAL_GAMES = {"updates": 6, "random-table": 500}
MOST_GAMES = {"updates": 60, "random-table": 100_000}
ACTIONS = 14
SYMBOLS = ("k", "Q", "σ(Q)")
MOST_VALUES = 40

FigureName = Literal[
    "roulette", "updates", "random-table", "actions", "timeline", "sequence", "plies", "machines"
]


def figure(
    name: Annotated[
        FigureName,
        Parameter(
            help=_(
                "roulette: the softmax of --values, and what a random number draws; updates: the same game"
                " learnt forwards and backwards, game after game; random-table: the Q-table under a random"
                " policy; actions: the numbers of hexapawn's actions; timeline, sequence: rewards and"
                " episodes of document S0; plies, machines: of document S2"
            )
        ),
    ],
    /,
    *,
    values: Annotated[
        str, Parameter(help=_("roulette: Q-values, with commas"), allow_leading_hyphen=True)
    ] = "1,2,3",
    rand: Annotated[float, Parameter(help=_("roulette: the random number, from 0 to 1"))] = 0.55,
    temperature: Annotated[float, Parameter(help=_("roulette: of the softmax; the document has 1"))] = 1.0,
    games: Annotated[
        int | None,
        Parameter(converter=whole, help=_("updates (6), random-table (500): how many games are learnt from")),
    ] = None,
    seed: Seed = 0,
    out: Annotated[Path | None, Parameter(name=("--out", "-o"), help=_("draw it: .svg, .png, .pdf"))] = None,
    json: Json = False,
) -> None:
    if out is not None:
        require_picture(out)
    found = figure_of(name, values, rand, temperature, games, checked_seed(seed))
    if out is not None:
        write_picture(found.svg(), out)

    def tell() -> None:
        found.show()
        if out is None:
            say(_("-o FILE.svg draws it"))

    report(found.data, json, tell, out)


def figure_of(
    name: FigureName, values: str, rand: float, temperature: float, games: int | None, seed: int
) -> Outcome:
    """The figure of a name. Raises BadInput."""
    if games is not None and name not in USUAL_GAMES:
        raise BadInput(message("--games is for {names}", names=" ".join(USUAL_GAMES)))
    if name == "roulette":
        return roulette(read_values(values), rand, temperature)
    if name in USUAL_GAMES:
        played = USUAL_GAMES[name] if games is None else games
        checked_count("--games", played, high=MOST_GAMES[name])
        return updates(played) if name == "updates" else random_table(played, seed)
    svg = FIGURES["triples" if name == "sequence" else name]()
    words = in_words(svg)
    return Outcome({"figure": name, "words": words}, lambda: say(words), lambda: svg)


def in_words(svg: str) -> str:
    """The title of a picture, and what it says to who does not see it."""
    root = ElementTree.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    return "\n".join(root.findtext(space + name) or "" for name in ("title", "desc"))


def read_values(text: str) -> list[float]:
    """Numbers with commas between them. Raises BadInput."""
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not 1 <= len(found) <= MOST_VALUES or not all(map(isfinite, found)):
        raise BadInput(
            message("--values {text}: from 1 to {n} numbers, with commas", text=text, n=MOST_VALUES)
        )
    return found


def roulette(values: list[float], rand: float, temperature: float) -> Outcome:
    """The softmax as a bar, and which share a random number falls into."""
    if not 0 <= rand <= 1:
        raise BadInput(message("--rand {n}: it must be between 0 and 1", n=rand))
    if not 0 < temperature < 1e9:
        raise BadInput(message("--temperature {n}: it must be a number above 0", n=temperature))
    shares = softmax(values, temperature)
    up_to = [sum(shares[: n + 1]) for n in range(len(shares))]
    drawn = next((n for n, total in enumerate(up_to) if total >= rand), len(values) - 1)
    data: Report = {
        "figure": "roulette",
        "values": values,
        "temperature": temperature,
        "shares": shares,
        "cumulative": up_to,
        "rand": rand,
        "drawn": drawn + 1,
    }

    def show() -> None:
        rows = [
            (
                n + 1,
                decimal(value, "g"),
                decimal(shares[n], ".4f"),
                decimal(up_to[n], ".4f"),
                "←" if n == drawn else "",
            )
            for n, value in enumerate(values)
        ]
        table((*SYMBOLS, _("sum up to k"), ""), rows, numbers=range(4))
        say(_("rand = {rand} draws k = {k}", rand=decimal(rand, "g"), k=drawn + 1))

    return Outcome(data, show, lambda: softmax_svg(values, rand, temperature))


def updates(games: int) -> Outcome:
    """Report one game won again and again, each decision learnt when it is left, or all backwards."""
    both = {
        "forwards": learnt_by_games(games, backwards=False),
        "backwards": learnt_by_games(games, backwards=True),
    }
    titles = {
        "forwards": _("forwards: each decision when it is left"),
        "backwards": _("backwards: one pass from the end, as document S0 does"),
    }
    columns = tuple(f"Q(s{n}, a{n})" for n in range(DECISIONS))
    panels = [
        NumbersPanel(titles[name], columns, tuple((str(n), row) for n, row in enumerate(rows, 1)))
        for name, rows in both.items()
    ]
    title = _("Five decisions, +100 at the end, α = 0.01, γ = 0.9: after each game")
    data: Report = {"figure": "updates", "games": games, **both}
    return of_numbers(data, _("game"), panels, title, ".3g", both["backwards"][-1][-1])


def random_table(games: int, seed: int) -> Outcome:
    """The Q-table that learns while every move is random, a line a state, a column an action."""
    game, memory = load("hexapawn"), random_policy_table(games, seed)
    rows = tuple((str(number_of_view(game, row.state)), by_action(row)) for row in memory.rows())
    title = _("The Q-table of document S0 after {n} random games against the random player", n=games)
    most = max(abs(cell) for _state, cells in rows for cell in cells if cell is not None)
    states = [
        {"state": int(state), "values": {str(n): cell for n, cell in enumerate(cells) if cell is not None}}
        for state, cells in rows
    ]
    data: Report = {"figure": "random-table", "games": games, "seed": seed, "states": states}
    panel = NumbersPanel("", tuple(map(str, range(ACTIONS))), rows)
    return of_numbers(data, _("state"), [panel], title, ".2f", most or 1.0)


def of_numbers(
    data: Report, heading: str, panels: Sequence[NumbersPanel], title: str, form: str, marked: float
) -> Outcome:
    """A figure of numbers in a format of Python, under headings of which the first is that of the rows."""

    def written(value: float) -> str:
        return decimal(value, form)

    def show() -> None:
        for panel in panels:
            rows = [
                (name, *("" if cell is None else written(cell) for cell in cells))
                for name, cells in panel.rows
            ]
            numbers = range(len(panel.columns) + 1)
            table((heading, *panel.columns), rows, panel.title or title, numbers=numbers)

    return Outcome(data, show, lambda: numbers_svg(panels, title, written, marked))


def by_action(row: Row) -> tuple[float | None, ...]:
    """The values of a row by the number of the action; None where that is not possible."""
    known = {move.bit_length() - 1: value for move, value in zip(row.moves, row.values, strict=True)}
    return tuple(known.get(number) for number in range(ACTIONS))
