//! Terms, the order in which they are multiplied, and one product of two of them.

use super::equation::Label;
use crate::error::Result;
use crate::fuse::Prim;
use crate::ops::elementwise::apply;
use crate::ops::linalg::basic::gathered;
use crate::ops::linalg::matmul::multiply;
use crate::ops::reduce::{Over, sum};
use crate::tensor::Tensor;
use std::collections::BTreeMap;

/// A tensor whose axes have names, each once and of full length.
pub(super) struct Term {
    tensor: Tensor,
    labels: Vec<Label>,
}

impl Term {
    /// Takes diagonals where a name repeats, and lets go of axes of length 1 that others stretch.
    pub(super) fn new(
        tensor: &Tensor,
        labels: &[Label],
        lengths: &BTreeMap<Label, usize>,
    ) -> Result<Term> {
        let mut term = Term {
            tensor: tensor.clone(),
            labels: labels.to_vec(),
        };
        for axis in (0..labels.len()).rev() {
            if term.tensor.shape()[axis] == 1 && lengths[&labels[axis]] != 1 {
                term.tensor = term.tensor.squeeze(&[axis as isize])?;
                term.labels.remove(axis);
            }
        }
        while let Some((i, j)) = term.twins() {
            term.tensor = term.tensor.diagonal(0, i as isize, j as isize)?;
            let label = term.labels.remove(j);
            term.labels.remove(i);
            term.labels.push(label);
        }
        Ok(term)
    }

    fn twins(&self) -> Option<(usize, usize)> {
        let l = &self.labels;
        (0..l.len())
            .flat_map(|j| (0..j).map(move |i| (i, j)))
            .find(|&(i, j)| l[i] == l[j])
    }

    /// Sums over every axis that nobody else needs.
    fn keep(self, needed: impl Fn(&Label) -> bool) -> Result<Term> {
        let gone: Vec<isize> = (0..self.labels.len())
            .filter(|&i| !needed(&self.labels[i]))
            .map(|i| i as isize)
            .collect();
        if gone.is_empty() {
            return Ok(self);
        }
        let dtype = Some(self.tensor.dtype());
        Ok(Term {
            tensor: sum(&self.tensor, &Over::axes(&gone), dtype)?,
            labels: self.labels.into_iter().filter(needed).collect(),
        })
    }

    /// Positions of these names, in their order.
    fn axes(&self, labels: &[Label]) -> Vec<usize> {
        labels
            .iter()
            .filter_map(|l| self.labels.iter().position(|x| x == l))
            .collect()
    }

    /// The axes in the order of `labels`, with length 1 for names it lacks.
    fn spread(&self, labels: &[Label]) -> Result<Tensor> {
        let order: Vec<isize> = self.axes(labels).iter().map(|&a| a as isize).collect();
        let missing: Vec<isize> = (0..labels.len())
            .filter(|&i| !self.labels.contains(&labels[i]))
            .map(|i| i as isize)
            .collect();
        self.tensor.permute(&order)?.expand_dims(&missing)
    }
}

/// The product of all terms, summed over what `output` does not name.
pub(super) fn all(
    mut terms: Vec<Term>,
    output: &[Label],
    lengths: &BTreeMap<Label, usize>,
) -> Result<Tensor> {
    loop {
        let mut kept = Vec::new();
        let names: Vec<Vec<Label>> = terms.iter().map(|t| t.labels.clone()).collect();
        for (i, term) in terms.into_iter().enumerate() {
            let elsewhere = |l: &Label| {
                let others = names.iter().enumerate().filter(|&(k, _)| k != i);
                output.contains(l) || others.into_iter().any(|(_, n)| n.contains(l))
            };
            kept.push(term.keep(elsewhere)?);
        }
        terms = kept;
        if terms.len() < 2 {
            break;
        }
        let (i, j) = cheapest(&terms, output, lengths);
        let (b, a) = (terms.remove(j), terms.remove(i));
        let needed = |l: &Label| output.contains(l) || terms.iter().any(|t| t.labels.contains(l));
        let product = pair(&a, &b, needed, lengths)?;
        terms.push(product);
    }
    terms[0].spread(output)
}

/// The pair whose product adds the fewest elements; among equals the one with the fewest steps.
fn cheapest(terms: &[Term], output: &[Label], lengths: &BTreeMap<Label, usize>) -> (usize, usize) {
    let size = |labels: &[Label]| labels.iter().map(|l| lengths[l] as f64).product::<f64>();
    let cost = |&(i, j): &(usize, usize)| {
        let (a, b) = (&terms[i].labels, &terms[j].labels);
        let mut union = a.clone();
        union.extend(b.iter().filter(|l| !a.contains(l)));
        let steps = size(&union);
        union.retain(|l| {
            let mut others = (0..terms.len()).filter(|&k| k != i && k != j);
            output.contains(l) || others.any(|k| terms[k].labels.contains(l))
        });
        (size(&union) - size(a) - size(b), steps)
    };
    let pairs = (0..terms.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let best = pairs.min_by(|x, y| {
        let (x, y) = (cost(x), cost(y));
        x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1))
    });
    best.unwrap_or((0, 1))
}

/// The product of two terms, summed over the names both have and nobody else needs.
fn pair(
    a: &Term,
    b: &Term,
    needed: impl Fn(&Label) -> bool,
    lengths: &BTreeMap<Label, usize>,
) -> Result<Term> {
    let of = |list: &[Label], f: &dyn Fn(&Label) -> bool| -> Vec<Label> {
        list.iter().copied().filter(|l| f(l)).collect()
    };
    let both = |l: &Label| b.labels.contains(l);
    let stack = of(&a.labels, &|l| both(l) && needed(l));
    let summed = of(&a.labels, &|l| both(l) && !needed(l));
    let rows = of(&a.labels, &|l| !both(l));
    let cols = of(&b.labels, &|l| !a.labels.contains(l));
    let labels = [&stack[..], &rows, &cols].concat();
    if summed.is_empty() {
        let (x, y) = (a.spread(&labels)?, b.spread(&labels)?);
        let tensor = apply(Prim::Mul, &[(&x).into(), (&y).into()])?;
        return Ok(Term { tensor, labels });
    }
    let length = |list: &[Label]| list.iter().map(|l| lengths[l]).product::<usize>();
    let shape =
        |last: [usize; 2]| -> Vec<usize> { stack.iter().map(|l| lengths[l]).chain(last).collect() };
    let x = gathered(
        &a.tensor,
        &[&a.axes(&stack), &a.axes(&rows), &a.axes(&summed)],
        &shape([length(&rows), length(&summed)]),
    )?;
    let y = gathered(
        &b.tensor,
        &[&b.axes(&stack), &b.axes(&summed), &b.axes(&cols)],
        &shape([length(&summed), length(&cols)]),
    )?;
    let shape: Vec<isize> = labels.iter().map(|l| lengths[l] as isize).collect();
    let tensor = multiply("einsum", &x, &y)?.reshape(&shape)?;
    Ok(Term { tensor, labels })
}
