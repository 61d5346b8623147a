//! The verifier page on a port of its own: the files that a browser loads of
//! `verifiers/web`, as they were compiled in, and nothing else.
//!
//! A request is looked up in a fixed table; no part of it ever becomes a path on a disk.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use paigow_verifier_page::{PageFile, served};
use tokio::net::TcpListener;

use super::ServeError;
use crate::http1::{self, HttpAnswer, HttpLimits, bare};
use paigow_fairness::encoding::Hash;

/// A browser opens six connections at once, and a telephone may need some seconds for the
/// largest file.
pub(super) const LIMITS: HttpLimits = HttpLimits {
    connections: 256,
    asking: Duration::from_secs(5),
    connected: Duration::from_secs(30),
};

/// The headers of every answer, which limit the browser. The policy is that of the page itself, and
/// one rule that only a header can have: no other page may frame it.
const TOLD: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    // The browser keeps it, but revalidates each time: a release changes files, not their names.
    (header::CACHE_CONTROL, "public, no-cache"),
];

/// The methods that the page allows.
const ALLOWED: &str = "GET, HEAD";

/// A file of the page, with its headers.
struct ServedFile {
    kind: HeaderValue,
    /// The strong entity tag: SHA-256 of the bytes, in quotes.
    tag: HeaderValue,
    bytes: Bytes,
}

impl ServedFile {
    fn new((path, bytes): PageFile) -> Self {
        let kind = match path.rsplit_once('.') {
            Some((_, "html")) => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some(_) | None => "application/octet-stream",
        };
        let tag = format!("\"{}\"", Hash::of(bytes));
        Self {
            kind: HeaderValue::from_static(kind),
            tag: tag.parse().expect("hexadecimal digits are visible"),
            bytes: Bytes::from_static(bytes),
        }
    }
}

/// The files of the verifier page, by their paths.
struct VerifierPage(BTreeMap<String, Arc<ServedFile>>);

impl VerifierPage {
    fn new() -> Self {
        let mut files = BTreeMap::new();
        for file in served() {
            files.insert(format!("/{}", file.0), Arc::new(ServedFile::new(file)));
        }
        let index = Arc::clone(&files["/index.html"]);
        files.insert("/".to_owned(), index);
        Self(files)
    }

    fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> HttpAnswer {
        let mut answer = match self.0.get(path) {
            None => bare(StatusCode::NOT_FOUND),
            Some(_) if method != Method::GET && method != Method::HEAD => {
                let mut refused = bare(StatusCode::METHOD_NOT_ALLOWED);
                refused.headers_mut().insert(header::ALLOW, HeaderValue::from_static(ALLOWED));
                refused
            }
            Some(file) if has_it(headers, &file.tag) => {
                let mut unchanged = bare(StatusCode::NOT_MODIFIED);
                unchanged.headers_mut().insert(header::ETAG, file.tag.clone());
                unchanged
            }
            Some(file) => {
                // To HEAD, hyper sends the head alone, with the length.
                let mut found = Response::new(Full::new(file.bytes.clone()));
                found.headers_mut().insert(header::CONTENT_TYPE, file.kind.clone());
                found.headers_mut().insert(header::ETAG, file.tag.clone());
                found
            }
        };
        for (name, value) in TOLD {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        answer
    }
}

/// Whether the browser has the file with this tag already (RFC 9110, section 13.1.2: the
/// comparison is the weak one).
fn has_it(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let Ok(tag) = tag.to_str() else { return false };
    let lists = headers.get_all(header::IF_NONE_MATCH).iter();
    lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.split(',')).any(|one| {
        let one = one.trim();
        one == "*" || one.strip_prefix("W/").unwrap_or(one) == tag
    })
}

/// Listens on `address`, and returns the future that serves the page there. It ends when `stop` has
/// completed and the requests that came before that are answered.
///
/// # Errors
///
/// If the system refuses the address.
pub(super) async fn listen(
    address: SocketAddr,
    stop: impl Future + Send + 'static,
) -> Result<impl Future<Output = ()> + Send + 'static, ServeError> {
    let refused = |error| ServeError::Page { address, error };
    let listener = TcpListener::bind(address).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    tracing::info!(%address, "the verifier page is at /");
    let page = Arc::new(VerifierPage::new());
    let answer = move |request: &Request<Incoming>| {
        page.answer(request.method(), request.uri().path(), request.headers())
    };
    Ok(http1::serve(listener, LIMITS, stop, answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_is_the_one_that_the_page_has_in_itself() {
        let index = served().find(|(path, _)| *path == "index.html").unwrap().1;
        let index = std::str::from_utf8(index).unwrap();
        let policy = index.split("http-equiv=\"Content-Security-Policy\" content=\"").nth(1);
        let policy = policy.unwrap().split('"').next().unwrap();
        assert_eq!(TOLD[0].1, format!("{policy}; frame-ancestors 'none'"));
    }

    #[test]
    fn a_browser_that_has_the_file_is_told_so() {
        let tag: HeaderValue = "\"ab\"".parse().unwrap();
        let asked = |lists: &[&str]| {
            let mut headers = HeaderMap::new();
            for list in lists {
                headers.append(header::IF_NONE_MATCH, list.parse().unwrap());
            }
            has_it(&headers, &tag)
        };
        for lists in
            [&["\"ab\""][..], &["W/\"ab\""], &["*"], &["\"c\", \"ab\""], &["\"c\"", "\"ab\""]]
        {
            assert!(asked(lists), "{lists:?}");
        }
        for lists in [&[][..], &["\"c\""], &["ab"], &["\"ab"], &[""], &["\"c\", W/\"d\""]] {
            assert!(!asked(lists), "{lists:?}");
        }
    }

    #[test]
    fn nothing_but_the_files_has_a_path() {
        let page = VerifierPage::new();
        let status = |path| page.answer(&Method::GET, path, &HeaderMap::new()).status();
        for path in ["/", "/index.html", "/js/bytes.js"] {
            assert_eq!(status(path), StatusCode::OK, "{path}");
        }
        for path in [
            "",
            "*",
            "//",
            "/js",
            "/js/",
            "/cli.mjs",
            "/verifier.html",
            "/verifier.js",
            "/Cargo.toml",
            "/INDEX.HTML",
            "/index.html/",
            "/../Cargo.toml",
            "/js/../index.html",
            "/%2e%2e/Cargo.toml",
            "/js%2fbytes.js",
            "/./index.html",
            "/index.html%00",
        ] {
            assert_eq!(status(path), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
