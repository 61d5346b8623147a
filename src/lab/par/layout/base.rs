//! The base game on a page.

use super::super::page::Section;
use super::super::sheet::Par;

pub(super) fn section(sheet: &Par) -> Section {
    let section = Section::new("base", "Base game");
    match &sheet.base.without_figures {
        Some(why) => section.say(why.clone()),
        None => section,
    }
}
