//! What the operating system says by a signal, and is to say by an error.

/// Makes writing more than a file may hold (`ulimit -f`) an error like a full disk, and not the end of the process in the middle of a line.
pub(crate) fn survive_full_files() {
    #[cfg(unix)]
    {
        use std::sync::Arc;
        use std::sync::atomic::AtomicBool;
        // Without it, such a write ends the process: nothing wrong is written then, but nobody is told why.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}
