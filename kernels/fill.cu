// Fills contiguous memory with one value, whatever its dtype: only the size of an element counts.
//
// Every thread writes 16 bytes at a time. What lies before the first and after the last multiple of 16 is written element by element
// by the first threads of the grid, so that any address at home to the element and any count will do.

#include "fill.cuh"

namespace {

// The value, repeated until 16 bytes are full.
template <typename Element>
__device__ uint4 repeated(Element value) {
    union {
        uint4 wide;
        Element narrow[16 / sizeof(Element)];
    } block;
#pragma unroll
    for (int i = 0; i < int(16 / sizeof(Element)); ++i) block.narrow[i] = value;
    return block.wide;
}

template <typename Element>
__device__ void fill(const FillParameters& p) {
    const unsigned long long size = sizeof(Element);
    const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    const unsigned long long first = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;

    // Elements before the first multiple of 16, whole blocks of 16 bytes, elements after the last.
    unsigned long long head = ((16 - (p.address & 15)) & 15) / size;
    if (head > p.count) head = p.count;
    const unsigned long long blocks = (p.count - head) / (16 / size);
    const unsigned long long tail = head + blocks * (16 / size);

    Element* const narrow = reinterpret_cast<Element*>(p.address);
    const Element value = *reinterpret_cast<const Element*>(p.value);
    if (first < head) narrow[first] = value;
    if (tail + first < p.count) narrow[tail + first] = value;

    uint4* const wide = reinterpret_cast<uint4*>(narrow + head);
    const uint4 block = repeated(value);
    for (unsigned long long i = first; i < blocks; i += step) wide[i] = block;
}

}  // namespace

#define FILL(NAME, ELEMENT) \
    extern "C" __global__ void NAME(const __grid_constant__ FillParameters p) { fill<ELEMENT>(p); }

FILL(fill_b1, unsigned char)
FILL(fill_b2, unsigned short)
FILL(fill_b4, unsigned int)
FILL(fill_b8, unsigned long long)

// Elements of 16 bytes are two of 8 side by side: a complex number of two doubles is at home at multiples of 8.
extern "C" __global__ void fill_b16(const __grid_constant__ FillParameters p) {
    const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    const unsigned long long first = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
    const ulonglong2 value = {reinterpret_cast<const unsigned long long*>(p.value)[0],
                              reinterpret_cast<const unsigned long long*>(p.value)[1]};
    if (p.address & 15) {
        unsigned long long* const halves = reinterpret_cast<unsigned long long*>(p.address);
        for (unsigned long long i = first; i < 2 * p.count; i += step) halves[i] = i & 1 ? value.y : value.x;
    } else {
        ulonglong2* const whole = reinterpret_cast<ulonglong2*>(p.address);
        for (unsigned long long i = first; i < p.count; i += step) whole[i] = value;
    }
}
