#include "scalar.cuh"
#include "rotations.cuh"

// The Schur form t of a Hessenberg matrix h = z t H(z), in place of h and, times the matrix that is there, of z.
// Small-bulge QR iteration with the deflation criterion of Ahues and Tisseur: LAPACK's lahqr.  info: 0, or how many
// leading rows are not in the form when an eigenvalue takes more than 30 max(10, n) steps.

#define EXCEPTIONAL 10  // every so many steps without a deflation another shift is tried

// Whether h(k, k-1) is negligible.
template <class V> EVERY bool negligible(Matrix<V> h, int k, int n, R small, R ulp) {
    R below = norm1(h(k, k - 1));
    if (below <= small) return true;
    R beside = norm1(h(k - 1, k - 1)) + norm1(h(k, k));
    if (beside == 0) {
        if (k >= 2) beside += fabs(re(h(k - 1, k - 2)));
        if (k + 1 < n) beside += fabs(re(h(k + 1, k)));
    }
    if (!(below <= ulp * beside)) return false;
    R above = norm1(h(k - 1, k)), here = norm1(h(k, k)), apart = norm1(h(k - 1, k - 1) - h(k, k));
    R ab = larger(below, above), ba = smaller(below, above), aa = larger(here, apart), bb = smaller(here, apart);
    R s = aa + ab;
    return ba * (ab / s) <= larger(small, ulp * (bb * (aa / s)));
}

// Francis' double steps.
EVERY int iterate(Matrix<R> h, Matrix<R> z, int n) {
    const R ulp = 2 * eps_of(R(0)), small = tiny_of(R(0)) * (n / ulp);
    int since = 0;
    for (int i = n - 1; i >= 0;) {
        int l = 0;
        bool found = false;
        for (int step = 0; step <= 30 * (n > 10 ? n : 10); step++) {
            int k = i;
            while (k > l && !negligible(h, k, n, small, ulp)) k--;
            l = k;
            TOGETHER;
            if (l > 0 && LANE == 0) h(l, l - 1) = 0;
            TOGETHER;
            if (l >= i - 1) { found = true; break; }
            since++;
            R h11, h12, h21, h22;
            if (since % EXCEPTIONAL == 0) {
                bool last = since % (2 * EXCEPTIONAL) == 0;
                R s = last ? fabs(h(i, i - 1)) + fabs(h(i - 1, i - 2)) : fabs(h(l + 1, l)) + fabs(h(l + 2, l + 1));
                h11 = h22 = R(0.75) * s + (last ? h(i, i) : h(l, l));
                h12 = R(-0.4375) * s;
                h21 = s;
            } else {
                h11 = h(i - 1, i - 1); h21 = h(i, i - 1); h12 = h(i - 1, i); h22 = h(i, i);
            }
            R s = fabs(h11) + fabs(h12) + fabs(h21) + fabs(h22), r1 = 0, r2 = 0, i1 = 0;
            if (s != 0) {
                h11 /= s; h12 /= s; h21 /= s; h22 /= s;
                R tr = (h11 + h22) / 2, det = (h11 - tr) * (h22 - tr) - h12 * h21, rise = root(fabs(det));
                if (det >= 0) {
                    r1 = r2 = tr * s;
                    i1 = rise * s;
                } else {
                    R up = tr + rise, down = tr - rise;
                    r1 = r2 = (fabs(up - h22) <= fabs(down - h22) ? up : down) * s;
                }
            }
            R v1, v2, v3;
            int m = i - 2;
            for (;; m--) {
                R g = fabs(h(m + 1, m)), w = fabs(h(m, m) - r2) + i1 + g;
                g = h(m + 1, m) / w;
                v1 = g * h(m, m + 1) + (h(m, m) - r1) * ((h(m, m) - r2) / w) + i1 * (i1 / w);
                v2 = g * (h(m, m) + h(m + 1, m + 1) - r1 - r2);
                v3 = g * h(m + 2, m + 1);
                w = fabs(v1) + fabs(v2) + fabs(v3);
                v1 /= w; v2 /= w; v3 /= w;
                if (m == l) break;
                R near = fabs(h(m - 1, m - 1)) + fabs(h(m, m)) + fabs(h(m + 1, m + 1));
                if (fabs(h(m, m - 1)) * (fabs(v2) + fabs(v3)) <= ulp * fabs(v1) * near) break;
            }
            for (k = m; k < i; k++) {
                bool three = k + 1 < i;
                if (k > m) { v1 = h(k, k - 1); v2 = h(k + 1, k - 1); v3 = three ? h(k + 2, k - 1) : 0; }
                if (!three) v3 = 0;
                R length = hypot(v2, v3), t = 0, u2 = 0, u3 = 0, beta = v1;
                if (length != 0) {
                    beta = -sign(hypot(v1, length), v1);
                    t = (beta - v1) / beta; u2 = v2 / (v1 - beta); u3 = v3 / (v1 - beta);
                }
                TOGETHER;
                if (LANE == 0) {
                    if (k > m) {
                        h(k, k - 1) = beta; h(k + 1, k - 1) = 0;
                        if (three) h(k + 2, k - 1) = 0;
                    } else if (m > l) h(k, k - 1) *= 1 - t;
                }
                R t2 = t * u2, t3 = t * u3;
                SHARE(j, k, n) {
                    R sum = h(k, j) + u2 * h(k + 1, j) + (three ? u3 * h(k + 2, j) : 0);
                    h(k, j) -= sum * t; h(k + 1, j) -= sum * t2;
                    if (three) h(k + 2, j) -= sum * t3;
                }
                TOGETHER;
                int end = k + 3 < i ? k + 4 : i + 1;
                SHARE(w, 0, end + n) {
                    R* row = w < end ? &h(w, k) : &z(w - end, k);
                    R sum = row[0] + u2 * row[1] + (three ? u3 * row[2] : 0);
                    row[0] -= sum * t; row[1] -= sum * t2;
                    if (three) row[2] -= sum * t3;
                }
                TOGETHER;
            }
        }
        if (!found) return i + 1;
        if (l == i - 1) {
            R a = h(l, l), b = h(l, i), c = h(i, l), d = h(i, i), cs, sn;
            standardize(a, b, c, d, cs, sn);
            TOGETHER;
            if (LANE == 0) { h(l, l) = a; h(l, i) = b; h(i, l) = c; h(i, i) = d; }
            turn_rows(h, l, i, i + 1, n, cs, sn);
            TOGETHER;
            turn_columns(h, l, i, 0, l, cs, sn);
            turn_columns(z, l, i, 0, n, cs, sn);
            TOGETHER;
        }
        since = 0;
        i = l - 1;
    }
    return 0;
}

// row i of h from column `first`, and column i of h up to row `end`, and of z, times a number of modulus 1
template <class F> EVERY void rephase(Matrix<cx<F>> h, Matrix<cx<F>> z, int i, int first, int end, int n, cx<F> row) {
    cx<F> column = conj(row);
    SHARE(j, first, n) h(i, j) = row * h(i, j);
    TOGETHER;
    SHARE(k, 0, end) h(k, i) = column * h(k, i);
    SHARE(k, 0, n) z(k, i) = column * z(k, i);
    TOGETHER;
}

// Single steps with Wilkinson's shift; the subdiagonal is kept real.
template <class F> EVERY int iterate(Matrix<cx<F>> h, Matrix<cx<F>> z, int n) {
    typedef cx<F> V;
    const F ulp = 2 * eps_of(F(0)), small = tiny_of(F(0)) * (n / ulp);
    int since = 0;
    for (int i = 1; i < n; i++) {
        V x = h(i, i - 1);
        TOGETHER;
        if (x.y != 0) {
            F size = modulus(x);
            rephase(h, z, i, i, i + 2 < n ? i + 2 : n, n, conj(x) / size);
            if (LANE == 0) h(i, i - 1) = V(size);
            TOGETHER;
        }
    }
    for (int i = n - 1; i >= 0;) {
        int l = 0;
        bool found = false;
        for (int step = 0; step <= 30 * (n > 10 ? n : 10); step++) {
            int k = i;
            while (k > l && !negligible(h, k, n, small, ulp)) k--;
            l = k;
            TOGETHER;
            if (l > 0 && LANE == 0) h(l, l - 1) = V(0);
            TOGETHER;
            if (l >= i) { found = true; break; }
            since++;
            V t = h(i, i);
            if (since % EXCEPTIONAL == 0) {
                bool last = since % (2 * EXCEPTIONAL) == 0;
                t = V(F(0.75) * fabs(last ? h(i, i - 1).x : h(l + 1, l).x)) + (last ? h(i, i) : h(l, l));
            } else {
                V u = root(h(i - 1, i)) * root(h(i, i - 1));
                F s = norm1(u);
                if (s != 0) {
                    V x = F(0.5) * (h(i - 1, i - 1) - t);
                    F sx = norm1(x);
                    s = larger(s, sx);
                    V y = s * root((x / s) * (x / s) + (u / s) * (u / s));
                    if (sx > 0 && (x.x / sx) * y.x + (x.y / sx) * y.y < 0) y = -y;
                    t -= u * (u / (x + y));
                }
            }
            V v1;
            F v2;
            int m = i - 1;
            for (;; m--) {
                V here = h(m, m) - t;
                F below = h(m + 1, m).x, s = norm1(here) + fabs(below);
                v1 = here / s;
                v2 = below / s;
                if (m == l) break;
                F beside = norm1(v1) * (norm1(h(m, m)) + norm1(h(m + 1, m + 1)));
                if (fabs(h(m, m - 1).x) * fabs(v2) <= ulp * beside) break;
            }
            for (k = m; k < i; k++) {
                V second = V(v2);
                if (k > m) { v1 = h(k, k - 1); second = h(k + 1, k - 1); }
                V beta = v1, t1 = V(0), u = V(0);
                F length = modulus(second);
                if (length != 0 || v1.y != 0) {
                    F b = -sign(F(hypot(modulus(v1), length)), v1.x);
                    t1 = V((b - v1.x) / b, -v1.y / b);
                    u = second / (v1 - V(b));
                    beta = V(b);
                }
                F t2 = (t1 * u).x;
                TOGETHER;
                if (k > m && LANE == 0) { h(k, k - 1) = beta; h(k + 1, k - 1) = V(0); }
                SHARE(j, k, n) {
                    V sum = conj(t1) * h(k, j) + t2 * h(k + 1, j);
                    h(k, j) -= sum;
                    h(k + 1, j) -= sum * u;
                }
                TOGETHER;
                int end = k + 2 < i ? k + 3 : i + 1;
                SHARE(w, 0, end + n) {
                    V* row = w < end ? &h(w, k) : &z(w - end, k);
                    V sum = t1 * row[0] + t2 * row[1];
                    row[0] -= sum;
                    row[1] -= sum * conj(u);
                }
                TOGETHER;
                if (k == m && m > l) {  // the first reflection was not of the column beside it
                    V phase = V(1) - t1;
                    phase = phase / F(modulus(phase));
                    if (LANE == 0) {
                        h(m + 1, m) = h(m + 1, m) * conj(phase);
                        if (m + 2 <= i) h(m + 2, m + 1) = h(m + 2, m + 1) * phase;
                    }
                    TOGETHER;
                    for (int j = m; j <= i; j++)
                        if (j != m + 1) rephase(h, z, j, j + 1, j, n, phase);
                }
            }
            V last = h(i, i - 1);
            TOGETHER;
            if (last.y != 0) {
                F size = modulus(last);
                rephase(h, z, i, i + 1, i, n, conj(last) / size);
                if (LANE == 0) h(i, i - 1) = V(size);
                TOGETHER;
            }
        }
        if (!found) return i + 1;
        since = 0;
        i = l - 1;
    }
    return 0;
}

extern "C" __global__ void schur(T* all, T* vectors, int* info, int n) {
    Matrix<T> h(item_of(all, (long long)n * n), n), z(item_of(vectors, (long long)n * n), n);
    int failed = iterate(h, z, n);
    TOGETHER;
    SHARE(w, 0, n * n) {  // what the steps left below the form is rounding
        int i = w / n, j = w % n;
        if (i > j + 1 || (i == j + 1 && im(h(i, j)) != 0)) h.p[w] = T(0);
    }
    if (LANE == 0) info[item()] = failed;
}
