// What there is for stacks of small matrices, of the kind of numbers that LETTER stands for, without iterations.
#include "lanes.h"
#include "small_cofactors.h"
#include "small_lu.h"
#include "small_cholesky.h"
#include "small_products.h"
#include "small_reflectors.h"
#include "small_qr.h"
#include "small_expm.h"
