//! A private cluster, started by the first test that asks and shared by all.
//!
//! A static is never dropped, and a panic or a kill would skip any clean-up of our own. So a
//! watchdog process waits for the end of a pipe that only this process holds open: however this
//! process ends, the pipe closes, and the watchdog stops the server and removes its directory.

use std::ffi::OsStr;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use postgres::{Client, Error, NoTls};

/// Room for sessions and workers of as many tests at once as a large machine runs: a test of a
/// parallel plan finds its workers whatever the others do.
const SETTINGS: &str = "
listen_addresses = ''
port = 5432
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
jit = off
max_connections = 500
wal_level = logical
max_wal_senders = 60
max_replication_slots = 60
max_worker_processes = 600
max_parallel_workers = 500
max_logical_replication_workers = 60
wal_retrieve_retry_interval = 100ms
log_line_prefix = '%m [%p] %d %e '
";

/// A running server.
pub struct Cluster {
    dir: PathBuf,
    bin: PathBuf,
    _watchdog: Child,
}

/// The cluster of this process.
pub fn cluster() -> &'static Cluster {
    static CLUSTER: OnceLock<Cluster> = OnceLock::new();
    CLUSTER.get_or_init(Cluster::start)
}

impl Cluster {
    fn start() -> Self {
        let pg_config = std::env::var("PG_CONFIG").unwrap_or_else(|_| "pg_config".to_owned());
        let bin = PathBuf::from(succeed(Command::new(pg_config).arg("--bindir")).trim());
        // A socket's path may have no more than about 100 bytes, which rules out a build directory.
        let dir = PathBuf::from(format!("/tmp/pg_sketch.{}", std::process::id()));
        let data = dir.join("data");
        succeed(as_server("mkdir").args(["-m", "700"]).arg(&dir));
        let watchdog = watch(&bin.join("pg_ctl"), &dir);
        succeed(
            as_server(bin.join("initdb"))
                .args(["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C"])
                .args(["--no-sync", "-D"])
                .arg(&data),
        );
        let settings = format!("{SETTINGS}unix_socket_directories = '{}'\n", dir.display());
        succeed(
            as_server("sh")
                .args(["-c", "printf %s \"$1\" >>\"$2/postgresql.conf\"", "sh", &settings])
                .arg(&data),
        );
        let log = dir.join("log");
        succeed(
            as_server(bin.join("pg_ctl"))
                .args(["start", "--wait", "--timeout=600", "--silent", "-D"])
                .arg(&data)
                .arg("-l")
                .arg(&log),
        );
        Cluster { dir, bin, _watchdog: watchdog }
    }

    /// A new session in a database.
    pub fn connect(&self, database: &str) -> Client {
        self.try_connect(database).expect("a connection")
    }

    /// A new session in a database, if there is one to be had.
    pub fn try_connect(&self, database: &str) -> Result<Client, Error> {
        Client::connect(&self.conninfo(database), NoTls)
    }

    /// How to connect to a database.
    pub fn conninfo(&self, database: &str) -> String {
        format!("host={} port=5432 user=postgres dbname={database}", self.dir.display())
    }

    /// Runs a client program of the server's version on a database and returns its output.
    pub fn run_tool(&self, name: &str, database: &str, args: &[&str], input: &[u8]) -> String {
        use std::io::Write;
        let mut child = Command::new(self.bin.join(name))
            .args(["-d", &self.conninfo(database)])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = input.to_owned();
        // A program that writes before it has read all would wait for us for ever.
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().expect("the program ends");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        writer.join().expect("no panic").expect("the program reads its input");
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

/// Starts the watchdog, which waits as long as anybody holds the other end of its input.
fn watch(pg_ctl: &Path, dir: &Path) -> Child {
    let script = "cat >/dev/null; \"$1\" stop -m immediate -D \"$2/data\"; rm -rf \"$2\"";
    as_server("sh")
        .args(["-c", script, "sh"])
        .args([pg_ctl, dir])
        .stdin(Stdio::piped())
        // Whoever reads the output of the tests must not wait for the watchdog.
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // An interrupt from the terminal goes to the whole group.
        .process_group(0)
        .spawn()
        .expect("a watchdog")
}

/// A command as the user who owns the server, which refuses to run as root.
fn as_server(program: impl AsRef<OsStr>) -> Command {
    let mut command;
    if succeed(Command::new("id").arg("-u")).trim() == "0" {
        command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
    } else {
        command = Command::new(program);
    }
    // That user may not enter our directory, and a backtrace in each message helps nobody.
    command.current_dir("/tmp").env_remove("RUST_BACKTRACE");
    command
}

/// Runs a command that must succeed and returns its output.
fn succeed(command: &mut Command) -> String {
    // A server that starts in the background must not hold our pipes open.
    let starts_server = command.get_args().any(|arg| arg == "start");
    if starts_server {
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(status.is_ok_and(|status| status.success()), "failed: {command:?}");
        return String::new();
    }
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (&output.stdout, String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {err}");
    String::from_utf8_lossy(out).into_owned()
}
