"""What the peers' decompositions must give again, and how far they may be off: the limits are those of Syntonic's rows.

Each function takes `at`, which gives the lines of a matrix that are compared, `whole`, which gives all of it, both in double
precision, the unit roundoff, the operands and the results. It gives pairs: how far lines are off, and how far they may be.
"""

import numpy as np

#: Half a unit in the last place of 1.
ROUNDING = {"float32": 2.0**-24, "float64": 2.0**-53}


def definite(x):
    """(x + x^T)/2 + n I, whose eigenvalues are at a distance of about sqrt(n) from n."""
    n = len(x)
    a = (x + x.T) / 2
    a.reshape(-1)[:: n + 1] += n
    return [a]


def gamma(n, u):
    """What n roundings come to (Higham, Accuracy and Stability of Numerical Algorithms, 3.1)."""
    return n * u / (1 - n * u)


def iterated(n, u):
    """As a part of the operand's norm: p(n) u with a modestly growing p (LAPACK Users' Guide, 4.7 and 4.9), here 10 n."""
    return 10 * n * u


def norms(x):
    return np.sqrt((x * x).sum(axis=-1))


def orthonormal(at, v, u):
    """A few columns beside all others: no line of a matrix is longer than its norm."""
    n = v.shape[1]
    return norms(at(v.T) @ v - at(np.eye(n))), iterated(n, u)


def ordered(values):
    """Nothing where numbers ascend; else more than anything may be."""
    return np.where(np.diff(values) >= 0, 0.0, np.inf), 0.0


def solve(at, whole, u, a, b, x):
    """|b - A x| <= 3 u rho |A||x| with the growth factor rho = n^(2/3): Higham, 9.3, and Trefethen and Schreiber, Average-case
    stability of Gaussian elimination, 1990. The n of gamma is left out: only roundings that all go one way come to it."""
    a, x = at(a), whole(x)
    limit = 3 * u * a.shape[1] ** (2 / 3)
    return [(np.abs(a @ x - at(b)), limit * (np.abs(a) @ np.abs(x)))]


def cholesky(at, whole, u, a, l):
    """|A - L L^T| <= gamma_(n+1) |L||L^T| (Higham, theorem 10.3), and gamma_n of the product that it is compared by."""
    some, across = at(l), whole(l).T
    n = across.shape[0]
    limit = gamma(n + 1, u) + gamma(n, ROUNDING["float64"])
    above = np.arange(n) > at(np.arange(n)[:, None])
    product = np.abs(some @ across - at(a)), limit * (np.abs(some) @ np.abs(across))
    return [product, (np.abs(np.where(above, some, 0.0)), 0.0)]


def svd(at, whole, u, a, left, values, right):
    left, values, right, a = whole(left), whole(values), whole(right), at(a)
    limit = iterated(a.shape[1], u) * norms(a).max()
    return [
        (norms((at(left) * values) @ right - a), limit),
        orthonormal(at, left, u),
        orthonormal(at, right.T, u),
        ordered(np.append(values, 0.0)[::-1]),
    ]


def eigh(at, whole, u, a, values, vectors):
    values, vectors, a = whole(values), whole(vectors), at(a)
    limit = iterated(a.shape[1], u) * norms(a).max()
    apart = norms(a @ vectors - at(vectors) * values)
    return [(apart, limit), orthonormal(at, vectors, u), ordered(values)]


def wrong(pairs):
    """None, or what is too far off."""
    for apart, limit in pairs:
        # NaN is within nothing.
        if not (apart <= limit).all():
            return f"differs from NumPy by {np.max(apart):.1e}, more than {np.max(limit):.1e}"
    return None
