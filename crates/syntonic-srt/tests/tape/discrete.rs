//! Inference over discrete states, by beliefs and by the numbers of the model; and estimates that count, which have no gradient.

use crate::difference::{Row, positive, row, rows_of, spread};
use syntonic_core::{Result, Tensor};
use syntonic_srt::exact::{GoldenTensorError, snap_tensor};
use syntonic_srt::infer::discrete::{
    DiscreteModel, Sweeps, action_marginals, expected_free_energy, infer_states, policies,
    policy_posterior, predict_states,
};
use syntonic_srt::transfer_entropy::{
    Estimator, Histories, ksg_counts, ksg_distances, mutual_information, transfer_entropy,
    transfer_entropy_matrix,
};

fn chances(shape: &[usize], seed: usize) -> Tensor {
    positive(shape, seed).softmax(-1).unwrap()
}

/// Two modalities, factors of 2 and 3 states, two actions on the first, of numbers that become distributions.
fn model_of(v: &[Tensor]) -> Result<DiscreteModel> {
    let [seen, heard, moves, likes, begins] = v else {
        panic!("the numbers of a model are five tensors");
    };
    let stay = Tensor::eye(3, seen.dtype())?.expand_dims(&[-1])?;
    let initial = [begins.softmax(-1)?, chances(&[3], 9)];
    DiscreteModel::new(
        &[seen.softmax(0)?, heard.softmax(0)?],
        &[moves.softmax(0)?, stay],
        Some(&[likes.clone(), spread(&[3], 8)]),
        Some(&initial),
    )
}

/// Outcomes tell something about states, or their information gain would be at its corner at zero.
fn numbers() -> Vec<Tensor> {
    let uneven = |shape: &[usize], seed| {
        let x = spread(shape, seed).square().unwrap();
        x.try_mul(3.0).unwrap()
    };
    vec![
        uneven(&[2, 2, 3], 0),
        uneven(&[3, 2, 3], 1),
        uneven(&[2, 2, 2], 2),
        spread(&[2], 3),
        spread(&[2], 4),
    ]
}

/// As many sweeps whatever the numbers are.
const SWEEPS: Sweeps = Sweeps {
    most: 5,
    tolerance: 0.0,
};

fn inferred(
    model: &DiscreteModel,
    seen: &[Tensor],
    prior: Option<&[Tensor]>,
) -> Result<Vec<Tensor>> {
    let found = infer_states(model, seen, prior, SWEEPS)?;
    let energy = found.free_energy;
    let parts = [energy.free_energy, energy.complexity, energy.accuracy];
    Ok(found.beliefs.into_iter().chain(parts).collect())
}

pub(crate) fn rows() -> Vec<Row> {
    let fixed = || model_of(&numbers());
    let outcomes = || [Tensor::from([0, 1]), Tensor::from([2, 0])];
    let beliefs = || vec![chances(&[2, 2], 5), chances(&[2, 3], 6)];
    vec![
        rows_of("infer_states", beliefs(), move |v| {
            inferred(&fixed()?, &outcomes(), Some(v))
        }),
        rows_of(
            "infer_states",
            vec![chances(&[2, 2], 5), chances(&[2, 3], 6)],
            move |v| inferred(&fixed()?, v, None),
        ),
        rows_of("infer_states", numbers(), move |v| {
            inferred(&model_of(v)?, &outcomes(), None)
        }),
        // One factor, whose posterior is exact.
        rows_of(
            "infer_states",
            vec![chances(&[2], 5), spread(&[3, 2], 6)],
            |v| {
                let stay = Tensor::eye(2, v[0].dtype())?.expand_dims(&[-1])?;
                let model = DiscreteModel::new(&[v[1].softmax(0)?], &[stay], None, None)?;
                inferred(&model, &[Tensor::from([0, 2, 1])], Some(&v[..1]))
            },
        ),
        rows_of("predict_states", beliefs(), move |v| {
            predict_states(&fixed()?, v, &Tensor::from([[0, 0], [1, 0]]))
        }),
        rows_of("predict_states", numbers(), move |v| {
            let next = predict_states(&model_of(v)?, &beliefs(), &Tensor::from([1, 0]))?;
            // The second factor stays where it is.
            Ok(next.into_iter().take(1).collect())
        }),
        rows_of("expected_free_energy", beliefs(), move |v| {
            valued(&fixed()?, v)
        }),
        rows_of("expected_free_energy", numbers(), move |v| {
            valued(&model_of(v)?, &beliefs())
        }),
        rows_of("action_marginals", vec![chances(&[2, 4], 7)], move |v| {
            let model = fixed()?;
            let all = action_marginals(&model, &v[0], &policies(&model, 2)?)?;
            Ok(all.into_iter().take(1).collect())
        }),
        row(
            "policy_posterior",
            vec![spread(&[2, 3], 0), spread(&[3], 1)],
            |v| policy_posterior(&v[0], 2.0, Some(&v[1].softmax(-1)?)),
        ),
    ]
}

fn valued(model: &DiscreteModel, beliefs: &[Tensor]) -> Result<Vec<Tensor>> {
    let values = expected_free_energy(model, beliefs, &policies(model, 2)?)?;
    Ok(vec![
        values.negative_efe,
        values.utility,
        values.information_gain,
    ])
}

pub(crate) fn refusals() -> Vec<Row> {
    let two = || vec![spread(&[40], 0), spread(&[40], 1)];
    let (histories, estimator) = (Histories::default, Estimator::default);
    vec![
        rows_of("mutual_information", two(), move |v| {
            mutual_information(&v[0], &v[1], None, &estimator())?;
            Ok(Vec::new())
        }),
        rows_of("transfer_entropy", two(), move |v| {
            transfer_entropy(&v[0], &v[1], None, histories(), &estimator())?;
            Ok(Vec::new())
        }),
        rows_of(
            "transfer_entropy_matrix",
            vec![spread(&[2, 40], 0)],
            move |v| {
                transfer_entropy_matrix(&v[0], histories(), &estimator())?;
                Ok(Vec::new())
            },
        ),
        row("ksg_distances", two(), |v| {
            ksg_distances(&v[0], &v[1], None, 3, 0)
        }),
        row("ksg_counts", vec![positive(&[40], 2)], |v| {
            ksg_counts(&spread(&[40], 0), &spread(&[40], 1), None, &v[0], 0)
        }),
        rows_of("snap_tensor", two(), |v| match snap_tensor(&v[0], 100) {
            Ok(made) => Ok(vec![made.residual]),
            Err(GoldenTensorError::Tensor(e)) => Err(e),
            Err(other) => panic!("{other}"),
        }),
    ]
}
