// Distribution functions that xsf has not: noncentral ones as Poisson mixtures of the central ones, whose terms are all
// positive, summed from the largest outwards; Student's; and inverses in one argument by bracketing and Chandrupatla.
#include <xsf/stats.h>
#include <xsf/gamma.h>
#include <xsf/cephes/incbet.h>
#include <xsf/cephes/incbi.h>
#include <xsf/cephes/unity.h>
#include <xsf/tools.h>

namespace mixtures {

#define NEGLIGIBLE 1e-18

// Poisson's probability exp(-m) m**j / gamma(j + 1) times sqrt(2 pi j), of a real j = m (1 + t) >= 16, by Stirling's
// series, DLMF 5.11.1: exp(-m ((1 + t) log(1 + t) - t) - 1/(12 j) + 1/(360 j**3) - ..)
__device__ inline double scaled_weight(double m, double t) {
    double r = 1 / (m * (1 + t)), s = r * r, stirling = r * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s / 1680)));
    return exp(-m * ((1 + t) * xsf::cephes::log1pmx(t) + t * t) - stirling);
}

// the sum of w(j) f(j) over a Poisson distribution w of a large mean m is the integral over j but for exp(-2 pi**2 var),
// and with j = q**2 the trapezoidal rule of step 1/10: the standard deviation of q is 1/2
template <class F> __device__ double poisson_integral(double m, F f) {
    double root = sqrt(m), sum = 0, step = 0.1;
    for (double side = -1; side <= 1; side += 2) {
        for (double k = side < 0 ? 1 : 0; k < 400; k++) {
            double u = side * k * step, t = u * (2 * root + u) / m, w = 1 + t > 0 ? scaled_weight(m, t) : 0;
            if (w == 0) break;
            double term = w * f(m * (1 + t));
            sum += term;
            if (w < NEGLIGIBLE && term <= NEGLIGIBLE * sum) break;
        }
    }
    return sum * step * sqrt(M_2_PI);
}

// the sum of w(j) f(j) over a Poisson distribution w of mean m, by its weights
template <class F> __device__ double poisson(double m, F f) {
    if (m > 2000) return poisson_integral(m, f);
    double middle = floor(m), sum = 0;
    double weight = m < 16 ? (m == 0 ? 1 : exp(middle * log(m) - m - xsf::cephes::lgam(middle + 1)))
                           : scaled_weight(m, (middle - m) / m) / sqrt(2 * M_PI * middle);
    double w = weight;
    for (double j = middle; j < middle + 20000; j++) {
        double term = w * f(j);
        sum += term;
        w *= m / (j + 1);
        if (w < NEGLIGIBLE * weight && term <= NEGLIGIBLE * sum) break;
        if (term == 0 && j > middle + 50) break;
    }
    w = weight;
    for (double j = middle; j > 0; j--) {
        w *= j / m;
        double term = w * f(j - 1);
        sum += term;
        if (w < NEGLIGIBLE * weight && term <= NEGLIGIBLE * sum) break;
    }
    return sum;
}

__device__ __noinline__ double chi_squared(double x, double k, double nc) {
    if (isnan(x) || isnan(k) || isnan(nc)) return NAN;
    if (x < 0 || k < 0 || nc < 0 || isinf(nc)) return NAN;
    if (isinf(x)) return 1;
    if (x == 0) return 0;
    if (nc == 0) return xsf::cephes::igam(k / 2, x / 2);
    if (x > k + nc) return 1 - poisson(nc / 2, [=](double j) { return xsf::cephes::igamc(k / 2 + j, x / 2); });
    return poisson(nc / 2, [=](double j) { return xsf::cephes::igam(k / 2 + j, x / 2); });
}

__device__ __noinline__ double noncentral_f(double m, double n, double nc, double f) {
    if (isnan(m) || isnan(n) || isnan(nc) || isnan(f) || m <= 0 || n <= 0 || nc < 0 || f < 0) return NAN;
    if (f == 0) return 0;
    if (isinf(f)) return 1;
    double x = m * f / (m * f + n), y = n / (m * f + n);
    if (nc == 0) return xsf::cephes::incbet(m / 2, n / 2, x);
    if (m * f > m + nc) return 1 - poisson(nc / 2, [=](double j) { return xsf::cephes::incbet(n / 2, m / 2 + j, y); });
    return poisson(nc / 2, [=](double j) { return xsf::cephes::incbet(m / 2 + j, n / 2, x); });
}

__device__ __noinline__ double student(double n, double t) {
    if (isnan(n) || isnan(t) || n <= 0) return NAN;
    if (isinf(n) || isinf(t)) return isinf(t) ? (t > 0 ? 1 : 0) : xsf::ndtr(t);
    double square = t * t;
    if (square < n) {
        double half = 0.5 * xsf::cephes::incbet(0.5, n / 2, square / (n + square));
        return t < 0 ? 0.5 - half : 0.5 + half;
    }
    double tail = 0.5 * xsf::cephes::incbet(n / 2, 0.5, n / (n + square));
    return t < 0 ? tail : 1 - tail;
}

__device__ __noinline__ double student_inverse(double n, double p) {
    if (isnan(n) || isnan(p) || n <= 0 || p < 0 || p > 1) return NAN;
    if (p == 0 || p == 1) return p == 0 ? -INFINITY : INFINITY;
    if (isinf(n)) return xsf::ndtri(p);
    double t;
    if (0.25 < p && p < 0.75) {
        double z = xsf::cephes::incbi(0.5, n / 2, fabs(1 - 2 * p));
        t = sqrt(n * z / (1 - z));
    } else {
        double z = xsf::cephes::incbi(n / 2, 0.5, 2 * fmin(p, 1 - p));
        t = sqrt(n / z - n);
    }
    return p < 0.5 ? -t : t;
}

// gamma(j + 1) / gamma(j + 3/2), for large j by DLMF 5.11.14 about z = j + 3/4
__device__ inline double gamma_quotient(double j) {
    if (j < 100) return exp(xsf::cephes::lgam(j + 1) - xsf::cephes::lgam(j + 1.5));
    double z = j + 0.75, s = 1 / (z * z);
    return 1 / (sqrt(z) * (1 + s * (1.0 / 64 - s * (19.0 / 8192 - s * (631.0 / 524288)))));
}

// for t > 0 a mixture over the squares' distribution and one of half-integers, Johnson, Kotz and Balakrishnan 31.5
__device__ __noinline__ double noncentral_t(double n, double d, double t) {
    if (isnan(n) || isnan(d) || isnan(t) || n <= 0) return NAN;
    if (isinf(t)) return t > 0 ? 1 : 0;
    if (d == 0) return student(n, t);
    bool is_reflected = t < 0;
    if (is_reflected) {
        t = -t;
        d = -d;
    }
    double square = t * t, x = square / (n + square), y = n / (n + square), m = d * d / 2;
    double ratio = d / M_SQRT2; // q_j / p_j = (d / sqrt 2) Gamma(j + 1) / Gamma(j + 3/2)
    double sum = 0.5 * poisson(m, [=](double j) {
        double q = ratio * gamma_quotient(j);
        return xsf::cephes::incbet(j + 0.5, n / 2, x) + q * xsf::cephes::incbet(j + 1, n / 2, x);
    });
    double below = xsf::ndtr(-d) + sum;
    if (!is_reflected && below < 0.5) return below;
    double tail = 0.5 * poisson(m, [=](double j) {
        double q = ratio * gamma_quotient(j);
        return xsf::cephes::incbet(n / 2, j + 0.5, y) + q * xsf::cephes::incbet(n / 2, j + 1, y);
    });
    return is_reflected ? tail : 1 - tail;
}

__device__ inline double beta_complement(double a, double b, double x) {
    double p = xsf::cephes::incbet(a, b, x);
    return p < 0.9 ? 1 - p : xsf::cephes::incbet(b, a, 1 - x);
}

__device__ inline double beta_inverse(double a, double b, double p) {
    return p >= 0 && p <= 1 ? xsf::cephes::incbi(a, b, p) : NAN;
}

__device__ inline double beta_complement_inverse(double a, double b, double p) {
    if (!(p >= 0 && p <= 1)) return NAN;
    double y = xsf::cephes::incbi(b, a, p);
    return y < 0.5 ? 1 - y : xsf::cephes::incbi(a, b, 1 - p);
}

// for real k and n: beyond k = n all is below
__device__ inline double binomial(double k, double n, double p) {
    return k >= n ? 1 : xsf::cephes::incbet(n - k, k + 1, 1 - p);
}

__device__ inline double negative_binomial(double k, double n, double p) { return xsf::cephes::incbet(n, k + 1, p); }

// the u > 0 with f(u) = 0 for a monotone f: doublings and halvings until the sign changes, then Chandrupatla's method;
// NaN if there is none between the bounds, beyond which f may have no right digit
template <class F> __device__ double positive_root(F f, double least = 1e-300, double most = 1e300) {
    double at_1 = f(1.0);
    if (at_1 == 0 || isnan(at_1)) return at_1 == 0 ? 1 : NAN;
    double u[2] = {1, 1}, at_u[2] = {at_1, at_1};
    bool goes_on[2] = {true, true};
    for (int k = 0; goes_on[0] || goes_on[1]; k++) {
        int i = k % 2;
        if (!goes_on[i]) continue;
        double next = i == 0 ? 2 * u[i] : 0.5 * u[i], at_next = f(next);
        if (at_next == 0 || (at_next > 0) != (at_u[i] > 0)) {
            if (!isnan(at_next)) return xsf::detail::find_root_chandrupatla(f, u[i], next, at_u[i], at_next, 1.2e-16, 0, 200).first;
        }
        goes_on[i] = !isnan(at_next) && next > least && next < most && !(k > 120 && at_next == at_u[i]);
        u[i] = next;
        at_u[i] = at_next;
    }
    return NAN;
}

// of the numbers of degrees of freedom and the like
template <class F> __device__ double moderate_root(F f) { return positive_root(f, 1e-12, 1e9); }

// the same for a u of any sign
template <class F> __device__ double real_root(F f) {
    double at_0 = f(0.0);
    if (at_0 == 0) return 0;
    double up = 1;
    for (int k = 0; k < 1000; k++, up *= 2) {
        double at_up = f(up), at_down = f(-up);
        if (isnan(at_up) && isnan(at_down)) break;
        if ((at_up > 0) != (at_0 > 0)) return positive_root(f);
        if ((at_down > 0) != (at_0 > 0)) return -positive_root([=](double u) { return f(-u); });
    }
    return NAN;
}

#define INVERSE(name, a, b, value, p)                                                                                  \
    __device__ __noinline__ double name(double a, double b, double p) {                                                \
        if (isnan(a) || isnan(b) || isnan(p) || p < 0 || p > 1) return NAN;                                            \
        return positive_root([=](double u) { return value - p; });                                                     \
    }
INVERSE(beta_a, b, x, xsf::cephes::incbet(u, b, x), p)
INVERSE(beta_b, a, x, xsf::cephes::incbet(a, u, x), p)
INVERSE(chi_squared_x, k, nc, chi_squared(u, k, nc), p)
INVERSE(chi_squared_k, x, nc, chi_squared(x, u, nc), p)
INVERSE(chi_squared_nc, x, k, chi_squared(x, k, u), p)
#undef INVERSE

__device__ __noinline__ double chi_squared_central(double p, double x) {
    if (isnan(x) || isnan(p) || p < 0 || p > 1) return NAN;
    return positive_root([=](double u) { return xsf::cephes::igam(u / 2, x / 2) - p; });
}

__device__ __noinline__ double student_n(double p, double t) {
    if (isnan(t) || isnan(p) || p < 0 || p > 1) return NAN;
    return moderate_root([=](double u) { return student(u, t) - p; });
}

__device__ __noinline__ double poisson_k(double p, double m) {
    if (isnan(m) || isnan(p) || p < 0 || p > 1) return NAN;
    if (exp(-m) >= p) return 0;
    return positive_root([=](double u) { return xsf::cephes::igamc(u + 1, m) - p; });
}

// k and n of the binomial distributions: NaN where no number gives p, and the end where the distribution jumps there
__device__ inline bool has_probabilities(double a, double b, double c) {
    return !isnan(a) && b >= 0 && b <= 1 && c >= 0 && c <= 1;
}

__device__ __noinline__ double binomial_k(double y, double n, double p) {
    if (!has_probabilities(n, y, p) || n <= 0) return NAN;
    if (y == 1 || binomial(0, n, p) >= y) return y == 1 ? n : 0;
    return moderate_root([=](double u) { return binomial(u, n, p) - y; });
}

__device__ __noinline__ double binomial_n(double k, double y, double p) {
    if (!has_probabilities(k, y, p) || k < 0 || y == 0) return NAN;
    if (y == 1) return k;
    return moderate_root([=](double u) { return binomial(k, u, p) - y; });
}

__device__ __noinline__ double negative_binomial_k(double y, double n, double p) {
    if (!has_probabilities(n, y, p) || n <= 0 || y == 1) return NAN;
    if (negative_binomial(0, n, p) >= y) return 0;
    return moderate_root([=](double u) { return negative_binomial(u, n, p) - y; });
}

__device__ __noinline__ double negative_binomial_n(double k, double y, double p) {
    if (!has_probabilities(k, y, p) || k < 0 || y == 0 || y == 1) return NAN;
    return moderate_root([=](double u) { return negative_binomial(k, u, p) - y; });
}

#define INVERSE_F(name, a, b, m, n, nc)                                                                                \
    __device__ __noinline__ double name(double a, double b, double p, double f) {                                      \
        if (isnan(a) || isnan(b) || isnan(p) || isnan(f) || p < 0 || p > 1) return NAN;                                \
        return moderate_root([=](double u) { return noncentral_f(m, n, nc, f) - p; });                                 \
    }
INVERSE_F(noncentral_f_m, n, nc, u, n, nc)
INVERSE_F(noncentral_f_n, m, nc, m, u, nc)
INVERSE_F(noncentral_f_nc, m, n, m, n, u)
#undef INVERSE_F

__device__ __noinline__ double noncentral_t_n(double p, double d, double t) {
    if (isnan(d) || isnan(t) || isnan(p) || p < 0 || p > 1) return NAN;
    return moderate_root([=](double u) { return noncentral_t(u, d, t) - p; });
}

__device__ __noinline__ double noncentral_t_d(double n, double p, double t) {
    if (isnan(n) || isnan(p) || isnan(t) || n <= 0 || p < 0 || p > 1) return NAN;
    return real_root([=](double u) { return noncentral_t(n, u, t) - p; });
}

__device__ __noinline__ double noncentral_f_inverse(double m, double n, double nc, double p) {
    if (isnan(m) || isnan(n) || isnan(nc) || isnan(p) || m <= 0 || n <= 0 || nc < 0 || p < 0 || p > 1) return NAN;
    if (p == 0 || p == 1) return p == 0 ? 0 : INFINITY;
    return positive_root([=](double u) { return noncentral_f(m, n, nc, u) - p; });
}

__device__ __noinline__ double noncentral_t_inverse(double n, double d, double p) {
    if (isnan(n) || isnan(d) || isnan(p) || n <= 0 || p < 0 || p > 1) return NAN;
    if (p == 0 || p == 1) return p == 0 ? -INFINITY : INFINITY;
    return real_root([=](double u) { return noncentral_t(n, d, u) - p; });
}

} // namespace mixtures
