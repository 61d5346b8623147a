//! Reads files that are plain, gzip or zstd. The first bytes decide, not the name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use indicatif::ProgressBar;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use crate::CommandError;

const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The magic numbers of data frames, and of frames that a reader skips.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const ZSTD_SKIPPED: [u8; 3] = [0x2a, 0x4d, 0x18];

/// How much is read at once.
const BUFFER: usize = 1 << 18;

/// Opens a file, or standard input for `-`, and reads its content. The bar counts the stored bytes.
pub(super) fn open(path: &Path, bar: &ProgressBar) -> Result<Box<dyn BufRead>, CommandError> {
    let no_input = |error: io::Error| CommandError::NoInput(format!("{}: {error}", path.display()));
    let raw: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(no_input)?)
    };
    decompressed(bar.wrap_read(raw)).map_err(no_input)
}

/// Reads compressed or plain content.
fn decompressed<'a>(raw: impl Read + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    // A pipe may return one byte at a time. Four bytes decide; fewer are no magic number.
    let mut head = Vec::new();
    let mut raw = raw;
    raw.by_ref().take(4).read_to_end(&mut head)?;
    let is_zstd = head.starts_with(&ZSTD)
        || (head.ends_with(&ZSTD_SKIPPED) && head.first().is_some_and(|byte| byte >> 4 == 5));
    let is_gzip = head.starts_with(&GZIP);
    let whole = BufReader::with_capacity(BUFFER, io::Cursor::new(head).chain(raw));
    Ok(if is_zstd {
        Box::new(BufReader::with_capacity(BUFFER, Zstd::new(whole)))
    } else if is_gzip {
        Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(whole)))
    } else {
        Box::new(whole)
    })
}

/// The frames of a zstd file one after another, their checksums compared.
struct Zstd<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> Zstd<R> {
    fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Begins the next frame; false at the end of the file.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped =
                        io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame {
                if !self.begin()? {
                    return Ok(0);
                }
                self.in_frame = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(io::Error::other)?;
            }
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let stated = self.decoder.get_checksum_from_data();
            if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
                return Err(io::Error::other("a zstd frame with another checksum"));
            }
            self.in_frame = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `printf hello | zstd -c` of zstd 1.5.4, and of `printf ' world'`; each with its
    /// checksum.
    const HELLO: &[u8] = &[
        0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x29, 0x00, 0x00, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 0xa3,
        0x6d, 0x9f, 0x88,
    ];
    const WORLD: &[u8] = &[
        0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x31, 0x00, 0x00, 0x20, 0x77, 0x6f, 0x72, 0x6c, 0x64,
        0xa9, 0x33, 0xd5, 0xb4,
    ];
    /// `printf hello | gzip -nc` of gzip 1.12.
    const HELLO_GZ: &[u8] = &[
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9,
        0x07, 0x00, 0x86, 0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
    ];

    fn read(raw: &[u8]) -> io::Result<String> {
        let mut text = String::new();
        decompressed(raw)?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn what_is_compressed_is_told_by_its_first_bytes() {
        assert_eq!(read(HELLO).unwrap(), "hello");
        assert_eq!(read(HELLO_GZ).unwrap(), "hello");
        for plain in ["", "{", "hello", "\u{1f}{}"] {
            assert_eq!(read(plain.as_bytes()).unwrap(), plain);
        }
    }

    #[test]
    fn files_put_one_after_another_are_read_to_the_end() {
        let skipped = [&[0x52, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"any"].concat();
        assert_eq!(read(&[HELLO, &skipped, WORLD].concat()).unwrap(), "hello world");
        assert_eq!(read(&[&skipped, WORLD].concat()).unwrap(), " world");
        assert_eq!(read(&[HELLO_GZ, HELLO_GZ].concat()).unwrap(), "hellohello");
    }

    #[test]
    fn what_is_cut_off_or_altered_is_an_error_never_a_shorter_file() {
        for whole in [HELLO, HELLO_GZ] {
            for end in 4..whole.len() {
                assert!(read(&whole[..end]).is_err(), "{end} of {}", whole.len());
            }
        }
        let mut altered = HELLO.to_vec();
        let at = altered.windows(5).position(|five| five == b"hello").unwrap();
        altered[at] ^= 1;
        assert!(read(&altered).unwrap_err().to_string().contains("checksum"));
    }
}
