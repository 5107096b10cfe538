//! Models behind an OpenAI-compatible endpoint: chat completions over HTTP.

use std::time::{Duration, SystemTime};

use farm_core::config::{Path, Problem, Problems};
use serde_json::{Map, Value as Json, json};

use crate::agent::{Agent, AgentError, Answer, Request};
use crate::completion::{is_overflow, read, reported_error};
use crate::errors::AgentsError;
use crate::eyes::Eyes;
use crate::retries::{Failure, Retries};

/// The maximum size of a response, in bytes.
const MAX_RESPONSE: u64 = 16 * 1024 * 1024;
/// The maximum number of characters of an endpoint's error text that messages show.
const MAX_SHOWN: usize = 300;

/// An endpoint and a model.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The URL for chat completions.
    url: String,
    model: String,
    /// Additional keys in each request, such as `temperature`.
    body: Map<String, Json>,
    key: Secret,
    retries: Retries,
    client: ureq::Agent,
    eyes: Eyes,
}

/// An API key. It is sent, but never shown.
#[derive(Clone, Default)]
struct Secret(Option<String>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Secret(…)" } else { "None" })
    }
}

impl Secret {
    /// Removes the key from text, because endpoints may repeat a key that they reject.
    fn removed_from(&self, text: &str) -> String {
        match self.0.as_deref().filter(|key| !key.is_empty()) {
            Some(key) => text.replace(key, "…"),
            None => text.to_owned(),
        }
    }
}

impl Endpoint {
    /// Creates an endpoint from its URL, with or without `/chat/completions` at the end. `timeout` limits each attempt.
    ///
    /// # Errors
    /// The URL is not an HTTP URL or contains a password, or the body sets a key that the agent sets itself.
    pub fn new(
        url: &str,
        model: &str,
        key: Option<String>,
        body: Map<String, Json>,
        timeout: Duration,
        retries: Retries,
    ) -> Result<Self, Problems> {
        let wrong = |message: String, value: &str| {
            let problem = Problem::new(AgentsError::WrongAgent, Path::default(), message).value(value);
            Problems(vec![problem.expected("such as http://127.0.0.1:8000/v1 or https://host/v1")])
        };
        let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
        let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
        if host.contains('@') {
            return Err(wrong("the endpoint URL contains a user name or a password".to_owned(), "…@…"));
        }
        if host.is_empty() || url.contains(char::is_whitespace) || url.contains(['?', '#']) {
            return Err(wrong("the endpoint URL is not a valid HTTP URL".to_owned(), url));
        }
        if !cfg!(feature = "https") && url.starts_with("https://") {
            let message = "this program was built without `https://`".to_owned();
            let problem = Problem::new(AgentsError::WrongAgent, Path::default(), message).value(url);
            return Err(Problems(vec![problem.help("build it with `--features https`, or use an `http://` URL")]));
        }
        if let Some(ours) = ["model", "messages", "stream"].into_iter().find(|ours| body.contains_key(*ours)) {
            let message = format!("you can't set `{ours}` of a request");
            let problem = Problem::new(AgentsError::WrongAgent, Path::default(), message).value(ours);
            return Err(Problems(vec![problem.expected("another key, such as `temperature` or `max_tokens`")]));
        }
        let url = url.trim_end_matches('/');
        let url = if url.ends_with("/chat/completions") { url.to_owned() } else { format!("{url}/chat/completions") };
        // A redirect would send the conversation elsewhere, so it counts as a failure.
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(timeout))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("farm-agents/", env!("CARGO_PKG_VERSION")))
            .build();
        Ok(Self {
            url,
            model: model.to_owned(),
            body,
            key: Secret(key),
            retries,
            client: config.into(),
            eyes: Eyes::default(),
        })
    }

    /// The agent's description in a trace, without secrets.
    pub fn description(&self) -> Map<String, Json> {
        let described = json!({"kind": "endpoint", "url": self.url, "model": self.model, "body": self.body});
        match described {
            Json::Object(map) => map,
            _ => Map::new(),
        }
    }

    fn attempt(&self, body: &str) -> Result<Answer, Failure> {
        let mut request = self.client.post(&self.url).header("Content-Type", "application/json");
        if let Some(key) = &self.key.0 {
            request = request.header("Authorization", format!("Bearer {key}"));
        }
        let mut response = request.send(body).map_err(|error| self.failed(&error))?;
        let status = response.status().as_u16();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let wait = header("retry-after").and_then(retry_after);
        let text = response.body_mut().with_config().limit(MAX_RESPONSE).lossy_utf8(true).read_to_string();
        if !(200..300).contains(&status) {
            // The body may also be cut off; only the status matters.
            let said = self.key.removed_from(text.unwrap_or_default().trim());
            let message = format!("{} answers {status}: {}", self.url, shortened(&said));
            if !matches!(status, 401 | 403 | 429) && is_overflow(&said) {
                return Err(Failure::overflow(message));
            }
            let can_retry = matches!(status, 408 | 409 | 425 | 429 | 500..);
            return Err(Failure { wait, can_retry, ..Failure::new(status.to_string(), message) });
        }
        let text = text.map_err(|error| self.failed(&error))?;
        let said = || shortened(&self.key.removed_from(text.trim()));
        let malformed = |problem: String| {
            Failure::new(
                "malformed",
                format!("{} returned an invalid chat completion: {problem}: {}", self.url, said()),
            )
        };
        let json: Json = serde_json::from_str(&text).map_err(|error| malformed(format!("it is not JSON: {error}")))?;
        if let Some(error) = reported_error(&json) {
            let message = format!("{} returned an error: {}", self.url, said());
            return Err(if is_overflow(&error) { Failure::overflow(message) } else { Failure::new("error", message) });
        }
        read(&json).map_err(malformed)
    }

    /// The failure to report for a request that got no response.
    fn failed(&self, error: &ureq::Error) -> Failure {
        let can_retry = !matches!(error, ureq::Error::BadUri(_) | ureq::Error::Http(_));
        let kind = match error {
            ureq::Error::Timeout(_) => "timeout",
            ureq::Error::BodyExceedsLimit(_) => "malformed",
            // A timeout while reading the body appears as an I/O error.
            ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => "timeout",
            _ => "connection",
        };
        let message = self.key.removed_from(&format!("the request to {} failed: {error}", self.url));
        Failure { can_retry, ..Failure::new(kind, message) }
    }
}

/// Reads the waiting time from a `Retry-After` header, which contains seconds or a date.
fn retry_after(value: &str) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    // A date in the past means no wait.
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl Agent for Endpoint {
    fn reply(&mut self, request: &Request<'_>) -> Result<Answer, AgentError> {
        let mut body = self.body.clone();
        body.insert("model".to_owned(), json!(self.model));
        let mut messages = json!(request.messages());
        let last = messages.as_array_mut().and_then(|messages| messages.last_mut());
        if let Some((last, picture)) = last.zip(request.picture(&mut self.eyes)?) {
            let url = format!("data:image/png;base64,{}", picture.png);
            let text = json!({"type": "text", "text": last["content"]});
            last["content"] = json!([text, {"type": "image_url", "image_url": {"url": url}}]);
        }
        body.insert("messages".to_owned(), messages);
        let body = Json::Object(body).to_string();
        self.retries.ask(|| self.attempt(&body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(url: &str) -> Result<Endpoint, Problems> {
        let key = Some("sk-secret".to_owned());
        Endpoint::new(url, "m", key, Map::new(), Duration::from_secs(1), Retries::default())
    }

    #[test]
    fn an_address_is_that_of_an_endpoint_without_secrets() {
        for url in
            ["http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1/chat/completions"]
        {
            assert_eq!(endpoint(url).unwrap().url, "http://127.0.0.1:8000/v1/chat/completions");
        }
        for url in
            ["", "localhost", "ftp://host/v1", "https://", "http:///v1", "https://a b/v1", "https://host/v1?key=1"]
        {
            assert!(endpoint(url).unwrap_err().0[0].is(AgentsError::WrongAgent), "{url}");
        }
        let refused = endpoint("https://me:sk-secret@host/v1").unwrap_err().to_string();
        assert!(refused.contains("password") && !refused.contains("sk-secret"), "{refused}");
        let fine = endpoint("http://host/v1").unwrap();
        assert!(!format!("{fine:?}{:?}", fine.description()).contains("sk-secret"));
        assert_eq!(fine.key.removed_from("wrong key sk-secret!"), "wrong key …!");
    }

    #[test]
    fn an_address_of_https_needs_the_feature() {
        let said = endpoint("https://host/v1").err().map(|refused| refused.to_string());
        assert_eq!(said.is_none(), cfg!(feature = "https"), "{said:?}");
        assert!(said.is_none_or(|said| said.contains("--features https")));
    }

    #[test]
    fn a_wait_is_given_in_seconds_or_until_a_date() {
        assert_eq!(retry_after(" 7 "), Some(Duration::from_secs(7)));
        let later = SystemTime::now() + Duration::from_secs(90);
        let wait = retry_after(&httpdate::fmt_http_date(later)).unwrap();
        // Dates have whole seconds.
        assert!(wait > Duration::from_secs(60) && wait <= Duration::from_secs(90), "{wait:?}");
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Duration::ZERO));
        assert_eq!(retry_after("soon"), None);
        assert_eq!(retry_after("-3"), None);
    }
}
