//! The operators of the golden ratio.

use crate::given::{ALL, COLS, Given, ROWS, Row, all_done, cast, done, row};
use syntonic_core::fuse::Role;
use syntonic_core::ops::reduce::Over;
use syntonic_core::ops::row_operators::{self, RowOperator};
use syntonic_core::{DType, Error, Tensor, room};
use syntonic_srt::evolve::device::{DeviceSearch, Function, Rule};
use syntonic_srt::evolve::{
    self, EvolveError, Flow, Res, ResConfig, Shape, Strategy, SyntonyWeight,
};
use syntonic_srt::exact::{
    GoldenBigArray, GoldenTensor, GoldenTensorError, fibonacci_tensor, lucas_tensor, snap_tensor,
};
use syntonic_srt::geometry;
use syntonic_srt::golden::{self, Sign};
use syntonic_srt::infer::{self, discrete};
use syntonic_srt::nn::{self, Activation, BatchNorm, Channels, LayerNorm, Mode, Softmax, Weights};
use syntonic_srt::optim::{self, Adam, Optimizer};
use syntonic_srt::resonant::lattice::{
    Crystallized, ResonantError, States, Stir, golden_recursion, golden_recursion_inverse,
};
use syntonic_srt::resonant::{self, Modes, Noise};
use syntonic_srt::transfer_entropy::{
    Estimator, Histories, Past, Scheme, Surrogates, ksg_counts, ksg_distances, mutual_information,
    transfer_entropy, transfer_entropy_matrix,
};

pub(crate) fn rows() -> Vec<Row> {
    let all = [
        layers(),
        gradients(),
        row_operators(),
        exact(),
        geometry(),
        states(),
        searches(),
        information(),
    ];
    all.into_iter().flatten().collect()
}

const EPS: f64 = 1e-5;

fn layers() -> Vec<Row> {
    let channels = BatchNorm::golden(Channels::Planes);
    vec![
        row("layer_norm", |g| {
            let affine = Some((&g.per_column, &g.per_column));
            done(nn::layer_norm(&g.x, affine, LayerNorm::default()))?;
            done(nn::layer_norm(&g.turned, None, LayerNorm::default()))
        }),
        row("batch_norm", move |g| {
            let (y, stats) = nn::batch_norm(&g.planes, None, channels)?;
            all_done(&[y, stats.mean, stats.var])
        }),
        row("batch_norm_eval", move |g| {
            let both = (&g.per_channel, &g.per_channel);
            done(nn::batch_norm_eval(&g.planes, both, Some(both), channels))
        }),
        row("syntonic_softmax", |g| {
            for axis in [0, -1] {
                let settings = Softmax {
                    axis,
                    ..Softmax::default()
                };
                done(nn::syntonic_softmax(
                    &g.x,
                    Weights::Provided(&g.x),
                    settings,
                ))?;
                done(nn::syntonic_softmax(&g.x, Weights::Identity, settings))?;
            }
            let settings = Softmax::default();
            done(nn::syntonic_softmax(
                &g.x,
                Weights::ModeNorms(&g.per_column),
                settings,
            ))
        }),
        row("phi_residual", |g| {
            done(nn::phi_residual(&g.x, &g.x, Mode::Phi, Activation::Gelu))
        }),
        row("phi_residual_layer_norm", |g| {
            let (gamma, beta) = (&g.per_column, &g.per_column);
            done(nn::phi_residual_layer_norm(
                &g.x,
                &g.x,
                Mode::Phi,
                Activation::Relu,
                gamma,
                beta,
                EPS,
            ))
        }),
        row("golden_gelu", |g| {
            done(nn::golden_gelu(&cast(&g.x, DType::BF16)?))
        }),
    ]
}

fn information() -> Vec<Row> {
    let surrogates = Surrogates {
        count: 3,
        scheme: Scheme::Permutation,
        seed: 1,
    };
    let estimator = Estimator {
        surrogates: Some(surrogates),
        ..Estimator::default()
    };
    vec![
        row("transfer_entropy", move |g| {
            let histories = Histories::default();
            transfer_entropy(&g.per_column, &g.per_column, None, histories, &estimator)?;
            let condition = Some(&g.per_row);
            transfer_entropy(&g.per_row, &g.per_row, condition, histories, &estimator).map(drop)
        }),
        row("mutual_information", |g| {
            let x = &g.per_column;
            mutual_information(x, x, Some(x), &Estimator::default()).map(drop)
        }),
        row("ksg_distances", |g| {
            done(ksg_distances(&g.per_column, &g.per_column, None, 4, 0))
        }),
        row("ksg_counts", |g| {
            let x = &g.per_column;
            done(ksg_counts(x, x, None, x, 0))
        }),
        row("transfer_entropy_matrix", |g| {
            let few = g.x.slice(0, None, Some(3), 1)?;
            transfer_entropy_matrix(&few, Histories::default(), &Estimator::default()).map(drop)
        }),
    ]
}

/// Calls of many tasks, each with bytes that are enough for it.
pub(crate) fn bounds() -> Vec<(Row, usize)> {
    // 640 * 639 pairs of 32 coordinates are 210 MB, and were twice that while they were prepared. A launch of them has 8 Mi elements: 33 MB,
    // as much for the list of its tasks, and as much for those of the launch before.
    let many = row("transfer_entropy_matrix of many series", |_| {
        let (source, target) = (past(15), past(16));
        let histories = Histories {
            source,
            target,
            ..Histories::default()
        };
        let estimator = Estimator {
            k: 1,
            ..Estimator::default()
        };
        let series = Tensor::arange(0, 640 * 19, 1)?.sin()?;
        let series = series.reshape(&[640, 19])?.cast(DType::F64)?;
        transfer_entropy_matrix(&series, histories, &estimator).map(drop)
    });
    vec![(many, 160 << 20)]
}

fn past(length: usize) -> Past {
    Past {
        length,
        ..Past::default()
    }
}

fn gradients() -> Vec<Row> {
    let channels = BatchNorm::golden(Channels::Planes);
    vec![
        row("layer_norm_backward", |g| {
            let found =
                nn::layer_norm_backward(&g.x, &g.x, Some(&g.per_column), LayerNorm::default())?;
            done(Ok(found.x))
        }),
        row("batch_norm_backward", move |g| {
            let found = nn::batch_norm_backward(
                &g.planes,
                &g.planes,
                Some(&g.per_channel),
                None,
                channels,
            )?;
            done(Ok(found.x))
        }),
        row("syntonic_softmax_backward", |g| {
            done(nn::syntonic_softmax_backward(&g.x, &g.x, 0))?;
            done(nn::syntonic_softmax_backward(&g.x, &g.x, -1))
        }),
        row("syntonic_softmax_gradients", |g| {
            let weights = Weights::Log(&g.per_column);
            let found = nn::syntonic_softmax_gradients(&g.x, &g.x, weights, Softmax::default())?;
            done(Ok(found.x))
        }),
        row("phi_residual_backward", |g| {
            let found = nn::phi_residual_backward(&g.x, &g.x, &g.x, Mode::Phi, Activation::Gelu)?;
            done(Ok(found.x))
        }),
        row("phi_residual_layer_norm_backward", |g| {
            let (mode, activation) = (Mode::Phi, Activation::Gelu);
            let gamma = &g.per_column;
            let found = nn::phi_residual_layer_norm_backward(
                &g.x, &g.x, &g.x, mode, activation, gamma, EPS,
            )?;
            done(Ok(found.x))
        }),
        row("golden_gelu_backward", |g| {
            done(nn::golden_gelu_backward(&g.x, &g.x))
        }),
        row("clip_by_global_norm", |g| {
            let (clipped, length) =
                optim::clip_by_global_norm(&[g.x.clone(), g.flat.clone()], 1.0)?;
            all_done(&clipped)?;
            done(Ok(length))
        }),
        row("Optimizer::update", |g| {
            let adam = Optimizer::from(Adam::default());
            let made = adam.update(1, 0.1, &g.x, &g.x, &adam.moments(&g.x)?)?;
            done(Ok(made.parameter))
        }),
    ]
}

/// Those of the tables, with their gradients.
fn row_operators() -> Vec<Row> {
    let all = row_operators::ALL.iter().chain(nn::ROW_OPERATORS);
    let one = |operator: &&'static RowOperator| {
        let operator = *operator;
        row(operator.name, move |g| {
            let of = |role| match role {
                Role::Row => &g.per_column,
                _ => &g.x,
            };
            let operands: Vec<&Tensor> = operator.operands.iter().map(|o| of(o.1)).collect();
            let usual: Vec<f64> = operator.settings.iter().map(|s| s.1).collect();
            let y = operator.along(-1, &operands, &usual)?;
            all_done(&operator.backward(-1, &y, &operands, &usual)?)
        })
    };
    all.map(one).collect()
}

/// What exact arithmetic says of memory; anything else is a fault of this test.
fn engine<T>(result: Result<T, GoldenTensorError>) -> Result<T, Error> {
    result.map_err(|e| match e {
        GoldenTensorError::Tensor(e) => e,
        other => panic!("{other}"),
    })
}

fn resonant_engine<T>(result: Result<T, ResonantError>) -> Result<T, Error> {
    result.map_err(|e| match e {
        ResonantError::Tensor(e) => e,
        ResonantError::Lattice(GoldenTensorError::Tensor(e)) => e,
        other => panic!("{other}"),
    })
}

/// What both kinds of states do.
fn operated<S: States>(state: &S) -> Result<(), ResonantError> {
    let sum = state.plus(state)?.minus(&state.negated()?)?;
    let turned = sum.permute(&[1, 0])?.reshape(&[-1])?;
    S::concat(&[&turned, &turned], 0)?;
    S::stack(&[&turned, &turned], 0)?;
    Ok(())
}

/// Numbers N, none of them 0.
fn natural(g: &Given) -> Result<Tensor, Error> {
    g.x.try_add(1.0)
}

/// Tensors of golden integers, and states on the lattice.
fn exact() -> Vec<Row> {
    vec![
        row("snap_tensor", |g| {
            let snapped = engine(snap_tensor(&g.x, 100))?;
            done(engine(snapped.gradient(Some(&g.per_column))))?;
            let points = snapped.points;
            let sum = engine(points.plus(&points))?;
            let product = engine(sum.times(&points))?;
            done(engine(product.to_floats()))?;
            done(engine(product.compare(&sum)))?;
            done(engine(product.norms()))?;
            let turned = engine(points.reshape(&[COLS as isize, ROWS as isize]))?;
            let few = engine(GoldenTensor::new(
                &turned.a().slice(1, Some(0), Some(4), 1)?,
                &turned.b().slice(1, Some(0), Some(4), 1)?,
            ))?;
            engine(points.matmul(&few)).map(drop)
        }),
        row("golden_big_array", |g| {
            let points = engine(snap_tensor(&g.x, 100))?.points;
            let few = engine(points.placed(|t| t.slice(1, Some(0), Some(4), 1)))?;
            let wide = engine(few.wide())?;
            let product = engine(engine(wide.plus(&wide))?.times(&wide))?;
            let turned = engine(product.placed(|t| t.permute(&[1, 0])))?;
            engine(product.sum(&Over::from(0)))?;
            engine(engine(product.floor())?.maximum(&engine(wide.norms())?))?;
            engine(GoldenBigArray::concat(&[&turned, &turned], 0))?;
            done(engine(product.compare(&wide)))?;
            done(engine(product.to_floats()))?;
            engine(engine(turned.power(3))?.narrow()).map(drop)
        }),
        row("fibonacci_tensor", |g| {
            done(engine(fibonacci_tensor(&g.mask.cast(DType::I64)?)))
        }),
        row("lucas_tensor", |g| {
            done(engine(lucas_tensor(&g.mask.cast(DType::I64)?)))
        }),
        row("golden_recursion", |g| {
            done(resonant_engine(golden_recursion(&g.whole)))
        }),
        row("golden_recursion_inverse", |g| {
            done(resonant_engine(golden_recursion_inverse(&g.whole)))
        }),
        row("crystallized", |g| {
            let state = resonant_engine(Crystallized::from_floats(&g.x, None, 1 << 20))?;
            let stir = Stir {
                seed: 1,
                offset: 0,
                strength: 0.1,
            };
            let moved = resonant_engine(state.cycle(Some(stir), 0))?;
            done(resonant_engine(moved.state.values()))
        }),
        row("states", |g| {
            let state = resonant_engine(Crystallized::from_floats(&g.x, None, 1 << 20))?;
            resonant_engine(operated(&state))?;
            let flux = resonant_engine(state.wake())?;
            resonant_engine(operated(&flux))?;
            resonant_engine(flux.times(&g.x))?;
            resonant_engine(flux.syntonic_softmax())?;
            done(resonant_engine(flux.snap_gradient(&state, true)))?;
            let few = g.x.slice(0, Some(0), Some(4), 1)?.transpose(0, 1)?;
            resonant_engine(flux.matmul(&few)).map(drop)
        }),
        row("deficits", |g| done(golden::deficits(&natural(g)?))),
        row("factors", |g| {
            done(golden::factors(&natural(g)?, Sign::Minus))
        }),
        row("ratios", |g| {
            let n = natural(g)?;
            done(golden::ratios(&n, &n))
        }),
        row("compounds", |g| {
            let n = natural(g)?;
            let few = n.slice(1, Some(0), Some(4), 1)?;
            done(golden::compounds(&few, &few))
        }),
        row("device_search", |g| {
            let mut search = DeviceSearch::new(&g.per_column, 0.5, 8, Rule::Snes, 1)?;
            done(search.candidates(0, 8))?;
            search.step(Function::Rastrigin).map(drop)
        }),
    ]
}

fn geometry() -> Vec<Row> {
    let eights = |g: &Given| g.flat.reshape(&[-1, 8]);
    let fours = |g: &Given| g.whole.reshape(&[-1, 4]);
    vec![
        row("e8_roots", |_| done(geometry::e8_roots())),
        row("e8_simple_roots", |_| done(geometry::e8_simple_roots())),
        row("project", move |g| {
            let made = geometry::project(&eights(g)?)?;
            all_done(&[made.parallel, made.perpendicular, made.form])
        }),
        row("cone_mask", move |g| {
            done(geometry::cone_mask(&eights(g)?, 1e-10))
        }),
        row("cone_weights", move |g| {
            done(geometry::cone_weights(&eights(g)?, 1e-10))
        }),
        row("windings", |_| done(geometry::windings(50))),
        row("winding_weights", move |g| {
            done(geometry::winding_weights(&fours(g)?))
        }),
        row("golden_generations", move |g| {
            done(geometry::golden_generations(&fours(g)?))
        }),
    ]
}

fn states() -> Vec<Row> {
    vec![
        row("mode_norms", |_| done(resonant::mode_norms(ALL))),
        row("golden_weights", |g| {
            done(resonant::golden_weights(&g.flat))
        }),
        row("syntony", |g| {
            done(resonant::syntony(&g.x, &g.per_column))?;
            done(resonant::syntony(&g.flat, &g.flat))?;
            done(Modes::new(&g.per_column, DType::F64)?.syntony(&g.x))?;
            let numbers = g.flat.to_vec::<f64>()?;
            said(evolve::syntony(&numbers, &numbers)).map(drop)
        }),
        row("differentiate", |g| {
            let noise = Noise {
                values: &g.x,
                strength: 0.5,
            };
            done(resonant::differentiate(
                &g.x,
                &g.per_column,
                &g.per_row,
                Some(noise),
            ))
        }),
        row("harmonize", |g| {
            done(resonant::harmonize(&g.x, &g.per_column, &g.per_row))
        }),
        row("cycle", |g| {
            let z = cast(&g.x, DType::C128)?;
            for psi in [&g.x, &g.turned, &z] {
                let norms = resonant::mode_norms(psi.shape()[1])?;
                let (next, s) = resonant::cycle(psi, &norms, None)?;
                all_done(&[next, s])?;
            }
            Ok(())
        }),
        row("accuracy", |g| done(infer::accuracy(&g.x, &g.x, &g.x))),
        row("expected_accuracy", |g| {
            done(infer::expected_accuracy(&g.x, &g.x, &g.x, &g.x))
        }),
        row("kl_divergence", |g| {
            done(infer::kl_divergence(&g.x, &g.x, &g.x, &g.x))
        }),
        row("categorical_kl_divergence", |g| {
            done(infer::categorical_kl_divergence(&g.x, &g.x))
        }),
        row("free_energy", |g| {
            let evidence = infer::Evidence {
                observation: &g.x,
                prediction: &g.x,
                precision: &g.x,
                jacobian: None,
            };
            let made = infer::free_energy(&g.x, &g.x, &g.x, &g.x, evidence)?;
            all_done(&[made.free_energy, made.complexity, made.accuracy])
        }),
        row("categorical_free_energy", |g| {
            let made = infer::categorical_free_energy(&g.x, &g.x, &g.x)?;
            all_done(&[made.free_energy, made.complexity, made.accuracy])
        }),
        row("infer_states", |g| {
            let (model, rows) = (discrete_model(g)?, beliefs(g)?);
            let outcomes = g
                .places
                .less(3)?
                .cast(DType::I64)?
                .slice(1, None, Some(1), 1)?;
            let seen = outcomes.squeeze(&[1])?;
            let sweeps = discrete::Sweeps::default();
            let made = discrete::infer_states(&model, &[seen], Some(&rows), sweeps)?;
            all_done(&made.beliefs)?;
            done(Ok(made.free_energy.free_energy))
        }),
        row("predict_states", |g| {
            let actions = Tensor::from_slice(&[1i64, 0], &[2])?;
            all_done(&discrete::predict_states(
                &discrete_model(g)?,
                &beliefs(g)?,
                &actions,
            )?)
        }),
        row("policies", |g| {
            done(discrete::policies(&discrete_model(g)?, 8))
        }),
        row("expected_free_energy", |g| {
            let model = discrete_model(g)?;
            let plans = discrete::policies(&model, 3)?;
            let made = discrete::expected_free_energy(&model, &beliefs(g)?, &plans)?;
            done(Ok(made.negative_efe))
        }),
        row("policy_posterior", |g| {
            done(discrete::policy_posterior(&g.x, 2.0, None))
        }),
        row("action_marginals", |g| {
            let model = discrete_model(g)?;
            let plans = discrete::policies(&model, 9)?;
            all_done(&discrete::action_marginals(&model, &g.x, &plans)?)
        }),
        row("choose_action", |g| {
            done(discrete::choose_action(&[g.x.clone(), g.x.clone()]))
        }),
        row("sample_action", |g| {
            let mut generator = syntonic_core::random::Generator::new(1);
            let marginals = [g.x.clone(), g.x.clone()];
            done(discrete::sample_action(&marginals, 1.0, &mut generator))
        }),
        row("belief_update", |g| {
            let model = infer::Model {
                jacobian: &g.x,
                reference: None,
                prior: None,
            };
            let stepping = infer::Stepping {
                rate: 1e-6,
                steps: 2,
                tolerance: 0.0,
                history: infer::History::Kept,
            };
            let (mu, seen) = (&g.per_column, &g.per_row);
            done(infer::belief_update(mu, seen, seen, model, stepping).map(|made| made.mean))
        }),
    ]
}

/// A model of two factors and one modality; its first factor has two actions.
fn discrete_model(g: &Given) -> Result<discrete::DiscreteModel, Error> {
    let shown = g.x.slice(1, None, Some(8), 1)?.softmax(0)?;
    let stay = Tensor::eye(4, DType::F64)?;
    let turn = Tensor::stack(&[&stay, &stay.flip(&[0])?], -1)?;
    let shown = shown.reshape(&[ROWS as isize, 4, 2])?;
    let stay = Tensor::eye(2, DType::F64)?.reshape(&[2, 2, 1])?;
    discrete::DiscreteModel::new(&[shown], &[turn, stay], None, None)
}

/// Beliefs of as many agents as there are rows.
fn beliefs(g: &Given) -> Result<[Tensor; 2], Error> {
    let of = |n: isize| g.x.slice(1, None, Some(n), 1)?.softmax(-1);
    Ok([of(4)?, of(2)?])
}

/// The engine's error of a search; any other is none of memory and fails the test.
fn said<T>(outcome: Result<T, EvolveError>) -> Result<T, Error> {
    match outcome {
        Ok(value) => Ok(value),
        Err(EvolveError::Engine(e)) => Err(e),
        Err(other) => Err(Error::Value {
            op: "RES",
            what: other.to_string(),
        }),
    }
}

fn strategies() -> [ResConfig; 5] {
    let of = |strategy| ResConfig::new().population(16).strategy(strategy);
    [
        of(Strategy::Elitist),
        of(Strategy::Recombine(Shape::Isotropic)),
        of(Strategy::Recombine(Shape::Separable)),
        of(Strategy::Recombine(Shape::Full)),
        of(Strategy::default())
            .survivors(8)
            .syntony(SyntonyWeight::Spread(0.5)),
    ]
}

fn sphere(candidates: &evolve::Population) -> Result<Vec<f64>, Error> {
    room::collected(candidates.iter().map(|x| x.iter().map(|v| v * v).sum()))
}

/// One generation. A step that is refused leaves the search where it was, and it asks for the same candidates.
fn generation(search: &mut Res) -> Result<(), Error> {
    let before = search.generation();
    let values = sphere(said(search.ask())?)?;
    let centre = search.centre()[0];
    let outcome = said(search.tell(&values));
    if outcome.is_err() {
        assert_eq!((search.generation(), search.centre()[0]), (before, centre));
    }
    outcome
}

fn searches() -> Vec<Row> {
    vec![
        row("squared_index_norms", |_| {
            said(evolve::squared_index_norms(ALL)).map(drop)
        }),
        row("Res", |_: &Given| {
            for config in strategies() {
                // Wide, and with many candidates.
                let wide = if config.strategy == Strategy::Recombine(Shape::Full) {
                    300
                } else {
                    4 * ROWS
                };
                let mut search = said(Res::new(&room::filled(wide, 1.0)?, config.clone()))?;
                generation(&mut search)?;
                generation(&mut search)?;
                let mut search = said(Res::new(&[1.0; 3], config.population(20_000)))?;
                generation(&mut search)?;
            }
            Ok(())
        }),
        row("Res::to_json", |_| {
            let search = said(Res::new(&room::filled(ALL / 16, 1.0)?, ResConfig::new()))?;
            said(search.to_json()).map(drop)
        }),
        row("Res::from_json", |_| {
            let search = said(Res::new(&room::filled(ALL / 16, 1.0)?, ResConfig::new()))?;
            let text = said(search.to_json())?;
            said(Res::from_json(&text)).map(drop)
        }),
        row("Res::run", |_| {
            let mut search = said(Res::new(&[1.0; 8], ResConfig::new().generations(3)))?;
            let outcome = search.run(sphere, |_| Flow::Continue);
            outcome.map(drop).map_err(|e| Error::Value {
                op: "RES",
                what: e.to_string(),
            })
        }),
        row("Running", |_| {
            let running = nn::Running::new(ALL, DType::F64)?;
            all_done(&[Tensor::zeros(&[ALL], DType::F64)?, running.mean])
        }),
    ]
}
