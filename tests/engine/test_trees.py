"""Trees: the functions for users, classes that are registered, and dicts whose keys stand in another order."""

from __future__ import annotations

import dataclasses

import pytest

import wirtinger as np
from wirtinger import (
    NotDifferentiableError,
    compile,
    grad,
    gradcheck,
    hvp,
    jacobian,
    jvp,
    linearize,
    ravel_pytree,
    register_tree,
    scan,
    tree_leaves,
    tree_map,
    tree_structure,
    tree_unflatten,
    value_and_grad,
    vjp,
)


def of_dict(p):
    return p["a"] ** 2 + 10 * p["b"]


def test_tangents_and_cotangents_belong_to_the_keys_and_not_to_their_order():
    w, dw = {"a": 1.0, "b": 2.0}, {"b": 1.0, "a": 0.0}
    assert jvp(of_dict, (w,), (dw,))[1] == 10
    assert linearize(of_dict, w)[1](dw) == 10
    assert hvp(of_dict, (w,), (dw,)) == {"a": 0, "b": 0}
    assert vjp(lambda x: {"a": x, "b": 3 * x}, 1.0)[1]({"b": 1.0, "a": 0.0}) == (3,)
    nested = {"p": [w, {"c": 1.0}]}
    assert jvp(lambda t: of_dict(t["p"][0]), (nested,), ({"p": [dw, {"c": 0.0}]},))[1] == 10


@pytest.mark.parametrize("other", [{"a": 0.0, "c": 1.0}, {"a": 0.0}], ids=["another key", "fewer keys"])
def test_other_keys_raise(other):
    with pytest.raises(ValueError, match="keys"):
        jvp(of_dict, ({"a": 1.0, "b": 2.0},), (other,))


@dataclasses.dataclass
class Box:
    low: object
    high: object


TREES = {
    "leaf": 1.0,
    "nested": {"a": 1.0, "b": (2.0, [3.0, None])},
    "dataclass": Box(1.0, {"c": 2.0}),
    "empty": (),
}


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES)
def test_a_tree_is_its_structure_with_its_leaves(tree):
    structure = tree_structure(tree)
    assert structure.num_leaves == len(tree_leaves(tree))
    assert tree_unflatten(structure, tree_leaves(tree)) == tree
    assert tree_structure(tree_map(lambda x: 2 * x, tree)) == structure
    assert hash(tree_structure(tree)) == hash(structure)
    with pytest.raises(ValueError, match="leaves for the structure"):
        tree_unflatten(structure, [*tree_leaves(tree), 1.0])


@pytest.mark.parametrize("other", [[1.0, 2.0], {"a": 1.0, "b": [2.0]}, {"a": 1.0, "b": 2.0, "c": 3.0}])
def test_tree_map_refuses_another_structure(other):
    with pytest.raises(ValueError, match="structure"):
        tree_map(lambda x, y: x, {"a": 1.0, "b": 2.0}, other)


def test_tree_map_finds_the_keys_in_another_order():
    assert tree_map(lambda x, y: (x, y), {"a": 1, "b": 2}, {"b": 20, "a": 10}) == {"a": (1, 10), "b": (2, 20)}


def test_ravel_pytree_and_its_way_back_are_differentiated():
    tree = {"z": np.array([[1 + 2j, 3j]]), "r": np.float32(3), "none": None}
    vector, unravel = ravel_pytree(tree)
    assert vector.tolist() == [1 + 2j, 3j, 3]
    back = unravel(vector)
    assert back["z"].shape == (1, 2)
    assert back["r"].dtype == np.float32
    g = grad(lambda t: np.sum(np.abs(ravel_pytree(t)[0]) ** 2))(tree)
    assert g["z"].tolist() == [[2 + 4j, 6j]]
    assert g["r"] == 6
    g = grad(lambda v: np.sum(np.abs(unravel(v)["z"]) ** 2) + unravel(v)["r"] ** 2)(vector + np.array([0, 0, 1j]))
    assert g.tolist() == [2 + 4j, 6j, 6]  # a real leaf has no derivative along i
    with pytest.raises(ValueError, match="3 elements"):
        unravel(vector[:2])


def test_ravel_pytree_names_an_integer():
    with pytest.raises(TypeError, match=r"\['n'\] is a int"):
        ravel_pytree({"x": 1.0, "n": 3})


class Line:
    def __init__(self, slope, shift, name):
        self.slope, self.shift, self.name = slope, shift, name


register_tree(Line, lambda x: ((x.slope, x.shift), x.name), lambda name, parts: Line(*parts, name))


def at_two(line):
    return (line.slope * 2 + line.shift) ** 2 if line.name == "line" else 0.0


def test_every_transform_takes_a_registered_class():
    line = Line(1.0, 2.0, "line")
    g = grad(at_two)(line)
    assert (g.slope, g.shift, g.name) == (16, 8, "line")
    assert jvp(at_two, (line,), (Line(1.0, 0.0, "line"),))[1] == 16
    assert vjp(at_two, line)[1](1.0)[0].shift == 8
    last, _ = scan(lambda x, a: (Line(x.slope * a, x.shift, x.name), a), line, np.array([2.0, 3.0]))
    assert last.slope == 6
    assert tree_structure(line) != tree_structure(Line(1.0, 2.0, "another"))


def test_a_compiled_function_tells_registered_instances_apart():
    step = compile(value_and_grad(at_two))
    assert step(Line(np.float64(1), np.float64(2), "line"))[1].slope == 16
    assert step(Line(np.float64(2), np.float64(2), "line"))[1].slope == 24
    assert step(Line(np.float64(1), np.float64(2), "line"))[0] == 16


@pytest.mark.parametrize("kind", [3, np.ndarray, float], ids=["no class", "arrays", "numbers"])
def test_register_tree_refuses_what_is_no_container(kind):
    with pytest.raises(TypeError):
        register_tree(kind, lambda x: ((), None), lambda constants, parts: None)


def test_register_tree_refuses_a_second_registration():
    with pytest.raises(ValueError, match="registered already"):
        register_tree(Line, lambda x: ((), None), lambda constants, parts: None)


def of_settings(p):
    assert (p["name"], p["layers"], p["none"]) == ("net", [2, True], None)
    assert p["index"].dtype.kind == "i"
    return np.sum(p["w"][p["index"]] ** p["layers"][0]) * (3.0 if p["name"] == "net" else p["b"])


SETTINGS = {
    "name": "net",
    "w": np.array([1.0, 2.0, 4.0]),
    "layers": [2, True],
    "none": None,
    "index": np.array([0, 2]),
    "b": 1.5,
}


def test_strings_and_integers_in_a_container_are_constants():
    g = grad(of_settings)(SETTINGS)
    assert list(g) == list(SETTINGS)
    assert (g["name"], g["layers"], g["none"], g["index"], g["b"]) == (None, [None, None], None, None, 0)
    assert g["w"].tolist() == [6, 0, 24]
    value, pair = value_and_grad(lambda p, x: of_settings(p) * x, (0, 1))(SETTINGS, 2.0)
    assert (value, pair[1]) == (102, 51)
    assert pair[0]["name"] is None
    box = grad(lambda box: box.low**2 if box.high == "above" else 0.0)(Box(3.0, "above"))
    assert (box.low, box.high) == (6, None)
    assert gradcheck(lambda p: of_settings(p), SETTINGS)


def test_a_step_along_a_gradient_leaves_constants():
    step = tree_map(lambda p, g: p if g is None else p - 0.5 * g, SETTINGS, grad(of_settings)(SETTINGS))
    assert (step["name"], step["layers"], step["w"].tolist()) == ("net", [2, True], [-2, 2, -8])
    with pytest.raises(ValueError, match="structure"):
        tree_map(lambda p, g: p, {"a": None}, {"a": 1.0})
    with pytest.raises(ValueError, match="structure"):
        tree_map(lambda p, g: p, {"a": [1.0]}, {"a": None})


def test_tangents_have_none_in_the_places_of_constants():
    tangent = {"w": np.ones(3), "name": None, "layers": [None, None], "none": None, "index": None, "b": 1.0}
    assert jvp(of_settings, (SETTINGS,), (tangent,))[1] == 30
    assert linearize(of_settings, SETTINGS)[1](tangent) == 30
    (back,) = vjp(of_settings, SETTINGS)[1](1.0)
    assert back["w"].tolist() == [6, 0, 24]
    assert hvp(of_settings, (SETTINGS,), (tangent,))["w"].tolist() == [6, 0, 6]
    columns = jacobian(lambda p: p["w"] * len(p["name"]))(SETTINGS)
    assert columns["name"] is None
    assert columns["w"].tolist() == (3 * np.eye(3)).tolist()
    compiled = compile(grad(of_settings))
    assert compiled(SETTINGS)["w"].tolist() == [6, 0, 24]
    assert compiled(SETTINGS)["name"] is None


def test_a_container_of_constants_alone_is_a_mistake():
    with pytest.raises(NotDifferentiableError, match=r"Pass floating-point values \(3\.0"):
        grad(lambda p: p[0] * p[1])([2, 3])
    with pytest.raises(TypeError, match="holds a str"):
        grad(lambda p: 1.0)({"a": "text"})
    with pytest.raises(NotDifferentiableError):
        grad(lambda x: x * 2.0)(3)
