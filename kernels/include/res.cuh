// RES by matrix adaptation: the search of a launch, and its candidates. `syntonic_srt::evolve::device::RES` says what is computed, in which
// order.
#pragma once
#include "contract_res.cuh"
#include "evolve_common.cuh"
#include "team.cuh"
#include "test_functions.cuh"

// Rows of a state, and the rates of a launch.
enum Row : u32 { MEAN = 0, DEVIATION = 1, BEST = 2, PATH = 3, MATRIX = 4 };
enum Rate : u32 { OF_PATH = 0, DAMPING = 1, RANK_ONE = 2, RANK_MU = 3, EXPECTED = 4, FLOOR = 5 };
// Entries of the matrix beyond this, or below its inverse, move into the step size, which stays below its ceiling.
constexpr f64 BALANCE = 1e8, CEILING = 1e100;

// The sum of what all lanes have, pairs 16 lanes apart first: all lanes know it.
__device__ __forceinline__ f64 over_lanes(f64 x) {
#pragma unroll
    for (u32 half = 16; half > 0; half /= 2) x = x + __shfl_xor_sync(~0u, x, half);
    return x;
}

// One search of a launch: where its numbers are, and its blocks.
struct Adaptation {
    const Res& p;
    Team& team;
    u64 run, n, draws, population;
    f64 *state, *numbers, *matrix;
    f64 *scores, *z, *steps;
    f64 *differences, *turns;        // by draw: of the weights of its two signs, and what it teaches the matrix
    f64 *first, *path, *along;       // by coordinate: the sum of the selected noise, the next path, and the matrix times that
    u64* largest;                    // entry of the matrix, as a whole number
    const f64 *weights, *against, *totals, *squares, *worse;

    __device__ __forceinline__ Adaptation(const Res& p, Team& team, u32 run) : p(p), team(team), run(run), n(p.n), draws(p.draws), population(p.population) {
        state = at<f64>(p.state, p.stride);
        numbers = state + p.stride - NUMBERS;
        matrix = state + MATRIX * n;
        scores = at<f64>(p.scores, population);
        z = at<f64>(p.z, draws * n);
        steps = at<f64>(p.steps, draws * n);
        differences = at<f64>(p.turns, 2 * draws);
        turns = differences + draws;
        first = at<f64>(p.moves, 3 * n);
        path = first + n;
        along = path + n;
        largest = at<u64>(p.largest, 1);
        weights = reinterpret_cast<const f64*>(p.utilities);
        against = weights + population;
        totals = reinterpret_cast<const f64*>(p.prefixes);
        squares = totals + population;
        worse = squares + population;
    }
    // What this run has of an operand.
    template <class U>
    __device__ __forceinline__ U* at(u64 address, u64 each) const {
        return reinterpret_cast<U*>(address) + run * each;
    }
    // Before a launch learns, its state is the one before.
    __device__ __forceinline__ void reads_only() {
        state = at<f64>(p.before, p.stride);
        numbers = state + p.stride - NUMBERS;
        matrix = state + MATRIX * n;
    }
    __device__ __forceinline__ f64* row(u32 which) const { return state + which * n; }
    __device__ __forceinline__ u64 each() const { return p.mirrored ? 2 : 1; }
    __device__ __forceinline__ u64 key(u64 member) const { return key_of(scores[member]); }

    // A coordinate of a candidate.
    __device__ __forceinline__ f64 coordinate(u64 draw, bool minus, u64 j, f64 sigma) const {
        f64 x = row(MEAN)[j] + (minus ? -sigma : sigma) * steps[draw * n + j];
        if (p.narrow) x = f64(f32(x));
        const f64* bounds = reinterpret_cast<const f64*>(p.bounds);
        return bounds ? within(x, bounds[j], bounds[n + j]) : x;
    }
};

// The noise of draws `from..to` of a generation.
__device__ __forceinline__ void draw(const Adaptation& s, u64 generation, u64 from, u64 to) {
    if (from >= to) return;
    const u64 origin = (generation * s.p.runs + s.run) * s.draws * s.n, begin = origin + from * s.n, end = origin + to * s.n;
    const u64 block0 = begin / 2, blocks = (end + 1) / 2 - block0;
    // Whole warps: the logarithms of double precision take their parts from all lanes.
    for (u64 base = u64(s.team.rank) * BLOCK; base < blocks; base += u64(s.team.size) * BLOCK) {
        const u64 job = base + threadIdx.x, block = block0 + min(job, blocks - 1);
        const Keys keys(s.p.keys, u32(block >> 32));
        f64 z[2];
        Held<f64>::make(u32(block), keys, z);
#pragma unroll
        for (u32 k = 0; k < 2; ++k) {
            const u64 number = 2 * block + k;
            if (job < blocks && number >= begin && number < end) s.z[number - origin] = z[k];
        }
    }
}

// The matrix times the noise of draws `from..to`.
__device__ __forceinline__ void step(const Adaptation& s, u64 from, u64 to) {
    for (u64 job = from * s.n + s.team.thread(); job < to * s.n; job += s.team.threads()) {
        const u64 i = job % s.n;
        const f64 *z = s.z + (job - i), *column = s.matrix + i;
        f64 sum = 0;
#pragma unroll 8
        for (u64 j = 0; j < s.n; ++j) sum = sum + z[j] * column[j * s.n];
        s.steps[job] = sum;
    }
}

// Candidates of draws `from..to`, row after row.
__device__ __forceinline__ void write_candidates(const Adaptation& s, u64 from, u64 to) {
    const u64 each = s.each(), count = (to - from) * each;
    const f64 sigma = s.numbers[SIGMA];
    for (u64 job = s.team.thread(); job < count * s.n; job += s.team.threads()) {
        const u64 j = job % s.n, member = from * each + job / s.n, place = s.run * count * s.n + job;
        const f64 x = s.coordinate(member / each, member % each, j, sigma);
        if (s.p.narrow) {
            reinterpret_cast<f32*>(s.p.candidates)[place] = f32(x);
        } else {
            reinterpret_cast<f64*>(s.p.candidates)[place] = x;
        }
    }
}

// Scores of the candidates of draws `from..to`, a warp each.
template <u32 F>
__device__ __forceinline__ void score(const Adaptation& s, u64 from, u64 to) {
    const u64 each = s.each();
    const f64 sigma = s.numbers[SIGMA];
    const f64* factors = reinterpret_cast<const f64*>(s.p.factors);
    for (u64 member = from * each + s.team.warp(); member < to * each; member += s.team.warps()) {
        const u64 draw = member / each;
        const bool minus = member % each;
        f64 sums[2] = {};
        for (u64 j = threadIdx.x % 32; j < s.n; j += 32) {
            const bool last = j + 1 == s.n;
            const f64 x = s.coordinate(draw, minus, j, sigma), next = F == ROSENBROCK && !last ? s.coordinate(draw, minus, j + 1, sigma) : 0;
            f64 one, other;
            term<F, f64>(one, other, x, next, last, F == WEIGHTED ? factors[j] : 0);
            sums[0] = sums[0] + one;
            sums[1] = sums[1] + other;
        }
        const f64 one = over_lanes(sums[0]), other = F == ACKLEY ? over_lanes(sums[1]) : 0;
        if (threadIdx.x % 32 == 0) s.scores[member] = finished<F>(one, other, f64(s.n));
    }
}
