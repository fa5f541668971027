// Belief updates: parameters, and what a block has of an agent.
#pragma once
#include <type_traits>

#include "contract_belief_update.cuh"
#include "belief_sums.cuh"
#include "tagged.cuh"
#include "team.cuh"

constexpr u32 BLOCK = 512, WARPS = BLOCK / 32;
// Columns of a slice, sums of slices, and rows that a warp adds up together.
constexpr u32 SLICE = 32, SUMS = 8, ROWS = 32 / SUMS;
// Columns whose slopes a warp computes together.
constexpr u32 COLUMNS = 4;

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
    // Where block `number` of the cluster has what this one has at `mine`.
    template <class T>
    static __device__ __forceinline__ T* at_block(T* mine, u32 number) {
#if __CUDA_ARCH__ >= 900
        u64 there;
        asm volatile("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(mine), "r"(number));
        return reinterpret_cast<T*>(there);
#else
        return mine;
#endif
    }
    // Leaves the words as they were before the launch: the last block to come here knows that nobody waits any more.
    __device__ __forceinline__ void leave() {
        __syncthreads();
        if (size == 1 || clustered || threadIdx.x != 0) return;
        if (atomicInc(arrived + 1, size - 1) == size - 1) atomicExch(arrived, 0);
    }
};

// What a block has of an agent: every `team.size`-th slice, from that of its rank on. HELD: in shared memory.
template <class T, bool HELD>
struct Share {
    const Belief& p;
    Agents& team;
    f64* squares;       // [own slices, 2]
    T* parts;           // [own slices, m], where the blocks are no more than SUMS
    T* errors;          // of all rows
    T* columns;         // of the Jacobian, in shared memory: [own slices, rows, kept], of which rows are `lead` apart
    T *mean, *before;   // of the own states
    T* slopes;
    const T* jacobian;
    const T *observation, *precision, *reference, *prior_mean, *prior_precision;
    T *given, *seen;    // the prior of own states, and what is known of all observations
    Packet<T>* packets;      // [2, sums or slices, m], and where predictions are shared out [2, m] behind them
    Packet<f64>* energies;   // [2, sums or slices, 2], [2, 2] behind them, and [2]
    u64 slices, own;    // that the block has, and their states
    u32 rows;           // whole ones of all lanes, the rest 0
    u64 sums;           // of predictions that blocks send each other
    u32 slice, row;     // this thread's first prediction, and how far it is to the next
    u32 slices_on, rows_on;

    __device__ __forceinline__ const T* of(u64 address, u32 k, u64 agent, u64 each) const {
        if (!address) return nullptr;
        return reinterpret_cast<const T*>(address) + (p.own >> k & 1 ? agent * each : 0);
    }
    static __device__ __forceinline__ T at(const T* values, u64 k) { return values ? values[k] : T(0); }
    // The place of an own state among all.
    __device__ __forceinline__ u64 place(u64 c) const { return (c / SLICE * team.size + team.rank) * SLICE + c % SLICE; }

    __device__ __forceinline__ Share(const Belief& p, Agents& team, u32 number, unsigned char* memory) : p(p), team(team) {
        slices = (p.slices + team.size - 1 - team.rank) / team.size;
        own = slices == 0 ? 0 : (slices - 1) * SLICE + min(u64(SLICE), p.n - ((slices - 1) * team.size + team.rank) * SLICE);
        const u64 most = (p.slices + team.size - 1) / team.size;
        rows = (u32(p.m) + 31) / 32 * 32;
        // The same order in shared memory as in that of the device.
        unsigned char* rest = HELD ? memory : reinterpret_cast<unsigned char*>(p.held) + (u64(number) * team.size + team.rank) * p.each;
        squares = reinterpret_cast<f64*>(rest);
        mean = reinterpret_cast<T*>(squares + 2 * most);
        before = mean + most * SLICE, slopes = before + most * SLICE;
        given = slopes + most * SLICE;
        errors = given + 2 * most * SLICE;
        columns = HELD ? errors + rows : reinterpret_cast<T*>(memory);
        parts = HELD ? columns + most * rows * p.lead : errors + rows;
        seen = parts + (team.size > SUMS ? 0 : most * p.m);
        sums = team.size > SUMS ? p.slices : min(u64(SUMS), p.slices);
        if (p.in_cluster) {
            energies = reinterpret_cast<Packet<f64>*>(memory + p.each - packets_bytes());
            packets = reinterpret_cast<Packet<T>*>(energies + 4 * sums + 6);
        } else {
            packets = reinterpret_cast<Packet<T>*>(p.packets) + number * 2 * (sums + 1) * p.m;
            energies = reinterpret_cast<Packet<f64>*>(p.energies) + number * (4 * sums + 6);
        }
        const u32 m = u32(max(p.m, u64(1)));
        // Without observations nothing is predicted.
        slice = p.m == 0 ? ~0u : threadIdx.x / m, row = threadIdx.x % m;
        slices_on = BLOCK / m, rows_on = BLOCK % m;
    }
    __device__ __forceinline__ u64 packets_bytes() const { return 2 * sums * p.m * sizeof(Packet<T>) + (4 * sums + 6) * sizeof(Packet<f64>); }
    // To where all blocks look: each into its own shared memory, or all into one place.
    template <class U>
    __device__ __forceinline__ void send(Packet<U>* packet, U x, u32 turn) const {
        if (!p.in_cluster) {
            packet->send(x, turn);
            return;
        }
        for (u32 k = 0; k < team.size; ++k) Agents::at_block(packet, k)->send(x, turn);
    }
    // What earlier work left is no packet of this.
    __device__ __forceinline__ void clear() {
        if (team.size == 1) return;
        const u64 first = p.in_cluster ? threadIdx.x : team.thread(), by = p.in_cluster ? BLOCK : team.threads();
        for (u64 k = first; k < 2 * (p.in_cluster ? sums : sums + 1) * p.m; k += by) packets[k].send(T(0), 0);
        for (u64 k = first; k < 4 * sums + 6; k += by) energies[k].send(0.0, 0);
        team.meet();
    }
    // The inputs of an agent.
    __device__ __forceinline__ void take(u64 agent, bool again) {
        const T* start = of(p.start, 0, agent, p.n);
        jacobian = of(p.jacobian, 1, agent, p.m * p.n);
        observation = of(p.observation, 2, agent, p.m), precision = of(p.precision, 3, agent, p.m);
        reference = of(p.reference, 4, agent, p.m);
        prior_mean = of(p.prior_mean, 5, agent, p.n), prior_precision = of(p.prior_precision, 6, agent, p.n);
        keep(false);
        for (u64 c = threadIdx.x; c < slices * SLICE; c += BLOCK) mean[c] = before[c] = c < own ? start[place(c)] : T(0);
        // A matrix that all agents share stays.
        if (again && !(p.own >> 1 & 1)) return;
        hold();
    }
    // Takes what a block knows of its states and of all observations: the latter alone of a model that is there already.
    __device__ __forceinline__ void keep(bool known) {
        const u64 room = (p.slices + team.size - 1) / team.size * SLICE;
        const T* both[2] = {prior_mean, prior_precision};
#pragma unroll
        for (u32 k = 0; k < 2; ++k) {
            for (u64 c = threadIdx.x; c < own && both[k] && !known; c += BLOCK) given[k * room + c] = both[k][place(c)];
        }
        if (prior_mean) prior_mean = given;
        if (prior_precision) prior_precision = given + room;
        if (!HELD) return;
        T* to = seen;
        const T* all[3] = {precision, reference, observation};
#pragma unroll
        for (u32 k = 0; k < 3; ++k) {
            for (u64 i = threadIdx.x; i < p.m && all[k] && !(known && k < 2); i += BLOCK) to[k * p.m + i] = all[k][i];
        }
        precision = to, observation = to + 2 * p.m;
        if (reference) reference = to + p.m;
    }
    // Takes columns of own slices into shared memory, several loads at a time, with zeros for rows and columns past the last.
    __device__ __forceinline__ void hold() {
        constexpr u32 AT_ONCE = 8;
        const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32;
        // Lanes read neighbours: rows of a column, or columns of a row.
        const u32 wide = p.by_columns ? rows : p.kept, high = p.by_columns ? p.kept : rows;
        for (u64 s = 0; s < slices; ++s) {
            T* to = columns + s * rows * p.lead;
            for (u32 x = lane; x < wide; x += 32) {
                for (u32 y = warp; y < high; y += WARPS * AT_ONCE) {
                    T ahead[AT_ONCE];
#pragma unroll
                    for (u32 k = 0; k < AT_ONCE; ++k) {
                        const u32 z = y + k * WARPS, i = p.by_columns ? x : z, j = p.by_columns ? z : x;
                        const u64 c = s * SLICE + j;
                        ahead[k] = T(0);
                        if (z < high && i < p.m && c < own) ahead[k] = p.by_columns ? jacobian[place(c) * p.m + i] : jacobian[i * p.n + place(c)];
                    }
#pragma unroll
                    for (u32 k = 0; k < AT_ONCE; ++k) {
                        const u32 z = y + k * WARPS, i = p.by_columns ? x : z, j = p.by_columns ? z : x;
                        if (z < high) to[i * p.lead + j] = ahead[k];
                    }
                }
            }
        }
        for (u32 i = u32(p.m) + threadIdx.x; i < rows; i += BLOCK) errors[i] = T(0);
    }
    // WIDTH numbers in shared memory.
    static constexpr u32 WIDTH = 16 / sizeof(T);
    static __device__ __forceinline__ void vector(T (&x)[WIDTH], const T* at) {
        unpack(x, *reinterpret_cast<const uint4*>(at));
    }
    // Columns from c on of a row, times the states there. What is past the last column or row is 0, which changes no sum.
    __device__ __forceinline__ T added(T sum, const T* row, const T* states) const {
        T x[WIDTH], by[WIDTH];
        vector(x, row), vector(by, states);
#pragma unroll
        for (u32 k = 0; k < WIDTH; ++k) sum = sum + x[k] * by[k];
        return sum;
    }
    // The prediction of row i by an own slice.
    __device__ __forceinline__ T prediction(u32 s, u32 i) const {
        const T *row = columns + (s * rows + i) * u32(p.lead), *states = mean + s * SLICE;
        T sum = T(0);
        if (p.kept == SLICE) {
#pragma unroll 2
            for (u32 k = 0; k < SLICE; k += WIDTH) sum = added(sum, row + k, states + k);
            return sum;
        }
        const u64 end = min(u64(SLICE), own - s * SLICE);
        for (u32 k = 0; k < p.kept; k += WIDTH) sum = added(sum, row + k, states + k);
#pragma unroll 8
        for (u64 k = p.kept; k < end; ++k) sum = sum + jacobian[place(s * SLICE + k) * p.m + i] * states[k];
        return sum;
    }
    __device__ __forceinline__ Packet<T>* packets_of(u32 turn) const { return packets + (turn & 1) * sums * p.m; }
    __device__ __forceinline__ Packet<T>* totals_of(u32 turn) const { return packets + (2 * sums + (turn & 1)) * p.m; }
    __device__ __forceinline__ Packet<f64>* energies_of(u32 turn) const { return energies + (turn & 1) * 2 * sums; }
    __device__ __forceinline__ Packet<f64>* total_energies_of(u32 turn) const { return energies + 4 * sums + (turn & 1) * 2; }
    __device__ __forceinline__ Packet<f64>* told_of(u32 turn) const { return energies + 4 * sums + 4 + (turn & 1); }

    // Predictions of own slices, one row a thread; twice the energy of the prior and the square of the last step by slices, one state a
    // lane: the last warps have the fewest predictions. Then all of them are on their way.
    __device__ __forceinline__ void predict(u32 turn) {
        const bool shared_out = team.size > SUMS;
        for (u64 s = slice, i = row; s < slices;) {
            const T sum = prediction(u32(s), u32(i));
            if (shared_out) {
                packets_of(turn)[(s * team.size + team.rank) * p.m + i].send(sum, turn);
            } else {
                parts[s * p.m + i] = sum;
            }
            s += slices_on, i += rows_on;
            if (i >= p.m) i -= p.m, ++s;
        }
        for (u64 s = WARPS - 1 - threadIdx.x / 32; s < slices; s += WARPS) {
            const u64 c = s * SLICE + threadIdx.x % 32;
            f64 both[2] = {0.0, 0.0};
            if (c < own) {
                f64 away = f64(mean[c] - at(prior_mean, c)), moved = f64(mean[c] - before[c]);
                both[0] = f64(as_precision(at(prior_precision, c))) * away * away;
                both[1] = moved * moved;
            }
            const f64 sum = each_halved(both);
            const u32 which = threadIdx.x % 32 / 16;
            if (threadIdx.x % 16 != 0) continue;
            if (shared_out) {
                energies_of(turn)[(s * team.size + team.rank) * 2 + which].send(sum, turn);
            } else {
                squares[s * 2 + which] = sum;
            }
        }
        if (shared_out) {
            gather(turn);
            return;
        }
        __syncthreads();
        if (team.size == 1) return;
        // Sum k has every eighth slice from k on, which are all here where k is the rank and so many sums further.
        const u64 apart = SUMS / team.size, mine = min(max(apart, u64(1)), slices);
        for (u64 j = 0; j < mine; ++j) {
            const u64 sum = j * team.size + team.rank;
            for (u64 i = threadIdx.x; i < p.m; i += BLOCK) send(packets_of(turn) + sum * p.m + i, every(parts + i, p.m, j, apart), turn);
            if (threadIdx.x >= BLOCK - 2) {
                const u32 which = threadIdx.x % 2;
                send(energies_of(turn) + sum * 2 + which, every(squares + which, 2, j, apart), turn);
            }
        }
    }
    // The sum of every `by`-th own slice.
    template <class U>
    __device__ __forceinline__ U every(const U* from, u64 each, u64 s, u64 by) const {
        U sum = U(0);
#pragma unroll 4
        for (; s < slices; s += by) sum = sum + from[s * each];
        return sum;
    }
    // The sums of all slices, of which a lane has every SUMS-th: in lane 0 and so on of those that `apart` lanes divide.
    template <u32 APART, class U>
    __device__ __forceinline__ U gathered(const Packet<U>* from, u64 each, u32 turn) const {
        constexpr u32 AT_ONCE = 8;
        U sum = U(0);
        for (u64 s = threadIdx.x % 32 / APART; s < p.slices; s += SUMS * AT_ONCE) {
            U x[AT_ONCE];
            receive(x, from + s * each, SUMS * each, (p.slices - s + SUMS - 1) / SUMS, turn);
#pragma unroll
            for (u32 k = 0; k < AT_ONCE; ++k) {
                if (s + k * SUMS < p.slices) sum = sum + x[k];
            }
        }
        return halved<SUMS * APART / 2, APART>(sum);
    }
    // Where predictions are shared out: adds up the rows of this block, ROWS a warp, and tells the sums to all. Neighbouring groups of
    // rows belong to different blocks, and the last has the energies.
    __device__ __forceinline__ void gather(u32 turn) {
        const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        for (u64 group = u64(warp) * team.size + team.rank; group * ROWS < p.m; group += u64(team.size) * WARPS) {
            const u64 i = min(group * ROWS + lane % ROWS, p.m - 1);
            const T sum = gathered<ROWS>(packets_of(turn) + i, p.m, turn);
            if (lane < ROWS && group * ROWS + lane < p.m) totals_of(turn)[i].send(sum, turn);
        }
        if (team.rank == team.size - 1 && warp == WARPS - 1) {
            for (u32 which = 0; which < 2; ++which) {
                const f64 sum = gathered<ROWS>(energies_of(turn) + which, 2, turn);
                if (lane == 0) total_energies_of(turn)[which].send(sum, turn);
            }
        }
    }
    // The sum of row i over all slices.
    template <class U>
    __device__ __forceinline__ U total(const U* own_parts, const Packet<U>* all, const Packet<U>* totals, u64 i, u64 each, u32 turn) const {
        if (team.size > SUMS) {
            U x[1];
            receive(x, totals + i, 1, 1, turn);
            return x[0];
        }
        U x[SUMS];
        if (team.size == 1) {
#pragma unroll
            for (u32 k = 0; k < SUMS; ++k) x[k] = U(0);
            u64 s = 0;
            for (; s + SUMS <= slices; s += SUMS) {
#pragma unroll
                for (u32 k = 0; k < SUMS; ++k) x[k] = x[k] + own_parts[(s + k) * each + i];
            }
#pragma unroll
            for (u32 k = 0; k < SUMS; ++k) {
                if (s + k < slices) x[k] = x[k] + own_parts[(s + k) * each + i];
            }
        } else {
            receive(x, all + i, each, sums, turn);
        }
        return Halves<SUMS>::of(x);
    }
    // What is observed less what is predicted, weighed by its precision, of all rows in each block; this thread's part of twice the
    // energy of the observation; and in `found` the sums over states.
    __device__ __forceinline__ f64 compare(u32 turn, f64* found) {
        f64 energy = 0.0;
        for (u64 i = threadIdx.x; i < p.m; i += BLOCK) {
            const T sum = total(parts, packets_of(turn), totals_of(turn), i, p.m, turn);
            const T weight = as_precision(precision[i]), error = (observation[i] - sum) - at(reference, i);
            const f64 apart = f64(error);
            energy = energy + f64(weight) * apart * apart;
            errors[i] = weight * error;
        }
        if (threadIdx.x >= BLOCK - 2) {
            const u32 which = threadIdx.x % 2;
            found[which] = total(squares, energies_of(turn), total_energies_of(turn), which, 2, turn);
        }
        __syncthreads();
        return energy;
    }
    // Slopes of own states, but for those of the prior: columns in shared memory, COLUMNS a warp at a time, and others, one a warp.
    __device__ __forceinline__ void descent() {
        const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, lead = u32(p.lead);
        const u32 groups = p.kept / COLUMNS, rest = SLICE - p.kept;
        for (u32 k = WARPS - 1 - warp; k < slices * rest; k += WARPS) {
            const u64 c = k / rest * SLICE + p.kept + k % rest;
            if (c < own) far_slope(c);
        }
        for (u32 k = warp; k < slices * groups; k += WARPS) {
            const u32 s = k / groups, c = k % groups * COLUMNS;
            const T* at = columns + (s * rows + lane) * lead + c;
            T sum[COLUMNS] = {};
#pragma unroll 2
            for (u32 i = lane; i < rows; i += 32, at += 32 * lead) {
                const T error = errors[i];
#pragma unroll
                for (u32 k = 0; k < COLUMNS; k += WIDTH) {
                    T x[WIDTH];
                    vector(x, at + k);
#pragma unroll
                    for (u32 l = 0; l < WIDTH; ++l) sum[k + l] = sum[k + l] + x[l] * error;
                }
            }
            const T slope = each_halved(sum);
            if (lane % (32 / COLUMNS) == 0) slopes[s * SLICE + c + lane / (32 / COLUMNS)] = slope;
        }
    }
    // The slope of an own state whose column is far away, several loads at a time.
    __device__ __forceinline__ void far_slope(u64 c) {
        constexpr u32 AT_ONCE = 8;
        const u32 lane = threadIdx.x % 32, m = u32(p.m);
        const T* column = jacobian + place(c) * p.m;
        T sum = T(0);
        for (u32 round = 0; round < m; round += 32 * AT_ONCE) {
            T ahead[AT_ONCE];
#pragma unroll
            for (u32 l = 0; l < AT_ONCE; ++l) ahead[l] = column[min(round + l * 32 + lane, m - 1)];
#pragma unroll
            for (u32 l = 0; l < AT_ONCE; ++l) {
                const u32 i = round + l * 32 + lane;
                const T next = sum + ahead[l] * errors[min(i, m - 1)];
                sum = i < m ? next : sum;
            }
        }
        sum = halved<16, 1>(sum);
        if (lane == 0) slopes[c] = sum;
    }
    // Own states take a step, one a thread.
    __device__ __forceinline__ void step() {
        const T rate = T(p.rate);
        for (u64 c = threadIdx.x; c < own; c += BLOCK) {
            const T now = mean[c], pull = as_precision(at(prior_precision, c)) * (now - at(prior_mean, c));
            before[c] = now;
            mean[c] = now + rate * (slopes[c] - pull);
        }
        __syncthreads();
    }
    // The mean goes to the result, by the threads that wrote it.
    __device__ __forceinline__ void give(u64 agent) const {
        T* out = reinterpret_cast<T*>(p.mean) + agent * p.n;
        for (u64 c = threadIdx.x; c < own; c += BLOCK) out[place(c)] = mean[c];
    }
};
