//! The plugin's side of the ABI. It is compiled into the plugin and catches all panics.
//!
//! The program never runs its own copy of this module. It reaches the plugin's copy through [`super::Descriptor`].

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use serde::Serialize;
use serde_yaml::{Mapping, Value};

use super::abi::{CodesText, Host, KindText, Manifest, Remote, RoleText};
use super::catch::Guarded;
use crate::config::{PartKind, Problems, code_areas};
use crate::declare::Builder;
use crate::game::Game;
use crate::part::{Agent, Behaviour, Entity, Farmer, FarmerBehaviour, Policy, Rule, Score, ScoreBehaviour};
use crate::registry::{Kind, PartObject, kinds, read_part, roles};
use crate::rules::{RuleBuilder, Rules};

/// The program's functions, and the plugin's name.
static HOST: OnceLock<(Host, &'static str)> = OnceLock::new();

thread_local! {
    /// The number of nested calls into this plugin on this thread.
    static CALLS: Cell<u32> = const { Cell::new(0) };
    /// The message and location of the last panic during these calls.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs code that may panic. The error is the panic's message and location.
#[inline]
pub(super) fn caught<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    CALLS.set(CALLS.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(body));
    CALLS.set(CALLS.get() - 1);
    result.map_err(said)
}

#[cold]
fn said(panic: Box<dyn Any + Send>) -> String {
    let text = SAID.take();
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    let bare = owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned();
    // A panic's payload may itself panic when it is dropped.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
    if text.is_empty() { bare } else { text }
}

/// Reports to the program that one of a part's methods panicked.
#[cold]
pub(super) fn note(part: &str, method: &str, message: &str) {
    if let Some((host, plugin)) = HOST.get() {
        (host.note)(plugin, part, method, message);
    }
}

/// Installs a hook that stores the messages from panics that will be caught. Other panics are printed as usual.
fn keep_what_panics_say() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if CALLS.get() == 0 {
            return before(info);
        }
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map(|l| format!(" ({}:{}:{})", l.file(), l.line(), l.column())).unwrap_or_default();
        SAID.set(format!("{message}{place}"));
    }));
}

/// Stores the program's functions, and returns the contents of the plugin's crate.
///
/// # Errors
/// The code panicked, or this function was called a second time. After a panic, the error is the panic message.
pub fn register(host: Host, plugin: &'static str, module: &'static str) -> Result<String, String> {
    HOST.set((host, plugin)).map_err(|_| "it was registered before".to_owned())?;
    keep_what_panics_say();
    caught(|| {
        let own = krate(module);
        let kinds = kinds().iter().filter(|kind| krate(kind.module) == own).map(|kind| text_of(kind));
        let roles = roles().into_iter().filter(|role| krate(role.module) == own).map(|role| RoleText {
            name: role.name.to_owned(),
            unit: role.unit.to_owned(),
            doc: role.doc.to_owned(),
            region: role.region,
            scalar: role.scalar,
            plain: role.plain,
            range: role.range,
            module: role.module.to_owned(),
        });
        let codes = code_areas().into_iter().filter(|area| krate(area.module) == own).map(|area| CodesText {
            area: area.name.to_owned(),
            doc: area.doc.to_owned(),
            codes: area.codes.iter().map(|code| (code.name.to_owned(), code.doc.to_owned())).collect(),
            module: area.module.to_owned(),
        });
        let manifest = Manifest { kinds: kinds.collect(), roles: roles.collect(), codes: codes.collect() };
        serde_yaml::to_string(&manifest).map_err(|error| error.to_string())
    })?
}

/// The name of the crate that a module belongs to.
fn krate(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}

fn text_of(kind: &Kind) -> KindText {
    KindText {
        part: kind.part,
        name: kind.name.to_owned(),
        doc: kind.doc.to_owned(),
        source: kind.source.to_owned(),
        table: kind.table(),
        sets: kind.sets.to_owned(),
        open: kind.open.map(str::to_owned),
        module: kind.module.to_owned(),
    }
}

/// A part, together with its parameters as text.
struct Shell<P> {
    /// `None` only while being dropped.
    part: Option<P>,
    parameters: String,
    instance_name: Option<String>,
}

/// Reads a part from `parameters`, given as YAML.
///
/// # Errors
/// The parameters are not valid, or the code panicked; the error is then the panic message.
pub fn read(part: PartKind, kind: &str, parameters: &str) -> Result<Box<dyn Remote>, String> {
    caught(|| {
        let value: Value = serde_yaml::from_str(parameters).map_err(|error| error.to_string())?;
        let tagged = Value::Mapping([(Value::from(kind), value)].into_iter().collect::<Mapping>());
        Ok(match part {
            PartKind::Entity => boxed::<Box<dyn Entity>>(tagged, |part| part.instance_name())?,
            PartKind::Farmer => boxed::<Box<dyn Farmer>>(tagged, |part| part.instance_name())?,
            PartKind::Score => boxed::<Box<dyn Score>>(tagged, |part| part.instance_name())?,
            PartKind::Rule => boxed::<Box<dyn Rule>>(tagged, |_| None)?,
            PartKind::Policy => boxed::<Box<dyn Policy>>(tagged, |_| None)?,
        })
    })?
}

fn boxed<P>(tagged: Value, instance_name: impl FnOnce(&P) -> Option<&str>) -> Result<Box<dyn Remote>, String>
where
    P: PartObject + Serialize + 'static,
    Shell<P>: Remote,
{
    let part: P = read_part(tagged).map_err(|error| error.to_string())?;
    let written = serde_yaml::to_value(&part).map_err(|error| error.to_string())?;
    // The parameters are below the part's tag.
    let parameters = written.as_mapping().and_then(|mapping| mapping.values().next()).cloned().unwrap_or_default();
    let parameters = serde_yaml::to_string(&parameters).map_err(|error| error.to_string())?;
    let instance_name = instance_name(&part).map(str::to_owned);
    Ok(Box::new(Shell { part: Some(part), parameters, instance_name }))
}

/// The error for calling a method that belongs to another type of part. The program never makes such a call.
fn other<T>() -> Result<T, String> {
    Err("it is another type of part".to_owned())
}

macro_rules! remote {
    ($part:ty, $($method:ident ( $argument:ident : $ty:ty ) -> $result:ty : $build:expr),* ; $($not:ident ( $other:ty ) -> $none:ty),*) => {
        impl Remote for Shell<Box<$part>> {
            fn parameters(&self) -> &str {
                &self.parameters
            }

            fn instance_name(&self) -> Option<&str> {
                self.instance_name.as_deref()
            }

            $( fn $method(&self, $argument: $ty) -> Result<$result, String> {
                let build: fn(&$part, $ty) -> $result = $build;
                match &self.part {
                    Some(part) => caught(|| build(part.as_ref(), $argument)),
                    None => other(),
                }
            } )*

            $( fn $not(&self, _: $other) -> Result<$none, String> {
                other()
            } )*
        }
    };
}

remote!(dyn Entity, entity(builder: &mut Builder<'_>) -> Box<dyn Behaviour>: |part, builder| {
    let path = builder.path().to_owned();
    Box::new(Guarded::new(part.build(builder), path))
}; farmer(&mut Builder<'_>) -> Box<dyn FarmerBehaviour>, score(&mut Builder<'_>) -> Box<dyn ScoreBehaviour>,
   rule(&mut RuleBuilder<'_>) -> Rules, policy(&Game) -> Result<Box<dyn Agent>, Problems>,
   knows_hidden(&Game) -> bool);

remote!(dyn Farmer, farmer(builder: &mut Builder<'_>) -> Box<dyn FarmerBehaviour>: |part, builder| {
    let path = builder.path().to_owned();
    Box::new(Guarded::new(part.build(builder), path))
}; entity(&mut Builder<'_>) -> Box<dyn Behaviour>, score(&mut Builder<'_>) -> Box<dyn ScoreBehaviour>,
   rule(&mut RuleBuilder<'_>) -> Rules, policy(&Game) -> Result<Box<dyn Agent>, Problems>,
   knows_hidden(&Game) -> bool);

remote!(dyn Score, score(builder: &mut Builder<'_>) -> Box<dyn ScoreBehaviour>: |part, builder| {
    let path = builder.path().to_owned();
    Box::new(Guarded::new(part.build(builder), path))
}; entity(&mut Builder<'_>) -> Box<dyn Behaviour>, farmer(&mut Builder<'_>) -> Box<dyn FarmerBehaviour>,
   rule(&mut RuleBuilder<'_>) -> Rules, policy(&Game) -> Result<Box<dyn Agent>, Problems>,
   knows_hidden(&Game) -> bool);

remote!(dyn Rule, rule(builder: &mut RuleBuilder<'_>) -> Rules: |part, builder| part.build(builder);
    entity(&mut Builder<'_>) -> Box<dyn Behaviour>, farmer(&mut Builder<'_>) -> Box<dyn FarmerBehaviour>,
    score(&mut Builder<'_>) -> Box<dyn ScoreBehaviour>, policy(&Game) -> Result<Box<dyn Agent>, Problems>,
   knows_hidden(&Game) -> bool);

remote!(dyn Policy, policy(game: &Game) -> Result<Box<dyn Agent>, Problems>: |part, game| {
    let kind = part.typetag_name().to_owned();
    let player: Box<dyn Agent> = Box::new(Guarded::new(part.build(game)?, kind));
    Ok(player)
}, knows_hidden(game: &Game) -> bool: |part, game| part.knows_hidden(game);
   entity(&mut Builder<'_>) -> Box<dyn Behaviour>, farmer(&mut Builder<'_>) -> Box<dyn FarmerBehaviour>,
   score(&mut Builder<'_>) -> Box<dyn ScoreBehaviour>, rule(&mut RuleBuilder<'_>) -> Rules);

impl<P> Drop for Shell<P> {
    fn drop(&mut self) {
        dropped(self.part.take());
    }
}

/// Drops a value from the plugin and ignores any panic.
pub(super) fn dropped<T>(value: T) {
    drop(caught(|| drop(value)));
}
