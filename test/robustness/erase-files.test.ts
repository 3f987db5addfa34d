import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  defaultOrganization,
  ensureDefaultOrganization,
} from '../../server/src/kernel/organizations/organizations.ts'
import { scrubFile } from '../../server/src/kernel/store/lifecycle/scrub.ts'
import { mailer } from '../../server/src/modules/notices/mail.ts'
import { anExtension, aPassword, eventMaker } from '../support/agent-events.ts'
import { addLicensed, browserFacts, managedToken } from '../support/agents.ts'
import { useCommandLine } from '../support/command-line.ts'
import { type Caller, type Harness, startHarness } from '../support/harness.ts'
import { createKey, startMuster } from '../support/muster-process.ts'
import { subscribeEndpoint } from '../support/outbox-events.ts'

const cli = useCommandLine('sqlite')
const file = () => join(cli.dataDir, 'muster.db')

/** Returns unique values of a person. */
const valuesOf = (name: string) => ({
  email: `${name}.quillfeather@example.com`,
  secondaryEmail: `${name}.other@example.net`,
  firstName: `First${name}Name`,
  lastName: `Last"${name}"Näme`,
  department: `Department of ${name}`,
  location: `Town of ${name}`,
  group: `Group of ${name}`,
  path: `path-of-${name}`,
  referrer: `https://mail-of-${name}.example/inbox`,
  userAgent: `Mozilla/5.0 (agent of ${name})`,
  sourceAddress: name === 'zqxj' ? '203.0.113.77' : '203.0.113.88',
})

interface Observed {
  readonly id: string
  readonly values: readonly string[]
}

async function observe(h: Harness, caller: Caller, name: string): Promise<Observed> {
  const values = valuesOf(name)
  const { email, firstName, lastName, department, location, path } = values
  const secondaryEmails = [values.secondaryEmail]
  const members = {
    email,
    firstName,
    lastName,
    department,
    location,
    secondaryEmails,
    groups: [values.group],
  }
  const { id } = await addLicensed(h, caller, members)
  const { token } = await managedToken(h, caller.org)
  const headers = { 'user-agent': values.userAgent, 'x-forwarded-for': values.sourceAddress }
  const facts = browserFacts({ profileEmail: email })
  const enrolled = await h.call(null, 'POST', '/agent/v1/enrol', {
    body: { token, browser: facts, identity: email },
    headers,
  })
  const { credential } = enrolled.body
  const make = eventMaker(h.clock)
  // Repeat, so old versions of the records stay in the file.
  for (let time = 0; time < 10; time += 1) {
    const events = [
      make.heartbeat(facts),
      make.extensions({ extensions: [anExtension()] }),
      make.login({ email, password: aPassword({ weakReasons: ['TOO_SHORT'], manuallyTyped: true }) }),
      make.login({ email, loginUrl: `https://intranet.example.org/${path}` }),
      make.login({ email: values.secondaryEmail, loginUrl: `https://slack.com/${path}` }),
      make.pageThreat({ url: `https://evil.example/${path}`, referrerUrl: values.referrer }),
    ]
    const authorization = `Bearer ${credential}`
    const answer = await h.call(null, 'POST', '/agent/v1/events', {
      body: { events },
      headers: { ...headers, authorization },
    })
    expect(answer.body).toMatchObject({ accepted: events.length })
  }
  const { send } = mailer({
    smtpUrl: undefined,
    from: 'muster@example.com',
    dataDir: cli.dataDir,
    nameOf: () => `mail-${name}`,
  })
  await send({
    to: email,
    subject: 'Protect your browser',
    text: `Hello ${firstName} ${lastName}, …`.repeat(9),
  })
  return { id, values: [...Object.values(values), credential] }
}

/** Returns the values that a file of the data folder contains, plain or in JSON. */
function found({ values }: Observed): string[] {
  const entries = readdirSync(cli.dataDir, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      return values
        .filter((value) => [value, JSON.stringify(value).slice(1, -1)].some((text) => bytes.includes(text)))
        .map((value) => `${entry.name}: ${value}`)
    })
    .sort()
}

let ada: Observed
let bob: Observed
beforeEach(async () => {
  const place = { dataDir: cli.dataDir, databaseUrl: undefined }
  const h = await startHarness('sqlite', { place, trustProxy: true })
  const { no } = await h.db.inTransaction((tx) => ensureDefaultOrganization(tx, 'default', 1))
  const caller = await h.addKey(no)
  await subscribeEndpoint(h, no)
  bob = await observe(h, caller, 'bob')
  ada = await observe(h, caller, 'zqxj')
  await h.close()
})

describe(`muster employee erase of an employee of the organization ${defaultOrganization}`, () => {
  test('removes all of their values from all files, and none of others', async () => {
    const ofBob = found(bob)
    expect(found(ada).length).toBeGreaterThan(10)
    expect(ofBob).toHaveLength(found(ada).length)
    const { code, stdout, stderr } = await cli.run('employee erase', ada.id, '--yes')
    expect([code, stderr]).toEqual([0, expect.stringContaining('The database file was rewritten')])
    expect(stdout).toContain('mails: 1')
    expect(found(ada)).toEqual([])
    expect(found(bob)).toEqual(ofBob)
    expect((await cli.run('employee erase', bob.id, '--yes')).code).toBe(0)
    expect(found(bob)).toEqual([])
  })

  test('also works while a server is running and leaves nothing after its stop', async () => {
    const { key } = await createKey(cli.settings, 'first@example.com')
    const server = await startMuster(cli.settings)
    onTestFinished(() => server.kill())
    const employees = async (method: string, body?: object) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
      const answer = await fetch(`${server.address}/v1/employees`, init)
      return { status: answer.status, text: await answer.text() }
    }
    expect((await employees('GET')).text).toContain('zqxj.quillfeather')
    expect((await cli.run('employee erase', ada.id, '--yes')).code).toBe(0)
    expect(found(ada)).toEqual([])
    const { text } = await employees('GET')
    expect([text.includes('zqxj.quillfeather'), text.includes('bob.quillfeather')]).toEqual([false, true])
    expect((await employees('POST', { email: 'next@example.com' })).status).toBe(200)
    expect(await server.stop()).toBe(0)
    expect(found(ada)).toEqual([])
    expect(found(bob).length).toBeGreaterThan(10)
  })

  test('leaves no trigrams of deleted texts in the substring indexes', async () => {
    const database = new DatabaseSync(file())
    const index = 'accounts_email_substrings'
    const knows = (term: string) => {
      const blocks = database.prepare(`SELECT block FROM ${index}_data`).all() as { block: Uint8Array }[]
      return blocks.some(({ block }) => Buffer.from(block).includes(term))
    }
    for (const [at, text] of ['qvvw@example.com', 'kept@example.com'].entries())
      database.prepare(`INSERT INTO ${index} (rowid, value) VALUES (?, ?)`).run(at + 1, text)
    database.exec(`DELETE FROM ${index} WHERE rowid = 1`)
    expect([knows('qvv'), knows('kep')]).toEqual([true, true])
    scrubFile(file(), 0)
    expect([knows('qvv'), knows('kep')]).toEqual([false, true])
    database.close()
  })

  test('reports an open reader that prevents it, and completes later', async () => {
    const reader = new DatabaseSync(file())
    const writer = new DatabaseSync(file())
    writer.exec("INSERT INTO settings (name, value) VALUES ('any', 'thing')")
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM employees').get()
    expect(() => scrubFile(file(), 0, 50)).toThrow(
      'another process is reading an old snapshot of the database',
    )
    reader.exec('COMMIT')
    reader.close()
    writer.exec('BEGIN IMMEDIATE')
    expect(() => scrubFile(file(), 0, 50)).toThrow('another process is writing to it')
    writer.exec('ROLLBACK')
    writer.close()
    const { code, stderr } = await cli.run('employee erase --finish')
    expect([code, stderr]).toEqual([0, expect.stringContaining('The database file was rewritten')])
    expect((await cli.run('employee erase', ada.id, '--finish')).code).toBe(2)
    expect((await cli.run('employee erase')).code).toBe(2)
  })
})
