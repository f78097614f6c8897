//! When, how long and from what a result was computed.

use bristle::Scenario;
use bristle_record::digest;
use std::sync::OnceLock;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

static BEGAN: OnceLock<Instant> = OnceLock::new();

/// Starts the clock, once.
pub fn begin() {
    BEGAN.get_or_init(Instant::now);
}

/// A sentence for the foot of a report.
pub fn sentence(scenario: &Scenario) -> String {
    let took = BEGAN.get().map_or(0.0, |began| began.elapsed().as_secs_f64());
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let hash = digest(scenario.text.as_bytes());
    let name = scenario.name.rsplit(['/', '\\']).next().unwrap_or(&scenario.name);
    format!(
        "Computed on {} in {} from `{name}`, SHA-256 `{}`.",
        moment(seconds),
        duration(took),
        &hash[..hash.len().min(16)]
    )
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.0} ms", 1e3 * s),
        s if s < 120.0 => format!("{s:.1} s"),
        s => format!("{:.0} min", s / 60.0),
    }
}

/// A time since 1970 as date and time of day, UTC.
fn moment(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let [year, month, day] = civil(days as i64);
    format!("{year}-{month:02}-{day:02} {:02}:{:02} UTC", rest / 3600, rest % 3600 / 60)
}

/// Year, month and day of a number of days since 1970 (the Gregorian calendar counted from a first of March).
fn civil(days: i64) -> [i64; 3] {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    [year_of_era + era * 400 + i64::from(month <= 2), month, day]
}

#[cfg(test)]
mod origin_tests {
    use super::*;

    #[test]
    fn days_become_dates() {
        assert_eq!(civil(0), [1970, 1, 1]);
        assert_eq!(civil(11_016), [2000, 2, 29]);
        assert_eq!(civil(20_454), [2026, 1, 1]);
        assert_eq!(moment(951_827_696), "2000-02-29 12:34 UTC");
    }
}
