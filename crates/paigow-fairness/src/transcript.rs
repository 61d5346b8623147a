//! Transcripts: records in JSON Lines (PGE-FAIR-1, section 6.4).

use super::record::{ParseEnvelopeError, RecordEnvelope};

/// A line of a transcript that is not a record.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct TranscriptError {
    /// The line, from 1.
    pub line: usize,
    /// The fault of the line.
    pub error: ParseEnvelopeError,
}

/// Reads a transcript: one envelope a line, the last line's end optional.
///
/// # Errors
///
/// Returns the first line that is not an envelope. An empty line is not an envelope.
pub fn parse(text: &[u8]) -> Result<Vec<RecordEnvelope>, TranscriptError> {
    lines(text)
        .enumerate()
        .map(|(i, line)| {
            RecordEnvelope::parse(line).map_err(|error| TranscriptError { line: i + 1, error })
        })
        .collect()
}

/// Returns the lines of a transcript without their ends; an empty text has no lines.
pub fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let lines = (!text.is_empty()).then(|| text.split(|byte| *byte == b'\n'));
    lines.into_iter().flatten().map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// Writes a transcript.
#[must_use]
pub fn write<'a>(records: impl IntoIterator<Item = &'a RecordEnvelope>) -> String {
    records.into_iter().map(|record| record.to_line() + "\n").collect()
}
