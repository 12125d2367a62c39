"""A short fingerprint of arrays, to compare bits between runs and machines."""

from __future__ import annotations

from typing import Any

import numpy as np


def digest(*arrays: Any) -> str:
    """Return 16 hexadecimal digits that depend on the dtype, the shape and every bit of the arrays, in their order.

    Memory layout and byte order do not matter. All bits count: ``-0.0`` differs from ``0.0``, and one NaN from
    another. A CUDA array is copied to the host to be read.

    Parameters
    ----------
    *arrays : array_like
        Boolean, integer, real, complex, datetime or string data of any shape.

    Returns
    -------
    str

    Raises
    ------
    TypeError
        For dtypes that have padding or no bits of their own: extended precision, structures and Python objects.

    Examples
    --------
    >>> from wirtinger import digest
    >>> import numpy as np
    >>> a = np.arange(6.0).reshape(2, 3)
    >>> digest(a) == digest(np.asfortranarray(a)) != digest(a.T)
    True
    """
    from hashlib import blake2b

    state = blake2b(digest_size=8)
    for given in arrays:
        array = np.asarray(given.get() if hasattr(given, "__cuda_array_interface__") else given)
        if array.dtype.kind not in "biufcmMSU" or array.dtype.char in "gG":
            raise TypeError(
                f"digest cannot read the dtype {array.dtype}: it has padding bytes or refers to Python objects. "
                "Convert it first, for example with astype('float64')"
            )
        canonical = array.astype(array.dtype.newbyteorder("<"), copy=False)
        state.update(f"{canonical.dtype.str}{canonical.shape}".encode())
        state.update(canonical.tobytes())
    return state.hexdigest()
