// Rows that fit no cluster: every pass reads them again, and nothing of an element is kept between passes. Comes after
// row_program.cuh.
//
// Blocks have parts of rows. An item is one pass over a part; whoever folds the last part of a row joins all of them, in
// the order of the parts, and lets those in that come after. A wave is some rows that fit the cache several times over: the
// first pass of a wave comes before the second one of the wave before it, and so on, so that an item waits for others
// that were begun long before, and finds what it reads in the cache.
#pragma once

namespace syntonic {

template <int K> struct RowPassesParams {
    // `blocks` parts of a row, of `turns` vectors each; `partial`: what parts and rows come to.
    RowProgramParams<K> rows;
    u64 counters;  // zero before and after: tickets, and some for each row
    u32 wave;      // rows of a wave
    u32 waves;
};
// The same number stands in crates/syntonic-cuda/src/rows/passes.rs.
static_assert(sizeof(RowPassesParams<2>) == sizeof(RowProgramParams<2>) + 16, "mirrored in Rust");

// The tickets have a line of the cache to themselves.
constexpr u32 ROW_PASSES_TICKETS = 32;

struct RowPassItem {
    u32 pass, row, part;
    bool any;
};

// The item of a ticket: each step has one wave at every pass, the first pass first.
template <int PASSES, int K> __device__ __forceinline__ RowPassItem row_pass_item(const RowPassesParams<K>& p, u32 ticket) {
    const u32 items = p.wave * p.rows.blocks, slot = ticket / items, rest = ticket - slot * items;
    const u32 step = slot / (PASSES + 1), pass = slot - step * (PASSES + 1), row = rest / p.rows.blocks;
    const u32 first = (step - pass) * p.wave;
    return RowPassItem{pass, first + row, rest - row * p.rows.blocks,
                       pass <= step && step - pass < p.waves && first + row < p.rows.rows};
}

// What parts of rows and whole rows come to, in device memory: 16 bytes a fold. Other blocks wrote it, so that no nearer
// cache may be asked.
template <class Acc> __device__ __forceinline__ Acc row_pass_seen(const unsigned char* from) {
    static_assert(sizeof(Acc) <= 16, "has a place");
    const uint4 bits = __ldcg(reinterpret_cast<const uint4*>(from));
    Acc value;
    memcpy(&value, &bits, sizeof(Acc));
    return value;
}
template <class Acc> __device__ __forceinline__ void row_pass_tell(unsigned char* to, const Acc& value) {
    uint4 bits{};
    memcpy(&bits, &value, sizeof(Acc));
    __stcg(reinterpret_cast<uint4*>(to), bits);
}

// Where a program's joins take what they join, in place of the threads of a row. What the threads of a part have:
struct RowPassPart {
    unsigned char* to;
    __device__ __forceinline__ u32 lanes() const { return 1; }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc&) const {}
    __device__ __forceinline__ void meet() const {}
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc a) const {
        a = join_block<F>(a);
        if (threadIdx.x == 0) row_pass_tell(to + AT, a);
        return a;
    }
};
// The parts of a row:
template <int BYTES> struct RowPassWhole {
    const unsigned char* parts;
    u32 count;
    unsigned char* to;
    __device__ __forceinline__ u32 lanes() const { return 1; }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc&) const {}
    __device__ __forceinline__ void meet() const {}
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc) const {
        using Acc = typename F::Acc;
        Acc a = F::nothing();
        for (u32 k = threadIdx.x; k < count; k += blockDim.x) a = F::join(a, row_pass_seen<Acc>(parts + k * BYTES + AT));
        a = join_block<F>(a);
        if (threadIdx.x == 0) row_pass_tell(to + AT, a);
        return a;
    }
};
// Nothing: the row is joined.
struct RowPassJoined {
    const unsigned char* from;
    __device__ __forceinline__ u32 lanes() const { return 1; }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc&) const {}
    __device__ __forceinline__ void meet() const {}
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc) const {
        return row_pass_seen<typename F::Acc>(from + AT);
    }
};

// Counters by which the blocks of a row wait for each other. What a block wrote before it is counted is seen by whoever
// sees the count.
struct RowPassCounter {
    u32* at;
    // True for the last of `count` blocks to come; leaves nothing counted.
    __device__ __forceinline__ bool comes_last(u32 count) const {
        __shared__ u32 before;
        if (threadIdx.x == 0) {
            __threadfence();
            before = atomicInc(at, count - 1);
            __threadfence();
        }
        __syncthreads();
        return before == count - 1;
    }
    __device__ __forceinline__ void open() const {
        __threadfence();
        atomicExch(at, 1u);
    }
    __device__ __forceinline__ void close() const { atomicExch(at, 0u); }
    __device__ __forceinline__ void wait() const {
        if (threadIdx.x == 0) {
            while (atomicAdd(at, 0u) == 0) __nanosleep(64);
            __threadfence();
        }
        __syncthreads();
    }
};

// One pass over a part of a row, of which a thread has R vectors at once.
template <class Program, int V, int R, int K> struct RowPass {
    static constexpr u32 BYTES = Program::ROOM;
    const RowPassesParams<K>& all;
    const RowPassItem& item;
    int64_t base[K];

    __device__ __forceinline__ const RowProgramParams<K>& p() const { return all.rows; }
    // Parts, and behind them the row, of each pass.
    __device__ __forceinline__ unsigned char* partial(u32 pass, u32 part) const {
        const u64 place = ((u64)item.row * Program::PASSES + pass) * (p().blocks + 1) + part;
        return reinterpret_cast<unsigned char*>(p().partial) + place * BYTES;
    }
    // For each pass: blocks that have folded, and the gate of those that come after. Then the blocks that are done.
    __device__ __forceinline__ RowPassCounter counter(u32 which) const {
        return RowPassCounter{reinterpret_cast<u32*>(all.counters) + ROW_PASSES_TICKETS +
                              item.row * (2 * Program::PASSES + 1) + which};
    }
    template <class Work> __device__ __forceinline__ void each(u32 vector, u32 end, Work work) const {
#pragma unroll
        for (int k = 0; k < R; ++k, vector += blockDim.x) {
            const u32 segment = p().run.quotient(vector);
            const RowPlace place{segment, vector - segment * p().run.by};
            if (vector < end) work(RowHeldAt<K, V>{p(), base, place, k});
        }
    }
    // `work(at, ordinal)` for each vector; all that come from memory at once are under way before any is worked on.
    template <class Work> __device__ __forceinline__ void through(Program& s, Work work) const {
        const u32 begin = item.part * p().turns, end = min(begin + p().turns, p().vectors);
        u32 ordinal = 0;
#pragma unroll 1
        for (u32 v = begin + threadIdx.x; v < end; v += blockDim.x * R, ordinal += R * V) {
            each(v, end, [&](const RowHeldAt<K, V>& at) { s.load(at); });
            each(v, end, [&](const RowHeldAt<K, V>& at) { work(at, ordinal + at.k * V); });
        }
    }
    template <int PASS, class Folds, class Room> __device__ __forceinline__ void join(Program& s, Folds& folds, const Room& room) const {
        const u32 first = item.part * p().turns + threadIdx.x;
        const bool any = first < min((item.part + 1) * p().turns, p().vectors);
        s.join(Pass<PASS>{}, folds, room, any, [&](u32 k) { return (u64)(first + k / V * blockDim.x) * V + k % V; }, p());
    }
    // What this pass takes of those before it.
    template <int PASS, int UNTIL> __device__ __forceinline__ void known(Program& s) const {
        if constexpr (PASS < UNTIL) {
            auto none = s.start(Pass<PASS>{});
            join<PASS>(s, none, RowPassJoined{partial(PASS, p().blocks)});
            known<PASS + 1, UNTIL>(s);
        }
    }
    template <int PASS> __device__ __forceinline__ void fold(Program& s) const {
        if constexpr (PASS > 0) counter(2 * PASS - 1).wait();
        known<0, PASS>(s);
        auto folds = s.start(Pass<PASS>{});
        through(s, [&](const RowHeldAt<K, V>& at, u32 ordinal) { s.again(Pass<PASS>{}, folds, at, ordinal); });
        join<PASS>(s, folds, RowPassPart{partial(PASS, item.part)});
        if (!counter(2 * PASS).comes_last(p().blocks)) return;
        auto none = s.start(Pass<PASS>{});
        join<PASS>(s, none, RowPassWhole<BYTES>{partial(PASS, 0), p().blocks, partial(PASS, p().blocks)});
        if (threadIdx.x == 0) counter(2 * PASS + 1).open();
    }
    __device__ __forceinline__ void write(Program& s) const {
        constexpr int PASSES = Program::PASSES;
        counter(2 * PASSES - 1).wait();
        known<0, PASSES>(s);
        through(s, [&](const RowHeldAt<K, V>& at, u32) { s.whole(at); });
        if (item.part == 0 && threadIdx.x == 0) s.finish_row(p(), base);
        if (!counter(2 * PASSES).comes_last(p().blocks) || threadIdx.x != 0) return;
#pragma unroll
        for (int pass = 0; pass < PASSES; ++pass) counter(2 * pass + 1).close();
    }
    template <int PASS> __device__ __forceinline__ void run(Program& s) const {
        if constexpr (PASS == Program::PASSES) {
            write(s);
        } else if (item.pass == PASS) {
            fold<PASS>(s);
        } else {
            run<PASS + 1>(s);
        }
    }
};

template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void pass_rows(const RowPassesParams<K>& p) {
    using Rows = Program<V, R>;
    __shared__ u32 ticket;
    // The last block to draw leaves no ticket drawn.
    if (threadIdx.x == 0) ticket = atomicInc(reinterpret_cast<u32*>(p.counters), gridDim.x - 1);
    __syncthreads();
    const RowPassItem item = row_pass_item<Rows::PASSES>(p, ticket);
    if (!item.any) return;
    RowPass<Rows, V, R, K> pass{p, item, {}};
    row_bases(p.rows, item.row, pass.base);
    Rows s;
    s.begin(p.rows, pass.base);
    pass.template run<0>(s);
}

}  // namespace syntonic

// The kernel of a program over rows that fit no cluster, R vectors a thread at once.
#define SYNTONIC_ROWS_PASSES(ENTRY, PROGRAM, K, V, R)                                                           \
    extern "C" __global__ void __launch_bounds__(512, 2) ENTRY##_passes(                                       \
        const __grid_constant__ syntonic::RowPassesParams<K> p) {                                               \
        syntonic::pass_rows<PROGRAM, V, R, K>(p);                                                               \
    }
