/* Device memory: ordinary memory that is known by its address, poisoned when it is new and when it is given back, and,
   on demand, next to a page that can neither be read nor written. */
#define _GNU_SOURCE
#include "stand_in.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

Options options = {.devices = 1, .memory = (uint64_t)8 << 30};
_Thread_local int current_device;

enum { NEW = 0xFF, OLD = 0xDB, PAGE = 4096 }; /* 0xFF.. is a NaN, -1, and more than any index */

typedef struct {
    char *start;
    size_t bytes;
    void *mapping; /* with guard pages */
    size_t mapped;
    int device;
} Block;

static Block *blocks; /* sorted by address */
static size_t count, room;
static Block freed[8192]; /* the last ones given back, so that a fault in them can be named */
static size_t times_freed;
static struct { uint64_t live, peak, allocations, frees; } statistics[DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The number of blocks that begin at or before the address. */
static size_t position(const void *address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (blocks[middle].start <= (const char *)address) low = middle + 1;
        else high = middle;
    }
    return low;
}

static Block *containing(const void *address) {
    size_t after = position(address);
    if (!after) return NULL;
    Block *block = &blocks[after - 1];
    size_t extent = block->bytes ? block->bytes : 1;
    return (const char *)address < block->start + extent ? block : NULL;
}

/* The end of the block is the end of a page (guard 1) or its start the start of one (guard 2); its alignment is what
   its size allows, so that even one byte too many faults. */
static int map_guarded(Block *block) {
    size_t alignment = block->bytes ? block->bytes & -block->bytes : 256;
    size_t used = (block->bytes + PAGE - 1) / PAGE * PAGE;
    block->mapped = used + PAGE;
    char *pages = mmap(NULL, block->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return OUT_OF_MEMORY;
    block->mapping = pages;
    if (options.guard == 2) {
        mprotect(pages, PAGE, PROT_NONE);
        block->start = pages + PAGE;
    } else {
        mprotect(pages + used, PAGE, PROT_NONE);
        block->start = pages + used - block->bytes;
        if (!block->bytes) block->start -= alignment;
    }
    return SUCCESS;
}

int memory_allocate(size_t bytes, int device, void **out) {
    Block block = {.bytes = bytes, .device = device};
    pthread_mutex_lock(&lock);
    int status = statistics[device].live + bytes > options.memory ? OUT_OF_MEMORY : SUCCESS;
    if (!status && options.guard) status = map_guarded(&block);
    else if (!status && posix_memalign((void **)&block.start, 512, bytes ? bytes : 1)) status = OUT_OF_MEMORY;
    if (!status && count == room) {
        size_t larger = room ? 2 * room : 1024;
        Block *moved = realloc(blocks, larger * sizeof *blocks);
        if (moved) blocks = moved, room = larger;
        else status = OUT_OF_MEMORY;
    }
    if (!status) {
        memset(block.start, NEW, bytes);
        size_t at = position(block.start);
        memmove(blocks + at + 1, blocks + at, (count - at) * sizeof *blocks);
        blocks[at] = block;
        count++;
        statistics[device].allocations++;
        statistics[device].live += bytes;
        if (statistics[device].live > statistics[device].peak) statistics[device].peak = statistics[device].live;
        *out = block.start;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

int memory_free(void *address) {
    if (!address) return SUCCESS;
    pthread_mutex_lock(&lock);
    Block *found = containing(address);
    int status = found && found->start == address ? SUCCESS : INVALID_VALUE;
    if (!status) {
        Block block = *found;
        size_t at = found - blocks;
        memmove(found, found + 1, (count - at - 1) * sizeof *blocks);
        count--;
        statistics[block.device].frees++;
        statistics[block.device].live -= block.bytes;
        Block *last = &freed[times_freed++ % (sizeof freed / sizeof *freed)];
        if (last->mapping) munmap(last->mapping, last->mapped); /* Linux allows a process 65,530 mappings */
        *last = block;
        if (block.mapping) {
            /* no page may take its place for long: a later read must fault.  The memory is given back. */
            mprotect(block.mapping, block.mapped, PROT_NONE);
            madvise(block.mapping, block.mapped, MADV_DONTNEED);
        } else {
            memset(block.start, OLD, block.bytes);
            free(block.start);
        }
    }
    pthread_mutex_unlock(&lock);
    return status;
}

int memory_device(const void *address) {
    pthread_mutex_lock(&lock);
    Block *block = containing(address);
    int device = block ? block->device : -1;
    pthread_mutex_unlock(&lock);
    return device;
}

size_t memory_free_bytes(int device) { return options.memory - statistics[device].live; }

/* A fault is near the end of a block, before its start, or in one that was given back. */
const char *memory_describe(const void *address, char *text, size_t size) {
    const char *at = address;
    size_t after = position(address);
    if (after && at < blocks[after - 1].start + blocks[after - 1].bytes + PAGE)
        snprintf(text, size, "%zd bytes behind the end of an allocation of %zu bytes",
                 at - blocks[after - 1].start - (ptrdiff_t)blocks[after - 1].bytes, blocks[after - 1].bytes);
    else if (after < count && at >= blocks[after].start - PAGE)
        snprintf(text, size, "%zd bytes before an allocation of %zu bytes", blocks[after].start - at,
                 blocks[after].bytes);
    else {
        snprintf(text, size, "address %p, which is not the device's", address);
        for (size_t k = 0; k < sizeof freed / sizeof *freed; k++)
            if (at >= freed[k].start && at < freed[k].start + freed[k].bytes)
                snprintf(text, size, "%zd bytes into an allocation of %zu bytes that was freed", at - freed[k].start,
                         freed[k].bytes);
    }
    return text;
}

/* ---- copies, and who is told of them ---- */

enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2, DEVICE_TO_DEVICE = 3 };

static void (*on_copy)(int kind, size_t bytes);
EXPORT void stand_in_observe_copies(void (*observer)(int, size_t)) { on_copy = observer; }

int memory_copy(void *to, const void *from, size_t bytes, int kind) {
    if (!bytes) return SUCCESS;
    int to_device = memory_device(to) >= 0, from_device = memory_device(from) >= 0;
    int actual = to_device ? (from_device ? DEVICE_TO_DEVICE : HOST_TO_DEVICE) : from_device ? DEVICE_TO_HOST : 0;
    if (kind >= HOST_TO_DEVICE && kind <= DEVICE_TO_DEVICE && kind != actual) return INVALID_VALUE;
    const char *last = (const char *)from + bytes - 1;
    if ((to_device && memory_device((char *)to + bytes - 1) < 0) || (from_device && memory_device(last) < 0))
        return INVALID_VALUE; /* it would run over the end of an allocation */
    if (on_copy && (actual == HOST_TO_DEVICE || actual == DEVICE_TO_HOST)) on_copy(actual, bytes);
    memmove(to, from, bytes);
    return SUCCESS;
}

/* live, peak, allocations, frees */
EXPORT void stand_in_memory(int device, uint64_t out[4]) { memcpy(out, &statistics[device], sizeof statistics[device]); }
EXPORT void stand_in_reset_peak(int device) { statistics[device].peak = statistics[device].live; }
EXPORT void stand_in_options(const Options *wanted) { options = *wanted; }
