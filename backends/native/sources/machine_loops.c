// Inner loops of the machine that are ours: arithmetic, which is rounded correctly and so has NumPy's bits; copies,
// conversions, choices; and the sums that guards are decided by.
//
// Arguments are contiguous, or one number with a stride of 0; the result may lie where an argument does.
#include "machine.h"
#include <stdbool.h>

typedef float float32;
typedef double float64;
#define UNUSED (void)context, (void)strides, (void)auxiliary
#define EACH _Pragma("GCC ivdep") for (size i = 0; i < n; i++)

#define REAL_BINARY(NAME, T, EXPRESSION) BINARY_TO(NAME, T, T, EXPRESSION)
#define BINARY_TO(NAME, T, W, EXPRESSION)                                           \
  LOOP(NAME##_##T) {                                                                \
    UNUSED;                                                                         \
    size n = *dimensions;                                                           \
    const T *a = (const T *)data[0], *b = (const T *)data[1];                       \
    W *w = (W *)data[2];                                                            \
    if (n == 1) { T x = *a, y = *b; *w = EXPRESSION; }                              \
    else if (!strides[0] && !strides[1]) { T x = *a, y = *b; EACH w[i] = EXPRESSION; } \
    else if (!strides[0]) { T x = *a; EACH { T y = b[i]; w[i] = EXPRESSION; } }     \
    else if (!strides[1]) { T y = *b; EACH { T x = a[i]; w[i] = EXPRESSION; } }     \
    else EACH { T x = a[i], y = b[i]; w[i] = EXPRESSION; }                          \
    return 0;                                                                       \
  }
#define REAL_UNARY(NAME, T, EXPRESSION)                                             \
  LOOP(NAME##_##T) {                                                                \
    UNUSED;                                                                         \
    size n = *dimensions;                                                           \
    const T *a = (const T *)data[0];                                                \
    T *w = (T *)data[1];                                                            \
    if (n == 1) { T x = *a; *w = EXPRESSION; }                                      \
    else if (!strides[0]) { T x = *a; EACH w[i] = EXPRESSION; }                     \
    else EACH { T x = a[i]; w[i] = EXPRESSION; }                                    \
    return 0;                                                                       \
  }
#define ARITHMETIC(T, ROOT, SIZE)                                       \
  REAL_BINARY(add, T, x + y) REAL_BINARY(subtract, T, x - y)            \
  REAL_BINARY(multiply, T, x * y) REAL_BINARY(divide, T, x / y)         \
  REAL_UNARY(negative, T, -x) REAL_UNARY(square, T, x * x)              \
  REAL_UNARY(reciprocal, T, 1 / x) REAL_UNARY(sqrt, T, ROOT(x))         \
  REAL_UNARY(absolute, T, SIZE(x))
ARITHMETIC(float32, sqrtf, fabsf)
ARITHMETIC(float64, sqrt, fabs)

// Comparisons of numbers, which raise no error at NaN; truth values; and sums and products of integers, whose overflow is
// one of floating-point numbers, as NumPy has it.
#define COMPARISONS(T, LESS, LESS_EQUAL)                                                  \
  BINARY_TO(less, T, bool, LESS(x, y)) BINARY_TO(less_equal, T, bool, LESS_EQUAL(x, y))   \
  BINARY_TO(greater, T, bool, LESS(y, x)) BINARY_TO(greater_equal, T, bool, LESS_EQUAL(y, x)) \
  BINARY_TO(equal, T, bool, x == y) BINARY_TO(not_equal, T, bool, x != y)
typedef int64_t int64;
#define IS_LESS(x, y) ((x) < (y))
#define IS_LESS_EQUAL(x, y) ((x) <= (y))
COMPARISONS(float32, __builtin_isless, __builtin_islessequal)
COMPARISONS(float64, __builtin_isless, __builtin_islessequal)
COMPARISONS(int64, IS_LESS, IS_LESS_EQUAL)
REAL_BINARY(logical_and, bool, x && y)
REAL_BINARY(logical_or, bool, x || y)
REAL_UNARY(logical_not, bool, !x)
#define CHECKED(NAME, OPERATION)                                                            \
  INLINE int64 checked_##OPERATION(int64 x, int64 y) {                                      \
    int64 w;                                                                                \
    if (__builtin_##OPERATION##_overflow(x, y, &w)) set_flags(get_flags() | FE_OVERFLOW);   \
    return w;                                                                               \
  }                                                                                         \
  REAL_BINARY(NAME, int64, checked_##OPERATION(x, y))
CHECKED(add, add) CHECKED(subtract, sub) CHECKED(multiply, mul)

// Powers of numbers, by the function that NumPy calls.
REAL_BINARY(power, float32, powf(x, y))
REAL_BINARY(power, float64, pow(x, y))

// Complex numbers, part by part.
#define COMPLEX_BINARY(NAME, DTYPE, T, OPERATOR)                                                      \
  LOOP(NAME##_##DTYPE) {                                                                              \
    UNUSED;                                                                                           \
    size n = *dimensions, s = strides[0] ? 2 : 0, t = strides[1] ? 2 : 0;                             \
    const T *a = (const T *)data[0], *b = (const T *)data[1];                                         \
    T *w = (T *)data[2];                                                                              \
    if (s && t) n *= 2;                                                                               \
    if (s && t) EACH w[i] = a[i] OPERATOR b[i];                                                       \
    else EACH w[2 * i] = a[s * i] OPERATOR b[t * i], w[2 * i + 1] = a[s * i + 1] OPERATOR b[t * i + 1]; \
    return 0;                                                                                         \
  }
#define COMPLEX_UNARY(NAME, DTYPE, T, SIGN)                                          \
  LOOP(NAME##_##DTYPE) {                                                             \
    UNUSED;                                                                          \
    size n = *dimensions, s = strides[0] ? 2 : 0;                                    \
    const T *a = (const T *)data[0];                                                 \
    T *w = (T *)data[1];                                                             \
    EACH w[2 * i] = SIGN a[s * i], w[2 * i + 1] = -a[s * i + 1];                     \
    return 0;                                                                        \
  }
#define COMPLEX_ARITHMETIC(DTYPE, T)                                                 \
  COMPLEX_BINARY(add, DTYPE, T, +) COMPLEX_BINARY(subtract, DTYPE, T, -)             \
  COMPLEX_UNARY(negative, DTYPE, T, -) COMPLEX_UNARY(conjugate, DTYPE, T, +)
COMPLEX_ARITHMETIC(complex64, float)
COMPLEX_ARITHMETIC(complex128, double)

// The product of two complex numbers as NumPy's numbers have it, without the fused operations of its loops.  GCC fuses
// those of a pair of lanes, contracted or not, unless products are to be seen in memory.
#define PRODUCT_OF(DTYPE, T)                                                         \
  LOOP(product_##DTYPE) {                                                            \
    UNUSED, (void)dimensions;                                                        \
    const T *a = (const T *)data[0], *b = (const T *)data[1];                        \
    volatile T p[] = {a[0] * b[0], a[1] * b[1], a[0] * b[1], a[1] * b[0]};           \
    T *w = (T *)data[2];                                                             \
    w[0] = p[0] - p[1], w[1] = p[2] + p[3];                                          \
    return 0;                                                                        \
  }
PRODUCT_OF(complex64, float) PRODUCT_OF(complex128, double)

// Numbers of 1 to 16 bytes: chosen by truth values.
typedef struct { uint64_t low, high; } bytes16;
#define WHERE(BITS, T)                                                                          \
  LOOP(where_##BITS) {                                                                          \
    UNUSED;                                                                                     \
    size n = *dimensions, c = strides[0], s = strides[1] != 0, t = strides[2] != 0;             \
    const char *chosen = data[0];                                                               \
    const T *a = (const T *)data[1], *b = (const T *)data[2];                                   \
    T *w = (T *)data[3];                                                                        \
    for (size i = 0; i < n; i++) w[i] = chosen[i * c] ? a[i * s] : b[i * t];                    \
    return 0;                                                                                   \
  }
WHERE(8, uint8_t) WHERE(16, uint16_t) WHERE(32, uint32_t) WHERE(64, uint64_t) WHERE(128, bytes16)

// From one type to another that holds all its numbers, and copies; any strides that are multiples of the type's size.
#define CONVERT(FROM, S, TO, T, PART)                                                \
  LOOP(convert_##FROM##_##TO) {                                                      \
    UNUSED;                                                                          \
    size n = *dimensions, s = strides[0];                                            \
    const char *a = data[0];                                                         \
    T *w = (T *)data[1];                                                             \
    for (size i = 0; i < n; i++) { S x = *(const S *)(a + i * s); PART; }            \
    return 0;                                                                        \
  }
#define TO_REAL(FROM, S, TO, T) CONVERT(FROM, S, TO, T, w[i] = (T)x)
#define TO_COMPLEX(FROM, S, TO, T) CONVERT(FROM, S, TO, T, (w[2 * i] = (T)x, w[2 * i + 1] = 0))
#define TO_DOUBLE(FROM, S) TO_REAL(FROM, S, d, double) TO_COMPLEX(FROM, S, D, double)
TO_DOUBLE(f, float) TO_COMPLEX(d, double, D, double) TO_COMPLEX(f, float, F, float)
TO_DOUBLE(b, int8_t) TO_DOUBLE(h, int16_t) TO_DOUBLE(i, int32_t) TO_DOUBLE(l, int64_t) TO_DOUBLE(o, uint8_t)

LOOP(convert_F_D) {
  UNUSED;
  const char *a = data[0];
  double *w = (double *)data[1];
  for (size i = 0; i < *dimensions; i++) {
    const float *x = (const float *)(a + i * strides[0]);
    w[2 * i] = x[0], w[2 * i + 1] = x[1];
  }
  return 0;
}

// One element of an array, the one at the index `auxiliary`; and zeros but for one element.
#define ELEMENT(BITS, T)                                                     \
  LOOP(element_##BITS) {                                                     \
    (void)context, (void)dimensions, (void)strides;                          \
    *(T *)data[1] = ((const T *)data[0])[(size)auxiliary];                   \
    return 0;                                                                \
  }
ELEMENT(8, uint8_t) ELEMENT(16, uint16_t) ELEMENT(32, uint32_t) ELEMENT(64, uint64_t) ELEMENT(128, bytes16)
#define PLACED(DTYPE, T, PARTS)                                              \
  LOOP(placed_##DTYPE) {                                                     \
    (void)context, (void)strides;                                            \
    size n = PARTS * *dimensions, at = PARTS * (size)auxiliary;              \
    const T *a = (const T *)data[0];                                         \
    T *w = (T *)data[1];                                                     \
    for (size i = 0; i < n; i++) w[i] = 0;                                   \
    for (int k = 0; k < PARTS; k++) w[at + k] = a[k];                        \
    return 0;                                                                \
  }
PLACED(float32, float, 1)
PLACED(float64, double, 1)
PLACED(complex64, float, 2)
PLACED(complex128, double, 2)

// The elements of `auxiliary` arrays in their places in another one.  Behind the arrays comes the table: the logarithm of
// the size of an element, the bytes that are zeros before; and of each array the number of axes, where the first element
// lies and goes, and the sizes and the steps of the axes, the last of which is the innermost.
enum { AXES = 8 };
typedef struct { size axes, from, to, sizes[AXES], read[AXES], write[AXES]; } part;
typedef struct { size kind, zeros; part parts[]; } arrangement;
#define EACH_OF(T) for (size i = 0; i < n; i++, from += read, to += write) *(T *)to = *(const T *)from; break
static void arrange(const part *p, size axis, size kind, const char *from, char *to) {
  size n = p->axes ? p->sizes[axis] : 1, read = p->axes ? p->read[axis] : 0, write = p->axes ? p->write[axis] : 0;
  if (axis < p->axes - 1) {
    for (size i = 0; i < n; i++) arrange(p, axis + 1, kind, from + i * read, to + i * write);
    return;
  }
  switch (kind) {
    case 0: EACH_OF(uint8_t);
    case 1: EACH_OF(uint16_t);
    case 2: EACH_OF(uint32_t);
    case 3: EACH_OF(uint64_t);
    case 4: EACH_OF(bytes16);
  }
}
LOOP(arranged) {
  (void)context, (void)dimensions, (void)strides;
  size count = (size)auxiliary;
  const arrangement *a = (const arrangement *)data[count];
  char *to = data[count + 1];
  memset(to, 0, (size_t)a->zeros);
  for (size k = 0; k < count; k++) {
    const part *p = a->parts + k;
    arrange(p, 0, a->kind, data[k] + p->from, to + p->to);
  }
  return 0;
}

// An array, with a number added to the element at the index `auxiliary`.
#define SUM_AT(DTYPE, T, PARTS)                                                                       \
  LOOP(sum_at_##DTYPE) {                                                                              \
    (void)context, (void)strides;                                                                     \
    size at = PARTS * (size)auxiliary;                                                                \
    const T *a = (const T *)data[0], *x = (const T *)data[1];                                         \
    T *w = (T *)data[2];                                                                              \
    if (w != a) memcpy(w, a, (size_t)(PARTS * *dimensions) * sizeof(T));                              \
    for (size k = 0; k < PARTS; k++) w[at + k] = a[at + k] + x[k];                                    \
    return 0;                                                                                         \
  }
SUM_AT(float32, float, 1) SUM_AT(float64, double, 1) SUM_AT(complex64, float, 2) SUM_AT(complex128, double, 2)

// The loop of a ufunc, `auxiliary`.
LOOP(of_ufunc) {
  (void)context;
  const fallback *of = auxiliary;
  of->loop((char **)data, dimensions, strides, of->data);
  return 0;
}

// The sum of an array by NumPy's own loop, `auxiliary`, which adds to a number: from 0 on, as NumPy begins.
#define SUM_BY(DTYPE, T, PARTS)                                                                       \
  LOOP(sum_##DTYPE) {                                                                                 \
    (void)context, (void)strides;                                                                     \
    const struct { inner *loop; void *context, *auxiliary; } *add = auxiliary;                        \
    T sum[PARTS] = {0};                                                                               \
    char *const places[] = {(char *)sum, data[0], (char *)sum};                                       \
    int failed = add->loop(add->context, places, dimensions, (size[]){0, sizeof sum, 0}, add->auxiliary); \
    memcpy(data[1], sum, sizeof sum);                                                                 \
    return failed;                                                                                    \
  }
SUM_BY(float32, float, 1)
SUM_BY(float64, double, 1)
SUM_BY(complex64, float, 2)
SUM_BY(complex128, double, 2)

// What guards are decided by: how many are false, whether any is not finite, and the sum of the squares.
LOOP(falses) {
  UNUSED;
  size n = *dimensions, found = 0;
  const char *a = data[0];
  for (size i = 0; i < n; i++) found += !a[i];
  *(double *)data[1] += (double)found;
  return 0;
}
#define INFINITE(DTYPE, BITS, EXPONENT, PARTS)                                         \
  LOOP(infinite_##DTYPE) {                                                             \
    UNUSED;                                                                            \
    size n = PARTS * *dimensions;                                                      \
    const BITS *a = (const BITS *)data[0];                                             \
    BITS found = 0;                                                                    \
    for (size i = 0; i < n; i++) found |= (a[i] & EXPONENT) == EXPONENT;               \
    *(double *)data[1] += (double)found;                                               \
    return 0;                                                                          \
  }
#define INFINITE_OF(T, DTYPE, BITS, EXPONENT) INFINITE(T, BITS, EXPONENT, 1) INFINITE(DTYPE, BITS, EXPONENT, 2)
INFINITE_OF(float32, complex64, uint32_t, 0x7f800000u)
INFINITE_OF(float64, complex128, uint64_t, 0x7ff0000000000000u)
#define SQUARES(DTYPE, T, PARTS)                                                       \
  LOOP(squares_##DTYPE) {                                                              \
    UNUSED;                                                                            \
    size n = PARTS * *dimensions, i = 0;                                               \
    const T *a = (const T *)data[0];                                                   \
    double part[8] = {0}, sum = 0;                                                     \
    for (; i + 8 <= n; i += 8)                                                         \
      for (int k = 0; k < 8; k++) part[k] += (double)a[i + k] * (double)a[i + k];      \
    for (; i < n; i++) sum += (double)a[i] * (double)a[i];                             \
    for (int k = 0; k < 8; k++) sum += part[k];                                        \
    *(double *)data[1] += sum;                                                         \
    return 0;                                                                          \
  }
SQUARES(float32, float, 1)
SQUARES(float64, double, 1)
SQUARES(complex64, float, 2)
SQUARES(complex128, double, 2)
