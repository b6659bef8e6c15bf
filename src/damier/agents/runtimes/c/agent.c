#include <stdio.h>
#include <stdlib.h>

#include "agent.h"

struct Agent_t {
    char *name;
    Player player;
    Move (*play)(Agent *, Board, Player);
    void (*end)(Agent *, Board, Player);
    void (*freeData)(void *);
    void *data;
};

Agent *agentCreate(char *name, Move (*play)(Agent *, Board, Player), void (*end)(Agent *, Board, Player),
                   void (*freeData)(void *)) {
    Agent *agent = malloc(sizeof *agent);
    if (agent == NULL) {
        fprintf(stderr, "agentCreate: no memory left\n");
        exit(EXIT_FAILURE);
    }
    *agent = (Agent){name, X, play, end, freeData, NULL};
    return agent;
}

void agentFree(Agent *agent) {
    if (agent->freeData != NULL && agent->data != NULL) agent->freeData(agent->data);
    free(agent);
}

void agentSetPlayer(Agent *agent, Player p) { agent->player = p; }

Player agentGetPlayer(Agent *agent) { return agent->player; }

char *agentGetName(Agent *agent) { return agent->name; }

void agentSetData(Agent *agent, void *data) { agent->data = data; }

void *agentGetData(Agent *agent) { return agent->data; }

static Move playHuman(Agent *agent, Board board, Player player) {
    (void)agent;
    char line[80];
    Move move;
    do {
        printf("%c: ", player == X ? 'X' : 'O');
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL) exit(EXIT_FAILURE);
    } while (sscanf(line, "%d", &move) != 1 || !boardValidMove(board, move));
    return move;
}

Agent *createHumanAgent(void) { return agentCreate("human", playHuman, NULL, NULL); }

static Move playRandom(Agent *agent, Board board, Player player) {
    (void)agent, (void)player;
    Move chosen = -1;
    for (Move m = 0, free = 0; board[m] != '\0'; m++)
        if (boardValidMove(board, m) && rand() % ++free == 0) chosen = m;
    return chosen;
}

Agent *createRandomAgent(void) { return agentCreate("random", playRandom, NULL, NULL); }

Player agentPlayGame(Agent *agentX, Agent *agentO, bool verbose) {
    Agent *agents[] = {agentX, agentO};
    Board board = boardMakeEmpty();
    agentSetPlayer(agentX, X);
    agentSetPlayer(agentO, O);
    while (boardWin(board) == E && !boardIsFull(board)) {
        Player player = boardGetPlayer(board);
        Agent *agent = agents[player];
        if (verbose) boardPrint(board);
        Move move = agent->play(agent, board, player);
        if (verbose) printf("%s (%c): %d\n\n", agent->name, player == X ? 'X' : 'O', move);
        boardNext(board, move, player);
    }
    Player winner = boardWin(board);
    if (verbose) {
        boardPrint(board);
        printf("%s\n", winner == X ? "X wins" : winner == O ? "O wins" : "draw");
    }
    for (Player player = X; player <= O; player++)
        if (agents[player]->end != NULL) agents[player]->end(agents[player], board, winner);
    boardFree(board);
    return winner;
}
