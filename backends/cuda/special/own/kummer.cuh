// Kummer's function M(a, b, x) of real numbers: its power series, DLMF 13.2.2, or that of exp(x) M(b - a, b, -x), 13.2.39,
// whichever cancels less, in double-double numbers or, where these are too short, in those of 1024 bits; far out the larger
// one of the two expansions, 13.7.1 and 13.7.2.
#include <xsf/cephes/dd_real.h>
#include <xsf/gamma.h>
#include <xsf/specfun.h>

namespace kummer {

typedef double_complex C;
typedef xsf::cephes::detail::double_double DD;
#define MOST_TERMS 20000

struct Sum {
    double value, loss; // the loss of digits is the largest term over the sum
    int exponent;       // the value is to be multiplied by 2**exponent
};

__device__ inline DD exact_sum(double a, double b) {
    double error, sum = xsf::cephes::detail::two_sum(a, b, &error);
    return DD(sum, error);
}

// x1, x2 of the first parameter x1 + x2, which need not be a double
__device__ __noinline__ Sum series(DD a, double b, double x) {
    DD term(1), total(1);
    double largest = 1, last = fmax(fmax(-a.hi, -b), 0.0) + 2;
    int exponent = 0;
    for (double k = 0; k < MOST_TERMS; k++) {
        DD above = (a + k) * x, below = exact_sum(b, k) * (k + 1);
        term = term * above / below;
        total = total + term;
        largest = fmax(largest, fabs(term.hi));
        if (term.hi == 0) return {total.hi, largest / fabs(total.hi), exponent};
        if (k > last && fabs(above.hi) < 0.5 * fabs(below.hi) && fabs(term.hi) < 1e-19 * fabs(total.hi)) {
            return {total.hi, largest / fabs(total.hi), exponent};
        }
        if (largest > 1e200) {
            term = DD(ldexp(term.hi, -600), ldexp(term.lo, -600));
            total = DD(ldexp(total.hi, -600), ldexp(total.lo, -600));
            largest = ldexp(largest, -600);
            exponent += 600;
        }
    }
    return {NAN, INFINITY, 0};
}

// how many terms of the series count to 1024 bits, and the binary logarithm of the largest; no terms, if they are too many
__device__ __noinline__ double terms_of(DD a, double b, double x, double &largest) {
    double last = fmax(fmax(-a.hi, -b), 0.0) + 2, log = 0;
    largest = 0;
    for (double k = 0; k < MOST_TERMS; k++) {
        double ratio = fabs((a.hi + k) * x / ((b + k) * (k + 1)));
        if (a.hi + k == 0 && a.lo == 0) return k + 1;
        log += log2(ratio);
        largest = fmax(largest, log);
        if (k > last && ratio < 0.5 && log < largest - 1030) return k + 1;
    }
    return 0;
}

// the series by Horner's rule as a quotient P / Q: P becomes B Q + A P and Q becomes B Q with A = (a + k) x, B = (b + k) (k + 1)
__device__ __noinline__ Sum long_series(DD a, double b, double x, double count, double largest) {
    long_numbers::Long p = long_numbers::one(), q = p;
    for (double k = count - 1; k >= 0; k--) {
        DD above = exact_sum(a.hi, k), below = exact_sum(b, k);
        double parts[3] = {above.hi, above.lo, a.lo};
        long_numbers::Long total = {}, t;
        total.is_zero = true;
        for (int i = 0; i < 3; i++) {
            if (parts[i] == 0) continue;
            t = p;
            long_numbers::multiply(t, parts[i]);
            long_numbers::add(total, t);
        }
        long_numbers::multiply(total, x);
        t = q;
        long_numbers::multiply(t, below.lo);
        long_numbers::multiply(q, below.hi);
        long_numbers::add(q, t);
        long_numbers::multiply(q, k + 1);
        p = q;
        long_numbers::add(p, total);
    }
    Sum sum = {0, 0, 0};
    sum.value = long_numbers::quotient(p, q, sum.exponent);
    sum.loss = largest - log2(fabs(sum.value)) - sum.exponent < 900 ? 0 : INFINITY;
    return sum;
}

__device__ inline double scaled(double value, double power, int exponent) { // value exp(power) 2**exponent
    if (exponent == 0 && fabs(power) < 700) return value * exp(power);
    double half = exp(power / 2 + (exponent / 2) * M_LN2);
    return value * half * half;
}

// gamma(b) / gamma(c) sum_n (p)_n (q)_n / n! y**-n times y**power exp(rise); NaN where the terms do not become small
__device__ __noinline__ double expansion(double b, double c, double p, double q, double y, double power, double rise) {
    double term = 1, total = 1, before = INFINITY;
    for (double n = 0; n < 200; n++) {
        term *= (p + n) * (q + n) / ((n + 1) * y);
        total += term;
        if (fabs(term) < 1e-17 * fabs(total)) {
            double size = xsf::gammaln(b) - xsf::gammaln(c) + power * log(y) + rise;
            double sign = xsf::gammasgn(b) * xsf::gammasgn(c), root = pow(y, power / 2) * exp(rise / 2);
            if (fabs(b) < 160 && fabs(c) < 160 && root > 1e-150 && root < 1e150) {
                return xsf::gamma(b) * xsf::rgamma(c) * total * root * root;
            }
            return sign * exp(size) * total;
        }
        if (n > 3 && fabs(term) > before) break;
        before = fabs(term);
    }
    return NAN;
}

__device__ inline bool is_pole(double x) { return x <= 0 && x == floor(x); }

// the smaller one of the two expansions over the larger one, as a logarithm, for y = |x| and the parameter `a` of exp(y)
__device__ inline double recessive(double a, double b, double y) {
    return (b - 2 * a) * log(y) + xsf::gammaln(a) - xsf::gammaln(b - a) - y;
}

__device__ __noinline__ double hyp1f1(double a, double b, double x) {
    if (isnan(a) || isnan(b) || isnan(x)) return NAN;
    if (is_pole(b) && !(is_pole(a) && a >= b)) return INFINITY;
    if (x == 0 || a == 0) return 1;
    if (isinf(a) || isinf(b) || isinf(x)) return xsf::hyp1f1(a, b, x);
    if (a == b && !is_pole(b)) return exp(x);
    double y = fabs(x);
    bool ends = is_pole(a);
    DD difference = exact_sum(b, -a);
    double c = difference.hi, grown = x > 0 ? a : c;
    if (y > 30 && !ends && !is_pole(c) && recessive(grown, b, y) < -40) {
        double w = x > 0 ? expansion(b, a, 1 - a, c, y, a - b, x) : expansion(b, c, a, 1 - c, y, -a, 0);
        if (!isnan(w)) return w;
    }
    Sum direct = {NAN, INFINITY, 0}, other = direct;
    if (x > 0 || ends) direct = series(DD(a), b, x);
    if (!(direct.loss < 1e12)) other = series(difference, b, -x);
    if (!(direct.loss < 1e12) && !(other.loss < 1e12) && x < 0 && !ends) direct = series(DD(a), b, x);
    if (!(direct.loss < 1e14) && !(other.loss < 1e14)) {
        double first, second, count = terms_of(DD(a), b, x, first), counted = terms_of(difference, b, -x, second);
        bool is_direct = counted == 0 || (count > 0 && first <= second + x * M_LOG2E);
        direct = is_direct ? long_series(DD(a), b, x, count, first) : long_series(difference, b, -x, counted, second);
        if ((is_direct ? count : counted) == 0 || isinf(direct.loss)) return NAN;
        return scaled(direct.value, is_direct ? 0 : x, direct.exponent);
    }
    return direct.loss <= other.loss ? scaled(direct.value, 0, direct.exponent) : scaled(other.value, x, other.exponent);
}

__device__ inline C hyp1f1(double a, double b, C z) { return xsf::hyp1f1(a, b, z); }

} // namespace kummer
