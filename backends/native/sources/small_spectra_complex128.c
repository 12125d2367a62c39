// Spectra of small matrices of complex numbers in double precision.
#define LETTER D
#define STORED double
#define IS_COMPLEX 1
#include "small_spectra.h"
