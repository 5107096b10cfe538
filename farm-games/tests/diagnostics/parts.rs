//! Slips in the parts of a game: names of kinds, parameter sets and parameters, and their values.

use super::support::{check, slip};

#[test]
fn what_is_said_about_parts() {
    check(
        "parts",
        vec![
            slip("misspelt entity", &[("- Plant: bean", "- Plnat: bean")]),
            slip("entity unlike any other", &[("- Plant: bean", "- Greenhouse: bean")]),
            slip("entity that is a Python class", &[("- Plant: bean", "- python: mypkg.slugs:Slugs")]),
            slip("misspelt parameter set", &[("- Soil: clay", "- Soil: caly")]),
            slip(
                "parameter set of a kind that has none",
                &[("BasicFarmer: {max_daily_interventions: 2}", "BasicFarmer: busy")],
            ),
            slip("misspelt parameter", &[("- Soil: clay", "- Soil: {base: clay, dephth#m: 1}")]),
            slip(
                "misspelt parameter in a group",
                &[("- Plant: bean", "- Plant: {base: bean, grow: {rate: {rate_mni: 0.1}}}")],
            ),
            slip("wrong unit", &[("- Soil: clay", "- Soil: {base: clay, depth#cm: 100}")]),
            slip("missing unit", &[("- Soil: clay", "- Soil: {base: clay, depth: 1}")]),
            slip("value out of range", &[("- Soil: clay", "- Soil: {base: clay, depth#m: -1}")]),
            slip("text instead of a number", &[("- Soil: clay", "- Soil: {base: clay, depth#m: deep}")]),
            slip("number in quotes", &[("- Soil: clay", "- Soil: {base: clay, depth#m: '1'}")]),
            slip("decimal comma", &[("altitude#m: 27", "altitude#m: 27,5")]),
            slip("number with its unit", &[("altitude#m: 27", "altitude#m: 27 m")]),
            slip("list instead of a parameter set", &[("- Weather: montpellier", "- Weather: [montpellier]")]),
            slip("not a number", &[("- Soil: clay", "- Soil: {base: clay, depth#m: .nan}")]),
            slip("number larger than any", &[("- Soil: clay", "- Soil: {base: clay, depth#m: 1e999}")]),
            slip("fraction where things are counted", &[("length#nb: 2", "length#nb: 1.5")]),
            slip("flag in other words", &[("- Soil: clay", "- Soil: {base: clay, drainage: yes}")]),
            slip("misspelt choice", &[("- Soil: clay", "- Soil: {base: clay, leaching: corected}")]),
            slip(
                "interval upside down",
                &[("- Plant: bean", "- Plant: {base: bean, seed: {sprout_humidity#%: [80, 20]}}")],
            ),
            slip(
                "parameters that do not fit each other",
                &[("- Soil: clay", "- Soil: {base: clay, wilting_point#L.m-3: 500}")],
            ),
            slip(
                "parameters that the equations do not read",
                &[("- Soil: clay", "- Soil: {base: clay, equations: agronomic, depth#m: 1, drainage: true}")],
            ),
            slip("missing table of weather", &[("- Weather: montpellier", "- Weather: {file: weather/nowhere.csv}")]),
            slip("misspelt farmer", &[("BasicFarmer", "BasicFramer")]),
            slip(
                "permission for a field that is not there",
                &[("max_daily_interventions: 2", "permissions: {Feild-0: {can_intervene: false}}")],
            ),
            slip("misspelt rule", &[("  BasicRule:", "  BasicRlue:")]),
            slip("misspelt score", &[("  BasicScore:", "  BasicScroe:")]),
            slip("misspelt policy", &[("WaitPolicy", "WiatPolicy")]),
            slip("entity as a text of two words", &[("- Plant: bean", "- Plant bean")]),
            slip("two kinds in one entry", &[("- Plant: bean", "- Plant: bean\n        Birds: few")]),
        ],
    );
}
