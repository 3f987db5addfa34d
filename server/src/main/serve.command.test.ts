import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../test/support/command-line.ts'
import {
  createKey,
  type MusterProcess,
  runMuster,
  type Settings,
  startMuster,
} from '../../../test/support/muster-process.ts'
import { freePort } from '../../../test/support/private-server.ts'
import { STORES } from '../../../test/support/stores.ts'
import { until } from '../../../test/support/until.ts'

const running: MusterProcess[] = []
const start = async (settings: Settings): Promise<MusterProcess> => {
  const server = await startMuster(settings)
  running.push(server)
  return server
}
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill()
})

const onTls = ['--port', '0', '--metrics-port', '0']

describe('a configuration mistake', () => {
  const cli = useCommandLine('sqlite', { isEmpty: true })

  test.each(['10.9.9.9', 'no.such.host.invalid', '2001:db8::7'])(
    'listening on %s, an address of another machine, is reported with what to do',
    async (host) => {
      const { code, stderr } = await cli.run('serve --host', host, ...onTls)
      expect(stderr).toMatch(
        new RegExp(`^Cannot listen on ${host} \\(.*--host to an address of this machine`),
      )
      expect(stderr).not.toMatch(/^\s+at /m)
      expect(code).toBe(1)
    },
  )

  test('empty certificate files are reported', async () => {
    cli.file('empty.pem', [])
    const { code, stderr } = await cli.run('serve --cert empty.pem --key empty.pem', ...onTls)
    expect(stderr).toMatch(/empty\.pem must be a certificate in PEM, but is empty\.\n.*private key in PEM/)
    expect(code).toBe(2)
  })

  test('plain HTTP with a certificate is reported', async () => {
    const { code, stderr } = await cli.run('serve --plain-http --trust-proxy true --cert x --key y', ...onTls)
    expect(stderr).toMatch(/MUSTER_PLAIN_HTTP and MUSTER_TLS_CERT/)
    expect(code).toBe(2)
  })
})

describe('the start message', () => {
  const cli = useCommandLine('sqlite', { isEmpty: true })
  const secured = (more: Settings): Settings => ({ ...cli.settings, MUSTER_PLAIN_HTTP: 'false', ...more })
  const setupLinkOf = (server: MusterProcess) =>
    until('link', () => /^ {2}(\S+\/console\/\S+)$/m.exec(server.stderr())?.[1])
  /** Requests like curl --cacert: the certificate is trusted and must match the host. */
  const statusOf = (address: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const ca = readFileSync(join(cli.dataDir, 'tls', 'cert.pem'))
      get(`${address}/healthz`, { ca, agent: false }, (response) => resolve(response.resume().statusCode)).on(
        'error',
        reject,
      )
    })

  test('has the URL of a server on an IPv6 address', async () => {
    const server = await start(secured({ MUSTER_HOST: '::1' }))
    expect(server.address).toMatch(/^https:\/\/\[::1\]:\d+$/)
    expect(await setupLinkOf(server)).toContain(`${server.address}/console/`)
    expect(await statusOf(server.address)).toBe(200)
  })

  test('has the URL of a server on one address of the machine, also if it was on another before', async () => {
    const first = await start(secured({ MUSTER_HOST: '127.0.0.1', MUSTER_PORT: `${await freePort()}` }))
    expect(first.stderr()).not.toContain('certificate was replaced')
    await first.stop()
    const [own] = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
    const port = Number(new URL(first.address).port)
    const moved = secured({ MUSTER_HOST: `${own?.address}`, MUSTER_PORT: `${port}` })
    const server = await start(moved)
    expect(server.address).toBe(`https://${own?.address}:${port}`)
    expect(await setupLinkOf(server)).toContain(`${server.address}/console/`)
    expect(server.stderr()).toMatch(
      new RegExp(`replaced because the previous one was not for ${own?.address}\\. .* need .*tls/cert\\.pem`),
    )
    expect(await statusOf(server.address)).toBe(200)
  })
})

describe('one embedded store', () => {
  const cli = useCommandLine('sqlite', { isEmpty: true })

  test('has one server: a second one is rejected, and the first keeps running', async () => {
    const first = await start(cli.settings)
    const { code, stderr } = await runMuster(['serve'], cli.settings)
    expect(stderr).toContain(
      `The database in ${cli.dataDir} cannot be used: another server is already running on it. Stop that server first`,
    )
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(code).toBe(1)
    expect((await fetch(`${first.address}/readyz`)).status).toBe(200)
    expect((await runMuster(['serve'], cli.settings)).code).toBe(1)
  })

  test('accepts commands while a server runs', async () => {
    await start(cli.settings)
    await createKey(cli.settings, 'ada@example.com')
    cli.file('employees.jsonl', [])
    const backup = join(cli.folder, 'muster.backup')
    for (const words of [
      ['import', join(cli.folder, 'employees.jsonl')],
      ['backup', backup],
      ['keys', 'list'],
    ]) {
      const { code, stderr } = await runMuster(words, cli.settings)
      expect([words[0], code, stderr]).toEqual([words[0], 0, expect.anything()])
    }
  })

  test('can be served again at once after a server was stopped or killed', async () => {
    await (await start(cli.settings)).kill()
    await (await start(cli.settings)).stop()
    expect((await start(cli.settings)).stderr()).toContain('Muster serves at')
  })
})

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)

    test('the start message explains how to get access until there is an administrator and a key', async () => {
      const said = async () => {
        const server = await start(cli.settings)
        await until('words', () => server.stderr().includes('/docs)'))
        await server.stop()
        return server.stderr()
      }
      for (const text of [await said(), await said()]) {
        expect(text).toContain('There is no API key yet. Create one')
        expect(text).toContain('The console has no administrator yet')
        expect(text).not.toContain('first start')
      }
      await createKey(cli.settings, 'ada@example.com')
      expect(await said()).not.toContain('There is no API key yet')
    })
  })
}
