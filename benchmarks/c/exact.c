/* Exact score (value and distance) of Connect Four 7×6 positions by alpha-beta with null windows: the physical limit for damier's generic engine.

   The algorithm is damier's, node for node: bounds from wins and threats, from the lines that are left and from those that an opponent who only
   follows lets come up (claimeven), a table of two-sided bounds in pairs of slots, asked of all moves before one is tried, symmetric positions as one
   in the first plies, moves that do not lose at once, the best move of before first, then by cells on which the mover would win and by how central
   they are; the sign of the score first, then its distance from the nearest on. As Connect Four is known here, what its rules exclude is not looked
   for: no move that is tried ends the game but by filling the board, turns alternate, and nothing stops the search.

   usage: exact BITS MINE TAKEN [MINE TAKEN ...]      prints {"nodes": ..., "scores": [...], "seconds": ...}, CPU time; one table of 2^BITS slots */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define W 7
#define H 6
enum { H1 = H + 1, TOP = 32767, SYMMETRIC_PLIES = 8 };
#define BOTTOM 0x40810204081ULL /* bits 0, 7, 14, ... 42 */
#define BOARD (BOTTOM * ((1ULL << H) - 1))
#define NEXT_ROWS (BOTTOM * 0x15) /* rows in which the next cell lies of a column whose free cells are even in number */

typedef uint64_t u64;
typedef struct { u64 key, fact; } slot; /* fact: log2 of the nodes, move, most, least */

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

static inline int connected(u64 p) {
  static const int steps[] = {1, H1, H1 - 1, H1 + 1};
  for (int i = 0; i < 4; i++) {
    u64 run = p & p >> steps[i];
    if (run & run >> 2 * steps[i]) return 1;
  }
  return 0;
}

static inline u64 columns_of(u64 p) {
  p |= p >> 1 & BOTTOM * 0x3F;
  p |= p >> 2 & BOTTOM * 0x1F;
  p |= p >> 4 & BOTTOM * 0x07;
  return (p & BOTTOM) * ((1ULL << H) - 1);
}

static inline int may_connect(u64 mine, u64 taken, int room) {
  u64 left = BOARD ^ taken;
  if (!(room & 1)) left &= NEXT_ROWS | columns_of((taken + BOTTOM) & BOARD & ~NEXT_ROWS);
  return connected(mine | left);
}

static inline int may_connect_after(u64 theirs, u64 taken, int room) {
  u64 left = BOARD ^ taken, odd = (taken + BOTTOM) & BOARD & ~NEXT_ROWS;
  if (!(room & 1)) return connected(theirs | left);
  if (connected(theirs | left & NEXT_ROWS)) return 1;
  for (u64 tried = odd; tried; tried &= tried - 1)
    if (!connected(theirs | left & (NEXT_ROWS | columns_of(odd ^ (tried & -tried))))) return 0;
  return 1;
}

static inline int later(int score) { return score > 0 ? score - 1 : score < 0 ? score + 1 : 0; }
static inline int sooner(int score) { return score > 0 ? score + 1 : score < 0 ? score - 1 : 0; }
static inline int popcount(u64 p) { return __builtin_popcountll(p); }
static inline int least_of(u64 fact) { return (int)(fact & 0xFFFF) - TOP; }
static inline int most_of(u64 fact) { return (int)(fact >> 16 & 0xFFFF) - TOP; }
static inline slot *pair_of(u64 key) { return &table[(key * 0x9E3779B97F4A7C15ULL) >> (65 - bits) << 1]; }
static inline slot *slot_of(slot *pair, u64 key) { return pair->key == key + 1 ? pair : pair[1].key == key + 1 ? pair + 1 : NULL; }

static u64 mirrored(u64 p) {
  u64 q = 0;
  for (int column = 0; column < W; column++) q |= (p >> column * H1 & (1 << H1) - 1) << (W - 1 - column) * H1;
  return q;
}

static inline u64 key_of(u64 mine, u64 taken, int depth, int *turned) {
  u64 key = mine + taken + BOTTOM, other;
  *turned = depth < SYMMETRIC_PLIES && (other = mirrored(mine) + mirrored(taken) + BOTTOM) < key;
  return *turned ? other : key;
}

static inline int turn(int cell, int turned) { return turned ? (W - 1 - cell / H1) * H1 + cell % H1 : cell; }

static void put(u64 key, u64 fact) {
  slot *pair = pair_of(key), *at = slot_of(pair, key);
  if (!at) {
    at = pair;
    if (pair->key) {
      if (fact >> 57 >= pair->fact >> 57) pair[1] = pair[0];
      else at++;
    }
  }
  at->key = key + 1;
  at->fact = fact;
}

/* The score for the player to move, or a bound of it: a lower one if it is at least `wanted`, else an upper one. */
static int score(u64 mine, u64 taken, int wanted, int depth) {
  nodes++;
  if (taken == BOARD) return 0;
  __builtin_prefetch(pair_of(mine + taken + BOTTOM));
  u64 theirs = winning(mine ^ taken), legal = (taken + BOTTOM) & BOARD;
  if (winning(mine) & legal) return TOP - 1;
  u64 kept = legal & ~(theirs >> 1), threatened = legal & theirs;
  if (threatened) kept &= threatened & (threatened - 1) ? 0 : threatened;
  if (!kept) return 2 - TOP;
  int room = W * H - popcount(taken);
  int least = room >= 4 && may_connect_after(mine ^ taken, taken, room) ? 4 - TOP : 0;
  int most = room >= 3 && may_connect(mine, taken, room) ? TOP - 3 : 0;
  if (least >= wanted) return least;
  if (most < wanted) return most;
  int hint = -1, turned;
  u64 key = key_of(mine, taken, depth, &turned);
  slot *at = slot_of(pair_of(key), key);
  if (at) {
    hint = turn((int)(at->fact >> 32 & 63), turned);
    if (least_of(at->fact) > least) least = least_of(at->fact);
    if (most_of(at->fact) < most) most = most_of(at->fact);
    if (least >= wanted) return least;
    if (most < wanted || least == most) return most;
  }
  int single = !(kept & (kept - 1));
  for (u64 left = single ? 0 : kept; left; left &= left - 1) __builtin_prefetch(pair_of((mine ^ taken) + (taken | left & -left) + BOTTOM));
  int64_t begun = nodes;
  int order[W], n = 0, best = kept == legal ? -TOP : 2 - TOP, first = __builtin_ctzll(legal), known = -TOP;
  for (u64 left = kept; left; left &= left - 1) {
    int cell = __builtin_ctzll(left), column = cell / H1, promise, place = n++;
    if (single || cell == hint) {
      promise = 1 << 20;
    } else {
      promise = popcount(winning(mine | left & -left) & ~taken) * W + (column < W - 1 - column ? column : W - 1 - column);
    }
    for (promise = promise << 6 | (63 - cell); place && order[place - 1] < promise; place--) order[place] = order[place - 1];
    order[place] = promise;
  }
  for (int i = 0; i < n && !single && known < wanted; i++) {
    int other;
    u64 child = key_of(mine ^ taken, taken | 1ULL << (63 - (order[i] & 63)), depth + 1, &other);
    slot *there = slot_of(pair_of(child), child);
    int promised = there ? later(-most_of(there->fact)) : later(-TOP);
    if (promised > known) known = promised;
  }
  if (known >= wanted) return known;
  int reply = 1 - sooner(wanted);
  for (int i = 0; i < n; i++) {
    int cell = 63 - (order[i] & 63), found = later(-score(mine ^ taken, taken | 1ULL << cell, reply, depth + 1));
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
  u64 cost = (u64)(nodes - begun), size = cost ? 64 - __builtin_clzll(cost) : 0;
  put(key, size << 57 | (u64)turn(first, turned) << 32 | (u64)(most + TOP) << 16 | (u64)(least + TOP));
  return best;
}

static int farther(int plies) { return plies < 2 ? 3 : plies + (plies + 1) / 2; }

/* The next horizon between the nearest end that is possible and the farthest: the farthest itself where not even two steps lead there. */
static int horizon(int nearest, int farthest) { return farther(farther(nearest)) < farthest ? farther(nearest) : farthest - 1; }

/* Damier asks for the score of player 0; the questions differ by that where it is not to move. */
static int narrowed(u64 mine, u64 taken) {
  int low = -TOP, high = TOP, side = popcount(taken) & 1 ? -1 : 1;
  while (low < high) {
    int asked;
    if (low <= 0 && 0 < high) asked = 1;
    else if (low < 0 && 0 <= high) asked = 0;
    else if (low > 0) asked = TOP - horizon(TOP - high, TOP - low);
    else asked = horizon(low + TOP, high + TOP) - TOP + 1;
    int found = side * score(mine, taken, side > 0 ? asked : 1 - asked, 0);
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
  for (int i = 0; i < n; i++) scores[i] = narrowed(strtoull(argv[2 + 2 * i], 0, 10), strtoull(argv[3 + 2 * i], 0, 10));
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
  printf("{\"nodes\": %lld, \"scores\": [", (long long)nodes);
  for (int i = 0; i < n; i++) printf(i ? ", %d" : "%d", scores[i]);
  printf("], \"seconds\": %.9f}\n", (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec));
  return 0;
}
