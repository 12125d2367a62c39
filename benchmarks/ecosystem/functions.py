from functions_stats import CASES as A
from functions_numerics import CASES as B
CASES=[*A,*B]
