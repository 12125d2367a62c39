// What there is for stacks of small matrices, of the kind of numbers that LETTER stands for.
#include "lanes.h"
#include "small_lu.h"
#include "small_cholesky.h"
#include "small_products.h"
#include "rotations.h"
#include "small_eigvalsh.h"
#include "small_svdvals.h"
