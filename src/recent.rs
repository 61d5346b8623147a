//! Remembers the records that were counted or kept already: a repeated call gets the same record.

use std::collections::{BTreeSet, VecDeque};

/// How many records are remembered: a few minutes of a busy replica, some 6 MB.
const REMEMBERED: usize = 1 << 16;

/// The marks of the most recent records.
#[derive(Debug, Default)]
pub(crate) struct RecentRecords {
    marks: BTreeSet<[u8; 32]>,
    in_order: VecDeque<[u8; 32]>,
}

impl RecentRecords {
    /// Whether a record is remembered.
    pub(crate) fn contains(&self, mark: &[u8; 32]) -> bool {
        self.marks.contains(mark)
    }

    /// Remembers a record, and returns whether it was new. When there are too many, the oldest is
    /// forgotten.
    pub(crate) fn is_new(&mut self, mark: [u8; 32]) -> bool {
        if !self.marks.insert(mark) {
            return false;
        }
        self.in_order.push_back(mark);
        if self.in_order.len() > REMEMBERED
            && let Some(oldest) = self.in_order.pop_front()
        {
            self.marks.remove(&oldest);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(number: usize) -> [u8; 32] {
        let mut mark = [0; 32];
        mark[..8].copy_from_slice(&number.to_be_bytes());
        mark
    }

    #[test]
    fn a_record_is_new_once_until_too_many_others_came() {
        let mut recent = RecentRecords::default();
        assert!(recent.is_new(mark(0)));
        assert!(!recent.is_new(mark(0)));
        // Asking for 0 a second time did not make it younger.
        assert!((1..REMEMBERED).all(|number| recent.is_new(mark(number))));
        assert!(!recent.is_new(mark(0)));
        assert!(recent.is_new(mark(REMEMBERED)));
        assert!(!recent.is_new(mark(1)));
        assert!(recent.is_new(mark(0)));
        assert_eq!((recent.marks.len(), recent.in_order.len()), (REMEMBERED, REMEMBERED));
    }
}
