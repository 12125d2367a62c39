// Work that is shared with threads of the library's own: `threads.c`.
#pragma once
#include <stddef.h>

typedef void task(void *job, ptrdiff_t piece);

// Run a task on the pieces 0, .., pieces - 1, by at most `threads` threads, the caller among them.
void shared(task *run, void *job, ptrdiff_t pieces, ptrdiff_t threads);
