// Belief updates: the steps of an agent.
#pragma once
#include "belief_share.cuh"

// What came of an agent; `known` energies are in its history.
struct Ended {
    f64 energy, change;
    i64 ending;
    u32 steps, known;
};
// Who may stop an agent on its way. Where `ASKS`, thread 0 of the first block asks before each step, and what it hears goes to all.
struct Never {
    static constexpr bool ASKS = false;
    __device__ __forceinline__ bool asks() { return false; }
};

// All steps of an agent, whose energies go to `history` if there is one. `turn` counts steps, from 1 on, of all agents of the block.
// Slopes are computed before anyone knows whether the energy is finite, so that one wait serves both.
template <class T, bool HELD, class Stop>
__device__ __forceinline__ Ended descend(Share<T, HELD>& share, Agents& team, u32& turn, T* history, f64* warps, f64* found, Stop&& stop) {
    const Belief& p = share.p;
    constexpr bool ASKS = std::remove_reference_t<Stop>::ASKS;
    f64 energy = 0.0, square = 0.0;
    i64 ending = LIMIT;
    u32 steps = 0, known = 0;
    for (u32 step = 0; step <= p.most; ++step) {
        ++turn;
        if (ASKS && team.rank == 0 && threadIdx.x == 0) {
            const f64 wish = stop.asks() ? 1.0 : 0.0;
            if (team.size > 1) share.send(share.told_of(turn), wish, turn);
            found[2] = wish;
        }
        share.predict(turn);
        if (ASKS && team.rank > 0 && threadIdx.x == 0) {
            f64 wish[1];
            receive(wish, share.told_of(turn), 1, 1, turn);
            found[2] = wish[0];
        }
        const f64 mine = halved<16, 1>(share.compare(turn, found));
        if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
        if (step < p.most) share.descent();
        __syncthreads();
        const f64 next = 0.5 * (Halves<WARPS>::of(warps) + found[0]), length = found[1];
        const bool told = ASKS && found[2] != 0.0;
        if (!(isfinite(next) && isfinite(length))) {
            for (u64 c = threadIdx.x; c < share.own; c += BLOCK) share.mean[c] = share.before[c];
            ending = DIVERGED;
            if (step == 0) energy = next;
            break;
        }
        const f64 moved = fabs(next - energy);
        energy = next, square = length, steps = step, known = step + 1;
        if (history) history[step] = T(energy);
        if (told || (step > 0 && moved < p.tolerance)) {
            ending = told ? STOPPED : CONVERGED;
            break;
        }
        if (step < p.most) share.step();
    }
    // Whoever goes on to another agent writes what others may still read.
    __syncthreads();
    return {energy, __dsqrt_rn(square), ending, steps, known};
}
