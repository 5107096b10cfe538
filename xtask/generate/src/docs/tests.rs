use super::*;

#[test]
fn the_site_is_built_without_a_warning_and_every_link_leads_somewhere() {
    let target = std::env::temp_dir().join(format!("farm-site-{}", std::process::id()));
    let site = build(&crate::root(), &target, None).unwrap();
    assert!(site.folder.join("index.html").is_file());
    assert!(site.pages > 60 && site.links > 10 * site.pages, "{site:?}");
    for page in ["docs/reference/entities/Soil.html", "docs/reference/games/clay_bean.html", "docs/concepts.html"] {
        assert!(site.folder.join(page).is_file(), "{page}");
    }
    fs::remove_dir_all(target).unwrap();
}

/// This is a single test, because generating the reference takes seconds.
#[test]
fn the_reference_says_what_is_declared_and_pages_name_registered_kinds() {
    let root = crate::root();
    let generated = reference::pages(&root, false).unwrap();
    says_what_is_declared(&generated);
    names_registered_kinds(&Pages::gather(&root, generated).unwrap());
}

/// Words in code that end like the names of policies, scores, rules and farmers must be kinds. A page may also define its own.
fn names_registered_kinds(pages: &Pages) {
    let mut found = 0;
    // Docstrings name classes of other libraries.
    let is_page = |path: &str| {
        path.ends_with(".md") && !path.ends_with("/python.md") && (path.starts_with("docs/") || !path.contains('/'))
    };
    for (path, content) in pages.files.iter().filter(|(path, _)| is_page(path)) {
        let text = String::from_utf8_lossy(content);
        let mut inside = false;
        let prose = text.lines().filter(|line| {
            let is_fence = line.starts_with("```");
            inside ^= is_fence;
            !inside && !is_fence
        });
        let prose = prose.collect::<Vec<_>>().join("\n");
        for quoted in prose.split('`').skip(1).step_by(2) {
            let name = quoted.split([':', ' ']).next().unwrap_or_default();
            let is_name =
                name.chars().all(|c| c.is_ascii_alphanumeric()) && name.starts_with(|c: char| c.is_ascii_uppercase());
            let is_kind =
                ["Policy", "Score", "Rule", "Farmer"].iter().any(|end| name.len() > end.len() && name.ends_with(end));
            if is_name && is_kind {
                let is_registered = farm_core::registry::kinds().iter().any(|kind| kind.name() == name);
                assert!(is_registered || text.contains(&format!("struct {name} ")), "{path} names `{name}`");
                found += 1;
            }
        }
    }
    assert!(found > 30, "only {found} names of kinds were found");
}

fn says_what_is_declared(pages: &[reference::Generated]) {
    let page = |path: &str| {
        let path = format!("docs/reference/{path}.md");
        pages.iter().find(|page| page.path == path).unwrap_or_else(|| panic!("no page {path}")).text.clone()
    };
    let soil = page("entities/Soil");
    for line in [
        "| `depth#m` |",
        "<br><small>m · a number · 0.01 … 10 · default `",
        "## Variables",
        "## Actions",
        "## Roles it reads",
        "## Pictures",
        "[clay_bean](../games/clay_bean.md)",
    ] {
        assert!(soil.contains(line), "{line}");
    }
    let bean = page("games/clay_bean");
    for line in [
        "## Scale and spaces",
        "## Rewards",
        "## Baselines",
        "## Observation",
        "| `expert` | [TriggerPolicy](../policies/TriggerPolicy.md) |",
    ] {
        assert!(bean.contains(line), "{line}");
    }
    let options = farm_games::Options { preset: Some("4x3".to_owned()), ..Default::default() };
    let variant = farm_games::open("clay_bean", &options).unwrap();
    let actions = variant.catalogue();
    let line = format!("| `4x3` | 12 | {} | {} |", actions.discrete_len(), actions.max_schedule());
    assert!(bean.contains(&line), "{line}");
    let games = page("games");
    for words in
        ["href=\"games/clay_bean.html\"", "clay_bean-v2, clay_bean-v0</small>", "1 plot · 250 steps · best mean "]
    {
        assert!(games.contains(words), "{words}");
    }
    let gallery = pages.iter().find(|page| page.path == "docs/gallery.md").unwrap().text.clone();
    for game in farm_games::CATALOGUE {
        assert!(
            gallery.contains(&format!("src=\"pictures/clips/{}.mp4#t=2\"", game.name)),
            "{} has no clip",
            game.name
        );
    }
    let clips = fs::read_dir(crate::root().join("docs/pictures/clips")).unwrap().count();
    assert_eq!(clips, farm_games::CATALOGUE.len());
    for words in ["## How the parts influence each other", "<svg", "Weather-0"] {
        assert!(bean.contains(words), "{words}");
    }
    for words in ["## Equations", "<math", "**REC**", "### Eq. 22: survival of the microlife"] {
        assert!(soil.contains(words), "{words}");
    }
    for kind in farm_core::registry::kinds() {
        let text = page(&format!("{}/{}", kind.part().plural(), kind.name()));
        for parameter in kind.table() {
            assert!(
                text.contains(&format!("| `{}` |", parameter.name())),
                "{} lacks {}",
                kind.name(),
                parameter.name()
            );
        }
        if let Some(part) = farm_core::inspect::declarations(kind) {
            let names = part.variables().iter().map(|v| v.name()).chain(part.actions().iter().map(|a| a.name()));
            for name in names.chain(part.events().iter().map(|e| e.name())) {
                assert!(text.contains(&format!("| `{name}` |")), "{} lacks {name}", kind.name());
            }
            let pictures = farm_core::inspect::pictures(kind);
            let sprite_rules = || {
                pictures
                    .iter()
                    .flat_map(|(_, part, picture)| picture.sprite_rules().iter().map(move |look| (part, look)))
            };
            let sprites =
                sprite_rules().filter(|(_, look)| matches!(look.sprite(), farm_core::declare::Sprite::Svg(_))).count();
            assert_eq!(text.matches("<img src=\"data:image/svg+xml,%3C").count(), sprites, "{}", kind.name());
            for (part, look) in sprite_rules() {
                let when = markdown::prose(&farm_core::inspect::look_text(part, look));
                assert!(text.contains(&format!("| {when} |")), "{} lacks {when}", kind.name());
            }
        }
    }
    for role in farm_core::registry::roles() {
        assert!(page("roles").contains(&format!("| <span id=\"{}\">", role.name().to_lowercase())), "{}", role.name());
    }
}

#[test]
fn a_page_that_no_summary_names_and_a_link_to_nothing_are_found() {
    let root = std::env::temp_dir().join(format!("farm-pages-{}", std::process::id()));
    let page = |path: &str, text: &str| write(&root.join(path), text.as_bytes()).unwrap();
    page("docs/SUMMARY.md", "# Summary\n\n- [A](a.md)\n- [B](../b/README.md)\n- [Reference](reference/index.md)\n");
    page("docs/style.css", "");
    page("docs/a.md", "# A\n\n[source](../code.rs), [B](../b/README.md#b), [reference](reference/index.md)\n");
    page("b/README.md", "# B\n\n[A](../docs/a.md)\n");
    page("code.rs", "fn main() {}\n");
    let gather = || {
        let page = markdown::Page::new("Reference");
        Pages::gather(&root, vec![reference::generated("index", "Reference", 0, page)])
    };
    let gathered = gather().unwrap();
    assert!(gathered.files.contains_key("code.rs.txt"));
    let text = String::from_utf8_lossy(&gathered.files["docs/a.md"]).into_owned();
    assert_eq!(text, "# A\n\n[source](../code.rs.txt), [B](../b/index.md#b), [reference](reference/index.md)\n");
    page("docs/b.md", "# B\n");
    let error = gather().unwrap_err().to_string();
    assert_eq!(error, "docs/b.md is a page that docs/SUMMARY.md does not name");
    fs::remove_file(root.join("docs/b.md")).unwrap();
    page("docs/a.md", "# A\n\n[gone](gone.md)\n");
    let error = gather().unwrap_err().to_string();
    assert_eq!(error, "docs/a.md links to gone.md, which is neither a page nor a file");
    fs::remove_dir_all(root).unwrap();
}
