/* The functions of the driver that CuPy finds by name in libcuda.so.1.  A module is a shared object of translated
   kernels (compiler.py); its image is the object's file, with its length before it. */
#define _GNU_SOURCE
#include "stand_in.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DRIVER EXPORT int

/* What a library does where it has nothing to do. */
EXPORT int stand_in_nothing(void) { return SUCCESS; }

DRIVER cuInit(unsigned flags) { return (void)flags, SUCCESS; }
DRIVER cuDriverGetVersion(int *version) { return *version = 13020, SUCCESS; }
DRIVER cuGetErrorName(int error, const char **name) {
    *name = error == NOT_FOUND            ? "CUDA_ERROR_NOT_FOUND"
            : error == INVALID_VALUE      ? "CUDA_ERROR_INVALID_VALUE"
            : error == ILLEGAL_ADDRESS    ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : error == TOO_MANY_RESOURCES ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
            : error == LAUNCH_FAILED      ? "CUDA_ERROR_LAUNCH_FAILED"
            : error == NOT_SUPPORTED      ? "CUDA_ERROR_NOT_SUPPORTED"
                                          : "CUDA_ERROR_UNKNOWN";
    return SUCCESS;
}
DRIVER cuGetErrorString(int error, const char **text) {
    *text = error == ILLEGAL_ADDRESS ? "the kernel read or wrote what it must not (see stderr)" : "refused by the stand-in";
    return SUCCESS;
}

DRIVER cuDeviceGetCount(int *count) { return *count = options.devices, SUCCESS; }

/* NVRTC asks for it whenever it finds a libcuda.so.1, and crashes where it is missing. */
DRIVER cuGetExportTable(const void **table, const void *id) { return (void)id, *table = NULL, NOT_FOUND; }

/* ---- contexts: one a device, its number the handle ---- */

static void *context_of(int device) { return (void *)(intptr_t)(device + 1); }
DRIVER cuCtxGetCurrent(void **context) { return *context = context_of(current_device), SUCCESS; }
DRIVER cuCtxSetCurrent(void *context) { return current_device = (int)(intptr_t)context - 1, SUCCESS; }
DRIVER cuCtxGetDevice(int *device) { return *device = current_device, SUCCESS; }
DRIVER cuCtxCreate(void **context, unsigned flags, int device) {
    return (void)flags, *context = context_of(device), SUCCESS;
}
DRIVER cuCtxCreate_v2(void **context, unsigned flags, int device) { return cuCtxCreate(context, flags, device); }
DRIVER cuCtxDestroy(void *context) { return (void)context, SUCCESS; }
DRIVER cuCtxDestroy_v2(void *context) { return (void)context, SUCCESS; }
DRIVER cuDevicePrimaryCtxRelease(int device) { return (void)device, SUCCESS; }
DRIVER cuStreamGetCtx(void *stream, void **context) { return (void)stream, cuCtxGetCurrent(context); }

/* ---- modules ---- */

DRIVER cuModuleLoad(void **module, const char *path) {
    *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (*module) return SUCCESS;
    fprintf(stderr, "CUDA stand-in: %s\n", dlerror());
    return NOT_FOUND;
}

DRIVER cuModuleLoadData(void **module, const void *image) {
    uint64_t length;
    memcpy(&length, image, sizeof length);
    char path[] = "/tmp/stand-in-kernel-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) return OUT_OF_MEMORY;
    int whole = write(file, (const char *)image + sizeof length, length) == (ssize_t)length;
    close(file);
    int status = whole ? cuModuleLoad(module, path) : OUT_OF_MEMORY;
    unlink(path);
    return status;
}

DRIVER cuModuleUnload(void *module) { return (void)module, SUCCESS; }

static void *symbol_of(void *module, const char *prefix, const char *name) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s", prefix, name);
    return dlsym(module, text);
}

DRIVER cuModuleGetFunction(void **function, void *module, const char *name) {
    Entry entry = (Entry)symbol_of(module, "entry_", name);
    const Needs *needs = symbol_of(module, "needs_", name);
    if (!entry || !needs) return NOT_FOUND;
    Kernel *kernel = calloc(1, sizeof *kernel + strlen(name) + 1);
    kernel->entry = entry, kernel->needs = needs;
    strcpy(kernel->name, name);
    return *function = kernel, SUCCESS;
}

DRIVER cuModuleGetGlobal(void **address, size_t *bytes, void *module, const char *name) {
    *address = symbol_of(module, "global_", name), *bytes = 0;
    return *address ? SUCCESS : NOT_FOUND;
}

/* ---- functions and launches ---- */

enum { MAX_THREADS_PER_BLOCK = 0, SHARED_SIZE_BYTES = 1, MAX_DYNAMIC_SHARED_SIZE_BYTES = 8 };

DRIVER cuFuncGetAttribute(int *value, int attribute, void *function) {
    const Kernel *kernel = function;
    uint32_t bound = kernel->needs->most_threads;
    *value = attribute == MAX_THREADS_PER_BLOCK           ? (int)(bound ? bound : MOST_THREADS)
             : attribute == SHARED_SIZE_BYTES             ? (int)kernel->needs->static_shared
             : attribute == MAX_DYNAMIC_SHARED_SIZE_BYTES ? (int)kernel->most_dynamic_shared
                                                          : 0;
    return SUCCESS;
}
DRIVER cuFuncSetAttribute(void *function, int attribute, int value) {
    if (attribute == MAX_DYNAMIC_SHARED_SIZE_BYTES) ((Kernel *)function)->most_dynamic_shared = value;
    return SUCCESS;
}
DRIVER cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
    return (void)function, (void)shared, *blocks = 2048 / (threads > 0 ? threads : 1), SUCCESS;
}
DRIVER cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *function, void *shared_of, size_t shared, int most) {
    (void)function, (void)shared_of, (void)shared;
    return *grid = 8, *block = most && most < 256 ? most : 256, SUCCESS;
}
DRIVER cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned shared, void *stream, void **parameters, void **extra) {
    (void)extra;
    return launch(function, (Extent){gx, gy, gz}, (Extent){bx, by, bz}, shared, stream, parameters);
}

/* Blocks run one after the other: a barrier of the whole grid cannot be kept, so a kernel that wants one is refused. */
DRIVER cuLaunchCooperativeKernel(void) { return NOT_SUPPORTED; }

/* Linking of device code is not needed: NVRTC gives whole programs. */
DRIVER cuLinkCreate(void) { return NOT_SUPPORTED; }
DRIVER cuLinkCreate_v2(void) { return NOT_SUPPORTED; }
DRIVER cuLinkAddData(void) { return NOT_SUPPORTED; }
DRIVER cuLinkAddData_v2(void) { return NOT_SUPPORTED; }
DRIVER cuLinkAddFile(void) { return NOT_SUPPORTED; }
DRIVER cuLinkAddFile_v2(void) { return NOT_SUPPORTED; }
DRIVER cuLinkComplete(void) { return NOT_SUPPORTED; }
DRIVER cuLinkDestroy(void) { return NOT_SUPPORTED; }
