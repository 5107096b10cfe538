//! The codes of what is wrong with texts, files, changes and parameters, and of what is too much.

use crate::codes;

codes! {
    /// Texts that are not valid YAML, or not one text of it.
    pub enum YamlError: "yaml" {
        /// The text is not valid YAML.
        ///
        /// Only what YAML can read is a game. Indent with spaces, and quote texts that contain `: ` or begin with a sign such as `*`.
        NotYaml = "not-yaml",
        /// A tab stands where only spaces may be.
        ///
        /// YAML takes indentation for structure, and a tab has no width that all programs agree on. Indent with spaces.
        TabIndentation = "tab-indentation",
        /// A line is not indented like the lines that it belongs to.
        ///
        /// The names of a mapping and the entries of a list are told apart by their indentation, so that all of one have the same.
        WrongIndentation = "wrong-indentation",
        /// A bracket or a brace is opened and not closed, or closed and not opened.
        ///
        /// What follows would belong to it. Close it where its list or mapping ends.
        UnclosedBracket = "unclosed-bracket",
        /// A quote is opened and not closed.
        ///
        /// The text would go on to the end of the file. Close the quote, or leave out the one that opens it.
        UnclosedQuote = "unclosed-quote",
        /// A name has no colon, or no blank follows the colon.
        ///
        /// A name and its value are written `name: value`; without the colon and the blank both are one text.
        MissingColon = "missing-colon",
        /// A colon stands where no name can be.
        ///
        /// `: ` ends a name. Quote a text that contains it.
        UnexpectedColon = "unexpected-colon",
        /// A blank is not the ordinary one.
        ///
        /// Texts from web pages hold blanks that YAML takes for letters, so that the colon before them ends no name.
        OddBlank = "odd-blank",
        /// A `#` behind a blank begins a comment within brackets.
        ///
        /// The comment hides the rest of the line with the bracket that closes. Write the unit of a name without a blank before it.
        HiddenByComment = "hidden-by-comment",
        /// A text begins with a sign that no text begins with.
        ///
        /// YAML reserves `%`, `@` and the backtick. Quote the text.
        UnquotedSign = "unquoted-sign",
        /// A `*` or `&` without quotes means an alias or an anchor, and there is none.
        ///
        /// YAML uses both signs for values that are written once and used again. Quote the sign or the text: `'*'`.
        UnknownAnchor = "unknown-anchor",
        /// A range stands within braces without quotes.
        ///
        /// A comma divides the entries of `{…}`, so that the range falls into two. Quote it: `'(1, 2)'`.
        UnquotedRange = "unquoted-range",
        /// A name stands twice in one mapping.
        ///
        /// Only one of the two could count, and nobody sees which. Leave one out.
        DuplicateKey = "duplicate-key",
        /// A value has a YAML tag such as `!Plant`.
        ///
        /// Tags have no meaning in game files. A kind of part is written as a name, `Plant: bean`.
        YamlTag = "yaml-tag",
        /// A line `---` begins a second text in the file.
        ///
        /// A file holds one text, and the second one would not be read.
        SeveralTexts = "several-texts",
        /// A whole number is larger than any that is read.
        ///
        /// Whole numbers have 64 bits. Look for digits too many.
        HugeNumber = "huge-number",
        /// A value is missing where one must be.
        ///
        /// Look for a bracket or a quote that is not closed, or a comma too many.
        MissingValue = "missing-value",
        /// Too many lists and mappings stand within one another.
        ///
        /// No game needs that depth. Look for brackets that are not closed.
        NestedTooDeep = "nested-too-deep",
        /// The aliases of the text stand for too many values.
        ///
        /// A few lines with aliases can stand for more values than any memory holds. Write out what is meant.
        TooManyAliases = "too-many-aliases",
        /// An alias stands for something that it is part of.
        ///
        /// The value would have no end. Write out what is meant.
        AliasInItself = "alias-in-itself",
    }
}

codes! {
    /// Files that can't be read or written.
    pub enum FileError: "files" {
        /// There is no file at this path.
        ///
        /// Check the path; those in a game file are relative to the game's folder.
        FileNotFound = "file-not-found",
        /// There is no file at this path, and no folder that it could lie in.
        ///
        /// Check the path; those in a game file are relative to the game's folder.
        FolderNotFound = "folder-not-found",
        /// The path is that of a folder.
        ///
        /// Give the path of a file in it.
        FolderNotFile = "folder-not-file",
        /// The file is larger than any file of its kind.
        ///
        /// Check that it is the file that you mean.
        FileTooLarge = "file-too-large",
        /// The file can't be read: the system does not allow it, or it is a device or a pipe.
        ///
        /// Check the path and who may read it. A game that names a pipe could wait for ever.
        FileUnreadable = "file-unreadable",
        /// The file is not a text in UTF-8.
        ///
        /// Save it as UTF-8, where the sign ° has two bytes. Pictures and tables are not games; a file in UTF-16 has a NUL byte beside
        /// each letter.
        NotUtf8 = "not-utf8",
        /// The file is empty, or has only comments.
        ///
        /// There is nothing to read in it.
        EmptyFile = "empty-file",
        /// The file lies outside of the game's folder.
        ///
        /// A game of somebody else could show you what stands in any of your files. Move the file into the folder, or allow it where you
        /// trust the game.
        FileOutsideFolder = "file-outside-folder",
        /// A file beside the game is called like a part of it, and the game does not refer to it.
        ///
        /// Whoever changes the file would see no effect. Refer to it in the game, or move it away.
        FileNotUsed = "file-not-used",
        /// Files refer to one another in a circle.
        ///
        /// Reading them would have no end. Write the values in one of them instead of a path.
        CircularFiles = "circular-files",
        /// The file can't be written.
        ///
        /// Nothing was changed. Check the path, the space that is left and who may write there; where the program finds a defect of its own
        /// before it writes, please report it.
        FileNotWritten = "file-not-written",
        /// The file that would be written is there already.
        ///
        /// What you have written is not replaced unless you say so. Write into another folder, or force it.
        FileExists = "file-exists",
    }
}

codes! {
    /// Presets and single changes of a game.
    pub enum ChangeError: "changes" {
        /// The game has no preset of this name.
        ///
        /// Presets stand in the game's file under `presets:`.
        UnknownPreset = "unknown-preset",
        /// The path of a change leads to an entry that is not there.
        ///
        /// A change replaces a value, or adds an entry to something that exists. A path that leads nowhere is a misspelt one.
        NoSuchEntry = "no-such-entry",
        /// A change would replace a whole mapping with everything in it.
        ///
        /// A mapping in a change is merged into the one that is there. Name the entry to change, or end the path in `=` to replace the whole.
        ReplacesMapping = "replaces-mapping",
        /// The new value of a change is not valid YAML.
        ///
        /// A value is read as it would be in the game's file. Quote texts with special characters.
        ValueNotYaml = "value-not-yaml",
    }
}

codes! {
    /// Parameters and other entries of mappings: their names and their values.
    pub enum ParameterError: "parameters" {
        /// There is no parameter of this name.
        ///
        /// A name that nothing reads would change nothing, and the game would be another than the one you mean.
        UnknownParameter = "unknown-parameter",
        /// The name of a parameter lacks its unit, or has another unit.
        ///
        /// The unit belongs to the name, so that a number is never read in another unit than it was written in.
        WrongUnit = "wrong-unit",
        /// The name of a parameter is not a text.
        ///
        /// A comma divides entries, so that a range without quotes or a decimal comma leaves a number where a name must be.
        NameNotText = "name-not-text",
        /// A parameter that is needed is missing.
        ///
        /// There is no value that would be right for every game.
        MissingParameter = "missing-parameter",
        /// A key that is needed is missing.
        ///
        /// What it says can't be guessed.
        MissingKey = "missing-key",
        /// A key of the game stands below another key.
        ///
        /// It is read at the top only, where a line is not indented.
        MisplacedKey = "misplaced-key",
        /// There is no key of this name.
        ///
        /// A key that nothing reads would be ignored without a word.
        UnknownKey = "unknown-key",
        /// A value is of another type: a text where a number belongs, a list where a mapping belongs.
        ///
        /// Numbers have no quotes, lists have brackets or hyphens, mappings have names with colons.
        WrongType = "wrong-type",
        /// A value is out of range.
        ///
        /// Beyond the range the equations mean nothing, or the game would be larger than any machine.
        ValueOutOfRange = "value-out-of-range",
        /// A value is not a finite number.
        ///
        /// Nothing can be computed with infinity or with what is not a number.
        NotFinite = "not-finite",
        /// A word is not one of those that can be chosen here.
        ///
        /// The words of a choice are a fixed list.
        UnknownChoice = "unknown-choice",
        /// A range or a pair is not valid, or begins above its end.
        ///
        /// It has two numbers, the lower one first, `(0, 9)`; within `{…}` it is quoted.
        WrongRange = "wrong-range",
        /// A list is empty where at least one entry is needed.
        ///
        /// Nothing can be drawn from it, or compared with it.
        EmptyList = "empty-list",
        /// Two settings contradict each other, or one makes the other useless.
        ///
        /// Only one of them can count. Leave the other out.
        Contradiction = "contradiction",
        /// The same thing is said twice.
        ///
        /// Only one of the two could count. Leave one out.
        SaidTwice = "said-twice",
    }
}

codes! {
    /// What is larger or longer than anything that is played.
    pub enum LimitError: "limits" {
        /// The game would be larger than any that is played: its state, its observations, its actions, its events or one of its lists.
        ///
        /// Each plot has all variables of all its entities, and each combination of the values of an action's parameters is an action of
        /// its own. Take fewer plots or fewer parts, allow fewer values, or observe less.
        GameTooLarge = "game-too-large",
        /// There is not enough memory for the game.
        ///
        /// It was counted before any of it was taken. Take fewer plots or fewer parts, or let the program have more memory.
        OutOfMemory = "out-of-memory",
        /// There are more problems than are shown.
        ///
        /// Mend those that are shown first: others often follow from them.
        MoreProblems = "more-problems",
    }
}
