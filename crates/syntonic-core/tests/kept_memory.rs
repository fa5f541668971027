//! Memory of a keeper: what is about to use it waits for the copies in flight that its keeper knows of.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use syntonic_core::ops::index::{IndexItem, set};
use syntonic_core::{Buffer, DType, Error, Graph, Keeper, Layout, Result, Tensor, Use, cpu};

/// A keeper whose copies end when they are waited for.
#[derive(Debug)]
struct Slow {
    memory: Box<[u64]>,
    /// What a copy in flight does with the memory.
    flight: Mutex<Option<Use>>,
    fails: bool,
    others: Arc<AtomicUsize>,
}

impl Keeper for Slow {
    fn wait(&self, before: Use) -> Result<()> {
        let mut flight = self.flight.lock().unwrap();
        match *flight {
            Some(how) if how == Use::Write || before == Use::Write => {
                if self.fails {
                    return Err(Error::value("copy", "the copy failed"));
                }
                if how == Use::Write {
                    // What the copy brings.
                    let first = self.memory.as_ptr().cast_mut().cast::<f64>();
                    // SAFETY: the memory has four numbers, and a test has one thread.
                    unsafe { std::slice::from_raw_parts_mut(first, 4) }.fill(7.0);
                }
                *flight = None;
            }
            _ => {}
        }
        Ok(())
    }

    fn is_busy(&self) -> bool {
        self.flight.lock().unwrap().is_some()
    }

    fn another(&self, bytes: usize) -> Result<Buffer> {
        self.others.fetch_add(1, SeqCst);
        Ok(buffer(&keeper(bytes / 8, &self.others), bytes))
    }
}

fn keeper(words: usize, others: &Arc<AtomicUsize>) -> Arc<Slow> {
    Arc::new(Slow {
        memory: vec![1f64.to_bits(); words].into(),
        flight: Mutex::new(None),
        fails: false,
        others: others.clone(),
    })
}

fn buffer(keeper: &Arc<Slow>, bytes: usize) -> Buffer {
    let first = keeper.memory.as_ptr().cast_mut().cast();
    // SAFETY: the keeper has the memory as long as it lives.
    unsafe { Buffer::kept(&cpu(), first, bytes, keeper.clone()) }
}

/// Four ones, and their keeper.
fn ones() -> (Tensor, Arc<Slow>) {
    let keeper = keeper(4, &Arc::default());
    let (layout, buffer) = (
        Layout::contiguous("ones", &[4]).unwrap(),
        buffer(&keeper, 32),
    );
    // SAFETY: the elements are initialised, and nobody else writes them.
    let x = unsafe { Tensor::from_buffer(DType::F64, layout, Arc::new(buffer)) };
    (x.unwrap(), keeper)
}

fn begin(keeper: &Slow, how: Use) {
    *keeper.flight.lock().unwrap() = Some(how);
}

/// A way to read a tensor.
type Reading = fn(&Tensor) -> Result<Vec<f64>>;

#[test]
fn a_reader_waits_for_what_is_written_and_not_for_other_readers() {
    let reads: [Reading; 5] = [
        |x| x.to_vec(),
        |x| (x * 1.0).to_vec(),
        |x| x.copy()?.to_vec(),
        |x| x.flip(&[0])?.to_vec(),
        |x| Graph::capture(&[x], |i| Ok(vec![i[0] * 1.0]))?.replay(&[x])?[0].to_vec(),
    ];
    for read in reads {
        let (x, keeper) = ones();
        begin(&keeper, Use::Read);
        assert_eq!(read(&x).unwrap(), [1.0; 4]);
        assert!(keeper.is_busy());
        begin(&keeper, Use::Write);
        assert_eq!(read(&x).unwrap(), [7.0; 4]);
        assert!(!keeper.is_busy());
    }
}

#[test]
fn a_graph_waits_for_what_it_reads_outside() {
    let (x, keeper) = ones();
    let zero = Tensor::zeros(&[4], DType::F64).unwrap();
    let graph = Graph::capture(&[&zero], |i| Ok(vec![i[0] + &x])).unwrap();
    begin(&keeper, Use::Write);
    let sums: Vec<f64> = graph.replay(&[&zero]).unwrap()[0].to_vec().unwrap();
    assert_eq!(sums, [7.0; 4]);
}

#[test]
fn a_writer_in_place_waits_for_readers_too() {
    let (x, keeper) = ones();
    for how in [Use::Read, Use::Write] {
        begin(&keeper, how);
        let values = Tensor::full(&[4], 3.0, DType::F64).unwrap();
        // SAFETY: this test has one thread.
        unsafe { x.assign_aliased(&values) }.unwrap();
        assert!(!keeper.is_busy());
        assert_eq!(x.to_vec::<f64>().unwrap(), [3.0; 4]);
    }
}

#[test]
fn memory_that_may_not_be_written_is_replaced_by_memory_of_its_kind() {
    let values = Tensor::full(&[4], 3.0, DType::F64).unwrap();
    let (mut x, keeper) = ones();
    x.assign(&values).unwrap();
    assert_eq!(keeper.others.load(SeqCst), 0, "its own memory is free");
    begin(&keeper, Use::Read);
    x.assign(&values).unwrap();
    assert!(keeper.is_busy(), "nobody waits");
    assert_eq!(keeper.others.load(SeqCst), 1);
    assert!(x.buffer().unwrap().keeper().is_some());
    let before = x.clone();
    set(
        &mut x,
        &[IndexItem::Int(0)],
        &Tensor::full(&[], 9.0, DType::F64).unwrap(),
    )
    .unwrap();
    assert_eq!(keeper.others.load(SeqCst), 2, "another tensor has it");
    assert_eq!(before.to_vec::<f64>().unwrap(), [3.0; 4]);
    assert_eq!(x.to_vec::<f64>().unwrap(), [9.0, 3.0, 3.0, 3.0]);
}

#[test]
fn what_became_of_a_copy_is_told_to_whoever_waits() {
    let (_, sound) = ones();
    let broken = Arc::new(Slow {
        memory: sound.memory.clone(),
        flight: Mutex::new(Some(Use::Write)),
        fails: true,
        others: Arc::default(),
    });
    let (layout, memory) = (
        Layout::contiguous("ones", &[4]).unwrap(),
        buffer(&broken, 32),
    );
    // SAFETY: as above.
    let x = unsafe { Tensor::from_buffer(DType::F64, layout, Arc::new(memory)) }.unwrap();
    for error in [x.to_vec::<f64>().unwrap_err(), x.copy().unwrap_err()] {
        assert!(error.to_string().contains("the copy failed"), "{error}");
    }
}
