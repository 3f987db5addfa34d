import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Compile } from 'typebox/schema'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { environmentName, settingNames, tomlName } from '../../server/src/kernel/config/config-settings.ts'

/** Checks of what the tests cannot run: image, compose file, chart and workflows. */

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const readYaml = <T = Record<string, unknown>>(path: string): T => parse(read(path)) as T

const chart = 'deploy/helm/muster'
const templates = readdirSync(join(root, chart, 'templates')).map((name) => ({
  name,
  text: read(`${chart}/templates/${name}`),
}))
const { version, scripts } = JSON.parse(read('package.json')) as {
  version: string
  scripts: Record<string, string>
}

type Values = { readonly [name: string]: Values | unknown }
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** Returns the paths of all values: `image.tag`. */
const pathsOf = (values: Values, prefix = ''): string[] =>
  Object.entries(values).flatMap(([name, value]) =>
    isObject(value) ? pathsOf(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  )

/** Returns values with others over them, as Helm merges them. */
const merged = (values: Values, over: Values): Values =>
  Object.fromEntries(
    [...new Set([...Object.keys(values), ...Object.keys(over)])].map((name) => {
      const [one, other] = [values[name], over[name]]
      return [name, isObject(other) ? merged(isObject(one) ? one : {}, other) : name in over ? other : one]
    }),
  )

describe('the chart', () => {
  const values = readYaml<Values>(`${chart}/values.yaml`)
  const example = readYaml<Values>('deploy/helm/example-values.yaml')
  const schema = JSON.parse(read(`${chart}/values.schema.json`))
  const check = Compile(schema)

  test('has the version of the release', () => {
    expect(readYaml(`${chart}/Chart.yaml`)).toMatchObject({ version, appVersion: version })
  })

  test('uses every value, and no other', () => {
    const used = new Set(
      templates.flatMap(({ text }) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => `${path}`)),
    )
    const known = pathsOf(values)
    const covers = (path: string, other: string) => path === other || path.startsWith(`${other}.`)
    expect(known.filter((path) => ![...used].some((other) => covers(path, other)))).toEqual([])
    expect([...used].filter((path) => !known.some((other) => covers(other, path)))).toEqual([])
  })

  test('has a schema that allows the example and names every value', () => {
    expect(check.Check(merged(values, example))).toBe(true)
    const properties = (of: typeof schema): Values =>
      Object.fromEntries(
        Object.entries<typeof schema>(of.properties ?? {}).map(([name, inner]) => [name, properties(inner)]),
      )
    const free = { ...values, resources: {} }
    expect(pathsOf(properties(schema)).filter((path) => path !== 'global')).toEqual(pathsOf(free))
  })

  test.each([
    [{ publicUrl: '' }],
    [{ publicUrl: 'muster.example.com' }],
    [{ secrets: { environment: '' } }],
    [{ replicas: 0 }],
    [{ setings: {} }],
    [{ settings: { port: '1' } }],
  ])('has a schema that refuses %o', (mistake) => {
    expect(check.Check(merged(merged(values, example), mistake as Values))).toBe(false)
  })

  test.each(templates)('closes every block of $name', ({ text }) => {
    const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
    expect(count(/\{\{-? *(?:if|with|range|define)\b/g)).toBe(count(/\{\{-? *end\b/g))
    expect(count(/\{\{/g)).toBe(count(/\}\}/g))
  })
})

describe('the image', () => {
  const dockerfile = read('Dockerfile')

  test('copies only what exists, and runs without root and with a health check', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from]) =>
      from?.split(' '),
    )
    expect(copied.filter((path) => !existsSync(join(root, `${path}`)))).toEqual([])
    expect(dockerfile).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(dockerfile).toMatch(/^HEALTHCHECK /m)
    expect(dockerfile.indexOf('USER ')).toBeGreaterThan(dockerfile.lastIndexOf('FROM '))
    expect(existsSync(join(root, 'deploy/docker/healthcheck.mjs'))).toBe(true)
  })

  test('has no secrets in its layers', () => {
    expect(dockerfile).not.toMatch(/^(?:ARG|ENV) .*(?:SECRET|PASSWORD|TOKEN|KEY)\b/m)
    const ignored = read('.dockerignore').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'data', '.env*', '*.pem', '*.key']))
  })
})

test('the compose file locks its services down and takes secrets from outside', () => {
  const { services } = readYaml<{ services: Record<string, Record<string, unknown>> }>('compose.yaml')
  expect(Object.keys(services)).toEqual(['muster', 'postgres', 'redis'])
  expect(services.muster).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  for (const text of Object.values(services).map((service) => JSON.stringify(service.environment ?? {})))
    expect(text).not.toMatch(/"\w*(?:PASSWORD|SECRET_KEY)":"(?!\$\{\w+:\?)/)
})

test('image, compose file, chart, unit and defaults name only settings that exist', () => {
  const known = new Set(settingNames.map(environmentName))
  const files = [
    'Dockerfile',
    'compose.yaml',
    'deploy/helm/example-values.yaml',
    'deploy/debian/muster.service',
  ]
  const texts = [...files.map(read), ...templates.map(({ text }) => text)]
  const named = texts.flatMap((text) => text.match(/\bMUSTER_[A-Z_]+[A-Z]\b/g) ?? [])
  expect(named.length).toBeGreaterThan(10)
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
})

test('the settings file of the Debian package names only settings that exist', () => {
  const named = [...read('deploy/debian/muster.toml').matchAll(/^# (\w+) = /gm)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !settingNames.some((known) => tomlName(known) === name))).toEqual([])
})

describe.each(['ci.yml', 'release.yml'])('the workflow %s', (name) => {
  const text = read(`.github/workflows/${name}`)
  const workflow = parse(text) as {
    permissions: Record<string, string>
    jobs: Record<string, { 'timeout-minutes': number; steps: { uses?: string; run?: string }[] }>
  }
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

  test('has few permissions and an end', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(Object.values(workflow.jobs).filter((job) => !(job['timeout-minutes'] <= 60))).toEqual([])
  })

  test('uses versions of actions, and scripts and files that exist', () => {
    const uses = steps.flatMap((step) => step.uses ?? [])
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@v\d+$/.test(action))).toEqual([])
    const commands = steps.map((step) => step.run ?? '').join('\n')
    const ran = [...commands.matchAll(/npm run ([\w:]+)/g)].map(([, script]) => `${script}`)
    expect(ran.filter((script) => scripts[script] === undefined)).toEqual([])
    const paths = commands.match(/\b(?:deploy|scripts|e2e|\.ci)\/[\w./-]+/g) ?? []
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

test('all YAML of the deployment can be parsed', () => {
  const paths = ['deploy/prometheus/alerts.yml', 'deploy/prometheus/alerts.test.yml', 'compose.yaml']
  const faults = paths.flatMap((path) => parseAllDocuments(read(path)).flatMap((document) => document.errors))
  expect(faults).toEqual([])
})
