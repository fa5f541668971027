// Few rows, register-resident in clusters: the blocks of a cluster share a row, whose threads hold R vectors each, and all loads are
// in flight before any arithmetic. Clusters are not persistent. Included after row_program.cuh.
#pragma once

namespace syntonic {

// The exchange of the warps of a cluster, of any number.
template <int BYTES> struct RowClusterExchange : RowMailbox<BYTES> {
    using Mailbox = RowMailbox<BYTES>;
    static __device__ __forceinline__ u32 lanes() { return 32; }
    // Every thread has the result. A power of two of lanes reads an entry or more each.
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc) const {
        using Acc = typename F::Acc;
        const u32 warps = this->warps(), few = min(32u, 1u << (31 - __clz(warps))), first = threadIdx.x & (few - 1);
        Acc a = *reinterpret_cast<const Acc*>(this->entry(first) + AT);
        for (u32 k = first + few; k < warps; k += few) a = F::join(a, *reinterpret_cast<const Acc*>(this->entry(k) + AT));
        return join_few<F>(a, few);
    }
};

// Vector k of a thread. Past the row's end, loads repeat the first vector and the result is dropped: there are no branches, so that
// work on all vectors overlaps.
template <int K, int V> struct RowFewAt {
    const RowProgramParams<K>& p;
    const u64 (&start)[K];
    RowPlace place;
    int k;
    bool there;

    // A row lies within 2^31 elements (`lies_near` of crates/syntonic-cuda/src/rows/fused.rs). The address is one
    // instruction.
    template <class T> __device__ __forceinline__ T* address(int operand) const {
        const i32 vector = (i32)place.segment * ((i32)p.operand[operand].run / V) + (i32)place.at;
        u64 at;
        asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(at) : "r"(there ? vector : 0), "n"(V * sizeof(T)), "l"(start[operand]));
        return static_cast<T*>(__cvta_global_to_generic(at));
    }
    template <class T, bool FIRST, bool BEGINS, class Held>
    __device__ __forceinline__ RowVector<T, V> read(int, Held& held) const {
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        held[k].read(address<const T>(operand));
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        if (there) v.store(address<T>(operand));
    }
    template <class T, class Held> __device__ __forceinline__ RowVector<T, V> kept(int, const Held& held) const {
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void keep(int, const RowVector<T, V>& v, Held& held) const {
        held[k] = v;
    }
};

// A row of a cluster.
template <class Program, int V, int R, int K> struct RowFew {
    const RowProgramParams<K>& p;
    RowClusterExchange<Program::EXCHANGE_BYTES> exchange;
    u32 thread, threads;  // of the row
    RowPlace first, step;  // of a thread: from vector to vector
    u64 start[K];

    __device__ __forceinline__ RowFew(const RowProgramParams<K>& p, const int64_t (&base)[K], u32 rank)
        : p(p), exchange{{row_shared() + ROW_BARRIERS, p.threads, p.blocks, rank, 0, 0}}, thread(rank * p.threads + threadIdx.x),
          threads(p.blocks * p.threads), first(row_place(p, thread)), step(row_place(p, threads)) {
#pragma unroll
        for (int k = 0; k < K; ++k) start[k] = p.operand[k].address + base[k] * (i64)Program::element_bytes(k);
    }
    template <class Work> __device__ __forceinline__ void each(Work work) const {
        RowPlace place = first;
#pragma unroll
        for (int k = 0; k < R; ++k) {
            work(RowFewAt<K, V>{p, start, place, k, thread + k * threads < p.vectors});
            place.segment += step.segment, place.at += step.at;
            if (place.at >= p.run.by) place.at -= p.run.by, ++place.segment;
        }
    }
    template <int PASS> __device__ __forceinline__ void passes(Program& s) {
        if constexpr (PASS < Program::PASSES) {
            auto folds = s.start(Pass<PASS>{});
            each([&](const auto& at) {
                const auto before = folds;
                s.statements(Pass<PASS>{}, folds, at, at.k * V);
                if (!at.there) folds = before;
            });
            s.join(Pass<PASS>{}, folds, exchange, thread < p.vectors, [&](u32 k) {
                return (u64)(thread + k / V * threads) * V + k % V;
            }, p);
            exchange.next();
            passes<PASS + 1>(s);
        }
    }
};

template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void hold_few(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    const u32 rank = cluster_rank(), row = row_part(blockIdx.x, p.blocks);
    int64_t base[K];
    row_bases(p, row, base);
    RowFew<Rows, V, R, K> few(p, base, rank);
    few.exchange.begin();
    cluster_arrive();
    Rows s;
    few.each([&](const auto& at) { s.load(at); });
    s.begin(p, base);
    // Blocks of a cluster write to each other's shared memory: all have to be resident.
    cluster_wait();
    few.template passes<0>(s);
    few.each([&](const auto& at) { s.finish(at); });
    if (few.thread == 0) s.finish_row(p, base);
    __syncthreads();
    few.exchange.end();
}

}  // namespace syntonic

// The kernel of few rows, R vectors a thread.
#define SYNTONIC_ROWS_FEW(ENTRY, PROGRAM, K, V, R)                                                              \
    extern "C" __global__ void __launch_bounds__(512, 1) ENTRY##_few(                                           \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::hold_few<PROGRAM, V, R, K>(p);                                                                \
    }
