// Jacobi's rotations in a fixed order, for matrices of any size: each number by operations of IEEE 754 alone.
#include "arithmetic.h"
#include "export.h"
#include <stddef.h>

typedef ptrdiff_t Index;

INLINE double power_of(int k) { return from_bits(k < -1022 ? 1ull << (k + 1074) : (uint64_t)(k + 1023) << 52); }
// 2**k x, rounded once, for k from -1074 on
INLINE double shifted(double x, int k) { return k > 1000 ? x * power_of(1000) * power_of(k - 1000) : x * power_of(k); }
// e, where x = m 2**e and 0.5 <= m < 1; of zero 0
INLINE int exponent_of(double x) {
  if (x == 0) return 0;
  return x < 0x1p-1022 ? (int)(bits(x * 0x1p64) >> 52) - 1086 : (int)(bits(x) >> 52) - 1022;
}

#define LETTER d
#define T double
#define IS_COMPLEX 0
#include "jacobi_sweeps.h"
#define LETTER f
#define T float
#define IS_COMPLEX 0
#include "jacobi_sweeps.h"
#define LETTER D
#define T double
#define IS_COMPLEX 1
#include "jacobi_sweeps.h"
#define LETTER F
#define T float
#define IS_COMPLEX 1
#include "jacobi_sweeps.h"
