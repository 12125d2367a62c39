"""Accelerated MRI: an image from a quarter of its data, by the gradient of ten lines of NumPy.

A scanner with several receive coils measures the Fourier transform (k-space) of the image as each coil sees it.
Measuring a quarter of k-space takes a quarter of the time.  The coils' views differ enough to make up for it, but they
overlap, and solving for the image alone would amplify the noise.  So we look for an image that fits the samples and has
little total variation: the minimiser of `loss`.

The head is real (the slice `s1045` that ships with matplotlib); its phase, the coils and the noise are simulated, so
that the result can be compared with the truth.  `python notebooks/mri_reconstruction.py` runs it all, and with
`--device cuda` on a GPU: what is reconstructed does not change, only where its arrays lie.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, TextIO

from matplotlib import cbook
from matplotlib.figure import Figure
from scipy.optimize import OptimizeResult

import wirtinger as np
from wirtinger import grad, optimize

Array = Any


class Scan(NamedTuple):
    """What the reconstruction is given."""

    coils: Array  # the sensitivities: (coil, row, column) complex
    mask: Array  # where k-space was sampled: (row, column) bool
    samples: Array  # what was measured there: (coil, sample) complex
    noise: float  # its standard deviation


# ---------------------------------------------------------------- the reconstruction


def misfit(image: Array, scan: Scan) -> Array:
    """Half the squared distance from what the coils would measure of `image` to what they did measure."""
    k_space = np.fft.fft2(scan.coils * image, norm="ortho")
    return np.sum(np.abs(k_space[:, scan.mask] - scan.samples) ** 2) / 2


def total_variation(image: Array, smoothing: float = 1e-3) -> Array:
    """The sum of the lengths of the gradients of a complex image, rounded off where they vanish."""
    down = np.roll(image, -1, axis=0) - image
    right = np.roll(image, -1, axis=1) - image
    return np.sum(np.sqrt(np.abs(down) ** 2 + np.abs(right) ** 2 + smoothing**2))


def loss(image: Array, scan: Scan) -> Array:
    """What the reconstruction minimises: a real number, of a complex image."""
    return misfit(image, scan) + scan.noise / 4 * total_variation(image)


def zero_filled(scan: Scan) -> Array:
    """The classical reconstruction, with zeros for what was not measured: one steepest-descent step from black.

    The gradient of the misfit at 0 is minus the adjoint of the measurement, applied to the samples.  The step length is
    the exact minimiser along it, so no other scale fits the samples better.
    """
    black = np.zeros_like(scan.coils[0])
    descent = -grad(misfit)(black, scan)
    change = np.fft.fft2(np.multiply(scan.coils, descent), norm="ortho")[:, scan.mask]
    return descent * np.sum(np.abs(descent) ** 2) / np.sum(np.abs(change) ** 2)


def reconstruct(scan: Scan, iterations: int = 50, callback: Callable[..., Any] | None = None) -> OptimizeResult:
    """Minimise `loss` from the zero-filled image; `callback` is called at each iteration, as by SciPy."""
    options = {"maxiter": iterations}
    return optimize.minimize(loss, zero_filled(scan), (scan,), method="L-BFGS-B", callback=callback, options=options)


# ---------------------------------------------------------------- the simulated scan


def head(size: int = 256) -> Array:
    """The magnitude of the slice: (size, size) float64, the brightest voxel 1; `size` divides 256."""
    with cbook.get_sample_data("s1045.ima.gz") as file:
        voxels = np.frombuffer(file.read(), "<u2").reshape(256, 256)
    thinned = voxels[:: 256 // size, :: 256 // size]
    return thinned / np.max(thinned)


def coordinates(shape: tuple[int, int]) -> tuple[Array, Array]:
    """Row and column coordinates from -1 to 1."""
    return np.meshgrid(*(np.linspace(-1, 1, n) for n in shape), indexing="ij")


def with_smooth_phase(magnitude: Array) -> Array:
    """A complex image of the given magnitude, with a phase as an inhomogeneous field gives it."""
    y, x = coordinates(magnitude.shape)
    return magnitude * np.exp(1j * np.pi * (0.9 * x**2 - 0.6 * y**2 + x * y + 0.5 * np.sin(3 * x + y)))


def coil_sensitivities(shape: tuple[int, int], count: int = 8) -> Array:
    """A ring of coils around the head, each seeing its own side best, together seeing every voxel equally well."""
    y, x = coordinates(shape)
    angle = (2 * np.pi / count * np.arange(count))[:, None, None]
    distance = np.hypot(y - 1.3 * np.sin(angle), x - 1.3 * np.cos(angle))
    phase = angle + 1.5 * (x * np.cos(angle) + y * np.sin(angle))
    coils = np.exp(-((distance / 0.9) ** 2) / 2 + 1j * phase)
    return coils / np.sqrt(np.sum(np.abs(coils) ** 2, axis=0))


def sampling_mask(shape: tuple[int, int], acceleration: int, rng: Any) -> Array:
    """One in `acceleration` points of k-space: all of its centre, and others at random, denser towards the centre."""
    ky, kx = np.meshgrid(*(np.fft.fftfreq(n) for n in shape), indexing="ij")
    arrival = rng.exponential(size=shape) * (np.hypot(ky, kx) + 0.025)
    arrival[np.maximum(np.abs(ky), np.abs(kx)) < 0.05] = 0
    first = np.argsort(arrival, axis=None)[: arrival.size // acceleration]
    mask = np.zeros(shape, bool)
    mask.flat[first] = True
    return mask


def simulate(image: Array, acceleration: int = 4, noise: float = 0.01, seed: int = 1045) -> Scan:
    """Scan a complex image; `noise` is the standard deviation in a voxel of a fully sampled image."""
    rng = np.random.default_rng(seed)
    coils = coil_sensitivities(image.shape)
    mask = sampling_mask(image.shape, acceleration, rng)
    samples = np.fft.fft2(coils * image, norm="ortho")[:, mask]
    real, imag = rng.normal(scale=noise / np.sqrt(2), size=(2, *samples.shape))
    return Scan(coils, mask, samples + real + 1j * imag, noise)


def on_device(scan: Scan, device: str) -> Scan:
    """The scan with its arrays on a device."""
    return Scan(*[np.to_device(x, device) for x in scan[:3]], scan.noise)


# ---------------------------------------------------------------- what is printed and drawn


def psnr(image: Array, reference: Array) -> float:
    """Peak signal-to-noise ratio in decibels."""
    return float(10 * np.log10(np.max(np.abs(reference)) ** 2 / np.mean(np.abs(image - reference) ** 2)))


class Progress:
    """A callback that draws a progress bar: in place on a terminal, a line at every tenth iteration elsewhere."""

    def __init__(self, reference: Array, iterations: int, stream: TextIO) -> None:
        self.reference, self.iterations, self.stream = reference, iterations, stream
        self.redraws = stream.isatty()
        self.marks = "█░" if "utf" in (stream.encoding or "").lower() else "#."
        self.count, self.start = 0, perf_counter()

    def __call__(self, intermediate_result: OptimizeResult) -> None:
        self.count += 1
        line = self.line(intermediate_result)
        if self.redraws:
            print("\r" + line, end="", file=self.stream, flush=True)
        elif self.count % 10 == 0:
            print(line, file=self.stream, flush=True)

    def line(self, result: OptimizeResult) -> str:
        """The bar, the iteration, the loss, the PSNR of the complex image, and the seconds since the start."""
        done = 30 * self.count // self.iterations
        bar = self.marks[0] * done + self.marks[1] * (30 - done)
        step = f"{self.count:3d}/{self.iterations}"
        quality, seconds = psnr(result.x, self.reference), perf_counter() - self.start
        return f"{bar} {step}  loss {result.fun:8.4f}  PSNR {quality:5.2f} dB  {seconds:4.1f} s"


def picture(reference: Array, scan: Scan, before: Array, after: Array) -> Figure:
    """Magnitude, phase and error of the zero-filled and of the reconstructed image, beside the truth."""
    figure = Figure(figsize=(11, 10.5), layout="constrained")
    axes = figure.subplots(3, 3)
    head_only = np.where(np.abs(reference) > 0.05, 1, np.nan)
    for column, image in enumerate([reference, before, after]):
        shown = axes[0, column].imshow(np.abs(image), cmap="gray", vmin=0, vmax=1)
        angle = axes[1, column].imshow(np.angle(image) * head_only, cmap="twilight_shifted", vmin=-np.pi, vmax=np.pi)
    for column, image in enumerate([before, after], start=1):
        error = axes[2, column].imshow(np.abs(image - reference), cmap="inferno", vmin=0, vmax=0.15)
    axes[2, 0].imshow(np.fft.fftshift(scan.mask), cmap="gray", interpolation="none")

    axes[0, 0].set_title("reference: magnitude")
    axes[0, 1].set_title(f"zero-filled, {psnr(np.abs(before), np.abs(reference)):.1f} dB")
    axes[0, 2].set_title(f"reconstructed, {psnr(np.abs(after), np.abs(reference)):.1f} dB")
    axes[1, 0].set_title("phase")
    axes[2, 0].set_title(f"measured: {np.mean(scan.mask):.0%} of k-space")
    for row, label in enumerate([(shown, "magnitude"), (angle, "phase / rad"), (error, "|complex error|")]):
        figure.colorbar(label[0], ax=axes[row, :], label=label[1])
    for axis in axes.flat:
        axis.set(xticks=[], yticks=[], facecolor="black")
    return figure


def report(reference: Array, before: Array, after: Array) -> str:
    """The PSNR of both images, of the magnitude and of the complex image, as a table."""
    rows = [(psnr(np.abs(image), np.abs(reference)), psnr(image, reference)) for image in (before, after)]
    rows.append((rows[1][0] - rows[0][0], rows[1][1] - rows[0][1]))
    lines = [f"{'PSNR':16}{'magnitude':>12}{'complex image':>16}"]
    for name, (magnitude, whole) in zip(["zero-filled", "reconstructed", "gain"], rows, strict=True):
        lines.append(f"{name:16}{magnitude:9.2f} dB{whole:13.2f} dB")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> None:
    """Scan, reconstruct, compare, save the picture."""
    parser = argparse.ArgumentParser(description="Reconstruct an MRI slice from a quarter of its k-space.")
    parser.add_argument("--acceleration", type=int, default=4, help="measure one in this many points (4)")
    parser.add_argument("--noise", type=float, default=0.01, help="noise, relative to the brightest voxel (0.01)")
    parser.add_argument("--iterations", type=int, default=50, help="iterations of L-BFGS at most (50)")
    parser.add_argument("--seed", type=int, default=1045, help="of the sampling pattern and of the noise (1045)")
    parser.add_argument("--size", type=int, default=256, choices=[32, 64, 128, 256], help="rows and columns (256)")
    parser.add_argument("--device", default="cpu", help="where to reconstruct: cpu, cuda, cuda:1 (cpu)")
    parser.add_argument("--output", type=Path, default=Path(__file__).with_suffix(".png"), help="picture")
    options = parser.parse_args(arguments)

    reference = with_smooth_phase(head(options.size))
    scan = simulate(reference, options.acceleration, options.noise, options.seed)
    print(
        f"{' x '.join(map(str, scan.mask.shape))} complex voxels, {len(scan.coils)} coils, "
        f"{scan.mask.sum()} of {scan.mask.size} points of k-space (1 in {1 / scan.mask.mean():g}), "
        f"noise {options.noise:.1%}: a full scan would have {-20 * np.log10(options.noise):.1f} dB"
    )
    measured = on_device(scan, options.device)
    progress = Progress(np.to_device(reference, options.device), options.iterations, sys.stdout)
    result = reconstruct(measured, options.iterations, progress)
    before, after = np.to_host(zero_filled(measured)), np.to_host(result.x)
    seconds = perf_counter() - progress.start
    print(f"\n{result.nit} iterations, {result.nfev} gradients, {seconds:.1f} s\n")
    print(report(reference, before, after))
    picture(reference, scan, before, after).savefig(options.output, dpi=120)
    print(f"\npicture: {options.output}")


if __name__ == "__main__":
    main()
