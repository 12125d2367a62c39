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

// exp(-x^2) = 2^-200 high (1 + low), 0 <= x <= 27.5: with n = 16 k + j it is 2^k 2^(j / 16) exp(r), |r| <= log(2) / 32,
// where LOG2_16TH_HI leaves all bits of r
INLINE Pairs exp_of_minus_square(Reals x) {
  Reals square = x * x, lost = fused(x, x, -square), rounder = all(ROUNDER + 3200.0);
  Reals t = fused(square, all(-16.0 * LOG2_INVERSE), rounder), n = t - rounder;
  Naturals at = kept_indices(t, 0);
  TwoRows power = looked_up(POWERS[0], indices(&at));
  Reals r = fused(n, all(-LOG2_16TH_HI), -square), z = r * r, low = fused(n, all(-LOG2_16TH_LO), power.second - lost);
  Reals p = fused(all(EXP_NEAR[4]), z, fused(all(EXP_NEAR[3]), r, all(EXP_NEAR[2])));
  p = fused(p, z, fused(all(EXP_NEAR[1]), r, all(EXP_NEAR[0])));
  Pairs w = {(Reals)((Naturals)power.first + ((Naturals)t << 48)), r + fused(z, p, fused(low, r, low))};
  return w;
}
// 2^-200 e.high (1 + e.low) (factor.high + factor.low)
INLINE Reals times_factor(Pairs e, Pairs factor) {
  Reals high = e.high * factor.high, low = fused(e.high, factor.low, fused(e.high, factor.high, -high));
  return (high + fused(high, e.low, low)) * 0x1p-200;
}

// beyond which erfc is less than half of the smallest number
INLINE Reals within_tail(Reals x) { return smaller_of(27.5, absolute(x)); }
INLINE Start erfc_start(Reals x) {
  Reals a = within_tail(x);
  Start w = {exp_of_minus_square(a), kept_indices(fused(a, all(ERFC_SCALE), all(2.0)), 50)};
  return w;
}
// on the left 2 - erfc(-x)
INLINE Reals erfc_usual(Reals x, const Start *kept) {
  Reals a = within_tail(x);
  Indices at = indices(&kept->at);
  Pairs e = kept->x;
  TwoRows start = looked_up(ERFC[0], at);
  Reals s = a - start.first, rest = s * looked_up_polynomial(ERFC + 1, 7, at, s);
  Reals high = e.high * start.second, low = fused(e.high, start.second, -high);
  Reals right = (high + fused(e.high, fused(start.second + rest, e.low, rest), low)) * 0x1p-200;
  return where_negative(x, 2.0 - right, right);
}
// 2 / sqrt(pi) exp(-x^2)
INLINE Reals erf_derivative_by(Pairs e) {
  Pairs factor = {all(ERF_DERIVATIVE_HI), all(ERF_DERIVATIVE_LO)};
  return times_factor(e, factor);
}
INLINE Reals erf_derivative(Reals x) { return erf_derivative_by(exp_of_minus_square(within_tail(x))); }
INLINE Reals erfc_derivative(Reals x) { return -erf_derivative_by(exp_of_minus_square(within_tail(x))); }
INLINE Reals erfc_derivative_usual(Reals x, const Start *kept) { return (void)x, -erf_derivative_by(kept->x); }
// from 9 on values may be subnormal
INLINE Integers erfc_beyond(Reals x) { return beyond(absolute(x), 0.0, 9.0); }
VECTOR_LOOPS_WITHOUT_RARE(erfc, DOUBLE)
VECTOR_LOOPS_WITHOUT_RARE(erfc, FLOAT)
DERIVATIVE_OF_VECTORS(erf, erf_derivative)
DERIVATIVE_OF_VECTORS(erfc, erfc_derivative)

// exp(exponent) q p for q = 1 / (x + k) and a polynomial p in it; their product changes `derivative` times as much as q
INLINE double tail(pair exponent, pair q, double derivative, pair p) {
  exponential e = exp_shifted(exponent, -200.0);
  pair size = product_exact(e.high, q.high * e.power);
  double rest = fma_(fma_(q.low, derivative, e.low), size.high, size.low);
  return fma_(size.high, p.high, fma_(size.high, p.low, rest * p.high)) * 0x1p-200;
}

// factor exp(exponent)
INLINE double density(pair exponent, pair factor) {
  exponential e = exp_shifted(exponent, -200.0);
  return fma_(e.high, factor.high, fma_(e.low, factor.high, e.high * factor.low)) * e.power * 0x1p-200;
}
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

// the density times a polynomial in 1 / (3 - x), on the right 1 less that at -x
INLINE double ndtr_of(double x) {
  double c = smaller(40.0, fabs(x));
  pair q = inverse_of_sum(c, 3.0), p = POLYNOMIAL_STEPS(NDTR, q.high - 0.078125);
  double left = tail(negative(product_exact(0.5 * c, c)), q, fma_(q.high, 4.3, 1.0), p);
  return x > 0 ? 1.0 - left : left;
}
UNARY(ndtr, ndtr_of)

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

// exp(-x^2 / 2) / sqrt(2 pi), and that over ndtr(x), on the left by `mills`
INLINE double ndtr_derivative(double x) {
  double c = smaller(40.0, fabs(x));
  pair factor = {NDTR_DERIVATIVE_HI, NDTR_DERIVATIVE_LO};
  return density(negative(product_exact(0.5 * c, c)), factor);
}
INLINE double log_ndtr_derivative(double x) {
  double a = fabs(x), c = smaller(a, 1e9);
  pair m = mills(c), factor = {NDTR_DERIVATIVE_HI, NDTR_DERIVATIVE_LO}, e = at_most_one(exp_of_half_square(smaller(a, 40.0)));
  pair tail = multiply(e, m), below = sum_ordered(1.0, -tail.high);
  below.low -= tail.low;
  double w = value(divide(either(x < 0, factor, multiply(e, factor)), either(x < 0, m, below)));
  w = x < -1e9 ? -x : w;
  return x != x ? x : w;
}
DERIVATIVE(ndtr, ndtr_derivative)
DERIVATIVE(log_ndtr, log_ndtr_derivative)
BOTH(ndtr, ndtr_of, ndtr_derivative)
