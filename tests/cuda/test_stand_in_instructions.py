"""Instructions of PTX, one by one, against exact results: integers and fractions of Python.

In a case `$` stands for the next operand, the result first, or `$1` for one of them.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import stand_in
from stand_in.ptx import UntranslatedError, translate
from stand_in.ptx.parser import WIDTH

cupy = pytest.importorskip("cupy")
pytestmark = pytest.mark.skipif(not stand_in.installed(), reason="of the stand-in, which is not in use")

FLOATS = {"f16": np.float16, "f32": np.float32, "f64": np.float64}


def signed(value, bits):
    value &= 2**bits - 1
    return value - 2**bits if value >> (bits - 1) else value


def edges(kind):
    """Values of a type, where things go wrong, and a few others."""
    if kind in FLOATS:
        info = np.finfo(FLOATS[kind])
        some = [0.0, -0.0, 1.0, -1.5, 3.0, 1 / 3, -2.5, 0.5, 1e3, math.inf, -math.inf, math.nan]
        return [FLOATS[kind](x) for x in (*some, info.tiny, info.smallest_subnormal, info.max, -info.eps)]
    if kind == "pred":
        return [0, 1]
    bits = WIDTH[kind]
    some = [0, 1, 2, 7, 31, 33, 2 ** (bits - 1) - 1, 2 ** (bits - 1), 2**bits - 1, 0x9E3779B97F4A7C15 % 2**bits]
    return [signed(x, bits) if kind[0] == "s" else x % 2**bits for x in dict.fromkeys(some)]


def rounded(exact, dtype, direction="rn"):
    """A fraction that is not 0 as a float, in integers throughout; rz, rm and rp round to zero, down and up."""
    info, sign = np.finfo(dtype), dtype(1 if exact > 0 else -1)
    exponent = abs(exact.numerator).bit_length() - exact.denominator.bit_length()
    exponent -= abs(exact) < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, int(info.minexp)) - info.nmant)
    to_whole = {"rn": round, "rz": math.trunc, "rm": math.floor, "rp": math.ceil}[direction]
    value = to_whole(exact / unit) * unit
    if abs(value) > Fraction(float(info.max)):
        inwards = direction == "rz" or direction == ("rm" if exact > 0 else "rp")
        return sign * dtype(info.max if inwards else math.inf)
    return sign * dtype(abs(float(value)))


def real(operation, direction="rn", flush=False):
    """A reference by exact arithmetic where the operands are finite, and by NumPy's where they are not."""

    def reference(*values):
        dtype = type(values[0])
        if flush:
            values = tuple(flushed(value) for value in values)
        with np.errstate(all="ignore"):
            plain = operation(*values)
            if not all(math.isfinite(value) for value in values):  # what overflows before it meets them has no sign
                return dtype(operation(*map(np.longdouble, values)))
        try:
            exact = operation(*[Fraction(float(value)) for value in values])
        except ZeroDivisionError:
            return plain
        result = rounded(exact, dtype, direction) if exact else plain
        return flushed(result) if flush else result

    return reference


def flushed(x):
    return type(x)(math.copysign(0, x)) if abs(x) < np.finfo(type(x)).tiny else x


def integer(kind, of):
    """A reference in Python's integers, wrapped."""
    return lambda *values: signed(of(*values), WIDTH[kind]) if kind[0] == "s" else of(*values) % 2 ** WIDTH[kind]


def to_integer(kind, of):
    """From a float: to the nearest integer that there is."""
    bits = WIDTH[kind]
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if kind[0] == "s" else (0, 2**bits - 1)

    def reference(x):
        if math.isnan(x):
            return 0 if bits < 64 else -(2**63) if kind == "s64" else 2**63
        return (low if x < 0 else high) if math.isinf(x) else min(max(of(x), low), high)

    return reference


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def extremum(pick, with_nan=False):
    def reference(a, b):
        if math.isnan(a) or math.isnan(b):
            return type(a)(math.nan) if with_nan or (math.isnan(a) and math.isnan(b)) else b if math.isnan(a) else a
        if a == b == 0:
            return pick(a, b, key=lambda x: math.copysign(1, x))
        return pick(a, b)

    return reference


def bit_field(a, p, n, bits, is_signed):
    p, n = p & 255, n & 255
    value = a % 2**bits
    if not n:
        return 0
    sign = value >> min(p + n - 1, bits - 1) & 1 if is_signed else 0
    return sum((value >> (p + k) & 1 if p + k < bits else sign) << k for k in range(min(n, bits))) | (
        (-1 << n if n < bits else 0) * sign
    )


def permuted(a, b, selector):
    every = (b << 32 | a).to_bytes(8, "little")
    out = 0
    for k in range(4):
        nibble = selector >> 4 * k & 15
        byte = every[nibble & 7]
        out |= ((255 if byte & 128 else 0) if nibble & 8 else byte) << 8 * k
    return out


CASES = {
    # integers
    "add.s32 $, $, $;": ("s32 s32", "s32", integer("s32", lambda a, b: a + b)),
    "add.sat.s32 $, $, $;": ("s32 s32", "s32", lambda a, b: min(max(a + b, -(2**31)), 2**31 - 1)),
    "sub.u64 $, $, $;": ("u64 u64", "u64", integer("u64", lambda a, b: a - b)),
    "mul.lo.u32 $, $, $;": ("u32 u32", "u32", integer("u32", lambda a, b: a * b)),
    "mul.hi.s32 $, $, $;": ("s32 s32", "s32", lambda a, b: a * b >> 32),
    "mul.hi.u64 $, $, $;": ("u64 u64", "u64", lambda a, b: a * b >> 64),
    "mul.wide.s32 $, $, $;": ("s32 s32", "s64", lambda a, b: a * b),
    "mul.wide.u16 $, $, $;": ("u16 u16", "u32", lambda a, b: a * b),
    "mad.lo.s32 $, $, $, $;": ("s32 s32 s32", "s32", integer("s32", lambda a, b, c: a * b + c)),
    "mad.wide.u32 $, $, $, $;": ("u32 u32 u64", "u64", integer("u64", lambda a, b, c: a * b + c)),
    "mad.hi.u32 $, $, $, $;": ("u32 u32 u32", "u32", integer("u32", lambda a, b, c: (a * b >> 32) + c)),
    "div.s32 $, $, $;": ("s32 s32", "s32", integer("s32", lambda a, b: quotient(a, b) if b else -1)),
    "div.u64 $, $, $;": ("u64 u64", "u64", lambda a, b: a // b if b else 2**64 - 1),
    "rem.s64 $, $, $;": ("s64 s64", "s64", lambda a, b: a - quotient(a, b) * b if b else a),
    "min.s32 $, $, $;": ("s32 s32", "s32", min),
    "max.u32 $, $, $;": ("u32 u32", "u32", max),
    "abs.s64 $, $;": ("s64", "s64", integer("s64", abs)),
    "neg.s32 $, $;": ("s32", "s32", integer("s32", lambda a: -a)),
    "sad.s32 $, $, $, $;": ("s32 s32 s32", "s32", integer("s32", lambda a, b, c: abs(a - b) + c)),
    # bits
    "and.b32 $, $, $;": ("u32 u32", "u32", lambda a, b: a & b),
    "xor.b64 $, $, $;": ("u64 u64", "u64", lambda a, b: a ^ b),
    "not.b16 $, $;": ("u16", "u16", lambda a: a ^ 0xFFFF),
    "cnot.b32 $, $;": ("u32", "u32", lambda a: int(a == 0)),
    "shl.b32 $, $, $;": ("u32 u32", "u32", lambda a, n: a << n & 0xFFFFFFFF if n < 32 else 0),
    "shr.u64 $, $, $;": ("u64 u32", "u64", lambda a, n: a >> min(n, 64)),
    "shr.s32 $, $, $;": ("s32 u32", "s32", lambda a, n: a >> min(n, 31)),
    "shf.l.wrap.b32 $, $, $, $;": ("u32 u32 u32", "u32", lambda a, b, n: (b << 32 | a) << (n & 31) >> 32 & 0xFFFFFFFF),
    "shf.r.clamp.b32 $, $, $, $;": ("u32 u32 u32", "u32", lambda a, b, n: (b << 32 | a) >> min(n, 32) & 0xFFFFFFFF),
    "popc.b64 $, $;": ("u64", "u32", lambda a: a.bit_count()),
    "clz.b32 $, $;": ("u32", "u32", lambda a: 32 - a.bit_length()),
    "clz.b64 $, $;": ("u64", "u32", lambda a: 64 - a.bit_length()),
    "brev.b32 $, $;": ("u32", "u32", lambda a: int(f"{a:032b}"[::-1], 2)),
    "brev.b64 $, $;": ("u64", "u64", lambda a: int(f"{a:064b}"[::-1], 2)),
    "bfind.u32 $, $;": ("u32", "u32", lambda a: (a.bit_length() - 1) % 2**32),
    "bfind.s64 $, $;": ("s64", "u32", lambda a: ((~a if a < 0 else a).bit_length() - 1) % 2**32),
    "bfe.u32 $, $, $, $;": ("u32 u32 u32", "u32", lambda a, p, n: bit_field(a, p, n, 32, False)),
    "bfe.s64 $, $, $, $;": ("s64 u32 u32", "s64", lambda a, p, n: signed(bit_field(a, p, n, 64, True), 64)),
    "bfi.b32 $, $, $, 5, 9;": ("u32 u32", "u32", lambda a, b: b & ~(511 << 5) | a << 5 & 511 << 5),
    "prmt.b32 $, $, $, $;": ("u32 u32 u32", "u32", permuted),
    "lop3.b32 $, $, $, $, 0xCA;": ("u32 u32 u32", "u32", lambda a, b, c: a & b | ~a & c),
    # floats
    **{
        f"{name}.{direction}.{kind} $, $, $;": (f"{kind} {kind}", kind, real(of, direction))
        for name, of in (("add", lambda a, b: a + b), ("mul", lambda a, b: a * b), ("sub", lambda a, b: a - b))
        for direction in ("rn", "rz", "rm", "rp")
        for kind in ("f32", "f64")
    },
    "div.rn.f64 $, $, $;": ("f64 f64", "f64", real(lambda a, b: a / b)),
    "div.rn.f32 $, $, $;": ("f32 f32", "f32", real(lambda a, b: a / b)),
    "fma.rn.f64 $, $, $, $;": ("f64 f64 f64", "f64", real(lambda a, b, c: a * b + c)),
    "fma.rn.f32 $, $, $, $;": ("f32 f32 f32", "f32", real(lambda a, b, c: a * b + c)),
    "fma.rz.f64 $, $, $, $;": ("f64 f64 f64", "f64", real(lambda a, b, c: a * b + c, "rz")),
    "mul.rn.ftz.f32 $, $, $;": ("f32 f32", "f32", real(lambda a, b: a * b, flush=True)),
    "add.ftz.f32 $, $, $;": ("f32 f32", "f32", real(lambda a, b: a + b, flush=True)),
    "rcp.rn.f64 $, $;": ("f64", "f64", real(lambda a: 1 / a)),
    "sqrt.rn.f64 $, $;": ("f64", "f64", lambda a: np.sqrt(a)),
    "sqrt.rn.f32 $, $;": ("f32", "f32", lambda a: np.sqrt(a)),
    "neg.f32 $, $;": ("f32", "f32", lambda a: -a),
    "abs.f64 $, $;": ("f64", "f64", abs),
    "{ .reg .b64 %in0; mov.b64 %in0, 7; } add.u64 $, $, 1;": ("u64", "u64", integer("u64", lambda a: a + 1)),
    "copysign.f64 $, $, $;": ("f64 f64", "f64", lambda a, b: np.copysign(b, a)),
    "min.f64 $, $, $;": ("f64 f64", "f64", extremum(min)),
    "max.f32 $, $, $;": ("f32 f32", "f32", extremum(max)),
    "max.NaN.f32 $, $, $;": ("f32 f32", "f32", extremum(max, True)),
    "add.f16 $, $, $;": ("f16 f16", "f16", real(lambda a, b: a + b)),
    "fma.rn.f16 $, $, $, $;": ("f16 f16 f16", "f16", real(lambda a, b, c: a * b + c)),
    "add.sat.f32 $, $, $;": ("f32 f32", "f32", lambda a, b: np.float32(min(max(a + b, 0), 1) if a + b > 0 else 0)),
    # conversions
    "cvt.rzi.s32.f64 $, $;": ("f64", "s32", to_integer("s32", math.trunc)),
    "cvt.rni.u8.f32 $, $;": ("f32", "u8", to_integer("u8", round)),
    "cvt.rmi.s64.f64 $, $;": ("f64", "s64", to_integer("s64", math.floor)),
    "cvt.rpi.u64.f32 $, $;": ("f32", "u64", to_integer("u64", math.ceil)),
    "cvt.rmi.f64.f64 $, $;": ("f64", "f64", np.floor),
    "cvt.rn.f64.s64 $, $;": ("s64", "f64", float),
    "cvt.rz.f32.u64 $, $;": ("u64", "f32", lambda a: rounded(Fraction(a), np.float32, "rz") if a else np.float32(0)),
    "cvt.rn.f32.f64 $, $;": ("f64", "f32", np.float32),
    "cvt.f64.f32 $, $;": ("f32", "f64", np.float64),
    "cvt.rn.f16.f32 $, $;": ("f32", "f16", np.float16),
    "cvt.f32.f16 $, $;": ("f16", "f32", np.float32),
    "cvt.u32.u16 $, $;": ("u16", "u32", lambda a: a),
    "cvt.s64.s8 $, $;": ("s8", "s64", lambda a: a),
    "cvt.sat.u8.s32 $, $;": ("s32", "u8", lambda a: min(max(a, 0), 255)),
    # choices
    "setp.lt.s32 %p1, $1, $2; selp.u32 $0, 1, 0, %p1;": ("s32 s32", "u32", lambda a, b: int(a < b)),
    "setp.gtu.f64 %p1, $1, $2; selp.u32 $0, 1, 0, %p1;": ("f64 f64", "u32", lambda a, b: int(not a <= b)),
    "setp.neu.f32 %p1, $1, $2; selp.u32 $0, 1, 0, %p1;": ("f32 f32", "u32", lambda a, b: int(a != b)),
    "setp.ne.f32 %p1, $1, $2; selp.u32 $0, 1, 0, %p1;": ("f32 f32", "u32", lambda a, b: int(a < b or a > b)),
    "setp.nan.f64 %p1, $1, $2; selp.u32 $0, 1, 0, %p1;": ("f64 f64", "u32", lambda a, b: int(a != a or b != b)),
    "set.eq.u32.u32 $, $, $;": ("u32 u32", "u32", lambda a, b: 0xFFFFFFFF if a == b else 0),
    "slct.u32.s32 $, $, $, $;": ("u32 u32 s32", "u32", lambda a, b, c: a if c >= 0 else b),
    "mov.b64 %pair, {$1, $2}; mov.b64 {$0, _}, %pair;": ("u32 u32", "u32", lambda a, b: a),
    "testp.subnormal.f32 %p1, $1; selp.u32 $0, 1, 0, %p1;": (
        "f32", "u32", lambda a: int(0 < abs(a) < np.finfo(np.float32).tiny)
    ),
    "add.cc.u32 %low, $1, $2; addc.u32 $0, 0, 0;": ("u32 u32", "u32", lambda a, b: (a + b) >> 32),
    "sub.cc.u32 %low, $1, $2; subc.u32 $0, 0, 0;": ("u32 u32", "u32", lambda a, b: (0 if a >= b else -1) % 2**32),
}  # fmt: skip


def storage(kind):
    return FLOATS.get(kind) or np.dtype(("i" if kind[0] == "s" else "u") + str(WIDTH[kind] // 8)).type


def program(number, text, inputs, output):
    """A kernel that applies an instruction to row blockIdx.x of its arguments, each in 8 bytes."""
    names = ["%out", *(f"%in{k}" for k in range(len(inputs)))]
    for k, name in enumerate(names):
        text = text.replace(f"${k}", name)
    for name in names:
        text = text.replace("$", name, 1)
    declared = [f".reg .b{max(WIDTH[kind], 16)} {name};" for name, kind in zip(names, [output, *inputs], strict=True)]
    loads = [
        f"ld.global.b{max(WIDTH[kind], 8)} %in{k}, [%from+{8 * k}];".replace("b8 ", "u8 ")
        for k, kind in enumerate(inputs)
    ]  # fmt: skip
    return f"""
.visible .entry case{number}(.param .u64 source, .param .u64 target)
{{
    .reg .pred %p1; .reg .b64 %from; .reg .b64 %to; .reg .b64 %pair; .reg .b64 %row; .reg .b32 %low; .reg .b32 %block;
    {" ".join(declared)}
    ld.param.u64 %from, [source]; ld.param.u64 %to, [target]; mov.u32 %block, %ctaid.x;
    mul.wide.u32 %row, %block, {8 * len(inputs)}; add.s64 %from, %from, %row;
    mul.wide.u32 %row, %block, 8; add.s64 %to, %to, %row;
    {" ".join(loads)}
    {text}
    st.global.b{max(WIDTH[output], 8)} [%to], %out;
    ret;
}}"""


@pytest.fixture(scope="module")
def module():
    texts = [program(k, text, case[0].split(), case[1]) for k, (text, case) in enumerate(CASES.items())]
    loaded = cupy.cuda.function.Module()
    loaded.load(stand_in.compiler.image(".version 9.5\n.target sm_90\n.address_size 64\n" + "\n".join(texts)))
    return loaded


@pytest.mark.parametrize("number", range(len(CASES)), ids=[text.partition(" ")[0] for text in CASES])
def test_instruction(module, number):
    text, (inputs, output, reference) = list(CASES.items())[number]
    kinds = inputs.split()
    rows = list(itertools.product(*[edges(kind) for kind in kinds]))
    given = np.zeros((len(rows), len(kinds)), np.uint64)
    for k, kind in enumerate(kinds):
        column = np.array([row[k] for row in rows], storage(kind))
        given[:, k] = column.view(f"u{column.itemsize}")
    out = cupy.zeros(len(rows), np.uint64)
    module.get_function(f"case{number}")((len(rows),), (1,), (cupy.asarray(given), out))
    dtype = np.dtype(storage(output))
    results = cupy.asnumpy(out).view(dtype).reshape(len(rows), -1)[:, 0]
    with np.errstate(all="ignore"):
        expected = np.array([reference(*row) for row in rows], dtype)
    both_nan = (results != results) & (expected != expected)
    if ".rm." in text:  # the sign of 0 depends on the operation
        both_nan |= (results == 0) & (expected == 0)
    wrong = np.flatnonzero((results.view(f"u{dtype.itemsize}") != expected.view(f"u{dtype.itemsize}")) & ~both_nan)
    assert not wrong.size, [(text, rows[k], results[k], expected[k]) for k in wrong[:5]]


def test_what_is_not_known_is_named():
    body = ".visible .entry f() { .reg .b32 %r; cp.async.wait_all; }"
    with pytest.raises(UntranslatedError, match=r"cp\.async"):
        translate(body)
