//! What people and models read: what is said of mistakes, and the text channel.

mod diagnostics;
mod measures;
mod text_channel;
