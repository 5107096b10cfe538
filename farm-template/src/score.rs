//! The file for the score: all its parameters and all possible costs.

use farm_core::config::{ParameterDoc, ParameterKind, PartKind, Path, Segment};
use farm_core::registry::kind;
use farm_core::serde_yaml::{self, Mapping, Value};
use farm_core::spec::load_document;
use farm_core::{Game, config::Document};

use crate::actions::{parameter_line, visible};
use crate::notes;
use crate::text::{Sheet, flow, line};
use crate::tree::{self, Leaf};

/// Writes the file for the score. `document` is the game's source.
pub(crate) fn write(game: &Game, document: &Document) -> String {
    let mut sheet = Sheet::default();
    sheet.prose(0, &format!("Rewards and costs of `{}`.", game.spec().name()));
    sheet.prose(0, "");
    sheet.prose(0, "Lines with one # are possible entries: remove the # to use them.");
    sheet.blank();
    let tagged = serde_yaml::to_value(game.spec().score()).unwrap_or_default();
    let name = game.spec().score().typetag_name();
    let table = kind(PartKind::Score, name).map(|kind| kind.table()).unwrap_or_default();
    let values = tagged.get(name).cloned().unwrap_or_default();
    sheet.key(0, name, kind(PartKind::Score, name).map_or("", |kind| kind.doc()));
    let page = Page { game, document, place: Path::default().child("score").child(name) };
    page.table(&mut sheet, 2, &table, &values, &page.place);
    sheet.finish()
}

struct Page<'g> {
    game: &'g Game,
    document: &'g Document,
    place: Path,
}

impl Page<'_> {
    fn table(&self, sheet: &mut Sheet, indent: usize, table: &[ParameterDoc], values: &Value, path: &Path) {
        for parameter in table {
            let value = values.get(parameter.name()).cloned().unwrap_or_default();
            let path = path.child(parameter.name());
            if indent == 2 && matches!(parameter.kind(), ParameterKind::Group(_) | ParameterKind::Map(_)) {
                sheet.blank();
            }
            match parameter.kind() {
                ParameterKind::Group(inner) => {
                    sheet.key(indent, parameter.name(), parameter.doc());
                    self.table(sheet, indent + 2, inner, &value, &path);
                }
                ParameterKind::Map(inner) => {
                    sheet.key(indent, parameter.name(), &notes::parameter(parameter));
                    match depth(inner) {
                        Some(2) => self.costs(sheet, indent + 2, table, parameter, values, &value),
                        Some(1) => self.prices(sheet, indent + 2, parameter, &value, &path),
                        _ => self.entries(sheet, indent + 2, inner, &value),
                    }
                }
                ParameterKind::Optional(inner) if matches!(**inner, ParameterKind::Group(_)) => {
                    let ParameterKind::Group(inner) = &**inner else { continue };
                    explain(sheet, indent, parameter.doc(), inner);
                    let neutral =
                        || Value::Mapping(inner.iter().map(|p| (p.name().into(), p.default().clone())).collect());
                    let used = !value.is_null();
                    let shown = if used { value } else { neutral() };
                    sheet.entry(indent, used, &line(parameter.name(), &shown), "");
                }
                _ => parameter_line(sheet, indent, parameter, &value),
            }
        }
    }

    /// Writes a tree of costs: those in use, and all others with their defaults.
    fn costs(
        &self,
        sheet: &mut Sheet,
        indent: usize,
        siblings: &[ParameterDoc],
        parameter: &ParameterDoc,
        values: &Value,
        tree: &Value,
    ) {
        let name = parameter.name();
        let usual = siblings.iter().find(|p| p.name() == format!("default_{name}")).and_then(|p| values.get(p.name()));
        let usual = usual.and_then(Value::as_f64).unwrap_or(0.0);
        // One of the two tables of names is for observations: it prices variables.
        let of_variables = name.starts_with("observation");
        tree::write(sheet, indent, self.game, &[], &|part| {
            let info = &self.game.parts()[part];
            let Some(field) = info.field() else { return Vec::new() };
            let said = tree.get(self.game.fields()[field].name()).and_then(|f| f.get(info.name()));
            let said = said.and_then(Value::as_mapping).cloned().unwrap_or_default();
            let known: Vec<(String, String)> = if of_variables {
                let doc = |name: &str| {
                    let variable = info.variables().iter().find(|v| v.name() == name).map(|v| v.doc());
                    variable.or_else(|| info.observables().iter().find(|o| o.name() == name).map(|o| o.doc()))
                };
                visible(info)
                    .into_iter()
                    .map(|(name, _)| (name.to_owned(), doc(name).unwrap_or_default().to_owned()))
                    .collect()
            } else {
                info.actions().iter().map(|action| (action.name().to_owned(), action.doc().to_owned())).collect()
            };
            let each = if of_variables { "for each value of: " } else { "" };
            let mut leaves = Vec::new();
            for (key, cost) in &said {
                let key = key.as_str().unwrap_or_default();
                if !known.iter().any(|(name, _)| name == key) {
                    let comment = "for each value of all variables with this name".to_owned();
                    leaves.push(Leaf { used: true, text: line(key, cost), comment, ..Leaf::default() });
                }
            }
            leaves.extend(known.iter().map(|(name, doc)| {
                let group = name.rmatch_indices('.').find_map(|(dot, _)| said.get(&name[..dot]));
                let own = said.get(name.as_str());
                let cost = own.or(group).cloned().unwrap_or_else(|| Value::from(usual));
                Leaf {
                    used: own.is_some(),
                    text: line(name, &cost),
                    comment: format!("{each}{doc}"),
                    ..Leaf::default()
                }
            }));
            leaves
        });
    }

    /// Writes a tree of prices by part: those in use, and other possible ones.
    fn prices(&self, sheet: &mut Sheet, indent: usize, parameter: &ParameterDoc, tree: &Value, path: &Path) {
        let open = self.could_have(path);
        for field in self.game.fields() {
            let parts = self
                .game
                .parts()
                .iter()
                .filter(|p| p.field().is_some_and(|f| self.game.fields()[f].name() == field.name()));
            let lines: Vec<(bool, String)> = parts
                .filter_map(|part| {
                    let said = tree.get(field.name()).and_then(|parts| parts.get(part.name()));
                    let usual = Value::from(parameter.range().map_or(0.0, |(low, _)| low));
                    let is_open = open.contains(&(field.name().to_owned(), part.name().to_owned()));
                    (said.is_some() || is_open).then(|| (said.is_some(), line(part.name(), said.unwrap_or(&usual))))
                })
                .collect();
            if !lines.is_empty() {
                sheet.key(indent, field.name(), "");
                for (used, text) in lines {
                    sheet.entry(indent + 2, used, &text, "overrides the common price");
                }
            }
        }
    }

    /// The parts for which the score accepts a price. The function compiles a price for every part, because the score rejects prices for
    /// the other parts.
    fn could_have(&self, path: &Path) -> Vec<(String, String)> {
        let mut all = Vec::new();
        let mut tree = Mapping::new();
        for (i, field) in self.game.fields().iter().enumerate() {
            let parts = self.game.parts().iter().filter(|part| part.field() == Some(i));
            let parts: Vec<&str> = parts.map(|part| part.name()).collect();
            all.extend(parts.iter().map(|part| (field.name().to_owned(), (*part).to_owned())));
            let prices: Mapping = parts.into_iter().map(|part| (Value::from(part), Value::from(0.0))).collect();
            tree.insert(Value::from(field.name()), Value::Mapping(prices));
        }
        let mut document = self.document.clone();
        let origin = document.text_path(path);
        document.place(path, Value::Mapping(tree), origin);
        let Ok(spec) = load_document(&document) else { return Vec::new() };
        let Err(problems) = Game::new(spec) else { return all };
        let refused: Vec<&[Segment]> =
            problems.0.iter().filter_map(|p| p.path.0.strip_prefix(path.0.as_slice())).collect();
        all.retain(|(field, part)| {
            let place = [Segment::Key(field.clone()), Segment::Key(part.clone())];
            !refused.iter().any(|path| path.starts_with(&place))
        });
        all
    }

    /// Writes the entries in a mapping whose names the game chooses.
    fn entries(&self, sheet: &mut Sheet, indent: usize, inner: &ParameterKind, value: &Value) {
        if let ParameterKind::Group(table) = inner {
            explain(sheet, indent, "", table);
        }
        for (name, entry) in value.as_mapping().into_iter().flatten() {
            sheet.entry(indent, true, &format!("{}: {}", flow(name), flow(entry)), "");
        }
    }
}

/// Explains a value's parameters on one line.
fn explain(sheet: &mut Sheet, indent: usize, doc: &str, table: &[ParameterDoc]) {
    if !doc.is_empty() {
        sheet.prose(indent, doc);
    }
    for parameter in table {
        sheet.prose(indent, &format!("  {}: {}", parameter.name(), notes::parameter(parameter)));
    }
}

/// The number of name levels above a number: 2 for {entity: {name: cost}}. `None` for other mappings.
fn depth(kind: &ParameterKind) -> Option<usize> {
    match kind {
        ParameterKind::Real => Some(0),
        ParameterKind::Map(inner) => depth(inner).map(|depth| depth + 1),
        _ => None,
    }
}
