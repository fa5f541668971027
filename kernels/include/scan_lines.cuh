// Running sums and products of lines whose elements lie closer together than the lines do.
#pragma once
#include "running.cuh"

struct ScanLines {
    walk::Wide<2> lines;  // input, output
    u64 count;            // of lines
    u64 from, to;
    u64 len;
    i64 from_step, to_step;
    u64 lead;      // 1: a line of the output begins with the identity
    u64 tiles;     // of a line; where there are none, the lanes of a group
    u64 tickets;   // zeroed: the next tile; then a flag for each tile; then one for each group
    u64 totals;    // of tiles
    u64 prefixes;  // of groups
};
static_assert(sizeof(ScanLines) == 416, "the Rust mirror has this size");

constexpr u32 THREADS = 256;

// Neighbouring elements that a lane takes together.
constexpr u32 FEW = 4;

template <class T>
struct alignas(sizeof(T) < 4 ? sizeof(T) * FEW : 16) Few {
    T item[FEW];
};

// Elements `i..i + FEW` of a line, those below `len`; `whole` says that they lie together and aligned.
template <class T>
__device__ __forceinline__ void read_few(Few<T>& few, const T* from, i64 step, u64 i, u64 len, bool whole) {
    if (whole && i + FEW <= len) {
        few = *reinterpret_cast<const Few<T>*>(from + i);
        return;
    }
#pragma unroll
    for (u32 k = 0; k < FEW; ++k)
        if (i + k < len) few.item[k] = from[i64(i + k) * step];
}
template <class T>
__device__ __forceinline__ void write_few(const Few<T>& few, T* to, i64 step, u64 i, u64 len, bool whole) {
    if (whole && i + FEW <= len) {
        *reinterpret_cast<Few<T>*>(to + i) = few;
        return;
    }
#pragma unroll
    for (u32 k = 0; k < FEW; ++k)
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
    for (u32 k = 0; k < FEW; ++k)
        if (i + k < len) sum = J::join(sum, Running<T>::widen(few.item[k]));
    return sum;
}

// Each becomes the join of `before` and all up to it. What lies beyond the line is not stored.
template <class J, class T>
__device__ __forceinline__ void run_few(Few<T>& few, typename Running<T>::In before) {
#pragma unroll
    for (u32 k = 0; k < FEW; ++k) {
        before = J::join(before, Running<T>::widen(few.item[k]));
        few.item[k] = Running<T>::narrow(before);
    }
}

// Lines of medium length: `width` lanes each.
template <class T, class J>
__device__ __forceinline__ void scan_warp(const ScanLines& p) {
    using R = Running<T>;
    using A = typename R::In;
    u32 width = u32(p.tiles);
    u32 lane = threadIdx.x % width;
    u64 groups = u64(gridDim.x) * (THREADS / width);
    // Whole warps go round together: lanes whose group has no line left have one of no elements.
    for (u64 first = u64(blockIdx.x) * (THREADS / width); first < p.count; first += groups) {
        u64 line = first + threadIdx.x / width;
        u64 len = line < p.count ? p.len : 0;
        i64 at[2];
        p.lines.offsets(line < p.count ? line : 0, at);
        const T* from = reinterpret_cast<const T*>(p.from) + at[0];
        T* to = reinterpret_cast<T*>(p.to) + at[1];
        A carry = identity<J, A>();
        if (p.lead) {
            if (lane == 0 && line < p.count) *to = R::narrow(carry);
            to += p.to_step;
        }
        bool reads = lies_together(from, p.from_step), writes = lies_together(to, p.to_step);
        for (u64 base = 0; base < p.len; base += width * FEW) {
            u64 i = base + lane * FEW;
            Few<T> few;
            read_few(few, from, p.from_step, i, len, reads);
            A upto = warp_running<J>(join_few<J>(few, i, len), width);
            A before = shifted_up(upto, 1);
            run_few<J>(few, lane == 0 ? carry : J::join(carry, before));
            carry = J::join(carry, of_lane(upto, threadIdx.x % 32 / width * width + width - 1));
            write_few(few, to, p.to_step, i, len, writes);
        }
    }
}

// Long lines: tiles, each a block's work, taken in order. A tile publishes its total; the totals of a
// group of tiles are joined by one tree, and the groups' prefixes are passed on one by one. The shape
// of it all depends on the length only.
constexpr u32 GROUP = THREADS;
constexpr u32 WARPS = THREADS / 32;

// How often a warp goes round in its part of a tile.
template <class A>
constexpr u32 ROUNDS_OF = sizeof(A) == 16 ? 2 : 4;

__device__ __forceinline__ void publish(u32* flag) {
    asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
}
__device__ __forceinline__ void await(const u32* flag) {
    u32 set;
    do {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(set) : "l"(flag) : "memory");
    } while (set == 0);
}

// The join of one value a warp, of those before `warp` and of all.
template <class J, class A>
__device__ __forceinline__ A join_warps(const A* warps, u32 warp, A& all) {
    A before = identity<J, A>();
    all = before;
#pragma unroll
    for (u32 w = 0; w < WARPS; ++w) {
        if (w == warp) before = all;
        all = J::join(all, warps[w]);
    }
    return before;
}

template <class T, class J, u32 ROUNDS = ROUNDS_OF<typename Running<T>::In>>
__device__ __forceinline__ void scan_tiles(const ScanLines& p) {
    using R = Running<T>;
    using A = typename R::In;
    constexpr u32 PART = 32 * FEW * ROUNDS;
    constexpr u32 TILE = WARPS * PART;
    __shared__ A sums[WARPS], others[WARPS];
    __shared__ A shared_prefix;
    __shared__ u32 ticket;
    u32* tickets = reinterpret_cast<u32*>(p.tickets);
    u64 tiles = p.count * p.tiles;
    u64 groups = (p.tiles + GROUP - 1) / GROUP;
    u32* done = tickets + 1;
    u32* ready = done + tiles;
    A* totals = reinterpret_cast<A*>(p.totals);
    A* prefixes = reinterpret_cast<A*>(p.prefixes);
    u32 t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (;;) {
        if (t == 0) ticket = atomicAdd(tickets, 1u);
        __syncthreads();
        u64 tile = ticket;
        if (tile >= tiles) return;
        u64 line = quotient(tile, p.tiles);
        u64 k = tile - line * p.tiles;
        u64 group = k / GROUP, within = k % GROUP;
        u64 slot = line * groups + group;
        i64 at[2];
        p.lines.offsets(line, at);
        const T* from = reinterpret_cast<const T*>(p.from) + at[0];
        T* to = reinterpret_cast<T*>(p.to) + at[1];
        if (p.lead) {
            if (k == 0 && t == 0) *to = R::narrow(identity<J, A>());
            to += p.to_step;
        }
        u64 first = k * TILE + warp * PART + lane * FEW;
        Few<T> few[ROUNDS];
        bool reads = lies_together(from, p.from_step);
#pragma unroll
        for (u32 r = 0; r < ROUNDS; ++r)
            read_few(few[r], from, p.from_step, first + r * 32 * FEW, p.len, reads);
        A before[ROUNDS];
        A sum = identity<J, A>();
#pragma unroll
        for (u32 r = 0; r < ROUNDS; ++r) {
            A upto = warp_running<J>(join_few<J>(few[r], first + r * 32 * FEW, p.len));
            A previous = shifted_up(upto, 1);
            before[r] = lane == 0 ? sum : J::join(sum, previous);
            sum = J::join(sum, of_lane(upto, 31));
        }
        if (lane == 0) sums[warp] = sum;
        __syncthreads();
        A all;
        A base = join_warps<J>(sums, warp, all);
        if (t == 0 && within + 1 < GROUP && k + 1 < p.tiles) {
            totals[tile] = all;
            publish(&done[tile]);
        }
        // What the tiles of the group before this one have.
        A other = identity<J, A>();
        if (t < within) {
            await(&done[tile - within + t]);
            other = totals[tile - within + t];
        }
        other = warp_running<J>(other);
        if (lane == 31) others[warp] = other;
        __syncthreads();
        if (t == 0) {
            A prefix;
            join_warps<J>(others, 0, prefix);
            if (group > 0) {
                await(&ready[slot]);
                prefix = J::join(prefixes[slot], prefix);
            }
            if (within + 1 == GROUP && k + 1 < p.tiles) {
                prefixes[slot + 1] = J::join(prefix, all);
                publish(&ready[slot + 1]);
            }
            shared_prefix = prefix;
        }
        __syncthreads();
        base = J::join(shared_prefix, base);
        bool writes = lies_together(to, p.to_step);
#pragma unroll
        for (u32 r = 0; r < ROUNDS; ++r) {
            run_few<J>(few[r], J::join(base, before[r]));
            write_few(few[r], to, p.to_step, first + r * 32 * FEW, p.len, writes);
        }
    }
}
