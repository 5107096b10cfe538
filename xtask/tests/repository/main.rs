//! The repository as a whole: what its files say of each other, and its tasks as a program.

mod program;
mod project;
mod words;
