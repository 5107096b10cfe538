//! A browser that is driven as a person would: by the WebDriver protocol, through Chromium's own driver.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The environment variable without which a machine that has no browser tests nothing here.
const NEEDS_BROWSER: &str = "FARM_GYM_NEEDS_BROWSER";

/// How long anything may take on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// The key that WebDriver has for an element's number.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// A window of a headless Chromium, and the driver behind it.
pub(crate) struct Browser {
    driver: Child,
    /// A driver whose output nobody can read any more ends.
    _out: BufReader<ChildStdout>,
    session: String,
    agent: ureq::Agent,
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The window first: a driver that is killed leaves its browser behind.
        let _ = self.agent.delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    /// Opens a window of this size; none where there is no Chromium with its driver, which is a failure if the environment says so.
    pub(crate) fn open(width: u32, height: u32, is_dark: bool) -> Option<Self> {
        let Some((driver, out, port)) = driver() else {
            let needed = std::env::var_os(NEEDS_BROWSER).is_some_and(|value| !value.is_empty());
            assert!(!needed, "no chromedriver, and {NEEDS_BROWSER} is set");
            eprintln!("not tested: there is no chromedriver here");
            return None;
        };
        let config = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false);
        let agent: ureq::Agent = config.build().into();
        let theme =
            if is_dark { "--blink-settings=preferredColorScheme=0" } else { "--blink-settings=preferredColorScheme=1" };
        let arguments = json!([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            theme,
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            format!("--window-size={width},{height}"),
        ]);
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments, "mobileEmulation": (width < 500).then(|| json!({ "deviceMetrics": { "width": width, "height": height, "pixelRatio": 1.0 } })) },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let mut browser = Self { driver, _out: out, session: format!("http://127.0.0.1:{port}/session"), agent };
        let made = browser.send("", &without_nulls(wanted));
        let id = made["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {made}")).to_owned();
        browser.session = format!("{}/{id}", browser.session);
        Some(browser)
    }

    fn send(&self, path: &str, body: &Value) -> Value {
        let mut answer = self.agent.post(format!("{}{path}", self.session)).send_json(body).unwrap();
        let answer: Value = answer.body_mut().read_json().unwrap();
        answer["value"].clone()
    }

    fn get(&self, path: &str) -> Value {
        let mut answer = self.agent.get(format!("{}{path}", self.session)).call().unwrap();
        let answer: Value = answer.body_mut().read_json().unwrap();
        answer["value"].clone()
    }

    /// Opens an address.
    pub(crate) fn go(&self, url: &str) {
        self.send("/url", &json!({ "url": url }));
    }

    /// Runs a script, which returns something.
    pub(crate) fn run(&self, script: &str) -> Value {
        let value = self.send("/execute/sync", &json!({ "script": script, "args": [] }));
        assert!(value.get("error").is_none(), "{script}: {value}");
        value
    }

    /// Runs a script that calls `done` with what it found.
    pub(crate) fn wait_for(&self, script: &str) -> Value {
        let script = format!("const done = arguments[arguments.length - 1];\n{script}");
        let value = self.send("/execute/async", &json!({ "script": script, "args": [] }));
        assert!(value.get("error").is_none(), "{value}");
        value
    }

    fn find(&self, css: &str) -> String {
        let found = self.send("/element", &json!({ "using": "css selector", "value": css }));
        found[ELEMENT].as_str().unwrap_or_else(|| panic!("no {css}: {found}")).to_owned()
    }

    /// Clicks an element as a person would: it has to be in view, and nothing may lie over it.
    pub(crate) fn click(&self, css: &str) {
        let answer = self.send(&format!("/element/{}/click", self.find(css)), &json!({}));
        assert!(answer.is_null(), "{css}: {answer}");
    }

    /// Presses keys, wherever the focus is.
    pub(crate) fn press(&self, keys: &str) {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })])
            .collect();
        let answer =
            self.send("/actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }));
        assert!(answer.is_null(), "{keys}: {answer}");
    }

    /// The text of an element as it is shown; none of one that is not there.
    pub(crate) fn text(&self, css: &str) -> String {
        let found = self.send("/element", &json!({ "using": "css selector", "value": css }));
        let Some(element) = found[ELEMENT].as_str() else { return String::new() };
        self.get(&format!("/element/{element}/text")).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an element's text has something in it.
    pub(crate) fn until(&self, css: &str, part: &str) -> String {
        self.wait(css, |text| text.contains(part))
            .unwrap_or_else(|text| panic!("{css} never says {part:?}, but {text:?}"))
    }

    /// Waits until an element's text has something in it no longer.
    pub(crate) fn until_gone(&self, css: &str, part: &str) {
        self.wait(css, |text| !text.contains(part)).unwrap_or_else(|_| panic!("{css} says {part:?} all the time"));
    }

    /// Waits until an element's text is right.
    ///
    /// # Errors
    /// The text that still is not.
    fn wait(&self, css: &str, is_right: impl Fn(&str) -> bool) -> Result<String, String> {
        let begun = Instant::now();
        loop {
            let text = self.text(css);
            if is_right(&text) {
                return Ok(text);
            }
            if begun.elapsed() >= PATIENCE {
                return Err(text);
            }
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    /// A picture of what is in the window, as a PNG.
    pub(crate) fn picture(&self) -> Vec<u8> {
        use base64::Engine;
        let encoded = self.get("/screenshot");
        base64::engine::general_purpose::STANDARD.decode(encoded.as_str().unwrap()).unwrap()
    }

    /// What stands on the console since it was last asked, but for what is said on purpose.
    pub(crate) fn console(&self) -> Vec<String> {
        let lines = self.send("/se/log", &json!({ "type": "browser" }));
        let lines = lines.as_array().cloned().unwrap_or_default();
        lines.iter().map(|line| line["message"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// A driver, what it says, and its port; none where there is none. The port that the system gives it may be taken for one of its two protocols
/// by another driver, which ends it.
fn driver() -> Option<(Child, BufReader<ChildStdout>, u16)> {
    for _ in 0..10 {
        let mut driver =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut out = BufReader::new(driver.stdout.take().unwrap());
        let said = out.by_ref().lines().map_while(Result::ok).find_map(|line| {
            let port = line.split_once("successfully on port ")?.1.trim_end_matches('.').trim().parse();
            Some(port.expect("a port"))
        });
        if let Some(port) = said {
            return Some((driver, out, port));
        }
        driver.wait().unwrap();
    }
    panic!("chromedriver never says its port");
}

/// An object without the entries that are null, which the driver refuses.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            map.into_iter().filter(|(_, v)| !v.is_null()).map(|(k, v)| (k, without_nulls(v))).collect()
        }
        other => other,
    }
}
