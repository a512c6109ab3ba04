// npm run postgres [-- command …]: a private PostgreSQL with pgvector for tests.
// Without a command it prints the URL of its superuser and runs until it is told to stop; with one it
// runs the command with LOCI_TEST_POSTGRES set. Either way nothing of it stays behind.
// `--install` only makes sure that server, pgvector and a pooler are there.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DEBIAN_SOURCES = `Types: deb-src
URIs: http://deb.debian.org/debian
Suites: trixie
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;

/** Nobody waits for the disk in a test; a server that is to be crashed asks for more. */
const FAST = { fsync: 'off', synchronous_commit: 'on', full_page_writes: 'off' };

/**
 * @typedef {object} Server
 * @property {string} url of the superuser, with its password
 * @property {number} port
 * @property {() => Promise<void>} start
 * @property {(how?: 'fast' | 'immediate') => Promise<void>} halt stops it and keeps its data
 * @property {() => Promise<void>} stop stops it and removes all of it
 */

/**
 * Makes a cluster in a temporary folder and starts it.
 * @param {{ settings?: Record<string, string>, standbyOf?: Server }} [options] `standbyOf`: the server
 *   that it follows, which it is a copy of
 * @returns {Promise<Server>}
 */
export async function startPostgres({ settings = FAST, standbyOf } = {}) {
  const { bin } = found();
  const owner = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'loci-postgres-'));
  /** @param {string} path */
  const give = (path) => {
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(path, owner.uid, owner.gid);
  };
  give(folder);
  const data = join(folder, 'data');
  const password = standbyOf ? new URL(standbyOf.url).password : randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  give(passwordFile);
  const spawnAs = { cwd: folder, ...owner };
  /** @param {string} command @param {string[]} args */
  const act = (command, args) => {
    const done = spawnSync(join(bin, command), args, {
      ...spawnAs,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (done.status !== 0) throw new Error(`${command} failed: ${done.stderr ?? done.error}`);
  };
  const port = await freePort();
  const options = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    ...settings,
  };
  const start = async () => {
    const flags = Object.entries(options).map(([name, value]) => `-c ${name}='${value}'`);
    act('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', flags.join(' '), 'start']);
  };
  /** @param {'fast' | 'immediate'} [how] */
  const halt = async (how = 'fast') => {
    if (existsSync(join(data, 'postmaster.pid')))
      act('pg_ctl', ['-D', data, '-w', '-m', how, 'stop']);
  };
  const stop = async () => {
    try {
      await halt('immediate');
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  try {
    if (standbyOf) act('pg_basebackup', ['-d', standbyOf.url, '-D', data, '-R', '-c', 'fast']);
    const initdb = ['-D', data, '-U', 'postgres', '-A', 'md5', '-E', 'UTF8']; // quick to check: tests connect often
    if (!standbyOf)
      act('initdb', [...initdb, '--locale=C.UTF-8', '--no-sync', `--pwfile=${passwordFile}`]);
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  return { url, port, start, halt, stop };
}

/**
 * Whether a server and pgvector are on this machine.
 * @returns {string | undefined} what is missing
 */
export function missingPostgres() {
  try {
    found();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** @returns {{ bin: string, major: string }} of the newest server that has pgvector */
function found() {
  const servers = installed();
  const server = servers.find(({ extensions }) => existsSync(join(extensions, 'vector.control')));
  if (server) return server;
  throw new Error(
    servers.length === 0 ? 'no PostgreSQL server is installed' : 'pgvector is not installed',
  );
}

function installed() {
  const home = '/usr/lib/postgresql';
  const majors = existsSync(home) ? readdirSync(home) : [];
  return majors
    .filter((major) => existsSync(join(home, major, 'bin', 'initdb')))
    .toSorted((a, b) => Number(b) - Number(a))
    .map((major) => ({
      major,
      bin: join(home, major, 'bin'),
      extensions: join('/usr/share/postgresql', major, 'extension'),
    }));
}

/** A pooler for the tests that go through one; where there is none they are skipped. */
function installPooler() {
  const isThere = ['/usr/sbin', '/usr/bin', '/usr/local/bin'].some((folder) =>
    existsSync(join(folder, 'pgbouncer')),
  );
  if (isThere || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return;
  try {
    apt(['install', '-y', '--no-install-recommends', 'pgbouncer']);
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : error}: tests of a pooler are skipped`,
    );
  }
}

/** Installs what is missing, on Debian and as root; elsewhere it says what to install. */
function install() {
  if (missingPostgres() === undefined) return;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw new Error(
      'install PostgreSQL 13 or later and pgvector 0.7 or later, or run this as root on Debian',
    );
  }
  if (installed().length === 0) apt(['install', '-y', '--no-install-recommends', 'postgresql']);
  const { major, bin } = /** @type {{ major: string, bin: string }} */ (installed()[0]);
  const folder = join(cache(), `pgvector-${major}`);
  if (!existsSync(join(folder, 'built'))) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const sources = join(folder, 'debian.sources');
    writeFileSync(sources, DEBIAN_SOURCES);
    mkdirSync(join(folder, 'lists', 'partial'), { recursive: true });
    // The lists of this system stay as they are: its release has no pgvector.
    const elsewhere = [
      ['-o', `Dir::Etc::sourcelist=${sources}`],
      ['-o', 'Dir::Etc::sourceparts=-'],
      ['-o', `Dir::State::Lists=${join(folder, 'lists')}`],
      ['-o', 'APT::Sandbox::User=root'],
    ].flat();
    apt(['update']);
    apt([
      'install',
      '-y',
      '--no-install-recommends',
      `postgresql-server-dev-${major}`,
      'dpkg-dev',
      'make',
      'gcc',
    ]);
    apt([...elsewhere, 'update']);
    apt([...elsewhere, 'source', '--download-only', 'pgvector'], folder);
    const archive = readdirSync(folder).find((name) => name.endsWith('.orig.tar.gz'));
    if (!archive) throw new Error('the sources of pgvector did not come');
    must('tar', ['-xzf', archive], folder);
    const unpacked =
      readdirSync(folder).find((name) => /^pgvector-[\d.]+$/.test(name)) ?? 'pgvector';
    // Built for any processor, since the result is kept.
    must(
      'make',
      ['-C', unpacked, '-j2', 'OPTFLAGS=', `PG_CONFIG=${join(bin, 'pg_config')}`],
      folder,
    );
    writeFileSync(join(folder, 'built'), unpacked);
  }
  const unpacked = readdirSync(folder).find((name) => /^pgvector-[\d.]+$/.test(name)) ?? 'pgvector';
  must(
    'make',
    ['-C', unpacked, 'install', 'OPTFLAGS=', `PG_CONFIG=${join(bin, 'pg_config')}`],
    folder,
  );
}

function cache() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'loci-ci');
}

/** @param {string[]} args @param {string} [cwd] */
function apt(args, cwd) {
  must('apt-get', ['-q', ...args], cwd);
}

/** @param {string} command @param {string[]} args @param {string} [cwd] */
function must(command, args, cwd) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const done = spawnSync(command, args, { cwd, env, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')} failed`);
}

/**
 * The server refuses to run as root.
 * @returns {{ uid?: number, gid?: number }}
 */
function serverUser() {
  if (process.getuid?.() !== 0) return {};
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** @param {string} flag */
function idOf(flag) {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(address.port));
    });
  });
}

async function main() {
  const args = process.argv.slice(2).filter((arg, i) => i > 0 || arg !== '--');
  install();
  if (args[0] === '--install') {
    installPooler();
    return;
  }
  const server = await startPostgres();
  const told = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, resolve);
  });
  try {
    const [command, ...rest] = args;
    if (command === undefined) {
      process.stdout.write(`${server.url}\n`);
      const { ppid } = process;
      const orphaned = new Promise((resolve) => {
        setInterval(() => process.ppid !== ppid && resolve(undefined), 1000);
      });
      await Promise.race([told, orphaned]);
      return;
    }
    const env = { ...process.env, LOCI_TEST_POSTGRES: server.url };
    const child = spawn(command, rest, { env, stdio: 'inherit' });
    process.exitCode = await new Promise((resolve, reject) => {
      child.on('error', reject).on('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    await server.stop();
    if (args.length === 0) process.exit(); // nobody may be there any more to read what is pending
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`postgres: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
