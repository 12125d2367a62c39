#include "scalar.cuh"

// A matrix with l diagonals below and u above the main one, in LAPACK's storage with room for what pivoting fills in:
// element (i, j) stands at (l + u + i - j, j).
struct Band {
    Matrix<T> a;
    int l, reach;
    EVERY T& operator()(int i, int j) const { return a(reach + i - j, j); }
};

// The solution in place of the right sides x, by elimination within the band, with or without interchanges of rows:
// LAPACK's gbtrf and gbtrs.  info: which pivot is the first that is zero, from 1 on.
extern "C" __global__ void solve_band(T* bands, T* xs, int* info, int n, int l, int u, int columns, int pivoting) {
    int height = 2 * l + u + 1;
    Band a = {Matrix<T>(item_of(bands, (long long)height * n), n), l, l + u};
    Matrix<T> x(item_of(xs, (long long)n * columns), columns);
    int failed = 0, last = 0;
    for (int j = 0; j < n && !failed; j++) {
        int below = l < n - 1 - j ? l : n - 1 - j, p = below + 1;
        R longest = -1;
        SHARE(i, 0, pivoting ? below + 1 : 1) {
            R size = measure(a(j + i, j));
            if (size > longest) { longest = size; p = i; }
        }
        p = index_of_largest(longest, p);
        T pivot = a(j + p, j);
        TOGETHER;
        if (pivot == T(0)) { failed = j + 1; break; }
        int end = j + u + p < n - 1 ? j + u + p : n - 1;
        if (end > last) last = end;
        if (p != 0) {
            SHARE(k, j, last + 1) { T y = a(j, k); a(j, k) = a(j + p, k); a(j + p, k) = y; }
            SHARE(k, 0, columns) { T y = x(j, k); x(j, k) = x(j + p, k); x(j + p, k) = y; }
            TOGETHER;
        }
        SHARE(i, 1, below + 1) a(j + i, j) = a(j + i, j) / pivot;
        TOGETHER;
        int wide = last - j;
        SHARE(w, 0, below * (wide + columns)) {
            int i = j + 1 + w / (wide + columns), k = w % (wide + columns);
            if (k < wide) a(i, j + 1 + k) -= a(i, j) * a(j, j + 1 + k);
            else x(i, k - wide) -= a(i, j) * x(j, k - wide);
        }
        TOGETHER;
    }
    for (int j = n - 1; j >= 0 && !failed; j--) {
        T pivot = a(j, j);
        SHARE(k, 0, columns) x(j, k) = x(j, k) / pivot;
        TOGETHER;
        int first = j - l - u > 0 ? j - l - u : 0;
        SHARE(w, 0, (j - first) * columns) {
            int i = first + w / columns, k = w % columns;
            x(i, k) -= a(i, j) * x(j, k);
        }
        TOGETHER;
    }
    if (LANE == 0) info[item()] = failed;
}

// The Cholesky factor in place of the lower half of a band, element (i, j) at (i - j, j): LAPACK's pbtrf.  info: the first
// leading minor that is not positive, from 1 on.
extern "C" __global__ void factorize_band(T* bands, int* info, int n, int width) {
    Matrix<T> a(item_of(bands, (long long)(width + 1) * n), n);
    int failed = 0;
    for (int j = 0; j < n; j++) {
        R d = re(a(0, j));
        TOGETHER;
        if (!(d > 0)) { failed = j + 1; break; }
        d = root(d);
        int below = width < n - 1 - j ? width : n - 1 - j;
        if (LANE == 0) a(0, j) = T(d);
        SHARE(i, 1, below + 1) a(i, j) = a(i, j) / d;
        TOGETHER;
        SHARE(w, 0, below * below) {
            int i = 1 + w / below, k = 1 + w % below;
            if (k <= i) a(i - k, j + k) -= a(i, j) * conj(a(k, j));
        }
        TOGETHER;
    }
    if (LANE == 0) info[item()] = failed;
}

// The solution in place of the right sides x, with such a factor: LAPACK's pbtrs.
extern "C" __global__ void solve_factorized_band(const T* bands, T* xs, int n, int width, int columns) {
    Matrix<const T> a(item_of(bands, (long long)(width + 1) * n), n);
    Matrix<T> x(item_of(xs, (long long)n * columns), columns);
    SHARE(k, 0, columns) {
        for (int j = 0; j < n; j++) {
            T y = x(j, k) / re(a(0, j));
            x(j, k) = y;
            for (int i = 1; i <= width && j + i < n; i++) x(j + i, k) -= a(i, j) * y;
        }
        for (int j = n - 1; j >= 0; j--) {
            T y = x(j, k);
            for (int i = 1; i <= width && j + i < n; i++) y -= conj(a(i, j)) * x(j + i, k);
            x(j, k) = y / re(a(0, j));
        }
    }
}
