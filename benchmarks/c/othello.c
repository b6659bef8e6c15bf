/* Leaves of Othello 8×8 at a fixed depth, every last move played: the limit for damier's compiled rules of games/othello.py.

   The counting is damier's: a pass is a ply, a finished game has no children, every leaf is counted on its own, and what each last move
   leads to is mixed into `sink`, so that no compiler leaves it out. Sets of 64 cells, cell c is bit c, row by row.

   usage: othello DEPTH TIMES     counts that often, prints {"count": ..., "sink": ..., "seconds": ...}: count and sink of once, CPU time */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t u64;
#define INLINE static inline __attribute__((always_inline))
#define INNER 0x7e7e7e7e7e7e7e7eULL /* a line that is not upright ends at the edge: it turns no disc there */
#define BLACK 0x0000000810000000ULL
#define WHITE 0x0000001008000000ULL
enum { ROW = 1, RISING = 7, UPRIGHT = 8, FALLING = 9 };

static u64 sink;

/* The discs in an unbroken line next to `from`, six at most. */
INLINE u64 line_on(u64 from, u64 discs, int step) {
  u64 line = discs & from << step;
  for (int disc = 0; disc < 5; disc++) line |= discs & line << step;
  return line;
}
INLINE u64 line_back(u64 from, u64 discs, int step) {
  u64 line = discs & from >> step;
  for (int disc = 0; disc < 5; disc++) line |= discs & line >> step;
  return line;
}

INLINE u64 behind(u64 mine, u64 discs, int step) { return line_on(mine, discs, step) << step | line_back(mine, discs, step) >> step; }
INLINE u64 moves(u64 mine, u64 theirs) {
  u64 within = theirs & INNER;
  u64 found = behind(mine, within, ROW) | behind(mine, theirs, UPRIGHT) | behind(mine, within, RISING) | behind(mine, within, FALLING);
  return found & ~(mine | theirs);
}

INLINE u64 turned_along(u64 move, u64 mine, u64 discs, int step) {
  u64 on = line_on(move, discs, step), back = line_back(move, discs, step);
  return (on << step & mine ? on : 0) | (back >> step & mine ? back : 0);
}
INLINE u64 turned(u64 move, u64 mine, u64 theirs) {
  u64 within = theirs & INNER;
  return turned_along(move, mine, within, ROW) | turned_along(move, mine, theirs, UPRIGHT) | turned_along(move, mine, within, RISING) |
         turned_along(move, mine, within, FALLING);
}

/* A state as one word; unshifted, the discs that were turned over would cancel out. */
INLINE u64 mixed(u64 mine, u64 theirs) { return mine << 2 ^ theirs << 1; }

static int64_t count(u64 mine, u64 theirs, int depth) {
  u64 left = moves(mine, theirs);
  int64_t n = 0;
  if (!left) {
    if (!moves(theirs, mine)) return 0;
    if (depth > 1) return count(theirs, mine, depth - 1);
    sink ^= mixed(theirs, mine);
    return 1;
  }
  while (left) {
    u64 move = left & -left;
    left ^= move;
    u64 flips = turned(move, mine, theirs), after = theirs ^ flips, placed = mine | move | flips;
    if (depth > 1) {
      n += count(after, placed, depth - 1);
    } else {
      sink ^= mixed(after, placed);
      n++;
    }
  }
  return n;
}

int main(int arguments, char **values) {
  if (arguments < 3) return 2;
  int depth = atoi(values[1]);
  int64_t n = 0;
  clock_t begun = clock();
  for (int time = atoi(values[2]); time > 0; time--) sink = 0, n = count(BLACK, WHITE, depth);
  double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
  sink ^= n & depth & 1; /* damier's states hold the mover, too: the parity of the ply, mixed in here for all leaves at once */
  printf("{\"count\": %lld, \"sink\": %llu, \"seconds\": %.6f}\n", (long long)n, (unsigned long long)sink, seconds);
  return 0;
}
