#include "scalar.cuh"
#include "rotations.cuh"
#include "pair.cuh"

// Whether rows k and k + 1 are one block.
EVERY bool is_block(Matrix<T> a, int k, int n) { return k + 1 < n && a(k + 1, k) != T(0); }

// The block of `n1` rows at k and the one of `n2` rows after it change places.  With
//     a11 r - l a22 = a12,  b11 r - l b22 = b12:   a (-r, 1) = (-l, 1) a22,   b (-r, 1) = (-l, 1) b22
// [Z. Bai, J. Demmel, LAA 186 (1993) 73].  Without b it is the identity, l = r, and q = z.
EVERY bool exchange(Pair& p, int k, int n1, int n2, bool single) {
    T m[8][8], x[8];
    int half = n1 * n2, size = single ? half : 2 * half, total = n1 + n2;
    R most = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) m[i][j] = T(0);
    for (int i = 0; i < n1; i++)
        for (int j = 0; j < n2; j++) {
            int row = i * n2 + j;
            x[row] = p.a(k + i, k + n1 + j);
            if (!single) x[half + row] = p.b(k + i, k + n1 + j);
            for (int e = 0; e < n1; e++) {
                m[row][e * n2 + j] += p.a(k + i, k + e);
                if (!single) m[half + row][e * n2 + j] += p.b(k + i, k + e);
            }
            for (int e = 0; e < n2; e++) {
                m[row][(single ? 0 : half) + i * n2 + e] -= p.a(k + n1 + e, k + n1 + j);
                if (!single) m[half + row][half + i * n2 + e] -= p.b(k + n1 + e, k + n1 + j);
            }
        }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) most = larger(most, norm1(m[i][j]));
    TOGETHER;
    bool regular = solve_few(m, x, size, 2 * eps_of(R(0)) * most);
    Small right, left;
    for (int j = 0; j < n2; j++)
        for (int i = 0; i < total; i++) {
            right.m[i][j] = i < n1 ? -x[i * n2 + j] : T(i - n1 == j ? R(1) : R(0));
            if (!single) left.m[i][j] = i < n1 ? -x[half + i * n2 + j] : T(i - n1 == j ? R(1) : R(0));
        }
    orthonormalize(right, total, n2);
    times_columns(p.a, k, total, right, p.n < k + total ? p.n : k + total);
    times_columns(p.z, k, total, right, p.n);
    if (single) {
        times_rows(p.a, k, total, right, k, p.n);
    } else {
        orthonormalize(left, total, n2);
        times_columns(p.b, k, total, right, k + total);
        times_rows(p.a, k, total, left, k, p.n);
        times_rows(p.b, k, total, left, k, p.n);
        times_columns(p.q, k, total, left, p.n);
    }
    if (LANE == 0)
        for (int i = n2; i < total; i++)
            for (int j = 0; j < n2; j++) {
                p.a(k + i, k + j) = T(0);
                if (!single) p.b(k + i, k + j) = T(0);
            }
    TOGETHER;
    return regular;
}

// A real block of a single form gets equal diagonal elements.
template <class F> EVERY void standardize_block(Pair&, Matrix<cx<F>>, int) {}
EVERY void standardize_block(Pair& p, Matrix<R> t, int k) {
    R a = t(k, k), b = t(k, k + 1), c = t(k + 1, k), d = t(k + 1, k + 1), cs, sn;
    TOGETHER;
    standardize(a, b, c, d, cs, sn);
    Matrix<R> z((R*)p.z.p, p.n);
    if (LANE == 0) { t(k, k) = a; t(k, k + 1) = b; t(k + 1, k) = c; t(k + 1, k + 1) = d; }
    turn_rows(t, k, k + 1, k + 2, p.n, cs, sn);
    turn_columns(t, k, k + 1, 0, k, cs, sn);
    turn_columns(z, k, k + 1, 0, p.n, cs, sn);
    TOGETHER;
}

// The blocks of a Schur form, or of a pair's, in ascending order of their labels, of which each row has one; equal ones
// keep their order.  info: 1 where two blocks that change places have equal eigenvalues up to rounding.
extern "C" __global__ void reorder(T* as, T* bs, T* qs, T* zs, int* labels, int* info, int n) {
    bool single = bs == 0;
    Pair p(as, single ? as : bs, single ? zs : qs, zs, n);
    int* label = item_of(labels, n);
    int failed = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int k = 0; k < n;) {
            int n1 = is_block(p.a, k, n) ? 2 : 1, next = k + n1;
            if (next >= n) break;
            int n2 = is_block(p.a, next, n) ? 2 : 1, here = label[k], there = label[next];
            TOGETHER;
            if (here <= there) { k = next; continue; }
            failed |= !exchange(p, k, n1, n2, single);
            if (LANE == 0) {
                for (int i = 0; i < n2; i++) label[k + i] = there;
                for (int i = 0; i < n1; i++) label[k + n2 + i] = here;
            }
            TOGETHER;
            for (int half = 0; half < 2; half++) {
                int at = half ? k + n2 : k, rows = half ? n1 : n2;
                if (rows == 2) {
                    if (single) standardize_block(p, p.a, at);
                    else separate(p, p.a, at);
                } else if (!single) make_positive(p, at);
            }
            moved = true;
            k = k + n2;
        }
    }
    if (LANE == 0) info[item()] = failed;
}
