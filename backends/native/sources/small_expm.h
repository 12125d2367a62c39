// The exponential of n x n matrices, n <= MOST, and its derivative: scaling, a Taylor polynomial, and squaring.
//
// With `d = a / 2**s` small, `expm(a) = p(d) ** (2**s)`, where `p` is the Taylor polynomial of degree 18 in five products
// [BBC19]: with `b_i = C[i] . (d, d^2, d^3, d^6)` and `c = b_0 b_1 + b_2`,
//
//     p(d) = 1 + b_4 + GAMMA c + (b_3 + c) c.
//
// The polynomial, and how it is scaled, are those of linalg/functions/exponential_taylor.py.  It needs that `alpha =
// max(|d^2|**(1/2), |d^3|**(1/3))` is at most 1, which may be far less than the norm of `d`, and for its rounding errors
// that `| |d|**19 |` is at most `EPS 19! | |d| |` [AH09, theorem 4.2 and section 5].  Halvings that these do not need are
// spared.  The derivative along `e` is the sum of two products for each of these [A. Al-Mohy, N. Higham, SIMAX 30 (2009)
// 1639].
//
// Norms are rounded to powers of two by their exponents, so that nothing here depends on a library's logarithm.  Items
// with numbers that are not finite, in between too, or are of a norm from WIDEST on, are refused.

#include <stdlib.h>
#include <string.h>

enum { DEGREE = 18, POWERS = 4, COMBINATIONS = 5 };
#define WIDEST 0x1p300
#define FACTORIAL 121645100408832000.0  // of DEGREE + 1

#define B3_CONSTANT -0.09043168323908106
#define GAMMA (-1.09676396052962061844e01 + 2 * B3_CONSTANT)
static const double C[COMBINATIONS][POWERS] = {
    {-0.10036558103014462, -0.00802924648241157, -0.00089213849804573, 0.0},
    {0.0, -0.09233646193671186, -0.016936493900208172, -1.400867981820361e-05},
    {-0.06764045190713819, 0.06759613017704597, 0.029555257042931552, -1.391802575160607e-05},
    {1.68015813878906206114e00, 0.05717798464788655, -0.0069821012248805206, 3.349750170860705e-05},
    {0.3978497494996451 + B3_CONSTANT * 1.68015813878906206114e00,
     1.36783778460411720168e00 + B3_CONSTANT * 0.05717798464788655,
     0.49828962252538267 + B3_CONSTANT * -0.0069821012248805206,
     -0.0006378981945947233 + B3_CONSTANT * 3.349750170860705e-05},
};

// Some rows and columns of `x y`, added to what `z` holds, or in its place.  They are summed first: the terms of the
// polynomial are smaller than what they are added to.
INLINE void block(int rows, int columns, int n, int adds, Number *z, const Number *x, const Number *y) {
  Number sum[2][4];
#pragma GCC unroll 4
  for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
    for (int j = 0; j < columns; j++) sum[i][j] = number(all(0));
  for (int l = 0; l < n; l++)
#pragma GCC unroll 4
    for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
      for (int j = 0; j < columns; j++) sum[i][j] = plus_product(sum[i][j], x[i * n + l], y[l * n + j]);
#pragma GCC unroll 4
  for (int i = 0; i < rows; i++)
#pragma GCC unroll 4
    for (int j = 0; j < columns; j++) z[i * n + j] = adds ? plus_times(sum[i][j], z[i * n + j], all(1)) : sum[i][j];
}
INLINE void rows_of_product(int rows, int n, int adds, Number *z, const Number *x, const Number *y) {
  enum { COLUMNS = 4 / (1 + IS_COMPLEX) };
  int j = 0;
  for (; j + COLUMNS <= n; j += COLUMNS) block(rows, COLUMNS, n, adds, z + j, x, y + j);
  for (; j < n; j++) block(rows, 1, n, adds, z + j, x, y + j);
}
// `z = x y`, or `z += x y`, where `z` is another array.
static __attribute__((noinline)) void multiply_matrices(int n, int adds, Number *z, const Number *x, const Number *y) {
  if (n == 2)
    block(2, 2, 2, adds, z, x, y);
  else if (n == 3)
    for (int i = 0; i < 3; i++) block(1, 3, 3, adds, z + i * 3, x + i * 3, y);
  else {
    int i = 0;
    for (; i + 2 <= n; i += 2) rows_of_product(2, n, adds, z + i * n, x + i * n, y);
    if (i < n) rows_of_product(1, n, adds, z + i * n, x + i * n, y);
  }
}
// `z = x f + e y`, or `z += x f + e y`.
INLINE void multiply_twice(int n, int adds, Number *z, const Number *x, const Number *f, const Number *e,
                           const Number *y) {
  multiply_matrices(n, adds, z, x, f);
  multiply_matrices(n, 1, z, e, y);
}

INLINE Reals absolute_value(Number x) { return IS_COMPLEX ? root(square(x)) : larger_part(x); }
// The largest column sum of moduli.
static __attribute__((noinline)) Reals norm_of(int n, const Number *x) {
  Reals best = all(0);
  for (int j = 0; j < n; j++) {
    Reals sum = all(0);
    for (int i = 0; i < n; i++) sum += absolute_value(x[i * n + j]);
    best = larger(sum, best);
  }
  return best;
}

INLINE Integers at_least(Integers x, int64_t y) { return chosen_integers(x > y, x, all_integers(y)); }
INLINE Integers at_most(Integers x, Integers y) { return chosen_integers(x < y, x, y); }
// `ceil(log2(x))` of normal numbers; less than -BIAS + 2 of smaller ones, and large of what is infinite or NaN.
INLINE Integers logarithm_above(Reals x) {
  return exponent(x) - (Integers)(((Integers)x & ((1LL << 52) - 1)) != 0);
}

// How many of `count` halvings the polynomial at `d` needs not; `moduli` is scratch.
INLINE Integers spared(int n, Integers count, const Number *d, const Number *squared, const Number *cubed,
                       Reals *moduli) {
  // floor(k / 3) by a product: exact for 0 <= k < 2**15
  Integers by_square = -logarithm_above(norm_of(n, squared)) >> 1;
  Integers by_cube = ((3 * 1024 - logarithm_above(norm_of(n, cubed))) * 21846 >> 16) - 1024;
  Integers most = at_most(at_least(at_most(by_square, by_cube), 0), count);
  if (is_false(most)) return most;
  Reals factor = power_of_two(most), power[2][MOST], largest = all(0), highest = all(0);
  for (int j = 0; j < n; j++) {
    power[0][j] = all(0);
    for (int i = 0; i < n; i++) {
      moduli[i * n + j] = absolute_value(d[i * n + j]) * factor;
      power[0][j] += moduli[i * n + j];
    }
    largest = larger(power[0][j], largest);
  }
  for (int k = 0; k < DEGREE; k++)
    for (int j = 0; j < n; j++) {
      Reals sum = all(0);
      for (int i = 0; i < n; i++) sum = fused(power[k % 2][i], moduli[i * n + j], sum);
      power[1 - k % 2][j] = sum;
    }
  for (int j = 0; j < n; j++) highest = larger(power[DEGREE % 2][j], highest);
  // ceil(k / 18) by a product: exact for 0 <= k < 2**11
  Integers missing = (at_least(logarithm_above(highest / (EPS * FACTORIAL * largest)), 0) + 17) * 3641 >> 16;
  return at_least(most - missing, 0);
}

// From the powers `p[0], p[1], p[2], p[3]` of `n x n` matrices the combinations `p[0]` to `p[4]`.
static __attribute__((noinline)) void combine(int n, Number *p) {
  int size = n * n;
  for (int k = 0; k < size; k++) {
    Number x[POWERS];
    for (int i = 0; i < POWERS; i++) x[i] = p[i * size + k];
#pragma GCC unroll 5
    for (int j = 0; j < COMBINATIONS; j++) {
      Number sum = times(x[3], all(C[j][3]));
#pragma GCC unroll 4
      for (int i = POWERS - 2; i >= 0; i--) sum = plus_times(sum, x[i], all(C[j][i]));
      p[j * size + k] = sum;
    }
  }
}

INLINE void add(int size, Number *y, const Number *x, double scale) {  // y + scale x
  for (int k = 0; k < size; k++) y[k] = plus_times(y[k], x[k], all(scale));
}

// In place of the matrices `p[0]` their exponentials, as the last of five, and in place of `q[0]`, unless it is a null
// pointer, the derivatives along it.  Where they are refused, the flags are true.
static __attribute__((noinline)) Flags exponentials(int n, Number *p, Number *q) {
  int size = n * n;
  Number *p1 = p + size, *p2 = p1 + size, *p3 = p2 + size, *p4 = p3 + size;
  Reals norm = norm_of(n, p);
  Flags refused = ~(norm < WIDEST);
  Integers count = at_least(logarithm_above(norm), 0) & ~refused;
  Reals factor = power_of_two(-count);
  for (int k = 0; k < size; k++) p[k] = times(p[k], factor);
  multiply_matrices(n, 0, p1, p, p);
  multiply_matrices(n, 0, p2, p1, p);
  if (!is_false(count)) {
    Integers few = spared(n, count, p, p1, p2, (Reals *)p3);
    if (!is_false(few)) {
      count -= few;
      factor = power_of_two(few);
      for (int k = 0; k < size; k++) {
        p[k] = times(p[k], factor);
        p1[k] = times(p1[k], factor * factor);
        p2[k] = times(p2[k], factor * factor * factor);
      }
    }
  }
  multiply_matrices(n, 0, p3, p2, p2);
  Number *q1 = q + size, *q2 = q1 + size, *q3 = q2 + size, *q4 = q3 + size;
  if (q) {
    factor = power_of_two(-count);
    for (int k = 0; k < size; k++) q[k] = times(q[k], factor);
    multiply_twice(n, 0, q1, p, q, q, p);
    multiply_twice(n, 0, q2, p1, q, q1, p);
    multiply_twice(n, 0, q3, p2, q2, q2, p2);
    combine(n, q);
  }
  combine(n, p);
  if (q) multiply_twice(n, 1, q2, q, p1, p, q1);
  multiply_matrices(n, 1, p2, p, p1);
  if (q) {
    add(size, q4, q2, GAMMA);
    add(size, q3, q2, 1);
  }
  add(size, p4, p2, GAMMA);
  add(size, p3, p2, 1);
  if (q) multiply_twice(n, 1, q4, q3, p2, p3, q2);
  multiply_matrices(n, 1, p4, p3, p2);
  for (int k = 0; k < size; k += n + 1) p4[k] = plus_times(p4[k], number(all(1)), all(1));
  for (int done = 0;; done++) {
    Flags squared = count > done;
    if (is_false(squared)) return refused;
    if (q) {
      multiply_twice(n, 0, q, p4, q4, q4, p4);
      for (int k = 0; k < size; k++) q4[k] = chosen(squared, q[k], q4[k]);
    }
    multiply_matrices(n, 0, p, p4, p4);
    for (int k = 0; k < size; k++) p4[k] = chosen(squared, p[k], p4[k]);
  }
}

// The exponentials `x` (count, n, n) of `a`, or if asked their derivatives along `e`, with the conjugates of `e` and of
// the result if asked.  A derivative computes the powers of `a` again, a third of its products.
KERNEL(expm) {
  Index n = next(&arguments), has_direction = next(&arguments), conjugates = next(&arguments);
  Matrices a = matrices(&arguments), e = matrices(&arguments), x = matrices(&arguments);
  char *refused = memory(&arguments);
  // of the heap: 320 KiB at 16 complex columns, more than the stack of some threads
  char *space = malloc(sizeof(Reals) + (has_direction ? 2 : 1) * COMBINATIONS * n * n * sizeof(Number));
  if (!space) {
    memset(refused + start, 1, stop - start);
    return;
  }
  Number *p = (Number *)(((uintptr_t)space + sizeof(Reals) - 1) & -sizeof(Reals));
  Number *q = has_direction ? p + COMBINATIONS * n * n : 0;
  const Number *result = (q ? q : p) + (COMBINATIONS - 1) * n * n;
  for (Index first = start; first < stop; first += LANES) {
    Reals infinity = all(0);
    Items given = items_of(&a, first, stop), directions = items_of(&e, first, stop);
    Items found = items_of(&x, first, stop);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        p[i * n + j] = read(&given, i * a.row + j * a.column);
        infinity += not_finite(p[i * n + j]);
        if (!q) continue;
        Number y = read(&directions, i * e.row + j * e.column);
        q[i * n + j] = conjugates ? conjugate(y) : y;
      }
    Flags is_refused = exponentials((int)n, p, q);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        Number y = result[i * n + j];
        write(&found, i * x.row + j * x.column, conjugates ? conjugate(y) : y);
        infinity += not_finite(y);
      }
    write_flags(refused, first, given.count, is_refused | (infinity != 0));
  }
  free(space);
}
