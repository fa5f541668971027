// Rows in parts, of sums and spreads that one reading gives: a row is measured, and then its elements are written while
// they are in the cache. It comes after row_program.cuh.
//
// Blocks come and go; each takes the next item when it begins. The first ones measure parts; then one measures a part
// of a row some way ahead, and the next one writes a part of a row that was measured. So whoever waits for a row waits
// for blocks that have begun, in whatever order the hardware starts them.
#pragma once
#include "meeting.cuh"
#include "peaks.cuh"
#include "spread.cuh"

namespace syntonic {

// What a block does, and with which part.
struct RowItem {
    bool writes;
    u32 row;
    u32 part;
};

// The item of ticket `drawn` of twice `all`, where `ahead` parts are measured first. Of a row that is larger than the
// cache the last parts are written first.
__device__ __forceinline__ RowItem row_item(u32 drawn, u32 all, u32 ahead, const walk::Divisor<u32>& parts) {
    const u32 after = drawn - ahead, both = 2 * (all - ahead);
    const bool first = drawn < ahead, mixed = !first && after < both;
    const bool writes = !first && (!mixed || after & 1);
    const u32 at = first ? drawn : !mixed ? after - (all - ahead) : after / 2 + (writes ? 0 : ahead);
    const u32 row = parts.quotient(at), part = at - row * parts.by;
    return RowItem{writes, row, writes ? parts.by - 1 - part : part};
}

// The next item, for all threads of a block. The last block to draw leaves no tickets drawn.
__device__ __forceinline__ RowItem next_item(u32* tickets, u32 ahead, const walk::Divisor<u32>& parts) {
    __shared__ u32 drawn;
    if (threadIdx.x == 0) drawn = atomicInc(tickets, gridDim.x - 1);
    __syncthreads();
    return row_item(drawn, gridDim.x / 2, ahead, parts);
}

// Where the counters of rows begin: the tickets, which every block asks for, have a line to themselves.
constexpr u32 ROW_COUNTERS = 32;

// A fold whose values are joined as they are, with what `Spreads` has.
template <class F> struct Joined {
    using Acc = typename F::Acc;
    using Near = Acc;
    using Told = Acc;
    static __device__ __forceinline__ Near none() { return F::nothing(); }
    static __device__ __forceinline__ Told tell(const Acc& a) { return a; }
    static __device__ __forceinline__ Acc heard(const Told& a, u32) { return a; }
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

// What the threads of a block come to, in little code: every thread has it. The lanes of a warp are joined in a way of
// their own, which the warps take as well.
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

// Vector k of a thread, of a part in registers.
template <Then THEN, int K, int V> struct RowPartAt : RowHeldAt<K, V> {
    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        held[this->k].template read<THEN>(this->template address<const T>(operand));
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        v.template write<Then::DONE>(this->template address<T>(operand));
    }
};

// A block's part of a row, of which a thread has R vectors at once.
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
    template <Then THEN> __device__ __forceinline__ RowPartAt<THEN, K, V> at(u32 vector, int k) const {
        return RowPartAt<THEN, K, V>{{p, base, row_place(p, vector), k}};
    }
    // `work(at)` for N vectors of a thread from `vector` on, which the part has; or for those of R that it has.
    template <Then THEN, int N, class Work> __device__ __forceinline__ void all(u32 vector, Work work) const {
#pragma unroll
        for (int k = 0; k < N; ++k) work(at<THEN>(vector + k * blockDim.x, k));
    }
    template <Then THEN, class Work> __device__ __forceinline__ void some(u32 vector, Work work) const {
#pragma unroll
        for (int k = 0; k < R; ++k) {
            if (vector + k * blockDim.x < end) work(at<THEN>(vector + k * blockDim.x, k));
        }
    }
    __device__ __forceinline__ Acc* partials() const { return reinterpret_cast<Acc*>(p.partial) + item.row * p.parts.by; }
    // Two counters: blocks that have measured, and the gate of those that write.
    __device__ __forceinline__ u32* counters() const {
        return reinterpret_cast<u32*>(p.counters) + ROW_COUNTERS + 2 * item.row;
    }

    // All that has to come from memory is under way before any of it is worked on.
    template <int N> __device__ __forceinline__ void gather(Near& sum, u32 vector) {
        all<Then::WANTED, N>(vector, [&](const auto& at) { s.load(at); });
        typename Measures::Values x;
        all<Then::WANTED, N>(vector, [&](const auto& at) { s.measure(at, x); });
        Measures::template gather<N>(sum, x);
    }
    // What a thread's vectors come to: R at once, and what is left one by one.
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
    // Whoever measures the last part of a row joins all, in the order of the parts, and lets the others in.
    __device__ __forceinline__ void measure() {
        const Acc sum = join_threads<Measures>(gathered());
        if (threadIdx.x == 0) partials()[item.part] = sum;
        if (!comes_last(counters(), p.parts.by)) return;
        Near row = Measures::none();
        for (u32 k = threadIdx.x; k < p.parts.by; k += blockDim.x) Measures::take(row, seen_whole(partials() + k));
        const Acc all = join_threads<Measures>(row);
        if (threadIdx.x != 0) return;
        partials()[0] = all;
        open_gate(counters() + 1);
    }
    __device__ __forceinline__ void write() {
        const auto load = [&](u32 vector) { some<Then::DONE>(vector, [&](const auto& at) { s.load(at); }); };
        u32 v = begin();
        load(v);
        pass_gate(counters() + 1, p.parts.by);
        s.measured(seen_whole(partials()), p);
        while (true) {
            some<Then::DONE>(v, [&](const auto& at) { s.finish(at); });
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

// The kernel of a program that needs no more than the sums and spreads of its rows; a multiprocessor has ROOM blocks of it.
#define SYNTONIC_ROW_PARTS(ENTRY, PROGRAM, K, V, R, ROOM)                                                       \
    extern "C" __global__ void __launch_bounds__(256, ROOM) ENTRY##_parts(                                         \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::rows_in_parts<PROGRAM, V, R, K>(p);                                                           \
    }

#include "row_columns.cuh"
#include "row_ring.cuh"
#include "row_column_ring.cuh"
