import { type AuditEvent, auditObjects } from '@muster/contract/console/console-audit'
import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import { defineCommand, UsageError } from '../../kernel/cli/command.ts'
import { momentText, parsePastMoment } from '../../kernel/cli/moments.ts'
import { startProgress } from '../../kernel/cli/progress.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import { organizationNamed, orgOption, withStore } from '../../kernel/cli/with-store.ts'
import { recordAudit } from '../../kernel/events/audit-trail.ts'
import { systemClock, unixSeconds } from '../../kernel/lib/clock.ts'
import { foldCase } from '../../kernel/lib/fold-case.ts'
import { listOrganizations } from '../../kernel/organizations/organizations.ts'
import { verifyChain } from './audit-chain.store.ts'
import { actorName, auditLine } from './audit-file.ts'
import { type AuditCursor, type AuditLink, auditHead, listAudit, walkAudit } from './audit-list.store.ts'

/** `muster audit verify` */
export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Verify the hash chain of the audit trail',
  needsStore: true,
  json: true,
  options: {
    org: { type: 'text', help: 'name or ID of the organization (default: all)', placeholder: 'ORG' },
  },
  details: `The exit code is 1 if a chain is broken. Someone with write access to the database can rewrite a whole chain. To
detect that, keep the hash of the last event elsewhere and compare it.

Example:
  muster audit verify --json`,
  async run(context, { options }) {
    const verdicts = await withStore(context.config(), async (db) => {
      const { org } = options
      const organizations =
        org === undefined ? await listOrganizations(db) : [await organizationNamed(db, org)]
      const found = []
      for (const { no, name } of organizations) {
        const total = (await auditHead(db, no))?.position ?? 0
        const progress = startProgress({
          stream: context.io.stderr,
          clock: systemClock,
          label: name,
          unit: 'events',
          total,
        })
        const verdict = await verifyChain(db.slow, no, (count) => {
          context.signal.throwIfAborted()
          progress.advance(count)
        })
        if (total > 0) progress.finish()
        found.push({ organization: name, ...verdict })
      }
      return found
    })
    const isSound = verdicts.every(({ broken }) => broken === undefined)
    if (context.json) context.printJson({ sound: isSound, organizations: verdicts })
    for (const { organization, events, hash, broken } of context.json ? [] : verdicts) {
      const end = broken
        ? `The chain of ${organization} is broken at position ${broken.position} (${broken.id ?? 'no event'}): ${broken.reason}.`
        : `The chain of ${organization} is intact: ${events} events, last hash ${hash || 'none'}.`
      context.print(end)
    }
    return isSound ? 0 : 1
  },
})

/** Parses a date or a duration before now into UNIX seconds. @throws UsageError */
const momentOf = (option: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : parsePastMoment(option, text, unixSeconds(systemClock))

const period = {
  since: {
    type: 'text',
    help: 'only events since a date or duration, such as 2h',
    placeholder: 'DATE',
  },
  until: { type: 'text', help: 'only events before a date or duration', placeholder: 'DATE' },
} as const

/** `muster audit list` */
export const auditList = defineCommand({
  name: 'audit list',
  summary: 'List audit events, newest first',
  needsStore: true,
  json: true,
  options: {
    org: orgOption,
    ...period,
    object: { type: 'list', help: 'only events of this object; may be repeated', placeholder: 'OBJECT' },
    actor: { type: 'text', help: 'part of an e-mail address, key name or user name' },
    search: { type: 'text', help: 'text that the event contains' },
    limit: {
      type: 'number',
      minimum: 1,
      maximum: 100_000,
      fallback: '100',
      help: 'maximum number of events',
    },
  },
  details: `With --json, prints one event per line.

Example:
  muster audit list --object API_KEY_ADDED --object API_KEY_REMOVED --since 2027-01-01`,
  async run(context, { options }) {
    const objects = options.object.map((name) => {
      const object = auditObjects.find((known) => known === name)
      if (object) return object
      throw new UsageError(
        `--object is ${JSON.stringify(name)}, but must be one of ${auditObjects.join(', ')}.`,
      )
    })
    const filters = {
      timestampAfter: momentOf('--since', options.since),
      timestampBefore: momentOf('--until', options.until),
      objects: objects.length > 0 ? objects : undefined,
      actor: options.actor === undefined ? undefined : foldCase(options.actor),
      search: options.search,
    }
    const links = await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      const found: AuditLink[] = []
      let cursor: AuditCursor | undefined
      do {
        const page = await listAudit(db, no, filters, Math.min(500, options.limit - found.length), cursor)
        found.push(...page.links)
        cursor = page.next
      } while (cursor && found.length < options.limit)
      return found
    })
    if (context.json) {
      for (const { event } of links) context.print(event)
      return
    }
    const rows = links.map(({ position, event }) => {
      const { timestamp, object, actor, description } = JSON.parse(event) as AuditEvent
      return [String(position), momentText(timestamp), object, actorName(actor) ?? '-', description]
    })
    context.print(textTable(['POSITION', 'TIME', 'OBJECT', 'ACTOR', 'DESCRIPTION'], rows))
  },
})

/** `muster audit export` */
export const auditExport = defineCommand({
  name: 'audit export',
  summary: 'Export the audit trail as JSON lines, oldest first, with its hashes',
  needsStore: true,
  options: { org: orgOption, ...period },
  details: `Each line has position, previousHash, hash and event. The hash is the hexadecimal SHA-256 of previousHash followed by
the exact text of event.

Example:
  muster audit export > audit.jsonl`,
  async run(context, { options }) {
    const since = momentOf('--since', options.since) ?? 0
    const until = momentOf('--until', options.until) ?? Number.MAX_SAFE_INTEGER
    await withStore(context.config(), async (db) => {
      const { no } = await organizationNamed(db, options.org)
      const facts = { what: 'audit trail', format: 'JSON', count: 0 } as const
      await db.inTransaction((tx) =>
        recordAudit(tx, no, 'DATA_EXPORTED', { ...cliAuditContext(), new: facts }),
      )
      for await (const links of walkAudit(db.slow, no)) {
        context.signal.throwIfAborted()
        const selected = links.filter(({ timestamp }) => timestamp >= since && timestamp < until)
        if (!(await context.printPart(selected.map(auditLine).join('')))) return
      }
    })
  },
})
