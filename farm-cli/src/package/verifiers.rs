//! A taskset for verifiers: a Python package with tasks as JSON Lines, and with the environment that plays these tasks.

use farm_scaffold::{ScaffoldPlan, filled};

use super::arguments::{PackageArguments, module_name};
use super::tasks::Tasks;

const PYPROJECT: &str = include_str!("templates/verifiers/pyproject.toml.in");
const README: &str = include_str!("templates/verifiers/README.md.in");
const INIT: &str = include_str!("templates/verifiers/__init__.py");
const TASKSET: &str = include_str!("templates/verifiers/taskset.py");

/// The package's files.
///
/// # Errors
/// Fails if the game has errors.
pub(super) fn plan(package: &PackageArguments) -> anyhow::Result<ScaffoldPlan> {
    let tasks = package.tasks()?;
    let module = module_name(&package.game.game);
    let dist = module.replace('_', "-");
    let count = package.tasks.to_string();
    let values = [
        ("module", module.as_str()),
        ("dist", dist.as_str()),
        ("game", package.game.game.as_str()),
        ("tasks", count.as_str()),
        ("version", env!("CARGO_PKG_VERSION")),
    ];
    let mut plan = package.plan();
    let (out, code) = (&package.out, package.out.join(&module));
    plan.file(out.join("pyproject.toml"), filled(PYPROJECT, &values));
    plan.file(out.join("README.md"), filled(README, &values));
    plan.file(code.join("__init__.py"), INIT.to_owned());
    plan.file(code.join("taskset.py"), TASKSET.to_owned());
    plan.file(code.join("settings.json"), package.settings(&tasks));
    for (split, rows) in &tasks.splits {
        plan.file(code.join("tasks").join(format!("{}.jsonl", split.name())), Tasks::lines(rows));
    }
    if let Some(game) = &tasks.game {
        plan.file(code.join("game.yaml"), game.clone());
    }
    plan.next(format!("uv pip install -e {}", out.display()), "installs the taskset together with verifiers");
    plan.next(format!("uv run vf-eval {dist} -n 5"), "plays five of its tasks with a model");
    Ok(plan)
}
