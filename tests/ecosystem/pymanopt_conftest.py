"""Stands for the conftest of pymanopt, which seeds the generators of PyTorch and TensorFlow as well."""

import random

import autograd.numpy as anp
import numpy as np
import pytest


@pytest.fixture(autouse=True)
def _seeded():
    for seed in (random.seed, anp.random.seed, np.random.seed):
        seed(42)
