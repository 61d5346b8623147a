//! Generates the client of the gRPC contract, without `protoc`.

const PROTOS: [&str; 2] = ["paigow/v1/paigow_service.proto", "paigow/v1/error_reason.proto"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto");
    tonic_prost_build::configure()
        .build_server(false)
        .extern_path(".paigow.v1", "::paigow_proto::v1")
        .compile_fds(protox::compile(PROTOS, ["proto"])?)?;
    Ok(())
}
