//! The names of entries.

use rawzip::ZipFileHeaderRecord;
use rawzip::extra_fields::ExtraFieldId;

use super::PackageError;
use super::crc::crc32;

/// The characters of the bytes from 0x80 on in code page 437.
const CODE_PAGE: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
                         αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The name of an entry. Some Windows programs write `\` between folders, where APPNOTE.TXT (4.4.17.1) has `/`.
///
/// # Errors
/// [`PackageError`] when it leads out of the package, is empty or has control characters.
pub(super) fn checked(record: &ZipFileHeaderRecord<'_>) -> Result<String, PackageError> {
    let name = unicode(record).map_or_else(|| decoded(record.file_path().as_bytes()), str::to_owned);
    let name = name.replace('\\', "/");
    if !is_inside(&name) {
        return Err(PackageError::UnsafeName(name));
    }
    if name.is_empty() || name.contains(char::is_control) {
        return Err(PackageError::OddName(name));
    }
    Ok(name)
}

/// The name that Info-ZIP's field gives in place of the one whose checksum it has.
fn unicode<'a>(record: &'a ZipFileHeaderRecord<'_>) -> Option<&'a str> {
    // Once, as there can be thousands of such fields.
    let mut checksum = None;
    let valid = record.extra_fields().filter_map(|(id, field)| {
        let field = (id == ExtraFieldId::INFO_ZIP_UNICODE_PATH).then_some(field)?;
        let (crc, name) = field.get(1..)?.split_first_chunk()?;
        let actual = *checksum.get_or_insert_with(|| crc32(record.file_path().as_bytes()));
        (u32::from_le_bytes(*crc) == actual).then(|| str::from_utf8(name).ok())?
    });
    valid.last()
}

/// Many archives do not say that their names are UTF-8; what cannot be is in the code page that zip began with.
fn decoded(raw: &[u8]) -> String {
    let of_code_page = |_| {
        let page: Vec<char> = ('\0'..'\u{80}').chain(CODE_PAGE.chars()).collect();
        raw.iter().filter_map(|byte| page.get(usize::from(*byte))).collect()
    };
    str::from_utf8(raw).map_or_else(of_code_page, str::to_owned)
}

/// True if a name stays inside the package on every system.
fn is_inside(name: &str) -> bool {
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    !name.starts_with('/') && !has_drive && name.split('/').all(|part| part != "..")
}

/// `._x.yaml` is what some systems leave beside `x.yaml`.
pub(super) fn is_root_yaml(name: &str) -> bool {
    let is_yaml = |extension: &str| {
        let at = name.len().wrapping_sub(extension.len());
        at > 0 && name.get(at..).is_some_and(|it| it.eq_ignore_ascii_case(extension))
    };
    !name.contains('/') && !name.starts_with("._") && (is_yaml(".yaml") || is_yaml(".yml"))
}
