"""`scipy.signal`: what the short-time Fourier transforms need that is no arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.signal._arraytools as _arraytools

from .....complex_autograd.engine.opaque import peeled
from .....complex_autograd.engine.traced import Traced
from ..leaves import leaf
from .transforms import fft, rfft


@leaf("scipy.signal._short_time_fft", "ShortTimeFFT.__init__")
def initialize(
    self: Any,
    win: Any,
    hop: int,
    fs: Any,
    *,
    fft_mode: str = "onesided",
    mfft: int | None = None,
    dual_win: Any = None,
    scale_to: str | None = None,
    phase_shift: int | None = 0,
) -> None:
    """A `ShortTimeFFT`; windows that have a derivative stay traced, and are not write-protected."""
    for name, window in (("win", win), ("dual_win", dual_win)):
        if window is None:
            continue
        if window.ndim != 1 or window.size == 0:
            raise ValueError(f"Parameter {name} must be 1d, but {name}.shape={window.shape}!")
        if not np.all(np.isfinite(window)):
            raise ValueError(f"Parameter {name} must have finite entries!")
    if not (isinstance(hop, int | np.integer) and hop >= 1):
        raise ValueError(f"Parameter {hop=} is not an integer >= 1!")
    if dual_win is not None and dual_win.shape != win.shape:
        raise ValueError(f"{dual_win.shape=} must equal {win.shape=}!")
    self._win, self._hop, self.fs = _protected(win), hop, fs
    self.mfft = len(win) if mfft is None else mfft
    self._dual_win = None if dual_win is None else _protected(dual_win)
    if scale_to is not None:
        self.scale_to(scale_to)
    self.fft_mode, self.phase_shift = fft_mode, phase_shift


def _protected(window: Any) -> Any:
    window = peeled(window)
    if type(window) is np.ndarray:
        window.setflags(write=False)
    return window


@leaf("scipy.signal._spectral_py")
def _fft_helper(x: Any, win: Any, detrend_func: Any, nperseg: int, noverlap: int, nfft: int, sides: str) -> Any:
    """The spectra of all segments, along new last axes."""
    segments = np.lib.stride_tricks.sliding_window_view(x, nperseg, axis=-1)[..., :: nperseg - noverlap, :]
    segments = win * detrend_func(segments)
    return fft(segments, nfft) if sides == "twosided" else rfft(np.real(segments), nfft)


@leaf("scipy.signal._arraytools")
def _validate_fs(fs: Any, allow_none: bool = True) -> Any:
    """A sampling frequency, which is a number, or None."""
    fs = peeled(fs)
    if isinstance(fs, Traced):
        if fs.shape == ():
            return fs
        raise ValueError("Sampling frequency fs must be a single scalar.")
    return _arraytools._validate_fs(fs, allow_none)
