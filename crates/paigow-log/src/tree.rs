//! The tree of a log in tiles (RFC 9162, C2SP `tlog-tiles`).

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Display};
use std::ops::{ControlFlow, Range};

use paigow_fairness::encoding::Hash;
use paigow_fairness::merkle::leaf_hash;
use tlog_tiles::{
    EMPTY_HASH, Error, HASH_SIZE, Hash as TileHash, HashReader, Tile, node_hash, prove_record,
    prove_tree, stored_hash_index, tree_hash,
};

use crate::{LogError, LogStore};

/// The height of a tile.
const HEIGHT: u8 = 8;

/// How many hashes or entries a full tile has.
pub(crate) const WIDTH: u64 = 1 << HEIGHT;

/// How many leaves are read at once.
const LEAVES_AT_ONCE: u64 = 16 * WIDTH;

/// Returns the name of a tile.
fn tile_name(tile: Tile) -> String {
    // The library writes the height too, and "data" for entries.
    tile.path().replacen("tile/8/data/", "tile/entries/", 1).replacen("tile/8/", "tile/", 1)
}

/// Returns the tile that a tree of this size has at a place of a level; [`None`] if it has none.
fn tile_at(size: u64, level: u8, index: u64) -> Option<Tile> {
    let width = (size >> (HEIGHT * level)).checked_sub(index * WIDTH)?.min(WIDTH);
    let width = u32::try_from(width).ok().filter(|width| *width > 0)?;
    Some(Tile::new(HEIGHT, level, index, width, false))
}

/// Returns the bundle of entries beside a tile of leaves.
fn bundle(mut tile: Tile) -> Tile {
    tile.set_is_data();
    tile
}

/// Returns the tiles at the right edge of a tree that are not full, the lowest first.
fn edge_tiles(size: u64) -> impl Iterator<Item = Tile> {
    let levels = (0..HEIGHT).take_while(move |level| size >> (HEIGHT * level) > 0);
    levels.filter_map(move |level| {
        let tile = tile_at(size, level, size >> (HEIGHT * level) >> HEIGHT)?;
        (u64::from(tile.width()) < WIDTH).then_some(tile)
    })
}

/// Returns the folder of the partial forms of a tile.
fn partial_folder(tile: Tile) -> String {
    let full = Tile::new(HEIGHT, tile.level(), tile.level_index(), 1 << HEIGHT, tile.is_data());
    tile_name(full) + ".p"
}

/// Splits a bundle into entries: each has its length before it, 16 bits, the highest first.
fn split_bundle(mut bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut entries = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<2>() {
        let (entry, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
        entries.push(entry);
        bytes = rest;
    }
    bytes.is_empty().then_some(entries)
}

/// Reads tiles or bundles. The full form takes the place of a partial one that was removed.
fn read_tiles(store: &dyn LogStore, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, LogError> {
    let names: Vec<String> = tiles.iter().copied().map(tile_name).collect();
    let found = store.read(&names)?;
    let read = |(tile, found): (&Tile, Option<Vec<u8>>)| {
        let width = usize::try_from(tile.width()).unwrap_or(usize::MAX);
        let folder = partial_folder(*tile);
        let full = folder.trim_end_matches(".p");
        let bytes = match found {
            Some(bytes) => Some(bytes),
            None if u64::from(tile.width()) < WIDTH => store.read_one(full)?,
            None => None,
        };
        let missing = || LogError::Broken(format!("{} is not in the log", tile_name(*tile)));
        let mut bytes = bytes.ok_or_else(missing)?;
        if !tile.is_data() {
            bytes.truncate(width * HASH_SIZE);
            if bytes.len() < width * HASH_SIZE {
                let what = format!("{} has fewer than {width} hashes", tile_name(*tile));
                return Err(LogError::Broken(what));
            }
        }
        Ok(bytes)
    };
    tiles.iter().zip(found).map(read).collect()
}

/// Returns the entries of a bundle that hash to these leaves.
fn entries_of<'b>(bytes: &'b [u8], leaves: &[Hash]) -> Option<Vec<&'b [u8]>> {
    let mut entries = split_bundle(bytes)?;
    // A full bundle may stand for a partial one.
    entries.truncate(leaves.len());
    let are_leaves = entries.iter().map(|entry| leaf_hash(entry)).eq(leaves.iter().copied());
    are_leaves.then_some(entries)
}

/// The right edge of a tree: the part that appending needs.
#[derive(Clone, Debug, Default)]
pub struct TreeEdge {
    size: u64,
    /// The hashes of the tile of each level that is not full.
    levels: Vec<Vec<u8>>,
}

impl TreeEdge {
    /// Reads the edge of a tree.
    ///
    /// # Errors
    ///
    /// If a tile cannot be read, or the tiles do not give the root.
    pub fn read(store: &dyn LogStore, size: u64, root: &Hash) -> Result<Self, LogError> {
        let tiles: Vec<Tile> = edge_tiles(size).collect();
        let mut edge = Self { size, levels: Vec::new() };
        for (tile, bytes) in tiles.iter().zip(read_tiles(store, &tiles)?) {
            edge.levels.resize(usize::from(tile.level()) + 1, Vec::new());
            edge.levels[usize::from(tile.level())] = bytes;
        }
        if edge.root() != *root {
            let what = format!("the tiles do not give the root of the tree of {size} entries");
            return Err(LogError::Broken(what));
        }
        Ok(edge)
    }

    /// Returns how many leaves the tree has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf, and hands on the name and the hashes of each tile that it fills.
    pub fn push(&mut self, leaf: Hash, mut full: impl FnMut(String, Vec<u8>)) {
        let (mut hash, mut place) = (TileHash(*leaf.as_bytes()), self.size);
        self.size += 1;
        for level in 0..HEIGHT {
            let at = usize::from(level);
            if self.levels.len() == at {
                self.levels.push(Vec::new());
            }
            let tile = &mut self.levels[at];
            tile.extend_from_slice(&hash.0);
            if tile.len() < HASH_SIZE << HEIGHT {
                return;
            }
            hash = Tile::subtree_hash(tile);
            let name = tile_name(Tile::new(HEIGHT, level, place >> HEIGHT, 1 << HEIGHT, false));
            full(name, std::mem::replace(tile, Vec::with_capacity(HASH_SIZE << HEIGHT)));
            place >>= HEIGHT;
        }
    }

    /// Returns the tiles that are not full, with their hashes.
    fn partial_tiles(&self) -> impl Iterator<Item = (Tile, &[u8])> {
        let full = self.levels.iter().zip(0..).filter(|(bytes, _)| !bytes.is_empty());
        full.filter_map(|(bytes, level)| {
            let width = u32::try_from(bytes.len() / HASH_SIZE).ok()?;
            let index = self.size >> (HEIGHT * level) >> HEIGHT;
            Some((Tile::new(HEIGHT, level, index, width, false), &bytes[..]))
        })
    }

    /// Returns the names and the hashes of the tiles that are not full and that the tree of an
    /// earlier size does not have.
    pub fn new_partial_tiles(&self, before: u64) -> impl Iterator<Item = (String, Vec<u8>)> {
        let is_new = move |tile: Tile| {
            let shift = HEIGHT * tile.level();
            before >> shift != self.size >> shift
        };
        let tiles = self.partial_tiles().filter(move |(tile, _)| is_new(*tile));
        tiles.map(|(tile, bytes)| (tile_name(tile), bytes.to_vec()))
    }

    /// Returns the hash of the tree.
    #[must_use]
    pub fn root(&self) -> Hash {
        let mut root: Option<TileHash> = None;
        // From the smallest subtree, at the right, to the largest: the binary digits of the size.
        for mut bytes in self.levels.iter().map(Vec::as_slice) {
            while !bytes.is_empty() {
                let width = (bytes.len() / HASH_SIZE) & (bytes.len() / HASH_SIZE).wrapping_neg();
                let (left, subtree) = bytes.split_at(bytes.len() - width * HASH_SIZE);
                let hash = Tile::subtree_hash(subtree);
                root = Some(root.map_or(hash, |right| node_hash(hash, right)));
                bytes = left;
            }
        }
        Hash::from_bytes(root.unwrap_or(EMPTY_HASH).0)
    }
}

/// Returns the name of the bundle of the last entries of a tree.
pub(crate) fn last_bundle(size: u64) -> Option<String> {
    let tile = tile_at(size, 0, size.checked_sub(1)? / WIDTH)?;
    Some(tile_name(bundle(tile)))
}

/// Returns the folders of partial tiles that are full in a later tree.
pub(crate) fn outgrown(before: u64, size: u64) -> impl Iterator<Item = String> {
    let is_full = move |tile: &Tile| {
        let full = tile_at(size, tile.level(), tile.level_index());
        full.is_some_and(|full| u64::from(full.width()) == WIDTH)
    };
    edge_tiles(before).filter(is_full).flat_map(|tile| {
        let entries = (tile.level() == 0).then(|| partial_folder(bundle(tile)));
        [partial_folder(tile)].into_iter().chain(entries)
    })
}

/// The place of a tile: its level, and its number within the level.
type TilePlace = (u8, u64);

/// Returns the place of the tile that has the hash of a full tile.
const fn parent((level, index): TilePlace) -> TilePlace {
    (level + 1, index >> HEIGHT)
}

/// The tree of a checkpoint. All that it returns is verified against the root.
#[derive(Debug)]
pub struct LogTree<'s> {
    store: &'s dyn LogStore,
    size: u64,
    root: Hash,
    /// Verified tiles: those at the edge, and those above the leaves that were read.
    known: RefCell<BTreeMap<TilePlace, Vec<u8>>>,
    /// The reason why reading tiles failed. The library's errors have no place for it.
    failed: RefCell<Option<LogError>>,
}

impl<'s> LogTree<'s> {
    /// Makes the tree of a size and a root that the caller has verified.
    #[must_use]
    pub fn new(store: &'s dyn LogStore, size: u64, root: Hash) -> Self {
        let (known, failed) = (RefCell::default(), RefCell::default());
        Self { store, size, root, known, failed }
    }

    /// Returns how many leaves the tree has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Reads tiles of the tree. The root verifies those at the edge, and each other one is verified
    /// by its hash in the tile above it.
    ///
    /// The reader of the library is not used: of the tiles below the edge it leaves some unverified.
    fn tiles(
        &self,
        wanted: &BTreeSet<TilePlace>,
    ) -> Result<BTreeMap<TilePlace, Vec<u8>>, LogError> {
        let mut known = self.known.borrow_mut();
        if known.is_empty() {
            let edge = TreeEdge::read(self.store, self.size, &self.root)?;
            let tiles = edge.partial_tiles();
            known.extend(tiles.map(|(tile, at)| ((tile.level(), tile.level_index()), at.to_vec())));
        }
        let mut missing = BTreeSet::new();
        for &place in wanted {
            if tile_at(self.size, place.0, place.1).is_none() {
                return Err(self.broken(&"it has no such tile"));
            }
            // The highest level has a tile at the edge.
            let mut place = place;
            while !known.contains_key(&place) && missing.insert(place) {
                place = parent(place);
            }
        }
        // The highest level first: a tile is verified before those below it.
        let missing: Vec<TilePlace> = missing.into_iter().rev().collect();
        let full = |(level, index)| Tile::new(HEIGHT, level, index, 1 << HEIGHT, false);
        let tiles: Vec<Tile> = missing.iter().copied().map(full).collect();
        let mut found = BTreeMap::new();
        for (place, bytes) in missing.into_iter().zip(read_tiles(self.store, &tiles)?) {
            let above = known.get(&parent(place)).map_or(&[][..], Vec::as_slice);
            let at = usize::try_from(place.1 % WIDTH).unwrap_or(usize::MAX);
            let hash = above.as_chunks::<HASH_SIZE>().0.get(at);
            if hash != Some(&Tile::subtree_hash(&bytes).0) {
                let name = tile_name(full(place));
                return Err(self.broken(&format!("{name} is not a tile of it")));
            }
            let kept = if place.0 == 0 { &mut found } else { &mut *known };
            kept.insert(place, bytes);
        }
        for place in wanted {
            if let Some(bytes) = known.get(place) {
                found.insert(*place, bytes.clone());
            }
        }
        Ok(found)
    }

    fn broken(&self, what: &dyn Display) -> LogError {
        LogError::Broken(format!("the tree of {} entries: {what}", self.size))
    }

    /// Lets the library read hashes of this tree.
    fn with<T>(&self, read: impl FnOnce(&Self) -> Result<T, Error>) -> Result<T, LogError> {
        read(self).map_err(|error| self.failed.take().unwrap_or_else(|| self.broken(&error)))
    }

    /// Returns the hashes of leaves.
    ///
    /// # Errors
    ///
    /// If a tile cannot be read or is not of this tree, or the range is not in it.
    pub fn leaves(&self, range: Range<u64>) -> Result<Vec<Hash>, LogError> {
        if range.end > self.size {
            return Err(self.broken(&format!("it has no leaf {}", range.end - 1)));
        }
        let mut leaves = Vec::new();
        let mut from = range.start;
        while from < range.end {
            let end = (from / LEAVES_AT_ONCE * LEAVES_AT_ONCE + LEAVES_AT_ONCE).min(range.end);
            let places = (from / WIDTH..end.div_ceil(WIDTH)).map(|index| (0, index)).collect();
            for ((_, index), bytes) in self.tiles(&places)? {
                let hashes = bytes.as_chunks().0.iter().map(|hash| Hash::from_bytes(*hash));
                let placed = (index * WIDTH..).zip(hashes);
                leaves.extend(
                    placed.filter(|(at, _)| (from..end).contains(at)).map(|(_, leaf)| leaf),
                );
            }
            from = end;
        }
        Ok(leaves)
    }

    /// Hands on entries with their places until `take` ends it.
    ///
    /// # Errors
    ///
    /// If a tile or a bundle cannot be read or is not of this tree, or the range is not in it.
    pub fn entries(
        &self,
        range: Range<u64>,
        mut take: impl FnMut(u64, &[u8]) -> ControlFlow<()>,
    ) -> Result<(), LogError> {
        if range.end > self.size {
            return Err(self.broken(&format!("it has no entry {}", range.end - 1)));
        }
        let mut from = range.start;
        while from < range.end {
            let first = from / WIDTH * WIDTH;
            let end = (first / LEAVES_AT_ONCE * LEAVES_AT_ONCE + LEAVES_AT_ONCE).min(range.end);
            let whole = end.next_multiple_of(WIDTH).min(self.size);
            let leaves = self.leaves(first..whole)?;
            let tiles: Vec<Tile> = (first / WIDTH..whole.div_ceil(WIDTH))
                .filter_map(|index| tile_at(self.size, 0, index).map(bundle))
                .collect();
            let bundles = read_tiles(self.store, &tiles)?;
            let chunks = leaves.chunks(1 << HEIGHT);
            for ((tile, bytes), leaves) in tiles.iter().zip(&bundles).zip(chunks) {
                let entries = entries_of(bytes, leaves).ok_or_else(|| {
                    let name = tile_name(*tile);
                    LogError::Broken(format!("{name}: its entries are not the leaves of the tree"))
                })?;
                for (index, entry) in (tile.level_index() * WIDTH..).zip(entries) {
                    if (from..end).contains(&index) && take(index, entry).is_break() {
                        return Ok(());
                    }
                }
            }
            from = end;
        }
        Ok(())
    }

    /// Returns the hash of an earlier tree: that of its first `size` leaves. Two checkpoints are
    /// consistent if the later tree gives the root of the earlier one.
    ///
    /// # Errors
    ///
    /// If a tile cannot be read or is not of this tree, or the size is above that of this tree.
    pub fn root_at(&self, size: u64) -> Result<Hash, LogError> {
        if size == self.size {
            return Ok(self.root);
        }
        let hash = self.with(|tree| tree_hash(size, tree))?;
        Ok(Hash::from_bytes(hash.0))
    }

    /// Returns the proof that the tree goes on from an earlier one (RFC 9162, section 2.1.4): empty
    /// for a size of 0.
    ///
    /// # Errors
    ///
    /// As [`LogTree::root_at`].
    pub fn consistency(&self, size: u64) -> Result<Vec<Hash>, LogError> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let proof = self.with(|tree| prove_tree(self.size, size, tree))?;
        Ok(proof.into_iter().map(|hash| Hash::from_bytes(hash.0)).collect())
    }

    /// Returns the path from a leaf to the root of the tree of a size, the lowest hash first
    /// (RFC 9162, section 2.1.3).
    ///
    /// # Errors
    ///
    /// As [`LogTree::root_at`]; if the leaf is not in that tree.
    pub fn path(&self, index: u64, size: u64) -> Result<Vec<Hash>, LogError> {
        let path = self.with(|tree| prove_record(size, index, tree))?;
        Ok(path.into_iter().map(|hash| Hash::from_bytes(hash.0)).collect())
    }

    /// Returns the places of leaves, as far as the tree has them. It looks from the newest leaf on,
    /// until all are found.
    ///
    /// # Errors
    ///
    /// If a tile cannot be read or is not of this tree.
    pub fn find(&self, wanted: &BTreeSet<Hash>) -> Result<BTreeMap<Hash, u64>, LogError> {
        let mut found = BTreeMap::new();
        let mut end = self.size;
        while end > 0 && found.len() < wanted.len() {
            let from = (end - 1) / LEAVES_AT_ONCE * LEAVES_AT_ONCE;
            for (index, leaf) in (from..).zip(self.leaves(from..end)?) {
                if wanted.contains(&leaf) {
                    found.entry(leaf).or_insert(index);
                }
            }
            end = from;
        }
        Ok(found)
    }
}

/// Reads the last entries of a tree, those behind its last full bundle, as a bundle has them.
pub(crate) fn read_last_bundle(store: &dyn LogStore, edge: &TreeEdge) -> Result<Vec<u8>, LogError> {
    let Some((tile, hashes)) = edge.partial_tiles().next().filter(|(tile, _)| tile.level() == 0)
    else {
        return Ok(Vec::new());
    };
    let tile = bundle(tile);
    let leaves: Vec<Hash> =
        hashes.as_chunks().0.iter().map(|hash| Hash::from_bytes(*hash)).collect();
    let mut bytes = read_tiles(store, &[tile])?.pop().unwrap_or_default();
    let entries = entries_of(&bytes, &leaves).ok_or_else(|| {
        let name = tile_name(tile);
        LogError::Broken(format!("{name}: its entries are not the leaves of the tree"))
    })?;
    let length = entries.iter().map(|entry| entry.len() + 2).sum();
    bytes.truncate(length);
    Ok(bytes)
}

/// The library reads hashes through this.
impl HashReader for LogTree<'_> {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<TileHash>, Error> {
        if indexes.iter().any(|index| *index >= stored_hash_index(0, self.size)) {
            return Err(Error::IndexesNotInTree);
        }
        let tiles: Vec<Tile> = indexes.iter().map(|at| Tile::from_index(HEIGHT, *at)).collect();
        let place = |tile: &Tile| (tile.level(), tile.level_index());
        let read = self.tiles(&tiles.iter().map(place).collect()).map_err(|error| {
            self.failed.replace(Some(error));
            Error::InvalidTile
        })?;
        let hash = |(tile, index): (&Tile, &u64)| tile.hash_at_index(&read[&place(tile)], *index);
        tiles.iter().zip(indexes).map(hash).collect()
    }
}
