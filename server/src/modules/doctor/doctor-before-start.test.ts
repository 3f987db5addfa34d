import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { freshDatabase } from '../../../../test/support/database.ts'
import { identityProvider } from '../../../../test/support/identity-provider.ts'
import { startMuster } from '../../../../test/support/muster-process.ts'
import { freePort } from '../../../../test/support/private-server.ts'
import { openPostgres } from '../../kernel/store/postgres/postgres.ts'
import type { NamedFinding } from './doctor-check.ts'

describe('muster doctor finds what would keep the server from starting or working', () => {
  const cli = useCommandLine('sqlite', { isEmpty: true })
  const examine = async (...options: string[]) => {
    const ports = ['--port', '--metrics-port']
      .filter((name) => !options.includes(name))
      .flatMap((name) => [name, '0'])
    const { code, stdout } = await cli.run('doctor --json', ...ports, ...options)
    const { checks } = JSON.parse(stdout) as { checks: NamedFinding[] }
    return { code, of: (name: string) => checks.find(({ check, state }) => check === name && state !== 'ok') }
  }
  const failing = (message: RegExp, advice: RegExp) => ({
    state: 'fail',
    message: expect.stringMatching(message),
    advice: expect.stringMatching(advice),
  })

  test('a metrics port that another program uses', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, of } = await examine('--metrics-port', `${port}`)
    other.close()
    expect(of('metrics port')).toMatchObject(failing(/is used by another program/, /--metrics-port/))
    expect(code).toBe(1)
  })

  test('a metrics port that another Muster server uses, but not that of our own server', async () => {
    const metrics = `${await freePort()}`
    const server = await startMuster({ ...cli.settings, MUSTER_METRICS_PORT: metrics })
    const own = ['--host', '127.0.0.1', '--plain-http', '--port', new URL(server.address).port]
    const ours = await examine(...own, '--metrics-port', metrics)
    const theirs = await examine('--metrics-port', metrics)
    await server.stop()
    expect([ours.code, ours.of('metrics port')]).toEqual([0, undefined])
    expect(theirs.of('metrics port')).toMatchObject({ state: 'fail' })
  })

  test('the same port for the service and its metrics', async () => {
    const { of } = await examine('--port', '9464', '--metrics-port', '9464')
    expect(of('settings')).toMatchObject(failing(/are both 9464/, /^Correct it/))
  })

  test('a missing or empty certificate file for webhooks', async () => {
    cli.file('empty.pem', [])
    for (const file of ['none.pem', 'empty.pem']) {
      const { code, of } = await examine('--webhooks-ca', file)
      expect(of('settings')).toMatchObject(failing(/^MUSTER_WEBHOOKS_CA must be a file of/, /^Correct it/))
      expect(code).toBe(1)
    }
  })

  test('an unreachable identity provider, and a URL that is none', async () => {
    const signOn = async (issuer: string) => {
      const { code, of } = await examine(
        ...['--oidc-issuer', issuer, '--oidc-client-id', 'muster', '--oidc-client-secret', 'sesame'],
      )
      return { code, found: of('sign-on') }
    }
    const provider = await identityProvider('https://muster.example.com/')
    expect(await signOn(provider.issuer)).toEqual({ code: 0, found: undefined })
    expect(await signOn(`${provider.issuer}/elsewhere`)).toMatchObject({ code: 1, found: { state: 'fail' } })
    await provider.close()
    const { code, found } = await signOn(provider.issuer)
    expect(found).toMatchObject(failing(/cannot be used: .*ECONNREFUSED/, /MUSTER_OIDC_ISSUER/))
    expect(code).toBe(1)
  })

  test('a leaked-password service that is unreachable or returns something else', async () => {
    let answer = { status: 200, body: `${'A'.repeat(35)}:3\r\n` }
    const asked: (string | undefined)[] = []
    const service = createHttpServer(({ url }, response) => {
      asked.push(url)
      response.writeHead(answer.status).end(answer.body)
    }).listen(0, '127.0.0.1')
    await once(service, 'listening')
    const { port } = service.address() as AddressInfo
    const found = async () =>
      (await examine('--range-url', `http://ada:sesame@127.0.0.1:${port}/range`)).of('range')
    expect(await found()).toBeUndefined()
    expect(asked).toEqual(['/range/00000'])
    answer = { status: 200, body: '<html>' }
    expect(await found()).toMatchObject({ state: 'warn' })
    answer = { status: 401, body: '' }
    const refused = await found()
    expect(refused).toMatchObject(failing(/cannot be used: .*answered 401/, /MUSTER_RANGE_URL/))
    expect(JSON.stringify(refused)).not.toContain('sesame')
    service.closeAllConnections()
    service.close()
    expect(await found()).toMatchObject(failing(/ECONNREFUSED/, /MUSTER_RANGE_URL/))
  })

  test('a host that is not of this machine, also with port 0', async () => {
    const { of } = await examine('--host', '10.9.9.9')
    expect(of('port')).toMatchObject(failing(/^Cannot listen on 10\.9\.9\.9 port 0/, /MUSTER_HOST/))
  })

  test.each(['version', 'org list'])('a master key file without a key, after muster %s', async (words) => {
    await cli.run(words)
    writeFileSync(join(cli.dataDir, 'muster.key'), 'garbage\n', { mode: 0o600 })
    const { code, of } = await examine()
    expect(of('master key')).toMatchObject(
      failing(/muster\.key does not hold a master key/, /backup.*remove/),
    )
    expect(code).toBe(1)
  })

  test('a data folder that cannot be created', async () => {
    cli.file('file', ['hello'])
    const { code, of } = await examine('--data', join('file', 'data'))
    expect(of('data folder')).toMatchObject(failing(/cannot be created: .*file is a file/, /--data/))
    expect(code).toBe(1)
  })

  test('a file in place of the data folder', async () => {
    cli.file('file', ['hello'])
    const { code, of } = await examine('--data', 'file')
    expect(of('data folder')).toMatchObject(
      failing(/file is a file, not a folder/, /^Name a folder with --data/),
    )
    expect(code).toBe(1)
  })

  test('a settings file with secrets that others can read', async () => {
    const toml = cli.file('muster.toml', [`secret_key = "${'ab'.repeat(32)}"`])
    chmodSync(join(cli.folder, toml), 0o644)
    const { code, of } = await examine('--config', toml)
    expect(of('secrets')).toMatchObject(failing(/can read .*muster\.toml/, /^chmod 600 .*muster\.toml$/))
    expect(code).toBe(1)
    cli.file(toml, ['port = 8443'])
    expect((await examine('--config', toml)).of('secrets')).toBeUndefined()
    cli.file(toml, ['smtp_url = "smtp://mail.example.com"'])
    expect((await examine('--config', toml)).of('secrets')).toBeUndefined()
    cli.file(toml, ['redis_url = "redis://:sesame@127.0.0.1:1"'])
    expect((await examine('--config', toml)).of('secrets')).toMatchObject({ state: 'fail' })
    chmodSync(join(cli.folder, toml), 0o600)
    expect((await examine('--config', toml)).of('secrets')).toBeUndefined()
  })

  test('a key for the syslog receiver that others can read', async () => {
    const key = cli.file('syslog.key', ['key'])
    chmodSync(join(cli.folder, key), 0o644)
    const to = ['--events-syslog-url', 'tls://127.0.0.1:1', '--events-syslog-cert', key]
    const { of } = await examine(...to, '--events-syslog-key', key)
    expect(of('secrets')).toMatchObject(failing(/can read .*syslog\.key/, /^chmod 600 .*syslog\.key$/))
  })

  test('invalid settings, with advice that does not depend on them', async () => {
    const { code, of } = await examine('--port', 'x')
    expect(of('settings')?.advice).not.toContain('muster config')
    expect(code).toBe(1)
  })

  test('an empty certificate file', async () => {
    cli.file('empty.pem', [])
    const { code, of } = await examine('--cert', 'empty.pem', '--key', 'empty.pem')
    expect(of('certificate')).toMatchObject(failing(/is empty/, /PEM/))
    expect(code).toBe(1)
  })

  test('a PostgreSQL database without UTF-8', async () => {
    const database = await freshDatabase("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    const { code, of } = await examine('--database-url', database.url)
    await database.drop()
    expect(of('database')).toMatchObject(
      failing(/has the encoding LATIN1, but must have UTF8/, /ENCODING 'UTF8'/),
    )
    expect(code).toBe(1)
  })

  test('a PostgreSQL user that may not create tables or extensions', async () => {
    const database = await freshDatabase()
    const server = openPostgres(inject('postgresUrl'), { connections: 1 })
    const here = openPostgres(database.url, { connections: 1 })
    const user = `reader_${randomUUID().replaceAll('-', '')}`
    await here.inTransaction((tx) => tx.run(`CREATE ROLE ${user} LOGIN`))
    const url = new URL(database.url)
    url.username = user
    const found = async () => (await examine('--database-url', url.href)).of('writable')
    expect(await found()).toMatchObject(
      failing(new RegExp(`${user} has no permission to create tables`), /own the database/),
    )
    await here.inTransaction((tx) => tx.run(`GRANT CREATE ON SCHEMA public TO ${user}`))
    expect(await found()).toMatchObject(
      failing(new RegExp(`${user} has no permission to create extensions`), /own the database/),
    )
    const name = new URL(database.url).pathname.slice(1)
    await here.inTransaction((tx) => tx.run(`ALTER DATABASE ${name} OWNER TO ${user}`))
    expect(await found()).toBeUndefined()
    await here.close()
    await database.drop()
    await server.inTransaction((tx) => tx.run(`DROP ROLE ${user}`))
    await server.close()
  })

  test('PostgreSQL tables of another owner', async () => {
    const another = await cli.another('postgres')
    await another.run('org list')
    const database = `${another.settings.MUSTER_DATABASE_URL}`
    const here = openPostgres(database, { connections: 1 })
    const user = `reader_${randomUUID().replaceAll('-', '')}`
    await here.inTransaction(async (tx) => {
      await tx.run(`CREATE ROLE ${user} LOGIN`)
      await tx.run(`GRANT CREATE ON SCHEMA public TO ${user}`)
      await tx.run(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${user}`)
    })
    const url = new URL(database)
    url.username = user
    const { of } = await examine('--database-url', url.href)
    await here.inTransaction(async (tx) => {
      await tx.run(`DROP OWNED BY ${user}`)
      await tx.run(`DROP ROLE ${user}`)
    })
    await here.close()
    expect(of('writable')).toMatchObject(
      failing(new RegExp(`${user} has no permission to write to its tables`), /own/),
    )
  })
})
