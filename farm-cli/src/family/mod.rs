//! `farm agents family`: families of games with random rules, and their members.

mod annotate;
mod arguments;
mod census;
mod gradients;

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use farm_core::SeedSplit;
use farm_core::config::{NameError, Path, Problem, Problems};
use farm_games::families::{FAMILIES, FarmSetting, MapSetting, Member, Setting, Tier};
use serde_json::json;

use crate::output::{self, TextTable};
pub(crate) use arguments::Arguments;

/// Lists the families, or writes or checks family members.
///
/// # Errors
/// Fails if the family, split or skin is unknown, if members fail the check, or if the output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Some(family) = &arguments.family else { return list(arguments.json) };
    if let Some(members) = arguments.check {
        return census::check(arguments, family, members);
    }
    if arguments.gradients {
        return gradients::gradients(arguments, family);
    }
    if let Some(split) = &arguments.annotate {
        return annotate::annotate(arguments, family, split_of(split)?);
    }
    let member = Member::of(arguments.name(family, arguments.seed.unwrap_or_default())?)?;
    if let Some(path) = &arguments.out {
        farm_output::check_target(path)?;
        farm_output::save(path, member.yaml.as_bytes())
            .with_context(|| format!("the member can't be written to {}", path.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = output::stdout();
    if arguments.clauses {
        write_clauses(&mut out, &member, arguments.json)?;
    } else {
        out.write_all(member.yaml.as_bytes())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The split with this name.
fn split_of(name: &str) -> Result<SeedSplit, Problems> {
    SeedSplit::named(name).ok_or_else(|| {
        let problem = Problem::new(NameError::UnknownLevel, Path::default(), format!("unknown split `{name}`"));
        Problems(vec![problem.value(name).among(name, SeedSplit::ALL.map(SeedSplit::name))])
    })
}

fn list(is_json: bool) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    if is_json {
        let families: Vec<_> = FAMILIES
            .iter()
            .map(|family| {
                let named: BTreeMap<&str, &str> = family.named.iter().copied().collect();
                let tiers: Vec<_> = family.tiers.iter().map(tier_json).collect();
                json!({"name": family.name, "doc": family.doc, "named": named, "test": family.split, "tiers": tiers})
            })
            .collect();
        output::write_json(&mut out, "families", json!({ "families": families }))?;
    } else {
        for family in &FAMILIES {
            writeln!(out, "{}: {}", family.name, family.doc)?;
            writeln!(out, "  {}@rules=7: rules from a seed; also train-7 and test-7", family.name)?;
            for (name, doc) in family.named {
                writeln!(out, "  {}@rules={name}: {doc}", family.name)?;
            }
            writeln!(out, "  reserved for tests: {}", family.split)?;
            let rows: Vec<Vec<(&str, String)>> = family.tiers.iter().map(Tier::columns).collect();
            let Some(first) = rows.first() else { continue };
            let header: Vec<&str> = first.iter().map(|(heading, _)| *heading).collect();
            // Numbers are right-aligned, except for the tier's own.
            let is_number = |i: &usize| *i > 0 && rows.iter().all(|row| row[*i].1.parse::<u32>().is_ok());
            let mut table = TextTable::new(&header).right_aligned((0..header.len()).filter(is_number));
            for row in rows {
                table.row(row.into_iter().map(|(_, cell)| cell).collect());
            }
            table.write(&mut out, "    ")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A tier as JSON. The keys depend on the type of its setting.
fn tier_json(tier: &Tier) -> serde_json::Value {
    let (number, steps, told) = (tier.number, tier.steps, tier.told.name());
    match tier.setting {
        Setting::Map(MapSetting { size, view, is_scattered, obstacles }) => json!({
            "tier": number, "size": size, "view": view, "scattered": is_scattered, "obstacles": obstacles, "steps": steps, "told": told,
        }),
        Setting::Farm(FarmSetting { plots, actions, water, is_water_seen, .. }) => json!({
            "tier": number, "hidden_laws": tier.hidden_laws(), "plots": plots, "actions": actions, "water": water, "water_seen": is_water_seen, "steps": steps, "told": told,
        }),
    }
}

fn write_clauses(out: &mut impl Write, member: &Member, is_json: bool) -> std::io::Result<()> {
    let clauses = member.clauses();
    let split = member.laws.split().name();
    if is_json {
        let of = |is_hidden| -> serde_json::Map<String, serde_json::Value> {
            let clauses = clauses.iter().filter(|clause| clause.is_hidden == is_hidden);
            clauses.map(|clause| (clause.name.clone(), clause.value.clone().into())).collect()
        };
        let shown = json!({"name": member.name.to_string(), "split": split, "hidden": of(true), "shown": of(false)});
        return output::write_json(out, "member", shown);
    }
    writeln!(out, "{}, of the {split} split", member.name)?;
    let mut table = TextTable::new(&["clause", "value", ""]);
    for clause in clauses {
        table.row(vec![clause.name, clause.value, if clause.is_hidden { "hidden" } else { "shown" }.to_owned()]);
    }
    table.write(out, "  ")
}
