//! `paigow-lab monitor`.

use std::io::Write;
use std::time::Duration;

use crate::arguments::MonitorArguments;
use paigow_lab::monitor::{self, MonitorRequest};
use paigow_lab::{CommandError, CommandOutcome, audit};

pub(crate) fn run(
    arguments: MonitorArguments,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let catalogue = audit::catalogue(&arguments.rulesets, &arguments.house_ways)?;
    let root = arguments.root.root()?;
    let request = MonitorRequest {
        log: arguments.log,
        views: arguments.views,
        manifests: arguments.manifests,
        root: root.ok_or_else(|| CommandError::Usage("missing --root".to_owned()))?,
        witnesses: arguments.witnesses,
        wanted: arguments.wanted,
        stale: arguments.stale,
        grace: arguments.grace,
        state: arguments.state,
        every: arguments.every.map(Duration::from_secs),
        listen: arguments.listen,
        as_of: arguments.as_of,
        samples: arguments.samples,
    };
    monitor::run(&request, &catalogue, out)
}
