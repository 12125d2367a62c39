// What is done for a call of a compiled function besides its operations, as functions of Python's: to see that arguments,
// and what else the function reads, are as they were recorded; and to run a plan.
//
// Such a function is called with a tuple as its own object, which begins with bytes: the address of a table.  What cannot
// be told here is told by `backends/native/calls.py`'s caller, in Python: to recognize nothing is never wrong.
#include "machine.h"

#define AXES 8

// Functions of Python's stable interface, and two objects, in the order of `backends/native/calls.py`.
static struct {
  void *(*number)(size);
  size (*length)(void *);
  void *(*attribute)(void *, void *), *(*item)(void *, void *), *(*in_dict)(void *, void *), *(*in_list)(void *, size);
  int (*next)(void *, size *, void **, void **);
  void *(*error)(void);
  void (*forget)(void), (*take)(void *), (*leave)(void *);
  void *(*tuple)(size);
  int (*put)(void *, size, void *);
  void *(*unlock)(void), (*lock)(void *);
  void *none;
  size bytes; // where objects of `bytes` have theirs
  const layout *objects;
} python;
#define OF(object, field, type) FIELD(object, python.objects->field, type)
#define ITEM_OF(tuple, i) FIELD(tuple, python.objects->items + (i) * (size)sizeof(char *), char *)

EXPORT void machine_prepare(const void *functions) { memcpy(&python, functions, sizeof python); }

INLINE const void *table_of(const char *self) {
  const char *first = ITEM_OF(self, 0);
  return FIELD(first, python.bytes, void *);
}

// What a function reads besides its arguments: something of an object `of`, by a name, is what is known.
enum { CELL, NAME, ITEM, ATTRIBUTE, LENGTH, LIST, KEYS, BITS };
typedef struct { size kind; char *of, *name, *known; } fact;

// What an argument is, and those in it: `count` of them.
enum { TUPLE_OF, LIST_OF, DICT_OF, ARRAY, OF_TYPE, SAME };
typedef struct {
  size kind, count;
  char *object, *type;
  size flags, sizes[AXES], strides[AXES];
} part;

typedef struct {
  const fact *facts;
  const part *parts;
  size fact_count, leaf_count, is_flat;
} recognition;

static int is_new(char *found, const char *known) {
  if (!found) python.forget();
  else python.leave(found);
  return found == known && found;
}

static int is_known(const fact *f) {
  size count, position = 0;
  void *key, *value;
  switch (f->kind) {
  case CELL: return OF(f->of, cell, char *) == f->known;
  case NAME:
    value = python.in_dict(f->of, f->name);
    if (!value && python.error()) return python.forget(), 0;
    return value == f->known;
  case ITEM: return is_new(python.item(f->of, f->name), f->known);
  case ATTRIBUTE: return is_new(python.attribute(f->of, f->name), f->known);
  case LENGTH: return python.length(f->of) == (size)f->known;
  case LIST:
    count = python.length(f->known);
    if (python.length(f->of) != count) return 0;
    for (size i = 0; i < count; i++)
      if (python.in_list(f->of, i) != ITEM_OF(f->known, i)) return 0;
    return 1;
  case KEYS:
    count = python.length(f->known);
    if (python.length(f->of) != count) return 0;
    for (size i = 0; i < count && python.next(f->of, &position, &key, &value); i++)
      if (key != ITEM_OF(f->known, i)) return 0;
    return 1;
  }
  // BITS: `known` is a copy of so many bytes, which lies in memory as the array did.
  size axes = OF(f->of, axes, int);
  if (axes != OF(f->known, axes, int) || OF(f->of, dtype, void *) != OF(f->known, dtype, void *)) return 0;
  for (size i = 0; i < axes; i++)
    if (OF(f->of, sizes, size *)[i] != OF(f->known, sizes, size *)[i] ||
        OF(f->of, strides, size *)[i] != OF(f->known, strides, size *)[i]) return 0;
  return !memcmp(OF(f->of, data, char *), OF(f->known, data, char *), (size_t)f->name);
}

static int is_array(const part *p, const char *x) {
  if (OF(x, dtype, char *) != p->type || OF(x, axes, int) != p->count) return 0;
  const size *sizes = OF(x, sizes, size *), *strides = OF(x, strides, size *);
  if ((OF(x, flags, int) & (CONTIGUOUS | WRITEABLE)) != p->flags) return 0;
  for (size i = 0; i < p->count; i++)
    if (sizes[i] != p->sizes[i] || (!(p->flags & CONTIGUOUS) && strides[i] != p->strides[i])) return 0;
  return 1;
}

// The part behind those that an object consists of, whose leaves are found; none where it is something else.
static const part *walk(const part *p, char *x, char **leaves, size *count) {
  const part *next = p + 1;
  if (p->kind == SAME) return x == p->object ? next : 0;
  if (OF(x, type, char *) != p->object) return 0;
  if (p->kind == ARRAY || p->kind == OF_TYPE) {
    if (p->kind == ARRAY && !is_array(p, x)) return 0;
    leaves[(*count)++] = x;
    return next;
  }
  if (python.length(x) != p->count) return 0;
  size position = 0;
  void *key, *value;
  for (size i = 0; i < p->count && next; i++) {
    if (p->kind == TUPLE_OF) value = ITEM_OF(x, i);
    else if (p->kind == LIST_OF) value = python.in_list(x, i);
    else if (!python.next(x, &position, &key, &value) || key != ITEM_OF(p->type, i)) return 0;
    next = walk(next, value, leaves, count);
  }
  return next;
}

// Whether two arrays may show the same memory, since they, or what they are views of, are the same object; or since they
// show that of something else than an array.
static int share_owners(char *const *leaves, size count, const char *array) {
  char *owners[count + 1];
  size known = 0;
  for (size i = 0; i < count; i++) {
    if (OF(leaves[i], type, char *) != array) continue;
    char *base = OF(leaves[i], base, char *), *owner = base ? base : leaves[i];
    if (base && (OF(base, type, char *) != array || OF(base, base, char *))) return 1;
    for (size k = 0; k < known; k++) if (owners[k] == owner) return 1;
    owners[known++] = owner;
  }
  return 0;
}

// Of a tuple of arguments the leaves, a tuple; None where they, or something else, may be other than they were.
EXPORT void *machine_recognized(char *self, char *args) {
  const recognition *r = table_of(self);
  char *leaves[r->leaf_count + 1], *found = python.none;
  size count = 0;
  for (size k = 0; k < r->fact_count; k++) if (!is_known(r->facts + k)) goto end;
  // The first part is the tuple; the type of arrays stands behind the last one.
  const part *last = walk(r->parts, args, leaves, &count);
  if (!last || (count > 1 && share_owners(leaves, count, last->object))) goto end;
  if (!r->is_flat) {
    for (size i = 0; i < count; i++) python.take(leaves[i]);
    char *made = python.tuple(count);
    for (size i = 0; i < count; i++) made ? (void)python.put(made, i, leaves[i]) : python.leave(leaves[i]);
    return made;
  }
  found = args;
end:
  python.take(found);
  return found;
}

// Run a plan without blocks on the objects that it is called with, in this thread; errors as `machine_share` has them.
EXPORT void *machine_call(char *self, char *const *objects, size count) {
  const plan *p = table_of(self);
  double sums[p->guard_count + 1];
  for (size k = 0; k < p->guard_count; k++) sums[k] = 0;
  size found = count == p->expected_count ? run_on(p, objects, 0, 1, sums, 0) : REFUSED;
  return python.number(p->guard_count && !(found & REFUSED) ? found | machine_decide(p, sums, 1) : found);
}

// Run a plan again and again on the objects that it is called with, without the interpreter's lock: how many steps were
// taken; -1 where the objects are not as expected.
EXPORT void *machine_steps(char *self, char *const *objects, size count) {
  const repetition *r = table_of(self);
  if (!set_out(r, objects, count)) return python.number(-1);
  void *thread = python.unlock();
  size taken = machine_repeat(r);
  python.lock(thread);
  return python.number(taken);
}
