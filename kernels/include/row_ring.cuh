// A shared-memory ring of row parts: every block has the same part of each row, reads it once, and keeps it in a ring of shared
// memory until all parts of the row are measured and this one is written. Included after row_parts.cuh.
//
// The producer warp issues bulk copies of one part after the other. Groups of threads measure them in turn, and send their partial
// results to all blocks through L2. Reducer warps receive the parts of a row and join them in order. Other groups write. So a
// block has many rows in flight at different stages and memory stays busy, though a row takes more than ten microseconds, since
// messages pass through a busy L2.
//
// Blocks wait for each other, so the launch is cooperative.
#pragma once
#include "bulk_copy.cuh"

namespace syntonic {

// Bytes before the messages, a cache line: the tag of the first turn, and the counter of finished blocks. The same number stands in
// crates/syntonic-cuda/src/tickets.rs.
constexpr u32 RING_HEADER = 128;
// Packets that a lane polls at once.
constexpr int RING_POLLS = 9;
// Threads of a group. The same number stands in crates/syntonic-cuda/src/rows/ring.rs.
constexpr u32 RING_GROUP = 96;
constexpr u32 RING_WARPS = RING_GROUP / 32;

#if __CUDA_ARCH__ >= 900

// Sends eight bytes to other blocks. Each half shares a 64-bit word with the tag of its turn: whoever sees the tag sees the half,
// and there is no fence, which would wait for earlier stores.
__device__ __forceinline__ void ring_send(unsigned char* box, u64 payload, u32 tag) {
    const u64 low = (u64)tag << 32 | (u32)payload, high = (u64)tag << 32 | (u32)(payload >> 32);
    asm volatile("st.relaxed.gpu.global.v2.b64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(box)), "l"(low), "l"(high)
                 : "memory");
}
struct RingPacket {
    u64 low, high;

    __device__ __forceinline__ void poll(const unsigned char* box) {
        asm volatile("ld.relaxed.gpu.global.v2.b64 {%0, %1}, [%2];"
                     : "=l"(low), "=l"(high)
                     : "l"(__cvta_generic_to_global(box))
                     : "memory");
    }
    __device__ __forceinline__ bool is_of(u32 tag) const { return (u32)(low >> 32) == tag && (u32)(high >> 32) == tag; }
    __device__ __forceinline__ u64 payload() const { return high << 32 | (u32)low; }
};
// Sends a whole value, eight bytes a packet; and receives one, true if all its packets have this tag.
template <class Message> __device__ __forceinline__ void ring_send_all(unsigned char* box, const Message& message, u32 tag) {
    static_assert(sizeof(Message) % 8 == 0, "whole packets");
    u64 packet[sizeof(Message) / 8];
    memcpy(packet, &message, sizeof(message));
#pragma unroll
    for (u32 k = 0; k < sizeof(Message) / 8; ++k) ring_send(box + k * 16, packet[k], tag);
}
template <class Message> __device__ __forceinline__ bool ring_receive(const unsigned char* box, Message& message, u32 tag) {
    RingPacket packet[sizeof(Message) / 8];
    u64 payload[sizeof(Message) / 8];
    bool all = true;
#pragma unroll
    for (u32 k = 0; k < sizeof(Message) / 8; ++k) packet[k].poll(box + k * 16);
#pragma unroll
    for (u32 k = 0; k < sizeof(Message) / 8; ++k) all &= packet[k].is_of(tag), payload[k] = packet[k].payload();
    memcpy(&message, payload, sizeof(message));
    return all;
}

// The layout of shared memory behind the ring. The same sizes stand in crates/syntonic-cuda/src/rows/ring.rs.
template <class Measures, int K> struct RingLayout {
    using Acc = typename Measures::Acc;
    using Message = typename Measures::Message;
    static constexpr u32 PACKETS = sizeof(Message) / 8;
    static_assert(sizeof(Message) % 8 == 0 && sizeof(Acc) % 8 == 0, "whole packets");
    const RowProgramParams<K>& p;

    __device__ __forceinline__ u32 slots() const { return p.chunk; }
    __device__ __forceinline__ u32 groups() const { return p.ahead; }  // that measure, and as many that write
    __device__ __forceinline__ u32 reducers() const { return p.across; }
    // Of a slot: its part has arrived; its row is joined; every thread that measures or writes it has released it.
    __device__ __forceinline__ u64* full(u32 slot) const { return reinterpret_cast<u64*>(row_shared() + p.buffer_bytes) + slot; }
    __device__ __forceinline__ u64* ready(u32 slot) const { return full(slots() + slot); }
    __device__ __forceinline__ u64* empty(u32 slot) const { return full(2 * slots() + slot); }
    __device__ __forceinline__ u32 barriers() const { return 3 * slots(); }
    // The result of the row of a slot; the partial results of a group's warps, double-buffered; and a reducer's messages.
    __device__ __forceinline__ Acc* joined(u32 slot) const { return reinterpret_cast<Acc*>(full(barriers())) + slot; }
    __device__ __forceinline__ Acc* warps(u32 group, u32 turn) const {
        return joined(slots()) + (2 * group + (turn & 1)) * (RING_WARPS);
    }
    __device__ __forceinline__ Message* received(u32 reducer) const {
        return reinterpret_cast<Message*>(warps(groups(), 0)) + reducer * p.parts.by;
    }
    __device__ __forceinline__ u32* header() const { return reinterpret_cast<u32*>(p.partial); }
    // The messages of a row's parts, double-buffered by turns of the slot. A block that measures the slot's next row but one has
    // written the row between, which all blocks have measured by then; so all have received this one.
    __device__ __forceinline__ unsigned char* box(u32 slot, u32 turn, u32 part) const {
        const u32 box = (turn & 1) * slots() + slot;
        return reinterpret_cast<unsigned char*>(p.partial) + RING_HEADER + (box * p.parts.by + part) * PACKETS * 16;
    }
    __device__ __forceinline__ static u32 tag(u32 first, u32 turn) { return first + turn / 2; }
    __device__ __forceinline__ u32 vectors(u32 part) const { return min(p.turns, p.vectors - part * p.turns); }

    // One thread each.
    __device__ __forceinline__ void begin() const {
        for (u32 k = threadIdx.x; k < barriers(); k += blockDim.x) {
            mbarrier_init(full(k), k < 2 * slots() ? 1 : 2 * RING_GROUP);
        }
        mbarrier_init_fence();
        __syncthreads();
    }
    __device__ __forceinline__ void end() const {
        __syncthreads();
        for (u32 k = threadIdx.x; k < barriers(); k += blockDim.x) mbarrier_inval(full(k));
    }
};

// Issues the bulk copies of a part, one for each contiguous run.
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

// Moves streamed operands from a slot into registers, and loads the others.
template <int V, int K> struct RingLoad {
    const RowPartAt<CacheHint::EVICT_FIRST, K, V>& at;
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

// The producer warp.
template <class Program, int V, int K> __device__ __forceinline__ void ring_produce(const RowProgramParams<K>& p) {
    const RingLayout<typename Program::Measures, K> layout{p};
    const u32 part = blockIdx.x, begin = part * p.turns, vectors = layout.vectors(part);
    u32 slot = 0, turn = 0;
#pragma unroll 1
    for (u32 row = 0; row < p.rows; ++row) {
        if (turn > 0) mbarrier_wait(layout.empty(slot), (turn - 1) & 1);
        if ((threadIdx.x & 31) == 0) {
            int64_t base[K];
            row_bases(p, row, base);
            u32 bytes = 0;
            Program::fetch(RowBytes<K, V>{p, vectors, bytes});
            mbarrier_arrive_expect_tx(layout.full(slot), bytes);
            Program::fetch(RingCopy<K, V>{p, base, begin, begin + vectors, row_shared() + slot * (p.buffer_bytes / layout.slots()), layout.full(slot)});
        }
        __syncwarp();
        if (++slot == layout.slots()) slot = 0, ++turn;
    }
}

// A reducer warp, which joins every reducers()-th row.
template <class Measures, int V, int K>
__device__ __forceinline__ void ring_reduce(const RowProgramParams<K>& p, u32 reducer, u32 first_tag) {
    using Layout = RingLayout<Measures, K>;
    const Layout layout{p};
    const u32 lane = threadIdx.x & 31, packets = p.parts.by * Layout::PACKETS;
    auto* received = layout.received(reducer);
#pragma unroll 1
    for (u32 row = reducer; row < p.rows; row += layout.reducers()) {
        const u32 turn = row / layout.slots(), slot = row - turn * layout.slots(), tag = Layout::tag(first_tag, turn);
        const unsigned char* box = layout.box(slot, turn, 0);
#pragma unroll 1
        for (u32 first = lane; first < packets; first += 32 * RING_POLLS) {
            RingPacket packet[RING_POLLS];
            while (true) {
                // All polls are in flight together. Past the end, the last packet is polled again.
#pragma unroll
                for (int k = 0; k < RING_POLLS; ++k) packet[k].poll(box + min(first + 32 * k, packets - 1) * 16);
                bool all = true;
#pragma unroll
                for (int k = 0; k < RING_POLLS; ++k) all &= packet[k].is_of(tag);
                if (__all_sync(__activemask(), all)) break;
            }
#pragma unroll
            for (int k = 0; k < RING_POLLS; ++k) {
                if (first + 32 * k < packets) reinterpret_cast<u64*>(received)[first + 32 * k] = packet[k].payload();
            }
        }
        __syncwarp();
        auto near = Measures::none();
        for (u32 part = lane; part < p.parts.by; part += 32) {
            Measures::take(near, Measures::from_message(received[part], layout.vectors(part) * V));
        }
        const auto joined = Measures::template over_lanes<1>(near, 1);
        // This block's part is one of them, so the readers of the slot's previous row have left.
        if (turn > 0) mbarrier_wait(layout.empty(slot), (turn - 1) & 1);
        if (lane == 0) {
            *layout.joined(slot) = joined;
            mbarrier_arrive(layout.ready(slot));
        }
        __syncwarp();
    }
}

// A part in shared memory, for the threads of a group.
template <class Program, int V, int R, int K> struct RingPart {
    using Measures = typename Program::Measures;
    using Near = typename Measures::Near;
    const RowProgramParams<K>& p;
    const int64_t (&base)[K];
    const unsigned char* slot;
    u32 begin;    // in the row
    u32 vectors;  // of the part
    u32 thread;   // in the group

    __device__ __forceinline__ RowPartAt<CacheHint::EVICT_FIRST, K, V> at(u32 index, int k) const {
        const u32 vector = begin + index, segment = p.run.quotient(vector);
        return RowPartAt<CacheHint::EVICT_FIRST, K, V>{{p, base, RowPlace{segment, vector - segment * p.run.by}, k}};
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
    // The rest after whole rounds, by halving: a round takes about as long however many vectors it has.
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

// Reduces a group to its first warp; each warp has an entry of `warps`.
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

// A group of threads, which has every groups()-th row.
template <class Program, int V, int R, int K> struct RingGroup {
    using Measures = typename Program::Measures;
    using Layout = RingLayout<Measures, K>;
    using Part = RingPart<Program, V, R, K>;
    const RowProgramParams<K>& p;
    const Layout layout;
    const u32 group;
    const u32 thread;

    __device__ __forceinline__ RingGroup(const RowProgramParams<K>& p, u32 group, u32 thread)
        : p(p), layout{p}, group(group), thread(thread) {}
    __device__ __forceinline__ Part part(const int64_t (&base)[K], u32 slot) const {
        const unsigned char* at = row_shared() + slot * (p.buffer_bytes / layout.slots());
        return Part{p, base, at, blockIdx.x * p.turns, layout.vectors(blockIdx.x), thread};
    }
    // Every row of the group, with its slot and its turn.
    template <class Work> __device__ __forceinline__ void rows(Work work) const {
        u32 slot = group, turn = 0;
#pragma unroll 1
        for (u32 row = group; row < p.rows; row += layout.groups()) {
            work(row, slot, turn);
            slot += layout.groups();
            if (slot >= layout.slots()) slot -= layout.slots(), ++turn;
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
            mbarrier_wait(layout.full(slot), turn & 1);
            part(base, slot).measure(s, near);
            mbarrier_arrive(layout.empty(slot));
            send(near, slot, turn, turns++, first_tag);
        });
    }
    // Sends the partial result of the group's part to all blocks.
    __device__ __forceinline__ void send(const typename Measures::Near& near, u32 slot, u32 turn, u32 turns, u32 first_tag) const {
        const auto all = ring_joined<Measures>(near, layout.warps(group, turns), group, thread);
        if (thread >= 32) return;
        const auto message = Measures::to_message(all);
        u64 packet[Layout::PACKETS];
        memcpy(packet, &message, sizeof(message));
#pragma unroll
        for (u32 k = 0; k < Layout::PACKETS; ++k) {
            if (thread == k) ring_send(layout.box(slot, turn, blockIdx.x) + k * 16, packet[k], Layout::tag(first_tag, turn));
        }
    }
    __device__ __forceinline__ void write() const {
        rows([&](u32 row, u32 slot, u32 turn) {
            int64_t base[K];
            row_bases(p, row, base);
            Program s;
            s.begin(p, base);
            mbarrier_wait(layout.ready(slot), turn & 1);
            mbarrier_wait(layout.full(slot), turn & 1);
            s.measured(*layout.joined(slot), p);
            part(base, slot).write(s);
            if (blockIdx.x == 0 && thread == 0) s.finish_row(p, base);
            mbarrier_arrive(layout.empty(slot));
        });
    }
};

template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_ring(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    using Measures = typename Rows::Measures;
    const RingLayout<Measures, K> layout{p};
    layout.begin();
    const u32 tag = __ldcg(layout.header()) + 1, warp = threadIdx.x >> 5, before = 32 * (1 + layout.reducers());
    if (warp == 0) {
        ring_produce<Rows, V>(p);
    } else if (threadIdx.x < before) {
        ring_reduce<Measures, V>(p, warp - 1, tag);
    } else {
        const u32 here = threadIdx.x - before, group = here / RING_GROUP, thread = here % RING_GROUP;
        if (group < layout.groups()) {
            RingGroup<Rows, V, R, K>(p, group, thread).measure(tag);
        } else {
            RingGroup<Rows, V, R, K>(p, group - layout.groups(), thread).write();
        }
    }
    layout.end();
    // The last block advances the tag past those of this launch.
    if (threadIdx.x == 0 && atomicInc(layout.header() + 1, gridDim.x - 1) == gridDim.x - 1) {
        atomicAdd(layout.header(), (p.rows - 1) / (2 * layout.slots()) + 1);
    }
}

#else

// There are no bulk copies before 9.0, and these kernels are not launched there.
template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_ring(const RowProgramParams<K>&) {}

#endif

}  // namespace syntonic

// The kernel of the same programs, for a cooperative launch.
#define SYNTONIC_ROW_RING(ENTRY, PROGRAM, K, V, R)                                                                  \
    extern "C" __global__ void __launch_bounds__(640, 1) ENTRY##_ring(                                             \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::rows_in_ring<PROGRAM, V, R, K>(p);                                                            \
    }

#include "row_cluster.cuh"
