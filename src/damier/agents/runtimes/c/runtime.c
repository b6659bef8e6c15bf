/* What damier asks of an agent in C: its functions are called as lines of JSON say (docs/agent_protocol.md).

   The lines are written by damier, flat and with one space after each colon, so that no more of JSON is read here than it takes. */
#define _GNU_SOURCE
#include <execinfo.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The files that are damier's, each after a space. */
#ifndef OURS
#define OURS " runtime.c"
#endif

#define UNCOUNTED __attribute__((no_instrument_function))

/* Calls of the agent's own functions. */
static long calls;

UNCOUNTED void __cyg_profile_func_enter(void *function, void *caller) { (void)function, (void)caller, calls++; }
UNCOUNTED void __cyg_profile_func_exit(void *function, void *caller) { (void)function, (void)caller; }

#ifndef PROGRAM

#include <agent.h>
#include <board.h>

/* Random numbers: those that follow from the number that came with the question, so that it can be asked again. The least
   number and the largest stand for themselves: whatever is compared with what is drawn then falls on one side. */
static const uint64_t LARGEST = ((uint64_t)1 << 53) - 1;
static uint64_t given, state;
static long drawn;

static uint64_t next_random(void) { /* splitmix64 (Steele, Lea and Flood, 2014); 53 bits of it */
    drawn++;
    if (given == 0 || given == LARGEST) return given;
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (z ^ (z >> 31)) >> 11;
}

int __wrap_rand(void) { return (int)(next_random() >> 22); }
long __wrap_random(void) { return __wrap_rand(); }
double __wrap_drand48(void) { return (double)next_random() / 9007199254740992.0; }
void __wrap_srand(unsigned seed) { (void)seed; }
void __wrap_srandom(unsigned seed) { (void)seed; }
void __wrap_srand48(long seed) { (void)seed; }

/* The functions of an agent: kept where it is created. */
typedef Move (*Play)(Agent *, Board, Player);
typedef void (*End)(Agent *, Board, Player);
typedef struct { Agent *agent; Play play; End end; int learns; } Made;

enum { AGENTS = 4096, COPIES = 64, CELLS = 9 };
static Made created, made[AGENTS];

Agent *__real_agentCreate(char *, Play, End, void (*)(void *));
Agent *__wrap_agentCreate(char *name, Play play, End end, void (*freeData)(void *)) {
    created = (Made){__real_agentCreate(name, play, end, freeData), play, end, 0};
    return created.agent;
}

#ifdef HAS_play
Move play(Agent *, Board, Player);
#ifdef HAS_end
void end(Agent *, Board, Player);
#define END end
#else
#define END NULL
#endif
static Agent *createAgent(void) { return __wrap_agentCreate("agent", play, END, NULL); }
#endif
#ifdef HAS_createAiAgent
Agent *createAiAgent(void);
#endif
#ifdef HAS_createRlAgent
Agent *createRlAgent(void);
#endif
#ifdef HAS_getMinimaxScore
int getMinimaxScore(Agent *, Board);
#endif
#ifdef HAS_setTrainingModeRlAgent
void setTrainingModeRlAgent(Agent *, bool);
#define MODE ", \"setTrainingModeRlAgent\""
#else
#define MODE ""
#endif
#ifdef HAS_getMoveScoreRlAgent
float getMoveScoreRlAgent(Agent *, Board, Move);
#define SCORE ", \"getMoveScoreRlAgent\""
#else
#define SCORE ""
#endif

static const char *hello =
    "{\"protocol\": 2, \"agents\": {"
#ifdef HAS_createAiAgent
    "\"AiAgent\": [\"play\", \"end\"]"
#ifdef HAS_createRlAgent
    ", "
#endif
#endif
#ifdef HAS_createRlAgent
    "\"RlAgent\": [\"play\", \"end\"" MODE SCORE "]"
#endif
#if defined HAS_play && !defined HAS_createAiAgent && !defined HAS_createRlAgent
    "\"Agent\": [\"play\", \"end\"" MODE SCORE "]"
#endif
    "}, \"functions\": [\"agentPlayGame\""
#ifdef HAS_getMinimaxScore
    ", \"getMinimaxScore\""
#endif
#ifdef HAS_main
    ", \"main\""
#endif
    "]}";

static Agent *create(const char *name) {
#ifdef HAS_createAiAgent
    if (strcmp(name, "AiAgent") == 0) return createAiAgent();
#endif
#ifdef HAS_createRlAgent
    if (strcmp(name, "RlAgent") == 0) return createRlAgent();
#endif
#ifdef HAS_play
    if (strcmp(name, "Agent") == 0) return createAgent();
#endif
    return NULL;
}

/* What follows a key of a message; NULL where it is not there. */
static char *after(char *line, const char *key) {
    char *found = strstr(line, key);
    return found == NULL ? NULL : found + strlen(key);
}

/* Writes a list of numbers, words and texts without its quotes, parted by a space, or by what stands in its place. */
static char *flat(char *list, char comma) {
    char *to = list;
    for (char *from = list; from != NULL && *from != ']' && *from != '\0'; from++)
        if (*from == ',')
            *to++ = comma, from++; /* and the space behind it */
        else if (*from != '"')
            *to++ = *from;
    if (list != NULL) *to = '\0';
    return list;
}

static long number(char *line, const char *key, long otherwise) {
    char *found = after(line, key);
    return found == NULL ? otherwise : strtol(found, NULL, 10);
}

static Player player_of(char mark) { return mark == 'X' ? X : mark == 'O' ? O : E; }

/* A grid of the agent's own, from nine characters, in which a point is a free cell too. */
static Board grid_of(const char *cells) {
    Board board = boardMakeEmpty();
    for (int cell = 0; cell < CELLS; cell++) board[cell] = cells[cell] == '.' ? ' ' : cells[cell];
    return board;
}

/* Answers a call: the text of its value. */
static const char *called(Made *on, const char *method, char *arguments) {
    static char value[64];
    Board board = strlen(arguments) >= CELLS ? grid_of(arguments) : NULL;
    const char *more = strlen(arguments) > CELLS ? arguments + CELLS + 1 : "";
    strcpy(value, "null");
    if (strcmp(method, "play") == 0) {
        agentSetPlayer(on->agent, player_of(*more));
        snprintf(value, sizeof value, "%d", (int)on->play(on->agent, board, player_of(*more)));
    } else if (strcmp(method, "end") == 0) {
        if (on->end != NULL) on->end(on->agent, board, player_of(*more));
    }
#ifdef HAS_setTrainingModeRlAgent
    else if (strcmp(method, "setTrainingModeRlAgent") == 0)
        setTrainingModeRlAgent(on->agent, *arguments == 't');
#endif
#ifdef HAS_getMoveScoreRlAgent
    else if (strcmp(method, "getMoveScoreRlAgent") == 0) {
        float score = getMoveScoreRlAgent(on->agent, board, atoi(more));
        if (isfinite(score)) snprintf(value, sizeof value, "%.9g", score);
    }
#endif
#ifdef HAS_getMinimaxScore
    else if (strcmp(method, "getMinimaxScore") == 0) {
        if (on->agent == NULL) *on = (created.agent = NULL, create("AiAgent"), created);
        snprintf(value, sizeof value, "%d", getMinimaxScore(on->agent, board));
    }
#endif
    if (board != NULL) boardFree(board);
    return value;
}

static void begin(uint64_t random) { given = state = random, drawn = calls = 0; }

/* Plays games again as they are written, "RANDOM GRID PLAYER MOVE;…", as save gave them; the number of the first in which another
   move was chosen, or -1. */
static int replayed(Made *on, char *games) {
    int turn = 0;
    for (char *one = strtok(games, ";"); one != NULL; one = strtok(NULL, ";"), turn++) {
        char *rest;
        begin(strtoull(one, &rest, 10));
        char *arguments = rest + 1;              /* GRID PLAYER, and MOVE where it is a turn */
        const char *move = arguments + CELLS + 2; /* behind the mark of the player */
        const char *said = called(on, *move == ' ' ? "play" : "end", arguments);
        if (*move == ' ' && strcmp(said, move + 1) != 0) return turn;
    }
    return -1;
}

/* Copies of an agent: each a process of its own that answers for it, and for those that are copied from it. */
static struct { int agents; pid_t process; FILE *to, *from; } copies[COPIES];
static int place[AGENTS]; /* of the process that answers for an agent, from 1; 0: this one */

static void copy(int agent, int to, FILE **in, FILE **out) {
    int ask[2], answer[2], free = 0;
    while (free < COPIES && copies[free].process != 0) free++;
    if (free == COPIES || pipe(ask) != 0 || pipe(answer) != 0) {
        fprintf(*out, "{\"fault\": \"no more copies\"}\n");
        return;
    }
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        close(ask[1]), close(answer[0]);
        for (int i = 0; i < COPIES; i++)
            if (copies[i].process != 0) {
                close(fileno(copies[i].to)), close(fileno(copies[i].from));
                copies[i].process = 0;
            }
        memset(place, 0, sizeof place);
        made[to] = made[agent];
        *in = fdopen(ask[0], "r"), *out = fdopen(answer[1], "w");
        return;
    }
    close(ask[0]), close(answer[1]);
    if (process < 0) {
        close(ask[1]), close(answer[0]);
        fprintf(*out, "{\"fault\": \"no more copies\"}\n");
        return;
    }
    copies[free].agents = 1, copies[free].process = process, place[to] = free + 1;
    copies[free].to = fdopen(ask[1], "w"), copies[free].from = fdopen(answer[0], "r");
    fprintf(*out, "{\"value\": null}\n");
}

/* Hands a message on to the process that answers for a copy; whether there is one. */
static int handed_on(int agent, char *line, int drop, FILE *out) {
    static char *answer;
    static size_t room;
    int at = agent < 0 ? 0 : place[agent];
    if (at-- == 0) return 0;
    int ended = drop && --copies[at].agents == 0;
    if (!ended) {
        fputs(line, copies[at].to), fflush(copies[at].to);
        if (drop) return place[agent] = 0, 1;
        if (getline(&answer, &room, copies[at].from) > 0) {
            int to = (int)number(line, "\"to\": ", -1);
            if (to >= 0 && strstr(answer, "fault") == NULL) place[to] = at + 1, copies[at].agents++;
            return fputs(answer, out), 1;
        }
        fprintf(out, "{\"fault\": \"\"}\n");
    }
    fclose(copies[at].to), fclose(copies[at].from);
    waitpid(copies[at].process, NULL, 0);
    copies[at].process = 0;
    for (int i = 0; i < AGENTS; i++)
        if (place[i] == at + 1) place[i] = 0;
    return 1;
}

/* Bytes that have been written to a file, from a place on. */
static long written(FILE *file, long from) {
    fflush(NULL);
    return lseek(fileno(file), 0, SEEK_END) - from;
}

/* How much agentPlayGame prints with verbose, and without. */
static void printed(FILE *out) {
    FILE *file = tmpfile();
    int kept = dup(1);
    long lengths[2];
    fflush(stdout);
    dup2(fileno(file), 1);
    for (int quiet = 0; quiet < 2; quiet++) {
        long from = written(file, 0);
        Agent *agents[] = {createRandomAgent(), createRandomAgent()};
        agentPlayGame(agents[0], agents[1], quiet == 0);
        agentFree(agents[0]), agentFree(agents[1]);
        lengths[quiet] = written(file, from);
    }
    dup2(kept, 1);
    close(kept), fclose(file);
    fprintf(out, "{\"value\": [%ld, %ld]}\n", lengths[0], lengths[1]);
}

#ifdef HAS_main
int main_of_console(int, char **);

/* What the document's main program prints while somebody types these lines, and how many of them it reads. */
static void console(char *arguments, char *lines, FILE *out) {
    char *words[16] = {"tictactoe"};
    int count = 1, ends[2], typed = 0, left = 0;
    for (char *word = strtok(arguments, " "); word != NULL && count < 15; word = strtok(NULL, " ")) words[count++] = word;
    FILE *file = tmpfile();
    if (pipe(ends) != 0) return;
    for (char *line = strtok(lines, " "); line != NULL; line = strtok(NULL, " "), typed++) dprintf(ends[1], "%s\n", line);
    close(ends[1]);
    fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        dup2(ends[0], 0), dup2(fileno(file), 1);
        setvbuf(stdin, NULL, _IONBF, 0);
        exit(main_of_console(count, words));
    }
    waitpid(process, NULL, 0);
    for (char c; read(ends[0], &c, 1) == 1;) left += c == '\n';
    close(ends[0]);
    rewind(file);
    fprintf(out, "{\"value\": [\"");
    for (int c; (c = fgetc(file)) != EOF;) fputc(c < ' ' || c == '"' || c == '\\' || c > '~' ? ' ' : c, out);
    fprintf(out, "\", %d]}\n", typed - left);
    fclose(file);
}
#endif

static void serve(FILE *in, FILE *out) {
    char *line = NULL;
    size_t room = 0;
    static Made functions; /* the agent that functions are given which are asked without one */
    while (fflush(out), getline(&line, &room, in) > 0) {
        char *type = after(line, "\"type\": \""), *name = after(line, "\"name\": \"");
        int agent = (int)number(line, "\"agent\": ", -1);
        int drop = strncmp(type, "drop", 4) == 0;
        if (agent >= AGENTS) {
            fprintf(out, "{\"fault\": \"too many agents\"}\n");
            continue;
        }
        if (handed_on(agent, line, drop, out) || drop) continue;
        if (name != NULL) name[strcspn(name, "\"")] = '\0';
        char *random = name == NULL ? NULL : after(name + strlen(name) + 1, "\"random\": ");
        char *list = after(name == NULL ? line : name + strlen(name) + 1, "\"arguments\": [");
        char *lines = list == NULL ? NULL : after(list, "\"lines\": [");
        flat(lines, ' ');
        char *arguments = flat(list, strncmp(type, "replay", 6) == 0 ? ';' : ' ');
        Made *on = agent < 0 ? &functions : &made[agent];
        begin(random == NULL ? 1 : strtoull(random, NULL, 10));
        if (strncmp(type, "hello", 5) == 0) {
            fprintf(out, "%s\n", hello);
        } else if (strncmp(type, "make", 4) == 0) {
            create(name);
            *on = created;
            fprintf(out, "{\"value\": null}\n");
        } else if (strncmp(type, "copy", 4) == 0) {
            copy(agent, (int)number(line, "\"to\": ", 0), &in, &out);
        } else if (strncmp(type, "replay", 6) == 0) {
            fprintf(out, "{\"value\": %d}\n", replayed(on, arguments));
        } else if (strncmp(type, "printed", 7) == 0) {
            printed(out);
#ifdef HAS_main
        } else if (strncmp(type, "program", 7) == 0) {
            console(arguments, lines, out);
#endif
        } else {
            const char *value = called(on, name, arguments);
            fprintf(out, "{\"value\": %s, \"drawn\": %s, \"calls\": %ld}\n", value, drawn ? "true" : "false", calls);
        }
    }
}

#endif

/* Says in which line a program ended that a signal ends, on standard error. */
static void tell(int number) {
    void *frames[64];
    int count = backtrace(frames, 64), ends[2];
    if (pipe(ends) == 0) {
        if (fork() == 0) {
            char words[64][24], *command[70] = {"addr2line", "-s", "-f", "-e", "/proc/self/exe"};
            char program[64];
            snprintf(program, sizeof program, "/proc/%d/exe", (int)getppid());
            command[4] = program;
            for (int i = 0; i < count; i++) {
                snprintf(words[i], sizeof words[i], "%p", (void *)((char *)frames[i] - 1));
                command[5 + i] = words[i];
            }
            dup2(ends[1], 1);
            close(ends[0]);
            execvp(command[0], command);
            _exit(1);
        }
        close(ends[1]);
        FILE *lines = fdopen(ends[0], "r");
        char function[256], place[256];
        while (lines != NULL && fgets(function, sizeof function, lines) && fgets(place, sizeof place, lines)) {
            function[strcspn(function, "\n")] = place[strcspn(place, "\n ")] = '\0';
            char file[258];
            snprintf(file, sizeof file, " %.*s", (int)strcspn(place, ":"), place);
            if (strstr(OURS, file) != NULL || *place == '?') continue;
            fprintf(stderr, "%s: %s (%s)\n", place, strsignal(number), function);
            break;
        }
    }
    signal(number, SIG_DFL);
    raise(number);
}

__attribute__((constructor)) UNCOUNTED static void prepare(void) {
    static char room[1 << 16];
    stack_t aside = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_handler = tell, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
    void *frame;
    backtrace(&frame, 1); /* what it needs is loaded now */
    sigaltstack(&aside, NULL);
    for (const int *one = (int[]){SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGABRT, 0}; *one != 0; one++)
        sigaction(*one, &action, NULL);
}

#ifndef PROGRAM
int main(void) {
    FILE *out = fdopen(dup(1), "w");
    dup2(2, 1); /* what the agent prints is no answer */
    setvbuf(stdout, NULL, _IONBF, 0);
    serve(stdin, out);
    return 0;
}
#endif
