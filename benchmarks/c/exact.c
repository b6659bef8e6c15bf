/* Exact score (value and distance) of Connect Four 7×6 positions by alpha-beta with null windows: the physical limit for damier's generic engine.

   The algorithm is damier's, node for node: bounds from wins and threats, a table of two-sided bounds (always replace), moves that do not
   lose at once, the best move of before first, then by cells on which the mover would win and by how central they are; the score by bisection,
   its sign first. As Connect Four is known here, what its rules exclude is not looked for: no move that is tried ends the game but by filling
   the board, turns alternate, and nothing stops the search.

   usage: exact BITS MINE TAKEN [MINE TAKEN ...]      prints {"nodes": ..., "scores": [...], "seconds": ...}, CPU time; one table of 2^BITS slots */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define W 7
#define H 6
enum { H1 = H + 1, TOP = 32767 };
#define BOTTOM 0x40810204081ULL /* bits 0, 7, 14, ... 42 */
#define BOARD (BOTTOM * ((1ULL << H) - 1))

typedef uint64_t u64;
typedef struct { u64 key, fact; } slot;

static slot *table;
static int bits;
static int64_t nodes;

static inline u64 winning(u64 p) {
  u64 cells = (p << 1) & (p << 2) & (p << 3);
  for (int step = H; step <= H1 + 1; step++) {
    u64 before = (p << step) & (p << 2 * step), after = (p >> step) & (p >> 2 * step);
    cells |= before & (p << 3 * step) | before & (p >> step) | (p << step) & after | after & (p >> 3 * step);
  }
  return cells & BOARD;
}

static inline int later(int score) { return score > 0 ? score - 1 : score < 0 ? score + 1 : 0; }
static inline int sooner(int score) { return score > 0 ? score + 1 : score < 0 ? score - 1 : 0; }
static inline int popcount(u64 p) { return __builtin_popcountll(p); }

/* The score for the player to move, or a bound of it: a lower one if it is at least `wanted`, else an upper one. */
static int score(u64 mine, u64 taken, int wanted) {
  nodes++;
  if (taken == BOARD) return 0;
  u64 key = mine + taken + BOTTOM;
  slot *at = &table[(key * 0x9E3779B97F4A7C15ULL) >> (64 - bits)];
  __builtin_prefetch(at);
  u64 theirs = winning(mine ^ taken), legal = (taken + BOTTOM) & BOARD;
  if (winning(mine) & legal) return TOP - 1;
  u64 kept = legal & ~(theirs >> 1), threatened = legal & theirs;
  if (threatened) kept &= threatened & (threatened - 1) ? 0 : threatened;
  if (!kept) return 2 - TOP;
  int room = W * H - popcount(taken), least = room >= 4 ? 4 - TOP : 0, most = room >= 3 ? TOP - 3 : 0;
  if (least >= wanted) return least;
  if (most < wanted) return most;
  int hint = -1;
  if (at->key == key + 1) {
    int known_least = (int)(at->fact & 0xFFFF) - TOP, known_most = (int)(at->fact >> 16 & 0xFFFF) - TOP;
    hint = (int)(at->fact >> 32);
    if (known_least > least) least = known_least;
    if (known_most < most) most = known_most;
    if (least >= wanted) return least;
    if (most < wanted) return most;
  }
  int order[W], n = 0, best = kept == legal ? -TOP : 2 - TOP, first = 0;
  for (u64 left = kept; left; left &= left - 1) {
    int cell = __builtin_ctzll(left), column = cell / H1, promise, place = n++;
    if (cell == hint) {
      promise = 1 << 20;
    } else {
      promise = popcount(winning(mine | left & -left) & ~taken) * W + (column < W - 1 - column ? column : W - 1 - column);
    }
    for (promise = promise << 6 | (63 - cell); place && order[place - 1] < promise; place--) order[place] = order[place - 1];
    order[place] = promise;
  }
  int reply = 1 - sooner(wanted);
  for (int i = 0; i < n; i++) {
    int cell = 63 - (order[i] & 63), found = later(-score(mine ^ taken, taken | 1ULL << cell, reply));
    if (found > best) {
      best = found, first = cell;
      if (best >= wanted) break;
    }
  }
  if (best >= wanted) {
    least = best;
  } else if (best < most) {
    most = best;
  }
  at->key = key + 1;
  at->fact = (u64)first << 32 | (u64)(most + TOP) << 16 | (u64)(least + TOP);
  return best;
}

/* Damier asks for the score of player 0; the questions differ by that where it is not to move. */
static int bisected(u64 mine, u64 taken) {
  int low = -TOP, high = TOP, side = popcount(taken) & 1 ? -1 : 1;
  while (low < high) {
    int asked = low <= 0 && 0 < high ? 1 : low < 0 && 0 <= high ? 0 : low + (high - low + 1) / 2;
    int found = side * score(mine, taken, side > 0 ? asked : 1 - asked);
    if (found >= asked) low = found; else high = found;
  }
  return low;
}

int main(int argc, char **argv) {
  struct timespec a, b;
  bits = argc > 1 ? atoi(argv[1]) : 20;
  table = calloc(1ULL << bits, sizeof(slot));
  int n = (argc - 2) / 2, *scores = malloc((n + 1) * sizeof(int));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
  for (int i = 0; i < n; i++) scores[i] = bisected(strtoull(argv[2 + 2 * i], 0, 10), strtoull(argv[3 + 2 * i], 0, 10));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
  printf("{\"nodes\": %lld, \"scores\": [", (long long)nodes);
  for (int i = 0; i < n; i++) printf(i ? ", %d" : "%d", scores[i]);
  printf("], \"seconds\": %.9f}\n", (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec));
  return 0;
}
