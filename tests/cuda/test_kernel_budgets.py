"""The static budgets of our own kernels: how they are measured, and that the table is still right."""

from __future__ import annotations

import re

import kernel_budgets
import pytest
import stand_in
from kernel_budgets import ARCHITECTURES, Resources

from wirtinger.backends.cuda.kernels import compilation, function
from wirtinger.backends.cuda.kernels.compilation import OPTIONS

pytest.importorskip("cupy")
nvrtc = pytest.importorskip("cupy_backends.cuda.libs.nvrtc")

LOCAL_ARRAY = """
extern "C" __global__ void budget_canary(double* x, double* y) {
    double a[64];
    for (int i = 0; i < 64; i++) a[i] = x[i];
    for (int i = 0; i < 64; i++) y[i] = a[(i * 7 + (int)x[3]) % 64];
}
"""
TOO_FEW_REGISTERS = """
extern "C" __global__ __launch_bounds__(1024, 2) void budget_canary(double* x, double* y) {
    double a[48];
    #pragma unroll
    for (int i = 0; i < 48; i++) a[i] = x[i + 48 * threadIdx.x];
    __syncthreads();
    double s = 0;
    #pragma unroll
    for (int i = 0; i < 48; i++) { s = s * a[i] + a[47 - i]; y[i] = s; }
    #pragma unroll
    for (int i = 0; i < 48; i++) y[i] += a[i] * s;
}
"""


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_stack_and_spills_are_seen(architecture):
    stack = kernel_budgets.compiled(LOCAL_ARRAY, ("--std=c++17",), architecture)["budget_canary"]
    assert stack.stack >= 512
    spills = kernel_budgets.compiled(TOO_FEW_REGISTERS, ("--std=c++17",), architecture)["budget_canary"]
    assert spills.registers <= 32
    assert spills.spilled > 0


def test_growth_of_anything_is_growth():
    before = Resources(32, 16, 0)
    assert not Resources(32, 16, 0).grown_from(before)
    assert not Resources(24, 0, 0).grown_from(before)
    for more in (Resources(33, 16, 0), Resources(32, 24, 0), Resources(24, 0, 8)):
        assert more.grown_from(before)
    assert Resources.parse(str(before)) == before


def test_types_are_told_apart():
    assert kernel_budgets.variant("typedef float R; typedef float T;\n") == "/f"
    assert kernel_budgets.variant("typedef double R; template <class F> struct cx; typedef cx<double> T;\n") == "/D"
    assert kernel_budgets.variant("__global__ void f() {}") == ""


def test_sources_are_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr(compilation, "_module", compilation._module.__wrapped__)  # not recorded for the table
    recorder = kernel_budgets.Recorder(tmp_path)
    recorder.install()
    source = 'extern "C" __global__ void budget_recorded(double* x) { x[0] = 1; }'
    function(source, "budget_recorded")
    assert [path.stem for path in tmp_path.glob("*.json")] == [kernel_budgets.digest(source, compilation.OPTIONS)]


@pytest.mark.exhaustive
def test_the_table_is_right():
    table = kernel_budgets.read()
    folder = stand_in.from_environment().cache / "own kernels"
    for recorded in sorted(folder.glob("*.json")):
        for key, resources in kernel_budgets.rows(recorded).items():
            assert table[key] == resources, key


def test_nothing_is_left_for_ptxas_to_contract():
    """A product or sum without a direction of rounding in PTX may be fused later; ours have one."""
    body = "x[0] = x[1] * x[2] - x[3]; y[0] = y[1] * y[2] - y[3];"
    source = f'extern "C" __global__ void f(double* x, float* y) {{ {body} }}'
    found = []
    for options in (OPTIONS, OPTIONS[:1]):
        program = nvrtc.createProgram(source, "kernel.cu", (), ())
        nvrtc.compileProgram(program, (*options, "-arch=compute_90"))
        found.append(re.findall(r"\b(?:mul|add|sub|fma)[.\w]*\.f(?:32|64)", nvrtc.getPTX(program).decode()))
    assert sorted(found[0]) == ["mul.rn.f32", "mul.rn.f64", "sub.rn.f32", "sub.rn.f64"]
    assert any("fma" in name or ".rn" not in name for name in found[1])
