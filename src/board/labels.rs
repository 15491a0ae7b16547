//! Names of rows, columns and cells: numbers in, `a1`-like names out, and back; which cells exist is not known here.

use crate::board::MAX_CELLS;

/// The letters of number `n`, counted from 1: `a` … `z`, `aa`, `ab` …; nothing for 0.
pub(super) fn letters(mut n: u32) -> String {
    let mut reversed = Vec::new();
    while n > 0 {
        n -= 1;
        reversed.push(char::from(b'a' + u8::try_from(n % 26).unwrap_or(0)));
        n /= 26;
    }
    reversed.iter().rev().collect()
}

/// The numbers (letters, digits) of a name such as `a7`, both counted from 1.
///
/// Nothing if the name is not of that form (lower-case letters, then a number without leading zero), or if a number
/// is higher than [`MAX_CELLS`].
pub(super) fn numbers(name: &str) -> Option<(u32, u32)> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let head = name.strip_suffix(digits)?;
    if head.is_empty() || digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut letter = 0;
    for byte in head.bytes() {
        letter = within(letter * 26 + u32::from(byte - b'a') + 1)?;
    }
    Some((letter, within(digits.parse().ok()?)?))
}

fn within(n: u32) -> Option<u32> {
    (n as usize <= MAX_CELLS).then_some(n)
}

#[cfg(test)]
mod tests {
    use crate::board::labels::{letters, numbers};

    #[test]
    fn letters_go_on_after_z() {
        let told: Vec<_> = [0, 1, 26, 27, 52, 53, 702, 703].map(letters).into();
        assert_eq!(told, ["", "a", "z", "aa", "az", "ba", "zz", "aaa"]);
    }

    #[test]
    fn numbers_undo_letters() {
        for n in 1..=1280 {
            assert_eq!(numbers(&format!("{}{n}", letters(n))), Some((n, n)));
        }
    }

    #[test]
    fn other_names_have_no_numbers() {
        for name in ["", "a", "7", "a0", "a07", "A7", "a7b", "a-7", "a+7", "é1"] {
            assert_eq!(numbers(name), None, "{name}");
        }
        for name in ["a1281", "hand1", "zzzzzzzzzzzzzzzz1", "a99999999999999"] {
            assert_eq!(numbers(name), None, "{name}");
        }
    }
}
