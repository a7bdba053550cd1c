//! An authority of a test's own, whose certificates are made while the test runs and are gone with it.

use std::fs;
use std::path::PathBuf;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use tempfile::TempDir;

/// When a certificate is valid.
#[derive(Clone, Copy, Debug)]
pub enum Validity {
    /// Now and for long.
    Now,
    /// No more: until 2020.
    Past,
    /// Not yet: from 2100 on.
    Future,
}

/// An authority, with a folder for its certificate and those that it signs.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: TempDir,
}

/// The files of a certificate and its private key.
pub struct Identity {
    /// The certificate in PEM.
    pub certificate: PathBuf,
    /// The private key in PEM.
    pub key: PathBuf,
}

impl Authority {
    /// A new one of this name. Two of one name are different all the same.
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let folder = tempfile::Builder::new().prefix("ranktop-ca-").tempdir().unwrap();
        fs::write(folder.path().join("ca.pem"), issuer.pem()).unwrap();
        Self { issuer, folder }
    }

    /// The authority's own certificate in PEM.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// A certificate for these names and addresses, in files that are called after `file`.
    pub fn sign(&self, file: &str, names: &[&str], validity: Validity) -> Identity {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.distinguished_name.push(DnType::CommonName, file);
        let (from, until) = match validity {
            Validity::Now => (2020, 2100),
            Validity::Past => (2010, 2020),
            Validity::Future => (2100, 2110),
        };
        (params.not_before, params.not_after) = (date_time_ymd(from, 1, 1), date_time_ymd(until, 1, 1));
        let key = KeyPair::generate().unwrap();
        let signed = params.signed_by(&key, &self.issuer).unwrap();
        let at = |kind: &str| self.folder.path().join(format!("{file}.{kind}.pem"));
        let identity = Identity { certificate: at("cert"), key: at("key") };
        fs::write(&identity.certificate, signed.pem()).unwrap();
        fs::write(&identity.key, key.serialize_pem()).unwrap();
        identity
    }
}
