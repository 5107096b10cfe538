//! Collects mdBook's warnings and errors from its log. Neither is allowed here.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Runs a function. Returns its result, and the warnings and errors that it logged.
pub(super) fn collect<T>(run: impl FnOnce() -> T) -> (T, Vec<String>) {
    let said = Arc::new(Mutex::new(Vec::new()));
    let result = tracing::subscriber::with_default(Listener(said.clone()), run);
    let said = said.lock().map(|mut said| std::mem::take(&mut *said)).unwrap_or_default();
    (result, said)
}

struct Listener(Arc<Mutex<Vec<String>>>);

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut message = Message(format!("{}: ", event.metadata().level()));
        event.record(&mut message);
        if let Ok(mut said) = self.0.lock() {
            said.push(message.0);
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a string never fails.
        let _ = match field.name() {
            "message" => write!(self.0, "{value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}
