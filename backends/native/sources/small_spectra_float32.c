// Spectra of small matrices of real numbers in single precision.
#define LETTER f
#define STORED float
#define IS_COMPLEX 0
#include "small_spectra.h"
