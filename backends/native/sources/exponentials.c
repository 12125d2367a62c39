// The exponential functions of NumPy's namespace and the hyperbolic functions.
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
ELEMENTARY_1(exp, exp_of, 0, 1, NAN)

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
ELEMENTARY_1(expm1, expm1_of, 0, 0, NAN)
UNARY(expm1, expm1_of)
DERIVATIVE(expm1, exp_of)

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

// with u = exp(2 x) - 1: u / (u + 2)
INLINE double tanh_of(double x) {
  pair u = one_less(exp_less_one(as_pair(2.0 * smaller(fabs(x), 22.0))));
  double w = value(divide(u, add(u, 2.0)));
  return x != x ? x : copysign(w, x);
}
ELEMENTARY_1(tanh, tanh_of, 0, 0, NAN)
