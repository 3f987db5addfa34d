import { cliAuditContext } from '../../kernel/cli/cli-actor.ts'
import type { CommandContext } from '../../kernel/cli/command.ts'
import { textTable } from '../../kernel/cli/text-table.ts'
import type { Organization } from '../../kernel/organizations/organizations.ts'
import type { Db } from '../../kernel/store/sql.ts'
import type { ImportTarget } from './import-lines.ts'
import type { Rejects } from './import-rejects.ts'
import { type ImportSummary, newSummary, totalOf } from './import-report.ts'
import { importWatch } from './import-watch.ts'

/** An import from its begin to its report. */
export interface ImportSession {
  /** Where records go, in a store that is open. */
  on(db: Db): ImportTarget
  readonly summary: ImportSummary
  /** Tells what came of it. @returns the exit code: 1 if anything was rejected or could not be read */
  report(db: Db): Promise<number>
  close(): void
}

/** Begins an import. @param earlier what its first part has done, if it goes on */
export function beginImport(
  context: CommandContext,
  organization: Organization,
  rejects: Rejects,
  earlier: ImportSummary = newSummary(),
): ImportSession {
  const watch = importWatch(organization.no)
  const summary = structuredClone(earlier)
  const rejectedBefore = totalOf(earlier).rejected
  return {
    on: (db) => ({ db, org: organization.no, by: cliAuditContext(), summary, watch, reject: rejects.add }),
    summary,
    close: rejects.close,
    report: async (db) => {
      const warnings = await watch.warnings(db)
      const total = totalOf(summary)
      if (context.json) context.printJson({ organization: organization.name, ...summary, total, warnings })
      else context.print(summaryTable(summary))
      for (const { resource, member, target: named, count, example } of warnings) {
        const wrong = named === null ? 'is no e-mail address' : `names nothing in ${named}`
        context.note(
          `Warning: ${count} ${resource} have a ${member} that ${wrong}, for example ${example.value} in ${example.id}.`,
        )
      }
      for (const { file, lines, reason } of summary.incomplete) {
        const [until, rest] = lines > 0 ? [` beyond line ${lines}`, 'What follows there'] : ['', 'It']
        context.note(`${file} cannot be read${until}: ${reason}. ${rest} was not imported.`)
      }
      rejects.tellRest(total.rejected, rejectedBefore)
      return total.rejected > 0 || summary.incomplete.length > 0 ? 1 : 0
    },
  }
}

function summaryTable(summary: ImportSummary): string {
  const rows = Object.entries(summary.resources).map(([name, counts]) => [name, counts] as const)
  const all = [...rows, ['all', totalOf(summary)] as const]
  return textTable(
    ['RESOURCE', 'ADDED', 'REPLACED', 'UNCHANGED', 'REJECTED'],
    all.map(([name, { added, replaced, unchanged, rejected }]) =>
      [name, added, replaced, unchanged, rejected].map(String),
    ),
  )
}
