// Rows that stream by: a block stays, and keeps the row it works on in registers while its next one arrives in shared memory
// by bulk copies. Comes after row_program.cuh.
//
// A thread holds at most R vectors of a row; a block has one row, or its part of one where a cluster shares it. As soon as
// all threads have moved what arrived into registers, the block's next row is asked for, so that memory is busy while the
// row is folded and written.
#pragma once
#include "row_bulk.cuh"

namespace syntonic {

// Barriers: of the row that arrives, of the warps that have moved it into registers, and two for the joins of a cluster.
constexpr u32 ROW_STREAM_COUNT = 4;
constexpr u32 ROW_STREAM_BARRIERS = 8 * ROW_STREAM_COUNT;
// The same number stands in crates/syntonic-cuda/src/rows/stream.rs.
static_assert(ROW_STREAM_BARRIERS == 32, "mirrored in Rust");

// What happens to operands that do not stream by, since all rows share them.
enum class RowAside {
    HELD,   // they are held in registers with the row
    AGAIN,  // they are read from the cache wherever they are needed: registers are for the first operand alone
};

// How the threads of a row come to what it comes to.
enum class RowJoining {
    PASSES,  // they meet after every pass
    ONCE,    // they meet once: a softmax, of which every thread has R vectors
};

#if __CUDA_ARCH__ >= 900

// Where a block's part of a row lies. Parts of whole warps, so that each begins at a multiple of 16 bytes.
struct RowReach {
    u32 begin, end;  // vectors

    template <int K> static __device__ __forceinline__ RowReach of(const RowProgramParams<K>& p, u32 rank) {
        const u32 part = (row_part(p.vectors + p.blocks - 1, p.blocks) + 31) & ~31u;
        return RowReach{min(rank * part, p.vectors), min((rank + 1) * part, p.vectors)};
    }
};

// Where the warps of a row meet, of whole warps.
template <int BYTES> struct RowStreamRoom : RowMailbox<BYTES> {
    using Mailbox = RowMailbox<BYTES>;
    using Mailbox::entry, Mailbox::warps;

    __device__ __forceinline__ RowStreamRoom(unsigned char* here, u32 threads, u32 blocks, u32 rank)
        : Mailbox{here, threads, blocks, rank, 0, 0} {}
    __device__ __forceinline__ u32 lanes() const { return 32; }
    // As `put`, of two values: the lower half of the lanes has the first one, the upper half the second one.
    template <class Acc> __device__ __forceinline__ void put_halves(const Acc& a) const {
        const u32 lane = threadIdx.x & 31;
        this->coming += 2 * Mailbox::template whole_words<Acc>();
        this->leave(a, lane / 16 * (u32)sizeof(Acc), lane & 15);
    }
    // What the peaks of all warps come to: first the largest value, so that each is scaled once. Every thread has the same bits.
    template <class T> __device__ __forceinline__ Peak peak() const {
        const u32 first = threadIdx.x & 31 & (warps() - 1);
        const auto warp = [&](u32 k) { return *reinterpret_cast<const Peak*>(entry(k)); };
        T top = Peaks<T>::worst();
        double total = 0.0;
        for (u32 k = first; k < warps(); k += 32) top = Largest::of(top, (T)warp(k).top);
        top = join_few<Max<T>>(top, warps());
        for (u32 k = first; k < warps(); k += 32) total += warp(k).total * Peaks<T>::scale((T)warp(k).top, top);
        return Peak{(double)top, join_few<Sum<double>>(total, warps())};
    }
    // Every thread has the result, joined in the order of RowRoom.
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc) const {
        using Acc = typename F::Acc;
        const u32 lane = threadIdx.x & 31;
        Acc a = *reinterpret_cast<const Acc*>(entry(lane & (warps() - 1)) + AT);
        for (u32 k = lane + 32; k < warps(); k += 32) a = F::join(a, *reinterpret_cast<const Acc*>(entry(k) + AT));
        return join_few<F>(a, warps());
    }
    // The same of two values that lie side by side.
    template <class F> __device__ __forceinline__ RowPair<typename F::Acc> get_pair() const {
        using Pair = RowPair<typename F::Acc>;
        static_assert(sizeof(Pair) <= BYTES, "two folds have their room");
        const u32 lane = threadIdx.x & 31;
        Pair p = *reinterpret_cast<const Pair*>(entry(lane & (warps() - 1)));
        for (u32 k = lane + 32; k < warps(); k += 32) {
            p = Pair::template joined<F>(p, *reinterpret_cast<const Pair*>(entry(k)));
        }
        return {join_few<F>(p.first, warps()), join_few<F>(p.second, warps())};
    }
};

template <int BYTES> struct RowJoins<RowStreamRoom<BYTES>> : RowHalves<RowStreamRoom<BYTES>> {
    template <class F>
    static __device__ __forceinline__ typename F::Acc lanes(const RowStreamRoom<BYTES>&, typename F::Acc a) {
        return join_few<F>(a, 32);
    }
};

// Vectors of a row that are to arrive, copied to where their place begins.
template <int K, int V> struct RowCopy {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    u32 at;  // the first vector
    u32 vectors;
    unsigned char* to;
    u64* barrier;

    template <class T, bool FIRST> __device__ __forceinline__ void fetch(int operand) const {
        constexpr u32 BYTES = V * sizeof(T);
        if (!FIRST && (p.direct >> operand & 1)) return;
        bulk_copy(to + p.region[operand], row_address<const T>(p, operand, base[operand] + (i64)at * V), vectors * BYTES, barrier);
    }
};

// What arrives in a block.
template <class Program, int V, int K> struct RowFeed {
    const RowProgramParams<K>& p;
    RowReach reach;

    // A row has arrived; every warp has read it.
    __device__ __forceinline__ u64* full() const { return reinterpret_cast<u64*>(row_shared() + p.room); }
    __device__ __forceinline__ u64* empty() const { return full() + 1; }
    // One thread each.
    __device__ __forceinline__ bool has_barrier() const { return threadIdx.x < ROW_STREAM_COUNT; }
    __device__ __forceinline__ void begin() const {
        if (has_barrier()) {
            bulk_begin(full() + threadIdx.x, threadIdx.x == 1 ? blockDim.x / 32 : 1);
            bulk_begun();
        }
        __syncthreads();
    }
    // No thread waits at any of them any more.
    __device__ __forceinline__ void end() const {
        __syncthreads();
        if (has_barrier()) bulk_end(full() + threadIdx.x);
    }
    // Each warp by itself.
    __device__ __forceinline__ void release() const {
        __syncwarp();
        if ((threadIdx.x & 31) == 0) bulk_arrive(empty());
    }
    // As `ask`, when all warps have released the row before. The first warp waits as one: where one thread of it waits, the others
    // go on without it, which costs up to a quarter.
    __device__ __forceinline__ void ask_next(u32 row, u32 parity) const {
        if (row < p.rows && threadIdx.x < 32) bulk_wait(empty(), parity);
        ask(row);
    }
    // One thread asks for a row.
    __device__ __forceinline__ void ask(u32 row) const {
        if (row >= p.rows || threadIdx.x != 0) return;
        int64_t base[K];
        row_bases(p, row, base);
        const u32 vectors = reach.end - reach.begin;
        u32 bytes = 0;
        Program::fetch(RowBytes<K, V>{p, vectors, bytes});
        bulk_announce(full(), bytes);
        if (vectors > 0) Program::fetch(RowCopy<K, V>{p, base, reach.begin, vectors, row_shared(), full()});
    }
};

// The sums over rows of a thread's columns, where the program has any.
template <class Program, int V, int R, int SUMS = Program::SUMS> struct RowColumnSums {
    RowVector<typename Program::Summed, V> sum[SUMS][R];

    __device__ __forceinline__ RowColumnSums() {
#pragma unroll
        for (int at = 0; at < SUMS * R * V; ++at) sum[at / V / R][at / V % R].set(at % V, 0);
    }
    template <class T> __device__ __forceinline__ void add(int region, int k, const RowVector<T, V>& v) {
        auto& here = sum[region - Program::SUMS_FROM][k];
#pragma unroll
        for (int c = 0; c < V; ++c) here.set(c, here.lane(c) + v.lane(c));
    }
};
template <class Program, int V, int R> struct RowColumnSums<Program, V, R, 0> {};

// Vector k of a thread, of a row that has arrived.
template <class Program, int V, int R, RowAside ASIDE, int K> struct RowStreamAt {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    RowColumnSums<Program, V, R>& columns;
    u32 vector;
    int k;

    template <class T> __device__ __forceinline__ T* address(int operand) const {
        return row_global(row_address<T>(p, operand, base[operand]) + vector * (u32)V);
    }
    template <class T, bool FIRST> __device__ __forceinline__ RowVector<T, V> read(int operand) const {
        RowVector<T, V> v;
        v.read(address<const T>(operand));
        return v;
    }
    template <class T, bool FIRST, bool BEGINS, class Held>
    __device__ __forceinline__ RowVector<T, V> read(int operand, Held& held) const {
        if (ASIDE == RowAside::AGAIN && !FIRST) return read<T, FIRST>(operand);
        if (BEGINS) held[k] = read<T, FIRST>(operand);
        return held[k];
    }
    // Of many operands that stream by, what is written leaves the cache first.
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        v.template write<Program::SUMS ? Then::DONE : Then::WANTED>(address<T>(operand));
    }
    template <class T, class Held> __device__ __forceinline__ RowVector<T, V> kept(int, const Held& held) const {
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void keep(int, const RowVector<T, V>& v, Held& held) const {
        held[k] = v;
    }
    template <class T> __device__ __forceinline__ void gather(int region, const RowVector<T, V>& v) const {
        columns.add(region, k, v);
    }
};

// Vector k of a thread of a softmax, whose exponentials are those of the distances from a value of its warp: what they are
// scaled by makes them those of the row.
template <class Program, int V, int R, RowAside ASIDE, int K> struct RowPeakAt : RowStreamAt<Program, V, R, ASIDE, K> {
    using T = typename Program::Measures::Peaked;
    const T (&exponential)[R * V];
    T scale;

    template <class, class Held> __device__ __forceinline__ RowVector<T, V> kept(int, const Held&) const {
        RowVector<T, V> v;
#pragma unroll
        for (int c = 0; c < V; ++c) v.set(c, exponential[this->k * V + c] * scale);
        return v;
    }
};

// Moves what the first stage reads into registers: what has arrived, or what lies aside.
template <class Program, int V, int K, bool ARRIVED> struct RowStreamLoad {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    u32 vector;
    u32 index;  // in shared memory
    int k;

    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        const bool aside = operand != Program::FIRST_INPUT && (p.direct >> operand & 1);
        if (aside == ARRIVED) return;
        if constexpr (ARRIVED) {
            held[k].read(row_shared() + p.region[operand] + index * (u32)(V * sizeof(T)));
        } else {
            held[k].read(row_global(row_address<const T>(p, operand, base[operand]) + vector * (u32)V));
        }
    }
};

// One row, in registers. THREADS: of a block. FULL: every thread has R vectors, so that nothing is asked about any.
template <class Program, int V, int R, int THREADS, RowAside ASIDE, bool FULL, int K> struct RowStream {
    const RowProgramParams<K>& p;
    RowReach reach;
    RowStreamRoom<Program::ROOM>& room;
    RowColumnSums<Program, V, R>& columns;
    int64_t base[K];

    static __device__ __forceinline__ u32 threads() { return THREADS > 0 ? THREADS : blockDim.x; }
    template <class Work> __device__ __forceinline__ void each(Work work) {
#pragma unroll
        for (int k = 0; k < R; ++k) {
            const u32 index = threadIdx.x + k * threads(), vector = reach.begin + index;
            if (FULL || vector < reach.end) work(vector, index, k);
        }
    }
    // What lies aside is under way while the row is waited for.
    __device__ __forceinline__ void load(Program& s, const RowFeed<Program, V, K>& feed, u32 parity) {
        if constexpr (ASIDE == RowAside::HELD) {
            each([&](u32 vector, u32 index, int k) { s.load(RowStreamLoad<Program, V, K, false>{p, base, vector, index, k}); });
        }
        bulk_wait(feed.full(), parity);
        each([&](u32 vector, u32 index, int k) { s.load(RowStreamLoad<Program, V, K, true>{p, base, vector, index, k}); });
    }
    template <int PASS> __device__ __forceinline__ void passes(Program& s) {
        if constexpr (PASS < Program::PASSES) {
            const u32 first = reach.begin + threadIdx.x;
            auto folds = s.start(Pass<PASS>{});
            each([&](u32 vector, u32, int k) {
                s.statements(Pass<PASS>{}, folds, RowStreamAt<Program, V, R, ASIDE, K>{p, base, columns, vector, k}, k * V);
            });
            s.join(Pass<PASS>{}, folds, room, FULL || first < reach.end, [&](u32 k) {
                return (u64)(first + k / V * threads()) * V + k % V;
            }, p);
            room.next();
            passes<PASS + 1>(s);
        }
    }
    __device__ __forceinline__ void finish(Program& s) {
        each([&](u32 vector, u32, int k) { s.finish(RowStreamAt<Program, V, R, ASIDE, K>{p, base, columns, vector, k}); });
    }
    // A softmax, joined once: a warp takes its exponentials from its own largest value, and scales them when it hears of the
    // row's. Where every value of a warp is minus infinity none counts: their distance from it is no number.
    __device__ __forceinline__ void soften(Program& s) {
        static_assert(FULL, "values that are missing would count");
        using Measures = typename Program::Measures;
        using T = typename Measures::Peaked;
        typename Measures::Values values;
        T(&x)[R * V] = Measures::peaked(values);
        each([&](u32 vector, u32, int k) { s.measure(RowStreamAt<Program, V, R, ASIDE, K>{p, base, columns, vector, k}, values); });
        T top = x[0];
#pragma unroll
        for (int v = 1; v < R * V; ++v) top = Largest::of(top, x[v]);
        top = join_few<Max<T>>(top, 32);
        const T from = top == Peaks<T>::worst() ? T(0) : top;
#pragma unroll
        for (int v = 0; v < R * V; ++v) x[v] = syn::exp(x[v] - from);
        room.template put<0>(Peak{(double)top, join_few<Sum<double>>((double)tree<R * V>(x), 32)});
        room.meet();
        const Peak all = room.template peak<T>();
        room.next();
        s.measured(typename Measures::Acc{all}, p);
        const T scale = (T)Peaks<T>::scale(top, (T)all.top);
        each([&](u32 vector, u32, int k) {
            s.finish(RowPeakAt<Program, V, R, ASIDE, K>{{p, base, columns, vector, k}, x, scale});
        });
    }
};

// A block leaves one row of partial sums.
template <class Program, int V, int R, int K> struct RowColumnSumsEnd {
    const RowProgramParams<K>& p;
    const RowReach& reach;
    const RowColumnSums<Program, V, R>& columns;

    template <class T> __device__ __forceinline__ void sum(int region, int operand) const {
        T* to = row_address<T>(p, operand, (i64)row_part(blockIdx.x, p.blocks) * p.length);
#pragma unroll
        for (int k = 0; k < R; ++k) {
            const u32 vector = reach.begin + threadIdx.x + k * blockDim.x;
            if (vector < reach.end) columns.sum[region - Program::SUMS_FROM][k].write(to + vector * (u32)V);
        }
    }
};

// All rows of a block.
template <class Rows, int V, int R, int THREADS, RowAside ASIDE, RowJoining JOINING, bool FULL, int K>
__device__ __forceinline__ void stream_through(const RowProgramParams<K>& p, const RowFeed<Rows, V, K>& feed,
                                               RowStreamRoom<Rows::ROOM>& room, RowColumnSums<Rows, V, R>& columns) {
    const u32 groups = row_part(gridDim.x, p.blocks);
    u32 parity = 0;
#pragma unroll 1
    for (u32 row = row_part(blockIdx.x, p.blocks); row < p.rows; row += groups, parity ^= 1) {
        RowStream<Rows, V, R, THREADS, ASIDE, FULL, K> stream{p, feed.reach, room, columns, {}};
        row_bases(p, row, stream.base);
        // Where a vector is missing its registers hold nothing; else they would be those of the row before.
        Rows s{};
        s.begin(p, stream.base);
        stream.load(s, feed, parity);
        feed.release();
        feed.ask_next(row + groups, parity);
        if constexpr (JOINING == RowJoining::ONCE) {
            stream.soften(s);
        } else {
            stream.template passes<0>(s);
            if constexpr (Rows::ELEMENTS > 0) stream.finish(s);
        }
        if (room.rank == 0 && threadIdx.x == 0) s.finish_row(p, stream.base);
    }
}

template <template <int, int> class Program, int V, int R, int THREADS, RowAside ASIDE, RowJoining JOINING, int K>
__device__ __forceinline__ void stream_rows(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    const u32 rank = p.blocks > 1 ? cluster_rank() : 0;
    const RowFeed<Rows, V, K> feed{p, RowReach::of(p, rank)};
    constexpr bool KNOWN = THREADS > 0;
    RowStreamRoom<Rows::ROOM> room(row_shared() + p.room + ROW_STREAM_BARRIERS, KNOWN ? THREADS : blockDim.x, p.blocks, rank);
    RowColumnSums<Rows, V, R> columns;
    feed.begin();
    if (p.blocks > 1) cluster_arrive();
    feed.ask(row_part(blockIdx.x, p.blocks));
    // Blocks of a cluster write into each other: all have to be there.
    if (p.blocks > 1) cluster_wait();
    // Where threads meet once nobody has to ask: with both loops in a kernel the registers of one are those of the other.
    if (JOINING == RowJoining::ONCE || feed.reach.end - feed.reach.begin == R * blockDim.x) {
        stream_through<Rows, V, R, THREADS, ASIDE, JOINING, true>(p, feed, room, columns);
    } else if constexpr (JOINING == RowJoining::PASSES) {
        stream_through<Rows, V, R, THREADS, ASIDE, JOINING, false>(p, feed, room, columns);
    }
    feed.end();
    if constexpr (Rows::SUMS > 0) Rows::sums(RowColumnSumsEnd<Rows, V, R, K>{p, feed.reach, columns});
}

#else

// Cards before 9.0 have no bulk copies: nobody launches these kernels there.
template <template <int, int> class Program, int V, int R, int THREADS, RowAside ASIDE, RowJoining JOINING, int K>
__device__ __forceinline__ void stream_rows(const RowProgramParams<K>&) {}

#endif

}  // namespace syntonic

// The kernel of a program whose rows stream by, R vectors a thread; a multiprocessor has room for ROOM blocks of MOST threads.
#define SYNTONIC_ROWS_STREAM(ENTRY, PROGRAM, K, V, R, MOST, ROOM, THREADS, ASIDE, JOINING)                           \
    extern "C" __global__ void __launch_bounds__(MOST, ROOM) ENTRY(                                         \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::stream_rows<PROGRAM, V, R, THREADS, syntonic::RowAside::ASIDE, syntonic::RowJoining::JOINING, K>(p);   \
    }
