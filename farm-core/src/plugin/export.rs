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
use crate::config::{PartKind, Path, Problem, Problems, code_areas};
use crate::declare::Declarations;
use crate::failure::{Failure, problem_of};
use crate::game::Game;
use crate::part::{
    Agent, Behaviour, Bind, BoxedFrom, Entity, Farmer, FarmerBehaviour, Next, Policy, Rule, Score, ScoreBehaviour,
    Trait,
};
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

impl<P> Shell<P> {
    /// Calls the part's own code.
    fn call<'s, T>(&'s self, body: impl FnOnce(&'s P) -> T) -> Result<T, String> {
        match &self.part {
            Some(part) => caught(|| body(part)),
            None => Err("it has been dropped".to_owned()),
        }
    }
}

/// Catches the panics in what remains of a part after its declaration, and in its behaviour.
fn guarded<'s, B>(bind: Bind<'s, B>, path: String) -> Bind<'s, B>
where
    B: ?Sized + Trait + BoxedFrom<Guarded<B>> + 'static,
{
    match bind.0 {
        Next::Bind(bind) => Bind::boxed(move |found| match caught(|| bind(found)) {
            Ok(behaviour) => B::boxed(Guarded::new(behaviour, path)),
            Err(message) => {
                found.problem(panicked(path, "bind", message));
                B::absent()
            }
        }),
        Next::Declare(second) => Bind::after(move |declarations, known| match caught(|| second(declarations, known)) {
            Ok(bind) => guarded(bind, path),
            Err(message) => {
                declarations.problem(panicked(path, "declare", message));
                Bind::boxed(|_| B::absent())
            }
        }),
    }
}

/// The problem to report for a panic while a part declares or is bound.
fn panicked(part: String, method: &str, message: String) -> Problem {
    let plugin = HOST.get().map_or("", |(_, plugin)| plugin).to_owned();
    problem_of(Path::default(), &Failure { plugin, part, method: method.to_owned(), message }.to_string())
}

macro_rules! remote {
    ($part:ty { $($methods:item)* }) => {
        impl Remote for Shell<Box<$part>> {
            fn parameters(&self) -> &str {
                &self.parameters
            }

            fn instance_name(&self) -> Option<&str> {
                self.instance_name.as_deref()
            }

            $($methods)*
        }
    };
}

macro_rules! declaring {
    ($part:ident, $method:ident, $behaviour:ident) => {
        remote!(dyn $part {
            fn $method(&self, declarations: &mut Declarations<'_>) -> Result<Bind<'_, dyn $behaviour>, String> {
                let path = declarations.part().path().to_owned();
                Ok(guarded(self.call(|part| part.declare(declarations))?, path))
            }
        });
    };
}

declaring!(Entity, entity, Behaviour);
declaring!(Farmer, farmer, FarmerBehaviour);
declaring!(Score, score, ScoreBehaviour);

remote!(dyn Rule {
    fn rule(&self, builder: &mut RuleBuilder<'_>) -> Result<Rules, String> {
        self.call(|part| part.build(builder))
    }
});

remote!(dyn Policy {
    fn policy(&self, game: &Game) -> Result<Result<Box<dyn Agent>, Problems>, String> {
        self.call(|part| {
            let kind = part.typetag_name().to_owned();
            let player: Box<dyn Agent> = Box::new(Guarded::new(part.build(game)?, kind));
            Ok(player)
        })
    }

    fn knows_hidden(&self, game: &Game) -> Result<bool, String> {
        self.call(|part| part.knows_hidden(game))
    }
});

impl<P> Drop for Shell<P> {
    fn drop(&mut self) {
        dropped(self.part.take());
    }
}

/// Drops a value from the plugin and ignores any panic.
pub(super) fn dropped<T>(value: T) {
    drop(caught(|| drop(value)));
}
