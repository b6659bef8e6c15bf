"""Searches of Nim and lists of actions by the methods of damier, as a student would write them."""

import random

IA, HUMAN = 0, 1


def left(position):
    return position.board.count("|")


def successors(matches):
    return [taken for taken in (3, 2, 1) if taken <= matches]


def nodes(matches):
    return 1 + sum(nodes(matches - taken) for taken in successors(matches))


def complete_tree(position):
    return nodes(left(position))


def truncated_tree(position):
    drawn = set()

    def draw(matches, player):
        if (matches, player) in drawn:
            return 1
        drawn.add((matches, player))
        return 1 + sum(draw(matches - taken, 1 - player) for taken in successors(matches))

    return draw(left(position), position.mover)


def explored(matches, player):
    if matches == 0:
        return player == IA
    for taken in successors(matches):
        if explored(matches - taken, 1 - player):
            return taken
    return None


def explore(position):
    return explored(left(position), position.mover)


KNOWN = {}


def wins(matches):
    if matches not in KNOWN:
        KNOWN[matches] = matches == 0 or any(not wins(matches - taken) for taken in successors(matches))
    return KNOWN[matches]


def mixed(position):
    for taken in successors(left(position)):
        if not wins(left(position) - taken):
            return taken
    return None


def jeu_joueur(position):
    choices = successors(left(position))
    while True:
        print("min:", choices[-1], "max:", choices[0])
        typed = input("Nombre d'allumettes : ")
        if typed.isdigit() and int(typed) in choices:
            return int(typed)
        print("Erreur de saisie")


class ExploreRenf:
    def __init__(self):
        self.actions = {matches: successors(matches) for matches in range(17)}

    def play(self, position):
        return random.choice(self.actions[left(position)])

    def renforcement(self, matches, taken):
        self.actions[matches].append(int(taken))

    def learn(self, history, payoff):
        if payoff > 0:
            position, taken, _reward = history[-1]
            self.renforcement(left(position), taken)

    def move_score(self, position, move):
        return self.actions[left(position)].count(int(move))

    def policy(self, position):
        actions = self.actions[left(position)]
        return {taken: actions.count(taken) / len(actions) for taken in set(actions)}


class ExploreRenfRec(ExploreRenf):
    def learn(self, history, payoff):
        if payoff > 0:
            for position, taken, _reward in history:
                self.renforcement(left(position), taken)
