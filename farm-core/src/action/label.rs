//! Labels before an action, such as `Action:`, `**Final answer:**`, `Action -> ` or `行动:`.

/// Characters that quote an action, end a sentence or mark a list item.
pub(super) const AROUND: &[char] =
    &['"', '\'', '`', '“', '”', '‘', '’', '«', '»', '.', ',', '!', '?', ':', ';', '*', '_', '-', '>', '•', '~'];

/// Words for an action, in the languages that models write.
const ACTION: &[&str] = &[
    "action",
    "actions",
    "aktion",
    "acción",
    "accion",
    "azione",
    "ação",
    "acao",
    "действие",
    "дія",
    "akcja",
    "akce",
    "actie",
    "acțiune",
    "eylem",
    "aksi",
    "tindakan",
    "toiminto",
    "ενέργεια",
    "فعل",
    "إجراء",
    "الإجراء",
    "الفعل",
    "اقدام",
    "פעולה",
    "कार्रवाई",
    "क्रिया",
    "actiune",
    "handling",
    "művelet",
    "การกระทำ",
    "động",
];

/// Words for an action in languages without spaces.
const ACTION_SUFFIXES: &[&str] =
    &["动作", "動作", "行动", "行動", "操作", "アクション", "행동", "동작", "答案", "答え", "回答", "정답", "답"];

/// Words before an action that are also used for other things. A text after them counts only if it is an action.
const ANSWER: &[&str] = &[
    "answer",
    "move",
    "output",
    "response",
    "reply",
    "choice",
    "decision",
    "command",
    "selection",
    "tool",
    "function",
    "call",
    "final",
    "antwort",
    "respuesta",
    "réponse",
    "risposta",
    "resposta",
    "ответ",
    "antwoord",
    "svar",
    "cevap",
    "odpowiedź",
    "الجواب",
    "الإجابة",
    "اجابة",
    "उत्तर",
    "entscheidung",
];

/// Words that may come between an answer's label and the start of its sentence.
const QUALIFIERS: &[&str] = &[
    "my",
    "the",
    "a",
    "an",
    "this",
    "our",
    "your",
    "so",
    "therefore",
    "thus",
    "hence",
    "then",
    "and",
    "final",
    "next",
    "best",
    "chosen",
    "selected",
    "new",
    "current",
    "single",
    "only",
    "one",
    "proposed",
    "recommended",
    "optimal",
    "intended",
    "planned",
    "tool",
    "function",
    "now",
    "here",
    "is",
    "answer",
    "action",
    "move",
    "mi",
    "ma",
    "meine",
    "mein",
    "la",
    "le",
    "il",
    "minha",
    "моё",
    "мое",
    "nächste",
    "beste",
    "finale",
    "letzte",
    "endgültige",
    "i'll",
];

/// Words that may come after a label: `Action name`, `The action to take is`.
const TRAILING: &[&str] = &[
    "is",
    "be",
    "will",
    "would",
    "to",
    "take",
    "play",
    "do",
    "name",
    "now",
    "final",
    "finale",
    "finaal",
    "choisie",
    "elegida",
    "scelta",
    "escolhida",
    "chosen",
    "selected",
    "ist",
    "es",
    "est",
];

/// Words that say that a label's action is not meant: `Previous action`, `Available actions`.
const NOT_MEANT: &[&str] = &[
    "not",
    "no",
    "bad",
    "wrong",
    "previous",
    "last",
    "past",
    "old",
    "earlier",
    "former",
    "avoid",
    "invalid",
    "forbidden",
    "possible",
    "available",
    "valid",
    "candidate",
    "candidates",
    "alternative",
    "alternatives",
    "rejected",
    "impossible",
    "worst",
    "other",
    "another",
    "illegal",
    "allowed",
    "legal",
    "unknown",
    "example",
    "without",
    "never",
    "recent",
    "failed",
    "their",
    "his",
    "her",
    "all",
    "listed",
    "potential",
];

/// How sure it is that a label announces the reply's action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Label {
    /// `Answer`, `Output`: the text after it is the action, if it can be read.
    Answer,
    /// `Action`: the text after it is the action.
    Action,
}

/// The text after a label such as `Action:`, `**Final action:**` or `action =`.
pub(super) fn after_label(line: &str) -> Option<&str> {
    labelled(line).map(|(_, rest)| rest)
}

/// The last label in a line, and the text after it.
pub(super) fn labelled(line: &str) -> Option<(Label, &str)> {
    let (mut found, mut start, mut depth) = (None, 0, 0_usize);
    for (at, letter) in line.char_indices() {
        let after = &line[at + letter.len_utf8()..];
        let is_spaced = || line[..at].ends_with(' ') && after.starts_with(' ') && !line[start..at].trim().is_empty();
        let separator = match letter {
            '(' | '[' | '{' => {
                depth += 1;
                continue;
            }
            ')' | ']' | '}' => {
                depth = depth.saturating_sub(1);
                // `[Action] MoveN`.
                let is_label = depth == 0 && letter != '}' && label(&line[start..=at]) == Some(Label::Action);
                if is_label && line[start..at].trim_start().starts_with(['[', '(']) {
                    (found, start) = (Some((Label::Action, after)), at + 1);
                }
                continue;
            }
            '。' => {
                start = at + letter.len_utf8();
                continue;
            }
            '.' | '!' | '?' | ';' if after.starts_with(char::is_whitespace) => {
                start = at + 1;
                continue;
            }
            '-' | '=' if after.starts_with('>') => 2,
            ':' | '=' => 1,
            '→' | '⇒' | '➡' | '➜' | '⟶' => letter.len_utf8(),
            '-' | '–' | '—' if is_spaced() => letter.len_utf8(),
            _ => continue,
        };
        let rest = &line[at + separator..];
        if depth == 0
            && let Some(label) = label(&line[start..at])
            && !(is_direction(rest) && label == Label::Answer)
        {
            found = Some((label, rest));
        }
        start = at + separator;
    }
    found
}

/// A line that is only a label: `### Action`, `**Final answer**`.
pub(super) fn heading(line: &str) -> Option<Label> {
    let line = line.trim();
    let is_marked = line.starts_with('#') || line.starts_with("**") && line.ends_with("**");
    label(line).filter(|_| is_marked)
}

/// Whether a text is a direction. `Move: North` is an action, not a label.
fn is_direction(text: &str) -> bool {
    let word = text.trim_matches(|c: char| c.is_whitespace() || AROUND.contains(&c)).to_lowercase();
    ["n", "s", "e", "w", "north", "south", "east", "west"].contains(&word.as_str())
}

/// Whether a text is a label.
fn label(text: &str) -> Option<Label> {
    const MOST_BYTES: usize = 80;
    let text = text.trim();
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let inner = inner.or_else(|| text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')));
    let text = inner.unwrap_or(text);
    if text.len() > MOST_BYTES || text.contains(['{', '[', '(', '<']) {
        return None;
    }
    let lower = text.to_lowercase();
    let is_between = |c: char| c.is_whitespace() || AROUND.contains(&c) && c != '\'' || c == '#' || c == '➡';
    let words = lower.split(is_between).map(|word| word.trim_matches('\''));
    // `Action 1`.
    let mut words: Vec<&str> = words.filter(|word| word.contains(char::is_alphabetic)).collect();
    while words.len() > 1 && words.last().is_some_and(|last| TRAILING.contains(last) && !ANSWER.contains(last)) {
        words.pop();
    }
    let (last, before) = words.split_last()?;
    if before.iter().any(|word| NOT_MEANT.contains(word)) {
        return None;
    }
    let is_qualified = before.len() <= 4 && before.iter().all(|word| QUALIFIERS.contains(word));
    if ACTION.contains(last) && (before.len() <= 2 || is_qualified) {
        return Some(Label::Action);
    }
    let is_suffix = |suffix: &&str| {
        let rest = last.strip_suffix(*suffix);
        rest.is_some_and(|rest| {
            ["", "我的", "最终", "最佳", "最終", "次の", "私の", "下一步", "최종", "다음"].contains(&rest)
        })
    };
    if ACTION_SUFFIXES.iter().any(is_suffix) {
        return Some(Label::Action);
    }
    (ANSWER.contains(last) && is_qualified).then_some(Label::Answer)
}
