// ln x of doubles for programs of rows. Coefficients lie in constant memory: as part of the code each takes two instructions of its
// own, for every vector anew.
#pragma once
#include "elementary.cuh"

namespace syn {

static __constant__ LogTerms ROW_LOG_TERMS = SYN_LOG_TERMS;

SYN_CALL double log_of_any(double x) { return ::log(x); }

// In a few instructions where x is a normal positive number; others are a call.
SYN_INLINE double row_log(double x) {
    const uint32_t high = uint32_t(bits_as<uint64_t>(x) >> 32);
    const bool normal = high - 0x00100000u < 0x7fe00000u;
    return normal ? log_sum(x, x, false, ROW_LOG_TERMS) : log_of_any(x);
}

// ln x, where nearly all have x = 1 and need not work out their 0.
SYN_INLINE float log_but_of_one(float x) { return x == 1.0f ? 0.0f : ::logf(x); }
SYN_INLINE double log_but_of_one(double x) { return x == 1.0 ? 0.0 : log_of_any(x); }

}  // namespace syn
