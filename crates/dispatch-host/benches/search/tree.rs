//! The files that are searched: always the same.

use std::fmt::Write as _;
use std::path::Path;

const FILES_A_FOLDER: u64 = 40;
const WORDS: [&str; 16] = [
    "let", "value", "return", "self", "fn", "match", "buffer", "the", "index", "while", "path", "result", "struct",
    "error", "of", "write",
];

/// Numbers that look random and are always the same: xorshift.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Makes something like the sources of many programs, with one in twenty folders ignored.
pub(super) fn make(root: &Path, bytes: u64) {
    let mut numbers = Numbers(88_172_645_463_325_252);
    let (mut made, mut file) = (0, 0);
    std::fs::create_dir_all(root).expect("a folder");
    std::fs::write(root.join(".ignore"), "build-*/\n*.tmp\n").expect("a file");
    while made < bytes {
        let folder = file / FILES_A_FOLDER;
        let build = if folder % 20 == 19 { "build-" } else { "" };
        let folder = root.join(format!("crate{}/{build}module{}/part{}", folder / 64, folder / 8 % 8, folder % 8));
        std::fs::create_dir_all(&folder).expect("a folder");
        let text = source(&mut numbers);
        std::fs::write(folder.join(format!("f{file}.rs")), &text).expect("a file");
        made += text.len() as u64;
        file += 1;
    }
}

fn source(numbers: &mut Numbers) -> String {
    let length = numbers.below(200) * numbers.below(200) + 100;
    let mut text = String::new();
    while (text.len() as u64) < length {
        for _ in 0..numbers.below(12) {
            let word =
                usize::try_from(numbers.below(16)).ok().and_then(|word| WORDS.get(word)).copied().unwrap_or_default();
            let _ = write!(text, "{word} ");
        }
        text.push_str(if numbers.below(100_000) == 0 { "rare_needle = 1;\n" } else { "\n" });
    }
    text
}
