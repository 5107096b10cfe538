//! Pictures and films of games.

mod families;
mod films;
mod golden;
mod learner_view;
mod mosaic;
mod pictures;
mod support;
mod third_party;
