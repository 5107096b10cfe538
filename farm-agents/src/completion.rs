//! Reads the response of a chat-completions endpoint.

use serde_json::{Value as Json, json};

use crate::agent::{Answer, Details, Tokens};

/// Words of endpoints that reject a conversation because it is longer than the model's context.
const TOO_LONG: &[&str] = &[
    "context_length",
    "context length",
    "context window",
    "context_window",
    "context size",
    "context_size",
    "maximum context",
    "max_model_len",
    "prompt is too long",
    "input is too long",
    "input length",
    "too many tokens",
    "too many input tokens",
    "input token count",
    "reduce the length",
    "maximum prompt length",
    "exceeds the model",
];

/// Whether an error text reports that the conversation is longer than the model's context.
pub(crate) fn is_overflow(text: &str) -> bool {
    let text = text.to_lowercase();
    TOO_LONG.iter().any(|words| text.contains(words))
}

/// The error in a response that has the status of a success.
pub(crate) fn reported_error(json: &Json) -> Option<String> {
    let error = json.get("error").filter(|error| !error.is_null())?;
    json.pointer("/choices/0").is_none().then(|| error.to_string())
}

/// Reads a chat completion.
///
/// # Errors
/// It has no message, or its text has the wrong type.
pub(crate) fn read(json: &Json) -> Result<Answer, String> {
    let choice = json.pointer("/choices/0").ok_or("there is no `choices[0]`")?;
    let message = choice.get("message").ok_or("there is no `choices[0].message`")?;
    let text = match message.get("content") {
        Some(Json::String(text)) => text.clone(),
        // A list of parts: only texts count.
        Some(Json::Array(parts)) => parts.iter().filter_map(|part| part.get("text").and_then(Json::as_str)).collect(),
        // A model that was cut off while thinking has no content, and a refusal is in its own key.
        Some(Json::Null) | None => message.get("refusal").and_then(Json::as_str).unwrap_or_default().to_owned(),
        Some(_) => return Err("`choices[0].message.content` is not a string".to_owned()),
    };
    let mut reply = text;
    for call in tool_calls(message) {
        if !reply.is_empty() && !reply.ends_with('\n') {
            reply.push('\n');
        }
        reply += &call;
    }
    let is_cut = choice.get("finish_reason").and_then(Json::as_str) == Some("length");
    let count = |path: &str| json.pointer(path).and_then(count);
    let tokens = count("/usage/prompt_tokens").zip(count("/usage/completion_tokens"));
    let tokens = tokens.map(|(prompt, completion)| Tokens {
        prompt,
        completion,
        reasoning: count("/usage/completion_tokens_details/reasoning_tokens").unwrap_or_default(),
        cached: count("/usage/prompt_tokens_details/cached_tokens").unwrap_or_default(),
        estimated: false,
    });
    Ok(Answer { reply, is_cut, tokens, details: details(json, choice, message), ..Answer::default() })
}

/// A number of tokens. Some endpoints write it as `100.0`.
pub(crate) fn count(value: &Json) -> Option<u64> {
    let rounded = |number: f64| (0.0..=1e15).contains(&number).then(|| number.round() as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(rounded))
}

/// The tool calls of a message as text: a JSON object for each.
fn tool_calls(message: &Json) -> Vec<String> {
    let calls = message.get("tool_calls").and_then(Json::as_array).into_iter().flatten();
    let functions = calls.filter_map(|call| call.get("function")).chain(message.get("function_call"));
    let written = |function: &Json| {
        let arguments = match function.get("arguments") {
            // Arguments are JSON in a string.
            Some(Json::String(text)) => serde_json::from_str(text).unwrap_or_else(|_| Json::from(text.as_str())),
            Some(arguments) => arguments.clone(),
            None => json!({}),
        };
        let name = function.get("name")?.as_str()?;
        Some(json!({"name": name, "arguments": arguments}).to_string())
    };
    functions.filter_map(written).collect()
}

/// The thoughts, token ids and log-probabilities in a response, if it has any.
fn details(json: &Json, choice: &Json, message: &Json) -> Details {
    let text = |key: &str| message.get(key).and_then(Json::as_str).filter(|text| !text.is_empty());
    let numbers = |list: Option<&Json>| {
        let list: Vec<String> = list?.as_array()?.iter().filter(|id| id.is_number()).map(Json::to_string).collect();
        (!list.is_empty()).then(|| list.join(" "))
    };
    let probabilities: Option<Vec<String>> =
        choice.pointer("/logprobs/content").and_then(Json::as_array).map(|tokens| {
            tokens
                .iter()
                .filter_map(|token| token.get("logprob"))
                .filter(|p| p.is_number())
                .map(Json::to_string)
                .collect()
        });
    Details {
        reasoning: text("reasoning_content").or_else(|| text("reasoning")).map(str::to_owned),
        prompt_token_ids: numbers(json.get("prompt_token_ids").or_else(|| choice.get("prompt_token_ids"))),
        token_ids: numbers(choice.get("token_ids")),
        logprobs: probabilities.filter(|all| !all.is_empty()).map(|all| all.join(" ")),
    }
    .limited()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Answer, String> {
        read(&serde_json::from_str(text).unwrap_or_default())
    }

    #[test]
    fn a_completion_is_read_with_its_tokens() {
        let usage =
            r#""usage": {"prompt_tokens": 7, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 5}}"#;
        let answer = read_text(&format!(
            r#"{{"choices": [{{"message": {{"content": "wait"}}, "finish_reason": "length"}}], {usage}}}"#
        ));
        let answer = answer.unwrap();
        assert_eq!((answer.reply.as_str(), answer.is_cut), ("wait", true));
        assert_eq!(answer.tokens, Some(Tokens { prompt: 7, completion: 2, cached: 5, ..Tokens::default() }));
        let parts = r#"{"choices": [{"message": {"content": [{"type": "text", "text": "wa"}, {"text": "it"}]}}]}"#;
        assert_eq!(read_text(parts).unwrap(), Answer { reply: "wait".to_owned(), ..Answer::default() });
        assert_eq!(read_text(r#"{"choices": [{"message": {"content": null}}]}"#).unwrap().reply, "");
        for wrong in [
            "",
            "{",
            "[]",
            "{}",
            r#"{"choices": []}"#,
            r#"{"choices": [{}]}"#,
            r#"{"choices": [{"message": {"content": 3}}]}"#,
        ] {
            assert!(read_text(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn counts_may_be_floats() {
        let text = r#"{"choices": [{"message": {"content": "wait"}}], "usage": {"prompt_tokens": 100.0, "completion_tokens": 9.0,
            "completion_tokens_details": {"reasoning_tokens": 4.0}}}"#;
        let expected = Tokens { prompt: 100, completion: 9, reasoning: 4, ..Tokens::default() };
        assert_eq!(read_text(text).unwrap().tokens, Some(expected));
        for wrong in ["-1", "1e300", "\"7\"", "null"] {
            assert_eq!(count(&serde_json::from_str(wrong).unwrap()), None, "{wrong}");
        }
    }

    #[test]
    fn tool_calls_become_the_reply() {
        let call = |arguments: &str| {
            format!(r#"{{"id": "c", "type": "function", "function": {{"name": "MoveN", "arguments": {arguments}}}}}"#)
        };
        let message =
            |message: &str| read_text(&format!(r#"{{"choices": [{{"message": {message}}}]}}"#)).unwrap().reply;
        let expected = r#"{"arguments":{},"name":"MoveN"}"#;
        let same = |reply: &str, expected: &str| {
            let [reply, expected] = [reply, expected].map(|text| serde_json::from_str::<Json>(text).unwrap());
            assert_eq!(reply, expected);
        };
        same(&message(&format!(r#"{{"content": null, "tool_calls": [{}]}}"#, call(r#""{}""#))), expected);
        same(&message(&format!(r#"{{"tool_calls": [{}]}}"#, call("{}"))), expected);
        same(&message(r#"{"content": null, "function_call": {"name": "MoveN", "arguments": "{}"}}"#), expected);
        let both = message(&format!(r#"{{"content": "I go.", "tool_calls": [{}]}}"#, call(r#""{}""#)));
        assert!(both.starts_with("I go.\n{"), "{both}");
        // Arguments that are not JSON stay, so that the reply is not played without them.
        assert!(message(&format!(r#"{{"tool_calls": [{}]}}"#, call(r#""{\"x\"""#))).contains(r#"{\"x\""#));
    }

    #[test]
    fn thoughts_token_ids_and_probabilities_are_kept() {
        let text = r#"{"prompt_token_ids": [1, 2], "choices": [{"message": {"content": null, "reasoning_content": "Insult"},
            "token_ids": [3], "logprobs": {"content": [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -1}]}}]}"#;
        let Answer { reply, details, .. } = read_text(text).unwrap();
        assert_eq!(reply, "", "a thought is not a reply");
        assert_eq!(details.reasoning.as_deref(), Some("Insult"));
        assert_eq!((details.prompt_token_ids.as_deref(), details.token_ids.as_deref()), (Some("1 2"), Some("3")));
        assert_eq!(details.logprobs.as_deref(), Some("-0.5 -1"));
    }

    #[test]
    fn a_conversation_that_is_too_long_is_known_from_other_errors() {
        for text in [
            r#"{"error": {"message": "This model's maximum context length is 8192 tokens.", "code": "context_length_exceeded"}}"#,
            r#"{"error": {"type": "exceed_context_size_error", "message": "the request exceeds the available context size"}}"#,
            r#"{"type": "error", "error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            r#"{"message": "The input token count (40000) exceeds the maximum number of tokens allowed (32768)."}"#,
        ] {
            assert!(is_overflow(text), "{text}");
        }
        for text in [
            "wrong key",
            r#"{"error": {"message": "max_tokens must be at least 1"}}"#,
            "rate limit: 100 tokens per minute",
        ] {
            assert!(!is_overflow(text), "{text}");
        }
    }
}
