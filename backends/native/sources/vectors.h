// The vector registers of the instruction set, and what C has no operator for.
#pragma once
#include <stdint.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#define WIDTH 64
#define VECTOR(operation) _mm512_##operation##_pd
#elif defined(__AVX2__)
#include <immintrin.h>
#define WIDTH 32
#define VECTOR(operation) _mm256_##operation##_pd
#else
#define WIDTH 16
#endif

#ifndef INLINE
#define INLINE static inline __attribute__((always_inline))
#endif

typedef double Reals __attribute__((vector_size(WIDTH)));
typedef int64_t Integers __attribute__((vector_size(WIDTH)));
enum { LANES = WIDTH / sizeof(double) };

// Vectors of the elements of an array, of two numbers by turns, and of indices that exchange neighbours.
#if WIDTH == 64
#define EACH(x) {x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]}
#define PAIRWISE(even, odd) {even, odd, even, odd, even, odd, even, odd}
#define EXCHANGED 1, 0, 3, 2, 5, 4, 7, 6
#elif WIDTH == 32
#define EACH(x) {x[0], x[1], x[2], x[3]}
#define PAIRWISE(even, odd) {even, odd, even, odd}
#define EXCHANGED 1, 0, 3, 2
#else
#define EACH(x) {x[0], x[1]}
#define PAIRWISE(even, odd) {even, odd}
#define EXCHANGED 1, 0
#endif
#ifdef __clang__
#define SHUFFLED(x, ...) __builtin_shufflevector(x, x, __VA_ARGS__)
#else
#define SHUFFLED(x, ...) __builtin_shuffle(x, (Integers){__VA_ARGS__})
#endif

INLINE Reals all(double x) { return (Reals){0} + x; }
INLINE Reals absolute(Reals x) { return (Reals)((Integers)x & INT64_MAX); }
#ifdef VECTOR
INLINE Reals fused(Reals x, Reals y, Reals z) { return VECTOR(fmadd)(x, y, z); }  // x y + z
INLINE Reals fused_less(Reals x, Reals y, Reals z) { return VECTOR(fmsub)(x, y, z); }  // x y - z
INLINE Reals less_product(Reals z, Reals x, Reals y) { return VECTOR(fnmadd)(x, y, z); }  // z - x y
INLINE Reals root(Reals x) { return VECTOR(sqrt)(x); }
#else
INLINE Reals fused(Reals x, Reals y, Reals z) {
  for (int l = 0; l < LANES; l++) z[l] = __builtin_fma(x[l], y[l], z[l]);
  return z;
}
INLINE Reals fused_less(Reals x, Reals y, Reals z) { return fused(x, y, -z); }
INLINE Reals less_product(Reals z, Reals x, Reals y) { return fused(-x, y, z); }
INLINE Reals root(Reals x) {
  for (int l = 0; l < LANES; l++) x[l] = __builtin_sqrt(x[l]);
  return x;
}
#endif
