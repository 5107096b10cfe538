//! Games that start from another game: `extends:` names a game in the catalogue, or a file by its path.

use std::path::{Path as FilePath, PathBuf};

use farm_core::config::{
    Document, EXTENDS, FileError, ParameterError, Path, Problem, Problems, Segment, Severity, Text, TextPath,
    to_inline_yaml,
};
use farm_core::serde_yaml::Value;
use farm_reference_format::{is_reference, spread, translate};

use crate::catalogue::{self, BEST_KNOWN_POLICY, CatalogueEntry};
use crate::{families, is_file};

/// The maximum number of games in an `extends` chain.
const MAX_CHAIN: usize = 16;

/// A catalogue entry's game, combined with its base game and its best known policy.
pub(crate) fn of_entry(entry: &CatalogueEntry) -> Result<Document, Problems> {
    let mut document = Document::parse(&format!("{}.yaml", entry.name), entry.yaml)?;
    if let Some(policy) = entry.best_known() {
        let text = Text::new(&format!("best_known/{}.yaml", entry.name), policy);
        let value = text.parse()?;
        let origin = TextPath { text: document.add_text(text), path: Path::default() };
        document.place(&Path::default().child("policies").child(BEST_KNOWN_POLICY), value, origin);
    }
    extended(document)
}

/// Combines a game with its base game, if `extends` names one. The game's values replace those of the base.
///
/// # Errors
/// The base game does not exist, games extend each other in a circle, or one of them has a problem. Each problem names its file.
pub(crate) fn extended(document: Document) -> Result<Document, Problems> {
    let own = PathBuf::from(document.source());
    let root = document.directory().map(FilePath::to_path_buf).unwrap_or_default();
    on_its_base(document, &root, &[own])
}

/// The same; `root` is the folder of the first game, and `chain` lists the games from the first one to this one.
fn on_its_base(mut document: Document, root: &FilePath, chain: &[PathBuf]) -> Result<Document, Problems> {
    if document.value().get(EXTENDS).is_none() {
        return Ok(document);
    }
    let (base, source) = written_base(&document, root).map_err(|problems| document.locate(problems))?;
    let is_there = |other: &PathBuf| *other == source || is_same_file(other, &source);
    if chain.iter().any(is_there) || chain.len() >= MAX_CHAIN {
        let circle = Problem::new(FileError::CircularFiles, at_key(), "these games extend each other in a circle");
        let long = Problem::new(FileError::CircularFiles, at_key(), "the chain of `extends` has too many games");
        let problem =
            if chain.iter().any(is_there) { circle } else { long.expected(format!("at most {MAX_CHAIN} games")) };
        let shown: Vec<String> = chain.iter().chain([&source]).map(|file| file.display().to_string()).collect();
        let problem = problem.value(shown.join(" → ")).help("remove `extends` from one of them");
        return Err(document.locate(Problems(vec![problem])));
    }
    let chain: Vec<PathBuf> = chain.iter().cloned().chain([source]).collect();
    let base = if is_reference(base.value()) {
        translate(base, &[])?.document
    } else {
        let mut base = base;
        base.include_parts()?;
        let mut base = on_its_base(base, root, &chain)?;
        spread(&mut base)?;
        base
    };
    document.extend(base)?;
    Ok(document)
}

/// The base game as written, and its name in a chain.
fn written_base(document: &Document, root: &FilePath) -> Result<(Document, PathBuf), Problems> {
    let named = document.value().get(EXTENDS);
    let here = |problem: Problem| Problems(vec![Problem { path: at_key(), ..problem }]);
    let Some(name) = named.and_then(Value::as_str) else {
        let problem = Problem::new(ParameterError::WrongType, at_key(), "expected a string, found another value");
        let problem = problem.value(named.map(to_inline_yaml).unwrap_or_default());
        return Err(here(problem.expected("a name of the catalogue, or the path of a YAML file")));
    };
    if families::is_member(name) {
        let member = families::Member::find(name)
            .map_err(|problems| Problems(problems.0.into_iter().flat_map(|problem| here(problem).0).collect()))?;
        let source = format!("{name}.yaml");
        return Ok((Document::parse(&source, &member.yaml)?, source.into()));
    }
    if !is_file(name) {
        let entry = catalogue::find(name)
            .map_err(|problems| Problems(problems.0.into_iter().flat_map(|problem| here(problem).0).collect()))?;
        let source = format!("{}.yaml", entry.name);
        return Ok((Document::parse(&source, entry.yaml)?, source.into()));
    }
    let folder = document.directory().map(FilePath::to_path_buf).unwrap_or_default();
    let found = document.trust().find(root, &folder, name).map_err(|problem| here(*problem))?;
    let text = Text::of_file(&found).map_err(|problem| {
        let value = Some(found.path().display().to_string());
        here(Problem { value, location: None, ..*problem })
    })?;
    let value = text.parse()?;
    let mut base = Document::assembled(text);
    *base.value_mut() = value;
    base.set_directory(found.path().parent().map(FilePath::to_path_buf));
    base.set_trust(document.trust().clone());
    Ok((base, found.path().to_path_buf()))
}

/// The path of the key that names the base game.
fn at_key() -> Path {
    Path::default().child(EXTENDS)
}

fn is_same_file(one: &FilePath, other: &FilePath) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

/// A game's problems. If one missing value explains several of them, a single problem replaces them.
pub(crate) fn with_left_out(document: &Document, problems: Problems) -> Problems {
    let with = |(path, value): (&Path, &Value)| {
        let left = match crate::compile_loaded(&document.with_left_out(path, value)) {
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

#[cfg(test)]
mod tests {
    use crate::{GameSource, Options, open};

    #[track_caller]
    fn problems(text: &str) -> String {
        let opened = GameSource::parse("own.yaml", text).and_then(|source| source.open(&Options::default()));
        opened.expect_err(text).to_string()
    }

    #[test]
    fn a_game_that_only_has_a_name_of_its_own_plays_as_its_base_does() {
        let options = Options::default();
        let own = GameSource::parse("own.yaml", "name: own\nextends: full_farm\npreset: 4x3\n").unwrap();
        let own = own.open(&options).unwrap();
        // The best policy that is known of the base is not one of games that begin from it.
        let base = GameSource::parse("full_farm.yaml", crate::catalogue::entry("full_farm").unwrap().yaml).unwrap();
        let base = base.open(&Options { preset: Some("4x3".to_owned()), ..options }).unwrap();
        assert_eq!(own.parts(), base.parts());
        assert_eq!(own.catalogue().calls(), base.catalogue().calls());
        let (own, base) = (own.spec(), base.spec());
        assert_eq!(own.name(), "own");
        assert!(own.presets().is_empty() && !base.presets().is_empty());
        let without_name =
            |yaml: String| yaml.lines().filter(|line| !line.starts_with("name:")).collect::<Vec<_>>().join("\n");
        let [own, base] = [own, base].map(|spec| without_name(spec.to_yaml().unwrap()));
        assert_eq!(own.split("\npresets:").next(), base.split("\npresets:").next());
    }

    #[test]
    fn what_is_wrong_is_told_where_it_is_said() {
        for (text, said) in [
            ("name: a\nextends: ful_farm\n", ["own.yaml:2:10", "did you mean `full_farm`?"]),
            ("name: a\nextends: full_farm-v9\n", ["own.yaml:2:10", "`full_farm-v1`"]),
            ("name: a\nextends: [full_farm]\n", ["own.yaml:2:10", "a name of the catalogue"]),
            ("name: a\nextends: nowhere/base.yaml\n", ["own.yaml:2:10", "there is no"]),
            ("name: a\nextends: ../base.yaml\n", ["own.yaml:2:10", "outside of the game's folder"]),
            ("name: a\nextends: full_farm\npreset: 4x4\n", ["own.yaml:3:9", "did you mean `4x3`?"]),
            ("name: a\nextends: full_farm\nchanges:\n  Field-0.Soil-0.dpeth#m: 1\n", ["own.yaml:4:3", "dpeth#m"]),
            (
                "name: a\nextends: full_farm\nchanges:\n  fields.Field-0.shape.length#nb: 0\n",
                ["own.yaml:4:35", "expected"],
            ),
            ("name: a\npreset: 4x3\n", ["own.yaml", "preset"]),
            // One slip hides no other.
            (
                "extends: clay_bean\nfields:\n  Field-0:\n    shape: {length#nb: 1, width#nb: 1}\n    entities: [Weather: montpellier, Soil: clay, Plant: been]\n",
                ["`name` is missing", "did you mean `bean`?"],
            ),
        ] {
            let problems = problems(text);
            assert!(said.iter().all(|said| problems.contains(said)), "{text}{problems}");
        }
    }

    #[test]
    fn files_begin_from_files_and_circles_are_told() {
        let folder = std::env::temp_dir().join(format!("farm-extends-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("below")).unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
        write("one.yaml", "name: one\nextends: below/two.yaml\nchanges: {rules.BasicRule.max_steps: 9}\n");
        write("below/two.yaml", "name: two\nextends: clay_bean\ndoc: two\npolicies: policies.yaml\n");
        write("below/policies.yaml", "expert: WaitPolicy\n");
        let path = folder.join("one.yaml").display().to_string();
        let game = open(&path, &Options::default()).unwrap();
        assert_eq!((game.spec().name(), game.spec().doc()), ("one", "two"));
        assert_eq!(game.rules().max_steps, Some(9));
        assert_eq!(game.spec().policies()["expert"].typetag_name(), "WaitPolicy");
        assert!(game.spec().policies().contains_key("without_forecast"));
        write("below/policies.yaml", "expert: WiatPolicy\n");
        let said = open(&path, &Options::default()).unwrap_err().to_string();
        assert!(said.contains("policies.yaml:1:9") && said.contains("WaitPolicy"), "{said}");
        write("below/two.yaml", "name: two\nextends: ./three.yaml\n");
        write("below/three.yaml", "name: three\nextends: ./two.yaml\n");
        let said = open(&path, &Options::default()).unwrap_err().to_string();
        assert!(said.contains("three.yaml:2:10") && said.contains("in a circle"), "{said}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn of_a_value_that_is_left_out_the_cause_is_told_and_not_what_follows() {
        let fields = "fields:\n  Field-0:\n    entities: [Weather: montpellier, Soil: clay, Plant: bean]\n";
        let text = format!("name: a\nextends: clay_bean\n{fields}");
        let said = problems(&text);
        assert!(said.starts_with("error[missing-key]: `shape` is missing here, and 7 entries"), "{said}");
        assert!(said.contains("own.yaml:4:3") && said.contains("`shape: {length#nb: 1, "), "{said}");
        assert_eq!(said.matches("error[").count(), 1, "{said}");
        // What has another cause is told as well.
        let said = problems(&text.replace("Soil: clay", "Soil: {base: clay, depth#m: -1}"));
        assert!(said.contains("out of range") && said.contains("own.yaml:5:"), "{said}");
    }
}
