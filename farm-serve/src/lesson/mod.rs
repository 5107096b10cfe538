//! Lessons: cards with a task that the page checks, questions, and notes for the teacher.
//!
//! | file | contents |
//! |---|---|
//! | `format.rs` | the file format, the only declaration for the checks |
//! | `lesson.rs` | reads a lesson, with a location for every problem |
//! | `shipped.rs` | the lessons that come with the project |
//! | `routes.rs` | requests of the page |
//! | `checks.rs` | which checks of a card hold for the played days |

mod checks;
mod format;
mod lesson;
mod routes;
mod shipped;

pub use lesson::Lesson;
pub(crate) use lesson::Lessons;
pub(crate) use routes::router;
