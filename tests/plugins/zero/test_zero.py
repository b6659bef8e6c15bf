"""AlphaZero: the search beside a naive one, the network's gradients beside differences, the same bytes
however games are shared, folders that are hostile, and the command line."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from commands import Captured, beginning
from lasting import later

from damier import load
from damier.core.errors import BadFile, BadInput, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_types import JsonObject
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.lab.agents import agent, policy
from damier.lab.games import Lab
from damier.plugins.engines.engine import GtpEngine, SearchBounds, Thinker, UciEngine, read_go
from damier.plugins.zero import encoding
from damier.plugins.zero.agent import ZeroPlayer
from damier.plugins.zero.encoding import NetworkSizes, sizes_of
from damier.plugins.zero.files import FACTS, open_folder, save
from damier.plugins.zero.lockstep import UNTRIED, SearchSettings, halving_schedule
from damier.plugins.zero.network import NetworkLearner, Perceptron
from damier.plugins.zero.proven_moves import ZeroGrader
from damier.plugins.zero.self_play import Lockstep, ZeroEngines
from damier.plugins.zero.training import ZeroSettings, ZeroTraining
from damier.solve.grade import grade

PLAIN = Job(jit=False)
SMALL = ZeroSettings(games=8, simulations=6, hidden=8, layers=1, batch=32, window=1024)


def engines_of(game: Game, job: Job = PLAIN) -> ZeroEngines:
    return ZeroEngines(game, sizes_of(game), job)


def network_of(game: Game, seed: int = 0) -> Perceptron:
    return Perceptron.new(encoding.input_count(game), 8, 1, sizes_of(game).slots, seed)


def opinion(engines: ZeroEngines, network: Perceptron, s: State) -> tuple[dict[int, float], float]:
    """What a network says of a position: the probabilities of its moves, and its value."""
    inputs = np.zeros((1, encoding.input_count(engines.game)), np.float32)
    slots, _policy = engines.fill(engines.codes([s]), inputs)
    logits, values = network.evaluate(inputs)
    legal = engines.game.legal(s)
    odds = [math.exp(float(logits[0, slots[0, index]])) for index in range(len(legal))]
    return {move: part / sum(odds) for move, part in zip(legal, odds, strict=True)}, float(values[0])


class NaiveNode:
    """A node of the search as the paper tells it, without what is proven."""

    def __init__(self, s: State) -> None:
        self.state, self.children = s, dict[int, NaiveNode]()
        self.priors: dict[int, float] = {}
        self.visits, self.total = 0, 0.0  # to player 0


def naive_search(
    engines: ZeroEngines, network: Perceptron, s: State, simulations: int, c: float
) -> NaiveNode:
    game, root = engines.game, NaiveNode(s)
    for _time in range(simulations):
        way = [root]
        while way[-1].priors and not game.over(way[-1].state):
            node = way[-1]
            side = 1 if game.mover(node.state) == 0 else -1

            def bound(move: int, node: NaiveNode = node, side: int = side) -> float:
                child = node.children[move]
                mean = side * node.total / max(1, node.visits) - UNTRIED
                q = side * child.total / child.visits if child.visits else mean
                return q + c * math.sqrt(node.visits) * node.priors[move] / (1 + child.visits)

            way.append(node.children[max(node.priors, key=bound)])
        leaf = way[-1]
        if game.over(leaf.state):
            value = float(game.payoff(leaf.state, 0))
        else:
            leaf.priors, value = opinion(engines, network, leaf.state)
            leaf.children = {move: NaiveNode(game.play(leaf.state, move)) for move in leaf.priors}
            value = value if game.mover(leaf.state) == 0 else -value
        for node in way:
            node.visits += 1
            node.total += value
    return root


@pytest.mark.parametrize("name", ["tictactoe", "nim"])
def test_searches_visit_what_a_naive_search_visits(name: str) -> None:
    game = load(name)
    engines, network = engines_of(game), network_of(game)
    lockstep = Lockstep(engines, SearchSettings(24, solve=False), 3)
    states = [game.start]
    for _ply in range(3):
        states.append(game.play(states[-1], game.legal(states[-1])[0]))
    for number, s in zip(lockstep.search(network, engines.codes(states)), states, strict=True):
        root = naive_search(engines, network, s, 24, 1.5)
        base, tree = lockstep.root(number), lockstep.tree
        children = range(tree.first_child[base], tree.first_child[base] + tree.child_count[base])
        assert {tree.move[child]: tree.visits[child] for child in children} == {
            move: child.visits for move, child in root.children.items()
        }
        assert tree.total[base] == pytest.approx(root.total, abs=1e-4)


def test_compiled_and_plain_games_are_the_same() -> None:
    game = load("tictactoe")
    network, settings = network_of(game), ZeroSettings(games=6, simulations=8)
    found = []
    for job in (PLAIN, Job(jit=True)):
        lockstep = Lockstep(engines_of(game, job), settings.search(), 4)
        found.append(lockstep.play(network, 6, settings.plays(sizes_of(game)), 3, 5))
    plain, compiled = found
    assert (plain.codes == compiled.codes).all()
    assert plain.firsts == compiled.firsts
    assert np.allclose(plain.shares, compiled.shares, atol=1e-6)
    assert np.allclose(plain.values, compiled.values, atol=1e-6)
    assert (plain.outcomes == compiled.outcomes).all()


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_positions_may_have_more_moves_than_random_games_showed(root: Literal["puct", "gumbel"]) -> None:
    game = load("tictactoe")
    engines = ZeroEngines(game, replace(sizes_of(game), moves=2), PLAIN)
    settings = replace(SMALL, root=root, simulations=12, noise=0.25)
    samples = Lockstep(engines, settings.search(), 4).play(
        network_of(game), 8, settings.plays(engines.sizes), 0, 0
    )
    assert samples.games == 8
    assert np.allclose(samples.shares.sum(1), 1, atol=1e-5)
    assert agent_of(engines).analyse(game.start).priors.keys() < set(game.legal(game.start))


def agent_of(engines: ZeroEngines) -> ZeroPlayer:
    """The network alone, as a player."""
    return ZeroPlayer("zero", engines, network_of(engines.game), None)


def test_ends_are_backed_up_exactly() -> None:
    """A win in two is proven, whatever the network says."""
    game = load("tictactoe")
    engines, network = engines_of(game), network_of(game)
    position = game.position().play("0", "3", "1", "4")  # X wins at 2
    player = ZeroPlayer("zero", engines, network, SearchSettings(30))
    found = player.analyse(position.state)
    assert found.names(found.best) == ["2"]
    assert found.value == 1
    assert found.exact
    assert sum(found.priors.values()) == pytest.approx(1, abs=1e-5)


def test_throws_of_a_die_are_explained_by_their_odds() -> None:
    game = load("pig")
    engines = engines_of(game)
    player = ZeroPlayer("zero", engines, network_of(game), SearchSettings(40))
    found = player.analyse(game.start)
    assert list(found.priors.values()) == pytest.approx([1 / 6] * 6)
    assert (found.best, found.pv, sum(found.visits.values())) == (0, (), 40)
    assert not isinstance(found.value, tuple)
    visited = [(found.values[move], count) for move, count in found.visits.items() if count]
    assert found.value == pytest.approx(sum(value * count for value, count in visited) / 40, abs=1e-5)  # type: ignore[operator]


def test_sequential_halving_shares_simulations_out() -> None:
    table = halving_schedule(16, 32)
    assert table[2] == sorted(table[2])
    assert table[1] == list(range(32))
    assert table[16][:16] == [0] * 16  # each once
    assert max(table[16]) == max(table[16][-2:])  # the last are the most tried
    game = load("tictactoe")
    engines = engines_of(game)
    lockstep = Lockstep(engines, SearchSettings(20, considered=4), 1)
    next(iter(lockstep.search(network_of(game), engines.codes([game.start]))))
    tree = lockstep.tree
    visits = sorted(tree.visits[child] for child in range(1, 10))
    assert sum(count > 0 for count in visits) == 4
    assert sum(visits) == 19


def test_gradients_are_those_of_the_losses() -> None:
    rng = np.random.default_rng(1)
    network = Perceptron([array.astype(np.float64) for array in Perceptron.new(5, 7, 2, 4, 3).weights])
    inputs = rng.standard_normal((6, 5))
    slots = np.array([[0, 1, -1], [2, 3, -1], [0, 3, 1], [1, -1, -1], [3, 2, 0], [2, 1, -1]], np.int16)
    policy = np.where(slots >= 0, rng.random((6, 3)), 0)
    policy /= policy.sum(1, keepdims=True)
    outcomes = rng.uniform(-1, 1, 6)

    def loss() -> float:
        _gradients, found = network.gradients(inputs, slots, policy, outcomes)  # type: ignore[arg-type]
        return found.policy + found.value

    gradients, _losses = network.gradients(inputs, slots, policy, outcomes)  # type: ignore[arg-type]
    for array, gradient in zip(network.weights, gradients, strict=True):
        for place in [tuple(rng.integers(0, size) for size in array.shape) for _time in range(4)]:
            kept = array[place]
            array[place] = kept + 1e-5
            above = loss()
            array[place] = kept - 1e-5
            below = loss()
            array[place] = kept
            assert (above - below) / 2e-5 == pytest.approx(float(gradient[place]), abs=2e-4)


def test_a_network_learns_what_it_is_shown() -> None:
    game = load("tictactoe")
    engines, learner = engines_of(game), NetworkLearner(network_of(game))
    codes = engines.codes([game.start] * 16)
    shares = np.tile(np.eye(sizes_of(game).moves, dtype=np.float32)[4], (16, 1))
    inputs = np.zeros((16, encoding.input_count(game)), np.float32)
    slots, policy = engines.fill(codes, inputs, shares)
    for _step in range(60):
        learner.learn(inputs, slots, policy, np.full(16, 0.5, np.float32), 0.01)
    priors, value = opinion(engines, learner.network, game.start)
    assert priors[1 << 4] > 0.9
    assert value == pytest.approx(0.5, abs=0.1)


def test_positions_are_seen_field_by_field() -> None:
    game = load("tictactoe")
    engines = engines_of(game)
    inputs = np.zeros((1, encoding.input_count(game)), np.float32)
    s = game.position().play("0", "4").state
    slots, _policy = engines.fill(engines.codes([s]), inputs)
    mine, theirs, mover = inputs[0, :9], inputs[0, 9:18], inputs[0, 18]
    assert mine.tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert theirs.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert mover == 1
    assert slots[0, :9].tolist() == [1, 2, 3, 5, 6, 7, 8, -1, -1]
    assert [block.name for block in encoding.blocks(game)][:3] == ["mine", "theirs", "mover"]


@pytest.mark.parametrize("name", ["kalah:pits=2,seeds=2", "go:size=3", "othello:size=4", "pig"])
def test_games_of_every_kind_are_played(name: str) -> None:
    """Margins, listed moves, a past that matters, a pass, dice: in plain Python."""
    game = load(name)
    engines = engines_of(game)
    settings = replace(SMALL, simulations=3)
    lockstep = Lockstep(engines, settings.search(), 1)
    plays = settings.plays(sizes_of(game))._replace(most_plies=6, openings=2)
    samples = lockstep.play(network_of(game), 1, plays, 0, 0)
    assert 0 < len(samples) <= 6
    assert samples.games == 1
    assert np.allclose(samples.shares.sum(1), 1, atol=1e-5)
    assert (np.abs(samples.outcomes) <= 1).all()


def trained(game: Game, generations: int, jobs: int = 1) -> ZeroTraining:
    training = ZeroTraining(Lab(game, replace(PLAIN, jobs=jobs)), SMALL, 5)
    training.run(lambda: training.learnt.generations < generations, lambda _found: None)
    return training


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_waits_is_told_of_each_piece_of_a_generation(jobs: int) -> None:
    training = ZeroTraining(Lab(load("tictactoe"), replace(PLAIN, jobs=jobs)), SMALL, 5)
    told: list[int] = []
    training.run(lambda: training.learnt.generations < 2, lambda _found: None, tell=told.append)
    assert told == sorted(told)
    assert 8 in told
    assert 16 in told
    assert len({*told}) > 4


def same(first: ZeroTraining, second: ZeroTraining) -> bool:
    ours, theirs = first.arrays(), second.arrays()
    return all(np.array_equal(ours[name], theirs[name]) for name in ours) and ours.keys() == theirs.keys()


def test_what_is_learnt_depends_on_the_seed_alone(tmp_path: Path) -> None:
    game = load("tictactoe")
    straight = trained(game, 3)
    assert same(straight, trained(game, 3, jobs=2))
    begun = trained(game, 1)
    facts: JsonObject = {"generations": 1, "games": 8, "steps": begun.learnt.learner.steps}
    about: JsonObject = {"seed": 5, "settings": SMALL.as_json(), "sizes": begun.sizes.as_json(), "curve": []}
    save(tmp_path / "z", game, begun.network(), begun.arrays(), {**facts, **about})
    further = ZeroTraining(Lab(game, PLAIN), SMALL, 5)
    further.restore(tmp_path / "z", *open_folder(tmp_path / "z").learner())
    further.run(lambda: further.learnt.generations < 3, lambda _found: None)
    assert same(straight, further)


def test_a_training_that_is_broken_off_keeps_whole_generations() -> None:
    training = ZeroTraining(Lab(load("tictactoe"), PLAIN), SMALL, 5)

    def stop(_found: object) -> None:
        if training.learnt.generations == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        training.run(lambda: True, stop)
    assert same(training, trained(load("tictactoe"), 2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of an agent for tic-tac-toe."""
    return kept(trained(load("tictactoe"), 1), tmp_path_factory.mktemp("zero") / "z")


def kept(training: ZeroTraining, path: Path) -> Path:
    """The folder of an agent."""
    facts: JsonObject = {"generations": 1, "games": 8, "steps": training.learnt.learner.steps, "curve": []}
    about: JsonObject = {
        "seed": 5,
        "settings": training.settings.as_json(),
        "sizes": training.sizes.as_json(),
    }
    save(path, training.lab.game, training.network(), training.arrays(), {**facts, **about})
    return path


@pytest.mark.parametrize(("name", "positions"), [("hexapawn", 70), later(("tictactoe", 4520))])
def test_grades_are_those_of_one_position_after_the_other(name: str, positions: int, tmp_path: Path) -> None:
    lab = Lab(load(name), PLAIN)
    player = policy(lab, f"zero:file={kept(trained(lab.game, 1), tmp_path / 'z')},simulations=0")
    assert isinstance(player, ZeroPlayer)

    class OneByOne:
        """The same choices, asked one by one."""

        text, compiles, learns = "one by one", False, False
        choose, probabilities, kernel = player.choose, player.probabilities, player.kernel

    assert grade(lab.game, player, RandomPlayer(), PLAIN) == grade(
        lab.game, OneByOne(), RandomPlayer(), PLAIN
    )
    found = ZeroGrader(lab).grade(replace(player, search=SearchSettings(4)))
    assert found
    assert found.exact
    assert found.alone.share == pytest.approx(found.exact.optimal_share_all)
    assert found.alone.positions == positions
    assert not found.alone.is_sample
    assert found.alone.loss > 0


def test_who_waits_for_a_grade_is_told_how_far_it_is(folder: Path) -> None:
    told: list[tuple[int, int | None]] = []
    job = replace(PLAIN, progress=lambda done, total, what: told.append((done, total)))
    lab = Lab(load("tictactoe"), job)
    player = policy(lab, f"zero:file={folder},simulations=2")
    assert isinstance(player, ZeroPlayer)
    codes = player.engines.codes([lab.game.start] * 600)
    assert len({*player.decisions(codes)}) == 1
    assert told == [(256, 600), (512, 600)]


def test_positions_that_were_decided_are_not_decided_again(folder: Path) -> None:
    lab = Lab(load("tictactoe"), PLAIN)
    player = policy(lab, f"zero:file={folder},simulations=4")
    assert isinstance(player, ZeroPlayer)
    lines = [lab.game.start, lab.game.play(lab.game.start, 16)]
    moves = [np.array(lab.game.legal(s), np.int64) for s in lines]
    asked = player.engines.codes(lines), np.array([0, 9, 17]), np.concatenate(moves)
    found = player.batch_probabilities(*asked)
    assert player.batch_probabilities(*asked) is found
    other = player.batch_probabilities(asked[0][:1], asked[1][:2], asked[2][:9])
    assert other.tolist() == found[:9].tolist()


def test_agents_play_from_their_folder(folder: Path) -> None:
    lab = Lab(load("tictactoe"), PLAIN)
    player = agent(lab, f"zero:file={folder},simulations=8")
    s = lab.game.start
    assert player.choose(lab.game, s, [0]) == player.choose(lab.game, s, [9]) in lab.game.legal(s)


def copied(folder: Path, tmp_path: Path) -> Path:
    shutil.copytree(folder, tmp_path / "copy")
    return tmp_path / "copy"


def rewrite(path: Path, **changes: object) -> None:
    data = json.loads((path / FACTS).read_text()) | changes
    data.pop("sha256", None)
    (path / FACTS).write_text(json.dumps(data))


@pytest.mark.parametrize(
    "changes",
    [
        {"network": "../network-1.arrays"},
        {"network": 7},
        {"sizes": {"slots": -1}},
        {"sizes": None},
        {"settings": 3},
        {"curve": [{"generation": 1, "games": 8, "alone": {}}]},
        {"curve": {}},
        {"sizes": {"slots": 9, "moves": 9, "plies": 7, "longest": 9, "scale": 1e99, "features": [1, 1]}},
        {"sizes": {"slots": 12, "moves": 9, "plies": 7, "longest": 9, "scale": 1, "features": [4, 3]}},
        {"game": "nim"},
        {"format": "damier-zero/9"},
    ],
)
def test_folders_that_are_wrong_are_refused(folder: Path, tmp_path: Path, changes: dict[str, object]) -> None:
    path = copied(folder, tmp_path)
    rewrite(path, **changes)
    with pytest.raises(BadFile):
        agent(Lab(load("tictactoe"), PLAIN), f"zero:file={path}")


def test_arrays_that_are_damaged_are_refused(folder: Path, tmp_path: Path) -> None:
    path = copied(folder, tmp_path)
    file = path / "network-1.arrays"
    content = bytearray(file.read_bytes())
    content[-200] ^= 1
    file.write_bytes(content)
    with pytest.raises(BadFile, match="checksum"):
        agent(Lab(load("tictactoe"), PLAIN), f"zero:file={path}")
    file.unlink()
    with pytest.raises(BadFile):
        agent(Lab(load("tictactoe"), PLAIN), f"zero:file={path}")


def test_what_cannot_be_is_told_by_name(folder: Path, tmp_path: Path) -> None:
    lab = Lab(load("tictactoe"), PLAIN)
    with pytest.raises(BadInput, match="no folder"):
        agent(lab, f"zero:file={tmp_path}")
    with pytest.raises(BadInput, match="simulations"):
        agent(lab, f"zero:file={folder},simulations=1")
    with pytest.raises(BadInput, match="train"):
        agent(lab, "zero")
    with pytest.raises(BadInput, match="no files"):
        agent(Lab(load("tictactoe"), PLAIN, loads_files=False), f"zero:file={folder}")
    with pytest.raises(BadFile):
        agent(Lab(load("hexapawn"), PLAIN), f"zero:file={folder}")
    with pytest.raises(BadInput, match="noise"):
        ZeroTraining(lab, ZeroSettings(noise=2), 0)
    with pytest.raises(Unsuitable, match="two players"):
        ZeroTraining(Lab(load("pacman"), PLAIN), ZeroSettings(), 0)
    with pytest.raises(LimitReached, match="layers=64"):
        ZeroTraining(
            Lab(load("tictactoe"), replace(PLAIN, memory=1 << 28)), ZeroSettings(hidden=4096, layers=64), 0
        )
    with pytest.raises(BadFile):
        NetworkSizes.read({"slots": True})


train, _trained = beginning("train")
show, _shown = beginning("show")
search, searched = beginning("search")


def test_the_command_trains_and_goes_on(capsys: Captured, tmp_path: Path) -> None:
    out, options = str(tmp_path / "z"), "zero:simulations=4,games=8,batch=32,window=1024"
    usual = ("hexapawn", options, "--out", out, "--jobs", "1", "--pure")
    code, text, _err = train(capsys, *usual, "--games", "8", "--json")
    data = json.loads(text)
    assert code == 0
    assert data["games"] == 8
    assert data["grade"]["alone"]["positions"] == 70
    assert train(capsys, *usual)[0] == 2  # it is there
    code, _out, err = train(capsys, "hexapawn", "zero:simulations=5", "--out", out, "--resume")
    assert code == 2
    assert "simulations=4" in err
    code, text, _err = train(capsys, *usual, "--games", "16", "--resume", "--curve", str(tmp_path / "z.svg"))
    assert code == 0
    assert "exactly best" in text
    assert "perfect play" in (tmp_path / "z.svg").read_text()
    code, text, _err = show(capsys, out)
    assert code == 0
    assert "white" in text
    (tmp_path / "z.previous").mkdir()
    code, _text, err = train(capsys, *usual, "--games", "8", "--overwrite")
    assert code == 2
    assert "z.previous" in err
    (tmp_path / "z.previous").rmdir()
    code, _text, err = train(capsys, *usual, "--games", "5", "--overwrite", "--grade-every", "never")
    assert code == 0
    assert "whole generations of 8 games, 8 in all" in err
    assert (tmp_path / "z.previous" / FACTS).exists()
    code, text, _err = train(
        capsys, "hexapawn", "zero", "--pure", "--jobs", "1", "--seconds", "1e-6", "--grade-every", "never"
    )
    assert code == 0
    assert "nothing was learnt: no generation, of 512 games" in text
    assert train(capsys, "hexapawn", "zero", "--opponent", "random")[0] == 2
    assert train(capsys, "hexapawn", "q", "--seconds", "3")[0] == 2
    found = searched(capsys, "hexapawn", f"zero:file={out},simulations=8", "--pure")
    assert sum(found["priors"].values()) == pytest.approx(1, abs=1e-4)
    assert found["truth"]["moves"]["b1b2"] == {"value": "draw", "distance": None}
    assert len(found["truth"]["best_moves"]) == 3
    code, text, _err = search(
        capsys, "hexapawn", f"zero:file={out},simulations=8", "--moves", "b1b2", "--pure"
    )
    assert code == 0
    assert "loss in 2" in text
    assert "exactly best: c3b2, a3b2" in text


def test_agents_are_engines_for_others(tmp_path: Path) -> None:
    """Go by GTP, and another game by UCI: what an agent of a folder answers is a legal move."""
    game = load("go:size=3")
    lab = Lab(game, PLAIN)
    training = ZeroTraining(lab, SMALL, 5)
    save(tmp_path / "z", game, training.network(), training.arrays(), training.facts([]))
    text = f"zero:file={tmp_path / 'z'},simulations=4"
    gtp = GtpEngine(game, lambda chosen: Thinker(Lab(chosen, PLAIN), text, [1]), load)
    assert gtp.hear("genmove b").startswith("= ")
    assert gtp.hear("genmove w").startswith("= ")
    assert gtp.hear("boardsize 5").startswith("?")  # a network of another size
    thinker = Thinker(lab, text, [1])
    position = game.position()
    chosen = thinker.think(position, SearchBounds(), lambda _found: None)
    assert chosen.move in game.legal(position.state)


def test_a_search_tells_a_uci_program_what_it_found(folder: Path) -> None:
    sent: list[str] = []
    lab = Lab(load("tictactoe"), PLAIN)
    thinker = Thinker(lab, f"zero:file={folder},simulations=8", [0])
    engine = UciEngine(thinker, lambda text: Thinker(lab, text, [0]), sent.append)
    engine.hear("position startpos moves 0 3 1 4")
    assert engine.go(read_go("go")) == "bestmove 2"
    assert [line.split(" nps ")[0] for line in sent] == ["info depth 1 score mate 1 nodes 2"]
    sent.clear()
    engine.hear("position startpos")
    engine.go(read_go("go"))
    assert " score cp " in sent[0], "a line that ends well is no mate while it is not proven"
    assert " nodes " in sent[0]
