// A shared-memory ring of column parts, for strided reductions: every block has the same part of each column, reads it once, and
// keeps it in a ring of shared memory until all parts of the column are measured and this one is written. Neighbouring columns are
// a group, as in row_columns.cuh; messages are as in row_ring.cuh. Included after both.
//
// Two producer warps copy one piece of a group after the other by cp.async, 16 bytes a lane, since a group's contiguous runs are
// short. Teams of threads measure groups in turn, and send their partial results to the block that joins the column: another block
// for each column, so none receives all parts of all columns. A reducer warp joins the block's columns and sends the results to
// all blocks; a receiver warp gets those of every column. Other teams write, and release each piece to the producers. So a block
// has three groups in flight, and memory is busy while messages travel. The next group is prefetched to L2.
//
// Blocks wait for each other, so the launch is cooperative.
#pragma once

namespace syntonic {

// Producer threads; threads of a team; teams that measure, and as many that write. The same numbers stand in
// crates/syntonic-cuda/src/rows/column_ring.rs.
constexpr u32 COLUMN_PRODUCERS = 64;
constexpr u32 COLUMN_TEAM = 128;
constexpr u32 COLUMN_TEAMS = 2;
// Parts of a column that a lane polls at once.
constexpr int COLUMN_POLLS = 5;

#if __CUDA_ARCH__ >= 900

// The layout of shared memory behind the ring, and of the messages in device memory.
template <class Measures, int C, int K> struct ColumnRing {
    using Acc = typename Measures::Acc;
    using Message = typename Measures::Message;
    static constexpr u32 PACKETS = sizeof(Message) / 8;
    static constexpr u32 WARPS = COLUMN_TEAM / 32;
    const RowProgramParams<K>& p;
    u32 width;   // columns of a group
    u32 groups;
    u32 slots;
    u32 bytes;   // of a slot
    u32 pieces;  // of a block's part of a group, a slot each
    u32 sets;    // of message boxes: more than groups in the ring
    u32 begin, end;

    __device__ __forceinline__ ColumnRing(const RowProgramParams<K>& p)
        : p(p), width(p.across * C), groups(row_part(p.rows, width)), slots(p.ahead), bytes(p.buffer_bytes / slots), pieces(p.threads),
          sets(slots / pieces + 2), begin(blockIdx.x * p.turns), end(min(begin + p.turns, p.vectors)) {}

    __device__ __forceinline__ unsigned char* slot(u32 at) const { return row_shared() + at * bytes; }
    // Of a slot: its piece has arrived; every thread that measures or writes it has released it. Of a team's group: the results of
    // its columns are there; every thread that writes has read them.
    __device__ __forceinline__ u64* full(u32 at) const { return reinterpret_cast<u64*>(row_shared() + p.buffer_bytes) + at; }
    __device__ __forceinline__ u64* empty(u32 at) const { return full(slots + at); }
    __device__ __forceinline__ u64* ready(u32 group) const { return full(2 * slots + group % COLUMN_TEAMS); }
    __device__ __forceinline__ u64* taken(u32 group) const { return full(2 * slots + COLUMN_TEAMS + group % COLUMN_TEAMS); }
    __device__ __forceinline__ u32 barriers() const { return 2 * (slots + COLUMN_TEAMS); }
    // The results of the columns of a team's group; and the partial results of the measuring warps, double-buffered.
    __device__ __forceinline__ Acc* joined(u32 group) const {
        return reinterpret_cast<Acc*>(full(barriers())) + group % COLUMN_TEAMS * width;
    }
    __device__ __forceinline__ Acc* warps(u32 group) const {
        return joined(0) + (COLUMN_TEAMS + group % (2 * COLUMN_TEAMS) * WARPS) * width;
    }
    // Which of its team's groups this is, as a parity.
    static __device__ __forceinline__ u32 parity(u32 group) { return group / COLUMN_TEAMS & 1; }
    __device__ __forceinline__ u32* header() const { return reinterpret_cast<u32*>(p.partial); }
    // The message of a part of a column, and of the whole column. A block that measures a group has written the previous user of its
    // boxes, so all of that had been received.
    __device__ __forceinline__ unsigned char* box(u32 group, u32 column, u32 part) const {
        const u32 at = (group % sets * width + column) * p.parts.by + part;
        return reinterpret_cast<unsigned char*>(p.partial) + RING_HEADER + at * PACKETS * 16;
    }
    __device__ __forceinline__ unsigned char* result(u32 group, u32 column) const {
        return box(sets - 1, width, 0) + (group % sets * width + column) * PACKETS * 16;
    }
    __device__ __forceinline__ u32 tag(u32 first, u32 group) const { return first + group / sets; }

    // One thread each.
    __device__ __forceinline__ void open() const {
        for (u32 k = threadIdx.x; k < barriers(); k += blockDim.x) {
            const u32 joins = 2 * slots, takes = joins + COLUMN_TEAMS;
            mbarrier_init(full(k), k < slots ? COLUMN_PRODUCERS : k < joins ? 2 * COLUMN_TEAM : k < takes ? 32 : COLUMN_TEAM);
        }
        mbarrier_init_fence();
        __syncthreads();
    }
    __device__ __forceinline__ void close() const {
        __syncthreads();
        for (u32 k = threadIdx.x; k < barriers(); k += blockDim.x) mbarrier_inval(full(k));
    }
    // `work(group, each)` for every `by`-th group from `from` on; `each(work)` goes through its pieces with their beginnings, slots,
    // and the slots' turns.
    template <class Work> __device__ __forceinline__ void all_groups(u32 from, u32 by, Work work) const {
        u32 at = from * pieces, turn = 0;
        while (at >= slots) at -= slots, ++turn;
#pragma unroll 1
        for (u32 group = from; group < groups; group += by) {
            work(group, [&](auto each) {
#pragma unroll 1
                for (u32 piece = 0; piece < pieces; ++piece) {
                    each(begin + piece * p.chunk, at, turn);
                    if (++at == slots) at = 0, ++turn;
                }
            });
            at += (by - 1) * pieces;
            while (at >= slots) at -= slots, ++turn;
        }
    }
    __device__ __forceinline__ u32 count(u32 first) const { return first < end ? min(p.chunk, end - first) : 0; }
};

// Arrives on the mbarrier once all cp.async copies of this thread have completed.
__device__ __forceinline__ void arrive_with_copies(u64* barrier) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

// Issues the copy of a vector of columns.
template <int K, int C> struct ColumnCopy {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    RowPlace place;
    unsigned char* to;

    template <class T, bool FIRST> __device__ __forceinline__ void fetch(int operand) const {
        static_assert(C * sizeof(T) == 16, "whole vectors");
        row_copy<16>(to + p.region[operand], row_vector<const T, 1>(p, base, place, operand));
    }
};

// Prefetches it to L2, from where the group is copied when its slots are free.
template <int K, int C> struct ColumnAhead {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    RowPlace place;

    template <class T, bool FIRST> __device__ __forceinline__ void fetch(int operand) const {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(row_vector<const T, 1>(p, base, place, operand))));
    }
};

// An element of each column of a thread's vector, in shared memory.
template <int K, int C> struct ColumnArrivedAt : RowColumnAt<CacheHint::EVICT_FIRST, false, K, C> {
    const unsigned char* from;

    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        if (this->c == 0) {
            RowVector<T, C> v;
            v.read(from + this->p.region[operand]);
            this->template hold<T>(operand, v);
        }
        held[this->k].set(0, this->template vector<T>(operand).lane(this->c));
    }
};

// The share of one thread in a group: a vector of C columns, and every `steps`-th element of them.
template <class Rows, int C, int R, int K, u32 THREADS> struct ColumnShare {
    using Measures = typename Rows::Measures;
    using Near = typename Measures::Near;
    static_assert(Rows::OVER, "elements come of operands that are there, and of values of the row");
    const RowProgramParams<K>& p;
    u32 lane, step, steps;
    int64_t base[K];

    __device__ __forceinline__ ColumnShare(const RowProgramParams<K>& p, u32 thread) : p(p) {
        lane = thread & (p.across - 1), step = row_part(thread, p.across), steps = row_part(THREADS, p.across);
    }
    // The offset of element n of a piece in its slot.
    __device__ __forceinline__ u32 place(u32 n) const { return (n * p.across + lane) * 16; }
    __device__ __forceinline__ void begin(u32 group) { row_bases(p, (group * p.across + lane) * C, base); }
    __device__ __forceinline__ void begin(u32 group, Rows (&s)[C]) {
        begin(group);
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
    // `work(at, c)` for the columns of element n of a piece that begins with `first` and lies at `slot`.
    template <class Work> __device__ __forceinline__ void columns(u32 first, const unsigned char* slot, u32 n, int k, Work work) const {
        const RowPlace at = row_place(p, first + n);
        RowVector<u32, 4> vectors[K];
#pragma unroll
        for (int c = 0; c < C; ++c) work(ColumnArrivedAt<K, C>{{p, base, at, k, c, vectors}, slot + place(n)}, c);
    }
    template <int N>
    __device__ __forceinline__ void gather(Rows (&s)[C], Near (&sums)[C], u32 first, const unsigned char* slot, u32 n) const {
        typename Measures::Values x[C];
#pragma unroll
        for (int k = 0; k < N; ++k) columns(first, slot, n + k * steps, k, [&](const auto& at, int c) { s[c].load(at); });
#pragma unroll
        for (int k = 0; k < N; ++k) columns(first, slot, n + k * steps, k, [&](const auto& at, int c) { s[c].measure(at, x[c]); });
#pragma unroll
        for (int c = 0; c < C; ++c) Measures::template gather<N>(sums[c], x[c]);
    }
    // The rest after whole rounds, by halving.
    template <int N>
    __device__ __forceinline__ void rest(Rows (&s)[C], Near (&sums)[C], u32 first, const unsigned char* slot, u32 n, u32 count) const {
        if constexpr (N > 0) {
            if (n + (N - 1) * steps < count) {
                gather<N>(s, sums, first, slot, n);
                n += N * steps;
            }
            rest<N / 2>(s, sums, first, slot, n, count);
        }
    }
    __device__ __forceinline__ void measure(Rows (&s)[C], Near (&sums)[C], u32 first, const unsigned char* slot, u32 count) const {
        u32 n = step;
#pragma unroll 1
        for (; n + (R - 1) * steps < count; n += R * steps) gather<R>(s, sums, first, slot, n);
        rest<R / 2>(s, sums, first, slot, n, count);
    }
    __device__ __forceinline__ void write(Rows (&s)[C], u32 first, const unsigned char* slot, u32 count) const {
#pragma unroll 1
        for (u32 n = step; n < count; n += R * steps) {
#pragma unroll
            for (int k = 0; k < R; ++k) {
                const u32 here = n + k * steps;
                if (here < count) columns(first, slot, here, k, [&](const auto& at, int c) { s[c].load(at); });
            }
#pragma unroll
            for (int k = 0; k < R; ++k) {
                const u32 here = n + k * steps;
                if (here < count) columns(first, slot, here, k, [&](const auto& at, int c) { s[c].finish(at); });
            }
        }
    }
    __device__ __forceinline__ void finish_rows(Rows (&s)[C]) const {
        if (blockIdx.x != 0 || step != 0) return;
#pragma unroll
        for (int c = 0; c < C; ++c) {
            int64_t of[K];
            bases(c, of);
            s[c].finish_row(p, of);
        }
    }
};

// The producer threads.
template <class Rows, int C, int K> __device__ __forceinline__ void columns_produce(const RowProgramParams<K>& p, u32 thread) {
    const ColumnRing<typename Rows::Measures, C, K> ring(p);
    ColumnShare<Rows, C, 1, K, COLUMN_PRODUCERS> share(p, thread);
    ring.all_groups(0, 1, [&](u32 group, auto pieces) {
        share.begin(group);
        int64_t next[K];
        row_bases(p, min(group + 1, ring.groups - 1) * ring.width, next);
        pieces([&](u32 first, u32 slot, u32 turn) {
            if (turn > 0) mbarrier_wait(ring.empty(slot), (turn - 1) & 1);
            const u32 count = ring.count(first);
#pragma unroll 4
            for (u32 n = share.step; n < count; n += share.steps) {
                Rows::fetch(ColumnCopy<K, C>{p, share.base, row_place(p, first + n), ring.slot(slot) + share.place(n)});
            }
            arrive_with_copies(ring.full(slot));
#pragma unroll 1
            for (u32 n = thread; n < count; n += COLUMN_PRODUCERS) Rows::fetch(ColumnAhead<K, C>{p, next, row_place(p, first + n)});
        });
    });
}

// A team that measures.
template <class Rows, int C, int R, int K>
__device__ __forceinline__ void columns_measure(const RowProgramParams<K>& p, u32 team, u32 thread, u32 first_tag) {
    using Measures = typename Rows::Measures;
    using Ring = ColumnRing<Measures, C, K>;
    const Ring ring(p);
    ColumnShare<Rows, C, R, K, COLUMN_TEAM> share(p, thread);
    ring.all_groups(team, COLUMN_TEAMS, [&](u32 group, auto pieces) {
        Rows s[C];
        share.begin(group, s);
        typename Measures::Near sums[C];
#pragma unroll
        for (int c = 0; c < C; ++c) sums[c] = Measures::none();
        pieces([&](u32 first, u32 slot, u32 turn) {
            mbarrier_wait(ring.full(slot), turn & 1);
            share.measure(s, sums, first, ring.slot(slot), ring.count(first));
            mbarrier_arrive(ring.empty(slot));
        });
        auto* warps = ring.warps(group);
#pragma unroll
        for (int c = 0; c < C; ++c) {
            const auto all = Measures::template over_lanes<LEAST_ACROSS>(sums[c], p.across);
            if ((thread & 31) < p.across) warps[(thread >> 5) * ring.width + share.lane * C + c] = all;
        }
        asm volatile("barrier.cta.sync %0, %1;" ::"r"(1 + team), "n"(COLUMN_TEAM) : "memory");
        if (thread >= ring.width) return;
        auto near = Measures::none();
#pragma unroll
        for (u32 k = 0; k < Ring::WARPS; ++k) Measures::take(near, warps[k * ring.width + thread]);
        ring_send_all(ring.box(group, thread, blockIdx.x), Measures::to_message(Measures::template over_lanes<32>(near, 32)),
                      ring.tag(first_tag, group));
    });
}

// The reducer warp, which joins the block's columns: every gridDim.x-th of all.
template <class Measures, int C, int K> __device__ __forceinline__ void columns_reduce(const RowProgramParams<K>& p, u32 first_tag) {
    using Ring = ColumnRing<Measures, C, K>;
    const Ring ring(p);
    const u32 lane = threadIdx.x & 31, parts = p.parts.by;
#pragma unroll 1
    for (u32 column = blockIdx.x; column < p.rows; column += gridDim.x) {
        const u32 group = row_part(column, ring.width), tag = ring.tag(first_tag, group);
        auto near = Measures::none();
#pragma unroll 1
        for (u32 first = 0; first < parts; first += 32 * COLUMN_POLLS) {
            const u32 from = first + lane;
            typename Measures::Message message[COLUMN_POLLS];
            bool all;
            do {
                all = true;
                // All polls are in flight together. Past the end, the last packet is polled again.
#pragma unroll
                for (int k = 0; k < COLUMN_POLLS; ++k) {
                    all &= ring_receive(ring.box(group, column & (ring.width - 1), min(from + 32 * k, parts - 1)), message[k], tag);
                }
            } while (!__all_sync(~0u, all));
#pragma unroll
            for (int k = 0; k < COLUMN_POLLS; ++k) {
                const u32 part = from + 32 * k;
                if (part < parts) Measures::take(near, Measures::from_message(message[k], min(p.turns, p.vectors - part * p.turns)));
            }
        }
        const auto message = Measures::to_message(Measures::template over_lanes<1>(near, 1));
        if (lane == 0) ring_send_all(ring.result(group, column & (ring.width - 1)), message, tag);
    }
}

// The receiver warp, which gets the results of all columns.
template <class Measures, int C, int K> __device__ __forceinline__ void columns_receive(const RowProgramParams<K>& p, u32 first_tag) {
    const ColumnRing<Measures, C, K> ring(p);
#pragma unroll 1
    for (u32 group = 0; group < ring.groups; ++group) {
        if (group >= COLUMN_TEAMS) mbarrier_wait(ring.taken(group), ring.parity(group) ^ 1);
#pragma unroll 1
        for (u32 column = threadIdx.x & 31; column < ring.width; column += 32) {
            typename Measures::Message message;
            while (!ring_receive(ring.result(group, column), message, ring.tag(first_tag, group))) {
            }
            ring.joined(group)[column] = Measures::from_message(message, p.vectors);
        }
        mbarrier_arrive(ring.ready(group));
    }
}

// A team that writes.
template <class Rows, int C, int R, int K>
__device__ __forceinline__ void columns_write(const RowProgramParams<K>& p, u32 team, u32 thread) {
    const ColumnRing<typename Rows::Measures, C, K> ring(p);
    ColumnShare<Rows, C, R, K, COLUMN_TEAM> share(p, thread);
    ring.all_groups(team, COLUMN_TEAMS, [&](u32 group, auto pieces) {
        Rows s[C];
        share.begin(group, s);
        mbarrier_wait(ring.ready(group), ring.parity(group));
#pragma unroll
        for (int c = 0; c < C; ++c) s[c].measured(ring.joined(group)[share.lane * C + c], p);
        mbarrier_arrive(ring.taken(group));
        pieces([&](u32 first, u32 slot, u32 turn) {
            mbarrier_wait(ring.full(slot), turn & 1);
            share.write(s, first, ring.slot(slot), ring.count(first));
            mbarrier_arrive(ring.empty(slot));
        });
        share.finish_rows(s);
    });
}

template <template <int, int> class Program, int C, int R, int K>
__device__ __forceinline__ void columns_in_ring(const RowProgramParams<K>& p) {
    using Rows = Program<1, R>;
    using Measures = typename Rows::Measures;
    const ColumnRing<Measures, C, K> ring(p);
    ring.open();
    const u32 tag = __ldcg(ring.header()) + 1, thread = threadIdx.x - 64;
    if (threadIdx.x < 32) {
        columns_reduce<Measures, C>(p, tag);
    } else if (threadIdx.x < 64) {
        columns_receive<Measures, C>(p, tag);
    } else if (thread < COLUMN_PRODUCERS) {
        columns_produce<Rows, C>(p, thread);
    } else {
        const u32 here = thread - COLUMN_PRODUCERS, team = here / COLUMN_TEAM;
        if (team < COLUMN_TEAMS) {
            columns_measure<Rows, C, R>(p, team, here % COLUMN_TEAM, tag);
        } else {
            columns_write<Rows, C, R>(p, team - COLUMN_TEAMS, here % COLUMN_TEAM);
        }
    }
    ring.close();
    // The last block advances the tag past those of this launch.
    if (threadIdx.x == 0 && atomicInc(ring.header() + 1, gridDim.x - 1) == gridDim.x - 1) {
        atomicAdd(ring.header(), (ring.groups - 1) / ring.sets + 1);
    }
}

#else

// There are no such mbarriers before 9.0, and these kernels are not launched there.
template <template <int, int> class Program, int C, int R, int K>
__device__ __forceinline__ void columns_in_ring(const RowProgramParams<K>&) {}

#endif

}  // namespace syntonic

// The kernel of strided rows, for a cooperative launch.
#define SYNTONIC_ROW_COLUMN_RING(ENTRY, PROGRAM, K, C, R)                                                        \
    extern "C" __global__ void __launch_bounds__(640, 1) ENTRY##_column_ring(                                      \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::columns_in_ring<PROGRAM, C, R, K>(p);                                                         \
    }
