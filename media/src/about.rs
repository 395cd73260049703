//! Descriptions of files.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::canned_replies::canned_reply::CannedReplyFile;
use switchboard_actors::domain::id::{AccountId, MediaId, UserId};
use switchboard_actors::domain::text::FileName;
use switchboard_actors::domain::text::file_name::shortened;
use switchboard_actors::domain::time::UnixMillis;

/// The description of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The form of this record.
    pub form: u32,
    /// The file's id.
    pub id: MediaId,
    /// The account that it belongs to.
    pub account: AccountId,
    /// Its user who uploaded it; `None` for a copy of a file that a customer sent.
    pub(crate) uploaded_by: Option<UserId>,
    /// The time of the upload.
    pub at: UnixMillis,
    /// The name given by its owner, without anything that could pass for a path.
    pub name: FileName,
    /// Its size.
    pub bytes: u64,
    /// The CRC-32 (IEEE) of its content.
    pub(crate) crc32: u32,
    /// The type by its content; the type declared by its owner counts where the content leaves several types open.
    pub content_type: String,
    /// The further facts of a picture; `None` for other files.
    pub picture: Option<PictureAbout>,
}

/// The facts of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureAbout {
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// The media type of the thumbnail.
    pub thumbnail_type: String,
    /// The CRC-32 (IEEE) of the thumbnail.
    pub(crate) thumbnail_crc32: u32,
}

/// The beginning of the paths of files.
pub const PREFIX: &str = "/media/";
/// The form of records that are written now.
pub(super) const FORM: u32 = 3;
/// The longest name in an address, in bytes; a longer one is cut before its ending, since addresses have an end.
const NAME_IN_URL_MAX: usize = 600;
/// The characters that are escaped in the name of an address.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'_');

impl About {
    /// The account user who uploaded it, if one did.
    pub(super) fn uploader(&self) -> Option<Holder> {
        self.uploaded_by.map(|user| Holder {
            account: self.account,
            user,
        })
    }

    /// The address of the file. Who knows it can fetch it: the id cannot be guessed, the name is for people.
    pub fn url(&self, base: &str) -> String {
        let escaped = |letter: char| {
            let mut bytes = [0; 4];
            utf8_percent_encode(letter.encode_utf8(&mut bytes), ESCAPED)
                .map(str::len)
                .sum()
        };
        let short_name = shortened(self.name.as_str(), NAME_IN_URL_MAX, escaped);
        let name = utf8_percent_encode(&short_name, ESCAPED);
        format!("{base}{PREFIX}{}/{name}", self.id)
    }
}

impl From<&About> for CannedReplyFile {
    fn from(about: &About) -> Self {
        Self {
            media: about.id,
            name: about.name.clone(),
            bytes: about.bytes,
            is_picture: about.picture.is_some(),
        }
    }
}
