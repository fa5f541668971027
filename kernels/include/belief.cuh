// Belief updates: parameters, and the sums of a step in the order that `syntonic_srt::infer` documents (belief/kernel.rs).
#pragma once
#include "team.cuh"

constexpr u32 BLOCK = 512, WARPS = BLOCK / 32;
// Columns of a slice, sums of slices, and rows that a warp adds up together.
constexpr u32 SLICE = 32, SUMS = 8, ROWS = 32 / SUMS;
// Columns whose gradients a warp computes together.
constexpr u32 COLUMNS = 4;

struct Belief {
    u64 start, jacobian, observation, precision, reference, prior_mean, prior_precision;  // null where there is none
    u64 mean, steps, endings, change, energy, history;                                     // history may be null
    u64 parts;     // the type [teams, 2, slices, m]: predictions of slices
    u64 squares;   // f64 [teams, 2, slices, 2]: twice the prior's energy, and squared steps
    u64 totals;    // the type [teams, m], where predictions are shared out
    u64 sums;      // f64 [teams, 2]
    u64 errors;    // the type [teams, blocks, m], where shared memory has no room
    u64 before;    // the type [teams, n]
    u64 counters;  // u32 [teams, 32], 0
    u64 m, n, agents, slices;
    u64 lead;      // elements from a kept column to the next
    u32 teams, blocks;  // blocks of a team
    u32 kept;           // columns of a block in shared memory, a multiple of COLUMNS
    u32 most;           // steps
    u32 own;            // bit k: input k has rows for each agent
    u32 by_columns;     // the Jacobian is [n, m]
    u32 shared_out;     // each block of a team adds up rows of its own
    u32 errors_kept;    // errors are in shared memory
    u32 clustered;      // a team is a cluster
    u32 unused;
    f64 rate, tolerance;
};
static_assert(sizeof(Belief) == 256, "the Rust mirror has this size");

enum Ending : i64 { LIMIT = 0, CONVERGED = 1, DIVERGED = 2, STOPPED = 3 };

template <class T>
__device__ __forceinline__ T none() {
    return T(__longlong_as_double(0x7FF8000000000000ll));
}
// A negative precision is none.
template <class T>
__device__ __forceinline__ T as_precision(T x) {
    return x >= T(0) ? x : none<T>();
}
// Halves of 32 lanes from `from` on down to `to`; the lowest lane of each group has the documented order.
template <u32 FROM, u32 TO, class T>
__device__ __forceinline__ T halved(T x) {
#pragma unroll
    for (u32 half = FROM; half >= TO; half /= 2) x = x + __shfl_xor_sync(0xffffffffu, x, half);
    return x;
}

// The blocks of an agent. Within a cluster the hardware has a barrier.
struct Agents : Team {
    bool clustered;
    __device__ __forceinline__ Agents(u32 rank, u32 size, u32* words, bool clustered) : Team(rank, size, words), clustered(clustered) {}
    __device__ __forceinline__ void meet() {
#if __CUDA_ARCH__ >= 900
        if (clustered) {
            asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
            return;
        }
#endif
        wait();
    }
    // Leaves the words as they were before the launch: the last block to come here knows that nobody waits any more.
    __device__ __forceinline__ void leave() {
        __syncthreads();
        if (size == 1 || clustered || threadIdx.x != 0) return;
        if (atomicInc(arrived + 1, size - 1) == size - 1) atomicExch(arrived, 0);
    }
};

// What a block has of an agent.
template <class T>
struct Share {
    const Belief& p;
    Agents& team;
    T* errors;          // of all rows
    T* kept;            // columns, `lead` apart
    T *mean, *before;   // of all states; those of the own columns are this block's alone
    const T* jacobian;
    const T *observation, *precision, *reference, *prior_mean, *prior_precision;
    u64 first, last;    // own slices
    u64 from, to;       // own columns
    T* parts;
    f64* squares;
    T* totals;
    f64* sums;

    __device__ __forceinline__ const T* of(u64 address, u32 k, u64 agent, u64 each) const {
        if (!address) return nullptr;
        return reinterpret_cast<const T*>(address) + (p.own >> k & 1 ? agent * each : 0);
    }
    static __device__ __forceinline__ T at(const T* values, u64 k) { return values ? values[k] : T(0); }

    __device__ __forceinline__ Share(const Belief& p, Agents& team, u32 number, T* memory) : p(p), team(team) {
        first = p.slices * team.rank / team.size, last = p.slices * (team.rank + 1) / team.size;
        from = first * SLICE, to = min(last * SLICE, p.n);
        errors = p.errors_kept ? memory : reinterpret_cast<T*>(p.errors) + (u64(number) * team.size + team.rank) * p.m;
        kept = memory + (p.errors_kept ? p.m : 0);
        before = reinterpret_cast<T*>(p.before) + number * p.n;
        parts = reinterpret_cast<T*>(p.parts) + number * 2 * p.slices * p.m;
        squares = reinterpret_cast<f64*>(p.squares) + number * 4 * p.slices;
        totals = reinterpret_cast<T*>(p.totals) + number * p.m;
        sums = reinterpret_cast<f64*>(p.sums) + number * 2;
    }
    __device__ __forceinline__ void take(u64 agent, bool again) {
        const T* start = of(p.start, 0, agent, p.n);
        jacobian = of(p.jacobian, 1, agent, p.m * p.n);
        observation = of(p.observation, 2, agent, p.m), precision = of(p.precision, 3, agent, p.m);
        reference = of(p.reference, 4, agent, p.m);
        prior_mean = of(p.prior_mean, 5, agent, p.n), prior_precision = of(p.prior_precision, 6, agent, p.n);
        mean = reinterpret_cast<T*>(p.mean) + agent * p.n;
        for (u64 j = from + threadIdx.x; j < to; j += BLOCK) mean[j] = before[j] = start[j];
        // A matrix that all agents share stays.
        if (again && !(p.own >> 1 & 1)) return;
        hold();
    }
    // Takes the own columns of the Jacobian into shared memory.
    __device__ __forceinline__ void hold() {
        u64 columns = min(u64(p.kept), to - from), all = columns * p.m;
        for (u64 k = threadIdx.x; k < all; k += BLOCK) {
            u64 i = p.by_columns ? k % p.m : k / columns, c = p.by_columns ? k / p.m : k % columns;
            kept[c * p.lead + i] = p.by_columns ? jacobian[(from + c) * p.m + i] : jacobian[i * p.n + from + c];
        }
    }
    // Predictions of own slices, one row a thread.
    __device__ __forceinline__ void predict(u32 turn) {
        u64 all = (last - first) * p.m;
        T* out = parts + turn * p.slices * p.m;
        for (u64 k = threadIdx.x; k < all; k += BLOCK) {
            u64 slice = k / p.m, i = k % p.m;
            u64 c = slice * SLICE, end = min(c + SLICE, to - from), near = max(c, min(end, u64(p.kept)));
            T sum = T(0);
#pragma unroll 8
            for (; c < near; ++c) sum = sum + kept[c * p.lead + i] * mean[from + c];
#pragma unroll 8
            for (; c < end; ++c) sum = sum + jacobian[(from + c) * p.m + i] * mean[from + c];
            __stcg(out + (first + slice) * p.m + i, sum);
        }
        // Of states, one a lane.
        f64* of_states = squares + turn * p.slices * 2;
        for (u64 slice = first + threadIdx.x / 32; slice < last; slice += WARPS) {
            u64 j = slice * SLICE + threadIdx.x % 32;
            f64 prior = 0.0, step = 0.0;
            if (j < to) {
                f64 away = f64(mean[j] - at(prior_mean, j)), moved = f64(mean[j] - before[j]);
                prior = f64(as_precision(at(prior_precision, j))) * away * away;
                step = moved * moved;
            }
            prior = halved<16, 1>(prior), step = halved<16, 1>(step);
            if (threadIdx.x % 32 == 0) __stcg(of_states + slice * 2, prior), __stcg(of_states + slice * 2 + 1, step);
        }
    }
    // Row i of all slices; lanes have ROWS rows and SUMS sums of each.
    __device__ __forceinline__ T total(u64 i, u32 turn) const {
        const T* in = parts + turn * p.slices * p.m;
        T sum = T(0);
        if (i < p.m) {
#pragma unroll 4
            for (u64 slice = threadIdx.x % 32 / ROWS; slice < p.slices; slice += SUMS) sum = sum + __ldcg(in + slice * p.m + i);
        }
        return halved<4 * ROWS, ROWS>(sum);
    }
    // The sums over all states, of the first two groups of SUMS lanes.
    __device__ __forceinline__ f64 of_states(u32 turn) const {
        u32 lane = threadIdx.x % 32;
        f64 sum = 0.0;
        if (lane < 2 * SUMS) {
            for (u64 slice = lane % SUMS; slice < p.slices; slice += SUMS) sum = sum + __ldcg(squares + (turn * p.slices + slice) * 2 + lane / SUMS);
        }
        return halved<SUMS / 2, 1>(sum);
    }
    // What is observed less what is predicted, of all rows, in each block; `found` has the sums over states.
    __device__ __forceinline__ void compare(u32 turn, f64* found) {
        u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        bool leads = lane < ROWS;
        u32 members = p.shared_out ? team.size : 1, member = p.shared_out ? team.rank : 0;
        for (u64 row = (u64(member) * WARPS + warp) * ROWS; row < p.m; row += u64(members) * WARPS * ROWS) {
            u64 i = row + lane % ROWS;
            T sum = total(i, turn);
            if (leads && i < p.m) {
                if (p.shared_out) {
                    __stcg(totals + i, sum);
                } else {
                    errors[i] = (observation[i] - sum) - at(reference, i);
                }
            }
        }
        if (warp == WARPS - 1 && member == 0) {
            f64 sum = of_states(turn);
            if (lane % SUMS == 0 && lane < 2 * SUMS) {
                if (p.shared_out) {
                    __stcg(sums + lane / SUMS, sum);
                } else {
                    found[lane / SUMS] = sum;
                }
            }
        }
        if (!p.shared_out) {
            __syncthreads();
            return;
        }
        team.meet();
        for (u64 i = threadIdx.x; i < p.m; i += BLOCK) errors[i] = (observation[i] - __ldcg(totals + i)) - at(reference, i);
        if (threadIdx.x < 2) found[threadIdx.x] = __ldcg(sums + threadIdx.x);
        __syncthreads();
    }
    // Twice the energy of the observation, in each thread; errors are weighed by their precisions.
    __device__ __forceinline__ f64 weigh(f64* warps) {
        f64 sum = 0.0;
        for (u64 i = threadIdx.x; i < p.m; i += BLOCK) {
            T weight = as_precision(precision[i]), error = errors[i];
            f64 apart = f64(error);
            sum = sum + f64(weight) * apart * apart;
            errors[i] = weight * error;
        }
        sum = halved<16, 1>(sum);
        if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
        __syncthreads();
        return halved<WARPS / 2, 1>(warps[threadIdx.x % WARPS]);
    }
    // Own states take a step, COLUMNS a warp at a time.
    __device__ __forceinline__ void step() {
        T rate = T(p.rate);
        u32 lane = threadIdx.x % 32;
        for (u64 c = threadIdx.x / 32 * COLUMNS; c < to - from; c += WARPS * COLUMNS) {
            T sum[COLUMNS] = {};
            if (c < p.kept) {
#pragma unroll 4
                for (u64 i = lane; i < p.m; i += 32) {
#pragma unroll
                    for (u32 k = 0; k < COLUMNS; ++k) sum[k] = sum[k] + (c + k < to - from ? kept[(c + k) * p.lead + i] : T(0)) * errors[i];
                }
            } else {
#pragma unroll 4
                for (u64 i = lane; i < p.m; i += 32) {
#pragma unroll
                    for (u32 k = 0; k < COLUMNS; ++k) sum[k] = sum[k] + (c + k < to - from ? jacobian[(from + c + k) * p.m + i] : T(0)) * errors[i];
                }
            }
            T gradient = T(0);
#pragma unroll
            for (u32 k = 0; k < COLUMNS; ++k) {
                T total = halved<16, 1>(sum[k]);
                if (lane == k) gradient = total;
            }
            u64 j = from + c + lane;
            if (lane < COLUMNS && j < to) {
                T now = mean[j], pull = as_precision(at(prior_precision, j)) * (now - at(prior_mean, j));
                before[j] = now;
                mean[j] = now + rate * (gradient - pull);
            }
        }
        __syncthreads();
    }
};

// What came of an agent; `known` energies are in its history.
struct Ended {
    f64 energy, change;
    i64 ending;
    u32 steps, known;
};
// Who may stop an agent on its way: `look` is called by all threads before the blocks of the agent meet, `told` after it, and what the
// latter says is the same in every thread of the agent.
struct Never {
    __device__ __forceinline__ void look(u32) const {}
    __device__ __forceinline__ bool told(u32) const { return false; }
};

// All steps of an agent, whose energies go to `history` if there is one.
template <class T, class Stop>
__device__ __forceinline__ Ended descend(Share<T>& share, Agents& team, u32& turn, T* history, f64* warps, f64* found, Stop&& stop) {
    const Belief& p = share.p;
    f64 energy = 0.0, change = 0.0;
    i64 ending = LIMIT;
    u32 steps = 0, known = 0;
    for (u32 step = 0; step <= p.most; ++step, turn ^= 1) {
        share.predict(turn);
        stop.look(turn);
        team.meet();
        const bool told = stop.told(turn);
        share.compare(turn, found);
        f64 next = 0.5 * (share.weigh(warps) + found[0]), length = __dsqrt_rn(found[1]);
        __syncthreads();
        if (!(isfinite(next) && isfinite(length))) {
            for (u64 j = share.from + threadIdx.x; j < share.to; j += BLOCK) share.mean[j] = share.before[j];
            ending = DIVERGED;
            if (step == 0) energy = next;
            turn ^= 1;
            break;
        }
        f64 moved = fabs(next - energy);
        energy = next, change = length, steps = step, known = step + 1;
        if (history) history[step] = T(energy);
        if (told || (step > 0 && moved < p.tolerance)) {
            ending = told ? STOPPED : CONVERGED;
            turn ^= 1;
            break;
        }
        if (step < p.most) share.step();
    }
    return {energy, change, ending, steps, known};
}
