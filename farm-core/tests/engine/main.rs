//! The engine, played with toys: actions, observations at a cost, conditions, rules, declarations, limits, observers,
//! the order of a step; and which sources ask for the kind of a value.
//!
//! Every expected number is counted by hand from the paper, the issue or the game's own text.

mod action_errors;
mod action_tree;
mod ao_hidden;
mod ao_loop;
mod conditions;
mod declared;
mod farmgym_step;
mod limits;
mod migrated;
mod observers;
mod rules;
mod sheet;
mod stages;
mod step_order;
mod steps_per_day;
mod toys;
mod value_kinds;
