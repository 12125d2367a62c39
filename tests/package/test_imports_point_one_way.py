"""Each layer of the package imports only what stands below it, relatively; CuPy enters in one place, and late."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

import pytest

from package_layout import MODULES, PACKAGES

LAYERS = (
    {"wirtinger.late_names"},
    {"wirtinger.determinism"},
    {"wirtinger.backends"},
    {"wirtinger.complex_autograd.engine"},
    {"wirtinger.complex_autograd.array"},
    {"wirtinger.complex_autograd.rules.elementwise", "wirtinger.complex_autograd.rules.shape"},
    {"wirtinger.complex_autograd.rules.products", "wirtinger.complex_autograd.rules.ufunc_protocol"},
    {"wirtinger.complex_autograd.rules.reductions"},
    {"wirtinger.complex_autograd.rules.analysis", "wirtinger.complex_autograd.rules.statistics"},
    {"wirtinger.complex_autograd.rules"},
    {"wirtinger.complex_autograd.namespace"},
    {"wirtinger.complex_autograd.batching"},
    {"wirtinger.complex_autograd.transforms"},
    {"wirtinger.complex_autograd.compilation"},
    {"wirtinger.complex_autograd.control_flow"},
    {"wirtinger.complex_autograd.optimization"},
    {"wirtinger.complex_autograd"},
    {"wirtinger.linalg", "wirtinger.special.numerics"},
    {"wirtinger.special.scipy_repairs"},
    {"wirtinger.special.ufuncs"},
    {"wirtinger.special.bessel", "wirtinger.special.elliptic", "wirtinger.special.gamma_and_beta"},
    {"wirtinger.special.elementary", "wirtinger.special.polynomials"},
    {"wirtinger.special.distributions", "wirtinger.special.hypergeometric", "wirtinger.special.wave_equations"},
    {"wirtinger.special"},
    {"wirtinger.testing"},
    {"wirtinger.compat.autograd"},
    {"wirtinger.compat"},
    {"wirtinger"},
)
"""From the bottom up; a module that is not named belongs to the layer of the package that it lies in."""
HEIGHT = {package: height for height, layer in enumerate(LAYERS) for package in layer}
CUPY = {"cupy", "cupyx", "cupy_backends"}
DATA = {"wirtinger.backends.cuda.refusals", "wirtinger.backends.cuda.routes"}
"""What of CUDA is read without CuPy."""
NEED_CUPY = [module for module in MODULES if module.startswith("wirtinger.backends.cuda.") and module not in DATA]
"""Modules that may import CuPy at once, and must therefore be imported late."""
NEED_MPMATH = [
    module
    for module in MODULES
    if module.startswith("wirtinger.backends.mpmath.") and module != "wirtinger.backends.mpmath.working"
]
"""Modules that may import mpmath at once, and must therefore be imported late."""
ALLOWED = {"numpy", "scipy"} | sys.stdlib_module_names


def tree_of(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(), str(MODULES[module]))


def layer_of(module: str) -> str:
    """The package named above that a module, or a name imported from one, belongs to."""
    while module not in HEIGHT:
        module = module.rpartition(".")[0]
    return module


def resolved(module: str, node: ast.ImportFrom) -> str:
    """The absolute name of what stands behind `from`."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    base = parts[: len(parts) - node.level + (module in PACKAGES)]
    return ".".join(base + ([node.module] if node.module else []))


def imports(module: str, tree: ast.AST) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    """Every import statement and every call of `import_module`, with each absolute name that it imports."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node, alias.name) for alias in names)
            case ast.ImportFrom(names=names):
                yield from ((node, f"{resolved(module, node)}.{alias.name}") for alias in names)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node, name


def file_of(name: str) -> str:
    """The module that an imported name comes from; nothing for what others made."""
    while name and name not in MODULES:
        name = name.rpartition(".")[0]
    return name


def place(module: str, node: ast.stmt | ast.expr) -> str:
    return f"{MODULES[module]}:{node.lineno}"


def own_imports(module: str) -> list[tuple[ast.stmt | ast.expr, str]]:
    return [(node, name) for node, name in imports(module, tree_of(module)) if name.split(".")[0] == "wirtinger"]


def run_on_import(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the module is imported: those outside functions and `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() | ast.If(test=ast.Name("TYPE_CHECKING")):
                continue
        yield node
        yield from run_on_import(node)


def test_the_layers_are_there() -> None:
    assert set(HEIGHT) <= set(MODULES)


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside of functions count as well, but not what a package's `__init__` collects."""
    needs = {module: {file_of(name) for _, name in own_imports(module)} - {module, *PACKAGES} for module in MODULES}
    done: set[str] = set()
    path: list[str] = []

    def visit(module: str) -> None:
        assert module not in path, "a circle of imports: " + " -> ".join([*path[path.index(module) :], module])
        if module in done:
            return
        path.append(module)
        for other in sorted(needs[module]):
            visit(other)
        done.add(path.pop())

    for module in MODULES:
        visit(module)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_folder_holds_at_most_25_modules(package: str) -> None:
    modules = [m for m in MODULES if m == package or (m.rpartition(".")[0] == package and m not in PACKAGES)]
    assert len(modules) <= 25, "divide it by subjects: " + ", ".join(modules)


def test_a_module_has_at_most_300_lines() -> None:
    lengths = {module: len(file.read_text().splitlines()) for module, file in MODULES.items()}
    assert not {module: lines for module, lines in lengths.items() if lines > 300}, "divide them by subjects"


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_lower_layers(module: str) -> None:
    here = layer_of(module)
    upward = [
        f"{place(module, node)} imports {name}"
        for node, name in own_imports(module)
        if layer_of(name) != here and HEIGHT[layer_of(name)] >= HEIGHT[here]
    ]
    assert not upward, "imports point from right to left:\n" + "\n".join(upward)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_the_package_relatively(module: str) -> None:
    absolute = [
        f"{place(module, node)} imports {name}"
        for node, name in own_imports(module)
        if not (isinstance(node, ast.ImportFrom) and node.level)
    ]
    assert not absolute, "inside the package imports are relative:\n" + "\n".join(absolute)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_depends_on_numpy_and_scipy_only(module: str) -> None:
    allowed = ALLOWED | {"wirtinger"} | (CUPY if f"{module}.".startswith("wirtinger.backends.cuda.") else set())
    allowed |= {"mpmath"} if f"{module}.".startswith("wirtinger.backends.mpmath.") else set()
    allowed |= {"hypothesis", "pytest"} if module.startswith("wirtinger.testing.") else set()  # which tests have
    foreign = [
        f"{place(module, node)} imports {name}"
        for node, name in imports(module, tree_of(module))
        if name.split(".")[0] not in allowed
    ]
    assert not foreign, "not a dependency, or CuPy or mpmath outside of their backends:\n" + "\n".join(foreign)


@pytest.mark.parametrize("module", [module for module in MODULES if module not in NEED_CUPY])
def test_cupy_is_not_imported_with_the_package(module: str) -> None:
    tree = tree_of(module)
    eager = {id(node) for node in run_on_import(tree)}
    early = [
        f"{place(module, node)} imports {name}"
        for node, name in imports(module, tree)
        if (name.split(".")[0] in CUPY or file_of(name) in NEED_CUPY) and id(node) in eager
    ]
    assert not early, "import CuPy, and what needs it, inside the function that does:\n" + "\n".join(early)


@pytest.mark.parametrize("module", [module for module in MODULES if module not in NEED_MPMATH])
def test_mpmath_is_not_imported_with_the_package(module: str) -> None:
    tree = tree_of(module)
    eager = {id(node) for node in run_on_import(tree)}
    early = [
        f"{place(module, node)} imports {name}"
        for node, name in imports(module, tree)
        if (name.split(".")[0] == "mpmath" or file_of(name) in NEED_MPMATH) and id(node) in eager
    ]
    assert not early, "import mpmath, and what needs it, inside the function that does:\n" + "\n".join(early)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from ..backends import cpu", ["wirtinger.backends.cpu"]),
        ("from .reverse import grad", ["wirtinger.linalg.reverse.grad"]),
        ("from .. import special", ["wirtinger.special"]),
        ("import cupy.linalg", ["cupy.linalg"]),
        ("importlib.import_module('cupy')", ["cupy"]),
    ],
)
def test_the_reader_of_imports_sees(source: str, names: list[str]) -> None:
    assert [name for _, name in imports("wirtinger.linalg.solve", ast.parse(source))] == names
