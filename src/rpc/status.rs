//! The one place where an error becomes a gRPC status.
//!
//! A status always has `ErrorInfo`. It has `BadRequest` with the violations found if the request is
//! wrong, and `PreconditionFailure` if a precondition fails. No text of a dependency and no cause of
//! our own failures leaves the process.

use std::borrow::Cow;
use std::time::Duration;

use tonic::metadata::MetadataValue;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

use paigow_proto::v1::ErrorReason;
use paigow_round::audit::AuditWork;
use paigow_round::{Refusal, RefusalClass};

/// `google.rpc.ErrorInfo.domain` of every error of this service.
pub const DOMAIN: &str = "paigow.v1";

/// The message of every failure of the server.
const SERVER_FAILED: &str = "the server has failed";

/// How many bytes of text a status carries at most, message and violations together. Details
/// are in a trailer, and clients refuse trailers of more than about 8 KiB.
const TEXT_BYTES: usize = 3584;

/// How many bytes a message, or the path or the sentence of a violation, has at most. The trailer
/// has the message twice, once with three bytes for each byte that is not plain ASCII.
const MESSAGE_BYTES: usize = 512;

/// Returns `text`, shortened to its beginning if it is too long for a status.
fn shortened(text: &str) -> Cow<'_, str> {
    const MARK: &str = "...";
    if text.len() <= MESSAGE_BYTES {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(MESSAGE_BYTES - MARK.len());
    Cow::Owned(format!("{}{MARK}", &text[..end]))
}

/// The metadata type of `ErrorInfo`. A protobuf map has no order anyway.
#[expect(clippy::disallowed_types, reason = "the signature of tonic-types")]
type Metadata = std::collections::HashMap<String, String>;

/// Returns the reason in `ErrorInfo.reason`, which is the enum's name without its prefix.
fn word(reason: ErrorReason) -> &'static str {
    let name = reason.as_str_name();
    name.strip_prefix("ERROR_REASON_").unwrap_or(name)
}

const fn code(class: RefusalClass) -> Code {
    match class {
        RefusalClass::InvalidArgument => Code::InvalidArgument,
        RefusalClass::FailedPrecondition => Code::FailedPrecondition,
        RefusalClass::PermissionDenied => Code::PermissionDenied,
        RefusalClass::Unavailable => Code::Unavailable,
        RefusalClass::Internal => Code::Internal,
    }
}

/// Returns the message of a status, in one line. A caller that logs no details must see which field
/// is at fault, and whether there are others.
fn sentence(refusal: &Refusal) -> String {
    let mut text = match refusal.violations.first() {
        Some(first) if !first.field.is_empty() => format!("{}: {}", first.field, refusal.message),
        Some(_) | None => refusal.message.clone(),
    };
    let others = refusal.violations.len().saturating_sub(1);
    if others > 0 {
        text += &format!(" (and {others} more)");
    }
    text
}

/// Returns the metadata of the status of a refusal, for programs: its facts, and the field that it
/// blames first.
fn metadata(refusal: &Refusal) -> Metadata {
    let facts = refusal.facts.iter().map(|(key, value)| (key.as_str().to_owned(), value.clone()));
    let mut metadata: Metadata = facts.collect();
    if let Some(first) = refusal.violations.first()
        && refusal.reason.class() != RefusalClass::FailedPrecondition
    {
        metadata.insert("field".to_owned(), shortened(&first.field).into_owned());
    }
    metadata
}

/// Makes the status of a refusal.
///
/// Its message is the first violation, with the path of the field and the count of the others.
/// `BadRequest` lists the violations in the request's order, the first in any case. If there are too
/// many for a trailer, `ErrorInfo.metadata["omittedViolations"]` states how many were left out. A
/// text of more than 512 bytes is cut.
#[must_use]
pub fn of_refusal(refusal: &Refusal) -> Status {
    let mut details = ErrorDetails::new();
    let mut metadata = metadata(refusal);
    let mut message = shortened(&refusal.message);
    match refusal.reason.class() {
        RefusalClass::InvalidArgument => {
            message = Cow::Owned(shortened(&sentence(refusal)).into_owned());
            let mut room = TEXT_BYTES - MESSAGE_BYTES;
            let mut violations = Vec::new();
            for violation in &refusal.violations {
                let (field, what) = (shortened(&violation.field), shortened(&violation.message));
                let reason = violation.reason.as_str();
                let size = field.len() + what.len() + reason.len() + 8;
                // The first, which is the reason, has room in any case.
                if size > room {
                    break;
                }
                room -= size;
                violations.push(FieldViolation {
                    reason: reason.to_owned(),
                    ..FieldViolation::new(field, what)
                });
            }
            let omitted = refusal.violations.len() - violations.len();
            if omitted > 0 {
                metadata.insert("omittedViolations".to_owned(), omitted.to_string());
            }
            details.set_bad_request(violations);
        }
        RefusalClass::FailedPrecondition => {
            let blamed = refusal.violations.first();
            details.add_precondition_failure_violation(
                refusal.reason.as_str(),
                blamed.map_or(Cow::Borrowed(""), |violation| shortened(&violation.field)),
                message.as_ref(),
            );
        }
        RefusalClass::PermissionDenied | RefusalClass::Unavailable => {}
        RefusalClass::Internal => {
            tracing::error!(
                reason = refusal.reason.as_str(),
                cause = refusal.message,
                "an invariant is broken"
            );
        }
    }
    details.set_error_info(refusal.reason.as_str(), DOMAIN, metadata);
    let message = match refusal.reason.class() {
        RefusalClass::Internal => SERVER_FAILED,
        RefusalClass::InvalidArgument
        | RefusalClass::FailedPrecondition
        | RefusalClass::PermissionDenied
        | RefusalClass::Unavailable => &message,
    };
    Status::with_error_details(code(refusal.reason.class()), message, details)
}

/// Makes a status that does not come from a refusal of the engine.
fn bare(code: Code, reason: ErrorReason, message: &str, metadata: Metadata) -> Status {
    let mut details = ErrorDetails::new();
    details.set_error_info(word(reason), DOMAIN, metadata);
    Status::with_error_details(code, message, details)
}

/// Returns the status of a call that took too long.
#[must_use]
pub fn deadline_exceeded() -> Status {
    let message = "the call took longer than the server or its caller allows";
    bare(Code::DeadlineExceeded, ErrorReason::Deadline, message, Metadata::new())
}

/// Returns the status of a caller that is not known here.
#[must_use]
pub fn unknown_caller() -> Status {
    let message = "the caller shows no certificate or token that this server knows";
    bare(Code::Unauthenticated, ErrorReason::Credentials, message, Metadata::new())
}

/// Returns the status of a caller whose credentials do not name one client.
#[must_use]
pub fn credentials_disagree(message: &str) -> Status {
    bare(Code::Unauthenticated, ErrorReason::Credentials, message, Metadata::new())
}

/// Returns the status of a caller without the role that a method needs.
#[must_use]
pub fn no_role() -> Status {
    let message = "the caller has no role that may call the method";
    bare(Code::PermissionDenied, ErrorReason::Role, message, Metadata::new())
}

/// Returns the status of a call for which there is no room, to be tried again after
/// `pause`.
fn shed(code: Code, reason: ErrorReason, message: &str, pause: Duration) -> Status {
    let mut details = ErrorDetails::new();
    details.set_error_info(word(reason), DOMAIN, Metadata::new());
    details.set_retry_info(Some(pause));
    let mut status = Status::with_error_details(code, message, details);
    // gRPC clients that retry by themselves read this.
    let milliseconds = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
    status.metadata_mut().insert("grpc-retry-pushback-ms", MetadataValue::from(milliseconds));
    status
}

/// Returns the status of a tenant that calls more often than it may; the next call is
/// free after `pause`.
#[must_use]
pub fn tenant_rate(pause: Duration) -> Status {
    let message = "the tenant calls more often than it may";
    shed(Code::ResourceExhausted, ErrorReason::TenantRate, message, pause)
}

/// Returns the status of a tenant with more calls open than it may have.
#[must_use]
pub fn tenant_concurrency(pause: Duration) -> Status {
    let message = "the tenant has more calls open than it may";
    shed(Code::ResourceExhausted, ErrorReason::TenantConcurrency, message, pause)
}

/// Returns the status of a call that this replica has no room for.
#[must_use]
pub fn overloaded(pause: Duration) -> Status {
    let message = "this replica has too many calls open";
    shed(Code::Unavailable, ErrorReason::Overloaded, message, pause)
}

/// Returns the status of a new round in a process that does not match its release record.
#[must_use]
pub fn engine_unverified() -> Status {
    let message = "this replica does not match its release record: no new rounds";
    bare(Code::Unavailable, ErrorReason::EngineUnverified, message, Metadata::new())
}

/// Returns the status of a call for evidence files where evidence is kept elsewhere.
#[must_use]
pub fn evidence_not_in_files() -> Status {
    let message = "this replica keeps no evidence in files: evidence.target is not \"file\"";
    let reason = word(ErrorReason::EvidenceNotInFiles);
    let mut details = ErrorDetails::new();
    details.set_error_info(reason, DOMAIN, Metadata::new());
    details.add_precondition_failure_violation(reason, "", message);
    Status::with_error_details(Code::FailedPrecondition, message, details)
}

/// Returns the status of a call whose records could not be kept.
#[must_use]
pub fn not_recorded() -> Status {
    let message = "the records could not be kept, so there is no answer";
    bare(Code::Unavailable, ErrorReason::NotRecorded, message, Metadata::new())
}

/// Returns the status of a request above the size limit of its method, in bytes; the
/// limit is in `ErrorInfo.metadata["maximumBytes"]`.
#[must_use]
pub fn message_too_large(maximum: usize) -> Status {
    let metadata = Metadata::from([("maximumBytes".to_owned(), maximum.to_string())]);
    let message = "the message is larger than the limit of its method";
    bare(Code::ResourceExhausted, ErrorReason::MessageSize, message, metadata)
}

/// Returns the status of an audit that takes more work than its budget.
pub(super) fn audit_work(work: AuditWork, counted: u64, maximum: u64) -> Status {
    let facts = [
        ("work", work.name().to_owned()),
        ("counted", counted.to_string()),
        ("maximum", maximum.to_string()),
    ];
    let metadata = facts.map(|(key, value)| (key.to_owned(), value)).into();
    let message = format!("the audit takes {counted} {work}, and the server allows {maximum}");
    bare(Code::ResourceExhausted, ErrorReason::AuditWork, &message, metadata)
}

/// Returns the status of a request of an audit for which the process has no bytes left.
#[must_use]
pub fn no_bytes_for_audits(pause: Duration) -> Status {
    let message = "this replica holds as many bytes of audits as it may";
    shed(Code::Unavailable, ErrorReason::Overloaded, message, pause)
}

/// Returns the status of an answer for which the process has no bytes left, because earlier answers
/// wait to be read.
#[must_use]
pub fn answers_not_read(pause: Duration) -> Status {
    let message = "this replica holds as many bytes of answers that nobody reads as it may";
    shed(Code::Unavailable, ErrorReason::Overloaded, message, pause)
}

/// Returns the status of a body that is not a valid message of the method. It has no fields, so the
/// path of its violation is empty.
#[must_use]
pub fn malformed_message() -> Status {
    malformed_at("")
}

fn malformed_at(field: &str) -> Status {
    let message = "the request body is not a valid message of the method";
    let mut details = ErrorDetails::new();
    details.set_error_info(word(ErrorReason::Message), DOMAIN, Metadata::new());
    details.add_bad_request_violation(field, message);
    Status::with_error_details(Code::InvalidArgument, message, details)
}

/// Returns the status with which a stream of requests ends. If request `place`, counted from 0, is
/// too large or not a valid message, it is `theirs`, blaming `requests[place]`. Any other status is
/// returned unchanged.
pub(super) fn in_stream(theirs: Status, place: u64) -> Status {
    let field = format!("requests[{place}]");
    match theirs.code() {
        Code::Internal => malformed_at(&field),
        Code::ResourceExhausted => {
            let mut details = theirs.get_error_details();
            details.add_bad_request_violation(field, theirs.message());
            Status::with_error_details(theirs.code(), theirs.message(), details)
        }
        Code::Ok
        | Code::Cancelled
        | Code::Unknown
        | Code::InvalidArgument
        | Code::DeadlineExceeded
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::Unavailable
        | Code::DataLoss
        | Code::Unauthenticated => theirs,
    }
}

/// Returns the status of a call of a method that does not exist.
#[must_use]
pub fn unknown_method() -> Status {
    let message = "the service has no such method";
    bare(Code::Unimplemented, ErrorReason::Method, message, Metadata::new())
}

/// Returns the status of a call whose messages are compressed. `grpc-accept-encoding` lists the
/// accepted encodings (gRPC over HTTP/2, "Compression").
#[must_use]
pub fn compressed() -> Status {
    let message = "messages must be uncompressed";
    let mut status = bare(Code::Unimplemented, ErrorReason::Compression, message, Metadata::new());
    status.metadata_mut().insert("grpc-accept-encoding", MetadataValue::from_static("identity"));
    status
}

/// Returns the status that marks a request that broke off, until [`own`] turns it into
/// [`given_up`]. No other status here has its code.
#[must_use]
pub fn torn_off() -> Status {
    Status::aborted("")
}

/// Returns the status of a call whose caller left before its answer. It has no reason: no caller
/// reads it, and nothing is wrong here.
#[must_use]
pub fn given_up() -> Status {
    Status::cancelled("the caller has left")
}

/// Returns the status of a failure of the server, as a panic: one sentence, no cause.
#[must_use]
pub fn server_failed() -> Status {
    bare(Code::Internal, ErrorReason::Server, SERVER_FAILED, Metadata::new())
}

/// Returns the reason that a status of this service carries, or [`None`] for a status that
/// is not its own.
#[must_use]
pub fn reason(status: &Status) -> Option<String> {
    let info = status.get_details_error_info()?;
    (info.domain == DOMAIN).then_some(info.reason)
}

/// Returns the path of the first field that a status of this service blames, if it blames one.
#[must_use]
pub fn field(status: &Status) -> Option<String> {
    let details = status.get_error_details();
    let bad = details.bad_request().map(|bad| bad.field_violations.as_slice());
    let first = bad.and_then(|violations| Some(violations.first()?.field.clone()));
    let named = || details.error_info()?.metadata.get("field").cloned();
    first.or_else(named).filter(|field| !field.is_empty())
}

/// Returns `status` if it is this service's own, else this service's status for the same failure.
///
/// It replaces the answers of the transport before a handler is reached. For a body that is not a
/// valid message, tonic answers `INTERNAL` without details. `maximum` is the size limit of the method
/// in bytes.
#[must_use]
pub fn own(status: Status, maximum: usize) -> Status {
    if reason(&status).is_some() {
        return status;
    }
    match status.code() {
        Code::Internal | Code::InvalidArgument => malformed_message(),
        Code::OutOfRange => message_too_large(maximum),
        Code::Unimplemented => unknown_method(),
        Code::DeadlineExceeded | Code::Cancelled => deadline_exceeded(),
        Code::Aborted => given_up(),
        Code::Ok
        | Code::Unknown
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::Unavailable
        | Code::DataLoss
        | Code::Unauthenticated => server_failed(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use paigow_round::Reason;

    /// Every value of the proto's enum except the unused one.
    fn reasons() -> impl Iterator<Item = ErrorReason> {
        (1..).map_while(|number| ErrorReason::try_from(number).ok())
    }

    #[test]
    fn the_contract_lists_every_reason_of_the_engine_and_the_servers_own() {
        let listed: BTreeSet<&str> = reasons().map(word).collect();
        let of_engine = Reason::ALL.iter().map(|reason| reason.as_str());
        let of_server = [
            "DEADLINE",
            "MESSAGE_SIZE",
            "MESSAGE",
            "METHOD",
            "SERVER",
            "CREDENTIALS",
            "ROLE",
            "TENANT_RATE",
            "TENANT_CONCURRENCY",
            "OVERLOADED",
            "NOT_RECORDED",
            "ENGINE_UNVERIFIED",
            "COMPRESSION",
            "AUDIT_WORK",
            "EVIDENCE_NOT_IN_FILES",
        ];
        let expected: BTreeSet<&str> = of_engine.chain(of_server).collect();
        assert_eq!(listed, expected);
        assert_eq!(listed.len(), reasons().count());
        assert!(listed.iter().all(|word| word.len() <= 63));
    }

    #[test]
    fn every_refusal_has_the_code_of_its_class_and_its_reason() {
        for &reason_of in Reason::ALL {
            let status = of_refusal(&Refusal::at(reason_of, "sheet.wagers[2].seat", "a sentence"));
            assert_eq!(reason(&status).as_deref(), Some(reason_of.as_str()));
            let details = status.get_error_details();
            let bad = details.bad_request().map(|bad| bad.field_violations.clone());
            let gate = details.precondition_failure().map(|gate| gate.violations.clone());
            match reason_of.class() {
                RefusalClass::InvalidArgument => {
                    assert_eq!(status.code(), Code::InvalidArgument);
                    let [violation] = &bad.unwrap()[..] else { panic!("one violation") };
                    assert_eq!(violation.field, "sheet.wagers[2].seat");
                    assert_eq!(violation.description, "a sentence");
                    assert_eq!(status.message(), "sheet.wagers[2].seat: a sentence");
                    assert!(gate.is_none());
                }
                RefusalClass::FailedPrecondition => {
                    assert_eq!(status.code(), Code::FailedPrecondition);
                    let [violation] = &gate.unwrap()[..] else { panic!("one violation") };
                    assert_eq!(violation.r#type, reason_of.as_str());
                    assert_eq!(violation.description, "a sentence");
                    assert!(bad.is_none());
                }
                RefusalClass::PermissionDenied => assert_eq!(status.code(), Code::PermissionDenied),
                RefusalClass::Unavailable => assert_eq!(status.code(), Code::Unavailable),
                RefusalClass::Internal => {
                    assert_eq!(status.code(), Code::Internal);
                    assert_eq!(status.message(), SERVER_FAILED);
                    assert!(bad.is_none());
                }
            }
        }
    }

    #[test]
    fn a_batch_that_is_too_large_is_told_the_limit() {
        let status =
            of_refusal(&Refusal::at(Reason::BatchLimit, "hands", "1 to 64 hands").within(1, 64));
        let info = status.get_details_error_info().unwrap();
        assert_eq!(info.metadata.get("maximum").map(String::as_str), Some("64"));
    }

    #[test]
    fn violations_are_cut_before_they_outgrow_a_trailer() {
        let mut refusals = paigow_round::Refusals::default();
        for i in 0..1000 {
            refusals.add(Reason::Wager, format!("sheet.wagers[{i}].bet"), "no such bet");
        }
        let status = of_refusal(&refusals.finish(()).unwrap_err());
        assert!(status.details().len() < 6000, "{} bytes", status.details().len());
        let details = status.get_error_details();
        let shown = details.bad_request().unwrap().field_violations.len();
        let omitted = &details.error_info().unwrap().metadata["omittedViolations"];
        assert_eq!(shown + omitted.parse::<usize>().unwrap(), 1000);
        assert_eq!(status.message(), "sheet.wagers[0].bet: no such bet (and 999 more)");
    }

    /// How many bytes of trailers a status takes, base64 and percent signs counted.
    fn trailer_bytes(status: Status) -> usize {
        let answer = status.into_http::<()>();
        answer.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 32).sum()
    }

    #[test]
    fn a_long_sentence_is_cut_and_its_violation_kept() {
        // Two bytes a character, and one before them: the cut would fall inside a character.
        let sentence = format!("a{}", "\u{e9}".repeat(5000));
        for &reason_of in Reason::ALL {
            let refusal = Refusal::at(reason_of, "sheet.".repeat(5000), sentence.as_str());
            let status = of_refusal(&refusal);
            assert_eq!(reason(&status).as_deref(), Some(reason_of.as_str()));
            if reason_of.class() != RefusalClass::Internal {
                let kept = status.message().strip_suffix("...").unwrap();
                let begin = if reason_of.class() == RefusalClass::InvalidArgument {
                    "sheet."
                } else {
                    "a\u{e9}"
                };
                assert!(kept.len() >= 500 && kept.starts_with(begin), "{kept}");
                assert!(status.message().len() <= 512);
            }
            if reason_of.class() == RefusalClass::InvalidArgument {
                let details = status.get_error_details();
                let violations = &details.bad_request().unwrap().field_violations;
                let [violation] = &violations[..] else { panic!("one violation") };
                assert!(violation.field.starts_with("sheet.sheet."));
                let kept = violation.description.strip_suffix("...").unwrap();
                assert!(kept.len() >= 500 && sentence.starts_with(kept), "{kept}");
            }
            let bytes = trailer_bytes(status);
            assert!(bytes < 8192, "{bytes} bytes");
        }
    }

    #[test]
    fn a_full_status_fits_a_trailer() {
        let sentence = "\u{e9}".repeat(300);
        let mut refusals = paigow_round::Refusals::default();
        for i in 0..100 {
            refusals.add(Reason::Wager, format!("sheet.wagers[{i}].bet"), sentence.as_str());
        }
        let bytes = trailer_bytes(of_refusal(&refusals.finish(()).unwrap_err()));
        assert!(bytes < 8192, "{bytes} bytes");
    }

    #[test]
    fn what_the_transport_answers_gets_our_words() {
        for (theirs, code, word) in [
            (Status::internal("invalid wire type"), Code::InvalidArgument, "MESSAGE"),
            (
                Status::out_of_range("decoded message length"),
                Code::ResourceExhausted,
                "MESSAGE_SIZE",
            ),
            (Status::unimplemented(""), Code::Unimplemented, "METHOD"),
            (Status::cancelled("Timeout expired"), Code::DeadlineExceeded, "DEADLINE"),
            (Status::unknown("h2 says"), Code::Internal, "SERVER"),
        ] {
            let ours = own(theirs, 7);
            assert_eq!((ours.code(), reason(&ours).as_deref()), (code, Some(word)));
            assert!(!ours.message().contains("says"));
        }
        let left = own(torn_off(), 7);
        assert_eq!((left.code(), reason(&left)), (Code::Cancelled, None));
        let ours = of_refusal(&Refusal::of(Reason::OpenFirst, "a sentence"));
        assert_eq!(own(ours, 7).code(), Code::FailedPrecondition);
    }
}
