// Two-phase reduction: a row is measured part by part in one reading (sums, spreads, online softmax), and its elements are written
// while the parts are still in L2. Included after row_program.cuh.
//
// Each block takes one item of a dynamic tile scheduler when it begins. The first items measure parts; then measuring a part some
// way ahead alternates with writing a part of a measured row. So a block that waits for a row waits for blocks that have begun, in
// whatever order the hardware starts them.
#pragma once
#include "inter_block.cuh"
#include "online_softmax.cuh"
#include "spread.cuh"

namespace syntonic {

// The work of a block: measure or write a part of a row.
struct RowItem {
    bool writes;
    u32 row;
    u32 part;
};

// Item `drawn` of twice `all`, where `ahead` parts are measured first. The last parts of a row are written first: of a row larger
// than L2, these are still there.
__device__ __forceinline__ RowItem row_item(u32 drawn, u32 all, u32 ahead, const walk::Divisor<u32>& parts) {
    const u32 after = drawn - ahead, both = 2 * (all - ahead);
    const bool first = drawn < ahead, mixed = !first && after < both;
    const bool writes = !first && (!mixed || after & 1);
    const u32 at = first ? drawn : !mixed ? after - (all - ahead) : after / 2 + (writes ? 0 : ahead);
    const u32 row = parts.quotient(at), part = at - row * parts.by;
    return RowItem{writes, row, writes ? parts.by - 1 - part : part};
}

// The next item, for all threads of a block. The last block to draw resets the counter.
__device__ __forceinline__ RowItem next_item(u32* counter, u32 ahead, const walk::Divisor<u32>& parts) {
    __shared__ u32 drawn;
    if (threadIdx.x == 0) drawn = atomicInc(counter, gridDim.x - 1);
    __syncthreads();
    return row_item(drawn, gridDim.x / 2, ahead, parts);
}

// Where the counters of rows begin: the scheduler's counter, which every block increments, has a cache line to itself.
constexpr u32 ROW_COUNTERS = 32;

// A fold whose partial results are joined as they are, with the interface of `Spreads`.
template <class F> struct Joined {
    using Acc = typename F::Acc;
    using Near = Acc;
    using Message = Acc;
    static __device__ __forceinline__ Near none() { return F::nothing(); }
    static __device__ __forceinline__ Message to_message(const Acc& a) { return a; }
    static __device__ __forceinline__ Acc from_message(const Message& a, u32) { return a; }
    static __device__ __forceinline__ void take(Near& a, const Acc& b) { a = F::join(a, b); }
    template <int FROM> static __device__ __forceinline__ Acc over_lanes(const Near& a, u32 apart) {
        Acc all = a;
#pragma unroll
        for (int distance = FROM; distance < 32; distance *= 2) {
            if ((u32)distance >= apart) all = F::join(all, from_lane(all, distance, 32));
        }
        return all;
    }
};

// Block reduction in little code; every thread has the result. The loop runs the same warp reduction over lanes, then over warps.
template <class Measures> __device__ __forceinline__ typename Measures::Acc join_threads(typename Measures::Near a) {
    using Acc = typename Measures::Acc;
    __shared__ __align__(16) unsigned char room[32 * sizeof(Acc)];
    Acc* warps = reinterpret_cast<Acc*>(room);
    const u32 lane = threadIdx.x & 31, count = blockDim.x >> 5;
    Acc all;
#pragma unroll 1
    for (u32 last = 0;; ++last) {
        all = Measures::template over_lanes<1>(a, 1);
        if (last) return all;
        __syncthreads();
        if (lane == 0) warps[threadIdx.x >> 5] = all;
        __syncthreads();
        a = Measures::none();
        if (lane < count) Measures::take(a, warps[lane]);
    }
}

// Vector k of a thread, of a register-resident part. Stores are evict-first.
template <CacheHint HINT, int K, int V> struct RowPartAt : RowHeldAt<K, V> {
    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        held[this->k].template read<HINT>(this->template address<const T>(operand));
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        v.template write<CacheHint::EVICT_FIRST>(this->template address<T>(operand));
    }
};

// A block's part of a row; a thread has R vectors in flight.
template <class Rows, int V, int R, int K> struct RowPart {
    using Measures = typename Rows::Measures;
    using Acc = typename Measures::Acc;
    using Near = typename Measures::Near;
    const RowProgramParams<K>& p;
    const RowItem& item;
    int64_t base[K];
    u32 end;
    Rows s;

    __device__ __forceinline__ RowPart(const RowProgramParams<K>& p, const RowItem& item) : p(p), item(item) {
        row_bases(p, item.row, base);
        end = min((item.part + 1) * p.turns, p.vectors);
        s.begin(p, base);
    }
    __device__ __forceinline__ u32 begin() const { return item.part * p.turns + threadIdx.x; }
    template <CacheHint HINT> __device__ __forceinline__ RowPartAt<HINT, K, V> at(u32 vector, int k) const {
        return RowPartAt<HINT, K, V>{{p, base, row_place(p, vector), k}};
    }
    // `work(at)` for N vectors of a thread from `vector` on, without guards; or for R vectors with guards.
    template <CacheHint HINT, int N, class Work> __device__ __forceinline__ void all(u32 vector, Work work) const {
#pragma unroll
        for (int k = 0; k < N; ++k) work(at<HINT>(vector + k * blockDim.x, k));
    }
    template <CacheHint HINT, class Work> __device__ __forceinline__ void some(u32 vector, Work work) const {
#pragma unroll
        for (int k = 0; k < R; ++k) {
            if (vector + k * blockDim.x < end) work(at<HINT>(vector + k * blockDim.x, k));
        }
    }
    __device__ __forceinline__ Acc* partials() const { return reinterpret_cast<Acc*>(p.partial) + item.row * p.parts.by; }
    // Two counters: blocks that have measured, and the ready flag of the row.
    __device__ __forceinline__ u32* counters() const {
        return reinterpret_cast<u32*>(p.counters) + ROW_COUNTERS + 2 * item.row;
    }

    // All loads are in flight before any arithmetic.
    template <int N> __device__ __forceinline__ void gather(Near& sum, u32 vector) {
        all<CacheHint::DEFAULT, N>(vector, [&](const auto& at) { s.load(at); });
        typename Measures::Values x;
        all<CacheHint::DEFAULT, N>(vector, [&](const auto& at) { s.measure(at, x); });
        Measures::template gather<N>(sum, x);
    }
    // The partial result of a thread: R vectors at once, the rest one by one.
    __device__ __forceinline__ Near gathered() {
        Near sum = Measures::none();
        u32 v = begin();
        const u32 before = (R - 1) * blockDim.x;
#pragma unroll 1
        for (; v + before < end; v += R * blockDim.x) gather<R>(sum, v);
#pragma unroll 1
        for (; v < end; v += blockDim.x) gather<1>(sum, v);
        return sum;
    }
    // The block that measures the last part of a row joins all parts in order, and sets the row's ready flag.
    __device__ __forceinline__ void measure() {
        const Acc sum = join_threads<Measures>(gathered());
        if (threadIdx.x == 0) partials()[item.part] = sum;
        if (!comes_last(counters(), p.parts.by)) return;
        Near row = Measures::none();
        for (u32 k = threadIdx.x; k < p.parts.by; k += blockDim.x) Measures::take(row, read_l2_vector(partials() + k));
        const Acc all = join_threads<Measures>(row);
        if (threadIdx.x != 0) return;
        partials()[0] = all;
        set_ready(counters() + 1);
    }
    __device__ __forceinline__ void write() {
        const auto load = [&](u32 vector) { some<CacheHint::EVICT_FIRST>(vector, [&](const auto& at) { s.load(at); }); };
        u32 v = begin();
        load(v);
        await_ready(counters() + 1, p.parts.by);
        s.measured(read_l2_vector(partials()), p);
        while (true) {
            some<CacheHint::EVICT_FIRST>(v, [&](const auto& at) { s.finish(at); });
            v += blockDim.x * R;
            if (v >= end) break;
            load(v);
        }
        if (item.part == 0 && threadIdx.x == 0) s.finish_row(p, base);
    }
};

template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_parts(const RowProgramParams<K>& p) {
    const RowItem item = next_item(reinterpret_cast<u32*>(p.counters), p.ahead, p.parts);
    RowPart<Program<V, R>, V, R, K> part(p, item);
    if (item.writes) {
        part.write();
    } else {
        part.measure();
    }
}

}  // namespace syntonic

// The kernel of a program that needs no more than the measures of its rows; BLOCKS_PER_SM blocks are resident.
#define SYNTONIC_ROW_PARTS(ENTRY, PROGRAM, K, V, R, BLOCKS_PER_SM)                                                       \
    extern "C" __global__ void __launch_bounds__(256, BLOCKS_PER_SM) ENTRY##_parts(                                         \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::rows_in_parts<PROGRAM, V, R, K>(p);                                                           \
    }

#include "row_columns.cuh"
#include "row_ring.cuh"
#include "row_column_ring.cuh"
