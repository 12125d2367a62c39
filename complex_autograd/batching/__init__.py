"""Functions of items run on all items at once: batches, and the batching rules of NumPy's functions and primitives.

**What a batch is.**  `vmap(f)` calls `f` once, with a traced value in place of each mapped argument.  It belongs to
the trace `MAPPED`, which is higher than every level of differentiation, and its value is a `Batch`: an array that holds
the array of all items, with their axis as the first one, and shows the shape of one item.

**Where the dispatch sits.**  Batches are outermost, whichever way `vmap` and the derivatives nest:

    grad(vmap(f))        the array in the batch is traced by `grad`
    vmap(grad(f))        so it is here: see below
    vmap(vmap(f))        the array in the inner batch is a batch of the outer one

`MAPPED` decides first about every operation, takes the arrays out of the batches, and does to them what does to all
items what was asked for one.  No rule of a derivative ever sees a batch: what reaches it has one more axis.

**Transforms inside of a mapped function** are taken of the function of all items.  An item of the result depends on
that item of the arguments alone, so the differential is block-diagonal, and with `<a, b> = Re sum(conj(a) b)` the
adjoint of all is the adjoint of each: one sweep gives the derivative of every item.  A variable that is the same for
all items is repeated first (without a copy), so that each item has a cotangent of its own: `of_all.py`.

**What an operation does** stands in one table by function and one by primitive: `functions.py`, `primitives.py`,
`indexing.py`, `products.py`, `linear_algebra.py`.  Elementwise functions need no rule.  A function that has none is
taken apart into primitives, or computed item by item, as every rule that declines, by `NotImplemented`: `loops.py`.

Numbers promote as in a loop: an item without axes is a number of NumPy's there, which promotes as an array does
(NEP 50); what NumPy makes an array of, as `np.array(x)` and `a[0, ...]`, can be written into.  A value that decides
about the program (`if`, a length, an index of a plain array) raises: `refusals.py`.
"""

__all__: list[str] = []
