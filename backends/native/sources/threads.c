// Threads of the library's own, for work of some tens of microseconds, in which a sleeping thread would not wake in time.
//
// Threads are started when they are first needed.  After work a thread waits SPIN nanoseconds for more, as those of
// OpenBLAS do, and then sleeps.  The caller takes pieces like all others, and waits for none that nobody has begun; where
// another thread of the program has the pool, it does all itself.
//
// Which pieces are left stands in one word, with the number of the job and the threads it is for.  Who counts `left` down
// by a compare and swap has a piece, and until all pieces are done the job stays as it is.
#define _GNU_SOURCE // of `sched_getcpu`, and threads that are kept off a core
#include "threads.h"

#include <fenv.h>
#include <stdatomic.h>

#ifdef _WIN32
#include <windows.h>

// Windows starts threads in the time of a job, and waits for at most 64 at once.
enum { MOST_THREADS = 63 };
typedef struct {
  task *run;
  void *job;
  ptrdiff_t pieces;
  _Atomic ptrdiff_t begun;
  fenv_t environment;
} work;

static void take_pieces(work *w) {
  for (ptrdiff_t piece; (piece = atomic_fetch_add(&w->begun, 1)) < w->pieces;) w->run(w->job, piece);
}

static DWORD WINAPI serve(void *of) {
  work *w = of;
  fesetenv(&w->environment);
  take_pieces(w);
  return 0;
}

void shared(task *run, void *job, ptrdiff_t pieces, ptrdiff_t threads) {
  ptrdiff_t helpers = (threads < pieces ? threads : pieces) - 1;
  HANDLE started[MOST_THREADS];
  DWORD count = 0;
  work w = {.run = run, .job = job, .pieces = pieces};
  fegetenv(&w.environment);
  for (; (ptrdiff_t)count < helpers && count < MOST_THREADS; count++)
    if (!(started[count] = CreateThread(NULL, 0, serve, &w, 0, NULL))) break;
  take_pieces(&w);
  if (count) WaitForMultipleObjects(count, started, TRUE, INFINITE);
  for (DWORD k = 0; k < count; k++) CloseHandle(started[k]);
}
#else
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 255, LEFT_BITS = 24, THREAD_BITS = 8, PAUSES = 16, STACK = 1 << 20 };
static const int64_t SPIN = 100000;

static struct {
  _Atomic uint64_t state;  // number of the job, then THREAD_BITS of helpers, then LEFT_BITS of pieces left
  _Atomic ptrdiff_t done;
  atomic_int sleeping;
  atomic_flag taken;
  ptrdiff_t started;
  task *run;
  void *job;
  ptrdiff_t pieces;
  fenv_t environment;  // the caller's rounding, and what becomes of subnormal numbers
  pthread_mutex_t lock;
  pthread_cond_t work;
  pthread_t helpers[MOST_THREADS];
  char asleep[MOST_THREADS];
#ifdef __linux__
  cpu_set_t cores;  // the caller's, under the lock
#endif
} pool = {.taken = ATOMIC_FLAG_INIT, .lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

static ptrdiff_t left_in(uint64_t state) { return state & ((1 << LEFT_BITS) - 1); }
static ptrdiff_t helpers_in(uint64_t state) { return state >> LEFT_BITS & ((1 << THREAD_BITS) - 1); }

static int is_for(ptrdiff_t helper, uint64_t state) { return left_in(state) && helper < helpers_in(state); }

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb");  // as long as a pause of x86; `yield` takes no time
#endif
}

// Take pieces until none is left.
static void help(ptrdiff_t helper, int is_caller) {
  uint64_t state = atomic_load(&pool.state);
  while (is_for(helper, state))
    if (atomic_compare_exchange_weak(&pool.state, &state, state - 1)) {
      if (!is_caller) fesetenv(&pool.environment);
      pool.run(pool.job, pool.pieces - left_in(state));
      atomic_fetch_add(&pool.done, 1);
      state = atomic_load(&pool.state);
    }
}

// Linux wakes a thread on the core of the one that wakes it, which here goes on working: for milliseconds both took longer
// than one alone.  So helpers that sleep are kept off that core until they are awake.
static void keep_off_this_core(void) {
#ifdef __linux__
  int own = sched_getcpu();
  CPU_ZERO(&pool.cores);
  if (own < 0 || own >= CPU_SETSIZE || sched_getaffinity(0, sizeof pool.cores, &pool.cores)) return;
  cpu_set_t others = pool.cores;
  CPU_CLR(own, &others);
  for (ptrdiff_t i = 0; i < pool.started && CPU_COUNT(&others); i++)
    if (pool.asleep[i]) pthread_setaffinity_np(pool.helpers[i], sizeof others, &others);
#endif
}

static void be_on_any_core(void) {
#ifdef __linux__
  if (CPU_COUNT(&pool.cores)) sched_setaffinity(0, sizeof pool.cores, &pool.cores);
#endif
}

static void *serve(void *number) {
  ptrdiff_t helper = (intptr_t)number;
  for (;;) {
    int64_t end = now() + SPIN;
    while (!is_for(helper, atomic_load(&pool.state)) && now() < end)
      for (int i = 0; i < PAUSES; i++) pause_briefly();
    if (!is_for(helper, atomic_load(&pool.state))) {
      pthread_mutex_lock(&pool.lock);
      atomic_fetch_add(&pool.sleeping, 1);
      pool.asleep[helper] = 1;
      while (!is_for(helper, atomic_load(&pool.state))) {
        pthread_cond_wait(&pool.work, &pool.lock);
        be_on_any_core();
      }
      atomic_fetch_sub(&pool.sleeping, 1);
      pool.asleep[helper] = 0;
      pthread_mutex_unlock(&pool.lock);
    }
    help(helper, 0);
  }
  return NULL;
}

// The threads of the parent do not exist in the child of a fork.
static void forget(void) {
  atomic_store(&pool.state, 0);
  atomic_store(&pool.sleeping, 0);
  atomic_flag_clear(&pool.taken);
  pool.started = 0;
  memset(pool.asleep, 0, sizeof pool.asleep);
  pool.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  pool.work = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, forget); }

// Start what is missing of some threads, for whom no signal is meant; those that there are then.
static ptrdiff_t start(ptrdiff_t helpers) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  sigset_t all, before;
  sigfillset(&all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (; pool.started < helpers; pool.started++) {
    if (pthread_create(&pool.helpers[pool.started], &attributes, serve, (void *)(intptr_t)pool.started)) break;
    pthread_detach(pool.helpers[pool.started]);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return pool.started < helpers ? pool.started : helpers;
}

void shared(task *run, void *job, ptrdiff_t pieces, ptrdiff_t threads) {
  ptrdiff_t helpers = (threads < pieces ? threads : pieces) - 1;
  if (helpers < 1 || pieces >= 1 << LEFT_BITS || atomic_flag_test_and_set(&pool.taken)) {
    for (ptrdiff_t piece = 0; piece < pieces; piece++) run(job, piece);
    return;
  }
  if (helpers > MOST_THREADS) helpers = MOST_THREADS;
  if (helpers > pool.started) helpers = start(helpers);
  pool.run = run;
  pool.job = job;
  pool.pieces = pieces;
  fegetenv(&pool.environment);
  atomic_store(&pool.done, 0);
  uint64_t number = (atomic_load(&pool.state) >> (LEFT_BITS + THREAD_BITS)) + 1;
  atomic_store(&pool.state, (number << THREAD_BITS | (uint64_t)helpers) << LEFT_BITS | (uint64_t)pieces);
  if (atomic_load(&pool.sleeping)) {
    pthread_mutex_lock(&pool.lock);
    keep_off_this_core();
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
  }
  help(-1, 1);
  for (int64_t end = now() + SPIN; atomic_load(&pool.done) < pieces;)  // those that others have begun
    if (now() < end) pause_briefly();
    else sched_yield();
  atomic_flag_clear(&pool.taken);
}
#endif
