"""E8, windings and sums as a user of Python meets them."""

from __future__ import annotations

import math

import pytest
import syntonic
from syntonic import geometry


def test_roots_project_and_the_cone_has_thirty_six() -> None:
    roots = geometry.e8_roots()
    assert roots.shape == (240, 8) and (roots * roots).sum(-1).tolist() == [2.0] * 240
    parallel, perpendicular, form = geometry.project(roots)
    squares = (parallel**2).sum(-1) - (perpendicular**2).sum(-1)
    assert max(abs(squares - form).tolist()) < 1e-14
    assert sum(geometry.cone_mask(roots).tolist()) == 36
    assert sum(w for w in geometry.cone_weights(roots).tolist() if w > 1e-9) == pytest.approx(42.47240666, abs=1e-7)
    gram = (geometry.e8_simple_roots() @ geometry.e8_simple_roots().T).tolist()
    assert [gram[k][k] for k in range(8)] == [2.0] * 8 and syntonic.linalg.det(gram).item() == pytest.approx(1.0)


def test_windings_and_their_generations() -> None:
    n = geometry.windings(20)
    assert n.shape == (geometry.winding_count(20), 4) == (2041, 4)
    assert geometry.winding_weights(n).sum().item() == pytest.approx(25.837751621037232, rel=1e-14)
    assert geometry.golden_generations([[0, 0, 0, 0], [1, 0, 0, 0], [0, -5, 2, 1]]).tolist() == [0, 1, 4]


def test_sums_have_their_known_values() -> None:
    assert geometry.theta(1.0) == pytest.approx(1.3932039296856769, rel=1e-15)
    assert geometry.theta(1.0, weights="golden") == pytest.approx(1.1997721757844845, rel=1e-15)
    assert geometry.heat_kernel(0.1) == pytest.approx(1.1635401371322066, rel=1e-15)
    assert geometry.winding_zeta(3.0) == pytest.approx(2.4102138353432034e-4, rel=1e-14)
    assert geometry.theta_derivative(2.0) == pytest.approx((geometry.theta(2.00001) - geometry.theta(1.99999)) / 2e-5, rel=1e-6)


def test_what_has_no_answer_is_told() -> None:
    for wrong in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(syntonic.ArgumentError, match="theta: t is"):
            geometry.theta(wrong)
    with pytest.raises(syntonic.ShapeError, match="eight"):
        geometry.project([1.0, 2.0])
    with pytest.raises(syntonic.DTypeError, match="integers"):
        geometry.winding_weights([[0.5] * 4])
    with pytest.raises(syntonic.ArgumentError, match="listed up to 2250"):
        geometry.windings(10**6)
    with pytest.raises(syntonic.ArgumentError, match="weights"):
        geometry.theta(1.0, weights="silver")  # type: ignore[arg-type]
