use super::*;
use crate::DType;

/// What a result may be off by: an exponential, a root or a quotient a term, each of a few ulp.
const BOUND: f64 = 16.0 * f64::EPSILON;

#[test]
fn known_values() {
    for operator in ALL {
        for (k, known) in operator.known.iter().enumerate() {
            let operands: Vec<Tensor> = known
                .operands
                .iter()
                .map(|row| Tensor::from_slice(row, &[row.len()]).unwrap())
                .collect();
            let operands: Vec<&Tensor> = operands.iter().collect();
            let got = operator.along(-1, &operands, known.settings).unwrap();
            let got = got.to_vec::<f64>().unwrap();
            assert_eq!(got.len(), known.result.len(), "{} {k}", operator.name);
            for (g, w) in got.iter().zip(known.result) {
                let near = g == w || (g - w).abs() <= BOUND * w.abs().max(1e-300);
                assert!(near, "{} {k}: {g} is not {w}", operator.name);
            }
        }
    }
}

#[test]
fn every_axis_is_the_last_one_of_a_transposed_operand() {
    for operator in ALL {
        let numbers: Vec<f64> = operator.settings.iter().map(|setting| setting.1).collect();
        let x: Vec<f64> = (1..=24).map(|k| f64::from(k) / 25.0).collect();
        let x = Tensor::from_slice(&x, &[2, 3, 4]).unwrap();
        let turned = x.permute(&[0, 2, 1]).unwrap();
        let row = Tensor::from_slice(&[0.5, 1.0, 2.0], &[3]).unwrap();
        let given = |x: &Tensor| -> Vec<Tensor> {
            let one = |role: Role| match role {
                Role::Row => row.clone(),
                _ => x.clone(),
            };
            operator.operands.iter().map(|o| one(o.1)).collect()
        };
        let (here, there) = (given(&x), given(&turned));
        let here: Vec<&Tensor> = here.iter().collect();
        let there: Vec<&Tensor> = there.iter().collect();
        let one = operator.along(1, &here, &numbers).unwrap();
        let mut other = operator.along(-1, &there, &numbers).unwrap();
        if !operator.gives_numbers() {
            other = other.permute(&[0, 2, 1]).unwrap();
        }
        let (one, other) = (one.to_vec::<f64>(), other.to_vec::<f64>());
        for (a, b) in one.unwrap().into_iter().zip(other.unwrap()) {
            assert!(
                (a - b).abs() <= BOUND * a.abs().max(1.0),
                "{}",
                operator.name
            );
        }
    }
}

/// Central differences of width `h` are off by `h² f'''/6` and `ε f/h`.
#[test]
fn gradients_are_slopes() {
    const WIDTH: f64 = 1e-5;
    for operator in ALL {
        let numbers: Vec<f64> = operator.settings.iter().map(|setting| setting.1).collect();
        let rows: Vec<Vec<f64>> = (0..operator.operands.len())
            .map(|k| {
                (0..5)
                    .map(|i| 0.3 + ((3 * i + 2 * k) % 5) as f64 / 4.0)
                    .collect()
            })
            .collect();
        let value = |rows: &[Vec<f64>]| {
            let tensors: Vec<Tensor> = rows
                .iter()
                .map(|r| Tensor::from_slice(r, &[5]).unwrap())
                .collect();
            let tensors: Vec<&Tensor> = tensors.iter().collect();
            operator.along(-1, &tensors, &numbers).unwrap()
        };
        // The loss is the sum of the results times 1, 2, 3, ...
        let weigh = |y: &Tensor| -> f64 {
            let y = y.to_vec::<f64>().unwrap();
            y.iter().zip(1..).map(|(y, k)| y * f64::from(k)).sum()
        };
        let y = value(&rows);
        let slopes: Vec<f64> = (1..=y.numel()).map(|k| k as f64).collect();
        let cotangent = Tensor::from_slice(&slopes, y.shape()).unwrap();
        let tensors: Vec<Tensor> = rows
            .iter()
            .map(|r| Tensor::from_slice(r, &[5]).unwrap())
            .collect();
        let tensors: Vec<&Tensor> = tensors.iter().collect();
        let gradients = operator
            .backward(0, &cotangent, &tensors, &numbers)
            .unwrap();
        assert_eq!(gradients.len(), rows.len());
        for (k, gradient) in gradients.iter().enumerate() {
            for (i, got) in gradient.to_vec::<f64>().unwrap().into_iter().enumerate() {
                let at = |step: f64| {
                    let mut moved = rows.clone();
                    moved[k][i] += step;
                    weigh(&value(&moved))
                };
                let want = (at(WIDTH) - at(-WIDTH)) / (2.0 * WIDTH);
                assert!(
                    (got - want).abs() < 1e-8 * want.abs().max(1.0),
                    "{} {k} {i}: {got} {want}",
                    operator.name
                );
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let x = Tensor::zeros(&[2, 3], DType::F32).unwrap();
    let row = Tensor::zeros(&[3], DType::F32).unwrap();
    let whole = Tensor::zeros(&[2, 3], DType::I32).unwrap();
    assert!(matches!(
        rms_norm(&x, &x, 0.0),
        Err(Error::Shape { op: "rms_norm", .. })
    ));
    assert!(matches!(
        rms_norm(&whole, &row, 0.0),
        Err(Error::DType { op: "rms_norm", .. })
    ));
    assert!(matches!(
        rms_norm(&x, &row, f64::NAN),
        Err(Error::Value { op: "rms_norm", .. })
    ));
    assert!(matches!(
        RMS_NORM.along(2, &[&x, &row], &[0.0]),
        Err(Error::Axis { op: "rms_norm", .. })
    ));
    assert!(matches!(
        RMS_NORM.along(-1, &[&x], &[0.0]),
        Err(Error::Value { .. })
    ));
    let gradient = RMS_NORM.backward(-1, &row, &[&x, &row], &[0.0]);
    assert!(matches!(gradient, Err(Error::Shape { op: "rms_norm", .. })));
    assert_eq!(rms_norm(&x, &row, 1e-6).unwrap().dtype(), DType::F32);
}

#[test]
fn rows_of_nothing_and_no_rows() {
    let none = Tensor::zeros(&[0, 3], DType::F64).unwrap();
    assert_eq!(entropy(&none).unwrap().shape(), [0]);
    assert_eq!(normalize(&none, 0.0).unwrap().shape(), [0, 3]);
    let empty = Tensor::zeros(&[2, 0], DType::F64).unwrap();
    assert_eq!(
        entropy(&empty).unwrap().to_vec::<f64>().unwrap(),
        [0.0, 0.0]
    );
}
