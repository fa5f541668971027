//! Everything about a search but its tensors, as a file says it.

use super::plan::Plan;
use super::restarts::Begun;
use super::rules::Rule;
use super::search::DeviceSearch;
use crate::evolve::attempt::{Attempt, window};
use crate::evolve::exact;
use serde::{Deserialize, Serialize};
use syntonic_core::DType;

/// Raised when older programs can no longer read what is written.
pub(super) const VERSION: u32 = 3;
/// The first version: its "res" is [`Rule::Separable`].
const FIRST: u32 = 1;
/// The last version with attempts of its own kind.
const FORMER: u32 = 2;
/// Everything about a search but its tensors.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct About<A = Begun> {
    rule: String,
    /// Of OpenAI's strategy; 0 for the others.
    #[serde(with = "exact")]
    learning_rate: f64,
    dtype: String,
    pub(super) seed: u64,
    pub(super) generation: u64,
    runs: usize,
    n: usize,
    population: usize,
    pub(super) batched: bool,
    pub(super) bounded: bool,
    /// The present attempt, where they follow each other.
    pub(super) restarts: Option<A>,
    /// Best scores of its latest generations.
    #[serde(default)]
    pub(super) recent: usize,
}

/// What versions before this one knew of the present attempt.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FormerAttempt {
    number: u32,
    population: usize,
    #[serde(with = "exact")]
    sigma: f64,
    #[serde(rename = "began")]
    _began: u64,
    improved: u64,
    #[serde(with = "exact")]
    best: f64,
    #[serde(rename = "level")]
    _level: u64,
    #[serde(with = "exact", rename = "least")]
    _least: f64,
    #[serde(with = "exact", rename = "most")]
    _most: f64,
}

impl FormerAttempt {
    fn begun(self) -> Begun {
        let best = Some(self.best).filter(|best| best.is_finite());
        let mut attempt = Attempt::of_old(self.improved, best);
        attempt.number = self.number;
        Begun {
            population: self.population,
            sigma: self.sigma,
            attempt,
        }
    }
}

impl About {
    pub(super) fn of(search: &DeviceSearch) -> About {
        let (rule, learning_rate) = match search.rule {
            Rule::Res => ("res", 0.0),
            Rule::Separable => ("separable", 0.0),
            Rule::SeparableCma => ("separable_cma", 0.0),
            Rule::Snes => ("snes", 0.0),
            Rule::OpenAi { rate } => ("openai", rate),
        };
        let plan = search.plan;
        About {
            rule: rule.into(),
            learning_rate,
            dtype: plan.dtype.to_string(),
            seed: search.seed,
            generation: search.generation,
            runs: plan.runs,
            n: plan.n,
            population: plan.population,
            batched: search.batched,
            bounded: search.bounds.numel() > 0,
            restarts: search.attempts.as_ref().map(|a| a.now.without_recent()),
            recent: search
                .attempts
                .as_ref()
                .map_or(0, |a| a.now.attempt.recent.len()),
        }
    }

    /// What the text of a version says.
    pub(super) fn read(text: &str, version: u32) -> serde_json::Result<About> {
        if version > FORMER {
            return serde_json::from_str(text);
        }
        let former = serde_json::from_str::<About<FormerAttempt>>(text)?;
        let rule = match &former.rule[..] {
            "res" if version == FIRST => "separable".into(),
            _ => former.rule,
        };
        Ok(About {
            rule,
            learning_rate: former.learning_rate,
            dtype: former.dtype,
            seed: former.seed,
            generation: former.generation,
            runs: former.runs,
            n: former.n,
            population: former.population,
            batched: former.batched,
            bounded: former.bounded,
            restarts: former.restarts.map(FormerAttempt::begun),
            recent: 0,
        })
    }

    /// Whether an attempt has seen so many generations.
    pub(super) fn has_seen(&self) -> bool {
        let most = window(self.n, self.population).min(self.generation);
        self.recent == 0 || (self.restarts.is_some() && self.recent as u64 <= most)
    }

    /// Rule and sizes, if words stand for them.
    pub(super) fn named(&self) -> std::result::Result<(Rule, Plan), String> {
        let rule = match &self.rule[..] {
            "res" => Rule::Res,
            "separable" => Rule::Separable,
            "separable_cma" => Rule::SeparableCma,
            "snes" => Rule::Snes,
            "openai" => Rule::OpenAi {
                rate: self.learning_rate,
            },
            other => return Err(format!("its rule is {other:?}, which nobody knows")),
        };
        let dtype = match &self.dtype[..] {
            "float32" => DType::F32,
            "float64" => DType::F64,
            other => {
                return Err(format!(
                    "it is in {other:?}, and searches are in float32 or float64"
                ));
            }
        };
        let plan = Plan {
            runs: self.runs,
            n: self.n,
            population: self.population,
            mirrored: rule.is_mirrored(),
            dtype,
        };
        Ok((rule, plan))
    }
}
