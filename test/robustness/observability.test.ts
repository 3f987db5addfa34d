import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
// biome-ignore lint/correctness/useImportExtensions: the rule takes the declaration file for the module.
import { programs } from '../../scripts/programs.mjs'
import { useCommandLine } from '../support/command-line.ts'
import { type MusterProcess, startMuster } from '../support/muster-process.ts'
import { freePort } from '../support/private-server.ts'
import { STORES } from '../support/stores.ts'

const folder = join(import.meta.dirname, '..', '..', 'deploy')
const dashboard = readFileSync(join(folder, 'grafana', 'muster.json'), 'utf8')
const alerts = readFileSync(join(folder, 'prometheus', 'alerts.yml'), 'utf8')

const running: MusterProcess[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.kill()
})

/** Runs promtool in the folder of the alerts. @returns its exit code and all that it prints */
async function promtool(args: readonly string[], input = ''): Promise<{ code: number; output: string }> {
  const running = promisify(execFile)(programs.promtool.find() ?? 'promtool', args, {
    cwd: join(folder, 'prometheus'),
  })
  running.child.stdin?.end(input)
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )
}

/** Returns the names of metrics in PromQL, without the suffixes of histograms. */
const namesIn = (text: string): string[] =>
  [...new Set(text.match(/\b(?:muster|nodejs|process)_[a-z0-9_]+(?=[^a-z0-9_-])/g))]
    .map((name) => name.replace(/_bucket$/, ''))
    .sort()

describe.each(STORES)('%s', (store) => {
  const cli = useCommandLine(store)

  test('the metrics follow the naming rules, and dashboard and alerts use only those', async () => {
    const port = await freePort()
    const server = await startMuster({
      ...cli.settings,
      MUSTER_PLAIN_HTTP: 'false',
      MUSTER_METRICS_HOST: '127.0.0.2',
      MUSTER_METRICS_PORT: `${port}`,
      MUSTER_EVENTS_FILE: join(cli.folder, 'events.jsonl'),
      MUSTER_BACKUP_FOLDER: join(cli.folder, 'backups'),
    })
    running.push(server)
    const response = await fetch(`http://127.0.0.2:${port}/metrics`)
    const text = await response.text()
    expect(response.headers.get('content-type')).toContain('version=0.0.4')
    expect(await promtool(['check', 'metrics'], text)).toEqual({ code: 0, output: '' })
    const exposed = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    for (const used of [dashboard, alerts]) {
      const names = namesIn(used)
      expect(names.length).toBeGreaterThan(10)
      expect(names.filter((name) => !exposed.has(name))).toEqual([])
    }
    const shown = new Set(namesIn(dashboard + alerts))
    const own = [...exposed].filter((name) => name?.startsWith('muster_'))
    expect(own.filter((name) => !shown.has(`${name}`))).toEqual([])
  })
})

test('the dashboard has queries that Prometheus understands', async () => {
  const queries: string[] = []
  JSON.parse(dashboard, (name, value) => {
    if (name === 'expr') queries.push(value)
    return value
  })
  expect(queries.length).toBeGreaterThan(30)
  const rules = queries.map((query, index) => ({
    record: `query_${index}`,
    expr: query.replaceAll('$__rate_interval', '5m'),
  }))
  const file = join(mkdtempSync(join(tmpdir(), 'muster-queries-')), 'rules.yml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  const { code, output } = await promtool(['check', 'rules', file])
  rmSync(dirname(file), { recursive: true })
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining(`${queries.length} rules found`),
  })
})

describe('the alerts', () => {
  test('are valid, and fire as their tests say', async () => {
    expect(await promtool(['check', 'rules', 'alerts.yml'])).toMatchObject({ code: 0 })
    const { code, output } = await promtool(['test', 'rules', 'alerts.test.yml'])
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('SUCCESS') })
  })

  test('have a test in which they fire and one in which they do not', () => {
    const tests = readFileSync(join(folder, 'prometheus', 'alerts.test.yml'), 'utf8')
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    const counts = names.map((name) => tests.match(new RegExp(`alertname: ${name}\\b`, 'g'))?.length)
    expect(counts).toEqual(names.map(() => 2))
  })
})
