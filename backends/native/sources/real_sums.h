// Sums of products of real vectors of type T; of squares, which are read once, where both vectors are the same.
#define JOINED_(a, b) a##_##b
#define JOINED(a, b) JOINED_(a, b)
#define VECTOR_OF_T JOINED(Vector, LETTER)
#define FUSED JOINED(fused, LETTER)
#define WHOLE JOINED(whole_block, LETTER)
#define PART JOINED(part_of_block, LETTER)
#define BLOCKS JOINED(real_blocks, LETTER)

typedef T VECTOR_OF_T __attribute__((vector_size(LANES * sizeof(T)), aligned(sizeof(T)), may_alias));

INLINE Reals FUSED(const T *u, const T *v, Reals sum) {
  Reals x = __builtin_convertvector(*(const VECTOR_OF_T *)u, Reals);
  return fused(x, u == v ? x : __builtin_convertvector(*(const VECTOR_OF_T *)v, Reals), sum);
}

INLINE void WHOLE(const T *u, const T *v, Reals *sums) {
  Reals own[WIDE / LANES] = {{0}};
  for (Index k = 0; k < STREAM; k += OWN)
#pragma GCC unroll 16
    for (int j = 0; j < WIDE / LANES; j++) {
      Index at = j / VECTORS * STREAM + k + j % VECTORS * LANES;
      own[j] = FUSED(u + at, v + at, own[j]);
    }
#pragma GCC unroll 16
  for (int j = 0; j < WIDE / LANES; j++) sums[j] = own[j];
}

INLINE void PART(Index count, const T *u, const T *v, Reals *sums) {
  Reals own[VECTORS] = {{0}};
  Index k = 0;
  for (; k + OWN <= count; k += OWN)
#pragma GCC unroll 16
    for (int j = 0; j < VECTORS; j++) own[j] = FUSED(u + k + j * LANES, v + k + j * LANES, own[j]);
#pragma GCC unroll 16
  for (int j = 0; j < VECTORS; j++) sums[j] = own[j];
  for (int j = 0; k < count; j++, k++) sums[j / LANES][j % LANES] = fma_(u[k], v[k], sums[j / LANES][j % LANES]);
}

static void BLOCKS(void *of, Index piece) {
  const products *job = of;
  Index n = job->n, blocks = blocks_of(n), stop = (piece + 1) * job->piece;
  if (stop > job->count * blocks) stop = job->count * blocks;
  for (Index i = piece * job->piece; i < stop; i++) {
    Index first = i % blocks * BLOCK, count = n - first < BLOCK ? n - first : BLOCK;
    const T *u = (const T *)job->a + i / blocks * n + first, *v = (const T *)job->b + i / blocks * n + first;
    Reals sums[WIDE / LANES] = {{0}};
    if (count < BLOCK)
      for (Index k = 0; k < count; k += STREAM)
        PART(count - k < STREAM ? count - k : STREAM, u + k, v + k, sums + k / STREAM * VECTORS);
    else if (u == v) WHOLE(u, u, sums);
    else WHOLE(u, v, sums);
    job->sums[i] = total((double *)sums);
  }
}

EXPORT int JOINED(sums_products, LETTER)(Index threads, Index count, Index n, const T *a, const T *b, double *x) {
  return sums_of(BLOCKS, 1, threads, &(products){count, n, 0, a, b, NULL}, x);
}

#undef JOINED_
#undef JOINED
#undef VECTOR_OF_T
#undef FUSED
#undef WHOLE
#undef PART
#undef BLOCKS
#undef LETTER
#undef T
