//! Layouts themselves: what they say of their positions, and the layouts that are made of them.

use super::{MOST, Parts, config, distance, length, parts, position, ramp};
use proptest::prelude::*;
use syntonic_core::layout::{
    MAX_NDIM, Span, broadcast_pair, collapse, count, normalize_axes, normalize_axis, row_major,
};
use syntonic_core::{DType, Error, Layout, Tensor};

/// Elements of the memory that layouts are laid over.
const ROOM: usize = 12;

fn of(layout: &Layout) -> Parts {
    Parts {
        shape: layout.shape().to_vec(),
        strides: layout.strides().to_vec(),
        offset: layout.offset(),
    }
}

/// Any way to make a layout of another one.
#[derive(Clone, Debug)]
enum Step {
    Permute(Vec<usize>),
    Slice(usize, Span),
    Python(usize, Option<isize>, Option<isize>, isize),
    Select(usize, usize),
    Expand(usize),
    Squeeze(usize),
    Diagonal(isize, usize, usize),
    Broadcast(Vec<usize>),
    Reshape(Vec<usize>),
}

fn axis() -> impl Strategy<Value = usize> {
    prop_oneof![20 => 0usize..5, 1 => Just(usize::MAX), 1 => Just(64usize)]
}

fn step() -> impl Strategy<Value = Step> {
    let span = (position(), distance(), length());
    let span = span.prop_map(|(start, step, len)| Span { start, step, len });
    let end = || prop::option::of(distance());
    prop_oneof![
        prop::collection::vec(axis(), 0..6).prop_map(Step::Permute),
        Just(vec![0, 1, 2]).prop_shuffle().prop_map(Step::Permute),
        Just(vec![0, 1]).prop_shuffle().prop_map(Step::Permute),
        (axis(), span).prop_map(|(axis, span)| Step::Slice(axis, span)),
        (axis(), end(), end(), distance()).prop_map(|(a, b, c, d)| Step::Python(a, b, c, d)),
        (axis(), position()).prop_map(|(axis, at)| Step::Select(axis, at)),
        axis().prop_map(Step::Expand),
        axis().prop_map(Step::Squeeze),
        (distance(), axis(), axis()).prop_map(|(k, a, b)| Step::Diagonal(k, a, b)),
        prop::collection::vec(length(), 0..6).prop_map(Step::Broadcast),
        prop::collection::vec(length(), 0..5).prop_map(Step::Reshape),
    ]
}

impl Step {
    fn over(&self, layout: &Layout) -> Option<Layout> {
        match self {
            Step::Permute(order) => layout.permute(order).ok(),
            Step::Slice(axis, span) => layout.slice(*axis, *span).ok(),
            &Step::Python(axis, start, stop, step) => {
                let len = layout.shape().get(axis).copied().unwrap_or(0);
                let span = Span::new("slice", start, stop, step, len).ok()?;
                layout.slice(axis, span).ok()
            }
            Step::Select(axis, at) => layout.select(*axis, *at).ok(),
            Step::Expand(axis) => layout.expand_dims(*axis).ok(),
            Step::Squeeze(axis) => layout.squeeze(*axis).ok(),
            Step::Diagonal(k, a, b) => layout.diagonal(*k, *a, *b).ok(),
            Step::Broadcast(shape) => layout.broadcast_to(shape),
            Step::Reshape(shape) => layout.reshape(shape),
        }
    }
}

proptest! {
    #![proptest_config(config())]

    /// Of stored memory, of an expression that waits, and of the truth values and complex numbers: a layout is taken where all its
    /// positions lie inside, and no other is.
    #[test]
    fn a_layout_is_taken_where_it_fits(parts in parts()) {
        let layout = parts.layout();
        let want = parts.positions(ROOM).filter(|_| parts.shape.len() <= MAX_NDIM);
        let empty = parts.shape.contains(&0);
        // Parts that do not fit each other touch nothing where nothing is there.
        let same = parts.shape.len() == parts.strides.len();
        let x = ramp(ROOM);
        match (x.relayout(layout.clone()), &want) {
            (Ok(view), Some(want)) => {
                prop_assert_eq!(view.shape(), &parts.shape[..]);
                prop_assert_eq!(view.numel() == 0, empty);
                if want.len() <= MOST {
                    let want: Vec<i64> = want.iter().map(|&at| at as i64).collect();
                    prop_assert_eq!(view.to_vec::<i64>().unwrap(), want);
                }
            }
            (Err(Error::Value { .. } | Error::TooManyAxes { .. }), None) => {}
            (got, want) => prop_assert!(false, "{:?}: {:?}, not {:?}", parts, got, want),
        }
        let checked = Layout::strided("test", &parts.shape, &parts.strides, parts.offset);
        prop_assert!(checked.is_ok() || want.is_none() || !same, "{parts:?}: {checked:?}");
        let (low, high) = layout.extent();
        if let Some(want) = want.filter(|w| !w.is_empty() && w.len() <= MOST) {
            let ends = (want.iter().min().copied(), want.iter().max().copied());
            prop_assert_eq!((Some(low), Some(high - 1)), ends);
        } else if !empty {
            prop_assert!(high > ROOM || layout.numel() > MOST || parts.shape.len() > MAX_NDIM);
        }
        for dtype in [DType::Bool, DType::F16, DType::C128] {
            let other = Tensor::ones(&[ROOM], dtype).unwrap();
            prop_assert_eq!(other.relayout(parts.layout()).is_ok(), x.relayout(parts.layout()).is_ok());
        }
    }

    /// An assignment through any layout reaches that tensor alone.
    #[test]
    fn what_is_assigned_stays_in_the_tensor(parts in parts()) {
        let x = ramp(ROOM);
        let Ok(mut view) = x.relayout(parts.layout()) else { return Ok(()) };
        if view.numel() > MOST {
            return Ok(());
        }
        let seven = Tensor::from([7i64]).squeeze(&[0]).unwrap();
        view.assign(&seven).unwrap();
        prop_assert_eq!(view.to_vec::<i64>().unwrap(), vec![7; view.numel()]);
        prop_assert_eq!(x.to_vec::<i64>().unwrap(), (0..ROOM as i64).collect::<Vec<_>>());
        // The only holder is written where it lies.
        let mut alone = ramp(ROOM).relayout(parts.layout()).unwrap();
        alone.assign(&seven).unwrap();
        prop_assert_eq!(alone.to_vec::<i64>().unwrap(), vec![7; alone.numel()]);
    }

    /// Views of a layout stay inside of what it stays inside of, and nothing panics over one that leads anywhere.
    #[test]
    fn layouts_of_layouts(parts in parts(), steps in prop::collection::vec(step(), 1..6)) {
        let mut layout = parts.layout();
        for step in steps {
            let before = of(&layout);
            let Some(next) = step.over(&layout) else { continue };
            let (_, _, _) = (next.extent(), next.numel(), next.is_contiguous());
            let after = of(&next);
            let inside = before.positions(ROOM).filter(|_| !before.shape.contains(&0));
            if let Some(inside) = inside.filter(|all| all.len() <= MOST) {
                // Lengths that a broadcast adds may be more than memory has; what is made of it checks the number.
                let count = after.shape.iter().fold(1u128, |n, &d| n.saturating_mul(d as u128));
                let reached = after.positions(ROOM);
                prop_assert!(reached.is_some() || count > isize::MAX as u128, "{step:?} of {before:?}: {after:?}");
                let reached = reached.filter(|all| all.len() <= MOST).unwrap_or_default();
                prop_assert!(reached.iter().all(|at| inside.contains(at)), "{step:?} of {before:?}: {after:?}");
            }
            layout = next;
        }
    }

    /// Of one shape into another: the positions stay, in their order.
    #[test]
    fn a_reshaped_layout_has_the_same_positions(parts in parts(), shape in prop::collection::vec(length(), 0..5)) {
        let Some(all) = parts.positions(ROOM).filter(|all| all.len() <= MOST) else { return Ok(()) };
        if let Some(other) = parts.layout().reshape(&shape) {
            prop_assert_eq!(of(&other).positions(ROOM), Some(all));
        }
    }

    /// Arithmetic of shapes and axes has an answer for any numbers.
    #[test]
    fn shapes_and_axes_of_any_value(
        a in prop::collection::vec(length(), 0..7),
        b in prop::collection::vec(length(), 0..7),
        walks in prop::collection::vec(prop::collection::vec(distance(), 0..7), 0..3),
        axes in prop::collection::vec(distance(), 0..5),
        ends in (prop::option::of(distance()), prop::option::of(distance())),
        step in distance(),
    ) {
        let exact = a.iter().fold(1u128, |n, &d| n.saturating_mul(d as u128));
        let fits = a.contains(&0) || exact <= isize::MAX as u128;
        prop_assert_eq!(count("test", &a).is_ok(), fits);
        prop_assert_eq!(Layout::contiguous("test", &a).is_ok(), fits);
        prop_assert_eq!(row_major(&a).len(), a.len());
        if let Some(both) = broadcast_pair(&a, &b) {
            prop_assert_eq!(both.len(), a.len().max(b.len()));
            prop_assert_eq!(broadcast_pair(&b, &a), Some(both));
        }
        let operands: Vec<&[isize]> = walks.iter().map(|walk| &walk[..]).collect();
        let (dims, strides) = collapse(&a, &operands);
        prop_assert!(strides.len() == walks.len() && strides.iter().all(|s| s.len() == dims.len()));
        for &axis in &axes {
            prop_assert_eq!(normalize_axis("test", axis, a.len()).is_ok(), {
                let n = a.len() as i128;
                (-n..n).contains(&(axis as i128))
            });
        }
        if let Ok(sorted) = normalize_axes("test", &axes, a.len()) {
            prop_assert!(sorted.windows(2).all(|two| two[0] < two[1]));
        }
        for &len in &a {
            match Span::new("test", ends.0, ends.1, step, len) {
                Ok(span) => {
                    let last = span.start as i128 + (span.len as i128 - 1) * span.step as i128;
                    prop_assert!(span.len == 0 || span.start < len && (0..len as i128).contains(&last));
                }
                Err(_) => prop_assert_eq!(step, 0),
            }
        }
    }
}

/// The layouts that once led in front of a buffer or behind it, by name.
#[test]
fn no_layout_of_old_leads_out_of_memory() {
    let largest = isize::MAX;
    let bad: [(&[usize], &[isize], usize); 14] = [
        (&[9], &[1], 0),
        (&[4], &[-1], 0),
        (&[4], &[-1], 2),
        (&[2], &[1], 7),
        (&[1], &[1], 8),
        (&[3], &[largest], 0),
        (&[5, 5], &[largest / 2, largest / 2], 0),
        (&[2], &[isize::MIN], 7),
        (&[1 << 40, 1 << 40], &[0, 0], 0),
        (&[usize::MAX], &[0], 0),
        (&[1], &[1], usize::MAX),
        (&[2, 2], &[1], 0),
        (&[2], &[1, 1], 0),
        (&[], &[1], 0),
    ];
    let stored = ramp(8);
    let waiting =
        Tensor::ones(&[10_000], DType::I64).unwrap() + &Tensor::ones(&[1], DType::I64).unwrap();
    assert!(waiting.is_pending());
    let number = Tensor::from([4i64]).squeeze(&[0]).unwrap();
    for (shape, strides, offset) in bad {
        let layout = Layout::from_parts(shape, strides, offset);
        for x in [&stored, &number] {
            let error = x.relayout(layout.clone()).unwrap_err();
            assert!(
                matches!(error, Error::Value { op: "relayout", .. }),
                "{layout:?}: {error}"
            );
        }
        // In a longer memory some of these fit.
        if let Ok(view) = waiting.relayout(layout.clone()) {
            let extent = view.layout().extent();
            assert!(extent.1 <= 10_000 && view.numel() <= 10_000, "{layout:?}");
        }
    }
    assert!(waiting.is_pending());
}
