//! Weeds and pests in a field, against the laws of the equation sheet II.7 and II.8: forced inputs, many plots, one day.

mod forced;
mod pests;
mod weeds;
