//! Compiles the messages of the gRPC contract, without `protoc`, and generates the `Debug` of
//! each message that has a field marked `debug_redact`.

use std::fmt::Write as _;
use std::path::PathBuf;

use protox::prost_reflect::{
    DescriptorPool, FieldDescriptor, MessageDescriptor, OneofDescriptor, Value,
};

const PROTOS: [&str; 2] = ["paigow/v1/paigow_service.proto", "paigow/v1/error_reason.proto"];
const PACKAGE: &str = "paigow.v1";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto");
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler.include_imports(true).include_source_info(true).open_files(PROTOS)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("paigow_v1.bin"), compiler.encode_file_descriptor_set())?;

    let pool = compiler.descriptor_pool();
    let redacted: Vec<MessageDescriptor> = pool
        .all_messages()
        .filter(|message| message.package_name() == PACKAGE)
        .filter(|message| message.fields().any(|field| is_redacted(&field)))
        .collect();
    let mut debug = String::new();
    for message in &redacted {
        if message.parent_message().is_some() {
            return Err(format!("{message:?} is nested: this script cannot name its type").into());
        }
        write_message(&mut debug, message)?;
        for oneof in message.oneofs().filter(|oneof| !oneof.is_synthetic()) {
            write_oneof(&mut debug, message, &oneof)?;
        }
    }
    std::fs::write(out.join("debug.rs"), debug)?;
    std::fs::write(out.join("metadata.rs"), metadata(&pool)?)?;

    // A path also covers the `oneof`s of its message.
    let paths = redacted.iter().map(|message| format!(".{}", message.full_name()));
    prost_build::Config::new().skip_debug(paths).compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}

/// Writes the keys of `ErrorInfo.metadata` that the options of each reason name.
fn metadata(pool: &DescriptorPool) -> Result<String, Box<dyn std::error::Error>> {
    let extension = |name: &str| {
        let full_name = format!("{PACKAGE}.{name}");
        pool.get_extension_by_name(&full_name).ok_or(format!("no option {full_name}"))
    };
    let options = [extension("metadata")?, extension("optional_metadata")?];
    let reasons = pool.get_enum_by_name(&format!("{PACKAGE}.ErrorReason")).ok_or("no reasons")?;
    let mut arms = String::new();
    for value in reasons.values() {
        let name = value.name().strip_prefix("ERROR_REASON_").ok_or("a reason by another name")?;
        let keys = options.each_ref().map(|option| {
            let set = value.options();
            let keys = set.get_extension(option);
            let keys: Vec<&str> =
                keys.as_list().unwrap_or_default().iter().filter_map(Value::as_str).collect();
            format!("&{keys:?}")
        });
        let variant = upper_camel(&name.to_ascii_lowercase());
        let [always, at_times] = keys;
        writeln!(arms, "Self::{variant} => ({always}, {at_times}),")?;
    }
    Ok(format!(
        "impl ErrorReason {{\n\
         /// Returns the keys of `ErrorInfo.metadata`: those that are always there with the reason,\n\
         /// and those that may be.\n\
         #[must_use]\n\
         pub const fn metadata(self) -> (&'static [&'static str], &'static [&'static str]) {{\n\
         match self {{\n{arms}}}\n}}\n}}"
    ))
}

/// Returns whether the contract marks a field `debug_redact`.
fn is_redacted(field: &FieldDescriptor) -> bool {
    let options = field.options();
    let value = options.get_field_by_name("debug_redact");
    value.is_some_and(|value| value.as_bool() == Some(true))
}

/// Writes the `Debug` of a message: its clear fields, the counts of its redacted repeated
/// fields, and the selected member of each `oneof`.
fn write_message(out: &mut String, message: &MessageDescriptor) -> std::fmt::Result {
    let name = message.name();
    let mut printed = String::new();
    for field in message.fields() {
        let field_name = field.name();
        if field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic()) {
            // Part of the `oneof` below.
        } else if !is_redacted(&field) {
            write!(printed, ".field({field_name:?}, &self.r#{field_name})")?;
        } else if field.is_list() || field.is_map() {
            write!(printed, ".field({field_name:?}, &self.r#{field_name}.len())")?;
        }
    }
    for oneof in message.oneofs().filter(|oneof| !oneof.is_synthetic()) {
        write!(printed, ".field({0:?}, &self.r#{0})", oneof.name())?;
    }
    writeln!(
        out,
        "impl ::core::fmt::Debug for {name} {{\n\
         fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{\n\
         f.debug_struct({name:?}){printed}.finish_non_exhaustive()\n}}\n}}"
    )
}

/// Writes the `Debug` of a `oneof`: the name of its member, and the value of a clear member.
fn write_oneof(
    out: &mut String,
    message: &MessageDescriptor,
    oneof: &OneofDescriptor,
) -> std::fmt::Result {
    let mut members = String::new();
    for field in oneof.fields() {
        let member = upper_camel(field.name());
        if is_redacted(&field) {
            writeln!(members, "Self::{member}(_) => f.write_str(\"{member}(..)\"),")?;
        } else {
            writeln!(
                members,
                "Self::{member}(value) => f.debug_tuple({member:?}).field(value).finish(),"
            )?;
        }
    }
    let (module, name) = (snake(message.name()), upper_camel(oneof.name()));
    writeln!(
        out,
        "impl ::core::fmt::Debug for {module}::{name} {{\n\
         fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {{\n\
         match self {{\n{members}}}\n}}\n}}"
    )
}

/// Returns `SetHouseWay` for `set_house_way`.
fn upper_camel(snake: &str) -> String {
    let word = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    snake.split('_').filter(|part| !part.is_empty()).map(word).collect()
}

/// Returns `set_house_way` for `SetHouseWay`.
fn snake(camel: &str) -> String {
    let mut out = String::new();
    for (i, c) in camel.chars().enumerate() {
        if c.is_ascii_uppercase() && i > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
