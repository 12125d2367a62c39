// Spectra of small matrices of real numbers in double precision.
#define LETTER d
#define STORED double
#define IS_COMPLEX 0
#include "small_spectra.h"
