from functions_stats import CASES as A
from functions_numerics import CASES as B
from functions_arrays import CASES as C
CASES=[*A,*B,*C]
