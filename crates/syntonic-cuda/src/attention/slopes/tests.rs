//! Kernels of slopes, for the tests of texts.

use super::super::scores::Scores;
use super::super::tile_text::Stored;
use super::kernel::{Gives, Kernel};
use syntonic_core::DType;

/// Every kind of them over plain scores.
pub(in super::super) fn kernels(
    widths: &[(usize, usize)],
    scores: impl Fn(bool) -> Scores,
) -> Vec<Kernel> {
    let mut all = Vec::new();
    for &(depth, width) in widths {
        for causal in [false, true] {
            let of_keys = Gives::of_keys(depth, width);
            for &gives in of_keys.iter().chain(&[Gives::Queries]) {
                all.push(Kernel {
                    scores: scores(causal),
                    gives,
                    dtype: DType::BF16,
                    depth,
                    width,
                    stored: [Stored::Pairs, Stored::Sums],
                });
            }
        }
    }
    all
}

#[test]
fn blocks_have_room() {
    let plain = |causal| Scores {
        form: crate::codegen::form::Form::copy(DType::F32),
        kinds: Vec::new(),
        plain: true,
        causal,
    };
    for kernel in kernels(&[(16, 16), (128, 128), (256, 256)], plain) {
        let room = kernel.room();
        assert!(room.stages >= 1 && room.size <= 227 << 10, "{room:?}");
    }
}
