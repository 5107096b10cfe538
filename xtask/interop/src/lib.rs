//! Third-party clients that play games served by the program. They are the tests of this crate, which `cargo xtask interop` runs. It is a
//! separate crate because other tests would otherwise compile these clients' dependencies, with more features of shared crates.

#![forbid(unsafe_code)]
