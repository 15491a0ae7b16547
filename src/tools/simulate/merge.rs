//! Parts into the whole: the files of a run in, in any order, its plan and sums out; or which file is wrong, missing or double.

use crate::tools::simulate::plan::{Plan, Shard};
use crate::tools::simulate::shard::Part;
use crate::tools::simulate::tally::Tally;
use std::collections::BTreeMap;

/// Why parts are no whole, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoWhole {
    /// What is wrong.
    pub message: String,
    /// What would help.
    pub help: Option<String>,
}

/// The sums of nothing yet, one of each configuration.
#[must_use]
pub fn nothing(plan: &Plan) -> Vec<Tally> {
    plan.configurations.iter().map(Tally::of).collect()
}

/// Puts the parts of a run together; each comes with the name of its file.
///
/// # Errors
/// When they are not all parts of one run, each once.
pub fn merge(parts: Vec<(String, Part)>) -> Result<(Plan, Vec<Tally>), NoWhole> {
    let no = |message: String, help: Option<String>| Err(NoWhole { message, help });
    let Some((first, one)) = parts.first() else {
        return no("there is nothing to put together".to_owned(), None);
    };
    let (plan, of) = (one.plan.clone(), one.shard.of);
    let mut files: BTreeMap<u64, &str> = BTreeMap::new();
    for (file, part) in &parts {
        if let Some(difference) = part.plan.difference(&plan) {
            let message = format!("{first} and {file} are of different runs: {difference}");
            return no(message, None);
        }
        if part.shard.of != of {
            let there = part.shard;
            let message = format!("{first} is one of {of} parts, and {file} is part {there}");
            return no(message, None);
        }
        if let Some(other) = files.insert(part.shard.index, file) {
            let message = format!("{other} and {file} both hold part {}", part.shard);
            let help = "name each part once".to_owned();
            return no(message, Some(help));
        }
    }
    for (file, part) in &parts {
        if let Some(line) = part.cut {
            let message = format!("{file} is cut off in line {line}");
            return no(message, Some(go_on(&plan, part.shard, file)));
        }
        if part.games() < part.all() {
            let (done, all) = (part.games(), part.all());
            let message = format!("{file} is not finished: it holds {done} of {all} games");
            return no(message, Some(go_on(&plan, part.shard, file)));
        }
    }
    let missing: Vec<Shard> = (1..=of)
        .filter(|index| !files.contains_key(index))
        .map(|index| Shard { index, of })
        .collect();
    if let Some(shard) = missing.first() {
        let message = match missing.as_slice() {
            [one] => format!("part {one} is missing"),
            [one, other] => format!("the parts {one} and {other} are missing"),
            [one, .., last] => format!("{} parts are missing, from {one} to {last}", missing.len()),
            [] => String::new(),
        };
        return no(message, Some(go_on(&plan, *shard, "FILE")));
    }
    let mut sums = nothing(&plan);
    for (_, part) in &parts {
        for batch in &part.batches {
            if let Some(sum) = sums.get_mut(batch.task.configuration) {
                sum.add(&batch.tally);
            }
        }
    }
    Ok((plan, sums))
}

fn go_on(plan: &Plan, shard: Shard, file: &str) -> String {
    let command = plan.command();
    if shard == Shard::WHOLE {
        format!("it can be played by: {command} --out {file}")
    } else {
        format!("it can be played by: {command} --shard {shard} --out {file}")
    }
}
