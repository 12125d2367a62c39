"""The package's own policy table, filled from the data files; its methods are public functions."""

from __future__ import annotations

from . import portable, table_cupy, table_numpy
from .levels import Level
from .policy import PolicyTable
from .portable.writes import at_level
from .routes import NUMPY_ROUTES
from .schedule import WRAPPERS

TABLE = PolicyTable()

for _backend, _rows in (("numpy", table_numpy.ROWS), ("cupy", table_cupy.ROWS)):
    for _row in _rows:
        TABLE.register_policy(
            _row.name, _backend, (_row.integer, _row.real, _row.complex), _row.route, reason=_row.reason
        )
TABLE.routes.update({(op, "numpy"): {level: route} for op, (level, route) in NUMPY_ROUTES.items()})
TABLE.wrappers.update({(op, "numpy"): (Level.SCHEDULE, wrapper) for op, wrapper in WRAPPERS.items()})
TABLE.wrappers.update({(row, "numpy"): (Level.PORTABLE, wrapper) for row, wrapper in portable.WRAPPERS.items()})
TABLE.wrappers.update({(op, "cupy"): (Level.RUN, wrapper) for op, wrapper in table_cupy.WRAPPERS.items()})
TABLE.routes.update({(op, "cupy"): {Level.RUN: NUMPY_ROUTES[op][1]} for op in ("empty", "empty_like")})
TABLE.by_elements["numpy"] = at_level
for _op, _route in portable.ROUTES.items():
    TABLE.routes.setdefault((_op, "numpy"), {})[Level.PORTABLE] = _route

minimum_level = TABLE.minimum_level
policy = TABLE.policy
register_policy = TABLE.register_policy
register_route = TABLE.register_route
register_wrapper = TABLE.register_wrapper
require = TABLE.require
