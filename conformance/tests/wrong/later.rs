//! Wrong implementations that pass version 1.0 of the suite, and the case behind it that is there to catch each.

use crate::implementation::Wrong;

/// Each of them.
pub(crate) const LATER: [Wrong; 23] = [
    Wrong {
        name: "finds_a_file_in_any_case",
        replaced: "    key = resolve(path)\n",
        with: "    key = resolve(path)\n    key = next((name for name in files if name.lower() == key.lower()), key)\n",
        caught_by: "tools::names::capitals_read",
    },
    Wrong {
        name: "writes_to_a_file_in_any_case",
        replaced: r#"    return f"File written: {path}", {key: content}"#,
        with: r#"    key = next((name for name in files if name.lower() == key.lower()), key)
    return f"File written: {path}", {key: content}"#,
        caught_by: "tools::names::capitals_written",
    },
    Wrong {
        name: "writes_composed_names",
        replaced: r#"    return f"File written: {path}", {key: content}"#,
        with: r#"    key = __import__("unicodedata").normalize("NFC", key)
    return f"File written: {path}", {key: content}"#,
        caught_by: "tools::names::decomposed_written",
    },
    Wrong {
        name: "passes_over_a_nul_at_the_end",
        replaced: r#"or "\0" in path:"#,
        with: r#"or "\0" in path[:-1]:"#,
        caught_by: "tools::paths::nul_at_the_end",
    },
    Wrong {
        name: "passes_over_a_nul_at_the_beginning",
        replaced: r#"or "\0" in path:"#,
        with: r#"or "\0" in path[1:]:"#,
        caught_by: "tools::paths::nul_at_the_beginning",
    },
    Wrong {
        name: "creates_a_file_at_a_nul_alone",
        replaced: r#"or "\0" in path:"#,
        with: r#"or "\0" in path and path != "\0":"#,
        caught_by: "tools::paths::nul_alone_written",
    },
    Wrong {
        name: "ends_the_last_line_of_a_limit",
        replaced: "shown = lines[first - 1 :][:limit]",
        with: r#"shown = [line.removesuffix("\n") + "\n" if limit else line for line in lines[first - 1 :][:limit]]"#,
        caught_by: "tools::read_file::limit_at_an_unfinished_line",
    },
    Wrong {
        name: "passes_over_a_line_without_its_end",
        replaced: "            if text.strip(WHITE_SPACE):",
        with: r#"            if text.strip(WHITE_SPACE) and line.endswith(b"\n"):"#,
        caught_by: "stream::open_end::request",
    },
    Wrong {
        name: "takes_the_last_byte_for_the_end_of_a_line",
        replaced: r#"text = line.removesuffix(b"\n")"#,
        with: "text = line[:-1]",
        caught_by: "stream::open_end::only_request",
    },
    Wrong {
        name: "lets_the_option_raise_the_default",
        replaced: r#"min(request.get("limits", DEFAULT_LIMIT),"#,
        with: r#"min(request.get("limits", max(DEFAULT_LIMIT, self.options.max_output_bytes % LARGEST_COUNT)),"#,
        caught_by: "limits::default::option_above_the_default",
    },
    Wrong {
        name: "keeps_an_accent_with_its_letter_in_the_head",
        replaced: "    head = characters(whole[: room - len(tail)])\n",
        with: r#"    head = characters(whole[: room - len(tail)])
    if whole[len(head) :].startswith("\u0301".encode()):
        head = head.decode()[:-1].encode()
"#,
        caught_by: "limits::truncation::accent_at_the_head_cut",
    },
    Wrong {
        name: "keeps_an_accent_with_its_letter_in_the_tail",
        replaced: "        tail = characters(whole[size - room // 2 :])\n",
        with: r#"        tail = characters(whole[size - room // 2 :]).removeprefix("\u0301".encode())
"#,
        caught_by: "limits::truncation::accent_at_the_tail_cut",
    },
    Wrong {
        name: "takes_any_args_for_those_of_the_call",
        replaced: "PLACES.get((place, name), \"other\")",
        with: "\"args\" if name == \"args\" and place != \"request\" else PLACES.get((place, name), \"other\")",
        caught_by: "protocol::repeated_keys::in_args_of_the_limits",
    },
    Wrong {
        name: "takes_any_call_for_that_of_the_request",
        replaced: "PLACES.get((place, name), \"other\")",
        with: "\"call\" if name == \"call\" else PLACES.get((place, name), \"other\")",
        caught_by: "protocol::repeated_keys::in_a_call_deeper_down",
    },
    Wrong {
        name: "completes_the_names_of_options",
        replaced: ", allow_abbrev=False)",
        with: ")",
        caught_by: "protocol::usage::beginning_of_a_name",
    },
    Wrong {
        name: "passes_over_options_that_are_unknown",
        replaced: "options = parser.parse_args(words)",
        with: "options = parser.parse_known_args(words)[0]",
        caught_by: "protocol::usage::unknown_option",
    },
    Wrong {
        name: "keeps_going_without_a_stream",
        replaced: "if options.keep_going and not options.stream:",
        with: "if False:",
        caught_by: "protocol::usage::keep_going_alone",
    },
    Wrong {
        name: "lays_out_a_stream",
        replaced: "if options.pretty and options.stream:",
        with: "if False:",
        caught_by: "protocol::usage::pretty_and_stream",
    },
    Wrong {
        name: "allows_what_there_is_not",
        replaced: "    unknown = sorted(names - set(TOOLS))\n",
        with: "    unknown = []\n",
        caught_by: "gates::usage::unknown_tool",
    },
    Wrong {
        name: "allows_names_in_any_case",
        replaced: r#"names = set(text.split(","))"#,
        with: r#"names = set(text.lower().split(","))"#,
        caught_by: "gates::usage::other_case",
    },
    Wrong {
        name: "takes_blanks_from_the_names_it_allows",
        replaced: r#"names = set(text.split(","))"#,
        with: r#"names = {name.strip() for name in text.split(",")}"#,
        caught_by: "gates::usage::blank_behind_a_comma",
    },
    Wrong {
        name: "takes_a_plus_for_a_digit",
        replaced: r#"re.fullmatch("[0-9]+", text)"#,
        with: r#"re.fullmatch("[+]?[0-9]+", text)"#,
        caught_by: "limits::usage::plus",
    },
    Wrong {
        name: "takes_any_count_of_bytes",
        replaced: r#"re.fullmatch("[0-9]+", text) or not 1 <= int(text) <= LARGEST_COUNT:"#,
        with: r#"re.fullmatch("[0-9]+", text) or not int(text):"#,
        caught_by: "limits::usage::above_the_largest",
    },
];

/// One that prints its answers when it has read all. Who waits for the first before asking more waits for good.
pub(crate) const BUFFERING: Wrong = Wrong {
    name: "answers_when_the_stream_has_ended",
    replaced: "        for number, line in enumerate(lines, 1):",
    with: "        for number, line in enumerate(list(lines), 1):",
    caught_by: "stream::turns::response",
};
