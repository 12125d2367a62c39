// Sums of products of vectors, in blocks, each the same tree of fused additions whatever the length of a register.
//
// A block has WIDE running sums, of the products whose places differ by multiples of WIDE; halves of these are added
// until one is left.  What a block begins with and how its elements are aligned change nothing.
#include "arithmetic.h"
#include "export.h"
#include <stddef.h>

typedef ptrdiff_t Index;
enum { BLOCK = 4096, WIDE = 64 }; // `sums.py` has the same BLOCK

INLINE double total(double *sums) {
  for (int half = WIDE / 2; half; half /= 2)
    for (int j = 0; j < half; j++) sums[j] += sums[j + half];
  return sums[0];
}

// Sums of `a b`, of complex numbers of `conj(a) b`: those of the blocks `start, .., stop` of vectors of `n` numbers that
// lie one behind the other, each of which begins a block.
#define PRODUCTS(LETTER, T)                                                                                            \
  EXPORT void sums_products_##LETTER(Index start, Index stop, Index n, const T *a, const T *b, double *x) {            \
    Index blocks = (n + BLOCK - 1) / BLOCK;                                                                            \
    for (Index i = start; i < stop; i++) {                                                                             \
      Index first = i % blocks * BLOCK, count = n - first < BLOCK ? n - first : BLOCK, k = 0;                          \
      const T *u = a + i / blocks * n + first, *v = b + i / blocks * n + first;                                        \
      double sums[WIDE] __attribute__((aligned(64))) = {0};                                                            \
      for (; k + WIDE <= count; k += WIDE)                                                                             \
        for (int j = 0; j < WIDE; j++) sums[j] = fma_(u[k + j], v[k + j], sums[j]);                                    \
      for (int j = 0; k < count; j++, k++) sums[j] = fma_(u[k], v[k], sums[j]);                                        \
      x[i] = total(sums);                                                                                              \
    }                                                                                                                  \
  }
PRODUCTS(d, double)
PRODUCTS(f, float)

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
