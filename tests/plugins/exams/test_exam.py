"""Exams: what a variant asks, its keys, and the marks of what came back."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from pathlib import Path

import pytest
from commands import Captured, beginning

from damier.cli.main import build, run
from damier.core.errors import BadFile, BadInput
from damier.core.game import Position, written_position
from damier.core.words import speaking
from damier.plugins.exams.exam import Exam, points_in_words, read_exam, read_keys
from damier.plugins.exams.exam_command import read_spreadsheet, show as show_written

call, _data = beginning()
DOCS = Path(__file__).parents[3] / "docs"
QUESTIONS = """
title = "Test"
variants = 2
[[questions]]
kind = "alphabeta"
branching = 2
plies = 2
points = 6
[[questions]]
kind = "minimax"
tree = "((3 12) (2 4) (14 5))"
points = 4
[[questions]]
kind = "minimax"
game = "hexapawn"
positions = "random:plies=2"
[[questions]]
kind = "q"
"""


def made(folder: Path, text: str = QUESTIONS, secret: bytes = b"secret") -> Exam:
    path = folder / "exam.toml"
    path.write_text(text)
    return read_exam(path, secret)


def filled(exam: Exam, variant: str, student: str, *wrong: str, delimiter: str = ",") -> str:
    """A table with one paper, all right but for some boxes."""
    answers = {
        f"{number} {key}": answer
        for number, item in enumerate(exam.papers[variant], 1)
        for key, answer in item.drill.right_answers().items()
    }
    answers |= dict.fromkeys(wrong, "99")
    written = io.StringIO()
    table = csv.writer(written, delimiter=delimiter)
    table.writerow(["student", "variant", *exam.columns()])
    table.writerow([student, variant.lower(), *(answers.get(column, "") for column in exam.columns())])
    return written.getvalue()


def test_variants_differ_and_a_secret_gives_the_same_again(tmp_path: Path) -> None:
    one, again, other = made(tmp_path), made(tmp_path), made(tmp_path, secret=b"other")
    assert one.as_data() == again.as_data() != other.as_data()
    first, second = one.as_data()["papers"].values()  # type: ignore[union-attr]
    assert all(a != b for a, b in zip(first, second, strict=True))
    assert one.points == [6.0, 4.0, 10.0, 10.0]
    assert all(item.position for item in (papers[2] for papers in one.papers.values()))


def test_a_game_s_tree_ends_in_exact_values(tmp_path: Path) -> None:
    from damier.solve import solve

    for item in (papers[2] for papers in made(tmp_path).papers.values()):
        assert item.position is not None
        value = solve(item.position.game).value(item.position.state)  # type: ignore[union-attr]
        first = {"win": 1, "draw": 0, "loss": -1}[str(value)] * (1 if item.position.mover == 0 else -1)
        assert item.drill.right_answers()["value:A"] == str(first)


def test_games_of_dice_have_their_expected_payoffs(tmp_path: Path) -> None:
    from damier import load
    from damier.solve import solve

    game = load("pig:target=10")
    rolled = game.play(game.start, game.legal(game.start)[2])
    at = written_position(Position(game, rolled))
    text = f"[[questions]]\nkind = 'expectimax'\ngame = 'pig:target=10'\nposition = '{at}'\nplies = 2"
    ((item,),) = made(tmp_path, text).papers.values()
    value = float(item.drill.right_answers()["value:A"])
    assert value == pytest.approx(solve(game).score(rolled), abs=0.002)
    path = tmp_path / "keys.json"
    path.write_text(json.dumps(made(tmp_path, text).as_data()))
    assert read_keys(path).papers["A"][0].drill.right_answers() == item.drill.right_answers()


def test_a_tree_of_ones_own_keeps_its_leaves(tmp_path: Path) -> None:
    trees = [papers[1].drill.tree for papers in made(tmp_path).papers.values()]  # type: ignore[attr-defined]
    leaves = [[node.value[0] for node in tree.nodes if not node.moves] for tree in trees]
    assert [sorted(each) for each in leaves] == [[2, 3, 4, 5, 12, 14]] * 2
    assert leaves[0] != leaves[1]
    fixed = made(tmp_path, QUESTIONS.replace('14 5))"', '14 5))"\nshuffle = false'))
    assert len({json.dumps(papers[1].as_data()) for papers in fixed.papers.values()}) == 1


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_right_answers_have_all_points_and_a_wrong_one_its_share_less(tmp_path: Path, delimiter: str) -> None:
    exam = made(tmp_path)
    (right,) = exam.marked("\ufeff" + filled(exam, "B", "Ada", delimiter=delimiter))
    assert (right.total, right.of, right.wrong) == (30.0, 30.0, ())
    (paper,) = exam.marked(filled(exam, "A", "Bob", "2 value:B", delimiter=delimiter))
    assert paper.points[1] == pytest.approx(4 * 4 / 5)
    assert [(each.box.question, each.box.field.key, each.given) for each in paper.wrong] == [
        (2, "value:B", "99")
    ]
    assert "MIN" in paper.wrong[0].reason


def test_a_table_is_read_as_a_spreadsheet_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    for encoding in ("utf-8-sig", "cp1252"):
        path.write_bytes("student;variant\nZoé;A\n".encode(encoding))
        assert read_spreadsheet(path, 100) == "student;variant\nZoé;A\n"


def test_points_are_counted_as_the_reader_does() -> None:
    assert [points_in_words(each) for each in (1, 1.5, 4)] == ["1 point", "1.5 points", "4 points"]
    with speaking("fr"):
        assert [points_in_words(each) for each in (0.5, 2.5)] == ["0,5 point", "2,5 points"]


def test_keys_are_shown_as_the_reader_writes_them_and_so_written_are_right(
    tmp_path: Path, capsys: Captured
) -> None:
    exam, path = made(tmp_path, QUESTIONS + '[[questions]]\nkind = "evaluation"\n'), tmp_path / "keys.json"
    path.write_text(json.dumps(exam.as_data()))
    with speaking("fr"):
        _code, out, _err = call(capsys, "show", str(path))
        assert "case" in out
        assert re.search(r"\bleft\b|\bright\b|\d\.\d|bo[iî]te", out) is None
        assert re.search(r"préfère +gauche", out)
        words = {
            f"{number} {key}": shown
            for number, item in enumerate(exam.papers["A"], 1)
            for key, shown in (item.drill.right_answers() | item.drill.filled(solved=True)).items()
        }
        written = io.StringIO()
        table = csv.writer(written, delimiter=";")
        table.writerow(["student", "variant", *words])
        table.writerow(["Ada", "A", *words.values()])
        (paper,) = exam.marked(written.getvalue())
    assert paper.wrong == ()


def test_an_empty_paper_has_no_points(tmp_path: Path) -> None:
    exam = made(tmp_path)
    (paper,) = exam.marked("student,variant\nAda,A\n")
    assert paper.total == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("student,variant,9 value:A\nAda,A,3\n", "9 value:A is no column"),
        ("variant\nA\n", "student is missing"),
        ("student,variant\nAda,Z\n", "line 2: there is no variant Z; there are: A B"),
        ("student,variant\nAda,A,1,2\n", "line 2 has more cells"),
        ('student,variant\n"Ada,A\n', "line 2: unexpected end of data"),
        ('student,variant,"\nAda,A\n', "the answers: line 2: unexpected end of data"),
        ("student,student,variant\nAda,Bob,A\n", "two columns are called student"),
        ("", "student is missing"),
    ],
)
def test_a_wrong_table_is_told_in_a_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadFile, match=re.escape(says)):
        made(tmp_path).marked(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = 3 4", "is not TOML"),
        ('title = "x"', "has no questions"),
        ('name = "x"', "name is no key of an exam"),
        ("variants = 27\n[[questions]]\nkind = 'q'", "variants = 27"),
        ("[[questions]]\nkind = 'chess'", "question 1: kind = chess; there are: minimax"),
        ("[[questions]]\nkind = 'q'\n[[questions]]\nkind = 'q'\npoints = 0", "question 2: points = 0"),
        ("[[questions]]\nkind = 'q'\ntree = '(1 2)'", "q has no tree of one's own"),
        ("[[questions]]\nkind = 'q'\nbranching = 2", "q has no tree"),
        ("[[questions]]\nkind = 'minimax'\ntree = '((3 x))'", "question 1: "),
        ("[[questions]]\nkind = 'minimax'\ntree = '(1 2)'\ngame = 'nim'", "exclude each other"),
        ("[[questions]]\nkind = 'minimax'\ngame = 'go'", "is too large for exact values"),
        ("[[questions]]\nkind = 'minimax'\ngame = 'nimm'", "did you mean nim"),
        ("[[questions]]\nkind = 'minimax'\nbranching = 9", "2 to 8 moves a node"),
        ("[[questions]]\nkind = 'minimax'\nbranching = 'two'", "branching = two"),
        ("[[questions]]\nkind = 'minimax'\nbranching = true", "branching = True: it is of another type"),
        ("[[questions]]\nkind = 'minimax'\nsize = 2", "size is no key of a question"),
        ("[[questions]]\nkind = 'expectimax'\ngame = 'pig:target=10'", "the tree begins with chance"),
        ("questions = 3", "[[questions]]"),
    ],
)
def test_a_wrong_file_of_questions_is_told_in_a_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises((BadFile, BadInput), match=re.escape(says)):
        made(tmp_path, text)


def test_keys_are_read_again_and_edited_ones_refused(tmp_path: Path) -> None:
    exam, path = made(tmp_path), tmp_path / "keys.json"
    path.write_text(json.dumps(exam.as_data()))
    assert read_keys(path).as_data() == json.loads(path.read_text())
    for old, new in (
        ('"value:A": "', '"value:A": "1'),
        ('"papers"', '"paper"'),
        ('"kind": "q"', '"kind": "z"'),
    ):
        path.write_text(json.dumps(exam.as_data()).replace(old, new, 1))
        with pytest.raises(BadFile, match="its keys are not those of its questions"):
            read_keys(path)


@pytest.mark.parametrize("page", ["exams.md", "controles.md"])
def test_the_commands_of_a_page_do_what_it_says(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / page).read_text()
    toml, sh = (re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)[0] for kind in ("toml", "sh"))
    name = re.match(r"# (\w+)", toml)
    assert name
    Path(f"{name[1]}.toml").write_text(toml)
    first, second, third = (shlex.split(line.removesuffix(" --lang fr"))[1:] for line in sh.splitlines())
    code, out, err = call(capsys, *first)
    assert (code, err) == (0, "")
    folder = Path(name[1])
    written = ["A.pdf", "B.pdf", "C.pdf", "answers.csv", "keys.json", "keys.pdf"]
    assert sorted(path.name for path in folder.iterdir()) == written
    assert str(folder / "keys.json") in out
    assert run(build(), second) == 0
    (folder / "answers.csv").write_text(filled(read_keys(folder / "keys.json"), "C", "=Ada"))
    assert run(build(), third) == 0
    (marks,) = csv.DictReader(Path(third[third.index("-o") + 1]).read_text().splitlines())
    assert (marks["student"], marks["total"], marks["of"]) == ("'=Ada", "20.0", "20")


def test_the_command_that_is_told_can_be_typed(tmp_path: Path, capsys: Captured) -> None:
    show_written(made(tmp_path), [Path("my exam/keys.json"), Path("my exam/answers.csv")])
    command = "damier exam 'my exam/keys.json' --answers 'my exam/answers.csv'"
    assert command in " ".join(capsys.readouterr().out.split())


def test_what_cannot_be_is_refused(tmp_path: Path, capsys: Captured) -> None:
    made(tmp_path)
    for arguments, says in (
        (["exam", f"{tmp_path}/keys.json"], "--answers CSV marks what came back"),
        (
            ["exam", f"{tmp_path}/exam.toml", "--answers", "a.csv", "--seed", "1"],
            "leave out --variants and --seed",
        ),
        (["exam", f"{tmp_path}/nothing.toml"], "nothing.toml"),
        (["show", f"{tmp_path}/exam.toml"], "is not a file of damier"),
    ):
        code, out, err = call(capsys, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert says in err
