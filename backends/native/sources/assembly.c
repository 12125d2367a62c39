// The code of a loop that does the steps of a region, which `assembly.py` puts into memory that is executed.
//
// It takes a table of addresses (rsi), as the machine has it, and the number of elements (at rdx).  Several vectors go
// side by side, step by step, as each waits for the one before; then single ones; then elements.
//
// A value goes to the register whose own is read again last: L. A. Belady (IBM Systems Journal 5 (1966) 78).  Encodings
// are those of Intel (64 and IA-32 Architectures Software Developer's Manual, volume 2).  Registers of addresses are rsi
// for the table of the machine, rax for the index, rcx for an array, rsp, and rdi for the constants, which stand behind
// the code; rdx and r8 are numbers of elements.
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

// Write the code of some steps, each for all vectors; whether there was memory for it.
static int computed(state *s, const step *steps, size count, size operand_count) {
  size values = operand_count * s->vectors;
  entry *known = s->values = malloc((size_t)values * sizeof(entry));
  use *uses = s->uses = malloc((size_t)(2 * count * s->vectors + 1) * sizeof(use));
  if (!known || !uses) return free(known), free(uses), 0;
  for (size x = 0; x < values; x++) known[x] = (entry){-1, -1, of(s, x)->kind == NUMBER ? of(s, x)->at : -1, -1};
  for (int r = 0; r < REGISTERS; r++) s->in[r] = -1;
  size used = 0, n = count * s->vectors;
#define VALUE(x, k) \
  ((x) * s->vectors + (s->operands[x].kind == RESULT || s->operands[x].kind == ARRAY ? (k) % s->vectors : 0))
  for (size k = n - 1; k >= 0; k--)
    for (int i = 0; i < 2; i++) {
      size x = i ? steps[k / s->vectors].second : steps[k / s->vectors].first;
      if (x < 0) continue;
      entry *v = known + VALUE(x, k);
      if (v->last < 0) v->last = k;
      uses[used] = (use){k, v->next}, v->next = used++;
    }
  for (size k = 0; k < n; k++) {
    const step *o = steps + k / s->vectors;
    compute(s, k, o->opcode, VALUE(o->first, k), o->second < 0 ? -1 : VALUE(o->second, k), VALUE(o->made, k));
  }
  free(known), free(uses);
  return 1;
}

static unsigned char *gap(state *s) { return put(s, 0, 4), s->at - 4; } // of a number that is known later
static void fill(unsigned char *at, size x) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)((uint64_t)x >> 8 * i);
}

// A number goes to all lanes of its place on the stack.
static void broadcast(state *s, size slot, size at) {
  size is_double = s->itemsize == 8;
  put(s, 0x8E8B48, 3), put(s, 8 * slot, 4);                                  // mov rcx, [rsi + 8 slot]
  put(s, 0x01187DE2C4 + (is_double << 24), 5);                               // vbroadcastsd or vbroadcastss ymm0, [rcx]
  put(s, 0x2484117CE1C4 + (is_double << 16), 6), put(s, WIDTH * at, 4); // vmovupd or vmovups [rsp + ..], ymm0
}

// A loop over so many elements at once, the last of which may be some of those before; 0 where memory is short.
static int looped(state *s, const step *steps, size count, size operand_count, size elements) {
  put(s, 0xFA8348 | (elements > 1 ? elements : 0) << 24, 4); // cmp rdx, elements or 0
  put(s, elements > 1 ? 0x8C0F : 0x8E0F, 2);                 // jl or jle behind
  unsigned char *behind = gap(s), *start = s->at;
  put(s, 0x428D4C | (-elements & 255) << 24, 4); // lea r8, [rdx - elements]
  unsigned char *next = s->at;
  if (!computed(s, steps, count, operand_count)) return 0;
  put(s, 0xC0394C, 3), put(s, 0x107D, 2);     // cmp rax, r8; jge behind the jump
  put(s, 0xC08348 | elements << 24, 4);       // add rax, elements
  put(s, 0xC0394C, 3), put(s, 0xC04F0F49, 4); // cmp rax, r8; cmovg rax, r8
  put(s, 0xE9, 1);                            // jmp next
  unsigned char *back = gap(s);
  fill(back, next - s->at);
  put(s, 0xD231, 2); // xor edx, edx: none are left
  fill(behind, s->at - start);
  return 1;
}

// Write code and constants, of which each fills a vector; how many bytes, -1 where memory is short.  Of each table
// there is the number of its integers; `loops` says how many elements go at once, and `slots` where the addresses of
// numbers lie.
EXPORT size machine_assembled(const step *steps, size count, const operand *operands, size operand_count,
                              const size *loops, size loop_count, const size *slots, size number_count,
                              const unsigned char *constants, size length, size itemsize, unsigned char *code) {
  state s = {code, operands, 0, 0, 1, itemsize, 1, 0, {0}};
  size needed = 0, lanes = WIDTH / itemsize;
  put(&s, 0xE5894855, 4), put(&s, 0xEC8148, 3); // push rbp; mov rbp, rsp; sub rsp, ..
  unsigned char *stack = gap(&s);
  put(&s, 0xE0E48348, 4), put(&s, 0x128B48, 3), put(&s, 0xC031, 2); // and rsp, -32; mov rdx, [rdx]; xor eax, eax
  put(&s, 0x3D8D48, 3);                                             // lea rdi, [rip + ..]
  unsigned char *table = gap(&s), *start = s.at;
  for (size k = 0; k < number_count; k++) broadcast(&s, slots[k], k);
  for (size k = 0; k < loop_count; k++) {
    s.vectors = loops[k] > lanes ? loops[k] / lanes : 1, s.is_wide = loops[k] > 1, s.stacked = number_count;
    if (!looped(&s, steps, count / 4, operand_count / 2, loops[k])) return -1;
    if (s.stacked > needed) needed = s.stacked;
  }
  put(&s, 0x77F8C5, 3), put(&s, 0xC3C9C031, 4); // vzeroupper; xor eax, eax; leave; ret
  while ((s.at - code) % WIDTH) put(&s, 0, 1);
  fill(stack, WIDTH * (needed + 1)), fill(table, s.at - start);
  for (size i = 0; i < length; i++) *s.at++ = constants[i];
  return s.at - code;
}
