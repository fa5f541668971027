//! What can be wrong with a plan, and the words for it: the same when it is compiled and when it runs.

use super::declaration::Size;

/// Bytes of a message; names that do not fit are cut.
const ROOM: usize = 400;

/// What is wrong with a plan.
#[derive(Clone, Copy, Debug)]
pub struct Fault<'a> {
    /// The stage that is wrong; the input or output, where no stage is.
    pub stage: &'a str,
    /// What is wrong with it.
    pub wrong: Wrong<'a>,
}

/// What is wrong with a stage.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Wrong<'a> {
    /// It reads a value that is no input and that no stage makes.
    Unknown(&'a str),
    /// It reads a value that is not there yet.
    Unsynchronised {
        /// The value.
        reads: &'a str,
        /// The number before which the value is there at the earliest.
        made: u32,
        /// The number of the reader, or the smallest of its loop.
        number: u32,
    },
    /// Another stage or input has its name.
    Twice,
    /// It reads nothing.
    NoOperands,
    /// It has more axes than a plan takes.
    TooManyAxes,
    /// A symbol of its shape is in the shape of no input.
    Unbound(&'a str),
    /// An operand does not broadcast to its shape.
    Operand {
        /// The operand.
        reads: &'a str,
        /// The operand's axis, counted from the end.
        from_end: usize,
        /// Its extent there.
        has: Size<'a>,
        /// The extent of the stage there; none where the stage has no such axis.
        wants: Option<Size<'a>>,
    },
    /// The operands of a reduction do not broadcast.
    Broadcast {
        /// The operand that does not fit those before it.
        reads: &'a str,
        /// Its extent.
        has: Size<'a>,
        /// That of those before it.
        wants: Size<'a>,
    },
    /// A reduction whose operands have no axes.
    NothingToReduce,
    /// A factor of a product that has too few axes: none, or one to be transposed.
    Factor(&'a str),
    /// The inner extents of a product differ.
    Inner {
        /// Of the left factor.
        left: Size<'a>,
        /// Of the right factor.
        right: Size<'a>,
    },
    /// What the stage makes has another number of axes than it declares.
    Axes {
        /// What it makes.
        made: usize,
        /// What it declares.
        declared: usize,
    },
    /// What the stage makes has another extent than it declares.
    Result {
        /// The axis.
        axis: usize,
        /// What it makes.
        made: Size<'a>,
        /// What it declares.
        declared: Size<'a>,
    },
    /// The loop repeats its stages no time.
    NoRounds,
    /// The loop carries a value that none of its stages makes.
    NotCarried(&'a str),
    /// A loop ends by what is no stage of it, or no single number.
    NoEnd,
    /// None of the smallest is asked for.
    NoneKept,
    /// The loop carries a value that begins with another shape.
    OtherShape(&'a str),
    /// No stage makes this output.
    NoOutput,
    /// There is no output.
    NoOutputs,
}

/// A message, made without memory of its own, so that a constant can be one.
#[derive(Clone, Copy, Debug)]
pub struct Message {
    bytes: [u8; ROOM],
    len: usize,
}

impl Message {
    const fn new() -> Message {
        Message {
            bytes: [0; ROOM],
            len: 0,
        }
    }

    /// The text.
    ///
    /// ```
    /// use syntonic_core::pipeline::Sketch;
    ///
    /// const EMPTY: Sketch = Sketch { name: "Empty", inputs: &[], rounds: &[], outputs: &[] };
    /// assert!(EMPTY.fault().unwrap().what().as_str().starts_with("has no outputs"));
    /// ```
    pub const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            // A name was cut within a letter.
            Err(e) => match std::str::from_utf8(self.bytes.split_at(e.valid_up_to()).0) {
                Ok(text) => text,
                Err(_) => "",
            },
        }
    }

    const fn text(mut self, text: &str) -> Message {
        let text = text.as_bytes();
        let mut k = 0;
        while k < text.len() && self.len < ROOM {
            self.bytes[self.len] = text[k];
            self.len += 1;
            k += 1;
        }
        self
    }

    const fn number(self, n: usize) -> Message {
        let this = if n >= 10 { self.number(n / 10) } else { self };
        let digit = [b'0' + (n % 10) as u8];
        match std::str::from_utf8(&digit) {
            Ok(digit) => this.text(digit),
            Err(_) => this,
        }
    }

    const fn size(self, size: Size<'_>) -> Message {
        match size {
            Size::Symbol(name) => self.text(name),
            Size::Number(n) => self.number(n),
        }
    }
}

impl<'a> Fault<'a> {
    /// What is wrong, and the way out, without the names of the plan and the stage.
    ///
    /// ```
    /// use syntonic_core::pipeline::Sketch;
    ///
    /// const EMPTY: Sketch = Sketch { name: "Empty", inputs: &[], rounds: &[], outputs: &[] };
    /// assert!(EMPTY.fault().unwrap().what().as_str().contains("name at least one stage"));
    /// ```
    pub const fn what(&self) -> Message {
        let m = Message::new();
        match self.wrong {
            Wrong::Unknown(reads) => m
                .text("reads ")
                .text(reads)
                .text(", which is no input and no stage makes; hint: declare it, or mend the name"),
            Wrong::Unsynchronised { reads, made, number } => m
                .text("reads ")
                .text(reads)
                .text(", which is there after stage number ")
                .number(made as usize)
                .text(", at number ")
                .number(number as usize)
                .text("; hint: give the reader a larger number; what the round before made is carried by the loop"),
            Wrong::Twice => m.text("has the name of another stage or input; hint: names are unique"),
            Wrong::NoOperands => m.text("reads nothing; hint: name the operands of its formula"),
            Wrong::TooManyAxes => m.text("has more than 8 axes; hint: merge some"),
            Wrong::Unbound(symbol) => m
                .text("has the extent ")
                .text(symbol)
                .text(", which no input has; hint: extents are numbers, or symbols in the shape of an input"),
            Wrong::Operand { reads, from_end, has, wants } => {
                let m = m
                    .text("reads ")
                    .text(reads)
                    .text(", whose extent ")
                    .size(has)
                    .text(" on axis -")
                    .number(from_end);
                let m = match wants {
                    Some(wants) => m.text(" does not broadcast to ").size(wants),
                    None => m.text(" has no axis to go to"),
                };
                m.text("; hint: an axis that is repeated has the extent 1")
            }
            Wrong::Broadcast { reads, has, wants } => m
                .text("reads ")
                .text(reads)
                .text(", whose extent ")
                .size(has)
                .text(" does not broadcast with ")
                .size(wants)
                .text("; hint: an axis that is repeated has the extent 1"),
            Wrong::NothingToReduce => m.text("reduces values without axes; hint: leave the reduction out"),
            Wrong::Factor(reads) => m
                .text("multiplies ")
                .text(reads)
                .text(", which has too few axes; hint: a factor is a vector or a matrix, and only matrices are transposed"),
            Wrong::Inner { left, right } => m
                .text("multiplies factors whose inner extents differ: ")
                .size(left)
                .text(" and ")
                .size(right)
                .text("; hint: transpose one of them"),
            Wrong::Axes { made, declared } => m
                .text("makes a value of ")
                .number(made)
                .text(" axes and declares ")
                .number(declared)
                .text("; hint: a reduction drops the last axis, or keeps it with the extent 1"),
            Wrong::Result { axis, made, declared } => m
                .text("makes the extent ")
                .size(made)
                .text(" on axis ")
                .number(axis)
                .text(" and declares ")
                .size(declared),
            Wrong::NoRounds => m.text("is repeated 0 times; hint: repeat it once, or leave it out"),
            Wrong::NotCarried(from) => m
                .text("is carried from ")
                .text(from)
                .text(", which is no stage of the loop"),
            Wrong::NoneKept => m.text("asks for the 0 smallest; hint: ask for one at least"),
            Wrong::NoEnd => m.text(
                "ends a loop and is no single number that a stage of the loop makes; hint: name a stage of the shape [] or [1]",
            ),
            Wrong::OtherShape(from) => m
                .text("is carried from ")
                .text(from)
                .text(", whose shape is another one"),
            Wrong::NoOutput => m.text("is an output that no stage makes"),
            Wrong::NoOutputs => m.text("has no outputs; hint: name at least one stage"),
        }
    }

    /// The whole message: plan, stage, what is wrong and the way out.
    ///
    /// ```
    /// use syntonic_core::pipeline::Sketch;
    ///
    /// const EMPTY: Sketch = Sketch { name: "Empty", inputs: &[], rounds: &[], outputs: &[] };
    /// assert!(EMPTY.fault().unwrap().message("Empty").as_str().starts_with("Empty has no outputs"));
    /// ```
    pub const fn message(&self, plan: &str) -> Message {
        let what = self.what();
        let m = Message::new().text(plan);
        let m = match self.wrong {
            Wrong::NoOutputs => m,
            Wrong::NoOutput => m.text(": ").text(self.stage),
            _ => m.text(": stage ").text(self.stage),
        };
        m.text(" ").text(what.as_str())
    }
}
