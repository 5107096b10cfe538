//! Resolves the fields' `uses` lists. A listed part serves fields other than its own.

use crate::config::{Path, Problem, Problems};
use crate::declare::RoleError;
use crate::spec::GameSpec;

/// The other fields that use each entity in the game, in the order of the entities. Unknown names become problems.
pub(super) fn served_fields(spec: &GameSpec, problems: &mut Problems) -> Vec<Vec<usize>> {
    let names: Vec<(usize, String)> = entity_names(spec).collect();
    let mut served = vec![Vec::new(); names.len()];
    for (f, (field, content)) in spec.fields.iter().enumerate() {
        for (i, wanted) in content.uses.iter().enumerate() {
            let path = Path::default().child("fields").child(field).child("uses").child(i);
            let mut refuse = |message: String| {
                let foreign = names.iter().filter(|(home, _)| *home != f).map(|(_, name)| name.as_str());
                let problem =
                    Problem::new(RoleError::WrongUse, path.clone(), message).value(wanted).among(wanted, foreign);
                problems.push(problem.help("name a part of another field, as `FIELD.PART-0`"));
            };
            match names.iter().position(|(_, name)| name == wanted) {
                None => refuse(format!("no field has a part `{wanted}`")),
                Some(part) if names[part].0 == f => {
                    refuse(format!("`{wanted}` is a part of `{field}` itself, which already finds its roles"));
                }
                Some(part) if served[part].contains(&f) => refuse(format!("`{wanted}` is listed twice")),
                Some(part) => served[part].push(f),
            }
        }
    }
    served
}

/// The field and the path of every entity, in order.
fn entity_names(spec: &GameSpec) -> impl Iterator<Item = (usize, String)> {
    spec.fields.iter().enumerate().flat_map(|(f, (field, content))| {
        let kinds: Vec<&str> =
            content.entities.iter().map(|entity| entity.instance_name().unwrap_or(entity.typetag_name())).collect();
        let mut ranks = std::collections::BTreeMap::new();
        let name = move |kind: &str| {
            let rank = ranks.entry(kind.to_owned()).or_insert(0_usize);
            *rank += 1;
            (f, format!("{field}.{kind}-{}", *rank - 1))
        };
        kinds.into_iter().map(name).collect::<Vec<_>>()
    })
}
