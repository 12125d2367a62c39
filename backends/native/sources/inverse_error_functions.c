// The inverses of the error functions and of the normal distribution, by polynomials in w = -log(1 - y^2), y = erf(x):
// Giles, Approximating the erfinv function, GPU Computing Gems 2 (2011).
#include "logarithms.h"
#include "lookups.h"
#include "loops.h"

// w of q = 1 - y^2 >= 2^-52: q = 2^k m, and with c next to 1 / m it is log(c) - k log(2), and -log(1 + r) for r = c m - 1
INLINE Start minus_log(Reals q) {
  Reals m = (Reals)(((Naturals)q & MANTISSA_BITS) | ONE_BITS);
  Reals k = (Reals)(((Naturals)q >> 52) | 0x4330000000000000ull) - 0x1.00000000003ffp52;
  Naturals at = kept_indices(q, 48);
  TwoRows c = looked_up(LOGARITHMS[0], indices(&at));
  Reals r = fused(m, c.first, all(-1.0));
  Reals high = fused(k, all(-(LOG2_HI + LOG2_LO)), c.second), start = all(ERFINV_START);
  Start w = {{high, -r * POLYNOMIAL_OF(LOG_ONE_MORE, r)}, kept_indices(fused(high, all(ERFINV_SCALE), start), 50)};
  return w;
}
// erfinv(y) / y
INLINE Pairs erfinv_factor(const Start *w) { return PIECEWISE(ERFINV, indices(&w->at), w->x); }
// erfinv(y.high + y.low)
INLINE Pairs erfinv_of(Pairs y, const Start *w) {
  Pairs factor = erfinv_factor(w);
  Reals high = y.high * factor.high, low = fused(y.high, factor.high, -high);
  Pairs x = {high, low + fused(y.high, factor.low, y.low * factor.high)};
  return x;
}
// erfinv'(y), where q is total - a^2 up to rounding, and total >= a^2
INLINE Pairs erfinv_derivative_of(Reals a, Reals total, Reals q, const Start *w) {
  Pairs p = PIECEWISE(ERFINV_DERIVATIVE, indices(&w->at), w->x);
  Reals square = a * a, difference = total - square;
  Reals lost = ((difference - q) + ((total - difference) - square)) - fused(a, a, -square);
  Reals inverse = 1.0 / q, high = p.high * inverse;
  Pairs x = {high, (fused(-high, q, p.high) + fused(-high, lost, p.low)) * inverse};
  return x;
}
INLINE Reals sum_of(Pairs x) { return x.high + x.low; }
INLINE Reals times_number(Pairs x, double high, double low) {
  return fused(x.high, all(high), fused(x.high, all(low), x.low * high));
}
// 2 a - a^2 = 1 - (a - 1)^2, and a - 1 for a >= 0
INLINE Reals beside_one(Reals a) { return fused(-a, a, a + a); }
INLINE Pairs less_one(Reals a) {
  Reals high = a - 1.0;
  Pairs x = {high, a - (high + 1.0)};
  return x;
}

// for 0 < p <= 2^-53 t = sqrt(-log(p)) and an argument of polynomials
INLINE pair tail_root(double p) {
  pair logarithm = log_terms(within(p, 0x1p-1074, 0x1p-52));
  double a = -value(logarithm), root = sqrt(a), lost = fma_(-root, root, a) - ((a + logarithm.high) + logarithm.low);
  pair w = {root, 0.5 * lost * reciprocal_estimate(root)};
  return w;
}
INLINE double tail_argument(pair t) {
  double v = (t.high - 10.0) / (t.high + 10.0);
  return fma_(v, 64.0 / 23.0, -7.0 / 23.0);
}
INLINE pair erfcinv_tail(double p) {
  pair t = tail_root(p);
  return multiply(t, POLYNOMIAL_PAIR(ERFCINV, tail_argument(t)));
}
// -erfcinv'(p) / factor: the derivative in t over 2 t p
INLINE double erfcinv_tail_derivative(double p, pair factor) {
  pair t = tail_root(p), n = multiply(POLYNOMIAL_PAIR(ERFCINV_DERIVATIVE, tail_argument(t)), factor);
  return value(divide(n, t)) / p;
}

INLINE Reals less_square(Reals y) { return fused(-y, y, all(1.0)); }
INLINE Start erfinv_start(Reals y) { return minus_log(less_square(y)); }
INLINE Reals erfinv_usual(Reals y, const Start *w) {
  Pairs factor = erfinv_factor(w);
  return fused(y, factor.high, y * factor.low);
}
INLINE Reals erfinv_derivative_usual(Reals y, const Start *w) {
  return sum_of(erfinv_derivative_of(y, all(1.0), less_square(y), w));
}
// 0 among them, which keeps its sign
INLINE Integers erfinv_beyond(Reals y) { return beyond(absolute(y), 0x1p-1074, 0x1.fffffffffffffp-1); }
INLINE int erfinv_is_rare(double y) { return !(fabs(y) < 1.0 && y != 0); }
INLINE double erfinv_far(double y) { return (void)y, 0.0; }
INLINE double erfinv_derivative_far(double y) { return erfinv_far(y); }
INLINE double erfinv_rare(double y, double far) {
  (void)far;
  return fabs(y) > 1 ? NAN : (fabs(y) == 1 ? y * INFINITY : y);
}
INLINE double erfinv_derivative_rare(double y, double far) {
  (void)far;
  return y == 0 ? HALF_ROOT_PI : (fabs(y) == 1 ? INFINITY : NAN);
}
VECTOR_LOOPS_OF(erfinv)

INLINE Start erfcinv_start(Reals p) { return minus_log(beside_one(p)); }
INLINE Reals erfcinv_usual(Reals p, const Start *w) { return -sum_of(erfinv_of(less_one(p), w)); }
INLINE Reals erfcinv_derivative_usual(Reals p, const Start *w) {
  return -sum_of(erfinv_derivative_of(p, p + p, beside_one(p), w));
}
INLINE Integers erfcinv_beyond(Reals p) { return beyond(p, 0x1p-53, 0x1.fffffffffffffp0); }
INLINE int erfcinv_is_rare(double p) { return !(p >= 0x1p-53 && p < 2.0); }
INLINE double erfcinv_far(double p) { return value(erfcinv_tail(p)); }
INLINE double erfcinv_derivative_far(double p) { return -erfcinv_tail_derivative(p, as_pair(0.5)); }
INLINE double erfcinv_rare(double p, double far) {
  return p > 0 && p < 1 ? far : (p == 0 ? INFINITY : (p == 2 ? -INFINITY : (p != p ? p : NAN)));
}
INLINE double erfcinv_derivative_rare(double p, double far) {
  return p > 0 && p < 1 ? far : (p == 0 || p == 2 ? -INFINITY : NAN);
}
VECTOR_LOOPS_OF(erfcinv)

// -sqrt(2) erfcinv(2 p)
INLINE Start ndtri_start(Reals p) { return erfcinv_start(p + p); }
INLINE Reals ndtri_usual(Reals p, const Start *w) {
  return times_number(erfinv_of(less_one(p + p), w), ROOT_2_HI, ROOT_2_LO);
}
INLINE Reals ndtri_derivative_usual(Reals p, const Start *w) {
  Reals a = p + p;
  return times_number(erfinv_derivative_of(a, a + a, beside_one(a), w), ROOT_8_HI, ROOT_8_LO);
}
INLINE Integers ndtri_beyond(Reals p) { return beyond(p, 0x1p-54, 0x1.fffffffffffffp-1); }
INLINE int ndtri_is_rare(double p) { return !(p >= 0x1p-54 && p < 1.0); }
INLINE double ndtri_far(double p) {
  pair root = {ROOT_2_HI, ROOT_2_LO};
  return -value(multiply(erfcinv_tail(2.0 * p), root));
}
INLINE double ndtri_derivative_far(double p) {
  pair root = {ROOT_2_HI, ROOT_2_LO};
  return erfcinv_tail_derivative(2.0 * p, root);
}
INLINE double ndtri_rare(double p, double far) {
  return p > 0 && p < 0.5 ? far : (p == 0 ? -INFINITY : (p == 1 ? INFINITY : (p != p ? p : NAN)));
}
INLINE double ndtri_derivative_rare(double p, double far) {
  return p > 0 && p < 0.5 ? far : (p == 0 || p == 1 ? INFINITY : NAN);
}
VECTOR_LOOPS_OF(ndtri)
