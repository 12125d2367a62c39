#include "scalar.cuh"
#include "rotations.cuh"
#include "pair.cuh"

// The generalized Schur form of a pair, a = q s H(z) and b = q t H(z), in place of a and b
// [C. Moler, G. Stewart, SINUM 10 (1973) 241].

#define STEPS 60  // for an eigenvalue; every tenth one has another shift

// b triangular, then a of Hessenberg's form.
EVERY void to_hessenberg(Pair& p) {
    int n = p.n;
    Small g;
    for (int j = 0; j < n; j++)
        for (int i = n - 1; i > j; i--) {
            T x = p.b(i - 1, j), y = p.b(i, j);
            TOGETHER;
            if (y == T(0)) continue;
            onto_first(g, 2, x, y, T(0));
            p.rows(i - 1, 2, g, 0, j);
            p.set(p.b, i, j, T(0));
        }
    for (int j = 0; j + 2 < n; j++)
        for (int i = n - 1; i > j + 1; i--) {
            T x = p.a(i - 1, j), y = p.a(i, j);
            TOGETHER;
            if (y == T(0)) continue;
            onto_first(g, 2, x, y, T(0));
            p.rows(i - 1, 2, g, j, i - 1);
            p.set(p.a, i, j, T(0));
            x = p.b(i, i - 1); y = p.b(i, i);
            TOGETHER;
            onto_last(g, 2, x, y, T(0));
            p.columns(i - 1, 2, g, n, i + 1);
            p.set(p.b, i, i - 1, T(0));
        }
}

// A zero on the diagonal of b at k moves down to `last`, where it leaves an infinite eigenvalue.
EVERY void deflate_infinite(Pair& p, int k, int first, int last) {
    Small g;
    for (int j = k; j < last; j++) {
        T x = p.b(j, j + 1), y = p.b(j + 1, j + 1);
        TOGETHER;
        onto_first(g, 2, x, y, T(0));
        p.rows(j, 2, g, j > first ? j - 1 : j, j + 1);
        p.set(p.b, j + 1, j + 1, T(0));
        if (j > first) {
            x = p.a(j + 1, j - 1); y = p.a(j + 1, j);
            TOGETHER;
            onto_last(g, 2, x, y, T(0));
            p.columns(j - 1, 2, g, j + 2, j + 1);
            p.set(p.a, j + 1, j - 1, T(0));
        }
    }
    T x = p.a(last, last - 1), y = p.a(last, last);
    TOGETHER;
    onto_last(g, 2, x, y, T(0));
    p.columns(last - 1, 2, g, last + 1, last);
    p.set(p.a, last, last - 1, T(0));
}

// A bulge from the rotation of the first rows, pushed out of the bottom; `size` is 3 for a double shift.
EVERY void sweep(Pair& p, int first, int last, int size, T x, T y, T w) {
    Small g;
    for (int j = first; j < last; j++) {
        int k = j + size - 1 <= last ? size : last - j + 1;
        if (j > first) { x = p.a(j, j - 1); y = p.a(j + 1, j - 1); w = k > 2 ? p.a(j + 2, j - 1) : T(0); }
        TOGETHER;
        onto_first(g, k, x, y, w);
        p.rows(j, k, g, j > first ? j - 1 : j, j);
        if (j > first) for (int r = 1; r < k; r++) p.set(p.a, j + r, j - 1, T(0));
        for (int c = k; c > 1; c--) {  // b is a triangle again, row by row from below
            int row = j + c - 1;
            x = p.b(row, j); y = p.b(row, j + 1); w = c > 2 ? p.b(row, j + 2) : T(0);
            TOGETHER;
            onto_last(g, c, x, y, w);
            p.columns(j, c, g, (j + k < last ? j + k : last) + 1, row + 1);
            for (int e = 0; e + 1 < c; e++) p.set(p.b, row, j + e, T(0));
        }
    }
}

// The first column of a step from the quotients of elements; `exceptional` ones have a shift without meaning.
template <class F> EVERY int start(Matrix<cx<F>> a, Matrix<cx<F>> b, int first, int last, bool exceptional, cx<F>& x,
                                   cx<F>& y, cx<F>& w) {
    typedef cx<F> V;
    V u = b(last - 1, last) / b(last, last), p = a(last - 1, last - 1) / b(last - 1, last - 1);
    V c = a(last, last - 1) / b(last - 1, last - 1), d = a(last - 1, last) / b(last, last) - u * p;
    V shift = a(last, last) / b(last, last) - u * c, e = root(d) * root(c);
    if (exceptional) {
        shift += c;
    } else if (e != V(0)) {
        V half = F(0.5) * (p - shift);
        F s = larger(modulus(half), modulus(e));
        V rise = s * root((half / s) * (half / s) + (e / s) * (e / s));
        if (half.x * rise.x + half.y * rise.y < 0) rise = -rise;
        shift -= e * (e / (half + rise));
    }
    x = a(first, first) - shift * b(first, first);
    y = a(first + 1, first);
    w = V(0);
    return 2;
}
EVERY int start(Matrix<R> a, Matrix<R> b, int f, int l, bool exceptional, R& x, R& y, R& w) {
    R b11 = b(l - 1, l - 1), b22 = b(l, l);
    R p = a(l - 1, l - 1) / b11, c = a(l, l - 1) / b11, d = a(l - 1, l) / b22, q = a(l, l) / b22, u = b(l - 1, l) / b22;
    if (exceptional) { p += c; q -= R(0.4375) * c; }
    R fp = a(f, f) / b(f, f), fc = a(f + 1, f) / b(f, f), fd = a(f, f + 1) / b(f + 1, f + 1);
    R fq = a(f + 1, f + 1) / b(f + 1, f + 1), fr = a(f + 2, f + 1) / b(f + 1, f + 1), fu = b(f, f + 1) / b(f + 1, f + 1);
    x = (p - fp) * (q - fp) - d * c + c * u * fp + (fd - fp * fu) * fc;
    y = ((fq - fp) - fc * fu - (p - fp) - (q - fp) + c * u) * fc;
    w = fr * fc;
    R s = larger(fabs(x), larger(fabs(y), fabs(w)));
    if (s > 0) { x /= s; y /= s; w /= s; }
    return 3;
}

// info: 0, or how many leading rows are not in the form when an eigenvalue takes too many steps.
extern "C" __global__ void generalized_schur(T* as, T* bs, T* qs, T* zs, int* info, int n) {
    Pair p(as, bs, qs, zs, n);
    const R ulp = 2 * eps_of(R(0));
    const bool real = sizeof(T) == sizeof(R);
    SHARE(w, 0, n * n) { p.q.p[w] = p.z.p[w] = T(w / n == w % n ? R(1) : R(0)); }
    TOGETHER;
    to_hessenberg(p);
    p.small_a = larger(tiny_of(R(0)), ulp * p.length(p.a));
    p.small_b = larger(tiny_of(R(0)), ulp * p.length(p.b));
    int failed = 0;
    for (int last = n - 1, step = 0; last >= 0 && !failed;) {
        int first = last;
        while (first > 0) {
            R below = norm1(p.a(first, first - 1));
            if (below <= tiny_of(R(0)) || below <= ulp * (norm1(p.a(first, first)) + norm1(p.a(first - 1, first - 1)))
                || below <= R(0.01) * p.small_a) break;
            first--;
        }
        if (first > 0) p.set(p.a, first, first - 1, T(0));
        if (first == last) { make_positive(p, last); last--; step = 0; continue; }
        int zero = -1;
        for (int k = first; k <= last; k++)
            if (norm1(p.b(k, k)) <= p.small_b) zero = k;
        if (zero >= 0) {
            p.set(p.b, zero, zero, T(0));
            deflate_infinite(p, zero, first, last);
            continue;
        }
        if (real && first == last - 1) {
            if (separate(p, p.a, first)) { make_positive(p, first); make_positive(p, last); }
            last -= 2;
            step = 0;
            continue;
        }
        if (++step > STEPS) { failed = last + 1; break; }
        T x, y, w;
        int size = start(p.a, p.b, first, last, step % 10 == 0, x, y, w);
        TOGETHER;
        sweep(p, first, last, size, x, y, w);
    }
    if (LANE == 0) info[item()] = failed;
}
