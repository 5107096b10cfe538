//! Tests of the Python package, in a virtual environment of its own below `target/`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// The oldest Python that the package supports, as `pyproject.toml` says.
const OLDEST: (u32, u32) = (3, 10);

/// Builds the package as users get it, without optimisation, installs it and runs its tests.
pub fn test(root: &Path) -> anyhow::Result<()> {
    let environment = Environment::at(root, "python")?;
    environment.python(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "maturin>=1.9,<2"])?;
    environment.python(&["-m", "maturin", "develop", "--quiet", "--extras", "test"])?;
    environment.python(&["-m", "pytest", "-q"])
}

/// A virtual environment.
struct Environment<'a> {
    root: &'a Path,
    folder: PathBuf,
}

impl<'a> Environment<'a> {
    /// The environment of this name, made if it is not there.
    fn at(root: &'a Path, name: &str) -> anyhow::Result<Self> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let environment = Self { root, folder: root.join(target).join("venv").join(name) };
        if !environment.interpreter().exists() {
            let python = interpreter()?;
            let mut command = Command::new(&python);
            command.args(["-m", "venv"]).arg(&environment.folder);
            super::run(&mut command).context("Python has no module `venv`; Debian has it as python3-venv")?;
        }
        Ok(environment)
    }

    fn interpreter(&self) -> PathBuf {
        let (folder, name) = if cfg!(windows) { ("Scripts", "python.exe") } else { ("bin", "python") };
        self.folder.join(folder).join(name)
    }

    fn python(&self, arguments: &[&str]) -> anyhow::Result<()> {
        let mut command = Command::new(self.interpreter());
        command.args(arguments).current_dir(self.root).env("VIRTUAL_ENV", &self.folder);
        super::run(&mut command)
    }
}

/// The Python to make environments with: `$PYTHON`, or `python3`.
fn interpreter() -> anyhow::Result<OsString> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let shown = python.to_string_lossy().into_owned();
    let wanted = format!("the tests of the Python package need Python {}.{} or newer", OLDEST.0, OLDEST.1);
    let script = "import sys; print(*sys.version_info[:2])";
    let output = Command::new(&python).args(["-c", script]).stderr(Stdio::inherit()).output();
    let output =
        output.with_context(|| format!("{wanted}, and `{shown}` can't be started; PYTHON names another one"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) if (major, minor) >= OLDEST => Ok(python),
        (Some(major), Some(minor)) => bail!("{wanted}, and `{shown}` is {major}.{minor}; PYTHON names another one"),
        _ => bail!("{wanted}, and `{shown}` does not say which it is; PYTHON names another one"),
    }
}
