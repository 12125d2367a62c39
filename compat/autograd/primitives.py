"""autograd's primitives: functions with rules for vector-Jacobian and Jacobian-vector products.

autograd pairs cotangents without a conjugate.  With `<a, b> = Re sum(conj(a) b)` and the adjoint `J*` of a
differential `J`, its vector-Jacobian product is `g -> conj(J*(conj(g)))`: the rules are called with conjugates, and
their results are conjugated.  Tangents are the same in both.

One of the two rules is enough.  A vector-Jacobian product `V` gives `J = (C V C)*`, with conjugation `C`: the
differential is the adjoint of a linear function, taken at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ...complex_autograd.engine.errors import NotDifferentiableError, TraceError
from ...complex_autograd.engine.opaque import RECORDING, decline
from ...complex_autograd.engine.space import project
from ...complex_autograd.engine.symbolic import adjoint_when_asked
from ...complex_autograd.engine.traced import Traced, peel, raw, top_trace
from ...complex_autograd.engine.zero import ZERO
from ...complex_autograd.transforms.arguments import as_array, flatten, leaves_in, unflatten
from ...complex_autograd.transforms.recording import Recording
from .wrap_util import get_name, with_ended, wraps

Rule = Callable[..., Any]

primitive_vjps: dict[Any, Rule] = {}
"""Of each primitive `(argnums, ans, args, kwargs) -> (g -> cotangents)`."""

primitive_jvps: dict[Any, Rule] = {}
"""Of each primitive `(argnums, tangents, ans, args, kwargs) -> tangent`."""

vjp_argnums: dict[Any, Iterable[int]] = {}
"""Of primitives with a rule an argument: the arguments that have one."""


class SparseObject:
    """A cotangent that is 0 but for a part, which `mut_add` adds to an element of the space `vs`."""

    def __init__(self, vs: Any, mut_add: Callable[[Any], Any]) -> None:
        self.vs, self.mut_add = vs, mut_add


def conjugate(x: Any) -> Any:
    """The conjugate of an array; a real one itself."""
    return np.conjugate(x) if x.dtype.kind == "c" else x


def primitive(f_raw: Callable[..., Any]) -> Any:
    """A function that is differentiated by rules of its own, which `defvjp` or `defjvp` declares.

    Parameters
    ----------
    f_raw : callable
        It is called with plain values in the place of traced ones.

    Returns
    -------
    callable
        The function to call, and to declare rules for.

    Raises
    ------
    NotImplementedError
        When it is differentiated in an argument without a rule.

    Examples
    --------
    >>> import numpy
    >>> from wirtinger.compat.autograd import grad
    >>> from wirtinger.compat.autograd.extend import defvjp, primitive
    >>> cube = primitive(lambda x: numpy.power(x, 3))
    >>> defvjp(cube, lambda ans, x: lambda g: 3 * g * x**2)
    >>> grad(cube)(2.0)
    np.float64(12.0)
    """

    @wraps(f_raw)
    def f_wrapped(*args: Any, **kwargs: Any) -> Any:
        for a in args:
            if type(a) is Traced or (type(a) in _CONTAINERS and top_trace(flatten(a)[0]) is not None):
                break
        else:
            return f_raw(*args, **kwargs)
        if RECORDING[0]:
            decline([a for a in args if type(a) is Traced])
        call = _Call(f_wrapped, args, kwargs)
        top = top_trace(call.leaves)
        return f_raw(*args, **kwargs) if top is None else call.result(top.apply(call, tuple(call.leaves), {}))

    f_wrapped.fun = f_raw
    f_wrapped._is_autograd_primitive = True
    return f_wrapped


_CONTAINERS = (tuple, list, dict)


class _Call:
    """A call of a primitive as an operation of the engine, whose arguments are the traced leaves of the call's."""

    __slots__ = ("argnums", "args", "has_trees", "kwargs", "leaves", "numbers", "of", "structure", "structures")

    linearity = ""
    chooses = is_elementwise = is_opaque = False
    joint_adjoint = None

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.of, self.kwargs = function, kwargs
        self.args = [a.copy() if type(a) is np.ndarray else a for a in args]
        self.argnums: list[int] = []
        self.structures: list[Any] = []
        self.leaves: list[Any] = []
        self.numbers: list[int] = []
        self.structure: Any = None
        self.has_trees = False
        for i, a in enumerate(args):
            if type(a) is Traced:
                self._add(i, [a], None)
            elif type(a) in _CONTAINERS and _has_rule(function, i):
                leaves, structure = flatten(a)
                if top_trace(leaves) is not None:
                    self.has_trees = True
                    self._add(i, leaves, structure)

    def _add(self, argnum: int, leaves: list[Any], structure: Any) -> None:
        self.argnums.append(argnum)
        self.structures.append(structure)
        self.numbers.append(len(leaves))
        self.leaves += [as_array(x) for x in leaves]

    @property
    def name(self) -> str:
        return get_name(self.of)

    @property
    def function(self) -> Callable[..., Any]:
        """What a level calls for values of the lower ones."""
        return self.__call__

    def __call__(self, *leaves: Any) -> Any:
        """The leaves of the result, of leaves of a lower level."""
        outputs, self.structure = flatten(self.of(*self._filled(leaves), **self.kwargs))
        arrays = [as_array(peel(x)) for x in outputs]
        if any(x.dtype.kind not in "fciub" for x in arrays):
            raise TypeError(
                f"the primitive {self.name} returned a {type(outputs[0]).__name__}, which cannot be differentiated: "
                "let it return arrays, numbers, or tuples, lists and dicts of them."
            )
        return arrays[0] if self.structure is None else tuple(arrays)

    def result(self, out: Any) -> Any:
        """What the caller gets: integers as they are."""
        if self.structure is not None:
            return unflatten(self.structure, list(out))
        return out if out.dtype.kind in "fc" else raw(out)

    def _filled(self, leaves: Sequence[Any]) -> list[Any]:
        """The arguments with these leaves."""
        args = list(self.args)
        for i, tree in zip(self.argnums, self._trees(leaves) if self.has_trees else leaves, strict=True):
            args[i] = tree
        return args

    def _trees(self, leaves: Sequence[Any]) -> Iterator[Any]:
        start = 0
        for number, structure in zip(self.numbers, self.structures, strict=True):
            yield unflatten(structure, leaves[start : start + number])
            start += number

    def _of_argument(self) -> list[int]:
        """Of each leaf the position of its argument among those that are traced."""
        if not self.has_trees:
            return list(range(len(self.argnums)))
        return [i for i, number in enumerate(self.numbers) for _ in range(number)]

    # what the engine asks of a primitive

    def is_linear_in(self, active: Sequence[int], args: Sequence[Any]) -> bool:
        return False

    def push(self, out: Any, values: Sequence[Any], tangents: Sequence[Any], params: dict[str, Any]) -> Any:
        """The tangent of the result, or of each of its leaves."""
        active = [i for i, t in enumerate(tangents) if t is not ZERO]
        rule = primitive_jvps.get(self.of)
        if rule is None:
            return self._push_by_transposing(out, values, [tangents[i] for i in active], active)
        filled = [np.zeros_like(v) if t is ZERO else t for v, t in zip(values, tangents, strict=True)]
        of_argument = self._of_argument()
        moving = sorted({of_argument[i] for i in active})
        trees = list(self._trees(filled))
        argnums, moved = tuple(self.argnums[i] for i in moving), tuple(trees[i] for i in moving)
        pushed = rule(argnums, moved, self._value(out), self._filled(values), self.kwargs)
        leaves = [as_array(peel(x)) for x in leaves_in(self.structure, pushed, f"tangent of {self.name}")]
        return leaves[0] if self.structure is None else leaves

    def _value(self, out: Any) -> Any:
        return out if self.structure is None else unflatten(self.structure, list(out))

    def _push_by_transposing(
        self, out: Any, values: Sequence[Any], tangents: Sequence[Any], active: Sequence[int]
    ) -> Any:
        """The tangents of the result by the adjoint of the vector-Jacobian product, which is linear."""
        outputs = [out] if self.structure is None else list(out)
        adjoint = self._adjoint_by_rule(active, out, values)

        def of_cotangents(*g: Any) -> list[Any]:
            found = adjoint(g[0] if self.structure is None else list(g))
            return [
                np.zeros(values[i].shape) if c is None else project(c, values[i].shape, values[i].dtype)
                for i, c in zip(active, found, strict=True)
            ]

        try:
            transposed = Recording(of_cotangents, [np.zeros(x.shape, x.dtype) for x in outputs], has_aux=False)
        except TraceError:
            raise NotDifferentiableError(
                self.name,
                "its differential was to be derived from its vjp, which is run for it on traced cotangents and lost "
                "one: it calls compiled code, or writes into an array of plain numpy's. Use the functions of "
                "autograd.numpy in the vjp, or declare the differential: defjvp",
            ) from None
        pushed = transposed.pull(tangents, zeros_are_structural=False)
        return pushed[0] if self.structure is None else pushed

    def adjoint_at(
        self, active: Sequence[int], out: Any, values: Sequence[Any], spaces: Sequence[Any], params: dict[str, Any]
    ) -> Callable[[Any], Any]:
        """The adjoint of the differential, by the rule for it or from that for tangents."""
        if self.of in primitive_vjps or self.of not in primitive_jvps:
            return self._adjoint_by_rule(active, out, values)

        def differential(*tangents: Any) -> Any:
            return self.push(out, values, tangents, params)

        return adjoint_when_asked(self.name, differential, out, active, spaces, len(values))

    def _adjoint_by_rule(self, active: Sequence[int], out: Any, values: Sequence[Any]) -> Callable[[Any], Any]:
        of_argument = self._of_argument()
        moving = sorted({of_argument[i] for i in active})
        argnums = tuple(self.argnums[i] for i in moving)
        rule = primitive_vjps.get(self.of)
        if rule is None:
            raise NotImplementedError(f"VJP of {self.name} wrt argnums {argnums} not defined")
        outputs = [out] if self.structure is None else list(out)
        vjp = with_ended(with_ended(rule)(argnums, self._value(out), self._filled(values), self.kwargs))
        if not self.has_trees and self.structure is None:
            return lambda g: [self._cotangents(c, None, 1)[0] for c in vjp(conjugate(as_array(g)))]

        def adjoint(g: Any) -> list[Any]:
            given = [
                np.zeros(x.shape, x.dtype) if gk is None else conjugate(as_array(gk))
                for gk, x in zip([g] if self.structure is None else g, outputs, strict=True)
            ]
            found: dict[int, Any] = {}
            start = 0
            trees = dict(zip(moving, vjp(unflatten(self.structure, given)), strict=True))
            for i, number in enumerate(self.numbers):
                if i in trees:
                    leaves = self._cotangents(trees[i], self.structures[i], number)
                    found.update(zip(range(start, start + number), leaves, strict=True))
                start += number
            return [found[i] for i in active]

        return adjoint

    def _cotangents(self, tree: Any, structure: Any, number: int) -> list[Any]:
        """The leaves of what a rule returned, conjugated; None for 0.  What it filled under the trace is plain now."""
        if tree is None:
            return [None] * number
        if type(tree) is SparseObject:
            tree = tree.mut_add(tree.vs.zeros())
        leaves = (
            [tree] if structure is None else leaves_in(structure, _lists(tree, structure), f"cotangent of {self.name}")
        )
        return [conjugate(as_array(peel(x))) for x in leaves]


def _lists(tree: Any, structure: Any) -> Any:
    """A tree with lists in place of the arrays that stand for lists: a rule may return one with their items."""
    if structure is not None and type(tree) in (np.ndarray, Traced, list, tuple) and len(tree) == len(structure[1]):
        return [_lists(x, each) for x, each in zip(tree, structure[1], strict=True)]
    return tree


def _has_rule(function: Any, argnum: int) -> bool:
    """Whether a rule takes containers of traced values in this argument."""
    if function in vjp_argnums:
        return argnum in vjp_argnums[function]
    return function in primitive_vjps or function in primitive_jvps


def is_primitive(f: Any) -> bool:
    """Whether a function takes rules."""
    return getattr(f, "_is_autograd_primitive", False)
