//! Writes a game's page.

use std::path::Path;

use anyhow::Result;
use farm_core::Game;
use farm_core::action::ActionTarget;
use farm_core::config::PartKind;
use farm_core::declare::PartInfo;
use farm_core::inspect::{RulesText, allowed_text, endings, first_sentence, format_number, label_rows, yaml_text};
use farm_core::registry::{Kind, kinds};
use farm_games::catalogue::all_versions;
use farm_games::{CatalogueEntry, Options};
use farm_results::{Board, Entry};

use super::super::markdown::{Page, code, link, prose};
use super::cards::Card;
use super::{graph, page_name, picture};

/// A game in the catalogue, with its variants.
pub(super) struct Opened {
    /// Its entry in the catalogue.
    pub entry: &'static CatalogueEntry,
    game: Game,
    /// The presets, each with its game.
    variants: Vec<(String, Game)>,
}

impl Opened {
    /// Opens a game and all its presets.
    ///
    /// # Errors
    /// The game has problems.
    pub(super) fn open(entry: &'static CatalogueEntry) -> Result<Self> {
        let name = entry.name;
        let game = farm_games::open(name, &Options::default())?;
        let open = |preset: &String| -> Result<(String, Game)> {
            Ok((
                preset.clone(),
                farm_games::open(name, &Options { preset: Some(preset.clone()), ..Options::default() })?,
            ))
        };
        let variants = game.spec().presets().keys().map(open).collect::<Result<_>>()?;
        Ok(Self { entry, game, variants })
    }

    /// The parts in the game and in its variants.
    pub(super) fn parts(&self) -> impl Iterator<Item = &PartInfo> {
        std::iter::once(&self.game).chain(self.variants.iter().map(|(_, game)| game)).flat_map(|game| game.parts())
    }

    /// Whether it has a preset with this name.
    pub(super) fn has_preset(&self, name: &str) -> bool {
        self.variants.iter().any(|(preset, _)| preset == name)
    }

    /// Whether it has a policy with this name.
    pub(super) fn has_policy(&self, name: &str) -> bool {
        self.game.spec().policies().contains_key(name)
    }

    /// Its description.
    pub(super) fn doc(&self) -> &str {
        self.game.spec().doc().trim()
    }

    /// Whether a kind is used in the game or in one of its variants, or is one of its policies.
    pub(super) fn uses(&self, kind: &Kind) -> bool {
        let games = || std::iter::once(&self.game).chain(self.variants.iter().map(|(_, game)| game));
        match kind.part() {
            PartKind::Entity | PartKind::Farmer | PartKind::Score => {
                games().any(|game| game.parts().iter().any(|part| part.kind() == kind.name()))
            }
            PartKind::Rule => games().any(|game| game.spec().rules().typetag_name() == kind.name()),
            PartKind::Policy => {
                games().any(|game| game.spec().policies().values().any(|p| p.typetag_name() == kind.name()))
            }
        }
    }
}

/// Writes the page.
pub(super) fn page(opened: &Opened, root: &Path, results: &Board) -> Page {
    let game = &opened.game;
    let entry = opened.entry;
    let mut page = Page::new(entry.name);
    page.paragraph(&prose(opened.doc()));
    page.paragraph(&picture(entry.name, root).unwrap_or_default());
    let family = entry.family;
    page.paragraph(&format!(
        "Family {}: {} In Gymnasium {}.",
        link(family.name(), &format!("../games.md#{}", family.name())),
        family.doc(),
        code(&entry.environment_id())
    ));
    page.heading("Instructions for a player");
    page.block("text", &game.text().instructions(RulesText::Shown));
    let parts = game.parts().iter().filter_map(|part| {
        let kind = kinds().iter().find(|kind| kind.name() == part.kind() && kind.part() != PartKind::Policy)?;
        let page = link(kind.name(), &format!("../{}.md", page_name(kind)));
        Some(vec![code(part.path()), page, prose(first_sentence(kind.doc()))])
    });
    page.table("Parts", &["part", "kind", "meaning"], &parts.collect::<Vec<_>>());
    write_graph(&mut page, game);
    write_sizes(&mut page, opened);
    let mut observations = Vec::new();
    for entry in game.observation().entries() {
        let labels = label_rows(entry.kind()).join("; ");
        observations.push(vec![
            code(entry.key()),
            code(&entry.space().to_string()),
            prose(&labels),
            prose(entry.doc()),
        ]);
    }
    page.table("Observation", &["key", "space", "values", "meaning"], &observations);
    write_actions(&mut page, game);
    write_rewards(&mut page, game);
    write_baselines(&mut page, opened, results);
    let presets = game.spec().presets().iter().map(|(name, changes)| {
        let changes = changes.iter().map(|(path, value)| code(&format!("{path}: {}", yaml_text(value))));
        vec![code(name), changes.collect::<Vec<_>>().join("<br>")]
    });
    page.table("Presets", &["name", "what it changes"], &presets.collect::<Vec<_>>());
    page.heading("An episode ends");
    page.paragraph(&endings(game).iter().map(|ending| format!("* {}", prose(ending))).collect::<Vec<_>>().join("\n"));
    page.heading("Its YAML");
    let yaml = entry.yaml;
    if let Some(base) = yaml.lines().find_map(|line| line.strip_prefix("extends: ")) {
        let name = farm_games::catalogue::entry(base).map_or(base, |base| base.game());
        page.paragraph(&format!("It extends {}; its own values take precedence.", link(base, &format!("{name}.md"))));
    }
    page.block("yaml", yaml.lines().skip_while(|line| line.starts_with('#')).collect::<Vec<_>>().join("\n").as_str());
    page
}

/// A game's card: its picture, its size, and the return of its best policy.
pub(super) fn card(opened: &Opened, root: &Path, results: &Board) -> Card {
    let (name, game) = (opened.entry.name, &opened.game);
    let plots: u32 = game.spec().fields().values().map(|field| field.shape().length() * field.shape().width()).sum();
    let mut notes = vec![if plots == 1 { "1 plot".to_owned() } else { format!("{plots} plots or tiles") }];
    notes.extend(
        game.rules()
            .max_steps
            .map(|steps| format!("{steps} {}", if game.rules().steps_per_day > 1 { "days" } else { "steps" })),
    );
    let board = results.games.iter().find(|board| board.name == name);
    let best = board.and_then(|board| board.entries.first());
    notes.extend(best.map(|entry| format!("best mean {} ({})", format_number(entry.columns[0].value), entry.name())));
    let versions = all_versions().filter(|entry| entry.game() == name).map(|entry| entry.versioned_name());
    notes.push(versions.collect::<Vec<_>>().join(", "));
    Card {
        name: name.to_owned(),
        page: format!("games/{name}.html"),
        picture: match root.join(format!("docs/pictures/{name}.png")).is_file() {
            true => format!("<img src=\"../pictures/{name}.png\" alt=\"\" loading=\"lazy\">"),
            false => String::new(),
        },
        text: opened.doc().to_owned(),
        note: notes.join(" · "),
    }
}

/// Writes the influences between parts, as a drawing and in words.
fn write_graph(page: &mut Page, game: &Game) {
    let Some(svg) = graph::svg(game) else { return };
    page.heading("How the parts influence each other");
    page.paragraph(
        "An arrow leads from the part that provides a variable to the part that reads it. Scores and rules also read variables by name, \
         without an arrow.",
    );
    page.paragraph(&format!("<div class=\"graph\">{svg}</div>"));
    let rows = graph::rows(game).into_iter().map(|(from, to, roles)| {
        vec![
            code(&from),
            code(&to),
            roles
                .iter()
                .map(|role| link(&code(role), &format!("../roles.md#{}", role.to_lowercase())))
                .collect::<Vec<_>>()
                .join(", "),
        ]
    });
    page.folded("The arrows, with the roles behind them", &["from", "to", "roles"], &rows.collect::<Vec<_>>());
}

/// Writes the policies, with their published returns.
fn write_baselines(page: &mut Page, opened: &Opened, results: &Board) {
    let (game, name) = (&opened.game, opened.entry.name);
    let board = results.games.iter().find(|board| board.name == name);
    let entry = |policy: &str| board.and_then(|board| board.entry(policy));
    let numbers = |entry: Option<&Entry>| match entry {
        Some(entry) => entry.columns.map(|column| column.to_string()),
        None => ["–"; 3].map(str::to_owned),
    };
    let named = game.spec().policies().iter().map(|(policy, part)| {
        let kind = part.typetag_name();
        let kind = link(kind, &format!("../policies/{kind}.md"));
        [code(policy), kind].into_iter().chain(numbers(entry(policy))).collect::<Vec<_>>()
    });
    let others = board.into_iter().flat_map(|board| &board.entries);
    let others = others.filter(|entry| !game.spec().policies().contains_key(&entry.policy.name));
    let others = others.map(|entry| {
        let kind = entry.policy.algo.clone().unwrap_or_else(|| entry.policy.kind.clone());
        [code(&entry.name()), prose(&kind)].into_iter().chain(numbers(Some(entry))).collect::<Vec<_>>()
    });
    let rows: Vec<Vec<String>> = named.chain(others).collect();
    page.table("Baselines", &["policy", "kind", "mean", "IQM", "CVaR 0.1"], &rows);
    page.paragraph(&format!(
        "`farm eval {name}` plays them on the same seeds. `results/{name}/` has the returns, with the command that regenerates each; \
         `farm results results/{name} --out board.md` adds gaps and performance profiles. All games: {}.",
        link("Baselines", "../../baselines.md")
    ));
}

/// Writes the rewards and the constraints.
fn write_rewards(page: &mut Page, game: &Game) {
    page.heading("Rewards");
    let score = game
        .parts()
        .iter()
        .filter_map(|part| kinds().iter().find(|kind| kind.part() == PartKind::Score && kind.name() == part.kind()));
    for kind in score {
        let name = link(kind.name(), &format!("../{}.md", page_name(kind)));
        page.paragraph(&format!("{name}: {}", prose(first_sentence(kind.doc()))));
    }
    let rows = game.constraints().iter().map(|constraint| {
        let limit = constraint.limit.map_or_else(|| "none".to_owned(), format_number);
        vec![code(&constraint.name), constraint.unit.clone(), limit, format_number(constraint.weight)]
    });
    page.table(
        "Constraints",
        &["name", "unit", "limit of an episode", "weight in `info[\"cost\"]`"],
        &rows.collect::<Vec<_>>(),
    );
}

/// Writes the sizes of the spaces, with and without a preset.
fn write_sizes(page: &mut Page, opened: &Opened) {
    let plain = (String::new(), &opened.game);
    let variants = opened.variants.iter().map(|(name, game)| (code(name), game));
    let rows = std::iter::once(plain).chain(variants).map(|(preset, game)| {
        let mode = serde_json::to_value(game.spec().interaction_mode()).unwrap_or_default();
        vec![
            if preset.is_empty() { "as it is".to_owned() } else { preset },
            game.spec()
                .fields()
                .values()
                .map(|field| field.shape().length() * field.shape().width())
                .sum::<u32>()
                .to_string(),
            game.catalogue().discrete_len().to_string(),
            game.catalogue().max_schedule().to_string(),
            game.rules().steps_per_day.to_string(),
            game.rules().max_steps.map_or_else(|| "no limit".to_owned(), |steps| steps.to_string()),
            game.observation().size().to_string(),
            code(mode.as_str().unwrap_or_default()),
        ]
    });
    let header = [
        "preset",
        "plots or tiles",
        "actions in the flat list",
        "actions in a schedule",
        "schedules a day",
        "steps",
        "bytes of an observation",
        "mode",
    ];
    page.table("Scale and spaces", &header, &rows.collect::<Vec<_>>());
}

fn write_actions(page: &mut Page, game: &Game) {
    let mut rows = Vec::new();
    let mut asked = 0;
    for base in game.catalogue().base_actions() {
        let (ActionTarget::Intervention(_), Some(part)) = (base.target(), game.parts().get(base.part())) else {
            asked += 1;
            continue;
        };
        let Some(action) = base.info(game.parts()) else { continue };
        let name = code(&format!("{}.{}", part.path(), action.name()));
        rows.push(vec![name, String::new(), String::new(), format_number(base.cost()), prose(action.doc())]);
        for (parameter, allowed) in action.parameters().iter().zip(base.parameters()) {
            let values = prose(&allowed_text(game, part, parameter, allowed));
            rows.push(vec![String::new(), code(parameter.name()), values, String::new(), prose(parameter.doc())]);
        }
    }
    page.table("Actions", &["action", "parameter", "values", "cost", "meaning"], &rows);
    if asked > 0 {
        page.paragraph(&format!(
            "{asked} more observations can be requested; `farm describe {}` lists them.",
            game.spec().name()
        ));
    }
}
