//! Manifests in a place of their own, as Kubernetes mounts it: files are links through `..data`,
//! which is replaced as a whole.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use paigow_files::keys;
use paigow_round::Catalogue;

use super::{Logged, sealed_next, seq};

/// A keyring folder without its manifests, and a volume that holds them.
struct Mounted {
    home: tempfile::TempDir,
    volume: PathBuf,
    /// How often the volume was replaced.
    times: u32,
}

impl Mounted {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let volume = home.path().join("manifests");
        std::fs::create_dir(&volume).unwrap();
        let (catalogue, now) = (Catalogue::shipped(), paigow::server::now());
        let keyring = home.path().join("keys");
        keys::open_dev(&keyring, &catalogue, now, &mut paigow::server::entropy).unwrap();
        Self { home, volume, times: 0 }
    }

    fn keyring(&self) -> PathBuf {
        self.home.path().join("keys")
    }

    /// Replaces what the volume holds, as the kubelet does.
    fn mount(&mut self, files: &[(&str, &str)]) {
        self.times += 1;
        let data = format!("..{}", self.times);
        std::fs::create_dir(self.volume.join(&data)).unwrap();
        for (name, text) in files {
            std::fs::write(self.volume.join(&data).join(name), text).unwrap();
        }
        symlink(&data, self.volume.join("..data_tmp")).unwrap();
        std::fs::rename(self.volume.join("..data_tmp"), self.volume.join("..data")).unwrap();
        for (name, _) in files {
            let link = self.volume.join(name);
            if link.symlink_metadata().is_err() {
                symlink(Path::new("..data").join(name), link).unwrap();
            }
        }
    }

    fn start(&self, manifests: &Path) -> Logged {
        let no = Path::new("false");
        Logged::start(
            self.home.path(),
            &[
                ("PAIGOW__KEYRING__DIRECTORY", &self.keyring()),
                ("PAIGOW__KEYRING__MANIFESTS", manifests),
                ("PAIGOW__KEYRING__GENERATE", no),
            ],
        )
    }
}

#[tokio::test]
async fn manifests_of_a_folder_are_followed_through_the_links_of_a_volume() {
    let mut mounted = Mounted::new();
    let keyring = mounted.keyring();
    let chain = keyring.join(keys::MANIFESTS);
    let first = std::fs::read_to_string(&chain).unwrap();
    std::fs::remove_file(chain).unwrap();
    mounted.mount(&[("1.jsonl", &first)]);
    let server = mounted.start(&mounted.volume);
    let mut client = server.client().await;
    assert_eq!(seq(&mut client).await, 1);

    // Another file beside the first, which is not touched.
    let second = sealed_next(&keyring, &first, |_| {}) + "\n";
    mounted.mount(&[("1.jsonl", &first), ("2.jsonl", &second)]);
    server.event("manifest_loaded");
    assert_eq!(seq(&mut client).await, 2);
    // All of them in one file, and one twice.
    let third = sealed_next(&keyring, &second, |_| {}) + "\n";
    let all = format!("{third}{first}{second}");
    mounted.mount(&[("1.jsonl", &all), ("2.jsonl", &second)]);
    server.event("manifest_loaded");
    assert_eq!(seq(&mut client).await, 3);
    // Two manifests of one number.
    let other = sealed_next(&keyring, &second, |manifest| {
        manifest.rulesets.pop();
    });
    mounted.mount(&[("1.jsonl", &all), ("2.jsonl", &other)]);
    let facts = server.event("reload_refused");
    assert!(facts.contains("2.jsonl: line 1: manifest 3 is not the one in"), "{facts}");
    assert_eq!(seq(&mut client).await, 3);
}

#[tokio::test]
async fn manifests_in_a_file_of_a_volume_are_followed() {
    let mut mounted = Mounted::new();
    let keyring = mounted.keyring();
    let chain = keyring.join(keys::MANIFESTS);
    let first = std::fs::read_to_string(&chain).unwrap();
    std::fs::remove_file(chain).unwrap();
    mounted.mount(&[("manifests.jsonl", &first)]);
    let server = mounted.start(&mounted.volume.join("manifests.jsonl"));
    let mut client = server.client().await;
    assert_eq!(seq(&mut client).await, 1);
    let second = sealed_next(&keyring, &first, |_| {});
    mounted.mount(&[("manifests.jsonl", &format!("{first}{second}\n"))]);
    server.event("manifest_loaded");
    assert_eq!(seq(&mut client).await, 2);
}
