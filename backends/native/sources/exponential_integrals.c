// The exponential integrals, and those of the sine and the cosine.
#include "loops.h"
#include "trigonometry.h"

// exp1(x) for x > 0
INLINE double exp1_of_positive(double x) {
  double c = smaller(x, 1.0), d = within(x, 1.0, 800.0), v = (d - 3.0) / (d + 3.0);
  pair euler = {EULER_HI, EULER_LO}, near = times(POLYNOMIAL_PAIR(E1_NEAR, fma_(c, 2.0, -1.0)), c);
  near = add_pair(negative(add_pair(euler, log_pair(c))), near);
  scaled e = exp_scaled(as_pair(-d));
  pair far = divide(POLYNOMIAL_PAIR(E1_FAR, fma_(v, 4.0 / 3.0, -1.0 / 3.0)), sum_exact(d, 1.0));
  return x < 1.0 ? value(near) : times_power(value(multiply(e.mantissa, far)), e.exponent);
}
INLINE double exp1(double x) {
  double w = exp1_of_positive(x > 0 ? x : 1.0);
  return x != x ? x : (x > 0 ? w : (x == 0 ? INFINITY : NAN));
}
UNARY(exp1, exp1)

// On the left -exp1(-x).  Up to 6 by the distance from the zero.
INLINE double expi(double x) {
  double c = x > 0 ? smaller(x, 6.0) : 1.0, d = within(x, 6.0, 720.0), u = 1.0 / d;
  pair root = {EI_ROOT_HI, EI_ROOT_LO}, distance = sum_exact(c, -EI_ROOT_HI), base = sum_exact(c, 6.0);
  distance.low -= EI_ROOT_LO;
  pair near = multiply(multiply(base, multiply(base, base)), POLYNOMIAL_PAIRS(EI_NEAR, as_pair((c - 3.0) / 3.0)));
  scaled_number split = mantissa(c); // of subnormal numbers the quotient would be rounded
  pair quotient = divide(as_pair(split.mantissa), root);
  near = add_pair(log_parts(quotient.high, quotient.low / quotient.high, split.exponent), multiply(distance, near));
  pair middle = POLYNOMIAL_PAIR(EI_MIDDLE, fma_(smaller(d, 14.0), 0.25, -2.5));
  pair far = POLYNOMIAL_PAIR(EI_FAR, fma_(smaller(u, 1.0 / 14.0), 28.0, -1.0));
  scaled e = exp_scaled(as_pair(d));
  far = divide(multiply(e.mantissa, either(d < 14.0, middle, far)), as_pair(d));
  double right = x < 6.0 ? value(near) : times_power(value(far), e.exponent);
  double left = -exp1_of_positive(x < 0 ? -x : 1.0);
  double w = x > 0 ? right : (x < 0 ? left : -INFINITY);
  return x != x ? x : w;
}
UNARY(expi, expi)

// The integrals of the sine and the cosine.  Errors of Ci are those of its size, hypot(Ci, Si - pi / 2), beyond 2.
typedef struct { double sine, cosine; } integrals;

// by the auxiliary functions, for a >= 4: r is a less a multiple of pi / 2
INLINE integrals integrals_far(double a, reduced r) {
  double u = 1.0 / a, t = fma_((a - 6.0) / (a + 6.0), 5.0 / 3.0, -2.0 / 3.0);
  pair f = POLYNOMIAL_PAIR(SICI_F, t), cosine = turned_cosine(r.rest, r.quarter);
  pair sine = turned_cosine(r.rest, r.quarter - 1);
  double g = POLYNOMIAL(SICI_G, t) * u, rest = fma_(f.high, cosine.high, g * sine.high) * u;
  pair product = add(multiply(f, sine), -g * cosine.high);
  integrals w = {HALF_PI_0 + (HALF_PI_1 - rest), value(divide(product, as_pair(a)))};
  return w;
}
INLINE integrals integrals_of(double x) {
  double a = fabs(x), c = a > 0 && a < 4.0 ? a : 4.0;
  pair z = product_exact(c, c), t = sum_exact(0.125 * z.high, -1.0);
  pair root = {CI_ROOT_HI, CI_ROOT_LO}, square = {CI_ROOT_SQUARE_HI, CI_ROOT_SQUARE_LO};
  t.low += 0.125 * z.low;
  scaled_number split = mantissa(c); // of subnormal numbers the quotient would be rounded
  pair quotient = divide(as_pair(split.mantissa), root);
  pair logarithm = log_parts(quotient.high, quotient.low / quotient.high, split.exponent);
  pair rest = multiply(add_pair(z, negative(square)), POLYNOMIAL_PAIRS(CI_NEAR, t));
  double d = within(a, 4.0, FARTHEST);
  integrals far = integrals_far(d, reduce(d));
  double sine = a < 4.0 ? value(times(POLYNOMIAL_PAIRS(SI_NEAR, t), c)) : far.sine;
  double cosine = a < 4.0 ? value(add_pair(logarithm, rest)) : far.cosine;
  integrals w = {x == 0 ? x : copysign(sine, x), x == 0 ? -INFINITY : cosine};
  w.sine = x != x ? x : w.sine, w.cosine = x != x ? x : w.cosine;
  return w;
}
static integrals integrals_of_huge(double x) {
  integrals end = {HALF_PI_0, x > 0 ? 0.0 : NAN}, w = fabs(x) > DBL_MAX ? end : integrals_far(fabs(x), reduce_huge(fabs(x)));
  w.sine = copysign(w.sine, x);
  return w;
}

#define SICI(T, DTYPE)                                                                                                 \
  EXPORT void sici_##DTYPE(char **args, const size *dimensions, const size *steps, void *data) {                       \
    (void)data;                                                                                                        \
    flags before = get_flags();                                                                                        \
    for (size n = *dimensions, done = 0; done < n; done += CHUNK) {                                                    \
      int count = n - done < CHUNK ? (int)(n - done) : CHUNK, whole = (count + WHOLE - 1) & -WHOLE, is_far = 0;        \
      T x[CHUNK] __attribute__((aligned(64))), w[2][CHUNK] __attribute__((aligned(64)));                               \
      gather(x, args[0] + done * steps[0], steps[0], count, sizeof(T));                                                \
      for (int i = count; i < whole; i++) x[i] = 1;                                                                    \
      for (int i = 0; i < whole; i++) {                                                                                \
        integrals both = integrals_of((double)x[i]);                                                                   \
        w[0][i] = (T)both.sine, w[1][i] = (T)both.cosine;                                                              \
      }                                                                                                                \
      for (int i = 0; i < whole; i++) is_far |= fabs((double)x[i]) > FARTHEST;                                         \
      if (is_far)                                                                                                      \
        for (int i = 0; i < count; i++)                                                                                \
          if (fabs((double)x[i]) > FARTHEST) {                                                                         \
            integrals both = integrals_of_huge((double)x[i]);                                                          \
            w[0][i] = (T)both.sine, w[1][i] = (T)both.cosine;                                                          \
          }                                                                                                            \
      for (int k = 0; k < 2; k++)                                                                                      \
        scatter(args[1 + k] + done * steps[1 + k], w[k], steps[1 + k], count, sizeof(T));                              \
    }                                                                                                                  \
    BARRIER(args);                                                                                                     \
    set_flags(before);                                                                                                 \
  }
SICI(double, float64)
SICI(float, float32)

// sin(x) / x and cos(x) / x, the derivatives
#define OVER(NAME, OF, AT_0)                                                                             \
  INLINE double NAME##_derivative(double x) {                                                                 \
    int inside = fabs(x) <= FARTHEST;                                                                    \
    double c = inside ? x : 1.0, w = x == 0 ? AT_0 : OF(reduce(c)) / c;                                  \
    return inside ? w : (x != x ? x : fabs(x) > DBL_MAX ? 0.0 : NAN);                                    \
  }                                                                                                      \
  WITH(IEEE_LOOP, derivative_##NAME, 1, OF_ONE(NAME##_derivative), DOUBLE, 1, 0, (OF(reduce_huge(a)) / a))     \
  WITH(IEEE_LOOP, derivative_##NAME, 1, OF_ONE(NAME##_derivative), FLOAT, 1, 0, (OF(reduce_huge(a)) / a))
OVER(si, sine_of, 1.0)
OVER(ci, cosine_of, copysign(INFINITY, x))
