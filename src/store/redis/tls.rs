//! TLS: which authorities are trusted, what certificate is shown to a server that asks for one, and the handshake. What
//! a failed handshake means is said in `tls_fault`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{ClientConfig, WantsClientCert};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ConfigBuilder, DigitallySignedStruct, Error, InconsistentKeys, RootCertStore, SignatureScheme};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::dial::told;
use crate::query::error::StoreError;
use crate::store::redis::tls_error;

/// What is said of TLS besides that it is wanted.
#[derive(Clone, Debug, Default)]
pub struct TlsFiles {
    /// Certificates of the authorities that are trusted instead of the system's.
    pub ca: Option<PathBuf>,
    /// The certificate to show, with those that lead to its authority, and its private key.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// Takes whatever certificate the server shows.
    pub is_insecure: bool,
}

/// A file that TLS cannot use.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{option}: {what} '{}'{cause}", .path.display())]
pub struct TlsFileError {
    option: &'static str,
    what: &'static str,
    path: PathBuf,
    /// Empty, or begins with a colon.
    cause: String,
}

impl TlsFileError {
    fn new(option: &'static str, what: &'static str, path: &Path, cause: Option<String>) -> Self {
        let cause = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
        Self { option, what, path: path.to_owned(), cause }
    }
}

/// TLS as it is set up, cheap to clone.
#[derive(Clone)]
pub struct Tls(Option<Arc<ClientConfig>>);

/// Whether a line is TLS.
#[derive(Clone)]
pub(super) enum Security {
    /// It is not.
    Plain,
    /// It is.
    Tls(Tls),
}

impl Tls {
    /// What the system trusts, looked up anew for each connection, and no certificate to show.
    pub(super) fn of_system() -> Self {
        Self(None)
    }

    /// Reads the files, and where they name no authorities the system's.
    pub fn load(files: &TlsFiles) -> Result<Self, TlsFileError> {
        let builder = builder();
        let builder = if files.is_insecure {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(Unverified(ring::default_provider())))
        } else {
            let roots = match &files.ca {
                Some(path) => roots_of(path)?,
                None => system_roots().0,
            };
            builder.with_root_certificates(roots)
        };
        let config = match &files.identity {
            None => builder.with_no_client_auth(),
            Some((certificate, key)) => with_identity(builder, certificate, key)?,
        };
        Ok(Self(Some(Arc::new(config))))
    }

    /// Makes `stream` one of TLS, with a server that proves to be `host`.
    pub(super) async fn secure(
        &self,
        host: &str,
        stream: TcpStream,
        limit: Duration,
    ) -> Result<TlsStream<TcpStream>, StoreError> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| StoreError::Tls {
            what: format!("no certificate can be for the name '{host}'"),
            hint: "write a host name or an IP address in --url",
        })?;
        let config = match &self.0 {
            Some(config) => config.clone(),
            None => of_system_roots().await?,
        };
        match timeout(limit, TlsConnector::from(config).connect(name, stream)).await {
            Ok(Ok(stream)) => Ok(stream),
            Ok(Err(error)) => Err(tls_error::of_io(&error, Some(host)).unwrap_or_else(|| tls_error::ended(&error))),
            Err(_) => Err(StoreError::Unreachable(format!(
                "it takes connections, but did not answer in TLS within {}: it may be a plain port (try redis:// \
                 instead of rediss://), or stopped",
                told(limit)
            ))),
        }
    }
}

type Builder<State> = ConfigBuilder<ClientConfig, State>;

fn builder() -> Builder<rustls::WantsVerifier> {
    let provider = Arc::new(ring::default_provider());
    #[expect(clippy::expect_used, reason = "a constant of two libraries that every test of TLS comes by")]
    ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("ring has cipher suites for TLS 1.2 and 1.3")
}

/// Reading what the system trusts is work for the disk: hundreds of certificates.
async fn of_system_roots() -> Result<Arc<ClientConfig>, StoreError> {
    let read = tokio::task::spawn_blocking(system_roots).await;
    let (roots, cause) = read.unwrap_or_else(|error| (RootCertStore::empty(), Some(error.to_string())));
    if roots.is_empty() {
        let cause = cause.unwrap_or_else(|| "the system has none".to_owned());
        return Err(StoreError::Tls {
            what: format!("no authority is trusted here: {cause}"),
            hint: "name the authority's certificate with --tls-ca, or install the system's (ca-certificates)",
        });
    }
    Ok(Arc::new(builder().with_root_certificates(roots).with_no_client_auth()))
}

/// What the system trusts, or `SSL_CERT_FILE` and `SSL_CERT_DIR` say instead, and what went wrong. A certificate that
/// cannot be used is left out: whoever needs that one is told so by name.
fn system_roots() -> (RootCertStore, Option<String>) {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(found.certs);
    (roots, found.errors.first().map(ToString::to_string))
}

fn roots_of(path: &Path) -> Result<RootCertStore, TlsFileError> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates("--tls-ca", path)? {
        roots.add(certificate).map_err(|error| {
            TlsFileError::new("--tls-ca", "no authority's certificate in", path, Some(error.to_string()))
        })?;
    }
    Ok(roots)
}

fn certificates(option: &'static str, path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsFileError> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let certificates = read.map_err(|error| unread(option, path, error))?;
    if certificates.is_empty() {
        return Err(TlsFileError::new(option, "there is no certificate in PEM in", path, None));
    }
    Ok(certificates)
}

fn with_identity(
    builder: Builder<WantsClientCert>,
    certificate: &Path,
    key: &Path,
) -> Result<ClientConfig, TlsFileError> {
    let chain = certificates("--tls-cert", certificate)?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| match error {
        PemError::NoItemsFound => {
            let cause = "one that is encrypted has to be decrypted first".to_owned();
            TlsFileError::new("--tls-key", "there is no private key in PEM in", key, Some(cause))
        }
        other => unread("--tls-key", key, other),
    })?;
    builder.with_client_auth_cert(chain, secret).map_err(|error| match error {
        Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
            let cause = format!("it belongs to another certificate than the one in '{}'", certificate.display());
            TlsFileError::new("--tls-key", "cannot use the key in", key, Some(cause))
        }
        other => TlsFileError::new("--tls-key", "cannot use the key in", key, Some(other.to_string())),
    })
}

fn unread(option: &'static str, path: &Path, error: PemError) -> TlsFileError {
    let cause = match error {
        PemError::Io(error) => error.to_string(),
        other => other.to_string(),
    };
    TlsFileError::new(option, "cannot read", path, Some(cause))
}

/// Takes every certificate. That the server has the key of the one it shows is checked all the same.
#[derive(Debug)]
struct Unverified(CryptoProvider);

impl ServerCertVerifier for Unverified {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
