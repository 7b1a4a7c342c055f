"""Makes pictures of the rarer formats, each of the same scene; what Pillow does not write is written here.

`RARE` lists them by name of file, with the difference that their packing may make.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2
import imagecodecs
import numpy as np
import numpy.typing as npt
import OpenEXR
import pylibjxl
from PIL import Image

from tests.features.sample_pictures import encode, exif_block, oriented, pixels_of, scene, with_alpha
from twinlens.core.arrays import UInt8Pixels


class Rare(NamedTuple):
    """A picture of a rarer format.

    Attributes
    ----------
    form : str
        The format's name in the library.
    make : callable
        Makes its bytes.
    shows : PIL.Image.Image
        What it shows, in RGB.
    tolerance : float
        By how much of 255 its pixels may be off on average.
    """

    form: str
    make: Callable[[], bytes]
    shows: Image.Image
    tolerance: float = 0.0


SCENE = scene()
_GREY = SCENE.convert("L")
_BITS = SCENE.convert("1")
_FEW_COLOURS = SCENE.convert("P", palette=Image.Palette.ADAPTIVE)


def jpeg_xl(image: Image.Image, lossless: bool = True, exif: bytes | None = None, icc: bytes | None = None) -> bytes:
    """Encode with libjxl."""
    return bytes(pylibjxl.encode(pixels_of(image), lossless=lossless, exif=exif, icc=icc))


def pam(image: Image.Image, white: int = 255) -> bytes:
    """Write a PAM picture; `white` is the largest value of a sample."""
    pixels = pixels_of(image)
    depth = 1 if pixels.ndim == 2 else pixels.shape[2]
    head = f"P7\n# by hand\nWIDTH {image.width}\nHEIGHT {image.height}\nDEPTH {depth}\nMAXVAL {white}\nENDHDR\n"
    kind = ">u2" if white > 255 else "u1"
    return head.encode() + np.rint(pixels.astype(np.float64) * (white / 255)).astype(kind).tobytes()


def psd(
    image: Image.Image,
    depth: int = 8,
    packed: bool = False,
    large: bool = False,
    resources: tuple[tuple[int, bytes], ...] = (),
) -> bytes:
    """Write a Photoshop document without layers; one with opacity says that its last channel is that."""
    number = {"L": 1, "P": 2, "RGB": 3, "RGBA": 3, "CMYK": 4}[image.mode]
    palette = bytes(image.getpalette() or b"") if image.mode == "P" else b""
    planes = np.atleast_3d(pixels_of(image)).transpose(2, 0, 1)
    if image.mode == "CMYK":
        planes = 255 - planes
    stored = planes if depth == 8 else planes.repeat(2, axis=2)  # of 16 bits: 257 times the value
    head = struct.pack(">4sH6xHIIHH", b"8BPS", 2 if large else 1, len(planes), image.height, image.width, depth, number)
    colours = np.frombuffer(palette.ljust(768, b"\0"), np.uint8).reshape(256, 3).T.tobytes() if palette else b""
    told = b"".join(
        b"8BIM" + struct.pack(">HHI", kind, 0, len(content)) + content + bytes(len(content) % 2)
        for kind, content in resources
    )
    length = ">Q" if large else ">I"
    layers = struct.pack(length, 2) + struct.pack(">h", -1 if image.mode == "RGBA" else 0)
    sections = struct.pack(">I", len(colours)) + colours + struct.pack(">I", len(told)) + told
    sections += struct.pack(length, len(layers)) + layers
    if not packed:
        return head + sections + b"\0\0" + stored.tobytes()
    rows = [_packed_bits(row.tobytes()) for plane in stored for row in plane]
    lengths = np.array([len(row) for row in rows]).astype(">u4" if large else ">u2").tobytes()
    return head + sections + b"\0\1" + lengths + b"".join(rows)


def _packed_bits(row: bytes) -> bytes:
    """Pack a row as literals: valid, and no shorter."""
    return b"".join(bytes([len(row[at : at + 128]) - 1]) + row[at : at + 128] for at in range(0, len(row), 128))


def icon(image: Image.Image, kind: int = 1, begin: int = 22) -> bytes:
    """Write a Windows icon (1) or mouse pointer (2) of one picture: a bitmap with its mask below."""
    pixels: UInt8Pixels = pixels_of(image.convert("RGBA"))[::-1, :, [2, 1, 0, 3]]
    head = struct.pack("<IiiHHIIiiII", 40, image.width, 2 * image.height, 1, 32, 0, pixels.size, 0, 0, 0, 0)
    body = head + pixels.tobytes() + bytes((image.width + 31) // 32 * 4 * image.height)
    entry = struct.pack("<BBBBHHII", image.width % 256, image.height % 256, 0, 0, 1, 32, len(body), begin)
    return struct.pack("<HHH", 0, kind, 1) + entry + body


def sun(image: Image.Image) -> bytes:
    """Write a Sun raster, blue first."""
    pixels = pixels_of(image)[..., ::-1].tobytes()
    return struct.pack(">8I", 0x59A66A95, image.width, image.height, 24, len(pixels), 1, 0, 0) + pixels


def xpm(image: Image.Image) -> bytes:
    """Write an X pixel map of few colours."""
    palette = np.array(image.getpalette(), np.uint8).reshape(-1, 3)
    indices = pixels_of(image)
    lines = [f'"{image.width} {image.height} {len(palette)} 2",']
    lines += [f'"{number:02x} c #{red:02x}{green:02x}{blue:02x}",' for number, (red, green, blue) in enumerate(palette)]
    lines += ['"' + "".join(f"{number:02x}" for number in row) + '",' for row in indices]
    return ("/* XPM */\nstatic char *by_hand[] = {\n" + "\n".join(lines) + "\n};\n").encode()


def dcx(image: Image.Image) -> bytes:
    """Write a fax of one page: a PCX behind a directory."""
    return struct.pack("<III", 0x3ADE68B1, 12, 0) + encode(image, "PCX")


def fli(image: Image.Image) -> bytes:
    """Write an animation of one picture, not packed, with its palette."""
    palette = bytes(image.getpalette() or b"").ljust(768, b"\0")
    colours = struct.pack("<IH", 6 + 4 + 768, 4) + struct.pack("<HBB", 1, 0, 0) + palette
    pixels = pixels_of(image).tobytes()
    drawn = struct.pack("<IH", 6 + len(pixels), 16) + pixels
    chunks = colours + drawn
    frame = struct.pack("<IHH8x", 16 + len(chunks), 0xF1FA, 2) + chunks
    head = struct.pack("<IHHHHHHI", 128 + len(frame), 0xAF12, 1, image.width, image.height, 8, 3, 70)
    return head.ljust(128, b"\0") + frame


def xv(image: Image.Image) -> bytes:
    """Write a thumbnail as the viewer xv does: three bits of red and green, two of blue."""
    red, green, blue = pixels_of(image).astype(np.uint8).transpose(2, 0, 1)
    pixels: UInt8Pixels = (red >> 5 << 5) | (green >> 5 << 2) | (blue >> 6)
    return (
        f"P7 332\n#IMGINFO: by hand\n#END_OF_COMMENTS\n{image.width} {image.height} 255\n".encode() + pixels.tobytes()
    )


def mac_icon(image: Image.Image) -> bytes:
    """Write a Mac's icon of one picture of 64 x 64, as PNG."""
    inside = encode(image, "PNG")
    return b"icns" + struct.pack(">I4sI", 16 + len(inside), b"icp6", 8 + len(inside)) + inside


def light_of(image: Image.Image) -> npt.NDArray[np.float32]:
    """Return the light of a picture's colours, (h, w, 3), by the curve of sRGB (IEC 61966-2-1)."""
    level = pixels_of(image).astype(np.float64) / 255
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4).astype(np.float32)


def jpeg_xr(image: Image.Image) -> bytes:
    """Encode with jxrlib, without loss."""
    return bytes(imagecodecs.jpegxr_encode(pixels_of(image), level=1.0))


def open_exr(light: npt.NDArray[np.float32]) -> bytes:
    """Write an OpenEXR picture of light, (h, w, 3) or with opacity (h, w, 4)."""
    with tempfile.NamedTemporaryFile(suffix=".exr") as file:
        name = "RGB" if light.shape[2] == 3 else "RGBA"
        with OpenEXR.File({"compression": OpenEXR.ZIP_COMPRESSION}, {name: light}) as made:
            made.write(file.name)
        return Path(file.name).read_bytes()


def radiance(light: npt.NDArray[np.float32]) -> bytes:
    """Write a Radiance picture of light."""
    return cv2.imencode(".hdr", light[..., ::-1])[1].tobytes()


def colour_pfm(light: npt.NDArray[np.float32]) -> bytes:
    """Write a portable float map of light, the lowest row first."""
    return f"PF\n{light.shape[1]} {light.shape[0]}\n-1.0\n".encode() + light[::-1].astype("<f4").tobytes()


def over_grey(image: Image.Image) -> Image.Image:
    """Lay a transparent picture over mid-grey, as reading does."""
    return Image.alpha_composite(Image.new("RGBA", image.size, (128, 128, 128, 255)), image).convert("RGB")


_SMALL = scene(64, 64)
_CUT_OUT = with_alpha()
_PROFILE = (1039, b"no profile")
_EXIF = (1058, exif_block(make="Canon", model="Canon EOS R5", taken="2023:05:14 11:08:00")[6:])

RARE = {
    "plain.jxl": Rare("JPEG XL", lambda: jpeg_xl(SCENE), SCENE),
    "grey.jxl": Rare("JPEG XL", lambda: jpeg_xl(_GREY), _GREY),
    "cut out.jxl": Rare("JPEG XL", lambda: jpeg_xl(_CUT_OUT), over_grey(_CUT_OUT)),
    "in a box.jxl": Rare("JPEG XL", lambda: jpeg_xl(SCENE, exif=_EXIF[1]), SCENE),
    "lossy.jxl": Rare("JPEG XL", lambda: jpeg_xl(SCENE, lossless=False), SCENE, 15),
    "was a jpeg.jxl": Rare("JPEG XL", lambda: bytes(pylibjxl.jpeg_to_jxl(oriented(SCENE, "JPEG", 6))), SCENE, 8),
    "plain.jxr": Rare("JPEG XR", lambda: jpeg_xr(SCENE), SCENE),
    "grey.jxr": Rare("JPEG XR", lambda: jpeg_xr(_GREY), _GREY),
    "plain.exr": Rare("OpenEXR", lambda: open_exr(light_of(SCENE)), SCENE, 0.1),
    "plain.hdr": Rare("Radiance", lambda: radiance(light_of(SCENE)), SCENE, 1),
    "colours.pfm": Rare("PFM in colour", lambda: colour_pfm(light_of(SCENE)), SCENE),
    "plain.pam": Rare("PAM", lambda: pam(SCENE), SCENE),
    "grey, 16 bits.pam": Rare("PAM", lambda: pam(_GREY, 65535), _GREY),
    "few steps.pam": Rare("PAM", lambda: pam(SCENE, 31), SCENE, 4),
    "cut out.pam": Rare("PAM", lambda: pam(_CUT_OUT), over_grey(_CUT_OUT)),
    "grey.pfm": Rare("PNM", lambda: encode(_GREY.convert("F").point(lambda value: value / 255), "PPM"), _GREY, 1),
    "plain.psd": Rare("PSD", lambda: psd(SCENE, resources=(_PROFILE, _EXIF)), SCENE),
    "grey.psd": Rare("PSD", lambda: psd(_GREY, packed=True), _GREY),
    "palette.psd": Rare("PSD", lambda: psd(_FEW_COLOURS), _FEW_COLOURS),
    "ink.psd": Rare("PSD", lambda: psd(SCENE.convert("CMYK"), packed=True), SCENE, 1),
    "cut out.psd": Rare("PSD", lambda: psd(_CUT_OUT), over_grey(_CUT_OUT)),
    "16 bits.psd": Rare("PSD", lambda: psd(SCENE, depth=16), SCENE),
    "16 bits, packed.psd": Rare("PSD", lambda: psd(SCENE, depth=16, packed=True), SCENE),
    "large.psb": Rare("PSD", lambda: psd(SCENE, packed=True, large=True), SCENE),
    "plain.qoi": Rare("QOI", lambda: encode(SCENE, "QOI"), SCENE),
    "cut out.qoi": Rare("QOI", lambda: encode(_CUT_OUT, "QOI"), over_grey(_CUT_OUT)),
    "plain.tga": Rare("TGA", lambda: encode(SCENE, "TGA"), SCENE),
    "packed.tga": Rare("TGA", lambda: encode(SCENE, "TGA", compression="tga_rle"), SCENE),
    "palette.tga": Rare("TGA", lambda: encode(_FEW_COLOURS, "TGA"), _FEW_COLOURS),
    "of the first version.tga": Rare("TGA", lambda: encode(_GREY, "TGA")[:-26], _GREY),
    "plain.pcx": Rare("PCX", lambda: encode(SCENE, "PCX"), SCENE),
    "bits.pcx": Rare("PCX", lambda: encode(_BITS, "PCX"), _BITS),
    "fax.dcx": Rare("DCX", lambda: dcx(_BITS), _BITS),
    "with a png.ico": Rare("ICO", lambda: encode(SCENE, "ICO", sizes=[SCENE.size]), SCENE),
    "with a bitmap.ico": Rare("ICO", lambda: icon(SCENE), SCENE),
    "pointer.cur": Rare("CUR", lambda: icon(SCENE, kind=2), SCENE),
    "plain.icns": Rare("ICNS", lambda: mac_icon(_SMALL), _SMALL),
    "plain.dds": Rare("DDS", lambda: encode(SCENE, "DDS"), SCENE),
    "packed.dds": Rare("DDS", lambda: encode(SCENE, "DDS", pixel_format="DXT1"), SCENE, 10),
    "plain.sgi": Rare("SGI", lambda: encode(SCENE, "SGI"), SCENE),
    "plain.ras": Rare("Sun raster", lambda: sun(SCENE), SCENE),
    "bits.xbm": Rare("XBM", lambda: encode(_BITS, "XBM"), _BITS),
    "few colours.xpm": Rare("XPM", lambda: xpm(_FEW_COLOURS), _FEW_COLOURS),
    "bits.msp": Rare("MSP", lambda: encode(_BITS, "MSP"), _BITS),
    "animation.flc": Rare("FLI", lambda: fli(_FEW_COLOURS), _FEW_COLOURS),
    "thumbnail.xv": Rare("XV thumbnail", lambda: xv(SCENE), SCENE, 20),
}
"""By name of file."""
