// The singular value decompositions of m x n matrices, n <= m <= MOST: `a = q b H(p)` with bidiagonal `b` in all lanes at
// once [GV13, 5.4.8], the iteration for `b` lane by lane.
//
// As LAPACK's `gesdd` does, tall matrices are made triangles first, and wide ones, which are handed in as their conjugate
// transposes, are treated by the transposes of what is done to tall ones; but their triangles are square matrices like
// any other.

// Makes m x n `x`, its columns stored in rows, bidiagonal: `x` becomes the vectors of the reflectors from the left, `p`
// those from the right.
static void bidiagonalize(int m, int n, Number x[MOST][MOST], Reflector left[MOST], Number p[MOST][MOST],
                          Reflector right[MOST]) {
  for (int k = 0; k < n; k++) {
    left[k] = reflector(m - k, &x[k][k]);
    for (int j = k + 1; j < n; j++) reflect(m - k, &x[k][k], conjugate(left[k].tau), &x[j][k]);
    if (k == n - 1) return;
    Number *v = &p[k][k + 1];
    int count = n - k - 1;
    for (int j = 0; j < count; j++) v[j] = conjugate(x[k + 1 + j][k]);
    right[k] = reflector(count, v);
    v[0] = number(all(1));
    for (int i = k + 1; i < m; i++) {  // the row is multiplied by 1 - tau v H(v)
      Number inner = number(all(0));
      for (int j = 0; j < count; j++) inner = plus_product(inner, x[k + 1 + j][i], v[j]);
      inner = product(right[k].tau, inner);
      for (int j = 0; j < count; j++) x[k + 1 + j][i] = minus_product(x[k + 1 + j][i], inner, conjugate(v[j]));
    }
  }
}

// The values `s` (count, n), the left vectors (count, m, k), in columns, and the right ones (count, n, n), likewise.  Where
// `a` is wide, these arguments say of its conjugate transpose what they say of tall `a`, and what is written is conjugated
// of the left vectors, else of the right ones: what stands in the rows of LAPACK's `vh`.
KERNEL(svd) {
  Index m = next(&arguments), n = next(&arguments), k = next(&arguments), is_wide = next(&arguments);
  Matrices a = matrices(&arguments);
  char *s = memory(&arguments);
  Matrices u = matrices(&arguments), v = matrices(&arguments);
  char *refused = memory(&arguments);
  int is_tall = m >= (IS_COMPLEX ? 17 * n / 9 : 11 * n / 6), rows = (int)(is_tall ? n : m);
  int is_lower = is_wide && !is_tall, is_transposed = is_wide && is_tall;
  for (Index first = start; first < stop; first += LANES) {
    Number x[MOST][MOST], y[MOST][MOST], p[MOST][MOST];
    Reflector triangle[MOST], left[MOST], right[MOST];
    Reals ub[MOST][MOST], vb[MOST][MOST], d[MOST];
    Items given = items_of(&a, first, stop), values = items(s, n * (Index)sizeof(STORED), first, stop);
    Items lefts = items_of(&u, first, stop), rights = items_of(&v, first, stop);
    Reals largest = read_columns(&given, (int)m, (int)n, a.row, a.column, x);
    Flags is_refused = ~(largest < LARGEST);
    Integers e = exponent(larger(largest, all(SMALLEST)));
    Reals scale = power_of_two(-e);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) x[j][i] = times(is_wide ? conjugate(x[j][i]) : x[j][i], scale);
    if (is_tall) triangularize((int)m, (int)n, x, triangle);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < rows; i++) {
        if (!is_tall)
          y[j][i] = x[j][i];
        else if (i == j)
          y[j][i] = number(triangle[j].beta);
        else
          y[j][i] = is_transposed && i > j ? conjugate(x[i][j]) : !is_wide && i < j ? x[j][i] : number(all(0));
      }
    bidiagonalize(rows, (int)n, y, left, p, right);
    for (int l = 0; l < LANES; l++) {
      double diagonal[MOST], beside[MOST], one[MOST][MOST], other[MOST][MOST];
      if (l >= given.count || is_refused[l]) {
        for (int c = 0; c < n; c++)
          for (int i = 0; i < n; i++) d[c][l] = ub[c][i][l] = vb[c][i][l] = 0;
        continue;
      }
      for (int i = 0; i < n; i++) {
        diagonal[i] = left[i].beta[l];
        beside[i] = i < n - 1 ? right[i].beta[l] : 0;
      }
      is_refused[l] = bidiagonal_svd((int)n, is_lower, diagonal, beside, one, other) ? 0 : -1;
      for (int c = 0; c < n; c++) {
        d[c][l] = diagonal[c];
        for (int i = 0; i < n; i++) {
          ub[c][i][l] = is_lower ? other[c][i] : one[c][i];
          vb[c][i][l] = is_lower ? one[c][i] : other[c][i];
        }
      }
    }
    for (int c = 0; c < k; c++) {
      Number z[MOST], w[MOST], *long_one = is_transposed ? w : z, *short_one = is_transposed ? z : w;
      for (int i = 0; i < m; i++) {
        z[i] = number(c < n && i < n ? ub[c][i] : all(0));
        w[i] = number(c < n && i < n ? vb[c][i] : all(0));
      }
      if (c >= n) long_one[c] = number(all(1));
      for (int j = (int)n - 1; j >= 0; j--) reflect(rows - j, &y[j][j], left[j].tau, &z[j]);
      for (int j = (int)n - 2; j >= 0; j--) reflect((int)n - j - 1, &p[j][j + 1], right[j].tau, &w[j + 1]);
      for (int j = (int)n - 1; is_tall && j >= 0; j--) reflect((int)m - j, &x[j][j], triangle[j].tau, &long_one[j]);
      for (int i = 0; i < m; i++)
        write(&lefts, i * u.row + c * u.column, is_wide ? conjugate(long_one[i]) : long_one[i]);
      if (c >= n) continue;
      for (int i = 0; i < n; i++)
        write(&rights, i * v.row + c * v.column, is_wide ? short_one[i] : conjugate(short_one[i]));
      write_real(&values, c * (Index)sizeof(STORED), d[c] * power_of_two(e));
    }
    write_flags(refused, first, given.count, is_refused);
  }
}
