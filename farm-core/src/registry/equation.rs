//! The functions that implement equations of the Farm-gym paper and of the equation sheet.

/// A function that implements equations. The attribute [`equation`](macro@crate::equation) adds it.
#[derive(Debug, farm_macros::Getters)]
pub struct Equation {
    /// The numbers in the paper, such as `23`, or for equations without a number a section of the equation sheet and a name, such as
    /// `II.4 step 7: evaporation`.
    pub(crate) equations: &'static [&'static str],
    /// The function's name.
    pub(crate) function: &'static str,
    /// The source file, from the top of the repository.
    pub(crate) file: &'static str,
    /// The line in the file, from 1.
    pub(crate) line: u32,
}

impl Equation {
    /// A function in a file. The attribute [`equation`](macro@crate::equation) writes this call.
    #[must_use]
    pub const fn new(
        equations: &'static [&'static str],
        function: &'static str,
        file: &'static str,
        line: u32,
    ) -> Self {
        Self { equations, function, file, line }
    }

    /// All functions in the program that implement equations, in the order of their files and lines.
    #[must_use]
    pub fn all() -> Vec<&'static Self> {
        let mut all: Vec<&Self> = inventory::iter::<Self>.into_iter().collect();
        all.sort_unstable_by_key(|equation| (equation.file, equation.line));
        all
    }
}

inventory::collect!(Equation);
