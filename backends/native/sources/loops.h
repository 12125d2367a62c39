// Inner loops of ufuncs around functions of one element: any strides, any alignment, in place or not.
//
// Whole vectors of dense arrays are read and written where they lie; all others go through buffers on the stack, filled up
// to whole vectors, so that one element takes the same instructions as a million.  A loop raises no floating-point error
// beside those that it reports.
#pragma once
#include "arithmetic.h"
#include "export.h"
#include <fenv.h>

#define CHUNK 256
#define LINE 64 // bytes that the cache has at once, and that vectors begin at
#define WHOLE 8 // elements of the longest vector

typedef intptr_t size;
typedef void loop(char **, const size *, const size *, void *);
typedef struct { loop *loop; void *data; } fallback;

#if defined(__x86_64__)
typedef unsigned flags;
INLINE flags get_flags(void) { return __builtin_ia32_stmxcsr(); }
// To write them waits for all arithmetic, so that what they are already is not written.
INLINE void set_flags(flags f) { if (get_flags() != f) __builtin_ia32_ldmxcsr(f); }
INLINE void clear_flags(void) { set_flags(get_flags() & ~(unsigned)(FE_ALL_EXCEPT & ~FE_INEXACT)); }
#else
typedef fexcept_t flags;
INLINE flags get_flags(void) { fexcept_t f; fegetexceptflag(&f, FE_ALL_EXCEPT); return f; }
INLINE void set_flags(flags f) { feclearexcept(FE_ALL_EXCEPT); fesetexceptflag(&f, FE_ALL_EXCEPT); }
INLINE void clear_flags(void) { feclearexcept(FE_ALL_EXCEPT); }
#endif

// The compiler must not move arithmetic over what reads or writes the flags.
#define BARRIER(a) __asm__ volatile("" : : "r"(a) : "memory")

// Elements from memory, and back.
INLINE void gather(void *to, const char *from, size step, int count, size bytes) {
  if (step == bytes) memcpy(to, from, count * bytes);
  else for (int i = 0; i < count; i++) memcpy((char *)to + i * bytes, from + i * step, bytes);
}
INLINE void scatter(char *to, const void *from, size step, int count, size bytes) {
  if (step == bytes) memcpy(to, from, count * bytes);
  else for (int i = 0; i < count; i++) memcpy(to + i * step, (const char *)from + i * bytes, bytes);
}

// Whether parts of memory of so many bytes do not overlap.
INLINE int is_apart(const char *a, const char *b, size bytes) { return a + bytes <= b || b + bytes <= a; }

// FILL writes the values w[i] at the numbers x[0][i], .., and where there are two RESULTS d[i], and declares
// `is_any_unusual`: whether any w[i] may be another than an ordinary number.  REPORT is called where one is, may
// replace it, and returns the floating-point errors to raise.
#define LOOP_OF(NAME, COUNT, FILL, T, DTYPE, SMALLEST, LARGEST, REPORT)                                                \
  EXPORT void NAME##_##DTYPE(char **args, const size *dimensions, const size *steps, void *data) {                     \
    FILLED_LOOP(COUNT, 1, FILL, T, SMALLEST, LARGEST, REPORT)                                                          \
  }
#define FILLED_LOOP(COUNT, RESULTS, FILL, T, SMALLEST, LARGEST, REPORT)                                                \
    enum { ALL = COUNT + RESULTS };                                                                                    \
    size n = *dimensions, bytes = CHUNK * sizeof(T), done = 0;                                                         \
    flags before = get_flags();                                                                                        \
    int errors = 0, is_dense = 1;                                                                                      \
    for (int k = COUNT; k < ALL; k++) is_dense &= steps[k] == sizeof(T);                                               \
    while (done < n) {                                                                                                 \
      int count = n - done < CHUNK ? (int)(n - done) : CHUNK, whole = (count + WHOLE - 1) & -WHOLE;                    \
      int is_direct = is_dense && count == whole;                                                                      \
      T held[ALL][CHUNK] __attribute__((aligned(64)));                                                                 \
      char *to[RESULTS];                                                                                               \
      const T *x[COUNT];                                                                                               \
      for (int k = 0; k < RESULTS; k++) to[k] = args[COUNT + k] + done * steps[COUNT + k];                             \
      for (int k = 0; k < COUNT; k++) {                                                                                \
        const char *from = args[k] + done * steps[k];                                                                  \
        int lies = is_direct && steps[k] == sizeof(T);                                                                 \
        for (int i = 0; i < RESULTS; i++) lies = lies && is_apart(from, to[i], bytes);                                 \
        x[k] = lies ? (const T *)from : held[k];                                                                       \
        if (lies) continue;                                                                                            \
        gather(held[k], from, steps[k], count, sizeof(T));                                                             \
        for (int i = count; i < whole; i++) held[k][i] = 1;                                                            \
      }                                                                                                                \
      T *w = is_direct ? (T *)to[0] : held[COUNT], *d = is_direct ? (T *)to[RESULTS - 1] : held[ALL - 1];              \
      (void)d;                                                                                                         \
      /* What is read two chunks later: from memory, of 24 MB, 0.85 to 0.93 of the time. */                            \
      if (is_direct) for (int k = 0; k < COUNT; k++) for (size i = 2 * bytes; i < 3 * bytes; i += LINE)                \
        __builtin_prefetch((const char *)x[k] + i);                                                                    \
      FILL                                                                                                             \
      int rare = 0;                                                                                                    \
      if (is_any_unusual) for (int i = 0; i < whole; i++)                                                              \
        rare |= !(fabs((double)w[i]) >= SMALLEST && fabs((double)w[i]) <= LARGEST);                                    \
      if (rare) errors |= REPORT(data, x, w, count);                                                                   \
      if (!is_direct)                                                                                                  \
        for (int k = 0; k < RESULTS; k++) scatter(to[k], held[COUNT + k], steps[COUNT + k], count, sizeof(T));         \
      done += count;                                                                                                   \
    }                                                                                                                  \
    BARRIER(args);                                                                                                     \
    set_flags((flags)(before | errors));

// SciPy's loop for the same types comes with `data`: it reports what `scipy.special.errstate` asks for where the value
// is not finite or underflows, and where the value is NaN at numbers, SciPy's stands.
#define REPORT_BY_SCIPY(NAME, COUNT, T, DTYPE, SMALLEST, LARGEST)                                                      \
  static __attribute__((noinline, cold)) int NAME##_##DTYPE##_report(                                                  \
    const fallback *f, const T *const *x, T *w, int count                                                              \
  ) {                                                                                                                  \
    T chosen[COUNT][CHUNK], found[CHUNK];                                                                              \
    int at[CHUNK];                                                                                                     \
    size n = 0;                                                                                                        \
    for (int i = 0; i < count; i++) {                                                                                  \
      int is_number = 1;                                                                                               \
      for (int k = 0; k < COUNT; k++) is_number &= x[k][i] == x[k][i];                                                 \
      int is_usual = (fabs((double)w[i]) >= SMALLEST && fabs((double)w[i]) <= LARGEST) || (x[0][i] == 0 && w[i] == 0); \
      if (!is_number || is_usual) continue;                                                                            \
      for (int k = 0; k < COUNT; k++) chosen[k][n] = x[k][i];                                                          \
      at[n++] = i;                                                                                                     \
    }                                                                                                                  \
    char *args[COUNT + 1];                                                                                             \
    size steps[COUNT + 1];                                                                                             \
    for (int k = 0; k <= COUNT; k++) args[k] = (char *)(k < COUNT ? chosen[k] : found), steps[k] = sizeof(T);          \
    if (f && n) {                                                                                                      \
      clear_flags();                                                                                                   \
      f->loop(args, &n, steps, f->data);                                                                               \
      for (int i = 0; i < n; i++)                                                                                      \
        if (w[at[i]] != w[at[i]]) w[at[i]] = found[i];                                                                 \
    }                                                                                                                  \
    return 0;                                                                                                          \
  }
#define SCIPY_LOOP(NAME, COUNT, FILL, T, DTYPE, SMALLEST, LARGEST)                                                     \
  REPORT_BY_SCIPY(NAME, COUNT, T, DTYPE, SMALLEST, LARGEST)                                                            \
  LOOP_OF(NAME, COUNT, FILL, T, DTYPE, SMALLEST, LARGEST, NAME##_##DTYPE##_report)

// The errors of IEEE 754 by value a and, of one argument, b = 1: infinity at finite numbers is division by zero where
// POLE, and overflow elsewhere; zero at others than zero is an underflow where VANISHES.  REST is the value where the
// vectorized one is NaN at finite numbers.
#define REPORT_BY_IEEE(NAME, COUNT, T, DTYPE, SMALLEST, POLE, VANISHES, REST)                                          \
  static __attribute__((noinline, cold)) int NAME##_##DTYPE##_report(                                                  \
    const void *data, const T *const *x, T *w, int count                                                               \
  ) {                                                                                                                  \
    (void)data;                                                                                                        \
    int errors = 0;                                                                                                    \
    for (int i = 0; i < count; i++) {                                                                                  \
      double a = (double)x[0][i], b = COUNT > 1 ? (double)x[COUNT - 1][i] : 1.0;                                       \
      int is_finite = fabs(a) <= DBL_MAX && fabs(b) <= DBL_MAX;                                                        \
      if (w[i] != w[i] && is_finite) w[i] = (T)REST;                                                                   \
      double size_of = fabs((double)w[i]);                                                                             \
      if (w[i] != w[i]) errors |= a == a && b == b ? FE_INVALID : 0;                                                   \
      else if (!is_finite) continue;                                                                                   \
      else if (size_of > DBL_MAX) errors |= POLE ? FE_DIVBYZERO : FE_OVERFLOW;                                         \
      else if (size_of < SMALLEST && (size_of > 0 || (VANISHES && a != 0 && b != 0))) errors |= FE_UNDERFLOW;          \
    }                                                                                                                  \
    return errors;                                                                                                     \
  }
#define IEEE_LOOP(NAME, COUNT, FILL, T, DTYPE, SMALLEST, LARGEST, POLE, VANISHES, REST)                                \
  REPORT_BY_IEEE(NAME, COUNT, T, DTYPE, SMALLEST, POLE, VANISHES, REST)                                                \
  LOOP_OF(NAME, COUNT, FILL, T, DTYPE, SMALLEST, LARGEST, NAME##_##DTYPE##_report)

#define FILLED_WITH(VALUE) _Pragma("GCC ivdep") for (int i = 0; i < whole; i++) w[i] = VALUE;
#define OF_ONE(FUNCTION) int is_any_unusual = 1; FILLED_WITH(FUNCTION((double)x[0][i]))
#define OF_TWO(FUNCTION) int is_any_unusual = 1; FILLED_WITH(FUNCTION((double)x[0][i], (double)x[1][i]))
// Values where NAME_rare replaces those of NAME_usual: beyond a number in size, and NaN.  Most chunks have none, and all
// others are ordinary numbers.  Sizes are compared as integers.
#define LARGEST_OF(a, top) { int64_t size_of = (int64_t)bits(fabs(a)); top = size_of > top ? size_of : top; }
#define IS_RARE(a, LIMIT) !(fabs(a) <= LIMIT)
#define OF_ONE_OR_RARE(NAME, LIMIT)                                                                                    \
  int64_t top = 0;                                                                                                     \
  _Pragma("GCC ivdep") for (int i = 0; i < whole; i++) {                                                               \
    double a = (double)x[0][i];                                                                                        \
    w[i] = NAME##_usual(a);                                                                                            \
    LARGEST_OF(a, top)                                                                                                 \
  }                                                                                                                    \
  int is_any_unusual = top > (int64_t)bits(LIMIT);                                                                     \
  if (is_any_unusual) for (int i = 0; i < whole; i++) {                                                                \
    double a = (double)x[0][i];                                                                                        \
    if (IS_RARE(a, LIMIT)) w[i] = NAME##_rare(a);                                                                      \
  }
// The same where values are subnormal only of arguments that are.
#define SMALLEST_OF(a, bottom) { int64_t size_of = (int64_t)bits(fabs(a)); bottom = size_of < bottom ? size_of : bottom; }
#define OF_ONE_OR_FAR(NAME, LIMIT)                                                                                     \
  int64_t top = 0;                                                                                                     \
  int64_t bottom = INT64_MAX;                                                                                          \
  _Pragma("GCC ivdep") for (int i = 0; i < whole; i++) {                                                               \
    double a = (double)x[0][i];                                                                                        \
    w[i] = NAME##_usual(a);                                                                                            \
    LARGEST_OF(a, top)                                                                                                 \
    SMALLEST_OF(a, bottom)                                                                                             \
  }                                                                                                                    \
  int is_any_far = top > (int64_t)bits(LIMIT);                                                                         \
  int is_any_unusual = is_any_far || bottom < (int64_t)bits(sizeof(*w) == sizeof(float) ? FLT_MIN : DBL_MIN);          \
  if (is_any_far) for (int i = 0; i < whole; i++) {                                                                    \
    double a = (double)x[0][i];                                                                                        \
    if (IS_RARE(a, LIMIT)) w[i] = NAME##_rare(a);                                                                      \
  }
// The same where they are rare but for normal numbers above 0, up to a largest one.
#define IS_NORMAL(a, LARGEST) (bits(a) - bits(DBL_MIN) <= bits(LARGEST) - bits(DBL_MIN))
#define OF_NORMAL_OR_RARE(NAME, LARGEST)                                                                               \
  uint64_t top = 0;                                                                                                    \
  _Pragma("GCC ivdep") for (int i = 0; i < whole; i++) {                                                               \
    double a = (double)x[0][i];                                                                                        \
    w[i] = NAME##_usual(a);                                                                                            \
    uint64_t above = bits(a) - bits(DBL_MIN);                                                                          \
    top = above > top ? above : top;                                                                                   \
  }                                                                                                                    \
  int is_any_unusual = top > bits(LARGEST) - bits(DBL_MIN);                                                            \
  if (is_any_unusual) for (int i = 0; i < whole; i++) {                                                                \
    double a = (double)x[0][i];                                                                                        \
    if (!IS_NORMAL(a, LARGEST)) w[i] = NAME##_rare(a);                                                                 \
  }
#define DOUBLE double, float64, DBL_MIN, DBL_MAX
#define FLOAT float, float32, FLT_MIN, FLT_MAX
#define WITH(MACRO, ...) MACRO(__VA_ARGS__)

// Functions of `scipy.special`.
#define UNARY_DOUBLE(NAME, FUNCTION) WITH(SCIPY_LOOP, NAME, 1, OF_ONE(FUNCTION), DOUBLE)
#define BINARY_DOUBLE(NAME, FUNCTION) WITH(SCIPY_LOOP, NAME, 2, OF_TWO(FUNCTION), DOUBLE)
#define UNARY(NAME, FUNCTION) UNARY_DOUBLE(NAME, FUNCTION) WITH(SCIPY_LOOP, NAME, 1, OF_ONE(FUNCTION), FLOAT)
#define BINARY(NAME, FUNCTION) BINARY_DOUBLE(NAME, FUNCTION) WITH(SCIPY_LOOP, NAME, 2, OF_TWO(FUNCTION), FLOAT)

// Derivatives, `derivative_erf_float64` and so on: what is not a number is NaN, and nothing is reported.  Those of two
// arguments are named by the one that they are in, `derivative_xlogy_1_float64`.
#define NO_REPORT(data, x, w, count) ((void)(data), 0)
#define DERIVATIVE(NAME, FUNCTION)                                                                                     \
  WITH(LOOP_OF, derivative_##NAME, 1, OF_ONE(FUNCTION), DOUBLE, NO_REPORT)                                             \
  WITH(LOOP_OF, derivative_##NAME, 1, OF_ONE(FUNCTION), FLOAT, NO_REPORT)
#define DERIVATIVE_2(NAME, FUNCTION)                                                                                   \
  WITH(LOOP_OF, derivative_##NAME, 2, OF_TWO(FUNCTION), DOUBLE, NO_REPORT)                                             \
  WITH(LOOP_OF, derivative_##NAME, 2, OF_TWO(FUNCTION), FLOAT, NO_REPORT)

// A function of one argument and its derivative in one pass, `both_erfc_float64` and so on, where they have so much in
// common that it takes at most 0.85 of the time; the values are those of both loops.
#define BOTH_OF(NAME, FILL, T, DTYPE, SMALLEST, LARGEST)                                                               \
  EXPORT void both_##NAME##_##DTYPE(char **args, const size *dimensions, const size *steps, void *data) {              \
    FILLED_LOOP(1, 2, FILL, T, SMALLEST, LARGEST, NAME##_##DTYPE##_report)                                             \
  }
#define OF_BOTH(FUNCTION, PARTIAL)                                                                                     \
  int is_any_unusual = 1;                                                                                              \
  _Pragma("GCC ivdep") for (int i = 0; i < whole; i++) {                                                               \
    double a = (double)x[0][i];                                                                                        \
    w[i] = FUNCTION(a); d[i] = PARTIAL(a);                                                                             \
  }
#define OF_BOTH_OR_RARE(NAME, LIMIT)                                                                                   \
  int64_t top = 0;                                                                                                     \
  _Pragma("GCC ivdep") for (int i = 0; i < whole; i++) {                                                               \
    double a = (double)x[0][i];                                                                                        \
    w[i] = NAME##_usual(a); d[i] = NAME##_derivative_usual(a);                                                         \
    LARGEST_OF(a, top)                                                                                                 \
  }                                                                                                                    \
  int is_any_unusual = top > (int64_t)bits(LIMIT);                                                                     \
  if (is_any_unusual) for (int i = 0; i < whole; i++) {                                                                \
    double a = (double)x[0][i];                                                                                        \
    if (IS_RARE(a, LIMIT)) { w[i] = NAME##_rare(a); d[i] = NAME##_derivative_rare(a); }                         \
  }
#define BOTH(NAME, FUNCTION, PARTIAL)                                                                                  \
  WITH(BOTH_OF, NAME, OF_BOTH(FUNCTION, PARTIAL), DOUBLE) WITH(BOTH_OF, NAME, OF_BOTH(FUNCTION, PARTIAL), FLOAT)

// Functions of NumPy's namespace, `elementary_exp_float64` and so on.
#define ELEMENTARY_1(NAME, FUNCTION, POLE, VANISHES, REST)                                                             \
  WITH(IEEE_LOOP, elementary_##NAME, 1, OF_ONE(FUNCTION), DOUBLE, POLE, VANISHES, REST)                                \
  WITH(IEEE_LOOP, elementary_##NAME, 1, OF_ONE(FUNCTION), FLOAT, POLE, VANISHES, REST)
#define ELEMENTARY_FILLED(NAME, FILL, POLE, VANISHES, REST)                                                            \
  WITH(IEEE_LOOP, elementary_##NAME, 1, FILL, DOUBLE, POLE, VANISHES, REST)                                            \
  WITH(IEEE_LOOP, elementary_##NAME, 1, FILL, FLOAT, POLE, VANISHES, REST)
#define ELEMENTARY_2(NAME, FUNCTION, POLE, VANISHES)                                                                   \
  WITH(IEEE_LOOP, elementary_##NAME, 2, OF_TWO(FUNCTION), DOUBLE, POLE, VANISHES, NAN)                                 \
  WITH(IEEE_LOOP, elementary_##NAME, 2, OF_TWO(FUNCTION), FLOAT, POLE, VANISHES, NAN)

// A chunk of the complex numbers of a loop in z, filled up to whole vectors, and room for parts x of them and w of values.
#define COMPLEX_CHUNK(T)                                                                                               \
  int count = n - done < CHUNK ? (int)(n - done) : CHUNK, whole = (count + WHOLE - 1) & -WHOLE, rare = 0;              \
  T z[2 * CHUNK] __attribute__((aligned(64))), x[2][CHUNK] __attribute__((aligned(64)));                               \
  T w[2][CHUNK] __attribute__((aligned(64)));                                                                          \
  gather(z, args[0] + done * steps[0], steps[0], count, 2 * sizeof(T));                                                \
  for (int i = 2 * count; i < 2 * whole; i++) z[i] = 1;
