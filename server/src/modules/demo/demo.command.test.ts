import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Account } from '@muster/contract/records/account'
import { detectionTypes } from '@muster/contract/records/detection'
import { type Finding, findingTypes } from '@muster/contract/records/finding'
import { describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'

describe('demo', () => {
  const cli = useCommandLine('sqlite', { isEmpty: true })
  /** Separate stores, because IDs depend on the content of the store. */
  const exported = async (folder: string, words: string) => {
    const own = await cli.another('sqlite')
    const result = await own.json(`demo ${words}`)
    await own.run(`export ${folder}`)
    return { result, files: cli.files(folder) }
  }
  const recordsOf = <T>(files: Record<string, string>, name: string): T[] =>
    (files[`${name}.jsonl`] ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))

  test('creates the same bytes for the same seed, number and time, and others for another seed', async () => {
    const one = await exported('one', '--now 2026-10-01 --employees 15 --seed 7')
    const two = await exported('two', '--now 2026-10-01 --employees 15 --seed 7')
    const other = await exported('other', '--now 2026-10-01 --employees 5 --seed 8')
    expect(two.files).toEqual(one.files)
    expect(other.files['employees.jsonl']).not.toBe(one.files['employees.jsonl'])
  }, 300_000)

  test('creates consistent records: valid references, and findings that match their accounts', async () => {
    const { result, files } = await exported('all', '--now 2026-10-01 --employees 130')
    expect(result.records.employees).toBe(131)
    const elsewhere = await cli.another('sqlite')
    expect(await elsewhere.json('import all')).toMatchObject({ warnings: [], total: { rejected: 0 } })

    const accounts = new Map(recordsOf<Account>(files, 'accounts').map((account) => [account.id, account]))
    const findings = recordsOf<Finding>(files, 'findings')
    expect(new Set(findings.map(({ type }) => type))).toEqual(new Set(findingTypes))
    const openMfa = findings.filter(({ type, state }) => type === 'MFA_NOT_REGISTERED' && state === 'OPEN')
    expect(openMfa.filter(({ accountId }) => accounts.get(accountId ?? '')?.mfaRegistered !== false)).toEqual(
      [],
    )
    expect(
      new Set(
        recordsOf<{ detectionType: string }>(files, 'detections').map(({ detectionType }) => detectionType),
      ),
    ).toEqual(new Set(detectionTypes))
    const logins = [...accounts.values()].map(({ loginMethods }) => loginMethods)
    for (const method of [
      'passwordLogin',
      'oidcLogin',
      'samlLogin',
      'oktaSwaLogin',
      'vendorSsoLogin',
      'fedCmLogin',
    ] as const) {
      expect(logins.some((login) => login[method])).toBe(true)
    }
    const merged = recordsOf<{ mergedIntoId: string | null }>(files, 'employees').filter(
      ({ mergedIntoId }) => mergedIntoId !== null,
    )
    expect(merged).toHaveLength(1)
  }, 300_000)

  test('creates no record after the time of --now', async () => {
    const now = '2026-10-01T05:00:00Z'
    const { files } = await exported('early', `--now ${now} --employees 40 --days 10`)
    const times = Object.keys(files).flatMap((file) =>
      recordsOf<{ creationTimestamp?: number }>(files, file.replace('.jsonl', '')).map(
        ({ creationTimestamp = 0 }) => creationTimestamp,
      ),
    )
    expect(times.length).toBeGreaterThan(100)
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.parse(now) / 1000)
  }, 300_000)

  test('creates a full-access and a read-only key, and prints curl commands', async () => {
    const { stdout } = await cli.run('demo --employees 5 --days 10')
    const keys = await cli.json('keys list')
    expect(keys.map(({ permission }: { permission: string }) => permission).sort()).toEqual([
      'FULL_ACCESS',
      'READ_ONLY',
    ])
    expect(stdout.match(/^ {2}curl .* 'https:\/\/localhost:8443\/v1\//gm)).toHaveLength(3)
  })

  test('creates the same records on PostgreSQL', async () => {
    const words = 'demo --now 2026-10-01 --employees 6 --seed 3'
    const elsewhere = await cli.another('postgres')
    const { records } = await elsewhere.json(words)
    expect(records).toEqual((await cli.json(words)).records)
    expect(records.accounts).toBeGreaterThan(20)
  }, 300_000)

  test.each(['2026-13-45', '1969-01-01', '2200-01-01'])(
    'rejects %s as the end of the simulation',
    async (now) => {
      const { code, stderr } = await cli.run(`demo --now ${now}`)
      expect(stderr).toContain(`--now is "${now}", but must be a date from 1990 to 2099`)
      expect(code).toBe(2)
      expect(existsSync(join(cli.dataDir, 'muster.db'))).toBe(false)
    },
  )

  test('creates the organization of --org', async () => {
    const { stderr } = await cli.run('demo --org playground --employees 5 --days 10')
    expect(stderr).toContain('Added the organization playground.')
    const exported = await cli.run('export out --org playground')
    expect(exported.code).toBe(0)
    expect(recordsOf(cli.files('out'), 'employees')).toHaveLength(5)
    const names = (await cli.json('org list')).map(({ name }: { name: string }) => name)
    expect(names).toEqual(['default', 'playground'])
  })

  test.each(['-x', '01937b5e-6c3a-7d21-9f4e-2a8c5b7d1e90'])(
    'does not create the organization %s',
    async (name) => {
      await cli.run('org add emea')
      const { code, stderr } = await cli.run(`demo --org=${name} --employees 5 --days 10`)
      expect(stderr).toContain(name)
      expect(code).toBeGreaterThan(0)
      expect(await cli.json('org list')).toHaveLength(2)
    },
  )

  test('rejects an organization that has employees', async () => {
    await cli.run('demo --employees 5 --days 10')
    const { code, stderr } = await cli.run('demo --employees 5 --days 10')
    expect(code).toBe(1)
    expect(stderr).toContain('The organization default already has employees')
  })

  describe('--fresh', () => {
    test('deletes nothing before checking that the server can start', async () => {
      const { data } = await cli.json('demo --fresh --employees 5 --days 10')
      writeFileSync(join(data, 'mine'), '')
      const { code, stderr } = await cli.run('demo --fresh --serve --plain-http')
      expect(stderr).toContain('Plain HTTP on 0.0.0.0')
      expect([code, existsSync(join(data, 'mine'))]).toEqual([2, true])
    })

    test('prints shell commands that work in any folder', async () => {
      const folder = join(cli.folder, "Ada's data")
      mkdirSync(folder)
      const { stdout } = await cli.run('demo --fresh --employees 5 --days 10 --data', join(folder, 'data'))
      const [line = ''] = /curl .*/.exec(stdout) ?? []
      const words = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8' }).split(
        '\n',
      )
      expect(words.slice(0, 3)).toEqual(['curl', '--cacert', "Ada's data/data-demo/tls/cert.pem"])
    })

    test('uses and empties its own folder and never touches the data folder', async () => {
      const beside = join(dirname(cli.dataDir), 'data-demo')
      await cli.run('org add mine')
      for (const _ of [1, 2]) {
        const { data, records } = await cli.json('demo --fresh --employees 5 --days 10')
        expect({ data, employees: records.employees }).toEqual({ data: beside, employees: 5 })
      }
      expect(await cli.json('org list')).toHaveLength(2)
      expect(await cli.json('keys list')).toEqual([])
      expect(await cli.json(`keys list --data ${beside}`)).toHaveLength(2)
    })

    test('rejects a folder that was not created by a demo', async () => {
      const beside = join(dirname(cli.dataDir), 'data-demo')
      mkdirSync(beside)
      writeFileSync(join(beside, 'precious.txt'), 'x')
      const { code, stderr } = await cli.run('demo --fresh --employees 5 --days 10')
      expect(code).toBe(1)
      expect(stderr).toContain('was not created by a demo and is not deleted')
      expect(existsSync(join(beside, 'precious.txt'))).toBe(true)
    })
  })
})
