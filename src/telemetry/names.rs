//! Names of the OpenTelemetry conventions for RPCs, v1.44 (a release candidate), in the
//! one place where a rename is made.

use tonic::Code;

/// `rpc.system.name` of every call.
pub(super) const GRPC: &str = "grpc";

/// `rpc.method` of a path that is no method of ours: or a scanner mints names.
pub(super) const OTHER: &str = "_OTHER";

/// Returns the value of `rpc.status_code`.
pub(super) const fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// Whether the conventions count `code` as an error of a server.
pub(super) const fn is_server_fault(code: Code) -> bool {
    matches!(
        code,
        Code::DataLoss
            | Code::DeadlineExceeded
            | Code::Internal
            | Code::Unavailable
            | Code::Unimplemented
            | Code::Unknown
    )
}
