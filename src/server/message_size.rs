//! A request body that ends at the first message above a limit, and says when it was torn off.
//!
//! tonic knows one limit for a service; ours differ by method. The length stands in the
//! five bytes before every message, so a message is refused before it is read.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use crate::rpc::status;

type Bytes = <Body as http_body::Body>::Data;

/// One byte says whether the message is compressed, four how long it is.
const PREFIX: usize = 5;

/// A body of gRPC messages, none larger than `limit` bytes.
pub(super) struct SizeLimited {
    body: Body,
    limit: u32,
    messages: Messages,
}

impl SizeLimited {
    pub(super) fn new(body: Body, limit: u32) -> Self {
        Self { body, limit, messages: Messages::default() }
    }
}

impl http_body::Body for SizeLimited {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let frame = ready!(Pin::new(&mut this.body).poll_frame(context));
        // A stream that was cancelled has no more frames, and has not ended; one whose connection
        // is gone has an error. tonic would take a part of a message for the whole, and the
        // caller's leaving for our failure.
        let is_torn = match &frame {
            Some(Err(_)) => true,
            Some(Ok(_)) => false,
            None => !this.body.is_end_stream(),
        };
        if is_torn {
            return Poll::Ready(Some(Err(status::torn_off())));
        }
        if let Some(Ok(data)) = frame.as_ref().map(|frame| frame.as_ref().map(Frame::data_ref))
            && let Some(data) = data
            && this.messages.longest_in(data) > this.limit
        {
            // On every machine that runs tonic a length of 32 bits is a `usize`.
            let limit = usize::try_from(this.limit).unwrap_or(usize::MAX);
            return Poll::Ready(Some(Err(status::message_too_large(limit))));
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Where in a stream of messages the bytes are that come next.
#[derive(Default)]
struct Messages {
    prefix: [u8; PREFIX],
    /// How much of the prefix has come.
    filled: usize,
    /// How much of the message has not come.
    missing: u32,
}

impl Messages {
    /// Reads on, and returns the largest length that a prefix completed in `data` states.
    fn longest_in(&mut self, mut data: &[u8]) -> u32 {
        let mut longest = 0;
        while !data.is_empty() {
            if self.missing > 0 {
                let here = u32::try_from(data.len()).unwrap_or(u32::MAX).min(self.missing);
                self.missing -= here;
                data = data.get(usize::try_from(here).unwrap_or(usize::MAX)..).unwrap_or(&[]);
                continue;
            }
            let (head, rest) = data.split_at(data.len().min(PREFIX - self.filled));
            self.prefix[self.filled..self.filled + head.len()].copy_from_slice(head);
            self.filled += head.len();
            data = rest;
            if self.filled == PREFIX {
                let [_, length @ ..] = self.prefix;
                self.filled = 0;
                self.missing = u32::from_be_bytes(length);
                longest = longest.max(self.missing);
            }
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two messages of 300 and 2 bytes, with an empty one between them.
    fn stream() -> Vec<u8> {
        let mut bytes = vec![0, 0, 0, 1, 44];
        bytes.extend([255; 300]);
        bytes.extend([0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 7, 7]);
        bytes
    }

    #[test]
    fn lengths_are_found_however_the_bytes_are_cut() {
        for size in 1..=stream().len() {
            let mut messages = Messages::default();
            let found: Vec<u32> =
                stream().chunks(size).map(|chunk| messages.longest_in(chunk)).collect();
            assert_eq!(found.iter().copied().max(), Some(300), "chunks of {size}");
            assert_eq!((messages.filled, messages.missing), (0, 0), "chunks of {size}");
        }
    }

    #[test]
    fn a_length_counts_before_its_message_has_come() {
        let mut messages = Messages::default();
        assert_eq!(messages.longest_in(&[0, 255, 255, 255]), 0);
        assert_eq!(messages.longest_in(&[255]), u32::MAX);
        assert_eq!(messages.longest_in(&[1, 2, 3]), 0);
    }
}
