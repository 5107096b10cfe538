//! Commands that this build leaves out. The help lists each command with the feature that adds it, and so does its error.

/// Modules with the arguments and the function of each command that needs a feature.
macro_rules! left_out {
    ($feature:literal: $($module:ident { $($command:literal: $arguments:ident, $execute:ident($($more:ty)?);)+ })+) => {$(
        pub(crate) mod $module {$(
            #[derive(Debug, clap::Args)]
            #[command(about = concat!("Left out of this program: build it with `--features ", $feature, "`"), disable_help_flag = true)]
            pub(crate) struct $arguments {
                #[allow(dead_code, reason = "the command that would read them is left out")]
                #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
                words: Vec<std::ffi::OsString>,
            }

            pub(crate) fn $execute(_: &$arguments $(, _: $more)?) -> anyhow::Result<std::process::ExitCode> {
                Err(farm_output::OutputError::LeftOut { what: concat!("`farm ", $command, "`"), feature: $feature }.into())
            }
        )+}
    )+};
}

#[cfg(not(feature = "agents"))]
left_out! {
    "agents":
    text_agents { "agents": Arguments, execute(); }
}

#[cfg(not(feature = "authoring"))]
left_out! {
    "authoring":
    complete {
        "completions": CompletionArguments, completions(clap::Command);
        "man": ManArguments, man(clap::Command);
    }
    new {
        "new-game": NewGameArguments, game();
        "new-plugin": NewPluginArguments, crate_of_plugin();
    }
    schema { "schema": Arguments, execute(); }
    template { "template": Arguments, execute(); }
}

#[cfg(not(feature = "experiments"))]
left_out! {
    "experiments":
    eval { "eval": Arguments, execute(); }
    oracle { "oracle": Arguments, execute(); }
    plan { "plan": Arguments, execute(); }
    results { "results": Arguments, execute(); }
    study { "study": Arguments, execute(Option<&dyn farm_core::RemoteExecutor>); }
    trials { "trials": Arguments, execute(); }
    tune { "tune": Arguments, execute(Option<&dyn farm_core::RemoteExecutor>); }
}

#[cfg(not(feature = "play"))]
left_out! {
    "play":
    play { "play": Arguments, execute(); }
    replay { "replay": Arguments, execute(); }
}

#[cfg(not(feature = "serve"))]
left_out! {
    "serve":
    serve { "serve": Arguments, execute(); }
}

#[cfg(all(feature = "agents", not(feature = "serve")))]
left_out! {
    "serve":
    mcp { "agents mcp": Arguments, execute(); }
}

#[cfg(all(test, not(feature = "play")))]
mod tests {
    use clap::Parser;

    use crate::commands::Cli;

    #[test]
    fn a_command_that_is_left_out_says_which_feature_adds_it() {
        for (words, feature) in [("play GAME --seed 7", "play"), ("replay --help", "play")] {
            let cli = Cli::try_parse_from(["farm"].into_iter().chain(words.split(' '))).unwrap();
            let error = cli.command.execute(None).unwrap_err().to_string();
            assert!(error.contains(&format!("--features {feature}")), "{error}");
        }
    }
}
