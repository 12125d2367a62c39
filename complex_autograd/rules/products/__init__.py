"""Products of vectors, matrices and arrays."""

from . import contractions as contractions
from . import convolution as convolution
from . import einsum as einsum
from . import fixed_order as fixed_order
from . import matrix_products as matrix_products
from . import products as products

__all__: list[str] = []
