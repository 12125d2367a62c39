// The confluent hypergeometric limit function 0F1(; v; z) by Bessel functions, DLMF 10.16.9 and 10.39.9, where these
// overflow by their uniform expansions in the order, 10.41.3.
#include <xsf/bessel.h>
#include <xsf/gamma.h>

namespace limit_function {

typedef double_complex C;

__device__ __noinline__ double expansion(double v, double z) {
    double arg = sqrt(z), n = fabs(v - 1), x = 2 * arg / n, p = sqrt(1 + x * x);
    double eta = p + log(x) - log1p(p), half = -0.5 * log(p) - 0.5 * log(2 * M_PI * n) + xsf::gammaln(v);
    double s = 1 / p, s2 = s * s, s4 = s2 * s2, sign = xsf::gammasgn(v);
    double u1 = (3 - 5 * s2) * s / 24 / n, u2 = (81 - 462 * s2 + 385 * s4) * s2 / 1152 / (n * n);
    double u3 = (30375 - 369603 * s2 + 765765 * s4 - 425425 * s2 * s4) * s * s2 / 414720 / (n * n * n);
    double w = exp(half + n * eta - n * log(arg)) * sign * (1 + u1 + u2 + u3);
    if (v < 1) w += exp(half - n * eta + n * log(arg)) * sign * 2 * xsf::sinpi(n) * (1 - u1 + u2 - u3);
    return w;
}

__device__ __noinline__ double hyp0f1(double v, double z) {
    if (v <= 0 && v == floor(v)) return NAN;
    if (z == 0) return 1;
    if (fabs(z) < 1e-6 * (1 + fabs(v))) return 1 + z / v + z * z / (2 * v * (v + 1));
    if (z < 0) {
        double arg = sqrt(-z);
        return pow(arg, 1 - v) * xsf::gamma(v) * xsf::cyl_bessel_j(v - 1, 2 * arg);
    }
    double arg = sqrt(z), power = (1 - v) * log(arg) + xsf::gammaln(v), w = xsf::cyl_bessel_i(v - 1, 2 * arg);
    if (power > 709.78 || power < -708.4 || w == 0 || isinf(w)) return expansion(v, z);
    return exp(power) * xsf::gammasgn(v) * w;
}

__device__ __noinline__ C hyp0f1(double v, C z) {
    if (v <= 0 && v == floor(v)) return C(NAN, NAN);
    if (z == C(0)) return C(1);
    if (std::abs(z) < 1e-6 * (1 + fabs(v))) return 1.0 + z / v + z * z / (2 * v * (v + 1));
    C arg = std::sqrt(z.real() > 0 ? z : -z);
    C w = z.real() > 0 ? xsf::cyl_bessel_i(v - 1, 2.0 * arg) : xsf::cyl_bessel_j(v - 1, 2.0 * arg);
    return w * xsf::gamma(v) * std::pow(arg, C(1 - v));
}

} // namespace limit_function
