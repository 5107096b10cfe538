//! Third-party clients that play games served by the program: the tests of this crate, which `cargo xtask interop` runs. It is a separate
//! crate, because other tests would otherwise compile the dependencies of these clients, with more features of shared crates.

#![forbid(unsafe_code)]
