//! A request body that ends at the first message above a limit, and says when it was torn off.
//!
//! tonic knows one limit for a service; ours differ by method. The length stands in the
//! five bytes before every message, so a message is refused before it is read. What came
//! before it is handed on: the answers to good messages of a stream do not depend on how the
//! network has cut it.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http_body::{Frame, SizeHint};
use tonic::Status;
use tonic::body::Body;

use super::answer_body::BodyBytes;
use crate::rpc::status;

/// One byte says whether the message is compressed, four how long it is.
const PREFIX: usize = 5;

/// A body of gRPC messages, none larger than `limit` bytes.
pub(super) struct SizeLimited {
    body: Body,
    limit: u32,
    messages: Messages,
    /// Whether a prefix has announced too much: nothing comes after what was handed on.
    is_over: bool,
}

impl SizeLimited {
    pub(super) fn new(body: Body, limit: u32) -> Self {
        Self { body, limit, messages: Messages::default(), is_over: false }
    }

    fn too_large(&self) -> Poll<Option<Result<Frame<BodyBytes>, Status>>> {
        // On every machine that runs tonic a length of 32 bits is a `usize`.
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        Poll::Ready(Some(Err(status::message_too_large(limit))))
    }
}

impl http_body::Body for SizeLimited {
    type Data = BodyBytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<BodyBytes>, Status>>> {
        let this = &mut *self;
        if this.is_over {
            return this.too_large();
        }
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
        let frame = match frame.map(|read| read.map(Frame::into_data)) {
            Some(Ok(Ok(mut data))) => {
                if let Some(good) = this.messages.good_of(&data, this.limit) {
                    this.is_over = true;
                    data.truncate(good);
                    if data.is_empty() {
                        return this.too_large();
                    }
                }
                Some(Ok(Frame::data(data)))
            }
            Some(Ok(Err(other))) => Some(Ok(other)),
            Some(Err(status)) => Some(Err(status)),
            None => None,
        };
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        !self.is_over && self.body.is_end_stream()
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
    /// Reads on, up to a prefix that states more than `limit`. Returns how many bytes of `data`
    /// stand before that prefix, if it is completed in `data`.
    fn good_of(&mut self, data: &[u8], limit: u32) -> Option<usize> {
        // What of a prefix came before this data has been handed on, and does no harm: it is no
        // message.
        let (mut rest, mut good) = (data, 0);
        while !rest.is_empty() {
            if self.missing > 0 {
                let here = u32::try_from(rest.len()).unwrap_or(u32::MAX).min(self.missing);
                self.missing -= here;
                rest = rest.get(usize::try_from(here).unwrap_or(usize::MAX)..).unwrap_or(&[]);
                good = data.len() - rest.len();
                continue;
            }
            let (head, after) = rest.split_at(rest.len().min(PREFIX - self.filled));
            self.prefix[self.filled..self.filled + head.len()].copy_from_slice(head);
            self.filled += head.len();
            rest = after;
            if self.filled == PREFIX {
                let [_, length @ ..] = self.prefix;
                self.filled = 0;
                self.missing = u32::from_be_bytes(length);
                if self.missing > limit {
                    return Some(good);
                }
                good = data.len() - rest.len();
            }
        }
        None
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
    fn a_message_is_found_too_large_however_the_bytes_are_cut() {
        for size in 1..=stream().len() {
            let mut messages = Messages::default();
            for chunk in stream().chunks(size) {
                assert_eq!(messages.good_of(chunk, 300), None, "chunks of {size}");
            }
            assert_eq!((messages.filled, messages.missing), (0, 0), "chunks of {size}");
            let mut messages = Messages::default();
            let found = stream().chunks(size).find_map(|chunk| messages.good_of(chunk, 299));
            assert_eq!(found, Some(0), "chunks of {size}");
        }
    }

    #[test]
    fn a_length_counts_before_its_message_has_come() {
        let mut messages = Messages::default();
        assert_eq!(messages.good_of(&[0, 255, 255, 255], 300), None);
        assert_eq!(messages.good_of(&[255], 300), Some(0));
    }

    /// Two messages of 2 bytes, and the prefix of one of 300.
    const GOOD_AND_TOO_LARGE: [u8; 20] =
        [0, 0, 0, 0, 2, 1, 2, 0, 0, 0, 0, 2, 3, 4, 0, 0, 0, 1, 44, 9];

    #[test]
    fn what_came_before_a_message_that_is_too_large_is_good() {
        for cut in 0..19 {
            let (head, rest) = GOOD_AND_TOO_LARGE.split_at(cut);
            let mut messages = Messages::default();
            assert_eq!(messages.good_of(head, 299), None, "cut at {cut}");
            // Of a prefix that was cut the first part is with what was handed on.
            let good = 14_usize.saturating_sub(cut);
            assert_eq!(messages.good_of(rest, 299), Some(good), "cut at {cut}");
        }
    }

    #[tokio::test]
    async fn a_body_hands_on_what_is_good_before_it_fails() {
        let body =
            Body::new(http_body_util::Full::new(BodyBytes::from_static(&GOOD_AND_TOO_LARGE)));
        let mut body = SizeLimited::new(body, 299);
        let mut next = async || {
            std::future::poll_fn(|context| {
                http_body::Body::poll_frame(Pin::new(&mut body), context)
            })
            .await
            .unwrap()
        };
        let good = next().await.unwrap().into_data().unwrap();
        assert_eq!(&good[..], &GOOD_AND_TOO_LARGE[..14]);
        let status = next().await.unwrap_err();
        assert_eq!(status.code(), tonic::Code::ResourceExhausted);
        assert!(!http_body::Body::is_end_stream(&body));
    }
}
