//! The lessons that come with the project.

macro_rules! shipped {
    ($($name:literal),+ $(,)?) => {
        /// The name and the text of each lesson, in the order of teaching.
        pub(super) const SHIPPED: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../lessons/", $name, ".yaml")))),+];
    };
}

shipped!("look-and-wait", "water-and-roots", "nitrogen", "weeds-pests-bees", "risk-and-forecast");
