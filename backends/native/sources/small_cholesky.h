// The Cholesky factors of n x n matrices, n <= MOST, by their lower triangles.
//
// Items whose pivots are not positive beside the rounding errors of the diagonal are refused, and so are those with
// elements that are not finite: LAPACK says what becomes of them.

// The factors `l` (count, n, n), with strides for their rows and columns, of `a = l H(l)`; zero above the diagonal.
KERNEL(cholesky) {
  Index n = next(&arguments);
  Matrices a = matrices(&arguments), l = matrices(&arguments);
  char *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Number x[MOST][MOST];
    Reals infinity = all(0);
    Flags is_refused = all_integers(0);
    Items given = items_of(&a, first, stop), found = items_of(&l, first, stop);
    for (int j = 0; j < n; j++) {
      Reals diagonal = real_part(read(&given, j * (a.row + a.column))), pivot = diagonal;
      infinity += 0 * diagonal;
      for (int k = 0; k < j; k++) pivot = real_part(minus_product(number(pivot), x[j][k], conjugate(x[j][k])));
      is_refused |= ~(pivot > larger((int)n * MARGIN * diagonal, all(SMALLEST)));
      pivot = root(pivot);
      write(&found, j * (l.row + l.column), number(pivot));
      Reals scale = 1 / pivot;
      for (int i = j + 1; i < n; i++) {
        Number y = read(&given, i * a.row + j * a.column);
        infinity += not_finite(y);
        for (int k = 0; k < j; k++) y = minus_product(y, x[i][k], conjugate(x[j][k]));
        x[i][j] = times(y, scale);
        write(&found, i * l.row + j * l.column, x[i][j]);
        write(&found, j * l.row + i * l.column, number(all(0)));
      }
    }
    write_flags(refused, first, given.count, is_refused | (infinity != 0));
  }
}
