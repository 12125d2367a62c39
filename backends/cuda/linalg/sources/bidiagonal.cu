#include "scalar.cuh"
#include "planes.cuh"

// H(1 - tau v H(v)) a on rows first.., columns left..; v(first) is 1, and below it stands in a column.
EVERY void from_left(Matrix<T> a, int column, T tau, int first, int m, int left, int n) {
    SHARE(j, left, n) {
        T s = a(first, j);
        for (int i = first + 1; i < m; i++) s += conj(a(i, column)) * a(i, j);
        s = conj(tau) * s;
        a(first, j) -= s;
        for (int i = first + 1; i < m; i++) a(i, j) -= a(i, column) * s;
    }
    TOGETHER;
}

// a (1 - tau v H(v)) on rows top.., columns first..; v(first) is 1, and beside it stands in a row.
EVERY void from_right(Matrix<T> a, int row, T tau, int first, int n, int top, int m) {
    SHARE(i, top, m) {
        T s = a(i, first);
        for (int j = first + 1; j < n; j++) s += a(i, j) * a(row, j);
        s = s * tau;
        a(i, first) -= s;
        for (int j = first + 1; j < n; j++) a(i, j) -= s * conj(a(row, j));
    }
    TOGETHER;
}

// a = q b H(p) with a real upper bidiagonal b, for at least as many rows as columns: LAPACK's gebd2.  The vectors of q
// are left in the columns, those of p in the rows.  [G. Golub, W. Kahan, SIAM J. Numer. Anal. B 2 (1965) 205]
extern "C" __global__ void bidiagonalize(T* all, T* lefts, T* rights, R* diagonals, R* others, int m, int n) {
    Matrix<T> a(item_of(all, (long long)m * n), n);
    T *left = item_of(lefts, n), *right = item_of(rights, n);
    R *d = diagonals + item() * n, *e = others + item() * n;
    for (int i = 0; i < n; i++) {
        T alpha = a(i, i);
        TOGETHER;
        T tau = reflector(alpha, &a(i, i) + n, m - i - 1, n);
        if (LANE == 0) { left[i] = tau; d[i] = re(alpha); a(i, i) = alpha; }
        TOGETHER;
        from_left(a, i, tau, i, m, i + 1, n);
        if (i + 1 == n) break;
        SHARE(j, i + 1, n) a(i, j) = conj(a(i, j));
        TOGETHER;
        alpha = a(i, i + 1);
        TOGETHER;
        tau = reflector(alpha, &a(i, i + 1) + 1, n - i - 2, 1);
        if (LANE == 0) { right[i] = tau; e[i] = re(alpha); }
        TOGETHER;
        from_right(a, i, tau, i + 1, n, i + 1, m);
    }
}

EVERY R sign_of(R a) { return sign(R(1), a); }

// The smaller singular value of [[f, g], [0, h]]: LAPACK's las2.
EVERY R smaller_of_two(R f, R g, R h) {
    f = fabs(f); g = fabs(g); h = fabs(h);
    R least = smaller(f, h), most = larger(f, h);
    if (least == 0) return 0;
    if (g < most) {
        R as = 1 + least / most, at = (most - least) / most, au = square(g / most);
        return least * (2 / (root(as * as + au) + root(at * at + au)));
    }
    R au = most / g;
    if (au == 0) return (least * most) / g;
    R as = 1 + least / most, at = (most - least) / most;
    R x = (least * (1 / (root(1 + square(as * au)) + root(1 + square(at * au))))) * au;
    return x + x;
}

// The implicit, and at shift 0 exact, QR iteration for bidiagonal matrices: LAPACK's bdsqr, so that the signs are
// LAPACK's, too.  [J. Demmel, W. Kahan, SIAM J. Sci. Stat. Comput. 11 (1990) 873]
struct Chase {
    R *d, *e, *cr, *sr, *cl, *sl;
    int n;
    R tol, thresh;
    int m, steps, first_before, last_before;  // rows 0..m are at work
    bool down, failed, backward;
    int first;

    EVERY void begin() {
        const R eps = eps_of(R(0));
        tol = smaller(R(100), larger(R(10), pow(eps, R(-0.125)))) * eps;
        R least = fabs(d[0]), mu = least;
        for (int i = 1; i < n && least != 0; i++) {
            mu = fabs(d[i]) * (mu / (mu + fabs(e[i - 1])));
            least = smaller(least, mu);
        }
        thresh = larger(tol * (least / root(R(n))), 6 * (n * (n * tiny_of(R(0)))));
        m = n - 1;
        steps = 0;
        first_before = last_before = -2;
        down = failed = backward = false;
        first = 0;
    }

    // [[f, g], [0, h]] = diag(larger, smaller) between two rotations: LAPACK's lasv2.
    EVERY void two_rows(int i) {
        R f = d[i], g = e[i], h = d[i + 1], ft = f, fa = fabs(f), ht = h, ha = fabs(h), gt = g, ga = fabs(g);
        int most = 1;
        bool swapped = ha > fa;
        if (swapped) { most = 3; R x = ft; ft = ht; ht = x; x = fa; fa = ha; ha = x; }
        R small = ha, large = fa, clt = 1, crt = 1, slt = 0, srt = 0;
        if (ga != 0) {
            if (ga > fa) most = 2;
            if (ga > fa && fa / ga < eps_of(R(0))) {
                large = ga;
                small = ha > 1 ? fa / (ga / ha) : (fa / ga) * ha;
                clt = 1; slt = ht / gt; srt = 1; crt = ft / gt;
            } else {
                R df = fa - ha, l = df == fa ? R(1) : df / fa, q = gt / ft, t = 2 - l, qq = q * q, tt = t * t;
                R s = root(tt + qq), r = l == 0 ? fabs(q) : root(l * l + qq), a = (s + r) / 2;
                small = ha / a;
                large = fa * a;
                if (qq == 0) t = l == 0 ? sign(R(2), ft) * sign_of(gt) : gt / sign(df, ft) + q / t;
                else t = (q / (s + t) + q / (r + l)) * (1 + a);
                l = root(t * t + 4);
                crt = 2 / l; srt = t / l;
                clt = (crt + srt * q) / a;
                slt = (ht / ft) * srt / a;
            }
        }
        R csl = swapped ? srt : clt, snl = swapped ? crt : slt, csr = swapped ? slt : crt, snr = swapped ? clt : srt;
        R t = most == 1 ? sign_of(csr) * sign_of(csl) * sign_of(f)
            : most == 2 ? sign_of(snr) * sign_of(csl) * sign_of(g) : sign_of(snr) * sign_of(snl) * sign_of(h);
        d[i] = sign(large, t);
        d[i + 1] = sign(small, t * sign_of(f) * sign_of(h));
        e[i] = 0;
        cr[0] = csr; sr[0] = snr; cl[0] = csl; sl[0] = snl;
        first = i;
        backward = false;
    }

    // Row number k of l..m in the direction of the chase, and the element of e between it and the next one.
    EVERY int row(int k, int l) { return down ? l + k : m - k; }
    EVERY int link(int k, int l) { return down ? l + k : m - k - 1; }

    EVERY int sweep(int l, R shift) {
        int count = m - l, i = row(0, l);
        R r, c = 1, s = 0, c2 = 1, s2 = 0, f, g;
        if (shift != 0) {
            f = (fabs(d[i]) - shift) * (sign_of(d[i]) + shift / d[i]);
            g = e[link(0, l)];
        }
        for (int k = 0; k < count; k++) {
            int i = row(k, l), j = row(k + 1, l), between = link(k, l);
            if (shift == 0) {
                plane(d[i] * c, e[between], c, s, r);
                if (k > 0) e[link(k - 1, l)] = s2 * r;
                plane(c2 * r, d[j] * s, c2, s2, d[i]);
            } else {
                plane(f, g, c, s, r);
                if (k > 0) e[link(k - 1, l)] = r;
                f = c * d[i] + s * e[between];
                e[between] = c * e[between] - s * d[i];
                g = s * d[j];
                d[j] = c * d[j];
                plane(f, g, c2, s2, r);
                d[i] = r;
                f = c2 * e[between] + s2 * d[j];
                d[j] = c2 * d[j] - s2 * e[between];
                if (k + 1 < count) { int after = link(k + 1, l); g = s2 * e[after]; e[after] = c2 * e[after]; }
            }
            int slot = down ? k : count - 1 - k;
            R *ca = down ? cr : cl, *sa = down ? sr : sl, *cb = down ? cl : cr, *sb = down ? sl : sr;
            ca[slot] = c; sa[slot] = down ? s : -s;
            cb[slot] = c2; sb[slot] = down ? s2 : -s2;
        }
        int last = row(count, l), end = link(count - 1, l);
        if (shift == 0) {
            R h = d[last] * c;
            d[last] = h * c2;
            e[end] = h * s2;
        } else e[end] = f;
        if (fabs(e[end]) <= thresh) e[end] = 0;
        first = l;
        backward = !down;
        return count;
    }

    // The next rotations: how many, or 0 if all is done.
    EVERY int rotations() {
        const R eps = eps_of(R(0));
        while (m > 0) {
            if (steps > 6 * n * n) { failed = true; return 0; }
            R largest = fabs(d[m]);
            int l = m - 1;
            for (; l >= 0; l--) {
                if (fabs(e[l]) <= thresh) break;
                largest = larger(largest, larger(fabs(d[l]), fabs(e[l])));
            }
            if (l >= 0) e[l] = 0;
            l++;
            if (l == m) { m--; continue; }
            if (l == m - 1) { two_rows(l); m -= 2; return 1; }
            if (l > last_before || m < first_before) down = fabs(d[l]) >= fabs(d[m]);
            int count = m - l;
            if (fabs(e[link(count - 1, l)]) <= tol * fabs(d[row(count, l)])) { e[link(count - 1, l)] = 0; continue; }
            R mu = fabs(d[row(0, l)]), least = mu;
            bool split = false;
            for (int k = 0; k < count && !split; k++) {
                if (fabs(e[link(k, l)]) <= tol * mu) { e[link(k, l)] = 0; split = true; }
                mu = fabs(d[row(k + 1, l)]) * (mu / (mu + fabs(e[link(k, l)])));
                least = smaller(least, mu);
            }
            if (split) continue;
            first_before = l;
            last_before = m;
            R shift = 0;
            if (!(n * tol * (least / largest) <= larger(eps, R(0.01) * tol))) {
                shift = down ? smaller_of_two(d[m - 1], e[m - 1], d[m]) : smaller_of_two(d[l], e[l], d[l + 1]);
                R top = fabs(d[row(0, l)]);
                if (top > 0 && square(shift / top) < eps) shift = 0;
            }
            steps += count;
            return sweep(l, shift);
        }
        return 0;
    }

    // The rotations from the left that make a lower bidiagonal matrix an upper one.
    EVERY int rotations_of_lower() {
        R r;
        for (int i = 0; i + 1 < n; i++) {
            plane(d[i], e[i], cl[i], sl[i], r);
            d[i] = r;
            e[i] = sl[i] * d[i + 1];
            d[i + 1] = cl[i] * d[i + 1];
        }
        first = 0;
        return n - 1;
    }
};

// The singular values, not in order, of bidiagonal matrices; the columns of u and v are turned along, if there are any.
extern "C" __global__ void singular_values(
    R* diagonals, R* others, T* lefts, T* rights, int* info, int n, int rows_u, int columns_u, int rows_v,
    int columns_v, int lower) {
    __shared__ R d[MOST], e[MOST], cr[MOST], sr[MOST], cl[MOST], sl[MOST];
    __shared__ int count, first, backward;
    Matrix<T> u(item_of(lefts, (long long)rows_u * columns_u), columns_u);
    Matrix<T> v(item_of(rights, (long long)rows_v * columns_v), columns_v);
    SHARE(i, 0, n) { d[i] = diagonals[item() * n + i]; e[i] = others[item() * n + i]; }
    TOGETHER;
    Chase work;
    work.d = d; work.e = e; work.cr = cr; work.sr = sr; work.cl = cl; work.sl = sl; work.n = n;
    if (lower) {
        if (LANE == 0) count = work.rotations_of_lower();
        TOGETHER;
        turn(u, rows_u, 0, count, false, cl, sl);
        TOGETHER;
    }
    if (LANE == 0) work.begin();
    for (;;) {
        if (LANE == 0) { count = work.rotations(); first = work.first; backward = work.backward; }
        TOGETHER;
        if (count == 0) break;
        turn(u, rows_u, first, count, backward, cl, sl);
        turn(v, rows_v, first, count, backward, cr, sr);
        TOGETHER;
    }
    for (int j = 0; j < n; j++) {
        if (!(d[j] < 0)) continue;
        if (n > 1) SHARE(i, 0, rows_v) v(i, j) = -v(i, j);
        else SHARE(i, 0, rows_u) u(i, j) = -u(i, j);  // as LAPACK's bdsdc
    }
    SHARE(j, 0, n) diagonals[item() * n + j] = fabs(d[j]);
    if (LANE == 0) info[item()] = work.failed;
}
