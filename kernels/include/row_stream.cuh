// Streaming rows: a persistent block keeps its row in registers while a TMA bulk-copy pipeline brings the next one to shared
// memory. Included after row_program.cuh.
//
// A block has one row, or its part of one where a cluster shares it, and a thread at most R vectors of that. The pipeline has one
// stage: once all threads have moved it into registers, thread 0 issues the copy of the next row, which is in flight while this
// one is folded and written.
#pragma once
#include "bulk_copy.cuh"

namespace syntonic {

// mbarriers: the stage is full; it is empty, by an arrival of every thread; and two for the cluster reductions.
constexpr u32 ROW_STREAM_COUNT = 4;
constexpr u32 ROW_STREAM_BARRIERS = 8 * ROW_STREAM_COUNT;
// The same number stands in crates/syntonic-cuda/src/rows/stream.rs.
static_assert(ROW_STREAM_BARRIERS == 32, "mirrored in Rust");

// Operands that are not streamed, since all rows share them.
enum class RowAside {
    HELD,   // register-resident with the row
    AGAIN,  // read through the cache at each use: registers are for the first operand alone
};

// How the threads of a row reduce it.
enum class RowJoining {
    PASSES,  // one exchange a pass
    ONCE,    // one exchange in all: an online softmax, where every thread has R vectors
};

#if __CUDA_ARCH__ >= 900

// A block's part of a row: a multiple of 32 vectors, so that each begins at a multiple of 16 bytes.
struct RowReach {
    u32 begin, end;  // vectors

    template <int K> static __device__ __forceinline__ RowReach of(const RowProgramParams<K>& p, u32 rank) {
        const u32 part = (row_part(p.vectors + p.blocks - 1, p.blocks) + 31) & ~31u;
        return RowReach{min(rank * part, p.vectors), min((rank + 1) * part, p.vectors)};
    }
};

// The exchange of a row that whole warps share.
template <int BYTES> struct RowStreamExchange : RowMailbox<BYTES> {
    using Mailbox = RowMailbox<BYTES>;
    using Mailbox::entry, Mailbox::warps;

    __device__ __forceinline__ RowStreamExchange(unsigned char* here, u32 threads, u32 blocks, u32 rank)
        : Mailbox{here, threads, blocks, rank, 0, 0} {}
    __device__ __forceinline__ u32 lanes() const { return 32; }
    // As `put`, of two values: the first is in the lower half of the lanes, the second in the upper half.
    template <class Acc> __device__ __forceinline__ void put_halves(const Acc& a) const {
        const u32 lane = threadIdx.x & 31;
        this->coming += 2 * Mailbox::template whole_words<Acc>();
        this->leave(a, lane / 16 * (u32)sizeof(Acc), lane & 15);
    }
    // The peak of all warps: first the largest value, so that each is scaled once. Every thread has the same bits.
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
    // Every thread has the result, joined in the order of RowExchange.
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
        static_assert(sizeof(Pair) <= BYTES, "room for two folds");
        const u32 lane = threadIdx.x & 31;
        Pair p = *reinterpret_cast<const Pair*>(entry(lane & (warps() - 1)));
        for (u32 k = lane + 32; k < warps(); k += 32) {
            p = Pair::template joined<F>(p, *reinterpret_cast<const Pair*>(entry(k)));
        }
        return {join_few<F>(p.first, warps()), join_few<F>(p.second, warps())};
    }
};

template <int BYTES> struct RowJoins<RowStreamExchange<BYTES>> : RowHalves<RowStreamExchange<BYTES>> {
    template <class F>
    static __device__ __forceinline__ typename F::Acc lanes(const RowStreamExchange<BYTES>&, typename F::Acc a) {
        return join_few<F>(a, 32);
    }
};

// Issues the bulk copies of some vectors of a row.
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

// The producer side of a block's pipeline, and the release of its stage.
template <class Program, int V, int K> struct RowProducer {
    const RowProgramParams<K>& p;
    RowReach reach;

    // A row has arrived; every thread has read it.
    __device__ __forceinline__ u64* full() const { return reinterpret_cast<u64*>(row_shared() + p.buffer_bytes); }
    __device__ __forceinline__ u64* empty() const { return full() + 1; }
    // One thread each.
    __device__ __forceinline__ bool has_barrier() const { return threadIdx.x < ROW_STREAM_COUNT; }
    __device__ __forceinline__ void begin() const {
        if (has_barrier()) {
            mbarrier_init(full() + threadIdx.x, threadIdx.x == 1 ? blockDim.x : 1);
            mbarrier_init_fence();
        }
        __syncthreads();
    }
    // Called when no thread waits at an mbarrier any more.
    __device__ __forceinline__ void end() const {
        __syncthreads();
        if (has_barrier()) mbarrier_inval(full() + threadIdx.x);
    }
    // Each thread by itself, whether or not it had a vector.
    __device__ __forceinline__ void release() const { mbarrier_arrive(empty()); }
    // Issues the copy of the next row once all threads have released the stage. The whole first warp waits: if one thread did, the
    // others would run ahead of it, which costs up to a quarter.
    __device__ __forceinline__ void load_next(u32 row, u32 parity) const {
        if (row < p.rows && threadIdx.x < 32) mbarrier_wait(empty(), parity);
        load(row);
    }
    // Thread 0 issues the copy of a row.
    __device__ __forceinline__ void load(u32 row) const {
        if (row >= p.rows || threadIdx.x != 0) return;
        int64_t base[K];
        row_bases(p, row, base);
        const u32 vectors = reach.end - reach.begin;
        u32 bytes = 0;
        Program::fetch(RowBytes<K, V>{p, vectors, bytes});
        mbarrier_arrive_expect_tx(full(), bytes);
        if (vectors > 0) Program::fetch(RowCopy<K, V>{p, base, reach.begin, vectors, row_shared(), full()});
    }
};

// A thread's partial column sums over its rows, where the program has any.
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

// Vector k of a thread, of a register-resident row.
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
    // Where many operands are streamed, stores are evict-first.
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, V>& v) const {
        v.template write<Program::SUMS ? CacheHint::EVICT_FIRST : CacheHint::DEFAULT>(address<T>(operand));
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

// Vector k of a thread of a softmax: its exponentials are relative to the maximum of its warp, and `scale` makes them relative to
// that of the row.
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

// Moves what the first stage reads into registers: the streamed operands, or the others.
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

// One row in registers. THREADS: block size, if fixed. FULL: every thread has R vectors, so there are no guards.
template <class Program, int V, int R, int THREADS, RowAside ASIDE, bool FULL, int K> struct RowStream {
    const RowProgramParams<K>& p;
    RowReach reach;
    RowStreamExchange<Program::EXCHANGE_BYTES>& exchange;
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
    // The loads of the other operands are in flight while the threads wait for the row.
    __device__ __forceinline__ void load(Program& s, const RowProducer<Program, V, K>& producer, u32 parity) {
        if constexpr (ASIDE == RowAside::HELD) {
            each([&](u32 vector, u32 index, int k) { s.load(RowStreamLoad<Program, V, K, false>{p, base, vector, index, k}); });
        }
        mbarrier_wait(producer.full(), parity);
        each([&](u32 vector, u32 index, int k) { s.load(RowStreamLoad<Program, V, K, true>{p, base, vector, index, k}); });
    }
    template <int PASS> __device__ __forceinline__ void passes(Program& s) {
        if constexpr (PASS < Program::PASSES) {
            const u32 first = reach.begin + threadIdx.x;
            auto folds = s.start(Pass<PASS>{});
            each([&](u32 vector, u32, int k) {
                s.statements(Pass<PASS>{}, folds, RowStreamAt<Program, V, R, ASIDE, K>{p, base, columns, vector, k}, k * V);
            });
            s.join(Pass<PASS>{}, folds, exchange, FULL || first < reach.end, [&](u32 k) {
                return (u64)(first + k / V * threads()) * V + k % V;
            }, p);
            exchange.next();
            passes<PASS + 1>(s);
        }
    }
    __device__ __forceinline__ void finish(Program& s) {
        each([&](u32 vector, u32, int k) { s.finish(RowStreamAt<Program, V, R, ASIDE, K>{p, base, columns, vector, k}); });
    }
    // Online softmax with one exchange: a warp computes exponentials relative to its own maximum, and scales them when the row's
    // maximum is known. A warp of minus infinities counts for nothing: their distance from the maximum is NaN.
    __device__ __forceinline__ void softmax(Program& s) {
        static_assert(FULL, "missing values would count");
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
        exchange.template put<0>(Peak{(double)top, join_few<Sum<double>>((double)tree<R * V>(x), 32)});
        exchange.sync();
        const Peak all = exchange.template peak<T>();
        exchange.next();
        s.measured(typename Measures::Acc{all}, p);
        const T scale = (T)Peaks<T>::scale(top, (T)all.top);
        each([&](u32 vector, u32, int k) {
            s.finish(RowPeakAt<Program, V, R, ASIDE, K>{{p, base, columns, vector, k}, x, scale});
        });
    }
};

// A block writes one row of partial column sums.
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
__device__ __forceinline__ void stream_through(const RowProgramParams<K>& p, const RowProducer<Rows, V, K>& producer,
                                               RowStreamExchange<Rows::EXCHANGE_BYTES>& exchange, RowColumnSums<Rows, V, R>& columns) {
    const u32 groups = row_part(gridDim.x, p.blocks);
    u32 parity = 0;
#pragma unroll 1
    for (u32 row = row_part(blockIdx.x, p.blocks); row < p.rows; row += groups, parity ^= 1) {
        RowStream<Rows, V, R, THREADS, ASIDE, FULL, K> stream{p, producer.reach, exchange, columns, {}};
        row_bases(p, row, stream.base);
        // The registers of missing vectors are zero: else they would be those of the row before.
        Rows s{};
        s.begin(p, stream.base);
        stream.load(s, producer, parity);
        producer.release();
        producer.load_next(row + groups, parity);
        if constexpr (JOINING == RowJoining::ONCE) {
            stream.softmax(s);
        } else {
            stream.template passes<0>(s);
            if constexpr (Rows::ELEMENTS > 0) stream.finish(s);
        }
        if (exchange.rank == 0 && threadIdx.x == 0) s.finish_row(p, stream.base);
    }
}

template <template <int, int> class Program, int V, int R, int THREADS, RowAside ASIDE, RowJoining JOINING, int K>
__device__ __forceinline__ void stream_rows(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    const u32 rank = p.blocks > 1 ? cluster_rank() : 0;
    const RowProducer<Rows, V, K> producer{p, RowReach::of(p, rank)};
    constexpr bool KNOWN = THREADS > 0;
    RowStreamExchange<Rows::EXCHANGE_BYTES> exchange(row_shared() + p.buffer_bytes + ROW_STREAM_BARRIERS, KNOWN ? THREADS : blockDim.x, p.blocks, rank);
    RowColumnSums<Rows, V, R> columns;
    producer.begin();
    if (p.blocks > 1) cluster_arrive();
    producer.load(row_part(blockIdx.x, p.blocks));
    // Blocks of a cluster write to each other's shared memory: all have to be resident.
    if (p.blocks > 1) cluster_wait();
    // With one exchange, rows are full: a kernel with both loops would take the registers of the larger one.
    if (JOINING == RowJoining::ONCE || producer.reach.end - producer.reach.begin == R * blockDim.x) {
        stream_through<Rows, V, R, THREADS, ASIDE, JOINING, true>(p, producer, exchange, columns);
    } else if constexpr (JOINING == RowJoining::PASSES) {
        stream_through<Rows, V, R, THREADS, ASIDE, JOINING, false>(p, producer, exchange, columns);
    }
    producer.end();
    if constexpr (Rows::SUMS > 0) Rows::sums(RowColumnSumsEnd<Rows, V, R, K>{p, producer.reach, columns});
}

#else

// There are no bulk copies before 9.0, and these kernels are not launched there.
template <template <int, int> class Program, int V, int R, int THREADS, RowAside ASIDE, RowJoining JOINING, int K>
__device__ __forceinline__ void stream_rows(const RowProgramParams<K>&) {}

#endif

}  // namespace syntonic

// The streaming kernel of a program, R vectors a thread; BLOCKS_PER_SM blocks of MOST threads are resident.
#define SYNTONIC_ROWS_STREAM(ENTRY, PROGRAM, K, V, R, MOST, BLOCKS_PER_SM, THREADS, ASIDE, JOINING)                           \
    extern "C" __global__ void __launch_bounds__(MOST, BLOCKS_PER_SM) ENTRY(                                         \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::stream_rows<PROGRAM, V, R, THREADS, syntonic::RowAside::ASIDE, syntonic::RowJoining::JOINING, K>(p);   \
    }
