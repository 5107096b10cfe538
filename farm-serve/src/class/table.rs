//! The teacher's table of pupils, as JSON and as CSV.

use serde_json::{Value as Json, json};

use super::room::{Class, Pupil};

/// The pupils, as the page shows them.
pub(super) fn rows(class: &Class) -> Vec<Json> {
    let row = |pupil: &Pupil| {
        json!({
            "id": pupil.id,
            "nickname": pupil.nickname,
            "season": pupil.summary,
            "best": pupil.best,
            "seen_s": pupil.seen.map(|seen| seen.elapsed().as_secs()),
        })
    };
    class.pupils.iter().map(row).collect()
}

/// The pupils as comma-separated values. A name is never a formula and needs no quotes, see `names.rs`.
pub(super) fn csv(class: &Class) -> String {
    let mut text = "nickname,day,finished,money,best_money,jobs,harvest_kg,irrigation_mm\n".to_owned();
    for Pupil { nickname, summary, best, .. } in &class.pupils {
        let (season, best) = (&summary.season, best.map(|best| format!("{best:.2}")).unwrap_or_default());
        text += &format!(
            "{nickname},{},{},{:.2},{best},{},{:.1},{:.1}\n",
            summary.steps, summary.over, summary.money, season.jobs, season.harvest_kg, season.irrigation_mm
        );
    }
    text
}
