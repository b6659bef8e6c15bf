"""The training room: a board in the middle, each player at its side with its own table, every step of an
episode (rows A-8 to A-23).

Nothing is kept between two questions but what makes them quick: `log` lists what has happened, `moves`
are those of the person in the game that goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from damier.core.errors import BadInput
from damier.core.grade import Block, Curve
from damier.core.json_data import to_json
from damier.core.player import Player
from damier.core.words import _, message
from damier.draw.curve import PlotSize, curve_svg
from damier.lab.agents import agent_in_words
from damier.lab.curves import series
from damier.lab.learners import preset_in
from damier.lab.options import with_options
from damier.lab.starts import MOST_TYPED, typed_starts
from damier.lab.traced_agent import FollowedOwn, draw_alike
from damier.learn.parameters import FIELDS, PRESETS, USUAL_GAMES
from damier.learn.player import ALGORITHMS
from damier.web import pages
from damier.web.limits import LRU
from damier.web.messages import Download, Params, Parts, PartsAnswer, RoomFilm
from damier.web.registry import Registry, games_for_two, refuse_files
from damier.web.snapshot import (
    answers,
    code_of,
    grade_at,
    mirrored,
    number_text,
    opponent_in_words,
    table_text,
)
from damier.web.training_pair import (
    ALONE,
    MOST_POSITIONS,
    OPTIONS,
    GamesAlone,
    Pair,
    PairKnown,
    PersonGame,
    RoomEvent,
    SeatKnown,
    experience,
    is_learning,
    joined_events,
    read_log,
    takes_tables,
    write_log,
)
from damier.web.training_trace import (
    TableRow,
    TracedGame,
    experience_in_words,
    frames_of,
    steps_of,
    traces_of,
)

# What the page of a training room shows beside a game: who plays, the line of time, the curve.


SYMBOLS = {"epsilon": "ε", "alpha": "α", "gamma": "γ", "temperature": "T"}


def table_parts(shown: TracedGame, rows: Sequence[list[TableRow]]) -> Parts:
    """The tables of both agents, as they are before the game."""
    return {
        f"table-{seat}": told.table([row for row in known if not row.is_new]) if told else ""
        for seat, (told, known) in enumerate(zip(shown.told, rows, strict=True), 1)
    }


def knowledge_parts(shown: TracedGame, known: PairKnown, size: PlotSize) -> Parts:
    """Return what the games so far have come to."""
    worth = {f"worth-{seat + 1}": seat_grade_part(shown.pair, known, seat) for seat in (0, 1)}
    won, drawn, lost = known.totals
    totals = pages.part("training_totals.html", games=known.games, won=won, drawn=drawn, lost=lost)
    return {"curve": curve_part(shown, known, size), "totals": totals, **worth}


WIDE, NARROW = PlotSize(380.0, 92.0), PlotSize(150.0, 150.0)
"""The curve below a board, and on a phone."""


def curve_part(shown: TracedGame, known: PairKnown, size: PlotSize) -> str:
    """The curves of both agents, each below its ceiling."""
    curve, against = known.curve, opponent_in_words(shown.pair.against.text)
    drawn = []
    for seat in (0, 1):
        if learns(known, seat):
            own = curve if seat == 0 else mirrored(curve)
            drawn.append(series(_("agent {n}", n=seat + 1), own, str(seat + 1), against))
    picture = pages.picture(curve_svg(drawn, size=size, rates=False)) if known.games else ""
    return pages.part("training_curve.html", curve=picture, shape="narrow" if size == NARROW else "wide")


def learns(known: PairKnown, seat: int) -> bool:
    """Return whether the agent at a seat learns."""
    agent = known.seats[seat]
    return agent.learns if isinstance(agent, FollowedOwn) else agent is not None


def seat_grade_part(pair: Pair, known: PairKnown, seat: int) -> str:
    """Return what the agent at a seat is worth now, exactly, and how it goes on learning."""
    agent = known.seats[seat]
    if agent is None:
        return ""
    varies = pair.grades.varies.get(seat, "")
    grade = grade_at(known.grade, (seat,)) if known.grade and learns(known, seat) and not varies else None
    epsilon = {option: value for option, _sign, value in dials_of(known, seat)}.get("epsilon", "")
    positions, decisions = experience(agent)
    return pages.part(
        "training_worth.html",
        grade=grade,
        payoff=number_text(grade.payoff, "+.4f") if grade else "",
        ceiling=number_text(grade.best_response_value, "+.4f") if grade else "",
        against=opponent_in_words(pair.against.text),
        epsilon=epsilon.replace(".", _(".")),
        known=experience_in_words(positions, decisions),
        learns=learns(known, seat),
        varies=varies,
    )


def agent_choices(own: dict[str, str]) -> dict[str, dict[str, str]]:
    """Return who may sit at a seat, by groups, as an address writes them and in words; the reader's
    `own` first.
    """
    found = {_("your agents"): own} if own else {}
    for name in ALGORITHMS:
        group = found[agent_in_words(name)] = {name: agent_in_words(name)}
        for preset, made in PRESETS.get(name, {}).items():
            group[f"{name}:preset={preset}"] = _(made.title)
    found[_("does not learn")] = {"random": _("random"), "perfect": _("perfect play")}
    return found


def title_of(text: str) -> str:
    """An agent in words, a preset by its title.

    >>> title_of("q:preset=hexapion"), title_of("q:preset=sarsa,alpha=0.5"), title_of("random")
    ('Q-learning, as in the course', 'Sarsa (alpha=0.5)', 'the random player')
    """
    made, options = preset_in(text)
    return with_options(_(made.title), options) if made else agent_in_words(text)


def notes_of(agents: tuple[str, str]) -> dict[str, str]:
    """Return where the agents come from, by their titles: for a footnote."""
    presets = [preset_in(text)[0] for text in agents]
    return {_(preset.title): _(preset.summary) for preset in presets if preset}


def dials_of(known: PairKnown, seat: int) -> list[tuple[str, str, str]]:
    """The parameters of the agent at a seat that can be changed as it learns: option, sign, value."""
    learner = known.seats[seat]
    if learner is None:
        return []
    if isinstance(learner, FollowedOwn):
        rates = learner.rates() if learner.learns else {}
        return [(option, SYMBOLS[option], f"{value:.6g}") for option, value in rates.items()]
    found = []
    for option in OPTIONS:
        field = FIELDS.get(option, option)
        if hasattr(learner.parameters, field):
            value = learner.memory.epsilon if option == "epsilon" else getattr(learner.parameters, field)
            shown = str(value) if option == "policy" else f"{value:.6g}"
            found.append((option, SYMBOLS.get(option, option), shown))
    return found


USUAL = "q:preset=hexapion"
GAME = "hexapawn"
"""Document S0: its game, and its agent on both sides."""
STANDARD_GAMES = 1_000
"""That the agents are first asked to play, where no document says how many."""
PERSONS: tuple[Literal["", "1", "2"], ...] = ("", "1", "2")
SHELVES = 8
LONGEST_LOG = 200_000
"""Characters of a log."""

_shelves = LRU[tuple[object, ...], Pair](SHELVES)


@dataclass
class RoomVisit:
    """A room as a browser says it: who plays what, what has happened, who sits where; and what of it is
    looked at: the `tables`, which are most of the work and of the bytes, and the curve in the size that its
    window has room for.
    """

    game: str
    agents: tuple[str, str]
    positions: str
    pair: Pair
    log: list[RoomEvent]
    person: int
    moves: list[str]
    tables: bool
    curve: PlotSize


def room_visit(registry: Registry, asked: Params) -> RoomVisit:
    """Return what a question is about. Raises UnknownName, BadInput, Unsuitable, LimitReached."""
    game = asked.text("game") or GAME
    agents = (asked.text("1") or USUAL, asked.text("2") or USUAL)
    person = asked.choice("person", PERSONS)
    positions = asked.text("positions", longest=MOST_TYPED)
    return RoomVisit(
        game,
        agents,
        positions,
        pair_of(registry, game, agents, asked.whole("seed", 0), positions),
        read_log(asked.text("log", longest=LONGEST_LOG)),
        int(person) - 1 if person else ALONE,
        asked.moves(),
        asked.flag("tables"),
        NARROW if asked.flag("narrow") else WIDE,
    )


def pair_of(registry: Registry, game: str, agents: tuple[str, str], seed: int, positions: str) -> Pair:
    """The players of a room, made when they are first asked for; anew where the game was loaded again, or
    the file of one of them was edited.
    """
    lab = registry.lab(game)
    known_as = (game, *agents, seed, positions, *(registry.own.edition(text) for text in agents))
    if known_as not in _shelves or _shelves[known_as].lab is not lab:
        first, second = (seated(registry, game, text, seed) for text in agents)
        _shelves[known_as] = Pair(lab, (first, second), seed, typed_starts(lab.game, positions))
    return _shelves[known_as]


def seated(registry: Registry, game: str, text: str, seed: int) -> Player:
    """A player as a page names it; an agent of one's own as it is before any game of this seed.

    Raises UnknownName, BadInput, AgentFault.
    """
    own = registry.own.named_on_page(text)
    if own is None:
        return registry.agent(game, text)
    refuse_files(own.options)
    draw_alike(seed)
    return registry.own.player(replace(registry.lab(game), seed=seed), own, text)


def page(registry: Registry, asked: Params) -> str:
    """The room, as the address says it."""
    found = room_visit(registry, asked)
    film = film_of(registry, found)
    known, game = found.pair.after(found.log), found.pair.lab.game
    # a number for each player, as positions of pawns have
    numbered = game.id is not None and isinstance(game.id(game.start), list)
    return pages.page(
        "training.html",
        "/training",
        _("Training room"),
        titles=list(dict.fromkeys(map(title_of, found.agents))),
        notes=notes_of(found.agents),
        title_of=title_of,
        state_text=to_json(film["state"]),  # what comes of it is asked for, and stands nowhere in the page
        state=film["state"],
        frame=film["frames"][0],
        parts=film["parts"],
        games=dict.fromkeys([*playable(registry), found.game]),
        choices=agent_choices(registry.own.in_files()),
        agents=found.agents,
        codes={player.name: code_of(player.name) for player in found.pair.players if is_learning(player)},
        usual=usual_games(found.agents),
        most_typed=MOST_TYPED,
        comes_later=found.pair.grades.comes_later,
        most_graded=MOST_POSITIONS,
        tables=found.tables,
        has_table=[seat is not None for seat in known.seats],
        with_tables=pages.address(
            f"/training/{found.game}",
            **{name: film["state"][name] for name in ("1", "2", "seed", "positions", "log", "person")},
            moves=",".join(found.moves),
            tables="1",
        ),
        own=[isinstance(seat, FollowedOwn) for seat in known.seats],
        takes=[numbered and takes_tables(player) for player in found.pair.players],
        learners=[learns(known, seat) for seat in (0, 1)],
        dials=[dials_of(known, seat) for seat in (0, 1)],
    )


def usual_games(agents: tuple[str, str]) -> int:
    """Return how many games the agents are first asked to play: as many as a document has its agent play."""
    for text in agents:
        made = preset_in(text)[0]
        if made and made.games != USUAL_GAMES:
            return made.games
    return STANDARD_GAMES


def playable(registry: Registry) -> list[str]:
    """The games of the room, as far as it is known without looking at their positions; an own game is
    not even loaded for that.
    """
    return [*registry.settings.games, *(game.name for game in games_for_two())]


def show(registry: Registry, asked: Params) -> RoomFilm:
    """The next game as a film, as far as it goes: what comes of it stands in its log.

    Raises IllegalMove, BadInput, LimitReached.
    """
    return film_of(registry, room_visit(registry, asked))


def film_of(registry: Registry, found: RoomVisit) -> RoomFilm:
    pair = found.pair
    before = pair.after(found.log)
    episode, agents = pair.watched(before, found.person, found.moves)
    first, second = traces_of(before, episode, agents, whole=found.tables)
    shown, exact = TracedGame(pair, before, episode, (first, second)), answers(registry, found.game)
    rows = [told.rows(exact) if told else [] for told in shown.told]
    over = not episode.waits
    played = GamesAlone(1) if found.person == ALONE else PersonGame(found.person, tuple(found.moves))
    return {
        "parts": knowledge_parts(shown, before, found.curve)
        | (table_parts(shown, rows) if found.tables else {}),
        "frames": frames_of(shown, rows, tables=found.tables),
        "steps": steps_of(shown),
        "state": {
            "game": found.game,
            "1": found.agents[0],
            "2": found.agents[1],
            "seed": pair.seed,
            "positions": found.positions,
            "log": write_log(found.log),
            "person": "" if found.person == ALONE else str(found.person + 1),
            "moves": found.moves,
            "over": over,
            "next": write_log(joined_events([*found.log, played]) if over else found.log),
            "games": before.games,
        },
    }


def grade(registry: Registry, asked: Params) -> PartsAnswer:
    """Return what both agents of a larger game are worth after what has happened, exactly.

    Raises Unsuitable and LimitReached where that cannot be worked out.
    """
    found = room_visit(registry, asked)
    known = found.pair.after(found.log)
    grade = found.pair.grades.grade_compiled(found.pair.agents(known, telling=False))
    block = Block(max(1, known.games), 0, 0, 0, grade=grade)
    graded = replace(known, curve=Curve(known.curve.size, [block]))
    rows = [(seat + 1, seat_grade_part(found.pair, graded, seat)) for seat in (0, 1) if learns(known, seat)]
    return {"parts": {"graded": pages.part("training_graded.html", rows=rows, games=known.games)}}


def download(registry: Registry, asked: Params) -> Download:
    """The table of one agent as text, as document S0 keeps it. Raises BadInput."""
    found = room_visit(registry, asked)
    number = asked.whole("seat", 1, 1, 2)
    player, seat = found.pair.players[number - 1], found.pair.after(found.log).seats[number - 1]
    if not isinstance(seat, SeatKnown) or not is_learning(player):
        raise BadInput(message("agent {n} does not learn", n=number))
    text = table_text(found.pair.lab.game, seat.memory, beads=player.name == "beads")
    return Download("text/plain", text.encode())
