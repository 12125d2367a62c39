#include "scalar.cuh"

// l in place of the lower triangle of a = l H(l), and zeros above it; info: the first leading minor that is not
// positive, from 1 on.
extern "C" __global__ void cholesky(T* all, int* info, int n) {
    Matrix<T> a(item_of(all, (long long)n * n), n);
    int failed = 0;
    for (int k = 0; k < n; k++) {
        R d = re(a(k, k));
        TOGETHER;
        if (!(d > 0)) { failed = k + 1; break; }
        d = root(d);
        if (LANE == 0) a(k, k) = T(d);
        SHARE(i, k + 1, n) { a(i, k) = a(i, k) / d; a(k, i) = T(0); }
        TOGETHER;
        int rest = n - k - 1;
        SHARE(w, 0, rest * rest) {
            int i = k + 1 + w / rest, j = k + 1 + w % rest;
            if (j <= i) a(i, j) -= a(i, k) * conj(a(j, k));
        }
        TOGETHER;
    }
    if (LANE == 0) info[item()] = failed;
}
