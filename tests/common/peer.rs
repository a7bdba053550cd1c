//! A peer that speaks the protocol and says what a test wants it to: for what no real server can be brought to say.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use super::proxy::{length, words};

/// Answers commands until the test ends.
pub struct Peer {
    address: SocketAddr,
}

impl Peer {
    /// Answers each command by `answer`, which is given its words, the first in upper case. Replies are as they are
    /// sent: `+OK\r\n`.
    pub fn start(answer: impl Fn(&[String]) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for client in listener.incoming() {
                let answer = Arc::clone(&answer);
                thread::spawn(move || serve(client.unwrap(), &*answer));
            }
        });
        Self { address }
    }

    /// A peer that lets everybody in, by either protocol, and refuses everything else with `error`, as servers do:
    /// what is queued is refused at once, and the transaction with it.
    pub fn refusing(error: &'static str) -> Self {
        Self::start(move |words| match words[0].as_str() {
            "HELLO" => "%1\r\n$5\r\nproto\r\n:3\r\n".to_owned(),
            "CLIENT" | "MULTI" | "AUTH" | "SELECT" => "+OK\r\n".to_owned(),
            "EXEC" => "-EXECABORT Transaction discarded because of previous errors.\r\n".to_owned(),
            _ => format!("-{error}\r\n"),
        })
    }

    /// `127.0.0.1:port`.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// The address in the form that ranktop's `--url` takes.
    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }
}

fn serve(mut client: TcpStream, answer: &dyn Fn(&[String]) -> String) {
    client.set_nodelay(true).unwrap();
    let (mut buffer, mut rest) = (vec![0; 1 << 16], Vec::new());
    while let Ok(count @ 1..) = client.read(&mut buffer) {
        rest.extend_from_slice(&buffer[..count]);
        while let Some(length) = length(&rest) {
            let mut words = words(&rest[..length]);
            words[0] = words[0].to_uppercase();
            rest.drain(..length);
            if client.write_all(answer(&words).as_bytes()).is_err() {
                return;
            }
        }
    }
}
