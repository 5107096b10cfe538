//! `farm agents family FAMILY --check N`: draws members, opens and plans each one, and counts the values of each clause.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

use farm_core::config::Problems;
use farm_core::in_parallel;
use farm_games::families::Member;
use farm_games::families::{Clause, MemberName, RuleSplit, Rules, Skill, Skin};
use farm_plot::{Bar, Bars, Drawing};
use serde_json::json;

use super::arguments::Arguments;
use crate::episode::Progress;
use crate::interrupts::Interrupts;
use crate::output::{self, TextTable, format_number};
use crate::plot::PlotFile;

/// The distribution of members.
#[derive(Default)]
struct Census {
    /// How often each value of each clause was drawn.
    values: BTreeMap<String, BTreeMap<String, u64>>,
    splits: BTreeMap<&'static str, u64>,
    skills: Vec<Skill>,
    faults: Vec<String>,
}

/// A drawn member and its skill measurements.
struct Drawn {
    name: MemberName,
    clauses: Vec<Clause>,
    split: RuleSplit,
    skill: Skill,
}

/// If a clause has more values than this, only their number is printed.
const MAX_VALUES: usize = 12;

/// The number of members that each thread draws between two checks for a signal.
const AT_ONCE: usize = 8;

/// Draws members with consecutive seeds.
///
/// # Errors
/// Fails if the family, split or skin is unknown, if rules can't be drawn, or if the chart can't be written.
pub(super) fn check(arguments: &Arguments, family: &str, members: u64) -> anyhow::Result<ExitCode> {
    let plot = arguments.plot.as_deref().map(PlotFile::open).transpose()?;
    let mut census = Census::default();
    let first = arguments.seed.unwrap_or_default();
    let names: Vec<MemberName> = (first..first.saturating_add(members))
        .map(|seed| arguments.name(family, seed))
        .collect::<Result<_, Problems>>()?;
    let (threads, interrupts, mut progress) =
        (arguments.threads(), Interrupts::note(), Progress::of(members, "members"));
    let mut signal = None;
    for block in names.chunks(threads * AT_ONCE) {
        signal = interrupts.signal();
        if signal.is_some() {
            break;
        }
        for drawn in in_parallel(block.len(), threads, || (), |(), i| Drawn::of(block[i])) {
            census.add(drawn?);
            progress.episode_done();
        }
    }
    let seconds = progress.finish();
    census.print(arguments.json, seconds)?;
    if let Some(plot) = plot {
        let chart = census.chart(family);
        if signal.is_some() {
            output::note(format!("incomplete: {}", plot.save_incomplete(&chart)?.display()));
        } else {
            plot.save(&chart)?;
        }
    }
    if let Some(signal) = signal {
        return Ok(signal.tell(census.skills.len() as u64, members, "members"));
    }
    Ok(if census.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Drawn {
    fn of(name: MemberName) -> Result<Self, Problems> {
        let member = Member::of(name)?;
        let game = farm_games::open(&name.to_string(), &farm_games::Options::default())?;
        // Without a tier and a skin, this is the game that was measured.
        let judged = member.skill.filter(|_| name.tier.is_none() && name.skin == Skin::Plain);
        let skill = judged.map_or_else(|| member.laws.skill_in(&game), Ok)?;
        Ok(Self { name, clauses: member.clauses(), split: member.laws.split(), skill })
    }
}

impl Census {
    fn add(&mut self, drawn: Drawn) {
        let Drawn { name, clauses, split, skill } = drawn;
        if !skill.is_enough() {
            self.faults.push(format!("{name}: the gain is too small or unproven: {skill:?}"));
        }
        if matches!(name.rules, Rules::Of(of, _) if of.of_rules() != split) {
            self.faults.push(format!("{name}: its rules belong to another split"));
        }
        self.skills.push(skill);
        *self.splits.entry(split.name()).or_default() += 1;
        for clause in clauses {
            *self.values.entry(clause.name).or_default().entry(clause.value).or_default() += 1;
        }
    }

    /// The counts of all values, as bars.
    fn chart(&self, family: &str) -> Drawing {
        let shown = self.values.iter().filter(|(_, values)| values.len() <= MAX_VALUES);
        let bar = |(clause, value, count): (&String, &String, &u64)| Bar {
            name: format!("{clause}: {value}"),
            values: vec![*count as f64],
        };
        let bars =
            shown.flat_map(|(clause, values)| values.iter().map(move |(value, count)| bar((clause, value, count))));
        Bars {
            title: format!("{} members of {family}: how often each value of each clause was drawn", self.skills.len()),
            axis: "members".to_owned(),
            parts: Vec::new(),
            bars: bars.collect(),
            width: 760.0,
        }
        .draw()
    }

    fn print(&self, is_json: bool, seconds: f64) -> anyhow::Result<()> {
        let mut out = output::stdout();
        let n = self.skills.len().max(1) as f64;
        let mean = |of: fn(&Skill) -> f64| self.skills.iter().map(of).sum::<f64>() / n;
        let [oracle, wait, same] = [mean(|s| s.oracle), mean(|s| s.wait), mean(|s| s.same)];
        if is_json {
            let shown = json!({
                "members": self.skills.len(), "splits": self.splits, "values": self.values, "faults": self.faults,
                "oracle": oracle, "wait": wait, "same": same, "seconds": seconds,
            });
            output::write_json(&mut out, "census", shown)?;
        } else {
            let splits: Vec<String> = self.splits.iter().map(|(name, n)| format!("{n} {name}")).collect();
            writeln!(out, "{} members ({}) in {} s", self.skills.len(), splits.join(", "), format_number(seconds))?;
            writeln!(
                out,
                "mean of members, return over all check levels: oracle {}, wait {}, one action in every step {}",
                format_number(oracle),
                format_number(wait),
                format_number(same)
            )?;
            let mut table = TextTable::new(&["clause", "values with counts"]);
            for (clause, values) in &self.values {
                let shown: Vec<String> = values.iter().map(|(value, count)| format!("{value} {count}")).collect();
                table.row(vec![
                    clause.clone(),
                    match shown.len() {
                        0..=MAX_VALUES => shown.join(", "),
                        more => format!("{more} values"),
                    },
                ]);
            }
            table.write(&mut out, "  ")?;
            for fault in &self.faults {
                writeln!(out, "{fault}")?;
            }
        }
        out.flush()?;
        Ok(())
    }
}
