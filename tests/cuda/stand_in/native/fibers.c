/* The threads of a block, side by side on one thread of the CPU: each has a stack of its own (a fiber) and runs until it
   ends or reaches a barrier.  A fiber is made once and waits for its next kernel afterwards. */
#define _GNU_SOURCE
#include "stand_in.h"
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 512 << 10, PAGE = 4096 };

typedef struct {
    jmp_buf resume;
    bool made, ended;
    int waiting;
    uint32_t which, count; /* of the barrier */
} Fiber;

static Fiber fibers[MOST_THREADS];
static char *stacks;
static jmp_buf scheduler;
static ucontext_t scheduler_at_first;
static Fiber *running;
static Entry entry;
static void **arguments;
static Place *where;

/* setjmp and longjmp switch without a call of the system, which swapcontext makes each time. */
static void give_way(void) {
    if (!_setjmp(running->resume)) _longjmp(scheduler, 1);
}

static void life(void) {
    for (;;) {
        entry(arguments, where);
        running->ended = true;
        give_way();
    }
}

static void wait(int kind, uint32_t which, uint32_t count) {
    running->waiting = kind;
    running->which = which;
    running->count = count;
    give_way();
}

static void start(uint32_t index) {
    static ucontext_t context;
    if (!stacks) {
        stacks = mmap(NULL, (size_t)STACK * MOST_THREADS, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        for (int k = 0; k < MOST_THREADS; k++) mprotect(stacks + (size_t)k * STACK, PAGE, PROT_NONE);
    }
    getcontext(&context);
    context.uc_stack.ss_sp = stacks + (size_t)index * STACK + PAGE;
    context.uc_stack.ss_size = STACK - PAGE;
    context.uc_link = NULL;
    makecontext(&context, life, 0);
    fibers[index].made = true;
    swapcontext(&scheduler_at_first, &context);
}

static void run(uint32_t index) {
    Extent size = where->block_size;
    where->thread = (Extent){index % size.x, index / size.x % size.y, index / size.x / size.y};
    running = &fibers[index];
    if (_setjmp(scheduler)) return;
    if (running->made) _longjmp(running->resume, 1);
    start(index);
}

/* Whether the threads of a mask have all come: those that have ended do not count. */
static bool warp_is_complete(uint32_t first, uint32_t threads, uint32_t mask) {
    for (uint32_t lane = 0; lane < WARP && first + lane < threads; lane++) {
        const Fiber *fiber = &fibers[first + lane];
        if ((mask >> lane & 1) && !fiber->ended && (fiber->waiting != AT_WARP || fiber->which != mask)) return false;
    }
    return true;
}

static bool release_warps(uint32_t threads) {
    bool any = false;
    for (uint32_t k = 0; k < threads; k++) {
        if (fibers[k].ended || fibers[k].waiting != AT_WARP) continue;
        uint32_t first = k / WARP * WARP, mask = fibers[k].which;
        if (!warp_is_complete(first, threads, mask)) continue;
        any = true;
        for (uint32_t lane = 0; lane < WARP && first + lane < threads; lane++)
            if (mask >> lane & 1) fibers[first + lane].waiting = RUNNING;
    }
    return any;
}

/* A barrier opens when as many threads wait at it as it asks for (0: as have not ended). */
static bool release_block(uint32_t threads, uint32_t left) {
    for (uint32_t barrier = 0; barrier < 16; barrier++) {
        uint32_t waiting = 0, wanted = 0;
        for (uint32_t k = 0; k < threads; k++)
            if (!fibers[k].ended && fibers[k].waiting == AT_BLOCK && fibers[k].which == barrier)
                waiting++, wanted = fibers[k].count;
        if (!waiting || waiting < (wanted ? wanted : left)) continue;
        for (uint32_t k = 0; k < threads; k++)
            if (fibers[k].waiting == AT_BLOCK && fibers[k].which == barrier) fibers[k].waiting = RUNNING;
        return true;
    }
    return false;
}

int fibers_run_block(const Kernel *kernel, void **parameters, Place *place, const uint32_t *order) {
    uint32_t threads = place->block_size.x * place->block_size.y * place->block_size.z, left = threads;
    entry = kernel->entry, arguments = parameters, where = place;
    place->wait = wait;
    for (uint32_t k = 0; k < threads; k++) fibers[k].ended = false, fibers[k].waiting = RUNNING;
    while (left) {
        for (uint32_t k = 0; k < threads; k++) {
            Fiber *fiber = &fibers[order ? order[k] : k];
            if (fiber->ended || fiber->waiting) continue;
            run(fiber - fibers);
            left -= fiber->ended;
        }
        if (left && !release_warps(threads) && !release_block(threads, left)) {
            fprintf(stderr, "CUDA stand-in: %s: %u threads wait at a barrier that the others never reach\n",
                    kernel->name, left);
            memset(fibers, 0, sizeof fibers); /* their stacks are in the middle of the kernel */
            return LAUNCH_FAILED;
        }
    }
    return SUCCESS;
}

/* After a fault: the stacks are in the middle of a kernel. */
void fibers_forget(void) { memset(fibers, 0, sizeof fibers); }
