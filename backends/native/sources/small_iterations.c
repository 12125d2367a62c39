// The implicit QL and QR iterations [GV13, 8.3 and 8.6], with the shifts, directions and criteria of LAPACK's `steqr` and
// `bdsqr`: the vectors then have the signs that they have there.
#include "small_iterations.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define EPS 0x1p-53
enum { STEPS = 30 };  // for each value, at most

typedef double Four __attribute__((vector_size(32)));
typedef struct { double c, s, r; } Rotation;  // c f + s g = r,  c g - s f = 0

INLINE double larger(double x, double y) { return x > y ? x : y; }
INLINE double smaller(double x, double y) { return x < y ? x : y; }

INLINE Rotation rotation(double f, double g) {
  if (g == 0) return (Rotation){1, 0, f};
  if (f == 0) return (Rotation){0, copysign(1, g), fabs(g)};
  double squares = f * f + g * g, scale = 1;
  if (!(squares > 0x1p-900 && squares < 0x1p900)) {
    scale = larger(fabs(f), fabs(g));
    f /= scale;
    g /= scale;
    squares = f * f + g * g;
  }
  double d = sqrt(squares), r = copysign(d, f);
  return (Rotation){fabs(f) / d, g / r, r * scale};
}

// x <- c x + s y,  y <- c y - s x
INLINE void turn(int n, double *x, double *y, double c, double s) {
  for (int k = 0; k < n; k += 4) {
    Four p, q, left, right;
    memcpy(&p, x + k, sizeof p);
    memcpy(&q, y + k, sizeof q);
    left = c * p + s * q;
    right = c * q - s * p;
    memcpy(x + k, &left, sizeof p);
    memcpy(y + k, &right, sizeof q);
  }
}

static void identity(int n, double z[MOST][MOST]) {
  for (int i = 0; i < n; i++) {
    memset(z[i], 0, sizeof z[i]);
    z[i][i] = 1;
  }
}

static void exchange(double *x, double *y) {
  double old[MOST];
  memcpy(old, x, sizeof old);
  memcpy(x, y, sizeof old);
  memcpy(y, old, sizeof old);
}

// Diagonalizes a symmetric 2 x 2 matrix: `a` becomes the value of larger modulus, with the vector (c, s), `c` the other.
INLINE Rotation diagonalize_2(double *a, double b, double *c) {
  double sum = *a + *c, difference = *a - *c, twice = b + b, wide = fabs(difference), high = fabs(twice);
  double more = larger(wide, high), ratio = smaller(wide, high) / more;
  double root = more == 0 ? 0 : more * sqrt(1 + ratio * ratio);
  double greater = fabs(*a) > fabs(*c) ? *a : *c, other = fabs(*a) > fabs(*c) ? *c : *a;
  double first = 0.5 * (sum < 0 ? sum - root : sum + root);
  *a = first;
  *c = sum == 0 ? -first : greater / first * other - b / first * b;
  double cs = difference + (difference >= 0 ? root : -root);
  Rotation j = {1, 0, 0};
  if (fabs(cs) > high) {
    double cotangent = -twice / cs;
    j.s = 1 / sqrt(1 + cotangent * cotangent);
    j.c = cotangent * j.s;
  } else if (high > 0) {
    double tangent = -cs / twice;
    j.c = 1 / sqrt(1 + tangent * tangent);
    j.s = tangent * j.c;
  }
  return (sum < 0) == (difference < 0) ? (Rotation){-j.s, j.c, 0} : j;
}

// `toward` is +1 for QL, which finds the values from the first on, and -1 for QR, from the last on: whichever end of a
// block is smaller.  BESIDE(i) stands between i and the next.
#define BESIDE(i) e[toward > 0 ? (i) : (i) - 1]
int tridiagonal_eigen(int n, double *d, double *e, double z[MOST][MOST]) {
  int left = STEPS * n;
  identity(n, z);
  for (int first = 0, last; first < n; first = last + 1) {
    for (last = first; last < n - 1; last++)
      if (fabs(e[last]) <= sqrt(fabs(d[last])) * sqrt(fabs(d[last + 1])) * EPS) break;
    int is_down = fabs(d[last]) < fabs(d[first]), toward = is_down ? -1 : 1;
    int at = is_down ? last : first, end = is_down ? first : last;
    while ((end - at) * toward >= 0) {
      int m = at;
      while (m != end) {
        double b = BESIDE(m);
        if (b * b <= EPS * EPS * fabs(d[m]) * fabs(d[m + toward]) + DBL_MIN) break;
        m += toward;
      }
      if (m == at) {
        at += toward;
      } else if (m == at + toward) {
        int low = is_down ? m : at;
        Rotation j = diagonalize_2(&d[low], e[low], &d[low + 1]);
        turn(n, z[low], z[low + 1], j.c, j.s);
        at += 2 * toward;
      } else {
        if (left-- == 0) return 0;
        double p = d[at], b = BESIDE(at), g = (d[at + toward] - p) / (2 * b);
        double more = larger(fabs(g), 1), ratio = smaller(fabs(g), 1) / more;
        g = d[m] - p + b / (g + copysign(more * sqrt(1 + ratio * ratio), g));
        Rotation j = {1, 1, 0};
        p = 0;
        for (int i = m - toward; (i - at) * toward >= 0; i -= toward) {
          double f = j.s * BESIDE(i), h = j.c * BESIDE(i);
          j = rotation(g, f);
          if (i != m - toward) BESIDE(i + toward) = j.r;
          g = d[i + toward] - p;
          double r = (d[i] - g) * j.s + 2 * j.c * h;
          p = j.s * r;
          d[i + toward] = g + p;
          g = j.c * r - h;
          turn(n, z[i], z[i + toward], j.c, -j.s);
        }
        d[at] -= p;
        BESIDE(at) = g;
      }
    }
  }
  for (int i = 0; i < n - 1; i++) {
    int least = i;
    for (int k = i + 1; k < n; k++)
      if (d[k] < d[least]) least = k;
    if (least == i) continue;
    double old = d[i];
    d[i] = d[least];
    d[least] = old;
    exchange(z[i], z[least]);
  }
  return 1;
}

// The smaller singular value of [[f, g], [0, h]].
static double smaller_value(double f, double g, double h) {
  double low = smaller(fabs(f), fabs(h)), high = larger(fabs(f), fabs(h));
  g = fabs(g);
  if (low == 0) return 0;
  double sum = 1 + low / high, difference = (high - low) / high;
  if (g < high) {
    double ratio = g / high * (g / high);
    return low * (2 / (sqrt(sum * sum + ratio) + sqrt(difference * difference + ratio)));
  }
  double ratio = high / g;
  if (ratio == 0) return low * high / g;
  sum *= ratio;
  difference *= ratio;
  return 2 * (low * (1 / (sqrt(1 + sum * sum) + sqrt(1 + difference * difference))) * ratio);
}

// Of [[f, g], [0, h]] the singular values, which take the places of `f` and `h`, perhaps with signs, and the rotations
// that make it diagonal from the left and from the right.
static void diagonalize_triangle(double *f, double g, double *h, Rotation *left, Rotation *right) {
  int is_swapped = fabs(*h) > fabs(*f), largest = is_swapped ? 3 : 1;
  double high = is_swapped ? *h : *f, low = is_swapped ? *f : *h, size = fabs(high), other = fabs(low), least, most;
  Rotation l = {1, 0, 0}, r = {1, 0, 0};
  if (g == 0) {
    least = other;
    most = size;
  } else if (fabs(g) > size && size / fabs(g) < EPS) {
    largest = 2;
    most = fabs(g);
    least = other > 1 ? size / (most / other) : size / most * other;
    l = (Rotation){1, low / g, 0};
    r = (Rotation){high / g, 1, 0};
  } else {
    if (fabs(g) > size) largest = 2;
    double d = size - other, x = d == size ? 1 : d / size, m = g / high, t = 2 - x, mm = m * m;
    double s = sqrt(t * t + mm), q = x == 0 ? fabs(m) : sqrt(x * x + mm), a = 0.5 * (s + q);
    least = other / a;
    most = size * a;
    if (mm != 0)
      t = (m / (s + t) + m / (q + x)) * (1 + a);
    else
      t = x == 0 ? copysign(2, high) * copysign(1, g) : g / copysign(d, high) + m / t;
    double hypotenuse = sqrt(t * t + 4);
    r = (Rotation){2 / hypotenuse, t / hypotenuse, 0};
    l = (Rotation){(r.c + r.s * m) / a, low / high * r.s / a, 0};
  }
  *left = is_swapped ? (Rotation){r.s, r.c, 0} : l;
  *right = is_swapped ? (Rotation){l.s, l.c, 0} : r;
  double sign = largest == 1   ? copysign(1, right->c) * copysign(1, left->c) * copysign(1, *f)
                : largest == 2 ? copysign(1, right->s) * copysign(1, left->c) * copysign(1, g)
                               : copysign(1, right->s) * copysign(1, left->s) * copysign(1, *h);
  double sign_of_least = sign * copysign(1, *f) * copysign(1, *h);
  *f = copysign(most, sign);
  *h = copysign(least, sign_of_least);
}

#define TOLERANCE (98.70149282610821 * EPS)  // EPS**(-1/8) times as much
int bidiagonal_svd(int n, int is_lower, double *d, double *e, double u[MOST][MOST], double v[MOST][MOST]) {
  identity(n, u);
  identity(n, v);
  for (int i = 0; is_lower && i < n - 1; i++) {
    Rotation j = rotation(d[i], e[i]);
    d[i] = j.r;
    e[i] = j.s * d[i + 1];
    d[i + 1] *= j.c;
    turn(n, u[i], u[i + 1], j.c, j.s);
  }
  double least = fabs(d[0]), mu = least;
  for (int i = 1; i < n && least != 0; i++) {
    mu = fabs(d[i]) * (mu / (mu + fabs(e[i - 1])));
    least = smaller(least, mu);
  }
  double negligible = larger(TOLERANCE * (least / sqrt(n)), 6 * n * n * DBL_MIN);
  int toward = 1, old_first = -1, old_last = -1, steps = 0;
  for (int last = n - 1; last > 0;) {
    double largest = fabs(d[last]);
    int first = last;
    while (first > 0 && !(fabs(e[first - 1]) <= negligible)) {
      first--;
      largest = larger(largest, larger(fabs(d[first]), fabs(e[first])));
    }
    if (first > 0) e[first - 1] = 0;
    if (first == last) {
      last--;
      continue;
    }
    if (first == last - 1) {
      Rotation left, right;
      diagonalize_triangle(&d[first], e[first], &d[last], &left, &right);
      e[first] = 0;
      turn(n, v[first], v[last], right.c, right.s);
      turn(n, u[first], u[last], left.c, left.s);
      last -= 2;
      continue;
    }
    if (first > old_last || last < old_first) toward = fabs(d[first]) >= fabs(d[last]) ? 1 : -1;
    int from = toward > 0 ? first : last, to = toward > 0 ? last : first, is_split = 0;
    double *end = &BESIDE(to - toward);
    if (fabs(*end) <= TOLERANCE * fabs(d[to])) {
      *end = 0;
      continue;
    }
    least = mu = fabs(d[from]);
    for (int i = from; i != to && !is_split; i += toward) {
      if (fabs(BESIDE(i)) <= TOLERANCE * mu) {
        BESIDE(i) = 0;
        is_split = 1;
      }
      mu = fabs(d[i + toward]) * (mu / (mu + fabs(BESIDE(i))));
      least = smaller(least, mu);
    }
    if (is_split) continue;
    old_first = first;
    old_last = last;
    steps += last - first;
    if (steps > 6 * n * n) return 0;
    double shift = 0, size = fabs(d[from]);
    if (n * TOLERANCE * (least / largest) > larger(EPS, 0.01 * TOLERANCE)) {
      shift = smaller_value(d[to], *end, d[to - toward]);
      if (size > 0 && shift / size * (shift / size) < EPS) shift = 0;
    }
    double(*one)[MOST] = toward > 0 ? v : u, (*other)[MOST] = toward > 0 ? u : v;
    if (shift == 0) {
      Rotation j = {1, 0, 0}, k = {1, 0, 0};
      for (int i = from; i != to; i += toward) {
        j = rotation(d[i] * j.c, BESIDE(i));
        if (i != from) BESIDE(i - toward) = k.s * j.r;
        k = rotation(k.c * j.r, d[i + toward] * j.s);
        d[i] = k.r;
        turn(n, one[i], one[i + toward], j.c, j.s);
        turn(n, other[i], other[i + toward], k.c, k.s);
      }
      double h = d[to] * j.c;
      d[to] = h * k.c;
      *end = h * k.s;
    } else {
      double f = (size - shift) * (copysign(1, d[from]) + shift / d[from]), g = BESIDE(from);
      for (int i = from; i != to; i += toward) {
        int next = i + toward;
        Rotation j = rotation(f, g);
        if (i != from) BESIDE(i - toward) = j.r;
        f = j.c * d[i] + j.s * BESIDE(i);
        BESIDE(i) = j.c * BESIDE(i) - j.s * d[i];
        g = j.s * d[next];
        d[next] *= j.c;
        Rotation k = rotation(f, g);
        d[i] = k.r;
        f = k.c * BESIDE(i) + k.s * d[next];
        d[next] = k.c * d[next] - k.s * BESIDE(i);
        if (next != to) {
          g = k.s * BESIDE(next);
          BESIDE(next) *= k.c;
        }
        turn(n, one[i], one[next], j.c, j.s);
        turn(n, other[i], other[next], k.c, k.s);
      }
      *end = f;
    }
    if (fabs(*end) <= negligible) *end = 0;
  }
  double(*signed_ones)[MOST] = n == 1 ? u : v;
  for (int i = 0; i < n; i++)
    if (d[i] < 0) {
      d[i] = -d[i];
      for (int k = 0; k < n; k++) signed_ones[i][k] = -signed_ones[i][k];
    }
  for (int end = n - 1; end > 0; end--) {
    int least_at = 0;
    for (int k = 1; k <= end; k++)
      if (d[k] <= d[least_at]) least_at = k;
    if (least_at == end) continue;
    double old = d[end];
    d[end] = d[least_at];
    d[least_at] = old;
    exchange(u[end], u[least_at]);
    exchange(v[end], v[least_at]);
  }
  return 1;
}
