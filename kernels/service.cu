// A leased service: one cluster that takes tiny requests from the host's memory and answers there, without a launch for each. The
// lease ends by itself: without work, at an age, after so many commands, or when the host asks. Its first block takes commands and does
// small ones alone, while the others sleep at the cluster's barrier; belief updates wake them.
#include "free_energy.cuh"
#include "service.cuh"

// What a block keeps between commands.
struct Kept {
    Belief model;
    f64 warps[WARPS], found[3];
    u32 number;  // of the model whose columns are in shared memory, from 1 on
    u32 turn;    // steps of this lease
};

// Stops a long command where the host wants it or its time is over.
struct Watch {
    static constexpr bool ASKS = true;
    const Lease& p;
    u64 begun, next;
    Status status;

    __device__ __forceinline__ bool asks() {
        const u64 time = now();
        if (status == DONE && time - begun >= p.limit) status = TOO_LONG;
        if (status == DONE && time - next < (u64(1) << 63)) {
            next = time + LOOK;
            if (relaxed_pair(word(p, WANTED)).second == p.number) status = STOPPED_BY_HOST;
        }
        return status != DONE;
    }
};

// Belief update: arguments are model, steps (both as integers), rate, tolerance, the mean [n] and what is observed [m]; answers are the
// mean [n], steps and ending (as integers), the length of the last step and the free energy.
__device__ __forceinline__ bool fits(const Lease& p, const Command& command, const f64* args, Status& status) {
    status = MISFIT;
    if (command.length < 4) return false;
    const u64 number = bits(args[0]), steps = bits(args[1]);
    status = NO_MODEL;
    if (number >= p.known) return false;
    const Belief& model = reinterpret_cast<const Belief*>(p.models)[number];
    status = MISFIT;
    if (command.length != 4 + model.n + model.m || steps >= 1 << 24 || !(args[2] > 0.0) || !(args[3] >= 0.0)) return false;
    status = DONE;
    return true;
}
// All blocks read the arguments where the leader has them: volatile, so that no cache of theirs has those of an earlier command.
__device__ __forceinline__ Status updates(const Lease& p, const Command& command, u32 rank, const volatile f64* args, Kept& kept) {
    extern __shared__ __align__(16) unsigned char memory[];
    const u64 number = bits(args[0]);
    const bool again = kept.number == number + 1;
    __syncthreads();
    if (!again) {
        const u64* from = reinterpret_cast<const u64*>(p.models + number * sizeof(Belief));
        if (threadIdx.x < sizeof(Belief) / 8) reinterpret_cast<u64*>(&kept.model)[threadIdx.x] = from[threadIdx.x];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        kept.number = u32(number + 1);
        kept.model.most = u32(bits(args[1])), kept.model.rate = args[2], kept.model.tolerance = args[3];
    }
    __syncthreads();
    const Belief& model = kept.model;
    u32 turn = kept.turn;
    Agents team(rank, p.blocks, nullptr, p.blocks > 1);
    Share<f64, true> share(model, team, 0, memory);
    share.jacobian = reinterpret_cast<const f64*>(model.jacobian);
    share.precision = reinterpret_cast<const f64*>(model.precision);
    share.reference = reinterpret_cast<const f64*>(model.reference);
    share.prior_mean = reinterpret_cast<const f64*>(model.prior_mean);
    share.prior_precision = reinterpret_cast<const f64*>(model.prior_precision);
    share.observation = nullptr;
    share.keep(again);
    f64* seen = const_cast<f64*>(share.observation);
    for (u64 i = threadIdx.x; i < model.m; i += BLOCK) seen[i] = args[4 + model.n + i];
    for (u64 c = threadIdx.x; c < share.slices * SLICE; c += BLOCK) share.mean[c] = share.before[c] = c < share.own ? args[4 + share.place(c)] : 0.0;
    if (!again) share.hold(), share.clear();
    __syncthreads();
    Watch watch = {p, command.begun, command.begun + LOOK, DONE};
    const Ended ended = descend(share, team, turn, static_cast<f64*>(nullptr), kept.warps, kept.found, watch);
    const u64 answers = p.answers + 8 * command.offset;
    for (u64 c = threadIdx.x; c < share.own; c += BLOCK) put(answers + 8 * share.place(c), bits(share.mean[c]));
    if (threadIdx.x == 0) kept.turn = turn;
    if (rank == 0 && threadIdx.x == 0) {
        const u64 behind = answers + 8 * model.n;
        put(behind, ended.steps), put(behind + 8, u64(ended.ending)), put(behind + 16, bits(ended.change)), put(behind + 24, bits(ended.energy));
    }
    // The leader answers for all blocks: what each of them wrote has to be there before.
    __threadfence_system();
    return watch.status;
}

// Terms of a thread, then halves within warps and between them, in every thread.
__device__ __forceinline__ f64 sum_of(const f64* x, u64 n) {
    Sums<f64> sums = {0.0, 0.0};
    for (u64 k = threadIdx.x; k < n; k += BLOCK) sums.states = sums.states + x[k];
    return of_block<WARPS>(sums).states;
}
// Free energy: arguments are n and m (as integers), means and variances of q and p in the order of `free_energy`, each [n], and
// observation, prediction and precision, each [m]; answers are the free energy, the complexity and the accuracy.
__device__ __forceinline__ Status free_energy(const Command& command, const f64* args, u64 answers) {
    if (command.length < 2) return MISFIT;
    const u64 n = bits(args[0]), m = bits(args[1]);
    if (n > command.length || m > command.length || command.length != 2 + 4 * n + 3 * m) return MISFIT;
    const f64 *states = args + 2, *observed = states + 4 * n;
    Sums<f64> sums;
    sums.states = of_part(0, n, false, BLOCK, OfState(), states, states + n, states + 2 * n, states + 3 * n);
    sums.observed = of_part(0, m, false, BLOCK, OfObservation(), observed, observed + m, observed + 2 * m);
    sums = of_block<WARPS>(sums);
    if (threadIdx.x == 0) {
        const f64 complexity = complexity_of(sums), accuracy = accuracy_of(sums, m);
        put(answers, bits(complexity - accuracy)), put(answers + 8, bits(complexity)), put(answers + 16, bits(accuracy));
    }
    return DONE;
}
// What the first block does by itself. Thread 0's own answers need no fence, since it releases.
__device__ __forceinline__ Status alone(const Lease& p, const Command& command, const f64* args) {
    const u64 answers = p.answers + 8 * command.offset;
    switch (command.opcode) {
        case ECHO:
            for (u32 k = threadIdx.x; k < command.length; k += BLOCK) put(answers + 8 * u64(k), bits(args[k]));
            __threadfence_system();
            return DONE;
        case SUM: {
            const f64 sum = sum_of(args, command.length);
            if (threadIdx.x == 0) put(answers, bits(sum));
            return DONE;
        }
        case AFFINE:
            // a, b and x: a x + b.
            if (command.length < 2) return MISFIT;
            for (u32 k = threadIdx.x; k < command.length - 2; k += BLOCK) put(answers + 8 * u64(k), bits(args[0] * args[2 + k] + args[1]));
            __threadfence_system();
            return DONE;
        case FREE_ENERGY: return free_energy(command, args, answers);
        default: return UNKNOWN;
    }
}

// The first block.
__device__ __forceinline__ void lead(const Lease& p, Command& command, f64* room, Kept& kept) {
    Poller poller;
    if (threadIdx.x == 0) poller.begin(p);
    u64 reason;
    for (;;) {
        if (threadIdx.x == 0) command = poller.next(p);
        __syncthreads();
        const Command now = command;
        if (now.opcode == LEAVE) {
            reason = now.offset;
            break;
        }
        Status status = OUT_OF_BOUNDS;
        if (now.length <= p.most && now.offset + now.length <= p.capacity) {
            const f64* args = stage(p, now, room);
            if (now.opcode != BELIEF_UPDATE) {
                status = alone(p, now, args);
            } else if (fits(p, now, args, status)) {
                meet(p.blocks);
                status = updates(p, now, 0, args, kept);
                meet(p.blocks);
            }
        }
        // Every thread has read the command, and what it wrote of the answer is there.
        __syncthreads();
        if (threadIdx.x == 0) poller.answer(p, status);
    }
    meet(p.blocks);
    // The others have read that the lease is over: nobody looks into this block's memory any more.
    meet(p.blocks);
    if (threadIdx.x == 0) poller.end(p, reason);
}
// The other blocks, which the leader wakes. They wait as long as it does.
__device__ __forceinline__ void follow(const Lease& p, u32 rank, Command& command, const f64* room, Kept& kept) {
    for (;;) {
        meet(p.blocks);
        const Command now = *Agents::at_block(&command, 0);
        if (now.opcode == LEAVE) break;
        const f64* args = now.length <= STAGED ? Agents::at_block(room, 0) : reinterpret_cast<const f64*>(p.stage);
        updates(p, now, rank, args, kept);
        meet(p.blocks);
    }
    meet(p.blocks);
}

extern "C" __global__ void __launch_bounds__(BLOCK) service_f64(const __grid_constant__ Lease p) {
    __shared__ __align__(16) f64 room[STAGED];
    __shared__ Command command;
    __shared__ Kept kept;
    if (threadIdx.x == 0) kept.number = kept.turn = 0;
    __syncthreads();
    if (blockIdx.x == 0) {
        lead(p, command, room, kept);
    } else {
        follow(p, blockIdx.x, command, room, kept);
    }
}
