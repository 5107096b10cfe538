//! Mistakes that newcomers made with games of their own: for each the one place, the code, and the words without which its remedy would be none.

use farm_core::NoObserver;
use farm_core::config::Problem;
use farm_games::{GameDocument, Options};

use super::support::{BASE, Case, file, slip};

/// A mistake and what must be said of it.
struct Mistake {
    case: Case,
    line: usize,
    code: &'static str,
    words: &'static [&'static str],
    /// Whether nothing else is said: what follows from a mistake is none.
    is_all: bool,
}

fn mistake(case: Case, line: usize, code: &'static str, words: &'static [&'static str]) -> Mistake {
    Mistake { case, line, code, words, is_all: true }
}

/// The base game with one piece replaced.
fn wrong(from: &str, to: &str, line: usize, code: &'static str, words: &'static [&'static str]) -> Mistake {
    mistake(slip("mistake", &[(from, to)]), line, code, words)
}

impl Mistake {
    fn among_others(self) -> Self {
        Self { is_all: false, ..self }
    }

    /// What is missing in what is said.
    fn told_wrongly(&self) -> Option<String> {
        let problems = self.case.problems();
        let line = |problem: &Problem| problem.location.as_ref().and_then(|at| at.position).map(|(line, _)| line);
        let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
        let is_it = |problem: &&Problem| {
            let said = problem.to_string();
            problem.code.name() == self.code
                && line(problem) == Some(self.line)
                && self.words.iter().all(|words| said.contains(words))
        };
        let is_told = problems.iter().any(|problem| is_it(&problem)) && (!self.is_all || problems.len() == 1);
        let wanted = format!("line {}, {}, {:?}", self.line, self.code, self.words);
        (!is_told).then(|| format!("wanted: {wanted}\n{}", said.join("\n")))
    }
}

fn in_values() -> Vec<Mistake> {
    let entities = "      - Weather: montpellier\n      - Soil: clay\n      - Plant: bean\n";
    let day = "      - [{state_variable: [Field-0, Weather-0, day#int365], operator: '>=', ref_value: 330}]\n";
    let with_operator = |operator: &str| day.replace("'>='", operator);
    let below = |operator: &str| {
        let lines = ["- - state_variable: [Field-0, Weather-0, day#int365]", "    ref_value: 330"];
        format!("      {}\n          operator: {operator}\n      {}\n", lines[0], lines[1])
    };
    vec![
        // Tabs.
        wrong(
            "      - Soil: clay",
            "\t\t- Soil: clay",
            10,
            "tab-indentation",
            &["line 10 is indented with a tab; use spaces"],
        ),
        wrong("      - Soil: clay", "      \t- Soil: clay", 10, "tab-indentation", &["line 10 is indented with a tab"]),
        wrong("    max_steps: 250", "\tmax_steps: 250", 36, "tab-indentation", &["line 36 is indented with a tab"]),
        // Lists.
        wrong(
            "      - Soil: clay",
            "     - Soil: clay",
            10,
            "wrong-indentation",
            &["align this `-` with the items above (column 7)"],
        ),
        wrong("      - Soil: clay", "       - Soil: clay", 10, "wrong-indentation", &["(column 7)"]),
        wrong("      - [Field-0, Soil-0", "     - [Field-0, Soil-0", 24, "wrong-indentation", &["(column 7)"]),
        mistake(
            slip("entities that are a mapping", &[(entities, &entities.replace("- ", ""))]),
            8,
            "wrong-type",
            &["put `- ` before each line", "`- Weather: montpellier`"],
        ),
        wrong(
            "  - BasicFarmer: {max",
            "  BasicFarmer: {max",
            13,
            "wrong-type",
            &["put `- ` before each line", "`- BasicFarmer: {max_daily_interventions: 2}`"],
        ),
        // Signs that must be quoted.
        mistake(
            slip("operator", &[(day, &with_operator(">="))]),
            35,
            "unquoted-sign",
            &["`>=` must be", "quote it: '>='"],
        ),
        mistake(slip("operator", &[(day, &with_operator(">"))]), 35, "unquoted-sign", &["quote it: '>'"]),
        mistake(slip("operator", &[(day, &with_operator("!="))]), 35, "unquoted-sign", &["quote it: '!='"]),
        mistake(slip("operator", &[(day, &below(">="))]), 36, "unquoted-sign", &["quote it: '>='"]),
        mistake(slip("operator", &[(day, &below(">"))]), 36, "wrong-operator", &["quote it: '>'"]),
        wrong(
            "doc: Beans on clay.",
            "doc: %Beans on clay.",
            2,
            "unquoted-sign",
            &["`%` must be", "quote it: '%Beans on clay.'"],
        ),
        // Numbers.
        wrong("{stage: seed}", "{stage: seed, population#nb: 007}", 21, "wrong-value", &["no leading zeros", "`7`"]),
        wrong("    max_steps: 250", "    max_steps: 0250", 36, "wrong-type", &["no leading zeros", "`250`"]),
        wrong("    max_steps: 250", "    max_steps: '250'", 36, "wrong-type", &["without quotes"]),
        wrong("ref_value: 1}]", "ref_value: 100%}]", 34, "wrong-value", &["a share from 0 to 1", "`1`"]),
        wrong("water_discrete: 0.02}", "water_discrete: 2%}", 42, "wrong-type", &["without `%`"]),
        wrong(
            "- Plant: bean",
            "- Plant: {base: bean, shadow_coeff#prop: 50%}",
            11,
            "wrong-type",
            &["`0.5`", "a share from 0 to 1"],
        ),
        wrong(
            "- Soil: clay",
            "- Soil:\n          base: clay\n          depth#m: 0,5",
            12,
            "wrong-type",
            &["`0.5`", "a decimal point"],
        ),
        // Dates.
        wrong("[110, 120]", "29 February", 20, "wrong-value", &["from 0 to 364", "a date such as `10 April`"]),
        wrong("[110, 120]", "'(20 April, 10 April)'", 20, "wrong-range", &["(99, 109)"]),
        wrong("    max_steps: 250", "    max_steps: 10 April", 36, "wrong-type", &["10 April is day 99"]),
        // All of them.
        wrong("plot: ['(0, 0)', '(1, 0)']", "plot: all", 30, "wrong-argument", &["or `'*'` for all"]),
        wrong("Plant-0, stage]\n", "Plant-0, stage, all]\n", 25, "unknown-entry", &["'*' for all"]),
    ]
}

fn in_structure() -> Vec<Mistake> {
    vec![
        mistake(
            file("misspelt `extends`", "", "name: x\nextend: clay_bean-v2\n"),
            2,
            "unknown-parameter",
            &["did you mean `extends`?", "`preset`", "`changes`"],
        ),
        mistake(
            file("no name, either", "", "extend: clay_bean-v2\n"),
            1,
            "unknown-parameter",
            &["did you mean `extends`?"],
        ),
        wrong(
            "\nscore:\n",
            "\nscoer:\n",
            38,
            "unknown-parameter",
            &["`extends`, `preset`, `changes`", "did you mean `score`?"],
        ),
        wrong(
            "name: garden\n",
            "name: garden\npreset: 4x3\n",
            2,
            "unknown-parameter",
            &["`extends: GAME`", "`presets`"],
        ),
        // Keys that stand below others.
        wrong(
            "\nscore:\n",
            "\n  score:\n",
            38,
            "misplaced-key",
            &["`score` belongs at the top level: unindent line 38"],
        ),
        wrong(
            "\nscore:\n",
            "\n    score:\n",
            38,
            "misplaced-key",
            &["`score` belongs at the top level: unindent line 38"],
        ),
        wrong(
            "\nfarmers:\n",
            "\n  farmers:\n",
            13,
            "misplaced-key",
            &["`farmers` belongs at the top level: unindent line 13"],
        ),
        wrong(
            "\npolicies:\n",
            "\n  policies:\n",
            45,
            "misplaced-key",
            &["`policies` belongs at the top level: unindent line 45"],
        ),
        // Sets for kinds, and other words for sets and stages.
        wrong(
            "- Plant: bean",
            "- Bean",
            11,
            "unknown-kind",
            &["`bean` is a parameter set of `Plant`: write `Plant: bean`"],
        ),
        wrong(
            "- Plant: bean",
            "- bean: {}",
            11,
            "unknown-kind",
            &["`bean` is a parameter set of `Plant`: write `Plant: bean`"],
        ),
        wrong(
            "- Plant: bean",
            "- Maize",
            11,
            "unknown-kind",
            &["`corn` is a parameter set of `Plant`: write `Plant: corn`"],
        ),
        wrong("- Soil: clay", "- Clay", 10, "unknown-kind", &["write `Soil: clay`"]).among_others(),
        wrong("- Plant: bean", "- Plant: maize", 11, "unknown-parameter-set", &["did you mean `corn`?"]),
        wrong("- Plant: bean", "- Plant: Soya", 11, "unknown-parameter-set", &["did you mean `soybean`?"]),
        wrong("{stage: seed}", "{stage: seedling}", 21, "wrong-value", &["did you mean `grow`?"]),
        wrong("of: [dead]", "of: [flowering]", 34, "wrong-value", &["did you mean `bloom`?"]),
        // The remedy, and then some of the roles.
        wrong(
            "      - Soil: clay\n",
            "",
            10,
            "role-without-provider",
            &["]: add `Soil` to the field: `Field-0.Plant-0` needs the roles `", "in all), which no part provides"],
        )
        .among_others(),
    ]
}

#[test]
fn mistakes_of_newcomers_are_told_with_their_place_and_remedy() {
    let wrong: Vec<String> = in_values().iter().chain(&in_structure()).filter_map(Mistake::told_wrongly).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// How the game starts with this value of the day, and how many steps it lasts until this other one.
fn played(start: &str, end: &str) -> (u64, u64) {
    let text = BASE.replace("[110, 120]", start).replace("ref_value: 330", &format!("ref_value: {end}"));
    let opened = GameDocument::parse("dated.yaml", &text).and_then(|source| source.open(&Options::default()));
    let game = opened.unwrap_or_else(|problems| panic!("{start}, {end}: {problems}"));
    let mut state = game.new_state();
    game.reset(&mut state, 3, &mut game.new_record());
    let mut player = game.player("wait").expect("the game waits");
    let episode = farm_core::play(&game, player.as_mut(), 3, &mut NoObserver).expect("it ends");
    (state.hash(), episode.steps())
}

#[test]
fn dates_are_days_of_the_year() {
    // 31 + 28 + 31 = 90 days before April.
    let one = played("99", "109");
    assert_eq!(one.1, 10);
    for (start, end) in [("10 April", "20 April"), ("April 10", "Apr 20"), ("2021-04-10", "2021-04-20")] {
        assert_eq!(played(start, end), one, "{start}");
    }
    for (numbers, dates) in [
        ("[99, 109]", "[10 April, April 20]"),
        ("'(99, 109)'", "'(10 April, 20 April)'"),
        ("'(99, 109)'", "'(April 10, 2021, 109)'"),
    ] {
        assert_eq!(played(dates, "27 November"), played(numbers, "330"), "{dates}");
    }
}
