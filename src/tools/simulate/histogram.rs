//! How often each number occurred: numbers in, exact counts that add up, and the places in their order out.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// For each number how often it occurred.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug, Default)]
#[serde(transparent)]
pub struct Histogram(BTreeMap<u64, u64>);

/// A share of all, as a fraction: exact, so that no rounding decides what is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fraction {
    /// So many
    pub of: u64,
    /// in so many.
    pub among: u64,
}

impl Histogram {
    /// Counts a number once.
    pub fn note(&mut self, number: u64) {
        self.note_times(number, 1);
    }

    /// Counts a number so many times.
    pub fn note_times(&mut self, number: u64, times: u64) {
        let count = self.0.entry(number).or_default();
        *count = count.saturating_add(times);
    }

    /// Adds all that another one has counted.
    pub fn add(&mut self, other: &Histogram) {
        for (number, times) in &other.0 {
            self.note_times(*number, *times);
        }
    }

    /// How many numbers were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.values().fold(0, |sum, n| sum.saturating_add(*n))
    }

    /// The sum of all numbers that were counted.
    #[must_use]
    pub fn sum(&self) -> u128 {
        let products = self.0.iter().map(|(v, n)| u128::from(*v) * u128::from(*n));
        products.fold(0, u128::saturating_add)
    }

    /// The mean; nothing when nothing was counted.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum() as f64 / count as f64)
    }

    /// The least number.
    #[must_use]
    pub fn least(&self) -> Option<u64> {
        self.0.keys().next().copied()
    }

    /// The greatest number.
    #[must_use]
    pub fn greatest(&self) -> Option<u64> {
        self.0.keys().next_back().copied()
    }

    /// The number at a place, counted from 1, when all are put in order.
    #[must_use]
    pub fn nth(&self, place: u64) -> Option<u64> {
        let mut passed = 0u64;
        for (number, times) in &self.0 {
            passed = passed.saturating_add(*times);
            if passed >= place {
                return Some(*number);
            }
        }
        None
    }

    /// The least number such that at least that share of all numbers is not above it.
    #[must_use]
    pub fn quantile(&self, share: Fraction) -> Option<u64> {
        let count = u128::from(self.count());
        let place = (count * u128::from(share.of)).div_ceil(u128::from(share.among.max(1)));
        self.nth(u64::try_from(place.max(1)).unwrap_or(u64::MAX))
    }

    /// Twice the median: the number in the middle twice, or the sum of the two in the middle.
    #[must_use]
    pub fn twice_median(&self) -> Option<u128> {
        let count = self.count();
        let low = self.nth(count.div_ceil(2))?;
        let high = self.nth(count / 2 + 1)?;
        Some(u128::from(low) + u128::from(high))
    }

    /// The numbers with their counts, in order.
    pub fn entries(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().map(|(number, times)| (*number, *times))
    }

    /// The counts in at most `most` bins of one width, from the least number on, and that width.
    #[must_use]
    pub fn bins(&self, most: u64) -> (u64, Vec<u64>) {
        let (Some(least), Some(greatest)) = (self.least(), self.greatest()) else {
            return (1, Vec::new());
        };
        let span = greatest - least;
        let width = span / most.max(1) + 1;
        let bins = usize::try_from(span / width).unwrap_or(0) + 1;
        let mut counts = vec![0u64; bins];
        for (number, times) in self.entries() {
            let bin = usize::try_from((number - least) / width).unwrap_or(0);
            if let Some(count) = counts.get_mut(bin) {
                *count = count.saturating_add(times);
            }
        }
        (width, counts)
    }
}

impl FromIterator<u64> for Histogram {
    fn from_iter<T: IntoIterator<Item = u64>>(numbers: T) -> Histogram {
        let mut histogram = Histogram::default();
        for number in numbers {
            histogram.note(number);
        }
        histogram
    }
}

#[cfg(test)]
mod tests {
    use crate::tools::simulate::histogram::{Fraction, Histogram};

    const fn percent(of: u64) -> Fraction {
        Fraction { of, among: 100 }
    }

    #[test]
    fn quantiles_are_numbers_that_occurred() {
        let twenty: Histogram = (1..=20).collect();
        assert_eq!(twenty.quantile(percent(5)), Some(1));
        assert_eq!(twenty.quantile(percent(6)), Some(2));
        assert_eq!(twenty.quantile(percent(95)), Some(19));
        assert_eq!(twenty.quantile(percent(100)), Some(20));
        assert_eq!(twenty.quantile(percent(0)), Some(1));
        assert_eq!(twenty.twice_median(), Some(21));
        assert_eq!(twenty.mean(), Some(10.5));
        let skewed: Histogram = [7, 7, 7, 9, 100].into_iter().collect();
        assert_eq!(skewed.twice_median(), Some(14));
        assert_eq!(skewed.quantile(percent(95)), Some(100));
        assert_eq!((skewed.least(), skewed.greatest()), (Some(7), Some(100)));
        let none = Histogram::default();
        assert_eq!((none.mean(), none.twice_median()), (None, None));
        assert_eq!((none.quantile(percent(5)), none.bins(10).1), (None, vec![]));
    }

    #[test]
    fn bins_hold_everything() {
        let numbers: Histogram = [3, 4, 4, 10, 11, 12].into_iter().collect();
        assert_eq!(numbers.bins(100), (1, vec![1, 2, 0, 0, 0, 0, 0, 1, 1, 1]));
        assert_eq!(numbers.bins(4), (3, vec![3, 0, 2, 1]));
        assert_eq!(numbers.bins(1), (10, vec![6]));
        let wide: Histogram = [0, u64::MAX].into_iter().collect();
        assert_eq!(wide.bins(4).1.iter().sum::<u64>(), 2);
    }

    #[test]
    fn forged_counts_do_not_overflow() {
        let mut huge = Histogram::default();
        huge.note_times(u64::MAX, u64::MAX);
        huge.note_times(u64::MAX, 5);
        huge.note_times(1, u64::MAX);
        assert_eq!(huge.count(), u64::MAX);
        assert!(huge.sum() > 0 && huge.mean().is_some() && huge.quantile(percent(95)).is_some());
    }

    #[test]
    fn text_and_back() {
        let numbers: Histogram = [3, 4, 4, 10].into_iter().collect();
        let text = serde_json::to_string(&numbers).unwrap();
        assert_eq!(text, r#"{"3":1,"4":2,"10":1}"#);
        assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), numbers);
    }
}
