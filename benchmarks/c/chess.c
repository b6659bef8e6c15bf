/* Perft of chess, the limit for damier's generic perft with the rules of games/chess_rules.py.

   The counting is damier's: every leaf is counted on its own, the outcome is asked at every node above. What a last move leads to is asked by
   nobody: LLVM sees that and leaves it out, and so it is left out here. With -DPLAYED every last move is played, and what it leads to is mixed
   into `sink`, so that no compiler leaves it out. The board is seen by the mover and turned over with each ply, as there.

   usage: chess POSITION DEPTH TIMES     POSITION 0 the first, 1 "kiwipete"; counts that often, prints {"count": ..., "sink": ...,
                                         "seconds": ...}: count and sink of once, CPU time */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint64_t u64;
#define INLINE static inline __attribute__((always_inline))
#define FILE_A 0x0101010101010101ULL
#define FILE_H (FILE_A << 7)
#define RANK(n) (0xFFULL << 8 * ((n)-1))
#define RISING 0x8040201008040201ULL
#define LIGHT 0x55AA55AA55AA55AAULL
enum { KNIGHT = 1, BISHOP = 2, ROOK = 4, QUEEN = 6 };

typedef struct {
  u64 mine, theirs, pawns, knights, diagonal, straight, kings, rights;
} State;

static const State STARTS[2] = {
    {0xFFFF, 0xFFFFULL << 48, RANK(2) | RANK(7), 0x42 | 0x42ULL << 56, 0x2C | 0x2CULL << 56, 0x89 | 0x89ULL << 56, 0x10 | 0x10ULL << 56,
     0x81 | 0x81ULL << 56},
    {0x000000181024FF91ULL, 0x917D730002800000ULL, 0x002D50081280E700ULL, 0x0000221000040000ULL, 0x0050010000201800ULL,
     0x8110000000200081ULL, 0x1000000000000010ULL, 0x8100000000000081ULL}};

INLINE u64 lowest(u64 x) { return x & -x; }
INLINE int position_of(u64 x) { return __builtin_ctzll(x); }
INLINE u64 highest(u64 x) { return 1ULL << (63 - __builtin_clzll(x)); }
INLINE u64 turned(u64 x) { return __builtin_bswap64(x); }

INLINE u64 pawn_attacks(u64 c) { return (c << 7 & ~FILE_H) | (c << 9 & ~FILE_A); }
INLINE u64 knight_attacks(u64 c) {
  u64 near = (c << 1 & ~FILE_A) | (c >> 1 & ~FILE_H);
  u64 far = (c << 2 & ~(FILE_A | FILE_A << 1)) | (c >> 2 & ~(FILE_H | FILE_H >> 1));
  return near << 16 | near >> 16 | far << 8 | far >> 8;
}
INLINE u64 king_attacks(u64 c) {
  u64 row = c | (c << 1 & ~FILE_A) | (c >> 1 & ~FILE_H);
  return (row | row << 8 | row >> 8) & ~c;
}
INLINE u64 seen_along(u64 line, u64 cell, u64 taken) {
  u64 stops = line & taken, above = lowest(stops & -(cell << 1)), below = highest((stops & (cell - 1)) | 1);
  return line & ((above << 1) - below) & ~cell;
}
INLINE u64 rising(int n) {
  int up = 8 * ((n >> 3) - (n & 7));
  return up >= 0 ? RISING << up : RISING >> -up;
}
INLINE u64 straight_attacks(u64 c, u64 taken) {
  int n = position_of(c);
  return seen_along(FILE_A << (n & 7), c, taken) | seen_along(0xFFULL << (n & 56), c, taken);
}
INLINE u64 diagonal_attacks(u64 c, u64 taken) {
  int n = position_of(c);
  return seen_along(rising(n), c, taken) | seen_along(turned(rising(n ^ 56)), c, taken);
}

INLINE u64 attackers(const State *s, u64 cell, u64 taken) {
  return s->theirs & ((pawn_attacks(cell) & s->pawns) | (knight_attacks(cell) & s->knights) | (king_attacks(cell) & s->kings) |
                      (diagonal_attacks(cell, taken) & s->diagonal) | (straight_attacks(cell, taken) & s->straight));
}
INLINE int is_safe(const State *s, u64 piece, u64 goal, u64 taken) {
  u64 king = s->kings & s->mine, victim = goal;
  if (piece & king) king = goal;
  if (piece & s->pawns) victim |= (goal & s->rights & RANK(6)) >> 8;
  return (attackers(s, king, ((taken ^ piece) & ~victim) | goal) & ~victim) == 0;
}
INLINE u64 piece_goals(const State *s, u64 piece, u64 taken) {
  if (piece & s->pawns) {
    u64 step = piece << 8 & ~taken;
    return step | ((step & RANK(3)) << 8 & ~taken) | (pawn_attacks(piece) & (s->theirs | (s->rights & RANK(6))));
  }
  if (piece & s->knights) return knight_attacks(piece);
  u64 goals = 0;
  if (piece & s->diagonal) goals |= diagonal_attacks(piece, taken);
  if (piece & s->straight) goals |= straight_attacks(piece, taken);
  return goals;
}

INLINE int *moves(const State *s, int *found) {
  u64 king = s->kings & s->mine, taken = s->mine | s->theirs, free = ~s->mine, pinned = 0;
  u64 diagonally = diagonal_attacks(king, taken), straight = straight_attacks(king, taken);
  int check = attackers(s, king, taken) != 0;
  if (diagonal_attacks(king, taken & ~(diagonally & s->mine)) & ~diagonally & s->theirs & s->diagonal) pinned |= diagonally;
  if (straight_attacks(king, taken & ~(straight & s->mine)) & ~straight & s->theirs & s->straight) pinned |= straight;
  if (check) free &= s->knights | (s->rights & RANK(6)) | diagonally | straight;
  for (u64 left = s->mine; left;) {
    u64 piece = lowest(left), goals, untested;
    left ^= piece;
    if (piece & king) {
      goals = king_attacks(king) & ~s->mine;
      if (!check) {
        if (s->rights & 0x80 && !(taken & 0x60)) goals |= king << 2;
        if (s->rights & 0x01 && !(taken & 0x0E)) goals |= king >> 2;
      }
      untested = goals;
    } else {
      goals = untested = piece_goals(s, piece, taken) & free;
      if (!check && !(piece & pinned)) untested &= s->rights & RANK(6);
    }
    while (untested) {
      u64 goal = lowest(untested);
      untested ^= goal;
      if (!is_safe(s, piece, goal, taken)) goals ^= goal;
    }
    if (piece & king) goals &= king_attacks(king) | (goals << 1 & king << 2) | (goals >> 1 & king >> 2);
    int start = position_of(piece), promotes = (piece & s->pawns & RANK(7)) != 0;
    while (goals) {
      int move = start | position_of(goals) << 6;
      goals &= goals - 1;
      if (promotes) {
        *found++ = move | KNIGHT << 12;
        *found++ = move | BISHOP << 12;
        *found++ = move | ROOK << 12;
        *found++ = move | QUEEN << 12;
      } else
        *found++ = move;
    }
  }
  return found;
}

INLINE State play(const State *s, int move) {
  u64 start = 1ULL << (move & 63), goal = 1ULL << (move >> 6 & 63), out = start | goal;
  int kind = move >> 12;
  u64 mine = s->mine ^ out, theirs = s->theirs & ~goal, pawns = s->pawns & ~out, knights = s->knights & ~out, kings = s->kings & ~out;
  u64 diagonal = s->diagonal & ~out, straight = s->straight & ~out, rights = s->rights & (RANK(1) | RANK(8)) & ~out;
  if (start & s->pawns) {
    if (goal & s->rights & RANK(6)) theirs ^= goal >> 8, pawns ^= goal >> 8;
    if (kind == 0) pawns |= goal;
    if (kind == KNIGHT) knights |= goal;
    if (kind & BISHOP) diagonal |= goal;
    if (kind & ROOK) straight |= goal;
    if (goal == start << 16 && pawns & theirs & ((goal << 1 & ~FILE_A) | (goal >> 1 & ~FILE_H))) rights |= start << 8;
  }
  if (start & s->knights) knights |= goal;
  if (start & s->diagonal) diagonal |= goal;
  if (start & s->straight) straight |= goal;
  if (start & s->kings) {
    kings |= goal;
    rights &= ~RANK(1);
    if (goal == start << 2) mine ^= 0xA0, straight ^= 0xA0;
    if (goal == start >> 2) mine ^= 0x09, straight ^= 0x09;
  }
  State after = {turned(theirs),   turned(mine),     turned(pawns), turned(knights),
                 turned(diagonal), turned(straight), turned(kings), turned(rights)};
  if (rights & RANK(3)) {
    u64 passed = after.rights & RANK(6), left = ((passed >> 7 & ~FILE_A) | (passed >> 9 & ~FILE_H)) & after.pawns & after.mine;
    int taken = 0;
    for (; left && !taken; left &= left - 1) taken = is_safe(&after, lowest(left), passed, after.mine | after.theirs);
    if (!taken) after.rights &= ~RANK(6);
  }
  return after;
}

INLINE int is_over(const State *s) {
  if (!(s->pawns | s->straight)) {
    if (s->knights ? !s->diagonal && !(s->knights & (s->knights - 1)) : !(s->diagonal & LIGHT) || !(s->diagonal & ~LIGHT)) return 1;
  }
  u64 king = s->kings & s->mine, taken = s->mine | s->theirs;
  if (!attackers(s, king, taken)) {
    u64 hidden = s->mine & ~(diagonal_attacks(king, taken) | straight_attacks(king, taken));
    if (((hidden & s->pawns) << 8 & ~taken) | (knight_attacks(hidden & s->knights) & ~s->mine)) return 0;
  }
  u64 piece = king, left = s->mine ^ king;
  while (piece) {
    u64 goals = (piece & king ? king_attacks(king) : piece_goals(s, piece, taken)) & ~s->mine;
    for (; goals; goals &= goals - 1)
      if (is_safe(s, piece, lowest(goals), taken)) return 0;
    piece = lowest(left);
    left ^= piece;
  }
  return 1;
}

static u64 sink;

#ifdef PLAYED
INLINE void count_leaf(const State *s, int move) {
  State leaf = play(s, move);
  sink ^= leaf.mine << 8 ^ leaf.theirs << 7 ^ leaf.pawns << 6 ^ leaf.knights << 5 ^ leaf.diagonal << 4 ^ leaf.straight << 3 ^ leaf.kings << 2 ^
          leaf.rights << 1;
}
#else
#define count_leaf(s, move)
#endif

static int64_t count(const State *s, int depth, int *found) {
  if (is_over(s)) return 0;
  int *stop = moves(s, found);
  int64_t n = 0;
  for (int *move = found; move < stop; move++) {
    if (depth > 1) {
      State child = play(s, *move);
      n += count(&child, depth - 1, stop);
    } else {
      count_leaf(s, *move);
      n++;
    }
  }
  return n;
}

int main(int arguments, char **values) {
  static int found[16384];
  if (arguments < 4) return 2;
  State start = STARTS[atoi(values[1]) != 0];
  int depth = atoi(values[2]);
  int64_t n = 0;
  clock_t begun = clock();
  for (int time = atoi(values[3]); time > 0; time--) sink = 0, n = count(&start, depth, found);
  double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
  sink ^= n & depth & 1; /* damier's states hold the mover, too: the parity of the ply, mixed in here for all leaves at once, */
  sink <<= 1;            /* and whether the past has drawn them, which a count does not know: 0 */
  printf("{\"count\": %lld, \"sink\": %llu, \"seconds\": %.6f}\n", (long long)n, (unsigned long long)sink, seconds);
  return 0;
}
