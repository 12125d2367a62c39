// The code of the steps of a region, and which register holds what: what `assembly.py` makes loops of.
//
// A value goes to the register whose own is read again last: L. A. Belady (IBM Systems Journal 5 (1966) 78).  Encodings
// are those of Intel (64 and IA-32 Architectures Software Developer's Manual, volume 2).  Registers of addresses are rsi
// for the table of the machine, rax for the index, rcx for an array, rsp, and rdi for the constants.
#include "machine.h"
#include <stdlib.h>

enum { REGISTERS = 16, WIDTH = 32 };
enum { AND = 0x54, XOR = 0x57, LOAD = 0x10, STORE = 0x11, SUM_OF_TWO = 0x58, PRODUCT_OF_TWO = 0x59 };

// The result of a step, at a slot too where that is not -1; a constant or a number, at its place among these; an array
// at a slot.  Of results and arrays every vector has its own.
enum { RESULT, CONSTANT, NUMBER, ARRAY };
typedef struct { size kind, at; } operand;
typedef struct { size opcode, first, second, made; } step; // of one argument `second` is -1

// What is known of an operand of a vector: its next uses, the last one, its place on the stack, its register.
typedef struct { size next, last, stack, held; } entry;
typedef struct { size when, next; } use;

typedef struct {
  unsigned char *at;
  const operand *operands;
  entry *values;
  use *uses;
  size vectors, itemsize, is_wide, stacked, in[REGISTERS];
} state;

static const operand *of(const state *s, size x) { return s->operands + x / s->vectors; }
static void put(state *s, size x, int count) {
  for (int i = 0; i < count; i++) *s->at++ = (unsigned char)((uint64_t)x >> 8 * i);
}

// The end of an instruction whose last argument is in memory; of an array, the address goes to rcx first.
typedef struct { size mode, rest; int count; } place;
static place in_array(state *s, size slot, size vector) {
  put(s, 0x8E8B48, 3), put(s, 8 * slot, 4); // mov rcx, [rsi + 8 slot]
  size scaled = (s->itemsize == 8 ? 3 : 2) << 6 | 1;
  return vector ? (place){0x84, scaled | (WIDTH * vector) << 8, 5} : (place){4, scaled, 1};
}
static place in_memory(state *s, size x) {
  const operand *o = of(s, x);
  if (o->kind == CONSTANT) return (place){0x87, WIDTH * o->at, 4};
  if (s->values[x].stack >= 0) return (place){0x84, 0x24 | (WIDTH * s->values[x].stack) << 8, 5};
  return in_array(s, o->at, x % s->vectors);
}

// An instruction of a register, which it writes, another one, and a third one, or memory.
static void emit(state *s, size opcode, size to, size a, size b, const place *m) {
  size prefix = (s->itemsize == 8) + (s->is_wide || opcode == AND || opcode == XOR ? 0 : 2);
  put(s, 0xC4, 1), put(s, (to < 8) << 7 | 1 << 6 | (m || b < 8) << 5 | 1, 1);
  put(s, (~a & 15) << 3 | s->is_wide << 2 | prefix, 1), put(s, opcode, 1);
  put(s, (m ? m->mode : 0xC0 | (b & 7)) | (to & 7) << 3, 1);
  if (m) put(s, m->rest, m->count);
}

static void hold(state *s, size r, size x) { s->in[r] = x, s->values[x].held = r; }
static void release(state *s, size x) {
  if (s->values[x].held >= 0) s->in[s->values[x].held] = -1, s->values[x].held = -1;
}

// A register; what it held goes to the stack if it is read again, and lies nowhere else.
static size taken(state *s) {
  size r = 0;
  for (size i = 0; i < REGISTERS; i++) {
    if (s->in[i] < 0) return i;
    if (s->uses[s->values[s->in[i]].next].when > s->uses[s->values[s->in[r]].next].when) r = i;
  }
  size x = s->in[r];
  const operand *o = of(s, x);
  if (o->kind == RESULT && o->at < 0 && s->values[x].stack < 0) {
    s->values[x].stack = s->stacked++;
    place m = in_memory(s, x);
    emit(s, STORE, r, 0, 0, &m);
  }
  release(s, x);
  return r;
}

static void load(state *s, size x) {
  if (s->values[x].held >= 0) return;
  place m = in_memory(s, x);
  size to = taken(s);
  hold(s, to, x);
  emit(s, LOAD, to, 0, 0, &m);
}

static void compute(state *s, size k, size opcode, size a, size b, size made) {
  size first = a, second = b < 0 ? a : b;
  int is_commutative = opcode == SUM_OF_TWO || opcode == PRODUCT_OF_TWO;
  if (is_commutative && s->values[first].held < 0 && s->values[second].held >= 0) first = second, second = a;
  if (b >= 0) load(s, first);
  if (of(s, second)->kind == ARRAY && s->values[second].last > k) load(s, second);
  size left = b >= 0 ? s->values[first].held : 0, right = s->values[second].held;
  place m = {0};
  if (right < 0) m = in_memory(s, second);
  for (int i = 0; i < 1 + (b >= 0); i++) {
    entry *x = s->values + (i ? b : a);
    x->next = s->uses[x->next].next;
    if (x->next < 0) release(s, i ? b : a);
  }
  size to = taken(s);
  if (s->values[made].next >= 0) hold(s, to, made);
  emit(s, opcode, to, left, right, right < 0 ? &m : 0);
  if (of(s, made)->at >= 0) {
    place result = in_array(s, of(s, made)->at, made % s->vectors);
    emit(s, STORE, to, 0, 0, &result);
  }
}

// Write the code of some steps, each for so many vectors; how many bytes, -1 where memory is short.  `stacked` is how
// many numbers are on the stack, and becomes how much of it is needed.
EXPORT size machine_assembled(const step *steps, size count, const operand *operands, size operand_count, size vectors,
                              size itemsize, size is_wide, size *stacked, unsigned char *code) {
  size values = operand_count * vectors;
  entry *known = malloc((size_t)values * sizeof(entry));
  use *uses = malloc((size_t)(2 * count * vectors + 1) * sizeof(use));
  if (!known || !uses) return free(known), free(uses), -1;
  state s = {code, operands, known, uses, vectors, itemsize, is_wide, *stacked, {0}};
  for (size x = 0; x < values; x++)
    known[x] = (entry){-1, -1, of(&s, x)->kind == NUMBER ? of(&s, x)->at : -1, -1};
  for (int r = 0; r < REGISTERS; r++) s.in[r] = -1;
  size used = 0, n = count * vectors;
#define VALUE(x, k) ((x) * vectors + (operands[x].kind == RESULT || operands[x].kind == ARRAY ? (k) % vectors : 0))
  for (size k = n - 1; k >= 0; k--)
    for (int i = 0; i < 2; i++) {
      size x = i ? steps[k / vectors].second : steps[k / vectors].first;
      if (x < 0) continue;
      entry *v = known + VALUE(x, k);
      if (v->last < 0) v->last = k;
      uses[used] = (use){k, v->next}, v->next = used++;
    }
  for (size k = 0; k < n; k++) {
    const step *o = steps + k / vectors;
    compute(&s, k, o->opcode, VALUE(o->first, k), o->second < 0 ? -1 : VALUE(o->second, k), VALUE(o->made, k));
  }
  free(known), free(uses);
  *stacked = s.stacked;
  return s.at - code;
}
