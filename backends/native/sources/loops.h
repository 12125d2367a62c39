// Inner loops of ufuncs around functions of one element: any strides, any alignment, in place or not.
//
// The elements go through buffers on the stack, filled up to whole vectors, so that one element takes the same
// instructions as a million.  A loop leaves the floating-point flags as it found them, as SciPy's do.  Where the value
// is not finite or underflows, SciPy's loop for the same types, which comes with `data`, is called on these elements to
// report what `scipy.special.errstate` asks for; where the value is NaN at numbers, SciPy's stands.
#pragma once
#include "arithmetic.h"
#include "export.h"

#define CHUNK 256
#define WHOLE 8 // elements of the longest vector

typedef intptr_t size;
typedef void loop(char **, const size *, const size *, void *);
typedef struct { loop *loop; void *data; } fallback;

#if defined(__x86_64__)
typedef unsigned flags;
INLINE flags get_flags(void) { return __builtin_ia32_stmxcsr(); }
INLINE void set_flags(flags f) { __builtin_ia32_ldmxcsr(f); }
INLINE void clear_flags(void) { set_flags(get_flags() & ~0x3fu); }
#else
#include <fenv.h>
typedef fexcept_t flags;
INLINE flags get_flags(void) { fexcept_t f; fegetexceptflag(&f, FE_ALL_EXCEPT); return f; }
INLINE void set_flags(flags f) { feclearexcept(FE_ALL_EXCEPT); fesetexceptflag(&f, FE_ALL_EXCEPT); }
INLINE void clear_flags(void) { feclearexcept(FE_ALL_EXCEPT); }
#endif

// The compiler must not move arithmetic over what reads or writes the flags.
#define BARRIER(a) __asm__ volatile("" : : "r"(a) : "memory")

#define UNARY_OF(NAME, FUNCTION, T, DTYPE, SMALLEST, LARGEST)                                                          \
  static __attribute__((noinline, cold)) void NAME##_##DTYPE##_report(const fallback *f, const T *x, T *w, int count) { \
    T chosen[CHUNK], found[CHUNK];                                                                                     \
    int at[CHUNK];                                                                                                     \
    size n = 0;                                                                                                        \
    for (int i = 0; i < count; i++)                                                                                    \
      if (x[i] == x[i] && !(fabs((double)w[i]) >= SMALLEST && fabs((double)w[i]) <= LARGEST) && !(x[i] == 0 && w[i] == 0)) \
        at[n] = i, chosen[n++] = x[i];                                                                                 \
    char *args[2] = {(char *)chosen, (char *)found};                                                                   \
    size steps[2] = {sizeof(T), sizeof(T)};                                                                            \
    if (f && n) {                                                                                                      \
      clear_flags();                                                                                                   \
      f->loop(args, &n, steps, f->data);                                                                               \
      for (int i = 0; i < n; i++)                                                                                      \
        if (w[at[i]] != w[at[i]]) w[at[i]] = found[i];                                                                 \
    }                                                                                                                  \
  }                                                                                                                    \
  EXPORT void NAME##_##DTYPE(char **args, const size *dimensions, const size *steps, void *data) {                     \
    size n = *dimensions, in = steps[0], out = steps[1];                                                               \
    char *from = args[0], *to = args[1];                                                                               \
    flags before = get_flags();                                                                                        \
    while (n > 0) {                                                                                                    \
      int count = n < CHUNK ? (int)n : CHUNK, whole = (count + WHOLE - 1) & -WHOLE;                                    \
      T x[CHUNK] __attribute__((aligned(64))), w[CHUNK] __attribute__((aligned(64)));                                  \
      if (in == sizeof(T)) memcpy(x, from, count * sizeof(T));                                                         \
      else for (int i = 0; i < count; i++) memcpy(x + i, from + i * in, sizeof(T));                                    \
      for (int i = count; i < whole; i++) x[i] = 1;                                                                    \
      for (int i = 0; i < whole; i++) w[i] = (T)FUNCTION((double)x[i]);                                                \
      int rare = 0;                                                                                                    \
      for (int i = 0; i < whole; i++)                                                                                  \
        rare |= !(fabs((double)w[i]) >= SMALLEST && fabs((double)w[i]) <= LARGEST);                                    \
      if (rare) NAME##_##DTYPE##_report(data, x, w, count);                                                            \
      if (out == sizeof(T)) memcpy(to, w, count * sizeof(T));                                                          \
      else for (int i = 0; i < count; i++) memcpy(to + i * out, w + i, sizeof(T));                                     \
      n -= count, from += count * in, to += count * out;                                                               \
    }                                                                                                                  \
    BARRIER(to);                                                                                                       \
    set_flags(before);                                                                                                 \
  }
#define UNARY_DOUBLE(NAME, FUNCTION) UNARY_OF(NAME, FUNCTION, double, float64, DBL_MIN, DBL_MAX)
#define UNARY(NAME, FUNCTION)    \
  UNARY_DOUBLE(NAME, FUNCTION)   \
  UNARY_OF(NAME, FUNCTION, float, float32, FLT_MIN, FLT_MAX)
