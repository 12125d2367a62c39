// A pair of matrices that is transformed from both sides, a = q s H(z) and b = q t H(z).
#pragma once

struct Pair {
    Matrix<T> a, b, q, z;
    int n;
    R small_a, small_b;
    EVERY Pair(T* as, T* bs, T* qs, T* zs, int n)
        : a(item_of(as, (long long)n * n), n), b(item_of(bs, (long long)n * n), n),
          q(item_of(qs, (long long)n * n), n), z(item_of(zs, (long long)n * n), n), n(n), small_a(0), small_b(0) {}
    EVERY R length(Matrix<T> m) {
        R total = 0, most = 0;
        SHARE(w, 0, n * n) most = larger(most, measure(m.p[w]));
        most = largest_of_all(most);
        if (!(most > 0)) return 0;
        SHARE(w, 0, n * n) total += square(m.p[w] / most);
        return most * root(sum_of_all(total));
    }
    EVERY void rows(int i, int k, Small& g, int from_a, int from_b) {
        times_rows(a, i, k, g, from_a, n);
        times_rows(b, i, k, g, from_b, n);
        times_columns(q, i, k, g, n);
    }
    EVERY void columns(int j, int k, Small& g, int to_a, int to_b) {
        times_columns(a, j, k, g, to_a < n ? to_a : n);
        times_columns(b, j, k, g, to_b < n ? to_b : n);
        times_columns(z, j, k, g, n);
    }
    EVERY void set(Matrix<T> m, int i, int j, T x) {
        TOGETHER;
        if (LANE == 0) m(i, j) = x;
        TOGETHER;
    }
};

// Whose adjoint maps a column (x, y, ..) to a multiple of the first unit vector.
EVERY void onto_first(Small& g, int n, T x, T y, T w) {
    g.m[0][0] = x; g.m[1][0] = y;
    if (n > 2) g.m[2][0] = w;
    if (x == T(0) && y == T(0) && (n < 3 || w == T(0))) g.m[0][0] = T(1);
    orthonormalize(g, n, 1);
}

// That maps a row (x, y, ..) from the left to a multiple of the last one.
EVERY void onto_last(Small& g, int n, T x, T y, T w) {
    Small f;
    onto_first(f, n, conj(x), conj(y), conj(w));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) g.m[i][j] = f.m[i][(j + 1) % n];
}

// A block of two rows at k: none of a complex form.  Of a real one it becomes two triangles if its eigenvalues are
// real; else b becomes diagonal and positive, with the larger element first.
template <class F> EVERY bool separate(Pair&, Matrix<cx<F>>, int) { return false; }
EVERY bool separate(Pair& p, Matrix<R> a, int k) {
    Matrix<R> b(p.b.p ? (R*)p.b.p : 0, p.n);
    R a11 = a(k, k), a12 = a(k, k + 1), a21 = a(k + 1, k), a22 = a(k + 1, k + 1);
    R b11 = b(k, k), b12 = b(k, k + 1), b21 = b(k + 1, k), b22 = b(k + 1, k + 1);
    TOGETHER;
    Small g;
    R det = b11 * b22 - b12 * b21;
    // m = a inv(b), with its mean and half of the difference on the diagonal
    R m11 = (a11 * b22 - a12 * b21) / det, m12 = (a12 * b11 - a11 * b12) / det;
    R m21 = (a21 * b22 - a22 * b21) / det, m22 = (a22 * b11 - a21 * b12) / det;
    R half = (m11 - m22) / 2, square_of_rise = half * half + m12 * m21;
    if (square_of_rise >= 0) {
        R value = (m11 + m22) / 2 + sign(root(square_of_rise), m11 + m22);
        R c11 = a11 - value * b11, c12 = a12 - value * b12, c21 = a21 - value * b21, c22 = a22 - value * b22;
        bool upper = hypot(c11, c12) >= hypot(c21, c22);
        onto_first(g, 2, T(upper ? -c12 : -c22), T(upper ? c11 : c21), T(0));
        p.columns(k, 2, g, k + 2, k + 2);
        R x = hypot(a(k, k), a(k + 1, k)), y = fabs(value) * hypot(b(k, k), b(k + 1, k));
        Matrix<R> use = x >= y ? a : b;
        R first = use(k, k), second = use(k + 1, k);
        TOGETHER;
        onto_first(g, 2, T(first), T(second), T(0));
        p.rows(k, 2, g, k, k);
        p.set(p.a, k + 1, k, T(0));
        p.set(p.b, k + 1, k, T(0));
        return true;
    }
    // b v has orthogonal columns: one of Jacobi's rotations; then it is divided by their lengths
    R x = b11 * b11 + b21 * b21, y = b12 * b12 + b22 * b22, off = b11 * b12 + b21 * b22, cs = 1, sn = 0;
    if (off != 0) {
        R theta = (y - x) / (2 * off), t = sign(R(1), theta) / (fabs(theta) + root(1 + theta * theta));
        cs = 1 / root(1 + t * t);
        sn = cs * t;
    }
    R u11 = cs * b11 - sn * b12, u21 = cs * b21 - sn * b22, u12 = sn * b11 + cs * b12, u22 = sn * b21 + cs * b22;
    bool swap = hypot(u12, u22) > hypot(u11, u21);
    g.m[0][0] = T(swap ? sn : cs); g.m[1][0] = T(swap ? cs : -sn);
    g.m[0][1] = T(swap ? cs : sn); g.m[1][1] = T(swap ? -sn : cs);
    p.columns(k, 2, g, k + 2, k + 2);
    R first = b(k, k), second = b(k + 1, k), third = b(k, k + 1), fourth = b(k + 1, k + 1);
    TOGETHER;
    R s1 = hypot(first, second), s2 = hypot(third, fourth);
    g.m[0][0] = T(first / s1); g.m[1][0] = T(second / s1);
    g.m[0][1] = T(-second / s1); g.m[1][1] = T(first / s1);
    if ((first * fourth - second * third) < 0) { g.m[0][1] = -g.m[0][1]; g.m[1][1] = -g.m[1][1]; }
    p.rows(k, 2, g, k, k);
    TOGETHER;
    if (LANE == 0) { b(k, k) = s1; b(k + 1, k + 1) = s2; b(k + 1, k) = 0; b(k, k + 1) = 0; }
    TOGETHER;
    return false;
}

// A column of a and of z by which the diagonal of b becomes real and not negative.
EVERY void make_positive(Pair& p, int k) {
    T d = p.b(k, k);
    TOGETHER;
    R size = modulus(d);
    if (size == 0 || (im(d) == 0 && re(d) > 0)) return;
    T phase = conj(d) / size;
    SHARE(i, 0, p.n) {
        if (i <= k + 1) p.a(i, k) = p.a(i, k) * phase;
        if (i <= k) p.b(i, k) = i == k ? T(size) : p.b(i, k) * phase;
        p.z(i, k) = p.z(i, k) * phase;
    }
    TOGETHER;
}
