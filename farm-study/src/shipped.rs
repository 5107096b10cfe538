//! The studies that come with the project.

/// A study that comes with the project.
#[derive(Debug, Clone, Copy)]
pub struct Shipped {
    /// Its name, which is also the name of its file.
    pub name: &'static str,
    /// Its folder in `farm-study/studies`.
    pub folder: &'static str,
    /// Its file.
    pub(crate) file: &'static str,
    /// Its YAML.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($folder:literal/$name:literal),+ $(,)?) => {
        /// The studies, in the same order as the docs pages.
        pub const SHIPPED: &[Shipped] = &[$(Shipped {
            name: $name,
            folder: $folder,
            file: concat!($name, ".yaml"),
            text: include_str!(concat!("../studies/", $folder, "/", $name, ".yaml")),
        }),+];
    };
}

shipped!(
    "curves" / "yield_per_hectare",
    "curves" / "yield_per_plant",
    "curves" / "harvest_index",
    "curves" / "water_productivity",
    "curves" / "season",
    "curves" / "sowing_date",
    "curves" / "temperature",
    "curves" / "water",
    "curves" / "waterlogging",
    "curves" / "nitrogen",
    "curves" / "phosphorus",
    "curves" / "potassium",
    "curves" / "density",
    "curves" / "weeds",
    "curves" / "emergence",
    "curves" / "insects",
    "paper" / "figure_6",
    "paper" / "figure_6_farm",
    "paper" / "figure_7",
    "paper" / "figure_7_farm",
    "paper" / "figure_8",
    "paper" / "figure_8_farm",
    "paper" / "fertiliser",
);

/// Files that several studies share, by folder and name.
const SHARED: [(&str, &str, &str); 4] = [
    ("curves", "plot.yaml", include_str!("../studies/curves/plot.yaml")),
    ("paper", "plot.yaml", include_str!("../studies/paper/plot.yaml")),
    ("paper", "farm_plot.yaml", include_str!("../studies/paper/farm_plot.yaml")),
    ("curves", "crops.yaml", include_str!("../studies/curves/crops.yaml")),
];

/// The study with this name.
pub(crate) fn find(name: &str) -> Option<&'static Shipped> {
    SHIPPED.iter().find(|study| study.name == name)
}

/// The text of a shared file in a folder of studies.
pub(crate) fn file(folder: &str, name: &str) -> Option<&'static str> {
    SHARED.iter().find(|(of, known, _)| *of == folder && *known == name).map(|(.., text)| *text)
}
