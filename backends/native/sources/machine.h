// What the parts of the machine share: plans, and what they are made of.
#pragma once
#include "loops.h"
#include <fenv.h>
#include <stdint.h>

#define MOST 6 // arguments of an instruction

typedef int inner(void *context, char *const *data, const size *dimensions, const size *strides, void *auxiliary);
#define LOOP(NAME) \
  EXPORT int machine_##NAME(void *context, char *const *data, const size *dimensions, const size *strides, void *auxiliary)

// An instruction is a call of a loop on `count` elements, or on those of a block where it is 0; one without arguments is
// given those of the plan.  Arithmetic on single numbers, for which a call would take longer, has a `kind`: `machine.py`
// has the order of those before TRANSLATED, which stands for machine code in the place of a loop.
//
// Floating-point errors that `reported` names are reported whatever the caller's `numpy.errstate` says; -1 stands for
// what that says.
typedef struct {
  inner *loop;
  void *context, *auxiliary;
  size kind, count, arguments, reported;
  size slot[MOST], stride[MOST];
} instruction;

enum { CALLED, SUM_OF, DIFFERENCE, PRODUCT, QUOTIENT, NEGATED, ELEMENT, TRANSLATED };

// Machine code, of where the arguments of the plan lie.
typedef void translated(char *const *place);

enum { GIVEN, FIXED, SCRATCH, SUM, PART };
// Where an argument lies: `at` is a place in the tuple, an address, or an offset; those in the tuple come first.  Behind
// each element of a plan that runs in blocks come `step` bytes, and behind each block `each`.
typedef struct { size kind, at, step, each; } slot;

// Offsets in objects of Python and NumPy.
typedef struct { size type, items, cell, data, axes, sizes, strides, base, dtype, flags; } layout;
#define FIELD(object, offset, type) (*(type *)((object) + (offset)))
enum { CONTIGUOUS = 1, WRITEABLE = 1024 }; // flags of arrays

typedef struct expectation expectation;
typedef struct guard guard;
typedef struct total total;

// Blocks have `block` elements each, the last one what is left of `size`, or begin at `starts`.
typedef struct {
  const layout *objects;
  const instruction *code;
  const slot *slots;
  const expectation *expected;
  const guard *guards;
  const total *totals;
  const size *starts;
  size instructions, slot_count, expected_count, guard_count, total_count, scratch, block, size, blocks, room;
} plan;

enum { REFUSED = 128 }; // what `run_on` returns where objects are not as expected

// Run a plan on objects, the blocks from `start` to `stop`.  `sums`, zeros, are what guards are decided by, `parts` is
// memory for the sums of the blocks, `room` bytes.
size run_on(const plan *p, char *const *objects, size start, size stop, double *sums, char *parts);
size machine_decide(const plan *p, const double *sums, size pieces);

// A loop: a plan that is run again and again.  What its objects are is told to it before the first step, if they are as
// expected.
typedef struct repetition repetition;
int set_out(const repetition *r, char *const *objects, size count);
EXPORT size machine_repeat(const repetition *r);
