#include "scalar.cuh"
#include "planes.cuh"

// The eigenvalues of real symmetric tridiagonal matrices by the implicit QL or QR iteration, whose rotations turn the
// columns of z: LAPACK's steqr, so that the signs are LAPACK's, too.  [B. Parlett, The symmetric eigenvalue problem, 8.11-13]

// Thread 0's part: the diagonal d and the subdiagonal e, and which block is at work.
struct Iteration {
    R *d, *e, *c, *s;
    int n, next, l, end, steps;  // rows before `next` are in a block; of the block at work l..end is left
    bool busy, backward, failed;
    int first;

    // [[a, b], [b, c]] = diag(larger, smaller) turned: LAPACK's laev2.
    EVERY void two_rows(int i) {
        R a = d[i], b = e[i], f = d[i + 1];
        R sum = a + f, df = a - f, adf = fabs(df), tb = b + b, ab = fabs(tb);
        R most = fabs(a) > fabs(f) ? a : f, least = fabs(a) > fabs(f) ? f : a;
        R rt = adf > ab ? adf * root(1 + square(ab / adf)) : adf < ab ? ab * root(1 + square(adf / ab)) : ab * root(R(2));
        int sum_sign = sum < 0 ? -1 : 1, df_sign = df >= 0 ? 1 : -1;
        R first_value, second_value;
        if (sum == 0) {
            first_value = rt / 2;
            second_value = -rt / 2;
        } else {
            first_value = (sum + sum_sign * rt) / 2;
            second_value = (most / first_value) * least - (b / first_value) * b;
        }
        R x = df + df_sign * rt, cs, sn;
        if (fabs(x) > ab) {
            R ct = -tb / x;
            sn = 1 / root(1 + ct * ct);
            cs = ct * sn;
        } else if (ab == 0) {
            cs = 1;
            sn = 0;
        } else {
            R tn = -x / tb;
            cs = 1 / root(1 + tn * tn);
            sn = tn * cs;
        }
        if (sum_sign == df_sign) { R y = cs; cs = -sn; sn = y; }
        d[i] = first_value; d[i + 1] = second_value; e[i] = 0;
        c[0] = cs; s[0] = sn;
        first = i;
    }

    EVERY void sweep(int m) {
        bool down = end > l;
        int i = down ? l : l - 1;
        R p = d[l], g = (d[down ? l + 1 : l - 1] - p) / (2 * e[i]), r = root(g * g + 1);
        g = d[m] - p + e[i] / (g + sign(r, g));
        R sn = 1, cs = 1;
        p = 0;
        int count = down ? m - l : l - m, step = down ? -1 : 1;
        for (int k = 0; k < count; k++) {
            i = down ? m - 1 - k : m + k;
            int near = down ? i + 1 : i, far = down ? i : i + 1;
            R f = sn * e[i], b = cs * e[i];
            plane(g, f, cs, sn, r);
            if (k > 0) e[i - step] = r;
            g = d[near] - p;
            r = (d[far] - g) * sn + 2 * cs * b;
            p = sn * r;
            d[near] = g + p;
            g = cs * r - b;
            int slot = down ? i - l : k;
            c[slot] = cs;
            s[slot] = down ? -sn : sn;
        }
        d[l] -= p;
        e[down ? l : l - 1] = g;
        first = down ? l : m;
        backward = down;
    }

    // The next rotations: how many, or 0 if all blocks are done.
    EVERY int rotations() {
        const R eps = eps_of(R(0)), small = tiny_of(R(0));
        for (;;) {
            if (!busy) {
                if (next >= n || failed) return 0;
                if (next > 0) e[next - 1] = 0;
                int m = next;
                for (; m + 1 < n && e[m] != 0; m++)
                    if (fabs(e[m]) <= root(fabs(d[m])) * root(fabs(d[m + 1])) * eps) { e[m] = 0; break; }
                l = next;
                end = m;
                next = m + 1;
                if (end == l) continue;
                if (fabs(d[end]) < fabs(d[l])) { int x = l; l = end; end = x; }
                busy = true;
            }
            int step = end > l ? 1 : end < l ? -1 : 0, m = l;
            for (; m != end; m += step) {
                R below = e[step > 0 ? m : m - 1];
                if (below * below <= (eps * eps * fabs(d[m])) * fabs(d[m + step]) + small) break;
            }
            if (m != end) e[step > 0 ? m : m - 1] = 0;
            if (m == l) {
                if (l == end) busy = false; else l += step;
                continue;
            }
            if (m == l + step) {
                two_rows(step > 0 ? l : l - 1);
                if (m == end) busy = false; else l += 2 * step;
                return 1;
            }
            if (steps == 30 * n) { failed = true; busy = false; continue; }
            steps++;
            int count = step > 0 ? m - l : l - m;
            sweep(m);
            return count;
        }
    }
};

extern "C" __global__ void eigenvalues(R* diagonals, R* subdiagonals, T* vectors, int* info, int n) {
    __shared__ R d[MOST], e[MOST], c[MOST], s[MOST];
    __shared__ int count, first, backward;
    Matrix<T> z(item_of(vectors, (long long)n * n), n);
    SHARE(i, 0, n) { d[i] = diagonals[item() * n + i]; e[i] = subdiagonals[item() * n + i]; }
    TOGETHER;
    Iteration work = {d, e, c, s, n, 0, 0, 0, 0, false, false, false, 0};
    for (;;) {
        if (LANE == 0) { count = work.rotations(); first = work.first; backward = work.backward; }
        TOGETHER;
        if (count == 0) break;
        turn(z, n, first, count, backward, c, s);
        TOGETHER;
    }
    SHARE(i, 0, n) diagonals[item() * n + i] = d[i];
    if (LANE == 0) info[item()] = work.failed;
}
