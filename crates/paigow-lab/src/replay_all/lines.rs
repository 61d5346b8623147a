//! A stream of lines cut into batches of whole rounds, in bounded memory.

use std::io::{self, BufRead, Read};

use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};

/// The longest line that is read as a record, in bytes. A longer line is cut to this length.
const LONGEST: usize = 8 << 20;
/// The most lines of one round: nine locks of phase 2, each with at most 64 actions, and 5 others.
/// Further lines count as a round of their own, without a ticket.
const LINES_OF_A_ROUND: usize = 640;
/// The size of a full batch, in rounds and in bytes.
const ROUNDS: usize = 128;
const BYTES: usize = 1 << 20;

/// Whole rounds, in the order of the input.
#[derive(Debug, Default)]
pub(super) struct RoundBatch {
    text: Vec<u8>,
    /// The number of each line over the whole input, and where it is in the text.
    lines: Vec<(usize, std::ops::Range<usize>)>,
    rounds: Vec<RoundStart>,
}

/// Where a round begins.
#[derive(Clone, Copy, Debug)]
struct RoundStart {
    line: usize,
    text: usize,
    /// Whether it directly follows the previous round.
    follows_round: bool,
}

impl RoundBatch {
    /// Returns the lines of each round, and whether it follows the one before.
    pub(super) fn rounds(&self) -> impl Iterator<Item = (Vec<(usize, &[u8])>, bool)> {
        (0..self.rounds.len()).map(|i| {
            let end = self.rounds.get(i + 1).map_or(self.lines.len(), |next| next.line);
            let lines = &self.lines[self.rounds[i].line..end];
            let lines = lines.iter().map(|(number, at)| (*number, &self.text[at.clone()]));
            (lines.collect(), self.rounds[i].follows_round)
        })
    }

    /// Returns the hash of the rounds, and of the places of their lines.
    pub(super) fn hash(&self) -> Hash {
        let places = self.lines.iter().flat_map(|(number, at)| [*number, at.end]);
        let numbers = [self.lines.len()].into_iter().chain(places);
        let numbers: Vec<u8> = numbers.flat_map(usize::to_le_bytes).collect();
        Hash::of_parts(&[&numbers, &self.text])
    }

    fn is_full(&self) -> bool {
        self.rounds.len() >= ROUNDS || self.text.len() >= BYTES
    }
}

/// A part of the input, in order.
pub(super) enum InputPart {
    /// A manifest or a reveal, with the number of its line.
    Record(usize, RecordEnvelope),
    Rounds(RoundBatch),
}

/// Reads every line: its number in the stream from 1, and its bytes without the line end.
///
/// The inner result has an error that stops the reading. The outer result has a refusal of `take`.
pub(super) fn each_line<E>(
    input: &mut impl BufRead,
    mut take: impl FnMut(usize, &[u8]) -> Result<(), E>,
) -> Result<io::Result<()>, E> {
    let mut line = Vec::new();
    for number in 1.. {
        match next_line(input, &mut line) {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => return Ok(Err(error)),
        }
        let whole = line.strip_suffix(b"\n").unwrap_or(&line);
        take(number, whole.strip_suffix(b"\r").unwrap_or(whole))?;
    }
    Ok(Ok(()))
}

/// Reads a line with its end; returns false if there is no line.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    // Two more for the line's end.
    let limit = u64::try_from(LONGEST + 2).unwrap_or(u64::MAX);
    input.by_ref().take(limit).read_until(b'\n', line)?;
    if line.last() != Some(&b'\n') && line.len() > LONGEST {
        skip_line(input)?;
    }
    Ok(!line.is_empty())
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let (end, read) = match buffer.iter().position(|byte| *byte == b'\n') {
            Some(end) => (true, end + 1),
            None => (buffer.is_empty(), buffer.len()),
        };
        input.consume(read);
        if end {
            return Ok(());
        }
    }
}

/// Returns the manifest, reveal or close of an epoch in a line; [`None`] for a record of a round,
/// and for a line that is not a record.
pub(super) fn record(line: &[u8]) -> Option<RecordEnvelope> {
    record_of(line, kind(line))
}

/// The same for a line whose kind is known.
fn record_of(line: &[u8], kind: Option<RecordKind>) -> Option<RecordEnvelope> {
    let looks = kind.is_none_or(is_of_no_round);
    let envelope = looks.then(|| RecordEnvelope::parse(line).ok()).flatten()?;
    is_of_no_round(envelope.kind()).then_some(envelope)
}

const fn is_of_no_round(kind: RecordKind) -> bool {
    matches!(
        kind,
        RecordKind::Manifest
            | RecordKind::EpochReveal
            | RecordKind::EpochClose
            | RecordKind::LogProof
    )
}

fn is_ticket(line: &[u8], kind: Option<RecordKind>) -> bool {
    let parsed = || RecordEnvelope::parse(line).ok().map(|envelope| envelope.kind());
    kind.or_else(parsed) == Some(RecordKind::Ticket)
}

/// Returns the kind of a record in the usual spelling; [`None`] if the whole line has to be read.
fn kind(line: &[u8]) -> Option<RecordKind> {
    let payload = line.strip_prefix(br#"{"payload":""#)?;
    let end = payload.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
    let rest = payload[end..].strip_prefix(br#"","payloadType":""#)?;
    let of = |kind: &RecordKind| {
        rest.strip_prefix(kind.payload_type().as_bytes())
            .is_some_and(|rest| rest.first() == Some(&b'"'))
    };
    RecordKind::ALL.into_iter().find(of)
}

/// Cuts a stream into batches of whole rounds. A line that is not a record belongs to the round
/// above it.
#[derive(Debug, Default)]
pub(super) struct BatchBuilder {
    batch: RoundBatch,
    /// Whether the line before belongs to a round.
    in_round: bool,
}

impl BatchBuilder {
    /// Adds a line. `give` receives each complete part.
    pub(super) fn add<E>(
        &mut self,
        number: usize,
        line: &[u8],
        give: &mut dyn FnMut(InputPart) -> Result<(), E>,
    ) -> Result<(), E> {
        let kind = kind(line);
        if let Some(envelope) = record_of(line, kind) {
            self.end(give)?;
            self.in_round = false;
            return give(InputPart::Record(number, envelope));
        }
        if !self.in_round || is_ticket(line, kind) || self.has_too_much() {
            if self.batch.is_full() {
                self.end(give)?;
            }
            let batch = &mut self.batch;
            let (line, text) = (batch.lines.len(), batch.text.len());
            batch.rounds.push(RoundStart { line, text, follows_round: self.in_round });
            self.in_round = true;
        }
        let start = self.batch.text.len();
        // Grown in steps, because a text that doubles would hold twice the longest round.
        if self.batch.text.capacity() - start < line.len() {
            self.batch.text.reserve_exact(line.len().max(BYTES));
        }
        self.batch.text.extend_from_slice(line);
        self.batch.lines.push((number, start..self.batch.text.len()));
        Ok(())
    }

    /// Returns the last batch of a stream.
    pub(super) fn end<E>(
        &mut self,
        give: &mut dyn FnMut(InputPart) -> Result<(), E>,
    ) -> Result<(), E> {
        let batch = std::mem::take(&mut self.batch);
        if batch.rounds.is_empty() { Ok(()) } else { give(InputPart::Rounds(batch)) }
    }

    /// Returns whether the last round has more lines or bytes than a round can have.
    fn has_too_much(&self) -> bool {
        self.batch.rounds.last().is_some_and(|cut| {
            self.batch.lines.len() - cut.line >= LINES_OF_A_ROUND
                || self.batch.text.len() - cut.text >= LONGEST
        })
    }
}

#[cfg(test)]
mod tests;
