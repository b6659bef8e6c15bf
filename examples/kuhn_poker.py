"""Kuhn poker (Harold Kuhn, 1950): three cards, J Q K, one each; pass or bet one coin more. Nobody sees the other's card: imperfect information."""

from collections import namedtuple

from damier import CHANCE, Game, position_of

State = namedtuple("State", "deal line")  # deal: which of DEALS; line: which of LINES
DEALS = ("?", "JQ", "JK", "QJ", "QK", "KJ", "KQ")
LINES = ("", "p", "b", "pb", "pp", "bp", "bb", "pbp", "pbb")  # what was said, p pass and b bet; the game is over from the fifth on


def kuhn_poker() -> Game:
    def play(s: State, move: int) -> State:
        return State(s.deal, LINES.index(LINES[s.line] + "pb"[position_of(move)])) if s.deal else State(1 + position_of(move), 0)

    def mover(s: State) -> int:
        return len(LINES[s.line]) % 2 if s.deal else CHANCE

    def payoff(s: State, player: int) -> int:
        ahead = 1 if DEALS[s.deal] in ("QJ", "KJ", "KQ") else -1
        worth = {"pp": ahead, "bp": 1, "pbp": -1}.get(LINES[s.line], 2 * ahead)  # who passes after a bet has lost
        return worth if player == 0 else -worth

    def show(s: State) -> str:  # the mover's own card; both at the end
        cards = DEALS[s.deal] if s.deal == 0 or s.line > 3 else DEALS[s.deal][mover(s)]
        return f"{cards} {LINES[s.line]}"

    words = {"show": show, "name_move": lambda s, move: (("pass", "bet") if s.deal else DEALS[1:])[position_of(move)]}
    more = {"mover": mover, "chance": lambda s, move: 1.0, "imperfect_information": True, **words}
    return Game("kuhn_poker", State(0, 0), lambda s: 3 if s.deal else 63, play, over=lambda s: s.line > 3, payoff=payoff, **more)
