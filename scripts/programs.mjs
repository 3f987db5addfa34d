// Programs that the tests and benchmarks need besides Node, and where to find them.
// Plain JavaScript: scripts/setup.mjs loads it with the Node of the machine.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Oldest supported PostgreSQL. */
export const postgresMajorMinimum = 15

/**
 * Programs with the packages that provide them, separated by spaces.
 *
 * @type {Record<'postgresql' | 'redis' | 'chromium' | 'firefox' | 'rsyslog' | 'pgbouncer' | 'haproxy' | 'promtool' | 'systemd' | 'python' | 'curl', { title: string, debian: string, homebrew: string, find: () => string | undefined }>}
 */
export const programs = {
  postgresql: {
    title: `PostgreSQL ${postgresMajorMinimum} or newer`,
    debian: 'postgresql',
    homebrew: 'postgresql@17',
    find: findPostgresBin,
  },
  redis: {
    title: 'redis-server (or valkey-server)',
    debian: 'redis-server',
    homebrew: 'redis',
    find: () => findCommand('redis-server', 'valkey-server'),
  },
  chromium: {
    title: 'Chromium',
    debian: 'chromium',
    homebrew: '--cask chromium',
    find: () =>
      findCommand('chromium', 'chromium-browser', 'google-chrome') ??
      [
        '/Applications/Chromium.app/Contents/MacOS/Chromium',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      ].find(existsSync),
  },
  firefox: {
    title: 'Firefox',
    debian: 'firefox-esr',
    homebrew: '--cask firefox',
    find: () =>
      findCommand('firefox-esr', 'firefox') ??
      ['/Applications/Firefox.app/Contents/MacOS/firefox'].find(existsSync),
  },
  rsyslog: {
    title: 'rsyslogd with its module for TLS',
    debian: 'rsyslog rsyslog-openssl',
    homebrew: 'rsyslog',
    find: () => (process.platform !== 'linux' || hasSyslogTls() ? findCommand('rsyslogd') : undefined),
  },
  pgbouncer: {
    title: 'PgBouncer',
    debian: 'pgbouncer',
    homebrew: 'pgbouncer',
    find: () => findCommand('pgbouncer'),
  },
  haproxy: {
    title: 'HAProxy',
    debian: 'haproxy',
    homebrew: 'haproxy',
    find: () => findCommand('haproxy'),
  },
  promtool: {
    title: 'promtool of Prometheus',
    debian: 'prometheus',
    homebrew: 'prometheus',
    find: () => findCommand('promtool'),
  },
  python: {
    title: 'Python 3.9 or newer',
    debian: 'python3',
    homebrew: 'python3',
    find: () => findCommand('python3'),
  },
  curl: { title: 'curl', debian: 'curl', homebrew: 'curl', find: () => findCommand('curl') },
  systemd: {
    title: 'systemd-analyze',
    debian: 'systemd',
    homebrew: '',
    find: () => (process.platform === 'linux' ? findCommand('systemd-analyze') : 'not on this system'),
  },
}

/** Returns true if the TLS module of rsyslogd is installed, which distributions package separately. */
function hasSyslogTls() {
  const libraries = subfolders('/usr/lib').filter((name) => name.endsWith('-linux-gnu'))
  return ['/usr/lib64', '/usr/lib', ...libraries.map((name) => `/usr/lib/${name}`)].some((folder) =>
    existsSync(`${folder}/rsyslog/lmnsd_ossl.so`),
  )
}

/**
 * Returns the full path of the first command found on the search path.
 *
 * @param {...string} names
 */
export function findCommand(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin', '/usr/sbin', '/usr/local/bin')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/** Returns the folder with the programs of the newest PostgreSQL, at least version 15. */
export function findPostgresBin() {
  const candidates = [
    ...subfolders('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...['/opt/homebrew/opt', '/usr/local/opt'].flatMap((prefix) =>
      subfolders(prefix)
        .filter((name) => name.startsWith('postgresql'))
        .map((name) => `${prefix}/${name}/bin`),
    ),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return candidates
    .filter((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')))
    .map((bin) => ({ bin, major: postgresMajor(bin) }))
    .filter(({ major }) => major >= postgresMajorMinimum)
    .sort((one, other) => other.major - one.major)[0]?.bin
}

/** @param {string} bin */
function postgresMajor(bin) {
  // Debian's path contains the version, which saves a process.
  const inPath = /\/postgresql\/(\d+)\/bin$/.exec(bin)
  const text = inPath?.[1] ?? execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/\d+/.exec(text)?.[0] ?? 0)
}

/** @param {string} folder */
function subfolders(folder) {
  return existsSync(folder) ? readdirSync(folder) : []
}
