// SPDX-License-Identifier: GPL-3.0-or-later
#include "spec/shape.h"

#include <algorithm>
#include <cmath>

namespace fnn {
namespace {

std::string quoted_list(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + compact(Json(word));
  return list;
}

std::string known_keys(const std::vector<Key>& keys) {
  std::vector<std::string> names;
  for (const Key& key : keys) names.push_back(key.name);
  std::sort(names.begin(), names.end());
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

bool is_whole(const Json& value) {
  if (value.is_number_integer()) return true;
  return value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>();
}

/// Only the order matters, so the rounding of numbers beyond 64 bits is harmless.
double as_double(const Json& value) { return value.get<double>(); }

Check whole_number(std::int64_t least, std::int64_t at_most, const std::string& words) {
  return [=](const Json& value, const std::string& at, Problems& problems) {
    if (!is_whole(value) || as_double(value) < static_cast<double>(least)) {
      problems.add(at, shown(value) + " is not a " + words);
    } else if (as_double(value) > static_cast<double>(at_most)) {
      problems.add(at, shown(value) + " is more than " + std::to_string(at_most));
    }
  };
}

Check number(bool zero_allowed, const std::string& words) {
  return [=](const Json& value, const std::string& at, Problems& problems) {
    const bool good = value.is_number() && (zero_allowed ? as_double(value) >= 0 : as_double(value) > 0);
    if (!good) problems.add(at, shown(value) + " is not a " + words);
  };
}

bool is_name(const std::string& text, std::size_t longest) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto inner = [&](char c) { return lower(c) || (c >= '0' && c <= '9') || c == '-'; };
  return !text.empty() && (longest == 0 || text.size() <= longest) && lower(text[0]) &&
         std::all_of(text.begin(), text.end(), inner);
}

void expect(const std::string& words, const Json& value, const std::string& at, Problems& problems) {
  problems.add(at, "expected " + words + ", not " + type_name(value));
}

Check number_up_to(std::int64_t at_most, Check number) {
  return [=](const Json& value, const std::string& at, Problems& problems) {
    if (value.is_number() && as_double(value) > static_cast<double>(at_most)) {
      problems.add(at, shown(value) + " is more than " + std::to_string(at_most));
    } else {
      number(value, at, problems);
    }
  };
}

}  // namespace

Check object_of(std::vector<Key> keys) {
  return [keys = std::move(keys)](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_object()) return expect("an object", value, at, problems);
    for (const Key& key : keys) {
      const auto found = value.find(key.name);
      if (found != value.end()) key.check(*found, child(at, key.name), problems);
      else if (key.required) problems.add(child(at, key.name), "missing");
    }
    for (const auto& item : value.items()) {
      const auto same = [&](const Key& key) { return key.name == item.key(); };
      if (std::none_of(keys.begin(), keys.end(), same)) {
        problems.add(child(at, item.key()), "unknown key, expected one of " + known_keys(keys));
      }
    }
  };
}

Check any_object() {
  return [](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_object()) expect("an object", value, at, problems);
  };
}

Check array_of(Check item, std::size_t at_least, std::size_t at_most) {
  return [=, item = std::move(item)](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_array()) return expect("an array", value, at, problems);
    if (value.size() < at_least) {
      problems.add(at, "expected at least " + counted(static_cast<long long>(at_least), "item") + ", not " +
                           std::to_string(value.size()));
    }
    if (value.size() > at_most) {
      problems.add(at, "expected at most " + counted(static_cast<long long>(at_most), "item") + ", not " +
                           std::to_string(value.size()));
      return;
    }
    for (std::size_t i = 0; i < value.size(); ++i) item(value[i], child(at, i), problems);
  };
}

Check tuple_of(std::vector<Check> items, std::size_t at_least) {
  return [=, items = std::move(items)](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_array()) return expect("an array", value, at, problems);
    const std::size_t size = value.size();
    if (size < at_least || size > items.size()) {
      const bool few = size < at_least;
      problems.add(at, std::string("expected at ") + (few ? "least " : "most ") +
                           counted(static_cast<long long>(few ? at_least : items.size()), "item") + ", not " +
                           std::to_string(size));
    }
    for (std::size_t i = 0; i < std::min(size, items.size()); ++i) items[i](value[i], child(at, i), problems);
  };
}

Check text() {
  return [](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_string()) expect("a string", value, at, problems);
  };
}

Check name_of_length(std::size_t longest) {
  const std::string most = longest == 0 ? "" : ", at most " + std::to_string(longest) + " characters";
  return [=](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_string()) return expect("a string", value, at, problems);
    if (!is_name(value.get<std::string>(), longest)) {
      problems.add(at, shown(value) + " is not a name: lower case letters, digits and hyphens, first a letter" + most +
                           ", such as rack-1");
    }
  };
}

bool is_host_name(const std::string& text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto edge = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  if (text.empty() || text.size() > kLongestHostName || std::none_of(text.begin(), text.end(), letter)) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inner = i > 0 && i + 1 < text.size() && text[i - 1] != '.' && text[i + 1] != '.';
    if (!edge(text[i]) && !(text[i] == '.' && i > 0 && edge(text[i - 1])) &&
        !((text[i] == '-' || text[i] == '_') && inner)) {
      return false;
    }
  }
  return edge(text.back());
}

std::string host_name_in_words() {
  return "a host name: letters (at least one), digits, hyphens, underscores and dots, at most " +
         std::to_string(kLongestHostName) +
         " characters; it and each part between dots begins and ends with a letter or digit, such as compute-0-0 or "
         "k01.example.org";
}

Check host_name() {
  return [](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_string()) return expect("a string", value, at, problems);
    if (!is_host_name(value.get<std::string>())) problems.add(at, shown(value) + " is not " + host_name_in_words());
  };
}

Check sha256() {
  return [](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_string()) return expect("a string", value, at, problems);
    const std::string& found = value.get_ref<const std::string&>();
    const std::string prefix = "sha256:";
    const bool good = found.starts_with(prefix) && found.size() == prefix.size() + 64 &&
                      found.find_first_not_of("0123456789abcdef", prefix.size()) == std::string::npos;
    if (!good) problems.add(at, shown(value) + " is not a digest: sha256: and 64 hexadecimal digits");
  };
}

Check one_of(std::vector<std::string> words) {
  return [words = std::move(words)](const Json& value, const std::string& at, Problems& problems) {
    const auto same = [&](const std::string& word) { return value == Json(word); };
    if (std::none_of(words.begin(), words.end(), same)) {
      problems.add(at, shown(value) + " is not one of " + quoted_list(words));
    }
  };
}

Check constant(Json expected) {
  return [expected = std::move(expected)](const Json& value, const std::string& at, Problems& problems) {
    if (value != expected) problems.add(at, shown(value) + " is not " + compact(expected));
  };
}

Check boolean() {
  return [](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_boolean()) expect("a boolean", value, at, problems);
  };
}

Check positive_integer(std::int64_t at_most) { return whole_number(1, at_most, "positive integer"); }

Check non_negative_integer(std::int64_t at_most) { return whole_number(0, at_most, "non-negative integer"); }

Check integer_between(std::int64_t least, std::int64_t most) {
  const std::string words = "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  return [=](const Json& value, const std::string& at, Problems& problems) {
    const bool good = is_whole(value) && as_double(value) >= static_cast<double>(least) &&
                      as_double(value) <= static_cast<double>(most);
    if (!good) problems.add(at, shown(value) + " is not " + words);
  };
}

Check number_between(std::int64_t least, std::int64_t most) {
  const std::string words = "a number from " + std::to_string(least) + " to " + std::to_string(most);
  return [=](const Json& value, const std::string& at, Problems& problems) {
    const bool good = value.is_number() && as_double(value) >= static_cast<double>(least) &&
                      as_double(value) <= static_cast<double>(most);
    if (!good) problems.add(at, shown(value) + " is not " + words);
  };
}

Check any_number() {
  return [](const Json& value, const std::string& at, Problems& problems) {
    if (!value.is_number()) problems.add(at, shown(value) + " is not a number");
  };
}

Check positive_number() { return number(false, "positive number"); }

Check non_negative_number() { return number(true, "non-negative number"); }

Check non_negative_number(std::int64_t at_most) { return number_up_to(at_most, non_negative_number()); }

Check positive_number(std::int64_t at_most) { return number_up_to(at_most, positive_number()); }

Check or_null(Check check, std::string words, std::function<bool(const Json&)> fits) {
  return [=](const Json& value, const std::string& at, Problems& problems) {
    if (value.is_null()) return;
    if (fits(value)) check(value, at, problems);
    else expect(words + " or null", value, at, problems);
  };
}

Check text_or(Check object) {
  return [object = std::move(object)](const Json& value, const std::string& at, Problems& problems) {
    if (value.is_object()) object(value, at, problems);
    else if (!value.is_string()) expect("an object or a string", value, at, problems);
  };
}

Check count_or(std::int64_t at_most, Check array) {
  const Check count = positive_integer(at_most);
  return [=](const Json& value, const std::string& at, Problems& problems) {
    if (value.is_number()) count(value, at, problems);
    else if (value.is_array()) array(value, at, problems);
    else expect("a positive integer or an array", value, at, problems);
  };
}

}  // namespace fnn
