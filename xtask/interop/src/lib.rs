//! Third-party clients that play games served by the program. They are this crate's tests, which `cargo xtask interop` runs. The crate is
//! separate, because other tests would otherwise also compile these clients' dependencies, with more features of shared crates.

#![forbid(unsafe_code)]
