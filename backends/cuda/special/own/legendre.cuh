// Legendre functions and spherical harmonics of whole degree and order with two derivatives, by the recurrences of
// scipy.special: from P_0^0 and P_1^1 up to P_m^m in steps of 2, DLMF 14.7.14 and 14.30, and from there in the degree,
// 14.10.3. Every number carries its first and second derivative along.
#include <xsf/config.h>

namespace legendre {

typedef double_complex C;
__device__ inline double real(double x) { return x; }
__device__ inline double real(C z) { return z.real(); }
__device__ inline double imag(double x) { return 0; }
__device__ inline double imag(C z) { return z.imag(); }
__device__ inline double root(double x) { return sqrt(x); }
__device__ inline C root(C z) { return std::sqrt(z); }

template <class T> struct Jet {
    T f, d, c; // value, first and second derivative
    __device__ Jet operator+(const Jet &o) const { return {f + o.f, d + o.d, c + o.c}; }
    __device__ Jet operator*(const Jet &o) const { return {f * o.f, d * o.f + f * o.d, c * o.f + 2.0 * d * o.d + f * o.c}; }
};
template <class T> __device__ Jet<T> operator*(double s, const Jet<T> &x) { return {s * x.f, s * x.d, s * x.c}; }
template <class T> __device__ Jet<T> root(const Jet<T> &x) {
    T f = root(x.f), d = x.d / (2.0 * f);
    return {f, d, (x.c - 2.0 * d * d) / (2.0 * f)};
}

// the degrees from k + 2 to n: w_k+1 and w_k become w_n and w_n-1
template <class T, class A, class B>
__device__ Jet<T> in_degree(double k, double n, Jet<T> before, Jet<T> now, const Jet<T> &z, A below, B middle) {
    for (double j = k + 2; j <= n; j++) {
        Jet<T> next = below(j) * before + middle(j) * z * now;
        before = now;
        now = next;
    }
    return now;
}

__device__ __noinline__ void polynomial(double n, double x, double &y0, double &y1, double &y2) {
    Jet<double> one = {1, 0, 0}, z = {x, 1, 0};
    Jet<double> w = n == 0 ? one : in_degree<double>(0, n, one, z, z, [](double j) { return -(j - 1) / j; },
                                                     [](double j) { return (2 * j - 1) / j; });
    y0 = w.f;
    y1 = w.d;
    y2 = w.c;
}

// where z = +-1, by the first terms of the expansions there
template <class T> __device__ void at_end(double n, double m, T z, double cut, bool norm, T &y0, T &y1, T &y2) {
    double even = fmod(n, 2.0) == 0 ? 1 : -1, sign = real(z) > 0 ? 1 : -1, whole = sign > 0 ? 1 : even, odd = whole * sign;
    double other = cut == 3 ? -1 : 1, n2 = (n + 2) * (n + 1) * n * (n - 1), w1 = 0, w2 = 0;
    if (m == 0) {
        w1 = n * (n + 1) * odd / 2;
        w2 = n2 / 8;
    } else if (fabs(m) == 1) {
        w1 = m * whole * INFINITY;
        w2 = m * INFINITY;
    } else if (m == 2) {
        w1 = -other * n2 * odd / 4;
        w2 = -((n + 1) * n - 3) * n2 / 12;
    } else if (m == -2) {
        w1 = -other * odd / 4;
        w2 = -0.25;
    } else if (fabs(m) == 3) {
        w2 = m * INFINITY;
    } else if (m == 4) {
        w2 = (n + 4) * (n + 3) * n2 * (n - 2) * (n - 3) / 48;
    }
    y0 = T(m == 0 ? whole * (norm ? sqrt((2 * n + 1) / 2) : 1.0) : 0.0);
    y1 = T(w1);
    y2 = T(w2);
}

__device__ inline double lower(double j, double m) {
    return -sqrt((2 * j + 1) * ((j - 1) * (j - 1) - m * m) / ((2 * j - 3) * (j * j - m * m)));
}
__device__ inline double upper(double j, double m) {
    return sqrt((2 * j + 1) * (4 * (j - 1) * (j - 1) - 1) / ((2 * j - 3) * (j * j - m * m)));
}

template <class T>
__device__ __noinline__ void associated(double n, double m, T x, double cut, double norm, T &y0, T &y1, T &y2) {
    double a = fabs(m), other = cut == 3 ? -1 : 1;
    y0 = y1 = y2 = T(0);
    if (a > n) return;
    if (fabs(real(x)) == 1 && imag(x) == 0) return at_end<T>(n, m, x, cut, norm != 0, y0, y1, y2);
    Jet<T> z = {x, T(1), T(0)}, one = {T(1), T(0), T(0)}, rest = one + -1.0 * (z * z), w;
    if (cut == 3) {
        w = root(z + -1.0 * one) * root(z + one);
    } else {
        w = root(rest);
        if (m >= 0) w = -1.0 * w;
    }
    bool is_odd = fmod(a, 2.0) == 1;
    w = norm != 0 ? (is_odd ? sqrt(3.0) / 2 * w : sqrt(0.5) * one) : (is_odd ? (m < 0 ? 0.5 : 1.0) * w : one);
    for (double k = is_odd ? 3 : 2; k <= a; k += 2) {
        double factor = norm != 0 ? sqrt((2 * k + 1) * (2 * k - 1) / (4 * k * (k - 1)))
                        : m < 0   ? 1 / (2 * k * (2 * k - 2))
                                  : (2 * k - 1) * (2 * k - 3);
        w = other * factor * (rest * w);
    }
    if (n > a) {
        double first = norm != 0 ? sqrt(2 * a + 3) : (2 * a + 1) / (a + 1 - m);
        w = in_degree<T>(
            a, n, w, first * (z * w), z, [=](double j) { return norm != 0 ? lower(j, m) : -(j + m - 1) / (j - m); },
            [=](double j) { return norm != 0 ? upper(j, m) : (2 * j - 1) / (j - m); });
    }
    y0 = w.f;
    y1 = w.d;
    y2 = w.c;
}

__device__ __noinline__ void spherical(double n, double m, double theta, double &y0, double &y1, double &y2) {
    double a = fabs(m), s = sin(theta), c = cos(theta), side = s < 0 ? -1 : 1;
    y0 = y1 = y2 = 0;
    if (a > n) return;
    Jet<double> sine = {s, c, -s}, z = {c, -s, -c}, one = {1, 0, 0};
    bool is_odd = fmod(a, 2.0) == 1;
    double start = is_odd ? (m < 0 ? 1 : -1) * side * sqrt(3.0) / (2 * sqrt(2 * M_PI)) : 1 / (2 * sqrt(M_PI));
    Jet<double> w = start * (is_odd ? sine : one);
    for (double k = is_odd ? 3 : 2; k <= a; k += 2) {
        w = sqrt((2 * k + 1) * (2 * k - 1) / (4 * k * (k - 1))) * (sine * sine * w);
    }
    if (n > a) {
        w = in_degree<double>(a, n, w, sqrt(2 * a + 3) * (z * w), z, [=](double j) { return lower(j, m); },
                              [=](double j) { return upper(j, m); });
    }
    y0 = w.f;
    y1 = w.d;
    y2 = w.c;
}

} // namespace legendre
