/* An agent for any game: plays any legal move, each as likely.
   cc -O2 -o random_agent random_agent.c && damier match tictactoe ./random_agent random

   It reads no more of the JSON than it needs (docs/agent_protocol.md): a line with "legal" asks for a move, and the names of
   the legal moves stand in the list that follows, each in quotes; no name of damier's games has a quote in it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;

static uint64_t next_random(void) { /* splitmix64 (Steele, Lea and Flood, 2014) */
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        char *seed = strstr(line, "\"seed\": "), *legal = strstr(line, "\"legal\": [");
        if (seed) state = strtoull(seed + 8, NULL, 10); /* a new game: the same seed, the same moves */
        if (!legal) continue;
        char *chosen = NULL, *at = legal + 10;
        size_t length = 0, seen = 0;
        while (*at == '"') { /* of the names seen so far, each is the chosen one as likely */
            size_t own = strcspn(at + 1, "\"");
            if (next_random() % ++seen == 0) chosen = at + 1, length = own;
            at += own + 2;            /* behind the quote that ends it */
            at += strspn(at, ", ");   /* behind the comma */
        }
        printf("{\"move\": \"%.*s\"}\n", (int)length, chosen);
        fflush(stdout);
    }
    free(line);
    return 0;
}
