//! Layers, states and free energies.

use crate::difference::{Row, complex, positive, row, rows_of, spread};
use syntonic_core::{Error, Tensor};
use syntonic_srt::golden::{self, Sign};
use syntonic_srt::nn::{
    self, Activation, AllMasked, BatchNorm, Channels, LayerNorm, Mode, Softmax, Weights,
};
use syntonic_srt::optim::{self, Adam, Optimizer};
use syntonic_srt::resonant::lattice::{Flux, ResonantError, States};
use syntonic_srt::resonant::{self, Noise};
use syntonic_srt::{geometry, infer};

pub(crate) fn rows() -> Vec<Row> {
    [
        norms(),
        softmaxes(),
        residuals(),
        backward(),
        states(),
        energies(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn norms() -> Vec<Row> {
    let three = || vec![spread(&[2, 4], 0), positive(&[4], 1), spread(&[4], 2)];
    let planes = BatchNorm::golden(Channels::Planes);
    let batch = || vec![spread(&[2, 3, 1, 2], 0), positive(&[3], 1), spread(&[3], 2)];
    vec![
        row("layer_norm", three(), |v| {
            nn::layer_norm(&v[0], Some((&v[1], &v[2])), LayerNorm::default())
        }),
        row("layer_norm", vec![spread(&[3], 0)], |v| {
            nn::layer_norm(&v[0], None, LayerNorm::default())
        }),
        rows_of("batch_norm", batch(), move |v| {
            let (y, stats) = nn::batch_norm(&v[0], Some((&v[1], &v[2])), planes)?;
            Ok(vec![y, stats.mean, stats.var])
        }),
        rows_of("batch_norm", vec![spread(&[4, 2], 0)], |v| {
            let (y, stats) = nn::batch_norm(&v[0], None, BatchNorm::golden(Channels::Features))?;
            Ok(vec![y, stats.mean, stats.var])
        }),
        row("batch_norm_eval", batch(), move |v| {
            nn::batch_norm_eval(&v[0], (&v[2], &v[1]), Some((&v[1], &v[2])), planes)
        }),
        row("golden_gelu", vec![spread(&[2, 3], 0)], |v| {
            nn::golden_gelu(&v[0])
        }),
    ]
}

fn softmaxes() -> Vec<Row> {
    let mut all = Vec::new();
    for (axis, all_masked) in [(0, AllMasked::Nan), (-1, AllMasked::Zero)] {
        let settings = Softmax {
            axis,
            scale: 0.7,
            all_masked,
        };
        let per_class = [3, 4][usize::from(axis != 0)];
        let x = || spread(&[3, 4], 0);
        all.push(row("syntonic_softmax", vec![x()], move |v| {
            nn::syntonic_softmax(&v[0], Weights::Identity, settings)
        }));
        all.push(row(
            "syntonic_softmax",
            vec![x(), positive(&[3, 4], 1)],
            move |v| nn::syntonic_softmax(&v[0], Weights::Provided(&v[1]), settings),
        ));
        all.push(row(
            "syntonic_softmax",
            vec![x(), positive(&[per_class], 1)],
            move |v| nn::syntonic_softmax(&v[0], Weights::ModeNorms(&v[1]), settings),
        ));
        all.push(row(
            "syntonic_softmax",
            vec![x(), spread(&[per_class], 1)],
            move |v| nn::syntonic_softmax(&v[0], Weights::Log(&v[1]), settings),
        ));
    }
    all
}

fn residuals() -> Vec<Row> {
    let mut all = Vec::new();
    for mode in [Mode::Phi, Mode::PhiSymmetric, Mode::Standard] {
        for activation in [Activation::None, Activation::Relu, Activation::Gelu] {
            let two = vec![spread(&[2, 3], 0), spread(&[2, 3], 1)];
            all.push(row("phi_residual", two, move |v| {
                nn::phi_residual(&v[0], &v[1], mode, activation)
            }));
            let four = vec![
                spread(&[2, 3], 0),
                spread(&[2, 3], 1),
                positive(&[3], 2),
                spread(&[3], 3),
            ];
            all.push(row("phi_residual_layer_norm", four, move |v| {
                nn::phi_residual_layer_norm(&v[0], &v[1], mode, activation, &v[2], &v[3], 1e-5)
            }));
        }
    }
    all
}

/// The layers' gradients, which are operators themselves.
fn backward() -> Vec<Row> {
    let two = || vec![spread(&[2, 3], 0), spread(&[2, 3], 1)];
    let three = || vec![spread(&[2, 3], 0), spread(&[2, 3], 1), spread(&[2, 3], 2)];
    vec![
        rows_of("clip_by_global_norm", two(), |v| {
            let (mut all, length) = optim::clip_by_global_norm(v, 0.5)?;
            all.push(length);
            Ok(all)
        }),
        rows_of(
            "Optimizer::update",
            vec![
                spread(&[2, 3], 0),
                spread(&[2, 3], 1),
                spread(&[2, 3], 2),
                positive(&[2, 3], 3),
            ],
            |v| {
                let adam = Optimizer::from(Adam::decoupled());
                let made = adam.update(3, 0.1, &v[0], &v[1], &v[2..])?;
                Ok(made.moments.into_iter().chain([made.parameter]).collect())
            },
        ),
        row("golden_gelu_backward", two(), |v| {
            nn::golden_gelu_backward(&v[0], &v[1])
        }),
        row(
            "layer_norm_backward",
            vec![spread(&[2, 3], 0), spread(&[2, 3], 1), positive(&[3], 2)],
            |v| Ok(nn::layer_norm_backward(&v[0], &v[1], Some(&v[2]), LayerNorm::default())?.x),
        ),
        row(
            "batch_norm_backward",
            vec![spread(&[4, 2], 0), spread(&[4, 2], 1), positive(&[2], 2)],
            |v| {
                let settings = BatchNorm::golden(Channels::Features);
                Ok(nn::batch_norm_backward(&v[0], &v[1], Some(&v[2]), None, settings)?.x)
            },
        ),
        row("syntonic_softmax_backward", two(), |v| {
            nn::syntonic_softmax_backward(&v[0], &v[1], -1)
        }),
        row(
            "syntonic_softmax_gradients",
            vec![spread(&[2, 3], 0), spread(&[2, 3], 1), spread(&[3], 2)],
            |v| {
                let weights = Weights::Log(&v[2]);
                Ok(nn::syntonic_softmax_gradients(&v[0], &v[1], weights, Softmax::default())?.x)
            },
        ),
        row("phi_residual_backward", three(), |v| {
            Ok(nn::phi_residual_backward(&v[0], &v[1], &v[2], Mode::Phi, Activation::Gelu)?.x)
        }),
        row(
            "phi_residual_layer_norm_backward",
            vec![
                spread(&[2, 3], 0),
                spread(&[2, 3], 1),
                spread(&[2, 3], 2),
                positive(&[3], 3),
            ],
            |v| {
                let (mode, activation) = (Mode::Phi, Activation::Gelu);
                let made = nn::phi_residual_layer_norm_backward(
                    &v[0], &v[1], &v[2], mode, activation, &v[3], 1e-5,
                )?;
                Ok(made.x)
            },
        ),
    ]
}

fn states() -> Vec<Row> {
    let mut all = Vec::new();
    for psi in [spread(&[2, 3], 0), complex(&[2, 3], 0)] {
        all.push(row("syntony", vec![psi.clone(), positive(&[3], 1)], |v| {
            resonant::syntony(&v[0], &v[1])
        }));
        all.push(row(
            "differentiate",
            vec![
                psi.clone(),
                positive(&[3], 1),
                positive(&[2], 2),
                spread(&[2, 3], 3),
            ],
            |v| {
                let noise = Noise {
                    values: &v[3],
                    strength: 0.5,
                };
                resonant::differentiate(&v[0], &v[1], &v[2], Some(noise))
            },
        ));
        all.push(row(
            "harmonize",
            vec![psi.clone(), positive(&[3], 1), positive(&[2], 2)],
            |v| resonant::harmonize(&v[0], &v[1], &v[2]),
        ));
        all.push(rows_of("cycle", vec![psi, positive(&[3], 1)], |v| {
            let (next, s) = resonant::cycle(&v[0], &v[1], None)?;
            Ok(vec![next, s])
        }));
    }
    all.push(row("golden_weights", vec![positive(&[4], 0)], |v| {
        resonant::golden_weights(&v[0])
    }));
    all.push(row("deficits", vec![positive(&[2, 3], 0)], |v| {
        golden::deficits(&v[0])
    }));
    all.push(row("factors", vec![positive(&[2, 3], 0)], |v| {
        golden::factors(&v[0], Sign::Minus)
    }));
    let two = || vec![positive(&[2, 3], 0), positive(&[3], 1)];
    all.push(row("ratios", two(), |v| golden::ratios(&v[0], &v[1])));
    all.push(row("compounds", two(), |v| golden::compounds(&v[0], &v[1])));
    all.push(rows_of(
        "flux",
        vec![spread(&[2, 3], 0), spread(&[2, 3], 1)],
        |v| {
            flux_forms(&v[0], &v[1]).map_err(|e| match e {
                ResonantError::Tensor(e) => e,
                other => Error::value("flux", other.to_string()),
            })
        },
    ));
    // All within the cone.
    all.push(row("cone_weights", vec![spread(&[2, 8], 0)], |v| {
        geometry::cone_weights(&v[0], -100.0)
    }));
    all.push(rows_of("project", vec![spread(&[2, 8], 0)], |v| {
        let made = geometry::project(&v[0])?;
        Ok(vec![made.parallel, made.perpendicular, made.form])
    }));
    all
}

fn energies() -> Vec<Row> {
    let x = |k: usize| spread(&[2, 3], k);
    let p = |k: usize| positive(&[2, 3], k);
    let chances = |k: usize| positive(&[2, 3], k).softmax(-1).unwrap();
    let beliefs = || {
        vec![
            x(0),
            x(1),
            p(2),
            p(3),
            spread(&[2, 2], 4),
            spread(&[2, 2], 5),
            positive(&[2, 2], 6),
        ]
    };
    let energy = |v: &[Tensor], jacobian: Option<&Tensor>| {
        let evidence = infer::Evidence {
            observation: &v[4],
            prediction: &v[5],
            precision: &v[6],
            jacobian,
        };
        let made = infer::free_energy(&v[0], &v[1], &v[2], &v[3], evidence)?;
        Ok(vec![made.free_energy, made.complexity, made.accuracy])
    };
    let with_jacobian = beliefs().into_iter().chain([spread(&[2, 3], 7)]).collect();
    vec![
        row("accuracy", vec![x(0), x(1), p(2)], |v| {
            infer::accuracy(&v[0], &v[1], &v[2])
        }),
        row("expected_accuracy", vec![x(0), x(1), p(2), p(3)], |v| {
            infer::expected_accuracy(&v[0], &v[1], &v[2], &v[3])
        }),
        row("kl_divergence", vec![x(0), x(1), p(2), p(3)], |v| {
            infer::kl_divergence(&v[0], &v[1], &v[2], &v[3])
        }),
        row(
            "categorical_kl_divergence",
            vec![chances(0), chances(1)],
            |v| infer::categorical_kl_divergence(&v[0], &v[1]),
        ),
        rows_of(
            "categorical_free_energy",
            vec![chances(0), chances(1), x(2)],
            |v| {
                let made = infer::categorical_free_energy(&v[0], &v[1], &v[2])?;
                Ok(vec![made.free_energy, made.complexity, made.accuracy])
            },
        ),
        rows_of("free_energy", beliefs(), move |v| energy(v, None)),
        rows_of("free_energy", with_jacobian, move |v| {
            energy(v, Some(&v[7]))
        }),
        row("policy_posterior", vec![x(0)], |v| {
            infer::discrete::policy_posterior(&v[0], 2.0, None)
        }),
    ]
}

pub(crate) fn refusals() -> Vec<Row> {
    vec![row(
        "belief_update",
        vec![spread(&[3], 0), spread(&[2, 3], 1)],
        |v| {
            let seen = positive(&[2], 2);
            let model = infer::Model {
                jacobian: &v[1],
                reference: None,
                prior: None,
            };
            let stepping = infer::Stepping {
                rate: 1e-3,
                steps: 2,
                tolerance: 0.0,
                history: infer::History::Last,
            };
            infer::belief_update(&v[0], &seen, &seen, model, stepping).map(|made| made.mean)
        },
    )]
}

/// Steps of a flux: syntony, D and H, sums, products, a softmax by its modes, and elements in other places.
fn flux_forms(x: &Tensor, y: &Tensor) -> Result<Vec<Tensor>, ResonantError> {
    let (x, y) = (Flux::new(x, None)?, Flux::new(y, None)?);
    let s = x.syntony()?;
    let moved = x.differentiate(&s, None)?.harmonize(&s)?;
    let sum = moved.plus(&y)?.minus(&x.negated()?)?.times(y.values())?;
    let turned = sum.syntonic_softmax()?.permute(&[1, 0])?;
    let joined = Flux::stack(&[&turned.reshape(&[2, 3])?, &turned.reshape(&[2, 3])?], 1)?;
    let made = joined.matmul(y.permute(&[1, 0])?.values())?;
    Ok(vec![made.values().clone(), joined.syntony()?])
}
