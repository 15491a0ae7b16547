//! The layout of rule files. In: a source that can be read. Out: the same tokens and comments on the same lines, with the
//! spaces, indentation and columns that all rule files have. What the text means is not changed, nor where its lines end.

mod columns;
mod layout;
mod spacing;
mod tokens;

use crate::base::{Diagnostics, Source};
use crate::syntax::ast::File;
use crate::syntax::format::columns::Rows;
use crate::syntax::format::tokens::Line;
use crate::syntax::parse_alone;
use serde_json::Value;

/// Lays a rule file out.
///
/// # Errors
///
/// What is wrong with the text, if it cannot be read.
pub fn format(source: &Source) -> Result<String, Diagnostics> {
    let (_, diagnostics) = parse_alone(source);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    Ok(lay_out(source.text()))
}

/// Whether two trees say the same, wherever it stands.
#[must_use]
pub fn same_tree(one: &File, other: &File) -> bool {
    placeless(one) == placeless(other)
}

fn placeless(file: &File) -> Option<Value> {
    let mut value = serde_json::to_value(file).ok()?;
    forget_places(&mut value);
    Some(value)
}

fn forget_places(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(forget_places),
        Value::Object(map) => {
            let number = |name| map.get(name).is_some_and(Value::is_number);
            if map.len() == 2 && number("start") && number("end") {
                *value = Value::Null;
                return;
            }
            // The rows of a drawing may be moved as a whole.
            if let Some(Value::String(text)) = map.get_mut("rows").and_then(|r| r.get_mut("text")) {
                let bare = |line: &str| line.split("//").next().unwrap_or("").trim().to_owned();
                let inner = text.trim_start_matches('{').trim_end_matches('}');
                let rows = inner.lines().map(bare).filter(|row| !row.is_empty());
                *text = rows.collect::<Vec<_>>().join("\n");
            }
            map.values_mut().for_each(forget_places);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Lays any text out, line by line.
fn lay_out(text: &str) -> String {
    let mut lines = tokens::lines(text);
    close_gaps(&mut lines);
    let places = layout::places(&lines);
    let mut rows = Rows {
        lines: &lines,
        places: &places,
        spaces: spacing::spaces(&lines),
    };
    rows.align();
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for ((line, place), spaces) in lines.iter().zip(&places).zip(&rows.spaces) {
        if line.gap {
            out.push('\n');
        }
        out.extend(std::iter::repeat_n(' ', place.indent));
        for (token, spaces) in line.tokens.iter().zip(spaces) {
            out.extend(std::iter::repeat_n(' ', *spaces));
            out.push_str(token.text);
        }
        out.push('\n');
    }
    out
}

/// Forgets the empty lines that do not stay, so that what comes to stand together is laid out together.
fn close_gaps(lines: &mut [Line<'_>]) {
    for at in 0..lines.len() {
        let stays = at > 0 && parted(&lines[at - 1], &lines[at]);
        lines[at].gap &= stays;
    }
}

/// Whether an empty line between two lines stays: not at the start of a block, nor at its end.
fn parted(above: &Line<'_>, below: &Line<'_>) -> bool {
    let opens = above.code().last().is_some_and(|t| t.opens.is_some());
    let closes = below.code().first().is_some_and(|t| t.closes());
    !opens && !closes
}

#[cfg(test)]
mod tests {
    use super::{lay_out, same_tree};
    use crate::base::Source;
    use crate::syntax::parse_alone;
    use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

    /// A text and its layout, which is its own layout.
    fn becomes(text: &str, layout: &str) {
        assert_eq!(lay_out(text), layout);
        assert_eq!(lay_out(layout), layout);
    }

    #[test]
    fn variants_and_examples_are_laid_out() {
        becomes(
            "variant  of \"../base.game\"\n\n\noption size=7\n option men = 3   in 1..5 when shadow=on \"text\"\n\
             replace rule Step \"{a}-{b}\" {\nchoose a in own\n}\nreplace end \"name\" {\nwin \"x\" when a\nlose \"long\" when b\n}\n\
             remove rule  Step\nremove end \"name\"\n",
            "variant of \"../base.game\"\n\noption size = 7\noption men  = 3 in 1..5 when shadow = on    \"text\"\n\
             replace rule Step \"{a}-{b}\" {\n  choose a in own\n}\nreplace end \"name\" {\n  win  \"x\"    when a\n  lose \"long\" when b\n}\n\
             remove rule Step\nremove end \"name\"\n",
        );
    }

    #[test]
    fn actions_are_never_changed() {
        becomes(
            "example \"title\" with size=5,men = 3 {\nposition   \"5/5 w\"\nplay a1-a2   b3-b4 // two\n  c1xd2xe3(d4,f6) O-O\n\
             legal a1-a2 +b1 *b2 =v\nlegal only  stop\nillegal c3 *d4 because   \"text\"\nbecomes \"line\"\noutcome White wins \"crossed\"\n}\n",
            "example \"title\" with size = 5, men = 3 {\n  position \"5/5 w\"\n  play a1-a2 b3-b4    // two\n       c1xd2xe3(d4,f6) O-O\n  \
             legal a1-a2 +b1 *b2 =v\n  legal only stop\n  illegal c3 *d4 because \"text\"\n  becomes \"line\"\n  outcome White wins \"crossed\"\n}\n",
        );
        becomes(
            "example \"short\" { play a1-a2+b }\nrule A {\nplay a1-a2\n}\n",
            "example \"short\" { play a1-a2+b }\nrule A {\n  play a1 - a2\n}\n",
        );
    }

    #[test]
    fn rows_keep_their_places_beside_one_another() {
        becomes(
            "example \"t\" {\nposition {\n      .  k // here\n    (ssS)  .\n  \n} \"w  x=1\"\nbecomes {\n. -\n} \"b\"\n}\nsetup draw {\n. .\n}\n",
            "example \"t\" {\n  position {\n      .  k    // here\n    (ssS)  .\n  } \"w  x=1\"\n  becomes {\n    . -\n  } \"b\"\n}\nsetup draw {\n  . .\n}\n",
        );
    }

    #[test]
    fn a_row_may_stand_beside_the_brace() {
        let text = "game \"x\"\nexample \"a\" {\n  position {. .\n  .} \"b\"\n}\n";
        let tree = |text: &str| parse_alone(&Source::new("x.game", text)).0;
        let laid = lay_out(text);
        assert_eq!(lay_out(&laid), laid);
        assert!(same_tree(&tree(text), &tree(&laid)), "{laid}");
        let other = laid.replace(". .", ". -");
        assert!(!same_tree(&tree(text), &tree(&other)));
    }

    #[test]
    fn lines_that_go_on_hang() {
        becomes(
            "require a <= b\nor c\n\"why\"\nplayers White,\nBlack\nkeep a=none\naside\ndefine x=\na\nor b\n// c\nor c\ndefine y =\na and b\nor c\n",
            "require a <= b\n        or c\n        \"why\"\nplayers White,\n        Black\nkeep a = none\n     aside\ndefine x =\n     a\n  or b\n  // c\n  or c\ndefine y =\n  a and b\n  or c\n",
        );
        becomes(
            "rule A {\nlet a =\nb\n+ c\nrequire a\n\"why\"\nA\nor {\npass\n}\nor pass\nif a {\n}\nelse {\n}\nmove a\nto b\n}\n",
            "rule A {\n  let a =\n    b\n    + c\n  require a\n          \"why\"\n  A\n  or {\n    pass\n  }\n  or pass\n  if a {\n  }\n  else {\n  }\n  move a\n    to b\n}\n",
        );
    }

    #[test]
    fn signs_stand_where_they_are_read_best() {
        becomes(
            "rule A {\nline as way [n own|0..n - 1 empty|(n-1)own|1.. 2 enemy|0..(n) any]\nlet a=-1+2* - 3\nchoose n in 1..size-1\nchoose m in rows( 1..count(x)*2 )\n\
             capture (a) or b(c ,d)\nlet c = S with most(x)\nchoose k in length need..cells\nlet d = {}\n}\n",
            "rule A {\n  line as way [ n own | 0..n-1 empty | (n - 1) own | 1..2 enemy | 0..(n) any ]\n  let a = -1 + 2 * -3\n  choose n in 1..size-1\n  choose m in rows(1..count(x)*2)\n  \
             capture (a) or b(c, d)\n  let c = S with most (x)\n  choose k in length need.. cells\n  let d = {}\n}\n",
        );
    }

    #[test]
    fn comments_that_come_to_stand_together_are_one_column() {
        becomes(
            "rule Ab { // one\n\npass // two\n\n} // three\n",
            "rule Ab {    // one\n  pass       // two\n}            // three\n",
        );
    }

    #[test]
    fn what_stands_far_off_stays_there() {
        becomes(
            "rule A {\nrequire a \"one\"\nrequire abc \"two\"\nrequire some long condition that goes on and on and on \"three\"\n}\n",
            "rule A {\n  require a   \"one\"\n  require abc \"two\"\n  require some long condition that goes on and on and on \"three\"\n}\n",
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_but_spaces_changes(text in "([ \t\r\n]|[a-z]{1,3}|[{}()\\[\\]|,;\"=.+-]|//|setup draw \\{|example \\{|play |trail|ä|some line|as| or|rule )*") {
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            let once = lay_out(&text);
            prop_assert_eq!(squeezed(&text), squeezed(&once));
            prop_assert_eq!(lay_out(&once), once);
        }
    }
}
