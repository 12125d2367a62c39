// The complete elliptic integrals of the first kind, by m or by p = 1 - m, and of the second.
#include "loops.h"

// Where p is small they are next to their logarithms, else series of m; where m < 0 those of m / (m - 1), whose p is
// 1 / (1 - m), over the root of 1 - m, or times it: DLMF 19.7.3.
typedef struct { int is_left, is_low; pair small, scale; } transformed;

// Of p > 0 (m < 1), given m where p is rounded.
INLINE transformed transform(double m, pair p) {
  double inverse = 1.0 / larger(p.high, 1.0), root = sqrt(larger(p.high, 1.0));
  pair reciprocal = {inverse, (fma_(-inverse, p.high, 1.0) - inverse * p.low) * inverse};
  pair scale = {root, (fma_(-root, root, p.high) + p.low) * (0.5 * inverse * root)};
  int is_left = m < 0, is_low = m < 0 ? p.high > 2.0 : p.high < 0.5;
  pair small = either(is_left, either(is_low, reciprocal, times(reciprocal, -m)), either(is_low, p, as_pair(m)));
  transformed w = {is_left, is_low, small, either(is_left, scale, as_pair(1.0))};
  return w;
}
// p^k log(p) / pi times a function of p that is regular at 0
INLINE pair logarithmic_term(transformed s, pair regular) {
  pair over_pi = {PI_INVERSE_HI, PI_INVERSE_LO};
  return multiply(multiply(regular, over_pi), log_pair_of(either(s.is_low, s.small, as_pair(0.5))));
}

// Next to p = 0 by the logarithm of DLMF 19.12.1.
INLINE double first_kind(double m, pair p) {
  transformed s = transform(m, p);
  double t = fma_(s.small.high, 4.0, -1.0);
  pair k = POLYNOMIAL_PAIR(ELLIPK, t), logarithm = logarithmic_term(s, k);
  pair low = add_pair(POLYNOMIAL_PAIR(ELLIPK_REST, t), negative(logarithm));
  return value(divide(either(s.is_low, low, k), s.scale));
}

INLINE double ellipk(double m) {
  int inside = m >= -DBL_MAX && m < 1;
  double c = inside ? m : 0.5, w = first_kind(c, sum_exact(1.0, -c));
  return m != m ? m : (inside ? w : (m == 1 ? INFINITY : NAN));
}
UNARY(ellipk, ellipk)

INLINE double ellipkm1(double p) {
  int inside = p > 0 && p <= DBL_MAX;
  double c = inside ? p : 0.5, w = first_kind(1.0 - c, as_pair(c));
  return p != p ? p : (inside ? w : (p == 0 ? INFINITY : NAN));
}
UNARY(ellipkm1, ellipkm1)

// Next to p = 0 by that of DLMF 19.12.2: log(p) (ellipk(p) - ellipe(p)) / pi.
INLINE double ellipe(double m) {
  int inside = m >= -DBL_MAX && m < 1;
  double c = inside ? m : 0.5;
  transformed s = transform(c, sum_exact(1.0, -c));
  double t = fma_(s.small.high, 4.0, -1.0);
  pair logarithm = logarithmic_term(s, times(POLYNOMIAL_PAIR(ELLIP_D, t), s.small.high));
  pair low = add_pair(POLYNOMIAL_PAIR(ELLIPE_REST, t), negative(logarithm));
  double w = value(multiply(either(s.is_low, low, POLYNOMIAL_PAIR(ELLIPE, t)), s.scale));
  double edge = m == 1 ? 1.0 : NAN;
  edge = m < 0 ? INFINITY : edge;
  w = inside ? w : edge;
  return m != m ? m : w;
}
UNARY(ellipe, ellipe)

// With the complete integrals B = (E - (1 - m) K) / m and D = (K - E) / m (Bulirsch, Numer. Math. 7 (1965) 78) the
// derivatives are B / (2 (1 - m)) of K and -D / 2 of E (DLMF 19.4.1 and 19.4.2).  Where m < 0 each is the other one of
// m / (m - 1), over the root of 1 - m.
INLINE pair b_or_d(int is_b, double m, pair p) {
  transformed s = transform(m, p);
  double t = fma_(s.small.high, 4.0, -1.0);
  is_b = s.is_left ? !is_b : is_b;
  pair b = POLYNOMIAL_PAIR(ELLIP_B, t), near = either(is_b, b, POLYNOMIAL_PAIR(ELLIP_D, t));
  pair rest = either(is_b, POLYNOMIAL_PAIR(ELLIP_B_REST, t), POLYNOMIAL_PAIR(ELLIP_D_REST, t));
  pair factor = either(is_b, negative(times(b, s.small.high)), POLYNOMIAL_PAIR(ELLIPE, t));
  pair low = add_pair(rest, negative(logarithmic_term(s, factor))), complement = sum_exact(1.0, -s.small.high);
  complement.low -= s.small.low;
  pair w = either(s.is_low, low, near);
  return divide(w, either(s.is_low, multiply(complement, s.scale), s.scale));
}
INLINE double ellipk_derivative(double m) {
  int inside = m >= -DBL_MAX && m < 1;
  double c = inside ? m : 0.5;
  pair p = sum_exact(1.0, -c);
  double w = 0.5 * value(divide(b_or_d(1, c, p), p)), edge = m == 1 ? INFINITY : NAN;
  edge = m < 0 ? 0.0 : edge;
  w = inside ? w : edge;
  return m != m ? m : w;
}
INLINE double ellipkm1_derivative(double p) {
  int inside = p > 0 && p <= DBL_MAX;
  double c = inside ? p : 0.5, w = -0.5 * value(divide(b_or_d(1, 1.0 - c, as_pair(c)), as_pair(c)));
  w = c < 0x1p-1000 ? -0.5 / c : w; // where B is 1
  double edge = p == 0 ? -INFINITY : NAN;
  edge = p > 0 ? -0.0 : edge;
  w = inside ? w : edge;
  return p != p ? p : w;
}
INLINE double ellipe_derivative(double m) {
  int inside = m >= -DBL_MAX && m < 1;
  double c = inside ? m : 0.5, w = -0.5 * value(b_or_d(0, c, sum_exact(1.0, -c))), edge = m == 1 ? -INFINITY : NAN;
  edge = m < 0 ? -0.0 : edge;
  w = inside ? w : edge;
  return m != m ? m : w;
}
DERIVATIVE(ellipk, ellipk_derivative)
DERIVATIVE(ellipkm1, ellipkm1_derivative)
DERIVATIVE(ellipe, ellipe_derivative)
