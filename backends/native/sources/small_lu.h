// Gaussian elimination with partial pivoting of n x n matrices, n <= MOST: solutions, inverses and determinants.
//
// Items with elements that are not finite, and those that are singular up to rounding, are refused: LAPACK says what
// becomes of them.  A pivot is zero up to rounding below `MARGIN n` times the largest element above it.

// `P a = L U`: the unit lower factor and the upper one in one array, the reciprocals of the diagonal of the latter, and
// which row of `a` each row was.
typedef struct {
  Number x[MOST][MOST], scale[MOST];
  Integers row[MOST];
  Flags is_odd, refused;
} Factors;

INLINE void eliminate(int n, Factors *f, const Items *a, Index row, Index column) {
  Number(*x)[MOST] = f->x;
  Reals infinity = all(0);
  for (int i = 0; i < n; i++) {
    f->row[i] = all_integers(i);
    for (int j = 0; j < n; j++) {
      x[i][j] = read(a, i * row + j * column);
      infinity += not_finite(x[i][j]);
    }
  }
  f->is_odd = all_integers(0);
  f->refused = infinity != 0;
  for (int k = 0; k < n; k++) {
    Reals best = size(x[k][k]);
    Integers at = all_integers(k);
    for (int i = k + 1; i < n; i++) {
      Reals s = size(x[i][k]);
      at = chosen_integers(s > best, all_integers(i), at);
      best = larger(s, best);
    }
    Flags here[MOST];
    Integers row_k = f->row[k];
    f->is_odd ^= at != k;
    for (int i = k + 1; i < n; i++) {
      here[i] = at == i;
      f->row[k] = chosen_integers(here[i], f->row[i], f->row[k]);
      f->row[i] = chosen_integers(here[i], row_k, f->row[i]);
    }
    for (int j = 0; j < n; j++) {
      Number old = x[k][j], pivot = old;
      for (int i = k + 1; i < n; i++) {
        pivot = chosen(here[i], x[i][j], pivot);
        x[i][j] = chosen(here[i], old, x[i][j]);
      }
      x[k][j] = pivot;
    }
    Number scale = f->scale[k] = reciprocal(x[k][k]);
    for (int i = k + 1; i < n; i++) {
      Number l = x[i][k] = product(x[i][k], scale);
      for (int j = k + 1; j < n; j++) x[i][j] = minus_product(x[i][j], l, x[k][j]);
    }
    Reals above = size(x[k][k]), least = larger(n * MARGIN * above, all(SMALLEST));
    for (int i = 0; i < k; i++) least = larger(n * MARGIN * size(x[i][k]), least);
    f->refused |= ~((above > least) & (above < 1 / SMALLEST));
  }
}

enum { WIDE = 4 };  // right sides at a time

// `L U y = y`, where the elements of the right sides before the first are zero.
INLINE void substitute(int n, const Factors *f, Number y[MOST][WIDE], int first, int wide) {
  for (int i = first + 1; i < n; i++)
    for (int j = first; j < i; j++)
      for (int c = 0; c < wide; c++) y[i][c] = minus_product(y[i][c], f->x[i][j], y[j][c]);
  for (int i = n - 1; i >= 0; i--) {
    for (int j = n - 1; j > i; j--)
      for (int c = 0; c < wide; c++) y[i][c] = minus_product(y[i][c], f->x[i][j], y[j][c]);
    for (int c = 0; c < wide; c++) y[i][c] = product(y[i][c], f->scale[i]);
  }
}

// The solutions `x` (count, n, m), contiguous, of `a x = b`.
KERNEL(solve) {
  Index n = next(&arguments), m = next(&arguments);
  Matrices a = matrices(&arguments), b = matrices(&arguments);
  char *x = memory(&arguments), *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Factors f;
    Items given = items_of(&a, first, stop), right = items_of(&b, first, stop), permuted[MOST];
    Items found = items(x, n * m * ELEMENT, first, stop);
    eliminate((int)n, &f, &given, a.row, a.column);
    for (int i = 0; i < n; i++) permuted[i] = moved(&right, f.row[i], b.row);
    Reals infinity = all(0);
    for (Index c = 0; c < m; c += WIDE) {
      Number y[MOST][WIDE];
      int wide = m - c < WIDE ? (int)(m - c) : WIDE;
      for (int i = 0; i < n; i++)
        for (int k = 0; k < WIDE; k++) y[i][k] = k < wide ? read(&permuted[i], (c + k) * b.column) : number(all(0));
      if (wide == 1)
        substitute((int)n, &f, y, 0, 1);
      else
        substitute((int)n, &f, y, 0, WIDE);
      for (int i = 0; i < n; i++)
        for (int k = 0; k < wide; k++) {
          write(&found, (i * m + c + k) * ELEMENT, y[i][k]);
          infinity += not_finite(y[i][k]);
        }
    }
    write_flags(refused, first, given.count, f.refused | (infinity != 0));
  }
}

// The solutions `x` (count, n, m) of `a x = b` with the lower triangles of `a`, whose diagonals are read unless they are
// ones.  Items are refused where these are not normal numbers.
KERNEL(triangular) {
  Index n = next(&arguments), m = next(&arguments), is_unit = next(&arguments);
  Matrices a = matrices(&arguments), b = matrices(&arguments), x = matrices(&arguments);
  char *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Number l[MOST][MOST];
    Flags is_refused = all_integers(0);
    Items given = items_of(&a, first, stop), right = items_of(&b, first, stop);
    Items found = items_of(&x, first, stop);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) l[i][j] = read(&given, i * a.row + j * a.column);
      Number diagonal = is_unit ? number(all(1)) : read(&given, i * (a.row + a.column));
      is_refused |= ~((size(diagonal) > SMALLEST) & (size(diagonal) < 1 / SMALLEST));
      l[i][i] = reciprocal(diagonal);
    }
    for (Index c = 0; c < m; c += WIDE) {
      Number y[MOST][WIDE];
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < WIDE; k++)
          y[i][k] = c + k < m ? read(&right, i * b.row + (c + k) * b.column) : number(all(0));
        for (int j = 0; j < i; j++)
          for (int k = 0; k < WIDE; k++) y[i][k] = minus_product(y[i][k], l[i][j], y[j][k]);
        for (int k = 0; k < WIDE; k++) y[i][k] = product(y[i][k], l[i][i]);
        for (int k = 0; k < WIDE && c + k < m; k++) write(&found, i * x.row + (c + k) * x.column, y[i][k]);
      }
    }
    write_flags(refused, first, given.count, is_refused);
  }
}

// The inverses `x` (count, n, n), contiguous: the columns of `inv(L U)`, exchanged as the rows of `a` were.
KERNEL(inv) {
  Index n = next(&arguments);
  Matrices a = matrices(&arguments);
  char *x = memory(&arguments), *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Factors f;
    Items given = items_of(&a, first, stop), found = items(x, n * n * ELEMENT, first, stop);
    eliminate((int)n, &f, &given, a.row, a.column);
    Reals infinity = all(0);
    for (int c = 0; c < n; c += WIDE) {
      Number y[MOST][WIDE];
      int wide = n - c < WIDE ? (int)(n - c) : WIDE;
      for (int i = 0; i < n; i++)
        for (int k = 0; k < WIDE; k++) y[i][k] = number(all(i == c + k));
      substitute((int)n, &f, y, c, WIDE);
      for (int k = 0; k < wide; k++) {
        Items column = moved(&found, f.row[c + k], ELEMENT);
        for (int i = 0; i < n; i++) {
          write(&column, i * n * ELEMENT, y[i][k]);
          infinity += not_finite(y[i][k]);
        }
      }
    }
    write_flags(refused, first, given.count, f.refused | (infinity != 0));
  }
}

// The product of the diagonal of `U` and of the signs of the exchanges as `m 2**e`, with the larger part of `m` between
// 1 and 2.
INLINE Number mantissa(int n, const Factors *f, Integers *e) {
  Number m = number(chosen_real(f->is_odd, all(-1), all(1)));
  *e = all_integers(0);
  for (int k = 0; k < n; k++) {
    m = product(m, f->x[k][k]);
    Integers d = exponent(larger_part(m));
    m = times(m, power_of_two(-d));
    *e += d;
  }
  return m;
}

// The determinants; those that are no normal numbers are refused too.
KERNEL(det) {
  Index n = next(&arguments);
  Matrices a = matrices(&arguments);
  char *det = memory(&arguments), *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Items given = items_of(&a, first, stop), found = items(det, ELEMENT, first, stop);
    Flags is_refused = all_integers(-1);
    Number x = number(all(0));
    if (n == 2) x = closed_det(2, &given, a.row, a.column, &is_refused);
    if (n == 3) x = closed_det(3, &given, a.row, a.column, &is_refused);
    if (!is_false(is_refused)) {
      Factors f;
      Integers e;
      eliminate((int)n, &f, &given, a.row, a.column);
      Number m = mantissa((int)n, &f, &e);
      x = chosen(is_refused, times(m, power_of_two(e)), x);
      is_refused &= f.refused | (e < 1 - BIAS) | (e >= BIAS);
    }
    write(&found, 0, x);
    write_flags(refused, first, given.count, is_refused);
  }
}

// The phases of the determinants and the logarithms of their moduli `m 2**e`: `log m + e log 2`, with `m` between the
// roots of 1/2 and 2, so that a logarithm near 0 has its digits too.
KERNEL(slogdet) {
  Index n = next(&arguments);
  Matrices a = matrices(&arguments);
  char *phase = memory(&arguments), *logarithm = memory(&arguments), *refused = memory(&arguments);
  for (Index first = start; first < stop; first += LANES) {
    Factors f;
    Integers e;
    Items given = items_of(&a, first, stop), phases = items(phase, ELEMENT, first, stop);
    Items logarithms = items(logarithm, sizeof(STORED), first, stop);
    eliminate((int)n, &f, &given, a.row, a.column);
    Number m = mantissa((int)n, &f, &e);
    Reals modulus = IS_COMPLEX ? root(square(m)) : larger_part(m), log = all(0);
    write(&phases, 0, over(m, modulus));
    Flags is_large = modulus > 0x1.6a09e667f3bcdp+0;
    modulus *= chosen_real(is_large, all(0.5), all(1));
    e -= is_large;
    for (int l = 0; l < LANES; l++) log[l] = __builtin_log(modulus[l]) + (double)e[l] * 0x1.62e42fefa39efp-1;
    write_real(&logarithms, 0, log);
    write_flags(refused, first, given.count, f.refused);
  }
}
