//! A key file: one key, as at most five lines of text.
//!
//! ```text
//! paigow-key-1
//! role receipt                   role epoch                role token
//! public <64 hex>                epoch 7                   id <16 hex>
//! secret <64 hex>                commit <64 hex>           serial 1
//!                                secret <64 hex>           secret <64 hex>
//! ```
//!
//! `root`, `ledger`, `witness` and `log` keys have the lines of `receipt`. Every line ends in
//! a line feed, members are in this order, hexadecimal is lower case, and nothing else
//! may be there. `public` and `commit` must belong to the secret.
//!
//! A file that a passphrase protects has two other lines in place of `secret`, as
//! [`sealed_secret`](super::sealed_secret) says:
//!
//! ```text
//! scrypt 17 <32 hex>
//! sealed <96 hex>
//! ```

use std::fmt;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::KeyFault;
use super::regular::read_secret;
use super::sealed_secret::{self, Passphrase, Scrypt, UnsealError};
use paigow_engine::SecretKey;
use paigow_engine::TokenKey;
use paigow_fairness::encoding::hex_bytes;
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::epoch_commit;

const FIRST_LINE: &str = "paigow-key-1";
/// Longer than any key file.
const MAX_LEN: usize = 1024;

/// The role of a signing key: the records that it signs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KeyRole {
    /// Manifests.
    Root,
    /// The engine's records.
    Receipt,
    /// A tenant's locks.
    Ledger,
    /// Epoch salts, and the checkpoints of public logs. The key belongs to a party that is not the
    /// operator.
    Witness,
    /// The checkpoints of a public log.
    Log,
}

impl KeyRole {
    /// All roles.
    pub const ALL: [Self; 5] = [Self::Root, Self::Receipt, Self::Ledger, Self::Witness, Self::Log];

    /// Returns the word of the role in key files and their names.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Receipt => "receipt",
            Self::Ledger => "ledger",
            Self::Witness => "witness",
            Self::Log => "log",
        }
    }
}

/// One secret key with the other members of its file. Its `Debug` prints no secret byte.
#[derive(Clone, Debug)]
pub enum KeyFile {
    /// An Ed25519 key.
    Signing {
        /// The role of the key.
        role: KeyRole,
        /// The key.
        key: SecretKey,
    },
    /// The secret of an epoch.
    Epoch {
        /// The epoch, 0 to 2^31 - 1.
        epoch: u32,
        /// The secret.
        secret: EpochSecret,
    },
    /// A key that seals seeds of the fresh suite.
    Token {
        /// Its id in sealed seeds.
        kid: [u8; 8],
        /// Its serial number. The key with the highest number seals new tickets.
        serial: u32,
        /// The key.
        key: TokenKey,
    },
}

/// Text that is not a key file. The error names the fault and never quotes the text.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ParseKeyFileError {
    /// The text is no key file.
    #[error("not a key file: {0}")]
    Form(&'static str),
    /// A passphrase protects the key, and none was given.
    #[error("a passphrase protects this key: give the file that has the passphrase")]
    PassphraseMissing,
    /// The passphrase is wrong, or the file was changed.
    #[error("the passphrase is not that of this key, or the file was changed")]
    WrongPassphrase,
}

use ParseKeyFileError::Form;

impl KeyFile {
    /// Returns the name of the file in a keyring folder: `receipt-<kid>.key`,
    /// `epoch-<n>.key`, `token-<kid>.key`.
    #[must_use]
    pub fn file_name(&self) -> String {
        match self {
            Self::Signing { role, key } => format!("{}-{}.key", role.name(), key.public().kid()),
            Self::Epoch { epoch, .. } => format!("epoch-{epoch}.key"),
            Self::Token { kid, .. } => format!("token-{}.key", hex::encode(kid)),
        }
    }

    /// Returns the lines before the secret, and the secret.
    fn members(&self) -> (String, &[u8; 32]) {
        let (members, secret) = match self {
            Self::Signing { role, key } => {
                (format!("role {}\npublic {}\n", role.name(), key.public()), key.expose())
            }
            Self::Epoch { epoch, secret } => {
                let commit = epoch_commit(*epoch, secret);
                (format!("role epoch\nepoch {epoch}\ncommit {commit}\n"), secret.expose())
            }
            Self::Token { kid, serial, key } => {
                let id = hex::encode(kid);
                (format!("role token\nid {id}\nserial {serial}\n"), key.expose())
            }
        };
        (format!("{FIRST_LINE}\n{members}"), secret)
    }

    fn to_text(&self) -> Zeroizing<String> {
        let (members, secret) = self.members();
        let secret = Zeroizing::new(hex::encode(secret));
        // Room for the whole text. A growing string would leave copies in memory.
        let mut text = Zeroizing::new(String::with_capacity(512));
        for part in [&members, "secret ", &secret, "\n"] {
            text.push_str(part);
        }
        text
    }

    fn to_sealed_text(&self, passphrase: &Passphrase, salt: [u8; 16]) -> Zeroizing<String> {
        let (members, secret) = self.members();
        let scrypt = Scrypt::new(salt);
        let open = format!("{members}scrypt {scrypt}\n");
        let sealed = hex::encode(sealed_secret::seal(passphrase, &scrypt, &open, secret));
        Zeroizing::new(format!("{open}sealed {sealed}\n"))
    }

    /// Reads the text of a key file. The passphrase is used if one protects the key.
    ///
    /// # Errors
    ///
    /// If it does not have exactly this form, or if its public member is not the secret's. Also if
    /// the passphrase that protects it is missing or wrong.
    pub fn parse(text: &str, passphrase: Option<&Passphrase>) -> Result<Self, ParseKeyFileError> {
        let fail = |what| Err(Form(what));
        let mut lines = KeyLines { whole: text, rest: text, passphrase };
        if lines.next() != Some(FIRST_LINE) {
            return fail("the first line is paigow-key-1");
        }
        let role = lines.member("role")?;
        let key = match role {
            "epoch" => {
                let epoch = lines.number("epoch")?;
                let commit = lines.member("commit")?;
                let secret = EpochSecret::new(*lines.secret()?);
                if epoch > i32::MAX.unsigned_abs() {
                    return fail("epoch is above 2147483647");
                }
                if commit != epoch_commit(epoch, &secret).to_string() {
                    return fail("commit is not the commitment to the secret");
                }
                Self::Epoch { epoch, secret }
            }
            "token" => {
                let kid =
                    hex_bytes(lines.member("id")?).map_err(|_| Form("id is not 16 hex digits"))?;
                let serial = lines.number("serial")?;
                Self::Token { kid, serial, key: TokenKey::new(*lines.secret()?) }
            }
            signing => {
                let Some(role) = KeyRole::ALL.into_iter().find(|role| role.name() == signing)
                else {
                    return fail("role is not one of root receipt ledger witness log epoch token");
                };
                let public = lines.member("public")?;
                let key = SecretKey::from_bytes(&*lines.secret()?);
                if public != key.public().to_string() {
                    return fail("public is not the public half of the secret");
                }
                Self::Signing { role, key }
            }
        };
        if lines.rest.is_empty() { Ok(key) } else { fail("something after the last line") }
    }

    /// Reads a key file from disk. The passphrase is used if one protects the key.
    ///
    /// # Errors
    ///
    /// Returns [`KeyFault`] in these cases. The fault never quotes the file.
    ///
    /// - The file cannot be read, or its group or others may read or write it.
    /// - It is not a key file.
    /// - The passphrase that protects it is missing or wrong.
    pub fn read(path: &Path, passphrase: Option<&Passphrase>) -> Result<Self, KeyFault> {
        let fault = |what: &dyn fmt::Display| KeyFault::at(path, what.to_string());
        let bytes = read_secret(path, MAX_LEN).map_err(|error| fault(&error))?;
        let text = std::str::from_utf8(&bytes).map_err(|_| fault(&"not a key file: not text"))?;
        Self::parse(text, passphrase).map_err(|error| fault(&error))
    }

    /// Writes the key as a new file of mode 0600 into `dir` and returns its path.
    ///
    /// # Errors
    ///
    /// If the file exists already or cannot be written.
    pub fn write_new(&self, dir: &Path) -> Result<PathBuf, KeyFault> {
        self.write_text(dir, &self.to_text())
    }

    /// Does as [`Self::write_new`] with a key that `passphrase` protects. `salt` is random.
    ///
    /// # Errors
    ///
    /// As [`Self::write_new`].
    pub fn write_new_sealed(
        &self,
        dir: &Path,
        passphrase: &Passphrase,
        salt: [u8; 16],
    ) -> Result<PathBuf, KeyFault> {
        self.write_text(dir, &self.to_sealed_text(passphrase, salt))
    }

    fn write_text(&self, dir: &Path, text: &str) -> Result<PathBuf, KeyFault> {
        let path = dir.join(self.file_name());
        let write = || -> std::io::Result<()> {
            let mut file =
                OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write().map_err(|error| KeyFault::at(&path, error.to_string()))?;
        Ok(path)
    }
}

/// The lines of a key file.
struct KeyLines<'a> {
    whole: &'a str,
    /// The lines that are still to be read.
    rest: &'a str,
    passphrase: Option<&'a Passphrase>,
}

impl<'a> KeyLines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (line, rest) = self.rest.split_once('\n')?;
        self.rest = rest;
        Some(line)
    }

    fn member(&mut self, name: &'static str) -> Result<&'a str, ParseKeyFileError> {
        let line = self.next().ok_or(Form("a line is missing"))?;
        line.split_once(' ')
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| value)
            .ok_or(Form("a line is not the member that is due there"))
    }

    fn number(&mut self, name: &'static str) -> Result<u32, ParseKeyFileError> {
        let text = self.member(name)?;
        let number: Option<u32> = text.parse().ok();
        // A number has one spelling: no sign, no leading zero.
        number.filter(|number| number.to_string() == text).ok_or(Form("a number is not in decimal"))
    }

    /// Takes the secret: plain, or sealed under a passphrase.
    fn secret(&mut self) -> Result<Zeroizing<[u8; 32]>, ParseKeyFileError> {
        if !self.rest.starts_with("scrypt ") {
            return hex_bytes(self.member("secret")?)
                .map(Zeroizing::new)
                .map_err(|_| Form("secret is not 64 hex digits"));
        }
        let scrypt = Scrypt::parse(self.member("scrypt")?)
            .ok_or(Form("scrypt is not a cost of 15 to 20 and a salt of 32 hex digits"))?;
        let open = &self.whole[..self.whole.len() - self.rest.len()];
        let sealed =
            hex_bytes(self.member("sealed")?).map_err(|_| Form("sealed is not 96 hex digits"))?;
        let passphrase = self.passphrase.ok_or(ParseKeyFileError::PassphraseMissing)?;
        sealed_secret::unseal(passphrase, &scrypt, open, &sealed)
            .map_err(|UnsealError| ParseKeyFileError::WrongPassphrase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn samples() -> [KeyFile; 3] {
        [
            KeyFile::Signing { role: KeyRole::Ledger, key: SecretKey::from_bytes(&[0x7a; 32]) },
            KeyFile::Epoch { epoch: 20777, secret: EpochSecret::new([0xab; 32]) },
            KeyFile::Token { kid: [1; 8], serial: 3, key: TokenKey::new([0xcd; 32]) },
        ]
    }

    #[test]
    fn what_is_written_is_read_back() {
        for key in samples() {
            let again = KeyFile::parse(&key.to_text(), None).unwrap();
            assert_eq!(*again.to_text(), *key.to_text());
            assert_eq!(again.file_name(), key.file_name());
        }
    }

    #[test]
    fn the_published_receipt_key_reads_from_its_file() {
        // tests/vectors/fairness.json, "receipt".
        let text = "paigow-key-1\nrole receipt\n\
            public 2b82cff2bc9c9698eb005106a2584dc6811a72e5b709441cef673fa7c8289f1b\n\
            secret 6acc6bba9214f43be04c3f622c897c85acc72a1469f76630c803c272573d6a23\n";
        assert_eq!(KeyFile::parse(text, None).unwrap().file_name(), "receipt-fabfd610d8c6ff97.key");
    }

    #[test]
    fn any_other_spelling_is_refused_without_quoting_it() {
        for key in samples() {
            let text = key.to_text();
            let secret = text.rsplit("secret ").next().unwrap().trim_end().to_owned();
            for bad in [
                text.replace("paigow-key-1", "paigow-key-2"),
                text.replace(&secret, &secret.to_uppercase()),
                text.replace(&secret, &"11".repeat(31)),
                text.replace("secret", "Secret"),
                text.replace("role ", "role  "),
                text.replace('\n', "\r\n"),
                text.trim_end().to_owned(),
                text.to_string() + "\n",
                text.lines().rev().map(|line| line.to_owned() + "\n").collect(),
                String::new(),
            ] {
                let error = KeyFile::parse(&bad, None).unwrap_err().to_string();
                assert!(!error.contains(&secret[..8]), "{error}");
            }
        }
    }

    #[test]
    fn a_public_half_of_another_secret_is_refused() {
        let [ledger, epoch, _] = samples().map(|key| key.to_text().to_string());
        assert!(KeyFile::parse(&ledger.replace(&"7a".repeat(32), &"7b".repeat(32)), None).is_err());
        assert!(KeyFile::parse(&epoch.replace("epoch 20777", "epoch 20778"), None).is_err());
        assert!(KeyFile::parse(&epoch.replace("epoch 20777", "epoch 020777"), None).is_err());
    }

    #[test]
    fn debug_prints_no_secret_byte() {
        let text = format!("{:?}", samples());
        assert!(!text.contains("7a7a") && !text.contains("abab") && !text.contains("171, 171"));
    }

    #[test]
    fn a_secret_that_others_may_read_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        for key in samples() {
            let path = key.write_new(dir.path()).unwrap();
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            assert!(key.write_new(dir.path()).is_err(), "never overwritten");
            KeyFile::read(&path, None).unwrap();
            for mode in [0o640, 0o604, 0o620] {
                std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
                let fault = KeyFile::read(&path, None).unwrap_err().to_string();
                assert!(fault.contains("chmod 600"), "{fault}");
            }
        }
    }

    #[test]
    fn a_passphrase_opens_what_it_protects_and_no_other_does() {
        let dir = tempfile::tempdir().unwrap();
        let passphrase = Passphrase::new(b"correct horse battery staple\n").unwrap();
        let other = Passphrase::new(b"correct horse battery stapler").unwrap();
        let key = &samples()[0];
        let path = key.write_new_sealed(dir.path(), &passphrase, [3; 16]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("7a7a"), "{text}");
        let again = KeyFile::read(&path, Some(&passphrase)).unwrap();
        assert_eq!(*again.to_text(), *key.to_text());
        let fault = |passphrase| KeyFile::read(&path, passphrase).unwrap_err().what;
        assert_eq!(fault(None), ParseKeyFileError::PassphraseMissing.to_string());
        assert_eq!(fault(Some(&other)), ParseKeyFileError::WrongPassphrase.to_string());
        // The seal covers the lines before the secret.
        let changed = text.replace("role ledger", "role root");
        let error = KeyFile::parse(&changed, Some(&passphrase)).unwrap_err();
        assert_eq!(error, ParseKeyFileError::WrongPassphrase);
    }

    #[test]
    fn a_sealed_file_is_what_another_program_makes_of_the_same_key() {
        // The secret of RFC 8032, 7.1, test 1, sealed with scrypt and ChaCha20-Poly1305 of OpenSSL.
        let text = "paigow-key-1\nrole root\n\
            public d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a\n\
            scrypt 15 000102030405060708090a0b0c0d0e0f\n\
            sealed 1c1536378f4162dd27251f2cf187a6f6b7dbebba2afa3bd0a7d4c481af4f8fc7\
            c334cbbc6b4c0cc4771791354132a529\n";
        let passphrase = Passphrase::new(b"correct horse battery staple").unwrap();
        let KeyFile::Signing { key, .. } = KeyFile::parse(text, Some(&passphrase)).unwrap() else {
            panic!("a signing key");
        };
        let secret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
        assert_eq!(hex::encode(key.expose()), secret);
        for bad in ["scrypt 14 ", "scrypt 21 ", "scrypt 015 ", "scrypt "] {
            let bad = text.replace("scrypt 15 ", bad);
            assert!(matches!(KeyFile::parse(&bad, Some(&passphrase)), Err(Form(_))), "{bad}");
        }
    }

    #[test]
    fn a_passphrase_is_one_line_of_some_length() {
        assert!(Passphrase::new(b"eleven byte").is_err());
        assert!(Passphrase::new(b"twelve bytes").is_ok());
        assert!(Passphrase::new(b"short\nand a long second line").is_err());
        assert!(Passphrase::new(&[b'a'; 1025]).is_err());
        let passphrase = Passphrase::new(b"correct horse battery staple").unwrap();
        assert_eq!(format!("{passphrase:?}"), "Passphrase(..)");
    }
}
