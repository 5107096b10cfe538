//! `farm serve`: games over the wire, for trainers, agents and browsers.

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use farm_games::{CATALOGUE, Options};
use farm_serve::{Games, Limits, LogForm, Server, Settings};

use crate::arguments::{self, at_least_one};
use crate::{interrupts, memory, output};

const EXAMPLES: &str = "\
EXAMPLES:
  farm serve                       all games of the catalogue, on http://127.0.0.1:8000/
  farm serve GAME --port 9000
  farm serve GAME --record runs    keeps what is played
  FARM_TOKEN=… farm serve GAME --host 0.0.0.0 --token-env FARM_TOKEN --allow-host farm.example.org

  /ws, /reset, /step, /state       OpenEnv: the first game; each game is under /games/GAME as well
  /mcp                             the Model Context Protocol
  /health, /metrics                for whoever operates it
  /                                the page in the browser

The server listens on this machine alone unless `--host` says otherwise, and then it wants a token.";

/// Serves games: to trainers by OpenEnv, to agents by MCP, and to a browser
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Games of the catalogue (`farm list games`), members of families, or paths of YAML files; all games of the catalogue if none is named.
    /// The first one is played where a client names none
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
    /// Keeps what is played in sessions, a file of JSON lines for each episode
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// Threads; as many as the machine has if nothing is said
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZero<u16>>,
    /// How events of the server are written to standard error
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    #[command(flatten)]
    limits: LimitArguments,
}

/// How much clients may take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
struct LimitArguments {
    /// The most sessions at once
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().max_sessions as u32, value_parser = at_least_one::<u32>)]
    max_sessions: u32,
    /// The most connections at once
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().max_connections as u32, value_parser = at_least_one::<u32>)]
    max_connections: u32,
    /// The longest body or message, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().max_body_bytes as u32, value_parser = at_least_one::<u32>)]
    max_body: u32,
    /// The most requests that an address may begin in a second; a message of a session is not a request
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().max_requests_per_second, value_parser = at_least_one::<u32>)]
    max_requests: u32,
    /// After how many seconds without a message a session ends
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().idle.as_secs() as u32, value_parser = at_least_one::<u32>)]
    idle: u32,
    /// How many seconds a request may take to arrive
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().request.as_secs() as u32, value_parser = at_least_one::<u32>)]
    request_time: u32,
}

impl LimitArguments {
    fn limits(&self) -> Limits {
        Limits {
            max_sessions: self.max_sessions as usize,
            max_connections: self.max_connections as usize,
            max_body_bytes: self.max_body as usize,
            max_requests_per_second: self.max_requests,
            idle: Duration::from_secs(self.idle.into()),
            request: Duration::from_secs(self.request_time.into()),
            ..Limits::default()
        }
    }
}

/// How events are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Log {
    /// Lines for people
    Text,
    /// Lines of JSON
    Json,
    /// Not at all
    Off,
}

/// Serves until a signal comes.
///
/// # Errors
/// Problems of a game; an address that can't be listened on, or that needs a token.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let all = || CATALOGUE.iter().map(|game| game.name.to_owned()).collect();
    let names = if arguments.games.is_empty() { all() } else { arguments.games.clone() };
    let options = Options {
        allow_plugins: arguments::are_plugins_allowed(),
        allow_outside_files: arguments::are_outside_files_allowed(),
        ..Options::default()
    };
    let games = Games::open(&names, &options)?;
    for game in games.all() {
        output::warn(game.warnings());
    }
    let token = arguments.token_env.as_ref().map(|name| {
        std::env::var(name).with_context(|| format!("--token-env: the environment variable `{name}` can't be read"))
    });
    let settings = Settings {
        host: arguments.host,
        port: arguments.port,
        allowed_hosts: arguments.allowed_hosts.clone(),
        token: token.transpose()?,
        record: arguments.record.clone(),
        limits: arguments.limits.limits(),
    };
    let is_open = !settings.host.is_loopback();
    match arguments.log {
        Log::Text => farm_serve::log_to_stderr(LogForm::Text),
        Log::Json => farm_serve::log_to_stderr(LogForm::Json),
        Log::Off => {}
    }
    let server = Server::bind(games, settings)?;
    let games = if names.len() == 1 { "1 game".to_owned() } else { format!("{} games", names.len()) };
    output::note(format!("http://{}/ serves {games}; Ctrl-C ends it", server.address()));
    if is_open {
        output::note(
            "other machines reach this address: whoever has the token can play every game and read what is served; nothing is encrypted",
        );
    }
    memory::note("while games were served", "allow fewer sessions (`--max-sessions`) or serve smaller games");
    let threads = arguments.threads.map_or_else(arguments::cores, |threads| usize::from(threads.get()));
    server.run(threads, farm_serve::signal(interrupts::is_hangup_ignored()))?;
    output::note("the server has ended");
    Ok(ExitCode::SUCCESS)
}
