"""What `vmap` is compared with: a loop over the items."""

from __future__ import annotations

import numpy as np

from wirtinger import vmap
from wirtinger.complex_autograd.transforms.arguments import flatten


def check_loop(f, *args, in_axes=0, tolerance=1e-10, **options):
    """Compare `vmap(f)` with a loop, in values, shapes and dtypes."""
    axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
    found = flatten(vmap(f, in_axes=in_axes, **options)(*args))[0]
    count = next(a.shape[axis] for a, axis in zip(args, axes, strict=True) if axis is not None)
    one_by_one = []
    for k in range(count):
        items = [a if axis is None else np.moveaxis(a, axis, 0)[k] for a, axis in zip(args, axes, strict=True)]
        one_by_one.append(flatten(f(*items))[0])
    assert len(found) == len(one_by_one[0])
    for i, x in enumerate(found):
        column = np.stack([each[i] for each in one_by_one])
        assert type(x) is np.ndarray
        assert (x.shape, x.dtype) == (column.shape, column.dtype)
        np.testing.assert_allclose(x, column, rtol=tolerance, atol=tolerance)
