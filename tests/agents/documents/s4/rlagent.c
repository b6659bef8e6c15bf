#include <stdlib.h>

#include "Dict.h"
#include "LinkedList.h"
#include "rlagent.h"

typedef struct { int n[9]; float mean[9]; } Scores;
typedef struct { Board board; Move move; } Turn;
typedef struct { Dict *table; LinkedList *history; bool training; } Data;

static Scores *scoresOf(Data *data, Board b) {
    Scores *scores = dictSearch(data->table, b);
    if (scores == NULL) {
        scores = calloc(1, sizeof *scores);
        for (Move m = 0; m < 9; m++) scores->n[m] = 1;
        dictInsert(data->table, b, scores);
    }
    return scores;
}

static Move play(Agent *agent, Board b, Player player) {
    Data *data = agentGetData(agent);
    Scores *scores = scoresOf(data, b);
    bool explores = data->training && rand() < 0.25 * RAND_MAX;
    Move chosen = -1;
    int ties = 0;
    for (Move m = 0; m < 9; m++) {
        if (!boardValidMove(b, m)) continue;
        if (chosen < 0 || (!explores && scores->mean[m] > scores->mean[chosen])) {
            chosen = m;
            ties = 1;
        } else if ((explores || scores->mean[m] == scores->mean[chosen]) && rand() % ++ties == 0)
            chosen = m;
    }
    if (data->training) {
        Turn *turn = malloc(sizeof *turn);
        *turn = (Turn){boardCopy(b), chosen};
        llInsertFirst(data->history, turn);
    }
    (void)player;
    return chosen;
}

static void end(Agent *agent, Board b, Player winner) {
    Data *data = agentGetData(agent);
    float score = winner == E ? 0 : winner == agentGetPlayer(agent) ? 1 : -1;
    Turn *turn;
    while ((turn = llPopFirst(data->history)) != NULL) {
        Scores *scores = scoresOf(data, turn->board);
        scores->n[turn->move]++;
        scores->mean[turn->move] += (score - scores->mean[turn->move]) / scores->n[turn->move];
        boardFree(turn->board);
        free(turn);
    }
    (void)b;
}

static void freeData(void *kept) {
    Data *data = kept;
    dictFree(data->table, free);
    llFree(data->history, free);
    free(data);
}

Agent *createRlAgent(void) {
    Agent *agent = agentCreate("rl", play, end, freeData);
    Data *data = malloc(sizeof *data);
    *data = (Data){dictCreate(10000), llCreateEmpty(), true};
    agentSetData(agent, data);
    return agent;
}

void setTrainingModeRlAgent(Agent *agent, bool training) { ((Data *)agentGetData(agent))->training = training; }

float getMoveScoreRlAgent(Agent *agent, Board b, Move m) { return scoresOf(agentGetData(agent), b)->mean[m]; }
