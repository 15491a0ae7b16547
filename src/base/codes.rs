//! The table of diagnostic codes: a stable name, a severity and one sentence each. `docs/errors.md` is tested against it.

use crate::base::Severity;
use serde::{Serialize, Serializer};

/// What the table says of a code.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code itself.
    pub code: Code,
    /// Its stable name, as printed between the brackets.
    pub name: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What it means, in one sentence.
    pub text: &'static str,
}

macro_rules! codes {
    ($($code:ident $name:literal $severity:ident $text:literal)*) => {
        /// The stable name of a kind of finding.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $text] $code,)*
        }

        /// Every code, in the order of the table.
        pub const CODES: &[CodeInfo] = &[
            $(CodeInfo { code: Code::$code, name: $name, severity: Severity::$severity, text: $text },)*
        ];
    };
}

codes! {
    Syntax "syntax" Error "The text does not follow the grammar."
    NotText "not-text" Error "The file is not UTF-8 text."
    EmptyFile "empty-file" Error "The file holds no items."
    TooDeep "too-deep" Error "Brackets, expressions or definitions are nested too deeply."
    TooLong "too-long" Error "A file, or one expression of it, is too long."
    UnclosedBracket "unclosed-bracket" Error "A bracket is never closed, or closed without being opened."
    MissingItem "missing-item" Error "A game needs an item that is not there."
    RepeatedItem "repeated-item" Error "An item that may stand once stands twice."
    UnknownItem "unknown-item" Error "A line starts no item of the language."
    UnknownName "unknown-name" Error "A name is used that is declared nowhere."
    UnknownRule "unknown-rule" Error "A rule is played that is declared nowhere."
    UnknownPlayer "unknown-player" Error "A player is named who does not take part."
    UnknownOption "unknown-option" Error "An option is set that the file does not offer."
    UnknownVerb "unknown-verb" Error "A statement begins with a word that is no effect."
    UnknownDirection "unknown-direction" Error "The board has no direction of that name."
    UnknownShape "unknown-shape" Error "There is no board of that shape."
    NameTaken "name-taken" Error "A name is given twice where both can be seen."
    WrongType "wrong-type" Error "Something of one type stands where another is needed."
    WrongCount "wrong-count" Error "A word or rule is given too many or too few values."
    SetOrTruth "set-or-truth" Error "A set of cells stands where a truth is needed, or the other way round."
    BadOption "bad-option" Error "An option's value is outside its range, or of the wrong kind."
    OptionRefused "option-refused" Error "The options together break a condition that the file states."
    BadBoard "bad-board" Error "The board cannot be built."
    OffBoard "off-board" Error "A row, column or cell lies outside the board."
    NotFixed "not-fixed" Error "A value must be known before play begins, and is not."
    EndlessRule "endless-rule" Error "A rule or definition refers to itself without end."
    EndlessRepeat "endless-repeat" Error "A repetition that changes nothing never ends."
    ValueIsGone "value-is-gone" Error "A value that lives for one turn is asked after the turn."
    BadSetup "bad-setup" Error "The setup cannot be carried out."
    BadDrawing "bad-drawing" Error "A drawn position does not fit the board."
    BadLetter "bad-letter" Error "A piece's letter is missing, taken or not one sign."
    BadNotation "bad-notation" Error "A notation has a hole that cannot be filled, or a text that cannot be read back."
    TwoPlayersOnly "two-players-only" Error "A word needs exactly two players."
    NoSymmetry "no-symmetry" Error "The board has no such mirror image."
    AmbiguousAction "ambiguous-action" Error "Two different actions of one position are written alike."
    RunawayTurn "runaway-turn" Error "A turn does not come to an end."
    NoTurn "no-turn" Error "A position has no turn to play."
    NoAction "no-action" Error "A turn plays nothing that is an action."
    Misplaced "misplaced" Error "A word is used where it has no meaning."
    UnknownBase "unknown-base" Error "The file that a variant builds on cannot be found or read."
    EndlessVariant "endless-variant" Error "Variant files build on each other in a circle."
    NotInBase "not-in-base" Error "A variant changes something that its base does not have."
    IdleOption "idle-option" Error "An option is set that counts only under a condition that does not hold."
    BadExample "bad-example" Error "An example cannot be run: a setting, position or text of it is wrong."
    ExampleFails "example-fails" Error "An example says what is not so."
    NotWhole "not-whole" Warning "A run with an upper bound at a picture's end is captured, but need not be the whole run."
    Palindrome "palindrome" Warning "A picture reads the same both ways and matches twice."
    LonelyCount "lonely-count" Warning "A letter counts something and is used nowhere else."
    CountShadows "count-shadows" Warning "A letter that counts is also a name of the file."
    EmptyTrail "empty-trail" Warning "A trail may start on an empty cell though its steps never lead to one."
    SilentWay "silent-way" Warning "Behind an action a way leads to the end of the turn without another."
    NoEndWhenStuck "no-end-when-stuck" Warning "A player may be left without an action, and no end says what then."
    UnusedDefinition "unused-definition" Warning "A definition is used nowhere."
    UnusedRule "unused-rule" Warning "A rule is played nowhere."
    UnusedOption "unused-option" Warning "An option changes nothing."
    UnusedValue "unused-value" Warning "A value is kept or named, and never read."
    NeverHolds "never-holds" Warning "A condition is false whatever happens."
    InBeforeOr "in-before-or" Warning "A set behind `in` and another behind `or` stand without brackets."
    OrBeginsAnew "or-begins-anew" Warning "What stands before the first of two words joined by `or`, whose a piece is or `except`, does not count for the other."
    OfTakesOne "of-takes-one" Warning "Two words for pieces stand behind an `of` that takes the first only."
    OwnTarget "own-target" Warning "A move onto a cell that may hold one's own piece captures it."
    OverAtOnce "over-at-once" Warning "The game is over before anybody has played."
    NeverEnds "never-ends" Warning "Games played at random came to no end."
    MergedAction "merged-action" Note "Two ways to play one action lead to the same position."
    OnlyPlain "only-plain" Note "No fast engine can play these rules, only the plain one."
    CarriedValue "carried-value" Note "A value is carried from one action of a turn to the next, and stands in the position line."
}

impl Code {
    /// What the table says of it.
    #[must_use]
    pub fn info(self) -> &'static CodeInfo {
        &CODES[self as usize]
    }

    /// Its stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.info().severity
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
