// Eigenvalues and eigenvectors of Hermitian n x n matrices, n <= MOST: `a = q t H(q)` with tridiagonal `t` in all lanes
// at once [GV13, 8.3.1], the iteration for `t` lane by lane.

// Makes the matrix, of which `x` has the lower triangle, its columns stored in rows, tridiagonal.  `x` becomes the
// vectors of the reflectors.
static void tridiagonalize(int n, Number x[MOST][MOST], Number tau[MOST], Reals d[MOST], Reals e[MOST]) {
  for (int k = 0; k < n - 1; k++) {
    Number *v = &x[k][0], y[MOST], inner = number(all(0));
    Reflector h = reflector(n - k - 1, v + k + 1);
    d[k] = real_part(v[k]);
    e[k] = h.beta;
    tau[k] = h.tau;
    v[k + 1] = number(all(1));
    for (int i = k + 1; i < n; i++) y[i] = number(all(0));
    for (int j = k + 1; j < n; j++) {  // y = tau x v
      y[j] = plus_times(y[j], v[j], real_part(x[j][j]));
      for (int i = j + 1; i < n; i++) {
        y[i] = plus_product(y[i], x[j][i], v[j]);
        y[j] = plus_product(y[j], conjugate(x[j][i]), v[i]);
      }
    }
    for (int i = k + 1; i < n; i++) {
      y[i] = product(tau[k], y[i]);
      inner = plus_product(inner, conjugate(y[i]), v[i]);
    }
    inner = times(product(tau[k], inner), all(-0.5));
    for (int i = k + 1; i < n; i++) y[i] = plus_product(y[i], inner, v[i]);
    for (int j = k + 1; j < n; j++)  // x - v H(y) - y H(v)
      for (int i = j; i < n; i++)
        x[j][i] = minus_product(minus_product(x[j][i], v[i], conjugate(y[j])), y[i], conjugate(v[j]));
  }
  d[n - 1] = real_part(x[n - 1][n - 1]);
}

// The eigenvalues `w` (count, n) and vectors `v`, in columns, of the matrices with these lower triangles; where they are
// reversed ones, those of the upper triangles, whose iteration takes the elements in the order that they had.
KERNEL(eigh) {
  Index n = next(&arguments), is_reversed = next(&arguments);
  Matrices a = matrices(&arguments);
  char *w = memory(&arguments);
  Matrices v = matrices(&arguments);
  char *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Number x[MOST][MOST], tau[MOST];
    Reals d[MOST], e[MOST], z[MOST][MOST], infinity = all(0), largest = all(SMALLEST);
    Items given = items_of(&a, first, stop), values = items(w, n * (Index)sizeof(STORED), first, stop);
    Items vectors = items_of(&v, first, stop);
    for (int j = 0; j < n; j++)
      for (int i = j; i < n; i++) {
        x[j][i] = read(&given, i * a.row + j * a.column);
        if (i == j) x[j][i] = number(real_part(x[j][i]));
        infinity += not_finite(x[j][i]);
        largest = larger(larger_part(x[j][i]), largest);
      }
    Integers exponents = exponent(largest);
    Reals scale = power_of_two(-exponents);
    for (int j = 0; j < n; j++)
      for (int i = j; i < n; i++) x[j][i] = times(x[j][i], scale);
    Flags is_refused = (infinity != 0) | (largest > LARGEST);
    tridiagonalize((int)n, x, tau, d, e);
    for (int l = 0; l < LANES; l++) {
      double diagonal[MOST], beside[MOST], found[MOST][MOST];
      if (l >= given.count || is_refused[l]) {
        for (int c = 0; c < n; c++)
          for (int i = 0; i < n; i++) d[c][l] = z[c][i][l] = 0;
        continue;
      }
      for (int i = 0; i < n; i++) {
        diagonal[i] = d[is_reversed ? n - 1 - i : i][l];
        beside[i] = i < n - 1 ? e[is_reversed ? n - 2 - i : i][l] : 0;
      }
      is_refused[l] = tridiagonal_eigen((int)n, diagonal, beside, found) ? 0 : -1;
      for (int c = 0; c < n; c++) {
        d[c][l] = diagonal[c];
        for (int i = 0; i < n; i++) z[c][i][l] = found[c][is_reversed ? n - 1 - i : i];
      }
    }
    for (int c = 0; c < n; c++) {
      Number y[MOST];
      for (int i = 0; i < n; i++) y[i] = number(z[c][i]);
      for (int k = (int)n - 2; k >= 0; k--) reflect((int)n - k - 1, &x[k][k + 1], tau[k], &y[k + 1]);
      for (int i = 0; i < n; i++) write(&vectors, i * v.row + c * v.column, y[i]);
      write_real(&values, c * (Index)sizeof(STORED), d[c] * power_of_two(exponents));
    }
    write_flags(refused, first, given.count, is_refused);
  }
}
