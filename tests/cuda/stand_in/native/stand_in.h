/* What the parts of the stand-in's libcuda.so.1 share, and what a translated kernel sees of its launch. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))

/* CUDA's own numbers of errors (cudaError_t and CUresult agree in these). */
enum {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    INVALID_DEVICE = 101,
    NOT_FOUND = 500,
    ILLEGAL_ADDRESS = 700,
    TOO_MANY_RESOURCES = 701,
    LAUNCH_FAILED = 719,
    NOT_SUPPORTED = 801,
};

enum { DEVICES = 8, MOST_THREADS = 1024, WARP = 32 };

typedef struct { uint32_t x, y, z; } Extent;

/* Why a thread waits. */
enum Waiting { RUNNING = 0, AT_BLOCK = 1, AT_WARP = 2 };

/* Where the running thread is.  ptx/runtime.h has the same declaration: the two must not differ. */
typedef struct Place {
    Extent thread, block_size, block, grid;
    char *shared;                                             /* the block's shared memory, static part first */
    uint64_t *slots;                                          /* a word a thread: what warps and blocks exchange */
    void (*wait)(int kind, uint32_t which, uint32_t count);   /* a block's barrier and its threads; a warp's mask */
    uint32_t shared_bytes;                                    /* static and dynamic */
} Place;

/* What a compiled kernel says of itself. */
typedef struct {
    uint32_t barriers;      /* it has some: its threads must run side by side */
    uint32_t static_shared; /* bytes */
    uint32_t most_threads;  /* of its launch bounds, or 0 */
} Needs;

typedef void (*Entry)(void **parameters, Place *place);

typedef struct {
    Entry entry;
    const Needs *needs;
    uint32_t most_dynamic_shared;
    char name[];
} Kernel;

/* options.c: set from Python before the first launch */
typedef struct {
    int32_t devices;      /* how many there are */
    int32_t guard;        /* 0 none, 1 a page that cannot be read behind every allocation, 2 before it */
    uint32_t order_seed;  /* not 0: blocks and threads in a random order */
    uint64_t memory;      /* bytes that a device has */
} Options;
extern Options options;

/* memory.c */
int memory_allocate(size_t bytes, int device, void **out);
int memory_free(void *address);
int memory_device(const void *address); /* -1 where it is not a device's */
const char *memory_describe(const void *address, char *text, size_t room);
int memory_copy(void *to, const void *from, size_t bytes, int kind);
size_t memory_free_bytes(int device);

/* fibers.c */
int fibers_run_block(const Kernel *kernel, void **parameters, Place *place, const uint32_t *order);

/* launch.c */
int launch(const Kernel *kernel, Extent grid, Extent block, uint32_t dynamic_shared, void *stream, void **parameters);

extern _Thread_local int current_device;
