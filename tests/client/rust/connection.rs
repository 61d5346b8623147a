//! The messages of the Rust client where no engine answers, or a file is not the one that is needed.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use paigow_client::{ClientError, Engine, EngineSettings, Root};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Keeps the warnings of the client.
#[derive(Clone, Debug, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() == Level::WARN && metadata.target().starts_with("paigow_client")
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        struct Text(String);
        impl Visit for Text {
            fn record_debug(&mut self, _: &Field, value: &dyn std::fmt::Debug) {
                self.0 += &format!("{value:?}");
            }
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        self.0.lock().unwrap().push(text.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[tokio::main]
async fn main() {
    let warnings = Warnings::default();
    tracing::subscriber::set_global_default(warnings.clone()).unwrap();
    // Bound and not listening: no other process can answer here.
    let taken = tokio::net::TcpSocket::new_v4().unwrap();
    taken.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let settings = EngineSettings::plaintext(&address).patience(Duration::from_millis(500));
    let said = Engine::connect(settings).unwrap().state().await.unwrap_err();
    assert!(matches!(said, ClientError::NoAnswer(_)), "{said:?}");
    assert!(said.to_string().contains("GetEngine: Unavailable"), "{said}");
    let warned = warnings.0.lock().unwrap().clone();
    assert!(
        warned.len() == 1 && warned[0].contains("the client repeats it for 0.5 s"),
        "{warned:?}"
    );

    let settings = EngineSettings::plaintext(&address).token("a");
    assert!(!format!("{:?}", EngineSettings::tls(&address).token("secret")).contains("secret"));
    let said = Engine::connect(settings).unwrap_err().to_string();
    assert!(said.contains("need TLS"), "{said}");

    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("public.json");
    for content in [r#"{"key_id":"a"}"#, "[]", "-----BEGIN"] {
        fs::write(&wrong, content).unwrap();
        let said = Root::read(&wrong).unwrap_err().to_string();
        assert!(said.contains(&format!("{} holds no root keys", wrong.display())), "{said}");
    }
    println!("no engine, and files that are not a root: said plainly");
}
