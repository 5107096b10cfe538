//! The server as clients meet it: over sockets, those included that mean it harm.

mod agents_only;
mod branches;
mod class;
mod client;
mod fairness;
mod families;
mod forks;
mod games;
mod hostile;
mod lessons;
mod mcp;
mod odd_game;
mod one_way;
mod openenv;
mod record;
mod warnings;
