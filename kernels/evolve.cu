// Evolution strategies whose noise is made anew where it is needed: whole runs of generations in one cooperative launch, and candidates.
// Coordinate j of draw d is value j % HELD of Philox block d * ceil(n / HELD) + j / HELD of its generation, in
// `syntonic_srt::evolve::device` too.
#include "evolve_learning.cuh"

// Generations of one search. F is its function; with none, scores are given and one generation is learnt.
template <u32 F, class T>
__device__ __forceinline__ void generations(const Evolve& p) {
    __shared__ __align__(16) Memory<T> memory;
    // One search has all blocks; of several, each block has searches of its own.
    const bool together = p.runs == 1;
    for (u32 run = together ? 0 : blockIdx.x; run < p.runs; run += together ? 1 : gridDim.x) {
        Team team(together ? blockIdx.x : 0, together ? gridDim.x : 1, reinterpret_cast<u32*>(p.arrived));
        Search<T> s(p, team, run, F == ACKLEY ? 2 : 1);
        const f64* before = s.template at<const f64>(p.before, p.stride);
        for (u64 k = team.thread(); k < p.stride; k += team.threads()) s.state[k] = before[k];
        const bool whole = p.stages & SCORES || p.to - p.from == p.tiles;
        const bool close = whole && p.grouped == 1 && p.population <= CLOSE && p.segment <= DRAWS && p.tiles * p.segments <= team.warps();
        if (F == NO_FUNCTION && p.stages & RANKS && !close) {
            const f64* given = s.template at<const f64>(p.given, p.population);
            for (u64 k = team.thread(); k < p.population; k += team.threads()) s.ranked[k] = key_of(given[k]);
        }
        f64* history = s.template at<f64>(p.history, p.generations);
        for (u64 k = team.thread(); k < p.generations; k += team.threads()) history[k] = __longlong_as_double(0x7FF8000000000000ll);
        team.wait();
        u32 done = 0;
        for (u32 g = 0; g < p.generations && !(s.numbers[BEST_SCORE] <= p.target); ++g) {
            Keys keys = s.keys(g);
            if (close && p.stages & RANKS) {
                learn_close<F>(s, keys, g, memory);
            } else {
                if constexpr (F != NO_FUNCTION) {
                    score_tiles<F>(s, keys);
                    add_tiles<F>(s);
                    if (p.stages == SCORES) break;
                }
                // With neither, what the moves left is given.
                if (p.stages & RANKS) {
                    rank_all(s, g, memory.keys);
                    sum_tiles(s, keys, memory.counts);
                }
            }
            update(s, keys, memory);
            done = g + 1;
        }
        if (team.rank == 0 && threadIdx.x == 0 && p.stages & ADAPTS) {
            s.numbers[DONE] = f64(done);
            s.numbers[GENERATION] = s.numbers[GENERATION] + f64(done);
        }
        __syncthreads();
    }
}

// Candidates from a draw on, row after row.
template <class T>
__device__ __forceinline__ void candidates(const Evolve& p) {
    constexpr u32 HELD = Held<T>::COUNT;
    u64 blocks = (p.n + HELD - 1) / HELD, each = p.mirrored ? 2 : 1, count = p.to - p.from, all = blocks * count * p.runs;
    T* out = reinterpret_cast<T*>(p.out);
    // Whole warps: the logarithms of double precision take their parts from all lanes.
    for (u64 base = u64(blockIdx.x) * BLOCK; base < all; base += u64(gridDim.x) * BLOCK) {
        u64 i = min(base + threadIdx.x, all - 1), q = i % blocks, draw = i / blocks % count;
        u32 run = u32(i / blocks / count);
        Team team(0, 1, nullptr);
        Search<T> s(p, team, run, 0);
        T z[HELD];
        Held<T>::make(u32((p.from + draw) * blocks + q), s.keys(0), z);
        Lane<T> place(s, q * HELD);
#pragma unroll
        for (u32 k = 0; k < HELD; ++k) {
            u64 j = q * HELD + k, row = (run * count + draw) * each;
            if (j >= p.n) break;
            out[row * p.n + j] = place.at(k, z[k], false, p.bounds);
            if (p.mirrored) out[(row + 1) * p.n + j] = place.at(k, z[k], true, p.bounds);
        }
    }
}

#define RUN(NAME, F, T)                                                                                                                 \
    extern "C" __global__ void __launch_bounds__(BLOCK, 2) evolve_##NAME##_##T(const __grid_constant__ Evolve p) { generations<F, T>(p); }
#define ENTRIES(T)                                                                                                                      \
    RUN(sphere, SPHERE, T)                                                                                                              \
    RUN(weighted, WEIGHTED, T)                                                                                                          \
    RUN(rastrigin, RASTRIGIN, T)                                                                                                        \
    RUN(ackley, ACKLEY, T)                                                                                                              \
    RUN(rosenbrock, ROSENBROCK, T)                                                                                                      \
    RUN(told, NO_FUNCTION, T)                                                                                                           \
    extern "C" __global__ void __launch_bounds__(BLOCK) evolve_candidates_##T(const __grid_constant__ Evolve p) { candidates<T>(p); }
ENTRIES(f32)
ENTRIES(f64)
#undef ENTRIES
#undef RUN
