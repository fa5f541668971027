// Rows in parts that stay: every block has the same part of each row, which it reads once, and which lies in a ring of shared
// memory until all parts of its row are measured and it is written. It comes after row_parts.cuh.
//
// The first warp asks for one part after the other by bulk copies. Groups of threads measure them in turn, and tell all blocks
// what they come to. Collectors, a warp each, hear the parts of a row and join them in their order. Other groups write. So a
// block has many rows under way, each at another stage, and memory is busy all the time, though a row takes more than ten
// microseconds from its first byte to its last: what blocks tell each other passes through a memory that is busy.
//
// Whoever waits for a part waits for a block that has its place: the launch is one of blocks that are there together.
#pragma once
#include "row_bulk.cuh"

namespace syntonic {

// The tag of the first turn, and the blocks that are done: a line to themselves. Boxes begin behind it. The same number stands
// in crates/syntonic-cuda/src/tickets.rs.
constexpr u32 RING_HEADER = 128;
// Packets that a lane awaits at once.
constexpr int RING_HEARD = 9;
// Threads of a group. The same number stands in crates/syntonic-cuda/src/rows/ring.rs.
constexpr u32 RING_GROUP = 96;
constexpr u32 RING_WARPS = RING_GROUP / 32;

#if __CUDA_ARCH__ >= 900

// Eight bytes that another block hears: each half has the tag of its turn beside it in one word of 64 bits, so that whoever sees
// the tag sees the half, and no fence has to wait for what was written before.
__device__ __forceinline__ void ring_tell(unsigned char* box, u64 payload, u32 tag) {
    const u64 low = (u64)tag << 32 | (u32)payload, high = (u64)tag << 32 | (u32)(payload >> 32);
    asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(box)), "l"(low), "l"(high)
                 : "memory");
}
struct RingPacket {
    u64 low, high;

    __device__ __forceinline__ void look(const unsigned char* box) {
        asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];"
                     : "=l"(low), "=l"(high)
                     : "l"(__cvta_generic_to_global(box))
                     : "memory");
    }
    __device__ __forceinline__ bool is_of(u32 tag) const { return (u32)(low >> 32) == tag && (u32)(high >> 32) == tag; }
    __device__ __forceinline__ u64 payload() const { return high << 32 | (u32)low; }
};
// Tells all of a value, eight bytes a packet, and hears all of one: whether it is of that tag.
template <class Told> __device__ __forceinline__ void ring_tell_all(unsigned char* box, const Told& told, u32 tag) {
    static_assert(sizeof(Told) % 8 == 0, "whole packets");
    u64 packet[sizeof(Told) / 8];
    memcpy(packet, &told, sizeof(told));
#pragma unroll
    for (u32 k = 0; k < sizeof(Told) / 8; ++k) ring_tell(box + k * 16, packet[k], tag);
}
template <class Told> __device__ __forceinline__ bool ring_hear(const unsigned char* box, Told& told, u32 tag) {
    RingPacket packet[sizeof(Told) / 8];
    u64 payload[sizeof(Told) / 8];
    bool all = true;
#pragma unroll
    for (u32 k = 0; k < sizeof(Told) / 8; ++k) packet[k].look(box + k * 16);
#pragma unroll
    for (u32 k = 0; k < sizeof(Told) / 8; ++k) all &= packet[k].is_of(tag), payload[k] = packet[k].payload();
    memcpy(&told, payload, sizeof(told));
    return all;
}

// What lies in shared memory behind the ring. The same sizes stand in crates/syntonic-cuda/src/rows/ring.rs.
template <class Measures, int K> struct RingRoom {
    using Acc = typename Measures::Acc;
    using Told = typename Measures::Told;
    static constexpr u32 PACKETS = sizeof(Told) / 8;
    static_assert(sizeof(Told) % 8 == 0 && sizeof(Acc) % 8 == 0, "whole packets");
    const RowProgramParams<K>& p;

    __device__ __forceinline__ u32 slots() const { return p.chunk; }
    __device__ __forceinline__ u32 groups() const { return p.ahead; }  // that measure, and as many that write
    __device__ __forceinline__ u32 collectors() const { return p.across; }
    // Of a slot: its part has arrived; its row is joined; it has been measured and written.
    __device__ __forceinline__ u64* full(u32 slot) const { return reinterpret_cast<u64*>(row_shared() + p.room) + slot; }
    __device__ __forceinline__ u64* ready(u32 slot) const { return full(slots() + slot); }
    __device__ __forceinline__ u64* empty(u32 slot) const { return full(2 * slots() + slot); }
    __device__ __forceinline__ u32 barriers() const { return 3 * slots(); }
    // What the row of a slot comes to, what the warps of a group have of a part, by turns, and what a collector has heard.
    __device__ __forceinline__ Acc* joined(u32 slot) const { return reinterpret_cast<Acc*>(full(barriers())) + slot; }
    __device__ __forceinline__ Acc* warps(u32 group, u32 turn) const {
        return joined(slots()) + (2 * group + (turn & 1)) * (RING_WARPS);
    }
    __device__ __forceinline__ Told* heard(u32 collector) const {
        return reinterpret_cast<Told*>(warps(groups(), 0)) + collector * p.parts.by;
    }
    __device__ __forceinline__ u32* header() const { return reinterpret_cast<u32*>(p.partial); }
    // What the parts of a row come to. A slot has two boxes by turns: a block that measures what comes into it next but one has
    // written what was there before, so that all have measured that, so that all have heard of this.
    __device__ __forceinline__ unsigned char* box(u32 slot, u32 turn, u32 part) const {
        const u32 box = (turn & 1) * slots() + slot;
        return reinterpret_cast<unsigned char*>(p.partial) + RING_HEADER + (box * p.parts.by + part) * PACKETS * 16;
    }
    __device__ __forceinline__ static u32 tag(u32 first, u32 turn) { return first + turn / 2; }
    __device__ __forceinline__ u32 vectors(u32 part) const { return min(p.turns, p.vectors - part * p.turns); }

    // One thread each.
    __device__ __forceinline__ void begin() const {
        for (u32 k = threadIdx.x; k < barriers(); k += blockDim.x) {
            bulk_begin(full(k), k < 2 * slots() ? 1 : 2 * RING_GROUP);
        }
        bulk_begun();
        __syncthreads();
    }
    __device__ __forceinline__ void end() const {
        __syncthreads();
        for (u32 k = threadIdx.x; k < barriers(); k += blockDim.x) bulk_end(full(k));
    }
};

// A part that is to arrive: its runs are copied.
template <int K, int V> struct RingCopy {
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    u32 begin, end;  // vectors
    unsigned char* slot;
    u64* barrier;

    template <class T, bool FIRST> __device__ __forceinline__ void fetch(int operand) const {
        constexpr u32 BYTES = V * sizeof(T);
        if (!FIRST && (p.direct >> operand & 1)) return;
        for (u32 v = begin; v < end;) {
            const u32 segment = p.run.quotient(v), at = v - segment * p.run.by, run = min(end - v, p.run.by - at);
            const i64 offset = base[operand] + (i64)(i32)segment * (i32)p.operand[operand].run + (i64)at * V;
            bulk_copy(slot + p.region[operand] + (v - begin) * BYTES, row_address<const T>(p, operand, offset), run * BYTES, barrier);
            v += run;
        }
    }
};

// Moves what has arrived into registers, or what lies aside.
template <int V, int K> struct RingLoad {
    const RowPartAt<Then::DONE, K, V>& at;
    const unsigned char* slot;
    u32 index;

    template <class T, class Held> __device__ __forceinline__ void load(int operand, Held& held) const {
        if (at.p.direct >> operand & 1) {
            held[at.k].read(at.template address<const T>(operand));
        } else {
            held[at.k].read(slot + at.p.region[operand] + index * (u32)(V * sizeof(T)));
        }
    }
};

// The warp that asks for parts.
template <class Program, int V, int K> __device__ __forceinline__ void ring_feed(const RowProgramParams<K>& p) {
    const RingRoom<typename Program::Measures, K> room{p};
    const u32 part = blockIdx.x, begin = part * p.turns, vectors = room.vectors(part);
    u32 slot = 0, turn = 0;
#pragma unroll 1
    for (u32 row = 0; row < p.rows; ++row) {
        if (turn > 0) bulk_wait(room.empty(slot), (turn - 1) & 1);
        if ((threadIdx.x & 31) == 0) {
            int64_t base[K];
            row_bases(p, row, base);
            u32 bytes = 0;
            Program::fetch(RowBytes<K, V>{p, vectors, bytes});
            bulk_announce(room.full(slot), bytes);
            Program::fetch(RingCopy<K, V>{p, base, begin, begin + vectors, row_shared() + slot * (p.room / room.slots()), room.full(slot)});
        }
        __syncwarp();
        if (++slot == room.slots()) slot = 0, ++turn;
    }
}

// A warp that joins rows, every so many-th of them.
template <class Measures, int V, int K>
__device__ __forceinline__ void ring_collect(const RowProgramParams<K>& p, u32 collector, u32 first_tag) {
    using Room = RingRoom<Measures, K>;
    const Room room{p};
    const u32 lane = threadIdx.x & 31, packets = p.parts.by * Room::PACKETS;
    auto* heard = room.heard(collector);
#pragma unroll 1
    for (u32 row = collector; row < p.rows; row += room.collectors()) {
        const u32 turn = row / room.slots(), slot = row - turn * room.slots(), tag = Room::tag(first_tag, turn);
        const unsigned char* box = room.box(slot, turn, 0);
#pragma unroll 1
        for (u32 first = lane; first < packets; first += 32 * RING_HEARD) {
            RingPacket packet[RING_HEARD];
            while (true) {
                // All looks are under way together. What is behind the last one is that one once more.
#pragma unroll
                for (int k = 0; k < RING_HEARD; ++k) packet[k].look(box + min(first + 32 * k, packets - 1) * 16);
                bool all = true;
#pragma unroll
                for (int k = 0; k < RING_HEARD; ++k) all &= packet[k].is_of(tag);
                if (__all_sync(__activemask(), all)) break;
            }
#pragma unroll
            for (int k = 0; k < RING_HEARD; ++k) {
                if (first + 32 * k < packets) reinterpret_cast<u64*>(heard)[first + 32 * k] = packet[k].payload();
            }
        }
        __syncwarp();
        auto near = Measures::none();
        for (u32 part = lane; part < p.parts.by; part += 32) {
            Measures::take(near, Measures::heard(heard[part], room.vectors(part) * V));
        }
        const auto joined = Measures::template over_lanes<1>(near, 1);
        // This block's part is one of them, so whoever was there before has left.
        if (turn > 0) bulk_wait(room.empty(slot), (turn - 1) & 1);
        if (lane == 0) {
            *room.joined(slot) = joined;
            bulk_arrive(room.ready(slot));
        }
        __syncwarp();
    }
}

// A part that has arrived, for the threads of a group.
template <class Program, int V, int R, int K> struct RingPart {
    using Measures = typename Program::Measures;
    using Near = typename Measures::Near;
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    const unsigned char* slot;
    u32 begin;    // in the row
    u32 vectors;  // of the part
    u32 thread;   // in the group

    __device__ __forceinline__ RowPartAt<Then::DONE, K, V> at(u32 index, int k) const {
        const u32 vector = begin + index, segment = p.run.quotient(vector);
        return RowPartAt<Then::DONE, K, V>{{p, base, RowPlace{segment, vector - segment * p.run.by}, k}};
    }
    template <int N> __device__ __forceinline__ void gather(Program& s, u32 index, Near& near) const {
        typename Measures::Values x;
#pragma unroll
        for (int k = 0; k < N; ++k) {
            const u32 here = index + k * RING_GROUP;
            s.load(RingLoad<V, K>{at(here, k), slot, here});
        }
#pragma unroll
        for (int k = 0; k < N; ++k) s.measure(at(index + k * RING_GROUP, k), x);
        Measures::template gather<N>(near, x);
    }
    // What is left behind whole rounds, in halves of one: what is gathered at once takes about as long, however much it is.
    template <int N> __device__ __forceinline__ void rest(Program& s, u32 index, Near& near) const {
        if constexpr (N > 0) {
            if (index + (N - 1) * RING_GROUP < vectors) {
                gather<N>(s, index, near);
                index += N * RING_GROUP;
            }
            rest<N / 2>(s, index, near);
        }
    }
    __device__ __forceinline__ void measure(Program& s, Near& near) const {
        u32 v = thread;
#pragma unroll 1
        for (; v + (R - 1) * RING_GROUP < vectors; v += R * RING_GROUP) gather<R>(s, v, near);
        rest<R / 2>(s, v, near);
    }
    __device__ __forceinline__ void write(Program& s) const {
#pragma unroll 1
        for (u32 v = thread; v < vectors; v += R * RING_GROUP) {
#pragma unroll
            for (int k = 0; k < R; ++k) {
                const u32 here = v + k * RING_GROUP;
                if (here < vectors) s.load(RingLoad<V, K>{at(here, k), slot, here});
            }
#pragma unroll
            for (int k = 0; k < R; ++k) {
                const u32 here = v + k * RING_GROUP;
                if (here < vectors) s.finish(at(here, k));
            }
        }
    }
};

// What the threads of a group have come to, for its first warp; a warp has a place in `warps`.
template <class Measures>
__device__ __forceinline__ typename Measures::Acc ring_joined(const typename Measures::Near& near, typename Measures::Acc* warps,
                                                              u32 group, u32 thread) {
    const u32 lane = thread & 31, warp = thread >> 5;
    const auto mine = Measures::template over_lanes<1>(near, 1);
    if (lane == 0) warps[warp] = mine;
    asm volatile("barrier.cta.sync %0, %1;" ::"r"(1 + group), "n"(RING_GROUP) : "memory");
    if (warp > 0) return mine;
    auto few = Measures::none();
    if (lane < RING_WARPS) Measures::take(few, warps[lane]);
    return Measures::template over_lanes<1>(few, 1);
}

// A group of threads, which has every so many-th row.
template <class Program, int V, int R, int K> struct RingGroup {
    using Measures = typename Program::Measures;
    using Room = RingRoom<Measures, K>;
    using Part = RingPart<Program, V, R, K>;
    const RowProgramParams<K>& p;
    const Room room;
    const u32 group;
    const u32 thread;

    __device__ __forceinline__ RingGroup(const RowProgramParams<K>& p, u32 group, u32 thread)
        : p(p), room{p}, group(group), thread(thread) {}
    __device__ __forceinline__ Part part(const int64_t (&base)[K], u32 slot) const {
        const unsigned char* at = row_shared() + slot * (p.room / room.slots());
        return Part{p, base, at, blockIdx.x * p.turns, room.vectors(blockIdx.x), thread};
    }
    // Every row of the group, with its slot and its turn.
    template <class Work> __device__ __forceinline__ void rows(Work work) const {
        u32 slot = group, turn = 0;
#pragma unroll 1
        for (u32 row = group; row < p.rows; row += room.groups()) {
            work(row, slot, turn);
            slot += room.groups();
            if (slot >= room.slots()) slot -= room.slots(), ++turn;
        }
    }
    __device__ __forceinline__ void measure(u32 first_tag) const {
        u32 turns = 0;
        rows([&](u32 row, u32 slot, u32 turn) {
            int64_t base[K];
            row_bases(p, row, base);
            Program s;
            s.begin(p, base);
            auto near = Measures::none();
            bulk_wait(room.full(slot), turn & 1);
            part(base, slot).measure(s, near);
            bulk_arrive(room.empty(slot));
            tell(near, slot, turn, turns++, first_tag);
        });
    }
    // Tells all blocks what the group's part comes to.
    __device__ __forceinline__ void tell(const typename Measures::Near& near, u32 slot, u32 turn, u32 turns, u32 first_tag) const {
        const auto all = ring_joined<Measures>(near, room.warps(group, turns), group, thread);
        if (thread >= 32) return;
        const auto told = Measures::tell(all);
        u64 packet[Room::PACKETS];
        memcpy(packet, &told, sizeof(told));
#pragma unroll
        for (u32 k = 0; k < Room::PACKETS; ++k) {
            if (thread == k) ring_tell(room.box(slot, turn, blockIdx.x) + k * 16, packet[k], Room::tag(first_tag, turn));
        }
    }
    __device__ __forceinline__ void write() const {
        rows([&](u32 row, u32 slot, u32 turn) {
            int64_t base[K];
            row_bases(p, row, base);
            Program s;
            s.begin(p, base);
            bulk_wait(room.ready(slot), turn & 1);
            bulk_wait(room.full(slot), turn & 1);
            s.measured(*room.joined(slot), p);
            part(base, slot).write(s);
            if (blockIdx.x == 0 && thread == 0) s.finish_row(p, base);
            bulk_arrive(room.empty(slot));
        });
    }
};

template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_ring(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    using Measures = typename Rows::Measures;
    const RingRoom<Measures, K> room{p};
    room.begin();
    const u32 tag = __ldcg(room.header()) + 1, warp = threadIdx.x >> 5, before = 32 * (1 + room.collectors());
    if (warp == 0) {
        ring_feed<Rows, V>(p);
    } else if (threadIdx.x < before) {
        ring_collect<Measures, V>(p, warp - 1, tag);
    } else {
        const u32 here = threadIdx.x - before, group = here / RING_GROUP, thread = here % RING_GROUP;
        if (group < room.groups()) {
            RingGroup<Rows, V, R, K>(p, group, thread).measure(tag);
        } else {
            RingGroup<Rows, V, R, K>(p, group - room.groups(), thread).write();
        }
    }
    room.end();
    // Nobody needs the tags of this launch any more.
    if (threadIdx.x == 0 && atomicInc(room.header() + 1, gridDim.x - 1) == gridDim.x - 1) {
        atomicAdd(room.header(), (p.rows - 1) / (2 * room.slots()) + 1);
    }
}

#else

// Cards before 9.0 have no bulk copies: nobody launches these kernels there.
template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_ring(const RowProgramParams<K>&) {}

#endif

}  // namespace syntonic

// The kernel of the same programs, for blocks that are there together.
#define SYNTONIC_ROW_RING(ENTRY, PROGRAM, K, V, R)                                                                  \
    extern "C" __global__ void __launch_bounds__(640, 1) ENTRY##_ring(                                             \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::rows_in_ring<PROGRAM, V, R, K>(p);                                                            \
    }

#include "row_cluster.cuh"
