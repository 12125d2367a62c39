"""`compile`: the same function, without the Python code between its operations."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Sequence
from functools import partial, update_wrapper
from typing import Any, NamedTuple

from ...backends.native.chosen import Chooser, Kernels, chooser_of
from ...backends.numpy_versions import settings_in_force
from ...determinism.flag import FIXED, IN_FORCE, is_portable
from ..engine.errors import TraceError
from ..engine.opaque import RECORDING
from ..transforms.arguments import unflatten
from ..transforms.transformed import check_function, name_of
from . import backend as _backend  # noqa: F401  (it registers itself)
from .environment import Environment
from .instructions import Program
from .nested import GuardError
from .python_code import PythonProgram
from .python_text import Lowered
from .recorder import LOUD
from .recording import is_recording, recorded, refuse_eager
from .returned import separate
from .signatures import Call, Route, static_positions
from .simplification import simplified

_MOST_PROGRAMS = 64
"""So many signatures are kept for a function; the one that was used longest ago goes first."""
_MOST_NUMBERS = 16
"""So many values of Python's numbers among the arguments have programs; a function of more runs itself."""
_MOST_VARIANTS = 4
"""So many programs are kept for one signature, which differ in what their guards hold."""


class CacheInfo(NamedTuple):
    """How often a compiled function found its program.

    Attributes
    ----------
    hits, misses : int
        Calls that ran a program, and calls that recorded one.
    eager : int
        Calls that ran the function itself: no guard of the programs that there are held, or arguments were traced, or
        lay on another device.
    programs : int
        How many programs there are.
    """

    hits: int
    misses: int
    eager: int
    programs: int


class _Variant(NamedTuple):
    """One program of a signature: what runs it, the structure of its result, and what calls do that are as the last."""

    code: PythonProgram
    structure: Any
    program: Program
    routes: list[Route | None]


class _Entry:
    """What there is for one signature: its programs, and what the function read besides its arguments.

    Attributes
    ----------
    variants : list of _Variant
        Programs that differ in what their guards hold.
    environment : Environment
        What the function read.
    is_eager : bool
        Whether the function itself is called.
    """

    __slots__ = ("environment", "is_eager", "variants")

    def __init__(self, environment: Environment) -> None:
        self.variants: list[_Variant] = []
        self.environment = environment
        self.is_eager = environment.is_open


class Compiled:
    """A function that is recorded once for each signature of its arguments, and then runs as a program."""

    def __init__(self, f: Callable[..., Any], static_argnums: Sequence[int], kernels: Kernels = "numpy") -> None:
        update_wrapper(self, f)
        self._f = f
        self._static = static_argnums
        self._kernels: Kernels = kernels
        self._kernel_of = chooser_of(kernels)
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._families: Counter[Hashable] = Counter()
        self._lock = threading.RLock()
        self._hits = self._misses = self._eager = 0
        self._route: Route | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        route = self._route
        if route is not None and not (kwargs or IN_FORCE[0] or RECORDING[0]):
            settings, recognized, run, rebuilt = route
            if settings is settings_in_force() and (leaves := recognized(args)) is not None:
                try:
                    found = run(leaves)
                except GuardError:
                    pass
                except Exception:  # as below
                    return self._eagerly(Call(self._f, args, kwargs, self._static))
                else:
                    self._hits += 1
                    return rebuilt(found)
        call = Call(self._f, args, kwargs, self._static)
        entry = None if call.signature is None else self._entries.get(call.signature)
        if call.signature is None or not LOUD.isdisjoint(call.errors) or is_recording():
            return self._eagerly(call)
        if FIXED[0] and is_portable():  # a program does not ask for the level of each operation of a rule
            return self._eagerly(call)
        if entry is None or entry.environment.has_changed():
            entry = self._new_entry(call)
        if entry.is_eager:
            return self._eagerly(call)
        for variant in entry.variants:
            try:
                found = variant.code.run(call.leaves)
            except GuardError:
                continue
            except Exception:  # as in the function itself, which raises it or goes on in another way
                return self._eagerly(call)
            self._hits += 1
            if not variant.routes:
                variant.routes.append(call.route(entry.environment, variant.code.run, variant.structure))
            self._route = variant.routes[0]
            return unflatten(variant.structure, found)
        return self._recorded(call, entry)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else partial(self, instance)

    def __reduce__(self) -> Any:
        return name_of(self) or (Compiled, (self._f, self._static, self._kernels))

    def _eagerly(self, call: Call) -> Any:
        if self._kernels == "own":
            refuse_eager()
        self._eager += 1
        return call.eagerly()

    def _new_entry(self, call: Call) -> _Entry:
        with self._lock:
            self._route, entry = None, _Entry(Environment([self._f, *call.fixed]))
            if call.signature not in self._entries and call.family is not None:
                self._families[call.family] += 1
                entry.is_eager |= self._families[call.family] > _MOST_NUMBERS
            self._entries[call.signature] = entry
            while len(self._entries) > _MOST_PROGRAMS:
                self._entries.popitem(last=False)
        return entry

    def _recorded(self, call: Call, entry: _Entry) -> Any:
        with self._lock:
            if len(entry.variants) >= _MOST_VARIANTS and self._kernels == "numpy":
                return self._eagerly(call)
            self._misses += 1
            try:
                variant, result = _compiled(call, entry.environment, self._kernel_of)
            except TraceError:
                raise
            except Exception:  # what a symbol cannot do; or what the function itself raises
                if self._kernels == "own":
                    raise
                found = self._eagerly(call)
                entry.is_eager = True
                return found
            if variant is None:
                entry.is_eager = True
                return self._eagerly(call) if self._kernels == "own" else result()
            entry.variants = [*entry.variants[1 - _MOST_VARIANTS :], variant]
        return result()

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """The program for these arguments.

        Parameters
        ----------
        *args, **kwargs
            As of the function.

        Returns
        -------
        Lowered
            With `as_text()`, which shows it.
        """
        call = Call(self._f, args, kwargs, self._static)
        if call.signature is None:
            raise TypeError(
                "these arguments cannot be compiled: one is being differentiated or mapped over, or is not a plain "
                "array on the CPU"
            )
        variant, _ = _compiled(call, Environment([self._f, *call.fixed]), self._kernel_of)
        if variant is None:
            raise TypeError(
                "the function cannot be compiled, and calls run it as it is: docs/compile.md lists the reasons"
            )
        return Lowered(variant.program, variant.code.written.source, variant.code.executor)

    def cache_info(self) -> CacheInfo:
        """How often programs were found, and how many there are."""
        programs = sum(len(entry.variants) for entry in self._entries.values())
        return CacheInfo(self._hits, self._misses, self._eager, programs)

    def cache_clear(self) -> None:
        """Forget all programs."""
        with self._lock:
            self._entries.clear()
            self._families.clear()
            self._route = None
            self._hits = self._misses = self._eager = 0


def _compiled(call: Call, environment: Environment, kernel_of: Chooser) -> tuple[_Variant | None, Callable[[], Any]]:
    """The program of a call, None where there can be none, and what returns its result."""
    recording = recorded(call.of_leaves, call.leaves, environment, kernel_of)
    if recording.is_declined:
        return None, call.eagerly
    program = simplified(recording.program)
    variant = _Variant(PythonProgram(program), recording.structure, program, [])
    _ = variant.code.run  # it is made now, and not in the second call
    return variant, lambda: unflatten(recording.structure, [separate(x) for x in recording.examples])


def compile(
    f: Callable[..., Any] | None = None, *, static_argnums: int | Sequence[int] = (), kernels: Kernels = "numpy"
) -> Any:
    """Compile a function: record it once, then run it without the Python code between its operations.

    Parameters
    ----------
    f : callable
        A function of arrays and numbers, and of trees of these.  It must do the same whenever it is called with the
        same arguments: what it prints or counts happens when it is recorded, and not when the program runs.
    static_argnums : int or sequence of int
        Positional arguments that may control the function, as by `if` or `range`: each value, which must be hashable,
        has its own program.  Python numbers, flags, strings, None, functions and objects are static in any case.
    kernels : {'numpy', 'own'}, optional
        The kernels of elementary functions of real arrays (`exp`, `sin`, `tanh`, ...): those of NumPy, with the bits of
        `f`; or those of the C library, with the same bits for each element on every machine, at most 2 units in the
        last place from the exact value, in as little as half the time where NumPy's are not vectorized.

    Returns
    -------
    callable
        A function with the arguments and, with NumPy's kernels, bit for bit the results of `f`.  It also has the
        methods `lower(*args)`, whose `as_text()` shows the program, `cache_info()` and `cache_clear()`.

    Raises
    ------
    SymbolError
        If `f` needs a value that is known only when the program runs, as `if x > 0` does; the error names the line and
        what to write instead.
    TraceError
        If `f` does not do the same twice, since it draws random numbers or counts.  With the kernels 'own', also if a
        call would run `f` itself.
    ValueError
        If `f` has no argument at one of `static_argnums`.
    RuntimeError
        If the kernels 'own' are requested, and there is no C library.

    Notes
    -----
    A program is valid for the shapes, dtypes, memory order and tree structure of the arguments; others record another
    program.  Where code of this package branches on values (is a matrix singular, do eigenvalues meet, is a gradient
    finite), the program has a guard.  If a guard fails, the call is recorded again, and from the fifth time on it runs
    `f` itself.  Pass a number that changes between calls as a NumPy number or array: each Python number has its own
    program, up to 16.  Calls with arguments that are being differentiated, or on a GPU, run `f` itself: compile the
    gradient, not the function, `compile(grad(f))`.

    Examples
    --------
    >>> import wirtinger as np
    >>> from wirtinger import compile, value_and_grad
    >>> f = value_and_grad(lambda x: np.sum(np.sin(x) ** 2))
    >>> step = compile(f)
    >>> value, gradient = step(np.zeros(3))
    >>> value, gradient = step(np.ones(3))
    >>> bool((gradient == f(np.ones(3))[1]).all())
    True
    >>> step.cache_info()
    CacheInfo(hits=1, misses=1, eager=0, programs=1)
    """
    if f is None:
        return partial(compile, static_argnums=static_argnums, kernels=kernels)
    check_function(f)
    return Compiled(f, static_positions(f, static_argnums), kernels)
