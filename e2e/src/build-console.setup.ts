import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'

/** Vitest's global setup of the end-to-end tests: builds the page of the console unless it is built already. */
export function setup(): void {
  const script = join(dirname(dirname(import.meta.dirname)), 'scripts', 'build-console.ts')
  execFileSync(process.execPath, [script], { stdio: ['ignore', 'inherit', 'inherit'] })
}
