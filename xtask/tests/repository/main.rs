//! The repository as a whole: its files are consistent, and its tasks work as a program.

mod layers;
mod program;
mod project;
mod sources;
mod words;
