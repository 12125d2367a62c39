// Sweeps of Jacobi's rotations of numbers of type T, real or complex: what `determinism/portable/jacobi.py` does to
// arrays, by the same IEEE operations on each number.  A round has `n / 2` pairs `p, q` that have nothing in common.
// A difference of two products beside their sum is written as a sum, too: GCC 12 makes one fused instruction of the two,
// whatever -ffp-contract says.
#define JOINED_(a, b) a##_##b
#define JOINED(a, b) JOINED_(a, b)
#define OF_KIND(name) JOINED(name, LETTER)
enum { OF_KIND(PARTS) = 1 + IS_COMPLEX };

typedef struct { T re, im; } OF_KIND(Number);
#define Number OF_KIND(Number)

// The modulus of an element between a pair, and the phase; of a real number itself, and 1.
INLINE T OF_KIND(modulus)(Number between, Number *phase) {
  *phase = (Number){1, 0};
  if (!IS_COMPLEX) return between.re;
  double x = __builtin_fabs(between.re), y = __builtin_fabs(between.im);
  int e = exponent_of(x > y ? x : y);
  T re = (T)shifted(between.re, -e), im = (T)shifted(between.im, -e), modulus = (T)__builtin_sqrt(re * re + im * im);
  if (modulus != 0) {
    T scale = 1 / modulus, zero = 0;
    *phase = (Number){(re + im * zero) * scale, (im + re * -zero) * scale};
  }
  return (T)shifted(modulus, e);
}
// The cosine and the sine that make `[[first, between], [between, second]]` diagonal.
INLINE Number OF_KIND(rotation)(T first, T second, T between) {
  T tangent = 0;
  if (between != 0) {
    T ratio = (second - first) / (2 * between);
    T size = (T)__builtin_fabs(ratio) + (T)__builtin_sqrt(1 + ratio * ratio);
    tangent = (T)__builtin_copysign(1 / size, ratio);
  }
  T cosine = 1 / (T)__builtin_sqrt(1 + tangent * tangent);
  return (Number){cosine, tangent * cosine};
}
INLINE void OF_KIND(rotate)(T *restrict x, T *restrict y, Index count, Number by) {
  for (Index k = 0; k < count; k++) {
    T left = x[k], right = y[k];
    x[k] = left * by.re + right * -by.im;
    y[k] = left * by.im + right * by.re;
  }
}
INLINE void OF_KIND(turn)(T *x, Index count, T re, T im) {  // complex numbers
  for (Index k = 0; k < count; k++) {
    T a = x[2 * k], b = x[2 * k + 1];
    x[2 * k] = a * re + b * -im;
    x[2 * k + 1] = a * im + b * re;
  }
}
INLINE T OF_KIND(tree)(T *x, Index count) {  // the sum, as `trees.py` adds
  for (; count > 1; count -= count / 2) {
    Index half = count / 2;
    for (Index k = 0; k < half; k++) x[k] += x[half + k];
    if (count % 2) x[half] = x[count - 1];
  }
  return x[0];
}

// A sweep over Hermitian matrices `a`, and over the rows of `v`, the eigenvectors; `work` has 4 n real numbers an item.
EXPORT void OF_KIND(jacobi_rows_and_columns)(Index start, Index stop, Index n, Index rounds, const Index *pairs, T *a,
                                             T *v, T *work) {
  const Index parts = OF_KIND(PARTS), half = n / 2, row = n * parts;
  for (Index item = start; item < stop; item++) {
    T *x = a + item * n * row, *vectors = v + item * n * row;
    Number *phases = (Number *)(work + 4 * item * n), *by = phases + half;
    T *moduli = (T *)(by + half);
    for (Index round = 0; round < rounds; round++) {
      const Index *p = pairs + 2 * round * half, *q = p + half;
      for (Index j = 0; j < half; j++) {
        T *between = x + p[j] * row + q[j] * parts;
        moduli[j] = OF_KIND(modulus)((Number){between[0], between[parts - 1]}, phases + j);
      }
      if (IS_COMPLEX) {
        for (Index i = 0; i < n; i++)
          for (Index j = 0; j < half; j++) OF_KIND(turn)(x + i * row + q[j] * parts, 1, phases[j].re, -phases[j].im);
        for (Index j = 0; j < half; j++) OF_KIND(turn)(x + q[j] * row, n, phases[j].re, phases[j].im);
        for (Index j = 0; j < half; j++) OF_KIND(turn)(vectors + q[j] * row, n, phases[j].re, -phases[j].im);
      }
      for (Index j = 0; j < half; j++)
        by[j] = OF_KIND(rotation)(x[p[j] * (row + parts)], x[q[j] * (row + parts)], moduli[j]);
      for (Index i = 0; i < n; i++)
        for (Index j = 0; j < half; j++)
          OF_KIND(rotate)(x + i * row + p[j] * parts, x + i * row + q[j] * parts, parts, by[j]);
      for (Index j = 0; j < half; j++) {
        OF_KIND(rotate)(x + p[j] * row, x + q[j] * row, row, by[j]);
        OF_KIND(rotate)(vectors + p[j] * row, vectors + q[j] * row, row, by[j]);
      }
      for (Index j = 0; j < half; j++)
        for (Index k = 0; k < parts; k++) x[p[j] * row + q[j] * parts + k] = x[q[j] * row + p[j] * parts + k] = 0;
    }
  }
}

// A sweep over the columns of square matrices, which lie in the rows of `r`, and over the rows of `v`; `done` stays true
// where all pairs were orthogonal: their cosine at most `bounds[0]`, or one of them not longer than `bounds[1]`.
EXPORT void OF_KIND(jacobi_columns)(Index start, Index stop, Index n, Index rounds, const Index *pairs, T *r, T *v,
                                    T *work, const T *bounds, char *done) {
  const Index parts = OF_KIND(PARTS), half = n / 2, row = n * parts;
  const T rounding = bounds[0], least = bounds[1];
  for (Index item = start; item < stop; item++) {
    T *x = r + item * n * row, *vectors = v + item * n * row, *re = work + 4 * item * n, *im = re + n;
    for (Index j = 0; j < rounds * half; j++) {
      const Index *pair = pairs + j / half * 2 * half + j % half, p = pair[0] * row, q = pair[half] * row;
      T squares[2];
      for (int side = 0; side < 2; side++) {
        const T *y = x + (side ? q : p);
        for (Index k = 0; k < n; k++)
          re[k] = IS_COMPLEX ? y[2 * k] * y[2 * k] + y[2 * k + 1] * y[2 * k + 1] : y[k] * y[k];
        squares[side] = OF_KIND(tree)(re, n);
      }
      const T *y = x + p, *z = x + q;
      for (Index k = 0; k < n; k++) {
        re[k] = IS_COMPLEX ? y[2 * k] * z[2 * k] + y[2 * k + 1] * z[2 * k + 1] : y[k] * z[k];
        if (IS_COMPLEX) im[k] = y[2 * k] * z[2 * k + 1] + -y[2 * k + 1] * z[2 * k];
      }
      Number phase, product = {OF_KIND(tree)(re, n), IS_COMPLEX ? OF_KIND(tree)(im, n) : 0};
      T between = OF_KIND(modulus)(product, &phase);
      if (IS_COMPLEX) {
        OF_KIND(turn)(x + q, n, phase.re, -phase.im);
        OF_KIND(turn)(vectors + q, n, phase.re, -phase.im);
      }
      T left = (T)__builtin_sqrt(squares[0]), right = (T)__builtin_sqrt(squares[1]);
      if (!((left < right ? left : right) > least && (T)__builtin_fabs(between) > rounding * left * right)) between = 0;
      done[item] &= between == 0;
      Number by = OF_KIND(rotation)(squares[0], squares[1], between);
      OF_KIND(rotate)(x + p, x + q, row, by);
      OF_KIND(rotate)(vectors + p, vectors + q, row, by);
    }
  }
}

#undef Number
#undef OF_KIND
#undef JOINED
#undef JOINED_
#undef LETTER
#undef T
#undef IS_COMPLEX
