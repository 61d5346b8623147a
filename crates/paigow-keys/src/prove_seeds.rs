//! `paigow-keys prove-seeds`: the vrf suite publishes no secret. So the seeds of the rounds without
//! a settlement are proven when the epoch is over.

use std::io::Write;
use std::path::PathBuf;

use super::manifest::parse;
use super::records;
use paigow_engine::{VrfSecretKey, is_secret_of};
use paigow_fairness::encoding::Identifier;
use paigow_fairness::manifest::{EpochStatus, Suite};
use paigow_fairness::seed::Coordinates;
use paigow_files::command::{CommandError, read_text};
use paigow_files::keys::{KeyFile, MANIFESTS, Passphrase};
use paigow_files::utc;
use paigow_round::record::{SeedPlace, SeedProof};

/// The request of `paigow-keys prove-seeds`.
#[derive(Clone, Debug)]
pub struct SeedsToProve {
    /// The keyring folder.
    pub dir: PathBuf,
    /// The epoch.
    pub epoch: u32,
    /// The tenant.
    pub tenant: String,
    /// The file with the rounds, one a line.
    pub rounds: PathBuf,
    /// The passphrase of the epoch's secret.
    pub passphrase: Option<Passphrase>,
}

/// Writes the proof of the server seed of each round, one a line.
///
/// `now` is in Unix seconds.
///
/// # Errors
///
/// - The newest manifest does not list the epoch with its salt in the vrf suite.
/// - Its rounds can be settled at `now`, and it is not revoked.
/// - The secret is not that of the key in the newest manifest.
/// - The file does not list rounds.
pub fn prove_seeds(
    wanted: &SeedsToProve,
    now: u64,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let SeedsToProve { dir, epoch, tenant, rounds, passphrase } = wanted;
    let refuse = |what: &str| Err(CommandError::Usage(format!("epoch {epoch}: {what}")));
    let tenant: Identifier = tenant
        .parse()
        .map_err(|error| CommandError::Usage(format!("--tenant {tenant}: {error}")))?;
    let chain = dir.join(MANIFESTS);
    let Some(newest) = records(&chain)?.pop() else {
        return Err(CommandError::Data(format!("{}: the file has no record", chain.display())));
    };
    let manifest = parse(&newest)?;
    let Some(listed) = manifest.epoch(*epoch) else {
        return refuse("the newest manifest does not list it");
    };
    let (Suite::Vrf, Some(salt)) = (listed.suite, listed.salt) else {
        return refuse("not an epoch of the vrf suite that has its salt");
    };
    if listed.status == EpochStatus::Active && now < listed.settle_until {
        let until = utc::text(listed.settle_until);
        return refuse(&format!(
            "rounds can be settled until {until}; proving seeds earlier would disclose cards"
        ));
    }
    let path = dir.join(format!("epoch-{epoch}.key"));
    let read = KeyFile::read(&path, passphrase.as_ref());
    let secret = match read.map_err(|fault| CommandError::NoInput(fault.to_string()))? {
        KeyFile::Epoch { epoch: inside, secret } if inside == *epoch => secret,
        KeyFile::Epoch { .. } | KeyFile::Signing { .. } | KeyFile::Token { .. } => {
            return Err(CommandError::Data(format!("{}: not its secret", path.display())));
        }
    };
    if !is_secret_of(&secret, listed) {
        return refuse("the secret in the key file is not that of the key in the newest manifest");
    }
    let key = VrfSecretKey::new(&secret);
    for (index, line) in read_text(rounds)?.lines().enumerate() {
        let SeedPlace { table, round_no } = SeedPlace::parse(line.as_bytes()).map_err(|error| {
            CommandError::Data(format!("{}, line {}: {error}", rounds.display(), index + 1))
        })?;
        let place = Coordinates { epoch: *epoch, tenant: tenant.clone(), table, round_no };
        let (_, proof) = key.prove(&place.vrf_input(&salt));
        let proven = SeedProof { table: place.table, round_no, proof };
        out.write_all(&proven.to_json().to_bytes())?;
        writeln!(out)?;
    }
    Ok(())
}
