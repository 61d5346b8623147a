//! Commissions and fees on a page.

use super::super::page::{ParBlock, ParSection, ParTable, ParTableRow, figures};
use super::super::sheet::{CommissionBase, CommissionPar, FeePar, KeptPar, Par};
use super::{none, percent};
use crate::rules::figures::{grouped, share};
use paigow_rules::game::{Increment, Rounding};

pub(super) fn sections(sheet: &Par) -> Vec<ParSection> {
    let commissions = sheet.commissions.iter().map(commission);
    let mut sections: Vec<ParSection> = commissions.collect();
    if !sheet.fees.is_empty() {
        sections.push(fees(&sheet.fees));
    }
    sections
}

fn commission(terms: &CommissionPar) -> ParSection {
    let (id, title, of) = match terms.of {
        CommissionBase::Base => ("commission-base", "Commission on the base wager", "a win"),
        CommissionBase::Banking => {
            ("commission-banking", "Commission while a player banks", "a win against him")
        }
    };
    let rounded = match terms.rounding {
        Rounding::Up => "up",
        Rounding::HalfUp => "to the nearest, halves up",
        Rounding::Down => "down",
    };
    let increment = match terms.increment {
        Increment::QuarterChip => "a quarter of the lowest chip, in whole minor units",
        Increment::MinorUnit => "the minor unit",
    };
    let words = format!(
        "{} of {of}, rounded {rounded} to {increment}. For the player the worst base stake is the \
         one of whose win rounding keeps most, the best the one of whose win it keeps least: the \
         least such stakes. Larger ones come nearer to the rate.",
        share(terms.rate.0)
    );
    let mut rows = Vec::new();
    for chip in &terms.by_chip {
        for (name, kept) in [("worst", chip.worst), ("best", chip.best)] {
            let chip = chip.chip_minor.map_or_else(|| "any".to_owned(), |chip| grouped(chip.0));
            rows.push(ParTableRow::plain(line(chip, name, &kept)));
        }
    }
    let table = ParTable {
        caption: "What rounding keeps, amounts in minor units".to_owned(),
        columns: vec![
            figures("Lowest chip"),
            figures("Stake"),
            figures("Amount"),
            figures("Win"),
            figures("Commission"),
            figures("Share of the win"),
            figures("Exactly"),
            figures("House edge"),
        ],
        rows,
    };
    ParSection::new(id, title).say(words).with(ParBlock::Table(table))
}

fn line(chip: String, name: &str, kept: &KeptPar) -> Vec<String> {
    vec![
        chip,
        name.to_owned(),
        grouped(kept.stake_minor.0),
        grouped(kept.win_minor.0),
        grouped(kept.commission_minor.0),
        percent(kept.share, 6),
        kept.share.0.to_string(),
        kept.house_edge.map_or_else(none, |edge| percent(edge, 6)),
    ]
}

fn fees(fees: &[FeePar]) -> ParSection {
    let rows = fees.iter().map(|fee| {
        let of = if fee.of == "player" { "player" } else { "player-dealer" };
        ParTableRow::plain(vec![
            of.to_owned(),
            grouped(fee.from_minor.0),
            fee.up_to_minor.map_or_else(|| "any more".to_owned(), |end| grouped(end.0)),
            grouped(fee.fee_minor.0),
            percent(fee.highest_share, 6),
            fee.lowest_share.map_or_else(none, |share| percent(share, 6)),
        ])
    });
    let table = ParTable {
        caption: "Flat fees, amounts in minor units".to_owned(),
        columns: vec![
            super::words("Of"),
            figures("From"),
            figures("Up to"),
            figures("Fee"),
            figures("Share of the least"),
            figures("Share of the largest"),
        ],
        rows: rows.collect(),
    };
    ParSection::new("fees", "Flat fees")
        .say(
            "Fees are taken before the deal, whatever comes of it: of a player by his base wager, \
             of the player-dealer by the sum of all base wagers. They are in no house edge here; \
             each adds its share of the wager to it.",
        )
        .with(ParBlock::Table(table))
}
