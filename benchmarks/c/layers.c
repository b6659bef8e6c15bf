/* Every value and distance of Connect Four W×H, layer by layer: damier's algorithm for games whose moves advance a ply.

   Forwards, a layer is expanded a chunk of children at a time; each chunk is sorted (radix, on the bits that a key has) and freed of
   doubles, and sorted runs are merged. Backwards, each position takes the best score of its children, found by a directory over the upper
   bits of the sorted keys and a binary search below it. Keys are mine + taken + bottom; a score is from the side of the mover: 127 - d for
   a win in d plies, d - 127 for a loss, 0 for a draw.

   usage: layers          prints {"count": positions, "value": score, "seconds": ..., "peak": bytes}, CPU time; cc -DW=5 -DH=4 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#ifndef W
#define W 5
#endif
#ifndef H
#define H 4
#endif
enum { H1 = H + 1, BITS = W * H1, TOP = 127, CHUNK = 1 << 22, DIRECTORY = 1 << 23 };

typedef uint64_t u64;
typedef struct { u64 *keys; size_t n; } Layer;

static const u64 BOTTOM = ((1ULL << BITS) - 1) / ((1ULL << H1) - 1);
static const u64 BOARD = ((1ULL << BITS) - 1) / ((1ULL << H1) - 1) * ((1ULL << H) - 1);

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

static inline u64 taken_of(u64 key) { /* every bit below the highest of its column */
  u64 below = key;
  for (int shift = 1; shift < H1; shift *= 2) below |= below >> shift & BOTTOM * ((1ULL << (H1 - shift)) - 1);
  return below >> 1 & BOARD;
}

static void *room(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) exit(3);
  return p;
}

static size_t expand(const Layer *layer, size_t *next, u64 *out) {
  size_t n = 0;
  while (*next < layer->n && n + W <= CHUNK) {
    u64 key = layer->keys[(*next)++], taken = taken_of(key), mine = key & taken;
    if (taken == BOARD || connected(mine ^ taken)) continue;
    for (u64 moves = (taken + BOTTOM) & BOARD; moves;) {
      u64 move = moves & -moves;
      moves ^= move;
      out[n++] = (mine ^ taken) + (taken | move) + BOTTOM;
    }
  }
  return n;
}

enum { DIGIT = 11, PASSES = (BITS + DIGIT - 1) / DIGIT };

static u64 *sorted(u64 *a, u64 *b, size_t n) { /* the one of the two that holds the result */
  static size_t at[PASSES][1 << DIGIT];
  memset(at, 0, sizeof at);
  for (size_t i = 0; i < n; i++)
    for (int pass = 0; pass < PASSES; pass++) at[pass][a[i] >> pass * DIGIT & ((1 << DIGIT) - 1)]++;
  for (int pass = 0; pass < PASSES; pass++) {
    size_t sum = 0;
    for (int digit = 0; digit < 1 << DIGIT; digit++) {
      size_t here = at[pass][digit];
      at[pass][digit] = sum;
      sum += here;
    }
    for (size_t i = 0; i < n; i++) b[at[pass][a[i] >> pass * DIGIT & ((1 << DIGIT) - 1)]++] = a[i];
    u64 *other = a;
    a = b;
    b = other;
  }
  return a;
}

static size_t unique(u64 *a, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    a[kept] = a[i];
    kept += i + 1 == n || a[i + 1] != a[i];
  }
  return kept;
}

static Layer merged(Layer a, Layer b) {
  Layer m = {room((a.n + b.n) * sizeof(u64)), 0};
  size_t i = 0, j = 0;
  while (i < a.n && j < b.n) {
    u64 x = a.keys[i], y = b.keys[j];
    m.keys[m.n++] = x < y ? x : y;
    i += x <= y;
    j += y <= x;
  }
  while (i < a.n) m.keys[m.n++] = a.keys[i++];
  while (j < b.n) m.keys[m.n++] = b.keys[j++];
  free(a.keys);
  free(b.keys);
  m.keys = realloc(m.keys, (m.n ? m.n : 1) * sizeof(u64));
  return m;
}

static Layer following(const Layer *layer, u64 *one, u64 *two) {
  Layer runs[64];
  int many = 0;
  for (size_t next = 0; next < layer->n;) {
    size_t n = expand(layer, &next, one);
    u64 *result = sorted(one, two, n);
    Layer run = {NULL, unique(result, n)};
    run.keys = room(run.n * sizeof(u64));
    memcpy(run.keys, result, run.n * sizeof(u64));
    while (many && runs[many - 1].n <= 2 * run.n) run = merged(runs[--many], run);
    runs[many++] = run;
  }
  while (many > 1) {
    Layer last = runs[--many];
    runs[many - 1] = merged(runs[many - 1], last);
  }
  return runs[0];
}

static u64 smallest;
static int shift;
static uint32_t *directory;

static void index_keys(const Layer *layer) {
  u64 span = layer->keys[layer->n - 1] - layer->keys[0];
  size_t entries = layer->n < DIRECTORY ? layer->n : DIRECTORY, entry = 0;
  smallest = layer->keys[0];
  for (shift = 0; span >> shift > entries; shift++) {}
  for (size_t i = 0; i < layer->n; i++)
    for (u64 upper = (layer->keys[i] - smallest) >> shift; entry <= upper;) directory[entry++] = (uint32_t)i;
  directory[entry] = (uint32_t)layer->n;
}

static inline size_t find(const u64 *keys, u64 wanted) {
  u64 entry = (wanted - smallest) >> shift;
  size_t low = directory[entry], many = directory[entry + 1] - low;
  while (many > 1) {
    size_t half = many / 2;
    low += keys[low + half - 1] < wanted ? half : 0;
    many -= half;
  }
  return low;
}

static void back_up(const Layer *layer, int8_t *scores, const Layer *later, const int8_t *later_scores) {
  for (size_t i = 0; i < layer->n; i++) {
    u64 key = layer->keys[i], taken = taken_of(key), mine = key & taken;
    int best = -TOP;
    if (!connected(mine ^ taken)) {
      if (taken == BOARD) {
        best = 0;
      } else {
        for (u64 moves = (taken + BOTTOM) & BOARD; moves;) {
          u64 move = moves & -moves;
          moves ^= move;
          int score = -later_scores[find(later->keys, (mine ^ taken) + (taken | move) + BOTTOM)];
          if (score > best) best = score;
        }
        best += (best < 0) - (best > 0); /* one ply further away */
      }
    }
    scores[i] = (int8_t)best;
  }
}

static long long peak(void) { /* not ru_maxrss first: a child's counts what its parent held when it was forked */
  long long kilobytes = 0;
  char line[256];
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "VmHWM: %lld", &kilobytes);
  if (status) fclose(status);
  if (!kilobytes) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    kilobytes = used.ru_maxrss;
  }
  return kilobytes * 1024;
}

int main(void) {
  struct timespec a, b;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
  static Layer layers[W * H + 2];
  static int8_t *scores[W * H + 2];
  u64 *one = room(CHUNK * sizeof(u64)), *two = room(CHUNK * sizeof(u64));
  int last = 0;
  size_t total = 1;
  layers[0] = (Layer){room(sizeof(u64)), 1};
  layers[0].keys[0] = BOTTOM;
  while (last < W * H) {
    layers[last + 1] = following(&layers[last], one, two);
    total += layers[++last].n;
  }
  free(one);
  free(two);
  directory = room((DIRECTORY + 2) * sizeof(uint32_t));
  for (int ply = last; ply >= 0; ply--) {
    scores[ply] = room(layers[ply].n);
    back_up(&layers[ply], scores[ply], &layers[ply + 1], scores[ply + 1]);
    index_keys(&layers[ply]);
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
  printf("{\"count\": %zu, \"value\": %d, \"seconds\": %.6f, \"peak\": %lld}\n", total, scores[0][0],
         (b.tv_sec - a.tv_sec) + 1e-9 * (b.tv_nsec - a.tv_nsec), peak());
  return 0;
}
