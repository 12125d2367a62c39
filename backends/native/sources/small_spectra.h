// The same of eigenvalues and singular values.
#include "lanes.h"
#include "rotations.h"
#include "small_eigvalsh.h"
#include "small_svdvals.h"
#include "small_reflectors.h"
#include "small_eigh.h"
#include "small_svd.h"
