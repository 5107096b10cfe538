//! `/metrics`: the server's counters in Prometheus text format.

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;

/// Upper bounds of the histogram buckets, in seconds.
const BOUNDS: [f64; 9] = [0.000_05, 0.000_1, 0.000_25, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5];

/// The counters.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    open: Arc<AtomicI64>,
    sessions: AtomicU64,
    refused_sessions: AtomicU64,
    refused_requests: AtomicU64,
    episodes: AtomicU64,
    steps: AtomicU64,
    /// The number of messages per bucket; the last bucket has no bound.
    times: [AtomicU64; BOUNDS.len() + 1],
    nanoseconds: AtomicU64,
}

/// Counts a session as open until it is dropped.
#[derive(Debug)]
pub(crate) struct OpenSession(Arc<AtomicI64>);

impl Drop for OpenSession {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Metrics {
    pub(crate) fn session(&self) -> OpenSession {
        self.sessions.fetch_add(1, Relaxed);
        self.open.fetch_add(1, Relaxed);
        OpenSession(self.open.clone())
    }

    pub(crate) fn count_refused_session(&self) {
        self.refused_sessions.fetch_add(1, Relaxed);
    }

    pub(crate) fn count_refused_request(&self) {
        self.refused_requests.fetch_add(1, Relaxed);
    }

    pub(crate) fn count_episode(&self) {
        self.episodes.fetch_add(1, Relaxed);
    }

    pub(crate) fn count_step(&self) {
        self.steps.fetch_add(1, Relaxed);
    }

    /// Counts a session message and the time to answer it, without the network time.
    pub(crate) fn count_message(&self, time: Duration) {
        let seconds = time.as_secs_f64();
        let class = BOUNDS.iter().position(|bound| seconds <= *bound).unwrap_or(BOUNDS.len());
        self.times[class].fetch_add(1, Relaxed);
        self.nanoseconds.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Relaxed);
    }

    /// All counters in Prometheus text format.
    fn text(&self) -> String {
        let mut out = String::new();
        let counters = [
            ("farm_sessions_total", "Sessions opened.", &self.sessions),
            ("farm_sessions_refused_total", "Sessions rejected because there was no room.", &self.refused_sessions),
            (
                "farm_requests_refused_total",
                "Requests rejected by the checks of host, origin, token and rate.",
                &self.refused_requests,
            ),
            ("farm_episodes_total", "Episodes started.", &self.episodes),
            ("farm_steps_total", "Steps taken.", &self.steps),
        ];
        for (name, help, value) in counters {
            // Writing to a string never fails.
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} counter\n{name} {}", value.load(Relaxed));
        }
        let open = self.open.load(Relaxed);
        let _ = writeln!(
            out,
            "# HELP farm_sessions_open Open sessions.\n# TYPE farm_sessions_open gauge\nfarm_sessions_open {open}"
        );
        let name = "farm_message_seconds";
        let _ = writeln!(out, "# HELP {name} Time to answer messages of sessions.\n# TYPE {name} histogram");
        let mut count = 0;
        for (i, class) in self.times.iter().enumerate() {
            count += class.load(Relaxed);
            let bound = BOUNDS.get(i).map_or("+Inf".to_owned(), f64::to_string);
            let _ = writeln!(out, "{name}_bucket{{le=\"{bound}\"}} {count}");
        }
        let seconds = Duration::from_nanos(self.nanoseconds.load(Relaxed)).as_secs_f64();
        let _ = writeln!(out, "{name}_sum {seconds}\n{name}_count {count}");
        out
    }
}

pub(crate) fn router(metrics: Arc<Metrics>) -> Router {
    Router::new().route("/metrics", get(text)).with_state(metrics)
}

async fn text(State(metrics): State<Arc<Metrics>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_in_every_class_above_them() {
        let metrics = Metrics::default();
        let open = metrics.session();
        for micros in [10, 60, 3_000_000] {
            metrics.count_message(Duration::from_micros(micros));
        }
        let text = metrics.text();
        for line in [
            "farm_message_seconds_bucket{le=\"0.00005\"} 1",
            "farm_message_seconds_bucket{le=\"2.5\"} 2",
            "farm_message_seconds_bucket{le=\"+Inf\"} 3",
            "farm_message_seconds_sum 3.00007",
            "farm_sessions_open 1",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        drop(open);
        assert!(metrics.text().contains("farm_sessions_open 0"));
    }
}
