//! Every number of a sheet, by its path in the JSON, so that no figure stays rounded.

use serde_json::Value;

use super::escaped;
use crate::par::sheet::Par;

/// Writes the numbers of a sheet.
pub(super) fn appendix(id: &str, sheet: &Par) -> String {
    let mut found = Vec::new();
    // A sheet consists of texts, numbers and lists, and its keys are texts.
    let value = serde_json::to_value(sheet).expect("a sheet is JSON");
    walk(&value, &mut String::new(), &mut found);
    let id = escaped(id);
    let mut text = format!(
        "<section class=\"fractions\" id=\"{id}-fractions\">\n<details>\n\
         <summary>Every number, exactly ({}), by its place in the JSON</summary>\n\
         <div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Every number, exactly\">\n<table>\n\
         <caption>Every number, exactly</caption>\n<thead>\n<tr><th scope=\"col\">Place</th>\
         <th scope=\"col\" class=\"figure\">Number or numerator</th>\
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

fn whole(path: &str, number: String, found: &mut Vec<[String; 4]>) {
    found.push([path.to_owned(), number, String::new(), String::new()]);
}

/// Whether a text is a number, and nothing else.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let all = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    all(whole) && all(part)
}

/// Collects numbers, a fraction by its numerator, denominator and decimal.
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
        Value::Number(number) => whole(path, number.to_string(), found),
        Value::String(text) if is_number(text) => {
            let point = text.contains('.');
            if point {
                found.push([path.clone(), String::new(), String::new(), text.clone()]);
            } else {
                whole(path, text.clone(), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}
