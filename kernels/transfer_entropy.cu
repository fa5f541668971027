// Transfer entropy, mutual and conditional mutual information from distances to neighbours, one launch for all points of all tasks.
#include "ksg.cuh"

// The usual numbers of coordinates, in registers: two plain variables; a history of one, two and three of both sides. Then any numbers,
// with four neighbours and with up to 32.
#define KSG(NAME, K, T, ...) \
    extern "C" __global__ void __launch_bounds__(ksg::WARPS * 32) ksg_##NAME##_##T(const __grid_constant__ Ksg p) { ksg::run<T, __VA_ARGS__, K>(p); }
#define EACH(T)                        \
    KSG(pair, 4, T, ksg::Fixed<T, 1, 1, 0>) \
    KSG(one, 4, T, ksg::Fixed<T, 1, 1, 1>)  \
    KSG(two, 4, T, ksg::Fixed<T, 2, 1, 2>)  \
    KSG(three, 4, T, ksg::Fixed<T, 3, 1, 3>) \
    KSG(any, 4, T, ksg::Any<T>)             \
    KSG(many, 32, T, ksg::Any<T>)
EACH(f32)
EACH(f64)
