// Faddeeva's function w(z) = exp(-z^2) erfc(-i z), erfcx(z) = w(i z), and their derivatives, at complex numbers.
//
// The trapezoidal rule of step 1/2 for w(z) = i / pi int exp(-t^2) / (z - t) dt, with what the pole at t = z adds:
// Al Azah and Chandler-Wilde (SIAM J. Numer. Anal. 59 (2021) 2346).  The nodes are those of k / 2 and k / 2 + 1 / 4
// that are at least 1/8 from Re z.  The sum holds in the lower half-plane, too: there the pole adds 2 exp(-z^2).
#include "loops.h"
#include "trigonometry.h"

typedef struct { double real, imag; } number;

#define NODES 13        // of the values; the derivative has one more
#define FAR 60          // beyond 2^60 the numbers are scaled, since w(z) = i / (sqrt(pi) z)
#define LONGEST 0x1p20  // beyond, the phase of exp(-z^2) is that of a product of two numbers that is reduced apart
#define NO_POLE 6.5     // above, what the pole adds is less than the error
#define FOUR_PI (8.0 * HALF_PI_0)

INLINE number number_of(double real, double imag) { number w = {real, imag}; return w; }
INLINE number product(number a, number b) {
  return number_of(fma_(a.real, b.real, -(a.imag * b.imag)), fma_(a.real, b.imag, a.imag * b.real));
}

// exp(-z^2) = 2^exponent size (cosine - i sine); the cosine and the sine may be scaled
typedef struct { double size, exponent, cosine, sine; } gaussian;

// the phase is of an angle |r| <= pi / 4
INLINE gaussian with_phase(pair exponent, reduced phase) {
  exponent.high = within(exponent.high, -1100.0, 1500.0), exponent.low = within(exponent.low, -1.0, 1.0);
  scaled e = exp_less_one(exponent);
  double h = phase.rest.high, low = phase.rest.low, z = h * h;
  double sine = h + fma_(h * z, POLYNOMIAL(SIN, z), fma_(-0.5 * z, low, low));
  double cosine = 1.0 + fma_(-0.5, z, fma_(z * z, POLYNOMIAL(COS, z), -(h * low)));
  int is_odd = (phase.quarter & 1) != 0;
  double s = is_odd ? cosine : sine, c = is_odd ? sine : cosine;
  s = (phase.quarter & 2) != 0 ? -s : s;
  c = ((phase.quarter + 1) & 2) != 0 ? -c : c;
  double shared = within(e.exponent, 0.0, 1000.0), scale = power_of_two(shared); // for sines that are subnormal numbers
  gaussian w = {1.0 + (e.mantissa.high + e.mantissa.low), e.exponent - shared, c * scale, s * scale};
  return w;
}
// 2 x y less n pi / 2, for |x|, |y| <= LONGEST: the first difference is exact
INLINE reduced phase_of(double x, double y) {
  pair phase = product_exact(2.0 * x, y);
  double n = nearest_integer(phase.high * TWO_OVER_PI_HI), first = fma_(-n, HALF_PI_0, phase.high);
  double rest = fma_(-n, HALF_PI_1, first), low = fma_(-n, HALF_PI_1, first - rest);
  reduced r = {sum_ordered(rest, low + fma_(-n, HALF_PI_2, phase.low)), bits(n + ROUNDER)};
  return r;
}
// y^2 - x^2 for the same numbers
INLINE pair exponent_of(double x, double y) {
  pair square = product_exact(x, x), other = product_exact(y, y), w = sum_exact(other.high, -square.high);
  w.low += other.low - square.low;
  return w;
}
// Both for all numbers: the phase is NaN where 2 x y is beyond the range.
static inline reduced huge_phase_of(double x, double y) {
  pair phase = product_exact(2.0 * x, y);
  if (!(fabs(phase.high) <= DBL_MAX)) {
    reduced unknown = {{NAN, NAN}, 0};
    return unknown;
  }
  reduced high = fabs(phase.high) > FARTHEST ? reduce_huge(phase.high) : reduce(phase.high);
  reduced low = fabs(phase.low) > FARTHEST ? reduce_huge(phase.low) : reduce(phase.low);
  pair rest = add_pair(high.rest, low.rest); // up to pi / 2
  reduced both = reduce(rest.high);
  both.rest = add(both.rest, rest.low);
  both.quarter += high.quarter + low.quarter;
  return both;
}
INLINE pair huge_exponent_of(double x, double y) { return multiply(sum_exact(y, -x), sum_exact(y, x)); }
INLINE number times_gaussian(gaussian e, number a) {
  double real = fma_(e.cosine, a.real, e.sine * a.imag), imag = fma_(e.cosine, a.imag, -(e.sine * a.real));
  return number_of(times_power(e.size * real, e.exponent), times_power(e.size * imag, e.exponent));
}

// sums of real coefficients at complex z by Goertzel's recurrence: Knuth, TAOCP 2, 4.6.4
INLINE number series_at(const double *c, int count, number z) {
  double twice = 2.0 * z.real, square = fma_(z.real, z.real, z.imag * z.imag), before = c[count - 1];
  double last = fma_(twice, before, c[count - 2]);
#pragma GCC unroll 32
  for (int k = count - 3; k > 0; k--) {
    double next = fma_(twice, last, fma_(-square, before, c[k]));
    before = last, last = next;
  }
  return number_of(fma_(z.real, last, fma_(-square, before, c[0])), z.imag * last);
}
#define SERIES(C, z) series_at(C, (int)(sizeof(C) / sizeof(*C)), z)

// the power of two by which numbers up to 2^1024 are taken to numbers below 2^61
INLINE double scale_of(double size) {
  uint64_t biased = bits(size) >> 52;
  return from_bits((biased > 1023 + FAR ? 2046 + FAR - biased : 1023) << 52);
}

typedef struct {
  double before, after; // x - t and x + t of the first node t
  int is_between;       // whether the nodes are t + k / 2 with t = 1 / 4, and not with t = 0
  double sine, cosine;  // of the angle 2 pi (x - d) where d is the place farthest from the nodes that is nearest to x
} nodes;
INLINE nodes nodes_of(double x, double scale) {
  nodes w;
  double c = smaller(x, LONGEST), n = nearest_integer(4.0 * c), half = 0.5 * n, scaled_x = x * scale;
  w.is_between = half - nearest_integer(half) == 0;
  double t = w.is_between ? 0.25 : 0.0, angle = 0.5 * FOUR_PI * fma_(-0.25, n, c), z = angle * angle;
  w.before = scaled_x - t, w.after = scaled_x + t;
  w.sine = fma_(angle * z, POLYNOMIAL(SIN, z), angle);
  w.cosine = fma_(z * z, POLYNOMIAL(COS, z), fma_(-0.5, z, 1.0));
  return w;
}

// what both need of z = x + i y, x >= 0
typedef struct {
  double x, y, scale, square_of_y; // scaled
  number square;
  nodes at;
  number q, r;                     // 1 / (1 + u) and u / (1 + u) with u = exp(-4 pi i z), or -exp(-4 pi i z)
  int is_near, has_pole;
  gaussian e;
} parts;

INLINE parts parts_of(double x, double y) {
  parts w;
  w.scale = scale_of(larger(x, fabs(y))), w.at = nodes_of(x, w.scale);
  w.x = x * w.scale, w.y = y * w.scale, w.square_of_y = w.y * w.y;
  w.square = number_of((w.x - w.y) * (w.x + w.y), 2.0 * w.x * w.y);
  w.is_near = fma_(w.x, w.x, 4.0 * w.square_of_y) < 1.0, w.has_pole = y < NO_POLE;
  double c = smaller(x, LONGEST), d = within(y, -LONGEST, NO_POLE);
  double sine = 2.0 * w.at.sine * w.at.cosine, cosine = fma_(-2.0 * w.at.sine, w.at.sine, 1.0);
  scaled e = exp_less_one(as_pair(FOUR_PI * larger(d, -10.0)));
  double u = (1.0 + value(e.mantissa)) * power_of_two(e.exponent), square = u * u;
  double scale = 1.0 / fma_(2.0 * u, cosine, 1.0 + square);
  double imag = u * sine * scale;
  w.q = number_of(fma_(u, cosine, 1.0) * scale, imag), w.r = number_of(fma_(u, cosine, square) * scale, -imag);
  w.e = with_phase(exponent_of(w.x, smaller(w.y, NO_POLE)), phase_of(c, d)); // scaled, it is 0 or beyond the range
  return w;
}

INLINE gaussian with_huge_phase(parts p, double x, double y) {
  return with_phase(huge_exponent_of(p.x, p.y), huge_phase_of(x, y));
}
// where the lower half-plane has exp(-z^2) of a phase that is not known
INLINE int has_huge_phase(double x, double y) {
  double a = fabs(x);
  int is_long = (a > LONGEST) | (y < -LONGEST), is_there = fma_(0.5, y, -0.5 * a) * fma_(0.5, y, 0.5 * a) > -200.0;
  return (y < 0) & is_long & is_there & (a <= DBL_MAX) & (y >= -DBL_MAX);
}

// for x >= 0, of the terms at t and -t together: 1 / (z - t) + 1 / (z + t) = 2 z / (z^2 - t^2)
INLINE number sum_of(parts p) {
  double real = 0.0, imag = 0.0;
#pragma GCC unroll 16
  for (int k = NODES - 1; k >= 0; k--) {
    double left = p.at.before - 0.5 * k, right = p.at.after + 0.5 * k;
    double size_left = fma_(left, left, p.square_of_y), size_right = fma_(right, right, p.square_of_y);
    double weight = p.at.is_between ? FADDEEVA_BETWEEN[k] : FADDEEVA_AT[k];
    double share = weight * (1.0 / (size_left * size_right)); // the sizes together are 2 (|z|^2 + t^2)
    real = fma_(share, size_left + size_right, real), imag = fma_(share, fma_(left, right, p.square_of_y), imag);
  }
  return number_of(0.5 * p.y * real * p.scale, p.x * imag * p.scale);
}
INLINE number wofz_right(double x, double y) {
  parts p = parts_of(x, y);
  number sum = sum_of(p), series = SERIES(FADDEEVA_SERIES, p.square);
  series = number_of(-fma_(p.y, series.real, p.x * series.imag), fma_(p.x, series.real, -(p.y * series.imag)));
  number rest = p.is_near ? series : sum;
  double real = p.is_near ? 1.0 : 2.0 * p.q.real, imag = p.is_near ? 0.0 : 2.0 * p.q.imag;
  number pole = times_gaussian(p.e, number_of(real, imag));
  return number_of(rest.real + (p.has_pole ? pole.real : 0.0), rest.imag + (p.has_pole ? pole.imag : 0.0));
}

// what is not finite, and the symmetry w(-conj(z)) = conj(w(z))
INLINE number wofz_of(double x, double y) {
  number w = wofz_right(fabs(x), y);
  int has_limit = (fabs(x) > DBL_MAX) | (y > DBL_MAX), is_down = y < -DBL_MAX;
  int is_nan = (x != x) | (y != y) | has_huge_phase(x, y) | (is_down & (x != 0));
  double real = has_limit ? 0.0 : w.real, imag = has_limit ? 0.0 : w.imag;
  imag = (x < 0) & (y <= DBL_MAX) ? -imag : imag;
  real = is_down ? INFINITY : real;
  return number_of(is_nan ? NAN : real, x == 0 ? x : is_nan ? NAN : imag);
}
static number wofz_of_huge(double x, double y) {
  parts p = parts_of(fabs(x), y);
  number sum = sum_of(p), pole = times_gaussian(with_huge_phase(p, fabs(x), y), number_of(2.0, 0.0));
  return number_of(sum.real + pole.real, copysign(1.0, x) * (sum.imag + pole.imag));
}

// exp(-x^2), and the rest at real x >= 0 with the same nodes: 2 exp(-x^2) q = exp(-x^2) (1 + i tangent)
INLINE double exp_of_square(double x) {
  double c = smaller(x, 40.0);
  scaled e = exp_less_one(negative(product_exact(c, c)));
  return times_power(1.0 + (e.mantissa.high + e.mantissa.low), e.exponent);
}
INLINE number wofz_on_axis(double x) {
  double a = fabs(x), c = smaller(a, 1.0), scale = scale_of(a), sum = 0.0, real = exp_of_square(a);
  nodes at = nodes_of(a, scale);
#pragma GCC unroll 16
  for (int k = NODES - 1; k >= 0; k--) {
    double weight = at.is_between ? FADDEEVA_BETWEEN[k] : FADDEEVA_AT[k];
    sum = fma_(weight, 1.0 / ((at.before - 0.5 * k) * (at.after + 0.5 * k)), sum);
  }
  double imag = fma_(real, at.sine / at.cosine, a * scale * sum * scale);
  imag = a < 1.0 ? c * POLYNOMIAL(FADDEEVA_SERIES, c * c) : imag;
  imag = a > DBL_MAX ? 0.0 : imag;
  return number_of(x != x ? x : real, x != x ? x : copysign(imag, x));
}

// for x >= 0, of -i / (z - t)^2 - i / (z + t)^2; the pole's part is 2 exp(-z^2) q, with q' = 4 pi i q r
INLINE number sum_of_derivatives(parts p) {
  double real = 0.0, imag = 0.0, twice = 2.0 * p.square_of_y;
#pragma GCC unroll 16
  for (int k = NODES; k >= 0; k--) {
    double left = p.at.before - 0.5 * k, right = p.at.after + 0.5 * k, between = 0.5 * k + 0.25;
    double size_left = fma_(left, left, p.square_of_y), size_right = fma_(right, right, p.square_of_y);
    double weight = p.at.is_between ? FADDEEVA_BETWEEN[k] : FADDEEVA_AT[k];
    double square = p.at.is_between ? 4.0 * between * between : (double)k * k; // 4 t^2
    double inverse = 1.0 / (size_left * size_right), u = size_right * inverse, v = size_left * inverse;
    double of_both = fma_(u, fma_(-twice, u, 1.0), v * fma_(-twice, v, 1.0)), share = weight * inverse;
    double quotient = fma_(left, right, -p.square_of_y) * inverse; // Re (z^2 - t^2) / |z^2 - t^2|^2
    imag = fma_(weight, of_both, imag), real = fma_(share, square * quotient, real) + share;
  }
  return number_of(-p.square.imag * real * p.scale * p.scale, -0.5 * imag * p.scale * p.scale);
}
INLINE number derivative_right(double x, double y) {
  parts p = parts_of(x, y);
  number sum = sum_of_derivatives(p), series = SERIES(FADDEEVA_DERIVATIVE, p.square);
  number rest = p.is_near ? number_of(-series.imag, series.real) : sum;
  double c = smaller(x, LONGEST), d = within(y, -LONGEST, NO_POLE);
  number factor = number_of(fma_(-FOUR_PI, p.r.imag, -2.0 * c), fma_(FOUR_PI, p.r.real, -2.0 * d));
  number grown = product(number_of(2.0 * p.q.real, 2.0 * p.q.imag), factor);
  double real = p.is_near ? -2.0 * c : grown.real, imag = p.is_near ? -2.0 * d : grown.imag;
  number pole = times_gaussian(p.e, number_of(real, imag));
  return number_of(rest.real + (p.has_pole ? pole.real : 0.0), rest.imag + (p.has_pole ? pole.imag : 0.0));
}
INLINE number derivative_of(double x, double y) {
  number w = derivative_right(fabs(x), y);
  int has_limit = (fabs(x) > DBL_MAX) | (y > DBL_MAX), is_down = y < -DBL_MAX;
  int is_nan = (x != x) | (y != y) | has_huge_phase(x, y) | (is_down & (x != 0));
  double real = has_limit | is_down ? 0.0 : w.real, imag = is_down ? INFINITY : has_limit ? 0.0 : w.imag;
  return number_of(is_nan ? NAN : x < 0 ? -real : real, is_nan ? NAN : imag);
}
INLINE number derivative_on_axis(double x) {
  double a = fabs(x), c = smaller(a, 1.0), d = smaller(a, 40.0), scale = scale_of(a), sum = 0.0, e = exp_of_square(a);
  nodes at = nodes_of(a, scale);
#pragma GCC unroll 16
  for (int k = NODES; k >= 0; k--) {
    double left = at.before - 0.5 * k, right = at.after + 0.5 * k, inverse = 1.0 / (left * right);
    double weight = at.is_between ? FADDEEVA_BETWEEN[k] : FADDEEVA_AT[k];
    sum = fma_(weight, fma_(left, left, right * right) * inverse * inverse, sum);
  }
  double tangent = at.sine / at.cosine, growth = fma_(0.5 * FOUR_PI, fma_(tangent, tangent, 1.0), -2.0 * d * tangent);
  double imag = fma_(e, growth, -0.5 * sum * scale * scale);
  imag = a < 1.0 ? POLYNOMIAL(FADDEEVA_DERIVATIVE, c * c) : imag;
  imag = a > DBL_MAX ? 0.0 : imag;
  return number_of(x != x ? x : copysign(2.0 * d * e, -x), x != x ? x : imag);
}
static number derivative_of_huge(double x, double y) {
  double a = fabs(x);
  parts p = parts_of(a, y);
  number sum = sum_of_derivatives(p), pole = times_gaussian(with_huge_phase(p, a, y), number_of(-4.0 * a, -4.0 * y));
  return number_of(copysign(1.0, x) * (sum.real + pole.real), sum.imag + pole.imag);
}

// Values of huge phases, where the vectorized ones are NaN; and, where those of functions are not finite, SciPy's loop
// reports.  What is TURNED is erfcx(z) = w(i z), whose derivative is i w'(i z).
#define REPORT(NAME, SYMBOL, TURNED, HAS_PEER, T, DTYPE)                                                               \
  static __attribute__((noinline, cold)) void SYMBOL##_##DTYPE##_report(                                               \
    const fallback *f, const T x[2][CHUNK], T w[2][CHUNK], int count                                                   \
  ) {                                                                                                                  \
    T chosen[2 * CHUNK], found[2 * CHUNK];                                                                             \
    int at[CHUNK];                                                                                                     \
    size n = 0;                                                                                                        \
    for (int i = 0; i < count; i++) {                                                                                  \
      double a = (double)x[0][i], b = (double)x[1][i];                                                                 \
      if (has_huge_phase(a, b)) {                                                                                      \
        number huge = NAME##_of_huge(a, b);                                                                            \
        w[0][i] = (T)huge.real, w[1][i] = (T)huge.imag;                                                                \
      }                                                                                                                \
      int is_usual = fabs((double)w[0][i]) <= DBL_MAX && fabs((double)w[1][i]) <= DBL_MAX;                             \
      if (is_usual || a != a || b != b) continue;                                                                      \
      chosen[2 * n] = x[TURNED][i], chosen[2 * n + 1] = TURNED ? -x[0][i] : x[1][i], at[n++] = i;                      \
    }                                                                                                                  \
    if (!HAS_PEER || !f || !n) return;                                                                                 \
    char *args[2] = {(char *)chosen, (char *)found};                                                                   \
    size steps[2] = {2 * sizeof(T), 2 * sizeof(T)};                                                                    \
    clear_flags();                                                                                                     \
    f->loop(args, &n, steps, f->data);                                                                                 \
    for (int i = 0; i < n; i++)                                                                                        \
      for (int k = 0; k < 2; k++)                                                                                      \
        if (w[k][at[i]] != w[k][at[i]]) w[k][at[i]] = found[2 * i + k];                                                \
  }
#define LOOP(NAME, SYMBOL, TURNED, HAS_PEER, T, DTYPE)                                                                 \
  REPORT(NAME, SYMBOL, TURNED, HAS_PEER, T, DTYPE)                                                                     \
  EXPORT void SYMBOL##_##DTYPE(char **args, const size *dimensions, const size *steps, void *data) {                   \
    const int turned = TURNED && !HAS_PEER; /* the values */                                                           \
    flags before = get_flags();                                                                                        \
    for (size n = *dimensions, done = 0; done < n; done += CHUNK) {                                                    \
      COMPLEX_CHUNK(T)                                                                                                 \
      for (int i = 0; i < whole; i++) x[0][i] = TURNED ? -z[2 * i + 1] : z[2 * i], x[1][i] = z[2 * i + !TURNED];       \
      int none = 1, all = 1;                                                                                           \
      for (int i = 0; i < count; i++) none &= x[1][i] != 0, all &= x[1][i] == 0;                                       \
      if (!all)                                                                                                        \
        for (int i = 0; i < whole; i++) {                                                                              \
          number both = NAME##_of((double)x[0][i], (double)x[1][i]);                                                   \
          w[0][i] = (T)both.real, w[1][i] = (T)both.imag;                                                              \
        }                                                                                                              \
      if (!none)                                                                                                       \
        for (int i = 0; i < whole; i++) {                                                                              \
          number both = NAME##_on_axis((double)x[0][i]);                                                               \
          int here = (x[1][i] == 0) | all;                                                                             \
          w[0][i] = here ? (T)both.real : w[0][i], w[1][i] = here ? (T)both.imag : w[1][i];                            \
        }                                                                                                              \
      for (int i = 0; i < whole; i++)                                                                                  \
        rare |= !(fabs((double)w[0][i]) <= DBL_MAX && fabs((double)w[1][i]) <= DBL_MAX);                               \
      if (rare) SYMBOL##_##DTYPE##_report(data, (const T (*)[CHUNK])x, w, count);                                      \
      for (int i = 0; i < whole; i++) z[2 * i + turned] = w[0][i], z[2 * i + !turned] = turned ? -w[1][i] : w[1][i];   \
      scatter(args[1] + done * steps[1], z, steps[1], count, 2 * sizeof(T));                                           \
    }                                                                                                                  \
    BARRIER(args);                                                                                                     \
    set_flags(before);                                                                                                 \
  }
#define LOOPS(NAME, SYMBOL, TURNED, HAS_PEER)             \
  LOOP(NAME, SYMBOL, TURNED, HAS_PEER, double, complex128) \
  LOOP(NAME, SYMBOL, TURNED, HAS_PEER, float, complex64)
LOOPS(wofz, wofz, 0, 1)
LOOPS(derivative, derivative_wofz, 0, 0)
LOOPS(wofz, erfcx, 1, 1)
LOOPS(derivative, derivative_erfcx, 1, 0)
