//! Lessons: cards with a task that the page checks, questions, and notes for the teacher.
//!
//! | file | contents |
//! |---|---|
//! | `format.rs` | the file format, the only declaration for the checks |
//! | `reading.rs` | reads a lesson, with a location for every problem |
//! | `shipped.rs` | the lessons that come with the project |
//! | `routes.rs` | requests of the page |
//! | `checks.rs` | which checks of a card hold for the played days |

mod checks;
mod format;
mod reading;
mod routes;
mod shipped;

pub use reading::Lesson;
pub(crate) use reading::Lessons;
pub(crate) use routes::router;
