// Angles less multiples of pi / 2, their sines and cosines, and the angle of a point.
#pragma once
#include "arithmetic.h"

// x - n pi / 2, by pi / 2 in three parts, for integers and half-integers n up to 2^51
INLINE pair less_quarters(double x, double n) {
  pair first = product_exact(n, HALF_PI_0), second = product_exact(n, HALF_PI_1);
  second.low = fma_(n, HALF_PI_2, second.low);
  return add_pair(sum_exact(x - first.high, -first.low), negative(second));
}

// the sine and the cosine of r for |r| <= 0.84
typedef struct { pair sine, cosine; } circular;
INLINE circular sine_and_cosine(pair r) {
  double h = r.high, z = h * h;
  pair half = product_exact(0.5 * h, h), whole = sum_ordered(1.0, -half.high);
  double even = fma_(z * z, POLYNOMIAL(COS, z), -fma_(h, r.low, half.low)), uneven = h * z * POLYNOMIAL(SIN, z);
  circular w = {sum_ordered(h, fma_(-0.5 * z, r.low, r.low) + uneven), sum_ordered(whole.high, whole.low + even)};
  return w;
}
// cos(r + quarter pi / 2)
INLINE pair turned_cosine(pair r, uint64_t quarter) {
  circular w = sine_and_cosine(r);
  pair turned = either((quarter & 1) != 0, w.sine, w.cosine);
  return either(((quarter + 1) & 2) != 0, negative(turned), turned);
}

// the angle of the point (x, y) with x, y >= 0, not both 0: by the tangent of the distance from 0, pi / 4 or pi / 2
INLINE pair angle(pair y, pair x) {
  int is_low = y.high <= TAN_PI_8 * x.high, is_high = x.high <= TAN_PI_8 * y.high;
  pair above = add_pair(y, negative(x)), both = add_pair(y, x);
  pair t = divide(either(is_low, y, either(is_high, negative(x), above)), either(is_low, x, either(is_high, y, both)));
  double z = t.high * t.high, rest = fma_(-z, t.low, t.low);
  pair small = sum_ordered(t.high, fma_(t.high * z, POLYNOMIAL(ATAN, z), rest));
  pair middle = {0.5 * HALF_PI_0, 0.5 * HALF_PI_1}, high = {HALF_PI_0, HALF_PI_1};
  return either(is_low, small, add_pair(either(is_high, high, middle), small));
}
