//! A request body that ends at the first refused message, and reports when it was cut off.
//!
//! tonic has one limit for a service; ours differ by method. The five bytes before every message
//! have its length, so a message is refused before it is read. It is refused if it is too large,
//! or if the process has no bytes left for audits. The messages before it are handed on. So the
//! answers to good messages of a stream do not depend on how the network split it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body::{Frame, SizeHint};
use tokio::time::Sleep;
use tonic::Status;
use tonic::body::Body;

use super::answer_body::BodyBytes;
use crate::capacity::CallBytes;
use crate::rpc::status;

/// One byte says whether the message is compressed, four how long it is.
const PREFIX: usize = 5;

/// The terms of each message of a body.
pub(super) struct MessageTerms {
    /// The most bytes of it.
    pub(super) limit: u32,
    /// How long it may take from its first byte to its last, if that is limited.
    pub(super) time: Option<Duration>,
    /// The account that pays for its bytes before they are read, if one does.
    pub(super) held: Option<Arc<CallBytes>>,
}

/// A body of gRPC messages, each on its terms.
pub(super) struct SizeLimited {
    body: Body,
    terms: MessageTerms,
    messages: Messages,
    /// When the message that has begun must be complete, and how many were before it.
    ends: Option<(u64, Pin<Box<Sleep>>)>,
    /// Why the body ends after the bytes that were handed on.
    over: Option<Refused>,
}

/// Why a message is not read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Refused {
    /// It is larger than the limit.
    TooLarge,
    /// The process has no bytes left for it.
    NoRoom,
}

/// How long a caller should wait before it sends a message again for which there was no room.
const PAUSE: Duration = Duration::from_secs(1);

impl SizeLimited {
    pub(super) fn new(body: Body, terms: MessageTerms) -> Self {
        Self { body, terms, messages: Messages::default(), ends: None, over: None }
    }

    fn refused(&self, why: Refused) -> Poll<Option<Result<Frame<BodyBytes>, Status>>> {
        Poll::Ready(Some(Err(match why {
            Refused::TooLarge => {
                // On every machine that runs tonic a length of 32 bits is a `usize`.
                let limit = usize::try_from(self.terms.limit).unwrap_or(usize::MAX);
                status::message_too_large(limit)
            }
            Refused::NoRoom => status::no_bytes_for_audits(PAUSE),
        })))
    }

    /// Whether a message that has begun takes too long.
    fn is_late(&mut self, context: &mut Context<'_>) -> bool {
        let Some(time) = self.terms.time.filter(|_| self.messages.is_within_one()) else {
            self.ends = None;
            return false;
        };
        let before = self.messages.ended;
        self.ends.take_if(|(of, _)| *of != before);
        let begin = || (before, Box::pin(tokio::time::sleep(time)));
        let (_, ends) = self.ends.get_or_insert_with(begin);
        ends.as_mut().poll(context).is_ready()
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
        if let Some(why) = this.over {
            return this.refused(why);
        }
        let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) else {
            return match this.is_late(context) {
                true => Poll::Ready(Some(Err(status::deadline_exceeded()))),
                false => Poll::Pending,
            };
        };
        // A cancelled stream has no more frames, and has not ended. A stream whose connection is gone
        // has an error. Without this, tonic takes a part of a message for the whole, and treats a
        // caller that left as our failure.
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
                if let Some((good, why)) = this.messages.good_of(&data, &this.terms) {
                    this.over = Some(why);
                    data.truncate(good);
                    if data.is_empty() {
                        return this.refused(why);
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
        self.over.is_none() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The position of the next bytes in a stream of messages.
#[derive(Default)]
struct Messages {
    prefix: [u8; PREFIX],
    /// How much of the prefix has come.
    filled: usize,
    /// How much of the message has not come.
    missing: u32,
    /// How many messages have come to their end.
    ended: u64,
}

impl Messages {
    /// Whether a message has begun and not ended.
    const fn is_within_one(&self) -> bool {
        self.filled > 0 || self.missing > 0
    }

    /// Reads on, up to the prefix of a message that is refused. If that prefix is completed in `data`,
    /// returns how many bytes of `data` are before it, and why the message is refused.
    fn good_of(&mut self, data: &[u8], terms: &MessageTerms) -> Option<(usize, Refused)> {
        // An earlier part of a prefix has been handed on already. It does no harm: it is not a
        // message.
        let (mut rest, mut good) = (data, 0);
        while !rest.is_empty() {
            if self.missing > 0 {
                let here = u32::try_from(rest.len()).unwrap_or(u32::MAX).min(self.missing);
                self.missing -= here;
                self.ended += u64::from(self.missing == 0);
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
                if self.missing > terms.limit {
                    return Some((good, Refused::TooLarge));
                }
                let bytes = usize::try_from(self.missing).unwrap_or(usize::MAX);
                if terms.held.as_ref().is_some_and(|held| !held.take(bytes)) {
                    return Some((good, Refused::NoRoom));
                }
                self.ended += u64::from(self.missing == 0);
                good = data.len() - rest.len();
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use futures_util::stream::{self, StreamExt as _};

    use super::*;
    use crate::capacity::HeldBytes;
    use crate::telemetry::Meters;

    fn at_most(limit: u32) -> MessageTerms {
        MessageTerms { limit, time: None, held: None }
    }

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
                assert_eq!(messages.good_of(chunk, &at_most(300)), None, "chunks of {size}");
            }
            assert_eq!((messages.filled, messages.missing), (0, 0), "chunks of {size}");
            let mut messages = Messages::default();
            let found =
                stream().chunks(size).find_map(|chunk| messages.good_of(chunk, &at_most(299)));
            assert_eq!(found, Some((0, Refused::TooLarge)), "chunks of {size}");
        }
    }

    #[test]
    fn a_length_counts_before_its_message_has_come() {
        let mut messages = Messages::default();
        assert_eq!(messages.good_of(&[0, 255, 255, 255], &at_most(300)), None);
        assert_eq!(messages.good_of(&[255], &at_most(300)), Some((0, Refused::TooLarge)));
    }

    /// Two messages of 2 bytes, and the prefix of one of 300.
    const GOOD_AND_TOO_LARGE: [u8; 20] =
        [0, 0, 0, 0, 2, 1, 2, 0, 0, 0, 0, 2, 3, 4, 0, 0, 0, 1, 44, 9];

    #[test]
    fn what_came_before_a_message_that_is_too_large_is_good() {
        for cut in 0..19 {
            let (head, rest) = GOOD_AND_TOO_LARGE.split_at(cut);
            let mut messages = Messages::default();
            assert_eq!(messages.good_of(head, &at_most(299)), None, "cut at {cut}");
            // The first part of a split prefix is among the bytes that were handed on.
            let good = 14_usize.saturating_sub(cut);
            assert_eq!(
                messages.good_of(rest, &at_most(299)),
                Some((good, Refused::TooLarge)),
                "cut at {cut}"
            );
        }
    }

    #[tokio::test]
    async fn a_body_hands_on_what_is_good_before_it_fails() {
        let body =
            Body::new(http_body_util::Full::new(BodyBytes::from_static(&GOOD_AND_TOO_LARGE)));
        let mut body = SizeLimited::new(body, at_most(299));
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

    #[test]
    fn a_message_without_room_is_refused_before_it_is_read() {
        let held = HeldBytes::new(600, Meters::off()).call(&"a".parse().unwrap(), 1);
        let terms = MessageTerms { limit: 300, time: None, held: Some(Arc::clone(&held)) };
        let mut messages = Messages::default();
        assert_eq!(messages.good_of(&stream(), &terms), None);
        assert_eq!(messages.good_of(&stream(), &terms), Some((0, Refused::NoRoom)));
        held.give_back_oldest();
        assert_eq!(Messages::default().good_of(&stream(), &terms), None);
    }

    /// A body of this data that never ends.
    fn open_body(data: &'static [u8], time: Duration) -> SizeLimited {
        let data = stream::iter([Ok::<_, Status>(Frame::data(BodyBytes::from_static(data)))]);
        let body = Body::new(http_body_util::StreamBody::new(data.chain(stream::pending())));
        SizeLimited::new(body, MessageTerms { time: Some(time), ..at_most(300) })
    }

    #[tokio::test]
    async fn a_message_that_does_not_come_to_its_end_is_late() {
        let mut body = open_body(&[0, 0, 0, 0, 2, 7], Duration::from_millis(1));
        let mut next = async || {
            std::future::poll_fn(|context| {
                http_body::Body::poll_frame(Pin::new(&mut body), context)
            })
            .await
            .unwrap()
        };
        assert!(next().await.is_ok());
        assert_eq!(next().await.unwrap_err().code(), tonic::Code::DeadlineExceeded);
    }

    #[tokio::test]
    async fn between_two_messages_nothing_is_late() {
        let mut body = open_body(&[0, 0, 0, 0, 1, 7], Duration::ZERO);
        let mut poll = || {
            let context = &mut Context::from_waker(std::task::Waker::noop());
            http_body::Body::poll_frame(Pin::new(&mut body), context)
        };
        assert!(matches!(poll(), Poll::Ready(Some(Ok(_)))));
        assert!(poll().is_pending());
        assert!(body.ends.is_none());
    }
}
