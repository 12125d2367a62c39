"""The level of each operation on each backend, and the route or refusal that follows from the level in force."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from operator import attrgetter

import numpy as np
from numpy.typing import DTypeLike

from .errors import DeterminismError
from .families import BY_PARTS, INSTEAD, rows_for
from .flag import Setting, current_scope
from .levels import Level, Mode
from .refusals import fall_short
from .rows import KIND, Policy, Row
from .ways import Route, Way, Wrapper, serves

_UNKNOWN = Row("", Level.NONE, Level.NONE, Level.NONE, None, "it has no row in the policy table")


class PolicyTable:
    """Rows and routes by operation and backend. The package has one, whose methods are the public functions."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], Row] = {}
        self.routes: dict[tuple[str, str], dict[Level, Route]] = {}
        self.wrappers: dict[tuple[str, str], tuple[Level, Wrapper]] = {}
        self.by_parts: dict[str, Wrapper] = {}
        self.by_elements: dict[str, Wrapper] = {}
        self._resolved: dict[tuple[str, str, DTypeLike | None], tuple[Policy, list[Way]]] = {}

    def register_policy(
        self,
        op: str,
        backend: str,
        level: Mode | tuple[Mode, Mode, Mode],
        route: str | None = None,
        *,
        reason: str,
    ) -> None:
        """Say what an operation, or a family, keeps on a backend; a second call replaces the first.

        Parameters
        ----------
        op, backend : str
            Named as in `policy`.
        level : Level or tuple of three
            The highest level met without a route; or one for integers and booleans, one for real and one for complex
            numbers.
        route : str, optional
            What takes it above that level, or could, for the documentation.
        reason : str
            Why it meets this level and no more, as a clause that begins in lower case.

        Examples
        --------
        >>> from wirtinger.determinism import PolicyTable
        >>> table = PolicyTable()
        >>> table.register_policy("special.zeta", "numpy", "run", reason="its sums follow the memory layout")
        >>> str(table.policy("special.zeta", "numpy").level)
        'run'
        """
        integer, real, complex_ = level if isinstance(level, tuple) else (level, level, level)
        self.rows[op, backend] = Row(op, Level(integer), Level(real), Level(complex_), route, reason)
        self._resolved = {}

    def register_route(self, op: str, backend: str, level: Mode, function: Route) -> None:
        """Give an operation a kernel that meets a higher level than it does as it is.

        Parameters
        ----------
        op, backend : str
            Named as in `policy`; a route belongs to one operation, never to a family.
        level : Level
            The highest level that `function` meets, for every kind of number.
        function : callable
            It is called in place of the operation, with its arguments.

        Raises
        ------
        LookupError
            If the operation has no policy on this backend.
        ValueError
            If the operation meets `level` without it.

        Examples
        --------
        >>> import math
        >>> from wirtinger.determinism import PolicyTable
        >>> table = PolicyTable()
        >>> table.register_policy("sum", "numpy", "run", reason="its order follows the memory layout")
        >>> table.register_route("sum", "numpy", "portable", math.fsum)
        >>> str(table.policy("sum", "numpy").level)
        'portable'
        """
        met = self.policy(op, backend).plain
        if met >= Level(level):
            raise ValueError(f"{op} on backend '{backend}' meets '{met}' as it is: a route has to meet more")
        self.routes.setdefault((op, backend), {})[Level(level)] = function
        self._resolved = {}

    def register_wrapper(self, row: str, backend: str, level: Mode, wrapper: Wrapper) -> None:
        """Give all operations of a row a way to be called in which they meet a higher level than as they are.

        Parameters
        ----------
        row, backend : str
            The name of the row, that of a family or of an operation, and the backend.
        level : Level
            The level that the operations meet when they are called so, for every kind of number.
        wrapper : callable
            `(function, *args, **kwargs)`: calls the operation, which it is given, with its arguments made ready for it.

        Raises
        ------
        LookupError
            If there is no such row.

        Examples
        --------
        >>> import numpy
        >>> from wirtinger.determinism import PolicyTable, deterministic
        >>> table = PolicyTable()
        >>> table.register_policy("sums", "numpy", "run", reason="their order follows the memory layout")
        >>> in_c_order = lambda function, a, **options: function(numpy.ascontiguousarray(a), **options)
        >>> table.register_wrapper("sums", "numpy", "schedule", in_c_order)
        >>> str(table.policy("sum", "numpy").level)
        'schedule'
        >>> with deterministic("schedule"):
        ...     table.require("sum", "numpy", function=numpy.sum)(numpy.ones((2, 3)).T)
        np.float64(6.0)
        """
        if not any((name, backend) in self.rows for name in rows_for(row)):
            raise LookupError(f"'{row}' on backend '{backend}' has no row in the policy table: {_REGISTER}")
        self.wrappers[row, backend] = Level(level), wrapper
        self._resolved = {}

    def policy(self, op: str, backend: str, dtype: DTypeLike | None = None) -> Policy:
        """Return what an operation keeps on a backend.

        Parameters
        ----------
        op : str
            As the user calls it, without the package: ``'add'``, ``'linalg.solve'``, ``'add.at'``, ``'getitem'``.
        backend : str
            ``'numpy'`` or ``'cupy'``, or another that rows are registered for.
        dtype : dtype, optional
            What it computes with, the common dtype of the operands. Without it the answer is the lowest of
            those for integers, real and complex numbers. Extended precision and objects get ``'run'`` at most.

        Returns
        -------
        Policy

        Raises
        ------
        LookupError
            If neither the operation nor its family has a row for this backend.

        Examples
        --------
        >>> from wirtinger.determinism import policy
        >>> str(policy("sqrt", "numpy", "float64").level), str(policy("sqrt", "numpy", "complex128").level)
        ('portable', 'schedule')
        """
        found, _ = self._resolve(op, backend, dtype)
        if not found.row:
            raise LookupError(f"'{op}' on backend '{backend}' has no row in the policy table: {_REGISTER}")
        return found

    def minimum_level(self, ops: Iterable[str], backend: str, dtype: DTypeLike | None = None) -> Level:
        """Return the level that a program of these operations keeps: the lowest of theirs.

        A gradient is such a program: the operations of its differential and adjoint.

        Examples
        --------
        >>> from wirtinger.determinism import minimum_level
        >>> str(minimum_level(["add", "exp", "transpose"], "numpy"))
        'schedule'
        """
        return min((self.policy(op, backend, dtype).level for op in ops), default=Level.PORTABLE)

    def require(
        self, op: str, backend: str, dtype: DTypeLike | None = None, function: Route | None = None
    ) -> Route | None:
        """Return the route that an operation has to take at the level in force, or refuse.

        Parameters
        ----------
        op, backend, dtype
            As in `policy`.
        function : callable, optional
            What computes it; without it the wrapper of its row cannot serve.

        Returns
        -------
        callable or None
            What to call in place of the operation, with the same arguments; None if the operation itself meets the
            level, as it always does when the flag is off. Of several routes, the one with the lowest level that
            suffices.

        Raises
        ------
        DeterminismError
            If nothing meets the level in force. With ``warn_only=True`` the best one available is returned, and a
            `DeterminismWarning` is issued once per operation.

        Examples
        --------
        >>> from wirtinger.determinism import deterministic, require
        >>> with deterministic("portable"):
        ...     require("sort", "numpy").__name__
        'stable_sort'
        """
        setting = current_scope().setting
        if not setting.level:
            return None
        found, ways = self._resolve(op, backend, dtype)
        if found.plain >= setting.level:
            return None
        best, met = None, found.plain
        for way in ways:
            call = way.of(function)
            if call is not None and way.level >= setting.level:
                return call
            if call is not None:
                best, met = call, way.level
        self._refuse(found, met, setting, dtype)
        return best

    def _resolve(self, op: str, backend: str, dtype: DTypeLike | None) -> tuple[Policy, list[Way]]:
        """What an operation keeps, and by which ways more than as it is, from the lowest level."""
        resolved = self._resolved
        if (op, backend, dtype) not in resolved:
            row = next((self.rows[name, backend] for name in rows_for(op) if (name, backend) in self.rows), _UNKNOWN)
            plain = row.level(dtype)
            routes = self.routes.get((op, backend), {}).items()
            ways = [Way(level, route) for level, route in routes if serves(route, dtype)]
            wrapper = self.wrappers.get((op, backend)) or self.wrappers.get((row.name, backend))
            if wrapper is not None and (dtype is None or np.dtype(dtype).char in KIND):
                ways.append(Way(wrapper[0], None, wrapper[1]))
            if op in BY_PARTS and backend in self.by_parts and (dtype is None or np.dtype(dtype).char in KIND):
                ways.insert(0, Way(Level.PORTABLE, None, self.by_parts[backend], is_of_parts=True))
            name, _, method = op.rpartition(".")  # of a ufunc, where the ufunc itself meets the level
            is_at = method == "at" and backend in self.by_elements
            if is_at and self._resolve(name, backend, dtype)[0].level == Level.PORTABLE:
                ways.append(Way(Level.PORTABLE, None, partial(self.by_elements[backend], self.require)))
            ways = sorted((way for way in ways if way.level > plain), key=attrgetter("level"))
            best = ways[-1].level if ways else plain
            resolved[op, backend, dtype] = Policy(op, backend, best, plain, row.route, row.reason, row.name), ways
        return resolved[op, backend, dtype]

    def _refuse(self, found: Policy, met: Level, setting: Setting, dtype: DTypeLike | None) -> None:
        others = any(level >= setting.level for level in self.routes.get((found.op, found.backend), {}))
        reason = found.reason + "; its route to that level does not accept this kind of numbers" * others
        hint = self._hint(found, met, setting.level, dtype)
        fall_short(DeterminismError(found.op, found.backend, setting.level, met, reason, hint), stacklevel=4)

    def _hint(self, found: Policy, met: Level, asked: Level, dtype: DTypeLike | None) -> str:
        if not found.row:
            return _REGISTER
        hints = ["pass warn_only=True to compute it anyway, with one warning"]
        if met:
            hints.insert(0, f"use the best level available, with deterministic('{met}') around this call")
        for backend in sorted({backend for _, backend in self.rows} - {found.backend}):
            if self._resolve(found.op, backend, dtype)[0].level >= asked:
                hints.insert(0, f"compute it on backend '{backend}', where it meets '{asked}'")
        if found.row in INSTEAD and found.backend == "numpy":
            hints.insert(0, INSTEAD[found.row])
        return "; or ".join(hints)


_REGISTER = "classify it with register_policy(op, backend, level, reason=...)"
