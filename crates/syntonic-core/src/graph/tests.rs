use super::*;
use crate::dtype::DType;
use crate::ops::index::IndexItem;
use crate::ops::linalg::matmul;
use crate::ops::reduce::{Over, mean, sum};
use crate::ops::softmax::softmax;
use crate::ops::{create, index, order, random};
use crate::random::Generator;
use crate::{cpu, profile};
use std::cell::RefCell;
use std::sync::Arc;

fn wave(shape: &[usize], step: f64) -> Tensor {
    let n: usize = shape.iter().product();
    let values = (0..n).map(|i| (i as f64 * step).sin()).collect();
    Tensor::from_vec(values, shape).unwrap()
}

/// The bytes of a tensor, so that NaN and signed zeros count.
fn bits(t: &Tensor) -> Vec<u64> {
    let wide: Vec<f64> = t.to_vec().unwrap();
    wide.into_iter().map(f64::to_bits).collect()
}

/// A layer of a network: a product, a chain, a reduction that is pending, and a constant.
fn layer(inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
    let y = matmul(inputs[0], inputs[1])?;
    let z = softmax(&(&y * 2.0 + 1.0), -1)?;
    let ones = create::ones_like(&z, None)?;
    let centred = &z - &mean(&z, &Over::axes(&[-1]).keep())?;
    Ok(vec![&centred + &ones, sum(&z, &Over::axes(&[0]), None)?])
}

fn same_as_run(graph: &Graph, inputs: &[&Tensor], f: fn(&[&Tensor]) -> Result<Vec<Tensor>>) {
    let copies: Vec<Tensor> = inputs.iter().map(|x| x.copy().unwrap()).collect();
    let same: Vec<&Tensor> = copies.iter().collect();
    let (got, want) = (graph.replay(inputs).unwrap(), f(&same).unwrap());
    assert_eq!(got.len(), want.len());
    for (got, want) in got.iter().zip(&want) {
        assert_eq!(
            (got.shape(), got.dtype(), bits(got)),
            (want.shape(), want.dtype(), bits(want))
        );
    }
}

#[test]
fn a_replay_has_the_bits_of_the_function() {
    for n in [3, 40, 130] {
        for dtype in [DType::F32, DType::F64, DType::F16] {
            let make = |step: f64| wave(&[n, n], step).cast(dtype).unwrap();
            let (x, w) = (make(0.37), make(0.11));
            let graph = Graph::capture(&[&x, &w], layer).unwrap();
            assert!(graph.launches() > 2, "{}", graph.launches());
            for step in [0.37, 0.9, 3.1] {
                same_as_run(&graph, &[&make(step), &w], layer);
            }
            same_as_run(&graph, &[&w, &x.transpose(0, 1).unwrap()], layer);
        }
    }
}

#[test]
fn temporaries_share_memory_and_earlier_results_stay() {
    fn chain(inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        let mut x = inputs[0].clone();
        for k in 0..12 {
            x = (&x * 1.5 + f64::from(k)).eval()?;
        }
        Ok(vec![x])
    }
    let (a, b) = (wave(&[20_000], 0.1), wave(&[20_000], 0.2));
    let graph = Graph::capture(&[&a], chain).unwrap();
    let first = graph.replay(&[&a]).unwrap();
    let kept = bits(&first[0]);
    same_as_run(&graph, &[&b], chain);
    assert_eq!(bits(&first[0]), kept);
    let arena = {
        let work = graph.work.take("look", "the graph").unwrap();
        let buffer = work.results(&[]).next().unwrap().buffer().unwrap();
        buffer.arena().unwrap().clone()
    };
    // The input, and two that take turns.
    assert!(arena.blocks() <= 4, "{}", arena.blocks());
    drop(graph);
    assert_eq!(arena.live(), 0);
    assert_eq!(bits(&first[0]), kept);
}

#[test]
fn inputs_of_any_layout_and_without_elements() {
    fn twice(inputs: &[&Tensor]) -> Result<Vec<Tensor>> {
        Ok(vec![inputs[0] + inputs[0], inputs[0].clone()])
    }
    let x = wave(&[30, 20], 0.3);
    let graph = Graph::capture(&[&x.transpose(0, 1).unwrap()], twice).unwrap();
    same_as_run(&graph, &[&wave(&[20, 30], 0.7)], twice);
    same_as_run(
        &graph,
        &[&wave(&[30, 20], 0.7).transpose(0, 1).unwrap()],
        twice,
    );
    same_as_run(
        &graph,
        &[&wave(&[20, 1], 0.7).broadcast_to(&[20, 30]).unwrap()],
        twice,
    );
    same_as_run(&graph, &[&(wave(&[20, 30], 0.7) * 3.0)], twice);
    let none = wave(&[0, 4], 1.0);
    let graph = Graph::capture(&[&none], twice).unwrap();
    assert_eq!(graph.replay(&[&none]).unwrap()[0].shape(), [0, 4]);
    let nothing = Graph::capture(&[&none], |_| Ok(Vec::new())).unwrap();
    assert!(nothing.replay(&[&none]).unwrap().is_empty());
}

#[test]
fn tensors_from_outside_are_kept_and_read_where_they_lie() {
    let x = wave(&[100, 100], 0.3);
    // Pending when the capture begins: it is a value, and no part of the graph.
    let w = wave(&[100, 100], 0.5) * 2.0;
    assert!(w.is_pending());
    let graph = Graph::capture(&[&x], |i| Ok(vec![i[0] + &w])).unwrap();
    let want = bits(&(&x + &w));
    assert_eq!(bits(&graph.replay(&[&x]).unwrap()[0]), want);
    // SAFETY: no other thread has it.
    unsafe { w.assign_aliased(&Tensor::scalar(1.0, DType::F64).unwrap()) }.unwrap();
    assert_eq!(bits(&graph.replay(&[&x]).unwrap()[0]), bits(&(&x + 1.0)));
    drop(w);
    assert_eq!(bits(&graph.replay(&[&x]).unwrap()[0]), bits(&(&x + 1.0)));
}

#[test]
fn what_is_written_in_place_is_written_again() {
    let (x, total) = (wave(&[64], 0.3), Tensor::zeros(&[64], DType::F64).unwrap());
    let add = |i: &[&Tensor]| {
        // SAFETY: no other thread has it.
        unsafe { total.assign_aliased(&(&total + i[0]))? };
        Ok(vec![])
    };
    let graph = Graph::capture(&[&x], add).unwrap();
    assert_eq!(bits(&total), bits(&(&x * 1.0)), "once for the capture");
    let before = &total + 10.0;
    let two = &x + &x;
    graph.replay(&[&two]).unwrap();
    assert_eq!(bits(&total), bits(&(&x + &two)));
    assert_eq!(
        bits(&before),
        bits(&(&x + 10.0)),
        "pending while it was written"
    );
}

#[test]
fn a_drawn_number_is_drawn_once() {
    let x = wave(&[50], 0.3);
    let generator = RefCell::new(Generator::new(7));
    let graph = Graph::capture(&[&x], |i| {
        let mut generator = generator.borrow_mut();
        let noise = random::uniform(&[50], 0.0, 1.0, DType::F64, &mut *generator, &cpu())?;
        Ok(vec![i[0] * 0.0 + &noise])
    })
    .unwrap();
    let (a, b) = (graph.replay(&[&x]).unwrap(), graph.replay(&[&x]).unwrap());
    assert_eq!(bits(&a[0]), bits(&b[0]));
}

/// A capture that is refused, and the thread and its operands after it.
fn refused(op: &str, f: impl FnMut(&[&Tensor]) -> Result<Vec<Tensor>>) {
    let x = wave(&[40, 40], 0.3);
    let want = bits(&x);
    let error = Graph::capture(&[&x], f).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, Error::Capture { .. }), "{op}: {text}");
    assert!(
        text.starts_with(op) && text.contains("hint"),
        "{op}: {text}"
    );
    assert!(!session::is_inside());
    assert_eq!(bits(&x), want);
    assert_eq!(x.to_vec::<f64>().unwrap().len(), 1600);
    let graph = Graph::capture(&[&x], |i| Ok(vec![i[0] + 1.0])).unwrap();
    assert_eq!(bits(&graph.replay(&[&x]).unwrap()[0]), bits(&(&x + 1.0)));
}

#[test]
fn what_needs_the_host_is_refused() {
    refused("item", |i| {
        let total = sum(i[0], &Over::all(), None)?.item()?;
        Ok(vec![i[0] * total])
    });
    refused("to_vec", |i| Ok(vec![i[0] + i[0].to_vec::<f64>()?[0]]));
    refused("host_slice", |i| {
        Ok(vec![i[0] + i[0].host_slice::<f64>()?[0]])
    });
    refused("view_ndarray", |i| {
        i[0].view_ndarray::<f64>().map(|_| vec![])
    });
    refused("sharing memory", |i| {
        i[0].buffer()?.lend()?;
        Ok(vec![])
    });
    refused("item", |i| Ok(vec![order::unique(i[0])?.values]));
    refused("capture", |i| {
        Graph::capture(&[i[0]], layer)?;
        Ok(vec![])
    });
    let x = wave(&[40, 40], 0.3);
    let other = Graph::capture(&[&x], |i| Ok(vec![i[0] + 1.0])).unwrap();
    refused("replay", |i| other.replay(i));
    // A function that goes on would be captured as something else.
    refused("to_vec", |i| {
        Ok(vec![i[0] + i[0].to_vec::<f64>().map_or(1.0, |v| v[0])])
    });
}

#[test]
fn a_tensor_that_is_held_outside_is_refused() {
    let held = RefCell::new(Vec::new());
    let hold = |t: &Tensor| held.borrow_mut().push(t.clone());
    refused("capture", |i| {
        hold(&(i[0] + 1.0));
        Ok(vec![i[0] + 2.0])
    });
    refused("capture", |i| {
        let y = i[0] + 1.0;
        hold(&y);
        Ok(vec![y])
    });
    refused("capture", |i| {
        hold(i[0]);
        Ok(vec![i[0] + 2.0])
    });
    // They outlive their capture all the same.
    let sums = held.borrow().iter().map(|t| bits(t).len()).sum::<usize>();
    assert_eq!(sums, 3 * 1600);
}

#[test]
fn errors_of_the_function_end_the_capture() {
    let (x, w) = (wave(&[3, 4], 0.3), wave(&[3, 4], 0.3));
    let error = Graph::capture(&[&x, &w], |i| Ok(vec![matmul(i[0], i[1])?])).unwrap_err();
    assert!(matches!(error, Error::Shape { .. }), "{error}");
    assert!(!session::is_inside());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        Graph::capture(&[&x], |_| panic!("on purpose"))
    }));
    assert!(panicked.is_err() && !session::is_inside());
    assert!(matches!(
        Graph::capture(&[], layer),
        Err(Error::Value { .. })
    ));
}

#[test]
fn other_operands_are_refused_by_name() {
    let x = wave(&[3, 4], 0.3);
    let graph = Graph::capture(&[&x], |i| Ok(vec![i[0] + 1.0])).unwrap();
    let (wide, half) = (wave(&[3, 5], 0.3), x.cast(DType::F32).unwrap());
    for given in [&[&wide][..], &[&half], &[], &[&x, &x]] {
        let error = graph.replay(given).unwrap_err();
        assert!(matches!(error, Error::Replay { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("captured for float64[3, 4] on cpu"), "{text}");
    }
    assert!(graph.replay(&[&x]).is_ok());
    let error = graph.replay_into(&[&x], &mut []).unwrap_err();
    assert!(error.to_string().contains("0 tensors for the 1"), "{error}");
}

#[test]
fn results_may_be_written_into_tensors() {
    let x = wave(&[3, 4], 0.3);
    let graph = Graph::capture(&[&x], |i| Ok(vec![i[0] + 1.0])).unwrap();
    let mut out = [Tensor::zeros(&[3, 4], DType::F64).unwrap()];
    let shared = out[0].clone();
    graph.replay_into(&[&x], &mut out).unwrap();
    assert_eq!(bits(&out[0]), bits(&(&x + 1.0)));
    assert_eq!(bits(&shared), [0; 12]);
}

#[test]
fn indices_are_checked_at_each_replay() {
    let x = wave(&[6], 0.3);
    let at = Tensor::from_slice(&[0i64, 5, -1], &[3]).unwrap();
    let pick = |i: &[&Tensor]| {
        let items = [IndexItem::Array(i[1].clone())];
        Ok(vec![index::index(i[0], &items)?])
    };
    let graph = Graph::capture(&[&x, &at], pick).unwrap();
    let far = Tensor::from_slice(&[0i64, 6, 0], &[3]).unwrap();
    assert!(matches!(
        graph.replay(&[&x, &far]),
        Err(Error::Index { index: 6, .. })
    ));
    let got = graph.replay(&[&x, &at]).unwrap();
    assert_eq!(bits(&got[0]), bits(&pick(&[&x, &at]).unwrap()[0]));
}

#[test]
fn threads_take_turns() {
    let x = wave(&[200, 60], 0.3);
    let graph = Graph::capture(&[&x], |i| Ok(vec![softmax(i[0], -1)?])).unwrap();
    std::thread::scope(|scope| {
        for k in 1..5 {
            let (graph, x) = (&graph, &x);
            scope.spawn(move || {
                let mine = x * f64::from(k);
                let want = bits(&softmax(&mine, -1).unwrap());
                for _ in 0..20 {
                    assert_eq!(bits(&graph.replay(&[&mine]).unwrap()[0]), want);
                }
            });
        }
    });
}

#[test]
fn a_capture_is_one_threads() {
    let x = wave(&[100], 0.3);
    let graph = Graph::capture(&[&x], |i| {
        let other = std::thread::spawn(|| wave(&[100], 0.1).to_vec::<f64>().unwrap()[3]);
        let number = other.join().map_err(|_| Error::value("test", "a panic"))?;
        Ok(vec![i[0] * number])
    })
    .unwrap();
    assert_eq!(graph.launches(), 1);
    assert_eq!(graph.inputs().to_string(), "float64[100] on cpu");
    assert_eq!(graph.outputs().to_string(), "float64[100] on cpu");
}

#[test]
fn a_recording_sees_no_launch_of_a_capture() {
    let x = wave(&[50, 50], 0.3);
    let recording = profile::start();
    let graph = Graph::capture(&[&x, &x], layer).unwrap();
    drop(recording.finish().unwrap());
    same_as_run(&graph, &[&x, &x], layer);
}

#[test]
fn an_updated_graph_has_the_bits_of_the_other_function() {
    let x = wave(&[300], 0.3);
    let step = |rate: f64| move |i: &[&Tensor]| Ok(vec![(i[0] * rate).eval()? + 1.0]);
    let graph = Graph::capture(&[&x], step(0.5)).unwrap();
    for rate in [0.25, -3.0, f64::NAN] {
        assert_eq!(graph.update(&[&x], step(rate)).unwrap(), Updated::InPlace);
        for seed in [0.3, 0.7] {
            let y = wave(&[300], seed);
            let want = bits(&step(rate)(&[&y]).unwrap()[0]);
            assert_eq!(bits(&graph.replay(&[&y]).unwrap()[0]), want);
        }
    }
    // Other launches, and others from outside.
    let w = wave(&[300], 0.9);
    graph
        .update(&[&x], |i| Ok(vec![softmax(&(i[0] + &w).eval()?, -1)?]))
        .unwrap();
    assert_eq!(graph.launches(), 2);
    let want = bits(&softmax(&(&x + &w), -1).unwrap());
    drop(w);
    assert_eq!(bits(&graph.replay(&[&x]).unwrap()[0]), want);
}

#[test]
fn a_failed_update_leaves_the_graph_as_it_was() {
    let x = wave(&[300], 0.3);
    let graph = Graph::capture(&[&x], |i| Ok(vec![i[0] * 2.0])).unwrap();
    let want = bits(&(&x * 2.0));
    let held = RefCell::new(None);
    type Function<'a> = &'a dyn Fn(&[&Tensor]) -> Result<Vec<Tensor>>;
    let functions: [(Function<'_>, &str); 6] = [
        (&|_| Err(Error::value("test", "it fails")), "it fails"),
        (&|i| i[0].to_vec::<f64>().map(|_| vec![]), "graph"),
        (&|_| Ok(vec![]), "capture another graph"),
        (
            &|i| Ok(vec![sum(i[0], &Over::all(), None)?]),
            "float64[300]",
        ),
        (&|i| Ok(vec![i[0].cast(DType::F32)?]), "float32[300]"),
        (
            &|i| {
                held.replace(Some((i[0] * 3.0).eval()?));
                Ok(vec![i[0] * 3.0])
            },
            "held outside",
        ),
    ];
    for (function, said) in functions {
        let error = graph.update(&[&x], function).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
        assert_eq!(bits(&graph.replay(&[&x]).unwrap()[0]), want, "{said}");
        assert_eq!(graph.launches(), 1);
    }
    let other = wave(&[3], 0.3);
    let error = graph.update(&[&other], |i| Ok(vec![i[0].clone()]));
    assert!(matches!(error, Err(Error::Replay { .. })), "{error:?}");
    let nested = Graph::capture(&[&x], |i| {
        graph.update(i, |j| Ok(vec![j[0] * 3.0]))?;
        Ok(vec![])
    });
    assert!(matches!(nested, Err(Error::Capture { .. })), "{nested:?}");
    assert_eq!(bits(&graph.replay(&[&x]).unwrap()[0]), want);
}

#[test]
fn the_memory_of_the_work_before_goes_back() {
    let x = wave(&[40_000], 0.3);
    let graph = Graph::capture(&[&x], |i| Ok(vec![i[0] * 2.0])).unwrap();
    let arena = |g: &Graph| {
        let work = g.work.take("look", "the graph").unwrap();
        Arc::downgrade(work.inputs[0].buffer().unwrap().arena().unwrap())
    };
    let before = arena(&graph);
    graph.update(&[&x], |i| Ok(vec![i[0] * 3.0])).unwrap();
    assert_eq!(before.strong_count(), 0);
    assert!(arena(&graph).strong_count() > 0);
}

#[test]
fn replays_go_on_while_a_graph_is_updated() {
    let x = wave(&[2000], 0.3);
    let graph = Graph::capture(&[&x], |i| Ok(vec![i[0] * 1.0])).unwrap();
    let wants: Vec<Vec<u64>> = (1..4).map(|k| bits(&(&x * f64::from(k)))).collect();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let got = bits(&graph.replay(&[&x]).unwrap()[0]);
                    assert!(wants.contains(&got));
                }
            });
        }
        for k in 0..30 {
            let factor = f64::from(k % 3 + 1);
            graph.update(&[&x], |i| Ok(vec![i[0] * factor])).unwrap();
        }
    });
}
