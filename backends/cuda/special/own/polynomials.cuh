// Orthogonal polynomials, as scipy.special has them: of a degree that is a whole number by recurrences for differences
// of neighbours, which lose nothing at the end x = 1, DLMF 18.9; of other degrees by the hypergeometric function, 18.5.
#include <xsf/beta.h>
#include <xsf/binom.h>
#include <xsf/gamma.h>
#include <xsf/hyp2f1.h>

namespace polynomials {

typedef double_complex C;
__device__ inline double size(double x) { return fabs(x); }
__device__ inline double size(C z) { return hypot(z.real(), z.imag()); }

// beyond so many steps of a recurrence the hypergeometric function is shorter
__device__ inline bool is_whole(double n) { return n == floor(n) && fabs(n) < 1e6; }

template <class T> __device__ __noinline__ T jacobi(double n, double a, double b, T x) {
    if (!is_whole(n) || n < 0) return xsf::binom(n + a, n) * xsf::hyp2f1(-n, n + a + b + 1, a + 1, 0.5 * (1.0 - x));
    if (n == 0) return T(1);
    if (n == 1) return 0.5 * (2 * (a + 1) + (a + b + 2) * (x - 1.0));
    T d = (a + b + 2) * (x - 1.0) / (2 * (a + 1)), p = d + 1.0;
    for (double k = 1; k < n; k++) {
        double t = 2 * k + a + b;
        d = ((t * (t + 1) * (t + 2)) * (x - 1.0) * p + 2 * k * (k + b) * (t + 2) * d) / (2 * (k + a + 1) * (k + a + b + 1) * t);
        p = d + p;
    }
    return xsf::binom(n + a, n) * p;
}

template <class T> __device__ T sh_jacobi(double n, double p, double q, T x) {
    return jacobi<T>(n, p - q, q - 1, 2.0 * x - 1.0) / xsf::binom(2 * n + p - 1, n);
}

template <class T> __device__ __noinline__ T gegenbauer(double n, double a, T x) {
    if (isnan(a) || isnan(n)) return T(NAN);
    if (!is_whole(n) || (a == 0 && n > 1)) {
        double d = xsf::gamma(n + 2 * a) / xsf::gamma(1 + n) / xsf::gamma(2 * a);
        return d * xsf::hyp2f1(-n, n + 2 * a, a + 0.5, (1.0 - x) / 2.0);
    }
    if (n < 0) return T(0);
    if (n == 0) return T(1);
    if (n == 1) return 2 * a * x;
    if (size(x) < 1e-5) { // the power series
        double half = floor(n / 2);
        T d = T((fmod(half, 2.0) == 0 ? 1 : -1) / xsf::beta(a, 1 + half)), p = T(0);
        d *= n == 2 * half ? T(1 / (a + half)) : 2.0 * x;
        for (double k = 0; k <= half; k++) {
            p += d;
            d *= -4.0 * x * x * (half - k) * (-half + a + k + n) / ((n + 1 - 2 * half + 2 * k) * (n + 2 - 2 * half + 2 * k));
            if (size(d) == 1e-20 * size(p)) break;
        }
        return p;
    }
    T d = x - 1.0, p = x;
    for (double k = 1; k < n; k++) {
        d = (2 * (k + a) / (k + 2 * a)) * (x - 1.0) * p + (k / (k + 2 * a)) * d;
        p = d + p;
    }
    return fabs(a / n) < 1e-8 ? 2 * a / n * p : xsf::binom(n + 2 * a - 1, n) * p;
}

template <class T> __device__ __noinline__ T chebyt(double n, T x) {
    if (!is_whole(n)) return xsf::hyp2f1(-n, n, 0.5, 0.5 * (1.0 - x)) * 1.0;
    T b2 = T(0), b1 = T(-1), b0 = T(0);
    for (double k = 0; k <= fabs(n); k++) {
        b2 = b1;
        b1 = b0;
        b0 = 2.0 * x * b1 - b2;
    }
    return (b0 - b2) / 2.0;
}

template <class T> __device__ __noinline__ T chebyu(double n, T x) {
    if (!is_whole(n)) return (n + 1) * xsf::hyp2f1(-n, n + 2, 1.5, 0.5 * (1.0 - x));
    if (n == -1) return T(0);
    double sign = n < -1 ? -1 : 1;
    if (n < -1) n = -n - 2;
    T b2 = T(0), b1 = T(-1), b0 = T(0);
    for (double k = 0; k <= n; k++) {
        b2 = b1;
        b1 = b0;
        b0 = 2.0 * x * b1 - b2;
    }
    return b0 * sign;
}

template <class T> __device__ T chebyc(double n, T x) { return 2.0 * chebyt<T>(n, 0.5 * x); }
template <class T> __device__ T chebys(double n, T x) { return chebyu<T>(n, 0.5 * x); }
template <class T> __device__ T sh_chebyt(double n, T x) { return chebyt<T>(n, 2.0 * x - 1.0); }
template <class T> __device__ T sh_chebyu(double n, T x) { return chebyu<T>(n, 2.0 * x - 1.0); }

template <class T> __device__ __noinline__ T legendre(double n, T x) {
    if (!is_whole(n)) return xsf::hyp2f1(-n, n + 1, 1.0, 0.5 * (1.0 - x));
    if (n < 0) n = -n - 1;
    if (n == 0) return T(1);
    if (n == 1) return x;
    if (size(x) < 1e-5) { // the power series
        double half = floor(n / 2);
        T d = T(fmod(half, 2.0) == 0 ? 1 : -1), p = T(0);
        d *= n == 2 * half ? T(-2 / xsf::beta(half + 1, -0.5)) : 2.0 * x / xsf::beta(half + 1, 0.5);
        for (double k = 0; k <= half; k++) {
            p += d;
            d *= -2.0 * x * x * (half - k) * (2 * n + 1 - 2 * half + 2 * k) / ((n + 1 - 2 * half + 2 * k) * (n + 2 - 2 * half + 2 * k));
            if (size(d) == 1e-20 * size(p)) break;
        }
        return p;
    }
    T d = x - 1.0, p = x;
    for (double k = 1; k < n; k++) {
        d = ((2 * k + 1) / (k + 1)) * (x - 1.0) * p + (k / (k + 1)) * d;
        p = d + p;
    }
    return p;
}

template <class T> __device__ T sh_legendre(double n, T x) { return legendre<T>(n, 2.0 * x - 1.0); }

template <class T> __device__ __noinline__ T genlaguerre(double n, double a, T x) {
    if (a <= -1 || isnan(a)) return T(NAN);
    if (!is_whole(n)) return xsf::binom(n + a, n) * kummer::hyp1f1(-n, a + 1, x);
    if (n < 0) return T(0);
    if (n == 0) return T(1);
    if (n == 1) return a + 1 - x;
    T d = -x / (a + 1), p = d + 1.0;
    for (double k = 1; k < n; k++) {
        d = -x / (k + a + 1) * p + (k / (k + a + 1)) * d;
        p = d + p;
    }
    return xsf::binom(n + a, n) * p;
}

template <class T> __device__ T laguerre(double n, T x) { return genlaguerre<T>(n, 0, x); }

__device__ __noinline__ double hermitenorm(double n, double x) {
    if (isnan(x) || isnan(n) || n < 0) return isnan(x) ? x : NAN;
    if (n == 0) return 1;
    double y3 = 0, y2 = 1;
    for (double k = n; k > 1; k--) {
        double y1 = x * y2 - k * y3;
        y3 = y2;
        y2 = y1;
    }
    return x * y2 - y3;
}

__device__ inline double hermite(double n, double x) { return hermitenorm(n, M_SQRT2 * x) * pow(2.0, n / 2); }

} // namespace polynomials
