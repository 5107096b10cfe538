//! Policies that learn a family's rules while they play. They know the words of a game, or also the family's prior.

mod adaptive_policy;
mod bayesian_policy;
mod valley_learner;

pub use adaptive_policy::AdaptivePolicy;
pub use bayesian_policy::BayesianPolicy;
