// Arithmetic on numbers, and on arrays of a few, as machine code: values stay in registers from one operation to the next.
//
// The operations are those of IEEE 754 that the loops of `machine_loops.c` do, one instruction of the processor each, so
// that bits and errors are the same.  Memory is written first and made executable then, never both; where the system
// refuses that, or for another processor, there is no translation, and the machine goes on instruction by instruction.
#include "machine.h"
#include <stdlib.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <sys/mman.h>

#define WIDEST 8          // elements of an array: TINY of `plans.py`
#define CONSTANTS 3
#define ROOM 128          // bytes, at most, of the code of an operation
static const double constants[CONSTANTS] = {0.0, 1.0, -0.0};
enum { ZERO, ONE, SIGN }; // the values that are these numbers

// w = a, or an operation of a and b; these are values: numbers that are elements of slots.
typedef enum { ADD, SUBTRACT, MULTIPLY, DIVIDE, ROOT, NEGATE, MOVE } verb;
typedef struct { verb does; int a, b, w; } operation;

#if defined(__x86_64__)
// Intel, Software Developer's Manual, volume 2: VEX prefixes, no instruction of which depends on the flags.  The address
// of the places is in rdi.
#define REGISTERS 16
typedef struct { unsigned char *at; } code;
static void bytes(code *c, uint64_t x, int count) { memcpy(c->at, &x, 8), c->at += count; }
// A prefix: of the register that is written, the first argument, the second one, and the mandatory prefix.
static void vex(code *c, int w, int a, int b, int prefix) {
  bytes(c, 0xC4 | (w < 8 ? 0x80 : 0) << 8 | 0x40 << 8 | (b < 8 ? 0x20 : 0) << 8 | 1 << 8, 2);
  bytes(c, (uint64_t)((~a & 15) << 3 | prefix), 1);
}
static void of_registers(code *c, int opcode, int w, int a, int b, int prefix) {
  vex(c, w, a, b, prefix);
  bytes(c, (uint64_t)(opcode | (0xC0 | (w & 7) << 3 | (b & 7)) << 8), 2);
}
static void begin(code *c) { bytes(c, 0xFA1E0FF3, 4); } // endbr64
static void end(code *c) { bytes(c, 0xC3, 1); }         // ret
// Move a number between a register and `element` of the array at a place: by rax.
static void move(code *c, int is_store, int w, size place, size element) {
  bytes(c, 0x878B48, 3), bytes(c, (uint64_t)(8 * place), 4);
  vex(c, w, 0, 0, 3);
  bytes(c, (uint64_t)((is_store ? 0x11 : 0x10) | (0x80 | (w & 7) << 3) << 8), 2), bytes(c, (uint64_t)(8 * element), 4);
}
static void set(code *c, int w, double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  bytes(c, 0xB848, 2), bytes(c, bits, 8);
  vex(c, w, 0, 0, 0x81);
  bytes(c, (uint64_t)(0x6E | (0xC0 | (w & 7) << 3) << 8), 2);
}
static void compute(code *c, verb does, int w, int a, int b) {
  static const unsigned char opcode[] = {0x58, 0x5C, 0x59, 0x5E, 0x51, 0x57, 0x28};
  if (does == MOVE) of_registers(c, opcode[does], w, 0, a, 1);
  else of_registers(c, opcode[does], w, a, does == ROOT ? a : b, does == NEGATE ? 1 : 3);
}
static int reaches(size place, size element) { return place < 1 << 27 && element < 1 << 27; }

#else
// Arm, Architecture Reference Manual for A-profile, chapter C7.  The address of the places is in x0, and d8 to d15 belong
// to the caller.
#define REGISTERS 24
typedef struct { uint32_t *at; } code;
static void put(code *c, uint32_t x) { *c->at++ = x; }
static uint32_t named(int r) { return (uint32_t)(r < 8 ? r : r + 8); }
static void begin(code *c) { put(c, 0xD503245F); } // bti c
static void end(code *c) { put(c, 0xD65F03C0); }   // ret
static void move(code *c, int is_store, int w, size place, size element) {
  put(c, 0xF9400009 | (uint32_t)place << 10); // ldr x9, [x0, place]
  put(c, (is_store ? 0xFD000120 : 0xFD400120) | (uint32_t)element << 10 | named(w));
}
static void set(code *c, int w, double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  put(c, 0xD2800009 | (uint32_t)(bits & 0xFFFF) << 5);
  for (uint32_t k = 1; k < 4; k++) put(c, 0xF2800009 | k << 21 | (uint32_t)(bits >> 16 * k & 0xFFFF) << 5);
  put(c, 0x9E670120 | named(w));
}
static void compute(code *c, verb does, int w, int a, int b) {
  static const uint32_t of_two[] = {0x1E602800, 0x1E603800, 0x1E600800, 0x1E601800}, of_one[] = {0x1E61C000, 0x1E614000, 0x1E604000};
  if (does >= ROOT) put(c, of_one[does - ROOT] | named(a) << 5 | named(w));
  else put(c, of_two[does] | named(b) << 16 | named(a) << 5 | named(w));
}
static int reaches(size place, size element) { return place < 4096 && element < 4096; }
#endif

// The loops of `machine_loops.c` that are translated.
LOOP(add_float64);
LOOP(subtract_float64);
LOOP(multiply_float64);
LOOP(divide_float64);
LOOP(negative_float64);
LOOP(square_float64);
LOOP(sqrt_float64);
LOOP(reciprocal_float64);
LOOP(element_64);
LOOP(placed_float64);
LOOP(sum_at_float64);

// Of each slot its first value, the instructions that name it first and last; of each value where it is, its slot, and
// the operation that names it last.
typedef struct {
  code code;
  const plan *p;
  int *first, *begins, *ends;
  int *in, *slot, *last;
  char *is_unsaved;
  int held[REGISTERS];
  size used[REGISTERS], now;
} state;

// How many elements of the slot an instruction names at its argument k; 0 where it is not translated.
static size named_elements(const instruction *o, size k) {
  if (o->loop == machine_element_64) return k ? 1 : (size)o->auxiliary + 1;
  if (o->loop == machine_placed_float64) return k ? o->count : 1;
  if (o->loop == machine_sum_at_float64) return k == 1 ? 1 : o->count;
  if (o->loop != machine_add_float64 && o->loop != machine_subtract_float64 && o->loop != machine_multiply_float64 &&
      o->loop != machine_divide_float64 && o->loop != machine_negative_float64 && o->loop != machine_square_float64 &&
      o->loop != machine_sqrt_float64 && o->loop != machine_reciprocal_float64) return 0;
  return o->stride[k] ? o->count : 1;
}

static int is_translated(const instruction *o) {
  if (o->count < 1 || (o->count > WIDEST && o->loop != machine_element_64)) return 0;
  for (size k = 0; k < o->arguments; k++) {
    size elements = named_elements(o, k);
    if (!elements || !reaches(o->slot[k], elements)) return 0;
  }
  return 1;
}

// The operations of an instruction.
static operation *expanded(const state *s, const instruction *o, operation *to) {
  const int *first = s->first;
  int a = first[o->slot[0]], b = first[o->slot[1]], w = first[o->slot[o->arguments - 1]];
  if (o->loop == machine_element_64) *to++ = (operation){MOVE, a + (int)(size)o->auxiliary, ZERO, w};
  else if (o->loop == machine_placed_float64)
    for (int i = 0; i < o->count; i++) *to++ = (operation){MOVE, i == (size)o->auxiliary ? a : ZERO, ZERO, w + i};
  else if (o->loop == machine_sum_at_float64)
    for (int i = 0; i < o->count; i++)
      *to++ = i == (size)o->auxiliary ? (operation){ADD, a + i, b, w + i} : (operation){MOVE, a + i, ZERO, w + i};
  else
    for (int i = 0; i < o->count; i++) {
      int x = o->stride[0] ? a + i : a, y = o->arguments == 3 && o->stride[1] ? b + i : b;
      *to++ = o->loop == machine_add_float64        ? (operation){ADD, x, y, w + i}
              : o->loop == machine_subtract_float64 ? (operation){SUBTRACT, x, y, w + i}
              : o->loop == machine_multiply_float64 ? (operation){MULTIPLY, x, y, w + i}
              : o->loop == machine_divide_float64   ? (operation){DIVIDE, x, y, w + i}
              : o->loop == machine_square_float64   ? (operation){MULTIPLY, x, x, w + i}
              : o->loop == machine_sqrt_float64     ? (operation){ROOT, x, x, w + i}
              : o->loop == machine_negative_float64 ? (operation){NEGATE, x, SIGN, w + i}
                                                    : (operation){DIVIDE, ONE, x, w + i};
    }
  return to;
}

static void save(state *s, int value) {
  move(&s->code, 1, s->in[value], s->slot[value], value - s->first[s->slot[value]]);
  s->is_unsaved[value] = 0;
}

static void release(state *s, int value) {
  if (s->in[value] < 0) return;
  s->held[s->in[value]] = -1;
  s->in[value] = -1;
}

// A register for a value: one that is free, or the one that was used longest ago.
static int taken(state *s, int value) {
  int r = 0;
  for (int i = 0; i < REGISTERS && s->held[r] >= 0; i++)
    if (s->held[i] < 0 || s->used[i] < s->used[r]) r = i;
  int other = s->held[r];
  if (other >= 0) {
    if (s->is_unsaved[other]) save(s, other);
    release(s, other);
  }
  s->held[r] = value, s->in[value] = r, s->used[r] = s->now;
  return r;
}

static int loaded(state *s, int value) {
  int r = s->in[value];
  if (r >= 0) return s->used[r] = s->now, r;
  r = taken(s, value);
  if (value < CONSTANTS) set(&s->code, r, constants[value]);
  else move(&s->code, 0, r, s->slot[value], value - s->first[s->slot[value]]);
  return r;
}

// Code for operations, those of the instructions from `begin` to `end`.
static void translate(state *s, const operation *operations, size count, int from, int to) {
  begin(&s->code);
  for (size i = 0; i < count; i++) {
    const operation *o = operations + i;
    s->last[o->a] = s->last[o->b] = s->last[o->w] = (int)i;
  }
  for (int r = 0; r < REGISTERS; r++) s->held[r] = -1;
  for (size i = 0; i < count; i++) {
    const operation *o = operations + i;
    s->now = (size)i;
    int a = loaded(s, o->a), b = o->does == MOVE ? a : loaded(s, o->b), k = s->slot[o->w];
    if (s->last[o->a] == (int)i) release(s, o->a);
    if (s->last[o->b] == (int)i) release(s, o->b);
    compute(&s->code, o->does, taken(s, o->w), a, b);
    s->is_unsaved[o->w] = 1;
    if (s->p->slots[k].kind != SCRATCH || s->begins[k] < from || s->ends[k] >= to) save(s, o->w);
    if (s->last[o->w] == (int)i) release(s, o->w);
  }
  for (int r = 0; r < REGISTERS; r++)
    if (s->held[r] >= 0) release(s, s->held[r]);
  end(&s->code);
}

// A plan whose code is partly machine code, in memory that is all its own.
typedef struct {
  plan p;
  void *memory;
  size room;
  instruction code[];
} translation;

// Machine code in the place of instructions, as many as there are one after another; the bytes that it takes.
static size write_code(state *s, const plan *p, operation *operations, instruction *to, size *count, char *memory) {
  char *at = memory;
  *count = 0;
  for (size i = 0; i < p->instructions;) {
    size next = i;
    operation *last = operations;
    while (next < p->instructions && p->code[next].reported == p->code[i].reported && is_translated(p->code + next))
      last = expanded(s, p->code + next++, last);
    if (last - operations < 2) {
      to[(*count)++] = p->code[i++];
      continue;
    }
    s->code.at = (void *)at;
    translate(s, operations, last - operations, (int)i, (int)next);
    to[(*count)++] = (instruction){.loop = (inner *)(void *)at, .kind = TRANSLATED, .count = 1, .reported = p->code[i].reported};
    at = (char *)s->code.at;
    at += -(uintptr_t)at & 15;
    i = next;
  }
  return at - memory;
}

// The same plan with machine code; none where there is nothing to translate, or it may not be.  It points to what the
// plan points to.
EXPORT translation *machine_translated(const plan *p) {
  size values = CONSTANTS, most = 0, slots = p->slot_count, n = p->instructions;
  int *tables = calloc((size_t)(3 * slots + 1), sizeof(int));
  translation *t = malloc(sizeof(translation) + (size_t)n * sizeof(instruction));
  state s = {.p = p, .first = tables, .begins = tables + slots, .ends = tables + 2 * slots};
  int *of_values = 0;
  operation *operations = 0;
  char *memory = MAP_FAILED;
  if (!tables || !t) goto refused;
  for (size i = n - 1; i >= 0; i--)
    for (size k = 0; k < p->code[i].arguments; k++) s.begins[p->code[i].slot[k]] = (int)i;
  for (size i = 0; i < n; i++) {
    const instruction *o = p->code + i;
    int is = is_translated(o);
    most += is ? (o->loop == machine_element_64 ? 1 : o->count) : 0;
    if (!o->arguments) for (size k = 0; k < slots; k++) s.ends[k] = (int)i; // it may name any
    for (size k = 0; k < o->arguments; k++) {
      s.ends[o->slot[k]] = (int)i;
      if (is && named_elements(o, k) > s.first[o->slot[k]]) s.first[o->slot[k]] = (int)named_elements(o, k);
    }
  }
  for (size k = 0; k < slots; k++) {
    int elements = s.first[k];
    s.first[k] = (int)values, values += elements;
  }
  of_values = malloc((size_t)values * (3 * sizeof(int) + 1));
  operations = malloc((size_t)(most + 1) * sizeof(operation));
  if (most < 2 || !of_values || !operations) goto refused;
  s.in = of_values, s.slot = of_values + values, s.last = of_values + 2 * values, s.is_unsaved = (char *)(of_values + 3 * values);
  memset(s.in, -1, (size_t)values * sizeof(int));
  memset(s.is_unsaved, 0, (size_t)values);
  for (size k = 0; k < slots; k++)
    for (size v = s.first[k]; v < (k + 1 < slots ? s.first[k + 1] : values); v++) s.slot[v] = (int)k;

  t->room = (most + n + 1) * ROOM;
  memory = mmap(0, (size_t)t->room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) goto refused;
  t->p = *p, t->p.code = t->code, t->memory = memory;
  size written = write_code(&s, p, operations, t->code, &t->p.instructions, memory);
  __builtin___clear_cache(memory, memory + written);
  if (mprotect(memory, (size_t)t->room, PROT_READ | PROT_EXEC)) {
    munmap(memory, (size_t)t->room);
    goto refused;
  }
  free(tables), free(of_values), free(operations);
  return t;

refused:
  free(tables), free(of_values), free(operations), free(t);
  return 0;
}

EXPORT void machine_forget(translation *t) {
  munmap(t->memory, (size_t)t->room);
  free(t);
}

#else
EXPORT void *machine_translated(const plan *p) { return (void)p, (void *)0; }
EXPORT void machine_forget(void *t) { (void)t; }
#endif
