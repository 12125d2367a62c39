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
