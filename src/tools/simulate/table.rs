//! Summaries as text for people: a block for one configuration, or a line for each of several. In: summaries. Out: lines.

use crate::tools::simulate::histogram::Histogram;
use crate::tools::simulate::plan::Plan;
use crate::tools::simulate::statistics::Estimate;
use crate::tools::simulate::summary::{EndShare, Share, Spread, Summary, joined};

/// All of it: blocks for one configuration, or where they are asked for; lines for several.
#[must_use]
pub fn table(summaries: &[Summary<'_>], blocks: bool) -> String {
    let Some(first) = summaries.first() else {
        return String::new();
    };
    let mut text = String::new();
    if blocks || summaries.len() == 1 {
        let blocks: Vec<String> = summaries.iter().map(block).collect();
        text.push_str(&blocks.join("\n"));
    } else {
        let files = |a: &Summary<'_>, b: &Summary<'_>| {
            let unswept = a.configuration.swept.is_empty();
            unswept || a.configuration.file == b.configuration.file
        };
        let tables: Vec<String> = summaries.chunk_by(files).map(lines).collect();
        text.push_str(&tables.join("\n"));
    }
    for note in notes(first.plan) {
        text.push('\n');
        text.push_str(&note);
        text.push('\n');
    }
    text
}

/// What is to be known besides.
fn notes(plan: &Plan) -> Vec<String> {
    let mut notes = Vec::new();
    if !plan.repeatable() {
        notes.push(
            "Players who think by the clock play other games every time; give them playouts to repeat these."
                .to_owned(),
        );
    }
    notes
}

/// Cells in columns; the first of a row at the left, the others at the right, unless the column is a text.
struct Grid {
    rows: Vec<Vec<String>>,
    texts: Vec<usize>,
}

impl Grid {
    fn new(head: &[&str], texts: &[usize]) -> Grid {
        Grid {
            rows: vec![head.iter().map(|h| (*h).to_owned()).collect()],
            texts: texts.to_vec(),
        }
    }

    fn print(&self, indent: &str) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = indent.to_owned();
            for (column, cell) in row.iter().enumerate() {
                if column > 0 {
                    line.push_str("  ");
                }
                let width = widths[column];
                if self.texts.contains(&column) {
                    line.push_str(&format!("{cell:<width$}"));
                } else {
                    line.push_str(&format!("{cell:>width$}"));
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A share in per cent.
#[must_use]
pub fn percent(value: f64) -> String {
    format!("{:.2} %", value * 100.0)
}

/// An interval in per cent.
#[must_use]
pub fn interval(estimate: Estimate) -> String {
    format!(
        "{:.2}..{:.2} %",
        estimate.low * 100.0,
        estimate.high * 100.0
    )
}

/// A difference of shares in per cent, with its sign.
#[must_use]
pub fn signed(value: f64) -> String {
    format!("{:+.2} %", value * 100.0)
}

/// The interval of a difference, with signs.
#[must_use]
pub fn signed_interval(estimate: Estimate) -> String {
    format!(
        "{:+.2}..{:+.2} %",
        estimate.low * 100.0,
        estimate.high * 100.0
    )
}

/// A name, or what stands for one that is empty.
#[must_use]
pub fn named(name: &str) -> &str {
    if name.is_empty() {
        "(without a name)"
    } else {
        name
    }
}

/// What was played, in two or three lines.
#[must_use]
pub fn subject(summary: &Summary<'_>) -> Vec<String> {
    let (plan, configuration) = (summary.plan, summary.configuration);
    let options = joined(&configuration.options);
    let mut lines = vec![
        format!("{}: {}", configuration.file, configuration.game),
        format!(
            "rules {}{}",
            configuration.rules,
            if options.is_empty() {
                String::new()
            } else {
                format!(", {options}")
            }
        ),
        format!("{}, seed {}", players(summary), plan.seed),
    ];
    if let Some(position) = &plan.position {
        lines.push(format!("from {position}"));
    }
    lines
}

/// Who plays: `random` for all, or each with the player's name.
fn players(summary: &Summary<'_>) -> String {
    let plan = summary.plan;
    if !plan.mixed() {
        return format!("players {}", plan.seat(0));
    }
    let names = summary.configuration.players.iter().enumerate();
    let each = names.map(|(at, name)| format!("{name} {}", plan.seat(at)));
    each.collect::<Vec<_>>().join(", ")
}

/// Why games have no end.
#[must_use]
pub fn why_unfinished(summary: &Summary<'_>) -> String {
    let (tally, most) = (summary.tally, summary.plan.max_plies);
    match (tally.broken, tally.stuck) {
        (0, 0) => String::new(),
        (_, 0) => format!("broken off after {most} actions"),
        (0, _) => "without a legal action, and no end says what then".to_owned(),
        (broken, stuck) => format!(
            "{broken} broken off after {most} actions, {stuck} without a legal action, and no end says what then"
        ),
    }
}

fn block(summary: &Summary<'_>) -> String {
    let mut text = subject(summary).join("\n");
    text.push_str("\n\n");
    text.push_str(&results(summary));
    text.push('\n');
    text.push_str(&ends(summary));
    text.push('\n');
    text.push_str(&spreads(summary));
    let mut more = Vec::new();
    if let Some(repetition) = &summary.repetition {
        more.push(format!(
            "positions repeated: in {} games ({}), {} of {} positions at the start of a turn ({})",
            repetition.games.games,
            percent(repetition.games.share.value),
            repetition.positions,
            summary.tally.starts,
            percent(repetition.share),
        ));
    }
    if summary.leads.is_some() {
        more.push(format!(
            "changes of the lead were looked for in {} games",
            summary.tally.leads.count()
        ));
    }
    if !more.is_empty() {
        text.push_str(&format!("\n{}\n", more.join("\n")));
    }
    text
}

fn results(summary: &Summary<'_>) -> String {
    let mut grid = Grid::new(&["result", "games", "share", "95 % interval", ""], &[0, 4]);
    let mut row = |name: String, share: &Share, note: String| {
        grid.rows.push(vec![
            name,
            share.games.to_string(),
            percent(share.share.value),
            interval(share.share),
            note,
        ]);
    };
    let seat = |at: usize, share: &Share| {
        // Where seats are never exchanged the colour tells who it is.
        if summary.persons.is_empty() {
            summary.person(at)
        } else {
            share.name.clone()
        }
    };
    for (at, share) in summary.winners.iter().enumerate() {
        row(format!("{} wins", seat(at, share)), share, String::new());
    }
    for (at, share) in summary.losers.iter().enumerate() {
        row(format!("{} loses", seat(at, share)), share, String::new());
    }
    row("draw".to_owned(), &summary.draws, String::new());
    row(
        "unfinished".to_owned(),
        &summary.unfinished,
        why_unfinished(summary),
    );
    for (at, share) in summary.persons.iter().enumerate() {
        let name = format!("who was {} at the start wins", summary.person(at));
        row(name, share, String::new());
    }
    for (at, share) in summary.losing_persons.iter().enumerate() {
        let name = format!("who was {} at the start loses", summary.person(at));
        row(name, share, String::new());
    }
    grid.rows.push(vec![
        "all".to_owned(),
        summary.tally.games.to_string(),
        String::new(),
        String::new(),
        if summary.tally.exchanged > 0 {
            format!("{} with seats exchanged", summary.tally.exchanged)
        } else {
            String::new()
        },
    ]);
    let mut text = grid.print("");
    let advantage = &summary.advantage;
    let by = if summary.person_advantage.is_some() {
        ", by colour"
    } else {
        ""
    };
    text.push_str(&format!(
        "\nadvantage of {}, who begins{by}: {} ({})\n",
        advantage.player,
        signed(advantage.difference.value),
        signed_interval(advantage.difference),
    ));
    if let Some(advantage) = &summary.person_advantage {
        text.push_str(&format!(
            "advantage of who was {} at the start: {} ({})\n",
            advantage.player,
            signed(advantage.difference.value),
            signed_interval(advantage.difference),
        ));
    }
    text
}

fn mean(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.2}"))
}

fn ends(summary: &Summary<'_>) -> String {
    let players = &summary.configuration.players;
    let turns = summary.turns.is_some();
    let drawn = summary.ends.iter().any(|end| end.draws > 0);
    let mut head = vec!["end", "games", "share", "95 % interval"];
    let wins: Vec<String> = players.iter().map(|name| format!("{name} wins")).collect();
    head.extend(wins.iter().map(String::as_str));
    if drawn {
        head.push("draws");
    }
    if turns {
        head.push("turns");
    }
    head.push("actions");
    let mut grid = Grid::new(&head, &[0]);
    for EndShare {
        share,
        wins,
        draws,
        turns: length,
        plies,
    } in &summary.ends
    {
        let mut row = vec![
            named(&share.name).to_owned(),
            share.games.to_string(),
            percent(share.share.value),
            interval(share.share),
        ];
        row.extend(wins.iter().map(u64::to_string));
        if drawn {
            row.push(draws.to_string());
        }
        if turns {
            row.push(mean(*length));
        }
        row.push(mean(*plies));
        grid.rows.push(row);
    }
    grid.print("")
}

fn spreads(summary: &Summary<'_>) -> String {
    let head = ["", "mean", "median", "5 %", "95 %", "min", "max", ""];
    let mut grid = Grid::new(&head, &[0, 7]);
    for (name, spread) in [
        ("turns of a game", &summary.turns),
        ("actions of a game", &summary.plies),
        ("legal actions", &summary.branching),
        ("changes of the lead", &summary.leads),
    ] {
        let Some(spread) = spread else { continue };
        let mut row = vec![name.to_owned()];
        row.extend(spread.figures());
        row.push(small(&spread.histogram));
        grid.rows.push(row);
    }
    grid.print("")
}

/// A histogram in one line of bars, from the least number to the greatest.
fn small(histogram: &Histogram) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let (_, bins) = histogram.bins(32);
    let most = bins.iter().copied().max().unwrap_or(0).max(1);
    let bar = |n: u64| {
        if n == 0 {
            return ' ';
        }
        let height = (u128::from(n) * 8).div_ceil(u128::from(most));
        let height = usize::try_from(height).unwrap_or(8).clamp(1, 8);
        BARS[height - 1]
    };
    let bars: String = bins.into_iter().map(bar).collect();
    format!("|{bars}|")
}

/// A line for each configuration: a table for each file, or one for all where only the files differ.
fn lines(summaries: &[Summary<'_>]) -> String {
    let Some(first) = summaries.first() else {
        return String::new();
    };
    let (plan, configuration) = (first.plan, &first.configuration);
    let one = summaries
        .iter()
        .all(|s| s.configuration.file == configuration.file);
    let seats = if one || !plan.mixed() {
        players(first)
    } else {
        format!("players {}", plan.seats.join(", "))
    };
    let mut text = String::new();
    if one {
        text.push_str(&format!("{}: {}\n", configuration.file, configuration.game));
    }
    text.push_str(&format!("{seats}, seed {}\n", plan.seed));
    if let Some(position) = &plan.position {
        text.push_str(&format!("from {position}\n"));
    }
    text.push('\n');
    text.push_str(&rows(summaries, one));
    text
}

/// The names of the players, or their numbers where games have different ones.
fn player_names(summaries: &[Summary<'_>]) -> Vec<String> {
    let all = summaries.iter().map(|s| &s.configuration.players);
    let Some(most) = all.clone().max_by_key(|players| players.len()) else {
        return Vec::new();
    };
    if all.clone().all(|players| players == most) {
        return most.clone();
    }
    (1..=most.len()).map(|n| format!("player {n}")).collect()
}

fn rows(summaries: &[Summary<'_>], one: bool) -> String {
    let any = |of: &dyn Fn(&Summary<'_>) -> bool| summaries.iter().any(of);
    let names = player_names(summaries);
    let persons = any(&|s| !s.persons.is_empty());
    let losses = any(&|s| !s.losers.is_empty());
    let turns = any(&|s| s.turns.is_some());
    let mut head: Vec<String> = Vec::new();
    if !one {
        head.push("file".to_owned());
    }
    let swept = summaries
        .first()
        .map_or(&[][..], |s| &s.configuration.swept);
    head.extend(swept.iter().map(|(name, _)| name.clone()));
    head.push("games".to_owned());
    head.extend(names.iter().map(|name| format!("{name} wins")));
    if losses {
        head.extend(names.iter().map(|name| format!("{name} loses")));
    }
    let mut say = |words: &[&str]| head.extend(words.iter().map(|word| (*word).to_owned()));
    say(&["draw", "unfinished", "advantage", "95 % interval"]);
    if persons {
        say(&["by person", "95 % interval"]);
    }
    if turns {
        say(&["turns", "5..95 %"]);
    }
    say(&["actions", "5..95 %"]);
    if turns {
        say(&["legal", "5..95 %"]);
    }
    say(&["most frequent end"]);
    let mut texts = vec![head.len() - 1];
    if !one {
        texts.push(0);
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut grid = Grid::new(&head, &texts);
    for summary in summaries {
        let mut row: Vec<String> = Vec::new();
        if !one {
            row.push(summary.configuration.file.clone());
        }
        let settings = summary.configuration.swept.iter();
        row.extend(settings.map(|(_, value)| value.clone()));
        row.push(summary.tally.games.to_string());
        let games = summary.tally.games.max(1) as f64;
        let mut shares = |counts: &[u64]| {
            for at in 0..names.len() {
                let share = counts.get(at).map(|n| percent(*n as f64 / games));
                row.push(share.unwrap_or_default());
            }
        };
        shares(&summary.tally.wins);
        if losses {
            shares(&summary.tally.losses);
        }
        row.push(percent(summary.draws.share.value));
        row.push(percent(summary.unfinished.share.value));
        let by_person = summary.person_advantage.as_ref().filter(|_| persons);
        let by_person = by_person.or(persons.then_some(&summary.advantage));
        for advantage in Some(&summary.advantage).into_iter().chain(by_person) {
            row.push(signed(advantage.difference.value));
            row.push(signed_interval(advantage.difference));
        }
        let mut spread = |spread: &Option<Spread>| match spread {
            Some(spread) => {
                row.push(format!("{:.2}", spread.mean));
                row.push(format!("{}..{}", spread.low, spread.high));
            }
            None => row.extend(["-".to_owned(), "-".to_owned()]),
        };
        if turns {
            spread(&summary.turns);
        }
        spread(&summary.plies);
        if turns {
            spread(&summary.branching);
        }
        row.push(most_frequent(summary));
        grid.rows.push(row);
    }
    grid.print("")
}

/// The end that ended most games; of several the first one.
fn most_frequent(summary: &Summary<'_>) -> String {
    let ends = summary.ends.iter().filter(|end| end.share.games > 0);
    let end = ends.rev().max_by_key(|end| end.share.games);
    end.map_or_else(String::new, |end| {
        let share = &end.share;
        format!("{} {:.0} %", named(&share.name), share.share.value * 100.0)
    })
}
