//! Scores against balances kept by others: every reward, cost and constraint is worked out again from the actions, the events
//! and the variables of the field.

mod basic;
mod constraints;
mod profit;
mod support;
mod variable;
