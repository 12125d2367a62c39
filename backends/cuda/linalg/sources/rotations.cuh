// Rotations of two rows or columns, and unitary matrices of up to four.
#pragma once

// [[a b], [c d]] as a rotation of what is upper triangular or has equal diagonal elements and b c < 0: lanv2.
EVERY void standardize(R& a, R& b, R& c, R& d, R& cs, R& sn) {
    cs = 1;
    sn = 0;
    if (c == 0) return;
    if (b == 0) {
        R x = a;
        cs = 0; sn = 1; a = d; d = x; b = -c; c = 0;
        return;
    }
    if (a - d == 0 && (b > 0) != (c > 0)) return;
    R eps = 2 * eps_of(R(0)), x = a - d, p = x / 2;
    R most = larger(fabs(b), fabs(c)), least = smaller(fabs(b), fabs(c)) * sign(R(1), b) * sign(R(1), c);
    R scale = larger(fabs(p), most), z = (p / scale) * p + (most / scale) * least;
    if (z >= 4 * eps) {
        z = p + sign(root(scale) * root(z), p);
        a = d + z;
        d -= (most / z) * least;
        R tau = hypot(c, z);
        cs = z / tau; sn = c / tau; b -= c; c = 0;
        return;
    }
    R sigma = b + c, tau = hypot(sigma, x);
    cs = root((1 + fabs(sigma) / tau) / 2);
    sn = -(p / (tau * cs)) * sign(R(1), sigma);
    R aa = a * cs + b * sn, bb = -a * sn + b * cs, cc = c * cs + d * sn, dd = -c * sn + d * cs;
    a = aa * cs + cc * sn; b = bb * cs + dd * sn; c = -aa * sn + cc * cs; d = -bb * sn + dd * cs;
    R mean = (a + d) / 2;
    a = d = mean;
    if (c == 0) return;
    if (b == 0) {
        R y = cs;
        b = -c; c = 0; cs = -sn; sn = y;
    } else if ((b > 0) == (c > 0)) {
        R sab = root(fabs(b)), sac = root(fabs(c)), q = sign(sab * sac, c), t = 1 / root(fabs(b + c));
        a = mean + q; d = mean - q; b -= c; c = 0;
        R cs1 = sab * t, sn1 = sac * t, y = cs * cs1 - sn * sn1;
        sn = cs * sn1 + sn * cs1;
        cs = y;
    }
}

// rows i and j, and columns i and j of t and z, turned
EVERY void turn_rows(Matrix<R> t, int i, int j, int first, int end, R cs, R sn) {
    SHARE(k, first, end) { R x = t(i, k), y = t(j, k); t(i, k) = cs * x + sn * y; t(j, k) = cs * y - sn * x; }
}
EVERY void turn_columns(Matrix<R> t, int i, int j, int first, int end, R cs, R sn) {
    SHARE(k, first, end) { R x = t(k, i), y = t(k, j); t(k, i) = cs * x + sn * y; t(k, j) = cs * y - sn * x; }
}

// A matrix of up to four rows, the same on every thread.
struct Small {
    T m[4][4];
    EVERY T& operator()(int i, int j) { return m[i][j]; }
};

// A unitary matrix of n rows whose first columns span the given ones, by Gram and Schmidt's method, twice; the others
// come from the unit vectors that are farthest from them.
EVERY void orthonormalize(Small& q, int n, int given) {
    for (int j = 0; j < n; j++) {
        int candidate = 0;
        if (j >= given) {
            R farthest = -1;
            for (int i = 0; i < n; i++) {
                R inside = 0;
                for (int k = 0; k < j; k++) inside += square(q.m[i][k]);
                if (1 - inside > farthest) { farthest = 1 - inside; candidate = i; }
            }
            for (int i = 0; i < n; i++) q.m[i][j] = T(i == candidate ? R(1) : R(0));
        }
        for (int again = 0; again < 2; again++) {
            for (int k = 0; k < j; k++) {
                T s = T(0);
                for (int i = 0; i < n; i++) s += conj(q.m[i][k]) * q.m[i][j];
                for (int i = 0; i < n; i++) q.m[i][j] -= q.m[i][k] * s;
            }
            R largest = 0, total = 0;
            for (int i = 0; i < n; i++) largest = larger(largest, norm1(q.m[i][j]));
            if (largest == 0) largest = 1;
            for (int i = 0; i < n; i++) { q.m[i][j] = q.m[i][j] / largest; total += square(q.m[i][j]); }
            total = root(total);
            for (int i = 0; i < n; i++) q.m[i][j] = q.m[i][j] / total;
        }
    }
}

// H(q) times rows i.. of a matrix, from column `first` on
EVERY void times_rows(Matrix<T> a, int i, int n, Small& q, int first, int end) {
    SHARE(c, first, end) {
        T x[4];
        for (int k = 0; k < n; k++) x[k] = a(i + k, c);
        for (int r = 0; r < n; r++) {
            T s = T(0);
            for (int k = 0; k < n; k++) s += conj(q.m[k][r]) * x[k];
            a(i + r, c) = s;
        }
    }
    TOGETHER;
}

// columns j.. of a matrix, up to row `end`, times q
EVERY void times_columns(Matrix<T> a, int j, int n, Small& q, int end) {
    SHARE(r, 0, end) {
        T x[4];
        for (int k = 0; k < n; k++) x[k] = a(r, j + k);
        for (int c = 0; c < n; c++) {
            T s = T(0);
            for (int k = 0; k < n; k++) s += x[k] * q.m[k][c];
            a(r, j + c) = s;
        }
    }
    TOGETHER;
}

// Elimination with complete pivoting of up to eight equations; false if a pivot is not above `least`.
EVERY bool solve_few(T m[8][8], T b[8], int n, R least) {
    int order[8];
    bool regular = true;
    for (int i = 0; i < n; i++) order[i] = i;
    for (int k = 0; k < n; k++) {
        int pi = k, pj = k;
        for (int i = k; i < n; i++)
            for (int j = k; j < n; j++)
                if (norm1(m[i][j]) > norm1(m[pi][pj])) { pi = i; pj = j; }
        for (int j = 0; j < n; j++) { T x = m[k][j]; m[k][j] = m[pi][j]; m[pi][j] = x; }
        for (int i = 0; i < n; i++) { T x = m[i][k]; m[i][k] = m[i][pj]; m[i][pj] = x; }
        T x = b[k]; b[k] = b[pi]; b[pi] = x;
        int o = order[k]; order[k] = order[pj]; order[pj] = o;
        if (!(norm1(m[k][k]) > least)) { m[k][k] = T(least); regular = false; }
        for (int i = k + 1; i < n; i++) {
            T factor = m[i][k] / m[k][k];
            for (int j = k + 1; j < n; j++) m[i][j] -= factor * m[k][j];
            b[i] -= factor * b[k];
        }
    }
    T x[8];
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= m[k][j] * b[j];
        b[k] = b[k] / m[k][k];
    }
    for (int k = 0; k < n; k++) x[order[k]] = b[k];
    for (int k = 0; k < n; k++) b[k] = x[k];
    return regular;
}
