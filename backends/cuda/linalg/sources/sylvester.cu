#include "scalar.cuh"
#include "rotations.cuh"

// y in place of f, where  left op(r) y + right y op(s) = f  with Schur forms r and s, element by element or, at the
// blocks of two rows of real forms, block by block [R. Bartels, G. Stewart, CACM 15 (1972) 820].
// op: 0 itself, 1 the conjugate transpose.  step: from one form to the next, 0 if there is only one.
// With `numbers`, only elements below the diagonal blocks of that numbering are solved for; the others are zero.
// info: 1 where a divisor is zero up to rounding.

template <class V> struct Form {
    const V* p;
    int n, op;
    EVERY Form(const V* p, int n, int op) : p(p), n(n), op(op) {}
    EVERY V operator()(int i, int j) const { return op ? conj(p[(long long)j * n + i]) : p[(long long)i * n + j]; }
    // whether rows k and k + 1 are one block
    EVERY bool paired(int k) const { return k >= 0 && k + 1 < n && p[(long long)(k + 1) * n + k] != V(0); }
};

EVERY R largest_element(Form<T> a) {
    R largest = 0;
    SHARE(w, 0, a.n * a.n) largest = larger(largest, measure(a.p[w]));
    return largest_of_all(largest);
}

extern "C" __global__ void sylvester(const T* rs, const T* ss, T* fs, const int* numbers, int* info, int m, int n,
                                     R left, R right, int r_op, int s_op, long long r_step, long long s_step,
                                     long long number_step) {
    Form<T> r(rs + item() * r_step, m, r_op), s(ss + item() * s_step, n, s_op);
    Matrix<T> y(item_of(fs, (long long)m * n), n);
    const int* number = numbers ? numbers + item() * number_step : 0;
    R most = larger(largest_element(r), largest_element(s));
    R least = larger(2 * eps_of(R(0)) * most, tiny_of(R(0)) / eps_of(R(0)) * (m * n));
    int failed = 0;
    for (int done_columns = 0; done_columns < n;) {
        int j = s_op ? n - 1 - done_columns : done_columns, columns = 1;
        if (s_op ? s.paired(j - 1) : s.paired(j)) { columns = 2; if (s_op) j--; }
        for (int done_rows = 0; done_rows < m;) {
            int i = r_op ? done_rows : m - 1 - done_rows, rows = 1;
            if (r_op ? r.paired(i) : r.paired(i - 1)) { rows = 2; if (!r_op) i--; }
            done_rows += rows;
            T b[8];
            if (number && number[i] <= number[j]) {
                TOGETHER;
                if (LANE < rows * columns) y(i + LANE / columns, j + LANE % columns) = T(0);
                TOGETHER;
                continue;
            }
            for (int c = 0; c < rows * columns; c++) {
                int p = i + c / columns, q = j + c % columns;
                T sum = T(0);
                int first = r_op ? 0 : i + rows, end = r_op ? i : m;
                SHARE(k, first, end) sum += left * (r(p, k) * y(k, q));
                first = s_op ? j + columns : 0; end = s_op ? n : j;
                SHARE(k, first, end) sum += right * (y(p, k) * s(k, q));
                b[c] = y(p, q) - sum_of_all(sum);
            }
            if (rows * columns == 1) {
                T d = left * r(i, i) + right * s(j, j);
                if (!(norm1(d) > least)) { d = T(least); failed = 1; }
                b[0] = b[0] / d;
            } else {
                T a[8][8];
                for (int c = 0; c < rows * columns; c++)
                    for (int e = 0; e < rows * columns; e++) {
                        int p = c / columns, q = c % columns, k = e / columns, l = e % columns;
                        a[c][e] = (q == l ? left * r(i + p, i + k) : T(0)) + (p == k ? right * s(j + l, j + q) : T(0));
                    }
                failed |= !solve_few(a, b, rows * columns, least);
            }
            TOGETHER;
            if (LANE == 0) for (int c = 0; c < rows * columns; c++) y(i + c / columns, j + c % columns) = b[c];
            TOGETHER;
        }
        done_columns += columns;
    }
    if (LANE == 0) info[item()] = failed;
}

// The principal square root of an upper triangle, in place: one diagonal after the other [A. Bjorck, S. Hammarling,
// LAA 52 (1983) 127].  info: 1 where two roots on the diagonal sum to zero beside elements that are not zero.
extern "C" __global__ void triangular_root(T* all, int* info, int n) {
    Matrix<T> t(item_of(all, (long long)n * n), n);
    int failed = 0;
    SHARE(i, 0, n) t(i, i) = root(t(i, i));
    TOGETHER;
    for (int d = 1; d < n; d++) {
        SHARE(i, 0, n - d) {
            int j = i + d;
            T sum = t(i, j), divisor = t(i, i) + t(j, j);
            for (int k = i + 1; k < j; k++) sum -= t(i, k) * t(k, j);
            if (divisor == T(0)) { if (sum != T(0)) failed = 1; divisor = T(1); }
            t(i, j) = sum / divisor;
        }
        TOGETHER;
    }
    failed = largest_of_all(failed);
    if (LANE == 0) info[item()] = failed;
}

// The eigenvectors of a triangle s, or of a pair (s, t), in columns, with a one at their own place; `adjoint`: the left
// ones.  Each thread has its own columns, and keeps them from overflowing.
extern "C" __global__ void triangular_vectors(const T* ss, const T* ts, T* all, int n, int adjoint) {
    Matrix<const T> s(item_of(ss, (long long)n * n), n), t(ts ? item_of(ts, (long long)n * n) : 0, n);
    Matrix<T> x(item_of(all, (long long)n * n), n);
    const R large = root(root(R(1) / tiny_of(R(0))));
    SHARE(j, 0, n) {
        T alpha = s(j, j), beta = ts ? t(j, j) : T(1);
        R scale = larger(norm1(alpha), norm1(beta)), most = 0;
        if (scale > 0) { alpha = alpha / scale; beta = beta / scale; }
        for (int i = 0; i < n; i++) {
            x(i, j) = T(i == j ? R(1) : R(0));
            for (int k = i; k < n; k++) most = larger(most, norm1(beta * s(i, k)) + (ts ? norm1(alpha * t(i, k)) : 0));
        }
        if (!ts) most = larger(most, norm1(alpha));
        R least = larger(2 * eps_of(R(0)) * most, tiny_of(R(0)) / eps_of(R(0)));
        for (int step = 1; step < n; step++) {
            int i = adjoint ? j + step : j - step;
            if (i < 0 || i >= n) break;
            T sum = T(0), d = beta * s(i, i) - alpha * (ts ? t(i, i) : T(1));
            for (int k = adjoint ? j : i + 1; adjoint ? k < i : k <= j; k++) {
                int p = adjoint ? k : i, q = adjoint ? i : k;
                T m = beta * s(p, q);
                if (ts) m -= alpha * t(p, q);
                sum += (adjoint ? conj(m) : m) * x(k, j);
            }
            if (norm1(d) < least) d = T(least);
            T value = -sum / (adjoint ? conj(d) : d);
            R size = norm1(value);
            if (size > large) {
                for (int k = 0; k < n; k++) x(k, j) = x(k, j) / size;
                value = value / size;
            }
            x(i, j) = value;
        }
    }
}
