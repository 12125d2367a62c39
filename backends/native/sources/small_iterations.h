// What is iterative about eigenvalues and singular values, of one matrix of numbers in double precision.
#pragma once
enum { MOST = 16 };  // rows and columns of a small matrix

// The eigenvalues `d`, ascending, and vectors `z`, each in a row of its own, of the symmetric tridiagonal n x n matrix
// with the diagonal `d` and `e` beside it, which are overwritten; 0 where they were not found.
int tridiagonal_eigen(int n, double *d, double *e, double z[MOST][MOST]);

// The singular values `d`, descending, and vectors `u` and `v`, each in a row of its own, of the bidiagonal n x n matrix
// with the diagonal `d` and `e` above it, or below where it is lower, which are overwritten; 0 where they were not found.
int bidiagonal_svd(int n, int is_lower, double *d, double *e, double u[MOST][MOST], double v[MOST][MOST]);
