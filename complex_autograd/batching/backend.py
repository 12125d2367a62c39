"""The backend of batches: kernels are called item by item; arrays created beside a batch are common to all items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, final

import numpy as np

from ...backends import Backend, device_named, register_backend
from .batch import Batch, innermost, unbatched
from .loops import item_by_item


class _Namespace:
    """NumPy's functions that make arrays; batches are arrays already."""

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)

    def asarray(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """NumPy's `asarray`, which leaves batches as they are."""
        return unbatched(x) if type(x) is Batch else np.asarray(x, *args, **kwargs)


@final
class Items(Backend):
    """Arrays that stand for one item of a batch."""

    name = "mapped"
    device = "mapped"

    @property
    def policy(self) -> str:
        return device_named("cpu").name

    def owns(self, kind: type) -> bool:
        return kind is Batch

    namespace = _Namespace()

    def to_host(self, x: Any) -> Any:
        return item_by_item(device_named("cpu").to_host, (x,), {}, x.axis)

    def scatter_add(self, values: Any, index: Any, shape: tuple[int, ...]) -> Any:
        axis = innermost((values, index))
        assert axis is not None
        return item_by_item(device_named("cpu").scatter_add, (values, index, shape), {}, axis)

    def state(self) -> str:
        return "arrays of other backends"

    def named(self, device: str) -> Backend | None:
        return None

    def kernel(self, name: str) -> Callable[..., Any]:
        function = device_named("cpu").kernel(name)

        def call(*args: Any, **params: Any) -> Any:
            axis = innermost((*args, params))
            return function(*args, **params) if axis is None else item_by_item(function, args, params, axis)

        return call


register_backend(Items())
