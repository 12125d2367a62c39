// The trigonometric functions of NumPy's namespace and their inverses.
#include "lookups.h"
#include "loops.h"
#include "trigonometry.h"

INLINE double tangent_of(reduced r) {
  circular w = sine_and_cosine(r.rest);
  int is_odd = (r.quarter & 1) != 0;
  return value(divide(either(is_odd, negative(w.cosine), w.sine), either(is_odd, w.sine, w.cosine)));
}

// x = n pi / (2 parts) + r for |x| <= NEAR, where n has 19 bits: r, and n + first in 16
#define NEAR 1e5
INLINE Start less_multiple(Reals x, double parts, double first) {
  Reals t = fused(x, all(parts * TWO_OVER_PI_HI), all(ROUNDER + first)), n = (ROUNDER + first) - t;
  Reals exact = fused(n, all(HALF_PI_0 / parts), x), high = fused(n, all(HALF_PI_34_1 / parts), exact);
  Reals lost = fused(n, all(HALF_PI_34_1 / parts), exact - high);
  Start r = {{high, fused(n, all(HALF_PI_34_2 / parts), lost)}, kept_indices(t, 0)};
  return r;
}
// b + a c and b - a c for |a c| < |b| / 2 or b = 0
INLINE Pairs sum_with_product(Reals b, Reals a, Reals c) {
  Reals high = fused(a, c, b);
  Pairs w = {high, fused(a, c, b - high)};
  return w;
}
INLINE Pairs difference_with_product(Reals b, Reals a, Reals c) {
  Reals high = less_product(b, a, c);
  Pairs w = {high, less_product(b - high, a, c)};
  return w;
}

// With S and C, the sine and the cosine of (n + first) pi / 8, sin(x + first pi / 8) is
// S + C r + S (cos(r) - 1) + C (sin(r) - r).
INLINE Reals sine(const Start *kept) {
  Indices at = indices(&kept->at);
  TwoRows circle = looked_up(CIRCLE[0], at), rest = looked_up(CIRCLE[1], at);
  Pairs r = kept->x, w = sum_with_product(circle.first, circle.second, r.high);
  Reals z = r.high * r.high, square = z * z, p = fused(z, all(COS_NEAR[4]), all(COS_NEAR[3]));
  p = fused(fused(p, z, all(COS_NEAR[2])), square, fused(z, all(COS_NEAR[1]), all(COS_NEAR[0])));
  Reals q = fused(fused(z, all(SIN_NEAR[3]), all(SIN_NEAR[2])), square, fused(z, all(SIN_NEAR[1]), all(SIN_NEAR[0])));
  Reals less_line = fused(r.high * z, q, r.low);
  return w.high + (fused(circle.second, less_line, rest.first) + fused(circle.first, z * p, w.low));
}
INLINE Start sin_start(Reals x) { return less_multiple(x, 4.0, 0.0); }
INLINE Start cos_start(Reals x) { return less_multiple(x, 4.0, 4.0); }
INLINE Reals sin_usual(Reals x, const Start *kept) { return (void)x, sine(kept); }
INLINE Reals cos_usual(Reals x, const Start *kept) { return (void)x, sine(kept); }

// With S and C, the sine and the cosine of n pi / 16, and T = tan(r), tan(x) is (S + C T) / (C - S T).
INLINE Start tan_start(Reals x) {
  Start kept = less_multiple(x, 8.0, 0.0);
  Reals r = kept.x.high, z = r * r, p = fused(fused(z, all(TAN_NEAR[4]), all(TAN_NEAR[3])), z, all(TAN_NEAR[2]));
  p = fused(p, z * z, fused(z, all(TAN_NEAR[1]), all(TAN_NEAR[0])));
  Reals less_line = fused(r * z, p, kept.x.low), T = r + less_line;
  kept.x = (Pairs){T, less_line - (T - r)};
  return kept;
}
INLINE Reals tan_usual(Reals x, const Start *kept) {
  Indices at = indices(&kept->at);
  TwoRows circle = looked_up(HALF_CIRCLE[0], at), rest = looked_up(HALF_CIRCLE[1], at);
  Reals S = circle.first, C = circle.second, T = kept->x.high, low = kept->x.low;
  Pairs above = sum_with_product(S, C, T), below = difference_with_product(C, S, T);
  Reals above_low = above.low + fused(C, low, rest.first), below_low = below.low + less_product(rest.second, S, low);
  Reals inverse = 1.0 / below.high, q = above.high * inverse;
  Reals lost = less_product(above.high, q, below.high) + less_product(above_low, q, below_low);
  return (void)x, fused(lost, inverse, q);
}

#define CIRCULAR(NAME, OF, LEAST, AT_LESS)                                              \
  INLINE double NAME##_far(double x) {                                                  \
    int inside = fabs(x) <= FARTHEST;                                                   \
    double w = OF(reduce(inside ? x : 0.0));                                            \
    return fabs(x) < LEAST ? AT_LESS : (inside ? w : (x != x ? x : NAN));               \
  }                                                                                     \
  INLINE Integers NAME##_beyond(Reals x) { return beyond(absolute(x), LEAST, NEAR); }   \
  ELEMENTARY_FILLED(NAME, OF_VECTORS_OR_FAR(NAME), 0, 0, OF(reduce_huge(a)))
CIRCULAR(sin, sine_of, FLT_MIN, x)
CIRCULAR(cos, cosine_of, 0.0, 1.0)
CIRCULAR(tan, tangent_of, FLT_MIN, x)

INLINE double arctan_of(double x) {
  double w = value(angle(as_pair(smaller(fabs(x), 0x1p1000)), as_pair(1.0)));
  return x != x ? x : copysign(w, x);
}
ELEMENTARY_1(arctan, arctan_of, 0, 0, NAN)

ELEMENTARY_2(arctan2, arctan2_of, 0, 1)

// the other side of the triangle with the sides x and 1
INLINE pair opposite(double x) { return root_of(multiply(sum_exact(1.0, -x), sum_exact(1.0, x))); }
INLINE double arcsin_of(double x) {
  double a = fabs(x), c = smaller(a, 1.0), w = value(angle(as_pair(c), opposite(c)));
  return x != x ? x : (a > 1.0 ? NAN : copysign(w, x));
}
INLINE double arccos_of(double x) {
  double a = fabs(x), c = smaller(a, 1.0), w = value(mirrored(x < 0, angle(opposite(c), as_pair(c))));
  return x != x ? x : (a > 1.0 ? NAN : w);
}
ELEMENTARY_1(arcsin, arcsin_of, 0, 0, NAN)
ELEMENTARY_1(arccos, arccos_of, 0, 0, NAN)
