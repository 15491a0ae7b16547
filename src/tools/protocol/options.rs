//! What `setoption` may set: the search's own options and those of the game. Names and values in, settings out.

use crate::engine::Engine;
use crate::program::OptionValue;
use crate::tools::rng::DEFAULT_SEED;
use crate::tools::search::Settings;
use std::time::Duration;

/// Beside its state, so much memory is counted for a position that a search keeps, in bytes.
const BESIDE: usize = 256;

/// The search's own options, with their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Own {
    /// Threads of the search.
    pub threads: usize,
    /// Seed of the search.
    pub seed: u64,
    /// Memory for positions, in megabytes.
    pub hash: usize,
    /// How many lines are told.
    pub lines: usize,
    /// What an answer loses on its way, in milliseconds.
    pub overhead: u64,
}

impl Default for Own {
    fn default() -> Own {
        Own {
            threads: 1,
            seed: DEFAULT_SEED,
            hash: 256,
            lines: 1,
            overhead: 10,
        }
    }
}

/// Name, default, least and greatest value of each.
const OWN: [(&str, u64, u64, u64); 5] = [
    ("Threads", 1, 1, 1024),
    ("Hash", 256, 1, 1 << 20),
    ("Seed", DEFAULT_SEED, 0, i64::MAX as u64),
    ("MultiPV", 1, 1, 500),
    ("Move Overhead", 10, 0, 10_000),
];

impl Own {
    /// The settings of a search.
    #[must_use]
    pub fn settings(&self, engine: &Engine) -> Settings {
        let size = engine.initial().bytes() + BESIDE;
        Settings {
            threads: self.threads,
            seed: self.seed,
            nodes: ((self.hash << 20) / size).max(1),
            ..Settings::default()
        }
    }

    /// What an answer loses on its way.
    #[must_use]
    pub fn overhead(&self) -> Duration {
        Duration::from_millis(self.overhead)
    }

    /// Sets one of them; nothing when none has that name.
    ///
    /// # Errors
    /// What the value may be.
    pub fn set(&mut self, name: &str, value: &str) -> Option<Result<(), String>> {
        let (name, _, least, most) = *OWN.iter().find(|o| o.0.eq_ignore_ascii_case(name))?;
        let number = value
            .parse::<u64>()
            .ok()
            .filter(|n| (least..=most).contains(n));
        let Some(number) = number else {
            let shown: String = value.chars().take(40).collect();
            return Some(Err(format!(
                "`{shown}` is no value of `{name}`: write a whole number from {least} to {most}"
            )));
        };
        let size = usize::try_from(number).unwrap_or(usize::MAX);
        match name {
            "Threads" => self.threads = size,
            "Hash" => self.hash = size,
            "Seed" => self.seed = number,
            "MultiPV" => self.lines = size,
            _ => self.overhead = number,
        }
        Some(Ok(()))
    }
}

/// The names and types of all options, as both protocols list them.
#[must_use]
pub fn list(engine: &Engine) -> Vec<String> {
    let own = OWN.iter().map(|(name, value, least, most)| {
        format!("option name {name} type spin default {value} min {least} max {most}")
    });
    let game = engine.program().options.iter().map(|option| {
        let name = shown(&option.name);
        format!("option name {name} {}", kind(option))
    });
    own.chain(game).collect()
}

/// How an option of the game is called here: by its name, unless that is one of the search's.
fn shown(name: &str) -> String {
    if OWN.iter().any(|o| o.0.eq_ignore_ascii_case(name)) {
        format!("game {name}")
    } else {
        name.to_owned()
    }
}

/// The game's option of a name; case does not count, as the protocols say.
#[must_use]
pub fn of_game<'e>(engine: &'e Engine, name: &str) -> Option<&'e OptionValue> {
    let mut options = engine.program().options.iter();
    options.find(|o| shown(&o.name).eq_ignore_ascii_case(name))
}

fn kind(option: &OptionValue) -> String {
    let value = &option.value;
    if let Some((least, most)) = range(&option.domain) {
        return format!("type spin default {value} min {least} max {most}");
    }
    let words: Vec<&str> = option.domain.split(", ").collect();
    let plain = |w: &&str| !w.contains("..") && !w.contains(' ') && !w.contains('…');
    if words.len() > 1 && words.iter().all(plain) {
        let vars: Vec<String> = words.iter().map(|w| format!("var {w}")).collect();
        return format!("type combo default {value} {}", vars.join(" "));
    }
    format!("type string default {value}")
}

/// `4..26`; not `3..25 by 2`, which has gaps that cannot be told.
fn range(domain: &str) -> Option<(i64, i64)> {
    let (least, most) = domain.split_once("..")?;
    Some((least.parse().ok()?, most.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use crate::tools::protocol::options::{Own, list, range};
    use crate::tools::testing::three_in_a_row;

    #[test]
    fn ranges_without_gaps_are_numbers() {
        assert_eq!(range("4..26"), Some((4, 26)));
        assert_eq!(range("-3..2"), Some((-3, 2)));
        assert_eq!(range("3..25 by 2"), None);
        assert_eq!(range("off, 1..20"), None);
    }

    #[test]
    fn options_are_listed_and_set() {
        let engine = three_in_a_row();
        let listed = list(&engine);
        assert!(listed.contains(&"option name size type spin default 3 min 2 max 10".to_owned()));
        let mut own = Own::default();
        assert_eq!(own.set("threads", "3"), Some(Ok(())));
        assert_eq!(own.set("Hash", "1"), Some(Ok(())));
        assert_eq!(own.threads, 3);
        assert!(own.settings(&engine).nodes < 1 << 13);
        assert!(own.set("size", "3").is_none());
        for wrong in ["0", "-1", "", "many", "1025"] {
            let told = own.set("Threads", wrong).unwrap().unwrap_err();
            assert!(told.contains("1 to 1024"), "{told}");
        }
    }
}
