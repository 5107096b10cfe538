//! Error codes, and the text of a thread's last error.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use farm_core::config::{LimitError, Problems};
use farm_core::vector::VectorError;
use farm_core::{RestoreError, SeedError, StepError};

/// The result of a call. After each code except `FARM_CODE_OK`, `farm_error_text` returns an explanation.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FarmCode {
    /// The call succeeded.
    Ok = 0,
    /// A pointer is null, a text is not UTF-8, or a number or count is wrong.
    Argument = 1,
    /// The game does not exist or has problems. The text lists all of them, each with its place and its own code.
    Game = 2,
    /// An action id does not exist. Nothing was stepped.
    Action = 3,
    /// A seed is reserved for another split. No episode started.
    Seed = 4,
    /// An episode is over, a snapshot was rejected, or a step failed.
    State = 5,
    /// Memory or threads are missing.
    System = 6,
    /// A defect of the engine. Reset all environments before the next step, and report the defect.
    Defect = 7,
}

/// A code with its explanation.
#[derive(Debug)]
pub(crate) struct Error {
    code: FarmCode,
    text: String,
}

impl Error {
    pub(crate) fn new(code: FarmCode, text: impl Into<String>) -> Self {
        Self { code, text: text.into() }
    }

    pub(crate) fn argument(text: impl Into<String>) -> Self {
        Self::new(FarmCode::Argument, text)
    }

    fn of_step(error: &StepError, text: String) -> Self {
        match error {
            StepError::Seed(_) => Self::new(FarmCode::Seed, text),
            StepError::NoSuchAction { .. } => Self::new(FarmCode::Action, text),
            _ => Self::new(FarmCode::State, text),
        }
    }
}

impl From<VectorError> for Error {
    fn from(error: VectorError) -> Self {
        let text = error.to_string();
        match error {
            VectorError::Length { .. } | VectorError::NoSuchEnvironment { .. } => Self::argument(text),
            VectorError::NoSuchAction { .. } => Self::new(FarmCode::Action, text),
            VectorError::Step { error, .. } => Self::of_step(&error, text),
            _ => Self::new(FarmCode::State, text),
        }
    }
}

impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        let is_memory = problems.0.iter().any(|problem| problem.is(LimitError::OutOfMemory));
        Self::new(if is_memory { FarmCode::System } else { FarmCode::Game }, problems.to_string())
    }
}

impl From<RestoreError> for Error {
    fn from(error: RestoreError) -> Self {
        Self::new(FarmCode::State, error.to_string())
    }
}

impl From<SeedError> for Error {
    fn from(error: SeedError) -> Self {
        Self::new(FarmCode::Seed, error.to_string())
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::new(FarmCode::System, error.to_string())
    }
}

thread_local! {
    /// The text of this thread's last error.
    static LAST: RefCell<CString> = RefCell::default();
}

/// Calls `body`, and notes its error for `farm_error_text`. A panic in it becomes an error, so that it does not unwind into C.
pub(crate) fn guarded(body: impl FnOnce() -> Result<(), Error>) -> FarmCode {
    let Error { code, text } = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return FarmCode::Ok,
        Ok(Err(error)) => error,
        Err(panic) => Error::new(FarmCode::Defect, format!("a defect of the engine: {}", message(panic.as_ref()))),
    };
    // A text for C ends at its first zero byte.
    LAST.set(CString::new(text.replace('\0', "\\0")).unwrap_or_default());
    code
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// The text of this thread's last error. It is valid until this thread's next error.
pub(crate) fn last_text() -> *const c_char {
    LAST.with_borrow(|text| text.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        assert_eq!(guarded(|| panic!("plot {} has\0no soil", 3)), FarmCode::Defect);
        let text = LAST.with_borrow(|text| text.to_str().map(str::to_owned));
        assert_eq!(text.as_deref(), Ok("a defect of the engine: plot 3 has\\0no soil"));
    }
}
