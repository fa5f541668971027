//! Attention, with scores of several forms.

use crate::difference::{Row, positive, row, spread};
use syntonic_core::{Result, Tensor};
use syntonic_srt::nn::{
    Attention, Positions, Weights, attention, attention_scored, golden_attention,
};

pub(crate) fn rows() -> Vec<Row> {
    let three = || {
        vec![
            spread(&[2, 3, 4], 0),
            spread(&[1, 5, 4], 1),
            spread(&[1, 5, 2], 2),
        ]
    };
    let with = |x: Tensor| three().into_iter().chain([x]).collect::<Vec<_>>();
    let mut all: Vec<Row> = [false, true]
        .map(|causal| {
            row("attention", three(), move |v| {
                let settings = Attention {
                    causal,
                    ..Attention::default()
                };
                attention(&v[0], &v[1], &v[2], settings)
            })
        })
        .into();
    all.push(row("attention", with(spread(&[3, 5], 3)), |v| {
        let settings = Attention {
            mask: Some(&v[3]),
            scale: Some(0.7),
            ..Attention::default()
        };
        attention(&v[0], &v[1], &v[2], settings)
    }));
    let shapes: [&[usize]; 4] = [&[], &[2, 1, 1], &[3, 1], &[2, 3, 5]];
    for shape in shapes {
        let near = |s: &Tensor, at: &Positions, operands: &[Tensor]| -> Result<Tensor> {
            let far = at.key.try_sub(&at.query)?.abs()?;
            s.tanh()?.try_sub(&operands[0].try_mul(&far)?)
        };
        all.push(row(
            "attention_scored",
            with(positive(shape, 4)),
            move |v| {
                let operands = [&v[3]];
                let settings = Attention {
                    operands: &operands,
                    causal: true,
                    ..Attention::default()
                };
                attention_scored(&v[0], &v[1], &v[2], near, settings)
            },
        ));
    }
    for kind in 0..3 {
        all.push(row("golden_attention", with(positive(&[5], 5)), move |v| {
            let weights = [
                Weights::ModeNorms(&v[3]),
                Weights::Log(&v[3]),
                Weights::Provided(&v[3]),
            ][kind];
            golden_attention(&v[0], &v[1], &v[2], weights, 0.5, Attention::default())
        }));
    }
    all
}
