// What an elementwise kernel of `elementwise.py` is made of: the place of an element in each operand, and numbers read
// and written in the precision of the array. One compilation serves all of them: arithmetic is in double precision.
#include <cupy/complex.cuh>

#define LARGEST_NDIM 8

template <int OPERANDS> struct Layout {
    long long ndim, size, shape[LARGEST_NDIM], kind[OPERANDS], strides[OPERANDS][LARGEST_NDIM];

    // the offsets in bytes of element i, counted in C order, of every operand
    __device__ void locate(long long i, long long (&at)[OPERANDS]) const {
        for (int k = 0; k < OPERANDS; k++) at[k] = 0;
        for (int axis = (int)ndim - 1; axis >= 0; axis--) {
            long long next = i / shape[axis], place = i - next * shape[axis];
            for (int k = 0; k < OPERANDS; k++) at[k] += place * strides[k][axis];
            i = next;
        }
    }
};

typedef complex<float> single_complex;
typedef complex<double> double_complex;

// an element by the letter that NumPy gives to its type
__device__ inline double read_real(const char* p, long long kind) {
    switch (kind) {
        case 'f': return *(const float*)p;
        case 'l': return (double)*(const long long*)p;
        case 'i': return *(const int*)p;
        default: return *(const double*)p;
    }
}

__device__ inline double_complex read_complex(const char* p, long long kind) {
    switch (kind) {
        case 'F': return double_complex(((const float*)p)[0], ((const float*)p)[1]);
        case 'D': return double_complex(((const double*)p)[0], ((const double*)p)[1]);
        default: return double_complex(read_real(p, kind), 0);
    }
}

__device__ inline void write_number(char* p, long long kind, double x) {
    if (kind == 'f') *(float*)p = (float)x;
    else *(double*)p = x;
}

__device__ inline void write_number(char* p, long long kind, const double_complex& z) {
    if (kind == 'F') { ((float*)p)[0] = (float)z.real(); ((float*)p)[1] = (float)z.imag(); }
    else { ((double*)p)[0] = z.real(); ((double*)p)[1] = z.imag(); }
}
