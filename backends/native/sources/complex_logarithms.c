// The logarithm of 1 + z at complex numbers.
#include "logarithms.h"
#include "loops.h"
#include "trigonometry.h"

// The real part is log(|1 + z|^2) / 2 = log1p(t) / 2 with t = 2 x + x^2 + y^2, in twice the digits, since its terms
// cancel next to the unit circle around -1; far from that circle |1 + z|^2 is the sum of two squares.
INLINE double log1p_real_part(double x, double y) {
  pair xx = product_exact(x, x), yy = product_exact(y, y), sum = sum_exact(2.0 * x, yy.high);
  pair next = sum_exact(sum.high, xx.high), t = sum_exact(next.high, (sum.low + next.low) + (xx.low + yy.low));
  int is_near = t.high >= -0.5 && t.high <= 1.0;
  double near = 1.0 + t.high, lost = t.high - (near - 1.0) + t.low;
  double right = 1.0 + x, largest = larger(fabs(right), fabs(y));
  int is_large = largest > 0x1p500, is_small = largest < 0x1p-400;
  double scale = is_large ? 0x1p-600 : (is_small ? 0x1p600 : 1.0);
  double scaled_by = is_large ? -1200.0 : (is_small ? 1200.0 : 0.0);
  double a = right * scale, b = y * scale, u = is_near ? near : fma_(a, a, b * b);
  uint64_t i = bits(u), e = (i + (1024ull << 52) - 0x3fe6a09e667f3bcdull) >> 52;
  double m = from_bits(i - (e << 52) + (1024ull << 52));
  double k = 0x1.00000000004p52 - from_bits(e | 0x4330000000000000ull), reciprocal = reciprocal_estimate(u);
  int is_next = is_near && k == 0;
  double more = (is_next ? t.low : (is_near ? lost : 0.0)) * reciprocal;
  double w = 0.5 * value(log_reduced(is_next ? t.high : m - 1.0, is_near ? k : k + scaled_by, more));
  return x == 0 && y == 0 ? x : (largest == 0 ? -INFINITY : w);
}

// What is not finite is left to SciPy's loop, whose place is that of `data`.
#define LOG1P(T, DTYPE)                                                                                                \
  static __attribute__((noinline, cold)) void log1p_##DTYPE##_rest(                                                    \
    const fallback *f, const T x[2][CHUNK], T w[2][CHUNK], int count                                                   \
  ) {                                                                                                                  \
    T chosen[2 * CHUNK], found[2 * CHUNK];                                                                             \
    int at[CHUNK];                                                                                                     \
    size n = 0, steps[2] = {2 * sizeof(T), 2 * sizeof(T)};                                                             \
    for (int i = 0; i < count; i++) {                                                                                  \
      if (fabs((double)x[0][i]) + fabs((double)x[1][i]) <= DBL_MAX && fabs((double)w[0][i]) <= DBL_MAX) continue;      \
      chosen[2 * n] = x[0][i], chosen[2 * n + 1] = x[1][i], at[n++] = i;                                               \
    }                                                                                                                  \
    if (!f || !n) return;                                                                                              \
    char *args[2] = {(char *)chosen, (char *)found};                                                                   \
    clear_flags();                                                                                                     \
    f->loop(args, &n, steps, f->data);                                                                                 \
    for (int i = 0; i < n; i++) w[0][at[i]] = found[2 * i], w[1][at[i]] = found[2 * i + 1];                            \
  }                                                                                                                    \
  EXPORT void log1p_##DTYPE(char **args, const size *dimensions, const size *steps, void *data) {                      \
    flags before = get_flags();                                                                                        \
    for (size n = *dimensions, done = 0; done < n; done += CHUNK) {                                                    \
      COMPLEX_CHUNK(T)                                                                                                 \
      for (int i = 0; i < whole; i++) x[0][i] = z[2 * i], x[1][i] = z[2 * i + 1];                                      \
      for (int i = 0; i < whole; i++) w[0][i] = (T)log1p_real_part((double)x[0][i], (double)x[1][i]);                  \
      for (int i = 0; i < whole; i++) w[1][i] = (T)arctan2_of((double)x[1][i], 1.0 + (double)x[0][i]);                 \
      for (int i = 0; i < whole; i++)                                                                                  \
        rare |= !(fabs((double)x[0][i]) + fabs((double)x[1][i]) <= DBL_MAX && fabs((double)w[0][i]) <= DBL_MAX);       \
      if (rare) log1p_##DTYPE##_rest(data, (const T (*)[CHUNK])x, w, count);                                           \
      for (int i = 0; i < whole; i++) z[2 * i] = w[0][i], z[2 * i + 1] = w[1][i];                                      \
      scatter(args[1] + done * steps[1], z, steps[1], count, 2 * sizeof(T));                                           \
    }                                                                                                                  \
    BARRIER(args);                                                                                                     \
    set_flags(before);                                                                                                 \
  }
LOG1P(double, complex128)
LOG1P(float, complex64)
