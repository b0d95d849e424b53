// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/written_value.h"

#include "engine/experiment/format.h"
#include "engine/experiment/shown_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

namespace accrue {

namespace {

// The whole of `text` as a number, in the C locale.
template <typename Number> bool readsWhole(std::string_view text, Number& to)
{
    if (text.size() > 1 && text[0] == '+' && text[1] != '-')
        text.remove_prefix(1);
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, to);
    return result.ec == std::errc {} && result.ptr == end;
}

} // namespace

WrittenValue writtenFromText(std::string_view text)
{
    const std::string shown = text.empty() ? "empty" : shortened(text);
    WrittenValue written { std::string(text), shown, std::string(text) };
    std::int64_t whole = 0;
    double number = 0;
    if (text == "true" || text == "false")
        written.value = text == "true";
    else if (readsWhole(text, whole))
        written.value = whole;
    else if (readsWhole(text, number))
        written.value = number;
    return written;
}

std::vector<std::string_view> partsOf(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (text.find_first_not_of(' ') != std::string_view::npos) {
        const std::size_t end = std::min(text.find(separator), text.size());
        const std::string_view part = text.substr(0, end);
        const std::size_t first = std::min(part.find_first_not_of(' '), part.size());
        parts.push_back(part.substr(first, part.find_last_not_of(' ') + 1 - first));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

std::optional<std::vector<WrittenValue>> elementsOf(const WrittenValue& written)
{
    if (const auto* elements = std::get_if<std::vector<WrittenValue>>(&written.value))
        return *elements;
    if (!written.bare)
        return {};
    std::vector<WrittenValue> elements;
    for (const std::string_view part : partsOf(*written.bare, ','))
        elements.push_back(writtenFromText(part));
    return elements;
}

bool read(const WrittenValue& written, bool& to)
{
    const bool* value = std::get_if<bool>(&written.value);
    if (value)
        to = *value;
    return value != nullptr;
}

bool read(const WrittenValue& written, std::int64_t& to)
{
    const std::int64_t* value = std::get_if<std::int64_t>(&written.value);
    if (value)
        to = *value;
    return value != nullptr;
}

bool read(const WrittenValue& written, std::uint64_t& to)
{
    const std::int64_t* value = std::get_if<std::int64_t>(&written.value);
    if (!value || *value < 0)
        return false;
    to = static_cast<std::uint64_t>(*value);
    return true;
}

bool read(const WrittenValue& written, double& to)
{
    if (const std::int64_t* whole = std::get_if<std::int64_t>(&written.value))
        to = static_cast<double>(*whole);
    else if (const double* value = std::get_if<double>(&written.value))
        to = *value;
    else
        return false;
    return true;
}

bool read(const WrittenValue& written, std::string& to)
{
    if (written.bare)
        to = *written.bare;
    else if (const std::string* value = std::get_if<std::string>(&written.value))
        to = *value;
    else
        return false;
    return true;
}

namespace {

struct ByteUnit {
    std::string_view name;
    std::int64_t bytes;
};
constexpr ByteUnit kByteUnits[] = { // the ones that values are shown in first, largest first
    { "TiB", std::int64_t { 1 } << 40 }, { "GiB", 1 << 30 }, { "MiB", 1 << 20 }, { "KiB", 1 << 10 },
    { "B", 1 }, { "TB", 1'000'000'000'000 }, { "GB", 1'000'000'000 }, { "MB", 1'000'000 },
    { "kB", 1'000 }, { "KB", 1'000 }
};
constexpr double kMostBytes = 9e18;

struct UnitName {
    std::string_view one;
    std::string_view many;
    Span::Unit unit;
};
constexpr UnitName kUnits[] = {
    { "epoch", "epochs", Span::Unit::Epochs },
    { "step", "steps", Span::Unit::Steps },
    { "minute", "minutes", Span::Unit::Minutes },
};

bool readsWord(const WrittenValue& written, std::string_view word)
{
    const std::string* text = std::get_if<std::string>(&written.value);
    return text && *text == word;
}

bool readsAuto(const WrittenValue& written)
{
    return readsWord(written, "auto");
}

} // namespace

bool read(const WrittenValue& written, BatchNumber& to)
{
    std::int64_t value = 0;
    if (readsAuto(written))
        to = BatchNumber::solved();
    else if (read(written, value))
        to = BatchNumber::given(value);
    else
        return false;
    return true;
}

bool read(const WrittenValue& written, std::optional<std::int64_t>& to)
{
    std::int64_t value = 0;
    if (readsAuto(written))
        to.reset();
    else if (read(written, value))
        to = value;
    else
        return false;
    return true;
}

namespace {

struct Quantity {
    double count;
    std::optional<std::int64_t> whole; // the same exactly, where it is written as a whole number
    std::string unit;
};

// "10 minutes", "4GiB".
std::optional<Quantity> quantityOf(const WrittenValue& written)
{
    const std::string* text = std::get_if<std::string>(&written.value);
    if (!text)
        return {};
    const char* end = text->data() + text->size();
    double count = 0;
    const auto number = std::from_chars(text->data(), end, count);
    if (number.ec != std::errc {})
        return {};
    std::int64_t whole = 0;
    const auto wholeNumber = std::from_chars(text->data(), end, whole);
    const bool isWhole = wholeNumber.ec == std::errc {} && wholeNumber.ptr == number.ptr;
    std::string_view unit(number.ptr, static_cast<std::size_t>(end - number.ptr));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    return Quantity { count, isWhole ? std::optional(whole) : std::nullopt, std::string(unit) };
}

// Empty: it is more than can be counted.
std::optional<Bytes> product(const Quantity& quantity, std::int64_t unit)
{
    Bytes bytes;
    if (quantity.whole)
        return __builtin_mul_overflow(*quantity.whole, unit, &bytes.count) ? std::nullopt
                                                                           : std::optional(bytes);
    const double count = quantity.count * static_cast<double>(unit);
    if (!(std::abs(count) < kMostBytes))
        return std::nullopt;
    bytes.count = std::llround(count);
    return bytes;
}

} // namespace

bool read(const WrittenValue& written, Span& to)
{
    const auto quantity = quantityOf(written);
    for (const UnitName& known : kUnits) {
        if (quantity && (quantity->unit == known.one || quantity->unit == known.many)) {
            to = { quantity->count, known.unit };
            return true;
        }
    }
    return false;
}

bool read(const WrittenValue& written, std::optional<Bytes>& to)
{
    if (readsWord(written, "none")) {
        to.reset();
        return true;
    }
    const auto quantity = quantityOf(written);
    for (const ByteUnit& known : kByteUnits)
        if (quantity && quantity->unit == known.name) {
            const std::optional<Bytes> bytes = product(*quantity, known.bytes);
            to = bytes ? bytes : to;
            return bytes.has_value();
        }
    return false;
}

namespace {

constexpr std::string_view kNormalizations[] = { "auto", "published", "measured" }; // as Kind

// The member of an inline table, null where there is none.
const WrittenValue* fieldOf(const std::vector<WrittenField>& fields, std::string_view name)
{
    for (const WrittenField& field : fields)
        if (field.name == name)
            return &field.value;
    return nullptr;
}

bool readFields(const std::vector<WrittenField>& fields, StepsFrom& to)
{
    const WrittenValue* epoch = fieldOf(fields, "from_epoch");
    const WrittenValue* step = fieldOf(fields, "from_step");
    const WrittenValue* steps = fieldOf(fields, "steps");
    if (fields.size() != 2 || !steps || (epoch != nullptr) == (step != nullptr))
        return false;
    to.unit = epoch ? StepsFrom::Unit::Epoch : StepsFrom::Unit::Step;
    return read(epoch ? *epoch : *step, to.from) && read(*steps, to.steps);
}

bool readWords(std::string_view text, StepsFrom& to)
{
    const std::vector<std::string_view> words = partsOf(text, ' ');
    if (words.size() != 4 || words[1] != "from" || (words[2] != "epoch" && words[2] != "step"))
        return false;
    to.unit = words[2] == "epoch" ? StepsFrom::Unit::Epoch : StepsFrom::Unit::Step;
    return readsWhole(words[0], to.steps) && readsWhole(words[3], to.from);
}

std::string_view nameOf(StepsFrom::Unit unit)
{
    return unit == StepsFrom::Unit::Epoch ? "epoch" : "step";
}

bool readsTable(const std::vector<WrittenField>& fields, Normalization& to)
{
    const WrittenValue* mean = fieldOf(fields, "mean");
    const WrittenValue* stddev = fieldOf(fields, "std");
    return fields.size() == 2 && mean && stddev && read(*mean, to.mean) && read(*stddev, to.stddev);
}

// "mean 0.49 0.48 0.45 std 0.25 0.24 0.26"
bool readsWords(std::string_view text, Normalization& to)
{
    std::vector<double>* values = nullptr;
    for (const std::string_view part : partsOf(text, ' ')) {
        double value = 0;
        if (part == "mean" && !values)
            values = &to.mean;
        else if (part == "std" && values == &to.mean)
            values = &to.stddev;
        else if (values && read(writtenFromText(part), value))
            values->push_back(value);
        else if (!part.empty())
            return false;
    }
    return values == &to.stddev;
}

bool readsPart(std::string_view text, AugmentSettings& to)
{
    if (text == "flip")
        return !std::exchange(to.flip, true);
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    std::int64_t* number = name == "crop" ? &to.cropPadding
        : name == "cutout"                ? &to.cutoutSize
                                          : nullptr;
    const bool twice = number && *number != 0;
    return colon != std::string_view::npos && number && !twice
        && read(writtenFromText(text.substr(colon + 1)), *number) && *number >= 1;
}

std::vector<std::string> partsOf(const AugmentSettings& augment)
{
    std::vector<std::string> parts;
    if (augment.cropPadding != 0)
        parts.push_back("crop:" + std::to_string(augment.cropPadding));
    if (augment.flip)
        parts.emplace_back("flip");
    if (augment.cutoutSize != 0)
        parts.push_back("cutout:" + std::to_string(augment.cutoutSize));
    return parts;
}

} // namespace

bool read(const WrittenValue& written, StepsFrom& to)
{
    if (const auto* fields = std::get_if<std::vector<WrittenField>>(&written.value))
        return readFields(*fields, to);
    const std::string* text = std::get_if<std::string>(&written.value);
    return text && readWords(*text, to);
}

bool read(const WrittenValue& written, BatchNormMomentum& to)
{
    double value = 0;
    if (readsWord(written, "corrected"))
        to = BatchNormMomentum::correctedOne();
    else if (read(written, value))
        to = { .value = value };
    else
        return false;
    return true;
}

bool read(const WrittenValue& written, HeldOut& to)
{
    HeldOut read;
    if (!accrue::read(written, read.samples) && !accrue::read(written, read.share))
        return false;
    to = read;
    return true;
}

bool read(const WrittenValue& written, std::optional<PictureSize>& to)
{
    std::int64_t side = 0;
    std::vector<std::int64_t> sides;
    if (readsAuto(written))
        to.reset();
    else if (read(written, side))
        to = PictureSize { side, side };
    else if (read(written, sides) && sides.size() == 2)
        to = PictureSize { sides[0], sides[1] };
    else
        return false;
    return true;
}

bool read(const WrittenValue& written, Normalization& to)
{
    Normalization read;
    std::string text;
    if (const auto* fields = std::get_if<std::vector<WrittenField>>(&written.value)) {
        read.kind = Normalization::Kind::Given;
        if (!readsTable(*fields, read))
            return false;
    } else if (!accrue::read(written, text)) {
        return false;
    } else if (const auto* word =
                   std::find(std::begin(kNormalizations), std::end(kNormalizations), text);
               word != std::end(kNormalizations)) {
        read.kind = static_cast<Normalization::Kind>(word - std::begin(kNormalizations));
    } else {
        read.kind = Normalization::Kind::Given;
        if (!readsWords(text, read))
            return false;
    }
    to = std::move(read);
    return true;
}

bool read(const WrittenValue& written, AugmentSettings& to)
{
    std::vector<std::string> parts;
    if (!read(written, parts))
        return false;
    AugmentSettings augment;
    for (const std::string& part : parts)
        if (!readsPart(part, augment))
            return false;
    to = augment;
    return true;
}

SettingValue show(bool value)
{
    return value;
}

SettingValue show(std::int64_t value)
{
    return value;
}

SettingValue show(double value)
{
    return value;
}

SettingValue show(const std::string& value)
{
    return value;
}

SettingValue show(std::uint64_t value)
{
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return std::to_string(value);
    return static_cast<std::int64_t>(value);
}

SettingValue show(const std::optional<std::int64_t>& value)
{
    return value ? SettingValue(*value) : SettingValue(std::string("auto"));
}

SettingValue show(const Span& span)
{
    const UnitName& unit = kUnits[static_cast<std::size_t>(span.unit)];
    return exactNumber(span.count) + " " + std::string(span.count == 1 ? unit.one : unit.many);
}

SettingValue show(const std::optional<Bytes>& bytes)
{
    if (!bytes)
        return std::string("none");
    const ByteUnit* unit = std::begin(kByteUnits);
    while (bytes->count == 0 || bytes->count % unit->bytes != 0)
        if ((++unit)->bytes == 1)
            break;
    return std::to_string(bytes->count / unit->bytes) + std::string(unit->name);
}

SettingValue show(const StepsFrom& entry)
{
    return std::to_string(entry.steps) + " from " + std::string(nameOf(entry.unit)) + " "
        + std::to_string(entry.from);
}

std::string tomlOf(const StepsFrom& entry)
{
    return "{from_" + std::string(nameOf(entry.unit)) + " = " + std::to_string(entry.from)
        + ", steps = " + std::to_string(entry.steps) + "}";
}

SettingValue show(const BatchNormMomentum& momentum)
{
    return momentum.corrected ? SettingValue(std::string("corrected"))
                              : SettingValue(momentum.value);
}

SettingValue show(const HeldOut& heldOut)
{
    return heldOut.share != 0 ? SettingValue(heldOut.share) : SettingValue(heldOut.samples);
}

SettingValue show(const std::optional<PictureSize>& size)
{
    if (!size)
        return std::string("auto");
    if (size->height == size->width)
        return size->height;
    return show(std::vector { size->height, size->width });
}

SettingValue show(const Normalization& normalization)
{
    if (normalization.kind != Normalization::Kind::Given)
        return std::string(kNormalizations[static_cast<std::size_t>(normalization.kind)]);
    std::string text = "mean";
    for (const double value : normalization.mean)
        text += " " + exactNumber(value);
    text += " std";
    for (const double value : normalization.stddev)
        text += " " + exactNumber(value);
    return text;
}

std::string tomlOf(const std::optional<PictureSize>& size)
{
    if (!size || size->height == size->width)
        return tomlText(show(size));
    return tomlOf(std::vector { size->height, size->width });
}

std::string tomlOf(const Normalization& normalization)
{
    if (normalization.kind != Normalization::Kind::Given)
        return tomlText(show(normalization));
    return "{mean = " + tomlOf(normalization.mean) + ", std = " + tomlOf(normalization.stddev)
        + "}";
}

SettingValue show(const AugmentSettings& augment)
{
    return show(partsOf(augment));
}

std::string tomlOf(const AugmentSettings& augment)
{
    return tomlOf(partsOf(augment));
}

std::string tomlQuoted(std::string_view text)
{
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string quoted = "\"";
    for (const char c : text) {
        const unsigned char byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (byte < 0x20 || byte == 0x7f) {
            quoted += "\\u00";
            quoted += kHex[byte >> 4];
            quoted += kHex[byte & 0xf];
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

std::string tomlText(const SettingValue& value)
{
    if (const std::string* text = std::get_if<std::string>(&value))
        return tomlQuoted(*text);
    std::string text = settingText(value);
    // Digits alone would be a whole number to TOML, and may be beyond its 64 bits.
    const bool number = std::holds_alternative<double>(value);
    if (number && text.find_first_not_of("-0123456789") == std::string::npos)
        text += ".0";
    return text;
}

} // namespace accrue
