// The service's side of its board: a control block in the host's memory, which both sides read and write with plain loads and stores.
// Fields that one side writes share a line of 128 bytes with no field of the other. crates/syntonic-cuda/src/service/board.rs has
// the same layout, and says who writes what when.
#pragma once
#include "contract_service.cuh"
#include "belief.cuh"
#include "bulk_copy.cuh"

// Doubles of arguments that shared memory holds, and of the vectors that a thread asks for at once.
constexpr u32 STAGED = 4096, AHEAD = 4;
// Slots of arguments begin at multiples of so many doubles.
constexpr u32 GRAIN = 16;
// Nanoseconds between two heartbeats, and between two looks at the host's wishes within a command.
constexpr u64 BEAT = 1000000, LOOK = 100000;
// Nanoseconds that the poller sleeps between two looks, and looks after which it sleeps twice as long.
constexpr u32 SHORTEST = 32, LONGEST = 1024, PATIENCE = 64;

// Words of the board.
enum Place : u32 { POSTED = 0, WANTED = 2, ANSWERED = 16, STATUS = 17, HEART = 32, STATE = 33, REASON = 34 };
enum State : u64 { RUNNING = 1, ENDED = 2 };
enum Reason : u64 { WITHOUT_WORK = 1, LIFETIME = 2, COMMANDS = 3, ASKED = 4, ABORTED = 5 };
enum Status : u64 { DONE = 0, UNKNOWN = 1, OUT_OF_BOUNDS = 2, MISFIT = 3, NO_MODEL = 4, STOPPED_BY_HOST = 5, TOO_LONG = 6 };
// The host posts 8 bits of an opcode, so that it cannot post LEAVE.
enum Opcode : u32 { ECHO = 1, SUM = 2, AFFINE = 3, FREE_ENERGY = 4, BELIEF_UPDATE = 5, LEAVE = 256 };

struct Pair {
    u64 first, second;
};
// What all threads of all blocks know of a command.
struct Command {
    u32 opcode, length;
    u64 offset, begun;
};

__device__ __forceinline__ u64 now() {
    u64 time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
    return time;
}
// Loads and stores of the host's memory. The halves of a pair are read together, and each may be older than the other.
__device__ __forceinline__ Pair acquire_pair(u64 at) {
    Pair x;
    asm volatile("ld.acquire.sys.global.v2.u64 {%0, %1}, [%2];" : "=l"(x.first), "=l"(x.second) : "l"(at) : "memory");
    return x;
}
__device__ __forceinline__ Pair relaxed_pair(u64 at) {
    Pair x;
    asm volatile("ld.relaxed.sys.global.v2.u64 {%0, %1}, [%2];" : "=l"(x.first), "=l"(x.second) : "l"(at) : "memory");
    return x;
}
__device__ __forceinline__ void put(u64 at, u64 value) {
    asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}
// What this thread wrote or saw before is seen before this.
__device__ __forceinline__ void release(u64 at, u64 value) {
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}
__device__ __forceinline__ u64 word(const Lease& p, u32 place) { return p.board + 8 * place; }

// Every block of the service is here: within a cluster the hardware says so, and one block alone is.
__device__ __forceinline__ void meet(u32 blocks) {
    __syncthreads();
#if __CUDA_ARCH__ >= 900
    if (blocks > 1) asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
#endif
}

// The thread that talks with the host: thread 0 of the first block. Each of its waits ends by the GPU's clock.
struct Poller {
    u64 done, born, last, beat, beats, commands;

    __device__ __forceinline__ void begin(const Lease& p) {
        done = p.done, born = last = beat = now(), beats = commands = 0;
        put(word(p, HEART), 0);
        release(word(p, STATE), p.number << 2 | RUNNING);
    }
    __device__ __forceinline__ void pulse(const Lease& p, u64 time) {
        if (time - beat < BEAT) return;
        beat = time;
        put(word(p, HEART), ++beats);
    }
    // The next command; LEAVE with a reason in `offset` where the lease is over. A command that comes with the end stays posted, and
    // the host, which sees that the lease ended without an answer, begins another.
    __device__ __forceinline__ Command next(const Lease& p) {
        u32 pause = SHORTEST;
        for (u32 looks = 1;; ++looks) {
            const Pair posted = acquire_pair(word(p, POSTED)), wanted = relaxed_pair(word(p, WANTED));
            const u64 time = now();
            if (wanted.second == p.number) return {LEAVE, 0, ABORTED, time};
            if (wanted.first == p.number) return {LEAVE, 0, ASKED, time};
            if (time - born >= p.lifetime) return {LEAVE, 0, LIFETIME, time};
            if (commands >= p.commands) return {LEAVE, 0, COMMANDS, time};
            // Both halves carry the number, so neither is older than it.
            const u64 text = posted.second;
            if (posted.first != done && text >> 48 == (posted.first & 0xffff)) {
                done = posted.first, last = time, ++commands;
                return {u32(text >> 40 & 0xff), u32(text & 0xfffff), (text >> 20 & 0xfffff) * GRAIN, time};
            }
            if (time - last >= p.idle) return {LEAVE, 0, WITHOUT_WORK, time};
            pulse(p, time);
            __nanosleep(pause);
            if (looks % PATIENCE == 0) pause = min(2 * pause, LONGEST);
        }
    }
    __device__ __forceinline__ void answer(const Lease& p, Status status) {
        put(word(p, STATUS), status);
        release(word(p, ANSWERED), done);
        last = now();
    }
    __device__ __forceinline__ void end(const Lease& p, u64 reason) {
        put(word(p, REASON), reason);
        release(word(p, STATE), p.number << 2 | ENDED);
    }
};

// Brings the arguments of a command into `room`, or where it has none for them into the device's memory, all asked for before one is
// waited for. Slots have whole pairs.
__device__ __forceinline__ const f64* stage(const Lease& p, const Command& command, f64* room) {
    f64* to = command.length <= STAGED ? room : reinterpret_cast<f64*>(p.stage);
    const u64 from = p.arguments + 8 * command.offset;
    const u32 pairs = (command.length + 1) / 2;
    for (u32 base = threadIdx.x; base < pairs; base += AHEAD * BLOCK) {
        Pair ahead[AHEAD];
#pragma unroll
        for (u32 k = 0; k < AHEAD; ++k) {
            if (base + k * BLOCK < pairs) ahead[k] = relaxed_pair(from + 16 * u64(base + k * BLOCK));
        }
#pragma unroll
        for (u32 k = 0; k < AHEAD; ++k) {
            if (base + k * BLOCK < pairs) *reinterpret_cast<Pair*>(to + 2 * (base + k * BLOCK)) = ahead[k];
        }
    }
    __syncthreads();
    return to;
}
__device__ __forceinline__ u64 bits(f64 x) { return u64(__double_as_longlong(x)); }
