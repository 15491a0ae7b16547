//! How long to think: the words behind `go` in, limits out, and from limits and clocks a budget.

use crate::tools::search::Budget;
use std::time::Duration;

/// What `go` says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// `perft N`: only count.
    pub perft: Option<usize>,
    /// When to end.
    pub limits: Limits,
    /// `searchmoves …`: only these actions may be chosen.
    pub only: Vec<String>,
}

/// When a search ends; whichever comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// `movetime`, in milliseconds.
    pub time: Option<u64>,
    /// `p1time` and `p2time`, or `wtime` and `btime`: what is left, in milliseconds.
    pub left: [Option<u64>; 2],
    /// `p1inc` and `p2inc`, or `winc` and `binc`, in milliseconds.
    pub more: [u64; 2],
    /// `movestogo`: how many turns the time left is for.
    pub turns: Option<u64>,
    /// `nodes`: so many random games.
    pub nodes: Option<u64>,
    /// `depth`: lines of so many actions.
    pub depth: Option<usize>,
    /// `infinite` or `ponder`: until it is stopped.
    pub endless: bool,
}

/// So many turns the time left is thought to be for, when nothing is said.
const TURNS: u64 = 30;

/// The longest that a search may take: a day.
const LONGEST: Duration = Duration::from_secs(86_400);

impl Go {
    /// Reads the words behind `go`, and says what was not understood and left out.
    #[must_use]
    pub fn read(words: &[&str]) -> (Go, Vec<String>) {
        let (mut go, mut notes) = (Go::default(), Vec::new());
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" | "ponder" => {
                    go.limits.endless = true;
                    continue;
                }
                "searchmoves" => {
                    let is_limit = |w: &str| {
                        matches!(w, "infinite" | "ponder" | "searchmoves") || Go::knows(w)
                    };
                    while let Some(action) = words.next_if(|w| !is_limit(w)) {
                        go.only.push(action.to_owned());
                    }
                    continue;
                }
                _ => {}
            }
            if !Go::knows(word) {
                let shown: String = word.chars().take(40).collect();
                notes.push(format!(
                    "`{shown}` is left out: behind `go` stand movetime, p1time, p2time, p1inc, p2inc, wtime, btime, winc, \
                     binc, movestogo, nodes, depth, perft, searchmoves or infinite"
                ));
                continue;
            }
            match words.next_if(|w| w.parse::<i64>().is_ok()) {
                // A clock that has run out is still a clock.
                Some(number)
                    if number.starts_with('-')
                        && !["p1time", "p2time", "wtime", "btime"].contains(&word) =>
                {
                    notes.push(format!(
                        "`{word} {number}` is left out: it cannot be less than 0"
                    ));
                }
                Some(number) => go.set(word, number.parse().unwrap_or(0)),
                None => notes.push(format!(
                    "`{word}` is left out: it needs a whole number, such as `{word} 100`"
                )),
            }
        }
        (go, notes)
    }

    /// Whether a word is a limit with a number behind it.
    fn knows(word: &str) -> bool {
        matches!(
            word,
            "movetime"
                | "p1time"
                | "p2time"
                | "wtime"
                | "btime"
                | "p1inc"
                | "p2inc"
                | "winc"
                | "binc"
                | "movestogo"
                | "nodes"
                | "depth"
                | "perft"
        )
    }

    fn set(&mut self, word: &str, number: i64) {
        let number = u64::try_from(number).unwrap_or(0);
        let size = usize::try_from(number).unwrap_or(usize::MAX);
        let limits = &mut self.limits;
        match word {
            "movetime" => limits.time = Some(number),
            "p1time" | "wtime" => limits.left[0] = Some(number),
            "p2time" | "btime" => limits.left[1] = Some(number),
            "p1inc" | "winc" => limits.more[0] = number,
            "p2inc" | "binc" => limits.more[1] = number,
            "movestogo" => limits.turns = Some(number),
            "nodes" => limits.nodes = Some(number),
            "depth" => limits.depth = Some(size),
            _ => self.perft = Some(size),
        }
    }
}

impl Limits {
    /// The budget of a person, the first or the second, who loses `overhead` on the way of every answer. A second when
    /// nothing is said; a day when there is no end.
    #[must_use]
    pub fn budget(&self, person: usize, overhead: Duration) -> Budget {
        let short = |time: Duration| {
            time.saturating_sub(overhead)
                .max(Duration::from_millis(1))
                .min(LONGEST)
        };
        let clock = self.left.get(person).copied().flatten().map(|left| {
            let turns = self.turns.unwrap_or(TURNS).clamp(1, TURNS);
            let more = self.more.get(person).copied().unwrap_or(0);
            let share = (left / turns).saturating_add(more / 4 * 3);
            // Never so much that the next answers are lost.
            short(Duration::from_millis(if turns > 1 {
                share.min(left / 2)
            } else {
                share.min(left)
            }))
        });
        let fixed = self.time.map(|time| short(Duration::from_millis(time)));
        let time = match (fixed, clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let playouts = self.nodes.map(|n| n.max(1));
        match (playouts, time) {
            (playouts, time) if playouts.is_some() || (time.is_some() && !self.endless) => {
                Budget { playouts, time }
            }
            _ if self.endless || self.depth.is_some() => Budget::of_time(LONGEST),
            _ => Budget::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::protocol::Go;
    use crate::tools::search::Budget;
    use std::time::Duration;

    fn budget(text: &str, person: usize) -> Budget {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (go, notes) = Go::read(&words);
        assert!(notes.is_empty(), "{notes:?}");
        go.limits.budget(person, Duration::from_millis(10))
    }

    #[test]
    fn each_has_a_clock() {
        let ms = |n| Budget::of_time(Duration::from_millis(n));
        let clocks = "p1time 3000 p2time 60000 p1inc 0 p2inc 1000";
        assert_eq!(budget(clocks, 0), ms(90));
        assert_eq!(budget(clocks, 1), ms(2740));
        assert_eq!(budget("wtime 3000 btime 1 movestogo 1", 0), ms(2990));
        assert_eq!(budget("wtime -50 btime 10", 0), ms(1));
        assert_eq!(budget("p1time 100 p1inc 10000", 0), ms(40));
        assert_eq!(budget("movetime 500", 1), ms(490));
        assert_eq!(budget("movetime 1", 1), ms(1));
        assert_eq!(budget("movetime 9223372036854775807", 1), ms(86_400_000));
        assert_eq!(budget("infinite", 1), ms(86_400_000));
        assert_eq!(budget("ponder wtime 10 btime 10", 0), ms(86_400_000));
        assert_eq!(budget("depth 4", 1), ms(86_400_000));
        assert_eq!(budget("", 0), ms(1000));
        assert_eq!(budget("nodes 0", 0), Budget::of_playouts(1));
        let both = Budget {
            playouts: Some(70),
            time: Some(Duration::from_millis(90)),
        };
        assert_eq!(budget("nodes 70 movetime 100", 0), both);
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        let (go, notes) = Go::read(&["quickly", "movetime", "soon", "nodes", "9", "depth"]);
        assert_eq!(go.limits.nodes, Some(9));
        assert_eq!((go.limits.time, go.limits.depth), (None, None));
        assert_eq!(notes.len(), 4, "{notes:?}");
        assert!(notes.iter().all(|note| note.contains("left out")));
        let (go, notes) = Go::read(&["movetime", "-5", "wtime", "-5", "nodes", "-1"]);
        assert_eq!((go.limits.time, go.limits.nodes), (None, None));
        assert_eq!((go.limits.left[0], notes.len()), (Some(0), 2), "{notes:?}");
        let (go, _) = Go::read(&["searchmoves", "a1", "b1"]);
        assert_eq!(go.only, ["a1", "b1"]);
        let (go, notes) = Go::read(&["searchmoves", "a1", "b1", "nodes", "20", "infinite"]);
        assert_eq!(
            (go.only.len(), go.limits.nodes, go.limits.endless),
            (2, Some(20), true)
        );
        assert!(notes.is_empty(), "{notes:?}");
        let (go, _) = Go::read(&["perft", "3"]);
        assert_eq!(go.perft, Some(3));
    }
}
