// Sums of products of vectors, in blocks, each the same tree of fused additions whatever the length of a register.
//
// A block has WIDE running sums.  Of real numbers it is read at STREAMS places at the same time, which fetches it faster
// from memory, each with WIDE / STREAMS running sums; of complex ones at one.  Halves of the sums are added until one is
// left.  What a block begins with and how its elements are aligned change nothing.  The sums of the blocks of a vector
// are added one after the other; which thread has summed which changes nothing.
#include "arithmetic.h"
#include "export.h"
#include "threads.h"
#include "vectors.h"
#include <stdlib.h>

typedef ptrdiff_t Index;
enum { BLOCK = 4096, WIDE = 32, STREAMS = 4, STREAM = BLOCK / STREAMS, OWN = WIDE / STREAMS, VECTORS = OWN / LANES };
enum { PIECE = 8 * BLOCK, FEW = 64, WORTH_SHARING = 8 };

// `count` vectors a and b of n numbers, each set one behind the other, and a sum for each block.
typedef struct {
  Index count, n, piece;
  const void *a, *b;
  double *sums;
} products;

static Index blocks_of(Index n) { return (n + BLOCK - 1) / BLOCK; }

// By a function that sums the blocks of a piece, each to `parts` numbers, the sums of the vectors to x.  A piece has as
// many blocks as make PIECE numbers, 3 to 6 microseconds; to wake a sleeping thread takes as long.  1 if there is no
// memory.
static int sums_of(task *blocks, Index parts, Index threads, products *job, double *x) {
  Index each = blocks_of(job->n), all = job->count * each, least = job->n < BLOCK ? job->n : BLOCK;
  double few[FEW];
  job->sums = each == 1 ? x : all * parts <= FEW ? few : malloc(all * parts * sizeof(double));
  if (!job->sums) return 1;
  job->piece = PIECE / least;
  Index pieces = (all + job->piece - 1) / job->piece;
  shared(blocks, job, pieces, pieces < WORTH_SHARING ? 1 : threads);
  if (each == 1) return 0;
  for (Index i = 0; i < job->count; i++)
    for (Index part = 0; part < parts; part++) {
      const double *sums = job->sums + i * each * parts + part;
      double sum = sums[0];
      for (Index k = 1; k < each; k++) sum += sums[k * parts];
      x[i * parts + part] = sum;
    }
  if (job->sums != few) free(job->sums);
  return 0;
}

INLINE double total(double *sums) {
  for (int half = WIDE / 2; half; half /= 2)
    for (int j = 0; j < half; j++) sums[j] += sums[j + half];
  return sums[0];
}

#define LETTER d
#define T double
#include "real_sums.h"
#define LETTER f
#define T float
#include "real_sums.h"

// Of complex numbers the sums of `conj(a) b`.
#define COMPLEX_PRODUCTS(LETTER, T)                                                                                    \
  static void complex_blocks_##LETTER(void *of, Index piece) {                                                         \
    const products *job = of;                                                                                          \
    Index n = job->n, blocks = blocks_of(n), stop = (piece + 1) * job->piece;                                          \
    if (stop > job->count * blocks) stop = job->count * blocks;                                                        \
    for (Index i = piece * job->piece; i < stop; i++) {                                                                \
      Index first = i % blocks * BLOCK, count = n - first < BLOCK ? n - first : BLOCK, k = 0;                          \
      const T *u = (const T *)job->a + 2 * (i / blocks * n + first), *v = (const T *)job->b + (u - (const T *)job->a); \
      double re[WIDE] __attribute__((aligned(64))) = {0}, im[WIDE] __attribute__((aligned(64))) = {0};                 \
      for (; k < count; k += WIDE) {                                                                                   \
        int wide = count - k < WIDE ? (int)(count - k) : WIDE;                                                         \
        for (int j = 0; j < wide; j++) {                                                                               \
          double c = u[2 * (k + j)], d = u[2 * (k + j) + 1], e = v[2 * (k + j)], f = v[2 * (k + j) + 1];               \
          re[j] = fma_(d, f, fma_(c, e, re[j]));                                                                       \
          im[j] = fma_(-d, e, fma_(c, f, im[j]));                                                                      \
        }                                                                                                              \
      }                                                                                                                \
      job->sums[2 * i] = total(re);                                                                                    \
      job->sums[2 * i + 1] = total(im);                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  EXPORT int sums_products_##LETTER(Index threads, Index count, Index n, const T *a, const T *b, double *x) {          \
    return sums_of(complex_blocks_##LETTER, 2, threads, &(products){count, n, 0, a, b, NULL}, x);                      \
  }
COMPLEX_PRODUCTS(D, double)
COMPLEX_PRODUCTS(F, float)
