//! What variables mean to others: the only way in which entities know of each other.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

farm_core::roles! {
    // Weather
    /// Mean air temperature of the day.
    AIR_TEMPERATURE_MEAN: f64 = scalar "air_temperature_mean" in "°C";
    /// Lowest air temperature of the day.
    AIR_TEMPERATURE_MIN: f64 = scalar "air_temperature_min" in "°C";
    /// Highest air temperature of the day.
    AIR_TEMPERATURE_MAX: f64 = scalar "air_temperature_max" in "°C";
    /// Mean relative humidity of the day.
    RELATIVE_HUMIDITY: f64 = scalar "relative_humidity" in "%", [0.0, 100.0];
    /// Lowest relative humidity of the day.
    RELATIVE_HUMIDITY_MIN: f64 = scalar "relative_humidity_min" in "%", [0.0, 100.0];
    /// Mean wind speed at 2 m above the ground.
    WIND_SPEED_2M: f64 = scalar "wind_speed_2m" in "m.s-1", [0.0, f64::INFINITY];
    /// Rain of the day.
    RAIN_AMOUNT: f64 = scalar "rain_amount" in "mm.day-1", [0.0, f64::INFINITY];
    /// How hard it rains for the leaching of nutrients, 0 not at all to 1.
    RAIN_INTENSITY: f64 = scalar "rain_intensity" in "prop", [0.0, 1.0];
    /// Days in a row, up to today, with frost.
    CONSECUTIVE_FROST: i32 = scalar "consecutive_frost" in "day", [0.0, f64::INFINITY];
    /// Reference evapotranspiration ET₀ of the day.
    REFERENCE_EVAPOTRANSPIRATION: f64 = scalar "reference_evapotranspiration" in "mm.day-1", [0.0, f64::INFINITY];
    /// Radiation of the sun that reaches the ground today.
    SOLAR_RADIATION: f64 = scalar "solar_radiation" in "MJ.m-2.day-1", [0.0, f64::INFINITY];

    /// Mean wind speed of the day as measured.
    WIND_SPEED: f64 = scalar "wind_speed" in "km.h-1", [0.0, f64::INFINITY];
    /// Direction the wind comes from: 0 north, 90 east.
    WIND_DIRECTION: f64 = scalar "wind_direction" in "°", [0.0, 360.0];

    // Soil
    /// Water in the plot just before today's uptake.
    SUPPLY_WATER: f64 = per_plot "supply_water" in "L", [0.0, f64::INFINITY];
    /// Water that the soil of one plot holds at most.
    WATER_CAPACITY: f64 = scalar "water_capacity" in "L", [0.0, f64::INFINITY];
    /// Water of one plot that plants cannot take.
    WILTING_WATER: f64 = scalar "wilting_water" in "L", [0.0, f64::INFINITY];
    /// Water in the plot now, down to the depth of the soil.
    SOIL_WATER: f64 = per_plot "soil_water" in "L", [0.0, f64::INFINITY];
    /// Water in the plot's topsoil now, a part of `soil_water`.
    TOPSOIL_WATER: f64 = per_plot "topsoil_water" in "L", [0.0, f64::INFINITY];
    /// Water of one plot when all its pores are full.
    SATURATION_WATER: f64 = scalar "saturation_water" in "L", [0.0, f64::INFINITY];
    /// Depth of the soil.
    SOIL_DEPTH: f64 = scalar "soil_depth" in "m", [0.0, f64::INFINITY];
    /// Depth of the topsoil, from which water evaporates and in which seeds lie.
    TOPSOIL_DEPTH: f64 = scalar "topsoil_depth" in "m", [0.0, f64::INFINITY];
    /// Share of the water asked for that was granted.
    WATER_SHARE: f64 = per_plot "water_share" in "prop", [0.0, 1.0];
    /// Nitrogen in the plot just before today's uptake.
    SUPPLY_N: f64 = per_plot "supply_N" in "g", [0.0, f64::INFINITY];
    /// Phosphorus in the plot just before today's uptake.
    SUPPLY_P: f64 = per_plot "supply_P" in "g", [0.0, f64::INFINITY];
    /// Potassium in the plot just before today's uptake.
    SUPPLY_K: f64 = per_plot "supply_K" in "g", [0.0, f64::INFINITY];
    /// Carbon in the plot just before today's uptake.
    SUPPLY_C: f64 = per_plot "supply_C" in "g", [0.0, f64::INFINITY];
    /// Share of the nitrogen asked for that was granted.
    SHARE_N: f64 = per_plot "share_N" in "prop", [0.0, 1.0];
    /// Share of the phosphorus asked for that was granted.
    SHARE_P: f64 = per_plot "share_P" in "prop", [0.0, 1.0];
    /// Share of the potassium asked for that was granted.
    SHARE_K: f64 = per_plot "share_K" in "prop", [0.0, 1.0];
    /// Share of the carbon asked for that was granted.
    SHARE_C: f64 = per_plot "share_C" in "prop", [0.0, 1.0];
    /// Water that others than rain and the soil's own watering bring to a plot today, such as a tank or a canal. It is set before the phase `exchange`, in which the soil takes it in.
    WATER_INFLOW: f64 = per_plot "water_inflow" in "L.day-1", [0.0, f64::INFINITY];
    /// Health of the microlife in the soil.
    MICROLIFE: f64 = per_plot "microlife" in "%", [0.0, 100.0];

    // What plants and weeds publish
    /// Water that a plot's plants ask for today.
    WATER_DEMAND: f64 = per_plot "water_demand" in "L.day-1", [0.0, f64::INFINITY];
    /// Nitrogen that a plot's plants ask for today.
    DEMAND_N: f64 = per_plot "demand_N" in "g.day-1", [0.0, f64::INFINITY];
    /// Phosphorus that a plot's plants ask for today.
    DEMAND_P: f64 = per_plot "demand_P" in "g.day-1", [0.0, f64::INFINITY];
    /// Potassium that a plot's plants ask for today.
    DEMAND_K: f64 = per_plot "demand_K" in "g.day-1", [0.0, f64::INFINITY];
    /// Carbon that a plot's plants ask for today.
    DEMAND_C: f64 = per_plot "demand_C" in "g.day-1", [0.0, f64::INFINITY];
    /// Nitrogen that dead matter and fertilisers release today.
    RELEASE_N: f64 = per_plot "release_N" in "g.day-1", [0.0, f64::INFINITY];
    /// Phosphorus that dead matter and fertilisers release today.
    RELEASE_P: f64 = per_plot "release_P" in "g.day-1", [0.0, f64::INFINITY];
    /// Potassium that dead matter and fertilisers release today.
    RELEASE_K: f64 = per_plot "release_K" in "g.day-1", [0.0, f64::INFINITY];
    /// Carbon that dead matter and fertilisers release today.
    RELEASE_C: f64 = per_plot "release_C" in "g.day-1", [0.0, f64::INFINITY];
    /// Green leaves of a plot, one side.
    LEAF_AREA: f64 = per_plot "leaf_area" in "m2", [0.0, f64::INFINITY];
    /// How deep the roots of a plot reach.
    ROOT_DEPTH: f64 = per_plot "root_depth" in "m", [0.0, f64::INFINITY];
    /// Ground that leaves shade.
    SHADE: f64 = per_plot "shade" in "m2", [0.0, f64::INFINITY];
    /// Weight of all that was harvested so far.
    HARVEST_WEIGHT: f64 = scalar "harvest_weight" in "kg", [0.0, f64::INFINITY];
    /// How far plants have come: 0 seed to 1 ripe, per plot.
    PLANT_PROGRESS: f64 = per_plot "plant_progress" in "prop", [0.0, 1.0];

    /// Share of their growth that plants of a plot lose today, 0 nothing to 1 all of it: a disease, or damage. It is set before the phase `develop`, in which plants grow.
    GROWTH_HINDRANCE: f64 = per_plot "growth_hindrance" in "prop", [0.0, 1.0];

    // Birds and what scares them
    /// Number of birds that eat seeds.
    SEED_EATERS: i32 = scalar "seed_eaters" in "nb", [0.0, f64::INFINITY];
    /// Number of birds that eat pests.
    PEST_EATERS: i32 = scalar "pest_eaters" in "nb", [0.0, f64::INFINITY];
    /// Number of birds that eat pollinators.
    POLLINATOR_EATERS: i32 = scalar "pollinator_eaters" in "nb", [0.0, f64::INFINITY];
    /// Number of birds that a scarecrow keeps away.
    SCARECROW_STRENGTH: i32 = scalar "scarecrow_strength" in "nb", [0.0, f64::INFINITY];

    // Pests and what eats them
    /// Pests of one kind in each plot: until the phase `visit`, in which pests live and move, those of the evening before.
    PEST_POPULATION: i32 = per_plot "pest_population" in "nb", [0.0, f64::INFINITY];
    /// Pests that a predator eats in each plot today, of all kinds together: each kind loses its share, and none more than there are. It is set before the phase `spread`.
    PESTS_EATEN: i32 = per_plot "pests_eaten" in "nb.day-1", [0.0, f64::INFINITY];

    // Hosts of pests: a host declares all three
    /// Number of individuals in a plot on which pests can sit.
    HOST_NUMBER: i32 = per_plot "host_number" in "nb", [0.0, f64::INFINITY];
    /// How much a host repels pests; its weight is exp(-repulsion) for each individual.
    HOST_REPULSION: f64 = scalar "host_repulsion" in "-";
    /// Number of pests that sit on the host in a plot: the host sets it to 0 in the phase `demand`, and pests add themselves in the phase `visit`.
    PESTS_ON_HOST: i32 = per_plot "pests_on_host" in "nb", [0.0, f64::INFINITY];

    // Cides: what is set free, and what lies in the soil
    /// Cide against pests that is set free today.
    CIDE_RELEASE_PESTS: f64 = per_plot "cide_release_pests" in "g.day-1", [0.0, f64::INFINITY];
    /// Cide against weeds that is set free today.
    CIDE_RELEASE_WEEDS: f64 = per_plot "cide_release_weeds" in "g.day-1", [0.0, f64::INFINITY];
    /// Cide harmful to pollinators that is set free today.
    CIDE_RELEASE_POLLINATORS: f64 = per_plot "cide_release_pollinators" in "g.day-1", [0.0, f64::INFINITY];
    /// Cide harmful to the soil's microlife that is set free today.
    CIDE_RELEASE_SOIL: f64 = per_plot "cide_release_soil" in "g.day-1", [0.0, f64::INFINITY];
    /// Cide against a further target that is set free today. The variable's name says which: `cide_release_mildew#g.day-1` is for those who read the role `cide_on_mildew`, which the soil then gives.
    CIDE_RELEASE_OTHERS: f64 = per_plot "cide_release_others" in "g.day-1", [0.0, f64::INFINITY];
    /// Weight of all cides that are set free today, whatever they harm.
    CIDE_RELEASE_WEIGHT: f64 = per_plot "cide_release_weight" in "g.day-1", [0.0, f64::INFINITY];
    /// Cide harmful to crops that is sprayed today and falls on them.
    CIDE_RELEASE_PLANTS: f64 = per_plot "cide_release_plants" in "g.day-1", [0.0, f64::INFINITY];
    /// Share of a cide in the soil that a day leaves, of a cide that decays at a speed of its own.
    CIDE_KEPT: f64 = scalar "cide_kept" in "prop", [0.0, 1.0];
    /// Cide against pests in the plot.
    CIDE_ON_PESTS: f64 = per_plot "cide_on_pests" in "g", [0.0, f64::INFINITY];
    /// Cide against weeds in the plot.
    CIDE_ON_WEEDS: f64 = per_plot "cide_on_weeds" in "g", [0.0, f64::INFINITY];
    /// Cide harmful to pollinators in the plot.
    CIDE_ON_POLLINATORS: f64 = per_plot "cide_on_pollinators" in "g", [0.0, f64::INFINITY];
    /// Cide harmful to the soil's microlife in the plot.
    CIDE_ON_SOIL: f64 = per_plot "cide_on_soil" in "g", [0.0, f64::INFINITY];

    /// Weight of all cides in the plot's soil, whatever they harm.
    CIDE_RESIDUE: f64 = per_plot "cide_residue" in "g", [0.0, f64::INFINITY];

    // Pollination
    /// Flowers in a plot that attract pollinators.
    FLOWERS: i32 = per_plot "flowers" in "nb", [0.0, f64::INFINITY];
    /// Whether pollinators visited the plot today.
    POLLINATOR_VISIT: u8 = per_plot "pollinator_visit" in "bin";

    // What was used up, for scores
    /// Amount of water, fertiliser or cide given so far, in the units that scores weigh.
    RESOURCE_USED: f64 = scalar "resource_used" in "L|kg", [0.0, f64::INFINITY];
    /// Water given by the farmer so far.
    WATER_GIVEN: f64 = scalar "water_given" in "L", [0.0, f64::INFINITY];
    /// Fertiliser scattered so far.
    FERTILIZER_SCATTERED: f64 = scalar "fertilizer_scattered" in "kg", [0.0, f64::INFINITY];
    /// Cide scattered so far.
    CIDE_SCATTERED: f64 = scalar "cide_scattered" in "kg", [0.0, f64::INFINITY];
    /// Seeds sown so far.
    SEEDS_SOWN: i32 = scalar "seeds_sown" in "seed", [0.0, f64::INFINITY];

    // Who lived on the field, for scores
    /// Birds of all days so far.
    BIRDS_SEEN: i32 = scalar "birds_seen" in "nb", [0.0, f64::INFINITY];
    /// Visits of pollinators to all plots on all days so far.
    POLLINATOR_VISITS: i32 = scalar "pollinator_visits" in "nb", [0.0, f64::INFINITY];
    /// Pests that came so far.
    PESTS_COME: i32 = scalar "pests_come" in "nb", [0.0, f64::INFINITY];
    /// Weeds that sprouted so far.
    WEEDS_SPROUTED: i32 = scalar "weeds_sprouted" in "nb", [0.0, f64::INFINITY];

    // What was harmed, for the constraints of scores
    /// Pollinators that cides killed so far: each visit that would have taken place without the cide in the plot.
    POLLINATORS_KILLED: i32 = scalar "pollinators_killed" in "nb", [0.0, f64::INFINITY];
    /// Nitrogen washed out today.
    LEACHED_N: f64 = per_plot "leached_N" in "g.day-1", [0.0, f64::INFINITY];
    /// Phosphorus washed out today.
    LEACHED_P: f64 = per_plot "leached_P" in "g.day-1", [0.0, f64::INFINITY];
    /// Potassium washed out today.
    LEACHED_K: f64 = per_plot "leached_K" in "g.day-1", [0.0, f64::INFINITY];
    /// Carbon washed out today.
    LEACHED_C: f64 = per_plot "leached_C" in "g.day-1", [0.0, f64::INFINITY];

    // Grid games
    /// The map with a margin: shape (rows, columns, 2), the last axis terrain and status.
    GRID_TILES: u8 = shaped "grid_tiles" in "category";
    /// Which of the eight symmetries of the map its plan lies under.
    GRID_SYMMETRY: u8 = scalar "grid_symmetry" in "category";
    /// Where the farmer stands: x and y.
    AGENT_POSITION: u8 = shaped "agent_position" in "tile";
    /// Where the farmer looks: N, E, S, W.
    AGENT_FACING: u8 = scalar "agent_facing" in "category";
    /// The tile where the farmer starts if it is the same in every episode, counted row by row; it stays free ground.
    AGENT_START: i32 = scalar "agent_start" in "tile", [0.0, f64::INFINITY];
    /// How much of one thing the farmer carries; the variable's name says of what.
    AGENT_ITEM: f64 = scalar "agent_item" in "nb";
    /// How much each neighbour likes the farmer.
    RELATIONSHIP: f64 = shaped "relationship" in "point";
}

use farm_core::Role;

/// Supply of each nutrient, in the order N, P, K, C.
pub const SUPPLY: [Role<f64>; 4] = [SUPPLY_N, SUPPLY_P, SUPPLY_K, SUPPLY_C];
/// Granted share of each nutrient, in the order N, P, K, C.
pub const SHARE: [Role<f64>; 4] = [SHARE_N, SHARE_P, SHARE_K, SHARE_C];
/// Demand for each nutrient, in the order N, P, K, C.
pub const DEMAND: [Role<f64>; 4] = [DEMAND_N, DEMAND_P, DEMAND_K, DEMAND_C];
/// Release of each nutrient, in the order N, P, K, C.
pub const RELEASE: [Role<f64>; 4] = [RELEASE_N, RELEASE_P, RELEASE_K, RELEASE_C];
/// What was washed out of each nutrient today, in the order N, P, K, C.
pub const LEACHED: [Role<f64>; 4] = [LEACHED_N, LEACHED_P, LEACHED_K, LEACHED_C];

/// What cides set free today, in the order pests, weeds, pollinators, soil.
pub const CIDE_RELEASE: [Role<f64>; 4] =
    [CIDE_RELEASE_PESTS, CIDE_RELEASE_WEEDS, CIDE_RELEASE_POLLINATORS, CIDE_RELEASE_SOIL];
/// Cides in the plot, in the order pests, weeds, pollinators, soil.
pub const CIDE: [Role<f64>; 4] = [CIDE_ON_PESTS, CIDE_ON_WEEDS, CIDE_ON_POLLINATORS, CIDE_ON_SOIL];

#[cfg(test)]
mod tests {
    #[test]
    fn role_names_are_unique_and_documented() {
        let roles = farm_core::registry::roles();
        assert!(roles.len() > 40);
        assert!(roles.windows(2).all(|pair| pair[0].name() != pair[1].name()));
        assert!(roles.iter().all(|role| !role.doc().trim().is_empty() && !role.unit().is_empty()));
    }

    #[test]
    fn shares_and_amounts_have_ranges() {
        for role in farm_core::registry::roles() {
            let expected = match role.unit() {
                "prop" => Some((0.0, 1.0)),
                "%" => Some((0.0, 100.0)),
                "nb" | "g" | "g.day-1" | "L" | "L.day-1" | "kg" if role.name() != "agent_item" => {
                    Some((0.0, f64::INFINITY))
                }
                _ => continue,
            };
            assert_eq!(role.range(), expected, "{}", role.name());
        }
    }
}
