//! What safe code must not be able to do: leave a buffer, meet a misaligned element, share a write,
//! or reach memory through a size that overflowed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};
use syntonic_core::num_complex::Complex;
use syntonic_core::ops::gather::{nonzero, put, scatter_add, select_where, take, take_along_axis};
use syntonic_core::ops::order::bincount;
use syntonic_core::{Buffer, DType, Error, Layout, Scalar, Tensor, cpu};

/// A tensor of complex64 at an address aligned to 4 bytes but not to 8, as foreign memory may be.
fn barely_aligned(values: &[Complex<f32>], shape: &[usize]) -> Tensor {
    let mut parts: Vec<f32> = vec![0.0; 2 * values.len() + 2];
    let skip = 1 - (parts.as_ptr() as usize / 4) % 2;
    for (k, z) in values.iter().enumerate() {
        (parts[skip + 2 * k], parts[skip + 2 * k + 1]) = (z.re, z.im);
    }
    let address = parts[skip..].as_mut_ptr().cast::<u8>();
    assert_eq!(address as usize % 8, 4);
    let bytes = 8 * values.len();
    // SAFETY: the vector owns the bytes and lives in the buffer.
    let buffer = unsafe { Buffer::foreign(&cpu(), address, bytes, Box::new(parts)) };
    let layout = Layout::contiguous("test", shape).unwrap();
    // SAFETY: the elements were written above and nobody else has them.
    unsafe { Tensor::from_buffer(DType::C64, layout, Arc::new(buffer)) }.unwrap()
}

fn refused(dtype: DType, layout: Layout, buffer: &Arc<Buffer>) -> String {
    // SAFETY: the bytes are initialised and not bool; whether the layout fits is what is asked.
    match unsafe { Tensor::from_buffer(dtype, layout, buffer.clone()) } {
        Err(Error::Value { op, what }) => {
            assert_eq!(op, "from_buffer");
            what
        }
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn a_layout_never_leaves_its_buffer() {
    let buffer = Tensor::zeros(&[8], DType::F32).unwrap().buffer().unwrap();
    let largest = isize::MAX;
    for (shape, strides, offset) in [
        (vec![9], vec![1], 0),
        (vec![4], vec![-1], 0),
        (vec![4], vec![-1], 2),
        (vec![2], vec![1], 7),
        (vec![1], vec![1], 8),
        (vec![3], vec![largest], 0),
        (vec![5, 5], vec![largest / 2, largest / 2], 0),
        (vec![2], vec![isize::MIN], 7),
        (vec![1 << 40, 1 << 40], vec![0, 0], 0),
        (vec![usize::MAX], vec![0], 0),
        (vec![1], vec![1], usize::MAX),
    ] {
        let what = refused(
            DType::F32,
            Layout::from_parts(&shape, &strides, offset),
            &buffer,
        );
        assert!(what.contains("8 elements"), "{shape:?} {strides:?}: {what}");
    }
    let layout = Layout::from_parts(&[4], &[-2], 7);
    // SAFETY: the buffer holds eight zeros.
    let fits = unsafe { Tensor::from_buffer(DType::F32, layout, buffer) }.unwrap();
    assert_eq!(fits.to_vec::<f32>().unwrap(), [0.0; 4]);
}

#[test]
fn an_element_is_aligned() {
    let mut bytes = vec![0u8; 32];
    let address = bytes.as_mut_ptr();
    let odd = address.wrapping_add(1 + address as usize % 2);
    // SAFETY: 24 bytes from there lie inside the vector, which lives in the buffer.
    let buffer = Arc::new(unsafe { Buffer::foreign(&cpu(), odd, 24, Box::new(bytes)) });
    for dtype in DType::ALL.into_iter().filter(|d| d.align() > 1) {
        let layout = Layout::contiguous("test", &[1]).unwrap();
        let what = refused(dtype, layout, &buffer);
        assert!(what.contains("not aligned"), "{what}");
    }
    let empty = Layout::contiguous("test", &[0]).unwrap();
    // SAFETY: no element is reached.
    assert!(unsafe { Tensor::from_buffer(DType::F64, empty, buffer) }.is_ok());
}

#[test]
fn complex_numbers_need_only_the_alignment_of_their_parts() {
    let values: Vec<Complex<f32>> = (0..40 * 48).map(|k| Complex::new(k as f32, -0.5)).collect();
    let x = barely_aligned(&values, &[40, 48]);
    let turned = x.transpose(0, 1).unwrap().copy().unwrap();
    let got = turned.to_vec::<Complex<f32>>().unwrap();
    for (k, z) in got.iter().enumerate() {
        assert_eq!(*z, values[(k % 40) * 48 + k / 40]);
    }
    assert_eq!(
        x.flip(&[1]).unwrap().to_vec::<Complex<f32>>().unwrap()[0],
        values[47]
    );
    let mut changed = x;
    changed
        .assign(&Tensor::scalar(Scalar::Int(3), DType::C64).unwrap())
        .unwrap();
    assert_eq!(
        changed.to_vec::<Complex<f32>>().unwrap(),
        vec![Complex::new(3.0, 0.0); 40 * 48]
    );
}

#[test]
fn empty_shapes_may_have_any_other_length() {
    let huge = 1usize << 40;
    for shape in [
        [huge, huge, 0],
        [0, huge, huge],
        [huge, 0, huge],
        [0, usize::MAX, usize::MAX],
    ] {
        let x = Tensor::zeros(&shape, DType::F64).unwrap();
        assert_eq!(x.numel(), 0, "{shape:?}");
        assert!(x.is_contiguous());
        assert_eq!(x.copy().unwrap().shape(), shape);
        assert_eq!(x.transpose(0, 2).unwrap().copy().unwrap().numel(), 0);
        assert_eq!(x.to_vec::<f64>().unwrap(), Vec::<f64>::new());
    }
}

#[test]
fn any_step_of_a_slice_is_fine_where_it_is_not_walked() {
    let x = Tensor::from_slice(&[1i32, 2, 3, 4, 5, 6], &[2, 3]).unwrap();
    for step in [isize::MAX, isize::MIN, isize::MAX / 2, -isize::MAX] {
        let y = x.slice(0, None, None, step).unwrap();
        let row = if step > 0 { [1, 2, 3] } else { [4, 5, 6] };
        assert_eq!(y.to_vec::<i32>().unwrap(), row, "{step}");
        let twice = y.slice(0, None, None, step).unwrap();
        assert_eq!(twice.to_vec::<i32>().unwrap(), row);
        assert_eq!(
            twice.flip(&[0, 1]).unwrap().to_vec::<i32>().unwrap()[2],
            row[0]
        );
    }
}

#[test]
fn elements_that_share_memory_are_not_written_side_by_side() {
    let one = Tensor::from_slice(&[1.0f32], &[1]).unwrap();
    let values = Tensor::from_slice(&[5.0f32, 6.0, 7.0], &[3]).unwrap();
    let mut view = one.broadcast_to(&[3]).unwrap();
    // SAFETY: no other thread knows the memory.
    let refused = unsafe { view.assign_aliased(&values) };
    assert!(matches!(refused, Err(Error::Value { op: "assign", .. })));
    assert_eq!(one.to_vec::<f32>().unwrap(), [1.0]);
    view.assign(&values).unwrap();
    assert_eq!(view.to_vec::<f32>().unwrap(), [5.0, 6.0, 7.0]);
    assert_eq!(one.to_vec::<f32>().unwrap(), [1.0]);

    let buffer = Tensor::zeros(&[6], DType::I64).unwrap().buffer().unwrap();
    let layout = Layout::from_parts(&[4, 2], &[1, 2], 0);
    // SAFETY: the buffer holds six zeros.
    let mut windows = unsafe { Tensor::from_buffer(DType::I64, layout, buffer) }.unwrap();
    let numbers = Tensor::from_vec((0..8i64).collect(), &[4, 2]).unwrap();
    windows.assign(&numbers).unwrap();
    assert_eq!(
        windows.to_vec::<i64>().unwrap(),
        (0..8).collect::<Vec<i64>>()
    );
}

#[test]
fn sizes_beyond_the_address_space_are_errors() {
    for bytes in [isize::MAX as usize, usize::MAX - 4096, usize::MAX] {
        assert!(matches!(
            Buffer::allocate(&cpu(), bytes),
            Err(Error::OutOfMemory { .. })
        ));
    }
    let one = Tensor::ones(&[1], DType::F64).unwrap();
    let huge = one.broadcast_to(&[1 << 61]).unwrap();
    assert!(matches!(huge.copy(), Err(Error::SizeOverflow { .. })));
    assert!(one.broadcast_to(&[1 << 62, 4]).is_err());
}

#[test]
fn what_threads_share_may_be_shared() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Tensor>();
    shared::<Buffer>();
    shared::<Error>();
    shared::<Layout>();
    shared::<Scalar>();
    shared::<syntonic_core::fuse::Program>();
    shared::<Arc<dyn syntonic_core::Device>>();
    shared::<syntonic_core::HostSlice<f32>>();
}

#[test]
fn views_that_share_elements_are_not_written_through() {
    let x = Tensor::from_slice(&[1.0f64, 2.0, 3.0], &[1, 3]).unwrap();
    let stretched = x.broadcast_to(&[4, 3]).unwrap();
    let one = Tensor::scalar(9.0, DType::F64).unwrap();
    let views = [
        stretched.clone(),
        stretched.select(0, 1).unwrap(),
        stretched.transpose(0, 1).unwrap(),
        stretched.slice(0, Some(0), Some(1), 1).unwrap(),
        stretched.select(0, 0).unwrap().reshape(&[3, 1]).unwrap(),
        stretched.eval().unwrap().select(0, 0).unwrap(),
    ];
    for view in &views {
        assert!(!view.is_writable());
        // SAFETY: this test is the only user of the memory.
        let refused = unsafe { view.assign_aliased(&one) }
            .unwrap_err()
            .to_string();
        assert!(
            refused.contains("read-only") && refused.contains(".copy()"),
            "{refused}"
        );
    }
    assert!(x.broadcast_to(&[1, 3]).unwrap().is_writable());
    assert!(stretched.copy().unwrap().is_writable());
    // A value of one's own may be written: it gets memory of its own.
    let mut value = stretched.select(0, 0).unwrap();
    value.assign(&one).unwrap();
    assert_eq!(value.to_vec::<f64>().unwrap(), [9.0; 3]);
    assert_eq!(x.to_vec::<f64>().unwrap(), [1.0, 2.0, 3.0]);
}

#[test]
fn parts_of_views_without_elements_lie_in_their_memory() {
    for shape in [[0usize, 3], [3, 0], [2, 0]] {
        let z = Tensor::zeros(&shape, DType::C64).unwrap();
        let behind = z.slice(0, Some(1), None, 1).unwrap();
        for view in [
            z.clone(),
            behind,
            z.transpose(0, 1).unwrap(),
            z.flip(&[0, 1]).unwrap(),
        ] {
            for part in [view.real().unwrap(), view.imag().unwrap()] {
                assert_eq!((part.dtype(), part.shape()), (DType::F32, view.shape()));
                assert!(part.to_vec::<f32>().unwrap().is_empty());
            }
        }
    }
}

/// A vector over memory that `owner` shares with others.
fn lent(
    dtype: DType,
    address: *mut u8,
    len: usize,
    owner: Box<dyn std::any::Any + Send + Sync>,
) -> Tensor {
    // SAFETY: the caller's vector, which `owner` keeps, has room for that many elements.
    let buffer = unsafe { Buffer::foreign(&cpu(), address, len * dtype.size(), owner) };
    let layout = Layout::contiguous("test", &[len]).unwrap();
    // SAFETY: the elements are initialised, and foreign.
    unsafe { Tensor::from_buffer(dtype, layout, Arc::new(buffer)) }.unwrap()
}

#[test]
fn a_foreign_bool_is_true_unless_its_byte_is_0() {
    let mut bytes = vec![0u8, 2, 1, 255, 0, 128];
    let truth = [false, true, true, true, false, true];
    let x = lent(
        DType::Bool,
        bytes.as_mut_ptr(),
        bytes.len(),
        Box::new(bytes),
    );
    assert_eq!(x.to_vec::<bool>().unwrap(), truth);
    assert_eq!(x.host_slice::<bool>().unwrap()[..], truth);
    assert_eq!(x.iter::<bool>().unwrap().collect::<Vec<_>>(), truth);
    assert_eq!(x.sum(..).unwrap().to_scalar::<i64>().unwrap(), 4);
    assert_eq!(
        x.cast(DType::U8).unwrap().to_vec::<u8>().unwrap(),
        truth.map(u8::from)
    );
    assert_eq!(format!("{x}"), format!("{}", Tensor::from(truth)));
    let picked = take(&x, &Tensor::from([3, 1]), Some(0)).unwrap();
    // What was moved is our own, and its bytes are looked at as numbers.
    for own in [picked, select_where(&x, &x).unwrap(), x.copy().unwrap()] {
        let layout = own.layout().clone();
        // SAFETY: any byte is a number, and the buffer is the same.
        let raw = unsafe { Tensor::from_buffer(DType::U8, layout, own.buffer().unwrap()) }.unwrap();
        assert!(raw.to_vec::<u8>().unwrap().iter().all(|&byte| byte < 2));
    }
    let view = x.broadcast_to(&[1 << 40, 6]).unwrap();
    assert!(
        view.select(0, 9)
            .unwrap()
            .equal(&Tensor::from(truth))
            .unwrap()
            .all(..)
            .unwrap()
            .to_scalar::<bool>()
            .unwrap()
    );
}

/// Ends the writer, also where the test fails.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Indices that others write while they are looked at: what comes out is a value or an error.
#[test]
fn indices_that_change_lead_nowhere_else() {
    const N: usize = 20_000;
    let shared: Arc<Vec<AtomicI64>> = Arc::new((0..N).map(|_| AtomicI64::new(0)).collect());
    let address = shared.as_ptr().cast_mut().cast::<u8>();
    let i = lent(DType::I64, address, N, Box::new(shared.clone()));
    let table = i.reshape(&[20, 1000]).unwrap();
    let (x, weights) = (
        Tensor::ones(&[1000], DType::F64).unwrap(),
        Tensor::ones(&[N], DType::F64).unwrap(),
    );
    let grid = Tensor::ones(&[20, 1000], DType::F64).unwrap();
    let calls: [(&str, &dyn Fn() -> syntonic_core::Result<Tensor>); 7] = [
        ("take", &|| take(&x, &i, Some(0))),
        ("take_along_axis", &|| take_along_axis(&grid, &table, 1)),
        ("put", &|| {
            let mut x = x.clone();
            put(&mut x, &i, &weights)?;
            Ok(x)
        }),
        ("scatter_add", &|| {
            let mut x = grid.clone();
            scatter_add(&mut x, 1, &table, &grid)?;
            Ok(x)
        }),
        ("bincount", &|| bincount(&i, None, 0)),
        ("bincount with weights", &|| bincount(&i, Some(&weights), 0)),
        ("nonzero", &|| take(&weights, &nonzero(&i)?[0], Some(0))),
    ];
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                for value in [7, 1 << 61, 999, -1, i64::MIN / 3] {
                    shared
                        .iter()
                        .for_each(|place| place.store(value, Ordering::Relaxed));
                }
            }
        });
        let _ends = Ends(&over);
        for (name, call) in calls {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(60) {
                match call() {
                    Ok(x) => assert!(x.eval().is_ok()),
                    Err(
                        Error::Index { .. }
                        | Error::Value { .. }
                        | Error::OutOfMemory { .. }
                        | Error::SizeOverflow { .. },
                    ) => {}
                    Err(other) => panic!("{name}: {other}"),
                }
            }
        }
    });
}
