// Rows that lie across, in registers: neighbouring threads have neighbouring rows, the threads of a row have R elements
// each, and all of these are under way before any is worked on. Comes after row_program.cuh.
#pragma once

namespace syntonic {

// Where the threads of a row join what they have folded. A fold's values lie side by side, so that a warp meets no bank
// twice. A pass takes one of two halves: a warp that is a pass ahead writes into the other.
template <int BYTES> struct RowAcrossRoom {
    // As many threads join the others' values first: else each of them would go through all, one after the other.
    static constexpr u32 FEW = 8;
    u32 across;
    u32 half;

    template <int AT, class Acc> __device__ __forceinline__ Acc* all() const {
        return reinterpret_cast<Acc*>(row_shared() + (half * BYTES + AT) * blockDim.x);
    }
    __device__ __forceinline__ u32 lanes() const { return 1; }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc& a) const { all<AT, Acc>()[threadIdx.x] = a; }
    __device__ __forceinline__ void meet() const { __syncthreads(); }
    // Every thread has the result.
    template <class F, int AT> __device__ __forceinline__ typename F::Acc get(typename F::Acc a) const {
        auto* values = all<AT, typename F::Acc>();
        const u32 few = min(FEW * across, blockDim.x);
        if (few < blockDim.x) {
            if (threadIdx.x < few) {
                for (u32 k = threadIdx.x + few; k < blockDim.x; k += few) a = F::join(a, values[k]);
                values[threadIdx.x] = a;
            }
            __syncthreads();
        }
        u32 k = threadIdx.x & (across - 1);
        a = values[k];
        for (k += across; k < few; k += across) a = F::join(a, values[k]);
        return a;
    }
};

// Element k of a thread.
template <int K> struct RowAcrossAt {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    u32 place;  // in the row
    int k;

    // Steps are below 2^31 bytes: one instruction has the address.
    template <class T> __device__ __forceinline__ T* address(int operand) const {
        using Byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
        Byte* row = reinterpret_cast<Byte*>(row_address<T>(p, operand, base[operand]));
        row += (i64)(i32)place * (i32)(p.operand[operand].step * (i64)sizeof(T));
        return row_global(reinterpret_cast<T*>(row));
    }
    template <class T, bool FIRST> __device__ __forceinline__ RowVector<T, 1> read(int operand) const {
        RowVector<T, 1> v;
        v.read(address<const T>(operand));
        return v;
    }
    template <class T, bool FIRST, bool BEGINS, class Held>
    __device__ __forceinline__ RowVector<T, 1> read(int operand, Held& held) const {
        if (BEGINS) held[k] = read<T, FIRST>(operand);
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        held[k].read(address<const T>(operand));
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, 1>& v) const {
        v.write(address<T>(operand));
    }
    template <class T, class Held> __device__ __forceinline__ RowVector<T, 1> kept(int, const Held& held) const {
        return held[k];
    }
    template <class T, class Held> __device__ __forceinline__ void keep(int, const RowVector<T, 1>& v, Held& held) const {
        held[k] = v;
    }
};

// A thread's share of its row: every `threads`th element, from its own on.
template <class Program, int R, int K> struct RowAcross {
    const RowProgramParams<K>& p;
    RowAcrossRoom<Program::ROOM>& room;
    u32 thread;  // in the row
    u32 mine;    // elements of this thread
    int64_t base[K];

    template <class Work> __device__ __forceinline__ void each(Work work) const {
#pragma unroll
        for (int k = 0; k < R; ++k) {
            if (k < mine) work(RowAcrossAt<K>{p, base, thread + k * p.threads, k});
        }
    }
    template <int PASS> __device__ __forceinline__ void passes(Program& s) {
        if constexpr (PASS < Program::PASSES) {
            auto folds = s.start(Pass<PASS>{});
            each([&](const RowAcrossAt<K>& at) { s.statements(Pass<PASS>{}, folds, at, at.k); });
            s.join(Pass<PASS>{}, folds, room, mine > 0, [&](u32 k) { return (u64)(thread + k * p.threads); }, p);
            room.half ^= 1;
            passes<PASS + 1>(s);
        }
    }
};

// A block has `across` rows, each of one run, and comes and goes with them.
template <template <int, int> class Program, int R, int K>
__device__ __forceinline__ void hold_across(const RowProgramParams<K>& p) {
    using Rows = Program<1, R>;
    RowAcrossRoom<Rows::ROOM> room{p.across, 0};
    const u32 row = blockIdx.x * p.across + (threadIdx.x & (p.across - 1)), thread = row_part(threadIdx.x, p.across);
    const bool any = row < p.rows && thread < p.length;
    RowAcross<Rows, R, K> held{p, room, thread, any ? (p.length - thread - 1) / p.threads + 1 : 0, {}};
    row_bases(p, row < p.rows ? row : p.rows - 1, held.base);
    Rows s;
    s.begin(p, held.base);
    held.each([&](const RowAcrossAt<K>& at) { s.load(at); });
    held.template passes<0>(s);
    held.each([&](const RowAcrossAt<K>& at) { s.finish(at); });
    if (thread == 0 && any) s.finish_row(p, held.base);
}

}  // namespace syntonic

// The kernel of rows that lie across, R elements a thread.
#define SYNTONIC_ROWS_ACROSS(ENTRY, PROGRAM, K, R)                                                              \
    extern "C" __global__ void __launch_bounds__(1024, 1) ENTRY##_across(                                      \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::hold_across<PROGRAM, R, K>(p);                                                                \
    }
