//! Soil profiles by layer.

use std::path::Path;

use super::ReadError;
use super::table::{Row, Section, Sections};

/// A soil profile.
#[derive(Debug, Clone, PartialEq)]
pub struct SoilProfile {
    /// Its code, such as `IBMZ910014`.
    pub code: String,
    /// Its name.
    pub name: String,
    /// The share of the radiation that the bare soil reflects.
    pub albedo: Option<f64>,
    /// The evaporation from the soil's surface before it slows, in mm.
    pub evaporation_limit: Option<f64>,
    /// The share of the water above field capacity that drains in a day.
    pub drainage: Option<f64>,
    /// The curve number of runoff.
    pub curve_number: Option<f64>,
    /// The layers, from the surface down.
    pub layers: Vec<SoilLayer>,
}

/// A layer of a soil profile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoilLayer {
    /// The depth of its lower end, in cm.
    pub bottom: f64,
    /// Water at the wilting point, in cm³ per cm³.
    pub wilting_point: f64,
    /// Water at field capacity, in cm³ per cm³.
    pub field_capacity: f64,
    /// Water at saturation, in cm³ per cm³.
    pub saturation: f64,
    /// How well roots grow there, from 0 to 1.
    pub root_growth: Option<f64>,
    /// The saturated hydraulic conductivity, in cm per hour.
    pub conductivity: Option<f64>,
    /// The bulk density, in g per cm³.
    pub bulk_density: Option<f64>,
    /// Organic carbon, in percent of mass.
    pub organic_carbon: Option<f64>,
    /// Organic nitrogen, in percent of mass.
    pub organic_nitrogen: Option<f64>,
    /// Clay, in percent of mass.
    pub clay: Option<f64>,
}

impl SoilProfile {
    /// Reads all profiles of a file. A profile with a layer that lacks its water contents has only the layers above it.
    ///
    /// # Errors
    /// The file cannot be read, or a number is not one.
    pub fn read_all(path: &Path) -> Result<Vec<Self>, ReadError> {
        Self::all(&Sections::read(path)?)
    }

    /// Reads the profiles in a text; see [`SoilProfile::read_all`].
    ///
    /// # Errors
    /// A number is not one.
    pub fn parse_all(file: &str, text: &str) -> Result<Vec<Self>, ReadError> {
        Self::all(&Sections::parse(file.to_owned(), text))
    }

    fn all(sections: &Sections) -> Result<Vec<Self>, ReadError> {
        let profiles = sections.sections.iter().filter(|section| section.rows("SLB").next().is_some());
        profiles.map(Self::of).collect()
    }

    fn of(section: &Section) -> Result<Self, ReadError> {
        let (code, name) = section.title.split_once(char::is_whitespace).unwrap_or((&section.title, ""));
        let general = section.rows("SALB").next();
        let number = |column: &str| general.map_or(Ok(None), |row| row.number(column));
        let mut layers: Vec<SoilLayer> = Vec::new();
        for row in section.rows("SLLL") {
            let Some(layer) = SoilLayer::of(row)? else { break };
            if layers.last().is_none_or(|above| above.bottom < layer.bottom) {
                layers.push(layer);
            }
        }
        // Some files list the chemistry in a separate table.
        for row in section.rows("SLB").filter(|row| row.text("SLLL").is_none()) {
            let Some(bottom) = row.number("SLB")? else { continue };
            let Some(layer) = layers.iter_mut().find(|layer| layer.bottom == bottom) else { continue };
            layer.organic_carbon = layer.organic_carbon.or(row.number("SLOC")?);
            layer.organic_nitrogen = layer.organic_nitrogen.or(row.number("SLNI")?);
        }
        Ok(Self {
            code: code.to_owned(),
            name: name.split_whitespace().collect::<Vec<_>>().join(" "),
            albedo: number("SALB")?,
            evaporation_limit: number("SLU1")?,
            drainage: number("SLDR")?,
            curve_number: number("SLRO")?,
            layers,
        })
    }
}

impl SoilLayer {
    fn of(row: Row<'_>) -> Result<Option<Self>, ReadError> {
        let water = (row.number("SLB")?, row.number("SLLL")?, row.number("SDUL")?, row.number("SSAT")?);
        let (Some(bottom), Some(wilting_point), Some(field_capacity), Some(saturation)) = water else {
            return Ok(None);
        };
        Ok(Some(Self {
            bottom,
            wilting_point,
            field_capacity,
            saturation,
            root_growth: row.number("SRGF")?,
            conductivity: row.number("SSKS")?.filter(|speed| *speed >= 0.0),
            bulk_density: row.number("SBDM")?,
            organic_carbon: row.number("SLOC")?,
            organic_nitrogen: row.number("SLNI")?,
            clay: row.number("SLCL")?,
        }))
    }
}
