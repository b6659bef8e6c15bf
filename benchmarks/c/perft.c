/* Leaves at a fixed depth of Connect Four 7×6: the physical limit for damier's generic perft.

   The counting is damier's: a line that is `depth` plies long counts one, a finished game has no children, every leaf is counted on its
   own (no popcount of the last ply). The board is known to the compiler, the leaf is counted in its parent: of the forms tried, the
   fastest that gcc 12 makes. With -DNODES it counts every node and looks for a win at each, leaves included.

   usage: perft DEPTH TIMES          counts that often, prints {"count": ..., "seconds": ...}, CPU time */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define W 7
#define H 6
enum { H1 = H + 1 };
#define BOTTOM 0x40810204081ULL /* bits 0, 7, 14, ... 42 */
#define BOARD (BOTTOM * ((1ULL << H) - 1))

typedef uint64_t u64;

static inline int connected(u64 p) {
  u64 run = p & p >> 1;
  if (run & run >> 2) return 1;
  run = p & p >> H1;
  if (run & run >> 2 * H1) return 1;
  run = p & p >> H;
  if (run & run >> 2 * H) return 1;
  run = p & p >> (H1 + 1);
  return (run & run >> 2 * (H1 + 1)) != 0;
}

#ifdef NODES
static int64_t count(u64 mine, u64 taken, int depth) {
  if (connected(mine ^ taken) || taken == BOARD || depth == 0) return 1;
  int64_t n = 1;
  for (u64 moves = (taken + BOTTOM) & BOARD; moves;) {
    u64 move = moves & -moves;
    moves ^= move;
    n += count(mine ^ taken, taken | move, depth - 1);
  }
  return n;
}
#else
static int64_t count(u64 mine, u64 taken, int depth) {
  if (connected(mine ^ taken) || taken == BOARD) return 0;
  int64_t n = 0;
  for (u64 moves = (taken + BOTTOM) & BOARD; moves;) {
    u64 move = moves & -moves;
    moves ^= move;
    if (depth > 1) {
      n += count(mine ^ taken, taken | move, depth - 1);
    } else {
      __asm__ volatile("" : "+r"(n)); /* one leaf at a time: no compiler may turn this into a popcount */
      n++;
    }
  }
  return n;
}
#endif

int main(int argc, char **argv) {
  struct timespec a, b;
  int depth = argc > 1 ? atoi(argv[1]) : 1, times = argc > 2 ? atoi(argv[2]) : 1;
  int64_t n = 0;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
  for (int i = 0; i < times; i++) n += count(0, 0, depth);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
  printf("{\"count\": %lld, \"seconds\": %.9f}\n", (long long)n, (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec));
  return 0;
}
