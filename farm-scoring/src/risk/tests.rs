//! Reference values, computed by hand, with numpy and scipy 1.17 (named at each value), and from closed forms.

use farm_core::Stream;
use farm_core::math::ln;

use super::bootstrap::{normal_probability, normal_quantile};
use super::*;

const X: [f64; 12] = [3.1, -1.2, 4.7, 0.4, 2.2, 8.9, -0.3, 1.5, 5.0, 2.8, 0.9, 3.6];
const Y: [f64; 12] = [2.0, -1.9, 5.1, 0.1, 1.2, 6.0, 0.2, 1.0, 4.1, 2.9, -0.6, 2.7];
/// Twenty skewed returns.
const Z: [f64; 20] = [
    0.21, 1.35, 0.07, 2.94, 0.48, 0.66, 5.12, 0.95, 0.13, 1.77, 0.39, 3.58, 0.84, 0.02, 1.08, 0.57, 2.21, 0.29, 7.43,
    1.49,
];

fn criterion(text: &str) -> Criterion {
    text.parse().unwrap_or_else(|problem| panic!("{problem:?}"))
}

#[track_caller]
fn assert_value(text: &str, expected: f64) {
    let found = criterion(text).value(&X).unwrap();
    assert!((found - expected).abs() < 1e-12, "{text}: {found}, expected {expected}");
}

#[test]
fn mean_and_variance_penalty_are_those_of_numpy() {
    assert_value("mean", 2.6333333333333333);
    assert_value("variance:0", 2.6333333333333333);
    assert_value("variance:0.5", -1.1433333333333322);
}

#[test]
fn quantiles_are_those_of_numpy() {
    for (text, expected) in [("0", -1.2), ("0.1", -0.23), ("0.25", 0.775), ("0.5", 2.5), ("0.9", 4.97), ("1", 8.9)] {
        assert_value(&format!("quantile:{text}"), expected);
    }
}

/// By hand: a tenth of 12 returns is 1.2 returns: all of −1.2 and a fifth of −0.3.
#[test]
fn cvar_takes_the_last_of_the_worst_in_part() {
    assert_value("cvar:0.1", (-1.2 + 0.2 * -0.3) / 1.2);
    assert_value("cvar:0.25", (-1.2 - 0.3 + 0.4) / 3.0);
    assert_value("cvar:0.05", -1.2);
    assert_value("cvar:1", 2.6333333333333333);
}

/// scipy.special.logsumexp.
#[test]
fn entropic_risk_is_that_of_scipy_and_overflows_nowhere() {
    assert_value("entropic:1", 0.6555381251904091);
    assert_value("entropic:0.2", 2.0277142571307705);
    // The lowest of two returns remains: −ln(½ (1 + e^−2000·…)) / β added to it.
    let far = criterion("entropic:2").value(&[-1000.0, 1000.0]).unwrap();
    assert!((far - (-1000.0 + std::f64::consts::LN_2 / 2.0)).abs() < 1e-9, "{far}");
}

/// The mean of the minimum over all subsets (numpy and itertools.combinations).
#[test]
fn worst_of_several_is_the_mean_over_all_subsets() {
    for (episodes, expected) in [
        (1, 2.6333333333333333),
        (2, 1.059090909090909),
        (3, 0.3940909090909092),
        (5, -0.30681818181818177),
        (12, -1.2),
    ] {
        assert_value(&format!("worst:{episodes}"), expected);
    }
    assert_eq!(criterion("worst:13").value(&X), None, "twelve episodes have no subset of thirteen");
    assert_eq!(criterion("variance:1").value(&[1.0]), None);
    assert_eq!(criterion("mean").value(&[]), None);
}

/// Closed forms for a normal distribution with mean 5 and standard deviation 2 (scipy.stats.norm; the minimum of 20 by
/// scipy.integrate.quad).
#[test]
fn criteria_of_a_normal_sample_tend_to_their_closed_forms() {
    let mut stream = Stream::from_seed(11);
    let returns: Vec<f64> = (0..200_000).map(|_| 5.0 + 2.0 * stream.normal()).collect();
    for (text, expected) in [
        ("mean", 5.0),
        ("variance:0.25", 5.0 - 0.25 * 4.0),
        ("quantile:0.1", 5.0 - 2.0 * 1.2815515655446004),
        ("cvar:0.1", 5.0 - 2.0 * 1.7549833193248683),
        ("entropic:0.5", 5.0 - 0.5 * 4.0 / 2.0),
        ("worst:20", 5.0 - 2.0 * 1.8674750597983212),
    ] {
        let found = criterion(text).value(&returns).unwrap();
        // Five standard errors of the least certain of them.
        assert!((found - expected).abs() < 0.05, "{text}: {found}, expected {expected}");
    }
}

#[test]
fn a_criterion_prints_as_it_is_written_and_a_wrong_one_says_what_is_right() {
    for text in ["mean", "variance:0.5", "quantile:0.1", "cvar:0.1", "entropic:1", "worst:20"] {
        assert_eq!(criterion(text).to_string(), text);
    }
    assert_eq!(criterion(" cvar : 0.10 ").to_string(), "cvar:0.1");
    let refused = |text: &str| *text.parse::<Criterion>().unwrap_err();
    assert_eq!(refused("cvra:0.1").nearest.as_deref(), Some("cvar"));
    for (text, expected) in [
        ("cvar:0", "a share above 0 and at most 1"),
        ("cvar", "a share above 0 and at most 1"),
        ("cvar:10%", "a share above 0 and at most 1"),
        ("quantile:1.5", "a share from 0 to 1"),
        ("entropic:-1", "a risk aversion above 0"),
        ("variance:inf", "a weight of 0 or more"),
        ("worst:2.5", "an integer of 1 or more (episodes)"),
        ("worst:0", "an integer of 1 or more (episodes)"),
        ("mean:2", "`mean`"),
    ] {
        let problem = refused(text);
        assert_eq!(problem.expected.as_deref(), Some(expected), "{text}");
        assert!(problem.value.is_some() && problem.help.is_some(), "{text}");
    }
    assert!(refused("").help.is_some_and(|help| help.contains("worst:20")));
}

/// scipy.stats.norm.
#[test]
fn the_normal_distribution_is_that_of_scipy() {
    assert!((normal_quantile(0.975) - 1.959963984540054).abs() < 1e-12);
    assert!((normal_quantile(0.1) + 1.2815515655446004).abs() < 1e-12);
    assert!((normal_probability(-1.2) - 0.11506967022170822).abs() < 1e-15);
}

const MANY: Bootstrap = Bootstrap { resamples: 40_000, confidence: 0.95, seed: 3 };

/// scipy.stats.bootstrap with 200,000 resamples, method BCa; its own error is about 0.005 here.
#[test]
fn bca_intervals_are_those_of_scipy() {
    for (text, low, high) in [
        ("mean", 0.959, 2.709),
        ("variance:0.5", -2.0220188385121114, 0.5377069036713001),
        ("entropic:1", 0.5438528362199129, 1.1988784162114237),
        ("cvar:0.25", 0.03, 0.334),
    ] {
        // The numbers are compared also where the tail is too thin to tell them to anybody.
        let (sample, criterion) = (Sample::new(&Z), criterion(text));
        let found = MANY.interval(&criterion, Z.len(), |counts| sample.value(&criterion, counts)).unwrap();
        assert_eq!(found.value, criterion.value(&Z).unwrap());
        let tolerance = 0.02 * (high - low);
        assert!((found.low - low).abs() < tolerance && (found.high - high).abs() < tolerance, "{text}: {found:?}");
    }
    let paired = MANY.paired(&Criterion::Mean, &X, &Y).unwrap();
    assert_eq!((paired.better, paired.equal, paired.worse), (9, 0, 3));
    let Estimate { value, low, high } = paired.interval.unwrap();
    assert_eq!(value, paired.difference);
    assert!((value - 0.7333333333333335).abs() < 1e-12);
    assert!((low - 0.3166666666666669).abs() < 0.02 && (high - 1.35).abs() < 0.02, "{low} … {high}");
}

#[test]
fn intervals_repeat_and_depend_on_their_seed() {
    let bootstrap = Bootstrap::default();
    let cvar = criterion("cvar:0.5");
    assert_eq!(bootstrap.estimate(&cvar, &Z), bootstrap.estimate(&cvar, &Z));
    assert_ne!(bootstrap.estimate(&cvar, &Z), Bootstrap { seed: 1, ..bootstrap }.estimate(&cvar, &Z));
}

#[test]
fn a_constant_has_no_width_and_too_few_returns_have_no_interval() {
    let bootstrap = Bootstrap::default();
    for text in ["mean", "variance:0.5", "quantile:0.1", "cvar:0.1", "entropic:1", "worst:5"] {
        let found = bootstrap.estimate(&criterion(text), &[2.5; 100]).unwrap();
        assert!([found.value, found.low, found.high].iter().all(|x| (x - 2.5).abs() < 1e-12), "{text}: {found:?}");
    }
    assert_eq!(bootstrap.estimate(&Criterion::Mean, &[1.0]), None);
    assert_eq!(bootstrap.estimate(&criterion("worst:5"), &[1.0, 2.0]), None);
    assert_eq!(bootstrap.paired(&Criterion::Mean, &[1.0, 2.0], &[1.0, 2.0, 3.0]), None);
}

#[test]
fn pairing_removes_what_both_policies_share() {
    // Good and bad years differ by hundreds, the policies by about one.
    let years: Vec<f64> = (0..40).map(|i| f64::from(i * 37 % 40) * 20.0).collect();
    let a: Vec<f64> = years.iter().zip(0..).map(|(year, i)| year + 1.0 + f64::from(i % 3) * 0.1).collect();
    let paired = Bootstrap::default().paired(&Criterion::Mean, &a, &years).unwrap();
    let difference = paired.interval.unwrap();
    assert!(difference.low > 1.0 && difference.high < 1.2, "{paired:?}");
    assert_eq!((paired.better, paired.worse), (40, 0));
    let alone = Bootstrap::default().estimate(&Criterion::Mean, &a).unwrap();
    assert!(alone.high - alone.low > 100.0, "{alone:?}");
}

/// How often 95 % intervals of 50 skewed returns contain the true value, in 400 studies; the standard error is 1.1 %.
#[test]
fn intervals_hold_the_true_value_about_as_often_as_they_say() {
    let mut stream = Stream::from_seed(8);
    // Exponential with mean 1: quantile −ln(1 − q); CVaR_α = 1 + (1 − α) ln(1 − α) / α; entropic ln(1 + β) / β; the
    // minimum of m has mean 1/m.
    let cases = [
        ("mean", 1.0),
        ("quantile:0.25", -ln(0.75)),
        ("cvar:0.5", 1.0 + ln(0.5)),
        ("entropic:1", ln(2.0)),
        ("worst:5", 0.2),
    ];
    let mut held = [0; 5];
    for study in 0..400 {
        let returns: Vec<f64> = (0..50).map(|_| -ln(1.0 - stream.uniform())).collect();
        let bootstrap = Bootstrap { resamples: 400, confidence: 0.95, seed: study };
        for (held, (text, truth)) in held.iter_mut().zip(cases) {
            let found = bootstrap.estimate(&criterion(text), &returns).unwrap();
            *held += u32::from((found.low..=found.high).contains(&truth));
        }
    }
    for (held, (text, _)) in held.iter().zip(cases) {
        let share = f64::from(*held) / 400.0;
        assert!((0.90..=0.985).contains(&share), "{text}: {share}");
    }
}

#[test]
fn fewer_than_ten_episodes_in_the_tail_give_no_interval() {
    let returns: Vec<f64> = (0..400).map(|i| f64::from(i * 37 % 400)).collect();
    let bootstrap = Bootstrap { resamples: 200, ..Bootstrap::default() };
    for (text, fewest) in [
        ("mean", Some(2)),
        ("variance:0.5", Some(2)),
        ("entropic:1", Some(2)),
        ("cvar:1", Some(2)),
        ("worst:1", Some(2)),
        ("cvar:0.1", Some(100)),
        ("cvar:0.3", Some(34)),
        ("quantile:0.1", Some(100)),
        ("quantile:0.9", Some(100)),
        ("quantile:0.5", Some(20)),
        ("worst:20", Some(200)),
        ("quantile:0", None),
    ] {
        let criterion = criterion(text);
        assert_eq!(criterion.fewest_for_interval(), fewest, "{text}");
        let n = fewest.unwrap_or(400);
        let (few, enough) = (&returns[..n - 1], &returns[..n]);
        assert_eq!(bootstrap.estimate(&criterion, few), None, "{text}");
        assert!(criterion.no_interval(n - 1).is_some(), "{text}");
        assert_eq!(bootstrap.estimate(&criterion, enough).is_some(), fewest.is_some(), "{text}");
        assert_eq!(criterion.no_interval(n).is_none(), fewest.is_some(), "{text}");
        // The difference of two policies has a value all the same.
        if n > criterion.fewest() {
            let paired = bootstrap.paired(&criterion, few, &vec![0.0; n - 1]).unwrap();
            assert_eq!((paired.difference, paired.interval), (criterion.value(few).unwrap(), None), "{text}");
        }
    }
    let words = |text: &str, n| criterion(text).no_interval(n).unwrap();
    assert_eq!(words("cvar:0.1", 20), "2 episodes in the tail; at least 10 needed for an interval");
    assert_eq!(words("quantile:0.1", 55), "5.5 episodes in the tail; at least 10 needed for an interval");
    assert_eq!(words("worst:20", 20), "1 episode in the tail; at least 10 needed for an interval");
    assert_eq!(words("mean", 1), "1 episode; at least 2 needed for an interval");
}

/// rliable's results for a matrix of scores, written by `tests/rliable/make.py`.
fn of_rliable() -> serde_json::Value {
    serde_json::from_str(include_str!("../../tests/rliable/values.json")).unwrap()
}

fn numbers(json: &serde_json::Value) -> Vec<f64> {
    json.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// The file has a row for each run, with a score for each task.
fn scores(json: &serde_json::Value) -> Scores {
    let runs: Vec<Vec<f64>> = json["runs"].as_array().unwrap().iter().map(numbers).collect();
    let task = |task: usize| runs.iter().map(|run| vec![run[task]]).collect();
    Scores::new(&(0..runs[0].len()).map(task).collect::<Vec<_>>()).unwrap()
}

/// Values equal rliable's values. Intervals agree with its intervals as closely as two sets of resamples can.
#[track_caller]
fn assert_estimate(what: &str, found: Estimate, expected: &serde_json::Value) {
    let [value, low, high] = numbers(expected)[..] else { panic!("{expected}") };
    assert!((found.value - value).abs() < 1e-12, "{what}: {}, expected {value}", found.value);
    let slack = 0.06 * (high - low) + 1e-12;
    let is_near = (found.low - low).abs() < slack && (found.high - high).abs() < slack;
    assert!(is_near, "{what}: {found:?}, expected {low} … {high}");
}

#[test]
fn statistics_of_runs_are_those_of_rliable() {
    let json = of_rliable();
    let bootstrap = Bootstrap { resamples: 20_000, ..Bootstrap::default() };
    let thresholds = numbers(&json["thresholds"]);
    for learner in ["x", "y"] {
        let expected = &json[learner];
        let names = ["mean", "median", "iqm", "optimality_gap"];
        let statistics =
            [Statistic::Mean, Statistic::Median, Statistic::InterquartileMean, Statistic::OptimalityGap(1.0)];
        let found = bootstrap.scores(&scores(expected), &statistics).unwrap();
        for (name, found) in names.iter().zip(found) {
            assert_estimate(&format!("{learner} {name}"), found, &expected[name]);
        }
        let found = bootstrap.profile(&scores(expected), &thresholds).unwrap();
        // Shares move by whole runs: an end of a band is one of few numbers.
        for (i, (found, expected)) in found.iter().zip(expected["profile"].as_array().unwrap()).enumerate() {
            let [value, low, high] = numbers(expected)[..] else { panic!("{expected}") };
            let step = 1.0 / scores(&json[learner]).len() as f64 + 1e-12;
            assert!((found.value - value).abs() < 1e-12, "{learner} {}: {found:?}, expected {value}", thresholds[i]);
            assert!((found.low - low).abs() <= step && (found.high - high).abs() <= step, "{found:?}, {expected}");
        }
    }
}

#[test]
fn aggregates_over_tasks_are_those_of_rliable_where_runs_are_equally_many() {
    let json = of_rliable();
    let bootstrap = Bootstrap { resamples: 20_000, ..Bootstrap::default() };
    let names = ["mean", "iqm", "optimality_gap"];
    let aggregates = [Aggregate::Mean, Aggregate::InterquartileMean, Aggregate::OptimalityGap(1.0)];
    for learner in ["x", "y"] {
        let expected = &json[learner];
        let found = bootstrap.aggregates(&scores(expected), &aggregates).unwrap();
        for (name, found) in names.iter().zip(found) {
            assert_estimate(&format!("{learner} {name}"), found, &expected[name]);
        }
    }
}

/// By hand: runs with means 1, 3 | 2 | 10, 20, 30, 40 each have a weight of one half, one and one quarter.
#[test]
fn a_task_counts_alike_whatever_the_number_of_its_runs() {
    let around = |means: &[f64]| means.iter().map(|mean| vec![mean - 0.5, mean + 0.5]).collect::<Vec<_>>();
    let tasks = [around(&[1.0, 3.0]), around(&[2.0]), around(&[10.0, 20.0, 30.0, 40.0])];
    let scores = Scores::new(&tasks).unwrap();
    let assert_is = |aggregate: Aggregate, expected: f64| {
        let found = scores.aggregate(aggregate);
        assert!((found - expected).abs() < 1e-12, "{aggregate:?}: {found}, expected {expected}");
    };
    assert_is(Aggregate::Mean, (2.0 + 2.0 + 25.0) / 3.0);
    assert_is(Aggregate::OptimalityGap(2.0), (0.5 * 1.0) / 3.0);
    // A quarter of three tasks is three quarter runs at either end: the run of 1 and a quarter of that of 2; those of 20 and more.
    assert_is(Aggregate::InterquartileMean, (0.75 * 2.0 + 0.5 * 3.0 + 0.25 * 10.0) / 1.5);
    // Of the episodes 0.5, 1.5, 2.5, 3.5 two are above 1.5, of 1.5, 2.5 one, of the others all; the highest is 40.5.
    let profile = scores.profile(&[1.5, 2.0, 40.5]);
    for (found, expected) in profile.iter().zip([(0.5 + 0.5 + 1.0) / 3.0, (0.5 + 0.5 + 1.0) / 3.0, 0.0]) {
        assert!((found - expected).abs() < 1e-12, "{profile:?}");
    }
    assert_is(Aggregate::Risk(criterion("cvar:0.5")), (1.0 + 1.5 + (9.5 + 10.5 + 19.5 + 20.5) / 4.0) / 3.0);
    assert!(scores.aggregate(Aggregate::Risk(criterion("worst:3"))).is_nan(), "the second task has two episodes");
    let bootstrap = Bootstrap::default();
    let [found] = bootstrap.aggregates(&scores, &[Aggregate::Mean]).unwrap()[..] else { panic!() };
    assert!(found.low < found.value && found.value < found.high, "{found:?}");
    let single = Scores::of_runs(&[vec![3.0]]).unwrap();
    assert!(bootstrap.aggregates(&single, &[Aggregate::Mean]).is_none(), "one score has no spread");
}

#[test]
fn the_probability_of_improvement_is_that_of_rliable() {
    let json = of_rliable();
    let (x, y) = (scores(&json["x"]), scores(&json["y"]));
    let found = Bootstrap::default().improvement(&x, &y).unwrap();
    let [value, low, high] = numbers(&json["improvement"])[..] else { panic!("{json}") };
    assert!((found.value - value).abs() < 1e-12, "{found:?}, expected {value}");
    // Both draw two thousand times.
    let slack = 0.1 * (high - low);
    assert!((found.low - low).abs() < slack && (found.high - high).abs() < slack, "{found:?}, {low} … {high}");
    assert_eq!(x.improvement(&x), Some(0.5), "ties count half");
    assert!((y.improvement(&x).unwrap() + value - 1.0).abs() < 1e-12);
}

#[test]
fn episodes_are_drawn_as_runs_are() {
    // All of the spread lies between the episodes, and none between the runs: that there are many runs proves nothing.
    let episodes: Vec<f64> = Z.to_vec();
    let (one, many) = (vec![episodes.clone()], vec![episodes.clone(); 50]);
    let bootstrap = Bootstrap::default();
    let width = |runs: &[Vec<f64>]| {
        let found = bootstrap.scores(&Scores::of_runs(runs).unwrap(), &[Statistic::Mean]).unwrap();
        (found[0].high - found[0].low, found[0].value)
    };
    let ((narrow, value), (wide, same)) = (width(&many), width(&one));
    assert!((value - same).abs() < 1e-12 && (narrow / wide - 1.0).abs() < 0.1, "{narrow} {wide}");
    // Of runs alone, all alike, there is no spread.
    let alike = Scores::of_runs(&many).unwrap().means_of_runs();
    let [found] = bootstrap.scores(&alike, &[Statistic::Mean]).unwrap()[..] else { panic!() };
    assert!(alike.len() == 50 && found.high - found.low < 1e-12);
    let risk = Statistic::Risk(criterion("cvar:0.1"));
    let cvar = Scores::of_runs(&one).unwrap().value(risk);
    assert!((cvar - criterion("cvar:0.1").value(&episodes).unwrap()).abs() < 1e-12);
}

#[test]
fn scores_that_are_no_table_are_refused() {
    assert!(Scores::new(&[]).is_none() && Scores::of_runs(&[]).is_none() && Scores::of_runs(&[vec![]]).is_none());
    assert!(Scores::of_runs(&[vec![1.0, 2.0], vec![1.0]]).is_none(), "runs of different lengths");
    assert!(Scores::of_runs(&[vec![f64::NAN]]).is_none());
    let single = Scores::of_runs(&[vec![3.0]]).unwrap();
    assert!(Bootstrap::default().scores(&single, &[Statistic::Mean]).is_none(), "one score has no spread");
    assert!(single.value(Statistic::Risk(criterion("worst:2"))).is_nan());
    let two = Scores::new(&[vec![vec![1.0]], vec![vec![2.0]]]).unwrap();
    assert!(two.improvement(&single).is_none() && Bootstrap::default().improvement(&two, &single).is_none());
}
