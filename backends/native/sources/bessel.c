// The Bessel functions of orders 0 and 1, and the derivatives of those of order 1.  Errors are those of their size, the
// modulus hypot(j, y) of DLMF 10.18.
#include "loops.h"
#include "trigonometry.h"

#define EDGE 5.0
#define LAST 0x1p50 // beyond the argument is reduced by Payne and Hanek's method

// cos(x - pi / 4 + phase - turns pi / 2): x less an odd multiple of pi / 4
INLINE pair cosine(double x, double phase, int turns) {
  double n = nearest_integer(fma_(x, TWO_OVER_PI_HI, -0.5));
  return turned_cosine(add(less_quarters(x, n + 0.5), phase), bits(n - turns + ROUNDER));
}
static inline pair cosine_of_huge(double x, double phase, int turns) {
  reduced r = reduce_huge(x);
  int is_low = r.rest.high < 0;
  pair eighth = {0.5 * HALF_PI_0, 0.5 * HALF_PI_1}, rest = add_pair(r.rest, is_low ? eighth : negative(eighth));
  return turned_cosine(add(rest, phase), r.quarter - (uint64_t)(turns + is_low));
}

// (z - 29/2) / (21/2) for the squares z from 4 to 25
INLINE pair between(pair z) {
  double middle = larger(z.high, 4.0) - 14.5, t = (middle + z.low) / 10.5;
  return sum_ordered(t, (fma_(-t, 10.5, middle) + z.low) * (1.0 / 10.5));
}

// j0(x) or j1(x) / x for x <= EDGE: by the power series up to 2, then by the distance from the zero
#define J_NEAR(ORDER, SECOND, THIRD)                                                                                   \
  INLINE pair j##ORDER##_near(double x) {                                                                              \
    pair z = product_exact(x, x), zero = {J##ORDER##_ZERO_HI, J##ORDER##_ZERO_LO};                                     \
    double c = smaller(z.high, 4.0);                                                                                   \
    pair far = multiply(add_pair(z, negative(zero)), POLYNOMIAL_PAIRS(J##ORDER##_NEAR, between(z)));                    \
    pair series = sum_ordered(SECOND, fma_(-THIRD, z.high, c * c * POLYNOMIAL(J##ORDER##_SMALL, c)));                  \
    return either(z.high < 4.0, series, divide(far, add(z, 16.0)));                                                    \
  }
J_NEAR(0, 1.0, 0.25)
J_NEAR(1, 0.5, 0.0625)

// what is left of y0(x), or of y1(x) / x, beside the logarithm and the pole
#define Y_REST(ORDER)                                                                                                  \
  INLINE pair y##ORDER##_rest(double x) {                                                                              \
    pair z = product_exact(x, x), small = either(z.high < 4.0, z, as_pair(4.0));                                       \
    pair series = POLYNOMIAL_PAIRS(Y##ORDER##_SMALL, small), far = POLYNOMIAL_PAIRS(Y##ORDER##_NEAR, between(z));      \
    return either(z.high < 4.0, series, far);                                                                          \
  }
Y_REST(0)
Y_REST(1)

// j1'(x) by the distance from its zero, and what is left of y1'(x) beside the logarithm and the pole, for x <= EDGE
INLINE pair from_middle(pair z) { return divide(add(z, -12.5), as_pair(12.5)); }
INLINE pair j1_derivative_near(double x) {
  pair z = product_exact(x, x), zero = {J1_DERIVATIVE_ZERO_HI, J1_DERIVATIVE_ZERO_LO};
  pair far = multiply(add_pair(z, negative(zero)), POLYNOMIAL_PAIRS(J1_DERIVATIVE, from_middle(z)));
  return divide(far, add(z, 16.0));
}
INLINE pair y1_derivative_rest(double x) {
  return POLYNOMIAL_PAIRS(Y1_DERIVATIVE, from_middle(product_exact(x, x)));
}

// the modulus times the cosine of the phase; y is a quarter turn behind j, as functions of order 1 are behind order 0 and
// behind their derivatives, of which the tables have the order D
#define FAR(ORDER, LAG, TURNS, NAME, COSINE)                                                     \
  INLINE double NAME##_##ORDER##_##TURNS(double x) {                                             \
    double u = 1.0 / x, t = fma_(u * u, 50.0, -1.0), root = sqrt(x);                            \
    pair divisor = {root, fma_(-root, root, x) * (0.5 / root)};                                  \
    pair phase = COSINE(x, u * POLYNOMIAL(BESSEL_PHASE_##ORDER, t), LAG + TURNS);                \
    return value(divide(multiply(phase, POLYNOMIAL_PAIR(BESSEL_MODULUS_##ORDER, t)), divisor));  \
  }
#define FAR_AND_HUGE(ORDER, LAG)           \
  FAR(ORDER, LAG, 0, far, cosine)          \
  FAR(ORDER, LAG, 1, far, cosine)          \
  FAR(ORDER, LAG, 0, huge, cosine_of_huge) \
  FAR(ORDER, LAG, 1, huge, cosine_of_huge)
FAR_AND_HUGE(0, 0)
FAR_AND_HUGE(1, 1)
FAR_AND_HUGE(D, 0)

// The values beyond LAST, where the vectorized ones are NaN, before SciPy is asked.
#define REPORT_OR_HUGE(NAME, COUNT, T, DTYPE, SMALLEST, LARGEST)                                        \
  REPORT_BY_SCIPY(NAME, COUNT, T, DTYPE, SMALLEST, LARGEST)                                             \
  static __attribute__((noinline, cold)) int NAME##_##DTYPE##_report_or_huge(                           \
    const fallback *f, const T *const *x, T *w, int count                                      \
  ) {                                                                                                   \
    for (int i = 0; i < count; i++)                                                                     \
      if (NAME##_is_huge((double)x[0][i])) w[i] = (T)NAME##_of_huge((double)x[0][i]);                   \
    return NAME##_##DTYPE##_report(f, x, w, count);                                                     \
  }                                                                                                     \
  LOOP_OF(NAME, COUNT, OF_ONE(NAME##_of), T, DTYPE, SMALLEST, LARGEST, NAME##_##DTYPE##_report_or_huge)
#define UNARY_OR_HUGE(NAME) WITH(REPORT_OR_HUGE, NAME, 1, DOUBLE) WITH(REPORT_OR_HUGE, NAME, 1, FLOAT)

INLINE double j0_of(double x) {
  double a = fabs(x);
  double w = a < EDGE ? value(j0_near(smaller(a, EDGE))) : far_0_0(within(a, EDGE, LAST));
  return x != x ? x : (a > LAST ? NAN : w);
}
INLINE double j1_of(double x) {
  double a = fabs(x), c = smaller(a, EDGE);
  double w = a < EDGE ? value(times(j1_near(c), c)) : far_1_0(within(a, EDGE, LAST));
  return x != x ? x : (a > LAST ? NAN : copysign(1.0, x) * w);
}
INLINE int j0_is_huge(double x) { return fabs(x) > LAST && fabs(x) <= DBL_MAX; }
INLINE int j1_is_huge(double x) { return j0_is_huge(x); }
INLINE double j0_of_huge(double x) { return huge_0_0(within(fabs(x), LAST, DBL_MAX)); }
INLINE double j1_of_huge(double x) { return copysign(1.0, x) * huge_1_0(within(fabs(x), LAST, DBL_MAX)); }
UNARY_OR_HUGE(j0)
UNARY_OR_HUGE(j1)

INLINE double y0_of(double x) {
  double c = x > 0 && x < EDGE ? x : EDGE;
  pair scale = {TWO_OVER_PI_HI, TWO_OVER_PI_LO}, product = multiply(log_pair(c), j0_near(c));
  pair near = add_pair(product, y0_rest(c));
  double w = x < EDGE ? value(multiply(scale, near)) : far_0_1(within(x, EDGE, LAST));
  return x != x ? x : (x > 0 && x <= LAST ? w : NAN);
}
INLINE double y1_of(double x) {
  double c = x > 0 && x < EDGE ? x : EDGE, inverse = 1.0 / c;
  pair scale = {TWO_OVER_PI_HI, TWO_OVER_PI_LO}, over = {-inverse, -fma_(-inverse, c, 1.0) * inverse};
  pair rest = add_pair(multiply(log_pair(c), j1_near(c)), y1_rest(c));
  double near = value(multiply(scale, add_pair(over, times(rest, c))));
  near = inverse > 0x1p1000 ? -inverse * TWO_OVER_PI_HI : near;
  double w = x < EDGE ? near : far_1_1(within(x, EDGE, LAST));
  return x != x ? x : (x > 0 && x <= LAST ? w : NAN);
}
INLINE int y0_is_huge(double x) { return x > LAST && x <= DBL_MAX; }
INLINE int y1_is_huge(double x) { return y0_is_huge(x); }
INLINE double y0_of_huge(double x) { return huge_0_1(within(x, LAST, DBL_MAX)); }
INLINE double y1_of_huge(double x) { return huge_1_1(within(x, LAST, DBL_MAX)); }
UNARY_OR_HUGE(y0)
UNARY_OR_HUGE(y1)

// the derivatives j0 - j1 / x and y0 - y1 / x, of which those beyond LAST, and of NaN, are rare
INLINE double j1_derivative_usual(double x) {
  double a = fabs(x);
  return a < EDGE ? value(j1_derivative_near(smaller(a, EDGE))) : far_D_0(within(a, EDGE, LAST));
}
INLINE double j1_derivative_rare(double x) {
  double a = fabs(x);
  return a <= DBL_MAX ? huge_D_0(within(a, LAST, DBL_MAX)) : NAN;
}
INLINE double y1_derivative_usual(double x) {
  double c = x > 0 && x < EDGE ? x : EDGE, inverse = 1.0 / c;
  pair scale = {TWO_OVER_PI_HI, TWO_OVER_PI_LO}, over = {inverse, fma_(-inverse, c, 1.0) * inverse};
  pair rest = add_pair(multiply(log_pair(c), j1_derivative_near(c)), y1_derivative_rest(c));
  double near = value(multiply(scale, add_pair(multiply(over, over), rest)));
  near = inverse > 0x1p510 ? TWO_OVER_PI_HI * inverse * inverse : near;
  double w = x < EDGE ? near : far_D_1(within(x, EDGE, LAST));
  return x > 0 ? w : (x == 0 ? HUGE_VAL : NAN);
}
INLINE double y1_derivative_rare(double x) {
  return x > 0 && x <= DBL_MAX ? huge_D_1(within(x, LAST, DBL_MAX)) : NAN;
}
#define DERIVATIVE_OR_HUGE(NAME, ...) \
  WITH(LOOP_OF, derivative_##NAME, 1, OF_ONE_OR_RARE(NAME##_derivative, LAST), __VA_ARGS__, NO_REPORT)
DERIVATIVE_OR_HUGE(j1, DOUBLE)
DERIVATIVE_OR_HUGE(j1, FLOAT)
DERIVATIVE_OR_HUGE(y1, DOUBLE)
DERIVATIVE_OR_HUGE(y1, FLOAT)
