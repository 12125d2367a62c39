// Logarithms, inverse hyperbolic functions, powers and roots of NumPy's namespace.
#include "logarithms.h"
#include "lookups.h"
#include "loops.h"

// what a logarithm is outside of the positive numbers
INLINE double or_edge(double x, double w) {
  return is_positive(x) ? w : (x == 0 ? -INFINITY : (x < 0 ? NAN : x));
}

// x = 2^k m with m - 1 from (j - 1/2) / 16 to (j + 1/2) / 16: for 1 + f = c m and d = 16 k + j it is
// d log(2) / 16 + LOGARITHMS_BESIDE[j] + log(1 + f), of which the first sum is exact, and
// so is f near x = 1, for 64 c is an integer
INLINE Start log_start(Reals x) {
  Naturals more = (Naturals)x + (1ull << 47);
  Reals d = (Reals)((more >> 48) | bits(0x1p52)) - (0x1p52 + 16 * 1023);
  Reals m = (Reals)((more & MANTISSA_BITS) + (ONE_BITS - (1ull << 47)));
  Start w = {{m, d}, kept_indices((Reals)more, 48)};
  return w;
}
INLINE Reals log_usual(Reals x, const Start *kept) {
  Indices at = indices(&kept->at);
  Reals m = kept->x.high, d = kept->x.low;
  TwoRows c = looked_up(LOGARITHMS_BESIDE[0], at), rest = looked_up(LOGARITHMS_BESIDE[1], at);
  Reals f = fused_less(m, c.first, all(1.0)), large = fused(d, all(LOG2_16TH_38_HI), c.second), high = large + f;
  Reals low = fused(d, all(LOG2_16TH_38_LO), rest.first) + (f - (high - large));
  Reals z = f * f, p = fused(f, all(LOG_NEAR[1]), all(LOG_NEAR[0])), q = fused(f, all(LOG_NEAR[5]), all(LOG_NEAR[4]));
  p = fused(z, fused(f, all(LOG_NEAR[3]), all(LOG_NEAR[2])), p);
  q = fused(z, fused(z, all(LOG_NEAR[8]), fused(f, all(LOG_NEAR[7]), all(LOG_NEAR[6]))), q);
  return (void)x, high + fused(z, fused(z * z, q, p), low);
}
INLINE Integers log_beyond(Reals x) { return beyond(x, DBL_MIN, DBL_MAX); }
INLINE double log_far(double x) { return or_edge(x, value(log_terms(x))); }
INLINE double log2_of(double x) {
  pair unit = {LOG2_E_HI, LOG2_E_LO};
  return or_edge(x, value(multiply(log_pair(x), unit)));
}
INLINE double log10_of(double x) {
  pair unit = {LOG10_E_HI, LOG10_E_LO};
  return or_edge(x, value(multiply(log_pair(x), unit)));
}
ELEMENTARY_FILLED(log, OF_VECTORS_OR_FAR(log), 1, 0, NAN)
ELEMENTARY_1(log2, log2_of, 1, 0, NAN)
ELEMENTARY_1(log10, log10_of, 1, 0, NAN)

ELEMENTARY_1(log1p, log1p_of, 1, 0, NAN)

// log(1 + (x + x^2 / (1 + sqrt(1 + x^2)))), and log(2 x) far out
INLINE double arcsinh_of(double x) {
  double a = fabs(x), c = smaller(a, 0x1p54);
  pair square = product_exact(c, c), more = divide(square, add(root_of(add(square, 1.0)), 1.0));
  double w = value(log_one_more(add(more, c))), far = value(log_parts(within(a, 1.0, DBL_MAX), 0.0, 1.0));
  w = a < 0x1p-28 ? a : (a > 0x1p54 ? far : w);
  return x != x ? x : copysign(a > DBL_MAX ? a : w, x);
}
// log(1 + (t + sqrt(t (t + 2)))) with t = x - 1, and log(2 x) far out
INLINE double arccosh_of(double x) {
  double c = within(x, 1.0, 0x1p54);
  pair t = sum_exact(c, -1.0), root = root_of(multiply(t, add(t, 2.0)));
  double w = value(log_one_more(add_pair(t, root))), far = value(log_parts(within(x, 1.0, DBL_MAX), 0.0, 1.0));
  w = x > 0x1p54 ? far : w;
  return x != x || x > DBL_MAX ? x : (x < 1.0 ? NAN : w);
}
// log(1 + 2 x / (1 - x)) / 2
INLINE double arctanh_of(double x) {
  double a = fabs(x), c = a < 1.0 ? a : 0.0;
  double w = 0.5 * value(log_one_more(divide(as_pair(2.0 * c), sum_exact(1.0, -c))));
  w = a < 0x1p-28 ? a : (a < 1.0 ? w : (a == 1.0 ? INFINITY : NAN));
  return x != x ? x : copysign(w, x);
}
ELEMENTARY_1(arcsinh, arcsinh_of, 0, 0, NAN)
ELEMENTARY_1(arccosh, arccosh_of, 0, 0, NAN)
ELEMENTARY_1(arctanh, arctanh_of, 1, 0, NAN)

// exp(y log(|x|)), with a sign where y is odd; the rest are the cases of C's `pow`
INLINE double power_of(double x, double y) {
  double a = fabs(x), size_of = fabs(y), raised = size_of < 0x1p52 ? size_of + 0x1p52 : size_of;
  int is_number = is_positive(a), is_whole = size_of >= 0x1p52 || raised - 0x1p52 == size_of;
  int is_odd = is_whole && size_of < 0x1p53 && (bits(raised) & 1) != 0;
  pair power = times(log_long(as_pair(a)), y);
  power = either(fabs(power.high) < 1100.0, power, as_pair(power.high > 0 ? 1100.0 : -1100.0));
  scaled e = exp_scaled(power);
  double w = times_power(value(e.mantissa), e.exponent);
  w = is_number ? w : ((a == 0) == (y > 0) ? 0.0 : INFINITY);
  w = x < 0 && is_number && !is_whole ? NAN : w;
  w = is_odd ? copysign(w, x) : w;
  w = a == 1.0 && size_of > DBL_MAX ? 1.0 : w;
  w = x != x || y != y ? NAN : w;
  return y == 0 || x == 1.0 ? 1.0 : w;
}
ELEMENTARY_2(power, power_of, a == 0, 1)

INLINE double cbrt_of(double x) {
  double a = fabs(x);
  pair third = {1.0 / 3.0, 0x1.5555555555555p-56};
  pair w = at_most_one(exp_scaled(multiply(log_pair(a), third)));
  return is_positive(a) ? copysign(value(w), x) : x;
}
ELEMENTARY_1(cbrt, cbrt_of, 0, 0, NAN)

INLINE double hypot_of(double x, double y) {
  double a = larger(fabs(x), fabs(y)), b = smaller(fabs(x), fabs(y)), c = smaller(a, DBL_MAX);
  double up = c > 0x1p500 ? 0x1p-600 : (c < 0x1p-400 ? 0x1p600 : 1.0), down = 1.0 / up;
  pair square = add_pair(product_exact(c * up, c * up), product_exact(b * up, b * up));
  double w = value(root_of(square)) * down;
  w = fabs(x) > DBL_MAX || fabs(y) > DBL_MAX ? INFINITY : w;
  return fabs(x) <= DBL_MAX && fabs(y) <= DBL_MAX ? w : (w > DBL_MAX ? w : NAN);
}
ELEMENTARY_2(hypot, hypot_of, 0, 0)

// max + log(1 + exp(-difference))
INLINE double either_infinity(double most, double w) { return fabs(most) <= DBL_MAX ? w : most; }
INLINE pair difference_of(double most, double least) {
  return either(least > most - 1100.0, sum_exact(least, -most), as_pair(-1100.0));
}
INLINE double logaddexp_of(double x, double y) {
  double most = larger(x, y), least = smaller(x, y), c = fabs(most) <= DBL_MAX ? most : 0.0;
  pair sum = log_one_more(at_most_one(exp_scaled(difference_of(c, least))));
  double w = either_infinity(most, value(add(sum, c)));
  return x != x || y != y ? NAN : w;
}
INLINE double logaddexp2_of(double x, double y) {
  double most = larger(x, y), least = smaller(x, y), c = fabs(most) <= DBL_MAX ? most : 0.0;
  pair unit = {LOG2_E_HI, LOG2_E_LO}, log2 = {LOG2_HI, LOG2_LO};
  pair sum = multiply(log_one_more(at_most_one(exp_scaled(multiply(difference_of(c, least), log2)))), unit);
  double w = either_infinity(most, x == y ? c + 1.0 : value(add(sum, c)));
  return x != x || y != y ? NAN : w;
}
ELEMENTARY_2(logaddexp, logaddexp_of, 0, 0)
ELEMENTARY_2(logaddexp2, logaddexp2_of, 0, 0)
