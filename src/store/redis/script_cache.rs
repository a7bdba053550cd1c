//! Scripts by their hash. A script goes to a server as text once over each connection, and the server keeps it; from then on
//! its hash is enough, and neither travels nor is hashed again. Where the server has lost it (a restart, a failover,
//! `SCRIPT FLUSH`), or a hash may not be used, the text goes again. What a script does is its own file's concern.

use std::collections::HashSet;

use redis::{Pipeline, ServerError};
use tracing::debug;

use crate::store::redis::error;

/// So often over one connection a server may have lost a script that it was given. One that loses them more often, as a proxy
/// before several servers does, is sent the text each time.
const MOST_LOSSES: u32 = 8;

/// A script and what servers know it by.
pub(super) struct Script {
    text: String,
    hash: String,
}

impl Script {
    /// The script of this text.
    pub(super) fn new(text: String) -> Self {
        let hash = redis::Script::new(&text).get_hash().to_owned();
        Self { text, hash }
    }
}

/// Which scripts the server behind one connection has.
#[derive(Debug, Default)]
pub(super) struct ScriptCache {
    given: HashSet<String>,
    losses: u32,
    is_hash_refused: bool,
}

impl ScriptCache {
    /// Adds the command that runs `script` by `eval`, which is `EVAL` or `EVAL_RO`; its keys and arguments follow.
    pub(super) fn begin<'p>(&self, pipeline: &'p mut Pipeline, eval: &str, script: &Script) -> &'p mut Pipeline {
        if !self.goes_by_hash(script) {
            return pipeline.cmd(eval).arg(&script.text);
        }
        pipeline.cmd(if eval == "EVAL" { "EVALSHA" } else { "EVALSHA_RO" }).arg(&script.hash)
    }

    /// The server has run `script`, and so has it from now on.
    pub(super) fn has_run(&mut self, script: &Script) {
        if !self.given.contains(&script.hash) {
            self.given.insert(script.hash.clone());
        }
    }

    /// Takes note of `error` in reply to [`ScriptCache::begin`]. True where it is the hash that was refused: asked again, the
    /// text goes.
    pub(super) fn is_refused_by_hash(&mut self, script: &Script, error: &ServerError) -> bool {
        if !self.goes_by_hash(script) {
            return false;
        }
        if error.code() == "NOSCRIPT" {
            self.given.clear();
            self.losses += 1;
            debug!(losses = self.losses, "the server has lost its scripts");
            return true;
        }
        self.is_hash_refused = error::is_refusal(error);
        self.is_hash_refused
    }

    /// True where the hash is enough.
    pub(super) fn goes_by_hash(&self, script: &Script) -> bool {
        !self.is_hash_refused && self.losses < MOST_LOSSES && self.given.contains(&script.hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The name of the command and the first word after it.
    fn sent(cache: &ScriptCache, eval: &str, script: &Script) -> (String, String) {
        let mut pipeline = redis::pipe();
        cache.begin(&mut pipeline, eval, script);
        let words: Vec<String> = pipeline
            .cmd_iter()
            .flat_map(redis::Cmd::args_iter)
            .map(|word| match word {
                redis::Arg::Simple(word) => String::from_utf8_lossy(word).into_owned(),
                _ => panic!("a cursor"),
            })
            .collect();
        (words[0].clone(), words[1].clone())
    }

    fn error(code: &str, details: &str) -> ServerError {
        let reply = format!("-{code} {details}\r\n");
        match redis::parse_redis_value(reply.as_bytes()) {
            Ok(redis::Value::ServerError(error)) => error,
            other => panic!("{other:?}"),
        }
    }

    /// As `SCRIPT LOAD 'return 1'` of Redis 7.0.15 answers.
    const HASH: &str = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";

    #[test]
    fn the_text_goes_once_and_the_hash_from_then_on() {
        let (script, mut cache) = (Script::new("return 1".to_owned()), ScriptCache::default());
        assert_eq!(sent(&cache, "EVAL_RO", &script), ("EVAL_RO".to_owned(), "return 1".to_owned()));
        cache.has_run(&script);
        assert_eq!(sent(&cache, "EVAL_RO", &script), ("EVALSHA_RO".to_owned(), HASH.to_owned()));
        assert_eq!(sent(&cache, "EVAL", &script), ("EVALSHA".to_owned(), HASH.to_owned()));
        assert_eq!(sent(&cache, "EVAL", &Script::new("return 2".to_owned())).0, "EVAL", "another script");
    }

    #[test]
    fn what_is_lost_goes_as_text_again_but_not_for_ever() {
        let (script, mut cache) = (Script::new("return 1".to_owned()), ScriptCache::default());
        let lost = error("NOSCRIPT", "No matching script. Please use EVAL.");
        assert!(!cache.is_refused_by_hash(&script, &lost), "the text was sent");
        for _ in 0..MOST_LOSSES {
            cache.has_run(&script);
            assert!(cache.is_refused_by_hash(&script, &lost));
            assert_eq!(sent(&cache, "EVAL_RO", &script).0, "EVAL_RO");
        }
        cache.has_run(&script);
        assert_eq!(sent(&cache, "EVAL_RO", &script).0, "EVAL_RO");
    }

    #[test]
    fn what_refuses_the_command_refuses_the_hash_and_what_a_script_met_does_not() {
        for (code, details, is_of_the_hash) in [
            ("NOPERM", "this user has no permissions to run the 'evalsha_ro' command", true),
            ("ERR", "unknown command 'EVALSHA_RO', with args beginning with: ", true),
            ("WRONGTYPE", "Operation against a key holding the wrong kind of value", false),
            ("LOADING", "Redis is loading the dataset in memory", false),
            ("OOM", "command not allowed when used memory > 'maxmemory'.", false),
            ("MOVED", "1 127.0.0.1:7000", false),
        ] {
            let (script, mut cache) = (Script::new("return 1".to_owned()), ScriptCache::default());
            cache.has_run(&script);
            assert_eq!(cache.is_refused_by_hash(&script, &error(code, details)), is_of_the_hash, "{code} {details}");
            assert_eq!(sent(&cache, "EVAL_RO", &script).0 == "EVAL_RO", is_of_the_hash, "{code} {details}");
        }
    }
}
