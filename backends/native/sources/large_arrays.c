// What is done to each element of large arrays, in blocks that stay in the cache, by threads of the library's own.
#include "loops.h"
#include "threads.h"

enum { ELEMENTS = 4096, MOST_OPERANDS = 8 };
INLINE size least(size a, size b) { return a < b ? a : b; }
INLINE size pieces_of(size n) { return (n + ELEMENTS - 1) / ELEMENTS; }

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
  job->run(at, &n, job->steps, job->data);
  if (!job->factor) return;
  void *w = at[job->count - 1];
  const char *g = job->factor + start * job->factor_step;
  flags before = get_flags();
  clear_flags();
  BARRIER(w);
  if (job->itemsize == sizeof(double)) multiply_double(w, (const double *)g, job->factor_step, n);
  else multiply_float(w, (const float *)g, job->factor_step, n);
  BARRIER(w);
  __atomic_fetch_or(&job->errors, (int)get_flags() & (FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID), __ATOMIC_RELAXED);
  set_flags(before);
}

// 0 where the product raises no floating-point error, 1 where it underflows, 2 where it raises another; those of the loop
// are not asked for.
EXPORT int large_elementwise(
  loop *run, void *data, size count, char *const *operands, const size *steps, size n, const char *factor,
  size factor_step, size itemsize, size threads
) {
  elementwise job = {run, data, operands, steps, count, n, factor, factor_step, itemsize, 0};
  shared(block_of_elementwise, &job, pieces_of(n), threads);
  return job.errors & ~FE_UNDERFLOW ? 2 : job.errors != 0;
}
