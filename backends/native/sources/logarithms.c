// Logarithms and those of quotients, times their arguments or not, and the dilogarithm.
#include "loops.h"

// x log(y), exactly 0 where y = 1
INLINE double times_logarithm(double x, pair logarithm) {
  return logarithm.high == 0 ? x * logarithm.high : value(times(logarithm, x));
}
INLINE int is_positive(double x) { return x > 0 && x <= DBL_MAX; }

// x log(x / y), by the quotient of the mantissas: it neither overflows nor underflows
INLINE double rel_entr(double x, double y) {
  int inside = is_positive(x) && is_positive(y);
  scaled_number a = mantissa(inside ? x : 1.0), b = mantissa(inside ? y : 1.0);
  pair quotient = divide(as_pair(a.mantissa), as_pair(b.mantissa));
  double w = times_logarithm(x, log_parts(quotient.high, quotient.low / quotient.high, a.exponent - b.exponent));
  w = inside ? w : (x > 0 && y > 0 ? NAN : (x == 0 && y >= 0 ? 0.0 : INFINITY));
  return x != x || y != y ? NAN : w;
}
BINARY(rel_entr, rel_entr)

// x log(y / x) + x - y is x (log(1 + d) - d) with d = (y - x) / x, next to x = y - x d^2 KL_DIV(d)
INLINE double kl_div(double x, double y) {
  int inside = is_positive(x) && is_positive(y);
  double p = inside ? x : 1.0, q = inside ? y : 1.0;
  scaled_number a = mantissa(p), b = mantissa(q);
  pair quotient = divide(as_pair(a.mantissa), as_pair(b.mantissa)), difference = sum_exact(q, -p);
  pair logarithm = log_parts(quotient.high, quotient.low / quotient.high, a.exponent - b.exponent);
  pair d = divide(difference, as_pair(p)), square = multiply(difference, d);
  int is_near = fabs(d.high) <= 0.125;
  pair near = multiply(square, POLYNOMIAL_PAIR(KL_DIV, is_near ? d.high : 0.0));
  pair product = times(logarithm, p), far = add_pair(product, difference);
  double w = is_near ? value(near) : (fabs(product.high) <= DBL_MAX ? value(far) : INFINITY);
  w = inside ? w : (x > 0 && y > 0 ? NAN : (x == 0 && y >= 0 ? y : INFINITY));
  return x != x || y != y ? NAN : w;
}
BINARY(kl_div, kl_div)

// -x log(x)
INLINE double entr(double x) {
  int inside = is_positive(x);
  double c = inside ? x : 1.0, product = c * log_pair(c).high;
  double w = fabs(product) <= DBL_MAX ? -times_logarithm(c, log_pair(c)) : -INFINITY;
  w = inside ? w : (x == 0 ? 0.0 : -INFINITY);
  return x != x ? x : w;
}
UNARY(entr, entr)

// x times a logarithm that is `at_edge` unless it is of a number inside of the domain; 0 where x is 0
INLINE double times_any_logarithm(double x, int inside, pair logarithm, double at_edge) {
  double product = x * logarithm.high, w = fabs(product) <= DBL_MAX ? times_logarithm(x, logarithm) : product;
  return x == 0 ? 0.0 : (inside ? w : x * at_edge);
}
INLINE double xlogy(double x, double y) {
  int inside = is_positive(y);
  double w = times_any_logarithm(x, inside, log_pair(inside ? y : 1.0), y == 0 ? -INFINITY : (y > 0 ? y : NAN));
  return x != x || y != y ? NAN : w;
}
BINARY(xlogy, xlogy)

INLINE double xlog1py(double x, double y) {
  int inside = y > -1 && y <= DBL_MAX;
  double c = inside ? y : 0.0;
  pair logarithm = either(fabs(c) < 0x1p-54, as_pair(c), log_one_more(as_pair(c)));
  double w = times_any_logarithm(x, inside, logarithm, y == -1 ? -INFINITY : (y > -1 ? y : NAN));
  return x != x || y != y ? NAN : w;
}
BINARY(xlog1py, xlog1py)

// log(x / (1 - x)), and next to 1/2 log((1 + s) / (1 - s)) with s = 2 x - 1
INLINE double logit(double x) {
  int inside = x > 0 && x < 1;
  double c = inside ? x : 0.5, s = 2.0 * c - 1.0, z = s * s;
  double near = fma_(s * z, POLYNOMIAL(LOG, z), 2.0 * s);
  double far = value(log_pair_of(divide(as_pair(c), sum_exact(1.0, -c))));
  double w = fabs(s) < 0.17 ? near : far;
  w = inside ? w : (x == 0 ? -INFINITY : (x == 1 ? INFINITY : NAN));
  return x != x ? x : w;
}
UNARY(logit, logit)

// spence(exp(-u)) for |u| <= log(2): u - u^2 / 4 + ..
INLINE pair dilogarithm(pair u) {
  double t = u.high, z = t * t;
  return sum_ordered(t, u.low + z * fma_(t, POLYNOMIAL(DILOGARITHM, z), -0.25));
}

// DLMF 25.12.6 takes x < 1/2 to 1 - x, and 25.12.4 takes x > 2 to 1 / x: spence(x) = - spence(1 / x) - log(x)^2 / 2
INLINE double spence(double x) {
  double c = is_positive(x) ? x : 1.0, inverse = 1.0 / larger(c, 2.0);
  pair logarithm = log_pair(c), small = {inverse, fma_(-inverse, c, 1.0) * inverse};
  small = either(c < 0.5, as_pair(c), either(c > 2.0, small, as_pair(0.5)));
  pair below = sum_exact(1.0, -small.high);
  below.low -= small.low;
  pair complement = log_pair_of(below), of_small = either(c < 0.5, logarithm, negative(logarithm));
  pair constant = {PI_SQUARED_OVER_6_HI, PI_SQUARED_OVER_6_LO};
  pair rest = add_pair(multiply(of_small, complement), dilogarithm(negative(complement)));
  pair outer = add_pair(constant, negative(rest)), half_square = multiply(logarithm, times(logarithm, 0.5));
  pair beyond = negative(add_pair(outer, half_square));
  pair inner = dilogarithm(negative(either(c < 0.5, as_pair(0.0), either(c > 2.0, as_pair(0.0), logarithm))));
  double w = value(either(c < 0.5, outer, either(c > 2.0, beyond, inner)));
  w = x == 0 ? PI_SQUARED_OVER_6_HI : (is_positive(x) ? w : NAN);
  return x != x ? x : w;
}
UNARY(spence, spence)
