// The machine of compiled programs: one instruction after the other, each an inner loop over arrays, block by block.
//
// Loops are NumPy's, in their form of `PyArrayMethod_StridedLoop`, or ours of `machine_loops.c`.  All that is known of
// Python and NumPy here is where an object has its type, an array its data, and a tuple its items: `backends/native/
// machine.py` finds that out and writes it into the plan.
#include "machine.h"
#include "threads.h"
#include <stdlib.h>

#define ON_STACK (1 << 16)
#define NOT_CHECKED ((size)-1) // a number of axes: arrays that the caller has made for results

// What an object in the tuple must be: an array of this dtype, shape, and strides; or a number of NumPy's.
struct expectation {
  void *type, *dtype;
  size axes, alignment, sizes[8], strides[8];
};

// A sum decides about the guard: below `low` it is true, from `high` on it is false, and NaN is.
struct guard { double low, high; size expected; };

enum { DIVIDE = 1, OVERFLOWS = 2, UNDERFLOWS = 4, INVALID = 8, OWN_ERRORS = 16, FAILED = 32, UNCERTAIN = 64 };

#define ERRORS (FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID)
#if defined(__x86_64__)
// glibc raises an overflow on the x87, which takes 4 ns to read and more to clear: only after NumPy's loops, which have a
// context.
INLINE int x87_errors(void) {
  unsigned short status;
  __asm__ volatile("fnstsw %0" : "=am"(status));
  return status & ERRORS;
}
INLINE int raised(const void *context) { return (get_flags() & ERRORS) | (context ? x87_errors() : 0); }
INLINE void clear(void) {
  if (x87_errors()) feclearexcept(ERRORS);
  clear_flags();
}
#else
INLINE int raised(const void *context) { return (void)context, fetestexcept(ERRORS); }
INLINE void clear(void) { feclearexcept(ERRORS); }
#endif

// The sum of an array is that of the sums of its blocks, of numbers of a kind, a complex one two of them: where these lie,
// where it goes in the tuple, and the errors that it reports.
struct total { size kind, at, place, reported; };

static size named(int errors) {
  return (errors & FE_DIVBYZERO ? DIVIDE : 0) | (errors & FE_OVERFLOW ? OVERFLOWS : 0) |
         (errors & FE_UNDERFLOW ? UNDERFLOWS : 0) | (errors & FE_INVALID ? INVALID : 0);
}

static int is_as_expected(const plan *p, const char *object, const expectation *e) {
  const layout *at = p->objects;
  if (e->axes == NOT_CHECKED) return 1;
  if (FIELD(object, at->type, void *) != e->type) return 0;
  if (!e->dtype) return 1;
  if (FIELD(object, at->dtype, void *) != e->dtype || FIELD(object, at->axes, int) != e->axes) return 0;
  const size *sizes = FIELD(object, at->sizes, size *), *strides = FIELD(object, at->strides, size *);
  for (size i = 0; i < e->axes; i++)
    if (sizes[i] != e->sizes[i] || ((sizes[i] > 1 || e->axes == 1) && strides[i] != e->strides[i])) return 0;
  return !(FIELD(object, at->data, uintptr_t) & (e->alignment - 1));
}

INLINE char *data_of(const plan *p, char *object, const expectation *e) {
  return e->dtype ? FIELD(object, p->objects->data, char *) : object + p->objects->data;
}

static int takes(const plan *p, char *const *items, char **given) {
  for (size i = 0; i < p->expected_count; i++) {
    const expectation *e = p->expected + i;
    if (!is_as_expected(p, items[i], e)) return 0;
    given[i] = data_of(p, items[i], e);
  }
  return 1;
}

// Where the arguments lie, from the first element on; `given` are the data of the objects.
static void find(const plan *p, char *const *given, double *sums, char *scratch, char *parts, char **found) {
  for (size i = 0; i < p->slot_count; i++) {
    const slot *s = p->slots + i;
    found[i] = s->kind == GIVEN ? given[s->at] : s->kind == SCRATCH ? scratch + s->at
               : s->kind == SUM ? (char *)(sums + s->at) : s->kind == PART ? parts + s->at : (char *)s->at;
  }
}

#define NUMBER(k) (*(double *)place[o->slot[k]])
#define DO(NAME, STATEMENT) NAME: STATEMENT; NEXT
// To read the errors takes longer than a short loop.  Those of NumPy may clear what was raised before.
#define NEXT                                                                                      \
  if (++o == end || (reads_errors && (o->reported != o[-1].reported || o->context))) goto check;  \
  goto *does[o->kind]

// No error is raised before, and none is left, unless they are not read.
static size run(const plan *p, char *const *base, size start, size stop, int reads_errors) {
  static const void *const does[] = {&&called, &&sum, &&difference, &&product, &&quotient, &&negated, &&element, &&translated};
  size result = 0, slots = p->slot_count;
  char *now[slots + 1], *data[MOST];
  const instruction *end = p->code + p->instructions;
  const void *context = 0;
  for (size k = start; k < stop; k++) {
    size at = p->starts ? p->starts[k] : k * p->block, rest = p->size - at;
    size whole = p->starts ? p->starts[k + 1] - at : rest < p->block ? rest : p->block;
    if (k) for (size i = 0; i < slots; i++) now[i] = base[i] + at * p->slots[i].step + k * p->slots[i].each;
    char *const *place = k ? now : base;
    const instruction *o = p->code;
    if (o == end) continue;
    goto *does[o->kind];

    DO(sum, NUMBER(2) = NUMBER(0) + NUMBER(1));
    DO(difference, NUMBER(2) = NUMBER(0) - NUMBER(1));
    DO(product, NUMBER(2) = NUMBER(0) * NUMBER(1));
    DO(quotient, NUMBER(2) = NUMBER(0) / NUMBER(1));
    DO(negated, NUMBER(1) = -NUMBER(0));
    DO(element, memcpy(place[o->slot[1]], place[o->slot[0]] + 8 * (size)o->auxiliary, 8));
    DO(translated, ((translated *)(void *)o->loop)(place));

    called:
    for (size k = 0; k < o->arguments; k++) data[k] = place[o->slot[k]];
    size count = o->count ? o->count : whole;
    if (o->loop(o->context, o->arguments ? data : place, &count, o->stride, o->auxiliary)) return REFUSED;
    context = o->context ? o->context : context;
    NEXT;

    check:
    if (!reads_errors) continue;
    BARRIER(place);
    int errors = raised(context);
    context = 0;
    if (errors) {
      size found = named(errors), reported = o[-1].reported;
      clear();
      if (reported < 0) result |= found;
      else if (found & reported) result |= OWN_ERRORS;
    }
    if (o < end) goto *does[o->kind];
  }
  return result;
}

size machine_decide(const plan *p, const double *sums, size pieces) {
  size found = 0;
  for (size k = 0; k < p->guard_count; k++) {
    double sum = 0;
    for (size i = 0; i < pieces; i++) sum += sums[i * p->guard_count + k];
    const guard *g = p->guards + k;
    int below = sum < g->low, above = sum >= g->high || sum != sum;
    found |= !below && !above ? UNCERTAIN : below == g->expected ? 0 : FAILED;
  }
  return found;
}

// The sum of n numbers by those of the blocks, in NumPy's order: of halves, the first of which has a multiple of 8, until
// they are blocks.  Of complex numbers that of n / 2, each with two sums.
#define TOTAL_OF(T, PARTS)                                                                        \
  static void total_of_##T##_##PARTS(const T **parts, size n, size most, T *sum) {                \
    if (n <= most) { for (int k = 0; k < PARTS; k++) sum[k] = *(*parts)++; return; }              \
    size half = n / 2 - n / 2 % 8;                                                                \
    T right[PARTS];                                                                               \
    total_of_##T##_##PARTS(parts, half, most, sum);                                               \
    total_of_##T##_##PARTS(parts, n - half, most, right);                                         \
    for (int k = 0; k < PARTS; k++) sum[k] += right[k];                                           \
  }
TOTAL_OF(float, 1) TOTAL_OF(double, 1) TOTAL_OF(float, 2) TOTAL_OF(double, 2)

// The sums of arrays by those of the blocks; the errors that this raises.
static size find_totals(const plan *p, char *const *objects, const char *parts) {
  size result = 0;
  flags before = get_flags();
  for (size k = 0; k < p->total_count; k++) {
    const total *t = p->totals + k;
    char *to = FIELD(objects[t->place], p->objects->data, char *);
    const char *from = parts + t->at;
    clear();
    switch (t->kind) {
      case 0: total_of_float_1(&(const float *){(const float *)from}, p->size, p->block, (float *)to); break;
      case 1: total_of_double_1(&(const double *){(const double *)from}, p->size, p->block, (double *)to); break;
      case 2: total_of_float_2(&(const float *){(const float *)from}, 2 * p->size, 2 * p->block, (float *)to); break;
      case 3: total_of_double_2(&(const double *){(const double *)from}, 2 * p->size, 2 * p->block, (double *)to); break;
    }
    BARRIER(to);
    size found = named(raised(0));
    result |= t->reported < 0 ? found : found & t->reported ? OWN_ERRORS : 0;
  }
  set_flags(before);
  return result;
}

// The scratch memory of a plan, `here` where that suffices; none where there is no memory.  `taken` is to be freed.
static char *scratch_of(const plan *p, char *here, char **taken) {
  *taken = p->scratch > ON_STACK ? malloc((size_t)p->scratch + LINE) : 0;
  if (p->scratch <= ON_STACK) return here;
  return *taken ? *taken + (-(uintptr_t)*taken & (LINE - 1)) : 0;
}

size run_on(const plan *p, char *const *objects, size start, size stop, double *sums, char *parts) {
  char *given[p->expected_count + 1], here[ON_STACK] __attribute__((aligned(LINE))), *taken;
  char *scratch = scratch_of(p, here, &taken);
  if (!scratch) return REFUSED;
  flags before = get_flags();
  size found = REFUSED;
  if (takes(p, objects, given)) {
    char *base[p->slot_count + 1];
    find(p, given, sums, scratch, parts, base);
    clear();
    found = run(p, base, start, stop, 1);
  }
  free(taken);
  set_flags(before);
  return found;
}

typedef struct {
  const plan *p;
  char *const *objects;
  double *sums;
  char *parts;
  size piece;
  int found;
} sharing;

static void run_piece(void *of, ptrdiff_t k) {
  sharing *job = of;
  const plan *p = job->p;
  size start = k * job->piece, rest = p->blocks - start, count = rest < job->piece ? rest : job->piece;
  size found = run_on(p, job->objects, start, start + count, job->sums + k * p->guard_count, job->parts);
  __atomic_fetch_or(&job->found, (int)found, __ATOMIC_RELAXED);
}

// Run a plan on the objects of a tuple, in pieces of so many blocks, by at most `threads` threads.
EXPORT size machine_share(const plan *p, char *tuple, size piece, size threads) {
  size pieces = (p->blocks + piece - 1) / piece, found = REFUSED;
  sharing job = {p, &FIELD(tuple, p->objects->items, char *), 0, 0, piece, 0};
  job.sums = calloc((size_t)(pieces * p->guard_count + 1), sizeof(double));
  job.parts = malloc((size_t)p->room + 1);
  if (job.sums && job.parts) {
    shared(run_piece, &job, pieces, threads);
    found = job.found;
    if (!(found & REFUSED)) found |= machine_decide(p, job.sums, pieces) | find_totals(p, job.objects, job.parts);
  }
  free(job.sums), free(job.parts);
  return found;
}

// So many bytes of an argument of a plan go, after each step, to an address that moves on; or become another argument.
typedef struct { size from, bytes, step; char *to; } move;

// What an object is: an argument of the plan, if it names it, from `offset` on; so many bytes that the carry begins with;
// or where results are stacked.
enum { ARGUMENT, CARRIED, STACKED };
typedef struct { size kind, place, offset, bytes; char *to; } source;

struct repetition {
  const plan *program;
  char **given;         // the data of the arguments in the next step
  const size *step;     // how many bytes each moves on
  move *stacked;
  const move *carried;
  const expectation *expected;
  const source *sources;
  char *staged, *saved; // memory for all that is carried, twice
  size stacked_count, carried_count, given_count, source_count, first, stop, ignored, keeps_errors;
};

// Without a call where it is one number.
INLINE void copy(char *to, const char *from, size bytes) {
  if (bytes == 8) memcpy(to, from, 8);
  else memcpy(to, from, bytes);
}

#define TOGETHER 64 // steps

// Steps from `at` on, up to one that is as `run` and the guards say not to be ignored, or before `stop`.
static size take_steps(const repetition *r, char **base, double *sums, size at, size stop, int reads_errors) {
  const plan *p = r->program;
  size moving[r->given_count + 1], count = 0, given = 0;
  while (given < p->slot_count && p->slots[given].kind == GIVEN) given++;
  for (size k = 0; k < r->given_count; k++) {
    if (r->step[k]) moving[count++] = k;
    if (k < given) base[k] = r->given[k];
  }
  for (; at < stop; at++) {
    for (size k = 0; k < p->guard_count; k++) sums[k] = 0;
    size found = run(p, base, 0, 1, reads_errors);
    if (p->guard_count) found |= machine_decide(p, sums, 1);
    if (found & ~r->ignored) break;
    for (size k = 0; k < r->stacked_count; k++) {
      const move *m = r->stacked + k;
      copy(m->to + at * m->step, r->given[m->from], m->bytes);
    }
    char *staged = r->staged;
    for (size k = 0; k < r->carried_count; staged += r->carried[k++].bytes)
      copy(staged, r->given[r->carried[k].from], r->carried[k].bytes);
    staged = r->staged;
    for (size k = 0; k < r->carried_count; staged += r->carried[k++].bytes)
      copy(r->carried[k].to, staged, r->carried[k].bytes);
    for (size i = 0; i < count; i++) {
      size k = moving[i];
      r->given[k] += r->step[k];
      if (k < given) base[k] = r->given[k];
    }
  }
  return at;
}

// Steps without a look at the errors between them, which would make each wait for the one before; where one was raised,
// or a guard does not hold, everything is as it was before these steps.
static size take_steps_together(const repetition *r, char **base, double *sums, size at, size stop) {
  char *saved = r->saved;
  for (size k = 0; k < r->carried_count; saved += r->carried[k++].bytes) copy(saved, r->carried[k].to, r->carried[k].bytes);
  size reached = take_steps(r, base, sums, at, stop, 0);
  BARRIER(base);
  if (reached == stop && !raised(r)) return stop;
  clear();
  saved = r->saved;
  for (size k = 0; k < r->carried_count; saved += r->carried[k++].bytes) copy(r->carried[k].to, saved, r->carried[k].bytes);
  for (size k = 0; k < r->given_count; k++) r->given[k] -= (reached - at) * r->step[k];
  return at;
}

int set_out(const repetition *r, char *const *objects, size count) {
  if (count != r->source_count) return 0;
  for (size i = 0; i < count; i++) if (!is_as_expected(r->program, objects[i], r->expected + i)) return 0;
  for (size i = 0; i < count; i++) {
    const source *s = r->sources + i;
    char *data = data_of(r->program, objects[i], r->expected + i) + s->offset;
    if (s->kind == CARRIED) copy(s->to, data, s->bytes);
    else if (s->kind == STACKED) r->stacked[s->place].to = data;
    else if (s->place >= 0) r->given[s->place] = data;
  }
  return 1;
}

// Run a plan again and again, up to the step that has an error to report or whose guards do not all hold.
EXPORT size machine_repeat(const repetition *r) {
  const plan *p = r->program;
  char here[ON_STACK] __attribute__((aligned(LINE))), *taken, *scratch = scratch_of(p, here, &taken);
  if (!scratch) return r->first;
  flags before = get_flags();
  double sums[p->guard_count + 1];
  char *base[p->slot_count + 1];
  size at = r->first, reached = at;
  find(p, r->given, sums, scratch, 0, base);
  clear();
  while (r->keeps_errors && at < r->stop) {
    reached = take_steps_together(r, base, sums, at, r->stop - at < TOGETHER ? r->stop : at + TOGETHER);
    if (reached == at) break;
    at = reached;
  }
  at = take_steps(r, base, sums, at, r->stop, 1);
  free(taken);
  set_flags(before);
  return at;
}
