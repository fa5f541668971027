// Belief updates: all steps of a mean down its free energy in one launch. The blocks of an agent own columns of the Jacobian, so that a
// step exchanges the predictions of the blocks once, and gradient and step are a block's own.
#include "belief.cuh"

template <class T, bool HELD>
__device__ __forceinline__ void updates(const Belief& p) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ f64 warps[WARPS], found[3];
    u32 number = blockIdx.x / p.blocks;
    Agents team(blockIdx.x % p.blocks, p.blocks, reinterpret_cast<u32*>(p.counters) + number * 32, p.clustered);
    Share<T, HELD> share(p, team, number, memory);
    const bool writes = team.rank == 0 && threadIdx.x == 0;
    u32 turn = 0;
    for (u64 agent = number; agent < p.agents; agent += p.teams) {
        share.take(agent, agent != number);
        __syncthreads();
        if (agent == number) share.clear();
        T* history = p.history ? reinterpret_cast<T*>(p.history) + agent * (u64(p.most) + 1) : nullptr;
        const Ended ended = descend(share, team, turn, writes ? history : nullptr, warps, found, Never());
        if (writes) {
            reinterpret_cast<i64*>(p.steps)[agent] = ended.steps;
            reinterpret_cast<i64*>(p.endings)[agent] = ended.ending;
            reinterpret_cast<T*>(p.change)[agent] = T(ended.change);
            reinterpret_cast<T*>(p.energy)[agent] = T(ended.energy);
        }
        if (history && team.rank == 0) {
            for (u64 k = ended.known + threadIdx.x; k <= p.most; k += BLOCK) history[k] = none<T>();
        }
        share.give(agent);
    }
    team.leave();
}
template <class T>
__device__ __forceinline__ void updates(const Belief& p) {
    if (p.all_held) {
        updates<T, true>(p);
    } else {
        updates<T, false>(p);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) belief_update_f32(const __grid_constant__ Belief p) { updates<f32>(p); }
extern "C" __global__ void __launch_bounds__(BLOCK) belief_update_f64(const __grid_constant__ Belief p) { updates<f64>(p); }

// The columns of matrices one after the other, where shared memory does not hold them.
template <class T>
__device__ __forceinline__ void turn(const Belief& p) {
    __shared__ T tile[32][33];
    const T* in = reinterpret_cast<const T*>(p.jacobian);
    T* out = reinterpret_cast<T*>(p.held);
    u64 across = (p.n + 31) / 32, down = (p.m + 31) / 32, all = across * down * p.agents;
    u32 x = threadIdx.x % 32;
    for (u64 at = blockIdx.x; at < all; at += gridDim.x) {
        u64 j0 = at % across * 32, i0 = at / across % down * 32, matrix = at / across / down * p.m * p.n;
        for (u32 y = threadIdx.x / 32; y < 32; y += WARPS) {
            if (i0 + y < p.m && j0 + x < p.n) tile[y][x] = in[matrix + (i0 + y) * p.n + j0 + x];
        }
        __syncthreads();
        for (u32 y = threadIdx.x / 32; y < 32; y += WARPS) {
            if (j0 + y < p.n && i0 + x < p.m) out[matrix + (j0 + y) * p.m + i0 + x] = tile[x][y];
        }
        __syncthreads();
    }
}
extern "C" __global__ void __launch_bounds__(BLOCK) belief_turn_f32(const __grid_constant__ Belief p) { turn<f32>(p); }
extern "C" __global__ void __launch_bounds__(BLOCK) belief_turn_f64(const __grid_constant__ Belief p) { turn<f64>(p); }
