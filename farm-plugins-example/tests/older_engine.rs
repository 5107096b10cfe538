//! A plugin that was built with another version of the engine is refused. Cargo builds that engine, which takes its time:
//! `cargo xtask test --scaffold` runs this.

#[path = "loaded/support.rs"]
#[allow(dead_code, reason = "the other tests use the rest of it")]
mod support;

use std::path::Path;
use std::process::Command;

use farm_core::plugin::LoadError;
use support::{built, folder, refused, says};

/// A plugin made with another version of the engine, by cargo and the real macro.
#[test]
fn a_plugin_built_with_another_version_of_the_engine_is_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let old = folder("old_engine");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let at = manifest.find("members = [").unwrap();
    let end = manifest.find("[workspace.package]").unwrap();
    let manifest =
        format!("{}members = [\"farm-core\", \"farm-macros\", \"old\"]\n\n{}", &manifest[..at], &manifest[end..]);
    let ours = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&ours));
    // Of the workspace, and of its crates where they need each other.
    write(&old.join("Cargo.toml"), &manifest.replace(&ours, "version = \"0.0.1\""));
    for name in ["farm-core", "farm-macros"] {
        copy(&root.join(name), &old.join(name));
    }
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).unwrap();
    if !old.join("Cargo.lock").is_file() {
        write(&old.join("Cargo.lock"), &lock);
    }
    write(
        &old.join("old/Cargo.toml"),
        "[package]\nname = \"old\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"cdylib\"]\n\
         [dependencies]\nfarm-core.workspace = true\n",
    );
    let source = std::fs::read_to_string(root.join("farm-plugins-example/examples/takes_names.rs")).unwrap();
    write(&old.join("old/src/lib.rs"), &source);
    // Other crates were built before, in the same way.
    let target = built().parent().unwrap().to_path_buf();
    let run = Command::new(env!("CARGO"))
        // Without optimisation of the engine, which takes a while and concerns nobody here.
        .args(["build", "--offline", "--quiet", "--config", "profile.dev.package.farm-core.opt-level=0"])
        .args(["--package", "old", "--target-dir"])
        .arg(&target)
        .args(built().ends_with("release").then_some("--release"))
        .current_dir(&old)
        .output()
        .expect("cargo");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let refused = refused(&built().join("old"));
    assert!(matches!(refused, LoadError::OtherBuild { .. }), "{refused}");
    says(&refused, &["`takes-names`", "it has `farm-core 0.0.1`, this program `farm-core "]);
}

/// Writes a file only if it says something else, so that cargo need not build again.
fn write(file: &Path, text: &str) {
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    if std::fs::read_to_string(file).ok().as_deref() != Some(text) {
        std::fs::write(file, text).unwrap();
    }
}

/// Copies the sources of a crate; what an earlier copy had and the crate has no more is taken away.
fn copy(from: &Path, to: &Path) {
    for old in std::fs::read_dir(to).into_iter().flatten().map(|entry| entry.unwrap()) {
        match (from.join(old.file_name()).exists(), old.path().is_dir()) {
            (true, _) => {}
            (false, true) => std::fs::remove_dir_all(old.path()).unwrap(),
            (false, false) => std::fs::remove_file(old.path()).unwrap(),
        }
    }
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        match path.is_dir() {
            true => copy(&path, &to.join(name)),
            false => write(&to.join(name), &std::fs::read_to_string(&path).unwrap()),
        }
    }
}
