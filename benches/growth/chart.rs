//! Lines on two logarithmic scales, one field under the other, as an SVG picture that can still be read 400 pixels wide: for
//! each field what takes time and named lines of points, cells and nanoseconds; text out.

use std::fmt::Write as _;

/// What a field shows: what takes the time, and named lines.
pub type Panel<'a> = (&'a str, Vec<(&'a str, Vec<(f64, f64)>)>);

const WIDTH: f64 = 640.0;
/// Left and right edges of all fields.
const SIDES: (f64, f64) = (104.0, 616.0);
/// Where the first field begins, how high a field is, and how far from one to the next.
const TOP: f64 = 136.0;
const HEIGHT: f64 = 340.0;
const STEP: f64 = 460.0;
/// Of each line: the colour, and the mark at its points.
const STYLES: [(&str, Mark); 4] = [
    ("#0b62a4", Mark::Circle),
    ("#c23b22", Mark::Square),
    ("#2b7a2b", Mark::Diamond),
    ("#7b3fa0", Mark::Triangle),
];

#[derive(Clone, Copy)]
enum Mark {
    Circle,
    Square,
    Diamond,
    Triangle,
}

impl Mark {
    /// The shape around a place.
    fn shape(self, x: f64, y: f64, color: &str) -> String {
        let way = match self {
            Mark::Circle => {
                return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.5\" fill=\"{color}\"/>");
            }
            Mark::Square => "m-5-5h10v10h-10z",
            Mark::Diamond => "m0-7l7 7l-7 7l-7-7z",
            Mark::Triangle => "m0-7l6.5 12h-13z",
        };
        format!("<path d=\"M{x:.1} {y:.1}{way}\" fill=\"{color}\"/>")
    }
}

/// A logarithmic scale: its ends as values, and where they are drawn.
struct Scale {
    values: (f64, f64),
    drawn: (f64, f64),
}

impl Scale {
    /// The scale around some values, to the next of 1, 2 and 5 times a power of ten on both sides.
    fn around(values: impl Iterator<Item = f64>, drawn: (f64, f64)) -> Scale {
        let (least, most) = values.fold((f64::MAX, 1e-9_f64), |(a, b), v| (a.min(v), b.max(v)));
        let least = least.clamp(1e-9, most);
        let steps = steps(least / 10.0, most * 10.0);
        let from = steps.iter().rfind(|step| **step <= least);
        let to = steps.iter().find(|step| **step >= most);
        let (from, to) = (from.copied().unwrap_or(least), to.copied().unwrap_or(most));
        Scale {
            values: (from, to.max(from * 2.0)),
            drawn,
        }
    }

    fn place(&self, value: f64) -> f64 {
        let (from, to) = self.values;
        let part = (value / from).ln() / (to / from).ln();
        self.drawn.0 + part * (self.drawn.1 - self.drawn.0)
    }

    /// The values to draw a line at, and whether a number is written there: at all of them, if there is room.
    fn lines(&self, room: usize) -> impl Iterator<Item = (f64, bool)> {
        let all = steps(self.values.0, self.values.1);
        let crowded = all.len() > room;
        let power = |step: f64| (step.log10() - step.log10().round()).abs() < 1e-6;
        all.into_iter()
            .map(move |step| (step, !crowded || power(step)))
    }
}

/// 1, 2 and 5 times the powers of ten between two numbers.
fn steps(from: f64, to: f64) -> Vec<f64> {
    let powers = from.log10().floor() as i32..=to.log10().ceil() as i32;
    let all = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(power)));
    all.filter(|step| *step >= from * 0.999 && *step <= to * 1.001)
        .collect()
}

/// `20 000`, `0.5`.
fn number(value: f64) -> String {
    if value < 0.999 {
        return format!("{value:.3}").trim_end_matches('0').to_owned();
    }
    let digits = format!("{value:.0}");
    match digits.len() {
        0..=4 => digits,
        many => {
            let (thousands, rest) = digits.split_at(many - 3);
            format!("{thousands}\u{202f}{rest}")
        }
    }
}

/// The picture.
pub fn chart(panels: &[Panel<'_>]) -> String {
    let height = TOP + STEP * panels.len() as f64 - 30.0;
    let mut svg = String::new();
    let mut put = |text: String| writeln!(svg, "{text}").unwrap();
    put(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"19\" fill=\"#222\">"
    ));
    put("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>".to_owned());
    put(
        "<text x=\"20\" y=\"36\" font-size=\"23\" font-weight=\"bold\">How cost grows with the board</text>"
            .to_owned(),
    );
    let names = panels.first().map_or(&[][..], |(_, lines)| lines);
    let mut x = 28.0;
    for ((name, _), (color, mark)) in names.iter().zip(STYLES) {
        put(mark.shape(x, 68.0, color));
        put(format!("<text x=\"{}\" y=\"75\">{name}</text>", x + 14.0));
        x += 52.0 + 11.0 * name.len() as f64;
    }
    for (at, panel) in panels.iter().enumerate() {
        let top = TOP + STEP * at as f64;
        put(field(panel, top, top + HEIGHT));
    }
    svg.push_str("</svg>\n");
    svg
}

/// One field: its title, scales and lines.
fn field((title, lines): &Panel<'_>, top: f64, bottom: f64) -> String {
    let (left, right) = SIDES;
    let points = || lines.iter().flat_map(|(_, points)| points);
    let across = Scale::around(points().map(|p| p.0), SIDES);
    let up = Scale::around(points().map(|p| p.1), (bottom, top));
    let mut svg = String::new();
    let mut put = |text: String| svg.push_str(&text);
    put(format!(
        "<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">Time of {title}</text>\n",
        top - 14.0
    ));
    for (value, written) in across.lines(9) {
        let x = across.place(value);
        put(format!(
            "<path d=\"M{x:.1} {top}V{bottom}\" stroke=\"#ddd\"/>"
        ));
        if written {
            let (value, y) = (number(value), bottom + 26.0);
            put(format!(
                "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{value}</text>\n"
            ));
        }
    }
    for (value, written) in up.lines(11) {
        let y = up.place(value);
        put(format!(
            "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>"
        ));
        if written {
            let (value, x, y) = (number(value), left - 8.0, y + 7.0);
            put(format!(
                "<text x=\"{x}\" y=\"{y:.1}\" text-anchor=\"end\">{value}</text>\n"
            ));
        }
    }
    put(format!(
        "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"#444\" stroke-width=\"1.5\"/>\n"
    ));
    put(format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">cells of the board</text>\n",
        f64::midpoint(left, right),
        bottom + 56.0
    ));
    put(format!(
        "<text transform=\"translate(24 {}) rotate(-90)\" text-anchor=\"middle\">nanoseconds</text>\n",
        f64::midpoint(top, bottom)
    ));
    for ((_, points), (color, mark)) in lines.iter().zip(STYLES) {
        let places = points.iter().map(|p| (across.place(p.0), up.place(p.1)));
        let way: Vec<String> = places
            .clone()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        put(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\"/>\n",
            way.join(" ")
        ));
        places.for_each(|(x, y)| put(mark.shape(x, y, color)));
        put("\n".to_owned());
    }
    svg
}
