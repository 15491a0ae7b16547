//! Summaries as comma-separated values: a head, and a line for each configuration (RFC 4180, with line feeds alone). In: summaries.
//! Out: text.

use crate::tools::simulate::summary::{Spread, Summary, joined};

/// All of it.
#[must_use]
pub fn csv(summaries: &[Summary<'_>]) -> String {
    let counts = summaries.iter().map(|s| s.configuration.players.len());
    let players = counts.max().unwrap_or(0);
    let mut text = line(&head(players));
    for summary in summaries {
        text.push_str(&line(&row(summary, players)));
    }
    text
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    format!("{}\n", cells.join(","))
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

const SPREADS: [&str; 4] = ["turns", "plies", "branching", "leads"];

fn head(players: usize) -> Vec<String> {
    let mut head: Vec<String> = [
        "file", "game", "rules", "options", "swept", "players", "seed", "games",
    ]
    .map(str::to_owned)
    .to_vec();
    for player in 1..=players {
        let of = |what: &str| format!("{what}_{player}");
        head.extend(
            [
                "player",
                "wins",
                "share",
                "low",
                "high",
                "losses",
                "person_wins",
            ]
            .map(of),
        );
    }
    head.extend(
        [
            "draws",
            "draws_share",
            "unfinished",
            "unfinished_share",
            "exchanged",
            "first",
            "advantage",
            "advantage_low",
            "advantage_high",
            "person_advantage",
            "person_advantage_low",
            "person_advantage_high",
        ]
        .map(str::to_owned),
    );
    for name in SPREADS {
        let of = |what: &str| format!("{name}_{what}");
        head.extend(["mean", "median", "p5", "p95", "min", "max"].map(of));
    }
    head.extend(["repeating_games", "repeated_positions", "ends"].map(str::to_owned));
    head
}

/// A number as it is written everywhere: six places are more than enough.
fn figure(value: f64) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

fn row(summary: &Summary<'_>, players: usize) -> Vec<String> {
    let (plan, configuration, tally) = (summary.plan, summary.configuration, summary.tally);
    let mut row = vec![
        configuration.file.clone(),
        configuration.game.clone(),
        configuration.rules.clone(),
        joined(&configuration.options),
        joined(&configuration.swept),
        plan.seats.join("/"),
        plan.seed.to_string(),
        tally.games.to_string(),
    ];
    for player in 0..players {
        let Some(share) = summary.winners.get(player) else {
            row.extend(std::iter::repeat_n(String::new(), 7));
            continue;
        };
        row.push(share.name.clone());
        row.push(share.games.to_string());
        row.extend([share.share.value, share.share.low, share.share.high].map(figure));
        row.push(tally.losses[player].to_string());
        row.push(tally.person_wins[player].to_string());
    }
    for share in [&summary.draws, &summary.unfinished] {
        row.push(share.games.to_string());
        row.push(figure(share.share.value));
    }
    row.push(tally.exchanged.to_string());
    row.push(summary.advantage.player.clone());
    let by_person = summary
        .person_advantage
        .as_ref()
        .unwrap_or(&summary.advantage);
    for advantage in [&summary.advantage, by_person] {
        let difference = advantage.difference;
        row.extend([difference.value, difference.low, difference.high].map(figure));
    }
    for spread in [
        &summary.turns,
        &summary.plies,
        &summary.branching,
        &summary.leads,
    ] {
        row.extend(spread_cells(spread.as_ref()));
    }
    match &summary.repetition {
        Some(repetition) => {
            row.push(repetition.games.games.to_string());
            row.push(repetition.positions.to_string());
        }
        None => row.extend([String::new(), String::new()]),
    }
    let ends = summary.ends.iter();
    let ends = ends.map(|end| format!("{}={}", end.share.name, end.share.games));
    row.push(ends.collect::<Vec<_>>().join("; "));
    row
}

fn spread_cells(spread: Option<&Spread>) -> [String; 6] {
    let Some(spread) = spread else {
        return Default::default();
    };
    [
        figure(spread.mean),
        figure(spread.median),
        spread.low.to_string(),
        spread.high.to_string(),
        spread.min.to_string(),
        spread.max.to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use crate::tools::simulate::csv::{figure, head, line, row};
    use crate::tools::simulate::summary::Summary;
    use crate::tools::simulate::testing::{plan, played};

    #[test]
    fn cells_are_quoted_where_they_must() {
        let cells = ["a", "b,c", "say \"no\"", ""].map(str::to_owned);
        assert_eq!(line(&cells), "a,\"b,c\",\"say \"\"no\"\"\",\n");
        assert_eq!(
            [0.5, 1.0, -0.0, 1.0 / 3.0].map(figure),
            ["0.5", "1", "0", "0.333333"]
        );
    }

    #[test]
    fn every_row_has_a_cell_for_every_column() {
        let plan = plan(20);
        let tally = played(&plan);
        let summary = Summary::of(&plan, &plan.configurations[0], &tally);
        for players in [2, 3] {
            assert_eq!(row(&summary, players).len(), head(players).len());
        }
    }
}
