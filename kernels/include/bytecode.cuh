// Any map program in one launch: an interpreter whose accumulator is a few registers and whose other values are
// slots of shared memory that only their own thread touches.
//
// A thread serves one or two vectors of 16 bytes of the type `S` that slots hold: the type `T` that the program computes
// in, or a half type to which every step rounds. Operands of the program arrive in slots by asynchronous copies; numbers lie
// in cells that all threads read. Each instruction takes the accumulator and up to two slots or cells, and leaves its result in
// the accumulator and, where asked, in a slot or an output. crates/syntonic-cuda/src/map/code.rs mirrors the structs and
// writes the instructions.
//
// A file that includes this defines first, from prims.cuh, SYN_PRIMS and SYN_CALLED: the primitives of `T`.
#pragma once
#include "complex.cuh"
#include "integer.cuh"
#include "walk.cuh"

namespace bytecode {

using namespace syn;

constexpr int THREADS = 128;
constexpr int CODE = 64;
constexpr int INPUTS = 16;
constexpr int OUTPUTS = 8;
constexpr int CELLS = 24;

// Flags of an instruction's word, above the operation's eight bits. Bits 16-23: slot; bits 24-31: output.
enum : uint32_t { LOAD = 1 << 8, STORE = 1 << 9, WRITE = 1 << 10, TO_F16 = 1 << 11, TO_BF16 = 1 << 12 };
// Operations beside the primitives.
enum : uint32_t { MOVE = 240, REVERSED_SUBTRACT, REVERSED_DIVIDE, NON_ZERO, BOTH, EITHER, ONE_OF, NEITHER };
// What an input is: vectors, one element for a whole vector, or one element for everything.
enum : uint8_t { VECTOR = 0, SPLAT = 1, SCALAR = 2 };

// Operands are byte offsets into shared memory; the top bit marks a slot, of which each thread has its own part.
struct Instruction { uint32_t word, y, z, x; };
struct Operand {
    uint64_t address;
    uint8_t dtype, kind;
    uint16_t place;  // slot, or cell of a scalar
    uint32_t unused;
};
struct Cell { uint64_t bits[2]; };
struct Params {
    Instruction code[CODE];
    Operand inputs[INPUTS];
    Operand outputs[OUTPUTS];
    Cell cells[CELLS];
    uint64_t length;  // elements
    uint32_t instructions, input_count, cell_count;
    uint32_t elements;  // positions are single elements, not vectors
    uint32_t narrow;    // positions are below 2^31, and `divisors` serves
    uint32_t plain;     // every operand is contiguous, of the type that slots hold, and whole vectors
    walk::Divisor<uint32_t> divisors[walk::AXES];
    walk::Wide<INPUTS + OUTPUTS> walk;

    // The offset in elements of operand `k` at position `i`.
    SYN_INLINE int64_t offset(uint32_t k, uint64_t i) const {
        if (walk.axes == 1) return int64_t(i) * walk.strides[k][0];
        if (!narrow) return walk.offset(k, i);
        int64_t at = 0;
        uint32_t rest = uint32_t(i), axes = uint32_t(walk.axes);
        for (uint32_t axis = 0; axis + 1 < axes; axis++) {
            uint32_t next = divisors[axis].quotient(rest);
            at += int64_t(rest - next * divisors[axis].by) * walk.strides[k][axis];
            rest = next;
        }
        return at + int64_t(rest) * walk.strides[k][axes - 1];
    }
};
static_assert(sizeof(Params) <= 4096, "one kernel parameter");

// core's DType, in its order.
enum DType : uint8_t { BOOL, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, C64, C128 };
template <typename T> struct DTypeOf;
template <> struct DTypeOf<f16> { static constexpr uint8_t value = F16; };
template <> struct DTypeOf<bf16> { static constexpr uint8_t value = BF16; };
template <> struct DTypeOf<float> { static constexpr uint8_t value = F32; };
template <> struct DTypeOf<double> { static constexpr uint8_t value = F64; };
template <> struct DTypeOf<c64> { static constexpr uint8_t value = C64; };
template <> struct DTypeOf<c128> { static constexpr uint8_t value = C128; };
template <> struct DTypeOf<int32_t> { static constexpr uint8_t value = I32; };
template <> struct DTypeOf<int64_t> { static constexpr uint8_t value = I64; };

// Four bits each: the logarithm of the size.
SYN_INLINE int size_of(uint8_t dtype) { return 1 << ((0x433211321032100ull >> (4 * dtype)) & 15); }

SYN_INLINE uint32_t shared_address(const void* p) { return uint32_t(__cvta_generic_to_shared(p)); }

// A copy of 4, 8 or 16 bytes into shared memory that does not wait; older cards wait.
template <int BYTES> SYN_INLINE void fetch(uint32_t to, const char* from) {
#if __CUDA_ARCH__ >= 800
    if constexpr (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES) : "memory");
#else
    uint32_t v[BYTES / 4];
    for (int k = 0; k < BYTES / 4; k++) v[k] = reinterpret_cast<const uint32_t*>(from)[k];
    for (int k = 0; k < BYTES / 4; k++) asm volatile("st.shared.u32 [%0], %1;" ::"r"(to + 4 * k), "r"(v[k]) : "memory");
#endif
}
SYN_INLINE void fetched() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
SYN_INLINE void fetch_bytes(char* to, const char* from, int bytes) {
    uint32_t at = shared_address(to);
    if (bytes == 16) fetch<16>(at, from);
    else if (bytes == 8) fetch<8>(at, from);
    else if (bytes == 4) fetch<4>(at, from);
    else if (bytes == 2) *reinterpret_cast<uint16_t*>(to) = *reinterpret_cast<const uint16_t*>(from);
    else *to = *from;
}

// One element; complex numbers are at home at multiples of their parts' size.
SYN_INLINE void fetch_element(char* to, const char* from, uint8_t dtype) {
    uint32_t at = shared_address(to);
    if (dtype == C128) {
        fetch<8>(at, from);
        fetch<8>(at + 8, from + 8);
    } else if (dtype == C64) {
        fetch<4>(at, from);
        fetch<4>(at + 4, from + 4);
    } else {
        fetch_bytes(to, from, size_of(dtype));
    }
}
// Past the end a slot gets zeros, so that everything that is read was written.
SYN_INLINE void fetch_or_clear(bool there, char* to, const char* from, uint8_t dtype) {
    if (there) return fetch_element(to, from, dtype);
    for (int k = 0; k < size_of(dtype); k++) to[k] = 0;
}
SYN_INLINE void write_element(char* to, const char* from, uint8_t dtype) {
    switch (size_of(dtype)) {
        case 1: *to = *from; break;
        case 2: *reinterpret_cast<uint16_t*>(to) = *reinterpret_cast<const uint16_t*>(from); break;
        case 4: *reinterpret_cast<uint32_t*>(to) = *reinterpret_cast<const uint32_t*>(from); break;
        default: {
            const uint32_t* words = reinterpret_cast<const uint32_t*>(from);
            if (dtype == C64) {
                reinterpret_cast<uint32_t*>(to)[0] = words[0];
                reinterpret_cast<uint32_t*>(to)[1] = words[1];
            } else {
                for (int k = 0; k < size_of(dtype) / 8; k++)
                    reinterpret_cast<uint64_t*>(to)[k] = uint64_t(words[2 * k + 1]) << 32 | words[2 * k];
            }
        }
    }
}
template <typename R> SYN_INLINE typename Complexes<R>::Type complex_at(const R* at) { return {at[0], at[1]}; }

// One element of type `dtype` as a `T`.
template <typename T> SYN_CALL T read_as(const char* from, uint8_t dtype) {
    switch (dtype) {
        case BOOL: case U8: return cast<T>(*reinterpret_cast<const uint8_t*>(from));
        case I8: return cast<T>(*reinterpret_cast<const int8_t*>(from));
        case I16: return cast<T>(*reinterpret_cast<const int16_t*>(from));
        case I32: return cast<T>(*reinterpret_cast<const int32_t*>(from));
        case I64: return cast<T>(*reinterpret_cast<const int64_t*>(from));
        case U16: return cast<T>(*reinterpret_cast<const uint16_t*>(from));
        case U32: return cast<T>(*reinterpret_cast<const uint32_t*>(from));
        case U64: return cast<T>(*reinterpret_cast<const uint64_t*>(from));
        case F16: return cast<T>(*reinterpret_cast<const f16*>(from));
        case BF16: return cast<T>(*reinterpret_cast<const bf16*>(from));
        case F32: return cast<T>(*reinterpret_cast<const float*>(from));
        case F64: return cast<T>(*reinterpret_cast<const double*>(from));
        case C64: return cast<T>(complex_at(reinterpret_cast<const float*>(from)));
        default: return cast<T>(complex_at(reinterpret_cast<const double*>(from)));
    }
}
template <typename T> SYN_CALL void write_as(char* to, uint8_t dtype, T x) {
    switch (dtype) {
        case BOOL: *reinterpret_cast<bool*>(to) = cast<bool>(x); break;
        case U8: *reinterpret_cast<uint8_t*>(to) = cast<uint8_t>(x); break;
        case I8: *reinterpret_cast<int8_t*>(to) = cast<int8_t>(x); break;
        case I16: *reinterpret_cast<int16_t*>(to) = cast<int16_t>(x); break;
        case I32: *reinterpret_cast<int32_t*>(to) = cast<int32_t>(x); break;
        case I64: *reinterpret_cast<int64_t*>(to) = cast<int64_t>(x); break;
        case U16: *reinterpret_cast<uint16_t*>(to) = cast<uint16_t>(x); break;
        case U32: *reinterpret_cast<uint32_t*>(to) = cast<uint32_t>(x); break;
        case U64: *reinterpret_cast<uint64_t*>(to) = cast<uint64_t>(x); break;
        case F16: *reinterpret_cast<f16*>(to) = cast<f16>(x); break;
        case BF16: *reinterpret_cast<bf16*>(to) = cast<bf16>(x); break;
        case F32: *reinterpret_cast<float*>(to) = cast<float>(x); break;
        case F64: *reinterpret_cast<double*>(to) = cast<double>(x); break;
        case C64: {
            c64 z = cast<c64>(x);
            reinterpret_cast<float*>(to)[0] = z.re;
            reinterpret_cast<float*>(to)[1] = z.im;
            break;
        }
        default: {
            c128 z = cast<c128>(x);
            reinterpret_cast<double*>(to)[0] = z.re;
            reinterpret_cast<double*>(to)[1] = z.im;
        }
    }
}

template <typename T> constexpr int LANES = 16 / int(sizeof(T));
template <typename T> struct alignas(16) Vector { T lane[LANES<T>]; };
#define SYN_EACH _Pragma("unroll") for (int k = 0; k < WIDTH; k++)

SYN_INLINE uint4 get(uint32_t at) {
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at));
    return v;
}
SYN_INLINE void put(uint32_t at, uint4 v) {
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

// Raw elements of another type, or a single one, at the start of a vector's 16 bytes become a vector of `T`.
template <typename T> SYN_INLINE void widen_vector(char* at, uint8_t dtype, bool splat) {
    Vector<T> v;
    if (sizeof(T) == 4 && (dtype == F16 || dtype == BF16)) {
        uint2 raw = splat ? make_uint2(*reinterpret_cast<const uint16_t*>(at), 0) : *reinterpret_cast<const uint2*>(at);
#pragma unroll
        for (int k = 0; k < LANES<T>; k++) {
            uint32_t pair = k & 2 ? raw.y : raw.x;
            uint16_t bits = splat ? uint16_t(raw.x) : uint16_t(k & 1 ? pair >> 16 : pair);
            v.lane[k] = cast<T>(dtype == F16 ? widen(f16{bits}) : widen(bf16{bits}));
        }
    } else {
        int step = splat ? 0 : size_of(dtype);
#pragma unroll
        for (int k = 0; k < LANES<T>; k++) v.lane[k] = read_as<T>(at + k * step, dtype);
    }
    *reinterpret_cast<Vector<T>*>(at) = v;
}

SYN_INLINE float rounded(float x, uint32_t word) { return word & TO_F16 ? widen(to_f16(x)) : widen(to_bf16(x)); }
template <typename T> SYN_INLINE T rounded(T x, uint32_t) { return x; }
template <typename T> SYN_INLINE bool truth(T x) { return cast<bool>(x); }

// Functions of many instructions: once each, and not once per lane and operation.
#define SYN_ONE(code, name) template <typename T> SYN_CALL auto call_##name(T a) { return syn::name(a); }
#define SYN_TWO(code, name) template <typename T> SYN_CALL auto call_##name(T a, T b) { return syn::name(a, b); }
SYN_CALLED(SYN_ONE, SYN_TWO)
#undef SYN_ONE
#undef SYN_TWO

template <typename T, typename S> struct Machine {
    static constexpr int VECTORS = sizeof(S) == 2 ? 1 : 2;
    static constexpr int WIDTH = VECTORS * LANES<S>;
    static constexpr int STEP = THREADS * 16;
    static constexpr uint32_t SLOT_BYTES = VECTORS * STEP;
    using Lanes = T[WIDTH];

    const Params& p;
    char* memory;
    uint32_t own, slots, lane;  // `own`: address of this thread's part of what begins at 0
    uint64_t first;  // this thread's first vector, or first element of a series with a step of THREADS

    SYN_INLINE Machine(const Params& p, char* memory) : p(p), memory(memory) {
        // Through a shuffle, or the compiler would ask for these again at every instruction of the program.
        lane = __shfl_sync(~0u, threadIdx.x * 16, threadIdx.x & 31);
        own = __shfl_sync(~0u, shared_address(memory) + threadIdx.x * 16, threadIdx.x & 31);
        slots = p.cell_count * 16;
        first = uint64_t(blockIdx.x) * (THREADS * VECTORS * (p.elements ? LANES<S> : 1)) + threadIdx.x;
    }

    // Where part `e` of the thread's share of a slot begins, and its address.
    SYN_INLINE char* share(uint32_t slot, int e) const { return memory + slots + lane + slot * SLOT_BYTES + e * STEP; }
    SYN_INLINE uint32_t part(uint32_t slot, int e) const { return own + slots + slot * SLOT_BYTES + e * STEP; }
    SYN_INLINE uint64_t element(int e, int j) const { return first + (e * LANES<S> + j) * THREADS; }
    SYN_INLINE uint64_t vector(int e) const { return first + e * THREADS; }
    SYN_INLINE bool is_whole(uint64_t at) const { return (at + 1) * LANES<S> <= p.length; }

    // Brings one input into its slot.
    SYN_INLINE void fetch_input(uint32_t i, const Operand& o) const {
        const char* from = reinterpret_cast<const char*>(o.address);
        int size = size_of(o.dtype);
#pragma unroll
        for (int e = 0; e < VECTORS; e++) {
            char* to = share(o.place, e);
            if (p.elements) {
#pragma unroll 1
                for (int j = 0; j < LANES<S>; j++) {
                    uint64_t at = element(e, j);
                    fetch_or_clear(at < p.length, to + j * size, from + p.offset(i, at) * int64_t(size), o.dtype);
                }
            } else {
                uint64_t at = vector(e);
                const char* source = from + p.offset(i, at) * int64_t(size);
                if (is_whole(at)) {
                    if (o.dtype == DTypeOf<S>::value && o.kind == VECTOR) fetch<16>(part(o.place, e), source);
                    else if (o.kind == SPLAT || size * LANES<S> >= 4) fetch_bytes(to, source, o.kind == SPLAT ? size : size * LANES<S>);
                    else for (int j = 0; j < LANES<S>; j++) fetch_bytes(to + j * size, source + j * size, size);
                } else {
                    for (int j = 0; j < LANES<S>; j++) fetch_or_clear(at * LANES<S> + j < p.length, to + j * size, source + j * size, o.dtype);
                }
            }
        }
    }

    // One element for a whole vector, or elements of another type, become what slots hold.
    SYN_INLINE void settle(const Operand& o) const {
#pragma unroll 1
        for (int e = 0; e < VECTORS; e++) {
            char* start = share(o.place, e);
            if constexpr (sizeof(S) == sizeof(T)) {
                widen_vector<T>(start, o.dtype, o.kind == SPLAT);
            } else {
                const uint32_t half = *reinterpret_cast<const uint16_t*>(start) * 0x10001u;
                *reinterpret_cast<uint4*>(start) = make_uint4(half, half, half, half);
            }
        }
    }

    // Fills slots with operands of any kind.
    SYN_INLINE void begin_any() const {
        for (uint32_t i = 0; i < p.input_count; i++) {
            const Operand& o = p.inputs[i];
            if (o.kind != SCALAR) fetch_input(i, o);
            else if (threadIdx.x == 0) {
                T x = read_as<T>(reinterpret_cast<const char*>(o.address), o.dtype);
                Vector<T> v;
                for (int k = 0; k < LANES<T>; k++) v.lane[k] = x;
                *reinterpret_cast<Vector<T>*>(memory + o.place * 16) = v;
            }
        }
        fetched();
        for (uint32_t i = 0; i < p.input_count; i++) {
            const Operand& o = p.inputs[i];
            if (o.kind == SPLAT || (o.kind == VECTOR && o.dtype != DTypeOf<S>::value)) settle(o);
        }
    }

    // Fills cells and slots.
    SYN_INLINE void begin() const {
        if (p.plain) {
            const uint64_t at = first * 16;
            for (uint32_t i = 0; i < p.input_count; i++) {
                const char* from = reinterpret_cast<const char*>(p.inputs[i].address) + at;
                const uint32_t to = part(p.inputs[i].place, 0);
#pragma unroll
                for (int e = 0; e < VECTORS; e++)
                    if (is_whole(vector(e))) fetch<16>(to + e * STEP, from + e * STEP);
                    else put(to + e * STEP, make_uint4(0, 0, 0, 0));
            }
        }
        for (uint32_t c = threadIdx.x; c < p.cell_count; c += THREADS) {
            uint64_t low = p.cells[c].bits[0], high = p.cells[c].bits[1];
            put(own - lane + c * 16, make_uint4(uint32_t(low), uint32_t(low >> 32), uint32_t(high), uint32_t(high >> 32)));
        }
        __syncthreads();
        if (p.plain) return fetched();
        begin_any();
        __syncthreads();
    }

    // Writes the accumulator to output `k`, of any kind.
    SYN_INLINE void write_any(uint32_t k, const Lanes& a) const {
        const Operand& o = p.outputs[k];
        char* base = reinterpret_cast<char*>(o.address);
        int size = size_of(o.dtype);
#pragma unroll
        for (int e = 0; e < VECTORS; e++) {
            if (p.elements) {
#pragma unroll
                for (int j = 0; j < LANES<S>; j++) {
                    uint64_t at = element(e, j);
                    if (at < p.length) write_as<T>(base + p.offset(INPUTS + k, at) * int64_t(size), o.dtype, a[e * LANES<S> + j]);
                }
            } else {
                uint64_t at = vector(e);
                char* to = base + p.offset(INPUTS + k, at) * int64_t(size);
                if (is_whole(at) && o.dtype == DTypeOf<S>::value) {
                    *reinterpret_cast<uint4*>(to) = held(a, e);
                } else {
#pragma unroll
                    for (int j = 0; j < LANES<S>; j++)
                        if (at * LANES<S> + j < p.length) write_as<T>(to + j * size, o.dtype, a[e * LANES<S> + j]);
                }
            }
        }
    }

    SYN_INLINE void write(uint32_t k, const Lanes& a) const {
        if (!p.plain) return write_any(k, a);
        char* to = reinterpret_cast<char*>(p.outputs[k].address) + first * 16;
#pragma unroll
        for (int e = 0; e < VECTORS; e++)
            if (is_whole(vector(e))) *reinterpret_cast<uint4*>(to + e * STEP) = held(a, e);
    }

    // Part `e` of a value as slots hold it.
    SYN_INLINE static uint4 held(const Lanes& a, int e) {
        Vector<S> v;
#pragma unroll
        for (int j = 0; j < LANES<S>; j++) {
            if constexpr (sizeof(S) == sizeof(T)) v.lane[j] = a[e * LANES<S> + j];
            else v.lane[j] = cast<S>(a[e * LANES<S> + j]);
        }
        return bits_as<uint4>(v);
    }

    // A slot, or a cell repeated.
    SYN_INLINE void read(uint32_t place, Lanes& v) const {
        const uint32_t slot = uint32_t(int32_t(place) >> 31);
        const uint32_t at = own + (place & 0x7fffffffu) - (lane & ~slot);
        if constexpr (sizeof(S) != sizeof(T)) {
            uint4 raw = get(at);
            if (!slot) {
                SYN_EACH v[k] = bits_as<T>(raw.x);
                return;
            }
            Vector<S> loaded = bits_as<Vector<S>>(raw);
            SYN_EACH v[k] = cast<T>(loaded.lane[k]);
        } else {
#pragma unroll
            for (int e = 0; e < VECTORS; e++) {
                Vector<T> loaded = bits_as<Vector<T>>(get(at + e * (slot & STEP)));
#pragma unroll
                for (int j = 0; j < LANES<T>; j++) v[e * LANES<T> + j] = loaded.lane[j];
            }
        }
    }

    SYN_INLINE void store(uint32_t slot, const Lanes& a) const {
#pragma unroll
        for (int e = 0; e < VECTORS; e++) put(part(slot, e), held(a, e));
    }

    SYN_INLINE void run() const {
        Lanes a = {};
        for (uint32_t q = 0; q < p.instructions; q++) {
            const Instruction i = p.code[q];
            Lanes y;
            if (i.word & LOAD) read(i.x, a);
            read(i.y, y);
            step(i.word, i.z, a, y);
            if (i.word & (STORE | WRITE | TO_F16 | TO_BF16)) {
                if (i.word & (TO_F16 | TO_BF16)) round_lanes(i.word, a);
                if (i.word & STORE) store((i.word >> 16) & 0xff, a);
                if (i.word & WRITE) write(i.word >> 24, a);
            }
        }
    }

    SYN_INLINE static void round_lanes(uint32_t word, Lanes& a) {
        if constexpr (sizeof(S) != sizeof(T)) SYN_EACH a[k] = cast<T>(cast<S>(a[k]));
        else SYN_EACH a[k] = rounded(a[k], word);
    }

    SYN_INLINE void step(uint32_t word, uint32_t third, Lanes& a, const Lanes& y) const {
        switch (word & 0xff) {
#define SYN_ONE(code, name) case code: SYN_EACH a[k] = cast<T>(syn::name(a[k])); break;
#define SYN_TWO(code, name) case code: SYN_EACH a[k] = cast<T>(syn::name(a[k], y[k])); break;
#define SYN_ONE_CALLED(code, name) case code: SYN_EACH a[k] = cast<T>(call_##name<T>(a[k])); break;
#define SYN_TWO_CALLED(code, name) case code: SYN_EACH a[k] = cast<T>(call_##name<T>(a[k], y[k])); break;
            SYN_PRIMS(SYN_ONE, SYN_TWO)
            SYN_CALLED(SYN_ONE_CALLED, SYN_TWO_CALLED)
#undef SYN_ONE
#undef SYN_TWO
#undef SYN_ONE_CALLED
#undef SYN_TWO_CALLED
            case SYN_WHERE: {
                Lanes z;
                read(third, z);
                SYN_EACH a[k] = truth(a[k]) ? y[k] : z[k];
                break;
            }
#ifdef SYN_REAL_FLOAT
            case SYN_FMA: {
                Lanes z;
                read(third, z);
                SYN_EACH a[k] = syn::fma(a[k], y[k], z[k]);
                break;
            }
#endif
#ifdef SYN_DIVIDES
            case REVERSED_DIVIDE: SYN_EACH a[k] = syn::divide(y[k], a[k]); break;
#endif
            case MOVE: SYN_EACH a[k] = y[k]; break;
            case REVERSED_SUBTRACT: SYN_EACH a[k] = syn::subtract(y[k], a[k]); break;
            case NON_ZERO: SYN_EACH a[k] = cast<T>(truth(a[k])); break;
            case BOTH: SYN_EACH a[k] = cast<T>(truth(a[k]) && truth(y[k])); break;
            case EITHER: SYN_EACH a[k] = cast<T>(truth(a[k]) || truth(y[k])); break;
            case ONE_OF: SYN_EACH a[k] = cast<T>(truth(a[k]) != truth(y[k])); break;
            case NEITHER: SYN_EACH a[k] = cast<T>(!truth(a[k])); break;
        }
    }
};

template <typename T, typename S> SYN_INLINE void interpret(const Params& p) {
    extern __shared__ __align__(16) char memory[];
    Machine<T, S> machine(p, memory);
    machine.begin();
    machine.run();
}

}  // namespace bytecode

// The interpreter of a compute type `T` whose slots hold `S`, with at least `BLOCKS` blocks on a multiprocessor.
#define SYN_BYTECODE(T, S, BLOCKS, entry)                                                                        \
    extern "C" __global__ void __launch_bounds__(bytecode::THREADS, BLOCKS) entry(const __grid_constant__ bytecode::Params p) { \
        bytecode::interpret<T, S>(p);                                                                            \
    }
