#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent.h"
#include "aiagent.h"
#include "rlagent.h"

static int usage(void) {
    printf("tictactoe -s agent1 agent2 | -t N agent1 agent2 [-p M [trainingagent]]\n");
    return 2;
}

/* The agent of this name: human, random, ai or rl; NULL where there is none. */
static Agent *agentOf(const char *name) {
    if (strcmp(name, "human") == 0) return createHumanAgent();
    if (strcmp(name, "random") == 0) return createRandomAgent();
    if (strcmp(name, "ai") == 0) return createAiAgent();
    if (strcmp(name, "rl") == 0) return createRlAgent();
    return NULL;
}

/* Has agents[seat] learn in games against the other agent, or against the trainer where there is one. */
static void train(Agent **agents, int seat, int games, const char *trainer) {
    Agent *other = trainer == NULL ? agents[1 - seat] : agentOf(trainer);
    for (int i = 0; i < games; i++)
        agentPlayGame(seat == 0 ? agents[0] : other, seat == 0 ? other : agents[1], false);
    if (trainer != NULL) agentFree(other);
}

int main(int argc, char **argv) {
    int at = 1, games = 1, training = 0, counts[3] = {0, 0, 0};
    if (argc < 4 || (strcmp(argv[1], "-s") != 0 && strcmp(argv[1], "-t") != 0)) return usage();
    bool shown = strcmp(argv[at++], "-s") == 0;
    if (!shown) games = atoi(argv[at++]);
    if (argc < at + 2) return usage();
    char *names[] = {argv[at], argv[at + 1]};
    Agent *agents[] = {agentOf(names[0]), agentOf(names[1])};
    const char *trainer = NULL;
    at += 2;
    if (at + 1 < argc && strcmp(argv[at], "-p") == 0) {
        training = atoi(argv[at + 1]);
        if (at + 2 < argc) trainer = argv[at + 2];
    }
    if (agents[0] == NULL || agents[1] == NULL) return usage();
    srand((unsigned)time(NULL));
    for (int seat = 0; seat < 2; seat++)
        if (training > 0 && strcmp(names[seat], "rl") == 0) train(agents, seat, training, trainer);
    for (int seat = 0; seat < 2; seat++)
        if (training > 0 && strcmp(names[seat], "rl") == 0) setTrainingModeRlAgent(agents[seat], false);
    for (int i = 0; i < games; i++) counts[agentPlayGame(agents[0], agents[1], shown)]++;
    if (!shown) printf("%s (X): %d   %s (O): %d   draw: %d\n", names[0], counts[X], names[1], counts[O], counts[E]);
    agentFree(agents[0]);
    agentFree(agents[1]);
    return 0;
}
