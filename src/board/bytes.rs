//! Raw bytes in JSON: a string where they are UTF-8, `{"base64":"…"}` where they are not, so that nothing is lost.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes as JSON writes and reads them. Two byte strings never share a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonBytes(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Shape {
    Text(String),
    Binary(Binary),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Binary {
    base64: String,
}

/// The same of bytes that are somewhere else already.
#[derive(Clone, Copy, Debug)]
pub struct JsonSlice<'a>(pub &'a [u8]);

impl Serialize for JsonBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        JsonSlice(&self.0).serialize(serializer)
    }
}

impl Serialize for JsonSlice<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match std::str::from_utf8(self.0) {
            Ok(text) => serializer.serialize_str(text),
            Err(_) => Binary { base64: STANDARD.encode(self.0) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for JsonBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let shape = Shape::deserialize(deserializer)
            .map_err(|_| D::Error::custom("expected a string or {\"base64\":\"…\"}"))?;
        match shape {
            Shape::Text(text) => Ok(Self(text.into_bytes())),
            Shape::Binary(binary) => STANDARD.decode(binary.base64).map(Self).map_err(D::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_stays_text_and_the_rest_is_told_apart() {
        let json = |bytes: &[u8]| serde_json::to_string(&JsonBytes(bytes.to_vec())).unwrap();
        assert_eq!(json(b"u:1"), "\"u:1\"");
        assert_eq!(json(b"\xff\xfe"), "{\"base64\":\"//4=\"}");
        assert!(serde_json::from_str::<JsonBytes>("{\"base64\":\"//4=\",\"x\":1}").is_err());
        assert!(serde_json::from_str::<JsonBytes>("7").is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes: Vec<u8>) {
            let text = serde_json::to_string(&JsonBytes(bytes.clone())).unwrap();
            prop_assert_eq!(serde_json::from_str::<JsonBytes>(&text).unwrap().0, bytes);
        }
    }
}
