// Vectors of a row in registers, and cp.async copies to shared memory.
#pragma once
#include <cstdint>

#include "complex.cuh"
#include "fold.cuh"
#include "cache_hints.cuh"

namespace syntonic {

// V elements in registers, as they lie in memory.
template <class T, int V> struct RowVector {
    static constexpr int BYTES = V * sizeof(T);
    u32 word[(BYTES + 3) / 4];

    __device__ __forceinline__ T lane(int k) const {
        if constexpr (sizeof(T) == 8) {
            return syn::bits_as<T>(uint64_t((u64)word[2 * k + 1] << 32 | word[2 * k]));
        } else if constexpr (sizeof(T) == 4) {
            return syn::bits_as<T>(word[k]);
        } else if constexpr (sizeof(T) == 2) {
            return syn::bits_as<T>(uint16_t(word[k / 2] >> (16 * (k % 2))));
        } else {
            return syn::bits_as<T>(uint8_t(word[k / 4] >> (8 * (k % 4))));
        }
    }
    // Lanes are set in order.
    __device__ __forceinline__ void set(int k, T value) {
        if constexpr (sizeof(T) == 8) {
            const u64 bits = syn::bits_as<uint64_t>(value);
            word[2 * k] = (u32)bits;
            word[2 * k + 1] = (u32)(bits >> 32);
        } else if constexpr (sizeof(T) == 4) {
            word[k] = syn::bits_as<uint32_t>(value);
        } else if constexpr (sizeof(T) == 2) {
            const u32 bits = (u32)syn::bits_as<uint16_t>(value) << (16 * (k % 2));
            word[k / 2] = k % 2 == 0 ? bits : word[k / 2] | bits;
        } else {
            const u32 bits = (u32)syn::bits_as<uint8_t>(value) << (8 * (k % 4));
            word[k / 4] = k % 4 == 0 ? bits : word[k / 4] | bits;
        }
    }
    template <CacheHint HINT = CacheHint::DEFAULT> __device__ __forceinline__ void read(const void* from) {
        if constexpr (BYTES >= 16) {
#pragma unroll
            for (int k = 0; k < BYTES / 16; ++k) {
                const uint4 v = read_hinted<HINT>(static_cast<const uint4*>(from) + k);
                word[4 * k] = v.x, word[4 * k + 1] = v.y, word[4 * k + 2] = v.z, word[4 * k + 3] = v.w;
            }
        } else if constexpr (BYTES == 8) {
            const uint2 v = *static_cast<const uint2*>(from);
            word[0] = v.x, word[1] = v.y;
        } else if constexpr (BYTES == 4) {
            word[0] = *static_cast<const u32*>(from);
        } else if constexpr (BYTES == 2) {
            word[0] = *static_cast<const u16*>(from);
        } else {
            word[0] = *static_cast<const u8*>(from);
        }
    }
    template <CacheHint HINT = CacheHint::DEFAULT> __device__ __forceinline__ void write(void* to) const {
        if constexpr (BYTES >= 16) {
#pragma unroll
            for (int k = 0; k < BYTES / 16; ++k) {
                uint4* at = static_cast<uint4*>(to) + k;
                const uint4 v = make_uint4(word[4 * k], word[4 * k + 1], word[4 * k + 2], word[4 * k + 3]);
                if constexpr (HINT == CacheHint::EVICT_FIRST) __stcs(at, v);
                else *at = v;
            }
        } else if constexpr (BYTES == 8) {
            *static_cast<uint2*>(to) = make_uint2(word[0], word[1]);
        } else if constexpr (BYTES == 4) {
            *static_cast<u32*>(to) = word[0];
        } else if constexpr (BYTES == 2) {
            *static_cast<u16*>(to) = (u16)word[0];
        } else {
            *static_cast<u8*>(to) = (u8)word[0];
        }
    }
    // As `write`, to device memory alone, and always by whole vectors: the compiler splits a plain store where it cannot see that the
    // four addresses are contiguous, as behind inline assembly.
    template <CacheHint HINT = CacheHint::DEFAULT> __device__ __forceinline__ void store(void* to) const {
        if constexpr (BYTES >= 16 && HINT == CacheHint::DEFAULT) {
#pragma unroll
            for (int k = 0; k < BYTES / 16; ++k) {
                __stwb(static_cast<uint4*>(to) + k, make_uint4(word[4 * k], word[4 * k + 1], word[4 * k + 2], word[4 * k + 3]));
            }
        } else {
            write<HINT>(to);
        }
    }
};

// Copies to shared memory, asynchronously from 8.0 on.
template <int BYTES> __device__ __forceinline__ void row_copy(unsigned char* to, const void* from) {
#if __CUDA_ARCH__ >= 800
    if constexpr (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((u32)__cvta_generic_to_shared(to)), "l"(from)
                     : "memory");
        return;
    } else if constexpr (BYTES == 4 || BYTES == 8) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((u32)__cvta_generic_to_shared(to)), "l"(from),
                     "n"(BYTES)
                     : "memory");
        return;
    }
#endif
    RowVector<unsigned char, BYTES> v;
    v.read(from);
    v.write(to);
}
__device__ __forceinline__ void row_commit() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits until at most `left` of the last groups are in flight.
__device__ __forceinline__ void row_wait(u32 left) {
#if __CUDA_ARCH__ >= 800
    if (left >= 3) {
        asm volatile("cp.async.wait_group 3;" ::: "memory");
    } else if (left == 2) {
        asm volatile("cp.async.wait_group 2;" ::: "memory");
    } else if (left == 1) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
        asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
#endif
}

__device__ __forceinline__ unsigned char* row_shared() {
    extern __shared__ __align__(16) unsigned char shared[];
    return shared;
}

}  // namespace syntonic
