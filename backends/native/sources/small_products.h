// Products of matrices with at most MOST rows and columns.

// The products (count, n, m), contiguous, of `a` (count, n, k) and `b` (count, k, m).
KERNEL(matmul)(Index start, Index stop, Index n, Index m, Index k, const void *a, Index a_item, Index a_row,
               Index a_column, const void *b, Index b_item, Index b_row, Index b_column, void *x) {
  for (Index first = start; first < stop; first += LANES) {
    Number y[MOST][MOST];
    Items left = items(a, a_item, first, stop), right = items(b, b_item, first, stop);
    Items found = items(x, n * m * ELEMENT, first, stop);
    for (int l = 0; l < k; l++)
      for (int j = 0; j < m + WIDE - 1 && j < MOST; j++)
        y[l][j] = j < m ? read(&right, l * b_row + j * b_column) : number(all(0));
    for (int i = 0; i < n; i++) {
      Number row[MOST];
      for (int l = 0; l < k; l++) row[l] = read(&left, i * a_row + l * a_column);
      for (int j = 0; j < m; j += WIDE) {
        Number z[WIDE] = {0};
        for (int l = 0; l < k; l++)
          for (int c = 0; c < WIDE; c++) z[c] = plus_product(z[c], row[l], y[l][j + c]);
        for (int c = 0; c < WIDE && j + c < m; c++) write(&found, (i * m + j + c) * ELEMENT, z[c]);
      }
    }
  }
}
