//! Phases, one after the other, give what the program gives at once.

use super::*;
use crate::cpu;
use crate::fuse::{Program, lower};
use crate::fuse::{Slot, Task};
use crate::layout::{Dims, Strides, row_major};

crate::fuse! {
    /// Two rounds of folds, an element that hangs on none, one that hangs on both, and a sum over rows.
    SAMPLE(x: element, w: row_scalar) -> (element, row_scalar, element, row_sum) {
        let e = exp(x);
        let mean = sum(e * w) / count();
        let apart = e - mean;
        let spread = sum(apart * apart);
        [e, spread, apart / sqrt(spread + 1.0), apart]
    }
}

const ROWS: usize = 3;
const LENGTH: usize = 5;
const FREE: Costs = Costs {
    step: |_, _| 0.0,
    byte: 1.0,
};
const DEAR: Costs = Costs {
    step: |_, _| 100.0,
    byte: 1.0,
};

fn typed(program: &Program) -> Typed {
    lower(program, &[DType::F64, DType::F64]).unwrap()
}

/// Runs the phases one after the other, and the program at once.
fn both(program: &Typed, phases: &Phases) -> [Vec<Vec<f64>>; 2] {
    let cpu = cpu();
    let (outer, row): (Dims, Dims) = ([ROWS].into_iter().collect(), [LENGTH].into_iter().collect());
    let mut x: Vec<f64> = (0..ROWS * LENGTH).map(|k| k as f64 * 0.1 - 0.7).collect();
    let mut w: Vec<f64> = vec![0.5, 1.0, 1.5];
    let room = |memory: &mut Vec<f64>, level: Level| -> Slot {
        let of = |lengths: &[usize], on: bool| -> Strides {
            match on {
                true => row_major(lengths),
                false => lengths.iter().map(|_| 0).collect(),
            }
        };
        let lane = level == Level::Lane;
        let step = if lane { LENGTH as isize } else { 1 };
        Slot {
            address: memory.as_mut_ptr().cast(),
            outer: of(&outer, true).iter().map(|s| s * step).collect(),
            row: of(&row, lane),
        }
    };
    let inputs = vec![room(&mut x, Level::Lane), room(&mut w, Level::Row)];
    let whole = || vec![vec![0.0; ROWS * LENGTH]; 4];
    // Where rows are summed one by one, a sum has each of its terms.
    let results = |memory: &mut Vec<Vec<f64>>| -> Vec<Slot> {
        let roles = program.outputs.iter().map(|o| o.role);
        let level = |role: Yield| match role {
            Yield::RowScalar => Level::Row,
            _ => Level::Lane,
        };
        memory
            .iter_mut()
            .zip(roles)
            .map(|(m, role)| room(m, level(role)))
            .collect()
    };
    let (mut want, mut got) = (whole(), whole());
    let run = |task: Task<'_>| {
        // SAFETY: the slots name vectors of this function, with room for their axes.
        unsafe { cpu.run(&task) }.unwrap();
    };
    run(Task {
        program,
        outer: outer.clone(),
        row: row.clone(),
        inputs: inputs.clone(),
        outputs: results(&mut want),
        params: &[],
    });
    let outputs = results(&mut got);
    let mut memory: Vec<Vec<f64>> = phases
        .temporaries
        .iter()
        .map(|_| vec![0.0; ROWS * LENGTH])
        .collect();
    let levels = phases.temporaries.iter().map(|t| t.level);
    let temporaries: Vec<Slot> = memory
        .iter_mut()
        .zip(levels)
        .map(|(m, level)| room(m, level))
        .collect();
    for phase in &phases.phases {
        let slot = |place: &Place| match *place {
            Place::Input(k) => inputs[usize::from(k)].clone(),
            Place::Output(o) => outputs[o].clone(),
            Place::Temporary(t) => temporaries[t].clone(),
        };
        let columns = phase.sweep == Sweep::Columns;
        let turned = |slot: Slot| match columns {
            true => Slot {
                outer: slot.row,
                row: slot.outer,
                ..slot
            },
            false => slot,
        };
        let axes = match columns {
            true => (row.clone(), outer.clone()),
            false => (outer.clone(), row.clone()),
        };
        let still = |slot: Slot| match columns {
            true => Slot {
                row: [0].into_iter().collect(),
                ..slot
            },
            false => slot,
        };
        run(Task {
            program: &phase.program,
            outer: axes.0,
            row: axes.1,
            inputs: phase.inputs.iter().map(slot).map(turned).collect(),
            outputs: (phase.outputs.iter().map(slot))
                .map(turned)
                .map(still)
                .collect(),
            params: &[],
        });
    }
    // The sum over rows of what was asked for row by row.
    for k in 0..LENGTH {
        want[3][k] = (0..ROWS).map(|r| want[3][r * LENGTH + k]).sum();
    }
    [want, got]
}

/// What the phases give is what the program does.
fn same(program: &Typed, phases: &Phases) {
    let [want, got] = both(program, phases);
    for (k, (want, got)) in want.iter().zip(&got).enumerate() {
        let count = match k {
            1 => ROWS,
            3 => LENGTH,
            _ => ROWS * LENGTH,
        };
        for (want, got) in want[..count].iter().zip(&got[..count]) {
            // Sums of at most 15 terms, in another order.
            let bound = 64.0 * f64::EPSILON * want.abs().max(1.0);
            assert!((want - got).abs() <= bound, "{k}: {got} for {want}");
        }
    }
}

#[test]
fn phases_compute_what_the_program_does() {
    let program = typed(&SAMPLE);
    let last = Phases::with_sums_last(&program, LENGTH, FREE).unwrap();
    assert_eq!(last.phases.len(), 2);
    same(&program, &last);
    for costs in [FREE, DEAR] {
        for early in [true, false] {
            let phases = Phases::of(&program, LENGTH, early, costs).unwrap();
            same(&program, &phases);
        }
    }
}

#[test]
fn dear_elements_are_stored_and_others_computed_again() {
    let program = typed(&SAMPLE);
    let of_elements = |costs: Costs, early: bool| {
        let phases = Phases::of(&program, LENGTH, early, costs).unwrap();
        let all = phases.temporaries.iter();
        all.filter(|t| t.level == Level::Lane).count()
    };
    assert_eq!(of_elements(FREE, false), 0);
    assert!(of_elements(DEAR, false) > 0);
    let phases = Phases::of(&program, LENGTH, true, FREE).unwrap();
    let sweeps: Vec<Sweep> = phases.phases.iter().map(|p| p.sweep).collect();
    assert_eq!(
        sweeps,
        [Sweep::Rows, Sweep::Rows, Sweep::Columns, Sweep::Elements]
    );
    // The exponential hangs on no fold, so the first reading writes it.
    assert!(phases.phases[0].outputs.contains(&Place::Output(0)));
}

crate::fuse! {
    /// Elements about their mean.
    CENTRED(x: element) -> (element, row_scalar) {
        let mean = sum(x) / count();
        [x - mean, mean]
    }
}

#[test]
fn sums_of_complex_numbers_are_as_those_of_floats() {
    for dtype in [DType::F64, DType::C64, DType::C128] {
        let program = lower(&CENTRED, &[dtype]).unwrap();
        let phases = Phases::of(&program, LENGTH, true, FREE).unwrap();
        let sweeps: Vec<Sweep> = phases.phases.iter().map(|p| p.sweep).collect();
        assert_eq!(sweeps, [Sweep::Rows, Sweep::Elements], "{dtype}");
        assert_eq!(phases.phases[0].outputs[0], Place::Output(1), "{dtype}");
    }
}
