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

// So many numbers times the one at an address, if any, without fused operations, as NumPy multiplies.
INLINE void multiply(STORED *x, Index count, const STORED *by) {
  if (!by) return;
  for (Index k = 0; k < count; k++, x += 1 + IS_COMPLEX) {
    STORED real = x[0] * by[0];
    if (IS_COMPLEX) {
      STORED imag = x[0] * by[IS_COMPLEX] + x[IS_COMPLEX] * by[0];
      real -= x[IS_COMPLEX] * by[IS_COMPLEX];
      x[IS_COMPLEX] = imag;
    }
    x[0] = real;
  }
}

// The conjugate transposes (count, m, n), contiguous, of `a` (count, n, m), times `c` and `d` (count), where given.
KERNEL(adjoint)(Index start, Index stop, Index n, Index m, const void *a, Index a_item, Index a_row, Index a_column,
                const void *c, Index c_item, const void *d, Index d_item, void *x) {
  for (Index item = start; item < stop; item++) {
    const char *given = (const char *)a + item * a_item;
    STORED *found = (STORED *)((char *)x + item * n * m * ELEMENT), *to = found;
    for (Index j = 0; j < m; j++)
      for (Index i = 0; i < n; i++, to += 1 + IS_COMPLEX) {
        const STORED *from = (const STORED *)(given + i * a_row + j * a_column);
        to[0] = from[0];
        if (IS_COMPLEX) to[IS_COMPLEX] = -from[IS_COMPLEX];
      }
    multiply(found, n * m, c ? (const STORED *)((const char *)c + item * c_item) : 0);
    multiply(found, n * m, d ? (const STORED *)((const char *)d + item * d_item) : 0);
  }
}
