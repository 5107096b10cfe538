//! A board's page and charts.

use std::fmt::Write as _;

use farm_core::inspect::format_number;
use farm_plot::{Distributions, Drawing, Group, Lines, Series};
use farm_scoring::risk::Estimate;

use crate::across;
use crate::board::{BOOTSTRAP, Board, Column, Entry, GameBoard, WAIT};
use crate::picture::{Picture, WIDTH, brief, heading, percent, text};

/// The policy that a search found.
const BEST_KNOWN: &str = "best_known";
const HEIGHT: f64 = 220.0;
/// The number of thresholds in a performance profile.
const THRESHOLDS: u32 = 41;

/// Explains how to read the numbers.
const HEAD: &str = "\
# Baselines

This page lists the returns of policies for each game. `farm results` writes the page from the files under `results/`; each file names the command that regenerates it.

- Returns are sums of rewards, undiscounted and not shaped.
- Square brackets contain 95 % intervals, which are percentiles of 1,000 bootstrap resamples of runs and episodes. A learner with only one training run has no interval.
- IQM is the mean of the middle half of all episodes (Agarwal et al. 2021). CVaR 0.1 is the mean of the worst 10 %.
- The gap is the share of the best policy's gain over `wait` that a policy does not reach.
- `plan_known_future` knows the future and tries out plans before every eighth step. Its return shows the value of foresight, but is not proved to be the maximum.
- A policy cannot be the best if it knows the future, or if it exceeds one of the game's limits more often than the expert does.
- `ppo + orders` switches standing orders on and off; these orders contain expert knowledge. `ppo` chooses among the game's own actions. With `+ days`, days pass between decisions.
- A profile shows the share of episodes that earn more than a given return. Results with different fingerprints belong to different games, and are rejected.
";

impl Board {
    /// The Markdown page with notes at its top, and its charts. The charts belong in this folder, relative to the page. A summary has no
    /// sections for individual games.
    pub fn page(&self, folder: &str, notes: &str, is_summary: bool) -> (String, Vec<Picture>) {
        let comparisons = self.comparisons();
        let games = if is_summary { &[][..] } else { &self.games };
        let mut page = HEAD.to_owned();
        if !notes.is_empty() {
            page += &format!("\n{}\n", notes.trim_end());
        }
        // A text that is written to is always there.
        let _ = self.write_summary(&mut page, is_summary);
        let _ = self.write_across(&comparisons, &mut page, folder, is_summary);
        for game in games {
            let _ = game.write(&mut page, folder);
        }
        let of_games = games.iter().map(|game| Picture { name: game.picture(), drawing: game.draw() });
        (page, across::picture(&comparisons).into_iter().chain(of_games).collect())
    }

    /// One line of means per game.
    fn write_summary(&self, page: &mut String, is_summary: bool) -> std::fmt::Result {
        writeln!(
            page,
            "\n## All games\n\nMean returns. `{BEST_KNOWN}` is the best policy that search and tuning found (`cargo xtask best-known`). `plan` tries plans in copies of the"
        )?;
        writeln!(
            page,
            "episode before it acts. In a valley, `oracle` plays a proved optimum. \"Best minus expert\" is paired episode by episode; in valleys, the expert is `informed`.\n"
        )?;
        writeln!(page, "| game | `wait` | `random` | expert | best | | best minus expert | future known |")?;
        writeln!(page, "|---|--:|--:|--:|--:|---|--:|--:|")?;
        for game in &self.games {
            let mean = |entry: Option<&Entry>| entry.map_or("–".to_owned(), |entry| brief(entry.mean()));
            let (reference, best) = (game.reference(), game.best());
            let more = best.zip(reference).filter(|(best, reference)| best.policy != reference.policy);
            let more = more.and_then(|(best, reference)| best.less(reference)).map_or("–".to_owned(), |column| {
                let range = column.interval.map(|e| format!(" [{}, {}]", brief(e.low), brief(e.high)));
                brief(column.value) + &range.unwrap_or_default()
            });
            writeln!(
                page,
                "| {} | {} | {} | {} | {} | {} | {more} | {} |",
                heading(&game.name, is_summary),
                mean(game.entry(WAIT)),
                mean(game.entry("random")),
                mean(reference),
                mean(best),
                best.map(|best| text(&best.name())).unwrap_or_default(),
                mean(game.hindsight()),
            )?;
        }
        Ok(())
    }
}

impl GameBoard {
    /// The name of its chart.
    fn picture(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
        format!("{}.svg", self.name.chars().map(plain).collect::<String>())
    }

    fn write(&self, page: &mut String, folder: &str) -> std::fmt::Result {
        writeln!(page, "\n## {}\n", text(&self.name))?;
        let id = self.game_id.as_ref().map(|id| format!("`{id}`, ")).unwrap_or_default();
        writeln!(page, "{id}fingerprint `{:016x}`\n", self.fingerprint)?;
        let reference = self.reference().map(Entry::name);
        let above = reference.as_ref().map(|name| format!(" above {} |", text(name))).unwrap_or_default();
        writeln!(page, "| policy | kind | runs × episodes | mean | IQM | CVaR 0.1 | gap |{above}")?;
        writeln!(page, "|---|---|--:|--:|--:|--:|--:|{}", if reference.is_some() { "--:|" } else { "" })?;
        for entry in &self.entries {
            let [mean, iqm, tail] = entry.columns.map(|column| column.to_string());
            let kind = entry
                .policy
                .algo
                .as_ref()
                .map_or(entry.policy.kind.clone(), |algo| format!("{}, {algo}", entry.policy.kind));
            let episodes = entry.episodes();
            let gap = entry.gap.map_or("–".to_owned(), percent);
            let above = entry.improvement.map(|e| percent(Column { value: e.value, interval: Some(e) }));
            let above =
                if reference.is_some() { format!(" {} |", above.unwrap_or("–".to_owned())) } else { String::new() };
            let over = entry.over_limit().filter(|share| *share > 0.0);
            let over = over.map_or_else(String::new, |share| format!(", over a limit in {:.0} %", 100.0 * share));
            let (name, kind, runs) = (text(&entry.name()), text(&kind) + &over, entry.files.len());
            writeln!(page, "| {name} | {kind} | {runs} × {episodes} | {mean} | {iqm} | {tail} | {gap} |{above}")?;
        }
        if self.entries.iter().all(|entry| entry.policy.name != WAIT) {
            writeln!(page, "\nWithout results of `{WAIT}` there is no gap.")?;
        }
        writeln!(page, "\n![Performance profiles and probabilities of improvement]({folder}/{})\n", self.picture())?;
        for entry in &self.entries {
            for file in &entry.files {
                let seeds = file.seeds();
                let (first, last) = (seeds.start, seeds.end.saturating_sub(1));
                let made = &file.made_by;
                let word = |key: &str| match made.machine.get(key) {
                    Some(value) => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
                    None => "?".to_owned(),
                };
                writeln!(
                    page,
                    "- {}: `{}`; seeds {first} … {last}; version {}; {} {}, {} cores; {} s of CPU",
                    text(&entry.name()),
                    made.command.replace(['`', '\n'], "'"),
                    text(&made.version),
                    text(&word("system")),
                    text(&word("processor")),
                    text(&word("cores")),
                    format_number(made.cpu_seconds),
                )?;
            }
        }
        Ok(())
    }

    /// Performance profiles, with the probabilities of improvement below them.
    fn draw(&self) -> Drawing {
        let returns = || self.entries.iter().flat_map(|entry| entry.runs().flatten().copied());
        let (low, high) = (returns().fold(f64::INFINITY, f64::min), returns().fold(f64::NEG_INFINITY, f64::max));
        let step = (high - low) / f64::from(THRESHOLDS - 1);
        let thresholds: Vec<f64> = (0..THRESHOLDS).map(|i| low + f64::from(i) * step).collect();
        let series = self.entries.iter().enumerate().map(|(color, entry)| {
            let shares = entry.scores.profile(&thresholds);
            let band = BOOTSTRAP.profile(&entry.scores, &thresholds).unwrap_or_default();
            Series {
                name: entry.name(),
                points: thresholds.iter().copied().zip(shares).collect(),
                band: band.iter().map(|e| (e.low, e.high)).collect(),
                color,
                ..Series::default()
            }
        });
        let profiles = Lines {
            title: format!("{}: share of episodes that earn more", self.name),
            x: "return of an episode".to_owned(),
            y: "share of episodes".to_owned(),
            series: series.collect(),
            y_range: Some((0.0, 1.0)),
            is_named: true,
            width: WIDTH,
            height: HEIGHT,
            ..Lines::default()
        };
        let group = |(color, entry): (usize, &Entry)| {
            let Estimate { value, low, high } = entry.improvement?;
            let estimate = Some(farm_plot::Estimate { value, low, high });
            Some(Group { name: entry.name(), color, estimate, ..Group::default() })
        };
        let groups: Vec<Group> = self.entries.iter().enumerate().filter_map(group).collect();
        let Some(reference) = self.reference().filter(|_| !groups.is_empty()) else { return profiles.draw() };
        let improvement = Distributions {
            title: format!("Probability of improvement over {}", reference.name()),
            axis: "probability that an episode earns more, ties as half".to_owned(),
            groups,
            estimate: "probability with 95 % interval".to_owned(),
            width: WIDTH,
            ..Distributions::default()
        };
        Drawing::stacked(vec![profiles.draw(), improvement.draw()])
    }
}
