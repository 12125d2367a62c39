"""Names of functions built from functions; turns operators on functions of one argument into operators on any."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ...complex_autograd.engine.trace import ENDED_TAPE
from ...complex_autograd.transforms.transformed import TransformedFunction
from .util import subvals

__all__ = ["get_doc", "get_name", "unary_to_nary", "with_ended", "wrap_nary_f", "wraps"]


def get_name(f: Any) -> str:
    """The name of a function, if it has one."""
    return str(getattr(f, "__name__", "[unknown name]"))


def get_doc(f: Any) -> str:
    """Its documentation."""
    return getattr(f, "__doc__", None) or ""


def wraps(fun: Any, namestr: str = "{fun}", docstr: str = "{doc}", **kwargs: Any) -> Callable[[Any], Any]:
    """A decorator that gives a function the name and the documentation of another one, by templates."""

    def named(f: Any) -> Any:
        with suppress(KeyError, IndexError, ValueError):  # braces in a documentation
            f.__name__ = namestr.format(fun=get_name(fun), **kwargs)
            f.__doc__ = docstr.format(fun=get_name(fun), doc=get_doc(fun), **kwargs)
        return f

    return named


def wrap_nary_f(fun: Any, op: Any, argnum: Any) -> Callable[[Any], Any]:
    """A decorator that names a function by the operator and the function that it comes from."""
    documentation = (
        "    {op} of function {fun} with respect to argument number {argnum}. Takes the\n"
        "    same arguments as {fun} but returns the {op}.\n"
    )
    return wraps(fun, "{op}_of_{fun}_wrt_argnum_{argnum}", documentation, op=get_name(op), argnum=argnum)


def unary_to_nary(unary_operator: Callable[..., Any]) -> Callable[..., Any]:
    """An operator `(fun, argnum=0)` of functions of any arguments, from one `(fun, x)` of functions of one.

    For several argument numbers `x` is the tuple of these arguments.  What it returns can be pickled if `fun` can.
    """

    @functools.wraps(unary_operator)
    def nary_operator(fun: Any, argnum: Any = 0, *operator_args: Any, **operator_kwargs: Any) -> Any:
        if type(argnum) not in (int, tuple, list):
            raise TypeError(f"argnum is {argnum!r}: it must be the number of an argument, or a tuple or list of them")
        nary_f = TransformedFunction(_of_any_arguments, fun, nary_operator, argnum, operator_args, operator_kwargs)
        return wrap_nary_f(fun, nary_operator, argnum)(nary_f)

    return nary_operator


def _of_any_arguments(
    fun: Any, operator: Any, argnum: Any, operator_args: Any, operator_kwargs: Any, /, *args: Any, **kwargs: Any
) -> Any:
    is_single = type(argnum) is int

    def unary_f(x: Any) -> Any:
        pairs = [(argnum, x)] if is_single else zip(argnum, x, strict=True)
        return fun(*subvals(args, pairs), **kwargs)

    unary_f.__name__ = get_name(fun)
    x = args[argnum] if is_single else tuple(args[i] for i in argnum)
    return operator.__wrapped__(unary_f, x, *operator_args, **operator_kwargs)


def with_ended(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule that may hold traced values of the call, whose trace has ended when it runs: there they are constants."""

    def call(*args: Any) -> Any:
        ENDED_TAPE.rules += 1
        try:
            return rule(*args)
        finally:
            ENDED_TAPE.rules -= 1

    return call
