"""The main job: the gradient against the formula worked out by hand, and what the reconstruction promises."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import OptimizeResult

from package_layout import ROOT
from wirtinger import grad


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


mri = load(ROOT / "notebooks" / "mri_reconstruction.py")


@pytest.fixture(scope="module")
def image() -> Any:
    """A piece of the brain, 64 x 64."""
    return mri.with_smooth_phase(mri.head()[64:128, 80:144])


@pytest.fixture(scope="module")
def scan(image: Any) -> Any:
    return mri.simulate(image)


@pytest.fixture
def anywhere(image: Any) -> Any:
    """A complex image that is not special in any way."""
    real, imag = np.random.default_rng(2).normal(size=(2, *image.shape))
    return real + 1j * imag


def misfit_gradient(image: Any, scan: Any) -> Any:
    """The adjoint of the measurement, applied to the residual."""
    residual = np.zeros(scan.coils.shape, complex)
    residual[:, scan.mask] = np.fft.fft2(scan.coils * image, norm="ortho")[:, scan.mask] - scan.samples
    return np.sum(scan.coils.conj() * np.fft.ifft2(residual, norm="ortho"), axis=0)


def total_variation_gradient(image: Any, smoothing: float) -> Any:
    """Minus the divergence of the normalised differences."""
    down, right = (np.roll(image, -1, axis) - image for axis in (0, 1))
    length = np.sqrt(np.abs(down) ** 2 + np.abs(right) ** 2 + smoothing**2)
    return sum(np.roll(d / length, 1, axis) - d / length for axis, d in enumerate([down, right]))


def test_the_misfit_has_the_gradient_worked_out_by_hand(anywhere: Any, scan: Any) -> None:
    assert_allclose(grad(mri.misfit)(anywhere, scan), misfit_gradient(anywhere, scan), rtol=0, atol=1e-13)


@pytest.mark.parametrize("smoothing", [1e-3, 0.1])
def test_the_total_variation_has_the_gradient_worked_out_by_hand(anywhere: Any, smoothing: float) -> None:
    expected = total_variation_gradient(anywhere, smoothing)
    assert_allclose(grad(mri.total_variation)(anywhere, smoothing), expected, rtol=0, atol=1e-13)


def test_a_constant_image_has_a_total_variation_without_gradient(image: Any) -> None:
    assert_array_equal(grad(mri.total_variation)(np.full(image.shape, 0.3 - 0.4j)), np.zeros(image.shape))


def test_the_loss_changes_as_its_gradient_says(anywhere: Any, scan: Any) -> None:
    direction = anywhere[::-1]
    change = (mri.loss(anywhere + 1e-5 * direction, scan) - mri.loss(anywhere - 1e-5 * direction, scan)) / 2e-5
    assert_allclose(np.vdot(grad(mri.loss)(anywhere, scan), direction).real, change, rtol=1e-8)


@pytest.mark.parametrize("acceleration", [2, 4, 8])
def test_the_mask_keeps_exactly_its_share_and_the_centre(acceleration: int) -> None:
    mask = mri.sampling_mask((256, 192), acceleration, np.random.default_rng(0))
    centre = np.fft.fftshift(mask)[128 - 10 : 128 + 11, 96 - 8 : 96 + 9]
    assert mask.sum() * acceleration == mask.size
    assert centre.all()


def test_the_coils_see_every_voxel_equally_well(scan: Any) -> None:
    assert_allclose(np.sum(np.abs(scan.coils) ** 2, axis=0), 1, rtol=1e-13)


def test_no_other_scale_would_help_zero_filling(image: Any, scan: Any) -> None:
    before = mri.zero_filled(scan)
    best = before * np.vdot(before, image) / np.vdot(before, before)
    assert mri.psnr(best, image) - mri.psnr(before, image) < 0.05


def test_a_few_iterations_improve_on_zero_filling(image: Any, scan: Any) -> None:
    before, result = mri.zero_filled(scan), mri.reconstruct(scan, iterations=15)
    assert result.x.shape == image.shape
    assert result.x.dtype == np.complex128
    assert mri.loss(result.x, scan) == result.fun < mri.loss(before, scan)
    assert mri.psnr(result.x, image) > mri.psnr(before, image) + 2


def test_two_runs_are_equal_to_the_last_bit(image: Any) -> None:
    first, second = (mri.reconstruct(mri.simulate(image), iterations=10).x for _ in range(2))
    assert_array_equal(first.view(np.uint64), second.view(np.uint64))


def test_the_demo_gains_eight_decibels_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mri.main(["--output", str(tmp_path / "picture.png")])
    printed = capsys.readouterr().out
    gain = next(line for line in printed.splitlines() if line.startswith("gain")).split()
    assert float(gain[1]) > 8
    assert float(gain[3]) > 8
    assert "\r" not in printed
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("encoding", "marks"), [("utf-8", "█░"), ("ascii", "#.")])
def test_the_progress_bar_is_redrawn_on_a_terminal(encoding: str, marks: str) -> None:
    written = io.BytesIO()
    terminal = Terminal(written, encoding=encoding, newline="")
    progress = mri.Progress(np.ones(2), 4, terminal)
    for _ in range(4):
        progress(OptimizeResult(x=np.array([1, 0.99]), fun=1.5))
    lines = written.getvalue().decode(encoding).split("\r")[1:]
    assert [line.split()[0] for line in lines] == [marks[0] * n + marks[1] * (30 - n) for n in (7, 15, 22, 30)]
    assert lines[-1].split()[1:7] == ["4/4", "loss", "1.5000", "PSNR", "43.01", "dB"]
