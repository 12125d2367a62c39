// Eigenvalues of Hermitian n x n matrices, n <= MOST, by Jacobi's rotations.
//
// An element that is rounding beside the matrix is left: so a matrix that is done stays as it is while others in its
// register go on.  What is not finite, or not done after SWEEPS, is refused: LAPACK says what becomes of it.

// Diagonalizes `a`, all of it stored, in place.  Where that was not done, the flags are true.
INLINE Flags diagonalize(int n, Number a[MOST][MOST], Reals negligible) {
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    Flags rotated = all_integers(0);
    for (int p = 0; p < n - 1; p++)
      for (int q = p + 1; q < n; q++) {
        Number apq = a[p][q];
        Reals r = modulus(apq), app = real_part(a[p][p]), aqq = real_part(a[q][q]);
        Flags rotates = r > negligible;
        if (is_false(rotates)) continue;
        rotated |= rotates;
        Rotation j = rotation(rotates, apq, r, aqq - app);
        a[p][p] = number(fused(-j.t, r, app));
        a[q][q] = number(fused(j.t, r, aqq));
        a[p][q] = chosen(rotates, number(all(0)), apq);
        a[q][p] = conjugate(a[p][q]);
        for (int k = 0; k < n; k++) {
          if (k == p || k == q) continue;
          rotate(&j, &a[k][p], &a[k][q]);
          a[p][k] = conjugate(a[k][p]);
          a[q][k] = conjugate(a[k][q]);
        }
      }
    if (is_false(rotated)) return rotated;
  }
  return all_integers(-1);
}

// The eigenvalues `w` (count, n), ascending, of the Hermitian matrices with these lower triangles.
KERNEL(eigvalsh) {
  Index n = next(&arguments);
  Matrices a = matrices(&arguments);
  char *w = memory(&arguments), *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Number x[MOST][MOST];
    Reals infinity = all(0), largest = all(SMALLEST), squares = all(0);
    Items given = items_of(&a, first, stop), values = items(w, n * (Index)sizeof(STORED), first, stop);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        Number z = read(&given, i * a.row + j * a.column);
        if (i == j) z = number(real_part(z));
        infinity += not_finite(z);
        largest = larger(larger_part(z), largest);
        x[i][j] = z;
      }
    Integers e = exponent(largest);
    Reals scale = power_of_two(-e);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        x[i][j] = times(x[i][j], scale);
        x[j][i] = conjugate(x[i][j]);
        squares += (i == j ? 1.0 : 2.0) * square(x[i][j]);
      }
    Reals negligible = root(squares) * (EPS / (4 * (double)n));
    Flags is_refused = (infinity != 0) | (largest > 1 / SMALLEST) | diagonalize((int)n, x, negligible);
    for (int i = 0; i < n; i++) {
      Reals value = real_part(x[i][i]);
      Integers rank = all_integers(0);
      for (int j = 0; j < n; j++) {
        Reals other = real_part(x[j][j]);
        rank -= j < i ? other <= value : other < value;
      }
      Items at = moved(&values, rank, sizeof(STORED));
      write_real(&at, 0, value * power_of_two(e) + 0);
    }
    write_flags(refused, first, given.count, is_refused);
  }
}
