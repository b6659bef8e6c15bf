/* Leaves of English draughts at a fixed depth, every last move played: the limit for damier's compiled rules of games/draughts_rules.py.

   The counting is damier's: who cannot move has lost and has no children, every leaf is counted on its own, two ways to take the same
   pieces are one move, and what each last move leads to is mixed into `sink`, so that no compiler leaves it out. The squares are bits
   as in games/draughts_rules.py: a step up is 4 or 5 bits, one bit is empty after every second row. Of the forms tried, the fastest:
   one function a colour, the state in registers, moves in one stack.

   usage: draughts DEPTH TIMES     counts that often, prints {"count": ..., "sink": ..., "seconds": ...}: count and sink of once, CPU time */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t u64;
#define INLINE static inline __attribute__((always_inline))
#define GAPS (1ULL << 8 | 1ULL << 17 | 1ULL << 26)
#define BOARD (((1ULL << 35) - 1) & ~GAPS)
#define BLACK (0xFFULL | 0xFULL << 9)
#define WHITE (0xFULL << 22 | 0xFFULL << 27)
#define FAR_ROW(black) ((black) ? 0xFULL << 31 : 0xFULL)

static u64 sink;

INLINE int position_of(u64 x) { return __builtin_ctzll(x); }
INLINE u64 lowest(u64 x) { return x & -x; }

/* Notes how a piece that has come to `at` goes on; where it cannot, its move ends. `begin`: the first move of this position. */
static u64 *jump(u64 at, u64 from, u64 taken, u64 theirs, u64 free, int up, int down, u64 *begin, u64 *found) {
  int ends = 1;
  for (int step = 4; step <= 5; step++) {
    u64 over = at << step & theirs & ~taken;
    if (up && over << step & free) ends = 0, found = jump(over << step, from, taken | over, theirs, free, up, down, begin, found);
    over = at >> step & theirs & ~taken;
    if (down && over >> step & free) ends = 0, found = jump(over >> step, from, taken | over, theirs, free, up, down, begin, found);
  }
  if (ends) {
    u64 move = position_of(from) | position_of(at) << 6 | taken << 12;
    if (__builtin_popcountll(taken) >= 4) /* only a king that goes round can take the same pieces in two ways */
      for (u64 *other = begin; other < found; other++)
        if (*other == move) return found;
    *found++ = move;
  }
  return found;
}

INLINE u64 *moves(u64 mine, u64 theirs, u64 kings, int black, u64 *found) {
  u64 free = BOARD & ~(mine | theirs), up = black ? mine : mine & kings, down = black ? mine & kings : mine;
  u64 above = (theirs & free >> 4) >> 4 | (theirs & free >> 5) >> 5, below = (theirs & free << 4) << 4 | (theirs & free << 5) << 5;
  u64 must = (up & above) | (down & below), *begin = found;
  if (must) {
    for (; must; must &= must - 1) {
      u64 piece = lowest(must);
      found = jump(piece, piece, 0, theirs, free | piece, (up & piece) != 0, (down & piece) != 0, begin, found);
    }
    return found;
  }
  for (int step = 4; step <= 5; step++) {
    for (u64 left = up & free >> step; left; left &= left - 1) *found++ = position_of(left) | (position_of(left) + step) << 6;
    for (u64 left = down & free << step; left; left &= left - 1) *found++ = position_of(left) | (position_of(left) - step) << 6;
  }
  return found;
}

static int64_t count_black(u64 mine, u64 theirs, u64 kings, int depth, u64 *found);
static int64_t count_white(u64 mine, u64 theirs, u64 kings, int depth, u64 *found);

INLINE int64_t count(u64 mine, u64 theirs, u64 kings, int black, int depth, u64 *found) {
  u64 *stop = moves(mine, theirs, kings, black, found);
  int64_t n = 0;
  for (; found < stop; found++) {
    u64 start = 1ULL << (*found & 63), goal = 1ULL << (*found >> 6 & 63), taken = *found >> 12;
    u64 crowned = kings & start ? goal : goal & FAR_ROW(black);
    u64 after = theirs & ~taken, moved = (mine & ~start) | goal, kings_after = (kings & ~(start | taken)) | crowned;
    if (depth > 1) {
      n += black ? count_white(after, moved, kings_after, depth - 1, stop) : count_black(after, moved, kings_after, depth - 1, stop);
    } else {
      sink ^= after << 3 ^ moved << 2 ^ kings_after << 1;
      n++;
    }
  }
  return n;
}
static int64_t count_black(u64 mine, u64 theirs, u64 kings, int depth, u64 *found) { return count(mine, theirs, kings, 1, depth, found); }
static int64_t count_white(u64 mine, u64 theirs, u64 kings, int depth, u64 *found) { return count(mine, theirs, kings, 0, depth, found); }

int main(int arguments, char **values) {
  static u64 found[8192];
  if (arguments < 3) return 2;
  int depth = atoi(values[1]);
  int64_t n = 0;
  clock_t begun = clock();
  for (int time = atoi(values[2]); time > 0; time--) sink = 0, n = count_black(BLACK, WHITE, 0, depth, found);
  double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
  sink ^= n & depth & 1; /* damier's states hold the mover, too: the parity of the ply, mixed in here for all leaves at once, */
  sink <<= 1;            /* and whether the past has drawn them, which a count does not know: 0 */
  printf("{\"count\": %lld, \"sink\": %llu, \"seconds\": %.6f}\n", (long long)n, (unsigned long long)sink, seconds);
  return 0;
}
