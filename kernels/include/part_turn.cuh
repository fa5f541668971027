// Parts of functions with a period. Far arguments are reduced by a table, in an array: they are called, so that a kernel has the short way
// alone for each of its elements.
#pragma once

#include "part.cuh"

// The compiler knows that the function behind the call needs no reduction by a table: it compares with this number, too.
#define SYN_PART_TURN(entry, name)                                       \
    SYN_CALL float far_##name(float a) { return syn::name(a); }          \
    SYN_PART float entry(float a) { return fabsf(a) >= 105615.0f ? far_##name(a) : syn::name(a); }
