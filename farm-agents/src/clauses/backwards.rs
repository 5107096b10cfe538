//! Evidence from actions about the rules for things that pass through stages.

use farm_core::action::Call;
use farm_core::serde_yaml::{self, Value};
use farm_core::{Game, State};
use farm_games::families::BackwardsLaws;
use farm_oracle::backwards_valley::{Action, Effect, Kind, Pays, Reading, Thing, Untended};

use super::evidence::Evidence;

/// A verb in the game.
struct Verb {
    calls: Vec<Call>,
    kind: usize,
    /// Its effect; `None` if it has none.
    effect: Option<Effect>,
    /// The index of its clause.
    clause: usize,
}

/// Judges actions in games of the `backwards_valley` family.
pub(super) struct Judge {
    reading: Reading,
    clauses: Vec<(String, String)>,
    verbs: Vec<Verb>,
    /// The indices of the clauses for each kind's nature and for the stage that pays.
    natures: Vec<usize>,
    pays: Vec<usize>,
}

/// Whether a verb leads to a later stage.
fn leads_on(effect: Option<Effect>) -> bool {
    matches!(effect, Some(Effect::Up | Effect::Last))
}

/// Whether things of a kind reach their last stage only if untended.
fn is_neglected(kind: &Kind) -> bool {
    kind.untended == Untended::Advances && !kind.verbs.iter().any(|verb| leads_on(Some(verb.effect)))
}

impl Judge {
    pub(super) fn new(reading: Reading, game: &Game) -> Option<Self> {
        let (mut clauses, mut verbs, mut natures, mut pays) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let field = game.spec().fields().values().next()?;
        let parameters = field.entities().iter().filter_map(|entity| {
            let entity = serde_yaml::to_value(entity).ok()?;
            entity.get("StagedTiles").cloned()
        });
        for (rank, ((kind, parameters), name)) in reading.kinds().zip(parameters).zip(BackwardsLaws::KINDS).enumerate()
        {
            let nature = match (kind.untended, is_neglected(kind)) {
                (_, true) => "alone",
                (Untended::Stays, _) => "tended",
                _ => "both",
            };
            natures.push(clauses.len());
            clauses.push((format!("{name}.nature"), nature.to_owned()));
            for (verb, effect) in parameters.get("verbs")?.as_mapping()? {
                let (verb, word) = (verb.as_str()?, effect.as_str()?);
                let effect = match word {
                    "first" => Some(Effect::First),
                    "down" => Some(Effect::Down),
                    "up" => Some(Effect::Up),
                    "last" => Some(Effect::Last),
                    _ => None,
                };
                let calls = game.catalogue().parse_line(verb).ok()?;
                verbs.push(Verb { calls, kind: rank, effect, clause: clauses.len() });
                clauses.push((format!("{name}.{verb}"), word.to_owned()));
            }
            pays.push(clauses.len());
            let last = parameters.get("stages")?.as_sequence()?.last().and_then(Value::as_str)?;
            clauses.push((format!("{name}.pays"), last.to_owned()));
        }
        Some(Self { reading, clauses, verbs, natures, pays })
    }

    pub(super) fn clauses(&self) -> &[(String, String)] {
        &self.clauses
    }

    /// Collects the evidence from a schedule: a verb on the thing ahead, the lack of a verb on it, or standing on a crop.
    pub(super) fn evidence(&self, game: &Game, state: &State, schedule: &[Call], found: &mut Vec<Evidence>) {
        let world = self.reading.world(game, state);
        let at = world.agent;
        let thing_on = |tile: usize| -> Option<(usize, Thing)> {
            let mut of_kinds = world.kinds.iter().enumerate();
            of_kinds.find_map(|(rank, kind)| Some((rank, *kind.things.iter().find(|thing| thing.tile == tile)?)))
        };
        let ahead = world.grid.ahead(at.tile, at.facing).and_then(thing_on);
        let verb = self.verbs.iter().find(|verb| verb.calls == schedule);
        if let Some((rank, thing)) = ahead {
            let kind = &world.kinds[rank];
            let is_in_last = kind.is_in_last(&thing);
            match verb.filter(|verb| verb.kind == rank) {
                Some(verb) if is_in_last && kind.pays == Pays::OnFirstEntry => {
                    // It started in its last stage and has not paid. It must leave the stage and enter it again.
                    found.push((verb.clause, matches!(verb.effect, Some(Effect::First | Effect::Down))));
                }
                // A thing in its last stage is ready to take.
                Some(_) if is_in_last => found.push((self.pays[rank], false)),
                Some(verb) => {
                    found.push((self.natures[rank], !is_neglected(kind)));
                    found.push((verb.clause, leads_on(verb.effect)));
                }
                None if is_neglected(kind) && !is_in_last => found.push((self.natures[rank], true)),
                None => {}
            }
        }
        let direction = Action::MOVES.iter().position(|step| self.reading.calls(*step) == schedule);
        let waits = self.reading.calls(Action::Wait) == schedule;
        let stood_on = match direction {
            Some(direction) => world.grid.open_ahead(at.tile, direction),
            None if waits => Some(at.tile),
            None => None,
        };
        let Some((rank, thing)) = stood_on.and_then(thing_on) else { return };
        let kind = &world.kinds[rank];
        if kind.pays != Pays::WhenStoodOn {
            return;
        }
        if kind.in_last_after_a_step(&thing) {
            found.push((self.pays[rank], true));
        } else if waits {
            // Waiting is useless on a thing that does not advance by itself.
            let comes = kind.untended == Untended::Advances;
            found.push((self.natures[rank], comes));
        }
    }
}
