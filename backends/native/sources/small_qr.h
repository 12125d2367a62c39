// The factors `q` and `r` of m x n matrices, m, n <= MOST, by reflectors.

// The factors `q` (count, m, k) and `r` (count, k, n), contiguous, of `a`; `k` is at least min(m, n).
KERNEL(qr) {
  Index m = next(&arguments), n = next(&arguments), k = next(&arguments);
  Matrices a = matrices(&arguments);
  char *q = memory(&arguments), *r = memory(&arguments), *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Number x[MOST][MOST];
    Reflector h[MOST];
    Items given = items_of(&a, first, stop);
    Items left = items(q, m * k * ELEMENT, first, stop), right = items(r, k * n * ELEMENT, first, stop);
    Reals largest = read_columns(&given, (int)m, (int)n, a.row, a.column, x);
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
