// Any map program of any types, one element a thread: every value has a slot of 16 bytes in shared memory, and each
// instruction says the types of its operands and of its result. Slower than the interpreters of one type
// (bytecode.cuh), whose parameter this shares; it runs what they cannot express.
//
// A file that includes this defines SYN_PRIMS_<type> for every type first.
#pragma once
#define SYN_PRIMS(ONE, TWO)
#define SYN_CALLED(ONE, TWO)
#include "bytecode.cuh"

namespace general {

using namespace bytecode;

constexpr int SLOT = THREADS * 16;
enum : uint32_t { CONVERT = 252, WRITE_OUT = 253 };

template <typename T> SYN_INLINE T as(uint4 v) {
    T x;
    memcpy(&x, &v, sizeof(T));
    return x;
}
template <typename T> SYN_INLINE uint4 held(T x) {
    uint4 v = make_uint4(0, 0, 0, 0);
    memcpy(&v, &x, sizeof(T));
    return v;
}

template <typename T> struct Prims;
#define SYN_ONE(code, name) case code: return held(syn::name(as<T>(a)));
#define SYN_TWO(code, name) case code: return held(syn::name(as<T>(a), as<T>(b)));
#define SYN_THREE(code, name) case code: return held(syn::name(as<T>(a), as<T>(b), as<T>(c)));
// A primitive of one type; one function out of line for each type.
#define SYN_TYPE(type, list)                                                                                     \
    template <> struct Prims<type> {                                                                             \
        using T = type;                                                                                          \
        SYN_CALL static uint4 apply(uint32_t code, uint4 a, uint4 b, uint4 c) {                                  \
            switch (code) {                                                                                      \
                list(SYN_ONE, SYN_TWO, SYN_THREE)                                                                \
                case SYN_WHERE: return as<bool>(a) ? b : c;                                                      \
            }                                                                                                    \
            return a;                                                                                            \
        }                                                                                                        \
    };
SYN_TYPE(bool, SYN_PRIMS_bool)
SYN_TYPE(int8_t, SYN_PRIMS_i8)
SYN_TYPE(int16_t, SYN_PRIMS_i16)
SYN_TYPE(int32_t, SYN_PRIMS_i32)
SYN_TYPE(int64_t, SYN_PRIMS_i64)
SYN_TYPE(uint8_t, SYN_PRIMS_u8)
SYN_TYPE(uint16_t, SYN_PRIMS_u16)
SYN_TYPE(uint32_t, SYN_PRIMS_u32)
SYN_TYPE(uint64_t, SYN_PRIMS_u64)
SYN_TYPE(float, SYN_PRIMS_f32)
SYN_TYPE(double, SYN_PRIMS_f64)
SYN_TYPE(syn::c64, SYN_PRIMS_c64)
SYN_TYPE(syn::c128, SYN_PRIMS_c128)
#undef SYN_ONE
#undef SYN_TWO
#undef SYN_THREE
#undef SYN_TYPE

SYN_INLINE uint4 apply(uint32_t code, uint8_t dtype, uint4 a, uint4 b, uint4 c) {
    switch (dtype) {
        case BOOL: return Prims<bool>::apply(code, a, b, c);
        case I8: return Prims<int8_t>::apply(code, a, b, c);
        case I16: return Prims<int16_t>::apply(code, a, b, c);
        case I32: return Prims<int32_t>::apply(code, a, b, c);
        case I64: return Prims<int64_t>::apply(code, a, b, c);
        case U8: return Prims<uint8_t>::apply(code, a, b, c);
        case U16: return Prims<uint16_t>::apply(code, a, b, c);
        case U32: return Prims<uint32_t>::apply(code, a, b, c);
        case U64: return Prims<uint64_t>::apply(code, a, b, c);
        case F32: return Prims<float>::apply(code, a, b, c);
        case F64: return Prims<double>::apply(code, a, b, c);
        case C64: return Prims<c64>::apply(code, a, b, c);
        case C128: return Prims<c128>::apply(code, a, b, c);
        default: return code == SYN_WHERE ? (as<bool>(a) ? b : c) : a;  // half types are only chosen and converted
    }
}

template <typename From> SYN_CALL uint4 converted(uint8_t to, uint4 v) {
    From x = as<From>(v);
    switch (to) {
        case BOOL: return held(cast<bool>(x));
        case I8: return held(cast<int8_t>(x));
        case I16: return held(cast<int16_t>(x));
        case I32: return held(cast<int32_t>(x));
        case I64: return held(cast<int64_t>(x));
        case U8: return held(cast<uint8_t>(x));
        case U16: return held(cast<uint16_t>(x));
        case U32: return held(cast<uint32_t>(x));
        case U64: return held(cast<uint64_t>(x));
        case F16: return held(cast<f16>(x));
        case BF16: return held(cast<bf16>(x));
        case F32: return held(cast<float>(x));
        case F64: return held(cast<double>(x));
        case C64: return held(cast<c64>(x));
        default: return held(cast<c128>(x));
    }
}
SYN_INLINE uint4 convert(uint8_t from, uint8_t to, uint4 v) {
    switch (from) {
        case BOOL: case U8: return converted<uint8_t>(to, v);
        case I8: return converted<int8_t>(to, v);
        case I16: return converted<int16_t>(to, v);
        case I32: return converted<int32_t>(to, v);
        case I64: return converted<int64_t>(to, v);
        case U16: return converted<uint16_t>(to, v);
        case U32: return converted<uint32_t>(to, v);
        case U64: return converted<uint64_t>(to, v);
        case F16: return converted<f16>(to, v);
        case BF16: return converted<bf16>(to, v);
        case F32: return converted<float>(to, v);
        case F64: return converted<double>(to, v);
        case C64: return converted<c64>(to, v);
        default: return converted<c128>(to, v);
    }
}

// Fills a whole slot: words behind a small element are zero, since values are read 16 bytes at a time.
SYN_INLINE void fetch_slot(char* to, const char* from, uint8_t dtype) {
    const int size = size_of(dtype);
    for (int k = size < 4 ? 0 : size; k < 16; k += 4) *reinterpret_cast<uint32_t*>(to + k) = 0;
    fetch_element(to, from, dtype);
}

SYN_INLINE void run(const Params& p) {
    extern __shared__ __align__(16) char memory[];
    const uint64_t first = uint64_t(blockIdx.x) * THREADS + threadIdx.x;
    const uint32_t shared = shared_address(memory), lane = threadIdx.x * 16;
    auto place = [&](uint32_t at) { return shared + (at & 0x7fffffffu) + (lane & uint32_t(int32_t(at) >> 31)); };
    const uint32_t slots = p.cell_count * 16 + lane;
    for (uint32_t c = threadIdx.x; c < p.cell_count; c += THREADS) {
        uint64_t low = p.cells[c].bits[0], high = p.cells[c].bits[1];
        put(shared + c * 16, make_uint4(uint32_t(low), uint32_t(low >> 32), uint32_t(high), uint32_t(high >> 32)));
    }
    __syncthreads();
    const bool inside = first < p.length;
    for (uint32_t i = 0; i < p.input_count; i++) {
        const Operand& o = p.inputs[i];
        const char* from = reinterpret_cast<const char*>(o.address);
        if (o.kind == SCALAR) {
            if (threadIdx.x == 0) fetch_element(memory + o.place * 16, from, o.dtype);
        } else if (inside) {
            fetch_slot(memory + slots + o.place * SLOT, from + p.offset(i, first) * int64_t(size_of(o.dtype)), o.dtype);
        }
    }
    fetched();
    __syncthreads();
    if (!inside) return;
    for (uint32_t q = 0; q < p.instructions; q++) {
        const uint32_t word = p.code[q].word, code = word & 0xff;
        const uint8_t dtype = uint8_t(word >> 8), result = uint8_t(word >> 16);
        const uint4 a = get(place(p.code[q].y));
        if (code == WRITE_OUT) {
            const Operand& o = p.outputs[word >> 24];
            char* to = reinterpret_cast<char*>(o.address) + p.offset(INPUTS + (word >> 24), first) * int64_t(size_of(dtype));
            write_element(to, reinterpret_cast<const char*>(&a), dtype);
            continue;
        }
        uint4 v;
        if (code == CONVERT) v = convert(dtype, result, a);
        else v = apply(code, dtype, a, get(place(p.code[q].z)), get(place(p.code[q].x)));
        put(shared + slots + (word >> 24) * SLOT, v);
    }
}

}  // namespace general

#define SYN_GENERAL(entry)                                                                                       \
    extern "C" __global__ void __launch_bounds__(bytecode::THREADS) entry(const __grid_constant__ bytecode::Params p) { \
        general::run(p);                                                                                         \
    }
