// Numbers, and what the 32 threads of a warp do together.  A warp works on one matrix: all threads take the same
// decisions from the same elements, and share the elements of a row, a column or a block among them.
// `T` is the type of an element, `R` that of its parts; both are defined in front of this file.
#pragma once

#define INFINITY __int_as_float(0x7f800000)
#define EVERY __device__ __forceinline__
#define LANE (int(threadIdx.x))
#define SHARE(i, first, end) for (int i = (first) + LANE; i < (end); i += 32)  // the threads take turns
#define TOGETHER __syncwarp()

template <class F> struct cx {
    F x, y;
    EVERY cx() {}
    EVERY cx(F a) : x(a), y(0) {}
    EVERY cx(F a, F b) : x(a), y(b) {}
    EVERY cx& operator+=(cx b) { x += b.x; y += b.y; return *this; }
    EVERY cx& operator-=(cx b) { x -= b.x; y -= b.y; return *this; }
};
template <class F> EVERY cx<F> operator+(cx<F> a, cx<F> b) { return cx<F>(a.x + b.x, a.y + b.y); }
template <class F> EVERY cx<F> operator-(cx<F> a, cx<F> b) { return cx<F>(a.x - b.x, a.y - b.y); }
template <class F> EVERY cx<F> operator-(cx<F> a) { return cx<F>(-a.x, -a.y); }
template <class F> EVERY cx<F> operator*(cx<F> a, cx<F> b) { return cx<F>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
template <class F> EVERY cx<F> operator*(F a, cx<F> b) { return cx<F>(a * b.x, a * b.y); }
template <class F> EVERY cx<F> operator*(cx<F> b, F a) { return cx<F>(a * b.x, a * b.y); }
template <class F> EVERY cx<F> operator/(cx<F> a, F b) { return cx<F>(a.x / b, a.y / b); }
template <class F> EVERY bool operator==(cx<F> a, cx<F> b) { return a.x == b.x && a.y == b.y; }
template <class F> EVERY bool operator!=(cx<F> a, cx<F> b) { return !(a == b); }
template <class F> EVERY cx<F> operator/(cx<F> a, cx<F> b) {  // R. L. Smith, CACM 5 (1962) 435
    if (fabs(b.x) >= fabs(b.y)) {
        F r = b.y / b.x, d = b.x + b.y * r;
        return cx<F>((a.x + a.y * r) / d, (a.y - a.x * r) / d);
    }
    F r = b.x / b.y, d = b.x * r + b.y;
    return cx<F>((a.x * r + a.y) / d, (a.y * r - a.x) / d);
}

EVERY float conj(float a) { return a; }
EVERY double conj(double a) { return a; }
template <class F> EVERY cx<F> conj(cx<F> a) { return cx<F>(a.x, -a.y); }
EVERY float re(float a) { return a; }
EVERY double re(double a) { return a; }
template <class F> EVERY F re(cx<F> a) { return a.x; }
EVERY float im(float) { return 0; }
EVERY double im(double) { return 0; }
template <class F> EVERY F im(cx<F> a) { return a.y; }
EVERY float modulus(float a) { return fabsf(a); }
EVERY double modulus(double a) { return fabs(a); }
EVERY float modulus(cx<float> a) { return hypotf(a.x, a.y); }
EVERY double modulus(cx<double> a) { return hypot(a.x, a.y); }
EVERY float norm1(float a) { return fabsf(a); }
EVERY double norm1(double a) { return fabs(a); }
template <class F> EVERY F norm1(cx<F> a) { return fabs(a.x) + fabs(a.y); }
// The same, infinite where it is NaN: so that all threads find the same largest one.
template <class V> EVERY R measure(V a) { R x = norm1(a); return x == x ? x : R(INFINITY); }
EVERY R square(R a) { return a * a; }
template <class F> EVERY F square(cx<F> a) { return a.x * a.x + a.y * a.y; }  // the squared modulus
EVERY R larger(R a, R b) { return a > b ? a : b; }
EVERY R smaller(R a, R b) { return a < b ? a : b; }
template <class F> EVERY F sign(F a, F b) { return copysign(a, b); }
EVERY float root(float a) { return sqrtf(a); }
EVERY double root(double a) { return sqrt(a); }
template <class F> EVERY cx<F> root(cx<F> a) {  // the principal square root
    if (a.x == 0 && a.y == 0) return cx<F>(0, a.y);
    F m = larger(fabs(a.x), fabs(a.y)), scale = m > F(1e30) ? F(0.0625) : m < F(1e-30) ? F(1073741824) * F(1073741824) : 1;
    F x = a.x * scale, y = a.y * scale, r = root((fabs(x) + F(modulus(cx<F>(x, y)))) / 2), s = root(scale);
    return x >= 0 ? cx<F>(r / s, y / (2 * r) / s) : cx<F>(fabs(y) / (2 * r) / s, sign(r, y) / s);
}

EVERY float eps_of(float) { return 5.9604645e-8f; }  // LAPACK's: half the distance from 1 to the next number
EVERY double eps_of(double) { return 1.1102230246251565e-16; }
EVERY float tiny_of(float) { return 1.17549435e-38f; }
EVERY double tiny_of(double) { return 2.2250738585072014e-308; }

// Sums are those of a tree: the same on every thread and in every run.
EVERY float from(float a, int lane) { return __shfl_xor_sync(0xffffffffu, a, lane); }
EVERY double from(double a, int lane) { return __shfl_xor_sync(0xffffffffu, a, lane); }
EVERY int from(int a, int lane) { return __shfl_xor_sync(0xffffffffu, a, lane); }
template <class F> EVERY cx<F> from(cx<F> a, int lane) { return cx<F>(from(a.x, lane), from(a.y, lane)); }
template <class V> EVERY V sum_of_all(V a) {
    for (int k = 16; k; k /= 2) a = a + from(a, k);
    return a;
}
template <class V> EVERY V largest_of_all(V a) {
    for (int k = 16; k; k /= 2) { V b = from(a, k); a = b > a ? b : a; }
    return a;
}
// The largest value, and the lowest index that has it.
EVERY int index_of_largest(R value, int index) {
    for (int k = 16; k; k /= 2) {
        R other = from(value, k);
        int there = from(index, k);
        if (other > value || (other == value && there < index)) { value = other; index = there; }
    }
    return index;
}

// A matrix in memory, row after row.
template <class V> struct Matrix {
    V* p;
    int ld;
    EVERY Matrix(V* p, int ld) : p(p), ld(ld) {}
    EVERY V& operator()(int i, int j) const { return p[(long long)i * ld + j]; }
};
EVERY long long item() { return blockIdx.x; }
EVERY T* item_of(T* a, long long size) { return a + item() * size; }
EVERY const T* item_of(const T* a, long long size) { return a + item() * size; }
EVERY int* item_of(int* a, long long size) { return a + item() * size; }

// The reflection 1 - tau v H(v), with v = (1, x / (alpha - beta)), that maps (alpha, x) to (beta, 0); beta is real.
// LAPACK's larfg.  The elements of x are `step` apart; they are replaced by those of v.
template <class V> EVERY V reflector(V& alpha, V* x, int count, int step) {
    R largest = 0;
    SHARE(i, 0, count) largest = larger(largest, measure(x[(long long)i * step]));
    largest = largest_of_all(largest);
    if (largest == 0 && im(alpha) == 0) return V(0);
    largest = larger(largest, measure(alpha));
    R total = 0;
    SHARE(i, 0, count) total += square(x[(long long)i * step] / largest);
    total = sum_of_all(total);
    R beta = -sign(largest * root(total + square(alpha / largest)), re(alpha));
    V scale = V(1) / (alpha - V(beta)), tau = (V(beta) - alpha) / V(beta);
    SHARE(i, 0, count) x[(long long)i * step] = x[(long long)i * step] * scale;
    alpha = V(beta);
    TOGETHER;
    return tau;
}
