//! The program that sits the exam.

/// The program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examinee {
    /// The program and its arguments. The exam starts it for each rule.
    pub command: Vec<String>,
    /// The path of its address for callbacks; `/` in general.
    pub path: String,
}
