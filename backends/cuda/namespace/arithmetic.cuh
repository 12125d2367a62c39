// Arithmetic as NumPy defines it where CuPy's differs: at infinities, NaN and zeros, and on branch cuts.  Sums and products are rounded one by one, as on the CPU.
__device__ inline float times(float a, float b) { return __fmul_rn(a, b); }
__device__ inline double times(double a, double b) { return __dmul_rn(a, b); }
__device__ inline float plus_(float a, float b) { return __fadd_rn(a, b); }
__device__ inline double plus_(double a, double b) { return __dadd_rn(a, b); }

// Smith (1962): with q = d / c, (a + b i) / (c + d i) = (a + b q + (b - a q) i) / (c + d q); by 0, each part by 0
template <class R> __device__ complex<R> quotient(const complex<R>& z, const complex<R>& w) {
    const R a = z.real(), b = z.imag(), c = w.real(), d = w.imag();
    if (c == 0 && d == 0) return complex<R>(a / fabs(c), b / fabs(c));
    if (fabs(c) >= fabs(d)) {
        const R q = d / c, s = R(1) / plus_(c, times(d, q));
        return complex<R>(times(plus_(a, times(b, q)), s), times(plus_(b, -times(a, q)), s));
    }
    const R q = c / d, s = R(1) / plus_(times(c, q), d);
    return complex<R>(times(plus_(times(a, q), b), s), times(plus_(times(b, q), -a), s));
}

template <class R> __device__ complex<R> inverse(const complex<R>& w) {
    const R c = w.real(), d = w.imag();
    if (fabs(d) <= fabs(c)) {
        const R q = d / c, s = plus_(c, times(d, q));
        return complex<R>(R(1) / s, -q / s);
    }
    const R q = c / d, s = plus_(times(c, q), d);
    return complex<R>(q / s, R(-1) / s);
}

template <class R> __device__ complex<R> product(const complex<R>& z, const complex<R>& w) {
    return complex<R>(plus_(times(z.real(), w.real()), -times(z.imag(), w.imag())),
                      plus_(times(z.real(), w.imag()), times(z.imag(), w.real())));
}

// Whole exponents below 100 by repeated squares, so that real and imaginary numbers stay so
template <class R> __device__ complex<R> raised(complex<R> z, const complex<R>& w) {
    const R p = w.real();
    if (p == 0 && w.imag() == 0) return complex<R>(1, 0);
    if (z.real() == 0 && z.imag() == 0) {
        if (p > 0) return complex<R>(0, 0);
        return complex<R>(R(nan("")), R(nan("")));
    }
    if (w.imag() != 0 || p != floor(p) || !(fabs(p) < 100)) return pow(z, w);
    int n = abs((int)p);
    complex<R> result(1, 0);
    for (bool any = false; n; n >>= 1) {
        if (n & 1) { result = any ? product(result, z) : z; any = true; }
        if (n > 1) z = product(z, z);
    }
    return p < 0 ? quotient(complex<R>(1, 0), result) : result;
}

template <class R> __device__ complex<R> direction(const complex<R>& z) {
    const R size = hypot(z.real(), z.imag());
    if (size == 0) return complex<R>(0, 0);
    if (!isinf(size)) return complex<R>(z.real() / size, z.imag() / size);
    const bool a = isinf(z.real()), b = isinf(z.imag());
    if (a && b) return complex<R>(R(nan("")), R(nan("")));
    return complex<R>(a ? copysign(R(1), z.real()) : R(0), b ? copysign(R(1), z.imag()) : R(0));
}

template <class R> __device__ complex<R> scaled(const complex<R>& z, R by) {
    return complex<R>(times(z.real(), by), times(z.imag(), by));
}

template <class R> __device__ complex<R> logarithm(const complex<R>& z) {
    if (isinf(z.real()) || isinf(z.imag())) return complex<R>(hypot(z.real(), z.imag()), atan2(z.imag(), z.real()));
    return log(z);
}

template <class R> __device__ complex<R> log_of_one_more(const complex<R>& z) {
    const R x = plus_(z.real(), R(1));
    return complex<R>(log(hypot(x, z.imag())), atan2(z.imag(), x));
}

// The lexicographic order, in which no NaN has a place
template <class R> __device__ bool is_nan(const complex<R>& z) { return isnan(z.real()) || isnan(z.imag()); }
template <class R> __device__ bool before(const complex<R>& z, const complex<R>& w) {
    if (z.real() == w.real()) return z.imag() < w.imag();
    return z.real() < w.real() && !isnan(z.imag()) && !isnan(w.imag());
}
template <class R> __device__ bool not_after(const complex<R>& z, const complex<R>& w) {
    return (z.real() == w.real() && z.imag() == w.imag()) || before(z, w);
}

// a = b q + r with a whole number q, and r of the sign of b
template <class R> __device__ R remainder_of(R a, R b) {
    const R r = fmod(a, b);
    if (b == 0) return r;
    if (r == 0) return copysign(R(0), b);
    return (b < 0) != (r < 0) ? plus_(r, b) : r;
}
template <class R> __device__ R whole_quotient(R a, R b) {
    if (b == 0) return a / b;
    const R r = fmod(a, b);
    R q = plus_(a, -r) / b;
    if (r != 0 && (b < 0) != (r < 0)) q = plus_(q, R(-1));
    if (q == 0) return copysign(R(0), a / b);
    const R below = floor(q);
    return plus_(q, -below) > R(0.5) ? plus_(below, R(1)) : below;
}
