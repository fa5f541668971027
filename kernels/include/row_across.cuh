// Strided (column) reduction in registers: neighbouring threads have neighbouring rows, the threads of a row have R elements each,
// and all loads are in flight before any arithmetic. Included after row_program.cuh.
#pragma once

namespace syntonic {

// The exchange of the threads of a row. A fold's values are contiguous, so that there are no bank conflicts. It is double-buffered
// by passes: a warp that is a pass ahead writes to the other half.
template <int BYTES> struct RowAcrossExchange {
    // As many threads reduce the others' values first: else each thread would read all, one after the other.
    static constexpr u32 FEW = 8;
    u32 across;
    u32 half;

    template <int AT, class Acc> __device__ __forceinline__ Acc* all() const {
        return reinterpret_cast<Acc*>(row_shared() + (half * BYTES + AT) * blockDim.x);
    }
    __device__ __forceinline__ u32 lanes() const { return 1; }
    template <int AT, class Acc> __device__ __forceinline__ void put(const Acc& a) const { all<AT, Acc>()[threadIdx.x] = a; }
    __device__ __forceinline__ void sync() const { __syncthreads(); }
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

// The elements of a thread: every `threads`-th of its row. Past the row's end, loads repeat the last element and the result is
// dropped: there are no branches, so that work on all elements overlaps.
template <int K, int R> struct RowAcrossAt {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    u32 thread;  // in the row
    u32 mine;    // elements of this thread

    __device__ __forceinline__ bool has(int c) const { return c < mine; }
    // Steps are below 2^31 bytes: the address is one instruction.
    template <class T> __device__ __forceinline__ T* address(int operand, int c) const {
        using Byte = std::conditional_t<std::is_const_v<T>, const unsigned char, unsigned char>;
        Byte* row = reinterpret_cast<Byte*>(row_address<T>(p, operand, base[operand]));
        const u32 place = min(thread + c * p.threads, p.length - 1);
        row += (i64)(i32)place * (i32)(p.operand[operand].step * (i64)sizeof(T));
        return row_global(reinterpret_cast<T*>(row));
    }
    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
#pragma unroll
        for (int c = 0; c < R; ++c) held[0].set(c, *address<const T>(operand, c));
    }
    template <class T, bool FIRST, bool BEGINS, class Held>
    __device__ __forceinline__ RowVector<T, R> read(int operand, Held& held) const {
        if (BEGINS) load<T>(operand, held);
        return held[0];
    }
    template <class T> __device__ __forceinline__ void write(int operand, const RowVector<T, R>& v) const {
#pragma unroll
        for (int c = 0; c < R; ++c) {
            if (has(c)) *address<T>(operand, c) = v.lane(c);
        }
    }
    template <class T, class Held> __device__ __forceinline__ RowVector<T, R> kept(int, const Held& held) const {
        return held[0];
    }
    template <class T, class Held> __device__ __forceinline__ void keep(int, const RowVector<T, R>& v, Held& held) const {
        held[0] = v;
    }
};

// Elements past the end take the identity of the fold.
template <int K, int R> struct RowTaking<RowAcrossAt<K, R>> {
    template <class F, int V>
    static __device__ __forceinline__ void take(const RowAcrossAt<K, R>& at, typename F::Thread& t,
                                                const typename F::Value* a, u32) {
        typename F::Value there[V];
#pragma unroll
        for (int c = 0; c < V; ++c) there[c] = at.has(c) ? a[c] : (typename F::Value)F::nothing();
        F::template take<V>(t, there, 0);
    }
};

template <int PASS, class Program, class Exchange, int K, int R>
__device__ __forceinline__ void fold_across(Program& s, Exchange& exchange, const RowAcrossAt<K, R>& at) {
    if constexpr (PASS < Program::PASSES) {
        auto folds = s.start(Pass<PASS>{});
        s.statements(Pass<PASS>{}, folds, at, 0);
        s.join(Pass<PASS>{}, folds, exchange, at.mine > 0, [](u32) { return 0; }, at.p);
        exchange.half ^= 1;
        fold_across<PASS + 1>(s, exchange, at);
    }
}

// A block has `across` rows, each of one run, and is not persistent.
template <template <int, int> class Program, int R, int K>
__device__ __forceinline__ void hold_across(const RowProgramParams<K>& p) {
    using Rows = Program<R, 1>;
    RowAcrossExchange<Rows::EXCHANGE_BYTES> exchange{p.across, 0};
    const u32 row = blockIdx.x * p.across + (threadIdx.x & (p.across - 1)), thread = row_part(threadIdx.x, p.across);
    const bool any = row < p.rows && thread < p.length;
    int64_t base[K];
    row_bases(p, min(row, p.rows - 1), base);
    const RowAcrossAt<K, R> at{p, base, thread, any ? (p.length - thread - 1) / p.threads + 1 : 0};
    Rows s;
    s.begin(p, base);
    s.load(at);
    fold_across<0>(s, exchange, at);
    s.finish(at);
    if (thread == 0 && any) s.finish_row(p, base);
}

}  // namespace syntonic

// The kernel of register-resident strided rows, R elements a thread.
#define SYNTONIC_ROWS_ACROSS(ENTRY, PROGRAM, K, R)                                                              \
    extern "C" __global__ void __launch_bounds__(1024, 1) ENTRY##_across(                                      \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::hold_across<PROGRAM, R, K>(p);                                                                \
    }
