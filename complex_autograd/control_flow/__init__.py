"""Control flow that compiles and differentiates: `scan`, `fori_loop`, `while_loop`, `cond`, `switch`."""

__all__: list[str] = []
