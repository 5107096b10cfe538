//! A resources server for NeMo Gym: the folder `resources_servers/NAME`, with the server, its configuration and its tasks as JSON Lines.

use farm_scaffold::{ScaffoldPlan, filled};
use serde_json::{Value as Json, json};

use super::arguments::{PackageArguments, module_name};
use super::tasks::Tasks;

const PYPROJECT: &str = include_str!("templates/nemo_gym/pyproject.toml.in");
const README: &str = include_str!("templates/nemo_gym/README.md.in");
const CONFIG: &str = include_str!("templates/nemo_gym/config.yaml.in");
const REQUIREMENTS: &str = include_str!("templates/nemo_gym/requirements.txt.in");
const APP: &str = include_str!("templates/nemo_gym/app.py");
const TEST: &str = include_str!("templates/nemo_gym/test_app.py");

/// The number of examples that NeMo Gym expects per server. They are the first tasks in the training split.
const EXAMPLES: usize = 5;

/// The package's files.
///
/// # Errors
/// Fails if the game has errors.
pub(super) fn plan(package: &PackageArguments) -> anyhow::Result<ScaffoldPlan> {
    let tasks = package.tasks()?;
    let name = module_name(&package.game.game);
    let (count, turns) = (package.tasks.to_string(), tasks.max_turns.to_string());
    let values = [
        ("name", name.as_str()),
        ("game", package.game.game.as_str()),
        ("tasks", count.as_str()),
        ("turns", turns.as_str()),
        ("version", env!("CARGO_PKG_VERSION")),
    ];
    let mut plan = package.plan();
    let root = &package.out;
    let server = root.join("resources_servers").join(&name);
    plan.file(root.join("pyproject.toml"), filled(PYPROJECT, &values));
    plan.file(root.join("README.md"), filled(README, &values));
    plan.file(server.join("app.py"), APP.to_owned());
    plan.file(server.join("__init__.py"), String::new());
    plan.file(server.join("requirements.txt"), filled(REQUIREMENTS, &values));
    plan.file(server.join("configs").join(format!("{name}.yaml")), filled(CONFIG, &values));
    plan.file(server.join("settings.json"), package.settings(&tasks));
    plan.file(server.join("tests").join("__init__.py"), String::new());
    plan.file(server.join("tests").join("test_app.py"), TEST.to_owned());
    for (split, rows) in &tasks.splits {
        let rows: Vec<Json> = rows.iter().map(|row| data_row(row, &name)).collect();
        plan.file(server.join("data").join(format!("{}.jsonl", split.name())), Tasks::lines(&rows));
        if split.name() == "train" {
            let examples = &rows[..EXAMPLES.min(rows.len())];
            plan.file(server.join("data").join("example.jsonl"), Tasks::lines(examples));
        }
    }
    if let Some(game) = &tasks.game {
        plan.file(server.join("game.yaml"), game.clone());
    }
    plan.next(format!("cd {}", root.display()), "NeMo Gym looks for servers in its working folder");
    plan.next(format!("gym env start --resources-server {name} --model-type vllm_model"), "starts the servers");
    let files = format!("--input resources_servers/{name}/data/example.jsonl --output rollouts.jsonl");
    plan.next(format!("gym eval run --no-serve --agent {name}_agent {files}"), "plays the first worlds with a model");
    Ok(plan)
}

/// A task in NeMo Gym's format. The task's input is empty, because the server starts the conversation.
fn data_row(task: &Json, name: &str) -> Json {
    let mut row = json!({
        "responses_create_params": {"input": []},
        "agent_ref": {"type": "responses_api_agents", "name": format!("{name}_agent")},
    });
    if let (Some(row), Some(task)) = (row.as_object_mut(), task.as_object()) {
        row.extend(task.clone());
    }
    row
}
