//! Makes a text smaller as long as it stays wrong: lines, blocks and words are left out.

/// The smallest text that is found for which the test still holds, within so many tries.
pub fn shrink(text: &str, mut tries: usize, wrong: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best = text.to_owned();
    loop {
        let before = best.len();
        best = fewer_lines(&best, &mut tries, wrong);
        best = fewer_words(&best, &mut tries, wrong);
        if best.len() == before || tries == 0 {
            return best;
        }
    }
}

/// Tries a text; true when it is wrong as well.
fn still(text: &str, tries: &mut usize, wrong: &mut dyn FnMut(&str) -> bool) -> bool {
    if *tries == 0 {
        return false;
    }
    *tries -= 1;
    wrong(text)
}

/// Where the block that begins in a line ends: the line itself when none begins there.
fn end_of_block(lines: &[&str], from: usize) -> usize {
    let mut open = 0_i64;
    for (at, line) in lines.iter().enumerate().skip(from) {
        let count = |sign| line.matches(sign).count() as i64;
        open += count('{') - count('}');
        if open <= 0 {
            return at;
        }
    }
    from
}

fn fewer_lines(text: &str, tries: &mut usize, wrong: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best = text.to_owned();
    let mut at = 0;
    while at < best.lines().count() {
        let lines: Vec<&str> = best.lines().collect();
        let end = end_of_block(&lines, at);
        let without = |from: usize, to: usize| {
            let kept = lines
                .iter()
                .enumerate()
                .filter(|(i, _)| *i < from || *i > to);
            kept.fold(String::new(), |all, (_, line)| all + line + "\n")
        };
        // The whole block; its braces alone; the line.
        let mut shorter = vec![without(at, end)];
        if end > at {
            let kept = lines
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != at && *i != end);
            shorter.push(kept.fold(String::new(), |all, (_, line)| all + line + "\n"));
        }
        match shorter.into_iter().find(|s| still(s, tries, wrong)) {
            Some(found) => best = found,
            None => at += 1,
        }
    }
    best
}

/// The places where words begin and end.
fn words(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, sign) in text.char_indices() {
        let part = sign.is_alphanumeric() || sign == '_' || sign == '.';
        if let (false, Some(from)) = (part, start) {
            found.push((from, at));
            start = None;
        }
        if part {
            start = start.or(Some(at));
        } else if !sign.is_whitespace() {
            found.push((at, at + sign.len_utf8()));
        }
    }
    found.extend(start.map(|from| (from, text.len())));
    found
}

fn fewer_words(text: &str, tries: &mut usize, wrong: &mut dyn FnMut(&str) -> bool) -> String {
    let mut best = text.to_owned();
    for length in [12, 8, 6, 5, 4, 3, 2, 1] {
        let mut at = 0;
        loop {
            let places = words(&best);
            let (Some(from), Some(to)) = (places.get(at), places.get(at + length - 1)) else {
                break;
            };
            let inside = &best[from.0..to.1];
            let count = |signs: [char; 2]| {
                inside.matches(signs[0]).count() == inside.matches(signs[1]).count()
            };
            let sound = count(['(', ')']) && count(['[', ']']) && count(['{', '}']);
            let shorter = format!("{}{}", &best[..from.0], &best[to.1..]);
            if sound && !inside.contains('\n') && still(&shorter, tries, wrong) {
                best = shorter;
            } else {
                at += 1;
            }
        }
    }
    best
}
