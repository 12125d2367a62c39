// Householder's reflectors of columns [GV13, 5.1.2].
//
// The choices are LAPACK's, so that vectors and factors have its signs: `larfg` takes `(alpha, tail)` to `(beta, 0)` by
// `1 - conj(tau) v H(v)`, with
//
//     beta = -sign(Re alpha) norm(alpha, tail),   tau = (beta - alpha) / beta,   v = (1, tail / (alpha - beta)),
//
// and where the tail is zero and `alpha` real it leaves them as they are, `tau = 0`.

#define LARGEST 0x1p1000  // sums of squares beside elements up to this, less their scale, are finite

typedef struct {
  Number tau;
  Reals beta;
} Reflector;

// That of a column `x`, which becomes its `v`; the first element of that is not stored.
static Reflector reflector(int count, Number *x) {
  Reals tail = all(0), squares = all(0);
  for (int i = 1; i < count; i++) tail = larger(larger_part(x[i]), tail);
  Integers e = exponent(larger(larger(larger_part(x[0]), tail), all(SMALLEST)));
  Reals scale = power_of_two(-e);
  for (int i = 0; i < count; i++) {
    x[i] = times(x[i], scale);
    squares += square(x[i]);
  }
  Reals alpha = real_part(x[0]), norm = root(squares), beta = chosen_real((Integers)alpha < 0, norm, -norm);
  Number difference = plus_times(number(beta), x[0], all(-1));
  Flags is_done = (tail == 0) & is_real(x[0]);
  Number factor = chosen(is_done, number(all(0)), reciprocal(times(difference, all(-1))));
  for (int i = 1; i < count; i++) x[i] = product(x[i], factor);
  Reflector h;
  h.tau = chosen(is_done, number(all(0)), over(difference, beta));
  h.beta = chosen_real(is_done, alpha, beta) * power_of_two(e);
  return h;
}

// `(1 - tau v H(v)) x` in place of `x`
static void reflect(int count, const Number *v, Number tau, Number *x) {
  Number inner = x[0];
  for (int i = 1; i < count; i++) inner = plus_product(inner, conjugate(v[i]), x[i]);
  inner = product(tau, inner);
  x[0] = plus_times(x[0], inner, all(-1));
  for (int i = 1; i < count; i++) x[i] = minus_product(x[i], v[i], inner);
}

// Reflectors make the leading columns of `x`, stored in rows, an upper triangle; its diagonal is `beta`.
static void triangularize(int m, int n, Number x[MOST][MOST], Reflector h[MOST]) {
  for (int j = 0; j < m && j < n; j++) {
    h[j] = reflector(m - j, &x[j][j]);
    for (int c = j + 1; c < n; c++) reflect(m - j, &x[j][j], conjugate(h[j].tau), &x[c][j]);
  }
}

// `a` as `x`, its columns stored in rows, and its largest part; that is NaN where an element is not finite.
static Reals read_columns(const Items *a, int m, int n, Index row, Index column, Number x[MOST][MOST]) {
  Reals largest = all(0), infinity = all(0);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      x[j][i] = read(a, i * row + j * column);
      infinity += not_finite(x[j][i]);
      largest = larger(larger_part(x[j][i]), largest);
    }
  return largest + infinity;
}
