//! `cargo xtask best-known`: finds the games' best known policies, which games contain under the name `best_known`.
//!
//! The task searches over policies and tunes their numbers, starting from the expert. The result is stored if it earns significantly more
//! than the expert on unseen seeds. Otherwise the expert is the best known policy, and the game has no `best_known`.

use std::path::Path;

use anyhow::{Context, bail};
use farm_core::Game;
use farm_core::inspect::format_number;
use farm_games::{CATALOGUE, Options};
use farm_scoring::risk::{Bootstrap, Criterion, Paired};
use farm_search::tune::{TunePlan, Tuning, with_all_numbers};
use farm_search::{Arena, Candidate, Draw, Vocabulary, Worth};
use xtask::{BestKnown, Exploits, SearchRun};

use crate::exploits::{EXPERT, FINALISTS, Opened, best_of, search_game, seeds};

/// The folder with the policies, relative to the top of the repository.
const FOLDER: &str = "farm-games/games/best_known";
/// Distance between the search seeds and the seeds for tuning, selection and the final judgement.
const TUNE: u64 = 3_000_000;
const SELECT: u64 = 5_000_000;
const JUDGE: u64 = 6_000_000;
/// Number of seeds for selecting the best policy.
const SELECTED: u64 = 1000;

/// Runs the task.
///
/// # Errors
/// A game has no expert or fails in a step, or a file can't be written.
pub(crate) fn run(root: &Path, request: &BestKnown) -> anyhow::Result<()> {
    for name in games(request)? {
        let game = farm_games::open(&name, &Options::default())?;
        let path = root.join(FOLDER).join(format!("{name}.yaml"));
        println!("{name}: {}", best(request, &name, game, &path)?);
    }
    Ok(())
}

/// The requested games. Default: the catalogue games with an expert, except games whose fields are too large for a search.
fn games(request: &BestKnown) -> anyhow::Result<Vec<String>> {
    if !request.games.is_empty() {
        return Ok(request.games.clone());
    }
    let mut found = Vec::new();
    for entry in CATALOGUE {
        let game = farm_games::open(entry.name, &Options::default())?;
        let is_large = game.catalogue().discrete_len() > 1000;
        if game.spec().policies().contains_key(EXPERT) && !is_large {
            found.push(entry.name.to_owned());
        }
    }
    Ok(found)
}

/// Searches, tunes and judges, then writes the policy or removes the previous one. Returns a description of the result.
fn best(request: &BestKnown, name: &str, game: Game, path: &Path) -> anyhow::Result<String> {
    let exploits = Exploits {
        games: Vec::new(),
        preset: None,
        set: Vec::new(),
        expert: Some(EXPERT.to_owned()),
        candidates: request.candidates,
        episodes: request.episodes,
        fresh: SELECTED,
        run: SearchRun { seed: request.seed, threads: None },
        out: None,
        luck: false,
        compare: Vec::new(),
    };
    let opened = Opened { title: name.to_owned(), game, file: name.to_owned() };
    let searched = search_game(&exploits, &opened)?;
    let (arena, expert) = (searched.arena, searched.expert);
    let vocabulary = Vocabulary::new(&opened.game, &expert.policy, request.seed)?;
    let found = searched.found.into_iter().take(FINALISTS).map(|scored| scored.candidate);
    let selected = seeds(request.seed.wrapping_add(SELECT), SELECTED);
    // If the game has a limit, policies that exceed it more often than the expert do not compete.
    let breaks = |policy: &Candidate, draws: &[Draw]| -> anyhow::Result<f64> {
        Ok(arena.counting(Worth::BreaksLimit).play(&[(&policy.policy, draws)])?.concat().iter().sum())
    };
    let most = breaks(&expert, &selected)?;
    let keeps = |candidates: Vec<Candidate>| -> anyhow::Result<Vec<Candidate>> {
        let with_count = candidates.into_iter().map(|candidate| Ok((breaks(&candidate, &selected)?, candidate)));
        let with_count: Vec<(f64, Candidate)> = with_count.collect::<anyhow::Result<_>>()?;
        Ok(with_count.into_iter().filter(|(count, _)| *count <= most).map(|(_, candidate)| candidate).collect())
    };
    let mut candidates = best_of(arena, std::iter::once(expert.clone()).chain(found).collect(), &selected)?;
    let of_search: Vec<Candidate> = candidates.iter().take(2).cloned().collect();
    for candidate in std::iter::once(&expert).chain(&of_search) {
        candidates.extend(tuned(request, arena, &vocabulary, candidate)?);
    }
    // Published numbers are returns.
    let arena_of_returns = arena.counting(Worth::Return);
    let best = best_of(arena_of_returns, keeps(candidates)?, &selected)?.swap_remove(0);
    let judged = seeds(request.seed.wrapping_add(JUDGE), request.fresh);
    if breaks(&best, &judged)? > breaks(&expert, &judged)? {
        return Ok(format!("the best policy found exceeds the limit more often than the expert: {}", best.how));
    }
    let played = arena_of_returns.play(&[(&best.policy, &judged), (&expert.policy, &judged)])?;
    let compared = Bootstrap::default().paired(&Criterion::Mean, &played[0], &played[1]);
    let (compared, interval) = match compared.map(|compared| (compared, compared.interval)) {
        Some((compared, Some(interval))) => (compared, interval),
        _ => bail!("{name}: {} fresh seeds are too few to tell two policies apart", request.fresh),
    };
    if interval.low <= 0.0 {
        if path.exists() {
            std::fs::remove_file(path).with_context(|| format!("{} can't be removed", path.display()))?;
        }
        return Ok(format!("nothing better than the expert is known ({})", shown(&compared)));
    }
    std::fs::create_dir_all(path.with_file_name("")).with_context(|| format!("{} can't be created", path.display()))?;
    std::fs::write(path, text(request, name, &best, &compared))
        .with_context(|| format!("{} can't be written", path.display()))?;
    Ok(format!("{} more than the expert: {}", shown(&compared), best.how))
}

/// Tunes a candidate's numbers, if it has any.
fn tuned(
    request: &BestKnown,
    arena: Arena<'_>,
    vocabulary: &Vocabulary,
    candidate: &Candidate,
) -> anyhow::Result<Option<Candidate>> {
    let expanded = farm_search::expand_tunable(arena.game(), &candidate.policy);
    let tunable = with_all_numbers(arena, vocabulary, &expanded);
    let seed = request.seed.wrapping_add(TUNE);
    let plan = TunePlan { criterion: Criterion::Mean, budget: request.budget, episodes: None, seed };
    if farm_search::tune::knobs_of(arena, &tunable)?.is_empty() {
        return Ok(None);
    }
    let mut tuning = Tuning::new(arena, tunable, plan)?;
    while !tuning.is_done() {
        tuning.generation()?;
    }
    let finished = tuning.finish()?;
    Ok(Some(Candidate::new(finished.policy, format!("{}; numbers tuned ({})", candidate.how, finished.chosen))))
}

/// A policy's advantage over the expert.
fn shown(compared: &Paired) -> String {
    let ends = compared.interval.map(|interval| [interval.low, interval.high].map(format_number));
    let ends = ends.map_or_else(String::new, |[low, high]| format!(" (95 %: {low} … {high})"));
    format!("{}{ends}", format_number(compared.difference))
}

/// The content of a policy file, including the policy's origin.
fn text(request: &BestKnown, name: &str, best: &Candidate, compared: &Paired) -> String {
    let BestKnown { candidates, episodes, budget, fresh, seed, .. } = request;
    let first = seed.wrapping_add(JUDGE);
    format!(
        "# yaml-language-server: $schema=../../../schemas/policy.schema.json\n\
         # The best policy that is known of {name}: earns {} more than the expert on {fresh} unseen seeds from {first} on.\n\
         # Made by `cargo xtask best-known --games {name} --candidates {candidates} --episodes {episodes} --budget {budget} --fresh {fresh} \
         --seed {seed}`.\n# {}\n{}",
        shown(compared),
        best.how,
        best.to_yaml()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expert in this game waters far too late.
    #[test]
    fn a_poor_expert_is_improved_and_the_file_says_how() {
        let folder = std::env::temp_dir().join(format!("best-known-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("dull.yaml");
        let request = BestKnown { games: Vec::new(), candidates: 8, episodes: 4, budget: 400, fresh: 40, seed: 0 };
        let document = farm_games::document("clay_bean").unwrap();
        let mut dull = document.value()["policies"]["expert"].clone();
        // It waters too late.
        dull["TriggerPolicy"]["rules"][1]["when"][0][0]["ref_value"] = 33_000.into();
        let set = ("policies.expert".to_owned(), serde_yaml::to_string(&dull).unwrap());
        let game = farm_games::open("clay_bean", &Options { set: vec![set], ..Default::default() }).unwrap();
        let said = best(&request, "dull", game, &path).unwrap();
        let written = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{said}"));
        assert!(said.contains("more than the expert"), "{said}");
        assert!(written.contains("cargo xtask best-known --games dull"), "{written}");
        let game = farm_games::open("clay_bean", &Options::default()).unwrap();
        farm_games::policy(&game, path.to_str().unwrap()).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
