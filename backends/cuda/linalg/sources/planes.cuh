// Sequences of real rotations of neighbouring columns: thread 0 computes them, all threads apply them.
#pragma once

#define MOST 32  // rows of the largest bidiagonal or tridiagonal matrix

// c f + s g = r and c g - s f = 0, with c >= 0: LAPACK's lartg since its version 3.10.  What is given has been scaled.
EVERY void plane(R f, R g, R& c, R& s, R& r) {
    if (g == 0) { c = 1; s = 0; r = f; return; }
    if (f == 0) { c = 0; s = sign(R(1), g); r = fabs(g); return; }
    R big = larger(fabs(f), fabs(g)), x = f / big, y = g / big, d = root(x * x + y * y);
    c = fabs(x) / d;
    r = sign(d, f);
    s = y / r;
    r = r * big;
}

// Columns first, first + 1, .. of `rows` rows, turned one after the other, or from the last pair to the first one.
EVERY void turn(Matrix<T> a, int rows, int first, int count, bool backward, const R* c, const R* s) {
    SHARE(i, 0, rows) {
        for (int k = 0; k < count; k++) {
            int j = backward ? count - 1 - k : k;
            T x = a(i, first + j), y = a(i, first + j + 1);
            a(i, first + j) = c[j] * x + s[j] * y;
            a(i, first + j + 1) = c[j] * y - s[j] * x;
        }
    }
}
