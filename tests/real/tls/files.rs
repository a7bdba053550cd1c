//! The options and the files that they name: what is wrong is said before anything is dialled.

use std::fs;

use super::{BOARD, assert_refused, page, text};
use crate::common::{Authority, Validity, ranktop};

/// A port at which nobody is asked for anything: what is wrong is found before.
const URL: &str = "rediss://localhost:1";

#[test]
fn options_of_tls_are_of_no_use_without_it() {
    let authority = Authority::new("a");
    let own = authority.sign("client", &["client"], Validity::Now);
    for url in ["redis://localhost:1", "unix:///nowhere/s"] {
        assert_refused(&page(url, &["--tls-insecure"]), 2, "'--tls-insecure' is of use to rediss:// only", "rediss://");
        let run = page(url, &["--tls-ca", text(&authority.file())]);
        assert_refused(&run, 2, "'--tls-ca' is of use to rediss:// only", "rediss://");
        let run = page(url, &["--tls-cert", text(&own.certificate), "--tls-key", text(&own.key)]);
        assert_refused(&run, 2, "'--tls-cert' is of use to rediss:// only", "rediss://");
    }
}

#[test]
fn files_that_are_of_no_use_are_named() {
    let authority = Authority::new("a");
    let own = authority.sign("own", &["client"], Validity::Now);
    let other = authority.sign("other", &["client"], Validity::Now);
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    };
    let (missing, empty) = (folder.path().join("missing.pem"), file("empty.pem", ""));
    let broken = file("broken.pem", "-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----\n");
    let hollow = file("hollow.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    let (certificate, key) = (&own.certificate, &own.key);
    for (ca, part) in [
        (&missing, "cannot read"),
        (&empty, "no certificate in PEM"),
        (&broken, "cannot read"),
        (&hollow, "no authority's certificate"),
        (key, "no certificate in PEM"),
    ] {
        let run = page(URL, &["--tls-ca", text(ca)]);
        assert_refused(&run, 2, "error: --tls-ca: ", "PEM");
        run.assert_err_has(part).assert_err_has(text(ca));
    }
    for (certificate, key, option, named, part) in [
        (&missing, key, "--tls-cert", &missing, "cannot read"),
        (&empty, key, "--tls-cert", &empty, "no certificate in PEM"),
        (certificate, &missing, "--tls-key", &missing, "cannot read"),
        (certificate, &empty, "--tls-key", &empty, "no private key in PEM"),
        (certificate, certificate, "--tls-key", certificate, "no private key in PEM"),
        (certificate, &other.key, "--tls-key", &other.key, "belongs to another certificate"),
    ] {
        let identity = ["--tls-cert", text(certificate), "--tls-key", text(key)];
        let run = page(URL, &[&["--tls-ca", text(&authority.file())], &identity[..]].concat());
        assert_refused(&run, 2, &format!("error: {option}: "), "PEM");
        run.assert_err_has(text(named)).assert_err_has(part);
    }
}

#[test]
fn what_is_wrong_with_the_files_is_said_without_a_terminal_taken() {
    let pty = ranktop(&[BOARD, "--url", URL, "--tls-ca", "/nowhere/ca.pem"]).pty(100, 20);
    pty.wait_text("error: --tls-ca: cannot read '/nowhere/ca.pem'");
    assert_eq!(pty.wait_exit(), 2);
}
