//! What is missing: the sums of all that was seen in, the gaps out, by kind and place. What follows from another gap is left
//! out: the clauses of a rule that is never tried, the alternative that plays it.

use crate::base::Span;
use crate::tools::clauses::{Clause, ClauseKind, Counts};
use crate::tools::coverage::{Coverage, Sums};
use crate::tools::sections::{SectionKind, Sections};

/// Something that was never reached, or never makes a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// Which kind.
    pub kind: GapKind,
    /// Its place.
    pub place: Span,
    /// The name of the rule or end, or the requirement's text; else empty.
    pub text: String,
    /// How often it was tried.
    pub tried: u64,
    /// How much it let through.
    pub passed: u64,
}

/// The kinds of gaps, in the order in which they are told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GapKind {
    /// A rule that nothing comes to.
    RuleNeverTried,
    /// A rule that a turn plays, and that never completes an action.
    RuleNeverPlayed,
    /// A statement that has no effect under the options that were looked at.
    LeftOut,
    /// A clause that nothing comes to.
    NeverReached,
    /// A requirement that always holds.
    NeverRefuses,
    /// A requirement that never holds.
    NeverHolds,
    /// A choice or a picture without any way.
    NothingOffered,
    /// An effect that cannot be done.
    NeverDone,
    /// A condition that always holds.
    AlwaysTrue,
    /// A condition that never holds.
    NeverTrue,
    /// An alternative that is never run to its end.
    NeverTaken,
    /// An end that never comes.
    NeverEnds,
}

impl GapKind {
    /// All, in order.
    pub const ALL: [GapKind; 12] = [
        GapKind::RuleNeverTried,
        GapKind::RuleNeverPlayed,
        GapKind::LeftOut,
        GapKind::NeverReached,
        GapKind::NeverRefuses,
        GapKind::NeverHolds,
        GapKind::NothingOffered,
        GapKind::NeverDone,
        GapKind::AlwaysTrue,
        GapKind::NeverTrue,
        GapKind::NeverTaken,
        GapKind::NeverEnds,
    ];

    /// The name for machines.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            GapKind::RuleNeverTried => "rules_never_tried",
            GapKind::RuleNeverPlayed => "rules_never_played",
            GapKind::LeftOut => "left_out",
            GapKind::NeverReached => "never_reached",
            GapKind::NeverRefuses => "never_refuse",
            GapKind::NeverHolds => "never_hold",
            GapKind::NothingOffered => "offer_nothing",
            GapKind::NeverDone => "never_done",
            GapKind::AlwaysTrue => "always_true",
            GapKind::NeverTrue => "never_true",
            GapKind::NeverTaken => "never_taken",
            GapKind::NeverEnds => "never_happen",
        }
    }

    /// Whether it says that a test always comes out the same.
    fn is_of_tests(self) -> bool {
        matches!(
            self,
            GapKind::NeverHolds | GapKind::AlwaysTrue | GapKind::NeverTrue
        )
    }

    /// For people: what one of them is, what many are, and what is to be said of one and of many.
    #[must_use]
    pub fn words(self) -> [&'static str; 4] {
        match self {
            GapKind::RuleNeverTried => ["rule", "rules", "is never tried", "are never tried"],
            GapKind::RuleNeverPlayed => [
                "rule",
                "rules",
                "never gives an action",
                "never give an action",
            ],
            GapKind::LeftOut => [
                "clause",
                "clauses",
                "does nothing under these options",
                "do nothing under these options",
            ],
            GapKind::NeverReached => ["clause", "clauses", "is never reached", "are never reached"],
            GapKind::NeverRefuses => [
                "requirement",
                "requirements",
                "never refuses",
                "never refuse",
            ],
            GapKind::NeverHolds => ["requirement", "requirements", "never holds", "never hold"],
            GapKind::NothingOffered => [
                "choice or picture",
                "choices and pictures",
                "never offers anything",
                "never offer anything",
            ],
            GapKind::NeverDone => ["effect", "effects", "is never done", "are never done"],
            GapKind::AlwaysTrue => ["condition", "conditions", "always holds", "always hold"],
            GapKind::NeverTrue => ["condition", "conditions", "never holds", "never hold"],
            GapKind::NeverTaken => [
                "alternative",
                "alternatives",
                "is never taken",
                "are never taken",
            ],
            GapKind::NeverEnds => ["end", "ends", "never happens", "never happen"],
        }
    }
}

/// Finds the gaps and counts the clauses.
pub fn find(sections: &Sections, sums: &Sums, result: &mut Coverage) {
    let mut gaps = Vec::new();
    let untried = rules(sections, sums, &mut gaps);
    let told = |place: Span| sections.at(place).is_none_or(|at| !untried[at]);
    for (clause, counts) in &sums.clauses {
        if clause.kind == ClauseKind::Order {
            continue;
        }
        result.clauses += 1;
        result.reached += usize::from(counts.tried > 0);
        // Where the options settle a test it has been left out, and nothing was counted.
        let settled = sums.settled.contains(&clause.place);
        let kind = judged(clause.kind, *counts).filter(|kind| !settled || !kind.is_of_tests());
        if let Some(kind) = kind.filter(|_| told(clause.place)) {
            gaps.push(gap(kind, clause, *counts));
        }
    }
    let known = |place: &Span| sums.clauses.keys().any(|c| c.place == *place);
    for place in sections.statements.iter().filter(|place| !known(place)) {
        result.clauses += 1;
        if told(*place) {
            gaps.push(bare(GapKind::LeftOut, *place, ""));
        }
    }
    let dead: Vec<String> = gaps
        .iter()
        .filter(|g| matches!(g.kind, GapKind::RuleNeverTried | GapKind::RuleNeverPlayed))
        .map(|g| g.text.clone())
        .collect();
    for ((_, _, place), (counts, rule)) in &sums.ways {
        if counts.tried > 0 && counts.passed == 0 && !dead.contains(rule) && told(*place) {
            let mut gap = bare(GapKind::NeverTaken, *place, "");
            gap.tried = counts.tried;
            gaps.push(gap);
        }
    }
    for (place, (_, name)) in sums.ends.iter().filter(|(_, (sum, _))| *sum == 0) {
        gaps.push(bare(GapKind::NeverEnds, *place, name));
    }
    gaps.sort_by_key(|g| (g.kind, g.place));
    gaps.dedup();
    result.gaps = gaps;
}

/// Looks at whole rules; tells of each section whether nothing came to it.
fn rules(sections: &Sections, sums: &Sums, gaps: &mut Vec<Gap>) -> Vec<bool> {
    let mut untried = vec![false; sections.list.len()];
    for (at, section) in sections.list.iter().enumerate() {
        if section.kind == SectionKind::Setup {
            continue;
        }
        let within = |place: Span| sections.at(place) == Some(at);
        let own = sums.clauses.iter().filter(|(c, _)| within(c.place));
        let tried = own.map(|(_, n)| n.tried).sum::<u64>();
        let actions = sums.actions.get(at).copied().flatten();
        // A rule without clauses that is never played has been put nowhere, or nothing came to it.
        let is_rule = section.kind == SectionKind::Rule;
        let has_none = sections.statements.iter().all(|s| !within(*s));
        let unused = tried == 0 && actions.unwrap_or(0) == 0;
        untried[at] = unused && (is_rule || !has_none);
        let kind = match (untried[at], actions) {
            (true, _) => GapKind::RuleNeverTried,
            (false, Some(0)) if is_rule => GapKind::RuleNeverPlayed,
            (false, _) => continue,
        };
        let text = if is_rule {
            section.name.clone()
        } else {
            section.heading()
        };
        gaps.push(bare(kind, section.title, &text));
    }
    untried
}

/// The gap that counts speak of.
fn judged(kind: ClauseKind, counts: Counts) -> Option<GapKind> {
    let Counts { tried, passed } = counts;
    match kind {
        _ if tried == 0 => Some(GapKind::NeverReached),
        ClauseKind::Requirement if passed == 0 => Some(GapKind::NeverHolds),
        ClauseKind::Requirement if passed == tried => Some(GapKind::NeverRefuses),
        ClauseKind::Choice | ClauseKind::Picture if passed == 0 => Some(GapKind::NothingOffered),
        ClauseKind::Effect if passed == 0 => Some(GapKind::NeverDone),
        ClauseKind::Condition if passed == 0 => Some(GapKind::NeverTrue),
        ClauseKind::Condition if passed == tried => Some(GapKind::AlwaysTrue),
        ClauseKind::Order
        | ClauseKind::Condition
        | ClauseKind::Choice
        | ClauseKind::Picture
        | ClauseKind::Requirement
        | ClauseKind::Effect => None,
    }
}

fn gap(kind: GapKind, clause: &Clause, counts: Counts) -> Gap {
    Gap {
        kind,
        place: clause.place,
        text: clause.text.clone(),
        tried: counts.tried,
        passed: counts.passed,
    }
}

fn bare(kind: GapKind, place: Span, text: &str) -> Gap {
    Gap {
        kind,
        place,
        text: text.to_owned(),
        tried: 0,
        passed: 0,
    }
}
