//! Extended attributes, the rights of single users and groups among them.

use cap_std::fs::File;
use rustix::buffer::spare_capacity;
use rustix::fs::{XattrFlags, fgetxattr, flistxattr, flistxattr_query, fremovexattr, fsetxattr};
use rustix::io::{Errno, Result};

/// Where the rights of single users and groups are kept.
const ACL: &str = "system.posix_acl_access";

/// The longest value of an extended attribute.
const MAX_VALUE_BYTES: usize = 64 << 10;

/// Gives a file those of the one that it replaces.
pub(super) fn keep(file: &File, replaced: Option<&File>) -> Result<()> {
    let mut has_acl = false;
    if let Some(replaced) = replaced {
        for name in names(replaced)? {
            if name == ACL {
                has_acl = true;
                copy(file, replaced, &name)?;
            } else if name.starts_with("user.") {
                // No right hangs on it.
                let _ = copy(file, replaced, &name);
            }
        }
    }
    if has_acl { Ok(()) } else { without_acl(file) }
}

/// Takes the rights away that a new file has from its directory, and the one before had not.
fn without_acl(file: &File) -> Result<()> {
    match fremovexattr(file, ACL) {
        Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(()),
        Err(error) => Err(error),
    }
}

fn copy(file: &File, replaced: &File, name: &str) -> Result<()> {
    let mut value = Vec::with_capacity(MAX_VALUE_BYTES);
    fgetxattr(replaced, name, spare_capacity(&mut value))?;
    fsetxattr(file, name, &value, XattrFlags::empty())
}

/// The names of a file's extended attributes, those that are text. A file system without any has none.
fn names(file: &File) -> Result<Vec<String>> {
    let mut list = match flistxattr_query(file) {
        Ok(0) | Err(Errno::OPNOTSUPP) => return Ok(Vec::new()),
        queried => Vec::with_capacity(queried?),
    };
    flistxattr(file, spare_capacity(&mut list))?;
    let names = list.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
    Ok(names.map(str::to_owned).collect())
}
