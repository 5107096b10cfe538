//! `farm serve`: serves games over the network to trainers, agents and browsers.

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};
use farm_games::{CATALOGUE, Options};
use farm_serve::{Games, Lesson, Limits, LogForm, Server, Settings};

use crate::arguments::{self, at_least_one};
use crate::class::{self, ClassArguments};
use crate::{interrupts, memory, output};

const EXAMPLES: &str = "\
Examples:
  farm serve                       all games on http://127.0.0.1:8000/
  farm serve GAME --port 9000
  farm serve GAME --record runs    records all sessions
  farm serve GAME --no-playground  if agents can reach the address
  farm serve --lesson look-and-wait
  farm serve --class \"Spring 9b\"  one address for pupils, with a QR code
  FARM_TOKEN=… farm serve GAME --host 0.0.0.0 --token-env FARM_TOKEN --allow-host farm.example.org

Routes:
  /                                the playground in the browser
  /ws, /reset, /step, /state       OpenEnv, first game; all games under /games/GAME
  /mcp                             the Model Context Protocol: one episode for each session or world
  /health, /metrics                monitoring

By default, the server listens on localhost only. Any other `--host` needs a token.";

/// Play in the browser, or serve games to trainers and agents
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Games, members of families, or paths of YAML files [default: all games]. Clients that name no game get the first one
    #[arg(value_name = "GAME|FILE.yaml")]
    games: Vec<String>,
    /// Address to listen on; an address that other machines can reach needs --token-env [default: 127.0.0.1; for a class, this machine's
    /// address in its network]
    #[arg(long)]
    host: Option<IpAddr>,
    /// Port; 0 picks a free port
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// Also accept requests for this host name, not only for the address. Repeatable
    #[arg(long = "allow-host", value_name = "NAME")]
    allowed_hosts: Vec<String>,
    /// Environment variable with the token that clients must send
    #[arg(long, value_name = "VARIABLE")]
    token_env: Option<String>,
    /// Write each episode to a file of JSON lines
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    /// Serve only trainers and agents, without the page for browsers, which shows hidden rules and plans
    #[arg(long)]
    no_playground: bool,
    /// Number of threads [default: all cores]
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZero<u16>>,
    /// Format of log lines on standard error
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    /// Open the page with a lesson: its name, or the path of your own
    #[arg(long, value_name = "NAME|FILE.yaml", conflicts_with = "no_playground")]
    lesson: Option<String>,
    #[command(flatten)]
    class: ClassArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

/// Limits for clients.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
struct LimitArguments {
    /// Maximum number of open sessions
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().max_sessions as u32, value_parser = at_least_one::<u32>)]
    max_sessions: u32,
    /// Maximum number of open connections
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().max_connections as u32, value_parser = at_least_one::<u32>)]
    max_connections: u32,
    /// Maximum length of a body or message, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().max_body_bytes as u32, value_parser = at_least_one::<u32>)]
    max_body: u32,
    /// Maximum new requests per second and address; messages within a session do not count
    #[arg(long, value_name = "NUMBER", default_value_t = Limits::default().max_requests_per_second, value_parser = at_least_one::<u32>)]
    max_requests: u32,
    /// Seconds without a message after which a session ends
    #[arg(long, value_name = "SECONDS", default_value_t = Limits::default().idle.as_secs() as u32, value_parser = at_least_one::<u32>)]
    idle: u32,
    /// Seconds within which a request must arrive
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

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Log {
    /// Lines for people
    Text,
    /// Lines of JSON
    Json,
    /// No log
    Off,
}

/// Serves until a signal arrives.
///
/// # Errors
/// Fails if a game has errors, or if the address can't be used or needs a token.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let all = || CATALOGUE.iter().map(|game| game.name.to_owned()).collect();
    let names = if arguments.games.is_empty() { all() } else { arguments.games.clone() };
    let options = Options {
        allow_plugins: arguments::are_plugins_allowed(),
        allow_outside_files: arguments::are_outside_files_allowed(),
        ..Options::default()
    };
    let lesson = arguments.lesson.as_deref().map(Lesson::read).transpose()?;
    let others = lesson.iter().flat_map(Lesson::games).filter(|game| !names.contains(game));
    let names: Vec<String> = names.iter().cloned().chain(others).collect();
    let games = Games::open(&names, &options)?;
    for game in games.all() {
        output::warn(game.warnings());
    }
    let token = arguments.token_env.as_ref().map(|name| {
        std::env::var(name).with_context(|| format!("--token-env: the environment variable `{name}` can't be read"))
    });
    let class = arguments.class.settings();
    let own = || if class.is_some() { class::own_address() } else { IpAddr::V4(Ipv4Addr::LOCALHOST) };
    let settings = Settings {
        host: arguments.host.unwrap_or_else(own),
        port: arguments.port,
        allowed_hosts: arguments.allowed_hosts.clone(),
        token: token.transpose()?,
        record: arguments.record.clone(),
        limits: arguments.limits.limits(),
        playground: !arguments.no_playground,
        lessons: lesson.iter().cloned().collect(),
    };
    let is_open = !settings.host.is_loopback();
    match arguments.log {
        Log::Text => farm_serve::log_to_stderr(LogForm::Text),
        Log::Json => farm_serve::log_to_stderr(LogForm::Json),
        Log::Off => {}
    }
    let threads = arguments.threads.map_or_else(arguments::cores, |threads| usize::from(threads.get()));
    if let Some(class) = &class {
        let server = class::bind(games, class, settings)?;
        server.run(threads, farm_serve::signal(interrupts::is_hangup_ignored()))?;
        output::note("the server has stopped; the class is saved");
        return Ok(ExitCode::SUCCESS);
    }
    let server = Server::bind(games, settings)?;
    let games = if names.len() == 1 { "1 game".to_owned() } else { format!("{} games", names.len()) };
    output::note(format!("http://{}/ serves {games}; Ctrl-C ends it", server.address()));
    if let Some(lesson) = &lesson {
        output::note(format!("the lesson: http://{}/#lesson={}", server.address(), lesson.name()));
    }
    if is_open {
        output::note(
            "other machines can reach this address: any client with the token can play all games and read their data; nothing is encrypted",
        );
    }
    memory::note("while games were served", "allow fewer sessions (`--max-sessions`) or serve smaller games");
    server.run(threads, farm_serve::signal(interrupts::is_hangup_ignored()))?;
    output::note("the server has stopped");
    Ok(ExitCode::SUCCESS)
}
