//! Unix seconds as people write them, in UTC.

use toml::value::{Datetime, Offset};

const DAY: u64 = 24 * 3600;
/// 400 years of the Gregorian calendar, after which it repeats.
const ERA: u64 = 146_097;
/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: u64 = 719_468;

/// Reads `2026-12-01T00:00:00Z`: a date from 1970 on, a time in whole seconds, the
/// offset Z.
#[must_use]
pub fn seconds(time: &Datetime) -> Option<u64> {
    let (Some(date), Some(clock), Some(Offset::Z)) = (time.date, time.time, time.offset) else {
        return None;
    };
    if date.year < 1970 || clock.nanosecond.unwrap_or(0) != 0 {
        return None;
    }
    // Years begin in March, so that the leap day is the last day of a year.
    let month = u64::from(date.month);
    let year = u64::from(date.year) - u64::from(month <= 2);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + u64::from(date.day) - 1;
    let of_era = year % 400;
    let days = year / 400 * ERA + of_era * 365 + of_era / 4 - of_era / 100 + day_of_year - EPOCH;
    let of_day =
        u64::from(clock.hour) * 3600 + u64::from(clock.minute) * 60 + u64::from(clock.second?);
    Some(days * DAY + of_day)
}

/// Writes Unix seconds as `2026-12-01 00:00:00 UTC`.
#[must_use]
pub fn text(seconds: u64) -> String {
    format!("{}:{:02} UTC", to_the_minute(seconds), seconds % 60)
}

/// Writes Unix seconds as `2026-12-01T00:00:00Z`, as TOML has times.
#[must_use]
pub fn toml(seconds: u64) -> String {
    text(seconds).replacen(' ', "T", 1).replace(" UTC", "Z")
}

/// Writes Unix seconds as `2026-12-01 00:00 UTC`.
#[must_use]
pub fn minutes(seconds: u64) -> String {
    format!("{} UTC", to_the_minute(seconds))
}

fn to_the_minute(seconds: u64) -> String {
    let (days, clock) = (seconds / DAY + EPOCH, seconds % DAY);
    let (era, day) = (days / ERA, days % ERA);
    let of_era = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day_of_year = day - (of_era * 365 + of_era / 4 - of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + of_era + u64::from(month <= 2);
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let (hour, minute) = (clock / 3600, clock / 60 % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<u64> {
        seconds(&text.parse().unwrap())
    }

    #[test]
    fn times_are_those_of_the_date_command() {
        // `date -u +%s -d ...`
        for (time, unix) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59Z", 951_868_799),
            ("2026-11-20T00:00:00Z", 1_795_132_800),
            ("2027-03-01T12:34:56Z", 1_803_904_496),
            ("2100-03-01T00:00:00Z", 4_107_542_400),
        ] {
            assert_eq!(read(time), Some(unix), "{time}");
            assert_eq!(text(unix), time.replace('T', " ").replace('Z', " UTC"));
        }
        // `date -u -d @SECONDS '+%F %H:%M UTC'`
        for (unix, time) in [
            (951_868_799, "2000-02-29 23:59 UTC"),
            (1_803_904_496, "2027-03-01 12:34 UTC"),
            (253_402_300_799, "9999-12-31 23:59 UTC"),
        ] {
            assert_eq!(minutes(unix), time);
        }
    }

    #[test]
    fn every_day_of_400_years_reads_back() {
        for day in 0..ERA {
            let written = text(day * DAY + 3600);
            let toml = written.replace(" UTC", "Z");
            assert_eq!(read(&toml), Some(day * DAY + 3600), "{written}");
        }
    }

    #[test]
    fn times_of_another_place_or_finer_than_seconds_are_refused() {
        for time in [
            "2026-11-20T00:00:00+01:00",
            "2026-11-20T00:00:00",
            "2026-11-20",
            "2026-11-20T00:00:00.5Z",
            "1969-12-31T23:59:59Z",
        ] {
            assert_eq!(read(time), None, "{time}");
        }
    }
}
