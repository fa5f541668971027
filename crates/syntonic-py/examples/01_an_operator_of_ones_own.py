"""An operator of one's own: on the CPU by NumPy, on a GPU by a kernel, with a gradient.

`syn.custom_op` makes it of functions; `syn.cuda.kernel` makes a kernel of PTX, or of CUDA C where NVRTC is installed. It prints the operator's
values, its gradient, and the same from a graph.
"""

import syntonic as syn

# y[i] = x[i]^3, a thread an element.
CUBE = """
.version 7.0
.target sm_70
.address_size 64
.visible .entry cube(.param .u64 px, .param .u64 py, .param .u32 pn)
{
    .reg .pred %out;
    .reg .b32 %n, %i, %b, %t, %w;
    .reg .f32 %x, %y;
    .reg .b64 %p, %q, %o;
    ld.param.u32 %n, [pn];
    mov.u32 %b, %ctaid.x;
    mov.u32 %w, %ntid.x;
    mov.u32 %t, %tid.x;
    mad.lo.u32 %i, %b, %w, %t;
    setp.ge.u32 %out, %i, %n;
    @%out ret;
    mul.wide.u32 %o, %i, 4;
    ld.param.u64 %p, [px];
    ld.param.u64 %q, [py];
    add.u64 %p, %p, %o;
    add.u64 %q, %q, %o;
    ld.global.f32 %x, [%p];
    mul.rn.f32 %y, %x, %x;
    mul.rn.f32 %y, %y, %x;
    st.global.f32 [%q], %y;
    ret;
}
"""
cube_kernel = syn.cuda.kernel(CUBE, "cube", "const float* x, float* y, unsigned n")


def on_gpu(x, out):
    cube_kernel[(x.size + 255) // 256, 256](x, out, x.size)


def slope(g, out, x):
    return 3 * x * x * g


cube = syn.custom_op("examples::cube", cpu=lambda x: x.numpy() ** 3, gpu=on_gpu, gradient=slope)


def main():
    device = "cuda" if syn.cuda.is_available() else "cpu"
    x = syn.asarray([1.0, 2.0, 3.0], dtype="float32", device=device)
    value, gradient = syn.value_and_grad(lambda x: cube(x).sum())(x)
    replayed = syn.captured(lambda x: cube(x + 1))(x)
    return cube(x).tolist(), value.item(), gradient.tolist(), replayed.tolist()


if __name__ == "__main__":
    for line in main():
        print(line)
