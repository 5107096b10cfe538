//! Games that start from another game: `extends:` names a game in the catalogue, a member of a family, or a file by its path.

use std::path::{Path as FilePath, PathBuf};

use farm_core::config::{
    Document, EXTENDS, FileError, ParameterError, Path, Problem, Problems, Source, to_inline_yaml,
};
use farm_core::serde_yaml::Value;

use super::name::GameName;
use crate::families::Member;

/// The maximum number of games in an `extends` chain.
const MAX_CHAIN: usize = 16;

/// Games that extend each other, from the first one to the one that is being read.
pub(super) struct Chain {
    /// The folder of the first game. All files of the chain must be in it.
    root: PathBuf,
    /// The names of the games' sources, and whether they are files.
    games: Vec<(PathBuf, bool)>,
}

impl Chain {
    /// A chain that starts with this game.
    pub(super) fn new(first: &Document) -> Self {
        Self { root: folder_of(first), games: vec![(first.source().into(), first.directory().is_some())] }
    }

    /// The source of the game that `document`, the last one in the chain, extends, and the chain up to this game. None if it extends none.
    ///
    /// # Errors
    /// The base game does not exist, or the games extend each other in a circle. The problem points at the key `extends`.
    pub(super) fn base_of(&self, document: &Document) -> Result<Option<(Source, Self)>, Problems> {
        let Some(named) = document.value().get(EXTENDS) else { return Ok(None) };
        let base = self.source_of(named, document).and_then(|base| {
            let chain = self.up_to(base.name().into(), base.folder().is_some())?;
            Ok((base, chain))
        });
        base.map(Some).map_err(|mut problems| {
            problems.0.iter_mut().for_each(|problem| problem.path = at_key());
            document.locate(problems)
        })
    }

    /// The source of the game that `extends` names.
    fn source_of(&self, named: &Value, document: &Document) -> Result<Source, Problems> {
        let Some(name) = named.as_str() else {
            let problem = Problem::new(ParameterError::WrongType, at_key(), "expected a string, found another value");
            let problem = problem.value(to_inline_yaml(named));
            return Err(Problems(vec![problem.expected("a name of the catalogue, or the path of a YAML file")]));
        };
        match GameName::parse(name)? {
            GameName::Shipped(entry) => Ok(entry.base_source()),
            GameName::Member(name) => Member::of(name).map(|member| member.source()),
            GameName::File(_) => {
                let found = document.trust().find(&self.root, &folder_of(document), name);
                let found = found.map_err(|problem| Problems(vec![*problem]))?;
                let source = Source::of_found(&found).map_err(|problem| {
                    let value = Some(found.path().display().to_string());
                    Problems(vec![Problem { value, location: None, ..*problem }])
                })?;
                Ok(source.with_trust(document.trust().clone()))
            }
        }
    }

    /// The chain with one more game.
    fn up_to(&self, base: PathBuf, is_file: bool) -> Result<Self, Problems> {
        // A file may have the name of the game that it extends.
        let is_base = |game: &PathBuf| *game == base || is_file && is_same_file(game, &base);
        let is_circle = self.games.iter().any(|(game, is_one)| *is_one == is_file && is_base(game));
        let is_long = self.games.len() >= MAX_CHAIN;
        let games: Vec<(PathBuf, bool)> = self.games.iter().cloned().chain([(base, is_file)]).collect();
        if !is_circle && !is_long {
            return Ok(Self { root: self.root.clone(), games });
        }
        let circle = Problem::new(FileError::CircularFiles, at_key(), "these games extend each other in a circle");
        let long = Problem::new(FileError::CircularFiles, at_key(), "the chain of `extends` has too many games");
        let problem = if is_circle { circle } else { long.expected(format!("at most {MAX_CHAIN} games")) };
        let shown: Vec<String> = games.iter().map(|(game, _)| game.display().to_string()).collect();
        Err(Problems(vec![problem.value(shown.join(" → ")).help("remove `extends` from one of them")]))
    }
}

/// The folder of a game; empty for a game that is not in a file.
fn folder_of(document: &Document) -> PathBuf {
    document.directory().map(FilePath::to_path_buf).unwrap_or_default()
}

/// The path of the key that names the base game.
fn at_key() -> Path {
    Path::default().child(EXTENDS)
}

fn is_same_file(one: &FilePath, other: &FilePath) -> bool {
    one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GameDocument, Options, open};

    #[track_caller]
    fn problems(text: &str) -> String {
        let opened = GameDocument::parse("own.yaml", text).and_then(|source| source.open(&Options::default()));
        opened.expect_err(text).to_string()
    }

    #[test]
    fn a_game_that_only_has_a_name_of_its_own_plays_as_its_base_does() {
        let options = Options::default();
        let own = GameDocument::parse("own.yaml", "name: own\nextends: full_farm\npreset: 4x3\n").unwrap();
        let own = own.open(&options).unwrap();
        // The best policy that is known of the base is not one of games that begin from it.
        let base = GameDocument::parse("full_farm.yaml", crate::catalogue::entry("full_farm").unwrap().yaml).unwrap();
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
            ("name: a\nextends: full_farm-v9\n", ["own.yaml:2:10", "`full_farm-v2`"]),
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
    fn a_file_may_have_the_name_of_the_game_that_it_extends() {
        let text = "name: own\nextends: clay_bean\n";
        let source = Source::new("clay_bean.yaml", text).in_folder(Some(FilePath::new("")));
        assert!(GameDocument::of_source(&source).is_ok());
    }

    #[test]
    fn of_a_value_that_is_left_out_the_cause_is_told_and_not_what_follows() {
        let fields = "fields:\n  Field-0:\n    entities: [Weather: montpellier, Soil: clay, Plant: bean]\n";
        let text = format!("name: a\nextends: clay_bean\n{fields}");
        let said = problems(&text);
        assert!(said.starts_with("error[missing-key]: `shape` is missing here, and 7 entries"), "{said}");
        assert!(said.contains("own.yaml:4:3") && said.contains("`shape: {length#nb: 1, "), "{said}");
        assert_eq!(said.matches("error[").count(), 1, "{said}");
        // Problems with another cause are also reported.
        let said = problems(&text.replace("Soil: clay", "Soil: {base: clay, depth#m: -1}"));
        assert!(said.contains("out of range") && said.contains("own.yaml:5:"), "{said}");
    }
}
