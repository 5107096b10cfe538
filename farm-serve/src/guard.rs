//! Access control: checks on every request before routing.
//!
//! A page in a browser can reach a server on the same machine. Two checks reject requests from other sites' pages. The `Host` header must
//! name this server, so a page that rebinds its name to 127.0.0.1 is rejected. The `Origin` header, if a browser sends one, must match the
//! server.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::body::{Bytes, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;

use crate::metrics::Metrics;

/// The minimum length of a token.
pub(crate) const MIN_TOKEN_LENGTH: usize = 16;

/// The maximum number of addresses whose requests are counted.
const MAX_COUNTED_ADDRESSES: usize = 4096;

/// Checks whether requests are allowed.
#[derive(Debug)]
pub(crate) struct Guard {
    /// The host names that clients may use, without a port.
    hosts: Vec<String>,
    /// The token that clients must send, if any.
    token: Option<Token>,
    /// Whether a URL needs no token.
    is_public: fn(&Uri) -> bool,
    rates: Rates,
    metrics: Arc<Metrics>,
}

/// A token. It is never printed.
struct Token(String);

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Guard {
    /// Creates a guard for a server with these names, in addition to the local machine's names. URLs that are public need no token.
    pub(crate) fn new(
        names: Vec<String>,
        (token, is_public): (Option<String>, fn(&Uri) -> bool),
        requests_per_second: u32,
        metrics: Arc<Metrics>,
    ) -> Self {
        let own = ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned);
        let hosts = own.into_iter().chain(names).map(|name| name.to_ascii_lowercase()).collect();
        Self { hosts, token: token.map(Token), is_public, rates: Rates::new(requests_per_second), metrics }
    }

    /// Checks whether a request is allowed.
    ///
    /// # Errors
    /// The request is rejected. The error contains the status and the reason.
    fn check(&self, request: &Request) -> Result<(), (StatusCode, &'static str)> {
        let headers = request.headers();
        let host = single(headers, &header::HOST)?.ok_or((StatusCode::BAD_REQUEST, "the header `Host` is missing"))?;
        let named = name_of(host).to_ascii_lowercase();
        if !self.hosts.contains(&named) {
            let reason = "the header `Host` does not name this server; `--allow-host NAME` of `farm serve` adds a name";
            return Err((StatusCode::FORBIDDEN, reason));
        }
        if let Some(origin) = single(headers, &header::ORIGIN)? {
            let of = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            if !of.is_some_and(|of| of.eq_ignore_ascii_case(host)) {
                return Err((StatusCode::FORBIDDEN, "requests from pages of other origins are rejected"));
            }
        }
        let Some(token) = &self.token else { return Ok(()) };
        if (self.is_public)(request.uri()) || token.is_in(headers) {
            return Ok(());
        }
        Err((StatusCode::UNAUTHORIZED, "the token is missing or wrong: send `Authorization: Bearer TOKEN`"))
    }
}

impl Token {
    /// Whether a request contains the token. The comparison takes constant time, so it does not reveal how much of the token is correct.
    fn is_in(&self, headers: &HeaderMap) -> bool {
        let sent = headers.get(header::AUTHORIZATION).map_or(&b""[..], HeaderValue::as_bytes);
        let sent = sent.strip_prefix(b"Bearer ").unwrap_or_default();
        sent.ct_eq(self.0.as_bytes()).into()
    }
}

/// The value of a header that may occur at most once; `None` if it is missing.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, (StatusCode, &'static str)> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return Err((StatusCode::BAD_REQUEST, "`Host` or `Origin` occurs twice"));
    }
    let text = value.map(HeaderValue::to_str).transpose();
    text.map_err(|_| (StatusCode::BAD_REQUEST, "`Host` or `Origin` is not text"))
}

/// A host name without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// The number of requests that each address may still start: a bucket that refills over time.
#[derive(Debug)]
struct Rates {
    per_second: f64,
    buckets: Mutex<BTreeMap<IpAddr, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    since: Instant,
}

impl Rates {
    fn new(per_second: u32) -> Self {
        Self { per_second: f64::from(per_second.max(1)), buckets: Mutex::default() }
    }

    /// Whether an address may start a request now.
    fn allow(&self, address: IpAddr, now: Instant) -> bool {
        // A bucket is a number and a time, so a panic elsewhere can't leave it half written.
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let full = self.per_second;
        let filled = |bucket: &Bucket| {
            (bucket.left + now.saturating_duration_since(bucket.since).as_secs_f64() * full).min(full)
        };
        if buckets.len() >= MAX_COUNTED_ADDRESSES && !buckets.contains_key(&address) {
            // A full bucket is equivalent to no bucket.
            buckets.retain(|_, bucket| filled(bucket) < full);
            if buckets.len() >= MAX_COUNTED_ADDRESSES {
                return false;
            }
        }
        let bucket = buckets.entry(address).or_insert(Bucket { left: full, since: now });
        *bucket = Bucket { left: filled(bucket), since: now };
        if bucket.left < 1.0 {
            return false;
        }
        bucket.left -= 1.0;
        true
    }
}

/// Lets a request pass or rejects it. The headers of all responses prevent other pages from using the responses.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = if !guard.rates.allow(address.ip(), Instant::now()) {
        (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, "1")], "too many requests in a second").into_response()
    } else {
        match guard.check(&request) {
            Ok(()) => next.run(request).await,
            Err((status, reason)) => (status, reason).into_response(),
        }
    };
    if [StatusCode::TOO_MANY_REQUESTS, StatusCode::FORBIDDEN, StatusCode::UNAUTHORIZED].contains(&response.status()) {
        guard.metrics.count_refused_request();
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// The maximum amount that is read of an overlong body, as a multiple of the maximum body length.
const MAX_DISCARDED: usize = 8;

/// Rejects a body with a `Content-Length` above `most`. Incoming data is read and discarded, because closing a connection with unread data
/// would lose the response.
pub(crate) async fn refuse_long(State(most): State<usize>, request: Request, next: Next) -> Response {
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    let Some(length) = length.filter(|length: &usize| *length > most) else { return next.run(request).await };
    // A client that sends `Expect` has not sent the body yet.
    if !request.headers().contains_key(header::EXPECT) {
        let mut body = request.into_body();
        let mut left = most.saturating_mul(MAX_DISCARDED);
        while let Some(Ok(frame)) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            left = left.saturating_sub(frame.data_ref().map_or(0, Bytes::len));
            if left == 0 {
                break;
            }
        }
    }
    let reason = format!("the body has {length} bytes, above the maximum of {most}");
    (StatusCode::PAYLOAD_TOO_LARGE, reason).into_response()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_gives_its_rate_and_no_more_and_forgets_those_that_are_full() {
        let rates = Rates::new(10);
        let (address, begin) = (IpAddr::from([127, 0, 0, 1]), Instant::now());
        assert_eq!((0..20).filter(|_| rates.allow(address, begin)).count(), 10);
        let later = begin + Duration::from_millis(500);
        assert_eq!((0..20).filter(|_| rates.allow(address, later)).count(), 5);
        let later = begin + Duration::from_secs(100);
        assert_eq!((0..20).filter(|_| rates.allow(address, later)).count(), 10);
        for i in 0..MAX_COUNTED_ADDRESSES as u32 + 100 {
            rates.allow(IpAddr::from(i.to_be_bytes()), later);
        }
        assert!(rates.buckets.lock().unwrap().len() <= MAX_COUNTED_ADDRESSES);
        assert!(rates.allow(IpAddr::from([10, 9, 9, 9]), later + Duration::from_secs(2)));
    }

    #[test]
    fn the_port_is_left_out_of_a_host() {
        for (host, name) in
            [("localhost:8000", "localhost"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]"), ("a.b", "a.b"), ("a:b", "a:b")]
        {
            assert_eq!(name_of(host), name);
        }
    }
}
