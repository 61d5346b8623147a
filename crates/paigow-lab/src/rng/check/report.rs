//! A run of the battery as text and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::plan::{CheckPlan, CheckTest};
use super::verdict::{SIGNIFICANCE, TestFailure};

/// The source of what was tested.
pub(super) enum CheckSubject<'a> {
    /// The generator of production.
    Generator(&'a CheckPlan),
    /// Decks that somebody has collected.
    Decks {
        /// Their file, as messages name it.
        name: &'a str,
        /// How many there are.
        count: u64,
    },
}

/// A battery with its results and verdict.
pub(super) struct CheckReport<'a> {
    pub(super) subject: CheckSubject<'a>,
    pub(super) tests: &'a [CheckTest],
    pub(super) failures: &'a [Option<TestFailure>],
}

/// Tests of one group, in their order.
struct TestGroup<'a> {
    name: &'static str,
    tests: Vec<(&'a CheckTest, Option<TestFailure>)>,
}

const fn word(failure: TestFailure) -> &'static str {
    match failure {
        TestFailure::TooUneven => "too_uneven",
        TestFailure::TooEven => "too_even",
    }
}

impl CheckReport<'_> {
    /// Whether every test that could be made was passed.
    pub(super) fn is_passed(&self) -> bool {
        self.failures.iter().all(Option::is_none)
    }

    fn count(&self, is_meant: impl Fn(&CheckTest) -> bool) -> usize {
        self.tests.iter().filter(|test| is_meant(test)).count()
    }

    /// Returns the schema documented at [`super::check`] and at [`super::check_decks`].
    pub(super) fn json(&self) -> Value {
        let tests = self.tests.iter().zip(self.failures).map(|(test, failure)| {
            let mut told = json!({ "group": test.group, "name": test.name });
            match &test.result {
                Ok(fit) => {
                    told["samples"] = json!(fit.samples);
                    told["cells"] = json!(fit.cells);
                    told["dof"] = json!(fit.dof);
                    told["statistic"] = json!(fit.statistic);
                    told["p_upper"] = json!(fit.tails.upper);
                    told["p_lower"] = json!(fit.tails.lower);
                    told["failure"] = json!(failure.map(word));
                }
                Err(few) => told["needs"] = json!(few.needed),
            }
            told
        });
        let mut told = match self.subject {
            CheckSubject::Generator(plan) => json!({
                "seed": hex::encode(plan.secret),
                "decks": plan.decks,
                "draws": plan.draws,
            }),
            CheckSubject::Decks { name, count } => json!({ "input": name, "decks": count }),
        };
        told["significance"] = json!(SIGNIFICANCE);
        told["rule"] = json!("holm");
        told["passed"] = json!(self.is_passed());
        told["tests"] = json!(tests.collect::<Vec<_>>());
        told
    }

    /// Writes a table of the groups, the tests that failed, and the verdict.
    pub(super) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        match self.subject {
            CheckSubject::Generator(CheckPlan { secret, decks, draws, threads: _ }) => {
                writeln!(out, "seed   {}", hex::encode(secret))?;
                writeln!(out, "decks  {decks}, draws {draws} for each bound\n")?;
            }
            CheckSubject::Decks { name, count } => {
                writeln!(out, "input  {name}\ndecks  {count}\n")?;
            }
        }
        writeln!(
            out,
            "{:<19} {:>5}  {:>10}  {:>10}  least fitting",
            "group", "tests", "least p", "too even"
        )?;
        for group in self.groups() {
            write_group(&group, out)?;
        }
        let made = self.count(|test| test.result.is_ok());
        let low = self.count(|test| test.result.as_ref().is_ok_and(|fit| fit.tails.upper < 0.01));
        let expected = format!("{}.{}", made / 100, made % 100 / 10);
        writeln!(out, "\n{low} of {made} p-values are below 0.01, where {expected} are expected.")?;
        writeln!(
            out,
            "Significance of all tests together: {SIGNIFICANCE}, by Holm's procedure at half of it \
             for what is\ntoo uneven and at half of it for what is too even, from 10 degrees of freedom on."
        )?;
        for (test, failure) in self.tests.iter().zip(self.failures) {
            if let (Ok(fit), Some(failure)) = (&test.result, failure) {
                let (what, p) = match failure {
                    TestFailure::TooUneven => ("too uneven", fit.tails.upper),
                    TestFailure::TooEven => ("too even", fit.tails.lower),
                };
                let (group, name) = (test.group, &test.name);
                writeln!(out, "FAILED {group}: {name}: {what}, p = {p:.3e}")?;
            }
        }
        writeln!(out, "\nverdict: {}", if self.is_passed() { "passed" } else { "failed" })
    }

    fn groups(&self) -> Vec<TestGroup<'_>> {
        let mut groups: Vec<TestGroup<'_>> = Vec::new();
        for (test, failure) in self.tests.iter().zip(self.failures) {
            match groups.last_mut() {
                Some(group) if group.name == test.group => group.tests.push((test, *failure)),
                Some(_) | None => {
                    groups.push(TestGroup { name: test.group, tests: vec![(test, *failure)] });
                }
            }
        }
        groups
    }
}

fn write_group(group: &TestGroup<'_>, out: &mut dyn Write) -> io::Result<()> {
    let made = group.tests.iter().filter_map(|(test, _)| Some((test, test.result.as_ref().ok()?)));
    let made: Vec<_> = made.collect();
    let Some((worst, fit)) =
        made.iter().min_by(|one, other| one.1.tails.upper.total_cmp(&other.1.tails.upper))
    else {
        let needed = group.tests.iter().filter_map(|(test, _)| test.result.as_ref().err());
        let needed = needed.map(|few| few.needed).max().unwrap_or(0);
        return writeln!(out, "{:<19} {:>5}  not made: needs {needed} samples", group.name, 0);
    };
    let even = made.iter().map(|(_, fit)| fit.tails.lower).fold(1.0, f64::min);
    writeln!(
        out,
        "{:<19} {:>5}  {:>10.6}  {even:>10.6}  {}",
        group.name,
        made.len(),
        fit.tails.upper,
        worst.name
    )
}
