//! Several slips in one file: all are told in one pass, in the order of the file, and nothing that only follows from them.

use super::support::{check, slip};

#[test]
fn what_is_said_about_several_slips() {
    check(
        "several",
        vec![
            slip(
                "slips in every part of the game",
                &[
                    ("altitude#m: 27", "altitude#m: 27000"),
                    ("- Soil: clay", "- Soil: {base: clay, dephth#m: 1}"),
                    ("- Plant: bean", "- Plnat: baen"),
                    ("[110, 120]", "[110, 400]"),
                    ("Soil-0, available_Water#L]\n", "Soil-0, avialable_Water#L]\n"),
                    ("          harvest:", "          harvset:"),
                    ("of: [dead]", "of: [daed]"),
                    ("    max_steps: 250", "    max_steps: lots"),
                    ("water_discrete: 0.02", "water_discreet: 0.02"),
                    ("WaitPolicy", "WiatPolicy"),
                ],
            ),
            slip("missing part that much depends on", &[("- Weather: montpellier", "- Climate: montpellier")]),
            slip(
                "three slips in one condition",
                &[(
                    "function: fraction, of: [dead], operator: '>=', ref_value: 1}",
                    "function: fractoin, of: [dead], operator: '=>', ref_value: all}",
                )],
            ),
        ],
    );
}
