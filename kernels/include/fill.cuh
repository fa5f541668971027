#pragma once

// Parameters of the fill kernels. The Rust side has a struct of the same layout.
struct FillParameters {
    // Where the first element lies: a multiple of the element's size, or of 8 where that is 16.
    unsigned long long address;
    // How many elements there are.
    unsigned long long count;
    // Where the value lies, outside what is written.
    unsigned long long value;
};

static_assert(sizeof(FillParameters) == 24, "the Rust side has 24 bytes");
