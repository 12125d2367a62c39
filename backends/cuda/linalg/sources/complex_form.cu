#include "scalar.cuh"

// The complex Schur form from a real one: each block of two rows, from the last one on, is rotated into a triangle.
// SciPy's rsf2csf, with its phases: the first row of the rotation is (w - q, c) conjugated, for [[p b], [c q]].
extern "C" __global__ void complex_from_real(T* all, T* vectors, int n) {
    Matrix<T> t(item_of(all, (long long)n * n), n), z(item_of(vectors, (long long)n * n), n);
    for (int m = n - 1; m > 0; m--) {
        T p = t(m - 1, m - 1), q = t(m, m), b = t(m - 1, m), c = t(m, m - 1);
        TOGETHER;
        if (norm1(c) > 2 * eps_of(R(0)) * (modulus(p) + modulus(q))) {
            // the eigenvalue that is farther from q; of a real block that with positive imaginary part
            T half = R(0.5) * (p - q), rise = root(half * half + b * c);
            if (half.x * rise.x + half.y * rise.y < 0) rise = -rise;
            T w = q + half + rise;
            T mu = w - q;
            R length = hypot(modulus(mu), modulus(c));
            T cs = mu / length, sn = c / length;
            SHARE(j, m - 1, n) {
                T x = t(m - 1, j), y = t(m, j);
                t(m - 1, j) = conj(cs) * x + sn * y;
                t(m, j) = cs * y - sn * x;
            }
            TOGETHER;
            SHARE(k, 0, m + 1 + n) {
                T* row = k <= m ? &t(k, m - 1) : &z(k - m - 1, m - 1);
                T x = row[0], y = row[1];
                row[0] = x * cs + y * conj(sn);
                row[1] = y * conj(cs) - x * conj(sn);
            }
            TOGETHER;
        }
        if (LANE == 0) t(m, m - 1) = T(0);
        TOGETHER;
    }
}
