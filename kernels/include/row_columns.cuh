// Strided (column) two-phase reduction: neighbouring rows are contiguous columns, and a thread has a vector of them. The items are
// those of row_parts.cuh, after which this is included; a row there is a group of columns here.
#pragma once

namespace syntonic {

// Threads of a block.
constexpr int COLUMN_THREADS = 256;
// The fewest threads along the columns, as `LANES` of rows/parts.rs.
constexpr int LEAST_ACROSS = 8;

// Element k of a thread in column c of its vector. The first column loads the vector for all, the last one stores it. All rows may
// share the operands after the first.
template <CacheHint HINT, bool SHARED, int K, int C> struct RowColumnAt {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    RowPlace place;
    int k;
    int c;
    RowVector<u32, 4> (&vectors)[K];

    // A column's own element, or the vector's first one.
    template <class T> __device__ __forceinline__ T* address(int operand) const {
        return row_vector<T, 1>(p, base, place, operand);
    }
    template <class T> __device__ __forceinline__ RowVector<T, C> vector(int operand) const {
        RowVector<T, C> v;
#pragma unroll
        for (int w = 0; w < (int)(sizeof(v.word) / 4); ++w) v.word[w] = vectors[operand].word[w];
        return v;
    }
    template <class T> __device__ __forceinline__ void hold(int operand, const RowVector<T, C>& v) const {
#pragma unroll
        for (int w = 0; w < (int)(sizeof(v.word) / 4); ++w) vectors[operand].word[w] = v.word[w];
    }
    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        if (SHARED && operand > 0) {
            held[k] = read<T, false>(operand);
            return;
        }
        if (c == 0) {
            RowVector<T, C> v;
            v.template read<HINT>(address<const T>(operand));
            hold<T>(operand, v);
        }
        held[k].set(0, vector<T>(operand).lane(c));
    }
    template <class T, bool FIRST> __device__ __forceinline__ RowVector<T, 1> read(int operand) const {
        RowVector<T, 1> v;
        v.read(address<const T>(operand) + (SHARED && operand > 0 ? 0 : c));
        return v;
    }
    template <class T, bool FIRST, bool BEGINS, class Held>
    __device__ __forceinline__ RowVector<T, 1> read(int operand, Held& held) const {
        if (BEGINS) held[k] = read<T, FIRST>(operand);
        return held[k];
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, 1>& v) const {
        RowVector<T, C> all{};
        if (c > 0) all = vector<T>(operand);
        all.set(c, v.lane(0));
        hold<T>(operand, all);
        if (c == C - 1) all.template write<CacheHint::EVICT_FIRST>(address<T>(operand));
    }
};

// A block's part of a group of columns: each thread has C of them, with R elements in flight of each.
template <class Rows, int C, int R, int K> struct RowColumns {
    using Measures = typename Rows::Measures;
    using Acc = typename Measures::Acc;
    using Near = typename Measures::Near;
    static constexpr int MOST = 32 * C;
    const RowProgramParams<K>& p;
    const RowItem& item;
    u32 lane, step, steps;  // a thread's place in the block, and its stride in elements
    u32 row, width;         // its first column, and those of the group
    u32 end;
    int64_t base[K];
    Rows s[C];

    __device__ __forceinline__ RowColumns(const RowProgramParams<K>& p, const RowItem& item) : p(p), item(item) {
        lane = threadIdx.x & (p.across - 1), step = row_part(threadIdx.x, p.across);
        steps = row_part(COLUMN_THREADS, p.across);
        width = p.across * C;
        row = item.row * width + lane * C;
        end = row < p.rows ? min((item.part + 1) * p.turns, p.vectors) : 0;
        row_bases(p, min(row, p.rows - C), base);
#pragma unroll
        for (int c = 0; c < C; ++c) {
            int64_t of[K];
            bases(c, of);
            s[c].begin(p, of);
        }
    }
    __device__ __forceinline__ void bases(int c, int64_t (&of)[K]) const {
#pragma unroll
        for (int k = 0; k < K; ++k) of[k] = base[k] + c * p.operand[k].rows[0];
    }
    __device__ __forceinline__ u32 begin() const { return item.part * p.turns + step; }
    template <CacheHint HINT, class Work> __device__ __forceinline__ void columns(u32 n, int k, Work work) const {
        const RowPlace place = row_place(p, n);
        RowVector<u32, 4> vectors[K];
#pragma unroll
        for (int c = 0; c < C; ++c) work(RowColumnAt<HINT, !Rows::OVER, K, C>{p, base, place, k, c, vectors}, c);
    }
    // `work(at, c)` for the columns of N elements of a thread from `n` on, without guards; or for R elements with guards.
    template <CacheHint HINT, int N, class Work> __device__ __forceinline__ void all(u32 n, Work work) const {
#pragma unroll
        for (int k = 0; k < N; ++k) columns<HINT>(n + k * steps, k, work);
    }
    template <CacheHint HINT, class Work> __device__ __forceinline__ void some(u32 n, Work work) const {
#pragma unroll
        for (int k = 0; k < R; ++k) {
            if (n + k * steps < end) columns<HINT>(n + k * steps, k, work);
        }
    }
    // The partial results of a part's columns are contiguous.
    __device__ __forceinline__ Acc* partials(u32 part) const {
        return reinterpret_cast<Acc*>(p.partial) + (u64)(item.row * p.parts.by + part) * width;
    }
    __device__ __forceinline__ u32* counters() const {
        return reinterpret_cast<u32*>(p.counters) + ROW_COUNTERS + 2 * item.row;
    }

    // L2 holds hardly more than the groups between their two readings: these loads are evict-last.
    template <int N> __device__ __forceinline__ void gather(Near (&sums)[C], u32 n) {
        all<CacheHint::EVICT_LAST, N>(n, [&](const auto& at, int c) { s[c].load(at); });
        typename Measures::Values x[C];
        all<CacheHint::EVICT_LAST, N>(n, [&](const auto& at, int c) { s[c].measure(at, x[c]); });
#pragma unroll
        for (int c = 0; c < C; ++c) Measures::template gather<N>(sums[c], x[c]);
    }
    // The partial results of a thread: R elements at once of each column, the rest one by one.
    __device__ __forceinline__ void gathered(Near (&sums)[C]) {
#pragma unroll
        for (int c = 0; c < C; ++c) sums[c] = Measures::none();
        u32 n = begin();
        const u32 before = (R - 1) * steps;
#pragma unroll 1
        for (; n + before < end; n += R * steps) gather<R>(sums, n);
#pragma unroll 1
        for (; n < end; n += steps) gather<1>(sums, n);
    }
    // Shared memory for the partial result of each warp and column.
    static __device__ __forceinline__ Acc* room() {
        __shared__ __align__(16) unsigned char bytes[COLUMN_THREADS / 32 * MOST * sizeof(Acc)];
        return reinterpret_cast<Acc*>(bytes);
    }
    // Joins `sets` values of each column in shared memory; thread `column` has the result.
    __device__ __forceinline__ Acc joined(u32 sets) const {
        __syncthreads();
        Near a = Measures::none();
        if (threadIdx.x < width) {
#pragma unroll 4
            for (u32 k = 0; k < sets; ++k) Measures::take(a, room()[k * width + threadIdx.x]);
        }
        return alone(a);
    }
    // The partial result of one thread.
    static __device__ __forceinline__ Acc alone(const Near& a) { return Measures::template over_lanes<32>(a, 32); }
    __device__ __forceinline__ void measure() {
        Near sums[C];
        gathered(sums);
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const Acc all = Measures::template over_lanes<LEAST_ACROSS>(sums[c], p.across);
            if ((threadIdx.x & 31) < p.across) room()[(threadIdx.x >> 5) * width + lane * C + c] = all;
        }
        const Acc part = joined(COLUMN_THREADS / 32);
        if (threadIdx.x < width) partials(item.part)[threadIdx.x] = part;
        if (!comes_last(counters(), p.parts.by)) return;
        join_parts();
        __syncthreads();
        if (threadIdx.x == 0) set_ready(counters() + 1);
    }
    // Joins the parts in order; the threads of a column take them in turn.
    __device__ __forceinline__ void join_parts() {
        const u32 sets = row_part(COLUMN_THREADS, width), set = row_part(threadIdx.x, width);
        const u32 column = threadIdx.x & (width - 1);
        Near a = Measures::none();
#pragma unroll 4
        for (u32 k = set; k < p.parts.by; k += sets) Measures::take(a, read_l2_vector(partials(k) + column));
        room()[set * width + column] = alone(a);
        const Acc all = joined(sets);
        if (threadIdx.x < width) partials(0)[threadIdx.x] = all;
    }
    // Values that the program would keep are computed again.
    template <class At> static __device__ __forceinline__ void finish(Rows& s, const At& at) {
        if constexpr (Rows::OVER) {
            s.finish(at);
        } else {
            s.whole(at);
        }
    }
    __device__ __forceinline__ void write() {
        const auto load = [&](u32 n) { some<CacheHint::EVICT_FIRST>(n, [&](const auto& at, int c) { s[c].load(at); }); };
        u32 n = begin();
        load(n);
        await_ready(counters() + 1, p.parts.by);
#pragma unroll
        for (int c = 0; c < C; ++c) s[c].measured(read_l2_vector(partials(0) + lane * C + c), p);
        while (true) {
            some<CacheHint::EVICT_FIRST>(n, [&](const auto& at, int c) { finish(s[c], at); });
            n += steps * R;
            if (n >= end) break;
            load(n);
        }
        if (item.part != 0 || step != 0 || row >= p.rows) return;
#pragma unroll
        for (int c = 0; c < C; ++c) {
            int64_t of[K];
            bases(c, of);
            s[c].finish_row(p, of);
        }
    }
};

template <template <int, int> class Program, int C, int R, int K>
__device__ __forceinline__ void columns_in_parts(const RowProgramParams<K>& p) {
    const RowItem item = next_item(reinterpret_cast<u32*>(p.counters), p.ahead, p.parts);
    RowColumns<Program<1, R>, C, R, K> columns(p, item);
    if (item.writes) {
        columns.write();
    } else {
        columns.measure();
    }
}

}  // namespace syntonic

// The kernel of strided rows; BLOCKS_PER_SM blocks are resident.
#define SYNTONIC_ROW_COLUMNS(ENTRY, PROGRAM, K, C, R, BLOCKS_PER_SM)                                                     \
    extern "C" __global__ void __launch_bounds__(syntonic::COLUMN_THREADS, BLOCKS_PER_SM) ENTRY##_columns(                  \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::columns_in_parts<PROGRAM, C, R, K>(p);                                                        \
    }
