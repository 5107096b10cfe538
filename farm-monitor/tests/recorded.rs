//! What happens in episodes, as rows and as files.

mod files;
mod rows;
mod support;
