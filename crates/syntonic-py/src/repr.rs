//! How a State shows itself: values at the edges, shape, dtype, device. A large State is never copied for it.

use crate::enter::{enter, force};
use crate::errors::raise;
use crate::memory::made;
use crate::state::State;
use pyo3::prelude::*;
use syntonic_core::{DeviceId, Tensor, Words};

/// What is said of a State goes on a line of its own where it would pass this width.
const WIDTH: usize = 88;

/// The values as nested brackets, the first of which stands in column `indent`.
fn values(py: Python<'_>, t: &Tensor, indent: usize) -> PyResult<String> {
    enter(py, t.waiting(), || t.text(Words::Python, indent))
}

/// `(2, 3)`, `(2,)` or `()`.
fn shape(t: &Tensor) -> String {
    match t.shape() {
        [one] => format!("({one},)"),
        many => format!(
            "({})",
            many.iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}

#[pymethods]
impl State {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let t = &self.tensor;
        let text = match values(py, t, "State(".len()) {
            // What cannot be read can still be named: a debugger prints States of a GPU that was lost, too.
            Err(why) if t.device_id() != DeviceId::Cpu => {
                format!("<cannot be read: {}>", why.value(py).str()?)
            }
            text => text?,
        };
        let about = format!(
            "shape={}, dtype={}, device='{}'",
            shape(t),
            t.dtype(),
            t.device_id()
        );
        let last = text
            .rsplit('\n')
            .next()
            .map_or(0, |line| line.chars().count());
        let lead = if text.contains('\n') {
            0
        } else {
            "State(".len()
        };
        let gap = if lead + last + about.len() + 3 > WIDTH || text.contains('\n') {
            "\n      "
        } else {
            " "
        };
        Ok(format!("State({text},{gap}{about})"))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        values(py, &self.tensor, 0)
    }

    /// Every number that is shown in Python's format for numbers, as `str` lays them out.
    fn __format__(&self, py: Python<'_>, spec: &str) -> PyResult<String> {
        if spec.is_empty() {
            return self.__str__(py);
        }
        // What is read runs without the interpreter, what is written needs it.
        let t = force(py, &self.tensor)?;
        let mut refused = None;
        let text = t.text_by(0, &mut |x| {
            let text =
                made::number(py, x).and_then(|x| x.call_method1("__format__", (spec,))?.extract());
            text.unwrap_or_else(|why| {
                refused.get_or_insert(why);
                String::new()
            })
        });
        match refused {
            Some(why) => Err(why),
            None => text.map_err(raise),
        }
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let t = &self.tensor;
        let text = values(py, t, 0)?;
        Ok(format!(
            "<div><code>State {} {} on {}</code><pre>{text}</pre></div>",
            shape(t),
            t.dtype(),
            t.device_id()
        ))
    }
}
