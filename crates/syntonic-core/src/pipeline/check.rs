//! The checks of a plan, in constants as at run time.

use super::declaration::{Labour, Round, Row, Side, Size, Sketch, same_name};
use super::fault::{Fault, Wrong};
use super::plan::Reduce;
use super::shape::{MOST_AXES, Shape, alike, matrix, stack};

/// Where a name leads.
enum Found<'a> {
    Value(&'a [Size<'a>]),
    Later { made: u32, number: u32 },
    Nothing,
}

/// The end of a check that found something.
macro_rules! found {
    ($e:expr) => {
        if let Some(fault) = $e {
            return Some(fault);
        }
    };
}

impl<'a> Sketch<'a> {
    /// The first thing that is wrong with the plan.
    ///
    /// ```
    /// use syntonic_core::pipeline::Sketch;
    ///
    /// const EMPTY: Sketch = Sketch { name: "Empty", inputs: &[], rounds: &[], outputs: &[] };
    /// assert!(EMPTY.fault().is_some());
    /// ```
    pub const fn fault(&self) -> Option<Fault<'a>> {
        found!(self.names());
        let mut b = 0;
        while b < self.rounds.len() {
            let round = &self.rounds[b];
            if !round.rows.is_empty() && round.times == 0 {
                return wrong(round.rows[0].name, Wrong::NoRounds);
            }
            found!(self.carries(b));
            if let Some(until) = round.until {
                match stage_of(round, until) {
                    Some(row) if is_single(row.shape) => {}
                    _ => return wrong(until, Wrong::NoEnd),
                }
            }
            let mut r = 0;
            while r < round.rows.len() {
                found!(self.row(b, &round.rows[r]));
                r += 1;
            }
            b += 1;
        }
        self.returns()
    }

    /// Stops the compiler with a message where something is wrong with the plan.
    ///
    /// # Panics
    /// Where [`Sketch::fault`] finds something; it is evaluated in a constant.
    #[doc(hidden)]
    pub const fn hold(&self) {
        if let Some(fault) = self.fault() {
            let message = fault.message(self.name);
            panic!("{}", message.as_str());
        }
    }

    /// Every name is there once.
    const fn names(&self) -> Option<Fault<'a>> {
        let mut i = 0;
        while i < self.inputs.len() {
            let input = &self.inputs[i];
            if self.count(input.name) > 1 {
                return wrong(input.name, Wrong::Twice);
            }
            if input.shape.len() > MOST_AXES {
                return wrong(input.name, Wrong::TooManyAxes);
            }
            i += 1;
        }
        let mut b = 0;
        while b < self.rounds.len() {
            let rows = self.rounds[b].rows;
            let mut r = 0;
            while r < rows.len() {
                if self.count(rows[r].name) > 1 {
                    return wrong(rows[r].name, Wrong::Twice);
                }
                if rows[r].shape.len() > MOST_AXES {
                    return wrong(rows[r].name, Wrong::TooManyAxes);
                }
                r += 1;
            }
            b += 1;
        }
        None
    }

    /// How many inputs and stages have the name.
    const fn count(&self, name: &str) -> usize {
        let mut count = 0;
        let mut i = 0;
        while i < self.inputs.len() {
            if same_name(self.inputs[i].name, name) {
                count += 1;
            }
            i += 1;
        }
        let mut b = 0;
        while b < self.rounds.len() {
            let rows = self.rounds[b].rows;
            let mut r = 0;
            while r < rows.len() {
                if same_name(rows[r].name, name) {
                    count += 1;
                }
                r += 1;
            }
            b += 1;
        }
        count
    }

    /// What the loop carries begins outside, and goes on in it with the same shape.
    const fn carries(&self, b: usize) -> Option<Fault<'a>> {
        let round = &self.rounds[b];
        let mut c = 0;
        while c < round.carried.len() {
            let (name, from) = round.carried[c];
            let mut other = 0;
            while other < c {
                if same_name(round.carried[other].0, name) {
                    return wrong(name, Wrong::Twice);
                }
                other += 1;
            }
            let start = match self.outside(b, name) {
                Found::Value(shape) => shape,
                Found::Nothing => return wrong(name, Wrong::Unknown(name)),
                Found::Later { made, number } => {
                    return wrong(
                        name,
                        Wrong::Unsynchronised {
                            reads: name,
                            made,
                            number,
                        },
                    );
                }
            };
            let Some(next) = stage_of(round, from) else {
                return wrong(name, Wrong::NotCarried(from));
            };
            if !alike(start, next.shape) {
                return wrong(name, Wrong::OtherShape(from));
            }
            c += 1;
        }
        None
    }

    /// What it returns, a stage makes.
    const fn returns(&self) -> Option<Fault<'a>> {
        if self.outputs.is_empty() {
            return wrong(self.name, Wrong::NoOutputs);
        }
        let mut k = 0;
        while k < self.outputs.len() {
            let mut made = false;
            let mut b = 0;
            while b < self.rounds.len() {
                made = made || stage_of(&self.rounds[b], self.outputs[k]).is_some();
                b += 1;
            }
            if !made {
                return wrong(self.outputs[k], Wrong::NoOutput);
            }
            k += 1;
        }
        None
    }

    /// Where a name leads from a loop to what is outside of it.
    const fn outside(&self, b: usize, name: &str) -> Found<'a> {
        let mut i = 0;
        while i < self.inputs.len() {
            if same_name(self.inputs[i].name, name) {
                return Found::Value(self.inputs[i].shape);
            }
            i += 1;
        }
        let mut other = 0;
        while other < self.rounds.len() {
            if other != b
                && let Some(row) = stage_of(&self.rounds[other], name)
            {
                let (made, number) = (last(&self.rounds[other]), first(&self.rounds[b]));
                return if made < number {
                    Found::Value(row.shape)
                } else {
                    Found::Later { made, number }
                };
            }
            other += 1;
        }
        Found::Nothing
    }

    /// Where a name leads from a stage.
    const fn lookup(&self, b: usize, row: &Row<'a>, name: &str) -> Found<'a> {
        let round = &self.rounds[b];
        let mut c = 0;
        while c < round.carried.len() {
            if same_name(round.carried[c].0, name) {
                return self.outside(b, name);
            }
            c += 1;
        }
        match stage_of(round, name) {
            Some(made) if made.number < row.number => Found::Value(made.shape),
            Some(made) => Found::Later {
                made: made.number,
                number: row.number,
            },
            None => self.outside(b, name),
        }
    }

    /// The stage reads what is there, and makes the shape that it declares.
    const fn row(&self, b: usize, row: &Row<'a>) -> Option<Fault<'a>> {
        if row.reads() == 0 {
            return wrong(row.name, Wrong::NoOperands);
        }
        let mut k = 0;
        while k < row.reads() {
            let reads = row.read(k);
            match self.lookup(b, row, reads) {
                Found::Value(_) => {}
                Found::Nothing => return wrong(row.name, Wrong::Unknown(reads)),
                Found::Later { made, number } => {
                    return wrong(
                        row.name,
                        Wrong::Unsynchronised {
                            reads,
                            made,
                            number,
                        },
                    );
                }
            }
            k += 1;
        }
        let mut axis = 0;
        while axis < row.shape.len() {
            if let Size::Symbol(symbol) = row.shape[axis]
                && !self.binds(symbol)
            {
                return wrong(row.name, Wrong::Unbound(symbol));
            }
            axis += 1;
        }
        match row.labour {
            Labour::Elements { .. } => self.elements(b, row),
            Labour::Reduction { reduce, .. } => self.reduction(b, row, reduce),
            Labour::Product { a, b: right, .. } => self.product(b, row, a, right),
        }
    }

    /// True if the symbol is in the shape of an input.
    const fn binds(&self, symbol: &str) -> bool {
        let mut i = 0;
        while i < self.inputs.len() {
            let shape = self.inputs[i].shape;
            let mut axis = 0;
            while axis < shape.len() {
                if shape[axis].is(Size::Symbol(symbol)) {
                    return true;
                }
                axis += 1;
            }
            i += 1;
        }
        false
    }

    /// The shape of what the stage reads, which was found before.
    const fn shape(&self, b: usize, row: &Row<'a>, name: &str) -> &'a [Size<'a>] {
        match self.lookup(b, row, name) {
            Found::Value(shape) => shape,
            _ => &[],
        }
    }

    const fn elements(&self, b: usize, row: &Row<'a>) -> Option<Fault<'a>> {
        let mut k = 0;
        while k < row.reads() {
            let reads = row.read(k);
            let shape = self.shape(b, row, reads);
            let mut from_end = 1;
            while from_end <= shape.len() {
                let has = shape[shape.len() - from_end];
                let wants = if from_end <= row.shape.len() {
                    Some(row.shape[row.shape.len() - from_end])
                } else {
                    None
                };
                let fits = match wants {
                    Some(wants) => has.is(wants) || has.is_one(),
                    None => false,
                };
                if !fits {
                    return wrong(
                        row.name,
                        Wrong::Operand {
                            reads,
                            from_end,
                            has,
                            wants,
                        },
                    );
                }
                from_end += 1;
            }
            k += 1;
        }
        None
    }

    const fn reduction(&self, b: usize, row: &Row<'a>, reduce: Reduce) -> Option<Fault<'a>> {
        let mut common = Shape::new();
        let mut k = 0;
        while k < row.reads() {
            let reads = row.read(k);
            match common.with(self.shape(b, row, reads)) {
                Ok(shape) => common = shape,
                Err((has, wants)) => {
                    return wrong(row.name, Wrong::Broadcast { reads, has, wants });
                }
            }
            k += 1;
        }
        if common.len == 0 {
            return wrong(row.name, Wrong::NothingToReduce);
        }
        if let Reduce::Smallest(k) = reduce {
            if k == 0 {
                return wrong(row.name, Wrong::NoneKept);
            }
            common.sizes[common.len - 1] = Size::Number(k);
        } else if row.shape.len() == common.len {
            common.sizes[common.len - 1] = Size::Number(1);
        } else {
            common.len -= 1;
        }
        wrongly(row.name, common.differs(row))
    }

    const fn product(
        &self,
        at: usize,
        row: &Row<'a>,
        a: Side<'a>,
        b: Side<'a>,
    ) -> Option<Fault<'a>> {
        let (x, y) = (self.shape(at, row, a.name), self.shape(at, row, b.name));
        if x.is_empty() || (a.transposed && x.len() < 2) {
            return wrong(row.name, Wrong::Factor(a.name));
        }
        if y.is_empty() || (b.transposed && y.len() < 2) {
            return wrong(row.name, Wrong::Factor(b.name));
        }
        let (rows, left) = matrix(x, a.transposed);
        let (inner, columns) = matrix(y, b.transposed);
        // A vector on the right is a column.
        let right = if y.len() == 1 { columns } else { inner };
        if !left.is(right) {
            return wrong(row.name, Wrong::Inner { left, right });
        }
        let mut made = match Shape::of(stack(x)).with(stack(y)) {
            Ok(shape) => shape,
            Err((has, wants)) => {
                return wrong(
                    row.name,
                    Wrong::Broadcast {
                        reads: b.name,
                        has,
                        wants,
                    },
                );
            }
        };
        if x.len() > 1 {
            made = made.then(rows);
        }
        if y.len() > 1 {
            made = made.then(columns);
        }
        wrongly(row.name, made.differs(row))
    }
}

const fn wrong<'a>(stage: &'a str, wrong: Wrong<'a>) -> Option<Fault<'a>> {
    Some(Fault { stage, wrong })
}

const fn wrongly<'a>(stage: &'a str, wrong: Option<Wrong<'a>>) -> Option<Fault<'a>> {
    match wrong {
        Some(wrong) => Some(Fault { stage, wrong }),
        None => None,
    }
}

const fn stage_of<'a>(round: &Round<'a>, name: &str) -> Option<&'a Row<'a>> {
    let mut r = 0;
    while r < round.rows.len() {
        if same_name(round.rows[r].name, name) {
            return Some(&round.rows[r]);
        }
        r += 1;
    }
    None
}

const fn first(round: &Round<'_>) -> u32 {
    let mut least = u32::MAX;
    let mut r = 0;
    while r < round.rows.len() {
        if round.rows[r].number < least {
            least = round.rows[r].number;
        }
        r += 1;
    }
    least
}

const fn last(round: &Round<'_>) -> u32 {
    let mut most = 0;
    let mut r = 0;
    while r < round.rows.len() {
        if round.rows[r].number > most {
            most = round.rows[r].number;
        }
        r += 1;
    }
    most
}

/// True for the shape of a single number.
const fn is_single(shape: &[Size<'_>]) -> bool {
    let mut axis = 0;
    while axis < shape.len() {
        if !shape[axis].is_one() {
            return false;
        }
        axis += 1;
    }
    true
}
