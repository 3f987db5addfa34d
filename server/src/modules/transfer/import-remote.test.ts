import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { aDetection, anApp, anEmployee } from '../../../../test/support/fixtures.ts'
import { createKey, type MusterProcess, startMuster } from '../../../../test/support/muster-process.ts'
import { claimDailyJob, finishDailyJob } from '../../kernel/jobs/daily-jobs.ts'
import { openStore } from '../../kernel/store/lifecycle/open.ts'

const publicUrl = 'https://muster.example.com'

describe('import --from', () => {
  const cli = useCommandLine('sqlite')

  describe('a real server', () => {
    let server: MusterProcess
    let key: string
    beforeEach(async () => {
      // The same public URL for both servers, or links of detections would differ.
      await cli.run(`demo --employees 120 --days 12 --public-url ${publicUrl}`)
      // The demo ends in the past: overdue work would change the records during the pull.
      const db = await openStore({ dataDir: cli.dataDir }, 1)
      const tomorrow = { day: Math.floor(Date.now() / 86_400_000) + 1, nowMs: 0, untilMs: 0 }
      for (const job of ['browsers', 'findings'])
        await db.inTransaction(async (tx) => {
          await claimDailyJob(tx, job, tomorrow)
          await finishDailyJob(tx, job, tomorrow.day)
        })
      await db.close()
      await cli.run('export original')
      const settings = {
        ...cli.settings,
        MUSTER_RATE_LIMIT_SUSTAINED: '100000',
        MUSTER_PUBLIC_URL: publicUrl,
      }
      server = await startMuster(settings)
      key = (await createKey(settings, 'pull@example.com', ['--permission', 'read-only'])).key
    })
    afterEach(() => server.stop())

    test('is pulled completely, with the users of accounts and merged employees', async () => {
      const elsewhere = await cli.another('sqlite')
      const pulled = await elsewhere.json(`import --from ${server.address} --key ${key}`)
      expect(pulled).toMatchObject({ warnings: [], total: { rejected: 0 } })
      await elsewhere.run('export copy')
      expect(cli.files('copy')).toEqual(cli.files('original'))
      const again = await elsewhere.json(`import --from ${server.address}/v1/ --key ${key} --skip usedBy`)
      expect(again.total).toMatchObject({ added: 0, replaced: 0, rejected: 0 })
    })

    test('--skip leaves out a resource', async () => {
      const elsewhere = await cli.another('sqlite')
      cli.file('key.txt', [key])
      await elsewhere.json(`import --from ${server.address} --key-file key.txt --skip usedBy --skip findings`)
      await elsewhere.run('export copy')
      expect(cli.files('copy')['findings.jsonl']).toBe('')
      expect(cli.files('copy')['apps.jsonl']).toBe(cli.files('original')['apps.jsonl'])
    })

    test('reports a wrong key', async () => {
      const elsewhere = await cli.another('sqlite')
      const { code, stderr } = await elsewhere.run(`import --from ${server.address} --key nonsense`)
      expect(code).toBe(1)
      expect(stderr).toContain('/v1/employees was refused with status 401')
      expect(stderr).toContain('Check that --key is right and still active.')
    })
  })

  describe('an unreliable server', () => {
    type Answer = (request: IncomingMessage, response: ServerResponse) => void
    let asked: string[]
    let answers: Answer
    let address: string
    let close: () => void
    beforeEach(async () => {
      asked = []
      const server = createServer((request, response) => {
        asked.push(request.url ?? '')
        answers(request, response)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      close = () => server.close().closeAllConnections()
    })
    afterEach(() => close())

    const send = (
      response: ServerResponse,
      status: number,
      body: object,
      headers: Record<string, string> = {},
    ) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    const page = (records: object[], nextToken: string | null, member = 'the service') => ({
      [member]: records,
      paging: { moreResults: nextToken !== null, nextToken, next: null },
    })
    const pull = (more = '') => cli.run(`import --from ${address} --key k${more}`)

    test('is waited for when it asks for it, and retried when it fails', async () => {
      const employee = anEmployee()
      const troubles: Answer[] = [
        (_, response) => send(response, 429, {}, { 'retry-after': '0' }),
        (_, response) => send(response, 503, {}),
        (request) => request.socket.destroy(),
      ]
      answers = (request, response) => {
        const trouble = request.url?.startsWith('/v1/employees') ? troubles.shift() : undefined
        if (trouble) return trouble(request, response)
        return send(response, 200, page(request.url?.startsWith('/v1/employees') ? [employee] : [], null))
      }
      expect((await pull()).code).toBe(0)
      expect(asked.filter((url) => url.startsWith('/v1/employees'))).toHaveLength(4)
      expect(await cli.run('export out')).toMatchObject({ code: 0 })
      expect(cli.files('out')['employees.jsonl']).toBe(`${JSON.stringify(employee)}\n`)
    })

    test('with smaller pages and another records member is supported', async () => {
      const people = [anEmployee(), anEmployee()] as const
      answers = (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '', address)
        if (searchParams.get('limit') !== '100') return send(response, 400, { message: 'limit' })
        if (pathname !== '/v1/employees') return send(response, 200, page([], null, 'result'))
        const second = searchParams.get('nextToken') === 'a b'
        return send(
          response,
          200,
          second ? page([people[1]], null, 'result') : page([people[0]], 'a b', 'result'),
        )
      }
      const { code } = await pull()
      expect({ code, first: asked.slice(0, 3) }).toEqual({
        code: 0,
        first: [
          '/v1/employees?limit=1000',
          '/v1/employees?limit=100',
          '/v1/employees?limit=100&nextToken=a%20b',
        ],
      })
      await cli.run('export out')
      expect(cli.files('out')['employees.jsonl']?.split('\n')).toHaveLength(3)
    })

    test('that fails in the middle is resumed', async () => {
      const apps = [anApp(), anApp(), anApp()]
      let broken = true
      answers = (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '', address)
        if (pathname !== '/v1/apps') return send(response, 200, page([], null))
        const at = Number(searchParams.get('nextToken') ?? 0)
        if (at === 2 && broken) return send(response, 403, { detail: 'Not today.' })
        return send(response, 200, page([apps[at] ?? {}], at < 2 ? String(at + 1) : null))
      }
      const stopped = await pull()
      expect(stopped.code).toBe(1)
      expect(stopped.stderr).toContain('/v1/apps was refused with status 403: Not today.')
      expect(stopped.stderr).toContain(
        'The records received so far are stored. Run the same command again to resume.',
      )
      broken = false
      asked = []
      expect((await pull()).code).toBe(0)
      expect(asked.slice(0, 2)).toEqual(['/v1/apps?limit=1000&nextToken=2', '/v1/appsOther?limit=1000'])
      await cli.run('export out')
      expect(cli.files('out')['apps.jsonl']?.split('\n')).toHaveLength(4)
    })

    test('with an expired token is read again from the beginning', async () => {
      const app = anApp()
      let stage: 'first' | 'void' = 'first'
      answers = (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '', address)
        if (pathname !== '/v1/apps') return send(response, 200, page([], null))
        const token = searchParams.get('nextToken')
        if (stage === 'first')
          return token ? send(response, 404, {}) : send(response, 200, page([app], 'old'))
        return token ? send(response, 400, {}) : send(response, 200, page([app], null))
      }
      expect((await pull()).code).toBe(1)
      stage = 'void'
      expect((await pull()).code).toBe(0)
    })

    test('invalid records are rejected and reported like lines of a file', async () => {
      answers = (request, response) =>
        send(
          response,
          200,
          page(request.url?.startsWith('/v1/apps?') ? [anApp(), { id: 'x', odd: 1 }] : [], null),
        )
      const { code, stderr } = await pull()
      expect(code).toBe(1)
      expect(stderr).toMatch(/\/v1\/apps:2: .*type is required/)
    })

    test('unknown members of a newer version are ignored and reported once', async () => {
      const [app, other] = [anApp(), anApp()]
      const detection = aDetection()
      const records: Record<string, object[]> = {
        '/v1/apps': [
          { ...app, risk: 3, tags: [{ a: 1 }] },
          { risk: 4, ...other },
        ],
        '/v1/detections': [{ ...detection, employee: { ...detection.employee, phone: '123' } }],
      }
      answers = (request, response) => {
        const { pathname } = new URL(request.url ?? '', address)
        return send(response, 200, page(records[pathname] ?? [], null))
      }
      const { code, stderr } = await pull()
      expect({ code, notes: stderr.match(/^Ignored members.*/gm) }).toEqual({
        code: 0,
        notes: [
          'Ignored members of apps that this version does not know: risk, tags.',
          'Ignored members of detections that this version does not know: employee.phone.',
        ],
      })
      await cli.run('export out')
      const of = (name: string) =>
        cli
          .files('out')
          [name]?.trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      expect(of('apps.jsonl')).toEqual([app, other])
      expect(of('detections.jsonl')).toEqual([detection])
    })

    test.each([
      ['no page', { hello: 1 }, 'does not show which member contains its records'],
      ['no paging', { result: [] }, 'has no paging.moreResults'],
      [
        'no token',
        { result: [], paging: { moreResults: true, nextToken: null } },
        'has more results, but no paging.nextToken',
      ],
    ])('reports an unexpected response: %s', async (_, body, expected) => {
      answers = (_request, response) => send(response, 200, body)
      const { code, stderr } = await pull()
      expect(code).toBe(1)
      expect(stderr).toContain(expected)
    })

    test('reports an unreachable server at once', async () => {
      close()
      answers = () => undefined
      const { code, stderr } = await pull()
      expect(code).toBe(1)
      expect(stderr).toContain('ECONNREFUSED')
    })
  })

  test('suggests TLS for a server that does not speak plain HTTP', async () => {
    const server = createTlsServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { code, stderr } = await cli.run(`import --from http://127.0.0.1:${port} --key k`)
    server.close()
    expect(code).toBe(1)
    expect(stderr).toMatch(/cannot be read: .*\. It may use TLS: --from https:\/\/127\.0\.0\.1:\d+$/m)
  })

  test('refuses a --ca file without a certificate', async () => {
    for (const text of ['mine', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']) {
      cli.file('cert.pem', [text])
      const { code, stderr } = await cli.run('import --from https://localhost:1 --key k --ca cert.pem')
      expect(code).toBe(1)
      expect(stderr).toMatch(/^--ca .*cert\.pem contains no certificate in PEM form/)
    }
  })

  test.each([
    ['--from http://192.0.2.1:8080 --key k', 'must start with https://'],
    ['--from ftp://localhost --key k', 'must be a URL such as https://muster.example.com'],
    ['--from https://localhost', 'needs an API key'],
    ['--from https://localhost --key k --skip people', '--skip is "people", but must be one of employees'],
    ['--from https://localhost --key k --ca missing.pem', '--ca'],
    ['file.jsonl --from https://localhost --key k', 'Name what to import'],
  ])('refuses import %s with advice', async (words, expected) => {
    const { code, stderr } = await cli.run(`import ${words}`)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(expected)
  })
})
