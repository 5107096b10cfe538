//! A tree over moves: open-loop UCT (Kocsis and Szepesvári 2006; Bubeck and Munos 2010). Each trial follows one path down the tree; then
//! the base policy plays. Progressive widening (Coulom 2007) limits the number of children, because there are more actions than trials.
//!
//! A node represents the moves that lead to it, not a state. If futures are random, its value is a mean over them.

use farm_core::Stream;

use super::trials::Trials;
use super::{Move, Plan, Situation, cross_entropy};
use crate::SearchError;

/// A node with v trials has at most √(v · this) children.
const WIDTH: f64 = 4.0;
/// Weight of the exploration term, in units of the range of observed returns.
const EXPLORATION: f64 = 0.7;

/// A node and the move that leads to it.
struct Node {
    own: Move,
    visits: f64,
    total: f64,
    children: Vec<usize>,
}

impl Node {
    fn new(own: Move) -> Self {
        Self { own, visits: 0.0, total: 0.0, children: Vec::new() }
    }

    fn mean(&self) -> f64 {
        self.total / self.visits.max(1.0)
    }
}

/// The best plans from a decision's trials, in descending order.
pub(super) fn search(
    trials: &mut Trials<'_>,
    situation: Situation<'_>,
    stream: &mut Stream,
) -> Result<Vec<Plan>, SearchError> {
    let Situation { base, state, begun, budget, depth } = situation;
    let game = trials.game();
    let weights = cross_entropy::by_kind(trials);
    let mut mask = vec![0; game.catalogue().discrete_len()];
    game.action_mask(state, &mut mask);
    let now: Vec<f64> = weights.iter().zip(&mask).map(|(weight, bit)| weight * f64::from(*bit)).collect();
    let has_room = game.catalogue().max_schedule() > 1;
    let mut nodes = vec![Node::new(Move::base())];
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for trial in 0..budget {
        let mut way = vec![0];
        let mut plan = Plan::new();
        while plan.len() < depth {
            let at = way.last().copied().unwrap_or_default();
            let room = (nodes[at].visits * WIDTH).sqrt().ceil() as usize;
            // The rest of the last plan is tried once as a whole.
            let follows = trial == 1 && plan.len() < begun.len();
            if follows || nodes[at].children.len() < room.max(1) {
                let weights = if plan.is_empty() { &now } else { &weights };
                let own = match nodes[at].children.len() {
                    _ if follows => begun[plan.len()].clone(),
                    0 => Move::base(),
                    1 => Move::wait(),
                    _ => another(weights, has_room, stream),
                };
                if nodes[at].children.iter().all(|child| nodes[*child].own != own) {
                    nodes.push(Node::new(own.clone()));
                    let child = nodes.len() - 1;
                    nodes[at].children.push(child);
                    way.push(child);
                    plan.push(own);
                    if follows {
                        continue;
                    }
                    break;
                }
            }
            let Some(child) = chosen(&nodes, at, (low, high)) else { break };
            way.push(child);
            plan.push(nodes[child].own.clone());
        }
        let trial = trials.play(base, state, &[plan], 1)?[0][0];
        // A trial that breaks a limit gets at most the worst return so far.
        let found = if trial.breaks_limit { low.min(trial.total) } else { trial.total };
        (low, high) = (low.min(found), high.max(found));
        for at in way {
            nodes[at].visits += 1.0;
            nodes[at].total += found;
        }
    }
    let mut first = nodes[0].children.clone();
    first.sort_by(|a, b| {
        nodes[*b].visits.total_cmp(&nodes[*a].visits).then(nodes[*b].mean().total_cmp(&nodes[*a].mean()))
    });
    Ok(first.into_iter().map(|child| way_from(&nodes, child)).collect())
}

/// One action, alone or followed by the base policy.
fn another(weights: &[f64], has_room: bool, stream: &mut Stream) -> Move {
    let total = farm_core::math::sum(weights.iter().copied());
    let mut left = stream.uniform() * total;
    let id = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    let is_base_asked = has_room && stream.bernoulli(0.5);
    Move { actions: id.into_iter().collect(), is_base_asked }
}

/// The child with the largest upper bound.
fn chosen(nodes: &[Node], at: usize, (low, high): (f64, f64)) -> Option<usize> {
    let range = if high > low { high - low } else { 1.0 };
    let logarithm = farm_core::math::ln(nodes[at].visits.max(1.0));
    let bound = |child: usize| {
        let node = &nodes[child];
        (node.mean() - low) / range + EXPLORATION * (logarithm / node.visits.max(1.0)).sqrt()
    };
    let mut children = nodes[at].children.iter().copied();
    let first = children.next()?;
    Some(children.fold(first, |best, child| if bound(child) > bound(best) { child } else { best }))
}

/// The moves from a node along the most visited children, until a child has been visited only once.
fn way_from(nodes: &[Node], start: usize) -> Plan {
    let (mut at, mut plan) = (start, vec![nodes[start].own.clone()]);
    loop {
        let children = nodes[at].children.iter().copied().filter(|child| nodes[*child].visits > 1.0);
        let most = children.reduce(|best, child| if nodes[child].visits > nodes[best].visits { child } else { best });
        let Some(next) = most else { return plan };
        plan.push(nodes[next].own.clone());
        at = next;
    }
}
