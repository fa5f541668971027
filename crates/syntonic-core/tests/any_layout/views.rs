//! Views of tensors by axes, positions and lengths of any value.

use super::{MOST, config, distance, length, parts, position, ramp};
use proptest::prelude::*;
use syntonic_core::layout::Span;
use syntonic_core::ops::index::{IndexItem, add, index, set};
use syntonic_core::{Result, Tensor};

/// Any view that takes numbers.
#[derive(Clone, Debug)]
enum View {
    Narrow(usize, Span),
    Pick(usize, i64),
    Widen(usize),
    Refit(Vec<usize>),
    Turned,
    Reshape(Vec<isize>),
    Permute(Vec<isize>),
    Transpose(isize, isize),
    Slice(isize, Option<isize>, Option<isize>, isize),
    Select(isize, i64),
    Flip(Vec<isize>),
    Expand(Vec<isize>),
    Squeeze(Vec<isize>),
    Broadcast(Vec<usize>),
    Diagonal(isize, isize, isize),
    Index(Vec<Item>),
    Parts(super::Parts),
    Axis(isize, usize),
}

#[derive(Clone, Debug)]
enum Item {
    Int(i64),
    Slice(Option<isize>, Option<isize>, isize),
    Ellipsis,
    NewAxis,
    Array(Vec<i64>),
    Mask(Vec<bool>),
}

impl Item {
    fn made(&self) -> IndexItem {
        match self {
            &Item::Int(i) => IndexItem::Int(i),
            &Item::Slice(start, stop, step) => IndexItem::Slice { start, stop, step },
            Item::Ellipsis => IndexItem::Ellipsis,
            Item::NewAxis => IndexItem::NewAxis,
            Item::Array(at) => IndexItem::Array(Tensor::from_slice(at, &[at.len()]).unwrap()),
            Item::Mask(on) => IndexItem::Mask(Tensor::from_slice(on, &[on.len()]).unwrap()),
        }
    }
}

fn whole() -> impl Strategy<Value = i64> {
    prop_oneof![
        40 => -5i64..6,
        1 => prop::sample::select(vec![i64::MIN, i64::MIN + 1, -(1 << 40), 1 << 40, i64::MAX - 1, i64::MAX]),
    ]
}

fn axis() -> impl Strategy<Value = isize> {
    prop_oneof![20 => -4isize..5, 1 => distance()]
}

fn place() -> impl Strategy<Value = usize> {
    prop_oneof![20 => 0usize..4, 1 => position()]
}

fn end() -> impl Strategy<Value = Option<isize>> {
    prop::option::of(distance())
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    let item = prop_oneof![
        3 => whole().prop_map(Item::Int),
        4 => (end(), end(), distance()).prop_map(|(a, b, c)| Item::Slice(a, b, c)),
        1 => Just(Item::Ellipsis),
        1 => Just(Item::NewAxis),
        2 => prop::collection::vec(whole(), 0..4).prop_map(Item::Array),
        1 => prop::collection::vec(any::<bool>(), 0..5).prop_map(Item::Mask),
    ];
    prop::collection::vec(item, 0..4)
}

fn view() -> impl Strategy<Value = View> {
    let span = (position(), distance(), length());
    let span = span.prop_map(|(start, step, len)| Span { start, step, len });
    let axes = || prop::collection::vec(axis(), 0..4);
    let signed = prop_oneof![20 => -1isize..7, 1 => distance()];
    prop_oneof![
        3 => (place(), span).prop_map(|(axis, span)| View::Narrow(axis, span)),
        1 => (place(), whole()).prop_map(|(axis, at)| View::Pick(axis, at)),
        1 => place().prop_map(View::Widen),
        1 => prop::collection::vec(length(), 0..4).prop_map(View::Refit),
        1 => Just(View::Turned),
        2 => prop::collection::vec(signed, 0..4).prop_map(View::Reshape),
        1 => axes().prop_map(View::Permute),
        1 => (axis(), axis()).prop_map(|(a, b)| View::Transpose(a, b)),
        2 => (axis(), end(), end(), distance()).prop_map(|(a, b, c, d)| View::Slice(a, b, c, d)),
        1 => (axis(), whole()).prop_map(|(a, b)| View::Select(a, b)),
        1 => axes().prop_map(View::Flip),
        1 => axes().prop_map(View::Expand),
        1 => axes().prop_map(View::Squeeze),
        2 => prop::collection::vec(length(), 0..5).prop_map(View::Broadcast),
        1 => (distance(), axis(), axis()).prop_map(|(k, a, b)| View::Diagonal(k, a, b)),
        3 => items().prop_map(View::Index),
        2 => parts().prop_map(View::Parts),
        1 => (axis(), 0usize..4).prop_map(|(a, k)| View::Axis(a, k)),
    ]
}

impl View {
    fn of(&self, x: &Tensor) -> Result<Tensor> {
        let mut out = x.clone();
        match self {
            View::Narrow(axis, span) => out.narrow(*axis, *span)?,
            View::Pick(axis, at) => out.pick(*axis, *at)?,
            View::Widen(axis) => out.widen(*axis)?,
            View::Refit(shape) => drop(out.refit(shape)),
            View::Turned => out.reverse_axes(),
            View::Reshape(shape) => out = x.reshape(shape)?,
            View::Permute(order) => out = x.permute(order)?,
            View::Transpose(a, b) => out = x.transpose(*a, *b)?,
            &View::Slice(axis, start, stop, step) => out = x.slice(axis, start, stop, step)?,
            View::Select(axis, at) => out = x.select(*axis, *at)?,
            View::Flip(axes) => out = x.flip(axes)?,
            View::Expand(axes) => out = x.expand_dims(axes)?,
            View::Squeeze(axes) => out = x.squeeze(axes)?,
            View::Broadcast(shape) => out = x.broadcast_to(shape)?,
            View::Diagonal(k, a, b) => out = x.diagonal(*k, *a, *b)?,
            View::Index(items) => {
                let items: Vec<IndexItem> = items.iter().map(Item::made).collect();
                out = index(x, &items)?;
            }
            View::Parts(parts) => out = x.relayout(parts.layout())?,
            View::Axis(axis, k) => out = x.axis_iter(*axis)?.nth(*k).unwrap_or(out),
        }
        Ok(out)
    }
}

/// Elements of the memory below.
const ROOM: usize = 24;

/// A tensor to begin with: a block in memory, whose elements say where they lie.
fn begun() -> impl Strategy<Value = Tensor> {
    let shapes: [&[usize]; 5] = [&[ROOM], &[4, 6], &[2, 3, 4], &[1, 24, 1], &[2, 1, 2, 6]];
    prop::sample::select(shapes.to_vec()).prop_map(|shape| {
        let mut x = ramp(ROOM);
        assert!(x.refit(shape));
        x
    })
}

/// The elements of a view that lies in the memory of a ramp, one position after another.
fn elements(view: &Tensor) -> Option<Vec<i64>> {
    let parts = super::Parts {
        shape: view.shape().to_vec(),
        strides: view.strides().to_vec(),
        offset: view.layout().offset(),
    };
    let all = parts.positions(ROOM).expect("a view lies in its memory");
    let short = all.len() <= MOST;
    short.then(|| all.into_iter().map(|at| at as i64).collect())
}

proptest! {
    #![proptest_config(config())]

    /// Views of views of any numbers: those that are given show elements of the memory, and show what their layout says.
    #[test]
    fn views_stay_in_their_memory(x in begun(), views in prop::collection::vec(view(), 1..7)) {
        let memory = x.clone();
        let mut x = x;
        for view in views {
            let Ok(next) = view.of(&x) else { continue };
            if next.numel() > MOST {
                // Long by repetition: its elements are not looked at, but it lies in its memory.
                elements(&next);
                continue;
            }
            let seen = next.to_vec::<i64>().unwrap();
            prop_assert!(seen.iter().all(|at| (0..ROOM as i64).contains(at)), "{view:?}: {seen:?}");
            if next.shares_storage(&memory) {
                prop_assert_eq!(Some(seen), elements(&next), "{:?}", view);
                x = next;
            }
        }
        prop_assert_eq!(memory.to_vec::<i64>().unwrap(), (0..ROOM as i64).collect::<Vec<_>>());
    }

    /// What is written by any index reaches the positions that the index reads, and no other.
    #[test]
    fn an_index_writes_where_it_reads(x in begun(), views in prop::collection::vec(view(), 0..3), items in items()) {
        let mut x = x;
        for view in views {
            x = match view.of(&x) {
                Ok(next) if next.numel() <= MOST => next,
                _ => x,
            };
        }
        let items: Vec<IndexItem> = items.iter().map(Item::made).collect();
        let read = index(&x, &items);
        let mut written = x.copy().unwrap();
        let mine = written.to_vec::<i64>().unwrap();
        // Each element by its number, so that repeated positions are told apart.
        let numbered = Tensor::from_vec((0..x.numel() as i64).collect(), x.shape()).unwrap();
        let value = Tensor::from([1000i64]).squeeze(&[0]).unwrap();
        let outcome = set(&mut written, &items, &value);
        prop_assert_eq!(outcome.is_ok(), read.is_ok(), "{:?}: {:?} {:?}", items, outcome, read);
        let after = written.to_vec::<i64>().unwrap();
        if read.is_ok() {
            let at = index(&numbered, &items).unwrap().to_vec::<i64>().unwrap();
            for (k, (&before, &after)) in mine.iter().zip(&after).enumerate() {
                let want = if at.contains(&(k as i64)) { 1000 } else { before };
                prop_assert_eq!(after, want, "{} of {:?}", k, items);
            }
            let mut summed = x.copy().unwrap();
            add(&mut summed, &items, &value).unwrap();
            for (k, (&before, &after)) in mine.iter().zip(&summed.to_vec::<i64>().unwrap()).enumerate() {
                let times = at.iter().filter(|&&a| a == k as i64).count() as i64;
                prop_assert_eq!(after, before + 1000 * times, "{} of {:?}", k, items);
            }
        } else {
            prop_assert_eq!(after, mine);
        }
    }
}

/// A span that counts backwards past the beginning was once taken for one that lies inside.
#[test]
fn a_span_of_any_length_lies_on_its_axis() {
    let x = ramp(6);
    for span in [
        Span {
            start: 2,
            step: 1,
            len: usize::MAX,
        },
        Span {
            start: 2,
            step: -1,
            len: usize::MAX - 1,
        },
        Span {
            start: 0,
            step: 0,
            len: 1 << 40,
        },
        Span {
            start: 0,
            step: isize::MAX,
            len: 2,
        },
        Span {
            start: usize::MAX,
            step: 1,
            len: 1,
        },
        Span {
            start: 5,
            step: isize::MIN,
            len: 2,
        },
        Span {
            start: 0,
            step: 1 << 62,
            len: 1 << 62,
        },
    ] {
        let mut y = x.clone();
        assert!(y.narrow(0, span).is_err(), "{span:?}");
        assert_eq!(y.to_vec::<i64>().unwrap(), [0, 1, 2, 3, 4, 5]);
        assert!(x.layout().slice(0, span).is_err(), "{span:?}");
    }
}
