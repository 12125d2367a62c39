// Spectra of small matrices of complex numbers in single precision.
#define LETTER F
#define STORED float
#define IS_COMPLEX 1
#include "small_spectra.h"
