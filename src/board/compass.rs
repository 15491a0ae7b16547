//! The sixteen points of the compass: short and long names, opposites, and the way they point in columns and rows.

/// Short name, long name, columns and rows gained; clockwise from north, so that the opposite is eight further.
const POINTS: [(&str, &str, i64, i64); 16] = [
    ("n", "north", 0, 1),
    ("nne", "northnortheast", 1, 2),
    ("ne", "northeast", 1, 1),
    ("ene", "eastnortheast", 2, 1),
    ("e", "east", 1, 0),
    ("ese", "eastsoutheast", 2, -1),
    ("se", "southeast", 1, -1),
    ("sse", "southsoutheast", 1, -2),
    ("s", "south", 0, -1),
    ("ssw", "southsouthwest", -1, -2),
    ("sw", "southwest", -1, -1),
    ("wsw", "westsouthwest", -2, -1),
    ("w", "west", -1, 0),
    ("wnw", "westnorthwest", -2, 1),
    ("nw", "northwest", -1, 1),
    ("nnw", "northnorthwest", -1, 2),
];

/// The short form of a compass name; any other name is left as it is.
pub(super) fn short(name: &str) -> &str {
    position(name)
        .and_then(|at| POINTS.get(at))
        .map_or(name, |point| point.0)
}

/// The opposite of a compass name, short or long as the name itself is.
pub(super) fn opposite(name: &str) -> Option<&'static str> {
    let point = POINTS.get((position(name)? + 8) % 16)?;
    Some(if short(name) == name {
        point.0
    } else {
        point.1
    })
}

/// Columns and rows gained by a compass name.
pub(super) fn vector(name: &str) -> Option<(i64, i64)> {
    POINTS.get(position(name)?).map(|p| (p.2, p.3))
}

/// The short name for columns and rows gained.
pub(super) fn pointing(columns: i64, rows: i64) -> Option<&'static str> {
    let found = POINTS.iter().find(|p| (p.2, p.3) == (columns, rows));
    found.map(|p| p.0)
}

fn position(name: &str) -> Option<usize> {
    POINTS.iter().position(|p| p.0 == name || p.1 == name)
}

#[cfg(test)]
mod tests {
    use crate::board::compass::{POINTS, opposite, pointing, short, vector};

    #[test]
    fn names_opposites_and_vectors_agree() {
        for (brief, long, x, y) in POINTS {
            assert_eq!(short(long), brief);
            assert_eq!(vector(long), Some((x, y)));
            assert_eq!(pointing(x, y), Some(brief));
            assert_eq!(opposite(brief).and_then(vector), Some((-x, -y)));
            assert_eq!(opposite(long).and_then(opposite), Some(long));
        }
        assert_eq!(short("clockwise"), "clockwise");
        assert_eq!(opposite("clockwise"), None);
    }
}
