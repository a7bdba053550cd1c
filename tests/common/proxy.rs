//! A proxy between a program and a server that counts what passes: requests by name, round trips, bytes of replies. It
//! knows the protocol's framing and not what is asked.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

use super::{DEADLINE, RedisServer};

/// One round trip: a read from the program's socket that holds requests. What is sent in one piece is one.
#[derive(Clone, Debug)]
pub struct RoundTrip {
    /// When it was seen.
    pub at: Instant,
    /// The names of the commands, in order.
    pub commands: Vec<String>,
    /// Bytes of the requests.
    pub sent: usize,
    /// Bytes of the replies to them, and to nothing else.
    pub got: usize,
    /// When the last of the replies passed; `None` until then.
    pub over: Option<Instant>,
    unanswered: usize,
}

impl RoundTrip {
    /// True where every reply has passed.
    pub fn is_over(&self) -> bool {
        self.over.is_some()
    }
}

/// A counting proxy on a free port of 127.0.0.1. Connections that stand outlive it.
pub struct Proxy {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    trips: Vec<RoundTrip>,
    connections: usize,
    pushes: usize,
    /// Replies are kept back.
    is_held: bool,
    has_ended: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("a thread of the proxy panicked")
    }
}

impl Proxy {
    /// A proxy before a server that was started with a port.
    pub fn before(server: &RedisServer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let target = server.tcp_address();
        thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &target, &shared)
        });
        Self { address, shared }
    }

    /// The proxy's address in the form that ranktop's `--url` takes.
    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }

    /// `127.0.0.1:port`.
    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// How many round trips have begun so far: a place to count on from with [`Proxy::since`].
    pub fn mark(&self) -> usize {
        self.shared.lock().trips.len()
    }

    /// The round trips since a mark.
    pub fn since(&self, mark: usize) -> Vec<RoundTrip> {
        self.shared.lock().trips[mark..].to_vec()
    }

    /// How many connections have been made so far.
    pub fn connections(&self) -> usize {
        self.shared.lock().connections
    }

    /// How many messages the server has sent unasked.
    pub fn pushes(&self) -> usize {
        self.shared.lock().pushes
    }

    /// Keeps replies back until [`Proxy::release`]; requests pass.
    pub fn hold(&self) {
        self.shared.lock().is_held = true;
    }

    /// Lets replies pass again, those that were kept back first.
    pub fn release(&self) {
        self.shared.lock().is_held = false;
        self.shared.changed.notify_all();
    }

    /// Waits until the round trips since `mark` are as wanted, and returns them.
    #[track_caller]
    pub fn wait(&self, what: &str, mark: usize, is_so: impl Fn(&[RoundTrip]) -> bool) -> Vec<RoundTrip> {
        let deadline = Instant::now() + DEADLINE;
        let mut state = self.shared.lock();
        while !is_so(&state.trips[mark..]) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let seen = state.trips[mark..].to_vec();
                // Not while it is locked: a panic would poison it.
                drop(state);
                panic!("waited {DEADLINE:?} in vain for {what}; seen: {seen:#?}");
            }
            (state, _) = self.shared.changed.wait_timeout(state, left).expect("a thread of the proxy panicked");
        }
        state.trips[mark..].to_vec()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        if let Ok(mut state) = self.shared.state.lock() {
            state.has_ended = true;
            state.is_held = false;
        }
        self.shared.changed.notify_all();
        // It waits for a connection, and this one ends it.
        TcpStream::connect(self.address).ok();
    }
}

fn accept(listener: &TcpListener, target: &str, shared: &Arc<Shared>) {
    for client in listener.incoming() {
        let client = client.unwrap();
        {
            let mut state = shared.lock();
            if state.has_ended {
                return;
            }
            state.connections += 1;
        }
        let server = TcpStream::connect(target).unwrap();
        for end in [&client, &server] {
            end.set_nodelay(true).unwrap();
        }
        let (client_again, server_again) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        let awaited = Arc::default();
        thread::spawn({
            let (shared, awaited) = (Arc::clone(shared), Arc::clone(&awaited));
            move || pass_requests(client, server, &shared, &awaited)
        });
        let shared = Arc::clone(shared);
        thread::spawn(move || pass_replies(server_again, client_again, &shared, &awaited));
    }
}

/// For each command that has no reply yet, the round trip it belongs to. Locked only while the state is.
type Awaited = Mutex<VecDeque<usize>>;

fn pass_requests(mut client: TcpStream, mut server: TcpStream, shared: &Shared, awaited: &Awaited) {
    let (mut buffer, mut rest, mut sent) = (vec![0; 1 << 16], Vec::new(), 0);
    while let Ok(count @ 1..) = client.read(&mut buffer) {
        rest.extend_from_slice(&buffer[..count]);
        sent += count;
        let mut commands = Vec::new();
        while let Some(length) = length(&rest) {
            commands.push(name(&rest));
            rest.drain(..length);
        }
        if !commands.is_empty() {
            let mut state = shared.lock();
            let trip = state.trips.len();
            let unanswered = commands.len();
            awaited.lock().unwrap().extend(std::iter::repeat_n(trip, unanswered));
            let sent = std::mem::take(&mut sent);
            state.trips.push(RoundTrip { at: Instant::now(), commands, sent, got: 0, over: None, unanswered });
            drop(state);
            shared.changed.notify_all();
        }
        if server.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    server.shutdown(Shutdown::Write).ok();
}

fn pass_replies(mut server: TcpStream, mut client: TcpStream, shared: &Shared, awaited: &Awaited) {
    let (mut buffer, mut rest) = (vec![0; 1 << 16], Vec::new());
    while let Ok(count @ 1..) = server.read(&mut buffer) {
        rest.extend_from_slice(&buffer[..count]);
        let state = shared.lock();
        let mut state =
            shared.changed.wait_while(state, |state| state.is_held).expect("a thread of the proxy panicked");
        while let Some(length) = length(&rest) {
            if rest[0] == b'>' {
                state.pushes += 1;
            } else {
                let trip = awaited.lock().unwrap().pop_front().expect("a reply follows its request");
                let trip = &mut state.trips[trip];
                trip.got += length;
                trip.unanswered -= 1;
                trip.over = (trip.unanswered == 0).then(Instant::now);
            }
            rest.drain(..length);
        }
        drop(state);
        shared.changed.notify_all();
        if client.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    client.shutdown(Shutdown::Both).ok();
}

/// How many bytes the first message takes, where it is there as a whole.
pub(super) fn length(bytes: &[u8]) -> Option<usize> {
    let (line, mut end) = line(bytes)?;
    let counted = |text: &str| text.parse::<i64>().map_or(0, |count| usize::try_from(count).unwrap_or(0));
    let parts = match bytes[0] {
        b'$' | b'=' | b'!' if line != "-1" => return Some(end + counted(line) + 2).filter(|end| *end <= bytes.len()),
        b'*' | b'~' | b'>' => counted(line),
        b'%' => 2 * counted(line),
        _ => 0,
    };
    for _ in 0..parts {
        end += length(&bytes[end..])?;
    }
    Some(end)
}

/// The text of the first line behind its mark, and where it ends.
fn line(bytes: &[u8]) -> Option<(&str, usize)> {
    let end = bytes.windows(2).position(|pair| pair == b"\r\n")?;
    Some((std::str::from_utf8(&bytes[1..end]).unwrap(), end + 2))
}

/// The first word of a whole request.
pub(super) fn name(request: &[u8]) -> String {
    let (_, words) = line(request).unwrap();
    let (_, word) = line(&request[words..]).unwrap();
    let word = &request[words + word..];
    let end = word.iter().position(|byte| *byte == b'\r').unwrap();
    String::from_utf8_lossy(&word[..end]).to_uppercase()
}

/// The words of a whole request.
pub(super) fn words(request: &[u8]) -> Vec<String> {
    let (count, mut at) = line(request).unwrap();
    let word = |_| {
        let (length, start) = line(&request[at..]).unwrap();
        let start = at + start;
        let end = start + length.parse::<usize>().unwrap();
        at = end + 2;
        String::from_utf8_lossy(&request[start..end]).into_owned()
    };
    (0..count.parse::<usize>().unwrap()).map(word).collect()
}
