//! A proxy between a program and a server that fails as networks and broken peers do, for as long as it is told to, and
//! counts what is asked meanwhile. It knows the protocol's framing and not what is asked.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use super::proxy::{length, name};
use super::{RedisServer, wait_until};

/// How the proxy fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not at all.
    None,
    /// Each reply comes so much later.
    Delay(Duration),
    /// Replies are kept back, to those who connect meanwhile too; they come when the fault ends.
    Hold,
    /// Half of a reply comes, then the connection ends.
    CutMidReply,
    /// Connections end at once, those that are made meanwhile as well.
    Cut,
    /// Connections end, and nobody listens any more.
    Refuse,
    /// Connections end; those that are made meanwhile are accepted, and nothing comes over them ever.
    Timeout,
    /// Instead of each reply come these bytes.
    Garble(&'static [u8]),
}

/// One reply, or one result of a transaction, that is replaced once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The n-th reply from now on, from 0.
    Reply(usize),
    /// The n-th result of the next transaction that is run, from 0.
    Result(usize),
}

/// A failing proxy on a free port of 127.0.0.1.
pub struct FaultProxy {
    address: SocketAddr,
    target: String,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    fault: Fault,
    has_ended: bool,
    /// Both ends of every connection, to be cut.
    open: Vec<TcpStream>,
    requests: Vec<String>,
    /// Replies since the last mark, and how many results the last transaction among them had.
    replies: usize,
    results: usize,
    spoil: Option<(Place, Vec<u8>)>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("a thread of the proxy panicked")
    }
}

impl FaultProxy {
    /// A proxy before a server that was started with a port.
    pub fn before(server: &RedisServer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = State {
            fault: Fault::None,
            has_ended: false,
            open: Vec::new(),
            requests: Vec::new(),
            replies: 0,
            results: 0,
            spoil: None,
        };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let proxy = Self { address, target: server.tcp_address(), shared };
        proxy.listen(listener);
        proxy
    }

    /// The proxy's address, as `redis://[login@]host:port`.
    pub fn url(&self, login: &str) -> String {
        format!("redis://{login}{}", self.address)
    }

    /// Fails like this from now on.
    pub fn set(&self, fault: Fault) {
        let was = {
            let mut state = self.shared.lock();
            if matches!(fault, Fault::Cut | Fault::Refuse | Fault::Timeout) {
                cut(&mut state);
            }
            std::mem::replace(&mut state.fault, fault)
        };
        self.shared.changed.notify_all();
        if fault == Fault::Refuse {
            // It waits for a connection, and this one ends it.
            TcpStream::connect(self.address).ok();
            wait_until("the proxy to refuse", || TcpStream::connect(self.address).is_err());
        } else if was == Fault::Refuse {
            self.listen(TcpListener::bind(self.address).unwrap());
        }
    }

    /// How many requests have come so far, and counts replies anew.
    pub fn mark(&self) -> usize {
        let mut state = self.shared.lock();
        (state.replies, state.results) = (0, 0);
        state.requests.len()
    }

    /// The names of the commands since a mark.
    pub fn since(&self, mark: usize) -> Vec<String> {
        self.shared.lock().requests[mark..].to_vec()
    }

    /// How many replies have passed since the last mark, and how many results the last transaction among them had.
    pub fn passed(&self) -> (usize, usize) {
        let state = self.shared.lock();
        (state.replies, state.results)
    }

    /// Replaces one reply or result by `with`.
    pub fn spoil(&self, place: Place, with: &str) {
        let mut state = self.shared.lock();
        (state.replies, state.results) = (0, 0);
        state.spoil = Some((place, with.as_bytes().to_vec()));
    }

    /// True once that has happened.
    pub fn has_spoiled(&self) -> bool {
        self.shared.lock().spoil.is_none()
    }

    fn listen(&self, listener: TcpListener) {
        let (shared, target) = (Arc::clone(&self.shared), self.target.clone());
        thread::spawn(move || accept(&listener, &target, &shared));
    }
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        if let Ok(mut state) = self.shared.state.lock() {
            state.has_ended = true;
            cut(&mut state);
        }
        self.shared.changed.notify_all();
        TcpStream::connect(self.address).ok();
    }
}

fn cut(state: &mut State) {
    for end in state.open.drain(..) {
        end.shutdown(Shutdown::Both).ok();
    }
}

fn accept(listener: &TcpListener, target: &str, shared: &Arc<Shared>) {
    for client in listener.incoming() {
        let client = client.unwrap();
        let mut state = shared.lock();
        if state.has_ended || state.fault == Fault::Refuse {
            return;
        }
        // A server that is away takes no connection, and neither does its proxy.
        let server = match state.fault {
            Fault::Cut => continue,
            Fault::Timeout => None,
            _ => match TcpStream::connect(target) {
                Ok(server) => Some(server),
                Err(_) => continue,
            },
        };
        state.open.extend([Some(&client), server.as_ref()].into_iter().flatten().map(|end| end.try_clone().unwrap()));
        drop(state);
        let Some(server) = server else { continue };
        for end in [&client, &server] {
            end.set_nodelay(true).unwrap();
        }
        let (client_again, server_again) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let again = Arc::clone(shared);
        thread::spawn(move || pass_requests(client, server, &again));
        let again = Arc::clone(shared);
        thread::spawn(move || pass_replies(server_again, client_again, &again));
    }
}

fn pass_requests(mut client: TcpStream, mut server: TcpStream, shared: &Shared) {
    let (mut buffer, mut rest) = (vec![0; 1 << 16], Vec::new());
    while let Ok(count @ 1..) = client.read(&mut buffer) {
        rest.extend_from_slice(&buffer[..count]);
        while let Some(length) = length(&rest) {
            shared.lock().requests.push(name(&rest));
            rest.drain(..length);
        }
        if server.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    server.shutdown(Shutdown::Both).ok();
}

fn pass_replies(mut server: TcpStream, mut client: TcpStream, shared: &Shared) {
    let (mut buffer, mut rest) = (vec![0; 1 << 16], Vec::new());
    let mut is_queueing = false;
    'connection: while let Ok(count @ 1..) = server.read(&mut buffer) {
        rest.extend_from_slice(&buffer[..count]);
        while let Some(length) = length(&rest) {
            let mut reply: Vec<u8> = rest.drain(..length).collect();
            let state = shared.lock();
            let is_held = |state: &mut State| state.fault == Fault::Hold && !state.has_ended;
            let mut state = shared.changed.wait_while(state, is_held).expect("a thread of the proxy panicked");
            if reply[0] != b'>' {
                reply = state.counted(reply, &mut is_queueing);
            }
            let fault = state.fault;
            drop(state);
            match fault {
                Fault::Delay(time) => thread::sleep(time),
                Fault::Garble(bytes) => reply = bytes.to_vec(),
                Fault::CutMidReply => reply.truncate(reply.len() / 2),
                _ => {}
            }
            if client.write_all(&reply).is_err() || fault == Fault::CutMidReply {
                break 'connection;
            }
        }
    }
    client.shutdown(Shutdown::Both).ok();
}

impl State {
    /// Takes note of a reply, and spoils it where it is its turn.
    fn counted(&mut self, reply: Vec<u8>, is_queueing: &mut bool) -> Vec<u8> {
        let number = self.replies;
        self.replies += 1;
        let is_executed = *is_queueing && reply[0] == b'*';
        *is_queueing = reply == b"+QUEUED\r\n";
        let results = if is_executed { elements(&reply) } else { Vec::new() };
        if is_executed {
            self.results = results.len();
        }
        match self.spoil.take() {
            Some((Place::Reply(place), with)) if place == number => with,
            Some((Place::Result(place), with)) if is_executed && place < results.len() => {
                let mut spoiled = format!("*{}\r\n", results.len()).into_bytes();
                for (at, result) in results.iter().enumerate() {
                    spoiled.extend_from_slice(if at == place { &with } else { result });
                }
                spoiled
            }
            waiting => {
                self.spoil = waiting;
                reply
            }
        }
    }
}

/// The elements of an array.
fn elements(array: &[u8]) -> Vec<&[u8]> {
    let mut rest = &array[array.windows(2).position(|pair| pair == b"\r\n").unwrap() + 2..];
    let mut elements = Vec::new();
    while let Some(length) = length(rest).filter(|_| !rest.is_empty()) {
        elements.push(&rest[..length]);
        rest = &rest[length..];
    }
    elements
}
