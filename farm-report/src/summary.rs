//! The section that summarises a season: the crops' yields, and the dates of their stages.

use farm_core::Game;
use maud::{Markup, html};

use crate::Report;
use crate::charts::Data;
use crate::html::table;
use crate::sections::{event_name, section};

/// Summarises the fields; `None` if no crop is harvested by weight.
pub(crate) fn summary(report: &Report, data: &Data) -> Option<Markup> {
    let labels = report.labels();
    let game = &report.game;
    let mut fields = Vec::new();
    for (i, field) in game.fields().iter().enumerate() {
        let lines = report.season.lines(game, i);
        if lines.is_empty() {
            continue;
        }
        let rows: Vec<Vec<String>> =
            lines.into_iter().map(|(what, amount)| vec![labels.words(&what).to_owned(), amount]).collect();
        let stages = stages(report, data, game, i);
        let head = ["crop", "plots", "first", "last"].map(|name| labels.words(name));
        fields.push(html! {
            @if game.fields().len() > 1 { h3 { (field.name()) } }
            div.beside {
                (table(&[labels.words("season"), ""], 1, &rows))
                @if !stages.is_empty() { (table(&head, 1, &stages)) }
            }
        });
    }
    let body = html! { @for field in &fields { (field) } };
    (!fields.is_empty()).then(|| section(labels, "summary", "The season in numbers", body))
}

/// The dates of stages and the causes of death for a field's crops: one line per event label.
fn stages(report: &Report, data: &Data, game: &Game, field: usize) -> Vec<Vec<String>> {
    let labels = report.labels();
    let of_crop = |event: usize| {
        let (part, info) = game.events().get(event)?;
        let is_crop = report.season.is_crop(*part) && !info.lasting() && !info.labels().is_empty();
        (is_crop && game.parts().get(*part)?.field() == Some(field)).then_some(())
    };
    let kinds = report.events.kinds.iter().filter(|((event, _), _)| of_crop(*event).is_some());
    let rows = kinds.filter_map(|((event, label), kind)| {
        let (first, last) = (kind.stretches.first()?, kind.stretches.last()?);
        let name = event_name(game, labels, *event, *label, true);
        Some((first.from, vec![name, kind.count.to_string(), data.day_name(first.from), data.day_name(last.to)]))
    });
    let mut rows: Vec<(u32, Vec<String>)> = rows.collect();
    rows.sort_by_key(|(first, _)| *first);
    rows.into_iter().map(|(_, row)| row).collect()
}
