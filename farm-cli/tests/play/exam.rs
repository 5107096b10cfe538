//! Exams: by text alone, on a terminal, left and gone on with; their runs are those of any agent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};

use serde_json::{Value as Json, json};

use super::program::{farm_reads, program};
use super::terminal::{ENTER, Terminal};
use super::{Folder, LARGE, farm};

/// The lines of a trace of one type.
fn lines(run: &str, kind: &str) -> Vec<Json> {
    let text = std::fs::read_to_string(format!("{run}/seed-3.jsonl")).unwrap();
    let parsed = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    parsed.filter(|line| line["type"] == kind).collect()
}

#[test]
fn an_exam_is_taken_by_text_left_and_gone_on_with() {
    let folder = Folder::new("exam");
    let run = folder.file("runs/ada");
    let arguments =
        ["play", "backwards_valley", "--seed", "3", "--set", "rules.BasicRule.max_steps=4", "--exam", "hidden"];
    let arguments = [&arguments[..], &["--out", &run, "--name", "Ada"]].concat();
    let mut terminal = Terminal::start(LARGE, &arguments);
    let first = terminal.shows(&["TASK", "OBSERVATION", "\n>"]);
    // What a model is not told is not on the screen either: the game, its seed, what policies would do, keys.
    for word in ["backwards", "Backwards", "seed", "Hint", "undo", "RULES"] {
        assert!(!first.contains(word), "`{word}` is shown:\n{first}");
    }
    terminal.press_and_see(&format!("MoveE{ENTER}"), &["last reward: "]);
    // A key of the other screen is a text like any other: nothing is undone.
    terminal.press_and_see(&format!("u{ENTER}"), &["not read: "]);
    terminal.press("\x03");
    let (code, said) = terminal.ends();
    assert_eq!(code, 130, "{said}");
    assert!(said.contains("the same command resumes it"), "{said}");
    assert_eq!((lines(&run, "call").len(), lines(&run, "failed").len()), (2, 1));

    let mut terminal = Terminal::start(LARGE, &arguments);
    terminal.shows(&["TASK", "not read: ", "\n>"]);
    for action in ["MoveS", "Insult", "Wait"] {
        terminal.press(&format!("{action}{ENTER}"));
    }
    terminal.shows(&["the episode is over: after 4 steps", "Ada plays backwards_valley"]);
    assert_eq!(terminal.ends().0, 0);
    let calls = lines(&run, "call");
    let replies: Vec<&str> = calls.iter().filter_map(|call| call["reply"].as_str()).collect();
    assert_eq!(replies, ["MoveE", "u", "MoveS", "Insult", "Wait"]);
    for call in &calls {
        assert!(call["seconds"].as_f64().unwrap() > 0.0 && call["text"].as_str().unwrap().contains("position"));
        assert!(call["reward"].is_number() && call["tokens"]["prompt"] == 0, "{call}");
    }
    farm(&["agents", "verify", &run]).says(0, &["verified: Ada plays backwards_valley", "1 episodes"]);
    farm(&["agents", "score", &run]).says(0, &["Ada plays", "seed-3", "turns with an invalid part"]);
    farm(&["agents", "leaderboard", &folder.file("runs")]).says(0, &["| Ada | ", "full texts, history full"]);
    // The same exam by the other name of it.
    let agents = [
        "agents",
        "play",
        "backwards_valley",
        "--seed",
        "3",
        "--set",
        "rules.BasicRule.max_steps=4",
        "--person",
        "Ada",
    ];
    farm(&[&agents[..], &["--out", &run]].concat()).says(0, &["Ada plays backwards_valley"]);
}

#[test]
fn an_exam_with_rules_shown_tells_them_and_needs_a_folder() {
    let folder = Folder::new("exam-shown");
    let run = folder.file("run");
    let mut terminal = Terminal::start((200, 100), &["play", "backwards_valley", "--exam", "shown", "--out", &run]);
    terminal.shows(&["OBSERVATION", "RULES", "WORLD", "\n>"]);
    terminal.press("\x04");
    let (code, said) = terminal.ends();
    assert!(code == 1 && said.contains("the input ended before the episode did"), "{said}");
    let refused = |arguments: &[&str], word: &str| {
        farm(&[&["play", "backwards_valley"], arguments].concat()).says(2, &[word]);
    };
    refused(&["--exam", "hidden"], "--out");
    refused(&["--out", &run], "--exam");
    refused(&["--exam", "hidden", "--out", &run, "--omniscient"], "cannot be used with");
    refused(&["--exam", "hidden", "--out", &run, "--record", "x.txt"], "cannot be used with");
    refused(&["--exam", "hidden", "--out", &run, "--split", "test", "--level", "test/01"], "cannot be used with");
    refused(&["--exam", "hinted", "--out", &run], "hidden, shown");
}

/// An exam in the browser, which is ended with this.
struct Page {
    child: Child,
    /// What it says, from its address on.
    said: BufReader<ChildStderr>,
    address: String,
    token: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page {
    fn start(arguments: &[&str]) -> Self {
        let mut command = program();
        let child = command.args(arguments).arg("--browser=127.0.0.1:0");
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let link = line.strip_prefix("http://").and_then(|line| line.split(' ').next()).expect(&line);
        let (address, token) = link.split_once("/#token=").expect(&line);
        let (address, token) = (address.to_owned(), token.to_owned());
        Self { child, said, address, token }
    }

    /// The answer to a request, without its head.
    fn ask(&self, method: &str, body: &str) -> Json {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (address, token, length) = (&self.address, &self.token, body.len());
        let head = format!("{method} /api/exam HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\n");
        write!(stream, "{head}connection: close\r\ncontent-length: {length}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap_or_else(|_| panic!("{answer}"))
    }

    fn reply(&self, reply: &str) -> Json {
        let number = self.ask("GET", "")["number"].take();
        self.ask("POST", &json!({ "number": number, "reply": reply }).to_string())
    }

    /// Waits until it says something.
    fn says(&mut self, part: &str) {
        let line = self.said.by_ref().lines().map_while(Result::ok).find(|line| line.contains(part));
        assert!(line.is_some(), "it never says {part}");
    }

    /// Sends INT, and waits for the end.
    fn ends(&mut self) -> i32 {
        let signal = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(signal.success());
        self.child.wait().unwrap().code().unwrap()
    }
}

#[test]
fn an_exam_in_the_browser_leaves_the_trace_of_one_on_the_terminal() {
    let folder = Folder::new("exam-browser");
    let (browser, terminal) = (folder.file("runs/browser"), folder.file("runs/terminal"));
    let exam = ["play", "backwards_valley", "--seed", "3", "--set", "rules.BasicRule.max_steps=4", "--exam", "hidden"];
    let with = |run: &'_ str| {
        exam.iter().copied().chain(["--out", run, "--name", "Ada"]).map(str::to_owned).collect::<Vec<_>>()
    };
    let replies = ["MoveE", "dance", "Insult", "wait", "MoveS"];

    let arguments = with(&browser);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut page = Page::start(&arguments);
    assert_eq!(page.reply(replies[0])["turn"], 1);
    let left = page.token.clone();
    assert_eq!(page.ends(), 130, "left");
    // The same command goes on with it, at another address that nobody guesses.
    let mut page = Page::start(&arguments);
    assert_ne!(page.token, left);
    let view = page.ask("GET", "");
    assert_eq!((&view["turn"], &view["past"][0][1]), (&json!(1), &json!(replies[0])));
    replies[1..4].iter().for_each(|reply| drop(page.reply(reply)));
    let end = page.reply(replies[4]);
    assert!(end["is_over"] == true && end["ended"].as_str().unwrap().contains("the episode is over"), "{end}");
    page.says("the exam is over; Ctrl-C closes the page");
    assert_eq!(page.ask("GET", "")["is_over"], true, "its end can be read until somebody ends it");
    assert_eq!(page.ends(), 0);

    let arguments = with(&terminal);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    farm_reads(&arguments, &replies.map(|reply| format!("{reply}\n")).concat()).says(0, &["Ada plays"]);
    // But for times, and for what says that pictures were shown, and that the exam was left once.
    let lines = |run: &str| -> Vec<Json> {
        let text = std::fs::read_to_string(format!("{run}/seed-3.jsonl")).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
        let lines = lines.filter(|line| line["type"] != "failed").map(|mut line| {
            ["seconds", "digest", "run"].iter().for_each(|key| drop(line.as_object_mut().unwrap().remove(*key)));
            line
        });
        lines.collect()
    };
    assert_eq!(lines(&browser).len(), 7);
    assert_eq!(lines(&browser), lines(&terminal));
    farm(&["agents", "verify", &browser]).says(0, &["verified: Ada plays backwards_valley", "1 episodes"]);
    farm(&["agents", "score", &browser]).says(0, &["Ada plays", "seed-3"]);
    let table = farm(&["agents", "leaderboard", &folder.file("runs")]);
    table.says(0, &["| Ada | ", "full texts, history full"]);
    assert_eq!(table.stdout.matches("| Ada |").count(), 2, "one table has both: {}", table.stdout);
    // A run says how it was taken: it can't be begun in one way and gone on with in the other.
    farm_reads(&[&exam[..], &["--out", &browser, "--name", "Ada"]].concat(), "").says(1, &["a different `agent`"]);
    for (address, told) in [("0.0.0.0:80", "such as 127.0.0.1:8000"), ("here", "such as 127.0.0.1:8000")] {
        let browser = format!("--browser={address}");
        farm(&[&exam[..], &["--out", "x", &browser]].concat()).says(2, &[told]);
    }
    farm(&["play", "backwards_valley", "--browser"]).says(2, &["--exam"]);
}
