// The trigonometric functions of NumPy's namespace and their inverses.
#include "loops.h"
#include "trigonometry.h"

INLINE double tangent_of(reduced r) {
  circular w = sine_and_cosine(r.rest);
  int is_odd = (r.quarter & 1) != 0;
  return value(divide(either(is_odd, negative(w.cosine), w.sine), either(is_odd, w.sine, w.cosine)));
}
#define CIRCULAR(NAME, OF, AT_0)                                           \
  INLINE double NAME##_of(double x) {                                      \
    int inside = fabs(x) <= FARTHEST;                                      \
    double w = OF(reduce(inside ? x : 0.0));                               \
    w = x == 0 ? AT_0 : w;                                                 \
    return inside ? w : (x != x ? x : NAN);                                \
  }                                                                        \
  ELEMENTARY_1(NAME, NAME##_of, 0, 0, OF(reduce_huge(a)))
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
