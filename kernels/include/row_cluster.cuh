// Rows in a ring of a cluster: the blocks of a cluster have one row after the other, each its share of it in pieces, which it
// reads once, and which lie in a ring of shared memory until the row is measured and they are written. It comes after
// row_ring.cuh, and differs from it in who hears of a row: only neighbours, whose shared memory is written directly, so that
// nothing passes through a memory that is busy, and a row's way takes hardly longer than its bytes do.
//
// The first warp asks for one piece after the other by bulk copies. Groups of threads measure them, and each warp sends all blocks
// of the cluster what its part of the row comes to. The second warp hears of a row and joins it. Other groups write.
#pragma once

namespace syntonic {

// Rows that a block hears of before it has to have joined the first of them: where the ring holds pieces of two rows and no
// more, whoever has measured a row has written the one two before it, which all blocks had measured by then, so that all had
// written, and so joined, the one four before it.
constexpr u32 CLUSTER_HEARD = 4;
// Rows that are joined and not yet taken by those who write.
constexpr u32 CLUSTER_JOINED = 2;
// What a lane of those who join has of a row, at most: three groups of sixteen blocks tell. The same number stands in
// crates/syntonic-cuda/src/rows/cluster.rs.
constexpr u32 CLUSTER_TOLD = 5;

#if __CUDA_ARCH__ >= 900

// What lies in shared memory behind the ring. The same sizes stand in crates/syntonic-cuda/src/rows/cluster.rs.
template <class Measures, int K> struct ClusterRoom {
    using Acc = typename Measures::Acc;
    using Told = typename Measures::Told;
    static_assert(sizeof(Told) % 4 == 0 && sizeof(Acc) % 8 == 0, "whole words");
    const RowProgramParams<K>& p;

    __device__ __forceinline__ u32 slots() const { return p.chunk; }
    __device__ __forceinline__ u32 groups() const { return p.ahead; }   // that measure, and as many that write
    __device__ __forceinline__ u32 pieces() const { return p.across; }  // of a block's share of a row
    __device__ __forceinline__ u32 working() const { return min(groups(), pieces()); }  // that have a piece
    // The warps that tell what theirs come to: those of a block, and of all.
    __device__ __forceinline__ u32 tellers() const { return working() * RING_WARPS; }
    __device__ __forceinline__ u32 told() const { return p.blocks * tellers(); }
    // Of a slot: its piece has arrived; it has been measured and written.
    __device__ __forceinline__ u64* full(u32 slot) const { return reinterpret_cast<u64*>(row_shared() + p.room) + slot; }
    __device__ __forceinline__ u64* empty(u32 slot) const { return full(slots() + slot); }
    // Of a row: all have told; it is joined; that was taken by all who write.
    __device__ __forceinline__ u64* heard(u32 row) const { return full(2 * slots() + row % CLUSTER_HEARD); }
    __device__ __forceinline__ u64* ready(u32 row) const { return full(2 * slots() + CLUSTER_HEARD + row % CLUSTER_JOINED); }
    __device__ __forceinline__ u64* taken(u32 row) const { return ready(row) + CLUSTER_JOINED; }
    __device__ __forceinline__ u32 barriers() const { return 2 * slots() + CLUSTER_HEARD + 2 * CLUSTER_JOINED; }
    // What a row comes to, and what all have told of it.
    __device__ __forceinline__ Acc* joined(u32 row) const { return reinterpret_cast<Acc*>(full(barriers())) + row % CLUSTER_JOINED; }
    __device__ __forceinline__ Told* told(u32 row) const {
        return reinterpret_cast<Told*>(joined(0) + CLUSTER_JOINED) + row % CLUSTER_HEARD * told();
    }
    // Where a piece of a block begins, and its vectors, which may be none.
    __device__ __forceinline__ u32 begin(u32 rank, u32 piece) const { return (rank * pieces() + piece) * p.turns; }
    __device__ __forceinline__ u32 vectors(u32 begin) const { return begin < p.vectors ? min(p.turns, p.vectors - begin) : 0; }
    // Vectors that a teller has of a row, in all pieces of its group.
    __device__ __forceinline__ u32 vectors(u32 rank, u32 teller) const {
        const u32 group = teller / RING_WARPS, warp = teller - group * RING_WARPS;
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
            const bool empties = k >= slots() && k < 2 * slots(), takes = k >= barriers() - CLUSTER_JOINED;
            bulk_begin(full(k), empties ? 2 * RING_GROUP : takes ? working() * RING_GROUP : 1);
        }
        bulk_begun();
        __syncthreads();
    }
    __device__ __forceinline__ void end() const {
        __syncthreads();
        for (u32 k = threadIdx.x; k < barriers(); k += blockDim.x) bulk_end(full(k));
    }
};

template <class Program, int V, int R, int K> struct ClusterBlock {
    using Measures = typename Program::Measures;
    using Room = ClusterRoom<Measures, K>;
    using Part = RingPart<Program, V, R, K>;
    const RowProgramParams<K>& p;
    const Room room;
    const u32 rank;

    __device__ __forceinline__ explicit ClusterBlock(const RowProgramParams<K>& p) : p(p), room{p}, rank(cluster_rank()) {}
    __device__ __forceinline__ unsigned char* at(u32 slot) const { return row_shared() + slot * (p.room / room.slots()); }
    // The rows of the cluster, with how many came before.
    template <class Work> __device__ __forceinline__ void rows(Work work) const {
        const u32 clusters = row_part(gridDim.x, p.blocks);
        u32 count = 0;
#pragma unroll 1
        for (u32 row = row_part(blockIdx.x, p.blocks); row < p.rows; row += clusters, ++count) work(row, count);
    }
    // The pieces of a row that a group has, with their slots.
    template <class Work> __device__ __forceinline__ void pieces(u32 count, u32 group, Work work) const {
        const u32 before = count * room.pieces() + group;
        u32 turn = before / room.slots(), slot = before - turn * room.slots();
#pragma unroll 1
        for (u32 piece = group; piece < room.pieces(); piece += room.groups()) {
            work(room.begin(rank, piece), slot, turn);
            slot += room.groups();
            if (slot >= room.slots()) slot -= room.slots(), ++turn;
        }
    }

    // The warp that asks for pieces.
    __device__ __forceinline__ void feed() const {
        u32 slot = 0, turn = 0;
        rows([&](u32 row, u32) {
            int64_t base[K];
            row_bases(p, row, base);
#pragma unroll 1
            for (u32 piece = 0; piece < room.pieces(); ++piece) {
                const u32 begin = room.begin(rank, piece), vectors = room.vectors(begin);
                if (turn > 0) bulk_wait(room.empty(slot), (turn - 1) & 1);
                if ((threadIdx.x & 31) == 0) {
                    u32 bytes = 0;
                    Program::fetch(RowBytes<K, V>{p, vectors, bytes});
                    bulk_announce(room.full(slot), bytes);
                    Program::fetch(RingCopy<K, V>{p, base, begin, begin + vectors, at(slot), room.full(slot)});
                }
                __syncwarp();
                if (++slot == room.slots()) slot = 0, ++turn;
            }
        });
    }
    // The warp that joins rows.
    __device__ __forceinline__ void join() const {
        const u32 lane = threadIdx.x & 31, told = room.told();
        u32 vectors[CLUSTER_TOLD];
#pragma unroll
        for (u32 j = 0; j < CLUSTER_TOLD; ++j) {
            const u32 k = lane + 32 * j, block = k / room.tellers();
            vectors[j] = k < told ? room.vectors(block, k - block * room.tellers()) : 0;
        }
        rows([&](u32, u32 count) {
            if (lane == 0) bulk_announce(room.heard(count), told * sizeof(typename Measures::Told));
            bulk_wait(room.heard(count), count / CLUSTER_HEARD & 1);
            auto near = Measures::none();
#pragma unroll
            for (u32 j = 0; j < CLUSTER_TOLD; ++j) {
                if (vectors[j] > 0) Measures::take(near, Measures::heard(room.told(count)[lane + 32 * j], vectors[j] * V));
            }
            const auto joined = Measures::template over_lanes<1>(near, 1);
            if (count >= CLUSTER_JOINED) bulk_wait(room.taken(count), (count / CLUSTER_JOINED - 1) & 1);
            if (lane == 0) {
                *room.joined(count) = joined;
                bulk_arrive(room.ready(count));
            }
            __syncwarp();
        });
    }
    // A group that measures: what it has of a row, in all its pieces.
    __device__ __forceinline__ void measure(u32 group, u32 thread) const {
        if (group >= room.working()) return;
        rows([&](u32 row, u32 count) {
            int64_t base[K];
            row_bases(p, row, base);
            Program s;
            s.begin(p, base);
            auto near = Measures::none();
            pieces(count, group, [&](u32 begin, u32 slot, u32 turn) {
                bulk_wait(room.full(slot), turn & 1);
                Part{p, base, at(slot), begin, room.vectors(begin), thread}.measure(s, near);
                bulk_arrive(room.empty(slot));
            });
            const auto told = Measures::tell(Measures::template over_lanes<1>(near, 1));
            // A lane each of the blocks there are.
            const u32 lane = thread & 31, there = min(lane, p.blocks - 1);
            const auto* box = room.told(count) + rank * room.tellers() + group * RING_WARPS + (thread >> 5);
            if (lane < p.blocks) bulk_send(bulk_there(box, there), told, bulk_there(room.heard(count), there));
        });
    }
    __device__ __forceinline__ void write(u32 group, u32 thread) const {
        if (group >= room.working()) return;
        rows([&](u32 row, u32 count) {
            int64_t base[K];
            row_bases(p, row, base);
            Program s;
            s.begin(p, base);
            bulk_wait(room.ready(count), count / CLUSTER_JOINED & 1);
            s.measured(*room.joined(count), p);
            bulk_arrive(room.taken(count));
            pieces(count, group, [&](u32 begin, u32 slot, u32 turn) {
                bulk_wait(room.full(slot), turn & 1);
                Part{p, base, at(slot), begin, room.vectors(begin), thread}.write(s);
                bulk_arrive(room.empty(slot));
            });
            if (rank == 0 && group == 0 && thread == 0) s.finish_row(p, base);
        });
    }
};

template <template <int, int> class Program, int V, int R, int K>
__device__ __forceinline__ void rows_in_clusters(const RowProgramParams<K>& p) {
    using Rows = Program<V, R>;
    const ClusterBlock<Rows, V, R, K> block(p);
    block.room.start();
    // Blocks of a cluster write into each other: all have to be there.
    cluster_arrive();
    cluster_wait();
    const u32 warp = threadIdx.x >> 5;
    if (warp == 0) {
        block.feed();
    } else if (warp == 1) {
        block.join();
    } else {
        const u32 here = threadIdx.x - 64, group = here / RING_GROUP, thread = here % RING_GROUP, groups = block.room.groups();
        if (group < groups) {
            block.measure(group, thread);
        } else {
            block.write(group - groups, thread);
        }
    }
    block.room.end();
}

#else

// Cards before 9.0 have no bulk copies: nobody launches these kernels there.
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
