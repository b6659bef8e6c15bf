/* Random games of Go on 9×9: the limit for damier's loop of games with compiled rules (games/go.py).

   The rules are damier's: no suicide, no ko, a pass is a move as likely as any other, two passes end the game, area counts; a game that
   reaches its limit of plies counts as drawn. So are the games: game n draws its moves from stream n of a seed (core/bits.py). One integer
   of 128 bits a set, one empty bit after each row; the last of these is the pass.

   usage: go FIRST STOP SEED LIMIT     plays games number FIRST to STOP, prints {"plies": ..., "wins": ..., "draws": ..., "losses": ...,
                                       "seconds": ...}: by Black's ends, CPU time */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "random.h"

typedef unsigned __int128 Set;
#define INLINE static inline __attribute__((always_inline))
enum { SIZE = 9, ROW = SIZE + 1 };
#define SIX_ROWS 0x7FDFF7FDFF7FDFFULL /* 9 of every 10 bits */
#define THREE_ROWS 0x1FF7FDFFULL
#define BOARD ((Set)THREE_ROWS << 6 * ROW | SIX_ROWS)
#define PASS ((Set)1 << (ROW * SIZE - 1))

typedef struct {
  Set mine, theirs;
  int passes, mover;
} State;

INLINE Set lowest(Set x) { return x & -x; }
INLINE int popcount(Set x) { return __builtin_popcountll((u64)x) + __builtin_popcountll((u64)(x >> 64)); }
INLINE Set nth_bit(Set x, int n) {
  int held = __builtin_popcountll((u64)x);
  if (n < held) return _pdep_u64(1ULL << n, (u64)x);
  return (Set)_pdep_u64(1ULL << (n - held), (u64)(x >> 64)) << 64;
}

INLINE Set beside(Set x) { return (x << 1 | x >> 1 | x << ROW | x >> ROW) & BOARD; }
INLINE Set flood(Set begin, Set within) {
  Set reached = begin, more = beside(begin) & within & ~begin;
  while (more) {
    reached |= more;
    more = beside(more) & within & ~reached;
  }
  return reached;
}

INLINE Set moves(const State *s) {
  Set free = BOARD & ~(s->mine | s->theirs), legal = free & beside(free), left = free & ~legal;
  for (Set near = beside(left) & s->mine; near;) { /* a group that has another liberty keeps the new stone alive */
    Set group = flood(lowest(near), s->mine), liberties = beside(group) & free;
    near &= ~group;
    if (liberties & (liberties - 1)) legal |= liberties;
  }
  for (Set near = beside(left) & s->theirs; near;) { /* one that has no other is taken, which makes room */
    Set group = flood(lowest(near), s->theirs), liberties = beside(group) & free;
    near &= ~group;
    if (!(liberties & (liberties - 1))) legal |= liberties;
  }
  return legal | PASS;
}

INLINE State play(const State *s, Set move) {
  if (move == PASS) return (State){s->theirs, s->mine, s->passes + 1, 1 - s->mover};
  Set free = BOARD & ~(s->mine | s->theirs | move), taken = 0;
  for (Set near = beside(move) & s->theirs; near;) {
    Set group = flood(lowest(near), s->theirs);
    near &= ~group;
    if (!(beside(group) & free)) taken |= group;
  }
  return (State){s->theirs & ~taken, s->mine | move, 0, 1 - s->mover};
}

INLINE int area(Set own, Set other) {
  Set free = BOARD & ~(own | other);
  return popcount(flood(own, free) & ~flood(other, free));
}

/* Plays one game; returns its plies, and in `worth` what it is worth to Black. */
static int play_game(int limit, int *worth) {
  State s = {0, 0, 0, 0};
  int ply = 0;
  for (; ply < limit && s.passes < 2; ply++) {
    Set legal = moves(&s);
    s = play(&s, nth_bit(legal, random_below(popcount(legal))));
  }
  int lead = s.passes < 2 ? 0 : area(s.mine, s.theirs) - area(s.theirs, s.mine);
  if (s.mover) lead = -lead;
  return *worth = (lead > 0) - (lead < 0), ply;
}

int main(int arguments, char **values) {
  if (arguments < 5) return 2;
  long plies = 0, ends[3] = {0, 0, 0};
  clock_t begun = clock();
  for (int number = atoi(values[1]), stop = atoi(values[2]); number < stop; number++) {
    int worth;
    reseed(atoi(values[3]), number);
    plies += play_game(atoi(values[4]), &worth);
    ends[1 + worth]++;
  }
  double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
  printf("{\"plies\": %ld, \"wins\": %ld, \"draws\": %ld, \"losses\": %ld, \"seconds\": %.6f}\n", plies, ends[2], ends[1], ends[0], seconds);
  return 0;
}
