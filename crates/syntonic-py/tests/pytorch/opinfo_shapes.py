"""The rows of what reduces, orders, moves and makes elements, beside those of `opinfo_table`."""

import math

import syntonic as syn
import torch
from opinfo_bounds import Backward, Exact, Largest, Terms, Ulps
from opinfo_table import axes, flat, one_axis, row, typed

EXACT = Exact()

# Reductions.


def reduction(name, bound, function):
    def ours(input, dim=None, keepdim=False, dtype=None):
        kept = {"keepdims": keepdim} if keepdim else {}
        kept |= {} if dtype is None else {"dtype": dtype}
        return function(typed(input, dtype), axis=over(dim), **kept)

    row(name, bound, one_axis(ours))


def over(dim):
    """PyTorch reduces everything where the list of axes is empty."""
    return None if dim is None or (isinstance(dim, (list, tuple)) and len(dim) == 0) else axes(dim)


reduction("sum", Terms(), syn.sum)
reduction("mean", Terms(), syn.mean)
reduction("prod", Terms(), syn.prod)
reduction("all", EXACT, syn.all)
reduction("any", EXACT, syn.any)
reduction("amax", EXACT, syn.max)
reduction("amin", EXACT, syn.min)
reduction("argmax", EXACT, syn.argmax)
reduction("argmin", EXACT, syn.argmin)
reduction("count_nonzero", EXACT, syn.count_nonzero)
reduction("nansum", Terms(), lambda x, **options: syn.sum(syn.where(syn.isnan(x), 0, x), **options))
reduction("nanmean", Terms(4, 3), lambda x, **options: syn.mean(x, where=syn.logical_not(syn.isnan(x)), **options))
reduction("aminmax", EXACT, lambda x, **options: (syn.min(x, **options), syn.max(x, **options)))
reduction("logsumexp", Largest(32, 2), syn.logsumexp)
reduction("max@reduction_no_dim", EXACT, syn.max)
reduction("min@reduction_no_dim", EXACT, syn.min)
for name, values, places in (("max", syn.max, syn.argmax), ("min", syn.min, syn.argmin)):
    reduction(f"{name}@reduction_with_dim", EXACT, lambda x, v=values, p=places, **options: (v(x, **options), p(x, **options)))


def moments(input, dim=None, unbiased=True, correction=None, keepdim=False):
    if isinstance(dim, bool):  # the older signature: (unbiased)
        dim, unbiased = None, dim
    return {"axis": over(dim), "correction": float(unbiased) if correction is None else correction, "keepdims": keepdim}


for name, function in (("var", syn.var), ("std", syn.std)):
    for suffix in ("", "@unbiased"):
        row(name + suffix, Backward(), lambda input, *dim, f=function, **options: f(input, **moments(input, *dim, **options)))
        row(
            f"{name}_mean{suffix}",
            Backward(),
            lambda input, *dim, f=function, **options: (
                f(input, **moments(input, *dim, **options)),
                syn.mean(input, axis=moments(input, *dim, **options)["axis"], keepdims=options.get("keepdim", False)),
            ),
        )
row("cumsum", Terms(), one_axis(lambda input, dim, dtype=None: syn.cumulative_sum(input, axis=dim, dtype=dtype)))
row("cumprod", Terms(), one_axis(lambda input, dim, dtype=None: syn.cumulative_prod(input, axis=dim, dtype=dtype)))
row("diff", Backward(2, chain=True), lambda input, n=1, dim=-1, prepend=None, append=None: syn.diff(input, n, dim, prepend, append))
row("bincount", Terms(), lambda input, weights=None, minlength=0: syn.bincount(input, weights=weights, minlength=minlength))
for name in ("quantile", "nanquantile"):
    row(
        name,
        Largest(8, 2),
        lambda input, q, dim=None, keepdim=False, interpolation="linear", f=getattr(syn, name): quantile(
            f, input, q, dim, keepdim, interpolation
        ),
    )
for name in ("median", "nanmedian"):
    # PyTorch's median is the lower of the middle two, and its place; the place of equal ones is not determined.
    f = syn.quantile if name == "median" else syn.nanquantile
    row(
        name,
        EXACT,
        one_axis(lambda input, dim=None, keepdim=False, f=f: f(input, 0.5, axis=dim, keepdims=keepdim, method="lower").astype(input.dtype)),
        lambda r: r[0] if isinstance(r, tuple) else r,
    )


def quantile(f, x, q, dim, keepdim, interpolation):
    if x.ndim == 0 and dim is not None:
        found = f(x.reshape((1,)), q, axis=0, keepdims=keepdim, method=interpolation)
        return found.reshape(found.shape[:-1]) if keepdim else found
    return f(x, q, axis=dim, keepdims=keepdim, method=interpolation)


def trapezoid(y, x=None, dx=1.0, dim=-1):
    n = y.shape[dim]
    left, right = (syn.take(y, syn.arange(first, first + max(n - 1, 0)), axis=dim) for first in (0, 1))
    if x is not None and x.ndim == 1:
        x = x.reshape([-1 if axis == dim % y.ndim else 1 for axis in range(y.ndim)])
    return syn.sum((left + right) * (dx if x is None else syn.diff(x, axis=dim)), axis=dim) / 2


row("trapz", Backward(1, chain=True), trapezoid)
row("trapezoid", Backward(1, chain=True), trapezoid)

# Order.


def kth(input, k, dim=-1, keepdim=False):
    order = syn.sort(input, axis=dim) if input.ndim else input.reshape((1,))
    value = syn.take(order, syn.asarray([k - 1]), axis=dim)
    return value if keepdim and input.ndim else syn.squeeze(value, axis=dim)


def sorted_with_places(input, dim=-1, descending=False, stable=True):
    x = input if input.ndim else input.reshape((1,))
    places = syn.argsort(x, axis=dim, descending=descending).reshape(input.shape)
    return syn.sort(x, axis=dim, descending=descending).reshape(input.shape), places


# The place of equal elements is determined where the sort is stable, as ours always is.
def stable(input, *order, descending=False, dim=-1, stable=True):
    dim, descending = (*order, *(dim, descending)[len(order) :])
    return torch.sort(input, dim=dim, descending=descending, stable=True)


row("sort", EXACT, sorted_with_places, theirs=stable)
row("argsort", EXACT, lambda *xs, **options: sorted_with_places(*xs, **options)[1], theirs=lambda *xs, **options: stable(*xs, **options)[1])
row("msort", EXACT, lambda input: syn.sort(input, axis=0) if input.ndim else input)
row("kthvalue", EXACT, kth, lambda r: r[0] if isinstance(r, tuple) else r)
row("topk", EXACT, lambda input, k, dim=-1, largest=True, sorted=True: topk(input, k, dim, largest), lambda r: r[0])
row("isin", EXACT, lambda elements, test_elements, invert=False, assume_unique=False: syn.isin(elements, test_elements, invert=invert))
row("searchsorted", EXACT, lambda *operands, **options: searchsorted(*operands, **options))
row(
    "bucketize",
    EXACT,
    lambda input, boundaries, out_int32=False, right=False: narrow(syn.searchsorted(boundaries, input, side=side(right)), out_int32),
)
row("unique", EXACT, lambda *operands, **options: unique(*operands, **options))


def topk(input, k, dim, largest):
    values, places = syn.topk((input if input.ndim else input.reshape((1,))), k, axis=dim, largest=largest)
    return (values, places) if input.ndim else (values.reshape(()), places.reshape(()))


def side(right):
    return "right" if right else "left"


def narrow(places, out_int32):
    return places.astype("int32") if out_int32 else places


def searchsorted(sorted_sequence, input, out_int32=False, right=False, side=None, sorter=None):
    where = ("right" if right else "left") if side is None else side
    return narrow(syn.searchsorted(sorted_sequence, input, side=where, sorter=sorter), out_int32)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    found = syn.unique(input, False, return_inverse, return_counts, dim)
    return found


# Selection and assignment.
row("nonzero", EXACT, lambda input, as_tuple=False: nonzero(input, as_tuple))
row("argwhere", EXACT, lambda input: nonzero(input, False))
row("masked_select", EXACT, lambda input, mask: (lambda x, m: x[m])(*syn.broadcast_arrays(input, mask)))
row("masked_fill", EXACT, lambda input, mask, value: syn.where(mask, bool(value) if input.dtype == syn.bool else value, input))
row("take", EXACT, lambda input, index: syn.take(input.reshape(-1), index))
row("take_along_dim", EXACT, lambda input, indices, dim=None: take_along(input, indices, dim))
row("gather", EXACT, lambda input, dim, index: gather(input, dim, index))
row("index_select", EXACT, lambda input, dim, index: select(input, dim, index))
row("__getitem__", EXACT, lambda input, *index: input[index[0] if len(index) == 1 else index])
row("select", EXACT, lambda input, dim, index: syn.take(input, index, axis=dim))
row("narrow", EXACT, lambda input, dim, start, length: cut(input, dim, int(start), int(start) + length))
row("narrow_copy", EXACT, lambda input, dim, start, length: cut(input, dim, int(start), int(start) + length))
row("slice", EXACT, lambda input, dim=0, start=None, end=None, step=1: cut(input, dim, start, end, step))
row("scatter", EXACT, lambda input, dim, index, src, reduce=None: scatter(input, dim, index, src, reduce))
row("scatter_add", Terms(), lambda input, dim, index, src: scatter(input, dim, index, src, "add"))
row(
    "index_add",
    Terms(4, 2),
    lambda input, dim, index, source, alpha=1: index_add(input, dim, index, alpha * source if alpha != 1 else source),
)
row("index_fill", EXACT, lambda input, dim, index, value: assigned(input, dim, index, value))
row("index_copy", EXACT, lambda input, dim, index, source: assigned(input, dim, index, source))
row("index_put", Terms(), lambda input, indices, values, accumulate=False: index_put(input, indices, values, accumulate))
row("put", Terms(), lambda input, index, source, accumulate=False: put(input, index, source, accumulate))
row("select_scatter", EXACT, lambda input, src, dim, index: assigned(input, dim, index, src))
row("slice_scatter", EXACT, lambda input, src, dim=0, start=None, end=None, step=1: assigned(input, dim, slice(start, end, step), src))
row("fill", EXACT, lambda input, value: syn.full_like(input, value))


def nonzero(x, as_tuple):
    if x.ndim == 0:
        x, places = x.reshape((1,)), syn.nonzero(x.reshape((1,)))
        return places if as_tuple else syn.zeros((places[0].size, 0), dtype="int64")
    places = syn.nonzero(x)
    return places if as_tuple else syn.stack(places, axis=1)


def take_along(x, indices, dim):
    if dim is None:
        return syn.take_along_axis(x.reshape(-1), indices.reshape(-1), axis=0)
    return syn.take_along_axis(x, indices, axis=dim)


def gather(x, dim, index):
    if x.ndim == 0 or index.size == 0:
        return syn.take(x.reshape(-1), index) if index.size else syn.empty_like(index, dtype=x.dtype)
    dim %= x.ndim
    return syn.take_along_axis(x[tuple(slice(None) if a == dim else slice(n) for a, n in enumerate(index.shape))], index, axis=dim)


def select(x, dim, index):
    return syn.take(x, index.reshape(-1), axis=dim) if x.ndim else syn.take(x.reshape(-1), index.reshape(-1)).reshape(())


def at(x, dim, index):
    return (slice(None),) * (dim % max(x.ndim, 1)) + (index,)


def cut(x, dim, start, end, step=1):
    return x[at(x, dim, slice(start, end, step))]


def assigned(x, dim, index, value):
    y = x.copy() if x.ndim else x.copy().reshape((1,))
    y[at(y, dim, index)] = value
    return y.reshape(x.shape)


def index_add(x, dim, index, source):
    y = x if x.ndim else x.reshape((1,))
    source = source if x.ndim else source.reshape((1,))
    return syn.add_at(y, at(y, dim, index.reshape(-1)), source).reshape(x.shape)


def scatter(x, dim, index, src, reduce):
    y = x if x.ndim else x.reshape((1,))
    index = index if x.ndim else index.reshape((1,))
    if isinstance(src, syn.State):
        src = src[tuple(slice(n) for n in index.shape)] if src.ndim else src.reshape((1,))
    ours = {None: syn.scatter, "add": syn.scatter_add, "multiply": syn.scatter_multiply}[reduce]
    grown = (
        index.ndim and index.size and tuple(index.shape) != tuple(n if a != dim % y.ndim else index.shape[a] for a, n in enumerate(y.shape))
    )
    if not grown:
        return ours(y, dim, index, src).reshape(x.shape) if index.size else x
    # PyTorch's index may be shorter than the operand along other axes too: the rest stays.
    corner = tuple(slice(n) if a != dim % y.ndim else slice(None) for a, n in enumerate(index.shape))
    whole = y.copy()
    whole[corner] = ours(y[corner], dim, index, src)
    return whole


def index_put(x, indices, values, accumulate):
    if accumulate:
        return syn.add_at(x, tuple(indices), values)
    y = x.copy()
    y[tuple(indices)] = values
    return y


def put(x, index, source, accumulate):
    y = x.reshape(-1)
    if accumulate:
        return syn.add_at(y, index.reshape(-1), source.reshape(-1)).reshape(x.shape)
    y = y.copy()
    y[index.reshape(-1)] = source.reshape(-1)
    return y.reshape(x.shape)


# Shapes.
for name in ("reshape", "view", "view_copy"):
    row(name, EXACT, lambda input, *shape: syn.reshape(input, shape[0] if len(shape) == 1 else shape))
for name in ("reshape_as", "view_as"):
    row(name, EXACT, lambda input, other: syn.reshape(input, other.shape))
for name in ("expand", "expand_copy", "broadcast_to"):
    row(name, EXACT, lambda input, shape: expanded(input, shape))
for name in ("clone", "contiguous", "alias_copy"):
    row(name, EXACT, lambda input: input.copy())
for name in ("permute", "permute_copy"):
    row(name, EXACT, syn.permute_dims)
for name in ("transpose", "transpose_copy"):
    row(name, EXACT, lambda input, a, b: input.swapaxes(a, b) if input.ndim else input)
for name in ("squeeze", "squeeze_copy", "squeeze@multiple"):
    row(name, EXACT, lambda input, dim=None: squeeze(input, dim))
for name in ("unsqueeze", "unsqueeze_copy"):
    row(name, EXACT, lambda input, dim: syn.expand_dims(input, dim))
for name in ("unbind", "unbind_copy"):
    row(name, EXACT, lambda input, dim=0: syn.unstack(input, axis=dim))
for name in ("split", "split@list_args", "unsafe_split", "split_with_sizes", "split_with_sizes_copy"):
    row(name, EXACT, lambda input, sizes, dim=0: split(input, sizes, dim))
for name in ("chunk", "unsafe_chunk"):
    row(name, EXACT, lambda input, chunks, dim=0: split(input, max(1, -(-input.shape[dim] // chunks)), dim))
for name in ("t", "t_copy", "T"):
    row(name, EXACT, lambda input: input.T if input.ndim == 2 else input)
for name in ("diagonal", "diagonal_copy", "linalg.diagonal"):
    row(
        name,
        EXACT,
        lambda input, offset=0, dim1=0 if name != "linalg.diagonal" else -2, dim2=1 if name != "linalg.diagonal" else -1: input.diagonal(
            offset, dim1, dim2
        ),
    )
row("expand_as", EXACT, lambda input, other: expanded(input, other.shape))
row("broadcast_tensors", EXACT, lambda *tensors: syn.broadcast_arrays(*tensors))
row(
    "broadcast_shapes",
    EXACT,
    lambda *shapes: syn.zeros(syn.broadcast_shapes(*((s,) if isinstance(s, int) else tuple(s) for s in shapes))),
    lambda r: torch.zeros(r) if isinstance(r, torch.Size) else r,
)
row("movedim", EXACT, syn.moveaxis)
row("H", EXACT, lambda input: syn.conj(input.T) if input.ndim == 2 else input)
row("mT", EXACT, syn.matrix_transpose)
row("mH", EXACT, lambda input: syn.conj(syn.matrix_transpose(input)))
row("ravel", EXACT, lambda input: input.ravel())
row("flatten", EXACT, lambda input, start_dim=0, end_dim=-1: flatten(input, start_dim, end_dim))
row("unflatten", EXACT, lambda input, dim, sizes: unflatten(input, dim, sizes))
row("atleast_1d", EXACT, lambda *xs: at_least(1, xs))
row("atleast_2d", EXACT, lambda *xs: at_least(2, xs))
row("atleast_3d", EXACT, lambda *xs: at_least(3, xs))
row("flip", EXACT, lambda input, dims: syn.flip(input, axis=tuple(dims) if isinstance(dims, (list, tuple)) else dims))
row("fliplr", EXACT, lambda input: syn.flip(input, axis=1))
row("flipud", EXACT, lambda input: syn.flip(input, axis=0))
row("roll", EXACT, lambda input, shifts, dims=None: syn.roll(input, axes(shifts), axes(dims)))
row("rot90", EXACT, lambda input, k=1, dims=(0, 1): rot90(input, k % 4, dims))
row("tile", EXACT, lambda input, dims: syn.tile(input, dims))
row("repeat", EXACT, lambda input, repeats: syn.tile(input, repeats))
row("repeat_interleave", EXACT, lambda input, repeats, dim=None, output_size=None: syn.repeat(input, repeats, axis=dim))
row("cat", EXACT, lambda tensors, dim=0: cat(tensors, dim))
row("stack", EXACT, lambda tensors, dim=0: syn.stack(tensors, axis=dim))
row("hstack", EXACT, lambda *tensors: stacked(tensors, 1, lambda xs: syn.concat(xs, axis=0 if xs[0].ndim == 1 else 1)))
row("vstack", EXACT, lambda *tensors: stacked(tensors, 2, lambda xs: syn.concat(xs, axis=0)))
row("dstack", EXACT, lambda *tensors: stacked(tensors, 3, lambda xs: syn.concat(xs, axis=2)))
row("column_stack", EXACT, lambda tensors: syn.concat([x.reshape((x.size, 1)) if x.ndim < 2 else x for x in tensors], axis=1))
row("tensor_split", EXACT, lambda input, parts, dim=0: tensor_split(input, parts, dim))
row("hsplit", EXACT, lambda input, parts: tensor_split(input, parts, 0 if input.ndim == 1 else 1))
row("vsplit", EXACT, lambda input, parts: tensor_split(input, parts, 0))
row("dsplit", EXACT, lambda input, parts: tensor_split(input, parts, 2))
row("meshgrid@variadic_tensors", EXACT, lambda *tensors, indexing="ij": syn.meshgrid(*tensors, indexing=indexing))
row("meshgrid@list_of_tensors", EXACT, lambda tensors, indexing="ij": syn.meshgrid(*tensors, indexing=indexing))
row("tril", EXACT, lambda input, diagonal=0: syn.tril(input, k=diagonal))
row("triu", EXACT, lambda input, diagonal=0: syn.triu(input, k=diagonal))
row("nn.functional.pad@constant", EXACT, lambda input, pad, mode="constant", value=0: padded(input, pad, "constant", value))
row("constant_pad_nd", EXACT, lambda input, pad, value=0: padded(input, pad, "constant", value))
row("nn.functional.pad@reflect", EXACT, lambda input, pad, mode: padded(input, pad, "reflect", 0))
row("nn.functional.pad@replicate", EXACT, lambda input, pad, mode: padded(input, pad, "edge", 0))
row("nn.functional.pad@circular", EXACT, lambda input, pad, mode: padded(input, pad, "wrap", 0))


def expanded(x, shape):
    shape = tuple(shape)
    lead = len(shape) - x.ndim
    return syn.broadcast_to(x, tuple(x.shape[a - lead] if n == -1 else n for a, n in enumerate(shape)))


def squeeze(x, dim):
    """PyTorch leaves axes that are longer than 1."""
    if dim is None:
        return syn.squeeze(x)
    dims = dim if isinstance(dim, (list, tuple)) else (dim,)
    return syn.squeeze(x, axis=tuple(a for a in dims if x.ndim and x.shape[a] == 1))


def split(x, sizes, dim):
    n = x.shape[dim]
    if isinstance(sizes, int):
        return syn.split(x, list(range(sizes, n, sizes)), axis=dim)
    ends = [sum(sizes[: k + 1]) for k in range(len(sizes) - 1)]
    return syn.split(x, ends, axis=dim)


def tensor_split(x, parts, dim):
    if isinstance(parts, syn.State):
        parts = parts.tolist()
    if isinstance(parts, int):
        n, ends = x.shape[dim], []
        for k in range(parts - 1):
            ends.append((ends[-1] if ends else 0) + n // parts + (k < n % parts))
        parts = ends
    return syn.split(x, list(parts), axis=dim)


def flatten(x, start, end):
    if x.ndim == 0:
        return x.reshape((1,))
    start, end = start % x.ndim, end % x.ndim
    return x.reshape((*x.shape[:start], math.prod(x.shape[start : end + 1]), *x.shape[end + 1 :]))


def unflatten(x, dim, sizes):
    dim %= x.ndim
    return x.reshape((*x.shape[:dim], *sizes, *x.shape[dim + 1 :]))


def of_ndim(x, ndim):
    """Where PyTorch puts the axes of length 1."""
    if x.ndim >= ndim:
        return x
    return x.reshape({1: (x.size,), 2: (1, x.size), 3: (1, x.size, 1) if x.ndim < 2 else (*x.shape, 1)}[ndim])


def at_least(ndim, xs):
    many = xs[0] if isinstance(xs[0], (list, tuple)) else xs
    found = tuple(of_ndim(x, ndim) for x in many)
    return found[0] if len(found) == 1 and many is xs else found


def stacked(tensors, ndim, function):
    tensors = tensors[0] if isinstance(tensors[0], (list, tuple)) else tensors
    return function([of_ndim(x, ndim) for x in tensors])


def cat(tensors, dim):
    # Empty vectors are left out whatever the number of axes: PyTorch's older meaning.
    kept = [x for x in tensors if x.shape != (0,)] or tensors[:1]
    return syn.concat(kept, axis=dim)


def rot90(x, k, dims):
    a, b = dims
    if k == 2:
        return syn.flip(x, axis=(a, b))
    return syn.flip(x.swapaxes(a, b), axis=a if k == 1 else b) if k else x


def padded(x, pad, mode, value):
    pairs = list(zip(pad[::2], pad[1::2]))[::-1]
    widths = [(0, 0)] * (x.ndim - len(pairs)) + pairs
    # A negative width of PyTorch cuts.
    x = x[tuple(slice(max(-low, 0), n - max(-high, 0)) for n, (low, high) in zip(x.shape, widths))]
    widths = [(max(low, 0), max(high, 0)) for low, high in widths]
    options = {"value": value or 0} if mode == "constant" else {}
    return syn.pad(x, widths, mode=mode, **options)


# Making.
row("zeros_like", EXACT, lambda input, dtype=None: syn.zeros_like(input, dtype=dtype))
row("ones_like", EXACT, lambda input, dtype=None: syn.ones_like(input, dtype=dtype))
row("full_like", EXACT, lambda input, value, dtype=None: syn.full_like(input, value, dtype=dtype))
row("new_zeros", EXACT, lambda input, shape, dtype=None: syn.zeros(shape, dtype=dtype or input.dtype, device=input.device))
row("new_ones", EXACT, lambda input, shape, dtype=None: syn.ones(shape, dtype=dtype or input.dtype, device=input.device))
row("new_full", EXACT, lambda input, shape, value, dtype=None: syn.full(shape, value, dtype=dtype or input.dtype, device=input.device))
row("zeros", EXACT, lambda *shape, dtype=None: syn.zeros(of(shape), dtype=dtype))
row("ones", EXACT, lambda *shape, dtype=None: syn.ones(of(shape), dtype=dtype))
row("full", EXACT, lambda shape, value, dtype=None: syn.full(shape, value, dtype=dtype))
row("eye", EXACT, lambda n, m=None, dtype=None: syn.eye(n, m, dtype=dtype))
row("scalar_tensor", EXACT, lambda value, dtype=None: syn.asarray(value, dtype=dtype))
row("arange", Largest(4), lambda start, *more, end=None, step=None, dtype=None: arange(start, *more, end=end, step=step, dtype=dtype))
row("linspace", Largest(4), lambda start, end, steps, dtype=None: syn.linspace(start, end, steps, dtype=dtype), native=True)
for name in ("empty_like", "new_empty"):
    made = syn.empty_like if name == "empty_like" else lambda x, shape, dtype: syn.empty(shape, dtype=dtype or x.dtype, device=x.device)
    row(name, EXACT, lambda input, *shape, dtype=None, f=made: f(input, *shape, dtype=dtype), torch.zeros_like)
row("to", EXACT, lambda input, *asked, **options: to(input, asked, options))
for name, dtype in {
    "bfloat16": "bfloat16",
    "bool": "bool",
    "byte": "uint8",
    "char": "int8",
    "double": "float64",
    "float": "float32",
    "half": "float16",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "cdouble": "complex128",
    "cfloat": "complex64",
}.items():
    row(name, EXACT, lambda input, dtype=dtype: input.astype(dtype), native=True)


def to(x, asked, options):
    found = [
        like.dtype if isinstance(like, syn.State) else like
        for like in (*asked, *options.values())
        if isinstance(like, (syn.State, syn.DType))
    ]
    return x.astype(found[0] if found else x.dtype)


def of(shape):
    return shape[0] if len(shape) == 1 else shape


def arange(start, *more, end=None, step=None, dtype=None):
    bounds = [start, *more] + ([end] if end is not None else [])
    if len(bounds) == 1:
        return syn.arange(0, bounds[0], step or 1, dtype=dtype)
    return syn.arange(bounds[0], bounds[1], bounds[2] if len(bounds) > 2 else step or 1, dtype=dtype)
