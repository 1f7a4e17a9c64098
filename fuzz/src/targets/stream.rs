//! A stream of requests.

use dispatch_core::json::skip_byte_order_mark;
use dispatch_core::protocol::Stream;
use dispatch_core::{Gates, tools};

use super::{Check, hold, text};

/// Asks for the session's workspace.
const WORKSPACE: &[u8] = br#"{"op":"workspace"}"#;

/// What came back for a line.
enum Came {
    Nothing,
    Response(Vec<u8>),
    /// The failure's line.
    Failure(String),
}

pub(super) fn check(input: &[u8]) -> Check {
    let mut stream = Stream::new(Gates::new(tools::core_registry()));
    let (mut again, mut workspace) = (Stream::new(Gates::new(tools::core_registry())), None);
    for (index, line) in input.split(|byte| *byte == b'\n').enumerate() {
        let came = answer(&mut stream, line)?;
        let came_again = answer(&mut again, line)?;
        hold(bytes(&came) == bytes(&came_again), || "the second session differs from the first".to_owned())?;
        let after = response(answer(&mut stream, WORKSPACE)?)?;
        response(answer(&mut again, WORKSPACE)?)?;
        // A byte order mark may stand at the very start.
        let line = if index == 0 { skip_byte_order_mark(line) } else { line };
        let is_white = line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        hold(is_white == matches!(came, Came::Nothing), || format!("{} was answered", line.escape_ascii()))?;
        judge(&came, workspace.as_ref(), &after)?;
        workspace = Some(after);
    }
    Ok(())
}

/// A failure leaves the session as it was, and so does an error to a request that brought no workspace.
fn judge(came: &Came, before: Option<&Vec<u8>>, after: &Vec<u8>) -> Check {
    let unchanged = match before {
        Some(before) => before == after,
        None => after == b"{\"status\":\"ok\",\"workspace\":{}}\n",
    };
    match came {
        Came::Nothing => hold(unchanged, || "nothing changed the workspace".to_owned()),
        Came::Failure(failure) => hold(unchanged, || format!("changed the workspace: {failure}")),
        Came::Response(response) => {
            let response = text::response(response)?;
            let brings = response.root().get("workspace").is_some();
            let is_error = response.root().get("error").is_some();
            hold(brings || !is_error || unchanged, || format!("changed the workspace: {}", response.text()))
        }
    }
}

fn answer(stream: &mut Stream, line: &[u8]) -> Result<Came, String> {
    match stream.answer(line) {
        None => Ok(Came::Nothing),
        Some(Ok(response)) => {
            let mut line = Vec::new();
            // Memory can be written to.
            let _ = response.write(&mut line);
            Ok(Came::Response(line))
        }
        Some(Err(failure)) => {
            text::failure(&failure)?;
            Ok(Came::Failure(failure.to_string()))
        }
    }
}

fn bytes(came: &Came) -> &[u8] {
    match came {
        Came::Nothing => b"",
        Came::Response(line) => line,
        Came::Failure(line) => line.as_bytes(),
    }
}

fn response(came: Came) -> Result<Vec<u8>, String> {
    match came {
        Came::Response(line) => Ok(line),
        Came::Nothing | Came::Failure(_) => Err("the session does not tell its workspace".to_owned()),
    }
}
