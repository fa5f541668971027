// Running sums and products of lines whose elements are closer together than the lines are.
#pragma once
#include "contract_cumulative.cuh"
#include "running.cuh"

constexpr u32 THREADS = 256;

// Neighbouring elements that a lane takes together: 32 bytes, and at most eight. A warp's running totals cost the same
// for fewer.
template <class T> constexpr u32 FEW = sizeof(T) < 4 ? 8 : 32 / sizeof(T);

template <class T>
struct alignas(sizeof(T) == 1 ? 8 : 16) Few {
    T item[FEW<T>];
};

// Elements `i..i + FEW` of a line, those below `len`; `whole` says that they lie together and aligned.
template <class T>
__device__ __forceinline__ void read_few(Few<T>& few, const T* from, i64 step, u64 i, u64 len, bool whole) {
    if (whole && i + FEW<T> <= len) {
        few = *reinterpret_cast<const Few<T>*>(from + i);
        return;
    }
#pragma unroll
    for (u32 k = 0; k < FEW<T>; ++k)
        if (i + k < len) few.item[k] = from[i64(i + k) * step];
}
template <class T>
__device__ __forceinline__ void write_few(const Few<T>& few, T* to, i64 step, u64 i, u64 len, bool whole) {
    if (whole && i + FEW<T> <= len) {
        *reinterpret_cast<Few<T>*>(to + i) = few;
        return;
    }
#pragma unroll
    for (u32 k = 0; k < FEW<T>; ++k)
        if (i + k < len) to[i64(i + k) * step] = few.item[k];
}
template <class T>
__device__ __forceinline__ bool lies_together(const T* at, i64 step) {
    return step == 1 && (reinterpret_cast<u64>(at) & (alignof(Few<T>) - 1)) == 0;
}

// The join of those below `len`.
template <class J, class T>
__device__ __forceinline__ typename Running<T>::In join_few(const Few<T>& few, u64 i, u64 len) {
    auto sum = identity<J, typename Running<T>::In>();
#pragma unroll
    for (u32 k = 0; k < FEW<T>; ++k)
        if (i + k < len) sum = J::join(sum, Running<T>::widen(few.item[k]));
    return sum;
}

// Each becomes the join of `before` and all up to it. What lies beyond the line is not stored.
template <class J, class T>
__device__ __forceinline__ void run_few(Few<T>& few, typename Running<T>::In before) {
#pragma unroll
    for (u32 k = 0; k < FEW<T>; ++k) {
        before = J::join(before, Running<T>::widen(few.item[k]));
        few.item[k] = Running<T>::narrow(before);
    }
}

// A line, or a chunk of one: some lanes of a warp each.
template <class T>
struct Piece {
    const T* from;
    T* to;
    u64 len;
    bool first;  // of its line
};

template <class T>
__device__ __forceinline__ Piece<T> piece_at(const ScanLines& p, u64 item) {
    u64 line = quotient(item, p.chunks), chunk = item - line * p.chunks;
    i64 at[2];
    p.lines.offsets(line, at);
    u64 start = chunk * p.chunk;
    return Piece<T>{reinterpret_cast<const T*>(p.from) + at[0] + i64(start) * p.from_step,
                    reinterpret_cast<T*>(p.to) + at[1] + i64(start) * p.to_step,
                    min(p.chunk, p.len - start), chunk == 0};
}

template <class T, class J>
__device__ __forceinline__ void scan_warp(const ScanLines& p) {
    using R = Running<T>;
    using A = typename R::In;
    u32 width = u32(p.lanes);
    u32 lane = threadIdx.x % width;
    u64 items = p.count * p.chunks;
    u64 groups = u64(gridDim.x) * (THREADS / width);
    // Warps iterate together: lanes whose group is done have a piece of no elements.
    for (u64 start = u64(blockIdx.x) * (THREADS / width); start < items; start += groups) {
        u64 item = start + threadIdx.x / width;
        Piece<T> piece = piece_at<T>(p, item < items ? item : 0);
        if (item >= items) piece.len = 0;
        A carry = identity<J, A>();
        if (p.lead) {
            if (lane == 0 && item < items && piece.first) *piece.to = R::narrow(carry);
            piece.to += p.to_step;
        }
        if (!piece.first) carry = reinterpret_cast<const A*>(p.totals)[item - 1];
        bool reads = lies_together(piece.from, p.from_step), writes = lies_together(piece.to, p.to_step);
        Few<T> next;
        read_few(next, piece.from, p.from_step, lane * FEW<T>, piece.len, reads);
        for (u64 base = 0; base < p.chunk; base += width * FEW<T>) {
            u64 i = base + lane * FEW<T>;
            // The loads of the next elements are in flight while these are joined.
            Few<T> few = next;
            read_few(next, piece.from, p.from_step, i + width * FEW<T>, piece.len, reads);
            A upto = warp_running<J>(join_few<J>(few, i, piece.len), width);
            A before = shifted_up(upto, 1);
            run_few<J>(few, lane == 0 ? carry : J::join(carry, before));
            carry = J::join(carry, of_lane(upto, threadIdx.x % 32 / width * width + width - 1));
            write_few(few, piece.to, p.to_step, i, piece.len, writes);
        }
    }
}

// The total of each chunk, a warp's work. Each lane joins what it reads; the lanes are joined at the end.
template <class T, class J>
__device__ __forceinline__ void scan_totals(const ScanLines& p) {
    using A = typename Running<T>::In;
    constexpr u32 AHEAD = 4;
    u32 lane = threadIdx.x % 32;
    u64 items = p.count * p.chunks;
    for (u64 item = (u64(blockIdx.x) * THREADS + threadIdx.x) / 32; item < items;
         item += u64(gridDim.x) * (THREADS / 32)) {
        Piece<T> piece = piece_at<T>(p, item);
        bool reads = lies_together(piece.from, p.from_step);
        A sum = identity<J, A>();
        for (u64 base = lane * FEW<T>; base < p.chunk + lane * FEW<T>; base += 32 * FEW<T> * AHEAD) {
            Few<T> few[AHEAD];
#pragma unroll
            for (u32 k = 0; k < AHEAD; ++k)
                read_few(few[k], piece.from, p.from_step, base + k * 32 * FEW<T>, piece.len, reads);
#pragma unroll
            for (u32 k = 0; k < AHEAD; ++k)
                sum = J::join(sum, join_few<J>(few[k], base + k * 32 * FEW<T>, piece.len));
        }
        sum = warp_running<J>(sum);
        if (lane == 31) reinterpret_cast<A*>(p.totals)[item] = sum;
    }
}
