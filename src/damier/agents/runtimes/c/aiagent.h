#ifndef AIAGENT_H
#define AIAGENT_H

#include "agent.h"
#include "board.h"

/* An agent that plays by minimax. */
Agent *createAiAgent(void);

/* S(b): 1 where whoever is to move wins, 0 in a draw, -1 where they lose. */
int getMinimaxScore(Agent *agent, Board b);

#endif
