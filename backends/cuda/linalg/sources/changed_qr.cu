#include "scalar.cuh"
#include "planes.cuh"

EVERY void plane_of(R f, R g, R& c, R& s, R& r) { plane(f, g, c, s, r); }
template <class F> EVERY void plane_of(cx<F> f, cx<F> g, F& c, cx<F>& s, cx<F>& r) {
    F size_f = modulus(f), size_g = modulus(g), t, d;
    if (size_g == 0) { c = 1; s = cx<F>(0); r = f; return; }
    plane(size_f, size_g, c, t, d);
    cx<F> phase = size_f == 0 ? cx<F>(1) : f / size_f;
    s = phase * (conj(g) / size_g) * t;
    r = phase * d;
}

// Rotations of two rows of w, each of which makes an element of the second one zero, and of those columns of q, so that
// q w stays.  Round i turns the rows j from start to stop, both of which move with i, with the next row or with `mate`
// (that may come first); the element is in column j, or in the column of the round.
extern "C" __global__ void rotate_rows(
    T* qs, T* ws, int m, int rows, int columns, int rounds, int start, int start_step, int stop, int stop_step, int down,
    int column, int along, int mate, int mate_first) {
    Matrix<T> q(item_of(qs, (long long)m * rows), rows), w(item_of(ws, (long long)rows * columns), columns);
    for (int i = 0; i < rounds; i++) {
        int end = stop + i * stop_step;
        int begin = start + i * start_step;
        if (down && mate < 0 && begin > rows - 2) begin = rows - 2;
        for (int j = begin; down ? j >= end : j <= end; j += down ? -1 : 1) {
            int head = mate >= 0 && mate_first ? mate : j, tail = mate < 0 ? j + 1 : mate_first ? j : mate;
            int k = along ? j : column + i;
            T f = w(head, k), g = w(tail, k), s, r;
            R c;
            TOGETHER;
            plane_of(f, g, c, s, r);
            SHARE(t, 0, columns) {
                T x = w(head, t), y = w(tail, t);
                w(head, t) = c * x + s * y;
                w(tail, t) = c * y - conj(s) * x;
            }
            SHARE(t, 0, m) {
                T x = q(t, head), y = q(t, tail);
                q(t, head) = c * x + conj(s) * y;
                q(t, tail) = c * y - s * x;
            }
            TOGETHER;
            if (LANE == 0) { w(head, k) = r; w(tail, k) = T(0); }
            TOGETHER;
        }
    }
}

// Reflections of rows of w, each of which makes what is below a row zero in a column, and of those columns of q: of row
// j, from first to before end, and of those of the `width` rows after it that are not before `base`.
extern "C" __global__ void reflect_rows(
    T* qs, T* ws, T* work, int m, int rows, int columns, int first, int end, int shift, int base, int width) {
    Matrix<T> q(item_of(qs, (long long)m * rows), rows), w(item_of(ws, (long long)rows * columns), columns);
    T* v = item_of(work, rows);
    for (int j = first; j < end; j++) {
        int k = j + shift, tail = j + 1 > base ? j + 1 : base, last = width < rows - 1 - j ? j + width : rows - 1;
        int count = last - tail + 1 > 0 ? last - tail + 1 : 0;
        T alpha = w(j, k);
        TOGETHER;
        T tau = reflector(alpha, &w(count ? tail : j, k), count, columns);  // a complex element alone becomes real
        SHARE(i, 0, count) { v[i] = w(tail + i, k); w(tail + i, k) = T(0); }
        if (LANE == 0) w(j, k) = alpha;
        TOGETHER;
        SHARE(t, 0, columns) {
            if (t == k) continue;
            T s = w(j, t);
            for (int i = 0; i < count; i++) s += conj(v[i]) * w(tail + i, t);
            s = conj(tau) * s;
            w(j, t) -= s;
            for (int i = 0; i < count; i++) w(tail + i, t) -= v[i] * s;
        }
        SHARE(t, 0, m) {
            T s = q(t, j);
            for (int i = 0; i < count; i++) s += q(t, tail + i) * v[i];
            s = s * tau;
            q(t, j) -= s;
            for (int i = 0; i < count; i++) q(t, tail + i) -= s * conj(v[i]);
        }
        TOGETHER;
    }
}
