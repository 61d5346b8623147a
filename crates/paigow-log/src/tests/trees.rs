//! The tree in tiles, against published values and another implementation.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use paigow_fairness::merkle::{MerkleTree, leaf_hash, root_of_path};

use super::*;
use crate::{LogTree, TreeEdge};

/// Writes a tree of leaves, without entries.
fn write(leaves: &[Hash]) -> (MemoryLog, TreeEdge) {
    let (store, mut edge) = (MemoryLog::default(), TreeEdge::default());
    for leaf in leaves {
        edge.push(*leaf, |name, bytes| store.put(&name, &bytes).unwrap());
    }
    store.write(&edge.new_partial_tiles(0).collect::<Vec<_>>()).unwrap();
    (store, edge)
}

fn leaves(count: u32) -> Vec<Hash> {
    (0..count).map(|n| leaf_hash(&n.to_be_bytes())).collect()
}

#[test]
fn the_roots_are_those_of_the_tests_of_certificate_transparency() {
    // The inputs and roots of certificate-transparency, merkletree/merkle_tree_test.cc.
    let inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"];
    let inputs = inputs.into_iter().chain(["606162636465666768696a6b6c6d6e6f"]);
    let roots = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];
    let mut edge = TreeEdge::default();
    assert_eq!(edge.root(), Hash::of(b""));
    for (input, root) in inputs.zip(roots) {
        let input: Vec<u8> = input
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        edge.push(leaf_hash(&input), |_, _| panic!("no tile is full"));
        assert_eq!(edge.root().to_string(), root);
    }
}

#[test]
fn the_tiles_are_those_that_the_specification_names() {
    // C2SP tlog-tiles, "Partial Tiles".
    let (store, edge) = write(&leaves(70_000));
    let names: BTreeSet<String> = store.objects.borrow().keys().cloned().collect();
    let full = (0..273).map(|n| format!("tile/0/{n:03}"));
    let more = ["tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17", "tile/2/000.p/1"];
    assert_eq!(names, full.chain(more.map(str::to_owned)).collect());
    assert_eq!(edge.root(), root(&leaves(70_000)));
    let (store, _) = write(&leaves(256));
    let names: Vec<String> = store.objects.borrow().keys().cloned().collect();
    assert_eq!(names, ["tile/0/000", "tile/1/000.p/1"]);
    // "index 1234067 will be encoded as x001/x234/067".
    assert_eq!(crate::tree::last_bundle(1_234_068 * 256).unwrap(), "tile/entries/x001/x234/067");
    assert_eq!(
        crate::tree::last_bundle(1_234_067 * 256 + 9).unwrap(),
        "tile/entries/x001/x234/067.p/9"
    );
    assert_eq!(crate::tree::last_bundle(0), None);
}

#[test]
fn paths_roots_and_leaves_are_those_of_another_implementation() {
    for count in [1, 2, 255, 256, 257, 511, 700, 65_536, 66_000] {
        let leaves = leaves(count);
        let (store, edge) = write(&leaves);
        let size = u64::from(count);
        assert_eq!((edge.size(), edge.root()), (size, root(&leaves)));
        let read = TreeEdge::read(&store, size, &root(&leaves)).unwrap();
        assert_eq!(read.root(), edge.root());
        let tree = LogTree::new(&store, size, root(&leaves));
        for earlier in [0, 1, 100, 255, 256, 257, 300, 65_535, count - 1, count] {
            let (at, Ok(length)) = (u64::from(earlier), usize::try_from(earlier)) else { panic!() };
            if earlier > count {
                assert!(tree.root_at(at).is_err() && tree.consistency(at).is_err());
                continue;
            }
            assert_eq!(tree.root_at(at).unwrap(), root(&leaves[..length]), "{earlier} of {count}");
            let other = MerkleTree::new(leaves[..length].to_vec());
            for index in [0, 1, 254, 255, 256, 400, length.saturating_sub(1)] {
                let place = u64::try_from(index).unwrap();
                let path = tree.path(place, at);
                if index >= length {
                    assert!(path.is_err());
                    continue;
                }
                let path = path.unwrap();
                assert_eq!(Some(&path), other.path(index).as_ref());
                let reached = root_of_path(leaves[index], place, at, &path);
                assert_eq!(reached, Some(root(&leaves[..length])));
            }
        }
        let middle = size / 2;
        let half = usize::try_from(middle).unwrap();
        assert_eq!(tree.leaves(middle..size).unwrap(), leaves[half..]);
        assert!(tree.leaves(0..size + 1).is_err());
        let wanted = BTreeSet::from([leaves[0], leaves[half], Hash::ZERO]);
        let found = tree.find(&wanted).unwrap();
        assert_eq!(
            found.into_iter().collect::<BTreeSet<_>>(),
            [(leaves[0], 0), (leaves[half], middle)].into()
        );
    }
}

#[test]
fn a_tile_that_is_missing_or_changed_is_refused() {
    let leaves = leaves(700);
    let (store, _) = write(&leaves);
    let good = root(&leaves);
    assert!(TreeEdge::read(&store, 700, &Hash::ZERO).is_err());
    assert!(LogTree::new(&store, 700, Hash::ZERO).leaves(0..1).is_err());
    let names: Vec<String> = store.objects.borrow().keys().cloned().collect();
    assert_eq!(names, ["tile/0/000", "tile/0/001", "tile/0/002.p/188", "tile/1/000.p/2"]);
    for (name, read) in names.iter().zip([0..256, 256..512, 512..700, 0..700]) {
        let bytes = store.objects.borrow()[name].clone();
        let mut flipped = bytes.clone();
        flipped[40] ^= 1;
        for broken in [Some(flipped), Some(bytes[..31].to_vec()), None] {
            match broken {
                Some(broken) => drop(store.objects.borrow_mut().insert(name.clone(), broken)),
                None => drop(store.objects.borrow_mut().remove(name)),
            }
            let tree = LogTree::new(&store, 700, good);
            let read = tree.leaves(read.clone()).map(|leaves| leaves.len());
            let Err(error) = read else { panic!("{name} was taken") };
            assert!(matches!(error, LogError::Broken(_)), "{name}: {error}");
            let is_edge = name.contains(".p/");
            assert_eq!(TreeEdge::read(&store, 700, &good).is_err(), is_edge, "{name}");
        }
        store.objects.borrow_mut().insert(name.clone(), bytes);
    }
    assert_eq!(LogTree::new(&store, 700, good).leaves(0..700).unwrap(), leaves);
}

#[test]
fn a_partial_tile_that_was_removed_is_read_from_the_full_one() {
    let (store, _) = write(&leaves(300));
    let older = root(&leaves(300));
    let (newer, _) = write(&leaves(600));
    let tree = LogTree::new(&newer, 300, older);
    let error = tree.leaves(0..300).unwrap_err();
    assert!(error.to_string().contains("tile/1/000.p/1 is not in the log"), "{error}");
    // A log may keep some partial tiles and remove others.
    let kept = store.objects.borrow()["tile/1/000.p/1"].clone();
    newer.put("tile/1/000.p/1", &kept).unwrap();
    assert_eq!(tree.leaves(0..300).unwrap(), leaves(300));
    assert!(TreeEdge::read(&newer, 300, &older).is_ok());
}

#[test]
fn entries_are_verified_one_by_one() {
    let entries: Vec<Vec<u8>> = (0..600_u32).map(|n| vec![7; n.try_into().unwrap()]).collect();
    let leaves: Vec<Hash> = entries.iter().map(|entry| leaf_hash(entry)).collect();
    let (store, _) = write(&leaves);
    for (at, bundle) in entries.chunks(256).enumerate() {
        let bytes: Vec<u8> = bundle
            .iter()
            .flat_map(|entry| {
                [&u16::try_from(entry.len()).unwrap().to_be_bytes()[..], entry].concat()
            })
            .collect();
        let end = if bundle.len() < 256 { format!(".p/{}", bundle.len()) } else { String::new() };
        store.put(&format!("tile/entries/{at:03}{end}"), &bytes).unwrap();
    }
    let tree = LogTree::new(&store, 600, root(&leaves));
    let read = |from: u64, to: u64| {
        let mut read = Vec::new();
        let taken = tree.entries(from..to, |index, entry| {
            read.push((index, entry.len()));
            ControlFlow::Continue(())
        });
        taken.map(|()| read)
    };
    for (from, to) in [(0, 600), (0, 1), (255, 257), (300, 300), (513, 599)] {
        let expected: Vec<(u64, usize)> = (from..to).map(|n| (n, n.try_into().unwrap())).collect();
        assert_eq!(read(from, to).unwrap(), expected);
    }
    let mut first = Vec::new();
    let stop = |index, _: &[u8]| {
        first.push(index);
        if index == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    tree.entries(0..600, stop).unwrap();
    assert_eq!(first, [0, 1, 2]);
    assert!(read(0, 601).is_err());
    let name = "tile/entries/001".to_owned();
    let bytes = store.objects.borrow()[&name].clone();
    let mut flipped = bytes.clone();
    flipped[300] ^= 1;
    for broken in [flipped, bytes[..bytes.len() - 1].to_vec(), [&bytes[..], &[0]].concat()] {
        store.objects.borrow_mut().insert(name.clone(), broken);
        let error = read(0, 600).unwrap_err();
        assert!(error.to_string().contains("tile/entries/001"), "{error}");
        assert_eq!(read(0, 256).unwrap().len(), 256);
    }
}
