//! What texts for the tensor cores of warpgroups share.

use super::with_version;

/// Bytes of eight rows of shared memory, which the swizzle of 128 bytes mixes.
const EIGHT_ROWS: u64 = 8 * 128;

/// A header whose target has the instructions of warpgroups.
pub(crate) fn with_tensor_cores(header: &str) -> String {
    let raised = with_version(header, "8.0");
    let raised = raised.lines().map(|line| match line {
        _ if line.starts_with(".target ") => ".target sm_90a\n".to_owned(),
        _ => format!("{line}\n"),
    });
    raised.collect()
}

/// Waits until the phase `parity` of the barrier at `at` ends. A label is used once.
pub(crate) fn wait(label: &str, at: &str, parity: &str) -> String {
    format!(
        "{label}:\nmbarrier.try_wait.parity.shared::cta.b64 done, [{at}], {parity};\n@!done bra {label};"
    )
}

/// What a matrix in shared memory looks like to the instructions, but for its address: rows of 128 bytes, swizzled, eight after eight.
/// Where rows are not along what is summed over, `leading` bytes lead from those of 64 columns to those of the next.
pub(crate) fn descriptor(leading: Option<usize>) -> u64 {
    const SWIZZLE_128: u64 = 1 << 62;
    let leading = leading.map_or(1, |bytes| bytes as u64 >> 4);
    SWIZZLE_128 | (EIGHT_ROWS >> 4) << 32 | leading << 16
}
