//! Detects that files may have changed: by file events of their folders, and by polling.
//!
//! Polling finds the changes without an event. The system watches a folder, not its path: it reports
//! nothing when another folder takes its place. On network volumes it reports nothing at all.
//!
//! A log beside the files changes all the time. After such a change the server checks whether the
//! files changed, but does not read them.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

/// How long files must be unchanged before they are read: writers write more than once.
const QUIET: Duration = Duration::from_millis(200);

/// The longest wait for that: something else in their folder may never be quiet.
const NOISE: Duration = Duration::from_secs(2);

/// How often they are polled.
const LOOK: Duration = Duration::from_secs(5);

/// Files whose changes are followed.
#[derive(Debug)]
pub(super) struct FollowedFiles {
    places: Arc<FollowedPaths>,
    seen: FileSnapshot,
    watcher: Option<RecommendedWatcher>,
    watched: BTreeSet<PathBuf>,
    changes: mpsc::Receiver<()>,
    change: mpsc::Sender<()>,
    /// Whether an event has named one of the files since the last poll.
    named: Arc<AtomicBool>,
}

/// The paths of the followed files.
#[derive(Debug)]
struct FollowedPaths {
    files: Vec<PathBuf>,
    /// The folders of which every file counts, except the log's own. An entry may also be a file,
    /// which counts like the other files.
    folders: Vec<PathBuf>,
    /// The devices and inodes of the files that this process logs to.
    log: Vec<(u64, u64)>,
}

/// The device, inode, size and change times of a file; [`None`] if there is no file.
pub(super) type PathFacts = Option<(u64, u64, u64, [i64; 4])>;

/// The files that one poll found.
pub(super) type FileSnapshot = Vec<(PathBuf, PathFacts)>;

impl FollowedFiles {
    pub(super) fn new(files: Vec<PathBuf>, folders: Vec<PathBuf>) -> Self {
        // One change in the channel is enough: further ones add nothing.
        let (change, changes) = mpsc::channel(1);
        let places = Arc::new(FollowedPaths { files, folders, log: log_files() });
        let (seen, watched) = (FileSnapshot::new(), BTreeSet::new());
        let named = Arc::default();
        Self { places, seen, watcher: None, watched, changes, change, named }
    }

    /// Notes the files as they are now, and watches them from here on. Blocks.
    pub(super) fn begin(&mut self) {
        if let Err(error) = self.watch() {
            tracing::warn!(%error, "cannot watch files: changes are found by polling every 5 s");
        }
        self.look();
    }

    /// Notes the files as they are now. Blocks.
    pub(super) fn look(&mut self) {
        self.seen = self.places.look();
    }

    /// Returns the files as the last poll found them. Their folders are left out, because other files
    /// come and go there.
    pub(super) fn files(&self) -> FileSnapshot {
        let folders = self.places.watched();
        self.seen.iter().filter(|(path, _)| !folders.contains(path)).cloned().collect()
    }

    /// Watches the folders that are at their paths now, which may not be those watched before.
    fn watch(&mut self) -> notify::Result<()> {
        let watcher = match &mut self.watcher {
            Some(watcher) => watcher,
            none => {
                let (change, named) = (self.change.clone(), Arc::clone(&self.named));
                let places = Arc::clone(&self.places);
                none.insert(notify::recommended_watcher(move |event: notify::Result<_>| {
                    if event.as_ref().is_ok_and(|event: &notify::Event| event.kind.is_access()) {
                        return;
                    }
                    if event.map_or(true, |event| places.are_named_by(&event)) {
                        named.store(true, Relaxed);
                    }
                    change.try_send(()).unwrap_or_default();
                })?)
            }
        };
        // Unwatch all before watching any: two paths may lead to one folder, which is watched once.
        for folder in std::mem::take(&mut self.watched) {
            // A deleted folder is no longer watched anyway.
            watcher.unwatch(&folder).unwrap_or_default();
        }
        let mut all = Ok(());
        for folder in self.places.watched() {
            match watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(folder);
                }
                Err(error) => all = Err(error),
            }
        }
        all
    }

    /// Completes when files may have changed since [`Self::begin`] and their folders are quiet, or
    /// after some seconds if something beside them is never quiet.
    pub(super) async fn changed(&mut self) {
        loop {
            tokio::select! {
                _ = self.changes.recv() => {}
                () = sleep(LOOK) => {}
            }
            let quiet = async { while timeout(QUIET, self.changes.recv()).await.is_ok() {} };
            tokio::select! {
                () = quiet => {}
                () = sleep(NOISE) => {}
            }
            // A file that replaces another may get its name through a link.
            if self.named.swap(false, Relaxed) || differ(&self.places, &self.seen).await {
                return;
            }
        }
    }
}

/// Whether a poll finds a difference from `seen`.
async fn differ(places: &Arc<FollowedPaths>, seen: &FileSnapshot) -> bool {
    let places = Arc::clone(places);
    // The disk may hang. The thread that accepts and drains must not.
    tokio::task::spawn_blocking(move || places.look()).await.is_ok_and(|now| now != *seen)
}

/// Returns the devices and inodes of the standard output and the standard error, if they are files.
fn log_files() -> Vec<(u64, u64)> {
    let facts = [rustix::fs::fstat(io::stdout().as_fd()), rustix::fs::fstat(io::stderr().as_fd())];
    facts.into_iter().flatten().map(|facts| (facts.st_dev, facts.st_ino)).collect()
}

impl FollowedPaths {
    /// The folders in which a change counts. Files are watched through their folders: an
    /// editor and Kubernetes put a new file in the place of the old one.
    fn watched(&self) -> BTreeSet<PathBuf> {
        let parent = |file: &PathBuf| match file.parent() {
            Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
            Some(parent) => parent.to_owned(),
            None => PathBuf::from("/"),
        };
        // Manifests that are a file, or do not exist, are watched through their parent alone.
        let is_folder = |path: &&PathBuf| !self.files.contains(path) || path.is_dir();
        let folders = self.folders.iter().filter(is_folder).cloned();
        self.files.iter().map(parent).chain(folders).collect()
    }

    /// Whether an event of the system is about one of the files, or may be about any.
    fn are_named_by(&self, event: &notify::Event) -> bool {
        let names = |path: &PathBuf| {
            let is_inside = self.folders.iter().any(|folder| path.parent() == Some(folder));
            self.files.iter().any(|file| ends_alike(file, path))
                || (is_inside && !self.is_log(facts(path)))
        };
        event.need_rescan() || event.paths.is_empty() || event.paths.iter().any(names)
    }

    /// Whether a file is one that this process logs to.
    fn is_log(&self, facts: PathFacts) -> bool {
        facts.is_some_and(|(device, inode, ..)| self.log.contains(&(device, inode)))
    }

    fn look(&self) -> FileSnapshot {
        let inside = self.folders.iter().flat_map(std::fs::read_dir).flatten().flatten();
        let inside: BTreeSet<PathBuf> = inside.map(|entry| entry.path()).collect();
        let folders = self.watched().into_iter();
        let seen = |path: PathBuf| {
            let facts = facts(&path);
            (path, facts)
        };
        let inside = inside.into_iter().map(seen).filter(|(_, facts)| !self.is_log(*facts));
        folders.chain(self.files.iter().cloned()).map(seen).chain(inside).collect()
    }
}

/// Whether two paths have one name in one folder. The folder of a bare name may be `.` or empty.
fn ends_alike(one: &Path, other: &Path) -> bool {
    let folder = |path: &Path| path.parent().unwrap_or(Path::new("")).join(".");
    one.file_name() == other.file_name() && folder(one) == folder(other)
}

fn facts(path: &Path) -> PathFacts {
    let is = std::fs::metadata(path).ok()?;
    let times = [is.mtime(), is.mtime_nsec(), is.ctime(), is.ctime_nsec()];
    Some((is.dev(), is.ino(), is.size(), times))
}
