//! A class: pupils play the same season, each on an own farm, and the teacher sees how far they are.
//!
//! | file | contents |
//! |---|---|
//! | `room.rs` | the class in memory: its season, its file, what the teacher changes |
//! | `seats.rs` | pupils: how they join, and how their sessions follow them |
//! | `pupils.rs` | requests of pupils: join, play |
//! | `teacher.rs` | requests of the teacher: the table, the season, start, pause and end |
//! | `table.rs` | the table as JSON and as CSV |
//! | `file.rs` | the file that keeps the class over a restart |
//! | `names.rs` | names of people, and the code of the class |
//! | `address.rs` | the settings, the addresses, and the QR code |
//!
//! The page is the playground's. A pupil's request also contains all actions, so a season that a restart has missed comes back with the
//! pupil's next day. The server plays the actions itself, and a pupil's [session](crate::session) follows them. A pupil's key is the agent's
//! key of the session: it opens nothing else.

mod address;
mod errors;
mod file;
mod names;
mod pupils;
mod room;
mod seats;
mod table;
mod teacher;

use std::sync::Arc;

use axum::Router;
use axum::http::Uri;
use axum::response::Response;
use axum::routing::get;

use crate::playground;
pub use address::{ClassAddress, ClassSettings};
pub(crate) use room::{Room, Tables};

/// Routes of a class.
pub(crate) fn router(room: Arc<Room>) -> Router {
    let pages = Router::new().route("/", get(page)).route("/teacher", get(page)).route("/{code}", get(page));
    pages.merge(playground::assets()).merge(pupils::router()).merge(teacher::router()).with_state(room)
}

/// Whether the server answers without the teacher's token. Pupils send their own keys, which their requests check.
pub(crate) fn is_public(uri: &Uri) -> bool {
    !uri.path().starts_with("/api/class")
}

async fn page() -> Response {
    playground::class_page()
}
