//! A front end as hosted services and proxies put before a server: it answers some commands by itself, in words of its own,
//! and hands the rest to a real server. Which commands and which words, the test says.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

use super::RedisServer;
use super::proxy::{length, words};

/// What becomes of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handling {
    /// The server answers.
    Pass,
    /// The front end answers with these bytes. An error between MULTI and EXEC gives the transaction up.
    Reply(String),
    /// The same, and nothing more ever comes over this connection.
    ReplyAndClose(String),
    /// The connection ends.
    Close,
    /// The server is asked for the older protocol, and answers in it.
    InOlderProtocol,
    /// The server's bulk string comes as a simple string, from inside of a transaction too.
    AsSimpleString,
}

impl Handling {
    /// A refusal in these words, as the server's protocol has it.
    pub fn refuse(words: &str) -> Self {
        Self::Reply(format!("-{words}\r\n"))
    }
}

/// A front end on a free port of 127.0.0.1.
pub struct FrontEnd {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    target: String,
    rule: Box<Rule>,
    seen: Mutex<Vec<(usize, String)>>,
}

/// Decides on a request by its words, the name in upper case; `true`: between MULTI and EXEC.
type Rule = dyn Fn(&[String], bool) -> Handling + Send + Sync;

impl FrontEnd {
    /// A front end before a server that was started with a port.
    pub fn before(server: &RedisServer, rule: impl Fn(&[String], bool) -> Handling + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared =
            Arc::new(Shared { target: server.tcp_address(), rule: Box::new(rule), seen: Mutex::new(Vec::new()) });
        let again = Arc::clone(&shared);
        thread::spawn(move || {
            for (connection, client) in listener.incoming().enumerate() {
                let shared = Arc::clone(&again);
                thread::spawn(move || serve(client.unwrap(), connection, &shared));
            }
        });
        Self { address, shared }
    }

    /// One that refuses the commands of these names in these words.
    pub fn refusing(server: &RedisServer, names: &'static [&'static str], said: &'static str) -> Self {
        Self::before(
            server,
            move |words, _| {
                if names.contains(&words[0].as_str()) { Handling::refuse(said) } else { Handling::Pass }
            },
        )
    }

    /// The address in the form that ranktop's `--url` takes.
    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// The requests so far: the number of their connection, from 0, and their name.
    pub fn seen(&self) -> Vec<(usize, String)> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// How often a command came.
    pub fn count(&self, name: &str) -> usize {
        self.seen().iter().filter(|(_, seen)| seen == name).count()
    }
}

/// Answers one request after another, each before the next is looked at.
fn serve(mut client: TcpStream, connection: usize, shared: &Shared) {
    let Ok(mut server) = TcpStream::connect(&shared.target) else { return };
    for end in [&client, &server] {
        end.set_nodelay(true).unwrap();
    }
    let (answered, answers) = mpsc::channel();
    let (from_server, to_client) = (server.try_clone().unwrap(), client.try_clone().unwrap());
    thread::spawn(move || read_replies(from_server, to_client, &answered));
    let mut transaction = Transaction::default();
    let (mut buffer, mut rest) = (vec![0; 1 << 16], Vec::new());
    'connection: while let Ok(count @ 1..) = client.read(&mut buffer) {
        rest.extend_from_slice(&buffer[..count]);
        while let Some(length) = length(&rest) {
            let request: Vec<u8> = rest.drain(..length).collect();
            let mut words = words(&request);
            words[0].make_ascii_uppercase();
            shared.seen.lock().unwrap().push((connection, words[0].clone()));
            let handling = (shared.rule)(&words, transaction.is_open);
            let mut ask = |request: &[u8]| {
                server.write_all(request).ok()?;
                answers.recv().ok()
            };
            let reply = match &handling {
                Handling::Pass | Handling::AsSimpleString if transaction.is_aborted && words[0] == "EXEC" => {
                    ask(b"*1\r\n$7\r\nDISCARD\r\n")
                        .map(|_| b"-EXECABORT Transaction discarded because of previous errors.\r\n".to_vec())
                }
                Handling::Pass => ask(&request),
                Handling::Reply(text) | Handling::ReplyAndClose(text) => Some(text.clone().into_bytes()),
                Handling::Close => None,
                Handling::InOlderProtocol => ask(&older(&words)),
                Handling::AsSimpleString => ask(&request).map(|reply| simple(&reply)),
            };
            let Some(reply) = reply else { break 'connection };
            let reply = transaction.note(&words[0], &handling, reply);
            if client.write_all(&reply).is_err() || matches!(handling, Handling::ReplyAndClose(_)) {
                break 'connection;
            }
        }
    }
    client.shutdown(Shutdown::Both).ok();
    server.shutdown(Shutdown::Both).ok();
}

/// Where the connection is between MULTI and EXEC.
#[derive(Default)]
struct Transaction {
    is_open: bool,
    is_aborted: bool,
    queued: usize,
    /// Which of the results come as simple strings.
    simple: Vec<usize>,
}

impl Transaction {
    fn note(&mut self, name: &str, handling: &Handling, reply: Vec<u8>) -> Vec<u8> {
        match name {
            "MULTI" => *self = Self { is_open: reply.starts_with(b"+OK"), ..Self::default() },
            "EXEC" | "DISCARD" => {
                let ended = std::mem::take(self);
                if reply.starts_with(b"*") {
                    return results(&reply, &ended.simple);
                }
            }
            _ if self.is_open => {
                self.is_aborted |= reply.starts_with(b"-");
                if *handling == Handling::AsSimpleString {
                    self.simple.push(self.queued);
                }
                self.queued += 1;
            }
            _ => {}
        }
        reply
    }
}

/// Hands replies over, and what the server sends unasked straight to the client.
fn read_replies(mut server: TcpStream, mut client: TcpStream, answered: &mpsc::Sender<Vec<u8>>) {
    let (mut buffer, mut rest) = (vec![0; 1 << 16], Vec::new());
    while let Ok(count @ 1..) = server.read(&mut buffer) {
        rest.extend_from_slice(&buffer[..count]);
        while let Some(length) = length(&rest) {
            let reply: Vec<u8> = rest.drain(..length).collect();
            let is_taken =
                if reply[0] == b'>' { client.write_all(&reply).is_ok() } else { answered.send(reply).is_ok() };
            if !is_taken {
                return;
            }
        }
    }
    client.shutdown(Shutdown::Both).ok();
}

/// The same HELLO for the older protocol.
fn older(words: &[String]) -> Vec<u8> {
    let mut request = format!("*{}\r\n", words.len());
    for (at, word) in words.iter().enumerate() {
        let word = if at == 1 { "2" } else { word };
        let _ = write!(request, "${}\r\n{word}\r\n", word.len());
    }
    request.into_bytes()
}

/// A bulk string as a simple one; anything else as it is.
fn simple(reply: &[u8]) -> Vec<u8> {
    let Some(at) = reply.windows(2).position(|pair| pair == b"\r\n").filter(|_| reply[0] == b'$') else {
        return reply.to_vec();
    };
    if &reply[..at] == b"$-1" { reply.to_vec() } else { [b"+", &reply[at + 2..]].concat() }
}

fn results(reply: &[u8], changed: &[usize]) -> Vec<u8> {
    let start = reply.windows(2).position(|pair| pair == b"\r\n").unwrap() + 2;
    let (mut all, mut rest) = (reply[..start].to_vec(), &reply[start..]);
    for at in 0.. {
        let Some(length) = length(rest).filter(|_| !rest.is_empty()) else { break };
        let (result, more) = rest.split_at(length);
        all.extend(if changed.contains(&at) { simple(result) } else { result.to_vec() });
        rest = more;
    }
    all
}
