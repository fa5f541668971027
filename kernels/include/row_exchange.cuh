// Reduction of partial folds across the threads of a row: lanes of a warp, warps of a block, blocks of a cluster (by DSMEM).
#pragma once
#include "row_vector.cuh"
// After the header that defines its types.
#include "bulk_copy.cuh"

namespace syntonic {

__device__ __forceinline__ u32 cluster_rank() {
    u32 rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}
// Relaxed: the other blocks need to see this block's mbarriers alone, which `mbarrier_init_fence` has made visible. A release would
// wait for all loads and stores in flight.
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

// Bytes of the mbarriers of a cluster reduction, one for each half of the exchange behind them. The same number stands in
// crates/syntonic-cuda/src/rows/shape.rs.
constexpr u32 ROW_BARRIERS = 2 * sizeof(u64);

// Shared memory where the warps of a row exchange partial results. It is double-buffered by passes, so one barrier a pass is
// enough: a warp that is a pass ahead writes to the other half.
//
// Blocks of a cluster store to each other and to themselves by st.async, and wait for the bytes. A cluster barrier would have each
// thread wait until all its earlier stores have reached memory.
//
// No reader arrives when it is done with a half: the bytes that its warp sends in the next pass say so, since the shuffles that
// make them follow its reads. Nobody writes the half again before those bytes of all warps have arrived.
template <int BYTES> struct RowMailbox {
    unsigned char* here;  // right behind the mbarriers, if there are any
    u32 threads;          // of the row in one block
    u32 blocks, rank;     // of the row
    u32 turn;             // passes before this one
    mutable u32 coming;   // bytes that a warp sends to each block in this one

    __device__ __forceinline__ u32 warps() const { return blocks * (threads >> 5); }
    __device__ __forceinline__ unsigned char* entry(u32 warp) const { return here + ((turn & 1) * warps() + warp) * BYTES; }
    // Initialises and ends the mbarriers of a cluster. All threads synchronise after `begin` and before `end`.
    __device__ __forceinline__ void begin() const {
#if __CUDA_ARCH__ >= 900
        if (threadIdx.x < 2) mbarrier_init(barrier(threadIdx.x), 1), mbarrier_init_fence();
#endif
    }
    __device__ __forceinline__ void end() const {
#if __CUDA_ARCH__ >= 900
        if (threadIdx.x < 2) mbarrier_inval(barrier(threadIdx.x));
#endif
    }
    // After a pass.
    __device__ __forceinline__ void next() { ++turn, coming = 0; }
    // Stores a warp's value at byte `at` of its entry: one lane does, or in a cluster one lane for each block.
    template <class Acc> __device__ __forceinline__ void leave(const Acc& a, u32 at, u32 lane) const {
        unsigned char* mine = entry(rank * (threads >> 5) + (threadIdx.x >> 5)) + at;
        if (blocks == 1) {
            if (lane == 0) *reinterpret_cast<Acc*>(mine) = a;
        } else {
#if __CUDA_ARCH__ >= 900
            // The compiler may compute addresses before the branch: each lane names an existing block.
            const u32 there = min(lane, blocks - 1);
            if (lane < blocks) cluster_store_async(cluster_address(mine, there), a, cluster_address(barrier(turn & 1), there));
#endif
        }
    }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc& a) const {
        coming += whole_words<Acc>();
        leave(a, AT, threadIdx.x & 31);
    }
    __device__ __forceinline__ void sync() const {
        if (blocks == 1) {
            __syncthreads();
        } else {
#if __CUDA_ARCH__ >= 900
            if (threadIdx.x == 0) mbarrier_arrive_expect_tx(barrier(turn & 1), warps() * coming);
            mbarrier_wait(barrier(turn & 1), turn >> 1 & 1);
#endif
        }
    }
    __device__ __forceinline__ u64* barrier(u32 half) const { return reinterpret_cast<u64*>(here) - 2 + half; }

protected:
    template <class Acc> static __device__ __forceinline__ u32 whole_words() { return (sizeof(Acc) + 3) / 4 * 4; }
};

// The exchange of any layout: lanes of a warp, warps, blocks, or threads across neighbouring rows.
template <int BYTES> struct RowExchange : RowMailbox<BYTES> {
    using Mailbox = RowMailbox<BYTES>;
    using Mailbox::blocks, Mailbox::threads;
    u32 across;

    __device__ __forceinline__ RowExchange(unsigned char* here, u32 threads, u32 blocks, u32 rank, u32 across)
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
    __device__ __forceinline__ void sync() const {
        if (!alone()) Mailbox::sync();
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

// As RowExchange, for rows within one warp: there is nothing to exchange.
struct RowLanes {
    u32 threads;

    __device__ __forceinline__ void next() {}
    __device__ __forceinline__ u32 lanes() const { return threads; }
    template <int AT, class Acc> __device__ __forceinline__ void put(Acc) const {}
    __device__ __forceinline__ void sync() const {}
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc a) const { return a; }
};

// Accumulates V elements in a thread.
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

// Reduces over `lanes` neighbouring lanes; each has the result.
template <class F> __device__ __forceinline__ typename F::Acc join_few(typename F::Acc a, u32 lanes) {
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        if (distance < lanes) a = F::join(a, from_lane(a, distance, 32));
    }
    return a;
}

// The partial results of two folds of a pass.
template <class Acc> struct __align__(sizeof(Acc) <= 8 ? 2 * sizeof(Acc) : 16) RowPair {
    Acc first, second;

    template <class F> static __device__ __forceinline__ RowPair joined(const RowPair& a, const RowPair& b) {
        return {F::join(a.first, b.first), F::join(a.second, b.second)};
    }
};

// The reduction of partial folds through an exchange.
template <class Exchange> struct RowJoins {
    // Over the lanes of a warp.
    template <class F> static __device__ __forceinline__ typename F::Acc lanes(const Exchange& exchange, typename F::Acc a) {
        return join_few<F>(a, exchange.lanes());
    }
    // Two folds of one kind, at bytes 0 and 16 of the entries.
    template <class F>
    static __device__ __forceinline__ RowPair<typename F::Acc> pair(const Exchange& exchange, typename F::Acc s, typename F::Acc t) {
        const auto first = lanes<F>(exchange, s), second = lanes<F>(exchange, t);
        exchange.template put<0>(first);
        exchange.template put<16>(second);
        exchange.sync();
        return {exchange.template get<F, 0>(first), exchange.template get<F, 16>(second)};
    }
};

// Two folds of one kind cost hardly more than one where whole warps share a row: in the first butterfly step the halves of the
// warp swap operands, and each goes on with one fold.
template <class Exchange> struct RowHalves {
    template <class F>
    static __device__ __forceinline__ RowPair<typename F::Acc> pair(const Exchange& exchange, typename F::Acc s, typename F::Acc t) {
        const bool upper = threadIdx.x & 16;
        const auto sent = upper ? s : t, mine = upper ? t : s;
        exchange.put_halves(join_few<F>(F::join(mine, from_lane(sent, 16, 32)), 16));
        exchange.sync();
        return exchange.template get_pair<F>();
    }
};

// The partial fold of a row's lanes of one warp.
template <class F, class Exchange, class At>
__device__ __forceinline__ typename F::Acc row_gathered(typename F::Thread t, const Exchange& exchange, bool any, At at) {
    u64 position = 0;
    if constexpr (F::POSITIONS) position = at(t.ordinal);
    return RowJoins<Exchange>::template lanes<F>(exchange, F::gathered(t, any, position));
}

// Two folds of one kind, reduced over the whole row.
template <class F, class Exchange>
__device__ __forceinline__ RowPair<typename F::Acc> row_joined(const Exchange& exchange, typename F::Thread s, typename F::Thread t,
                                                               bool any) {
    static_assert(!F::POSITIONS, "positions are reduced one by one");
    return RowJoins<Exchange>::template pair<F>(exchange, F::gathered(s, any, 0), F::gathered(t, any, 0));
}

}  // namespace syntonic
