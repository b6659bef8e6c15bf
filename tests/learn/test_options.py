"""The options of learners by the field's names; those of earlier times are still read, and files
keep their words.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from damier import Job, load
from damier.core.errors import BadFile, BadInput, UnknownName
from damier.lab.agents import Lab
from damier.lab.learners import learner_factory
from damier.lab.options import read_options
from damier.lab.training import Plan, trainer
from damier.learn import store as agents
from damier.learn.parameters import as_written, fields_of
from damier.learn.q import QParameters

PRESENT = "alpha=0.3,gamma=0.9,lambda=0.7,on_policy=true,backward_updates=false"
FORMER = "alpha=0.3,gamma=0.9,trace=0.7,backup=taken,fresh=false"


def parameters(text: str, name: str = "q") -> object:
    factory = learner_factory(name)
    return factory(Lab(load("hexapawn")), **read_options(name, text, factory, ["lab"])).parameters  # type: ignore[attr-defined]


def test_options_are_read_by_present_and_former_names() -> None:
    wanted = QParameters(
        step_size=0.3, discount_factor=0.9, lambda_=0.7, on_policy=True, backward_updates=False
    )
    assert parameters(PRESENT) == parameters(FORMER) == wanted
    assert (
        parameters("preset=sarsa,backup=best")
        == parameters("preset=sarsa,on_policy=false")
        == QParameters(backward_updates=False)
    )
    assert parameters("trace=0.5,fresh=false", "v") == parameters("lambda=0.5,backward_updates=false", "v")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lambda=0.5,trace=0.5", "lambda is given twice"),
        ("backup=worst", "on_policy=worst; it must be true or false"),
        ("trace=2", "lambda=2.0; it must be from 0 to 1"),
        ("alpha=0", "alpha=0.0"),
        (
            "step_size=1",
            (
                "no option step_size; its options:"
                " .*alpha=0.1,gamma=1.0,lambda=0.0,on_policy=false,backward_updates=true"
            ),
        ),
        ("lambda_=1", "no option lambda_"),
    ],
)
def test_a_wrong_option_is_told_by_its_present_name(text: str, words: str) -> None:
    with pytest.raises(BadInput if "step" not in text and "_=" not in text else UnknownName, match=words):
        parameters(text)


def test_a_number_that_is_too_long_is_said_to_be_so() -> None:
    assert load(f"nim:take=1,matches={9:018}").start.matches == 9
    for sign in ("", "-"):
        with pytest.raises(BadInput, match="it must be a whole number of at most 18 digits"):
            load(f"nim:matches={sign}{9:019}")
    with pytest.raises(BadInput, match=r"it must be a whole number$"):
        load("nim:matches=9.5")


def test_files_keep_their_words(tmp_path: Path) -> None:
    """An agent file says what it has always said, and reads what files of earlier times say."""
    path = tmp_path / "agent.json"
    made = trainer(Lab(load("hexapawn"), Job(jit=False)), Plan(f"q:{PRESENT}"))
    made.save_to(path)
    made.training.run(10, Job(jit=False))
    data = json.loads(path.read_text())
    written = {"alpha": 0.3, "gamma": 0.9, "trace": 0.7, "backup": "taken", "fresh": False}
    assert {name: data["parameters"].get(name) for name in written} == written
    assert not {"step_size", "discount_factor", "lambda", "lambda_", "on_policy", "backward_updates"} & set(
        data["parameters"]
    )
    found = agents.load(path, made.lab.game)
    assert found.parameters == made.learner.parameters
    assert made.learner.text == f"q:{FORMER}"
    assert QParameters(**fields_of(as_written(found.parameters))) == found.parameters
    data["parameters"]["backup"] = "worst"
    path.write_text(json.dumps(data))
    with pytest.raises(BadFile):
        agents.load(path, made.lab.game)
