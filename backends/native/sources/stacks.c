// Stacks of matrices, a part of the stack a thread of the library's own.
#include <stddef.h>
#include "export.h"
#include "threads.h"

typedef void kernel(ptrdiff_t start, ptrdiff_t stop, const ptrdiff_t *arguments);
typedef struct {
  kernel *run;
  const ptrdiff_t *arguments;
  ptrdiff_t count, piece;
} stack;

static void piece_of_stack(void *of, ptrdiff_t piece) {
  stack *job = of;
  ptrdiff_t start = piece * job->piece, stop = start + job->piece;
  job->run(start, stop < job->count ? stop : job->count, job->arguments);
}

// Run a kernel of `lanes.h` on so many items, in pieces of some of them.
EXPORT void stacks_run(kernel *run, ptrdiff_t count, ptrdiff_t piece, ptrdiff_t threads, const ptrdiff_t *arguments) {
  stack job = {run, arguments, count, piece};
  shared(piece_of_stack, &job, (count + piece - 1) / piece, threads);
}
