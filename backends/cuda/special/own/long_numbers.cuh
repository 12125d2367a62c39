// Floating-point numbers of 1024 bits, which add and are multiplied by doubles: for sums that cancel.
#pragma once
#include <xsf/config.h>

namespace long_numbers {

#define LIMBS 32

// +-sum_i m[i] 2**(32 (i + e)), whose last limb is not 0 unless the number is
struct Long {
    unsigned m[LIMBS];
    int e;
    bool is_negative, is_zero;
};

__device__ inline void normalize(Long &x) {
    int top = LIMBS - 1;
    while (top >= 0 && x.m[top] == 0) top--;
    x.is_zero = top < 0;
    int shift = LIMBS - 1 - top;
    if (x.is_zero || shift == 0) return;
    for (int i = LIMBS - 1; i >= 0; i--) x.m[i] = i >= shift ? x.m[i - shift] : 0;
    x.e -= shift;
}

// the product by +-(d[0] + d[1] 2**32 + d[2] 2**64) 2**(32 shift)
__device__ __noinline__ void multiply(Long &x, double factor) {
    if (factor == 0) x.is_zero = true;
    if (x.is_zero) return;
    int q;
    unsigned long long whole = (unsigned long long)ldexp(std::frexp(fabs(factor), &q), 53);
    q -= 53;
    int shift = q >= 0 ? q / 32 : -((31 - q) / 32), rest = q - 32 * shift;
    unsigned long long low = (whole & 0xffffffffULL) << rest, high = (whole >> 32) << rest;
    unsigned d[3] = {(unsigned)low, (unsigned)(high + (low >> 32)), (unsigned)((high + (low >> 32)) >> 32)};
    unsigned product[LIMBS + 3] = {};
    for (int j = 0; j < 3; j++) {
        unsigned long long carry = 0;
        for (int i = 0; i < LIMBS; i++) {
            carry += (unsigned long long)x.m[i] * d[j] + product[i + j];
            product[i + j] = (unsigned)carry;
            carry >>= 32;
        }
        product[LIMBS + j] = (unsigned)carry;
    }
    int top = LIMBS + 2;
    while (product[top] == 0) top--;
    for (int i = 0; i < LIMBS; i++) x.m[i] = product[top - (LIMBS - 1) + i];
    x.e += shift + top - (LIMBS - 1);
    x.is_negative = x.is_negative != (factor < 0);
}

__device__ inline bool is_less(const Long &x, const Long &y) {
    if (x.e != y.e) return x.e < y.e;
    for (int i = LIMBS - 1; i >= 0; i--) {
        if (x.m[i] != y.m[i]) return x.m[i] < y.m[i];
    }
    return false;
}

__device__ __noinline__ void add(Long &x, Long y) {
    if (y.is_zero) return;
    if (x.is_zero || is_less(x, y)) {
        Long t = x;
        x = y;
        y = t;
    }
    if (y.is_zero) return;
    int k = x.e - y.e;
    bool differ = x.is_negative != y.is_negative;
    long long carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        long long other = i + k < LIMBS ? y.m[i + k] : 0;
        carry += (long long)x.m[i] + (differ ? -other : other);
        x.m[i] = (unsigned)carry;
        carry >>= 32;
    }
    if (carry > 0) {
        for (int i = 0; i < LIMBS - 1; i++) x.m[i] = x.m[i + 1];
        x.m[LIMBS - 1] = (unsigned)carry;
        x.e++;
    } else {
        normalize(x);
    }
}

__device__ inline Long one() {
    Long x = {};
    x.m[LIMBS - 1] = 1;
    x.e = 1 - LIMBS;
    return x;
}

// x / y, a double times 2**exponent
__device__ inline double quotient(const Long &x, const Long &y, int &exponent) {
    if (x.is_zero) return 0;
    double u = 0, v = 0;
    for (int i = LIMBS - 1; i >= LIMBS - 4; i--) {
        u = u * 4294967296.0 + x.m[i];
        v = v * 4294967296.0 + y.m[i];
    }
    exponent = 32 * (x.e - y.e);
    return (x.is_negative == y.is_negative ? 1 : -1) * (u / v);
}

} // namespace long_numbers
