// Ranks of candidates, and the weights that they have.
#pragma once
#include "evolve_scores.cuh"

// Keys of candidates that are sorted together, one after the other where there are more.
constexpr u32 CHUNK = 512;

// The weight of a rank, less what all have; a candidate without a usable value has none where paths are followed. The best is noted.
template <class T>
__device__ __forceinline__ T weight_of(const Search<T>& s, u64 member, u64 rank, u64 key, u32 generation) {
    const Evolve& p = s.p;
    if (rank == 0) {
        f64 least = score_of_key(key);
        s.numbers[LEAST] = least;
        s.numbers[WHICH] = f64(member);
        s.template at<f64>(p.history, p.generations)[generation] = least;
    }
    f64 weight = __ldg(reinterpret_cast<const f64*>(p.utilities) + rank) - p.base;
    return p.rule == PATHS && key >= UNUSABLE ? T(0) : T(weight);
}

// How many of `count` keys are better than those of four candidates, or as good and before them, where the candidates are numbers
// `member..member + 4` of the keys and `there` of them are.
__device__ __forceinline__ void compare(u32 (&better)[4], u64 (&mine)[4], const u64* keys, u32 member, u32 there, u32 count) {
    const u32 lane = threadIdx.x % 32;
#pragma unroll
    for (u32 c = 0; c < 4; ++c) {
        mine[c] = c < there ? keys[member + c] : 0;
        better[c] = 0;
    }
#pragma unroll 2
    for (u32 k = lane; k < member; k += 32) {
        u64 other = keys[k];
#pragma unroll
        for (u32 c = 0; c < 4; ++c) better[c] += other <= mine[c];
    }
#pragma unroll 2
    for (u32 k = member + lane; k < count; k += 32) {
        u64 other = keys[k];
#pragma unroll
        for (u32 c = 0; c < 4; ++c) better[c] += k < member + c ? other <= mine[c] : other < mine[c];
    }
#pragma unroll
    for (u32 c = 0; c < 4; ++c) better[c] = over_warp(better[c]);
}

// How many of the keys of a sorted chunk are less, or as small.
__device__ __forceinline__ u32 place_in(const u64* chunk, u32 count, u64 key, bool equal) {
    u32 place = 0;
#pragma unroll
    for (u32 step = CHUNK; step > 0; step /= 2) {
        u32 next = place + step;
        if (next > count) continue;
        u64 other = chunk[next - 1];
        place = other < key || (equal && other == key) ? next : place;
    }
    return place;
}

// The weight of every candidate. Its rank is how many are better, or as good and before it: within its chunk by comparing all with all, in
// other chunks by looking for its place. In the order that is given its rank is its place.
template <class T>
__device__ __forceinline__ void rank_all(const Search<T>& s, u32 generation, u64* shared) {
    const Evolve& p = s.p;
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (p.order) {
        const i64* order = s.template at<const i64>(p.order, p.population);
        for (u64 k = s.team.thread(); k < p.population; k += s.team.threads())
            s.weights[order[k]] = weight_of(s, u64(order[k]), k, s.ranked[order[k]], generation);
        s.team.wait();
        return;
    }
    const u64 chunks = (p.population + CHUNK - 1) / CHUNK;
    constexpr u32 JOBS = CHUNK / (4 * WARPS);
    for (u64 job = s.team.rank; job < chunks * JOBS; job += s.team.size) {
        const u64 base = job / JOBS * CHUNK;
        const u32 count = u32(min(u64(CHUNK), p.population - base)), member = (u32(job % JOBS) * WARPS + warp) * 4;
        __syncthreads();
        for (u32 k = threadIdx.x; k < count; k += BLOCK) shared[k] = s.ranked[base + k];
        __syncthreads();
        if (member >= count) continue;
        u64 mine[4];
        u32 rank[4], there = min(4u, count - member);
        compare(rank, mine, shared, member, there, count);
        if (lane < there) {
            const u64 key = lane == 0 ? mine[0] : lane == 1 ? mine[1] : lane == 2 ? mine[2] : mine[3];
            const u64 place = base + (lane == 0 ? rank[0] : lane == 1 ? rank[1] : lane == 2 ? rank[2] : rank[3]);
            if (chunks == 1) {
                s.weights[member + lane] = weight_of(s, member + lane, place, key, generation);
            } else {
                s.sorted[place] = key;
                s.members[place] = base + member + lane;
            }
        }
    }
    s.team.wait();
    if (chunks == 1) return;
    // Eight lanes look for the place of a key, each in every eighth chunk.
    for (u64 first = s.team.warp() * 4; first < p.population; first += s.team.warps() * 4) {
        const u64 place = first + lane / 8, own = place / CHUNK;
        const bool there = place < p.population;
        const u64 key = there ? s.sorted[place] : 0;
        u32 rank = 0;
#pragma unroll 4
        for (u64 chunk = lane % 8; chunk < chunks; chunk += 8) {
            const u32 count = u32(min(u64(CHUNK), p.population - chunk * CHUNK));
            rank += chunk == own ? u32(place % CHUNK) : place_in(s.sorted + chunk * CHUNK, count, key, chunk < own);
        }
#pragma unroll
        for (u32 half = 4; half > 0; half /= 2) rank += __shfl_xor_sync(~0u, rank, half);
        if (there && lane % 8 == 0) s.weights[s.members[place]] = weight_of(s, s.members[place], rank, key, generation);
    }
    s.team.wait();
}

// How many keys are usable: by one block.
template <class T>
__device__ __forceinline__ void count_usable(const Search<T>& s, const u64* ranked, u32* counts) {
    u32 usable = 0;
    for (u64 k = threadIdx.x; k < s.p.population; k += BLOCK) usable += ranked[k] < UNUSABLE;
    usable = over_warp(usable);
    if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = usable;
    __syncthreads();
    usable = 0;
#pragma unroll
    for (u32 k = 0; k < WARPS; ++k) usable += counts[k];
    if (threadIdx.x == 0) s.numbers[USABLE] = f64(usable);
}
