// The inverse of the error function: next to 0 by its series, DLMF 7.17.2, then by a step of Halley's method, and where
// the function is flat by the inverse of its complement, of which 1 - y is exact there.
#include <xsf/erf.h>
#include <xsf/cephes/erfinv.h>

namespace error_function {

__device__ __noinline__ double inverse(double y) {
    double size = fabs(y), root = 0.5 * sqrt(M_PI);
    if (size > 0.5) return copysign(xsf::cephes::erfcinv(1 - size), y);
    if (size < 1e-4) return root * y * (1 + M_PI / 12 * y * y);
    double x = xsf::cephes::erfinv(y), r = (xsf::cephes::erf(x) - y) * root * exp(x * x);
    return x - r / (1 + x * r);
}

} // namespace error_function
