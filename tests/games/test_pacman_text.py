"""A position of Pacman as one line of text: whatever play comes to is read back exactly, and what no game can
come to is refused by name.
"""

from __future__ import annotations

from random import Random

import pytest
from lasting import shortly

from damier import BadInput, Game, Position, load
from damier.core.game import read_position, written_position
from damier.games.maze import layouts
from damier.games.pacman import CAUGHT, MARKS, WON

START = "%%%%%%%/%P___G%/%.___.%/%%%%%%% pacman 0 P1,2,Stop G5,2,Stop"
"""What `MAZE` begins with."""
MAZE = "%%%%%%%\n%P   G%\n%.   .%\n%%%%%%%\n"


@pytest.fixture
def maze(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("maze") / "little.txt"
    path.write_text(MAZE)
    return f"pacman:layout={path}"


def played_at_random(name: str, seed: int) -> list[Position]:
    """A game, and every position of it."""
    chosen, place = Random(seed), load(name).position()
    line = [place]
    while not place.over and len(line) < 400:
        place = place.play(chosen.choice(place.moves))
        line.append(place)
    return line


@pytest.mark.parametrize("layout", shortly(layouts(), "capsule", "corridor", "crossing", "maze"))
def test_every_position_that_play_comes_to_is_read_back(layout: str) -> None:
    ends = set()
    for seed in range(4):
        for place in played_at_random(f"pacman:layout={layout}", seed):
            assert read_position(place.game, written_position(place)) == place
        ends.add(place.state.end)
    assert ends & {WON, CAUGHT}


def test_what_the_board_does_not_show_stands_behind_it(maze: str) -> None:
    assert written_position(load(maze).position()) == START
    after = load(maze).position().play("East", "South", "East", "West")
    assert written_position(after).split() == [
        "%%%%%%%/%__P__%/%.__G.%/%%%%%%%",
        "pacman",
        "-2",
        "P3,2,East",
        "G4,1,West",
    ]
    food_below = load(maze).position().play("East", "South")
    assert written_position(food_below).endswith(" pacman -1 P2,2,East G5,1,South .5,1")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (START, "", "the position is empty"),
        ("/%.___.%", "", "a position of 3 rows; this board has 4"),
        ("%P___G%", "%P__%G%", "row 2, column 5: the walls of this maze are others"),
        ("%P___G%", "%P_x_G%", "row 2, column 4"),
        ("%P___G%", "%_P__G%", "row 2, column 2 shows _; by what stands behind the rows it is P"),
        ("pacman", "ghost2", "who moves (pacman | ghost1)"),
        (" 0 ", " much ", "and the score"),
        (" 0 ", " 1000000001 ", "and the score"),
        (" G5,2,Stop", "", "Pacman and 1 ghosts"),
        ("Stop G", "Up G", "Pacman and 1 ghosts"),
        ("G5,2,Stop", "S5,2,Stop,41", "moves, 1 to 40"),
        ("G5,2,Stop", "G5,2,Stop,4", "nobody else does"),
        ("G5,2", "G5,9", "5,9 is no place of this maze"),
        ("G5,2", "G6,2", "ghost 1 is in a wall"),
        ("G5,2,Stop", "G4.5,2,West", "not scared"),
        ("P1,2", "P1.5,2", "Pacman is between two cells"),
        ("G5,2,Stop", "G5,2,Stop food", "such as .4,1"),
        ("G5,2,Stop", "G5,2,Stop .5,1", "food is twice in one cell"),
        ("%.___.%", "%_____%", "there is no food: the game is won"),
        ("pacman 0", "pacman won 0", "food is left: nobody has won"),
        ("pacman 0", "ghost1 caught 0", "no ghost has met Pacman"),
    ],
)
def test_what_no_game_comes_to_is_refused(maze: str, old: str, new: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_position(load(maze), START.replace(old, new, 1))
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_who_has_met_is_eaten_or_caught(maze: str) -> None:
    game = load(maze)
    with pytest.raises(BadInput, match="he would be caught"):
        read_position(game, "%%%%%%%/%G____%/%.___.%/%%%%%%% pacman 0 P1,2,Stop G1,2,West")
    with pytest.raises(BadInput, match="it would have been eaten"):
        read_position(game, "%%%%%%%/%S____%/%.___.%/%%%%%%% pacman 0 P1,2,Stop S1,2,West,9")
    caught = read_position(game, "%%%%%%%/%G____%/%.___.%/%%%%%%% pacman caught -501 P1,2,Stop G1,2,West")
    assert (caught.over, caught.payoffs) == (True, (-501, 501))
    # eaten where it is at home, it comes back to where Pacman stands
    assert not read_position(game, "%%%%%%%/%____G%/%.___.%/%%%%%%% pacman 0 P5,2,Stop G5,2,Stop").over


@pytest.mark.parametrize("seed", shortly(range(40), *range(8)))
def test_one_changed_sign_is_refused_or_says_another_position(seed: int) -> None:
    chosen = Random(seed)
    line = played_at_random("pacman:layout=crossing", seed)
    for place in chosen.sample(line, min(8, len(line))):
        text = written_position(place)
        for _time in range(40):
            at = chosen.randrange(len(text))
            changed = text[:at] + chosen.choice(MARKS + " ,.0159Ghostpacman") + text[at + 1 :]
            found = read_or_refused(place.game, changed)
            assert found is None or read_position(place.game, written_position(found)) == found


def read_or_refused(game: Game, text: str) -> Position | None:
    """What is written so; None where it is refused, as it must be, in one line."""
    try:
        return read_position(game, text)
    except BadInput as refused:
        if len(str(refused).splitlines()) != 1:
            raise
        return None
