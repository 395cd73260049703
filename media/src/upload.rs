//! A file on its way in: written to disk as it comes, within limits, and complete only when all of it is on disk.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use bytes::{Bytes, BytesMut};
use crc32fast::Hasher;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::id::{AccountId, MediaId};
use switchboard_actors::domain::text::FileName;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_engine::store::disk::private;
use switchboard_network::shares::{Rank, Share, ShareError};

use super::about::{About, FORM, PictureAbout};
use super::declared::refined;
use super::picture::PictureError;
use super::sniff::{HEAD_BYTES, UNKNOWN, sniff};
use super::{Inner, MediaStore, blocking};

/// The number of bytes that are collected before they are written.
const CHUNK_BYTES: usize = 256 << 10;

/// The reason why a file is not taken.
#[derive(Debug, thiserror::Error)]
pub enum UploadError {
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It is larger than this many bytes.
    #[error("the file is larger than {0} bytes")]
    TooLarge(u64),
    /// Too many others are in progress.
    #[error("too many files are being uploaded")]
    Busy,
    /// Too many of the user, or of the account, are in progress.
    #[error("{0} are being uploaded; wait until one of them is done")]
    TooManyOfYours(Whose),
    /// Too many files wait to be sent.
    #[error("{0} are uploaded and not sent; send them, or wait until they expire")]
    TooManyUnsent(Whose),
    /// The disk has no room for it.
    #[error("the disk is full")]
    DiskFull,
    /// It is a picture of a customer that cannot be decoded.
    #[error(transparent)]
    Picture(PictureError),
    /// The disk failed.
    #[error(transparent)]
    Failed(io::Error),
}

/// The owner of the limit that is reached, and the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    Users(usize),
    Accounts(usize),
    All,
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Users(limit) => write!(f, "{limit} files of yours"),
            Self::Accounts(limit) => write!(f, "{limit} files of this account"),
            Self::All => f.write_str("too many files"),
        }
    }
}

impl From<ShareError> for Whose {
    fn from(full: ShareError) -> Self {
        match full {
            ShareError::User(limit) => Self::Users(limit),
            ShareError::Account(limit) => Self::Accounts(limit),
            ShareError::All => Self::All,
        }
    }
}

impl From<PictureError> for UploadError {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::Busy => Self::Busy,
            PictureError::NoDecoder(_) => Self::Failed(io::Error::other(error)),
            PictureError::TooManyPixels { .. }
            | PictureError::TooCostly
            | PictureError::Damaged(_) => Self::Picture(error),
        }
    }
}

impl From<io::Error> for UploadError {
    fn from(error: io::Error) -> Self {
        if matches!(
            error.kind(),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
        ) {
            Self::DiskFull
        } else {
            Self::Failed(error)
        }
    }
}

/// A file on its way in. What there is of it goes when it is dropped before its end.
pub struct Upload {
    store: Arc<Inner>,
    account: AccountId,
    id: MediaId,
    part: PathBuf,
    file: Option<File>,
    waiting: BytesMut,
    head: Vec<u8>,
    bytes: u64,
    checksum: Hasher,
    complete: bool,
    /// The uploader, whose turn lasts as long as this; a copy has none.
    turn: Option<(Holder, Share)>,
}

impl Drop for Upload {
    fn drop(&mut self) {
        if self.complete {
            return;
        }
        if let Some((uploader, _)) = &self.turn {
            let unsent = self.store.unsent.lock();
            unsent
                .unwrap_or_else(PoisonError::into_inner)
                .give_back(*uploader);
        }
        // It may not have been made, or moved already; the next start takes away what is left.
        std::fs::remove_file(&self.part).unwrap_or_default();
    }
}

impl MediaStore {
    /// Begins to take in a file with this unguessable id.
    pub async fn begin(
        &self,
        uploader: Holder,
        rank: Rank,
        id: MediaId,
    ) -> Result<Upload, UploadError> {
        let turn = Share::take_as(&self.0.uploads, uploader, rank).map_err(|full| match full {
            ShareError::All => UploadError::Busy,
            ShareError::User(_) | ShareError::Account(_) => {
                UploadError::TooManyOfYours(full.into())
            }
        })?;
        self.0
            .unsent
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take_as(uploader, rank)
            .map_err(|full| UploadError::TooManyUnsent(full.into()))?;
        self.open_part(uploader.account, id, Some((uploader, turn)))
            .await
    }

    /// Begins to take in a copy of a customer's file. How many are made at once is the caller's business.
    pub(crate) async fn begin_copy(
        &self,
        account: AccountId,
        id: MediaId,
    ) -> Result<Upload, UploadError> {
        self.open_part(account, id, None).await
    }

    async fn open_part(
        &self,
        account: AccountId,
        id: MediaId,
        turn: Option<(Holder, Share)>,
    ) -> Result<Upload, UploadError> {
        let mut upload = Upload {
            store: Arc::clone(&self.0),
            account,
            id,
            part: self.0.place.part(id),
            file: None,
            waiting: BytesMut::new(),
            head: Vec::new(),
            bytes: 0,
            checksum: Hasher::new(),
            complete: false,
            turn,
        };
        let (inner, part) = (Arc::clone(&self.0), upload.part.clone());
        let file = blocking(move || {
            let minimum = inner
                .limits
                .low_water_bytes
                .saturating_add(inner.limits.file_bytes);
            let room = inner.limits.low_water_bytes == 0 || inner.place.free_bytes()? >= minimum;
            if room {
                let new_file = private::files().write(true).create_new(true).open(part);
                new_file.map(Some)
            } else {
                Ok(None)
            }
        });
        upload.file = Some(file.await?.ok_or(UploadError::DiskFull)?);
        Ok(upload)
    }
}

impl Upload {
    /// Takes the next piece of the file.
    pub async fn write(&mut self, piece: Bytes) -> Result<(), UploadError> {
        let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        self.bytes = self.bytes.saturating_add(length);
        let limit = self.store.limits.file_bytes;
        if self.bytes > limit {
            return Err(UploadError::TooLarge(limit));
        }
        let missing = HEAD_BYTES.saturating_sub(self.head.len());
        self.head.extend(piece.iter().take(missing));
        self.waiting.extend_from_slice(&piece);
        self.checksum.update(&piece);
        if self.waiting.len() >= CHUNK_BYTES {
            self.flush().await?;
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<(), UploadError> {
        let bytes = self.waiting.split().freeze();
        let Some(mut file) = self.file.take() else {
            return Err(UploadError::Failed(io::Error::other(
                "a write failed before",
            )));
        };
        let write = blocking(move || {
            file.write_all(&bytes)?;
            Ok(file)
        });
        self.file = Some(write.await?);
        Ok(())
    }

    /// All of it has come. When this returns, it is on disk. What its sender calls it decides where the first bytes do not.
    pub async fn finish(
        mut self,
        name: FileName,
        declared: Option<&str>,
        at: UnixMillis,
    ) -> Result<About, UploadError> {
        if self.bytes == 0 {
            return Err(UploadError::Empty);
        }
        self.flush().await?;
        let kind = sniff(&self.head);
        let uploaded_by = self.turn.as_ref().map(|(uploader, _)| uploader.user);
        let (decoded, content_type) = match kind.picture {
            Some(format) => {
                let part = self.part.clone();
                let decoding = self.store.pictures.decode(self.account, part, format);
                match decoding.await.map_err(UploadError::from) {
                    Ok(decoded) => (Some(decoded), kind.content_type.to_owned()),
                    // A user may send a file that only begins like a picture: as bytes to be saved.
                    Err(UploadError::Picture(_)) if uploaded_by.is_some() => {
                        (None, UNKNOWN.to_owned())
                    }
                    Err(error) => return Err(error),
                }
            }
            None => (None, refined(kind, declared, name.as_str())),
        };
        let about = About {
            form: FORM,
            id: self.id,
            account: self.account,
            uploaded_by,
            at,
            name,
            bytes: self.bytes,
            crc32: std::mem::take(&mut self.checksum).finalize(),
            content_type,
            picture: decoded.as_ref().map(|decoded| PictureAbout {
                width: decoded.width,
                height: decoded.height,
                thumbnail_type: decoded.thumbnail_kind.content_type().to_owned(),
                thumbnail_crc32: crc32fast::hash(&decoded.thumbnail),
            }),
        };
        let (inner, description) = (Arc::clone(&self.store), about.clone());
        blocking(move || {
            let thumbnail = decoded.as_ref().map(|decoded| decoded.thumbnail.as_slice());
            inner.place.complete(&description, thumbnail)?;
            // Without the others it is not there for its sender either.
            inner.share(description.id).inspect_err(|_| {
                inner.place.remove(description.id).unwrap_or_default();
            })
        })
        .await?;
        self.complete = true;
        Ok(about)
    }
}
