// Tensors of integers of Q(phi): operations by the element, products of matrices, values, and snapping. Elements without a result
// are told by the least of their places.
#include "contract_golden.cuh"
#include "golden_snap.cuh"

constexpr u32 BLOCK = 256;

__device__ __forceinline__ void tell(u64 fault, u64 place) {
    atomicMin(reinterpret_cast<unsigned long long*>(fault), place);
}

__device__ __forceinline__ bool golden_of(u64 operation, Golden x, Golden y, Golden& to) {
    wide a, b;
    bool lost = false;
    switch (operation) {
        case 0: return fits(wide(x.a) + y.a, wide(x.b) + y.b, to);
        case 1: return fits(wide(x.a) - y.a, wide(x.b) - y.b, to);
        case 2: product(x, y, a, b, lost); return fits(a, b, to) && !lost;
        case 3: return fits(-wide(x.a), -wide(x.b), to);
        case 4: return fits(wide(x.a) + x.b, -wide(x.b), to);
        case 5: return fits(x.b, wide(x.a) + x.b, to);
        case 6: return fits(wide(x.b) - x.a, x.a, to);
        default:
            if (sign(x.a, x.b) < 0) return fits(-wide(x.a), -wide(x.b), to);
            to = x;
            return true;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) golden_map(const __grid_constant__ GoldenMap p) {
    const i64 *a = reinterpret_cast<const i64*>(p.a), *b = reinterpret_cast<const i64*>(p.b);
    const i64 *c = reinterpret_cast<const i64*>(p.c), *d = reinterpret_cast<const i64*>(p.d);
    i64 *out_a = reinterpret_cast<i64*>(p.out_a), *out_b = reinterpret_cast<i64*>(p.out_b);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        Golden x{a[i], b[i]}, y{0, 0}, to;
        if (p.operation <= 2) y = Golden{c[i], d[i]};
        if (!golden_of(p.operation, x, y, to)) tell(p.fault, i);
        out_a[i] = to.a;
        out_b[i] = to.b;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) golden_compare(const __grid_constant__ GoldenMap p) {
    const i64 *a = reinterpret_cast<const i64*>(p.a), *b = reinterpret_cast<const i64*>(p.b);
    const i64 *c = reinterpret_cast<const i64*>(p.c), *d = reinterpret_cast<const i64*>(p.d);
    i64* out = reinterpret_cast<i64*>(p.out_a);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        out[i] = compare(Golden{a[i], b[i]}, Golden{c[i], d[i]});
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) golden_norms(const __grid_constant__ GoldenMap p) {
    const i64 *a = reinterpret_cast<const i64*>(p.a), *b = reinterpret_cast<const i64*>(p.b);
    i64* out = reinterpret_cast<i64*>(p.out_a);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        wide n = norm(Golden{a[i], b[i]});
        if (n != i64(n)) tell(p.fault, i);
        out[i] = i64(n);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) golden_floor(const __grid_constant__ GoldenMap p) {
    const i64 *a = reinterpret_cast<const i64*>(p.a), *b = reinterpret_cast<const i64*>(p.b);
    i64* out = reinterpret_cast<i64*>(p.out_a);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        wide n = floor_of(Golden{a[i], b[i]});
        if (n != i64(n)) tell(p.fault, i);
        out[i] = i64(n);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) golden_floats(const __grid_constant__ GoldenMap p) {
    const i64 *a = reinterpret_cast<const i64*>(p.a), *b = reinterpret_cast<const i64*>(p.b);
    f64* out = reinterpret_cast<f64*>(p.out_a);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        out[i] = value(Golden{a[i], b[i]});
    }
}

// Terms are added from the first to the last, so that what is lost on the way is lost on every device.
extern "C" __global__ void __launch_bounds__(BLOCK)
    golden_product(const __grid_constant__ GoldenProduct p) {
    const i64 *a = reinterpret_cast<const i64*>(p.a), *b = reinterpret_cast<const i64*>(p.b);
    const i64 *c = reinterpret_cast<const i64*>(p.c), *d = reinterpret_cast<const i64*>(p.d);
    i64 *out_a = reinterpret_cast<i64*>(p.out_a), *out_b = reinterpret_cast<i64*>(p.out_b);
    u64 count = p.stacks * p.m * p.n;
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < count; i += u64(gridDim.x) * BLOCK) {
        u64 column = i % p.n, row = i / p.n, stack = row / p.m;
        wide total_a = 0, total_b = 0;
        bool lost = false;
        for (u64 t = 0; t < p.k; ++t) {
            u64 x = row * p.k + t, y = (stack * p.k + t) * p.n + column;
            wide term_a, term_b;
            product(Golden{a[x], b[x]}, Golden{c[y], d[y]}, term_a, term_b, lost);
            total_a = sum(total_a, term_a, lost);
            total_b = sum(total_b, term_b, lost);
        }
        Golden to;
        if (!fits(total_a, total_b, to) || lost) tell(p.fault, i);
        out_a[i] = to.a;
        out_b[i] = to.b;
    }
}

template <class T>
__device__ __forceinline__ void golden_snap(const GoldenSnap& p) {
    const T* from = reinterpret_cast<const T*>(p.x);
    i64 *out_a = reinterpret_cast<i64*>(p.out_a), *out_b = reinterpret_cast<i64*>(p.out_b);
    for (u64 i = u64(blockIdx.x) * BLOCK + threadIdx.x; i < p.count; i += u64(gridDim.x) * BLOCK) {
        Golden to{0, 0};
        if (!snap(f64(from[i]), p.bound, to)) tell(p.fault, i);
        out_a[i] = to.a;
        out_b[i] = to.b;
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK) golden_snap_f32(const __grid_constant__ GoldenSnap p) {
    golden_snap<f32>(p);
}
extern "C" __global__ void __launch_bounds__(BLOCK) golden_snap_f64(const __grid_constant__ GoldenSnap p) {
    golden_snap<f64>(p);
}

// Syntony of rows as the CPU adds it: element i goes to lane i % 256, lanes are added as a tree. A power of two scales the row by
// its largest magnitude, so that nothing rounds on the way.
extern "C" __global__ void __launch_bounds__(BLOCK)
    golden_share(const __grid_constant__ GoldenShare p) {
    __shared__ f64 parts[BLOCK], wholes[BLOCK];
    const f64* weights = reinterpret_cast<const f64*>(p.weights);
    u32 lane = threadIdx.x;
    for (u64 row = blockIdx.x; row < p.rows; row += gridDim.x) {
        const f64* psi = reinterpret_cast<const f64*>(p.psi) + row * p.length;
        f64 most = 0;
        for (u64 i = lane; i < p.length; i += BLOCK) most = fmax(most, fabs(psi[i]));
        parts[lane] = most;
        __syncthreads();
        for (u32 half = BLOCK / 2; half > 0; half /= 2) {
            if (lane < half) parts[lane] = fmax(parts[lane], parts[lane + half]);
            __syncthreads();
        }
        most = parts[0];
        __syncthreads();
        i32 exponent = i32(u64(__double_as_longlong(most)) >> 52) - 1023;
        exponent = max(exponent, -1000);
        // 2^-1023 and below are no normal numbers; their bits are those of the fraction.
        u64 bits = exponent < 1023 ? u64(1023 - exponent) << 52 : u64(1) << (52 - (exponent - 1022));
        f64 scale = __longlong_as_double(i64(bits));
        f64 part = 0, whole = 0;
        for (u64 i = lane; i < p.length; i += BLOCK) {
            f64 x = psi[i] * scale;
            f64 energy = x * x;
            part = part + energy * weights[i];
            whole = whole + energy;
        }
        parts[lane] = part;
        wholes[lane] = whole;
        __syncthreads();
        for (u32 half = BLOCK / 2; half > 0; half /= 2) {
            if (lane < half) {
                parts[lane] = parts[lane] + parts[lane + half];
                wholes[lane] = wholes[lane] + wholes[lane + half];
            }
            __syncthreads();
        }
        if (lane == 0) {
            reinterpret_cast<f64*>(p.out)[row] = wholes[0] == 0 ? 0.0 : parts[0] / wholes[0];
        }
        __syncthreads();
    }
}
