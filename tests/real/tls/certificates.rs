//! Certificates: of the server, and of the client.

use super::{ANYBODY, BOARD, MEMBERS, assert_page, assert_refused, page, served, text};
use crate::common::{Authority, Validity, ranktop};

#[test]
fn an_authority_that_is_named_is_trusted() {
    let (authority, server) = served(&["localhost", "127.0.0.1"], Validity::Now, &ANYBODY);
    for host in ["localhost", "127.0.0.1"] {
        assert_page(&page(&server.tls_url(host), &["--tls-ca", text(&authority.file())]));
    }
    // The system's store is what SSL_CERT_FILE says, where it says anything.
    let by_system = ranktop(&["page", BOARD, "--url", &server.tls_url("localhost")]);
    assert_page(&by_system.env("SSL_CERT_FILE", authority.file()).run());
}

#[test]
fn older_tls_is_spoken_too() {
    let args = ["--tls-auth-clients", "no", "--tls-protocols", "TLSv1.2"];
    let (authority, server) = served(&["localhost"], Validity::Now, &args);
    assert_page(&page(&server.tls_url("localhost"), &["--tls-ca", text(&authority.file())]));
    let run = page(&server.tls_url("localhost"), &["--tls-ca", text(&Authority::new("x").file())]);
    assert_refused(&run, 1, "is signed by no authority that is trusted here", "--tls-ca");
}

#[test]
fn an_unknown_authority_is_not_trusted() {
    let (_, server) = served(&["localhost"], Validity::Now, &ANYBODY);
    let url = server.tls_url("localhost");
    let stranger = Authority::new("a stranger");
    let other = ranktop(&["page", BOARD, "--url", &url]).env("SSL_CERT_FILE", stranger.file()).run();
    assert_refused(
        &other,
        1,
        "TLS: the server's certificate is signed by no authority that is trusted here",
        "--tls-ca",
    );
    // One of the same name is another one all the same.
    let namesake = Authority::new("ranktop's tests");
    let run = page(&url, &["--tls-ca", text(&namesake.file())]);
    assert_refused(&run, 1, "TLS: the server's certificate is", "--tls-ca");
    // Where the system trusts nobody at all.
    let none = ranktop(&["page", BOARD, "--url", &url]).env("SSL_CERT_FILE", "/nowhere/ca.pem").run();
    assert_refused(&none, 1, "no authority is trusted here: ", "--tls-ca");
    none.assert_err_has("/nowhere/ca.pem");
}

#[test]
fn a_certificate_for_another_name_says_for_which() {
    let (authority, server) = served(&["a.example", "b.example"], Validity::Now, &ANYBODY);
    let ca = authority.file();
    for host in ["localhost", "127.0.0.1"] {
        let run = page(&server.tls_url(host), &["--tls-ca", text(&ca)]);
        assert_refused(&run, 1, &format!("is for a.example and b.example, not for '{host}'"), "--url");
    }
}

#[test]
fn certificates_out_of_time_say_since_when() {
    for (validity, part) in
        [(Validity::Past, "expired on 2020-01-01 00:00 UTC"), (Validity::Future, "is not valid before 2100-01-01")]
    {
        let (authority, server) = served(&["localhost"], validity, &ANYBODY);
        let run = page(&server.tls_url("localhost"), &["--tls-ca", text(&authority.file())]);
        assert_refused(&run, 1, part, "clock");
    }
}

#[test]
fn whatever_is_wrong_with_it_insecure_takes_it() {
    let (_, server) = served(&["a.example"], Validity::Past, &ANYBODY);
    assert_page(&page(&server.tls_url("127.0.0.1"), &["--tls-insecure"]));
}

#[test]
fn a_server_may_want_a_certificate() {
    for protocol in ["TLSv1.2", "TLSv1.3"] {
        let args = ["--tls-auth-clients", "yes", "--tls-protocols", protocol];
        let (authority, server) = served(&["localhost"], Validity::Now, &args);
        let (url, ca) = (server.tls_url("localhost"), authority.file());
        let shown = |identity: &crate::common::Identity| {
            page(
                &url,
                &["--tls-ca", text(&ca), "--tls-cert", text(&identity.certificate), "--tls-key", text(&identity.key)],
            )
        };
        assert_page(&shown(&authority.sign("client", &["client"], Validity::Now)));

        let none = page(&url, &["--tls-ca", text(&ca)]);
        assert_refused(&none, 1, "wants a client's certificate", "--tls-cert");

        let strangers = Authority::new("a stranger");
        let foreign = shown(&strangers.sign("client", &["client"], Validity::Now));
        assert_refused(&foreign, 1, "the server refuses the client's certificate", "--tls-cert");

        let expired = shown(&authority.sign("old", &["client"], Validity::Past));
        assert_refused(&expired, 1, "the server refuses the client's certificate: it has expired", "--tls-cert");
    }
}

#[test]
fn a_certificate_is_shown_where_nothing_else_is_checked() {
    let (authority, server) = served(&["a.example"], Validity::Now, &MEMBERS);
    let own = authority.sign("client", &["client"], Validity::Now);
    let args = ["--tls-insecure", "--tls-cert", text(&own.certificate), "--tls-key", text(&own.key)];
    assert_page(&page(&server.tls_url("localhost"), &args));
}
