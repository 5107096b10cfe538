//! The repository as a whole: its files agree with each other, and its tasks work as a program.

mod program;
mod project;
mod words;
