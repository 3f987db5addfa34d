import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeStoreTemplates } from './store-templates.ts'

/** Global setup of `npm run test:fast`: provides the template of the embedded store, and starts no server. */
export async function setup(project: TestProject): Promise<() => void> {
  const template = mkdtempSync(join(tmpdir(), 'muster-test-template-'))
  await makeStoreTemplates(template)
  project.provide('storeTemplate', template)
  return () => rmSync(template, { recursive: true, force: true })
}
