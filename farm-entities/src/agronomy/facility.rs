//! Facility: a lifeless object on a field. The only kind is a scarecrow.
//!
//! | writes | unit |
//! |---|---|
//! | scarecrow on the field | none, basic, advanced |
//! | birds that it keeps away (role `scarecrow_strength`) | nb |
//!
//! Source: Farm-gym paper; equation sheet II.10. A scarecrow works from the day when it is put up, because actions come
//! before birds.

use farm_core::action::CallArguments;
use farm_core::declare::{ActionParameter, Picture};
use farm_core::{Behaviour, Builder, Column, Columns, Context, Entity, Reader};
use farm_roles::SCARECROW_STRENGTH;

/// A scarecrow that the farmer can put up and remove.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Facility {
    /// Number of birds that each type of scarecrow keeps away each day.
    pub scarecrow_strength: ScarecrowStrength,
}

/// Number of birds that each type of scarecrow keeps away each day.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct ScarecrowStrength {
    /// Birds that stay away without a scarecrow.
    #[parameter(unit = "nb", range = 0..=MAX_BIRDS)]
    pub none: u32,
    /// Birds that a basic scarecrow keeps away.
    #[parameter(unit = "nb", default = 4, range = 0..=MAX_BIRDS)]
    pub basic: u32,
    /// Birds that an advanced scarecrow keeps away.
    #[parameter(unit = "nb", default = 10, range = 0..=MAX_BIRDS)]
    pub advanced: u32,
}

const MAX_BIRDS: u32 = 100_000;
/// The scarecrows; the byte in the state is the index, and 0 is none.
const SCARECROWS: [&str; 3] = ["none", "basic", "advanced"];
const PUT: usize = 0;

#[farm_core::register(source = "Farm-gym paper; equation sheet II.10", sets = include_str!("facility.yaml"))]
impl Entity for Facility {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let equipment = Equipment::declare(b, &self.scarecrow_strength);
        b.picture(
            Picture::in_status_bar("Scarecrow")
                .label("scarecrow", "basic", "basic", include_str!("sprites/scarecrow_basic.svg"))
                .label("scarecrow", "advanced", "advanced", include_str!("sprites/scarecrow_advanced.svg"))
                .otherwise("none", include_str!("sprites/scarecrow_none.svg")),
        );
        let ScarecrowStrength { basic, advanced, .. } = self.scarecrow_strength;
        let doc =
            format!("Type of scarecrow. Each day, basic keeps {basic} birds away. Advanced keeps {advanced} away.");
        let which = ActionParameter::choice("type", &SCARECROWS[1..], &doc);
        let put = b.action(
            "put_scarecrow",
            vec![which],
            "Puts up a scarecrow and replaces an existing one. It works from this day on.",
        );
        let remove =
            b.action("remove_scarecrow", Vec::new(), "Takes the scarecrow away. No effect if there is no scarecrow.");
        b.shown_as(put, "put up a scarecrow", include_str!("sprites/badges/scarecrow.svg"));
        b.shown_as(remove, "took the scarecrow away", include_str!("sprites/badges/scarecrow.svg"));
        Box::new(equipment)
    }
}

#[derive(Columns)]
struct Equipment {
    strengths: ScarecrowStrength,
    /// Scarecrow on the field.
    #[category(names = &SCARECROWS)]
    scarecrow: Column<u8>,
    /// Number of birds that the scarecrow keeps away each day.
    #[count(name = "scarecrow_strength#nb", range = 0..=MAX_BIRDS as i32, default = f64::from(strengths.none), hidden, role = SCARECROW_STRENGTH)]
    strength: Column<i32>,
}

impl Behaviour for Equipment {
    /// The scarecrow may be an initial condition; its strength is derived from it.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        self.put(c.value(self.scarecrow), c);
    }

    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        self.put(wanted(action, arguments), c);
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        reader.get(self.scarecrow)[0] != wanted(action, arguments)
    }
}

impl Equipment {
    fn put(&self, scarecrow: u8, c: &Context<'_>) {
        c.get(self.scarecrow)[0].set(scarecrow);
        let ScarecrowStrength { none, basic, advanced } = self.strengths;
        let strength = [none, basic, advanced][usize::from(scarecrow).min(2)];
        c.get(self.strength)[0].set(strength.min(MAX_BIRDS) as i32);
    }
}

/// The scarecrow on the field after an action.
fn wanted(action: usize, arguments: CallArguments<'_>) -> u8 {
    // The words of the action leave out "none".
    if action == PUT { arguments.choice(0) as u8 + 1 } else { 0 }
}
