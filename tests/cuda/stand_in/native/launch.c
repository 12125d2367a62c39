/* A launch: CUDA's limits, then one block after the other, in order or in a random one.  A fault ends the launch with
   CUDA's error and a line that names the kernel and the place. */
#define _GNU_SOURCE
#include "stand_in.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void fibers_forget(void);

enum { PAGE = 4096, LARGEST_SHARED = 227 << 10, SHARED_WITHOUT_ASKING = 48 << 10 };

static uint64_t launches, launches_with_barriers;
static void (*on_launch)(const char *name, const uint32_t extents[6], uint32_t shared, void *stream);
EXPORT void stand_in_observe_launches(void (*observer)(const char *, const uint32_t *, uint32_t, void *)) {
    on_launch = observer;
}
EXPORT void stand_in_launches(uint64_t out[2]) { out[0] = launches, out[1] = launches_with_barriers; }

/* ---- faults ---- */

static sigjmp_buf before;
static volatile sig_atomic_t inside;
static void *fault_address;
static struct sigaction segv_outside, bus_outside, fpe_outside;

static void on_fault(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (!inside) { /* not ours: the next try of the same instruction is answered as before */
        sigaction(signal, signal == SIGSEGV ? &segv_outside : signal == SIGBUS ? &bus_outside : &fpe_outside, NULL);
        return;
    }
    inside = 0;
    fault_address = info->si_addr;
    siglongjmp(before, signal);
}

static void watch(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &segv_outside);
    sigaction(SIGBUS, &action, &bus_outside);
    sigaction(SIGFPE, &action, &fpe_outside);
    inside = 1;
}

static void stop_watching(void) {
    inside = 0;
    sigaction(SIGSEGV, &segv_outside, NULL);
    sigaction(SIGBUS, &bus_outside, NULL);
    sigaction(SIGFPE, &fpe_outside, NULL);
}

/* A trap of the kernel, as after a failed assertion. */
EXPORT void stand_in_trap(const char *why) {
    fprintf(stderr, "CUDA stand-in: %s\n", why);
    raise(SIGFPE);
}

/* ---- shared memory: as much as was asked for, with nothing readable behind ---- */

static char *shared_memory(uint32_t bytes) {
    static char *pages;
    enum { ROOM = (LARGEST_SHARED + PAGE - 1) / PAGE * PAGE };
    if (!pages) {
        pages = mmap(NULL, ROOM + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(pages + ROOM, PAGE, PROT_NONE);
    }
    return pages + ROOM - (bytes + 15) / 16 * 16;
}

/* ---- order ---- */

static uint64_t random_state;
static uint32_t draw(uint32_t below) { /* splitmix64 */
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32) % below;
}

static void shuffle(uint32_t *order, uint32_t length) {
    for (uint32_t k = 0; k < length; k++) order[k] = k;
    for (uint32_t k = length - 1; k > 0; k--) {
        uint32_t other = draw(k + 1), kept = order[k];
        order[k] = order[other], order[other] = kept;
    }
}

static int run_block(const Kernel *kernel, void **parameters, Place *place) {
    uint32_t threads = place->block_size.x * place->block_size.y * place->block_size.z;
    static uint32_t order[MOST_THREADS];
    if (options.order_seed) shuffle(order, threads);
    memset(place->shared, 0xFF, place->shared_bytes);
    if (kernel->needs->barriers)
        return fibers_run_block(kernel, parameters, place, options.order_seed ? order : NULL);
    for (uint32_t k = 0; k < threads; k++) {
        uint32_t index = options.order_seed ? order[k] : k;
        Extent size = place->block_size;
        place->thread = (Extent){index % size.x, index / size.x % size.y, index / size.x / size.y};
        kernel->entry(parameters, place);
    }
    return SUCCESS;
}

static int run_grid(const Kernel *kernel, void **parameters, Place *place) {
    Extent grid = place->grid;
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    uint32_t *order = NULL;
    if (options.order_seed && blocks < (1 << 20) && (order = malloc(blocks * sizeof *order))) {
        random_state = options.order_seed++;
        shuffle(order, (uint32_t)blocks);
    }
    int status = SUCCESS;
    for (uint64_t k = 0; k < blocks && !status; k++) {
        uint64_t index = order ? order[k] : k;
        place->block = (Extent){index % grid.x, index / grid.x % grid.y, index / grid.x / grid.y};
        status = run_block(kernel, parameters, place);
    }
    free(order);
    return status;
}

static int beyond_limits(const Kernel *kernel, Extent grid, Extent block, uint32_t dynamic_shared) {
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (!threads || threads > MOST_THREADS || block.x > 1024 || block.y > 1024 || block.z > 64) return INVALID_VALUE;
    if (!grid.x || !grid.y || !grid.z || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535) return INVALID_VALUE;
    if (kernel->needs->most_threads && threads > kernel->needs->most_threads) return TOO_MANY_RESOURCES;
    uint32_t shared = kernel->needs->static_shared + dynamic_shared;
    uint32_t most = kernel->most_dynamic_shared ? kernel->needs->static_shared + kernel->most_dynamic_shared
                                                : SHARED_WITHOUT_ASKING;
    return shared > most || shared > LARGEST_SHARED ? INVALID_VALUE : SUCCESS;
}

int launch(const Kernel *kernel, Extent grid, Extent block, uint32_t dynamic_shared, void *stream, void **parameters) {
    static uint64_t slots[MOST_THREADS];
    int status = beyond_limits(kernel, grid, block, dynamic_shared);
    if (status) return status;
    if (on_launch)
        on_launch(kernel->name, (uint32_t[]){grid.x, grid.y, grid.z, block.x, block.y, block.z}, dynamic_shared, stream);
    launches++;
    launches_with_barriers += kernel->needs->barriers;
    uint32_t shared_bytes = kernel->needs->static_shared + dynamic_shared;
    Place place = {.block_size = block, .grid = grid, .slots = slots, .shared_bytes = shared_bytes};
    place.shared = shared_memory(shared_bytes);
    int signal = sigsetjmp(before, 1);
    if (!signal) {
        watch();
        status = run_grid(kernel, parameters, &place);
    } else {
        char text[200] = "a trap";
        if (signal != SIGFPE) memory_describe(fault_address, text, sizeof text);
        fprintf(stderr, "CUDA stand-in: %s, block (%u, %u, %u), thread (%u, %u, %u): %s\n", kernel->name, place.block.x,
                place.block.y, place.block.z, place.thread.x, place.thread.y, place.thread.z, text);
        fibers_forget();
        status = signal == SIGFPE ? LAUNCH_FAILED : ILLEGAL_ADDRESS;
    }
    stop_watching();
    return status;
}
