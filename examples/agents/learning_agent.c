/* An agent that learns: it plays the move after which its games ended best on average, and while it learns one in four at random.
   damier train hexapawn learning_agent.c --games 1000 -o learnt.json && damier grade hexapawn learning_agent.c:file=learnt.json
   What it has learnt is one text (docs/agent_protocol.md): position|move|games|mean, a space, and so on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static struct { char key[200]; int games; double mean; } known[1 << 16];
static int count, taken[200], plies, learning;
static int place(const char *key) { /* of a position and a move, "state|move" */
    for (int i = 0; i < count; i++) if (strcmp(known[i].key, key) == 0) return i;
    return strcpy(known[count].key, key), known[count].games = 1, known[count].mean = 0, count++;
}
int main(void) { char *line = NULL, *at, key[200];
    for (size_t room = 0; fflush(stdout), getline(&line, &room, stdin) > 0;) {
        char *seed = strstr(line, "\"seed\": "), *legal = strstr(line, "\"legal\": ["), *payoff = strstr(line, "\"payoff\": ");
        int scores = strstr(line, "\"score\"") != NULL;
        if (strstr(line, "\"hello\"")) puts("{\"protocol\": 2, \"learns\": true, \"scores\": true, \"saves\": true}");
        if (seed) srand(strtoul(seed + 8, NULL, 10)), plies = 0, learning = !!strstr(line, "\"learning\": true");
        for (int i = 0; payoff && learning && i < plies; i++) /* the mean of all results after this move */
            known[taken[i]].mean += (atoi(payoff + 10) - known[taken[i]].mean) / ++known[taken[i]].games;
        for (int i = strstr(line, "\"save\"") ? printf("{\"data\": \"") * 0 : count + 1; i <= count; i++)
            i < count ? printf("%s|%d|%.17g ", known[i].key, known[i].games, known[i].mean) : puts("\"}");
        if ((at = strstr(line, "\"data\": \"")) && puts("{\"loaded\": true}"))
            for (at = strtok(at + 9, " "), count = 0; at && *at != '"'; at = strtok(NULL, " "), count++)
                sscanf(at, "%199[^|]", key), sscanf(strchr(at, '|') + 1, "%99[^|]|%d|%lf", strcat(key, "|") + strlen(key),
                    &known[count].games, &known[count].mean), strcpy(known[count].key, key);
        if (!legal) continue;
        int length = sprintf(key, "%.*s|", (int)strcspn(strstr(line, "\"state\": ["), "]") - 10, strstr(line, "\"state\": [") + 10);
        for (int i = 0; i < length; i++) key[i] = key[i] == ' ' ? '_' : key[i];
        double best = -9, chance = learning && !scores && rand() % 4 == 0;
        printf(scores ? "{\"scores\": {" : "{\"move\": \"");
        for (at = legal + 10; *at == '"'; at += strspn(at, ", ")) {
            at += sprintf(key + length, "%.*s", (int)strcspn(at + 1, "\""), at + 1) + 2;
            double mean = chance ? rand() / (double)RAND_MAX : known[place(key)].mean;
            if (scores) printf("\"%s\": %.17g%s", key + length, mean, *at == ',' ? ", " : "}}\n");
            else if (mean > best) best = mean, taken[plies] = place(key);
        }
        if (!scores) printf("%s\"}\n", strchr(known[taken[plies++]].key, '|') + 1);
    }}
