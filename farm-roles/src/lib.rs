#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

farm_core::roles! {
    // Weather
    /// Day of the year. 0 is 1 January.
    DAY_OF_YEAR: i32 = scalar "day_of_year" in "int365", [0.0, 364.0];
    /// Mean air temperature on this day.
    AIR_TEMPERATURE_MEAN: f64 = scalar "air_temperature_mean" in "°C";
    /// Lowest air temperature on this day.
    AIR_TEMPERATURE_MIN: f64 = scalar "air_temperature_min" in "°C";
    /// Highest air temperature on this day.
    AIR_TEMPERATURE_MAX: f64 = scalar "air_temperature_max" in "°C";
    /// Mean relative humidity on this day.
    RELATIVE_HUMIDITY: f64 = scalar "relative_humidity" in "%", [0.0, 100.0];
    /// Lowest relative humidity on this day.
    RELATIVE_HUMIDITY_MIN: f64 = scalar "relative_humidity_min" in "%", [0.0, 100.0];
    /// Mean wind speed on this day, 2 m above the ground.
    WIND_SPEED_2M: f64 = scalar "wind_speed_2m" in "m.s-1", [0.0, f64::INFINITY];
    /// Rain on this day.
    RAIN_AMOUNT: f64 = scalar "rain_amount" in "mm.day-1", [0.0, f64::INFINITY];
    /// Intensity of this day's rain for nutrient leaching, from 0 (no rain) to 1.
    RAIN_INTENSITY: f64 = scalar "rain_intensity" in "prop", [0.0, 1.0];
    /// Warmth that a cover over the plot gives in this night, in addition to the air temperature.
    FROST_SHELTER: f64 = per_plot "frost_shelter" in "°C";
    /// Number of days in a row with frost, including this day.
    CONSECUTIVE_FROST: i32 = scalar "consecutive_frost" in "day", [0.0, f64::INFINITY];
    /// Reference evapotranspiration ET₀ on this day.
    REFERENCE_EVAPOTRANSPIRATION: f64 = scalar "reference_evapotranspiration" in "mm.day-1", [0.0, f64::INFINITY];
    /// Solar radiation that reaches the ground on this day.
    SOLAR_RADIATION: f64 = scalar "solar_radiation" in "MJ.m-2.day-1", [0.0, f64::INFINITY];

    /// Carbon dioxide in the air.
    AIR_CO2: f64 = scalar "air_co2" in "ppm", [0.0, f64::INFINITY];

    /// Mean wind speed on this day, at the measurement height.
    WIND_SPEED: f64 = scalar "wind_speed" in "km.h-1", [0.0, f64::INFINITY];
    /// Direction from which the wind comes: 0 is north, 90 is east.
    WIND_DIRECTION: f64 = scalar "wind_direction" in "°", [0.0, 360.0];

    // Soil
    /// Water in the plot just before plants take it up on this day.
    SUPPLY_WATER: f64 = per_plot "supply_water" in "L", [0.0, f64::INFINITY];
    /// Water in one plot at field capacity.
    WATER_CAPACITY: f64 = scalar "water_capacity" in "L", [0.0, f64::INFINITY];
    /// Water in one plot at the wilting point. Plants cannot take it up.
    WILTING_WATER: f64 = scalar "wilting_water" in "L", [0.0, f64::INFINITY];
    /// Water in the plot's soil, down to the soil depth.
    SOIL_WATER: f64 = per_plot "soil_water" in "L", [0.0, f64::INFINITY];
    /// Water in the plot's topsoil. It is part of `soil_water`.
    TOPSOIL_WATER: f64 = per_plot "topsoil_water" in "L", [0.0, f64::INFINITY];
    /// Water in one plot when all its pores are full.
    SATURATION_WATER: f64 = scalar "saturation_water" in "L", [0.0, f64::INFINITY];
    /// Depth of the soil.
    SOIL_DEPTH: f64 = scalar "soil_depth" in "m", [0.0, f64::INFINITY];
    /// Depth of the topsoil. Water evaporates from it, and seeds are in it.
    TOPSOIL_DEPTH: f64 = scalar "topsoil_depth" in "m", [0.0, f64::INFINITY];
    /// Water in one plot's topsoil at the wilting point.
    TOPSOIL_WILTING: f64 = scalar "topsoil_wilting" in "L", [0.0, f64::INFINITY];
    /// Water in one plot's topsoil at field capacity.
    TOPSOIL_CAPACITY: f64 = scalar "topsoil_capacity" in "L", [0.0, f64::INFINITY];
    /// Water in one plot's topsoil when all its pores are full.
    TOPSOIL_SATURATION: f64 = scalar "topsoil_saturation" in "L", [0.0, f64::INFINITY];
    /// Water that the plot's roots could take up on this day, before the requests limit it.
    ROOTED_WATER: f64 = per_plot "rooted_water" in "L", [0.0, f64::INFINITY];
    /// Nitrogen that the plot's roots can take up on this day, as of the previous evening.
    ROOTED_NITROGEN: f64 = per_plot "rooted_nitrogen" in "g", [0.0, f64::INFINITY];
    /// Missing water in the layers with roots, as a share of the water that plants can use: 0 at field capacity, 1 at the wilting point.
    ROOTED_DEPLETION: f64 = per_plot "rooted_depletion" in "prop", [0.0, 1.0];
    /// Share of air in the volume of the layers with roots.
    ROOTED_AIR: f64 = per_plot "rooted_air" in "prop", [0.0, 1.0];
    /// Share of the requested water that the soil grants.
    WATER_SHARE: f64 = per_plot "water_share" in "prop", [0.0, 1.0];
    /// Nitrogen in the plot just before plants take it up on this day.
    SUPPLY_N: f64 = per_plot "supply_N" in "g", [0.0, f64::INFINITY];
    /// Phosphorus in the plot just before plants take it up on this day.
    SUPPLY_P: f64 = per_plot "supply_P" in "g", [0.0, f64::INFINITY];
    /// Potassium in the plot just before plants take it up on this day.
    SUPPLY_K: f64 = per_plot "supply_K" in "g", [0.0, f64::INFINITY];
    /// Carbon in the plot just before plants take it up on this day.
    SUPPLY_C: f64 = per_plot "supply_C" in "g", [0.0, f64::INFINITY];
    /// Share of the requested nitrogen that the soil grants.
    SHARE_N: f64 = per_plot "share_N" in "prop", [0.0, 1.0];
    /// Share of the requested phosphorus that the soil grants.
    SHARE_P: f64 = per_plot "share_P" in "prop", [0.0, 1.0];
    /// Share of the requested potassium that the soil grants.
    SHARE_K: f64 = per_plot "share_K" in "prop", [0.0, 1.0];
    /// Share of the requested carbon that the soil grants.
    SHARE_C: f64 = per_plot "share_C" in "prop", [0.0, 1.0];
    /// Water that other parts bring to the plot on this day, for example from a tank or a canal. Rain and irrigation do not count. Set it before the phase `exchange`, in which the soil absorbs the water.
    WATER_INFLOW: f64 = per_plot "water_inflow" in "L.day-1", [0.0, f64::INFINITY];
    /// Health of the soil life.
    MICROLIFE: f64 = per_plot "microlife" in "%", [0.0, 100.0];

    // What plants and weeds publish
    /// Water that the plants on the plot request on this day.
    WATER_DEMAND: f64 = per_plot "water_demand" in "L.day-1", [0.0, f64::INFINITY];
    /// Nitrogen that the plants on the plot request on this day.
    DEMAND_N: f64 = per_plot "demand_N" in "g.day-1", [0.0, f64::INFINITY];
    /// Phosphorus that the plants on the plot request on this day.
    DEMAND_P: f64 = per_plot "demand_P" in "g.day-1", [0.0, f64::INFINITY];
    /// Potassium that the plants on the plot request on this day.
    DEMAND_K: f64 = per_plot "demand_K" in "g.day-1", [0.0, f64::INFINITY];
    /// Carbon that the plants on the plot request on this day.
    DEMAND_C: f64 = per_plot "demand_C" in "g.day-1", [0.0, f64::INFINITY];
    /// Nitrogen that dead matter and fertilisers release on this day.
    RELEASE_N: f64 = per_plot "release_N" in "g.day-1", [0.0, f64::INFINITY];
    /// Phosphorus that dead matter and fertilisers release on this day.
    RELEASE_P: f64 = per_plot "release_P" in "g.day-1", [0.0, f64::INFINITY];
    /// Potassium that dead matter and fertilisers release on this day.
    RELEASE_K: f64 = per_plot "release_K" in "g.day-1", [0.0, f64::INFINITY];
    /// Carbon that dead matter and fertilisers release on this day.
    RELEASE_C: f64 = per_plot "release_C" in "g.day-1", [0.0, f64::INFINITY];
    /// Green leaf area of the plants or weeds of one part on the plot, counting one side of each leaf. Before the phase `develop`, it is the area on the previous evening. Plants also provide `plant_progress`; weeds do not.
    LEAF_AREA: f64 = per_plot "leaf_area" in "m2", [0.0, f64::INFINITY];
    /// Depth of the roots on the plot.
    ROOT_DEPTH: f64 = per_plot "root_depth" in "m", [0.0, f64::INFINITY];
    /// Length of the roots on the plot. The soil estimates it from the depth of the roots if no part provides it.
    ROOT_LENGTH: f64 = per_plot "root_length" in "m", [0.0, f64::INFINITY];
    /// Ground area that leaves shade.
    SHADE: f64 = per_plot "shade" in "m2", [0.0, f64::INFINITY];
    /// Total harvest in this episode.
    HARVEST_WEIGHT: f64 = scalar "harvest_weight" in "kg", [0.0, f64::INFINITY];
    /// Progress of the plants on the plot, from 0 (seed) to 1 (ripe).
    PLANT_PROGRESS: f64 = per_plot "plant_progress" in "prop", [0.0, 1.0];

    /// Stage of the plants on the plot, one of those of `Plant` in their order.
    PLANT_STAGE: u8 = per_plot "plant_stage" in "category";

    /// Share of growth that the plants on the plot lose on this day, for example to a disease. 0 means no loss, and 1 means no growth. Set it before the phase `develop`, in which plants grow. If the variable's name ends in a part, such as `shade#prop.Plant-1`, it hinders only this part.
    GROWTH_HINDRANCE: f64 = per_plot "growth_hindrance" in "prop", [0.0, 1.0];
    /// Share of the plants' leaves that does not transpire, for example because of lesions. Plants read it in the phase `demand`. A part at the end of the variable's name is the only one concerned.
    LEAVES_SICK: f64 = per_plot "leaves_sick" in "prop", [0.0, 1.0];
    /// Share of the plants' leaves that dies on this day, for example of a disease. Set it before the phase `develop`. A part at the end of the variable's name is the only one concerned.
    LEAVES_LOST: f64 = per_plot "leaves_lost" in "prop", [0.0, 1.0];

    // Birds and what scares them
    /// Number of birds that eat seeds.
    SEED_EATERS: i32 = scalar "seed_eaters" in "nb", [0.0, f64::INFINITY];
    /// Number of birds that eat pests.
    PEST_EATERS: i32 = scalar "pest_eaters" in "nb", [0.0, f64::INFINITY];
    /// Number of birds that eat pollinators.
    POLLINATOR_EATERS: i32 = scalar "pollinator_eaters" in "nb", [0.0, f64::INFINITY];
    /// Number of birds that the scarecrow keeps away each day.
    SCARECROW_STRENGTH: i32 = scalar "scarecrow_strength" in "nb", [0.0, f64::INFINITY];

    // Pests and what eats them
    /// Number of pests of one kind in the plot. Before the phase `visit`, in which pests live and move, it is the number on the previous evening.
    PEST_POPULATION: i32 = per_plot "pest_population" in "nb", [0.0, f64::INFINITY];
    /// Number of pests of all kinds that a predator eats in the plot on this day. Each kind loses its share, at most all of its pests. Set it before the phase `spread`.
    PESTS_EATEN: i32 = per_plot "pests_eaten" in "nb.day-1", [0.0, f64::INFINITY];

    // Hosts of pests: a host declares all three
    /// Number of individuals in the plot that pests can sit on.
    HOST_NUMBER: i32 = per_plot "host_number" in "nb", [0.0, f64::INFINITY];
    /// Strength with which a host repels pests. Each individual has the weight exp(-repulsion).
    HOST_REPULSION: f64 = scalar "host_repulsion" in "-";
    /// Number of pests that sit on the host in the plot. The host sets it to 0 in the phase `demand`. Each kind of pest adds its number in the phase `visit`.
    PESTS_ON_HOST: i32 = per_plot "pests_on_host" in "nb", [0.0, f64::INFINITY];

    // Cides: what is set free, and what lies in the soil
    /// Pesticide released on this day that acts on pests.
    CIDE_RELEASE_PESTS: f64 = per_plot "cide_release_pests" in "g.day-1", [0.0, f64::INFINITY];
    /// Pesticide released on this day that acts on weeds.
    CIDE_RELEASE_WEEDS: f64 = per_plot "cide_release_weeds" in "g.day-1", [0.0, f64::INFINITY];
    /// Pesticide released on this day that acts on pollinators.
    CIDE_RELEASE_POLLINATORS: f64 = per_plot "cide_release_pollinators" in "g.day-1", [0.0, f64::INFINITY];
    /// Pesticide released on this day that acts on the soil life.
    CIDE_RELEASE_SOIL: f64 = per_plot "cide_release_soil" in "g.day-1", [0.0, f64::INFINITY];
    /// Pesticide released on this day that acts on another target. The variable's name contains the target. For `cide_release_mildew#g.day-1`, the soil provides the role `cide_on_mildew`.
    CIDE_RELEASE_OTHERS: f64 = per_plot "cide_release_others" in "g.day-1", [0.0, f64::INFINITY];
    /// Total weight of the pesticides released on this day, for all targets.
    CIDE_RELEASE_WEIGHT: f64 = per_plot "cide_release_weight" in "g.day-1", [0.0, f64::INFINITY];
    /// Pesticide sprayed on this day that harms the crop on the plot.
    CIDE_RELEASE_PLANTS: f64 = per_plot "cide_release_plants" in "g.day-1", [0.0, f64::INFINITY];
    /// Share of a pesticide in the soil that remains after a day. Only a pesticide with its own half-life has this role.
    CIDE_KEPT: f64 = scalar "cide_kept" in "prop", [0.0, 1.0];
    /// Pesticide in the plot's soil that acts on pests.
    CIDE_ON_PESTS: f64 = per_plot "cide_on_pests" in "g", [0.0, f64::INFINITY];
    /// Pesticide in the plot's soil that acts on weeds.
    CIDE_ON_WEEDS: f64 = per_plot "cide_on_weeds" in "g", [0.0, f64::INFINITY];
    /// Pesticide in the plot's soil that acts on pollinators.
    CIDE_ON_POLLINATORS: f64 = per_plot "cide_on_pollinators" in "g", [0.0, f64::INFINITY];
    /// Pesticide in the plot's soil that acts on the soil life.
    CIDE_ON_SOIL: f64 = per_plot "cide_on_soil" in "g", [0.0, f64::INFINITY];

    /// Total weight of the pesticides in the plot's soil.
    CIDE_RESIDUE: f64 = per_plot "cide_residue" in "g", [0.0, f64::INFINITY];

    // Fungicides on leaves
    /// Share of the infections with oomycetes, such as late blight, that a fungicide on the plot's leaves prevents on this day.
    OOMYCETES_PREVENTED: f64 = per_plot "oomycetes_prevented" in "prop", [0.0, 1.0];
    /// Share of the infections with fungi, such as rusts, that a fungicide on the plot's leaves prevents on this day.
    FUNGI_PREVENTED: f64 = per_plot "fungi_prevented" in "prop", [0.0, 1.0];
    /// Age up to which a fungicide sprayed on this day kills infections without lesions. It kills the share that it prevents.
    OOMYCETES_CURED: f64 = per_plot "oomycetes_cured" in "day", [0.0, f64::INFINITY];
    /// Age up to which a fungicide sprayed on this day kills infections without lesions. It kills the share that it prevents.
    FUNGI_CURED: f64 = per_plot "fungi_cured" in "day", [0.0, f64::INFINITY];

    // Pollination
    /// Number of flowers in the plot that attract pollinators.
    FLOWERS: i32 = per_plot "flowers" in "nb", [0.0, f64::INFINITY];
    /// 1 if pollinators visited the plot on this day, otherwise 0.
    POLLINATOR_VISIT: u8 = per_plot "pollinator_visit" in "bin";

    // What was used up, for scores
    /// Amount of water, fertiliser or pesticide used in this episode.
    RESOURCE_USED: f64 = scalar "resource_used" in "L|kg", [0.0, f64::INFINITY];
    /// Irrigation water used in this episode.
    WATER_GIVEN: f64 = scalar "water_given" in "L", [0.0, f64::INFINITY];
    /// Fertiliser used in this episode.
    FERTILIZER_SCATTERED: f64 = scalar "fertilizer_scattered" in "kg", [0.0, f64::INFINITY];
    /// Pesticide used in this episode.
    CIDE_SCATTERED: f64 = scalar "cide_scattered" in "kg", [0.0, f64::INFINITY];
    /// Number of seeds sown in this episode.
    SEEDS_SOWN: i32 = scalar "seeds_sown" in "seed", [0.0, f64::INFINITY];

    // What is sold, for markets and scores
    /// Share of water in the ripe grain on the plot.
    GRAIN_MOISTURE: f64 = per_plot "grain_moisture" in "prop", [0.0, 1.0];
    /// Harvest in this episode that a market bought. If the variable's name ends in a part, such as `bought#kg.Plant-1`, it is this part's harvest; otherwise it is the harvest of all plants in the market's field.
    MARKET_HARVEST: f64 = scalar "market_harvest" in "kg", [0.0, f64::INFINITY];
    /// Money from sales at a market in this episode.
    MARKET_SALES: f64 = scalar "market_sales" in "-", [0.0, f64::INFINITY];
    /// Money spent on drying and storing in this episode.
    MARKET_COSTS: f64 = scalar "market_costs" in "-", [0.0, f64::INFINITY];
    /// Money that the unsold produce would bring if the episode ended now.
    MARKET_STOCK: f64 = scalar "market_stock" in "-", [0.0, f64::INFINITY];

    // Who lived on the field, for scores
    /// Number of birds in this episode, summed over all days.
    BIRDS_SEEN: i32 = scalar "birds_seen" in "nb", [0.0, f64::INFINITY];
    /// Number of visits by pollinators in this episode, summed over all plots and days.
    POLLINATOR_VISITS: i32 = scalar "pollinator_visits" in "nb", [0.0, f64::INFINITY];
    /// Number of pests that came to the field in this episode.
    PESTS_COME: i32 = scalar "pests_come" in "nb", [0.0, f64::INFINITY];
    /// Number of weeds that sprouted in this episode.
    WEEDS_SPROUTED: i32 = scalar "weeds_sprouted" in "nb", [0.0, f64::INFINITY];

    // What was harmed, for the constraints of scores
    /// Number of pollinator visits in this episode that pesticide in the plot prevented.
    POLLINATORS_KILLED: i32 = scalar "pollinators_killed" in "nb", [0.0, f64::INFINITY];
    /// Nitrogen leached from the plot on this day.
    LEACHED_N: f64 = per_plot "leached_N" in "g.day-1", [0.0, f64::INFINITY];
    /// Phosphorus leached from the plot on this day.
    LEACHED_P: f64 = per_plot "leached_P" in "g.day-1", [0.0, f64::INFINITY];
    /// Potassium leached from the plot on this day.
    LEACHED_K: f64 = per_plot "leached_K" in "g.day-1", [0.0, f64::INFINITY];
    /// Carbon leached from the plot on this day.
    LEACHED_C: f64 = per_plot "leached_C" in "g.day-1", [0.0, f64::INFINITY];

    // Grid games
    /// The map with a margin. Its shape is (rows, columns, 2); the last axis is terrain and status.
    GRID_TILES: u8 = shaped "grid_tiles" in "category";
    /// Symmetry applied to the map's plan, one of eight.
    GRID_SYMMETRY: u8 = scalar "grid_symmetry" in "category";
    /// The farmer's position: x, then y.
    AGENT_POSITION: u8 = shaped "agent_position" in "tile";
    /// Direction that the farmer faces: N, E, S or W.
    AGENT_FACING: u8 = scalar "agent_facing" in "category";
    /// The farmer's start tile, counted row by row, if it is the same in every episode. This tile stays free ground.
    AGENT_START: i32 = scalar "agent_start" in "tile", [0.0, f64::INFINITY];
    /// Amount of one item that the farmer carries. The variable's name contains the item.
    AGENT_ITEM: f64 = scalar "agent_item" in "nb";
    /// Each neighbour's relationship with the farmer.
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
/// Amount of each nutrient leached on this day, in the order N, P, K, C.
pub const LEACHED: [Role<f64>; 4] = [LEACHED_N, LEACHED_P, LEACHED_K, LEACHED_C];

/// Pesticides released on this day, in the order pests, weeds, pollinators, soil.
pub const CIDE_RELEASE: [Role<f64>; 4] =
    [CIDE_RELEASE_PESTS, CIDE_RELEASE_WEEDS, CIDE_RELEASE_POLLINATORS, CIDE_RELEASE_SOIL];
/// Pesticides in the plot, in the order pests, weeds, pollinators, soil.
pub const CIDE: [Role<f64>; 4] = [CIDE_ON_PESTS, CIDE_ON_WEEDS, CIDE_ON_POLLINATORS, CIDE_ON_SOIL];

/// Share of infections that a fungicide prevents, in the order oomycetes, fungi.
pub const PREVENTED: [Role<f64>; 2] = [OOMYCETES_PREVENTED, FUNGI_PREVENTED];
/// Age up to which a fungicide kills infections, in the order oomycetes, fungi.
pub const CURED: [Role<f64>; 2] = [OOMYCETES_CURED, FUNGI_CURED];

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
