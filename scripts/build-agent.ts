// `npm run agent:build`: builds the agent into agent/dist, as folders to load (chromium, firefox) and as zips, unless what
// is there was built from the same inputs. `--force` builds in any case; with `--lenient` a failure is told and no more,
// for starts, which can do without it. Nothing is fetched from the network.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)
const agent = join(root, 'agent')
const stamp = join(agent, 'dist', 'inputs.sha256')
const browsers = ['chromium', 'firefox'] as const

const inputs = ['agent', 'contract', 'package-lock.json', 'scripts/build-agent.ts']
const notInputs = /(?:^|\/)(?:node_modules|dist|\.wxt)$|\.test\.ts$/

const digest = digestOf(inputs.flatMap(filesUnder))
const { version } = JSON.parse(readFileSync(join(agent, 'package.json'), 'utf8')) as { version: string }
if (process.argv.includes('--force') || !isCurrent()) buildAll()

function isCurrent(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest && artefacts().every(existsSync)
}

function artefacts(): string[] {
  return browsers.flatMap((browser) => [
    join(agent, 'dist', browser, 'manifest.json'),
    join(agent, 'dist', `muster-agent-${version}-${browser}.zip`),
  ])
}

function buildAll(): void {
  const startedMs = performance.now()
  for (const browser of browsers) build(browser)
  writeFileSync(stamp, digest)
  console.log(
    `Muster: agent ${version} built in ${((performance.now() - startedMs) / 1000).toFixed(1)} s (agent/dist)`,
  )
}

/** Builds and packs for one browser; what it prints is shown only if it fails. */
function build(browser: string): void {
  const windows = process.platform === 'win32'
  const wxt = join(root, 'node_modules', '.bin', windows ? 'wxt.cmd' : 'wxt')
  // The runtime that runs this comes first, because the tools may need a newer one than the machine has.
  const { PATH: path = '', ...environment } = process.env
  const result = spawnSync(wxt, ['zip', '--browser', browser, '--level', 'warn'], {
    cwd: agent,
    encoding: 'utf8',
    env: { ...environment, PATH: `${dirname(process.execPath)}${windows ? ';' : ':'}${path}`, CI: '1' },
    shell: windows,
  })
  if (result.status === 0) return
  console.error(`${result.stdout ?? ''}${result.stderr ?? result.error?.message ?? ''}`)
  console.error(`The agent could not be built for ${browser}: see above.`)
  process.exit(process.argv.includes('--lenient') ? 0 : 1)
}

/** Paths of all files at or under a path, from the repository's root. */
function filesUnder(path: string): string[] {
  if (notInputs.test(path)) return []
  if (/\.[a-z]+$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesUnder(`${path}/${entry.name}`) : [`${path}/${entry.name}`],
    )
    .filter((each) => !notInputs.test(each))
    .sort()
}

function digestOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  return `${hash.digest('hex')}\n`
}
