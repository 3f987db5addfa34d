// `npm run agent:build`: builds the agent into agent/dist, as folders (chromium, firefox) and zips. Skipped if the inputs have
// not changed, unless `--force` is given. With `--lenient` a failure is printed but ignored, because the server can start
// without the agent. Uses no network.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { inputsDigest } from './build-inputs.ts'

const root = dirname(import.meta.dirname)
const agent = join(root, 'agent')
const dist = join(agent, 'dist')
const stamp = join(dist, 'inputs.sha256')
const browsers = ['chromium', 'firefox'] as const

const inputs = ['agent', 'contract', 'package-lock.json', 'scripts/build-agent.ts']
const ignoredPaths = /(?:^|\/)(?:node_modules|dist|\.wxt)$|\.test\.ts$/

const digest = inputsDigest(root, inputs, ignoredPaths)
const { version } = JSON.parse(readFileSync(join(agent, 'package.json'), 'utf8')) as { version: string }
if (process.argv.includes('--force') || !isCurrent()) buildAll()

function isCurrent(): boolean {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest && artifacts().every(existsSync)
}

function artifacts(): string[] {
  return browsers.flatMap((browser) => [
    join(dist, browser, 'manifest.json'),
    join(dist, `muster-agent-${version}-${browser}.zip`),
  ])
}

/** Builds in a temporary folder and moves the result into place, so concurrent builds do not interfere. */
function buildAll(): void {
  const startedMs = performance.now()
  mkdirSync(dist, { recursive: true })
  const folder = mkdtempSync(join(dist, '.building-'))
  const failed = browsers.find((browser) => !build(browser, folder))
  if (failed === undefined) {
    for (const name of readdirSync(folder)) {
      rmSync(join(dist, name), { recursive: true, force: true })
      renameSync(join(folder, name), join(dist, name))
    }
    writeFileSync(stamp, digest)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    console.log(`Muster: agent ${version} built in ${seconds} s (agent/dist)`)
  } else {
    console.error(`Muster: the agent could not be built for ${failed}: see above.`)
    process.exitCode = process.argv.includes('--lenient') ? 0 : 1
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Builds and packs for one browser. The output of the tool is shown only if it fails. */
function build(browser: string, folder: string): boolean {
  const windows = process.platform === 'win32'
  const wxt = join(root, 'node_modules', '.bin', windows ? 'wxt.cmd' : 'wxt')
  // The current runtime comes first on the path: the tools may need a newer one than that of the machine.
  const { PATH: path = '', ...environment } = process.env
  const PATH = `${dirname(process.execPath)}${windows ? ';' : ':'}${path}`
  const result = spawnSync(wxt, ['zip', '--browser', browser, '--level', 'warn'], {
    cwd: agent,
    encoding: 'utf8',
    env: { ...environment, PATH, CI: '1', MUSTER_AGENT_OUT: folder },
    shell: windows,
  })
  if (result.status !== 0)
    console.error(`${result.stdout ?? ''}${result.stderr ?? result.error?.message ?? ''}`)
  return result.status === 0
}
