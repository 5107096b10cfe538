//! The repository tasks that need the games. They write generated files and run the search. `cargo xtask TASK` builds and starts this
//! program.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]
#![allow(clippy::print_stdout, reason = "a task prints the files that it has written")]

mod best_known;
mod curves;
mod depth;
mod docs;
mod equations;
mod evidence;
mod exploits;
mod levels;
mod notices;
mod rules;
mod save;
mod schema;
mod seasons;
mod weather;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Parser;
use xtask::Generate;

/// Writes the generated files of the repository.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Generate,
}

fn main() -> ExitCode {
    let result = match Cli::parse().task {
        Generate::Weather { check } => weather(check),
        Generate::Equations => equations(),
        Generate::Levels { check } => levels(check),
        Generate::Rules { check } => rules(check),
        Generate::Curves { check } => curves(check),
        Generate::Schema { check } => schema(check),
        Generate::Notices { check } => notices(check),
        Generate::Docs { check, rust } => docs(check, rust.as_deref()),
        Generate::Template { game, out, preset, force } => {
            let options = farm_games::Options { preset, set: Vec::new(), ..Default::default() };
            template(&farm_template::TemplateRequest { game, options, out, force })
        }
        Generate::Exploits(request) => exploits::run(&root(), &request),
        Generate::Depth(request) => depth::run(&root(), &request),
        Generate::Evidence(request) if request.check => {
            evidence::check(&root(), &request).map(|checked| println!("{checked}"))
        }
        Generate::Evidence(request) => evidence::write(&root(), &request),
        Generate::BestKnown(request) => best_known::run(&root(), &request),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn weather(check: bool) -> anyhow::Result<()> {
    weather::run(&root(), check)?;
    for table in &weather::TABLES {
        println!("{} {}", table.table, if check { "is up to date" } else { "written" });
    }
    Ok(())
}

fn equations() -> anyhow::Result<()> {
    println!("{} equations, each with a function and a test", equations::check(&root())?);
    Ok(())
}

fn levels(check: bool) -> anyhow::Result<()> {
    levels::run(&root(), check)?;
    println!("{} {}", levels::FOLDER, if check { "is up to date" } else { "written" });
    Ok(())
}

fn rules(check: bool) -> anyhow::Result<()> {
    println!("{} {}", rules::run(&root(), check)?, if check { "is up to date" } else { "written" });
    Ok(())
}

fn curves(check: bool) -> anyhow::Result<()> {
    curves::run(&root(), check)?;
    for page in &curves::PAGES {
        println!("{} and docs/{} {}", page.file, page.pictures, if check { "are up to date" } else { "written" });
    }
    println!("the charts of {} {}", seasons::PAGE, if check { "are up to date" } else { "written" });
    Ok(())
}

fn schema(check: bool) -> anyhow::Result<()> {
    schema::run(&root(), check)?;
    println!("{} {}", schema::FOLDER, if check { "is up to date" } else { "written" });
    Ok(())
}

fn notices(check: bool) -> anyhow::Result<()> {
    let crates = notices::run(&root(), check)?;
    println!("{} with {crates} crates {}", notices::FILE, if check { "is up to date" } else { "written" });
    Ok(())
}

fn docs(check: bool, rust: Option<&Path>) -> anyhow::Result<()> {
    let target = xtask::target(&root());
    let folder = if check { target.join(format!("site-check-{}", std::process::id())) } else { target };
    let built = docs::build(&root(), &folder, rust);
    if check && folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("{} can't be removed", folder.display()))?;
    }
    let site = built?;
    let place = if check { "the site builds".to_owned() } else { site.folder.join("index.html").display().to_string() };
    println!("{place}: {} pages, {} working links", site.pages, site.links);
    Ok(())
}

fn template(request: &farm_template::TemplateRequest) -> anyhow::Result<()> {
    let made = farm_template::template(request)?;
    made.write()?;
    print!("{made}");
    Ok(())
}

/// The top of the repository.
fn root() -> PathBuf {
    xtask::repository(env!("CARGO_MANIFEST_DIR"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }

    /// `cargo xtask` must stay light, because users of a fresh clone wait for its build.
    #[test]
    fn the_program_that_writes_skeletons_depends_on_none_of_the_games() {
        for manifest in ["xtask/Cargo.toml", "farm-scaffold/Cargo.toml"] {
            let text = std::fs::read_to_string(super::root().join(manifest)).unwrap();
            let dependencies = text.split_once("\n[dependencies]\n").unwrap().1.split("\n[").next().unwrap();
            let names: Vec<&str> = dependencies.lines().filter_map(|line| line.split(['.', ' ']).next()).collect();
            for name in names.iter().filter(|name| !name.is_empty()) {
                assert!(["anyhow", "clap", "farm-scaffold"].contains(name), "{manifest} depends on {name}");
            }
        }
    }
}
