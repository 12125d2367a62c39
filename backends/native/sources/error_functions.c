// The error functions and the normal distribution.
#include "lookups.h"
#include "loops.h"

// 1 / (x + k), and its relative error
INLINE pair inverse_of_sum(double x, double k) {
  pair sum = sum_exact(x, k);
  double q = 1.0 / sum.high;
  pair w = {q, fma_(-q, sum.low, fma_(-q, sum.high, 1.0))};
  return w;
}

// with the sign of x
INLINE Reals erf_of(Reals x) {
  Reals a = smaller_of(5.93, absolute(x)), t = fused(a, all(1 / ERF_WIDTH), all(0x1.8p44 + 0.625));
  Naturals kept = kept_indices(t, 8);
  Indices at = indices(&kept);
  TwoRows start = looked_up(ERF[0], at);
  Reals s = a - start.first, w = fused(s, looked_up_polynomial(ERF + 1, 6, at, s), start.second);
  return (Reals)((Integers)w | ((Integers)x & INT64_MIN));
}
WITH(LOOP_OF, erf, 1, OF_EACH_VECTOR(erf_of), DOUBLE, NO_REPORT)
WITH(LOOP_OF, erf, 1, OF_EACH_VECTOR(erf_of), FLOAT, NO_REPORT)

// part exp(-part x^2) = 2^-200 high (1 + low), a part of 1 or 1/2, of at most 27.5^2: with n = -16 k - j the power is
// 2^k 2^(j / 16) exp(r), |r| <= log(2) / 32, where LOG2_16TH_HI leaves all bits of r
INLINE Pairs exp_of_minus_square(Reals x, double part) {
  Reals y = part * x, square = x * y, lost = fused_less(x, y, square), rounder = all(ROUNDER + (part < 1 ? 3184 : 3200));
  Reals t = fused(square, all(-16.0 * LOG2_INVERSE), rounder), n = rounder - t;
  Naturals at = kept_indices(t, 0);
  TwoRows power = looked_up(POWERS[0], indices(&at));
  Reals r = fused_less(n, all(LOG2_16TH_HI), square), z = r * r, low = fused(n, all(LOG2_16TH_LO), power.second - lost);
  Reals rest = fused(z, exp_near(r, z), fused(low, r, low));
  Pairs w = {(Reals)((Naturals)power.first + ((Naturals)t << 48)), r + rest};
  return w;
}
// 2^-200 e.high (1 + e.low) (high + low)
INLINE Reals times_factor(Pairs e, Reals high, Reals low) {
  Reals w = e.high * high;
  return (w + fused(w, e.low, fused(e.high, low, fused_less(e.high, high, w)))) * 0x1p-200;
}

// erfc(x) and ndtr(-x) = erfc(x / sqrt(2)) / 2 for x >= 0: part exp(-part x^2) times pieces in unit x up to `near`, times
// factor / x (1 + z ERFC_FAR(z)), z = 1 / (part x^2), beyond; behind `end` they are less than half of the smallest number.
// Minus their derivative is 2 part^2 exp(-part x^2) factor.
typedef struct { double part, unit, unit_low, near, end, factor, factor_low; } Tail;
static const Tail OF_ERFC = {1.0, 1.0, 0.0, 26.0, 27.5, 0.5 * ERF_DERIVATIVE_HI, 0.5 * ERF_DERIVATIVE_LO};
static const Tail OF_NDTR = {0.5, ROOT_HALF_HI, ROOT_HALF_LO, 36.76, 38.8, 2.0 * NDTR_DERIVATIVE_HI, 2.0 * NDTR_DERIVATIVE_LO};

INLINE Start tail_start(Tail tail, Reals x) {
  Reals a = absolute(x), t = fused(a, all(tail.unit * ERFC_SCALE), all(2.0));
  Start w = {exp_of_minus_square(a, tail.part), kept_indices(t, 50)};
  return w;
}
INLINE Reals tail_near(Tail tail, Reals x, const Start *kept) {
  Indices at = indices(&kept->at);
  Pairs e = kept->x;
  TwoRows start = looked_up(ERFC[0], at);
  Reals a = absolute(x), s = fused_less(a, all(tail.unit), start.first);
  if (tail.unit_low != 0) s = fused(a, all(tail.unit_low), s);
  Reals rest = s * looked_up_polynomial(ERFC + 1, 7, at, s);
  return fused(e.high, start.second, e.high * fused(start.second + rest, e.low, rest));
}
INLINE Reals tail_ended(Tail tail, Reals x, Reals w) {
  return where_negative((Reals)beyond(absolute(x), 0.0, tail.end), smaller_of(0.0, absolute(x)), w);
}
INLINE Reals tail_far(Tail tail, Reals x, const Start *kept) {
  Reals a = absolute(x), q = 1.0 / a, z = q * q * (1.0 / tail.part), high = q * tail.factor;
  Reals low = fused(q, all(tail.factor_low), fused_less(q, all(tail.factor), high));
  Reals rest = fused(z, POLYNOMIAL_OF(ERFC_FAR, z), fused(-q, a, all(1.0)));
  Pairs e = {kept->x.high, fused(kept->x.low, rest, kept->x.low + rest)};
  return tail_ended(tail, x, times_factor(e, high, low));
}
INLINE Reals tail_density(Tail tail, Pairs e) {
  double times = 2.0 * tail.part;
  return times_factor(e, all(times * tail.factor), all(times * tail.factor_low));
}
INLINE Reals density_of(Tail tail, Reals x) {
  return tail_density(tail, exp_of_minus_square(smaller_of(tail.end, absolute(x)), tail.part));
}

#define TAIL_LOOPS(NAME, TAIL, AT_NEGATIVE, AT_OTHERS, SIGN)                                                           \
  INLINE Reals NAME##_by(Reals x, Reals tail) { return where_negative(x, AT_NEGATIVE, AT_OTHERS); }                    \
  INLINE Integers NAME##_beyond(Reals x) { return beyond(absolute(x), 0.0, TAIL.near); }                               \
  INLINE Start NAME##_start(Reals x) { return tail_start(TAIL, x); }                                                   \
  INLINE Reals NAME##_usual(Reals x, const Start *kept) { return NAME##_by(x, tail_near(TAIL, x, kept)); }             \
  INLINE Reals NAME##_far(Reals x, const Start *kept) { return NAME##_by(x, tail_far(TAIL, x, kept)); }                \
  INLINE Reals NAME##_derivative(Reals x) { return SIGN density_of(TAIL, x); }                                         \
  INLINE Reals NAME##_derivative_usual(Reals x, const Start *kept) {                                                   \
    return (void)x, SIGN tail_density(TAIL, kept->x);                                                                  \
  }                                                                                                                    \
  INLINE Reals NAME##_derivative_far(Reals x, const Start *kept) {                                                     \
    return SIGN tail_ended(TAIL, x, tail_density(TAIL, kept->x));                                                      \
  }                                                                                                                    \
  VECTOR_LOOPS_WITH_FAR(NAME, DOUBLE)                                                                                  \
  VECTOR_LOOPS_WITH_FAR(NAME, FLOAT)                                                                                   \
  DERIVATIVE_OF_VECTORS(NAME, NAME##_derivative)
TAIL_LOOPS(erfc, OF_ERFC, 2.0 - tail, tail, -)
TAIL_LOOPS(ndtr, OF_NDTR, tail, 1.0 - tail, +)
INLINE Reals erf_derivative(Reals x) { return density_of(OF_ERFC, x); }
DERIVATIVE_OF_VECTORS(erf, erf_derivative)

// factor exp(x^2) + more, where no x^2 counts beyond 27^2
INLINE double growing(double factor, double x, double more) {
  double c = smaller(27.0, x);
  exponential e = exp_shifted(product_exact(c, c), 64.0);
  double size = factor * e.power;
  return fma_(e.high, size, fma_(e.low, size, more * 0x1p-64)) * 0x1p64;
}

// by q = 1 / (x + 2), of which the value changes 1 + 2.7 q times as much; on the left 2 exp(x^2) - erfcx(-x)
INLINE double erfcx_of(double x) {
  double a = fabs(x);
  pair q = inverse_of_sum(a, 2.0), p = POLYNOMIAL_STEPS(ERFCX, q.high - 0.15625);
  double rest = fma_(q.high * p.high, q.low * fma_(q.high, 2.7, 1.0), q.high * p.low);
  double right = a > DBL_MAX ? 0.0 : fma_(q.high, p.high, rest);
  return x < 0 ? growing(2.0, a, -right) : right;
}
UNARY(erfcx, erfcx_of)

// 2 x erfcx(x) - 2 / sqrt(pi), without that cancellation by q; on the left -4 a exp(x^2) and that at a = -x
INLINE double erfcx_derivative(double x) {
  double a = fabs(x);
  pair q = inverse_of_sum(a, 2.0), square = product_exact(q.high, q.high);
  double y = q.high - 0.140625, low = fma_(ERFCX_DERIVATIVE_LOW[1], y, ERFCX_DERIVATIVE_LOW[0]);
  pair p = polynomial_steps(ERFCX_DERIVATIVE, sizeof(ERFCX_DERIVATIVE) / sizeof(*ERFCX_DERIVATIVE), low, y);
  double rest = fma_(square.low, p.high, square.high * p.low);
  rest = fma_(square.high * p.high, q.low * fma_(q.high, 3.3, 2.1), rest);
  double right = a > DBL_MAX ? 0.0 : fma_(square.high, p.high, rest);
  return -(x < 0 ? growing(4.0 * smaller(27.0, a), a, right) : right);
}
DERIVATIVE(erfcx, erfcx_derivative)
BOTH(erfcx, erfcx_of, erfcx_derivative)

// ndtr(-x) / exp(-x^2 / 2) for x >= 0, and exp(-x^2 / 2) for 0 <= x <= 40
INLINE pair mills(double x) {
  double t = (x - 4.0) / (x + 4.0);
  return divide(POLYNOMIAL_PAIR(MILLS, t), sum_exact(1.0, x));
}
INLINE scaled exp_of_half_square(double x) { return exp_scaled(negative(product_exact(0.5 * x, x))); }

// log(mills(-x)) - x^2 / 2 on the left, log(1 - ndtr(-x)) on the right
INLINE double log_ndtr_of(double x) {
  double a = fabs(x), c = smaller(a, 1e9);
  pair m = mills(c), square = product_exact(0.5 * c, c);
  scaled e = exp_scaled(negative(either(c > 40.0, as_pair(800.0), square)));
  pair tail = at_most_one(e);
  tail = multiply(tail, m);
  pair below = sum_ordered(1.0, -tail.high);
  below.low -= tail.low;
  pair logarithm = log_pair_of(either(x < 0, m, below));
  double left = value(add_pair(negative(square), logarithm));
  double right = tail.high < 0x1p-60 ? -value(tail) : value(logarithm);
  double w = x < 0 ? left : right;
  w = x < -1e9 ? -0.5 * x * x : w;
  return x != x ? x : w;
}
UNARY(log_ndtr, log_ndtr_of)

// exp(-x^2 / 2) / sqrt(2 pi) over ndtr(x), on the left by `mills`
INLINE double log_ndtr_derivative(double x) {
  double a = fabs(x), c = smaller(a, 1e9);
  pair m = mills(c), factor = {NDTR_DERIVATIVE_HI, NDTR_DERIVATIVE_LO}, e = at_most_one(exp_of_half_square(smaller(a, 40.0)));
  pair tail = multiply(e, m), below = sum_ordered(1.0, -tail.high);
  below.low -= tail.low;
  double w = value(divide(either(x < 0, factor, multiply(e, factor)), either(x < 0, m, below)));
  w = x < -1e9 ? -x : w;
  return x != x ? x : w;
}
DERIVATIVE(log_ndtr, log_ndtr_derivative)
