//! What the text of scores depends on.

use crate::codegen::form::Form;
use crate::fnv::Fnv;

/// What an operand of the score is to the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The product of a query and a key.
    Score,
    /// On the way back: the slope of a weight, and the logarithm of its row's sum and the mean of its row's slopes.
    Slope,
    Sum,
    Mean,
    /// A number among the parameters.
    Number,
    /// A position, which grows by so much from row to row and from column to column.
    Index {
        row: i64,
        col: i64,
    },
    /// In memory, one element for all of a head, for each row, for each column, or for each pair of them.
    Head,
    Rows,
    Columns,
    Each,
}

impl Kind {
    /// The same operand where keys are the rows.
    pub(super) fn turned(self) -> Kind {
        match self {
            Kind::Index { row, col } => Kind::Index { row: col, col: row },
            Kind::Rows => Kind::Columns,
            Kind::Columns => Kind::Rows,
            other => other,
        }
    }
}

/// The scores of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scores {
    /// The score over the scaled product; on the way back weights and their slopes.
    pub(super) form: Form,
    /// What each of its operands is.
    pub(super) kinds: Vec<Kind>,
    /// Whether it is the product as it is, by a positive number: then the exponent takes the number.
    pub(super) plain: bool,
    /// Whether a query attends to no key behind it.
    pub(super) causal: bool,
}

impl Scores {
    pub(super) fn hash(&self, hash: &mut Fnv) {
        let form = self.form.fingerprint();
        for half in [form as u32, (form >> 32) as u32] {
            hash.number(half);
        }
        for kind in &self.kinds {
            match *kind {
                Kind::Score => hash.byte(0),
                Kind::Number => hash.byte(1),
                Kind::Index { row, col } => {
                    hash.byte(2);
                    for stride in [row, col] {
                        hash.number(stride as u32);
                        hash.number((stride >> 32) as u32);
                    }
                }
                Kind::Head => hash.byte(3),
                Kind::Rows => hash.byte(4),
                Kind::Columns => hash.byte(5),
                Kind::Each => hash.byte(6),
                Kind::Slope => hash.byte(7),
                Kind::Sum => hash.byte(8),
                Kind::Mean => hash.byte(9),
            }
        }
        for flag in [self.plain, self.causal] {
            hash.byte(u8::from(flag));
        }
    }
}
