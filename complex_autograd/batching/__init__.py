"""Functions of one item, run on all items at once: batches, and the batching rules of functions and primitives.

**What a batch is.**  `vmap(f)` calls `f` once, with a traced value in place of each mapped argument.  It belongs to the
trace `MAPPED`, which is above every level of differentiation.  Its plain value is a `Batch`, which holds the array of
all items, with the item axis first, and has the shape of one item.

**Order of dispatch.**  Batches are outermost, whichever way `vmap` and the derivatives nest:

    grad(vmap(f))        the array in the batch is traced by `grad`
    vmap(grad(f))        the same: see below
    vmap(vmap(f))        the array in the inner batch is a batch of the outer one

`MAPPED` handles every operation first: it takes the arrays out of the batches, and applies an operation that does to
all items what was requested for one.  Derivative rules never see a batch, only arrays with one more axis.

**Transforms inside a mapped function** are applied to the function of all items.  An item of the result depends only on
that item of the arguments, so the differential is block-diagonal, and with `<a, b> = Re sum(conj(a) b)` the adjoint of
all items is the adjoint of each: one sweep gives the derivative of every item.  A variable that is the same for all
items is broadcast first (without a copy), so that each item has its own cotangent: `of_all.py`.

**Batching rules** are in one table by function and one by primitive: `functions.py`, `primitives.py`, `indexing.py`,
`products.py`, `linear_algebra.py`.  Elementwise functions need no rule.  A function without a rule is decomposed into
primitives, or computed item by item, as is any call whose rule returns `NotImplemented`: `loops.py`.

Dtypes promote as in a loop over items: an item with no axes is a NumPy scalar there, which promotes like an array
(NEP 50).  Results that are arrays in NumPy, such as `np.array(x)` and `a[0, ...]`, can be written into.  A value that
controls the program (`if`, a length, an index of a plain array) raises: `refusals.py`.
"""

__all__: list[str] = []
