/* The C functions that the modules of CuPy call of cupy_backends.cuda.api.runtime, by Cython's C interface: they take a
   trailing `skip_dispatch`, return None or a number, and raise through CuPy's own check_status.  runtime.py puts
   pointers to them in the places of the originals.  Everything is finished when it returns, so that streams and events
   have nothing to wait for; they are handles, an event with the time it was recorded at. */
#define _GNU_SOURCE
#include "stand_in.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of Python's headers this is all that is needed, and they are not installed everywhere. */
typedef struct _object PyObject;
extern PyObject *Py_BuildValue(const char *format, ...);
extern PyObject *PyObject_CallFunction(PyObject *callable, const char *format, ...);

static PyObject *(*check_status)(int status, int skip_dispatch);
static PyObject *pointer_attributes, *properties;

EXPORT void stand_in_python(void *check, PyObject *attributes_class, PyObject *device_properties) {
    check_status = (PyObject * (*)(int, int)) check;
    pointer_attributes = attributes_class, properties = device_properties;
}

/* None, or NULL and an exception. */
#define RETURNS_NONE EXPORT PyObject *
static PyObject *done(int status) { return check_status(status, 0); }
static intptr_t address_or_raise(int status, void *address) {
    if (status) check_status(status, 0);
    return status ? 0 : (intptr_t)address;
}
#define S int skip_dispatch
#define UNUSED(x) (void)(x), (void)skip_dispatch

/* ---- devices ---- */

EXPORT int rt_getDevice(S) { return UNUSED(0), current_device; }
EXPORT int rt_getDeviceCount(S) { return UNUSED(0), options.devices; }
EXPORT int rt_driverGetVersion(S) { return UNUSED(0), 13020; }
RETURNS_NONE rt_setDevice(int device, S) {
    UNUSED(0);
    if (device < 0 || device >= options.devices) return done(INVALID_DEVICE);
    current_device = device;
    return done(SUCCESS);
}
RETURNS_NONE rt__ensure_context(void) { return done(SUCCESS); }
RETURNS_NONE rt_deviceSynchronize(S) { return UNUSED(0), done(SUCCESS); }
RETURNS_NONE rt_deviceSetLimit(int limit, size_t value, S) { return UNUSED(limit), (void)value, done(SUCCESS); }
RETURNS_NONE rt_deviceEnablePeerAccess(int peer, S) { return UNUSED(peer), done(SUCCESS); }
RETURNS_NONE rt__deviceEnsurePeerAccess(int peer, S) { return UNUSED(peer), done(SUCCESS); }
EXPORT size_t rt_deviceGetLimit(int limit, S) { return UNUSED(limit), 8 << 20; }
EXPORT int rt_deviceCanAccessPeer(int a, int b, S) { return UNUSED(a), (void)b, 0; }
EXPORT PyObject *rt_deviceGetPCIBusId(int device, S) { return UNUSED(0), Py_BuildValue("s", device ? "1" : "0"); }
EXPORT PyObject *rt_getDeviceProperties(int device, S) { return UNUSED(device), Py_BuildValue("O", properties); }
EXPORT PyObject *rt_memGetInfo(S) {
    return UNUSED(0), Py_BuildValue("(nn)", (ptrdiff_t)memory_free_bytes(current_device), (ptrdiff_t)options.memory);
}

/* cudaDeviceAttr: an H100's. */
EXPORT int rt_deviceGetAttribute(int attribute, int device, S) {
    UNUSED(device);
    switch (attribute) {
    case 1: return 1024;              /* threads a block */
    case 2: case 3: return 1024;      /* its extents */
    case 4: return 64;
    case 5: return 0x7fffffff;        /* the grid's extents */
    case 6: case 7: return 65535;
    case 8: return 48 << 10;          /* shared memory a block */
    case 10: return WARP;
    case 12: case 82: return 65536;   /* registers a block, a multiprocessor */
    case 16: return 132;              /* multiprocessors */
    case 39: return 2048;             /* threads on one of them */
    case 75: return 9;                /* compute capability */
    case 76: return 0;
    case 81: return 228 << 10;        /* shared memory of a multiprocessor */
    case 97: return 227 << 10;        /* and of a block that asks for it */
    default: return 0;
    }
}

/* ---- memory ---- */

static intptr_t allocate(size_t bytes) {
    void *address = NULL;
    int status = memory_allocate(bytes, current_device, &address);
    return address_or_raise(status, address);
}
EXPORT intptr_t rt_malloc(size_t bytes, S) { return UNUSED(0), allocate(bytes); }
EXPORT intptr_t rt_mallocManaged(size_t bytes, S, void *flags) { return UNUSED(flags), allocate(bytes); }
EXPORT intptr_t rt_mallocAsync(size_t bytes, intptr_t stream, S) { return UNUSED(stream), allocate(bytes); }
RETURNS_NONE rt_free(intptr_t address, S) { return UNUSED(0), done(memory_free((void *)address)); }
RETURNS_NONE rt_freeAsync(intptr_t address, intptr_t stream, S) {
    return UNUSED(stream), done(memory_free((void *)address));
}

EXPORT intptr_t rt_hostAlloc(size_t bytes, unsigned flags, S) {
    void *address = NULL;
    UNUSED(flags);
    int status = posix_memalign(&address, 512, bytes ? bytes : 1) ? OUT_OF_MEMORY : SUCCESS;
    return address_or_raise(status, address);
}
RETURNS_NONE rt_freeHost(intptr_t address, S) { return UNUSED(0), free((void *)address), done(SUCCESS); }
RETURNS_NONE rt_hostRegister(intptr_t address, size_t bytes, unsigned flags, S) {
    return UNUSED(address), (void)bytes, (void)flags, done(SUCCESS);
}
RETURNS_NONE rt_hostUnregister(intptr_t address, S) { return UNUSED(address), done(SUCCESS); }

static int set(intptr_t address, int value, size_t bytes) {
    if (bytes && (memory_device((void *)address) < 0 || memory_device((char *)address + bytes - 1) < 0))
        return INVALID_VALUE;
    return memset((void *)address, value, bytes), SUCCESS;
}
RETURNS_NONE rt_memset(intptr_t address, int value, size_t bytes, S) {
    return UNUSED(0), done(set(address, value, bytes));
}
RETURNS_NONE rt_memsetAsync(intptr_t address, int value, size_t bytes, intptr_t stream, S) {
    return UNUSED(stream), done(set(address, value, bytes));
}
RETURNS_NONE rt_memcpy(intptr_t to, intptr_t from, size_t bytes, int kind, S) {
    return UNUSED(0), done(memory_copy((void *)to, (void *)from, bytes, kind));
}
RETURNS_NONE rt_memcpyAsync(intptr_t to, intptr_t from, size_t bytes, int kind, intptr_t stream, S) {
    return UNUSED(stream), done(memory_copy((void *)to, (void *)from, bytes, kind));
}
RETURNS_NONE rt_memcpyPeer(intptr_t to, int to_device, intptr_t from, int from_device, size_t bytes, S) {
    UNUSED(to_device), (void)from_device;
    return done(memory_copy((void *)to, (void *)from, bytes, 3));
}
RETURNS_NONE rt_memcpyPeerAsync(intptr_t to, int to_device, intptr_t from, int from_device, size_t bytes,
                                intptr_t stream, S) {
    UNUSED(to_device), (void)from_device, (void)stream;
    return done(memory_copy((void *)to, (void *)from, bytes, 3));
}
RETURNS_NONE rt_memcpy2D(intptr_t to, size_t to_pitch, intptr_t from, size_t from_pitch, size_t width, size_t height,
                         int kind, S) {
    UNUSED(0);
    for (size_t row = 0; row < height; row++) {
        int status = memory_copy((char *)to + row * to_pitch, (char *)from + row * from_pitch, width, kind);
        if (status) return done(status);
    }
    return done(SUCCESS);
}

EXPORT PyObject *rt_pointerGetAttributes(intptr_t address, S) {
    int device = memory_device((void *)address);
    ptrdiff_t here = (ptrdiff_t)address, none = 0;
    UNUSED(0);
    return PyObject_CallFunction(pointer_attributes, "inni", device, device < 0 ? none : here,
                                 device < 0 ? here : none, device < 0 ? 0 : 2);
}
EXPORT int rt_pointerGetMemoryType(intptr_t address, S) { return UNUSED(0), memory_device((void *)address) < 0 ? 0 : 2; }

/* ---- streams and events ---- */

typedef struct { unsigned flags; int priority; double recorded; } Handle;

static intptr_t handle(unsigned flags, int priority) {
    Handle *made = calloc(1, sizeof *made);
    made->flags = flags, made->priority = priority;
    return (intptr_t)made;
}
EXPORT intptr_t rt_streamCreate(S) { return UNUSED(0), handle(0, 0); }
EXPORT intptr_t rt_streamCreateWithFlags(unsigned flags, S) { return UNUSED(0), handle(flags, 0); }
EXPORT intptr_t rt_streamCreateWithPriority(unsigned flags, int priority, S) { return UNUSED(0), handle(flags, priority); }
EXPORT intptr_t rt_eventCreate(S) { return UNUSED(0), handle(0, 0); }
EXPORT intptr_t rt_eventCreateWithFlags(unsigned flags, S) { return UNUSED(0), handle(flags, 0); }
EXPORT unsigned rt_streamGetFlags(intptr_t stream, S) { return UNUSED(0), stream > 2 ? ((Handle *)stream)->flags : 0; }
EXPORT int rt_streamGetPriority(intptr_t stream, S) { return UNUSED(0), stream > 2 ? ((Handle *)stream)->priority : 0; }
EXPORT int rt_streamIsCapturing(intptr_t stream, S) { return UNUSED(stream), 0; }
RETURNS_NONE rt_streamDestroy(intptr_t stream, S) { return UNUSED(0), free((void *)stream), done(SUCCESS); }
RETURNS_NONE rt_streamQuery(intptr_t stream, S) { return UNUSED(stream), done(SUCCESS); }
RETURNS_NONE rt_streamSynchronize(intptr_t stream, S) { return UNUSED(stream), done(SUCCESS); }
RETURNS_NONE rt_streamWaitEvent(intptr_t stream, intptr_t event, S, void *flags) {
    return UNUSED(stream), (void)event, (void)flags, done(SUCCESS);
}
RETURNS_NONE rt_eventDestroy(intptr_t event, S) { return UNUSED(0), free((void *)event), done(SUCCESS); }
RETURNS_NONE rt_eventQuery(intptr_t event, S) { return UNUSED(event), done(SUCCESS); }
RETURNS_NONE rt_eventSynchronize(intptr_t event, S) { return UNUSED(event), done(SUCCESS); }
RETURNS_NONE rt_eventRecord(intptr_t event, intptr_t stream, S) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    ((Handle *)event)->recorded = now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
    return UNUSED(stream), done(SUCCESS);
}
EXPORT float rt_eventElapsedTime(intptr_t start, intptr_t end, S) {
    return UNUSED(0), (float)(((Handle *)end)->recorded - ((Handle *)start)->recorded);
}

/* What is not here raises cudaErrorNotSupported, instead of reaching a runtime without a driver. */
EXPORT void *stand_in_refused(void) { return done(NOT_SUPPORTED), NULL; }
