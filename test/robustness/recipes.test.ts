import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { accounts } from '@muster/contract/records/account'
import { accountsOther } from '@muster/contract/records/account-other'
import { apps } from '@muster/contract/records/app'
import { appsOther } from '@muster/contract/records/app-other'
import { browserExtensions } from '@muster/contract/records/browser-extension'
import { employees } from '@muster/contract/records/employee'
import { findings } from '@muster/contract/records/finding'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { unixSeconds } from '../../server/src/kernel/lib/clock.ts'
import { refreshMarkedScores } from '../../server/src/modules/risk/risk-job.ts'
import { recordsOf } from '../support/answers.ts'
import {
  aBrowserExtension,
  aFinding,
  anAccount,
  anAccountOther,
  anApp,
  anAppOther,
  anEmployee,
  put,
} from '../support/fixtures.ts'
import { type Caller, useHarness } from '../support/harness.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const guide = join(import.meta.dirname, '..', '..', 'docs', 'guide')
const folder = mkdtempSync(join(tmpdir(), 'muster-recipes-'))

// The scripts are clients of `/v1` and `/mcp`, which are tested on both stores.
describe('scripts of the guide', () => {
  const h = useHarness('sqlite')
  let caller: Caller
  let environment: Record<string, string> = {}

  beforeAll(async () => {
    cpSync(join(guide, 'recipes'), folder, { recursive: true })
    await h.app.listen({ port: 0, host: '127.0.0.1' })
  })
  beforeEach(async () => {
    caller = await h.addCaller()
    const url = `http://127.0.0.1:${(h.app.server.address() as AddressInfo).port}`
    const { PATH = '' } = process.env
    environment = {
      PATH,
      MUSTER_URL: url,
      MUSTER: url,
      MUSTER_API_KEY: caller.key,
      PYTHONDONTWRITEBYTECODE: '1',
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const run = async (command: string, more: Record<string, string> = {}) => {
    // The scripts send many requests at once, as nobody does.
    const ticking = setInterval(() => h.clock.advanceMs(1000), 20)
    try {
      const { stdout } = await promisify(execFile)('bash', ['-ec', command], {
        cwd: folder,
        env: { ...environment, ...more },
      })
      return stdout
    } finally {
      clearInterval(ticking)
    }
  }
  const file = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const read = async (path: string) => recordsOf(await h.call(caller, 'GET', path))

  test('the curl examples of the guide work, and a repeated POST does nothing', async () => {
    const blocks = readFileSync(join(guide, 'using-the-api.md'), 'utf8').matchAll(/```sh\n(.*?)```/gs)
    const lines = [...blocks].map(([, text = '']) => text).filter((text) => text.includes('muster_api'))
    const runnable = lines
      .filter((text) => !text.includes('…'))
      .map((text) => text.replace(/^export MUSTER=.*$/m, ''))
    expect(runnable).toHaveLength(4)
    await run([...runnable, ...runnable].join('\n'))
    expect(await read('/v1/employees')).toMatchObject([{ email: 'grace@example.com' }])
  })

  test('the Python example of the guide works', async () => {
    const text = readFileSync(join(guide, 'using-the-api.md'), 'utf8')
    file('example.py', /```python\n(.*?)```/s.exec(text)?.[1] ?? '')
    const extension = aBrowserExtension({ name: 'Cookie Jar', permissions: ['cookies'], enabled: true })
    await put(h, caller.org, browserExtensions, [extension])
    expect(await run('python3 example.py')).toBe(`Cookie Jar ${extension.extensionId}\n`)
    expect(await read('/v1/employees')).toMatchObject([{ email: 'alan@example.com', department: 'Research' }])
  })

  test('an alert blocks the host of its page once, and never that of an own app', async () => {
    await put(h, caller.org, apps, [
      anApp({ type: 'ZAPIER', website: 'https://www.zapier.com/' }),
      anApp({ type: 'GOOGLE_DRIVE', website: 'https://drive.google.com' }),
      anApp({ type: 'BBC', website: 'https://www.bbc.co.uk' }),
    ])
    await put(h, caller.org, appsOther, [anAppOther({ domain: 'intranet.example.org' })])
    const alert = (url: string) =>
      file('alert.json', JSON.stringify({ id: `event of ${url}`, object: 'PHISHING', new: { url } }))
    alert('https://login.evil.example/x')
    expect(await run('python3 block_url.py < alert.json')).toMatch(
      /^login\.evil\.example is blocked in all browsers/,
    )
    expect(await run('python3 block_url.py < alert.json')).toMatch(/blocked already/)
    for (const [url, own] of [
      ['https://forms.zapier.com/evil', 'www.zapier.com'],
      ['https://forms.google.com/evil', 'drive.google.com'],
      ['https://pages.example.org/evil', 'intranet.example.org'],
    ] as const) {
      alert(url)
      await expect(run('python3 block_url.py < alert.json')).rejects.toThrow(
        `is on the site of ${own}, which`,
      )
    }
    alert('https://evil.co.uk/')
    await run('python3 block_url.py < alert.json')
    expect(await read('/v1/controls/blockedUrls')).toMatchObject([
      { url: 'login.evil.example' },
      { url: 'evil.co.uk' },
    ])
  })

  test('leavers lose their license once their last day is over, and their accounts are listed', async () => {
    const gone = anEmployee({ email: 'gone@example.com', licensed: true })
    const stays = anEmployee({ email: 'stays@example.com', licensed: true })
    const app = anApp({ friendlyName: 'Zapier', website: 'https://zapier.com' })
    await put(h, caller.org, employees, [gone, stays])
    await put(h, caller.org, apps, [app])
    const other = anAppOther({ domain: 'intranet.example.org' })
    const employeeId = gone.id
    await put(h, caller.org, appsOther, [other])
    await put(h, caller.org, accounts, [anAccount({ employeeId, appId: app.id, email: 'gone' })])
    await put(h, caller.org, accountsOther, [
      anAccountOther({ employeeId, otherAppId: other.id, email: '=HYPERLINK("x")' }),
    ])
    const leavers = (...lines: string[]) => file('leavers.csv', ['email,last_day', ...lines, ''].join('\n'))
    leavers('gone@example.com,31.01.2020')
    await expect(run('python3 offboard.py leavers.csv')).rejects.toThrow(/Invalid isoformat string/)
    leavers(
      'Gone@example.com,2020-01-31',
      'stays@example.com,2999-01-31',
      'Stays@example.com,',
      'no@example.com,2020-01-31',
    )
    const expected = [
      'employee,app,account,website',
      'gone@example.com,Zapier,gone,https://zapier.com',
      `gone@example.com,intranet.example.org,"'=HYPERLINK(""x"")",intranet.example.org`,
      '',
    ].join('\r\n')
    expect(await run('python3 offboard.py leavers.csv')).toBe(expected)
    expect(await run('python3 offboard.py leavers.csv')).toBe(expected)
    const licensed = (await read('/v1/employees')).map(({ email, licensed }) => [email, licensed])
    expect(licensed).toEqual([
      ['gone@example.com', false],
      ['stays@example.com', true],
    ])
  })

  test('each urgent finding gets one ticket, with the reasons and what to do', async () => {
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const person = anEmployee({ email: 'ada@example.com' })
    const app = anApp({ friendlyName: 'Bank', sensitivityLevel: 'HIGH' })
    const lastUsedTimestamp = unixSeconds(h.clock)
    const account = anAccount({
      employeeId: person.id,
      appId: app.id,
      lastUsedTimestamp,
      mfaRegistered: false,
    })
    const about = { employeeId: person.id, accountId: account.id, appId: app.id, state: 'OPEN' as const }
    const urgent = aFinding({ ...about, type: 'STOLEN_CREDENTIALS' })
    await put(h, caller.org, employees, [person])
    await put(h, caller.org, apps, [app])
    await put(h, caller.org, accounts, [account])
    await put(h, caller.org, findings, [urgent])
    await refreshMarkedScores({ db: h.db, clock: h.clock })
    const command = 'python3 tickets.py tickets.json'
    const settings = { TICKET_URL: receiver.url, TICKET_TOKEN: 'token' }
    expect(await run(command, settings)).toMatch(/: ada@example\.com, Bank\n$/)
    expect(await run(command, settings)).toBe('')
    expect(receiver.requests).toHaveLength(1)
    const ticket = JSON.parse(receiver.requests[0]?.body ?? '')
    expect(ticket).toMatchObject({ externalId: urgent.id, title: expect.stringContaining('ada@example.com') })
    expect(ticket.description).toMatch(/Why it is urgent:\n- .*To do: .*\/console\/findings\//s)
  })
})
