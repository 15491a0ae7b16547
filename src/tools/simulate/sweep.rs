//! Sweeps over options: `rows=6..12` or `size=5,7,9` in, all settings that several of them ask for together out.

use std::fmt;
use std::str::FromStr;

/// An option, and the values that it is to be given one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sweep {
    /// The option.
    pub name: String,
    /// The values, in the order in which they were written.
    pub values: Vec<String>,
    text: String,
}

/// The most configurations of a run.
pub const MOST: usize = 1000;

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Sweep {
    type Err = String;

    /// Reads a name, `=`, and values or ranges with commas between; a range may go in steps: `size=3..11 by 2`.
    fn from_str(text: &str) -> Result<Sweep, String> {
        let wrong =
            || format!("`{text}` is no sweep: write rows=6..12, rows=6..12 by 2, or size=5,7,9");
        let (name, list) = text.split_once('=').ok_or_else(wrong)?;
        let name = name.trim();
        if name.is_empty() || list.trim().is_empty() {
            return Err(wrong());
        }
        let mut values: Vec<String> = Vec::new();
        for part in list.split(',') {
            let part = part.trim();
            match part.split_once("..") {
                None if part.is_empty() => return Err(wrong()),
                None => values.push(part.to_owned()),
                Some((low, rest)) => {
                    let (high, by) = rest.split_once("by").unwrap_or((rest, "1"));
                    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| wrong());
                    let (low, high, by) = (number(low)?, number(high)?, number(by)?);
                    let by = usize::try_from(by).ok().filter(|by| *by > 0);
                    let by = by.ok_or_else(|| {
                        format!("`{text}` is no sweep: its steps are of 1 or more, as in rows=6..12 by 2")
                    })?;
                    if low > high {
                        return Err(format!(
                            "`{text}` is no sweep: the lower number comes first"
                        ));
                    }
                    if high.abs_diff(low) / by as u64 >= MOST as u64 {
                        return Err(format!("`{text}` has more than {MOST} values"));
                    }
                    values.extend((low..=high).step_by(by).map(|n| n.to_string()));
                }
            }
        }
        if values.len() > MOST {
            return Err(format!("`{text}` has more than {MOST} values"));
        }
        let twice = (1..values.len()).find(|at| values[..*at].contains(&values[*at]));
        if let Some(at) = twice {
            return Err(format!("`{text}` has the value {} twice", values[at]));
        }
        Ok(Sweep {
            name: name.to_owned(),
            values,
            text: text.to_owned(),
        })
    }
}

/// Settings of options: names and values.
pub type Settings = Vec<(String, String)>;

/// All settings that sweeps ask for together, the last one changing fastest.
///
/// # Errors
/// When an option is swept over twice, or also set; or when they are too many.
pub fn combinations(set: &[(String, String)], sweeps: &[Sweep]) -> Result<Vec<Settings>, String> {
    let mut all = vec![Settings::new()];
    for (at, sweep) in sweeps.iter().enumerate() {
        let name = &sweep.name;
        if sweeps[..at].iter().any(|other| other.name == *name) {
            return Err(format!(
                "`{name}` is swept over twice: write all its values with commas between"
            ));
        }
        if set.iter().any(|(other, _)| other == name) {
            return Err(format!(
                "`{name}` is set and also swept over: leave one out"
            ));
        }
        if all.len().saturating_mul(sweep.values.len()) > MOST {
            return Err(format!(
                "these are more than {MOST} configurations; sweep over fewer values"
            ));
        }
        let with = |settings: &Settings| {
            let settings = settings.clone();
            sweep.values.iter().map(move |value| {
                let mut settings = settings.clone();
                settings.push((name.clone(), value.clone()));
                settings
            })
        };
        all = all.iter().flat_map(with).collect();
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use crate::tools::simulate::sweep::{Sweep, combinations};

    fn sweep(text: &str) -> Sweep {
        text.parse().unwrap()
    }

    #[test]
    fn values_and_ranges() {
        assert_eq!(sweep("rows=6..8").values, ["6", "7", "8"]);
        assert_eq!(sweep("size=3..8 by 2").values, ["3", "5", "7"]);
        assert_eq!(sweep("a = 5, 7..8 ,on").values, ["5", "7", "8", "on"]);
        assert_eq!(sweep("a=-1..1").values, ["-1", "0", "1"]);
        for wrong in [
            "",
            "rows",
            "rows=",
            "=5",
            "a=5,",
            "a=3..2",
            "a=x..y",
            "a=1..",
            "a=1..9 by 0",
            "a=1..2000",
            "a=5,5",
            "a=1..3,2",
            "a=-9223372036854775808..9223372036854775807",
        ] {
            let told = wrong.parse::<Sweep>().unwrap_err();
            assert!(told.contains('`'), "{wrong}: {told}");
        }
    }

    #[test]
    fn several_make_all_combinations() {
        let all = combinations(&[], &[sweep("a=1..2"), sweep("b=x,y")]).unwrap();
        let texts: Vec<String> = all
            .iter()
            .map(|s| s.iter().map(|(n, v)| format!("{n}{v}")).collect())
            .collect();
        assert_eq!(texts, ["a1bx", "a1by", "a2bx", "a2by"]);
        assert_eq!(combinations(&[], &[]), Ok(vec![vec![]]));
        let set = [("a".to_owned(), "1".to_owned())];
        assert!(combinations(&set, &[sweep("a=1..2")]).is_err());
        assert!(combinations(&[], &[sweep("a=1"), sweep("a=2")]).is_err());
        assert!(combinations(&[], &[sweep("a=1..100"), sweep("b=1..100")]).is_err());
    }
}
