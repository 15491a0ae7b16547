//! Summaries as a page: one HTML text that needs nothing else, no program and no other file. In: summaries of one run. Out: text.

use crate::tools::simulate::plot::{
    Line, Mark, Piece, Reach, bars, counts, differences, escaped, reaches, stacks,
};
use crate::tools::simulate::statistics::Estimate;
use crate::tools::simulate::summary::{Share, Spread, Summary, joined};
use crate::tools::simulate::table::{
    interval, named, percent, signed, signed_interval, why_unfinished,
};

/// Colours and sizes. The colours can be told apart by those who see few, on light ground and on dark.
const STYLE: &str = include_str!("page.css");

/// How many colours there are.
const COLORS: usize = 8;

fn color(number: usize) -> String {
    format!("c{}", number % COLORS)
}

/// The whole page.
#[must_use]
pub fn page(summaries: &[Summary<'_>]) -> String {
    let Some(first) = summaries.first() else {
        return String::new();
    };
    let mut games: Vec<&str> = Vec::new();
    for summary in summaries {
        let game = summary.configuration.game.as_str();
        if !games.contains(&game) {
            games.push(game);
        }
    }
    let title = match games.as_slice() {
        [.., last] if games.len() > 4 => {
            format!("{} games, from {} to {last}", games.len(), games[0])
        }
        list => list.join(", "),
    };
    let title = escaped(&title);
    let mut body = format!("<h1>{title}</h1>\n{}", facts(first, summaries.len()));
    if let [one] = summaries {
        body.push_str(&configuration(one));
    } else {
        body.push_str(&overview(summaries));
        body.push_str("<h2>Each configuration</h2>\n");
        for summary in summaries {
            body.push_str(&format!(
                "<details>\n<summary>{}</summary>\n{}{}</details>\n",
                escaped(&full_label(summary, summaries)),
                rules(summary),
                configuration(summary)
            ));
        }
    }
    body.push_str(&footer(first));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}: simulated games</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

fn fact(name: &str, value: &str) -> String {
    format!(
        "<tr><th>{name}</th><td class=\"text\">{}</td></tr>\n",
        escaped(value)
    )
}

fn facts(first: &Summary<'_>, count: usize) -> String {
    let plan = first.plan;
    let mut rows = String::new();
    rows.push_str(&fact(
        "games",
        &format!(
            "{}{}",
            plan.games,
            if count > 1 {
                format!(" of each of {count} configurations")
            } else {
                String::new()
            }
        ),
    ));
    let seats: Vec<String> = if plan.mixed() {
        let players = first.configuration.players.iter().enumerate();
        players
            .map(|(at, name)| format!("{name}: {}", plan.seat(at)))
            .collect()
    } else {
        vec![plan.seat(0).to_owned()]
    };
    rows.push_str(&fact("players", &seats.join(", ")));
    rows.push_str(&fact("seed", &plan.seed.to_string()));
    if let Some(position) = &plan.position {
        rows.push_str(&fact("from", position));
    }
    if count == 1 {
        rows.push_str(&fact("file", &first.configuration.file));
        rows.push_str(&fact("rules", &first.configuration.rules));
        let options = joined(&first.configuration.options);
        rows.push_str(&fact(
            "options",
            if options.is_empty() { "none" } else { &options },
        ));
    } else {
        let told = |text: String| {
            if text.is_empty() {
                "none".to_owned()
            } else {
                text
            }
        };
        rows.push_str(&fact("settings", &told(joined(&plan.set))));
        rows.push_str(&fact("sweeps", &told(plan.sweep.join("; "))));
    }
    rows.push_str(&fact("command", &plan.command()));
    rows.push_str(&fact("program", &format!("gambol {}", plan.version)));
    let mut text = format!("<table class=\"facts\">\n{rows}</table>\n");
    if !plan.repeatable() {
        text.push_str(
            "<p>Somebody thinks by the clock here: the same command plays other games.</p>\n",
        );
    }
    text
}

fn rules(summary: &Summary<'_>) -> String {
    let configuration = summary.configuration;
    let options = joined(&configuration.options);
    format!(
        "<p class=\"soft\">{}, rules {}{}{}</p>\n",
        escaped(&configuration.file),
        configuration.rules,
        if options.is_empty() { "" } else { ", " },
        escaped(&options)
    )
}

/// What tells a configuration from the others of a run.
fn label(summary: &Summary<'_>, all: &[Summary<'_>]) -> String {
    let files = all
        .iter()
        .any(|s| s.configuration.file != summary.configuration.file);
    let swept = summary.swept();
    match (files, swept.is_empty()) {
        (true, true) => summary.configuration.game.clone(),
        (true, false) => format!("{} {swept}", summary.configuration.game),
        (false, _) => swept,
    }
}

fn full_label(summary: &Summary<'_>, all: &[Summary<'_>]) -> String {
    let label = label(summary, all);
    let difference = &summary.advantage.difference;
    format!(
        "{label}: {} games, advantage of {} {}",
        summary.tally.games,
        summary.advantage.player,
        signed(difference.value)
    )
}

fn legend(entries: &[(String, String)]) -> String {
    let entries = entries.iter().map(|(class, name)| {
        format!(
            "<li><svg width=\"12\" height=\"12\" viewBox=\"0 0 12 12\"><rect class=\"{class}\" width=\"12\" height=\"12\" rx=\"2\"/></svg>{}</li>\n",
            escaped(name)
        )
    });
    format!(
        "<ul class=\"legend\">\n{}</ul>\n",
        entries.collect::<String>()
    )
}

/// Results as marks: winners, draws, unfinished games; what never happens anywhere is left out.
fn results(summary: &Summary<'_>, draws: bool, unfinished: bool) -> Vec<Mark> {
    let mark = |class: String, share: &Share, what: String| Mark {
        class,
        title: format!(
            "{what}: {} games, {}, {}",
            share.games,
            percent(share.share.value),
            interval(share.share)
        ),
        estimate: share.share,
    };
    let winners = summary.winners.iter().enumerate();
    let mut marks: Vec<Mark> = winners
        .map(|(at, share)| mark(color(at), share, format!("{} wins", share.name)))
        .collect();
    if draws {
        marks.push(mark("grey".to_owned(), &summary.draws, "draw".to_owned()));
    }
    if unfinished {
        marks.push(mark(
            "pale".to_owned(),
            &summary.unfinished,
            "unfinished".to_owned(),
        ));
    }
    marks
}

fn any(summaries: &[Summary<'_>], of: impl Fn(&Summary<'_>) -> u64) -> bool {
    summaries.iter().any(|s| of(s) > 0)
}

fn overview(summaries: &[Summary<'_>]) -> String {
    let draws = any(summaries, |s| s.draws.games);
    let unfinished = any(summaries, |s| s.unfinished.games);
    let mut text = String::from("<h2>Who wins</h2>\n");
    let players = summaries
        .iter()
        .map(|s| &s.configuration.players)
        .max_by_key(|p| p.len());
    let names = players.map_or(&[][..], Vec::as_slice);
    let same = summaries
        .iter()
        .all(|s| names.starts_with(&s.configuration.players));
    let mut entries: Vec<(String, String)> = (0..names.len())
        .map(|at| {
            let name = if same {
                names[at].clone()
            } else {
                format!("player {}", at + 1)
            };
            (color(at), format!("{name} wins"))
        })
        .collect();
    if draws {
        entries.push(("grey".to_owned(), "draw".to_owned()));
    }
    if unfinished {
        entries.push(("pale".to_owned(), "unfinished".to_owned()));
    }
    text.push_str(&legend(&entries));
    let rows = lines(summaries, |s| results(s, draws, unfinished));
    text.push_str(&bars(
        &rows,
        "shares of the games won, with their intervals",
    ));
    text.push_str("<h2>Advantage of who begins</h2>\n<p class=\"soft\">The share of the games that the first player wins, less the share that the others win.</p>\n");
    let advantage = |s: &Summary<'_>| {
        let by_person = s.person_advantage.as_ref();
        let each = [(color(0), Some(&s.advantage)), (color(1), by_person)];
        let each = each.into_iter().filter_map(|(class, a)| Some((class, a?)));
        each.map(|(class, a)| Mark {
            class,
            title: format!(
                "{}: {}, {}",
                a.player,
                signed(a.difference.value),
                signed_interval(a.difference)
            ),
            estimate: a.difference,
        })
        .collect()
    };
    if summaries.iter().any(|s| s.person_advantage.is_some()) {
        text.push_str(&legend(&[
            (color(0), "by the colour at the end".to_owned()),
            (color(1), "by who it was at the start".to_owned()),
        ]));
    }
    text.push_str(&differences(
        &lines(summaries, advantage),
        "advantage of the first player, with its interval",
    ));
    text.push_str(&ends_overview(summaries));
    type Of<'s> = fn(&'s Summary<'s>) -> Option<&'s Spread>;
    let spreads: [(&str, Of<'_>); 4] = [
        ("Turns of a game", |s| s.turns.as_ref()),
        ("Actions of a game", |s| s.plies.as_ref()),
        ("Legal actions at a decision", |s| s.branching.as_ref()),
        ("Changes of the lead", |s| s.leads.as_ref()),
    ];
    let same = summaries.iter().all(same_lengths);
    for (at, (name, of)) in spreads.into_iter().enumerate() {
        let name = match at {
            0 if same => TURNS_ARE_ACTIONS,
            1 if same => continue,
            _ => name,
        };
        let list: Vec<Line<Reach>> = summaries
            .iter()
            .map(|s| Line {
                label: label(s, summaries),
                marks: of(s).map(reach).into_iter().collect(),
            })
            .collect();
        if list.iter().all(|line| line.marks.is_empty()) {
            continue;
        }
        text.push_str(&format!("<h2>{name}</h2>\n<p class=\"soft\">From the 5 % to the 95 % quantile; the stroke is the median, the dot the mean.</p>\n"));
        text.push_str(&reaches(&list, name));
    }
    text
}

fn lines<T>(summaries: &[Summary<'_>], marks: impl Fn(&Summary<'_>) -> Vec<T>) -> Vec<Line<T>> {
    let line = |s: &Summary<'_>| Line {
        label: label(s, summaries),
        marks: marks(s),
    };
    summaries.iter().map(line).collect()
}

fn reach(spread: &Spread) -> Reach {
    Reach {
        title: format!(
            "mean {:.2}, median {:.1}, {} to {}, from {} to {} at most",
            spread.mean, spread.median, spread.low, spread.high, spread.min, spread.max
        ),
        low: spread.low as f64,
        median: spread.median,
        mean: spread.mean,
        high: spread.high as f64,
    }
}

/// The ends of a configuration as pieces of a bar, with their names where no legend tells them.
fn pieces(summary: &Summary<'_>, names: bool) -> Vec<Piece> {
    let piece = |class: String, share: &Share| Piece {
        class,
        title: format!(
            "{}: {} games, {}",
            named(&share.name),
            share.games,
            percent(share.share.value)
        ),
        name: if names {
            share.name.clone()
        } else {
            String::new()
        },
        share: share.share.value,
    };
    let ends = summary.ends.iter().enumerate();
    let mut pieces: Vec<Piece> = ends
        .map(|(at, end)| piece(end_color(at), &end.share))
        .collect();
    pieces.push(piece("pale".to_owned(), &summary.unfinished));
    pieces
}

/// Ends have other colours than the players, as long as there are enough.
fn end_color(number: usize) -> String {
    color(number + 2)
}

fn ends_overview(summaries: &[Summary<'_>]) -> String {
    let names = |s: &Summary<'_>| s.configuration.ends.clone();
    let same = summaries.windows(2).all(|w| names(&w[0]) == names(&w[1]));
    let mut text = "<h2>How games end</h2>\n".to_owned();
    if let (true, Some(first)) = (same, summaries.first()) {
        let games = |s: &Summary<'_>, at: usize| s.ends.get(at).map_or(0, |end| end.share.games);
        let happened = |at| any(summaries, |s| games(s, at));
        let ends = first.configuration.ends.iter().enumerate();
        let mut entries: Vec<(String, String)> = ends
            .filter(|(at, _)| happened(*at))
            .map(|(at, name)| (end_color(at), named(name).to_owned()))
            .collect();
        if any(summaries, |s| s.unfinished.games) {
            entries.push(("pale".to_owned(), "unfinished".to_owned()));
        }
        text.push_str(&legend(&entries));
    }
    let rows = lines(summaries, |s| pieces(s, !same));
    text.push_str(&stacks(&rows, "shares of the ends"));
    text
}

fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, row: &[String]| -> String {
        let row = row
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", row.collect::<String>())
    };
    let body: String = rows.iter().map(|row| cells("td", row)).collect();
    format!(
        "<div class=\"wide\"><table>\n{}{body}</table></div>\n",
        cells("th", head)
    )
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

/// What lengths are called when every turn is one action.
const TURNS_ARE_ACTIONS: &str = "Turns of a game, an action each";

/// Whether turns and actions are the same.
fn same_lengths(summary: &Summary<'_>) -> bool {
    summary.tally.turns == summary.tally.plies
}

/// All of one configuration.
fn configuration(summary: &Summary<'_>) -> String {
    let mut text = winners(summary);
    text.push_str(&ends(summary));
    text.push_str("<h2>How long games are, and how wide</h2>\n");
    let spreads = [
        ("Turns of a game", &summary.turns),
        ("Actions of a game", &summary.plies),
        ("Legal actions at a decision", &summary.branching),
        ("Changes of the lead", &summary.leads),
    ];
    let head = texts(&["", "mean", "median", "5 %", "95 %", "least", "most"]);
    let known = spreads
        .iter()
        .filter_map(|(name, spread)| Some((name, spread.as_ref()?)));
    let rows: Vec<Vec<String>> = known
        .map(|(name, spread)| {
            let figures = spread.figures().into_iter();
            std::iter::once((*name).to_owned()).chain(figures).collect()
        })
        .collect();
    text.push_str(&table(&head, &rows));
    let same = same_lengths(summary);
    for (at, (name, spread)) in spreads.into_iter().enumerate() {
        let name = match at {
            0 if same => TURNS_ARE_ACTIONS,
            1 if same => continue,
            _ => name,
        };
        if let Some(spread) = spread {
            text.push_str(&format!(
                "<h3>{name}</h3>\n{}",
                counts(&spread.histogram, name)
            ));
        }
    }
    if let Some(repetition) = &summary.repetition {
        text.push_str(&format!(
            "<h2>Positions that came again</h2>\n<p>In {} games ({}, {}); {} of {} positions at the start of a turn ({}).</p>\n",
            repetition.games.games,
            percent(repetition.games.share.value),
            interval(repetition.games.share),
            repetition.positions,
            summary.tally.starts,
            percent(repetition.share)
        ));
    }
    text
}

fn winners(summary: &Summary<'_>) -> String {
    let mut text = String::from("<h2>Who wins</h2>\n");
    let (draws, unfinished) = (summary.draws.games > 0, summary.unfinished.games > 0);
    let marks = results(summary, draws, unfinished);
    let line = |mark: Mark| Line {
        label: mark.title.split(':').next().unwrap_or("").to_owned(),
        marks: vec![mark],
    };
    let rows: Vec<Line<Mark>> = marks.into_iter().map(line).collect();
    text.push_str(&bars(
        &rows,
        "shares of the games won, with their intervals",
    ));
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: String, share: &Share| {
        rows.push(vec![
            name,
            share.games.to_string(),
            percent(share.share.value),
            interval(share.share),
        ]);
    };
    for share in &summary.winners {
        row(format!("{} wins", share.name), share);
    }
    for share in &summary.losers {
        row(format!("{} loses", share.name), share);
    }
    row("draw".to_owned(), &summary.draws);
    row("unfinished".to_owned(), &summary.unfinished);
    for (at, share) in summary.persons.iter().enumerate() {
        row(
            format!("who was {} at the start wins", summary.person(at)),
            share,
        );
    }
    for (at, share) in summary.losing_persons.iter().enumerate() {
        row(
            format!("who was {} at the start loses", summary.person(at)),
            share,
        );
    }
    text.push_str(&table(
        &texts(&["result", "games", "share", "95 % interval"]),
        &rows,
    ));
    let said = |who: String, estimate: Estimate| {
        format!(
            "<p>Advantage of {}: <strong>{}</strong> ({}).</p>\n",
            escaped(&who),
            signed(estimate.value),
            signed_interval(estimate)
        )
    };
    let by = if summary.person_advantage.is_some() {
        ", by colour"
    } else {
        ""
    };
    let advantage = &summary.advantage;
    text.push_str(&said(
        format!("{}, who begins{by}", advantage.player),
        advantage.difference,
    ));
    if let Some(advantage) = &summary.person_advantage {
        text.push_str(&said(
            format!("who was {} at the start", advantage.player),
            advantage.difference,
        ));
    }
    let why = why_unfinished(summary);
    if !why.is_empty() {
        text.push_str(&format!("<p>Unfinished games: {}.</p>\n", escaped(&why)));
    }
    text
}

fn ends(summary: &Summary<'_>) -> String {
    let row = Line {
        label: String::new(),
        marks: pieces(summary, false),
    };
    let mut entries: Vec<(String, String)> = summary
        .ends
        .iter()
        .enumerate()
        .filter(|(_, end)| end.share.games > 0)
        .map(|(at, end)| (end_color(at), named(&end.share.name).to_owned()))
        .collect();
    if summary.unfinished.games > 0 {
        entries.push(("pale".to_owned(), "unfinished".to_owned()));
    }
    let mut head = texts(&["end", "games", "share", "95 % interval"]);
    let players = summary.configuration.players.iter();
    head.extend(players.map(|name| format!("{name} wins")));
    head.extend(texts(&["draws", "turns", "actions"]));
    let mean = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |v| format!("{v:.2}"));
    let rows: Vec<Vec<String>> = summary
        .ends
        .iter()
        .map(|end| {
            let mut row = vec![
                named(&end.share.name).to_owned(),
                end.share.games.to_string(),
                percent(end.share.share.value),
                interval(end.share.share),
            ];
            row.extend(end.wins.iter().map(u64::to_string));
            row.extend([end.draws.to_string(), mean(end.turns), mean(end.plies)]);
            row
        })
        .collect();
    format!(
        "<h2>How games end</h2>\n{}{}{}",
        legend(&entries),
        stacks(&[row], "shares of the ends"),
        table(&head, &rows)
    )
}

fn footer(first: &Summary<'_>) -> String {
    let quick = if first.plan.quick {
        " Turns, legal actions and repetitions were not counted."
    } else {
        ""
    };
    format!(
        "<p class=\"soft\">Shares are of all games, unfinished ones among them; intervals hold in 95 of 100 cases. Lengths of unfinished games \
         count as far as these went.{quick} <code>docs/simulate.md</code> tells what every number means.</p>\n"
    )
}
