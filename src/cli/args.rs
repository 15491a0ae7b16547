//! The arguments, as clap reads them: words in, a typed command out. Files are not opened here.

use crate::cli::bench::BenchArgs;
use crate::cli::coverage::CoverageArgs;
use crate::cli::diff::DiffArgs;
use crate::cli::engines::EngineArg;
use crate::cli::explain::ExplainArgs;
use crate::cli::fmt::FmtArgs;
use crate::cli::mutate::MutateArgs;
use crate::cli::new::NewArgs;
use crate::cli::options::OptionsArgs;
use crate::cli::out::ColorChoice;
use crate::cli::picture::RenderArgs;
use crate::cli::play::PlayArgs;
use crate::cli::simulate::{MergeArgs, SimulateArgs};
use crate::cli::snapshot::SnapshotArgs;
use crate::cli::solve::SolveArgs;
use crate::cli::test::TestArgs;
use crate::cli::trace::TraceArgs;
use crate::cli::ugi::UgiArgs;
use crate::cli::verify::VerifyArgs;
use crate::cli::why::WhyArgs;
use crate::tools::rng::DEFAULT_SEED;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A rules language for board games, and its interpreter.
#[derive(Parser, Clone, Debug)]
#[command(name = "gambol", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 fine; 1 findings (invalid game, mismatch, illegal action); 2 wrong usage; 3 cannot read or write."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Whether to colour what is written.
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value = "auto",
        global = true
    )]
    pub color: ColorChoice,
}

/// A command.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Begin a new game file.
    New(NewArgs),
    /// Find everything that is wrong with game files.
    Check(CheckArgs),
    /// Run the examples that stand in game files.
    Test(TestArgs),
    /// Hold rule files against what they came to before.
    Snapshot(SnapshotArgs),
    /// Check, test and hold against snapshots all games of a folder.
    Verify(VerifyArgs),
    /// List the options of a game with what they may be.
    Options(OptionsArgs),
    /// Draw the board.
    Show(ShowArgs),
    /// Make a picture of a position or a whole game.
    Render(RenderArgs),
    /// List the legal actions, each with the position it leads to.
    Moves(MovesArgs),
    /// Tell why an action is legal, or which clause refuses it.
    Why(WhyArgs),
    /// Tell what every rule does in a position, clause by clause.
    Trace(TraceArgs),
    /// Play a game in the terminal.
    Play(PlayArgs),
    /// Count action sequences of each length.
    Perft(PerftArgs),
    /// Measure how fast games are played and counted.
    Bench(BenchArgs),
    /// Find out what a small game is worth, with a line of best play.
    Solve(SolveArgs),
    /// Play many games and tell who wins, how long they are and how they end.
    Simulate(SimulateArgs),
    /// Put the parts of a simulation together.
    Merge(MergeArgs),
    /// Play a record or a list of actions, one line a step.
    Replay(ReplayArgs),
    /// Speak the Universal Game Interface, for programs that run tournaments.
    Ugi(UgiArgs),
    /// Find the smallest difference of two games.
    Diff(DiffArgs),
    /// Find rules, clauses and ends that random games and examples never come to.
    Coverage(CoverageArgs),
    /// Make small changes in the rules, and find those that no test notices.
    Mutate(MutateArgs),
    /// Lay game files out as all are laid out.
    Fmt(FmtArgs),
    /// Tell what the code of a finding means, with an example.
    Explain(ExplainArgs),
    /// Print what the compiler made of a file.
    Dump(DumpArgs),
}

/// What every command takes.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Give an option of the game a value; may be repeated.
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub set: Vec<(String, String)>,
    /// Write JSON.
    #[arg(long)]
    pub json: bool,
}

/// Where a game stands: a position, and what is played from there.
#[derive(Args, Clone, Debug)]
pub struct Standing {
    /// A position line, instead of the beginning.
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// Actions to play first, separated by spaces.
    #[arg(long, value_name = "ACTIONS", allow_hyphen_values = true)]
    pub play: Option<String>,
}

/// The arguments of `check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// Game files, or folders of them; `-` is the standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Seed of the random games.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, value_parser = whole(0..=u64::MAX))]
    pub seed: u64,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// The arguments of `show`.
#[derive(Args, Clone, Debug)]
pub struct ShowArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// A position line, instead of the beginning.
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// The arguments of `moves`.
#[derive(Args, Clone, Debug)]
pub struct MovesArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// Where the game stands.
    #[command(flatten)]
    pub at: Standing,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// The arguments of `perft`.
#[derive(Args, Clone, Debug)]
pub struct PerftArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// The longest sequences to count.
    #[arg(long, value_name = "N", value_parser = whole(1..=1000_u16))]
    pub depth: u16,
    /// Count also for each first action, or turn.
    #[arg(long)]
    pub divide: bool,
    /// Count whole turns instead of actions.
    #[arg(long)]
    pub turns: bool,
    /// A position line, instead of the beginning.
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
    /// How many threads to use; the result is the same [default: all processors].
    #[arg(long, value_name = "N", value_parser = whole(1..=1024_u16))]
    pub threads: Option<u16>,
    /// Which engine.
    #[command(flatten)]
    pub engine: EngineArg,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// The arguments of `replay`.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// A record, or a bare list of actions; `-` is the standard input.
    pub record: String,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// The arguments of `dump`.
#[derive(Args, Clone, Debug)]
pub struct DumpArgs {
    /// The game file; `-` is the standard input.
    pub file: String,
    /// What to print.
    #[arg(long, value_enum)]
    pub stage: Stage,
    /// Common ones.
    #[command(flatten)]
    pub common: Common,
}

/// A stage of the compiler.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The text of the whole game: of a variant, put upon its base.
    Text,
    /// The syntax tree.
    Syntax,
    /// Names resolved, options applied, types checked.
    Model,
    /// The instructions and tables that are played.
    Program,
    /// The functions over sets of cells that the fast engines run.
    Kernel,
}

impl Stage {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stage::Text => "text",
            Stage::Syntax => "syntax",
            Stage::Model => "model",
            Stage::Program => "program",
            Stage::Kernel => "kernel",
        }
    }
}

/// Reads the arguments, the program's name first.
///
/// # Errors
///
/// What clap has to tell: help, the version, or what is wrong. It is coloured as `--color` says, wherever that stands.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    let is = |at: usize, word: &str| args.get(at).is_some_and(|arg| arg == word);
    let says = |word: &str| {
        (0..args.len())
            .any(|at| is(at, &format!("--color={word}")) || (is(at, "--color") && is(at + 1, word)))
    };
    let color = match (says("always"), says("never")) {
        (true, false) => clap::ColorChoice::Always,
        (false, true) => clap::ColorChoice::Never,
        (true, true) | (false, false) => clap::ColorChoice::Auto,
    };
    let command = with_negative_numbers(Cli::command()).color(color);
    let matches = command.try_get_matches_from(args)?;
    Cli::from_arg_matches(&matches)
}

/// A number below nought behind an option is its value, and told to be wrong as that, not an option of its own.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let allow = |arg: clap::Arg| {
        let takes = arg.get_long().is_some() && arg.get_action().takes_values();
        arg.allow_negative_numbers(takes)
    };
    command
        .mut_args(allow)
        .mut_subcommands(with_negative_numbers)
}

/// With more digits a greatest number is not worth telling.
const TOLD: usize = 12;

/// What reads a whole number of a range, and else says which is wanted.
pub fn whole<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + Display + PartialOrd + Clone + Send + Sync + 'static,
{
    move |text| match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => {
            let (least, most) = (range.start(), range.end().to_string());
            Err(match (least.to_string().as_str(), most.len() > TOLD) {
                ("0", true) => "expected a whole number, such as 10".to_owned(),
                (_, true) => format!("expected a whole number, at least {least}"),
                _ => format!("expected a whole number from {least} to {most}"),
            })
        }
    }
}

/// Reads `name=value`.
///
/// # Errors
///
/// If a part is missing.
pub fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected a name, `=` and a value, such as size=5".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::args::{Cli, Command, setting};
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn settings_are_a_name_and_a_value() {
        assert_eq!(setting("size=5"), Ok(("size".into(), "5".into())));
        assert_eq!(setting("a=b=c"), Ok(("a".into(), "b=c".into())));
        for wrong in ["", "size", "=5", "size="] {
            assert!(setting(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn actions_may_begin_with_a_hyphen() {
        let cli = Cli::try_parse_from([
            "gambol", "moves", "x.game", "--play", "-a b", "--set", "a=1", "--set", "b=2",
        ]);
        match cli.map(|cli| cli.command) {
            Ok(Command::Moves(args)) => assert_eq!(
                (args.at.play.as_deref(), args.common.set.len()),
                (Some("-a b"), 2)
            ),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nonsense_depths_are_refused() {
        for depth in ["0", "-1", "1000000000", "x"] {
            assert!(
                Cli::try_parse_from(["gambol", "perft", "x.game", "--depth", depth]).is_err(),
                "{depth}"
            );
        }
    }
}
