//! `farm serve`: games over the wire, for trainers, agents and browsers.

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZero;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use farm_games::{CATALOGUE, Options};
use farm_serve::{Games, Server, Settings};

use crate::output;

const EXAMPLES: &str = "\
EXAMPLES:
  farm serve                       all games of the catalogue, on http://127.0.0.1:8000/
  farm serve clay_bean --port 9000
  FARM_TOKEN=… farm serve --host 0.0.0.0 --token-env FARM_TOKEN --allow-host farm.example.org

The server listens on this machine alone unless `--host` says otherwise, and then it wants a token.";

/// Serves games: to trainers by OpenEnv, to agents by MCP, and to a browser
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Games of the catalogue (`farm list games`), or paths of YAML files; all games of the catalogue if none is named. The first one is played
    /// where a client names none
    #[arg(value_name = "GAME|FILE.yaml")]
    games: Vec<String>,
    /// The address to listen on; one that other machines reach needs a token
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// The port; 0 takes one that is free
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// A name by which clients call the server, besides its address; may be given several times
    #[arg(long = "allow-host", value_name = "NAME")]
    allowed_hosts: Vec<String>,
    /// The environment variable that holds the token that clients must send
    #[arg(long, value_name = "VARIABLE")]
    token_env: Option<String>,
    /// Threads; as many as the machine has if nothing is said
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZero<u16>>,
}

/// Serves until a signal comes.
///
/// # Errors
/// Problems of a game; an address that can't be listened on, or that needs a token.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let all = || CATALOGUE.iter().map(|game| game.name.to_owned()).collect();
    let names = if arguments.games.is_empty() { all() } else { arguments.games.clone() };
    let options = Options {
        allow_plugins: crate::arguments::are_plugins_allowed(),
        allow_outside_files: crate::arguments::are_outside_files_allowed(),
        ..Options::default()
    };
    let games = Games::open(&names, &options)?;
    let token = arguments.token_env.as_ref().map(|name| {
        std::env::var(name).with_context(|| format!("--token-env: the environment variable `{name}` can't be read"))
    });
    let settings = Settings {
        host: arguments.host,
        port: arguments.port,
        allowed_hosts: arguments.allowed_hosts.clone(),
        token: token.transpose()?,
        ..Settings::default()
    };
    let is_open = !settings.host.is_loopback();
    let server = Server::bind(games, settings)?;
    output::note(format!("http://{}/ serves {} games; Ctrl-C ends it", server.address(), names.len()));
    if is_open {
        output::note(
            "other machines reach this address: whoever has the token can play every game, and read what is served, without encryption",
        );
    }
    let threads = arguments.threads.map_or_else(crate::arguments::cores, |threads| usize::from(threads.get()));
    server.run(threads, farm_serve::signal())?;
    Ok(ExitCode::SUCCESS)
}
