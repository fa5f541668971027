// What a generation teaches a search by matrix adaptation.
#pragma once
#include "res.cuh"

// What each draw counts, a warp each: by comparing the scores of its candidates with all.
__device__ __forceinline__ void turn(const Adaptation& s, u32 generation) {
    const u32 lane = threadIdx.x % 32;
    const u64 each = s.each();
    for (u64 draw = s.team.warp(); draw < s.draws; draw += s.team.warps()) {
        u64 mine[2] = {s.key(draw * each), s.key(draw * each + each - 1)};
        u32 better[2] = {}, usable = 0, pairs = 0;
        for (u64 k = lane; k < s.population; k += 32) {
            const u64 other = s.key(k);
#pragma unroll
            for (u32 c = 0; c < 2; ++c) better[c] += other < mine[c] || (other == mine[c] && k < draw * each + c);
            usable += other < UNUSABLE;
            // The minus of a draw, which has an odd place, with its plus.
            if (each == 2 && k % 2 == 1) pairs += other < UNUSABLE && s.key(k - 1) < UNUSABLE;
        }
#pragma unroll
        for (u32 c = 0; c < 2; ++c) better[c] = over_warp(better[c]);
        usable = over_warp(usable);
        pairs = over_warp(pairs);
        const f64 total = usable > 0 ? s.totals[usable - 1] : 1;
        f64 weight[2] = {}, negative = 0;
#pragma unroll
        for (u32 c = 0; c < 2; ++c) {
            const bool counts = c < each && mine[c] < UNUSABLE;
            weight[c] = counts ? s.weights[better[c]] / total : 0;
            negative = negative + (counts ? s.against[better[c]] : 0);
        }
        f64 square = 0;
        for (u64 j = lane; j < s.n; j += 32) square = square + s.z[draw * s.n + j] * s.z[draw * s.n + j];
        square = over_lanes(square);
        if (negative < 0) negative = negative * (f64(s.n) / fmax(square, 2.2250738585072014e-308));
        if (lane == 0) {
            s.differences[draw] = weight[0] - weight[1];
            s.turns[draw] = negative + (weight[0] + weight[1]);
#pragma unroll
            for (u32 c = 0; c < 2; ++c) {
                if (c >= each || better[c] != 0) continue;
                const f64 least = score_of_key(mine[c]);
                s.numbers[LEAST] = least;
                s.numbers[WHICH] = f64(draw * each + c);
                s.at<f64>(s.p.history, s.p.generations)[generation] = least;
            }
            if (draw == 0) {
                s.numbers[USABLE] = f64(usable);
                s.numbers[PAIRS] = f64(pairs);
                *s.largest = 0;
            }
        }
    }
}

// Sums of the selected noise by coordinate, a thread each.
__device__ __forceinline__ void select(const Adaptation& s) {
    for (u64 j = s.team.thread(); j < s.n; j += s.team.threads()) {
        f64 sum = 0;
#pragma unroll 16
        for (u64 draw = 0; draw < s.draws; ++draw) sum = sum + s.differences[draw] * s.z[draw * s.n + j];
        s.first[j] = sum;
    }
}

// The inverse root of the variance that a coordinate of the sum would have if ranks were dealt blindly.
__device__ __forceinline__ f64 normaliser(const Adaptation& s) {
    const f64 count = s.numbers[USABLE], pairs = s.numbers[PAIRS], total = s.totals[u64(count) - 1];
    const f64 square = s.squares[u64(count) - 1] / (total * total);
    const f64 product = count > 1 ? (1 - square) / (count * (count - 1)) : 0;
    return 1 / sqrt(fmax(square - 2 * pairs * product, 1e-12));
}

// Moves the mean; the next path, and the matrix times that: a thread for each coordinate. The best candidate is kept before the mean moves.
__device__ __forceinline__ void move(const Adaptation& s) {
    const f64 c = s.p.rates[OF_PATH], sigma = s.numbers[SIGMA], push = sqrt(c * (2 - c)) * normaliser(s);
    for (u64 i = s.team.thread(); i < s.n; i += s.team.threads()) {
        f64 step = 0, along = 0;
#pragma unroll 8
        for (u64 j = 0; j < s.n; ++j) {
            const f64 entry = s.matrix[j * s.n + i], path = (1 - c) * s.row(PATH)[j] + push * s.first[j];
            step = step + s.first[j] * entry;
            along = along + path * entry;
        }
        s.path[i] = (1 - c) * s.row(PATH)[i] + push * s.first[i];
        s.along[i] = along;
        s.row(MEAN)[i] = s.row(MEAN)[i] + sigma * step;
    }
}

// Keeps the best candidate so far, where this generation has it.
__device__ __forceinline__ void keep_best(const Adaptation& s) {
    if (!(s.numbers[LEAST] < s.numbers[BEST_SCORE])) return;
    const u64 member = u64(s.numbers[WHICH]);
    for (u64 j = s.team.thread(); j < s.n; j += s.team.threads())
        s.row(BEST)[j] = s.coordinate(member / s.each(), member % s.each(), j, s.numbers[SIGMA]);
}

// Adapts the matrix, a thread for each entry, and finds its largest.
__device__ __forceinline__ void adapt(const Adaptation& s) {
    const f64 one = 0.5 * s.p.rates[RANK_ONE], many = 0.5 * s.p.rates[RANK_MU];
    const f64 sum = 1 + s.worse[u64(s.numbers[USABLE]) - 1], keep = 1 - one - many * sum;
    f64 largest = 0;
    for (u64 job = s.team.thread(); job < s.n * s.n; job += s.team.threads()) {
        const u64 j = job / s.n, i = job % s.n;
        f64 entry = s.matrix[job] * keep;
        entry = entry + one * s.path[j] * s.along[i];
#pragma unroll 8
        for (u64 draw = 0; draw < s.draws; ++draw)
            entry = entry + many * s.turns[draw] * s.z[draw * s.n + j] * s.steps[draw * s.n + i];
        s.matrix[job] = entry;
        largest = fmax(largest, fabs(entry));
        if (i == 0) s.row(PATH)[j] = s.path[j];
    }
#pragma unroll
    for (u32 half = 16; half > 0; half /= 2) largest = fmax(largest, __shfl_xor_sync(~0u, largest, half));
    if (threadIdx.x % 32 == 0) atomicMax(reinterpret_cast<unsigned long long*>(s.largest), u64(__double_as_longlong(largest)));
}

// Brings the matrix back into its range, and sets the step size by the length of the path.
__device__ __forceinline__ void finish(const Adaptation& s) {
    f64 factor = 0.5;
    const bool usable = s.numbers[USABLE] > 0;
    if (usable) {
        const f64 largest = __longlong_as_double(i64(*s.largest));
        const bool balanced = largest >= 1 / BALANCE && largest <= BALANCE;
        if (!balanced)
            for (u64 job = s.team.thread(); job < s.n * s.n; job += s.team.threads()) s.matrix[job] = s.matrix[job] / largest;
        factor = balanced ? 1 : largest;
    }
    if (s.team.rank != 0 || threadIdx.x >= 32) return;
    f64 sum = 0;
    if (usable) {
        for (u64 j = threadIdx.x; j < s.n; j += 32) sum = sum + s.path[j] * s.path[j];
        sum = over_lanes(sum);
    }
    if (threadIdx.x != 0) return;
    const f64 c = s.p.rates[OF_PATH];
    if (usable) {
        const f64 length = sqrt(sum) / s.p.rates[EXPECTED], change = c / s.p.rates[DAMPING] * (length - 1);
        s.numbers[MISSING] = s.numbers[MISSING] * ((1 - c) * (1 - c));
        factor = factor * exponential(fmin(change, 1.0));
    }
    s.numbers[SIGMA] = within(s.numbers[SIGMA] * factor, s.p.rates[FLOOR], CEILING);
    if (s.numbers[LEAST] < s.numbers[BEST_SCORE]) s.numbers[BEST_SCORE] = s.numbers[LEAST];
}

// The deviation of each coordinate: the step size times the length of its row of the matrix.
__device__ __forceinline__ void deviate(const Adaptation& s) {
    const f64 sigma = s.numbers[SIGMA];
    for (u64 i = s.team.warp(); i < s.n; i += s.team.warps()) {
        f64 sum = 0;
        for (u64 j = threadIdx.x % 32; j < s.n; j += 32) sum = sum + s.matrix[j * s.n + i] * s.matrix[j * s.n + i];
        sum = over_lanes(sum);
        if (threadIdx.x % 32 == 0) s.row(DEVIATION)[i] = sigma * sqrt(sum);
    }
}
