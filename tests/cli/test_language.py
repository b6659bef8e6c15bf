"""The command line in French: what it says, how it refuses; which language it speaks; and what
stays as it is in every language.
"""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from catalogue import translated, translation
from lasting import later, shortly

from damier.cli import main
from damier.cli.command import table, widths_within
from damier.cli.language import checked, of_environment, split
from damier.cli.main import build
from damier.cli.tictactoe import command as tictactoe
from damier.core.errors import BadInput
from damier.core.files import OF_JSON
from damier.core.words import speaking

FRENCH = {text: said for text, (said, *_more) in translated(translation("fr")).items()}


def run(*line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, with no language in its environment but the one given."""
    command, *arguments = line
    code = (
        f"import sys; from damier.cli.entry import {command}; sys.argv = {[command, *arguments]!r};"
        f" {command}()"
    )
    silent = {
        name: value
        for name, value in os.environ.items()
        if name not in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    }
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        encoding="utf-8",
        env=silent | {"PYTHONUTF8": "1", **environment},
        check=False,
    )


def here(capsys: pytest.CaptureFixture[str], language: str, *line: str) -> str:
    """What a command writes to standard output, in the process of the tests."""
    with speaking(language):
        assert main.run(build(), list(line)) == 0
    return capsys.readouterr().out


def commands() -> list[str]:
    return [name for name in build() if not name.startswith("-")]


@pytest.mark.parametrize(
    ("line", "wanted", "rest"),
    [
        ([], None, []),
        (["count", "nim"], None, ["count", "nim"]),
        (["--lang", "fr", "count", "nim"], "fr", ["count", "nim"]),
        (["count", "--lang=fr", "nim"], "fr", ["count", "nim"]),
        (["count", "nim", "--json", "--lang", "fr"], "fr", ["count", "nim", "--json"]),
        (["--lang", "fr", "--lang", "en"], "en", []),
        (["count", "--", "--lang", "fr"], None, ["count", "--", "--lang", "fr"]),
    ],
)
def test_the_language_stands_anywhere_on_the_line(
    line: list[str], wanted: str | None, rest: list[str]
) -> None:
    assert split(line) == (wanted, rest)


def test_the_language_is_one_that_there_is() -> None:
    assert checked("fr-FR") == "fr"
    with pytest.raises(BadInput, match="--lang tlh: it must be one of en fr"):
        checked("tlh")
    with pytest.raises(BadInput, match="--lang needs a value: en fr"):
        split(["count", "nim", "--lang"])


@pytest.mark.parametrize(
    ("variables", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LC_ALL": "C.UTF-8", "LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANGUAGE": "de:fr:en", "LC_ALL": "en_GB.UTF-8"}, "fr"),
        ({"LANGUAGE": "", "LC_MESSAGES": "fr_CH"}, "fr"),
        ({"LANG": "de_AT.UTF-8"}, "en"),
    ],
)
def test_else_it_is_that_of_the_environment(variables: dict[str, str], language: str) -> None:
    assert of_environment(variables) == language


@pytest.mark.parametrize(
    "line", [["damier", "nonsense", "--lang", "xx"], ["tictactoe", "--lang", "xx"], ["damier", "--lang"]]
)
def test_an_unknown_language_is_refused_in_one_line(line: list[str]) -> None:
    done = run(*line)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "en fr" in done.stderr


@pytest.mark.parametrize("command", shortly(["", *commands()], "solve"))
def test_help_of_a_process_is_all_in_french(command: str) -> None:
    line = ("damier", *filter(None, [command]), "--help", "--lang")
    shown = [run(*line, language, COLUMNS="200") for language in ("en", "fr")]
    assert [done.returncode for done in shown] == [0, 0]
    no_word_is_left(shown[0].stdout, shown[1].stdout)


@pytest.mark.parametrize("command", shortly(["", *commands()], ""))
def test_help_is_all_in_french(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    line = (*filter(None, [command]), "--help")
    no_word_is_left(here(capsys, "en", *line), here(capsys, "fr", *line))


def no_word_is_left(english: str, french: str) -> None:
    """No word of a heading, a placeholder or a remark of cyclopts, and no line of ours, is left in
    English.
    """
    assert "Utilisation" in french
    assert not re.search(r"Usage|Commands|Parameters|\[default|\[required|\[choices|Display", french)
    shown_in_english = [text for text in FRENCH if text.count(" ") >= 2 and text in english]
    assert len(shown_in_english) >= 2
    assert [text for text in shown_in_english if text in french and text != FRENCH[text]] == []


REFUSALS: list[tuple[list[str], str]] = [
    (["damier", "solve"], "GAME manque"),
    (["damier", "sovle", "nim"], "vouliez-vous dire solve"),
    (["damier", "solve", "nimm"], "vouliez-vous dire nim"),
    (["damier", "solve", "nim", "--sed", "3"], "aucune option ne s'appelle --sed"),
    (["damier", "solve", "nim", "extra"], "extra"),
    (["damier", "solve", "nim", "--memory", "much"], "il faut un nombre"),
    (["damier", "count", "nim", "--json", "--json"], "deux fois"),
    (["damier", "perft", "nim", "--depth"], "attend une valeur"),
    (["damier", "perft", "nim", "--depth", "x"], "il faut un nombre entier"),
    (["damier", "exercise", "chess"], "il faut l'une des valeurs minimax"),
    (["damier", "solve", "nim", "--moves", "9"], "n'est pas un coup légal"),
    (["damier", "show", "no/such/file"], "n'existe pas"),
    (["tictactoe", "-s", "human"], "il faut 2 valeurs"),
    (["tictactoe"], "il faut l'un des arguments"),
    (["tictactoe", "-t", "9", "ai", "nobody"], "nobody"),
]
OF_PYTHON = [each for each in REFUSALS if each[0][0] == "tictactoe"]
"""Said by argparse, whose words are those of its process."""


@pytest.mark.parametrize(("line", "says"), [each for each in REFUSALS if each not in OF_PYTHON])
def test_refusals_are_in_french_too(line: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    with speaking("fr"):
        code = main.run(build(), line[1:])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert says in err


@pytest.mark.parametrize(("line", "says"), shortly(REFUSALS, OF_PYTHON[0]))
def test_refusals_of_a_process_are_in_french_too(line: list[str], says: str) -> None:
    done = run(*line, "--lang", "fr")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr


def test_the_french_no_break_space_is_shown_and_not_escaped() -> None:
    done = run("damier", "solve", "nimm", LANG="fr_FR.UTF-8")
    assert "\xa0:" in done.stderr
    assert "\\x" not in done.stderr


@pytest.mark.parametrize(
    "line",
    [
        later(["count", "hexapawn", "--games"]),
        ["solve", "hexapawn", "--moves", "a1a2"],
        later(["search", "tictactoe", "alphabeta"]),
        later(["play", "nim", "random", "perfect", "--seed", "3"]),
        later(["replay", "nim", "--moves", "3,1"]),
    ],
)
def test_json_is_the_same_in_every_language(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    english, french = (json.loads(here(capsys, language, *line, "--json")) for language in ("en", "fr"))
    for report in (english, french):
        report.pop("seconds", None)
    assert english == french


def test_what_python_and_the_system_say_is_in_french_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tree.json").write_text("[1 2]")
    said = run("damier", "tree", str(tmp_path / "tree.json"), LANGUAGE="fr").stderr
    assert said.endswith("il manque une virgule\N{NO-BREAK SPACE}: ligne 1, colonne 4 (caractère 3)\n")

    def full(_arguments: list[str]) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with speaking("fr"):
        assert main.run(full, []) == 3
    assert capsys.readouterr().err == "damier: il n'y a plus de place sur le disque\n"


@pytest.mark.parametrize(
    "text", ["", "{a", '{"a" 1}', "[1 2]", '["a', '["\x01"]', '["\\q"]', '["\\u12"]', "[1]x"]
)
def test_all_that_python_says_of_json_is_known(text: str) -> None:
    with pytest.raises(json.JSONDecodeError) as refusal:
        json.loads(text)
    assert refusal.value.msg in OF_JSON


def test_the_tables_of_a_command_are_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    shown = here(capsys, "fr", "solve", "hexapawn")
    assert "Au joueur 1 de jouer" in shown
    assert "mène à" in shown
    assert "nulle" in shown
    assert re.search(r"draw|move|leads|depth", shown) is None


def test_a_decimal_comma_does_not_part_the_ends_of_an_interval(capsys: pytest.CaptureFixture[str]) -> None:
    line = ("tree", "((0.5 1.25) (0.25 2.5))", "--algorithm", "alphabeta")
    assert "[-∞, 0.5]" in here(capsys, "en", *line)
    assert "[-∞\N{NO-BREAK SPACE}; 0,5]" in here(capsys, "fr", *line)


def test_no_line_of_a_table_begins_with_what_a_no_break_space_stands_before(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table(["mot"], [["a" * first + "\xa0; " + "b" * 100] for first in range(1, 115)])
    assert re.search(r"^ *;", capsys.readouterr().out, re.M) is None


def test_a_long_name_in_a_table_is_broken_between_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    options = [f"option_{number}=1000.5" for number in range(12)]
    table(["agent"], [["q:" + ",".join(options)]])
    said = capsys.readouterr().out
    assert [option for option in options if option not in said] == []
    assert len(said.splitlines()) > 4


def test_a_narrow_table_cuts_no_word_and_a_narrower_one_is_a_list() -> None:
    rows = [["agent", "games"], ["the most against perfect:prefer=value,ties=random", "100.00\xa0%"]]
    assert widths_within(120, rows) == [49, 8]
    assert widths_within(40, rows) == [27, 8]
    assert widths_within(34, rows) == [21, 8], "as wide as its longest word"
    assert widths_within(33, rows) is None
    path = [("file", "games"), ("/home/ada/" + "a" * 60 + ".py", "1,000")]
    assert widths_within(60, path) == [50, 5], "paths are cut: a table of them is none of words"


def test_where_words_would_be_cut_a_row_is_a_list_of_its_values(capsys: pytest.CaptureFixture[str]) -> None:
    heads = [f"mot {n}" for n in range(1, 6)]
    with speaking("fr"):
        table(["", *heads, "vide"], [["1", *["a" * 130] * 5, ""], ["2", *"bcdef", ""]], numbers=[0])
    said = capsys.readouterr().out
    assert said.replace("\n", "").startswith("1mot 1\xa0: " + "a" * 130 + "mot 2"), (
        "only a word that no line holds is cut"
    )
    assert "vide" not in said
    assert said.endswith("2\nmot 1\xa0: b\nmot 2\xa0: c\nmot 3\xa0: d\nmot 4\xa0: e\nmot 5\xa0: f\n\n")


def test_help_in_a_narrow_terminal_cuts_no_option(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = here(capsys, "fr", "train", "--help")
    assert "│ --checkpoint-every  parties entre    │" in shown
    assert {len(line) for line in shown.splitlines() if line.startswith(("│", "╭", "╰"))} == {40}


def test_tictactoe_speaks_french(capsys: pytest.CaptureFixture[str]) -> None:
    help = run("tictactoe", "--help", LANG="fr_BE.UTF-8")
    assert help.returncode == 0
    assert "utilisation" in help.stdout
    assert not re.search(r"usage:|show this|same seed|one game", help.stdout)
    with speaking("fr"):
        assert main.run(tictactoe, ["-s", "random", "ai", "--seed", "1"]) == 0
    assert "gagne" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("1 game was stopped", "1 game, ", "after 1 ply:")),
        ("fr", ("1 partie arrêtée", "1 partie, ", "1 demi-coup :")),
    ],
)
def test_one_game_and_one_ply_are_said_as_one(
    language: str, said: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    shortest = ("nim", "random", "random", "--max-plies", "1")
    match = here(capsys, language, "match", *shortest, "--games", "1")
    played = here(capsys, language, "play", *shortest)
    assert all(words in (match + played).replace("\xa0", " ") for words in said)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("exercise", "beads", "--seed", "3"), "boîte 1\N{NO-BREAK SPACE}: perles A 0"),
        (("figure", "timeline"), "Blanc\N{NO-BREAK SPACE}: +10"),
        (("figure", "machines"), "2016\N{NO-BREAK SPACE}: AlphaGo, bat"),
        (("figure", "actions"), "13\N{NO-BREAK SPACE}: c2 → c3"),
    ],
)
def test_what_is_named_before_a_colon_has_the_space_of_french(
    line: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in here(capsys, "fr", *line)
