// A shared-memory ring with a cluster reduction: the blocks of a cluster have one row after the other, each its share of it in
// pieces, which it reads once and keeps in a ring of shared memory until the row is measured and they are written. Included after
// row_ring.cuh, from which it differs in the exchange: partial results go to the blocks of the cluster by DSMEM, past the busy L2.
//
// The producer warp issues bulk copies of one piece after the other. Groups of threads measure them, and each warp sends its partial
// result to all blocks of the cluster. The reducer warp joins a row. Other groups write.
#pragma once

namespace syntonic {

// Stages of messages, a row each. The ring holds pieces of two rows at most. So a block that has measured a row has written the row
// two before it, which all blocks had measured by then; so all had written, and joined, the row four before it.
constexpr u32 CLUSTER_MESSAGE_STAGES = 4;
// Stages of results: rows that are joined, and not yet read by all threads that write.
constexpr u32 CLUSTER_RESULT_STAGES = 2;
// Messages of a row for each lane of the reducer warp, at most: three groups of sixteen blocks send. The same number stands in
// crates/syntonic-cuda/src/rows/cluster.rs.
constexpr u32 CLUSTER_LANE_MESSAGES = 5;

#if __CUDA_ARCH__ >= 900

// The layout of shared memory behind the ring. The same sizes stand in crates/syntonic-cuda/src/rows/cluster.rs.
template <class Measures, int K> struct ClusterLayout {
    using Acc = typename Measures::Acc;
    using Message = typename Measures::Message;
    static_assert(sizeof(Message) % 4 == 0 && sizeof(Acc) % 8 == 0, "whole words");
    const RowProgramParams<K>& p;

    __device__ __forceinline__ u32 slots() const { return p.chunk; }
    __device__ __forceinline__ u32 groups() const { return p.ahead; }   // that measure, and as many that write
    __device__ __forceinline__ u32 pieces() const { return p.across; }  // of a block's share of a row
    __device__ __forceinline__ u32 working() const { return min(groups(), pieces()); }  // that have a piece
    // The warps that send a message for each row: those of a block, and of all.
    __device__ __forceinline__ u32 senders() const { return working() * RING_WARPS; }
    __device__ __forceinline__ u32 row_messages() const { return p.blocks * senders(); }
    // Of a slot: its piece has arrived; every thread that measures or writes it has released it.
    __device__ __forceinline__ u64* full(u32 slot) const { return reinterpret_cast<u64*>(row_shared() + p.buffer_bytes) + slot; }
    __device__ __forceinline__ u64* empty(u32 slot) const { return full(slots() + slot); }
    // Of a row: its messages have arrived; they are read and its result is there; every thread that writes has read that.
    __device__ __forceinline__ u64* arrived(u32 row) const { return full(2 * slots() + row % CLUSTER_MESSAGE_STAGES); }
    __device__ __forceinline__ u64* ready(u32 row) const { return full(2 * slots() + CLUSTER_MESSAGE_STAGES + row % CLUSTER_RESULT_STAGES); }
    __device__ __forceinline__ u64* taken(u32 row) const { return ready(row) + CLUSTER_RESULT_STAGES; }
    __device__ __forceinline__ u32 barriers() const { return 2 * slots() + CLUSTER_MESSAGE_STAGES + 2 * CLUSTER_RESULT_STAGES; }
    // The result of a row, and its messages.
    __device__ __forceinline__ Acc* joined(u32 row) const { return reinterpret_cast<Acc*>(full(barriers())) + row % CLUSTER_RESULT_STAGES; }
    __device__ __forceinline__ Message* messages(u32 row) const {
        return reinterpret_cast<Message*>(joined(0) + CLUSTER_RESULT_STAGES) + row % CLUSTER_MESSAGE_STAGES * row_messages();
    }
    // The beginning of a piece of a block, and its vectors, which may be none.
    __device__ __forceinline__ u32 begin(u32 rank, u32 piece) const { return (rank * pieces() + piece) * p.turns; }
    __device__ __forceinline__ u32 vectors(u32 begin) const { return begin < p.vectors ? min(p.turns, p.vectors - begin) : 0; }
    // Vectors of a row behind the message of a sender, in all pieces of its group.
    __device__ __forceinline__ u32 vectors(u32 rank, u32 sender) const {
        const u32 group = sender / RING_WARPS, warp = sender - group * RING_WARPS;
        u32 all = 0;
        for (u32 piece = group; piece < pieces(); piece += groups()) {
            const u32 piece_vectors = vectors(begin(rank, piece));
            for (u32 v = warp * 32; v < piece_vectors; v += RING_GROUP) all += min(32u, piece_vectors - v);
        }
        return all;
    }

    // One thread each.
    __device__ __forceinline__ void start() const {
        for (u32 k = threadIdx.x; k < barriers(); k += blockDim.x) {
            const u32 takes = barriers() - CLUSTER_RESULT_STAGES, joins = takes - CLUSTER_RESULT_STAGES;
            const bool empties = k >= slots() && k < 2 * slots();
            mbarrier_init(full(k), empties ? 2 * RING_GROUP : k >= takes ? working() * RING_GROUP : k >= joins ? 32 : 1);
        }
        mbarrier_init_fence();
        __syncthreads();
    }
    __device__ __forceinline__ void end() const {
        __syncthreads();
        for (u32 k = threadIdx.x; k < barriers(); k += blockDim.x) mbarrier_inval(full(k));
    }
};

template <class Program, int V, int R, int K> struct ClusterBlock {
    using Measures = typename Program::Measures;
    using Layout = ClusterLayout<Measures, K>;
    using Part = RingPart<Program, V, R, K>;
    const RowProgramParams<K>& p;
    const Layout layout;
    const u32 rank;

    __device__ __forceinline__ explicit ClusterBlock(const RowProgramParams<K>& p) : p(p), layout{p}, rank(cluster_rank()) {}
    __device__ __forceinline__ unsigned char* at(u32 slot) const { return row_shared() + slot * (p.buffer_bytes / layout.slots()); }
    // The rows of the cluster, counted.
    template <class Work> __device__ __forceinline__ void rows(Work work) const {
        const u32 clusters = row_part(gridDim.x, p.blocks);
        u32 count = 0;
#pragma unroll 1
        for (u32 row = row_part(blockIdx.x, p.blocks); row < p.rows; row += clusters, ++count) work(row, count);
    }
    // The pieces of a group of a row, with their slots.
    template <class Work> __device__ __forceinline__ void pieces(u32 count, u32 group, Work work) const {
        const u32 before = count * layout.pieces() + group;
        u32 turn = before / layout.slots(), slot = before - turn * layout.slots();
#pragma unroll 1
        for (u32 piece = group; piece < layout.pieces(); piece += layout.groups()) {
            work(layout.begin(rank, piece), slot, turn);
            slot += layout.groups();
            if (slot >= layout.slots()) slot -= layout.slots(), ++turn;
        }
    }

    // The producer warp.
    __device__ __forceinline__ void produce() const {
        u32 slot = 0, turn = 0;
        rows([&](u32 row, u32) {
            int64_t base[K];
            row_bases(p, row, base);
#pragma unroll 1
            for (u32 piece = 0; piece < layout.pieces(); ++piece) {
                const u32 begin = layout.begin(rank, piece), vectors = layout.vectors(begin);
                if (turn > 0) mbarrier_wait(layout.empty(slot), (turn - 1) & 1);
                if ((threadIdx.x & 31) == 0) {
                    u32 bytes = 0;
                    Program::fetch(RowBytes<K, V>{p, vectors, bytes});
                    mbarrier_arrive_expect_tx(layout.full(slot), bytes);
                    Program::fetch(RingCopy<K, V>{p, base, begin, begin + vectors, at(slot), layout.full(slot)});
                }
                __syncwarp();
                if (++slot == layout.slots()) slot = 0, ++turn;
            }
        });
    }
    // The reducer warp. Each lane arrives once it has read its messages: what it read may be overwritten after that.
    __device__ __forceinline__ void join() const {
        const u32 lane = threadIdx.x & 31, messages = layout.row_messages();
        u32 vectors[CLUSTER_LANE_MESSAGES];
#pragma unroll
        for (u32 j = 0; j < CLUSTER_LANE_MESSAGES; ++j) {
            const u32 k = lane + 32 * j, block = k / layout.senders();
            vectors[j] = k < messages ? layout.vectors(block, k - block * layout.senders()) : 0;
        }
        rows([&](u32, u32 count) {
            if (lane == 0) mbarrier_arrive_expect_tx(layout.arrived(count), messages * sizeof(typename Measures::Message));
            mbarrier_wait(layout.arrived(count), count / CLUSTER_MESSAGE_STAGES & 1);
            auto near = Measures::none();
#pragma unroll
            for (u32 j = 0; j < CLUSTER_LANE_MESSAGES; ++j) {
                if (vectors[j] > 0) Measures::take(near, Measures::from_message(layout.messages(count)[lane + 32 * j], vectors[j] * V));
            }
            const auto joined = Measures::template over_lanes<1>(near, 1);
            if (count >= CLUSTER_RESULT_STAGES) mbarrier_wait(layout.taken(count), (count / CLUSTER_RESULT_STAGES - 1) & 1);
            if (lane == 0) *layout.joined(count) = joined;
            mbarrier_arrive(layout.ready(count));
            __syncwarp();
        });
    }
    // A group that measures its pieces of each row.
    __device__ __forceinline__ void measure(u32 group, u32 thread) const {
        if (group >= layout.working()) return;
        rows([&](u32 row, u32 count) {
            int64_t base[K];
            row_bases(p, row, base);
            Program s;
            s.begin(p, base);
            auto near = Measures::none();
            pieces(count, group, [&](u32 begin, u32 slot, u32 turn) {
                mbarrier_wait(layout.full(slot), turn & 1);
                Part{p, base, at(slot), begin, layout.vectors(begin), thread}.measure(s, near);
                mbarrier_arrive(layout.empty(slot));
            });
            const auto message = Measures::to_message(Measures::template over_lanes<1>(near, 1));
            // One lane for each block.
            const u32 lane = thread & 31, there = min(lane, p.blocks - 1);
            const auto* box = layout.messages(count) + rank * layout.senders() + group * RING_WARPS + (thread >> 5);
            if (lane < p.blocks) cluster_store_async(cluster_address(box, there), message, cluster_address(layout.arrived(count), there));
        });
    }
    __device__ __forceinline__ void write(u32 group, u32 thread) const {
        if (group >= layout.working()) return;
        rows([&](u32 row, u32 count) {
            int64_t base[K];
            row_bases(p, row, base);
            Program s;
            s.begin(p, base);
            mbarrier_wait(layout.ready(count), count / CLUSTER_RESULT_STAGES & 1);
            s.measured(*layout.joined(count), p);
            mbarrier_arrive(layout.taken(count));
            pieces(count, group, [&](u32 begin, u32 slot, u32 turn) {
                mbarrier_wait(layout.full(slot), turn & 1);
                Part{p, base, at(slot), begin, layout.vectors(begin), thread}.write(s);
                mbarrier_arrive(layout.empty(slot));
            });
            if (rank == 0 && group == 0 && thread == 0) s.finish_row(p, base);
        });
    }
};

template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_clusters(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    const ClusterBlock<Rows, V, R, K> block(p);
    block.layout.start();
    // Blocks of a cluster write to each other's shared memory: all have to be resident.
    cluster_arrive();
    cluster_wait();
    const u32 warp = threadIdx.x >> 5;
    if (warp == 0) {
        block.produce();
    } else if (warp == 1) {
        block.join();
    } else {
        const u32 here = threadIdx.x - 64, group = here / RING_GROUP, thread = here % RING_GROUP, groups = block.layout.groups();
        if (group < groups) {
            block.measure(group, thread);
        } else {
            block.write(group - groups, thread);
        }
    }
    block.layout.end();
}

#else

// There are no bulk copies before 9.0, and these kernels are not launched there.
template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_clusters(const RowProgramParams<K>&) {}

#endif

}  // namespace syntonic

// The kernel of the same programs, for clusters.
#define SYNTONIC_ROW_CLUSTER(ENTRY, PROGRAM, K, V, R)                                                               \
    extern "C" __global__ void __launch_bounds__(640, 1) ENTRY##_cluster(                                          \
        const __grid_constant__ syntonic::RowProgramParams<K> p) {                                              \
        syntonic::rows_in_clusters<PROGRAM, V, R, K>(p);                                                        \
    }
