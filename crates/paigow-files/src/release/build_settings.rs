//! How a binary was built. The build script writes it into the binary. The running program, and
//! anyone with its file, can read it.

use std::collections::BTreeSet;
use std::fmt;

use paigow_fairness::json::Json;
use paigow_fairness::payload::{Members, PayloadError};

/// The mark before the settings in a binary. They are one line of canonical JSON.
const MARK: &[u8] = b"paigow-build-settings ";
/// The longest text, in bytes, and the longest list.
const MAX: usize = 256;

/// The settings of a build, as the build script of the binary's package found them.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct BuildSettings {
    /// The compiler: the lines of `rustc -vV`.
    pub compiler: Vec<String>,
    /// The features of the package, in ascending order.
    pub features: Vec<String>,
    /// The profile that it is derived from: `release` or `debug`.
    pub profile: String,
    /// The flags of the compiler. For `--remap-path-prefix=FROM=TO`, only TO is kept, because FROM
    /// is a folder of the builder.
    pub rustflags: Vec<String>,
    /// The target triple.
    pub target: String,
}

impl BuildSettings {
    /// Reads the settings that a program has compiled in: the mark and one line.
    ///
    /// # Errors
    ///
    /// Returns an error if the text does not have that form.
    pub fn of_program(text: &str) -> Result<Self, PayloadError> {
        let line = text.as_bytes().strip_prefix(MARK).and_then(|line| line.strip_suffix(b"\n"));
        Self::parse(Json::parse_canonical(line.unwrap_or_default())?)
    }

    /// Finds the settings in the bytes of a binary. Returns [`None`] if it has none, or several
    /// that differ.
    #[must_use]
    pub fn find(binary: &[u8]) -> Option<Self> {
        let mut found = BTreeSet::new();
        let mut rest = binary;
        while let Some(at) = rest.windows(MARK.len()).position(|window| window == MARK) {
            rest = &rest[at + MARK.len()..];
            let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
            let settings = Json::parse_canonical(line).map_err(PayloadError::from);
            found.extend(settings.and_then(Self::parse));
        }
        let first = found.pop_first()?;
        found.is_empty().then_some(first)
    }

    pub(super) fn to_json(&self) -> Json<'static> {
        let list = |items: &[String]| Json::arr(items.iter().map(Json::str));
        Json::obj([
            ("compiler", list(&self.compiler)),
            ("features", list(&self.features)),
            ("profile", Json::str(&self.profile)),
            ("rustflags", list(&self.rustflags)),
            ("target", Json::str(&self.target)),
        ])
    }

    fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        let settings = Self::take(&mut members)?;
        members.finish()?;
        Ok(settings)
    }

    /// Takes the members of the settings.
    pub(super) fn take(members: &mut Members) -> Result<Self, PayloadError> {
        Ok(Self {
            compiler: texts(members, "compiler")?,
            features: texts(members, "features")?,
            profile: members.text("profile")?.into_owned(),
            rustflags: texts(members, "rustflags")?,
            target: members.text("target")?.into_owned(),
        })
    }
}

fn texts(members: &mut Members, key: &str) -> Result<Vec<String>, PayloadError> {
    let items = members.list(key, |item| match item {
        Json::Str(text) if text.len() <= MAX => Ok(text.into_owned()),
        Json::Str(_) | Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => {
            Err("not a text of at most 256 characters")
        }
    })?;
    if items.len() > MAX { Err(members.blame(key, "more than 256")) } else { Ok(items) }
}

impl fmt::Display for BuildSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { compiler, features, profile, rustflags, target } = self;
        let list = |items: &[String]| match items {
            [] => "none".to_owned(),
            items => items.join(" "),
        };
        let (flags, features) = (list(rustflags), list(features));
        let compiler = compiler.join("; ");
        write!(f, "{target}, {profile}, rustflags {flags}, features {features}, {compiler}")
    }
}
