// The exponential functions of NumPy's namespace and the hyperbolic functions.
#include "lookups.h"
#include "loops.h"

// 2^k (1 + a)
INLINE double one_more(scaled a) {
  pair s = sum_ordered(1.0, a.mantissa.high);
  return times_power(s.high + (s.low + a.mantissa.low), a.exponent);
}
INLINE double exp_of(double x) {
  double w = one_more(exp_less_one(as_pair(within(x, -760.0, 720.0))));
  return x != x ? x : w;
}
// where it is a normal number: with n = 16 k + j it is 2^k 2^(j / 16) exp(r), |r| <= log(2) / 32
INLINE Start exp_start(Reals x) {
  Reals t = fused(x, all(16.0 * LOG2_INVERSE), all(ROUNDER)), n = ROUNDER - t, exact = fused(n, all(LOG2_16TH_HI), x);
  Start w = {{fused(n, all(LOG2_16TH_LO), exact), t}, kept_indices(t, 0)};
  return w;
}
INLINE Reals exp_usual(Reals x, const Start *kept) {
  TwoRows power = looked_up(POWERS[0], indices(&kept->at));
  Reals r = kept->x.high, z = r * r, e = (Reals)((Naturals)power.first + ((Naturals)kept->x.low << 48));
  return (void)x, fused(e, r + fused(z, exp_near(r, z), power.second), e);
}
#define exp_far exp_of
#define exp_float_start exp_start
#define exp_float_usual exp_usual
#define exp_float_far exp_of
INLINE Integers exp_beyond(Reals x) { return beyond(absolute(x), 0.0, 708.0); }
INLINE Integers exp_float_beyond(Reals x) { return beyond(absolute(x), 0.0, 87.0); }
WITH(IEEE_LOOP, elementary_exp, 1, OF_VECTORS_OR_FAR(exp), DOUBLE, 0, 1, NAN)
WITH(IEEE_LOOP, elementary_exp, 1, OF_VECTORS_OR_FAR(exp_float), FLOAT, 0, 1, NAN)

// by x = k + r with an integer k and |r| <= 1/2
INLINE double exp2_of(double x) {
  double c = within(x, -1100.0, 1100.0), k = nearest_integer(c), r = c - k;
  scaled e = exp_less_one(sum_ordered(r * LOG2_HI, fma_(r, LOG2_LO, fma_(r, LOG2_HI, -(r * LOG2_HI)))));
  e.exponent += k;
  double w = one_more(e);
  return x != x ? x : w;
}
ELEMENTARY_1(exp2, exp2_of, 0, 1, NAN)

// 2^k - 1 + 2^k a, for k <= 1000
INLINE pair one_less(scaled a) {
  double p = power_of_two(smaller(a.exponent, 1000.0));
  pair w = {a.mantissa.high * p, a.mantissa.low * p};
  return add_pair(sum_exact(p, -1.0), w);
}
INLINE double expm1_of(double x) {
  scaled e = exp_less_one(as_pair(within(x, -60.0, 720.0)));
  double w = e.exponent > 100.0 ? one_more(e) : value(one_less(e));
  return x != x ? x : copysign(w, x);
}
// where exp(x) = e (1 + r + ..) is a normal number, and x is: e - 1 + e r is most of it
INLINE Reals expm1_usual(Reals x, const Start *kept) {
  TwoRows power = looked_up(POWERS[0], indices(&kept->at));
  Reals r = kept->x.high, z = r * r, e = (Reals)((Naturals)power.first + ((Naturals)kept->x.low << 48));
  Reals p = fused(r, all(EXPM1_NEAR[1]), all(EXPM1_NEAR[0])), q = fused(r, all(EXPM1_NEAR[3]), all(EXPM1_NEAR[2]));
  p = fused(fused(fused(r, all(EXPM1_NEAR[5]), all(EXPM1_NEAR[4])), z, q), z, p);
  Reals less = e - 1.0, lost = e - (less + 1.0), high = fused(e, r, less), low = fused(e, r, less - high);
  return (void)x, high + fused(e, fused(z, p, fused(power.second, r, power.second)), low + lost);
}
#define expm1_start exp_start
#define expm1_far expm1_of
#define expm1_float_start exp_start
#define expm1_float_usual expm1_usual
#define expm1_float_far expm1_of
INLINE Integers expm1_beyond(Reals x) { return beyond(absolute(x), DBL_MIN, 708.0); }
INLINE Integers expm1_float_beyond(Reals x) { return beyond(absolute(x), FLT_MIN, 87.0); }
WITH(IEEE_LOOP, elementary_expm1, 1, OF_VECTORS_OR_FAR(expm1), DOUBLE, 0, 0, NAN)
WITH(IEEE_LOOP, elementary_expm1, 1, OF_VECTORS_OR_FAR(expm1_float), FLOAT, 0, 0, NAN)
WITH(SCIPY_LOOP, expm1, 1, OF_VECTORS_OR_FAR(expm1), DOUBLE)
WITH(SCIPY_LOOP, expm1, 1, OF_VECTORS_OR_FAR(expm1_float), FLOAT)
WITH(LOOP_OF, derivative_expm1, 1, OF_VECTORS_OR_FAR(exp), DOUBLE, NO_REPORT)
WITH(LOOP_OF, derivative_expm1, 1, OF_VECTORS_OR_FAR(exp), FLOAT, NO_REPORT)

// with u = exp(x) - 1 and v = u / exp(x): sinh(x) = (u + v) / 2, cosh(x) = 1 + u v / 2; both are exp(x) / 2 far out
typedef struct { pair growing, falling; scaled exponential; } halves;
INLINE halves halves_of(double x) {
  halves w;
  w.exponential = exp_less_one(as_pair(within(x, 0.0, 720.0)));
  w.growing = one_less(w.exponential);
  w.falling = divide(w.growing, add(w.growing, 1.0));
  w.exponential.exponent -= 1.0;
  return w;
}
INLINE double sinh_of(double x) {
  halves h = halves_of(fabs(x));
  double near = 0.5 * value(add_pair(h.growing, h.falling)), w = fabs(x) > 40.0 ? one_more(h.exponential) : near;
  return x != x ? x : copysign(w, x);
}
INLINE double cosh_of(double x) {
  halves h = halves_of(fabs(x));
  pair product = multiply(times(h.growing, 0.5), h.falling);
  double w = fabs(x) > 40.0 ? one_more(h.exponential) : value(add(product, 1.0));
  return x != x ? x : w;
}
ELEMENTARY_1(sinh, sinh_of, 0, 0, NAN)
ELEMENTARY_1(cosh, cosh_of, 0, 0, NAN)

// exp(2 x) = 2^k exp(2 h), and with 1 + Q = h coth(h), s = 2^k: exp(2 h) = (1 + Q + h) / (1 + Q - h), so that tanh(x) is
// (s - 1 + (s + 1) h + (s - 1) Q) / (s + 1 + (s - 1) h + (s + 1) Q)
typedef struct { pair numerator, denominator; double inverse; } hyperbolic;
INLINE hyperbolic hyperbolic_of(double x) {
  double a = smaller(20.0, fabs(x)), shifted = fma_(a, 2.0 * LOG2_INVERSE, ROUNDER), k = shifted - ROUNDER;
  double first = fma_(-k, 0.5 * LOG2_HI, a), low = k * (-0.5 * LOG2_LO), h = first + low, z = h * h;
  double Q = z * POLYNOMIAL(COTH, z), s = from_bits((bits(shifted) + 1023) << 52), less = s - 1.0, more = less + 2.0;
  double n = fma_(more, first, less), n_low = fma_(more, first, less - n) + fma_(more, low, less * Q);
  double d = fma_(less, h, more), d_low = fma_(more, Q, fma_(less, h, more - d) + (2.0 - (more - less))), sum = d + d_low;
  hyperbolic w = {{n, n_low}, {sum, d_low - (sum - d)}, 1.0 / sum};
  return w;
}
INLINE double tanh_usual(double x) {
  hyperbolic w = hyperbolic_of(x);
  double q = value(w.numerator) * w.inverse;
  double rest = fma_(-q, w.denominator.high, w.numerator.high) + fma_(-q, w.denominator.low, w.numerator.low);
  return copysign(fma_(rest, w.inverse, q), x);
}
INLINE double tanh_rare(double x) { return x != x ? x : copysign(1.0, x); }
ELEMENTARY_FILLED(tanh, OF_ONE_OR_FAR(tanh, DBL_MAX), 0, 0, NAN)
