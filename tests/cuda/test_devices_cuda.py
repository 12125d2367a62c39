"""Which device an array lies on, how it comes there and back, and that it does so only when asked to."""

from __future__ import annotations

import numpy
import pytest
from on_cuda import CUDA, REASON, needs_cuda

import wirtinger as np
from wirtinger import DeviceError, grad, vmap
from wirtinger.backends import device_named

HOST = numpy.arange(6.0).reshape(2, 3)
MIXED = {
    "operand": lambda x: x + HOST,
    "left operand": lambda x: HOST * x,
    "in place": lambda x: x.__iadd__(HOST),
    "number without axes": lambda x: x + numpy.asarray(2.0),
    "index": lambda x: x[numpy.array([0, 1])],
    "mask": lambda x: x[HOST > 2],
    "index in a tuple": lambda x: x[:, numpy.array([0])],
    "index of a NumPy array": lambda x: HOST[np.to_device(numpy.array([0, 1]), "cuda")],
    "value written": lambda x: x.__setitem__(0, HOST[0]),
    "argument of a function": lambda x: numpy.concatenate([x, HOST]),
    "condition": lambda x: numpy.where(HOST > 2, x, 0.0),
    "conversion": lambda x: numpy.asarray(x),
    "loss": lambda x: grad(lambda x: np.sum(x * HOST))(x),
    "loss with an index": lambda x: grad(lambda x: np.sum(x[numpy.array([0])]))(x),
}


@pytest.fixture
def x():
    return np.to_device(HOST, "cuda")


@needs_cuda
class TestDevices:
    @pytest.mark.parametrize("make", [np.zeros, np.ones, np.empty])
    @pytest.mark.parametrize("device", ["cuda", "cuda:0"])
    def test_making(self, make, device):
        made = make((2, 3), device=device)
        assert CUDA.owns(type(made))
        assert CUDA.own(made) is made
        assert CUDA.device_of(made) == "cuda:0"
        assert made.dtype == float

    def test_there_and_back(self, x):
        back = np.to_host(x)
        assert type(back) is numpy.ndarray
        assert (back == HOST).all()

    def test_a_derivative_comes_back_to_where_its_argument_lies(self, x):
        assert CUDA.owns(type(grad(lambda x: np.sum(np.to_host(x) ** 2))(x)))
        assert type(grad(lambda x: np.to_host(np.sum(np.to_device(x, "cuda") ** 2)))(HOST)) is numpy.ndarray

    @pytest.mark.parametrize("make", MIXED.values(), ids=MIXED)
    def test_mixing_devices_is_refused(self, x, make):
        with pytest.raises(DeviceError, match=r"to_host|to_device"):
            make(x)

    def test_numbers_and_literals_stand_beside(self, x):
        assert np.to_host(numpy.float64(2) * x + 1 + [1, 2, 3])[0].tolist() == [2, 5, 8]
        assert np.to_host(x[[0, 1], [1, 2]]).tolist() == [1, 5]
        assert np.to_host(grad(lambda x: np.sum(x[[0, 1], [1, 2]]))(x)).tolist() == [[0, 1, 0], [0, 0, 1]]

    def test_a_bare_array_of_cupy_is_taken(self, x):
        cupy = pytest.importorskip("cupy")
        bare = x.view(cupy.ndarray)
        assert type(grad(lambda x: np.sum(x**2))(bare)) is type(x)
        assert type(grad(lambda y: np.sum(y * bare))(x)) is type(x)
        assert type(bare) is cupy.ndarray

    def test_an_array_that_the_device_does_not_have(self):
        with pytest.raises(DeviceError, match="float64"):
            np.zeros(3, dtype=np.longdouble, device="cuda")

    def test_a_gpu_that_is_not_there(self):
        with pytest.raises(DeviceError, match="cuda:99"):
            np.zeros(3, device="cuda:99")

    def test_dlpack_shares_memory_both_ways(self, x):
        cupy = pytest.importorskip("cupy")
        shown = np.from_dlpack(x.view(cupy.ndarray))
        assert type(shown) is type(x)
        shown[0, 0] = 7.0
        assert float(x[0, 0]) == 7.0
        assert cupy.from_dlpack(x).data.ptr == x.data.ptr

    def test_the_current_stream_and_pool_are_used(self):
        cupy = pytest.importorskip("cupy")
        pool = cupy.cuda.MemoryPool()
        with cupy.cuda.using_allocator(pool.malloc), cupy.cuda.Stream(non_blocking=True):
            made = np.ones(1000, device="cuda") + 1.0
            assert pool.used_bytes() >= made.nbytes


def test_the_state_is_one_line():
    assert "\n" not in CUDA.state()


@pytest.mark.skipif(not REASON, reason="there is a GPU")
def test_a_missing_gpu_is_named_in_one_sentence():
    with pytest.raises(DeviceError, match=r"CuPy|driver|GPU") as raised:
        np.zeros(3, device="cuda")
    assert "\n" not in str(raised.value)


def test_other_names_are_no_devices():
    for name in ("gpu", "cuda:", "cuda:x"):
        with pytest.raises(DeviceError, match="there is no device"):
            device_named(name)


LISTS_BESIDE = {
    "array": lambda x: np.array([x[0], 2.0]),
    "product": lambda x: x * [1.0, 2.0],
    "concatenate": lambda x: np.concatenate([x, [1.0]]),
    "index": lambda x: x[[1, 0]],
    "maximum": lambda x: np.maximum(x, [1.0, 2.0]),
    "polyval": lambda x: np.polyval([1.0, 2.0], x),
}


@needs_cuda
@pytest.mark.parametrize("name", LISTS_BESIDE)
def test_lists_beside_mapped_arrays_are_put_where_these_are(name):
    items = numpy.arange(6.0).reshape(3, 2)
    found = vmap(LISTS_BESIDE[name])(np.to_device(items, "cuda"))
    assert type(found) is type(np.to_device(items, "cuda"))
    numpy.testing.assert_allclose(np.to_host(found), [LISTS_BESIDE[name](np.asarray(x)) for x in items], rtol=1e-14)
