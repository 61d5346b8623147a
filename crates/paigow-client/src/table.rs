//! One table: its rounds in order, each linked to the close of the one before.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use paigow_proto::v1::{
    Beacon, ExternalPolicy, GetEngineResponse, OpenRoundRequest, Record, TenantPolicy,
};
use prost::Message as _;

use crate::beacon::BeaconSettings;
use crate::connection::Engine;
use crate::errors::ClientError;
use crate::ledger::Ledger;
use crate::round::{Round, RoundClose};
use crate::store::{Place, StepColumn};
use crate::verify::{Root, SettlementCheck, lines};

/// A table of a platform. Clones are the same table.
#[derive(Clone, Debug)]
pub struct Table(pub(crate) Arc<TableParts>);

#[derive(Debug)]
pub(crate) struct TableParts {
    pub(crate) engine: Engine,
    pub(crate) ledger: Ledger,
    name: String,
    ruleset: String,
    check: Option<SettlementCheck>,
    manifests: Mutex<Vec<Record>>,
    beacon_settings: Option<BeaconSettings>,
    stated: Mutex<StatedTerms>,
}

/// The terms that the engine has stated last.
#[derive(Clone, Debug)]
struct StatedTerms {
    policy: TenantPolicy,
    beacon: Option<Beacon>,
}

/// More that a table plays by.
#[derive(Clone, Debug, Default)]
pub struct TableTerms {
    /// Files of the operator's own rulesets.
    pub rulesets: Vec<PathBuf>,
    /// Files of the operator's own house ways.
    pub house_ways: Vec<PathBuf>,
    /// The source of public randomness. The policy `external: drand` needs it.
    pub beacon: Option<BeaconSettings>,
}

impl Table {
    /// Opens a table: asks the engine for the policy.
    ///
    /// `ruleset` is an id or a hash. With a root every settlement is checked before it is returned.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    /// - [`ClientError::Ledger`] if the manifest does not list the ledger's key, or has no policy for this tenant.
    /// - [`ClientError::Settings`] if the policy is `external: drand`, which needs [`TableTerms::beacon`].
    /// - [`ClientError::File`] if a root key is malformed.
    pub async fn open(
        engine: &Engine,
        ledger: &Ledger,
        name: &str,
        ruleset: &str,
        root: Option<Root>,
    ) -> Result<Self, ClientError> {
        Self::open_with_terms(engine, ledger, name, ruleset, root, TableTerms::default()).await
    }

    /// Opens a table with more terms: the operator's own rules, a source of public randomness.
    ///
    /// # Errors
    ///
    /// Those of [`Table::open`], and [`ClientError::File`] if a file is at fault.
    pub async fn open_with_terms(
        engine: &Engine,
        ledger: &Ledger,
        name: &str,
        ruleset: &str,
        root: Option<Root>,
        terms: TableTerms,
    ) -> Result<Self, ClientError> {
        let check = root
            .map(|root| SettlementCheck::new(&root, &terms.rulesets, &terms.house_ways))
            .transpose()?;
        let stated = stated_terms(&engine.state().await?, ledger, terms.beacon.as_ref())?;
        Ok(Self(Arc::new(TableParts {
            engine: engine.clone(),
            ledger: ledger.clone(),
            name: name.to_owned(),
            ruleset: ruleset.to_owned(),
            check,
            manifests: Mutex::default(),
            beacon_settings: terms.beacon,
            stated: Mutex::new(stated),
        })))
    }

    fn stated(&self) -> StatedTerms {
        self.0.stated.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn policy(&self) -> TenantPolicy {
        self.stated().policy
    }

    /// Whether the rounds that are opened now wait for a beacon.
    pub(crate) fn waits_for_beacon(&self) -> bool {
        self.policy().external == i32::from(ExternalPolicy::Drand)
    }

    /// Returns the beacon and the source of its signatures.
    pub(crate) fn beacon(&self) -> Result<(Beacon, &BeaconSettings), ClientError> {
        let settings = self.0.beacon_settings.as_ref().ok_or_else(no_source)?;
        let beacon =
            self.stated().beacon.ok_or(ClientError::Contract("the engine has no beacon"))?;
        Ok((beacon, settings))
    }

    /// Returns the source of public randomness, where the table has one.
    pub(crate) fn beacon_settings(&self) -> Option<&BeaconSettings> {
        self.0.beacon_settings.as_ref()
    }

    /// Returns the round that is not closed, or the next one.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    /// - [`ClientError::LedgerUnavailable`] of the database.
    /// - [`ClientError::Ledger`] if no epoch is open.
    pub async fn next_round(&self) -> Result<Round, ClientError> {
        let TableParts { engine, ledger, name, ruleset, stated, beacon_settings, .. } = &*self.0;
        let store = &ledger.store;
        let state = engine.state().await?;
        let current = stated_terms(&state, ledger, beacon_settings.as_ref())?;
        let chain_required = current.policy.chain_required;
        *stated.lock().unwrap_or_else(PoisonError::into_inner) = current;
        let unfinished = store.unfinished(name).await?;
        if let Some(place) = &unfinished
            && store.get(place, StepColumn::Opened).await?.is_some()
        {
            return Ok(self.round(place.clone()));
        }
        let first_epoch = store.first_epoch().await?;
        let epochs: Vec<i32> = state
            .open_epochs
            .iter()
            .map(|epoch| epoch.epoch)
            .filter(|&epoch| i64::from(epoch) >= first_epoch)
            .collect();
        let Some(&open) = epochs.first() else {
            return Err(ClientError::Ledger(if first_epoch > 0 {
                format!(
                    "no epoch is open that this ledger signs: it was restored, and signs from {first_epoch} on"
                )
            } else {
                "no epoch is open".to_owned()
            }));
        };
        let last = store.last_closed(name).await?;
        let in_open_epoch = |place: &Place| epochs.contains(&place.epoch);
        let place = match (unfinished, &last) {
            // Nobody has asked for it yet: it may name a newer manifest.
            (Some(place), _) if in_open_epoch(&place) => place,
            (_, Some((last, _))) if in_open_epoch(last) => {
                Place { round_no: last.round_no + 1, ..last.clone() }
            }
            // Each epoch has a chain of its own.
            _ => Place { table: name.clone(), epoch: open, round_no: 1 },
        };
        let mut request = OpenRoundRequest {
            epoch: Some(place.epoch),
            manifest: state.manifest,
            manifest_sequence: state.manifest_sequence,
            table: name.clone(),
            round_no: place.round_no,
            ruleset: ruleset.clone(),
            ..OpenRoundRequest::default()
        };
        if chain_required && place.round_no > 1 {
            // The closing record stands last.
            request.prev = match last {
                Some((_, closed)) => RoundClose::read(&closed)?.records().last().cloned(),
                None => None,
            };
        }
        store.start(&place, &request.encode_to_vec()).await?;
        Ok(self.round(place))
    }

    /// Returns a round of this table, as an earlier one.
    #[must_use]
    pub fn round(&self, place: Place) -> Round {
        Round { table: self.clone(), place }
    }

    /// Returns the signed manifests: a transcript begins with them.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    pub async fn manifests(&self) -> Result<Vec<Record>, ClientError> {
        let known = self.0.manifests.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let after = i64::try_from(known.len()).unwrap_or(i64::MAX);
        let newer = self.0.engine.manifests(after).await?;
        let all = [known, newer].concat();
        self.0.manifests.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&all);
        Ok(all)
    }

    /// Checks that the records of a round make its money.
    ///
    /// # Errors
    ///
    /// [`ClientError::NotVerified`] if they do not, and those of a call. A table without a root checks nothing.
    pub async fn check(&self, records: &[Record]) -> Result<(), ClientError> {
        if self.0.check.is_none() {
            return Ok(());
        }
        let (manifests, records, table) = (self.manifests().await?, records.to_vec(), self.clone());
        tracing::trace!("check the settlement");
        let checked = tokio::task::spawn_blocking(move || {
            table.0.check.as_ref().map_or(Ok(()), |check| check.check(&manifests, &records))
        });
        checked.await.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
    }

    /// Returns the transcript of rounds: a line for each record.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Refused`] or [`ClientError::NoAnswer`] of a call.
    /// - [`ClientError::LedgerUnavailable`] of the database.
    pub async fn transcript(&self, rounds: &[Round]) -> Result<Vec<u8>, ClientError> {
        let mut records = self.manifests().await?;
        for round in rounds {
            records.extend(round.records().await?);
        }
        Ok(lines(records.iter()))
    }
}

fn stated_terms(
    state: &GetEngineResponse,
    ledger: &Ledger,
    beacon_settings: Option<&BeaconSettings>,
) -> Result<StatedTerms, ClientError> {
    let Some(policy) = state.policy else {
        return Err(ClientError::Ledger("the engine has no policy for this tenant".to_owned()));
    };
    let key = ledger.signer.public_key();
    if policy.lock_required && !state.ledger_keys.iter().any(|listed| listed == key) {
        return Err(ClientError::Ledger(format!(
            "the manifest does not list the ledger's key {key}"
        )));
    }
    if policy.external == i32::from(ExternalPolicy::Drand) && beacon_settings.is_none() {
        return Err(no_source());
    }
    Ok(StatedTerms { policy, beacon: state.beacon.clone() })
}

fn no_source() -> ClientError {
    let sentence = "the policy is external: drand: pass BeaconSettings as `beacon` of TableTerms";
    ClientError::Settings(sentence.to_owned())
}
