use super::*;

fn envelope(kind: RecordKind, payload: &str) -> String {
    let payload = paigow_fairness::json::Json::str(payload);
    RecordEnvelope::unsigned(kind, &payload).to_line()
}

/// The pieces that a stream is cut into: for each piece a word, and for each round its line
/// numbers.
fn cut(text: &str) -> Vec<String> {
    let (mut cutter, mut pieces) = (BatchBuilder::default(), Vec::new());
    let mut give = |piece| {
        match piece {
            InputPart::Record(number, envelope) => {
                pieces.push(format!("{} {number}", envelope.kind().name()));
            }
            InputPart::Rounds(batch) => {
                for (lines, follows) in batch.rounds() {
                    let numbers: Vec<usize> = lines.iter().map(|(number, _)| *number).collect();
                    pieces.push(format!("{}{numbers:?}", if follows { "then " } else { "" }));
                }
            }
        }
        Ok::<(), ()>(())
    };
    each_line(&mut text.as_bytes(), |number, line| cutter.add(number, line, &mut give))
        .unwrap()
        .unwrap();
    cutter.end(&mut give).unwrap();
    pieces
}

#[test]
fn rounds_begin_with_their_tickets_and_end_before_manifests_and_reveals() {
    let [manifest, ticket, lock, reveal] =
        [RecordKind::Manifest, RecordKind::Ticket, RecordKind::Lock, RecordKind::EpochReveal]
            .map(|k| envelope(k, "x"));
    let lines = [
        &manifest,
        &ticket,
        &lock,
        &ticket,
        "no record",
        &lock,
        "",
        &ticket,
        &reveal,
        &lock,
        &ticket,
    ];
    assert_eq!(
        cut(&lines.map(ToString::to_string).join("\r\n")),
        [
            "manifest 1",
            "[2, 3]",
            "then [4, 5, 6, 7]",
            "then [8]",
            "epoch-reveal 9",
            "[10]",
            "then [11]"
        ]
    );
    assert_eq!(cut(""), [""; 0]);
}

#[test]
fn a_record_is_known_however_it_is_spelt() {
    for kind in RecordKind::ALL {
        let line = envelope(kind, "x");
        let spaced = line.replace(':', ": ");
        let escaped = line.replace("application/", "application\\/");
        assert_ne!(spaced, line);
        assert_ne!(escaped, line);
        for spelt in [&line, &spaced, &escaped] {
            let spelt = spelt.as_bytes();
            assert_eq!(is_ticket(spelt, super::kind(spelt)), kind == RecordKind::Ticket);
            let of_the_input = matches!(
                kind,
                RecordKind::Manifest
                    | RecordKind::EpochReveal
                    | RecordKind::EpochClose
                    | RecordKind::LogProof
            );
            assert_eq!(record(spelt).map(|r| r.kind()), of_the_input.then_some(kind));
        }
    }
    // A line that only resembles a manifest is a faulty line of its round.
    let line = envelope(RecordKind::Manifest, "x").replace("\"signatures\"", "\"signature\"");
    assert!(record(line.as_bytes()).is_none());
}

#[test]
fn a_line_without_end_is_cut_off_and_its_round_with_it() {
    let ticket = envelope(RecordKind::Ticket, "x");
    let long = "x".repeat(LONGEST * 2);
    let text = [ticket.as_str(), &long, "after", &ticket].join("\n");
    let (mut lengths, mut text) = (Vec::new(), text.as_bytes());
    each_line(&mut text, |_, line| {
        lengths.push(line.len());
        Ok::<(), ()>(())
    })
    .unwrap()
    .unwrap();
    assert_eq!(lengths, [ticket.len(), LONGEST + 2, 5, ticket.len()]);
}

#[test]
fn a_round_of_too_many_lines_is_cut() {
    let text = [envelope(RecordKind::Ticket, "x"), "no record\n".repeat(700)].join("\n");
    let lines = |from: usize, to: usize| format!("{:?}", (from..=to).collect::<Vec<_>>());
    assert_eq!(cut(&text), [lines(1, 640), format!("then {}", lines(641, 701))]);
}

#[test]
fn a_batch_holds_so_many_rounds_and_each_follows_the_one_before() {
    let text = format!("{}\n", envelope(RecordKind::Ticket, "x")).repeat(ROUNDS * 2 + 1);
    let cut = cut(&text);
    assert_eq!(cut.len(), ROUNDS * 2 + 1);
    assert!(cut[0].starts_with('[') && cut[1..].iter().all(|round| round.starts_with("then [")));
}
