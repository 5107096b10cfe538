//! `farm agents family`: families of games with random rules, and their members.

mod annotate;
mod census;

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use farm_core::SeedSplit;
use farm_core::config::{NameError, Path, Problem, Problems};
use farm_games::families::{
    FAMILIES, FarmSetting, MapSetting, Member, MemberName, PUBLISHED, Setting, Tier, is_member,
};
use serde_json::json;

use crate::arguments::{at_least_one, cores, number};
use crate::output::{self, TextTable};

const EXAMPLES: &str = "\
Examples:
  farm agents family                                   lists the families
  farm agents family FAMILY --seed 7                   a member, as YAML
  farm agents family FAMILY --seed 7 --clauses         its rules in words (a player has to discover them)
  farm agents family FAMILY --seed 7 --out member.yaml
  farm agents family FAMILY --split test --check 100   draws 100 members, and prints their distribution
  farm agents family FAMILY --check 1000 --plot members.svg
  farm agents family FAMILY --annotate test --tier 3 --out test.csv   optima and script returns of a split; an interrupted table is resumed
  farm agents family FAMILY --annotate test --optima farm-games/worlds/FAMILY-test.csv   script returns only, with the optima of a table
  farm run FAMILY@rules=7                       plays a member, like any command that takes a game
  farm run FAMILY@tier=3,rules=test-7 --seed test/7 --episodes 1   world 7 of the test split, on tier 3

Names of members: FAMILY@rules=7, or FAMILY@rules=train-7, validation-7 or test-7 for rules of a split. FAMILY@tier=3,rules=7 has the
same rules on tier 3. FAMILY@rules=7,skin=invented-3 has other names for everything.";

/// List, write and check families of games with random rules
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A family, or the name of a member [default: list all families]
    #[arg(value_name = "FAMILY|MEMBER")]
    family: Option<String>,
    /// Seed of the rules
    #[arg(long, value_parser = number, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Split of the rules: train, validation or test
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,
    /// Tier of the family
    #[arg(long, value_name = "TIER")]
    tier: Option<u32>,
    /// Other names for everything: invented-SEED or swapped-SEED
    #[arg(long, value_name = "SKIN")]
    skin: Option<String>,
    /// Print the rules of the member in words instead of YAML
    #[arg(long)]
    clauses: bool,
    /// Write the YAML of the member to a file; with --annotate, the table
    #[arg(long, value_name = "FILE", conflicts_with_all = ["clauses", "check"])]
    out: Option<PathBuf>,
    /// Draw N members with consecutive seeds, check each, and print their distribution
    #[arg(long, value_name = "N", conflicts_with = "clauses")]
    check: Option<u64>,
    /// Draw a chart of how often each value was drawn
    #[arg(long, value_name = "FILE.svg|FILE.png", requires = "check")]
    plot: Option<PathBuf>,
    /// Plan and play the worlds of a split (train, validation or test): optimum, length and the returns of scripts
    #[arg(long, value_name = "SPLIT", conflicts_with_all = ["clauses", "check", "seed", "skin", "split"])]
    annotate: Option<String>,
    /// Take the optima from this table of the same worlds instead of planning
    #[arg(long, value_name = "FILE.csv", requires = "annotate")]
    optima: Option<PathBuf>,
    /// Worlds per tier, for --annotate
    #[arg(long, default_value_t = PUBLISHED, value_parser = at_least_one::<u64>, requires = "annotate", allow_negative_numbers = true)]
    count: u64,
    /// Threads, for --check and --annotate [default: all cores]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Lists the families, or writes or checks family members.
///
/// # Errors
/// Fails if the family, split or skin is unknown, if members fail the check, or if the output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Some(family) = &arguments.family else { return list(arguments.json) };
    if let Some(members) = arguments.check {
        return census::check(arguments, family, members);
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

impl Arguments {
    /// The name of the family member with this seed.
    fn name(&self, family: &str, seed: u64) -> Result<MemberName, Problems> {
        if is_member(family) {
            return MemberName::parse(family);
        }
        let split = self.split.as_ref().map_or(String::new(), |split| format!("{split}-"));
        let skin = self.skin.as_ref().map_or(String::new(), |skin| format!(",skin={skin}"));
        let tier = self.tier.map_or(String::new(), |tier| format!("tier={tier},"));
        MemberName::parse(&format!("{family}@{tier}rules={split}{seed}{skin}"))
    }
}

/// The split with this name.
fn split_of(name: &str) -> Result<SeedSplit, Problems> {
    SeedSplit::named(name).ok_or_else(|| {
        let problem = Problem::new(NameError::UnknownLevel, Path::default(), format!("unknown split `{name}`"));
        Problems(vec![problem.value(name).among(name, SeedSplit::ALL.map(SeedSplit::name))])
    })
}

/// The number of threads to use.
fn threads(arguments: &Arguments) -> usize {
    arguments.threads.map_or_else(cores, NonZero::get)
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
        Setting::Farm(FarmSetting { plots, actions, water, is_water_seen }) => json!({
            "tier": number, "plots": plots, "actions": actions, "water": water, "water_seen": is_water_seen, "steps": steps, "told": told,
        }),
    }
}

fn write_clauses(out: &mut impl Write, member: &Member, is_json: bool) -> std::io::Result<()> {
    let clauses = member.laws.clauses();
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
