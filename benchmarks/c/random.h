/* The random numbers of core/bits.py: splitmix64 [Steele14], streams of a seed. */
#include <stdint.h>

typedef uint64_t u64;

static u64 random_state;

static inline u64 finalized(u64 word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
  return word ^ (word >> 31);
}
static inline u64 mix64(u64 word) { return finalized(word) >> 2; }
static inline void reseed(u64 seed, u64 stream) { random_state = mix64(mix64(seed) + stream) << 2; }
static inline u64 random_word(void) { return finalized(random_state += 0x9E3779B97F4A7C15ULL) >> 11; }
static inline int random_below(int n) { return (int)((random_word() >> 22) * (u64)n >> 31); }
