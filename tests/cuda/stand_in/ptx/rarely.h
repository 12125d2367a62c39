/* What few kernels need; translate.py adds this file where one of its names occurs. */

extern int fegetround(void);
extern int fesetround(int mode);
enum { RZ = 0xc00, RM = 0x400, RP = 0x800 }; /* x86's FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD */
/* An operation in another direction of rounding; the operands are volatile, so that it is not done before. */
#define ROUNDED(T, mode, operation) \
    ({ int before = fegetround(); fesetround(mode); volatile T rounded = operation; fesetround(before); rounded; })
#define OPAQUE(T, x) ({ volatile T hidden = x; hidden; })

/* min and max: a NaN loses (or wins: .NaN), and -0 < +0. */
#define LESS(a, b) ((a) < (b) || ((a) == (b) && __builtin_signbit(a)))
#define FMIN(T, a, b) ({ T p = a, q = b; p != p ? q : q != q ? p : LESS(p, q) ? p : q; })
#define FMAX(T, a, b) ({ T p = a, q = b; p != p ? q : q != q ? p : LESS(p, q) ? q : p; })
#define NANMIN(T, a, b) ({ T p = a, q = b; p != p ? p : q != q ? q : LESS(p, q) ? p : q; })
#define NANMAX(T, a, b) ({ T p = a, q = b; p != p ? p : q != q ? q : LESS(p, q) ? q : p; })
#define SATURATED(T, x) ({ T v = x; v > 0 ? (v < 1 ? v : (T)1) : (T)0; })

/* Float to integer: what does not fit becomes the nearest that does; NaN becomes 0, in 64 bits the lowest. */
#define TO_INTEGER(T, low, high, least, most, nan, x) \
    ({ f64 v = x; v != v ? (T)(nan) : v < (low) ? (T)(least) : v >= (high) ? (T)(most) : (T)v; })
/* And between integers. */
#define CLAMPED(T, least, most, x) ({ s128 v = x; v < (s128)(least) ? (T)(least) : v > (s128)(most) ? (T)(most) : (T)v; })

/* The 20 leading bits that rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 give; programs refine them. */
INLINE f64 LEADING(f64 x) { return F64(B64(x) & 0xffffffff00000000ull); }
INLINE f64 RCP_APPROX(f64 x) { return LEADING(1 / LEADING(x)); }
INLINE f64 RSQRT_APPROX(f64 x) { return LEADING(1 / __builtin_sqrt(x)); }

INLINE u16 BF16(f32 x) { /* to nearest even */
    u32 b = B32(x);
    return x != x ? 0x7fff : (u16)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

INLINE u32 CLZ32(u32 x) { return x ? __builtin_clz(x) : 32; }
INLINE u32 CLZ64(u64 x) { return x ? __builtin_clzll(x) : 64; }
INLINE u32 BREV32(u32 x) { u32 r = 0; for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i); return r; }
INLINE u64 BREV64(u64 x) { return (u64)BREV32((u32)x) << 32 | BREV32((u32)(x >> 32)); }
/* Bits p .. p + n - 1; above the width is the sign where the type has one. */
INLINE u64 BFE(u64 a, u32 p, u32 n, u32 width, int is_signed) {
    p &= 255, n &= 255;
    if (!n) return 0;
    u32 last = p + n - 1 < width - 1 ? p + n - 1 : width - 1;
    u64 negative = is_signed && (a >> last & 1), bits = p >= width ? 0 : a >> p;
    u32 have = p >= width ? 0 : (n < width - p ? n : width - p);
    u64 mask = have >= 64 ? ~0ull : (1ull << have) - 1;
    return negative ? bits | ~mask : bits & mask;
}
INLINE u64 BFI(u64 a, u64 b, u32 p, u32 n) {
    p &= 255, n &= 255;
    if (!n || p > 63) return b;
    u64 mask = (n >= 64 ? ~0ull : (1ull << n) - 1) << p;
    return (b & ~mask) | (a << p & mask);
}
INLINE u32 PRMT(u32 a, u32 b, u32 selector) {
    u64 bytes = (u64)b << 32 | a;
    u32 r = 0;
    for (int i = 0; i < 4; i++) {
        u32 k = selector >> 4 * i & 15, byte = bytes >> 8 * (k & 7) & 255;
        r |= (k & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
    }
    return r;
}
INLINE u32 LOP3(u32 a, u32 b, u32 c, u32 table) {
    u32 r = 0;
    for (int i = 0; i < 8; i++)
        if (table >> i & 1) r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return r;
}

/* ---- warps: every thread leaves a word, waits for the mask, and reads the others' ---- */

enum { AT_BLOCK = 1, AT_WARP = 2 };
enum { UP, DOWN, BUTTERFLY, INDEXED };

INLINE u32 threads(void) { return place->block_size.x * place->block_size.y * place->block_size.z; }
INLINE u32 full_mask(void) { /* the lanes that exist */
    u32 first = tid() & ~31u, left = threads() - first;
    return left >= 32 ? 0xffffffffu : (1u << left) - 1;
}
INLINE u32 SHFL(int mode, u32 value, u32 b, u32 c, u32 mask, pred *inside) {
    u32 thread = tid(), lane = thread & 31, segment = c >> 8 & 31, clamp = c & 31;
    u32 most = (lane & segment) | (clamp & ~segment), least = lane & segment, from;
    int ok;
    b &= 31;
    place->slots[thread] = value;
    place->wait(AT_WARP, mask, 0);
    switch (mode) {
    case UP: from = lane - b, ok = (s32)from >= (s32)most; break;
    case DOWN: from = lane + b, ok = from <= most; break;
    case BUTTERFLY: from = lane ^ b, ok = from <= most; break;
    default: from = least | (b & ~segment), ok = from <= most;
    }
    u32 result = (u32)place->slots[(thread & ~31u) + (ok ? from : lane)];
    place->wait(AT_WARP, mask, 0);
    *inside = ok;
    return result;
}
INLINE u32 BALLOT(pred p, u32 mask) {
    u32 thread = tid(), first = thread & ~31u, votes = 0;
    place->slots[thread] = p;
    place->wait(AT_WARP, mask, 0);
    for (u32 lane = 0; lane < 32 && first + lane < threads(); lane++)
        if (mask >> lane & 1) votes |= (u32)(place->slots[first + lane] & 1) << lane;
    place->wait(AT_WARP, mask, 0);
    return votes;
}
INLINE u32 MATCH_ANY(u64 value, u32 mask) {
    u32 thread = tid(), first = thread & ~31u, equal = 0;
    place->slots[thread] = value;
    place->wait(AT_WARP, mask, 0);
    for (u32 lane = 0; lane < 32 && first + lane < threads(); lane++)
        if (mask >> lane & 1) equal |= (u32)(place->slots[first + lane] == value) << lane;
    place->wait(AT_WARP, mask, 0);
    return equal;
}
#define REDUX(T, value, mask, combined) ({ \
    u32 first = tid() & ~31u; int any = 0; T o = 0; \
    place->slots[tid()] = (u32)(value); place->wait(AT_WARP, mask, 0); \
    for (u32 lane = 0; lane < 32 && first + lane < threads(); lane++) if ((mask) >> lane & 1) { \
        T v = (T)place->slots[first + lane]; o = any ? (combined) : v; any = 1; } \
    place->wait(AT_WARP, mask, 0); o; })
/* bar.red: how many threads of the block have a predicate. */
INLINE u32 BLOCK_COUNT(pred p, u32 which) {
    u32 count = 0;
    place->slots[tid()] = p;
    place->wait(AT_BLOCK, which, 0);
    for (u32 k = 0; k < threads(); k++) count += place->slots[k] & 1;
    place->wait(AT_BLOCK, which, 0);
    return count;
}

/* ---- functions of the device's C library ---- */

extern void *malloc(__SIZE_TYPE__);
extern void free(void *);
static void function_malloc(char *result, char *bytes) { STORE(void *, result, malloc(LOAD(u64, bytes))); }
static void function_free(char *address) { free(LOAD(void *, address)); }
static void function_vprintf(char *result, char *format, char *arguments) { STORE(u32, result, 0); }
static void function___assertfail(char *condition, char *file, char *line, char *function, char *size) {
    stand_in_trap(LOAD(char *, condition));
}
