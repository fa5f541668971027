// Transfer entropy, mutual and conditional mutual information from distances to neighbours: A. Kraskov, H. Stögbauer,
// P. Grassberger, "Estimating mutual information", Physical Review E 69, 066138 (2004), first estimator; S. Frenzel, B. Pompe,
// "Partial mutual information for coupling analysis of multivariate time series", Physical Review Letters 99, 204101 (2007).
//
// A block has 32 points, one per lane. Its warps share the neighbours: each finds the K nearest of its part, the lists are merged,
// and each counts its part again with the distance to the k-th. Nothing of N x N is stored, and no block waits for another.
#pragma once
#include "contract_transfer_entropy.cuh"
#include "native_types.cuh"

namespace ksg {

constexpr u32 POINTS = 32;       // of a block, one per lane
constexpr u32 WARPS = 8;         // of a block
constexpr u32 TILE_BYTES = 16384;
constexpr u32 UNROLL = 4;        // neighbours between two questions whether one is near

// Coordinates of a point: the source x, the target y, the condition z, in this order.

template <class T> struct alignas(16) Quad { T v[4]; };

// Dimensions known to the compiler. A point is in registers.
template <class T, u32 X, u32 Y, u32 Z> struct Fixed {
    static constexpr u32 D = X + Y + Z, QUADS = (D + 3) / 4, TILE = TILE_BYTES / (QUADS * sizeof(Quad<T>));
    T own[D];
    __device__ __forceinline__ Fixed(const Ksg&) {}
    __device__ __forceinline__ u32 x() const { return X; }
    __device__ __forceinline__ u32 y() const { return Y; }
    __device__ __forceinline__ u32 z() const { return Z; }
    // Calls `take(c, own, other)` for the coordinates of neighbour j.
    __device__ __forceinline__ void read(const Quad<T>* tile, u32 j, T (&other)[QUADS * 4]) const {
#pragma unroll
        for (u32 q = 0; q < QUADS; ++q) {
            Quad<T> four = tile[q * TILE + j];
#pragma unroll
            for (u32 c = 0; c < 4; ++c) other[4 * q + c] = four.v[c];
        }
    }
    __device__ __forceinline__ T distance(const Quad<T>* tile, u32 j) const {
        T other[QUADS * 4];
        read(tile, j, other);
        T far = fabs(own[0] - other[0]);
#pragma unroll
        for (u32 c = 1; c < D; ++c) far = fmax(far, fabs(own[c] - other[c]));
        return far;
    }
    // Whether neighbour j is nearer than `eps` in the condition, and in it with the target or the source.
    __device__ __forceinline__ void nearer(const Quad<T>* tile, u32 j, T eps, bool& in_z, bool& in_yz, bool& in_xz) const {
        T other[QUADS * 4];
        read(tile, j, other);
#pragma unroll
        for (u32 c = X + Y; c < D; ++c) in_z = in_z & (fabs(own[c] - other[c]) < eps);
        in_yz = in_z;
        in_xz = in_z;
#pragma unroll
        for (u32 c = X; c < X + Y; ++c) in_yz = in_yz & (fabs(own[c] - other[c]) < eps);
#pragma unroll
        for (u32 c = 0; c < X; ++c) in_xz = in_xz & (fabs(own[c] - other[c]) < eps);
    }
    template <class At> __device__ __forceinline__ void take(Quad<T>*, u32, At&& at) {
#pragma unroll
        for (u32 c = 0; c < D; ++c) own[c] = at(c);
    }
};

// Any dimensions, up to 32. A point is in shared memory.
template <class T> struct Any {
    static constexpr u32 MOST = 32, QUADS = MOST / 4, TILE = TILE_BYTES / (QUADS * sizeof(Quad<T>));
    u32 x_, y_, z_;
    const T* own;  // one after the other, 32 lanes each
    __device__ __forceinline__ Any(const Ksg& p) : x_(p.x), y_(p.y), z_(p.z) {}
    __device__ __forceinline__ u32 x() const { return x_; }
    __device__ __forceinline__ u32 y() const { return y_; }
    __device__ __forceinline__ u32 z() const { return z_; }
    __device__ __forceinline__ T apart(const Quad<T>* tile, u32 j, u32 c) const {
        return fabs(own[c * POINTS + threadIdx.x % 32] - tile[c / 4 * TILE + j].v[c % 4]);
    }
    __device__ __forceinline__ T distance(const Quad<T>* tile, u32 j) const {
        T far = apart(tile, j, 0);
        for (u32 c = 1; c < x_ + y_ + z_; ++c) far = fmax(far, apart(tile, j, c));
        return far;
    }
    __device__ __forceinline__ void nearer(const Quad<T>* tile, u32 j, T eps, bool& in_z, bool& in_yz, bool& in_xz) const {
        for (u32 c = x_ + y_; c < x_ + y_ + z_; ++c) in_z = in_z & (apart(tile, j, c) < eps);
        in_yz = in_z;
        in_xz = in_z;
        for (u32 c = x_; c < x_ + y_; ++c) in_yz = in_yz & (apart(tile, j, c) < eps);
        for (u32 c = 0; c < x_; ++c) in_xz = in_xz & (apart(tile, j, c) < eps);
    }
    template <class At> __device__ __forceinline__ void take(T* room, u32 warp, At&& at) {
        own = room;
        for (u32 c = warp; c < x_ + y_ + z_; c += WARPS) room[c * POINTS + threadIdx.x % 32] = at(c);
    }
};

template <class T> __device__ __forceinline__ T infinite() { return T(__int_as_float(0x7f800000)); }

// The K smallest distances, in order.
template <class T, u32 K> struct Nearest {
    T far[K];
    __device__ __forceinline__ Nearest() {
#pragma unroll
        for (u32 s = 0; s < K; ++s) far[s] = infinite<T>();
    }
    __device__ __forceinline__ void take(T d) {
#pragma unroll
        for (u32 s = K - 1; s > 0; --s) far[s] = fmin(far[s], fmax(far[s - 1], d));
        far[0] = fmin(far[0], d);
    }
    // In thread order of halves, until the first warp has the nearest of all.
    __device__ __forceinline__ void merge(T* room, u32 warp, u32 lane) {
        for (u32 half = WARPS / 2; half > 0; half /= 2) {
            __syncthreads();
            if (warp >= half && warp < 2 * half) {
#pragma unroll
                for (u32 s = 0; s < K; ++s) room[((warp - half) * K + s) * 32 + lane] = far[s];
            }
            __syncthreads();
            if (warp < half) {
#pragma unroll 4
                for (u32 s = 0; s < K; ++s) take(room[(warp * K + s) * 32 + lane]);
            }
        }
    }
    __device__ __forceinline__ T at(u32 k) const {
        T found = far[0];
#pragma unroll
        for (u32 s = 1; s < K; ++s) found = s == k ? far[s] : found;
        return found;
    }
};

// What a block shares.
template <class T, class Dims, u32 K> struct Shared {
    // Half of the warps hand over their lists at a time.
    static constexpr u32 LISTS = WARPS / 2 * K * 32;
    union {
        Quad<T> tile[Dims::QUADS * Dims::TILE];
        T lists[LISTS];
        u32 counts[3][WARPS][32];
    };
    T own[Dims::QUADS == 8 ? 32 * POINTS : 1];
    T eps[32];
    u32 last;
};

__device__ __forceinline__ f64 sum_of_warp(f64 x) {
#pragma unroll
    for (u32 apart = 16; apart > 0; apart /= 2) x += __shfl_xor_sync(~0u, x, apart);
    return x;
}

template <class T, class Dims, u32 K> struct Block {
    const Ksg& p;
    Shared<T, Dims, K>& shared;
    Dims dims;
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const u32 blocks = (p.points + POINTS - 1) / POINTS, task = blockIdx.x / blocks, first = blockIdx.x % blocks * POINTS;
    const u32 own = min(first + lane, p.points - 1);
    const i32* pairs;
    const i32* order;

    __device__ __forceinline__ Block(const Ksg& p, Shared<T, Dims, K>& shared) : p(p), shared(shared), dims(p) {
        u32 all = dims.x() + dims.y() + dims.z();
        pairs = reinterpret_cast<const i32*>(p.coordinates) + u64(task) * all * 2;
        i32 row = p.order == 0 ? -1 : reinterpret_cast<const i32*>(p.which)[task];
        order = row < 0 ? nullptr : reinterpret_cast<const i32*>(p.order) + u64(row) * p.points;
    }
    __device__ __forceinline__ T value(u32 point, u32 read, u32 c) const {
        const T* row = reinterpret_cast<const T*>(p.series) + u64(pairs[2 * c]) * p.length + pairs[2 * c + 1];
        return row[c < dims.x() ? read : point];
    }
    // Neighbours from `base` on. Beyond the last one all are infinitely far.
    __device__ __forceinline__ void load(u32 base) {
        const u32 all = dims.x() + dims.y() + dims.z();
        for (u32 j = threadIdx.x; j < Dims::TILE; j += WARPS * 32) {
            const bool there = base + j < p.points;
            const u32 point = there ? base + j : 0, read = order != nullptr && there ? u32(order[point]) : point;
#pragma unroll
            for (u32 q = 0; q < Dims::QUADS; ++q) {
                if (4 * q >= all) break;
                Quad<T> four;
#pragma unroll
                for (u32 c = 0; c < 4; ++c)
                    four.v[c] = 4 * q + c < all && there ? value(point, read, 4 * q + c) : infinite<T>();
                shared.tile[q * Dims::TILE + j] = four;
            }
        }
    }
    // Calls `far(j, base + j)` or `near` for this warp's neighbours, four at a time: `near` where one may be too near in time.
    template <class Each> __device__ __forceinline__ void walk(Each&& each) {
        constexpr u32 TILE = Dims::TILE;
        for (u32 base = 0; base < p.points; base += TILE) {
            __syncthreads();
            load(base);
            __syncthreads();
            // In parts of the neighbours that are there, so that few of them keep all warps busy.
            const u32 there = min(p.points - base, TILE);
            const u32 part = (there + WARPS * UNROLL - 1) / (WARPS * UNROLL) * UNROLL;
            const u32 from = min(warp * part, TILE), to = min(from + part, (there + UNROLL - 1) / UNROLL * UNROLL);
            const i64 begin = i64(base) + from, end = i64(base) + to;
            const bool beside = begin <= i64(first) + (POINTS - 1) + p.window && end > i64(first) - i64(p.window);
            if (beside) {
                for (u32 j = from; j < to; j += UNROLL) each(j, base, true);
            } else {
                for (u32 j = from; j < to; j += UNROLL) each(j, base, false);
            }
        }
    }
    __device__ __forceinline__ bool excluded(u32 j) const { return j - own + p.window <= 2 * p.window; }

    __device__ __forceinline__ void run() {
        {
            const u32 read = order != nullptr ? u32(order[own]) : own;
            auto at = [&](u32 c) { return value(own, read, c); };
            take_own(at);
        }
        if (p.given == 0) {
            find();
        } else if (warp == 0) {
            shared.eps[lane] = reinterpret_cast<const T*>(p.given)[u64(task) * p.points + own];
        }
        __syncthreads();
        const T eps = shared.eps[lane];
        count(eps);
        if (p.given == 0) finish();
    }
    // The distance to the k-th neighbour.
    __device__ __forceinline__ void find() {
        Nearest<T, K> nearest;
        walk([&](u32 j, u32 base, bool beside) {
            T far[UNROLL];
#pragma unroll
            for (u32 u = 0; u < UNROLL; ++u) {
                far[u] = dims.distance(shared.tile, j + u);
                if (beside && excluded(base + j + u)) far[u] = infinite<T>();
            }
            if (fmin(fmin(far[0], far[1]), fmin(far[2], far[3])) < nearest.far[K - 1]) {
#pragma unroll
                for (u32 u = 0; u < UNROLL; ++u) nearest.take(far[u]);
            }
        });
        nearest.merge(shared.lists, warp, lane);
        if (warp == 0) shared.eps[lane] = nearest.at(p.k - 1);
    }
    // The neighbours that are nearer, and what they say.
    __device__ __forceinline__ void count(T eps) {
        u32 yz = 0, xz = 0, z = 0;
        walk([&](u32 j, u32 base, bool beside) {
#pragma unroll
            for (u32 u = 0; u < UNROLL; ++u) {
                bool in_z = base + j + u < p.points, in_yz, in_xz;
                if (beside) in_z = in_z && !excluded(base + j + u);
                dims.nearer(shared.tile, j + u, eps, in_z, in_yz, in_xz);
                z += in_z;
                yz += in_yz;
                xz += in_xz;
            }
        });
        __syncthreads();
        shared.counts[0][warp][lane] = yz;
        shared.counts[1][warp][lane] = xz;
        shared.counts[2][warp][lane] = z;
        __syncthreads();
        if (warp == 0) {
            for (u32 w = 1; w < WARPS; ++w) {
                yz += shared.counts[0][w][lane];
                xz += shared.counts[1][w][lane];
                z += shared.counts[2][w][lane];
            }
            tell(eps, yz, xz, p.z == 0 ? 0 : z);
        }
    }
    template <class At> __device__ __forceinline__ void take_own(At&& at) {
        if constexpr (Dims::QUADS == 8) {
            dims.take(shared.own, warp, at);
        } else {
            dims.take(nullptr, warp, at);
        }
    }
    // The first warp: one point's results, and the sum of 32.
    __device__ __forceinline__ void tell(T eps, u32 yz, u32 xz, u32 z) {
        const bool there = first + lane < p.points;
        f64 value = 0;
        if (p.given == 0) {
            const f64* psi = reinterpret_cast<const f64*>(p.psi);
            // Points that are left to this one, itself among them.
            const u32 left = p.points - min(own, p.window) - min(p.points - 1 - own, p.window);
            value = psi[p.k] + psi[p.mutual ? left : z + 1];
            value = p.mutual ? (value - psi[xz + 1]) - psi[yz + 1] : (value - psi[yz + 1]) - psi[xz + 1];
        }
        const u64 at = u64(task) * p.points + own;
        if (there) {
            if (p.local != 0) reinterpret_cast<f64*>(p.local)[at] = value;
            if (p.eps != 0) reinterpret_cast<T*>(p.eps)[at] = eps;
            if (p.counts != 0) {
                i32* counts = reinterpret_cast<i32*>(p.counts) + u64(task) * 3 * p.points + own;
                counts[0] = i32(yz);
                counts[p.points] = i32(xz);
                counts[2 * u64(p.points)] = i32(z);
            }
        }
        if (p.given != 0) return;
        const f64 sum = sum_of_warp(there ? value : 0.0);
        const u32 zeros = __popc(__ballot_sync(~0u, there && eps == T(0)));
        if (lane == 0) {
            sums()[first / POINTS] = sum;
            if (zeros != 0) atomicAdd(reinterpret_cast<u32*>(p.finished) + p.tasks + task, zeros);
        }
    }
    __device__ __forceinline__ f64* sums() const { return reinterpret_cast<f64*>(p.sums) + u64(task) * 2 * blocks; }
    // The last block of a task adds the sums of all: groups of 32, and groups of groups.
    __device__ __forceinline__ void finish() {
        if (threadIdx.x == 0) {
            __threadfence();
            shared.last = atomicAdd(reinterpret_cast<u32*>(p.finished) + task, 1) + 1 == blocks;
            __threadfence();
        }
        __syncthreads();
        if (!shared.last) return;
        f64* from = sums();
        f64* to = from + blocks;
        for (u32 count = blocks; count > 1; count = (count + 31) / 32) {
            for (u32 group = warp; group * 32 < count; group += WARPS) {
                const u32 at = group * 32 + lane;
                const f64 sum = sum_of_warp(at < count ? __ldcg(from + at) : 0.0);
                if (lane == 0) to[group] = sum;
            }
            __syncthreads();
            f64* other = from;
            from = to;
            to = other;
        }
        if (threadIdx.x == 0) {
            bool finite = true;
            for (u32 c = 0; c < dims.x() + dims.y() + dims.z(); ++c) finite = finite && reinterpret_cast<const u8*>(p.finite)[pairs[2 * c]] != 0;
            u32* finished = reinterpret_cast<u32*>(p.finished);
            f64* summary = reinterpret_cast<f64*>(p.summary) + 2 * u64(task);
            summary[0] = finite ? __ldcg(from) / f64(p.points) : __longlong_as_double(0x7ff8000000000000ll);
            summary[1] = f64(__ldcg(finished + p.tasks + task));
            finished[task] = 0;
            finished[p.tasks + task] = 0;
        }
    }
};

template <class T, class Dims, u32 K> __device__ __forceinline__ void run(const Ksg& p) {
    __shared__ Shared<T, Dims, K> shared;
    Block<T, Dims, K>(p, shared).run();
}

}  // namespace ksg
