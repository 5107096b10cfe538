//! Slips in what a game wants to be recorded.

use super::support::{Case, check, slip};

/// The base game with this list of monitors.
fn monitors(name: &'static str, list: &str) -> Case {
    slip(name, &[("\npolicies:\n", &format!("\nmonitoring:\n{list}\npolicies:\n"))])
}

#[test]
fn what_is_said_about_monitors() {
    check(
        "monitors",
        vec![
            monitors("misspelt entity of a monitor", "  - [Field-0, Soli-0, available_Water#L, sum]\n"),
            monitors("misspelt field of a monitor", "  - [Feild-0, Soil-0, available_Water#L, sum]\n"),
            monitors("misspelt variable of a monitor", "  - [Field-0, Soil-0, avialable_Water#L, sum]\n"),
            monitors("misspelt variable of a part of the farm", "  - ['', BasicScore-0, rewrad, value]\n"),
            monitors("misspelt function of a monitor", "  - [Field-0, Soil-0, available_Water#L, summ]\n"),
            monitors(
                "function of Python",
                "  - [Field-0, Soil-0, available_Water#L, 'lambda x: sum_value(x)', Water]\n",
            ),
            monitors("value of several values", "  - [Field-0, Soil-0, available_Water#L, value, Water]\n"),
            monitors("value of several values without a function", "  - [Field-0, Soil-0, available_Water#L]\n"),
            monitors("matrix of a single value", "  - [Field-0, Weather-0, day#int365, matrix]\n"),
            monitors("plot outside the field", "  - [Field-0, Plant-0, size#cm, [value, [2, 0]]]\n"),
            monitors("plot of a single value", "  - [Field-0, Weather-0, day#int365, [0, 0]]\n"),
            monitors("count of nothing", "  - [Field-0, Plant-0, stage, count]\n"),
            monitors("count of a misspelt word", "  - [Field-0, Plant-0, stage, [count, [daed]]]\n"),
            monitors("sum of one plot", "  - [Field-0, Soil-0, available_Water#L, [sum, [0, 0]]]\n"),
            monitors("sum of what is one of several words", "  - [Field-0, Plant-0, stage, sum]\n"),
            monitors("what is only computed when it is observed", "  - [Field-0, Weather-0, forecast, mean]\n"),
            monitors(
                "one such quantity",
                "  - {field: Field-0, entity: Weather-0, variable: forecast.rain_amount#mm.day-1, function: mean}\n",
            ),
            monitors("several variables of one name", "  - [Field-0, Weather-0, air_temperature, value]\n"),
            monitors("empty title", "  - [Field-0, Soil-0, available_Water#L, sum, '']\n"),
            monitors("range upside down", "  - [Field-0, Soil-0, available_Water#L, sum, Water, [10, 0]]\n"),
            monitors("range that is a word", "  - [Field-0, Soil-0, available_Water#L, sum, Water, automatic]\n"),
            monitors(
                "two monitors of one title",
                "  - [Field-0, Soil-0, available_Water#L, sum, Water]\n  - [Field-0, Soil-0, available_Water#L, mean, Water]\n",
            ),
            monitors(
                "misspelt key of a monitor",
                "  - {varable: [Field-0, Soil-0, available_Water#L], function: sum}\n",
            ),
            monitors("monitor without a variable", "  - {field: Field-0, entity: Soil-0, function: sum}\n"),
            monitors(
                "misspelt variable of a mapping",
                "  - {variable: [Field-0, Soil-0, avialable_Water#L], function: sum}\n",
            ),
            monitors("monitor that is a word", "  - available_Water#L\n"),
            monitors("monitor without a variable's name", "  - [Field-0, Soil-0]\n"),
            monitors("too long a monitor", "  - [Field-0, Plant-0, size#cm, ['(0, 0)'], value, Size, [0, 1], 7]\n"),
            monitors("monitors that are no list", "  Water: [Field-0, Soil-0, available_Water#L, sum]\n"),
            monitors("nothing below monitoring", "\n"),
        ],
    );
}
