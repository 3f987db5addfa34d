import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { startMailServer } from '../../../../test/support/mail-server.ts'
import { startMuster } from '../../../../test/support/muster-process.ts'
import { rsyslog } from '../../../../test/support/rsyslog.ts'
import { STORES } from '../../../../test/support/stores.ts'
import { makeSelfSigned } from '../../kernel/http/self-signed.ts'

interface Check {
  check: string
  state: string
  message: string
  advice?: string
}

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)
    beforeEach(async () => {
      await cli.run('org add emea')
    })
    const examine = async (
      words = '--port 0',
    ): Promise<{ ok: boolean; code: number; of(check: string): Check | undefined; checks: Check[] }> => {
      const { code, stdout } = await cli.run(`doctor --metrics-port 0 ${words} --json`)
      const result = JSON.parse(stdout) as { ok: boolean; checks: Check[] }
      return {
        ...result,
        code,
        of: (name) => result.checks.find(({ check, state }) => check === name && state !== 'ok'),
      }
    }

    test('finds no problem in a healthy deployment', async () => {
      const { ok, code, checks } = await examine()
      expect({ ok, code }).toEqual({ ok: true, code: 0 })
      expect(checks.filter(({ state }) => state !== 'ok')).toEqual([])
      expect(new Set(checks.map(({ check }) => check))).toEqual(
        new Set([
          'settings',
          'data folder',
          'secrets',
          'disk',
          'database',
          'integrity',
          'writable',
          'master key',
          'clock',
          'certificate',
          'port',
        ]),
      )
      const { stdout } = await cli.run('doctor --port 0 --metrics-port 0')
      expect(stdout).toMatch(/^ok {4}settings/)
    })

    test('distinguishes our own server on the port from another program', async () => {
      const server = await startMuster(cli.settings)
      const { port } = new URL(server.address)
      const ours = await examine(`--port ${port} --host 127.0.0.1 --plain-http`)
      await server.stop()
      expect(ours.checks.at(-1)).toMatchObject({
        check: 'port',
        state: 'ok',
        message: `A Muster server is running on port ${port}.`,
      })
      expect(ours.ok).toBe(true)

      const other = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1')
      await once(other, 'listening')
      const taken = (other.address() as AddressInfo).port
      const theirs = await examine(`--port ${taken} --host 127.0.0.1`)
      other.close()
      expect(theirs).toMatchObject({ ok: false, code: 1 })
      expect(theirs.of('port')).toMatchObject({
        state: 'fail',
        message: `Port ${taken} is used by another program.`,
      })
    })

    test('finds a master key that does not match the database', async () => {
      await (await startMuster(cli.settings)).stop()
      expect((await examine()).of('master key')).toBeUndefined()
      writeFileSync(join(cli.dataDir, 'muster.key'), `${'00'.repeat(32)}\n`)
      expect((await examine()).of('master key')).toMatchObject({
        state: 'fail',
        advice: expect.stringContaining('MUSTER_SECRET_KEY'),
      })
    })
  })
}

describe('doctor', () => {
  const cli = useCommandLine('sqlite', { isEmpty: true })
  const examine = async (words = '--port 0') => {
    const { code, stdout } = await cli.run(`doctor --metrics-port 0 ${words} --json`)
    const checks = (JSON.parse(stdout) as { checks: Check[] }).checks
    return { code, of: (name: string) => checks.find(({ check, state }) => check === name && state !== 'ok') }
  }

  test('reports all invalid settings', async () => {
    const { code, of } = await examine('--port x')
    expect(code).toBe(1)
    expect(of('settings')).toMatchObject({
      state: 'fail',
      message: '--port is "x", but must be a whole number from 0 to 65535.',
    })
  })

  test('warns that there is no database yet, and creates none', async () => {
    expect((await examine()).of('database')).toMatchObject({ state: 'warn' })
    expect((await examine()).of('database')).toMatchObject({ state: 'warn' })
  })

  test('finds a damaged database', async () => {
    await cli.run('demo --employees 20 --days 10')
    truncateSync(join(cli.dataDir, 'muster.db'), 100_000)
    const { code, of } = await examine()
    expect(code).toBe(1)
    expect(of('integrity') ?? of('database')).toMatchObject({
      state: 'fail',
      advice: expect.stringContaining('muster restore'),
    })
  })

  test('finds unreachable PostgreSQL and Redis servers, and a reachable one', async () => {
    expect(
      (await examine('--port 0 --database-url postgres://x@127.0.0.1:1/x')).of('database'),
    ).toMatchObject({ state: 'fail' })
    expect((await examine('--port 0 --redis-url redis://127.0.0.1:1')).of('redis')).toMatchObject({
      state: 'fail',
    })
    expect((await examine(`--port 0 --redis-url ${inject('redisUrl')}`)).of('redis')).toBeUndefined()
  })

  test('waits longer for Redis than a server would', async () => {
    const slow = createServer((socket) =>
      socket.on('data', (chunk) => {
        const commands = chunk.toString().match(/^\*/gm) ?? []
        setTimeout(() => socket.write('+OK\r\n'.repeat(commands.length)), 200)
      }),
    ).listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const { port } = slow.address() as AddressInfo
    expect((await examine(`--port 0 --redis-url redis://127.0.0.1:${port}`)).of('redis')).toBeUndefined()
    slow.close()
  })

  test('checks that scheduled backups can be written, and how old the newest is', async () => {
    const folder = join(cli.dataDir, 'backups')
    const flags = `--port 0 --backup-folder ${folder}`
    expect((await examine(flags)).of('backups')).toBeUndefined()
    mkdirSync(folder)
    writeFileSync(join(folder, 'muster-2020-01-01T00-00-00Z.db'), '')
    expect((await examine(flags)).of('backups')).toMatchObject({
      state: 'warn',
      message: expect.stringMatching(/muster-2020-01-01T00-00-00Z\.db, \d+ hours old/),
    })
    writeFileSync(join(cli.dataDir, 'file'), '')
    const bad = await examine(`--port 0 --backup-folder ${join(cli.dataDir, 'file', 'backups')}`)
    expect(bad.of('backups')).toMatchObject({ state: 'fail' })
  })

  test('checks that the events file is writable and the syslog receiver reachable', async () => {
    const receiver = await rsyslog('tls')
    await receiver.start()
    writeFileSync(join(cli.dataDir, 'ca.pem'), receiver.certificate ?? '')
    const to = `--events-syslog-url tls://127.0.0.1:${receiver.port}`
    const inData = (name: string) => join(cli.dataDir, name)
    const good = await examine(
      `--port 0 --events-file ${inData('e.jsonl')} ${to} --events-syslog-ca ${inData('ca.pem')}`,
    )
    expect([good.of('events file'), good.of('syslog')]).toEqual([undefined, undefined])
    expect([receiver.messages(), existsSync(inData('e.jsonl'))]).toEqual([[], false])
    const bad = await examine(`--port 0 --events-file ${inData('a/b/e.jsonl')} ${to}`)
    expect(bad.of('events file')).toMatchObject({ state: 'fail' })
    const folder = await examine(`--port 0 --events-file ${cli.dataDir}`)
    expect(folder.of('events file')).toMatchObject({ message: expect.stringMatching(/is a directory/) })
    expect(bad.of('syslog')).toMatchObject({ state: 'fail', message: expect.stringMatching(/self-signed/) })
    await receiver.close()
  })

  test('signs in to the mail server and sends nothing', async () => {
    const mails = await startMailServer(
      {},
      {
        authOptional: false,
        allowInsecureAuth: true,
        disabledCommands: ['STARTTLS'],
        onAuth: ({ password }, _session, done) =>
          password === 'right' ? done(null, { user: 'ada' }) : done(new Error('no')),
      },
    )
    const mailOf = async (user: string, more = '') => {
      const { of } = await examine(`--port 0 --smtp-url smtp://${user}@127.0.0.1:${mails.port}/${more}`)
      return of('mail')
    }
    expect(await mailOf('ada:right')).toBeUndefined()
    const refused = await mailOf('ada:wrong')
    expect(refused).toMatchObject({
      state: 'fail',
      message: expect.stringContaining(`:${mails.port} cannot`),
    })
    expect(JSON.stringify(refused)).not.toContain('wrong')
    expect(await mailOf('ada:right', '?requireTLS=true')).toMatchObject({ state: 'fail' })
    expect(mails.taken).toEqual([])
    await mails.close()
    expect(await mailOf('ada:right')).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('finds folders and keys that others can read', async () => {
    await cli.run('org add emea')
    writeFileSync(join(cli.dataDir, 'muster.key'), `${'00'.repeat(32)}\n`, { mode: 0o644 })
    expect((await examine()).of('secrets')).toBeUndefined()
    chmodSync(cli.dataDir, 0o755)
    const { of } = await examine()
    expect(of('data folder')).toMatchObject({ state: 'warn', advice: `chmod 700 ${cli.dataDir}` })
    expect(of('secrets')).toMatchObject({ state: 'fail', message: expect.stringContaining('muster.key') })
  })

  describe("for the operator's own certificate", () => {
    const dayMs = 86_400_000
    const certificate = async (names: string[], madeMs: number) => {
      const { cert, key } = await makeSelfSigned(names, madeMs)
      cli.file('cert.pem', [cert])
      cli.file('key.pem', [key])
      return examine('--port 0 --cert cert.pem --key key.pem --public-url https://muster.example.com')
    }

    test('finds no problem in a valid one', async () => {
      expect((await certificate(['muster.example.com'], Date.now())).of('certificate')).toBeUndefined()
    })

    test('finds that it has expired or expires soon', async () => {
      const expired = await certificate(['muster.example.com'], Date.now() - 900 * dayMs)
      expect(expired.of('certificate')).toMatchObject({
        state: 'fail',
        message: expect.stringContaining('expired on'),
      })
      const expiring = await certificate(['muster.example.com'], Date.now() - 810 * dayMs)
      expect(expiring.of('certificate')).toMatchObject({
        state: 'warn',
        message: expect.stringContaining('expires on'),
      })
    })

    test('finds that it is for another name', async () => {
      expect((await certificate(['other.example.com'], Date.now())).of('certificate')).toMatchObject({
        state: 'fail',
        message: expect.stringContaining('is not for muster.example.com'),
      })
    })

    test('finds that the key does not match', async () => {
      await certificate(['muster.example.com'], Date.now())
      const { key } = await makeSelfSigned(['muster.example.com'], Date.now())
      cli.file('key.pem', [key])
      const { of } = await examine('--port 0 --cert cert.pem --key key.pem')
      expect(of('certificate')).toMatchObject({
        state: 'fail',
        message: expect.stringContaining('does not match'),
      })
    })
  })
})
