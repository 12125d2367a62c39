#include "scalar.cuh"
#include "planes.cuh"

// Rows i and i + 1, and columns i and i + 1 of a and q, turned.
EVERY void turn_both(Matrix<T> a, Matrix<T> q, int n, int i, R c, R s) {
    SHARE(j, 0, n) {
        T x = a(i, j), y = a(i + 1, j);
        a(i, j) = c * x + s * y;
        a(i + 1, j) = c * y - s * x;
    }
    TOGETHER;
    SHARE(w, 0, 2 * n) {
        T *row = w < n ? &a(w, i) : &q(w - n, i), x = row[0], y = row[1];
        row[0] = c * x + s * y;
        row[1] = c * y - s * x;
    }
    TOGETHER;
}

// A tridiagonal matrix in place of a real symmetric banded one, a = q t H(q), by rotations from the last row of a column
// to the second; what each brings to be outside of the band is moved out at the end: LAPACK's sbtrd, with its signs.
// [H. Schwarz, Numer. Math. 12 (1968) 231]
extern "C" __global__ void tridiagonalize_band(T* all, T* vectors, int n, int width) {
    Matrix<T> a(item_of(all, (long long)n * n), n), q(item_of(vectors, (long long)n * n), n);
    SHARE(w, 0, n * n) q.p[w] = T(w / n == w % n ? R(1) : R(0));
    TOGETHER;
    for (int column = 0; column + 2 < n; column++) {
        for (int k = width < n - 1 - column ? width : n - 1 - column; k > 1; k--) {
            int from = column;
            for (int row = column + k; row < n; from = row - 1, row += width) {
                R f = re(a(row - 1, from)), g = re(a(row, from)), c, s, r;
                TOGETHER;
                plane(f, g, c, s, r);
                if (from != column && g != 0) {  // the other half turn, where LAPACK's largv takes it
                    R turned = fabs(f) > fabs(g) ? R(1) : f < 0 ? -sign(R(1), g) : sign(R(1), g);
                    c = turned * c;
                    s = turned * s;
                }
                if (g != 0) turn_both(a, q, n, row - 1, c, s);
                if (LANE == 0) a(row, from) = a(from, row) = T(0);
                TOGETHER;
            }
        }
    }
}
