//! An episode's declared balances, stored as sums.

use farm_core::declare::{BalanceTracker, MassBalance};
use farm_core::{Game, Reader};

use crate::rows::halve;

/// A balance over time.
#[derive(Debug, Clone)]
pub(crate) struct BalanceSeries {
    /// The part's index.
    pub part: usize,
    /// The balance's index in its part.
    pub declared: usize,
    tracker: Option<BalanceTracker>,
    sums: Vec<f64>,
    /// The stock on each recorded day.
    pub stock: Vec<f64>,
    /// The sum of each flow up to each recorded day.
    pub flows: Vec<Vec<f64>>,
}

/// All of a game's balances.
#[derive(Debug, Clone)]
pub(crate) struct MassBalances(Vec<BalanceSeries>);

impl MassBalances {
    /// Creates a game's balances.
    pub(crate) fn of(game: &Game) -> Self {
        let parts = game.parts().iter().enumerate();
        let declared_balances =
            parts.flat_map(|(part, info)| info.mass_balances().iter().enumerate().map(move |(i, l)| (part, i, l)));
        let balance = |(part, declared, info): (usize, usize, &MassBalance)| BalanceSeries {
            part,
            declared,
            tracker: None,
            sums: vec![0.0; info.flows().len()],
            stock: Vec::new(),
            flows: vec![Vec::new(); info.flows().len()],
        };
        Self(declared_balances.map(balance).collect())
    }

    /// All balances, part by part.
    pub(crate) fn all(&self) -> &[BalanceSeries] {
        &self.0
    }

    /// Starts an episode.
    pub(crate) fn open(&mut self, game: &Game, reader: &Reader<'_>) {
        for balance in &mut self.0 {
            balance.tracker = balance.info(game).map(|declared| BalanceTracker::open(declared, reader));
        }
    }

    /// Adds the day that has just passed.
    pub(crate) fn note(&mut self, game: &Game, reader: &Reader<'_>) {
        for balance in &mut self.0 {
            let Some(declared) =
                game.parts().get(balance.part).and_then(|part| part.mass_balances().get(balance.declared))
            else {
                continue;
            };
            if let Some(tracker) = &mut balance.tracker {
                tracker.note(declared, reader);
                balance.sums.iter_mut().zip(tracker.flows()).for_each(|(sum, flow)| *sum += flow);
            }
        }
    }

    /// Records the current stocks and flows.
    pub(crate) fn keep(&mut self) {
        for balance in &mut self.0 {
            balance.stock.push(balance.tracker.as_ref().map_or(f64::NAN, |tracker| tracker.stock()));
            balance.flows.iter_mut().zip(&balance.sums).for_each(|(flow, sum)| flow.push(*sum));
        }
    }

    /// Drops every second day.
    pub(crate) fn halve(&mut self) {
        for balance in &mut self.0 {
            halve(&mut balance.stock);
            balance.flows.iter_mut().for_each(halve);
        }
    }
}

impl BalanceSeries {
    /// Its declaration.
    pub(crate) fn info<'g>(&self, game: &'g Game) -> Option<&'g MassBalance> {
        game.parts().get(self.part)?.mass_balances().get(self.declared)
    }
}
