//! The suite of every home on a real server, by each means of reading that a server or a user's rights may leave, and on a
//! real cluster.

use std::time::Duration;

use ranktop::board::entry::Entry;
use ranktop::board::keys::Board;
use ranktop::board::names::NamesLocation;
use ranktop::store::redis::connect::Target;
use ranktop::store::redis::topology::AnySource;

use crate::common::{FrontEnd, RedisServer};
use crate::store_suite::{Setup, Write, add, run};

/// What is left of a server to whoever reads.
struct Left {
    /// The rights of a user; `None` is the default user.
    rights: Option<&'static [&'static str]>,
    /// The commands that are refused by a front end, where the release knows no rights or not those.
    refused: &'static [&'static str],
}

/// A server, a home on it, and a writer beside.
struct Served {
    home: AnySource,
    writer: redis::Connection,
    // Dropped last: the others are its clients.
    _server: RedisServer,
}

impl Served {
    async fn with(left: &Left) -> Self {
        let server = RedisServer::start_tcp();
        let mut url = server.url();
        let mut user = None;
        if let Some(rights) = left.rights {
            let words = [&["ACL", "SETUSER", "reader", "on", ">secret"], rights].concat();
            match server.try_cmd(&words) {
                Ok(_) => user = Some(("reader", "secret")),
                Err(_) => url = FrontEnd::refusing(&server, left.refused, "ERR unknown command").url(),
            }
        }
        let mut target = Target::new(&url, Duration::from_secs(10), Duration::from_secs(10)).unwrap();
        if let Some((name, password)) = user {
            target = target.with_user(name).with_password(password);
        }
        let home = target.connect(None::<fn()>).await.unwrap().home.into();
        Self { home, writer: server.client(), _server: server }
    }

    fn write(&mut self, board: &Board, writes: &[Write]) {
        let mut pipeline = redis::pipe();
        pipeline.atomic();
        for write in writes {
            add(&mut pipeline, board, write);
        }
        pipeline.exec(&mut self.writer).unwrap();
    }

    fn fill(&mut self, board: &Board, entries: &[Entry]) {
        for batch in entries.chunks(1_000) {
            let writes: Vec<Write> =
                batch.iter().map(|entry| Write::Score(entry.member.clone(), entry.score.get())).collect();
            self.write(board, &writes);
        }
    }
}

/// A set-up of the suite for each means: which rights the reader has, which commands are refused where there are no rights,
/// and on which versions pages are verified.
macro_rules! by_rights {
    ($($means:ident: $rights:expr, $refused:expr, $is_verified:expr;)*) => {$(
        mod $means {
            use super::*;

            struct ReadStrategy(Served);

            impl Setup for ReadStrategy {
                type Source = AnySource;

                const CASES: u32 = 25;

                fn is_verified(version: Option<&[u8]>) -> bool {
                    let is_verified: fn(Option<&[u8]>) -> bool = $is_verified;
                    is_verified(version)
                }

                async fn start() -> Self {
                    Self(Served::with(&Left { rights: $rights, refused: $refused }).await)
                }

                fn home(&mut self) -> &mut AnySource {
                    &mut self.0.home
                }

                async fn write(&mut self, board: &Board, writes: &[Write]) {
                    self.0.write(board, writes);
                }

                async fn fill(&mut self, board: &Board, entries: &[Entry]) {
                    self.0.fill(board, entries);
                }
            }

            store_suite!(ReadStrategy);
        }
    )*};
}

const READ_ONLY_SCRIPTS: &[&str] = &["EVAL_RO", "EVALSHA_RO"];
const SCRIPTS: &[&str] = &["EVAL_RO", "EVALSHA_RO", "EVAL", "EVALSHA"];
const ALL_BUT_READING: &[&str] = &["EVAL_RO", "EVALSHA_RO", "EVAL", "EVALSHA", "MULTI", "CLIENT", "HELLO", "INFO"];

by_rights! {
    read_only_scripts: None, &[], |_| true;
    scripts: Some(&["~*", "+@all", "-eval_ro"]), READ_ONLY_SCRIPTS, |_| true;
    transactions: Some(&["~*", "+@read", "+@transaction", "+@connection"]), SCRIPTS, |_| true;
    pipelines: Some(&["~*", "+@read"]), ALL_BUT_READING, |version| version.is_some();
}

/// The suite on a cluster whose nodes hold the board, its names, and the names of single members each in slots of their own.
mod clustered {
    use std::cell::RefCell;
    use std::rc::Rc;

    use ranktop::board::order::Order;
    use ranktop::store::redis::topology::{AnySource, ReadFrom, Service};

    use super::*;
    use crate::common::Cluster;

    thread_local! {
        /// The cluster of the test that runs. It takes seconds to start, so that all of the suite has one.
        static CLUSTER: RefCell<Option<Rc<Cluster>>> = const { RefCell::new(None) };
    }

    /// The cluster is there for as long as this is, also where a test panics.
    struct Running;

    impl Running {
        fn start() -> Self {
            CLUSTER.set(Some(Rc::new(Cluster::start_patient())));
            Self
        }
    }

    impl Drop for Running {
        fn drop(&mut self) {
            CLUSTER.set(None);
        }
    }

    struct Clustered {
        cluster: Rc<Cluster>,
        home: AnySource,
    }

    impl Setup for Clustered {
        type Source = AnySource;

        const CASES: u32 = 5;

        async fn start() -> Self {
            let cluster = CLUSTER.with_borrow(Clone::clone).unwrap();
            (0..3).for_each(|node| drop(cluster.cmd(node, &["FLUSHALL"])));
            let limit = Duration::from_secs(10);
            let seed = Target::new(&cluster.nodes[1].tcp_url(), limit, limit).unwrap();
            let dial = Rc::new(move |address: &_| Target::new(&format!("redis://{address}"), limit, limit));
            let service = Service::cluster(vec![seed], dial, ReadFrom::Primary);
            let home = service.connect(&crate::store_suite::board(Order::Desc).key, None).await.unwrap().home;
            Self { cluster, home }
        }

        fn home(&mut self) -> &mut AnySource {
            &mut self.home
        }

        async fn write(&mut self, board: &Board, writes: &[Write]) {
            let (names, own): (Vec<_>, Vec<_>) = writes.iter().partition(|write| matches!(write, Write::SetName(..)));
            let mut pipeline = redis::pipe();
            pipeline.atomic();
            for write in own {
                add(&mut pipeline, board, write);
            }
            self.send(board.key.as_ref(), &pipeline);
            for name in names {
                let Write::SetName(home, member, _) = name else { continue };
                let key = match home {
                    NamesLocation::Hash(key) => key.clone(),
                    NamesLocation::HashEach(key, _) | NamesLocation::StringEach(key) => key.of(member.as_bytes()),
                    NamesLocation::FieldsEach(..) | NamesLocation::Json(..) => continue,
                };
                let mut pipeline = redis::pipe();
                add(&mut pipeline, board, name);
                self.send(key.as_ref(), &pipeline);
            }
        }

        async fn fill(&mut self, board: &Board, entries: &[Entry]) {
            for batch in entries.chunks(1_000) {
                let writes: Vec<Write> =
                    batch.iter().map(|entry| Write::Score(entry.member.clone(), entry.score.get())).collect();
                self.write(board, &writes).await;
            }
        }
    }

    impl Clustered {
        fn send(&self, key: &[u8], pipeline: &redis::Pipeline) {
            let node = &self.cluster.nodes[self.cluster.holder(key)];
            pipeline.exec(&mut node.client()).unwrap();
        }
    }

    #[test]
    fn every_function_of_the_suite() {
        use crate::store_suite::{companions, pages, paging, ties};

        let _running = Running::start();
        pages::every_question_on_a_hostile_board::<Clustered>();
        pages::every_question_on_a_small_board::<Clustered>();
        pages::a_missing_board::<Clustered>();
        pages::a_board_of_one::<Clustered>();
        pages::a_member_of_a_megabyte::<Clustered>();
        pages::dense_ranks_up_to_the_bound::<Clustered>();
        pages::boards_do_not_mix::<Clustered>();
        ties::groups_next_to_the_edges_of_steps::<Clustered>();
        ties::no_groups_at_all::<Clustered>();
        ties::one_group_larger_than_a_step::<Clustered>();
        paging::pages_of_a_still_board_join_to_the_whole_board::<Clustered>();
        paging::writes_between_turns_lose_and_repeat_nobody_else::<Clustered>();
        companions::versions_of_any_kind::<Clustered>();
        companions::a_write_without_the_version::<Clustered>();
        companions::names_in_every_home::<Clustered>();
        companions::meta_and_its_malformed_values::<Clustered>();
    }

    #[test]
    fn one_home_reads_boards_on_every_node_and_knows_where_it_is() {
        run(async {
            let _running = Running::start();
            let mut setup = Clustered::start().await;
            let mut nodes = std::collections::BTreeSet::new();
            for number in 0..20 {
                let board = crate::store_suite::named_board(&format!("lb:{{{number}}}:now"), Order::default());
                let rows = [Write::Score("m".into(), f64::from(number)), Write::IncrementVersion];
                setup.write(&board, &rows).await;
                let ask = ranktop::query::page::PageRequest::new(ranktop::query::page::PageStart::Position(1), 5);
                let answer = ranktop::store::BoardSource::read(&mut setup.home, &board, &ask).await.unwrap();
                let ranktop::query::page::PageReply::Page(page) = answer else { panic!("{answer:?}") };
                let window = page.window;
                assert_eq!((window.entries[0].score.get(), window.verified), (f64::from(number), true));
                assert_eq!(
                    ranktop::store::BoardSource::version(&mut setup.home, &board).await.unwrap(),
                    Some("1".into())
                );
                nodes.insert(setup.cluster.holder(board.key.as_ref()));
            }
            assert_eq!(nodes.len(), 3, "boards on every node");
        });
    }
}
