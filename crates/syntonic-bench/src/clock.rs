//! The measurement of one row on this side: every timed result forced and checked.

use std::time::Instant;

use anyhow::{Result, ensure};
use syntonic_core::Tensor;

use crate::cases::Prepared;
use crate::list::Row;

/// A sample of a short call repeats it for about this long.
const SAMPLE_US: f64 = 200.0;
const LONGEST_BLOCK: usize = 60;

/// How much time a row may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    rounds: usize,
    block_us: f64,
}

impl Effort {
    /// For `--quick`.
    pub const QUICK: Effort = Effort {
        rounds: 3,
        block_us: 15e3,
    };
    /// For the record.
    pub const FULL: Effort = Effort {
        rounds: 7,
        block_us: 40e3,
    };
}

/// Times of single calls, and the largest error seen.
#[derive(Clone, Debug)]
pub struct Times {
    /// Microseconds, one for each sample.
    pub samples_us: Vec<f64>,
    /// The median of each round.
    pub rounds_us: Vec<f64>,
    /// The largest error of a timed result.
    pub error: f64,
}

/// Copies of the inputs that make up more than four times the last-level cache; one if they stay in it.
pub fn rotation(row: &Row, inputs: &[Tensor], cache_bytes: u64) -> Result<Vec<Vec<Tensor>>> {
    let bytes: usize = inputs.iter().map(|t| t.numel() * t.dtype().size()).sum();
    let count = if row.resident || bytes == 0 {
        1
    } else {
        4 * cache_bytes as usize / bytes + 2
    };
    let copy = |_| inputs.iter().map(Tensor::copy).collect();
    Ok((0..count).map(copy).collect::<syntonic_core::Result<_>>()?)
}

/// Runs a case round after round.
pub fn measure(row: &Row, prepared: &Prepared, cache_bytes: u64, effort: Effort) -> Result<Times> {
    let sets = rotation(row, &prepared.inputs, cache_bytes)?;
    let mut turn = sets.iter().cycle();
    let mut call = |repeats: usize| -> Result<(f64, Tensor)> {
        let inputs = turn.next().map_or(&[][..], Vec::as_slice);
        timed(prepared, inputs, repeats)
    };
    call(1)?;
    let (mut estimate, mut last) = call(1)?;
    if estimate < SAMPLE_US / 4.0 {
        (estimate, last) = call(20)?;
    }
    let mut error = prepared.oracle.whole(&last, prepared.rounding)?;
    let repeats = repeats(estimate);
    let (mut samples_us, mut rounds_us) = (Vec::new(), Vec::new());
    for _ in 0..effort.rounds {
        let (mut block, mut spent) = (Vec::new(), 0.0);
        while spent < effort.block_us && block.len() < LONGEST_BLOCK {
            let (time, result) = call(repeats)?;
            error = error.max(prepared.oracle.glance(&result, prepared.rounding)?);
            spent += time * repeats as f64;
            block.push(time);
            last = result;
        }
        rounds_us.push(median(&block));
        samples_us.extend(block);
        // A long call needs no second round.
        if estimate > 4.0 * effort.block_us && rounds_us.len() >= 3 {
            break;
        }
    }
    error = error.max(prepared.oracle.whole(&last, prepared.rounding)?);
    ensure!(!samples_us.is_empty(), "nothing was measured");
    Ok(Times {
        samples_us,
        rounds_us,
        error,
    })
}

/// Microseconds of one call among `repeats`, and the last result.
fn timed(prepared: &Prepared, inputs: &[Tensor], repeats: usize) -> Result<(f64, Tensor)> {
    let start = Instant::now();
    for _ in 1..repeats {
        std::hint::black_box((prepared.work)(std::hint::black_box(inputs))?.eval()?);
    }
    let result = (prepared.work)(inputs)?.eval()?;
    let elapsed = start.elapsed().as_nanos() as f64 / 1e3;
    Ok((elapsed / repeats as f64, result))
}

fn repeats(estimate: f64) -> usize {
    if estimate >= SAMPLE_US / 4.0 {
        return 1;
    }
    (SAMPLE_US / estimate.max(1e-3)) as usize
}

/// The middle of some numbers; NaN if there are none.
pub fn median(values: &[f64]) -> f64 {
    quantile(values, 0.5)
}

/// The number below which a part of the values lies; NaN if there are none.
pub fn quantile(values: &[f64], part: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = part * last as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Oracle;

    #[test]
    fn quantiles_of_few_numbers() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0]), 2.5);
        assert_eq!(quantile(&[0.0, 1.0, 2.0, 3.0, 4.0], 0.25), 1.0);
        assert!(median(&[]).is_nan());
    }

    fn row(resident: &str) -> Row {
        let text = format!(
            r#"{{"suite":"core","case":"add","dtype":"float64","size":[1024],"resident":{resident},
                "floor":{{"bytes":1,"flops":1}},"impls":["syntonic"],"quick":true}}"#
        );
        serde_json::from_str(&text).unwrap()
    }

    fn doubled(factor: f64) -> Prepared {
        Prepared {
            inputs: vec![Tensor::ones(&[1024], syntonic_core::DType::F64).unwrap()],
            work: Box::new(|inputs| Ok(inputs[0].copy()?)),
            oracle: Oracle::exact(vec![factor; 1024]),
            rounding: 0.0,
        }
    }

    #[test]
    fn inputs_rotate_through_more_than_four_caches_unless_resident() {
        let inputs = doubled(1.0).inputs;
        let sets = rotation(&row("false"), &inputs, 1 << 16).unwrap();
        assert!(sets.len() * 8192 > 4 << 16);
        assert_eq!(rotation(&row("true"), &inputs, 1 << 16).unwrap().len(), 1);
    }

    #[test]
    fn a_wrong_result_is_an_error_and_not_a_time() {
        let effort = Effort {
            rounds: 2,
            block_us: 300.0,
        };
        let times = measure(&row("true"), &doubled(1.0), 1 << 16, effort).unwrap();
        assert!(times.rounds_us.len() == 2 && times.samples_us[0] > 0.0);
        assert!(measure(&row("true"), &doubled(2.0), 1 << 16, effort).is_err());
    }
}
