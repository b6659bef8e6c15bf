"""`damier grade`: what an agent is worth, exactly where that can be known; and where it goes wrong. `damier
card`: what it is, how it learnt, and its exact grade; `--check` works that out anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, NamedTuple, cast

from cyclopts import Parameter

import damier
from damier.arena.match import Score, wilson
from damier.cli.command import (
    AgentName,
    GameName,
    Json,
    Report,
    Seed,
    SharedWork,
    checked_seed,
    percent,
    remarks,
    report,
    say,
    table,
    within,
)
from damier.core import words
from damier.core.errors import BadFile, BadInput, Changed, LimitReached, Unsuitable
from damier.core.files import make_place, read_text, write_text
from damier.core.game import written_game
from damier.core.grade import Grade, Mistake, grade_facts
from damier.core.json_data import (
    JsonBounds,
    format_of,
    held,
    laid_out,
    parse_json,
    read_json,
    require_format,
    to_json,
)
from damier.core.json_types import JsonObject, JsonValue
from damier.core.player import Policy
from damier.core.solution import PAYOFFS
from damier.core.words import N_, _, decimal, grouped, interval, labelled, message, ngettext, plural
from damier.draw import MoveMark, board_text, move_marks
from damier.draw.board import mistake_sentences, mistakes_svg
from damier.draw.picture_files import require_picture, write_picture
from damier.lab import agent_file
from damier.lab.agent_file import digest, digest_of_text
from damier.lab.agents import AGENTS, agent as agent_of, is_brought
from damier.lab.curves import interval_in_words
from damier.lab.games import Lab, is_file, load
from damier.lab.grading import ASKED, GAMES, SampledGrade, graded, mistakes as mistakes_of
from damier.learn import store

MOST_MISTAKES = 1000


def grade(
    game: GameName,
    agent: AgentName,
    /,
    *,
    against: Annotated[str, Parameter(help=_("the opponent"))] = "random",
    games: Annotated[
        int | None,
        Parameter(
            converter=within(),
            help=_("by so many games instead of exactly (default: only where it cannot be exact, 2000)"),
        ),
    ] = None,
    mistakes: Annotated[
        int,
        Parameter(
            converter=within(0, MOST_MISTAKES),
            help=_("show the first so many of its mistakes, and what punishes them"),
        ),
    ] = 0,
    out: Annotated[
        Path | None, Parameter(name=("--out", "-o"), help=_("draw the mistakes to a .svg, .png or .pdf file"))
    ] = None,
    seed: Seed = 0,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    if out is not None:
        if not mistakes:
            raise BadInput(message("--out needs --mistakes N: it is they that are drawn"))
        require_picture(out)
    job, notes = (work or SharedWork()).job()
    lab = Lab(load(game), job, seed=checked_seed(seed))
    player, opponent = agent_of(lab, agent), agent_of(lab, against)
    found = graded(lab, player, opponent, games, seed)
    first = mistakes_of(lab, player, mistakes) if mistakes else []
    remarks(notes)
    data: dict[str, object] = {"game": lab.game.text, "agent": player.text, "against": opponent.text}
    data |= {"exact": True, **grade_facts(found)} if isinstance(found, Grade) else sampled_facts(found)
    if mistakes:
        data["mistakes"] = [mistake.as_json() for mistake in first]
    if out is not None:
        draw(lab, first, out, player.text)

    def tell() -> None:
        if isinstance(found, Grade):
            show(lab.game.text, player.text, opponent.text, found)
        else:
            show_sampled(lab.game.text, player.text, opponent.text, found)
        if mistakes:
            show_mistakes(lab, first, known=isinstance(player, Policy))

    report(data, json, tell, out)


def sampled_facts(found: SampledGrade) -> dict[str, object]:
    """A grade by games as plain data: for each seat its rates, each with its 95 % interval."""
    return {
        "exact": False,
        "why": found.why,
        "games": found.games.games,
        "seats": [
            {
                "games": n,
                **{
                    name: {"rate": rate if n else None, "interval": ends}
                    for name, (rate, *ends) in zip(PAYOFFS, rates, strict=True)
                },
            }
            for n, rates in rates_of(found.games)
        ],
    }


def rates_of(score: Score) -> Iterator[tuple[int, list[list[float]]]]:
    """Yield for each seat its games, and how often it wins, draws and loses: each rate with the ends of its
    95 % interval.
    """
    for counts in score.seats:
        n = sum(counts)
        yield n, [[count / max(n, 1), *wilson(count, n)] for count in counts]


def show_sampled(game: str, agent: str, against: str, found: SampledGrade) -> None:
    """A grade by games as a table."""
    rows = []
    for seat, (n, rates) in enumerate(rates_of(found.games), 1):
        shares = [f"{percent(rate)} [{interval_in_words(low, high, '.2f')}]" for rate, low, high in rates]
        who = _("{agent} against {against}", agent=agent, against=against) if seat == 1 else ""
        rows.append((who, seat, *(shares if n else [""] * 3)))
    title = _(
        "{game}: not exact, {n} games with 95 % intervals; {why}",
        game=game,
        n=grouped(found.games.games),
        why=found.why,
    )
    table(("", _("seat"), _("win"), _("draw"), _("loss")), rows, title, numbers=[1, 2, 3, 4])


def show_mistakes(lab: Lab, found: list[Mistake], *, known: bool) -> None:
    """The mistakes, each with its board and the value of every move; `known` whether the agent's
    probabilities are, so that none can be missed.
    """
    if not found and known:
        say(_("it makes no mistake: it keeps the value wherever it can come by its own moves"))
    elif not found:
        say(_("asked {n} times wherever it can come by its own moves, it made no mistake", n=ASKED))
    for number, mistake in enumerate(found, 1):
        say()
        say(_("Mistake {n}, after {moves}:", n=number, moves=" ".join(mistake.moves) or _("no move")))
        say(board_text(mistake.position, marks_of(lab, mistake)))
        for sentence in mistake_sentences(mistake):
            say(sentence)


def draw(lab: Lab, found: list[Mistake], path: Path, agent: str) -> None:
    """Writes the mistakes as a picture."""
    title = _("{game}: where {agent} first goes wrong", game=lab.game.text, agent=agent)
    write_picture(mistakes_svg([(mistake, marks_of(lab, mistake)) for mistake in found], title), path)


def marks_of(lab: Lab, mistake: Mistake) -> list[MoveMark]:
    """The value of every move where a mistake is made."""
    state = mistake.position.state
    explained = lab.solution(_("to find mistakes needs the game solved")).explain(state)
    return move_marks(lab.game, state, explained)


def show(game: str, agent: str, against: str, found: Grade) -> None:
    """The grade as a table."""
    names = {"agent": agent, "against": against}
    lines = {  # by what they say: two are one where an agent meets itself
        _("{agent} against {against}", **names): found.seats,
        _("the most that anybody gets against {against}", **names): found.best_against,
        _("the most that anybody gets against {agent}", **names): found.best_response,
    }
    rows = [
        (
            label if seat == 1 else "",
            seat,
            *map(percent, (chances.win, chances.draw, chances.loss)),
            decimal(chances.payoff, "+.4f"),
        )
        for label, pair in lines.items()
        for seat, chances in enumerate(pair, 1)
    ]
    title = _("{game}: exact, nothing sampled", game=game)
    table(("", _("seat"), _("win"), _("draw"), _("loss"), _("payoff")), rows, title, numbers=[1, 2, 3, 4, 5])
    if not found.states:
        say(_("the game is over before a move: there is no move to be graded"))
        return
    say(
        ngettext(
            "moves that keep the value: {all} in the one position of the game that is not over",
            "moves that keep the value: {all} over all {n} positions, {reached} over those that it reaches"
            " against {against}",
            found.states,
            all=percent(found.optimal_share_all),
            n=grouped(found.states),
            reached=percent(found.optimal_share_reached),
            against=against,
        )
    )


# Cards of agents: what one is, how it learnt, and its exact grade, as data that can be worked out anew
# (docs/agent_card.md).
#
#     {"format": "damier-card/1", "game": …, "agent": …, "learnt": …, "against": …, "grade": …, "versions": …}


FORMAT = "damier-card/1"
BOUNDS = JsonBounds(1 << 24, 100_000, 1_000_000)
FENCE = re.compile(r"^```json\n((?:(?!```).*\n)*)```$", re.MULTILINE)
"""The data of a card in its Markdown; no line is read for two blocks."""
FOLDER_FACTS = "facts.json"
"""The file of a learnt folder that says how it was learnt."""
STRUCTURE = frozenset({"format", "game", "options", "rules", "tables", "data", "arrays", "sha256", "version"})
"""What a learnt file says that is no part of how it was learnt."""
NOT_COMPARED = frozenset({"given", "versions", "summary", "why"})
"""What may differ where nothing has changed: where a file lies, the version at work, and sentences."""
CLOSE = 1e-9


class LearntAgent(NamedTuple):
    """An agent as it is written, the file or folder that it has learnt from, and the game of that."""

    text: str
    file: Path | None
    game: str


def named_agent(text: str) -> LearntAgent:
    """Return the agent that is meant: by its text, or by the file or folder that a training wrote alone.

    Raises BadFile, and BadInput for the file of an agent of one's own, whose code runs only if it is named.
    """
    path = Path(text)
    if path.suffix == ".json" and path.is_file() and path.name != FOLDER_FACTS:
        kind = format_of(path)
        if kind == agent_file.FORMAT:
            raise BadInput(
                message(
                    "{path} was learnt by {agent}, a file that would run; if you trust it, write"
                    " {agent}:file={path}",
                    path=path,
                    agent=agent_file.header(path).get("agent"),
                )
            )
        if kind != store.FORMAT:
            raise BadFile(message("{path} is a {found}, and no agent", path=path, found=kind))
        head = store.header(path)
        return LearntAgent(f"{head.get('learner')}:file={text}", path, written_game(head))
    folder = path.parent if path.name == FOLDER_FACTS else path
    if is_learnt(folder):
        head = head_of(folder)
        name = str(head["format"]).removeprefix("damier-").partition("/")[0]
        return LearntAgent(f"{name}:file={folder}", folder, written_game(head))
    found = re.search(r"[:,]file=([^,]+)", text)
    file = Path(found[1]) if found else None
    if file is None or not (is_learnt(file) or (file.suffix == ".json" and file.exists())):
        return LearntAgent(text, None, "")
    return LearntAgent(text, file, written_game(head_of(file)))


def is_learnt(folder: Path) -> bool:
    """Return whether this is a folder that a training wrote."""
    return (folder / FOLDER_FACTS).is_file()


def head_of(file: Path) -> JsonObject:
    """Return what a learnt file, or folder, says of itself. Raises BadFile."""
    if is_learnt(file):
        return read_json(file / FOLDER_FACTS, format_of(file / FOLDER_FACTS), BOUNDS)
    return agent_file.header(file) if format_of(file) == agent_file.FORMAT else store.header(file)


def learnt_facts(file: Path | None) -> JsonObject | None:
    """Return how an agent learnt, by its file: parameters, opponent, seat, seed, games, curve; None where
    it has none.
    """
    if file is None:
        return None
    head = head_of(file)
    training = head.pop("training", {})
    kept = {name: value for name, value in head.items() if name not in STRUCTURE}
    return {**kept, **(training if isinstance(training, dict) else {})}


def card_of(lab: Lab, named: LearntAgent, against: str, seed: int) -> tuple[JsonObject, Grade | SampledGrade]:
    """Return the card of an agent, and its grade. Raises what `agent` and `graded` raise for one that cannot
    play.
    """
    player, opponent = agent_of(lab, named.text), agent_of(lab, against)
    name, is_folder = named.text.partition(":")[0], named.file is not None and named.file.is_dir()
    try:
        found = graded(lab, player, opponent, None, seed)
    except (Unsuitable, LimitReached) as error:  # large, or endless: then by games
        found = graded(lab, player, opponent, GAMES, seed, str(error))
    card: JsonObject = {
        "format": FORMAT,
        "game": lab.game.text,
        "rules": lab.game.fingerprint(),
        "given": named.text,
        "agent": re.sub("(?<=[:,])file=[^,]*,?", "", player.text).rstrip(":,"),
        "summary": _(AGENTS[name].summary) if name in AGENTS else "",
        "files": digest_of_learnt(named.file) if is_folder else digest_of_text(named.text),
        "learnt": learnt_facts(named.file),
        "against": opponent.text,
        "seed": seed,
        "grade": grade_of(found),
        "versions": {"damier": damier.__version__},
    }
    return card, found


def digest_of_learnt(folder: Path | None) -> str:
    """Return the SHA-256 of the files of a learnt folder."""
    files = sorted(folder.iterdir()) if folder else []
    lines = [f"{path.name} {digest(path)}\n" for path in files if path.is_file()]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def grade_of(found: Grade | SampledGrade) -> JsonObject:
    """Return a grade as data: exact, or by games, each rate with its 95 % interval."""
    if isinstance(found, Grade):
        return {"exact": True, **grade_facts(found)}
    seats: list[JsonValue] = [dict(zip(PAYOFFS, rates, strict=True)) for _n, rates in rates_of(found.games)]
    return {"exact": False, "why": found.why, "games": found.games.games, "seats": seats}


def read_card(path: Path) -> JsonObject:
    """Return the data of a card, JSON or Markdown. Raises BadFile for anything else."""
    text = read_text(path, BOUNDS.size)
    blocks = [text] if text.lstrip().startswith("{") else FENCE.findall(text)
    if not blocks:
        raise BadFile(message("{path} is no card of an agent", path=path))
    card = require_format(parse_json(blocks[-1], path, BOUNDS), FORMAT, path)
    for name in ("game", "agent", "against"):
        if held(card, name, str) is None:
            raise BadFile(message("{path} is no card of an agent", path=path))
    return card


def against_of(card: JsonObject, path: Path) -> str:
    """Return whom a card was graded against. Raises BadInput for a file or a program, which would run."""
    against = str(card["against"])
    if is_brought(against):
        raise BadInput(
            message(
                "{path} was graded against {agent}, which would run; if you trust it, give --against {agent}",
                path=path,
                agent=shlex.quote(against),
            )
        )
    return against


def differences(card: JsonObject, now: JsonObject) -> list[JsonObject]:
    """Return what a card says that is otherwise now: where it stands, then and now; numbers that differ by
    rounding are equal.
    """
    old, new = dict(leaves(card)), dict(leaves(now))
    return [
        {"place": place, "written": old.get(place), "now": new.get(place)}
        for place in dict.fromkeys([*old, *new])
        if not equal(old.get(place), new.get(place))
    ]


def leaves(value: JsonValue | Mapping[str, JsonValue], place: str = "") -> Iterator[tuple[str, JsonValue]]:
    """Yield what data says, each value with its place."""
    if isinstance(value, dict) and value:
        for name, part in value.items():
            if name not in NOT_COMPARED:
                yield from leaves(part, f"{place}.{name}" if place else name)
    elif isinstance(value, list) and value:
        for number, part in enumerate(value):
            yield from leaves(part, f"{place}[{number}]")
    else:
        yield place, cast("JsonValue", value)


def equal(one: JsonValue, other: JsonValue) -> bool:
    """Return whether two values are one, but for rounding."""
    numbers = (int, float)
    if isinstance(one, numbers) and isinstance(other, numbers) and not isinstance(one, bool):
        with contextlib.suppress(OverflowError):  # an int beyond all floats
            return abs(one - other) <= CLOSE * max(1.0, abs(one), abs(other))
    return one == other


CARDS = (".md", ".json")
MOST_DIFFERENCES = 20
"""Differences that are shown as a table; `--json` has them all."""


def card(
    agent: AgentName,
    /,
    *,
    game: Annotated[str, Parameter(help=_("the game (default: that of the agent's file)"))] = "",
    against: Annotated[str, Parameter(help=_("the opponent (default: random, or that of the card)"))] = "",
    out: Annotated[
        Path | None, Parameter(name=("--out", "-o"), help=_("write the card to a .md or .json file"))
    ] = None,
    check: Annotated[
        Path | None,
        Parameter(help=_("work out anew what a card says, and say what differs: exit code 1")),
    ] = None,
    seed: Seed = 0,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    if out is not None:
        make_place(out, CARDS)
    known = None if check is None else read_card(check)
    named = named_agent(agent)
    text = game or named.game or (str(known["game"]) if known else "")
    if not text:
        raise BadInput(message("{agent}: of which game? give --game", agent=agent))
    if not game and is_file(text):
        raise BadInput(
            message(
                "{path} is of {game}, a file that would run; if you trust it, give --game {game}",
                path=named.file or check,
                game=shlex.quote(text),
            )
        )
    if known is not None and check is not None:
        against = against or against_of(known, check)
        seed = held(known, "seed", int) or 0
    job, notes = (work or SharedWork()).job()
    lab = Lab(load(text), job, seed=checked_seed(seed))
    found, its_grade = card_of(lab, named, against or "random", lab.seed)
    remarks(notes)
    if out is not None:
        write_text(
            out, to_json(found) + "\n" if out.suffix.lower() == ".json" else markdown(found, its_grade)
        )
    if known is None:
        report(
            found, json, lambda: say(_("written to {path}", path=out) if out else in_words(found, its_grade))
        )
        return
    wrong = differences(known, found)
    data: Report = {"card": str(check), "same": not wrong, "differences": wrong}
    report(data, json, lambda: show_differences(wrong))
    if wrong:
        raise Changed(
            plural(
                "{path}: {n} value is not what it says",
                "{path}: {n} values are not what it says",
                len(wrong),
                path=check,
            )
        )


def show_differences(wrong: list[JsonObject]) -> None:
    """Show what a card says and what is now."""
    if not wrong:
        say(_("the card is right: all of it comes out again"))
        return
    rows = [
        (one["place"], to_json_value(one["written"]), to_json_value(one["now"]))
        for one in wrong[:MOST_DIFFERENCES]
    ]
    table((_("value"), _("on the card"), _("now")), rows)
    if len(wrong) > MOST_DIFFERENCES:
        say(_("{n} more; --json has them all", n=grouped(len(wrong) - MOST_DIFFERENCES)))


def to_json_value(value: JsonValue) -> str:
    """Return a value in a cell; nothing where it is not there."""
    return "" if value is None else to_json(value)


# The card as Markdown.


def markdown(card: JsonObject, grade: Grade | SampledGrade) -> str:
    """Return a card as a page; its data stands at the end, from which it can be checked."""
    data = _("Data")
    return f"{in_words(card, grade)}\n\n## {data}\n\n```json\n{laid_out(card)}\n```\n"


def in_words(card: JsonObject, grade: Grade | SampledGrade) -> str:
    """Return a card for people."""
    lines = [f"# {card['given']}", ""]
    if card["summary"]:
        lines += [f"{card['summary']}.", ""]
    lines += [
        _("* game: {game}", game=code(card["game"])),
        _("* agent: {agent}", agent=code(card["agent"])),
        _("* graded against: {agent}", agent=code(card["against"])),
        "",
        *grade_lines(grade),
    ]
    if isinstance(card["learnt"], dict):
        lines += ["", _("## How it learnt"), "", *learnt_lines(card["learnt"])]
    return "\n".join(lines)


def code(value: JsonValue) -> str:
    """Return a value as it is written, in Markdown."""
    return f"`{value if isinstance(value, str) else to_json(value)}`"


def grade_lines(found: Grade | SampledGrade) -> list[str]:
    """Return the grade as a table of Markdown."""
    heads = [_("seat"), _("win"), _("draw"), _("loss")]
    if isinstance(found, Grade):
        heads += [_("payoff"), _("ceiling"), _("the best opponent gets")]
        sentence = _(
            "Exact, nothing sampled. Moves that keep the value: {all} over all {n} positions, {reached} over"
            " those that it reaches.",
            all=words.percent(found.optimal_share_all),
            reached=words.percent(found.optimal_share_reached),
            n=grouped(found.states),
        )
        if not found.states:
            sentence = _("the game is over before a move: there is no move to be graded")
        pairs = zip(found.seats, found.best_against, found.best_response[::-1], strict=True)
        seats = [
            [
                *map(words.percent, (own.win, own.draw, own.loss)),
                *(decimal(chances.payoff, "+.4f") for chances in (own, most, theirs)),
            ]
            for own, most, theirs in pairs
        ]
    else:
        sentence = _(
            "By {n} games, not exactly, with 95 % intervals: {why}",
            n=grouped(found.games.games),
            why=found.why,
        )
        seats = [
            [
                f"{words.percent(rate)} [{interval(words.percent(low), words.percent(high))}]"
                for rate, low, high in rates
            ]
            for _n, rates in rates_of(found.games)
        ]
    numbered = ([str(number), *cells] for number, cells in enumerate(seats, 1))
    return [row(heads), row("---" for _head in heads), *map(row, numbered), "", sentence]


def row(cells: Iterable[str]) -> str:
    """Return a row of a table of Markdown."""
    return f"| {' | '.join(cells)} |"


LEARNT_WORDS = (
    N_("learner"),
    N_("parameters"),
    N_("games"),
    N_("opponent"),
    N_("seat"),
    N_("seed"),
    N_("max_plies"),
    N_("against"),
    N_("starts"),
)
"""What the file of a training says, by names that are words; other names are shown as they are."""


def learnt_lines(learnt: JsonObject) -> list[str]:
    """Return how an agent learnt, a line for each value; of its curve how many blocks there are."""
    lines = []
    for name, value in learnt.items():
        word = _(name) if name in LEARNT_WORDS else name
        if name == "curve":
            blocks = value.get("blocks") if isinstance(value, dict) else value
            n = len(blocks) if isinstance(blocks, list) else 0
            lines.append(ngettext("* curve: {n} block", "* curve: {n} blocks", n))
        elif isinstance(value, dict):
            pairs = [
                code(f"{key}={each if isinstance(each, str) else to_json(each)}")
                for key, each in value.items()
            ]
            lines.append("* " + labelled(word, " ".join(pairs)))
        else:
            lines.append("* " + labelled(word, code(value)))
    return lines
