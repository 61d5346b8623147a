//! Any damage to the lines is found, and none makes the reader fail.

use std::fs;
use std::sync::{LazyLock, Mutex};

use paigow_evidence::EvidenceLine;
use paigow_evidence::verify::EvidenceVerifier;
use proptest::prelude::*;

use crate::evidence::replica::{boot_id, lines_of};
use crate::evidence::two_boots::Evidence;

/// One sink for all cases, put right after each.
static EVIDENCE: LazyLock<Mutex<Evidence>> = LazyLock::new(|| Mutex::new(Evidence::new()));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_changed_byte_is_found_and_its_line_named(at in 0usize..1 << 20, to in any::<u8>()) {
        let evidence = EVIDENCE.lock().unwrap();
        // Any line but the last of the last boot, which nothing follows.
        let seq = (at % 16) as u64;
        let place = evidence.at(seq);
        let before = fs::read(&place.file).unwrap();
        let mut changed = true;
        evidence.change(seq, |lines, i| {
            let byte = at / 16 % lines[i].len();
            changed = std::mem::replace(&mut lines[i][byte], to) != to;
        });
        let report = evidence.report();
        fs::write(&place.file, before).unwrap();
        let named = report.faults.iter().any(|fault| {
            fault.boot == Some(boot_id(1)) && fault.seq == Some(seq)
        });
        prop_assert_eq!(named, changed, "{:#?}", report.faults);
    }
}

/// A kind of damage to the lines of a boot.
#[derive(Clone, Debug)]
enum Befalls {
    Drop(usize),
    /// A copy of the first is put before the second.
    Repeat(usize, usize),
    Swap(usize, usize),
    Truncate(usize),
}

fn befalls() -> impl Strategy<Value = Befalls> {
    let at = 0usize..17;
    prop_oneof![
        at.clone().prop_map(Befalls::Drop),
        (at.clone(), at.clone()).prop_map(|(i, j)| Befalls::Repeat(i, j)),
        (at.clone(), at.clone()).prop_map(|(i, j)| Befalls::Swap(i, j)),
        at.prop_map(Befalls::Truncate),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn any_rearrangement_but_a_cut_tail_is_found(
        befalls in prop::collection::vec(befalls(), 0..5),
    ) {
        let evidence = EVIDENCE.lock().unwrap();
        let all: Vec<Vec<u8>> =
            evidence.files_of(1).iter().flat_map(|file| lines_of(file)).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        for befalls in befalls {
            match befalls {
                Befalls::Drop(i) if i < order.len() => drop(order.remove(i)),
                Befalls::Repeat(i, j) if i.max(j) < order.len() => order.insert(j, order[i]),
                Befalls::Swap(i, j) if i.max(j) < order.len() => order.swap(i, j),
                Befalls::Truncate(length) => order.truncate(length),
                Befalls::Drop(_) | Befalls::Repeat(..) | Befalls::Swap(..) => {}
            }
        }
        let mut verifier = EvidenceVerifier::default();
        verifier.begin_file("captured");
        for i in &order {
            verifier.line(&all[*i][..all[*i].len() - 1], true);
        }
        let report = verifier.finish();
        let is_beginning = order.iter().copied().eq(0..order.len());
        prop_assert_eq!(report.faults.is_empty(), is_beginning, "{:?}: {:#?}", order, report);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_line_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        inserted in "[ -~]{0,8}",
        at in 0usize..1 << 16,
    ) {
        let evidence = EVIDENCE.lock().unwrap();
        let mut verifier = EvidenceVerifier::default();
        verifier.begin_file("captured");
        verifier.line(&bytes, true);
        prop_assert_eq!(verifier.finish().faults.len(), 1);
        // A line with something put in: what is taken is written the same again.
        let lines = lines_of(&evidence.files_of(1)[0]);
        let mut line = lines[at % lines.len()].clone();
        line.pop();
        let place = at % (line.len() + 1);
        line.splice(place..place, inserted.bytes());
        if let Ok(read) = EvidenceLine::parse(&line) {
            prop_assert_eq!(read.to_bytes(), line);
        }
    }
}
