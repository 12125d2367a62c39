#include "scalar.cuh"

EVERY T turned(T a, int hermitian) { return hermitian ? conj(a) : a; }

// A block [[p, b'], [b, q]] of two rows, b' its transpose or conjugate, by which two columns (x, y) are divided.
struct Block {
    T p, q, e, f;
    EVERY Block(T first, T below, T second, int hermitian) {
        T d = hermitian ? T(modulus(below)) : below;
        p = first / d;
        q = second / d;
        e = below / d;  // 1 where it is not Hermitian
        f = T(1) / (d * (p * q - T(1)));
    }
    EVERY void divide(T x, T y, T& u, T& v) const {
        u = f * (q * x - e * y);
        v = f * (p * y - conj(e) * x);
    }
};

// Bunch and Kaufman's factors in place of the lower triangle: LAPACK's sytrf and hetrf.  The pivots count from 1; two
// equal negative ones mark a block of two rows.  info: the first block that is zero, from 1 on.
extern "C" __global__ void factorize_symmetric(T* all, int* pivots, int* info, int n, int hermitian) {
    Matrix<T> a(item_of(all, (long long)n * n), n);
    int* pivot = item_of(pivots, n);
    const R alpha = (1 + root(R(17))) / 8;
    int failed = 0;
    for (int k = 0, size; k < n; k += size) {
        size = 1;
        if (hermitian) { TOGETHER; if (LANE == 0) a(k, k) = T(re(a(k, k))); TOGETHER; }
        R here = norm1(a(k, k)), most = -1;
        int found = n, p = k;
        SHARE(i, k + 1, n) { R x = measure(a(i, k)); if (x > most) { most = x; found = i; } }
        found = index_of_largest(most, found);
        most = largest_of_all(most);
        if (!(larger(here, most) > 0)) {
            if (failed == 0) failed = k + 1;
            if (LANE == 0) pivot[k] = k + 1;
            continue;
        }
        if (here < alpha * most) {
            R row = 0;
            SHARE(j, k, n) if (j != found) row = larger(row, measure(j < found ? a(found, j) : a(j, found)));
            row = largest_of_all(row);
            if (here < alpha * most * (most / row)) {
                p = found;
                if (norm1(T(hermitian ? T(re(a(found, found))) : a(found, found))) < alpha * row) size = 2;
            }
        }
        int kk = k + size - 1;
        TOGETHER;
        if (p != kk) {
            SHARE(i, p + 1, n) { T x = a(i, kk); a(i, kk) = a(i, p); a(i, p) = x; }
            SHARE(j, kk + 1, p) { T x = turned(a(j, kk), hermitian); a(j, kk) = turned(a(p, j), hermitian); a(p, j) = x; }
            if (LANE == 0) {
                a(p, kk) = turned(a(p, kk), hermitian);
                T x = a(kk, kk); a(kk, kk) = a(p, p); a(p, p) = x;
                if (hermitian) { a(kk, kk) = T(re(a(kk, kk))); a(p, p) = T(re(a(p, p))); }
                if (size == 2) { x = a(k + 1, k); a(k + 1, k) = a(p, k); a(p, k) = x; }
            }
            TOGETHER;
        }
        int first = k + size, rest = n - first;
        if (size == 1) {
            T d = T(1) / a(k, k);
            SHARE(w, 0, rest * rest) {
                int i = first + w / rest, j = first + w % rest;
                if (j <= i) a(i, j) -= a(i, k) * (d * turned(a(j, k), hermitian));
            }
            TOGETHER;
            SHARE(i, first, n) { a(i, k) = a(i, k) * d; if (hermitian) a(i, i) = T(re(a(i, i))); }
        } else if (rest > 0) {
            Block block(a(k, k), a(k + 1, k), a(k + 1, k + 1), hermitian);
            SHARE(w, 0, rest * rest) {
                int i = first + w / rest, j = first + w % rest;
                if (j > i) continue;
                T u, v;
                block.divide(a(j, k), a(j, k + 1), u, v);
                a(i, j) -= a(i, k) * turned(u, hermitian) + a(i, k + 1) * turned(v, hermitian);
            }
            TOGETHER;
            SHARE(j, first, n) {
                T u, v;
                block.divide(a(j, k), a(j, k + 1), u, v);
                a(j, k) = u;
                a(j, k + 1) = v;
                if (hermitian) a(j, j) = T(re(a(j, j)));
            }
        }
        if (LANE == 0) {
            pivot[k] = size == 1 ? p + 1 : -(p + 1);
            if (size == 2) pivot[k + 1] = -(p + 1);
        }
        TOGETHER;
    }
    if (LANE == 0) info[item()] = failed;
}

// x in place of b with these factors: sytrs and hetrs.  Each thread has its own right sides.
extern "C" __global__ void solve_symmetric(const T* factors, const int* pivots, T* all, int n, int columns,
                                           int hermitian) {
    Matrix<const T> a(item_of(factors, (long long)n * n), n);
    Matrix<T> b(item_of(all, (long long)n * columns), columns);
    const int* pivot = pivots + item() * n;
    SHARE(c, 0, columns) {
        int k = 0;
        while (k < n) {
            int size = pivot[k] > 0 ? 1 : 2, p = (size == 1 ? pivot[k] : -pivot[k]) - 1, kk = k + size - 1;
            if (p != kk) { T x = b(kk, c); b(kk, c) = b(p, c); b(p, c) = x; }
            T x = b(k, c), y = size == 2 ? b(k + 1, c) : T(0);
            for (int i = k + size; i < n; i++) {
                b(i, c) -= a(i, k) * x;
                if (size == 2) b(i, c) -= a(i, k + 1) * y;
            }
            if (size == 1) {
                b(k, c) = x / (hermitian ? T(re(a(k, k))) : a(k, k));
            } else {
                T below = a(k + 1, k), above = turned(below, hermitian);
                T p = (hermitian ? T(re(a(k, k))) : a(k, k)) / above;
                T q = (hermitian ? T(re(a(k + 1, k + 1))) : a(k + 1, k + 1)) / below;
                T d = p * q - T(1), f = x / above, g = y / below;
                b(k, c) = (q * f - g) / d;
                b(k + 1, c) = (p * g - f) / d;
            }
            k += size;
        }
        for (k = n - 1; k >= 0;) {
            int size = pivot[k] > 0 ? 1 : 2, p = (size == 1 ? pivot[k] : -pivot[k]) - 1;
            for (int r = k - size + 1; r <= k; r++) {
                T sum = b(r, c);
                for (int i = k + 1; i < n; i++) sum -= turned(a(i, r), hermitian) * b(i, c);
                b(r, c) = sum;
            }
            if (p != k) { T x = b(k, c); b(k, c) = b(p, c); b(p, c) = x; }
            k -= size;
        }
    }
}

// What the pivots say: which row is taken from where, in the matrix and in each column of l, and the blocks.
extern "C" __global__ void order_of_pivots(const int* pivots, long long* orders, long long* rows, long long* blocks,
                                           int n, long long items) {
    long long k = blockIdx.x * 128LL + threadIdx.x;
    if (k >= items) return;
    const int* pivot = pivots + k * n;
    long long *order = orders + k * n, *row = rows + k * n * n, *block = blocks + k * n;
    for (int i = 0; i < n; i++) {
        order[i] = i;
        for (int j = 0; j < n; j++) row[i * n + j] = i;
    }
    int number = 0;
    for (int c = 0; c < n; number++) {
        int size = pivot[c] > 0 ? 1 : 2, i = c + size - 1, j = (pivot[c] > 0 ? pivot[c] : -pivot[c]) - 1;
        if (i != j && i < n) {
            long long x = order[i]; order[i] = order[j]; order[j] = x;
            for (int q = 0; q < c; q++) { x = row[i * n + q]; row[i * n + q] = row[j * n + q]; row[j * n + q] = x; }
        }
        for (int q = c; q < c + size && q < n; q++) block[q] = number;
        c += size;
    }
}
