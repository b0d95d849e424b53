// SPDX-License-Identifier: Apache-2.0
#include "engine/data/image_codecs.h"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <jerror.h>
#include <jpeglib.h>
#include <png.h>
#ifdef ACCRUE_HAS_WEBP
#include <webp/decode.h>
#endif

// libpng and libjpeg report errors by longjmp. So each decoder is a struct that owns everything,
// created by a function that does not call setjmp, and a member function that calls the library and
// has no objects that would have to be destroyed.
namespace accrue {
namespace {

using FileBytes = std::vector<std::uint8_t>;

void allocate(Image& image, std::int64_t height, std::int64_t width, std::int64_t channels)
{
    image.height = height;
    image.width = width;
    image.channels = channels;
    image.pixels.resize(static_cast<std::size_t>(height * width * channels));
}

std::uint8_t* rowOf(Image& image, std::int64_t y)
{
    return image.pixels.data() + y * image.width * image.channels;
}

// ---- PNG ----

struct PngDecoder {
    explicit PngDecoder(const FileBytes& file)
        : at(file.data())
        , left(file.size())
        , png(png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError, onWarning))
        , info(png_create_info_struct(png)) // returns null for null
    {
        if (!info)
            throw ImageError(Message("data.image_memory"));
        png_set_read_fn(png, this, onRead);
    }
    ~PngDecoder() { png_destroy_read_struct(&png, &info, nullptr); }
    PngDecoder(const PngDecoder&) = delete;
    PngDecoder& operator=(const PngDecoder&) = delete;

    static void onError(png_structp png, png_const_charp message)
    {
        auto* self = static_cast<PngDecoder*>(png_get_error_ptr(png));
        std::snprintf(self->problem.data(), self->problem.size(), "%s", message);
        png_longjmp(png, 1);
    }
    static void onWarning(png_structp, png_const_charp) { }
    static void onRead(png_structp png, png_bytep to, std::size_t size)
    {
        auto* self = static_cast<PngDecoder*>(png_get_io_ptr(png));
        if (size > self->left)
            png_error(png, "it ends too early");
        std::memcpy(to, self->at, size);
        self->at += size;
        self->left -= size;
    }

    bool decode()
    {
        if (setjmp(png_jmpbuf(png)) != 0)
            return false;
        png_set_user_limits(png, kLargestImage, kLargestImage);
        png_read_info(png, info);
        askForBytes();
        png_read_update_info(png, info);
        allocate(image, png_get_image_height(png, info), png_get_image_width(png, info),
            png_get_channels(png, info));
        // The image was allocated by this program's arithmetic, but the library's arithmetic writes
        // the rows.
        if (png_get_rowbytes(png, info) != static_cast<std::size_t>(image.width * image.channels))
            png_error(png, "its rows have another size than its header says");
        rows.resize(static_cast<std::size_t>(image.height));
        for (std::size_t y = 0; y < rows.size(); ++y)
            rows[y] = rowOf(image, static_cast<std::int64_t>(y));
        png_read_image(png, rows.data());
        return true;
    }

    // Whatever is stored, it is read as grey or as red, green and blue with 8 bits.
    void askForBytes()
    {
        png_set_expand_gray_1_2_4_to_8(png);
        png_set_palette_to_rgb(png);
        png_set_scale_16(png);
        png_set_strip_alpha(png);
        png_set_interlace_handling(png);
    }

    const std::uint8_t* at;
    std::size_t left;
    std::array<char, 200> problem {};
    Image image;
    std::vector<png_bytep> rows;
    png_structp png = nullptr;
    png_infop info = nullptr;
};

// ---- JPEG ----

struct JpegDecoder {
    explicit JpegDecoder(const FileBytes& bytes)
        : file(bytes)
    {
        jpeg.err = jpeg_std_error(&errors);
        jpeg.client_data = this;
        errors.error_exit = onError;
        errors.emit_message = onMessage;
        progress.progress_monitor = onProgress;
    }
    ~JpegDecoder() { jpeg_destroy_decompress(&jpeg); }
    JpegDecoder(const JpegDecoder&) = delete;
    JpegDecoder& operator=(const JpegDecoder&) = delete;

    static JpegDecoder& of(j_common_ptr jpeg)
    {
        return *static_cast<JpegDecoder*>(jpeg->client_data);
    }
    static void onError(j_common_ptr jpeg)
    {
        JpegDecoder& self = of(jpeg);
        self.errors.format_message(jpeg, self.problem.data());
        std::longjmp(self.back, 1);
    }
    // The library continues after a warning and fills missing parts with grey.
    static void onMessage(j_common_ptr jpeg, int level)
    {
        if (level < 0 && isDamage(jpeg->err->msg_code))
            onError(jpeg);
    }
    // These four leave the pixels intact: unknown marks of Adobe and JFIF, bytes before a marker,
    // and rows that are requested beyond the last one.
    static bool isDamage(int code)
    {
        return code != JWRN_ADOBE_XFORM && code != JWRN_EXTRANEOUS_DATA && code != JWRN_JFIF_MAJOR
            && code != JWRN_TOO_MUCH_DATA;
    }
    // Each scan of a progressive file visits the whole picture: a few bytes can cost minutes.
    static void onProgress(j_common_ptr jpeg)
    {
        constexpr int kMostScans = 100;
        if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number <= kMostScans)
            return;
        JpegDecoder& self = of(jpeg);
        std::snprintf(self.problem.data(), self.problem.size(), "more than %d scans", kMostScans);
        std::longjmp(self.back, 1);
    }

    bool decode()
    {
        if (setjmp(back) != 0)
            return false;
        jpeg_create_decompress(&jpeg);
        jpeg.progress = &progress;
        jpeg_mem_src(&jpeg, file.data(), file.size());
        jpeg_read_header(&jpeg, TRUE);
        // Its colours mean nothing without a profile, which is not applied.
        isCmyk = jpeg.num_components == 4;
        if (isCmyk)
            return false;
        jpeg.out_color_space = jpeg.num_components == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_start_decompress(&jpeg);
        allocate(image, jpeg.output_height, jpeg.output_width, jpeg.output_components);
        while (jpeg.output_scanline < jpeg.output_height) {
            JSAMPROW row = rowOf(image, jpeg.output_scanline);
            jpeg_read_scanlines(&jpeg, &row, 1);
        }
        return true;
    }

    const FileBytes& file;
    std::jmp_buf back {};
    std::array<char, JMSG_LENGTH_MAX> problem {};
    bool isCmyk = false;
    Image image;
    jpeg_error_mgr errors {};
    jpeg_progress_mgr progress {};
    jpeg_decompress_struct jpeg {};
};

} // namespace

Image decodePng(const FileBytes& file)
{
    PngDecoder decoder(file);
    if (!decoder.decode())
        throw ImageError(Message("data.png_damaged", { { "reason", decoder.problem.data() } }));
    return std::move(decoder.image);
}

Image decodeJpeg(const FileBytes& file)
{
    JpegDecoder decoder(file);
    if (decoder.decode())
        return std::move(decoder.image);
    if (decoder.isCmyk)
        throw ImageError(Message("data.jpeg_cmyk"));
    throw ImageError(Message("data.jpeg_damaged", { { "reason", decoder.problem.data() } }));
}

#ifdef ACCRUE_HAS_WEBP
void requireWebp() { }

Image decodeWebp(const FileBytes& file)
{
    WebPBitstreamFeatures features;
    Image image;
    const bool hasSize = WebPGetFeatures(file.data(), file.size(), &features) == VP8_STATUS_OK;
    // The decoded chunk contains a size, too, which nothing has checked yet.
    if (hasSize && (features.height < 1 || features.height > kLargestImage / features.width))
        throw ImageError(Message("data.image_two_sizes"));
    if (hasSize)
        allocate(image, features.height, features.width, 3);
    if (!hasSize
        || !WebPDecodeRGBInto(file.data(), file.size(), image.pixels.data(), image.pixels.size(),
            static_cast<int>(image.width * image.channels)))
        throw ImageError(Message("data.webp_damaged"));
    return image;
}
#else
void requireWebp()
{
    throw ImageError(Message("data.webp_unsupported"));
}

Image decodeWebp(const FileBytes&)
{
    requireWebp();
    return {};
}
#endif

} // namespace accrue
