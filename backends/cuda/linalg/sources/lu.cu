#include "scalar.cuh"

// Elimination in place, with the largest element of each column as its pivot (LAPACK's getrf), or, if `pivoting` is 0,
// the one that stands there.
// info: the first pivot that is zero, from 1 on; -k where the k-th one must not be zero without interchanges.
extern "C" __global__ void eliminate(T* all, int* pivots, int* info, int m, int n, int pivoting) {
    Matrix<T> a(item_of(all, (long long)m * n), n);
    int count = m < n ? m : n, failed = 0;
    int* pivot = item_of(pivots, count);
    for (int k = 0; k < count; k++) {
        int found = m;
        R largest = -1;
        SHARE(i, k, m) { R size = measure(a(i, k)); if (size > largest) { largest = size; found = i; } }
        found = index_of_largest(largest, found);
        int p = pivoting ? found : k;
        if (LANE == 0) pivot[k] = p;
        if (a(found, k) == T(0) || a(p, k) == T(0)) {
            if (a(found, k) != T(0)) { if (failed >= 0) failed = -(k + 1); break; }
            if (failed == 0) failed = k + 1;
            continue;
        }
        TOGETHER;
        if (p != k) {
            SHARE(j, 0, n) { T x = a(k, j); a(k, j) = a(p, j); a(p, j) = x; }
            TOGETHER;
        }
        T d = a(k, k);
        SHARE(i, k + 1, m) a(i, k) = a(i, k) / d;
        TOGETHER;
        int columns = n - k - 1, work = (m - k - 1) * columns;
        SHARE(w, 0, work) { int i = k + 1 + w / columns, j = k + 1 + w % columns; a(i, j) -= a(i, k) * a(k, j); }
        TOGETHER;
    }
    if (LANE == 0) info[item()] = failed;
}

// x in place of b, where op(a) x = b and a is a triangle; op: 0 itself, 1 the transpose, 2 the conjugate transpose.
// step: from one triangle to the next, 0 if there is only one.  info: the first zero on the diagonal, from 1 on.
extern "C" __global__ void substitute(const T* triangles, T* all, int* info, int n, int columns, int lower, int op,
                                      int unit, long long step) {
    const T* t = triangles + item() * step;
    Matrix<T> x(item_of(all, (long long)n * columns), columns);
    bool forward = (lower != 0) == (op == 0);
    int failed = 0;
    for (int s = 0; s < n; s++) {
        int k = forward ? s : n - 1 - s;
        if (!unit) {
            T d = t[(long long)k * n + k];
            if (d == T(0) && (failed == 0 || k + 1 < failed)) failed = k + 1;
            if (op == 2) d = conj(d);
            SHARE(c, 0, columns) x(k, c) = x(k, c) / d;
            TOGETHER;
        }
        int first = forward ? k + 1 : 0, work = (n - 1 - s) * columns;
        SHARE(w, 0, work) {
            int i = first + w / columns, c = w % columns;
            T e = op ? t[(long long)k * n + i] : t[(long long)i * n + k];
            x(i, c) -= (op == 2 ? conj(e) : e) * x(k, c);
        }
        TOGETHER;
    }
    if (LANE == 0) info[item()] = failed;
}

// Where the rows come from after row i was interchanged with row pivots[i], for each i in order: one thread an item.
extern "C" __global__ void order_rows(const int* pivots, long long* rows, int count, int size, long long items) {
    long long k = blockIdx.x * 128LL + threadIdx.x;
    if (k >= items) return;
    long long* row = rows + k * size;
    for (int i = 0; i < size; i++) row[i] = i;
    for (int i = 0; i < count; i++) {
        int j = pivots[k * count + i];
        long long x = row[i];
        row[i] = row[j];
        row[j] = x;
    }
}
