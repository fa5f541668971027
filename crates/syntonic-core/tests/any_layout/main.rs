//! Layouts, axes, positions and sizes of any value, through every public function that takes one, in safe code. What comes back
//! is what the slow reference gives, or a typed error: never a panic, and never memory outside of the tensor's.
//!
//! `SYNTONIC_ANY_CASES` says how many cases each law gets; `PROPTEST_RNG_SEED` repeats a run.

#![forbid(unsafe_code)]

mod calls;
mod layouts;
mod views;

use proptest::prelude::*;
use syntonic_core::{Layout, Tensor};

/// Cases of each law in a usual run.
const CASES: u32 = 400;

fn config() -> ProptestConfig {
    let given = std::env::var("SYNTONIC_ANY_CASES").ok();
    let cases = given.and_then(|text| text.parse().ok()).unwrap_or(CASES);
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: u32::MAX,
        ..ProptestConfig::default()
    }
}

/// A length: mostly small, now and then one that no memory has.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![
        60 => 1usize..5,
        6 => Just(0),
        2 => 5usize..40,
        1 => prop::sample::select(vec![
            1 << 32, 1 << 40, 1 << 62, isize::MAX as usize, usize::MAX / 2 + 2, usize::MAX - 1, usize::MAX,
        ]),
    ]
}

/// A signed distance or position.
fn distance() -> impl Strategy<Value = isize> {
    prop_oneof![
        60 => -6isize..7,
        1 => prop::sample::select(vec![
            isize::MIN, isize::MIN + 1, isize::MIN / 2, -(1 << 40), 1 << 40, isize::MAX / 2, isize::MAX - 1, isize::MAX,
        ]),
    ]
}

fn position() -> impl Strategy<Value = usize> {
    prop_oneof![
        60 => 0usize..14,
        1 => prop::sample::select(vec![1 << 40, isize::MAX as usize, 1 << 63, usize::MAX - 1, usize::MAX]),
    ]
}

/// The parts of a layout, which need not fit each other.
#[derive(Clone, Debug)]
struct Parts {
    shape: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
}

impl Parts {
    fn layout(&self) -> Layout {
        Layout::from_parts(&self.shape, &self.strides, self.offset)
    }

    /// The positions in order, for a memory of `room` elements; none where one of them lies outside, or there are more than memory
    /// has addresses. By the book: integers that do not overflow, one position after another.
    fn positions(&self, room: usize) -> Option<Vec<usize>> {
        if self.shape.contains(&0) {
            return Some(Vec::new());
        }
        let axes = self.shape.iter().zip(&self.strides);
        let reach = |at_ends: fn(i128, i128) -> i128| {
            let ends = axes
                .clone()
                .map(|(&n, &s)| at_ends(0, (n as i128 - 1).saturating_mul(s as i128)));
            ends.fold(self.offset as i128, i128::saturating_add)
        };
        let (low, high) = (reach(i128::min), reach(i128::max));
        let count = self
            .shape
            .iter()
            .fold(1u128, |n, &d| n.saturating_mul(d as u128));
        let fits = self.shape.len() == self.strides.len()
            && low >= 0
            && high < room as i128
            && count <= isize::MAX as u128;
        if !fits {
            return None;
        }
        // What repeats may be long without any memory; it is not walked here.
        let mut all = vec![self.offset as isize];
        for (&len, &stride) in self.shape.iter().zip(&self.strides) {
            if all.len().saturating_mul(len) > MOST {
                return Some(vec![usize::MAX; MOST + 1]);
            }
            let along = |&at: &isize| (0..len as isize).map(move |i| at + i * stride);
            all = all.iter().flat_map(along).collect();
        }
        Some(all.into_iter().map(|at| at as usize).collect())
    }
}

/// Positions that are looked at one by one.
const MOST: usize = 4096;

fn parts() -> impl Strategy<Value = Parts> {
    let axes = prop_oneof![20 => 0usize..5, 2 => 5usize..9, 1 => 62usize..68];
    let of = |n: usize| {
        // Deep shapes of axes that are longer than 1 overflow soon.
        let shape = match n > 8 {
            true => {
                prop::collection::vec(prop_oneof![30 => Just(1usize), 1 => length()], n).boxed()
            }
            false => prop::collection::vec(length(), n).boxed(),
        };
        let strides = prop_oneof![20 => Just(n), 1 => 0usize..9];
        let strides = strides.prop_flat_map(|n| prop::collection::vec(distance(), n));
        (shape, strides, position())
    };
    axes.prop_flat_map(of)
        .prop_map(|(shape, strides, offset)| Parts {
            shape,
            strides,
            offset,
        })
}

/// 0, 1, 2, ...: each element says where it lies.
fn ramp(n: usize) -> Tensor {
    Tensor::from_vec((0..n as i64).collect(), &[n]).unwrap()
}
