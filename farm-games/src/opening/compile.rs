//! Compiles a document: loads its plugins, reads its specification, and builds the game.

use farm_core::Game;
use farm_core::config::{
    Document, NameError, ParameterError, Path, Problem, Problems, Segment, Severity, to_inline_yaml,
};
use farm_core::serde_yaml::Value;
use farm_core::spec::{load_document, problems_without_plugin, recover};

/// Compiles a document, and loads its plugins if the user allows it. All code that compiles a document calls this function.
///
/// # Errors
/// Every rejected plugin, and every problem in the document that does not depend on it.
pub fn compile(document: &Document) -> Result<Game, Problems> {
    let Err(refused) = farm_core::plugin::load_named(document) else {
        return compile_loaded(document).map_err(|problems| with_left_out(document, problems));
    };
    let others = problems_without_plugin(document).or_else(|| compile_loaded(document).err()).unwrap_or_default();
    Err(document.locate(Problems(refused.0.into_iter().chain(others.0).collect())))
}

/// Compiles a document whose plugins are loaded.
fn compile_loaded(document: &Document) -> Result<Game, Problems> {
    let spec = load_document(document).map_err(|problems| with_the_rest(problems, document))?;
    let mut game = Game::new(spec).map_err(|problems| document.locate(problems))?;
    game.locate_warnings(document);
    Ok(game)
}

/// The problems with single values, and the problems that appear only in a compiled game, so that one pass reports all of them.
///
/// Problems of the second kind that may follow from the first are left out.
fn with_the_rest(problems: Problems, document: &Document) -> Problems {
    let Some((spec, refused)) = recover(document) else { return problems };
    let Err(mut more) = Game::new(spec) else { return problems };
    let part = |path: &Path| -> Path {
        let entity = path.0.first() == Some(&Segment::from("fields"));
        Path(path.0.iter().take(if entity { 4 } else { path.0.len() }).cloned().collect())
    };
    let known: Vec<Path> = refused.iter().map(part).collect();
    let follows = |path: &Path| known.iter().any(|known| path.0.starts_with(&known.0) || known.0.starts_with(&path.0));
    more.0.retain(|problem| problem.severity == Severity::Error && !follows(&problem.path));
    // If the kind of an entity is unknown, the roles that other entities find in its field are unknown too.
    if refused.iter().any(|path| path.0.len() == 5 && path.0.first() == Some(&Segment::from("fields"))) {
        let is_in_field = |path: &Path| path.0.first() == Some(&Segment::from("fields"));
        more.0.retain(|problem| !is_in_field(&problem.path) && !problem.is(NameError::UnknownPart));
    }
    document.locate(Problems(problems.0.into_iter().chain(more.0).collect()))
}

/// A game's problems. If one missing value explains several of them, a single problem replaces them.
fn with_left_out(document: &Document, problems: Problems) -> Problems {
    let with = |(path, value): (&Path, &Value)| {
        let left = match compile_loaded(&document.with_left_out(path, value)) {
            Ok(_) => Problems::default(),
            Err(left) => left,
        };
        (errors(&left), path.clone(), to_inline_yaml(value), left)
    };
    let best = document.left_out().map(with).min_by_key(|(errors, ..)| *errors);
    let Some((left_errors, path, value, left)) = best else { return problems };
    let followers = errors(&problems).saturating_sub(left_errors);
    let Some(Segment::Key(key)) = path.0.last().filter(|_| followers > 0) else { return problems };
    let entry = Path(path.0[..path.0.len() - 1].to_vec());
    let message = format!(
        "`{key}` is missing here, and {} without it",
        match followers {
            1 => "an entry of the game is wrong".to_owned(),
            n => format!("{n} entries of the game are wrong"),
        }
    );
    let problem = Problem::new(ParameterError::MissingKey, entry, message).about_name();
    let help = "an entry of `fields` replaces the whole entry of the base game; to change single values, write their paths under `changes`";
    let cause =
        document.locate(Problems(vec![problem.expected(format!("`{key}: {value}`, as in the base game")).help(help)]));
    Problems(cause.0.into_iter().chain(left.0).collect())
}

fn errors(problems: &Problems) -> usize {
    problems.0.iter().filter(|problem| problem.severity == Severity::Error).count()
}
