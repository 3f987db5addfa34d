// The programs the tests and the bench use besides Node, and where each system keeps them.
// Plain JavaScript: scripts/setup.mjs reads it with whatever Node the machine has.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The oldest PostgreSQL that Muster supports. */
export const postgresMajorMinimum = 15

/**
 * What can be looked for: the commands that will do, and the packages that bring them, spaces between.
 *
 * @type {Record<'postgresql' | 'redis' | 'chromium' | 'firefox' | 'rsyslog' | 'pgbouncer' | 'haproxy', { title: string, debian: string, homebrew: string, find: () => string | undefined }>}
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
}

/** Distributions pack what rsyslogd needs to speak TLS by itself. */
function hasSyslogTls() {
  const libraries = subfolders('/usr/lib').filter((name) => name.endsWith('-linux-gnu'))
  return ['/usr/lib64', '/usr/lib', ...libraries.map((name) => `/usr/lib/${name}`)].some((folder) =>
    existsSync(`${folder}/rsyslog/lmnsd_ossl.so`),
  )
}

/**
 * The first of the commands that is on the search path, as a full path; undefined if none is.
 *
 * @param {...string} names
 */
export function findCommand(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter).concat('/usr/bin', '/usr/sbin', '/usr/local/bin')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/** The folder of the newest PostgreSQL's programs, at least version 15; undefined if there is none. */
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
  // Debian's path already says the version; asking the program costs a process.
  const inPath = /\/postgresql\/(\d+)\/bin$/.exec(bin)
  const text = inPath?.[1] ?? execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/\d+/.exec(text)?.[0] ?? 0)
}

/** @param {string} folder */
function subfolders(folder) {
  return existsSync(folder) ? readdirSync(folder) : []
}
