//! Parts that limit the growth of plants, such as a disease. Each part has its own name among the growth limits.

use farm_core::config::{LimitError, Path, Problem};
use farm_core::declare::{Own, OwnEvent, PartInfo, ValueKind, VariableInfo};
use farm_core::math::ln;
use farm_core::{Column, Context, Declarations, Found, Known};
use farm_roles::GROWTH_HINDRANCE;

/// Maximum number of causes that a one-byte category can distinguish.
const MAX_LIMITS: usize = 256;

/// A part that limits growth.
pub(super) struct Hindrance {
    share: Column<f64>,
    /// Its number among the growth limits.
    limit: u8,
}

/// Whether a variable concerns a part: the variable's name ends in this part, such as `sick_leaves#prop.Plant-1`, or in no part.
pub(super) fn concerns(variable: &VariableInfo, part: &PartInfo) -> bool {
    let named = variable.name().split_once('#').and_then(|(_, unit)| unit.split_once('.'));
    named.is_none_or(|(_, named)| named == part.name())
}

/// The providers of `GROWTH_HINDRANCE` that concern a part.
fn providers<'k>(known: &Known<'k>, of: &PartInfo) -> Vec<(&'k PartInfo, &'k VariableInfo)> {
    known.declarations(GROWTH_HINDRANCE).into_iter().filter(|(_, share)| concerns(share, of)).collect()
}

/// The names of the growth limits: first the `own` limits of the plants, and then the parts that limit growth. Each of these limits is named
/// after its part, or after the part's path if another part has the same name. Also returns the variables of these parts, each with the
/// number of its limit.
fn growth_limits<'k>(known: &Known<'k>, of: &PartInfo, own: &[&str]) -> (Vec<String>, Vec<(&'k VariableInfo, u8)>) {
    let providers = providers(known, of);
    let mut limits = own.iter().map(|limit| String::from(*limit)).collect::<Vec<String>>();
    let mut owners: Vec<(&str, u8)> = Vec::new();
    let mut hindrances = Vec::new();
    for (part, share) in providers.into_iter().take(MAX_LIMITS - own.len()) {
        let limit = match owners.iter().find(|(owner, _)| *owner == part.path()) {
            Some((_, limit)) => *limit,
            None => {
                let name = part.name().to_owned();
                let limit = limits.len() as u8;
                // The name of a category is one word.
                let path = || part.path().replace(char::is_whitespace, "_");
                limits.push(if limits.contains(&name) { path() } else { name });
                owners.push((part.path(), limit));
                limit
            }
        };
        hindrances.push((share, limit));
    }
    (limits, hindrances)
}

/// Gives a variable and an event the names of the growth limits, after the `own` limits of the plants.
pub(super) fn name_limits(
    d: &mut Declarations<'_>,
    known: &Known<'_>,
    own: &[&str],
    (limited_by, limited): (Own<u8>, OwnEvent),
) {
    let (count, most) = (providers(known, d.part()).len(), MAX_LIMITS - own.len());
    if count > most {
        let message = format!("{count} parts limit the growth of the plants");
        let problem = Problem::new(LimitError::GameTooLarge, Path::default(), message).about_name();
        d.problem(problem.expected(format!("at most {most}")));
    }
    let (limits, _) = growth_limits(known, d.part(), own);
    d.set_kind(limited_by, ValueKind::named(&limits));
    d.rename_event_values(limited, limits);
}

/// The parts that limit growth.
pub(super) fn hindrances(found: &Found<'_>, own: &[&str]) -> Vec<Hindrance> {
    let (_, hindrances) = growth_limits(found, found.part(), own);
    hindrances.into_iter().filter_map(|(share, limit)| Some(Hindrance { share: share.column()?, limit })).collect()
}

/// The share of growth that remains on a plot under all hindrances together (Farm-gym Eq. 1). Also returns the worst hindrance if its
/// penalty in the exponent of the response is above `penalty`.
///
/// f = Π (1 − h), and 1 − h = exp(−p): a hindrance is a further term p = −ln(1 − h) of the response
#[farm_core::equation("1")]
pub(super) fn hindered(hindrances: &[Hindrance], plot: usize, penalty: f64, c: &Context<'_>) -> (f64, Option<u8>) {
    let (mut left, mut most, mut worst) = (1.0, penalty, None);
    for hindrance in hindrances {
        let share = c.get(hindrance.share)[plot].get().clamp(0.0, 1.0);
        let penalty = if share < 1.0 { -ln(1.0 - share) } else { f64::INFINITY };
        left *= 1.0 - share;
        if penalty > most {
            (most, worst) = (penalty, Some(hindrance.limit));
        }
    }
    (left, worst)
}
