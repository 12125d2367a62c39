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

// CALL is the value at the numbers x[0][i], ..
#define LOOP_OF(NAME, COUNT, CALL, T, DTYPE, SMALLEST, LARGEST)                                                        \
  static __attribute__((noinline, cold)) void NAME##_##DTYPE##_report(                                                 \
    const fallback *f, const T x[COUNT][CHUNK], T *w, int count                                                        \
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
  }                                                                                                                    \
  EXPORT void NAME##_##DTYPE(char **args, const size *dimensions, const size *steps, void *data) {                     \
    size n = *dimensions, out = steps[COUNT], done = 0;                                                                \
    flags before = get_flags();                                                                                        \
    while (done < n) {                                                                                                 \
      int count = n - done < CHUNK ? (int)(n - done) : CHUNK, whole = (count + WHOLE - 1) & -WHOLE;                    \
      T x[COUNT][CHUNK] __attribute__((aligned(64))), w[CHUNK] __attribute__((aligned(64)));                           \
      for (int k = 0; k < COUNT; k++) {                                                                                \
        const char *from = args[k] + done * steps[k];                                                                  \
        if (steps[k] == sizeof(T)) memcpy(x[k], from, count * sizeof(T));                                              \
        else for (int i = 0; i < count; i++) memcpy(x[k] + i, from + i * steps[k], sizeof(T));                         \
        for (int i = count; i < whole; i++) x[k][i] = 1;                                                               \
      }                                                                                                                \
      for (int i = 0; i < whole; i++) w[i] = (T)CALL;                                                                  \
      int rare = 0;                                                                                                    \
      for (int i = 0; i < whole; i++)                                                                                  \
        rare |= !(fabs((double)w[i]) >= SMALLEST && fabs((double)w[i]) <= LARGEST);                                    \
      if (rare) NAME##_##DTYPE##_report(data, (const T (*)[CHUNK])x, w, count);                                        \
      char *to = args[COUNT] + done * out;                                                                             \
      if (out == sizeof(T)) memcpy(to, w, count * sizeof(T));                                                          \
      else for (int i = 0; i < count; i++) memcpy(to + i * out, w + i, sizeof(T));                                     \
      done += count;                                                                                                   \
    }                                                                                                                  \
    BARRIER(args);                                                                                                     \
    set_flags(before);                                                                                                 \
  }
#define LOOP_DOUBLE(NAME, COUNT, CALL) LOOP_OF(NAME, COUNT, CALL, double, float64, DBL_MIN, DBL_MAX)
#define LOOP_FLOAT(NAME, COUNT, CALL) LOOP_OF(NAME, COUNT, CALL, float, float32, FLT_MIN, FLT_MAX)
#define OF_ONE(FUNCTION) FUNCTION((double)x[0][i])
#define OF_TWO(FUNCTION) FUNCTION((double)x[0][i], (double)x[1][i])
#define UNARY_DOUBLE(NAME, FUNCTION) LOOP_DOUBLE(NAME, 1, OF_ONE(FUNCTION))
#define BINARY_DOUBLE(NAME, FUNCTION) LOOP_DOUBLE(NAME, 2, OF_TWO(FUNCTION))
#define UNARY(NAME, FUNCTION) UNARY_DOUBLE(NAME, FUNCTION) LOOP_FLOAT(NAME, 1, OF_ONE(FUNCTION))
#define BINARY(NAME, FUNCTION) BINARY_DOUBLE(NAME, FUNCTION) LOOP_FLOAT(NAME, 2, OF_TWO(FUNCTION))
