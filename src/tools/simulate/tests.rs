//! What holds of runs: parts, orders, threads and interruptions change nothing; known games have their known shares.

use crate::tools::simulate::merge::nothing;
use crate::tools::simulate::plan::{Plan, Shard, Task};
use crate::tools::simulate::shard::{BadPart, NotBegun, begun, head, missing, read};
use crate::tools::simulate::summary::Summary;
use crate::tools::simulate::testing::{Paper, all, perform, plan, played};
use crate::tools::simulate::{Tally, csv, lines, merge, page, table};
use proptest::prelude::{ProptestConfig, any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::Index;

/// Everything that is told of a run, in all forms.
fn told(plan: &Plan, tallies: &[Tally]) -> [String; 5] {
    let both = plan.configurations.iter().zip(tallies);
    let summaries: Vec<Summary<'_>> = both.map(|(c, t)| Summary::of(plan, c, t)).collect();
    [
        table(&summaries, false),
        table(&summaries, true),
        lines(&summaries),
        csv(&summaries),
        page(&summaries),
    ]
}

/// The text of a part, played with so many threads, broken off after some pieces of work.
fn write(plan: &Plan, text: String, tasks: &[Task], threads: usize, enough: usize) -> String {
    let mut paper = Paper {
        text,
        tallies: nothing(plan),
        enough,
    };
    perform(plan, tasks, threads, &mut paper);
    paper.text
}

/// The text of a part that was broken off at some bytes, one after the other, and gone on with each time.
fn interrupted(plan: &Plan, shard: Shard, cuts: &[Index], threads: usize) -> String {
    let tasks = plan.tasks(shard);
    let mut text = write(plan, head(plan, shard), &tasks, threads, usize::MAX);
    for cut in cuts {
        text.truncate(cut.index(text.len() + 1));
        let kept = begun(text.as_bytes(), plan, shard).unwrap();
        text.truncate(kept.whole);
        if kept.whole == 0 {
            text = head(plan, shard);
        }
        let left = missing(tasks.clone(), &kept.batches);
        text = write(plan, text, &left, threads, usize::MAX);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn parts_make_the_same_whole(
        games in 1u64..260,
        of in 1u64..6,
        threads in 1usize..4,
        cuts in proptest::collection::vec(any::<Index>(), 0..3),
        order in any::<u64>(),
    ) {
        let plan = plan(games);
        let mut parts = Vec::new();
        for index in 1..=of {
            let shard = Shard { index, of };
            let text = interrupted(&plan, shard, &cuts, threads);
            let whole = write(&plan, head(&plan, shard), &plan.tasks(shard), 1, usize::MAX);
            prop_assert_eq!(&text, &whole, "a file is the same, however often it was broken off");
            parts.push((format!("part {index}"), read(text.as_bytes()).unwrap()));
        }
        crate::tools::rng::Rng::new(order).shuffle(&mut parts);
        let (merged, tallies) = merge(parts).unwrap();
        prop_assert_eq!(&merged, &plan);
        prop_assert_eq!(told(&merged, &tallies), told(&plan, &all(&plan, 1)));
    }

    #[test]
    fn whatever_a_file_holds_is_read_or_refused(
        cut in any::<Index>(), at in any::<Index>(), byte in any::<u8>(),
    ) {
        let plan = plan(30);
        let text = write(&plan, head(&plan, Shard::WHOLE), &plan.tasks(Shard::WHOLE), 1, 5);
        let mut bytes = text.into_bytes();
        bytes.truncate(cut.index(bytes.len()) + 1);
        let at = at.index(bytes.len());
        let before = bytes[at];
        bytes[at] = byte;
        // What was changed is not believed: at most what stands before it.
        if let Ok(part) = read(&bytes) {
            prop_assert!(before == byte || part.whole <= at);
        }
        let _ = begun(&bytes, &plan, Shard::WHOLE);
    }
}

#[test]
fn three_in_a_row_has_its_known_shares() {
    let mut plan = plan(20_000);
    plan.seed = 3;
    let tally = played(&plan);
    let summary = Summary::of(&plan, &plan.configurations[0], &tally);
    let shares = [&summary.winners[0], &summary.winners[1], &summary.draws];
    // The exact shares of uniformly random games.
    for (share, known) in shares.into_iter().zip([0.584_921, 0.288_095, 0.126_984]) {
        assert!(
            share.share.low < known && known < share.share.high,
            "{share:?}"
        );
    }
    let advantage = summary.advantage.difference;
    assert!(advantage.low < 0.296_825 && 0.296_825 < advantage.high);
    let turns = summary.turns.unwrap();
    assert!((turns.mean - 7.63).abs() < 0.05 && (turns.min, turns.max) == (5, 9));
    assert_eq!(summary.unfinished.games, 0);
    assert_eq!(tally.repeats, 0);
    assert_eq!(tally.branching.count(), tally.plies.sum() as u64);
}

#[test]
fn quick_games_have_the_same_shares() {
    let mut plan = plan(20_000);
    plan.quick = true;
    let tally = played(&plan);
    let summary = Summary::of(&plan, &plan.configurations[0], &tally);
    let first = summary.winners[0].share;
    assert!(first.low < 0.584_921 && 0.584_921 < first.high, "{first:?}");
    assert!(summary.turns.is_none() && summary.repetition.is_none());
    assert_eq!(tally.plies.count(), 20_000);
}

#[test]
fn games_that_are_broken_off_are_told() {
    let mut plan = plan(10);
    plan.max_plies = 4;
    let tally = played(&plan);
    assert_eq!((tally.broken, tally.stuck), (10, 0));
    let summary = Summary::of(&plan, &plan.configurations[0], &tally);
    assert_eq!(summary.unfinished.games, 10);
    assert!(table(&[summary], true).contains("broken off after 4 actions"));
}

#[test]
fn leads_are_looked_for_in_some_games() {
    let mut plan = plan(10);
    plan.leads = 4;
    let tally = played(&plan);
    assert_eq!(tally.leads.count(), 4);
    plan.seats = vec!["search:playouts=5".to_owned()];
    assert_eq!(played(&plan).leads.count(), 4);
}

#[test]
fn searching_players_play_the_same_on_any_threads() {
    let mut plan = plan(12);
    plan.seats = vec!["random".to_owned(), "search:playouts=10".to_owned()];
    assert_eq!(all(&plan, 1), all(&plan, 3));
}

fn part(plan: &Plan, index: u64, of: u64) -> String {
    let shard = Shard { index, of };
    write(plan, head(plan, shard), &plan.tasks(shard), 1, usize::MAX)
}

#[test]
fn what_is_no_whole_is_told() {
    let plan = plan(9);
    let read = |text: &str| read(text.as_bytes()).unwrap();
    let named = |name: &str, text: &str| (name.to_owned(), read(text));
    let (one, two, three) = (part(&plan, 1, 3), part(&plan, 2, 3), part(&plan, 3, 3));
    let why = |parts: Vec<_>| merge(parts).unwrap_err();

    let double = why(vec![named("a", &one), named("b", &two), named("c", &one)]);
    assert_eq!(double.message, "a and c both hold part 1/3");
    let gone = why(vec![named("a", &one), named("c", &three)]);
    assert_eq!(gone.message, "part 2/3 is missing");
    assert!(gone.help.unwrap().ends_with("--shard 2/3 --out FILE"));
    let both = why(vec![named("c", &three)]);
    assert_eq!(both.message, "the parts 1/3 and 2/3 are missing");

    let mut other = plan.clone();
    other.seed = 2;
    let mixed = why(vec![named("a", &one), named("b", &part(&other, 2, 3))]);
    assert_eq!(
        mixed.message,
        "a and b are of different runs: the seed is `1` there and `2` here"
    );
    let split = why(vec![named("a", &one), named("b", &part(&plan, 2, 2))]);
    assert!(split.message.contains("is one of 3 parts"), "{split:?}");

    let cut = why(vec![named("a", &one[..one.len() - 5])]);
    assert_eq!(cut.message, "a is cut off in line 7");
    let lines: Vec<&str> = one.split_inclusive('\n').collect();
    let short = why(vec![named("a", &lines[..3].concat())]);
    assert_eq!(short.message, "a is not finished: it holds 2 of 6 games");
    assert!(merge(Vec::new()).is_err());
    assert!(merge(vec![named("a", &one), named("b", &two), named("c", &three)]).is_ok());
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let plan = plan(9);
    let text = part(&plan, 1, 1);
    let bad = |text: &str| read(text.as_bytes()).unwrap_err();
    for foreign in ["", "\n", "game \"x\"\n", "{}\n", "{\"schema\":1}\n"] {
        assert_eq!(bad(foreign), BadPart::Foreign, "{foreign}");
    }
    let damaged = |text: &str| match bad(text) {
        BadPart::Damaged { line, .. } => line,
        BadPart::Foreign => 0,
    };
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(damaged(&text.replacen("\"games\":9", "\"games\":8", 1)), 1);
    assert_eq!(damaged(&lines[0][..50]), 1);
    let changed = lines[2].replacen("\"games\":1", "\"games\":2", 1);
    assert_eq!(
        damaged(&[lines[0], lines[1], &changed, lines[3]].concat()),
        3
    );
    let twice = [lines[0], lines[1], lines[2], lines[1]].concat();
    assert_eq!(damaged(&twice), 4);

    let mut other = plan.clone();
    other.games = 10;
    let told = begun(text.as_bytes(), &other, Shard::WHOLE).unwrap_err();
    let same = "it is of another run: the number of games is `9` there and `10` here";
    assert_eq!(told, NotBegun::Other(same.to_owned()));
    let told = begun(text.as_bytes(), &plan, Shard { index: 1, of: 2 }).unwrap_err();
    assert_eq!(
        told,
        NotBegun::Other("it holds part 1/1, not 1/2".to_owned())
    );
    let told = begun(b"something else", &plan, Shard::WHOLE).unwrap_err();
    assert_eq!(told, NotBegun::Foreign);
    assert_eq!(begun(b"", &plan, Shard::WHOLE).unwrap().whole, 0);
}

/// Every tag that is opened is closed, and nothing else is: enough for what we write ourselves.
fn well_formed(page: &str) {
    let alone = ["meta", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').expect("a tag ends") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let name = tag
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') && !alone.contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for bare in page.split('&').skip(1) {
        assert!(bare.split_once(';').is_some_and(|(name, _)| name.len() < 6));
    }
    assert!(
        !page.contains("NaN") && !page.contains("inf "),
        "no number is none"
    );
    assert!(!page.contains("http") && !page.contains("<script"));
}

#[test]
fn pages_are_whole() {
    let mut plan = plan(40);
    plan.leads = 3;
    plan.configurations[0].game = "<b>\"Tom & Jerry\"</b>".to_owned();
    let tallies = all(&plan, 2);
    let [_, _, json, csv, many] = told(&plan, &tallies);
    well_formed(&many);
    assert!(many.contains("&lt;b&gt;"));
    assert_eq!((json.lines().count(), csv.lines().count()), (2, 3));
    plan.configurations.truncate(1);
    well_formed(&told(&plan, &tallies)[4]);
    // Nothing at all, and games without an end.
    well_formed(&told(&plan, &nothing(&plan))[4]);
    plan.max_plies = 1;
    well_formed(&told(&plan, &all(&plan, 1))[4]);
}

#[test]
fn a_small_page() {
    let mut plan = plan(20);
    plan.configurations.truncate(1);
    let [.., page] = told(&plan, &all(&plan, 2));
    insta::assert_snapshot!("small_page", page);
}
