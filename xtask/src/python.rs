//! Tests the Python package in virtual environments below `target/`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use xtask::target;

use crate::run::{Log, program, run};

/// The oldest Python that the package supports, as in `pyproject.toml`.
const OLDEST: (u32, u32) = (3, 10);

/// The package's build tool, as in `pyproject.toml`.
const MATURIN: &str = "maturin>=1.16,<2";

/// The formatter and linter of the Python files.
const RUFF: &str = "ruff>=0.17,<0.18";

/// Checks the format of all Python files, and lints them by the rules in `pyproject.toml`.
pub(crate) fn lints(root: &Path) -> anyhow::Result<()> {
    let environment = Environment::at(root, "ruff")?;
    environment.python(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check", RUFF])?;
    environment.python(&["-m", "ruff", "format", "--quiet", "--check", "."])?;
    environment.python(&["-m", "ruff", "check", "--quiet", "--output-format", "concise", "."])
}

/// Builds the package once and runs its tests. All tests run with the newest Gymnasium, Stable-Baselines3 and our own learners on small
/// games. Then the tests that use Gymnasium run with its oldest supported version. The crates' tests must have run before.
pub(crate) fn test(root: &Path, log: &mut Log) -> anyhow::Result<()> {
    let wheel = log.step("build the Python package", |_| wheel(root))?;
    let wheel = wheel.to_string_lossy();
    // Some tests compare the output of the package with that of the program, which the tests of all crates have built.
    let program = program("debug", "farm");

    let newest = Environment::at(root, "python")?;
    log.step("install the packages for the Python tests", |_| {
        newest.install(&[TESTS, STABLE_BASELINES].concat(), &wheel)
    })?;
    log.step("tests of the Python package", |log| {
        log.tests(newest.command(&PYTEST_ON_ALL_CORES).env("FARM_GYM_COMMAND", &program))
    })?;
    log.step("learners in Python", |log| {
        log.tests(&mut newest.command(&[&PYTEST_ON_ALL_CORES[..], &OWN_LEARNERS, &OTHERS_MAY_WARN].concat()))
    })?;

    let oldest = Environment::at(root, "oldest")?;
    log.step("install the oldest Gymnasium", |_| oldest.install(&[TESTS, &[OLDEST_GYMNASIUM]].concat(), &wheel))?;
    log.step("tests with the oldest Gymnasium", |log| {
        log.tests(&mut oldest.command(&[&PYTEST_ON_ALL_CORES[..], &TESTS_OF_GYMNASIUM].concat()))
    })
}

/// Builds the package for an interpreter without a global lock, and runs the thread tests there. The package's bindings require at least
/// Python 3.14. Without such an interpreter, adds a line to `missing`.
pub(crate) fn free_threaded(root: &Path, log: &mut Log, missing: &mut Vec<String>) -> anyhow::Result<()> {
    let Some(python) = without_lock() else {
        missing.push(format!("free-threaded Python: set {FREE_THREADED} to a Python such as python3.14t"));
        return Ok(());
    };
    let environment = Environment::of(root, "free-threaded", &python)?;
    environment.python(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check", MATURIN, "pytest>=8"])?;
    environment.python(&["-m", "maturin", "develop", "--quiet"])?;
    log.step("free-threaded Python", |log| {
        log.tests(&mut environment.command(&[&["-m", "pytest", "-q"], FREE_THREADED_TESTS].concat()))
    })
}

/// Packs the sources of the Python package, installs it from them in an empty environment, and plays with it.
///
/// # Errors
/// A command fails, or the package has no file.
pub(crate) fn source_package(root: &Path, log: &mut Log) -> anyhow::Result<()> {
    let maturin = Environment::at(root, "maturin")?;
    maturin.python(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check", MATURIN])?;
    let packed = maturin.folder.with_file_name("source-package");
    let clean = maturin.folder.with_file_name("from-source");
    for folder in [&packed, &clean] {
        if folder.exists() {
            std::fs::remove_dir_all(folder).with_context(|| format!("{} can't be emptied", folder.display()))?;
        }
    }
    log.step("pack the sources of the Python package", |_| {
        maturin.python(&["-m", "maturin", "sdist", "--quiet", "--out", &packed.to_string_lossy()])
    })?;
    let mut files = std::fs::read_dir(&packed).with_context(|| format!("{} can't be read", packed.display()))?;
    let file = files.next().context("maturin has packed no sources")??.path();
    let environment = Environment::at(root, "from-source")?;
    log.step("install the Python package from its sources", |_| {
        environment.python(&[
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            &file.to_string_lossy(),
        ])?;
        let mut played = environment.command(&["-m", "farm_gym", "run", "backwards_valley", "--policy", "wait"]);
        // Outside the checkout, whose folders have the same names.
        run(played.current_dir(&packed))
    })
}

/// Finds a Python without a global lock: from the variable, or on the path under one of its usual names.
fn without_lock() -> Option<OsString> {
    let named = std::env::var_os(FREE_THREADED);
    let usual = ["python3.15t", "python3.14t"].map(OsString::from);
    named.into_iter().chain(usual).find(|python| {
        let script = "import sysconfig; print(sysconfig.get_config_var('Py_GIL_DISABLED'))";
        let output = Command::new(python).args(["-c", script]).stderr(Stdio::null()).output();
        output.is_ok_and(|output| output.stdout.trim_ascii() == b"1")
    })
}

/// The environment variable that names a Python without a global lock.
const FREE_THREADED: &str = "FARM_GYM_FREE_THREADED_PYTHON";
/// The thread tests; the other tests need packages that may not exist for such a Python.
const FREE_THREADED_TESTS: &[&str] = &[
    "farm-python/tests/test_free_threading.py",
    "farm-python/tests/test_packaging.py",
    "farm-python/tests/test_fork.py",
];

/// The package's `test` extra, as in `pyproject.toml`.
const TESTS: &[&str] = &[
    "pytest>=8",
    "pytest-xdist>=3.6",
    "mypy>=1.15",
    "pandas>=2",
    "pyarrow>=17",
    "tensorboard>=2.18",
    "pygame-ce>=2.5",
    "moviepy>=2",
    "pillow>=10",
    "imageio-ffmpeg>=0.5",
];

/// Keeps the tests in one file together, because they share slow fixtures, and lists the slowest tests.
const PYTEST_ON_ALL_CORES: [&str; 7] =
    ["-m", "pytest", "-q", "--numprocesses=auto", "--dist=loadfile", "--max-worker-restart=0", "--durations=12"];

/// The packages for learners, which include PyTorch; the same as in the package's `train` extra.
const STABLE_BASELINES: &[&str] =
    &["gymnasium==1.4.*", "stable-baselines3>=2.9,<3", "sb3-contrib>=2.9,<3", "psutil", "jsonschema>=4"];
/// The oldest Gymnasium that trainers still require; the package supports all 1.2 releases.
const OLDEST_GYMNASIUM: &str = "gymnasium==1.2.2";
/// The tests that use Gymnasium: its checkers, spaces, vectors and wrappers.
const TESTS_OF_GYMNASIUM: [&str; 6] = [
    "farm-python/tests/test_env.py",
    "farm-python/tests/test_recording.py",
    "farm-python/tests/test_spaces.py",
    "farm-python/tests/test_text_env.py",
    "farm-python/tests/test_vector.py",
    "farm-python/tests/test_wrappers.py",
];
/// The project's learners, and Stable-Baselines3, on one small game.
const OWN_LEARNERS: [&str; 5] = [
    "farm-python/tests/learners/test_train.py",
    "farm-python/tests/learners/test_vector_ppo.py",
    "farm-python/tests/learners/test_data_loader.py",
    "farm-python/tests/learners/test_stable_baselines.py::test_maskable_ppo_takes_no_action_that_is_masked",
    "farm-python/tests/learners/test_stable_baselines.py::test_the_same_seed_learns_the_same",
];
/// Third-party libraries may warn; a warning is an error only in the package's own tests.
const OTHERS_MAY_WARN: [&str; 2] = ["-o", "filterwarnings=default"];
/// Language-model trainers; the tests use their registries and tool parsers without a model.
const TEXT_TRAINERS: &[&str] = &["gem-llm>=0.1,<0.2", "skyrl-gym>=0.4,<0.5", "transformers>=5.2,<6"];
/// The packages for data sets: the package's `data` extra, as in `pyproject.toml`.
const DATA: &[&str] = &["minari[hdf5]>=0.5.3,<0.6", "mlcroissant>=1,<2"];
/// RLlib pins its own Gymnasium version, which is the oldest version that the package supports. Ray itself is the package's `cluster`
/// extra.
const RLLIB: &[&str] = &["ray[rllib]>=2.60,<3", "gymnasium==1.2.2", "torch"];
/// The parts of PufferLib 3 that step environments. It pins one PyTorch release, and has wheels for only a few Python versions.
const PUFFERLIB: &[&str] = &["--no-deps", "--only-binary=:all:", "pufferlib-core==3.0.23"];
/// Trainers that use packages of games. Each has a separate environment, because their dependencies conflict.
const PACKAGE_TRAINERS: [(&str, &str); 2] =
    [("verifiers", "verifiers[openenv]>=0.4,<0.5"), ("nemo-gym", "nemo-gym>=0.4,<0.5")];
const PACKAGE_TESTS: &str = "farm-python/tests/learners/test_packages.py";
/// A trainer that plays games from `farm serve` with OpenEnv's client. The verifiers trainer does the same.
const TRL: &[&str] = &["trl>=1.16,<2", "transformers>=5.2,<6", "openenv>=0.10,<0.11", "pytest>=8"];
const SERVED_TRAINERS_TESTS: &str = "farm-python/tests/learners/test_served_trainers.py";
/// The clients for `farm serve`. OpenEnv needs an older release of the protocol's package than the protocol's newest clients.
const OPENENV: &[&str] = &["openenv>=0.10,<0.11", "pytest>=8"];
const MCP: &[&str] = &["mcp>=2.3,<3", "fastmcp>=4.1,<5", "pytest>=8"];
const SERVED_TESTS: &str = "farm-python/tests/learners/test_served.py";
const LEARNERS: &str = "farm-python/tests/learners";
/// The tests that need Ray.
const RAY_TESTS: [&str; 2] = ["farm-python/tests/learners/test_rllib.py", "farm-python/tests/learners/test_cluster.py"];

/// Installs the package with third-party trainers and clients, and plays with them. Returns their versions.
pub(crate) fn interop(root: &Path, log: &mut Log) -> anyhow::Result<String> {
    let wheel = log.step("build the Python package", |_| wheel(root))?;
    let wheel = wheel.to_string_lossy();
    let mut versions = Vec::new();
    let pytest = |environment: &Environment<'_>, tests: &[&str]| {
        environment.command(&[&["-m", "pytest", "-q"], tests, &OTHERS_MAY_WARN].concat())
    };

    let learners = Environment::at(root, "learners")?;
    log.step("install learners", |_| {
        let packages = [STABLE_BASELINES, DATA, TEXT_TRAINERS, &["pytest>=8", "tensorboard>=2.18"]];
        learners.install(&packages.concat(), &wheel)?;
        if learners.uv(&[&["pip", "install", "--quiet"], PUFFERLIB].concat()).is_err() {
            eprintln!("SKIPPED PufferLib: it has no wheel for this Python");
        }
        Ok(())
    })?;
    log.step("Stable-Baselines3, PufferLib, Minari, GEM, SkyRL", |log| {
        let without_ray = RAY_TESTS.iter().flat_map(|tests| ["--ignore", tests]);
        let tests: Vec<&str> = std::iter::once(LEARNERS).chain(without_ray).collect();
        log.tests(&mut pytest(&learners, &tests))
    })?;
    versions.extend(learners.versions(&["stable-baselines3", "pufferlib-core", "minari", "gem-llm", "skyrl-gym"])?);

    for (trainer, package) in PACKAGE_TRAINERS {
        let environment = Environment::at(root, trainer)?;
        if environment.install(&[package, "pytest>=8", "gymnasium>=1.2,<2"], &wheel).is_err() {
            eprintln!("SKIPPED {trainer}: it can't be installed for this Python");
            continue;
        }
        log.step(trainer, |log| log.tests(&mut pytest(&environment, &[PACKAGE_TESTS, SERVED_TRAINERS_TESTS])))?;
        versions.extend(environment.versions(&[trainer])?);
    }
    for (name, clients, tests) in
        [("openenv", OPENENV, SERVED_TESTS), ("mcp", MCP, SERVED_TESTS), ("trl", TRL, SERVED_TRAINERS_TESTS)]
    {
        let served = Environment::at(root, name)?;
        served.install(clients, &wheel)?;
        log.step(name, |log| log.tests(&mut pytest(&served, &[tests])))?;
        versions.extend(served.versions(&[name])?);
    }

    let rllib = Environment::at(root, "rllib")?;
    rllib.install(&[RLLIB, TESTS].concat(), &wheel)?;
    log.step("RLlib", |log| log.tests(&mut pytest(&rllib, &RAY_TESTS)))?;
    versions.extend(rllib.versions(&["ray"])?);
    Ok(versions.join(" "))
}

/// Builds a wheel in the same profile as the other tests. A learner's own step takes 100 times as long as the engine's step, so a release
/// build would take minutes to save seconds.
fn wheel(root: &Path) -> anyhow::Result<PathBuf> {
    let environment = Environment::at(root, "maturin")?;
    environment.python(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check", MATURIN])?;
    let folder = environment.folder.with_file_name("wheels");
    // Removes wheels of older versions, which could be mistaken for this one.
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("{} can't be emptied", folder.display()))?;
    }
    environment.python(&["-m", "maturin", "build", "--quiet", "--out", &folder.to_string_lossy()])?;
    let entries = std::fs::read_dir(&folder).with_context(|| format!("{} can't be read", folder.display()))?;
    let mut wheels =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.extension() == Some("whl".as_ref()));
    let wheel = wheels.next().with_context(|| format!("maturin has written no wheel to {}", folder.display()))?;
    if !wheel.to_string_lossy().contains(ONE_FOR_ALL) {
        bail!(
            "{} is not for all Python versions from {}.{} on: `{ONE_FOR_ALL}` is missing",
            wheel.display(),
            OLDEST.0,
            OLDEST.1
        );
    }
    Ok(wheel)
}

/// The part of a wheel's name that shows that the wheel fits all Python versions from the oldest supported one.
const ONE_FOR_ALL: &str = "-cp310-abi3-";

/// A virtual environment.
struct Environment<'a> {
    root: &'a Path,
    folder: PathBuf,
}

impl<'a> Environment<'a> {
    /// The environment with this name; it is created if it is missing.
    fn at(root: &'a Path, name: &str) -> anyhow::Result<Self> {
        Self::of(root, name, &interpreter()?)
    }

    /// The environment with this name and interpreter.
    fn of(root: &'a Path, name: &str, python: &OsStr) -> anyhow::Result<Self> {
        let environment = Self { root, folder: target(root).join("venv").join(name) };
        if !environment.interpreter().exists() {
            let mut command = Command::new(python);
            command.args(["-m", "venv"]).arg(&environment.folder);
            run(&mut command).context("Python has no module `venv`; Debian has it as python3-venv")?;
        }
        Ok(environment)
    }

    fn interpreter(&self) -> PathBuf {
        let (folder, name) = if cfg!(windows) { ("Scripts", "python.exe") } else { ("bin", "python") };
        self.folder.join(folder).join(name)
    }

    /// Installs packages and the current wheel with `uv`, which takes half a minute where pip takes several minutes.
    fn install(&self, packages: &[&str], wheel: &str) -> anyhow::Result<()> {
        self.python(&["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"])?;
        self.uv(&[
            &["pip", "install", "--quiet", "--link-mode=hardlink", "--reinstall-package", "farm-gym", wheel],
            packages,
        ]
        .concat())
    }

    /// Runs `uv` with its usual cache, so that environments and clones share the files of common packages, such as PyTorch.
    fn uv(&self, arguments: &[&str]) -> anyhow::Result<()> {
        run(&mut self.command(&[&["-m", "uv"], arguments].concat()))
    }

    /// The names and versions of the installed packages among `packages`.
    fn versions(&self, packages: &[&str]) -> anyhow::Result<Vec<String>> {
        let script = "import importlib.metadata as m, sys\nfor name in sys.argv[1:]:\n  try: print(name, m.version(name))\n  except m.PackageNotFoundError: pass";
        let output = self.command(&[&["-c", script], packages].concat()).output().context("Python can't be started")?;
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }

    fn python(&self, arguments: &[&str]) -> anyhow::Result<()> {
        run(&mut self.command(arguments))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.interpreter());
        command.args(arguments).current_dir(self.root).env("VIRTUAL_ENV", &self.folder);
        command
    }
}

/// The Python that creates environments: `$PYTHON`, or `python3`.
fn interpreter() -> anyhow::Result<OsString> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let shown = python.to_string_lossy().into_owned();
    let wanted = format!("the tests of the Python package need Python {}.{} or newer", OLDEST.0, OLDEST.1);
    let script = "import sys; print(*sys.version_info[:2])";
    let output = Command::new(&python).args(["-c", script]).stderr(Stdio::inherit()).output();
    let output =
        output.with_context(|| format!("{wanted}, and `{shown}` can't be started; set PYTHON to another one"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
    match (numbers.next(), numbers.next()) {
        (Some(major), Some(minor)) if (major, minor) >= OLDEST => Ok(python),
        (Some(major), Some(minor)) => bail!("{wanted}, and `{shown}` is {major}.{minor}; set PYTHON to another one"),
        _ => bail!("{wanted}, and `{shown}` does not report its version; set PYTHON to another one"),
    }
}
