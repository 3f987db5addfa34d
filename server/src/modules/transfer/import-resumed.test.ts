import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useCommandLine } from '../../../../test/support/command-line.ts'
import { anApp, anEmployee } from '../../../../test/support/fixtures.ts'
import { STORES } from '../../../../test/support/stores.ts'

for (const store of STORES) {
  describe(store, () => {
    const cli = useCommandLine(store)
    /** Pages of records by path, for each key; null for a page that is refused. */
    let pages: Record<string, Record<string, (object[] | null)[]>>
    let asked: string[]
    let address: string
    let close: () => void
    beforeEach(async () => {
      asked = []
      const server = createServer((request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? '', address)
        const at = Number(searchParams.get('nextToken') ?? 0)
        asked.push(`${pathname} ${at}`)
        const list = pages[String(request.headers['x-api-key'])]?.[pathname] ?? [[]]
        const records = list[at] ?? null
        const nextToken = at + 1 < list.length ? String(at + 1) : null
        response.writeHead(records === null ? 403 : 200, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({ result: records, paging: { moreResults: nextToken !== null, nextToken } }),
        )
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      close = () => server.close().closeAllConnections()
    })
    afterEach(() => close())

    const pull = async (key: string, more = '') => {
      const { code, stdout, stderr } = await cli.run(`import --from ${address} --key ${key} --json${more}`)
      return { code, stderr, total: JSON.parse(stdout).total }
    }
    const idsStored = async (name: string) => {
      await cli.run('export out --force')
      const lines = cli.files('out')[`${name}.jsonl`]?.split('\n').filter(Boolean) ?? []
      return lines.map((line) => JSON.parse(line).id).sort()
    }
    const rejected = () => {
      const lines = readFileSync(join(cli.folder, 'rejects.jsonl'), 'utf8').split('\n').filter(Boolean)
      return lines.map((line) => JSON.parse(JSON.parse(line).record).id)
    }

    test('a resumed pull continues the rejects, the counts and the exit code of its first part', async () => {
      const [ada, again] = [anEmployee(), anEmployee()]
      const taken = { ...again, email: ada.email }
      const [one, two] = [anApp(), anApp()]
      const apps = [[one, { id: 'x' }], null] as (object[] | null)[]
      pages = { k: { '/v1/employees': [[ada, taken]], '/v1/apps': apps } }
      const first = await pull('k', ' --rejects rejects.jsonl')
      expect(first).toMatchObject({ code: 1, total: { added: 2, rejected: 2 } })
      expect(first.stderr).toContain('Run the same command again to resume.')
      expect(rejected()).toEqual([taken.id, 'x'])

      apps[1] = [{ id: 'y' }, two]
      const second = await pull('k', ' --rejects rejects.jsonl')
      expect(second).toMatchObject({ code: 1, total: { added: 3, rejected: 3 } })
      expect(rejected()).toEqual([taken.id, 'x', 'y'])
      expect(second.stderr).toContain(
        'Rejected lines: 3, 2 of them before this pull was resumed. They are in rejects.jsonl.',
      )

      const third = await pull('k')
      expect(third).toMatchObject({ code: 1, total: { added: 0, unchanged: 3, rejected: 3 } })
    })

    test('a resumed pull without further rejects still reports the earlier ones', async () => {
      const apps = [[{ id: 'x' }], null] as (object[] | null)[]
      pages = { k: { '/v1/apps': apps } }
      await pull('k', ' --rejects rejects.jsonl')
      apps[1] = []
      const { code, stderr, total } = await pull('k', ' --rejects others.jsonl')
      expect({ code, total }).toMatchObject({ code: 1, total: { rejected: 1 } })
      expect(stderr).toContain('pull everything again with --restart')
    })

    test('a resumed pull says so', async () => {
      const apps = [[anApp(), {}], null] as (object[] | null)[]
      pages = { k: { '/v1/apps': apps } }
      expect((await pull('k')).stderr).not.toContain('Going on')
      apps[1] = []
      expect((await pull('k')).stderr).toContain(
        `Resuming an earlier pull from ${address}, stopped after 1 records and 1 rejected. Start over with --restart.`,
      )
      expect((await pull('k')).stderr).not.toContain('Going on')
    })

    test('another key of the same server starts over, because it may belong to another organization', async () => {
      const [ours, theirs, late] = [anApp(), anApp(), anApp()]
      pages = { ours: { '/v1/apps': [[ours], null] }, theirs: { '/v1/apps': [[theirs], [late]] } }
      expect((await pull('ours')).code).toBe(1)
      asked = []
      expect((await pull('theirs')).code).toBe(0)
      expect(asked).toContain('/v1/apps 0')
      expect(await idsStored('apps')).toEqual([ours.id, theirs.id, late.id].sort())
    })

    test('--restart starts over', async () => {
      const apps = [[anApp(), {}], null] as (object[] | null)[]
      pages = { k: { '/v1/apps': apps } }
      await pull('k')
      apps[1] = []
      asked = []
      const { code, stderr, total } = await pull('k', ' --restart')
      expect(asked.slice(0, 3)).toEqual(['/v1/employees 0', '/v1/apps 0', '/v1/apps 1'])
      expect({ code, total }).toMatchObject({ code: 1, total: { added: 0, unchanged: 1, rejected: 1 } })
      expect(stderr).not.toContain('Going on')
    })
  })
}
