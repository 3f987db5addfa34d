import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'

/** Global Vitest setup of the end-to-end tests: builds the agent unless the build is current. */
export function setup(): void {
  const script = join(dirname(dirname(import.meta.dirname)), 'scripts', 'build-agent.ts')
  execFileSync(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit'] })
}
