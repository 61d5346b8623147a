//! Limits the control frames of HTTP/2 that a connection may send, by what its calls explain.
//!
//! A SETTINGS, PING, PRIORITY or WINDOW_UPDATE frame costs its sender nothing, and the library
//! that answers it has no limit. Therefore the bytes that a connection sends are counted here,
//! frame by frame.

use std::time::Duration;

/// How many unexplained control frames a connection may send.
const BASE: u64 = 10_000;

/// How many more it may send for each second of its age: keepalive pings.
const EACH_SECOND: u64 = 10;

/// How many more for each HEADERS frame that it sends: a call.
const EACH_CALL: u64 = 8;

/// How many more for each DATA frame with a payload that it sends.
const EACH_DATA: u64 = 2;

/// A connection may send one more for each so many bytes that are written to it: it makes room for
/// the bytes that it reads. The answer to a PING has 17 bytes, and does not pay for the PING.
const BYTES_WRITTEN: u64 = 64;

/// The length of the head of a frame (RFC 9113, section 4.1).
const HEAD: usize = 9;

/// The types of frames that are not control frames.
const DATA: u8 = 0;
const HEADERS: u8 = 1;
/// The library limits these itself.
const CONTINUATION: u8 = 9;

/// Counts the frames of a connection, behind its preface.
#[derive(Debug, Default)]
pub(super) struct ControlFrames {
    /// The head of the frame that is being read, as far as it has come.
    head: [u8; HEAD],
    come: usize,
    /// How many bytes of the payload of the last frame are still to come.
    payload: usize,
    sent: u64,
    explained: u64,
    written: u64,
}

impl ControlFrames {
    /// Counts the frames in the bytes that come next.
    pub(super) fn read(&mut self, mut bytes: &[u8]) {
        loop {
            let skipped = self.payload.min(bytes.len());
            self.payload -= skipped;
            bytes = &bytes[skipped..];
            if bytes.is_empty() {
                return;
            }
            let taken = bytes.len().min(HEAD - self.come);
            self.head[self.come..self.come + taken].copy_from_slice(&bytes[..taken]);
            self.come += taken;
            bytes = &bytes[taken..];
            if self.come < HEAD {
                return;
            }
            self.come = 0;
            let [high, middle, low, kind, ..] = self.head;
            self.payload = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
            match kind {
                HEADERS => self.explained += EACH_CALL,
                DATA if self.payload > 0 => self.explained += EACH_DATA,
                DATA | CONTINUATION => {}
                // Also frames that HTTP/2 does not define: the library skips them.
                _ => self.sent += 1,
            }
        }
    }

    /// Counts bytes that were written to the connection.
    pub(super) fn wrote(&mut self, bytes: usize) {
        self.written += u64::try_from(bytes).unwrap_or(u64::MAX);
    }

    /// Whether the connection has sent more control frames than it may. Reads its age only if
    /// nothing else explains them.
    pub(super) fn is_flood(&self, age: impl FnOnce() -> Duration) -> bool {
        let explained = BASE + self.explained + self.written / BYTES_WRITTEN;
        self.sent > explained && self.sent > explained + EACH_SECOND * age().as_secs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PING: u8 = 6;

    fn frame(kind: u8, payload: usize) -> Vec<u8> {
        let length = u32::try_from(payload).unwrap().to_be_bytes();
        [&length[1..], &[kind, 0, 0, 0, 0, 0], &vec![kind; payload]].concat()
    }

    fn is_flood(frames: &ControlFrames) -> bool {
        frames.is_flood(|| Duration::ZERO)
    }

    /// Frames until one more would be a flood.
    fn full() -> ControlFrames {
        let mut frames = ControlFrames::default();
        frames.read(&frame(PING, 8).repeat(10_000));
        assert!(!is_flood(&frames));
        frames
    }

    #[test]
    fn frames_are_counted_however_their_bytes_come() {
        let mut all = [frame(PING, 8), frame(HEADERS, 300), frame(DATA, 70_000), frame(DATA, 0)];
        all.rotate_left(1);
        let bytes = all.concat();
        for piece in [1, 2, 8, 9, 10, 16_384, bytes.len()] {
            let mut frames = ControlFrames::default();
            bytes.chunks(piece).for_each(|piece| frames.read(piece));
            assert_eq!((frames.sent, frames.explained), (1, 10), "pieces of {piece}");
        }
    }

    #[test]
    fn control_frames_that_nothing_explains_are_a_flood() {
        for kind in [2, 3, 4, PING, 7, 8, 0xbb] {
            let mut frames = full();
            frames.read(&frame(kind, 4));
            assert!(is_flood(&frames), "type {kind}");
        }
        for kind in [DATA, HEADERS, CONTINUATION] {
            let mut frames = full();
            frames.read(&frame(kind, 4).repeat(100_000));
            assert!(!is_flood(&frames), "type {kind}");
        }
    }

    #[test]
    fn calls_and_answers_and_time_explain_control_frames() {
        let mut frames = full();
        frames.read(&frame(HEADERS, 100));
        frames.read(&frame(PING, 8).repeat(8));
        assert!(!is_flood(&frames));
        frames.wrote(640);
        frames.read(&frame(PING, 8).repeat(10));
        assert!(!is_flood(&frames));
        frames.read(&frame(PING, 8).repeat(20));
        assert!(is_flood(&frames));
        assert!(!frames.is_flood(|| Duration::from_secs(2)));
    }

    /// A ping each second for a day, and nothing else.
    #[test]
    fn keepalive_pings_are_never_a_flood() {
        let mut frames = ControlFrames::default();
        for second in 0..86_400 {
            frames.read(&frame(PING, 8));
            assert!(!frames.is_flood(|| Duration::from_secs(second)));
        }
    }

    /// Each answer pays only for a part of the frame that it answers.
    #[test]
    fn answers_to_pings_and_settings_do_not_pay_for_them() {
        for (kind, payload, answer) in [(PING, 8, 17), (4, 6, 9)] {
            let mut frames = ControlFrames::default();
            for _ in 0..200_000 {
                frames.read(&frame(kind, payload));
                frames.wrote(answer);
            }
            assert!(frames.is_flood(|| Duration::from_secs(600)), "type {kind}");
        }
    }
}
