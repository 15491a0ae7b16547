//! How long a search may take: a text such as `playouts=1000,time=2s` in, a budget out, and back.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How long a search may take; whichever is used up first ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// How many random games it may play.
    pub playouts: Option<u64>,
    /// How long it may take.
    pub time: Option<Duration>,
}

impl Default for Budget {
    /// A second.
    fn default() -> Budget {
        Budget::of_time(Duration::from_secs(1))
    }
}

impl Budget {
    /// So many random games.
    #[must_use]
    pub const fn of_playouts(playouts: u64) -> Budget {
        Budget {
            playouts: Some(playouts),
            time: None,
        }
    }

    /// So long.
    #[must_use]
    pub const fn of_time(time: Duration) -> Budget {
        Budget {
            playouts: None,
            time: Some(time),
        }
    }
}

/// Why a text is no budget.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadBudget(pub String);

impl fmt::Display for BadBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadBudget {}

/// The longest that a search may take.
const LONGEST: f64 = 86_400.0;

impl FromStr for Budget {
    type Err = BadBudget;

    /// Reads `playouts=1000`, `time=2s`, `time=500ms`, `time=1m`, or both, joined by a comma.
    fn from_str(text: &str) -> Result<Budget, BadBudget> {
        let mut budget = Budget {
            playouts: None,
            time: None,
        };
        for part in text.split(',') {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match (name.trim(), value.trim()) {
                ("playouts", value) if budget.playouts.is_none() => {
                    budget.playouts = Some(playouts(value)?);
                }
                ("time", value) if budget.time.is_none() => budget.time = Some(duration(value)?),
                ("playouts" | "time", _) => {
                    return Err(BadBudget(format!("`{}` is given twice", name.trim())));
                }
                (name, _) => {
                    return Err(BadBudget(format!(
                        "`{name}` is no budget: write `playouts=1000`, `time=2s`, or both with a comma between"
                    )));
                }
            }
        }
        Ok(budget)
    }
}

fn playouts(text: &str) -> Result<u64, BadBudget> {
    match text.parse() {
        Ok(0) => Err(BadBudget(
            "a budget of no playouts finds nothing: write `playouts=1` or more".to_owned(),
        )),
        Ok(n) => Ok(n),
        Err(_) => Err(BadBudget(format!(
            "`{text}` is no number of playouts: write a whole number, such as `playouts=1000`"
        ))),
    }
}

/// Reads `2s`, `0.5s`, `500ms`, `1m`; a number alone is seconds.
///
/// # Errors
/// When it is none, or not above nothing, or more than a day.
pub fn duration(text: &str) -> Result<Duration, BadBudget> {
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let of = |unit: &(&str, f64)| text.strip_suffix(unit.0).map(|n| (n.trim(), unit.1));
    let (number, unit) = units.iter().find_map(of).unwrap_or((text, 1.0));
    let wrong = || BadBudget(format!("`{text}` is no time: write `2s`, `500ms` or `1m`"));
    let seconds = number.parse::<f64>().map_err(|_| wrong())? * unit;
    if !seconds.is_finite() || seconds < 0.0 {
        return Err(wrong());
    }
    if seconds < 1e-6 {
        return Err(BadBudget(
            "a budget of no time finds nothing: write `10ms` or more".to_owned(),
        ));
    }
    if seconds > LONGEST {
        return Err(BadBudget(format!("`{text}` is more than a day")));
    }
    Ok(Duration::from_secs_f64(seconds))
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let playouts = self.playouts.map(|n| format!("playouts={n}"));
        let time = self.time.map(|t| {
            if t.subsec_millis() == 0 {
                format!("time={}s", t.as_secs())
            } else {
                format!("time={}ms", t.as_secs_f64() * 1e3)
            }
        });
        let parts: Vec<String> = playouts.into_iter().chain(time).collect();
        f.write_str(&parts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::search::Budget;
    use std::time::Duration;

    #[test]
    fn budgets_are_read_as_they_are_written() {
        for text in [
            "playouts=1000",
            "time=2s",
            "time=500ms",
            "playouts=7,time=60s",
        ] {
            assert_eq!(text.parse::<Budget>().unwrap().to_string(), text);
        }
        let minute = Budget::of_time(Duration::from_secs(60));
        assert_eq!("time=1m".parse(), Ok(minute));
        assert_eq!("time=60".parse(), Ok(minute));
    }

    #[test]
    fn what_is_no_budget_says_what_is_one() {
        for wrong in [
            "",
            "1000",
            "playouts",
            "playouts=",
            "playouts=0",
            "playouts=-1",
            "time=0",
            "time=0s",
            "time=-1s",
            "time=nan",
            "time=inf",
            "time=1e9h",
            "time=soon",
            "time=1s,time=2s",
            "depth=3",
        ] {
            let told = wrong.parse::<Budget>().unwrap_err().to_string();
            assert!(told.contains('`'), "{wrong}: {told}");
        }
    }
}
