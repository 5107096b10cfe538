//! Draws the influences between a game's parts: `farm graph` as SVG.

use farm_core::Game;
use farm_core::inspect::influences;
use layout::backends::svg::SVGWriter;
use layout::core::base::Orientation;
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;

/// Width of a letter in pixels, and the space around a name.
const LETTER: f64 = 9.0;
const MARGIN: f64 = 24.0;
const HEIGHT: f64 = 40.0;

/// The drawing; none if no part influences another.
pub(super) fn svg(game: &Game) -> Option<String> {
    let all = influences(game.parts());
    if all.is_empty() {
        return None;
    }
    let mut graph = VisualGraph::new(Orientation::LeftToRight);
    let is_single = game.fields().len() == 1;
    let nodes: Vec<_> = game
        .parts()
        .iter()
        .enumerate()
        .map(|(index, part)| {
            // A part without arrows is left out.
            all.iter().any(|influence| influence.from() == index || influence.to() == index).then(|| {
                let name = if is_single { part.name() } else { part.path() };
                let size = Point::new(name.chars().count() as f64 * LETTER + MARGIN, HEIGHT);
                let shape = ShapeKind::new_box(name);
                graph.add_node(Element::create(shape, StyleAttr::simple(), Orientation::LeftToRight, size))
            })
        })
        .collect();
    for influence in &all {
        if let (Some(Some(from)), Some(Some(to))) = (nodes.get(influence.from()), nodes.get(influence.to())) {
            graph.add_edge(Arrow::simple(""), *from, *to);
        }
    }
    let mut writer = SVGWriter::new();
    graph.do_it(false, false, false, &mut writer);
    // It is part of a page: without a declaration, and without empty lines, which would end the block in Markdown.
    let written = writer.finalize();
    let svg = written.split_once("?>").map_or(written.as_str(), |(_, rest)| rest);
    let lines = svg.lines().filter(|line| !line.trim().is_empty());
    Some(lines.collect::<Vec<_>>().join("\n"))
}

/// The arrows in words, with the roles that do not fit in the drawing. They are for readers who can't see the drawing.
pub(super) fn rows(game: &Game) -> Vec<(String, String, Vec<&'static str>)> {
    let name = |index: usize| game.parts().get(index).map_or(String::new(), |part| part.path().to_owned());
    let row = |influence: &farm_core::inspect::Influence| {
        (name(influence.from()), name(influence.to()), influence.roles().to_vec())
    };
    influences(game.parts()).iter().map(row).collect()
}
