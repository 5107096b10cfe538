//! The repository as a whole: its files are consistent, and its tasks work as a program.

mod program;
mod project;
mod words;
