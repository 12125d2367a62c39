// Vectors of the elements of arrays, and polynomials whose coefficients are looked up for each lane, by 16 intervals.
//
// On AVX-512 a row of 16 numbers is looked up by one instruction, elsewhere two rows by a load a lane; the arithmetic is
// the same.  Of the time of polynomials for all numbers and of those for tails `erf` takes 0.49 (AVX2: 0.76), `erfc` 0.57
// (0.84), `ndtr` 0.54 (0.84), `erfinv` 0.43 (0.58).
#pragma once
#include "arithmetic.h"
#include "vectors.h"

typedef uint64_t Naturals __attribute__((vector_size(WIDTH)));
typedef float Floats __attribute__((vector_size(WIDTH / 2)));
typedef struct { Reals high, low; } Pairs;
typedef struct { Reals first, second; } TwoRows;

#ifdef VECTOR
INLINE Reals smaller_of(double a, Reals x) { return VECTOR(min)(all(a), x); }  // x where it is NaN
#else
INLINE Reals smaller_of(double a, Reals x) {
  Integers is_first = a < x;
  return (Reals)((is_first & (Integers)all(a)) | (~is_first & (Integers)x));
}
#endif
// a where the sign of x is set, b elsewhere
#if WIDTH == 64
INLINE Reals where_negative(Reals x, Reals a, Reals b) {
  return _mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)x), b, a);
}
#elif WIDTH == 32
INLINE Reals where_negative(Reals x, Reals a, Reals b) { return _mm256_blendv_pd(b, a, x); }
#else
INLINE Reals where_negative(Reals x, Reals a, Reals b) {
  Integers is_first = (Integers)x >> 63;
  return (Reals)((is_first & (Integers)a) | (~is_first & (Integers)b));
}
#endif

INLINE Reals read_doubles(const double *x) { Reals w; memcpy(&w, x, sizeof w); return w; }
INLINE Reals read_floats(const float *x) { Floats w; memcpy(&w, x, sizeof w); return __builtin_convertvector(w, Reals); }
INLINE void write_doubles(double *to, Reals x) { memcpy(to, &x, sizeof x); }
INLINE void write_floats(float *to, Reals x) { Floats w = __builtin_convertvector(x, Floats); memcpy(to, &w, sizeof w); }
#define READ(x) _Generic(*(x), float: read_floats, double: read_doubles)((const void *)(x))
#define WRITE(to, x) _Generic(*(to), float: write_floats, double: write_doubles)((void *)(to), x)

// In the sign: whether x is not between two numbers >= 0; of others it is the bits that are compared.
INLINE Integers beyond(Reals x, double low, double high) {
  return (Integers)(((Naturals)x - bits(low)) | (bits(high) - (Naturals)x));
}
INLINE int is_any_negative(Integers x) {
  int64_t any = 0;
  for (int l = 0; l < LANES; l++) any |= x[l];
  return any < 0;
}

// Which of 16 numbers are looked up, by the four bits of x from `first` on: kept as a vector, read for each lane.
#if WIDTH == 64
typedef Naturals Indices;
INLINE Naturals kept_indices(Reals x, int first) { return (Naturals)x >> first; }
INLINE TwoRows looked_up(const double *rows, Indices at) {
  TwoRows w = {
    _mm512_permutex2var_pd(_mm512_load_pd(rows), (__m512i)at, _mm512_load_pd(rows + 8)),
    _mm512_permutex2var_pd(_mm512_load_pd(rows + 16), (__m512i)at, _mm512_load_pd(rows + 24)),
  };
  return w;
}
#else
typedef struct { uint64_t offset[LANES]; } Indices;
INLINE Naturals kept_indices(Reals x, int first) {
  return (first < 4 ? (Naturals)x << (4 - first) : (Naturals)x >> (first - 4)) & 0xf0;
}
#define AT(l) ((const double *)((const char *)rows + at.offset[l]))
INLINE TwoRows looked_up(const double *rows, Indices at) {
#if WIDTH == 32
  __m256d even = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(AT(0))), _mm_load_pd(AT(2)), 1);
  __m256d odd = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(AT(1))), _mm_load_pd(AT(3)), 1);
  TwoRows w = {_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd)};
#else
  TwoRows w = {{AT(0)[0], AT(1)[0]}, {AT(0)[1], AT(1)[1]}};
#endif
  return w;
}
#undef AT
#endif
INLINE Indices indices(const Naturals *kept) { Indices w; memcpy(&w, kept, sizeof w); return w; }
// What is kept of a vector for later steps
typedef struct { Pairs x; Naturals at; } Start;

// c[0] + c[1] x + .. for an even number of coefficients, and of looked up rows c
INLINE Reals polynomial_of(const double *c, int count, Reals x) {
  Reals square = x * x, sum = fused(all(c[count - 1]), x, all(c[count - 2]));
#pragma GCC unroll 16
  for (int k = count - 4; k >= 0; k -= 2) sum = fused(sum, square, fused(all(c[k + 1]), x, all(c[k])));
  return sum;
}
#define POLYNOMIAL_OF(C, x) polynomial_of(C, (int)(sizeof(C) / sizeof(*C)), x)
INLINE Reals looked_up_polynomial(const double (*rows)[32], int count, Indices at, Reals x) {
  TwoRows c = looked_up(rows[count - 1], at);
  Reals square = x * x, sum = fused(c.second, x, c.first);
#pragma GCC unroll 16
  for (int k = count - 2; k >= 0; k--) {
    c = looked_up(rows[k], at);
    sum = fused(sum, square, fused(c.second, x, c.first));
  }
  return sum;
}
// The value of rows m, c[0], c[1], .. at x.high + x.low: c[0] + s (c[1] + ..) for s = x - m
INLINE Pairs piecewise(const double (*rows)[32], int count, Indices at, Pairs x) {
  TwoRows start = looked_up(rows[0], at);
  Reals s = (x.high - start.first) + x.low, rest = s * looked_up_polynomial(rows + 1, count - 1, at, s);
  Reals sum = start.second + rest;
  Pairs w = {sum, rest - (sum - start.second)};
  return w;
}
#define PIECEWISE(ROWS, at, x) piecewise(ROWS, (int)(sizeof(ROWS) / sizeof(*ROWS)), at, x)

// exp(r) = 1 + r + z EXP_NEAR(r) for |r| <= log(2) / 32, z = r^2
INLINE Reals exp_near(Reals r, Reals z) {
  Reals p = fused(all(EXP_NEAR[4]), z, fused(all(EXP_NEAR[3]), r, all(EXP_NEAR[2])));
  return fused(p, z, fused(all(EXP_NEAR[1]), r, all(EXP_NEAR[0])));
}

// Loops of `loops.h` for the values NAME_usual of vectors, and NAME_rare where NAME_is_rare, of which NAME_beyond tells in
// the sign; for the derivative NAME_derivative_..., and for both.  What NAME_start finds is kept for a chunk: the steps of
// several vectors overlap more, in 0.93 of the time (AVX2: 0.75).
#define OF_VECTORS(NAME, ASSIGN)                                                                                       \
  Start start[CHUNK / LANES];                                                                                          \
  Start *kept = start;                                                                                                 \
  Integers any_beyond = {0};                                                                                           \
  for (int i = 0; i < whole; i += LANES) {                                                                             \
    Reals a = READ(x[0] + i);                                                                                          \
    *kept++ = NAME##_start(a);                                                                                         \
    any_beyond |= NAME##_beyond(a);                                                                                    \
  }                                                                                                                    \
  kept = start;                                                                                                        \
  for (int i = 0; i < whole; i += LANES, kept++) {                                                                     \
    Reals a = READ(x[0] + i);                                                                                          \
    ASSIGN(NAME, kept)                                                                                                 \
  }                                                                                                                    \
  int is_any_unusual = is_any_negative(any_beyond);
// NAME_far has no branches, and an array of its own: else GCC or Clang does not vectorize it.
#define RARE(NAME, WHAT, to)                                                                                           \
  if (is_any_unusual) {                                                                                                \
    double far[CHUNK] __attribute__((aligned(64)));                                                                    \
    _Pragma("GCC ivdep") for (int i = 0; i < whole; i++) far[i] = WHAT##_far((double)x[0][i]);                         \
    for (int i = 0; i < whole; i++) {                                                                                  \
      double a = (double)x[0][i];                                                                                      \
      if (NAME##_is_rare(a)) to[i] = WHAT##_rare(a, far[i]);                                                           \
    }                                                                                                                  \
  }
#define VALUE(NAME, start) WRITE(w + i, NAME##_usual(a, start));
#define DERIVATIVE_VALUE(NAME, start) WRITE(w + i, NAME##_derivative_usual(a, start));
#define BOTH_VALUES(NAME, start) VALUE(NAME, start) WRITE(d + i, NAME##_derivative_usual(a, start));
#define RARE_OF_BOTH(NAME) RARE(NAME, NAME, w) RARE(NAME, NAME##_derivative, d)
#define VECTOR_LOOPS(NAME, ...)                                                                                        \
  WITH(SCIPY_LOOP, NAME, 1, OF_VECTORS(NAME, VALUE) RARE(NAME, NAME, w), __VA_ARGS__)                                  \
  WITH(LOOP_OF, derivative_##NAME, 1, OF_VECTORS(NAME, DERIVATIVE_VALUE) RARE(NAME, NAME##_derivative, w),             \
       __VA_ARGS__, NO_REPORT)                                                                                         \
  WITH(BOTH_OF, NAME, OF_VECTORS(NAME, BOTH_VALUES) RARE_OF_BOTH(NAME), __VA_ARGS__)
#define VECTOR_LOOPS_OF(NAME) VECTOR_LOOPS(NAME, DOUBLE) VECTOR_LOOPS(NAME, FLOAT)
// The same where values NAME_far of vectors stand where NAME_beyond tells; and of one function without a start,
// which has nothing to report.
#define FAR(NAME, WHAT, to)                                                                                            \
  if (is_any_unusual) for (int i = 0; i < whole; i += LANES) {                                                         \
    Reals a = READ(x[0] + i);                                                                                          \
    WRITE(to + i, where_negative((Reals)NAME##_beyond(a), WHAT##_far(a, start + i / LANES), READ(to + i)));            \
  }
// The same where they are of numbers.
#define OF_VECTORS_OR_FAR(NAME)                                                                                        \
  OF_VECTORS(NAME, VALUE)                                                                                              \
  if (is_any_unusual) {                                                                                                \
    double far[CHUNK] __attribute__((aligned(64)));                                                                    \
    _Pragma("GCC ivdep") for (int i = 0; i < whole; i++) far[i] = NAME##_far((double)x[0][i]);                         \
    for (int i = 0; i < whole; i += LANES)                                                                             \
      WRITE(w + i, where_negative((Reals)NAME##_beyond(READ(x[0] + i)), read_doubles(far + i), READ(w + i)));          \
  }
#define FAR_OF_BOTH(NAME) FAR(NAME, NAME, w) FAR(NAME, NAME##_derivative, d)
#define VECTOR_LOOPS_WITH_FAR(NAME, ...)                                                                               \
  WITH(SCIPY_LOOP, NAME, 1, OF_VECTORS(NAME, VALUE) FAR(NAME, NAME, w), __VA_ARGS__)                                   \
  WITH(BOTH_OF, NAME, OF_VECTORS(NAME, BOTH_VALUES) FAR_OF_BOTH(NAME), __VA_ARGS__)
#define OF_EACH_VECTOR(FUNCTION)                                                                                       \
  int is_any_unusual = 0;                                                                                              \
  for (int i = 0; i < whole; i += LANES) WRITE(w + i, FUNCTION(READ(x[0] + i)));
#define DERIVATIVE_OF_VECTORS(NAME, FUNCTION)                                                                          \
  WITH(LOOP_OF, derivative_##NAME, 1, OF_EACH_VECTOR(FUNCTION), DOUBLE, NO_REPORT)                                     \
  WITH(LOOP_OF, derivative_##NAME, 1, OF_EACH_VECTOR(FUNCTION), FLOAT, NO_REPORT)
