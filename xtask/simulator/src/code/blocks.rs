//! Cuts steps into stretches without branches.

use super::step::{Act, Step};

/// A stretch of steps.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// Its first step.
    pub(crate) start: usize,
    /// The step after its last ordinary one.
    pub(crate) end: usize,
    /// The step that says what comes then; without one it is the next stretch.
    pub(crate) exit: Option<usize>,
}

impl Span {
    /// All its steps.
    pub(crate) fn steps(&self) -> std::ops::Range<usize> {
        self.start..self.exit.map_or(self.end, |exit| exit + 1)
    }
}

/// The stretches of a kernel, and which one each label starts.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    pub(crate) spans: Vec<Span>,
    labels: Vec<u32>,
}

impl Flow {
    /// Cuts `steps`, of which the last ends the thread.
    pub(crate) fn of(steps: &[Step]) -> Self {
        let mut flow = Self::default();
        let mut start = 0;
        for (index, step) in steps.iter().enumerate() {
            match &step.act {
                Act::Op(_) => {}
                Act::Label(label) => {
                    if start < index {
                        flow.spans.push(Span {
                            start,
                            end: index,
                            exit: None,
                        });
                    }
                    start = index + 1;
                    let label = *label as usize;
                    if flow.labels.len() <= label {
                        flow.labels.resize(label + 1, 0);
                    }
                    flow.labels[label] = flow.spans.len() as u32;
                }
                // Lanes wait at such a step, so it is a stretch of its own.
                Act::Together(_) | Act::Meet { .. } | Act::ClusterWait if start < index => {
                    flow.spans.push(Span {
                        start,
                        end: index,
                        exit: None,
                    });
                    flow.spans.push(Span {
                        start: index,
                        end: index,
                        exit: Some(index),
                    });
                    start = index + 1;
                }
                _ => {
                    flow.spans.push(Span {
                        start,
                        end: index,
                        exit: Some(index),
                    });
                    start = index + 1;
                }
            }
        }
        if start < steps.len() {
            flow.spans.push(Span {
                start,
                end: steps.len(),
                exit: None,
            });
        }
        flow
    }

    /// The stretch that a label starts.
    pub(crate) fn target(&self, label: u32) -> u32 {
        self.labels.get(label as usize).copied().unwrap_or(0)
    }

    /// The stretches that may come after one.
    pub(crate) fn successors(&self, steps: &[Step], span: usize) -> Vec<usize> {
        let next = Some(span + 1).filter(|&next| next < self.spans.len());
        let Some(exit) = self.spans[span].exit else {
            return next.into_iter().collect();
        };
        match &steps[exit].act {
            Act::Jump(label) => vec![self.target(*label) as usize],
            Act::Branch { label, .. } => next
                .into_iter()
                .chain([self.target(*label) as usize])
                .collect(),
            Act::Table(labels) => labels
                .iter()
                .map(|label| self.target(*label) as usize)
                .collect(),
            Act::End => Vec::new(),
            _ => next.into_iter().collect(),
        }
    }
}
