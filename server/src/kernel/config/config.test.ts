import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError } from '../lib/config-error.ts'
import {
  type ConfigFlags,
  describeConfig,
  type Environment,
  loadConfig,
  processEnvironment,
} from './config.ts'
import { environmentName, flagName, settingNames, settingOf, tomlName } from './config-settings.ts'

let cwd: string

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'muster-config-'))
  mkdirSync(join(cwd, 'data'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const load = (env: Environment = {}, flags: ConfigFlags = {}) => loadConfig({ env, flags, cwd })

function mistakesOf(env: Environment, flags: ConfigFlags = {}): readonly string[] {
  try {
    load(env, flags)
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes
    throw error
  }
  return []
}

function writeToml(text: string, folder = 'data'): void {
  writeFileSync(join(cwd, folder, 'muster.toml'), text)
}

describe('defaults', () => {
  test('are those of the contract', () => {
    expect(load()).toMatchObject({
      data: join(cwd, 'data'),
      port: 8443,
      host: '0.0.0.0',
      publicUrl: 'https://localhost:8443',
      databaseUrl: undefined,
      redisUrl: undefined,
      recordsMember: 'the service',
      rateLimitSustained: 10,
      rateLimitBurst: 10,
      trustProxy: false,
      metricsPort: 9464,
      enrollmentLinkDays: 14,
      secretKey: undefined,
      configFile: undefined,
    })
  })

  test('are all valid', () => {
    for (const setting of settingNames.map(settingOf)) {
      const { fallback } = setting
      expect(fallback === undefined ? 'unset' : setting.kind.parse(fallback, cwd)).toBeDefined()
    }
  })

  test('of the public URL follow from host, port and scheme', () => {
    expect(load({ MUSTER_PORT: '9000' }).publicUrl).toBe('https://localhost:9000')
    expect(load({ MUSTER_PLAIN_HTTP: 'true' }).publicUrl).toBe('http://localhost:8443')
    expect(load({ MUSTER_HOST: '127.0.0.1' }).publicUrl).toBe('https://localhost:8443')
    expect(load({ MUSTER_HOST: '192.0.2.2' }).publicUrl).toBe('https://192.0.2.2:8443')
    expect(load({ MUSTER_HOST: '::1' }).publicUrl).toBe('https://[::1]:8443')
    expect(load({ MUSTER_HOST: '::' }).publicUrl).toBe('https://localhost:8443')
    expect(load({ MUSTER_PUBLIC_URL: 'https://Muster.example.com:443/' }).publicUrl).toBe(
      'https://muster.example.com',
    )
  })
})

describe('source of a setting', () => {
  test('precedence is flag, environment, muster.toml, default', () => {
    writeToml('port = 1001\nhost = "127.0.0.1"\nmetrics_port = 0\n')
    const config = load({ MUSTER_PORT: '1002', MUSTER_HOST: '127.0.0.2' }, { port: '1003' })
    expect(config).toMatchObject({ port: 1003, host: '127.0.0.2', metricsPort: 0, rateLimitBurst: 10 })
    expect(config.sources).toMatchObject({
      port: 'flag',
      host: 'environment',
      metricsPort: 'muster.toml',
      rateLimitBurst: 'default',
    })
    expect(config.configFile).toBe(join(cwd, 'data', 'muster.toml'))
  })

  test('an empty variable counts as not set', () => {
    expect(load({ MUSTER_REDIS_URL: '', MUSTER_PORT: ' ' })).toMatchObject({
      redisUrl: undefined,
      port: 8443,
    })
  })

  test('muster.toml is read from the data folder or the path of --config', () => {
    mkdirSync(join(cwd, 'other'))
    writeToml('port = 1001')
    writeToml('port = 1002\ntls_cert = "cert.pem"\ntls_key = "/etc/key.pem"', 'other')
    expect(load({}, { data: 'other' }).port).toBe(1002)
    expect(load({ MUSTER_DATA: 'other' }).port).toBe(1002)
    const config = load({}, { config: join('other', 'muster.toml') })
    expect(config).toMatchObject({ port: 1002, data: join(cwd, 'data') })
    expect(config).toMatchObject({ tlsCert: join(cwd, 'other', 'cert.pem'), tlsKey: '/etc/key.pem' })
  })

  test('values in muster.toml keep their own type', () => {
    writeToml('plain_http = true\nrecords_member = "result"\ntrust_proxy = ["10.0.0.0/8", "::1"]\n')
    expect(load()).toMatchObject({
      plainHttp: true,
      recordsMember: 'result',
      trustProxy: ['10.0.0.0/8', '::1'],
    })
  })

  test('variables set by Kubernetes are ignored', () => {
    const env = {
      MUSTER_PORT: 'tcp://10.0.0.1:8443',
      MUSTER_SERVICE_HOST: '10.0.0.1',
      MUSTER_SERVICE_PORT_HTTPS: '8443',
      MUSTER_PORT_8443_TCP_ADDR: '10.0.0.1',
      MUSTER_PORT_8443_SCTP_PROTO: 'sctp',
      MUSTER_METRICS_PORT: 'tcp://10.0.0.2:9464',
      MUSTER_METRICS_PORT_9464_TCP: 'tcp://10.0.0.2:9464',
      MUSTER_METRICS_SERVICE_HOST: '10.0.0.2',
      MUSTER_METRICS_SERVICE_PORT: '9464',
      MUSTER_HA_PROXY_PORT: 'udp://10.0.0.3:514',
      MUSTER_HA_PROXY_SERVICE_PORT_SYSLOG: '514',
    }
    expect(load(env)).toMatchObject({ port: 8443, metricsPort: 9464 })
    expect(mistakesOf({ MUSTER_HA_PROXY_PORT: '514' })).toHaveLength(1)
  })

  test('the config is immutable', () => {
    expect(Object.isFrozen(load())).toBe(true)
  })
})

describe('mistakes', () => {
  test('are all reported at once', () => {
    writeToml('prot = 1\nhost = ["a"]\nmetrics_port = [1]\n')
    expect(
      mistakesOf({ MUSTER_PORT: '99999', MUSTER_HOSTS: 'x', MUSTER_TLS_CERT: 'a' }, { logLevel: 'loud' }),
    ).toEqual([
      'MUSTER_HOSTS in the environment is not a known setting. Did you mean MUSTER_HOST?',
      'prot in muster.toml is not a known setting. Did you mean port?',
      'MUSTER_PORT is "99999", but must be a whole number from 0 to 65535.',
      'host in muster.toml must be a host name or an IP address, without port.',
      'metrics_port in muster.toml must be a whole number from 0 to 65535.',
      '--log-level is "loud", but must be one of trace, debug, info, warn, error, fatal, silent.',
      'Set both MUSTER_TLS_CERT and MUSTER_TLS_KEY, or neither.',
    ])
  })

  test('never repeat a password in a URL', () => {
    const url = 'https://elastic:hunter2@elastic.example.com:9200'
    expect(mistakesOf({ MUSTER_EVENTS_ELASTIC_URL: url })).toEqual([
      'MUSTER_EVENTS_ELASTIC_URL must be a URL such as https://siem.example.com:8088, without user, password and fragment.',
    ])
  })

  test.each([
    ['MUSTER_PORT', '-1', 'a whole number'],
    ['MUSTER_PORT', '80.5', 'a whole number'],
    ['MUSTER_HOST', 'a b', 'a host name or an IP address'],
    ['MUSTER_HOST', '256.1.1.1', 'a host name or an IP address'],
    ['MUSTER_PUBLIC_URL', 'https://a/b', 'without path'],
    ['MUSTER_PUBLIC_URL', 'ftp://a', 'without path'],
    ['MUSTER_DATABASE_URL', 'mysql://db/x', 'postgres:// or postgresql://'],
    ['MUSTER_REDIS_URL', 'localhost:6379', 'redis:// or rediss://'],
    ['MUSTER_REDIS_URL', 'redis://localhost:6379/cache', 'the number of the database'],
    ['MUSTER_EVENTS_REDIS_URL', 'redis://localhost:6379/?db=events', 'the number of the database'],
    ['MUSTER_RECORDS_MEMBER', 'paging', 'other than paging'],
    ['MUSTER_RATE_LIMIT_SUSTAINED', '0', 'from 1'],
    ['MUSTER_TRUST_PROXY', '10.0.0.0/33', 'addresses and networks'],
    ['MUSTER_TRUST_PROXY', 'yes', 'true, false'],
    ['MUSTER_PLAIN_HTTP', 'yes', 'true or false'],
    ['MUSTER_SECRET_KEY', 'too-short', 'openssl rand -hex 32'],
    ['MUSTER_EVENTS_SPLUNK_TOKEN', 'tök', 'printable ASCII'],
    ['MUSTER_EVENTS_ELASTIC_URL', 'elastic.example.com', 'a URL such as https://'],
    ['MUSTER_EVENTS_SYSLOG_URL', 'udp://siem.example.com:514', 'tcp://host:port or tls://host:port'],
    ['MUSTER_EVENTS_SYSLOG_URL', 'tls://siem.example.com:6514/x', 'tcp://host:port or tls://host:port'],
    ['MUSTER_EVENTS_SYSLOG_CA', 'ca.pem', 'tls://'],
    ['MUSTER_EVENTS_FORMAT', 'xml', 'json, cef, ocsf'],
    ['MUSTER_TIME_ZONE', '+05:37', 'such as Europe/Berlin'],
    ['MUSTER_EVENTS_CATEGORIES', 'AUDIT,LOGIN', 'ENTITY, ACTIVITY, CONTROL, DETECTION, AUDIT'],
    ['MUSTER_EVENTS_OBJECTS', 'LOGIN,login', 'such as ACCOUNT,ACCOUNT_OTHER'],
  ])('%s=%s is reported with the allowed values', (name, value, right) => {
    const mistakes = mistakesOf({ [name]: value })
    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toContain(name)
    expect(mistakes[0]).toContain(right)
  })

  test('in the syslog certificate are reported', () => {
    const to = { MUSTER_EVENTS_SYSLOG_URL: 'tls://siem.example.com', MUSTER_EVENTS_SYSLOG_CERT: 'cert.pem' }
    expect(mistakesOf(to)).toEqual([expect.stringContaining('MUSTER_EVENTS_SYSLOG_KEY, or neither')])
    expect(
      mistakesOf({ ...to, MUSTER_EVENTS_SYSLOG_KEY: 'key.pem', MUSTER_EVENTS_SYSLOG_URL: 'tcp://a' }),
    ).toEqual([
      expect.stringContaining('MUSTER_EVENTS_SYSLOG_CERT requires'),
      expect.stringContaining('MUSTER_EVENTS_SYSLOG_KEY requires'),
    ])
  })

  test('in secrets are reported without the secret', () => {
    const found = mistakesOf({ MUSTER_SECRET_KEY: 'sesame', MUSTER_DATABASE_URL: 'mysql://u:sesame@db' })
    expect(found).toHaveLength(2)
    expect(found.join()).not.toContain('sesame')
  })

  test('in the syntax of muster.toml name the file and the line, and show nothing of it', () => {
    writeToml('secret_key = "sesame"\nhost = ')
    const [found] = mistakesOf({})
    expect(found).toMatch(/muster\.toml cannot be read: .+ \(line 2, column \d+\)$/)
    expect(found).not.toContain('sesame')
  })

  test.each([
    ['postgres://muster:100%@db/muster', 'MUSTER_DATABASE_URL'],
    ['postgres://mus%ter:x@db/muster', 'MUSTER_DATABASE_URL'],
    ['postgres://muster@db/50%', 'MUSTER_DATABASE_URL'],
    ['redis://:100%@cache', 'MUSTER_REDIS_URL'],
    ['smtp://ada:100%@mail.example.com', 'MUSTER_SMTP_URL'],
  ])('in the encoding of a URL are reported without the URL: %s', (url, name) => {
    const found = mistakesOf({ [name]: url })
    expect(found).toEqual([
      expect.stringMatching(
        / must be .*, with characters such as % in user, password and path percent-encoded/,
      ),
    ])
    expect(found.join()).not.toContain(url.slice(url.indexOf('/')))
    expect(load({ [name]: url.replace('%', '%25') })).toHaveProperty(['sources'])
  })

  test('in an inaccessible muster.toml are reported, and a missing one is ignored', () => {
    writeFileSync(join(cwd, 'file'), '')
    expect(mistakesOf({}, { data: 'file' })).toEqual([])
    symlinkSync('muster.toml', join(cwd, 'data', 'muster.toml'))
    expect(mistakesOf({})).toEqual([expect.stringMatching(/muster\.toml cannot be read: ELOOP/)])
  })

  test('in the path of --config are reported', () => {
    expect(mistakesOf({}, { config: 'none.toml' })).toEqual([
      '--config "none.toml" is not the path of an existing file.',
    ])
  })
})

describe('description', () => {
  test('shows every setting, its source and no secret', () => {
    const shown = describeConfig(
      load({
        MUSTER_SECRET_KEY: 'ab'.repeat(32),
        MUSTER_DATABASE_URL: 'postgres://muster:sesame@db/muster',
        MUSTER_REDIS_URL: 'redis://:sesame@cache',
      }),
    )
    const byName = Object.fromEntries(shown.map(({ name, ...rest }) => [name, rest]))
    expect(shown).toHaveLength(settingNames.length)
    expect(byName).toMatchObject({
      secret_key: { value: '***', source: 'environment', environment: 'MUSTER_SECRET_KEY' },
      database_url: { value: 'postgres://muster:***@db/muster' },
      smtp_url: { value: null, source: 'default' },
      port: { value: 8443 },
    })
    expect(JSON.stringify(shown)).not.toMatch(/sesame|abab/)
  })
})

test('all names of a setting are derived from its key', () => {
  expect([tomlName('rateLimitBurst'), environmentName('rateLimitBurst'), flagName('rateLimitBurst')]).toEqual(
    ['rate_limit_burst', 'MUSTER_RATE_LIMIT_BURST', '--rate-limit-burst'],
  )
})

test('the environment of the process is read', () => {
  expect(processEnvironment()).toHaveProperty('PATH')
})
