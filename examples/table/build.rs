//! Lists the files of the page, to be compiled in.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=page");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("page");
    let mut files: Vec<_> = fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    files.sort();
    let mut list = String::from("[\n");
    for file in files {
        let name = file.file_name().and_then(|name| name.to_str()).ok_or("a name is no text")?;
        let kind = match name.rsplit_once('.') {
            Some((_, "html")) => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "svg")) => "image/svg+xml",
            Some(_) | None => return Err(format!("{name}: a page has no such file").into()),
        };
        writeln!(
            list,
            "    ({name:?}, {kind:?}, include_str!({:?})),",
            file.display().to_string()
        )?;
    }
    list += "]\n";
    fs::write(Path::new(&env::var("OUT_DIR")?).join("page.rs"), list)?;
    Ok(())
}
