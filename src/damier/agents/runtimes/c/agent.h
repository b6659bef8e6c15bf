#ifndef AGENT_H
#define AGENT_H

#include <stdbool.h>

#include "board.h"

typedef struct Agent_t Agent;

/* An agent, which plays X at first.
   name      shown while a game is played
   play      chooses the cell that a player marks in a grid
   end       told when a game is over: the last grid, and who has won, E in a draw; may be NULL
   freeData  frees what was kept by agentSetData; may be NULL */
Agent *agentCreate(char *name, Move (*play)(Agent *agent, Board board, Player player),
                   void (*end)(Agent *agent, Board board, Player winner), void (*freeData)(void *data));
void agentFree(Agent *agent);

void agentSetPlayer(Agent *agent, Player p);
Player agentGetPlayer(Agent *agent);
char *agentGetName(Agent *agent);
void agentSetData(Agent *agent, void *data);
void *agentGetData(Agent *agent);

Agent *createHumanAgent(void);
Agent *createRandomAgent(void);

/* Plays a game, which agentX begins; returns the winner, E in a draw. Shows every move where verbose is true. */
Player agentPlayGame(Agent *agentX, Agent *agentO, bool verbose);

#endif
