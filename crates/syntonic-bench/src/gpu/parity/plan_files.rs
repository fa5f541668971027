//! Launches of plans in files: what is read back runs as what was written, and what is damaged does not.

use super::Check;
use super::pipelines::taken;
use crate::gpu::{Gpu, finite};
use anyhow::{Context as _, Result, ensure};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::path::Path;
use syntonic_core::pipeline::{Mode, Plan};
use syntonic_core::{DType, Tensor, stages};

stages! {
    /// Half the length of a product, squared.
    struct Energy(a: [m, n], x: [n]) -> (y, e) {
        #[stage(1)] y: [m] = product(a, x);
        #[stage(2, reduction = sum)] e: [] = |y| 0.5 * (y * y);
    }
}

stages! {
    /// Another plan.
    struct Length(a: [m, n], x: [n]) -> (y, e) {
        #[stage(1)] y: [m] = product(a, x);
        #[stage(2, reduction = sum)] e: [] = |y| y * y;
    }
}

pub(super) fn checks() -> Vec<Check> {
    let types = [DType::F32, DType::F64];
    let check = |dtype| {
        Check::new(format!("pipelines/file/{dtype}"), move |gpu| {
            file(gpu, dtype)
        })
    };
    types.map(check).into()
}

/// A file with 1 where it has 1/2 as a number of its own, of which `float32` has two in a word.
fn doubled(text: &str) -> String {
    let single = [0.5f32, 1.0].map(|x| u64::from(x.to_bits()) << 32 | u64::from(x.to_bits()));
    let double = [0.5f64, 1.0].map(f64::to_bits);
    [single, double]
        .iter()
        .fold(text.to_owned(), |text, numbers| {
            let [half, one] = numbers.map(|bits| format!("\"same\": {bits}\n"));
            text.replace(&half, &one)
        })
}

fn file(gpu: &Gpu, dtype: DType) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("syntonic-plan-{}-{dtype}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let checked = files(gpu, dtype, &folder);
    fs::remove_dir_all(&folder)?;
    checked
}

fn files(gpu: &Gpu, dtype: DType, folder: &Path) -> Result<()> {
    let path = folder.join("energy.ptx");
    let given = [finite(dtype, &[33, 70], 1)?, finite(dtype, &[70], 2)?];
    let given: Vec<&Tensor> = given.iter().collect();
    let there = taken(gpu, &given)?;
    let there: Vec<&Tensor> = there.iter().collect();
    let plan = Energy::plan();
    let run = |plan: &Plan| -> Result<Vec<f64>> {
        let values = plan.run(&there, Mode::Fused)?;
        let all = values.iter().map(|t| t.cast(DType::F64)?.to_vec::<f64>());
        Ok(all.collect::<syntonic_core::Result<Vec<_>>>()?.concat()) // few: a small operand's.
    };
    plan.save(&there, &path)?;
    let text = fs::read_to_string(&path)?;
    for part in [
        "\"sm_",
        "\"multiply\"",
        "\"sum\"",
        &plan.digest(),
        ".entry jit_steps_",
    ] {
        ensure!(text.contains(part), "{part} is missing in:\n{text}");
    }
    let device = there[0].device();
    let loaded = |path: &Path| -> syntonic_core::Result<Plan> {
        // A plan that knows of no run.
        let plan = plan.clone();
        // SAFETY: the file is the one of this check.
        unsafe { plan.load(path, device)? };
        Ok(plan)
    };
    let want = run(plan)?;
    let read = loaded(&path).context("as it was written")?;
    ensure!(run(&read)? == want, "a launch that was read has other bits");
    // What a plan has read, it writes again.
    let again = folder.join("again.ptx");
    read.save(&there, &again)?;
    ensure!(fs::read_to_string(&again)? == text, "it wrote another file");

    // A file that somebody changed, with its sum, is what runs.
    let (line, rest) = text.split_once('\n').context("no first line")?;
    let (form, _) = line.rsplit_once(' ').context("no sum")?;
    let rest = doubled(rest);
    let sum: String = Sha256::digest(&rest)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    let changed = folder.join("changed.ptx");
    fs::write(&changed, format!("{form} {sum}\n{rest}"))?;
    let changed_values = run(&loaded(&changed).context("changed")?)?;
    let last = want.len() - 1;
    ensure!(
        changed_values[..last] == want[..last] && changed_values[last] == 2.0 * want[last],
        "the changed file did not run: {} for {}",
        changed_values[last],
        want[last]
    );
    // Without its sum it is damaged.
    fs::write(&changed, format!("{line}\n{rest}"))?;
    let refused = loaded(&changed).map(drop).unwrap_err().to_string();
    ensure!(refused.contains("its sum is another"), "{refused}");
    // SAFETY: as above.
    let refused = unsafe { Length::plan().load(&path, device) }.unwrap_err();
    ensure!(
        refused.to_string().contains("of the plan Energy"),
        "{refused}"
    );
    Ok(())
}
