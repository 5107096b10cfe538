//! The call of the command line: the program's name and arguments.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};

use anstream::ColorChoice;
use clap::builder::{Resettable, StyledStr};
use farm_core::config::{CommandLine, Phrase};
use farm_core::labels::Language;

/// The program's name in texts in the source code.
const NAME: &str = "farm";

/// The last call in this process. A program makes one call; a Python session may make several calls, one after another.
static CALLED: Mutex<(String, Vec<OsString>)> = Mutex::new((String::new(), Vec::new()));

/// Stores the call, and returns it in the form that clap reads, with the name first.
pub(crate) fn note(program: &str, words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let words: Vec<OsString> = words.into_iter().collect();
    *CALLED.lock().unwrap_or_else(PoisonError::into_inner) = (program.to_owned(), words.clone());
    std::iter::once(OsString::from(program)).chain(words).collect()
}

/// The program's name and arguments.
pub(crate) fn noted() -> (String, Vec<OsString>) {
    CALLED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The language that the call has chosen.
static LANGUAGE: Mutex<Language> = Mutex::new(Language::English);

/// Stores the language that the call has chosen.
pub(crate) fn choose_language(language: Language) {
    *LANGUAGE.lock().unwrap_or_else(PoisonError::into_inner) = language;
}

/// The language for screens and pages.
pub(crate) fn language() -> Language {
    *LANGUAGE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Applies `--color` before the arguments are parsed. Invalid choices are reported when the arguments are parsed.
pub(crate) fn choose_colors(words: &[OsString]) {
    let words: Vec<&str> = words.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let beside = words.windows(2).filter(|pair| pair[0] == "--color").map(|pair| pair[1]);
    let choice = words.iter().filter_map(|word| word.strip_prefix("--color=")).chain(beside).next_back();
    let choice = match choice {
        Some("always") => ColorChoice::Always,
        Some("never") => ColorChoice::Never,
        _ => ColorChoice::Auto,
    };
    choice.write_global();
}

/// The phrase as text, in which commands use the program's name.
pub(crate) fn phrased(phrase: &Phrase) -> String {
    phrase.told_by(&CommandLine(&name()))
}

/// The program's name.
pub(crate) fn name() -> String {
    let (program, _) = noted();
    if program.is_empty() { NAME.to_owned() } else { program }
}

/// The command line for a program with this name, which the examples in its help also use.
pub(crate) fn named(command: clap::Command, program: &'static str) -> clap::Command {
    // Lines are wrapped only on a terminal; files and programs get them whole.
    let command = if std::io::stdout().is_terminal() { command } else { command.term_width(0) };
    if program == NAME { command } else { renamed(command, program).name(program).bin_name(program) }
}

fn renamed(command: clap::Command, program: &str) -> clap::Command {
    let rename = |text: Option<&StyledStr>| {
        Resettable::from(text.map(|text| StyledStr::from(under_name(&text.to_string(), program))))
    };
    let examples = rename(command.get_after_help());
    let command = command.mut_subcommands(|subcommand| renamed(subcommand, program)).after_help(examples);
    command.mut_args(|argument| {
        let (short, long) = (rename(argument.get_help()), rename(argument.get_long_help()));
        argument.help(short).long_help(long)
    })
}

/// Renames the program in text, in commands in backticks and in commands at the start of a line. After a command at the start of a line,
/// the columns shift accordingly.
fn under_name(text: &str, program: &str) -> String {
    let in_words = text.replace(&format!("`{NAME} "), &format!("`{program} "));
    let begin = format!("  {NAME} ");
    let lines = in_words.lines().map(|line| match line.strip_prefix(&begin) {
        Some(rest) => format!("  {program} {rest}"),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}
