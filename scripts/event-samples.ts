// `npm run event-samples`: writes the samples at the end of docs/guide/events.md, one event per object, recorded by a test run.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventDeclarationOf, eventObjects } from '@muster/contract/events/event-objects'

const root = join(import.meta.dirname, '..')
const guide = join(root, 'docs', 'guide', 'events.md')
/** Tests that cause events of all objects. */
const tests = ['told-events', 'audited-actions', 'audited-calls', 'audit-list', 'audited-commands']
const heading = '\n## Samples\n'
const introduction = `
One event per object, from a test. \`npm run event-samples\` regenerates them.
`

const folder = mkdtempSync(join(tmpdir(), 'muster-samples-'))
try {
  const run = spawnSync('vitest', ['run', '--project', 'unit', '--no-file-parallelism', ...tests], {
    cwd: root,
    env: { ...process.env, EVENT_SAMPLES: folder },
    stdio: 'inherit',
  })
  if (run.status !== 0) throw new Error('The tests failed: the guide is left as it is.')
  const missing = eventObjects.filter((object) => !existsSync(join(folder, `${object}.json`)))
  if (missing.length > 0) throw new Error(`No test caused ${missing.join(', ')}: the guide is left as it is.`)
  const [text = ''] = readFileSync(guide, 'utf8').split(heading)
  writeFileSync(guide, `${text}${heading}${introduction}${eventObjects.map(sample).join('')}`)
} finally {
  rmSync(folder, { recursive: true })
}

function sample(object: (typeof eventObjects)[number]): string {
  const { category, descriptions } = eventDeclarationOf(object)
  const sentences = [...new Set(Object.values(descriptions))].join(' ')
  const event = readFileSync(join(folder, `${object}.json`), 'utf8')
  return `\n### ${object}\n\n${category}. ${sentences}\n\n\`\`\`json\n${event}\`\`\`\n`
}
