// RES by matrix adaptation, products only: whole runs of generations in one cooperative launch, scores of one, or candidates. The same bits
// as `syntonic_srt::evolve::Res` on a CPU.
#include "res_learning.cuh"

// Generations of one search. F is its function; with none, scores are given and one generation is learnt.
template <u32 F>
__device__ __forceinline__ void generations(const Res& p) {
    // One search has all blocks; of several, each block has searches of its own.
    const bool together = p.runs == 1;
    for (u32 run = together ? 0 : blockIdx.x; run < p.runs; run += together ? 1 : gridDim.x) {
        Team team(together ? blockIdx.x : 0, together ? gridDim.x : 1, reinterpret_cast<u32*>(p.arrived));
        Adaptation s(p, team, run);
        const f64* before = s.at<const f64>(p.before, p.stride);
        const u64 generation = u64(before[p.stride - NUMBERS + GENERATION]);
        if (!(p.stages & RANKS)) {
            s.reads_only();
            draw(s, generation, p.from, p.to);
            team.wait();
            step(s, p.from, p.to);
            team.wait();
            if (p.candidates) {
                write_candidates(s, p.from, p.to);
            } else if constexpr (F != NO_FUNCTION) {
                score<F>(s, p.from, p.to);
            }
            continue;
        }
        for (u64 k = team.thread(); k < p.stride; k += team.threads()) s.state[k] = before[k];
        f64* history = s.at<f64>(p.history, p.generations);
        for (u64 k = team.thread(); k < p.generations; k += team.threads()) history[k] = __longlong_as_double(0x7FF8000000000000ll);
        if (F == NO_FUNCTION) s.scores = s.at<f64>(p.given, p.population);
        u32 done = 0;
        for (;; ++done) {
            // The next noise is made while the last generation is finished.
            if (done > 0) finish(s);
            if (done < p.generations) draw(s, generation + done, 0, s.draws);
            team.wait();
            if (done == p.generations || s.numbers[BEST_SCORE] <= p.target) break;
            step(s, 0, s.draws);
            team.wait();
            if constexpr (F != NO_FUNCTION) {
                score<F>(s, 0, s.draws);
                team.wait();
            }
            turn(s, done);
            team.wait();
            keep_best(s);
            if (s.numbers[USABLE] > 0) {
                select(s);
                team.wait();
                move(s);
                team.wait();
                adapt(s);
            }
            team.wait();
        }
        deviate(s);
        if (team.rank == 0 && threadIdx.x == 0) {
            s.numbers[DONE] = f64(done);
            s.numbers[GENERATION] = s.numbers[GENERATION] + f64(done);
        }
        __syncthreads();
    }
}

#define RUN(NAME, F) \
    extern "C" __global__ void __launch_bounds__(BLOCK, 2) res_##NAME(const __grid_constant__ Res p) { generations<F>(p); }
RUN(sphere, SPHERE)
RUN(weighted, WEIGHTED)
RUN(rastrigin, RASTRIGIN)
RUN(ackley, ACKLEY)
RUN(rosenbrock, ROSENBROCK)
RUN(told, NO_FUNCTION)
#undef RUN
