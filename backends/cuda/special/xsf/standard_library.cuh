// What xsf needs of the C++ library, on the device: it stands in the place of xsf's own config.h, which takes some
// seconds to parse. Functions are calls and not inlined, for they are many and xsf's functions are long.
#pragma once
#include <cupy/complex.cuh>

#define XSF_HOST_DEVICE __device__
#define XSF_ASSERT(condition)

#define M_E 2.71828182845904523536
#define M_LOG2E 1.44269504088896340736
#define M_LOG10E 0.434294481903251827651
#define M_LN2 0.693147180559945309417
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.785398163397448309616
#define M_1_PI 0.318309886183790671538
#define M_2_PI 0.636619772367581343076
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.707106781186547524401

#define UINT64_MAX 0xffffffffffffffffULL
#define NAN (std::numeric_limits<double>::quiet_NaN())
#define INFINITY (std::numeric_limits<double>::infinity())

typedef unsigned long long uint64_t;
typedef long long int64_t;

namespace std {

using ::int64_t;
using ::uint64_t;
typedef unsigned long size_t;
typedef long ptrdiff_t;

// types

template <class T> struct decay { typedef T type; };
template <class T> struct decay<T &> { typedef T type; };
template <class T> struct decay<const T> { typedef T type; };
template <class T> struct decay<const T &> { typedef T type; };
template <bool condition, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <class T> struct is_floating_point { static constexpr bool value = false; };
template <> struct is_floating_point<float> { static constexpr bool value = true; };
template <> struct is_floating_point<double> { static constexpr bool value = true; };
template <class T> T &&declval();
template <class F> struct invoke_result { typedef decltype(declval<F &>()()) type; };

template <class T> struct numeric_limits;
template <> struct numeric_limits<double> {
    static constexpr int digits = 53;
    __device__ static constexpr double quiet_NaN() { return __builtin_bit_cast(double, 0x7ff8000000000000ULL); }
    __device__ static constexpr double infinity() { return __builtin_bit_cast(double, 0x7ff0000000000000ULL); }
    __device__ static constexpr double epsilon() { return 2.220446049250313e-16; }
    __device__ static constexpr double max() { return 1.7976931348623157e308; }
    __device__ static constexpr double min() { return 2.2250738585072014e-308; }
    __device__ static constexpr double denorm_min() { return 4.9406564584124654e-324; }
};
template <> struct numeric_limits<float> {
    static constexpr int digits = 24;
    __device__ static constexpr float quiet_NaN() { return __builtin_bit_cast(float, 0x7fc00000U); }
    __device__ static constexpr float infinity() { return __builtin_bit_cast(float, 0x7f800000U); }
    __device__ static constexpr float epsilon() { return 1.1920929e-07f; }
    __device__ static constexpr float max() { return 3.4028235e38f; }
    __device__ static constexpr float min() { return 1.17549435e-38f; }
    __device__ static constexpr float denorm_min() { return 1.40129846e-45f; }
};

// containers

template <class A, class B> struct pair {
    A first;
    B second;
    pair() = default;
    __device__ pair(const A &a, const B &b) : first(a), second(b) {}
};

template <class A, class B, class C, class D, class E> struct tuple {
    A a;
    B b;
    C c;
    D d;
    E e;
};

// an array of a thread's own, as long as the longest that is asked for
template <class T> struct work_space {
    T elements[304] = {};
    __device__ T &operator[](size_t i) { return elements[i]; }
    __device__ T *get() { return elements; }
    __device__ bool operator==(decltype(nullptr)) const { return false; }
};

template <class T> __device__ void swap(T &a, T &b) {
    T c = a;
    a = b;
    b = c;
}
template <class T> __device__ constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> __device__ constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> __device__ constexpr const T &clamp(const T &x, const T &low, const T &high) {
    return x < low ? low : high < x ? high : x;
}

// real numbers

#define ONE(f) __device__ __noinline__ double f(double x) { return ::f(x); }
#define TWO(f) __device__ __noinline__ double f(double x, double y) { return ::f(x, y); }
#define SHORT(f) __device__ inline double f(double x) { return ::f(x); }
ONE(exp) ONE(expm1) ONE(log) ONE(log1p) ONE(log10) ONE(tgamma) ONE(lgamma)
ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh) ONE(asinh) ONE(acosh) ONE(atanh)
TWO(pow) TWO(hypot) TWO(atan2) TWO(fmod) TWO(nextafter)
SHORT(sqrt) SHORT(fabs) SHORT(ceil) SHORT(floor) SHORT(round) SHORT(trunc)
#undef ONE
#undef TWO
#undef SHORT
__device__ inline double abs(double x) { return ::fabs(x); }
__device__ inline int abs(int x) { return x < 0 ? -x : x; }
__device__ inline long abs(long x) { return x < 0 ? -x : x; }
__device__ inline bool isnan(double x) { return x != x; }
__device__ inline bool isinf(double x) { return ::fabs(x) == numeric_limits<double>::infinity(); }
__device__ inline bool isfinite(double x) { return ::fabs(x) < numeric_limits<double>::infinity(); }
__device__ inline bool signbit(double x) { return __double_as_longlong(x) < 0; }
__device__ inline double copysign(double x, double y) { return ::copysign(x, y); }
__device__ inline double fmax(double x, double y) { return ::fmax(x, y); }
__device__ inline double fmin(double x, double y) { return ::fmin(x, y); }
__device__ inline double fma(double x, double y, double z) { return ::fma(x, y, z); }
__device__ inline double modf(double x, double *whole) { return ::modf(x, whole); }
__device__ inline double frexp(double x, int *exponent) { return ::frexp(x, exponent); }
__device__ inline double ldexp(double x, int exponent) { return ::ldexp(x, exponent); }

// complex numbers, those of CuPy

using thrust::complex;

#define FROM(f) template <class T> __device__ inline complex<T> f(const complex<T> &z) { return thrust::f(z); }
FROM(conj) FROM(exp) FROM(log) FROM(sqrt) FROM(sin) FROM(cos) FROM(tan) FROM(sinh) FROM(cosh)
#undef FROM
template <class T> __device__ inline T abs(const complex<T> &z) { return thrust::abs(z); }
template <class T> __device__ inline T arg(const complex<T> &z) { return thrust::arg(z); }
template <class T> __device__ inline T norm(const complex<T> &z) { return thrust::norm(z); }
template <class T> __device__ inline complex<T> polar(const T &r, const T &t) { return thrust::polar(r, t); }
template <class T> __device__ inline complex<T> pow(const complex<T> &x, const complex<T> &y) { return thrust::pow(x, y); }
template <class T> __device__ inline complex<T> pow(const complex<T> &x, const T &y) { return thrust::pow(x, y); }
template <class T> __device__ inline complex<T> pow(const T &x, const complex<T> &y) { return thrust::pow(x, y); }
template <class T> __device__ inline complex<T> pow(int x, const complex<T> &y) { return thrust::pow(T(x), y); }
template <class T> __device__ inline complex<T> pow(size_t x, const complex<T> &y) { return thrust::pow(T(x), y); }
template <class T> __device__ inline complex<T> pow(const complex<T> &x, int y) { return thrust::pow(x, T(y)); }
template <class T> __device__ T real(const complex<T> &z) { return z.real(); }
template <class T> __device__ T imag(const complex<T> &z) { return z.imag(); }
__device__ inline double real(double x) { return x; }
__device__ inline double imag(double) { return 0; }

} // namespace std

namespace xsf {
// in xsf a call without `std::` of whole or real numbers means double precision
__device__ inline double exp(double x) { return std::exp(x); }
__device__ inline double log(double x) { return std::log(x); }
__device__ inline double sqrt(double x) { return std::sqrt(x); }
__device__ inline double sin(double x) { return std::sin(x); }
__device__ inline double cos(double x) { return std::cos(x); }
__device__ inline double pow(double x, double y) { return std::pow(x, y); }
} // namespace xsf
