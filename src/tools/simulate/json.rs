//! Summaries as JSON: one object a configuration, in one line. In: a summary. Out: a value.

use crate::tools::simulate::plan::Plan;
use crate::tools::simulate::statistics::Estimate;
use crate::tools::simulate::summary::{Advantage, Share, Spread, Summary};
use serde_json::{Map, Value, json};

/// The version of the shape.
const SCHEMA: u32 = 1;

/// All of it, an object a line.
#[must_use]
pub fn lines(summaries: &[Summary<'_>]) -> String {
    summaries
        .iter()
        .map(|s| format!("{}\n", object(s)))
        .collect()
}

/// A configuration.
#[must_use]
pub fn object(summary: &Summary<'_>) -> Value {
    let (plan, configuration, tally) = (summary.plan, summary.configuration, summary.tally);
    let by_player = |counts: &[u64]| -> Value {
        let players = configuration.players.iter().zip(counts);
        players
            .map(|(name, n)| (name.clone(), json!(n)))
            .collect::<Map<_, _>>()
            .into()
    };
    let ends: Vec<Value> = summary
        .ends
        .iter()
        .map(|end| {
            let mut value = share("end", &end.share);
            let more = [
                ("wins", by_player(&end.wins)),
                ("draws", json!(end.draws)),
                ("turns", end.turns.map_or(Value::Null, number)),
                ("plies", end.plies.map_or(Value::Null, number)),
            ];
            value.extend(more.map(|(name, value)| (name.to_owned(), value)));
            value.into()
        })
        .collect();
    let list = |name: &'static str, shares: &[Share]| -> Value {
        shares
            .iter()
            .map(|s| Value::from(share(name, s)))
            .collect::<Vec<_>>()
            .into()
    };
    let mut unfinished = share("", &summary.unfinished);
    unfinished.insert("broken_off".to_owned(), json!(tally.broken));
    unfinished.insert("stuck".to_owned(), json!(tally.stuck));
    let repetition = summary
        .repetition
        .as_ref()
        .map_or(Value::Null, |repetition| {
            json!({
                "games": repetition.games.games,
                "share": number(repetition.games.share.value),
                "low": number(repetition.games.share.low),
                "high": number(repetition.games.share.high),
                "positions": repetition.positions,
                "of": tally.starts,
                "share_of_positions": number(repetition.share),
            })
        });
    json!({
        "schema": SCHEMA,
        "file": configuration.file,
        "game": configuration.game,
        "rules": configuration.rules,
        "options": settings(&configuration.options),
        "swept": settings(&configuration.swept),
        "position": plan.position,
        "players": seats(plan, configuration.players.len()),
        "repeatable": plan.repeatable(),
        "quick": plan.quick,
        "seed": plan.seed,
        "max_plies": plan.max_plies,
        "games": tally.games,
        "winners": list("player", &summary.winners),
        "losers": list("player", &summary.losers),
        "persons": if summary.persons.is_empty() { Value::Null } else { list("person", &summary.persons) },
        "exchanged": tally.exchanged,
        "draws": share("", &summary.draws),
        "unfinished": unfinished,
        "advantage": advantage(&summary.advantage),
        "person_advantage": summary.person_advantage.as_ref().map_or(Value::Null, advantage),
        "ends": ends,
        "turns": spread(summary.turns.as_ref()),
        "plies": spread(summary.plies.as_ref()),
        "branching": spread(summary.branching.as_ref()),
        "repetition": repetition,
        "leads": spread(summary.leads.as_ref()),
    })
}

/// Six places are more than enough, and the same on every machine.
fn number(value: f64) -> Value {
    let rounded = (value * 1e6).round() / 1e6;
    // No difference is no difference in either direction.
    json!(rounded + 0.0)
}

fn settings(list: &[(String, String)]) -> Value {
    let value = |text: &str| {
        text.parse::<i64>()
            .map_or_else(|_| json!(text), |n| json!(n))
    };
    let list = list.iter().map(|(name, text)| (name.clone(), value(text)));
    list.collect::<Map<_, _>>().into()
}

fn seats(plan: &Plan, players: usize) -> Value {
    (0..players)
        .map(|player| json!(plan.seat(player)))
        .collect::<Vec<_>>()
        .into()
}

fn share(name: &str, share: &Share) -> Map<String, Value> {
    let mut value = Map::new();
    if !name.is_empty() {
        value.insert(name.to_owned(), json!(share.name));
    }
    value.insert("games".to_owned(), json!(share.games));
    for (name, part) in parts(share.share) {
        value.insert(name.replace("value", "share"), part);
    }
    value
}

fn parts(estimate: Estimate) -> [(&'static str, Value); 3] {
    [
        ("value", number(estimate.value)),
        ("low", number(estimate.low)),
        ("high", number(estimate.high)),
    ]
}

fn advantage(advantage: &Advantage) -> Value {
    let mut value = Map::new();
    value.insert("player".to_owned(), json!(advantage.player));
    let parts = parts(advantage.difference);
    value.extend(parts.map(|(name, part)| (name.to_owned(), part)));
    value.into()
}

fn spread(spread: Option<&Spread>) -> Value {
    let Some(spread) = spread else {
        return Value::Null;
    };
    let bins = spread.histogram.entries();
    json!({
        "count": spread.count,
        "mean": number(spread.mean),
        "median": number(spread.median),
        "p5": spread.low,
        "p95": spread.high,
        "min": spread.min,
        "max": spread.max,
        "histogram": bins.map(|(value, n)| json!([value, n])).collect::<Vec<_>>(),
    })
}
