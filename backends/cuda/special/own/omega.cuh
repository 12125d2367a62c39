// Wright's omega function, the solution w of w + log(w) = z, by algorithm 917 of the ACM's collection (Lawrence,
// Corless, Jeffrey): series in seven regions, then steps of Fritsch, Shafer and Crowley. Also expm1(y log x).
#include <xsf/config.h>

namespace omega {

typedef double_complex C;

// a step of fourth order for w with the residual r, and 1 + w as `one`
template <class T> __device__ T step(T r, T one) {
    T t = 2.0 * one * (one + 2.0 / 3.0 * r);
    return r / one * (t - r) / (t - 2.0 * r);
}

__device__ __noinline__ double wright(double x) {
    if (isnan(x) || x > 1e20) return x;
    if (x < -50) return exp(x);
    double w = x < -2 ? exp(x) : x < 1 ? exp(2 * (x - 1) / 3) : log(x);
    if (x >= 1) w = x - w;
    for (int k = 0; k < 2; k++) w *= 1 + step<double>(x - w - log(w), w + 1);
    return w;
}

__device__ __noinline__ C wright(C z) {
    const C I(0, 1);
    double x = z.real(), y = z.imag();
    if (isnan(x) || isnan(y)) return C(NAN, NAN);
    if (isinf(x) && x < 0 && -M_PI < y && y <= M_PI) {
        double re = fabs(y) <= M_PI / 2 ? 0.0 : -0.0, im = y >= 0 ? 0.0 : -0.0;
        return C(re, im);
    }
    if (isinf(x) || isinf(y)) return z;
    if (x == -1 && fabs(y) == M_PI) return C(-1, 0);
    C w, p, t;
    if (-2 < x && x <= 1 && 1 < y && y < 2 * M_PI) {
        p = conj(std::sqrt(conj(2.0 * (z + 1.0 - I * M_PI))));
        w = -1.0 + (I + (1.0 / 3 + (-1.0 / 36 * I + (1.0 / 270 + 1.0 / 4320 * I * p) * p) * p) * p) * p;
    } else if (-2 < x && x <= 1 && -2 * M_PI < y && y < -1) {
        p = conj(std::sqrt(conj(2.0 * (z + 1.0 + I * M_PI))));
        w = -1.0 + (-I + (1.0 / 3 + (1.0 / 36 * I + (1.0 / 270 - 1.0 / 4320 * I * p) * p) * p) * p) * p;
    } else if (x <= -2 && -M_PI < y && y <= M_PI) {
        p = std::exp(z);
        if (p == C(0)) return p;
        w = (1.0 + (-1.0 + (1.5 + (-8.0 / 3 + 125.0 / 24 * p) * p) * p) * p) * p;
    } else if ((-2 < x && x <= 1 && -1 <= y && y <= 1) || (x > 1 && (x - 1) * (x - 1) + y * y <= M_PI * M_PI)) {
        p = z - 1.0;
        w = 0.5 + 0.5 * z + (1.0 / 16 + (-1.0 / 192 + (-1.0 / 3072 + 13.0 / 61440 * p) * p) * p) * p * p;
    } else {
        bool is_above = x <= -1.05 && M_PI < y && y - M_PI <= -0.75 * (x + 1);
        bool is_below = x <= -1.05 && 0.75 * (x + 1) < y + M_PI && y + M_PI <= 0;
        t = is_above ? z - I * M_PI : is_below ? z + I * M_PI : z;
        p = std::log(is_above || is_below ? -t : t);
        w = ((1.0 + (-1.5 + 1.0 / 3 * p) * p) * p + ((-1.0 + 0.5 * p) * p + (p + (-p + t) * t) * t) * t) / (t * t * t);
    }
    double sign = 1; // near the cut w solves w + log(-w) = z -+ i pi, with a small imaginary part that is not rounded
    if (x <= -0.99 && (fabs(y - M_PI) <= 1e-2 || fabs(y + M_PI) <= 1e-2)) {
        sign = -1;
        z = fabs(y - M_PI) <= 1e-2 ? C(x, (y - M_PI) - 1.2246467991473532e-16) : C(x, (y + M_PI) + 1.2246467991473532e-16);
    }
    w = sign * w;
    for (int k = 0; k < 2; k++) {
        C r = z - sign * w - std::log(w), one = sign * w + 1.0;
        w = w * (1.0 + step<C>(r, one));
    }
    return sign * w;
}

__device__ inline double powm1(double x, double y) {
    if (x > 0 && (fabs(y * (x - 1)) < 0.5 || fabs(y) < 0.2)) {
        double l = y * log(x);
        if (l < 0.5) return expm1(l);
    }
    if (x < 0 && y != trunc(y)) return NAN;
    if (x < 0 && trunc(y / 2) == y / 2) return powm1(-x, y);
    return pow(x, y) - 1;
}

} // namespace omega
