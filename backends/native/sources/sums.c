// Sums of products of vectors, in blocks, each the same tree of fused additions whatever the length of a register.
//
// A block has WIDE running sums.  Of real numbers it is read at STREAMS places at the same time, which fetches it faster
// from memory, each with WIDE / STREAMS running sums; of complex ones at one.  Halves of the sums are added until one is
// left.  What a block begins with and how its elements are aligned change nothing.
#include "arithmetic.h"
#include "export.h"
#include "vectors.h"
#include <stddef.h>

typedef ptrdiff_t Index;
enum { BLOCK = 4096, WIDE = 32, STREAMS = 4, STREAM = BLOCK / STREAMS, OWN = WIDE / STREAMS, VECTORS = OWN / LANES };
// `sums.py` has the same BLOCK

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
  EXPORT void sums_products_##LETTER(Index start, Index stop, Index n, const T *a, const T *b, double *x) {            \
    Index blocks = (n + BLOCK - 1) / BLOCK;                                                                            \
    for (Index i = start; i < stop; i++) {                                                                             \
      Index first = i % blocks * BLOCK, count = n - first < BLOCK ? n - first : BLOCK, k = 0;                          \
      const T *u = a + 2 * (i / blocks * n + first), *v = b + 2 * (i / blocks * n + first);                            \
      double re[WIDE] __attribute__((aligned(64))) = {0}, im[WIDE] __attribute__((aligned(64))) = {0};                 \
      for (; k < count; k += WIDE) {                                                                                   \
        int wide = count - k < WIDE ? (int)(count - k) : WIDE;                                                         \
        for (int j = 0; j < wide; j++) {                                                                               \
          double c = u[2 * (k + j)], d = u[2 * (k + j) + 1], e = v[2 * (k + j)], f = v[2 * (k + j) + 1];               \
          re[j] = fma_(d, f, fma_(c, e, re[j]));                                                                       \
          im[j] = fma_(-d, e, fma_(c, f, im[j]));                                                                      \
        }                                                                                                              \
      }                                                                                                                \
      x[2 * i] = total(re);                                                                                            \
      x[2 * i + 1] = total(im);                                                                                        \
    }                                                                                                                  \
  }
COMPLEX_PRODUCTS(D, double)
COMPLEX_PRODUCTS(F, float)
