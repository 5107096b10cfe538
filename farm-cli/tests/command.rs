//! The built program, command by command.

mod agents;
mod cli;
mod converse;
mod diagnostics;
mod eval;
mod family;
mod films;
mod graph;
mod levels;
mod monitoring;
mod package;
mod play;
mod plugins;
mod program;
mod report;
mod security;
mod template;
