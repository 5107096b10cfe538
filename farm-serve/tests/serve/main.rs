//! The server as clients meet it: over sockets, those included that mean it harm.

mod client;
mod fairness;
mod games;
mod hostile;
mod mcp;
mod odd_game;
mod openenv;
mod record;
mod warnings;
