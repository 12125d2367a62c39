// The inverse of the error function.  Those of erfc and of the normal distribution so were no faster than SciPy's.
#include "loops.h"

INLINE pair erfinv_near(double y) { // |y| <= 1/2
  pair product = product_exact(ERFINV_SLOPE_HI, y);
  product.low += y * fma_(y * y, POLYNOMIAL(ERFINV, y * y), ERFINV_SLOPE_LO);
  return product;
}
// erfcinv(p) for 0 < p <= 1/2, by t = sqrt(-log(p))
INLINE pair erfcinv_tail(double p) {
  pair square = negative(log_pair(p));
  double root = sqrt(square.high), v = (root - 3.0) / (root + 3.0);
  pair t = {root, (fma_(-root, root, square.high) + square.low) * (0.5 / root)};
  return divide(multiply(square, POLYNOMIAL_PAIR(ERFCINV, fma_(v, 128.0 / 89.0, -15.0 / 89.0))), add(t, 0.5));
}
INLINE double erfinv(double y) {
  double a = fabs(y), near = value(erfinv_near(within(y, -0.5, 0.5)));
  double far = value(erfcinv_tail(within(1.0 - a, 0x1p-53, 0.5))), w = a <= 0.5 ? near : copysign(far, y);
  w = a < 1 ? w : (a > 1 ? NAN : y * INFINITY);
  return y != y ? y : (a == 0 ? y : w);
}
UNARY(erfinv, erfinv)
