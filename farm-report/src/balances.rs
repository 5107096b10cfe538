//! The declared ledgers of an episode, kept as sums.

use farm_core::mass_balance::{BalanceTracker, MassBalance};
use farm_core::{Game, Reader};

use crate::rows::halve;

/// A ledger over time.
#[derive(Debug, Clone)]
pub(crate) struct Book {
    /// The part's index.
    pub part: usize,
    /// The ledger's index in its part.
    pub ledger: usize,
    account: Option<BalanceTracker>,
    sums: Vec<f64>,
    /// The stock on each kept day.
    pub stock: Vec<f64>,
    /// For each flow the sum until each kept day.
    pub flows: Vec<Vec<f64>>,
}

/// All ledgers of a game.
#[derive(Debug, Clone)]
pub(crate) struct Books(Vec<Book>);

impl Books {
    /// The ledgers of a game.
    pub(crate) fn of(game: &Game) -> Self {
        let parts = game.parts.iter().enumerate();
        let ledgers =
            parts.flat_map(|(part, info)| info.mass_balances.iter().enumerate().map(move |(i, l)| (part, i, l)));
        let book = |(part, ledger, info): (usize, usize, &MassBalance)| Book {
            part,
            ledger,
            account: None,
            sums: vec![0.0; info.flows.len()],
            stock: Vec::new(),
            flows: vec![Vec::new(); info.flows.len()],
        };
        Self(ledgers.map(book).collect())
    }

    /// All of them, part by part.
    pub(crate) fn all(&self) -> &[Book] {
        &self.0
    }

    /// Begins an episode.
    pub(crate) fn open(&mut self, game: &Game, reader: &Reader<'_>) {
        for book in &mut self.0 {
            book.account = book.info(game).map(|ledger| BalanceTracker::open(ledger, reader));
        }
    }

    /// Notes a day that has passed.
    pub(crate) fn note(&mut self, game: &Game, reader: &Reader<'_>) {
        for book in &mut self.0 {
            let Some(ledger) = game.parts.get(book.part).and_then(|part| part.mass_balances.get(book.ledger)) else {
                continue;
            };
            if let Some(account) = &mut book.account {
                account.note(ledger, reader);
                book.sums.iter_mut().zip(&account.flows).for_each(|(sum, flow)| *sum += flow);
            }
        }
    }

    /// Keeps how the books stand.
    pub(crate) fn keep(&mut self) {
        for book in &mut self.0 {
            book.stock.push(book.account.as_ref().map_or(f64::NAN, |account| account.stock));
            book.flows.iter_mut().zip(&book.sums).for_each(|(flow, sum)| flow.push(*sum));
        }
    }

    /// Drops every second day.
    pub(crate) fn halve(&mut self) {
        for book in &mut self.0 {
            halve(&mut book.stock);
            book.flows.iter_mut().for_each(halve);
        }
    }
}

impl Book {
    /// Its declaration.
    pub(crate) fn info<'g>(&self, game: &'g Game) -> Option<&'g MassBalance> {
        game.parts.get(self.part)?.mass_balances.get(self.ledger)
    }
}
