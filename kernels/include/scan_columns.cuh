// Running sums and products of neighbouring or short lines: a thread each. Where there are few, each is
// split into chunks, whose totals are found first.
#pragma once
#include "contract_cumulative.cuh"
#include "running.cuh"

constexpr u32 BLOCK = 256;
// Elements read before the first of them is used.
constexpr u32 AHEAD = 8;

enum class Pass { Totals, Results };

template <class T, class J, Pass PASS>
__device__ __forceinline__ void scan_column(const ScanColumns& p) {
    using R = Running<T>;
    using A = typename R::In;
    A* totals = reinterpret_cast<A*>(p.totals);
    u64 items = p.count * p.chunks;
    for (u64 item = u64(blockIdx.x) * BLOCK + threadIdx.x; item < items; item += u64(gridDim.x) * BLOCK) {
        u64 chunk = quotient(item, p.count);
        u64 line = item - chunk * p.count;
        i64 at[2];
        p.lines.offsets(line, at);
        u64 first = chunk * p.chunk;
        u64 end = min(p.len, first + p.chunk);
        const T* from = reinterpret_cast<const T*>(p.from) + at[0] + i64(first) * p.from_step;
        T* to = reinterpret_cast<T*>(p.to) + at[1];
        A sum = identity<J, A>();
        if (PASS == Pass::Results) {
            if (p.lead) {
                if (chunk == 0) *to = R::narrow(sum);
                to += p.to_step;
            }
            to += i64(first) * p.to_step;
            if (chunk > 0) sum = totals[line * p.chunks + chunk - 1];
        }
        for (u64 i = first; i < end; i += AHEAD) {
            T value[AHEAD];
#pragma unroll
            for (u32 k = 0; k < AHEAD; ++k)
                if (i + k < end) value[k] = from[i64(k) * p.from_step];
            from += AHEAD * p.from_step;
#pragma unroll
            for (u32 k = 0; k < AHEAD; ++k) {
                if (i + k < end) {
                    sum = J::join(sum, R::widen(value[k]));
                    if (PASS == Pass::Results) to[i64(k) * p.to_step] = R::narrow(sum);
                }
            }
            if (PASS == Pass::Results) to += AHEAD * p.to_step;
        }
        if (PASS == Pass::Totals) totals[line * p.chunks + chunk] = sum;
    }
}
