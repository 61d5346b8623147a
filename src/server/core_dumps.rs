//! Core dumps are off: a dump would hold every key of the process.

use std::io;

use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

/// Forbids core dumps of this process. A debugger of another user than root cannot attach either.
///
/// # Errors
///
/// If the system refuses. Both steps are tried, and the first error is returned.
pub fn forbid() -> io::Result<()> {
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let limited = setrlimit(Resource::Core, none);
    // A `core_pattern` that begins with a pipe ignores the limit.
    let marked = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    limited.and(marked).map_err(Into::into)
}
