//! The machine of a process, here a function of the seed: time, random numbers, turns to run.
//!
//! One thread is one world. Its hosts run on it in turns, on the clock of a paused runtime, which goes on
//! only when every host waits.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::panic::{self, AssertUnwindSafe};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use paigow_round::NoEntropy;
use paigow_testkit::casino::{OPEN_FROM, SeededChoices};
use tokio::task::coop::unconstrained;
use tokio::time::Instant;
use tracing::field::{Field, Visit};
use tracing::span;
use tracing::{Event, Level, Metadata, Subscriber};

/// The place of a host in the world.
pub(crate) type HostId = usize;

/// How many seconds after its first epoch has opened a world begins: a clock may be a little behind.
const BEGINS: u64 = 12;

/// The host of the world itself: operator, players, faults. Its clock is right.
pub(crate) const WORLD: HostId = 0;

struct Machine {
    began: Instant,
    running: HostId,
    /// By how many milliseconds the clock of each host is wrong.
    skews: Vec<i64>,
    choices: SeededChoices,
    /// Whether the process that runs waits for its database or its disk, which are real.
    waits_outside: bool,
    /// The process that runs.
    life: Option<Arc<Life>>,
    futures: u64,
    log: String,
    /// Whether each line of the log is shown at once.
    traces: bool,
    /// The losses of evidence that replicas have reported.
    losses: Vec<String>,
    /// The future that runs.
    future: u64,
    /// The future that has stored a lock last, and when, in Unix milliseconds.
    claimed: (u64, u64),
    /// The folder of the world. No log names it, since it differs from run to run.
    folder: String,
}

impl Machine {
    fn next_future(&mut self) -> u64 {
        self.futures += 1;
        self.futures
    }
}

thread_local! {
    static MACHINE: RefCell<Option<Machine>> = const { RefCell::new(None) };
}

fn with<T>(act: impl FnOnce(&mut Machine) -> T) -> T {
    MACHINE.with_borrow_mut(|machine| act(machine.as_mut().expect("the world has begun")))
}

/// Begins a world on this thread.
pub(crate) fn begin(seed: u64, hosts: usize, folder: &str) {
    let machine = Machine {
        began: Instant::now(),
        running: WORLD,
        skews: vec![0; hosts],
        choices: SeededChoices(seed),
        waits_outside: false,
        life: None,
        futures: 0,
        log: String::new(),
        traces: std::env::var_os("SIMULATION_TRACE").is_some(),
        losses: Vec::new(),
        future: 0,
        claimed: (0, 0),
        folder: folder.to_owned(),
    };
    MACHINE.set(Some(machine));
}

/// Ends the world of this thread. Returns its log.
pub(crate) fn end() -> String {
    MACHINE.take().map(|machine| machine.log).unwrap_or_default()
}

/// The clock of the host that runs, in Unix milliseconds.
pub(crate) fn now_ms() -> u64 {
    with(|machine| {
        let since = i64::try_from(machine.began.elapsed().as_millis()).unwrap_or(i64::MAX);
        let right = (OPEN_FROM + BEGINS) * 1000;
        right.saturating_add_signed(since + machine.skews[machine.running])
    })
}

/// The clock of the host that runs, in Unix seconds.
pub(crate) fn now() -> u64 {
    now_ms() / 1000
}

/// Sets by how many milliseconds the clock of a host is wrong.
pub(crate) fn set_skew(host: HostId, milliseconds: i64) {
    with(|machine| machine.skews[host] = milliseconds);
}

/// The entropy of every host.
pub(crate) fn draw(buffer: &mut [u8]) -> Result<(), NoEntropy> {
    with(|machine| buffer.fill_with(|| machine.choices.next().to_le_bytes()[0]));
    Ok(())
}

/// Returns a number below `bound`.
pub(crate) fn below(bound: u64) -> u64 {
    with(|machine| machine.choices.below(bound))
}

/// Returns true in `percent` of 100 cases.
pub(crate) fn happens(percent: u64) -> bool {
    below(100) < percent
}

/// Returns a number of any size: what varies the pauses of clients.
pub(crate) fn chance() -> u16 {
    u16::try_from(below(1 << 16)).unwrap_or(u16::MAX)
}

/// Whether a replica has reported that it lost a file of a boot.
pub(crate) fn loss_was_told(boot: &str) -> bool {
    with(|machine| machine.losses.iter().any(|loss| loss.contains(boot)))
}

/// Whether the future that runs has just stored a lock. It may also sign one that a process has stored before it was killed.
pub(crate) fn has_just_claimed() -> bool {
    let now = now_ms();
    with(|machine| machine.claimed == (machine.future, now))
}

/// Adds a line to the log of the world.
pub(crate) fn log(line: fmt::Arguments<'_>) {
    with(|machine| {
        let since = machine.began.elapsed().as_millis();
        let mut line = line.to_string().replace(&machine.folder, "");
        // A statement may stand on several lines.
        if line.contains('\n') {
            line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        if machine.traces {
            eprintln!("{since} {} {line}", machine.running);
        }
        writeln!(machine.log, "{since} {} {line}", machine.running)
            .expect("a string takes any text");
    });
}

/// Adds a line to the log of the world.
#[macro_export]
macro_rules! note {
    ($($part:tt)*) => { $crate::machine::log(format_args!($($part)*)) };
}

/// Notes that the process that runs waits for another process of the world, and not for its disk.
pub(crate) fn waits_inside() {
    with(|machine| machine.waits_outside = false);
}

/// Whether a process is alive, runs, or waits until it may run again.
#[derive(Debug, Default)]
pub(crate) struct Life {
    dead: AtomicBool,
    paused: AtomicBool,
    /// The tasks that are to run again when that changes.
    tasks: Mutex<BTreeMap<u64, Waker>>,
    /// The steps after which it dies; 0 if it does not.
    dies_after: Mutex<u64>,
}

impl Life {
    /// Ends the process at once: none of its futures is polled again.
    pub(crate) fn kill(&self) {
        self.dead.store(true, Ordering::SeqCst);
        self.wake();
    }

    /// Ends the process when it has begun so many more steps.
    pub(crate) fn kill_after(&self, steps: u64) {
        *self.dies_after.lock().unwrap() = steps;
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.dead.load(Ordering::SeqCst)
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::SeqCst)
    }

    /// Lets the process run, or not.
    pub(crate) fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::SeqCst);
        self.wake();
    }

    fn wake(&self) {
        self.tasks.lock().unwrap().values().for_each(Waker::wake_by_ref);
    }

    /// Begins a step. Returns whether the process dies before it.
    fn dies_before_step(&self) -> bool {
        let mut left = self.dies_after.lock().unwrap();
        let dies = *left == 1;
        *left = left.saturating_sub(1);
        if dies {
            self.dead.store(true, Ordering::SeqCst);
        }
        dies
    }
}

/// Unwinds a process that is killed in the midst of its work.
struct Killed;

/// A future of a host: it sees the clock of the host, stands still while its process is paused, and is
/// dropped when that is killed. Then its output is [`None`].
///
/// A process that waits for its own database or disk stops the world until it goes on. Both are
/// real, and their time is not the world's time.
pub(crate) struct OnHost<F> {
    inner: Pin<Box<F>>,
    host: HostId,
    life: Arc<Life>,
    /// Tells the futures of a process apart.
    id: u64,
    /// Whether it has called its database or disk, and no host of the world since.
    waits_outside: bool,
    step: Arc<StepWaker>,
}

impl<F: Future> OnHost<F> {
    pub(crate) fn new(host: HostId, life: &Arc<Life>, inner: F) -> Self {
        let step = StepWaker {
            woken: AtomicBool::new(false),
            thread: thread::current(),
            outer: Mutex::new(Waker::noop().clone()),
        };
        Self {
            inner: Box::pin(inner),
            host,
            life: Arc::clone(life),
            id: with(Machine::next_future),
            waits_outside: false,
            step: Arc::new(step),
        }
    }
}

impl<F> Drop for OnHost<F> {
    fn drop(&mut self) {
        self.life.tasks.lock().unwrap().remove(&self.id);
    }
}

/// Wakes the task that a process runs in, and the thread, if it waits for nothing else.
struct StepWaker {
    woken: AtomicBool,
    thread: Thread,
    outer: Mutex<Waker>,
}

impl Wake for StepWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.woken.store(true, Ordering::SeqCst);
        // Another thread is that of a database or disk: the process waits for it before anybody else runs.
        if thread::current().id() == self.thread.id() {
            self.outer.lock().unwrap().wake_by_ref();
        } else {
            self.thread.unpark();
        }
    }
}

impl<F: Future> Future for OnHost<F> {
    type Output = Option<F::Output>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<F::Output>> {
        let this = self.get_mut();
        this.step.outer.lock().unwrap().clone_from(context.waker());
        let waker = Waker::from(Arc::clone(&this.step));
        loop {
            if this.life.is_dead() {
                return Poll::Ready(None);
            }
            this.life.tasks.lock().unwrap().insert(this.id, context.waker().clone());
            if this.life.is_paused() {
                return Poll::Pending;
            }
            this.step.woken.store(false, Ordering::SeqCst);
            let before = with(|machine| {
                // It goes on in the midst of what it has begun.
                machine.waits_outside = this.waits_outside;
                let life = machine.life.replace(Arc::clone(&this.life));
                let future = std::mem::replace(&mut machine.future, this.id);
                (std::mem::replace(&mut machine.running, this.host), life, future)
            });
            // A budget that is used up would look like a wait for the disk.
            let mut inner = unconstrained(this.inner.as_mut());
            let mut context_of_step = Context::from_waker(&waker);
            let poll = || Pin::new(&mut inner).poll(&mut context_of_step);
            let polled = panic::catch_unwind(AssertUnwindSafe(poll));
            with(|machine| {
                (machine.running, machine.life, machine.future) = before;
                this.waits_outside = machine.waits_outside;
            });
            let polled = match polled {
                Ok(polled) => polled,
                Err(cause) if cause.is::<Killed>() => return Poll::Ready(None),
                Err(cause) => panic::resume_unwind(cause),
            };
            match polled {
                Poll::Ready(output) => return Poll::Ready(Some(output)),
                Poll::Pending if this.waits_outside => {
                    while !this.step.woken.load(Ordering::SeqCst) {
                        thread::park();
                    }
                }
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}

/// Writes what the code under test logs to the log of the world, and learns from it when a client turns to its
/// database.
#[derive(Debug)]
pub(crate) struct WorldLog;

impl Subscriber for WorldLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && metadata.target().starts_with("paigow")
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let target = event.metadata().target();
        let mut text = String::new();
        event.record(&mut FieldText(&mut text));
        let is_step = *event.metadata().level() == Level::TRACE && !target.ends_with("answers");
        if is_step && target.starts_with("paigow_client::") {
            let life = with(|machine| {
                machine.waits_outside = true;
                machine.life.clone()
            });
            if life.is_some_and(|life| life.dies_before_step()) {
                log(format_args!("killed before {text}"));
                panic::resume_unwind(Box::new(Killed));
            }
        }
        if text.contains("INSERT INTO paigow_locks") {
            let now = now_ms();
            with(|machine| machine.claimed = (machine.future, now));
        }
        if text.contains("event=evidence_lost") {
            with(|machine| machine.losses.push(text.clone()));
        }
        log(format_args!("{target}{text}"));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

struct FieldText<'a>(&'a mut String);

impl Visit for FieldText<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        write!(self.0, " {}={value}", field.name()).expect("a string takes any text");
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).expect("a string takes any text");
    }
}
