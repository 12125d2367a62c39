// Determinants and cofactors of matrices with two or three rows, by their definition.
//
// Each minor `x y - z w` is as if computed in twice the digits, so that a cofactor is accurate to rounding however much
// cancels, and a determinant is that of a matrix whose elements differ by rounding: what elimination with pivots gives.
// Numbers so large or small that products of three could over- or underflow are left to others.

enum { CLOSED = 3 };  // so many rows at most
#define WITHIN 0x1p250
INLINE Flags is_out(Reals x) { return ~((x == 0) | ((absolute(x) > 1 / WITHIN) & (absolute(x) < WITHIN))); }

#if IS_COMPLEX
// a1 b1 + .. + a4 b4 by exact products and sums [T. Ogita, S. Rump, S. Oishi, SISC 26 (2005) 1955, algorithm 5.3]
INLINE Reals sum_of_four(const Reals a[4], const Reals b[4]) {
  Reals sum = a[0] * b[0], rest = fused(a[0], b[0], -sum);
  for (int k = 1; k < 4; k++) {
    Reals p = a[k] * b[k], s = sum + p, t = s - sum;
    rest += fused(a[k], b[k], -p) + ((sum - (s - t)) + (p - t));
    sum = s;
  }
  return sum + rest;
}
INLINE Number minor_of(Number x, Number y, Number z, Number w) {
  Reals a[] = {x.re, -x.im, -z.re, z.im}, b[] = {y.re, y.im, w.re, w.im};
  Reals c[] = {x.re, x.im, -z.re, -z.im}, d[] = {y.im, y.re, w.im, w.re};
  return (Number){sum_of_four(a, b), sum_of_four(c, d)};
}
INLINE Number negative(Number x) { return (Number){-x.re, -x.im}; }
INLINE Flags is_far_out(Number x) { return is_out(x.re) | is_out(x.im); }
#else
// with the rounding error of `z w`: within 1.5 ulp [C.-P. Jeannerod, N. Louvet, J.-M. Muller, Math. Comp. 82 (2013) 2245]
INLINE Number minor_of(Number x, Number y, Number z, Number w) {
  Reals p = z * w;
  return fused(x, y, -p) + fused(-z, w, p);
}
INLINE Number negative(Number x) { return -x; }
INLINE Flags is_far_out(Number x) { return is_out(x); }
#endif

INLINE Number cofactor(int n, Number x[CLOSED][CLOSED], int i, int j) {
  if (n == 2) return i == j ? x[1 - i][1 - j] : negative(x[1 - i][1 - j]);
  int k = (i + 1) % 3, l = (i + 2) % 3, p = (j + 1) % 3, q = (j + 2) % 3;
  return minor_of(x[k][p], x[l][q], x[k][q], x[l][p]);
}

// The elements; and where any is not finite, or far out.
INLINE Flags read_closed(int n, const Items *from, Index row, Index column, Number x[CLOSED][CLOSED]) {
  Flags out = all_integers(0);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[i][j] = read(from, i * row + j * column);
      out |= is_far_out(x[i][j]);
    }
  return out;
}

// The determinant; `refused` is where it is zero up to rounding, or numbers are far out.
INLINE Number closed_det(int n, const Items *from, Index row, Index column, Flags *refused) {
  Number x[CLOSED][CLOSED], det = number(all(0));
  Reals sizes = all(0);
  *refused = read_closed(n, from, row, column, x);
  for (int j = 0; j < n; j++) {
    Number c = cofactor(n, x, 0, j);
    det = plus_product(det, x[0][j], c);
    sizes = fused(size(x[0][j]), size(c), sizes);
  }
  if (n == 2) det = minor_of(x[0][0], x[1][1], x[0][1], x[1][0]);
  *refused |= ~(size(det) > n * MARGIN * sizes);
  return det;
}

// The conjugates (count, n, n), contiguous, of the cofactors, times `g` (count).
INLINE void closed_cofactors(int n, Index start, Index stop, const Matrices *a, const char *g, Index g_item, char *x,
                             char *refused) {
  for (Index first = start; first < stop; first += LANES) {
    Number y[CLOSED][CLOSED];
    Items given = items_of(a, first, stop), factors = items(g, g_item, first, stop);
    Items found = items(x, n * n * ELEMENT, first, stop);
    Flags is_refused = read_closed(n, &given, a->row, a->column, y);
    Number factor = read(&factors, 0);
    Reals infinity = all(0);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        Number z = product(factor, conjugate(cofactor(n, y, i, j)));
        write(&found, (i * n + j) * ELEMENT, z);
        infinity += not_finite(z);
      }
    write_flags(refused, first, given.count, is_refused | (infinity != 0));
  }
}
KERNEL(cofactors) {
  Index n = next(&arguments);
  Matrices a = matrices(&arguments);
  const char *g = memory(&arguments);
  Index g_item = next(&arguments);
  char *x = memory(&arguments), *refused = memory(&arguments);
  if (n == 2) closed_cofactors(2, start, stop, &a, g, g_item, x, refused);
  else closed_cofactors(3, start, stop, &a, g, g_item, x, refused);
}
