// Singular values of m x n matrices, n <= m <= MOST, by rotations that make their columns orthogonal.
//
// Columns are orthogonal up to rounding where `|<x, y>| <= 2 EPS |x| |y|`: so a matrix that is done stays as it is while
// others in its register go on.  What is not finite, has zero singular values, or is not done after SWEEPS, is refused.

// The values `s` (count, n), descending.
KERNEL(svdvals) {
  Index m = next(&arguments), n = next(&arguments);
  Matrices a = matrices(&arguments);
  char *s = memory(&arguments), *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Number x[MOST][MOST];  // columns, stored in rows
    Reals infinity = all(0), largest = all(SMALLEST), squares[MOST];
    Items given = items_of(&a, first, stop), values = items(s, n * (Index)sizeof(STORED), first, stop);
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < m; i++) {
        x[j][i] = read(&given, i * a.row + j * a.column);
        infinity += not_finite(x[j][i]);
        largest = larger(larger_part(x[j][i]), largest);
      }
    }
    Integers e = exponent(largest);
    Reals scale = power_of_two(-e);
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++) x[j][i] = times(x[j][i], scale);
    Flags rotated = all_integers(-1), is_refused = (infinity != 0) | (largest > 1 / SMALLEST);
    for (int sweep = 0; sweep < SWEEPS && !is_false(rotated); sweep++) {
      rotated = all_integers(0);
      for (int p = 0; p < n - 1; p++)
        for (int q = p + 1; q < n; q++) {
          Number inner = number(all(0));
          Reals xx = all(0), yy = all(0);
          for (int i = 0; i < m; i++) {
            inner = plus_product(inner, conjugate(x[p][i]), x[q][i]);
            xx += square(x[p][i]);
            yy += square(x[q][i]);
          }
          Reals r = modulus(inner);
          Flags rotates = r > 2 * EPS * (root(xx) * root(yy));
          if (is_false(rotates)) continue;
          rotated |= rotates;
          Rotation j = rotation(rotates, inner, r, yy - xx);
          for (int i = 0; i < m; i++) rotate(&j, &x[p][i], &x[q][i]);
        }
    }
    is_refused |= rotated;
    for (int j = 0; j < n; j++) {
      squares[j] = all(0);
      for (int i = 0; i < m; i++) squares[j] += square(x[j][i]);
      is_refused |= ~(squares[j] > 0x1p-900);
    }
    for (int j = 0; j < n; j++) {
      Integers rank = all_integers(0);
      for (int k = 0; k < n; k++) rank -= k < j ? squares[k] >= squares[j] : squares[k] > squares[j];
      Reals value = root(squares[j]);
      Items at = moved(&values, rank, sizeof(STORED));
      write_real(&at, 0, value * power_of_two(e));
    }
    write_flags(refused, first, given.count, is_refused);
  }
}
