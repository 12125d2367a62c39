/* What every translated kernel begins with: PTX's types, its memory, and its arithmetic where C's differs.
   A register is an unsigned integer of its width; F32, F64, F16 and B32, B64, B16 read and make its bits. */
typedef __UINT8_TYPE__ u8; typedef __UINT16_TYPE__ u16; typedef __UINT32_TYPE__ u32; typedef __UINT64_TYPE__ u64;
typedef __INT8_TYPE__ s8; typedef __INT16_TYPE__ s16; typedef __INT32_TYPE__ s32; typedef __INT64_TYPE__ s64;
typedef _Float16 f16; typedef float f32; typedef double f64; typedef u8 pred;
typedef unsigned __int128 u128; typedef __int128 s128;
#define INLINE static inline __attribute__((always_inline))
#define EXPORT __attribute__((visibility("default")))

/* As in native/stand_in.h. */
typedef struct { u32 x, y, z; } Extent;
typedef struct Place {
    Extent thread, block_size, block, grid;
    char *shared;
    u64 *slots;
    void (*wait)(int kind, u32 which, u32 count);
    u32 shared_bytes;
} Place;
typedef struct { u32 barriers, static_shared, most_threads; } Needs;
static Place *place;

extern void stand_in_trap(const char *why);

INLINE f64 F64(u64 x) { f64 r; __builtin_memcpy(&r, &x, 8); return r; }
INLINE u64 B64(f64 x) { u64 r; __builtin_memcpy(&r, &x, 8); return r; }
INLINE f32 F32(u32 x) { f32 r; __builtin_memcpy(&r, &x, 4); return r; }
INLINE u32 B32(f32 x) { u32 r; __builtin_memcpy(&r, &x, 4); return r; }
INLINE f16 F16(u16 x) { f16 r; __builtin_memcpy(&r, &x, 2); return r; }
INLINE u16 B16(f16 x) { u16 r; __builtin_memcpy(&r, &x, 2); return r; }

/* .ftz: a subnormal is a zero of its sign, as an operand and as a result. */
INLINE f32 FTZ(f32 x) { return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0, x) : x; }

#define LOAD(T, a) ({ T loaded; __builtin_memcpy(&loaded, (void *)(a), sizeof loaded); loaded; })
#define STORE(T, a, v) do { T stored = (T)(v); __builtin_memcpy((void *)(a), &stored, sizeof stored); } while (0)

/* Shifts by the width and more give 0, or the sign. */
#define SHL(T, a, n) ((u32)(n) >= 8 * sizeof(T) ? (T)0 : (T)((T)(a) << (u32)(n)))
#define SHRU(T, a, n) ((u32)(n) >= 8 * sizeof(T) ? (T)0 : (T)((T)(a) >> (u32)(n)))
#define SHRS(T, a, n) ((T)((T)(a) >> ((u32)(n) >= 8 * sizeof(T) ? 8 * sizeof(T) - 1 : (u32)(n))))

INLINE u32 tid(void) {
    return place->thread.x + place->block_size.x * (place->thread.y + place->block_size.y * place->thread.z);
}
