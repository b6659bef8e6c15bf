#include <stdlib.h>
#include "aiagent.h"
#include "Dict.h"

typedef struct { int score; Move move; } Value;

static Value *valueOf(Dict *table, Board b) {
    Value *known = dictSearch(table, b);
    if (known != NULL) return known;
    Value *value = malloc(sizeof *value);
    value->move = -1;
    if (boardWin(b) != E) value->score = -1;
    else if (boardIsFull(b)) value->score = 0;
    else {
        value->score = -2;
        for (Move m = 0; m < 9; m++) {
            if (!boardValidMove(b, m)) continue;
            Board next = boardNext(boardCopy(b), m, boardGetPlayer(b));
            int score = -valueOf(table, next)->score;
            boardFree(next);
            if (score > value->score) value->score = score, value->move = m;
        }
    }
    dictInsert(table, b, value);
    return value;
}

static Move play(Agent *agent, Board b, Player player) {
    (void)player;
    return valueOf(agentGetData(agent), b)->move;
}

static void freeData(void *data) { dictFree(data, free); }

Agent *createAiAgent(void) {
    Agent *agent = agentCreate("ai", play, NULL, freeData);
    agentSetData(agent, dictCreate(10000));
    return agent;
}

int getMinimaxScore(Agent *agent, Board b) { return valueOf(agentGetData(agent), b)->score; }
