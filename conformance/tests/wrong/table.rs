//! The wrong implementations: what of the right one is replaced, and the case that is there to catch it.
//!
//! Each is a fault that somebody could make, and answers: one that merely ends with an error would be caught by any case. The one that
//! crashes is the exception, and is killed, so that it can be told from the others.

use crate::implementation::Wrong;

/// Each wrong implementation.
pub(crate) const WRONG: [Wrong; 53] = [
    Wrong {
        name: "coerces_strings_to_numbers",
        replaced: "        errors = list(judge(args, schema))",
        with: r#"        number = lambda of: Value("integer", int(of.content)) if of.kind == "string" and of.content.isdigit() else of
        args = args._replace(content=[(name, number(value)) for name, value in args.content])
        errors = list(judge(args, schema))"#,
        caught_by: "arguments::numbers::string",
    },
    Wrong {
        name: "drops_unknown_fields",
        replaced: "        errors = list(judge(args, schema))",
        with: r#"        args = args._replace(content=[member for member in args.content if member[0] in schema["properties"]])
        errors = list(judge(args, schema))"#,
        caught_by: "arguments::types::unknown_field",
    },
    Wrong {
        name: "exits_0_on_malformed_json",
        replaced: "write(failure.line))\n            return 1",
        with: "write(failure.line))\n            return 0",
        caught_by: "protocol::failures::exit_1_for_malformed_json",
    },
    Wrong {
        name: "checks_the_permission_after_running",
        replaced: r#"                raise CallFailure("tool_not_permitted")"#,
        with: r#"                _, written = TOOLS[name][0](self.files, **{name: value.content for name, value in args.content})
                self.files.update({key: File(text, Raw(quote(text))) for key, text in written.items()})
                raise CallFailure("tool_not_permitted")"#,
        caught_by: "gates::effects::refused_for_permission",
    },
    Wrong {
        name: "permits_what_the_request_permits",
        replaced: r#"in (self.options.allow, request.get("permissions")):"#,
        with: r#"in (request.get("permissions", self.options.allow),):"#,
        caught_by: "gates::permissions::in_the_request_alone",
    },
    Wrong {
        name: "knows_a_tool_in_any_case",
        replaced: r#"    if call["tool"] not in TOOLS:"#,
        with: r#"    call["tool"] = call["tool"].lower()
    if call["tool"] not in TOOLS:"#,
        caught_by: "gates::known::other_case",
    },
    Wrong {
        name: "crashes_on_an_unknown_tool",
        replaced: r#"        raise ProtocolFailure("unknown_tool","#,
        with: r#"        os.kill(os.getpid(), 9)
        raise ProtocolFailure("unknown_tool","#,
        caught_by: "protocol::failures::unknown_tool",
    },
    Wrong {
        name: "echoes_the_wrong_id",
        replaced: r#"            response["id"] = call["id"]"#,
        with: r#"            response["id"] = call["id"].strip()"#,
        caught_by: "protocol::response::id_with_white_space",
    },
    Wrong {
        name: "tells_the_first_argument_error_only",
        replaced: "        errors = list(judge(args, schema))",
        with: "        errors = list(judge(args, schema))[:1]",
        caught_by: "arguments::types::every_error",
    },
    Wrong {
        name: "takes_1_0_for_no_integer",
        replaced: "literal) if number % 1 else",
        with: r#"literal) if number % 1 or "." in literal else"#,
        caught_by: "arguments::numbers::zero_fraction",
    },
    Wrong {
        name: "takes_null_for_a_value",
        replaced: r#"COUNT = {"type": ["integer", "null"],"#,
        with: r#"COUNT = {"type": ["integer"],"#,
        caught_by: "arguments::numbers::null_is_absent",
    },
    Wrong {
        name: "takes_the_last_of_two_equal_keys",
        replaced: r#"if name in names and place != "args":"#,
        with: "if False:",
        caught_by: "protocol::repeated_keys::in_the_call",
    },
    Wrong {
        name: "takes_the_last_of_two_equal_arguments",
        replaced: r#"            yield detail("$", f"duplicate field `{name}`")"#,
        with: "            pass",
        caught_by: "arguments::repeated::neither_value_wins",
    },
    Wrong {
        name: "accepts_nan",
        replaced: r#"LITERALS = {b"n""#,
        with: r#"LITERALS = {b"N": (b"NaN", "number", math.nan), b"n""#,
        caught_by: "protocol::malformed::nan",
    },
    Wrong {
        name: "takes_a_byte_order_mark_for_malformed",
        replaced: "source.read().removeprefix(BYTE_ORDER_MARK)",
        with: "source.read()",
        caught_by: "protocol::encoding::byte_order_mark",
    },
    Wrong {
        name: "replaces_a_lone_surrogate",
        replaced: r#"            self.fail("a lone surrogate")"#,
        with: r#"            character = "\ufffd""#,
        caught_by: "protocol::encoding::lone_high_surrogate",
    },
    Wrong {
        name: "reads_one_level_too_deep",
        replaced: "DEEPEST = 127",
        with: "DEEPEST = 128",
        caught_by: "protocol::nesting::objects_128_deep",
    },
    Wrong {
        name: "sorts_keys_by_utf_16_units",
        replaced: "for name in sorted(value)], indent)",
        with: r#"for name in sorted(value, key=lambda name: name.encode("utf-16-be"))], indent)"#,
        caught_by: "protocol::workspace::keys_beyond_the_basic_plane",
    },
    Wrong {
        name: "writes_untouched_files_anew",
        replaced: "File(text.content, Raw(text.raw))",
        with: "File(text.content, Raw(quote(text.content)))",
        caught_by: "protocol::workspace::untouched_file_passes_through",
    },
    Wrong {
        name: "goes_on_after_a_protocol_failure",
        replaced: "if code and not self.options.keep_going:",
        with: "if False:",
        caught_by: "stream::failures::malformed_ends_the_stream",
    },
    Wrong {
        name: "splits_lines_at_u_2028",
        replaced: r#"    return re.findall(r"[^\n]*\n|[^\n]+", text)"#,
        with: "    return text.splitlines(keepends=True)",
        caught_by: "tools::read_file::line_separator",
    },
    Wrong {
        name: "counts_lines_from_0",
        replaced: "enumerate(shown, first))",
        with: "enumerate(shown, first - 1))",
        caught_by: "tools::read_file::lines",
    },
    Wrong {
        name: "adds_a_final_newline",
        replaced: "{key: content}",
        with: r#"{key: content.removesuffix("\n") + "\n"}"#,
        caught_by: "tools::write_file::no_final_newline",
    },
    Wrong {
        name: "counts_non_overlapping_matches_only",
        replaced: "if text.find(old_str, at + 1) >= 0:",
        with: "if text.count(old_str) > 1:",
        caught_by: "tools::patch_file::overlapping",
    },
    Wrong {
        name: "changes_the_workspace_on_an_error",
        replaced: r#"        raise CallFailure("ambiguous_match")"#,
        with: r#"        files[key] = File(text, Raw(quote(text.replace(old_str, new_str, 1))))
        raise CallFailure("ambiguous_match")"#,
        caught_by: "tools::patch_file::ambiguous",
    },
    Wrong {
        name: "expands_dollar_ampersand",
        replaced: "{key: text[:at] + new_str +",
        with: r#"{key: text[:at] + new_str.replace("$&", old_str) +"#,
        caught_by: "tools::patch_file::dollar_ampersand",
    },
    Wrong {
        name: "expands_backslash_1",
        replaced: "{key: text[:at] + new_str +",
        with: r#"{key: text[:at] + new_str.replace("\\1", old_str) +"#,
        caught_by: "tools::patch_file::backslash_one",
    },
    Wrong {
        name: "trims_the_text_to_replace",
        replaced: "    at = text.find(old_str)\n",
        with: "    old_str = old_str.strip()\n    at = text.find(old_str)\n",
        caught_by: "tools::patch_file::old_str_not_trimmed",
    },
    Wrong {
        name: "takes_composed_for_decomposed",
        replaced: "    at = text.find(old_str)\n",
        with: "    text = __import__(\"unicodedata\").normalize(\"NFC\", text)\n    at = text.find(old_str)\n",
        caught_by: "tools::patch_file::composed_against_decomposed",
    },
    Wrong {
        name: "follows_two_dots_out_of_the_workspace",
        replaced: r#"                raise CallFailure("path_outside_workspace")
            parts.pop()"#,
        with: r"                return path
            parts.pop()",
        caught_by: "tools::write_file::outside",
    },
    Wrong {
        name: "stays_where_two_dots_lead_out",
        replaced: r#"                raise CallFailure("path_outside_workspace")
            parts.pop()"#,
        with: "                continue\n            parts.pop()",
        caught_by: "tools::paths::above_with_a_name",
    },
    Wrong {
        name: "resolves_a_path_before_it_looks",
        replaced: "    if path in files:\n        return path\n",
        with: "",
        caught_by: "tools::paths::exact_above",
    },
    Wrong {
        name: "cuts_a_character_in_two",
        replaced: r#"text.decode(errors="ignore").encode()"#,
        with: r#"text.decode(errors="replace").encode()"#,
        caught_by: "limits::truncation::character_at_the_head_cut",
    },
    Wrong {
        name: "lets_a_request_raise_the_limit",
        replaced: r#"min(request.get("limits", DEFAULT_LIMIT),"#,
        with: r#"max(request.get("limits", DEFAULT_LIMIT),"#,
        caught_by: "limits::sources::request_can_not_raise",
    },
    Wrong {
        name: "ignores_that_a_response_is_to_be_pretty",
        replaced: r#"return write(response, "" if self.options.pretty else None)"#,
        with: "return write(response, None)",
        caught_by: "protocol::response::pretty",
    },
    Wrong {
        name: "lets_the_last_allow_win",
        replaced: r#"action="extend", metavar"#,
        with: "metavar",
        caught_by: "gates::permissions::allowed_between_others",
    },
    Wrong {
        name: "permits_what_ends_in_a_name",
        replaced: "            if permitted is not None and name not in permitted:",
        with: "            if permitted is not None and not (any(name.endswith(p) for p in permitted)):",
        caught_by: "gates::permissions::end_of_a_name",
    },
    Wrong {
        name: "tidies_the_ends_of_lines",
        replaced: "{key: text[:at] + new_str + text[at + len(old_str) :]}",
        with: r#"{key: re.sub(r"[ \t]+$", "", text[:at] + new_str + text[at + len(old_str) :], flags=re.M)}"#,
        caught_by: "tools::patch_file::trailing_blanks_stay",
    },
    Wrong {
        name: "composes_what_is_written",
        replaced: "{key: content}",
        with: r#"{key: __import__("unicodedata").normalize("NFC", content)}"#,
        caught_by: "tools::write_file::decomposed_content",
    },
    Wrong {
        name: "cuts_a_long_content",
        replaced: "{key: content}",
        with: "{key: content[:65536]}",
        caught_by: "tools::write_file::long_content",
    },
    Wrong {
        name: "decodes_backslash_n_in_the_text_to_replace",
        replaced: "    at = text.find(old_str)",
        with: r#"    old_str = old_str if old_str in text else old_str.replace("\\n", "\n")
    at = text.find(old_str)"#,
        caught_by: "tools::patch_file::backslash_n_in_old_str",
    },
    Wrong {
        name: "takes_curly_quotes_for_straight_ones",
        replaced: "    at = text.find(old_str)",
        with: "    old_str = old_str if old_str in text else old_str.translate({0x201c: 34, 0x201d: 34, 0x2018: 39, 0x2019: 39})
    at = text.find(old_str)",
        caught_by: "tools::patch_file::curly_quotes_against_straight",
    },
    Wrong {
        name: "counts_places_before_it_compares",
        replaced: "    if old_str == new_str:",
        with: r#"    if text.count(old_str) > 1:
        raise CallFailure("ambiguous_match")
    if old_str == new_str:"#,
        caught_by: "tools::patch_file::equal_strings_that_stand_twice",
    },
    Wrong {
        name: "expands_percent_signs",
        replaced: "{key: text[:at] + new_str + text[at + len(old_str) :]}",
        with: r#"{key: text[:at] + new_str.replace("%%", "%") + text[at + len(old_str) :]}"#,
        caught_by: "tools::patch_file::percent_signs",
    },
    Wrong {
        name: "shows_2000_lines_by_default",
        replaced: "shown = lines[first - 1 :][:limit]",
        with: "shown = lines[first - 1 :][: limit or 2000]",
        caught_by: "tools::read_file::many_lines",
    },
    Wrong {
        name: "ends_lines_at_u_001c",
        replaced: r#"    return re.findall(r"[^\n]*\n|[^\n]+", text)"#,
        with: r#"    return re.findall(r"[^\n\x1c-\x1e]*[\n\x1c-\x1e]|[^\n\x1c-\x1e]+", text)"#,
        caught_by: "tools::read_file::information_separators",
    },
    Wrong {
        name: "cuts_an_offset_to_32_bits",
        replaced: "    first = offset or 1",
        with: "    first = (offset or 1) & 0xffffffff",
        caught_by: "tools::read_file::offset_beyond_32_bits",
    },
    Wrong {
        name: "drops_colours",
        replaced: r#"return "".join(f"{number}: {line}" for number, line in enumerate(shown, first)), {}"#,
        with: r#"return re.sub("\x1b\\[[0-9;]*m", "", "".join(f"{number}: {line}" for number, line in enumerate(shown, first))), {}"#,
        caught_by: "tools::read_file::escapes_of_a_terminal",
    },
    Wrong {
        name: "cuts_a_long_id",
        replaced: r#"response["id"] = call["id"]"#,
        with: r#"response["id"] = call["id"][:64]"#,
        caught_by: "protocol::response::long_id",
    },
    Wrong {
        name: "skips_lines_of_any_white_space",
        replaced: "if text.strip(WHITE_SPACE):",
        with: r#"if text.decode(errors="replace").strip():"#,
        caught_by: "stream::lines::other_spaces_alone",
    },
    Wrong {
        name: "tells_errors_without_a_bound",
        replaced: "DETAILS_BYTES = 2**20",
        with: "DETAILS_BYTES = 2**40",
        caught_by: "arguments::types::errors_beyond_a_mebibyte",
    },
    Wrong {
        name: "takes_null_for_no_arguments",
        replaced: r#"    if args.kind != "object":"#,
        with: r#"    args = Value("object", []) if args.kind == "null" else args
    if args.kind != "object":"#,
        caught_by: "arguments::types::args_null",
    },
    Wrong {
        name: "writes_a_name_with_a_hyphen_plain",
        replaced: r#"[A-Za-z0-9_]*")"#,
        with: r#"[A-Za-z0-9_-]*")"#,
        caught_by: "protocol::failures::hyphen_in_a_name",
    },
];
