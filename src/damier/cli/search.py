"""`damier search`: one decision, explained: what every move is worth, what follows, and what it
cost to find out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from damier.cli.command import (
    AgentName,
    Begin,
    GameName,
    Json,
    Moves,
    Report,
    Seed,
    SharedWork,
    checked_seed,
    percent,
    report,
    say,
    split_moves,
    table,
)
from damier.core.analysis import Analysis, TableEnd
from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Position, line
from damier.core.moves import holds
from damier.core.player import follow
from damier.core.rules import State
from damier.core.solution import AnySolution, AnyValue, PayoffValue, as_data, value_of_score
from damier.core.tree import Number, Payoffs
from damier.core.words import _, decimal, grouped, ngettext
from damier.draw import board_text
from damier.lab.agents import searcher
from damier.lab.games import Lab, load
from damier.search.running import SearchPlayer


def search(
    game: GameName,
    agent: AgentName,
    /,
    *,
    moves: Moves = "",
    begin: Begin = None,
    seed: Seed = 0,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    job, notes = (work or SharedWork()).job()
    lab = Lab(load(game), job, seed=checked_seed(seed))
    position = line(lab.game, split_moves(moves), begin)[-1]
    player = searcher(lab, agent)
    follow(player, position)
    found = player.analyse(position.state, seed)
    cores = player.cores if isinstance(player, SearchPlayer) else 1
    if work and work.jobs and work.jobs > cores:
        job.note(
            _("--jobs {jobs}: {agent} uses {n} of them at most", jobs=work.jobs, agent=player.text, n=cores)
        )
        if player.text.startswith("mcts"):
            job.note(_("mcts:trees=N grows N trees side by side"))
    truth = proven_beside(found, lab) if found.priors else None
    report(
        {**facts(found, player.text), **truth_facts(found, truth)},
        json,
        lambda: show(found, player.text, truth),
        notes=notes,
    )
    if found.interrupted:
        raise KeyboardInterrupt


TRUTH_SECONDS = 5.0
"""Seconds in which the exact values are to be found that stand beside what a network says."""


def proven_beside(found: Analysis, lab: Lab) -> AnySolution | None:
    """The exact values of a position and its moves; None where they are not found, of which a note tells."""
    from damier.lab.solving import solved

    job = replace(lab.job, note=lambda note: None)  # of how the truth was found
    try:
        return solved(found.game, found.state, job, TRUTH_SECONDS).solution
    except LimitReached:
        lab.job.note(_("the truth is not known here: it is not found in {n} s", n=grouped(TRUTH_SECONDS)))
    except Unsuitable as error:
        lab.job.note(_("the truth is not known here: {error}", error=error))
    return None


def truth_facts(found: Analysis, truth: AnySolution | None) -> Report:
    """Return what is reported of the exact values, where a network says what it thinks."""
    if not found.priors:
        return {}
    if truth is None:
        return {"truth": None}
    game, s = found.game, found.state
    moves = {
        game.name_move(s, move): {"value": as_data(value), "distance": distance}
        for move, (value, distance) in truth.explain(s).items()
    }
    return {"truth": {"best_moves": game.name_moves(s, truth.best_moves(s)), "moves": moves}}


JSON_NAMES = {"best": "best_moves", "pv": "line"}
"""What fields of an Analysis are called in JSON, where that is another name."""


def facts(found: Analysis, agent: str) -> Report:
    """Return what is reported of a search."""
    game, s = found.game, found.state
    data: dict[str, object] = {
        "game": game.text,
        "agent": agent,
        "value": found.value,
        "distance": found.distance,
        "values": {game.name_move(s, move): value for move, value in found.values.items()},
        "best_moves": found.names(found.best),
        "line": found.pv_names,
        "nodes": found.nodes,
        "explored": found.explored,
        "plies": found.plies,
        "exact": found.exact,
        "stopped": found.stopped,
        "left_out": [JSON_NAMES.get(name, name) for name in found.left_out],
        "seconds": round(found.seconds, 6),
    }
    if found.evaluation is not None:
        data["evaluation"] = {
            "features": terms(found, found.state),
            "line_end": terms(found, found.states[-1]),
        }
    if found.table_end is not None:
        end = found.table_end
        data["table_end"] = {
            "plies": end.plies,
            "value": value_of_score(end.score),
            "distance": end.distance,
        }
    if found.visits:
        data["visits"] = {game.name_move(s, move): visits for move, visits in found.visits.items()}
    if found.priors:
        data["priors"] = {game.name_move(s, move): round(prior, 6) for move, prior in found.priors.items()}
    return data


def terms(found: Analysis, s: State) -> dict[str, float]:
    """Return what each feature adds to the evaluation of a state, from the side of the mover at the root."""
    judge = found.evaluation
    assert judge is not None
    side = 1 if found.game.mover(found.state) == 0 else -1
    names = judge.names or tuple(str(number + 1) for number in range(len(judge.features)))
    return {
        name: round(side * weight * feature(s), 6) + 0.0
        for name, weight, feature in zip(names, judge.weights, judge.features, strict=True)
    }


def show_evaluation(found: Analysis) -> None:
    """The evaluation as a sum: of the position, and of the one in which best play ends."""
    here, then = terms(found, found.state), terms(found, found.states[-1])
    rows = [
        [
            name,
            decimal(here[name], "+.2f"),
            decimal(then[name], "+.2f"),
            _(found.game.explanations.get(name, name)),
        ]
        for name in here
    ]
    rows.append([_("sum"), decimal(sum(here.values()), "+.2f"), decimal(sum(then.values()), "+.2f"), ""])
    say()
    table([_("feature"), _("now"), _("after best play"), _("what it sees")], rows, numbers=[1, 2])


def show(found: Analysis, agent: str, truth: AnySolution | None = None) -> None:
    """Show a search to people, with the board, and the `truth` beside it."""
    say(board_text(Position(found.game, found.state)))
    say()
    say(sentence(found, agent))
    game, s, values, visits, priors = found.game, found.state, found.values, found.visits, found.priors
    columns: dict[str, Callable[[int], object]] = {_("move"): lambda move: game.name_move(s, move)}
    if priors:
        columns[_("prior")] = lambda move: percent(priors[move])
    columns[_("worth")] = lambda move: number(values[move]) if move in values else ""
    if visits:
        columns[_("simulations")] = lambda move: grouped(visits.get(move, 0))
    numbers = range(1, len(columns))
    columns[_("best")] = lambda move: "*" if holds(found.best, move) else ""
    if truth is not None:
        exact = truth.explain(s)
        columns[_("truth")] = lambda move: true_value(*exact[move])
    if moves := [move for move in game.legal(s) if move in (priors or values)]:
        table(columns, [[cell(move) for cell in columns.values()] for move in moves], numbers=numbers)
    if truth is not None and found.best:
        say(_("exactly best: {moves}", moves=", ".join(found.names(truth.best_moves(found.state)))))
    if len(found.pv) > 1:
        say(_("best play: {moves}", moves=" ".join(found.pv_names)))
    if found.distance:
        say(
            ngettext(
                "the game ends in {n} ply where the winner hurries and the loser delays",
                "the game ends in {n} plies where the winner hurries and the loser delays",
                found.distance,
            )
        )
    if found.table_end is not None:
        say(ending_of_table(found.table_end))
    say(cost(found))
    if found.evaluation is not None and found.evaluation.features:
        show_evaluation(found)
    if found.left_out:
        names = {
            "values": _("what every move is worth"),
            "best": _("all best moves"),
            "pv": _("best play to its end"),
            "distance": _("how soon the game ends"),
        }
        say(_("no time was left to find out: {what}", what=", ".join(names[name] for name in found.left_out)))


def true_value(value: AnyValue, distance: int | None) -> str:
    """Return what a move is exactly worth to who makes it."""
    if isinstance(value, PayoffValue):
        return str(value)
    return _(value) if distance is None else _("{value} in {n}", value=_(value), n=distance)


def ending_of_table(end: TableEnd) -> str:
    """Return how best play ends, as an endgame table knows it."""
    plies, value = end.distance or 0, value_of_score(end.score)
    if value == "win":
        known = ngettext("won in {n} ply, from the table", "won in {n} plies, from the table", plies)
    elif value == "loss":
        known = ngettext("lost in {n} ply, from the table", "lost in {n} plies, from the table", plies)
    else:
        known = _("drawn, from the table")
    if end.plies == 0:
        return _("The position is {known}.", known=known)
    return ngettext(
        "{n} ply on, for who is then to move: {known}.",
        "{n} plies on, for who is then to move: {known}.",
        end.plies,
        known=known,
    )


def sentence(found: Analysis, agent: str) -> str:
    """Return what a position is worth, and how surely."""
    mover = found.game.mover(found.state) + 1
    if isinstance(found.value, tuple):
        text = _("{agent}: worth {value} to the players in turn.", agent=agent, value=number(found.value))
    elif found.game.over(found.state):
        text = _(
            "{agent}: the game is over, worth {value} to player {player}.",
            agent=agent,
            value=number(found.value),
            player=mover,
        )
    elif mover < 1:
        text = _(
            "{agent}: a throw of the die, worth {value} to player 1.", agent=agent, value=number(found.value)
        )
    else:
        text = _(
            "{agent}: worth {value} to player {mover}, who is to move.",
            agent=agent,
            value=number(found.value),
            mover=mover,
        )
    if found.exact:
        return text
    return f"{text} " + (
        _("An estimate: what the network takes positions to be worth.")
        if found.priors
        else _("An estimate from random games.")
        if found.visits
        else _("An estimate: what seemed to matter little was searched less deep, or left out.")
        if found.evaluation is not None
        else _("An estimate: not every line was searched to the end of the game.")
    )


def number(value: Number | Payoffs) -> str:
    """A value as people read it.

    >>> number(1), number(-0.5), number((1, -1))
    ('+1', '-0.5', '(+1, -1)')
    """
    if isinstance(value, tuple):
        return f"({', '.join(number(part) for part in value)})"
    return (
        ("+" if value > 0 else "") + grouped(value)
        if isinstance(value, int) and value
        else decimal(value, "+.4g")
        if value
        else "0"
    )


def cost(found: Analysis) -> str:
    """Return what a search cost, in a sentence."""
    parts = [ngettext("{n} node", "{n} nodes", found.nodes, n=grouped(found.nodes))]
    if found.explored is not None:
        parts.append(
            ngettext(
                "{n} different position", "{n} different positions", found.explored, n=grouped(found.explored)
            )
        )
    parts += [
        ngettext("{n} ply deep", "{n} plies deep", found.plies),
        _("{seconds} s", seconds=decimal(found.seconds, ".3f")),
    ]
    return ", ".join(parts) + (" " + _("(stopped before it was done)") if found.stopped else "")
