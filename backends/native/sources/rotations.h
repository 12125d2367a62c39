// Jacobi's rotations [GV13, 8.5 and 8.6.3] of two columns, `x` and `y`, that make a Hermitian 2 x 2 matrix diagonal.
//
// With `r u` above its diagonal, `|u| = 1`, and `d` the second element of that less the first: `t = tan = 2 r sgn(d) /
// (|d| + sqrt(d^2 + 4 r^2))`, `c = 1 / sqrt(1 + t^2)`, `s = t c`,
//
//     x <- c x - s conj(u) y,   y <- s u x + c y,
//
// where `c = 1 - s tau`, `tau = s / (1 + c)`, so that small angles cost no rounding.

enum { SWEEPS = 20 };

typedef struct {
  Number u, conjugate_u;
  Reals t, s, tau;
} Rotation;

INLINE Rotation rotation(Flags rotates, Number above, Reals r, Reals d) {
  Rotation j;
  Reals t = 2 * r / (absolute(d) + root(fused(d, d, 4 * r * r)));
  j.t = chosen_real(rotates, chosen_real(d < 0, -t, t), all(0));
  Reals c = 1 / root(fused(j.t, j.t, all(1)));
  j.s = j.t * c;
  j.tau = j.s / (1 + c);
  j.u = chosen(rotates, over(above, r), number(all(0)));
  j.conjugate_u = conjugate(j.u);
  return j;
}
INLINE void rotate(const Rotation *j, Number *x, Number *y) {
  Number old = *x;
  *x = plus_times(old, plus_product(times(old, j->tau), j->conjugate_u, *y), -j->s);
  *y = plus_times(*y, minus_product(times(*y, j->tau), j->u, old), -j->s);
}
INLINE Reals modulus(Number x) { return IS_COMPLEX ? root(square(x)) : larger_part(x); }
