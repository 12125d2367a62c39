#include "scalar.cuh"

// H(1 - tau v H(v)) c, or with `back` without H, on rows first.. and columns left..right; v(first) is 1.
// Each thread has its own columns.
EVERY void reflect(Matrix<T> v, int column, T tau, Matrix<T> c, int first, int m, int left, int right, bool back) {
    if (!back) tau = conj(tau);
    SHARE(j, left, right) {
        T s = c(first, j);
        for (int i = first + 1; i < m; i++) s += conj(v(i, column)) * c(i, j);
        s = tau * s;
        c(first, j) -= s;
        for (int i = first + 1; i < m; i++) c(i, j) -= v(i, column) * s;
    }
    TOGETHER;
}

// The Householder vectors and r in place of a, LAPACK's geqrf; with `order` its geqp3: at each step the longest of the
// remaining columns comes first.
extern "C" __global__ void householder(T* all, T* scales, int* orders, int m, int n, int pivoting) {
    Matrix<T> a(item_of(all, (long long)m * n), n);
    int count = m < n ? m : n;
    T* tau = item_of(scales, count);
    int* order = item_of(orders, n);
    if (pivoting) { SHARE(j, 0, n) order[j] = j; }
    TOGETHER;
    for (int k = 0; k < count; k++) {
        if (pivoting) {
            R longest = -1;
            int p = n;
            SHARE(j, k, n) {
                R largest = 0, total = 0;
                for (int i = k; i < m; i++) largest = larger(largest, measure(a(i, j)));
                if (largest > 0) for (int i = k; i < m; i++) total += square(a(i, j) / largest);
                total = measure(largest * root(total));
                if (total > longest) { longest = total; p = j; }
            }
            p = index_of_largest(longest, p);
            TOGETHER;
            if (p != k) {
                SHARE(i, 0, m) { T x = a(i, k); a(i, k) = a(i, p); a(i, p) = x; }
                if (LANE == 0) { int x = order[k]; order[k] = order[p]; order[p] = x; }
            }
            TOGETHER;
        }
        T alpha = a(k, k);
        TOGETHER;
        T t = reflector(alpha, &a(k, k) + n, m - k - 1, n);
        if (LANE == 0) { a(k, k) = alpha; tau[k] = t; }
        TOGETHER;
        reflect(a, k, t, a, k, m, k + 1, n, false);
    }
}

// The first columns of the product of the reflections: LAPACK's orgqr.  Of v only what is below its diagonal is read.
extern "C" __global__ void multiply_reflections(T* vectors, T* scales, T* all, int m, int n, int count, int columns) {
    Matrix<T> v(item_of(vectors, (long long)m * n), n), q(item_of(all, (long long)m * columns), columns);
    T* tau = item_of(scales, count);
    SHARE(w, 0, m * columns) q.p[w] = T(w / columns == w % columns ? R(1) : R(0));
    TOGETHER;
    for (int k = count - 1; k >= 0; k--) reflect(v, k, tau[k], q, k, m, 0, columns, true);
}
