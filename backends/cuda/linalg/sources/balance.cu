#include "scalar.cuh"

// Permutations that bring rows and columns of isolated eigenvalues to the ends, and powers of two by which rows and
// columns of the rest get about equal norms: LAPACK's gebal.  One thread an item; `scales` are LAPACK's.
extern "C" __global__ void balance(T* all, R* scales, int* bounds, int n, int permute, int scaling) {
    if (LANE) return;
    Matrix<T> a(item_of(all, (long long)n * n), n);
    R* scale = scales + item() * n;
    int low = 0, high = n - 1;
    for (int i = 0; i < n; i++) scale[i] = 1;
    for (int side = 0; permute && side < 2; side++)
        for (bool again = true; again && high >= low;) {
            again = false;
            for (int step = 0; step <= high - low; step++) {
                int k = side ? low + step : high - step;
                bool isolated = true;
                for (int j = low; j <= high && isolated; j++)
                    if (j != k && (side ? a(j, k) : a(k, j)) != T(0)) isolated = false;
                if (!isolated) continue;
                int to = side ? low : high;
                scale[to] = k;
                if (k != to) {
                    for (int i = 0; i <= high; i++) { T x = a(i, k); a(i, k) = a(i, to); a(i, to) = x; }
                    for (int j = low; j < n; j++) { T x = a(k, j); a(k, j) = a(to, j); a(to, j) = x; }
                }
                again = true;
                if (side) low++;
                else { if (high == 0) { bounds[2 * item()] = 0; bounds[2 * item() + 1] = 0; scale[0] = 1; return; } high--; }
                break;
            }
        }
    bounds[2 * item()] = low;
    bounds[2 * item() + 1] = high;
    if (!scaling) return;
    const R small1 = tiny_of(R(0)) / (2 * eps_of(R(0))), large1 = 1 / small1, small2 = small1 * 2, large2 = 1 / small2;
    for (bool again = true; again;) {
        again = false;
        for (int i = low; i <= high; i++) {
            R c = 0, r = 0, ca = 0, ra = 0, f = 1;
            for (int k = low; k <= high; k++) { c += square(a(k, i)); r += square(a(i, k)); }
            c = root(c); r = root(r);
            for (int k = 0; k <= high; k++) ca = larger(ca, modulus(a(k, i)));
            for (int k = low; k < n; k++) ra = larger(ra, modulus(a(i, k)));
            if (c == 0 || r == 0 || !(c + r + ca + ra < large1 * large1)) continue;
            R g = r / 2, s = c + r;
            while (c < g && larger(f, larger(c, ca)) < large2 && smaller(r, smaller(g, ra)) > small2) {
                f *= 2; c *= 2; ca *= 2; r /= 2; g /= 2; ra /= 2;
            }
            g = c / 2;
            while (g >= r && larger(r, ra) < large2 && smaller(smaller(f, c), smaller(g, ca)) > small2) {
                f /= 2; c /= 2; g /= 2; ca /= 2; r *= 2; ra *= 2;
            }
            if (c + r >= R(0.95) * s) continue;
            if (f < 1 && scale[i] < 1 && f * scale[i] <= small1) continue;
            if (f > 1 && scale[i] > 1 && scale[i] >= large1 / f) continue;
            scale[i] *= f;
            again = true;
            for (int j = low; j < n; j++) a(i, j) = a(i, j) / f;
            for (int k = 0; k <= high; k++) a(k, i) = a(k, i) * f;
        }
    }
}
