//! The planners of both grid games against exhaustive search, against the engine, and against known facts.

mod backwards_valley;
mod baselines;
mod claims;
mod levels;
mod support;
mod valley_farm;
