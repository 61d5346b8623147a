//! The verifier page, as a browser and others find it on the port of the real server.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::server::child::KilledOnDrop;

/// The server as a process that serves the page.
struct Server {
    child: KilledOnDrop,
    page: SocketAddr,
    _stdout: BufReader<std::process::ChildStdout>,
    _home: TempDir,
}

fn paigow_server(home: &Path, page: &str) -> Command {
    let mut command = Command::new(paigow_testkit::programs::server());
    command
        .env_clear()
        .env("PAIGOW__SERVER__LISTEN", "127.0.0.1:0")
        .env("PAIGOW__SERVER__VERIFIER_LISTEN", page)
        .env("PAIGOW__SERVER__DRAIN_MS", "0")
        .env("PAIGOW__LOG__FORMAT", "json")
        .current_dir(home)
        .stdin(Stdio::null());
    command
}

impl Server {
    fn start() -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = paigow_server(home.path(), "127.0.0.1:0");
        let mut child = command.stdout(Stdio::piped()).spawn().map(KilledOnDrop).unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("the verifier page is at /") {
            line.clear();
            assert!(stdout.read_line(&mut line).unwrap() > 0, "the page is not told of");
        }
        let told: serde_json::Value = serde_json::from_str(&line).unwrap();
        let page = told["address"].as_str().unwrap().parse().unwrap();
        Self { child, page, _stdout: stdout, _home: home }
    }

    fn ask(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.page).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        Answer::read(stream)
    }

    fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"))
    }
}

struct Answer {
    status: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    /// Reads until the server hangs up.
    fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        // If the server refuses before it has read everything, it may reset the connection after the answer.
        stream.read_to_end(&mut bytes).unwrap_or_default();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let (status, headers) = head.split_once("\r\n").unwrap();
        let headers = headers.split("\r\n").map(|line| line.split_once(": ").unwrap());
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        Self {
            status: status.strip_prefix("HTTP/1.1 ").unwrap()[..3].to_owned(),
            headers: headers.collect(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// The files of the page, by path, as they were built.
fn file(path: &str) -> &'static [u8] {
    let found = paigow_verifier_page::PAGE.iter().find(|(one, _)| *one == path);
    found.unwrap_or_else(|| panic!("{path} is no file of the page")).1
}

fn text(path: &str) -> &'static str {
    std::str::from_utf8(file(path)).unwrap()
}

/// Returns what a browser loads of the page: the page, what it names, and what every
/// script imports.
fn needed() -> BTreeSet<String> {
    let (index, start) = (text("index.html"), text("start.js"));
    let named = ["src=\"", "href=\""].into_iter().flat_map(|named| index.split(named).skip(1));
    // The script for a page from disk is never asked for.
    let started =
        start.split("script.src = \"").skip(1).filter(|rest| !rest.starts_with("verifier.js"));
    let mut open: Vec<PathBuf> = named
        .chain(started)
        .map(|rest| rest.split('"').next().unwrap())
        .filter(|target| !target.starts_with('#'))
        .map(PathBuf::from)
        .collect();
    let mut found = BTreeSet::from(["index.html".to_owned()]);
    while let Some(file) = open.pop() {
        if !found.insert(file.to_str().unwrap().to_owned()) {
            continue;
        }
        let text = text(file.to_str().unwrap());
        for statement in text.lines().filter(|line| line.contains(" from \"")) {
            let target = statement.split(" from \"").nth(1).unwrap().split('"').next().unwrap();
            let mut path = file.parent().unwrap().to_owned();
            for part in target.split('/').filter(|part| *part != ".") {
                if part == ".." { assert!(path.pop()) } else { path.push(part) }
            }
            open.push(path);
        }
    }
    found
}

#[test]
fn every_file_that_the_page_needs_is_served_byte_for_byte() {
    let server = Server::start();
    let needed = needed();
    assert!(needed.len() > 40 && needed.contains("js/house-way/chart.js"), "{needed:?}");
    for file in needed {
        let bytes = self::file(&file);
        let answer = server.get(&format!("/{file}"));
        assert_eq!(answer.status, "200", "{file}");
        assert!(answer.body == bytes, "{file}");
        let kind = match file.rsplit_once('.').unwrap().1 {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            _ => "text/javascript; charset=utf-8",
        };
        assert_eq!(answer.header("content-type"), kind, "{file}");
        assert_eq!(answer.header("content-length"), bytes.len().to_string(), "{file}");
        let tag = format!("\"{}\"", hex::encode(Sha256::digest(bytes)));
        assert_eq!(answer.header("etag"), tag, "{file}");

        let head = server.ask(&format!("HEAD /{file} HTTP/1.1\r\nHost: x\r\n\r\n"));
        assert_eq!((head.status.as_str(), head.body.len()), ("200", 0), "{file}");
        let without_date = |mut answer: Answer| {
            answer.headers.remove("date");
            answer.headers
        };
        assert_eq!(without_date(head), without_date(answer), "{file}");

        let known = format!("GET /{file} HTTP/1.1\r\nHost: x\r\nIf-None-Match: {tag}\r\n\r\n");
        let known = server.ask(&known);
        assert_eq!((known.status.as_str(), known.body.len()), ("304", 0), "{file}");
        assert_eq!(known.header("etag"), tag, "{file}");
    }
}

#[test]
fn the_root_is_the_page_and_every_answer_says_what_a_browser_may_do_with_it() {
    let server = Server::start();
    let index = file("index.html");
    let answer = server.get("/?round=1");
    assert_eq!((answer.status.as_str(), answer.body == index), ("200", true));
    for path in ["/", "/js/bytes.js", "/not-there"] {
        let answer = server.get(path);
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
        assert!(policy.contains("; connect-src 'self';") && !policy.contains("unsafe"), "{policy}");
        // Nothing but keywords: no other origin has a name in it.
        assert!(!policy.contains("http") && !policy.contains('*'), "{policy}");
        assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-embedder-policy", "require-corp"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "public, no-cache"),
        ] {
            assert_eq!(answer.header(name), value, "{path}: {name}");
        }
        assert_eq!(answer.header("server"), "");
    }
}

#[test]
fn nothing_else_is_served() {
    let server = Server::start();
    let long = "x".repeat(20_000);
    for (request, status) in [
        ("GET /cli.mjs HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("GET /verifier.html HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("GET /verifier.js HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("GET /../Cargo.toml HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("GET /js/../../../Cargo.toml HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("GET /..%2fCargo.toml HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("GET //etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("POST /not-there HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "404"),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "405"),
        ("DELETE /style.css HTTP/1.1\r\nHost: x\r\n\r\n", "405"),
        ("nonsense\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nHost: x\r\nX: ", "431"),
    ] {
        let filled = format!("{request}{long}\r\n\r\n");
        let answer = server.ask(if status == "431" { &filled } else { request });
        assert_eq!((answer.status.as_str(), answer.body.len()), (status, 0), "{request}");
        let allowed = if status == "405" { "GET, HEAD" } else { "" };
        assert_eq!(answer.header("allow"), allowed, "{request}");
    }
}

#[test]
fn who_never_ends_a_request_is_cut_off_and_others_are_answered_meanwhile() {
    let server = Server::start();
    let mut slow: Vec<TcpStream> = (0..8).map(|_| begun(server.page)).collect();
    assert_eq!(server.get("/").status, "200");
    for stream in &mut slow {
        // This returns only once the server has hung up.
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap_or_default();
        assert!(!answer.starts_with(b"HTTP/1.1 200"));
    }
}

/// Returns a connection with the beginning of a request.
fn begun(page: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(page).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
    stream
}

#[test]
fn who_is_asking_when_the_process_is_told_to_end_gets_the_page_and_nobody_else() {
    let mut server = Server::start();
    let mut asking = begun(server.page);
    // A later connection has been answered, so the earlier one has been accepted.
    assert_eq!(server.get("/").status, "200");
    let told = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status();
    assert!(told.unwrap().success());
    while TcpStream::connect(server.page).is_ok() {
        std::thread::yield_now();
    }
    asking.write_all(b"x\r\n\r\n").unwrap();
    assert_eq!(Answer::read(asking).status, "200");
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_address_in_use_ends_with_1_and_names_the_setting() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let home = tempfile::tempdir().unwrap();
    let output = paigow_server(home.path(), &address).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    let expected = format!("paigow-server: server.verifier_listen: cannot listen on {address}: ");
    assert!(told.starts_with(&expected), "{told}");
}
