// Arithmetic on many matrices at once, one a lane of a vector register.
//
// A `Number` holds the same element of LANES matrices, so that what is written for one matrix is done to all of them.
// Every lane takes the same IEEE operations whatever stands beside it: the bits of an item depend neither on its place
// nor on the size of the stack, nor on how long the registers are.
//
// Numbers in single precision are computed with in double precision, as NumPy does.  Whoever includes this file says
// LETTER, STORED (float or double: what the arrays hold) and IS_COMPLEX.
#include <stddef.h>
#include <stdint.h>
#include "export.h"
#include "small_iterations.h"
#include "vectors.h"

#define JOINED_(a, b) a##_##b
#define JOINED(a, b) JOINED_(a, b)

// What is done to the items `start` to `stop` of a stack: `arguments` are numbers and addresses.
#define KERNEL(name) EXPORT void JOINED(stacks_##name, LETTER)(Index start, Index stop, const Index *arguments)

typedef ptrdiff_t Index;
typedef struct { char *start; Index item, row, column; } Matrices;  // a stack of them, and its strides

INLINE Index next(const Index **arguments) { return *(*arguments)++; }
INLINE char *memory(const Index **arguments) { return (char *)next(arguments); }
INLINE Matrices matrices(const Index **arguments) {
  Matrices x;
  x.start = memory(arguments);
  x.item = next(arguments);
  x.row = next(arguments);
  x.column = next(arguments);
  return x;
}

typedef Integers Flags;  // all bits of a lane are set where it is true

enum { ELEMENT = (1 + IS_COMPLEX) * sizeof(STORED), BIAS = 1023 };

#define EPS 0x1p-52
#define MARGIN (16 * EPS)  // n times this, beside the largest, is zero up to rounding
#define SMALLEST 0x1p-1020  // its reciprocal is a normal number, too

INLINE Integers all_integers(int64_t x) { return (Integers){0} + x; }

INLINE Integers chosen_integers(Flags where, Integers x, Integers y) { return (where & x) | (~where & y); }
#if WIDTH == 32
INLINE Reals chosen_real(Flags where, Reals x, Reals y) { return VECTOR(blendv)(y, x, (Reals)where); }
#else
INLINE Reals chosen_real(Flags where, Reals x, Reals y) {
  return (Reals)chosen_integers(where, (Integers)x, (Integers)y);
}
#endif

INLINE int is_false(Flags where) {  // in every lane
  int64_t any = 0;
  for (int l = 0; l < LANES; l++) any |= where[l];
  return !any;
}
INLINE Reals larger(Reals x, Reals y) { return chosen_real(x > y, x, y); }
INLINE Integers exponent(Reals x) { return ((Integers)absolute(x) >> 52) - BIAS; }  // of normal numbers
INLINE Reals power_of_two(Integers e) { return (Reals)((e + BIAS) << 52); }

#if IS_COMPLEX
typedef struct { Reals re, im; } Number;
INLINE Number number(Reals re) { return (Number){re, all(0)}; }
INLINE Number plus_product(Number z, Number x, Number y) {  // z + x y
  return (Number){fused(-x.im, y.im, fused(x.re, y.re, z.re)), fused(x.im, y.re, fused(x.re, y.im, z.im))};
}
INLINE Number minus_product(Number z, Number x, Number y) {  // z - x y
  return (Number){fused(x.im, y.im, fused(-x.re, y.re, z.re)), fused(-x.im, y.re, fused(-x.re, y.im, z.im))};
}
INLINE Number product(Number x, Number y) { return plus_product(number(all(0)), x, y); }
INLINE Number times(Number x, Reals y) { return (Number){x.re * y, x.im * y}; }
INLINE Number plus_times(Number z, Number x, Reals y) {  // z + x y
  return (Number){fused(x.re, y, z.re), fused(x.im, y, z.im)};
}
INLINE Number over(Number x, Reals y) { return (Number){x.re / y, x.im / y}; }
INLINE Number conjugate(Number x) { return (Number){x.re, -x.im}; }
INLINE Reals real_part(Number x) { return x.re; }
INLINE Reals size(Number x) { return absolute(x.re) + absolute(x.im); }  // by which LAPACK chooses pivots
INLINE Reals larger_part(Number x) { return larger(absolute(x.re), absolute(x.im)); }
INLINE Flags is_real(Number x) { return x.im == 0; }
INLINE Reals square(Number x) { return fused(x.re, x.re, x.im * x.im); }
INLINE Number reciprocal(Number x) {  // without squares that over- or underflow
  Reals scale = power_of_two(-exponent(larger_part(x)));
  Number y = times(x, scale);
  return times(times(conjugate(y), 1 / square(y)), scale);
}
INLINE Number chosen(Flags where, Number x, Number y) {
  return (Number){chosen_real(where, x.re, y.re), chosen_real(where, x.im, y.im)};
}
INLINE Reals not_finite(Number x) { return fused(all(0), x.re, 0 * x.im); }  // NaN where it is not, else 0
#else
typedef Reals Number;
INLINE Number number(Reals re) { return re; }
INLINE Number plus_product(Number z, Number x, Number y) { return fused(x, y, z); }
INLINE Number minus_product(Number z, Number x, Number y) { return fused(-x, y, z); }
INLINE Number product(Number x, Number y) { return x * y; }
INLINE Number times(Number x, Reals y) { return x * y; }
INLINE Number plus_times(Number z, Number x, Reals y) { return fused(x, y, z); }
INLINE Number over(Number x, Reals y) { return x / y; }
INLINE Number conjugate(Number x) { return x; }
INLINE Reals real_part(Number x) { return x; }
INLINE Reals size(Number x) { return absolute(x); }
INLINE Reals larger_part(Number x) { return absolute(x); }
INLINE Flags is_real(Number x) { return (void)x, all_integers(-1); }
INLINE Reals square(Number x) { return x * x; }
INLINE Number reciprocal(Number x) { return 1 / x; }
INLINE Number chosen(Flags where, Number x, Number y) { return chosen_real(where, x, y); }
INLINE Reals not_finite(Number x) { return 0 * x; }
#endif

// Where the items of the lanes begin.  Lanes beyond the last item read it once more, and are not written.
typedef struct {
  char *at[LANES];
  int count;
} Items;

INLINE Items items(const void *start, Index stride, Index first, Index stop) {
  Items x;
  x.count = stop - first < LANES ? (int)(stop - first) : LANES;
  for (int l = 0; l < LANES; l++) x.at[l] = (char *)start + stride * (first + (l < x.count ? l : x.count - 1));
  return x;
}
INLINE Items items_of(const Matrices *x, Index first, Index stop) { return items(x->start, x->item, first, stop); }
// The same items, each from an offset of its own on.
INLINE Items moved(const Items *from, Integers index, Index stride) {
  Items x = *from;
  for (int l = 0; l < LANES; l++) x.at[l] += index[l] * stride;
  return x;
}
// The first numbers of an array, at most LANES, 0 beyond them; and back.
INLINE Reals read_some(const STORED *from, int count) {
#if defined(__AVX512F__)
  __mmask8 first = count < LANES ? (1 << count) - 1 : 0xff;
  return sizeof(STORED) == 8 ? _mm512_maskz_loadu_pd(first, from) : _mm512_cvtps_pd(_mm256_maskz_loadu_ps(first, from));
#else
  double x[LANES];
  for (int l = 0; l < LANES; l++) x[l] = l < count ? from[l] : 0;
  return (Reals)EACH(x);
#endif
}
INLINE void write_some(STORED *to, int count, Reals x) {
#if defined(__AVX512F__)
  __mmask8 first = count < LANES ? (1 << count) - 1 : 0xff;
  if (sizeof(STORED) == 8) _mm512_mask_storeu_pd(to, first, x);
  else _mm256_mask_storeu_ps(to, first, _mm512_cvtpd_ps(x));
#else
  for (int l = 0; l < LANES && l < count; l++) to[l] = (STORED)x[l];
#endif
}
INLINE Reals read_real(const Items *from, Index offset) {
  double x[LANES];
  for (int l = 0; l < LANES; l++) x[l] = *(const STORED *)(from->at[l] + offset);
  return (Reals)EACH(x);
}
INLINE void write_real(const Items *to, Index offset, Reals x) {
  if (to->count == LANES)
    for (int l = 0; l < LANES; l++) *(STORED *)(to->at[l] + offset) = (STORED)x[l];
  else
    for (int l = 0; l < to->count; l++) *(STORED *)(to->at[l] + offset) = (STORED)x[l];
}
#if IS_COMPLEX
INLINE Number read(const Items *from, Index offset) {
  return (Number){read_real(from, offset), read_real(from, offset + (Index)sizeof(STORED))};
}
INLINE void write(const Items *to, Index offset, Number x) {
  write_real(to, offset, x.re);
  write_real(to, offset + (Index)sizeof(STORED), x.im);
}
#else
INLINE Number read(const Items *from, Index offset) { return read_real(from, offset); }
INLINE void write(const Items *to, Index offset, Number x) { write_real(to, offset, x); }
#endif

INLINE void write_flags(char *to, Index first, int count, Flags where) {
  for (int l = 0; l < count; l++) to[first + l] = where[l] != 0;
}
