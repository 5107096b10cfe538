use super::*;

#[test]
fn the_site_is_built_without_a_warning_and_every_link_leads_somewhere() {
    let target = std::env::temp_dir().join(format!("farm-site-{}", std::process::id()));
    let site = build(&crate::root(), &target).unwrap();
    assert!(site.folder.join("index.html").is_file());
    assert!(site.pages > 60 && site.links > 10 * site.pages, "{site:?}");
    for page in ["docs/reference/entities/Soil.html", "docs/reference/games/clay_bean.html", "docs/concepts.html"] {
        assert!(site.folder.join(page).is_file(), "{page}");
    }
    fs::remove_dir_all(target).unwrap();
}
