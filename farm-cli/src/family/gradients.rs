//! `farm agents family FAMILY --gradients`: how many groups of 8 episodes of random play carry a gradient, by split and tier.

use std::io::Write;
use std::process::ExitCode;

use farm_agents::percent;
use farm_core::config::Problems;
use farm_core::{SeedSplit, in_parallel};
use farm_games::families::{GROUP, GradientShare, SplitWorld, Tier};
use serde_json::json;

use super::arguments::Arguments;
use crate::output::{self, TextTable};

/// Measures the shares on one tier or all tiers of all splits.
///
/// # Errors
/// Fails if the family or the tier is unknown, if rules can't be drawn, or if the file can't be written.
pub(super) fn gradients(arguments: &Arguments, family: &str) -> anyhow::Result<ExitCode> {
    // The first world reports an unknown family or tier.
    let first = SplitWorld::new(family, arguments.tier.unwrap_or(1), SeedSplit::Train, 0)?;
    let family = first.family();
    let tiers = if arguments.tier.is_some() { vec![first.tier()] } else { family.tiers.to_vec() };
    if let Some(path) = &arguments.out {
        farm_output::check_target(path)?;
    }
    let of_split = |split| tiers.iter().map(move |tier| (split, *tier));
    let measured: Vec<(SeedSplit, Tier)> = SeedSplit::ALL.into_iter().flat_map(of_split).collect();
    let shares = in_parallel(
        measured.len(),
        arguments.threads(),
        || (),
        |(), i| GradientShare::measure(family, measured[i].0, measured[i].1, arguments.count),
    );
    let shares: Vec<GradientShare> = shares.into_iter().collect::<Result<_, Problems>>()?;
    if let Some(path) = &arguments.out {
        let rows: String = shares.iter().map(|share| format!("{}\n", share.row(family.name))).collect();
        farm_output::save(path, format!("{}\n{rows}", GradientShare::HEADER).as_bytes())?;
    }
    let mut out = output::stdout();
    let ratio = |share: &GradientShare| share.with_gradient as f64 / share.groups as f64;
    if arguments.json {
        let row = |share: &GradientShare| json!({"split": share.split.name(), "tier": share.tier, "groups": share.groups, "with_gradient": share.with_gradient});
        let file = arguments.out.as_ref().map(|file| file.display().to_string());
        let shares: Vec<_> = shares.iter().map(row).collect();
        output::write_json(
            &mut out,
            "gradients",
            json!({"family": family.name, "episodes": GROUP, "shares": shares, "file": file}),
        )?;
    } else {
        writeln!(out, "{}: groups of {GROUP} episodes of random play whose returns differ", family.name)?;
        let mut table = TextTable::new(&["tier", "train", "validation", "test"]).right_aligned(0..4);
        for tier in &tiers {
            let cell = |split: SeedSplit| {
                let share = shares.iter().find(|share| (share.split, share.tier) == (split, tier.number));
                share.map_or(String::new(), |share| percent(ratio(share)))
            };
            let cells = [SeedSplit::Train, SeedSplit::Validation, SeedSplit::Test].map(cell);
            table.row([tier.number.to_string()].into_iter().chain(cells).collect());
        }
        table.write(&mut out, "  ")?;
        if let Some(file) = &arguments.out {
            writeln!(out, "written to {}", file.display())?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
