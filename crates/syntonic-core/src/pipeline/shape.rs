//! Shapes that are worked out in constants.

use super::declaration::{Row, Size};
use super::fault::Wrong;

/// Axes of a value at most.
pub(super) const MOST_AXES: usize = 8;

/// A shape that is worked out.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) sizes: [Size<'a>; MOST_AXES],
    pub(super) len: usize,
}

impl<'a> Shape<'a> {
    pub(super) const fn new() -> Shape<'a> {
        Shape {
            sizes: [Size::Number(1); MOST_AXES],
            len: 0,
        }
    }

    pub(super) const fn of(sizes: &[Size<'a>]) -> Shape<'a> {
        let mut out = Shape::new();
        while out.len < sizes.len() {
            out = out.then(sizes[out.len]);
        }
        out
    }

    /// With one more axis at the end.
    pub(super) const fn then(mut self, size: Size<'a>) -> Shape<'a> {
        self.sizes[self.len] = size;
        self.len += 1;
        self
    }

    /// What both broadcast to; else the extents that do not fit.
    pub(super) const fn with(self, other: &[Size<'a>]) -> Result<Shape<'a>, (Size<'a>, Size<'a>)> {
        let mut out = Shape::new();
        out.len = if self.len > other.len() {
            self.len
        } else {
            other.len()
        };
        let mut from_end = 1;
        while from_end <= out.len {
            let at = out.len - from_end;
            out.sizes[at] = if from_end > other.len() {
                self.sizes[self.len - from_end]
            } else if from_end > self.len {
                other[other.len() - from_end]
            } else {
                let (a, b) = (
                    self.sizes[self.len - from_end],
                    other[other.len() - from_end],
                );
                if a.is(b) || b.is_one() {
                    a
                } else if a.is_one() {
                    b
                } else {
                    return Err((b, a));
                }
            };
            from_end += 1;
        }
        Ok(out)
    }

    /// How the shape is not the one that the stage declares.
    pub(super) const fn differs(&self, row: &Row<'a>) -> Option<Wrong<'a>> {
        if self.len != row.shape.len() {
            return Some(Wrong::Axes {
                made: self.len,
                declared: row.shape.len(),
            });
        }
        let mut axis = 0;
        while axis < self.len {
            let (made, declared) = (self.sizes[axis], row.shape[axis]);
            if !made.is(declared) {
                return Some(Wrong::Result {
                    axis,
                    made,
                    declared,
                });
            }
            axis += 1;
        }
        None
    }
}

/// Rows and columns of a factor; a vector is a row.
pub(super) const fn matrix<'a>(shape: &[Size<'a>], transposed: bool) -> (Size<'a>, Size<'a>) {
    let last = shape[shape.len() - 1];
    if shape.len() == 1 {
        return (Size::Number(1), last);
    }
    let before = shape[shape.len() - 2];
    if transposed {
        (last, before)
    } else {
        (before, last)
    }
}

/// The axes of a stack of matrices.
pub(super) const fn stack<'a>(shape: &'a [Size<'a>]) -> &'a [Size<'a>] {
    if shape.len() < 2 {
        return &[];
    }
    shape.split_at(shape.len() - 2).0
}

pub(super) const fn alike(a: &[Size<'_>], b: &[Size<'_>]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut k = 0;
    while k < a.len() {
        if !a[k].is(b[k]) {
            return false;
        }
        k += 1;
    }
    true
}
