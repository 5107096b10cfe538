//! Trees of fields and parts: active entries in the game's order, and other possible entries where they belong.

use farm_core::Game;
use farm_core::config::PartKind;
use farm_core::declare::PartInfo;
use farm_core::registry::kind;
use farm_core::serde_yaml::{Mapping, Value};

use crate::text::Sheet;

/// A line below a part.
#[derive(Debug, Clone, Default)]
pub(crate) struct Leaf {
    /// Explanations above the line.
    pub prose: Vec<String>,
    /// Additional indentation within its part.
    pub deeper: usize,
    /// Whether it is active.
    pub used: bool,
    /// The entry.
    pub text: String,
    /// Its comment.
    pub comment: String,
}

/// A top-level entry of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TopEntry {
    Field(usize),
    /// A part outside all fields.
    Part(usize),
}

/// Writes a tree of all parts with leaves. The parts in `first` keep this order, and parts in the same field must be adjacent in it.
pub(crate) fn write(
    sheet: &mut Sheet,
    indent: usize,
    game: &Game,
    first: &[usize],
    leaves: &dyn Fn(usize) -> Vec<Leaf>,
) {
    let top = |part: usize| game.parts()[part].field().map_or(TopEntry::Part(part), TopEntry::Field);
    let fields = (0..game.fields().len()).map(TopEntry::Field);
    let tops: Vec<TopEntry> =
        fields.chain((0..game.parts().len()).map(top).filter(|t| matches!(t, TopEntry::Part(_)))).collect();
    let parts: Vec<usize> = (0..game.parts().len()).collect();
    let mut first_tops: Vec<TopEntry> = first.iter().map(|part| top(*part)).collect();
    first_tops.dedup();
    for place in merged(&first_tops, &tops) {
        let within = |parts: &[usize]| parts.iter().copied().filter(|part| top(*part) == place).collect::<Vec<_>>();
        let found = merged(&within(first), &within(&parts)).into_iter().map(|part| (part, leaves(part)));
        let found: Vec<(usize, Vec<Leaf>)> = found.filter(|(_, leaves)| !leaves.is_empty()).collect();
        if found.is_empty() {
            continue;
        }
        let mut below = indent;
        if let TopEntry::Field(i) = place {
            let field = &game.fields()[i];
            let size = format!("{} × {} plots, each {} m × {2} m", field.length(), field.width(), field.scale_m());
            sheet.key(indent, field.name(), &size);
            below += 2;
        }
        for (part, leaves) in found {
            let info = &game.parts()[part];
            if leaves.iter().any(|leaf| !leaf.prose.is_empty()) {
                sheet.blank();
            }
            sheet.key(below, info.name(), doc(info));
            for (i, leaf) in leaves.into_iter().enumerate() {
                let at = below + 2 + leaf.deeper;
                if i > 0 && !leaf.prose.is_empty() {
                    sheet.blank();
                }
                leaf.prose.iter().for_each(|prose| sheet.prose(at, prose));
                sheet.entry(at, leaf.used, &leaf.text, &leaf.comment);
            }
        }
    }
}

/// A part's description, in one sentence.
fn doc(info: &PartInfo) -> &'static str {
    let kinds = [PartKind::Entity, PartKind::Farmer, PartKind::Score];
    kinds.into_iter().find_map(|part| kind(part, info.kind())).map_or("", |kind| kind.doc())
}

/// All elements. They keep the order of `all` if `first` agrees with it; otherwise, the elements of `first` come first.
pub(crate) fn merged<T: PartialEq + Clone>(first: &[T], all: &[T]) -> Vec<T> {
    let mut rest = all.iter();
    if first.iter().all(|one| rest.any(|other| other == one)) {
        return all.to_vec();
    }
    let others = all.iter().filter(|one| !first.contains(one));
    first.iter().chain(others).cloned().collect()
}

/// The parts in a tree of fields and parts, in its order, each with its entries.
pub(crate) fn by_part(game: &Game, tree: &Value) -> (Vec<usize>, Vec<(usize, Mapping)>) {
    let mut found = Vec::new();
    let names = game.names();
    for (first, below) in tree.as_mapping().into_iter().flatten() {
        let Some(first) = first.as_str() else { continue };
        if game.fields().iter().any(|field| field.name() == first) {
            for (second, leaves) in below.as_mapping().into_iter().flatten() {
                if let Some((part, _)) = names.part(first, second.as_str()) {
                    found.push((part, leaves.as_mapping().cloned().unwrap_or_default()));
                }
            }
        } else if let Some((part, _)) = names.part(first, None) {
            found.push((part, below.as_mapping().cloned().unwrap_or_default()));
        }
    }
    (found.iter().map(|(part, _)| *part).collect(), found)
}

#[cfg(test)]
mod tests {
    use super::merged;

    #[test]
    fn what_comes_first_keeps_its_order() {
        assert_eq!(merged(&[1, 3], &[0, 1, 2, 3]), [0, 1, 2, 3]);
        assert_eq!(merged(&[3, 1], &[0, 1, 2, 3]), [3, 1, 0, 2]);
        assert_eq!(merged(&[9], &[0]), [9, 0]);
    }
}
