// Products of matrices with at most MOST rows and columns, a row of one matrix in a vector: an element is the sum by
// fused operations in the order of its terms.

enum { PARTS = 1 + IS_COMPLEX, PANEL = 8 / PARTS, REGISTERS = 8 / LANES };  // a panel: so many columns of numbers
typedef struct { Reals part[REGISTERS]; } Row;

INLINE int registers(int width) { return (width * PARTS + LANES - 1) / LANES; }

// The `width` numbers, `column` bytes apart; 0 beyond them.
INLINE Row read_row(int width, const char *from, Index column) {
  Row y;
  for (int p = 0; p < registers(width); p++)
    if (column == ELEMENT) y.part[p] = read_some((const STORED *)from + p * LANES, width * PARTS - p * LANES);
    else {
      double x[LANES];
      for (int l = 0, k = p * LANES; l < LANES; l++, k++)
        x[l] = k < width * PARTS ? ((const STORED *)(from + k / PARTS * column))[k % PARTS] : 0;
      y.part[p] = (Reals)EACH(x);
    }
  return y;
}
INLINE void write_row(int width, char *to, Row z) {
  for (int p = 0; p < registers(width); p++)
    write_some((STORED *)to + p * LANES, width * PARTS - p * LANES, z.part[p]);
}

INLINE Row negative_row(Row y) {
  for (int p = 0; p < REGISTERS; p++) y.part[p] = -y.part[p];
  return y;
}
#if IS_COMPLEX
INLINE Row conjugated(Row y) {
  for (int p = 0; p < REGISTERS; p++) y.part[p] = (Reals)((Integers)y.part[p] ^ (Integers)(Reals)PAIRWISE(0.0, -0.0));
  return y;
}
INLINE Row times_i(Row y) {
  for (int p = 0; p < REGISTERS; p++) y.part[p] = SHUFFLED(y.part[p], EXCHANGED);
  return negative_row(conjugated(y));
}
#endif

// The columns from one on, `width` of them, of all products.  Constant n and k are worth a function of their own.
INLINE void panel(int width, int n, int k, Index start, Index stop, Index first, Index m, const Matrices *a, int conj_a,
                  const Matrices *b, int conj_b, char *x) {
  for (Index item = start; item < stop; item++) {
    const char *left = a->start + item * a->item, *right = b->start + item * b->item + first * b->column;
    char *found = x + (item * n * m + first) * ELEMENT;
    Row y[MOST][PARTS];  // of complex numbers, i times each too
    for (int l = 0; l < k; l++) {
      const char *from = right + l * b->row;
      y[l][0] = b->column == ELEMENT ? read_row(width, from, ELEMENT) : read_row(width, from, b->column);
#if IS_COMPLEX
      if (conj_b) y[l][0] = conjugated(y[l][0]);
      y[l][1] = times_i(y[l][0]);
      if (conj_a) y[l][1] = negative_row(y[l][1]);
#endif
    }
    for (int i = 0; i < n; i++) {
      Row z;
      for (int p = 0; p < registers(width); p++) z.part[p] = all(0);
      for (int l = 0; l < k; l++) {
        const STORED *factor = (const STORED *)(left + i * a->row + l * a->column);
        for (int q = 0; q < PARTS; q++)
          for (int p = 0; p < registers(width); p++) z.part[p] = fused(all(factor[q]), y[l][q].part[p], z.part[p]);
      }
      write_row(width, found + i * m * ELEMENT, z);
    }
  }
  (void)conj_a, (void)conj_b;
}

// The products (count, n, m), contiguous, of `a` (count, n, k), conjugated if asked, and `b` (count, k, m).
KERNEL(matmul) {
  Index n = next(&arguments), m = next(&arguments), k = next(&arguments);
  Matrices a = matrices(&arguments), b = matrices(&arguments);
  int conj_a = (int)next(&arguments), conj_b = (int)next(&arguments);
  char *x = memory(&arguments);
#define COLUMNS(width, rows, terms) panel(width, rows, terms, start, stop, first, m, &a, conj_a, &b, conj_b, x)
  for (Index first = 0; first < m; first += PANEL) {
    int width = m - first < PANEL ? (int)(m - first) : PANEL, is_square = n == m && n == k && n > 1 && n <= 4;
    switch (is_square ? -width : width) {
      case -2: COLUMNS(2, 2, 2); break;
      case -3: COLUMNS(3, 3, 3); break;
      case -4: COLUMNS(4, 4, 4); break;
      case 1: COLUMNS(1, (int)n, (int)k); break;
      case 2: COLUMNS(2, (int)n, (int)k); break;
      case 3: COLUMNS(3, (int)n, (int)k); break;
      case 4: COLUMNS(4, (int)n, (int)k); break;
#if !IS_COMPLEX
      case 5: COLUMNS(5, (int)n, (int)k); break;
      case 6: COLUMNS(6, (int)n, (int)k); break;
      case 7: COLUMNS(7, (int)n, (int)k); break;
      case 8: COLUMNS(8, (int)n, (int)k); break;
#endif
    }
  }
#undef COLUMNS
}

// So many numbers times the one at an address, if any, without fused operations, as NumPy multiplies.
INLINE void multiply(STORED *x, Index count, const STORED *by) {
  if (!by) return;
  for (Index k = 0; k < count; k++, x += PARTS) {
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
KERNEL(adjoint) {
  Index n = next(&arguments), m = next(&arguments);
  Matrices a = matrices(&arguments);
  const char *c = memory(&arguments);
  Index c_item = next(&arguments);
  const char *d = memory(&arguments);
  Index d_item = next(&arguments);
  char *x = memory(&arguments);
  for (Index item = start; item < stop; item++) {
    const char *from = a.start + item * a.item;
    STORED *found = (STORED *)(x + item * n * m * ELEMENT), *to = found;
    for (Index j = 0; j < m; j++)
      for (Index i = 0; i < n; i++, to += PARTS) {
        const STORED *element = (const STORED *)(from + i * a.row + j * a.column);
        to[0] = element[0];
        if (IS_COMPLEX) to[IS_COMPLEX] = -element[IS_COMPLEX];
      }
    multiply(found, n * m, c ? (const STORED *)(c + item * c_item) : 0);
    multiply(found, n * m, d ? (const STORED *)(d + item * d_item) : 0);
  }
}
