//! Clients of others that play what the program serves: the tests of this crate, which `cargo xtask interop` runs. A crate of its own, since
//! what these clients need would be compiled, and would raise features of what the games need, in every other test.

#![forbid(unsafe_code)]
