// `npm run check`: format, lint, types and guards, one line per step. All steps run, even after a failure. The exit code is 1
// if any step failed.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'

interface Step {
  name: string
  command: string
  options: readonly string[]
  /** Hint for a failure. */
  remedy: string
}

const steps: readonly Step[] = [
  {
    name: 'format and lint',
    command: 'biome',
    options: ['ci', '--colors=off'],
    remedy: 'run `npx biome check --write` for automatic fixes',
  },
  { name: 'types', command: 'tsc', options: ['--noEmit'], remedy: 'see the lines above' },
  {
    name: 'types of the agent',
    command: 'tsc',
    options: ['--noEmit', '--project', 'agent'],
    remedy: 'see the lines above',
  },
  {
    name: 'types of the console',
    command: 'tsc',
    options: ['--noEmit', '--project', 'console'],
    remedy: 'see the lines above',
  },
  {
    name: 'guards and OpenAPI',
    command: 'vitest',
    options: ['run', '--project', 'guards'],
    remedy: 'each message above names the file and the rule (test/guards/)',
  },
]

const root = dirname(import.meta.dirname)
const failed = steps.filter((step) => !runStep(step))
if (failed.length > 0) {
  console.error(`\ncheck: ${failed.map((step) => step.name).join(', ')} failed`)
  process.exitCode = 1
} else {
  console.log(`\ncheck: all ${steps.length} steps passed`)
}

function runStep(step: Step): boolean {
  const startedMs = performance.now()
  // Found on npm's search path. On Windows these are .cmd files, which need a shell.
  const shell = process.platform === 'win32'
  const result = spawnSync(step.command, step.options, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell,
  })
  const passed = result.status === 0
  if (!passed) process.stdout.write(`${result.stdout ?? ''}${result.stderr ?? result.error?.message ?? ''}\n`)
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${step.name.padEnd(20)} ${seconds.padStart(5)} s`)
  if (!passed) console.log(`        ${step.remedy}\n`)
  return passed
}
