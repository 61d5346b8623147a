//! Every fraction of a sheet, by its path in the JSON: no figure is left rounded.

use serde_json::Value;

use super::escaped;
use crate::lab::par::sheet::Par;

/// Writes the fractions of a sheet.
pub(super) fn appendix(id: &str, sheet: &Par) -> String {
    let mut found = Vec::new();
    // A sheet is made of texts, numbers and lists, and its keys are texts.
    let value = serde_json::to_value(sheet).expect("a sheet is JSON");
    walk(&value, &mut String::new(), &mut found);
    let id = escaped(id);
    let mut text = format!(
        "<section class=\"fractions\" id=\"{id}-fractions\">\n<details>\n\
         <summary>Every figure as a fraction ({}), by its place in the JSON</summary>\n\
         <div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Fractions\">\n<table>\n\
         <caption>Every figure as a fraction</caption>\n<thead>\n<tr><th scope=\"col\">Place</th>\
         <th scope=\"col\" class=\"figure\">Numerator</th>\
         <th scope=\"col\" class=\"figure\">Denominator</th>\
         <th scope=\"col\" class=\"figure\">Decimal</th></tr>\n</thead>\n<tbody>\n",
        found.len()
    );
    for [path, num, den, decimal] in &found {
        text += &format!(
            "<tr><th scope=\"row\">{}</th><td class=\"figure\">{num}</td>\
             <td class=\"figure\">{den}</td><td class=\"figure\">{decimal}</td></tr>\n",
            escaped(path)
        );
    }
    text + "</tbody>\n</table>\n</div>\n</details>\n</section>\n"
}

/// Collects what has a numerator, a denominator and a decimal.
fn walk(value: &Value, path: &mut String, found: &mut Vec<[String; 4]>) {
    let length = path.len();
    match value {
        Value::Object(members) => {
            let text = |key: &str| members.get(key).and_then(Value::as_str).map(str::to_owned);
            if let (Some(num), Some(den), Some(decimal)) =
                (text("num"), text("den"), text("decimal"))
            {
                found.push([path.clone(), num, den, decimal]);
                return;
            }
            for (key, member) in members {
                if length > 0 {
                    path.push('.');
                }
                path.push_str(key);
                walk(member, path, found);
                path.truncate(length);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                path.push_str(&format!("[{place}]"));
                walk(item, path, found);
                path.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
