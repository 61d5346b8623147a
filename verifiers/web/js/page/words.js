// Plain words for the verdicts, the claims and their status.

export const VERDICTS = {
  match: "Everything matches",
  mismatch: "Something does not match",
  incomplete: "Nothing is wrong, but something is missing",
  pending: "Everything that can be computed matches; a secret is still to come",
};

// The titles of the claims.
export const TITLES = {
  records_authentic: "The records are genuine",
  outcome_recomputed: "The outcome was recomputed",
  seed_not_chosen: "The server seed was not chosen",
  salt_independent: "Part of the randomness came from outside the operator",
  place_listed: "The table was listed in advance",
  place_not_chosen: "The place of the round was not chosen",
  decided_before_reveal: "You decided before the reveal",
  nothing_left_out: "No round was left out",
  nothing_left_out_of_log: "No round that the public log has was left out",
  logged: "The round is in the public log",
  decks_unknown_in_advance: "Nobody knew the deck before your wager",
};

export const STATUSES = { shown: "shown", pending: "waits", not_shown: "not shown" };
