//! What went wrong in TLS, as a sentence for an operator and what to do about it. It reads the errors of the TLS library
//! and knows no socket.

use std::io;

use jiff::Timestamp;
use rustls::pki_types::UnixTime;
use rustls::{AlertDescription, CertificateError, Error, PeerIncompatible};

use crate::query::error::StoreError;

const CLOCK: &str = "renew the server's certificate, or set the clock of this machine";
const AUTHORITY: &str = "name the certificate of the authority that signed it with --tls-ca";
const IDENTITY: &str = "name a certificate that the server's authority has signed with --tls-cert, and its key with \
                        --tls-key";
const OTHER: &str = "look at the server's certificate and at its tls- settings";

/// The fault of TLS in an error of a socket, if it is one; `host` is who the server had to prove to be.
pub(super) fn of_io(error: &io::Error, host: Option<&str>) -> Option<StoreError> {
    error.get_ref().and_then(|inner| inner.downcast_ref()).map(|fault| of(fault, host))
}

/// A handshake that ended without a word of TLS.
pub(super) fn ended(error: &io::Error) -> StoreError {
    StoreError::Unreachable(match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
            "it closed the connection during the TLS handshake: it may be a plain port; try redis:// instead of rediss://"
                .to_owned()
        }
        _ => format!("the TLS handshake was broken off: {error}"),
    })
}

fn of(fault: &Error, host: Option<&str>) -> StoreError {
    let (what, hint) = match fault {
        Error::InvalidCertificate(fault) => certificate(fault, host),
        Error::AlertReceived(alert) => refusal(*alert),
        Error::PeerIncompatible(fault) => (version(fault), "let the server speak TLS 1.2 or 1.3 (tls-protocols)"),
        // The first bytes were none of TLS.
        Error::InvalidMessage(_) => {
            return StoreError::Unreachable(
                "the port answers, but not in TLS: it may be a plain port; try redis:// instead of rediss://"
                    .to_owned(),
            );
        }
        other => (other.to_string(), OTHER),
    };
    StoreError::Tls { what, hint }
}

fn certificate(fault: &CertificateError, host: Option<&str>) -> (String, &'static str) {
    let own = |what: &str| format!("the server's certificate {what}");
    match fault {
        CertificateError::UnknownIssuer => (own("is signed by no authority that is trusted here"), AUTHORITY),
        CertificateError::BadSignature => (own("is not signed by the authority it names"), AUTHORITY),
        CertificateError::Expired => (own("has expired"), CLOCK),
        CertificateError::ExpiredContext { not_after, .. } => (own(&format!("expired on {}", day(*not_after))), CLOCK),
        CertificateError::NotValidYet => (own("is not valid yet"), CLOCK),
        CertificateError::NotValidYetContext { not_before, .. } => {
            (own(&format!("is not valid before {}", day(*not_before))), CLOCK)
        }
        CertificateError::NotValidForName => (own(&not_for(&[], host)), NAME),
        CertificateError::NotValidForNameContext { presented, .. } => (own(&not_for(presented, host)), NAME),
        CertificateError::InvalidPurpose | CertificateError::InvalidPurposeContext { .. } => {
            (own("is not one for servers"), OTHER)
        }
        CertificateError::Revoked => (own("was revoked"), "renew the server's certificate"),
        // The library has no word of its own for it; openssl makes such certificates where it is not told otherwise.
        CertificateError::Other(other) if other.to_string().contains("CaUsedAsEndEntity") => (
            own("is an authority's own, which is not one for servers"),
            "make the server a certificate of its own, with CA:FALSE, and sign it with this one",
        ),
        other => (own(&format!("cannot be used: {other}")), OTHER),
    }
}

const NAME: &str = "write a name in --url that the certificate has, or give the server a certificate with this one";

/// `is for a and b, not for 'c'`.
fn not_for(presented: &[String], host: Option<&str>) -> String {
    let names: Vec<_> = presented.iter().map(|name| bare(name)).collect();
    let names = if names.is_empty() { "no name at all".to_owned() } else { names.join(" and ") };
    format!("is for {names}, not for '{}'", host.unwrap_or_default())
}

/// A name without what the library writes around it: `DnsName("a")`.
fn bare(name: &str) -> &str {
    let inner = name.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or(name);
    inner.trim_matches('"')
}

fn day(time: UnixTime) -> String {
    let moment = i64::try_from(time.as_secs()).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    moment.map_or_else(|| "a day far away".to_owned(), |moment| moment.strftime("%Y-%m-%d %H:%M UTC").to_string())
}

/// What a server that ends a connection means by its alert (RFC 8446, section 6.2).
fn refusal(alert: AlertDescription) -> (String, &'static str) {
    let refused = |why: &str| (format!("the server refuses the client's certificate: {why}"), IDENTITY);
    match alert {
        AlertDescription::CertificateRequired => ("the server wants a client's certificate".to_owned(), IDENTITY),
        AlertDescription::UnknownCA => refused("it does not trust who signed it"),
        AlertDescription::CertificateExpired => refused("it has expired, or is not valid yet"),
        AlertDescription::CertificateRevoked => refused("it was revoked"),
        AlertDescription::BadCertificate
        | AlertDescription::UnsupportedCertificate
        | AlertDescription::CertificateUnknown
        | AlertDescription::AccessDenied
        | AlertDescription::DecryptError => refused("it is not one that it takes"),
        AlertDescription::ProtocolVersion => {
            ("the server does not speak TLS 1.2 or 1.3".to_owned(), "let it speak one of them (tls-protocols)")
        }
        AlertDescription::HandshakeFailure => {
            ("the server has no cipher in common with ranktop, or wants a client's certificate".to_owned(), IDENTITY)
        }
        AlertDescription::UnrecognisedName => ("the server does not go by the name in --url".to_owned(), NAME),
        other => (format!("the server ended it with the alert {other:?}"), OTHER),
    }
}

fn version(fault: &PeerIncompatible) -> String {
    format!("the server's TLS has nothing in common with ranktop's: {fault:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(fault: Error) -> String {
        of_io(&io::Error::new(io::ErrorKind::InvalidData, fault), Some("a.example")).unwrap().to_string()
    }

    #[test]
    fn alerts_are_sentences() {
        for (alert, part) in [
            (AlertDescription::CertificateRequired, "wants a client's certificate"),
            (AlertDescription::UnknownCA, "does not trust who signed it"),
            (AlertDescription::BadCertificate, "refuses the client's certificate"),
            (AlertDescription::ProtocolVersion, "TLS 1.2 or 1.3"),
            (AlertDescription::InternalError, "InternalError"),
        ] {
            let text = text(Error::AlertReceived(alert));
            assert!(text.starts_with("TLS: the server ") && text.contains(part), "{text}");
        }
    }

    #[test]
    fn names_are_told_as_they_are_written() {
        let fault = |presented: &[&str]| {
            text(Error::InvalidCertificate(CertificateError::NotValidForNameContext {
                expected: "a.example".try_into().unwrap(),
                presented: presented.iter().map(|&name| name.to_owned()).collect(),
            }))
        };
        assert!(fault(&[]).ends_with("is for no name at all, not for 'a.example'"));
        let two = fault(&["DnsName(\"b.example\")", "IpAddress(127.0.0.1)"]);
        assert!(two.ends_with("is for b.example and 127.0.0.1, not for 'a.example'"), "{two}");
    }
}
