"""`damier tree`: a tree, from a file or of a game, searched and explained."""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from damier.cli.command import (
    Begin,
    GameName,
    Json,
    Moves,
    Report,
    remarks,
    report,
    say,
    split_moves,
    table,
    within,
)
from damier.core.analysis import ZERO_SUM, require
from damier.core.errors import BadInput, LimitReached, at_most_one
from damier.core.files import make_place
from damier.core.game import line
from damier.core.job import Job, Notes
from damier.core.tree import AnyTrace, Scene, Tree, refuse_larger, size_of, written_value
from damier.core.words import N_, FormattedNumber, _, grouped, message, ngettext, printable
from damier.draw.picture_files import require_picture, write_pages, write_picture
from damier.draw.text import columns_of
from damier.draw.tree import HERE, legend, tree_lines, tree_svg
from damier.lab.games import load
from damier.lab.searchers import evaluation_of
from damier.search.state_space import NEEDS, Order
from damier.search.state_space_trace import (
    SpaceAlgorithm,
    SpaceReplay,
    TracedSearch,
    conclusion,
    cost_words,
    line_names,
    trace_search,
)
from damier.trees.explicit import (
    EXAMPLES,
    Algorithm,
    TreeAnalysis,
    decision,
    default_algorithm,
    game_tree,
    search,
)
from damier.trees.replay import MOST_PLACES, Replay, cut_facts, sentences, step_facts
from damier.trees.tree_text import load as load_tree, parse, save as save_tree

SEARCHES: dict[tuple[SpaceAlgorithm, bool], str] = {
    ("dfs", True): N_("depth-first: explore"),
    ("bfs", True): N_("breadth-first"),
    ("bfs", False): N_("breadth-first, with the list of visited states"),
    ("andor", False): N_("the mixed search: a win that is forced"),
}
"""The searches of document [S1], and whether each expands a state again that it has seen; what each is."""
PRINTED = 400
"""The most nodes of a tree that is shown as text."""
LISTED = 30
"""The most moves of the root that are listed."""


def tree(
    tree: Annotated[
        str,
        Parameter(
            help=_(
                "a tree: its file (.json), its text, ((3 12 8) (2 4 6)), or an example: classic, single,"
                " ghosts …; or a game: nim:matches=5 …"
            )
        ),
    ],
    /,
    *,
    algorithm: Annotated[
        Literal["minimax", "alphabeta", "expectimax", "maxn"] | None,
        Parameter(
            help=_(
                "default: alphabeta; expectimax where there is only chance beside MAX; maxn for chance and"
                " opponents, or payoffs of their own"
            )
        ),
    ] = None,
    moves: Moves = "",
    begin: Begin = None,
    plies: Annotated[
        int | None,
        Parameter(
            converter=within(0, 1_000_000_000),
            help=_("how deep, in moves; there a node takes its evaluation, 0 in a game"),
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        Parameter(
            converter=within(1, 1_000_000), help=_("how deep, in rounds in which every player moves once")
        ),
    ] = None,
    evaluate: Annotated[
        str,
        Parameter(
            help=_(
                "what a game's position is taken to be worth where the search stops: features with weights"
            )
        ),
    ] = "",
    prune: Annotated[
        Literal["weak", "strict"] | None,
        Parameter(help=_("cut at equality too, as the slides do (the default), or only beyond it")),
    ] = None,
    step: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help=_("step by step: keys in a terminal, a list elsewhere, pictures with -o"),
        ),
    ] = False,
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "-o"),
            help=_("draw it: .svg, .png, .pdf; with --step a folder, a name with %d, or a .pdf of pages"),
        ),
    ] = None,
    save: Annotated[
        Path | None, Parameter(help=_("write the tree itself to a file (.json), to be looked at and edited"))
    ] = None,
    json: Json = False,
) -> None:
    if out is not None:
        require_drawable(out, step)
    given = EXAMPLES[tree].text if tree in EXAMPLES else tree
    read, chosen = (
        read_tree(given, bool(moves) or begin is not None, evaluate, algorithm)
        if is_file(given) or is_tree(given)
        else read_game(tree, moves, begin, plies, rounds, evaluate, algorithm)
    )
    if save is not None:
        make_place(save, (".json",))
        save_tree(read, save)
    limit = limit_of(plies, rounds, read.players)
    if prune is not None and chosen != "alphabeta":
        raise BadInput(
            message("--prune goes with alphabeta; {algorithm} leaves nothing out", algorithm=chosen)
        )
    if out is not None or (step and not json):
        refuse_larger(read, limit, MOST_PLACES)
    drawn = not json and small(read, limit)
    found = search(read, chosen, limit, prune or "weak", trace=step or out is not None or drawn)
    pictures = draw(found, out, step, tree) if out is not None else 0
    report(
        facts(tree, found, step),
        json,
        lambda: show(tree, found, step and out is None, written(out, pictures)),
    )


def read_tree(text: str, played: bool, evaluate: str, algorithm: Algorithm | None) -> tuple[Tree, Algorithm]:
    """The tree of a file, or one that is written out, and the algorithm that is meant. Raises BadInput."""
    if played:
        raise BadInput(message("--moves and --position go with a game; {tree} is a tree", tree=text))
    if evaluate:
        raise BadInput(
            message("--evaluate goes with a game; {tree} is a tree, and has its own numbers", tree=text)
        )
    tree = load_tree(Path(text)) if is_file(text) else parse(text)
    return tree, algorithm or default_algorithm(tree)


def is_file(text: str) -> bool:
    """Return whether the file of a tree is named."""
    return text.lower().endswith(".json")


def is_tree(text: str) -> bool:
    """Return whether a tree is written out: a bracket, perhaps with who moves, and no name of a game."""
    return re.match(r"\s*(max|min|chance|p[1-9])?\s*\(", text) is not None


def read_game(
    text: str,
    moves: str,
    begin: str | None,
    plies: int | None,
    rounds: int | None,
    evaluate: str,
    algorithm: Algorithm | None,
) -> tuple[Tree, Algorithm]:
    """The tree of a game from a position, and the algorithm that is meant: one for zero-sum payoffs
    where the game's are. Raises BadInput.
    """
    game = load(text)
    if algorithm in ("minimax", "alphabeta"):
        require(game, algorithm, ZERO_SUM)
    if evaluate and not game.zero_sum:
        raise BadInput(
            message(
                "--evaluate speaks of player 1 against all others; in {game} they gain together",
                game=game.text,
            )
        )
    start = line(game, split_moves(moves), begin)[-1].state
    notes = Notes()
    job = Job(note=notes)
    tree = game_tree(game, start, limit_of(plies, rounds, game.players), evaluation_of(game, evaluate, job))
    remarks(notes)
    if algorithm or not game.zero_sum:
        return tree, algorithm or "maxn"
    return tree, default_algorithm(tree) if game.stochastic else "alphabeta"


def limit_of(plies: int | None, rounds: int | None, players: int) -> int | None:
    """The depth in plies; None for no limit. Raises BadInput."""
    at_most_one(plies=plies, rounds=rounds)
    if rounds is not None:
        return players * rounds
    return plies


def small(tree: Tree, limit: int | None) -> bool:
    """Return whether a tree is shown as text."""
    return size_of(tree, limit).nodes <= PRINTED


def facts(text: str, found: TreeAnalysis, step: bool) -> Report:
    """Return what is reported of a search."""
    names = [node.name for node in found.tree.nodes]
    moves = [move.name for move in found.tree.nodes[found.tree.root].moves]
    best = [moves[number] for number in found.best]
    data: dict[str, object] = {
        "tree": text,
        "algorithm": found.algorithm,
        "plies": found.plies,
        "action": best[0] if best else None,
        "best_actions": best,
        "value": found.value,
        "values": dict(zip(moves, found.values, strict=False)),
        "generated": [names[number] for number in found.generated],
        "evaluated": [names[number] for number in found.evaluated],
        "cutoffs": [cut_facts(found, cut) for cut in found.cuts],
        "nodes": found.nodes,
        "leaves": found.reads,
    }
    if found.algorithm == "alphabeta":
        data["prune"] = found.prune
    if step:
        data["steps"] = [
            step_facts(found, each, sentence)
            for each, sentence in zip(found.steps, sentences(found), strict=True)
        ]
    return data


def show(text: str, found: TreeAnalysis, step: bool, sentence: str) -> None:
    """The tree for people: as it is at the end, or step by step."""
    if step:
        walk(Replay(found), title_of(text, found))
    say(title_of(text, found))
    if small(found.tree, found.plies):
        scene = Replay(found).scene()
        say("\n".join(tree_lines(scene)))
        say(legend(scene))
    else:
        rows = [
            (move.name, written_value(value))
            for move, value in zip(found.tree.nodes[found.tree.root].moves, found.values, strict=False)
        ]
        table((_("move"), _("value")), rows[:LISTED] + [("…", "")] * (len(rows) > LISTED), numbers=[1])
    say(decision(found))
    say(counts(found))
    if sentence:
        say(sentence)


# The pictures of `damier tree`: the tree after a search, or one picture a step.

PICTURES = 500
"""The most pictures of a series."""


def require_drawable(out: Path, step: bool) -> None:
    """Raises BadInput where no picture can be put: before a search."""
    if step and out.suffix.lower() != ".pdf" and not out.is_dir() and "%d" not in out.name:
        raise BadInput(
            message(
                "-o {path}: many pictures need a folder that is there, a name with %d such as step-%d.svg, or"
                " a .pdf",
                path=out,
            )
        )
    require_picture(picture_path(out, 1, 1) if step else out)


def picture_path(out: Path, n: int, of: int) -> Path:
    """Return where picture `n` goes."""
    pattern = out / "step-%d.svg" if out.is_dir() else out
    return pattern.with_name(pattern.name.replace("%d", str(n).zfill(len(str(of)))))


def draw(found: TreeAnalysis, out: Path, step: bool, text: str) -> int:
    """Draws the tree after the search, or after every step; returns how many pictures.

    Raises LimitReached.
    """
    replay = Replay(found)
    count = len(replay) + 1 if step else 1
    if count > PICTURES:
        raise LimitReached(
            message(
                "{n} steps; up to {most} pictures are drawn: give fewer --plies",
                n=FormattedNumber(count, ","),
                most=FormattedNumber(PICTURES, ","),
            )
        )
    if not step:
        write_picture(tree_svg(replay.end, title_of(text, replay.found), counts(replay.found)), out)
    elif out.suffix.lower() == ".pdf" and "%d" not in out.name:
        write_pages((step_picture(replay, n, text) for n in range(count)), out)
    else:
        for n in range(count):
            write_picture(step_picture(replay, n, text), picture_path(out, n, count))
    return count


def step_picture(replay: Replay, n: int, text: str) -> str:
    """The tree after `n` steps, its nodes where they are at the end."""
    heading = _("{title}: step {n} of {of}", title=title_of(text, replay.found), n=n, of=len(replay))
    return tree_svg(replay.scene(n), heading, like=replay.end)


def title_of(text: str, found: TreeAnalysis) -> str:
    return f"{printable(Path(text).stem if text.lower().endswith('.json') else text)} · {found.algorithm}"


def written(out: Path | None, pictures: int) -> str:
    if out is None:
        return ""
    if pictures < 2 or (out.suffix.lower() == ".pdf" and "%d" not in out.name):
        return _("written to {path}", path=out)
    first, last = picture_path(out, 0, pictures), picture_path(out, pictures - 1, pictures)
    return _("written to {first} … {last}", first=first, last=last)


def counts(found: TreeAnalysis) -> str:
    """Return how much was looked at."""
    size = size_of(found.tree, found.plies)
    cuts = ngettext("{n} cut", "{n} cuts", len(found.cuts))
    numbers = {
        "read": grouped(found.reads),
        "ends": grouped(size.ends),
        "nodes": grouped(found.nodes),
        "all": grouped(size.nodes),
    }
    return _("{read} of {ends} leaves read, {nodes} of {all} nodes searched, {cuts}", cuts=cuts, **numbers)


# `damier explore`: the searches of document [S1] told step by step, with their indented trace (rows
#


def explore(
    game: GameName,
    /,
    *,
    algorithm: Annotated[
        Literal["dfs", "bfs", "andor", "all"],
        Parameter(
            help=_(
                "dfs: explore, depth-first; bfs: breadth-first; andor: the mixed search; all: what each of"
                " them costs, in a table"
            )
        ),
    ] = "dfs",
    winner: Annotated[
        Literal["mover", "1", "2"],
        Parameter(help=_("for whom a win is looked for: who is to move, or a player")),
    ] = "mover",
    revisit: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("keep no list of visited states"))
    ] = False,
    order: Annotated[
        Literal["first", "last"], Parameter(help=_("which of the moves is tried first (in Nim, last: most)"))
    ] = "last",
    moves: Moves = "",
    begin: Begin = None,
    step: Annotated[
        bool,
        Parameter(
            negative=(), show_default=False, help=_("step by step: keys in a terminal, the trace elsewhere")
        ),
    ] = False,
    out: Annotated[
        Path | None, Parameter(name=("--out", "-o"), help=_("draw what was found: .svg, .png, .pdf"))
    ] = None,
    json: Json = False,
) -> None:
    if algorithm == "all":
        if step or revisit or out is not None:
            raise BadInput(message("--algorithm all is a table: it takes no --step, --revisit or --out"))
        costs = [searched(game, each, winner, twice, order, moves, begin).found for each, twice in SEARCHES]
        facts = [
            {"algorithm": each, "revisit": twice, **search_facts(found)}
            for (each, twice), found in zip(SEARCHES, costs, strict=True)
        ]
        report({"game": costs[0].game.text, "costs": facts}, json, lambda: show_costs(costs))
        return
    replay = searched(game, algorithm, winner, revisit, order, moves, begin)
    found = replay.found
    title = f"{found.game.text} · {algorithm}"
    if out is not None:
        require_picture(out)
        write_picture(tree_svg(replay.end, title), out)
    data: Report = {
        "game": found.game.text,
        "algorithm": found.algorithm,
        "player": found.player,
        **search_facts(found),
        "steps": replay.facts(),
    }
    report(data, json, lambda: show_search(replay, title, step), out)


def search_facts(found: TracedSearch) -> Report:
    """Return what a search found, and what it cost."""
    names = line_names(found)
    return {
        "found": found.found,
        "move": names[0] if names and found.found else None,
        "line": names,
        "expanded": found.expanded,
        "visited": found.visited,
    }


def show_costs(costs: Sequence[TracedSearch]) -> None:
    """Show the costs as a table."""
    rows = [
        (
            _(name),
            line_names(found)[0] if found.found and found.line else "–",
            grouped(found.expanded),
            grouped(found.visited),
        )
        for name, found in zip(SEARCHES.values(), costs, strict=True)
    ]
    table(
        (_("search"), _("move"), _("states expanded"), _("different states met")),
        rows,
        costs[0].game.text,
        numbers=(2, 3),
    )


def searched(
    text: str,
    algorithm: SpaceAlgorithm,
    winner: str,
    revisit: bool,
    order: Order,
    moves: str,
    begin: str | None,
) -> SpaceReplay:
    """The search that is asked for. Raises BadInput, Unsuitable, LimitReached."""
    game = load(text)
    require(game, algorithm, *NEEDS)
    state = line(game, split_moves(moves), begin)[-1].state
    player = int(game.mover(state)) if winner == "mover" else int(winner) - 1
    return SpaceReplay(trace_search(game, state, algorithm, player, order=order, revisit=revisit))


def show_search(replay: SpaceReplay, title: str, step: bool) -> None:
    """The trace, or the steps; and what it came to."""
    if step:
        walk(replay, title)
    else:
        say(title)
        say("\n".join(replay.lines))
    say(conclusion(replay.found))
    say(cost_words(replay.found))


# The stepper: a search forwards and back in the terminal, one step at a time.

KEYS = {
    "next": ("\x1b[C", "\x1bOC", "\x1b[6~", " ", "n", "l"),  # PageDown and PageUp: a clicker
    "back": ("\x1b[D", "\x1bOD", "\x1b[5~", "p", "h", "\x7f"),
    "first": ("\x1b[H", "\x1b[1~", "\x1bOH", "0"),
    "last": ("\x1b[F", "\x1b[4~", "\x1bOF", "$"),
    "cut": ("c",),
    "quit": ("q", "\x04"),
}
COMMANDS = {key: command for command, keys in KEYS.items() for key in keys}
KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO[A-Za-z]|.", re.DOTALL)
CURRENT, GAP = "▸", 4
"""The mark of the line at which a search stands, and the columns between a tree and its pseudo-code."""
WATCH = 0.25
"""How often the size of the terminal is looked at, in seconds."""


def walk(replay: AnyTrace, title: str) -> None:
    """Shows the steps: by keys in a terminal; by words and Enter in one that cannot read keys; all
    of them elsewhere.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        for line in replay.lines:
            say(line)
    elif os.environ.get("TERM", "dumb") == "dumb" or not has_keys():
        by_lines(replay, title)
    else:
        by_keys(replay, title)


def has_keys() -> bool:
    """Return whether this system can read single keys."""
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return True


def moved(replay: AnyTrace, n: int, command: str) -> int:
    """The step that a command leads to."""
    if command == "cut":
        return next((cut for cut in replay.cuts if cut > n), n)
    return {"next": min(n + 1, len(replay)), "back": max(n - 1, 0), "first": 0, "last": len(replay)}.get(
        command, n
    )


def by_lines(replay: AnyTrace, title: str) -> None:
    """One line read, one step shown."""
    n, command = 0, "first"
    while command != "quit":
        n = moved(replay, n, command)
        say("\n".join(page(replay, n, title, *shutil.get_terminal_size())))
        say(_("n + Enter: on   p + Enter: back   c + Enter: to the next cut   q + Enter: leave"))
        text = sys.stdin.readline()
        command = COMMANDS.get(text.strip() or "n", "") if text else "quit"


def by_keys(replay: AnyTrace, title: str) -> None:
    """One key, one step, on a page of its own."""
    n, command = 0, ""
    with keyboard() as read:
        while command != "quit":
            size = shutil.get_terminal_size()
            sys.stdout.write("\x1b[H\x1b[2J" + "\r\n".join(page(replay, n, title, *size)))
            sys.stdout.flush()
            keys: list[str] = []
            while not keys and shutil.get_terminal_size() == size:
                keys = read()
            for key in keys:
                command = COMMANDS.get(key, "")
                if command == "quit":
                    break
                n = moved(replay, n, command)


@contextlib.contextmanager
def keyboard() -> Iterator[Callable[[], list[str]]]:
    """A function that reads the keys that were pressed, none if none comes soon; the terminal is
    what it was when the block ends, however it ends.
    """
    import termios
    import tty

    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)

    def read() -> list[str]:
        ready, _writable, _failed = select.select([fd], [], [], WATCH)
        if not ready:
            return []
        data = os.read(fd, 1024)
        return KEY.findall(data.decode(errors="replace")) if data else ["q"]

    try:
        tty.setcbreak(fd)
        sys.stdout.write("\x1b[?1049h\x1b[?25l")
        yield read
    finally:
        sys.stdout.write("\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def page(replay: AnyTrace, n: int, title: str, columns: int, rows: int) -> list[str]:
    """Return what is shown after `n` steps, in a terminal of this size."""
    scene = replay.scene(n)
    head = [
        _("{title}: step {n} of {of}", title=title, n=n, of=len(replay)),
        scene.sentence or _("nothing has been looked at yet"),
        "",
    ]
    foot = ["", legend(replay.end), _("→ on   ← back   Home End   c: next cut   q: leave")]
    room = max(3, rows - len(head) - len(foot) - 1)
    lines = tree_lines(scene)
    if len(lines) > room:
        lines = around(tree_lines(scene, near(scene)), room)
    lines = beside(lines, replay.code(n), columns, room)
    return [fitted(line, columns) for line in (*head, *lines, *foot)]


def beside(lines: list[str], code: Sequence[tuple[str, bool]], columns: int, room: int) -> list[str]:
    """Lines of a tree, the pseudo-code at the right edge with its current line marked, so that it keeps its
    place; where there is no room for that, as they are.
    """
    marked = [f"{CURRENT if current else ' '} {text}".rstrip() for text, current in code]
    wide, right = max(map(columns_of, lines), default=0), max(map(columns_of, marked), default=0)
    if not marked or wide + GAP + right > columns or len(marked) > room:
        return lines
    height = max(len(lines), len(marked))
    left = [*lines, *[""] * (height - len(lines))]
    return [
        f"{line}{' ' * (columns - right - columns_of(line))}{note}".rstrip()
        for line, note in zip(left, [*marked, *[""] * (height - len(marked))], strict=True)
    ]


def near(scene: Scene) -> Callable[[int], bool]:
    """The places on the path, those beside them, and those below the last of them."""
    path = {0, *scene.path}
    return lambda place: scene.places[place].above in path


def around(lines: list[str], room: int) -> list[str]:
    """As many lines as there is room for, that of the place in the middle."""
    here = next((number for number, line in enumerate(lines) if line.startswith(HERE)), 0)
    first = max(0, min(here - room // 2, len(lines) - room))
    return lines[first : first + room]


def fitted(line: str, columns: int) -> str:
    """A line cut to the width of the terminal."""
    if columns_of(line) <= columns:
        return line
    while columns_of(line) > max(columns - 1, 0):
        line = line[:-1]
    return line + "…"
