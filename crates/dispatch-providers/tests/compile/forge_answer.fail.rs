//! An answer is what a turn was answered with.

use dispatch_providers::Answer;

fn forge(answer: Answer) {
    let _forged = Answer { messages: answer.messages().to_vec() };
}

fn main() {}
