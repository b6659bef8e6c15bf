#ifndef RLAGENT_H
#define RLAGENT_H

#include <stdbool.h>

#include "agent.h"
#include "board.h"

/* An agent that learns from its games; at first it is in training mode. */
Agent *createRlAgent(void);

/* Training mode, or exploitation mode where training is false. */
void setTrainingModeRlAgent(Agent *agent, bool training);

/* The mean of the scores of the games in which m was played in b. */
float getMoveScoreRlAgent(Agent *agent, Board b, Move m);

#endif
