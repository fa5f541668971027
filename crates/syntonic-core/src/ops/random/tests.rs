//! Random tensors: the same stream however it is cut, ranges, moments, mistakes.

use super::*;
use crate::cpu::cpu;
use crate::random::{Generator, SharedGenerator};

#[test]
fn elements_depend_on_the_offset_alone() {
    let mut whole = Generator::new(5);
    let mut parts = Generator::new(5);
    for dtype in [DType::F32, DType::F64, DType::F16] {
        let all = normal(&[70_001], 1.0, 2.0, dtype, &mut whole, &cpu()).unwrap();
        let a = normal(&[3, 7], 1.0, 2.0, dtype, &mut parts, &cpu()).unwrap();
        let b = normal(&[69_980], 1.0, 2.0, dtype, &mut parts, &cpu()).unwrap();
        let mut joined = a.to_vec::<f64>().unwrap();
        joined.extend(b.to_vec::<f64>().unwrap());
        assert_eq!(all.to_vec::<f64>().unwrap(), joined);
        assert_eq!(whole, parts);
    }
    assert_eq!(whole.offset, 3 * 70_001);
}

#[test]
fn they_are_the_numbers_of_the_stream() {
    let (mut a, mut b) = (Generator::new(9), Generator::new(9));
    let got = uniform(&[1000], 0.0, 1.0, DType::F32, &mut a, &cpu()).unwrap();
    let mut want = vec![0f32; 1000];
    b.uniform_f32(&mut want);
    assert_eq!(got.to_vec::<f32>().unwrap(), want);
    let got = integers(&[2, 50], -3, 4, DType::I16, &mut a, &cpu()).unwrap();
    let mut want = vec![0i64; 100];
    b.integers(&mut want, -3, 4).unwrap();
    assert_eq!(
        (got.dtype(), got.to_vec::<i64>().unwrap()),
        (DType::I16, want)
    );
    let got = permutation(100, &mut a, &cpu()).unwrap();
    assert_eq!(got.to_vec::<i64>().unwrap(), b.permutation(100).unwrap());
    assert_eq!(a, b);
}

#[test]
fn uniform_numbers_stay_below_one_in_every_type() {
    let n = 1 << 16;
    for (dtype, steps) in [
        (DType::F16, 2048.0),
        (DType::BF16, 256.0),
        (DType::F32, 16_777_216.0),
        (DType::F64, 2f64.powi(53)),
    ] {
        let got = uniform(&[n], 0.0, 1.0, dtype, &mut Generator::new(1), &cpu()).unwrap();
        assert_eq!(got.dtype(), dtype);
        let got = got.to_vec::<f64>().unwrap();
        assert!(
            got.iter()
                .all(|u| (0.0..1.0).contains(u) && (u * steps).fract() == 0.0)
        );
        let mean = got.iter().sum::<f64>() / n as f64;
        // Standard error 0.29 / 256, six of them; the half types lose half a step at most.
        assert!((mean + 0.5 / steps.min(1e9) - 0.5).abs() < 6.0 * 0.29 / 256.0 + 0.5 / steps);
    }
    let got = uniform(&[n], -3.0, 5.0, DType::F64, &mut Generator::new(1), &cpu()).unwrap();
    assert!(
        got.to_vec::<f64>()
            .unwrap()
            .iter()
            .all(|u| (-3.0..5.0).contains(u))
    );
}

#[test]
fn normal_numbers_have_their_moments() {
    let n = 1 << 16;
    for dtype in [DType::F16, DType::BF16, DType::F32, DType::F64] {
        let z = normal(&[n], 3.0, 0.5, dtype, &mut Generator::new(2), &cpu()).unwrap();
        let z = z.to_vec::<f64>().unwrap();
        let mean = z.iter().sum::<f64>() / n as f64;
        let var = z.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n as f64;
        // Standard errors 0.5 / 256 and 0.25 sqrt(2) / 256, six of them.
        assert!(
            (mean - 3.0).abs() < 0.012 && (var - 0.25).abs() < 0.0085,
            "{dtype}: {mean}, {var}"
        );
    }
}

#[test]
fn shuffling_keeps_whole_rows() {
    let x = Tensor::from_vec((0..300i64).collect(), &[100, 3]).unwrap();
    let got = shuffled(&x, 0, &mut Generator::new(3))
        .unwrap()
        .to_vec::<i64>()
        .unwrap();
    let mut firsts: Vec<i64> = got.chunks(3).map(|r| r[0]).collect();
    assert!(got.chunks(3).all(|r| r[1] == r[0] + 1 && r[2] == r[0] + 2));
    assert!(firsts.windows(2).any(|w| w[0] > w[1]));
    firsts.sort_unstable();
    assert_eq!(firsts, (0..100).map(|i| 3 * i).collect::<Vec<_>>());
}

#[test]
fn mistakes_leave_the_generator_where_it_is() {
    let mut g = Generator::new(4);
    let start = g;
    let dtype = |r: Result<Tensor>| matches!(r, Err(Error::DType { .. }));
    let value = |r: Result<Tensor>| matches!(r, Err(Error::Value { .. }));
    assert!(dtype(uniform(&[2], 0.0, 1.0, DType::I32, &mut g, &cpu())));
    assert!(dtype(normal(&[2], 0.0, 1.0, DType::C64, &mut g, &cpu())));
    assert!(dtype(integers(&[2], 0, 2, DType::Bool, &mut g, &cpu())));
    assert!(value(uniform(
        &[2],
        f64::MIN,
        f64::MAX,
        DType::F64,
        &mut g,
        &cpu()
    )));
    assert!(value(normal(&[2], 0.0, -1.0, DType::F64, &mut g, &cpu())));
    assert!(value(integers(&[2], 5, 5, DType::I64, &mut g, &cpu())));
    assert!(value(integers(&[2], 0, 300, DType::U8, &mut g, &cpu())));
    assert!(value(integers(&[2], -1, 3, DType::U64, &mut g, &cpu())));
    assert!(matches!(
        shuffled(&Tensor::zeros(&[], DType::F32).unwrap(), 0, &mut g),
        Err(Error::Axis { .. })
    ));
    let huge = [usize::MAX, 2];
    assert!(matches!(
        uniform(&huge, 0.0, 1.0, DType::F32, &mut g, &cpu()),
        Err(Error::SizeOverflow { .. })
    ));
    assert_eq!(g, start);
    assert_eq!(
        integers(&[3], 0, 256, DType::U8, &mut g, &cpu())
            .unwrap()
            .numel(),
        3
    );
}

#[test]
fn threads_that_share_a_generator_draw_what_one_would_have_drawn() {
    let shared = SharedGenerator::new(Generator::new(17));
    let sizes = [1usize, 7, 63, 500, 8193];
    let draw = |n: usize| {
        let t = uniform(&[n], 0.0, 1.0, DType::F64, &mut &shared, &cpu()).unwrap();
        t.to_vec::<f64>().unwrap()
    };
    let mut got: Vec<u64> = std::thread::scope(|scope| {
        let work = || {
            scope.spawn(|| {
                let draws = (0..40).map(|k| draw(sizes[k % sizes.len()]));
                draws.flatten().map(f64::to_bits).collect::<Vec<_>>()
            })
        };
        let threads: Vec<_> = (0..8).map(|_| work()).collect();
        threads
            .into_iter()
            .flat_map(|t| t.join().unwrap())
            .collect()
    });
    let mut alone = vec![0.0; got.len()];
    Generator::new(17).uniform_f64(&mut alone);
    let mut want: Vec<u64> = alone.into_iter().map(f64::to_bits).collect();
    got.sort_unstable();
    want.sort_unstable();
    assert_eq!(got, want);
    assert_eq!(shared.state().offset, want.len() as u64);
}

#[test]
fn a_draw_that_failed_gives_its_elements_back_unless_others_drew_since() {
    let mut own = Generator::new(1);
    let taken = own.take(5);
    own.put_back(taken, 5);
    assert_eq!(own, Generator::new(1));
    let shared = SharedGenerator::new(own);
    let taken = (&shared).take(5);
    (&shared).put_back(taken, 5);
    assert_eq!(shared.state().offset, 0);
    let taken = (&shared).take(5);
    (&shared).take(2);
    (&shared).put_back(taken, 5);
    assert_eq!(shared.state().offset, 7);
    shared.update(|g| g.seed = 3);
    assert_eq!(shared.state(), Generator { seed: 3, offset: 7 });
}
