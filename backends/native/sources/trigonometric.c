// The trigonometric functions of NumPy's namespace and their inverses.
#include "loops.h"
#include "trigonometry.h"

INLINE double tangent_of(reduced r) {
  circular w = sine_and_cosine(r.rest);
  int is_odd = (r.quarter & 1) != 0;
  return value(divide(either(is_odd, negative(w.cosine), w.sine), either(is_odd, w.sine, w.cosine)));
}
#define CIRCULAR(NAME, OF, AT_0)                                           \
  INLINE double NAME##_rare(double x) {                                      \
    int inside = fabs(x) <= FARTHEST;                                      \
    double w = OF(reduce(inside ? x : 0.0));                               \
    w = x == 0 ? AT_0 : w;                                                 \
    return inside ? w : (x != x ? x : NAN);                                \
  }                                                                        \
  ELEMENTARY_FILLED(NAME, OF_ONE_OR_FAR(NAME, NEAR), 0, 0, OF(reduce_huge(a)))

INLINE double sin_usual(double x) {
  near_angle r = reduce_near(x);
  circular w = circular_terms(r);
  return with_sign(r.quarter & 1 ? value(w.cosine) : value(w.sine), (r.quarter << 62 ^ bits(x)) & SIGN_BIT);
}
INLINE double cos_usual(double x) {
  near_angle r = reduce_near(x);
  circular w = circular_terms(r);
  return with_sign(r.quarter & 1 ? value(w.sine) : value(w.cosine), (r.quarter + 1) << 62 & SIGN_BIT);
}
// tan(h + low), and its negative inverse where the multiple is odd
INLINE double tan_usual(double x) {
  near_angle r = reduce_near(x);
  double h = r.high, z = h * h, rest = fma_(h * z, POLYNOMIAL(TAN, z), fma_(r.low, z, r.low));
  pair t = sum_ordered(h, rest);
  double inverse = 1.0 / t.high, lost = fma_(-inverse, t.low, fma_(-inverse, t.high, 1.0));
  double w = r.quarter & 1 ? fma_(inverse, lost, inverse) : t.high;
  return with_sign(w, (r.quarter << 63 ^ bits(x)) & SIGN_BIT);
}
CIRCULAR(sin, sine_of, x)
CIRCULAR(cos, cosine_of, 1.0)
CIRCULAR(tan, tangent_of, x)

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
