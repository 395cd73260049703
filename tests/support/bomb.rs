//! Pictures that are small as files, and large when they are unpacked.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::ImageFormat;

use super::upload::picture;

const MIB: usize = 1 << 20;

/// A file that grows when it is decoded: its kind, its bytes, and whether it is decoded nevertheless.
pub struct Bomb {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    pub is_picture: bool,
}

/// Bombs of each kind. Unpacked, each takes more memory than a picture may.
pub fn all() -> Vec<Bomb> {
    let zeros = deflated(160 * MIB);
    let profile = [&b"icc\0\0"[..], &zeros].concat();
    let text = [&b"Comment\0\0"[..], &zeros].concat();
    let long_text = [&b"Comment\0\x01\0\0\0"[..], &zeros].concat();
    let side = 4_000_u32;
    // Eight bytes for each pixel, and one for each row.
    let deep = deflated(4_000 * (4_000 * 8 + 1));
    // The passes of an interlaced picture have 1 + 1 + 1 + 2 + 2 + 4 + 4 eighths of the rows.
    let interlaced = deflated(4_000 * 4_000 * 8 + 4_000 / 8 * 15);
    let picture = |name, bytes| Bomb {
        name,
        bytes,
        is_picture: true,
    };
    let file = |name, bytes| Bomb {
        name,
        bytes,
        is_picture: false,
    };
    vec![
        picture(
            "a colour profile",
            png(small(), &[(b"iCCP", &profile)], None),
        ),
        picture("a compressed text", png(small(), &[(b"zTXt", &text)], None)),
        picture(
            "an international text",
            png(small(), &[(b"iTXt", &long_text)], None),
        ),
        picture("16 bits with alpha", png([side, side, 0], &[], Some(&deep))),
        picture("interlaced", png([side, side, 1], &[], Some(&interlaced))),
        file("a large screen of a GIF", gif(8_000, 5_000)),
        file("a WebP frame larger than its canvas", webp(16_383, 16_383)),
        file("a progressive JPEG", progressive(8_000, 5_000)),
    ]
}

fn small() -> [u32; 3] {
    [4, 4, 0]
}

/// So many zeros, compressed.
pub fn deflated(count: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let piece = vec![0; MIB];
    let mut rest = count;
    while rest > 0 {
        let length = rest.min(MIB);
        encoder.write_all(&piece[..length]).unwrap();
        rest -= length;
    }
    encoder.finish().unwrap()
}

/// A PNG of this width, height and kind of interlacing, 16 bits with alpha, with these chunks before its rows.
pub fn png(
    [width, height, interlace]: [u32; 3],
    chunks: &[(&[u8; 4], &[u8])],
    rows: Option<&[u8]>,
) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = [width.to_be_bytes(), height.to_be_bytes()].concat();
    head.extend([16, 6, 0, 0, u8::try_from(interlace).unwrap()]);
    chunk(&mut bytes, b"IHDR", &head);
    for (kind, body) in chunks {
        chunk(&mut bytes, kind, body);
    }
    let count = usize::try_from(height * (width * 8 + 1)).unwrap();
    chunk(
        &mut bytes,
        b"IDAT",
        &rows.map_or_else(|| deflated(count), <[u8]>::to_vec),
    );
    chunk(&mut bytes, b"IEND", b"");
    bytes
}

fn chunk(bytes: &mut Vec<u8>, kind: &[u8; 4], body: &[u8]) {
    bytes.extend(u32::try_from(body.len()).unwrap().to_be_bytes());
    let start = bytes.len();
    bytes.extend(kind);
    bytes.extend(body);
    let sum = crc32fast::hash(&bytes[start..]);
    bytes.extend(sum.to_be_bytes());
}

/// A small GIF that declares a large screen and a large frame.
fn gif(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    let sides = [width.to_le_bytes(), height.to_le_bytes()].concat();
    bytes.extend(&sides);
    bytes.extend([0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
    bytes.extend([0x2c, 0, 0, 0, 0]);
    bytes.extend(&sides);
    bytes.extend([0, 2, 2, 0x44, 1, 0, 0x3b]);
    bytes
}

/// An extended WebP with a canvas of one pixel and a lossy frame of this size.
fn webp(width: u16, height: u16) -> Vec<u8> {
    let mut frame = vec![0x10, 0x02, 0, 0x9d, 0x01, 0x2a];
    frame.extend(width.to_le_bytes());
    frame.extend(height.to_le_bytes());
    frame.resize(4_096, 0);
    let mut body = b"WEBPVP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0VP8 ".to_vec();
    body.extend(u32::try_from(frame.len()).unwrap().to_le_bytes());
    body.extend(frame);
    let length = u32::try_from(body.len()).unwrap().to_le_bytes();
    [&b"RIFF"[..], &length, &body].concat()
}

/// A JPEG that says it is progressive and this large.
fn progressive(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = picture(16, 16, ImageFormat::Jpeg);
    let frame = bytes
        .windows(2)
        .position(|pair| pair == [0xff, 0xc0])
        .unwrap();
    bytes[frame + 1] = 0xc2;
    bytes[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
    bytes[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
    let scan = bytes
        .windows(2)
        .position(|pair| pair == [0xff, 0xda])
        .unwrap();
    // The first scan has the first coefficient of each block.
    let end = scan + 2 + usize::from(u16::from_be_bytes([bytes[scan + 2], bytes[scan + 3]]));
    bytes[end - 3..end].copy_from_slice(&[0, 0, 0]);
    bytes
}
