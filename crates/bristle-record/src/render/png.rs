//! Figures as pixels, drawn from the SVG with fonts that are part of the program.

use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::error::{RasterReason, RecordError};

/// Pixels per SVG unit: sharp on paper and on dense screens.
pub const SCALE: f32 = 2.0;

/// Draws an SVG as PNG at twice its size. `figure` names it in errors.
///
/// # Errors
/// [`RecordError::Raster`] if the drawing is not valid or has no pixels.
pub fn from_svg(svg: &str, figure: &str) -> Result<Vec<u8>, RecordError> {
    let failed = |reason: RasterReason| RecordError::Raster { figure: figure.into(), reason };
    let options = Options { fontdb: fonts(), font_family: "Noto Sans".into(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|e| failed(e.into()))?;
    let (width, height) =
        ((tree.size().width() * SCALE).ceil() as u32, (tree.size().height() * SCALE).ceil() as u32);
    let mut pixels =
        Pixmap::new(width, height).ok_or_else(|| failed(RasterReason::Size { width, height }))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|_| failed(RasterReason::Encode))
}

/// The embedded faces; system fonts are never consulted, so that pictures are the same everywhere.
fn fonts() -> Arc<fontdb::Database> {
    static FONTS: OnceLock<Arc<fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut db = fontdb::Database::new();
        let faces: [&'static [u8]; 5] = [
            notosans::REGULAR_TTF,
            notosans::ITALIC_TTF,
            notosans::BOLD_TTF,
            notosans::BOLD_ITALIC_TTF,
            dejavu::sans::regular(),
        ];
        for face in faces {
            db.load_font_source(fontdb::Source::Binary(Arc::new(face)));
        }
        db.set_sans_serif_family("Noto Sans");
        db.set_serif_family("Noto Sans");
        db.set_monospace_family("DejaVu Sans");
        Arc::new(db)
    };
    Arc::clone(FONTS.get_or_init(load))
}

#[cfg(test)]
mod png_tests {
    use super::*;

    #[test]
    fn text_leaves_ink_without_system_fonts() {
        let page = |body: &str| {
            format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='60' height='30'><rect width='60' height='30' fill='#fff'/>{body}</svg>"
            )
        };
        let blank = from_svg(&page(""), "blank").unwrap();
        for symbols in ["σμω", "×−·", "≤√∞→"] {
            let text = format!(
                "<text x='5' y='20' font-size='14' font-family='Noto Sans, sans-serif'>{symbols}</text>"
            );
            assert_ne!(from_svg(&page(&text), "text").unwrap(), blank, "{symbols}");
        }
    }

    #[test]
    fn a_broken_drawing_is_an_error_with_its_name() {
        let error = from_svg("<svg", "phase").unwrap_err();
        assert!(error.to_string().starts_with("figure `phase` could not be rasterised"));
    }
}
