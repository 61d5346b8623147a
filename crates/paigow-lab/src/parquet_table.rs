//! Parquet tables, written row by row.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::Value;

/// How many rows are written at once.
const ROWS: usize = 1 << 16;

/// A value of a table.
pub(crate) enum Cell {
    Null,
    Text(String),
    Number(i64),
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl Cell {
    pub(crate) fn word(word: &str) -> Self {
        Self::Text(word.to_owned())
    }

    pub(crate) fn text(value: &Value) -> Self {
        value.as_str().map_or(Self::Null, Self::word)
    }

    /// Returns an integer of a record; amounts are texts there.
    pub(crate) fn number(value: &Value) -> Self {
        let text = || value.as_str().and_then(|text| text.parse().ok());
        value.as_i64().or_else(text).map_or(Self::Null, Self::Number)
    }

    const fn as_number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Null | Self::Text(_) => None,
        }
    }

    fn as_text(&self) -> Option<ByteArray> {
        match self {
            Self::Text(text) => Some(ByteArray::from(text.as_str())),
            Self::Null | Self::Number(_) => None,
        }
    }

    pub(crate) fn seat(seat: &str) -> Self {
        seat.parse().map_or(Self::Null, Self::Number)
    }

    pub(crate) fn time(milliseconds: Option<u64>) -> Self {
        let time = milliseconds.and_then(|time| i64::try_from(time).ok());
        time.map_or(Self::Null, Self::Number)
    }
}

/// A table that is written in groups of rows.
pub(crate) struct ParquetTable {
    writer: SerializedFileWriter<File>,
    columns: usize,
    rows: Vec<Vec<Cell>>,
    count: u64,
}

impl ParquetTable {
    pub(crate) fn create(path: &Path, schema: &str) -> Result<Self, ParquetError> {
        let schema = Arc::new(parse_message_type(schema)?);
        let columns = schema.get_fields().len();
        let file = File::create_new(path).map_err(|error: io::Error| {
            ParquetError::General(format!("{}: {error}", path.display()))
        })?;
        let packed = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = SerializedFileWriter::new(file, schema, Arc::new(packed))?;
        Ok(Self { writer, columns, rows: Vec::new(), count: 0 })
    }

    pub(crate) fn add(&mut self, row: Vec<Cell>) -> Result<(), ParquetError> {
        assert_eq!(row.len(), self.columns, "a row has a value of each column");
        self.rows.push(row);
        self.count += 1;
        if self.rows.len() < ROWS { Ok(()) } else { self.write() }
    }

    /// Writes the waiting rows as one group.
    fn write(&mut self) -> Result<(), ParquetError> {
        let rows = std::mem::take(&mut self.rows);
        let mut group = self.writer.next_row_group()?;
        for place in 0..self.columns {
            let Some(mut column) = group.next_column()? else { break };
            let cells = || rows.iter().map(|row| &row[place]);
            // 1 where there is a value.
            let levels: Vec<i16> =
                cells().map(|cell| i16::from(!matches!(cell, Cell::Null))).collect();
            if let ColumnWriter::Int64ColumnWriter(writer) = column.untyped() {
                let values: Vec<i64> = cells().filter_map(Cell::as_number).collect();
                writer.write_batch(&values, Some(&levels), None)?;
            } else {
                let values: Vec<ByteArray> = cells().filter_map(Cell::as_text).collect();
                column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
            }
            column.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Writes the remaining rows, and returns the number of rows.
    pub(crate) fn close(mut self) -> Result<u64, ParquetError> {
        if !self.rows.is_empty() {
            self.write()?;
        }
        self.writer.close()?;
        Ok(self.count)
    }
}
