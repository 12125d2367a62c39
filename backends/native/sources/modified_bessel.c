// The modified Bessel functions of orders 0 and 1.
#include "loops.h"

#define EDGE 9.0
#define FARTHEST 0x1p800 // 1 / (x sqrt(x)) underflows

// sqrt(x), given u = 1 / x
INLINE pair root_pair(double x, double u) {
  double root = sqrt(x);
  pair w = {root, fma_(-root, root, x) * u * (0.5 * root)};
  return w;
}

// exp(-x) i0(x), and exp(-x) i1(x) or, up to EDGE, exp(-x) i1(x) / x
INLINE pair i0_scaled(double x) {
  double c = smaller(x, EDGE), d = larger(x, EDGE), u = 1.0 / d;
  pair near = POLYNOMIAL_PAIR(I0_NEAR, fma_(c, 2.0 / EDGE, -1.0));
  pair far = POLYNOMIAL_PAIR(I0_FAR, fma_(u, 2.0 * EDGE, -1.0));
  return divide(either(x < EDGE, near, far), either(x < EDGE, sum_exact(1.0, c), root_pair(d, u)));
}
INLINE pair i1_scaled(double x) {
  double c = smaller(x, EDGE), d = larger(x, EDGE), u = 1.0 / d;
  pair near = POLYNOMIAL_PAIR(I1_NEAR, fma_(c, 2.0 / EDGE, -1.0)), half = sum_exact(1.0, 0.5 * c);
  pair far = POLYNOMIAL_PAIR(I1_FAR, fma_(u, 2.0 * EDGE, -1.0));
  return divide(either(x < EDGE, near, far), either(x < EDGE, multiply(half, half), root_pair(d, u)));
}

INLINE double i0e_of(double x) {
  double a = fabs(x), w = value(i0_scaled(smaller(a, DBL_MAX)));
  return x != x ? x : (a > DBL_MAX ? 0.0 : w);
}
INLINE double i1e_of(double x) {
  double a = fabs(x), c = smaller(a, DBL_MAX);
  pair s = i1_scaled(c);
  double w = value(times(s, c < EDGE ? c : 1.0));
  return x != x ? x : copysign(a > DBL_MAX ? 0.0 : w, x);
}
UNARY(i0e, i0e_of)
UNARY(i1e, i1e_of)

// exp(-x) (i0(x) - i1(x))
INLINE pair i_less(double x) {
  double c = smaller(x, EDGE), d = larger(x, EDGE), u = 1.0 / d;
  pair near = POLYNOMIAL_PAIR(I_LESS_NEAR, fma_(c, 2.0 / EDGE, -1.0)), one_more = sum_exact(1.0, c);
  pair far = times(POLYNOMIAL_PAIR(I_LESS_FAR, fma_(u, 2.0 * EDGE, -1.0)), u);
  return divide(either(x < EDGE, near, far), either(x < EDGE, multiply(one_more, one_more), root_pair(d, u)));
}
// the same for x <= 1, by the series of i0 and i1
INLINE double i_less_small(double x) {
  double z = x * x;
  scaled e = exp_scaled(as_pair(-x));
  pair less = add_pair(POLYNOMIAL_PAIR(K_I0, z), negative(times(POLYNOMIAL_PAIR(K_I1, z), x)));
  return value(multiply(e.mantissa, less)) * power_of_two(e.exponent);
}
INLINE double i0e_derivative(double x) {
  double a = fabs(x), w = a < 0.75 ? i_less_small(smaller(a, 1.0)) : value(i_less(smaller(a, FARTHEST)));
  return x != x ? x : (x == 0 ? 0.0 : copysign(w, -x));
}
DERIVATIVE(i0e, i0e_derivative)

// exp(-x) (i0(x) - i1(x) / x - i1(x)), DLMF 10.29.3, over its distance from its zero, the peak of i1e
INLINE double i1e_derivative(double x) {
  double a = smaller(fabs(x), FARTHEST), c = smaller(a, EDGE), d = larger(a, EDGE), u = 1.0 / d;
  pair left = sum_exact(I1E_PEAK_HI, -c), half = sum_exact(1.0, 0.5 * c), cube = multiply(half, multiply(half, half));
  left.low += I1E_PEAK_LO;
  pair near = multiply(left, POLYNOMIAL_PAIR(I1E_DERIVATIVE_NEAR, fma_(c, 2.0 / EDGE, -1.0)));
  pair far = times(POLYNOMIAL_PAIR(I1E_DERIVATIVE_FAR, fma_(u, 2.0 * EDGE, -1.0)), -u);
  double w = value(divide(either(a < EDGE, near, far), either(a < EDGE, cube, root_pair(d, u))));
  return x != x ? x : w;
}
DERIVATIVE(i1e, i1e_derivative)

INLINE double i0_of(double x) {
  double c = smaller(fabs(x), 720.0);
  scaled e = exp_scaled(as_pair(c));
  double w = times_power(value(multiply(e.mantissa, i0_scaled(c))), e.exponent);
  return x != x ? x : w;
}
INLINE double i1_of(double x) {
  double c = smaller(fabs(x), 720.0);
  scaled e = exp_scaled(as_pair(c));
  pair s = times(i1_scaled(c), c < EDGE ? c : 1.0);
  double w = times_power(value(multiply(e.mantissa, s)), e.exponent);
  return x != x ? x : copysign(w, x);
}
UNARY(i0, i0_of)
UNARY(i1, i1_of)

// i0(x) - i1(x) / x, DLMF 10.29.3, which is even
INLINE double i1_derivative(double x) {
  double a = smaller(fabs(x), 720.0), c = smaller(a, EDGE), d = larger(a, EDGE), u = 1.0 / d;
  scaled e = exp_scaled(as_pair(a));
  pair near = POLYNOMIAL_PAIR(I1_DERIVATIVE_NEAR, fma_(c, 2.0 / EDGE, -1.0));
  pair far = POLYNOMIAL_PAIR(I1_DERIVATIVE_FAR, fma_(u, 2.0 * EDGE, -1.0));
  pair s = divide(either(a < EDGE, near, far), either(a < EDGE, sum_exact(1.0, c), root_pair(d, u)));
  double w = times_power(value(multiply(e.mantissa, s)), e.exponent);
  return x != x ? x : w;
}
DERIVATIVE(i1, i1_derivative)

// exp(x) k0(x) and exp(x) k1(x) for x >= 1
INLINE pair k0_scaled(double x) {
  double u = 1.0 / x;
  return divide(POLYNOMIAL_PAIR(K0_FAR, fma_(u, 2.0, -1.0)), root_pair(x, u));
}
INLINE pair k1_scaled(double x) {
  double u = 1.0 / x;
  return divide(POLYNOMIAL_PAIR(K1_FAR, fma_(u, 2.0, -1.0)), root_pair(x, u));
}

// for x <= 1: k0 = K0_NEAR - log(x) i0 and k1 = 1 / x + x (log(x) (i1 / x) + K1_NEAR), DLMF 10.31.2 and 10.31.1
INLINE pair k0_near(double x) {
  double z = x * x;
  pair l = negative(log_pair(x));
  return add_pair(multiply(l, POLYNOMIAL_PAIR(K_I0, z)), POLYNOMIAL_PAIRS(K0_NEAR, product_exact(x, x)));
}
INLINE pair k1_near(double x) {
  double z = x * x, inverse = 1.0 / x;
  pair l = log_pair(x), over = {inverse, fma_(-inverse, x, 1.0) * inverse};
  return add_pair(over, times(add_pair(multiply(l, POLYNOMIAL_PAIR(K_I1, z)), POLYNOMIAL_PAIR(K1_NEAR, z)), x));
}

#define K_OF(NAME, NEAR, SCALED)                                                            \
  INLINE double NAME##_of(double x) {                                                       \
    double c = within(x, 0.0, 1.0), d = within(x, 1.0, 800.0);                              \
    c = c > 0 ? c : 1.0;                                                                    \
    scaled e = exp_scaled(as_pair(-d));                                                     \
    double far = times_power(value(multiply(e.mantissa, SCALED(d))), e.exponent);           \
    double w = x < 1.0 ? value(NEAR(c)) : far;                                              \
    return x != x ? x : (x > 0 ? w : NAN);                                                  \
  }                                                                                         \
  INLINE double NAME##e_of(double x) {                                                      \
    double c = within(x, 0.0, 1.0), d = within(x, 1.0, DBL_MAX);                            \
    c = c > 0 ? c : 1.0;                                                                    \
    scaled e = exp_scaled(as_pair(c));                                                      \
    pair near = multiply(e.mantissa, NEAR(c));                                              \
    double w = x < 1.0 ? value(near) * power_of_two(e.exponent) : value(SCALED(d));         \
    w = x > DBL_MAX ? 0.0 : w;                                                              \
    return x != x ? x : (x > 0 ? w : NAN);                                                  \
  }
K_OF(k0, k0_near, k0_scaled)
K_OF(k1, k1_near, k1_scaled)
UNARY(k0, k0_of)
UNARY(k0e, k0e_of)
UNARY(k1, k1_of)
UNARY(k1e, k1e_of)

// exp(x) (k1(x) - k0(x)) for x >= 1
INLINE pair k_less(double x) {
  double u = 1.0 / x;
  return divide(times(POLYNOMIAL_PAIR(K_LESS_FAR, fma_(u, 2.0, -1.0)), u), root_pair(x, u));
}
// k0e - k1e
INLINE double k0e_derivative(double x) {
  double c = x > 0 && x < 1.0 ? x : 1.0, d = within(x, 1.0, FARTHEST);
  scaled e = exp_scaled(as_pair(c));
  pair near = multiply(e.mantissa, add_pair(k0_near(c), negative(k1_near(c))));
  double w = x < 1.0 ? value(near) * power_of_two(e.exponent) : -value(k_less(d));
  return x != x ? x : (x > 0 ? w : NAN);
}
DERIVATIVE(k0e, k0e_derivative)

// -k0(x) - k1(x) / x, by the derivative of what is summed for k1; below TINY it is the pole
#define TINY 0x1p-500
INLINE pair k1_derivative_near(double x) {
  double z = x * x, inverse = 1.0 / x;
  pair over = {inverse, fma_(-inverse, x, 1.0) * inverse}, pole = multiply(over, over);
  double rest = fma_(value(log_pair(x)), POLYNOMIAL(K_I1_DERIVATIVE, z), POLYNOMIAL(K1_DERIVATIVE_NEAR, z));
  return sum_ordered(-pole.high, rest - pole.low);
}
INLINE double k1_derivative(double x) {
  double c = x > TINY && x < 1.0 ? x : 1.0, d = within(x, 1.0, 800.0), u = 1.0 / d;
  scaled e = exp_scaled(as_pair(-d));
  pair s = divide(POLYNOMIAL_PAIR(K1_DERIVATIVE_FAR, fma_(u, 2.0, -1.0)), root_pair(d, u));
  double far = -times_power(value(multiply(e.mantissa, s)), e.exponent);
  double w = x < 1.0 ? (x < TINY ? -1.0 / x / x : value(k1_derivative_near(c))) : far;
  return x != x ? x : (x >= 0 ? w : NAN);
}
INLINE double k1e_derivative(double x) {
  double c = x > TINY && x < 1.0 ? x : 1.0, d = within(x, 1.0, FARTHEST), u = 1.0 / d;
  scaled e = exp_scaled(as_pair(c));
  pair s = times(POLYNOMIAL_PAIR(K1E_DERIVATIVE_FAR, fma_(u, 2.0, -1.0)), u);
  s.low = fma_(s.high, fma_(-u, d, 1.0), s.low);
  double near = value(multiply(e.mantissa, add_pair(k1_near(c), k1_derivative_near(c)))) * power_of_two(e.exponent);
  double w = x < 1.0 ? (x < TINY ? -1.0 / x / x : near) : -value(divide(s, root_pair(d, u)));
  return x != x ? x : (x > 0 ? w : NAN);
}
DERIVATIVE(k1, k1_derivative)
DERIVATIVE(k1e, k1e_derivative)
