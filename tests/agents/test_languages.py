"""Agents in C, Java and Lisp: transcriptions of the documents' own, line by line, play, learn, are kept,
graded and marked as those in Python are; what is wrong in them is told with their file and line.
"""

from __future__ import annotations

import io
import json
import shutil
import time
import zipfile
from pathlib import Path

import pytest
from commands import Captured, beginning
from foreign import sandboxed
from lasting import long

from damier import load
from damier.agents import languages
from damier.agents.languages import (
    COPIES,
    LANGUAGES,
    ForeignAgent,
    built,
    file_name_of,
    language_of,
    module_of,
    sources_of,
)
from damier.agents.own import OwnPlayer
from damier.arena.match import match
from damier.core.errors import AgentFault, BadInput
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.lab.agent_file import own_player
from damier.lab.agents import agent, is_own, names_program
from damier.lab.games import Lab
from damier.lab.tournament import entrant_of, entrants, texts_of
from damier.lab.user_file import parts
from damier.plugins.classroom.class_check import FileCheck
from damier.plugins.classroom.class_process import ClassFolder

DOCUMENTS = Path(__file__).with_name("documents")
RL, AI = DOCUMENTS / "s4" / "rlagent.c", DOCUMENTS / "s4" / "aiagent.c"
JAVA, LISP = DOCUMENTS / "s0" / "Agent.java", DOCUMENTS / "s1" / "resolution2.cl"
call, data = beginning()


def needs(name: str) -> pytest.MarkDecorator:
    language = next(each for each in LANGUAGES if each.name == name)
    missing = shutil.which(language.compiler) is None
    return pytest.mark.skipif(missing, reason=f"there is no {language.compiler} ({language.package})")


c, java, lisp = map(needs, ("c", "java", "lisp"))
AGENTS = [
    pytest.param("tictactoe", str(RL), marks=c, id="c"),
    pytest.param("hexapawn", str(JAVA), marks=java, id="java"),
    pytest.param("nim", f"{LISP}:ExploreRenfRec", marks=lisp, id="lisp"),
]
IN_C = [
    AGENTS[0],
    *(pytest.param(*each.values, marks=[*each.marks, long], id=each.id) for each in AGENTS[1:]),
]
"""In an ordinary run the agent in C alone."""


def player_of(game: str, text: str, *, learns: bool = False) -> OwnPlayer:
    found = own_player(Lab(load(game), Job()), text)
    found.learns = learns
    return found


def after(player: OwnPlayer, games: int, seed: int = 3) -> OwnPlayer:
    """It again, after some games against random moves."""
    match(MatchSetup(player.game, (player, RandomPlayer()), seed), games, Job(jit=False))
    return player


def knows(player: OwnPlayer) -> list[object]:
    """What an agent thinks of all moves of some positions."""
    start = player.game.position()
    positions = [start, *(start.play(move).play(start.play(move).moves[0]) for move in start.moves)]
    return [player.agent.move_score(p, move) for p in positions if not p.over for move in p.moves]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("game", "text"), AGENTS)
def test_it_learns_and_what_it_learnt_goes_out_and_comes_back(game: str, text: str, tmp_path: Path) -> None:
    player = after(player_of(game, text, learns=True), 60)
    learnt = knows(player)
    assert len({*map(str, learnt)}) > 2
    assert knows(after(player_of(game, text, learns=True), 60)) == learnt, "the same seed, the same games"
    assert knows(after(player_of(game, text), 60)) == knows(player_of(game, text)), "it did not learn"
    saved = json.loads(json.dumps(player.agent.save()))  # type: ignore[attr-defined]
    other = player_of(game, text)
    other.agent.load(saved)  # type: ignore[attr-defined]
    assert knows(other) == learnt
    other.learns = True
    assert knows(after(other, 40, 5)) == knows(after(player, 40, 5)), "both go on alike"


@pytest.mark.parametrize(("game", "text"), IN_C)
def test_a_copy_goes_its_own_way(game: str, text: str) -> None:
    player = after(player_of(game, text, learns=True), 30)
    learnt = knows(player)
    copies = [player.frozen() for _copy in range(COPIES + 4)]
    for found in copies:
        found.learns = True
    after(copies[0], 60, 8)
    after(copies[-1], 60, 8)
    assert knows(copies[0]) == knows(copies[-1]) != learnt
    assert knows(player) == knows(copies[1]) == learnt


@long
@pytest.mark.parametrize(("game", "text"), AGENTS)
def test_it_is_trained_and_graded_by_commands(game: str, text: str, capsys: Captured, tmp_path: Path) -> None:
    kept = tmp_path / "learnt.json"
    training = ("train", game, text, "--out", str(kept))
    assert call(capsys, *training, "--games", "64", "--grade-every", "never")[0] == 0
    assert call(capsys, *training, "--games", "128", "--resume", "--grade-every", "128")[0] == 0
    found = data(capsys, "match", game, f"{text}{',' if '=' in text else ':'}file={kept}", "random")
    assert "faults" not in found
    assert found["wins"] > found["losses"]


@sandboxed
@pytest.mark.parametrize(("game", "text"), IN_C)
def test_it_plays_in_a_sandbox(game: str, text: str, capsys: Captured) -> None:
    found = data(capsys, "match", game, text, "random", "--games", "6", "--swap-seats", "--isolated")
    assert "faults" not in found


def wrong(
    mark: pytest.MarkDecorator, file: str, right: str, other: str, told: str, *seldom: pytest.MarkDecorator
) -> object:
    """A file in which one place is wrong, and what is said of it."""
    marks = [mark, *seldom]
    return pytest.param(file, right, other, told, marks=marks, id=f"{Path(file).name}-{told[:30]}")


TIES, NTH = "int ties = 0;", "(nth r actions)"
MISTAKES = [
    wrong(c, "s4/rlagent.c", "*turn = (Turn)", "turn = 0; *turn = (Turn)", r"rlagent\.c:\d+: Segmentation"),
    wrong(c, "s4/rlagent.c", "return chosen;", "return 77;", r"rlagent\.c: 77 is not a legal move", long),
    wrong(c, "s4/rlagent.c", TIES, TIES + "for (;;) ;", r"rlagent\.c: no answer within 0.3 s"),
    wrong(c, "s4/rlagent.c", TIES, TIES + "exit(3);", r"rlagent\.c: it ended, with exit code 3"),
    wrong(
        *(c, "s4/rlagent.c", TIES, TIES + "ties = play(agent, b, player);"),
        *(r"rlagent\.c:\d+: Segmentation", long),
    ),
    wrong(java, "s0/Agent.java", "get( actionIndex )", "get(99)", r"Agent\.java:\d+: IndexOutOfBounds"),
    wrong(java, "s0/Agent.java", "// update eps", "while(nbStep>=0){}//", "no answer within 0.3 s", long),
    wrong(
        *(java, "s0/Agent.java", "// get new", "update(state, 0, possible_actions); //"),
        *("StackOverflow", long),
    ),
    wrong(lisp, "s1/resolution2.cl", NTH, "(+ r nil)", r"resolution2\.cl:8: .*NIL"),
    wrong(lisp, "s1/resolution2.cl", NTH, "(nth 99 actions)", r"resolution2\.cl: None is not"),
    wrong(
        lisp,
        "s1/resolution2.cl",
        NTH,
        "(+ 1 (Randomsuccesseurs actions))",
        r"2\.cl:8: .*xhausted|pseudo-atomic",
        long,
    ),
]


@pytest.mark.parametrize(("file", "right", "other", "told"), MISTAKES)
def test_what_goes_wrong_in_a_game_is_told_with_file_and_line(
    file: str, right: str, other: str, told: str, tmp_path: Path
) -> None:
    source = (DOCUMENTS / file).read_text("utf-8")
    assert right in source
    path = tmp_path / Path(file).name
    path.write_text(source.replace(right, other, 1), "utf-8")
    game = {"c": "tictactoe", "java": "hexapawn", "lisp": "nim"}[sources_of(path).language.name]
    name = ":ExploreRenfRec" if path.suffix == ".cl" else ""
    with pytest.raises(AgentFault, match=told):  # noqa: PT012  what is wrong may be told before the game
        player = player_of(game, f"{path}{name}:seconds=0.3", learns=True)
        after(player, 4)


BROKEN = [
    wrong(c, "s4/rlagent.c", TIES, "int ties = 0", r"rlagent\.c:\d+: expected .*in: "),
    wrong(
        *(c, "s4/rlagent.c", "llPopFirst(", "llPop("),
        *(r"rlagent\.c:\d+: undefined reference to .llPop", long),
    ),
    wrong(java, "s0/Agent.java", "float maxQ=0;", "float maxQ=0", r"Agent\.java:\d+: ';' expected, in: f"),
    wrong(
        *(java, "s0/Agent.java", "extends Player", "extends Playr"),
        r"Agent\.java:\d+: cannot find symbol \(class Playr\), in: ",
    ),
    wrong(java, "s0/Agent.java", "int update", "int move", r"Agent\.java:3: .*update", long),
    wrong(lisp, "s1/resolution2.cl", NTH, "(nth r actions", r"resolution2\.cl:8: a parenthesis"),
]


@pytest.mark.parametrize(("file", "right", "other", "told"), BROKEN)
def test_what_cannot_be_compiled_is_told_in_one_line(
    file: str, right: str, other: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / Path(file).name
    path.write_text((DOCUMENTS / file).read_text("utf-8").replace(right, other), "utf-8")
    with pytest.raises(AgentFault, match=told) as found:
        agent(Lab(load("tictactoe"), Job()), str(path))
    assert "\n" not in str(found.value)


@c
def test_a_program_that_is_ended_is_started_again_with_what_it_has_learnt() -> None:
    player = after(player_of("tictactoe", str(RL), learns=True), 30)
    learnt = knows(player)
    written = player.agent.written  # type: ignore[attr-defined]
    assert isinstance(written, ForeignAgent)
    written.program.end_process()
    assert knows(player) == learnt


@c
def test_a_file_brings_itself_alone_and_a_folder_all_that_is_in_it(tmp_path: Path) -> None:
    shutil.copy(RL, tmp_path)
    shutil.copy(AI, tmp_path)
    (tmp_path / "main.c").write_text("int main(void) { return 1; }")
    assert set(sources_of(tmp_path).files) == {"aiagent.c", "main.c", "rlagent.c"}
    found = vars(module_of(tmp_path))
    assert {"AiAgent", "RlAgent", "minimax"} <= set(found)
    assert "AiAgent" not in vars(module_of(tmp_path / "rlagent.c"))
    with pytest.raises(BadInput, match=r"several agents: write .*:NAME with one of AiAgent RlAgent"):
        player_of("tictactoe", str(tmp_path))
    assert player_of("tictactoe", f"{tmp_path}/:AiAgent:seconds=1").text.endswith("seconds=1")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "cp1252"])
def test_what_an_editor_adds_to_a_file_is_not_compiled(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "Agent.java"
    path.write_bytes("package hexapion; // été\r\nclass Agent {}\r\n".encode(encoding))
    assert sources_of(path).files == {"Agent.java": " // été\r\nclass Agent {}\r\n".encode()}


@c
def test_what_was_compiled_is_kept_until_anything_of_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "rlagent.c"
    shutil.copy(RL, path)
    first = built(sources_of(path))
    monkeypatch.setattr(languages, "compiled", lambda sources: b"again")
    assert built(sources_of(path)) == first
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    assert built(sources_of(path)) == b"again"


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_where_there_is_no_compiler_the_package_is_told(
    language: languages.Language, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"a{language.suffixes[0]}"
    path.write_text("")
    monkeypatch.setenv("PATH", str(tmp_path))
    code, _out, err = call(capsys, "match", "tictactoe", str(path), "random")
    assert (code, err.count("\n")) == (2, 1)
    assert f"apt install {language.package}" in err


def test_how_a_file_or_a_folder_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("")
    names = ("a.c", "A.java", "a.cl", "a.py", "a", tmp_path)
    assert [getattr(language_of(name), "name", None) for name in names] == [
        "c", "java", "lisp", None, None, "c",
    ]  # fmt: skip
    (tmp_path / "agent.py").write_text("")
    assert language_of(tmp_path) is None
    assert parts("x/a.c:RlAgent:seconds=1") == ("x/a.c", "RlAgent", "seconds=1")
    assert is_own("a.c")
    assert not names_program("./a.c")


HOSTILE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "agent.h"
Move play(Agent *agent, Board b, Player p) {
    static char found[200];
    FILE *file = fopen("SECRET", "r"), *own = fopen("/etc/hostname.mine", "w");
    int children = 0;
    for (int i = 0; i < 200; i++) {
        int child = fork();
        if (child == 0) { pause(); _exit(0); }
        children += child > 0;
    }
    int network = socket(AF_INET, SOCK_STREAM, 0) >= 0;
    sprintf(found, "%d %d %d %d", file != NULL, own != NULL, network, children < 40);
    fprintf(stderr, "%s\\n", found);
    exit(9);
}
"""


@c
@sandboxed
def test_hostile_code_in_c_sees_nothing_and_is_bounded(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    path = tmp_path / "hostile.c"
    path.write_text(HOSTILE.replace("SECRET", str(secret)))
    with pytest.raises(AgentFault, match=r"0 0 0 1|more than 32 processes"):
        after(player_of("tictactoe", str(path)), 1)


@sandboxed
@pytest.mark.parametrize(
    ("game", "file"),
    [
        pytest.param("tictactoe", RL, marks=c),
        pytest.param("hexapawn", JAVA, marks=java),
        pytest.param("nim", LISP, marks=lisp),
    ],
)
def test_it_is_handed_in_to_a_class(game: str, file: Path, tmp_path: Path) -> None:
    path = ClassFolder(tmp_path).write(1, file.read_bytes())
    found = FileCheck(load(game), None, None).report(path, "")
    assert found["plays"], found["said"]
    assert language_of(path) is language_of(file)


@sandboxed
@c
def test_a_folder_is_handed_in_as_an_archive(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted((DOCUMENTS / "s4").iterdir()):
            archive.write(path, f"project3/{path.name}")
    path = ClassFolder(tmp_path).write(1, packed.getvalue())
    found = FileCheck(load("tictactoe"), None, None).report(path, "RlAgent")
    assert found["agents"] == ["AiAgent", "RlAgent"]
    assert found["plays"], found["said"]


@c
def test_files_and_folders_take_part_in_a_tournament(tmp_path: Path) -> None:
    shutil.copy(RL, tmp_path / "bob.c")
    shutil.copytree(DOCUMENTS / "s4", tmp_path / "ada")
    (tmp_path / "notes.h").write_text("")
    assert list(texts_of(str(tmp_path))) == [str(tmp_path / "ada"), str(tmp_path / "bob.c")]


def test_a_folder_with_two_agents_in_c_enters_a_tournament_by_the_name_of_one(tmp_path: Path) -> None:
    shutil.copytree(DOCUMENTS / "s4", tmp_path / "ada")
    shutil.copy(RL, tmp_path / "bob.c")
    lab, ada = Lab(load("tictactoe")), str(tmp_path / "ada")
    with pytest.raises(BadInput, match=r"ada has several agents: write .*NAME with one of AiAgent RlAgent"):
        entrants([str(tmp_path)], lab)
    assert entrant_of(str(tmp_path / "bob.c"), lab).name == "bob"
    assert sources_of(Path(ada)).creators == ("AiAgent", "RlAgent")
    (tmp_path / "ada" / "rlagent.c").unlink()
    (tmp_path / "ada" / "notes.c").write_text("// createRlAgent() {\nAgent *createRlAgent(void);\n")
    assert sources_of(Path(ada)).creators == ("AiAgent",)


def test_a_file_that_is_handed_in_is_called_as_its_document_calls_it() -> None:
    assert [file_name_of(path.read_bytes()) for path in (RL, AI)] == ["rlagent.c", "aiagent.c"]
    assert file_name_of(b"class Agent {\n  // no createAiAgent here\n}\n") == "Agent.java"
    assert file_name_of(b"def play(position):\n    return position.moves[0]\n") == "agent.py"


def test_no_file_that_is_handed_in_is_read_for_minutes(tmp_path: Path) -> None:
    size, path, begun = 256 << 10, tmp_path / "agent.c", time.process_time()
    assert file_name_of(b"class " + b"a" * (size // 2) + b" " * (size // 2) + b":") == "agent.py"
    path.write_bytes(b"int main(void) { /* done */ } // int play() /*\n" + b"/* " * (size // 3))
    sources = sources_of(path)
    assert (sources.is_program, sources.creators) == (True, ())
    assert time.process_time() - begun < 20
