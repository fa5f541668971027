// What the kernels of evolution strategies have in common: their parameters, the noise of a generation, and how a generation is cut.
// `syntonic_srt::evolve::device` says what is computed, in which order.
#pragma once
#include "contract_evolve.cuh"
#include "evolve_common.cuh"
#include "team.cuh"
#include "test_functions.cuh"

// Up to so many candidates, and with segments of at most so many draws, every block finishes all scores and ranks its own candidates.
constexpr u32 CLOSE = 1024, DRAWS = 8;
// Coordinates and segments that one block moves alone, and coordinates that it shapes alone.
constexpr u32 FEW = 128, FEW_SEGMENTS = 16, SHAPED = 1024;
// Tiles of a candidate that are added before the groups are.
constexpr u32 GROUP = 64;

// Rows of a state.
enum Row : u32 { MEAN = 0, DEVIATION = 1, BEST = 2, VARIANCE = 3, PATH = 4, SHAPE_PATH = 5 };
enum Rule : u32 { SNES = 0, OPEN_AI = 1, PATHS = 2 };

// One search of a launch: where its numbers are, and its blocks.
template <class T>
struct Search {
    static constexpr u32 HELD = Held<T>::COUNT, TILE = 32 * HELD;

    const Evolve& p;
    Team& team;
    u32 run;
    f64* state;
    f64* numbers;
    u64* ranked;   // keys by candidate
    u64* sorted;   // and in order, chunk by chunk
    u64* members;  // whose they are
    T* weights;
    T* parts;
    T* steps;
    u64 blocks;  // of noise, of a draw

    __device__ __forceinline__ Search(const Evolve& p, Team& team, u32 run, u32 planes) : p(p), team(team), run(run) {
        state = at<f64>(p.state, p.stride);
        numbers = state + p.stride - NUMBERS;
        ranked = at<u64>(p.keys_of, 3 * p.population);
        sorted = ranked + p.population;
        members = sorted + p.population;
        weights = at<T>(p.weights, p.population);
        parts = at<T>(p.parts, planes * p.tiles * p.population);
        steps = at<T>(p.steps, 4 * p.segments * p.n);
        blocks = (p.n + HELD - 1) / HELD;
    }
    // What this run has of an operand.
    template <class U>
    __device__ __forceinline__ U* at(u64 address, u64 each) const {
        return reinterpret_cast<U*>(address) + run * each;
    }
    __device__ __forceinline__ f64* row(u32 which) const { return state + which * p.n; }
    // Those of the generation that the state says and so many after it.
    __device__ __forceinline__ Keys keys(u32 later) const { return Keys(p.keys, (u32(numbers[GENERATION]) + later) * p.runs + run); }
};

// Coordinates of a lane, from `j0` on: mean and deviation in the search's type, and what bounds them. Past the last, all are 0.
template <class T>
struct Lane {
    static constexpr u32 HELD = Held<T>::COUNT;
    T mean[HELD + 1], deviation[HELD + 1], least[HELD + 1], most[HELD + 1];

    __device__ __forceinline__ Lane(const Search<T>& s, u64 j0) {
        const f64 *means = s.row(MEAN), *deviations = s.row(DEVIATION);
        const T* bounds = reinterpret_cast<const T*>(s.p.bounds);
#pragma unroll
        for (u32 k = 0; k <= HELD; ++k) {
            u64 j = j0 + k;
            bool there = j < s.p.n;
            mean[k] = there ? T(means[j]) : T(0);
            deviation[k] = there ? T(deviations[j]) : T(0);
            if (bounds) {
                least[k] = there ? bounds[j] : T(0);
                most[k] = there ? bounds[s.p.n + j] : T(0);
            }
        }
    }
    // A coordinate of a candidate.
    __device__ __forceinline__ T at(u32 k, T z, bool minus, bool bounded) const {
        T x = fused(minus ? -deviation[k] : deviation[k], z, mean[k]);
        return bounded ? within(x, least[k], most[k]) : x;
    }
};
