/* Random games of Gomoku, five in a row on 15×15: the limit for damier's loop of games with compiled rules (games/mnk.py).

   The games are damier's: game n draws its moves from stream n of a seed (core/bits.py), row by row, lowest cell first. Four words of
   64 cells, 16 bits a row, so that a step over the edge meets no cell.

   usage: gomoku FIRST STOP SEED LIMIT     plays games number FIRST to STOP, prints {"plies": ..., "wins": ..., "draws": ..., "losses": ...,
                                           "seconds": ...}: by the first player's ends, CPU time */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "random.h"

#define INLINE static inline __attribute__((always_inline))
#define FOUR_ROWS 0x7fff7fff7fff7fffULL
enum { CELLS = 225, WORDS = 4 };

typedef struct {
  u64 word[WORDS];
} Set;

static const Set BOARD = {{FOUR_ROWS, FOUR_ROWS, FOUR_ROWS, FOUR_ROWS >> 16}};

INLINE Set shifted(Set x, int n) { /* to the right; n is known to the compiler */
  Set y;
  int whole = n / 64, part = n % 64;
  for (int i = 0; i < WORDS; i++) {
    y.word[i] = i + whole < WORDS ? x.word[i + whole] >> part : 0;
    if (part && i + whole + 1 < WORDS) y.word[i] |= x.word[i + whole + 1] << (64 - part);
  }
  return y;
}
INLINE Set both(Set x, Set y) {
  for (int i = 0; i < WORDS; i++) x.word[i] &= y.word[i];
  return x;
}
INLINE int has_line(Set stones, int step) {
  Set pairs = both(stones, shifted(stones, step)), fours = both(pairs, shifted(pairs, 2 * step));
  Set fives = both(fours, shifted(stones, 4 * step));
  return (fives.word[0] | fives.word[1] | fives.word[2] | fives.word[3]) != 0;
}
INLINE int has_five(Set stones) { return has_line(stones, 1) | has_line(stones, 16) | has_line(stones, 15) | has_line(stones, 17); }

/* Plays one game of `limit` plies at most; returns its plies, and in `worth` what it is worth to the first player. */
static int play_game(int limit, int *worth) {
  Set stones[2] = {{{0}}, {{0}}}, free = BOARD;
  for (int ply = 0; ply < limit; ply++) {
    int n = random_below(CELLS - ply), i = 0, held, player = ply & 1;
    while ((held = __builtin_popcountll(free.word[i])) <= n) n -= held, i++;
    u64 cell = _pdep_u64(1ULL << n, free.word[i]);
    free.word[i] ^= cell;
    stones[player].word[i] |= cell;
    if (has_five(stones[player])) return *worth = player ? -1 : 1, ply + 1;
  }
  return *worth = 0, limit;
}

int main(int arguments, char **values) {
  if (arguments < 5) return 2;
  int limit = atoi(values[4]);
  long plies = 0, ends[3] = {0, 0, 0};
  clock_t begun = clock();
  for (int number = atoi(values[1]), stop = atoi(values[2]); number < stop; number++) {
    int worth;
    reseed(atoi(values[3]), number);
    plies += play_game(limit < CELLS ? limit : CELLS, &worth);
    ends[1 + worth]++;
  }
  double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
  printf("{\"plies\": %ld, \"wins\": %ld, \"draws\": %ld, \"losses\": %ld, \"seconds\": %.6f}\n", plies, ends[2], ends[1], ends[0], seconds);
  return 0;
}
