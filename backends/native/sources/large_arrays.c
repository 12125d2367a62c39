// What is done to each element of large arrays, in blocks that stay in the cache, by threads of the library's own.
#include "loops.h"
#include "threads.h"

enum { ELEMENTS = 4096, BYTES = 1 << 16, MOST_OPERANDS = 8 };
INLINE size least(size a, size b) { return a < b ? a : b; }
INLINE size pieces_of(size n, size piece) { return (n + piece - 1) / piece; }

// The loop of a ufunc, whose last operand is the result; `factor` multiplies that, unless it is NULL.
typedef struct {
  loop *run;
  void *data;
  char *const *operands;
  const size *steps;
  size count, n;
  const char *factor;
  size factor_step, itemsize;
  int errors;
} elementwise;

#define MULTIPLY(T)                                                                                                    \
  static void multiply_##T(T *w, const T *g, size is_array, size n) {                                                  \
    if (is_array) for (size i = 0; i < n; i++) w[i] *= g[i];                                                           \
    else for (size i = 0; i < n; i++) w[i] *= *g;                                                                      \
  }
MULTIPLY(double)
MULTIPLY(float)

static void block_of_elementwise(void *of, ptrdiff_t piece) {
  elementwise *job = of;
  size start = piece * ELEMENTS, n = least(ELEMENTS, job->n - start);
  char *at[MOST_OPERANDS];
  for (size k = 0; k < job->count; k++) at[k] = job->operands[k] + start * job->steps[k];
  void *w = at[job->count - 1];
  const char *g = job->factor + start * job->factor_step;
  flags before = get_flags();
  clear_flags();
  job->run(at, &n, job->steps, job->data);
  BARRIER(w);
  if (job->factor && job->itemsize == sizeof(double)) multiply_double(w, (const double *)g, job->factor_step, n);
  if (job->factor && job->itemsize == sizeof(float)) multiply_float(w, (const float *)g, job->factor_step, n);
  BARRIER(w);
  __atomic_fetch_or(&job->errors, (int)get_flags(), __ATOMIC_RELAXED);
  set_flags(before);
}

// 0 where no floating-point error is raised, 1 where there are underflows, 2 where there are others.
EXPORT int large_elementwise(
  loop *run, void *data, size count, char *const *operands, const size *steps, size n, const char *factor,
  size factor_step, size itemsize, size threads
) {
  elementwise job = {run, data, operands, steps, count, n, factor, factor_step, itemsize, 0};
  shared(block_of_elementwise, &job, pieces_of(n, ELEMENTS), threads);
  return job.errors & (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) ? 2 : (job.errors & FE_UNDERFLOW) != 0;
}

typedef struct {
  const char *from;
  char *to;
  size n;
  int is_any_infinite;
} memory;

static void block_of_copy(void *of, ptrdiff_t piece) {
  memory *job = of;
  size start = piece * BYTES;
  memcpy(job->to + start, job->from + start, least(BYTES, job->n - start));
}

// So many bytes from one place to another.
EXPORT void large_copy(const char *from, char *to, size bytes, size threads) {
  memory job = {from, to, bytes, 0};
  shared(block_of_copy, &job, pieces_of(bytes, BYTES), threads);
}

// Whether n numbers, by the bits of their exponents, are finite.
#define IS_FINITE(T, BITS, EXPONENT)                                                                                   \
  static void block_of_##T(void *of, ptrdiff_t piece) {                                                                \
    memory *job = of;                                                                                                  \
    size start = piece * ELEMENTS, n = least(ELEMENTS, job->n - start);                                                \
    const BITS *x = (const BITS *)job->from + start;                                                                   \
    BITS found = 0;                                                                                                    \
    for (size i = 0; i < n; i++) found |= (x[i] & EXPONENT) == EXPONENT;                                               \
    if (found) __atomic_store_n(&job->is_any_infinite, 1, __ATOMIC_RELAXED);                                           \
  }                                                                                                                    \
  EXPORT int large_is_finite_##T(const char *x, size n, size threads) {                                                \
    memory job = {x, NULL, n, 0};                                                                                      \
    shared(block_of_##T, &job, pieces_of(n, ELEMENTS), threads);                                                       \
    return !job.is_any_infinite;                                                                                       \
  }
IS_FINITE(float64, uint64_t, 0x7ff0000000000000ull)
IS_FINITE(float32, uint32_t, 0x7f800000u)
