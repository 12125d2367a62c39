// Carlson's symmetric elliptic integrals by the duplication theorem, DLMF 19.36(i): one step takes each argument a to
// (a + lambda)/4 and the distances from their mean A to a quarter, until a series of degree 7 has full precision.
#include <xsf/config.h>

namespace carlson {

typedef double_complex C;
__device__ inline double size(double x) { return fabs(x); }
__device__ inline double size(C z) { return hypot(z.real(), z.imag()); }
__device__ inline double root(double x) { return sqrt(x); }
__device__ inline C root(C z) { return std::sqrt(z); }
__device__ inline double real(double x) { return x; }
__device__ inline double real(C z) { return z.real(); }
__device__ inline double imag(double x) { return 0; }
__device__ inline double imag(C z) { return z.imag(); }
template <class T> __device__ bool is_nan(T z) { return z != z; }
template <class T> __device__ bool is_infinite(T z) { return isinf(real(z)) || isinf(imag(z)); }
template <class T> __device__ bool is_on_cut(T z) { return imag(z) == 0 && real(z) < 0; }
template <class T> __device__ T nan_of() { return T(NAN); }
template <class T> __device__ T infinity_of() { return T(INFINITY); }
#define PRECISION 2.2e-17

// R_C(x, y) = R_F(x, y, y); for y < 0 Cauchy's principal value, DLMF 19.2.20
template <class T> __device__ __noinline__ T rc(T x, T y) {
    if (is_nan(x) || is_nan(y) || is_on_cut(x)) return nan_of<T>();
    if (y == T(0)) return infinity_of<T>();
    if (is_infinite(x) || is_infinite(y)) return T(0);
    if (is_on_cut(y)) return root(x / (x - y)) * rc<T>(x - y, -y);
    T mean = (x + 2.0 * y) / 3.0, first = mean;
    double distance = size(mean - x) * pow(3 * PRECISION, -1.0 / 8), scale = 1;
    T x0 = x, y0 = y;
    while (distance >= size(mean) && scale > 1e-300) {
        T lambda = 2.0 * root(x) * root(y) + y;
        x = (x + lambda) * 0.25;
        y = (y + lambda) * 0.25;
        mean = (mean + lambda) * 0.25;
        distance *= 0.25;
        scale *= 0.25;
    }
    T s = (y0 - first) * scale / mean;
    T series = 1.0 + s * s * (3.0 / 10 + s * (1.0 / 7 + s * (3.0 / 8 + s * (9.0 / 22 + s * (159.0 / 208 + s * (9.0 / 8))))));
    return series / root(mean);
}

template <class T> __device__ __noinline__ T rf(T x, T y, T z) {
    if (is_nan(x) || is_nan(y) || is_nan(z) || is_on_cut(x) || is_on_cut(y) || is_on_cut(z)) return nan_of<T>();
    if (int(x == T(0)) + int(y == T(0)) + int(z == T(0)) > 1) return infinity_of<T>();
    if (is_infinite(x) || is_infinite(y) || is_infinite(z)) return T(0);
    T mean = (x + y + z) / 3.0, dx = mean - x, dy = mean - y;
    double distance = fmax(fmax(size(dx), size(dy)), size(mean - z)) * pow(3 * PRECISION, -1.0 / 8), scale = 1;
    while (distance >= size(mean) && scale > 1e-300) {
        T a = root(x), b = root(y), c = root(z), lambda = a * b + a * c + b * c;
        x = (x + lambda) * 0.25;
        y = (y + lambda) * 0.25;
        z = (z + lambda) * 0.25;
        mean = (mean + lambda) * 0.25;
        distance *= 0.25;
        scale *= 0.25;
    }
    T X = dx * scale / mean, Y = dy * scale / mean, Z = -(X + Y);
    T E2 = X * Y - Z * Z, E3 = X * Y * Z;
    T series = 1.0 - E2 / 10.0 + E3 / 14.0 + E2 * E2 / 24.0 - 3.0 * E2 * E3 / 44.0 - 5.0 * E2 * E2 * E2 / 208.0 +
               3.0 * E3 * E3 / 104.0 + E2 * E2 * E3 / 16.0;
    return series / root(mean);
}

// the series of DLMF 19.36.2 in the elementary symmetric functions of five arguments, of which the last are equal
template <class T> __device__ T last_series(T E2, T E3, T E4, T E5) {
    return 1.0 - 3.0 * E2 / 14.0 + E3 / 6.0 + 9.0 * E2 * E2 / 88.0 - 3.0 * E4 / 22.0 - 9.0 * E2 * E3 / 52.0 +
           3.0 * E5 / 26.0 - E2 * E2 * E2 / 16.0 + 3.0 * E3 * E3 / 40.0 + 3.0 * E2 * E4 / 20.0 +
           45.0 * E2 * E2 * E3 / 272.0 - 9.0 * (E3 * E4 + E2 * E5) / 68.0;
}

template <class T> __device__ __noinline__ T rd(T x, T y, T z) {
    if (is_nan(x) || is_nan(y) || is_nan(z) || is_on_cut(x) || is_on_cut(y) || is_on_cut(z)) return nan_of<T>();
    if (z == T(0) || (x == T(0) && y == T(0))) return infinity_of<T>();
    if (is_infinite(x) || is_infinite(y) || is_infinite(z)) return T(0);
    T mean = (x + y + 3.0 * z) / 5.0, dx = mean - x, dy = mean - y, sum = T(0);
    double distance = fmax(fmax(size(dx), size(dy)), size(mean - z)) * pow(PRECISION / 5, -1.0 / 8), scale = 1;
    while (distance >= size(mean) && scale > 1e-300) {
        T a = root(x), b = root(y), c = root(z), lambda = a * b + a * c + b * c;
        sum += scale / (c * (z + lambda));
        x = (x + lambda) * 0.25;
        y = (y + lambda) * 0.25;
        z = (z + lambda) * 0.25;
        mean = (mean + lambda) * 0.25;
        distance *= 0.25;
        scale *= 0.25;
    }
    T X = dx * scale / mean, Y = dy * scale / mean, Z = -(X + Y) / 3.0, XY = X * Y, ZZ = Z * Z;
    T series = last_series<T>(XY - 6.0 * ZZ, (3.0 * XY - 8.0 * ZZ) * Z, 3.0 * (XY - ZZ) * ZZ, XY * ZZ * Z);
    return scale * series / (mean * root(mean)) + 3.0 * sum;
}

// for a p whose own part of the sum is R_C, DLMF 19.36(i)
template <class T> __device__ __noinline__ T rj_sum(T x, T y, T z, T p) {
    T mean = (x + y + z + 2.0 * p) / 5.0, delta = (p - x) * (p - y) * (p - z);
    T dx = mean - x, dy = mean - y, dz = mean - z, sum = T(0);
    double far = fmax(fmax(size(dx), size(dy)), fmax(size(dz), size(mean - p)));
    double distance = far * pow(PRECISION / 5, -1.0 / 8), scale = 1;
    while (distance >= size(mean) && scale > 1e-300) {
        T a = root(x), b = root(y), c = root(z), h = root(p), lambda = a * b + a * c + b * c;
        T d = (h + a) * (h + b) * (h + c), e = delta * (scale * scale * scale) / (d * d);
        sum += scale / d * rc<T>(T(1), 1.0 + e);
        x = (x + lambda) * 0.25;
        y = (y + lambda) * 0.25;
        z = (z + lambda) * 0.25;
        p = (p + lambda) * 0.25;
        mean = (mean + lambda) * 0.25;
        distance *= 0.25;
        scale *= 0.25;
    }
    T X = dx * scale / mean, Y = dy * scale / mean, Z = dz * scale / mean, P = -(X + Y + Z) * 0.5, PP = P * P;
    T E2 = X * Y + X * Z + Y * Z - 3.0 * PP, XYZ = X * Y * Z;
    T series = last_series<T>(E2, XYZ + 2.0 * E2 * P + 4.0 * PP * P, (2.0 * XYZ + E2 * P + 3.0 * PP * P) * P, XYZ * PP);
    return scale * series / (mean * root(mean)) + 6.0 * sum;
}

// for p < 0 Cauchy's principal value, DLMF 19.20.14, at real x <= y <= z
template <class T> __device__ __noinline__ T rj(T x, T y, T z, T p) {
    if (is_nan(x) || is_nan(y) || is_nan(z) || is_nan(p) || is_on_cut(x) || is_on_cut(y) || is_on_cut(z)) return nan_of<T>();
    if (int(x == T(0)) + int(y == T(0)) + int(z == T(0)) > 1 || p == T(0)) return infinity_of<T>();
    if (is_infinite(x) || is_infinite(y) || is_infinite(z) || is_infinite(p)) return T(0);
    if (!is_on_cut(p)) return rj_sum<T>(x, y, z, p);
    if (imag(x) != 0 || imag(y) != 0 || imag(z) != 0) return nan_of<T>();
    double a = real(x), b = real(y), c = real(z), q = -real(p), t;
    if (a > b) { t = a; a = b; b = t; }
    if (b > c) { t = b; b = c; c = t; }
    if (a > b) { t = a; a = b; b = t; }
    double r = (c - b) * (b - a) / (b + q) + b, w = r * q;
    double total = (r - b) * rj_sum<double>(a, b, c, r) - 3 * rf<double>(a, b, c) + 3 * sqrt(a * b * c / (a * c + w)) * rc<double>(a * c + w, w);
    return T(total / (b + q));
}

// 2 R_G = z R_F - (x - z)(y - z) R_D / 3 + sqrt(x y / z), DLMF 19.21.10, whose terms are all positive for z in the middle
template <class T> __device__ __noinline__ T rg(T x, T y, T z) {
    if (is_nan(x) || is_nan(y) || is_nan(z) || is_on_cut(x) || is_on_cut(y) || is_on_cut(z)) return nan_of<T>();
    if (is_infinite(x) || is_infinite(y) || is_infinite(z)) return infinity_of<T>();
    T t;
    if (real(x) > real(y)) { t = x; x = y; y = t; }
    if (real(y) > real(z)) { t = y; y = z; z = t; }
    if (real(x) > real(y)) { t = x; x = y; y = t; }
    if (y == T(0)) return 0.5 * root(z);
    return 0.5 * (y * rf<T>(x, y, z) - (x - y) * (z - y) * rd<T>(x, z, y) / 3.0 + root(x) * root(z) / root(y));
}

} // namespace carlson
