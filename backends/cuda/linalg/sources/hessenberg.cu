#include "scalar.cuh"

// h in place of a = q h H(q), zero below its first subdiagonal: LAPACK's gehrd and orghr.
extern "C" __global__ void hessenberg(T* all, T* vectors, T* work, int n) {
    Matrix<T> a(item_of(all, (long long)n * n), n), q(item_of(vectors, (long long)n * n), n);
    T* v = item_of(work, n);
    SHARE(w, 0, n * n) q.p[w] = T(w / n == w % n ? R(1) : R(0));
    TOGETHER;
    for (int k = 0; k + 1 < n; k++) {  // the last one only makes the element real
        T alpha = a(k + 1, k);
        TOGETHER;
        T tau = reflector(alpha, &a(k + 1, k) + n, n - k - 2, n);
        SHARE(i, k + 1, n) v[i] = i == k + 1 ? T(1) : a(i, k);
        TOGETHER;
        SHARE(i, k + 1, n) a(i, k) = i == k + 1 ? alpha : T(0);
        SHARE(i, 0, 2 * n) {  // a and q, times the reflection on their right
            T* row = i < n ? &a(i, 0) : &q(i - n, 0);
            T s = T(0);
            for (int j = k + 1; j < n; j++) s += row[j] * v[j];
            s = s * tau;
            for (int j = k + 1; j < n; j++) row[j] -= s * conj(v[j]);
        }
        TOGETHER;
        SHARE(j, k + 1, n) {
            T s = T(0);
            for (int i = k + 1; i < n; i++) s += conj(v[i]) * a(i, j);
            s = conj(tau) * s;
            for (int i = k + 1; i < n; i++) a(i, j) -= v[i] * s;
        }
        TOGETHER;
    }
}
