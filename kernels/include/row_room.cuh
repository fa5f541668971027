// How the threads of a row join what they have folded: lanes of a warp, warps of a block, blocks of a cluster.
#pragma once
#include "row_vector.cuh"
// After what defines its types.
#include "row_bulk.cuh"

namespace syntonic {

__device__ __forceinline__ u32 cluster_rank() {
    u32 rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}
// What others are to see of this thread is its barriers alone, which a fence of their own has shown (`bulk_begun`): one that shows
// everything would wait for whatever is under way.
__device__ __forceinline__ void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
}
__device__ __forceinline__ void cluster_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

// Bytes of the barriers by which the blocks of a cluster hear of each other, one for each half of the room behind them. The same
// number stands in crates/syntonic-cuda/src/rows/shape.rs.
constexpr u32 ROW_BARRIERS = 2 * sizeof(u64);

// Where the warps of a row exchange what they have gathered. A pass takes one of two halves, so that one barrier is enough: a
// warp that is a pass ahead writes into the other.
//
// Blocks of a cluster send it to each other and to themselves, and wait for its bytes: a barrier of all their threads would have
// each wait until everything it wrote before has left for memory.
template <int BYTES> struct RowMailbox {
    unsigned char* here;  // right behind the barriers, where there are any
    u32 threads;          // of the row in one block
    u32 blocks, rank;     // of the row
    u32 turn;             // passes before this one
    mutable u32 coming;   // bytes that a warp sends to a block in this one

    __device__ __forceinline__ u32 warps() const { return blocks * (threads >> 5); }
    __device__ __forceinline__ unsigned char* entry(u32 warp) const { return here + ((turn & 1) * warps() + warp) * BYTES; }
    // A thread each for the barriers of a cluster: they are there, and they are none any more. All threads meet after the first,
    // and before the other.
    __device__ __forceinline__ void begin() const {
#if __CUDA_ARCH__ >= 900
        if (threadIdx.x < 2) bulk_begin(barrier(threadIdx.x), 1), bulk_begun();
#endif
    }
    __device__ __forceinline__ void end() const {
#if __CUDA_ARCH__ >= 900
        if (threadIdx.x < 2) bulk_end(barrier(threadIdx.x));
#endif
    }
    // After a pass.
    __device__ __forceinline__ void next() { ++turn, coming = 0; }
    // What a warp has, to place `at` of its own: one of some lanes leaves it, of a cluster one for each block.
    template <class Acc> __device__ __forceinline__ void leave(const Acc& a, u32 at, u32 lane) const {
        unsigned char* mine = entry(rank * (threads >> 5) + (threadIdx.x >> 5)) + at;
        if (blocks == 1) {
            if (lane == 0) *reinterpret_cast<Acc*>(mine) = a;
        } else {
#if __CUDA_ARCH__ >= 900
            // Addresses may be worked out before the question: each lane names a block that there is.
            const u32 there = min(lane, blocks - 1);
            if (lane < blocks) bulk_send(bulk_there(mine, there), a, bulk_there(barrier(turn & 1), there));
#endif
        }
    }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc& a) const {
        coming += whole_words<Acc>();
        leave(a, AT, threadIdx.x & 31);
    }
    __device__ __forceinline__ void meet() const {
        if (blocks == 1) {
            __syncthreads();
        } else {
#if __CUDA_ARCH__ >= 900
            if (threadIdx.x == 0) bulk_announce(barrier(turn & 1), warps() * coming);
            bulk_wait(barrier(turn & 1), turn >> 1 & 1);
#endif
        }
    }
    __device__ __forceinline__ u64* barrier(u32 half) const { return reinterpret_cast<u64*>(here) - 2 + half; }

protected:
    template <class Acc> static __device__ __forceinline__ u32 whole_words() { return (sizeof(Acc) + 3) / 4 * 4; }
};

// Of any rows: lanes of a warp, warps, blocks, or lanes of neighbouring rows.
template <int BYTES> struct RowRoom : RowMailbox<BYTES> {
    using Mailbox = RowMailbox<BYTES>;
    using Mailbox::blocks, Mailbox::threads;
    u32 across;

    __device__ __forceinline__ RowRoom(unsigned char* here, u32 threads, u32 blocks, u32 rank, u32 across)
        : Mailbox{here, threads, blocks, rank, 0, 0}, across(across) {}
    __device__ __forceinline__ bool alone() const { return !across && threads <= 32 && blocks == 1; }
    // Lanes of a warp that share a row.
    __device__ __forceinline__ u32 lanes() const { return across ? 1 : threads < 32 ? threads : 32; }
    __device__ __forceinline__ unsigned char* entry(u32 k) const {
        return across ? this->here + ((this->turn & 1) * blockDim.x + k) * BYTES : Mailbox::entry(k);
    }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc& a) const {
        if (across) {
            *reinterpret_cast<Acc*>(entry(threadIdx.x) + AT) = a;
        } else if (!alone()) {
            Mailbox::template put<AT>(a);
        }
    }
    __device__ __forceinline__ void meet() const {
        if (!alone()) Mailbox::meet();
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
        const u32 warps = this->warps();
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
