//! What counts say of chances: counts in, estimates with intervals that hold in 95 of 100 cases out.

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// An estimate between two bounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// What was seen.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// The share of `count` in `all`, with the interval of Wilson (1927).
#[must_use]
pub fn share(count: u64, all: u64) -> Estimate {
    if all == 0 {
        return Estimate {
            value: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let (count, all) = (count.min(all), all);
    let n = all as f64;
    let p = count as f64 / n;
    let scale = 1.0 + Z * Z / n;
    let middle = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    Estimate {
        value: p,
        low: if count == 0 {
            0.0
        } else {
            (middle - half).max(0.0)
        },
        high: if count == all {
            1.0
        } else {
            (middle + half).min(1.0)
        },
    }
}

/// So many games, and what each of them is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// The games.
    pub games: u64,
    /// What each is worth, from -1 to 1.
    pub worth: f64,
}

/// The mean worth of games; those that are not in the list, up to `all`, are worth 0.
///
/// The interval is that of Agresti and Min (2005) for the difference of two shares of the same games: two games are added, half
/// a one of each of `unlike`, which are the worths of a gain and of a loss, and one that is worth nothing.
#[must_use]
pub fn mean_worth(games: &[Worth], unlike: [f64; 2], all: u64) -> Estimate {
    let n = all as f64;
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        games.iter().map(|g| g.games as f64 * of(g.worth)).sum()
    };
    let more = |of: &dyn Fn(f64) -> f64| sum(of) + unlike.iter().map(|w| 0.5 * of(*w)).sum::<f64>();
    let value = if all == 0 { 0.0 } else { sum(&|w| w) / n };
    let middle = more(&|w| w) / (n + 2.0);
    let variance = (more(&|w| w * w) / (n + 2.0) - middle * middle).max(0.0);
    let half = Z * (variance / (n + 2.0)).sqrt();
    Estimate {
        value,
        low: (middle - half).max(-1.0).min(value),
        high: (middle + half).min(1.0).max(value),
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::simulate::statistics::{Worth, mean_worth, share};

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-5
    }

    #[test]
    fn wilson_as_published() {
        // Newcombe (1998), table I, method 3: the score method without continuity correction.
        for (count, all, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let found = share(count, all);
            assert!(
                close(found.low, low) && close(found.high, high),
                "{found:?}"
            );
        }
        let all = share(20, 20);
        assert!(all.high == 1.0 && close(all.low, 1.0 - 0.1611));
        assert_eq!((share(0, 0).low, share(0, 0).high), (0.0, 1.0));
    }

    #[test]
    fn a_difference_of_shares() {
        // By hand: (30.5 - 20.5) / 102, and the root of (51 - 10² / 102) / 102 with the quantile.
        let games = |b, c| {
            [
                Worth {
                    games: b,
                    worth: 1.0,
                },
                Worth {
                    games: c,
                    worth: -1.0,
                },
            ]
        };
        let found = mean_worth(&games(30, 20), [1.0, -1.0], 100);
        let half = 1.959_963_984_540_054 * (51.0f64 - 100.0 / 102.0).sqrt() / 102.0;
        assert!(close(found.value, 0.1));
        assert!(close(found.low, 10.0 / 102.0 - half) && close(found.high, 10.0 / 102.0 + half));
        // Even when one side has won everything there is a width.
        let one = mean_worth(&games(50, 0), [1.0, -1.0], 50);
        assert!(one.value == 1.0 && one.high == 1.0 && one.low > 0.85 && one.low < 1.0);
        let none = mean_worth(&[], [1.0, -1.0], 0);
        assert!(none.value == 0.0 && none.low < -0.9 && none.high > 0.9);
    }
}
