//! The arguments of `farm agents family`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use farm_core::config::Problems;
use farm_games::families::{MemberName, PUBLISHED, is_member};

use crate::arguments::{at_least_one, cores, number};

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
  farm agents family FAMILY --gradients --count 100    share of groups of 8 episodes that carry a gradient, by split and tier
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
    pub(super) family: Option<String>,
    /// Seed of the rules
    #[arg(long, value_parser = number, allow_negative_numbers = true)]
    pub(super) seed: Option<u64>,
    /// Split of the rules: train, validation or test
    #[arg(long, value_name = "SPLIT")]
    pub(super) split: Option<String>,
    /// Tier of the family
    #[arg(long, value_name = "TIER")]
    pub(super) tier: Option<u32>,
    /// Other names for everything: invented-SEED or swapped-SEED
    #[arg(long, value_name = "SKIN")]
    pub(super) skin: Option<String>,
    /// Print the rules of the member in words instead of YAML
    #[arg(long)]
    pub(super) clauses: bool,
    /// Write the YAML of the member to a file; with --annotate or --gradients, the table
    #[arg(long, value_name = "FILE", conflicts_with_all = ["clauses", "check"])]
    pub(super) out: Option<PathBuf>,
    /// Draw N members with consecutive seeds, check each, and print their distribution
    #[arg(long, value_name = "N", conflicts_with = "clauses")]
    pub(super) check: Option<u64>,
    /// Draw a chart of how often each value was drawn
    #[arg(long, value_name = "FILE.svg|FILE.png", requires = "check")]
    pub(super) plot: Option<PathBuf>,
    /// Plan and play the worlds of a split (train, validation or test): optimum, length and the returns of scripts
    #[arg(long, value_name = "SPLIT", conflicts_with_all = ["clauses", "check", "seed", "skin", "split"])]
    pub(super) annotate: Option<String>,
    /// Take the optima from this table of the same worlds instead of planning
    #[arg(long, value_name = "FILE.csv", requires = "annotate")]
    pub(super) optima: Option<PathBuf>,
    /// Count how many groups of 8 episodes carry a gradient: random play in one world whose returns differ
    #[arg(long, conflicts_with_all = ["clauses", "check", "seed", "skin", "split", "annotate"])]
    pub(super) gradients: bool,
    /// Worlds per tier, for --annotate and --gradients
    #[arg(long, default_value_t = PUBLISHED, value_parser = at_least_one::<u64>, allow_negative_numbers = true)]
    pub(super) count: u64,
    /// Threads, for --check, --annotate and --gradients [default: all cores]
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Arguments {
    /// The name of the family member with this seed.
    pub(super) fn name(&self, family: &str, seed: u64) -> Result<MemberName, Problems> {
        if is_member(family) {
            return MemberName::parse(family);
        }
        let split = self.split.as_ref().map_or(String::new(), |split| format!("{split}-"));
        let skin = self.skin.as_ref().map_or(String::new(), |skin| format!(",skin={skin}"));
        let tier = self.tier.map_or(String::new(), |tier| format!("tier={tier},"));
        MemberName::parse(&format!("{family}@{tier}rules={split}{seed}{skin}"))
    }

    /// The number of threads to use.
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(cores, NonZero::get)
    }
}
