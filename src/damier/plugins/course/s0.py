"""The questions of document [S0]: hexapawn and Q-learning; their answers, computed."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence

from damier.core.bits import position_of
from damier.core.errors import BadInput
from damier.core.job import Job
from damier.core.words import N_, _, message
from damier.lab.games import Lab, load
from damier.lab.matchboxes import new_machine
from damier.lab.training import Plan, table_trainer
from damier.learn.action_values import Memory
from damier.learn.q import softmax
from damier.learn.store import number_of_view
from damier.plugins.course import question
from damier.solve import count

ALPHA, GAMMA = 0.01, 0.9
WIN, PAWN = 100, 10
DECISIONS = 5


def number_of_action(name: str) -> int:
    """The number of an action, 0 to 13 (row A-6)."""
    game = load("hexapawn")
    return next(position_of(1 << n) for n in range(14) if game.name_move(game.start, 1 << n) == name)


def updated(old: float, reward: float, best: float) -> float:
    """Q after one update of the document (row A-19)."""
    return (1 - ALPHA) * old + ALPHA * (reward + GAMMA * best)


def games_until_the_first_decision_knows() -> int:
    """Return, for the same game again and again, each decision learnt when it is left: after how many games
    the first of five decisions has a value.
    """
    values = learnt_by_games(DECISIONS, backwards=False)
    return next(games for games, (first, *_others) in enumerate(values, 1) if first)


def learnt_by_games(games: int, *, backwards: bool) -> list[tuple[float, ...]]:
    """Return what the decisions of a game that is won are worth after each of so many times: each learnt when
    it is left, or all in one pass backwards.
    """
    values, found, order = [0.0] * DECISIONS, list[tuple[float, ...]](), range(DECISIONS)
    for _game in range(games):
        for n in reversed(order) if backwards else order:
            last = n == DECISIONS - 1
            values[n] = updated(values[n], WIN if last else 0, 0.0 if last else values[n + 1])
        found.append(tuple(values))
    return found


def random_policy_table(games: int, seed: int) -> Memory:
    """Return the table of document [S0]'s agent that learns while every move is random: ε stays 1."""
    lab = Lab(load("hexapawn"), Job())
    made = table_trainer(lab, Plan("q:preset=hexapion,epsilon=1,decay=1", seed=seed, grade_every=0))
    made.training.run(games, lab.job)
    memory = made.learner.memory
    assert isinstance(memory, Memory)
    return memory


def boxes() -> int:
    """The matchboxes of MENACE (row A-26)."""
    return len(new_machine(Lab(load("tictactoe"), Job())).boxes)


PARTS = (
    question.CoursePart(
        "board",
        (
            question.numeric("theory", 3**9, slips={"cells": 2**9, "power": 9**3}),
            question.numeric(
                "met",
                lambda: count(load("hexapawn")).states,
                slips={"guess": 200},
                link="/tree?view=graph&game=hexapawn",
            ),
            question.numeric(
                "start",
                lambda: number_of_view(load("hexapawn"), load("hexapawn").start),
                slips={"order": 19305},
                link="/hexapawn",
            ),
            question.numeric(
                "action",
                lambda: number_of_action("b2c3"),
                slips={"home": lambda: number_of_action("b1c2"), "left": lambda: number_of_action("b2a3")},
                figure="actions",
                link="/hexapawn",
            ),
            question.choice("blocked", "draw", link="/hexapawn?1=human&2=perfect"),
        ),
    ),
    question.CoursePart(
        "rewards",
        (
            question.numeric(
                "between",
                PAWN - PAWN,
                slips={"own": PAWN, "other": -PAWN},
                figure="timeline",
                link="/training/hexapawn",
            ),
            question.numeric("last", WIN, slips={"both": WIN + PAWN, "pawn": PAWN}),
            question.choice("event", "3", "error"),
        ),
    ),
    question.CoursePart(
        "learning",
        (
            question.numeric(
                "forwards",
                games_until_the_first_decision_knows,
                slips={"backwards": 1},
                figure="triples",
                link="/training/hexapawn",
            ),
            question.numeric(
                "end",
                lambda: updated(0, WIN, 0),
                tolerance=0.0005,
                slips={"rate": WIN, "discount": ALPHA * GAMMA * WIN},
            ),
            question.numeric(
                "before",
                lambda: updated(0, PAWN, updated(0, WIN, 0)),
                tolerance=0.0005,
                slips={
                    "nomax": ALPHA * PAWN,
                    "nogamma": ALPHA * (PAWN + 1),
                    "rate": PAWN + GAMMA,
                },
                link="/training/hexapawn",
            ),
            question.choice("hidden", "field"),
        ),
    ),
    question.CoursePart(
        "choosing",
        (
            question.numeric(  # the decision at which ε falls for the first time (row A-21)
                "epsilon",
                lambda: next(steps for steps in itertools.count(5001) if steps % 100 == 0),
                slips={"at": 5000, "next": 5001},
            ),
            question.numeric(
                "softmax",
                lambda: softmax((1, 2, 3))[-1],
                tolerance=0.006,
                slips={"linear": 0.5, "greedy": 1},
                figure="softmax",
            ),
        ),
    ),
    question.CoursePart(
        "further",
        (
            question.numeric("boxes", boxes, slips={"all": 765}, link="/matchboxes?game=tictactoe"),
            question.choice("loss", "last", link="/matchboxes?game=tictactoe"),
        ),
    ),
)


# The lines of document [S0] in which one chooses the players, typed as it prints them, and the
# number of a board (rows ).

UNDERSTOOD = 'player1=new Agent("AgentA", 1, this);  id(-1 -1 -1 0 0 0 1 1 1)'
PLAYER = re.compile(
    r'(?:this\.)?player([12])\s*=\s*new\s+(\w+)\s*\(\s*"(\w{1,30})"\s*,\s*([12])\s*,\s*this\s*\)'
)
NUMBER = re.compile(r"id\(\s*([-0-9,\s]+)\)")
CLASSES = {"RandomPlayer": "random", "Joueur": "human", "Agent": "q:preset=hexapion"}
"""The players of the document, as damier writes them."""
WORDS = {"RandomPlayer": N_("a random player"), "Joueur": N_("you"), "Agent": N_("the agent that learns")}
CELLS = 9


def typed_hexapion(text: str, before: Sequence[str] = ()) -> question.TypedAnswer:
    """Return what a line comes to, after those that were typed before it. Raises BadInput."""
    line = text.strip().rstrip(";").strip()
    if found := NUMBER.fullmatch(line):
        return number_of_board(found[1])
    if line.startswith("//") and PLAYER.fullmatch(line.lstrip("/").strip()):
        return question.TypedAnswer(line, (_("a comment: who plays stays as it was"),))
    chosen = {1: "Agent", 2: "RandomPlayer"}
    for earlier in before:
        player = PLAYER.fullmatch(earlier.strip().rstrip(";").strip())
        if player and player[2] in CLASSES:
            chosen[int(player[1])] = player[2]
    found = PLAYER.fullmatch(line)
    if not found:
        raise question.refused(text, UNDERSTOOD)
    seat, kind = int(found[1]), found[2]
    if kind not in CLASSES:
        raise BadInput(
            message("no player is called {name}; there are: {names}", name=kind, names=" ".join(CLASSES))
        )
    if int(found[4]) != seat:
        raise BadInput(message("player{n} has the number {n}, not {other}", n=seat, other=found[4]))
    chosen[seat] = kind
    sentence = _("Seat 1: {one}. Seat 2: {other}.", one=_(WORDS[chosen[1]]), other=_(WORDS[chosen[2]]))
    lines = (sentence, _("in a terminal: {command}", command=terminal_command(chosen)))
    return question.TypedAnswer(
        f'player{seat}=new {kind}("{found[3]}", {seat}, this)', lines, (link(chosen),)
    )


def terminal_command(chosen: Mapping[int, str]) -> str:
    """Return the command in which these two meet: where one learns, its training."""
    agents = {seat: CLASSES[kind] for seat, kind in sorted(chosen.items())}
    learners = [seat for seat, kind in chosen.items() if kind == "Agent"]
    if len(learners) == 2:
        return f"damier train hexapawn {agents[1]} --opponent self:table=separate"
    if learners:
        seat = learners[0]
        return f"damier train hexapawn {agents[seat]} --opponent {agents[3 - seat]} --seat {seat}"
    command = "play" if "human" in agents.values() else "match"
    return f"damier {command} hexapawn {agents[1]} {agents[2]}"


def link(chosen: Mapping[int, str]) -> question.RoomLink:
    """Return a link to where these two meet: in the room of training, where an agent learns from every game,
    or rests for a person; else at the board.
    """
    agents = {str(seat): CLASSES[kind] for seat, kind in sorted(chosen.items())}
    persons = [seat for seat, agent in agents.items() if agent == "human"]
    if len(persons) == 2 or set(chosen.values()) == {"RandomPlayer"}:
        return question.RoomLink(_("The two at the board"), f"/hexapawn?1={agents['1']}&2={agents['2']}")
    values = [f"{seat}={agent}" for seat, agent in agents.items() if agent != "human"]
    return question.RoomLink(
        _("Both in the room of training"),
        "/training/hexapawn?" + "&".join([*values, *(f"person={seat}" for seat in persons)]),
    )


def number_of_board(written: str) -> question.TypedAnswer:
    """id(s) of nine cells, the top left one first, as its sum. Raises BadInput."""
    words = written.replace(",", " ").split()
    if len(words) != CELLS or any(word not in ("-1", "0", "1") for word in words):
        raise BadInput(message("a board is {n} cells, top left first: 1 white, -1 black, 0 empty", n=CELLS))
    cells = [int(word) for word in words]
    weights = [3 ** (CELLS - 1 - place) for place in range(CELLS)]
    total = sum((cell + 1) * weight for cell, weight in zip(cells, weights, strict=True))
    terms = " + ".join(f"{cell + 1}×{weight}" for cell, weight in zip(cells, weights, strict=True))
    return question.TypedAnswer(f"id({' '.join(map(str, cells))})", (terms, _("state {n}", n=total)))
