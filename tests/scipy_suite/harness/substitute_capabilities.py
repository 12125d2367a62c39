"""What SciPy's tests know of a function, they know of ours in its place."""

from scipy._lib._array_api import xp_capabilities_table


def with_capabilities(ours, theirs, name):
    function, original = getattr(ours, name), getattr(theirs, name)
    if function is not original and original in xp_capabilities_table:
        xp_capabilities_table[function] = xp_capabilities_table[original]
    return function
