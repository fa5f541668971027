//! What may deviate from a rule, and why: one row a file, or a folder that is one idea, written with a slash at its end.

/// A path relative to the root, and the reason why a rule does not bind it.
pub(super) type Exception = (&'static str, &'static str);

/// Files with more lines than the ceiling.
#[rustfmt::skip]
pub(super) const LONG: &[Exception] = &[
];

/// Public functions, traits and macros without an example, each as `file: name`, or whole folders.
#[rustfmt::skip]
pub(super) const UNSHOWN: &[Exception] = &[
    ("crates/syntonic-core/src/buffer.rs: Keeper", "page-locked memory of syntonic-cuda implements it"),
    ("crates/syntonic-core/src/cpu/lanes/", "is hidden from the documentation, as a whole"),
    ("crates/syntonic-core/src/device/capture.rs: Capture", "a device implements it, and `Graph` asks it"),
    ("crates/syntonic-core/src/device/capture.rs: CapturedLoop", "a device implements it, and `fori_loop` asks it"),
    ("crates/syntonic-core/src/device/capture.rs: Recorded", "a device implements it, and `Graph` asks it"),
    ("crates/syntonic-core/src/device/end.rs: is_nothing", "core makes an end, and a device reads it"),
    ("crates/syntonic-core/src/fuse/task.rs: slot", "core makes a task, and a device reads it"),
    ("crates/syntonic-core/src/fuse/task.rs: slots", "core makes a task, and a device reads it"),
    ("crates/syntonic-core/src/fuse/typed.rs: operands", "core makes a node, and a device reads it"),
    ("crates/syntonic-core/src/ops/linalg/contraction.rs: dtype", "is in the example of `Contraction::of`"),
    ("crates/syntonic-core/src/ops/linalg/contraction.rs: in_place", "is in the example of `Contraction::of`"),
    ("crates/syntonic-core/src/ops/linalg/contraction.rs: note", "core makes the account of a launch"),
    ("crates/syntonic-core/src/ops/linalg/contraction.rs: sum_dtype", "is in the example of `Contraction::of`"),
    ("crates/syntonic-core/src/ops/linalg/contraction.rs: sums", "changes the fields that it names"),
    ("crates/syntonic-core/src/ops/linalg/known_end.rs: recognise", "core makes an end, and a device reads it"),
    ("crates/syntonic-core/src/ops/linalg/scaled.rs: of", "is of a launch that core makes, as `Contraction::of`"),
    ("crates/syntonic-core/src/ops/linalg/scaled.rs: widened", "is of a launch that core makes, as `Contraction::of`"),
    ("crates/syntonic-core/src/ops/linalg/scaled.rs: widening", "is of a launch that core makes, as `Contraction::of`"),
    ("crates/syntonic-core/src/device/steps.rs: OneLaunch", "a device makes it, and `Plan::run` runs it"),
    ("crates/syntonic-core/src/profile/footprint.rs: note_kernel", "a device calls it inside of a launch that core records"),
    ("crates/syntonic-core/src/profile/ranges.rs: Ranges", "is implemented in the example of `set_ranges`"),
    ("crates/syntonic-cuda/src/guest.rs: Host", "is implemented in the example of `Cuda::visit`"),
];

/// Files with unsafe code. Every block in them says beside it why it is sound.
#[rustfmt::skip]
pub(super) const UNSAFE: &[Exception] = &[
    ("crates/syntonic-bench/src/gpu/parity/mutants.rs", "is a device of its own, and puts wrong elements into results"),
    ("crates/syntonic-bench/src/gpu/parity/fill.rs", "writes through a view, as Python does, to memory that begins anywhere"),
    ("crates/syntonic-core/examples/lane_speed.rs", "measures the lane kernels without the safe layer above them"),
    ("crates/syntonic-core/tests/lanes.rs", "tests the lane kernels without the safe layer above them"),
    ("crates/syntonic-core/src/buffer.rs", "owns memory that a device gave, or that a stranger lent"),
    ("crates/syntonic-core/src/cpu/", "the device: allocates, and loops over raw pointers with instructions the processor was asked about"),
    ("crates/syntonic-core/src/custom/", "lends the memory of a launch to a function as slices, and keeps the contracts of kernels"),
    ("crates/syntonic-core/src/device.rs", "a device follows addresses, so its contract is the caller's promise"),
    ("crates/syntonic-core/src/device/steps.rs", "steps follow addresses, so their contract is the caller's promise"),
    ("crates/syntonic-core/src/pipeline/one_launch/", "keeps the contract of `OneLaunch::run`"),
    ("crates/syntonic-core/src/device/recorder.rs", "is a device that gives the host's memory, and follows no address"),
    ("crates/syntonic-core/src/device/recorded_tests.rs", "runs steps over memory of tensors that it holds, as a device does"),
    ("crates/syntonic-core/src/device/capture.rs", "captured work follows addresses, so its contract is the caller's promise"),
    ("crates/syntonic-core/src/float8/code.rs", "a code is the byte that it is stored as"),
    ("crates/syntonic-core/src/fork/", "tells the system what to call around a fork"),
    ("crates/syntonic-core/src/fuse/phases/tests.rs", "runs programs over memory that it lays out by hand, as a device does"),
    ("crates/syntonic-core/src/fuse/task.rs", "an operand of a run is an address, and goes to other threads"),
    ("crates/syntonic-core/src/graph/", "owns the memory that captured work runs over, and keeps the contract of `Recorded::replay`"),
    ("crates/syntonic-core/src/io/", "elements and bytes are the same memory, and a map of a file is as steady as its caller promises"),
    ("crates/syntonic-core/src/ops/", "calls lane kernels and hand-written ones, whose contracts are about addresses"),
    ("crates/syntonic-core/src/random/level.rs", "calls functions compiled for instructions that the running processor was asked about"),
    ("crates/syntonic-core/src/run.rs", "keeps the contract of `Device::run`"),
    ("crates/syntonic-core/src/scalar.rs", "bytes and elements are the same memory, seen twice"),
    ("crates/syntonic-core/src/tensor/", "keeps the contracts of `Device`: views lie inside live buffers"),
    ("crates/syntonic-core/tests/files.rs", "maps files that nobody else knows"),
    ("crates/syntonic-core/tests/soundness.rs", "makes the strange memory that safe code must survive"),
    ("crates/syntonic-core/src/grad/tests.rs", "writes through views, as Python does, to see what a tape says of it"),
    ("crates/syntonic-core/tests/", "compares lane kernels with their reference, beneath the safe layer"),
    ("crates/syntonic-py/src/memory/", "memory shared with other libraries, between views, and with the interpreter that gives it to objects: its owners promise what Rust cannot see"),
    ("crates/syntonic-py/src/pipeline/plan.rs", "loads code from a file that the caller trusts, as its documentation asks"),
    ("crates/syntonic-bench/src/gpu/parity/plan_files.rs", "loads the files that it has just written"),
    ("crates/syntonic-bench/src/gpu/soak/faults.rs", "makes a tensor over memory that is not there, for the GPU to find out"),
    ("crates/syntonic-bench/src/gpu/soak/doors.rs", "is a program that uses CUDA itself"),
    ("crates/syntonic-srt/src/evolve/device/", "keeps the contracts of its kernels, whose operands are addresses"),
    ("crates/syntonic-srt/src/infer/", "keeps the contracts of its kernels, whose operands are addresses"),
    ("crates/syntonic-srt/src/exact/snap/level.rs", "calls functions compiled for instructions that the running processor was asked about"),
    ("crates/syntonic-srt/src/exact/tensor/", "keeps the contracts of its kernels, whose operands are addresses"),
    ("crates/syntonic-srt/src/transfer_entropy/", "keeps the contracts of its kernels, whose operands are addresses, and calls functions compiled for instructions that the running processor was asked about"),
    ("crates/syntonic-srt/tests/short_memory/allocator.rs", "is an allocator that refuses, so that every allocation can be seen to fail"),
    ("crates/syntonic-cuda/examples/04_a_kernel_of_ones_own.rs", "launches a kernel that only its author knows to be sound"),
    ("crates/syntonic-cuda/examples/09_an_operator_of_ones_own.rs", "launches a kernel that only its author knows to be sound"),
    ("crates/syntonic-bench/src/gpu/parity/custom.rs", "launches kernels that only it knows to be sound"),
    ("crates/syntonic-cuda/tests/fake_driver.rs", "is the source of a driver, whose functions have C's form"),
    ("crates/syntonic-cuda/src/", "opens the driver's library and calls its C functions"),
    ("crates/syntonic-srt/tests/hostile/coverage.rs", "reads the counters that a compiler put into every branch"),
    ("crates/syntonic-srt/tests/hostile/memory.rs", "is an allocator that counts what it gives"),
    ("xtask/simulator/src/driver/", "is a driver, whose functions have C's form and follow a caller's pointers"),
    ("xtask/simulator/src/machine/", "runs instructions on rows of registers and on addresses that were looked at before"),
    ("xtask/simulator/src/memory.rs", "is a card's memory, in which addresses are the host's"),
    ("xtask/simulator/src/tests/", "gives kernels the addresses of values"),
];

/// Complaints about rows that cover no path of `needed`, or give no reason.
pub(super) fn stale(table: &[Exception], needed: &[&str], rule: &str) -> Vec<String> {
    let idle = table.iter().filter(|row| {
        let unused = !needed.iter().any(|path| covers(row, path));
        unused || row.1.is_empty()
    });
    idle.map(|(path, _)| {
        format!("xtask/src/tidy/exceptions.rs: {path} needs no exception for {rule}")
    })
    .collect()
}

/// Whether `table` has a row for `path`.
pub(super) fn allows(table: &[Exception], path: &str) -> bool {
    table.iter().any(|row| covers(row, path))
}

fn covers((allowed, _): &Exception, path: &str) -> bool {
    *allowed == path || (allowed.ends_with('/') && path.starts_with(allowed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_need_or_reason_is_reported() {
        let table = [("a.rs", "a table"), ("b.rs", "a table"), ("c.rs", "")];
        assert!(allows(&table, "b.rs") && !allows(&table, "d.rs"));
        let complaints = stale(&table, &["a.rs", "c.rs"], "length");
        assert_eq!(complaints.len(), 2);
        assert!(complaints[0].contains("b.rs") && complaints[1].contains("c.rs"));
    }

    #[test]
    fn a_folder_covers_what_lies_in_it() {
        let table = [("src/lanes/", "raw loops")];
        assert!(allows(&table, "src/lanes/add.rs") && !allows(&table, "src/lanes.rs"));
        assert_eq!(stale(&table, &["src/other.rs"], "unsafe code").len(), 1);
    }
}
