"""The commands of the five documents, typed as they print them; and what is none of them."""

from __future__ import annotations

import re

import pytest
from lasting import long, shortly
from typed_commands import of_fewer_games

from damier.core.errors import BadInput, LimitReached
from damier.core.job import Job
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.training import Plan, table_trainer
from damier.learn.store import lists_of
from damier.plugins.course.s1 import after, read
from damier.plugins.course.s4 import parsed
from damier.plugins.course.sheet import PRINTED, READERS, typed, typed_anywhere

ALL = [(document, command) for document, commands in PRINTED.items() for command in commands]


@pytest.mark.parametrize(("document", "command"), ALL, ids=lambda each: each)
def test_what_is_printed_is_understood(document: str, command: str) -> None:
    command = of_fewer_games(command)
    found = typed(document, command)
    assert found.lines
    assert typed(document, found.command).command == found.command, "written in one way, it is read again"
    assert all(link.address.startswith("/") for link in found.links)
    assert typed_anywhere(command)[0] == document


@long
@pytest.mark.parametrize(("document", "command"), ALL, ids=lambda each: each)
def test_what_is_printed_comes_to_something_as_it_stands(document: str, command: str) -> None:
    assert typed(document, command).lines


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        ")",
        "(((((((((((((((((((((((((((((((",
        "(explore 7 actions)",
        "(explore 99 actions 'IA 0)",
        "(explore 7 actions 'NOBODY 0)",
        '(delete-file "x")',
        "(dotimes (x 3) (delete-file 1))",
        "(aff *actions*) (aff *actions*)",
        "rm -rf /",
        "./tictactoe",
        "./tictactoe -s human",
        "./tictactoe -t nine random ai",
        "./tictactoe -t 0 random ai",
        "./tictactoe -s human bob",
        "./tictactoe -t 10 random ai -p 5",
        "./tictactoe -t 10 human rl -p 5",
        "./tictactoe -t 10 random ai; rm x",
        "./tictactoe -t 10 'random ai",
        "max-value(((3 (",
        "max-value()",
        "get_state([1, 2])",
        "get_state([9, 9, 9, 9, 9, 9, 9, 9, 9])",
        "9999**9999",
        "1" + " + 0 * 3" * 20 + " x",
        'player1=new System("AgentA", 1, this);',
        'player1=new Agent("AgentA", 2, this);',
        "id(1 1 1)",
        "__import__('os').system('x')",
        "x" * 1000,
    ],
)
def test_what_is_none_of_them_is_refused_in_one_line(text: str) -> None:
    for document in READERS:
        with pytest.raises(BadInput) as error:
            typed(document, text)
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 400


def test_the_calls_of_document_s1() -> None:
    assert "⇒ 2: the line hoped for is 2 1 1" in typed("s1", "(setq x (explore 4 actions 'HUMAIN 0))").lines
    assert typed("s1", "(successeurs 16 actions)").lines == ("(3 2 1)",)
    assert typed("s1", "(renforcement 7 2 *actions*)").lines == (
        "Renforcement de l'etat 7 avec l'action 2",
        "before: (7 3 2 1)",
        "version 1, at the end: (7 3 2 1 2)",
        "version 2, in front: (7 2 3 2 1)",
    )
    assert typed("s1", "(Randomsuccesseurs (successeurs 2 actions))").lines[1] == "chances: 2: 1/2, 1: 1/2"


def test_later_calls_build_on_earlier_ones() -> None:
    games = "(dotimes (x 60) (explore-renf-rec 16 *actions*))"
    fresh, after = (
        typed("s1", "(aff *actions*)").lines,
        typed("s1", "(aff *actions*)", [games, "(nonsense"]).lines,
    )
    assert fresh[0] == "(16 3 2 1)"
    assert fresh != after
    assert after[-1] == "(1 1)", "the entry of 1 is never reinforced"
    assert "games played on these lists: 80" in typed("s1", games.replace("60", "20"), [games]).lines
    with pytest.raises(LimitReached):
        typed("s1", "(dotimes (x 100000) (explore-renf-rec 16 *actions*))")


def test_a_game_told_as_figure_5_has_it() -> None:
    """Version 1: a ply a line, each three columns further in; nothing is reinforced."""
    found = typed("s1", "(explore-renf 16 *actions* 'IA 0)")
    *plies, value = found.lines
    left, pattern = 16, r"( *)Joueur (IA|HUMAIN) joue (\d) allumettes - il reste (\d+) allumette\(s\)"
    for number, ply in enumerate(plies):
        match = re.fullmatch(pattern, ply)
        assert match, ply
        assert (len(match[1]), match[2]) == (3 * number, ("IA", "HUMAIN")[number % 2])
        left -= int(match[3])
        assert left == int(match[4])
    assert left == 0
    assert value == "⇒ NIL", "in this one the AI takes the last match"
    assert typed("s1", "(aff *actions*)", [found.command]).lines[0] == "(16 3 2 1)"
    indented = typed("s1", "(explore-renf 4 actions 'HUMAIN 6)").lines
    assert indented[0].startswith("      Joueur HUMAIN joue")


def test_a_game_told_as_figures_6_and_7_have_it() -> None:
    """Version 2: what is left and may be taken, what is, and a free line; the last move of a game won."""
    before = ["(explore-renf 16 *actions*)"]
    while typed("s1", before[-1], before[:-1]).value == "NIL":
        before.append(before[-1])
    lines = typed("s1", before[-1], before[:-1]).lines
    assert lines[:3] == ("Restant IA : 16 (3 2 1)", lines[1], "")
    assert re.fullmatch(r"choisi IA : [123]", lines[1])
    assert re.fullmatch(r"Restant humain : 1[345] \(3 2 1\)", lines[3])
    told = [line for line in lines if line.startswith("Renforcement")]
    match = re.fullmatch(r"Renforcement de l'etat (\d+) avec l'action (\d)", told[0])
    assert match
    assert len(told) == 1
    assert lines[-1].startswith("⇒ ((16 3 2 1) (15 3 2 1)"), "the value is the base that was given"
    grown = [line for line in typed("s1", "(aff *actions*)", before).lines if line.count(" ") > 3]
    assert grown == [f"({match[1]} {match[2]} 3 2 1)"], "what was just learnt is shown"


def test_every_move_of_a_game_won_is_reinforced_from_the_last_back() -> None:
    for version in ("(explore-renf-rec 15 *actions*)", "(explore-renf-rec 15 *actions* 'IA)"):
        lines = next(
            found.lines
            for games in range(9)
            if (found := typed("s1", version, [version] * games)).value != "NIL"
        )
        states = [int(line.split()[3]) for line in lines if line.startswith("Renforcement")]
        assert states == sorted(states)
        assert states[-1] == 15
        assert ("Restant IA : 15 (3 2 1)" in lines) == version.endswith("*)"), "figure 10 prints no trace"


def test_the_lists_of_a_sitting_are_those_of_a_training() -> None:
    for call, preset in (("explore-renf-rec", "ia01"), ("explore-renf", "ia01-last")):
        lab = Lab(load("nim"), Job(jit=False))
        made = table_trainer(lab, Plan(f"beads:preset={preset}", seed=0, grade_every=0))
        made.training.run(200, lab.job)
        lists = lists_of(lab.game, made.learner.parameters, made.learner.memory)
        assert lists
        own = after((f"(dotimes (x 200)({call} 16 *actions*))",)).lists
        assert {n: sorted(moves) for n, moves in own.items()} == {
            int(n): sorted(moves) for n, moves in lists.items()
        }


def test_one_base_grows_from_15_16_and_19() -> None:
    before: list[str] = []
    at_16 = []
    for matches in (15, 16, 19):
        before.append(f"(dotimes (x 100)(explore-renf-rec {matches} *actions*))")
        lists = after(tuple(before)).lists
        at_16.append(len(lists[16]))
    assert at_16[0] == 3 < at_16[1] < at_16[2]
    assert list(lists) == list(range(19, 0, -1))
    assert "(19 …)" in typed("s1", "(aff *actions*)", before).lines[0]
    assert len(typed("s1", "(aff *actions*)", before).whole[0]) > 60, "a file has every move"


def test_a_sitting_remembers_names_and_asks_a_person() -> None:
    setq = "(setq nbCoupsAJouer (explore 7 actions 'IA 0))"
    assert typed("s1", "nbCoupsAJouer", [setq]).lines == ("3",)
    with pytest.raises(BadInput):
        typed("s1", "nbCoupsAJouer")
    asked = "(JeuJoueur 2 *actions*)"
    prompt = ("min:1, max:2", "Entrez le nombre d'allumettes a enlever :")
    assert typed("s1", asked).lines == prompt
    assert typed("s1", "3", [asked]).lines == ("Erreur saisie le nombre", *prompt)
    assert typed("s1", "2", [asked, "3"]).lines == ("⇒ 2",)
    with pytest.raises(BadInput):
        typed("s1", "2", [asked, "2"])
    for text in ("(AFF *ACTIONS*)", "(Successeurs 16 Actions)", "(SETQ N (EXPLORE 4 ACTIONS 'humain 0))"):
        assert typed("s1", text).lines, "Lisp reads capitals as small letters"
    reinforced = "(setq *actions* (renforcement 7 2 *actions*))"
    assert "(7 2 3 2 1)" in typed("s1", "(aff *actions*)", [reinforced]).lines


def test_the_command_of_document_s4() -> None:
    few = typed("s4", "./tictactoe -t 20 rl rl -p 30 random").lines
    assert len(few) == 3, "two trainings and the games"
    assert "random (X) won 0, ai (O) won" in typed("s4", "tictactoe -t 50 random ai").lines[-1]
    assert parsed("make run").text == "./tictactoe -s human human"
    each_other = typed("s4", "./tictactoe -t 5 rl rl -p 20").lines
    assert each_other[0].startswith("the two rl trained each other, in the same 20 games")
    shown = typed("s4", "./tictactoe -s ai rl -p 20 random").lines
    assert shown[0].startswith("rl trained 20 games against random")
    assert "Player 1 (ai) plays 0" in shown
    assert shown[-1] in ("A draw.", "Player 1 (ai) wins.")
    many = typed("s4", "./tictactoe -t 1000 random rl -p 100001 ai")
    assert many.links[0].address.startswith(
        "/learning?game=tictactoe&learner=mean:preset=morpion&opponent=perfect"
    )


def test_the_training_and_the_test_of_document_s3() -> None:
    assert typed("s3", "var demo = new Vfunction();").lines == (
        "demo: 9 cells, 19,683 states: it can train and test",
    )
    trained = typed("s3", "var trained_agents = demo.train(10000);").lines
    assert trained[0] == "Entrainement:"
    first, second = (
        int(line.removeprefix(f"Agent{n}: ").removesuffix("% de victoire"))
        for n, line in enumerate(trained[1:3], 1)
    )
    assert abs(first - 58.5) < 3, "what the document prints after its training"
    assert 0 < second < first
    asked = "demo.test(trained_agents[0], trained_agents[1], 1000);"
    tested = typed("s3", asked, ["demo.train(10000);"])
    assert tested == typed("s3", asked, ["3**9"]), "its own training, where none was typed"
    assert tested.lines[:2] == ("-" * 32, "Test:")
    assert re.fullmatch(r"Agent1 aléatoire: \d+% de victoire", tested.lines[2])
    wins, untrained = (
        int(re.fullmatch(r"Agent2 entrainé: (\d+)% de victoire", lines[3])[1])  # type: ignore[index]
        for lines in (tested.lines, typed("s3", asked, ["demo.train(1)"]).lines)
    )
    assert untrained + 15 < wins
    for text in ("demo.train(0)", "demo.test(a[0], a[1], 0)"):
        with pytest.raises(BadInput):
            typed("s3", text)
    assert "Up to 100,000" in typed("s3", "demo.train(100001)").lines[0]
    assert "Up to 10,000" in typed("s3", "demo.test(a[0], a[1], 10001)").lines[0]


@pytest.mark.parametrize("games", shortly([2_000, 100_000], 2_000))
def test_all_games_of_practice_are_played(games: int) -> None:
    lines = typed("s4", f"./tictactoe -t 100 random rl -p {games}").lines
    assert f"rl trained {games:,} games against random" in lines[0]
    assert "of 100 games" in lines[1]


def test_the_players_of_document_s0_meet_in_the_room_or_at_the_board() -> None:
    random_1, joueur_2, agent_2 = (
        f'player{n}=new {kind}("Agent{"AB"[n - 1]}", {n}, this);'
        for n, kind in ((1, "RandomPlayer"), (2, "Joueur"), (2, "Agent"))
    )
    found = typed("s0", joueur_2, [random_1])
    assert found.lines[1] == "in a terminal: damier play hexapawn random human"
    nobody = typed("s0", random_1, ['player2=new RandomPlayer("AgentB", 2, this);'])
    assert nobody.links[0].address == "/hexapawn?1=random&2=random", "a room of training has a learner"
    assert (
        typed("s0", agent_2, [random_1])
        .lines[1]
        .endswith("damier train hexapawn q:preset=hexapion --opponent random --seat 2")
    )
    both = typed("s0", agent_2).lines
    assert both[1].endswith("damier train hexapawn q:preset=hexapion --opponent self:table=separate")
    comment = typed("s0", "//" + random_1, [agent_2])
    assert comment.lines == ("a comment: who plays stays as it was",)


def test_boards_and_trees_as_numbers() -> None:
    assert typed("s3", "1 * 6561 + 2 * 2187 + 0 * 729 + 1 * 81 + 0.").lines == ("11,016",)
    assert typed("s3", "1 * ( 3**8 ) + 2 * ( 3**7 )").lines == ("10,935",)
    assert typed("s3", "state.get_state(['X', 'O', 'libre', 0, 1, 0, 0, 0, 0])").lines[-1] == "state 11016"
    assert "No game comes here" in typed("s3", "get_state([2, 2, 0, 0, 0, 0, 0, 0, 0])").lines[-1]
    assert typed("s0", "id(-1 -1 -1 0 0 0 1 1 1)").lines[-1] == "state 377"
    assert typed("s2", "min-value((3 12 8))").lines[-2] == "value 3"
    assert (
        typed("s2", "max-value(((3 12 8) (2 4 6) (14 5 2)), -inf, +inf)").lines[-1]
        == "7 leaves were read, 1 cut"
    )


def test_the_signs_of_a_phone_are_those_of_a_keyboard() -> None:
    assert typed("s1", "(explore 4 actions ’HUMAIN 0)") == typed("s1", "(explore 4 actions 'HUMAIN 0)")
    assert typed("s4", "./tictactoe –t 10 random ai") == typed("s4", "./tictactoe -t 10 random ai")
    quoted = "player2=new Joueur(“B”, 2, this);"
    assert typed("s0", quoted) == typed("s0", 'player2=new Joueur("B", 2, this);')
    with pytest.raises(BadInput, match="type a command first"):
        typed("s1", "  ")


def test_players_are_chosen_one_after_the_other() -> None:
    found = typed(
        "s0", 'player2=new Joueur("AgentB", 2, this);', ['player1=new RandomPlayer("AgentA", 1, this);']
    )
    assert found.links[0].address == "/training/hexapawn?1=random&person=2"
    both = typed("s0", 'player2=new Joueur("B", 2, this);', ['player1=new Joueur("A", 1, this);'])
    assert both.links[0].address == "/hexapawn?1=human&2=human"


def test_lisp_is_read_and_never_run() -> None:
    assert read("(a 'b (1 2)) ; and a comment") == ["a", "b", [1, 2]]
