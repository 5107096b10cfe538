//! Error codes for texts, files, changes, parameters and limits.

use crate::codes;

codes! {
    /// Files and values that are not valid YAML.
    pub enum YamlError: "yaml" {
        /// The text is not valid YAML.
        ///
        /// A game must be valid YAML. Indent with spaces, and quote strings that contain `: ` or start with a character such as `*`.
        NotYaml = "not-yaml",
        /// A line is indented with a tab.
        ///
        /// In YAML, indentation sets the structure, and the width of a tab is not defined. Indent with spaces.
        TabIndentation = "tab-indentation",
        /// A line has a different indentation from the other lines of its list or mapping.
        ///
        /// All keys of a mapping and all elements of a list must have the same indentation.
        WrongIndentation = "wrong-indentation",
        /// A bracket or a brace is opened and not closed, or closed and not opened.
        ///
        /// Without the closing bracket, the following lines belong to the list or mapping. Close it where the list or mapping ends.
        UnclosedBracket = "unclosed-bracket",
        /// A quote is opened and not closed.
        ///
        /// Without the closing quote, the string runs to the end of the file. Add it, or remove the opening quote.
        UnclosedQuote = "unclosed-quote",
        /// A key has no colon, or no space after its colon.
        ///
        /// Write `key: value`. Without the colon and the space, YAML reads a single string.
        MissingColon = "missing-colon",
        /// YAML allows no colon at this location.
        ///
        /// `: ` ends a key. Quote a string that contains it.
        UnexpectedColon = "unexpected-colon",
        /// A space is not an ordinary space.
        ///
        /// Text copied from a web page can contain spaces that YAML reads as letters. A colon before such a space does not end a key.
        OddBlank = "odd-blank",
        /// Within brackets, a `#` after a space starts a comment.
        ///
        /// The comment hides the rest of the line and the closing bracket. Write the unit of a key without a space before it.
        HiddenByComment = "hidden-by-comment",
        /// A string starts with a reserved character.
        ///
        /// YAML reserves some first characters: `%`, `@`, the backtick, `>`, `|`, `*`, `&` and `!`. Quote the value.
        UnquotedSign = "unquoted-sign",
        /// A `*` or `&` without quotes refers to an anchor that does not exist.
        ///
        /// YAML uses both characters to reuse a value. Quote the character or the string: `'*'`.
        UnknownAnchor = "unknown-anchor",
        /// A range within braces has no quotes.
        ///
        /// A comma separates the keys of `{…}`, so the range is split in two. Quote it: `'(1, 2)'`.
        UnquotedRange = "unquoted-range",
        /// A mapping has the same key twice.
        ///
        /// Only one of the two values could apply. Remove one of them.
        DuplicateKey = "duplicate-key",
        /// A value has a YAML tag such as `!Plant`.
        ///
        /// Tags have no meaning in game files. Write a part as a key: `Plant: bean`.
        YamlTag = "yaml-tag",
        /// A line `---` starts a second document in the file.
        ///
        /// A file holds one document. The second one would be ignored.
        SeveralTexts = "several-texts",
        /// An integer is too large.
        ///
        /// Integers have 64 bits. Check for extra digits.
        HugeNumber = "huge-number",
        /// A value is missing.
        ///
        /// A key has no value. The usual cause is an unclosed bracket or quote, or an extra comma.
        MissingValue = "missing-value",
        /// Lists and mappings are nested too deeply.
        ///
        /// No game needs this depth. Check for unclosed brackets.
        NestedTooDeep = "nested-too-deep",
        /// The aliases of the file expand to too many values.
        ///
        /// A few lines with aliases can expand to more values than fit in memory. Write the values out in full.
        TooManyAliases = "too-many-aliases",
        /// An alias is inside the value that it refers to.
        ///
        /// The value would be infinite. Write the values out in full.
        AliasInItself = "alias-in-itself",
    }
}

codes! {
    /// Files that cannot be read or written.
    pub enum FileError: "files" {
        /// No file exists at this path.
        ///
        /// Check the path. Paths in a game file are relative to the folder of the game.
        FileNotFound = "file-not-found",
        /// Neither the file nor its folder exists.
        ///
        /// Check the path. Paths in a game file are relative to the folder of the game.
        FolderNotFound = "folder-not-found",
        /// The path leads to a folder.
        ///
        /// Give the path of a file in this folder.
        FolderNotFile = "folder-not-file",
        /// The file is larger than the limit for its type.
        ///
        /// Check that this is the right file.
        FileTooLarge = "file-too-large",
        /// The file cannot be read: the system denies access, or it is a device or a pipe.
        ///
        /// Check the path and the permissions. A game may not read a pipe, because it could wait for ever.
        FileUnreadable = "file-unreadable",
        /// The file is not text in UTF-8.
        ///
        /// Save it as UTF-8, in which the character ° has two bytes. Images and spreadsheets are not games. A file in UTF-16 has a NUL byte
        /// next to each letter.
        NotUtf8 = "not-utf8",
        /// The file is empty or has only comments.
        ///
        /// Write a game into it, or give another file.
        EmptyFile = "empty-file",
        /// The file is outside the game's folder.
        ///
        /// A game may read files only from its own folder, because a game file from someone else could expose your files. Move the file, or
        /// pass `--allow-outside-files` for a game you trust.
        FileOutsideFolder = "file-outside-folder",
        /// A file next to the game has the name of a part, and the game does not refer to it.
        ///
        /// Changes to this file have no effect. Refer to it in the game, or move it away.
        FileNotUsed = "file-not-used",
        /// Files refer to each other in a circle.
        ///
        /// Reading them would never end. Write the values into one of the files instead of a path.
        CircularFiles = "circular-files",
        /// The file cannot be written.
        ///
        /// Nothing was changed. Check the path, the free space and the permissions. If the message describes a defect in the program
        /// itself, report it.
        FileNotWritten = "file-not-written",
        /// The output file exists already.
        ///
        /// Existing files are not overwritten by default. Write into another folder, or force it.
        FileExists = "file-exists",
    }
}

codes! {
    /// Presets and single changes of a game.
    pub enum ChangeError: "changes" {
        /// The game has no preset with this name.
        ///
        /// Presets are in the game file, under `presets:`.
        UnknownPreset = "unknown-preset",
        /// The path of a change leads to an entry that does not exist.
        ///
        /// A change replaces a value, or adds an entry to an existing list or mapping. The usual cause is a misspelt path.
        NoSuchEntry = "no-such-entry",
        /// A change would replace a whole mapping and everything in it.
        ///
        /// A mapping in a change is merged into the existing mapping. Name the entry to change, or end the path with `=` to replace the
        /// whole mapping.
        ReplacesMapping = "replaces-mapping",
        /// The new value of a change is not valid YAML.
        ///
        /// A value is read in the same way as in the game file. Quote strings with special characters.
        ValueNotYaml = "value-not-yaml",
    }
}

codes! {
    /// Parameters and other keys of mappings: their names and values.
    pub enum ParameterError: "parameters" {
        /// A part has no parameter with this name.
        ///
        /// Unknown names are rejected, because a misspelt parameter would silently keep its default.
        UnknownParameter = "unknown-parameter",
        /// The key of a parameter has no unit or the wrong unit.
        ///
        /// The unit is part of the key. A number is therefore always read in the unit in which it was written.
        WrongUnit = "wrong-unit",
        /// A key in a mapping is not a string.
        ///
        /// The usual causes are a decimal comma (`1,5`) and an unquoted range (`(0, 9)`) inside `{…}`.
        NameNotText = "name-not-text",
        /// A required parameter is missing.
        ///
        /// No default value would be right for every game.
        MissingParameter = "missing-parameter",
        /// A required key is missing.
        ///
        /// It has no default. Add the key.
        MissingKey = "missing-key",
        /// A top-level key of the game is inside another key.
        ///
        /// It is read only at the top level. Remove its indentation.
        MisplacedKey = "misplaced-key",
        /// No key with this name exists.
        ///
        /// Unknown keys are rejected, because a misspelt key would have no effect.
        UnknownKey = "unknown-key",
        /// A value has the wrong type.
        ///
        /// Numbers have no quotes, lists use `-` or `[…]`, mappings use `key: value`.
        WrongType = "wrong-type",
        /// A value is out of range.
        ///
        /// Outside the range, the equations have no meaning, or the game would be too large for any computer.
        ValueOutOfRange = "value-out-of-range",
        /// A value is not a finite number.
        ///
        /// The engine cannot compute with infinity or NaN.
        NotFinite = "not-finite",
        /// A word is not one of the choices.
        ///
        /// A choice accepts only a fixed list of words.
        UnknownChoice = "unknown-choice",
        /// A range or a pair is invalid, or its first number is above the second.
        ///
        /// Write two numbers, the lower one first: `(0, 9)`. Within `{…}`, quote it.
        WrongRange = "wrong-range",
        /// A list needs at least one element and is empty.
        ///
        /// There is nothing to sample or to compare with.
        EmptyList = "empty-list",
        /// Two settings contradict each other, or one makes the other useless.
        ///
        /// Only one of them can apply. Remove the other.
        Contradiction = "contradiction",
        /// The same thing is set twice.
        ///
        /// Only one of the two settings can apply. Remove one of them.
        SaidTwice = "said-twice",
    }
}

codes! {
    /// Limits on size and memory.
    pub enum LimitError: "limits" {
        /// The game exceeds a size limit: its state, observations, actions, events, or one of its lists.
        ///
        /// Each plot has all variables of all its entities, and each combination of parameter values is an action. Use fewer plots or
        /// parts, allow fewer values, or observe less.
        GameTooLarge = "game-too-large",
        /// The game needs more memory than is available.
        ///
        /// The engine counts the memory before it allocates any. Use fewer plots or parts, or give the program more memory.
        OutOfMemory = "out-of-memory",
        /// Not all problems are shown.
        ///
        /// Fix the shown problems first. The others often have the same cause.
        MoreProblems = "more-problems",
    }
}
