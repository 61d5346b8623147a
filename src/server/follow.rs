//! Whether files may have changed: the system tells it of the folders they are in, and
//! looking at them tells what the system does not. It follows a folder, not its path, so
//! that another one in its place goes unseen, and on a network's volumes it tells nothing.
//!
//! A log beside the files changes all the time. Such a change makes the server look at the files,
//! and not read them.

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

/// How long files must be quiet before they are read: writers write more than once.
const QUIET: Duration = Duration::from_millis(200);

/// How long they are waited for at most: something else in their folder may never be quiet.
const NOISE: Duration = Duration::from_secs(2);

/// How often they are looked at.
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
    /// Whether the system has named one of the files since the last look.
    named: Arc<AtomicBool>,
}

/// The paths of the followed files.
#[derive(Debug)]
struct FollowedPaths {
    files: Vec<PathBuf>,
    /// The folders of which every file counts, except the log's own. One may be a file, of which
    /// nothing more counts than of the others.
    folders: Vec<PathBuf>,
    /// The devices and inodes of the files that this process logs to.
    log: Vec<(u64, u64)>,
}

/// The device, inode, size and change times of a file; [`None`] where no file is.
pub(super) type PathFacts = Option<(u64, u64, u64, [i64; 4])>;

/// The files that one look found.
pub(super) type FileSnapshot = Vec<(PathBuf, PathFacts)>;

impl FollowedFiles {
    pub(super) fn new(files: Vec<PathBuf>, folders: Vec<PathBuf>) -> Self {
        // One change more or less in a full channel makes no difference.
        let (change, changes) = mpsc::channel(1);
        let places = Arc::new(FollowedPaths { files, folders, log: log_files() });
        let (seen, watched) = (FileSnapshot::new(), BTreeSet::new());
        let named = Arc::default();
        Self { places, seen, watcher: None, watched, changes, change, named }
    }

    /// Looks at the files as they are now, and has the system tell of what becomes of them
    /// from here on. Blocks.
    pub(super) fn begin(&mut self) {
        if let Err(error) = self.watch() {
            tracing::warn!(%error, "files are not watched, but looked at every few seconds");
        }
        self.look();
    }

    /// Looks at the files as they are now. Blocks.
    pub(super) fn look(&mut self) {
        self.seen = self.places.look();
    }

    /// Returns what was seen of the files at the last look: not of their folders, in which others
    /// come and go.
    pub(super) fn files(&self) -> FileSnapshot {
        let folders = self.places.watched();
        self.seen.iter().filter(|(path, _)| !folders.contains(path)).cloned().collect()
    }

    /// Watches the folders that are at their paths now: those watched before may be others.
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
        // All before any: two paths may lead to one folder, which is watched once.
        for folder in std::mem::take(&mut self.watched) {
            // One that is gone is watched no longer anyway.
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

    /// Completes when files may have changed since [`Self::begin`], and have been quiet, or
    /// some seconds have passed in which something beside them never was.
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
            // A file in the place of another may have its name through a link.
            if self.named.swap(false, Relaxed) || differ(&self.places, &self.seen).await {
                return;
            }
        }
    }
}

/// Whether a look finds something else than was seen.
async fn differ(places: &Arc<FollowedPaths>, seen: &FileSnapshot) -> bool {
    let places = Arc::clone(places);
    // The disk may hang: what accepts and drains must not.
    tokio::task::spawn_blocking(move || places.look()).await.is_ok_and(|now| now != *seen)
}

/// Returns the devices and inodes of the files that the standard output and the standard error
/// are.
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
        // Manifests that are a file, or are not there, are watched through their parent alone.
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
