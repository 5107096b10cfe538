//! Entities of the grid games.

