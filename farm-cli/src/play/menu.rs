//! The menu of actions: farmer, field, entity, action and parameters, with one question at a time.
//!
//! Questions with only one answer are skipped. Rejected choices stay in the menu, with the reason for the rejection.

use farm_core::action::{ActionTarget, Allowed, BaseAction, Call};
use farm_core::declare::ActionParameterKind;
use farm_core::labels::Labels;
use farm_core::{ActionKind, Game, State};

use crate::output::format_number;

/// The number of calls of a base action to try before the action counts as rejected.
const MAX_TRIED: usize = 256;

/// An answer that the player can choose.
#[derive(Debug, Clone)]
pub(super) struct MenuItem {
    /// The text of the answer.
    pub text: String,
    /// Its cost or another note.
    pub note: String,
    /// The reason why it would be rejected. `None` if it would be accepted.
    pub rejected: Option<&'static str>,
    answer: Answer,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Answer {
    Farmer(usize),
    Field(Option<usize>),
    Part(usize),
    Base(usize),
    Argument(f64),
}

/// A question.
#[derive(Debug, Clone)]
pub(super) enum Question {
    /// A choice from a list.
    List {
        /// The question.
        title: String,
        /// The answers.
        items: Vec<MenuItem>,
        /// The range of a number that the player can type instead.
        range: Option<(f64, f64)>,
    },
    /// A plot on the map.
    Plot {
        /// The question.
        title: String,
        /// The field.
        field: usize,
        /// The allowed plots, by index.
        allowed: Vec<usize>,
    },
}

/// The partly completed menu.
#[derive(Debug, Clone)]
pub(super) struct Menu {
    labels: &'static Labels,
    kind: ActionKind,
    answers: Vec<Answer>,
    /// For each answer that the player gave, the number of answers before it.
    asked: Vec<usize>,
    /// The index of the marked answer.
    pub selected: usize,
    /// The number that the player is typing.
    pub typed: String,
}

/// The result of giving an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reply {
    /// Another question.
    Ask,
    /// The action.
    Done(Call),
    /// The reason why the answer is not valid.
    Wrong(String),
}

impl Menu {
    /// The menu for all actions of a kind, or for one base action.
    pub(super) fn new(
        game: &Game,
        labels: &'static Labels,
        state: &State,
        kind: ActionKind,
        base: Option<usize>,
    ) -> (Self, Reply) {
        let mut menu = Self { labels, kind, answers: Vec::new(), asked: Vec::new(), selected: 0, typed: String::new() };
        if let Some((i, base)) = base.and_then(|i| Some((i, game.catalogue().base_actions().get(i)?))) {
            menu.answers =
                vec![Answer::Farmer(base.farmer()), Answer::Field(field_of(game, base)), Answer::Part(base.part())];
            menu.answers.push(Answer::Base(i));
        }
        let reply = menu.settle(game, state);
        (menu, reply)
    }

    /// The base action, once chosen.
    pub(super) fn base(&self) -> Option<usize> {
        self.answers.iter().find_map(|answer| match answer {
            Answer::Base(base) => Some(*base),
            _ => None,
        })
    }

    fn arguments(&self) -> Vec<f64> {
        let argument = |answer: &Answer| match answer {
            Answer::Argument(value) => Some(*value),
            _ => None,
        };
        self.answers.iter().filter_map(argument).collect()
    }

    /// The answers so far, as text.
    pub(super) fn path(&self, game: &Game) -> String {
        let several = game.catalogue().farmers().len() > 1;
        let words = self.answers.iter().filter_map(|answer| match answer {
            Answer::Farmer(rank) if several => Some(farmer(game, *rank).to_owned()),
            Answer::Part(part) => game.parts().get(*part).map(|part| self.labels.part(game, part)),
            Answer::Base(base) => {
                game.catalogue().base_actions().get(*base).map(|base| self.labels.base_action(game, base))
            }
            _ => None,
        });
        let base = self.base().and_then(|base| game.catalogue().base_actions().get(base));
        let parameters = base.and_then(|base| base.info(game.parts())).map(|info| info.parameters());
        let given = parameters.unwrap_or_default().iter().zip(self.arguments()).map(|(parameter, value)| {
            let value = base.map_or_else(String::new, |base| self.labels.argument(game, base, parameter, value));
            format!("{} {value}", self.labels.parameter(parameter.name()).text)
        });
        words.chain(given).collect::<Vec<_>>().join(" › ")
    }

    /// An action's name among the actions of its part. It leaves out the word for observing, which the question already contains.
    fn name(&self, game: &Game, base: &BaseAction) -> String {
        match (base.target(), game.parts().get(base.part())) {
            (ActionTarget::Observation(request), Some(part)) => self.labels.request(part, &request.text()),
            _ => self.labels.base_action(game, base),
        }
    }

    fn fits(&self, game: &Game, base: &BaseAction, index: usize) -> bool {
        base.kind() == self.kind
            && self.answers.iter().all(|answer| match answer {
                Answer::Farmer(farmer) => base.farmer() == *farmer,
                Answer::Field(field) => field_of(game, base) == *field,
                Answer::Part(part) => base.part() == *part,
                Answer::Base(chosen) => index == *chosen,
                Answer::Argument(_) => true,
            })
    }

    /// The next question. `None` if all questions are answered.
    pub(super) fn question(&self, game: &Game, state: &State) -> Option<Question> {
        let fitting =
            || game.catalogue().base_actions().iter().enumerate().filter(|(i, base)| self.fits(game, base, *i));
        let list = |title: &str, answers: Vec<(Answer, String, String)>| {
            let items = answers.into_iter().map(|(answer, text, note)| {
                let mut with = self.clone();
                with.answers.push(answer);
                let bases =
                    || game.catalogue().base_actions().iter().enumerate().filter(|(i, base)| with.fits(game, base, *i));
                let open = bases().any(|(i, _)| rejection(game, state, i).is_none());
                let reason = bases().find_map(|(i, _)| rejection(game, state, i));
                MenuItem { text, note, rejected: if open { None } else { reason }, answer }
            });
            Some(Question::List { title: self.labels.words(title).to_owned(), items: items.collect(), range: None })
        };
        match self.answers.len() {
            0 => {
                let mut farmers: Vec<usize> = fitting().map(|(_, base)| base.farmer()).collect();
                farmers.sort_unstable();
                farmers.dedup();
                let named = farmers.into_iter().map(|f| (Answer::Farmer(f), farmer(game, f).to_owned(), String::new()));
                list("Who acts?", named.collect())
            }
            1 => {
                let mut fields: Vec<Option<usize>> = fitting().map(|(_, base)| field_of(game, base)).collect();
                fields.sort_unstable();
                fields.dedup();
                let farm = || self.labels.words("Farm").to_owned();
                let name = |field: Option<usize>| field.map_or_else(farm, |field| self.labels.field(game, field));
                let named = fields.into_iter().map(|f| (Answer::Field(f), name(f), String::new()));
                list("In which field?", named.collect())
            }
            2 => {
                let mut parts: Vec<usize> = fitting().map(|(_, base)| base.part()).collect();
                parts.dedup();
                parts.sort_unstable();
                parts.dedup();
                let name =
                    |part: usize| game.parts().get(part).map(|part| self.labels.part(game, part)).unwrap_or_default();
                list("With what?", parts.into_iter().map(|p| (Answer::Part(p), name(p), String::new())).collect())
            }
            3 => {
                let title = if self.kind == ActionKind::Observation { "Observe what?" } else { "Do what?" };
                let cost = |base: &BaseAction| {
                    let costs = self.labels.words("costs");
                    if base.cost() > 0.0 { format!("{costs} {}", format_number(base.cost())) } else { String::new() }
                };
                list(title, fitting().map(|(i, base)| (Answer::Base(i), self.name(game, base), cost(base))).collect())
            }
            _ => self.parameter(game, state),
        }
    }

    fn parameter(&self, game: &Game, state: &State) -> Option<Question> {
        let index = self.base()?;
        let base = game.catalogue().base_actions().get(index)?;
        let arguments = self.arguments();
        let allowed = base.parameters().get(arguments.len())?;
        let parameter = base.info(game.parts())?.parameters().get(arguments.len())?;
        let doc = self.labels.words(parameter.doc()).trim_end_matches('.');
        let title = format!("{}: {doc}", self.labels.parameter(parameter.name()).text);
        let field = field_of(game, base);
        let values = allowed.offered(game.catalogue().bins().max(2));
        if let (ActionParameterKind::Plot, Some(field)) = (parameter.kind(), field)
            && values.len() > 1
        {
            return Some(Question::Plot {
                title,
                field,
                allowed: values.iter().map(|value| *value as usize).collect(),
            });
        }
        let item = |value: f64| {
            let mut given = arguments.clone();
            given.push(value);
            MenuItem {
                text: self.labels.argument(game, base, parameter, value),
                note: String::new(),
                rejected: rejection_with(game, state, index, &given),
                answer: Answer::Argument(value),
            }
        };
        let range = match allowed {
            Allowed::Range { low, high } => Some((*low, *high)),
            Allowed::Values(_) => None,
        };
        Some(Question::List { title, items: values.into_iter().map(item).collect(), range })
    }

    /// The reason why a plot would be rejected as the next argument. `None` if it would be accepted.
    pub(super) fn plot_rejection(&self, game: &Game, state: &State, plot: usize) -> Option<&'static str> {
        let mut given = self.arguments();
        given.push(plot as f64);
        rejection_with(game, state, self.base()?, &given)
    }

    /// Answers the question with the marked item, or with the typed number.
    pub(super) fn choose(&mut self, game: &Game, state: &State) -> Reply {
        let Some(Question::List { items, range, .. }) = self.question(game, state) else { return Reply::Ask };
        if let (Some((low, high)), false) = (range, self.typed.is_empty()) {
            return match self.typed.parse::<f64>() {
                Ok(value) if (low..=high).contains(&value) => self.answer(game, state, Answer::Argument(value)),
                _ => Reply::Wrong(format!(
                    "`{}`: {} {} {} {}",
                    self.typed,
                    self.labels.words("expected a number from"),
                    format_number(low),
                    self.labels.words("to"),
                    format_number(high)
                )),
            };
        }
        match items.get(self.selected) {
            Some(MenuItem { rejected: Some(reason), .. }) => Reply::Wrong((*reason).to_owned()),
            Some(item) => self.answer(game, state, item.answer),
            None => Reply::Ask,
        }
    }

    /// Answers the question with a plot.
    pub(super) fn choose_plot(&mut self, game: &Game, state: &State, plot: usize) -> Reply {
        match self.question(game, state) {
            Some(Question::Plot { allowed, .. }) if !allowed.contains(&plot) => {
                Reply::Wrong("the rules do not allow this plot".to_owned())
            }
            Some(Question::Plot { .. }) => match self.plot_rejection(game, state, plot) {
                Some(reason) => Reply::Wrong(reason.to_owned()),
                None => self.answer(game, state, Answer::Argument(plot as f64)),
            },
            _ => Reply::Ask,
        }
    }

    fn answer(&mut self, game: &Game, state: &State, answer: Answer) -> Reply {
        self.asked.push(self.answers.len());
        self.answers.push(answer);
        self.settle(game, state)
    }

    /// Answers questions that have only one answer.
    fn settle(&mut self, game: &Game, state: &State) -> Reply {
        (self.selected, self.typed) = (0, String::new());
        loop {
            match self.question(game, state) {
                None => {
                    let call = self.base().and_then(|base| game.catalogue().call(base, &self.arguments()));
                    return call.map_or(Reply::Wrong("the rules do not allow this".to_owned()), Reply::Done);
                }
                Some(Question::List { items, range: None, .. }) => match items.as_slice() {
                    [only] => self.answers.push(only.answer),
                    [] => return Reply::Wrong(format!("there is no {} in this game", self.kind.name())),
                    several => {
                        self.selected = several.iter().position(|item| item.rejected.is_none()).unwrap_or(0);
                        return Reply::Ask;
                    }
                },
                Some(_) => return Reply::Ask,
            }
        }
    }

    /// Takes back the last answer; returns whether there was one.
    pub(super) fn back(&mut self) -> bool {
        (self.selected, self.typed) = (0, String::new());
        match self.asked.pop() {
            Some(length) => {
                self.answers.truncate(length);
                true
            }
            None => false,
        }
    }
}

fn field_of(game: &Game, base: &BaseAction) -> Option<usize> {
    game.parts().get(base.part()).and_then(|part| part.field())
}

/// A farmer's name, by index.
pub(super) fn farmer(game: &Game, rank: usize) -> &str {
    game.parts().iter().filter(|part| part.field().is_none()).map(|part| part.name()).nth(rank).unwrap_or_default()
}

/// The reason why a base action would be rejected now with any arguments. `None` if some arguments would be accepted.
pub(super) fn rejection(game: &Game, state: &State, base: usize) -> Option<&'static str> {
    rejection_with(game, state, base, &[])
}

/// Like [`rejection`], but with the first arguments given.
fn rejection_with(game: &Game, state: &State, base: usize, given: &[f64]) -> Option<&'static str> {
    let parameters = game.catalogue().base_actions().get(base)?.parameters();
    let rest: Vec<Vec<f64>> =
        parameters.iter().skip(given.len()).map(|p| p.offered(game.catalogue().bins().max(2))).collect();
    let combinations: usize = rest.iter().map(Vec::len).product();
    let mut first = None;
    for combination in 0..combinations.min(MAX_TRIED) {
        let mut left = combination;
        let mut arguments = given.to_vec();
        for values in &rest {
            arguments.push(values[left % values.len()]);
            left /= values.len();
        }
        let call = game.catalogue().call(base, &arguments)?;
        match game.rejection(state, &call) {
            None => return None,
            reason => first = first.or(reason),
        }
    }
    first
}
