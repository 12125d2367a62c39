// Calls of the C library on another processor: test_aarch64.py links this with it and runs it in an emulator.
//
// The arguments are an address and a file, which is mapped there as memory.  Each line of the standard input is the name
// of a function and sixteen integers or addresses, more than any function takes.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

typedef intptr_t word;
typedef void function(word, word, word, word, word, word, word, word, word, word, word, word, word, word, word, word);

#define EXPORT __attribute__((visibility("default")))

// Machine code: the loops of a plan are given by numbers, and by names in this order.
static const char *const loops[] = {"add", "subtract", "multiply", "divide", "negative", "square", "sqrt", "reciprocal"};
EXPORT void found_loops(char *code, word count, word bytes) {
  for (word i = 0; i < count; i++) {
    char name[100];
    snprintf(name, 100, "machine_%s_float64", loops[*(word *)(code + i * bytes)]);
    *(void **)(code + i * bytes) = dlsym(RTLD_DEFAULT, name);
  }
}

// One step of a repetition with the translation of its plan; `was_translated` is written where there is one.
EXPORT void repeat_translated(void **repetition, word *was_translated) {
  void *(*translated)(void *) = (void *(*)(void *))dlsym(RTLD_DEFAULT, "machine_translated");
  word (*repeat)(void **) = (word(*)(void **))dlsym(RTLD_DEFAULT, "machine_repeat");
  void *made = translated(repetition[0]);
  if (!made) return;
  *was_translated = 1, repetition[0] = made;
  *was_translated += repeat(repetition);
}

int main(int count, char **arguments) {
  struct stat file;
  int opened = count == 3 ? open(arguments[2], O_RDWR) : -1;
  if (opened < 0 || fstat(opened, &file)) return 1;
  void *address = (void *)strtoull(arguments[1], NULL, 10);
  int access = PROT_READ | PROT_WRITE;
  if (mmap(address, file.st_size, access, MAP_SHARED | MAP_FIXED_NOREPLACE, opened, 0) != address) return 2;
  char name[100];
  while (scanf("%99s", name) == 1) {
    word a[16];
    for (int k = 0; k < 16; k++)
      if (scanf("%td", &a[k]) != 1) return 3;
    function *f = (function *)dlsym(RTLD_DEFAULT, name);
    if (!f) return 4;
    f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15]);
  }
  return munmap(address, file.st_size);
}
