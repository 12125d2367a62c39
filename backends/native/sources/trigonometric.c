// The trigonometric functions of NumPy's namespace and their inverses.
#include "loops.h"
#include "trigonometry.h"

#define FARTHEST 0x1p30 // beyond, the multiple of pi / 2 takes integers

typedef struct { pair rest; uint64_t quarter; } reduced;

// x = quarter pi / 2 + rest, by the bits of 2 / pi that count: Payne and Hanek (SIGNUM 18 (1983) 19).  With the mantissa
// m of x = m 2^e those before the (e - 2)-th make multiples of 4; 192 bits follow, and `size_of` is what m times them
// leaves.
static reduced reduce_huge(double x) {
  uint64_t i = bits(fabs(x)), m = (i & 0xfffffffffffffull) | 0x10000000000000ull, w[3];
  unsigned start = (unsigned)(i >> 52) - 1075 - 2 + 64, word = start / 64, shift = start % 64;
  for (int k = 0; k < 3; k++)
    w[k] = shift ? TWO_OVER_PI_BITS[word + k] << shift | TWO_OVER_PI_BITS[word + k + 1] >> (64 - shift)
                 : TWO_OVER_PI_BITS[word + k];
  typedef unsigned __int128 wide;
  wide low = (wide)m * w[2], middle = (wide)m * w[1] + (uint64_t)(low >> 64);
  uint64_t size_of[3] = {m * w[0] + (uint64_t)(middle >> 64), (uint64_t)middle, (uint64_t)low};
  uint64_t quarter = (size_of[0] + (1ull << 61)) >> 62;
  size_of[0] -= quarter << 62;
  int is_negative = size_of[0] >> 63;
  if (is_negative) {
    for (int k = 0; k < 3; k++) size_of[k] = ~size_of[k];
    if (!++size_of[2] && !++size_of[1]) ++size_of[0];
  }
  int zeros = size_of[0] ? __builtin_clzll(size_of[0]) : 64; // no double is nearer to a multiple than 2^-62
  uint64_t first = zeros == 64 ? size_of[1] : zeros ? size_of[0] << zeros | size_of[1] >> (64 - zeros) : size_of[0];
  uint64_t second = zeros == 64 ? size_of[2] : zeros ? size_of[1] << zeros | size_of[2] >> (64 - zeros) : size_of[1];
  double scale = power_of_two(-51.0 - zeros);
  pair turns = {(double)(first >> 11) * scale, (double)((first & 0x7ff) << 42 | second >> 22) * (scale * 0x1p-53)};
  pair half_pi = {HALF_PI_0, HALF_PI_1}, rest = multiply(turns, half_pi);
  reduced r = {is_negative != (x < 0) ? negative(rest) : rest, x < 0 ? -quarter : quarter};
  return r;
}
INLINE reduced reduce(double x) {
  double n = nearest_integer(x * TWO_OVER_PI_HI);
  reduced r = {less_quarters(x, n), bits(n + ROUNDER)};
  return r;
}

INLINE double sine_of(reduced r) { return value(turned_cosine(r.rest, r.quarter - 1)); }
INLINE double cosine_of(reduced r) { return value(turned_cosine(r.rest, r.quarter)); }
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

// pi - w where the second number is negative
INLINE pair mirrored(int is_left, pair w) {
  pair pi = {2.0 * HALF_PI_0, 2.0 * HALF_PI_1};
  return either(is_left, add_pair(pi, negative(w)), w);
}
INLINE double arctan2_of(double y, double x) {
  double a = fabs(y), b = fabs(x), c = larger(a, b);
  double scale = c > 0x1p500 ? 0x1p-600 : (c < 0x1p-400 ? 0x1p600 : 1.0);
  double up = c > DBL_MAX ? (a > DBL_MAX ? 1.0 : 0.0) : a * scale;
  double right = c > DBL_MAX ? (b > DBL_MAX ? 1.0 : 0.0) : (c == 0 ? 1.0 : b * scale);
  double w = value(mirrored((bits(x) >> 63) != 0, angle(as_pair(up), as_pair(right))));
  return x != x || y != y ? NAN : copysign(w, y);
}
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
