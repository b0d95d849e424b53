// SPDX-License-Identifier: Apache-2.0
#include "engine/experiment/setting_value.h"

#include "engine/base/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

namespace accrue {

namespace {

struct ByteUnit {
    std::string_view name;
    std::int64_t bytes;
};
constexpr ByteUnit kByteUnits[] = { // first the units in which values are shown, largest first
    { "TiB", std::int64_t { 1 } << 40 }, { "GiB", 1 << 30 }, { "MiB", 1 << 20 }, { "KiB", 1 << 10 },
    { "B", 1 }, { "TB", 1'000'000'000'000 }, { "GB", 1'000'000'000 }, { "MB", 1'000'000 },
    { "kB", 1'000 }, { "KB", 1'000 }
};
// Below 2^63, so that a rounded product still fits.
constexpr double kMostBytes = 9e18;

template <typename Unit> struct UnitName {
    std::string_view one;
    std::string_view many;
    Unit unit;
};
constexpr UnitName<Span::Unit> kUnits[] = {
    { "epoch", "epochs", Span::Unit::Epochs },
    { "step", "steps", Span::Unit::Steps },
    { "minute", "minutes", Span::Unit::Minutes },
};
constexpr UnitName<TimeSpan::Unit> kTimeUnits[] = {
    { "second", "seconds", TimeSpan::Unit::Seconds },
    { "minute", "minutes", TimeSpan::Unit::Minutes },
};

bool readsWord(const WrittenValue& written, std::string_view word)
{
    const std::string* text = std::get_if<std::string>(&written.value);
    return text && *text == word;
}

// A word, or else a value that `of` is made from. The spelling of settings serves three readers
// that must agree: recipes (TOML), --set and the fields of the form (TOML or bare text), and run
// logs of earlier versions, which contain the text of asWritten. So `read` turns whatever asWritten
// writes, in either spelling, into an equal value; tst_recipe tries that with random experiments.
template <typename Other, typename Value, typename Of>
bool readWordOr(const WrittenValue& written, std::string_view word, const Value& valueOfWord,
    const Of& of, Value& to)
{
    Other other {};
    if (readsWord(written, word))
        to = valueOfWord;
    else if (read(written, other))
        to = of(other);
    else
        return false;
    return true;
}

} // namespace

bool read(const WrittenValue& written, BatchNumber& to)
{
    if (readsWord(written, "all")) {
        to = BatchNumber::all();
        return true;
    }
    return readWordOr<std::int64_t>(written, "auto", BatchNumber::solved(), BatchNumber::given, to);
}

bool read(const WrittenValue& written, std::optional<std::int64_t>& to)
{
    const auto given = [](std::int64_t value) { return std::optional(value); };
    return readWordOr<std::int64_t>(written, "auto", std::optional<std::int64_t>(), given, to);
}

bool read(const WrittenValue& written, BatchNormMomentum& to)
{
    const auto given = [](double value) { return BatchNormMomentum { .value = value }; };
    return readWordOr<double>(written, "corrected", BatchNormMomentum::correctedOne(), given, to);
}

namespace {

struct Quantity {
    double count;
    std::optional<std::int64_t> whole; // the same exactly, if it is written as a whole number
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
    // from_chars does not depend on the locale; strtod would stop at the point if the locale's sign
    // is a comma.
    const auto number = std::from_chars(text->data(), end, count);
    if (number.ec != std::errc {})
        return {};
    std::int64_t whole = 0;
    const auto wholeNumber = std::from_chars(text->data(), end, whole);
    // Both must end at the same place: in "4.5GiB" the whole number ends at the point.
    const bool isWhole = wholeNumber.ec == std::errc {} && wholeNumber.ptr == number.ptr;
    std::string_view unit(number.ptr, static_cast<std::size_t>(end - number.ptr));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    return Quantity { count, isWhole ? std::optional(whole) : std::nullopt, std::string(unit) };
}

// Empty: the number does not fit.
std::optional<Bytes> product(const Quantity& quantity, std::int64_t unit)
{
    Bytes bytes;
    // A double has 53 bits: beyond 8 PiB a whole number of bytes would not read back as written.
    if (quantity.whole)
        return __builtin_mul_overflow(*quantity.whole, unit, &bytes.count) ? std::nullopt
                                                                           : std::optional(bytes);
    const double count = quantity.count * static_cast<double>(unit);
    // Negated, so that a NaN is refused, too: from_chars reads "nan".
    if (!(std::abs(count) < kMostBytes))
        return std::nullopt;
    bytes.count = std::llround(count);
    return bytes;
}

template <typename Of, typename Units>
bool readQuantity(const WrittenValue& written, const Units& units, Of& to)
{
    const auto quantity = quantityOf(written);
    for (const auto& known : units) {
        if (quantity && (quantity->unit == known.one || quantity->unit == known.many)) {
            to = { quantity->count, known.unit };
            return true;
        }
    }
    return false;
}

} // namespace

bool read(const WrittenValue& written, Span& to)
{
    return readQuantity(written, kUnits, to);
}

bool read(const WrittenValue& written, std::optional<Span>& to)
{
    Span span;
    const bool isOff = readsWord(written, "off");
    if (!isOff && !read(written, span))
        return false;
    to = isOff ? std::nullopt : std::optional(span);
    return true;
}

bool read(const WrittenValue& written, TimeSpan& to)
{
    return readQuantity(written, kTimeUnits, to);
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
            // Unchanged if it does not fit: an empty value would mean that there is no limit.
            to = bytes ? bytes : to;
            return bytes.has_value();
        }
    return false;
}

bool read(const WrittenValue& written, ChunkSize& to)
{
    if (readsWord(written, "auto")) {
        to = {};
        return true;
    }
    return !readsWord(written, "none") && read(written, to.bytes);
}

namespace {

constexpr std::string_view kNormalizations[] = { "auto", "published", "measured" }; // as Kind

// The member of an inline table; null if there is none.
const WrittenValue* fieldOf(const std::vector<WrittenField>& fields, std::string_view name)
{
    for (const WrittenField& field : fields)
        if (field.name == name)
            return &field.value;
    return nullptr;
}

// Tables have a short spelling, which --set accepted before it accepted TOML: "2 from epoch 4" for
// {from_epoch = 4, steps = 2}, and "mean 0.5 std 0.25" for {mean = [0.5], std = [0.25]}. The run
// log stores it, so it must stay readable.
std::vector<WrittenField> fieldsOfWords(const std::vector<std::string_view>& words)
{
    if (words.size() == 4 && words[1] == "from")
        return { { "from_" + std::string(words[2]), writtenFromText(words[3]) },
            { "steps", writtenFromText(words[0]) } };
    std::vector<WrittenField> fields;
    for (const std::string_view word : words) {
        WrittenValue value = writtenFromText(word);
        if (std::holds_alternative<std::string>(value.value))
            fields.push_back({ std::string(word), { std::vector<WrittenValue> {} } });
        else if (!fields.empty())
            std::get<std::vector<WrittenValue>>(fields.back().value.value)
                .push_back(std::move(value));
        else
            return {};
    }
    return fields;
}

// The fields of an inline table or of its short spelling; none: it is neither.
std::vector<WrittenField> fieldsIn(const WrittenValue& written)
{
    if (const auto* fields = std::get_if<std::vector<WrittenField>>(&written.value))
        return *fields;
    const std::string* text = std::get_if<std::string>(&written.value);
    if (text == nullptr)
        return {};
    std::vector<std::string_view> words = partsOf(*text, ' ');
    std::erase(words, std::string_view());
    return fieldsOfWords(words);
}

std::string shortSpelling(const std::vector<WrittenField>& fields)
{
    const auto text = [](const WrittenValue& value) { return settingText(settingValue(value)); };
    constexpr std::string_view kFrom = "from_";
    const auto& [first, value] = fields.front();
    if (first.starts_with(kFrom))
        return text(fields.back().value) + " from " + first.substr(kFrom.size()) + " "
            + text(value);
    std::string spelling;
    for (const auto& [name, list] : fields) {
        spelling += (spelling.empty() ? "" : " ") + name;
        for (const WrittenValue& number : std::get<std::vector<WrittenValue>>(list.value))
            spelling += " " + text(number);
    }
    return spelling;
}

const char* nameOf(StepsFrom::Unit unit)
{
    return unit == StepsFrom::Unit::Epoch ? "from_epoch" : "from_step";
}

bool readsPart(std::string_view text, AugmentSettings& to)
{
    if (text == "flip")
        return !std::exchange(to.flip, true);
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    // Each change has a number of its own, and 0 means that it is missing: a second one is an
    // error, as is a number below 1.
    std::int64_t* number = name == "crop" ? &to.cropPadding
        : name == "cutout"                ? &to.cutoutSize
                                          : nullptr;
    const bool twice = number && *number != 0;
    return colon != std::string_view::npos && number && !twice
        && read(writtenFromText(text.substr(colon + 1)), *number) && *number >= 1;
}

} // namespace

bool read(const WrittenValue& written, StepsFrom& to)
{
    const std::vector<WrittenField> fields = fieldsIn(written);
    const WrittenValue* epoch = fieldOf(fields, nameOf(StepsFrom::Unit::Epoch));
    const WrittenValue* step = fieldOf(fields, nameOf(StepsFrom::Unit::Step));
    const WrittenValue* steps = fieldOf(fields, "steps");
    // Exactly one of the two, and no other field.
    if (fields.size() != 2 || !steps || (epoch != nullptr) == (step != nullptr))
        return false;
    to.unit = epoch ? StepsFrom::Unit::Epoch : StepsFrom::Unit::Step;
    return read(epoch ? *epoch : *step, to.from) && read(*steps, to.steps);
}

bool read(const WrittenValue& written, HeldOut& to)
{
    // A count first: "1" is one sample, while "1.0" is a share (and out of range).
    HeldOut read;
    if (!accrue::read(written, read.samples) && !accrue::read(written, read.share))
        return false;
    to = read;
    return true;
}

bool read(const WrittenValue& written, std::optional<PictureSize>& to)
{
    // Bare text such as "32" also reads as a list, of one number: it is a square.
    std::vector<std::int64_t> sides;
    if (read(written, sides) && sides.size() == 2) {
        to = PictureSize { sides[0], sides[1] };
        return true;
    }
    const auto square = [](std::int64_t side) { return std::optional(PictureSize { side, side }); };
    return readWordOr<std::int64_t>(written, "auto", std::optional<PictureSize>(), square, to);
}

bool read(const WrittenValue& written, Normalization& to)
{
    for (std::size_t kind = 0; kind < std::size(kNormalizations); ++kind)
        if (readsWord(written, kNormalizations[kind])) {
            to = { static_cast<Normalization::Kind>(kind), {}, {} };
            return true;
        }
    const std::vector<WrittenField> fields = fieldsIn(written);
    Normalization given { Normalization::Kind::Given, {}, {} };
    const bool reads = fields.size() == 2 && fields[0].name == "mean" && fields[1].name == "std"
        && read(fields[0].value, given.mean) && read(fields[1].value, given.stddev);
    if (reads)
        to = std::move(given);
    return reads;
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

WrittenValue asWritten(std::uint64_t value)
{
    // TOML has no such number. As text it appears in the message about its range with all its
    // digits.
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return { std::to_string(value) };
    return { static_cast<std::int64_t>(value) };
}

WrittenValue asWritten(const std::optional<std::int64_t>& value)
{
    return value ? asWritten(*value) : asWritten(std::string("auto"));
}

namespace {

template <typename Of, typename Units>
WrittenValue writtenQuantity(const Of& span, const Units& units)
{
    const auto& unit = units[static_cast<std::size_t>(span.unit)];
    return { exactNumber(span.count) + " " + std::string(span.count == 1 ? unit.one : unit.many) };
}

} // namespace

WrittenValue asWritten(const Span& span)
{
    return writtenQuantity(span, kUnits);
}

WrittenValue asWritten(const std::optional<Span>& span)
{
    return span ? asWritten(*span) : WrittenValue { std::string("off") };
}

WrittenValue asWritten(const TimeSpan& span)
{
    return writtenQuantity(span, kTimeUnits);
}

WrittenValue asWritten(const std::optional<Bytes>& bytes)
{
    if (!bytes)
        return { std::string("none") };
    // Units of a thousand come after B in the table, so they are read, but never written.
    const ByteUnit* unit = std::begin(kByteUnits);
    // 0 is a multiple of every unit and would be written as 0TiB.
    while (bytes->count == 0 || bytes->count % unit->bytes != 0)
        if ((++unit)->bytes == 1)
            break;
    return { std::to_string(bytes->count / unit->bytes) + std::string(unit->name) };
}

WrittenValue asWritten(const ChunkSize& size)
{
    return size.bytes ? asWritten(size.bytes) : WrittenValue { std::string("auto") };
}

WrittenValue asWritten(const StepsFrom& entry)
{
    return { std::vector<WrittenField> {
        { nameOf(entry.unit), asWritten(entry.from) }, { "steps", asWritten(entry.steps) } } };
}

WrittenValue asWritten(const BatchNormMomentum& momentum)
{
    return momentum.corrected ? asWritten(std::string("corrected")) : asWritten(momentum.value);
}

WrittenValue asWritten(const HeldOut& heldOut)
{
    return heldOut.share != 0 ? asWritten(heldOut.share) : asWritten(heldOut.samples);
}

WrittenValue asWritten(const std::optional<PictureSize>& size)
{
    if (!size)
        return asWritten(std::string("auto"));
    return size->height == size->width ? asWritten(size->height)
                                       : asWritten(std::vector { size->height, size->width });
}

WrittenValue asWritten(const Normalization& normalization)
{
    if (normalization.kind != Normalization::Kind::Given)
        return { std::string(kNormalizations[static_cast<std::size_t>(normalization.kind)]) };
    return { std::vector<WrittenField> {
        { "mean", asWritten(normalization.mean) }, { "std", asWritten(normalization.stddev) } } };
}

WrittenValue asWritten(const AugmentSettings& augment)
{
    std::vector<std::string> parts;
    if (augment.cropPadding != 0)
        parts.push_back("crop:" + std::to_string(augment.cropPadding));
    if (augment.flip)
        parts.emplace_back("flip");
    if (augment.cutoutSize != 0)
        parts.push_back("cutout:" + std::to_string(augment.cutoutSize));
    return asWritten(parts);
}

namespace {

struct SettingMaker {
    template <typename Value> SettingValue operator()(const Value& value) const { return value; }
    SettingValue operator()(std::monostate) const { return std::string(); }
    SettingValue operator()(const std::vector<WrittenField>& fields) const
    {
        return shortSpelling(fields);
    }
    SettingValue operator()(const std::vector<WrittenValue>& elements) const
    {
        std::string text;
        for (const WrittenValue& element : elements)
            text += (text.empty() ? "" : ", ") + settingText(settingValue(element));
        return text;
    }
};

} // namespace

SettingValue settingValue(const WrittenValue& written)
{
    return std::visit(SettingMaker {}, written.value);
}

std::string tomlText(const SettingValue& value)
{
    return std::visit([](const auto& each) { return tomlOf(each); }, value);
}

std::string settingText(const SettingValue& value)
{
    if (const std::string* text = std::get_if<std::string>(&value))
        return *text;
    if (const double* number = std::get_if<double>(&value))
        return exactNumber(*number);
    return tomlText(value);
}

std::string shownSetting(const SettingValue& value)
{
    const std::string text = settingText(value);
    return text.empty() ? "none" : text;
}

} // namespace accrue
