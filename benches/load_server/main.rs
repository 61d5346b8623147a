//! The server that `benches/load.py` measures: the real one, with an echo beside it.

mod measured;

/// The servers' allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if !measured::run()? {
        println!("the server of a measurement: run benches/load.py");
    }
    Ok(())
}
