//! Numbers and texts as SVG writes them: short, and the same on every machine.

use crate::tools::picture::plan::Point;

/// A number with at most two digits behind the point, and none that say nothing.
#[must_use]
pub fn num(x: f64) -> String {
    let rounded = (x * 100.0).round() / 100.0;
    // There is one zero.
    let text = format!("{:.2}", if rounded == 0.0 { 0.0 } else { rounded });
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => match text.strip_prefix("-0.") {
            Some(rest) => format!("-.{rest}"),
            None => text.to_owned(),
        },
    }
}

/// Two numbers.
#[must_use]
pub fn pair(point: Point) -> String {
    format!("{} {}", num(point.0), num(point.1))
}

/// A path through points; closed when it is an outline.
#[must_use]
pub fn path(points: &[Point], closed: bool) -> String {
    let mut text = String::new();
    for (n, point) in points.iter().enumerate() {
        text.push(if n == 0 { 'M' } else { 'L' });
        text.push_str(&pair(*point));
    }
    if closed {
        text.push('z');
    }
    text
}

/// Text as it stands between tags and in attributes. What XML does not know is left out.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::tools::picture::write::{escape, num};

    #[test]
    fn numbers_are_short() {
        let told: Vec<String> = [0.0, -0.001, 0.5, -0.25, 3.0, 10.0, 1.239, -100.0]
            .map(num)
            .into();
        assert_eq!(told, ["0", "0", ".5", "-.25", "3", "10", "1.24", "-100"]);
    }

    #[test]
    fn texts_are_harmless() {
        assert_eq!(escape("a<b>&\"c\"\u{7}\n"), "a&lt;b&gt;&amp;&quot;c&quot; ");
    }
}
