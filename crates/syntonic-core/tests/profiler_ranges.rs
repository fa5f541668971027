//! What a profiler of the whole process is told of launches. A file of its own: ranges are set once a process.

use std::sync::{Arc, Mutex};
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::{Arg, apply};
use syntonic_core::profile::{Ranges, set_ranges};
use syntonic_core::{DType, Tensor};

#[derive(Debug, Default)]
struct Seen(Arc<Mutex<Vec<String>>>);

impl Ranges for Seen {
    fn push(&self, name: &str) {
        self.0.lock().unwrap().push(name.to_owned());
    }

    fn pop(&self) {
        self.0.lock().unwrap().push("end".to_owned());
    }
}

#[test]
fn each_launch_is_a_range_with_its_operation_type_and_shape() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    set_ranges(Box::new(Seen(seen.clone())));
    let x = Tensor::zeros(&[997, 331], DType::F32).unwrap();
    let product = apply(Prim::Mul, &[(&x).into(), Arg::from(2.0)]).unwrap();
    let power = apply(Prim::Exp, &[(&product).into()]).unwrap();
    power.eval().unwrap();
    let seen = seen.lock().unwrap();
    let at = seen
        .iter()
        .position(|name| name.starts_with("chain multiply"));
    let at = at.unwrap_or_else(|| panic!("no range for the chain among {seen:?}"));
    assert_eq!(seen[at], "chain multiply exp float32 [997, 331]");
    assert_eq!(seen[at + 1], "end");
}
