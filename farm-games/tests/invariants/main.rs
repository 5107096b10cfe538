//! The invariants of the platform, over everything that is registered and every game of the catalogue.
//!
//! `ARCHITECTURE.md` lists them by number; each test carries the number of the invariant it guards.

mod allocation;
mod common;
mod conformance;
mod determinism;
mod documentation;
mod ends;
mod former;
mod headers;
mod mutations;
mod names;
mod observations;
mod parts;
mod problems;
mod ranges;
mod registry;
mod snapshots;
