from functions_arrays import CASES as C
from functions_numerics import CASES as B
from functions_stats import CASES as A

CASES = [*A, *B, *C]
