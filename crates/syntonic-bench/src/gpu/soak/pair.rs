//! Two GPUs of one process: values on both, copies between them, and what must not be mixed.

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use syntonic_core::fuse::Prim;
use syntonic_core::ops::elementwise::apply;
use syntonic_core::ops::linalg::matmul;
use syntonic_core::ops::order::{self, Direction};
use syntonic_core::ops::reduce::{self, Over};
use syntonic_core::{Device, Tensor};
use syntonic_cuda::device_count;

use super::pair_collectives as collectives;
use crate::gpu::{Exactness, compare};

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Outcome {
    /// GPUs of the process.
    pub gpus: usize,
    /// What holds.
    pub passed: Vec<&'static str>,
    /// What does not, and why.
    pub failed: Vec<String>,
}

/// Both GPUs.
pub(super) struct Both {
    pub(super) first: Arc<dyn Device>,
    pub(super) second: Arc<dyn Device>,
}

/// A part of the outcome: looks, and says what is wrong.
type Look = fn(&Both) -> Result<()>;

/// Elements of the values that travel; their sum is exact in every order.
const ELEMENTS: usize = 1 << 20;
/// Turns of a thread, and of copies back and forth.
const TURNS: usize = 50;

/// Looks at the first two GPUs.
///
/// # Errors
/// Where there are not two.
pub fn pair() -> Result<Outcome> {
    let gpus = device_count();
    ensure!(
        gpus >= 2,
        "this process sees {gpus} GPUs, and two are needed"
    );
    let both = Both {
        first: syntonic_cuda::device(0)?,
        second: syntonic_cuda::device(1)?,
    };
    let looks: [(&'static str, Look); 11] = [
        ("values on both", values),
        ("copies between them", copies),
        ("a view crosses", views),
        ("operands on two are refused", refusal),
        ("a thread on each", threads),
        ("copies that do not wait", collectives::no_wait),
        ("to all of a group", collectives::to_all),
        ("of all of a group", collectives::of_all),
        ("reduced by a group", collectives::reduced),
        ("scattered and gathered", collectives::there_and_back),
        ("what a group refuses", collectives::refused),
    ];
    let mut outcome = Outcome {
        gpus,
        passed: Vec::new(),
        failed: Vec::new(),
    };
    for (name, look) in looks {
        match look(&both) {
            Ok(()) => outcome.passed.push(name),
            Err(error) => outcome.failed.push(format!("{name}: {error:#}")),
        }
    }
    Ok(outcome)
}

fn numbers() -> Result<Tensor> {
    let values = (0..ELEMENTS).map(|k| f64::from((k * 7 % 1024) as u32));
    Ok(Tensor::from_vec(
        values.collect(),
        &[1024, ELEMENTS / 1024],
    )?)
}

fn twice(x: &Tensor) -> Result<Tensor> {
    Ok(apply(Prim::Add, &[x.into(), x.into()])?.eval()?)
}

/// A map, a fold, a product, a sort, with values that are exact.
fn operators(x: &Tensor) -> Result<Vec<Tensor>> {
    let square = x.contiguous()?;
    Ok(vec![
        twice(x)?,
        reduce::sum(x, &Over::axes(&[1]), None)?.eval()?,
        matmul(&square, &square)?.eval()?,
        order::sort(x, -1, Direction::Descending)?.eval()?,
        x.transpose(0, 1)?.contiguous()?,
    ])
}

fn values(both: &Both) -> Result<()> {
    let host = numbers()?;
    let want = operators(&host)?;
    for device in [&both.second, &both.first, &both.second] {
        for (place, (ours, want)) in operators(&host.to(device)?)?.iter().zip(&want).enumerate() {
            compare(ours, want, Exactness::Same)
                .with_context(|| format!("operator {place} on {}", device.id()))?;
        }
    }
    Ok(())
}

/// Each copy is of a value that is still being computed on the other GPU.
fn copies(both: &Both) -> Result<()> {
    let host = numbers()?;
    let (mut there, mut here) = (host.to(&both.first)?, host);
    for turn in 0..TURNS {
        let target = if turn % 2 == 0 {
            &both.second
        } else {
            &both.first
        };
        let next = apply(Prim::Add, &[(&there).into(), 1.0.into()])?.eval()?;
        there = next.to(target)?;
        here = apply(Prim::Add, &[(&here).into(), 1.0.into()])?.eval()?;
    }
    compare(&there, &here, Exactness::Same)
}

fn views(both: &Both) -> Result<()> {
    let host = numbers()?;
    let view = |x: &Tensor| -> Result<Tensor> { Ok(x.transpose(0, 1)?.flip(&[0])?) };
    let crossed = view(&host.to(&both.second)?)?.to(&both.first)?;
    compare(&crossed, &view(&host)?.contiguous()?, Exactness::Same)
}

fn refusal(both: &Both) -> Result<()> {
    let host = numbers()?;
    let (a, b) = (host.to(&both.first)?, host.to(&both.second)?);
    let mixed = apply(Prim::Add, &[(&a).into(), (&b).into()]).and_then(|x| x.eval());
    let text = match mixed {
        Err(error) => error.to_string(),
        Ok(_) => bail!("operands on two GPUs were added"),
    };
    ensure!(text.contains("cuda:0") && text.contains("cuda:1"), "{text}");
    // Both are as they were.
    compare(&a, &host, Exactness::Same)?;
    compare(&b, &host, Exactness::Same)
}

fn threads(both: &Both) -> Result<()> {
    let host = numbers()?;
    let want = operators(&host)?;
    let work = |device: &Arc<dyn Device>| -> Result<()> {
        for _ in 0..TURNS {
            let ours = operators(&host.to(device)?)?;
            for (ours, want) in ours.iter().zip(&want) {
                compare(ours, want, Exactness::Same)?;
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads = [&both.first, &both.second].map(|device| scope.spawn(|| work(device)));
        for thread in threads {
            match thread.join() {
                Ok(done) => done?,
                Err(_) => bail!("a panic"),
            }
        }
        Ok(())
    })
}
