//! The table of names that the reference, or an older version of it, spells differently.
//!
//! Names that differ only in unit, case or underscores need no entry: `rain_amount` is `rain_amount#mm.day-1`. The names come from three
//! versions of the public Farm-gym reference (2022 to 2024, BSD-3) and from the paper's examples.

use crate::notes::Meaning;

/// The kind of thing that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// A kind of entity.
    Kind,
    /// A parameter set of a kind.
    Set,
    /// A variable of a kind, or one step in its name.
    Variable,
    /// An action of a kind.
    Action,
    /// A word that is the value of a kind's variable.
    Value,
    /// A weight in the score.
    Weight,
}

/// An alternative spelling.
#[derive(Debug)]
pub struct Spelling {
    /// The kind of thing that the name refers to.
    pub named: Named,
    /// The kind that the name belongs to; empty for all.
    pub of: &'static str,
    /// The name in reference files, without unit, case and underscores.
    pub from: &'static str,
    /// The name in this project.
    pub to: &'static str,
    /// How close the meaning is.
    pub meaning: Meaning,
}

const fn line(named: Named, of: &'static str, from: &'static str, to: &'static str, meaning: Meaning) -> Spelling {
    Spelling { named, of, from, to, meaning }
}

/// All alternative spellings.
pub const SPELLINGS: &[Spelling] = &[
    line(Named::Kind, "", "facilities", "Facility", Meaning::Same),
    line(Named::Kind, "", "cides", "Cide", Meaning::Same),
    line(Named::Kind, "", "fertilizers", "Fertilizer", Meaning::Same),
    line(Named::Kind, "", "fertiliser", "Fertilizer", Meaning::Same),
    line(Named::Kind, "", "plants", "Plant", Meaning::Same),
    line(Named::Kind, "", "pest", "Pests", Meaning::Same),
    line(Named::Kind, "", "weed", "Weeds", Meaning::Same),
    line(Named::Kind, "", "bird", "Birds", Meaning::Same),
    line(Named::Kind, "", "pollinator", "Pollinators", Meaning::Same),
    line(Named::Set, "Pests", "agressive", "aggressive", Meaning::Same),
    line(Named::Set, "Weather", "constantdry", "dry", Meaning::Near("the same warm day without rain every day")),
    line(Named::Set, "Weather", "constantdryhot", "dry_hot", Meaning::Near("the same hot day without rain every day")),
    line(Named::Set, "Weather", "dryhot", "dry_hot", Meaning::Same),
    line(Named::Set, "Weather", "constantrain", "rainy", Meaning::Near("the same cool day with rain every day")),
    line(Named::Variable, "Weather", "humidityindex", "humidity#%", Meaning::Near("relative humidity in percent")),
    line(
        Named::Variable,
        "Weather",
        "sunexposure",
        "clouds#%",
        Meaning::Near("clouds in percent: more clouds mean less sun"),
    ),
    line(Named::Variable, "Weather", "windspeed", "wind.speed#km.h-1", Meaning::Same),
    line(Named::Variable, "Weather", "winddirection", "wind.direction#°", Meaning::Same),
    line(Named::Variable, "Weather", "temperature", "air_temperature", Meaning::Same),
    line(Named::Variable, "Pests", "population", "plot_population#nb", Meaning::Same),
    line(Named::Variable, "Weeds", "population", "grow#nb", Meaning::Same),
    line(Named::Variable, "Plant", "nutrientsn", "cumulated_nutrients_N#g", Meaning::Same),
    line(Named::Variable, "Plant", "nutrientsp", "cumulated_nutrients_P#g", Meaning::Same),
    line(Named::Variable, "Plant", "nutrientsk", "cumulated_nutrients_K#g", Meaning::Same),
    line(Named::Variable, "Plant", "nutrientsc", "cumulated_nutrients_C#g", Meaning::Same),
    line(Named::Action, "Soil", "wateringdiscrete", "water_discrete", Meaning::Same),
    line(Named::Action, "Soil", "wateringcontinuous", "water_continuous", Meaning::Same),
    line(Named::Action, "Soil", "watering", "water_discrete", Meaning::Same),
    line(Named::Action, "Soil", "water", "water_discrete", Meaning::Same),
    line(Named::Action, "Plant", "sowing", "sow", Meaning::Same),
    line(Named::Action, "Plant", "harvesting", "harvest", Meaning::Same),
    line(Named::Action, "Plant", "microharvesting", "micro_harvest", Meaning::Same),
    line(Named::Action, "Plant", "removing", "remove", Meaning::Same),
    line(Named::Action, "Weeds", "removing", "remove", Meaning::Same),
    line(Named::Action, "Weeds", "removeweeds", "remove", Meaning::Same),
    line(Named::Action, "Fertilizer", "scattering", "scatter", Meaning::Same),
    line(Named::Action, "Fertilizer", "scatteringbag", "scatter_bag", Meaning::Same),
    line(Named::Action, "Fertilizer", "fertilizing", "scatter", Meaning::Same),
    line(Named::Action, "Cide", "scattering", "scatter", Meaning::Same),
    line(Named::Action, "Cide", "scatteringbag", "scatter_bag", Meaning::Same),
    line(Named::Action, "Facility", "addscarecrow", "put_scarecrow", Meaning::Same),
    // The reference has a separate word for the first day of a stage.
    line(Named::Value, "Plant", "enteredgrow", "grow", Meaning::Same),
    line(Named::Value, "Plant", "enteredbloom", "bloom", Meaning::Same),
    line(Named::Value, "Plant", "enteredfruit", "fruit", Meaning::Same),
    line(Named::Value, "Plant", "enteredripe", "ripe", Meaning::Same),
    line(Named::Value, "Plant", "enteredseed", "seed", Meaning::Same),
    line(
        Named::Weight,
        "",
        "weightstagetransition",
        "stage_transition",
        Meaning::Near("computed by plot, as a share of the plots"),
    ),
    line(
        Named::Weight,
        "",
        "weightharvest",
        "yield#kg",
        Meaning::Near("in kilograms: a weight of 1 per gram becomes 1000"),
    ),
    line(Named::Weight, "", "weightstagecount", "plant", Meaning::Near("progress of the plants, 0 to 1")),
    line(Named::Weight, "", "weightsoilmicrolife", "soil", Meaning::Near("health of the microlife, 0 to 1")),
    line(Named::Weight, "", "weightresourceadded", "resource", Meaning::Near("used resources reduce the score")),
    line(
        Named::Weight,
        "",
        "weightbiodiversitycounts",
        "biodiversity",
        Meaning::Near("counts the increase of each day, with the weights of the reference"),
    ),
];

/// A name in lower case, without its unit, underscores and blanks, because these differences do not matter.
pub fn normal(name: &str) -> String {
    let stem = name.split('#').next().unwrap_or(name);
    stem.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The table entry for a name.
pub fn spelling(named: Named, of: &str, name: &str) -> Option<&'static Spelling> {
    let name = normal(name);
    SPELLINGS.iter().find(|s| s.named == named && (s.of.is_empty() || s.of == of) && s.from == name)
}

#[cfg(test)]
mod tests {
    use farm_core::config::PartKind;
    use farm_core::inspect::declarations;
    use farm_core::registry::kind;
    // Every part of the project.
    use farm_games as _;

    use super::*;

    #[test]
    fn every_line_leads_to_a_name_that_exists() {
        for s in SPELLINGS {
            let of = kind(PartKind::Entity, s.of).and_then(declarations);
            let exists = match s.named {
                Named::Kind => kind(PartKind::Entity, s.to).is_some(),
                Named::Set => {
                    let sets = kind(PartKind::Entity, s.of).unwrap().parameter_sets().unwrap();
                    sets.iter().any(|set| set.name() == s.to)
                }
                Named::Variable => {
                    let group = format!("{}.", s.to);
                    of.unwrap().variables().iter().any(|v| v.name() == s.to || v.name().starts_with(&group))
                }
                Named::Action => of.unwrap().actions().iter().any(|a| a.name() == s.to),
                Named::Value => {
                    let of = of.unwrap();
                    let mut lists = of.variables().iter().filter_map(|v| v.kind().lists()).flatten();
                    lists.any(|labels| labels.index(s.to).is_some())
                }
                Named::Weight => {
                    let table = kind(PartKind::Score, "BasicScore").unwrap().table();
                    let mix = table.into_iter().find(|p| p.name() == "reward_mix").unwrap();
                    let farm_core::config::ParameterKind::Group(mix) = mix.kind() else { panic!("a mix has weights") };
                    mix.iter().any(|p| p.name() == s.to)
                }
            };
            assert!(exists, "{s:?}");
            assert_eq!(s.from, normal(s.from), "{s:?}");
        }
    }

    #[test]
    fn units_and_underscores_do_not_count() {
        assert_eq!(normal("Rain_amount#mm.day-1"), "rainamount");
        assert_eq!(normal("microlife_health_index%"), normal("microlife_health_index#%"));
        assert_eq!(spelling(Named::Action, "Soil", "watering_discrete").unwrap().to, "water_discrete");
        assert!(spelling(Named::Action, "Plant", "watering_discrete").is_none());
    }
}
