"""Starter kits: what is written, in both languages, and that it runs from the first minute."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import Captured, beginning
from lasting import long, shortly

from damier.agents.languages import LANGUAGES
from damier.core.errors import BadInput
from damier.core.words import speaking
from damier.lab.kits import BROUGHT, Kit, kit, kits, lines_here, name_here
from damier.plugins.classroom.marking.sheet import marks_of, sheet
from damier.plugins.classroom.marking.submission import ExactTruth, Submission

FILLED = Path(__file__).parents[1] / "agents" / "documents"
call, data = beginning("start")

ALL = [(document, programming) for document, known in kits().items() for programming in known]
OTHERS = [each for each in ALL if each[1] != "python"]


@pytest.mark.parametrize("spoken", ["en", "fr"])
@pytest.mark.parametrize(("document", "programming"), ALL)
def test_a_kit_is_whole_in_each_language(document: str, programming: str, spoken: str) -> None:
    with speaking(spoken):
        found = kit(document, programming)
        assert found.test
        assert f"damier check {document}" in found.files["README.md"]
        for place, text in found.files.items():
            assert not place.endswith(".kit")
            assert text
            assert "{RULES}" not in text
            for line in text.splitlines():
                assert not line.startswith(("fr|", "en|")), (place, line)
                assert len(line) <= 130 or line.startswith("|"), (place, line)  # a row of a table


@pytest.mark.parametrize("spoken", ["en", "fr"])
@pytest.mark.parametrize("document", [document for document, programming in ALL if programming == "python"])
def test_a_kit_in_python_runs_from_the_first_minute(document: str, spoken: str, tmp_path: Path) -> None:
    with speaking(spoken):
        made = kit(document, "python")
        made.write(tmp_path / "new")
    assert made.test == "python3 -m unittest"
    ended = subprocess.run(
        [sys.executable, "-m", "unittest"], cwd=tmp_path / "new", capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert "Ran 0 tests" not in ended.stderr
    with pytest.raises(BadInput, match="is not empty"):
        made.write(tmp_path / "new")


def test_a_person_at_the_starter_of_s4_is_asked_again_for_what_is_no_free_cell(tmp_path: Path) -> None:
    with speaking("en"):
        kit("s4", "python").write(tmp_path)
    line = [sys.executable, "main.py", "-s", "human", "human"]
    typed = "²\n12\n-1\nx\n" + "".join(f"{cell}\n" for cell in (4, 4, 0, 1, 2, 7))
    ended = subprocess.run(line, cwd=tmp_path, input=typed, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout.count("type the number of a free cell")) == (0, 5), ended.stderr
    assert "X has won" in ended.stdout


def tried(document: str, programming: str, folder: Path) -> Kit:
    """A kit, written there, whose test has run as it is."""
    language = next(each for each in LANGUAGES if each.name == programming)
    if shutil.which(language.compiler) is None:
        pytest.skip(f"there is no {language.compiler} ({language.package})")
    made = kit(document, programming)
    made.write(folder)
    subprocess.run(made.test, shell=True, cwd=folder, capture_output=True, check=True)
    return made


@pytest.mark.parametrize(("document", "programming"), shortly(OTHERS, OTHERS[-1]))
def test_a_kit_in_another_language_runs_from_the_first_minute(
    document: str, programming: str, tmp_path: Path
) -> None:
    tried(document, programming, tmp_path / "new")


@long
@pytest.mark.parametrize(("document", "programming"), OTHERS)
def test_a_kit_in_another_language_runs_and_its_stages_are_marked(
    document: str, programming: str, tmp_path: Path
) -> None:
    """Its test as it is; its stages filled in."""
    made, asked = tried(document, programming, tmp_path / "new"), sheet(document)
    for path in tmp_path.glob("new/*"):  # what that has made
        if path.name not in made.files:
            path.unlink()
    truth = ExactTruth(asked.game)
    for path in (FILLED / document).iterdir():
        shutil.copy(path, tmp_path / "new")
    found = marks_of(asked, Submission(tmp_path / "new", asked.game), "new", truth)
    failed = {mark.item.name: str(mark.finding.sentence) for mark in found.marks if not mark.finding.passed}
    assert failed == {}


def test_what_is_for_readers_of_another_language_is_left_out() -> None:
    with speaking("fr"):
        assert lines_here("a\nfr|b\nen|c\nif|d\n") == "a\nb\nif|d\n"
        assert [name_here(name) for name in ("README.fr.md.kit", "README.en.md.kit", "a.py.kit")] == [
            "README.md",
            None,
            "a.py",
        ]


def test_the_command_says_what_it_has_written_and_what_comes_next(capsys: Captured, tmp_path: Path) -> None:
    folder = tmp_path / "my kit"
    said = data(capsys, "s0", str(folder))
    assert said["next"] == [f"cd '{folder}'", "python3 -m unittest", "damier check s0 ."]
    assert sorted(path.name for path in folder.iterdir()) == sorted(said["files"])
    code, _out, err = call(capsys, "s0", str(folder))
    assert (code, err.count("\n")) == (2, 1)
    code, _out, err = call(capsys, "s0", str(folder / "README.md"))
    assert (code, err.count("\n")) == (2, 1)
    code, _out, err = call(capsys, "s9", str(tmp_path / "other"))
    assert code == 2
    assert "there are: s0" in err
    code, _out, err = call(capsys, "s0", str(tmp_path / "other"), "--language", "cobol")
    assert code == 2
    assert "python" in err
    assert not (tmp_path / "other").exists()


def test_nothing_in_the_folder_of_kits_is_taken_for_a_source_of_damier() -> None:
    for path in BROUGHT.rglob("*"):
        assert path.is_dir() or path.name == "kit.toml" or path.suffix == ".kit", path
