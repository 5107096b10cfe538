#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! Each entity is one file (or folder), coupled to the others only through the roles in [`farm_roles`].

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

pub mod agronomy;
pub mod grid;
