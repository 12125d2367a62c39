"""Gradients of quantum circuits by PennyLane, by its several methods: its wheel has no tests of its interfaces."""

import numpy as np
import pennylane as qml
import pytest
from pennylane import numpy as pnp
from pennylane.exceptions import NonDifferentiableError

METHODS = "backprop", "parameter-shift", "adjoint", "finite-diff", "hadamard"
ANGLES = pnp.array([[0.3, -0.4], [0.5, 1.2]])


def expectation(method):
    @qml.qnode(qml.device("default.qubit"), diff_method=method, max_diff=1 if method in METHODS[2:4] else 2)
    def circuit(angles, features):
        qml.AngleEmbedding(features, wires=range(2))
        for first, second in angles:
            qml.RX(first, wires=0)
            qml.RY(second * 2, wires=1)
            qml.CNOT(wires=[0, 1])
        return qml.expval(qml.PauliX(0) @ qml.PauliZ(1))

    return circuit


FEATURES = pnp.array([0.1, 0.7], requires_grad=False)


def by_differences(f, x):
    steps = 1e-6 * np.eye(x.size).reshape(x.size, *x.shape)
    return np.array([(f(x + step) - f(x - step)) / 2e-6 for step in steps]).reshape(x.shape)


@pytest.mark.parametrize("method", METHODS)
def test_gradient(method):
    circuit = expectation(method)
    found = qml.grad(circuit)(ANGLES, FEATURES)
    expected = by_differences(lambda x: circuit(pnp.array(x), FEATURES), np.asarray(ANGLES))
    np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize("method", ["backprop", "parameter-shift"])
def test_hessian(method):
    circuit = expectation(method)
    found = qml.jacobian(qml.grad(circuit))(ANGLES, FEATURES)
    gradient = qml.grad(circuit)
    for index in np.ndindex(ANGLES.shape):
        step = np.zeros(ANGLES.shape)
        step[index] = 1e-6
        expected = (gradient(ANGLES + step, FEATURES) - gradient(ANGLES - step, FEATURES)) / 2e-6
        np.testing.assert_allclose(found[index], expected, atol=1e-6)


@pytest.mark.parametrize("method", METHODS[:4])
def test_jacobian_of_probabilities(method):
    @qml.qnode(qml.device("default.qubit"), diff_method=method)
    def probabilities(x):
        qml.RX(x[0], wires=0)
        qml.CRY(x[1], wires=[0, 1])
        return qml.probs(wires=[0, 1])

    found = qml.jacobian(probabilities)(pnp.array([0.4, 0.9]))
    c, s = np.cos([0.2, 0.45]), np.sin([0.2, 0.45])
    first = [-c[0] * s[0], 0, c[0] * s[0] * c[1] ** 2, c[0] * s[0] * s[1] ** 2]
    second = [0, 0, -(s[0] ** 2) * c[1] * s[1], s[0] ** 2 * c[1] * s[1]]
    np.testing.assert_allclose(found, np.transpose([first, second]), atol=1e-6)


def test_density_matrices():
    @qml.qnode(qml.device("default.mixed", wires=1))
    def state(x):
        qml.RX(x[0], wires=0)
        qml.DepolarizingChannel(x[1], wires=0)
        return qml.density_matrix(wires=[0])

    found = qml.jacobian(lambda x: qml.math.real(state(x))[0, 0])(pnp.array([0.4, 0.3]))
    np.testing.assert_allclose(found, [-(1 - 0.4) * np.sin(0.4) / 2, -2 / 3 * np.cos(0.4)], rtol=1e-12)


def test_constants_before_traced_values():
    constant = pnp.array([1.0, 2.0], requires_grad=False)
    found = qml.grad(lambda x: pnp.sum(constant * x + pnp.multiply(constant, x)))(pnp.ones(2))
    np.testing.assert_array_equal(found, [2, 4])


def test_what_asks_for_no_gradient_is_refused():
    with pytest.raises(NonDifferentiableError, match="non-differentiable"):
        qml.grad(lambda x: pnp.sum(x), argnums=0)(pnp.array([1.0], requires_grad=False))


def test_optimizers():
    circuit = expectation("backprop")
    angles = ANGLES
    for optimizer in (qml.GradientDescentOptimizer(0.3), qml.AdamOptimizer(0.1), qml.NesterovMomentumOptimizer(0.1)):
        for _ in range(20):
            angles = optimizer.step(lambda x: circuit(x, FEATURES), angles)
    assert circuit(angles, FEATURES) < circuit(ANGLES, FEATURES) - 0.3


def test_the_metric_of_the_states():
    @qml.qnode(qml.device("default.qubit"))
    def circuit(x):
        qml.RX(x[0], wires=0)
        qml.RY(x[1], wires=0)
        return qml.expval(qml.PauliZ(0))

    found = qml.metric_tensor(circuit, approx="block-diag")(pnp.array([0.3, 0.2]))
    np.testing.assert_allclose(found, np.diag([1, np.cos(0.3) ** 2]) / 4, atol=1e-12)


def test_frequencies():
    @qml.qnode(qml.device("default.qubit"))
    def circuit(x):
        qml.RX(2 * x, wires=0)
        qml.RX(x, wires=0)
        return qml.expval(qml.PauliZ(0))

    assert qml.fourier.qnode_spectrum(circuit)(pnp.array(0.3))["x"][()] == [-3, -2, -1, 0, 1, 2, 3]


def test_forces_on_a_molecule():
    distance = 1.39
    atoms = pnp.array([[0.0, 0.0, 0.0], [0.0, 0.0, distance]])
    energy = qml.qchem.hf_energy(qml.qchem.Molecule(["H", "H"], atoms))
    found = qml.grad(energy)(atoms)
    step = np.zeros((2, 3))
    step[1, 2] = 1e-4
    expected = (energy(pnp.array(atoms + step)) - energy(pnp.array(atoms - step))) / 2e-4
    np.testing.assert_allclose(found[:, 2], [-expected, expected], rtol=1e-5)
