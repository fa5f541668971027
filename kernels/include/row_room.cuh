// How the threads of a row join what they have folded: lanes of a warp, warps of a block, blocks of a cluster.
#pragma once
#include "row_vector.cuh"

namespace syntonic {

__device__ __forceinline__ u32 cluster_rank() {
    u32 rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}
__device__ __forceinline__ void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ void cluster_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

// Where the warps of a row's threads exchange what they have gathered. A pass takes one of two halves, so that
// one barrier is enough: a warp that is a pass ahead writes into the other.
template <int BYTES> struct RowRoom {
    unsigned char* here;
    u32 threads;
    u32 blocks;
    u32 rank;
    u32 warps;  // of the row, in all its blocks
    u32 across;
    u32 half;

    // After a pass.
    __device__ __forceinline__ void next() { half ^= 1; }
    __device__ __forceinline__ bool alone() const { return !across && threads <= 32 && blocks == 1; }
    // Lanes of a warp that share a row.
    __device__ __forceinline__ u32 lanes() const { return across ? 1 : threads < 32 ? threads : 32; }
    __device__ __forceinline__ unsigned char* entry(u32 warp) const {
        return here + (half * (across ? blockDim.x : warps) + warp) * BYTES;
    }
    template <int AT, class Acc> __device__ __forceinline__ void put(Acc a) const {
        if (across) *reinterpret_cast<Acc*>(entry(threadIdx.x) + AT) = a;
        if (across || alone()) return;
        const u32 lane = threadIdx.x & 31;
        unsigned char* mine = entry(rank * (threads >> 5) + (threadIdx.x >> 5)) + AT;
        if (blocks == 1) {
            if (lane == 0) *reinterpret_cast<Acc*>(mine) = a;
        } else {
#if __CUDA_ARCH__ >= 900
            if (lane < blocks) {
                RowVector<unsigned char, (sizeof(Acc) + 3) / 4 * 4> bits{};
                memcpy(bits.word, &a, sizeof(Acc));
                u32 there;
                asm("mapa.shared::cluster.u32 %0, %1, %2;"
                    : "=r"(there)
                    : "r"((u32)__cvta_generic_to_shared(mine)), "r"(lane));
#pragma unroll
                for (int k = 0; k < (int)sizeof(bits.word) / 4; ++k) {
                    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there + 4 * k), "r"(bits.word[k]) : "memory");
                }
            }
#endif
        }
    }
    __device__ __forceinline__ void meet() const {
        if (alone()) return;
        if (blocks == 1) {
            __syncthreads();
        } else {
            cluster_arrive();
            cluster_wait();
        }
    }
    // Every thread has the result.
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc a) const {
        if (alone()) return a;
        using Acc = typename F::Acc;
        if (across) {
            const u32 row = threadIdx.x & (across - 1);
            a = *reinterpret_cast<const Acc*>(entry(row) + AT);
            for (u32 k = 1; k < threads; ++k) a = F::join(a, *reinterpret_cast<const Acc*>(entry(row + k * across) + AT));
            return a;
        }
        if (warps <= 4) {
            a = *reinterpret_cast<const Acc*>(entry(0) + AT);
            for (u32 k = 1; k < warps; ++k) a = F::join(a, *reinterpret_cast<const Acc*>(entry(k) + AT));
            return a;
        }
        const u32 lane = threadIdx.x & 31;
        a = *reinterpret_cast<const Acc*>(entry(lane & (warps - 1)) + AT);
        for (u32 k = lane + 32; k < warps; k += 32) a = F::join(a, *reinterpret_cast<const Acc*>(entry(k) + AT));
        return join_lanes<F>(a, warps < 32 ? warps : 32);
    }
};

// As RowRoom, of rows whose lanes are of one warp: there is nothing to exchange.
struct RowLanes {
    u32 threads;

    __device__ __forceinline__ void next() {}
    __device__ __forceinline__ u32 lanes() const { return threads; }
    template <int AT, class Acc> __device__ __forceinline__ void put(Acc) const {}
    __device__ __forceinline__ void meet() const {}
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc a) const { return a; }
};

// How a thread takes what V elements came to.
template <class At> struct RowTaking {
    template <class F, int V>
    static __device__ __forceinline__ void take(const At&, typename F::Thread& t, const typename F::Value* a, u32 ordinal) {
        F::template take<V>(t, a, ordinal);
    }
};
template <class F, int V, class At>
__device__ __forceinline__ void row_take(const At& at, typename F::Thread& t, const typename F::Value* a, u32 ordinal) {
    RowTaking<At>::template take<F, V>(at, t, a, ordinal);
}

// Joins the values of some neighbouring lanes; each has the result.
template <class F> __device__ __forceinline__ typename F::Acc join_few(typename F::Acc a, u32 lanes) {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        if (distance < lanes) a = F::join(a, from_lane(a, distance, 32));
    }
    return a;
}

// What two folds of a pass have come to.
template <class Acc> struct __align__(sizeof(Acc) <= 8 ? 2 * sizeof(Acc) : 16) RowPair {
    Acc first, second;

    template <class F> static __device__ __forceinline__ RowPair joined(const RowPair& a, const RowPair& b) {
        return {F::join(a.first, b.first), F::join(a.second, b.second)};
    }
};

// How a room's threads join what they have folded.
template <class Room> struct RowJoins {
    // What the lanes of one warp have.
    template <class F> static __device__ __forceinline__ typename F::Acc lanes(const Room& room, typename F::Acc a) {
        return join_few<F>(a, room.lanes());
    }
    // Two folds of one kind, at the first places of the room.
    template <class F>
    static __device__ __forceinline__ RowPair<typename F::Acc> pair(const Room& room, typename F::Acc s, typename F::Acc t) {
        const auto first = lanes<F>(room, s), second = lanes<F>(room, t);
        room.template put<0>(first);
        room.template put<16>(second);
        room.meet();
        return {room.template get<F, 0>(first), room.template get<F, 16>(second)};
    }
};

// Two folds of one kind cost hardly more than one where whole warps have a row: in the first step each half of the lanes
// sends the other one what that goes on with.
template <class Room> struct RowHalves {
    template <class F>
    static __device__ __forceinline__ RowPair<typename F::Acc> pair(const Room& room, typename F::Acc s, typename F::Acc t) {
        const bool upper = threadIdx.x & 16;
        const auto sent = upper ? s : t, mine = upper ? t : s;
        room.put_halves(join_few<F>(F::join(mine, from_lane(sent, 16, 32)), 16));
        room.meet();
        return room.template get_pair<F>();
    }
};

// What a row's lanes of one warp have gathered.
template <class F, class Room, class At>
__device__ __forceinline__ typename F::Acc row_gathered(typename F::Thread t, const Room& room, bool any, At at) {
    u64 position = 0;
    if constexpr (F::POSITIONS) position = at(t.ordinal);
    return RowJoins<Room>::template lanes<F>(room, F::gathered(t, any, position));
}

// What two folds of one kind come to, over the whole row.
template <class F, class Room>
__device__ __forceinline__ RowPair<typename F::Acc> row_joined(const Room& room, typename F::Thread s, typename F::Thread t,
                                                               bool any) {
    static_assert(!F::POSITIONS, "positions are joined one by one");
    return RowJoins<Room>::template pair<F>(room, F::gathered(s, any, 0), F::gathered(t, any, 0));
}

}  // namespace syntonic
