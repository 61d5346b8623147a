//! A token of PKCS #11 and the Ed25519 keys in it.

use std::path::Path;

use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::error::{Error, RvError};
use cryptoki::mechanism::eddsa::{EddsaParams, EddsaSignatureScheme};
use cryptoki::mechanism::{Mechanism, MechanismType};
use cryptoki::object::{Attribute, AttributeType, KeyType, ObjectClass, ObjectHandle};
use cryptoki::session::{Session, UserType};
use cryptoki::slot::Slot;
use cryptoki::types::AuthPin;
use paigow_fairness::signature::PublicKey;
use paigow_files::command::CommandError;
use paigow_files::keys::{KeyRole, SignerKey, read_secret};
use zeroize::Zeroizing;

/// `edwards25519` as a DER PrintableString: the parameters of the curve (PKCS #11 3.0, 2.3.10).
const EDWARDS25519: [u8; 14] = *b"\x13\x0cedwards25519";

/// The head of a DER OCTET STRING of 32 bytes. Some tokens put it before a point.
const OCTETS: [u8; 2] = [0x04, 0x20];

/// The most bytes of the file of a PIN.
const PIN_BYTES: usize = 256;

/// The reason why a token gives no signature. The name comes first.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum TokenError {
    /// The shared library cannot be loaded or does not start.
    #[error("NO_MODULE {0}")]
    Module(String),
    /// No slot has a token of this label.
    #[error("NO_SLOT no slot has a token with the label {token:?}; the slots have: {found}")]
    NoSlot {
        /// The label that was asked for.
        token: String,
        /// The labels that there are.
        found: String,
    },
    /// The token refuses the PIN.
    #[error("WRONG_PIN the token refuses the PIN; after some more wrong ones it locks it")]
    WrongPin,
    /// The PIN is locked.
    #[error("PIN_LOCKED the token has locked the PIN: the security officer has to set a new one")]
    PinLocked,
    /// The token cannot sign with Ed25519.
    #[error("NO_MECHANISM the token does not offer {0}, which Ed25519 needs")]
    NoMechanism(&'static str),
    /// The token has no such key.
    #[error("NO_KEY the token has no key {0}")]
    NoKey(PublicKey),
    /// Two private keys have no public half that tells them apart, or one has none.
    #[error("BAD_KEY a {0} key in the token has no readable public half of the same CKA_ID")]
    BadKey(&'static str),
    /// The token or its module has failed.
    #[error("UNAVAILABLE {0}")]
    Failed(String),
}

impl TokenError {
    /// Returns whether the token may be gone, so that it has to be opened again.
    pub(crate) const fn is_loss(&self) -> bool {
        matches!(self, Self::Failed(_))
    }
}

impl From<Error> for TokenError {
    fn from(error: Error) -> Self {
        let Error::Pkcs11(value, function) = error else { return Self::Failed(error.to_string()) };
        if matches!(value, RvError::PinIncorrect | RvError::PinInvalid | RvError::PinLenRange) {
            Self::WrongPin
        } else if matches!(value, RvError::PinLocked) {
            Self::PinLocked
        } else if matches!(value, RvError::MechanismInvalid) {
            Self::NoMechanism("CKM_EDDSA")
        } else {
            // The library's own text is a page of the standard.
            Self::Failed(format!("{function:?}: {value:?}"))
        }
    }
}

/// Reads the PIN: the first line of a file.
pub(crate) fn read_pin(path: &Path) -> Result<Zeroizing<String>, CommandError> {
    let fault = |what: &str| CommandError::NoInput(format!("{}: {what}", path.display()));
    let bytes = read_secret(path, PIN_BYTES).map_err(|error| fault(&error.to_string()))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| fault("not UTF-8 text"))?;
    let pin = text.lines().next().unwrap_or_default();
    if pin.is_empty() { Err(fault("the first line is empty")) } else { Ok(pin.to_owned().into()) }
}

/// A module that has been loaded.
#[derive(Clone, Debug)]
pub(crate) struct Module(Pkcs11);

impl Module {
    pub(crate) fn load(path: &Path) -> Result<Self, TokenError> {
        let module = |error: Error| TokenError::Module(format!("{}: {error}", path.display()));
        let pkcs11 = Pkcs11::new(path).map_err(module)?;
        pkcs11.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)).map_err(module)?;
        Ok(Self(pkcs11))
    }
}

/// The place of a token, and its PIN. Neither `Debug` nor an error prints the PIN.
pub(crate) struct TokenPlace {
    pub(crate) module: Module,
    pub(crate) token: String,
    pub(crate) pin: Zeroizing<String>,
}

impl TokenPlace {
    /// Opens a session and finds the keys.
    pub(crate) fn open(&self) -> Result<Token, TokenError> {
        let pkcs11 = &self.module.0;
        let slot = self.slot()?;
        if !pkcs11.get_mechanism_list(slot)?.contains(&MechanismType::EDDSA) {
            return Err(TokenError::NoMechanism("CKM_EDDSA"));
        }
        let session = pkcs11.open_rw_session(slot)?;
        let pin = AuthPin::new(self.pin.as_str().into());
        match session.login(UserType::User, Some(&pin)) {
            // All sessions of a process are logged in at once.
            Ok(()) | Err(Error::Pkcs11(RvError::UserAlreadyLoggedIn, _)) => {}
            Err(error) => return Err(error.into()),
        }
        let mut token = Token { session, keys: Vec::new() };
        token.find_keys()?;
        Ok(token)
    }

    fn slot(&self) -> Result<Slot, TokenError> {
        let pkcs11 = &self.module.0;
        let mut found = Vec::new();
        for slot in pkcs11.get_slots_with_initialized_token()? {
            let label = pkcs11.get_token_info(slot)?.label().to_owned();
            if label == self.token {
                return Ok(slot);
            }
            found.push(format!("{label:?}"));
        }
        found.sort();
        let found = if found.is_empty() { "no token".to_owned() } else { found.join(", ") };
        Err(TokenError::NoSlot { token: self.token.clone(), found })
    }
}

/// A key of the token.
#[derive(Clone, Copy, Debug)]
struct KeyObject {
    key: SignerKey,
    private: ObjectHandle,
}

/// A token with a session of its own.
pub(crate) struct Token {
    session: Session,
    keys: Vec<KeyObject>,
}

impl Token {
    /// Returns the keys whose label is a role.
    pub(crate) fn keys(&self) -> impl Iterator<Item = SignerKey> {
        self.keys.iter().map(|key| key.key)
    }

    /// Signs `message` with the key whose public half is `public`.
    pub(crate) fn sign(&self, public: &PublicKey, message: &[u8]) -> Result<Vec<u8>, TokenError> {
        let key = self.keys.iter().find(|key| key.key.public == *public);
        let key = key.ok_or(TokenError::NoKey(*public))?;
        let pure = Mechanism::Eddsa(EddsaParams::new(EddsaSignatureScheme::Ed25519));
        Ok(self.session.sign(&pure, key.private, message)?)
    }

    /// Makes a key of a role. Its secret half is marked so that it never leaves the token.
    pub(crate) fn generate(&self, role: KeyRole) -> Result<PublicKey, TokenError> {
        let label = Attribute::Label(role.name().as_bytes().to_vec());
        let id = Attribute::Id(self.session.generate_random_vec(8)?);
        let public = [
            Attribute::Token(true),
            Attribute::Private(false),
            Attribute::Verify(true),
            Attribute::EcParams(EDWARDS25519.to_vec()),
            label.clone(),
            id.clone(),
        ];
        let private = [
            Attribute::Token(true),
            Attribute::Private(true),
            Attribute::Sensitive(true),
            Attribute::Extractable(false),
            Attribute::Sign(true),
            label,
            id,
        ];
        let made =
            self.session.generate_key_pair(&Mechanism::EccEdwardsKeyPairGen, &public, &private);
        let (public, _) = made.map_err(|error| {
            if matches!(error, Error::Pkcs11(RvError::MechanismInvalid, _)) {
                TokenError::NoMechanism("CKM_EC_EDWARDS_KEY_PAIR_GEN")
            } else {
                error.into()
            }
        })?;
        self.point(public)?.ok_or(TokenError::BadKey(role.name()))
    }

    fn find_keys(&mut self) -> Result<(), TokenError> {
        for role in KeyRole::ALL {
            let of_role = [
                Attribute::Class(ObjectClass::PRIVATE_KEY),
                Attribute::KeyType(KeyType::EC_EDWARDS),
                Attribute::Label(role.name().as_bytes().to_vec()),
            ];
            for private in self.session.find_objects(&of_role)? {
                let public = self.public_half(private)?.ok_or(TokenError::BadKey(role.name()))?;
                self.keys.push(KeyObject { key: SignerKey { role, public }, private });
            }
        }
        Ok(())
    }

    /// Returns the public half of a private key: the point of the public key with its id.
    fn public_half(&self, private: ObjectHandle) -> Result<Option<PublicKey>, TokenError> {
        let attributes = self.session.get_attributes(private, &[AttributeType::Id])?;
        let Some(id @ Attribute::Id(_)) = attributes.into_iter().next() else { return Ok(None) };
        let beside = [
            Attribute::Class(ObjectClass::PUBLIC_KEY),
            Attribute::KeyType(KeyType::EC_EDWARDS),
            id,
        ];
        match self.session.find_objects(&beside)?[..] {
            [public] => self.point(public),
            _ => Ok(None),
        }
    }

    fn point(&self, public: ObjectHandle) -> Result<Option<PublicKey>, TokenError> {
        let attributes = self.session.get_attributes(public, &[AttributeType::EcPoint])?;
        let Some(Attribute::EcPoint(point)) = attributes.into_iter().next() else {
            return Ok(None);
        };
        let bytes = match point.strip_prefix(&OCTETS) {
            Some(inside) if inside.len() == 32 => inside,
            _ => &point[..],
        };
        Ok(bytes.try_into().ok().and_then(|bytes| PublicKey::from_bytes(bytes).ok()))
    }
}
