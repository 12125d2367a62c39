// Householder's reflectors of columns and the factors `q` and `r` of m x n matrices, m, n <= MOST.
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
INLINE Reflector reflector(int count, Number *x) {
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
INLINE void reflect(int count, const Number *v, Number tau, Number *x) {
  Number inner = x[0];
  for (int i = 1; i < count; i++) inner = plus_product(inner, conjugate(v[i]), x[i]);
  inner = product(tau, inner);
  x[0] = plus_times(x[0], inner, all(-1));
  for (int i = 1; i < count; i++) x[i] = minus_product(x[i], v[i], inner);
}

// Reflectors make the leading columns of `x`, stored in rows, an upper triangle; its diagonal is `beta`.
INLINE void triangularize(int m, int n, Number x[MOST][MOST], Reflector h[MOST]) {
  for (int j = 0; j < m && j < n; j++) {
    h[j] = reflector(m - j, &x[j][j]);
    for (int c = j + 1; c < n; c++) reflect(m - j, &x[j][j], conjugate(h[j].tau), &x[c][j]);
  }
}

// `a` as `x`, its columns stored in rows, and its largest part; that is NaN where an element is not finite.
INLINE Reals read_columns(const Items *a, int m, int n, Index row, Index column, Number x[MOST][MOST]) {
  Reals largest = all(0), infinity = all(0);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      x[j][i] = read(a, i * row + j * column);
      infinity += not_finite(x[j][i]);
      largest = larger(larger_part(x[j][i]), largest);
    }
  return largest + infinity;
}

// The factors `q` (count, m, k) and `r` (count, k, n), contiguous, of `a`; `k` is at least min(m, n).
KERNEL(qr)(Index start, Index stop, Index m, Index n, Index k, const void *a, Index a_item, Index a_row, Index a_column,
           void *q, void *r, char *refused) {
  for (Index first = start; first < stop; first += LANES) {
    Number x[MOST][MOST];
    Reflector h[MOST];
    Items given = items(a, a_item, first, stop);
    Items left = items(q, m * k * ELEMENT, first, stop), right = items(r, k * n * ELEMENT, first, stop);
    Reals largest = read_columns(&given, (int)m, (int)n, a_row, a_column, x);
    triangularize((int)m, (int)n, x, h);
    for (int i = 0; i < k; i++)
      for (int j = 0; j < n; j++) {
        int is_diagonal = i == j && i < m;
        write(&right, (i * n + j) * ELEMENT, is_diagonal ? number(h[j].beta) : i < j ? x[j][i] : number(all(0)));
      }
    for (int c = 0; c < k; c++) {
      Number y[MOST];
      for (int i = 0; i < m; i++) y[i] = number(all(i == c));
      for (int j = (int)(c < n ? c : n - 1); j >= 0; j--) reflect((int)m - j, &x[j][j], h[j].tau, &y[j]);
      for (int i = 0; i < m; i++) write(&left, (i * k + c) * ELEMENT, y[i]);
    }
    write_flags(refused, first, given.count, ~(largest < LARGEST));
  }
}
