//! Plots as SVG text: numbers and names in, pictures that need nothing but the colours of the page out. Nothing is drawn to scale
//! by hand elsewhere.

use crate::tools::simulate::histogram::Histogram;
use crate::tools::simulate::statistics::Estimate;

/// How wide a plot is.
const WIDTH: f64 = 720.0;
/// How high a line of text or bars is.
const ROW: f64 = 24.0;
/// How wide a letter is, about.
const LETTER: f64 = 7.4;
/// The longest label, in letters; what is longer is cut.
const LABEL: usize = 34;

/// A text between tags, or between quotes in one.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() && c != '\n' && c != '\t' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// A line of a plot: a label, and what is drawn behind it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<T> {
    /// The label.
    pub label: String,
    /// What is drawn.
    pub marks: Vec<T>,
}

/// A bar or a dot with an interval.
#[derive(Clone, PartialEq, Debug)]
pub struct Mark {
    /// The class of its colour.
    pub class: String,
    /// What it is, for who points at it.
    pub title: String,
    /// Where.
    pub estimate: Estimate,
}

/// A piece of a bar of several.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// The class of its colour.
    pub class: String,
    /// What it is, for who points at it.
    pub title: String,
    /// What is written into it, before the share, if there is room.
    pub name: String,
    /// Its share of the bar.
    pub share: f64,
}

/// Where numbers lie, as a line.
#[derive(Clone, PartialEq, Debug)]
pub struct Reach {
    /// What it is, for who points at it.
    pub title: String,
    /// The 5 % quantile.
    pub low: f64,
    /// The median.
    pub median: f64,
    /// The mean.
    pub mean: f64,
    /// The 95 % quantile.
    pub high: f64,
}

/// A drawing that grows from the top.
struct Canvas {
    body: String,
    left: f64,
    range: (f64, f64),
}

impl Canvas {
    fn new<T>(lines: &[Line<T>], range: (f64, f64)) -> Canvas {
        let longest = lines.iter().map(|l| l.label.chars().count()).max();
        let letters = longest.unwrap_or(0).min(LABEL) as f64;
        Canvas {
            body: String::new(),
            left: letters * LETTER + 12.0,
            range,
        }
    }

    fn x(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        let share = (value - low) / (high - low).max(1e-9);
        self.left + share.clamp(0.0, 1.0) * (WIDTH - self.left - 20.0)
    }

    fn label(&mut self, text: &str, y: f64) {
        let x = self.left - 8.0;
        let count = text.chars().count();
        let shown = if count > LABEL {
            let start: String = text.chars().take(LABEL - 1).collect();
            format!("{start}…")
        } else {
            text.to_owned()
        };
        self.body.push_str(&format!(
            "<text class=\"name\" x=\"{x:.1}\" y=\"{y:.1}\">{}<title>{}</title></text>\n",
            escaped(&shown),
            escaped(text)
        ));
    }

    fn grid(&mut self, ticks: &[(f64, String)], height: f64) {
        let mut grid = String::new();
        for (value, text) in ticks {
            let x = self.x(*value);
            grid.push_str(&format!(
                "<line class=\"grid\" x1=\"{x:.1}\" y1=\"4\" x2=\"{x:.1}\" y2=\"{:.1}\"/>\n\
                 <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\n",
                height - 20.0,
                height - 5.0,
                escaped(text)
            ));
        }
        self.body.insert_str(0, &grid);
    }

    fn done(self, height: f64, what: &str) -> String {
        format!(
            "<svg role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {WIDTH} {height:.0}\" width=\"{WIDTH}\" height=\"{height:.0}\">\n{}</svg>\n",
            escaped(what),
            self.body
        )
    }
}

/// Round numbers in a range, not more than about eight.
fn ticks(range: (f64, f64)) -> Vec<f64> {
    let (low, high) = range;
    let span = (high - low).max(1e-9);
    let rough = span / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    let step = steps
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(rough);
    let first = (low / step).ceil();
    let count = ((high / step).floor() - first).clamp(0.0, 20.0);
    let mut found = Vec::new();
    let mut at = 0.0;
    while at <= count {
        // Adding 0 makes -0 no number of its own.
        found.push((first + at) * step + 0.0);
        at += 1.0;
    }
    found
}

fn figure(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn in_percent(range: (f64, f64), signed: bool) -> Vec<(f64, String)> {
    let (low, high) = (range.0 * 100.0, range.1 * 100.0);
    let text = |tick: f64| {
        let sign = if signed && tick > 0.0 { "+" } else { "" };
        format!("{sign}{} %", figure(tick))
    };
    let ticks = ticks((low, high)).into_iter();
    ticks.map(|tick| (tick / 100.0, text(tick))).collect()
}

/// Bars from 0 on, several to a line, each with its interval.
#[must_use]
pub fn bars(lines: &[Line<Mark>], what: &str) -> String {
    let greatest = lines.iter().flat_map(|l| &l.marks);
    let greatest = greatest.map(|mark| mark.estimate.high).fold(0.0, f64::max);
    let mut canvas = Canvas::new(
        lines,
        (
            0.0,
            if greatest > 0.6 {
                1.0
            } else {
                greatest.max(0.01)
            },
        ),
    );
    let mut y = 6.0;
    for line in lines {
        let count = line.marks.len().max(1) as f64;
        let thick = if lines.len() == 1 { 18.0 } else { 11.0 };
        canvas.label(&line.label, y + count * thick / 2.0 + 4.0);
        for mark in &line.marks {
            let zero = canvas.x(0.0);
            let [value, low, high] =
                [mark.estimate.value, mark.estimate.low, mark.estimate.high].map(|v| canvas.x(v));
            let middle = y + thick / 2.0 - 0.5;
            canvas.body.push_str(&format!(
                "<g><title>{}</title><rect class=\"{}\" x=\"{zero:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\n\
                 <path class=\"whisker\" d=\"M{low:.1} {middle:.1}H{high:.1}M{low:.1} {:.1}v5M{high:.1} {:.1}v5\"/></g>\n",
                escaped(&mark.title),
                mark.class,
                (value - zero).max(0.0),
                thick - 1.5,
                middle - 2.5,
                middle - 2.5,
            ));
            y += thick;
        }
        y += 8.0;
    }
    let height = y + 22.0;
    let ticks = in_percent(canvas.range, false);
    canvas.grid(&ticks, height);
    canvas.done(height, what)
}

/// Dots with intervals on both sides of 0.
#[must_use]
pub fn differences(lines: &[Line<Mark>], what: &str) -> String {
    let ends = lines.iter().flat_map(|l| &l.marks);
    let far = ends.map(|m| m.estimate.low.abs().max(m.estimate.high.abs()));
    let far = (far.fold(0.02, f64::max) * 1.05).min(1.0);
    let mut canvas = Canvas::new(lines, (-far, far));
    let height = lines.len() as f64 * ROW + 32.0;
    let zero = canvas.x(0.0);
    canvas.body.push_str(&format!(
        "<line class=\"axis\" x1=\"{zero:.1}\" y1=\"4\" x2=\"{zero:.1}\" y2=\"{:.1}\"/>\n",
        height - 20.0
    ));
    for (at, line) in lines.iter().enumerate() {
        let y = at as f64 * ROW + 16.0;
        canvas.label(&line.label, y + 4.0);
        for mark in &line.marks {
            let [value, low, high] =
                [mark.estimate.value, mark.estimate.low, mark.estimate.high].map(|v| canvas.x(v));
            canvas.body.push_str(&format!(
                "<g><title>{}</title><path class=\"whisker\" d=\"M{low:.1} {y:.1}H{high:.1}M{low:.1} {:.1}v8M{high:.1} {:.1}v8\"/>\
                 <circle class=\"{}\" cx=\"{value:.1}\" cy=\"{y:.1}\" r=\"4.5\"/></g>\n",
                escaped(&mark.title),
                y - 4.0,
                y - 4.0,
                mark.class,
            ));
        }
    }
    let ticks = in_percent(canvas.range, true);
    canvas.grid(&ticks, height);
    canvas.done(height, what)
}

/// Bars of one length in pieces.
#[must_use]
pub fn stacks(lines: &[Line<Piece>], what: &str) -> String {
    let mut canvas = Canvas::new(lines, (0.0, 1.0));
    let height = lines.len() as f64 * ROW + 32.0;
    for (at, line) in lines.iter().enumerate() {
        let y = at as f64 * ROW + 6.0;
        canvas.label(&line.label, y + 13.0);
        let mut from = 0.0;
        for piece in &line.marks {
            let (left, right) = (canvas.x(from), canvas.x(from + piece.share));
            from += piece.share;
            if piece.share <= 0.0 {
                continue;
            }
            canvas.body.push_str(&format!(
                "<g><title>{}</title><rect class=\"{}\" x=\"{left:.2}\" y=\"{y:.1}\" width=\"{:.2}\" height=\"18\"/>",
                escaped(&piece.title),
                piece.class,
                (right - left).max(0.3),
            ));
            let short = format!("{:.0} %", piece.share * 100.0);
            let long = format!("{} {short}", piece.name);
            let fits = |text: &str| right - left > text.chars().count() as f64 * LETTER + 6.0;
            let text = [long.trim_start(), &short]
                .into_iter()
                .find(|text| fits(text));
            if let Some(text) = text {
                let text = escaped(text);
                canvas.body.push_str(&format!(
                    "<text class=\"inside {}\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
                    piece.class,
                    (left + right) / 2.0,
                    y + 13.0,
                ));
            }
            canvas.body.push_str("</g>\n");
        }
    }
    let ticks = in_percent((0.0, 1.0), false);
    canvas.grid(&ticks, height);
    canvas.done(height, what)
}

/// Lines from the 5 % quantile to the 95 % quantile, with the median and the mean.
#[must_use]
pub fn reaches(lines: &[Line<Reach>], what: &str) -> String {
    let greatest = lines.iter().flat_map(|l| &l.marks);
    let greatest = greatest.map(|r| r.high.max(r.mean)).fold(1.0, f64::max);
    let mut canvas = Canvas::new(lines, (0.0, greatest * 1.05));
    let height = lines.len() as f64 * ROW + 32.0;
    for (at, line) in lines.iter().enumerate() {
        let y = at as f64 * ROW + 16.0;
        canvas.label(&line.label, y + 4.0);
        for reach in &line.marks {
            let [low, median, mean, high] =
                [reach.low, reach.median, reach.mean, reach.high].map(|v| canvas.x(v));
            canvas.body.push_str(&format!(
                "<g><title>{}</title><rect class=\"reach\" x=\"{low:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"10\" rx=\"3\"/>\
                 <path class=\"median\" d=\"M{median:.1} {:.1}v14\"/><circle class=\"mean\" cx=\"{mean:.1}\" cy=\"{y:.1}\" r=\"3.5\"/></g>\n",
                escaped(&reach.title),
                y - 5.0,
                (high - low).max(2.0),
                y - 7.0,
            ));
        }
    }
    let ticks = ticks(canvas.range).into_iter();
    let ticks: Vec<(f64, String)> = ticks.map(|tick| (tick, figure(tick))).collect();
    canvas.grid(&ticks, height);
    canvas.done(height, what)
}

/// The most bars of a histogram.
const BINS: u64 = 80;
/// So many bars are the least that there is room for.
const FEW: usize = 16;
/// How high its bars are at most.
const HIGH: f64 = 130.0;

/// How often each number occurred.
#[must_use]
pub fn counts(histogram: &Histogram, what: &str) -> String {
    let (width, bins) = histogram.bins(BINS);
    let Some(least) = histogram.least() else {
        return String::new();
    };
    let all = histogram.count().max(1) as f64;
    let most = bins.iter().copied().max().unwrap_or(0).max(1) as f64;
    let low = least as f64;
    // A few bars are no wider than many.
    let places = bins.len().max(FEW) as f64;
    let range = (low, low + places * width as f64);
    let mut canvas = Canvas::new::<Mark>(&[], range);
    canvas.left = 52.0;
    let base = HIGH + 14.0;
    let mut back = String::new();
    for share in ticks((0.0, most / all * 100.0)) {
        let y = base - share / 100.0 * all / most * HIGH;
        back.push_str(&format!(
            "<line class=\"grid\" x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>\n\
             <text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{} %</text>\n",
            canvas.left,
            WIDTH - 20.0,
            canvas.left - 6.0,
            y + 4.0,
            figure(share),
        ));
    }
    canvas.body.push_str(&back);
    let mut from = least;
    for n in bins {
        let to = from.saturating_add(width);
        if n > 0 {
            let (left, right) = (canvas.x(from as f64), canvas.x(to as f64));
            let high = (n as f64 / most * HIGH).max(0.5);
            let name = if width == 1 {
                from.to_string()
            } else {
                format!("{from} to {}", to - 1)
            };
            let gap = if right - left > 4.0 { 1.0 } else { 0.0 };
            canvas.body.push_str(&format!(
                "<rect class=\"bin\" x=\"{left:.2}\" y=\"{:.1}\" width=\"{:.2}\" height=\"{high:.1}\"><title>{name}: {n}, {:.2} %</title></rect>\n",
                base - high,
                (right - left - gap).max(0.3),
                n as f64 / all * 100.0,
            ));
        }
        from = to;
    }
    // A number stands under the middle of its bar.
    let half = if width == 1 { 0.5 } else { 0.0 };
    for tick in ticks((range.0, range.1 - half)) {
        if tick.fract() != 0.0 {
            continue;
        }
        canvas.body.push_str(&format!(
            "<text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
            canvas.x(tick + half),
            base + 16.0,
            figure(tick),
        ));
    }
    canvas.body.push_str(&format!(
        "<line class=\"axis\" x1=\"{:.1}\" y1=\"{base}\" x2=\"{:.1}\" y2=\"{base}\"/>\n",
        canvas.left,
        WIDTH - 20.0
    ));
    canvas.done(base + 24.0, what)
}

#[cfg(test)]
mod tests {
    use crate::tools::simulate::plot::{escaped, ticks};

    #[test]
    fn texts_cannot_be_tags() {
        assert_eq!(
            escaped("<a b=\"c\">&'"),
            "&lt;a b=&quot;c&quot;&gt;&amp;&#39;"
        );
        assert_eq!(escaped("a\u{1b}b"), "a\u{fffd}b");
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks((0.0, 100.0)), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks((-0.5, 0.5)), [-0.4, -0.2, 0.0, 0.2, 0.4]);
        for range in [
            (0.0, 1.0),
            (3.0, 4.0),
            (7.0, 123_456.0),
            (0.0, 0.0),
            (5.0, 5.0),
        ] {
            assert!(ticks(range).len() <= 8, "{range:?}");
        }
    }
}
