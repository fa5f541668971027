// Multi-pass grid reduction, for rows that fit no cluster: every pass reads them again, and no element is kept between passes.
// Included after row_program.cuh.
//
// An item is one pass over a part of a row. The block that folds the last part of a row joins all parts in order, and releases the
// next pass. A wave is some rows that fit L2 several times over: the first pass of a wave comes before the second pass of the
// previous wave, and so on. So an item waits for items that began long before, and finds its operands in L2.
//
// A program without elements has one item less for each part: the block that joins the last pass writes the row's results. So a
// few rows, or one whole array, occupy all multiprocessors.
#pragma once

namespace syntonic {

template <int K> struct RowPassesParams {
    // `blocks` parts of a row, of `turns` vectors each; `partial`: partial results of parts and rows.
    RowProgramParams<K> rows;
    u64 counters;  // zero before and after: of the scheduler, and some for each row
    u32 wave;      // rows of a wave
    u32 waves;
};
// The same number stands in crates/syntonic-cuda/src/rows/passes.rs.
static_assert(sizeof(RowPassesParams<2>) == sizeof(RowProgramParams<2>) + 16, "mirrored in Rust");

// The scheduler's counter has a cache line to itself.
constexpr u32 ROW_PASSES_COUNTERS = 32;

struct RowPassItem {
    u32 pass, row, part;
    bool any;
};

// A program whose first pass finds a scale for the sums of its second, where the scale cancels in the results: one reading folds
// both without the scale. The second pass is skipped where these sums are settled, as they are unless sizes are near the ends of
// the type's range.
template <class Program, class = void> constexpr bool ROW_SETTLES = false;
template <class Program> constexpr bool ROW_SETTLES<Program, std::void_t<typename Program::Settles>> = true;

// True where unscaled sums of squares of values up to `top` are as exact as sums with `top` as unit.
template <class T> struct RowSettled {
    static constexpr bool SINGLE = sizeof(T) == 4;
    T top;

    __device__ __forceinline__ bool nothing() const { return top == T(0) || top != top; }
    __device__ __forceinline__ bool plain() const {
        return top >= T(SINGLE ? 0x1p-20 : 0x1p-200) && top <= T(SINGLE ? 0x1p20 : 0x1p200);
    }
    __device__ __forceinline__ bool plain(T sum) const {
        const T size = sum < T(0) ? -sum : sum;
        return size >= T(SINGLE ? 0x1p-60 : 0x1p-500) && size <= T(SINGLE ? 0x1p100 : 0x1p900);
    }
    template <class... Sums> __device__ __forceinline__ bool by(Sums... sum) const {
        return nothing() || (plain() && (plain(sum) && ...));
    }
};

// Stages of each part: every pass, and the elements if there are any.
template <class Program> constexpr int ROW_STAGES = Program::PASSES + (Program::ELEMENTS > 0 ? 1 : 0);

// Item `number`: each step has one wave at every stage, the first stage first. Every other stage goes backwards: of a row larger
// than L2, the last part read is still there.
template <int STAGES, int K> __device__ __forceinline__ RowPassItem row_pass_item(const RowPassesParams<K>& p, u32 number) {
    const u32 items = p.wave * p.rows.blocks, slot = number / items, rest = number - slot * items;
    const u32 step = slot / STAGES, pass = slot - step * STAGES, row = rest / p.rows.blocks;
    const u32 first = (step - pass) * p.wave, part = rest - row * p.rows.blocks;
    return RowPassItem{pass, first + row, pass & 1 ? p.rows.blocks - 1 - part : part,
                       pass <= step && step - pass < p.waves && first + row < p.rows.rows};
}

// Partial results of parts and rows in device memory, 16 bytes a fold. Other blocks wrote them, so loads bypass L1.
template <class Acc> __device__ __forceinline__ Acc row_pass_read(const unsigned char* from) {
    static_assert(sizeof(Acc) <= 16, "fits");
    const uint4 bits = __ldcg(reinterpret_cast<const uint4*>(from));
    Acc value;
    memcpy(&value, &bits, sizeof(Acc));
    return value;
}
template <class Acc> __device__ __forceinline__ void row_pass_write(unsigned char* to, const Acc& value) {
    uint4 bits{};
    memcpy(&bits, &value, sizeof(Acc));
    __stcg(reinterpret_cast<uint4*>(to), bits);
}

// The exchanges of a program's joins, in place of the threads of a row. Of the threads of a part:
struct RowPassPart {
    unsigned char* to;
    __device__ __forceinline__ u32 lanes() const { return 1; }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc&) const {}
    __device__ __forceinline__ void sync() const {}
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc a) const {
        a = join_block<F>(a);
        if (threadIdx.x == 0) row_pass_write(to + AT, a);
        return a;
    }
};
// Of the parts of a row:
template <int BYTES> struct RowPassWhole {
    const unsigned char* parts;
    u32 count;
    unsigned char* to;
    __device__ __forceinline__ u32 lanes() const { return 1; }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc&) const {}
    __device__ __forceinline__ void sync() const {}
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc) const {
        using Acc = typename F::Acc;
        Acc a = F::nothing();
        for (u32 k = threadIdx.x; k < count; k += blockDim.x) a = F::join(a, row_pass_read<Acc>(parts + k * BYTES + AT));
        a = join_block<F>(a);
        if (threadIdx.x == 0) row_pass_write(to + AT, a);
        return a;
    }
};
// None: the row is joined.
struct RowPassJoined {
    const unsigned char* from;
    __device__ __forceinline__ u32 lanes() const { return 1; }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc&) const {}
    __device__ __forceinline__ void sync() const {}
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc) const {
        return row_pass_read<typename F::Acc>(from + AT);
    }
};

// Counters and flags between the blocks of a row. They publish the block's earlier writes.
struct RowPassCounter {
    u32* at;
    // Last-block counter: true in the last of `count` blocks, which resets it.
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
    __device__ __forceinline__ void set() const {
        __threadfence();
        atomicExch(at, 1u);
    }
    __device__ __forceinline__ void reset() const { atomicExch(at, 0u); }
    __device__ __forceinline__ void wait() const {
        if (threadIdx.x == 0) {
            while (atomicAdd(at, 0u) == 0) __nanosleep(64);
            __threadfence();
        }
        __syncthreads();
    }
};

// One pass over a part of a row; a thread has R vectors in flight.
template <class Program, int V, int R, int K> struct RowPass {
    static constexpr u32 BYTES = Program::EXCHANGE_BYTES;
    // No multiprocessor reads a part twice. With stores as well, no_allocate is slower.
    using At = RowHeldAt<K, V, Program::ELEMENTS == 0 ? CacheHint::NO_ALLOCATE : CacheHint::DEFAULT>;
    const RowPassesParams<K>& all;
    const RowPassItem& item;
    int64_t base[K];

    __device__ __forceinline__ const RowProgramParams<K>& p() const { return all.rows; }
    // The parts of each pass, followed by the row.
    __device__ __forceinline__ unsigned char* partial(u32 pass, u32 part) const {
        const u64 place = ((u64)item.row * Program::PASSES + pass) * (p().blocks + 1) + part;
        return reinterpret_cast<unsigned char*>(p().partial) + place * BYTES;
    }
    // For each pass: blocks that have folded, and the flag that releases the next pass. Then the blocks that are done.
    __device__ __forceinline__ RowPassCounter counter(u32 which) const {
        return RowPassCounter{reinterpret_cast<u32*>(all.counters) + ROW_PASSES_COUNTERS +
                              item.row * (2 * Program::PASSES + 1) + which};
    }
    template <int N, class Work> __device__ __forceinline__ void each(u32 vector, Work work) const {
#pragma unroll
        for (int k = 0; k < N; ++k, vector += blockDim.x) {
            const u32 segment = p().run.quotient(vector);
            work(At{p(), base, RowPlace{segment, vector - segment * p().run.by}, k});
        }
    }
    // `work(at, ordinal)` for N vectors; all loads are in flight before any arithmetic.
    template <int STAGE, int N, class Work>
    __device__ __forceinline__ void some(Program& s, u32 vector, u32 ordinal, Work work) const {
        each<N>(vector, [&](const At& at) { s.load_again(Pass<STAGE>{}, at); });
        each<N>(vector, [&](const At& at) { work(at, ordinal + at.k * V); });
    }
    // The same for each vector of the part: R at once, without guards, the rest one by one.
    template <int STAGE, class Work> __device__ __forceinline__ void through(Program& s, Work work) const {
        const u32 begin = item.part * p().turns, end = min(begin + p().turns, p().vectors);
        const u32 before = (R - 1) * blockDim.x;
        u32 v = begin + threadIdx.x, ordinal = 0;
#pragma unroll 1
        for (; v + before < end; v += R * blockDim.x, ordinal += R * V) some<STAGE, R>(s, v, ordinal, work);
        if constexpr (R > 1) {
#pragma unroll 1
            for (; v < end; v += blockDim.x, ordinal += V) some<STAGE, 1>(s, v, ordinal, work);
        }
    }
    template <int PASS, class Folds, class Exchange> __device__ __forceinline__ void join(Program& s, Folds&& folds, const Exchange& exchange) const {
        const u32 first = item.part * p().turns + threadIdx.x;
        const bool any = first < min((item.part + 1) * p().turns, p().vectors);
        s.join(Pass<PASS>{}, folds, exchange, any, [&](u32 k) { return (u64)(first + k / V * blockDim.x) * V + k % V; }, p());
    }
    // The results of the passes before this one.
    template <int PASS, int UNTIL> __device__ __forceinline__ void known(Program& s) const {
        if constexpr (PASS < UNTIL) {
            auto none = s.start(Pass<PASS>{});
            join<PASS>(s, none, RowPassJoined{partial(PASS, p().blocks)});
            known<PASS + 1, UNTIL>(s);
        }
    }
    // Both passes in one reading; after it the row is done, or the second pass follows.
    __device__ __forceinline__ void settle(Program& s) const {
        s.unscaled();
        auto tops = s.start(Pass<0>{});
        auto sums = s.start(Pass<1>{});
        through<1>(s, [&](const At& at, u32 ordinal) {
            s.again(Pass<0>{}, tops, at, ordinal);
            s.again(Pass<1>{}, sums, at, ordinal);
        });
        join<0>(s, tops, RowPassPart{partial(0, item.part)});
        join<1>(s, sums, RowPassPart{partial(1, item.part)});
        if (!counter(0).comes_last(p().blocks)) return;
        join<0>(s, s.start(Pass<0>{}), RowPassWhole<BYTES>{partial(0, 0), p().blocks, partial(0, p().blocks)});
        join<1>(s, s.start(Pass<1>{}), RowPassWhole<BYTES>{partial(1, 0), p().blocks, partial(1, p().blocks)});
        if (threadIdx.x != 0) return;
        if (s.settles()) s.finish_row(p(), base);
        counter(1).set();
    }
    // True for the second pass of a row that is done. The caller has waited for the first pass.
    __device__ __forceinline__ bool is_settled() const {
        Program s;
        s.begin(p(), base);
        known<0, 2>(s);
        if (!s.settles()) return false;
        if (counter(2).comes_last(p().blocks) && threadIdx.x == 0) reset_flags<1>();
        return true;
    }
    template <int PASS> __device__ __forceinline__ void fold(Program& s) const {
        if constexpr (PASS > 0) counter(2 * PASS - 1).wait();
        if constexpr (ROW_SETTLES<Program>) {
            if (PASS == 0) return settle(s);
            if (is_settled()) return;
        }
        known<0, PASS>(s);
        auto folds = s.start(Pass<PASS>{});
        through<PASS>(s, [&](const At& at, u32 ordinal) { s.again(Pass<PASS>{}, folds, at, ordinal); });
        join<PASS>(s, folds, RowPassPart{partial(PASS, item.part)});
        if (!counter(2 * PASS).comes_last(p().blocks)) return;
        auto none = s.start(Pass<PASS>{});
        join<PASS>(s, none, RowPassWhole<BYTES>{partial(PASS, 0), p().blocks, partial(PASS, p().blocks)});
        if (threadIdx.x != 0) return;
        if constexpr (PASS + 1 < ROW_STAGES<Program>) {
            counter(2 * PASS + 1).set();
        } else {
            s.finish_row(p(), base);
            reset_flags<PASS>();
        }
    }
    // Resets the flags of the first passes, which all blocks of the row have passed.
    template <int COUNT> __device__ __forceinline__ void reset_flags() const {
#pragma unroll
        for (int pass = 0; pass < COUNT; ++pass) counter(2 * pass + 1).reset();
    }
    __device__ __forceinline__ void write(Program& s) const {
        constexpr int PASSES = Program::PASSES;
        counter(2 * PASSES - 1).wait();
        known<0, PASSES>(s);
        through<PASSES>(s, [&](const At& at, u32) { s.whole(at); });
        if (item.part == 0 && threadIdx.x == 0) s.finish_row(p(), base);
        if (counter(2 * PASSES).comes_last(p().blocks) && threadIdx.x == 0) reset_flags<PASSES>();
    }
    template <int PASS> __device__ __forceinline__ void run(Program& s) const {
        if constexpr (PASS == Program::PASSES) {
            write(s);
        } else if constexpr (PASS + 1 == ROW_STAGES<Program>) {
            fold<PASS>(s);
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
    __shared__ u32 drawn;
    u32 number = blockIdx.x;
    // Blocks that wait for others draw their items, since blocks begin in any order. The last block to draw resets the counter.
    if constexpr (ROW_STAGES<Rows> > 1) {
        if (threadIdx.x == 0) drawn = atomicInc(reinterpret_cast<u32*>(p.counters), gridDim.x - 1);
        __syncthreads();
        number = drawn;
    }
    const RowPassItem item = row_pass_item<ROW_STAGES<Rows>>(p, number);
    if (!item.any) return;
    RowPass<Rows, V, R, K> pass{p, item, {}};
    row_bases(p.rows, item.row, pass.base);
    Rows s;
    s.begin(p.rows, pass.base);
    pass.template run<0>(s);
}

}  // namespace syntonic

// The multi-pass kernel: vectors of V elements, R in flight a thread; BLOCKS_PER_SM blocks of THREADS are resident.
#define SYNTONIC_ROWS_PASSES(ENTRY, PROGRAM, K, V, R, THREADS, BLOCKS_PER_SM)                                             \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM) ENTRY(                                         \
        const __grid_constant__ syntonic::RowPassesParams<K> p) {                                               \
        syntonic::pass_rows<PROGRAM, V, R, K>(p);                                                               \
    }
