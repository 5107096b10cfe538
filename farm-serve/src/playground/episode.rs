//! Plays an episode from its list of actions. The server stores nothing between requests, so a link can point to any place in an episode,
//! and a branch is just another list.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use farm_core::action::Call;
use farm_core::inspect::RulesText;
use farm_core::{Environment, Game};
use farm_render::{Frame, StoryStep, Told, story, tell};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::choice::{Choice, Compiled, Looks};
use super::errors::PlaygroundError;
use super::farm::bilingual::Words;
use super::farm::season::{Season, Totals};
use super::farm::view::{FarmView, Plots, rounded};
use super::replay::{adviser, begun, most_steps, read};
use super::series::{Series, Shown, shown};

/// A request for the state after a list of actions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaceRequest {
    /// The game.
    pub(crate) game: Choice,
    /// The seed of the episode.
    #[serde(default)]
    pub(crate) seed: u64,
    /// The actions, one line per step, in the format of recordings.
    #[serde(default)]
    pub(crate) actions: Vec<String>,
    /// The view to show.
    #[serde(default)]
    pub(crate) looks: Looks,
    /// The policy for a hint.
    #[serde(default)]
    pub(crate) hint: Option<String>,
    /// Whether the answer contains the picture, the texts, the log and the series. A farm's page needs none of them.
    #[serde(default = "yes")]
    pub(crate) details: bool,
}

fn yes() -> bool {
    true
}

/// A line of the log.
#[derive(Debug, Serialize)]
pub(super) struct LogLine {
    step: usize,
    sign: char,
    text: String,
}

/// An action that the player can choose.
#[derive(Debug, Serialize)]
pub(super) struct Choosable {
    /// The action as written in a reply.
    action: String,
    /// The reason, if the action would now be rejected whatever its arguments are.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'static str>,
}

/// The state after the actions.
#[derive(Debug, Serialize)]
pub(crate) struct Place {
    /// The actions in canonical form.
    pub(crate) actions: Vec<String>,
    /// The number of steps taken, which is smaller than the number of actions if the episode ended earlier.
    steps: usize,
    /// The input expected for the next step.
    expects: &'static str,
    /// Whether the episode is over, and the reason.
    pub(crate) over: bool,
    reason: Option<String>,
    /// The reason for people who play a farm.
    reason_words: Option<Words>,
    /// The error, if a part has failed and no further step is possible.
    failure: Option<String>,
    /// The reward of each step.
    rewards: Vec<f64>,
    /// The sum of all rewards.
    #[serde(rename = "return")]
    total: f64,
    /// The observation as text.
    text: String,
    /// The displayed values, in groups.
    shown: Vec<Shown>,
    /// The observed values over time.
    series: Vec<Series>,
    /// The log.
    log: Vec<LogLine>,
    /// The actions that can be chosen, including those that would be rejected.
    choices: Vec<Choosable>,
    /// The action that the policy suggests.
    hint: Option<String>,
    /// The same for people.
    hint_words: Option<Words>,
    /// The farm and its season, if the game is a farm.
    farm: Option<FarmView>,
    pub(crate) season: Option<Season>,
    /// The picture, as a base64-encoded PNG.
    picture: String,
    width: usize,
    height: usize,
    /// The hash of the state.
    pub(crate) state: String,
}

/// How far a season has come.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) steps: usize,
    pub(crate) money: f64,
    pub(crate) over: bool,
    #[serde(flatten)]
    pub(crate) season: Totals,
    #[serde(flatten)]
    pub(crate) plots: Plots,
}

impl Place {
    /// How far the season has come.
    pub(crate) fn summary(&self) -> Summary {
        Summary {
            steps: self.steps,
            money: rounded(self.total),
            over: self.over,
            season: self.season.as_ref().map(Season::totals).unwrap_or_default(),
            plots: self.farm.as_ref().map(FarmView::plots).unwrap_or_default(),
        }
    }
}

/// The log entries and rewards of a step.
struct Taken {
    told: Vec<Told>,
    reward: f64,
    total: f64,
}

/// Plays the actions and returns the resulting state.
///
/// # Errors
/// An action can't be read (the error names the action's step), the game does not have the policy, or there are too many steps.
pub(super) fn play(compiled: &Compiled, request: &PlaceRequest) -> Result<Place, PlaygroundError> {
    let game = &compiled.game;
    let most = most_steps(game);
    if request.actions.len() > most {
        return Err(PlaygroundError::TooLong { given: request.actions.len(), most });
    }
    let mut adviser = request.hint.as_ref().map(|name| adviser(game, name, request.seed)).transpose()?;
    let mut environment = begun(game, request.seed);
    if let Some(adviser) = &mut adviser {
        adviser.start(request.seed);
    }
    let text_renderer = compiled.text_renderer(request.looks);
    let mut advice = Vec::new();
    let mut advise = |environment: &Environment, advice: &mut Vec<Call>| {
        if let Some(adviser) = &mut adviser {
            advice.clear();
            adviser.choose(environment.game(), environment.state(), advice);
        }
    };
    let mut failure = environment.failed().map(ToString::to_string);
    let (mut taken, mut actions, mut total) = (Vec::<Taken>::new(), Vec::new(), 0.0);
    let mut series = if request.details { Series::of(game, request.actions.len()) } else { Vec::new() };
    Series::note(&mut series, &environment);
    let farm = compiled.farm().ok();
    let mut season = Season::default();
    let is_full = request.looks == Looks::Everything;
    let mut note = |environment: &Environment, total: f64| {
        if let Some(farm) = farm {
            season.note(farm, game, environment.state(), environment.record().executed(), total, is_full);
        }
    };
    note(&environment, 0.0);
    for (i, line) in request.actions.iter().enumerate() {
        if environment.state().over() || failure.is_some() {
            break;
        }
        let schedule = read(game, line).map_err(|problem| PlaygroundError::Unreadable { step: i + 1, problem })?;
        advise(&environment, &mut advice);
        let before = environment.state().clone();
        match environment.step(schedule.as_slice()) {
            Ok(outcome) => {
                total += outcome.reward;
                let told = if request.details { tell(text_renderer, &before, &environment) } else { Vec::new() };
                taken.push(Taken { told, reward: outcome.reward, total });
                note(&environment, total);
                actions.push(game.text().write(&schedule));
                Series::note(&mut series, &environment);
            }
            Err(error) => failure = Some(error.to_string()),
        }
    }
    let over = environment.state().over();
    let stop = environment.record().stop().filter(|_| over).map(|stop| game.text().stop_reason(stop));
    let (mut hint, mut hint_words) = (None, None);
    if request.hint.is_some() && !over && failure.is_none() {
        advise(&environment, &mut advice);
        hint = Some(game.text().write(&advice));
        hint_words =
            Some(Words::new(|labels| advice.iter().map(|call| labels.call(game, call)).collect::<Vec<_>>().join("; ")));
    }
    let (reward, record) = (taken.last().map(|taken| taken.reward), environment.record());
    let (executed, events) = (record.executed(), record.events());
    let frame = Frame { total, reward, executed, events, ..Frame::of(environment.state()) };
    let (picture, (width, height)) = match request.details {
        true => compiled.draw(request.looks, |renderer| {
            let size = renderer.size();
            (renderer.render(&frame).to_png(), size)
        })?,
        false => (Ok(Vec::new()), (0, 0)),
    };
    let last = taken.len();
    let story_steps = taken.iter().enumerate().map(|(i, taken)| StoryStep {
        told: &taken.told,
        reward: Some(taken.reward),
        total: taken.total,
        end: stop.as_deref().filter(|_| i + 1 == last),
    });
    let log = story(game, text_renderer.labels(), story_steps);
    Ok(Place {
        actions,
        steps: taken.len(),
        expects: environment.expects().name(),
        over,
        reason_words: stop.as_deref().map(Words::end_of_season),
        reason: stop,
        failure,
        rewards: taken.iter().map(|taken| taken.reward).collect(),
        total,
        text: if request.details { environment.text() } else { String::new() },
        shown: if request.details { shown(compiled, &environment, request.looks) } else { Vec::new() },
        series,
        log: log.into_iter().map(|line| LogLine { step: line.step, sign: line.kind.sign(), text: line.text }).collect(),
        choices: if request.details { choices(&environment) } else { Vec::new() },
        hint,
        hint_words,
        farm: farm.map(|farm| FarmView::of(farm, game, environment.state())),
        season: farm.map(|_| season),
        picture: STANDARD.encode(picture?),
        width,
        height,
        state: format!("{:016x}", environment.state().hash()),
    })
}

/// All actions, each listed once.
fn choices(environment: &Environment) -> Vec<Choosable> {
    let (game, state) = (environment.game(), environment.state());
    let schemas = game.text().tool_schemas(RulesText::Shown);
    let choice = |schema: &farm_core::ToolSchema| Choosable {
        action: schema.action().to_owned(),
        refused: game.text().tool_rejection(state, schema),
    };
    schemas.iter().map(choice).collect()
}

/// A request to play an episode with a policy.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WatchRequest {
    /// The game.
    pub(crate) game: Choice,
    /// The seed of the episode.
    #[serde(default)]
    pub(crate) seed: u64,
    /// The policy.
    pub(crate) policy: String,
}

/// An episode played by a policy.
#[derive(Debug, Serialize)]
pub(crate) struct Watched {
    actions: Vec<String>,
    #[serde(rename = "return")]
    total: f64,
    reason: Option<String>,
    /// Whether the episode was cut off at the maximum number of steps.
    cut: bool,
}

/// Plays an episode with a policy.
///
/// # Errors
/// The game does not have the policy, or a part fails.
pub(super) fn watch(compiled: &Compiled, request: &WatchRequest) -> Result<Watched, PlaygroundError> {
    let game = &compiled.game;
    let mut policy = adviser(game, &request.policy, request.seed)?;
    let mut environment = begun(game, request.seed);
    policy.start(request.seed);
    let (mut actions, mut total, mut schedule) = (Vec::new(), 0.0, Vec::new());
    while !environment.state().over() && actions.len() < most_steps(game) {
        schedule.clear();
        policy.choose(game, environment.state(), &mut schedule);
        total +=
            environment.step(schedule.as_slice()).map_err(|error| PlaygroundError::Failed(error.to_string()))?.reward;
        actions.push(game.text().write(&schedule));
    }
    let over = environment.state().over();
    let reason = environment.record().stop().filter(|_| over).map(|stop| game.text().stop_reason(stop));
    Ok(Watched { actions, total, reason, cut: !over })
}

/// A game's actions, with their descriptions and arguments.
pub(super) fn tools(game: &Game) -> Vec<Json> {
    let schemas = game.text().tool_schemas(RulesText::Shown);
    let tool = |schema: &farm_core::ToolSchema| {
        serde_json::json!({
            "name": schema.name(), "action": schema.action(), "description": schema.description(), "arguments": schema.arguments(),
        })
    };
    schemas.iter().map(tool).collect()
}
