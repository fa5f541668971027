//! The gradient of a formula over real numbers in the shortest form: what a layer's backward runs.

use super::algebra::Algebra;
use super::grad::Reverse;
use super::program::{Fold, Node, NodeId, Program, Role, Yield};
use super::{Builder, Prim};
use crate::error::{Error, Result};

/// What [`Program::backward`] starts from, and what it yields.
#[derive(Clone, Copy, Debug)]
pub struct Backward<'a> {
    /// The inputs whose gradients come out, in this order.
    pub wrt: &'a [usize],
    /// The outputs that the loss depends on. Of each the cotangent comes in.
    pub from: &'a [usize],
    /// The outputs whose values come in, because the forward run has kept them.
    pub given: &'a [usize],
}

impl Program {
    /// The gradient of a formula whose operands are real floats, made short: [`Program::grad`] with sums over a row
    /// taken apart, factors that are there once per row taken out of them, and what cancels left out.
    ///
    /// Its inputs are those of this program that it reads, then the values of the outputs `given` that it reads,
    /// under the names `given_K`, then `cotangent_K` for each of the outputs `from`. Its outputs are those of
    /// [`Program::grad`], but where operands are of several types, they are of the type that these promote to.
    /// Results differ from [`Program::grad`] by roundings.
    ///
    /// Errors as [`Program::grad`], and where `from` or `given` name no output.
    ///
    /// ```
    /// use syntonic_core::fuse::Backward;
    /// use syntonic_core::prelude::*;
    /// use syntonic_core::{fuse, run};
    ///
    /// fuse! { CUBE(x: element) -> (element) { x * x * x } }
    /// let slope = CUBE.backward(Backward { wrt: &[0], from: &[0], given: &[] })?;
    /// let (x, one) = (Tensor::from([1.0, 2.0]), Tensor::from([1.0, 1.0]));
    /// let y = run::map(&slope, &[&x, &one], &[], x.shape(), x.device())?;
    /// assert_eq!(y[0].to_vec::<f64>()?, [3.0, 12.0]);
    /// # Ok::<(), syntonic_core::Error>(())
    /// ```
    pub fn backward(&self, what: Backward<'_>) -> Result<Program> {
        let named = what.from.iter().chain(what.given);
        if let Some(k) = named.copied().find(|&k| k >= self.outputs.len()) {
            let text = format!(
                "{} has outputs 0..{}, none at {k}",
                self.name,
                self.outputs.len()
            );
            return Err(Error::value("backward", text));
        }
        let reverse = Reverse::run(self, what.wrt, what.from)?;
        let (plain, own) = reverse.finish("plain");
        let (short, places) = shortened(&plain, &own);
        let given: Vec<(NodeId, Role)> = what
            .given
            .iter()
            .map(|&k| {
                let output = self.outputs[k];
                let role = match output.role {
                    Yield::Element | Yield::RowSum => Role::Element,
                    Yield::RowScalar => Role::RowScalar,
                };
                (places[own[output.node.index()].index()], role)
            })
            .collect();
        let mut program = with_given(&short, self.inputs.len(), &given, what.given);
        program.name = format!("{}_backward", self.name).into();
        Ok(program.without_dead_nodes().without_unused_inputs())
    }
}

/// The program by the rules of [`Algebra`], and where its nodes went. The nodes `own` stay as they are.
fn shortened(program: &Program, own: &[NodeId]) -> (Program, Vec<NodeId>) {
    let mut graph = Builder::new();
    for input in &program.inputs {
        graph.input(input.name.clone(), input.role);
    }
    let mut algebra = Algebra::new(graph);
    let mut places: Vec<NodeId> = Vec::new();
    for (k, node) in program.nodes.iter().enumerate() {
        let fixed = own.contains(&NodeId(k as u32));
        let at = |a: NodeId| places[a.index()];
        let place = match *node {
            _ if fixed => algebra.graph.copy(node, at),
            Node::Like([value, _]) => at(value),
            Node::Fold(Fold::Sum, a) => algebra.total(at(a)),
            Node::Apply(prim, [a, b, _]) => match prim {
                Prim::Conj | Prim::Real => at(a),
                Prim::Neg => algebra.neg(at(a)),
                Prim::Add => algebra.add(at(a), at(b)),
                Prim::Sub => algebra.sub(at(a), at(b)),
                Prim::Mul => algebra.mul(at(a), at(b)),
                Prim::Div => algebra.div(at(a), at(b)),
                _ => algebra.graph.copy(node, at),
            },
            _ => algebra.graph.copy(node, at),
        };
        if fixed {
            algebra.fix(place);
        }
        places.push(place);
    }
    for output in &program.outputs {
        let place = places[output.node.index()];
        algebra.graph.output(place, output.role);
    }
    let name = program.name.clone();
    (algebra.graph.finish(name, program.precision), places)
}

/// The program with some nodes' values as inputs, behind the first `inputs`.
fn with_given(
    program: &Program,
    inputs: usize,
    given: &[(NodeId, Role)],
    outputs: &[usize],
) -> Program {
    let mut graph = Builder::new();
    let (own, cotangents) = program.inputs.split_at(inputs);
    for input in own {
        graph.input(input.name.clone(), input.role);
    }
    for ((_, role), k) in given.iter().zip(outputs) {
        graph.input(format!("given_{k}"), *role);
    }
    for input in cotangents {
        graph.input(input.name.clone(), input.role);
    }
    let mut places: Vec<NodeId> = Vec::new();
    for (k, node) in program.nodes.iter().enumerate() {
        let place = given.iter().position(|(id, _)| id.index() == k);
        places.push(match (place, node) {
            (Some(at), _) => graph.existing_input(inputs + at),
            (None, Node::Input(i)) if usize::from(*i) >= inputs => {
                graph.existing_input(usize::from(*i) + given.len())
            }
            _ => graph.copy(node, |a| places[a.index()]),
        });
    }
    for output in &program.outputs {
        graph.output(places[output.node.index()], output.role);
    }
    graph.finish(program.name.clone(), program.precision)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuse::notation::{exp, ge, mean, rsqrt, select, square, sum, trace};

    fn folds(program: &Program) -> usize {
        let nodes = program.nodes.iter();
        nodes.filter(|n| matches!(n, Node::Fold(..))).count()
    }

    #[test]
    fn a_norm_takes_two_rounds_of_folds_and_none_of_its_own_where_statistics_are_kept() {
        let outputs = [Yield::Element, Yield::RowScalar, Yield::RowScalar];
        let norm = trace("norm", &[("x", Role::Element)], &outputs, |s| {
            let mu = mean(s[0]);
            let var = mean(square(s[0] - mu));
            vec![(s[0] - mu) * rsqrt(var + 1e-5), mu, var]
        });
        let of = |given| {
            let what = Backward {
                wrt: &[0],
                from: &[0],
                given,
            };
            norm.backward(what).unwrap()
        };
        // Sums of x, of squares, of the cotangent, and of its products with the distances from the mean.
        assert_eq!(folds(&of(&[])), 4);
        let kept = of(&[1, 2]);
        assert_eq!(folds(&kept), 2);
        let names: Vec<&str> = kept.inputs.iter().map(|i| &*i.name).collect();
        assert_eq!(names, ["x", "given_1", "given_2", "cotangent_0"]);
    }

    #[test]
    fn what_a_choice_hands_to_its_sides_comes_together_again() {
        let corner = trace("corner", &[("x", Role::Element)], &[Yield::Element], |s| {
            vec![select(ge(s[0], 0.0), -s[0], s[0])]
        });
        let what = Backward {
            wrt: &[0],
            from: &[0],
            given: &[],
        };
        let program = corner.backward(what).unwrap();
        let count = |prim: Prim| {
            let is = |n: &&Node| matches!(n, Node::Apply(p, _) if *p == prim);
            program.nodes.iter().filter(is).count()
        };
        let [selects, negs, subs] = [Prim::Select, Prim::Neg, Prim::Sub].map(count);
        assert_eq!((selects, negs, subs), (1, 1, 0), "{program}");
    }

    #[test]
    fn a_softmax_whose_result_is_kept_reads_nothing_else() {
        let softmax = trace("s", &[("x", Role::Element)], &[Yield::Element], |s| {
            let e = exp(s[0]);
            vec![e / sum(e)]
        });
        let what = Backward {
            wrt: &[0],
            from: &[0],
            given: &[0],
        };
        let program = softmax.backward(what).unwrap();
        let text = program.to_string();
        assert_eq!(program.inputs.len(), 2, "{text}");
        assert_eq!((folds(&program), program.nodes.len()), (1, 6), "{text}");
        let nothing = Backward { from: &[1], ..what };
        assert!(matches!(
            softmax.backward(nothing),
            Err(Error::Value { .. })
        ));
    }
}
